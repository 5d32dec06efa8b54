/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording again with something added or changed (perf inject). The options, as in
 * Linux's perf 6.1:
 *  - build_ids: writes a BUILD_ID record in front of the first sample that falls into an object (by
 *    its innermost frame; others of chains are not looked at). Records with a time come in the
 *    order of time, behind those without.
 *  - all_build_ids: writes it in front of the first map of each file instead; the order stays.
 *  - map_build_ids: writes the build-id into the MMAP2 records of objects that samples fell into
 *    instead, in the fields of device and inode; all_map_build_ids: into those of all objects.
 *  - sched_stat: keeps samples of sched_switch back; each sched:sched_stat_* sample of a thread
 *    then becomes that thread's last switch, with its chain, at the time and with the period of the
 *    sched_stat.
 *  - jit: adds map records, each at its time, for the code in dumps of JIT compilers, and build-ids
 *    in the header (and copies in the cache) of what samples fell into. The marks by which dumps
 *    are found are left out, and maps of memory without a file that would cover the functions.
 *  - chains: converts samples with copies of the stack into ones with call chains
 *    (convert_chain.h).
 */
#ifndef PERF_UTIL_EXPORT_INJECT_H
#define PERF_UTIL_EXPORT_INJECT_H

#include "util/export/jit_maps.h"
#include "util/export/known_ids.h"
#include "util/lib/error.h"
#include "util/machine/session.h"
#include "util/profile/health.h"
#include "util/unwind/unwind.h"
#include "util/writer/writer.h"

struct inject_options {
	bool build_ids, all_build_ids, map_build_ids, all_map_build_ids, sched_stat;
	struct known_ids known;
	const char *cache_dir; /* for jit; NULL: none */
	/* Called for an object whose build-id cannot be had; or NULL. */
	void (*no_build_id)(void *ctx, const char *name);
	void *ctx;
	/* For chains: where objects with unwind tables are found; or NULL. */
	const struct symbol_config *chains;
	enum unwind_style unwind_style;
	struct jit_maps *jit; /* collected from the session, marks what samples hit; or NULL */
};

struct inject_counts {
	u64 nr_samples, nr_injected;
	u64 nr_maps;
	u64 nr_dropped;       /* records of unknown types, which other perfs would stop at */
	struct health health; /* how the converted chains ended; freed by the caller */
};

/*
 * Write @session (scanned) to @path, or with NULL as a stream to standard output. @words: the
 * command line for the header of the copy; a stream made from a stream keeps the recording's. 0
 * or a negative errno with @err (-EPIPE: the reader has gone).
 */
int inject__run(struct session *session, const char *path, const struct inject_options *options,
                const char *const *words, u32 nr_words, const char *version,
                struct inject_counts *counts, struct error *err);

#endif
