// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/readable_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

void readable_names__exit(struct readable_names *names)
{
	strtab__exit(&names->mangled);
	free(names->readable);
	*names = (struct readable_names){ .cap = 0 };
}

const char *readable_names__find(const struct readable_names *names, const char *mangled)
{
	u32 id = names->mangled.nr ? strtab__find(&names->mangled, mangled) : ID_NONE;

	return id == ID_NONE ? NULL : names->readable[id];
}

void readable_names__add(struct readable_names *names, const char *mangled, const char *readable)
{
	u32 nr = names->mangled.nr, id = strtab__add(&names->mangled, mangled);

	if (id < nr)
		return;
	array__reserve(&names->readable, &names->cap, (size_t)id + 1, sizeof(*names->readable));
	names->readable[id] = arena__strndup(&names->mangled.arena, readable, strlen(readable));
}
