// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/relocatable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define MAX_RELOCATIONS (1ull << 30) /* bytes, of all sections together */
#define MAX_ALIGN       (1u << 16)
#define BATCH           4096u /* relocations read at a time */

/* ---- addresses ---- */

static bool is_code(const struct elf_section *section)
{
	const u64 flags = SHF_ALLOC | SHF_EXECINSTR;

	return (section->header.sh_flags & flags) == flags &&
	       !text__starts_with(section->name, ".init");
}

void relocatable__set_addresses(struct elf_file *elf, u64 start)
{
	u32 nr = elf->type == ET_REL ? elf_file__sections(elf) : 0;
	u64 offset = 0;

	for (u32 i = 0; i < nr; i++)
		elf->sections[i].header.sh_addr = 0;
	for (u32 i = 0; i < nr; i++) {
		GElf_Shdr *header = &elf->sections[i].header;

		if (!is_code(&elf->sections[i]))
			continue;
		if (header->sh_addralign > MAX_ALIGN || header->sh_size > UINT32_MAX)
			return;
		offset = round_up_u64(offset, max_u64(header->sh_addralign, 1));
		if (start > UINT64_MAX - offset - header->sh_size)
			return;
		header->sh_addr = start + offset;
		offset += header->sh_size;
	}
}

bool relocatable__has_address(const struct elf_file *elf, const struct elf_section *section)
{
	return elf->type != ET_REL || section->header.sh_addr;
}

/* ---- relocations ---- */

/* The sections that libdw is made to read. */
static bool is_used(const char *name)
{
	static const char *const used[] = { "info",     "types", "line",       "ranges",
		                            "rnglists", "addr",  "str_offsets" };

	if (!text__starts_with(name, ".debug_"))
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(used); i++)
		if (!strcmp(name + strlen(".debug_"), used[i]))
			return true;
	return false;
}

struct relocator {
	struct elf_file *elf;
	const struct arch *arch;
	bool big; /* byte order of the file */
	Elf_Data *symbols, *indexes;
	u64 last, last_value; /* of a symbol: most are one section's */
	u8 *data;             /* to be relocated */
	u64 size;
	u64 budget; /* bytes of relocations that may be read yet */
};

struct relocation {
	u64 offset, symbol, addend;
	u32 type;
};

static u64 get(const struct relocator *r, const u8 *at, u32 size)
{
	u64 value = 0;

	for (u32 i = 0; i < size; i++)
		value |= (u64)at[r->big ? size - 1 - i : i] << 8 * i;
	return value;
}

static void put(const struct relocator *r, u8 *at, u32 size, u64 value)
{
	for (u32 i = 0; i < size; i++)
		at[r->big ? size - 1 - i : i] = value >> 8 * i;
}

static u64 value_of_symbol(struct relocator *r, u64 index)
{
	GElf_Sym symbol;

	if (index == r->last)
		return r->last_value;
	const struct elf_section *section = elf_file__symbol(r->elf, r->symbols, r->indexes,
	                                                     min_u64(index, INT32_MAX), &symbol);

	r->last = index;
	r->last_value = symbol.st_value + (section ? section->header.sh_addr : 0);
	return r->last_value;
}

static const struct relocation_type *type_of(const struct relocation_type *types, u32 nr, u32 type)
{
	for (u32 i = 0; i < nr; i++)
		if (types[i].type == type)
			return &types[i];
	return NULL;
}

static u64 changed(enum relocation_kind kind, u64 before, u64 value)
{
	switch (kind) {
	case RELOCATE_NOTHING:
	case RELOCATE_PART:
		break;
	case RELOCATE_SET:
	case RELOCATE_DISTANCE:
		return value;
	case RELOCATE_BRANCH26:
		return (before & ~0x3ffffffull) | (value >> 2 & 0x3ffffff);
	case RELOCATE_ADD:
		return before + value;
	case RELOCATE_SUB:
		return before - value;
	case RELOCATE_SET6:
		return (before & ~0x3full) | (value & 0x3f);
	case RELOCATE_SUB6:
		return (before & ~0x3full) | ((before - value) & 0x3f);
	}
	return before;
}

/* A number of seven bits in a byte, which keeps its length. */
static bool apply_leb128(struct relocator *r, enum relocation_kind kind, u64 offset, u64 value)
{
	u64 before = 0;
	u32 len = 0;

	do {
		if (offset + len >= r->size || len >= 9)
			return false;
		before |= (u64)(r->data[offset + len] & 0x7f) << 7 * len;
	} while (r->data[offset + len++] & 0x80);
	value = changed(kind, before, value);
	for (u32 i = 0; i < len; i++)
		r->data[offset + i] = (r->data[offset + i] & 0x80) | (value >> 7 * i & 0x7f);
	return true;
}

static int apply_one(struct relocator *r, const struct relocation *relocation)
{
	const struct relocation_type *type =
	        type_of(r->arch->relocations, r->arch->nr_relocations, relocation->type);

	if (!type)
		return -ENOEXEC;
	if (type->kind == RELOCATE_NOTHING)
		return 0;
	if (relocation->offset >= r->size || type->size > r->size - relocation->offset)
		return -EBADMSG;
	u64 value = value_of_symbol(r, relocation->symbol) + relocation->addend;
	u8 *at = r->data + relocation->offset;

	if (!type->size)
		return apply_leb128(r, type->kind, relocation->offset, value) ? 0 : -EBADMSG;
	put(r, at, type->size, changed(type->kind, get(r, at, type->size), value));
	return 0;
}

static void decode(const struct relocator *r, const u8 *entry, struct relocation *relocation)
{
	u32 word = r->elf->is64 ? 8 : 4;
	u64 info = get(r, entry + word, word);

	relocation->offset = get(r, entry, word);
	relocation->addend = get(r, entry + 2 * word, word);
	relocation->symbol = r->elf->is64 ? info >> 32 : info >> 8;
	relocation->type = r->elf->is64 ? (u32)info : info & 0xff;
}

/* Read the relocations of section @from, and @apply each. */
static int apply_all(struct relocator *r, const GElf_Shdr *from,
                     int (*apply)(struct relocator *, const struct relocation *))
{
	u32 entry = r->elf->is64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	u64 end = from->sh_offset + from->sh_size / entry * entry;
	u8 *buf = xmalloc(BATCH * entry);
	int ret = 0;

	for (u64 offset = from->sh_offset; offset < end && !ret;) {
		u32 size = min_u64(BATCH * entry, end - offset);

		ret = elf_file__read(r->elf, offset, buf, size);
		for (u32 i = 0; i < size && !ret; i += entry) {
			struct relocation relocation;

			decode(r, buf + i, &relocation);
			ret = apply(r, &relocation);
		}
		offset += size;
	}
	free(buf);
	return ret;
}

/* The contents of the section that is relocated; unpacked for good when they were packed. */
static bool take_contents(struct relocator *r, const struct elf_section *section)
{
	GElf_Shdr header;
	Elf_Data *data = NULL;

	if (gelf_getshdr(section->scn, &header) &&
	    (!(header.sh_flags & SHF_COMPRESSED) || elf_compress(section->scn, 0, 0) >= 0))
		data = elf_rawdata(section->scn, NULL);
	r->data = data ? data->d_buf : NULL;
	r->size = data && data->d_buf ? data->d_size : 0;
	return data;
}

static bool take_symbols(struct relocator *r, u32 index)
{
	struct elf_file *elf = r->elf;

	if (index >= elf->nr_sections || elf->sections[index].header.sh_type != SHT_SYMTAB)
		return false;
	r->symbols = elf_file__data(elf, &elf->sections[index]);
	r->indexes = elf_file__symbol_indexes(elf, index);
	r->last = UINT64_MAX;
	return r->symbols && r->symbols->d_type == ELF_T_SYM;
}

static int relocate(struct relocator *r, const struct elf_section *relocations)
{
	const GElf_Shdr *header = &relocations->header;

	if (header->sh_size > r->budget)
		return -EFBIG;
	r->budget -= header->sh_size;
	if (!elf_file__holds(r->elf, relocations) || !take_symbols(r, header->sh_link) ||
	    !take_contents(r, &r->elf->sections[header->sh_info]))
		return -EBADMSG;
	return apply_all(r, header, apply_one);
}

static struct relocator relocator_of(struct elf_file *elf)
{
	return (struct relocator){
		.elf = elf,
		.arch = arch__of_object(elf->machine),
		.big = elf->swap == (__BYTE_ORDER == __LITTLE_ENDIAN),
		.budget = MAX_RELOCATIONS,
	};
}

int relocatable__apply(struct elf_file *elf)
{
	struct relocator r = relocator_of(elf);
	u32 nr = elf_file__sections(elf);
	int ret = 0;

	for (u32 i = 0; i < nr && !ret; i++) {
		const GElf_Shdr *header = &elf->sections[i].header;

		if ((header->sh_type != SHT_RELA && header->sh_type != SHT_REL) ||
		    header->sh_info >= nr || !is_used(elf->sections[header->sh_info].name))
			continue;
		/* No machine of ours keeps addends in place. */
		ret = header->sh_type == SHT_RELA ? relocate(&r, &elf->sections[i]) : -ENOEXEC;
	}
	return ret;
}

/* ---- code ---- */

/* Bytes of code that could not be relocated. */
struct place {
	u64 addr, symbol;
	s64 addend;
	bool distance; /* counted from the end of the instruction, in effect */
};

struct relocated_code {
	struct relocator relocator; /* first; its data are the code's bytes */
	u64 section, start;         /* addresses: of the section, of the bytes */
	struct place *places;       /* by address */
	u32 nr;
	size_t cap;
};

static bool has_address(const struct relocator *r, u64 index)
{
	GElf_Sym symbol;
	const struct elf_section *section = elf_file__symbol(r->elf, r->symbols, r->indexes,
	                                                     min_u64(index, INT32_MAX), &symbol);

	return section ? relocatable__has_address(r->elf, section) : symbol.st_shndx == SHN_ABS;
}

static void add_place(struct relocated_code *code, const struct place *place)
{
	array__reserve(&code->places, &code->cap, code->nr + 1ul, sizeof(*code->places));
	code->places[code->nr++] = *place;
}

/* The relocations are those of a whole section: most are of other functions. */
static int apply_to_code(struct relocator *r, const struct relocation *relocation)
{
	struct relocated_code *code = (struct relocated_code *)r;
	const struct relocation_type *type =
	        type_of(r->arch->code_relocations, r->arch->nr_code_relocations, relocation->type);
	u64 addr = code->section + relocation->offset, at = addr - code->start;

	if (!type || at >= r->size || type->size > r->size - at)
		return 0;
	bool distance = type->kind == RELOCATE_DISTANCE || type->kind == RELOCATE_BRANCH26;

	if (type->kind == RELOCATE_PART || !has_address(r, relocation->symbol)) {
		add_place(code, &(struct place){ addr, relocation->symbol, (s64)relocation->addend,
		                                 type->kind == RELOCATE_DISTANCE });
		return 0;
	}
	u64 value =
	        value_of_symbol(r, relocation->symbol) + relocation->addend - (distance ? addr : 0);

	put(r, r->data + at, type->size,
	    changed(type->kind, get(r, r->data + at, type->size), value));
	return 0;
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

struct relocated_code *relocated_code__new(struct elf_file *elf, const struct elf_section *section,
                                           u64 start, u8 *bytes, u64 size)
{
	struct relocated_code *code = xcalloc(1, sizeof(*code));
	struct relocator *r = &code->relocator;
	u32 nr = elf_file__sections(elf);

	*r = relocator_of(elf);
	r->data = bytes;
	r->size = size;
	code->start = start;
	code->section = section->header.sh_addr;
	for (u32 i = 0; i < nr; i++) {
		const struct elf_section *from = &elf->sections[i];

		if (from->header.sh_type == SHT_RELA && from->header.sh_info < nr &&
		    &elf->sections[from->header.sh_info] == section &&
		    from->header.sh_size <= r->budget && elf_file__holds(elf, from) &&
		    take_symbols(r, from->header.sh_link))
			apply_all(r, &from->header, apply_to_code);
	}
	if (code->nr)
		qsort(code->places, code->nr, sizeof(*code->places), compare_places);
	return code;
}

void relocated_code__delete(struct relocated_code *code)
{
	if (!code)
		return;
	free(code->places);
	free(code);
}

static const struct place *place_in(const struct relocated_code *code, u64 addr, u32 size)
{
	u32 from = 0, to = code->nr;

	while (from < to) { /* the first from @addr on */
		u32 middle = from + (to - from) / 2;

		if (code->places[middle].addr < addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from < code->nr && code->places[from].addr - addr < size ? &code->places[from]
	                                                                : NULL;
}

static const char *symbol_name(const struct relocator *r, const GElf_Sym *symbol)
{
	GElf_Shdr header;
	Elf_Scn *table = NULL;

	while ((table = elf_nextscn(r->elf->handle, table)))
		if (gelf_getshdr(table, &header) && header.sh_type == SHT_SYMTAB)
			break;
	const char *name =
	        table ? elf_strptr(r->elf->handle, header.sh_link, symbol->st_name) : NULL;

	return name && *name ? name : NULL;
}

/* The symbol that covers the byte @offset of @section, in place of the section's own. */
static const char *name_in_section(const struct relocator *r, const struct elf_section *section,
                                   s64 *offset)
{
	u64 nr = r->symbols->d_size / gelf_fsize(r->elf->handle, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Sym symbol;

	for (u32 i = 1; i < min_u64(nr, INT32_MAX); i++) {
		if (elf_file__symbol(r->elf, r->symbols, r->indexes, i, &symbol) != section ||
		    GELF_ST_TYPE(symbol.st_info) == STT_SECTION || *offset < 0 ||
		    (u64)*offset - symbol.st_value >= symbol.st_size)
			continue;
		*offset -= (s64)symbol.st_value;
		return symbol_name(r, &symbol);
	}
	return section->name;
}

const char *relocated_code__name(struct relocated_code *code, u64 addr, u32 size, s64 *offset)
{
	const struct place *place = place_in(code, addr, size);
	const struct relocator *r = &code->relocator;
	GElf_Sym symbol;

	if (!place)
		return NULL;
	const struct elf_section *section = elf_file__symbol(
	        r->elf, r->symbols, r->indexes, min_u64(place->symbol, INT32_MAX), &symbol);

	*offset = place->addend + (place->distance ? (s64)(addr + size - place->addr) : 0);
	if (section && GELF_ST_TYPE(symbol.st_info) == STT_SECTION)
		return name_in_section(r, section, offset);
	return symbol_name(r, &symbol);
}
