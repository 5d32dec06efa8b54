// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbol/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"

/* No real file has more; a larger count is damage, not a reason to allocate gigabytes. */
#define MAX_HEADERS (1u << 20)

int elf_file__read(const struct elf_file *elf, u64 offset, void *buf, size_t len)
{
	if (offset > elf->size || len > elf->size - offset)
		return -EBADMSG;
	if (elf->fd < 0) {
		memcpy(buf, elf->image + offset, len);
		return 0;
	}
	for (size_t done = 0; done < len;) {
		ssize_t n = pread(elf->fd, (char *)buf + done, len - done, offset + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EBADMSG;
		done += n;
	}
	return 0;
}

static u64 cursor__word(struct cursor *c, bool is64)
{
	return is64 ? cursor__u64(c) : cursor__u32(c);
}

static void parse_section(const struct elf_file *elf, struct cursor *c, struct elf_section *s,
                          u32 *name)
{
	*name = cursor__u32(c);
	s->type = cursor__u32(c);
	s->flags = cursor__word(c, elf->is64);
	s->addr = cursor__word(c, elf->is64);
	s->offset = cursor__word(c, elf->is64);
	s->size = cursor__word(c, elf->is64);
	s->link = cursor__u32(c);
	s->info = cursor__u32(c);
	cursor__word(c, elf->is64); /* alignment */
	s->entsize = cursor__word(c, elf->is64);
	s->name = "";
}

static void parse_program(const struct elf_file *elf, struct cursor *c, struct elf_program *p)
{
	p->type = cursor__u32(c);
	if (elf->is64)
		p->flags = cursor__u32(c);
	p->offset = cursor__word(c, elf->is64);
	p->vaddr = cursor__word(c, elf->is64);
	cursor__word(c, elf->is64); /* physical address */
	p->filesz = cursor__word(c, elf->is64);
	p->memsz = cursor__word(c, elf->is64);
	if (!elf->is64)
		p->flags = cursor__u32(c);
}

/* A table of @nr headers of @entsize bytes, malloc'ed; NULL when it does not fit the file. */
static void *load_headers(const struct elf_file *elf, u64 offset, u32 nr, u16 entsize)
{
	size_t len = (size_t)nr * entsize;

	if (!nr || nr > MAX_HEADERS || offset > elf->size || len > elf->size - offset)
		return NULL;
	void *buf = xmalloc(len);

	if (!elf_file__read(elf, offset, buf, len))
		return buf;
	free(buf);
	return NULL;
}

static void name_sections(struct elf_file *elf, const u32 *names, u32 shstrndx)
{
	if (shstrndx >= elf->nr_sections)
		return;
	const struct elf_section *strings = &elf->sections[shstrndx];

	elf->section_names = elf_file__load(elf, strings);
	for (u32 i = 0; elf->section_names && i < elf->nr_sections; i++)
		if (names[i] < strings->size)
			elf->sections[i].name = elf->section_names + names[i];
}

static void load_sections(struct elf_file *elf, u64 offset, u32 nr, u16 entsize, u32 shstrndx)
{
	u8 *table = load_headers(elf, offset, nr, entsize);

	if (!table)
		return;
	u32 *names = xrealloc(NULL, nr, sizeof(*names));

	elf->sections = xcalloc(nr, sizeof(*elf->sections));
	elf->nr_sections = nr;
	for (u32 i = 0; i < nr; i++) {
		struct cursor c = cursor__make(table + (size_t)i * entsize, entsize, elf->swap);

		parse_section(elf, &c, &elf->sections[i], &names[i]);
	}
	name_sections(elf, names, shstrndx);
	free(names);
	free(table);
}

static void load_programs(struct elf_file *elf, u64 offset, u32 nr, u16 entsize)
{
	u8 *table = load_headers(elf, offset, nr, entsize);

	if (!table)
		return;
	elf->programs = xcalloc(nr, sizeof(*elf->programs));
	elf->nr_programs = nr;
	for (u32 i = 0; i < nr; i++) {
		struct cursor c = cursor__make(table + (size_t)i * entsize, entsize, elf->swap);

		parse_program(elf, &c, &elf->programs[i]);
	}
	free(table);
}

/* Counts too large for 16 bits live in section 0: its size, link and info. */
static void large_counts(const struct elf_file *elf, u64 shoff, u16 shentsize, u32 *shnum,
                         u32 *shstrndx, u32 *phnum)
{
	u8 *first = load_headers(elf, shoff, 1, shentsize);
	struct elf_section zero;
	u32 name;

	if (!first)
		return;
	struct cursor c = cursor__make(first, shentsize, elf->swap);

	parse_section(elf, &c, &zero, &name);
	free(first);
	if (c.failed)
		return;
	if (*shnum == 0)
		*shnum = zero.size > MAX_HEADERS ? 0 : zero.size;
	if (*shstrndx == SHN_XINDEX)
		*shstrndx = zero.link;
	if (*phnum == PN_XNUM)
		*phnum = zero.info;
}

static int load(struct elf_file *elf)
{
	u8 header[sizeof(Elf64_Ehdr)];
	size_t len = sizeof(header);

	if (elf->size < sizeof(Elf32_Ehdr))
		return -ENOEXEC;
	if (elf->size < len)
		len = sizeof(Elf32_Ehdr);
	int ret = elf_file__read(elf, 0, header, len);

	if (ret)
		return ret;
	if (memcmp(header, ELFMAG, SELFMAG) ||
	    (header[EI_CLASS] != ELFCLASS32 && header[EI_CLASS] != ELFCLASS64) ||
	    (header[EI_DATA] != ELFDATA2LSB && header[EI_DATA] != ELFDATA2MSB))
		return -ENOEXEC;
	elf->is64 = header[EI_CLASS] == ELFCLASS64;
	elf->swap = (header[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER == __BIG_ENDIAN);
	struct cursor c = cursor__make(header + EI_NIDENT, len - EI_NIDENT, elf->swap);

	elf->type = cursor__u16(&c);
	elf->machine = cursor__u16(&c);
	cursor__u32(&c);             /* version */
	cursor__word(&c, elf->is64); /* entry */
	u64 phoff = cursor__word(&c, elf->is64);
	u64 shoff = cursor__word(&c, elf->is64);

	cursor__u32(&c); /* flags */
	cursor__u16(&c); /* header size */
	u16 phentsize = cursor__u16(&c);
	u32 phnum = cursor__u16(&c);
	u16 shentsize = cursor__u16(&c);
	u32 shnum = cursor__u16(&c);
	u32 shstrndx = cursor__u16(&c);

	if (c.failed)
		return -EBADMSG;
	if (shoff && (shnum == 0 || shstrndx == SHN_XINDEX || phnum == PN_XNUM))
		large_counts(elf, shoff, shentsize, &shnum, &shstrndx, &phnum);
	if (phentsize >= (elf->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		load_programs(elf, phoff, phnum, phentsize);
	if (shoff && shentsize >= (elf->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		load_sections(elf, shoff, shnum, shentsize, shstrndx);
	if ((phnum && !elf->programs) && (shnum && !elf->sections))
		return -EBADMSG;
	return 0;
}

int elf_file__open(struct elf_file *elf, const char *path)
{
	struct stat st;
	int ret;

	*elf = (struct elf_file){ .fd = -1 };
	/* A name from a file may be a FIFO or a device: opening must not wait. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -errno;
	elf->fd = fd;
	if (fstat(fd, &st))
		ret = -errno;
	else if (!S_ISREG(st.st_mode))
		ret = -ENOEXEC;
	else {
		elf->size = st.st_size;
		ret = load(elf);
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
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->sections);
	free(elf->programs);
	free(elf->section_names);
	*elf = (struct elf_file){ .fd = -1 };
}

const struct elf_section *elf_file__section(const struct elf_file *elf, const char *name)
{
	for (u32 i = 0; i < elf->nr_sections; i++)
		if (!strcmp(elf->sections[i].name, name))
			return &elf->sections[i];
	return NULL;
}

const struct elf_section *elf_file__section_of_type(const struct elf_file *elf, u32 type)
{
	for (u32 i = 0; i < elf->nr_sections; i++)
		if (elf->sections[i].type == type)
			return &elf->sections[i];
	return NULL;
}

void *elf_file__load(const struct elf_file *elf, const struct elf_section *section)
{
	if (section->type == SHT_NOBITS || (section->flags & SHF_COMPRESSED) || !section->size ||
	    section->offset > elf->size || section->size > elf->size - section->offset)
		return NULL;
	char *data = xmalloc(section->size + 1);

	data[section->size] = '\0';
	if (!elf_file__read(elf, section->offset, data, section->size))
		return data;
	free(data);
	return NULL;
}

size_t elf_file__symbol_size(const struct elf_file *elf)
{
	return elf->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

void elf_file__symbol(const struct elf_file *elf, const void *entry, struct elf_symbol *symbol)
{
	if (elf->is64) {
		Elf64_Sym s;

		memcpy(&s, entry, sizeof(s));
		*symbol = (struct elf_symbol){ .name = load_u32(&s.st_name, elf->swap),
			                       .info = s.st_info,
			                       .other = s.st_other,
			                       .shndx = load_u16(&s.st_shndx, elf->swap),
			                       .value = load_u64(&s.st_value, elf->swap),
			                       .size = load_u64(&s.st_size, elf->swap) };
	} else {
		Elf32_Sym s;

		memcpy(&s, entry, sizeof(s));
		*symbol = (struct elf_symbol){ .name = load_u32(&s.st_name, elf->swap),
			                       .info = s.st_info,
			                       .other = s.st_other,
			                       .shndx = load_u16(&s.st_shndx, elf->swap),
			                       .value = load_u32(&s.st_value, elf->swap),
			                       .size = load_u32(&s.st_size, elf->swap) };
	}
}
