/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites a sample with a copy of the stack (record --call-graph dwarf) as one with its whole call
 * chain. That is the kernel's part as recorded, then the unwound user part. There are two forms:
 *
 *  - plain: the registers and the stack are gone, and the event must have neither; or it has
 *    registers and no stack (chains by frame pointers on arm64), and the sample's ABI says that it
 *    has none.
 *  - told: the event stays as it is, so that such samples can stand beside others that keep their
 *    copy. The sample has no registers (PERF_SAMPLE_REGS_ABI_NONE), and a stack of one word, the
 *    verdict, with a dynamic size of 0: readers, Linux's perf 6.1 too, find nothing to unwind and
 *    take the chain as it is. The kernel writes no such sample: without registers it copies no
 *    stack.
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

/* Do they have a call chain, too, so that they can be written again? */
static inline bool chain_record__converts(u64 sample_type)
{
	return sample_type & PERF_SAMPLE_CALLCHAIN && chain_record__has_copies(sample_type);
}

/* Work space for a chain; one per thread. */
struct chain_join {
	u32 max;    /* frames of each part that are kept, those nearest the leaf */
	bool swap;  /* the file has the other byte order */
	u64 *words; /* of both parts, with markers */
};

void chain_join__init(struct chain_join *join, u32 max, bool swap);
void chain_join__exit(struct chain_join *join);

/*
 * The whole chain of @sample, in the file's byte order, valid until the next call: the recorded
 * words before the user's part, then the frames unwound from @in, which was taken from @sample.
 * *nr_cut: frames of the kernel's part beyond the limit.
 */
struct u64_span chain_join__unwind(struct chain_join *join, struct unwinder *unwinder,
                                   const struct unwind_sample *in, const struct sample *sample,
                                   struct chain_verdict *verdict, u32 *nr_cut);

enum chain_form {
	CHAIN_PLAIN,
	CHAIN_PLAIN_REGS, /* of an event with registers */
	CHAIN_TOLD,
	CHAIN_TOLD_PILOT, /* told, of a pilot's sample (util/record/call_graph_choice.h) */
};

/* The chain of a told sample. */
struct chain_told {
	struct u64_span chain;
	enum chain_end end;
	bool pilot;
	u32 nr_cut; /* frames of the kernel's part beyond the limit */
};

/*
 * Take the chain of a sample in the told form; false for other samples. Both parts together have no
 * more than max frames, as recorded chains have in Linux's perf.
 */
bool chain_join__told(struct chain_join *join, const struct sample *sample,
                      struct chain_told *told);

/*
 * Write @record again with @chain, to @out (CHAIN_RECORD_MAX bytes). @record is fully decoded as
 * @sample of @layout, and has copies or the told form. @end: how the chain ended, written in told
 * forms only. Returns the size. A chain that is too long for a record is cut. 0: there is no room
 * for a told form (for the plain one there always is).
 */
u32 chain_record__write(u8 *out, const struct record *record, const struct sample *sample,
                        const struct sample_layout *layout, const struct u64_span *chain,
                        enum chain_form form, enum chain_end end);

#endif
