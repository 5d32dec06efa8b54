// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/view.h"

#include "util/view/confidence.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/view/view_private.h"

#define ADDRESS_DIGITS 16

/* ---- columns ---- */

static const char *const headings[] = {
	[VIEW_OVERHEAD] = "Overhead",
	[VIEW_CHILDREN] = "Children",
	[VIEW_SELF] = "    Self",
	[VIEW_SAMPLES] = "     Samples",
	[VIEW_PERIOD] = "      Period",
	[VIEW_SYS] = "     sys",
	[VIEW_US] = "     usr",
	[VIEW_GUEST_SYS] = "guest sys",
	[VIEW_GUEST_US] = "guest usr",
	[VIEW_LATENCY] = "Latency",
	[VIEW_INTERVAL] = "95 % interval",
	[VIEW_RANK] = "Rank",
};

/* Do the filters leave one value of it? */
static bool is_settled(const struct hist_options *options, const struct key *key)
{
	return (key == &key_comm && options->filter.comms.nr == 1) ||
	       (key == &key_dso && options->filter.dsos.nr == 1) ||
	       (key == &key_symbol && options->filter.symbols.nr == 1);
}

bool view__elides(const struct view *view, const struct key *key)
{
	const struct hist_options *options = &view->options.hists;

	if (view->options.hierarchy || !is_settled(options, key)) /* each level has its column */
		return false;
	for (u32 i = 0; i < options->keys.nr; i++)
		if (!is_settled(options, options->keys.list[i].key))
			return true;
	return false; /* nothing would be left */
}

/* Where nobody said it: all keys, as they stand. */
static void sort_by_all(struct view_fields *sort, const struct sort_keys *keys)
{
	if (sort->given)
		return;
	sort->nr = 0;
	for (u32 i = 0; i < keys->nr; i++)
		sort->list[sort->nr++] = (struct view_field){ VIEW_KEY, i };
}

/* Which keys make which level of a hierarchy. */
static void make_levels_of_keys(struct view *view)
{
	const struct view_fields *sort = &view->options.sort;

	view->nr_levels = 0;
	for (u32 i = 0; view->options.hierarchy && i < sort->nr; i++) {
		if (sort->list[i].figure != VIEW_KEY)
			continue;
		if (!sort->list[i].joined || !view->nr_levels)
			view->nr_levels++;
		view->level_ends[view->nr_levels - 1] = sort->list[i].key + 1;
	}
}

static u32 level_of_key(const struct view *view, u32 key)
{
	u32 level = 0;

	while (level + 1 < view->nr_levels && key >= view->level_ends[level])
		level++;
	return level;
}

u32 view__level_of(const struct view *view, u32 column)
{
	return level_of_key(view, view->columns[column].by - view->options.hists.keys.list);
}

static struct view_shown shown_of(const struct view_options *options)
{
	return (struct view_shown){
		.children = options->hists.children,
		.cpu_utilization = options->show_cpu_utilization,
		.guests = options->guests,
		.confidence = options->show_confidence,
		.samples = options->show_samples,
		.period = options->show_period,
		.latency = options->show_latency,
		.latency_leads = options->latency_leads,
	};
}

static void make_columns(struct view *view)
{
	const struct view_options *options = &view->options;
	const struct sort_keys *keys = &options->hists.keys;
	const struct view_shown shown = shown_of(options);
	struct view_fields columns;

	view_fields__columns(&columns, &options->sort, &options->fields, &shown);
	view->nr_columns = 0;
	for (u32 i = 0; i < columns.nr; i++) {
		const struct view_field *field = &columns.list[i];
		const struct sort_key *by =
		        field->figure == VIEW_KEY ? &keys->list[field->key] : NULL;

		if (!by || !view__elides(view, by->key))
			view->columns[view->nr_columns++] =
			        (struct view_column){ field->figure, by };
	}
}

bool view__has_column(const struct view *view, u32 column, u32 evsel)
{
	const struct view_column *c = &view->columns[column];

	return c->figure != VIEW_KEY || !c->by->key->of_event || c->by->key->evsel == ID_NONE ||
	       c->by->key->evsel == evsel;
}

const char *view__heading(const struct view *view, u32 column)
{
	const struct view_column *c = &view->columns[column];

	return c->figure == VIEW_KEY ? c->by->key->heading : headings[c->figure];
}

/* ---- the whole ---- */

static void drop_rows(struct view *view)
{
	for (u32 i = 0; i < view->names->session->evlist->nr; i++)
		view_event__exit(&view->events[i]);
}

/* What follows from the options alone. */
static void set_options(struct view *view, const struct view_options *options)
{
	view->options = *options;
	sort_keys__bind(&view->options.hists.keys, view->chains->profile);
	if (options->hierarchy)
		view->options.hists.children = view->options.hists.callers_first = false;
	if (options->fields.given && !options->fields.more &&
	    !view_fields__has(&options->fields, VIEW_CHILDREN))
		view->options.hists.children = view->options.hists.callers_first = false;
	if (!options->fields.given || options->fields.more)
		sort_by_all(&view->options.sort, &options->hists.keys);
	const struct view_shown shown = shown_of(&view->options);

	view_fields__order(&view->options.hists.order, &view->options.sort, &view->options.fields,
	                   &shown);
}

static void start_chains(struct view *view)
{
	view->builder = NULL;
	if (view->options.chain.mode == CHAIN_NONE)
		return;
	view->builder = chain_builder__new(&view->hists, &view->options.chain);
}

static void stop_chains(struct view *view)
{
	if (view->builder)
		chain_builder__delete(view->builder);
}

static void make_texts(struct view *view)
{
	view->texts = xcalloc((size_t)view->nr_columns + 1, sizeof(*view->texts));
	for (u32 i = 0; i <= view->nr_columns; i++)
		view->texts[i].fd = -1;
}

static void free_texts(struct view *view)
{
	for (u32 i = 0; i <= view->nr_columns; i++)
		out__exit(&view->texts[i]);
	free(view->texts);
}

static void start_rows(struct view *view)
{
	make_levels_of_keys(view);
	make_columns(view);
	make_texts(view);
}

static void stop_rows(struct view *view)
{
	drop_rows(view);
	free_texts(view);
}

static void start(struct view *view, const struct view_options *options)
{
	set_options(view, options);
	hists__init(&view->hists, view->chains, view->names, &view->options.hists);
	start_chains(view);
	start_rows(view);
}

static void stop(struct view *view)
{
	stop_rows(view);
	stop_chains(view);
	hists__exit(&view->hists);
}

void view__init(struct view *view, const struct chains *chains, const struct names *names,
                const struct view_options *options)
{
	*view = (struct view){ .chains = chains, .names = names };
	view->events = xcalloc(names->session->evlist->nr, sizeof(*view->events));
	start(view, options);
}

void view__exit(struct view *view)
{
	stop(view);
	free(view->events);
}

void view__share(struct view *view, const struct view *of)
{
	*view = *of;
	for (u32 i = 0; i < view->nr_columns; i++)
		if (view->columns[i].by)
			view->columns[i].by = view->options.hists.keys.list +
			                      (of->columns[i].by - of->options.hists.keys.list);
	if (of->builder)
		view->builder = chain_builder__share(of->builder);
	make_texts(view);
}

void view__unshare(struct view *view)
{
	free_texts(view);
	if (view->builder)
		chain_builder__delete(view->builder);
}

void view__change(struct view *view, const struct view_options *options)
{
	const struct view_options copy = *options; /* it may be the view's own */

	stop(view);
	start(view, &copy);
}

void view__filter(struct view *view, const struct view_options *options)
{
	const struct view_options before = view->options, copy = *options;
	struct chain_options chain = copy.chain;

	chain.threshold = before.chain.threshold; /* which chain trees need not know beforehand */
	set_options(view, &copy);
	if (memcmp(&chain, &before.chain, sizeof(chain)) != 0 ||
	    !hists__refilter(&view->hists, &view->options.hists)) {
		view->options = before;
		view__change(view, &copy);
		return;
	}
	stop_rows(view);
	start_rows(view);
}

u64 view__total(const struct view *view, u32 evsel)
{
	const struct hist_event *event = &view->hists.events[evsel];

	return view->options.relative ? event->shown_period : event->period;
}

static u64 latency_total(const struct view *view, u32 evsel)
{
	const struct hist_event *event = &view->hists.events[evsel];

	return view->options.relative ? event->shown_latency : event->latency;
}

/* ---- levels of a hierarchy ---- */

static u64 value_of(const struct hists *hists, const struct sort_key *by, u32 entry)
{
	return sort_key__value(&hists->data, by,
	                       hist_entry__subject(hists, &hists->entries[entry], by->key));
}

/* Two entries, by the keys of a level. */
static int compare_at(const struct view *view, u32 a, u32 b, u32 depth)
{
	const struct hists *hists = &view->hists;
	int ret = 0;

	for (u32 i = depth ? view->level_ends[depth - 1] : 0; !ret && i < view->level_ends[depth];
	     i++) {
		const struct sort_key *by = &hists->options.keys.list[i];

		ret = sort_key__compare(&hists->data, by, value_of(hists, by, a),
		                        value_of(hists, by, b));
	}
	return ret;
}

/* By the keys alone, so that what belongs together stands together. */
static int compare_contents(const void *left, const void *right, void *ctx)
{
	const struct view *view = ctx;
	u32 a = *(const u32 *)left, b = *(const u32 *)right;
	int ret = 0;

	for (u32 depth = 0; !ret && depth < view->nr_levels; depth++)
		ret = compare_at(view, a, b, depth);
	return ret ? ret : (a > b) - (a < b);
}

/* What the level has in one event of a group. */
static struct view_sums sums_of(const struct view *view, const struct view_event *event,
                                const struct level *level, u32 member)
{
	struct view_sums sums = { .period = 0 };

	for (u32 i = level->first_entry; i < level->first_entry + level->nr_entries; i++) {
		const struct hist_entry *entry =
		        hists__member(&view->hists, &view->hists.entries[event->order[i]], member);

		sums.period += entry->period;
		sums.count += entry->count;
	}
	return sums;
}

struct level_order {
	const struct view *view;
	const struct view_event *event;
	u32 nr_members;
};

/* By what they have, of a group in each event in turn; then by their keys. */
static int compare_levels(const void *left, const void *right, void *ctx)
{
	const struct level *a = left, *b = right;
	const struct level_order *order = ctx;

	if (a->latency != b->latency)
		return a->latency > b->latency ? -1 : 1;
	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	for (u32 i = 1; i < order->nr_members; i++) {
		u64 of_a = sums_of(order->view, order->event, a, i).period;
		u64 of_b = sums_of(order->view, order->event, b, i).period;

		if (of_a != of_b)
			return of_a > of_b ? -1 : 1;
	}
	return compare_at(order->view, order->event->order[a->first_entry],
	                  order->event->order[b->first_entry], a->depth);
}

static bool latency_leads(const struct view *view)
{
	const struct view_fields *order = &view->options.hists.order;

	return order->nr && order->list[0].figure == VIEW_LATENCY;
}

/*
 * The entries order[first .. first + nr) agree in the levels before @depth: cut them into levels.
 * Returns their number; they stand together.
 */
static u32 make_levels(const struct view *view, struct view_event *event, u32 first, u32 nr,
                       u32 depth)
{
	const struct hists *hists = &view->hists;
	u32 from = event->nr_levels;
	u32 evsel = hists->groups[hists->entries[event->order[first]].group].evsel;
	struct level_order order = { view, event, hists__nr_members(hists, evsel) };

	for (u32 i = first; i < first + nr; i++) {
		const struct hist_entry *entry = &hists->entries[event->order[i]];

		if (i == first || compare_at(view, event->order[i - 1], event->order[i], depth)) {
			array__reserve(&event->levels, &event->cap_levels,
			               (size_t)event->nr_levels + 1, sizeof(*event->levels));
			event->levels[event->nr_levels++] =
			        (struct level){ .first_entry = i, .depth = depth };
		}
		struct level *level = &event->levels[event->nr_levels - 1];

		level->nr_entries++;
		level->period += entry->period;
		level->count += entry->count;
		level->latency += latency_leads(view) ? entry->total_latency : 0;
	}
	u32 end = event->nr_levels;

	qsort_r(event->levels + from, end - from, sizeof(*event->levels), compare_levels, &order);
	for (u32 i = from; depth + 1 < view->nr_levels && i < end; i++) {
		struct level level = event->levels[i]; /* the array may move */

		event->levels[i].first = event->nr_levels;
		level.nr = make_levels(view, event, level.first_entry, level.nr_entries, depth + 1);
		event->levels[i].nr = level.nr;
	}
	return end - from;
}

void view_event__make_levels(const struct view *view, struct view_event *event, u32 evsel)
{
	const struct hist_event *of = &view->hists.events[evsel];
	u32 nr = 0;

	event->order = xrealloc(NULL, of->nr_entries, sizeof(*event->order));
	for (u32 i = of->first_entry; i < of->first_entry + of->nr_entries; i++)
		if (!view->hists.entries[i].hidden)
			event->order[nr++] = i;
	if (!nr)
		return;
	qsort_r(event->order, nr, sizeof(*event->order), compare_contents, (void *)view);
	event->nr_top = make_levels(view, event, 0, nr, 0);
}

/* ---- rows and cells ---- */

void view__entry_row(const struct view *view, u32 id, struct view_row *row)
{
	const struct hist_entry *entry = &view->hists.entries[id];

	*row = (struct view_row){
		.kind = VIEW_ENTRY,
		.depth = view->nr_levels ? view->nr_levels - 1 : 0,
		.openable = view__has_chains(view, entry),
		.evsel = view->hists.groups[entry->group].evsel,
		.entry = id,
		.period = entry->period,
		.count = entry->count,
		.total_period = entry->total_period,
		.total_count = entry->total_count,
	};
}

static void fill_frame(struct view *view, struct view_event *event, const struct line *line,
                       struct view_row *row)
{
	struct growing_tree *tree = view_event__tree(view, event, line->entry);
	const struct chain_node *node = growing_tree__node(tree, view->builder, line->id);

	row->loc = tree->tree.frames[node->first_frame + line->frame];
	row->first = !line->frame;
	row->period = row->count = 0;
	if (line->frame + 1 == node->nr_frames) {
		row->period = node->period;
		row->count = node->count;
	}
	row->total_period = node->total_period;
	row->total_count = node->total_count;
}

void view__row(struct view *view, u32 evsel, u32 i, struct view_row *row)
{
	struct view_event *event = view_event__at(view, evsel);
	const struct line *line = &event->lines.list[i];

	view__entry_row(view, line->entry, row);
	row->depth = line->depth;
	row->open = line->open;
	if (line->kind == VIEW_ENTRY)
		return;
	row->kind = line->kind;
	row->openable = view_event__is_openable(view, event, line);
	if (line->kind == VIEW_LEVEL) {
		row->level = line->id;
		row->period = row->total_period = event->levels[line->id].period;
		row->count = row->total_count = event->levels[line->id].count;
		return;
	}
	fill_frame(view, event, line, row);
}

void view__member(const struct view *view, const struct view_row *row, u32 member,
                  struct view_row *of_member)
{
	const struct view_event *event = &view->events[row->evsel];
	const struct hist_entry *entry =
	        hists__member(&view->hists, &view->hists.entries[row->entry], member);

	*of_member = *row;
	if (!member)
		return;
	of_member->member = member;
	of_member->evsel = row->evsel + member;
	of_member->period = entry->period;
	of_member->count = entry->count;
	of_member->total_period = entry->total_period;
	of_member->total_count = entry->total_count;
	if (row->kind == VIEW_LEVEL) {
		struct view_sums sums = sums_of(view, event, &event->levels[row->level], member);

		of_member->period = of_member->total_period = sums.period;
		of_member->count = of_member->total_count = sums.count;
	}
}

/* The sum of a figure that rows do not bring, of VIEW_SYS and its kin or VIEW_LATENCY. */
static u64 figure_of_row(struct view *view, const struct view_row *row, enum view_figure figure)
{
	struct hists *hists = &view->hists;
	u64 sum = 0;

	if (row->kind != VIEW_LEVEL)
		return hists__figure(hists,
		                     hists__member(hists, &hists->entries[row->entry], row->member),
		                     figure);
	const struct view_event *event = &view->events[row->evsel - row->member];
	const struct level *level = &event->levels[row->level];

	for (u32 i = level->first_entry; i < level->first_entry + level->nr_entries; i++)
		sum += hists__figure(
		        hists, hists__member(hists, &hists->entries[event->order[i]], row->member),
		        figure);
	return sum;
}

/* A frame has the figures of its branch; a level has its own keys. */
static bool has_cell(const struct view *view, const struct view_row *row,
                     const struct view_column *column)
{
	bool is_key = column->figure == VIEW_KEY;

	if (is_key && !view__has_column(view, column - view->columns, row->evsel))
		return false;
	if (row->kind == VIEW_FRAME)
		return !is_key && column->figure != VIEW_SELF && column->figure < VIEW_LATENCY &&
		       !(column->figure >= VIEW_SYS && column->figure <= VIEW_GUEST_US);
	if (!is_key || !view->nr_levels)
		return true;
	return level_of_key(view, column->by - view->options.hists.keys.list) == row->depth;
}

static struct cell confidence_cell(const struct view *view, const struct view_row *row,
                                   enum view_figure figure)
{
	if (!view->confidence)
		return (struct cell){ .kind = CELL_NONE };
	const struct row_confidence *of = confidence__of(view->confidence, view, row);

	return figure == VIEW_RANK ? cell__number(of->rank)
	                           : cell__range(100 * of->share.low, 100 * of->share.high);
}

void view__cell(struct view *view, const struct view_row *row, u32 column, struct cell *cell)
{
	const struct view_column *c = &view->columns[column];
	bool total = row->kind == VIEW_FRAME;
	const struct hist_entry *entry = &view->hists.entries[row->entry];
	struct out *text = &view->texts[column];

	*cell = (struct cell){ .kind = CELL_NONE };
	if (!has_cell(view, row, c))
		return;
	switch (c->figure) {
	case VIEW_SAMPLES:
		*cell = cell__number(total ? row->total_count : row->count);
		break;
	case VIEW_PERIOD:
		*cell = cell__number(total ? row->total_period : row->period);
		break;
	case VIEW_KEY:
		sort_key__cell(&view->hists.data, c->by,
		               hist_entry__subject(&view->hists, entry, c->by->key), text, cell);
		if (c->by->key->per_event)
			cell->number *= row->count;
		break;
	case VIEW_SYS:
	case VIEW_US:
	case VIEW_GUEST_SYS:
	case VIEW_GUEST_US:
		*cell = cell__percent(figure_of_row(view, row, c->figure),
		                      view__total(view, row->evsel));
		break;
	case VIEW_LATENCY:
		*cell = cell__percent(figure_of_row(view, row, c->figure),
		                      latency_total(view, row->evsel));
		break;
	case VIEW_INTERVAL:
	case VIEW_RANK:
		*cell = confidence_cell(view, row, c->figure);
		break;
	case VIEW_CHILDREN:
		*cell = view->options.hists.children
		                ? cell__percent(row->total_period, view__total(view, row->evsel))
		                : cell__mark("N/A");
		break;
	default:
		*cell = cell__percent(total ? row->total_period : row->period,
		                      view__total(view, row->evsel));
	}
}

/* Beside an address the name of an object has as much room as an address, but with -d. */
static u32 room_for_address(const struct view *view, const struct hist_entry *entry,
                            const struct key *key)
{
	const struct hists *hists = &view->hists;

	if (key != &key_dso || !hists->data.by_symbol || hists->options.filter.dsos.nr ||
	    sym__named(hist_entry__sym(hists, entry)))
		return 0;
	return ADDRESS_DIGITS;
}

u32 view__width(struct view *view, u32 evsel, u32 column)
{
	const struct hist_event *event = &view->hists.events[evsel];
	const struct key *key = view->columns[column].by->key;
	u32 width = strlen(key->heading);

	if (key->fixed)
		return width;
	for (u32 i = event->first_entry; i < event->first_entry + event->nr_entries; i++) {
		const struct hist_entry *entry = &view->hists.entries[i];
		u32 subject = hist_entry__subject(&view->hists, entry, key);
		char number[CELL_TEXT_SIZE];
		struct cell cell;
		u32 length;

		if (entry->hidden)
			continue;
		if (key->width) {
			length = key->width(&view->hists.data, view->columns[column].by, subject);
		} else {
			sort_key__cell(&view->hists.data, view->columns[column].by, subject,
			               &view->texts[column], &cell);
			if (key->per_event)
				cell.number *= entry->count;
			length = strlen(cell__print(&cell, number));
		}
		if (length < room_for_address(view, entry, key))
			length = room_for_address(view, entry, key);
		if (length > width)
			width = length;
	}
	return width;
}

const char *view__frame(struct view *view, const struct view_row *row)
{
	struct out *text = &view->texts[view->nr_columns];

	text->len = 0;
	chain_options__print_frame(&view->options.chain, &view->hists, text, row->loc);
	return out__take(text);
}
