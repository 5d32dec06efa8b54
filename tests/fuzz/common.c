// SPDX-License-Identifier: GPL-2.0-or-later
/* What harnesses share, with either driver. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

void fuzz__failed(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

const char *fuzz__file(const void *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	FUZZ_CHECK(!ftruncate(fd, 0) && !ftruncate(fd, size));
	FUZZ_CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
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
