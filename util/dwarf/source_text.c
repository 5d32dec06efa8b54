// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/source_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/md5.h"
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

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The bytes of the plain file at @path with a NUL behind them, and its age: 0 or a negative errno.
 */
static int read_plain(const char *path, char **bytes, size_t *size, struct timespec *changed)
{
	int fd = file__open_plain(path), ret;
	struct stat st;

	if (fd < 0)
		return fd == -EINVAL && is_folder(path) ? -EISDIR : fd;
	ret = fstat(fd, &st) ? -errno : st.st_size > SOURCE_MAX ? -EFBIG : 0;
	if (!ret) {
		*changed = st.st_mtim;
		*size = (size_t)st.st_size;
		*bytes = xmalloc(*size + 1);
		(*bytes)[*size] = '\0';
		ret = file__read_at(fd, *bytes, *size, 0);
		if (ret)
			free(*bytes);
	}
	close(fd);
	return ret;
}

int source_text__read(struct source_text *text, const char *path)
{
	size_t size = 0, cap = 0;

	*text = (struct source_text){ .nr = 0 };
	int ret = read_plain(path, &text->bytes, &size, &text->changed);

	if (ret) {
		text->bytes = NULL;
		return ret;
	}
	text->path = xstrdup(path);
	text->size = size;
	for (char *at = text->bytes, *end = at + size; at < end;) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		array__reserve(&text->lines, &cap, (size_t)text->nr + 2, sizeof(*text->lines));
		text->lines[++text->nr] = at;
		text->ends_line = newline;
		if (!newline)
			break;
		*newline = '\0';
		at = newline + 1;
	}
	return 0;
}

int source_text__open(struct source_text *text, const char *path, const char *folder,
                      struct error *err)
{
	char *found = find(path, folder);
	int ret = found ? source_text__read(text, found) : is_folder(path) ? -EISDIR : -ENOENT;

	free(found);
	if (!ret)
		return 0;
	error__set(err, ret, "cannot read the source", path, NULL);
	return error__advise(err, "--source names the folder that it is in now");
}

void source_text__close(struct source_text *text)
{
	free(text->lines);
	free(text->bytes);
	free(text->path);
}

static bool is_newer(const struct source_text *text, const char *program)
{
	struct stat st;

	if (!program || stat(program, &st))
		return false;
	return text->changed.tv_sec != st.st_mtim.tv_sec
	               ? text->changed.tv_sec > st.st_mtim.tv_sec
	               : text->changed.tv_nsec > st.st_mtim.tv_nsec;
}

/* Of the bytes as they are in the file: at the ends of lines are zeros here. */
static bool has_sum(const struct source_text *text, const u8 *wanted)
{
	u8 sum[MD5_SIZE];
	struct md5 md5;

	md5__init(&md5);
	for (u32 i = 1; i <= text->nr; i++) {
		bool ends = i < text->nr || text->ends_line;
		const char *end = i < text->nr ? text->lines[i + 1] : text->bytes + text->size;

		md5__add(&md5, text->lines[i], end - text->lines[i] - ends);
		md5__add(&md5, "\n", ends);
	}
	md5__end(&md5, sum);
	return !memcmp(sum, wanted, MD5_SIZE);
}

char *source_text__doubt(const struct source_text *text, const u8 *sum, const char *program,
                         const char *name)
{
	if (sum)
		return has_sum(text, sum)
		               ? NULL
		               : xasprintf("'%s' is not the source that '%s' was made of, "
		                           "by its MD5: its lines may be others",
		                           text->path, name);
	return is_newer(text, program)
	               ? xasprintf("'%s' is newer than '%s': its lines may be others", text->path,
	                           name)
	               : NULL;
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

bool path__ends_with(const char *path, const char *name)
{
	if (!name)
		return true;
	size_t len = strlen(name), whole = path ? strlen(path) : 0;

	return whole >= len && !strcmp(path + whole - len, name) &&
	       (whole == len || path[whole - len - 1] == '/' || *name == '/');
}

bool path__is_source(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && dot[1] != 'h' && dot[1] != 'H';
}
