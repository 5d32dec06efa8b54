// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file is written section by section, without libelf: the code must have a fixed offset, and
 * nothing is left for libelf to work out.
 */
#include "util/jit/jit_elf.h"

#include <elf.h>
#include <string.h>

#include "util/lib/hash.h"

enum { NR_SECTIONS = 11 };

struct image {
	struct out *out;
	struct out names; /* of sections */
	Elf64_Shdr headers[NR_SECTIONS];
	u32 nr;
};

static void align(struct out *out, u32 to)
{
	while (out->len % to)
		out__char(out, 0);
}

/* Append a section. Returns its header, to be completed. */
static Elf64_Shdr *add(struct image *x, const char *name, u32 type, const void *data, size_t size,
                       u32 alignment)
{
	Elf64_Shdr *h = &x->headers[x->nr++];

	align(x->out, alignment);
	*h = (Elf64_Shdr){ .sh_name = x->names.len,
		           .sh_type = type,
		           .sh_offset = x->out->len,
		           .sh_size = size,
		           .sh_addralign = alignment };
	out__mem(&x->names, name, strlen(name) + 1);
	out__mem(x->out, data, size);
	return h;
}

/* In memory at run time, too: its address is its place. */
static void load_it(Elf64_Shdr *h, u64 flags)
{
	h->sh_flags = SHF_ALLOC | flags;
	h->sh_addr = h->sh_offset;
}

static void make_id(const struct jitdump_code *code, struct build_id *id)
{
	u64 name = hash__bytes(code->name, strlen(code->name));
	u64 text = hash__bytes(code->code, code->size);
	u64 parts[3] = { hash__add(name, text), hash__add(text, code->addr), 0 };

	parts[2] = hash__add(parts[0] ^ code->size, parts[1] + code->index);
	id->size = sizeof(id->data);
	memcpy(id->data, parts, sizeof(id->data));
}

static void add_symbols(struct image *x, const struct jitdump_code *code, u16 text)
{
	size_t len = strlen(code->name);
	Elf64_Sym symbols[2] = { { 0 },
		                 { .st_name = 1,
		                   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		                   .st_shndx = text,
		                   .st_value = JIT_ELF_TEXT,
		                   .st_size = code->size } };
	Elf64_Shdr *table = add(x, ".symtab", SHT_SYMTAB, symbols, sizeof(symbols), 8);

	table->sh_entsize = sizeof(symbols[0]);
	table->sh_link = x->nr; /* the strings, which come next */
	table->sh_info = 1;     /* the first that is not local */
	add(x, ".strtab", SHT_STRTAB, "", 1, 1)->sh_size += len + 1;
	out__mem(x->out, code->name, len + 1);
}

static void add_note(struct image *x, const struct build_id *id)
{
	struct {
		Elf64_Nhdr header;
		char owner[4];
		u8 id[20];
	} note = { { 4, sizeof(note.id), NT_GNU_BUILD_ID }, "GNU", { 0 } };

	memcpy(note.id, id->data, sizeof(note.id));
	load_it(add(x, ".note.gnu.build-id", SHT_NOTE, &note, sizeof(note), 4), 0);
}

static void add_unwinding(struct image *x, const struct jitdump_code *code)
{
	u64 frame = code->unwind_size - code->eh_header_size;

	if (!code->unwind_size)
		return;
	load_it(add(x, ".eh_frame", SHT_PROGBITS, code->unwind, frame, 8), 0);
	if (code->eh_header_size)
		load_it(add(x, ".eh_frame_hdr", SHT_PROGBITS, code->unwind + frame,
		            code->eh_header_size, 4),
		        0);
}

static void add_lines(struct image *x, const struct jitdump_code *code)
{
	struct jit_debug debug;

	jit_debug__make(&debug, code);
	if (debug.line.len) {
		add(x, ".debug_line", SHT_PROGBITS, debug.line.buf, debug.line.len, 1);
		add(x, ".debug_info", SHT_PROGBITS, debug.info.buf, debug.info.len, 1);
		add(x, ".debug_abbrev", SHT_PROGBITS, debug.abbrev.buf, debug.abbrev.len, 1);
	}
	jit_debug__exit(&debug);
}

static void write_header(struct image *x, u32 machine, const struct jitdump_code *code, u64 table)
{
	Elf64_Ehdr header = { .e_type = ET_DYN,
		              .e_machine = machine,
		              .e_version = EV_CURRENT,
		              .e_entry = JIT_ELF_TEXT,
		              .e_phoff = sizeof(header),
		              .e_shoff = table,
		              .e_ehsize = sizeof(header),
		              .e_phentsize = sizeof(Elf64_Phdr),
		              .e_phnum = 1,
		              .e_shentsize = sizeof(Elf64_Shdr),
		              .e_shnum = x->nr,
		              .e_shstrndx = x->nr - 1 };
	Elf64_Phdr program = { .p_type = PT_LOAD,
		               .p_flags = PF_R | PF_X,
		               .p_offset = JIT_ELF_TEXT,
		               .p_vaddr = JIT_ELF_TEXT,
		               .p_paddr = JIT_ELF_TEXT,
		               .p_filesz = code->size,
		               .p_memsz = code->size,
		               .p_align = 8 };

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] =
	        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	memcpy(x->out->buf, &header, sizeof(header));
	memcpy(x->out->buf + sizeof(header), &program, sizeof(program));
}

void jit_elf__make(struct out *out, u32 machine, const struct jitdump_code *code,
                   struct build_id *id)
{
	struct image x = { .out = out, .nr = 1 };

	out__init(&x.names, -1);
	out__char(&x.names, 0);
	out__fill(out, 0, JIT_ELF_TEXT);
	make_id(code, id);
	load_it(add(&x, ".text", SHT_PROGBITS, code->code, code->size, 16), SHF_EXECINSTR);
	add_unwinding(&x, code);
	add_note(&x, id);
	add_symbols(&x, code, 1);
	add_lines(&x, code);

	/* Its own name is the last one in it: so its size is known. */
	const char own[] = ".shstrtab";
	u32 name = x.names.len;

	out__mem(&x.names, own, sizeof(own));
	x.headers[x.nr++] = (Elf64_Shdr){ .sh_name = name,
		                          .sh_type = SHT_STRTAB,
		                          .sh_offset = out->len,
		                          .sh_size = x.names.len,
		                          .sh_addralign = 1 };
	out__mem(out, x.names.buf, x.names.len);
	align(out, 8);
	u64 table = out->len;

	out__mem(out, x.headers, x.nr * sizeof(x.headers[0]));
	write_header(&x, machine, code, table);
	out__exit(&x.names);
}
