// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies of a kernel made of three files: which parts of the core, and what is refused. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/archive/kernel_copy.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"

#define TEXT    0xffffffff81000000ull
#define MODULES 0xffffffffc0000000ull
#define PAGE    4096u

static void put_file(const char *name, const void *data, size_t len)
{
	char *path = xasprintf("%s/%s", unit__tmpdir(), name);
	FILE *file = fopen(path, "w");

	CHECK(file && fwrite(data, 1, len, file) == len);
	if (file)
		fclose(file);
	free(path);
}

static void put_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
}

/* Text of six pages and modules of 16 at their addresses; each page is full of its number. */
static void put_core(u16 type)
{
	enum { NR = 6 + 16 };
	static u8 bytes[(NR + 1) * PAGE];
	ElfW(Ehdr) *header = (void *)bytes;
	ElfW(Phdr) *part = (void *)(bytes + sizeof(*header));

	memset(bytes, 0, sizeof(bytes));
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	*header = (ElfW(Ehdr)){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		                .e_type = type,
		                .e_machine = 62,
		                .e_phoff = sizeof(*header),
		                .e_phentsize = sizeof(*part),
		                .e_phnum = 2 };
	part[0] = (ElfW(Phdr)){
		.p_type = PT_LOAD, .p_offset = PAGE, .p_vaddr = TEXT, .p_filesz = 6 * PAGE
	};
	part[1] = (ElfW(Phdr)){
		.p_type = PT_LOAD, .p_offset = 7 * PAGE, .p_vaddr = MODULES, .p_filesz = 16 * PAGE
	};
	for (u32 i = 1; i <= NR; i++)
		memset(bytes + i * PAGE, i, PAGE);
	put_file("kcore", bytes, sizeof(bytes));
}

static void put_lists(void)
{
	put_text("kallsyms", "ffffffff81001000 T _stext\nffffffff81001010 T vfs_read\n"
	                     "ffffffff81004123 T _etext\n");
	put_text("modules", "one 5000 0 - Live 0xffffffffc0002000\n"
	                    "two 100 1 one, Live 0xffffffffc0004000 (E)\n"
	                    "far 4096 0 - Live 0xffffffffc0009000\n"
	                    "gone 4096 0 - Live 0xffffffffd0000000\n"
	                    "hidden 4096 0 - Live 0x0000000000000000\n"
	                    "wild 18446744073709551000 0 - Live 0xffffffffc0001000\nshort 1\n");
}

/* Into a new folder; *entries: how many files are in it afterwards. */
static int copy(char **folder, u32 *entries, struct error *err)
{
	static u32 counter;
	static const char *const names[] = { "kcore", "kallsyms", "modules" };

	*folder = xasprintf("%s/to%u", unit__tmpdir(), counter++);
	CHECK_EQ(mkdir(*folder, 0700), 0);
	int fd = open(*folder, O_RDONLY | O_DIRECTORY);
	int ret = kernel_copy__make(fd, unit__tmpdir(), err);

	*entries = 0;
	for (u32 i = 0; i < 3; i++)
		*entries += !faccessat(fd, names[i], F_OK, 0);
	close(fd);
	return ret;
}

TEST(kernel_copy_has_text_and_modules)
{
	struct error err = ERROR_INIT;
	char *folder, *path, *bytes;
	size_t len;
	u32 nr;

	put_core(ET_CORE);
	put_lists();
	CHECK_EQ(copy(&folder, &nr, &err), 0);
	CHECK_EQ(nr, 3);
	path = xasprintf("%s/kcore", folder);
	bytes = file__read_all(path, 1 << 20, &len);
	CHECK(bytes != NULL);
	const ElfW(Ehdr) *header = (void *)bytes;
	const ElfW(Phdr) *part = (void *)(bytes + sizeof(*header));

	CHECK_EQ(header->e_type, ET_CORE);
	CHECK_EQ(header->e_machine, 62);
	CHECK_EQ(header->e_phnum, 3); /* one and two touch */
	CHECK_EQ(len, PAGE + (4 + 3 + 1) * PAGE);
	CHECK_EQ(part[0].p_vaddr, TEXT + PAGE);
	CHECK_EQ(part[0].p_filesz, 4 * PAGE);
	CHECK_EQ(part[1].p_vaddr, MODULES + 2 * PAGE);
	CHECK_EQ(part[1].p_filesz, 3 * PAGE);
	CHECK_EQ(part[2].p_vaddr, MODULES + 9 * PAGE);
	CHECK_EQ(part[2].p_offset, PAGE + 7 * PAGE);
	CHECK_EQ(bytes[part[0].p_offset], 2);
	CHECK_EQ(bytes[part[1].p_offset], 9);
	CHECK_EQ(bytes[part[2].p_offset + PAGE - 1], 16);
	free(bytes);
	free(path);
	free(folder);
}

static void refused(int code, const char *part)
{
	struct error err = ERROR_INIT;
	char *folder;
	u32 nr;

	CHECK_EQ(copy(&folder, &nr, &err), code);
	CHECK_EQ(err.code, code);
	CHECK_EQ(nr, 0);
	if (!strstr(err.cause, part) && !strstr(err.subject, part))
		unit__fail(__FILE__, __LINE__, "'%s': %s, not %s", err.subject, err.cause, part);
	free(folder);
}

TEST(kernel_copy_refuses)
{
	char *path = xasprintf("%s/kcore", unit__tmpdir());

	put_core(ET_CORE);
	refused(-ENOENT, "/kallsyms");
	put_lists();
	put_text("kallsyms", "0000000000000000 T _stext\n0000000000000000 T _etext\n");
	refused(-EPERM, "hidden");
	put_lists();
	put_core(ET_EXEC);
	refused(-ENOEXEC, "not a core");
	put_text("kcore", "\177ELF");
	refused(-ENOEXEC, "not a core");
	put_core(ET_CORE);
	CHECK_EQ(truncate(path, 3 * PAGE), 0);
	refused(-ENODATA, "/kcore");
	put_core(ET_CORE);
	put_text("kallsyms", "ffffffff00000000 T _stext\nffffffff81004123 T _etext\n");
	put_text("modules", "");
	refused(-ENOEXEC, "not a core");
	free(path);
}
