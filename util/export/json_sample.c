// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/json_sample.h"

#include <stdlib.h>

#include "util/export/json_fields.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/json.h"
#include "util/stream/frame_walk.h"

/* ---- the layout: each member on a line of its own, or all on one ---- */

void json_line__begin(struct out *out, bool comma, int depth)
{
	if (comma)
		out__char(out, ',');
	if (depth >= 0) {
		out__char(out, '\n');
		out__fill(out, '\t', depth);
	} else if (comma) {
		out__char(out, ' ');
	}
}

void json_line__key(struct out *out, bool comma, int depth, const char *name)
{
	json_line__begin(out, comma, depth);
	out__char(out, '"');
	out__str(out, name);
	out__str(out, "\": ");
}

void json_line__string(struct out *out, bool comma, int depth, const char *name, const char *value)
{
	json_line__key(out, comma, depth, name);
	json__string(out, value);
}

void json_line__number(struct out *out, bool comma, int depth, const char *name, s64 value)
{
	json_line__key(out, comma, depth, name);
	out__sdec(out, value);
}

/* ---- samples ---- */

#define PLACES 4096 /* power of two */

/* What is at a place in an object. */
struct json_place {
	u64 addr;
	u32 dso;
	bool used;
	const char *symbol; /* NULL: none */
};

void json_sample__exit(struct json_sample *json)
{
	free(json->known);
	trace_formats__delete(json->formats);
	json->known = NULL;
	json->formats = NULL;
}

static const char *find_symbol(const struct json_sample *json, const struct loc *loc)
{
	u64 vaddr;
	u32 symbol = session_symbols__find_code(json->symbols, loc->dso, loc->addr, &vaddr);

	return symbol == ID_NONE ? NULL : session_symbols__name(json->symbols, loc->dso, symbol);
}

static const char *symbol_at(struct json_sample *json, const struct loc *loc)
{
	if (!json->known)
		json->known = xcalloc(PLACES, sizeof(*json->known));
	struct json_place *known = &json->known[hash__u64(loc->addr + loc->dso) % PLACES];

	if (!known->used || known->addr != loc->addr || known->dso != loc->dso) {
		if (json->lock)
			pthread_mutex_lock(json->lock);
		*known = (struct json_place){ loc->addr, loc->dso, true, find_symbol(json, loc) };
		if (json->lock)
			pthread_mutex_unlock(json->lock);
	}
	return known->symbol;
}

static void write_frame(struct json_sample *json, bool comma, const struct stream_sample *s,
                        u8 cpumode, u64 ip)
{
	int depth = json->depth + 3;
	struct out *out = json->out;
	struct place place;
	const char *symbol = NULL;

	json_line__begin(out, comma, depth - 1);
	out__char(out, '{');
	json_line__key(out, false, depth, "ip");
	out__str(out, "\"0x");
	out__hex(out, ip, 0);
	out__char(out, '"');
	resolver__place(json->resolver, s->task, cpumode, ip, s->when, &place);
	if (place.loc.dso != ID_NONE)
		symbol = symbol_at(json, &place.loc);
	if (symbol) {
		const struct dso *dso = dsos__at(&json->session->dsos, place.loc.dso);

		json_line__string(out, true, depth, "symbol", symbol);
		json_line__string(out, true, depth, "dso",
		                  strtab__get(&json->session->strings, dso->short_name));
	}
	json_line__begin(out, false, depth - 1);
	out__char(out, '}');
}

static void write_chain(struct json_sample *json, const struct stream_sample *s, u64 max_frames)
{
	struct frame_walk walk =
	        frame_walk__begin(s->sample, perf_data__swapped(json->session->data));
	struct frame frame;

	for (u64 nr = 0; nr < max_frames && frame_walk__next(&walk, &frame); nr++)
		write_frame(json, nr > 0, s, frame.cpumode, frame.ip);
	json->nr_unknown_context += walk.unknown;
}

/* Of an event whose format is in the file. */
static void write_fields(struct json_sample *json, const struct stream_sample *s)
{
	if (!evsel__is_tracepoint(s->evsel) || !s->sample->raw)
		return;
	if (!json->formats)
		json->formats = trace_formats__of_file(json->session->data);
	const struct trace_event *event =
	        trace_formats__event(json->formats, s->evsel->attr.config);

	if (!event)
		return;
	json_line__key(json->out, true, json->depth + 1, "fields");
	json_fields__write(json->out, event, s->sample->raw, s->sample->raw_size);
}

void json_sample__write(struct json_sample *json, const struct stream_sample *s, u64 max_frames)
{
	const struct sample *sample = s->sample;
	int depth = json->depth + 1;
	struct out *out = json->out;

	out__char(out, '{');
	json_line__number(out, false, depth, "timestamp", sample->time);
	json_line__number(out, true, depth, "pid", (s32)sample->pid);
	json_line__number(out, true, depth, "tid", (s32)sample->tid);
	if (s->evsel->attr.sample_type & PERF_SAMPLE_CPU)
		json_line__number(out, true, depth, "cpu", (s32)sample->cpu);
	json_line__string(out, true, depth, "comm",
	                  strtab__get(&json->session->strings, s->task->comm));
	json_line__string(out, true, depth, "event", s->evsel->name);
	write_fields(json, s);
	json_line__key(out, true, depth, "callchain");
	out__char(out, '[');
	if (max_frames)
		write_chain(json, s, max_frames);
	else
		write_frame(json, false, s, sample->cpumode, sample->ip);
	json_line__begin(out, false, depth);
	out__char(out, ']');
	json_line__begin(out, false, json->depth);
	out__char(out, '}');
}
