/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call chains of samples with user registers and a stack copy (record --call-graph dwarf), or with
 * the calls that the processor keeps (--call-graph lbr).
 *
 * A chain is the kernel's part as recorded, followed by the user part that was unwound or kept.
 */
#ifndef PERF_UTIL_STREAM_UNWOUND_H
#define PERF_UTIL_STREAM_UNWOUND_H

#include "util/format/sample.h"
#include "util/machine/session.h"
#include "util/stream/resolve.h"
#include "util/unwind/chain_record.h"
#include "util/unwind/tables.h"

#define ARM64_LINK_REGISTER 30 /* the only leaf_link (arch/arch.h) there is */

static inline bool unwound__has_copies(const struct sample_layout *layout)
{
	return chain_record__has_copies(layout->sample_type);
}

/*
 * Chains by frame pointers with arm64's link register: a leaf function keeps no frame there, so its
 * caller is only in that register. (Among the known architectures only riscv64 also has this bit;
 * its samples are left alone.)
 */
static inline bool unwound__has_links(const struct sample_layout *layout)
{
	const u64 need = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_CALLCHAIN;

	return (layout->sample_type & (need | PERF_SAMPLE_STACK_USER)) == need &&
	       layout->regs_user >> ARM64_LINK_REGISTER & 1;
}

/* The branch stack has the calls that have not returned: where each came from, the newest first. */
static inline bool unwound__has_calls(const struct sample_layout *layout)
{
	const u64 need = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CALLCHAIN;

	return (layout->sample_type & need) == need &&
	       layout->branch_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* One of them: the samples must be decoded fully. */
static inline bool unwound__wants(const struct sample_layout *layout)
{
	return unwound__has_copies(layout) || unwound__has_links(layout) ||
	       unwound__has_calls(layout);
}

bool unwound__in_session(const struct session *session); /* of any event */
bool unwound__in_all(const struct session *session);     /* of all that have chains */

/* Can @style unwind the session's stacks? 0 (also if it has none), or -ENOTSUP with @err. */
int unwound__check(const struct session *session, enum unwind_style style, struct error *err);

struct unwound; /* private; one per worker */

/*
 * All borrowed. Of each part at most the @max_stack frames nearest the leaf are kept. @style
 * selects the unwinder.
 */
struct unwound *unwound__new(const struct session *session, struct unwind_tables *tables,
                             struct resolver *resolver, u32 max_stack, enum unwind_style style);

/*
 * The same with the tables of @whole, of the same session, which outlives it; or with its own if
 * that is NULL. NULL: no event of the session needs unwinding.
 */
struct unwound *unwound__open(const struct session *session, const struct symbol_config *config,
                              struct resolver *resolver, u32 max_stack, enum unwind_style style,
                              const struct unwound *whole);
void unwound__delete(struct unwound *unwound); /* NULL is fine, as for the next two */

/* Drop what was found in the machine (machine__settle()), but keep the tables of objects. */
void unwound__forget(struct unwound *unwound);

/* How the user part ended, and how many frames of the kernel part were cut. */
struct unwound_end {
	struct chain_verdict verdict;
	u32 nr_cut;
	enum row_end_by by;
};

/*
 * Make sample->chain the whole chain in the form of recordings with frame pointers: in the file's
 * byte order, with markers. It is valid until the next call. A chain unwound while recording is
 * kept, but cut. False: nothing was unwound, and the chain is the recorded one, with the caller of
 * arm64's leaf inserted, or with the calls that the processor kept as its user part.
 */
bool unwound__join(struct unwound *unwound, struct sample *sample,
                   const struct sample_layout *layout, const struct task *task, struct moment when,
                   struct unwound_end *end);

#endif
