// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/unwound.h"

#include <stdlib.h>
#include <string.h>

#include "util/data/features.h"
#include "util/data/reader.h"
#include "util/lib/alloc.h"

#define WORDS_MAX (65536 / 8) /* a recorded chain has no room for more */

struct unwound {
	const struct arch *arch; /* of the machine that recorded */
	bool swap;
	struct resolver *resolver;
	struct unwinder *unwinder;
	struct unwind_tables *own_tables; /* NULL: they are shared */
	u32 max;
	u64 *words; /* room for both parts and markers */
};

/* In whose address space the unwinder asks. */
struct asking {
	struct resolver *resolver;
	const struct task *task;
	struct moment when;
};

bool unwound__in_session(const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (unwound__wants(perf_data__layout(session->data, session->evlist->evsels[i])))
			return true;
	return false;
}

struct unwound *unwound__new(const struct session *session, struct unwind_tables *tables,
                             struct resolver *resolver, u32 max_stack)
{
	struct unwound *unwound = xcalloc(1, sizeof(*unwound));

	unwound->arch = perf_data__arch(session->data);
	unwound->swap = perf_data__swapped(session->data);
	unwound->resolver = resolver;
	unwound->unwinder = unwinder__new(tables);
	unwound->max = max_stack < WORDS_MAX ? max_stack : WORDS_MAX;
	unwound->words = xcalloc(2 * WORDS_MAX + 1, sizeof(*unwound->words));
	return unwound;
}

struct unwound *unwound__open(const struct session *session, const struct symbol_config *config,
                              struct resolver *resolver, u32 max_stack)
{
	if (!unwound__in_session(session))
		return NULL;
	struct unwind_tables *tables = unwind_tables__new(&session->dsos, config);
	struct unwound *unwound = unwound__new(session, tables, resolver, max_stack);

	unwound->own_tables = tables;
	return unwound;
}

void unwound__delete(struct unwound *unwound)
{
	if (!unwound)
		return;
	unwinder__delete(unwound->unwinder);
	unwind_tables__delete(unwound->own_tables);
	free(unwound->words);
	free(unwound);
}

static void find_place(void *ctx, u64 addr, struct unwind_place *place)
{
	const struct asking *asking = ctx;
	struct place found;

	resolver__place(asking->resolver, asking->task, PERF_RECORD_MISC_USER, addr, asking->when,
	                &found);
	*place = (struct unwind_place){ .dso = found.loc.dso,
		                        .addr = found.loc.addr,
		                        .since = found.valid.since,
		                        .until = found.valid.until };
}

/*
 * The recorded words before the user's part, which unwinding replaces (where it is recorded at
 * all). Returns how many.
 */
static u32 take_recorded(struct unwound *unwound, const struct u64_span *chain, u32 *nr_cut)
{
	u32 nr = 0, frames = 0;

	for (u64 i = 0; i < chain->nr && nr < WORDS_MAX; i++) {
		u64 word = u64_span__get(chain, i, unwound->swap);
		bool marker = word >= PERF_CONTEXT_MAX;

		if (word == PERF_CONTEXT_USER)
			break;
		if (marker || frames++ < unwound->max)
			unwound->words[nr++] = u64_span__get(chain, i, false);
	}
	*nr_cut = frames > unwound->max ? frames - unwound->max : 0;
	return nr;
}

static u64 in_file_order(const struct unwound *unwound, u64 word)
{
	return unwound->swap ? bswap_64(word) : word;
}

/*
 * Who called the function at @ip, when its return address is in the link register still: 0 when
 * it has been stored, which is asked of the unwind tables. The stack is not known: any place will
 * do, for nothing can be read from it.
 */
static u64 caller_by_link(struct unwound *unwound, struct unwind_sample *in, u64 ip)
{
	const u64 somewhere = 1ull << 32;
	struct chain_verdict verdict;
	u64 ips[2];

	in->regs.known &= 1ull << in->arch->leaf_link;
	in->regs.known |= 1ull << in->arch->sp;
	in->regs.values[in->arch->sp] = somewhere;
	in->regs.pc = ip;
	in->regs.has_pc = true;
	in->stack = NULL;
	in->stack_size = 0;
	return unwinder__run(unwound->unwinder, in, ips, 2, &verdict) == 2 ? ips[1] : 0;
}

static void put_in_caller(struct unwound *unwound, struct sample *sample, struct unwind_sample *in)
{
	const struct u64_span *chain = &sample->chain;
	u64 leaf = 0, caller;

	while (leaf < chain->nr && u64_span__get(chain, leaf, unwound->swap) != PERF_CONTEXT_USER)
		leaf++;
	leaf++; /* behind the marker */
	if (!in->arch->leaf_link || leaf >= chain->nr || chain->nr >= WORDS_MAX)
		return;
	caller = caller_by_link(unwound, in, u64_span__get(chain, leaf, unwound->swap));
	if (!caller ||
	    (leaf + 1 < chain->nr && u64_span__get(chain, leaf + 1, unwound->swap) == caller + 1))
		return; /* the frame pointers tell it already */
	memcpy(unwound->words, chain->data, (leaf + 1) * 8);
	unwound->words[leaf + 1] = in_file_order(unwound, caller);
	memcpy(unwound->words + leaf + 2, chain->data + (leaf + 1) * 8, (chain->nr - leaf - 1) * 8);
	sample->chain =
	        (struct u64_span){ .data = (const u8 *)unwound->words, .nr = chain->nr + 1 };
}

bool unwound__join(struct unwound *unwound, struct sample *sample,
                   const struct sample_layout *layout, const struct task *task, struct moment when,
                   struct unwound_end *end)
{
	struct asking asking = { .task = task, .when = when };
	struct unwind_sample in;

	if (!unwound || !unwound__wants(layout) ||
	    !unwind_sample__take(&in, unwound->arch, sample, layout->regs_user, unwound->swap))
		return false;
	asking.resolver = unwound->resolver;
	in.space = task->instance;
	in.when = when;
	in.place = find_place;
	in.ctx = &asking;
	if (!unwound__has_copies(layout)) {
		put_in_caller(unwound, sample, &in);
		return false;
	}
	u32 nr = take_recorded(unwound, &sample->chain, &end->nr_cut);
	u64 *user = unwound->words + nr + 1;
	u32 frames = unwinder__run(unwound->unwinder, &in, user, unwound->max, &end->verdict);

	for (u32 i = 0; unwound->swap && i < frames; i++)
		user[i] = in_file_order(unwound, user[i]);
	user[-1] = in_file_order(unwound, PERF_CONTEXT_USER);
	sample->chain = (struct u64_span){ .data = (const u8 *)unwound->words,
		                           .nr = frames ? nr + 1 + frames : nr };
	return true;
}
