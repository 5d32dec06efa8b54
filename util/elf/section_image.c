// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/section_image.h"

#include <sys/mman.h>
#include <unistd.h>

static Elf_Data *append(struct section_image *image, void *bytes, size_t size)
{
	Elf_Data *data = image->last ? elf_newdata(image->last) : NULL;

	if (data)
		*data = (Elf_Data){
			.d_buf = bytes, .d_size = size, .d_align = 1, .d_version = EV_CURRENT
		};
	return data;
}

static Elf_Data *add(struct section_image *image, const char *name, u32 type, void *bytes,
                     size_t size)
{
	GElf_Shdr header;

	image->last = elf_newscn(image->handle);
	Elf_Data *data = append(image, bytes, size);

	if (!data || !gelf_getshdr(image->last, &header))
		return NULL;
	header.sh_type = type;
	header.sh_name = image->names.len;
	out__mem(&image->names, name, strlen(name) + 1);
	return gelf_update_shdr(image->last, &header) ? data : NULL;
}

bool section_image__begin(struct section_image *image, struct elf_file *like)
{
	GElf_Ehdr old, header;

	*image = (struct section_image){ .fd = memfd_create("debug sections", MFD_CLOEXEC) };
	out__init(&image->names, -1);
	out__mem(&image->names, "", 1); /* no name */
	image->handle = image->fd < 0 ? NULL : elf_begin(image->fd, ELF_C_WRITE, NULL);
	image->failed = true;
	if (!image->handle || !gelf_getehdr(like->handle, &old) ||
	    !gelf_newehdr(image->handle, like->is64 ? ELFCLASS64 : ELFCLASS32) ||
	    !gelf_getehdr(image->handle, &header))
		return false;
	header.e_ident[EI_DATA] = old.e_ident[EI_DATA];
	header.e_type = old.e_type;
	header.e_machine = old.e_machine;
	header.e_version = EV_CURRENT;
	image->failed = !gelf_update_ehdr(image->handle, &header);
	return !image->failed;
}

bool section_image__add(struct section_image *image, const char *name, void *bytes, size_t size)
{
	image->failed |= !add(image, name, SHT_PROGBITS, bytes, size);
	return !image->failed;
}

bool section_image__append(struct section_image *image, void *bytes, size_t size)
{
	image->failed |= !append(image, bytes, size);
	return !image->failed;
}

/* The names of sections are the last one. */
static bool write_all(struct section_image *image)
{
	Elf_Data *data = add(image, ".shstrtab", SHT_STRTAB, NULL, 0);
	GElf_Ehdr header;

	if (!data || !gelf_getehdr(image->handle, &header))
		return false;
	data->d_buf = (char *)out__take(&image->names);
	data->d_size = image->names.len;
	header.e_shstrndx = elf_ndxscn(image->last);
	return gelf_update_ehdr(image->handle, &header) &&
	       elf_update(image->handle, ELF_C_WRITE) > 0;
}

int section_image__finish(struct section_image *image)
{
	bool made = !image->failed && write_all(image);
	int fd = image->fd;

	elf_end(image->handle);
	out__exit(&image->names);
	if (!made && fd >= 0)
		close(fd);
	return made ? fd : -1;
}
