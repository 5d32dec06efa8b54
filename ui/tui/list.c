// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/list.h"

void list__go(struct list *list, u32 at)
{
	list->at = at < list->nr ? at : list->nr ? list->nr - 1 : 0;
	if (list->at < list->top)
		list->top = list->at;
	if (list->at - list->top >= list->height)
		list->top = list->at - list->height + 1;
}

void list__fit(struct list *list, u32 nr, int height)
{
	list->nr = nr;
	list->height = height > 0 ? height : 1;
	if (list->top + list->height > nr)
		list->top = nr > list->height ? nr - list->height : 0;
	list__go(list, list->at);
}

bool list__key(struct list *list, int key)
{
	u32 page = list->height, at = list->at;

	switch (key) {
	case KEYS_UP:
		list__go(list, at ? at - 1 : 0);
		return true;
	case KEYS_DOWN:
		list__go(list, at + 1);
		return true;
	case KEYS_PAGE_UP:
		list__go(list, at > page ? at - page : 0);
		return true;
	case KEYS_PAGE_DOWN:
	case ' ':
		list__go(list, at + page);
		return true;
	case KEYS_HOME:
		list__go(list, 0);
		return true;
	case KEYS_END:
		list__go(list, UINT32_MAX);
		return true;
	default:
		return false;
	}
}
