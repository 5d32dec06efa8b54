/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of a browser with what they do: one table, which is its help, too. Its members begin
 * with a struct tui_key and are @size bytes each.
 */
#ifndef PERF_UI_TUI_KEYS_H
#define PERF_UI_TUI_KEYS_H

#include "ui/tui/terminal.h"
#include "util/lib/out.h"

struct tui_key {
	int key;
	const char *name, *help; /* NULL: another name of a key that has them */
};

/* The number of the member for the key, or ID_NONE. */
u32 tui_keys__find(const void *keys, size_t size, u32 nr, int key);

/* A line for each. */
void tui_keys__print(const void *keys, size_t size, u32 nr, struct out *out);

#endif
