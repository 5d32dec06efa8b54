// SPDX-License-Identifier: GPL-2.0-or-later
/* perf probe: --list, --line, --vars and --funcs, which change nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-probe.h"
#include "builtin.h"
#include "ui/term/diag.h"
#include "util/dwarf/source_text.h"
#include "util/lib/text.h"
#include "util/options/name_filter.h"
#include "util/options/nearest.h"
#include "util/symtab/demangle.h"
#include "util/symtab/symtab_elf.h"

static int finish(struct out *out)
{
	out__exit(out);
	return diag__cannot_write(out->error, "cannot write the output", NULL);
}

/* ---- --list ---- */

/* The object of the last event: neighbours are often of one. */
struct listing {
	const struct probe_options *opts;
	struct out out;
	struct tracefs tracefs;
	struct probe_target target;
	struct probe_finder *finder; /* NULL: none is open */
	char *path;
	struct probe_target kernel; /* what runs: for places that are only an offset */
	struct probe_finder *kernel_finder;
	bool kernel_tried;
};

static void close_object(struct listing *list)
{
	if (list->finder) {
		probe_finder__delete(list->finder);
		probe_target__close(&list->target);
	}
	free(list->path);
	list->finder = NULL;
	list->path = NULL;
}

static void open_object(struct listing *list, const char *path)
{
	if (list->path && !strcmp(list->path, path))
		return;
	close_object(list);
	list->path = xstrdup(path);
	if (!probe_target__open(&list->target, path, list->opts->symfs, list->opts->target_ns,
	                        false, NULL))
		list->finder = probe_finder__new(&list->target);
}

/* Does @place lie in the first function, which "_text" names as well as any of its other names? */
static bool is_first_function(struct listing *list, const char *place,
                              const struct probe_symbol *text)
{
	char *name = xasprintf("%.*s", (int)strcspn(place, "+%"), place);
	const struct probe_symbol *function = probe_target__symbol(&list->kernel, name);

	free(name);
	return function && function->addr == text->addr;
}

/* What the kernel names by its first byte of text is shown by the function it lies in. */
static char *kernel_place(struct listing *list, const struct probe_event *event)
{
	const struct probe_symbol *text = NULL;
	char *place = NULL;

	if (!strcmp(event->symbol, "_text") && !list->kernel_tried) {
		list->kernel_tried = true;
		if (!probe_target__open_running(&list->kernel, NULL, KALLSYMS, NULL))
			list->kernel_finder = probe_finder__new(&list->kernel);
	}
	if (!strcmp(event->symbol, "_text") && list->kernel_finder)
		text = probe_target__symbol(&list->kernel, "_text");
	if (text)
		place = probe_finder__place(list->kernel_finder, text->addr + event->offset,
		                            event->is_return);
	if (place && !is_first_function(list, place, text))
		return place;
	free(place);
	if (event->is_return)
		return xasprintf("%s%%return", event->symbol);
	return event->offset
	               ? xasprintf("%s+%llu", event->symbol, (unsigned long long)event->offset)
	               : xstrdup(event->symbol);
}

/* Is the probe in the file that is at its path now? Warns where that, or its place, is in doubt. */
static bool is_in_file(struct listing *list, const struct probe_event *event)
{
	enum probe_file_state state =
	        probe_event__file_state(&list->tracefs, event, list->target.file);
	bool other = state == PROBE_FILE_OTHER;

	if (state == PROBE_FILE_SAME || list->opts->quiet ||
	    (!other && probe_cache_knows(&list->target, event)))
		return !other;
	diag__say_warning(other ? "'%s' is newer than the probe '%s:%s', which was made for what "
	                          "was there before"
	                        : "'%s' was written or touched since the probe '%s:%s' was made, "
	                          "whose place may be another by now",
	                  event->path, event->group, event->name);
	return !other;
}

static char *place_of(struct listing *list, const struct probe_event *event)
{
	u64 addr = event->offset;
	char *place = NULL;

	if (!event->path)
		return kernel_place(list, event);
	open_object(list, event->path);
	if (list->finder && is_in_file(list, event)) {
		addr = probe_target__vaddr(&list->target, event->offset);
		place = probe_finder__place(list->finder, addr, event->is_return);
	}
	return place ? place : xasprintf("0x%llx", (unsigned long long)addr);
}

static void print_event(struct listing *list, const struct probe_event *event)
{
	char *name = xasprintf("%s:%s", event->group, event->name);
	char *place = place_of(list, event), *args = probe_event__arg_names(event);

	out__str(&list->out, "  ");
	out__left(&list->out, name, 20);
	out__str(&list->out, " (on ");
	out__name(&list->out, place);
	if (event->path || event->module) {
		out__str(&list->out, " in ");
		out__name(&list->out, event->path ? event->path : event->module);
	}
	if (*args) {
		out__str(&list->out, " with ");
		out__name(&list->out, args);
	}
	out__str(&list->out, ")\n");
	free(name);
	free(place);
	free(args);
}

static bool is_wanted(const struct probe_options *opts, const struct probe_event *event)
{
	bool wanted = !opts->nr_texts;

	for (u32 i = 0; i < opts->nr_texts && !wanted; i++)
		wanted = name_filter__passes_event(opts->texts[i], event->group, event->name);
	return wanted;
}

int probe_list(const struct probe_options *opts)
{
	struct listing list = { .opts = opts, .tracefs = TRACEFS_INIT };
	struct error err = ERROR_INIT;
	u32 missing = 0;
	int ret = 0;

	if (opts->cache)
		return probe_cache_list(opts);
	for (u32 i = 0; i < opts->nr_texts; i++)
		if (name_filter__check(opts->texts[i], &err))
			return probe_options__mistake(&err);

	out__init(&list.out, STDOUT_FILENO);
	for (u32 half = 0; half < 2 && !ret; half++) {
		struct probe_events events = { .texts = ARENA_INIT };

		ret = probe_events__read(&events, &list.tracefs, half, &err);
		if (ret == -ENOENT && list.tracefs.path) { /* the other half is there */
			if (opts->verbose)
				diag__warning(&err);
			if (!missing++)
				ret = 0;
		}
		for (u32 i = 0; !ret && i < events.nr; i++)
			if (is_wanted(opts, &events.events[i]))
				print_event(&list, &events.events[i]);
		probe_events__exit(&events);
	}
	close_object(&list);
	if (list.kernel_finder) {
		probe_finder__delete(list.kernel_finder);
		probe_target__close(&list.kernel);
	}
	tracefs__close(&list.tracefs);
	int status = finish(&list.out);

	return ret ? probe_failed(&err, "show event list") : status;
}

/* ---- --line ---- */

#define NUMBER_WIDTH 7

/* @start: the first line that was asked for; 0: all of a file. */
static void print_source(struct out *out, const struct probe_source *source,
                         const struct source_text *text, u32 start)
{
	bool by_function = source->function;
	u32 last = source->last < text->nr ? source->last : text->nr;

	out__char(out, '<');
	if (by_function) {
		out__name(out, source->function);
		out__char(out, '@');
	}
	out__name(out, text->path);
	out__printf(out, ":%u>\n", by_function ? source->first - source->base : start);
	for (u32 line = source->first; line <= last; line++) {
		u32 at = line - source->first;

		if (at < source->nr_marks && source->marks[at])
			out__dec(out, by_function ? line - source->base : line, NUMBER_WIDTH);
		else
			out__fill(out, ' ', NUMBER_WIDTH);
		out__str(out, "  ");
		for (const char *c = text->lines[line]; *c; c++) /* tabs are meant */
			out__char(out, *c == '\t' || (u8)*c >= 0x20 ? *c : '?');
		out__char(out, '\n');
	}
}

static int show_lines(const struct probe_options *opts, const struct probe_target *target,
                      struct probe_finder *finder, const struct probe_lines *lines,
                      struct error *err)
{
	struct probe_source source;
	struct source_text text;
	struct out out;
	int ret = probe_finder__lines(finder, lines, &source, err);

	if (!ret)
		ret = source_text__open(&text, source.path, opts->source, err);
	if (!ret) {
		char *doubt = source_text__doubt(&text, source.has_sum ? source.sum : NULL,
		                                 target->file, target->path);

		if (doubt && !opts->quiet)
			diag__say_warning("%s", doubt);
		free(doubt);
		out__init(&out, STDOUT_FILENO);
		print_source(&out, &source, &text, lines->start);
		source_text__close(&text);
		finish(&out);
	}
	probe_source__exit(&source);
	return ret;
}

int probe_show_line(const struct probe_options *opts)
{
	struct probe_target target;
	struct error err = ERROR_INIT;
	struct probe_lines lines;
	int ret = probe_lines__parse(&lines, opts->texts[0], &err);
	bool mistake = ret;

	if (!ret)
		ret = probe_options__open(opts, &target, &err);
	if (!ret) {
		struct probe_finder *finder = probe_finder__new(&target);

		ret = show_lines(opts, &target, finder, &lines, &err);
		probe_say_left_out(opts, finder);
		probe_finder__delete(finder);
		probe_target__close(&target);
	}
	probe_lines__exit(&lines);
	if (mistake)
		return probe_options__mistake(&err);
	return ret ? probe_failed(&err, "show lines") : 0;
}

/* ---- --vars ---- */

static bool is_shown(void *ctx, const char *name)
{
	const struct probe_options *opts = ctx;

	return name_filter__passes(opts->filter ? opts->filter : "!__k???tab_* & !__crc_*", name);
}

static int show_vars(const struct probe_options *opts, const struct probe_definition *def,
                     struct error *err)
{
	const struct probe_vars_options how = { .externs = opts->externs,
		                                .range = opts->range,
		                                .wanted = is_shown,
		                                .ctx = (void *)opts,
		                                .no_inlines = opts->no_inlines,
		                                .max = opts->max_probes };
	struct probe_target target;
	struct out out;
	int ret = probe_options__open(opts, &target, err);

	if (ret)
		return ret;
	struct probe_finder *finder = probe_finder__new(&target);

	out__init(&out, STDOUT_FILENO);
	ret = probe_finder__vars(finder, def, &how, &out, err);
	finish(&out);
	probe_say_left_out(opts, finder);
	probe_finder__delete(finder);
	probe_target__close(&target);
	return ret;
}

static int take_system(void *ctx, const char *sys, const char *name)
{
	char **found = ctx;

	if (!*found)
		*found = xasprintf("%s/%s", sys, name);
	return 0;
}

/* A tracepoint is no place in the code, but something says what it has. False: there is none. */
static bool advise_tracepoint(const char *system, const char *name, struct error *err)
{
	struct tracefs tracefs = { .events_fd = -1, .no_mount = true };
	char *found = NULL;

	if (name && !strpbrk(name, "*?[") &&
	    tracefs__each_event(&tracefs, system, name, take_system, &found, NULL) > 0 && found)
		error__advise(err,
		              "there is a tracepoint of this name: what it has is in "
		              "%s/events/%s/format",
		              tracefs.path, found);
	bool any = found;

	free(found);
	tracefs__close(&tracefs);
	return any;
}

struct near_tracepoints {
	struct nearest nearest;
	struct arena names;
};

static int offer_tracepoint(void *ctx, const char *system, const char *name)
{
	struct near_tracepoints *near = ctx;
	char *full = xasprintf("%s:%s", system, name);

	nearest__offer(&near->nearest, arena__strndup(&near->names, full, strlen(full)));
	free(full);
	return 0;
}

/* Like advise_tracepoint(), of one that there is not. False: @text is like none. */
static bool advise_near_tracepoints(const char *text, const char *system, struct error *err)
{
	struct tracefs tracefs = { .events_fd = -1, .no_mount = true };
	struct near_tracepoints near = { .names = ARENA_INIT };
	char names[200];

	nearest__init(&near.nearest, text);
	bool is_system =
	        tracefs__each_event(&tracefs, system, "*", offer_tracepoint, &near, NULL) > 0;

	if (!is_system)
		tracefs__each_event(&tracefs, "*", "*", offer_tracepoint, &near, NULL);
	nearest__text(&near.nearest, "", names, sizeof(names));
	if (*names)
		error__advise(err, "%s", names);
	else if (is_system)
		error__advise(err, "perf list '%s:*' shows the tracepoints that there are", system);
	bool any = is_system || near.nearest.nr;

	arena__exit(&near.names);
	tracefs__close(&tracefs);
	return any;
}

/* "sched:sched_switch", which as a place lacks a line. */
static bool is_tracepoint(const char *text, struct error *err)
{
	const char *colon = strchr(text, ':');
	struct error other = ERROR_INIT;

	if (!colon || colon == text || strpbrk(text, "*?[/ @"))
		return false;
	error__set(&other, -ENOENT, "Probe point not found:", text, "it is no place in the code");
	char *system = xasprintf("%.*s", (int)(colon - text), text);
	bool any = advise_tracepoint(system, colon + 1, &other) ||
	           advise_near_tracepoints(text, system, &other);

	free(system);
	if (any)
		*err = other;
	return any;
}

int probe_show_vars(const struct probe_options *opts)
{
	struct probe_definition def;
	struct error err = ERROR_INIT;
	int ret = opts->filter ? name_filter__check(opts->filter, &err) : 0;
	bool mistake = ret;

	if (ret)
		return probe_options__mistake(&err);
	ret = probe_definition__parse(&def, opts->texts[0], &err);
	mistake = ret && !is_tracepoint(opts->texts[0], &err);
	if (!ret && def.nr_args) {
		ret = error__set(&err, -EINVAL, "cannot understand the probe", opts->texts[0],
		                 "--vars takes a place without arguments");
		mistake = true;
	}
	if (!ret && def.point) {
		ret = error__set(&err, -EINVAL, "cannot show variables of", opts->texts[0],
		                 "a static probe point has arguments, which perf probe -D shows");
		error__advise(&err, "--vars takes the line or the address that it stands at");
	} else if (!ret) {
		ret = show_vars(opts, &def, &err);
	}
	if (ret == -ENOENT && !mistake)
		advise_tracepoint("*", def.place.function, &err);
	probe_definition__exit(&def);
	if (mistake)
		return probe_options__mistake(&err);
	return ret ? probe_failed(&err, "show vars") : 0;
}

/* ---- --funcs ---- */

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct functions {
	const char *filter;
	bool readably;
	char **names;
	u32 nr;
	size_t cap;
};

static void add_function(struct functions *functions, const char *name)
{
	char *readable = functions->readably ? demangle(name) : NULL;

	if (!readable)
		readable = xstrdup(name);
	if (!name_filter__passes(functions->filter, readable)) {
		free(readable);
		return;
	}
	array__reserve(&functions->names, &functions->cap, functions->nr + 1,
	               sizeof(*functions->names));
	functions->names[functions->nr++] = readable;
}

static int print_functions(struct functions *functions)
{
	struct out out;

	if (functions->nr)
		qsort(functions->names, functions->nr, sizeof(*functions->names), compare);
	out__init(&out, STDOUT_FILENO);
	for (u32 i = 0; i < functions->nr; i++) {
		out__name(&out, functions->names[i]);
		out__char(&out, '\n');
		free(functions->names[i]);
	}
	free(functions->names);
	return finish(&out);
}

/* Entries of the PLT have no symbols; what a report would name them by. */
static int add_plt(struct functions *functions, const struct probe_target *target,
                   struct error *err)
{
	const struct object_file_request request = { .path = target->file,
		                                     .debug_dir = "/usr/lib/debug" };
	struct symtab symtab = { .nr = 0 };
	int ret = symtab__load_elf(&symtab, &request);

	if (ret)
		*err = symtab.error;
	for (u32 i = 0; !ret && i < symtab.nr; i++)
		if (text__glob("*@plt", symtab.symbols[i].name))
			add_function(functions, symtab.symbols[i].name);
	symtab__exit(&symtab);
	return ret;
}

int probe_show_funcs(const struct probe_options *opts)
{
	const char *filter = opts->nr_texts ? opts->texts[opts->nr_texts - 1] : opts->filter;
	struct functions functions = { .filter = filter ? filter : "!_* & !*@plt" };
	struct error err = ERROR_INIT;
	struct probe_target target;
	int ret = filter ? name_filter__check(filter, &err) : 0;
	u32 nr;

	if (ret)
		return probe_options__mistake(&err);
	ret = probe_options__open(opts, &target, &err);
	if (ret)
		return probe_failed(&err, "show functions");
	functions.readably = target.is_kernel ? opts->demangle_kernel : !opts->no_demangle;
	const struct probe_symbol *symbols = probe_target__symbols(&target, &nr);

	for (u32 i = 0; i < nr; i++)
		if (!symbols[i].is_again)
			add_function(&functions, symbols[i].name);
	if (!target.is_kernel)
		ret = add_plt(&functions, &target, &err);
	probe_target__close(&target);
	return ret ? probe_failed(&err, "show functions") : print_functions(&functions);
}
