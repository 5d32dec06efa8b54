// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/elf/file_trail.h"
#include "util/lib/alloc.h"

/* A file that is old enough to be trusted. */
static char *settled_file(const char *name, const char *text)
{
	char *path = write_test_file(name, text, strlen(text));

	nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	return path;
}

TEST(file_trail_holds_until_something_changes)
{
	char *path = settled_file("a", "one"), *missing = xasprintf("%s/b", unit__tmpdir());
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, path);
	file_trail__note(&trail, missing);
	file_trail__note(&trail, path);
	CHECK_EQ(trail.nr, 2);
	CHECK(file_trail__holds(&trail));
	free(write_test_file("b", "", 0)); /* what was missing comes */
	CHECK(!file_trail__holds(&trail));
	CHECK(!unlink(missing));
	CHECK(file_trail__holds(&trail));
	free(write_test_file("a", "two", 3)); /* the same size */
	CHECK(!file_trail__holds(&trail));
	CHECK(!unlink(path));
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
	free(path);
	free(missing);
}

TEST(file_trail_of_files_made_just_now_holds_for_nothing)
{
	char *path = write_test_file("a", "one", 3);
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, path);
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
	free(path);
}

/* Write at @offset, and give the file the time of writing that it had. */
static void overwrite(const char *path, size_t offset, u8 byte)
{
	struct stat st;
	int fd = open(path, O_WRONLY);

	CHECK(!fstat(fd, &st) && pwrite(fd, &byte, 1, offset) == 1);
	CHECK(!futimens(fd, (struct timespec[2]){ st.st_atim, st.st_mtim }) && !close(fd));
}

/* An ELF file that is nothing but its build-id. */
static char *settled_object(const char *name)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr segment;
		Elf64_Nhdr note;
		char owner[4];
		u8 id[20];
	} file = {
		.head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		          .e_type = ET_DYN,
		          .e_version = EV_CURRENT,
		          .e_phoff = sizeof(Elf64_Ehdr),
		          .e_ehsize = sizeof(Elf64_Ehdr),
		          .e_phentsize = sizeof(Elf64_Phdr),
		          .e_phnum = 1 },
		.segment = { .p_type = PT_NOTE,
		             .p_offset = offsetof(typeof(file), note),
		             .p_filesz = 36,
		             .p_memsz = 36,
		             .p_align = 4 },
		.note = { 4, 20, NT_GNU_BUILD_ID },
		.owner = "GNU",
		.id = { 1, 2, 3 },
	};
	char *path = write_test_file(name, &file, sizeof(file));

	nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	return path;
}

TEST(file_trail_holds_for_an_object_that_got_a_link_or_other_rights)
{
	char *path = settled_object("object"), *other = xasprintf("%s/link", unit__tmpdir());
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, path);
	CHECK_EQ(trail.entries[0].stamp.id.size, 20);
	CHECK(!link(path, other));
	CHECK(file_trail__holds(&trail));
	CHECK(!chmod(path, 0700));
	CHECK(file_trail__holds(&trail));
	file_trail__note(&trail, path); /* also right after that */
	CHECK(file_trail__holds(&trail));
	/* Another build written in its place, of the same size and time. */
	overwrite(path, sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + sizeof(Elf64_Nhdr) + 6, 77);
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
	free(other);
	free(path);
}

TEST(file_trail_does_not_hold_for_changes_of_files_without_a_build_id)
{
	char *path = settled_file("a", "one");
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, path);
	CHECK(file_trail__holds(&trail));
	overwrite(path, 1, 'x');
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
	free(path);
}

TEST(file_trails_are_joined)
{
	char *path = settled_file("a", "one");
	struct file_trail one = { .nr = 0 }, two = { .nr = 0 };

	file_trail__note(&one, path);
	file_trail__note(&two, path);
	file_trail__note(&two, "/nonexistent");
	file_trail__join(&one, &two);
	CHECK_EQ(one.nr, 2);
	CHECK(file_trail__holds(&one));
	/* Two looks at one file that saw different things prove nothing. */
	two.entries[0].stamp.size++;
	file_trail__join(&one, &two);
	CHECK(!file_trail__holds(&one));
	file_trail__exit(&one);
	file_trail__exit(&two);
	file_trail__note(NULL, path);
	file_trail__spoil(&two);
	CHECK(!file_trail__holds(&two));
	free(path);
}

TEST(file_trail_of_the_running_kernel)
{
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, "/proc/kallsyms");
	CHECK(file_trail__holds(&trail));
	trail.entries[0].stamp.dev++; /* another boot */
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
}
