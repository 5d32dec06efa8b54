// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/elf_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/elf/packed.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/file.h"

/* No real file has more; a larger count is damage, not a reason to allocate gigabytes. */
#define MAX_HEADERS (1u << 20)

/* libelf reads a section as a whole. A file with holes can claim any size at no cost. */
#define MAX_SECTION (1ull << 30)

/* zlib packs up to 1:1032; a symbol table that unpacks to more than this is an attack. */
#define MAX_UNPACKED (256ull << 20)

/* The largest kernel modules have 70 MB with their debug information. */
#define MAX_PACKED      (256ull << 20)
#define MAX_PACKED_FILE (1ull << 30) /* once it is unpacked */

static void start_libelf(void)
{
	elf_version(EV_CURRENT);
}

const GElf_Phdr *elf_file__segment(const struct elf_file *elf, u64 vaddr)
{
	for (u32 i = 0; i < elf->nr_programs; i++) {
		const GElf_Phdr *segment = &elf->programs[i];

		if (segment->p_type == PT_LOAD && vaddr - segment->p_vaddr < segment->p_filesz)
			return segment;
	}
	return NULL;
}

int elf_file__read(const struct elf_file *elf, u64 offset, void *buf, size_t len)
{
	if (offset > elf->size || len > elf->size - offset)
		return -EBADMSG;
	if (elf->fd < 0) {
		memcpy(buf, elf->image + offset, len);
		return 0;
	}
	int ret = file__read_at(elf->fd, buf, len, offset);

	return ret == -ENODATA ? -EBADMSG : ret; /* it has become shorter */
}

int elf_file__code(const struct elf_file *elf, u64 vaddr, u64 max, u8 **code, u64 *size)
{
	const GElf_Phdr *segment = elf_file__segment(elf, vaddr);
	u64 before = segment ? vaddr - segment->p_vaddr : 0;
	u64 offset = segment ? segment->p_offset + before : elf->size;

	*code = NULL;
	*size = 0;
	if (offset >= elf->size)
		return -ENODATA;
	*size = min_u64(max, min_u64(segment->p_filesz - before, elf->size - offset));
	*code = xmalloc(*size);
	int ret = elf_file__read(elf, offset, *code, *size);

	if (ret) {
		free(*code);
		*code = NULL;
		*size = 0;
	}
	return ret;
}

/*
 * The number of sections where it does not fit the header: the size of section 0. libelf (0.188)
 * makes room for that many, over 200 bytes for each, when it is opened; from a file with holes
 * that is as much memory as the file likes. So it is looked at before.
 */
static u64 large_section_count(const struct elf_file *elf, const void *header)
{
	const Elf64_Ehdr *h64 = header;
	const Elf32_Ehdr *h32 = header;
	u64 shoff =
	        elf->is64 ? load_u64(&h64->e_shoff, elf->swap) : load_u32(&h32->e_shoff, elf->swap);
	u8 size[8];

	if (!shoff || (elf->is64 ? h64->e_shnum : h32->e_shnum) ||
	    elf_file__read(elf,
	                   shoff + (elf->is64 ? offsetof(Elf64_Shdr, sh_size)
	                                      : offsetof(Elf32_Shdr, sh_size)),
	                   size, elf->is64 ? 8 : 4))
		return 0;
	return elf->is64 ? load_u64(size, elf->swap) : load_u32(size, elf->swap);
}

/* What must hold before libelf sees the file. */
static int check_header(struct elf_file *elf)
{
	u8 header[sizeof(Elf64_Ehdr)] = { 0 };

	if (elf->size < sizeof(Elf32_Ehdr))
		return -ENOEXEC;
	int ret = elf_file__read(elf, 0, header, min_u64(elf->size, sizeof(header)));

	if (ret)
		return ret;
	if (memcmp(header, ELFMAG, SELFMAG) ||
	    (header[EI_CLASS] != ELFCLASS32 && header[EI_CLASS] != ELFCLASS64) ||
	    (header[EI_DATA] != ELFDATA2LSB && header[EI_DATA] != ELFDATA2MSB))
		return -ENOEXEC;
	elf->is64 = header[EI_CLASS] == ELFCLASS64;
	elf->swap = (header[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER == __BIG_ENDIAN);
	return large_section_count(elf, header) > MAX_HEADERS ? -EBADMSG : 0;
}

static void load_programs(struct elf_file *elf, const GElf_Ehdr *header)
{
	size_t nr;

	/* libelf takes other entry sizes for its own, and so nonsense for headers. */
	if (header->e_phentsize != gelf_fsize(elf->handle, ELF_T_PHDR, 1, EV_CURRENT) ||
	    elf_getphdrnum(elf->handle, &nr) || !nr || nr > MAX_HEADERS)
		return;
	elf->programs = xcalloc(nr, sizeof(*elf->programs));
	for (u32 i = 0; i < nr; i++)
		if (!gelf_getphdr(elf->handle, i, &elf->programs[i]))
			return;
	elf->nr_programs = nr;
}

static int load(struct elf_file *elf)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	GElf_Ehdr header;
	size_t nr_sections;
	int ret = check_header(elf);

	if (ret)
		return ret;
	pthread_once(&once, start_libelf);
	elf->handle = elf->fd < 0 ? elf_memory((char *)elf->image, elf->size)
	                          : elf_begin(elf->fd, ELF_C_READ, NULL);
	if (!elf->handle || !gelf_getehdr(elf->handle, &header))
		return -EBADMSG;
	elf->type = header.e_type;
	elf->machine = header.e_machine;
	load_programs(elf, &header);
	if (header.e_shentsize != gelf_fsize(elf->handle, ELF_T_SHDR, 1, EV_CURRENT) ||
	    elf_getshdrnum(elf->handle, &nr_sections) || !nr_sections)
		elf->sections_read = true; /* there are none */
	if (elf->sections_read && !elf->nr_programs && (header.e_phnum || header.e_shoff))
		return -EBADMSG;
	return 0;
}

/* Go on with what is in the packed file, from memory. -ENOEXEC: it is not packed, or damaged. */
static int load_packed(struct elf_file *elf)
{
	u8 magic[PACKED_MAGIC_SIZE];
	size_t len;

	if (elf->size > MAX_PACKED || elf_file__read(elf, 0, magic, sizeof(magic)) ||
	    !packed__is(magic, sizeof(magic)))
		return -ENOEXEC;
	u8 *packed = xmalloc(elf->size);

	if (!elf_file__read(elf, 0, packed, elf->size))
		elf->unpacked = packed__unpack(packed, elf->size, MAX_PACKED_FILE, &len);
	free(packed);
	if (!elf->unpacked)
		return -ENOEXEC;
	close(elf->fd);
	elf->fd = -1;
	elf->image = elf->unpacked;
	elf->size = len;
	return load(elf);
}

int elf_file__open(struct elf_file *elf, const char *path)
{
	struct stat st;
	int ret;

	*elf = (struct elf_file){ .fd = -1 };
	int fd = file__open_plain(path);

	if (fd < 0)
		return fd == -EINVAL ? -ENOEXEC : fd;
	elf->fd = fd;
	if (fstat(fd, &st)) {
		ret = -errno;
	} else {
		elf->size = st.st_size;
		ret = load(elf);
		if (ret == -ENOEXEC)
			ret = load_packed(elf);
	}
	if (ret)
		elf_file__close(elf);
	return ret;
}

int elf_file__open_memory(struct elf_file *elf, const void *image, size_t size)
{
	*elf = (struct elf_file){ .fd = -1, .image = image, .size = size };
	int ret = load(elf);

	if (ret)
		elf_file__close(elf);
	return ret;
}

void elf_file__close(struct elf_file *elf)
{
	elf_end(elf->handle);
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->sections);
	free(elf->programs);
	free(elf->unpacked);
	if (elf->mapped)
		munmap(elf->mapped, elf->size);
	*elf = (struct elf_file){ .fd = -1 };
}

bool elf_file__map(struct elf_file *elf)
{
	struct elf_file image;

	if (elf->fd < 0 || !elf->size)
		return false;
	/* libelf writes to the headers when they change. */
	void *mapped = mmap(NULL, elf->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, elf->fd, 0);

	if (mapped == MAP_FAILED)
		return false;
	if (elf_file__open_memory(&image, mapped, elf->size)) {
		munmap(mapped, elf->size);
		return false;
	}
	elf_file__close(elf);
	*elf = image;
	elf->mapped = mapped;
	return true;
}

static void name_sections(struct elf_file *elf)
{
	size_t index;

	if (elf_getshdrstrndx(elf->handle, &index) || index >= elf->nr_sections)
		return;
	const Elf_Data *data = elf_file__data(elf, &elf->sections[index]);
	const char *names = data ? data->d_buf : NULL;
	/* Names that start before it have their zero. */
	const char *last = names ? memrchr(names, 0, data->d_size) : NULL;

	for (u32 i = 0; last && i < elf->nr_sections; i++)
		if (elf->sections[i].header.sh_name <= (size_t)(last - names))
			elf->sections[i].name = names + elf->sections[i].header.sh_name;
}

u64 elf_file__entry(const struct elf_file *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf->handle, &header) ? header.e_entry : 0;
}

u32 elf_file__sections(struct elf_file *elf)
{
	size_t nr;

	if (elf->sections_read || elf_getshdrnum(elf->handle, &nr) || nr > MAX_HEADERS)
		return elf->nr_sections;
	elf->sections_read = true;
	elf->sections = xcalloc(nr, sizeof(*elf->sections));
	for (u32 i = 0; i < nr; i++) {
		struct elf_section *s = &elf->sections[i];

		s->name = "";
		s->scn = elf_getscn(elf->handle, i);
		if (!s->scn || !gelf_getshdr(s->scn, &s->header))
			return 0;
	}
	elf->nr_sections = nr;
	name_sections(elf);
	return nr;
}

struct elf_section *elf_file__section(struct elf_file *elf, const char *name)
{
	u32 nr = elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++)
		if (!strcmp(elf->sections[i].name, name))
			return &elf->sections[i];
	return NULL;
}

struct elf_section *elf_file__section_of_type(struct elf_file *elf, u32 type)
{
	u32 nr = elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++)
		if (elf->sections[i].header.sh_type == type)
			return &elf->sections[i];
	return NULL;
}

static bool fits(const struct elf_file *elf, const GElf_Shdr *h)
{
	return h->sh_type != SHT_NOBITS && h->sh_size && h->sh_size <= MAX_SECTION &&
	       h->sh_offset <= elf->size && h->sh_size <= elf->size - h->sh_offset;
}

bool elf_file__holds(const struct elf_file *elf, const struct elf_section *section)
{
	return fits(elf, &section->header) && !(section->header.sh_flags & SHF_COMPRESSED);
}

static bool unpack(const struct elf_file *elf, const struct elf_section *section)
{
	GElf_Chdr packed;

	/* libelf changes the section's header: in an image that is not ours to write to. */
	return elf->fd >= 0 && gelf_getchdr(section->scn, &packed) &&
	       packed.ch_size <= MAX_UNPACKED && elf_compress(section->scn, 0, 0) >= 0;
}

Elf_Data *elf_file__data(struct elf_file *elf, struct elf_section *section)
{
	if (section->data || !fits(elf, &section->header))
		return section->data;
	if ((section->header.sh_flags & SHF_COMPRESSED) && !unpack(elf, section))
		return NULL;
	Elf_Data *data = elf_getdata(section->scn, NULL);

	if (data && data->d_buf && data->d_size)
		section->data = data;
	return section->data;
}

Elf_Data *elf_file__symbol_indexes(struct elf_file *elf, u32 table)
{
	for (u32 i = 0; i < elf->nr_sections; i++)
		if (elf->sections[i].header.sh_type == SHT_SYMTAB_SHNDX &&
		    elf->sections[i].header.sh_link == table)
			return elf_file__data(elf, &elf->sections[i]);
	return NULL;
}

const struct elf_section *elf_file__symbol(const struct elf_file *elf, Elf_Data *entries,
                                           Elf_Data *indexes, u32 i, GElf_Sym *symbol)
{
	Elf32_Word index = 0;

	if (!gelf_getsymshndx(entries, indexes, i, symbol, &index)) {
		*symbol = (GElf_Sym){ .st_shndx = SHN_UNDEF };
		return NULL;
	}
	if (symbol->st_shndx != SHN_XINDEX)
		index = symbol->st_shndx < SHN_LORESERVE ? symbol->st_shndx : SHN_UNDEF;
	return index != SHN_UNDEF && index < elf->nr_sections ? &elf->sections[index] : NULL;
}

static const u8 *padded(struct cursor *c, u32 size)
{
	const u8 *bytes = cursor__bytes(c, min_u64(round_up_u64(size, 4), cursor__left(c)));

	if (bytes && size > (u64)(c->pos - bytes))
		c->failed = true;
	return bytes;
}

bool elf_note__next(struct elf_note *note, struct cursor *c)
{
	if (cursor__left(c) < 12)
		return false;
	note->name_size = cursor__u32(c);
	note->desc_size = cursor__u32(c);
	note->type = cursor__u32(c);
	note->name = padded(c, note->name_size);
	note->desc = padded(c, note->desc_size);
	return !c->failed;
}
