// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/event_lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "util/fetch/kernel_args.h"
#include "util/fetch/place_text.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"
#include "util/probe/point_lines.h"
#include "util/probe/probe_cache.h"

#define NAME_LIMIT 63 /* the kernel's */

static void event_line__exit(struct event_line *line)
{
	free(line->line);
	free(line->group);
	free(line->name);
	free(line->shown);
	free(line->refused);
}

void event_lines__exit(struct event_lines *lines)
{
	for (u32 i = 0; i < lines->nr; i++)
		event_line__exit(&lines->lines[i]);
	free(lines->lines);
}

/* ---- names ---- */

char *event_group__of_path(const char *path)
{
	const char *name = text__basename(path);
	int len = 0;

	while (isalnum((u8)name[len]) || name[len] == '_')
		len++;
	return xasprintf("probe_%.*s", len, name);
}

/*
 * "ns::Box<a::b>::f<int>" -> "f", "f.isra.0" -> "f", "malloc@GLIBC_2.2" -> "malloc"; what no name
 * can have becomes _. (Rust: "parse::<T>" -> "parse")
 */
static char *name_of_function(const char *function)
{
	const char *from = place_text__last(function);
	size_t len = strcspn(from, ".@<( :");
	char *name = strndup(from, len ? len : strlen(from));

	for (char *c = name; *c; c++)
		if (!isalnum((u8)*c) && *c != '_')
			*c = '_';
	if (isdigit((u8)*name) || !*name) {
		char *longer = xasprintf("_%s", name);

		free(name);
		name = longer;
	}
	return name;
}

static char *event_name(const struct probe_definition *def, const struct probe_spot *spot)
{
	const struct probe_place *place = &def->place;
	bool own = place->function && !place_text__is_glob(place->function);
	const char *function = own ? place->function : spot->function;
	char *name, *longer;

	if (def->event)
		name = xstrdup(def->event);
	else if (place->is_absolute || !function)
		return xasprintf(
		        "abs_%llx",
		        (unsigned long long)(place->is_absolute ? place->address : spot->addr));
	else
		name = name_of_function(function);
	if (place->is_return)
		longer = xasprintf("%s__return", name);
	else if (!def->event && place->function && place->has_line && place->line)
		longer = xasprintf("%s_L%u", name, place->line);
	else
		return name;
	free(name);
	return longer;
}

static bool is_taken(const struct event_lines *lines, u32 before,
                     const struct probe_events *existing, const char *group, const char *name)
{
	if (existing && probe_events__has(existing, group, name))
		return true;
	for (u32 i = 0; i < before; i++)
		if (!strcmp(lines->lines[i].group, group) && !strcmp(lines->lines[i].name, name))
			return true;
	return false;
}

/* Make the names new of the lines from @first on, which are of one definition. */
static int settle_name(struct event_lines *lines, u32 first, const struct probe_events *existing,
                       const char *group, char **name, struct error *err)
{
	char *base = *name;

	if (strlen(base) > NAME_LIMIT || strlen(group) > NAME_LIMIT)
		return error__set(err, -E2BIG, "cannot name the event", base,
		                  "names of events and groups have at most %d characters",
		                  NAME_LIMIT);
	if (lines->quiet_names || !is_taken(lines, first, existing, group, base))
		return 0;
	if (!lines->force) {
		char *what = xasprintf("event \"%s\" already exists", base);

		error__set(err, -EEXIST, what, NULL, "group '%s' has it", group);
		free(what);
		return error__advise(err, "Remove the existing event by 'perf probe -d', or force "
		                          "duplicates by 'perf probe -f'");
	}
	for (u32 number = 1; is_taken(lines, first, existing, group, *name); number++) {
		if (*name != base)
			free(*name);
		*name = xasprintf("%s_%u", base, number);
	}
	free(base);
	return 0;
}

/* ---- lines ---- */

static void write_args(struct out *out, const struct probe_spot *spot)
{
	for (u32 j = 0; j < spot->nr_args; j++) {
		out__char(out, ' ');
		if (spot->names[j]) {
			out__str(out, spot->names[j]);
			out__char(out, '=');
		}
		out__str(out, spot->values[j]);
	}
}

/*
 * The function that the code is in, and how far; of a name that several functions have, how far it
 * is behind the kernel's first byte of text.
 */
static void write_kernel_place(struct out *out, struct probe_target *target,
                               const struct probe_place *place, const struct probe_spot *spot)
{
	u32 nr, same = 0;
	const struct probe_symbol *symbols = probe_target__symbols(target, &nr), *in = NULL;
	const struct probe_symbol *text = probe_target__symbol(target, "_text");

	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_code && symbols[i].size && symbols[i].addr <= spot->addr &&
		    (!in || symbols[i].addr > in->addr))
			in = &symbols[i];
	for (u32 i = 0; in && i < nr; i++)
		same += symbols[i].is_code && symbols[i].addr != in->addr &&
		        !strcmp(symbols[i].name, in->name);
	if (target->module)
		out__printf(out, "%s:", target->module);
	/* As Linux's perf has it: what runs is named by its place, returns by their function. */
	bool by_name = !target->is_running || target->module || place->is_return;

	if (target->is_running && place->is_absolute)
		out__printf(out, "0x%llx", (unsigned long long)spot->addr);
	else if (in && (target->module || ((by_name || !text) && (!same || !text))))
		out__printf(out, "%s+%llu", in->name, (unsigned long long)(spot->addr - in->addr));
	else
		out__printf(out, "_text+%llu",
		            (unsigned long long)(spot->addr - (text ? text->addr : 0)));
}

static char *make_line(const struct probe_target *target, const struct probe_definition *def,
                       const struct probe_spot *spot, const char *group, const char *name)
{
	struct out out;

	out__init(&out, -1);
	out__char(&out, def->place.is_return ? 'r' : 'p');
	if (def->place.max_active)
		out__dec(&out, def->place.max_active, 0);
	out__printf(&out, ":%s/%s ", group, name);
	if (target->is_kernel)
		write_kernel_place(&out, (struct probe_target *)target, &def->place, spot);
	else
		out__printf(&out, "%s:0x%llx", target->written,
		            (unsigned long long)probe_target__offset(target, spot->addr));
	write_args(&out, spot);
	char *line = xstrdup(out__take(&out));

	out__exit(&out);
	return line;
}

/* "PLACE in FILE with ARG ..."; @file NULL: of the kernel. */
static char *shown_as(const char *place, const char *file, const struct probe_definition *def)
{
	struct out out;

	out__init(&out, -1);
	out__name(&out, place);
	if (file) {
		out__str(&out, " in ");
		out__name(&out, file);
	}
	for (u32 i = 0; i < def->nr_args; i++) {
		const struct probe_arg *arg = &def->args[i];
		char *name = arg->name || arg->nr_fields ? probe_arg__name(arg) : NULL;

		out__str(&out, i ? " " : " with ");
		if (name)
			out__printf(&out, "%s=", name);
		out__name(&out, arg->text);
		free(name);
	}
	char *shown = xstrdup(out__take(&out));

	out__exit(&out);
	return shown;
}

static char *shown_as_point(const char *point, const char *file, const struct probe_definition *def)
{
	char *place = xasprintf("%%%s", point), *shown = shown_as(place, file, def);

	free(place);
	return shown;
}

static char *make_shown(const struct probe_target *target, const struct probe_definition *def)
{
	char *place = probe_place__text(&def->place);
	char *shown = shown_as(place,
	                       target->module      ? target->module
	                       : target->is_kernel ? NULL
	                                           : target->path,
	                       def);

	free(place);
	return shown;
}

/* The names and types of a line's arguments: "a:u32 b". */
static char *signature(const char *line)
{
	struct probe_events events = { .texts = ARENA_INIT };
	struct out out;
	char *text;

	probe_events__parse(&events, line, !strchr(line, '/') || strstr(line, ":0x"));
	out__init(&out, -1);
	for (const char *arg = events.nr ? events.events[0].args : ""; *arg;) {
		size_t len = strcspn(arg, " "), name = strcspn(arg, "= ");
		const char *type = memrchr(arg, ':', len);

		out__mem(&out, arg, name < len ? name : 0);
		if (type)
			out__mem(&out, type, arg + len - type);
		out__char(&out, ' ');
		arg += len + (arg[len] == ' ');
	}
	text = xstrdup(out__take(&out));
	out__exit(&out);
	probe_events__exit(&events);
	return text;
}

/*
 * All places of an event have the same arguments: one with others becomes an event by itself.
 * Returns the name, which is new then.
 */
static char *name_apart(const struct event_lines *lines, u32 first, const char *line,
                        const char *group, char *name)
{
	char *base = xstrdup(name), *own = signature(line);
	u32 number = 0;

	for (u32 i = first; i < lines->nr; i++) {
		if (strcmp(lines->lines[i].group, group) || strcmp(lines->lines[i].name, name))
			continue;
		char *other = signature(lines->lines[i].line);
		bool same = !strcmp(own, other);

		free(other);
		if (same)
			break;
		free(name);
		name = xasprintf("%s_%u", base, ++number);
		i = first - 1; /* and again: this name may be there, too */
	}
	free(base);
	free(own);
	return name;
}

static bool is_written(const struct event_lines *lines, u32 first, const char *line)
{
	for (u32 i = first; i < lines->nr; i++)
		if (!strcmp(lines->lines[i].line, line))
			return true;
	return false;
}

static void append(struct event_lines *lines, const struct event_line *line)
{
	array__reserve(&lines->lines, &lines->cap, lines->nr + 1, sizeof(*line));
	lines->lines[lines->nr++] = *line;
}

static char *group_of(const struct probe_target *target, const struct probe_definition *def)
{
	if (def->group)
		return xstrdup(def->group);
	return target->is_kernel ? xstrdup("probe") : event_group__of_path(target->path);
}

/* What the kernel does not take, or in definitions of its own functions only, or would fetch wrong.
 */
static int check_definition(const struct probe_target *target, const struct probe_definition *def,
                            struct error *err)
{
	const struct kernel_rules rules = {
		.machine = target->is_running ? arch__here()->machine : target->elf.machine,
		.of_program = !target->is_kernel,
		.is_return = def->place.is_return,
	};
	int ret = 0;

	if (def->place.max_active && rules.of_program)
		return error__set(err, -EINVAL, "cannot probe", def->text,
		                  "only of the kernel's functions a number of calls is watched; in "
		                  "programs all are");
	for (u32 i = 0; i < def->nr_args && !ret; i++) {
		ret = kernel_arg__check(&def->args[i], &rules, err);
		if (ret || !rules.of_program || !strstr(def->args[i].text, "\\\""))
			continue;
		error__set(err, -EINVAL, "cannot fetch", def->args[i].text,
		           "in programs the kernel looks for the text in the program's "
		           "memory, where it is not");
		ret = error__advise(err, "a number can be fetched: \\5");
	}
	return ret;
}

static int check_names(const struct probe_spot *spot, struct error *err)
{
	int ret = 0;

	for (u32 i = 0; i < spot->nr_args && !ret; i++)
		ret = spot->names[i] ? kernel_name__check(spot->names[i], err) : 0;
	return ret;
}

int event_lines__add(struct event_lines *lines, const struct probe_target *target,
                     const struct probe_definition *def, const struct probe_spots *spots,
                     const struct probe_events *existing, struct error *err)
{
	u32 first = lines->nr;

	if (check_definition(target, def, err))
		return -EINVAL;
	for (u32 i = 0; i < spots->nr; i++) {
		const struct probe_spot *spot = &spots->spots[i];
		struct event_line line = { .group = group_of(target, def),
			                   .name = event_name(def, spot) };
		int ret = settle_name(lines, first, existing, line.group, &line.name, err);

		if (!ret)
			ret = check_names(spot, err);
		if (!ret && !target->is_kernel &&
		    probe_target__offset(target, spot->addr) == UINT64_MAX)
			ret = error__set(err, -ENOENT, "cannot probe", def->text,
			                 "0x%llx is no address of code in '%s'",
			                 (unsigned long long)spot->addr, target->path);
		if (ret) {
			free(line.group);
			free(line.name);
			return ret;
		}
		line.line = make_line(target, def, spot, line.group, line.name);
		line.name = name_apart(lines, first, line.line, line.group, line.name);
		free(line.line);
		line.line = make_line(target, def, spot, line.group, line.name);
		line.shown = make_shown(target, def);
		if (is_written(lines, first, line.line))
			event_line__exit(&line); /* two functions of a module that the kernel cannot
			                            tell apart */
		else
			append(lines, &line);
	}
	return 0;
}

/* ---- static probe points ---- */

static int no_point(const struct probe_target *target, const struct probe_definition *def,
                    const struct sdt_probes *probes, struct error *err)
{
	char full[200], text[200];
	struct arena names = ARENA_INIT;
	struct nearest near;

	snprintf(full, sizeof(full), "%s%s%s", def->provider ? def->provider : "",
	         def->provider ? ":" : "", def->point);
	nearest__init(&near, full);
	for (u32 i = 0; i < probes->nr; i++) {
		const struct sdt_probe *probe = &probes->probes[i];
		char *name = xasprintf("%s%s%s", def->provider ? probe->provider : "",
		                       def->provider ? ":" : "", probe->name);

		nearest__offer(&near, arena__strndup(&names, name, strlen(name)));
		free(name);
	}
	nearest__text(&near, "", text, sizeof(text));
	int ret =
	        error__set(err, -ENOENT, "cannot find the static probe point", full, "'%s' has %s",
	                   target->path, probes->nr ? "none of this name" : "none");

	if (*text)
		error__advise(err, "%s", text);
	arena__exit(&names);
	return ret;
}

/* Of the group and name that it has. */
static int make_point_line(struct event_line *line, struct probe_target *target,
                           const struct probe_definition *def, const struct sdt_probe *probe,
                           u16 machine, struct error *err)
{
	line->line = point_line__make(target, probe, machine, line->group, line->name,
	                              target->written, &line->refused);
	return point_line__choose(&line->line, &line->refused, def, err);
}

static int add_point(struct event_lines *lines, struct probe_target *target,
                     const struct probe_definition *def, const struct sdt_probes *probes,
                     const struct sdt_probe *probe, u32 first, const struct probe_events *existing,
                     struct error *err)
{
	struct event_line line = { .group = def->group ? xstrdup(def->group)
		                                       : xasprintf("sdt_%s", probe->provider),
		                   .name = xstrdup(def->event ? def->event : probe->name) };
	int ret = settle_name(lines, first, existing, line.group, &line.name, err);

	for (u32 i = 0; i < def->nr_args && !ret; i++)
		ret = def->args[i].name ? kernel_name__check(def->args[i].name, err) : 0;
	if (!ret)
		ret = make_point_line(&line, target, def, probe, probes->machine, err);
	if (!ret) {
		line.name = name_apart(lines, first, line.line, line.group, line.name);
		free(line.line);
		ret = make_point_line(&line, target, def, probe, probes->machine, err);
	}
	if (ret) {
		event_line__exit(&line);
		return ret;
	}
	line.shown = shown_as_point(probe->name, target->path, def);
	append(lines, &line);
	return 0;
}

/* What the kernel does not take; "(arg1)" and names are the point's. */
static int check_point_args(const struct probe_target *target, const struct probe_definition *def,
                            struct error *err)
{
	const struct kernel_rules rules = { .machine = target->elf.machine, .of_program = true };
	int ret = 0;

	for (u32 i = 0; i < def->nr_args && !ret; i++) {
		const char *text = def->args[i].text;

		if (def->args[i].variable || !strchr("%@\\", *text))
			continue;
		ret = kernel_arg__check(&def->args[i], &rules, err);
		if (ret && text__starts_with(text, "%sdt_"))
			error__advise(err, "each static probe point is an --add of its own");
	}
	return ret;
}

int event_lines__add_sdt(struct event_lines *lines, struct probe_target *target,
                         const struct probe_definition *def, const struct probe_events *existing,
                         struct error *err)
{
	struct sdt_probes probes = { .nr = 0 };
	u32 first = lines->nr;
	int ret = check_point_args(target, def, err);

	if (ret)
		return ret;
	sdt_probes__read(&probes, &target->elf);
	for (u32 i = 0; !ret && i < probes.nr; i++) {
		const struct sdt_probe *probe = &probes.probes[i];

		if (text__glob(def->point, probe->name) &&
		    (!def->provider || text__glob(def->provider, probe->provider)))
			ret = add_point(lines, target, def, &probes, probe, first, existing, err);
	}
	if (!ret && lines->nr == first)
		ret = no_point(target, def, &probes, err);
	sdt_probes__exit(&probes);
	return ret;
}

bool event_lines__has_point(struct probe_target *target, const char *provider, const char *point)
{
	struct sdt_probes probes = { .nr = 0 };
	bool has = false;

	sdt_probes__read(&probes, &target->elf);
	for (u32 i = 0; i < probes.nr && !has; i++)
		has = text__glob(provider, probes.probes[i].provider) &&
		      text__glob(point, probes.probes[i].name);
	sdt_probes__exit(&probes);
	return has;
}

/* ---- the build-id cache ---- */

struct cached {
	struct event_lines *lines;
	const char *dir;
	const struct build_id *id;
	const struct probe_definition *def;
	const struct probe_events *existing;
	struct error *err;
	u32 first;
	int ret;
	struct point_lines points;
	char **stale; /* programs with the definition that are of another build by now, or gone */
	u32 nr_stale;
	struct arena names; /* of static points and of kept definitions, for those offered: */
	struct nearest near;
	const char *meant; /* a static point, but for "sdt_"; NULL: none */
};

/* The line of a static point with all of its arguments; NULL: as it is in the cache. */
static char *line_by_note(struct cached *cached, const struct build_id_cache_entry *object,
                          const struct probe_cache_entry *entry, const char *place,
                          struct event_line *line)
{
	u64 offset, semaphore;
	char *path = entry->is_sdt ? sdt_location__parse(place, &offset, &semaphore) : NULL;
	char *event = xasprintf("%.*s", (int)strcspn(entry->text, "="), entry->text), *made = NULL;

	if (path && !strcmp(path, object->name))
		made = point_lines__find(&cached->points, event, path, offset, line->group,
		                         line->name, &line->refused);
	free(event);
	free(path);
	return made;
}

/* "p:GROUP/NAME PLACE" under the group and name of the definition, if it has some. */
static int add_cached_line(struct cached *cached, const struct build_id_cache_entry *object,
                           const struct probe_cache_entry *entry, const char *text)
{
	const struct probe_definition *def = cached->def;
	const char *colon = strchr(text, ':'), *slash = colon ? strchr(colon, '/') : NULL;
	const char *blank = slash ? strchr(slash, ' ') : NULL;

	if (!blank)
		return 0;
	struct event_line line = {
		.group = def->group ? xstrdup(def->group)
		                    : xasprintf("%.*s", (int)(slash - colon - 1), colon + 1),
		.name = def->event ? xstrdup(def->event)
		                   : xasprintf("%.*s", (int)(blank - slash - 1), slash + 1),
	};
	int ret = probe_name__is_sound(line.group) && probe_name__is_sound(line.name)
	                  ? settle_name(cached->lines, cached->first, cached->existing, line.group,
	                                &line.name, cached->err)
	                  : error__set(cached->err, -EINVAL, "cannot use the cached probe", text,
	                               "no event can be called so");

	if (!ret && def->nr_args && !entry->is_sdt)
		ret = error__set(cached->err, -EINVAL, "cannot fetch", def->args[0].text,
		                 "a definition of the build-id cache has arguments of its own");
	if (ret) {
		event_line__exit(&line);
		return ret;
	}
	char *shape = xstrdup(text), *none = NULL; /* the names and types of its arguments */

	ret = point_line__choose(&shape, &none, def, cached->err);
	if (!ret)
		line.name = name_apart(cached->lines, cached->first, shape, line.group, line.name);
	free(shape);
	line.line = line_by_note(cached, object, entry, blank + 1, &line);
	if (!line.line)
		line.line = xasprintf("%.*s:%s/%s%s", (int)(colon - text), text, line.group,
		                      line.name, blank);
	if (!ret)
		ret = point_line__choose(&line.line, &line.refused, def, cached->err);
	if (ret) {
		event_line__exit(&line);
		return ret;
	}
	line.shown = shown_as_point(def->point, object->name, def);
	append(cached->lines, &line);
	return 0;
}

/* Its name without what was not asked for either: the group. */
static void offer_entry(struct cached *cached, const struct probe_cache_entry *entry, size_t len)
{
	const char *name = arena__strndup(&cached->names, entry->text, len);
	const char *colon = strchr(name, ':');

	if (text__starts_with(name, "sdt_") && !strcmp(name + 4, cached->near.word))
		cached->meant = name;
	if (entry->text[len])
		nearest__offer(&cached->near,
		               colon && !strchr(cached->near.word, ':') ? colon + 1 : name);
}

static void look_into(void *ctx, const struct build_id_cache_entry *object)
{
	struct cached *cached = ctx;
	const struct probe_definition *def = cached->def;
	char *group = def->provider ? xasprintf("sdt_%s", def->provider) : NULL;
	struct probe_cache cache = { .nr = 0 };
	struct build_id now;

	if (!cached->ret && (!cached->id || build_id__equal(cached->id, &object->id)))
		probe_cache__open(&cache, cached->dir, &object->id);
	for (u32 i = 0; i < cache.nr && !cached->ret; i++) {
		const struct probe_cache_entry *entry = &cache.entries[i];

		size_t len = strcspn(entry->text, "=");

		if (!probe_cache_entry__is_called(entry, group ? group : def->cached, def->point)) {
			offer_entry(cached, entry, len);
			continue;
		}
		if (*object->name == '/' && (build_id__of_file(object->name, &now) ||
		                             !build_id__equal(&now, &object->id))) {
			cached->stale = xrealloc(cached->stale, cached->nr_stale + 1,
			                         sizeof(*cached->stale));
			cached->stale[cached->nr_stale++] = xstrdup(object->name);
			break;
		}
		for (u32 j = 0; j < entry->nr && !cached->ret; j++)
			cached->ret = add_cached_line(cached, object, entry, entry->lines[j]);
	}
	probe_cache__exit(&cache);
	free(group);
}

#define STALE "it is gone or another file since it was cached"

/* Was something found in the program, in an entry of the build that it is now? */
static bool is_found(const struct cached *cached, const char *path)
{
	for (u32 i = cached->first; i < cached->lines->nr; i++) {
		const char *in = strstr(cached->lines->lines[i].shown, " in ");

		size_t len = strlen(path);

		if (in && !strncmp(in + 4, path, len) &&
		    (!in[4 + len] || text__starts_with(in + 4 + len, " with ")))
			return true;
	}
	return false;
}

/* Where the definition was in other builds only: an error if it is nowhere else, or a warning. */
static int judge_stale(struct cached *cached)
{
	struct event_lines *lines = cached->lines;

	if (cached->nr_stale && lines->nr == cached->first) {
		error__set(cached->err, -ESTALE, "cannot probe", cached->stale[0], STALE);
		return error__advise(cached->err, "perf buildid-cache --add it again");
	}
	for (u32 i = 0; i < cached->nr_stale; i++) {
		struct event_line *line = &lines->lines[lines->nr - 1];

		if (is_found(cached, cached->stale[i]))
			continue;
		char *refused = xasprintf("%s%s'%s' is left out: " STALE,
		                          line->refused ? line->refused : "",
		                          line->refused ? "\n" : "", cached->stale[i]);

		free(line->refused);
		line->refused = refused;
	}
	return 0;
}

int event_lines__add_cached(struct event_lines *lines, const char *dir, const struct build_id *id,
                            const struct probe_definition *def, const struct probe_events *existing,
                            struct error *err)
{
	struct cached cached = {
		lines, dir, id, def, existing, err, .first = lines->nr, .names = ARENA_INIT
	};
	const char *group = def->provider ? def->provider : def->cached;
	char *full = xasprintf("%s%s%s%s", def->provider ? "sdt_" : "", group ? group : "",
	                       group ? ":" : "", def->point);
	char text[200];

	nearest__init(&cached.near, full);
	build_id_cache__list(dir, look_into, &cached);
	point_lines__exit(&cached.points);
	if (!cached.ret)
		cached.ret = judge_stale(&cached);
	while (cached.nr_stale > 0)
		free(cached.stale[--cached.nr_stale]);
	free(cached.stale);
	if (!cached.ret && lines->nr == cached.first) {
		cached.ret = error__set(err, -ENOENT, "cannot find the probe", def->text,
		                        "the build-id cache has no definition of this name");
		const char *mark = *def->text == '%' ? "%" : "";

		if (cached.meant)
			snprintf(text, sizeof(text), "did you mean '%s%s'?", mark, cached.meant);
		else
			nearest__text(&cached.near, mark, text, sizeof(text));
		error__advise(err, "%s",
		              *text ? text : "perf probe --cache --list shows those that it has");
	}
	arena__exit(&cached.names);
	free(full);
	return cached.ret;
}

int event_lines__check_halves(const struct event_lines *lines, bool *of_programs, struct error *err)
{
	for (u32 i = 0; i < lines->nr; i++) {
		const char *blank = strchr(lines->lines[i].line, ' ');
		bool program = blank && blank[1] == '/';

		if (i && program != *of_programs)
			return error__set(err, -EINVAL, "cannot add probes of",
			                  lines->lines[i].shown, "the others are of %s",
			                  program ? "the kernel" : "programs");
		*of_programs = program;
	}
	return 0;
}
