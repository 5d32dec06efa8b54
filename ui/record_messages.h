/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf record says about a recording, on stderr. */
#ifndef PERF_UI_RECORD_MESSAGES_H
#define PERF_UI_RECORD_MESSAGES_H

#include "util/record/recording.h"

struct record_loudness {
	int verbose; /* -v */
	bool quiet;  /* -q */
	bool events; /* tell each event as the kernel took it; so does -vv */
};

/* The events are open: what was given up on the way to that. */
void record_messages__start(const struct recording *recording, const struct record_loudness *say);

/* It has ended: what it cannot show for lack of rights. */
void record_messages__missing(const struct recording *recording, const struct record_loudness *say);

/* One of several files is finished, after @woken returns of poll. */
void record_messages__switched(const struct recording *recording, const struct record_loudness *say,
                               u64 woken);

/* How much was written, and lost. */
void record_messages__result(const struct recording *recording, const struct record_loudness *say);

#endif
