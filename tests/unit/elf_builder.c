// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/elf_builder.h"

#include <endian.h>
#include <string.h>

enum {
	S_NULL,
	S_TEXT,
	S_NOTE,
	S_SYMBOLS,
	S_STRINGS,
	S_LINK,
	S_EXTRA,
	S_PLT,
	S_RELA,
	S_INDEXES,
	S_NAMES,
	S_NR
};

struct section_header {
	u32 name, type, link;
	u64 flags, addr, offset, size, entsize;
};

static void word(struct elf_builder *e, u64 value)
{
	if (e->is64)
		builder__u64(&e->image, value);
	else
		builder__u32(&e->image, value);
}

static u32 index_of(const struct elf_builder *e, u32 section)
{
	return section ? section + e->fillers : 0;
}

/* An index in 16 bits; what does not fit stands elsewhere. */
static u16 short_index(const struct elf_builder *e, u32 section)
{
	u32 index = index_of(e, section);

	return index < SHN_LORESERVE ? index : SHN_XINDEX;
}

static void put_symbol(struct builder *b, bool is64, u32 name, u8 info, u16 shndx, u64 value,
                       u64 size)
{
	builder__u32(b, name);
	if (!is64) {
		builder__u32(b, value);
		builder__u32(b, size);
	}
	builder__u8(b, info);
	builder__u8(b, 0);
	builder__u16(b, shndx);
	if (is64) {
		builder__u64(b, value);
		builder__u64(b, size);
	}
}

void elf_builder__symbol(struct elf_builder *e, const char *name, u8 bind, u8 type, u64 value,
                         u64 size)
{
	e->symbols.swap = e->swap;
	if (!e->nr_symbols++) {
		put_symbol(&e->symbols, e->is64, 0, 0, 0, 0, 0);
		builder__u8(&e->strings, 0);
	}
	put_symbol(&e->symbols, e->is64, e->strings.len, ELF64_ST_INFO(bind, type),
	           short_index(e, S_TEXT), ELF_TEXT_VADDR + value, size);
	builder__bytes(&e->strings, name, strlen(name) + 1);
}

static void pad(struct builder *b, size_t align)
{
	builder__zero(b, round_up_u64(b->len, align) - b->len);
}

static void header(struct elf_builder *e, u64 section_table)
{
	const u8 ident[16] = { 0x7f,
		               'E',
		               'L',
		               'F',
		               e->is64 ? ELFCLASS64 : ELFCLASS32,
		               (__BYTE_ORDER == __BIG_ENDIAN) != e->swap ? ELFDATA2MSB
		                                                         : ELFDATA2LSB,
		               EV_CURRENT };
	struct builder *b = &e->image;

	builder__bytes(b, ident, sizeof(ident));
	builder__u16(b, e->type ? e->type : ET_DYN);
	builder__u16(b, e->machine ? e->machine : e->is64 ? EM_X86_64 : EM_386);
	builder__u32(b, EV_CURRENT);
	word(e, 0);
	word(e, e->is64 ? 64 : 52);
	word(e, section_table);
	builder__u32(b, 0);
	builder__u16(b, e->is64 ? 64 : 52);
	builder__u16(b, e->is64 ? 56 : 32);
	builder__u16(b, 2);
	builder__u16(b, e->is64 ? 64 : 40);
	builder__u16(b, S_NR + e->fillers < SHN_LORESERVE ? S_NR + e->fillers : 0);
	builder__u16(b, short_index(e, S_NAMES));
}

static void program(struct elf_builder *e, u32 type, u32 flags, u64 offset, u64 vaddr, u64 size)
{
	builder__u32(&e->image, type);
	if (e->is64)
		builder__u32(&e->image, flags);
	word(e, offset);
	word(e, vaddr);
	word(e, vaddr);
	word(e, size);
	word(e, size);
	if (!e->is64)
		builder__u32(&e->image, flags);
	word(e, 4);
}

static void section(struct elf_builder *e, const struct section_header *s)
{
	builder__u32(&e->image, s->name);
	builder__u32(&e->image, s->type);
	word(e, s->flags);
	word(e, s->addr);
	word(e, s->offset);
	word(e, s->size);
	builder__u32(&e->image, s->link);
	builder__u32(&e->image, 0);
	word(e, 4);
	word(e, s->entsize);
}

/* Put the bytes of @from at the image's end as the content of section @s. */
static void content(struct elf_builder *e, struct section_header *s, const void *data, size_t len)
{
	pad(&e->image, 8);
	s->offset = e->image.len;
	s->size = len;
	builder__bytes(&e->image, data, len);
}

/* What `data` looks like in a compressed section: a header, and zlib's format without its art. */
static void pack(struct elf_builder *e, struct builder *out, const struct builder *data)
{
	u32 a = 1, b = 0;

	out->len = 0;
	builder__u32(out, ELFCOMPRESS_ZLIB);
	if (e->is64)
		builder__u32(out, 0);
	for (unsigned i = 0; i < 2; i++) { /* size, alignment */
		u64 value = i ? 8 : e->packed_claim ? e->packed_claim : data->len;

		if (e->is64)
			builder__u64(out, value);
		else
			builder__u32(out, value);
	}
	const u8 start[] = {
		0x78, 0x01, 1, data->len, data->len >> 8, ~data->len, ~data->len >> 8
	};

	builder__bytes(out, start, sizeof(start)); /* one last block, stored */
	builder__bytes(out, data->data, data->len);
	for (size_t i = 0; i < data->len; i++) {
		a = (a + data->data[i]) % 65521;
		b = (b + a) % 65521;
	}
	const u8 sum[] = { b >> 8, b, a >> 8, a };

	builder__bytes(out, sum, sizeof(sum));
}

static void symbols_and_strings(struct elf_builder *e, struct section_header *s)
{
	struct builder tmp = { .swap = e->swap }, first = e->symbols;
	size_t size = e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	if (e->dynamic_from) {
		first.len = (e->dynamic_from + 1) * size;
		builder__bytes(&e->extra, first.data, size);
		builder__bytes(&e->extra, first.data + first.len, e->symbols.len - first.len);
	}
	for (u32 i = 0; i < 2; i++) {
		const struct builder *data = i ? &e->strings : &first;

		if (e->packed) {
			pack(e, &tmp, data);
			data = &tmp;
		}
		content(e, &s[i ? S_STRINGS : S_SYMBOLS], data->data, data->len);
	}
	tmp.len = 0;
	for (u32 i = 0; i < e->nr_symbols + 1 && index_of(e, S_TEXT) >= SHN_LORESERVE; i++)
		builder__u32(&tmp, i ? index_of(e, S_TEXT) : 0);
	content(e, &s[S_INDEXES], tmp.data, tmp.len);
	builder__exit(&tmp);
}

static void contents(struct elf_builder *e, struct section_header *s, const char *names,
                     size_t names_len)
{
	struct builder tmp = { .swap = e->swap };

	builder__zero(&e->image, ELF_TEXT_OFFSET - e->image.len + ELF_TEXT_SIZE);
	s[S_TEXT].offset = ELF_TEXT_OFFSET;
	s[S_TEXT].size = ELF_TEXT_SIZE;
	if (e->build_id_size) {
		builder__u32(&tmp, 4);
		builder__u32(&tmp, e->build_id_size);
		builder__u32(&tmp, NT_GNU_BUILD_ID);
		builder__bytes(&tmp, "GNU", 4);
		builder__bytes(&tmp, e->build_id, e->build_id_size);
	}
	content(e, &s[S_NOTE], tmp.data, tmp.len);
	symbols_and_strings(e, s);
	tmp.len = 0;
	if (e->debuglink) {
		builder__bytes(&tmp, e->debuglink, strlen(e->debuglink) + 1);
		pad(&tmp, 4);
		builder__u32(&tmp, e->debuglink_crc);
	}
	content(e, &s[S_LINK], tmp.data, tmp.len);
	content(e, &s[S_EXTRA], e->extra.data, e->extra.len);
	s[S_PLT].offset = ELF_TEXT_OFFSET + ELF_PLT;
	s[S_PLT].size = e->plt ? 16 + 16 * (e->nr_symbols + 1) : 0;
	tmp.len = 0;
	for (u32 i = 0; e->plt && i <= e->nr_symbols; i++) {
		if (e->is64) {
			builder__u64(&tmp, 0);
			builder__u64(&tmp, (u64)i << 32 | 7);
			builder__u64(&tmp, 0);
		} else {
			builder__u32(&tmp, 0);
			builder__u32(&tmp, i << 8 | 7);
		}
	}
	content(e, &s[S_RELA], tmp.data, tmp.len);
	content(e, &s[S_NAMES], names, names_len);
	builder__exit(&tmp);
}

void elf_builder__build(struct elf_builder *e)
{
	struct section_header s[S_NR] = {
		[S_TEXT] = { .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR },
		[S_NOTE] = { .type = e->build_id_size ? SHT_NOTE : SHT_PROGBITS },
		[S_SYMBOLS] = { .type = e->no_symbols ? SHT_PROGBITS
		                        : e->dynsym   ? SHT_DYNSYM
		                                      : SHT_SYMTAB,
		                .link = index_of(e, S_STRINGS),
		                .flags = e->packed ? SHF_COMPRESSED : 0,
		                .entsize = e->is64 ? 24 : 16 },
		[S_STRINGS] = { .type = SHT_STRTAB, .flags = e->packed ? SHF_COMPRESSED : 0 },
		[S_LINK] = { .type = SHT_PROGBITS },
		[S_EXTRA] = { .type = e->dynamic_from ? SHT_DYNSYM : SHT_PROGBITS,
		              .link = e->dynamic_from ? index_of(e, S_STRINGS) : 0 },
		[S_PLT] = { .type = SHT_PROGBITS,
		            .flags = SHF_ALLOC | SHF_EXECINSTR,
		            .entsize = 16 },
		[S_RELA] = { .type = e->is64 ? SHT_RELA : SHT_REL,
		             .link = index_of(e, S_SYMBOLS),
		             .entsize = e->is64 ? 24 : 8 },
		[S_INDEXES] = { .type = SHT_SYMTAB_SHNDX,
		                .link = index_of(e, S_SYMBOLS),
		                .entsize = 4 },
		[S_NAMES] = { .type = SHT_STRTAB },
	};
	const char *const names[S_NR] = { "",
		                          e->text_name ? e->text_name : ".text",
		                          ".note.gnu.build-id",
		                          e->dynsym ? ".dynsym" : ".symtab",
		                          ".strtab",
		                          e->debuglink ? ".gnu_debuglink" : ".comment",
		                          e->extra_name ? e->extra_name : ".extra",
		                          e->plt ? ".plt" : ".none",
		                          e->is64 ? ".rela.plt" : ".rel.plt",
		                          ".symtab_shndx",
		                          ".shstrtab" };
	struct builder text = { .data = NULL };

	if (S_NR + e->fillers >= SHN_LORESERVE) {
		s[S_NULL].size = S_NR + e->fillers;
		s[S_NULL].link = index_of(e, S_NAMES);
	}
	for (u32 i = 0; i < S_NR; i++) {
		s[i].name = text.len;
		builder__bytes(&text, names[i], strlen(names[i]) + 1);
	}
	s[S_TEXT].addr = ELF_TEXT_VADDR;
	s[S_PLT].addr = ELF_TEXT_VADDR + ELF_PLT;
	/* Twice: the second time with the places that the first one found. */
	for (u64 pass = 0, table = 0; pass < 2; pass++) {
		e->image.len = 0;
		e->extra.len = e->dynamic_from ? 0 : e->extra.len;
		e->image.swap = e->swap;
		header(e, table);
		program(e, PT_LOAD, PF_R | PF_X, ELF_TEXT_OFFSET, ELF_TEXT_VADDR, ELF_TEXT_SIZE);
		program(e, PT_NOTE, PF_R, s[S_NOTE].offset, 0, s[S_NOTE].size);
		contents(e, s, (const char *)text.data, text.len);
		pad(&e->image, 8);
		table = e->image.len;
		for (u32 i = 0; i < S_NR; i++) {
			section(e, &s[i]);
			for (u32 filler = 0; !i && filler < e->fillers; filler++)
				section(e, &s[S_NULL]);
		}
	}
	builder__exit(&text);
}

void elf_builder__exit(struct elf_builder *e)
{
	builder__exit(&e->symbols);
	builder__exit(&e->strings);
	builder__exit(&e->extra);
	builder__exit(&e->image);
}
