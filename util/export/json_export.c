// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/json_export.h"

#include <errno.h>
#include <time.h>

#include "util/format/sample.h"
#include "util/lib/json.h"
#include "util/profile/health_judge.h"
#include "util/profile/health_text.h"
#include "util/profile/profile.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/ordered.h"
#include "util/reader/reads.h"
#include "util/stream/frame_walk.h"
#include "util/stream/resolve.h"
#include "util/stream/unwound.h"

#define MAX_STACK 8192 /* of stack health: samples have room for fewer frames */

struct json_export {
	const struct session *session;
	const struct perf_data *data;
	struct session_symbols *symbols;
	const struct time_ranges *times;
	struct out *out;
	struct json_export_counts *counts;
	struct resolver *resolver;
	struct unwound *unwound;
	struct last_reads reads;
	bool swap;
};

/* ---- the layout: each member on a line of its own, behind @depth tabs ---- */

static void begin_line(struct out *out, bool comma, int depth)
{
	if (comma)
		out__char(out, ',');
	out__char(out, '\n');
	out__fill(out, '\t', depth);
}

static void key(struct out *out, bool comma, int depth, const char *name)
{
	begin_line(out, comma, depth);
	out__char(out, '"');
	out__str(out, name);
	out__str(out, "\": ");
}

static void key_string(struct out *out, bool comma, int depth, const char *name, const char *value)
{
	key(out, comma, depth, name);
	json__string(out, value);
}

static void key_number(struct out *out, bool comma, int depth, const char *name, s64 value)
{
	key(out, comma, depth, name);
	out__sdec(out, value);
}

/* ---- headers: what the file does not say is left out ---- */

static void header_string(const struct json_export *x, unsigned feature, const char *name)
{
	const char *value = perf_data__feature_string(x->data, feature);

	if (value)
		key_string(x->out, true, 2, name, value);
}

static void header_cpus(const struct json_export *x)
{
	struct cursor c = perf_data__feature_cursor(x->data, FEATURE_NRCPUS);
	u32 available = cursor__u32(&c), online = cursor__u32(&c);

	if (c.failed)
		return;
	key_number(x->out, true, 2, "nrcpus-online", online);
	key_number(x->out, true, 2, "nrcpus-avail", available);
}

/* One moment in both clocks. */
static void header_clock(const struct json_export *x)
{
	struct cursor c = perf_data__feature_cursor(x->data, FEATURE_CLOCK_DATA);
	u32 version = cursor__u32(&c), clockid = cursor__u32(&c);
	u64 wall = cursor__u64(&c), clock = cursor__u64(&c);

	if (c.failed || version != 1 || !wall)
		return;
	key_number(x->out, true, 2, "clockid", clockid);
	key_number(x->out, true, 2, "clock-time", clock);
	key_number(x->out, true, 2, "real-time", wall);
}

static void header_cmdline(const struct json_export *x)
{
	struct cursor c = perf_data__feature_cursor(x->data, FEATURE_CMDLINE);
	u32 nr = cursor__u32(&c);

	if (c.failed)
		return;
	key(x->out, true, 2, "cmdline");
	out__char(x->out, '[');
	for (u32 i = 0; i < nr; i++) {
		const char *word = cursor__feature_string(&c);

		if (c.failed)
			break;
		begin_line(x->out, i > 0, 3);
		json__string(x->out, word);
	}
	begin_line(x->out, false, 2);
	out__char(x->out, ']');
}

static void write_headers(const struct json_export *x)
{
	const struct perf_data_info *info = perf_data__info(x->data);
	struct out *out = x->out;
	time_t seconds = info->captured;
	char when[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	key_number(out, false, 2, "header-version", 1);
	key_string(out, true, 2, "captured-on", when);
	key_number(out, true, 2, "data-offset", info->data_offset);
	key_number(out, true, 2, "data-size", info->data_size);
	key_number(out, true, 2, "feat-offset", info->feature_offset);
	header_string(x, FEATURE_HOSTNAME, "hostname");
	header_string(x, FEATURE_OSRELEASE, "os-release");
	header_string(x, FEATURE_ARCH, "arch");
	header_string(x, FEATURE_CPUDESC, "cpu-desc");
	header_string(x, FEATURE_CPUID, "cpuid");
	header_cpus(x);
	header_clock(x);
	header_string(x, FEATURE_VERSION, "perf-version");
	header_cmdline(x);
	if (!perf_data__is_whole(x->data)) {
		key(out, true, 2, "incomplete");
		out__str(out, "true");
	}
}

/* ---- samples ---- */

static void write_frame(struct json_export *x, bool comma, const struct task *task, u8 cpumode,
                        u64 ip, struct moment when)
{
	struct out *out = x->out;
	struct place place;
	u32 symbol = ID_NONE;
	u64 vaddr;

	begin_line(out, comma, 4);
	out__char(out, '{');
	key(out, false, 5, "ip");
	out__str(out, "\"0x");
	out__hex(out, ip, 0);
	out__char(out, '"');
	resolver__place(x->resolver, task, cpumode, ip, when, &place);
	if (place.loc.dso != ID_NONE)
		symbol = session_symbols__find_code(x->symbols, place.loc.dso, place.loc.addr,
		                                    &vaddr);
	if (symbol != ID_NONE) {
		const struct dso *dso = dsos__at(&x->session->dsos, place.loc.dso);

		key_string(out, true, 5, "symbol",
		           session_symbols__name(x->symbols, place.loc.dso, symbol));
		key_string(out, true, 5, "dso", strtab__get(&x->session->strings, dso->short_name));
	}
	begin_line(out, false, 4);
	out__char(out, '}');
}

static void write_chain(struct json_export *x, const struct sample *sample, const struct task *task,
                        struct moment when)
{
	struct frame_walk walk = frame_walk__begin(sample, x->swap);
	struct frame frame;

	for (bool comma = false; frame_walk__next(&walk, &frame); comma = true)
		write_frame(x, comma, task, frame.cpumode, frame.ip, when);
	x->counts->nr_unknown_context += walk.unknown;
}

static void write_sample(struct json_export *x, const struct evsel *evsel,
                         const struct sample *sample, const struct task *task, struct moment when)
{
	struct out *out = x->out;
	u64 type = evsel->attr.sample_type;

	begin_line(out, x->counts->nr_samples > 0, 2);
	x->counts->nr_samples++;
	out__char(out, '{');
	key_number(out, false, 3, "timestamp", sample->time);
	key_number(out, true, 3, "pid", (s32)sample->pid);
	key_number(out, true, 3, "tid", (s32)sample->tid);
	if (type & PERF_SAMPLE_CPU)
		key_number(out, true, 3, "cpu", (s32)sample->cpu);
	key_string(out, true, 3, "comm", strtab__get(&x->session->strings, task->comm));
	key(out, true, 3, "callchain");
	out__char(out, '[');
	if (type & PERF_SAMPLE_CALLCHAIN)
		write_chain(x, sample, task, when);
	else
		write_frame(x, false, task, sample->cpumode, sample->ip, when);
	begin_line(out, false, 3);
	out__char(out, ']');
	begin_line(out, false, 2);
	out__char(out, '}');
}

static void take_sample(struct json_export *x, const struct record *record)
{
	const struct evsel *evsel = perf_data__find_evsel(x->data, record);
	const struct sample_layout *layout = evsel ? perf_data__layout(x->data, evsel) : NULL;
	struct sample sample;
	struct read_part part;

	if (!layout)
		return; /* of an unknown event: the first walk counted it */
	if (x->unwound ? sample__decode(layout, record, x->swap, &sample)
	               : sample__decode_fast(layout, record, x->swap, &sample)) {
		x->counts->nr_broken++;
		return;
	}
	struct moment when = session__moment(x->session, record, sample.time);
	const struct task *task = resolver__task(x->resolver, sample.pid, sample.tid, when);
	bool wanted = task && time_ranges__pass(x->times, sample.time);
	struct unwound_end end;

	x->counts->nr_broken += !task;
	if (wanted)
		unwound__join(x->unwound, &sample, layout, task, when, &end);
	if (wanted && !layout->has_counts)
		write_sample(x, evsel, &sample, task, when);
	/* One for each event that counted since the last. */
	for (u64 i = 0; layout->has_counts && i < sample.read.nr; i++)
		if (last_reads__part(&x->reads, x->data, layout, &sample, i, &part) && part.evsel &&
		    wanted)
			write_sample(x, part.evsel, &sample, task, when);
}

static void write_samples(struct json_export *x, struct ordered *ordered)
{
	struct record record;
	u64 time;

	while (!x->out->error && ordered__next(ordered, &record, &time))
		if (record.type == PERF_RECORD_SAMPLE)
			take_sample(x, &record);
	x->counts->nr_lost = ordered__stats(ordered)->nr_lost;
}

/* What follows the samples: how far the chains can be believed. */
static void write_health(const struct json_export *x, const struct health *health)
{
	if (health->nr) {
		key(x->out, true, 1, "stack-health");
		health_text__json(x->out, health, x->session, 2);
	}
}

int json_export__write(const struct session *session, struct session_symbols *symbols,
                       const struct time_ranges *times, enum unwind_style style, struct out *out,
                       struct json_export_counts *counts, struct error *err)
{
	struct json_export x = {
		.session = session,
		.data = session->data,
		.symbols = symbols,
		.times = times,
		.out = out,
		.counts = counts,
		.swap = perf_data__swapped(session->data),
	};
	struct health health = { .nr = 0 };
	const struct profile_options options = { .max_stack = MAX_STACK,
		                                 .times = *times,
		                                 .unwind_style = style };
	int ret = session__has_chains(session)
	                  ? health__collect(&health, session, &options, symbols, err)
	                  : 0;
	struct ordered *ordered = ret ? NULL : ordered__new(session->data, err);

	*counts = (struct json_export_counts){ 0 };
	if (!ordered) {
		health__exit(&health);
		return err ? err->code : -EIO;
	}
	x.resolver = resolver__new(session->host, &session->dsos);
	x.unwound = unwound__open(session, session_symbols__config(symbols), x.resolver, UINT32_MAX,
	                          style);
	out__char(out, '{');
	key_number(out, false, 1, "linux-perf-json-version", 1);
	key(out, true, 1, "headers");
	out__char(out, '{');
	write_headers(&x);
	begin_line(out, false, 1);
	out__char(out, '}');
	key(out, true, 1, "samples");
	out__char(out, '[');
	write_samples(&x, ordered);
	begin_line(out, false, 1);
	out__char(out, ']');
	write_health(&x, &health);
	out__str(out, "\n}\n");
	health__exit(&health);
	unwound__delete(x.unwound);
	resolver__delete(x.resolver);
	last_reads__exit(&x.reads);
	ordered__delete(ordered);
	return 0;
}
