// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/source_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define SOURCE_MAX (64u << 20)

/* The file at @path, or the longest end of @path that is below @folder; malloc'ed, or NULL. */
static char *find(const char *path, const char *folder)
{
	struct stat st;

	for (const char *end = path; folder && end; end = strchr(end + 1, '/')) {
		char *below = xasprintf("%s/%s", folder, end + (*end == '/'));

		if (!stat(below, &st) && S_ISREG(st.st_mode))
			return below;
		free(below);
	}
	return !stat(path, &st) && S_ISREG(st.st_mode) ? xstrdup(path) : NULL;
}

int source_text__open(struct source_text *text, const char *path, const char *folder,
                      struct error *err)
{
	size_t size, cap = 0;

	*text = (struct source_text){ .path = find(path, folder) };
	if (text->path)
		text->bytes = file__read_all(text->path, SOURCE_MAX, &size);
	if (!text->bytes) {
		int ret = error__set(err, -ENOENT, "cannot read the source", path, NULL);

		error__advise(err, "--source names the folder that it is in now");
		free(text->path);
		return ret;
	}
	char *rest = text->bytes, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (!rest && !*line)
			break;
		array__reserve(&text->lines, &cap, text->nr + 2, sizeof(*text->lines));
		text->lines[++text->nr] = line;
	}
	return 0;
}

void source_text__close(struct source_text *text)
{
	free(text->lines);
	free(text->bytes);
	free(text->path);
}

static char *without_blanks(const char *s)
{
	char *copy = xstrdup(s), *to = copy;

	for (; *s; s++)
		if (!isspace((u8)*s))
			*to++ = *s;
	*to = '\0';
	return copy;
}

bool source_text__matches(const struct source_text *text, u32 line, const char *pattern)
{
	char *have = without_blanks(text->lines[line]), *want = without_blanks(pattern);
	bool same = text__glob(want, have);

	free(have);
	free(want);
	return same;
}
