// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -fno-stack-protector -fcf-protection=none */
/*
 * jitdump [SECONDS [FOLDER]]: what a JIT compiler does that writes a jitdump. FOLDER/jit-PID.dump
 * tells of code in anonymous memory: jit_first, then jit_moved, which is moved to another place
 * half-way, then jit_second at the place where jit_first was. Each runs for a third of the time.
 * Prints the dump's name; who runs this removes the files.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CODE_SIZE 256

enum { CODE_LOAD, CODE_MOVE, DEBUG_INFO, CODE_CLOSE };

struct head { /* of a record */
	uint32_t id, size;
	uint64_t time;
};

static FILE *dump;

/* No calls, no data: it runs wherever it is copied to. */
static uint64_t __attribute__((noinline, aligned(16))) spin(uint64_t n)
{
	uint64_t x = n;

	while (n--)
		x = x * 2862933555777941757ull + 3037000493ull;
	return x;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void put(uint32_t id, const void *body, uint32_t size)
{
	struct head head = { id, sizeof(head) + size, now() };

	fwrite(&head, sizeof(head), 1, dump);
	fwrite(body, size, 1, dump);
	fflush(dump);
}

static void *begin(const char *folder)
{
	struct {
		uint32_t magic, version, size, machine, zero, pid;
		uint64_t time, flags;
	} header = { 0x4A695444, 1, sizeof(header), EM_X86_64, 0, getpid(), now(), 0 };
	char path[4096];

#ifdef __aarch64__
	header.machine = EM_AARCH64;
#endif
	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, getpid());
	dump = fopen(path, "w+");
	if (!dump)
		exit(1);
	puts(path);
	fflush(stdout);
	fwrite(&header, sizeof(header), 1, dump);
	fflush(dump);
	/* The mark by which perf finds the file. */
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0);
}

static void load(const char *name, void *code, uint64_t index)
{
	uint64_t at = (uintptr_t)code;
	struct {
		uint32_t pid, tid;
		uint64_t vma, addr, size, index;
	} fixed = { getpid(), syscall(SYS_gettid), at, at, CODE_SIZE, index };
	struct {
		uint64_t addr, nr, first;
		uint32_t line, discriminator;
		char file[8];
	} lines = { at, 1, at, 40 + index, 0, "spin.jt" };
	char body[sizeof(fixed) + 64 + CODE_SIZE];
	size_t len = strlen(name) + 1;

	put(DEBUG_INFO, &lines, sizeof(lines));
	memcpy(code, (void *)(uintptr_t)spin, CODE_SIZE);
	__builtin___clear_cache((char *)code, (char *)code + CODE_SIZE);
	memcpy(body, &fixed, sizeof(fixed));
	memcpy(body + sizeof(fixed), name, len);
	memcpy(body + sizeof(fixed) + len, code, CODE_SIZE);
	put(CODE_LOAD, body, sizeof(fixed) + len + CODE_SIZE);
}

static void move(void *from, void *to, uint64_t index)
{
	struct {
		uint32_t pid, tid;
		uint64_t vma, from, to, size, index;
	} body = { getpid(),      syscall(SYS_gettid), (uintptr_t)to, (uintptr_t)from,
		   (uintptr_t)to, CODE_SIZE,           index };

	memcpy(to, from, CODE_SIZE);
	put(CODE_MOVE, &body, sizeof(body));
}

static uint64_t run(void *code, double seconds)
{
	double end = clock() + seconds * CLOCKS_PER_SEC;
	uint64_t sum = 0;

	while (clock() < end)
		sum += ((uint64_t(*)(uint64_t))(uintptr_t)code)(100000);
	return sum;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	char *code = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t sum = 0;

	if (code == MAP_FAILED || begin(argc > 2 ? argv[2] : ".") == MAP_FAILED)
		return 1;
	load("jit_first", code + 128, 1);
	sum += run(code + 128, seconds / 3);
	load("jit_moved", code + 4096 + 64, 2);
	sum += run(code + 4096 + 64, seconds / 6);
	move(code + 4096 + 64, code + 3 * 4096, 2);
	sum += run(code + 3 * 4096, seconds / 6);
	load("jit_second", code + 128, 3);
	sum += run(code + 128, seconds / 3);
	put(CODE_CLOSE, "", 0);
	return sum == 1;
}
