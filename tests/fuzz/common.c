// SPDX-License-Identifier: GPL-2.0-or-later
/* What harnesses share, with either driver. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/lib/alloc.h"
#include "util/lib/temp_dir.h"

void fuzz__failed(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

static void put_bytes(int fd, const void *data, size_t size)
{
	FUZZ_CHECK(!ftruncate(fd, 0) && !ftruncate(fd, size));
	FUZZ_CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);
}

/* Which only we may write, as perf wants it of the files that it believes; the kernel's are 0777.
 */
static int make_file(char *path, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	FUZZ_CHECK(fd >= 0 && !fchmod(fd, 0600));
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

const char *fuzz__file(const void *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0)
		fd = make_file(path, sizeof(path));
	put_bytes(fd, data, size);
	return path;
}

/* The folder of this process. */
static char *folder;
static int *folder_fds;
static u32 nr_folder_fds;

static void remove_folder(void)
{
	temp_dir__remove(folder);
	free(folder_fds);
}

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

const char *fuzz__folder(const char *const *files, u32 nr)
{
	FUZZ_CHECK(!folder);
	folder = temp_dir__make("perf-fuzz", NULL);
	FUZZ_CHECK(folder);
	folder_fds = xcalloc(nr, sizeof(*folder_fds));
	nr_folder_fds = nr;
	atexit(remove_folder);
	for (u32 i = 0; i < nr; i++) {
		char *path = xasprintf("%s%s", folder, files[i]), target[64];

		folder_fds[i] = make_file(target, sizeof(target));
		make_parents(path);
		FUZZ_CHECK(!symlink(target, path));
		free(path);
	}
	return folder;
}

void fuzz__fill(const u8 *data, size_t size)
{
	const u8 *end = data + size, *part = data;

	for (u32 i = 0; i < nr_folder_fds; i++) {
		const u8 *next = memchr(part, 0xff, end - part);

		put_bytes(folder_fds[i], part, (next ? next : end) - part);
		part = next ? next + 1 : data;
	}
}

char *fuzz__text(const u8 *data, size_t size)
{
	char *text = xmalloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

void fuzz__write(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	FUZZ_CHECK(fd >= 0);
	put_bytes(fd, data, size);
	close(fd);
}

void fuzz__touch(const void *data, size_t size)
{
	const u8 *p = data;
	u8 sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += p[i];
	__asm__ volatile("" : : "r"(sum));
}

/* A harness without seeds starts from nothing. */
__attribute__((weak)) void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	(void)add;
}
