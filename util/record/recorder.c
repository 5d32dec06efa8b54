// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"

u64 recorder__now_ms(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void recorder__init(struct recorder *recorder, struct rings *rings, struct data_writer *writer,
                    const int *events, u32 nr_events)
{
	*recorder = (struct recorder){
		.rings = rings,
		.writer = writer,
		.passed_ms = recorder__now_ms(),
	};
	recorder->fds = xcalloc((size_t)rings->nr_fds + nr_events, sizeof(*recorder->fds));
	if (rings->nr_fds)
		memcpy(recorder->fds, rings->fds, rings->nr_fds * sizeof(*recorder->fds));
	for (u32 i = 0; i < rings->nr_fds; i++)
		recorder->nr_live += rings->fds[i].fd >= 0;
	for (u32 i = 0; i < nr_events; i++)
		recorder->fds[rings->nr_fds + i] =
		        (struct pollfd){ .fd = events[i], .events = POLLIN };
	recorder->nr_events = nr_events;
	for (u32 i = 0; i < rings->nr; i++) {
		recorder->backward |= rings->rings[i].overwrite;
		rings->rings[i].emptied_ms = recorder->passed_ms;
	}
	out__init(&recorder->packed, -1);
	sched_getaffinity(0, sizeof(recorder->home), &recorder->home);
	recorder->here = recorder->home;
}

void recorder__exit(struct recorder *recorder)
{
	free(recorder->fds);
	free(recorder->lost_said);
	free(recorder->nodes);
	out__exit(&recorder->packed);
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

static const cpu_set_t *node_of_ring(struct recorder *recorder, u32 ring)
{
	const struct rings *rings = recorder->rings;

	if (!recorder->nodes) {
		recorder->nodes = xcalloc(rings->nr, sizeof(*recorder->nodes));
		for (u32 i = 0; i < rings->nr; i++)
			if (rings->rings[i].cpu >= 0)
				node_of(rings->rings[i].cpu, &recorder->nodes[i]);
	}
	return &recorder->nodes[ring];
}

/* What cannot be had is done without. */
static void go_to(struct recorder *recorder, const cpu_set_t *cpus)
{
	if (!CPU_EQUAL(cpus, &recorder->here) && !sched_setaffinity(0, sizeof(*cpus), cpus))
		recorder->here = *cpus;
}

/* Before ring @ring is read. An offline CPU, or a node that is not known, keeps us where we are. */
static void go_near(struct recorder *recorder, u32 ring)
{
	s32 cpu = recorder->rings->rings[ring].cpu;
	cpu_set_t own;

	if (recorder->affinity == AFFINITY_SYS || cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&own);
	CPU_SET(cpu, &own);
	go_to(recorder, recorder->affinity == AFFINITY_CPU ? &own : node_of_ring(recorder, ring));
}

static void go_home(struct recorder *recorder)
{
	go_to(recorder, &recorder->home);
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

static void batch__add(struct batch *batch, const struct recorder *recorder, struct ring *ring,
                       u64 flush)
{
	struct ring_span spans[2];
	u64 len = ring->overwrite ? 0 : ring__read(ring, spans);

	if (!len)
		note_room(ring, recorder->write_ms, recorder__now_ms());
	if (!len || len < flush)
		return;
	batch__add_span(batch, ring, &spans[0], ring->tail);
	batch__add_span(batch, ring, &spans[1], ring->tail + spans[0].len);
	batch->read[batch->nr].ring = ring;
	batch->read[batch->nr++].len = len;
	batch->sum += len;
}

static struct recorder_file file_of_ring(const struct recorder *recorder, u32 ring)
{
	if (recorder->by_ring)
		return recorder->by_ring[ring];
	return (struct recorder_file){ recorder->writer, recorder->packer };
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
static void note_unwritten(struct recorder *recorder, const struct iovec *iov, int pieces, u64 kept)
{
	struct out all;

	if (!recorder->unwritten)
		return;
	out__init(&all, -1);
	for (int i = 0; i < pieces; i++)
		out__mem(&all, iov[i].iov_base, iov[i].iov_len);
	const u8 *records = (const u8 *)all.buf;
	struct record record;
	size_t at = 0;

	while (record__take(records + at, all.len - at, &record) && at + record.size <= kept)
		at += record.size;
	unwritten__add(recorder->unwritten, records + at, all.len - at);
	out__exit(&all);
}

/*
 * What came from ring @ring and those before it, packed if so wished. @iov has room for the
 * round, which stays plain.
 */
static int put(struct recorder *recorder, u32 ring, struct iovec *iov, int pieces, bool round)
{
	struct recorder_file file = file_of_ring(recorder, ring);
	u64 before = data_writer__data_size(file.writer);
	struct iovec given[MAX_PIECES];
	int nr_given = pieces, ret;

	memcpy(given, iov, pieces * sizeof(*iov));

	if (file.packer) {
		recorder->packed.len = 0;
		ret = compressor__add(file.packer, iov, pieces, &recorder->packed);
		if (ret)
			return ret;
		iov[0] = (struct iovec){ recorder->packed.buf, recorder->packed.len };
		pieces = recorder->packed.len > 0;
	}
	if (round)
		iov[pieces++] = (struct iovec){ (void *)&finished_round, sizeof(finished_round) };
	u64 started = recorder__now_ms();

	ret = pieces ? data_writer__append(file.writer, iov, pieces) : 0;
	u64 took = recorder__now_ms() - started;

	if (took >= SLOW_WRITE_MS)
		__atomic_add_fetch(&recorder->write_ms, took, __ATOMIC_RELAXED);
	u64 kept = data_writer__data_size(file.writer) - before;

	if (ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG)
		note_unwritten(recorder, given, nr_given,
		               file.packer ? kept_unpacked(&recorder->packed, kept) : kept);
	if (recorder->total)
		__atomic_add_fetch(recorder->total, kept, __ATOMIC_RELAXED);
	return ret;
}

/* To the file; then the kernel gets the room back, also when the file is full. */
static int batch__write(struct batch *batch, struct recorder *recorder, u32 ring, bool round)
{
	u64 started = recorder__now_ms(), before = recorder->write_ms;
	int ret = put(recorder, ring, batch->iov, batch->pieces, round);
	u64 now = recorder__now_ms();

	for (u32 i = 0; i < batch->nr; i++) {
		struct ring *read = batch->read[i].ring;
		u64 len = batch->read[i].len;

		if (len < read->size - read->size / 8) /* it had room before */
			note_slow_write(read, len, recorder->write_ms - before, now - started);
		else
			note_slow_write(read, len, recorder->write_ms - read->slow_ms,
			                now - read->emptied_ms);
		note_room(read, recorder->write_ms, now);
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
static s64 pass_to_files(struct recorder *recorder, u64 flush, bool round)
{
	struct rings *rings = recorder->rings;
	struct batch batch = { .pieces = 0 };
	bool share = recorder->affinity == AFFINITY_SYS && !recorder->by_ring;
	u64 written = 0;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		if (!rings->rings[i].overwrite && ring__unread(&rings->rings[i]))
			go_near(recorder, i);
		batch__add(&batch, recorder, &rings->rings[i], flush);
		if (share && batch.sum - written < ENOUGH_TO_WRITE && !batch__is_full(&batch))
			continue;
		written = batch.sum;
		if (recorder->by_ring || i + 1 < rings->nr)
			ret = batch__write(&batch, recorder, i, false);
	}
	if (!ret && batch.sum && !recorder->by_ring)
		/* with backward rings older records are still to come */
		ret = batch__write(&batch, recorder, rings->nr - 1, round && !recorder->backward);
	return ret ? ret : (s64)batch.sum;
}

int recorder__write_unwound(void *ctx, const u8 *records, size_t len, bool round)
{
	struct recorder *recorder = ctx;
	struct iovec iov[2] = { { (void *)records, len } };
	int ret = put(recorder, 0, iov, 1, round && !recorder->backward);

	__atomic_store_n(&recorder->live_size, data_writer__data_size(recorder->writer),
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
static int submit(struct recorder *recorder, struct live_batch *batch)
{
	u64 started = recorder__now_ms();
	u64 before = __atomic_load_n(&recorder->write_ms, __ATOMIC_RELAXED);
	int ret = live_unwind__submit(recorder->live, batch);
	u64 written = __atomic_load_n(&recorder->write_ms, __ATOMIC_RELAXED) - before;

	recorder->waited_ms += min_u64(recorder__now_ms() - started, written);
	return ret;
}

static s64 pass_to_live(struct recorder *recorder)
{
	struct rings *rings = recorder->rings;
	struct live_batch *batch = live_unwind__batch(recorder->live);
	u64 moved = 0, now = recorder__now_ms();
	int ret;

	for (u32 i = 0; i < rings->nr; i++) {
		struct ring *ring = &rings->rings[i];
		struct ring_span spans[2];

		if (ring->overwrite)
			continue;
		go_near(recorder, i);
		u64 len = ring__read(ring, spans);

		live_batch__add(batch, &spans[0]);
		live_batch__add(batch, &spans[1]);
		if (len)
			tell_cause(ring, batch->data + batch->len - len, len);
		note_slow_write(ring, len, recorder->waited_ms - ring->slow_ms,
		                now - ring->emptied_ms);
		note_room(ring, recorder->waited_ms, now);
		ring__consume(ring, len);
		moved += len;
	}
	ret = submit(recorder, batch);
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

static s64 pass(struct recorder *recorder, u64 flush)
{
	recorder->late = any_half_full(recorder->rings);
	recorder->passed_ms = recorder__now_ms();
	return recorder->live ? pass_to_live(recorder) : pass_to_files(recorder, flush, true);
}

int recorder__look(struct recorder *recorder)
{
	/* What is unwound is not written by this thread. */
	if (recorder->live || !recorder->rings)
		return 0;
	if (recorder__now_ms() < recorder->passed_ms + RECORDER_LOOK_MS &&
	    !any_half_full(recorder->rings))
		return 0;
	recorder->passed_ms = recorder__now_ms();
	s64 moved = pass_to_files(recorder, recorder->flush, false);

	return moved < 0 ? moved : 0;
}

u64 recorder__size(const struct recorder *recorder)
{
	if (recorder->live)
		return __atomic_load_n(&recorder->live_size, __ATOMIC_RELAXED);
	return recorder->total ? __atomic_load_n(recorder->total, __ATOMIC_RELAXED)
	                       : data_writer__data_size(recorder->writer);
}

s64 recorder__pass(struct recorder *recorder)
{
	return pass(recorder, recorder->flush);
}

/* What the overwritten rings hold now, oldest first. 0 or the file's or kernel's negative errno. */
static int dump(struct recorder *recorder)
{
	struct rings *rings = recorder->rings;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		u8 *records;
		u64 len;

		if (!rings->rings[i].overwrite)
			continue;
		go_near(recorder, i);
		ret = ring__take_backward(&rings->rings[i], &records, &len);
		struct iovec iov[2] = { { records, len } };

		if (!ret)
			ret = put(recorder, i, iov, 1, false);
		free(records);
	}
	if (!ret && recorder->backward && !recorder->by_ring)
		ret = data_writer__append_bytes(recorder->writer, &finished_round,
		                                sizeof(finished_round));
	return ret;
}

/* A counter whose task is gone says so for ever: stop asking. */
static void drop_ended(struct recorder *recorder)
{
	for (u32 i = 0; i < recorder->rings->nr_fds; i++) {
		struct pollfd *fd = &recorder->fds[i];

		if (fd->fd < 0 || !(fd->revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		fd->fd = -1;
		recorder->nr_live--;
	}
}

static bool event_is_ready(const struct recorder *recorder)
{
	for (u32 i = 0; i < recorder->nr_events; i++)
		if (recorder->fds[recorder->rings->nr_fds + i].revents)
			return true;
	return false;
}

void recorder__forget_event(struct recorder *recorder, int fd)
{
	for (u32 i = 0; i < recorder->nr_events; i++)
		if (recorder->fds[recorder->rings->nr_fds + i].fd == fd)
			recorder->fds[recorder->rings->nr_fds + i].fd = -1;
}

static bool is_past_mark(const struct recorder *recorder)
{
	return recorder->size_mark && recorder__size(recorder) >= recorder->size_mark;
}

/* Where no ring is to be emptied (those of a team have other readers) there is nothing to look at.
 */
static int look_ms(const struct recorder *recorder)
{
	if (recorder->live)
		return LIVE_LOOK_MS;
	for (u32 i = 0; i < recorder->rings->nr; i++)
		if (!recorder->rings->rings[i].overwrite)
			return RECORDER_LOOK_MS;
	return -1;
}

int recorder__run(struct recorder *recorder, bool (*ended)(void *ctx), void *ctx)
{
	u32 nr = recorder->rings->nr_fds + recorder->nr_events;
	int patience = look_ms(recorder);

	while (recorder->nr_live) {
		s64 moved = recorder__pass(recorder);

		if (moved < 0)
			return moved;
		if (is_past_mark(recorder) && ended(ctx))
			break;
		/*
		 * A ring wakes us each time another quarter of it was written, whatever we have
		 * read: so there is no need to look again for what came meanwhile, which at high
		 * rates would never end. Unless we were late, when it may be much.
		 */
		int ready = poll(recorder->fds, nr, recorder->late ? 0 : patience);

		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready < 0)
			continue;
		recorder->nr_woken += ready > 0;
		if ((recorder->ask_often || event_is_ready(recorder)) && ended(ctx))
			break;
		drop_ended(recorder);
	}
	return 0;
}

/* All that was moved is to be in the file; a last pass finds what tells of its maps. */
static int finish_live(struct recorder *recorder)
{
	s64 moved = recorder->live ? pass(recorder, 0) : 0;
	int ret = recorder->live ? live_unwind__drain(recorder->live) : 0;

	return moved < 0 ? moved : ret;
}

int recorder__catch_up(struct recorder *recorder)
{
	s64 moved = pass(recorder, 0);
	int ret = finish_live(recorder);

	if (moved < 0)
		ret = moved;
	return ret ? ret : dump(recorder);
}

int recorder__drain(struct recorder *recorder)
{
	s64 moved;

	do
		moved = pass(recorder, 0);
	while (moved > 0);
	int ret = finish_live(recorder);

	moved = moved ? moved : ret;
	if (!moved)
		moved = dump(recorder);
	go_home(recorder);
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
static u64 newly_lost(struct recorder *recorder, u32 nr, u64 lost)
{
	u64 before;

	while (nr >= recorder->nr_lost_said) {
		u32 more = recorder->nr_lost_said ? 2 * recorder->nr_lost_said : 64;

		recorder->lost_said = xrealloc(recorder->lost_said, more, sizeof(u64));
		memset(recorder->lost_said + recorder->nr_lost_said, 0,
		       (more - recorder->nr_lost_said) * sizeof(u64));
		recorder->nr_lost_said = more;
	}
	before = recorder->lost_said[nr];
	recorder->lost_said[nr] = lost;
	return lost - before;
}

void recorder__forget_lost(struct recorder *recorder, u32 nr)
{
	nr = min_u64(nr, recorder->nr_lost_said);
	if (nr)
		memset(recorder->lost_said, 0, nr * sizeof(u64));
}

/* What the ring of @cpu lost last, no record of the kernel tells; was it a slow write's fault? */
static u16 cause_of_last(const struct recorder *recorder, s32 cpu)
{
	for (u32 i = 0; i < recorder->rings->nr; i++) {
		const struct ring *ring = &recorder->rings->rings[i];

		if (ring->cpu == cpu && ring->behind && ring->behind >= ring->tail)
			return RECORD_MISC_LAST_BEHIND;
	}
	return 0;
}

u64 recorder__put_lost(struct recorder *recorder, struct synth *synth, const struct evlist *list,
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
			lost = newly_lost(recorder, nr++, lost_of_counter(evsel, evsel->fds[at]));
			if (lost)
				synth__lost_samples(synth, evsel, evsel->ids[id], cpu, lost,
				                    cause_of_last(recorder, cpu));
			sum += lost;
			id++;
		}
	}
	return sum;
}
