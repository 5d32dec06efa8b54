/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the profile of another recording to one: several runs as one profile.
 *
 *	profile__build(&profile, &first, ...); profile__build(&more, &second, ...);
 *	profile__join(&profile, &first, &more, &second, &options, &told);
 *
 * Events are the same by name, objects by build-id. Objects of one name are kept apart, each with
 * its own addresses, where their build-ids differ or one of them has none (unless it is the same
 * inode); so are kernels that lay elsewhere. Threads are never the same.
 */
#ifndef PERF_UTIL_SUM_JOIN_H
#define PERF_UTIL_SUM_JOIN_H

#include "util/profile/profile.h"

/* What the two recordings do not have in common. Names are of strings of the first session. */
struct join_notes {
	u32 nr_unknown;      /* objects that samples hit, of a name that both have, where ... */
	const char *unknown; /* ... a build-id is missing; the first of them */
	u32 nr_rebuilt;      /* the same with two build-ids */
	const char *rebuilt;
	const char *event; /* an event that only one of them has; NULL: none */
	bool of_first;     /* it is the first */
};

/*
 * Add @more, of @of, to @into, of @session: everything in it means @session then, which gets the
 * threads, objects, events and counts of @of. Both were built with @options and scanned; no symbols
 * of @session may have been made yet. Empties @more.
 */
void profile__join(struct profile *into, struct session *session, struct profile *more,
                   const struct session *of, const struct profile_options *options,
                   struct join_notes *notes);

#endif
