/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses --known-build-ids: build-ids that replace those in the files. The value is a
 * comma-separated list of "ID PATH", or file://NAME: a file with one of these in each line, as perf
 * buildid-list prints them.
 */
#ifndef PERF_UTIL_EXPORT_KNOWN_IDS_H
#define PERF_UTIL_EXPORT_KNOWN_IDS_H

#include "util/elf/build_id.h"
#include "util/lib/error.h"

struct known_ids {
	struct known_id {
		char *path;
		struct build_id id;
	} * ids;
	size_t nr, cap;
};

/* 0, or a negative errno with @err: an invalid entry, a missing file. */
int known_ids__parse(struct known_ids *known, const char *text, struct error *err);
void known_ids__exit(struct known_ids *known);

/* The last one given for @path; NULL: none. */
const struct build_id *known_ids__find(const struct known_ids *known, const char *path);

#endif
