// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall */
/*
 * stamps FILE: runs until it is killed, and keeps the time (CLOCK_MONOTONIC, ns, a native u64) in
 * the first bytes of FILE: when it ran last, whatever a recorder has of it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0 || ftruncate(fd, sizeof(uint64_t)))
		return 1;
	volatile uint64_t *stamp =
	        mmap(NULL, sizeof(*stamp), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (stamp == MAP_FAILED)
		return 1;
	for (;;) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		*stamp = (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	}
}
