/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a sample as a JSON object, with the keys of Linux's perf 6.1, the event's name and the
 * fields of tracepoints, for `perf data convert --to-json` and `perf script --json`.
 * Documentation/sample.schema.json has the keys. And the lines of such JSON.
 */
#ifndef PERF_UTIL_EXPORT_JSON_SAMPLE_H
#define PERF_UTIL_EXPORT_JSON_SAMPLE_H

#include <pthread.h>

#include "util/lib/out.h"
#include "util/machine/session.h"
#include "util/stream/stream.h"
#include "util/symbol/session_symbols.h"
#include "util/trace/trace_format.h"

#define JSON_ONE_LINE (-64) /* a depth: no newlines, no tabs, here and in what is nested */

/* Begin a line of its own behind @depth tabs; with @comma after another member. */
void json_line__begin(struct out *out, bool comma, int depth);

/* The same, with a member's key; its value, which follows or is @value. */
void json_line__key(struct out *out, bool comma, int depth, const char *name);
void json_line__string(struct out *out, bool comma, int depth, const char *name, const char *value);
void json_line__number(struct out *out, bool comma, int depth, const char *name, s64 value);

/* All pointers are borrowed. */
struct json_sample {
	const struct session *session;
	struct session_symbols *symbols;
	struct resolver *resolver;
	struct out *out;
	int depth;             /* of the object, or JSON_ONE_LINE */
	pthread_mutex_t *lock; /* held while @symbols are asked, which others do, too; NULL: none */
	u64 nr_unknown_context;        /* marks of chains that were not understood so far */
	struct json_place *known;      /* private: a cache; NULL: nothing yet */
	struct trace_formats *formats; /* private: of tracepoints; NULL: nothing yet */
};

void json_sample__exit(struct json_sample *json);

/*
 * Write the object of @s, which has a task and, if it has one, its chain. @max_frames: that many
 * frames of the chain, from the leaf; 0: of the sample's own address alone.
 */
void json_sample__write(struct json_sample *json, const struct stream_sample *s, u64 max_frames);

#endif
