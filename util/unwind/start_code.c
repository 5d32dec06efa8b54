// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/start_code.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/unwind/dso_code.h"

/* Symbols of a dso that is a C library; ID_NONE: none of that name. */
struct libc {
	u32 start_main, create;
};

struct start_code {
	const struct dsos *dsos;
	struct session_symbols *symbols;
	struct unwind_tables *tables;
	struct code_file file;
	struct u64map libc_of_dso; /* into: */
	struct libc *libcs;
	u32 nr_libcs;
	size_t cap_libcs;
};

struct start_code *start_code__new(const struct dsos *dsos, struct session_symbols *symbols,
                                   struct unwind_tables *tables)
{
	struct start_code *start = xcalloc(1, sizeof(*start));

	start->dsos = dsos;
	start->symbols = symbols;
	start->tables = tables;
	code_file__init(&start->file, dsos, session_symbols__config(symbols));
	return start;
}

void start_code__delete(struct start_code *start)
{
	if (!start)
		return;
	code_file__exit(&start->file);
	u64map__exit(&start->libc_of_dso);
	free(start->libcs);
	free(start);
}

u16 start_code__machine(struct start_code *start, u32 dso)
{
	const struct elf_file *elf = code_file__elf(&start->file, dso);

	return elf ? elf->machine : 0;
}

/*
 * Bytes that only look like a call or an address lead to the start of just that function by an
 * accident of one in 2^32: so nothing is decoded here.
 */
static bool takes_address(const struct dso_code *code, u64 target)
{
	for (size_t i = 0; i + 6 <= code->len; i++) /* lea target(%rip), %reg */
		if (code->bytes[i] == 0x8d && (code->bytes[i + 1] & 0xc7) == 0x05 &&
		    dso_code__relative(code, i + 2) == target)
			return true;
	return false;
}

static bool calls(const struct dso_code *code, u64 target)
{
	for (size_t i = 0; i + 5 <= code->len; i++)
		if (code->bytes[i] == 0xe8 && dso_code__relative(code, i + 1) == target)
			return true;
	return false;
}

static bool function_takes_address(const struct elf_file *elf, const struct cfi_entry *function,
                                   u64 target)
{
	struct dso_code code;

	dso_code__read(&code, elf, function->start, function->end);
	bool found = takes_address(&code, target);

	dso_code__exit(&code);
	return found;
}

/* The function that starts at @vaddr, or NULL. */
static const struct cfi_entry *function_at(const struct cfi *cfi, u64 vaddr)
{
	const struct cfi_entry *entry = NULL;
	struct cfi_row row;

	return cfi__row(cfi, vaddr, &row, &entry) || entry->start != vaddr ? NULL : entry;
}

/* Does @code, or a function that it calls, take the address? */
static bool passes_on(const struct elf_file *elf, const struct cfi *cfi,
                      const struct dso_code *code, u64 target)
{
	if (takes_address(code, target))
		return true;
	for (size_t i = 0; i + 5 <= code->len; i++) {
		const struct cfi_entry *callee =
		        code->bytes[i] == 0xe8 ? function_at(cfi, dso_code__relative(code, i + 1))
		                               : NULL;

		if (callee && function_takes_address(elf, callee, target))
			return true;
	}
	return false;
}

static bool is_named(const char *name, const char *wanted)
{
	size_t len = strlen(wanted);

	return !strncmp(name, wanted, len) && (!name[len] || name[len] == '@');
}

/* The names are looked for once in each dso: most have thousands, and neither of the two. */
static struct libc libc_of(struct start_code *start, u32 dso)
{
	u32 *known = u64map__at(&start->libc_of_dso, dso);

	if (*known != ID_NONE)
		return start->libcs[*known];
	const struct symtab *table = session_symbols__table(start->symbols, dso);
	struct libc libc = { ID_NONE, ID_NONE };

	for (u32 i = 0; i < table->nr; i++) {
		if (is_named(table->symbols[i].name, "__libc_start_main"))
			libc.start_main = i;
		else if (is_named(table->symbols[i].name, "pthread_create"))
			libc.create = i;
	}
	*known = start->nr_libcs++;
	array__reserve(&start->libcs, &start->cap_libcs, start->nr_libcs, sizeof(libc));
	start->libcs[*known] = libc;
	return libc;
}

/* Does libc start threads, or the program, with the function at @target? */
static bool is_of_libc(struct start_code *start, u32 dso, const struct elf_file *elf,
                       const struct cfi *cfi, u64 target)
{
	const struct symbol *symbols = session_symbols__table(start->symbols, dso)->symbols;
	const struct libc libc = libc_of(start, dso);
	bool found = false;
	struct dso_code code;

	if (libc.start_main != ID_NONE) {
		dso_code__read(&code, elf, symbols[libc.start_main].start,
		               symbols[libc.start_main].end);
		found = calls(&code, target);
		dso_code__exit(&code);
	}
	if (!found && libc.create != ID_NONE) {
		dso_code__read(&code, elf, symbols[libc.create].start, symbols[libc.create].end);
		found = passes_on(elf, cfi, &code, target);
		dso_code__exit(&code);
	}
	return found;
}

static enum start_kind kind_of_code(struct start_code *start, u32 dso, u64 addr, u64 vaddr)
{
	const struct elf_file *elf = code_file__elf(&start->file, dso);
	const struct cfi_entry *function;
	const struct cfi *cfi;
	struct cfi_row row;
	GElf_Ehdr header;

	if (!elf || unwind_tables__row(start->tables, dso, addr, elf->machine, &row, &cfi))
		return START_UNKNOWN;
	if (cfi_row__is_outermost(&row))
		return START_THREAD;
	if (cfi__row(cfi, vaddr, &row, &function))
		return START_UNKNOWN;
	if (gelf_getehdr(elf->handle, &header) && header.e_entry >= function->start &&
	    header.e_entry < function->end)
		return START_THREAD;
	if (elf->machine == EM_X86_64 && is_of_libc(start, dso, elf, cfi, function->start))
		return START_THREAD;
	return START_NOT;
}

enum start_kind start_code__kind(struct start_code *start, u32 dso, u64 addr)
{
	u64 vaddr;
	u32 symbol = session_symbols__find_code(start->symbols, dso, addr, &vaddr);

	if (symbol != ID_NONE)
		return start_kind__of_name(
		        session_symbols__symbol(start->symbols, dso, symbol)->name);
	if (dsos__at(start->dsos, dso)->kind == DSO_ANON)
		return START_NOT;
	return kind_of_code(start, dso, addr, vaddr);
}
