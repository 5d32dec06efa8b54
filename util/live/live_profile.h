/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile that grows while its recording goes on: takes a stream as it comes, lets what is old
 * count less, names what it sees.
 *
 *	live_profile__open(&live, path, &err);		the head of the stream has come
 *	live_profile__start(&live, &options, &err);
 *	while (live_profile__take(&live, &err) > 0)	when there is something in the pipe
 *		if (it is time to)
 *			live_profile__look(&live);	live.profile and live.names, for views
 *
 * One thread. The memory is that of the rows which still count, of the tasks that they name and of
 * those that live, and of the symbols of the objects that either of them names. Of other objects
 * the path and the build-id stay.
 */
#ifndef PERF_UTIL_LIVE_LIVE_PROFILE_H
#define PERF_UTIL_LIVE_LIVE_PROFILE_H

#include "util/profile/builder.h"
#include "util/profile/names.h"
#include "util/stream/event_switch.h"
#include "util/stream/stream.h"
#include "util/view/key_trace.h"

/* Samples that came, also those that are left out. */
struct live_counts {
	u64 all, kernel, user, guest_kernel, guest_user;
	u64 exact; /* PERF_RECORD_MISC_EXACT_IP */
};

struct live_options {
	const struct profile_options *profile; /* any_thread and by_number do not count */
	const struct event_switch *event_switch;
	struct session_symbols *symbols; /* of the session that was opened */
	struct trace_keys *trace_keys;   /* those among the keys of samples; NULL: none */
};

struct live_profile {
	struct session session;
	struct profile profile; /* of the last look */
	struct names names;     /* of its locations */
	struct live_counts counts;
	bool hide_kernel, hide_user; /* leave out what comes from there */
	u64 half_life;               /* ns after which a sample counts half; 0: always all */
	/* Private. */
	struct live_options options;
	struct profile_options building; /* .profile of these: rows have threads, which are kept */
	struct stream *stream;
	struct profile_builder *builder;
	struct event_switcher switcher;
	u64 last, decayed; /* the last sample; when they were halved, by their clock */
	u64 forgot;        /* by the clock of records */
	bool named;
	u32 generation, nr_named; /* of the snapshot that was named */
};

/* Wait for the head of the stream at @path ("-": standard input). On failure nothing is open. */
int live_profile__open(struct live_profile *live, const char *path, struct error *err);

/* All that @options points to is borrowed. Takes what came with the head. */
int live_profile__start(struct live_profile *live, const struct live_options *options,
                        struct error *err);
void live_profile__close(struct live_profile *live);

/* Wait for a round of the stream, and add it. 1; 0: it has ended; a negative errno with @err. */
int live_profile__take(struct live_profile *live, struct error *err);

/* Make .profile what was added so far, and .names its names: those of the last look are gone. */
void live_profile__look(struct live_profile *live);

/* Begin again with nothing. The last look stays. */
void live_profile__clear(struct live_profile *live);

#endif
