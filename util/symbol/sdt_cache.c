// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The events that the objects of the build-id cache can give, by their files "probes". Anybody may
 * have written these: what is no event's name is passed over, sizes are bounded.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/symbol/sdt.h"

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
static const char *place_of_line(char *line)
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
		if (event.name) {
			event.place = place_of_line(line);
			each(ctx, &event);
		}
		event.name = event_of_line(line);
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
		.place = keep(list, event->place),
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
	return memcmp(x->id.data, y->id.data, sizeof(x->id.data));
}

static bool same_name(const struct listing *list, u32 i, u32 j)
{
	return j < list->nr && !strcmp(list->events[i].name, list->events[j].name);
}

int sdt_events__list(const char *dir, void (*each)(void *ctx, const struct sdt_event *event),
                     void *ctx)
{
	struct listing list = { .nr = 0 };
	struct cache_walk walk = { .list = &list, .dir = dir };
	int ret = build_id_cache__list(dir, read_object, &walk);

	if (list.nr)
		qsort(list.events, list.nr, sizeof(*list.events), compare_events);
	for (u32 i = 0; i < list.nr; i++) {
		list.events[i].ambiguous =
		        same_name(&list, i, i + 1) || (i && same_name(&list, i, i - 1));
		each(ctx, &list.events[i]);
	}
	free(list.events);
	arena__exit(&list.texts);
	return ret;
}
