/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass over a finished recording: count samples and losses, find the objects and build-ids.
 *
 * The objects are those that samples fell into. Their build-ids go into the header, the files
 * into the cache; then the recording can be read even after the binaries have changed.
 */
#ifndef PERF_UTIL_RECORD_BUILD_IDS_H
#define PERF_UTIL_RECORD_BUILD_IDS_H

#include "util/lib/error.h"
#include "util/lib/types.h"
#include "util/reader/features.h"

struct perf_data;

struct build_id_origin {
	u32 dso;  /* of the pass's session */
	s32 root; /* the file is in the root of this process; -1: in ours */
};

struct build_id_pass {
	/* Set by the caller. */
	bool build_ids; /* else only count */
	bool all;       /* of every mapped object, not only of those with samples */
	void (*reading)(const struct perf_data *data); /* or NULL; told NULL before it is closed */

	/* Results. */
	bool counted; /* the recording was read: the rest is valid */
	u64 nr_samples, lost, lost_samples;
	u64 first_sample, last_sample; /* ns; 0, 0 when the samples carry no time */
	u64 *samples_of;               /* of each event of the file; owned. NULL unless counted */
	u32 nr_events;
	struct build_id_entry *entries;  /* kernel first, then in order of mapping; names owned */
	struct build_id_origin *origins; /* by entry */
	u32 nr_entries;
	size_t cap, origins_cap;

	/*
	 * Maps of files that share a name with another file (of a container, or replaced). The
	 * header has one build-id for a name, so each of these maps gets its own.
	 */
	struct map_build_id {
		u64 offset; /* of the MMAP2 record */
		u32 entry;
	} * maps;
	u32 nr_maps;
	size_t maps_cap;
};

/* @path is a recording whose header is sealed. 0 or a negative errno. */
int build_id_pass__run(struct build_id_pass *pass, const char *path, struct error *err);
void build_id_pass__exit(struct build_id_pass *pass);

/*
 * Put the objects of @pass into the build-id cache @dir; objects already there cost a look-up.
 * Returns the number of objects that failed, with @err of the last one.
 */
u32 build_id_pass__fill_cache(const struct build_id_pass *pass, const char *dir, struct error *err);

#endif
