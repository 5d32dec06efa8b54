// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symindex/index_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/new_file.h"
#include "util/lib/out.h"
#include "util/lib/text.h"

#define NAME_SIZE (BUILD_ID_HEX_SIZE + 1 + 16)

/* A writer is done much sooner; a file of use is marked as used so often. */
#define HOUR 3600

char *index_cache__dir(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	/* Relative ones are to be ignored, says the standard. */
	if (cache && *cache == '/')
		return xstrdup(cache);
	return home && *home == '/' ? xasprintf("%s/.cache", home) : NULL;
}

/* @alone: and nobody else may put anything into it. */
static bool is_ours(int fd, bool alone)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == geteuid() && !(alone && st.st_mode & 022);
}

/* ~/.cache itself, which is made where only it is missing, and what it would lie in is ours. */
static int open_base(const char *dir, bool make)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && make && errno == ENOENT) {
		char *parent = xasprintf("%.*s", (int)(text__basename(dir) - dir), dir);
		int above = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		free(parent);
		if (above < 0)
			return -errno;
		fd = is_ours(above, false) ? mkdirat(above, text__basename(dir), 0700) : -1;
		close(above);
		if (fd && errno != EEXIST)
			return -EPERM;
		fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (fd < 0)
		return -errno;
	if (is_ours(fd, false))
		return fd;
	close(fd);
	return -EPERM;
}

/* The folder with the indexes: a descriptor or a negative errno. */
static int open_folder(const char *dir, bool make)
{
	static const char *const parts[] = { "perf", "symbols" };
	int fd = open_base(dir, make);

	for (unsigned i = 0; i < ARRAY_SIZE(parts) && fd >= 0; i++) {
		int at = fd;

		fd = make && mkdirat(at, parts[i], 0700) && errno != EEXIST ? -errno : 0;
		if (!fd) {
			fd = openat(at, parts[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			fd = fd < 0 ? -errno : fd;
		}
		close(at);
		if (fd >= 0 && !is_ours(fd, true)) {
			close(fd);
			fd = -EPERM;
		}
	}
	return fd;
}

/* ---- the files in it ---- */

/* Call @fn for each plain file: for those of writers, or for the others. */
static void each_file(int at, bool temporary,
                      void (*fn)(void *ctx, int at, const char *name, const struct stat *st),
                      void *ctx)
{
	int fd = dup(at);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;
	struct stat st;

	if (!folder && fd >= 0)
		close(fd);
	if (!folder)
		return;
	rewinddir(folder); /* descriptors that were dup()ed have one place */
	while ((item = readdir(folder)))
		if (text__starts_with(item->d_name, NEW_FILE_PREFIX) == temporary &&
		    !fstatat(at, item->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			fn(ctx, at, item->d_name, &st);
	closedir(folder);
}

/* A writer holds a lock on its file. Where there are no locks, time tells. */
static void remove_stale(void *ctx, int at, const char *name, const struct stat *st)
{
	int fd = openat(at, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	(void)ctx;
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB) ||
	    (errno != EWOULDBLOCK && time(NULL) - st->st_mtime > HOUR))
		unlinkat(at, name, 0);
	close(fd);
}

/* What writers that were killed have left: whoever writes looks, and each reader once. */
static void sweep_once(int at)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&done))
		each_file(at, true, remove_stale, NULL);
}

static const char *name_of(const struct build_id *id, u64 key, char name[static NAME_SIZE])
{
	char hex[BUILD_ID_HEX_SIZE];

	snprintf(name, NAME_SIZE, "%s-%016llx", id->size ? build_id__hex(id, hex) : "none",
	         (unsigned long long)key);
	return name;
}

/* ---- reading ---- */

/* The whole file, malloc'ed; NULL with *error set. */
static void *read_file(int at, const char *name, size_t *len, int *error)
{
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	u8 *data = NULL;

	*len = 0;
	*error = fd < 0 ? -errno : fstat(fd, &st) ? -errno : 0;
	if (!*error && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		*error = -EPERM;
	if (!*error && st.st_size > OBJECT_INDEX_MAX)
		*error = -EBADMSG;
	if (!*error) {
		data = xmalloc(st.st_size);
		ssize_t got = file__read_some(fd, data, st.st_size, 0);

		*len = got > 0 ? got : 0;
		if (time(NULL) - st.st_mtime > HOUR)
			futimens(fd, NULL); /* so that it is not the oldest */
	}
	if (fd >= 0)
		close(fd);
	return data;
}

static int read_index(int at, const char *name, const struct build_id *id, u64 key,
                      struct object_index *index)
{
	size_t len;
	int ret;
	void *data = read_file(at, name, &len, &ret);

	if (!ret)
		ret = object_index__read(index, data, len);
	if (ret)
		return ret;
	if (build_id__equal(&index->id, id) && index->key == key &&
	    file_trail__holds(&index->trail))
		return 0;
	object_index__exit(index);
	return -ESTALE;
}

int index_cache__read(const char *dir, const struct build_id *id, u64 key,
                      struct object_index *index)
{
	char name[NAME_SIZE];
	int at = open_folder(dir, false), ret;

	if (at < 0)
		return at;
	sweep_once(at);
	ret = read_index(at, name_of(id, key, name), id, key, index);
	if (ret == -ESTALE || ret == -EBADMSG)
		unlinkat(at, name, 0);
	close(at);
	return ret;
}

/* ---- writing ---- */

struct entry {
	char name[NAME_SIZE];
	u64 size;
	time_t used;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return (a->used > b->used) - (a->used < b->used);
}

struct listing {
	struct entry *entries;
	u32 nr;
	size_t cap;
	u64 total;
};

static void list_file(void *ctx, int at, const char *name, const struct stat *st)
{
	struct listing *listing = ctx;

	(void)at;
	if (strlen(name) >= NAME_SIZE)
		return;
	array__reserve(&listing->entries, &listing->cap, listing->nr + 1,
	               sizeof(*listing->entries));
	struct entry *entry = &listing->entries[listing->nr++];

	*entry = (struct entry){ .size = st->st_size, .used = st->st_mtime };
	memcpy(entry->name, name, strlen(name) + 1);
	listing->total += st->st_size;
}

/* Until all together have at most @max bytes. */
static void drop_oldest(int at, u64 max)
{
	struct listing listing = { .nr = 0 };

	each_file(at, true, remove_stale, NULL);
	each_file(at, false, list_file, &listing);
	if (listing.total > max)
		qsort(listing.entries, listing.nr, sizeof(*listing.entries), compare_entries);
	for (u32 i = 0; i < listing.nr && listing.total > max; i++) {
		unlinkat(at, listing.entries[i].name, 0);
		listing.total -= listing.entries[i].size;
	}
	free(listing.entries);
}

static int write_file(int at, const char *name, const struct out *bytes)
{
	struct new_file file;
	int ret = new_file__open(&file, at);

	if (ret)
		return ret;
	return new_file__finish(&file, name, false,
	                        file__write_all(file.fd, bytes->buf, bytes->len));
}

static int cannot(const char *what, int ret, const char *dir, struct error *err)
{
	if (ret == -EPERM)
		return error__set(err, ret, what, dir,
		                  "it, or 'perf/symbols' in it, belongs to another user, or others "
		                  "may write there");
	return error__set(err, ret, what, dir, NULL);
}

static const char cannot_keep[] = "cannot keep an index of symbols in";

int index_cache__write(const char *dir, const struct object_index *index, u64 max,
                       struct error *err)
{
	char name[NAME_SIZE];
	struct out bytes;
	int at = open_folder(dir, true), ret = 0;

	if (at < 0)
		return cannot(cannot_keep, at, dir, err);
	out__init(&bytes, -1);
	object_index__write(index, &bytes);
	if (bytes.len <= max && bytes.len <= OBJECT_INDEX_MAX)
		ret = write_file(at, name_of(&index->id, index->key, name), &bytes);
	if (!ret)
		drop_oldest(at, max);
	out__exit(&bytes);
	close(at);
	return ret ? cannot(cannot_keep, ret, dir, err) : 0;
}

static void remove_file(void *ctx, int at, const char *name, const struct stat *st)
{
	u32 *nr = ctx;

	(void)st;
	if (!unlinkat(at, name, 0))
		++*nr;
}

int index_cache__purge(const char *dir, u32 *nr, struct error *err)
{
	int at = open_folder(dir, false);

	*nr = 0;
	if (at == -ENOENT)
		return 0;
	if (at < 0)
		return cannot("cannot remove the indexes of symbols in", at, dir, err);
	each_file(at, false, remove_file, nr);
	each_file(at, true, remove_file, nr);
	close(at);
	return 0;
}
