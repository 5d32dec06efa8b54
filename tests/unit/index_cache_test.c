// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/symindex/index_cache.h"

static const struct build_id id = { .size = 4, .data = { 0xab, 1, 2, 3 } };

static int write_index(const char *dir, u64 key, const char *path, u64 max, struct error *err)
{
	struct symtab table = { .source = SYMTAB_ELF };
	struct object_index index = { .id = id, .name = "/x", .key = key, .table = &table };

	symtab__add(&table, 0x1000, 0x2000, "function", 'g');
	file_trail__note(&index.trail, path ? path : "/nonexistent");
	int ret = index_cache__write(dir, &index, max, err);

	file_trail__exit(&index.trail);
	symtab__exit(&table);
	return ret;
}

static int read_index(const char *dir, u64 key)
{
	struct object_index index;
	int ret = index_cache__read(dir, &id, key, &index);

	if (ret)
		return ret;
	CHECK(index.table && index.table->nr == 1);
	CHECK_STR(index.table->symbols[0].name, "function");
	object_index__exit(&index);
	return 0;
}

static u32 nr_files(const char *dir)
{
	char *path = xasprintf("%s/perf/symbols", dir);
	DIR *folder = opendir(path);
	u32 nr = 0;

	for (struct dirent *item; folder && (item = readdir(folder));)
		nr += item->d_type == DT_REG;
	if (folder)
		closedir(folder);
	free(path);
	return nr;
}

static char *index_path(const char *dir, u64 key)
{
	return xasprintf("%s/perf/symbols/ab010203-%016llx", dir, (unsigned long long)key);
}

/* As on file systems without O_TMPFILE; a lock says that the writer is still there. */
TEST(index_cache_removes_what_killed_writers_left)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir());

	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	char *live = xasprintf("%s/perf/symbols/.tmp-1-0", dir);
	char *dead = xasprintf("%s/perf/symbols/.tmp-%d-0", dir, getpid());
	int fd = open(live, O_CREAT | O_RDWR, 0600);

	CHECK(fd >= 0 && !flock(fd, LOCK_EX));
	close(open(dead, O_CREAT | O_RDWR, 0600));
	CHECK_EQ(write_index(dir, 2, NULL, INDEX_CACHE_MAX, NULL), 0);
	CHECK(!access(live, F_OK));
	CHECK(access(dead, F_OK));
	close(fd);
	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	CHECK(access(live, F_OK));
	CHECK_EQ(nr_files(dir), 2);
	free(live);
	free(dead);
	free(dir);
}

TEST(index_cache_gives_back_what_was_kept)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir()), *path = xasprintf("%s/perf", dir);
	struct stat st;
	u32 nr;

	CHECK_EQ(read_index(dir, 1), -ENOENT);
	CHECK(access(dir, F_OK)); /* reading makes nothing */
	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0); /* in its place */
	CHECK_EQ(read_index(dir, 1), 0);
	CHECK_EQ(read_index(dir, 2), -ENOENT);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0700);
	CHECK_EQ(nr_files(dir), 1);
	CHECK_EQ(index_cache__purge(dir, &nr, NULL), 0);
	CHECK_EQ(nr, 1);
	CHECK_EQ(read_index(dir, 1), -ENOENT);
	free(path);
	free(dir);
}

TEST(index_cache_drops_what_is_stale_or_damaged)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir());
	char *file = xasprintf("%s/debug", unit__tmpdir()), *path;

	CHECK_EQ(write_index(dir, 1, file, INDEX_CACHE_MAX, NULL), 0);
	CHECK_EQ(read_index(dir, 1), 0);
	free(write_test_file("debug", "x", 1)); /* a debug file was installed */
	CHECK_EQ(read_index(dir, 1), -ESTALE);
	CHECK_EQ(nr_files(dir), 0);
	CHECK_EQ(write_index(dir, 2, NULL, INDEX_CACHE_MAX, NULL), 0);
	path = index_path(dir, 2);
	CHECK(!truncate(path, 100));
	CHECK_EQ(read_index(dir, 2), -EBADMSG);
	CHECK_EQ(nr_files(dir), 0);
	/* One of another object in its place. */
	CHECK_EQ(write_index(dir, 3, NULL, INDEX_CACHE_MAX, NULL), 0);
	free(path);
	path = index_path(dir, 4);
	char *other = index_path(dir, 3);

	CHECK(!rename(other, path));
	CHECK_EQ(read_index(dir, 4), -ESTALE);
	free(other);
	free(path);
	free(file);
	free(dir);
}

TEST(index_cache_is_bounded)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir());
	struct stat st;

	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	char *path = index_path(dir, 1);

	CHECK(!stat(path, &st));
	for (u64 key = 2; key < 6; key++) {
		const struct timespec times[2] = { { .tv_sec = 1000 + key },
			                           { .tv_sec = 1000 + key } };

		CHECK_EQ(write_index(dir, key, NULL, INDEX_CACHE_MAX, NULL), 0);
		free(path);
		path = index_path(dir, key);
		CHECK(!utimensat(AT_FDCWD, path, times, 0));
	}
	CHECK_EQ(write_index(dir, 9, NULL, 3 * st.st_size + st.st_size / 2, NULL), 0);
	CHECK_EQ(nr_files(dir), 3);
	CHECK_EQ(read_index(dir, 9), 0);
	CHECK_EQ(read_index(dir, 1), 0);
	CHECK_EQ(read_index(dir, 5), 0);
	CHECK_EQ(read_index(dir, 2), -ENOENT);
	CHECK_EQ(write_index(dir, 10, NULL, 10, NULL), 0); /* alone too large: nothing is left */
	CHECK_EQ(nr_files(dir), 0);
	free(path);
	free(dir);
}

TEST(index_cache_stays_out_of_folders_of_others)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir()), *inner = xasprintf("%s/perf", dir);
	struct error err = ERROR_INIT;
	char text[1024];

	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	CHECK(!chmod(inner, 0777)); /* anybody could put something there */
	CHECK_EQ(read_index(dir, 1), -EPERM);
	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, &err), -EPERM);
	error__text(&err, text, sizeof(text));
	CHECK(strstr(text, "belongs to another user"));
	CHECK(!chmod(inner, 0700));
	CHECK_EQ(read_index(dir, 1), 0);
	if (geteuid() == 0) { /* sudo with the user's HOME */
		CHECK(!chown(dir, 12345, 12345));
		CHECK_EQ(read_index(dir, 1), -EPERM);
		CHECK_EQ(write_index(dir, 2, NULL, INDEX_CACHE_MAX, NULL), -EPERM);
		CHECK_EQ(nr_files(dir), 1);
		CHECK(!chown(dir, 0, 0));
	}
	/* A link out of it is not followed. */
	char *moved = xasprintf("%s/moved", unit__tmpdir());

	CHECK(!rename(inner, moved));
	CHECK(!symlink(moved, inner));
	CHECK(read_index(dir, 1) < 0);
	CHECK(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL) < 0);
	free(moved);
	free(inner);
	free(dir);
}

/* In the place of an index, in a folder that is ours. */
TEST(index_cache_reads_no_folder_and_no_file_of_others)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir()), *path = index_path(dir, 1);

	CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	if (geteuid() == 0) {
		CHECK(!chown(path, 12345, 12345));
		CHECK_EQ(read_index(dir, 1), -EPERM);
		CHECK(!chown(path, 0, 0));
	}
	CHECK_EQ(read_index(dir, 1), 0);
	CHECK(!unlink(path) && !mkdir(path, 0700));
	CHECK_EQ(read_index(dir, 1), -EPERM);
	free(path);
	free(dir);
}

TEST(index_cache_makes_the_folder_only_in_ones_own)
{
	char *home = xasprintf("%s/home", unit__tmpdir()), *dir = xasprintf("%s/.cache", home);

	if (geteuid()) {
		unit__skip("not root");
	} else {
		CHECK(!mkdir(home, 0755));
		CHECK(!chown(home, 12345, 12345));
		CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), -EPERM);
		CHECK(access(dir, F_OK));
		CHECK(!chown(home, 0, 0));
		CHECK_EQ(write_index(dir, 1, NULL, INDEX_CACHE_MAX, NULL), 0);
	}
	free(dir);
	free(home);
}
