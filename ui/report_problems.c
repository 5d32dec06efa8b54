// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report_problems.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/diag.h"
#include "util/data/features.h"
#include "util/lib/alloc.h"
#include "util/profile/unwound.h"

#define SYMBOL_LINES_MAX 4 /* without -v: a hundred dsos without symbols are one problem */

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

	if (perf_data__not_closed(session->data))
		diag__say_warning("The %s file's data size field is 0 which is unexpected.\n"
		                  "Was the 'perf record' command properly terminated? The file "
		                  "is read to its end",
		                  perf_data__path(session->data));
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
	const char *machine = perf_data__feature_string(session->data, FEATURE_ARCH);
	struct error err = ERROR_INIT;

	if (!unwound__in_session(session) || unwind_arch__find(machine, PERF_SAMPLE_REGS_ABI_64) ||
	    unwind_arch__find(machine, PERF_SAMPLE_REGS_ABI_32))
		return;
	error__set(&err, -EOPNOTSUPP, "cannot unwind call chains recorded on",
	           machine ? machine : "this machine",
	           "its registers are not known here, so chains lack their user part");
	error__advise(&err, "for chains record with -g (frame pointers)");
	diag__warning(&err);
}

/* A dso whose symbols could not be had, and the samples that fell into it. */
struct symbol_problem {
	const struct error *error;
	u64 samples;
	u32 dso;
};

struct symbol_problems {
	const struct dso *first; /* of the session */
	struct symbol_problem *problems;
	u32 nr;
	size_t cap;
};

static void note_problem(void *ctx, const struct dso *dso, const struct error *error)
{
	struct symbol_problems *all = ctx;

	array__reserve(&all->problems, &all->cap, all->nr + 1, sizeof(*all->problems));
	all->problems[all->nr++] =
	        (struct symbol_problem){ .error = error, .dso = dso - all->first };
}

static int compare_problems(const void *a, const void *b)
{
	const struct symbol_problem *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->dso < y->dso ? -1 : x->dso > y->dso;
}

/* The dsos with the most samples first; without -v only a few of them. */
static void say_symbols(const struct session *session, const struct profile *profile,
                        struct symbols *symbols, int verbose)
{
	if (!session->dsos.nr)
		return;
	u64 *samples = xcalloc(session->dsos.nr, sizeof(*samples));
	struct symbol_problems all = { .first = dsos__at(&session->dsos, 0) };
	u32 shown;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		u32 dso = profile->locs[profile->rows[i].leaf_loc].dso;

		if (dso < session->dsos.nr)
			samples[dso] += profile->rows[i].count;
	}
	symbols__problems(symbols, note_problem, &all);
	for (u32 i = 0; i < all.nr; i++)
		all.problems[i].samples = samples[all.problems[i].dso];
	if (all.nr)
		qsort(all.problems, all.nr, sizeof(*all.problems), compare_problems);
	shown = verbose > 0 ? all.nr : min_u64(all.nr, SYMBOL_LINES_MAX);
	for (u32 i = 0; i < shown; i++)
		diag__warning(all.problems[i].error);
	say_count(all.nr - shown, "more dsos have such a problem (-v names them)");
	free(all.problems);
	free(samples);
}

void report_problems__say(const struct session *session, const struct profile *profile,
                          struct symbols *symbols, int verbose)
{
	const struct session_stats *stats = &session->stats;

	say_lost(session);
	say_damage(session);
	say_count(stats->nr_unknown, "records of unknown types were skipped");
	say_count(stats->nr_broken, "records with a broken inside were skipped");
	say_count(stats->nr_unknown_id, "samples of unknown events were skipped");
	if (verbose > 0) {
		say_count(profile->nr_unknown_context,
		          "call chains were cut at an entry that is neither an address nor a known "
		          "context; their frames before it are kept");
		say_count(profile->nr_cut_frames, "frames were cut off by --max-stack");
		say_count(profile->nr_clock_misses,
		          "frames would have been named by a map less than 1 ms later");
	}
	say_symbols(session, profile, symbols, verbose);
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
