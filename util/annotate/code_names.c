// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/code_names.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

struct code_names {
	const struct dsos *dsos;
	struct session_symbols *symbols;
};

struct code_names *code_names__new(const struct dsos *dsos, const struct symbol_config *config)
{
	struct code_names *names = xcalloc(1, sizeof(*names));
	struct symbol_config whole = *config;

	names->dsos = dsos;
	whole.signatures = config->demangle && !config->short_templates;
	whole.index_dir = NULL; /* an index has only what was asked for once */
	whole.bundle = NULL;
	names->symbols = session_symbols__new(dsos, &whole);
	return names;
}

void code_names__delete(struct code_names *names)
{
	if (!names)
		return;
	session_symbols__delete(names->symbols);
	free(names);
}

/* Modules and BPF programs call the kernel and each other. */
static const char *name_elsewhere(struct code_names *names, u32 dso, u64 addr, u64 *offset)
{
	enum dso_kind kind = dsos__at(names->dsos, dso)->kind;

	if (kind != DSO_MODULE && kind != DSO_BPF)
		return NULL;
	for (u32 i = 0; i < names->dsos->nr; i++) {
		const struct dso *other = dsos__at(names->dsos, i);

		if (other->kind != DSO_BPF || addr < other->text_start || addr >= other->text_end)
			continue;
		*offset = addr - other->text_start;
		return strtab__get(names->dsos->strings, other->name);
	}
	return session_symbols__kernel_name(names->symbols, addr, offset);
}

const char *code_names__find(struct code_names *names, u32 dso, u64 addr, u64 *offset)
{
	const struct symtab *table = session_symbols__table(names->symbols, dso);
	u32 symbol = symtab__find(table, addr);

	if (symbol == ID_NONE)
		return name_elsewhere(names, dso, addr, offset);
	*offset = addr - table->symbols[symbol].start;
	return session_symbols__name(names->symbols, dso, symbol);
}

const char *code_names__readable(struct code_names *names, u32 dso, const char *raw)
{
	session_symbols__table(names->symbols, dso); /* where it is kept */
	return session_symbols__readable(names->symbols, dso, raw);
}

const char *code_names__nearest(struct code_names *names, struct code_files *files, u32 dso,
                                u64 addr, u64 *offset)
{
	const char *name = code_names__find(names, dso, addr, offset);
	const struct symtab *table = session_symbols__table(names->symbols, dso);
	u32 from = 0, to = table->nr;

	if (name)
		return name;
	while (from < to) { /* the first behind @addr */
		u32 middle = from + (to - from) / 2;

		if (table->symbols[middle].start <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || !code_files__same_section(files, dso, table->symbols[from - 1].start, addr))
		return NULL;
	*offset = addr - table->symbols[from - 1].start;
	return session_symbols__name(names->symbols, dso, from - 1);
}
