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
	free(tab->unused);
	*tab = (struct strtab){ .arena = ARENA_INIT };
}

static void rehash(struct strtab *tab, size_t size)
{
	tab->slots = xrealloc(tab->slots, size, sizeof(*tab->slots));
	tab->mask = size - 1;
	memset(tab->slots, 0xff, size * sizeof(*tab->slots));
	for (size_t id = 0; id < tab->nr; id++) {
		size_t i = tab->hashes[id] & tab->mask;

		if (!tab->strings[id])
			continue;
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

static u32 new_id(struct strtab *tab)
{
	size_t cap = tab->cap;

	if (tab->nr_unused)
		return tab->unused[--tab->nr_unused];
	array__reserve(&tab->strings, &tab->cap, tab->nr + 1, sizeof(*tab->strings));
	array__reserve(&tab->hashes, &cap, tab->nr + 1, sizeof(*tab->hashes));
	return tab->nr++;
}

static u32 intern(struct strtab *tab, const char *s, size_t len)
{
	u32 hash = hash__bytes(s, len);

	if (!tab->slots || tab->nr * 2 >= tab->mask + 1)
		rehash(tab, tab->slots ? (tab->mask + 1) * 2 : 256);
	u32 *slot = find_slot(tab, s, len, hash);

	if (*slot == ID_NONE) {
		u32 id = new_id(tab);

		tab->strings[id] = arena__strndup(&tab->arena, s, len);
		tab->hashes[id] = hash;
		*slot = id;
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

void strtab__keep(struct strtab *tab, const u8 *used)
{
	struct arena old = tab->arena;

	tab->arena = (struct arena)ARENA_INIT;
	for (size_t id = 0; id < tab->nr; id++) {
		if (!tab->strings[id])
			continue;
		if (!id || used[id]) {
			tab->strings[id] = arena__strndup(&tab->arena, tab->strings[id],
			                                  strlen(tab->strings[id]));
			continue;
		}
		tab->strings[id] = NULL;
		array__reserve(&tab->unused, &tab->cap_unused, tab->nr_unused + 1,
		               sizeof(*tab->unused));
		tab->unused[tab->nr_unused++] = id;
	}
	arena__exit(&old);
	rehash(tab, tab->mask + 1);
}
