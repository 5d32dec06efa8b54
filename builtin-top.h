/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf top: the recorder (a process of its own, so that nothing which is shown keeps rings from
 * being emptied) writes a stream into a pipe; what comes out of it is a profile that grows, shown
 * as text or in the browser. What is shown, and how, is in struct report.
 */
#ifndef PERF_BUILTIN_TOP_H
#define PERF_BUILTIN_TOP_H

#include <sys/types.h>

#include "builtin-report.h"
#include "ui/tui/terminal.h"
#include "util/live/live_profile.h"

/* ---- the recorder: builtin-top-recorder.c ---- */

struct top_recorder {
	pid_t pid;
	int stream;   /* the pipe that its recording comes through */
	int messages; /* what it says: a file without a name */
	off_t begun;  /* its size when the recording began */
	int control;  /* commands to it: --control */
};

/* Start `perf record WORDS -o -`. */
int top_recorder__start(struct top_recorder *recorder, const struct name_list *words,
                        struct error *err);

/* The recording has begun. */
void top_recorder__note_begin(struct top_recorder *recorder);

/* Start or stop its events. */
void top_recorder__enable(const struct top_recorder *recorder, bool enable);

/*
 * End it, and print what it said before the recording began. @wished: that it ends, so how it does
 * is not said. Else the rest is printed, too. Returns its exit status; 0 where the end was wished.
 */
int top_recorder__stop(struct top_recorder *recorder, bool wished);

/* ---- what is shown ---- */

struct top {
	/* Options. */
	struct name_list record;  /* words for the recorder */
	const char *const *words; /* the command line */
	u32 nr_words;
	const char *cpus, *pids, *tids, *user, *branch_filter;
	unsigned delay, nr_entries, min_samples;
	bool zero, dump_symbols, hide_kernel, hide_user, chains, dwarf, branches;
	struct name_list annotated; /* --sym-annotate */

	/* Of this run. */
	struct top_recorder recorder;
	struct live_profile live;
	struct session_symbols *symbols;
	struct report_view view; /* of the last look, if has_view */
	u32 nr_events;           /* those that count */
	bool has_view, stopped;
	bool ended;                /* the recording */
	bool left;                 /* by the user */
	bool looked_at_end;        /* what is shown is all of it */
	struct terminal_work work; /* of the browser */
	u64 shown_at;              /* ns */
	u64 began_at;              /* of the counts of the head */
	struct live_counts before; /* as they were then */
	u64 lost_before, cost_before;
	int ret; /* of the stream, with @err */
	struct error err;
};

/* builtin-top.c. Take what has come through the pipe. False: the recording is over. */
bool top__take(struct top *top);

/* Does each look begin again, and what is older not count less? */
void top__set_zero(struct top *top, bool zero);

/* Change one of those of top->live: what it hid or showed so far is forgotten. */
void top__hide(struct top *top, bool *hidden);

/* Make top->view what is known now. */
void top__look(struct top *top);

/* What came, and what it cost, since this was asked last. */
struct top_figures {
	double rate;          /* samples per second */
	double kernel, exact; /* percent of them */
	double cost;          /* percent of a CPU: our own and the recorder's */
	u64 lost;
	u64 all_lost, throttled; /* since the beginning */
};

void top__figures(struct top *top, struct top_figures *figures);

/* "4000Hz cpu-clock", "2 events" */
void top__print_event(const struct top *top, struct out *out);

/* "(all, 2 CPUs)  perf: 0.4% of a CPU" */
void top__print_cost(const struct top *top, const struct top_figures *figures, struct out *out);

/* builtin-top-text.c. Until ^C, q, or the end of the recording. 0 or a negative errno with @err. */
int top__print_text(struct top *top, struct error *err);

/* builtin-top-browse.c. Until the user leaves. */
int top__browse(struct top *top);

#endif
