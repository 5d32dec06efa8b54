// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/dump/dump.h"
#include "ui/script/script_private.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/features.h"
#include "util/stream/frame_walk.h"

#define COMM_WIDTH  16
#define ADDR_WIDTH  16
#define FLAGS_WIDTH 24
#define SLOW_FIELDS                                                                                \
	(FIELD_WEIGHT | FIELD_INS_LAT | FIELD_RETIRE_LAT | FIELD_IREGS | FIELD_UREGS |             \
	 FIELD_DATA_SRC | FIELD_PHYS_ADDR | FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE |          \
	 FIELD_CGROUP | FIELD_BPF_OUTPUT | SCRIPT_BRANCH_FIELDS | SCRIPT_CODE_FIELDS |             \
	 SCRIPT_BLOCK_FIELDS)

/* ---- set up */

static int widest_name(const struct evlist *evlist)
{
	size_t width = 0;

	for (u32 i = 0; i < evlist->nr; i++)
		width = max_u64(width, strlen(evlist->evsels[i]->name));
	return width < 4096 ? width : 4096;
}

/* Of software events only faults have an address, and tracepoints never. */
static bool addr_has_name(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return attr->type != PERF_TYPE_TRACEPOINT;
}

static enum stream_need need_of(const struct script *script, const struct script_event *event)
{
	bool unwound = event->chain && event->calls_known;

	if ((script->dlfilter && unwound) || (event->need_all && event->print & FIELD_JSON))
		return STREAM_ALL_AND_CHAIN;
	return event->print & FIELD_JSON    ? STREAM_CHAIN
	       : unwound                    ? STREAM_ALL_AND_CHAIN
	       : event->need_all            ? STREAM_ALL
	       : event->print & FIELD_TRACE ? STREAM_RAW
	                                    : STREAM_FAST;
}

static void set_need(struct script *script, const struct evsel *evsel)
{
	const struct script_event *event = &script->events[evsel->idx];
	enum stream_need need = need_of(script, event);

	if (!event->print && !script->options->dump && !script->dlfilter)
		need = STREAM_NOTHING;
	stream__set_need(script->stream, evsel, need);
}

static int init_event(struct script *script, const struct evsel *evsel, int width,
                      struct error *err)
{
	struct script_event *event = &script->events[evsel->idx];
	const struct script_options *options = script->options;
	int ret = 0;
	struct out name;

	event->print = FIELD_JSON;
	if (!options->json)
		ret = script_fields__of_event(&options->fields, evsel, &event->print, err);
	if (ret)
		return ret;
	event->layout = perf_data__layout(script->session->data, evsel);
	bool unwound = unwound__wants(event->layout);

	event->chain = evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !options->no_chain &&
	               event->print & (FIELD_IP | FIELD_FOLDED | FIELD_JSON);
	event->calls_known = unwound;
	event->need_all = (event->chain && unwound) || event->print & SLOW_FIELDS ||
	                  script->dlfilter || (options->json && evsel__is_tracepoint(evsel));
	set_need(script, evsel);
	event->addr_has_name = addr_has_name(&evsel->attr);
	out__init(&name, -1);
	out__right(&name, evsel->name, width);
	out__str(&name, ": ");
	event->name_len = name.len;
	event->name = xstrdup(out__take(&name));
	out__exit(&name);
	return 0;
}

static void open_trace(struct script *script)
{
	const struct session *session = script->session;

	if (!script->trace && !script->trace_error.code)
		script->trace =
		        trace_text__new(session->data, session->stats.samples_of,
		                        script_kernel__symbol, script, &script->trace_error);
}

/* At its first sample: a live stream may not have had any when it was opened. */
static void print_trace(struct script *script, struct script_event *event,
                        const struct stream_sample *s)
{
	if (unlikely(!event->trace_found)) {
		event->trace = trace_text__event(script->trace, s->evsel);
		event->trace_found = true;
	}
	trace_text__print(script->trace, event->trace, script->out, s->sample->raw,
	                  s->sample->raw_size, s->sample->cpu);
}

/* One moment in both clocks. */
static int read_clock(struct script *script, struct error *err)
{
	struct cursor c = perf_data__feature_cursor(script->session->data, FEATURE_CLOCK_DATA);

	cursor__u32(&c); /* version */
	cursor__u32(&c); /* which clock */
	u64 wall = cursor__u64(&c), clock = cursor__u64(&c);

	script->to_wall = wall - clock;
	if (!c.failed && wall)
		return 0;
	return error__set(err, -ENODATA, "cannot print field", "tod",
	                  "Can't provide 'tod' time, missing clock data. "
	                  "Please record with -k/--clockid option.");
}

/* No event has any of the fields: is that a mistake? Not if there is no sample to have them. */
static int check_nothing(const struct script *script, struct error *err)
{
	bool lacks = false;

	for (u32 i = 0; i < script->session->evlist->nr; i++)
		lacks |= script->events[i].lacks;
	if (lacks && !script->session->stats.nr_records[PERF_RECORD_SAMPLE])
		return 0; /* which the command says */
	return error__set(err, -ENODATA, "nothing to print for the events of",
	                  perf_data__path(script->session->data),
	                  lacks ? "those with samples are of other types than the fields chosen"
	                        : "the fields chosen are of other types of events");
}

static int init_events(struct script *script, struct error *err)
{
	const struct evlist *evlist = script->session->evlist;
	int width = widest_name(evlist), ret = 0;
	u64 all = 0;

	script->events = xcalloc(evlist->nr + 1, sizeof(*script->events));
	for (u32 i = 0; i < evlist->nr && !ret; i++) {
		ret = init_event(script, evlist->evsels[i], width, err);
		/* An event without samples cannot lack a field. */
		script->events[i].lacks = ret == -ENODATA && !script->session->stats.samples_of[i];
		if (script->events[i].lacks)
			ret = script->events[i].print = 0;
		all |= script->events[i].print;
	}
	if (!ret && !script->options->json)
		ret = script_fields__check_branches(&script->options->fields, evlist, err);
	if (!ret && !all && evlist->nr)
		ret = check_nothing(script, err);
	if (!ret && all & FIELD_TRACE)
		open_trace(script);
	if (!ret && all & FIELD_TOD)
		ret = read_clock(script, err);
	return ret;
}

/* The dump is of all records, in the order in which Linux's perf takes them up. */
static int open_stream(struct script *script, struct error *err)
{
	const struct script_options *options = script->options;
	const struct stream_options want = {
		.order = script->whole          ? STREAM_PART
		         : options->show_rounds ? STREAM_ROUNDS
		         : options->unsorted    ? STREAM_FILE
		         : options->dump        ? STREAM_AS_PERF
		                                : STREAM_TIME,
		.flags = STREAM_TASKS | STREAM_COUNTS | STREAM_REJECTED,
		.filter = script->dlfilter && script_dlfilter__is_early(script->dlfilter)
		                  ? NULL
		                  : &options->filter,
		.objects = session_symbols__config(script->symbols),
		.max_stack = options->max_stack,
		.unwind_style = options->unwind_style,
		.whole = script->whole ? script->whole->stream : NULL,
	};

	script->stream = stream__new(script->session, &want, err);
	if (!script->stream)
		return -EIO;
	script->resolver = stream__resolver(script->stream);
	script->json = (struct json_sample){ .session = script->session,
		                             .symbols = script->symbols,
		                             .resolver = script->resolver,
		                             .lock = script->names,
		                             .out = script->out,
		                             .depth = JSON_ONE_LINE };
	return 0;
}

static struct script *new_script(const struct session *session, struct session_symbols *symbols,
                                 const struct script_options *options, struct out *out,
                                 const struct script *whole, pthread_mutex_t *names,
                                 struct error *err)
{
	struct script *script = xcalloc(1, sizeof(*script));

	script->whole = whole;
	script->names = names;
	script->session = session;
	script->symbols = symbols;
	script->options = options;
	script->out = out;
	script->swap = perf_data__swapped(session->data);
	script->first_time = script->second = ~0ull;
	script->deltas = DELTAS_NONE;
	script->arch = perf_data__arch(session->data);
	strtab__init(&script->cgroup_paths);
	script->frames = script_frames__new(script);
	script->check = script_check__new(script);
	if (options->terminal && !options->dumps)
		script->ends = script_ends__new(script);
	if (options->dlfilter)
		script->dlfilter = script_dlfilter__new(script, err);
	if ((!options->dlfilter || script->dlfilter) && !open_stream(script, err) &&
	    !init_events(script, err)) {
		if (options->dump)
			script->dump = dump__new(session, symbols, out, DUMP_SCRIPT);
		if (!whole)
			script_branches__list_counters(script);
		return script;
	}
	script__delete(script);
	return NULL;
}

struct script *script__new(const struct session *session, struct session_symbols *symbols,
                           const struct script_options *options, struct out *out, struct error *err)
{
	return new_script(session, symbols, options, out, NULL, NULL, err);
}

struct script *script__new_worker(const struct script *script, struct out *out,
                                  pthread_mutex_t *names, struct error *err)
{
	struct script *worker = new_script(script->session, script->symbols, script->options, out,
	                                   script, names, err);

	if (worker)
		worker->first_time = script->first_time;
	return worker;
}

void script__delete(struct script *script)
{
	if (!script)
		return;
	for (u32 i = 0; script->events && i < script->session->evlist->nr; i++)
		free(script->events[i].name);
	free(script->events);
	script_dlfilter__delete(script->dlfilter);
	trace_text__delete(script->trace);
	script_kernel__forget(script);
	script_code__delete(script->code);
	free(script->stack);
	script_check__delete(script->check);
	script_ends__delete(script->ends);
	script_frames__delete(script->frames);
	dump__delete(script->dump);
	json_sample__exit(&script->json);
	stream__delete(script->stream);
	strtab__exit(&script->cgroup_paths);
	u64map__exit(&script->cgroups);
	free(script);
}

/* Events that had no samples, so that it did not matter what they lack, may have some now. */
static int renew_events(struct script *script, struct error *err)
{
	const struct evlist *evlist = script->session->evlist;
	int width = widest_name(evlist), ret = 0;

	for (u32 i = 0; i < evlist->nr && !ret; i++) {
		struct script_event *event = &script->events[i];

		if (!event->lacks || !script->session->stats.samples_of[i])
			continue;
		ret = init_event(script, evlist->evsels[i], width, err);
		event->lacks = false;
		if (event->print & FIELD_TRACE)
			open_trace(script);
	}
	return ret;
}

int script__more(struct script *script, struct session *session, struct error *err)
{
	bool changed;

	if (script->out->error)
		return 0;
	int ret = stream__more(script->stream, session, &changed, err);

	if (ret <= 0)
		return ret;
	ret = renew_events(script, err);
	if (changed) {
		script_frames__forget(script->frames);
		script_kernel__forget(script);
		json_sample__exit(&script->json);
		if (script->dump)
			dump__forget(script->dump);
	}
	return ret ? ret : 1;
}

int script__end(struct script *script, struct error *err)
{
	return script->dlfilter ? script_dlfilter__end(script->dlfilter, err) : 0;
}

struct read_problems script__problems(const struct script *script)
{
	struct read_problems problems = script->problems;

	problems.nr_unknown_context += script->json.nr_unknown_context;
	read_problems__add(&problems, stream__problems(script->stream));
	return problems;
}

u64 script__nr_printed(const struct script *script)
{
	return script->nr_printed;
}

void script__say_filters(const struct script *script)
{
	script_check__say(script->check);
}

const struct error *script__trace_error(const struct script *script)
{
	return script->trace_error.code ? &script->trace_error : NULL;
}

/* ---- the beginning of a line */

static void print_left(struct out *out, u32 value, int width)
{
	size_t start = out->len;

	out__sdec(out, (s32)value);
	out__fill(out, ' ', width - (int)(out->len - start));
}

static void print_right(struct out *out, u32 value, int width)
{
	if ((s32)value >= 0) {
		out__dec(out, value, width);
		return;
	}
	u32 digits = 1;

	for (u32 left = -value; left > 9; left /= 10)
		digits++;
	out__fill(out, ' ', width - 1 - (int)digits);
	out__sdec(out, (s32)value);
}

static void print_task(struct out *out, u64 print, const struct sample *sample)
{
	if ((print & FIELD_PID) && (print & FIELD_TID)) {
		print_right(out, sample->pid, 5);
		out__char(out, '/');
		print_left(out, sample->tid, 5);
		out__char(out, ' ');
	} else if (print & (FIELD_PID | FIELD_TID)) {
		print_right(out, print & FIELD_PID ? sample->pid : sample->tid, 5);
		out__char(out, ' ');
	}
}

/* "  127.": the same for a million samples. */
static void print_seconds(struct script *script, u64 seconds)
{
	struct out *out = script->out;

	if (unlikely(seconds != script->second)) {
		out__room(out, 64); /* no flush between here and the copy */
		size_t start = out->len;

		out__dec(out, seconds, 5);
		out__char(out, '.');
		script->second_len = out->len - start;
		memcpy(script->second_text, out->buf + start, script->second_len);
		script->second = seconds;
		return;
	}
	out__mem(out, script->second_text, script->second_len);
}

/* Exactly @digits digits. */
static void print_fraction(struct out *out, u32 value, int digits)
{
	char *p = out__room(out, digits);

	for (int i = digits - 1; i >= 0; i--, value /= 10)
		p[i] = '0' + value % 10;
	out->len += digits;
}

/* Of a part that a worker prints nobody knows yet what time the entry before it had. */
static bool waits_for_delta(struct script *script, u64 time)
{
	if (!script->whole || script->deltas.last != ~0ull)
		return false;
	script->deltas = (struct deltas){ time, time, script->out->len };
	return true;
}

void script__print_time(struct script *script, u64 time)
{
	const struct script_options *options = script->options;
	struct out *out = script->out;
	u64 shown = time;

	if (options->delta_time && waits_for_delta(script, time))
		return;

	if (options->relative_time) {
		if (script->first_time == ~0ull)
			script->first_time = time;
		shown = time > script->first_time ? time - script->first_time : 0;
	} else if (options->delta_time) {
		u64 last = script->deltas.last;

		shown = last != ~0ull && time > last ? time - last : 0;
		script->deltas.last = time;
	}
	print_seconds(script, shown / 1000000000);
	if (options->nanoseconds)
		print_fraction(out, shown % 1000000000, 9);
	else
		print_fraction(out, shown % 1000000000 / 1000, 6);
	out__mem(out, ": ", 2);
}

/* "2026-11-26 12:28:55.720049 " */
static void print_wall_time(struct script *script, u64 time)
{
	u64 wall = time + script->to_wall;
	time_t seconds = wall / 1000000000;
	char text[32] = "";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S.", &tm);
	out__str(script->out, text);
	if (script->options->nanoseconds)
		print_fraction(script->out, wall % 1000000000, 9);
	else
		print_fraction(script->out, wall % 1000000000 / 1000, 6);
	out__char(script->out, ' ');
}

/* Letters for the misc bits of the header, six columns. */
static void print_misc(struct out *out, const struct sample *sample, u32 type)
{
	static const char modes[] = { ' ', 'K', 'U', 'H', 'G', 'g', ' ', ' ' };
	char text[6];
	int nr = 0;
	u16 misc = sample->misc;

	if (modes[sample->cpumode] != ' ')
		text[nr++] = modes[sample->cpumode];
	switch (type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_COMM: /* exec */
		if (misc & PERF_RECORD_MISC_EXACT_IP)
			text[nr++] = 'E';
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (misc & PERF_RECORD_MISC_MMAP_DATA)
			text[nr++] = 'M';
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & PERF_RECORD_MISC_SWITCH_OUT) {
			text[nr++] = 'S';
			if (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
				text[nr++] = 'p';
		}
		break;
	}
	out__mem(out, text, nr);
	out__fill(out, ' ', 6 - nr);
}

static void print_comm(const struct script *script, bool chain, const char *comm)
{
	struct out *out = script->out;

	if (script->options->latency)
		out__printf(out, "%8.8s", comm);
	else if (chain)
		out__name(out, comm);
	else
		out__right(out, comm, COMM_WIDTH);
	out__char(out, ' ');
}

static void print_cpu_and_time(struct script *script, u64 print, const struct sample *sample,
                               u32 type)
{
	struct out *out = script->out;

	if (print & FIELD_CPU && script->options->latency) {
		print_right(out, sample->cpu, 3);
		out__char(out, ' ');
	} else if (print & FIELD_CPU) {
		out__char(out, '[');
		if ((s32)sample->cpu < 0)
			out__str(out, "-01");
		else
			out__dec0(out, sample->cpu, 3);
		out__mem(out, "] ", 2);
	}
	if (print & FIELD_MISC)
		print_misc(out, sample, type);
	if (print & FIELD_TOD)
		print_wall_time(script, sample->time);
	if (print & FIELD_TIME)
		script__print_time(script, sample->time);
}

void script__prefix(struct script *script, u64 print, bool chain, const struct sample *sample,
                    u32 type, const char *comm)
{
	if (print & FIELD_COMM)
		print_comm(script, chain, comm);
	print_task(script->out, print, sample);
	print_cpu_and_time(script, print, sample, type);
}

/* Comm, pid and tid of a sample, from the cache. */
static void print_sample_task(struct script *script, const struct script_event *event,
                              const struct sample *sample, u32 comm)
{
	u32 fields = event->print & (FIELD_COMM | FIELD_PID | FIELD_TID);
	u32 kind = fields | (event->chain ? 1u << 31 : 0);
	struct script_task *known = &script->tasks[(sample->tid + comm) % SCRIPT_TASKS];
	const char *name = strtab__get(&script->session->strings, comm);
	struct out *out = script->out;

	if (!fields)
		return;
	if (likely(known->kind == kind && known->tid == sample->tid && known->pid == sample->pid &&
	           known->comm == comm)) {
		out__mem(out, known->text, known->len);
		return;
	}
	out__room(out, 4096); /* no flush between here and the copy */
	size_t start = out->len;

	if (fields & FIELD_COMM)
		print_comm(script, event->chain, name);
	print_task(out, event->print, sample);
	/* Comms are short, except in files that no kernel wrote. */
	if (strlen(name) > 2 * COMM_WIDTH || out->len - start > sizeof(known->text))
		return;
	*known = (struct script_task){ sample->pid, sample->tid, comm, kind, out->len - start, "" };
	memcpy(known->text, out->buf + start, known->len);
}

static void print_period(struct out *out, struct script_event *event, u64 period)
{
	if (unlikely(period != event->period || !event->period_len)) {
		out__room(out, 64); /* no flush between here and the copy */
		size_t start = out->len;

		out__dec(out, period, 10);
		out__char(out, ' ');
		event->period = period;
		event->period_len = out->len - start;
		memcpy(event->period_text, out->buf + start, event->period_len);
		return;
	}
	out__mem(out, event->period_text, event->period_len);
}

/* ---- samples */

/* How many frames are wanted: of an unwound chain each part was cut. */
static u64 chain_limit(const struct script *script, const struct stream_sample *s)
{
	return s->unwound ? s->sample->chain.nr : script->options->max_stack;
}

static inline bool next_frame(struct frame_walk *walk, const struct script *script,
                              const struct script_event *event, struct script_address *address)
{
	struct frame frame;

	if (!frame_walk__next(walk, &frame))
		return false;
	bool user = frame.cpumode == PERF_RECORD_MISC_USER;

	*address = (struct script_address){
		.ip = frame.ip,
		.cpumode = frame.cpumode,
		.inlines = user ? script->options->inlines : script->options->inlines_in_kernel,
		.returned = frame.returned && !(event->calls_known & user),
	};
	return true;
}

/* The frames of a chain, the leaf first, into script->stack: how many. */
static u32 read_chain(struct script *script, const struct script_event *event,
                      const struct stream_sample *s, u64 max)
{
	struct frame_walk walk = frame_walk__begin(s->sample, script->swap);
	u32 nr = 0;

	do
		array__reserve(&script->stack, &script->stack_cap, nr + 1, sizeof(*script->stack));
	while (nr < max && next_frame(&walk, script, event, &script->stack[nr]) && ++nr);
	script->problems.nr_unknown_context += walk.unknown;
	return nr;
}

/* The same as print_chain(), with why it ends. */
static void print_whole_chain(struct script *script, const struct script_event *event,
                              const struct stream_sample *s)
{
	u32 nr = read_chain(script, event, s, ~0u), first;
	struct row_end end;

	first = script_ends__find(script->ends, s, script->stack, nr, &end);
	nr = min_u64(nr, chain_limit(script, s));
	for (u32 i = 0; i < nr; i++)
		if (!script_frames__line(script->frames, event->print, s->task, script->stack[i],
		                         s->when, i < first ? NULL : &end))
			break;
}

static void print_chain(struct script *script, const struct script_event *event,
                        const struct stream_sample *s)
{
	struct frame_walk walk = frame_walk__begin(s->sample, script->swap);
	struct script_address address;

	for (u64 left = chain_limit(script, s); left && next_frame(&walk, script, event, &address);
	     left--)
		if (!script_frames__line(script->frames, event->print, s->task, address, s->when,
		                         NULL))
			break;
	script->problems.nr_unknown_context += walk.unknown;
}

/* "comm;main;outer;inner 1": a stack from its outermost frame on, and what it counts for. */
static void print_folded(struct script *script, const struct script_event *event,
                         const struct stream_sample *s)
{
	const struct script_address leaf = { .ip = s->sample->ip, .cpumode = s->sample->cpumode };
	u32 nr = read_chain(script, event, s, event->chain ? chain_limit(script, s) : 0);

	if (!nr)
		script->stack[nr++] = leaf;
	script_frames__folded_comm(script->frames,
	                           strtab__get(&script->session->strings, s->task->comm));
	while (nr)
		script_frames__folded(script->frames, s->task, script->stack[--nr], s->when);
	out__char(script->out, ' ');
	out__dec(script->out, event->print & FIELD_PERIOD ? s->sample->period : 1, 0);
	out__char(script->out, '\n');
}

static void print_object(struct script *script, const struct script_event *event,
                         const struct stream_sample *s)
{
	json_sample__write(&script->json, s, event->chain ? chain_limit(script, s) : 0);
	out__char(script->out, '\n');
}

/* What stands behind the event's name, up to the newline. */
static void print_values(struct script *script, struct script_event *event,
                         const struct stream_sample *s)
{
	const struct sample *sample = s->sample;
	struct out *out = script->out;
	u64 print = event->print;

	if (print & FIELD_FLAGS)
		out__fill(out, ' ', FLAGS_WIDTH);
	if (print & FIELD_TRACE)
		print_trace(script, event, s);
	if (print & FIELD_ADDR)
		out__hex(out, sample->addr, ADDR_WIDTH);
	if (print & FIELD_ADDR && event->addr_has_name)
		script_frames__names(
		        script, out, print, s->task,
		        (struct script_address){ .ip = sample->addr, .cpumode = sample->cpumode },
		        s->when);
	if (event->need_all)
		script_values__before_ip(script, event, sample);
	if (print & FIELD_IP) {
		struct script_address address = { .ip = sample->ip, .cpumode = sample->cpumode };

		out__char(out, event->chain ? '\n' : ' ');
		if (event->chain)
			(script->ends ? print_whole_chain : print_chain)(script, event, s);
		else
			script_frames__inline(script->frames, print, s->task, address, s->when);
	}
	if (event->need_all)
		script_values__behind_ip(script, event, s);
	out__char(out, '\n');
	if (print & FIELD_SRCCODE)
		script_code__source(script, s);
}

/* The entry of a sample that passes the filters. */
static void print_entry(struct script *script, struct script_event *event,
                        const struct stream_sample *s)
{
	script->nr_printed++;
	if (unlikely(event->print & (FIELD_FOLDED | FIELD_JSON))) {
		if (event->print & FIELD_JSON)
			print_object(script, event, s);
		else
			print_folded(script, event, s);
		return;
	}
	print_sample_task(script, event, s->sample, s->task->comm);
	print_cpu_and_time(script, event->print, s->sample, PERF_RECORD_SAMPLE);
	if (event->print & FIELD_PERIOD)
		print_period(script->out, event, s->sample->period);
	if (event->print & FIELD_EVENT)
		out__mem(script->out, event->name, event->name_len);
	print_values(script, event, s);
}

/* The same in the file of its event. */
static void print_apart(struct script *script, struct script_event *event,
                        const struct stream_sample *s)
{
	struct script_dumps *dumps = script->options->dumps;
	struct out *out = script->out;

	script->out = script->json.out = script_dumps__out(dumps, s->evsel);
	script_dumps__count(dumps, s->evsel);
	print_entry(script, event, s);
	script->out = out;
}

/* By the filter of --dlfilter, which may want to see what the others leave out, and by these. */
static bool passes_dlfilter(struct script *script, const struct stream_sample *s)
{
	const struct sample_filter *filter = &script->options->filter;
	struct stream_sample here = *s;
	bool passes;

	if (!script_dlfilter__is_early(script->dlfilter))
		return s->task && script_check__sample(script->check, s) &&
		       script_dlfilter__event(script->dlfilter, s);
	here.passes =
	        s->task && sample_filter__ids(filter, s->sample) &&
	        sample_filter__comm(filter, strtab__get(&script->session->strings, s->task->comm));
	passes = here.passes && script_check__sample(script->check, &here);
	return script_dlfilter__early(script->dlfilter, s, !passes) && passes &&
	       sample_filter__early(filter, s->sample) &&
	       script_dlfilter__event(script->dlfilter, s);
}

/* Each of them, or each event that counted in it, passes by time and CPU. */
static void print_samples(struct script *script)
{
	const struct stream_sample *s;
	bool judged = false, passes = false; /* once for all that counted in it */

	while ((s = stream__sample(script->stream))) {
		if (script->dump)
			dump__where(script->out, script->session, script->resolver, s->task,
			            s->sample, s->when);
		if (unlikely(script->dlfilter))
			passes = passes_dlfilter(script, s);
		else if (!judged)
			passes = s->task && script_check__sample(script->check, s);
		judged = true;
		struct script_event *event = &script->events[s->evsel->idx];

		if (!passes || !event->print)
			continue;
		if (unlikely(script->options->dumps))
			print_apart(script, event, s);
		else
			print_entry(script, event, s);
	}
}

static void take_record(struct script *script, const struct record *record)
{
	if (script->dump)
		dump__record(script->dump, record);
	if (likely(record->type == PERF_RECORD_SAMPLE)) {
		print_samples(script);
		return;
	}
	if (record->type == PERF_RECORD_CGROUP)
		script_values__learn_cgroup(script, record);
	if (script_events__wanted(script->options, record->type))
		script_events__print(script, record);
}

bool script__next(struct script *script)
{
	const struct record *record;

	if (unlikely(script->dlfilter) && script_dlfilter__failed(script->dlfilter))
		return false;
	record = stream__record(script->stream);
	if (!record)
		return false;
	take_record(script, record);
	return true;
}

void script__print(struct script *script)
{
	if (script__by_workers(script))
		return;
	while (!script->out->error && script__next(script))
		;
}
