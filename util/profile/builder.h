/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds a profile out of samples, one by one, from wherever they come; profile__build() has one
 * for each of its workers, and a live view one that grows as long as it is open.
 *
 *	builder = profile_builder__new(&options, machine, dsos, swap);
 *	profile_builder__add(builder, evsel, layout, &sample, when);
 *	profile_builder__snapshot(builder, &profile);	as often as wanted
 *	profile_builder__decay(builder);		once in a while: what is old counts less
 *
 * The machine must be settled as far as the samples reach. After machine__settle() that changed
 * something profile_builder__settled() must be called. A builder is for one thread at a time, as
 * are the machine and the dsos while they grow. A snapshot is a profile of its own: it stays valid
 * whatever happens to the builder, but its ids of threads, comms and dsos are those of the machine
 * and the session, and are good as long as these keep them.
 */
#ifndef PERF_UTIL_PROFILE_BUILDER_H
#define PERF_UTIL_PROFILE_BUILDER_H

#include "util/profile/intern.h"
#include "util/profile/profile.h"
#include "util/stream/unwound.h"

struct profile_builder; /* private */
struct row_threads;

/*
 * All borrowed. Of @options those for files are not used (workers, objects). @swap: samples are of
 * the other byte order.
 */
struct profile_builder *profile_builder__new(const struct profile_options *options,
                                             const struct machine *machine, const struct dsos *dsos,
                                             bool swap);
void profile_builder__delete(struct profile_builder *builder); /* NULL is fine */

/* What it looks tasks and addresses up with, to be shared. */
struct resolver *profile_builder__resolver(struct profile_builder *builder);

/* What its rows have for threads. */
struct row_threads *profile_builder__threads(struct profile_builder *builder);

/* Unwind samples with copied stacks, by @unwound (borrowed) of the same resolver. */
void profile_builder__unwind_by(struct profile_builder *builder, struct unwound *unwound);

/*
 * Add a sample of @evsel with that layout. It must have been decoded as far as
 * profile_builder__wants_all() says. Its chain is replaced if it is unwound.
 */
void profile_builder__add(struct profile_builder *builder, const struct evsel *evsel,
                          const struct sample_layout *layout, struct sample *sample,
                          struct moment when);

/* Must samples be decoded in full: sample__decode()? Else sample__decode_fast() suffices. */
bool profile_builder__wants_all(const struct profile_builder *builder,
                                const struct sample_layout *layout);

/*
 * The two steps of adding, for samples that count for several events: first the chain, once; then
 * the sample with the period of each.
 */
void profile_builder__begin(struct profile_builder *builder, const struct sample_layout *layout,
                            struct sample *sample, struct moment when);
void profile_builder__add_begun(struct profile_builder *builder, const struct evsel *evsel,
                                const struct sample *sample, struct moment when);

/* A sample that cannot be decoded. */
void profile_builder__add_broken(struct profile_builder *builder);

/* The machine's answers have changed: those that are remembered are dropped. */
void profile_builder__settled(struct profile_builder *builder);

/*
 * Make @profile what was added so far: rows, without those that count nothing any more. @profile
 * is empty (all 0) or an earlier snapshot, whose memory is used again. Its locations have the
 * numbers that they had in the last snapshot, and new ones follow, unless profile->generation
 * changed. Its health is not judged. Costs a copy: a few ms for 100,000 rows.
 */
void profile_builder__snapshot(struct profile_builder *builder, struct profile *profile);

/*
 * Halve the count and period of each row; a row that counts 0 then is forgotten. Where half of the
 * rows are, what remains gets new tables, and the generation changes.
 */
void profile_builder__decay(struct profile_builder *builder);

/* Set used[i] for each thread i that a row names: for machine__forget(). */
void profile_builder__mark_threads(const struct profile_builder *builder, u8 *used);

/* Set used[value] for each value of sample key @slot that a row has, or had since the last halving.
 */
void profile_builder__mark_values(const struct profile_builder *builder, u32 slot, u8 *used);

/*
 * For profile__build(): end adding, and hand over what was added. The counts of what could not be
 * used go to @counts. Returns what the rows have for threads, to be deleted: they are not named
 * yet, as all builders must agree on the names. The builder is to be deleted then.
 */
struct row_threads *profile_builder__finish(struct profile_builder *builder, struct intern *intern,
                                            struct profile *counts);

#endif
