// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache is often shared by root and a user (sudo keeps HOME), and lies in a folder that others
 * may write to. So each folder below its root is entered by openat() without following links, and
 * must belong to us or to root. A file is made without a name and linked to its name when complete,
 * so a process that is killed leaves nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/buildid/build_id_cache_private.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/new_file.h"
#include "util/lib/text.h"

/* Folders, and those with addresses of the kernel: [kernel.kallsyms], [kernel.kcore]. */
#define COMMON  0755
#define PRIVATE 0700

static const char *const kind_names[] = {
	[CACHE_ELF] = "elf",
	[CACHE_KALLSYMS] = "kallsyms",
	[CACHE_VDSO] = "vdso",
	[CACHE_PROBES] = "probes",
};

const char *build_id_cache__file_name(enum build_id_cache_kind kind)
{
	return kind_names[kind];
}

enum build_id_cache_kind build_id_cache__kind_of(const char *name)
{
	if (!strcmp(name, "[kernel.kallsyms]"))
		return CACHE_KALLSYMS;
	return !strcmp(name, "[vdso]") ? CACHE_VDSO : CACHE_ELF;
}

char *build_id_cache__dir(const char *option, const char *symfs)
{
	const char *env = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");

	if (option)
		return *option ? xstrdup(option) : NULL;
	if (symfs && *symfs)
		return xasprintf("%s/.debug", symfs);
	if (env && *env) /* /dev/null turns the cache off */
		return strcmp(env, "/dev/null") ? xstrdup(env) : NULL;
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

char *build_id_cache__path(const char *dir, const struct build_id *id,
                           enum build_id_cache_kind kind)
{
	char hex[BUILD_ID_HEX_SIZE];

	if (id->size < 2)
		return NULL;
	build_id__hex(id, hex);
	return xasprintf("%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, kind_names[kind]);
}

/* What is ours has no more than @mode from now on. */
static void take_from_others(int fd, const struct stat *st, mode_t mode)
{
	if (st->st_uid == geteuid() && st->st_mode & 07777 & ~mode)
		fchmod(fd, st->st_mode & mode);
}

/* Enter (with @make: make) one folder below @parent, which is closed. A descriptor or -errno. */
static int enter(int parent, const char *name, size_t len, bool make, mode_t mode)
{
	char part[256];
	struct stat st;
	int fd = -ENAMETOOLONG;

	if (len < sizeof(part)) {
		memcpy(part, name, len);
		part[len] = '\0';
		if (make && mkdirat(parent, part, mode) && errno != EEXIST) {
			fd = -errno;
		} else {
			fd = openat(parent, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (fd < 0)
				fd = -errno;
		}
	}
	close(parent);
	if (fd < 0)
		return fd;
	if (!fstat(fd, &st) && (st.st_uid == geteuid() || st.st_uid == 0)) {
		if (mode == PRIVATE)
			take_from_others(fd, &st, mode);
		return fd;
	}
	close(fd);
	return -EPERM;
}

static int open_root(const char *dir, bool make)
{
	/* The root itself may be a link: its user put it there. */
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && make && errno == ENOENT && (!mkdir(dir, COMMON) || errno == EEXIST))
		fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool is_of_kernel(const char *path)
{
	path += strspn(path, "/");
	return text__starts_with(path, "[kernel.") || text__starts_with(path, "[guest.kernel.");
}

int build_id_cache__enter(const char *dir, const char *path, bool make)
{
	mode_t mode = is_of_kernel(path) ? PRIVATE : COMMON;
	int fd = open_root(dir, make);

	while (fd >= 0 && *path) {
		size_t len = strcspn(path, "/");

		if ((len == 1 && path[0] == '.') || (len == 2 && !strncmp(path, "..", 2))) {
			close(fd);
			return -EINVAL;
		}
		if (len)
			fd = enter(fd, path, len, make, mode);
		path += len;
		path += *path == '/';
	}
	return fd;
}

/* A list of the kernel's symbols that was kept by who let everybody read it, as 6.1 does. */
static void keep_private(const char *dir, const struct build_id *id)
{
	char hex[BUILD_ID_HEX_SIZE];
	char *folder = xasprintf("[kernel.kallsyms]/%s", build_id__hex(id, hex));
	int at = build_id_cache__enter(dir, folder, false), fd = -1;
	struct stat st;

	if (at >= 0) {
		fd = openat(at, kind_names[CACHE_KALLSYMS],
		            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		close(at);
	}
	if (fd >= 0) {
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1)
			take_from_others(fd, &st, 0600);
		close(fd);
	}
	free(folder);
}

char *build_id_cache__find(const char *dir, const struct build_id *id,
                           enum build_id_cache_kind kind)
{
	char *path = build_id_cache__path(dir, id, kind);

	if (path && !access(path, R_OK)) {
		if (kind == CACHE_KALLSYMS)
			keep_private(dir, id);
		return path;
	}
	free(path);
	return NULL;
}

/*
 * A list whose addresses are all zero names nothing; keeping it would hide a better one. The first
 * lines of a good one may have zeros, too: what is the same for each CPU begins there (x86-64).
 */
static bool is_hidden_kallsyms(const char *data, size_t len)
{
	const char *end = data + len;

	while (data < end) {
		while (data < end && *data == '0')
			data++;
		if (data < end && *data != ' ')
			return false;
		data = memchr(data, '\n', end - data);
		if (!data)
			break;
		data++;
	}
	return true;
}

static ssize_t read_source(const struct cache_source *source, void *buf, size_t size)
{
	return source->read ? source->read(source->ctx, buf, size) : read(source->fd, buf, size);
}

/* Zeros become a hole: files of gigabytes are mostly made of them. */
static int write_or_skip(int to, const char *buf, size_t len)
{
	if (*buf || memcmp(buf, buf + 1, len - 1) != 0)
		return file__write_all(to, buf, len);
	return lseek(to, len, SEEK_CUR) < 0 ? -errno : 0;
}

static int copy_contents(const struct cache_source *source, int to)
{
	enum { CHUNK = 1 << 18 };
	char *buf = xmalloc(CHUNK);
	u64 total = 0;
	int ret = 0;

	while (!ret) {
		ssize_t n = read_source(source, buf, CHUNK);

		if (n < 0 && !source->read && errno == EINTR)
			continue;
		if (n <= 0) {
			ret = n < 0 && source->read ? n : n < 0 ? -errno : 0;
			break;
		}
		if (!total && source->kind == CACHE_KALLSYMS && is_hidden_kallsyms(buf, n))
			ret = -ENODATA;
		else
			ret = write_or_skip(to, buf, n);
		total += n;
	}
	if (!ret && ftruncate(to, total)) /* a hole may be the end */
		ret = -errno;
	free(buf);
	return ret;
}

int build_id_cache__make_file(int at, const char *name, const struct cache_source *source)
{
	struct new_file file;
	int ret = new_file__open(&file, at);

	if (ret)
		return ret;
	ret = source->data ? file__write_all(file.fd, source->data, source->size)
	                   : copy_contents(source, file.fd);
	if (!ret && fchmod(file.fd, source->mode))
		ret = -errno;
	return new_file__finish(&file, name, true, ret);
}

int build_id_cache__make_link(const char *dir, const char *path, const char *hex)
{
	char *folder = xasprintf(".build-id/%.2s", hex);
	char *target = xasprintf("../..%s%s/%s", path[0] == '/' ? "" : "/", path, hex);
	int at = build_id_cache__enter(dir, folder, true), ret = at < 0 ? at : 0;

	if (!ret && symlinkat(target, at, hex + 2) && errno != EEXIST)
		ret = -errno;
	if (at >= 0)
		close(at);
	free(target);
	free(folder);
	return ret;
}
