// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report_problems.h"

#include <errno.h>
#include <stdio.h>

#include "ui/diag.h"

#define SYMBOL_LINES_MAX 8 /* without -v: a hundred dsos without symbols are one problem */

static u64 nr_records(const struct session *session)
{
	u64 nr = session->stats.nr_unknown;

	for (unsigned i = 0; i < RECORD_TYPE_MAX; i++)
		nr += session->stats.nr_records[i];
	return nr;
}

static void say_count(u64 count, const char *what)
{
	if (count)
		diag__say_warning("%llu %s", (unsigned long long)count, what);
}

static void say_lost(const struct session *session)
{
	const struct session_stats *stats = &session->stats;

	if (stats->nr_records[PERF_RECORD_LOST])
		fprintf(stderr,
		        "Processed %llu events and lost %llu chunks!\n\n"
		        "Check IO/CPU overload!\n\n",
		        (unsigned long long)nr_records(session),
		        (unsigned long long)stats->nr_records[PERF_RECORD_LOST]);
	if (stats->lost_samples)
		diag__say_warning("%llu samples were lost while recording",
		                  (unsigned long long)stats->lost_samples);
}

static void say_damage(const struct session *session)
{
	const struct data_damage *damages;
	u32 nr;

	damages = perf_data__damages(session->data, &nr);
	if (nr)
		diag__say_warning("%s is damaged: skipped %llu bytes at %u place%s, the first at "
		                  "offset %#llx; everything else is in the report",
		                  perf_data__path(session->data),
		                  (unsigned long long)session->stats.damaged_bytes, nr,
		                  nr == 1 ? "" : "s", (unsigned long long)damages[0].offset);
}

void report_problems__say_stacks(const struct session *session)
{
	struct error err = ERROR_INIT;

	for (u32 i = 0; i < session->evlist->nr; i++) {
		if (!(session->evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_STACK_USER))
			continue;
		error__set(&err, -EOPNOTSUPP, "call chains lack their user part", NULL,
		           "they were recorded with --call-graph dwarf, which this perf does not "
		           "unwind yet");
		error__advise(&err, "for chains now record with -g (frame pointers); names and "
		                    "numbers of the samples themselves are complete");
		diag__warning(&err);
		return;
	}
}

struct symbol_lines {
	u32 printed, left_out;
	bool all;
};

static void say_symbols(void *ctx, const struct dso *dso, const struct error *error)
{
	struct symbol_lines *lines = ctx;

	(void)dso;
	if (!lines->all && lines->printed >= SYMBOL_LINES_MAX) {
		lines->left_out++;
		return;
	}
	lines->printed++;
	diag__warning(error);
}

void report_problems__say(const struct session *session, const struct profile *profile,
                          struct symbols *symbols, int verbose)
{
	const struct session_stats *stats = &session->stats;
	struct symbol_lines lines = { .all = verbose > 0 };

	say_lost(session);
	say_damage(session);
	say_count(stats->nr_unknown, "records of unknown types were skipped");
	say_count(stats->nr_broken, "records with a broken inside were skipped");
	say_count(stats->nr_unknown_id, "samples of unknown events were skipped");
	say_count(profile->nr_unknown_context,
	          "call chains were cut at an entry that is neither an address nor a known "
	          "context; their frames before it are kept");
	if (verbose > 0) {
		say_count(profile->nr_cut_frames, "frames were cut off by --max-stack");
		say_count(profile->nr_clock_misses,
		          "frames would have been named by a map less than 1 ms later");
	}
	symbols__problems(symbols, say_symbols, &lines);
	say_count(lines.left_out, "more dsos have such a problem (-v names them)");
}

int report_problems__need_cpus(const struct session *session, struct error *err)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_CPU)
			return 0;
	error__set(err, -ENODATA, "cannot use option", "-C",
	           "File does not contain CPU events. Remove -C option to proceed.");
	return error__advise(err,
	                     "perf record -a, -C and --sample-cpu put the CPU into each sample");
}
