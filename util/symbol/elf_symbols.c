// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What counts as a symbol (found by experiment with Linux's perf 6.1, so that reports agree):
 * functions, indirect functions, objects, and symbols without a type unless their visibility is
 * hidden or internal (assembly marks inner labels so); defined in a section that is in memory.
 */
#include "util/symbol/elf_symbols.h"

#include <stdlib.h>
#include <string.h>

#ifndef STT_GNU_IFUNC
#define STT_GNU_IFUNC 10
#endif

/* The string and symbol sections of a table, loaded. The strings live in the symtab's arena. */
struct table {
	u8 *entries;
	u32 nr;
	size_t entry_size;
	const char *strings;
	u64 strings_size;
};

static bool table__load(struct table *table, const struct elf_file *elf,
                        const struct elf_section *section, struct arena *arena)
{
	*table = (struct table){ .entry_size = elf_file__symbol_size(elf) };
	if (section->link >= elf->nr_sections)
		return false;
	const struct elf_section *strings = &elf->sections[section->link];

	if (strings->type != SHT_STRTAB || !strings->size || strings->offset > elf->size ||
	    strings->size > elf->size - strings->offset)
		return false;
	table->entries = elf_file__load(elf, section);
	if (!table->entries)
		return false;
	char *copy = arena__alloc(arena, strings->size + 1);

	copy[strings->size] = '\0';
	if (elf_file__read(elf, strings->offset, copy, strings->size)) {
		free(table->entries);
		return false;
	}
	table->strings = copy;
	table->strings_size = strings->size;
	table->nr = min_u64(section->size / table->entry_size, ID_NONE - 1);
	return true;
}

static bool is_wanted(const struct elf_file *elf, const struct elf_symbol *s)
{
	unsigned visibility = ELF64_ST_VISIBILITY(s->other);

	if (s->shndx == SHN_UNDEF || s->shndx >= elf->nr_sections ||
	    !(elf->sections[s->shndx].flags & SHF_ALLOC))
		return false;
	switch (ELF64_ST_TYPE(s->info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	case STT_NOTYPE:
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL;
	}
	return false;
}

static char binding_of(const struct elf_symbol *s)
{
	switch (ELF64_ST_BIND(s->info)) {
	case STB_GLOBAL:
		return 'g';
	case STB_LOCAL:
		return 'l';
	case STB_WEAK:
		return 'w';
	}
	return 'u';
}

/* ARM marks code and data with $a, $t, $x, $d (also "$x.17"): no names for people. */
static bool is_mapping_symbol(const struct elf_file *elf, const char *name)
{
	if (elf->machine != EM_ARM && elf->machine != EM_AARCH64 && elf->machine != EM_RISCV)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (elf->machine == EM_RISCV || !name[2] || name[2] == '.');
}

u32 elf_symbols__add(struct symtab *symtab, const struct elf_file *elf, u32 type)
{
	const struct elf_section *section = elf_file__section_of_type(elf, type);
	struct table table;
	struct elf_symbol s;
	u32 before = symtab->nr;

	if (!section || !table__load(&table, elf, section, &symtab->arena))
		return 0;
	for (u32 i = 0; i < table.nr; i++) {
		elf_file__symbol(elf, table.entries + i * table.entry_size, &s);
		if (!is_wanted(elf, &s) || s.name >= table.strings_size)
			continue;
		const char *name = table.strings + s.name;
		u64 start = s.value;

		if (is_mapping_symbol(elf, name))
			continue;
		if (!start && elf->type != ET_REL) /* __ehdr_start: no code there */
			continue;
		if (elf->machine == EM_ARM && ELF64_ST_TYPE(s.info) == STT_FUNC)
			start &= ~1ull;  /* bit 0 only says: Thumb code */
		if (elf->type == ET_REL) /* no addresses yet: the place in the file instead */
			start += elf->sections[s.shndx].offset;
		u64 end = s.size > UINT64_MAX - start ? UINT64_MAX : start + s.size;

		symtab__add(symtab, start, end, name, binding_of(&s));
	}
	free(table.entries);
	return symtab->nr - before;
}

/* How the linker lays out .plt: bytes before the first entry, bytes per entry. */
static void plt_layout(const struct elf_file *elf, const struct elf_section *plt, u64 *header,
                       u64 *entry)
{
	*entry = plt->entsize >= 4 ? plt->entsize : 16;
	*header = *entry;
	switch (elf->machine) {
	case EM_ARM:
		*header = 20;
		*entry = 12;
		break;
	case EM_AARCH64:
	case EM_RISCV:
		*header = 32;
		*entry = 16;
		break;
	case EM_X86_64:
	case EM_386:
		*header = *entry = 16;
		break;
	}
}

/* One relocation of .rela.plt/.rel.plt -> index of its symbol in .dynsym; 0 has no name. */
static u32 relocated_symbol(const struct elf_file *elf, const u8 *entry)
{
	if (elf->is64)
		return load_u64(entry + 8, elf->swap) >> 32;
	return load_u32(entry + 4, elf->swap) >> 8;
}

struct plt {
	const struct elf_section *relocations;
	u8 *entries;
	size_t entry_size;
	u32 nr;
	struct table symbols;
};

static bool plt__load(struct plt *plt, const struct elf_file *elf, struct arena *arena)
{
	const struct elf_section *r = elf_file__section(elf, ".rela.plt");

	if (!r)
		r = elf_file__section(elf, ".rel.plt");
	if (!r || (r->type != SHT_RELA && r->type != SHT_REL) || r->link >= elf->nr_sections ||
	    elf->sections[r->link].type != SHT_DYNSYM)
		return false;
	plt->relocations = r;
	plt->entry_size = (elf->is64 ? 16 : 8) + (r->type == SHT_RELA ? (elf->is64 ? 8 : 4) : 0);
	plt->entries = elf_file__load(elf, r);
	if (!plt->entries)
		return false;
	plt->nr = min_u64(r->size / plt->entry_size, ID_NONE - 1);
	if (table__load(&plt->symbols, elf, &elf->sections[r->link], arena))
		return true;
	free(plt->entries);
	return false;
}

static void add_plt_section(struct symtab *symtab, const struct elf_file *elf,
                            const struct plt *plt, const struct elf_section *section, u64 header,
                            u64 entry)
{
	u64 offset = header;
	struct elf_symbol s;

	for (u32 i = 0; i < plt->nr && offset + entry <= section->size; i++, offset += entry) {
		u32 index = relocated_symbol(elf, plt->entries + i * plt->entry_size);

		if (index >= plt->symbols.nr)
			continue;
		elf_file__symbol(elf, plt->symbols.entries + index * plt->symbols.entry_size, &s);
		if (s.name >= plt->symbols.strings_size)
			continue;
		/* Calls of the file's own indirect functions have no symbol: just "@plt". */
		const char *base = plt->symbols.strings + s.name;
		size_t len = strlen(base);
		char *name = arena__alloc(&symtab->arena, len + sizeof("@plt"));

		memcpy(name, base, len);
		memcpy(name + len, "@plt", sizeof("@plt"));
		symtab__add(symtab, section->addr + offset, section->addr + offset + entry, name,
		            'g');
	}
}

void elf_symbols__add_plt(struct symtab *symtab, const struct elf_file *elf)
{
	const struct elf_section *lazy = elf_file__section(elf, ".plt");
	const struct elf_section *second = elf_file__section(elf, ".plt.sec");
	struct plt plt;
	u64 header, entry;

	if ((!lazy && !second) || !plt__load(&plt, elf, &symtab->arena))
		return;
	if (lazy) {
		plt_layout(elf, lazy, &header, &entry);
		add_plt_section(symtab, elf, &plt, lazy, header, entry);
	}
	if (second) /* with branch tracking: what is really called; no header */
		add_plt_section(symtab, elf, &plt, second, 0, 16);
	free(plt.entries);
	free(plt.symbols.entries);
}

void elf_symbols__set_segments(struct symtab *symtab, const struct elf_file *elf)
{
	u32 nr = 0;

	free(symtab->segments);
	symtab->segments = xcalloc(elf->nr_programs, sizeof(*symtab->segments));
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < elf->nr_programs; i++) {
			const struct elf_program *p = &elf->programs[i];
			bool code = p->flags & PF_X;

			/* Code first: it decides where two segments share a page of the file. */
			if (p->type == PT_LOAD && p->filesz && code == (pass == 0))
				symtab->segments[nr++] =
				        (struct segment){ p->offset, p->filesz, p->vaddr };
		}
	symtab->nr_segments = nr;
}
