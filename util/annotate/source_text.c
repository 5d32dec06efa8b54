// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/source_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"

struct source_texts {
	struct source_file **files;
	u32 nr;
	size_t cap;
	u32 last; /* the one that was asked for */
	const char *prefix;
	u32 strip;
};

struct source_texts *source_texts__new(const char *prefix, u32 strip)
{
	struct source_texts *texts = xcalloc(1, sizeof(*texts));

	texts->prefix = prefix;
	texts->strip = strip;
	return texts;
}

void source_texts__delete(struct source_texts *texts)
{
	if (!texts)
		return;
	for (u32 i = 0; i < texts->nr; i++) {
		free(texts->files[i]->path);
		free(texts->files[i]->text);
		free(texts->files[i]->lines);
		free(texts->files[i]);
	}
	free(texts->files);
	free(texts);
}

/* The path with the prefix: malloc'ed. */
static char *place_of(const struct source_texts *texts, const char *path)
{
	if (!texts->prefix || *path != '/')
		return xstrdup(path);
	for (u32 i = 0; i < texts->strip; i++) {
		const char *next = strchr(path + 1, '/');

		if (!next)
			break;
		path = next;
	}
	return xasprintf("%s%s", texts->prefix, path);
}

static void read_text(struct source_file *file, const char *place)
{
	struct stat info;
	int fd = file__open_plain(place);
	size_t size = 0;

	if (fd < 0)
		return;
	if (!fstat(fd, &info) && info.st_size > 0 && info.st_size <= SOURCE_FILE_MAX)
		size = (size_t)info.st_size;
	file->text = xmalloc(size + 1);
	if (!size || file__read_at(fd, file->text, size, 0))
		size = 0;
	file->text[size] = '\0';
	close(fd);

	size_t cap = 0;

	for (char *at = file->text, *end = file->text + size; at < end;) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		array__reserve(&file->lines, &cap, (size_t)file->nr_lines + 1,
		               sizeof(*file->lines));
		file->lines[file->nr_lines++] = at;
		if (!newline)
			break;
		*newline = '\0';
		at = newline + 1;
	}
}

struct source_file *source_texts__file(struct source_texts *texts, const char *path)
{
	if (texts->nr && !strcmp(texts->files[texts->last]->path, path))
		return texts->files[texts->last];
	for (u32 i = 0; i < texts->nr; i++) {
		if (strcmp(texts->files[i]->path, path) != 0)
			continue;
		texts->last = i;
		return texts->files[i];
	}
	struct source_file *file = xcalloc(1, sizeof(*file));
	char *place = place_of(texts, path);

	file->path = xstrdup(path);
	read_text(file, place);
	free(place);
	array__reserve(&texts->files, &texts->cap, (size_t)texts->nr + 1, sizeof(*texts->files));
	texts->files[texts->nr] = file;
	texts->last = texts->nr++;
	return file;
}

void source_texts__begin(struct source_texts *texts)
{
	for (u32 i = 0; i < texts->nr; i++)
		texts->files[i]->last_line = texts->files[i]->max_printed = 0;
}

const char *source_file__line(const struct source_file *file, u32 line)
{
	return line && line <= file->nr_lines ? file->lines[line - 1] : NULL;
}
