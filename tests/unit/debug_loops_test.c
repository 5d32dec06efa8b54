// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF whose entries lead in circles: each reference of a real program is bent to its own entry,
 * to the unit's, and to what lies within; each byte of the abbreviations becomes a form that says
 * that the form comes later. Reading ends, and the line of code, which needs neither, is still
 * known.
 */
#include "tests/unit/unit.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/dwarf/debug_info.h"
#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/symtab/symtab.h"
#include "util/symtab/symtab_elf.h"

static const char source[] =
        "volatile int sink;\n"
        "struct box {\n"
        "	int value;\n"
        "	int get(int x);\n"
        "	int twice(int x) { return get(x) * 2; }\n"
        "};\n"
        "inline int box::get(int x) { sink = x; return value + x; }\n"
        "namespace space { int held = 3; }\n"
        "using space::held;\n"
        "template <typename T> T add(T a, box b) { return b.twice(a) + held; }\n"
        "int main(void)\n"
        "{\n"
        "	box b = { 1 };\n"
        "	int sum = add<int>(sink, b);\n"
        "	__asm__ volatile(\".globl here\\nhere: nop\");\n" /* 15 */
        "	return sum;\n"
        "}\n";

struct bend {
	u64 offset; /* in the section */
	u32 own, unit, within;
};

struct bends {
	struct bend *list;
	u32 nr;
	size_t cap;
	const u8 *section;
	u32 unit; /* its first entry; all in terms of the unit */
};

struct entry {
	struct bends *bends;
	Dwarf_Die *die;
};

static int add_bend(Dwarf_Attribute *attr, void *ctx)
{
	struct entry *entry = ctx;
	struct bends *bends = entry->bends;
	u64 own = dwarf_cuoffset(entry->die);

	if (dwarf_whatform(attr) != DW_FORM_ref4)
		return DWARF_CB_OK;
	array__reserve(&bends->list, &bends->cap, bends->nr + 1, sizeof(*bends->list));
	bends->list[bends->nr++] = (struct bend){
		.offset = attr->valp - bends->section,
		.own = own,
		.unit = bends->unit,
		.within = own,
	};
	return DWARF_CB_OK;
}

/* Of @die, of what lies within it, and of all that follow it there. */
static void add_entries(struct bends *bends, Dwarf_Die *die)
{
	Dwarf_Die child;

	do {
		struct entry entry = { bends, die };
		u32 from = bends->nr;

		dwarf_getattrs(die, add_bend, &entry, 0);
		if (!dwarf_child(die, &child)) {
			for (u32 i = from; i < bends->nr; i++)
				bends->list[i].within = dwarf_cuoffset(&child);
			add_entries(bends, &child);
		}
	} while (!dwarf_siblingof(die, die));
}

static void list_references(const char *path, struct bends *bends)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (dwarf && !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		bends->section = (const u8 *)die.addr - dwarf_dieoffset(&die);
		bends->unit = dwarf_cuoffset(&die);
		add_entries(bends, &die);
	}
	dwarf_end(dwarf);
	close(fd);
}

static u64 section_offset(const char *path, const char *name, u64 *size)
{
	struct elf_file elf;
	u64 offset = 0;

	*size = 0;
	if (elf_file__open(&elf, path))
		return 0;
	const struct elf_section *section = elf_file__section(&elf, name);

	if (section) {
		offset = section->header.sh_offset;
		*size = section->header.sh_size;
	}
	elf_file__close(&elf);
	return offset;
}

static u64 address_of_here(const char *path)
{
	struct object_file_request request = { .path = path, .symfs = "" };
	struct symtab table = { .source = SYMTAB_NONE };
	u64 addr = 0;

	symtab__load_elf(&table, &request);
	for (u32 i = 0; i < table.nr; i++)
		if (!strcmp(table.symbols[i].name, "here"))
			addr = table.symbols[i].start;
	symtab__exit(&table);
	return addr;
}

/* The line that is known of @addr, of every address around it read. */
static u32 line_at(const char *path, u64 addr)
{
	struct debug_info *info = debug_info__open(path);
	struct source_frame frames[SOURCE_FRAMES_MAX];

	for (u64 a = addr - 64; a < addr + 16; a++)
		debug_info__frames(info, a, frames, SOURCE_FRAMES_MAX);
	u32 nr = debug_info__frames(info, addr, frames, SOURCE_FRAMES_MAX);

	debug_info__delete(info);
	return nr ? frames[0].line : 0;
}

static u32 line_after(int fd, u64 at, const void *bytes, size_t len, const char *path, u64 addr)
{
	u8 before[8];

	CHECK_EQ(pread(fd, before, len, at), len);
	CHECK_EQ(pwrite(fd, bytes, len, at), len);
	u32 line = line_at(path, addr);

	CHECK_EQ(pwrite(fd, before, len, at), len);
	return line;
}

static void bend_references(const char *path, int fd, u64 addr)
{
	struct bends bends = { .nr = 0 };
	u64 size, start = section_offset(path, ".debug_info", &size);

	list_references(path, &bends);
	CHECK(bends.nr > 20);
	for (u32 i = 0; i < bends.nr && !unit__has_failed(); i++) {
		const struct bend *b = &bends.list[i];
		const u32 targets[] = { b->own, b->unit, b->within };

		for (u32 t = 0; t < ARRAY_SIZE(targets); t++)
			CHECK_EQ(line_after(fd, start + b->offset, &targets[t], 4, path, addr), 15);
	}
	for (u32 i = 0; i < bends.nr; i++) /* all of them, for good */
		CHECK_EQ(pwrite(fd, &bends.list[i].own, 4, start + bends.list[i].offset), 4);
	CHECK_EQ(line_at(path, addr), 15);
	free(bends.list);
}

static void bend_forms(const char *path, int fd, u64 addr)
{
	static const u8 indirect[] = { DW_FORM_indirect, DW_FORM_indirect };
	u64 size, start = section_offset(path, ".debug_abbrev", &size);

	CHECK(size > 100);
	for (u64 i = 0; i + sizeof(indirect) <= size; i++) {
		line_after(fd, start + i, indirect, 1, path, addr);
		line_after(fd, start + i, indirect, sizeof(indirect), path, addr);
	}
	CHECK_EQ(line_at(path, addr), 15);
}

static void check_compiler(const char *compiler)
{
	static const char *const options[] = { "-gdwarf-4", "-gdwarf-5" };
	char *path = xasprintf("%s/loops", unit__tmpdir());

	free(write_test_file("loops.cc", source, sizeof(source) - 1));
	for (u32 i = 0; i < ARRAY_SIZE(options); i++) {
		char *command = xasprintf("cd %s && %s -O2 %s -o loops loops.cc", unit__tmpdir(),
		                          compiler, options[i]);
		int fd = system(command) ? -1 : open(path, O_RDWR | O_CLOEXEC);

		free(command);
		if (fd < 0) {
			unit__skip("this compiler is not here");
			break;
		}
		u64 addr = address_of_here(path);

		CHECK_EQ(line_at(path, addr), 15);
		bend_forms(path, fd, addr);
		bend_references(path, fd, addr);
		close(fd);
	}
	free(path);
}

TEST(debug_info_in_circles_gcc)
{
	check_compiler("g++");
}

TEST(debug_info_in_circles_clang)
{
	check_compiler("clang++");
}
#endif
