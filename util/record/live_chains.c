// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/live_chains.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "util/format/event_ids.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/sort.h"
#include "util/machine/machine.h"
#include "util/unwind/chain_record.h"

#define FRAMES_MAX   4096 /* of the user's part */
#define FORGET_AFTER 8192 /* records about tasks and maps */

struct live_chains {
	struct event_ids events;
	struct strtab strings;
	struct dsos dsos;
	struct machine *machine; /* what is mapped: fed in the order in which records are used */
	struct moment now;       /* of the last record that it was fed */
	struct moment then;      /* what ended before that is forgotten the next time */
	u32 nr_fed;              /* since the last time */
	struct symbol_config objects;
	struct unwind_tables *tables;
	struct unwinder *unwinder;
	struct chain_join join;
	struct call_graph_pilot *pilot; /* NULL: none */
	struct live_counts counts;
	u64 taken_until; /* maps of the batch at hand up to this time were taken with the last */
	struct keyed *items; /* records at work: by time, their place */
	size_t cap;
	s32 pid; /* whose sample is unwound */
	u8 record[CHAIN_RECORD_MAX];
};

static void make_unwinder(struct live_chains *chains)
{
	chains->tables = unwind_tables__new(&chains->dsos, &chains->objects);
	chains->unwinder = unwinder__new(chains->tables, UNWIND_NATIVE);
}

static void delete_unwinder(struct live_chains *chains)
{
	unwinder__delete(chains->unwinder);
	unwind_tables__delete(chains->tables);
}

struct live_chains *live_chains__new(const struct evlist *list)
{
	struct live_chains *chains = xcalloc(1, sizeof(*chains));

	event_ids__init(&chains->events, list, false);
	strtab__init(&chains->strings);
	dsos__init(&chains->dsos, &chains->strings);
	chains->machine = machine__new(&chains->strings);
	chain_join__init(&chains->join, FRAMES_MAX, false);
	make_unwinder(chains);
	return chains;
}

void live_chains__delete(struct live_chains *chains)
{
	if (!chains)
		return;
	call_graph_pilot__delete(chains->pilot);
	delete_unwinder(chains);
	chain_join__exit(&chains->join);
	machine__delete(chains->machine);
	dsos__exit(&chains->dsos);
	strtab__exit(&chains->strings);
	event_ids__exit(&chains->events);
	free(chains->items);
	free(chains);
}

bool live_chains__wanted(const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++)
		if (chain_record__converts(list->evsels[i]->attr.sample_type))
			return true;
	return false;
}

const struct live_counts *live_chains__counts(const struct live_chains *chains)
{
	return &chains->counts;
}

/* ---- records in order ---- */

/* What tells of maps, and so is looked at before its turn. */
static bool is_side_band(u32 type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK ||
	       type == PERF_RECORD_EXIT;
}

/* 0: it has none. */
static u64 time_of(const struct live_chains *chains, const struct record *record)
{
	const struct evsel *evsel = event_ids__find(&chains->events, record);
	const struct sample_layout *layout =
	        evsel ? event_ids__layout(&chains->events, evsel) : NULL;
	struct sample trailer;

	if (!layout)
		return 0;
	if (record->type == PERF_RECORD_SAMPLE)
		return layout->time && record->size >= layout->fixed_size
		               ? load_u64(record->data + layout->time, false)
		               : 0;
	if (!layout->t_time || sample__decode_trailer(layout, record, false, &trailer))
		return 0;
	return trailer.time;
}

/* Items are places in a batch; this bit: in the next one. */
#define IN_NEXT (1ull << 63)

static void add_item(struct live_chains *chains, size_t *nr, u64 time, u64 value)
{
	array__reserve(&chains->items, &chains->cap, *nr + 1, sizeof(*chains->items));
	chains->items[(*nr)++] = (struct keyed){ time, value };
}

/*
 * All records of @batch, the time of the last in *last. Those without a time stay behind the one
 * before them. Returns where they end.
 */
static size_t collect(struct live_chains *chains, const struct live_batch *batch, size_t *nr,
                      u64 *last)
{
	struct record record;
	u64 time = 0;
	size_t at = 0;

	*nr = 0;
	*last = 0;
	for (; record__take(batch->data + at, batch->len - at, &record); at += record.size) {
		u64 own = time_of(chains, &record);

		time = own ? own : time;
		*last = max_u64(*last, time);
		add_item(chains, nr, time, at);
	}
	return at;
}

/* What the next batch tells of maps up to @until. */
static void collect_next(struct live_chains *chains, const struct live_batch *next, u64 until,
                         size_t *nr)
{
	struct record record;

	for (size_t at = 0; record__take(next->data + at, next->len - at, &record);
	     at += record.size) {
		u64 time = is_side_band(record.type) ? time_of(chains, &record) : UINT64_MAX;

		if (time <= until)
			add_item(chains, nr, time, at | IN_NEXT);
	}
}

/* ---- one record ---- */

/*
 * What the machine is told happens now, whatever the record says of when: it is taken at its turn.
 * Once in a while the machine forgets what had ended at the time before.
 */
static struct moment next_moment(struct live_chains *chains)
{
	if (++chains->nr_fed > FORGET_AFTER) {
		machine__settle(chains->machine);
		machine__forget(chains->machine, chains->then, NULL);
		chains->then = chains->now;
		chains->nr_fed = 0;
	}
	chains->now.time++;
	return chains->now;
}

static void take_task(struct live_chains *chains, const struct record *record)
{
	bool made_up = record->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct task_record task;

	if (task_record__decode(record, false, &task))
		return;
	struct moment when = next_moment(chains);

	if (record->type == PERF_RECORD_FORK)
		machine__fork(chains->machine, when, task.pid, task.ppid, task.tid, task.ptid,
		              !made_up);
	else
		machine__exit(chains->machine, when, task.pid, task.tid);
}

static u32 dso_of(struct live_chains *chains, const struct mmap_record *map)
{
	enum dso_kind kind = dso_kind__of_map(map->name);
	const struct dso_inode inode = { map->maj, map->min, map->ino };

	/* Of memory without a file nothing is known: it is all one. */
	if (kind != DSO_USER)
		return dsos__get(&chains->dsos, map->name, kind, 0, NULL, 0);
	return dsos__get_file(&chains->dsos, map->name, map->pid, &inode,
	                      map->has_build_id ? map->build_id : NULL, map->build_id_size);
}

/* Returns the object if it is code; with *addr, where in it. */
static u32 take_map(struct live_chains *chains, const struct record *record, u64 *addr)
{
	u8 cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct mmap_record map;

	if (cpumode != PERF_RECORD_MISC_USER || mmap_record__decode(record, false, &map) ||
	    map.is_data || (s32)map.pid < 0 || !map.len)
		return ID_NONE;
	u32 dso = dso_of(chains, &map);

	machine__map(chains->machine, &(struct map_info){ .when = next_moment(chains),
	                                                  .pid = map.pid,
	                                                  .tid = map.tid,
	                                                  .start = map.start,
	                                                  .len = map.len,
	                                                  .pgoff = map.pgoff,
	                                                  .dso = dso });
	*addr = dsos__at(&chains->dsos, dso)->kind == DSO_ANON ? map.start : map.pgoff;
	return map.prot & PROT_EXEC ? dso : ID_NONE;
}

static u32 take_side_band(struct live_chains *chains, const struct record *record, u64 *addr)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return take_map(chains, record, addr);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		take_task(chains, record);
		break;
	}
	return ID_NONE;
}

/* The tables of code are read at once: there is no telling how long it is there. */
static void take_and_read(struct live_chains *chains, const struct record *record)
{
	struct cfi_row row;
	const struct cfi *cfi;
	u64 addr;
	u32 dso = take_side_band(chains, record, &addr);

	if (dso != ID_NONE)
		unwind_tables__row(chains->tables, dso, addr, arch__here()->machine, &row, &cfi);
	if (unwind_tables__size(chains->tables) > LIVE_TABLES_MAX && !chains->pilot) {
		delete_unwinder(chains);
		make_unwinder(chains);
	}
}

void live_chains__tell(struct live_chains *chains, const u8 *records, size_t len)
{
	struct record record;
	u64 addr;

	for (size_t at = 0; record__take(records + at, len - at, &record); at += record.size) {
		take_side_band(chains, &record, &addr);
		if (chains->pilot)
			call_graph_pilot__take(chains->pilot, &record);
	}
}

void live_chains__start_pilot(struct live_chains *chains)
{
	call_graph_pilot__delete(chains->pilot);
	chains->pilot = call_graph_pilot__new(&chains->dsos, chains->tables);
}

const struct call_graph_pilot *live_chains__pilot(const struct live_chains *chains)
{
	return chains->pilot;
}

void live_chains__end_pilot(struct live_chains *chains, const struct evlist *list)
{
	call_graph_pilot__delete(chains->pilot);
	chains->pilot = NULL;
	event_ids__exit(&chains->events);
	event_ids__init(&chains->events, list, false);
}

static void locate(void *ctx, u64 addr, struct unwind_location *location)
{
	const struct live_chains *chains = ctx;
	struct map_hit hit;

	if (machine__find_map_now(chains->machine, chains->pid, addr, &hit))
		addr -= map_hit__bias(&hit, dsos__at(&chains->dsos, hit.dso));
	*location = (struct unwind_location){ .dso = hit.dso,
		                              .addr = addr,
		                              .until = { UINT64_MAX, UINT64_MAX } };
}

/*
 * The recorded chain in the place of the unwound one: callers of user space as what lies before
 * return addresses, as unwinding shows them.
 */
static struct u64_span take_pointers(struct live_chains *chains, const struct u64_span *recorded)
{
	u64 nr = min_u64(recorded->nr, CHAIN_WORDS_MAX), user = UINT64_MAX;

	for (u64 i = 0; i < nr; i++) {
		u64 word = u64_span__get(recorded, i, false);

		chains->join.words[i] = i > user + 1 && user != UINT64_MAX ? word - 1 : word;
		if (word == PERF_CONTEXT_USER)
			user = i;
	}
	return (struct u64_span){ (const u8 *)chains->join.words, nr };
}

static void tell_pilot(struct live_chains *chains, const struct unwind_sample *in,
                       const struct sample *sample, struct u64_span *chain,
                       struct chain_verdict *verdict)
{
	const struct call_graph_stack stack = { .arch = in->arch,
		                                .pid = sample->pid,
		                                .by_pointers = sample->chain,
		                                .unwound = *chain,
		                                .verdict = *verdict,
		                                .locate = locate,
		                                .ctx = chains };

	if (!call_graph_pilot__add(chains->pilot, &stack))
		return;
	*chain = take_pointers(chains, &sample->chain);
	verdict->end = CHAIN_COMPLETE;
}

/* The sample with its chain, in chains->record; 0: it stays as it is. */
static u32 unwind(struct live_chains *chains, const struct record *record,
                  const struct sample_layout *layout, const struct live_load *load)
{
	struct unwind_sample in;
	struct sample sample;
	struct chain_verdict verdict;
	u32 nr_cut;

	if (!chain_record__converts(layout->sample_type) ||
	    sample__decode(layout, record, false, &sample) ||
	    !unwind_sample__take(&in, arch__here(), &sample, layout->regs_user, false))
		return 0;
	chains->counts.nr_kept++; /* unless: */
	if (__atomic_load_n(load->waiting, __ATOMIC_RELAXED) > load->limit)
		return 0;
	chains->pid = sample.pid;
	machine__settle(chains->machine);
	in.space = machine__space(chains->machine, sample.pid);
	in.locate = locate;
	in.ctx = chains;
	struct u64_span chain = chain_join__unwind(&chains->join, chains->unwinder, &in, &sample,
	                                           &verdict, &nr_cut);

	if (chains->pilot)
		tell_pilot(chains, &in, &sample, &chain, &verdict);
	u32 size = chain_record__write(chains->record, record, &sample, layout, &chain,
	                               chains->pilot ? CHAIN_TOLD_PILOT : CHAIN_TOLD, verdict.end);

	if (size) {
		chains->counts.nr_kept--;
		chains->counts.nr_unwound++;
	}
	return size;
}

static void put_record(struct live_chains *chains, const struct record *record,
                       const struct live_load *load, struct out *out)
{
	const struct evsel *evsel = record->type == PERF_RECORD_SAMPLE
	                                    ? event_ids__find(&chains->events, record)
	                                    : NULL;
	u32 size =
	        evsel ? unwind(chains, record, event_ids__layout(&chains->events, evsel), load) : 0;

	if (size)
		out__mem(out, chains->record, size);
	else
		out__mem(out, record->data, record->size);
	__atomic_sub_fetch(load->waiting, record->size, __ATOMIC_RELAXED);
}

void live_chains__run(struct live_chains *chains, const struct live_batch *batch,
                      const struct live_batch *next, const struct live_load *load, struct out *out)
{
	u64 last;
	size_t nr, end = collect(chains, batch, &nr, &last);

	if (next)
		collect_next(chains, next, last, &nr);
	keyed__sort(chains->items, nr);
	for (size_t i = 0; i < nr; i++) {
		bool in_next = chains->items[i].value & IN_NEXT;
		const struct live_batch *from = in_next ? next : batch;
		size_t at = chains->items[i].value & ~IN_NEXT;
		struct record record;

		BUG_ON(!record__take(from->data + at, from->len - at, &record));
		if (chains->pilot && record.type != PERF_RECORD_SAMPLE)
			call_graph_pilot__take(chains->pilot, &record);
		if (is_side_band(record.type) &&
		    (in_next || chains->items[i].key > chains->taken_until))
			take_and_read(chains, &record);
		if (!in_next)
			put_record(chains, &record, load, out);
	}
	chains->taken_until = next ? last : 0;
	/* What is no record (no kernel writes that) is for readers to find. */
	out__mem(out, batch->data + end, batch->len - end);
	__atomic_sub_fetch(load->waiting, batch->len - end, __ATOMIC_RELAXED);
}
