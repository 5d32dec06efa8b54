/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which objects did the samples of a file fall into? For the build-ids of a recording,
 * `buildid-list --with-hits` and `archive`.
 */
#ifndef PERF_UTIL_MACHINE_SAMPLED_DSOS_H
#define PERF_UTIL_MACHINE_SAMPLED_DSOS_H

#include "util/machine/session.h"
#include "util/reader/features.h"

enum sampled_dsos_flags {
	SAMPLED_DSOS_FRAMES =
	        1u << 0, /* the frames of call chains count, too, not only the samples' ip */
};

/*
 * @session has been scanned. @hit has session->dsos.nr places, zeroed, and gets true where a sample
 * fell. 0, or a negative errno when the file cannot be read again (what was found stands).
 */
int session__find_sampled_dsos(const struct session *session, unsigned flags, bool *hit);

/*
 * The same as a list: each object that was hit, with its build-id (of size 0: it has none). Those
 * that the header names come first, in its order. The entries live during the call.
 */
int session__tell_sampled_dsos(struct session *session, unsigned flags,
                               void (*tell)(void *ctx, const struct build_id_entry *entry),
                               void *ctx);

#endif
