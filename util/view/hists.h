/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of a report: the rows of a profile grouped by the chosen sort keys, per event. The keys
 * of rows and samples make the entry's *context*, those of locations its *key*. An entry
 * has its own (self) sums and, with `children`, the sums of all rows in whose chain it occurs; each
 * row counts once, however often the entry recurs in it.
 *
 * The events of a group can share their entries (hist_options.groups): each entry is one of the
 * leader, which may have nothing itself, and has a member for each event.
 *
 * Rows are kept sorted by (event, context, key of the leaf), so the rows of an entry are adjacent
 * in hists->rows; call-chain trees start from there (util/view/callchain.h).
 */
#ifndef PERF_UTIL_VIEW_HISTS_H
#define PERF_UTIL_VIEW_HISTS_H

#include <regex.h>

#include "util/chains/chains.h"
#include "util/lib/name_list.h"
#include "util/profile/key.h"
#include "util/profile/names.h"
#include "util/profile/profile.h"
#include "util/profile/source.h"
#include "util/view/fields.h"

struct hist_entry {
	u32 group;     /* index into hists->groups */
	u32 key;       /* from hists->key_of_loc: what its location keys say together */
	u64 first_row; /* hists->rows[first_row ..]: rows whose leaf is this entry */
	u32 nr_rows;
	bool hidden; /* by a filter */
	u64 count, period;
	u64 total_count, total_period; /* with children; else the same as self */
	u64 total_latency;             /* the same of periods, each shared by all who ran then */
	/* With children, for the order of equal totals: callers stand above callees. */
	u32 thread; /* the first with this entry */
	u16 depth;  /* frames of the longest chain that belongs to it */
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
	u64 latency, shown_latency;
};

struct hist_options {
	struct sort_keys keys;
	struct view_fields order; /* empty: what leads, self, the keys */
	bool children;
	bool groups;        /* event groups share entries: evsels [leader .. leader + nr_members) */
	u32 sort_member;    /* sort groups only by what this event of them has; 0: by all in turn */
	bool callers_first; /* among equal totals; then: */
	bool caller_order;  /* chains are shown from the caller down: see hist_entry.depth */
	bool hide_unresolved;        /* leave out rows whose leaf has no symbol, and such entries */
	const struct source *source; /* for KEY_NEEDS_SOURCE, else NULL */
	bool verbose, nanoseconds;   /* as in struct key_data */
	/* Filters: empty passes all. Rows that fail count in hist_event.count but not in shown. */
	struct sample_filter filter; /* borrowed; by command, task, dso and symbol */
	const char *symbol_part;     /* part of the symbol's name, or NULL */
	const regex_t *parent;       /* for KEY_NEEDS_PARENT: which functions are one */
	bool parents_only;           /* leave out rows without one */
	s32 socket;                  /* only rows of its CPUs, if has_socket */
	bool has_socket;
	/* Latencies are summed up, by this key of the profile (key_parallelism.h); NULL: 0. */
	const struct key *parallelism;
	struct id_list running; /* only rows with so many threads at a time; empty: any */
};

/* Is any filter set? */
static inline bool hist_options__filter(const struct hist_options *options)
{
	const struct sample_filter *filter = &options->filter;

	return filter->comms.nr || filter->dsos.nr || filter->symbols.nr || options->symbol_part ||
	       filter->pids.nr || filter->tids.nr || options->parents_only || options->has_socket ||
	       options->running.nr;
}

#define HIST_MODES 4 /* VIEW_SYS .. VIEW_GUEST_US */

struct hists {
	const struct profile *profile;
	const struct chains *chains;
	const struct names *names;
	struct hist_options options;
	u32 *rows; /* ids of rows, in the order described above */
	u64 nr_rows;
	u32 *row_of_context; /* a row that has it */
	u32 nr_contexts;
	struct hist_group *groups;
	u32 nr_groups;
	struct hist_entry *entries;
	u32 nr_entries;
	struct hist_event *events; /* per evsel */
	u32 *key_of_loc;
	u32 *loc_of_key; /* a location that has it */
	u32 nr_keys;
	struct key_data data; /* what keys read */
	/* With groups: what the members behind the leader have; by group << 32 | key of the
	 * leader's entry the place of the first of them. */
	struct hist_entry *members;
	struct u64map members_of;
	/* Sums of periods over rows[0 .. i), by how code ran; NULL: nobody asked. */
	u64 *mode_sums[HIST_MODES];
	s32 *sockets;
	u32 *parents; /* by row */
	u32 parallelism_slot;
	bool rows_left_out; /* by filters on comms, pids or tids */
};

/* @chains, @names and what @options points to must outlive @hists. */
void hists__init(struct hists *hists, const struct chains *chains, const struct names *names,
                 const struct hist_options *options);
void hists__exit(struct hists *hists);

/*
 * Filter in another way, at the cost of one look at each row: false, and nothing is done, where
 * that cannot be, as options differ in more than filters, or entries do not tell what passes.
 */
bool hists__refilter(struct hists *hists, const struct hist_options *options);

/* The value of a figure of an entry. Those of modes are added up when one is first asked for. */
u64 hists__figure(struct hists *hists, const struct hist_entry *entry, enum view_figure figure);

/* The number of events whose entries those of @evsel are: 1, where it stands alone. */
static inline u32 hists__nr_members(const struct hists *hists, u32 evsel)
{
	return hists->options.groups ? hists->names->session->evlist->evsels[evsel]->nr_members : 1;
}

/* In whose sums a row of the profile counts, whatever filters say; ID_NONE: it is left out. */
u32 hists__event_of(const struct hists *hists, u64 row);

/* By which event of its group the table of @evsel is sorted first; 0 is the leader. */
static inline u32 hists__sort_member(const struct hists *hists, u32 evsel)
{
	u32 member = hists->options.sort_member;

	return member < hists__nr_members(hists, evsel) ? member : 0;
}

/* What @entry has in event @member of its group; 0 is the leader, whose entry it is. */
const struct hist_entry *hists__member(const struct hists *hists, const struct hist_entry *entry,
                                       u32 member);

/* What the key's functions are asked about: a row or a location that has the entry's value. */
static inline u32 hist_entry__subject(const struct hists *hists, const struct hist_entry *entry,
                                      const struct key *key)
{
	return key->scope == KEY_OF_LOCATION
	               ? hists->loc_of_key[entry->key]
	               : hists->row_of_context[hists->groups[entry->group].context];
}

/* The entry's sym; only when sorted by symbol. */
static inline const struct sym *hist_entry__sym(const struct hists *hists,
                                                const struct hist_entry *entry)
{
	return &hists->names->syms[hists->names->sym_of_loc[hists->loc_of_key[entry->key]]];
}

#endif
