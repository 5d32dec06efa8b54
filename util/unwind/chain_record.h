/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample with user registers and a copy of the stack (record --call-graph dwarf), written again
 * with the whole call chain in the place of that: the kernel's part as recorded, then what was
 * unwound of the user's. Two forms:
 *
 *  - plain: the two fields are gone, and the event must have neither; or it has registers and no
 *    stack (chains by frame pointers on arm64), and the sample says that it has none.
 *  - told: the event stays as it is, so that such samples lie beside others whose copy was kept.
 *    The registers are those of a sample without any (PERF_SAMPLE_REGS_ABI_NONE), and of the stack
 *    one word is there, of which, says the word behind it, nothing was copied: a reader finds
 *    nothing to be unwound and takes the chain as it is. Linux's perf 6.1 does. The kernel writes
 *    no such sample: without registers it copies no stack. The one word is the verdict.
 *
 * Frames above the first are the last bytes of calls, as unwinder__run() gives them.
 */
#ifndef PERF_UTIL_UNWIND_CHAIN_RECORD_H
#define PERF_UTIL_UNWIND_CHAIN_RECORD_H

#include "util/format/record.h"
#include "util/format/sample.h"
#include "util/unwind/unwind.h"

#define CHAIN_RECORD_MAX (UINT16_MAX & ~7u)
#define CHAIN_WORDS_MAX  (65536 / 8) /* no recorded chain has more */

/* Do samples of this type carry what unwinding needs? */
static inline bool chain_record__has_copies(u64 sample_type)
{
	const u64 need = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	return (sample_type & need) == need;
}

/* And room for a chain, so that they can be written again? */
static inline bool chain_record__converts(u64 sample_type)
{
	return sample_type & PERF_SAMPLE_CALLCHAIN && chain_record__has_copies(sample_type);
}

/* Room for a chain at work; one per thread. Zero-initialise max and swap, then init. */
struct chain_join {
	u32 max;    /* frames of each part that are kept, those nearest the leaf */
	bool swap;  /* the file has the other byte order */
	u64 *words; /* of both parts, with markers */
};

void chain_join__init(struct chain_join *join, u32 max, bool swap);
void chain_join__exit(struct chain_join *join);

/*
 * The whole chain of @sample, in the file's byte order, valid until the next call: the recorded
 * words before the user's part, then what @in, taken of the sample, unwinds to. *nr_cut: how many
 * of the kernel's frames were too many.
 */
struct u64_span chain_join__unwind(struct chain_join *join, struct unwinder *unwinder,
                                   const struct unwind_sample *in, const struct sample *sample,
                                   struct chain_verdict *verdict, u32 *nr_cut);

enum chain_form {
	CHAIN_PLAIN,
	CHAIN_PLAIN_REGS, /* of an event with registers */
	CHAIN_TOLD,
	CHAIN_TOLD_PILOT, /* told, but not because copies are to be
	                     (util/record/call_graph_choice.h) */
};

/* What a told sample says of its chain. */
struct chain_told {
	struct u64_span chain;
	enum chain_end end;
	bool pilot;
	u32 nr_cut; /* frames of the kernel's part that were too many */
};

/*
 * The same of a sample that has its chain, and was told how it ended: false for others. Both parts
 * together have no more than max frames, as recorded chains have in Linux's perf.
 */
bool chain_join__told(struct chain_join *join, const struct sample *sample,
                      struct chain_told *told);

/*
 * Write to @out (CHAIN_RECORD_MAX bytes) what @record, fully decoded as @sample of @layout with
 * copies, or of the told form, becomes with @chain, which ended with @end (told forms alone tell
 * it). Returns its size. A chain that is too long for a record is cut. 0: a told one has no room
 * (the plain one always has).
 */
u32 chain_record__write(u8 *out, const struct record *record, const struct sample *sample,
                        const struct sample_layout *layout, const struct u64_span *chain,
                        enum chain_form form, enum chain_end end);

#endif
