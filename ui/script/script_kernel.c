// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of kernel addresses in the text of tracepoints. An address may be of the kernel or of any
 * module, so that one look-up asks all of them; but samples have the same few ones again and again.
 */
#include <stdlib.h>

#include "ui/script/script_private.h"
#include "util/lib/alloc.h"

#define NAMES 4096 /* power of two */

struct kernel_name {
	u64 addr, start;
	const char *name; /* NULL: none */
	bool used;
};

static const char *find(struct script *script, u64 addr, u64 *start)
{
	const struct dsos *dsos = &script->session->dsos;

	for (u32 i = 0; i < dsos->nr; i++) {
		enum dso_kind kind = dsos__at(dsos, i)->kind;
		u64 vaddr;

		if (kind != DSO_KERNEL && kind != DSO_MODULE)
			continue;
		u32 symbol = session_symbols__find(script->symbols, i, addr, &vaddr);

		if (symbol == ID_NONE)
			continue;
		*start = session_symbols__symbol(script->symbols, i, symbol)->start;
		return session_symbols__name(script->symbols, i, symbol);
	}
	return NULL;
}

const char *script_kernel__symbol(void *ctx, u64 addr, u64 *start)
{
	struct script *script = ctx;

	if (!script->kernel_names)
		script->kernel_names = xcalloc(NAMES, sizeof(*script->kernel_names));
	struct kernel_name *known = &script->kernel_names[hash__u64(addr) % NAMES];

	if (!known->used || known->addr != addr) {
		*known = (struct kernel_name){ .addr = addr, .start = addr, .used = true };
		known->name = find(script, addr, &known->start);
	}
	if (known->name)
		*start = known->start;
	return known->name;
}

void script_kernel__forget(struct script *script)
{
	free(script->kernel_names);
	script->kernel_names = NULL;
}
