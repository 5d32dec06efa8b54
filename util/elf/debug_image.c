// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/debug_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/text.h"

#define PACKED_BY_ZSTD 2 /* ELFCOMPRESS_ZSTD, not in the elf.h of glibc 2.36 */

static bool is_packed(const struct elf_section *section)
{
	GElf_Chdr packed;

	return text__starts_with(section->name, ".debug_") &&
	       section->header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section->scn, &packed) &&
	       packed.ch_type == PACKED_BY_ZSTD;
}

bool debug_image__wanted(struct elf_file *elf)
{
	u32 nr = elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++)
		if (is_packed(&elf->sections[i]))
			return true;
	return false;
}

#ifdef HAVE_ZSTD
/* The sections as they are written: what was unpacked here is freed. */
struct image {
	Elf *handle;
	u8 **unpacked; /* by section of the object */
	struct out names;
	u64 size;
};

static u8 *unpack(const struct elf_file *elf, const struct elf_section *section, size_t *size)
{
	size_t header = gelf_fsize(elf->handle, ELF_T_CHDR, 1, EV_CURRENT);
	const Elf_Data *data = elf_rawdata(section->scn, NULL);
	GElf_Chdr packed;

	if (!data || data->d_size < header || !gelf_getchdr(section->scn, &packed))
		return NULL;
	u8 *bytes = malloc(packed.ch_size + 1);

	*size = bytes ? ZSTD_decompress(bytes, packed.ch_size, (u8 *)data->d_buf + header,
	                                data->d_size - header)
	              : 0;
	if (bytes && (ZSTD_isError(*size) || *size != packed.ch_size)) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

static Elf_Scn *add_section(struct image *image, const char *name, u32 type, void *bytes,
                            size_t size)
{
	Elf_Scn *scn = elf_newscn(image->handle);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr header;

	if (!data || !gelf_getshdr(scn, &header))
		return NULL;
	*data = (Elf_Data){ .d_buf = bytes, .d_size = size, .d_align = 1, .d_version = EV_CURRENT };
	header.sh_type = type;
	header.sh_name = image->names.len;
	out__mem(&image->names, name, strlen(name) + 1);
	return gelf_update_shdr(scn, &header) ? scn : NULL;
}

static bool copy_section(struct image *image, struct elf_file *elf, u32 index)
{
	struct elf_section *section = &elf->sections[index];
	Elf_Data *data = NULL;
	GElf_Shdr header;
	size_t size = 0;
	void *bytes;

	if (!text__starts_with(section->name, ".debug_") || !gelf_getshdr(section->scn, &header) ||
	    header.sh_type == SHT_NOBITS || !header.sh_size)
		return true;
	if (is_packed(section)) {
		bytes = image->unpacked[index] = unpack(elf, section, &size);
	} else {
		data = elf_file__data(elf, section);
		bytes = data ? data->d_buf : NULL;
		size = data ? data->d_size : 0;
	}
	image->size += size;
	return bytes && image->size <= DEBUG_IMAGE_MAX &&
	       add_section(image, section->name, SHT_PROGBITS, bytes, size);
}

/* The names of sections are the last one. */
static bool fill(struct image *image, struct elf_file *elf)
{
	GElf_Ehdr old, header;

	if (!gelf_getehdr(elf->handle, &old) ||
	    !gelf_newehdr(image->handle, elf->is64 ? ELFCLASS64 : ELFCLASS32) ||
	    !gelf_getehdr(image->handle, &header))
		return false;
	for (u32 i = 1; i < elf->nr_sections; i++)
		if (!copy_section(image, elf, i))
			return false;
	header.e_ident[EI_DATA] = old.e_ident[EI_DATA];
	header.e_type = old.e_type;
	header.e_machine = old.e_machine;
	header.e_version = EV_CURRENT;
	Elf_Scn *names = add_section(image, ".shstrtab", SHT_STRTAB, NULL, 0);
	Elf_Data *data = names ? elf_getdata(names, NULL) : NULL;

	if (!data)
		return false;
	data->d_buf = (char *)out__take(&image->names);
	data->d_size = image->names.len;
	header.e_shstrndx = elf_ndxscn(names);
	return gelf_update_ehdr(image->handle, &header) &&
	       elf_update(image->handle, ELF_C_WRITE) > 0;
}

static bool make(struct elf_file *elf, int fd)
{
	struct image image = {
		.handle = elf_begin(fd, ELF_C_WRITE, NULL),
		.unpacked = xcalloc(elf->nr_sections, sizeof(*image.unpacked)),
	};

	out__init(&image.names, -1);
	out__mem(&image.names, "", 1); /* no name */
	bool made = image.handle && fill(&image, elf);

	elf_end(image.handle);
	for (u32 i = 0; i < elf->nr_sections; i++)
		free(image.unpacked[i]);
	free(image.unpacked);
	out__exit(&image.names);
	return made;
}

bool debug_image__replace(struct elf_file *elf)
{
	int fd = memfd_create("debug sections", MFD_CLOEXEC);
	char path[32];
	struct elf_file image;

	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	bool made = make(elf, fd) && !elf_file__open(&image, path);

	close(fd);
	if (!made)
		return false;
	elf_file__close(elf);
	*elf = image;
	return true;
}
#else
bool debug_image__replace(struct elf_file *elf)
{
	(void)elf;
	return false;
}
#endif
