// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/json_export.h"

#include <errno.h>
#include <time.h>

#include "util/lib/json.h"
#include "util/profile/health_judge.h"
#include "util/profile/health_text.h"
#include "util/profile/profile.h"
#include "util/reader/feature_cursor.h"
#include "util/stream/frame_walk.h"
#include "util/stream/stream.h"

#define MAX_STACK 8192 /* of stack health: samples have room for fewer frames */

struct json_export {
	const struct session *session;
	const struct perf_data *data;
	struct session_symbols *symbols;
	struct out *out;
	struct json_export_counts *counts;
	struct resolver *resolver;
	bool swap;
	u64 nr_unknown_context;
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

void json_export__headers(const struct session *session, struct out *out)
{
	const struct json_export x = { .session = session, .data = session->data, .out = out };

	out__char(out, '{');
	write_headers(&x);
	begin_line(out, false, 1);
	out__char(out, '}');
}

/* ---- samples ---- */

static void write_frame(struct json_export *x, bool comma, const struct stream_sample *s,
                        u8 cpumode, u64 ip)
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
	resolver__place(x->resolver, s->task, cpumode, ip, s->when, &place);
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

static void write_chain(struct json_export *x, const struct stream_sample *s)
{
	struct frame_walk walk = frame_walk__begin(s->sample, x->swap);
	struct frame frame;

	for (bool comma = false; frame_walk__next(&walk, &frame); comma = true)
		write_frame(x, comma, s, frame.cpumode, frame.ip);
	x->nr_unknown_context += walk.unknown;
}

static void write_sample(struct json_export *x, const struct stream_sample *s)
{
	const struct sample *sample = s->sample;
	u64 type = s->evsel->attr.sample_type;
	struct out *out = x->out;

	begin_line(out, x->counts->nr_samples > 0, 2);
	x->counts->nr_samples++;
	out__char(out, '{');
	key_number(out, false, 3, "timestamp", sample->time);
	key_number(out, true, 3, "pid", (s32)sample->pid);
	key_number(out, true, 3, "tid", (s32)sample->tid);
	if (type & PERF_SAMPLE_CPU)
		key_number(out, true, 3, "cpu", (s32)sample->cpu);
	key_string(out, true, 3, "comm", strtab__get(&x->session->strings, s->task->comm));
	key(out, true, 3, "callchain");
	out__char(out, '[');
	if (type & PERF_SAMPLE_CALLCHAIN)
		write_chain(x, s);
	else
		write_frame(x, false, s, sample->cpumode, sample->ip);
	begin_line(out, false, 3);
	out__char(out, ']');
	begin_line(out, false, 2);
	out__char(out, '}');
}

/* What follows the samples: how far the chains can be believed. */
static void write_health(const struct json_export *x, const struct health *health)
{
	if (health->nr) {
		key(x->out, true, 1, "stack-health");
		health_text__json(x->out, health, x->session, 2);
	}
}

static void write_samples(struct json_export *x, struct stream *stream)
{
	const struct stream_sample *s;

	while (!x->out->error && stream__record(stream))
		while ((s = stream__sample(stream)))
			write_sample(x, s);
}

int json_export__write(const struct session *session, struct session_symbols *symbols,
                       const struct sample_filter *filter, enum unwind_style style, struct out *out,
                       struct json_export_counts *counts, struct error *err)
{
	struct json_export x = {
		.session = session,
		.data = session->data,
		.symbols = symbols,
		.out = out,
		.counts = counts,
		.swap = perf_data__swapped(session->data),
	};
	struct health health = { .nr = 0 };
	const struct stream_options samples = { .order = STREAM_TIME,
		                                .need = STREAM_CHAIN,
		                                .flags = STREAM_TASKS | STREAM_COUNTS,
		                                .filter = filter,
		                                .objects = session_symbols__config(symbols),
		                                .max_stack = UINT32_MAX,
		                                .unwind_style = style };
	const struct profile_options options = { .max_stack = MAX_STACK,
		                                 .filter.times = filter->times,
		                                 .unwind_style = style };
	int ret = session__has_chains(session)
	                  ? health__collect(&health, session, &options, symbols, err)
	                  : 0;
	struct stream *stream = ret ? NULL : stream__new(session, &samples, err);

	*counts = (struct json_export_counts){ 0 };
	if (!stream) {
		health__exit(&health);
		return err ? err->code : -EIO;
	}
	x.resolver = stream__resolver(stream);
	out__char(out, '{');
	key_number(out, false, 1, "linux-perf-json-version", 1);
	key(out, true, 1, "headers");
	json_export__headers(session, out);
	key(out, true, 1, "samples");
	out__char(out, '[');
	write_samples(&x, stream);
	begin_line(out, false, 1);
	out__char(out, ']');
	write_health(&x, &health);
	out__str(out, "\n}\n");
	health__exit(&health);
	counts->problems = *stream__problems(stream);
	counts->problems.nr_unknown_context = x.nr_unknown_context;
	stream__delete(stream);
	return 0;
}
