/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sort keys: the properties that two rows of one entry share. Some belong to the row (comm, pid,
 * tid, cpu: the entry's *context*), some to a location (dso, symbol, srcline, srcfile).
 */
#ifndef PERF_UTIL_PROFILE_KEYS_H
#define PERF_UTIL_PROFILE_KEYS_H

#include "util/lib/error.h"
#include "util/lib/types.h"

enum sort_key {
	KEY_COMM,
	KEY_PID,
	KEY_TID,
	KEY_CPU,
	KEY_DSO,
	KEY_SYM,
	KEY_SRCLINE,
	KEY_SRCFILE,
	KEY_NR
};

struct sort_keys {
	enum sort_key keys[KEY_NR]; /* in the order of columns */
	u32 nr;
	bool has[KEY_NR];
};

#define SORT_KEYS_DEFAULT "comm,dso,symbol"
#define SORT_KEYS_ALL     "comm, pid, tid, cpu, dso, symbol, srcline, srcfile, overhead"

/*
 * Parse "comm,dso,symbol". As in Linux's perf a prefix of a name is enough ("sym"), upper and lower
 * case are the same, and a repeated key counts once. Overhead is always shown; as the only key it
 * puts all rows into one entry. -EINVAL with @err for an unknown key; the advice lists the nearest
 * or all names.
 */
int sort_keys__parse(struct sort_keys *keys, const char *text, struct error *err);

const char *sort_key__name(enum sort_key key);    /* "symbol" */
const char *sort_key__heading(enum sort_key key); /* "Shared Object" */

#endif
