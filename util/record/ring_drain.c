// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/ring_drain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"

u64 ring_drain__now_ms(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void ring_drain__init(struct ring_drain *drain, struct rings *rings, struct data_writer *writer,
                      const int *events, u32 nr_events)
{
	*drain = (struct ring_drain){
		.rings = rings,
		.writer = writer,
		.passed_ms = ring_drain__now_ms(),
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
	out__init(&drain->packed, -1);
	sched_getaffinity(0, sizeof(drain->home), &drain->home);
	drain->here = drain->home;
}

void ring_drain__exit(struct ring_drain *drain)
{
	free(drain->fds);
	free(drain->lost_said);
	free(drain->nodes);
	out__exit(&drain->packed);
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

/* ---- from the rings to the file ---- */

#define RINGS_PER_WRITE 31 /* two pieces each, */
#define MAX_PIECES      64 /* but at times four; and the round */
#define ENOUGH_TO_WRITE (128 * 1024)
#define SLOW_WRITE_MS   10

static const struct perf_event_header finished_round = {
	.type = RECORD_FINISHED_ROUND,
	.size = sizeof(finished_round),
};

struct batch {
	struct iovec iov[MAX_PIECES];
	int pieces;
	struct {
		struct ring *ring;
		u64 len;
	} read[RINGS_PER_WRITE];
	struct perf_event_header told[RINGS_PER_WRITE]; /* of LOST, with the cause */
	u32 nr;
	u64 sum;
};

static bool batch__is_full(const struct batch *batch)
{
	return batch->nr == RINGS_PER_WRITE || batch->pieces + 4 >= MAX_PIECES;
}

static void batch__add_piece(struct batch *batch, const u8 *data, size_t len)
{
	if (len)
		batch->iov[batch->pieces++] = (struct iovec){ (void *)data, len };
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
static void batch__add_span(struct batch *batch, const struct ring *ring,
                            const struct ring_span *span, u64 at)
{
	struct perf_event_header *told = &batch->told[batch->nr];
	size_t before = ring->behind - at;

	if (!ring->behind || ring->behind < at || before + sizeof(*told) > span->len) {
		batch__add_piece(batch, span->data, span->len);
		return;
	}
	memcpy(told, span->data + before, sizeof(*told));
	if (told->type == PERF_RECORD_LOST)
		told->misc |= RECORD_MISC_WRITER_BEHIND;
	batch__add_piece(batch, span->data, before);
	batch__add_piece(batch, (const u8 *)told, sizeof(*told));
	batch__add_piece(batch, span->data + before + sizeof(*told),
	                 span->len - before - sizeof(*told));
}

static void batch__add(struct batch *batch, const struct ring_drain *drain, struct ring *ring,
                       u64 flush)
{
	struct ring_span spans[2];
	u64 len = ring->overwrite ? 0 : ring__read(ring, spans);

	if (!len)
		note_room(ring, drain->write_ms, ring_drain__now_ms());
	if (!len || len < flush)
		return;
	batch__add_span(batch, ring, &spans[0], ring->tail);
	batch__add_span(batch, ring, &spans[1], ring->tail + spans[0].len);
	batch->read[batch->nr].ring = ring;
	batch->read[batch->nr++].len = len;
	batch->sum += len;
}

static struct ring_drain_file file_of_ring(const struct ring_drain *drain, u32 ring)
{
	if (drain->by_ring)
		return drain->by_ring[ring];
	return (struct ring_drain_file){ drain->writer, drain->packer };
}

/* Bytes of what was packed that are in the file with its first @len bytes of packed records. */
static u64 kept_unpacked(const struct out *packed, u64 len)
{
	struct record record;
	u64 kept = 0;

	for (size_t at = 0; record__take((const u8 *)packed->buf + at, len - at, &record);
	     at += record.size)
		kept += COMPRESS_CHUNK; /* the last one is shorter, but then all is there */
	return kept;
}

/* The disk is full: of @iov only the first @kept bytes, or a little less, are in the file. */
static void note_unwritten(struct ring_drain *drain, const struct iovec *iov, int pieces, u64 kept)
{
	struct out all;

	if (!drain->unwritten)
		return;
	out__init(&all, -1);
	for (int i = 0; i < pieces; i++)
		out__mem(&all, iov[i].iov_base, iov[i].iov_len);
	const u8 *records = (const u8 *)all.buf;
	struct record record;
	size_t at = 0;

	while (record__take(records + at, all.len - at, &record) && at + record.size <= kept)
		at += record.size;
	unwritten__add(drain->unwritten, records + at, all.len - at);
	out__exit(&all);
}

/*
 * What came from ring @ring and those before it, packed if so wished. @iov has room for the
 * round, which stays plain.
 */
static int put(struct ring_drain *drain, u32 ring, struct iovec *iov, int pieces, bool round)
{
	struct ring_drain_file file = file_of_ring(drain, ring);
	u64 before = data_writer__data_size(file.writer);
	struct iovec given[MAX_PIECES];
	int nr_given = pieces, ret;

	memcpy(given, iov, pieces * sizeof(*iov));

	if (file.packer) {
		drain->packed.len = 0;
		ret = compressor__add(file.packer, iov, pieces, &drain->packed);
		if (ret)
			return ret;
		iov[0] = (struct iovec){ drain->packed.buf, drain->packed.len };
		pieces = drain->packed.len > 0;
	}
	if (round)
		iov[pieces++] = (struct iovec){ (void *)&finished_round, sizeof(finished_round) };
	u64 started = ring_drain__now_ms();

	ret = pieces ? data_writer__append(file.writer, iov, pieces) : 0;
	u64 took = ring_drain__now_ms() - started;

	if (took >= SLOW_WRITE_MS)
		__atomic_add_fetch(&drain->write_ms, took, __ATOMIC_RELAXED);
	u64 kept = data_writer__data_size(file.writer) - before;

	if (ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG)
		note_unwritten(drain, given, nr_given,
		               file.packer ? kept_unpacked(&drain->packed, kept) : kept);
	if (drain->total)
		__atomic_add_fetch(drain->total, kept, __ATOMIC_RELAXED);
	return ret;
}

/* To the file; then the kernel gets the room back, also when the file is full. */
static int batch__write(struct batch *batch, struct ring_drain *drain, u32 ring, bool round)
{
	u64 started = ring_drain__now_ms(), before = drain->write_ms;
	int ret = put(drain, ring, batch->iov, batch->pieces, round);
	u64 now = ring_drain__now_ms();

	for (u32 i = 0; i < batch->nr; i++) {
		struct ring *read = batch->read[i].ring;
		u64 len = batch->read[i].len;

		if (len < read->size - read->size / 8) /* it had room before */
			note_slow_write(read, len, drain->write_ms - before, now - started);
		else
			note_slow_write(read, len, drain->write_ms - read->slow_ms,
			                now - read->emptied_ms);
		note_room(read, drain->write_ms, now);
		ring__consume(read, len);
	}
	batch->pieces = 0;
	batch->nr = 0;
	return ret;
}

/*
 * Rings with little in them share a write; one with much gets its own, so that its room is free
 * again as soon as can be.
 */
static s64 pass_to_files(struct ring_drain *drain, u64 flush, bool round)
{
	struct rings *rings = drain->rings;
	struct batch batch = { .pieces = 0 };
	bool share = drain->affinity == AFFINITY_SYS && !drain->by_ring;
	u64 written = 0;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		if (!rings->rings[i].overwrite && ring__unread(&rings->rings[i]))
			go_near(drain, i);
		batch__add(&batch, drain, &rings->rings[i], flush);
		if (share && batch.sum - written < ENOUGH_TO_WRITE && !batch__is_full(&batch))
			continue;
		written = batch.sum;
		if (drain->by_ring || i + 1 < rings->nr)
			ret = batch__write(&batch, drain, i, false);
	}
	if (!ret && batch.sum && !drain->by_ring)
		/* with backward rings older records are still to come */
		ret = batch__write(&batch, drain, rings->nr - 1, round && !drain->backward);
	return ret ? ret : (s64)batch.sum;
}

int ring_drain__write_unwound(void *ctx, const u8 *records, size_t len, bool round)
{
	struct ring_drain *drain = ctx;
	struct iovec iov[2] = { { (void *)records, len } };
	int ret = put(drain, 0, iov, 1, round && !drain->backward);

	__atomic_store_n(&drain->live_size, data_writer__data_size(drain->writer),
	                 __ATOMIC_RELAXED);
	return ret;
}

/* Of @ring, in the @copy of all that is unread in it: a loss that we know more about. */
static void tell_cause(const struct ring *ring, u8 *copy, u64 len)
{
	u64 at = ring->behind - ring->tail;
	struct perf_event_header told;

	if (!ring->behind || ring->behind < ring->tail || at + sizeof(told) > len)
		return;
	memcpy(&told, copy + at, sizeof(told));
	if (told.type == PERF_RECORD_LOST)
		told.misc |= RECORD_MISC_WRITER_BEHIND;
	memcpy(copy + at, &told, sizeof(told));
}

/* While it waits for the other thread rings become full; whose fault is that: its writes'? */
static int submit(struct ring_drain *drain, struct live_batch *batch)
{
	u64 started = ring_drain__now_ms();
	u64 before = __atomic_load_n(&drain->write_ms, __ATOMIC_RELAXED);
	int ret = live_unwind__submit(drain->live, batch);
	u64 written = __atomic_load_n(&drain->write_ms, __ATOMIC_RELAXED) - before;

	drain->waited_ms += min_u64(ring_drain__now_ms() - started, written);
	return ret;
}

static s64 pass_to_live(struct ring_drain *drain)
{
	struct rings *rings = drain->rings;
	struct live_batch *batch = live_unwind__batch(drain->live);
	u64 moved = 0, now = ring_drain__now_ms();
	int ret;

	for (u32 i = 0; i < rings->nr; i++) {
		struct ring *ring = &rings->rings[i];
		struct ring_span spans[2];

		if (ring->overwrite)
			continue;
		go_near(drain, i);
		u64 len = ring__read(ring, spans);

		live_batch__add(batch, &spans[0]);
		live_batch__add(batch, &spans[1]);
		if (len)
			tell_cause(ring, batch->data + batch->len - len, len);
		note_slow_write(ring, len, drain->waited_ms - ring->slow_ms,
		                now - ring->emptied_ms);
		note_room(ring, drain->waited_ms, now);
		ring__consume(ring, len);
		moved += len;
	}
	ret = submit(drain, batch);
	return ret ? ret : (s64)moved;
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
	drain->passed_ms = ring_drain__now_ms();
	return drain->live ? pass_to_live(drain) : pass_to_files(drain, flush, true);
}

int ring_drain__look(struct ring_drain *drain)
{
	/* What is unwound is not written by this thread. */
	if (drain->live || !drain->rings)
		return 0;
	if (ring_drain__now_ms() < drain->passed_ms + RING_DRAIN_PASS_MS &&
	    !any_half_full(drain->rings))
		return 0;
	drain->passed_ms = ring_drain__now_ms();
	s64 moved = pass_to_files(drain, drain->flush, false);

	return moved < 0 ? moved : 0;
}

u64 ring_drain__size(const struct ring_drain *drain)
{
	if (drain->live)
		return __atomic_load_n(&drain->live_size, __ATOMIC_RELAXED);
	return drain->total ? __atomic_load_n(drain->total, __ATOMIC_RELAXED)
	                    : data_writer__data_size(drain->writer);
}

s64 ring_drain__pass(struct ring_drain *drain)
{
	return pass(drain, drain->flush);
}

/* What the overwritten rings hold now, oldest first. 0 or the file's or kernel's negative errno. */
static int dump(struct ring_drain *drain)
{
	struct rings *rings = drain->rings;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		u8 *records;
		u64 len;

		if (!rings->rings[i].overwrite)
			continue;
		go_near(drain, i);
		ret = ring__take_backward(&rings->rings[i], &records, &len);
		struct iovec iov[2] = { { records, len } };

		if (!ret)
			ret = put(drain, i, iov, 1, false);
		free(records);
	}
	if (!ret && drain->backward && !drain->by_ring)
		ret = data_writer__append_bytes(drain->writer, &finished_round,
		                                sizeof(finished_round));
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
	if (drain->live)
		return LIVE_LOOK_MS;
	for (u32 i = 0; i < drain->rings->nr; i++)
		if (!drain->rings->rings[i].overwrite)
			return RING_DRAIN_PASS_MS;
	return -1;
}

int ring_drain__run(struct ring_drain *drain, bool (*ended)(void *ctx), void *ctx)
{
	u32 nr = drain->rings->nr_fds + drain->nr_events;
	int patience = look_ms(drain);

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

/* All that was moved is to be in the file; a last pass finds what tells of its maps. */
static int finish_live(struct ring_drain *drain)
{
	s64 moved = drain->live ? pass(drain, 0) : 0;
	int ret = drain->live ? live_unwind__drain(drain->live) : 0;

	return moved < 0 ? moved : ret;
}

int ring_drain__catch_up(struct ring_drain *drain)
{
	s64 moved = pass(drain, 0);
	int ret = finish_live(drain);

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
	int ret = finish_live(drain);

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
