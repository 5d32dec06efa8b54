/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded machine as a timeline: its threads, comms and maps at any time. Side-band records
 * are fed in file order; after machine__finish() "which thread, which comm, what was mapped at A in
 * process P at T" are look-ups that any thread may do in any order. There is no queue of ordered
 * events.
 *
 * Time is a key (time, file offset): at equal time the earlier offset applies first, to samples
 * too. Rules (each has a unit test in tests/unit/machine_test.c):
 *  - time 0 or all-ones (synthesized records): valid from the beginning, in file order; files
 *    without TIME use the offset as time;
 *  - maps: the later wins on the overlap, the rest of the old one stays; EXIT ends nothing;
 *  - FORK with pid != ppid: a new process instance that refers to its parent at fork time (not when
 *    perf made the record up from /proc: then the child has its own maps only); FORK with pid ==
 *    ppid: a thread of the same instance; both inherit the forking thread's comm;
 *  - COMM changes one thread; an exec does not clear maps, but hits in older ones are flagged
 *    (MAP_HIT_BEFORE_EXEC);
 *  - unseen thread: instance of the sample's pid, comm ":TID"; pid 0 is "swapper";
 *  - what the child has not mapped itself is looked up in its parent (at fork time); ancestors
 *    without maps of their own are skipped, and the search ends after 64 that have some;
 *  - the kernel's maps (kernel, modules, KSYMBOL ranges) are one address space of their own;
 *  - the kernel of a guest (virtual machine) is identified by the pid of the process that runs it,
 *    see guest_kernel__pid(); the maps of its programs are unknown to the host.
 */
#ifndef PERF_UTIL_MACHINE_MACHINE_H
#define PERF_UTIL_MACHINE_MACHINE_H

#include "util/lib/strtab.h"
#include "util/lib/types.h"
#include "util/machine/dsos.h"

/* A moment: compare by time, then offset. */
struct moment {
	u64 time, offset;
};

static inline bool moment__before(struct moment a, struct moment b)
{
	return a.time < b.time || (a.time == b.time && a.offset < b.offset);
}

/*
 * The kernel of the guest that process @pid runs is kept as a process with this pid, thread 0. @pid
 * 0: a guest whose process is unknown.
 */
static inline s32 guest_kernel__pid(s32 pid)
{
	return pid < 0 ? pid : -2 - pid;
}

struct machine; /* private */

struct machine *machine__new(struct strtab *strings); /* borrowed */
void machine__delete(struct machine *machine);

struct map_info {
	struct moment when;
	s32 pid, tid;
	u64 start, len, pgoff;
	u32 dso, prot;
	bool data;
};

/* ---- feeding (one thread, file order) ---- */

/*
 * Feed in ascending file order: of two records with equal time the one fed first is the earlier.
 *
 * A map of process .pid (or guest_kernel__pid()). pid -1 is the kernel's address space. .data: a
 * data mapping (-d), kept in a space of its own.
 */
void machine__map(struct machine *machine, const struct map_info *map);
void machine__unmap_kernel(struct machine *machine, struct moment when, u64 start, u64 len);
/* @inherit_maps: the kernel wrote the record; false if perf made it up from /proc. */
void machine__fork(struct machine *machine, struct moment when, s32 pid, s32 ppid, s32 tid,
                   s32 ptid, bool inherit_maps);
void machine__exit(struct machine *machine, struct moment when, s32 pid, s32 tid);
void machine__comm(struct machine *machine, struct moment when, s32 pid, s32 tid, u32 comm,
                   bool exec);

/*
 * Note a thread that a sample names; called by the first walk for each sample's (pid, tid) (cheap
 * when known). It then exists in every instance of the process, with comm ":TID" where no COMM
 * came.
 */
void machine__note_sample_thread(struct machine *machine, s32 pid, s32 tid);

/*
 * Take in what was fed since the last call; look-ups know it then. True: answers changed. Ids of
 * threads stay what they are, but answers obtained earlier (hits, comms, limits in time) may be
 * wrong. False: nothing was fed.
 *
 * The cost is that of what was fed, however much was before, as long as records come about in the
 * order of time. A record that is earlier than those taken in is played at its place: what comes
 * behind it is played again, and where that is very much, everything.
 */
bool machine__settle(struct machine *machine);

/*
 * Forget what ended before @before, about which nobody will ask again: processes and threads whose
 * EXIT came, maps that later ones hide, former comms. For sessions that go on without an end; what
 * was fed must have been settled, and the last time must not have been machine__finish(). The
 * memory is then that of what lives, and of what was fed since.
 *
 * Ids of what is kept stay; those of forgotten threads are given to new ones, so threads that are
 * still referred to must be named: @used, by id, machine__nr_threads() of them (NULL: none) keeps
 * them and their process. A record earlier than @before that comes afterwards counts as one of that
 * time. A thread that is born with a comm has no ":TID" before it.
 */
void machine__forget(struct machine *machine, struct moment before, const u8 *used);

/*
 * The same for files, of which all must be told as if nothing had been forgotten: only processes
 * that had lost their pid to another one by @before are forgotten, and what later maps and comms
 * hid by then. Of a process that exited nothing is lost: it may be seen again. Answers about
 * moments from @before on, of threads that samples name, stay what they are (but for ids, and for
 * limits that lie before it) as long as nothing is fed that is older than machine__reaches().
 */
void machine__forget_replaced(struct machine *machine, struct moment before, const u8 *used);

/* Records from this time on may still be fed after something was forgotten. */
u64 machine__reaches(const struct machine *machine);

/* How many threads and maps it has. */
u32 machine__size(const struct machine *machine);

/* How many records were fed and not forgotten. */
u32 machine__nr_events(const struct machine *machine);

/* The number of steps that settling took so far: what its cost is in, for tests. */
u64 machine__work(const struct machine *machine);

/* The same for the last time: nothing may be fed afterwards. */
bool machine__finish(struct machine *machine);

/*
 * After machine__finish(): a thread of another recording, known by its number alone, with the last
 * comm that it had. Its process is its own. Nobody may ask at the same time.
 */
u32 machine__adopt_thread(struct machine *machine, s32 pid, s32 tid, u32 comm);

/* ---- asking (any thread, any order, while nobody settles) ---- */

struct thread {
	s32 pid, tid;
	u32 instance; /* of the process; two processes with one pid (reuse) differ here */
};

/*
 * The thread (id) that @pid/@tid was at @when. Never fails for threads that appeared in a fed
 * record or were noted; ID_NONE for others.
 */
u32 machine__find_thread(const struct machine *machine, s32 pid, s32 tid, struct moment when);

const struct thread *machine__thread(const struct machine *machine, u32 thread);
u32 machine__nr_threads(const struct machine *machine);

/* How many threads were made before it: its id, but ids of forgotten threads are given again. */
u32 machine__made(const struct machine *machine, u32 thread);

/* The tid of the thread that last forked @thread; -1: there was no FORK record. */
s32 machine__parent_of(const struct machine *machine, u32 thread);

enum thread_told {
	THREAD_IN_TASKS = 1u << 0, /* a FORK or COMM record names it */
	THREAD_IN_MAPS = 1u << 1,  /* an MMAP record does */
};

/* Which records name this thread; 0: only samples or its EXIT. */
enum thread_told machine__told(const struct machine *machine, u32 thread);

/*
 * A number for the maps that @pid has now, at the end of what was taken in: it stays while they do,
 * and processes with one number have the same. 0: it has none.
 */
u64 machine__space(const struct machine *machine, s32 pid);

/* strtab id of the thread's comm at @when. */
u32 machine__comm_at(const struct machine *machine, u32 thread, struct moment when);

/*
 * Both look-ups above at once, with how long the answer holds: for a worker's cache. False (thread
 * ID_NONE) when the thread is unknown.
 */
struct task_hit {
	u32 thread, comm;
	struct moment since, until; /* valid for all moments in [since, until) */
};
bool machine__find_task(const struct machine *machine, s32 pid, s32 tid, struct moment when,
                        struct task_hit *hit);

enum map_hit_flags {
	MAP_HIT_BEFORE_EXEC = 1u << 0, /* the map is older than the process's last exec */
	MAP_HIT_PARENT = 1u << 1,      /* inherited from a parent */
	MAP_HIT_SOON = 1u << 2, /* not mapped yet, but a map comes less than 1 ms later: count it */
};

#define MAP_SOON_NS 1000000

struct map_hit {
	u32 dso;   /* ID_NONE: nothing was mapped there */
	u32 flags; /* enum map_hit_flags */
	u32 map;   /* index into machine__maps(); ID_NONE: none */
	/*
	 * The answer is the same for every address in [start, end) at every moment in
	 * [since, until), for this thread (or the kernel): for a worker's cache. It is a part of
	 * the map as recorded, with pgoff to match: dso address = addr - start + pgoff.
	 */
	u64 start, end, pgoff;
	struct moment since, until;
	u32 prot;
};

/*
 * What to subtract from a run-time address to get the address inside the dso, as
 * session_symbols__find() takes it: by the map for files; nothing for kernel, modules, BPF and
 * anonymous memory.
 */
static inline u64 map_hit__bias(const struct map_hit *hit, const struct dso *dso)
{
	bool file = dso->kind == DSO_USER || dso->kind == DSO_VDSO || dso->kind == DSO_VSYSCALL;

	return file ? hit->start - hit->pgoff : 0;
}

/*
 * What was mapped at @addr at @when: in the process of @thread, or with @kernel in the kernel
 * (@thread is ignored then). Returns false for a hole; limits are valid then too (and empty for
 * thread ID_NONE).
 */
bool machine__find_map(const struct machine *machine, u32 thread, bool kernel, u64 addr,
                       struct moment when, struct map_hit *hit);
bool machine__find_data_map(const struct machine *machine, u32 thread, u64 addr, struct moment when,
                            struct map_hit *hit);

/*
 * What was mapped at @addr in process @pid at the end of what was taken in; false for a hole, and
 * for a process that is not known.
 */
bool machine__find_map_now(const struct machine *machine, s32 pid, u64 addr, struct map_hit *hit);

/*
 * All maps ever fed, in order of feeding: for --mmaps, build-id passes, script. One of pid -1 with
 * dso ID_NONE removes that range from the kernel's space. (After machine__forget(): in no order,
 * with gaps.)
 */
const struct map_info *machine__maps(const struct machine *machine, u32 *nr);

#endif
