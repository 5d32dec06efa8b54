// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine against a model so naive that it cannot be wrong in the same way: for each
 * question all records up to that moment are played anew on arrays with one slot per address,
 * which a fork copies.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/machine/machine.h"

#define NR_ADDRS   256
#define NR_PIDS    5
#define NR_TIDS    3 /* of a pid: pid * 10 + 0, 1, 2 */
#define MAX_STATES 1200
#define STEP_NS    300000

enum kind { MAP, UNMAP, FORK, COMM, EXIT };

struct fed {
	enum kind kind;
	struct moment when;
	s32 pid, tid, ppid, ptid;
	u32 start, len, dso, comm, number;
	bool data, flag; /* flag: exec; inherit maps */
};

struct slot {
	u32 map; /* its number + 1; 0: a hole */
	bool old, inherited;
};

struct state { /* a process instance */
	s32 pid;
	struct slot text[NR_ADDRS], data[NR_ADDRS];
	u32 comm[NR_TIDS]; /* of the tids that belong to it */
};

static struct model {
	struct state states[MAX_STATES];
	u32 nr;
	struct slot kernel[NR_ADDRS];
} model;

static struct fed *feds; /* in the order of feeding; sorted copy for playing */
static struct fed *sorted;
static u32 nr_feds;
static u64 seed;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

static struct state *latest(s32 pid)
{
	for (u32 i = model.nr; i; i--)
		if (model.states[i - 1].pid == pid)
			return &model.states[i - 1];
	return NULL;
}

static struct state *add_state(s32 pid)
{
	struct state *state = &model.states[model.nr++];

	BUG_ON(model.nr > MAX_STATES);
	memset(state, 0, sizeof(*state));
	state->pid = pid;
	for (int i = 0; i < NR_TIDS; i++)
		state->comm[i] = ID_NONE;
	return state;
}

static struct state *present(s32 pid)
{
	struct state *state = latest(pid);

	return state ? state : add_state(pid);
}

static void play_fork(const struct fed *fed)
{
	struct state *parent = present(fed->ppid), *child = parent;
	u32 comm = parent->comm[fed->ptid % 10];

	if (fed->pid != fed->ppid) {
		child = add_state(fed->pid);
		for (int i = 0; fed->flag && i < NR_ADDRS; i++) {
			child->text[i] = parent->text[i];
			child->data[i] = parent->data[i];
			child->text[i].inherited = child->data[i].inherited = true;
		}
	}
	child->comm[fed->tid % 10] = comm;
}

static void play(const struct fed *fed, u32 map)
{
	struct state *state;

	switch (fed->kind) {
	case MAP:
	case UNMAP:
		state = fed->pid == -1 ? NULL : present(fed->pid);
		for (u32 i = fed->start; i < fed->start + fed->len && i < NR_ADDRS; i++)
			*(state ? fed->data ? &state->data[i] : &state->text[i]
			        : &model.kernel[i]) =
			        (struct slot){ .map = fed->kind == MAP ? map + 1 : 0 };
		break;
	case FORK:
		play_fork(fed);
		break;
	case COMM:
		state = present(fed->pid);
		state->comm[fed->tid % 10] = fed->comm;
		for (int i = 0; fed->flag && i < NR_ADDRS; i++)
			state->text[i].old = state->data[i].old = true;
		break;
	case EXIT:
		present(fed->pid);
		break;
	}
}

static void play_until(struct moment when)
{
	model.nr = 0;
	memset(model.kernel, 0, sizeof(model.kernel));
	for (u32 i = 0; i < nr_feds && !moment__before(when, sorted[i].when); i++)
		play(&sorted[i], i);
}

static int by_moment(const void *a, const void *b)
{
	const struct fed *x = a, *y = b;

	return moment__before(x->when, y->when) ? -1 : moment__before(y->when, x->when);
}

static s32 some_tid(s32 pid)
{
	return pid * 10 + rnd(NR_TIDS);
}

static void make_feds(u32 nr, u32 nr_times, u32 max_len)
{
	feds = calloc(nr, sizeof(*feds));
	sorted = calloc(nr, sizeof(*sorted));
	nr_feds = nr;
	u32 nr_maps = 0;

	for (u32 i = 0; i < nr; i++) {
		struct fed *fed = &feds[i];
		u32 dice = rnd(100);

		fed->kind = dice < 60   ? MAP
		            : dice < 65 ? UNMAP
		            : dice < 75 ? FORK
		            : dice < 95 ? COMM
		                        : EXIT;
		fed->when = (struct moment){ rnd(nr_times) * STEP_NS, 1000 + i * 8 };
		fed->pid = 1 + rnd(NR_PIDS);
		if (fed->kind == UNMAP || (fed->kind == MAP && !rnd(6)))
			fed->pid = -1;
		if (fed->kind == MAP || fed->kind == UNMAP)
			fed->number = nr_maps++;
		fed->tid = some_tid(fed->pid);
		fed->ppid = 1 + rnd(NR_PIDS);
		fed->ptid = some_tid(fed->ppid);
		if (fed->kind == FORK && fed->pid != fed->ppid && rnd(4))
			fed->tid = fed->pid * 10;
		fed->start = rnd(NR_ADDRS);
		fed->len = rnd(max_len);
		fed->dso = rnd(7);
		fed->comm = rnd(9);
		fed->data = fed->pid != -1 && !rnd(5);
		fed->flag = fed->kind == FORK ? rnd(8) : !rnd(4);
	}
	memcpy(sorted, feds, nr * sizeof(*feds));
	qsort(sorted, nr, sizeof(*sorted), by_moment);
}

static struct machine *feed_machine(struct strtab *strings)
{
	struct machine *machine = machine__new(strings);

	for (u32 i = 0; i < nr_feds; i++) {
		const struct fed *f = &feds[i];

		if (f->kind == MAP)
			machine__map(machine, &(struct map_info){ .when = f->when,
			                                          .pid = f->pid,
			                                          .tid = f->tid,
			                                          .start = f->start,
			                                          .len = f->len,
			                                          .pgoff = f->start * 3,
			                                          .dso = f->dso,
			                                          .prot = 5,
			                                          .data = f->data });
		else if (f->kind == UNMAP)
			machine__unmap_kernel(machine, f->when, f->start, f->len);
		else if (f->kind == FORK)
			machine__fork(machine, f->when, f->pid, f->ppid, f->tid, f->ptid, f->flag);
		else if (f->kind == COMM)
			machine__comm(machine, f->when, f->pid, f->tid, f->comm, f->flag);
		else
			machine__exit(machine, f->when, f->pid, f->tid);
	}
	for (s32 pid = 1; pid <= NR_PIDS; pid++)
		for (s32 i = 0; i < NR_TIDS; i++)
			machine__note_sample_thread(machine, pid, pid * 10 + i);
	machine__finish(machine);
	return machine;
}

enum space_kind { TEXT, DATA, KERNEL };

/* Does a map of the same instance cover @addr less than 1 ms after @when? */
static bool soon(s32 pid, enum space_kind kind, u32 addr, struct moment when, bool exists)
{
	for (u32 i = 0; i < nr_feds; i++) {
		const struct fed *fed = &sorted[i];

		if (!moment__before(when, fed->when))
			continue;
		if (kind != KERNEL && fed->kind == FORK && fed->pid == pid &&
		    fed->pid != fed->ppid && exists)
			return false;
		if (fed->pid == pid || (fed->kind == FORK && fed->ppid == pid))
			exists = true;
		if ((fed->kind != MAP && fed->kind != UNMAP) || fed->pid != pid ||
		    fed->data != (kind == DATA) || addr < fed->start ||
		    addr >= fed->start + fed->len)
			continue;
		return when.time && fed->when.time - when.time < 1000000;
	}
	return false;
}

/* Compare one answer with the model as it stands at @when. */
static void check_answer(bool got, const struct map_hit *hit, s32 pid, enum space_kind kind,
                         u32 addr, struct moment when)
{
	struct state *state = kind == KERNEL ? NULL : latest(pid);
	struct slot slot = { .map = 0 };

	if (kind == KERNEL)
		slot = model.kernel[addr];
	else if (state)
		slot = kind == TEXT ? state->text[addr] : state->data[addr];
	CHECK_EQ(got, slot.map != 0);
	if (!slot.map) {
		CHECK_EQ(hit->dso, ID_NONE);
		CHECK_EQ(hit->flags,
		         soon(kind == KERNEL ? -1 : pid, kind, addr, when, state != NULL)
		                 ? MAP_HIT_SOON
		                 : 0);
		return;
	}
	const struct fed *map = &sorted[slot.map - 1];

	CHECK_EQ(hit->dso, map->dso);
	CHECK_EQ(hit->flags,
	         (slot.old ? MAP_HIT_BEFORE_EXEC : 0) | (slot.inherited ? MAP_HIT_PARENT : 0));
	CHECK_EQ(addr - hit->start + hit->pgoff, addr - map->start + map->start * 3);
	CHECK_EQ(hit->map, map->number);
}

static bool ask(const struct machine *machine, s32 pid, s32 tid, enum space_kind kind, u32 addr,
                struct moment when, struct map_hit *hit)
{
	u32 thread = machine__find_thread(machine, pid, tid, when);

	if (kind == DATA)
		return machine__find_data_map(machine, thread, addr, when, hit);
	return machine__find_map(machine, thread, kind == KERNEL, addr, when, hit);
}

static struct moment some_moment(u32 nr_times)
{
	/* Also between, before and behind all records of that time. */
	return (struct moment){ rnd(nr_times + 1) * STEP_NS + rnd(3) * (STEP_NS / 3),
		                rnd(4)   ? 1000 + rnd(nr_feds * 8)
		                : rnd(2) ? 0
		                         : UINT64_MAX };
}

/* Of the model's present state; one that is yet to come counts. */
static u32 nr_instances(s32 pid)
{
	u32 nr = 0;

	for (u32 i = 0; i < model.nr; i++)
		nr += model.states[i].pid == pid;
	return nr ? nr : 1;
}

/* The limits of an answer must hold: ask the model (not the machine) elsewhere within them. */
static void check_limits(const struct map_hit *hit, bool got, s32 pid, enum space_kind kind,
                         u32 addr, struct moment when, u32 nr_times)
{
	struct moment other = some_moment(nr_times);
	u32 near = rnd(NR_ADDRS);

	CHECK(hit->start <= addr && addr < hit->end);
	CHECK(!moment__before(when, hit->since) && moment__before(when, hit->until));
	if (near < hit->start || near >= hit->end)
		near = addr;
	if (moment__before(other, hit->since) || !moment__before(other, hit->until))
		other = hit->since;
	/* The limits are those of one thread: another instance of the pid is another one. */
	u32 number = kind == KERNEL ? 0 : nr_instances(pid);

	play_until(other);
	if (kind == KERNEL || nr_instances(pid) == number)
		check_answer(got, hit, pid, kind, near, other);
}

/* Just inside its limits a task is the same thread with the same comm. */
static void check_task_limits(const struct machine *machine, const struct task_hit *task, s32 pid,
                              s32 tid, struct moment when)
{
	struct moment last = task->until, other[] = { task->since, when };

	if (last.time != UINT64_MAX)
		other[1] = last.offset ? (struct moment){ last.time, last.offset - 1 }
		                       : (struct moment){ last.time - 1, UINT64_MAX };
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(machine__find_thread(machine, pid, tid, other[i]), task->thread);
		CHECK_EQ(machine__comm_at(machine, task->thread, other[i]), task->comm);
	}
}

static void check_thread(const struct machine *machine, struct strtab *strings, s32 pid, s32 tid,
                         struct moment when, u32 *instances)
{
	u32 id = machine__find_thread(machine, pid, tid, when);
	struct state *state = latest(pid);
	char name[16];

	if (id == ID_NONE) {
		CHECK(id != ID_NONE);
		return;
	}
	const struct thread *thread = machine__thread(machine, id);
	u32 comm = machine__comm_at(machine, id, when);

	struct task_hit task;

	CHECK(machine__find_task(machine, pid, tid, when, &task));
	CHECK_EQ(task.thread, id);
	CHECK_EQ(task.comm, comm);
	CHECK(!moment__before(when, task.since) && moment__before(when, task.until));
	check_task_limits(machine, &task, pid, tid, when);
	CHECK_EQ(thread->pid, pid);
	CHECK_EQ(thread->tid, tid);
	snprintf(name, sizeof(name), ":%d", tid);
	if (!state || state->comm[tid % 10] == ID_NONE)
		CHECK_STR(strtab__get(strings, comm), name);
	else
		CHECK_EQ(comm, state->comm[tid % 10]);
	u32 *instance = &instances[pid * MAX_STATES + nr_instances(pid)];

	if (*instance == ID_NONE)
		*instance = thread->instance;
	CHECK_EQ(thread->instance, *instance);
}

static void run(u64 with_seed, u32 nr, u32 nr_times, u32 max_len, u32 nr_questions)
{
	static u32 instances[(NR_PIDS + 1) * MAX_STATES];
	struct strtab strings;

	seed = with_seed;
	strtab__init(&strings);
	for (int i = 1; i < 9; i++)
		strtab__add(&strings, (char[]){ 'a' + i, 0 });
	make_feds(nr, nr_times, max_len);
	memset(instances, 0xff, sizeof(instances));
	struct machine *machine = feed_machine(&strings);

	for (u32 i = 0; i < nr_questions; i++) {
		struct moment when = some_moment(nr_times);
		s32 pid = 1 + rnd(NR_PIDS), tid = some_tid(pid);
		enum space_kind kind = rnd(3);
		u32 addr = rnd(NR_ADDRS);
		struct map_hit hit;
		bool got = ask(machine, pid, tid, kind, addr, when, &hit);

		play_until(when);
		check_thread(machine, &strings, pid, tid, when, instances);
		check_answer(got, &hit, pid, kind, addr, when);
		check_limits(&hit, got, pid, kind, addr, when, nr_times);
	}
	machine__delete(machine);
	strtab__exit(&strings);
	free(feds);
	free(sorted);
}

TEST(machine_equals_a_naive_model_on_small_histories)
{
	for (u64 i = 0; i < 300; i++)
		run(i, 1 + i % 60, 1 + i % 7, 4 + i % 40, 60);
}

TEST(machine_equals_a_naive_model_on_long_histories)
{
	for (u64 i = 0; i < 12; i++)
		run(1000 + i, 1500, 20 + 200 * (i % 3), 2 + 30 * (i % 4), 150);
}

TEST(machine_equals_a_naive_model_with_very_many_maps)
{
	for (u64 i = 0; i < 4; i++)
		run(3000 + i, 8000, 5000, 2 + 60 * i, 150);
}

TEST(machine_equals_a_naive_model_at_one_moment)
{
	for (u64 i = 0; i < 30; i++)
		run(2000 + i, 300, 1, 20, 60);
}
