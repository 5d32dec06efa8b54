// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zooms and filters of the report browser: a stack of restrictions on top of what the command line
 * lets through. One on the same thing as another below takes its place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/tui/report_browser_private.h"
#include "util/lib/alloc.h"

#define NO_NAME "/ no file or command has this name /"

enum restriction_kind {
	BY_DSO,
	BY_SYMBOL,
	BY_COMM,
	BY_THREAD,
	BY_SOCKET,
	BY_PART, /* the first of those with a part of a name: */
	BY_SYMBOL_PART = BY_PART,
	BY_DSO_PART,
	BY_COMM_PART,
	NR_KINDS,
};

struct restriction {
	enum restriction_kind kind;
	char *text; /* what it is called */
	struct name_list names;
	u32 id;
};

static const char *const kind_names[NR_KINDS] = {
	[BY_DSO] = "dso",
	[BY_SYMBOL] = "symbol",
	[BY_COMM] = "comm",
	[BY_THREAD] = "thread",
	[BY_SOCKET] = "socket",
	[BY_SYMBOL_PART] = "symbols with",
	[BY_DSO_PART] = "dsos with",
	[BY_COMM_PART] = "comms with",
};

static void forget(struct restriction *r)
{
	name_list__exit(&r->names);
	free(r->text);
	free(r);
}

/* ---- what the view is asked for ---- */

static void restrict_options(struct hist_options *hists, const struct restriction *r)
{
	switch (r->kind) {
	case BY_DSO:
	case BY_DSO_PART:
		hists->filter.dsos = r->names;
		break;
	case BY_SYMBOL:
		hists->filter.symbols = r->names;
		break;
	case BY_COMM:
	case BY_COMM_PART:
		hists->filter.comms = r->names;
		break;
	case BY_THREAD:
		hists->filter.tids = (struct id_list){ .ids = (u32 *)&r->id, .nr = 1 };
		break;
	case BY_SOCKET:
		hists->has_socket = true;
		hists->socket = r->id;
		break;
	default:
		hists->symbol_part = r->text;
	}
}

static void set_options(struct report_browser *b)
{
	const struct hist_options *before = &b->before.hists;
	struct hist_options *hists = &b->options.hists;

	hists->filter = before->filter;
	hists->symbol_part = before->symbol_part;
	hists->has_socket = before->has_socket;
	hists->socket = before->socket;
	for (u32 i = 0; i < b->nr_restrictions; i++)
		restrict_options(hists, b->restrictions[i]);
}

static void apply(struct report_browser *b)
{
	set_options(b);
	report_browser__change(b);
}

static struct restriction *push(struct report_browser *b, enum restriction_kind kind,
                                const char *text)
{
	struct restriction *r = xcalloc(1, sizeof(*r));

	*r = (struct restriction){ .kind = kind, .text = xstrdup(text) };
	array__reserve(&b->restrictions, &b->cap_restrictions, (size_t)b->nr_restrictions + 1,
	               sizeof(*b->restrictions));
	b->restrictions[b->nr_restrictions++] = r;
	return r;
}

static void find_names(struct report_browser *b, struct restriction *r);

/*
 * The view must not see it any more when it goes. Parts of names above it are looked for again, as
 * it left some out.
 */
static void take_off(struct report_browser *b, u32 at)
{
	u32 nr = b->nr_restrictions - at;
	struct restriction **gone = xcalloc(nr, sizeof(*gone));

	memcpy(gone, b->restrictions + at, nr * sizeof(*gone));
	b->nr_restrictions = at;
	for (u32 i = 1; i < nr; i++) {
		if (gone[i]->kind == BY_DSO_PART || gone[i]->kind == BY_COMM_PART) {
			set_options(b);
			find_names(b, push(b, gone[i]->kind, gone[i]->text));
		} else {
			b->restrictions[b->nr_restrictions++] = gone[i];
			gone[i] = NULL;
		}
	}
	apply(b);
	for (u32 i = 0; i < nr; i++)
		if (gone[i])
			forget(gone[i]);
	free(gone);
}

bool report_filters__back(struct report_browser *b)
{
	if (!b->nr_restrictions)
		return false;
	take_off(b, b->nr_restrictions - 1);
	return true;
}

void report_filters__exit(struct report_browser *b)
{
	u32 nr = b->nr_restrictions;

	b->nr_restrictions = 0;
	if (nr)
		apply(b);
	for (u32 i = 0; i < nr; i++)
		forget(b->restrictions[i]);
	free(b->restrictions);
}

/*
 * Does what the command line or a restriction asked of this kind hold still: none from @above on
 * has taken its place? Parts of names of files and commands take none: they are among those below.
 */
static bool holds(const struct report_browser *b, enum restriction_kind kind, u32 above)
{
	enum restriction_kind other = kind == BY_DSO_PART    ? BY_DSO
	                              : kind == BY_COMM_PART ? BY_COMM
	                                                     : kind;

	for (u32 i = above; i < b->nr_restrictions; i++)
		if (b->restrictions[i]->kind == other)
			return false;
	return true;
}

/* Of a list: what it is a list of comes first. */
static void begin_item(struct out *out, const char *what, u32 i)
{
	if (i)
		out__char(out, ',');
	else
		out__printf(out, "  %s: ", what);
}

static void print_names(const struct report_browser *b, struct out *out, enum restriction_kind kind,
                        const struct name_list *list)
{
	if (!holds(b, kind, 0))
		return;
	for (u32 i = 0; i < list->nr; i++) {
		begin_item(out, kind_names[kind], i);
		out__name(out, list->names[i]);
	}
}

static void print_ids(struct out *out, const char *what, const struct id_list *list)
{
	for (u32 i = 0; i < list->nr; i++) {
		begin_item(out, what, i);
		out__dec(out, list->ids[i], 0);
	}
}

/* "  cpu: 0-3,7" */
static void print_cpus(struct out *out, const struct sample_filter *filter)
{
	u32 nr = 0;

	for (u32 from = 0, to; from < filter->nr_cpu_set; from = to + 1) {
		to = from;
		if (!filter->cpu_set[from])
			continue;
		while (to + 1 < filter->nr_cpu_set && filter->cpu_set[to + 1])
			to++;
		begin_item(out, "cpu", nr++);
		out__dec(out, from, 0);
		if (to > from)
			out__printf(out, "-%u", to);
	}
}

/* What only the command line restricts to. */
static void print_given(const struct report_browser *b, struct out *out)
{
	const struct hist_options *before = &b->before.hists;
	const struct sample_filter *filter = &before->filter;

	print_cpus(out, filter);
	for (u32 i = 0; i < filter->times.nr; i++) {
		const struct time_range *range = &filter->times.ranges[i];

		begin_item(out, "time", i);
		out__printf(out, "%.6f..%.6f", range->from / 1000 / 1e6, range->to / 1000 / 1e6);
	}
	print_ids(out, "pid", &filter->pids);
	if (holds(b, BY_THREAD, 0))
		print_ids(out, kind_names[BY_THREAD], &filter->tids);
	if (before->has_socket && holds(b, BY_SOCKET, 0))
		out__printf(out, "  %s: %d", kind_names[BY_SOCKET], before->socket);
	print_ids(out, "parallelism", &before->running);
}

void report_filters__print(const struct report_browser *b, struct out *out)
{
	const struct hist_options *before = &b->before.hists;

	print_given(b, out);
	print_names(b, out, BY_COMM, &before->filter.comms);
	print_names(b, out, BY_DSO, &before->filter.dsos);
	print_names(b, out, BY_SYMBOL, &before->filter.symbols);
	if (before->symbol_part && holds(b, BY_SYMBOL_PART, 0)) {
		out__str(out, "  symbols with: ");
		out__name(out, before->symbol_part);
	}
	for (u32 i = 0; i < b->nr_restrictions; i++) {
		if (!holds(b, b->restrictions[i]->kind, i + 1))
			continue;
		out__printf(out, "  %s: ", kind_names[b->restrictions[i]->kind]);
		out__name(out, b->restrictions[i]->text);
	}
	if (b->options.percent_limit)
		out__printf(out, "  from %.4g %%", b->options.percent_limit);
	if (b->options.relative)
		out__str(out, "  100 %: what is shown");
}

/* ---- zooms ---- */

static bool has_key(const struct report_browser *b, const char *name)
{
	const struct sort_keys *keys = &b->options.hists.keys;

	for (u32 i = 0; i < keys->nr; i++)
		if (!strcmp(keys->list[i].key->name, name))
			return true;
	return false;
}

static const struct row *row_of(const struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;
	const struct hist_group *group = &hists->groups[hists->entries[row->entry].group];

	return &hists->profile->rows[hists->row_of_context[group->context]];
}

u32 report_filters__loc(const struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;

	return row->kind == VIEW_FRAME ? row->loc
	                               : hists->loc_of_key[hists->entries[row->entry].key];
}

static const struct sym *sym_of(const struct report_browser *b, const struct view_row *row)
{
	const struct names *names = b->view->names;

	return &names->syms[names->sym_of_loc[report_filters__loc(b, row)]];
}

/* A level of a hierarchy has the keys of those above it and its own. */
static bool tells(const struct report_browser *b, const struct view_row *row, const char *name)
{
	for (u32 i = 0; i < b->view->nr_columns && row->kind == VIEW_LEVEL; i++)
		if (b->view->columns[i].figure == VIEW_KEY &&
		    !strcmp(b->view->columns[i].by->key->name, name))
			return view__level_of(b->view, i) <= row->depth;
	return has_key(b, name);
}

bool report_filters__has_function(const struct report_browser *b, const struct view_row *row)
{
	return tells(b, row, key_symbol.name);
}

const char *report_filters__symbol(const struct report_browser *b, const struct view_row *row)
{
	return report_filters__has_function(b, row) ? sym__name(b->view->names, sym_of(b, row))
	                                            : NULL;
}

u32 report_filters__dso_id(const struct report_browser *b, const struct view_row *row)
{
	return report_filters__dso(b, row) ? sym_of(b, row)->dso : ID_NONE;
}

const char *report_filters__dso(const struct report_browser *b, const struct view_row *row)
{
	if (row->kind != VIEW_FRAME && !tells(b, row, key_dso.name) &&
	    !tells(b, row, key_symbol.name))
		return NULL;
	return names__dso(b->view->names, sym_of(b, row)->dso_name);
}

static bool has_thread(const struct report_browser *b, const struct view_row *row)
{
	return tells(b, row, "tid") || tells(b, row, "pid");
}

static s32 tid_of(const struct report_browser *b, const struct view_row *row)
{
	return machine__thread(b->view->names->session->host, row_of(b, row)->thread)->tid;
}

bool report_filters__tid(const struct report_browser *b, const struct view_row *row, u32 *tid)
{
	*tid = has_thread(b, row) ? tid_of(b, row) : 0;
	return has_thread(b, row);
}

const char *report_filters__task(const struct report_browser *b, const struct view_row *row)
{
	static char text[16];

	if (has_thread(b, row)) {
		snprintf(text, sizeof(text), "%d", tid_of(b, row));
		return text;
	}
	return tells(b, row, key_comm.name)
	               ? strtab__get(&b->view->names->session->strings, row_of(b, row)->comm)
	               : NULL;
}

static s32 socket_of(const struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;
	u16 cpu = row_of(b, row)->cpu;

	return cpu < hists->data.nr_sockets ? hists->sockets[cpu] : -1;
}

const char *report_filters__socket(const struct report_browser *b, const struct view_row *row)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", tells(b, row, "socket") ? socket_of(b, row) : -1);
	return *text == '-' ? NULL : text;
}

/* Take the last one of the kind off; false: there is none. */
static bool zoom_out(struct report_browser *b, enum restriction_kind kind)
{
	for (u32 i = b->nr_restrictions; i-- > 0;)
		if (b->restrictions[i]->kind == kind) {
			take_off(b, i);
			return true;
		}
	return false;
}

static void zoom_by_name(struct report_browser *b, enum restriction_kind kind, const char *name)
{
	struct restriction *r = push(b, kind, name);

	name_list__add(&r->names, name);
	apply(b);
}

void report_filters__zoom_dso(struct report_browser *b)
{
	struct view_row row;
	const char *name;

	if (zoom_out(b, BY_DSO))
		return;
	name = report_browser__row(b, &row) ? report_filters__dso(b, &row) : NULL;
	if (name)
		zoom_by_name(b, BY_DSO, name);
	else
		dialog__say(b->tui, "rows are not of one file: report -s dso,... has such");
}

void report_filters__zoom_kernel(struct report_browser *b)
{
	if (!zoom_out(b, BY_DSO))
		zoom_by_name(b, BY_DSO, "[kernel.kallsyms]");
}

void report_filters__zoom_symbol(struct report_browser *b)
{
	struct view_row row;
	const char *name;

	if (zoom_out(b, BY_SYMBOL))
		return;
	name = report_browser__row(b, &row) ? report_filters__symbol(b, &row) : NULL;
	if (name)
		zoom_by_name(b, BY_SYMBOL, name);
	else
		dialog__say(b->tui, "this row is not a named function");
}

void report_filters__zoom_task(struct report_browser *b)
{
	struct view_row row;
	const char *name;

	if (zoom_out(b, BY_THREAD) || zoom_out(b, BY_COMM))
		return;
	name = report_browser__row(b, &row) ? report_filters__task(b, &row) : NULL;
	if (!name) {
		dialog__say(b->tui, "rows are not of one thread or command: report -s tid,... or "
		                    "-s comm,... has such");
	} else if (has_thread(b, &row)) {
		push(b, BY_THREAD, name)->id = tid_of(b, &row);
		apply(b);
	} else {
		zoom_by_name(b, BY_COMM, name);
	}
}

void report_filters__zoom_socket(struct report_browser *b)
{
	struct view_row row;
	const char *name;

	if (zoom_out(b, BY_SOCKET))
		return;
	name = report_browser__row(b, &row) ? report_filters__socket(b, &row) : NULL;
	if (!name) {
		dialog__say(b->tui, "rows are not of one socket: report -s socket,... has such");
		return;
	}
	push(b, BY_SOCKET, name)->id = socket_of(b, &row);
	apply(b);
}

/* ---- parts of names ---- */

static void add_if_matching(struct name_list *list, const struct name_list *among, const char *name,
                            const char *part)
{
	if (strstr(name, part) && (!among->nr || name_list__has(among, name)))
		name_list__add(list, name);
}

static void match_dsos(const struct report_browser *b, struct restriction *r)
{
	const struct names *names = b->view->names;

	for (u32 i = 0; i < names->nr_dso_names; i++)
		add_if_matching(&r->names, &b->options.hists.filter.dsos, names__dso(names, i),
		                r->text);
}

static void match_comms(const struct report_browser *b, struct restriction *r)
{
	const struct profile *profile = b->view->chains->profile;
	struct u64map seen = U64MAP_INIT;
	u32 last = ID_NONE;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		u32 comm = profile->rows[i].comm;

		if (comm == last)
			continue;
		last = comm;
		u32 *known = u64map__at(&seen, comm);

		if (*known == ID_NONE)
			add_if_matching(&r->names, &b->options.hists.filter.comms,
			                strtab__get(&b->view->names->session->strings, comm),
			                r->text);
		*known = 0;
	}
	u64map__exit(&seen);
}

/* Of files and commands: those that have the part, among what the options let through so far. */
static void find_names(struct report_browser *b, struct restriction *r)
{
	if (r->kind == BY_DSO_PART)
		match_dsos(b, r);
	else if (r->kind == BY_COMM_PART)
		match_comms(b, r);
	else
		return;
	if (!r->names.nr)
		name_list__add(&r->names, NO_NAME);
}

/* Put this part in the place of the restriction on top, if that is one of those. */
static void filter_by_part(struct report_browser *b, enum restriction_kind kind, const char *part)
{
	struct restriction *old = NULL;

	if (b->nr_restrictions && b->restrictions[b->nr_restrictions - 1]->kind >= BY_PART)
		old = b->restrictions[--b->nr_restrictions];
	if (*part) {
		set_options(b);
		find_names(b, push(b, kind, part));
	}
	apply(b);
	if (old)
		forget(old);
}

void report_filters__ask(struct report_browser *b)
{
	static const char *const questions[] = { "Symbols with (Tab: dsos):",
		                                 "Dsos with (Tab: commands):",
		                                 "Commands with (Tab: symbols):" };
	const struct restriction *top =
	        b->nr_restrictions ? b->restrictions[b->nr_restrictions - 1] : NULL;
	enum restriction_kind kind = top && top->kind >= BY_PART ? top->kind : BY_PART;
	enum restriction_kind old_kind = kind;
	char text[DIALOG_TEXT], old[DIALOG_TEXT], last[DIALOG_TEXT];
	int key;

	snprintf(old, sizeof(old), "%s", top && top->kind >= BY_PART ? top->text : "");
	strcpy(text, old);
	do {
		strcpy(last, text);
		report_draw__all(b);
		key = dialog__edit(b->tui, questions[kind - BY_PART], text);
		if (key == KEYS_TAB)
			kind = kind + 1 < NR_KINDS ? kind + 1 : BY_PART;
		if (key == KEYS_TAB || strcmp(text, last) != 0)
			filter_by_part(b, kind, text);
	} while (key != KEYS_ENTER && !dialog__gives_up(key));
	if (dialog__gives_up(key))
		filter_by_part(b, old_kind, old);
}
