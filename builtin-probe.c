// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf probe: define, list and remove tracepoints in programs and in the kernel; show where in the
 * source they can be, and which variables there are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-probe.h"
#include "builtin.h"
#include "ui/term/diag.h"
#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/lib/text.h"
#include "util/options/name_filter.h"
#include "util/probe/returns.h"
#include "util/symtab/mapped_file.h"

int probe_failed(const struct error *err, const char *what)
{
	diag__error(err);
	if (what)
		diag__line("  Error: Failed to %s.", what);
	/* What was optimized out is not found. */
	return err->code ? (u8)(err->code == -ENODATA ? -ENOENT : err->code) : EXIT_ERROR;
}

static void say_notes(const struct probe_options *opts, const struct probe_spots *spots)
{
	if (opts->quiet)
		return;
	if (spots->skipped) {
		diag__line("Target program is compiled without optimization. Skipping prologue.");
		diag__line("Probe on address 0x%llx to force probing at the function entry.",
		           (unsigned long long)spots->skipped);
		diag__line("%s", "");
	}
	if (spots->cut)
		diag__line("%s exceeds max-bitwidth. Cut down to 64 bits.", spots->cut);
	for (u32 i = 0; i < spots->nr_warnings; i++)
		diag__say_warning("%s", spots->warnings[i]);
}

/* Arguments of static probe points that no probe can fetch. */
static void say_refused(const struct probe_options *opts, const struct event_lines *lines,
                        u32 first)
{
	for (u32 i = first; i < lines->nr && !opts->quiet; i++)
		for (const char *text = lines->lines[i].refused; text && *text;) {
			size_t len = strcspn(text, "\n");

			diag__say_warning("%.*s", (int)len, text);
			text += len + (text[len] != '\0');
		}
}

/* A probe of a return is not without consequences. */
static void say_exceptions(const struct probe_options *opts, struct probe_target *target,
                           const struct probe_definition *def, const struct probe_spots *spots)
{
	if (opts->quiet || !def->place.is_return || !returns__stop_exceptions(target, spots))
		return;
	diag__say_warning("an exception or panic that passes '%s' ends the program: where returns "
	                  "are probed unwinders do not find the caller",
	                  def->place.function ? def->place.function : def->text);
}

void probe_say_left_out(const struct probe_options *opts, struct probe_finder *finder)
{
	struct error err = ERROR_INIT;

	if (!opts->quiet && probe_finder__left_out(finder, &err))
		diag__warning(&err);
}

/* The lines of several definitions; what they need is opened once. */
struct making {
	const struct probe_options *opts;
	struct event_lines *lines;
	const struct probe_events *existing;
	struct error *err;
	struct probe_target target;
	struct probe_finder *finder; /* NULL: the target is not open */
};

static int open_target(struct making *making)
{
	int ret = making->finder ? 0
	                         : probe_options__open(making->opts, &making->target, making->err);

	if (!ret && !making->finder)
		making->finder = probe_finder__new(&making->target);
	return ret;
}

/* %NAME: a static probe point of the program, or what the build-id cache has under that name. */
static int make_of_point(struct making *making, const struct probe_definition *def)
{
	bool has_target = probe_options__has_target(making->opts);
	struct build_id id = { 0 };
	int ret = has_target ? open_target(making) : 0;

	if (ret)
		return ret;
	if (has_target && !making->target.is_running)
		elf_file__build_id(&making->target.elf, &id);
	if (has_target && !def->cached) {
		ret = event_lines__add_sdt(making->lines, &making->target, def, making->existing,
		                           making->err);
		if (ret != -ENOENT || def->provider)
			return ret;
	}
	bool elsewhere = has_target ? probe_target__is_elsewhere(&making->target)
	                            : process_root__differs(making->opts->target_ns);

	if (elsewhere)
		return ret ? ret
		           : error__set(making->err, -EOPNOTSUPP, "cannot find the probe",
		                        def->text,
		                        "what is cached is of files as perf sees them, not as "
		                        "process %u does",
		                        making->opts->target_ns);
	struct error none = ERROR_INIT, *err = ret ? &none : making->err;
	char *dir = build_id_cache__dir(NULL, NULL);
	int cached = dir && (!has_target || id.size)
	                     ? event_lines__add_cached(making->lines, dir, has_target ? &id : NULL,
	                                               def, making->existing, err)
	                     : error__set(err, -ENOENT, "cannot find the probe", def->text,
	                                  "there is no build-id cache");

	free(dir);
	if (cached == -ENOENT && !ret && has_target && def->cached &&
	    event_lines__has_point(&making->target, def->cached, def->point)) {
		error__set(making->err, -ENOENT, "cannot find the probe", def->text,
		           "static probe points are called sdt_PROVIDER:POINT");
		error__advise(making->err, "did you mean '%%sdt_%.60s:%.60s'?", def->cached,
		              def->point);
	}
	return cached && ret ? ret : cached; /* of two reasons the program's */
}

static int make_of_definition(struct making *making, const struct probe_definition *def)
{
	const struct probe_search search = { making->opts->max_probes, making->opts->no_inlines };
	struct probe_spots spots;
	int ret;

	if (def->point) {
		u32 first = making->lines->nr;

		ret = make_of_point(making, def);
		say_refused(making->opts, making->lines, first);
		return ret;
	}
	ret = open_target(making);
	if (ret)
		return ret;
	ret = probe_finder__find(making->finder, def, &search, &spots, making->err);
	if (!ret) {
		say_notes(making->opts, &spots);
		say_exceptions(making->opts, &making->target, def, &spots);
		ret = event_lines__add(making->lines, &making->target, def, &spots,
		                       making->existing, making->err);
	}
	probe_spots__exit(&spots);
	return ret;
}

int probe_make_lines(const struct probe_options *opts, struct event_lines *lines,
                     const struct probe_events *existing, struct error *err, bool *mistake)
{
	struct making making = { opts, lines, existing, err, .finder = NULL };
	int ret = 0;

	*mistake = false;
	for (u32 i = 0; i < opts->nr_texts && !ret; i++) { /* mistakes come first */
		struct probe_definition def;

		ret = probe_definition__parse(&def, opts->texts[i], err);
		*mistake = ret;
		probe_definition__exit(&def);
	}
	for (u32 i = 0; i < opts->nr_texts && !ret; i++) {
		struct probe_definition def;
		u32 first = lines->nr;

		probe_definition__parse(&def, opts->texts[i], NULL);
		ret = make_of_definition(&making, &def);
		probe_definition__exit(&def);
		for (u32 j = first; j < lines->nr; j++)
			lines->lines[j].of = i;
	}
	if (making.finder) {
		probe_say_left_out(opts, making.finder);
		probe_finder__delete(making.finder);
		probe_target__close(&making.target);
	}
	return ret;
}

/* ---- --definition ---- */

/* "p:probe/f f+0 a=%di" -> "ftrace.event.kprobes.f.probe = 'f+0 a=%di'" */
static void print_bootconfig(const struct probe_options *opts, const struct event_line *line,
                             struct out *out)
{
	const char *place = strchr(line->line, ' ');

	if (strcmp(line->group, "probe") != 0 && !opts->quiet)
		diag__say_warning("the group '%s' is left out: bootconfig has one of its own",
		                  line->group);
	out__printf(out, "ftrace.event.kprobes.%s.probe = '", line->name);
	out__name(out, place ? place + 1 : "");
	out__char(out, '\'');
}

static int print_definitions(const struct probe_options *opts)
{
	struct event_lines lines = { .quiet_names = true };
	struct error err = ERROR_INIT;
	struct out out;
	bool mistake;
	int ret;

	if (opts->bootconfig && opts->exec) {
		diag__line("  Error: --bootconfig doesn't support uprobes.");
		return (u8)-EINVAL;
	}
	ret = probe_make_lines(opts, &lines, NULL, &err, &mistake);

	out__init(&out, STDOUT_FILENO);
	for (u32 i = 0; !ret && i < lines.nr; i++) {
		if (opts->bootconfig)
			print_bootconfig(opts, &lines.lines[i], &out);
		else
			out__name(&out, lines.lines[i].line);
		out__char(&out, '\n');
	}
	out__exit(&out);
	event_lines__exit(&lines);
	if (ret)
		return mistake ? probe_options__mistake(&err) : probe_failed(&err, "add events");
	return diag__cannot_write(out.error, "cannot write the definitions", NULL);
}

/* ---- --add ---- */

static int write_events(const struct probe_options *opts, struct tracefs *tracefs, bool of_programs,
                        const struct event_lines *lines, struct error *err)
{
	const char **texts = xcalloc(lines->nr, sizeof(*texts));
	int ret = 0;

	for (u32 i = 0; i < lines->nr; i++) {
		texts[i] = lines->lines[i].line;
		if (opts->verbose)
			diag__line("Writing event: %s", texts[i]);
	}
	if (!opts->dry_run)
		ret = probe_events__add(tracefs, of_programs, texts, lines->nr, err);
	free(texts);
	return ret;
}

static void confirm(const struct event_lines *lines)
{
	const struct event_line *last = &lines->lines[lines->nr - 1];

	diag__line("Added new event%s", lines->nr > 1 ? "s:" : ":");
	for (u32 i = 0; i < lines->nr; i++) {
		const struct event_line *line = &lines->lines[i];
		char *name = xasprintf("%s:%s", line->group, line->name);

		diag__line("  %-20s (on %s)", name, line->shown);
		free(name);
	}
	diag__line("%s", "");
	diag__line("You can now use it in all perf tools, such as:");
	diag__line("%s", "");
	/* A tab, which a terminal's name of a file could not have. */
	fprintf(stderr, "\tperf record -e %s:%s -aR sleep 1\n\n", last->group, last->name);
}

/* Are all of them names of the build-id cache? */
static bool only_points(const struct probe_options *opts)
{
	bool only = !probe_options__has_target(opts);

	for (u32 i = 0; i < opts->nr_texts && only; i++) {
		struct probe_definition def;

		only = !probe_definition__parse(&def, opts->texts[i], NULL) && def.point;
		probe_definition__exit(&def);
	}
	return only;
}

/* What there is already: its names are taken, whether of programs or of the kernel. */
static int read_existing(const struct probe_options *opts, struct tracefs *tracefs,
                         struct probe_events *existing, struct error *err)
{
	bool of_programs = opts->exec || only_points(opts);
	int ret = probe_events__read(existing, tracefs, of_programs, err);

	if (ret == -EACCES || ret == -EPERM)
		probe_events__advise_rights(tracefs, of_programs, err);
	if (ret)
		return opts->dry_run ? 0 : ret; /* names are compared if they can be read */
	probe_events__read(existing, tracefs, !of_programs, NULL);
	return 0;
}

static int add_probes(const struct probe_options *opts)
{
	struct event_lines lines = { .force = opts->force };
	struct probe_events existing = { .texts = ARENA_INIT };
	struct tracefs tracefs = TRACEFS_INIT;
	struct error err = ERROR_INIT, unread = ERROR_INIT;
	bool mistake = false, of_programs = false;
	int ret, made = 0;

	tracefs.no_mount = opts->dry_run;
	ret = read_existing(opts, &tracefs, &existing, &unread);
	/* A kernel without probes comes behind what is wrong with the definitions. */
	if (!ret || ret == -ENOENT)
		made = probe_make_lines(opts, &lines, &existing, &err, &mistake);
	if (made)
		ret = made;
	else if (ret)
		err = unread;
	if (!ret)
		ret = event_lines__check_halves(&lines, &of_programs, &err);
	if (!ret)
		ret = write_events(opts, &tracefs, of_programs, &lines, &err);
	if (!ret && !opts->quiet)
		confirm(&lines);
	if (!ret && opts->cache)
		ret = probe_cache_keep(opts, &lines, &err);
	event_lines__exit(&lines);
	probe_events__exit(&existing);
	tracefs__close(&tracefs);
	if (ret)
		return mistake ? probe_options__mistake(&err) : probe_failed(&err, "add events");
	return 0;
}

/* ---- --del ---- */

struct deleting {
	const struct probe_options *opts;
	struct tracefs tracefs;
	struct probe_events events[2]; /* the kernel's, programs' */
	struct error err;
};

static int delete_matching(struct deleting *del, const char *pattern)
{
	u32 hits = 0;

	for (u32 half = 0; half < ARRAY_SIZE(del->events); half++) {
		const struct probe_events *events = &del->events[half];

		for (u32 i = 0; i < events->nr; i++) {
			const struct probe_event *event = &events->events[i];
			int ret = 0;

			if (!name_filter__passes_event(pattern, event->group, event->name))
				continue;
			hits++;
			if (i && !strcmp(event->group, event[-1].group) &&
			    !strcmp(event->name, event[-1].name))
				continue; /* another place of it: gone already */
			if (!del->opts->dry_run)
				ret = probe_events__remove(&del->tracefs, half, event->group,
				                           event->name, &del->err);
			if (ret)
				return ret;
			if (!del->opts->quiet)
				diag__line("Removed event: %s:%s", event->group, event->name);
		}
	}
	if (hits)
		return 0;
	return error__set(&del->err, -ENOENT, "cannot remove", pattern,
	                  "it does not hit any event");
}

static int delete_probes(const struct probe_options *opts)
{
	struct deleting del = { .opts = opts, .tracefs = TRACEFS_INIT };
	int ret;

	if (opts->cache)
		return probe_cache_delete(opts);
	for (u32 i = 0; i < opts->nr_texts; i++)
		if (name_filter__check(opts->texts[i], &del.err))
			return probe_options__mistake(&del.err);
	ret = probe_events__read(&del.events[1], &del.tracefs, true, &del.err);
	int kernel = probe_events__read(&del.events[0], &del.tracefs, false, ret ? NULL : &del.err);

	if (ret == -ENOENT || !ret)
		ret = ret && kernel ? ret : 0;
	if (ret == -EACCES || ret == -EPERM)
		probe_events__advise_rights(&del.tracefs, true, &del.err);
	for (u32 i = 0; i < opts->nr_texts && !ret; i++)
		ret = delete_matching(&del, opts->texts[i]);
	probe_events__exit(&del.events[0]);
	probe_events__exit(&del.events[1]);
	tracefs__close(&del.tracefs);
	if (opts->quiet && ret == -ENOENT) /* so what is not there need not be known */
		return (u8)ret;
	return ret ? probe_failed(&del.err, "delete events") : 0;
}

int cmd_probe(int argc, const char **argv)
{
	struct probe_options opts;
	int ret = probe_options__parse(argc, argv, &opts);

	if (!ret) {
		static int (*const actions[])(const struct probe_options *opts) = {
			[PROBE_ADD] = add_probes,         [PROBE_DELETE] = delete_probes,
			[PROBE_LIST] = probe_list,        [PROBE_DEFINITION] = print_definitions,
			[PROBE_LINE] = probe_show_line,   [PROBE_VARS] = probe_show_vars,
			[PROBE_FUNCS] = probe_show_funcs, [PROBE_TRY] = probe_try,
		};

		ret = actions[opts.action](&opts);
	}
	probe_options__exit(&opts);
	return ret;
}
