/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a session in an order, and the samples in them, ready to be used: decoded as far
 * as was asked for, filtered, with their task, their moment and their whole chain, and one for each
 * event that counted. What cannot be used is counted, and nothing else is lost with it.
 *
 *	while ((record = stream__record(stream)))
 *		while ((s = stream__sample(stream)))
 *			... s->sample, s->evsel, s->task ...
 *
 * All records of the file come, whatever they are: those of damaged samples, and of events that are
 * not known, too. They just have no sample.
 *
 * Profiles do not need an order and are built by many workers: util/profile/build.c reads blocks
 * itself, with the same filter, frame_walk.h and read_problems.h.
 */
#ifndef PERF_UTIL_STREAM_STREAM_H
#define PERF_UTIL_STREAM_STREAM_H

#include "util/machine/session.h"
#include "util/reader/time_index.h"
#include "util/stream/read_problems.h"
#include "util/stream/resolve.h"
#include "util/stream/sample_filter.h"
#include "util/stream/unwound.h"

enum stream_order {
	STREAM_FILE,
	STREAM_TIME,      /* util/reader/ordered.h */
	STREAM_AS_PERF,   /* as Linux's perf takes them up: util/reader/perf_order.h ... */
	STREAM_AS_INJECT, /* ... as its inject does, which sorts them all */
	STREAM_ROUNDS,    /* as in the file; late ones are counted */
	STREAM_PART, /* parts of what another one has in the order of time: stream__begin_part() */
};

/* What is made of the samples of an event. */
enum stream_need {
	STREAM_NOTHING, /* they are left out; not even broken ones are counted */
	STREAM_FAST,    /* what sample__decode_fast() gives */
	STREAM_RAW,     /* what sample__decode_raw() gives */
	STREAM_ALL,     /* all fields */
	STREAM_CHAIN, /* their whole chain, unwound where that is wanted; with the rest as needed */
	STREAM_ALL_AND_CHAIN,
};

enum stream_flags {
	STREAM_TASKS = 1u << 0,  /* look tasks up; samples of none are broken */
	STREAM_COUNTS = 1u << 1, /* of samples with counts make one for each event that counted */
	/* Also samples that do not pass by task, or of no known task: with .passes false. */
	STREAM_REJECTED = 1u << 2,
};

/* All pointers are borrowed. */
struct stream_options {
	enum stream_order order;
	enum stream_need need;              /* of all events; see stream__set_need() */
	unsigned flags;                     /* enum stream_flags */
	const struct sample_filter *filter; /* NULL: all samples */
	const struct symbol_config
	        *objects; /* where unwinding finds them; NULL: nothing is unwound */
	u32 max_stack;    /* frames of each part of an unwound chain */
	enum unwind_style unwind_style;
	const struct stream *whole; /* of STREAM_PART; STREAM_TIME, not live, and outlives it */
};

struct stream_sample {
	const struct evsel *evsel;
	const struct sample_layout *layout;
	struct sample *sample;   /* .period: of @evsel; .chain: whole */
	const struct task *task; /* NULL: not asked for, or unknown (STREAM_REJECTED) */
	struct moment when;
	bool passes;
	bool unwound;             /* the chain was unwound: ... */
	struct unwound_end end;   /* ... how it ended, and ... */
	struct u64_span recorded; /* ... what stands in the record */
};

struct stream; /* private */

/* @session was scanned. NULL with @err: it cannot be read again, or its stacks not be unwound. */
struct stream *stream__new(const struct session *session, const struct stream_options *options,
                           struct error *err);
void stream__delete(struct stream *stream);

void stream__set_need(struct stream *stream, const struct evsel *evsel, enum stream_need need);

/* Go on to the next record; NULL at the end, or until stream__more(). Valid until the next call. */
const struct record *stream__record(struct stream *stream);

/* Of STREAM_PART: go on to the records between these places, which are not before the last ones. */
void stream__begin_part(struct stream *stream, struct record_place from, struct record_place until);

/* Of STREAM_TIME: where it can be cut into parts, and the place behind the record at hand. */
const struct time_index *stream__times(const struct stream *stream);
struct record_place stream__next_place(const struct stream *stream);

/* The next sample in that record, valid until the next call; NULL: it has no more. */
const struct stream_sample *stream__sample(struct stream *stream);

/* Of a stream at its end: 0, or a negative errno with @err if not all of the file could be read. */
int stream__error(const struct stream *stream, struct error *err);

/*
 * Wait for more of a live @session, that of the stream, once all that has come was taken. As
 * session__more(): 1, with *changed; 0: it has ended; or a negative errno with @err, also that of
 * stream__error().
 */
int stream__more(struct stream *stream, struct session *session, bool *changed, struct error *err);

/* By time and CPU: samples judged, and those that passed. */
struct stream_counts {
	u64 nr_judged, nr_passed;
};

const struct stream_counts *stream__counts(const struct stream *stream);
const struct read_problems *stream__problems(struct stream *stream);

/* That of its tasks and chains, to be shared. */
struct resolver *stream__resolver(struct stream *stream);

#endif
