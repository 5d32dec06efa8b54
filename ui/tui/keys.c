// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/keys.h"

#define NAME_WIDTH 18

static const struct tui_key *key_at(const void *keys, size_t size, u32 i)
{
	return (const struct tui_key *)((const char *)keys + i * size);
}

u32 tui_keys__find(const void *keys, size_t size, u32 nr, int key)
{
	for (u32 i = 0; i < nr; i++)
		if (key_at(keys, size, i)->key == key)
			return i;
	return ID_NONE;
}

void tui_keys__print(const void *keys, size_t size, u32 nr, struct out *out)
{
	for (u32 i = 0; i < nr; i++) {
		const struct tui_key *key = key_at(keys, size, i);

		if (!key->name)
			continue;
		out__left(out, key->name, NAME_WIDTH);
		if (strlen(key->name) >= NAME_WIDTH) {
			out__char(out, '\n');
			out__fill(out, ' ', NAME_WIDTH);
		}
		out__str(out, key->help);
		out__char(out, '\n');
	}
}
