// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/unwound.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"

struct unwound {
	const struct arch *arch; /* of the machine that recorded */
	bool swap;
	enum unwind_style style;
	struct resolver *resolver;
	struct unwinder *unwinder;
	struct unwind_tables *tables;
	bool owns_tables;
	struct chain_join join;
};

/* In whose address space the unwinder asks. */
struct asking {
	struct resolver *resolver;
	const struct task *task;
	struct moment when;
};

/* By what the event was opened with: events of recordings that were added have no layout here. */
static bool wants(const struct evsel *evsel)
{
	const struct sample_layout layout = { .sample_type = evsel->attr.sample_type,
		                              .branch_type = evsel->attr.branch_sample_type,
		                              .regs_user = evsel->attr.sample_regs_user };

	return unwound__wants(&layout);
}

bool unwound__in_session(const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (wants(session->evlist->evsels[i]))
			return true;
	return false;
}

bool unwound__in_all(const struct session *session)
{
	const struct evlist *evlist = session->evlist;

	for (u32 i = 0; i < evlist->nr; i++)
		if (evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN &&
		    !wants(evlist->evsels[i]))
			return false;
	return unwound__in_session(session);
}

int unwound__check(const struct session *session, enum unwind_style style, struct error *err)
{
	if (!unwound__in_session(session))
		return 0;
	return unwind_style__check(style, perf_data__arch(session->data), err);
}

struct unwound *unwound__new(const struct session *session, struct unwind_tables *tables,
                             struct resolver *resolver, u32 max_stack, enum unwind_style style)
{
	struct unwound *unwound = xcalloc(1, sizeof(*unwound));

	unwound->arch = perf_data__arch(session->data);
	unwound->swap = perf_data__swapped(session->data);
	unwound->resolver = resolver;
	unwound->style = style;
	unwound->tables = tables;
	unwound->unwinder = unwinder__new(tables, style);
	chain_join__init(&unwound->join, max_stack, unwound->swap);
	return unwound;
}

struct unwound *unwound__open(const struct session *session, const struct symbol_config *config,
                              struct resolver *resolver, u32 max_stack, enum unwind_style style,
                              const struct unwound *whole)
{
	if (!unwound__in_session(session))
		return NULL;
	struct unwind_tables *tables =
	        whole ? whole->tables : unwind_tables__new(&session->dsos, config);
	struct unwound *unwound = unwound__new(session, tables, resolver, max_stack, style);

	unwound->owns_tables = !whole;
	return unwound;
}

void unwound__delete(struct unwound *unwound)
{
	if (!unwound)
		return;
	unwinder__delete(unwound->unwinder);
	if (unwound->owns_tables)
		unwind_tables__delete(unwound->tables);
	chain_join__exit(&unwound->join);
	free(unwound);
}

void unwound__forget(struct unwound *unwound)
{
	if (!unwound)
		return;
	unwinder__delete(unwound->unwinder);
	unwound->unwinder = unwinder__new(unwound->tables, unwound->style);
}

static void locate(void *ctx, u64 addr, struct unwind_location *location)
{
	const struct asking *asking = ctx;
	struct place found;

	resolver__place(asking->resolver, asking->task, PERF_RECORD_MISC_USER, addr, asking->when,
	                &found);
	*location = (struct unwind_location){ .dso = found.loc.dso,
		                              .addr = found.loc.addr,
		                              .since = found.valid.since,
		                              .until = found.valid.until };
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

	if (!in->arch->leaf_link)
		return;
	u64 leaf = chain__user_marker(chain, unwound->swap) + 1;

	if (leaf >= chain->nr || chain->nr >= CHAIN_WORDS_MAX)
		return;
	u64 caller = caller_by_link(unwound, in, u64_span__get(chain, leaf, unwound->swap));
	if (!caller ||
	    (leaf + 1 < chain->nr && u64_span__get(chain, leaf + 1, unwound->swap) == caller + 1))
		return; /* the frame pointers tell it already */
	memcpy(unwound->join.words, chain->data, (leaf + 1) * 8);
	unwound->join.words[leaf + 1] = unwound->swap ? bswap_64(caller) : caller;
	memcpy(unwound->join.words + leaf + 2, chain->data + (leaf + 1) * 8,
	       (chain->nr - leaf - 1) * 8);
	sample->chain =
	        (struct u64_span){ .data = (const u8 *)unwound->join.words, .nr = chain->nr + 1 };
}

/* The user's part: the function that was called last, then where each call came from. */
static void put_in_calls(struct unwound *unwound, struct sample *sample)
{
	const struct u64_span *chain = &sample->chain, *branches = &sample->branches;
	u64 *words = unwound->join.words, nr = chain__user_marker(chain, unwound->swap);

	if (nr++ >= chain->nr || !branches->nr || nr + 1 + branches->nr / 3 > CHAIN_WORDS_MAX)
		return;
	memcpy(words, chain->data, nr * 8);
	memcpy(&words[nr++], branches->data + 8, 8);
	for (u64 i = 0; i < min_u64(branches->nr / 3, unwound->join.max); i++)
		memcpy(&words[nr++], branches->data + i * 24, 8);
	sample->chain = (struct u64_span){ .data = (const u8 *)words, .nr = nr };
}

/*
 * Of a chain that was unwound while it was recorded: what its last frame is in, as far as anything
 * was mapped there.
 */
static u32 last_dso(const struct unwound *unwound, const struct u64_span *chain,
                    struct asking *asking)
{
	struct unwind_location location = { .dso = ID_NONE };

	for (u64 i = chain->nr; i-- && location.dso == ID_NONE;) {
		u64 ip = u64_span__get(chain, i, unwound->swap);

		if (ip >= PERF_CONTEXT_MAX)
			break; /* the user's part begins here */
		locate(asking, ip, &location);
	}
	return location.dso;
}

bool unwound__join(struct unwound *unwound, struct sample *sample,
                   const struct sample_layout *layout, const struct task *task, struct moment when,
                   struct unwound_end *end)
{
	struct asking asking = { .task = task, .when = when };
	struct unwind_sample in;
	struct chain_told told;

	if (!unwound || !unwound__wants(layout))
		return false;
	if (unwound__has_calls(layout)) {
		put_in_calls(unwound, sample);
		return false;
	}
	asking.resolver = unwound->resolver;
	end->by = ROW_END_BY_READER;
	if (chain_join__told(&unwound->join, sample, &told)) {
		sample->chain = told.chain;
		*end = (struct unwound_end){
			.verdict = { .end = told.end,
			             .dso = last_dso(unwound, &sample->chain, &asking) },
			.nr_cut = told.nr_cut,
			.by = told.pilot ? ROW_END_BY_PILOT : ROW_END_BY_RECORDER,
		};
		return true;
	}
	if (!unwind_sample__take(&in, unwound->arch, sample, layout->regs_user, unwound->swap))
		return false;
	in.space = task->instance;
	in.when = when;
	in.locate = locate;
	in.ctx = &asking;
	if (!unwound__has_copies(layout)) {
		put_in_caller(unwound, sample, &in);
		return false;
	}
	sample->chain = chain_join__unwind(&unwound->join, unwound->unwinder, &in, sample,
	                                   &end->verdict, &end->nr_cut);
	return true;
}
