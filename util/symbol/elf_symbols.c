// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What counts as a symbol (found by experiment with Linux's perf 6.1, so that reports agree):
 * functions, indirect functions, objects, and symbols without a type unless their visibility is
 * hidden or internal (assembly marks inner labels so) or their section's name has neither "text"
 * nor "data" in it; defined in a section that is in memory.
 */
#include "util/symbol/elf_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "util/symbol/relocatable.h"

#ifndef STT_GNU_IFUNC
#define STT_GNU_IFUNC 10
#endif

#define PAGE 4096u /* the least that is mapped */

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
		    !relocatable__is_placed(elf, section))
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

struct plt {
	Elf_Data *relocations;
	u32 nr;
	struct table symbols;
};

static bool plt__load(struct plt *plt, struct elf_file *elf, struct arena *arena)
{
	struct elf_section *r = elf_file__section(elf, ".rela.plt");

	if (!r)
		r = elf_file__section(elf, ".rel.plt");
	if (!r || r->header.sh_link >= elf->nr_sections ||
	    elf->sections[r->header.sh_link].header.sh_type != SHT_DYNSYM)
		return false;
	plt->relocations = elf_file__data(elf, r);
	if (!plt->relocations ||
	    (plt->relocations->d_type != ELF_T_RELA && plt->relocations->d_type != ELF_T_REL))
		return false;
	plt->nr = min_u64(plt->relocations->d_size /
	                          gelf_fsize(elf->handle, plt->relocations->d_type, 1, EV_CURRENT),
	                  INT32_MAX);
	return table__load(&plt->symbols, elf, &elf->sections[r->header.sh_link], arena);
}

/* The name of entry @i: that of the symbol which its relocation asks for. NULL: damaged. */
static const char *plt__name(const struct plt *plt, u32 i)
{
	GElf_Rela rela = { .r_info = 0 };
	GElf_Rel rel = { .r_info = 0 };
	GElf_Sym s;

	if (plt->relocations->d_type == ELF_T_RELA)
		gelf_getrela(plt->relocations, i, &rela);
	else if (gelf_getrel(plt->relocations, i, &rel))
		rela.r_info = rel.r_info;
	u64 index = GELF_R_SYM(rela.r_info);

	if (index >= plt->symbols.nr || !gelf_getsym(plt->symbols.entries, index, &s) ||
	    s.st_name >= plt->symbols.strings_size)
		return NULL;
	/* Calls of the file's own indirect functions have no symbol: just "@plt". */
	return plt->symbols.strings + s.st_name;
}

static void add_plt_section(struct symtab *symtab, const struct plt *plt,
                            const struct elf_section *section, u64 header, u64 entry)
{
	u64 offset = header, addr = section->header.sh_addr;

	for (u32 i = 0; i < plt->nr && offset + entry <= section->header.sh_size;
	     i++, offset += entry) {
		const char *base = plt__name(plt, i);

		if (!base)
			continue;
		size_t len = strlen(base);
		char *name = arena__alloc(&symtab->arena, len + sizeof("@plt"));

		memcpy(name, base, len);
		memcpy(name + len, "@plt", sizeof("@plt"));
		symtab__add(symtab, addr + offset, addr + offset + entry, name, 'g');
	}
}

void elf_symbols__add_plt(struct symtab *symtab, struct elf_file *elf)
{
	const struct elf_section *lazy = elf_file__section(elf, ".plt");
	const struct elf_section *second = elf_file__section(elf, ".plt.sec");
	struct plt plt;
	u64 header, entry;

	if ((!lazy && !second) || !plt__load(&plt, elf, &symtab->arena))
		return;
	if (lazy) {
		plt_layout(elf, lazy, &header, &entry);
		add_plt_section(symtab, &plt, lazy, header, entry);
	}
	if (second) /* with branch tracking: what is really called; no header */
		add_plt_section(symtab, &plt, second, 0, 16);
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
