/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of perf record about a recording, on stderr. */
#ifndef PERF_UI_TEXT_RECORD_MESSAGES_H
#define PERF_UI_TEXT_RECORD_MESSAGES_H

#include "ui/text/opener_text.h"
#include "util/record/recording.h"
#include "util/record/switch_output.h"

struct record_loudness {
	int verbose; /* -v */
	bool quiet;  /* -q */
	bool events; /* print each perf_event_open() call; -vv does so, too */
	struct opener_text calls;
};

/*
 * How the recording will be done. Call record_messages__opening() before recording__open(): -v
 * prints this, -vv also each perf_event_open() call, as Linux's perf does. Its @say must outlive
 * the recording.
 */
struct record_manner {
	unsigned aio;
	bool controlled;
	const struct switch_output *when;
	const char *when_text; /* as typed */
};

void record_messages__opening(struct recording *recording, struct record_loudness *say,
                              const struct record_manner *manner);

/* -vvv: sampling has started. Scripts wait for this line. */
void record_messages__started(const struct record_loudness *say);

/* The events are open: report what had to be given up. */
void record_messages__start(const struct recording *recording, const struct record_loudness *say);

/* The recording has ended: report what it lacks for want of rights. */
void record_messages__missing(const struct recording *recording, const struct record_loudness *say);

/* One of several files is finished, after @woken returns of poll. */
void record_messages__switched(const struct recording *recording, const struct record_loudness *say,
                               u64 woken);

/* The number of events that did not get into the recording. */
u64 record_messages__lost(const struct recording *recording);

/* How much was written, and lost. */
void record_messages__result(const struct recording *recording, const struct record_loudness *say);

#endif
