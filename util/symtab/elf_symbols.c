// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What counts as a symbol (found by experiment with Linux's perf 6.1, so that reports agree):
 * functions, indirect functions, objects, and symbols without a type unless their visibility is
 * hidden or internal (assembly marks inner labels so) or their section's name has neither "text"
 * nor "data" in it; defined in a section that is in memory.
 */
#include "util/symtab/elf_symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "util/elf/relocatable.h"

#ifndef STT_GNU_IFUNC
#define STT_GNU_IFUNC 10
#endif

#define PAGE         4096u /* the least that is mapped */
#define RESOLVED_MAX 1024  /* indirect functions that are looked for by address: glibc has 60 */

/* A table of symbols and its strings, which live in the symtab's arena. */
struct table {
	Elf_Data *entries, *indexes; /* indexes: of sections beyond 16 bits; mostly NULL */
	u32 nr;
	const char *strings;
	u64 strings_size;
};

/* Straight to their place, because some are hundreds of megabytes. NULL: there are none. */
static const char *load_strings(struct elf_file *elf, struct elf_section *section,
                                struct arena *arena, u64 *size)
{
	Elf_Data *data = elf_file__holds(elf, section) ? NULL : elf_file__data(elf, section);

	*size = data ? data->d_size : section->header.sh_size;
	if (section->header.sh_type != SHT_STRTAB || (!data && !elf_file__holds(elf, section)))
		return NULL;
	char *copy = arena__alloc(arena, *size + 1);

	copy[*size] = '\0';
	if (data)
		memcpy(copy, data->d_buf, *size);
	else if (elf_file__read(elf, section->header.sh_offset, copy, *size))
		return NULL;
	return copy;
}

static bool table__load(struct table *table, struct elf_file *elf, struct elf_section *section,
                        struct arena *arena)
{
	*table = (struct table){ .entries = NULL };
	if (section->header.sh_link >= elf->nr_sections)
		return false;
	table->entries = elf_file__data(elf, section);
	if (!table->entries || table->entries->d_type != ELF_T_SYM)
		return false;
	table->strings = load_strings(elf, &elf->sections[section->header.sh_link], arena,
	                              &table->strings_size);
	if (!table->strings)
		return false;
	table->indexes = elf_file__symbol_indexes(elf, section - elf->sections);
	table->nr =
	        min_u64(table->entries->d_size / gelf_fsize(elf->handle, ELF_T_SYM, 1, EV_CURRENT),
	                INT32_MAX);
	return true;
}

static bool is_wanted(const GElf_Sym *s, const struct elf_section *section)
{
	unsigned visibility = GELF_ST_VISIBILITY(s->st_other);

	if (!section || !(section->header.sh_flags & SHF_ALLOC))
		return false;
	switch (GELF_ST_TYPE(s->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	case STT_NOTYPE:
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL &&
		       (strstr(section->name, "text") || strstr(section->name, "data"));
	}
	return false;
}

static char binding_of(const GElf_Sym *s)
{
	switch (GELF_ST_BIND(s->st_info)) {
	case STB_GLOBAL:
		return 'g';
	case STB_LOCAL:
		return 'l';
	case STB_WEAK:
		return 'w';
	}
	return 'u';
}

/* "$x", "$d.17" mark code and data: no names for people. */
static bool is_mapping_symbol(const struct arch *arch, const char *name)
{
	return arch->mapping_symbols && name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (arch->mapping_sets || !name[2] || name[2] == '.');
}

u32 elf_symbols__add(struct symtab *symtab, struct elf_file *elf, u32 type)
{
	struct elf_section *table_section = elf_file__section_of_type(elf, type);
	const struct arch *arch = arch__of_object(elf->machine);
	struct table table;
	GElf_Sym s;
	u32 before = symtab->nr;

	if (!table_section || !table__load(&table, elf, table_section, &symtab->arena))
		return 0;
	for (u32 i = 0; i < table.nr; i++) {
		const struct elf_section *section =
		        elf_file__symbol(elf, table.entries, table.indexes, i, &s);

		if (!is_wanted(&s, section) || s.st_name >= table.strings_size ||
		    !relocatable__has_address(elf, section))
			continue;
		const char *name = table.strings + s.st_name;
		u64 start = s.st_value;

		if (is_mapping_symbol(arch, name))
			continue;
		if (GELF_ST_TYPE(s.st_info) == STT_FUNC)
			start &= ~(u64)arch->symbol_flags;
		if (elf->type == ET_REL)
			start += section->header.sh_addr;
		u64 end = s.st_size > UINT64_MAX - start ? UINT64_MAX : start + s.st_size;

		symtab__add(symtab, start, end, name, binding_of(&s));
		symtab->symbols[symtab->nr - 1].data = GELF_ST_TYPE(s.st_info) != STT_FUNC &&
		                                       !(section->header.sh_flags & SHF_EXECINSTR);
	}
	return symtab->nr - before;
}

/* How the linker lays out .plt: bytes before the first entry, bytes per entry. */
static void plt_layout(const struct elf_file *elf, const struct elf_section *plt, u64 *header,
                       u64 *entry)
{
	const struct arch *arch = arch__of_object(elf->machine);

	*entry = plt->header.sh_entsize >= 4 ? plt->header.sh_entsize : 16;
	*header = *entry;
	if (arch->plt_entry) {
		*header = arch->plt_header;
		*entry = arch->plt_entry;
	}
}

/* A word of memory that the loader fills with the address of a symbol. */
struct slot {
	u64 addr;
	u64 addend; /* without a symbol: the function that tells the address */
	u32 symbol;
};

struct plt {
	Elf_Data *relocations; /* .rela.plt, .rel.plt */
	u32 nr;
	struct table symbols;
	struct slot *slots; /* sorted by address; only where code is read */
	u32 nr_slots;
	size_t cap_slots;
	u32 nr_resolved;
};

static u32 nr_of(const struct elf_file *elf, const Elf_Data *relocations)
{
	size_t size = gelf_fsize(elf->handle, relocations->d_type, 1, EV_CURRENT);

	return min_u64(relocations->d_size / size, INT32_MAX);
}

/* Those of static programs refer to no symbols, and to any table or, stripped, to none. */
static Elf_Data *load_relocations(struct elf_file *elf, struct elf_section *r)
{
	if (!r || r->header.sh_link >= elf->nr_sections)
		return NULL;
	u32 linked = elf->sections[r->header.sh_link].header.sh_type;

	if (linked != SHT_DYNSYM && linked != SHT_SYMTAB && linked != SHT_NULL)
		return NULL;
	Elf_Data *data = elf_file__data(elf, r);

	return data && (data->d_type == ELF_T_RELA || data->d_type == ELF_T_REL) ? data : NULL;
}

static GElf_Rela relocation(Elf_Data *relocations, u32 i)
{
	GElf_Rela rela = { .r_info = 0 };
	GElf_Rel rel = { .r_info = 0 };

	if (relocations->d_type == ELF_T_RELA)
		gelf_getrela(relocations, i, &rela);
	else if (gelf_getrel(relocations, i, &rel))
		rela = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
	return rela;
}

static bool plt__load(struct plt *plt, struct elf_file *elf, struct arena *arena)
{
	struct elf_section *r = elf_file__section(elf, ".rela.plt");

	if (!r)
		r = elf_file__section(elf, ".rel.plt");
	*plt = (struct plt){ .relocations = load_relocations(elf, r) };
	if (plt->relocations)
		plt->nr = nr_of(elf, plt->relocations);
	else if (!load_relocations(elf, r = elf_file__section(elf, ".rela.dyn")))
		return false;
	return !r->header.sh_link ||
	       table__load(&plt->symbols, elf, &elf->sections[r->header.sh_link], arena);
}

/* Of a function in the file itself: the best of its names; NULL: it has none. */
static const char *name_at(const struct symtab *symtab, u64 addr)
{
	const struct symbol *best = NULL;

	for (u32 i = 0; i < symtab->nr; i++) {
		const struct symbol *s = &symtab->symbols[i];

		if (s->start == addr && !s->data &&
		    (!best || (s->binding == 'g') > (best->binding == 'g') ||
		     ((s->binding == 'g') == (best->binding == 'g') &&
		      strcmp(s->name, best->name) < 0)))
			best = s;
	}
	return best ? best->name : NULL;
}

/* The name of a symbol that is called. NULL: damaged. */
static const char *plt__name(const struct plt *plt, u64 symbol)
{
	GElf_Sym s;

	if (symbol >= plt->symbols.nr || !gelf_getsym(plt->symbols.entries, symbol, &s) ||
	    s.st_name >= plt->symbols.strings_size)
		return NULL;
	return plt->symbols.strings + s.st_name;
}

/*
 * Calls of the file's own indirect functions have no symbol, but @addend, the function that chooses
 * among them. Many have its name.
 */
static void add_plt_entry(struct symtab *symtab, struct plt *plt, u64 symbol, u64 addend, u64 start,
                          u64 size)
{
	const char *base = NULL;
	char addr[32];

	if (symbol || !addend)
		base = plt__name(plt, symbol);
	else if (plt->nr_resolved++ < RESOLVED_MAX)
		base = name_at(symtab, addend);
	if (!base && (symbol || !addend))
		return;
	if (!base) {
		snprintf(addr, sizeof(addr), "*ABS*+0x%llx", (unsigned long long)addend);
		base = addr;
	}
	size_t len = strcspn(base, "@"); /* without its version */
	char *name = arena__alloc(&symtab->arena, len + sizeof("@plt"));

	memcpy(name, base, len);
	memcpy(name + len, "@plt", sizeof("@plt"));
	symtab__add(symtab, start, start + size, name, 'g');
}

/* By the order of relocations: entry after entry is made for them. */
static void add_plt_section(struct symtab *symtab, struct plt *plt,
                            const struct elf_section *section, u64 header, u64 entry)
{
	u64 offset = header, addr = section->header.sh_addr;

	for (u32 i = 0; i < plt->nr && offset + entry <= section->header.sh_size;
	     i++, offset += entry) {
		const GElf_Rela r = relocation(plt->relocations, i);

		add_plt_entry(symtab, plt, GELF_R_SYM(r.r_info), r.r_addend, addr + offset, entry);
	}
}

/* ---- x86-64: linkers lay sections out as they like, so the code tells ---- */

static void add_slots(struct plt *plt, const struct elf_file *elf, Elf_Data *relocations)
{
	u32 nr = relocations ? nr_of(elf, relocations) : 0;

	for (u32 i = 0; i < nr; i++) {
		GElf_Rela r = relocation(relocations, i);
		u32 type = GELF_R_TYPE(r.r_info);

		if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT &&
		    type != R_X86_64_IRELATIVE)
			continue;
		array__reserve(&plt->slots, &plt->cap_slots, (size_t)plt->nr_slots + 1,
		               sizeof(*plt->slots));
		plt->slots[plt->nr_slots++] =
		        (struct slot){ r.r_offset, r.r_addend,
			               min_u64(GELF_R_SYM(r.r_info), UINT32_MAX) };
	}
}

static int compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/*
 * The slot that an entry jumps through: jmp *SLOT(%rip), or mov SLOT(%rip),%r11 where the jump is
 * a retpoline. @code: its bytes, which are at @addr.
 */
static const struct slot *slot_of_entry(const struct plt *plt, const u8 *code, u64 size, u64 addr)
{
	for (u64 at = 0; at + 6 <= size; at++) {
		u64 end = code[at] == 0xff && code[at + 1] == 0x25 ? at + 6
		          : code[at] == 0x4c && code[at + 1] == 0x8b && code[at + 2] == 0x1d
		                  ? at + 7
		                  : 0;

		if (!end || end > size)
			continue;
		struct slot key = { .addr = addr + end +
			                    (s64)(s32)load_u32(code + end - 4, false) };
		const struct slot *slot =
		        bsearch(&key, plt->slots, plt->nr_slots, sizeof(key), compare_slots);

		if (slot)
			return slot;
	}
	return NULL;
}

/* False: nothing was understood. */
static bool add_plt_by_code(struct symtab *symtab, struct plt *plt, struct elf_file *elf,
                            struct elf_section *section, u64 entry)
{
	const Elf_Data *data = plt->nr_slots ? elf_file__data(elf, section) : NULL;
	bool any = false;

	for (u64 at = 0; data && at + entry <= data->d_size; at += entry) {
		u64 addr = section->header.sh_addr + at;
		const struct slot *slot =
		        slot_of_entry(plt, (const u8 *)data->d_buf + at, entry, addr);

		if (slot)
			add_plt_entry(symtab, plt, slot->symbol, slot->addend, addr, entry);
		any |= slot != NULL;
	}
	return any;
}

void elf_symbols__add_plt(struct symtab *symtab, struct elf_file *elf)
{
	struct elf_section *lazy = elf_file__section(elf, ".plt");
	struct elf_section *second = elf_file__section(elf, ".plt.sec");
	bool read_code = elf->machine == EM_X86_64 && !elf->swap;
	struct plt plt;
	u64 header, entry;

	if ((!lazy && !second) || !plt__load(&plt, elf, &symtab->arena))
		return;
	if (read_code) {
		add_slots(&plt, elf, plt.relocations);
		if (plt.nr_slots)
			qsort(plt.slots, plt.nr_slots, sizeof(*plt.slots), compare_slots);
	}
	if (lazy) {
		plt_layout(elf, lazy, &header, &entry);
		/* Static programs: no header, entries that are a jump and nothing else. */
		if (read_code && lazy->header.sh_size == 8ull * plt.nr)
			entry = 8;
		if (!add_plt_by_code(symtab, &plt, elf, lazy, entry) && plt.nr)
			add_plt_section(symtab, &plt, lazy, header, entry);
	}
	/* With branch tracking: what is really called; no header. */
	if (second && !add_plt_by_code(symtab, &plt, elf, second, 16) && plt.nr)
		add_plt_section(symtab, &plt, second, 0, 16);
	free(plt.slots);
}

/* Bytes behind the end of @p in the file that are mapped with it, and lie in .bss. */
static u64 size_of_tail(const GElf_Phdr *p)
{
	u64 end = p->p_offset + p->p_filesz;
	u64 mapped = round_up_u64(end, PAGE) - end;

	return p->p_memsz > p->p_filesz ? min_u64(p->p_memsz - p->p_filesz, mapped) : 0;
}

void elf_symbols__set_segments(struct symtab *symtab, const struct elf_file *elf)
{
	enum { CODE, DATA, TAIL, PASSES }; /* who comes first has what several would translate */
	u32 nr = 0;

	free(symtab->segments);
	symtab->segments = xcalloc(2 * (u64)elf->nr_programs, sizeof(*symtab->segments));
	for (int pass = CODE; pass < PASSES; pass++)
		for (u32 i = 0; i < elf->nr_programs; i++) {
			const GElf_Phdr *p = &elf->programs[i];
			struct segment segment = { p->p_offset, p->p_filesz, p->p_vaddr };

			if (p->p_type != PT_LOAD || !p->p_filesz)
				continue;
			if (pass == TAIL)
				segment = (struct segment){ p->p_offset + p->p_filesz,
					                    size_of_tail(p),
					                    p->p_vaddr + p->p_filesz };
			if (pass == TAIL ? segment.size > 0
			                 : (p->p_flags & PF_X ? CODE : DATA) == pass)
				symtab->segments[nr++] = segment;
		}
	symtab->nr_segments = nr;
}
