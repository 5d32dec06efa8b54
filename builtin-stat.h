/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of perf stat, shared by the builtin-stat*.c files. */
#ifndef PERF_BUILTIN_STAT_H
#define PERF_BUILTIN_STAT_H

#include "builtin.h"
#include "ui/text/opener_text.h"
#include "ui/text/stat_view.h"
#include "util/event/parse.h"
#include "util/lib/out.h"
#include "util/lib/output_file.h"
#include "util/options/options.h"
#include "util/probe/run_probes.h"
#include "util/stat/measure.h"
#include "util/stat/stat_file.h"

/* Exit status that Linux's perf makes of -EINVAL. */
#define EXIT_EINVAL 234

#define COMPARE_MAX 8 /* commands */

struct stat_command {
	const char *cpu_list, *pids, *tids, *output, *separator, *pre, *post;
	bool system_wide, append, null_run, big_num, scale, group, quiet;
	bool all_user, all_kernel, has_log_fd, has_big_num;
	bool affinity, metric_no_threshold, hide_zero;
	bool json, summary, no_csv_summary, metric_only, table, interval_clear, topdown;
	bool transaction, no_merge, percore_show_thread, hybrid_merge, smi_cost;
	const char *cputype, *iostat;
	unsigned td_level;
	unsigned nr_runs, log_fd;
	const char *control, *for_each_cgroup;
	char *metrics; /* those of all -M, separated by commas; NULL: none */
	struct metric_set metric_set;
	u32 next_cgroup; /* index of the first event for the next -G */
	double *run_ns;  /* --table: elapsed time of each run */
	int verbose, detailed;
	struct opener_text calls; /* -vv */
	struct event_sources sources;
	struct run_probes probes; /* static probe points, made for this run */
	struct evlist list;
	u32 last_first;      /* index of the first event of the last -e */
	bool last_first_set; /* there was a -e */
	struct measurement measurement;
	char *title;
	struct out out;
	struct output_file file; /* with -o; fd -1: none is open */
	u64 head_size;           /* bytes written to it before the first count */
	u32 nr_intervals;        /* printed so far */
	bool refusals_said;      /* printed once, after the first run: why events are not counted */
	/* --ci, --compare */
	bool ci;
	bool has_nr_runs;
	const char *compare; /* the command to compare with the one after the options */
	const char *commands[COMPARE_MAX + 1]; /* --cmd; NULL-ended */
	u32 nr_commands;
	double precision; /* 0.005; 0: none */
	/* record and report */
	bool record, report;
	const char *record_path, *input; /* NULL: the default */
	const char *const *words;        /* the command line, for the header of a recording */
	u32 nr_words;
	struct stat_file recording;
	bool has_aggregate, force;
};

/* Fills @stat. 0 to go on, or the exit status. */
int stat__parse_options(struct stat_command *stat, int argc, const char **argv);

/*
 * Rows of the options that stat and its report share; @set gets true where a grouping is given.
 */
#define OPT_AGGREGATE(short_, long_, self, help_, flags_, set)                                     \
	OPT_CALLBACK(short_, long_, &(self)->measurement.aggregate, NULL, help_,                   \
	             stat__parse_aggregate, .flags = OPTION_NO_ARG | (flags_), .was_set = (set))
/* clang-format off */
#define OPT_AGGREGATES(self, set)                                                                 \
	OPT_AGGREGATE('A', "no-aggr", self, "one row per CPU (with -a or -C)", 0, set),        \
	OPT_AGGREGATE(0, "per-core", self, "one row per core (with -a or -C)", 0, set),        \
	OPT_AGGREGATE(0, "per-die", self, "one row per die (with -a or -C)", 0, set),          \
	OPT_AGGREGATE(0, "per-socket", self, "one row per socket (with -a or -C)", 0, set),    \
	OPT_AGGREGATE(0, "aggr-socket", self, NULL, OPTION_HIDDEN, set),                          \
	OPT_AGGREGATE(0, "per-node", self, "one row per NUMA node (with -a or -C)", 0, set)
#define OPT_SHOWN(self)                                                                           \
	OPT_STRING('x', "field-separator", &(self)->separator, "separator",                       \
	           "print fields with this separator, for scripts"),                       \
	OPT_BOOL('j', "json-output", &(self)->json, "print one JSON object per line"),           \
	OPT_BOOL(0, "metric-only", &(self)->metric_only, "print the ratios, not the counts")
/* clang-format on */

int stat__parse_aggregate(const struct option *option, const char *arg, bool unset,
                          struct error *err);

/* builtin-stat-record.c. An exit status, or 0. */
int stat_record__open(struct stat_command *stat);
int stat_record__begin(struct stat_command *stat, struct error *err); /* a negative errno */
int stat_record__end(struct stat_command *stat);
int stat_report__parse(struct stat_command *stat, int argc, const char **argv);
int stat_report__run(struct stat_command *stat);

/* builtin-stat-compare.c. _wanted: was a comparison requested? _run: the exit status of perf. */
bool stat_compare__wanted(const struct stat_command *stat);
int stat_compare__prepare(struct stat_command *stat); /* an exit status, or 0 */
int stat_compare__run(struct stat_command *stat);

int stat__run_once(struct stat_command *stat); /* the exit status of a failure, or 0 */
struct counts stat__count_of_run(const struct stat_command *stat, u32 event);
void stat__print_view(struct stat_command *stat, const struct stat_view *view);
bool stat__wants_heading(struct stat_command *stat); /* before the next interval */

/* Does it measure CPUs, not a command or tasks? */
bool stat__is_system_wide(const struct stat_command *stat);

#endif
