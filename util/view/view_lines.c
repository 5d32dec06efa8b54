// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows to be seen of an event are a list of lines. It is made when somebody asks for it; to
 * open a row is to put the lines of what is in it behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/view/view_private.h"

static void add_line(struct lines *lines, struct line line)
{
	array__reserve(&lines->list, &lines->cap, (size_t)lines->nr + 1, sizeof(line));
	lines->list[lines->nr++] = line;
}

static bool reaches_limit(const struct view *view, u32 evsel, u64 period)
{
	return !view->options.percent_limit ||
	       period * 100.0 >= view->options.percent_limit * view__total(view, evsel);
}

static void add_entry(const struct view *view, u32 evsel, struct lines *lines, u32 id, u16 depth)
{
	const struct hist_entry *entry = &view->hists.entries[id];

	if (!entry->hidden && reaches_limit(view, evsel, entry->total_period))
		add_line(lines, (struct line){ .kind = VIEW_ENTRY, .entry = id, .depth = depth });
}

/* Those of the event, which may be very many. */
static void add_entries(const struct view *view, u32 evsel, struct lines *lines)
{
	const struct hist_event *event = &view->hists.events[evsel];
	const struct hist_entry *entry = view->hists.entries + event->first_entry;
	bool limited = view->options.percent_limit;

	array__reserve(&lines->list, &lines->cap, event->nr_entries, sizeof(struct line));
	struct line *line = lines->list;

	for (u32 i = 0; i < event->nr_entries; i++, entry++)
		if (!entry->hidden && (!limited || reaches_limit(view, evsel, entry->total_period)))
			*line++ = (struct line){ .kind = VIEW_ENTRY,
				                 .entry = event->first_entry + i };
	lines->nr = line - lines->list;
}

/* In place of the levels of the last key its entries are shown: more than one if they say the same.
 */
static void add_levels(const struct view *view, u32 evsel, struct lines *lines, u32 first, u32 nr)
{
	const struct view_event *event = &view->events[evsel];

	for (u32 i = first; i < first + nr; i++) {
		const struct level *level = &event->levels[i];

		if (level->depth + 1u == view->nr_levels)
			for (u32 n = 0; n < level->nr_entries; n++)
				add_entry(view, evsel, lines, event->order[level->first_entry + n],
				          level->depth);
		else if (reaches_limit(view, evsel, level->period))
			add_line(lines, (struct line){ .kind = VIEW_LEVEL,
			                               .entry = event->order[level->first_entry],
			                               .id = i,
			                               .depth = level->depth });
	}
}

struct view_event *view_event__at(struct view *view, u32 evsel)
{
	struct view_event *event = &view->events[evsel];

	if (event->made)
		return event;
	event->made = true;
	if (view->nr_levels) {
		view_event__make_levels(view, event, evsel);
		add_levels(view, evsel, &event->lines, 0, event->nr_top);
	} else {
		add_entries(view, evsel, &event->lines);
	}
	return event;
}

u32 view__nr_rows(struct view *view, u32 evsel)
{
	return view_event__at(view, evsel)->lines.nr;
}

/* ---- chains ---- */

const struct chain_tree *view__tree(struct view *view, u32 entry)
{
	const struct hist_entry *of = &view->hists.entries[entry];

	return chain_builder__build(view->builder, of,
	                            view__total(view, view->hists.groups[of->group].evsel));
}

u64 view__profile_rows(struct view *view, u32 evsel, u32 row)
{
	return view->hists.entries[view_event__at(view, evsel)->lines.list[row].entry].nr_rows;
}

struct growing_tree *view_event__tree(struct view *view, struct view_event *event, u32 entry)
{
	const struct hist_entry *of = &view->hists.entries[entry];
	u32 *id = u64map__at(&event->tree_of, entry);

	if (*id != ID_NONE)
		return &event->trees[*id];
	*id = event->nr_trees++;
	array__reserve(&event->trees, &event->cap_trees, event->nr_trees, sizeof(*event->trees));
	struct growing_tree *tree = &event->trees[*id];

	growing_tree__init(tree, view->builder, of,
	                   view__total(view, view->hists.groups[of->group].evsel));
	return tree;
}

static void forget_trees(struct view_event *event)
{
	for (u32 i = 0; i < event->nr_trees; i++)
		growing_tree__exit(&event->trees[i]);
	event->nr_trees = 0;
	u64map__exit(&event->tree_of);
	event->tree_of = (struct u64map)U64MAP_INIT;
}

void view_event__exit(struct view_event *event)
{
	forget_trees(event);
	free(event->trees);
	free(event->lines.list);
	free(event->order);
	free(event->levels);
	*event = (struct view_event){ .made = false };
}

static const struct chain_node *node_of(struct view *view, struct view_event *event,
                                        const struct line *line)
{
	return growing_tree__node(view_event__tree(view, event, line->entry), view->builder,
	                          line->kind == VIEW_FRAME ? line->id : 0);
}

/* The first frame of each branch below @node. */
static void add_branches(const struct chain_node *node, struct lines *lines,
                         const struct line *above)
{
	for (u32 i = node->first_child; i < node->first_child + node->nr_children; i++)
		add_line(lines, (struct line){ .kind = VIEW_FRAME,
		                               .entry = above->entry,
		                               .id = i,
		                               .depth = above->depth + 1 });
}

/* The frames that follow the first of a branch; then the branches below it. */
static void add_frames(const struct chain_node *node, struct lines *lines, const struct line *first)
{
	for (u32 i = 1; i < node->nr_frames; i++)
		add_line(lines, (struct line){ .kind = VIEW_FRAME,
		                               .entry = first->entry,
		                               .id = first->id,
		                               .frame = i,
		                               .depth = first->depth + 1 });
	add_branches(node, lines, first);
}

/* An entry's chains are not looked at, but no branch of it is larger than it is. */
bool view__has_chains(const struct view *view, const struct hist_entry *entry)
{
	const struct chain_options *options = &view->options.chain;

	return view->builder &&
	       (options->mode != CHAIN_GRAPH ||
	        !chain_options__prunes(options, entry->total_period,
	                               view__total(view, view->hists.groups[entry->group].evsel)));
}

bool view_event__is_openable(struct view *view, struct view_event *event, const struct line *line)
{
	const struct chain_node *node;

	switch (line->kind) {
	case VIEW_LEVEL:
		return true;
	case VIEW_ENTRY:
		return view__has_chains(view, &view->hists.entries[line->entry]);
	default:
		if (line->frame)
			return false;
		node = node_of(view, event, line);
		return node->nr_frames > 1 || node->nr_children;
	}
}

/*
 * Put what is in @line to the end of @lines; and what is in that, until there are @wanted. It
 * spreads as @line does.
 */
static void add_inside(struct view *view, u32 evsel, struct lines *lines, struct line line,
                       u32 wanted)
{
	struct view_event *event = &view->events[evsel];
	u32 first = lines->nr;

	if (!view_event__is_openable(view, event, &line))
		return;
	if (line.kind == VIEW_LEVEL)
		add_levels(view, evsel, lines, event->levels[line.id].first,
		           event->levels[line.id].nr);
	else if (line.kind == VIEW_ENTRY)
		add_branches(node_of(view, event, &line), lines, &line);
	else
		add_frames(node_of(view, event, &line), lines, &line);
	for (u32 i = first; i < lines->nr; i++)
		lines->list[i].spreads = line.spreads;
	if (first + 1 >= wanted || lines->nr == first)
		return;
	u32 nr = lines->nr - first;
	struct line *inside = xrealloc(NULL, nr, sizeof(*inside));

	memcpy(inside, lines->list + first, nr * sizeof(*inside));
	lines->nr = first;
	for (u32 i = 0; i < nr; i++) {
		u32 at = lines->nr;

		add_line(lines, inside[i]);
		if (lines->nr < wanted)
			add_inside(view, evsel, lines, inside[i], wanted);
		lines->list[at].open = lines->nr > at + 1;
	}
	free(inside);
}

/* Put @nr lines in place of @old ones at @at. */
static void splice(struct lines *lines, u32 at, u32 old, const struct line *list, u32 nr)
{
	array__reserve(&lines->list, &lines->cap, (size_t)lines->nr + nr, sizeof(*list));
	memmove(lines->list + at + nr, lines->list + at + old,
	        (lines->nr - at - old) * sizeof(*list));
	if (nr)
		memcpy(lines->list + at, list, nr * sizeof(*list));
	lines->nr += nr - old;
}

void view__open(struct view *view, u32 evsel, u32 i, bool open)
{
	struct lines *lines = &view_event__at(view, evsel)->lines, inside = { .nr = 0 };
	struct line line = lines->list[i];
	u32 old = 0;

	if (line.open == open)
		return;
	if (open)
		add_inside(view, evsel, &inside, line, 0);
	else
		while (i + 1 + old < lines->nr && lines->list[i + 1 + old].depth > line.depth)
			old++;
	lines->list[i].open = inside.nr;
	lines->list[i].closed = !open;
	splice(lines, i + 1, old, inside.list, inside.nr);
	free(inside.list);
}

void view__spread(struct view *view, u32 evsel, u32 i)
{
	view__open(view, evsel, i, false);
	struct line *line = &view_event__at(view, evsel)->lines.list[i];

	line->spreads = true;
	line->closed = false;
}

/* Lines that are in no other, closed. */
static void close_all(struct view *view, u32 evsel, bool spreads)
{
	struct view_event *event = view_event__at(view, evsel);
	struct line *list = event->lines.list;
	u32 nr = 0;

	for (u32 i = 0; i < event->lines.nr; i++) {
		if (list[i].depth > list[0].depth)
			continue;
		list[nr] = list[i];
		list[nr].open = list[nr].closed = false;
		list[nr++].spreads = spreads;
	}
	event->lines.nr = nr;
	forget_trees(event);
}

void view__spread_all(struct view *view, u32 evsel)
{
	close_all(view, evsel, true);
}

void view__open_all(struct view *view, u32 evsel, bool open)
{
	close_all(view, evsel, open);
	if (open)
		view__show(view, evsel, 0, UINT32_MAX);
}

static bool waits(const struct line *line)
{
	return line->spreads && !line->open && !line->closed;
}

u32 view__show(struct view *view, u32 evsel, u32 i, u32 wanted)
{
	struct lines *lines = &view_event__at(view, evsel)->lines, opened = { .nr = 0 };
	u32 old = 0;

	for (; i + old < lines->nr && opened.nr < wanted; old++) {
		struct line line = lines->list[i + old];
		u32 at = opened.nr;

		add_line(&opened, line);
		if (!waits(&line))
			continue;
		add_inside(view, evsel, &opened, line, wanted);
		opened.list[at].open = opened.nr > at + 1;
	}
	u32 nr = opened.nr - old;

	if (nr)
		splice(lines, i, old, opened.list, opened.nr);
	free(opened.list);
	return nr;
}

u32 view__show_before(struct view *view, u32 evsel, u32 first, u32 end, u32 wanted)
{
	struct lines *lines = &view_event__at(view, evsel)->lines;
	u32 nr = lines->nr, i = end;

	while (i > first && end - i < wanted) {
		u32 before = lines->nr;

		if (!waits(&lines->list[--i]))
			continue;
		view__open(view, evsel, i, true);
		end += lines->nr - before;
		i += lines->nr == before ? 0
		                         : lines->nr - before + 1; /* what is in it comes next */
	}
	return lines->nr - nr;
}

u16 view__depth(struct view *view, u32 evsel, u32 i)
{
	return view_event__at(view, evsel)->lines.list[i].depth;
}

u32 view__find_entry(struct view *view, u32 evsel, u32 entry)
{
	const struct lines *lines = &view_event__at(view, evsel)->lines;

	for (u32 i = 0; i < lines->nr; i++)
		if (lines->list[i].entry == entry)
			return i;
	return ID_NONE;
}

static void add_opened(const struct view *view, u32 evsel, struct lines *lines, u32 first, u32 nr)
{
	const struct view_event *event = &view->events[evsel];

	for (u32 i = first; i < first + nr; i++) {
		u32 at = lines->nr;
		bool last = event->levels[i].depth + 1u == view->nr_levels;

		add_levels(view, evsel, lines, i, 1);
		if (last || lines->nr == at)
			continue;
		add_opened(view, evsel, lines, event->levels[i].first, event->levels[i].nr);
		lines->list[at].open = lines->nr > at + 1;
	}
}

void view__open_levels(struct view *view, u32 evsel)
{
	struct view_event *event = view_event__at(view, evsel);

	if (!view->nr_levels)
		return;
	event->lines.nr = 0;
	add_opened(view, evsel, &event->lines, 0, event->nr_top);
}
