// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel modules: where their sections lie, and relocations of any damage. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "util/dwarf/debug_info.h"
#include "util/elf/relocatable.h"
#include "util/lib/alloc.h"

#define START 0xffffffffc0200000ull

static bool run(const char *fmt, const char *dir)
{
	char *command = xasprintf(fmt, dir);
	bool good = !system(command);

	free(command);
	return good;
}

static u64 address_of(struct elf_file *elf, const char *name)
{
	const struct elf_section *section = elf_file__section(elf, name);

	CHECK(section);
	return section ? section->header.sh_addr : 0;
}

/* As the kernel's loader has them: code in the order of the file, not what is for the start. */
TEST(relocatable_code_lies_as_the_kernel_puts_it)
{
	static const char source[] = ".text\n.skip 5\n"
	                             ".section .text.unlikely,\"ax\"\n.balign 16\n.skip 3\n"
	                             ".section .init.text,\"ax\"\n.skip 100\n"
	                             ".section .exit.text,\"ax\"\n.balign 8\n.skip 7\n"
	                             ".section .rodata,\"a\"\n.skip 9\n"
	                             ".section .plt,\"ax\"\n.skip 1\n";
	char *path = xasprintf("%s/m.ko", unit__tmpdir());
	struct elf_file elf;

	free(write_test_file("m.s", source, sizeof(source) - 1));
	if (!run("cd %s && cc -c -o m.ko m.s 2>/dev/null", unit__tmpdir()) ||
	    elf_file__open(&elf, path)) {
		unit__skip("no compiler");
		free(path);
		return;
	}
	relocatable__set_addresses(&elf, START);
	CHECK_EQ(address_of(&elf, ".text"), START);
	CHECK_EQ(address_of(&elf, ".text.unlikely"), START + 16);
	CHECK_EQ(address_of(&elf, ".exit.text"), START + 24);
	CHECK_EQ(address_of(&elf, ".plt"), START + 31);
	CHECK_EQ(address_of(&elf, ".init.text"), 0);
	CHECK_EQ(address_of(&elf, ".rodata"), 0);
	CHECK(relocatable__has_address(&elf, elf_file__section(&elf, ".text")));
	CHECK(!relocatable__has_address(&elf, elf_file__section(&elf, ".init.text")));
	/* Beyond the last address there is no place. */
	relocatable__set_addresses(&elf, UINT64_MAX - 10);
	CHECK_EQ(address_of(&elf, ".text"), UINT64_MAX - 10);
	CHECK_EQ(address_of(&elf, ".exit.text"), 0);
	elf_file__close(&elf);
	free(path);
}

#ifdef HAVE_LIBDW
/* Change byte @at of the relocation of .debug_info at @index; is anything known of it then? */
static bool known_with(const char *name, u32 index, u32 at, u8 byte)
{
	char *path = xasprintf("%s/m.ko", unit__tmpdir());
	struct elf_file elf;
	struct source_frame frame;

	CHECK(run("cd %s && cp good.ko m.ko", unit__tmpdir()));
	CHECK_EQ(elf_file__open(&elf, path), 0);
	const struct elf_section *section = elf_file__section(&elf, name);
	FILE *file = fopen(path, "r+");

	CHECK(section && file && section->header.sh_size > (index + 1) * sizeof(Elf64_Rela));
	if (section && file) {
		fseek(file, section->header.sh_offset + index * sizeof(Elf64_Rela) + at, SEEK_SET);
		fputc(byte, file);
	}
	if (file)
		fclose(file);
	elf_file__close(&elf);
	struct debug_info *info = debug_info__open_module(path, START);
	bool known = debug_info__frames(info, START, &frame, 1);

	debug_info__delete(info);
	free(path);
	return known;
}

TEST(relocatable_is_not_read_with_relocations_that_are_none)
{
	static const char source[] = "int f(int x)\n{\n\treturn x * 3;\n}\n";

	free(write_test_file("m.c", source, sizeof(source) - 1));
	if (!run("cd %s && cc -O2 -g -c -o good.ko m.c 2>/dev/null", unit__tmpdir())) {
		unit__skip("no compiler");
		return;
	}
	/* r_offset, r_info (type, symbol), r_addend */
	CHECK(known_with(".rela.debug_info", 0, 23, 0));    /* as it was */
	CHECK(!known_with(".rela.debug_info", 0, 6, 1));    /* behind the section */
	CHECK(!known_with(".rela.debug_info", 0, 9, 0x70)); /* of no known type */
	CHECK(!known_with(".rela.debug_line", 1, 9, 0x70));
	/* What is not used is not looked at. */
	CHECK(known_with(".rela.debug_aranges", 0, 9, 0x70));
}
#endif
