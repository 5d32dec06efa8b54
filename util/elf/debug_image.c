// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/debug_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/elf/section_image.h"
#include "util/lib/alloc.h"
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
	struct section_image sections;
	u8 **unpacked; /* by section of the object */
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
	       section_image__add(&image->sections, section->name, bytes, size);
}

static bool copy_all(struct image *image, struct elf_file *elf)
{
	if (!section_image__begin(&image->sections, elf))
		return false;
	for (u32 i = 1; i < elf->nr_sections; i++)
		if (!copy_section(image, elf, i))
			return false;
	return true;
}

/* The descriptor of the new file, or -1. */
static int make(struct elf_file *elf)
{
	struct image image = { .unpacked = xcalloc(elf->nr_sections, sizeof(*image.unpacked)) };
	bool copied = copy_all(&image, elf);
	int fd = section_image__finish(&image.sections);

	for (u32 i = 0; i < elf->nr_sections; i++)
		free(image.unpacked[i]);
	free(image.unpacked);
	if (fd >= 0 && !copied) {
		close(fd);
		return -1;
	}
	return fd;
}

bool debug_image__replace(struct elf_file *elf)
{
	int fd = make(elf);
	char path[32];
	struct elf_file image;

	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	bool made = !elf_file__open(&image, path);

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
