/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the objects that the samples of a file fell into. Used for the build-ids of a recording,
 * `buildid-list --with-hits` and `archive`.
 */
#ifndef PERF_UTIL_ANALYSIS_SAMPLED_DSOS_H
#define PERF_UTIL_ANALYSIS_SAMPLED_DSOS_H

#include "util/machine/session.h"
#include "util/reader/features.h"

enum sampled_dsos_flags {
	SAMPLED_DSOS_FRAMES =
	        1u << 0, /* the frames of call chains count, too, not only the samples' ip */
};

/*
 * @session has been scanned. @hit has session->dsos.nr elements, zeroed; those of dsos with samples
 * become true. 0, or a negative errno when the file cannot be read again (what was found stands).
 */
int session__find_sampled_dsos(const struct session *session, unsigned flags, bool *hit);

/*
 * The same as a list: each object that was hit, with its build-id (of size 0: it has none). Those
 * in the header come first, in its order. The entries are valid during the call.
 */
int session__tell_sampled_dsos(struct session *session, unsigned flags,
                               void (*tell)(void *ctx, const struct build_id_entry *entry),
                               void *ctx);

#endif
