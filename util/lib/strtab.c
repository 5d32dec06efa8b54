// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/strtab.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/hash.h"

void strtab__init(struct strtab *tab)
{
	*tab = (struct strtab){ .arena = ARENA_INIT };
	strtab__intern(tab, "", 0);
}

void strtab__exit(struct strtab *tab)
{
	arena__exit(&tab->arena);
	free(tab->strings);
	free(tab->slots);
	free(tab->hashes);
	*tab = (struct strtab){ .arena = ARENA_INIT };
}

static void rehash(struct strtab *tab)
{
	size_t size = tab->slots ? (tab->mask + 1) * 2 : 256;

	tab->slots = xrealloc(tab->slots, size, sizeof(*tab->slots));
	tab->mask = size - 1;
	memset(tab->slots, 0xff, size * sizeof(*tab->slots));
	for (size_t id = 0; id < tab->nr; id++) {
		size_t i = tab->hashes[id] & tab->mask;

		while (tab->slots[i] != ID_NONE)
			i = (i + 1) & tab->mask;
		tab->slots[i] = id;
	}
}

/* The slot that holds the string, or the free slot where it belongs. */
static u32 *find_slot(const struct strtab *tab, const char *s, size_t len, u32 hash)
{
	size_t i = hash & tab->mask;

	for (; tab->slots[i] != ID_NONE; i = (i + 1) & tab->mask) {
		u32 id = tab->slots[i];

		if (tab->hashes[id] == hash && !strncmp(tab->strings[id], s, len) &&
		    !tab->strings[id][len])
			break;
	}
	return &tab->slots[i];
}

static u32 intern(struct strtab *tab, const char *s, size_t len)
{
	u32 hash = hash__bytes(s, len);

	if (!tab->slots || tab->nr * 2 >= tab->mask + 1)
		rehash(tab);
	u32 *slot = find_slot(tab, s, len, hash);

	if (*slot == ID_NONE) {
		size_t cap = tab->cap;

		array__reserve(&tab->strings, &tab->cap, tab->nr + 1, sizeof(*tab->strings));
		array__reserve(&tab->hashes, &cap, tab->nr + 1, sizeof(*tab->hashes));
		tab->strings[tab->nr] = arena__strndup(&tab->arena, s, len);
		tab->hashes[tab->nr] = hash;
		*slot = tab->nr++;
	}
	return *slot;
}

u32 strtab__intern(struct strtab *tab, const char *s, size_t len)
{
	return intern(tab, s, strnlen(s, len));
}

u32 strtab__add(struct strtab *tab, const char *s)
{
	return intern(tab, s, strlen(s));
}

u32 strtab__find(const struct strtab *tab, const char *s)
{
	size_t len = strlen(s);

	return *find_slot(tab, s, len, hash__bytes(s, len));
}
