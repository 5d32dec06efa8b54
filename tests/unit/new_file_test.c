// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that appear when they are complete. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/new_file.h"

static int open_folder(void)
{
	char *path = xasprintf("%s/new-files", unit__tmpdir());

	mkdir(path, 0700);
	int at = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	CHECK(at >= 0);
	free(path);
	return at;
}

/* How many are in the folder; each is taken away. */
static u32 take_files(int at)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fdopendir(fd);
	u32 nr = 0;

	for (struct dirent *item; (item = readdir(folder));)
		nr += *item->d_name != '.' || item->d_name[1] == 't'
		              ? !unlinkat(at, item->d_name, 0)
		              : 0;
	closedir(folder);
	return nr;
}

static int write_new(int at, const char *name, const char *text, bool keep, int failed)
{
	struct new_file file;

	CHECK_EQ(new_file__open(&file, at), 0);
	CHECK_EQ(file__write_all(file.fd, text, strlen(text)), 0);
	return new_file__finish(&file, name, keep, failed);
}

static const char *contents(int at, const char *name, char *buf, size_t size)
{
	int fd = openat(at, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);

	CHECK(fd >= 0);
	buf[n] = '\0';
	close(fd);
	return buf;
}

TEST(new_file_replaces_or_keeps)
{
	int at = open_folder();
	char buf[64];

	CHECK_EQ(write_new(at, "a", "first", false, 0), 0);
	CHECK_STR(contents(at, "a", buf, sizeof(buf)), "first");
	CHECK_EQ(write_new(at, "a", "second", true, 0), 0);
	CHECK_STR(contents(at, "a", buf, sizeof(buf)), "first");
	CHECK_EQ(write_new(at, "a", "third", false, 0), 0);
	CHECK_STR(contents(at, "a", buf, sizeof(buf)), "third");
	CHECK_EQ(take_files(at), 1);
	close(at);
}

TEST(new_file_that_failed_leaves_nothing)
{
	int at = open_folder();

	CHECK_EQ(write_new(at, "a", "half", false, -ENOSPC), -ENOSPC);
	CHECK_EQ(write_new(at, "a", "half", true, -ENOSPC), -ENOSPC);
	CHECK_EQ(write_new(at, "no/such", "whole", false, 0), -ENOENT);
	CHECK_EQ(take_files(at), 0);
	close(at);
}

/* Whoever is killed before the end leaves nothing, where files without a name can be had. */
TEST(new_file_has_no_name_before_it_is_complete)
{
	int at = open_folder(), fd = openat(at, ".", O_TMPFILE | O_WRONLY, 0600);
	struct new_file file;

	if (fd < 0) {
		unit__skip("no files without a name here");
		close(at);
		return;
	}
	close(fd);
	CHECK_EQ(new_file__open(&file, at), 0);
	CHECK_EQ(file__write_all(file.fd, "half", 4), 0);
	CHECK_EQ(take_files(at), 0);
	CHECK_EQ(new_file__finish(&file, "a", false, 0), 0);
	CHECK_EQ(take_files(at), 1);
	close(at);
}
