// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/source_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

struct source_files {
	struct source_file **list;
	u32 nr;
	size_t cap;
	u32 last; /* the one that was asked for */
	const char *prefix;
	u32 strip;
};

struct source_files *source_files__new(const char *prefix, u32 strip)
{
	struct source_files *files = xcalloc(1, sizeof(*files));

	files->prefix = prefix;
	files->strip = strip;
	return files;
}

void source_files__delete(struct source_files *files)
{
	if (!files)
		return;
	for (u32 i = 0; i < files->nr; i++) {
		free(files->list[i]->path);
		source_text__close(&files->list[i]->text);
		free(files->list[i]);
	}
	free(files->list);
	free(files);
}

/* The path with the prefix: malloc'ed. */
static char *path_below(const struct source_files *files, const char *path)
{
	if (!files->prefix || *path != '/')
		return xstrdup(path);
	for (u32 i = 0; i < files->strip; i++) {
		const char *next = strchr(path + 1, '/');

		if (!next)
			break;
		path = next;
	}
	return xasprintf("%s%s", files->prefix, path);
}

struct source_file *source_files__at(struct source_files *files, const char *path)
{
	if (files->nr && !strcmp(files->list[files->last]->path, path))
		return files->list[files->last];
	for (u32 i = 0; i < files->nr; i++) {
		if (strcmp(files->list[i]->path, path) != 0)
			continue;
		files->last = i;
		return files->list[i];
	}
	struct source_file *file = xcalloc(1, sizeof(*file));
	char *below = path_below(files, path);

	file->path = xstrdup(path);
	file->error = source_text__read(&file->text, below);
	free(below);
	array__reserve(&files->list, &files->cap, (size_t)files->nr + 1, sizeof(*files->list));
	files->list[files->nr] = file;
	files->last = files->nr++;
	return file;
}

void source_files__begin(struct source_files *files)
{
	for (u32 i = 0; i < files->nr; i++)
		files->list[i]->last_line = files->list[i]->max_printed = 0;
}

static const char *why(int error)
{
	return error == -EINVAL ? "it is no plain file" : strerror(-error);
}

bool source_files__missing(const struct source_files *files, struct error *err)
{
	const struct source_file *first = NULL;
	u32 nr = 0;

	for (u32 i = 0; i < files->nr; i++) {
		if (!files->list[i]->error)
			continue;
		first = first ? first : files->list[i];
		nr++;
	}
	if (!nr)
		return false;
	if (nr == 1)
		error__set(err, first->error, "cannot read the source", first->path, "%s",
		           why(first->error));
	else
		error__set(err, first->error, "cannot read the source", first->path,
		           "%s; nor %u other files", why(first->error), nr - 1);
	return true;
}

bool source_files__changed(const struct source_files *files, struct error *err)
{
	const struct source_file *first = NULL;
	char more[48] = "";
	u32 nr = 0;

	for (u32 i = 0; i < files->nr; i++) {
		if (!files->list[i]->beyond)
			continue;
		first = first ? first : files->list[i];
		nr++;
	}
	if (!nr)
		return false;
	if (nr > 1)
		snprintf(more, sizeof(more), "; so were %u other files", nr - 1);
	error__set(err, -ESTALE, "not the source that was built", first->path,
	           "it has %u lines, and the code is of line %u: it was changed%s", first->text.nr,
	           first->beyond, more);
	return true;
}

const char *source_file__line(struct source_file *file, u32 line)
{
	if (line && line <= file->text.nr)
		return file->text.lines[line];
	if (line && !file->error && !file->beyond)
		file->beyond = line;
	return NULL;
}
