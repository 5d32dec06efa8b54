// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/chains/inlines.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/profile/source.h"

/* The locations that stand for one, outermost first: some of expansion->locs. nr 0: as it is. */
struct stretch {
	u32 first, nr;
};

struct expansion {
	struct names *names;
	const struct profile *profile;
	struct chains *chains;
	unsigned flags;
	u64 *vaddrs; /* by location: in the terms of the dso's table */
	bool *used;  /* by location: in some chain, and in a file with a symbol */
	/* By location: where it is the place itself, and where it is what a call returns to. */
	struct stretch *exact, *returned;
	u32 *locs;
	u32 nr_locs;
	size_t cap_locs;
	struct u64map texts; /* dso << 32 | text: of names->functions */
};

/* ---- which addresses ---- */

/* May functions be inlined in code of @dso, as far as the caller is interested? */
static bool is_expandable(const struct expansion *e, u32 dso)
{
	return dso != ID_NONE && (dsos__at(&e->names->session->dsos, dso)->kind == DSO_USER ||
	                          e->flags & INLINES_KERNEL);
}

static void mark_used(struct expansion *e)
{
	const struct profile *profile = e->profile;

	for (u32 i = 1; i < profile->nr_nodes; i++) {
		u32 loc = profile->nodes[i].loc;
		const struct loc *at = &profile->locs[loc];

		if (e->used[loc] || !is_expandable(e, at->dso) ||
		    !sym__named(&e->names->syms[e->names->sym_of_loc[loc]]))
			continue;
		e->used[loc] = true;
		session_symbols__find(e->names->symbols, at->dso, at->addr, &e->vaddrs[loc]);
	}
}

/* ---- what stands there ---- */

/* Of names->functions. */
static u32 function_name(struct expansion *e, u32 dso, const struct debug_info *info, u32 text)
{
	u32 *known = u64map__at(&e->texts, (u64)dso << 32 | text);

	if (*known == ID_NONE) {
		const char *raw = debug_info__text(info, text);

		*known = strtab__add(&e->names->functions,
		                     session_symbols__readable(e->names->symbols, dso, raw));
	}
	return *known;
}

/* What the debug information says of one address, the innermost first. */
struct place_frames {
	struct source_frame frames[SOURCE_FRAMES_MAX];
	u32 nr;
};

static void frames_at(const struct expansion *e, u32 loc, u64 vaddr, struct place_frames *at)
{
	struct debug_info *info =
	        session_symbols__source(e->names->symbols, e->profile->locs[loc].dso);

	at->nr = debug_info__frames(info, vaddr, at->frames, SOURCE_FRAMES_MAX);
}

static bool same_functions(const struct place_frames *a, const struct place_frames *b)
{
	bool same = a->nr == b->nr;

	for (u32 i = 0; same && i < a->nr; i++)
		same = a->frames[i].function == b->frames[i].function;
	return same;
}

/*
 * The frames @at in place of location @loc. The outermost is the symbol, which may have another
 * name than its debug information gives it.
 */
static struct stretch expand(struct expansion *e, u32 loc, const struct place_frames *at)
{
	u32 dso = e->profile->locs[loc].dso, sym = e->names->sym_of_loc[loc];
	struct debug_info *info = session_symbols__source(e->names->symbols, dso);
	struct stretch stretch = { .first = e->nr_locs };

	for (u32 i = at->nr; i-- > 0;) {
		u32 function = at->frames[i].function, name = 0;

		if (i != at->nr - 1 && function != ID_NONE)
			name = function_name(e, dso, info, function);
		u32 named = names__inlined(e->names, sym, name);

		array__reserve(&e->locs, &e->cap_locs, e->nr_locs + 1, sizeof(*e->locs));
		e->locs[e->nr_locs++] = named == sym ? loc : names__add_loc(e->names, loc, named);
		stretch.nr++;
	}
	if (stretch.nr == 1 && e->locs[stretch.first] == loc) { /* nothing new */
		e->nr_locs--;
		stretch.nr = 0;
	}
	return stretch;
}

/* Is a caller's address that of its call? */
static bool is_call_address(const struct expansion *e, const struct loc *loc)
{
	return e->flags & INLINES_CALL_ADDRESSES && loc->cpumode == PERF_RECORD_MISC_USER;
}

static void expand_locs(struct expansion *e)
{
	u32 nr = e->profile->nr_locs;
	struct place_frames at, before;

	for (u32 i = 0; i < nr; i++) {
		if (!e->used[i])
			continue;
		frames_at(e, i, e->vaddrs[i], &at);
		e->exact[i] = e->returned[i] = expand(e, i, &at);
		if (is_call_address(e, &e->profile->locs[i]) || !e->vaddrs[i])
			continue;
		frames_at(e, i, e->vaddrs[i] - 1, &before);
		if (!same_functions(&at, &before))
			e->returned[i] = expand(e, i, &before);
	}
}

/* ---- nodes ---- */

struct node_list {
	struct node *nodes;
	u32 nr;
	size_t cap;
};

static u32 add_node(struct node_list *list, u32 parent, u32 loc)
{
	array__reserve(&list->nodes, &list->cap, (size_t)list->nr + 1, sizeof(*list->nodes));
	list->nodes[list->nr] = (struct node){ parent, loc };
	return list->nr++;
}

static u32 add_stretch(const struct expansion *e, struct node_list *list, u32 parent, u32 loc,
                       const struct stretch *stretch)
{
	if (!stretch->nr)
		return add_node(list, parent, loc);
	for (u32 i = 0; i < stretch->nr; i++)
		parent = add_node(list, parent, e->locs[stretch->first + i]);
	return parent;
}

/* The same functions? */
static bool same_stretch(const struct expansion *e, const struct stretch *a,
                         const struct stretch *b)
{
	const u32 *sym_of_loc = e->names->sym_of_loc;

	if (a->nr != b->nr || a->first == b->first)
		return a->nr == b->nr;
	for (u32 i = 0; i < a->nr; i++)
		if (sym_of_loc[e->locs[a->first + i]] != sym_of_loc[e->locs[b->first + i]])
			return false;
	return true;
}

/*
 * What a node becomes: its innermost frame where the code itself was at its address, and where
 * that is what a call returns to. ID_NONE: not needed.
 */
struct new_node {
	u32 exact, returned;
};

/* Note that somebody needs old node @id. */
static void need(const struct expansion *e, struct new_node *news, u32 id, bool exact)
{
	u32 loc = e->profile->nodes[id].loc;

	if (id == NODE_ROOT)
		return;
	if (exact || same_stretch(e, &e->exact[loc], &e->returned[loc]))
		news[id].exact = 0;
	else
		news[id].returned = 0;
}

/* The caller was interrupted where it is, and did not call: its callee is of another mode. */
static bool entered(const struct profile *profile, u32 id)
{
	u32 parent = profile->nodes[id].parent;

	return parent != NODE_ROOT && profile->locs[profile->nodes[parent].loc].cpumode !=
	                                      profile->locs[profile->nodes[id].loc].cpumode;
}

static u32 new_parent(const struct expansion *e, const struct new_node *news, u32 id)
{
	u32 parent = e->profile->nodes[id].parent;
	u32 loc = e->profile->nodes[parent].loc;

	if (parent == NODE_ROOT)
		return NODE_ROOT;
	return entered(e->profile, id) || same_stretch(e, &e->exact[loc], &e->returned[loc])
	               ? news[parent].exact
	               : news[parent].returned;
}

static void rebuild_nodes(const struct expansion *e)
{
	const struct profile *profile = e->profile;
	struct node_list list = { .nr = 0 };
	struct new_node *news = xrealloc(NULL, profile->nr_nodes, sizeof(*news));
	u32 *node_of_row = xrealloc(NULL, profile->nr_rows, sizeof(*node_of_row));

	memset(news, 0xff, profile->nr_nodes * sizeof(*news));
	for (u64 i = 0; i < profile->nr_rows; i++)
		need(e, news, profile->rows[i].node, true);
	for (u32 i = profile->nr_nodes; i-- > 1;)
		if (news[i].exact != ID_NONE || news[i].returned != ID_NONE)
			need(e, news, profile->nodes[i].parent, entered(profile, i));
	add_node(&list, NODE_ROOT, ID_NONE);
	for (u32 i = 1; i < profile->nr_nodes; i++) {
		u32 loc = profile->nodes[i].loc, parent = new_parent(e, news, i);

		if (news[i].exact != ID_NONE)
			news[i].exact = add_stretch(e, &list, parent, loc, &e->exact[loc]);
		if (news[i].returned != ID_NONE)
			news[i].returned = add_stretch(e, &list, parent, loc, &e->returned[loc]);
	}
	for (u64 i = 0; i < profile->nr_rows; i++) {
		u32 node = profile->rows[i].node;

		node_of_row[i] = node == NODE_ROOT ? NODE_ROOT : news[node].exact;
	}
	chains__replace(e->chains, list.nodes, list.nr, node_of_row);
	free(news);
}

void inlines__expand(struct chains *chains, struct names *names, unsigned flags, unsigned workers)
{
	const struct profile *profile = chains->profile;
	u32 nr = profile->nr_locs;
	struct expansion e = {
		.names = names,
		.profile = profile,
		.chains = chains,
		.flags = flags,
		.vaddrs = xcalloc(nr, sizeof(*e.vaddrs)),
		.used = xcalloc(nr, sizeof(*e.used)),
		.exact = xcalloc(nr, sizeof(*e.exact)),
		.returned = xcalloc(nr, sizeof(*e.returned)),
	};

	mark_used(&e);
	source__load(names, profile, e.used, e.vaddrs, workers);
	expand_locs(&e);
	if (e.nr_locs)
		rebuild_nodes(&e);
	u64map__exit(&e.texts);
	free(e.vaddrs);
	free(e.used);
	free(e.exact);
	free(e.returned);
	free(e.locs);
}
