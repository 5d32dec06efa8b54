// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"

enum mapped_file mapped_file__check(const char *path, const struct dso_inode *inode)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return MAPPED_FILE_GONE;
	if (!inode->ino)
		return MAPPED_FILE_UNKNOWN;
	if (st.st_ino == inode->ino && major(st.st_dev) == inode->maj &&
	    minor(st.st_dev) == inode->min)
		return MAPPED_FILE_SAME;
	/*
	 * overlayfs, btrfs: stat() gives a device of its own (major 0), maps may name that of the
	 * layer below.
	 */
	return major(st.st_dev) && inode->maj ? MAPPED_FILE_OTHER : MAPPED_FILE_UNKNOWN;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	/* What cannot be looked at counts as ours: nothing could be opened there either. */
	if (stat(a, &x) || stat(b, &y))
		return true;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool process_root__differs(s32 pid)
{
	char root[32], mounts[32];

	if (pid <= 0)
		return false;
	snprintf(root, sizeof(root), "/proc/%d/root/.", pid);
	snprintf(mounts, sizeof(mounts), "/proc/%d/ns/mnt", pid);
	return !same_file(root, "/") || !same_file(mounts, "/proc/self/ns/mnt");
}

/* Open for reading what @handle (O_PATH) stands for, if it is a plain file: a pipe would wait. */
static int reopen(int handle)
{
	char path[32];
	struct stat st;

	if (fstat(handle, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int process_root__open(s32 pid, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	char root[32];

	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	int at = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return -errno;
	int handle = syscall(SYS_openat2, at, path, &how, sizeof(how));
	int ret = handle < 0 ? -errno : reopen(handle);

	if (handle >= 0)
		close(handle);
	close(at);
	return ret;
}

/* What an open file is called below the root of @pid: of a chroot without what leads there. */
static char *path_of(s32 pid, int fd)
{
	char link[32], root[PATH_MAX], file[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	ssize_t len = readlink(link, root, sizeof(root) - 1);

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t all = readlink(link, file, sizeof(file) - 1);

	if (len < 0 || all < 0)
		return NULL;
	root[len] = file[all] = '\0';
	bool below = len > 1 && !strncmp(file, root, len) && file[len] == '/';

	return xstrdup(file + (below ? len : 0));
}

char *process_root__path(s32 pid, const char *path)
{
	int fd = process_root__open(pid, path);

	if (fd == -ENOSYS)
		return xstrdup(path);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	char *found = path_of(pid, fd);
	char *here = xasprintf("/proc/%d/root%s", pid, found ? found : path);
	struct stat there, opened;
	bool same = found && !fstat(fd, &opened) && !stat(here, &there) &&
	            opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;

	close(fd);
	free(here);
	if (same)
		return found;
	free(found);
	errno = ESTALE; /* removed or moved between */
	return NULL;
}

s32 process_root__inner_pid(s32 pid)
{
	char path[32], text[4096];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (file__read_text(path, text, sizeof(text)) < 0)
		return pid;
	char *line = strstr(text, "\nNStgid:"), *end = line ? strchr(line + 1, '\n') : NULL;

	if (!end)
		return pid;
	*end = '\0';
	char *last = strrchr(line + 1, '\t');
	s32 inner = last ? atoi(last + 1) : 0;

	return inner > 0 ? inner : pid;
}
