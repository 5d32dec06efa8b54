/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of a report: the rows of a profile grouped by the chosen sort keys, per event. An entry
 * has its own (self) sums and, with `children`, the sums of all rows in whose chain it occurs; each
 * row counts once, however often the entry recurs in it.
 *
 * Rows are kept sorted by (event, context, key of the leaf), so the rows of an entry are adjacent
 * in hists->rows; call-chain trees start from there (util/profile/callchain.h).
 */
#ifndef PERF_UTIL_PROFILE_HISTS_H
#define PERF_UTIL_PROFILE_HISTS_H

#include "util/lib/name_list.h"
#include "util/profile/keys.h"
#include "util/profile/names.h"
#include "util/profile/profile.h"
#include "util/profile/source.h"

/* The values of the row keys; ID_NONE where that key is not sorted by. */
struct hist_context {
	u32 comm;   /* strtab id */
	u32 thread; /* the latest one with this tid (or pid) */
	u32 cpu;
};

struct hist_entry {
	u32 group;     /* index into hists->groups */
	u32 key;       /* from hists->key_of_loc: place, sym, dso name or 0 */
	u64 first_row; /* hists->rows[first_row ..]: rows whose leaf is this entry */
	u32 nr_rows;
	bool hidden; /* by a filter on dsos or symbols */
	u64 count, period;
	u64 total_count, total_period; /* with children; else the same as self */
	/* With children, for the order of equal totals: callers stand above callees. */
	u32 thread; /* the first with this entry */
	u16 depth;  /* frames of the longest chain that belongs to it */
};

/* The values of the location keys when source lines or files are sort keys; unused ones are 0. */
struct hist_location {
	u32 sym, dso_name;
	u32 line, file; /* texts of the source */
};

/* All rows of one event with one context. */
struct hist_group {
	u32 context;
	u16 evsel;
	u32 nr_rows;
	u64 first_row;
};

struct hist_event {
	u32 first_entry, nr_entries;   /* sorted for output */
	u64 count, period;             /* of all rows that are not left out */
	u64 count_rest;                /* the part that belongs to evsels with same_as */
	u64 shown_count, shown_period; /* of rows that pass all filters */
};

struct hist_options {
	struct sort_keys keys;
	bool children;
	bool callers_first;   /* among equal totals; then: */
	bool caller_order;    /* chains are shown from the caller down: see hist_entry.depth */
	bool hide_unresolved; /* leave out rows whose leaf has no symbol, and such entries */
	const struct source *source; /* for sort keys srcline and srcfile, else NULL */
	/* Filters: empty passes all. Rows that fail count in hist_event.count but not in shown. */
	struct name_list comms, dsos, symbols;
	const char *symbol_part; /* part of the symbol's name, or NULL */
	const u32 *pids, *tids;
	u32 nr_pids, nr_tids;
};

/* Is any filter set? */
static inline bool hist_options__filter(const struct hist_options *options)
{
	return options->comms.nr || options->dsos.nr || options->symbols.nr ||
	       options->symbol_part || options->nr_pids || options->nr_tids;
}

struct hists {
	const struct profile *profile;
	const struct names *names;
	struct hist_options options;
	u32 *rows; /* ids of rows, in the order described above */
	u64 nr_rows;
	struct hist_context *contexts;
	u32 nr_contexts;
	struct hist_group *groups;
	u32 nr_groups;
	struct hist_entry *entries;
	u32 nr_entries;
	struct hist_event *events;       /* per evsel */
	struct hist_location *locations; /* by key; NULL: keys are what they say themselves */
	u32 *key_of_loc;
	u32 nr_keys;
};

/* @profile, @names and what @options points to must outlive @hists. */
void hists__init(struct hists *hists, const struct profile *profile, const struct names *names,
                 const struct hist_options *options);
void hists__exit(struct hists *hists);

/* The entry's sym (only when sorted by symbol) and dso name (by symbol or dso). */
const struct sym *hist_entry__sym(const struct hists *hists, const struct hist_entry *entry);
const char *hist_entry__dso(const struct hists *hists, const struct hist_entry *entry);

/* "file.c:12", "file.c": only when sorted by srcline or srcfile. */
const char *hist_entry__source(const struct hists *hists, const struct hist_entry *entry,
                               enum sort_key key);
const struct hist_context *hist_entry__context(const struct hists *hists,
                                               const struct hist_entry *entry);

#endif
