// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/probe_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/file.h"
#include "util/lib/out.h"
#include "util/lib/output_file.h"
#include "util/lib/text.h"

#define MAX_FILE (64u << 20)

static void entry__exit(struct probe_cache_entry *entry)
{
	for (u32 i = 0; i < entry->nr; i++)
		free(entry->lines[i]);
	free(entry->lines);
	free(entry->text);
}

static struct probe_cache_entry *append(struct probe_cache *cache, const char *text, bool is_sdt)
{
	array__reserve(&cache->entries, &cache->cap, cache->nr + 1, sizeof(*cache->entries));
	struct probe_cache_entry *entry = &cache->entries[cache->nr++];

	*entry = (struct probe_cache_entry){ .text = xstrdup(text), .is_sdt = is_sdt };
	return entry;
}

static void add_line(struct probe_cache_entry *entry, const char *line)
{
	array__reserve(&entry->lines, &entry->cap, entry->nr + 1, sizeof(*entry->lines));
	entry->lines[entry->nr++] = xstrdup(line);
}

static bool is_line(const char *line)
{
	const char *slash = strchr(line, '/'), *blank = strchr(line, ' ');

	return (*line == 'p' || *line == 'r') && line[1 + strspn(line + 1, "0123456789")] == ':' &&
	       slash && blank && slash < blank;
}

void probe_cache__parse(struct probe_cache *cache, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *line;
	bool any = false;

	while ((line = strsep(&rest, "\n"))) {
		bool starts = (*line == '#' || *line == '%') && line[1];

		for (const char *c = line; *c; c++)
			if ((u8)*c < 0x20 || *c == 0x7f)
				line = (char *)"";
		if (starts && *line)
			append(cache, line + 1, *line == '%');
		else if (any && is_line(line))
			add_line(&cache->entries[cache->nr - 1], line);
		any = any ? *line || !starts : starts && *line;
	}
	free(copy);
}

void probe_cache__open(struct probe_cache *cache, const char *dir, const struct build_id *id)
{
	size_t len;

	*cache = (struct probe_cache){ .path = build_id_cache__path(dir, id, CACHE_PROBES) };
	char *text = cache->path ? file__read_all(cache->path, MAX_FILE, &len) : NULL;

	if (text && len)
		probe_cache__parse(cache, text);
	free(text);
}

void probe_cache__exit(struct probe_cache *cache)
{
	for (u32 i = 0; i < cache->nr; i++)
		entry__exit(&cache->entries[i]);
	free(cache->entries);
	free(cache->path);
	*cache = (struct probe_cache){ .nr = 0 };
}

/* The length of "GROUP:EVENT" in front of '='; 0: it has no name. */
static size_t name_length(const char *text)
{
	size_t len = strspn(text, TEXT_WORD_CHARS);

	if (text[len] != ':')
		return 0;
	len += 1 + strspn(text + len + 1, TEXT_WORD_CHARS);
	return text[len] == '=' ? len : 0;
}

bool probe_cache_entry__is_called(const struct probe_cache_entry *entry, const char *group,
                                  const char *event)
{
	size_t len = name_length(entry->text);
	char *name = strndup(entry->text, len), *colon = strchr(name, ':');
	bool is = false;

	if (colon) {
		*colon = '\0';
		is = (!group || text__glob(group, name)) && text__glob(event, colon + 1);
	}
	free(name);
	return is;
}

void probe_cache__remove(struct probe_cache *cache, u32 at)
{
	entry__exit(&cache->entries[at]);
	cache->nr--;
	memmove(&cache->entries[at], &cache->entries[at + 1],
	        (cache->nr - at) * sizeof(*cache->entries));
}

void probe_cache__put(struct probe_cache *cache, const char *text, const char *const *lines, u32 nr)
{
	size_t len = name_length(text);
	struct probe_cache_entry *entry;

	for (u32 i = cache->nr; i > 0; i--) {
		const char *own = cache->entries[i - 1].text;

		if (len ? name_length(own) == len && !strncmp(own, text, len) : !strcmp(own, text))
			probe_cache__remove(cache, i - 1);
	}
	entry = append(cache, text, false);
	for (u32 i = 0; i < nr; i++)
		add_line(entry, lines[i]);
}

int probe_cache__save(const struct probe_cache *cache, struct error *err)
{
	struct output_file file;
	struct out out;
	int ret = output_file__open(&file, cache->path, OUTPUT_FILE_REPLACE, 0644, NULL, err);

	if (ret)
		return ret;
	out__init(&out, file.fd);
	for (u32 i = 0; i < cache->nr; i++) {
		const struct probe_cache_entry *entry = &cache->entries[i];

		out__printf(&out, "%c%s\n", entry->is_sdt ? '%' : '#', entry->text);
		for (u32 j = 0; j < entry->nr; j++)
			out__printf(&out, "%s\n", entry->lines[j]);
	}
	out__exit(&out);
	ret = out.error;
	int closed = output_file__close(&file, !ret);

	ret = ret ? ret : closed;
	return ret ? error__set(err, ret, "cannot write", cache->path, NULL) : 0;
}
