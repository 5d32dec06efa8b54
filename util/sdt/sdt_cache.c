// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of the objects in the build-id cache, from their files "probes". Anybody may have written
 * these: names that no event can have are skipped, sizes are bounded.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/buildid/build_id_cache.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/sdt/sdt.h"

#define MAX_FILE (64u << 20)

/* "sdt_PROVIDER:NAME" of "%sdt_PROVIDER:NAME=NAME", cut off there; NULL: another line. */
static const char *event_of_line(char *line)
{
	char *p = line + 1, *colon = NULL;

	if (!text__starts_with(line, "%sdt_"))
		return NULL;
	for (; *p && *p != '='; p++) {
		if (*p == ':' && !colon)
			colon = p;
		else if (!isalnum((u8)*p) && *p != '_')
			return NULL;
	}
	if (!colon || colon + 1 == p || *p != '=')
		return NULL;
	*p = '\0';
	return line + 1;
}

/* The place in "p:GROUP/NAME PLACE"; "" where the next line is no such. */
static const char *location_of_line(char *line)
{
	char *blank = text__starts_with(line, "p:") ? strchr(line, ' ') : NULL;

	return blank ? blank + 1 : "";
}

void sdt_events__parse(const char *text, void (*each)(void *ctx, const struct sdt_event *event),
                       void *ctx)
{
	char *copy = xstrdup(text), *rest = copy, *line;
	struct sdt_event event = { .name = NULL };

	while ((line = strsep(&rest, "\n"))) {
		event.location = location_of_line(line);
		if (event.name && (*event.location || !event.nr)) {
			each(ctx, &event);
			event.nr++;
		}
		if (*event.location)
			continue;
		event.name = event_of_line(line);
		event.nr = 0;
	}
	free(copy);
}

/* ---- all of a cache ---- */

struct listing {
	struct arena texts;
	struct sdt_event *events;
	u32 nr;
	size_t cap;
	const char *path; /* of the object looked at */
	struct build_id id;
};

static const char *keep(struct listing *list, const char *s)
{
	return arena__strndup(&list->texts, s, strlen(s));
}

static void add_event(void *ctx, const struct sdt_event *event)
{
	struct listing *list = ctx;

	array__reserve(&list->events, &list->cap, list->nr + 1, sizeof(*list->events));
	list->events[list->nr++] = (struct sdt_event){
		.name = keep(list, event->name),
		.location = keep(list, event->location),
		.nr = event->nr,
		.path = list->path,
		.id = list->id,
	};
}

struct cache_walk {
	struct listing *list;
	const char *dir;
};

static void read_object(void *ctx, const struct build_id_cache_entry *entry)
{
	struct cache_walk *walk = ctx;
	char *file = build_id_cache__find(walk->dir, &entry->id, CACHE_PROBES);
	size_t len;
	char *text = file ? file__read_all(file, MAX_FILE, &len) : NULL;

	if (text && len) {
		walk->list->path = keep(walk->list, entry->name);
		walk->list->id = entry->id;
		sdt_events__parse(text, add_event, walk->list);
	}
	free(text);
	free(file);
}

/* As if each were written NAME@BUILD-ID: so "x:regs2" stands before "x:regs", as in Linux's list.
 */
static int compare_events(const void *a, const void *b)
{
	const struct sdt_event *x = a, *y = b;
	const char *p = x->name, *q = y->name;

	while (*p && *p == *q) {
		p++;
		q++;
	}
	if (*p != *q)
		return (*p ? *p : '@') - (*q ? *q : '@');
	int order = memcmp(x->id.data, y->id.data, sizeof(x->id.data));

	return order ? order : (x->nr > y->nr) - (x->nr < y->nr);
}

/* Events of one name, @list->events[first] being the first. Returns the one behind them. */
static u32 mark_ambiguous(struct listing *list, u32 first)
{
	struct sdt_event *events = list->events;
	u32 end = first + 1;

	while (end < list->nr && !strcmp(events[first].name, events[end].name))
		end++;
	for (u32 i = first; i < end; i++)
		events[i].ambiguous = !build_id__equal(&events[first].id, &events[end - 1].id);
	return end;
}

int sdt_events__list(const char *dir, void (*each)(void *ctx, const struct sdt_event *event),
                     void *ctx)
{
	struct listing list = { .nr = 0 };
	struct cache_walk walk = { .list = &list, .dir = dir };
	int ret = build_id_cache__list(dir, read_object, &walk);

	if (list.nr)
		qsort(list.events, list.nr, sizeof(*list.events), compare_events);
	for (u32 i = 0; i < list.nr;)
		i = mark_ambiguous(&list, i);
	for (u32 i = 0; i < list.nr; i++)
		each(ctx, &list.events[i]);
	free(list.events);
	arena__exit(&list.texts);
	return ret;
}

/* ---- what can be opened ---- */

struct asking {
	const char *dir; /* of the cache */
	const char *sys, *name;
	void (*each)(void *ctx, const struct probe_point *point);
	void *ctx;
	struct error *err;
	int ret;
};

char *sdt_location__parse(const char *location, u64 *offset, u64 *semaphore)
{
	const char *at = location, *found = NULL;
	char *end;

	while ((at = strstr(at, ":0x"))) {
		u64 number = strtoull(at + 1, &end, 16), second = 0;
		bool closed = true;

		if (text__starts_with(end, "(0x")) {
			second = strtoull(end + 1, &end, 16);
			closed = *end++ == ')';
		}
		if (at > location && closed && (!*end || *end == ' ')) {
			*offset = number;
			*semaphore = second;
			found = at;
		}
		at += 3;
	}
	return found ? strndup(location, found - location) : NULL;
}

static bool fits(const struct asking *asking, const char *event)
{
	const char *colon = strchr(event, ':');
	char *sys = strndup(event, colon - event);
	bool fits = text__glob(asking->sys, sys) && text__glob(asking->name, colon + 1);

	free(sys);
	return fits;
}

/* As an object that has points or none. */
static bool is_cached(const struct asking *asking, const struct build_id *id)
{
	char *file = build_id_cache__find(asking->dir, id, CACHE_ELF);
	bool cached = file != NULL;

	free(file);
	return cached;
}

static void tell_point(void *ctx, const struct sdt_event *event)
{
	struct asking *asking = ctx;
	struct probe_point point = { .name = event->name };
	struct build_id id;
	char *path;

	if (!fits(asking, event->name))
		return;
	point.path = path = sdt_location__parse(event->location, &point.offset, &point.semaphore);
	if (!path)
		return;
	const char *args = strchr(event->location + strlen(path), ' ');

	point.args = args ? args + 1 : "";
	int ret = build_id__of_file(path, &id);

	if (!ret && build_id__equal(&id, &event->id))
		asking->each(asking->ctx, &point);
	else if (access(path, F_OK))
		asking->ret = error__set(asking->err, -ESTALE, "", NULL,
		                         "'%.150s' is gone since it was cached; perf buildid-cache "
		                         "--purge it, and --add the program that has the point",
		                         path);
	else if (ret || !is_cached(asking, &id))
		asking->ret = error__set(asking->err, -ESTALE, "", NULL,
		                         "'%.150s' is another file since it was cached; "
		                         "perf buildid-cache --add it again",
		                         path);
	free(path);
}

int sdt__probe_points(const char *sys, const char *name,
                      void (*each)(void *ctx, const struct probe_point *point), void *ctx,
                      struct error *err)
{
	char *dir = build_id_cache__dir(NULL, NULL);
	struct asking asking = { dir, sys, name, each, ctx, err, 0 };

	if (dir)
		sdt_events__list(dir, tell_point, &asking);
	free(dir);
	return asking.ret;
}
