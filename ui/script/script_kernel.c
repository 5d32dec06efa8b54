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

const char *script_kernel__symbol(void *ctx, u64 addr, u64 *start)
{
	struct script *script = ctx;

	if (!script->kernel_names)
		script->kernel_names = xcalloc(NAMES, sizeof(*script->kernel_names));
	struct kernel_name *known = &script->kernel_names[hash__u64(addr) % NAMES];

	if (!known->used || known->addr != addr) {
		u64 offset = 0;

		script__lock_names(script);
		const char *name = session_symbols__kernel_name(script->symbols, addr, &offset);

		script__unlock_names(script);
		*known = (struct kernel_name){ addr, addr - offset, name, true };
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
