/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of perf report, and of what perf top shows: of builtin-report*.c and builtin-top*.c.
 */
#ifndef PERF_BUILTIN_REPORT_H
#define PERF_BUILTIN_REPORT_H

#include <regex.h>

#include "builtin.h"
#include "ui/options/accepted.h"
#include "ui/options/switch_option.h"
#include "ui/options/symbol_options.h"
#include "ui/term/color.h"
#include "ui/text/annotate_options.h"
#include "ui/text/report_stdio.h"
#include "ui/tui/colors.h"
#include "util/profile/source.h"
#include "util/view/confidence.h"
#include "util/view/key_parallelism.h"
#include "util/view/key_trace.h"

struct report {
	const char *default_sort; /* of samples that are neither branches nor accesses to memory */
	/* As given. */
	const char *ignored_callees;
	const char **inputs; /* -i, as often as it was given; the first is input, too */
	u32 nr_inputs;
	const char *input, *sort, *fields, *parent, *time_quantum, *separator;
	const char *cpus_text;
	const char *operand; /* an operand that is not a file: part of a symbol's name */
	int verbose;
	bool force, stdio, tui, children, chains_asked, header, header_only, show_info;
	bool modules; /* has no effect */
	bool dump, stats, tasks, threads, mmaps, losses, losses_by_time, stack_health, json;
	bool inline_frames, inline_asked, full_source_path, raw_trace, ignore_order;
	bool group, group_said; /* events of a group in one table; said: of any events */
	bool callers_callees;
	bool latency;
	const char *running;         /* --parallelism */
	struct name_list callers_of; /* only of these functions; empty: of all */
	bool branches, branches_said, mem_mode, exclude_other;
	bool whole_dsos;     /* -v: paths of dsos, not what is behind them */
	bool confidence;     /* intervals of shares, and ranks */
	bool branch_history; /* branches among the frames of chains */
	bool total_cycles; /* blocks between branches instead of entries; blocks: and there are any
	                    */
	struct event_switch event_switch;
	unsigned socket;
	bool socket_said;
	unsigned max_stack;
	enum unwind_style unwind_style;
	struct view_options view;
	struct report_style style;
	enum color_mode color;
	struct tui_colors colors;
	struct symbol_options symbols;
	struct annotate_options code; /* in the browser */
	struct accepted accepted;
	/* Made. */
	bool list_keys; /* -s help */
	bool blocks, branch_frames;
	bool chains_missing;   /* they would be shown, had the (first) recording any */
	bool instead;          /* another list is printed instead of the profile */
	bool input_is_default; /* no -i, and no stream */
	struct trace_keys *trace_keys;
	struct key *time_key;  /* --time-quantum; NULL: not given */
	struct key *slice_key; /* of --confidence; NULL: not given */
	struct key *parallelism_key;
	struct parallelism parallelism; /* found when it is needed */
	bool latency_said;              /* it is needed: not only shown because it was recorded */
	char *sort_text;                /* what is sorted by */
	u32 *widths;                    /* of -w */
	struct out recordings;          /* of --json: each of several -i */
	struct report_span {
		u64 first, last; /* times, in ns */
	} * spans;               /* of each of several -i, once it was read; nr_spans of them */
	u32 nr_spans;
	regex_t parent_regex, ignored_regex; /* of -p and --ignore-callees */
	bool parent_compiled, ignored_compiled;
};

/* Set by the command line and the configuration; builtin-report.c adds what depends on the file. */
extern struct report report;

/* Fills report. 0 to go on, or the exit status after a message. */
int report__parse_options(int argc, const char **argv);

/*
 * Are there branch stacks, and *shown: are they what the recording is about? Not the calls of
 * chains (record --call-graph lbr).
 */
bool report__has_branches(const struct session *session, bool *shown);

/*
 * What is sorted by and shown (-s, -F, -p and what the file has). @session NULL: not opened yet,
 * for mistakes in the words alone. 0, or a negative errno with @err about the option *only.
 */
int report__set_fields(const struct session *session, const char **only, struct error *err);

/* Is a row's parent (-p) asked for? After report__set_fields(). */
bool report__needs_parents(void);

/* Rows of option tables that perf top has, too. */
int report__parse_chain(const struct option *option, const char *arg, bool unset,
                        struct error *err);
int report__parse_widths(const struct option *option, const char *arg, bool unset,
                         struct error *err);
int report__parse_percentage(const struct option *option, const char *arg, bool unset,
                             struct error *err);
int report__parse_percent_limit(const struct option *option, const char *arg, bool unset,
                                struct error *err);

/*
 * What the options mean for the rooms below, as far as it does not depend on a recording. 0, or a
 * negative errno with @err about the option *only.
 */
int report__check_options(const char **only, struct error *err);

/* What is shown of this recording, after report__set_fields(). */
void report__adapt_to(struct session *session);

/* How its profile is to be built, then. */
struct profile_options report__profile_options(void);

/* The parts of @session, which was scanned, that --time, --switch-on and --switch-off leave: into
 * @filter. 0, or an exit status or a negative errno with @err. */
int report__find_parts(const struct session *session, struct sample_filter *filter,
                       struct error *err);

/*
 * Build the profile of @session, of what passes @filter, which gets its parts. *@symbols, if they
 * were needed for it, are to be gone on with, else NULL. 0, or as above, with nothing made.
 */
int report__build(struct session *session, struct sample_filter *filter, struct profile *profile,
                  struct session_symbols **symbols, struct error *err);

/* The view of a profile with the names of its places, and what that is made of. */
struct report_view {
	struct chains chains;
	struct source source;
	bool has_source;
	struct confidence confidence; /* of view.confidence */
	struct view view;
};

/* Into @profile->health: how far the chains of what passes the filters can be believed. */
void report__judge(const struct session *session, struct profile *profile,
                   const struct names *names, const struct hist_options *options);

void report__open_view(struct report_view *view, const struct session *session,
                       const struct profile *profile, struct names *names);
void report__close_view(struct report_view *view);

/* With --confidence: its rows are others now. */
void report__judge_again(struct report_view *view);

/*
 * builtin-report-browse.c. The code of @view's entry; @session is its struct session. 0 or a
 * negative errno with @err.
 */
int report__print_code(void *session, struct view *view, u32 entry,
                       const struct annotate_style *style, struct out *out,
                       struct annotate_marks *marks, struct error *err);

/* All of @view as text for a file. */
void report__print_text(void *ctx, struct view *view, struct out *out);

/* Is it shown in a browser? After report__parse_options(). */
bool report__browses(void);

/* Until the user leaves. A negative errno after a message: it cannot be done. */
int report__browse(const struct session *session, struct profile *profile, struct view *view);

/* builtin-report-sum.c: several recordings as one profile. The option -i. */
int report__parse_input(const struct option *option, const char *arg, bool unset,
                        struct error *err);

/* Can all that was asked for be done with as many recordings? -EINVAL with @err. */
int report__check_sum(struct error *err);
int report__check_sum_keys(struct error *err); /* after report__set_fields() */

/*
 * Add the other recordings to the @profile of @session, the first: see util/sum/join.h. After an
 * error @profile is empty.
 */
int report__add_files(struct session *session, struct profile *profile, struct error *err);

/* A mistake in the words of report__set_fields(), with the usage: the exit status. */
int report__usage(struct error *err, const char *only);

/* Call it also after an error in the options. */
void report__free_options(void);

#endif
