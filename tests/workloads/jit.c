// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -fno-stack-protector -fcf-protection=none */
/*
 * jit [SECONDS]: does what a JIT compiler does. Copies a function to anonymous executable memory,
 * names it jitted_function in /tmp/perf-PID.map, and burns CPU time there. Prints the file's
 * name; who runs this removes the file.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CODE_SIZE 256

/* No calls, no data: it runs wherever it is copied to. */
static uint64_t __attribute__((noinline, aligned(16))) spin(uint64_t n)
{
	uint64_t x = n;

	while (n--)
		x = x * 2862933555777941757ull + 3037000493ull;
	return x;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	void *code = mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t (*jitted)(uint64_t), sum = 0;
	char path[64];

	if (code == MAP_FAILED)
		return 1;
	memcpy(code, (void *)(uintptr_t)spin, CODE_SIZE);
	__builtin___clear_cache((char *)code, (char *)code + CODE_SIZE);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");

	if (!map)
		return 1;
	fprintf(map, "%lx %x jitted_function\n", (unsigned long)(uintptr_t)code, CODE_SIZE);
	fclose(map);
	puts(path);
	jitted = (uint64_t(*)(uint64_t))(uintptr_t)code;
	while (clock() < seconds * CLOCKS_PER_SEC)
		sum += jitted(100000);
	return sum == 1;
}
