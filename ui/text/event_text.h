/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as `perf evlist` lists them, one to a line. */
#ifndef PERF_UI_TEXT_EVENT_TEXT_H
#define PERF_UI_TEXT_EVENT_TEXT_H

#include "util/event/evsel.h"
#include "util/lib/out.h"
#include "util/lib/types.h"

struct event_text {
	bool verbose; /* -v: all fields of the attr */
	bool freq;    /* -F: the frequency or period */
	bool group;   /* -g: groups as {leader,member} */
	/* Prints further fields, each after event_text__field(); NULL: none. */
	void (*more)(void *ctx, struct out *out, bool *first, const struct evsel *evsel);
	void *ctx;
};

void event_text__list(struct out *out, const struct evlist *list, const struct event_text *text);

/* ": " before the first field of a line, ", " before the others. */
void event_text__field(struct out *out, bool *first);

#endif
