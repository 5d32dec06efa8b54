/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches debug files by build-id from debuginfod servers (DEBUGINFOD_URLS). libdebuginfod does it,
 * and keeps its own cache. It is not loaded before debuginfod__new(), which is called only when the
 * user has asked for it: queries show strangers what is being looked at.
 */
#ifndef PERF_UTIL_SYMTAB_DEBUGINFOD_H
#define PERF_UTIL_SYMTAB_DEBUGINFOD_H

#include "util/elf/build_id.h"
#include "util/lib/error.h"

/* Limit in seconds for all queries of one run; DEBUGINFOD_MAXTIME is another limit. */
#define DEBUGINFOD_SECONDS 60u

struct debuginfod; /* private */

struct debuginfod_progress {
	void *ctx;
	/*
	 * Called about once a second during a download; from any thread, never two at a time.
	 * @total 0: not known. False: stop the download.
	 */
	bool (*tell)(void *ctx, const char *name, u64 done, u64 total);
};

/*
 * NULL with @err: perf was built without it, the library is missing, or no server is named.
 * @progress (may be NULL) is copied.
 */
struct debuginfod *debuginfod__new(const struct debuginfod_progress *progress, struct error *err);
void debuginfod__delete(struct debuginfod *client); /* NULL is fine */

/*
 * The path of the debug file with build-id @id (malloc'ed), or NULL. @name is for @progress. Once
 * servers cannot be reached or time is over, no more is queried. Threads wait for one another.
 */
char *debuginfod__find(struct debuginfod *client, const struct build_id *id, const char *name);

/*
 * The first failure, other than a file that no server has; code 0: none. Not while a thread may
 * query.
 */
const struct error *debuginfod__error(const struct debuginfod *client);
u32 debuginfod__nr_found(const struct debuginfod *client);

#endif
