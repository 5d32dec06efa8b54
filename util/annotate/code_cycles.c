// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/code_cycles.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/profile/key.h"

struct code_cycles {
	struct branch_cycles *list; /* by dso and end */
	size_t nr;
	u32 nr_dsos;
	bool *placed; /* by dso: its addresses are those of the symbol table */
};

/* ---- the branches of a recording ---- */

bool code_cycles__recorded(const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return true;
	return false;
}

static int compare_places(const void *left, const void *right)
{
	const struct branch_cycles *a = left, *b = right;

	if (a->dso != b->dso)
		return a->dso > b->dso ? 1 : -1;
	if (a->end != b->end)
		return a->end > b->end ? 1 : -1;
	return (a->start > b->start) - (a->start < b->start);
}

/* Calls that still run are no branches; between branches of some kinds there may be others. */
static void collect(struct code_cycles *cycles, const struct profile *profile,
                    const struct evlist *evlist)
{
	u32 start_slot = key__slot(&key_block_start, profile),
	    cycles_slot = key__slot(&key_block_cycles, profile);

	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];
		const struct loc
		        *end = &profile->locs[row->leaf_loc],
		        *start = &profile->locs[profile__sample_value(profile, i, start_slot)];
		u64 kinds = evlist->evsels[row->evsel]->attr.branch_sample_type,
		    spent = profile__sample_value(profile, i, cycles_slot);
		bool block = kinds & PERF_SAMPLE_BRANCH_ANY && start->dso == end->dso;

		if (!spent || end->dso == ID_NONE || kinds & PERF_SAMPLE_BRANCH_CALL_STACK)
			continue;
		cycles->list[cycles->nr++] = (struct branch_cycles){
			.dso = end->dso,
			.start = block ? start->addr : BLOCK_UNKNOWN,
			.end = end->addr,
			.count = row->count,
			.cycles = (u32)spent,
		};
	}
}

int code_cycles__new(struct code_cycles **cycles, const struct session *session,
                     const struct sample_filter *filter, struct error *err)
{
	static const struct key *const keys[] = { &key_block_start, &key_block_cycles };
	const struct profile_options options = {
		.workers = workers__default(),
		.branches = true,
		.blocks = true,
		.any_thread = true,
		.filter = *filter,
		.sample_keys = keys,
		.nr_sample_keys = ARRAY_SIZE(keys),
	};
	struct profile profile;
	int ret = profile__build(&profile, session, &options, err);

	if (ret)
		return ret;
	struct code_cycles *made = xcalloc(1, sizeof(*made));

	made->nr_dsos = session->dsos.nr;
	made->placed = xcalloc((size_t)made->nr_dsos + 1, sizeof(*made->placed));
	made->list = xcalloc(profile.nr_rows + 1, sizeof(*made->list));
	collect(made, &profile, session->evlist);
	profile__exit(&profile);
	qsort(made->list, made->nr, sizeof(*made->list), compare_places);
	*cycles = made;
	return 0;
}

void code_cycles__delete(struct code_cycles *cycles)
{
	if (!cycles)
		return;
	free(cycles->placed);
	free(cycles->list);
	free(cycles);
}

/* The first branch of @dso that is not before @end. */
static size_t first_from(const struct code_cycles *cycles, u32 dso, u64 end)
{
	size_t first = 0;

	for (size_t left = cycles->nr; left;) {
		const struct branch_cycles *at = &cycles->list[first + left / 2];

		if (at->dso < dso || (at->dso == dso && at->end < end)) {
			first += left / 2 + 1;
			left -= left / 2 + 1;
		} else {
			left /= 2;
		}
	}
	return first;
}

/* Addresses as the symbol table of @dso counts, which is loaded by now. */
static void place(struct code_cycles *cycles, struct session_symbols *symbols, u32 dso)
{
	size_t first = first_from(cycles, dso, 0), last = first;
	const struct symtab *table = session_symbols__table(symbols, dso);

	cycles->placed[dso] = true;
	for (; last < cycles->nr && cycles->list[last].dso == dso; last++) {
		struct branch_cycles *branch = &cycles->list[last];

		if (table->runtime_addr)
			continue;
		branch->end = symtab__vaddr_of_offset(table, branch->end);
		if (branch->start != BLOCK_UNKNOWN)
			branch->start = symtab__vaddr_of_offset(table, branch->start);
	}
	if (last > first)
		qsort(cycles->list + first, last - first, sizeof(*cycles->list), compare_places);
}

/* ---- a function ---- */

/* The number of instructions that begin before @addr. */
static u32 nr_before(const u64 *addrs, u32 nr, u64 addr)
{
	u32 first = 0;

	while (nr) {
		u32 half = nr / 2;

		if (addrs[first + half] < addr) {
			first += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return first;
}

static void add_branch(struct function_cycles *function, const u64 *addrs,
                       const struct branch_cycles *branch)
{
	u32 at = nr_before(addrs, function->nr, branch->end);

	function->any = true;
	if (at == function->nr || addrs[at] != branch->end)
		return; /* inside an instruction */
	struct insn_cycles *insn = &function->insns[at];

	if (!insn->count || branch->cycles < insn->least)
		insn->least = branch->cycles;
	if (branch->cycles > insn->most)
		insn->most = branch->cycles;
	insn->count += branch->count;
	insn->cycles += branch->cycles * branch->count;
}

/* The first of those with one end is the longest block. */
static void cover(struct function_cycles *function, const u64 *addrs,
                  const struct branch_cycles *list, size_t nr_list)
{
	u64 all_insns = 0, all_cycles = 0;
	u32 taken = function->nr; /* from here on instructions belong to blocks that end later */

	for (size_t last = nr_list, first; last; last = first) {
		const struct branch_cycles *block;
		u64 count = 0, cycles = 0;

		for (first = last; first && list[first - 1].end == list[last - 1].end; first--)
			;
		block = &list[first];
		while (block < list + last && block->start < addrs[0])
			block++;
		if (block == list + last || block->start > block->end)
			continue;
		for (const struct branch_cycles *b = block;
		     b < list + last && b->start == block->start; b++) {
			count += b->count;
			cycles += b->count * b->cycles;
		}
		u32 from = nr_before(addrs, function->nr, block->start),
		    to = nr_before(addrs, function->nr, block->end + 1);
		u32 end = to < taken ? to : taken;

		if (from >= end)
			continue;
		for (u32 i = from; i < end; i++)
			function->insns[i].ipc = (float)((double)(to - from) * count / cycles);
		function->nr_covered += end - from;
		all_insns += (u64)(to - from) * count;
		all_cycles += cycles;
		taken = from;
	}
	function->ipc = all_cycles ? (double)all_insns / all_cycles : 0;
}

void function_cycles__fill(struct function_cycles *function, const u64 *addrs, u32 nr,
                           const struct branch_cycles *list, size_t nr_list)
{
	*function = (struct function_cycles){ .nr = nr };
	function->insns = xcalloc((size_t)nr + 1, sizeof(*function->insns));
	for (size_t i = 0; i < nr_list; i++)
		add_branch(function, addrs, &list[i]);
	if (nr)
		cover(function, addrs, list, nr_list);
}

int function_cycles__init(struct function_cycles *function, struct code_cycles *cycles,
                          struct annotation *annotation, struct error *err)
{
	u32 dso = annotation->sym->dso, nr = 0;
	struct annotation_line line;
	u64 *addrs = NULL;
	size_t cap = 0;

	*function = (struct function_cycles){ .nr = 0 };
	if (dso >= cycles->nr_dsos)
		return 0;
	if (!cycles->placed[dso])
		place(cycles, annotation->names->symbols, dso);
	size_t first = first_from(cycles, dso, annotation->start);
	size_t last = first_from(cycles, dso, annotation->end);

	if (first == last)
		return 0;
	while (annotation__next(annotation, &line)) {
		array__reserve(&addrs, &cap, (size_t)nr + 1, sizeof(*addrs));
		addrs[nr++] = line.insn.addr;
	}
	function_cycles__fill(function, addrs, nr, cycles->list + first, last - first);
	free(addrs);
	return annotation__rewind(annotation, err);
}

void function_cycles__exit(struct function_cycles *function)
{
	free(function->insns);
}
