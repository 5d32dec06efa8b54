// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/ring_drain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/clock.h"
#include "util/lib/file.h"

void ring_drain__init(struct ring_drain *drain, struct rings *rings, struct record_sink *sink,
                      const int *events, u32 nr_events)
{
	*drain = (struct ring_drain){
		.rings = rings,
		.sink = sink,
		.passed_ms = clock__now_ms(),
	};
	drain->fds = xcalloc((size_t)rings->nr_fds + nr_events, sizeof(*drain->fds));
	if (rings->nr_fds)
		memcpy(drain->fds, rings->fds, rings->nr_fds * sizeof(*drain->fds));
	for (u32 i = 0; i < rings->nr_fds; i++)
		drain->nr_live += rings->fds[i].fd >= 0;
	for (u32 i = 0; i < nr_events; i++)
		drain->fds[rings->nr_fds + i] =
		        (struct pollfd){ .fd = events[i], .events = POLLIN };
	drain->nr_events = nr_events;
	for (u32 i = 0; i < rings->nr; i++) {
		drain->backward |= rings->rings[i].overwrite;
		rings->rings[i].emptied_ms = drain->passed_ms;
	}
	sched_getaffinity(0, sizeof(drain->home), &drain->home);
	drain->here = drain->home;
}

void ring_drain__exit(struct ring_drain *drain)
{
	free(drain->fds);
	free(drain->lost_said);
	free(drain->nodes);
}

/* ---- where we run ---- */

#define MAX_NODES 1024

/* The CPUs of the node of @cpu; empty when the kernel does not tell. */
static void node_of(s32 cpu, cpu_set_t *set)
{
	char path[96], list[1024];

	CPU_ZERO(set);
	for (int node = 0; node < MAX_NODES; node++) {
		struct cpu_map map = CPU_MAP_INIT;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/node%d/cpulist", cpu,
		         node);
		if (file__read_text(path, list, sizeof(list)) < 0)
			continue;
		if (!cpu_map__parse(&map, list, NULL))
			for (u32 i = 0; i < map.nr; i++)
				if (map.cpus[i] >= 0 && map.cpus[i] < CPU_SETSIZE)
					CPU_SET(map.cpus[i], set);
		cpu_map__exit(&map);
		return;
	}
}

static const cpu_set_t *node_of_ring(struct ring_drain *drain, u32 ring)
{
	const struct rings *rings = drain->rings;

	if (!drain->nodes) {
		drain->nodes = xcalloc(rings->nr, sizeof(*drain->nodes));
		for (u32 i = 0; i < rings->nr; i++)
			if (rings->rings[i].cpu >= 0)
				node_of(rings->rings[i].cpu, &drain->nodes[i]);
	}
	return &drain->nodes[ring];
}

/* What cannot be had is done without. */
static void go_to(struct ring_drain *drain, const cpu_set_t *cpus)
{
	if (!CPU_EQUAL(cpus, &drain->here) && !sched_setaffinity(0, sizeof(*cpus), cpus))
		drain->here = *cpus;
}

/* Before ring @ring is read. An offline CPU, or a node that is not known, keeps us where we are. */
static void go_near(struct ring_drain *drain, u32 ring)
{
	s32 cpu = drain->rings->rings[ring].cpu;
	cpu_set_t own;

	if (drain->affinity == AFFINITY_SYS || cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&own);
	CPU_SET(cpu, &own);
	go_to(drain, drain->affinity == AFFINITY_CPU ? &own : node_of_ring(drain, ring));
}

static void go_home(struct ring_drain *drain)
{
	go_to(drain, &drain->home);
}

/*
 * A ring that wakes us is full a few milliseconds later, which is what a fair scheduler lets us
 * wait. Linux from 6.12 on runs those soon that ask for short slices; older ones do not look at it.
 * What we may not ask for is done without.
 */
#define SLICE_NS      100000 /* the least that may be asked for */
#define RESET_ON_FORK 1

/* struct sched_attr of <linux/sched/types.h>, which older headers do not let stand by <sched.h>. */
struct sched_wish {
	u32 size, policy;
	u64 flags;
	s32 nice;
	u32 priority;
	u64 runtime, deadline, period;
};

static void run_soon(void)
{
	struct sched_wish wish = { .size = sizeof(wish) };

	if (syscall(SYS_sched_getattr, 0, &wish, sizeof(wish), 0) || wish.policy != SCHED_OTHER)
		return;
	wish.flags |= RESET_ON_FORK;
	wish.runtime = SLICE_NS;
	syscall(SYS_sched_setattr, 0, &wish, 0);
}

/* ---- from the rings to the sink ---- */

#define RINGS_PER_BATCH 31 /* two pieces each, but at times four */
#define ENOUGH_TO_TAKE  (128 * 1024)

/* One visit of all rings, and what the sink is to take next. */
struct pass {
	struct ring_drain *drain;
	struct iovec pieces[RECORD_BATCH_PIECES];
	u32 nr_pieces;
	struct {
		struct ring *ring;
		u64 len;
	} read[RINGS_PER_BATCH];
	struct perf_event_header told[RINGS_PER_BATCH]; /* of LOST, with the cause */
	u32 nr;
	u64 moved, taken; /* bytes of all rings so far, and of those that the sink has */
};

static bool pass__is_full(const struct pass *pass)
{
	return pass->nr == RINGS_PER_BATCH || pass->nr_pieces + 4 > RECORD_BATCH_PIECES;
}

static void add_piece(struct pass *pass, const u8 *data, size_t len)
{
	if (len)
		pass->pieces[pass->nr_pieces++] = (struct iovec){ (void *)data, len };
}

/*
 * Was it a write that let the ring become full? It was, if of the @ms in which it filled most went
 * by in slow writes. Then what the kernel tells of the loss stands where its next record finds
 * room: at the head just before the consume that makes the room.
 */
static void note_slow_write(struct ring *ring, u64 len, u64 slow, u64 ms)
{
	if (ring->behind < ring->tail + len) /* else nothing was written there yet */
		ring->behind = 0;
	if (slow && 2 * slow >= ms)
		ring->behind = __atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED);
}

/* It has room now; so much time went by in slow writes so far. */
static void note_room(struct ring *ring, u64 slow_ms, u64 now)
{
	ring->slow_ms = slow_ms;
	ring->emptied_ms = now;
}

/* A span of @ring; where it has the record of a loss that we know more about, that is told. */
static void add_span(struct pass *pass, const struct ring *ring, const struct ring_span *span,
                     u64 at)
{
	struct perf_event_header *told = &pass->told[pass->nr];
	size_t before = ring->behind - at;

	if (!ring->behind || ring->behind < at || before + sizeof(*told) > span->len) {
		add_piece(pass, span->data, span->len);
		return;
	}
	memcpy(told, span->data + before, sizeof(*told));
	if (told->type == PERF_RECORD_LOST)
		told->misc |= RECORD_MISC_WRITER_BEHIND;
	add_piece(pass, span->data, before);
	add_piece(pass, (const u8 *)told, sizeof(*told));
	add_piece(pass, span->data + before + sizeof(*told), span->len - before - sizeof(*told));
}

static void add_ring(struct pass *pass, struct ring *ring, u64 flush)
{
	struct ring_span spans[2];
	u64 len = ring->overwrite ? 0 : ring__read(ring, spans);

	if (!len)
		note_room(ring, pass->drain->slow_ms, clock__now_ms());
	if (!len || len < flush)
		return;
	add_span(pass, ring, &spans[0], ring->tail);
	add_span(pass, ring, &spans[1], ring->tail + spans[0].len);
	pass->read[pass->nr].ring = ring;
	pass->read[pass->nr++].len = len;
	pass->moved += len;
}

/*
 * To the sink; then the kernel gets the room back, also after an error. @ring is the last one. A
 * ring that had room before was filled by this write, if by any; not so where the sink only copies
 * here and writes later.
 */
static int give(struct pass *pass, u32 ring, bool round)
{
	struct record_batch batch = {
		.pieces = pass->pieces, .nr = pass->nr_pieces, .ring = ring, .round = round
	};
	struct ring_drain *drain = pass->drain;
	bool copies = drain->sink->passed;
	u64 started = clock__now_ms();
	int ret = batch.nr || round ? drain->sink->take(drain->sink, &batch) : 0;
	u64 now = clock__now_ms();

	drain->slow_ms += batch.slow_ms;
	for (u32 i = 0; i < pass->nr; i++) {
		struct ring *read = pass->read[i].ring;
		u64 len = pass->read[i].len;

		if (!copies && len < read->size - read->size / 8)
			note_slow_write(read, len, batch.slow_ms, now - started);
		else
			note_slow_write(read, len, drain->slow_ms - read->slow_ms,
			                now - read->emptied_ms);
		note_room(read, drain->slow_ms, now);
		ring__consume(read, len);
	}
	pass->nr_pieces = pass->nr = 0;
	pass->taken = pass->moved;
	return ret;
}

/*
 * Rings with little in them share a batch; one with much gets its own, so that its room is free
 * again as soon as can be. With overwritten rings a pass ends no round: older records are still to
 * come.
 */
static s64 visit_rings(struct ring_drain *drain, u64 flush, bool round)
{
	struct rings *rings = drain->rings;
	struct pass pass = { .drain = drain };
	bool share = drain->affinity == AFFINITY_SYS && !drain->sink->apart;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		if (!rings->rings[i].overwrite && ring__unread(&rings->rings[i]))
			go_near(drain, i);
		add_ring(&pass, &rings->rings[i], flush);
		if (share && pass.moved - pass.taken < ENOUGH_TO_TAKE && !pass__is_full(&pass))
			continue;
		if (i + 1 < rings->nr)
			ret = give(&pass, i, false);
	}
	if (!ret && pass.moved)
		ret = give(&pass, rings->nr - 1, round && !drain->backward);
	return ret ? ret : (s64)pass.moved;
}

static bool any_half_full(const struct rings *rings)
{
	for (u32 i = 0; i < rings->nr; i++)
		if (!rings->rings[i].overwrite &&
		    ring__unread(&rings->rings[i]) > rings->rings[i].size / 2)
			return true;
	return false;
}

static s64 pass(struct ring_drain *drain, u64 flush)
{
	drain->late = any_half_full(drain->rings);
	drain->passed_ms = clock__now_ms();
	s64 moved = visit_rings(drain, drain->sink->together ? 0 : flush, true);
	u64 slow_ms;
	int ret = record_sink__passed(drain->sink, &slow_ms);

	drain->slow_ms += slow_ms;
	return moved < 0 || !ret ? moved : ret;
}

int ring_drain__look(struct ring_drain *drain)
{
	if (!drain->rings || drain->sink->together)
		return 0;
	if (clock__now_ms() < drain->passed_ms + RING_DRAIN_PASS_MS && !any_half_full(drain->rings))
		return 0;
	drain->passed_ms = clock__now_ms();
	s64 moved = visit_rings(drain, drain->flush, false);

	return moved < 0 ? moved : 0;
}

u64 ring_drain__size(const struct ring_drain *drain)
{
	return drain->size ? __atomic_load_n(drain->size, __ATOMIC_RELAXED) : 0;
}

int ring_drain__tell(void *drain, const void *records, size_t len)
{
	int ret = record_sink__tell(((struct ring_drain *)drain)->sink, records, len);

	return ret ? ret : ring_drain__look(drain);
}

s64 ring_drain__pass(struct ring_drain *drain)
{
	return pass(drain, drain->flush);
}

/* What the overwritten rings hold now, oldest first. 0 or the sink's or kernel's negative errno. */
static int dump(struct ring_drain *drain)
{
	struct record_batch end = { .ring = drain->rings->nr - 1, .round = true };
	struct rings *rings = drain->rings;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		struct iovec piece = { NULL, 0 };
		u8 *records = NULL;
		u64 len = 0;

		if (!rings->rings[i].overwrite)
			continue;
		go_near(drain, i);
		ret = ring__take_backward(&rings->rings[i], &records, &len);
		piece = (struct iovec){ records, len };
		struct record_batch batch = { .pieces = &piece, .nr = 1, .ring = i };

		if (!ret && len)
			ret = drain->sink->take(drain->sink, &batch);
		free(records);
	}
	if (!ret && drain->backward)
		ret = drain->sink->take(drain->sink, &end);
	return ret;
}

/* A counter whose task is gone says so for ever: stop asking. */
static void drop_ended(struct ring_drain *drain)
{
	for (u32 i = 0; i < drain->rings->nr_fds; i++) {
		struct pollfd *fd = &drain->fds[i];

		if (fd->fd < 0 || !(fd->revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		fd->fd = -1;
		drain->nr_live--;
	}
}

static bool event_is_ready(const struct ring_drain *drain)
{
	for (u32 i = 0; i < drain->nr_events; i++)
		if (drain->fds[drain->rings->nr_fds + i].revents)
			return true;
	return false;
}

void ring_drain__forget_event(struct ring_drain *drain, int fd)
{
	for (u32 i = 0; i < drain->nr_events; i++)
		if (drain->fds[drain->rings->nr_fds + i].fd == fd)
			drain->fds[drain->rings->nr_fds + i].fd = -1;
}

static bool is_past_mark(const struct ring_drain *drain)
{
	return drain->size_mark && ring_drain__size(drain) >= drain->size_mark;
}

/* Where no ring is to be emptied (those of a team have other readers) there is nothing to look at.
 */
static int look_ms(const struct ring_drain *drain)
{
	for (u32 i = 0; i < drain->rings->nr; i++)
		if (!drain->rings->rings[i].overwrite)
			return drain->sink->pass_ms ? (int)drain->sink->pass_ms
			                            : RING_DRAIN_PASS_MS;
	return -1;
}

int ring_drain__run(struct ring_drain *drain, bool (*ended)(void *ctx), void *ctx)
{
	u32 nr = drain->rings->nr_fds + drain->nr_events;
	int patience = look_ms(drain);

	run_soon();
	while (drain->nr_live) {
		s64 moved = ring_drain__pass(drain);

		if (moved < 0)
			return moved;
		if (is_past_mark(drain) && ended(ctx))
			break;
		/*
		 * A ring wakes us each time another quarter of it was written, whatever we have
		 * read: so there is no need to look again for what came meanwhile, which at high
		 * rates would never end. Unless we were late, when it may be much.
		 */
		int ready = poll(drain->fds, nr, drain->late ? 0 : patience);

		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready < 0)
			continue;
		drain->nr_woken += ready > 0;
		if ((drain->ask_often || event_is_ready(drain)) && ended(ctx))
			break;
		drop_ended(drain);
	}
	return 0;
}

/* All that was moved is to be with the last sink. */
static int settle(struct ring_drain *drain)
{
	/* Where rings tell about each other, a last pass finds what tells of its maps. */
	s64 moved = drain->sink->together ? pass(drain, 0) : 0;
	int ret = record_sink__settle(drain->sink);

	return moved < 0 ? moved : ret;
}

int ring_drain__catch_up(struct ring_drain *drain)
{
	s64 moved = pass(drain, 0);
	int ret = settle(drain);

	if (moved < 0)
		ret = moved;
	return ret ? ret : dump(drain);
}

int ring_drain__finish(struct ring_drain *drain)
{
	s64 moved;

	do
		moved = pass(drain, 0);
	while (moved > 0);
	int ret = settle(drain);

	moved = moved ? moved : ret;
	if (!moved)
		moved = dump(drain);
	go_home(drain);
	return moved;
}

/* read_format of record: value, [enabled, running], id, lost; groups are read member by member. */
static u64 lost_of_counter(const struct evsel *evsel, int fd)
{
	u64 values[8];
	u32 at = 1;

	if (!(evsel->attr.read_format & PERF_FORMAT_LOST) ||
	    evsel->attr.read_format & PERF_FORMAT_GROUP)
		return 0;
	at += !!(evsel->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED);
	at += !!(evsel->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	at += !!(evsel->attr.read_format & PERF_FORMAT_ID);
	if (read(fd, values, sizeof(values)) < (ssize_t)((at + 1) * sizeof(u64)))
		return 0;
	return values[at];
}

/* What counter number @nr lost since it was asked last. */
static u64 newly_lost(struct ring_drain *drain, u32 nr, u64 lost)
{
	u64 before;

	while (nr >= drain->nr_lost_said) {
		u32 more = drain->nr_lost_said ? 2 * drain->nr_lost_said : 64;

		drain->lost_said = xrealloc(drain->lost_said, more, sizeof(u64));
		memset(drain->lost_said + drain->nr_lost_said, 0,
		       (more - drain->nr_lost_said) * sizeof(u64));
		drain->nr_lost_said = more;
	}
	before = drain->lost_said[nr];
	drain->lost_said[nr] = lost;
	return lost - before;
}

void ring_drain__forget_lost(struct ring_drain *drain, u32 nr)
{
	nr = min_u64(nr, drain->nr_lost_said);
	if (nr)
		memset(drain->lost_said, 0, nr * sizeof(u64));
}

/* What the ring of @cpu lost last, no record of the kernel tells; was it a slow write's fault? */
static u16 cause_of_last(const struct ring_drain *drain, s32 cpu)
{
	for (u32 i = 0; i < drain->rings->nr; i++) {
		const struct ring *ring = &drain->rings->rings[i];

		if (ring->cpu == cpu && ring->behind && ring->behind >= ring->tail)
			return RECORD_MISC_LAST_BEHIND;
	}
	return 0;
}

u64 ring_drain__put_lost(struct ring_drain *drain, struct synth *synth, const struct evlist *list,
                         const struct cpu_map *cpus)
{
	u64 sum = 0;
	u32 nr = 0;

	for (u32 i = 0; i < list->nr; i++) {
		const struct evsel *evsel = list->evsels[i];
		u32 id = 0;

		for (u32 at = 0; evsel->fds && at < evsel->nr_cpus * evsel->nr_threads; at++) {
			s32 cpu = cpus->cpus[at / evsel->nr_threads];
			u64 lost;

			if (evsel->fds[at] < 0 || id >= evsel->nr_ids)
				continue;
			lost = newly_lost(drain, nr++, lost_of_counter(evsel, evsel->fds[at]));
			if (lost)
				synth__lost_samples(synth, evsel, evsel->ids[id], cpu, lost,
				                    cause_of_last(drain, cpu));
			sum += lost;
			id++;
		}
	}
	return sum;
}
