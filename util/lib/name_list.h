/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of names from the command line: "a,b,file:///tmp/more", where a file has one name per line.
 */
#ifndef PERF_UTIL_LIB_NAME_LIST_H
#define PERF_UTIL_LIB_NAME_LIST_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct name_list {
	char **names;
	u32 nr;
	size_t cap;
};

/* Add the names of @text. 0 or a negative errno with @err filled (a file cannot be read). */
int name_list__parse(struct name_list *list, const char *text, struct error *err);
void name_list__exit(struct name_list *list);

/* Add one name, copied; "" is ignored. */
void name_list__add(struct name_list *list, const char *name);

bool name_list__has(const struct name_list *list, const char *name);

/* The same for numbers ("12,34"), which are added to *numbers (malloc'ed, *nr). */
int number_list__parse(u32 **numbers, u32 *nr, const char *text, struct error *err);

#endif
