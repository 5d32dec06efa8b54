// SPDX-License-Identifier: GPL-2.0-or-later
/* One test per rule of the machine (util/machine/machine.h, Documentation/design.md). */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "util/lib/workers.h"
#include "util/machine/machine.h"

#define MS 1000000ull

static struct strtab strings;
static struct dsos dsos;
static struct machine *m;
static u64 offset; /* of the record that is fed next */

static void set_up(void)
{
	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	m = machine__new(&strings);
	offset = 1000;
}

static void tear_down(void)
{
	machine__delete(m);
	dsos__exit(&dsos);
	strtab__exit(&strings);
}

/* Feeding: times in ms, offsets rise by 100 from record to record. */
static struct moment next_moment(u64 ms)
{
	offset += 100;
	return (struct moment){ ms * MS, offset };
}

static void comm(u64 ms, s32 pid, s32 tid, const char *name)
{
	machine__comm(m, next_moment(ms), pid, tid, strtab__add(&strings, name), false);
}

static void exec(u64 ms, s32 pid, const char *name)
{
	machine__comm(m, next_moment(ms), pid, pid, strtab__add(&strings, name), true);
}

static void fork_process(u64 ms, s32 pid, s32 ppid, s32 ptid)
{
	machine__fork(m, next_moment(ms), pid, ppid, pid, ptid, true);
}

static void fork_thread(u64 ms, s32 pid, s32 tid, s32 ptid)
{
	machine__fork(m, next_moment(ms), pid, pid, tid, ptid, true);
}

static void map(u64 ms, s32 pid, u64 start, u64 len, const char *name)
{
	machine__map(m, &(struct map_info){
	                        .when = next_moment(ms),
	                        .pid = pid,
	                        .tid = pid,
	                        .start = start,
	                        .len = len,
	                        .dso = dsos__get(&dsos, name, DSO_USER, -1, NULL, 0),
	                        .prot = 5,
	                });
}

static void map_kernel(u64 ms, u64 start, u64 len, u64 pgoff, u32 dso)
{
	machine__map(m, &(struct map_info){ .when = next_moment(ms),
	                                    .pid = -1,
	                                    .start = start,
	                                    .len = len,
	                                    .pgoff = pgoff,
	                                    .dso = dso,
	                                    .prot = 5 });
}

/* Asking. Behind all records of that time, unless a test says otherwise. */
static struct moment at(u64 ms)
{
	return (struct moment){ ms * MS, UINT64_MAX };
}

static const char *comm_of(s32 pid, s32 tid, struct moment when)
{
	u32 thread = machine__find_thread(m, pid, tid, when);

	return thread == ID_NONE ? "(no thread)"
	                         : strtab__get(&strings, machine__comm_at(m, thread, when));
}

static struct map_hit hit;

static const char *name_of(bool found)
{
	return found ? strtab__get(&strings, dsos__at(&dsos, hit.dso)->name) : "(hole)";
}

static const char *map_at(s32 pid, u64 addr, struct moment when)
{
	u32 thread = machine__find_thread(m, pid, pid, when);

	return name_of(machine__find_map(m, thread, false, addr, when, &hit));
}

static const char *data_at(s32 pid, u64 addr, struct moment when)
{
	u32 thread = machine__find_thread(m, pid, pid, when);

	return name_of(machine__find_data_map(m, thread, addr, when, &hit));
}

static const char *kernel_at(u64 addr, struct moment when)
{
	return name_of(machine__find_map(m, ID_NONE, true, addr, when, &hit));
}

TEST(machine_at_equal_time_the_earlier_offset_applies_first)
{
	set_up();
	comm(5, 1, 1, "a");              /* offset 1100 */
	comm(5, 1, 1, "b");              /* offset 1200 */
	map(5, 1, 0x1000, 0x1000, "/x"); /* offset 1300 */
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, (struct moment){ 5 * MS, 1099 }), ":1");
	CHECK_STR(comm_of(1, 1, (struct moment){ 5 * MS, 1150 }), "a");
	CHECK_STR(comm_of(1, 1, (struct moment){ 5 * MS, 1250 }), "b");
	CHECK_STR(map_at(1, 0x1000, (struct moment){ 5 * MS, 1299 }), "(hole)");
	CHECK_STR(map_at(1, 0x1000, (struct moment){ 5 * MS, 1300 }), "/x");
	tear_down();
}

TEST(machine_time_decides_whatever_the_order_of_feeding)
{
	set_up();
	comm(30, 1, 1, "third");
	comm(10, 1, 1, "first");
	comm(20, 1, 1, "second");
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, at(15)), "first");
	CHECK_STR(comm_of(1, 1, at(25)), "second");
	CHECK_STR(comm_of(1, 1, at(35)), "third");
	tear_down();
}

TEST(machine_synthesized_records_hold_from_the_beginning_wherever_they_lie)
{
	set_up();
	comm(10, 1, 1, "timed");
	map(10, 2, 0x1000, 0x1000, "/timed");
	comm(0, 1, 1, "made-up");
	comm(0, 1, 1, "made-up later"); /* in file order among themselves */
	map(0, 2, 0x1000, 0x1000, "/made-up");
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, at(5)), "made-up later");
	CHECK_STR(comm_of(1, 1, at(15)), "timed");
	CHECK_STR(map_at(2, 0x1000, at(5)), "/made-up");
	CHECK_STR(map_at(2, 0x1000, at(15)), "/timed");
	tear_down();
}

TEST(machine_without_times_the_offset_decides)
{
	set_up();
	comm(0, 1, 1, "a"); /* 1100 */
	comm(0, 1, 1, "b"); /* 1200 */
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, (struct moment){ 0, 1150 }), "a");
	CHECK_STR(comm_of(1, 1, (struct moment){ 0, 1250 }), "b");
	tear_down();
}

TEST(machine_later_map_wins_on_the_overlap_and_the_rest_stays)
{
	set_up();
	map(1, 1, 0x10000, 0x10000, "/old");
	map(2, 1, 0x14000, 0x1000, "/new");
	machine__finish(m);
	CHECK_STR(map_at(1, 0x13fff, at(3)), "/old");
	CHECK_EQ(hit.start, 0x10000);
	CHECK_EQ(hit.end, 0x14000);
	CHECK_STR(map_at(1, 0x14000, at(3)), "/new");
	CHECK_STR(map_at(1, 0x14fff, at(3)), "/new");
	CHECK_STR(map_at(1, 0x15000, at(3)), "/old");
	/* dso address = addr - start + pgoff also in the part that is left */
	CHECK_EQ(0x15000 - hit.start + hit.pgoff, 0x5000);
	CHECK_STR(map_at(1, 0x14000, at(1)), "/old");
	CHECK_STR(map_at(1, 0xffff, at(3)), "(hole)");
	CHECK_STR(map_at(1, 0x20000, at(3)), "(hole)");
	tear_down();
}

TEST(machine_map_gives_what_was_recorded)
{
	u32 nr;

	set_up();
	u32 dso = dsos__get(&dsos, "/lib/x.so", DSO_USER, -1, NULL, 0);

	machine__map(m, &(struct map_info){ .when = next_moment(1),
	                                    .pid = 7,
	                                    .tid = 8,
	                                    .start = 0x5000,
	                                    .len = 0x3000,
	                                    .pgoff = 0x2000,
	                                    .dso = dso,
	                                    .prot = 5 });
	machine__finish(m);
	CHECK_STR(map_at(7, 0x6234, at(2)), "(hole)"); /* tid 7 was never seen, 8 was */
	CHECK_EQ(hit.start, hit.end);
	CHECK(machine__find_map(m, machine__find_thread(m, 7, 8, at(2)), false, 0x6234, at(2),
	                        &hit));
	CHECK_EQ(hit.dso, dso);
	CHECK_EQ(0x6234 - hit.start + hit.pgoff, 0x3234);
	CHECK_EQ(hit.prot, 5);
	CHECK_EQ(hit.flags, 0);
	const struct map_info *info = machine__maps(m, &nr);

	CHECK_EQ(nr, 1);
	CHECK_EQ(hit.map, 0);
	CHECK_EQ(info->pid, 7);
	CHECK_EQ(info->tid, 8);
	CHECK_EQ(info->start, 0x5000);
	CHECK_EQ(info->len, 0x3000);
	CHECK_EQ(info->pgoff, 0x2000);
	CHECK_EQ(info->when.time, 1 * MS);
	tear_down();
}

TEST(machine_exit_ends_nothing)
{
	set_up();
	comm(1, 1, 1, "gone");
	map(1, 1, 0x1000, 0x1000, "/x");
	machine__exit(m, next_moment(2), 1, 1);
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, at(3)), "gone");
	CHECK_STR(map_at(1, 0x1000, at(3)), "/x");
	tear_down();
}

static enum thread_told told(s32 pid, s32 tid, u64 ms)
{
	return machine__told(m, machine__find_thread(m, pid, tid, at(ms)));
}

TEST(machine_tells_which_records_named_a_thread)
{
	set_up();
	fork_process(1, 2, 1, 1);
	fork_process(4, 2, 1, 1); /* again: two instances */
	fork_thread(5, 2, 22, 2);
	comm(6, 3, 3, "three");
	map(7, 4, 0x1000, 0x1000, "/x");
	machine__exit(m, next_moment(8), 5, 5);
	machine__note_sample_thread(m, 2, 22);
	machine__note_sample_thread(m, 6, 6);
	machine__finish(m);
	CHECK_EQ(told(1, 1, 9), THREAD_IN_TASKS);
	CHECK_EQ(told(2, 22, 9), THREAD_IN_TASKS);
	CHECK_EQ(told(2, 22, 2), 0);
	CHECK_EQ(told(3, 3, 9), THREAD_IN_TASKS);
	CHECK_EQ(told(4, 4, 9), THREAD_IN_MAPS);
	CHECK_EQ(told(5, 5, 9), 0);
	CHECK_EQ(told(6, 6, 9), 0);
	tear_down();
}

TEST(machine_exit_alone_makes_the_thread_known)
{
	set_up();
	machine__exit(m, next_moment(2), 1, 5);
	machine__finish(m);
	CHECK_STR(comm_of(1, 5, at(1)), ":5");
	tear_down();
}

TEST(machine_data_maps_are_a_space_of_their_own)
{
	set_up();
	u32 heap = dsos__get(&dsos, "[heap]", DSO_USER, -1, NULL, 0);

	map(1, 1, 0x1000, 0x1000, "/text");
	machine__map(m, &(struct map_info){ .when = next_moment(2),
	                                    .pid = 1,
	                                    .tid = 1,
	                                    .start = 0x1000,
	                                    .len = 0x2000,
	                                    .dso = heap,
	                                    .prot = 3,
	                                    .data = true });
	machine__finish(m);
	CHECK_STR(map_at(1, 0x1800, at(3)), "/text");
	CHECK_STR(map_at(1, 0x2800, at(3)), "(hole)");
	CHECK_STR(data_at(1, 0x1800, at(3)), "[heap]");
	CHECK_STR(data_at(1, 0x2800, at(3)), "[heap]");
	CHECK_STR(data_at(1, 0x1800, at(1)), "(hole)");
	tear_down();
}

TEST(machine_child_sees_the_parent_as_it_was_at_the_fork)
{
	set_up();
	map(1, 1, 0x1000, 0x1000, "/before");
	fork_process(2, 2, 1, 1);
	map(3, 1, 0x1000, 0x1000, "/after");
	map(3, 1, 0x5000, 0x1000, "/after-elsewhere");
	map(4, 2, 0x1000, 0x800, "/own");
	machine__finish(m);
	CHECK_STR(map_at(2, 0x1000, at(3)), "/before");
	CHECK_EQ(hit.flags, MAP_HIT_PARENT);
	CHECK_STR(map_at(2, 0x5000, at(3)), "(hole)");
	CHECK_STR(map_at(1, 0x1000, at(3)), "/after");
	CHECK_STR(map_at(2, 0x1000, at(5)), "/own");
	CHECK_EQ(hit.flags, 0);
	CHECK_STR(map_at(2, 0x1800, at(5)), "/before");
	CHECK_EQ(hit.start, 0x1800);
	CHECK_STR(map_at(2, 0x1000, at(1)), "(hole)"); /* not yet forked */
	tear_down();
}

TEST(machine_child_made_up_from_proc_has_its_own_maps_only)
{
	set_up();
	comm(0, 1, 1, "parent");
	map(0, 1, 0x1000, 0x1000, "/parent");
	machine__fork(m, next_moment(0), 2, 1, 2, 1, false);
	machine__finish(m);
	CHECK_STR(map_at(2, 0x1000, at(1)), "(hole)");
	CHECK_STR(comm_of(2, 2, at(1)), "parent");
	tear_down();
}

TEST(machine_grandchild_sees_what_the_grandparent_had_at_the_first_fork)
{
	set_up();
	map(1, 1, 0x1000, 0x1000, "/old");
	fork_process(2, 2, 1, 1);
	map(3, 1, 0x1000, 0x1000, "/new");
	fork_process(4, 3, 2, 2); /* process 2 has no map of its own */
	machine__finish(m);
	CHECK_STR(map_at(3, 0x1000, at(5)), "/old");
	CHECK_EQ(hit.flags, MAP_HIT_PARENT);
	tear_down();
}

TEST(machine_long_chains_of_forks_without_maps_cost_nothing)
{
	set_up();
	map(0, 1, 0x1000, 0x1000, "/first");
	for (s32 pid = 2; pid < 50000; pid++)
		fork_process(pid, pid, pid - 1, pid - 1);
	machine__finish(m);
	for (s32 pid = 2; pid < 50000; pid++)
		if (strcmp(map_at(pid, 0x1000, at(pid)), "/first"))
			CHECK_EQ(pid, 0);
	tear_down();
}

TEST(machine_endless_chains_of_forks_with_maps_are_cut)
{
	set_up();
	map(0, 1, 0x1000, 0x1000, "/first");
	for (s32 pid = 2; pid < 1000; pid++) {
		fork_process(pid, pid, pid - 1, pid - 1);
		map(pid, pid, 0x10000 * (u64)pid, 0x1000, "/own");
	}
	machine__finish(m);
	CHECK_STR(map_at(63, 0x1000, at(2000)), "/first");
	CHECK_STR(map_at(999, 0x1000, at(2000)), "(hole)");
	CHECK_STR(map_at(999, 0x10000 * 950, at(2000)), "/own");
	tear_down();
}

TEST(machine_process_that_forks_itself_is_no_endless_loop)
{
	set_up();
	map(1, 1, 0x1000, 0x1000, "/x");
	fork_process(2, 2, 1, 1);
	map(2, 2, 0x3000, 0x1000, "/y");
	fork_process(3, 1, 2, 2); /* pid 1 again, child of its own child */
	machine__fork(m, next_moment(4), 5, 5, 5, 5, true);
	machine__finish(m);
	CHECK_STR(map_at(1, 0x1000, at(5)), "/x");
	CHECK_STR(map_at(1, 0x3000, at(5)), "/y");
	CHECK_STR(map_at(1, 0x9000, at(5)), "(hole)");
	CHECK_STR(comm_of(5, 5, at(5)), ":5");
	tear_down();
}

TEST(machine_pid_that_is_used_again_is_another_instance)
{
	set_up();
	comm(1, 9, 9, "first");
	map(1, 9, 0x1000, 0x1000, "/first");
	machine__exit(m, next_moment(2), 9, 9);
	comm(3, 1, 1, "shell");
	fork_process(4, 9, 1, 1);
	map(5, 9, 0x2000, 0x1000, "/second");
	machine__finish(m);
	u32 first = machine__find_thread(m, 9, 9, at(3)),
	    second = machine__find_thread(m, 9, 9, at(4));

	CHECK(first != second);
	CHECK(machine__thread(m, first)->instance != machine__thread(m, second)->instance);
	CHECK_EQ(machine__thread(m, second)->pid, 9);
	CHECK_EQ(machine__thread(m, second)->tid, 9);
	CHECK_STR(comm_of(9, 9, at(3)), "first");
	CHECK_STR(comm_of(9, 9, at(6)), "shell");
	CHECK_STR(map_at(9, 0x1000, at(6)), "(hole)");
	CHECK_STR(map_at(9, 0x2000, at(6)), "/second");
	CHECK_STR(map_at(9, 0x2000, at(3)), "(hole)");
	tear_down();
}

TEST(machine_new_thread_shares_the_maps_and_inherits_the_forking_threads_comm)
{
	set_up();
	comm(1, 1, 1, "main");
	comm(1, 1, 2, "worker");
	map(1, 1, 0x1000, 0x1000, "/x");
	fork_thread(2, 1, 3, 2);
	map(3, 1, 0x2000, 0x1000, "/later");
	comm(4, 1, 2, "renamed");
	machine__finish(m);
	u32 thread = machine__find_thread(m, 1, 3, at(5));

	CHECK_STR(comm_of(1, 3, at(5)), "worker");
	CHECK_STR(comm_of(1, 3, at(1)), ":3"); /* not there yet */
	CHECK_EQ(machine__thread(m, thread)->instance,
	         machine__thread(m, machine__find_thread(m, 1, 1, at(5)))->instance);
	CHECK(machine__find_map(m, thread, false, 0x2000, at(5), &hit));
	CHECK_EQ(hit.flags, 0);
	tear_down();
}

TEST(machine_new_process_inherits_the_forking_threads_comm)
{
	set_up();
	comm(1, 1, 1, "main");
	comm(1, 1, 2, "worker");
	fork_process(2, 7, 1, 2);
	comm(3, 1, 2, "renamed");
	machine__finish(m);
	CHECK_STR(comm_of(7, 7, at(4)), "worker");
	tear_down();
}

TEST(machine_child_of_an_unknown_thread_has_no_comm)
{
	set_up();
	comm(1, 1, 2, "old");
	fork_process(2, 7, 5, 5);
	fork_thread(3, 1, 2, 99); /* tid 2 again, by a thread without a name */
	machine__finish(m);
	CHECK_STR(comm_of(7, 7, at(4)), ":7");
	CHECK_STR(comm_of(1, 2, at(2)), "old");
	CHECK_STR(comm_of(1, 2, at(4)), ":2");
	tear_down();
}

TEST(machine_comm_changes_one_thread)
{
	set_up();
	comm(1, 1, 1, "main");
	fork_thread(2, 1, 2, 1);
	comm(3, 1, 2, "pool");
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, at(4)), "main");
	CHECK_STR(comm_of(1, 2, at(2)), "main");
	CHECK_STR(comm_of(1, 2, at(4)), "pool");
	tear_down();
}

TEST(machine_sample_before_the_exec_has_the_comm_of_that_moment)
{
	set_up();
	comm(0, 1, 1, "perf-exec");
	exec(5, 1, "true");
	machine__finish(m);
	CHECK_STR(comm_of(1, 1, at(4)), "perf-exec");
	CHECK_STR(comm_of(1, 1, at(5)), "true");
	tear_down();
}

TEST(machine_exec_keeps_the_maps_and_flags_them)
{
	set_up();
	map(1, 1, 0x1000, 0x1000, "/before");
	exec(5, 1, "new");
	map(6, 1, 0x2000, 0x1000, "/after");
	machine__finish(m);
	CHECK_STR(map_at(1, 0x1000, at(4)), "/before");
	CHECK_EQ(hit.flags, 0);
	CHECK(!moment__before((struct moment){ 5 * MS, 1200 }, hit.until)); /* ends at the exec */
	CHECK_STR(map_at(1, 0x1000, at(7)), "/before");
	CHECK_EQ(hit.flags, MAP_HIT_BEFORE_EXEC);
	CHECK_STR(map_at(1, 0x2000, at(7)), "/after");
	CHECK_EQ(hit.flags, 0);
	tear_down();
}

TEST(machine_exec_of_a_child_flags_what_the_parent_gave)
{
	set_up();
	map(1, 1, 0x1000, 0x1000, "/shell");
	fork_process(2, 2, 1, 1);
	exec(4, 2, "ls");
	machine__finish(m);
	CHECK_STR(map_at(2, 0x1000, at(3)), "/shell");
	CHECK_EQ(hit.flags, MAP_HIT_PARENT);
	CHECK_STR(map_at(2, 0x1000, at(5)), "/shell");
	CHECK_EQ(hit.flags, MAP_HIT_PARENT | MAP_HIT_BEFORE_EXEC);
	CHECK_STR(map_at(1, 0x1000, at(5)), "/shell");
	CHECK_EQ(hit.flags, 0);
	tear_down();
}

TEST(machine_unseen_thread_is_named_by_its_tid)
{
	set_up();
	comm(1, 1, 1, "main");
	map(1, 1, 0x1000, 0x1000, "/x");
	machine__note_sample_thread(m, 1, 77);
	machine__note_sample_thread(m, 1, 77);
	machine__note_sample_thread(m, 500, 501);
	machine__note_sample_thread(m, -1, -1);
	machine__finish(m);
	u32 thread = machine__find_thread(m, 1, 77, at(2));

	CHECK_STR(comm_of(1, 77, at(2)), ":77");
	CHECK(machine__find_map(m, thread, false, 0x1000, at(2), &hit)); /* of its process */
	CHECK_STR(comm_of(500, 501, at(2)), ":501");
	CHECK_STR(comm_of(-1, -1, at(2)), ":-1");
	CHECK_EQ(machine__find_thread(m, 1, 78, at(2)), ID_NONE);
	CHECK_EQ(machine__find_thread(m, 2, 2, at(2)), ID_NONE);
	tear_down();
}

TEST(machine_unseen_thread_exists_in_every_instance_of_its_process)
{
	set_up();
	comm(1, 9, 9, "first");
	fork_process(4, 9, 1, 1);
	map(5, 9, 0x1000, 0x1000, "/second");
	machine__note_sample_thread(m, 9, 10);
	machine__finish(m);
	u32 a = machine__find_thread(m, 9, 10, at(2)), b = machine__find_thread(m, 9, 10, at(6));

	CHECK(a != b);
	CHECK(!machine__find_map(m, a, false, 0x1000, at(6), &hit));
	CHECK(machine__find_map(m, b, false, 0x1000, at(6), &hit));
	tear_down();
}

TEST(machine_very_many_instances_and_unseen_threads_stay_affordable)
{
	set_up();
	for (u64 i = 0; i < 20000; i++)
		fork_process(1 + i, 9, 1, 1);
	for (s32 tid = 100; tid < 20100; tid++)
		machine__note_sample_thread(m, 9, tid);
	machine__finish(m);
	CHECK(machine__nr_threads(m) < 2000000);
	CHECK_STR(comm_of(9, 20099, at(100000)), ":20099"); /* the last instance has them all */
	CHECK_STR(comm_of(9, 20099, at(20000)), ":20099");
	tear_down();
}

TEST(machine_pid_0_is_swapper)
{
	set_up();
	machine__note_sample_thread(m, 0, 0);
	machine__note_sample_thread(m, 0, 5);
	fork_process(1, 1, 0, 0);
	machine__finish(m);
	CHECK_STR(comm_of(0, 0, at(0)), "swapper");
	CHECK_STR(comm_of(0, 5, at(0)), ":5");
	CHECK_STR(comm_of(1, 1, at(2)), "swapper");
	tear_down();
}

TEST(machine_kernel_is_one_space_for_all)
{
	set_up();
	u32 kernel = dsos__get(&dsos, "[kernel.kallsyms]", DSO_KERNEL, -1, NULL, 0);
	u32 module = dsos__get(&dsos, "[ext4]", DSO_MODULE, -1, NULL, 0);

	map_kernel(0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, kernel);
	map_kernel(3, 0xffffffffa0000000, 0x10000, 0, module);
	map(1, 1, 0x1000, 0x1000, "/user");
	machine__finish(m);
	CHECK_STR(kernel_at(0xffffffff81234567, at(1)), "[kernel.kallsyms]");
	CHECK_EQ(0xffffffff81234567 - hit.start + hit.pgoff, 0xffffffff81234567);
	CHECK_STR(kernel_at(0xffffffffa0000000, at(2)), "(hole)");
	CHECK_STR(kernel_at(0xffffffffa0000000, at(3)), "[ext4]");
	CHECK_STR(kernel_at(0x1000, at(3)), "(hole)");
	CHECK_STR(map_at(1, 0xffffffff81234567, at(3)), "(hole)");
	tear_down();
}

TEST(machine_ksymbols_come_and_go)
{
	set_up();
	u32 a = dsos__get(&dsos, "bpf_prog_a", DSO_BPF, -1, NULL, 0);
	u32 b = dsos__get(&dsos, "bpf_prog_b", DSO_BPF, -1, NULL, 0);

	map_kernel(2, 0xffffffffc0000000, 0x100, 0, a);
	machine__unmap_kernel(m, next_moment(4), 0xffffffffc0000000, 0x100);
	map_kernel(6, 0xffffffffc0000080, 0x100, 0, b);
	machine__finish(m);
	CHECK_STR(kernel_at(0xffffffffc0000090, at(1)), "(hole)");
	CHECK_STR(kernel_at(0xffffffffc0000090, at(3)), "bpf_prog_a");
	CHECK_STR(kernel_at(0xffffffffc0000090, at(5)), "(hole)");
	CHECK_STR(kernel_at(0xffffffffc0000090, at(7)), "bpf_prog_b");
	CHECK_STR(kernel_at(0xffffffffc0000010, at(7)), "(hole)");
	tear_down();
}

TEST(machine_miss_that_a_map_soon_would_have_named_is_flagged)
{
	set_up();
	map(10, 1, 0x1000, 0x1000, "/x");
	machine__finish(m);
	CHECK_STR(map_at(1, 0x1000, (struct moment){ 10 * MS - 999999, 0 }), "(hole)");
	CHECK_EQ(hit.flags, MAP_HIT_SOON);
	CHECK_STR(map_at(1, 0x1000, (struct moment){ 9 * MS, UINT64_MAX }), "(hole)");
	CHECK_EQ(hit.flags, 0);
	CHECK_EQ(hit.until.time, 9 * MS + 1);
	CHECK_STR(map_at(1, 0x3000, (struct moment){ 10 * MS - 1, 0 }), "(hole)");
	CHECK_EQ(hit.flags, 0);
	CHECK_STR(map_at(1, 0x1000, (struct moment){ 0, 0 }), "(hole)"); /* a time that is none */
	CHECK_EQ(hit.flags, 0);
	tear_down();
}

TEST(machine_odd_maps_are_harmless)
{
	u32 nr;

	set_up();
	map(1, 1, 0x1000, 0, "/empty");
	map(1, 1, UINT64_MAX - 0xfff, 0x1000, "/top");
	map(1, 1, UINT64_MAX - 0xfff, UINT64_MAX, "/beyond");
	map(1, 1, UINT64_MAX, 5, "/last");
	machine__finish(m);
	machine__maps(m, &nr);
	CHECK_EQ(nr, 4);
	CHECK_STR(map_at(1, 0x1000, at(2)), "(hole)");
	CHECK_STR(map_at(1, UINT64_MAX - 1, at(2)), "/beyond");
	CHECK_STR(map_at(1, UINT64_MAX, at(2)), "(hole)");
	CHECK_EQ(hit.start, UINT64_MAX);
	tear_down();
}

TEST(machine_that_is_fed_further_answers_as_if_fed_at_once)
{
	set_up();
	comm(1, 10, 10, "sh");
	map(1, 10, 0x1000, 0x1000, "/bin/sh");
	CHECK(machine__settle(m));
	CHECK_STR(comm_of(10, 10, at(5)), "sh");
	CHECK_STR(comm_of(11, 11, at(5)), "(no thread)");
	CHECK(!machine__settle(m));
	fork_process(2, 11, 10, 10);
	exec(3, 10, "true");
	map(3, 10, 0x1000, 0x1000, "/bin/true");
	machine__note_sample_thread(m, 12, 12);
	CHECK(machine__settle(m));
	CHECK_STR(comm_of(10, 10, at(2)), "sh");
	CHECK_STR(comm_of(10, 10, at(5)), "true");
	CHECK_STR(comm_of(11, 11, at(5)), "sh");
	CHECK_STR(comm_of(12, 12, at(5)), ":12");
	exec(6, 11, "ls");
	CHECK(machine__finish(m));
	CHECK_STR(comm_of(11, 11, at(7)), "ls");
	CHECK_STR(comm_of(12, 12, at(5)), ":12");
	tear_down();
}

TEST(machine_without_any_record_answers)
{
	set_up();
	machine__note_sample_thread(m, 3, 3);
	machine__finish(m);
	CHECK_STR(comm_of(3, 3, at(1)), ":3");
	CHECK_STR(map_at(3, 0x1000, at(1)), "(hole)");
	CHECK_EQ(hit.start, 0);
	CHECK_EQ(hit.end, UINT64_MAX);
	CHECK_EQ(hit.until.time, UINT64_MAX);
	CHECK_STR(kernel_at(0x1000, at(1)), "(hole)");
	CHECK_EQ(machine__nr_threads(m), 1);
	tear_down();
}

TEST(machine_task_answer_holds_within_its_limits)
{
	struct task_hit task;

	set_up();
	comm(2, 9, 9, "a");
	comm(4, 9, 9, "b");
	fork_process(6, 9, 1, 1);
	machine__finish(m);
	CHECK(machine__find_task(m, 9, 9, at(3), &task));
	CHECK_STR(strtab__get(&strings, task.comm), "a");
	CHECK_EQ(task.since.time, 2 * MS);
	CHECK_EQ(task.until.time, 4 * MS);
	CHECK(machine__find_task(m, 9, 9, at(5), &task));
	CHECK_STR(strtab__get(&strings, task.comm), "b");
	CHECK_EQ(task.until.time, 6 * MS); /* another instance */
	CHECK(machine__find_task(m, 9, 9, at(7), &task));
	CHECK_STR(strtab__get(&strings, task.comm), ":9");
	CHECK_EQ(task.since.time, 6 * MS);
	CHECK_EQ(task.until.time, UINT64_MAX);
	CHECK(!machine__find_task(m, 9, 10, at(7), &task));
	CHECK_EQ(task.thread, ID_NONE);
	tear_down();
}

/* ---- seven threads ask one finished machine ---- */

#define NR_ASKERS  7
#define NR_ANSWERS 4000

static u64 answers[NR_ASKERS][NR_ANSWERS];

static void ask(void *ctx, unsigned worker)
{
	const struct machine *machine = ctx;

	for (u32 i = 0; i < NR_ANSWERS; i++) {
		/* Each in another order. */
		u32 q = (i * 7919 + worker * 571) % NR_ANSWERS;
		s32 pid = 1 + q % 50;
		struct moment when = { q % 97 * MS, q * 13 };
		struct task_hit task;
		struct map_hit map;

		machine__find_task(machine, pid, pid, when, &task);
		machine__find_map(machine, task.thread, q % 5 == 0, 0x1000 + q % 83 * 0x100, when,
		                  &map);
		answers[worker][q] = (u64)task.thread << 48 ^ (u64)task.comm << 32 ^
		                     (u64)map.map << 8 ^ map.flags;
	}
}

TEST_WITH_THREADS(machine_answers_seven_threads_alike)
{
	set_up();
	for (u32 i = 0; i < 5000; i++) {
		s32 pid = 1 + i * 31 % 50;
		char name[16];

		snprintf(name, sizeof(name), "/lib/%u", i % 100);
		if (i % 40 == 0)
			fork_process(i % 97, pid, 1 + i % 50, 1 + i % 50);
		else if (i % 10 == 0)
			comm(i % 97, pid, pid, name);
		else
			map(i % 97, i % 9 ? pid : -1, 0x1000 + i % 83 * 0x100, 0x40 * (i % 30),
			    name);
	}
	for (s32 pid = 1; pid <= 50; pid++)
		machine__note_sample_thread(m, pid, pid);
	machine__finish(m);
	workers__run(NR_ASKERS, ask, m);
	for (u32 w = 1; w < NR_ASKERS; w++)
		CHECK(!memcmp(answers[0], answers[w], sizeof(answers[0])));
	tear_down();
}
