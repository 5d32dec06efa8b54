/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call chains of samples that carry user registers and a copy of the stack (record
 * --call-graph dwarf): the kernel's part as recorded, then what unwinding finds in the user's.
 */
#ifndef PERF_UTIL_PROFILE_UNWOUND_H
#define PERF_UTIL_PROFILE_UNWOUND_H

#include "util/format/sample.h"
#include "util/machine/session.h"
#include "util/profile/health.h"
#include "util/profile/resolve.h"
#include "util/unwind/chain_record.h"

#define ARM64_LINK_REGISTER 30 /* the only leaf_link (arch/arch.h) there is */

static inline bool unwound__has_copies(const struct sample_layout *layout)
{
	return chain_record__has_copies(layout->sample_type);
}

/*
 * Chains by frame pointers, and arm64's link register: a leaf function keeps no frame there, so
 * its caller stands nowhere else. (No other architecture that is known here has this bit but
 * riscv64, whose samples are left alone.)
 */
static inline bool unwound__has_links(const struct sample_layout *layout)
{
	const u64 need = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_CALLCHAIN;

	return (layout->sample_type & (need | PERF_SAMPLE_STACK_USER)) == need &&
	       layout->regs_user >> ARM64_LINK_REGISTER & 1;
}

/* Either of them: the samples are to be decoded fully. */
static inline bool unwound__wants(const struct sample_layout *layout)
{
	return unwound__has_copies(layout) || unwound__has_links(layout);
}

bool unwound__in_session(const struct session *session); /* of any event */

/* Can @style unwind what is in the session? 0 (also where nothing is), or -ENOTSUP and @err. */
int unwound__check(const struct session *session, enum unwind_style style, struct error *err);

struct unwound; /* private; one per worker */

/*
 * All borrowed. At most @max_stack frames of each part are kept, those nearest the leaf; they are
 * found by @style.
 */
struct unwound *unwound__new(const struct session *session, struct unwind_tables *tables,
                             struct resolver *resolver, u32 max_stack, enum unwind_style style);

/* The same with tables of its own. NULL: no event of the session is to be unwound. */
struct unwound *unwound__open(const struct session *session, const struct symbol_config *config,
                              struct resolver *resolver, u32 max_stack, enum unwind_style style);
void unwound__delete(struct unwound *unwound); /* NULL is fine, as for the next */

/* How the user's part ended, and how many of the kernel's frames were too many. */
struct unwound_end {
	struct chain_verdict verdict;
	u32 nr_cut;
	enum row_end_by by;
};

/*
 * Make sample->chain the whole chain, as a recording with frame pointers has it: in the file's
 * byte order, with markers, valid until the next call; what was unwound while it was recorded
 * stays as it is, but cut. False where there is nothing to be unwound:
 * the chain is that of the recording then, with the caller of arm64's leaf put in.
 */
bool unwound__join(struct unwound *unwound, struct sample *sample,
                   const struct sample_layout *layout, const struct task *task, struct moment when,
                   struct unwound_end *end);

#endif
