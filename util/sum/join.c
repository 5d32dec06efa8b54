// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything that rows and locations refer to gets a number of the first session; then the arrays
 * are appended as those of two workers are (intern.h).
 */
#include "util/sum/join.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/sort.h"
#include "util/profile/intern.h"
#include "util/profile/key.h"

struct join {
	struct session *session;
	const struct session *of;
	struct join_notes *notes;
	u32 nr_dsos;  /* of the first recordings */
	bool *used;   /* of these: samples hit it. Others may lack build-ids for that */
	u32 *dsos;    /* by number in `of`; ID_NONE: not needed yet */
	u32 *threads; /* the same */
	u32 *evsels;
};

/* ---- objects ---- */

/* Kernels and modules are the same code only where it lay at the same place. */
static bool lies_elsewhere(const struct dso *a, const struct dso *b)
{
	return (a->kind == DSO_KERNEL || a->kind == DSO_MODULE || a->kind == DSO_BPF) &&
	       (a->text_start != b->text_start || a->text_pgoff != b->text_pgoff);
}

static bool same_build(const struct dso *a, const struct dso *b)
{
	return a->build_id_size && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

/* Without build-ids: what no file is of, and a file that was not replaced. */
static bool same_name(const struct dso *a, const struct dso *b)
{
	if (a->build_id_size || b->build_id_size || a->kind == DSO_ANON || a->kind == DSO_BPF)
		return false;
	return a->kind != DSO_USER || (a->inode.ino && dso_inode__equal(&a->inode, &b->inode));
}

static void note_name(struct join_notes *notes, const struct dso *a, const struct dso *b,
                      const char *name)
{
	bool known = a->build_id_size && b->build_id_size;

	if (a->kind == DSO_ANON)
		return;
	if (known && !notes->nr_rebuilt++)
		notes->rebuilt = name;
	if (!known && !notes->nr_unknown++)
		notes->unknown = name;
}

static u32 add_dso(struct join *join, const struct dso *dso, const char *name)
{
	struct dsos *dsos = &join->session->dsos;
	struct strtab *strings = &join->session->strings;
	const struct strtab *theirs = &join->of->strings;
	u32 ref_symbol =
	        dso->ref_symbol ? strtab__add(strings, strtab__get(theirs, dso->ref_symbol)) : 0;

	array__reserve(&dsos->dsos, &dsos->cap, dsos->nr + 1, sizeof(*dsos->dsos));
	struct dso *copy = &dsos->dsos[dsos->nr];

	*copy = *dso;
	copy->name = strtab__add(strings, name);
	copy->short_name = strtab__add(strings, strtab__get(theirs, dso->short_name));
	copy->ref_symbol = ref_symbol;
	copy->next_without_id = ID_NONE;
	return dsos->nr++;
}

static u32 find_dso(struct join *join, const struct dso *dso)
{
	const struct dsos *dsos = &join->session->dsos;
	const char *name = strtab__get(&join->of->strings, dso->name);
	u32 named = strtab__find(&join->session->strings, name), like = ID_NONE;

	for (u32 i = 0; i < join->nr_dsos; i++) {
		const struct dso *other = dsos__at(dsos, i);

		if (other->kind != dso->kind || lies_elsewhere(other, dso))
			continue;
		if (same_build(other, dso) || (other->name == named && same_name(other, dso)))
			return i;
		if (other->name == named && join->used[i])
			like = i;
	}
	if (like != ID_NONE)
		note_name(join->notes, dsos__at(dsos, like), dso,
		          strtab__get(&join->session->strings, named));
	return add_dso(join, dso, name);
}

static u32 dso_of(struct join *join, u32 dso)
{
	if (dso == ID_NONE)
		return ID_NONE;
	if (join->dsos[dso] == ID_NONE)
		join->dsos[dso] = find_dso(join, dsos__at(&join->of->dsos, dso));
	return join->dsos[dso];
}

/* ---- threads, events ---- */

static u32 comm_of(const struct join *join, u32 comm)
{
	return strtab__add(&join->session->strings, strtab__get(&join->of->strings, comm));
}

static u32 thread_of(struct join *join, u32 thread)
{
	const struct moment end = { UINT64_MAX, UINT64_MAX };

	if (join->threads[thread] == ID_NONE) {
		const struct thread *from = machine__thread(join->of->host, thread);
		u32 comm = machine__comm_at(join->of->host, thread, end);

		join->threads[thread] = machine__adopt_thread(join->session->host, from->pid,
		                                              from->tid, comm_of(join, comm));
	}
	return join->threads[thread];
}

static u32 find_event(const struct evlist *evlist, u32 nr, const char *name)
{
	for (u32 i = 0; i < nr; i++)
		if (!strcmp(evlist->evsels[i]->name, name))
			return i;
	return ID_NONE;
}

static void grow(u64 **counts, u32 from, u32 to)
{
	*counts = xrealloc(*counts, to, sizeof(**counts));
	memset(*counts + from, 0, (to - from) * sizeof(**counts));
}

static void match_events(struct join *join)
{
	struct evlist *evlist = join->session->evlist;
	const struct evlist *theirs = join->of->evlist;
	struct session_stats *stats = &join->session->stats;
	u32 nr = evlist->nr;

	for (u32 i = 0; i < nr; i++)
		if (stats->samples_of[i] &&
		    find_event(theirs, theirs->nr, evlist->evsels[i]->name) == ID_NONE) {
			join->notes->event = evlist->evsels[i]->name;
			join->notes->of_first = true;
		}
	for (u32 i = 0; i < theirs->nr; i++) {
		const struct evsel *evsel = theirs->evsels[i];

		join->evsels[i] = find_event(evlist, evlist->nr, evsel->name);
		if (join->evsels[i] != ID_NONE)
			continue;
		join->evsels[i] = evlist__add(evlist, &evsel->attr, evsel->name)->idx;
		if (join->of->stats.samples_of[i]) {
			join->notes->event = evlist->evsels[join->evsels[i]]->name;
			join->notes->of_first = false;
		}
	}
	grow(&stats->samples_of, nr, evlist->nr);
	grow(&stats->lost_samples_of, nr, evlist->nr);
}

static void add_stats(const struct join *join)
{
	struct session_stats *into = &join->session->stats;
	const struct session_stats *from = &join->of->stats;

	for (u32 i = 0; i < RECORD_TYPE_MAX; i++)
		into->nr_records[i] += from->nr_records[i];
	into->nr_guest_samples += from->nr_guest_samples;
	into->lost += from->lost;
	into->lost_samples += from->lost_samples;
	for (u32 i = 0; i < join->of->evlist->nr; i++) {
		into->samples_of[join->evsels[i]] += from->samples_of[i];
		into->lost_samples_of[join->evsels[i]] += from->lost_samples_of[i];
	}
}

/* ---- all of it ---- */

static void mark(u8 *used, u32 id)
{
	if (id != ID_NONE)
		used[id] = 1;
}

/* The oldest first, whatever their numbers are: of one tid the one made last gives the name. */
static void adopt_threads(struct join *join, const u8 *used, u32 nr)
{
	struct keyed *by_age = xrealloc(NULL, (size_t)nr + 1, sizeof(*by_age));
	u32 nr_used = 0;

	for (u32 i = 0; i < nr; i++)
		if (used[i])
			by_age[nr_used++] = (struct keyed){ machine__made(join->of->host, i), i };
	keyed__sort(by_age, nr_used);
	for (u32 i = 0; i < nr_used; i++)
		thread_of(join, by_age[i].value);
	free(by_age);
}

/* In an order of their own: that of rows depends on the workers that built them. */
static void adopt(struct join *join, const struct profile *profile)
{
	u32 nr_dsos = join->of->dsos.nr, nr_threads = machine__nr_threads(join->of->host);
	u8 *dsos = xcalloc((size_t)nr_dsos + 1, 1), *threads = xcalloc((size_t)nr_threads + 1, 1);

	for (u32 i = 0; i < profile->nr_locs; i++)
		mark(dsos, profile->locs[i].dso);
	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];

		mark(threads, row->thread);
		if (row->end.dso != ROW_END_NO_DSO)
			mark(dsos, row->end.dso);
	}
	for (u32 i = 0; i < nr_dsos; i++)
		if (dsos[i])
			dso_of(join, i);
	adopt_threads(join, threads, nr_threads);
	free(dsos);
	free(threads);
}

static void translate(struct join *join, struct profile *profile)
{
	adopt(join, profile);
	for (u32 i = 0; i < profile->nr_locs; i++)
		profile->locs[i].dso = dso_of(join, profile->locs[i].dso);
	for (u64 i = 0; i < profile->nr_rows; i++) {
		struct row *row = &profile->rows[i];

		row->thread = thread_of(join, row->thread);
		row->comm = comm_of(join, row->comm);
		row->evsel = join->evsels[row->evsel];
		if (row->end.dso != ROW_END_NO_DSO)
			row->end = (struct row_end){ .end = row->end.end,
				                     .flags = row->end.flags,
				                     .by = row->end.by,
				                     .dso = min_u64(dso_of(join, row->end.dso),
				                                    ROW_END_NO_DSO) };
	}
}

static u32 *numbers(u32 nr)
{
	u32 *array = xrealloc(NULL, nr + 1, sizeof(u32));

	memset(array, 0xff, (nr + 1) * sizeof(u32));
	return array;
}

/* The arrays of @profile, handed over. */
static struct intern arrays_of(const struct profile *profile, u64 places)
{
	struct intern intern = { .locs = profile->locs,
		                 .nodes = profile->nodes,
		                 .rows = profile->rows,
		                 .values_of_row = profile->values_of_row,
		                 .sample_values = profile->sample_values,
		                 .nr_sample_keys = profile->nr_sample_keys,
		                 .places = places,
		                 .nr_locs = profile->nr_locs,
		                 .nr_nodes = profile->nr_nodes,
		                 .nr_rows = profile->nr_rows };

	for (u32 i = 0; intern.nr_sample_keys && i < intern.nr_rows; i++)
		if (intern.values_of_row[i] >= intern.nr_values)
			intern.nr_values = intern.values_of_row[i] + 1;
	return intern;
}

static void append(struct profile *into, const struct profile *more,
                   const struct profile_options *options)
{
	u64 places = 0;
	struct intern all;

	for (u32 i = 0; i < options->nr_sample_keys; i++)
		if (options->sample_keys[i]->address)
			places |= 1ull << i;
	struct intern first = arrays_of(into, places), second = arrays_of(more, places);

	intern__init(&all, options->nr_sample_keys, places);
	intern__seal(&all);
	intern__append(&all, &first);
	intern__append(&all, &second);
	intern__finish(&all, into);
}

/* The rows that come next are those of another recording. */
static void note_first_row(struct profile *into)
{
	into->first_rows = xrealloc(into->first_rows, into->nr_added + 1, sizeof(u64));
	into->first_rows[into->nr_added++] = into->nr_rows;
}

void profile__join(struct profile *into, struct session *session, struct profile *more,
                   const struct session *of, const struct profile_options *options,
                   struct join_notes *notes)
{
	struct join join = { .session = session,
		             .of = of,
		             .notes = notes,
		             .nr_dsos = session->dsos.nr,
		             .used = xcalloc(session->dsos.nr + 1, sizeof(bool)),
		             .dsos = numbers(of->dsos.nr),
		             .threads = numbers(machine__nr_threads(of->host)),
		             .evsels = numbers(of->evlist->nr) };

	*notes = (struct join_notes){ .nr_unknown = 0 };
	for (u32 i = 0; i < into->nr_locs; i++)
		if (into->locs[i].dso != ID_NONE)
			join.used[into->locs[i].dso] = true;
	match_events(&join);
	translate(&join, more);
	add_stats(&join);
	note_first_row(into);
	append(into, more, options);
	into->nr_samples += more->nr_samples;
	into->nr_filtered += more->nr_filtered;
	read_problems__add(&into->problems, &more->problems);
	branch_stats__add(&into->branch_stats, &more->branch_stats);
	health__exit(&more->health);
	*more = (struct profile){ .nr_rows = 0 };
	free(join.used);
	free(join.dsos);
	free(join.threads);
	free(join.evsels);
}
