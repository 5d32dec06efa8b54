// SPDX-License-Identifier: GPL-2.0-or-later
/* perf probe --cache: definitions that the build-id cache keeps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-probe.h"
#include "builtin.h"
#include "ui/term/diag.h"
#include "util/archive/build_id_cache_add.h"
#include "util/elf/build_id.h"
#include "util/options/name_filter.h"
#include "util/probe/probe_cache.h"

static int find_cache(char **dir, struct error *err)
{
	*dir = build_id_cache__dir(NULL, NULL);
	if (*dir)
		return 0;
	error__set(err, -ENOENT, "cannot find the build-id cache", NULL, "there is no home folder");
	return error__advise(err, "choose one with perf --buildid-dir");
}

bool probe_cache_knows(struct probe_target *target, const struct probe_event *event)
{
	char *dir = build_id_cache__dir(NULL, NULL);
	struct probe_cache cache = { .nr = 0 };
	struct build_id id = { 0 };
	bool known = false;

	elf_file__build_id(&target->elf, &id);
	if (dir && id.size)
		probe_cache__open(&cache, dir, &id);
	for (u32 i = 0; i < cache.nr; i++)
		known |= probe_event__is_among(event, (const char *const *)cache.entries[i].lines,
		                               cache.entries[i].nr);
	probe_cache__exit(&cache);
	free(dir);
	return known;
}

/* ---- --add ---- */

static void keep_one(struct probe_cache *cache, const char *text, const struct event_lines *lines,
                     u32 of)
{
	const char **own = xcalloc(lines->nr + 1, sizeof(*own));
	struct probe_definition def;
	const char *group = "";
	u32 nr = 0;

	for (u32 i = 0; i < lines->nr; i++) {
		if (lines->lines[i].of != of)
			continue;
		own[nr++] = lines->lines[i].line;
		group = lines->lines[i].group;
	}
	probe_definition__parse(&def, text, NULL);
	if (!def.point) { /* else it is in a cache, or in the program */
		char *key = probe_definition__cache_text(&def, group);

		probe_cache__put(cache, key, own, nr);
		free(key);
	}
	probe_definition__exit(&def);
	free(own);
}

static int identify(struct probe_target *target, struct build_id *id, struct error *err)
{
	int ret = target->is_running ? build_id__of_kernel(id) : 0;

	if (target->module)
		return error__set(err, -EOPNOTSUPP, "cannot cache probes of", target->module,
		                  "those of modules are not kept");
	if (probe_target__is_elsewhere(target))
		return error__set(err, -EOPNOTSUPP, "cannot cache probes of", target->path,
		                  "its path is another mount namespace's");
	if (!target->is_running)
		elf_file__build_id(&target->elf, id);
	return !ret && id->size ? 0
	                        : error__set(err, -ENOENT, "cannot cache probes of", target->path,
	                                     "it has no build-id");
}

static int keep_all(const struct probe_options *opts, struct probe_target *target,
                    const struct event_lines *lines, const char *dir, struct error *err)
{
	struct build_id id = { 0 };
	struct probe_cache cache;
	int ret = identify(target, &id, err);

	if (!ret)
		ret = build_id_cache__add(
		        dir, target->is_running ? "[kernel.kallsyms]" : target->path, -1, &id,
		        target->is_running ? CACHE_KALLSYMS : CACHE_ELF, err);
	if (ret)
		return ret;
	probe_cache__open(&cache, dir, &id);
	for (u32 i = 0; i < opts->nr_texts; i++)
		keep_one(&cache, opts->texts[i], lines, i);
	ret = probe_cache__save(&cache, err);
	probe_cache__exit(&cache);
	return ret;
}

int probe_cache_keep(const struct probe_options *opts, const struct event_lines *lines,
                     struct error *err)
{
	struct probe_target target;
	char *dir;
	int ret = find_cache(&dir, err);

	if (ret)
		return ret;
	ret = probe_options__open(opts, &target, err);
	if (!ret) {
		ret = keep_all(opts, &target, lines, dir, err);
		probe_target__close(&target);
	}
	free(dir);
	return ret;
}

/* ---- --list and --del ---- */

struct walk {
	const struct probe_options *opts;
	const char *dir;
	struct out out;
	u32 *hits; /* --del: of each pattern */
	struct error err;
	int ret;
};

static bool passes(const struct walk *walk, const char *text)
{
	bool passes = !walk->opts->nr_texts;

	for (u32 i = 0; i < walk->opts->nr_texts; i++)
		passes |= name_filter__passes(walk->opts->texts[i], text);
	return passes;
}

static void list_object(void *ctx, const struct build_id_cache_entry *object)
{
	struct walk *walk = ctx;
	struct probe_cache cache;
	char hex[BUILD_ID_HEX_SIZE];

	probe_cache__open(&cache, walk->dir, &object->id);
	build_id__hex(&object->id, hex);
	if (cache.nr) {
		out__name(&walk->out, object->name);
		out__printf(&walk->out, " (%s):\n", hex);
	}
	for (u32 i = 0; i < cache.nr; i++) {
		if (!passes(walk, cache.entries[i].text))
			continue;
		out__name(&walk->out, cache.entries[i].text);
		out__char(&walk->out, '\n');
	}
	probe_cache__exit(&cache);
}

static bool take_out(struct walk *walk, struct probe_cache *cache, u32 at)
{
	const char *text = cache->entries[at].text;
	bool hit = false;

	for (u32 i = 0; i < walk->opts->nr_texts; i++) {
		bool passes = name_filter__passes(walk->opts->texts[i], text);

		walk->hits[i] += passes;
		hit |= passes;
	}
	if (hit && !walk->opts->quiet)
		diag__line("Removed cached event: %s", text);
	if (hit)
		probe_cache__remove(cache, at);
	return hit;
}

static void delete_in_object(void *ctx, const struct build_id_cache_entry *object)
{
	struct walk *walk = ctx;
	struct probe_cache cache;
	bool changed = false;

	probe_cache__open(&cache, walk->dir, &object->id);
	for (u32 i = 0; i < cache.nr;) {
		bool gone = take_out(walk, &cache, i);

		changed |= gone;
		i += !gone;
	}
	if (changed && !walk->opts->dry_run && !walk->ret)
		walk->ret = probe_cache__save(&cache, &walk->err);
	probe_cache__exit(&cache);
}

static int check_patterns(const struct probe_options *opts, struct error *err)
{
	int ret = 0;

	for (u32 i = 0; i < opts->nr_texts && !ret; i++)
		ret = name_filter__check(opts->texts[i], err);
	return ret;
}

int probe_cache_list(const struct probe_options *opts)
{
	struct walk walk = { .opts = opts };
	char *dir;

	if (check_patterns(opts, &walk.err))
		return probe_options__mistake(&walk.err);
	if (find_cache(&dir, &walk.err))
		return probe_failed(&walk.err, "show event list");
	walk.dir = dir;
	out__init(&walk.out, STDOUT_FILENO);
	int ret = build_id_cache__list(dir, list_object, &walk);

	out__exit(&walk.out);
	if (ret)
		error__set(&walk.err, ret, "cannot read", dir, NULL);
	free(dir);
	if (ret)
		return probe_failed(&walk.err, "show event list");
	return diag__cannot_write(walk.out.error, "cannot write the output", NULL);
}

int probe_cache_delete(const struct probe_options *opts)
{
	struct walk walk = { .opts = opts, .hits = xcalloc(opts->nr_texts, sizeof(*walk.hits)) };
	char *dir = NULL;
	int ret = check_patterns(opts, &walk.err);
	bool mistake = ret;

	if (!ret)
		ret = find_cache(&dir, &walk.err);
	walk.dir = dir;
	if (!ret)
		ret = build_id_cache__list(dir, delete_in_object, &walk) ?: walk.ret;
	for (u32 i = 0; i < opts->nr_texts && !ret; i++)
		if (!walk.hits[i])
			ret = error__set(&walk.err, -ENOENT, "cannot remove", opts->texts[i],
			                 "it does not hit any cached event");
	free(walk.hits);
	free(dir);
	if (mistake)
		return probe_options__mistake(&walk.err);
	return ret ? probe_failed(&walk.err, "delete events") : 0;
}
