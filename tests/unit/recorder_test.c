// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes from rings to the file. The rings are memory of the test's own. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/data/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/record/recorder.h"

#define RING_SIZE 4096
#define NR_RINGS  70 /* more than one write takes */

struct rig {
	struct rings rings;
	struct evlist list;
	struct data_writer *writer;
	char *path;
	int pipes[2]; /* what the rings' polls look at */
	struct recorder recorder;
};

static void rig__init(struct rig *rig, u32 nr, const int *events, u32 nr_events)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };

	*rig = (struct rig){ .rings = { .nr = nr, .nr_fds = nr } };
	CHECK_EQ(pipe(rig->pipes), 0);
	rig->rings.rings = xcalloc(nr, sizeof(*rig->rings.rings));
	rig->rings.fds = xcalloc(nr, sizeof(*rig->rings.fds));
	for (u32 i = 0; i < nr; i++) {
		struct ring *ring = &rig->rings.rings[i];

		ring->page = xcalloc(1, sizeof(*ring->page));
		ring->data = xcalloc(1, RING_SIZE);
		ring->size = RING_SIZE;
		rig->rings.fds[i] = (struct pollfd){ rig->pipes[0], POLLIN, 0 };
	}
	evlist__add(&rig->list, &attr, "cpu-clock");
	rig->path = xasprintf("%s/x.data", unit__tmpdir());
	rig->writer = data_writer__new(rig->path, NULL);
	CHECK_EQ(data_writer__start(rig->writer, &rig->list, NULL), 0);
	recorder__init(&rig->recorder, &rig->rings, rig->writer, events, nr_events);
}

static void rig__exit(struct rig *rig)
{
	recorder__exit(&rig->recorder);
	data_writer__delete(rig->writer);
	for (u32 i = 0; i < rig->rings.nr; i++) {
		free(rig->rings.rings[i].page);
		free((void *)rig->rings.rings[i].data);
	}
	free(rig->rings.rings);
	free(rig->rings.fds);
	evlist__exit(&rig->list);
	close(rig->pipes[0]);
	if (rig->pipes[1] >= 0)
		close(rig->pipes[1]);
	free(rig->path);
}

/* The kernel's part: a record of @size bytes whose body is all @mark, wrapping as it must. */
static void produce(struct ring *ring, u16 size, u8 mark)
{
	u8 record[256];
	u64 head = ring->page->data_head;

	memset(record, mark, sizeof(record));
	memset(record, 0, 8);
	record[0] = PERF_RECORD_SAMPLE;
	memcpy(record + 6, &size, sizeof(size));
	for (u32 i = 0; i < size; i++)
		((u8 *)ring->data)[(head + i) % RING_SIZE] = record[i];
	ring->page->data_head = head + size;
}

static u8 *data_of(struct rig *rig, size_t *len)
{
	u8 *file = (u8 *)file__read_all(rig->path, 1 << 24, len);
	u64 offset = load_u64(file + 40, false);

	*len -= offset;
	memmove(file, file + offset, *len);
	return file;
}

TEST(recorder_moves_what_wraps_and_ends_a_pass_with_a_round)
{
	struct rig rig;
	size_t len;

	rig__init(&rig, 2, NULL, 0);
	rig.rings.rings[1].tail = rig.rings.rings[1].page->data_head = RING_SIZE - 24;
	CHECK_EQ(recorder__pass(&rig.recorder), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 0); /* nothing came: no round */
	produce(&rig.rings.rings[0], 40, 1);
	produce(&rig.rings.rings[1], 64, 2);
	CHECK_EQ(recorder__pass(&rig.recorder), 104);
	CHECK_EQ(rig.rings.rings[1].page->data_tail, RING_SIZE + 40);
	u8 *data = data_of(&rig, &len);
	CHECK_EQ(len, 104 + 8);
	CHECK_EQ(data[8], 1);
	CHECK_EQ(data[40 + 8], 2);
	CHECK_EQ(data[40 + 63], 2);
	CHECK_EQ(load_u32(data + 104, false), RECORD_FINISHED_ROUND);
	CHECK_EQ(load_u16(data + 110, false), 8);
	free(data);
	rig__exit(&rig);
}

TEST(recorder_visits_many_rings)
{
	struct rig rig;
	size_t len;

	rig__init(&rig, NR_RINGS, NULL, 0);
	for (u32 round = 0; round < 200; round++) {
		for (u32 i = 0; i < NR_RINGS; i++)
			produce(&rig.rings.rings[i], 72, i + 1);
		CHECK_EQ(recorder__pass(&rig.recorder), NR_RINGS * 72);
	}
	CHECK_EQ(recorder__drain(&rig.recorder), 0);
	u8 *data = data_of(&rig, &len);
	CHECK_EQ(len, 200 * (NR_RINGS * 72 + 8));
	for (u32 i = 0; i < NR_RINGS; i++)
		CHECK_EQ(data[i * 72 + 8], i + 1);
	CHECK_EQ(load_u32(data + NR_RINGS * 72, false), RECORD_FINISHED_ROUND);
	free(data);
	rig__exit(&rig);
}

static bool say_end(void *ctx)
{
	++*(u32 *)ctx;
	return true;
}

TEST(recorder_ends_by_an_event_or_with_the_last_task)
{
	struct rig rig;
	u32 nr_calls = 0;
	int event[2];

	CHECK_EQ(pipe(event), 0);
	rig__init(&rig, 2, event, 1);
	CHECK_EQ(write(event[1], "x", 1), 1);
	CHECK_EQ(recorder__run(&rig.recorder, say_end, &nr_calls), 0);
	CHECK_EQ(nr_calls, 1);
	CHECK_EQ(rig.recorder.nr_woken, 1);
	rig__exit(&rig);

	rig__init(&rig, 2, NULL, 0);
	close(rig.pipes[1]); /* POLLHUP, as when all tasks have ended */
	rig.pipes[1] = -1;
	CHECK_EQ(recorder__run(&rig.recorder, say_end, &nr_calls), 0);
	CHECK_EQ(nr_calls, 1);
	CHECK_EQ(rig.recorder.nr_live, 0);
	rig__exit(&rig);
	close(event[0]);
	close(event[1]);
}

struct last_task {
	int event, task; /* to read from, to close */
	u32 nr_calls;
};

static bool end_last_task(void *ctx)
{
	struct last_task *last = ctx;
	char byte;

	CHECK_EQ(read(last->event, &byte, 1), 1);
	CHECK_EQ(close(last->task), 0);
	last->nr_calls++;
	return false;
}

/* Several tasks share the ring of a CPU: the last one counts, wherever its counter stands. */
TEST(recorder_goes_on_while_any_task_lives)
{
	struct last_task last = { .nr_calls = 0 };
	struct pollfd *fds = xcalloc(3, sizeof(*fds)), *of_ring;
	int task[2], event[2];
	struct rig rig;

	CHECK_EQ(pipe(event), 0);
	CHECK_EQ(pipe(task), 0);
	rig__init(&rig, 1, event, 1);
	recorder__exit(&rig.recorder);
	of_ring = rig.rings.fds;
	fds[0] = of_ring[0];
	fds[1] = (struct pollfd){ -1, POLLIN, 0 };
	fds[2] = (struct pollfd){ task[0], POLLIN, 0 };
	rig.rings.fds = fds;
	rig.rings.nr_fds = 3;
	recorder__init(&rig.recorder, &rig.rings, rig.writer, event, 1);
	CHECK_EQ(rig.recorder.nr_live, 2);
	close(rig.pipes[1]); /* the first task ends */
	rig.pipes[1] = -1;
	last.event = event[0];
	last.task = task[1];
	CHECK_EQ(write(event[1], "x", 1), 1);
	CHECK_EQ(recorder__run(&rig.recorder, end_last_task, &last), 0);
	CHECK_EQ(last.nr_calls, 1);
	CHECK_EQ(rig.recorder.nr_woken, 2);
	CHECK_EQ(rig.recorder.nr_live, 0);
	free(of_ring);
	rig__exit(&rig);
	close(task[0]);
	close(event[0]);
	close(event[1]);
}

TEST(recorder_leaves_rings_with_little_for_later)
{
	struct rig rig;

	rig__init(&rig, 2, NULL, 0);
	rig.recorder.flush = 100;
	produce(&rig.rings.rings[0], 96, 'a');
	produce(&rig.rings.rings[1], 104, 'b');
	CHECK_EQ(recorder__pass(&rig.recorder), 104);
	CHECK_EQ(recorder__pass(&rig.recorder), 0);
	CHECK_EQ(recorder__catch_up(&rig.recorder), 0); /* all, whatever the wish */
	CHECK_EQ(data_writer__data_size(rig.writer), 104 + 96 + 2 * 8);
	rig__exit(&rig);
}

static bool count_and_end(void *ctx)
{
	++*(u32 *)ctx;
	return true;
}

TEST(recorder_asks_when_the_file_has_its_size)
{
	struct rig rig;
	u32 nr = 0;

	rig__init(&rig, 1, NULL, 0);
	rig.recorder.size_mark = 100;
	produce(&rig.rings.rings[0], 96, 'a'); /* with the round behind it: 104 */
	CHECK_EQ(recorder__run(&rig.recorder, count_and_end, &nr), 0);
	CHECK_EQ(nr, 1);
	CHECK_EQ(rig.recorder.nr_woken, 0);
	rig__exit(&rig);
}

/* Records of overwritten rings come late and are older than what was passed: one round for all. */
TEST(recorder_dumps_backward_rings_behind_the_others)
{
	struct rig rig;
	struct ring *ring;
	u16 size = 16;

	rig__init(&rig, 2, NULL, 0);
	ring = &rig.rings.rings[1];
	ring->overwrite = true;
	ring->fd = -1;
	recorder__exit(&rig.recorder);
	recorder__init(&rig.recorder, &rig.rings, rig.writer, NULL, 0);
	produce(&rig.rings.rings[0], 24, 'a');
	ring->page->data_head -= 16;
	memcpy((u8 *)ring->data + RING_SIZE - 16 + 6, &size, sizeof(size));
	CHECK_EQ(recorder__pass(&rig.recorder), 24);
	CHECK_EQ(data_writer__data_size(rig.writer), 24);
	CHECK_EQ(recorder__drain(&rig.recorder), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 24 + 16 + 8);
	rig__exit(&rig);
}
