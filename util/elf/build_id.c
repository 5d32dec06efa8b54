// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/build_id.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"

/* Notes are tens of bytes; a segment that claims more is read up to here. */
#define MAX_NOTES (64u * 1024)

const char *build_id__hex(const struct build_id *id, char buf[static BUILD_ID_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	char *p = buf;

	for (unsigned i = 0; i < id->size && i < sizeof(id->data); i++) {
		*p++ = digits[id->data[i] >> 4];
		*p++ = digits[id->data[i] & 15];
	}
	*p = '\0';
	return buf;
}

bool build_id__parse(const char *hex, size_t len, struct build_id *id)
{
	*id = (struct build_id){ .size = 0 };
	if (len < 2 || len % 2 || len > 2 * sizeof(id->data))
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = tolower((u8)hex[i]);

		if (!isxdigit((u8)c))
			return false;
		u8 digit = c <= '9' ? c - '0' : c - 'a' + 10;

		id->data[i / 2] |= i % 2 ? digit : digit << 4;
	}
	id->size = len / 2;
	return true;
}

int build_id__of_notes(const void *notes, size_t len, bool swap, struct build_id *id)
{
	struct cursor c = cursor__make(notes, len, swap);
	struct elf_note note;

	*id = (struct build_id){ .size = 0 };
	while (elf_note__next(&note, &c))
		if (note.type == NT_GNU_BUILD_ID && note.name_size == 4 &&
		    !memcmp(note.name, "GNU", 4) && note.desc_size) {
			id->size = min_u64(note.desc_size, sizeof(id->data));
			memcpy(id->data, note.desc, id->size);
			return 0;
		}
	return c.failed ? -EBADMSG : -ENOENT;
}

static bool notes_at(const struct elf_file *elf, u64 offset, u64 size, struct build_id *id)
{
	u8 buf[1024], *notes = buf;
	bool found;

	size = min_u64(size, MAX_NOTES);
	if (size > sizeof(buf))
		notes = xmalloc(size);
	found = !elf_file__read(elf, offset, notes, size) &&
	        !build_id__of_notes(notes, size, elf->swap, id);
	if (notes != buf)
		free(notes);
	return found;
}

bool elf_file__build_id(struct elf_file *elf, struct build_id *id)
{
	for (u32 i = 0; i < elf->nr_programs; i++)
		if (elf->programs[i].p_type == PT_NOTE &&
		    notes_at(elf, elf->programs[i].p_offset, elf->programs[i].p_filesz, id))
			return true;
	/* Modules and other files that are not linked for loading have sections only. */
	u32 nr = elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++)
		if (elf->sections[i].header.sh_type == SHT_NOTE &&
		    elf_file__holds(elf, &elf->sections[i]) &&
		    notes_at(elf, elf->sections[i].header.sh_offset,
		             elf->sections[i].header.sh_size, id))
			return true;
	*id = (struct build_id){ .size = 0 };
	return false;
}

/* The note mostly lies in the first page, behind the program headers: one read does it. */
static bool quick_build_id(int fd, struct build_id *id)
{
	u8 page[4096];
	ssize_t len = pread(fd, page, sizeof(page), 0);
	struct elf_file elf;

	if (len <= 0 || elf_file__open_memory(&elf, page, len))
		return false;
	bool found = elf_file__build_id(&elf, id);

	elf_file__close(&elf);
	return found;
}

int build_id__of_file(const char *path, struct build_id *id)
{
	int fd = file__open_plain(path);
	struct elf_file elf;
	bool found;

	*id = (struct build_id){ .size = 0 };
	if (fd < 0)
		return fd == -EINVAL ? -ENOEXEC : fd;
	found = quick_build_id(fd, id);
	close(fd);
	if (found)
		return 0;
	int ret = elf_file__open(&elf, path);

	if (ret)
		return ret;
	found = elf_file__build_id(&elf, id);
	elf_file__close(&elf);
	return found ? 0 : -ENODATA;
}

static int of_notes_file(const char *path, struct build_id *id)
{
	u8 buf[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*id = (struct build_id){ .size = 0 };
	if (fd < 0)
		return -errno;
	ssize_t len = read(fd, buf, sizeof(buf));
	int ret = len < 0 ? -errno : build_id__of_notes(buf, len, false, id);

	close(fd);
	return ret;
}

int build_id__of_kernel(struct build_id *id)
{
	return of_notes_file("/sys/kernel/notes", id);
}

int build_id__of_module(const char *name, struct build_id *id)
{
	char path[256];

	*id = (struct build_id){ .size = 0 };
	if (!*name || strchr(name, '/') || strlen(name) > 64)
		return -EINVAL;
	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return of_notes_file(path, id);
}

const void *build_id__own_vdso(size_t *size)
{
	const u8 *image = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	struct elf_file elf;
	u64 end = 0;

	/* The kernel's image is trusted; its headers lie in the first page and tell the rest. */
	if (!image || elf_file__open_memory(&elf, image, sysconf(_SC_PAGESIZE)))
		return NULL;
	for (u32 i = 0; i < elf.nr_programs; i++)
		if (elf.programs[i].p_type == PT_LOAD)
			end = max_u64(end, elf.programs[i].p_offset + elf.programs[i].p_filesz);
	elf_file__close(&elf);
	*size = round_up_u64(end, sysconf(_SC_PAGESIZE));
	return *size ? image : NULL;
}
