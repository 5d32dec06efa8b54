// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_problems.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/diag.h"
#include "util/elf/build_id.h"
#include "util/elf/package.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/stream/unwound.h"

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

/* What was cut off between two records, so that no damage shows it. */
static void say_ends(const struct perf_data *data)
{
	const struct data_ends *ends = perf_data__ends(data);
	const char *path = perf_data__path(data);

	if (ends->nr_parts && !ends->sizes_known && !perf_data__not_closed(data))
		diag__say_warning("%s does not tell how much its parts held", path);
	if (ends->nr_missing_parts)
		diag__say_warning("%s lacks %u of its %u parts (data.0 to data.%u)", path,
		                  ends->nr_missing_parts, ends->nr_parts, ends->nr_parts - 1);
	if (ends->nr_cut_parts)
		diag__say_warning("%s lacks %llu bytes of its part%s data.%u%s", path,
		                  (unsigned long long)ends->missing_bytes,
		                  ends->nr_cut_parts > 1 ? "s," : "", ends->cut_part,
		                  ends->nr_cut_parts > 1 ? " and others" : "");
	if (ends->nr_long_parts)
		diag__say_warning("%s has a part data.%u%s that is longer than what was recorded: "
		                  "not the one of this recording",
		                  path, ends->long_part,
		                  ends->nr_long_parts > 1 ? " (and others)" : "");
	if (ends->cut_stream)
		diag__say_warning("%s is cut: its end is missing", path);
	if (ends->incomplete)
		diag__say_warning("%s is not complete: records are missing that perf could not "
		                  "write, or that the file it was made from lacked",
		                  path);
}

static void say_lost(const struct session *session)
{
	const struct session_stats *stats = &session->stats;

	if (stats->nr_records[PERF_RECORD_LOST]) {
		diag__line("Processed %llu events and lost %llu chunks!",
		           (unsigned long long)nr_records(session),
		           (unsigned long long)stats->nr_records[PERF_RECORD_LOST]);
		diag__line("%s", "");
		diag__line("Check IO/CPU overload!");
		diag__line("%s", "");
	}
	if (stats->lost_samples)
		diag__say_warning("%llu samples were lost while recording",
		                  (unsigned long long)stats->lost_samples);
}

#define PARTIAL_MAX 65535 /* bytes of a record: what a cut leaves of the last one is no damage */

/*
 * What the walk skipped that is there. It comes to the place where bytes are missing at the end,
 * too, and there @cut is set: those never were.
 */
static u64 skipped_bytes(const struct perf_data *data, u32 *nr, bool *cut)
{
	const struct data_damage *damages = perf_data__damages(data, nr), *last;
	u64 missing = perf_data__missing(data), bytes = 0;
	u64 end = perf_data__info(data)->data_offset + perf_data__nr_to_read(data);

	*cut = false;
	for (u32 i = 0; i < *nr; i++)
		bytes += damages[i].size;
	if (!missing || !*nr)
		return bytes;
	last = &damages[*nr - 1];
	*cut = last->offset + last->size == end && last->size >= missing;
	if (!*cut)
		return bytes;
	if (last->size - missing > PARTIAL_MAX)
		return bytes - missing;
	(*nr)--;
	return bytes - last->size;
}

static void say_damage(const struct perf_data *data)
{
	u64 missing = perf_data__missing(data);
	u32 nr, nr_all;
	bool cut;
	u64 bytes = skipped_bytes(data, &nr, &cut);
	const struct data_damage *damages = perf_data__damages(data, &nr_all);

	if (nr)
		diag__say_warning("%s is damaged: skipped %llu bytes at %u place%s, the first at "
		                  "offset %#llx; everything else was read",
		                  perf_data__path(data), (unsigned long long)bytes, nr,
		                  nr == 1 ? "" : "s", (unsigned long long)damages[0].offset);
	if (missing)
		diag__say_warning("%s is cut: the last %llu bytes of its records are missing%s",
		                  perf_data__path(data), (unsigned long long)missing,
		                  cut && !nr ? "; everything before was read" : "");
}

void report_problems__say_file(const struct perf_data *data)
{
	const struct perf_data_info *info = perf_data__info(data);

	if (perf_data__not_closed(data))
		diag__say_warning("The %s file's data size field is 0 which is unexpected.\n"
		                  "Was the 'perf record' command properly terminated? The file "
		                  "is read to its end%s",
		                  perf_data__path(data),
		                  perf_data__ends(data)->nr_parts
		                          ? "; how much its parts held is not known"
		                          : "");
	if (info->nr_cut_features)
		diag__say_warning("%s is cut: %u of the %u parts of its header that stand behind "
		                  "the records cannot be read; --header shows which",
		                  perf_data__path(data), info->nr_cut_features, info->nr_features);
	if (info->nr_lost_ids)
		diag__say_warning("%s is damaged: the lists of ids of %u events cannot be read",
		                  perf_data__path(data), info->nr_lost_ids);
	say_ends(data);
	say_damage(data);
}

const char *report_problems__in_short(const struct perf_data *data)
{
	const struct perf_data_info *info = perf_data__info(data);
	const struct data_ends *ends = perf_data__ends(data);
	u32 nr_damages;

	perf_data__damages(data, &nr_damages);
	if (info->nr_cut_features || ends->nr_missing_parts || ends->nr_cut_parts ||
	    ends->cut_stream || perf_data__missing(data))
		return "the recording is cut";
	if (nr_damages || info->nr_lost_ids || ends->nr_long_parts)
		return "the recording is damaged";
	return perf_data__not_closed(data) || ends->incomplete ? "the recording is not complete"
	                                                       : NULL;
}

void report_problems__say_broken(const struct broken_records *broken, int verbose)
{
	u32 shown = verbose > 0 ? broken->nr_kept : min_u64(broken->nr_kept, 1);

	for (u32 i = 0; i < shown; i++) {
		const struct broken_record *r = &broken->kept[i];

		diag__say_warning("%s record at offset %#llx: its %u bytes cannot be one; it was "
		                  "skipped",
		                  record__type_name(r->type), (unsigned long long)r->offset,
		                  r->size);
	}
	say_count(broken->nr - shown, verbose > 0
	                                      ? "more records with a broken inside were skipped"
	                                      : "more records with a broken inside were skipped "
	                                        "(-v lists them)");
}

void report_problems__say_records(const struct session *session, int verbose)
{
	report_problems__say_file(session->data);
	say_count(session->stats.nr_unknown, "records of unknown types were skipped");
	report_problems__say_broken(&session->broken, verbose);
	say_count(session->stats.nr_unknown_id, "samples of unknown events were skipped");
}

void report_problems__say_stacks(const struct session *session)
{
	const char *machine = perf_data__feature_string(session->data, FEATURE_ARCH);
	struct error err = ERROR_INIT;

	if (!unwound__in_session(session) || perf_data__arch(session->data)->sp)
		return;
	error__set(&err, -EOPNOTSUPP, "cannot unwind call chains recorded on",
	           machine ? machine : "this machine",
	           "its registers are not known here, so chains lack their user part");
	error__advise(&err, "for chains record with -g (frame pointers)");
	diag__warning(&err);
}

/* A dso whose symbols could not be had, and the samples that fell into it. */
struct symbol_problem {
	const struct error *error; /* NULL: it is stripped but for what it exports */
	u64 samples, unnamed;
	u32 dso;
};

/* What fell into a dso: samples, and those of them that have no name. */
struct dso_samples {
	u64 nr, unnamed;
	bool data;   /* mapped as data only: it may well be no object file */
	bool hidden; /* of nothing that is shown */
};

struct symbol_problems {
	const struct dso *first; /* of the session */
	const struct dso_samples *samples;
	struct symbol_problem *problems;
	u32 nr;
	size_t cap;
};

static void note_problem(void *ctx, const struct dso *dso, const struct error *error)
{
	struct symbol_problems *all = ctx;

	const struct dso_samples *samples = &all->samples[dso - all->first];

	if (samples->data || samples->hidden)
		return;
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

/* What would name the addresses of an object that has no symbols: its package, its build-id. */
static void say_stripped(const struct session *session, const struct dso *dso,
                         const struct error *error)
{
	const char *path = strtab__get(&session->strings, dso->name);
	char *package =
	        session__kernel_is_live(session) ? package__of_file(PACKAGE_LISTS, path) : NULL;
	struct build_id id = { .size = min_u64(dso->build_id_size, sizeof(id.data)) };
	char hex[BUILD_ID_HEX_SIZE];
	struct error said = *error;

	memcpy(id.data, dso->build_id, id.size);
	build_id__hex(&id, hex);
	if (package)
		error__advise(&said, "apt install %.80s-dbgsym (or -dbg)%s%s", package,
		              id.size ? "; its build-id is " : "", hex);
	else if (id.size)
		error__advise(
		        &said,
		        "its build-id is %s: the debug file of that (--debuginfod), or the unstripped "
		        "program by perf buildid-cache --add",
		        hex);
	diag__warning(&said);
	free(package);
}

static void say_problem(const struct session *session, const struct symbol_problem *problem)
{
	const struct dso *dso = dsos__at(&session->dsos, problem->dso);
	struct error stripped = ERROR_INIT;

	if (!problem->error) {
		error__set(&stripped, -ENODATA, "not all symbols found in",
		           strtab__get(&session->strings, dso->name),
		           "it is stripped but for what it exports; %llu of its %llu samples have "
		           "no name",
		           (unsigned long long)problem->unnamed,
		           (unsigned long long)problem->samples);
		say_stripped(session, dso, &stripped);
	} else if (dso->kind == DSO_USER && problem->error->code == -ENODATA)
		say_stripped(session, dso, problem->error);
	else
		diag__warning(problem->error);
}

static void show_dso(const struct session *session, const struct loc *loc,
                     struct dso_samples *samples)
{
	if (loc->dso < session->dsos.nr)
		samples[loc->dso].hidden = false;
}

/* Which dsos have frames of the rows that are shown. */
static void find_hidden(const struct session *session, const struct profile *profile,
                        const struct row_filter *shown, struct dso_samples *samples)
{
	bool *nodes = xcalloc(profile->nr_nodes, sizeof(*nodes));

	for (u32 i = 0; i < session->dsos.nr; i++)
		samples[i].hidden = true;
	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];

		if (!shown->pass(shown->ctx, row))
			continue;
		show_dso(session, &profile->locs[row->leaf_loc], samples);
		nodes[row->node] = true;
	}
	for (u32 i = profile->nr_nodes; i-- > 1;) {
		if (!nodes[i])
			continue;
		show_dso(session, &profile->locs[profile->nodes[i].loc], samples);
		nodes[profile->nodes[i].parent] = true;
	}
	free(nodes);
}

/* Places are fewer than rows, and dear to look up. */
static void count_samples(const struct session *session, const struct profile *profile,
                          struct session_symbols *symbols, const struct row_filter *shown,
                          struct dso_samples *samples)
{
	u64 *nr_of_loc = xcalloc((size_t)profile->nr_locs + 1, sizeof(*nr_of_loc));
	u64 vaddr;

	for (u64 i = 0; i < profile->nr_rows; i++)
		if (!shown || shown->pass(shown->ctx, &profile->rows[i]))
			nr_of_loc[profile->rows[i].leaf_loc] += profile->rows[i].count;
	for (u32 i = 0; i < profile->nr_locs; i++) {
		const struct loc *loc = &profile->locs[i];

		if (!nr_of_loc[i] || loc->dso >= session->dsos.nr)
			continue;
		samples[loc->dso].nr += nr_of_loc[i];
		if (dsos__at(&session->dsos, loc->dso)->kind == DSO_USER &&
		    session_symbols__is_stripped(symbols, loc->dso) &&
		    session_symbols__find_code(symbols, loc->dso, loc->addr, &vaddr) == ID_NONE)
			samples[loc->dso].unnamed += nr_of_loc[i];
	}
	free(nr_of_loc);
}

/* Not by its maps of code, which the machine may have forgotten. */
static void find_data_only(const struct session *session, struct dso_samples *samples)
{
	u32 nr;
	const struct map_info *maps = machine__maps(session->host, &nr);

	for (u32 i = 0; i < nr; i++)
		if (maps[i].dso != ID_NONE && maps[i].data &&
		    !dsos__at(&session->dsos, maps[i].dso)->mapped)
			samples[maps[i].dso].data = true;
}

/* Those where most samples are nameless, if they are a twentieth of all at least. */
static void note_stripped(const struct session *session, const struct dso_samples *samples,
                          struct symbol_problems *all)
{
	u64 total = 0;

	for (u32 i = 0; i < session->dsos.nr; i++)
		total += samples[i].nr;
	for (u32 i = 0; i < session->dsos.nr; i++) {
		const struct dso_samples *s = &samples[i];

		if (s->data || !s->unnamed || s->unnamed < s->nr / 2 || s->unnamed < total / 20)
			continue;
		note_problem(all, dsos__at(&session->dsos, i), NULL);
		all->problems[all->nr - 1].unnamed = s->unnamed;
	}
}

/* The dsos with the most samples first; without -v only a few of them. */
static void say_symbols(const struct session *session, const struct profile *profile,
                        struct session_symbols *symbols, const struct row_filter *shown,
                        int verbose)
{
	if (!session->dsos.nr)
		return;
	struct dso_samples *samples = xcalloc(session->dsos.nr, sizeof(*samples));
	struct symbol_problems all = { .first = dsos__at(&session->dsos, 0) };
	u32 nr;

	if (shown)
		find_hidden(session, profile, shown, samples);
	count_samples(session, profile, symbols, shown, samples);
	find_data_only(session, samples);
	all.samples = samples;
	session_symbols__problems(symbols, note_problem, &all);
	for (u32 i = 0; i < all.nr; i++)
		samples[all.problems[i].dso].unnamed = 0; /* is said already */
	note_stripped(session, samples, &all);
	for (u32 i = 0; i < all.nr; i++)
		all.problems[i].samples = samples[all.problems[i].dso].nr;
	if (all.nr)
		qsort(all.problems, all.nr, sizeof(*all.problems), compare_problems);
	nr = verbose > 0 ? all.nr : min_u64(all.nr, SYMBOL_LINES_MAX);
	for (u32 i = 0; i < nr; i++)
		say_problem(session, &all.problems[i]);
	say_count(all.nr - nr, "more dsos have such a problem (-v names them)");
	free(all.problems);
	free(samples);
}

struct unread {
	u32 nr, max;
};

static void say_unread(void *ctx, const struct error *error)
{
	struct unread *unread = ctx;

	if (unread->nr++ < unread->max)
		diag__warning(error);
}

void report_problems__say_unread(const struct session_symbols *symbols, int verbose)
{
	struct unread unread = { .max = verbose > 0 ? UINT32_MAX : SYMBOL_LINES_MAX };

	session_symbols__unread(symbols, say_unread, &unread);
	say_count(unread.nr - min_u64(unread.nr, unread.max),
	          "more dsos have such a problem (-v names them)");
}

void report_problems__say(const struct session *session, const struct profile *profile,
                          struct session_symbols *symbols, const struct row_filter *shown,
                          int verbose)
{
	say_lost(session);
	report_problems__say_records(session, verbose);
	if (verbose > 0) {
		say_count(profile->problems.nr_unknown_context,
		          "call chains were cut at an entry that is neither an address nor a known "
		          "context; their frames before it are kept");
		say_count(profile->problems.nr_cut_frames, "frames were cut off by --max-stack");
		say_count(profile->problems.nr_clock_misses,
		          "frames would have been named by a map less than 1 ms later");
	}
	say_symbols(session, profile, symbols, shown, verbose);
	report_problems__say_unread(symbols, verbose);
}

static bool has_cpus(const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_CPU)
			return true;
	return false;
}

int report_problems__need_sockets(const struct session *session, struct error *err)
{
	u32 nr;

	if (!has_cpus(session)) {
		error__set(err, -ENODATA, "cannot use option", "--socket-filter",
		           "the samples of this file have no CPU");
		return error__advise(
		        err, "perf record -a, -C and --sample-cpu put the CPU into each sample");
	}
	free(perf_data__sockets(session->data, &nr));
	if (nr)
		return 0;
	error__set(err, -ENODATA, "cannot use option", "--socket-filter",
	           "the header of this file does not tell the sockets of CPUs");
	return error__advise(err, "perf record writes them, but not into a pipe (-o -)");
}

int report_problems__need_cpus(const struct session *session, struct error *err)
{
	if (has_cpus(session))
		return 0;
	error__set(err, -ENODATA, "cannot use option", "-C",
	           "File does not contain CPU events. Remove -C option to proceed.");
	return error__advise(err,
	                     "perf record -a, -C and --sample-cpu put the CPU into each sample");
}
