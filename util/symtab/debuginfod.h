/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug files by build-id from debuginfod servers (DEBUGINFOD_URLS), through libdebuginfod, which
 * keeps what it gets in its own cache. Nothing of it is loaded before debuginfod__new(), and that
 * is called only when the user has asked for it: it tells strangers what is being looked at.
 */
#ifndef PERF_UTIL_SYMTAB_DEBUGINFOD_H
#define PERF_UTIL_SYMTAB_DEBUGINFOD_H

#include "util/elf/build_id.h"
#include "util/lib/error.h"

/* Seconds that all questions of one run may take; DEBUGINFOD_MAXTIME is another limit. */
#define DEBUGINFOD_SECONDS 60u

struct debuginfod; /* private */

struct debuginfod_progress {
	void *ctx;
	/*
	 * About once a second while one is being fetched; from any thread, never two at a time.
	 * @total 0: not known. False: stop it.
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
 * The path of the debug file with build-id @id (malloc'ed), or NULL. @name is for @progress. When
 * servers cannot be reached or time is over nothing more is asked. From several threads: one
 * waits for the other.
 */
char *debuginfod__find(struct debuginfod *client, const struct build_id *id, const char *name);

/* What went wrong first, but for files that no server has; code 0: nothing. No thread may ask. */
const struct error *debuginfod__error(const struct debuginfod *client);
u32 debuginfod__nr_found(const struct debuginfod *client);

#endif
