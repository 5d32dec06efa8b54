// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf-PID.map: the text file in which a JIT compiler names its code, one "START SIZE NAME" a
 * line. Anybody can create such a file in /tmp, so one that belongs to somebody else than the
 * reader or root is not believed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/symbol/lines.h"
#include "util/symbol/symtab.h"

/* "1f00 20 name with blanks" -> a symbol; anything else is passed over. */
static void parse_line(struct symtab *symtab, const char *line, const char *end)
{
	u64 start, size;
	const char *p = lines__hex(line, end, &start);

	if (!p || p == end || *p++ != ' ')
		return;
	p = lines__hex(p, end, &size);
	if (!p || p == end || *p++ != ' ')
		return;
	if (p == end || size > UINT64_MAX - start)
		return;
	symtab__add(symtab, start, start + size, arena__strndup(&symtab->arena, p, end - p), 'g');
}

static int check_owner(int fd, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return error__set(err, -errno, "cannot use", path, NULL);
	if (!S_ISREG(st.st_mode))
		return error__set(err, -EINVAL, "cannot use", path, "not a regular file");
	if (st.st_uid && st.st_uid != geteuid()) {
		error__set(err, -EPERM, "ignoring", path, "it belongs to user %u, not to you",
		           st.st_uid);
		return error__advise(err, "run as that user, or: chown it");
	}
	return 0;
}

int symtab__load_perf_map(struct symtab *symtab, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct lines lines;
	const char *line, *end;

	if (fd < 0) {
		int code = -errno;

		error__set(&symtab->error, code, "failed to open", path, NULL);
		return error__advise(&symtab->error,
		                     "continuing without symbols: the JIT compiler has to write "
		                     "this file (java: a perf map agent; node: --perf-basic-prof)");
	}
	int ret = check_owner(fd, path, &symtab->error);

	if (ret) {
		close(fd);
		return ret;
	}
	lines__init(&lines, fd);
	while (lines__next(&lines, &line, &end))
		parse_line(symtab, line, end);
	ret = lines.error;
	lines__exit(&lines);
	close(fd);
	if (ret) {
		symtab->nr = 0;
		return error__set(&symtab->error, ret, "cannot read", path, NULL);
	}
	symtab->source = SYMTAB_PERF_MAP;
	symtab->runtime_addr = true;
	symtab->path = xstrdup(path);
	symtab__fixup(symtab);
	return 0;
}
