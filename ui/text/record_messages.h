/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf record says about a recording, on stderr. */
#ifndef PERF_UI_TEXT_RECORD_MESSAGES_H
#define PERF_UI_TEXT_RECORD_MESSAGES_H

#include "ui/text/opener_text.h"
#include "util/record/recording.h"
#include "util/record/switch_output.h"

struct record_loudness {
	int verbose; /* -v */
	bool quiet;  /* -q */
	bool events; /* tell each call for a counter; so does -vv */
	struct opener_text calls;
};

/*
 * Before recording__open(): with -v how it will be done, with -vv each call for a counter is told,
 * as Linux's perf does. @say must live as long as the recording.
 */
struct record_manner {
	unsigned aio;
	bool controlled;
	const struct switch_output *when;
	const char *when_text; /* as typed */
};

void record_messages__opening(struct recording *recording, struct record_loudness *say,
                              const struct record_manner *manner);

/* -vvv: sampling runs. Scripts wait for this line. */
void record_messages__started(const struct record_loudness *say);

/* The events are open: what was given up on the way to that. */
void record_messages__start(const struct recording *recording, const struct record_loudness *say);

/* It has ended: what it cannot show for lack of rights. */
void record_messages__missing(const struct recording *recording, const struct record_loudness *say);

/* One of several files is finished, after @woken returns of poll. */
void record_messages__switched(const struct recording *recording, const struct record_loudness *say,
                               u64 woken);

/* Events that did not get into the recording. */
u64 record_messages__lost(const struct recording *recording);

/* How much was written, and lost. */
void record_messages__result(const struct recording *recording, const struct record_loudness *say);

#endif
