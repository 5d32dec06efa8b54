// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine that is settled again and again, with records in and out of order, against one that is
 * fed all at once; and what settling costs, counted in steps.
 */
#include "tests/unit/unit.h"

#include <malloc.h>

#include "util/lib/hash.h"
#include "util/machine/machine.h"

#define NR_PIDS  6
#define NR_TIDS  3
#define NR_ADDRS 64
#define MAX_FEDS 6000

enum kind { MAP, UNMAP, FORK, COMM, EXIT, NOTE };

struct fed {
	enum kind kind;
	struct moment when;
	s32 pid, tid, ppid, ptid;
	u32 start, len, what;
	bool flag, data;
};

static struct fed feds[MAX_FEDS];
static u32 nr_fed;
static u64 seed;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

static void feed(struct machine *machine, const struct fed *f)
{
	switch (f->kind) {
	case MAP:
		machine__map(machine, &(struct map_info){ .when = f->when,
		                                          .pid = f->pid,
		                                          .tid = f->tid,
		                                          .start = f->start,
		                                          .len = f->len,
		                                          .pgoff = f->start * 3,
		                                          .dso = f->what,
		                                          .data = f->data });
		break;
	case UNMAP:
		machine__unmap_kernel(machine, f->when, f->start, f->len);
		break;
	case FORK:
		machine__fork(machine, f->when, f->pid, f->ppid, f->tid, f->ptid, f->flag);
		break;
	case COMM:
		machine__comm(machine, f->when, f->pid, f->tid, f->what, f->flag);
		break;
	case EXIT:
		machine__exit(machine, f->when, f->pid, f->tid);
		break;
	case NOTE:
		machine__note_sample_thread(machine, f->pid, f->tid);
		break;
	}
}

static struct fed some_fed(u64 time, u64 offset)
{
	static const enum kind kinds[] = { MAP,  MAP,  MAP,  MAP,  MAP,  UNMAP, FORK,
		                           FORK, COMM, COMM, EXIT, EXIT, NOTE,  NOTE };
	struct fed fed = { .kind = kinds[rnd(14)], .when = { time, offset } };

	fed.pid = 1 + rnd(NR_PIDS);
	if (fed.kind == UNMAP || (fed.kind == MAP && !rnd(6)))
		fed.pid = -1;
	fed.tid = fed.pid * 10 + rnd(NR_TIDS);
	fed.ppid = 1 + rnd(NR_PIDS);
	fed.ptid = fed.ppid * 10 + rnd(NR_TIDS);
	fed.start = rnd(NR_ADDRS);
	fed.len = rnd(20);
	fed.what = rnd(8);
	fed.data = fed.kind == MAP && fed.pid != -1 && !rnd(5);
	fed.flag = rnd(4);
	return fed;
}

/* ---- threads that live, for histories that could be true ---- */

static enum life { UNKNOWN, ALIVE, EXITED } life[NR_PIDS + 1][NR_TIDS];

static enum life *life_of(s32 pid, s32 tid)
{
	return &life[pid][tid % 10];
}

static bool lives(s32 pid, s32 tid)
{
	return *life_of(pid, tid) == ALIVE;
}

/* Can it do anything? Not after its EXIT, nor after those of all threads of its process. */
static bool may_act(s32 pid, s32 tid)
{
	u32 nr[3] = { 0 };

	for (int i = 0; i < NR_TIDS; i++)
		nr[life[pid][i]]++;
	return *life_of(pid, tid) != EXITED && !(nr[EXITED] && !nr[ALIVE]);
}

/* False: that cannot happen. */
static bool happens(const struct fed *f)
{
	if (f->pid == -1)
		return true;
	if (f->kind == FORK) {
		if (!may_act(f->ppid, f->ptid))
			return false;
		*life_of(f->ppid, f->ptid) = ALIVE;
		if (f->pid != f->ppid)
			memset(life[f->pid], 0, sizeof(life[f->pid]));
	} else if (!may_act(f->pid, f->tid)) {
		return false;
	}
	if (f->kind != NOTE)
		*life_of(f->pid, f->tid) = f->kind == EXIT ? EXITED : ALIVE;
	return true;
}

/* ---- two machines are the same ---- */

struct pair {
	const struct machine *grown, *fresh;
	const struct strtab *strings;
	bool forgot;             /* the one: what led to its answers, and numbers */
	bool replaced;           /* it forgot nothing but that */
	struct u64map instances; /* of the one -> of the other */
	u32 nr_wrong;
};

static void same(struct pair *pair, u64 a, u64 b)
{
	pair->nr_wrong += a != b;
}

static void same_moment(struct pair *pair, struct moment a, struct moment b)
{
	same(pair, a.time, b.time);
	same(pair, a.offset, b.offset);
}

static void same_map(struct pair *pair, u32 a, u32 b, bool kernel, bool data, u64 addr,
                     struct moment when)
{
	struct map_hit hit[2];
	bool got[2];

	for (int i = 0; i < 2; i++) {
		const struct machine *machine = i ? pair->fresh : pair->grown;
		u32 thread = i ? b : a;

		got[i] = data ? machine__find_data_map(machine, thread, addr, when, &hit[i])
		              : machine__find_map(machine, thread, kernel, addr, when, &hit[i]);
	}
	same(pair, got[0], got[1]);
	same(pair, hit[0].dso, hit[1].dso);
	if (pair->replaced)
		same(pair, hit[0].flags & ~MAP_HIT_PARENT, hit[1].flags & ~MAP_HIT_PARENT);
	else if (!pair->forgot) {
		same(pair, hit[0].flags, hit[1].flags);
		same(pair, hit[0].map, hit[1].map);
		same_moment(pair, hit[0].since, hit[1].since);
	}
	same(pair, hit[0].start <= addr && addr < hit[0].end, 1);
	if (got[0])
		same(pair, addr - hit[0].start + hit[0].pgoff, addr - hit[1].start + hit[1].pgoff);
	same_moment(pair, hit[0].until, hit[1].until);
}

static void same_thread(struct pair *pair, const struct task_hit *a, const struct task_hit *b)
{
	u32 from = machine__thread(pair->grown, a->thread)->instance;
	u32 to = machine__thread(pair->fresh, b->thread)->instance;
	u32 *instance = u64map__at(&pair->instances, from);

	if (*instance == ID_NONE)
		*instance = to;
	same(pair, *instance, to);
	if (!pair->forgot)
		same_moment(pair, a->since, b->since);
	same(pair, machine__told(pair->grown, a->thread), machine__told(pair->fresh, b->thread));
	same(pair, machine__parent_of(pair->grown, a->thread),
	     machine__parent_of(pair->fresh, b->thread));
}

/* Did somebody else have this pid or tid then, of whom nothing needs to be known? */
static bool had_another(s32 pid, s32 tid, struct moment when)
{
	for (u32 i = 0; i < nr_fed; i++) {
		const struct fed *f = &feds[i];

		if (f->kind == FORK && f->pid == pid && (f->ppid != pid || f->tid == tid) &&
		    moment__before(when, f->when))
			return true;
	}
	return false;
}

/* Not ":TID" */
static bool is_name(const struct pair *pair, u32 comm)
{
	return *strtab__get(pair->strings, comm) != ':';
}

static void same_task(struct pair *pair, s32 pid, s32 tid, struct moment when)
{
	struct task_hit a, b;
	bool got = machine__find_task(pair->grown, pid, tid, when, &a);

	bool known = machine__find_task(pair->fresh, pid, tid, when, &b);

	if (!pair->forgot || pair->replaced || !!lives(pid, tid))
		same(pair, got, known);
	if (a.thread == ID_NONE || b.thread == ID_NONE)
		return;
	const struct thread *x = machine__thread(pair->grown, a.thread);
	const struct thread *y = machine__thread(pair->fresh, b.thread);

	same(pair, x->pid, y->pid);
	same(pair, x->tid, y->tid);
	bool all = !pair->forgot || pair->replaced;

	if (!all && (!lives(pid, tid) || had_another(pid, tid, when)))
		return;
	if (all || is_name(pair, b.comm))
		same(pair, a.comm, b.comm);
	same_moment(pair, a.until, b.until);
	if (all)
		same_thread(pair, &a, &b);
	same_map(pair, a.thread, b.thread, false, rnd(4) == 0, rnd(NR_ADDRS), when);
	same_map(pair, a.thread, b.thread, true, false, rnd(NR_ADDRS), when);
}

/* With a machine that is fed all of it at once, about moments from @first on. */
static u32 compare(const struct machine *grown, struct strtab *strings, u64 first, u64 last,
                   bool replaced)
{
	struct machine *fresh = machine__new(strings);
	struct pair pair = { .grown = grown,
		             .fresh = fresh,
		             .strings = strings,
		             .forgot = first,
		             .replaced = replaced };

	for (u32 i = 0; i < nr_fed; i++)
		feed(fresh, &feds[i]);
	machine__finish(fresh);
	for (s32 pid = 1; pid <= NR_PIDS; pid++)
		for (s32 tid = pid * 10; tid < pid * 10 + NR_TIDS; tid++)
			for (int i = 0; i < 6; i++)
				same_task(&pair, pid, tid,
				          (struct moment){ first + rnd(last - first + 2),
				                           rnd(nr_fed * 8 + 8) });
	u64map__exit(&pair.instances);
	machine__delete(fresh);
	return pair.nr_wrong;
}

/*
 * Rounds of records; one in @late is earlier than others, by up to @by. With @forget: what ended
 * half of the time ago is forgotten each so many rounds.
 */
static void grow(u64 with_seed, u32 nr_rounds, u32 per_round, u32 late, u32 by, u32 check_each,
                 u32 forget)
{
	struct strtab strings;
	u32 wrong = 0;
	u64 time = 100, forgot = 0;

	nr_fed = 0;
	memset(life, 0, sizeof(life));
	seed = with_seed;
	strtab__init(&strings);
	for (int i = 1; i < 9; i++)
		strtab__add(&strings, (char[]){ 'a' + i, 0 });
	struct machine *machine = machine__new(&strings);

	for (u32 round = 0; round < nr_rounds; round++) {
		for (u32 i = 0; i < per_round; i++, nr_fed++) {
			u64 back = late && !rnd(late) ? rnd(by) : 0;

			time += rnd(3);
			do
				feds[nr_fed] = some_fed(back < time ? time - back : 0, nr_fed * 8);
			while (forget && !happens(&feds[nr_fed]));
			feed(machine, &feds[nr_fed]);
		}
		if (round + 1 == nr_rounds)
			machine__finish(machine);
		else
			machine__settle(machine);
		if (forget && round % forget == forget - 1 && round + 1 < nr_rounds) {
			forgot = max_u64(forgot, time - (time - 100) / (1 + rnd(40)));
			machine__forget(machine, (struct moment){ forgot, 0 }, NULL);
		}
		if (round % check_each == 0 || round + 1 == nr_rounds)
			wrong += compare(machine, &strings, forgot ? forgot + 1 : 0, time, false);
	}
	CHECK_EQ(wrong, 0);
	machine__delete(machine);
	strtab__exit(&strings);
}

static u64 note_all(struct machine *machine)
{
	nr_fed = 0;
	for (s32 pid = 1; pid <= NR_PIDS; pid++)
		for (s32 tid = pid * 10; tid < pid * 10 + NR_TIDS; tid++) {
			feds[nr_fed] = (struct fed){ .kind = NOTE, .pid = pid, .tid = tid };
			feed(machine, &feds[nr_fed++]);
		}
	return 100;
}

/*
 * Anything may happen, in rounds, to threads that samples name; a record is late by up to @by. Each
 * so many rounds what was replaced is forgotten, and later ones are not older.
 */
static void grow_and_replace(u64 with_seed, u32 nr_rounds, u32 per_round, u32 by, u32 forget)
{
	struct strtab strings;
	u64 forgot = 0;
	u32 wrong = 0;

	seed = with_seed;
	strtab__init(&strings);
	struct machine *machine = machine__new(&strings);
	u64 time = note_all(machine);

	for (int i = 1; i < 9; i++)
		strtab__add(&strings, (char[]){ 'a' + i, 0 });
	for (u32 round = 0; round < nr_rounds; round++) {
		for (u32 i = 0; i < per_round; i++, nr_fed++) {
			time += rnd(3);
			feds[nr_fed] = some_fed(max_u64(time - rnd(by), machine__reaches(machine)),
			                        nr_fed * 8);
			feed(machine, &feds[nr_fed]);
		}
		if (round + 1 == nr_rounds)
			machine__finish(machine);
		else
			machine__settle(machine);
		if (round % forget == forget - 1 && round + 1 < nr_rounds) {
			forgot = max_u64(forgot, time - min_u64(time, rnd(2 * by)));
			machine__forget_replaced(machine, (struct moment){ forgot, 0 }, NULL);
		}
		wrong += compare(machine, &strings, forgot, time, true);
	}
	CHECK_EQ(wrong, 0);
	machine__delete(machine);
	strtab__exit(&strings);
}

TEST(machine_that_grows_in_order_equals_one_fed_at_once)
{
	for (u64 i = 0; i < 60; i++)
		grow(i, 40, 1 + i % 5, 0, 0, 1, 0);
}

TEST(machine_with_late_records_equals_one_fed_at_once)
{
	for (u64 i = 0; i < 400; i++)
		grow(100 + i, 30, 1 + i % 12, 1 + i % 9, 5 + i * 3, 1, 0);
}

TEST(machine_with_records_later_than_it_can_undo_equals_one_fed_at_once)
{
	for (u64 i = 0; i < 3; i++)
		grow(300 + i, 1500, 4, 200, 5000 << i, 97, 0);
}

TEST(machine_settled_for_each_record_equals_one_fed_at_once)
{
	for (u64 i = 0; i < 20; i++)
		grow(500 + i, 200, 1, 1 + i % 4, 10, 7, 0);
}

TEST(machine_that_forgets_knows_what_lives)
{
	for (u64 i = 0; i < 100; i++)
		grow(700 + i, 60, 1 + i % 8, 0, 0, 1, 1 + i % 7);
}

TEST(machine_that_forgets_the_replaced_knows_the_rest)
{
	for (u64 i = 0; i < 150; i++)
		grow_and_replace(900 + i, 50, 1 + i % 12, 1 + i % 25, 1 + i % 7);
}

/* ---- ids ---- */

TEST(machine_threads_keep_their_ids)
{
	struct strtab strings;
	u32 ids[NR_PIDS + 1], nr = 0;

	seed = 9;
	strtab__init(&strings);
	for (int i = 1; i < 9; i++)
		strtab__add(&strings, (char[]){ 'a' + i, 0 });
	struct machine *machine = machine__new(&strings);

	for (s32 pid = 1; pid <= NR_PIDS; pid++) {
		machine__comm(machine, (struct moment){ 50, nr }, pid, pid * 10, 1, false);
		feds[nr++] = (struct fed){ .kind = NOTE };
	}
	machine__settle(machine);
	for (s32 pid = 1; pid <= NR_PIDS; pid++)
		ids[pid] = machine__find_thread(machine, pid, pid * 10, (struct moment){ 51, 0 });
	for (u32 round = 0; round < 200; round++) {
		struct fed fed = some_fed(round % 50 ? 100 + round : 60, 1000 + round);

		feed(machine, &fed);
		machine__settle(machine);
		for (s32 pid = 1; pid <= NR_PIDS; pid++)
			CHECK_EQ(machine__find_thread(machine, pid, pid * 10,
			                              (struct moment){ 51, 0 }),
			         ids[pid]);
	}
	machine__delete(machine);
	strtab__exit(&strings);
}

/* ---- what it costs ---- */

struct storm {
	struct strtab strings;
	struct machine *machine;
	u64 time;
	s32 pid;
	u32 comm;
};

static void storm__init(struct storm *s)
{
	*s = (struct storm){ .time = 1000, .pid = 100 };
	strtab__init(&s->strings);
	s->comm = strtab__add(&s->strings, "storm");
	s->machine = machine__new(&s->strings);
	machine__comm(s->machine, (struct moment){ 1, 1 }, 1, 1, s->comm, true);
}

static void storm__exit(struct storm *s)
{
	machine__delete(s->machine);
	strtab__exit(&s->strings);
}

static void storm_map(struct storm *s, s32 pid, u64 start, u64 late)
{
	machine__map(s->machine, &(struct map_info){ .when = { s->time - late, s->time },
	                                             .pid = pid,
	                                             .tid = pid,
	                                             .start = start,
	                                             .len = 0x1000,
	                                             .dso = 1 });
}

/* A process comes, maps four objects and goes; a compiler maps one; a module is loaded. */
static void storm__round(struct storm *s, u64 late)
{
	s32 pid = ++s->pid;

	s->time += 100;
	machine__fork(s->machine, (struct moment){ s->time - late, s->time }, pid, 1, pid, 1, true);
	s->time++;
	machine__comm(s->machine, (struct moment){ s->time, s->time }, pid, pid, s->comm, true);
	for (u64 i = 0; i < 4; i++, s->time++)
		storm_map(s, pid, i * 0x1000, 0);
	storm_map(s, 1, (u64)pid % 5000 * 0x1000, late / 2);
	storm_map(s, -1, (u64)pid % 7000 * 0x1000, late);
	machine__note_sample_thread(s->machine, pid, pid);
	s->time++;
	machine__exit(s->machine, (struct moment){ s->time, s->time }, pid, pid);
	machine__settle(s->machine);
}

/* Steps of a round, on average over 1000 of them after @nr more. */
static u64 work_after(struct storm *s, u32 nr, u64 late)
{
	while (nr--)
		storm__round(s, late);
	u64 before = machine__work(s->machine);

	for (u32 i = 0; i < 1000; i++)
		storm__round(s, late);
	return (machine__work(s->machine) - before) / 1000;
}

/* Slots of threads and maps, and bytes in use, after @nr more rounds with forgetting. */
static void storm__forget(struct storm *s, u32 nr, u32 *threads, u32 *maps, u64 *bytes)
{
	for (u32 i = 0; i < nr; i++) {
		storm__round(s, 150);
		if (i % 100 == 99)
			machine__forget(s->machine, (struct moment){ s->time - 1000, 0 }, NULL);
	}
	*threads = machine__nr_threads(s->machine);
	machine__maps(s->machine, maps);
	struct mallinfo2 info = mallinfo2();

	*bytes = info.uordblks + info.hblkhd;
}

TEST(machine_that_forgets_stays_as_large_as_what_lives)
{
	struct storm s;
	u32 threads[2], maps[2];
	u64 bytes[2];

	storm__init(&s);
	storm__forget(&s, 16000, &threads[0], &maps[0], &bytes[0]);
	storm__forget(&s, 60000, &threads[1], &maps[1], &bytes[1]);
	CHECK(threads[0] < 400);
	CHECK_EQ(threads[1], threads[0]);
	CHECK(maps[1] <= maps[0] + maps[0] / 20);
	CHECK(bytes[1] <= bytes[0] + bytes[0] / 20);
	storm__exit(&s);
}

TEST(machine_keeps_threads_that_are_named_when_it_forgets)
{
	struct storm s;
	struct task_hit hit;
	u8 used[64] = { 0 };

	storm__init(&s);
	storm__round(&s, 0);
	s32 pid = s.pid;

	CHECK(machine__find_task(s.machine, pid, pid, (struct moment){ s.time, 0 }, &hit));
	used[hit.thread] = 1;
	storm__round(&s, 0);
	machine__forget(s.machine, (struct moment){ s.time + 1, 0 }, used);
	CHECK_EQ(machine__thread(s.machine, hit.thread)->tid, pid);
	CHECK_EQ(machine__comm_at(s.machine, hit.thread, (struct moment){ s.time, 0 }), s.comm);
	CHECK_EQ(machine__find_thread(s.machine, pid + 1, pid + 1, (struct moment){ s.time, 0 }),
	         ID_NONE);
	machine__forget(s.machine, (struct moment){ s.time + 1, 0 }, NULL);
	CHECK_EQ(machine__find_thread(s.machine, pid, pid, (struct moment){ s.time, 0 }), ID_NONE);
	storm__exit(&s);
}

TEST(machine_round_10000_costs_what_round_1000_did)
{
	for (u64 late = 0; late <= 250; late += 250) { /* in order; and up to two rounds late */
		struct storm s;

		storm__init(&s);
		u64 early = work_after(&s, 500, late);
		u64 at_last = work_after(&s, 8000, late);

		CHECK(early >= 20 && early < 300);
		CHECK(at_last * 10 <= early * 12);
		storm__exit(&s);
	}
}
