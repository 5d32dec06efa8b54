/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moving through rows of which some are on the screen: what all browsers and menus share. */
#ifndef PERF_UI_TUI_LIST_H
#define PERF_UI_TUI_LIST_H

#include "ui/tui/terminal.h"

#define SIDEWARD 16 /* columns that a key moves text by that is wider than the screen */

struct list {
	u32 nr;
	u32 at;     /* the row with the cursor; 0 where there is none */
	u32 top;    /* the first on the screen */
	u32 height; /* rows on the screen, at least 1 */
};

/* Set what may have changed: the cursor stays on the screen, and that in the list. */
void list__fit(struct list *list, u32 nr, int height);

/* Put the cursor on a row and show it. */
void list__go(struct list *list, u32 at);

/* False: the key does not move. */
bool list__key(struct list *list, int key);

#endif
