// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat record and perf stat report: write counts to a file, and show them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin-stat.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/lib/alloc.h"
#include "util/reader/feature_cursor.h"
#include "util/stat/replay.h"

/* ---- record ---- */

/* Standard output is for the stream alone, as of perf record. A descriptor, or the exit status. */
static int take_stdout(int *fd)
{
	if (isatty(STDOUT_FILENO)) {
		diag__say_error("cannot write the recording to a terminal\n"
		                "record to a file (perf stat record -o FILE), or into a pipe: "
		                "perf stat record -o - ... | perf stat report -i -");
		return EXIT_ERROR;
	}
	*fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (*fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		diag__say_error("cannot write the recording to standard output: %s",
		                strerror(errno));
		return EXIT_ERROR;
	}
	return 0;
}

int stat_record__open(struct stat_command *stat)
{
	const struct feature_source source = {
		.root = "",
		.version = PERF_VERSION,
		.tracefs = stat->sources.tracefs.path,
		.words = stat->words,
		.nr_words = stat->nr_words,
	};
	struct error err = ERROR_INIT;
	const char *path = stat->record_path;
	struct stat st;
	int fd = -1, ret;

	if (!path)
		path = fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
	ret = strcmp(path, "-") ? 0 : take_stdout(&fd);
	if (ret || !stat_file__open(&stat->recording, path, fd, &source, &err))
		return ret;
	diag__error(&err);
	return EXIT_ERROR;
}

int stat_record__begin(struct stat_command *stat, struct error *err)
{
	return stat->record ? stat_file__begin(&stat->recording, &stat->measurement, err) : 0;
}

int stat_record__end(struct stat_command *stat)
{
	struct error err = ERROR_INIT;
	u64 ns = stat->measurement.wall.mean;

	if (!stat->recording.writer || !stat->measurement.wall.nr)
		return 0;
	stat_file__round(&stat->recording, true, ns);
	if (!stat_file__end(&stat->recording, &err))
		return 0;
	diag__error(&err);
	return EXIT_ERROR;
}

/* ---- report ---- */

static const char *const report_usage[] = { "perf stat report [<options>]", NULL };

int stat_report__parse(struct stat_command *stat, int argc, const char **argv)
{
	const struct option options[] = {
		OPT_STRING('i', "input", &stat->input, "file",
		           "the recording (default: perf.data; -: standard input)"),
		OPT_BOOL('f', "force", &stat->force, "read another user's file"),
		OPT_AGGREGATES(stat, &stat->has_aggregate),
		OPT_SHOWN(stat),
		{ .type = OPTION_END },
	};
	struct error err = ERROR_INIT;
	int rest, ret = command_line__parse(argc, argv, report_usage, options, OPTIONS_PERMUTE,
	                                    &rest);

	if (!ret && rest < argc) {
		ret = command_line__refuse_word(argv[rest], "the file is given with -i",
		                                report_usage, options, "-i");
	} else if (!ret && stat->separator && stat->json) {
		error__set(&err, -EINVAL, "-j option not supported with -x", NULL, "%s", "");
		ret = command_line__usage(&err, report_usage, options, "-j");
	}
	return ret;
}

/* The command line of the recording. */
static char *recorded_title(const struct perf_data *data)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_CMDLINE);
	u32 nr = cursor__u32(&c);
	char *text = xstrdup(""), *longer;

	for (u32 i = 0; i < nr && !c.failed; i++) {
		longer = xasprintf("%s%s%s", text, i ? " " : "", cursor__feature_string(&c));
		free(text);
		text = longer;
	}
	longer = perf_data__is_pipe_form(data) || !*text ? xstrdup("'pipe'")
	                                                 : xasprintf("'%s'", text);
	free(text);
	return longer;
}

static struct stat_view report_view(const struct stat_command *stat,
                                    const struct aggregation *counts, u64 wall_ns)
{
	struct stat_view view = {
		.title = stat->title,
		.nr_runs = 1,
		.counts = counts,
		.big_num = stat->big_num,
		.metric_only = stat->metric_only,
		.only_counted = counts->nr > 1 && counts->mode == AGGREGATE_THREAD,
		.separator = stat->separator,
	};

	stats__add(&view.wall, wall_ns);
	return view;
}

struct report {
	struct stat_command *stat;
	struct stat_replay replay;
};

static void report_interval(void *ctx, u64 since_start, u64 length)
{
	struct report *report = ctx;
	struct stat_command *stat = report->stat;
	struct stat_view view = report_view(stat, &report->replay.stretch, length);

	view.interval = true;
	view.time_ns = since_start;
	view.heading = stat__wants_heading(stat);
	stat__print_view(stat, &view);
}

/* What the reader should know about the figures above. */
static int say_problems(const struct report *report, const char *path)
{
	const struct stat_replay *replay = &report->replay;

	if (replay->no_counts) {
		diag__say_error("cannot report '%s': there are no counts in it\n"
		                "perf stat record makes a recording of counts; samples are shown "
		                "by perf report",
		                path);
		return EXIT_ERROR;
	}
	if (report->stat->has_aggregate && replay->of_tasks)
		diag__say_warning("processing task data, aggregation mode not set");
	if (replay->mode_unknown)
		diag__say_warning("'%s' was recorded by clusters or caches, which this perf does "
		                  "not have: everything is added up",
		                  path);
	report_problems__say_file(replay->data);
	report_problems__say_broken(&replay->broken, report->stat->verbose);
	if (replay->cut)
		diag__say_warning("'%s' has no end: perf did not finish; these are the last counts "
		                  "in it",
		                  path);
	if (replay->nr_unknown)
		diag__say_warning("'%s': %llu counts of unknown events, processors or threads were "
		                  "left out",
		                  path, (unsigned long long)replay->nr_unknown);
	return 0;
}

static int report_data(struct report *report, const char *path, struct error *err)
{
	struct stat_command *stat = report->stat;
	struct stat_replay *replay = &report->replay;
	struct stat_view view;
	int status, ret;

	stat->title = recorded_title(replay->data);
	evlist__set_units(perf_data__evlist(replay->data));
	ret = stat_replay__run(replay, err);
	if (ret)
		return EXIT_ERROR;
	status = say_problems(report, path);
	if (!status && !replay->interval_ms) {
		view = report_view(stat, &replay->counts, replay->wall_ns);
		stat__print_view(stat, &view);
	}
	return status;
}

int stat_report__run(struct stat_command *stat)
{
	const char *path = perf_data__input(stat->input);
	struct report report = { .stat = stat };
	struct error err = ERROR_INIT;
	int status = EXIT_ERROR;

	report.replay = (struct stat_replay){ .wanted = stat->measurement.aggregate,
		                              .has_wanted = stat->has_aggregate,
		                              .interval = report_interval,
		                              .ctx = &report };
	report.replay.data = perf_data__open(path, stat->force ? PERF_DATA_FORCE : 0, &err);
	if (report.replay.data) {
		status = report_data(&report, path, &err);
		stat_replay__exit(&report.replay);
		perf_data__close(report.replay.data);
	}
	if (err.code == -ENOENT)
		error__advise(&err, "try 'perf stat record' first");
	if (err.code)
		diag__error(&err);
	return status;
}
