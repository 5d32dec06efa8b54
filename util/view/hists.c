// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How rows become entries: rows that pass are sorted by counting, by the key of their leaf and
 * then by group (event, context), and cut into entries where either changes. Children sums walk
 * each row's chain once, with a stamp per key, group by group; tables indexed by key are enough
 * for that because a group has one context.
 */
#include "util/view/hists.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/profile/idtable.h"
#include "util/reader/features.h"
#include "util/view/hist_filter.h"
#include "util/view/hist_order.h"

struct key_list {
	const struct sort_key *by[SORT_KEYS_MAX];
	u32 nr;
};

/* Working state of hists__init(). */
struct grouping {
	struct hists *hists;
	struct key_list of_locations, of_rows;
	struct hist_filter filter;
	bool filter_rows; /* dso and symbol filters act on leaves, not on entries */
	struct idtable context_index;
	struct u64map group_index; /* evsel << 32 | context */
	u32 last_context;
	size_t cap_contexts, cap_groups, cap_entries;
	u32 *group_of, *key_of; /* by position in hists->rows before sorting */
	u16 *depth_of;          /* by node, with children: frames from the root */
};

/* ---- keys, contexts, groups ---- */

/* Those keys that tell locations apart, or the rows of one location. */
static void list_keys(const struct hists *hists, bool of_locations, struct key_list *list)
{
	const struct sort_keys *keys = &hists->options.keys;

	for (u32 i = 0; i < keys->nr; i++) {
		const struct key *key = keys->list[i].key, *by = key->implied_by;

		if ((key->scope == KEY_OF_LOCATION) == of_locations &&
		    !(by && sort_keys__has(keys, by)))
			list->by[list->nr++] = &keys->list[i];
	}
}

static u64 hash_values(const struct hists *hists, const struct key_list *keys, u32 subject)
{
	u64 hash = 0;

	for (u32 i = 0; i < keys->nr; i++)
		hash = hash__add(hash, sort_key__value(&hists->data, keys->by[i], subject));
	return hash;
}

static bool equal_values(const struct hists *hists, const struct key_list *keys, u32 a, u32 b)
{
	for (u32 i = 0; i < keys->nr; i++)
		if (sort_key__value(&hists->data, keys->by[i], a) !=
		    sort_key__value(&hists->data, keys->by[i], b))
			return false;
	return true;
}

static bool key_hash_of(const void *ctx, u32 id, u64 *hash)
{
	const struct grouping *grouping = ctx;

	*hash = hash_values(grouping->hists, &grouping->of_locations,
	                    grouping->hists->loc_of_key[id]);
	return true;
}

static u32 add_key(struct hists *hists, u32 loc)
{
	hists->loc_of_key[hists->nr_keys] = loc;
	return hists->nr_keys++;
}

static u32 intern_key(struct grouping *grouping, struct idtable *index, u32 loc)
{
	struct hists *hists = grouping->hists;
	const struct key_list *keys = &grouping->of_locations;
	u64 hash = hash_values(hists, keys, loc);
	u32 i;

	idtable__reserve(index, key_hash_of, grouping);
	for (i = idtable__start(index, hash); !idtable__free(index, i);
	     i = idtable__next(index, i)) {
		u32 known = idtable__id(index, i);

		if (idtable__match(index, i, hash) &&
		    equal_values(hists, keys, hists->loc_of_key[known], loc))
			return known;
	}
	idtable__add(index, i, hash, hists->nr_keys);
	return add_key(hists, loc);
}

/* Of one key whose values have a bound: a table by value. */
static void make_keys_by_value(struct hists *hists, const struct sort_key *by)
{
	u32 nr_values = by->key->nr_values(&hists->data);
	u32 *key_of = xrealloc(NULL, nr_values, sizeof(*key_of));

	memset(key_of, 0xff, (size_t)nr_values * sizeof(*key_of));
	for (u32 i = 0; i < hists->names->nr_locs; i++) {
		u64 value = sort_key__value(&hists->data, by, i);

		if (key_of[value] == ID_NONE)
			key_of[value] = add_key(hists, i);
		hists->key_of_loc[i] = key_of[value];
	}
	free(key_of);
}

static void make_keys(struct grouping *grouping)
{
	struct hists *hists = grouping->hists;
	const struct key_list *keys = &grouping->of_locations;
	u32 nr_locs = hists->names->nr_locs;
	struct idtable index = { .nr = 0 };

	hists->key_of_loc = xrealloc(NULL, nr_locs, sizeof(*hists->key_of_loc));
	hists->loc_of_key = xrealloc(NULL, nr_locs, sizeof(*hists->loc_of_key));
	if (keys->nr == 1 && keys->by[0]->key->nr_values) {
		make_keys_by_value(hists, keys->by[0]);
		return;
	}
	for (u32 i = 0; i < nr_locs; i++)
		hists->key_of_loc[i] = intern_key(grouping, &index, i);
	idtable__exit(&index);
}

static bool context_hash_of(const void *ctx, u32 id, u64 *hash)
{
	const struct grouping *grouping = ctx;

	*hash = hash_values(grouping->hists, &grouping->of_rows,
	                    grouping->hists->row_of_context[id]);
	return true;
}

/* The context of row @row. Neighbours often have the same. */
static u32 intern_context(struct grouping *grouping, u32 row)
{
	struct hists *hists = grouping->hists;
	struct idtable *index = &grouping->context_index;
	const struct key_list *keys = &grouping->of_rows;
	u64 hash;
	u32 i;

	if (hists->nr_contexts &&
	    equal_values(hists, keys, row, hists->row_of_context[grouping->last_context]))
		return grouping->last_context;
	hash = hash_values(hists, keys, row);
	idtable__reserve(index, context_hash_of, grouping);
	for (i = idtable__start(index, hash); !idtable__free(index, i);
	     i = idtable__next(index, i)) {
		u32 known = idtable__id(index, i);

		if (idtable__match(index, i, hash) &&
		    equal_values(hists, keys, hists->row_of_context[known], row))
			return grouping->last_context = known;
	}
	idtable__add(index, i, hash, hists->nr_contexts);
	array__reserve(&hists->row_of_context, &grouping->cap_contexts,
	               (size_t)hists->nr_contexts + 1, sizeof(u32));
	hists->row_of_context[hists->nr_contexts] = row;
	return grouping->last_context = hists->nr_contexts++;
}

/* Whose entries it belongs to. */
static u32 event_of(const struct hists *hists, const struct row *row)
{
	return hists->names->session->evlist->evsels[row->evsel]->same_as;
}

static u32 group_of(struct grouping *grouping, u32 event, u32 context)
{
	struct hists *hists = grouping->hists;
	u32 *id = u64map__at(&grouping->group_index, (u64)event << 32 | context);

	if (*id == ID_NONE) {
		*id = hists->nr_groups++;
		array__reserve(&hists->groups, &grouping->cap_groups, hists->nr_groups,
		               sizeof(*hists->groups));
		hists->groups[*id] = (struct hist_group){ context, event, 0, 0 };
	}
	return *id;
}

/* ---- parents ---- */

/* Of each row the function of its chain that is nearest to the leaf and one that was asked for. */
static void find_parents(struct hists *hists)
{
	const struct chains *chains = hists->chains;
	bool *matches = names__match(hists->names, hists->options.parent);
	u32 *parent_of_node = xrealloc(NULL, chains->nr_nodes, sizeof(*parent_of_node));

	parent_of_node[NODE_ROOT] = ID_NONE;
	for (u32 i = 1; i < chains->nr_nodes; i++) {
		const struct node *node = &chains->nodes[i];
		u32 sym = hists->names->sym_of_loc[node->loc];

		parent_of_node[i] = matches[sym] ? sym : parent_of_node[node->parent];
	}
	hists->parents = xrealloc(NULL, hists->profile->nr_rows, sizeof(*hists->parents));
	for (u64 i = 0; i < hists->profile->nr_rows; i++)
		hists->parents[i] = parent_of_node[chains__node(chains, i)];
	hists->data.parent_of_row = hists->parents;
	free(parent_of_node);
	free(matches);
}

/* ---- rows ---- */

/* The part of the time that passed which its samples stand for. */
static u64 latency_of(const struct hists *hists, u64 row)
{
	const struct profile *profile = hists->profile;

	return hists->options.parallelism
	               ? profile->rows[row].period /
	                         profile__sample_value(profile, row, hists->parallelism_slot)
	               : 0;
}

/* By what only the row's number tells, or what is worked out here. */
static bool passes_here(const struct hists *hists, u64 row)
{
	const struct hist_options *options = &hists->options;
	u16 cpu = hists->profile->rows[row].cpu;

	if (options->parents_only && hists->parents[row] == ID_NONE)
		return false;
	if (!options->has_socket)
		return true;
	return (cpu < hists->data.nr_sockets ? hists->sockets[cpu] : -1) == options->socket;
}

static void add_shown(struct hists *hists, struct hist_event *event, u64 id)
{
	const struct row *row = &hists->profile->rows[id];

	event->shown_count += row->count;
	event->shown_period += row->period;
	if (hists->options.parallelism)
		event->shown_latency += latency_of(hists, id);
}

u32 hists__event_of(const struct hists *hists, u64 row)
{
	u32 sym = hists->names->sym_of_loc[chains__leaf(hists->chains, row)];

	if (hists->options.hide_unresolved && !sym__named(&hists->names->syms[sym]))
		return ID_NONE;
	return event_of(hists, &hists->profile->rows[row]);
}

/* Count @row in its event; true if it belongs to an entry. */
static bool take_row(struct grouping *grouping, u64 id)
{
	struct hists *hists = grouping->hists;
	const struct row *row = &hists->profile->rows[id];
	u32 sym = hists->names->sym_of_loc[chains__leaf(hists->chains, id)];
	bool hidden = hist_filter__hides_sym(&grouping->filter, sym);
	u32 evsel = hists__event_of(hists, id);

	if (evsel == ID_NONE)
		return false;
	struct hist_event *event = &hists->events[evsel];

	event->count += row->count;
	event->count_rest += event != &hists->events[row->evsel] ? row->count : 0;
	event->period += row->period;
	event->latency += latency_of(hists, id);
	if (!hist_filter__row(&grouping->filter, row) || !passes_here(hists, id))
		return false;
	if (!hidden)
		add_shown(hists, event, id);
	return !hidden || !grouping->filter_rows;
}

static void take_rows(struct grouping *grouping)
{
	struct hists *hists = grouping->hists;
	u64 nr = hists->profile->nr_rows;

	hists->rows = xrealloc(NULL, nr, sizeof(*hists->rows));
	grouping->group_of = xrealloc(NULL, nr, sizeof(u32));
	grouping->key_of = xrealloc(NULL, nr, sizeof(u32));
	for (u64 i = 0; i < nr; i++) {
		const struct row *row = &hists->profile->rows[i];

		if (!take_row(grouping, i))
			continue;
		if (hists->options.keys.needs & KEY_NEEDS_THREADS)
			key_data__see(&hists->data, row);
		u32 group = group_of(grouping, event_of(hists, row), intern_context(grouping, i));

		hists->groups[group].nr_rows++;
		grouping->group_of[i] = group;
		grouping->key_of[i] = hists->key_of_loc[chains__leaf(hists->chains, i)];
		hists->rows[hists->nr_rows++] = i;
	}
}

/* Stable counting sort of @rows by value_of[row] < nr_values, into @sorted. */
static void sort_rows(const u32 *rows, u64 nr, const u32 *value_of, u32 nr_values, u32 *sorted)
{
	u64 *next = xcalloc((size_t)nr_values + 1, sizeof(*next));

	for (u64 i = 0; i < nr; i++)
		next[value_of[rows[i]] + 1]++;
	for (u32 i = 0; i < nr_values; i++)
		next[i + 1] += next[i];
	for (u64 i = 0; i < nr; i++)
		sorted[next[value_of[rows[i]]]++] = rows[i];
	free(next);
}

/* Chain trees want the rows of an entry in the order of their nodes; most often they are. */
static void order_by_node(struct hists *hists)
{
	const struct chains *chains = hists->chains;
	u64 i = 1;

	while (i < hists->nr_rows &&
	       chains__node(chains, hists->rows[i - 1]) <= chains__node(chains, hists->rows[i]))
		i++;
	if (i >= hists->nr_rows)
		return;
	u32 *node_of = xrealloc(NULL, hists->profile->nr_rows, sizeof(*node_of));
	u32 *sorted = xrealloc(NULL, hists->nr_rows, sizeof(*sorted));

	for (u64 row = 0; row < hists->profile->nr_rows; row++)
		node_of[row] = chains__node(chains, row);
	sort_rows(hists->rows, hists->nr_rows, node_of, chains->nr_nodes, sorted);
	free(hists->rows);
	hists->rows = sorted;
	free(node_of);
}

static void order_rows(struct grouping *grouping)
{
	struct hists *hists = grouping->hists;
	u32 *by_key = xrealloc(NULL, hists->nr_rows, sizeof(u32));
	u64 first = 0;

	if (hists->options.children)
		order_by_node(hists);
	sort_rows(hists->rows, hists->nr_rows, grouping->key_of, hists->nr_keys, by_key);
	sort_rows(by_key, hists->nr_rows, grouping->group_of, hists->nr_groups, hists->rows);
	free(by_key);
	for (u32 i = 0; i < hists->nr_groups; i++) {
		hists->groups[i].first_row = first;
		first += hists->groups[i].nr_rows;
	}
}

/* ---- entries ---- */

static struct hist_entry *add_entry(struct grouping *grouping, u32 group, u32 key, u64 first_row)
{
	struct hists *hists = grouping->hists;
	struct hist_entry *entry;

	array__reserve(&hists->entries, &grouping->cap_entries, hists->nr_entries + 1,
	               sizeof(*entry));
	entry = &hists->entries[hists->nr_entries++];
	*entry = (struct hist_entry){
		.group = group,
		.key = key,
		.first_row = first_row,
		.thread = ID_NONE,
	};
	return entry;
}

/* The entries that are leaf of some row; their rows stand together. */
static void add_self_entries(struct grouping *grouping, u32 group)
{
	struct hists *hists = grouping->hists;
	const struct hist_group *rows = &hists->groups[group];
	struct hist_entry *entry = NULL;

	for (u64 i = rows->first_row; i < rows->first_row + rows->nr_rows; i++) {
		const struct row *row = &hists->profile->rows[hists->rows[i]];
		u32 key = grouping->key_of[hists->rows[i]];

		if (!entry || entry->key != key)
			entry = add_entry(grouping, group, key, i);
		entry->nr_rows++;
		entry->count += row->count;
		entry->period += row->period;
		if (!hists->options.children)
			entry->total_latency += latency_of(hists, hists->rows[i]);
	}
}

/* What children sums know of each key while one group is worked on. */
struct key_state {
	u32 entry;    /* ID_NONE: none yet */
	u32 last_row; /* the row that counted it last */
};

static u16 *measure_depths(const struct chains *chains)
{
	u16 *depth_of = xrealloc(NULL, chains->nr_nodes, sizeof(*depth_of));

	depth_of[NODE_ROOT] = 0;
	for (u32 i = 1; i < chains->nr_nodes; i++)
		depth_of[i] = depth_of[chains->nodes[i].parent] + 1;
	return depth_of;
}

static struct hist_entry *entry_of_key(struct grouping *grouping, u32 group, u32 key,
                                       struct key_state *state)
{
	if (state->entry == ID_NONE) {
		state->entry = grouping->hists->nr_entries;
		add_entry(grouping, group, key, 0);
	}
	return &grouping->hists->entries[state->entry];
}

struct counted_row {
	const struct row *row;
	u32 id;
	u64 latency;
};

/* Count a row once; false if that has been done. */
static bool add_row_to_entry(struct hist_entry *entry, const struct counted_row *counted,
                             struct key_state *state)
{
	const struct row *row = counted->row;

	if (state->last_row == counted->id)
		return false;
	state->last_row = counted->id;
	entry->total_count += row->count;
	entry->total_period += row->period;
	entry->total_latency += counted->latency;
	if (row->thread < entry->thread)
		entry->thread = row->thread;
	return true;
}

static void raise_depth(struct hist_entry *entry, u16 depth)
{
	if (depth > entry->depth)
		entry->depth = depth;
}

/*
 * The leaf counts first and its chain is the whole one. For callers it is the part from their
 * innermost frame up, or from their outermost frame down.
 */
static void add_row_to_entries(struct grouping *grouping, u32 group, u32 row_id,
                               struct key_state *states)
{
	struct hists *hists = grouping->hists;
	const struct node *nodes = hists->chains->nodes;
	const struct counted_row counted = { &hists->profile->rows[row_id], row_id,
		                             latency_of(hists, row_id) };
	u32 leaf = grouping->key_of[row_id], node = chains__node(hists->chains, row_id);
	u16 depth = grouping->depth_of[node];
	bool caller_order = hists->options.caller_order;
	struct hist_entry *entry = entry_of_key(grouping, group, leaf, &states[leaf]);

	add_row_to_entry(entry, &counted, &states[leaf]);
	raise_depth(entry, depth);
	for (; node != NODE_ROOT; node = nodes[node].parent) {
		u32 key = hists->key_of_loc[nodes[node].loc];

		if (key == leaf)
			continue;
		entry = entry_of_key(grouping, group, key, &states[key]);
		if (add_row_to_entry(entry, &counted, &states[key]) && !caller_order)
			raise_depth(entry, grouping->depth_of[node]);
		else if (caller_order)
			raise_depth(entry, depth - grouping->depth_of[node] + 1);
	}
}

static void add_children(struct grouping *grouping, u32 group, u32 first_entry,
                         struct key_state *states)
{
	struct hists *hists = grouping->hists;
	struct hist_group rows = hists->groups[group];

	for (u32 i = first_entry; i < hists->nr_entries; i++)
		states[hists->entries[i].key].entry = i;
	for (u64 i = rows.first_row; i < rows.first_row + rows.nr_rows; i++)
		add_row_to_entries(grouping, group, hists->rows[i], states);
	for (u32 i = first_entry; i < hists->nr_entries; i++)
		states[hists->entries[i].key].entry = ID_NONE;
}

static void make_entries(struct grouping *grouping)
{
	struct hists *hists = grouping->hists;
	struct key_state *states = xrealloc(NULL, hists->nr_keys, sizeof(*states));

	memset(states, 0xff, hists->nr_keys * sizeof(*states));
	if (hists->options.children)
		grouping->depth_of = measure_depths(hists->chains);
	for (u32 group = 0; group < hists->nr_groups; group++) {
		u32 first = hists->nr_entries;

		add_self_entries(grouping, group);
		if (hists->options.children) {
			add_children(grouping, group, first, states);
			continue;
		}
		for (u32 i = first; i < hists->nr_entries; i++) {
			hists->entries[i].total_count = hists->entries[i].count;
			hists->entries[i].total_period = hists->entries[i].period;
		}
	}
	free(states);
	free(grouping->depth_of);
}

/* Filters on dsos and symbols hide entries when entries have such a thing. */
static bool hides_entry(const struct hists *hists, const struct hist_filter *filter,
                        const struct hist_entry *entry)
{
	const struct sym *sym = hist_entry__sym(hists, entry);

	return hist_filter__hides_sym(filter, sym - hists->names->syms) ||
	       (hists->options.hide_unresolved && !sym__named(sym));
}

static void hide_entries(struct grouping *grouping)
{
	struct hists *hists = grouping->hists;

	for (u32 i = 0; hists->data.by_symbol && i < hists->nr_entries; i++)
		hists->entries[i].hidden =
		        hides_entry(hists, &grouping->filter, &hists->entries[i]);
}

/* ---- event groups ---- */

static u32 leader_of(const struct hists *hists, u32 evsel)
{
	return hists->names->session->evlist->evsels[evsel]->leader;
}

static u64 member_key(u32 group, u32 key)
{
	return (u64)group << 32 | key;
}

/* What joining entries needs: where the entry of a leader is, and the members of all. */
struct joining {
	struct u64map entry_of; /* by member_key() */
	size_t nr_members, cap_members;
};

static struct hist_entry *members_of(struct hists *hists, struct joining *joining, u64 key, u32 nr)
{
	u32 *first = u64map__at(&hists->members_of, key);

	if (*first == ID_NONE) {
		*first = joining->nr_members;
		joining->nr_members += nr;
		array__reserve(&hists->members, &joining->cap_members, joining->nr_members,
		               sizeof(*hists->members));
		memset(hists->members + *first, 0, nr * sizeof(*hists->members));
	}
	return hists->members + *first;
}

/* Make @entry a member of its leader's entry, which is made if there is none. */
static void join_entry(struct grouping *grouping, struct joining *joining,
                       const struct hist_entry *entry, u32 evsel)
{
	struct hists *hists = grouping->hists;
	u32 leader = leader_of(hists, evsel);
	u32 group = group_of(grouping, leader, hists->groups[entry->group].context);
	u64 key = member_key(group, entry->key);
	u32 *of_leader = u64map__at(&joining->entry_of, key);

	if (*of_leader == ID_NONE) {
		*of_leader = hists->nr_entries;
		struct hist_entry *made = add_entry(grouping, group, entry->key, 0);

		made->thread = entry->thread;
		made->hidden = entry->hidden;
	}
	members_of(hists, joining, key, hists__nr_members(hists, leader) - 1)[evsel - leader - 1] =
	        *entry;
}

/* Entries of members become members of entries of their leaders. */
static void join_members(struct grouping *grouping)
{
	struct hists *hists = grouping->hists;
	struct hist_entry *old = hists->entries;
	struct joining joining = { .entry_of = U64MAP_INIT };
	u32 nr = hists->nr_entries;

	hists->entries = NULL;
	hists->nr_entries = grouping->cap_entries = 0;
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < nr; i++) {
			u32 group = old[i].group, evsel = hists->groups[group].evsel;
			bool leads = leader_of(hists, evsel) == evsel;

			if (leads && !pass) {
				*u64map__at(&joining.entry_of, member_key(group, old[i].key)) =
				        hists->nr_entries;
				*add_entry(grouping, group, old[i].key, 0) = old[i];
			} else if (!leads && pass) {
				join_entry(grouping, &joining, &old[i], evsel);
			}
		}
	u64map__exit(&joining.entry_of);
	free(old);
}

const struct hist_entry *hists__member(const struct hists *hists, const struct hist_entry *entry,
                                       u32 member)
{
	static const struct hist_entry none = { .nr_rows = 0 };

	if (!member)
		return entry;
	u32 first = u64map__get(&hists->members_of, member_key(entry->group, entry->key));

	return first == ID_NONE ? &none : &hists->members[first + member - 1];
}

/* ---- figures ---- */

static u8 mode_of(const struct hists *hists, u32 row)
{
	u8 cpumode = hists->profile->locs[hists->profile->rows[row].leaf_loc].cpumode;

	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return VIEW_SYS;
	case PERF_RECORD_MISC_USER:
		return VIEW_US;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return VIEW_GUEST_SYS;
	case PERF_RECORD_MISC_GUEST_USER:
		return VIEW_GUEST_US;
	default:
		return VIEW_KEY;
	}
}

static void sum_modes(struct hists *hists)
{
	for (u32 mode = 0; mode < HIST_MODES; mode++)
		hists->mode_sums[mode] = xcalloc(hists->nr_rows + 1, sizeof(u64));
	for (u64 i = 0; i < hists->nr_rows; i++) {
		u32 row = hists->rows[i];
		u8 figure = mode_of(hists, row);

		for (u32 mode = 0; mode < HIST_MODES; mode++)
			hists->mode_sums[mode][i + 1] =
			        hists->mode_sums[mode][i] +
			        (figure == VIEW_SYS + mode ? hists->profile->rows[row].period : 0);
	}
}

u64 hists__figure(struct hists *hists, const struct hist_entry *entry, enum view_figure figure)
{
	switch (figure) {
	case VIEW_CHILDREN:
		return hists->options.children ? entry->total_period : 0;
	case VIEW_SAMPLES:
		return entry->count;
	case VIEW_LATENCY:
		return entry->total_latency;
	case VIEW_SYS:
	case VIEW_US:
	case VIEW_GUEST_SYS:
	case VIEW_GUEST_US:
		if (!hists->mode_sums[0])
			sum_modes(hists);
		const u64 *sums = hists->mode_sums[figure - VIEW_SYS] + entry->first_row;

		return entry->nr_rows ? sums[entry->nr_rows] - sums[0] : 0;
	default:
		return entry->period;
	}
}

static bool filters_tasks(const struct sample_filter *filter)
{
	return filter->comms.nr || filter->pids.nr || filter->tids.nr;
}

void hists__init(struct hists *hists, const struct chains *chains, const struct names *names,
                 const struct hist_options *options)
{
	const struct profile *profile = chains->profile;
	struct grouping grouping = { .hists = hists };

	*hists = (struct hists){
		.profile = profile,
		.chains = chains,
		.names = names,
		.options = *options,
		.members_of = U64MAP_INIT,
	};
	hists->data = (struct key_data){
		.profile = profile,
		.names = names,
		.source = options->source,
		.by_symbol = sort_keys__has(&options->keys, &key_symbol),
		.verbose = options->verbose,
		.nanoseconds = options->nanoseconds,
	};
	if (options->keys.needs & KEY_NEEDS_CPU || options->has_socket)
		hists->sockets = perf_data__sockets(names->session->data, &hists->data.nr_sockets);
	hists->data.socket_of_cpu = hists->sockets;
	if (options->parent)
		find_parents(hists);
	if (options->parallelism)
		hists->parallelism_slot = key__slot(options->parallelism, profile);
	hists->events = xcalloc(names->session->evlist->nr, sizeof(*hists->events));
	list_keys(hists, true, &grouping.of_locations);
	list_keys(hists, false, &grouping.of_rows);
	make_keys(&grouping);
	hist_filter__init(&grouping.filter, chains, names, &hists->options);
	grouping.filter_rows = !hists->data.by_symbol;
	hists->rows_left_out = filters_tasks(&options->filter);
	take_rows(&grouping);
	order_rows(&grouping);
	make_entries(&grouping);
	hide_entries(&grouping);
	if (options->groups)
		join_members(&grouping);
	hist_order__sort(hists);
	hist_filter__exit(&grouping.filter);
	idtable__exit(&grouping.context_index);
	u64map__exit(&grouping.group_index);
	free(grouping.group_of);
	free(grouping.key_of);
}

/* ---- other filters ---- */

#define SAME(a, b, member) (!memcmp(&(a)->member, &(b)->member, sizeof((a)->member)))

/* Does each entry have one command and thread, so that other filters on them hide it or not? */
static bool tells_tasks(const struct hists *hists, const struct sample_filter *to)
{
	const struct sample_filter *from = &hists->options.filter;
	const struct sort_keys *keys = &hists->options.keys;
	bool threads = keys->needs & KEY_NEEDS_THREADS;

	if (SAME(from, to, comms) && SAME(from, to, pids) && SAME(from, to, tids))
		return true;
	return !hists->rows_left_out && SAME(from, to, pids) && (threads || SAME(from, to, tids)) &&
	       ((!threads && sort_keys__has(keys, &key_comm)) || SAME(from, to, comms));
}

static bool tells_symbols(const struct hists *hists, const struct hist_options *to)
{
	const struct hist_options *from = &hists->options;

	return hists->data.by_symbol ||
	       (SAME(from, to, filter.dsos) && SAME(from, to, filter.symbols) &&
	        from->symbol_part == to->symbol_part);
}

static bool can_refilter(const struct hists *hists, const struct hist_options *to)
{
	struct hist_options other = *to;

	other.filter.comms = hists->options.filter.comms;
	other.filter.pids = hists->options.filter.pids;
	other.filter.tids = hists->options.filter.tids;
	other.filter.dsos = hists->options.filter.dsos;
	other.filter.symbols = hists->options.filter.symbols;
	other.symbol_part = hists->options.symbol_part;
	return !memcmp(&other, &hists->options, sizeof(other)) && tells_tasks(hists, &to->filter) &&
	       tells_symbols(hists, to);
}

static bool filters_rows(const struct hist_options *options)
{
	return filters_tasks(&options->filter) || options->running.nr;
}

/* Sum up what is shown, now that filters are others. */
static void sum_shown(struct hists *hists, const struct hist_filter *filter)
{
	const u32 *sym_of_loc = hists->names->sym_of_loc;
	bool filters = filters_rows(&hists->options);

	for (u32 i = 0; i < hists->names->session->evlist->nr; i++) {
		struct hist_event *event = &hists->events[i];

		event->shown_count = event->shown_period = event->shown_latency = 0;
	}
	for (u32 g = 0; g < hists->nr_groups; g++) {
		const struct hist_group *group = &hists->groups[g];
		struct hist_event *event = &hists->events[group->evsel];

		for (u64 i = group->first_row; i < group->first_row + group->nr_rows; i++) {
			u32 id = hists->rows[i], leaf = chains__leaf(hists->chains, id);

			if (!hist_filter__hides_sym(filter, sym_of_loc[leaf]) &&
			    (!filters || hist_filter__row(filter, &hists->profile->rows[id])))
				add_shown(hists, event, id);
		}
	}
}

/* By context: does it pass what filters tasks? NULL: all do. */
static bool *find_shown(const struct hists *hists, const struct hist_filter *filter)
{
	bool *shown;

	if (!filters_tasks(&hists->options.filter))
		return NULL;
	shown = xcalloc((size_t)hists->nr_contexts + 1, sizeof(*shown));
	for (u32 i = 0; i < hists->nr_contexts; i++)
		shown[i] =
		        hist_filter__row(filter, &hists->profile->rows[hists->row_of_context[i]]);
	return shown;
}

static void hide_others(struct hists *hists, const struct hist_filter *filter)
{
	bool by_symbol =
	        hists->data.by_symbol && (filter->sym_hidden || hists->options.hide_unresolved);
	bool *shown = find_shown(hists, filter);

	for (u32 i = 0; i < hists->nr_entries; i++) {
		struct hist_entry *entry = &hists->entries[i];

		entry->hidden = (shown && !shown[hists->groups[entry->group].context]) ||
		                (by_symbol && hides_entry(hists, filter, entry));
	}
	free(shown);
}

bool hists__refilter(struct hists *hists, const struct hist_options *options)
{
	struct hist_filter filter;

	if (!can_refilter(hists, options))
		return false;
	hists->options.filter = options->filter;
	hists->options.symbol_part = options->symbol_part;
	hist_filter__init(&filter, hists->chains, hists->names, &hists->options);
	sum_shown(hists, &filter);
	hide_others(hists, &filter);
	hist_filter__exit(&filter);
	return true;
}

void hists__exit(struct hists *hists)
{
	free(hists->rows);
	free(hists->row_of_context);
	free(hists->groups);
	free(hists->entries);
	free(hists->events);
	free(hists->key_of_loc);
	free(hists->loc_of_key);
	free(hists->sockets);
	free(hists->parents);
	free(hists->members);
	u64map__exit(&hists->members_of);
	for (u32 mode = 0; mode < HIST_MODES; mode++)
		free(hists->mode_sums[mode]);
	u64map__exit(&hists->data.threads);
	*hists = (struct hists){ .nr_rows = 0 };
}
