// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * TRACING_DATA: copies of the format files that are needed to read tracepoint samples on
 * another machine. Layout: Documentation/perf.data-file-format.txt, "Tracing data".
 */
#include "util/writer/feature_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define MAX_FORMAT   (1u << 20) /* bytes of one format file */
#define MAX_CMDLINES (16u << 20)

struct format {
	char *system, *text;
	size_t len;
};

struct formats {
	struct format *formats;
	size_t nr, cap;
};

static void put_file(struct out *out, const char *text, size_t len)
{
	feature__put_u64(out, len);
	out__mem(out, text, len);
}

/* A file of tracefs's events folder with its name in front. */
static bool put_named(const struct feature_source *source, const char *name, struct out *out)
{
	char *path = xasprintf("%s/events/%s", source->tracefs, name);
	size_t len;
	char *text = file__read_all(path, MAX_FORMAT, &len);

	free(path);
	if (!text)
		return false;
	out__mem(out, name, strlen(name) + 1);
	put_file(out, text, len);
	free(text);
	return true;
}

static void add_format(const struct feature_source *source, const char *system, const char *name,
                       struct formats *list)
{
	char *path = xasprintf("%s/events/%s/%s/format", source->tracefs, system, name);
	struct format format;

	format.text = file__read_all(path, MAX_FORMAT, &format.len);
	free(path);
	if (!format.text)
		return;
	format.system = xstrdup(system);
	array__reserve(&list->formats, &list->cap, list->nr + 1, sizeof(format));
	list->formats[list->nr++] = format;
}

/* Is it the event with that id? A name may be one of the user's own. */
static bool has_id(const struct feature_source *source, const char *system, const char *event,
                   u64 id)
{
	char *path = xasprintf("%s/events/%s/%s/id", source->tracefs, system, event);
	u64 found = 0;
	int ret = file__read_u64(path, &found);

	free(path);
	return !ret && found == id;
}

static void collect_formats(const struct feature_source *source, struct formats *list)
{
	const struct evlist *evlist = source->evlist;

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct evsel *evsel = evlist->evsels[i];
		char name[512], *event;

		if (!evsel__is_tracepoint(evsel))
			continue;
		snprintf(name, sizeof(name), "%s",
		         evsel->tracepoint ? evsel->tracepoint : evsel->name);
		event = strpbrk(name, ":/");
		if (!event)
			continue;
		*event++ = '\0';
		event[strcspn(event, ":/")] = '\0'; /* modifiers, terms */
		if (has_id(source, name, event, evsel->attr.config))
			add_format(source, name, event, list);
	}
}

static bool same_system(const struct format *a, const struct format *b)
{
	return !strcmp(a->system, b->system);
}

/* Formats of the "ftrace" system stand alone, all others grouped by system. */
static void put_formats(const struct formats *list, struct out *out)
{
	u32 nr_ftrace = 0, nr_systems = 0;
	size_t count_at;

	for (size_t i = 0; i < list->nr; i++)
		nr_ftrace += !strcmp(list->formats[i].system, "ftrace");
	feature__put_u32(out, nr_ftrace);
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->formats[i].system, "ftrace"))
			put_file(out, list->formats[i].text, list->formats[i].len);

	count_at = out->len;
	feature__put_u32(out, 0);
	for (size_t i = 0; i < list->nr; i++) {
		const struct format *first = &list->formats[i];
		size_t j;
		u32 nr = 0;

		for (j = 0; j < i && !same_system(&list->formats[j], first); j++)
			;
		if (j < i || !strcmp(first->system, "ftrace"))
			continue;
		nr_systems++;
		for (j = i; j < list->nr; j++)
			nr += same_system(&list->formats[j], first);
		out__mem(out, first->system, strlen(first->system) + 1);
		feature__put_u32(out, nr);
		for (j = i; j < list->nr; j++)
			if (same_system(&list->formats[j], first))
				put_file(out, list->formats[j].text, list->formats[j].len);
	}
	memcpy(out->buf + count_at, &nr_systems, sizeof(nr_systems));
}

static void put_text_u32(const struct feature_source *source, const char *file, struct out *out)
{
	char *path = xasprintf("%s/%s", source->tracefs, file);
	size_t len = 0;
	char *text = file__read_all(path, MAX_CMDLINES, &len);

	feature__put_u32(out, text ? len : 0);
	out__mem(out, text ? text : "", text ? len : 0);
	free(path);
	free(text);
}

static void put_text_u64(const struct feature_source *source, const char *file, struct out *out)
{
	char *path = xasprintf("%s/%s", source->tracefs, file);
	size_t len = 0;
	char *text = file__read_all(path, MAX_CMDLINES, &len);

	feature__put_u64(out, text ? len : 0);
	out__mem(out, text ? text : "", text ? len : 0);
	free(path);
	free(text);
}

bool feature__write_tracing_data(const struct feature_source *source, struct out *out)
{
	static const char magic[] = "\027\010\104tracing0.6"; /* with its NUL */
	static const u16 one = 1;
	struct formats list = { 0 };
	bool wanted = false;

	for (u32 i = 0; i < source->evlist->nr; i++)
		wanted |= evsel__is_tracepoint(source->evlist->evsels[i]);
	if (!wanted || !source->tracefs)
		return false;
	out__mem(out, magic, sizeof(magic));
	out__char(out, *(const u8 *)&one == 0); /* big endian? */
	out__char(out, sizeof(long));
	feature__put_u32(out, sysconf(_SC_PAGESIZE));
	if (!put_named(source, "header_page", out) || !put_named(source, "header_event", out))
		return false;
	collect_formats(source, &list);
	put_formats(&list, out);
	feature__put_u32(out, 0); /* kallsyms: the symbols come from elsewhere today */
	put_text_u32(source, "printk_formats", out);
	put_text_u64(source, "saved_cmdlines", out);
	for (size_t i = 0; i < list.nr; i++) {
		free(list.formats[i].system);
		free(list.formats[i].text);
	}
	free(list.formats);
	return true;
}
