// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies of a kernel: the first byte says which of the three files the others are the bytes of; the
 * other two are good.
 */
#include <fcntl.h>
#include <ftw.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/archive/kernel_copy.h"
#include "util/lib/alloc.h"

#define PAGE 4096u
#define TEXT 0xffffffff81000000ull

static const char *const names[] = { "kcore", "kallsyms", "modules" };
static const char good_names[] = "ffffffff81000000 T _stext\nffffffff81001000 T _etext\n";
static const char good_modules[] = "one 5000 0 - Live 0xffffffff81001000\n"
                                   "two 100 1 one, Live 0xffffffff81003000 (E)\n";
static u8 good_core[5 * PAGE];
static char from[64], to[64], cache[64];

/* Folders that the system's memory has; gone when the harness ends. */
static void make_folder(char *path, size_t size, const char *name)
{
	snprintf(path, size, "/dev/shm/perf-fuzz-%s-XXXXXX", name);
	FUZZ_CHECK(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static void clean(void)
{
	nftw(cache, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	int fd = open(from, O_RDONLY | O_DIRECTORY);

	kernel_copy__remove(fd);
	close(fd);
	rmdir(from);
	rmdir(to);
}

static void fill_core(void)
{
	ElfW(Ehdr) *header = (void *)good_core;
	ElfW(Phdr) *part = (void *)(good_core + sizeof(*header));

	*header = (ElfW(Ehdr)){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		                .e_type = ET_CORE,
		                .e_machine = 62,
		                .e_phoff = sizeof(*header),
		                .e_phentsize = sizeof(*part),
		                .e_phnum = 1 };
	*part = (ElfW(Phdr)){
		.p_type = PT_LOAD, .p_offset = PAGE, .p_vaddr = TEXT, .p_filesz = 4 * PAGE
	};
}

static void put(const char *name, const void *data, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", from, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size && !close(fd));
}

/* All parts of the copy are in the file, in order, and apart in the kernel. */
static void check_core(int folder)
{
	int fd = openat(folder, "kcore", O_RDONLY);
	struct stat st;
	ElfW(Ehdr) header;
	ElfW(Phdr) part, last = { .p_offset = PAGE };
	u64 sum = 0;

	FUZZ_CHECK(fd >= 0 && !fstat(fd, &st));
	FUZZ_CHECK(pread(fd, &header, sizeof(header), 0) == sizeof(header) && header.e_phnum);
	for (u32 i = 0; i < header.e_phnum; i++) {
		FUZZ_CHECK(pread(fd, &part, sizeof(part), header.e_phoff + i * sizeof(part)) ==
		           sizeof(part));
		FUZZ_CHECK(part.p_filesz && part.p_vaddr >= last.p_vaddr + last.p_filesz);
		FUZZ_CHECK(!i || part.p_offset == last.p_offset + last.p_filesz);
		sum += part.p_filesz;
		last = part;
	}
	FUZZ_CHECK(last.p_offset + last.p_filesz == (u64)st.st_size && sum < (u64)st.st_size);
	close(fd);
}

/*
 * What is not of the kernel that runs is not taken; what is, once. (A kernel that was moved has
 * other addresses than these: then nothing is taken.)
 */
static void add_to_cache(void)
{
	char *path, *again;
	bool there;

	make_folder(cache, sizeof(cache), "cache");
	if (!kernel_copy__add_to_cache(cache, from, &path, &there, NULL)) {
		FUZZ_CHECK(!there && !access(path, R_OK));
		FUZZ_CHECK(!kernel_copy__add_to_cache(cache, from, &again, &there, NULL));
		FUZZ_CHECK(there && !strcmp(again, path));
		free(again);
	}
	free(path);
	nftw(cache, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct error err = ERROR_INIT;
	u32 which = size ? data[0] % 3 : 0;

	if (!*from) {
		make_folder(from, sizeof(from), "from");
		make_folder(to, sizeof(to), "to");
		fill_core();
		atexit(clean);
	}
	put("kcore", good_core, sizeof(good_core));
	put("kallsyms", good_names, sizeof(good_names) - 1);
	put("modules", good_modules, sizeof(good_modules) - 1);
	put(names[which], size ? data + 1 : data, size ? size - 1 : 0);
	int folder = open(to, O_RDONLY | O_DIRECTORY), ret;

	FUZZ_CHECK(folder >= 0);
	ret = kernel_copy__make(folder, from, &err);
	FUZZ_CHECK(ret == err.code);
	if (!ret)
		check_core(folder);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		FUZZ_CHECK(!faccessat(folder, names[i], F_OK, 0) == !ret);
	kernel_copy__remove(folder);
	close(folder);
	add_to_cache();
	return 0;
}

static void seed(void (*add)(const void *data, size_t size), u8 which, const void *data,
                 size_t size)
{
	u8 *bytes = xmalloc(size + 1);

	bytes[0] = which;
	memcpy(bytes + 1, data, size);
	add(bytes, size + 1);
	free(bytes);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fill_core();
	seed(add, 0, good_core, 2 * PAGE);
	seed(add, 0, good_core, 160);
	seed(add, 1, good_names, sizeof(good_names) - 1);
	seed(add, 2, good_modules, sizeof(good_modules) - 1);
}
