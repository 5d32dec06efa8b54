// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/json_export.h"

#include <errno.h>
#include <time.h>

#include "util/export/json_sample.h"
#include "util/health/health_judge.h"
#include "util/health/health_text.h"
#include "util/lib/json.h"
#include "util/profile/profile.h"
#include "util/reader/feature_cursor.h"
#include "util/stream/stream.h"

#define MAX_STACK 8192 /* of stack health: samples have room for fewer frames */

struct json_export {
	const struct session *session;
	const struct perf_data *data;
	struct session_symbols *symbols;
	struct out *out;
	struct json_export_counts *counts;
};

/* ---- headers: what the file does not say is left out ---- */

static void header_string(const struct json_export *x, unsigned feature, const char *name)
{
	const char *value = perf_data__feature_string(x->data, feature);

	if (value)
		json_line__string(x->out, true, 2, name, value);
}

static void header_cpus(const struct json_export *x)
{
	struct cursor c = perf_data__feature_cursor(x->data, FEATURE_NRCPUS);
	u32 available = cursor__u32(&c), online = cursor__u32(&c);

	if (c.failed)
		return;
	json_line__number(x->out, true, 2, "nrcpus-online", online);
	json_line__number(x->out, true, 2, "nrcpus-avail", available);
}

/* One moment in both clocks. */
static void header_clock(const struct json_export *x)
{
	struct cursor c = perf_data__feature_cursor(x->data, FEATURE_CLOCK_DATA);
	u32 version = cursor__u32(&c), clockid = cursor__u32(&c);
	u64 wall = cursor__u64(&c), clock = cursor__u64(&c);

	if (c.failed || version != 1 || !wall)
		return;
	json_line__number(x->out, true, 2, "clockid", clockid);
	json_line__number(x->out, true, 2, "clock-time", clock);
	json_line__number(x->out, true, 2, "real-time", wall);
}

static void header_cmdline(const struct json_export *x)
{
	struct cursor c = perf_data__feature_cursor(x->data, FEATURE_CMDLINE);
	u32 nr = cursor__u32(&c);

	if (c.failed)
		return;
	json_line__key(x->out, true, 2, "cmdline");
	out__char(x->out, '[');
	for (u32 i = 0; i < nr; i++) {
		const char *word = cursor__feature_string(&c);

		if (c.failed)
			break;
		json_line__begin(x->out, i > 0, 3);
		json__string(x->out, word);
	}
	json_line__begin(x->out, false, 2);
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
	json_line__number(out, false, 2, "header-version", 1);
	json_line__string(out, true, 2, "captured-on", when);
	json_line__number(out, true, 2, "data-offset", info->data_offset);
	json_line__number(out, true, 2, "data-size", info->data_size);
	json_line__number(out, true, 2, "feat-offset", info->feature_offset);
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
		json_line__key(out, true, 2, "incomplete");
		out__str(out, "true");
	}
}

void json_export__headers(const struct session *session, struct out *out)
{
	const struct json_export x = { .session = session, .data = session->data, .out = out };

	out__char(out, '{');
	write_headers(&x);
	json_line__begin(out, false, 1);
	out__char(out, '}');
}

/* ---- all of it ---- */

/* What follows the samples: how far the chains can be believed. */
static void write_health(const struct json_export *x, const struct health *health)
{
	if (health->nr) {
		json_line__key(x->out, true, 1, "stack-health");
		health_text__json(x->out, health, x->session, 2);
	}
}

static void write_samples(struct json_export *x, struct stream *stream)
{
	struct json_sample writer = {
		.session = x->session,
		.symbols = x->symbols,
		.resolver = stream__resolver(stream),
		.out = x->out,
		.depth = 2,
	};
	const struct stream_sample *s;

	while (!x->out->error && stream__record(stream))
		while ((s = stream__sample(stream))) {
			bool chain = s->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN;

			json_line__begin(x->out, x->counts->nr_samples++ > 0, 2);
			json_sample__write(&writer, s, chain ? UINT64_MAX : 0);
		}
	x->counts->problems = *stream__problems(stream);
	x->counts->problems.nr_unknown_context = writer.nr_unknown_context;
	json_sample__exit(&writer);
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
	for (u32 i = 0; stream && i < session->evlist->nr; i++)
		if (evsel__is_tracepoint(session->evlist->evsels[i])) /* with its fields */
			stream__set_need(stream, session->evlist->evsels[i], STREAM_ALL_AND_CHAIN);
	if (!stream) {
		health__exit(&health);
		return err ? err->code : -EIO;
	}
	out__char(out, '{');
	json_line__number(out, false, 1, "linux-perf-json-version", 1);
	json_line__key(out, true, 1, "headers");
	json_export__headers(session, out);
	json_line__key(out, true, 1, "samples");
	out__char(out, '[');
	write_samples(&x, stream);
	json_line__begin(out, false, 1);
	out__char(out, ']');
	write_health(&x, &health);
	out__str(out, "\n}\n");
	health__exit(&health);
	stream__delete(stream);
	return 0;
}
