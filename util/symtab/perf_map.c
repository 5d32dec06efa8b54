// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf-PID.map: the text file in which a JIT compiler names its code, one "START SIZE NAME" a line.
 * Anybody can create such a file in /tmp. So a file is refused if it belongs to another user than
 * the reader or root, or if everybody may write it; links of other users are not followed.
 */
#include "util/symtab/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/symtab/text_lines.h"

struct range {
	u64 start, end;
	const char *name;
	u32 line; /* what was written later replaced what was there */
};

struct ranges {
	struct range *ranges;
	u32 nr;
	size_t cap;
};

static const char *number(const char *p, const char *end, u64 *value)
{
	if (end - p > 2 && p[0] == '0' && p[1] == 'x')
		p += 2;
	p = lines__hex(p, end, value);
	return p && p < end && (*p == ' ' || *p == '\t') ? p + 1 : NULL;
}

/* "1f00 20 name with blanks" -> a range; anything else is passed over. */
static void parse_line(struct ranges *ranges, struct arena *arena, const char *line,
                       const char *end)
{
	u64 start, size;
	const char *p = number(line, end, &start);

	p = p ? number(p, end, &size) : NULL;
	if (!p || p == end || !*p || !size || size > UINT64_MAX - start ||
	    ranges->nr == ID_NONE - 1)
		return;
	array__reserve(&ranges->ranges, &ranges->cap, (size_t)ranges->nr + 1,
	               sizeof(*ranges->ranges));
	ranges->ranges[ranges->nr] = (struct range){ .start = start,
		                                     .end = start + size,
		                                     .name = arena__strndup(arena, p, end - p),
		                                     .line = ranges->nr };
	ranges->nr++;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->line > y->line ? -1 : x->line < y->line; /* newest first */
}

/*
 * Code space is used again: a function whose first byte a later one covers is gone. One that
 * has a later one inside of it may be a stub table: it stays, and the inner one wins there.
 * The stack holds ranges that reach on, newest (and nearest to end) on top.
 */
static void add_live(struct symtab *symtab, struct ranges *ranges)
{
	const struct range **stack = xrealloc(NULL, ranges->nr, sizeof(*stack));
	u32 depth = 0;

	if (ranges->nr)
		qsort(ranges->ranges, ranges->nr, sizeof(*ranges->ranges), compare_ranges);
	for (u32 i = 0; i < ranges->nr; i++) {
		const struct range *r = &ranges->ranges[i];

		while (depth && stack[depth - 1]->end <= r->start)
			depth--;
		if (depth && stack[depth - 1]->line > r->line)
			continue;
		symtab__add(symtab, r->start, r->end, r->name, 'g');
		while (depth && stack[depth - 1]->end <= r->end)
			depth--;
		stack[depth++] = r;
	}
	free(stack);
}

static int refuse_owner(const char *path, const char *what, uid_t owner, struct error *err)
{
	error__set(err, -EPERM, "ignoring", path, "%s belongs to user %u, not to you", what, owner);
	return error__advise(err, "run as that user, or: chown it");
}

static bool is_trusted(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

/* A link whose owner is trusted is followed: to maps inside of containers, for example. */
static int open_map(const char *path, struct error *err)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	struct stat st;
	int fd = open(path, flags | O_NOFOLLOW);

	if (fd < 0 && errno == ELOOP) {
		if (!lstat(path, &st) && !is_trusted(&st))
			return refuse_owner(path, "the link", st.st_uid, err);
		fd = open(path, flags);
	}
	if (fd >= 0)
		return fd;
	error__set(err, -errno, "failed to open", path, NULL);
	return error__advise(err, "continuing without symbols: the JIT compiler has to write "
	                          "this file (java: a perf map agent; node: --perf-basic-prof)");
}

static int check_file(int fd, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return error__set(err, -errno, "cannot use", path, NULL);
	if (!S_ISREG(st.st_mode))
		return error__set(err, -EINVAL, "cannot use", path, "not a regular file");
	if (!is_trusted(&st))
		return refuse_owner(path, "it", st.st_uid, err);
	if (!(st.st_mode & S_IWOTH))
		return 0;
	error__set(err, -EPERM, "ignoring", path, "everybody may write it (mode %#o)",
	           st.st_mode & 07777);
	return error__advise(
	        err, "start the JIT compiler with umask 022; if you trust the names: chmod o-w it");
}

int symtab__load_perf_map(struct symtab *symtab, const char *path)
{
	int fd = open_map(path, &symtab->error);
	struct ranges ranges = { .nr = 0 };
	struct lines lines;
	const char *line, *end;

	if (fd < 0)
		return fd;
	int ret = check_file(fd, path, &symtab->error);

	if (ret) {
		close(fd);
		return ret;
	}
	lines__init(&lines, fd);
	while (lines__next(&lines, &line, &end))
		parse_line(&ranges, &symtab->arena, line, end);
	ret = lines.error;
	lines__exit(&lines);
	close(fd);
	if (ret)
		error__set(&symtab->error, ret, "cannot read", path, NULL);
	else if (!ranges.nr)
		ret = error__set(&symtab->error, -ENODATA, "cannot use", path,
		                 "none of its lines is 'START SIZE NAME'");
	else
		add_live(symtab, &ranges);
	free(ranges.ranges);
	if (ret)
		return ret;
	symtab->source = SYMTAB_PERF_MAP;
	symtab->runtime_addr = true;
	symtab->path = xstrdup(path);
	symtab__fixup(symtab);
	return 0;
}
