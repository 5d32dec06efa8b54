// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/machine/live_maps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"

struct live_map {
	u64 start, end;
	u64 bias; /* to be taken from an address: what is left is the object's */
	u32 dso;
};

/* Of one process, or of several that are the same in this. */
struct live_set {
	struct live_map *maps; /* by address, none over another */
	u32 nr, refs;
	size_t cap;
	u64 space;
};

struct live_process {
	s32 pid;
	struct live_set *set; /* NULL: nothing was told */
	u64 exits;            /* how many processes had exited when it did; 0: it has not */
};

struct live_maps {
	struct dsos *dsos;
	struct u64map by_pid; /* -> index */
	struct live_process *processes;
	u32 nr;
	size_t cap;
	u64 last_space;
	s32 dead[LIVE_MAPS_DEAD]; /* the last that exited, in a ring */
	u64 nr_exits;
};

struct live_maps *live_maps__new(struct dsos *dsos)
{
	struct live_maps *maps = xcalloc(1, sizeof(*maps));

	maps->dsos = dsos;
	return maps;
}

/* ---- sets ---- */

static void put_set(struct live_set *set)
{
	if (!set || --set->refs)
		return;
	free(set->maps);
	free(set);
}

void live_maps__delete(struct live_maps *maps)
{
	if (!maps)
		return;
	for (u32 i = 0; i < maps->nr; i++)
		put_set(maps->processes[i].set);
	free(maps->processes);
	u64map__exit(&maps->by_pid);
	free(maps);
}

/* A set of the process's own, to be changed: it gets a number that no other has. */
static struct live_set *own_set(struct live_maps *maps, struct live_process *process)
{
	struct live_set *old = process->set, *set = old;

	if (!old || old->refs > 1) {
		set = xcalloc(1, sizeof(*set));
		set->refs = 1;
		if (old) {
			array__reserve(&set->maps, &set->cap, old->nr, sizeof(*set->maps));
			memcpy(set->maps, old->maps, old->nr * sizeof(*set->maps));
			set->nr = old->nr;
		}
		put_set(old);
		process->set = set;
	}
	set->space = ++maps->last_space;
	return set;
}

/* The first map that ends behind @addr; set->nr: none. */
static u32 first_behind(const struct live_set *set, u64 addr)
{
	u32 low = 0, high = set->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (set->maps[middle].end > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* @nr maps from @at on become @nr_new ones. */
static void replace(struct live_set *set, u32 at, u32 nr, const struct live_map *fresh, u32 nr_new)
{
	array__reserve(&set->maps, &set->cap, set->nr - nr + nr_new, sizeof(*set->maps));
	memmove(set->maps + at + nr_new, set->maps + at + nr,
	        (set->nr - at - nr) * sizeof(*set->maps));
	memcpy(set->maps + at, fresh, nr_new * sizeof(*set->maps));
	set->nr = set->nr - nr + nr_new;
}

/* Over what was there; of an old map on each side its rest stays. */
static void add_map(struct live_set *set, const struct live_map *map)
{
	u32 at = first_behind(set, map->start), end = at, nr = 0;
	struct live_map fresh[3];

	while (end < set->nr && set->maps[end].start < map->end)
		end++;
	if (at < end && set->maps[at].start < map->start) {
		fresh[nr] = set->maps[at];
		fresh[nr++].end = map->start;
	}
	fresh[nr++] = *map;
	if (at < end && set->maps[end - 1].end > map->end) {
		fresh[nr] = set->maps[end - 1];
		fresh[nr++].start = map->end;
	}
	if (set->nr >= LIVE_MAPS_MAX && end == at) { /* nobody tells what was unmapped */
		at -= at == set->nr;
		end = at + 1;
	}
	replace(set, at, end - at, fresh, nr);
}

/* ---- processes ---- */

static struct live_process *find_process(const struct live_maps *maps, s32 pid)
{
	u32 index = u64map__get(&maps->by_pid, (u32)pid);

	return index == ID_NONE ? NULL : &maps->processes[index];
}

static struct live_process *get_process(struct live_maps *maps, s32 pid)
{
	u32 *index = u64map__at(&maps->by_pid, (u32)pid);

	if (*index == ID_NONE) {
		array__reserve(&maps->processes, &maps->cap, maps->nr + 1,
		               sizeof(*maps->processes));
		maps->processes[maps->nr] = (struct live_process){ .pid = pid };
		*index = maps->nr++;
	}
	return &maps->processes[*index];
}

static void take_fork(struct live_maps *maps, const struct record *record)
{
	struct task_record task;

	if (task_record__decode(record, false, &task) || task.pid == task.ppid)
		return;
	struct live_process *child = get_process(maps, task.pid);
	const struct live_process *parent = find_process(maps, task.ppid);
	bool made_up = record->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct live_set *set = parent && !made_up ? parent->set : NULL;

	if (set)
		set->refs++;
	put_set(child->set);
	child->set = set;
	child->exits = 0;
}

/* The thread that the process began with has ended. */
static void take_exit(struct live_maps *maps, const struct record *record)
{
	struct task_record task;

	if (task_record__decode(record, false, &task) || task.pid != task.tid)
		return;
	struct live_process *process = find_process(maps, task.pid);

	if (!process || process->exits)
		return;
	s32 *slot = &maps->dead[maps->nr_exits % LIVE_MAPS_DEAD];
	struct live_process *oldest = find_process(maps, *slot);

	/* Unless it lives again, or has ended again, under the same pid. */
	if (maps->nr_exits >= LIVE_MAPS_DEAD && oldest &&
	    oldest->exits == maps->nr_exits - LIVE_MAPS_DEAD + 1) {
		put_set(oldest->set);
		oldest->set = NULL;
	}
	*slot = task.pid;
	process->exits = ++maps->nr_exits;
}

static u32 dso_of(struct live_maps *maps, const struct mmap_record *map)
{
	enum dso_kind kind = dso_kind__of_map(map->name);
	const struct dso_inode inode = { map->maj, map->min, map->ino };

	if (kind != DSO_USER)
		return dsos__get(maps->dsos, map->name, kind, 0, NULL, 0);
	return dsos__get_file(maps->dsos, map->name, map->pid, &inode,
	                      map->has_build_id ? map->build_id : NULL, map->build_id_size);
}

static bool has_map(const struct live_process *process, const struct live_map *map)
{
	const struct live_set *set = process->set;
	u32 at = set ? first_behind(set, map->start) : 0;

	return set && at < set->nr && !memcmp(&set->maps[at], map, sizeof(*map));
}

static u32 take_map(struct live_maps *maps, const struct record *record, u64 *addr)
{
	u8 cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct mmap_record map;

	if (cpumode != PERF_RECORD_MISC_USER || mmap_record__decode(record, false, &map) ||
	    map.is_data || (s32)map.pid < 0 || !map.len)
		return ID_NONE;
	struct live_process *process = get_process(maps, map.pid);
	struct live_map fresh;

	memset(&fresh, 0, sizeof(fresh)); /* it is compared */
	fresh.start = map.start;
	fresh.end = map.len > UINT64_MAX - map.start ? UINT64_MAX : map.start + map.len;
	fresh.dso = dso_of(maps, &map);
	if (dsos__at(maps->dsos, fresh.dso)->kind != DSO_ANON)
		fresh.bias = map.start - map.pgoff;
	if (!has_map(process, &fresh))
		add_map(own_set(maps, process), &fresh);
	*addr = map.start - fresh.bias;
	return map.prot & PROT_EXEC ? fresh.dso : ID_NONE;
}

u32 live_maps__take(struct live_maps *maps, const struct record *record, u64 *addr)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return take_map(maps, record, addr);
	case PERF_RECORD_FORK:
		take_fork(maps, record);
		break;
	case PERF_RECORD_EXIT:
		take_exit(maps, record);
		break;
	}
	return ID_NONE;
}

/* ---- asking ---- */

u64 live_maps__space(const struct live_maps *maps, s32 pid)
{
	const struct live_process *process = find_process(maps, pid);

	return process && process->set ? process->set->space : 0;
}

u32 live_maps__find(const struct live_maps *maps, s32 pid, u64 *addr)
{
	const struct live_process *process = find_process(maps, pid);
	const struct live_set *set = process ? process->set : NULL;
	u32 at = set ? first_behind(set, *addr) : 0;

	if (!set || at >= set->nr || set->maps[at].start > *addr)
		return ID_NONE;
	*addr -= set->maps[at].bias;
	return set->maps[at].dso;
}
