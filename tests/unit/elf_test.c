// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "util/archive/build_id_cache_add.h"
#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/symtab/elf_symbols.h"
#include "util/symtab/symtab.h"
#include "util/symtab/symtab_elf.h"

static const u8 id_a[20] = {
	0xaa, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
};
static const u8 id_b[20] = { 0xbb, 1, 2, 3 };

/* What a report does: file offset -> address -> symbol. */
static const char *name_at_offset(const struct symtab *table, u64 offset)
{
	u64 addr = table->runtime_addr ? offset : symtab__vaddr_of_offset(table, offset);
	u32 i = symtab__find(table, addr);

	return i == ID_NONE ? "" : table->symbols[i].name;
}

static int load(struct symtab *table, const char *path, const u8 *id)
{
	struct object_file_request request = {
		.path = path, .symfs = "", .build_id = id, .build_id_size = id ? 20 : 0
	};

	return symtab__load_elf(table, &request);
}

static void add_some_symbols(struct elf_builder *e)
{
	elf_builder__symbol(e, "local", STB_LOCAL, STT_FUNC, 0x10, 16);
	elf_builder__symbol(e, "assembly", STB_LOCAL, STT_NOTYPE, 0x40, 0);
	elf_builder__symbol(e, "indirect", STB_GLOBAL, STT_GNU_IFUNC, 0x80, 16);
	elf_builder__symbol(e, "object", STB_GLOBAL, STT_OBJECT, 0xc0, 16);
	elf_builder__symbol(e, "file.c", STB_LOCAL, STT_FILE, 0x100, 16);
	elf_builder__symbol(e, "a_section", STB_LOCAL, STT_SECTION, 0x140, 16);
	elf_builder__symbol(e, "last", STB_GLOBAL, STT_FUNC, 0x200, 16);
}

TEST(elf_names_offsets_of_every_class_and_order)
{
	for (unsigned i = 0; i < 4; i++) {
		struct elf_builder e = { .is64 = i & 1, .swap = i & 2 };
		struct symtab table = { .source = SYMTAB_NONE };

		add_some_symbols(&e);
		char *path = elf_builder__write(&e, "a.elf");

		CHECK_EQ(load(&table, path, NULL), 0);
		CHECK_EQ(table.source, SYMTAB_ELF);
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x18), "local");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x20), "");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x7f), "assembly");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x80), "indirect");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0xc0), "object");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x100), "");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x140), "");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x20f), "last");
		symtab__exit(&table);
		elf_builder__exit(&e);
		free(path);
	}
}

TEST(elf_leaves_out_marks_of_arm)
{
	struct elf_builder e = { .is64 = true, .machine = EM_AARCH64 };
	struct symtab table = { .source = SYMTAB_NONE };

	elf_builder__symbol(&e, "function", STB_GLOBAL, STT_FUNC, 0x10, 32);
	elf_builder__symbol(&e, "$x", STB_LOCAL, STT_NOTYPE, 0x10, 0);
	elf_builder__symbol(&e, "$d.7", STB_LOCAL, STT_NOTYPE, 0x20, 0);
	elf_builder__symbol(&e, "$dollar", STB_LOCAL, STT_FUNC, 0x40, 8);
	char *path = elf_builder__write(&e, "arm.elf");

	CHECK_EQ(load(&table, path, NULL), 0);
	CHECK_EQ(table.nr, 2);
	CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x24), "function");
	CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x40), "$dollar");
	symtab__exit(&table);
	elf_builder__exit(&e);
	free(path);
}

/* As Linux's perf 6.1 does it: found with tests/compat/aliases.py. */
TEST(elf_labels_count_where_the_section_is_named_so)
{
	static const char *const names[] = { ".hot", ".hot.text", ".mydata", ".TEXT", ".init" };

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		struct elf_builder e = { .is64 = true, .text_name = names[i] };
		struct symtab table = { .source = SYMTAB_NONE };
		bool wanted = i == 1 || i == 2;

		elf_builder__symbol(&e, "function", STB_GLOBAL, STT_FUNC, 0x10, 16);
		elf_builder__symbol(&e, "label", STB_GLOBAL, STT_NOTYPE, 0x40, 16);
		char *path = elf_builder__write(&e, "labels.elf");

		CHECK_EQ(load(&table, path, NULL), 0);
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x18), "function");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x48), wanted ? "label" : "");
		symtab__exit(&table);
		elf_builder__exit(&e);
		free(path);
	}
}

TEST(elf_takes_both_tables_of_a_file)
{
	struct elf_builder e = { .is64 = true, .dynamic_from = 3 };
	struct symtab table = { .source = SYMTAB_NONE };

	elf_builder__symbol(&e, "in_symtab", STB_LOCAL, STT_FUNC, 0x10, 16);
	elf_builder__symbol(&e, "___later", STB_GLOBAL, STT_FUNC, 0x40, 0);
	elf_builder__symbol(&e, "_first", STB_GLOBAL, STT_FUNC, 0x40, 0);
	elf_builder__symbol(&e, "_first", STB_GLOBAL, STT_FUNC, 0x40, 0);
	elf_builder__symbol(&e, "___later", STB_GLOBAL, STT_FUNC, 0x40, 0);
	elf_builder__symbol(&e, "in_dynsym", STB_GLOBAL, STT_FUNC, 0x80, 16);
	char *path = elf_builder__write(&e, "both.elf");

	CHECK_EQ(load(&table, path, NULL), 0);
	CHECK_EQ(table.source, SYMTAB_ELF);
	CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x18), "in_symtab");
	CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x88), "in_dynsym");
	/* Of aliases without size the last of the .symtab has one; the .dynsym cannot change it. */
	CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x40), "_first");
	symtab__exit(&table);
	elf_builder__exit(&e);
	free(path);
}

TEST(elf_names_plt_entries)
{
	for (unsigned i = 0; i < 4; i++) {
		struct elf_builder e = {
			.is64 = i & 1, .swap = i & 2, .dynsym = true, .plt = true
		};
		struct symtab table = { .source = SYMTAB_NONE };

		elf_builder__symbol(&e, "own", STB_GLOBAL, STT_FUNC, 0x10, 16);
		elf_builder__symbol(&e, "called", STB_GLOBAL, STT_FUNC, 0x20, 16);
		char *path = elf_builder__write(&e, "plt.elf");

		CHECK_EQ(load(&table, path, NULL), 0);
		CHECK_EQ(table.source, SYMTAB_DYNSYM);
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + ELF_PLT + 8), "");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + ELF_PLT + 16), "@plt");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + ELF_PLT + 47), "own@plt");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + ELF_PLT + 48), "called@plt");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + ELF_PLT + 64), "");
		symtab__exit(&table);
		elf_builder__exit(&e);
		free(path);
	}
}

TEST(elf_unpacks_compressed_tables)
{
	for (unsigned i = 0; i < 4; i++) {
		struct elf_builder e = { .is64 = i & 1, .swap = i & 2, .packed = true };
		struct symtab table = { .source = SYMTAB_NONE };

		add_some_symbols(&e);
		char *path = elf_builder__write(&e, "packed.elf");

		CHECK_EQ(load(&table, path, NULL), 0);
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x18), "local");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x20f), "last");
		symtab__exit(&table);
		elf_builder__exit(&e);
		free(path);
	}
}

/* Tables that would unpack to more than they can, and to more than anybody needs. */
TEST(elf_does_not_unpack_bombs)
{
	static const u64 claims[] = { 100, 257 << 20, 1ull << 40, UINT64_MAX };

	for (unsigned i = 0; i < ARRAY_SIZE(claims); i++) {
		struct elf_builder e = { .is64 = true, .packed = true, .packed_claim = claims[i] };
		struct symtab table = { .source = SYMTAB_NONE };

		add_some_symbols(&e);
		char *path = elf_builder__write(&e, "bomb.elf");

		CHECK_EQ(load(&table, path, NULL), -ENODATA);
		CHECK_EQ(table.nr, 0);
		symtab__exit(&table);
		elf_builder__exit(&e);
		free(path);
	}
}

/* Indexes beyond 16 bits stand in section 0 and in a table beside the symbols. */
TEST(elf_with_very_many_sections)
{
	for (unsigned i = 0; i < 4; i++) {
		struct elf_builder e = { .is64 = i & 1, .swap = i & 2, .fillers = 66000 };
		struct symtab table = { .source = SYMTAB_NONE };

		add_some_symbols(&e);
		char *path = elf_builder__write(&e, "many.elf");

		CHECK_EQ(load(&table, path, NULL), 0);
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x18), "local");
		CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET + 0x20f), "last");
		CHECK_EQ(table.nr, 5);
		symtab__exit(&table);
		elf_builder__exit(&e);
		free(path);
	}
}

/* The most memory that loading took, in KB: measured in a process of its own. */
static long memory_of_load(const char *path, int want)
{
	struct symtab table = { .source = SYMTAB_NONE };
	struct rusage before, usage;
	int status;

	getrusage(RUSAGE_SELF, &before);
	pid_t pid = fork();

	if (!pid)
		_exit(load(&table, path, NULL) != want);
	CHECK_EQ(wait4(pid, &status, 0, &usage), pid);
	CHECK_EQ(status, 0);
	return usage.ru_maxrss - before.ru_maxrss;
}

/* A file with holes can have any size: what it claims must not become memory. */
TEST(elf_with_holes_costs_no_memory)
{
	static const char *const cases[] = { "sections", "programs", "symbols" };
	static const int want[] = { -EBADMSG, 0, -ENODATA };

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct elf_builder e = { .is64 = true };

		add_some_symbols(&e);
		elf_builder__build(&e);
		Elf64_Ehdr *header = (Elf64_Ehdr *)e.image.data;
		Elf64_Shdr *sections = (Elf64_Shdr *)(e.image.data + header->e_shoff);

		if (i == 0) {
			header->e_shnum = 0;
			sections[0].sh_size = 4 << 20;
		} else if (i == 1) {
			header->e_phnum = PN_XNUM;
			sections[0].sh_info = 4 << 20;
		} else
			sections[3].sh_size = 24 << 26;
		char *path = write_test_file(cases[i], e.image.data, e.image.len);

		CHECK_EQ(truncate(path, 1ull << 40), 0);
		CHECK(memory_of_load(path, want[i]) < 64 << 10);
		free(path);
		elf_builder__exit(&e);
	}
}

TEST(elf_of_another_build_is_not_used)
{
	struct elf_builder e = { .is64 = true, .build_id_size = 20 };
	struct symtab table = { .source = SYMTAB_NONE };

	memcpy(e.build_id, id_a, 20);
	add_some_symbols(&e);
	char *path = elf_builder__write(&e, "a.elf");

	CHECK_EQ(load(&table, path, id_a), 0);
	CHECK_EQ(table.source, SYMTAB_ELF);
	symtab__exit(&table);

	CHECK_EQ(load(&table, path, id_b), -ESTALE);
	CHECK_EQ(table.nr, 0);
	CHECK_EQ(table.error.code, -ESTALE);
	CHECK(strstr(table.error.cause, "aa0102"));
	CHECK(strstr(table.error.cause, "bb0102"));
	CHECK(table.error.advice[0]);
	symtab__exit(&table);
	elf_builder__exit(&e);
	free(path);
}

TEST(elf_replaced_file_is_found_in_the_cache)
{
	struct elf_builder old = { .is64 = true, .build_id_size = 20 };
	struct elf_builder new = { .is64 = true, .build_id_size = 20 };
	struct symtab table = { .source = SYMTAB_NONE };

	memcpy(old.build_id, id_a, 20);
	memcpy(new.build_id, id_b, 20);
	elf_builder__symbol(&old, "recorded", STB_GLOBAL, STT_FUNC, 0, 16);
	elf_builder__symbol(&new, "rebuilt", STB_GLOBAL, STT_FUNC, 0, 16);
	char *path = elf_builder__write(&old, "prog");
	char *cache = xasprintf("%s/cache", unit__tmpdir());
	struct build_id id = { .size = 20 };

	memcpy(id.data, id_a, 20);
	CHECK_EQ(build_id_cache__add(cache, path, -1, &id, CACHE_ELF, NULL), 0);
	CHECK_EQ(unlink(path), 0); /* as a linker does; the cache's link keeps the old one */
	free(path);
	path = elf_builder__write(&new, "prog");
	struct object_file_request request = {
		.path = path, .symfs = "", .build_id = id_a, .build_id_size = 20, .cache_dir = cache
	};

	CHECK_EQ(symtab__load_elf(&table, &request), 0);
	CHECK_STR(name_at_offset(&table, ELF_TEXT_OFFSET), "recorded");
	symtab__exit(&table);
	elf_builder__exit(&old);
	elf_builder__exit(&new);
	free(cache);
	free(path);
}

/* Data begins at 0x1d850 of the file, 0x1000 further in memory, and .bss behind its last byte. */
TEST(elf_offsets_behind_the_data_are_those_of_bss)
{
	GElf_Phdr programs[] = {
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_W,
		  .p_offset = 0x1d850,
		  .p_vaddr = 0x1e850,
		  .p_filesz = 0xc5c,
		  .p_memsz = 0x8000 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = 0x1f000,
		  .p_vaddr = 0x31f000,
		  .p_filesz = 0x100,
		  .p_memsz = 0x100 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_W,
		  .p_offset = 0x1e4f0,
		  .p_vaddr = 0x404f0,
		  .p_filesz = 0x10,
		  .p_memsz = 0x14 },
	};
	struct elf_file elf = { .programs = programs, .nr_programs = ARRAY_SIZE(programs) };
	struct symtab table = { .source = SYMTAB_NONE };

	elf_symbols__set_segments(&table, &elf);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1e4ab), 0x1f4ab);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1e4ac), 0x1f4ac);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1efff), 0x1ffff);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1f000), 0x31f000); /* the next page is not its */
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1f100), 0x1f100);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1e4f4), 0x404f4); /* in the file before .bss */
	symtab__exit(&table);
}

TEST(elf_stripped_says_so)
{
	struct elf_builder e = { .is64 = true, .no_symbols = true };
	struct symtab table = { .source = SYMTAB_NONE };

	elf_builder__symbol(&e, "x", STB_GLOBAL, STT_FUNC, 0, 16);
	char *path = elf_builder__write(&e, "stripped");

	CHECK_EQ(load(&table, path, NULL), -ENODATA);
	CHECK_STR(table.error.what, "no symbols found in");
	CHECK_STR(table.error.subject, path);
	CHECK_EQ(symtab__vaddr_of_offset(&table, ELF_TEXT_OFFSET + 5), ELF_TEXT_VADDR + 5);
	symtab__exit(&table);
	elf_builder__exit(&e);
	free(path);
}

TEST(elf_foreign_files_are_errors)
{
	static const char *const texts[] = { "", "\x7f", "#!/bin/sh\nexit 0\n", "\177ELF" };
	struct symtab table = { .source = SYMTAB_NONE };

	for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
		char *path = write_test_file("foreign", texts[i], strlen(texts[i]));

		CHECK_EQ(load(&table, path, NULL), -ENOEXEC);
		CHECK(table.error.what[0]);
		symtab__exit(&table);
		free(path);
	}
	CHECK_EQ(load(&table, "/no/such/file", NULL), -ENOENT);
	symtab__exit(&table);
	CHECK_EQ(load(&table, "/dev/zero", NULL), -ENOEXEC);
	symtab__exit(&table);
	CHECK_EQ(load(&table, "/", NULL), -ENOEXEC);
	symtab__exit(&table);
}

/* A plausible table: ordered, names inside the arena's strings, never a signal. */
static void check_sane(const struct symtab *table)
{
	size_t total = 0;

	for (u32 i = 0; i < table->nr; i++) {
		CHECK(table->symbols[i].end >= table->symbols[i].start);
		CHECK(!i || table->symbols[i].start > table->symbols[i - 1].start);
		total += strlen(table->symbols[i].name);
	}
	CHECK(total < 1 << 20);
	symtab__find(table, ELF_TEXT_VADDR + 0x18);
}

TEST(elf_cut_at_any_offset_is_survived)
{
	struct elf_builder e = { .is64 = true, .build_id_size = 20, .debuglink = "a.debug" };

	add_some_symbols(&e);
	elf_builder__build(&e);
	for (size_t len = 0; len<e.image.len; len += len> 200 && len < 0x2f00 ? 97 : 1) {
		struct symtab table = { .source = SYMTAB_NONE };
		char *path = write_test_file("cut", e.image.data, len);

		load(&table, path, NULL);
		check_sane(&table);
		CHECK(table.nr == 0 || len > ELF_TEXT_OFFSET);
		symtab__exit(&table);
		free(path);
	}
	elf_builder__exit(&e);
}

TEST(elf_with_flipped_bits_is_survived)
{
	struct elf_builder e = { .is64 = true, .build_id_size = 20, .debuglink = "a.debug" };
	u64 seed = 7;

	add_some_symbols(&e);
	elf_builder__build(&e);
	size_t meta = ELF_TEXT_OFFSET + ELF_TEXT_SIZE;

	for (unsigned round = 0; round < 2000; round++) {
		struct symtab table = { .source = SYMTAB_NONE };
		u8 *copy = xmalloc(e.image.len);

		memcpy(copy, e.image.data, e.image.len);
		for (unsigned flips = 0; flips < 1 + round % 5; flips++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			size_t at = (seed >> 33) % (e.image.len - meta + 200);

			at = at < 200 ? at : at - 200 + meta;
			copy[at] = seed >> 20 & 1 ? (u8)(seed >> 24)
			                          : copy[at] ^ 1 << (seed >> 50 & 7);
		}
		char *path = write_test_file("flipped", copy, e.image.len);

		load(&table, path, NULL);
		check_sane(&table);
		symtab__exit(&table);
		free(copy);
		free(path);
	}
	elf_builder__exit(&e);
}

/* This program itself: a real file with a real linker's tables. */
TEST(elf_names_its_own_function)
{
	struct symtab table = { .source = SYMTAB_NONE };
	char self[4096], line[4400], path[4097];
	unsigned long start, end, offset, want = (unsigned long)(void *)elf_builder__build;
	bool seen = false;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	BUG_ON(n < 0);
	self[n] = '\0';
	CHECK_EQ(load(&table, self, NULL), 0);
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4096s", &start, &end, &offset, path) !=
		            4 ||
		    want < start || want >= end)
			continue;
		seen = true;
		CHECK_STR(name_at_offset(&table, want - start + offset), "elf_builder__build");
	}
	if (maps)
		fclose(maps);
	CHECK(seen);
	symtab__exit(&table);
}
