// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes from rings to the file. The rings are memory of the test's own. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/sink/file_sink.h"
#include "util/sink/ring_drain.h"
#include "util/sink/ring_drain_team.h"
#include "util/sink/unwritten.h"

#define RING_SIZE 4096
#define NR_RINGS  70 /* more than one write takes */

struct rig {
	struct rings rings;
	struct evlist list;
	struct data_writer *writer;
	struct file_sink file;
	u64 size; /* of the file's data */
	char *path;
	int pipes[2]; /* what the rings' polls look at */
	struct ring_drain drain;
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
	file_sink__init(&rig->file, rig->writer, &rig->size);
	ring_drain__init(&rig->drain, &rig->rings, &rig->file.sink, events, nr_events);
	rig->drain.size = &rig->size;
}

static void rig__exit(struct rig *rig)
{
	ring_drain__exit(&rig->drain);
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
	/* Another thread may be its reader. */
	__atomic_store_n(&ring->page->data_head, head + size, __ATOMIC_RELEASE);
}

static u8 *data_of(struct rig *rig, size_t *len)
{
	u8 *file = (u8 *)file__read_all(rig->path, 1 << 24, len);
	u64 offset = load_u64(file + 40, false);

	*len -= offset;
	memmove(file, file + offset, *len);
	return file;
}

TEST(ring_drain_moves_what_wraps_and_ends_a_pass_with_a_round)
{
	struct rig rig;
	size_t len;

	rig__init(&rig, 2, NULL, 0);
	rig.rings.rings[1].tail = rig.rings.rings[1].page->data_head = RING_SIZE - 24;
	CHECK_EQ(ring_drain__pass(&rig.drain), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 0); /* nothing came: no round */
	produce(&rig.rings.rings[0], 40, 1);
	produce(&rig.rings.rings[1], 64, 2);
	CHECK_EQ(ring_drain__pass(&rig.drain), 104);
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

TEST(ring_drain_visits_many_rings)
{
	struct rig rig;
	size_t len;

	rig__init(&rig, NR_RINGS, NULL, 0);
	for (u32 round = 0; round < 200; round++) {
		for (u32 i = 0; i < NR_RINGS; i++)
			produce(&rig.rings.rings[i], 72, i + 1);
		CHECK_EQ(ring_drain__pass(&rig.drain), NR_RINGS * 72);
	}
	CHECK_EQ(ring_drain__finish(&rig.drain), 0);
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

TEST(ring_drain_ends_by_an_event_or_with_the_last_task)
{
	struct rig rig;
	u32 nr_calls = 0;
	int event[2];

	CHECK_EQ(pipe(event), 0);
	rig__init(&rig, 2, event, 1);
	CHECK_EQ(write(event[1], "x", 1), 1);
	CHECK_EQ(ring_drain__run(&rig.drain, say_end, &nr_calls), 0);
	CHECK_EQ(nr_calls, 1);
	CHECK_EQ(rig.drain.nr_woken, 1);
	rig__exit(&rig);

	rig__init(&rig, 2, NULL, 0);
	close(rig.pipes[1]); /* POLLHUP, as when all tasks have ended */
	rig.pipes[1] = -1;
	CHECK_EQ(ring_drain__run(&rig.drain, say_end, &nr_calls), 0);
	CHECK_EQ(nr_calls, 1);
	CHECK_EQ(rig.drain.nr_live, 0);
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

/* At most half a minute. */
static void wait_for_tail(const struct ring *ring, u64 tail)
{
	for (int i = 0; i < 30000; i++) {
		if (__atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE) == tail)
			return;
		usleep(1000);
	}
}

static void *produce_another(void *arg)
{
	struct rig *rig = arg;
	struct ring *ring = &rig->rings.rings[0];

	wait_for_tail(ring, 40);
	produce(ring, 40, 2);
	wait_for_tail(ring, 80);
	close(rig->pipes[1]); /* the task ends */
	rig->pipes[1] = -1;
	return NULL;
}

/* Nothing wakes it: what lies in the rings is moved all the same. */
TEST_WITH_THREADS(ring_drain_looks_at_the_rings_of_itself)
{
	struct rig rig;
	pthread_t thread;

	rig__init(&rig, 1, NULL, 0);
	produce(&rig.rings.rings[0], 40, 1);
	CHECK_EQ(pthread_create(&thread, NULL, produce_another, &rig), 0);
	CHECK_EQ(ring_drain__run(&rig.drain, NULL, NULL), 0);
	pthread_join(thread, NULL);
	CHECK_EQ(data_writer__data_size(rig.writer), 2 * (40 + 8));
	CHECK_EQ(rig.drain.nr_woken, 1); /* by the end */
	rig__exit(&rig);
}

/* While other things are written: soon nothing, then a pass, and that is no round. */
TEST(ring_drain_looks_at_the_rings_between_other_writes)
{
	struct rig rig;

	rig__init(&rig, 1, NULL, 0);
	produce(&rig.rings.rings[0], 40, 1);
	rig.drain.passed_ms -= RING_DRAIN_PASS_MS;
	CHECK_EQ(ring_drain__look(&rig.drain), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 40);
	produce(&rig.rings.rings[0], 40, 1);
	rig.drain.passed_ms += 3600000; /* there was one just now */
	CHECK_EQ(ring_drain__look(&rig.drain), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 40);
	for (int i = 0; i < 10; i++) /* more than half of the ring */
		produce(&rig.rings.rings[0], 240, 1);
	CHECK_EQ(ring_drain__look(&rig.drain), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 80 + 10 * 240);
	rig__exit(&rig);
}

/* Several tasks share the ring of a CPU: the last one counts, wherever its counter stands. */
TEST(ring_drain_goes_on_while_any_task_lives)
{
	struct last_task last = { .nr_calls = 0 };
	struct pollfd *fds = xcalloc(3, sizeof(*fds)), *of_ring;
	int task[2], event[2];
	struct rig rig;

	CHECK_EQ(pipe(event), 0);
	CHECK_EQ(pipe(task), 0);
	rig__init(&rig, 1, event, 1);
	ring_drain__exit(&rig.drain);
	of_ring = rig.rings.fds;
	fds[0] = of_ring[0];
	fds[1] = (struct pollfd){ -1, POLLIN, 0 };
	fds[2] = (struct pollfd){ task[0], POLLIN, 0 };
	rig.rings.fds = fds;
	rig.rings.nr_fds = 3;
	ring_drain__init(&rig.drain, &rig.rings, &rig.file.sink, event, 1);
	CHECK_EQ(rig.drain.nr_live, 2);
	close(rig.pipes[1]); /* the first task ends */
	rig.pipes[1] = -1;
	last.event = event[0];
	last.task = task[1];
	CHECK_EQ(write(event[1], "x", 1), 1);
	CHECK_EQ(ring_drain__run(&rig.drain, end_last_task, &last), 0);
	CHECK_EQ(last.nr_calls, 1);
	CHECK_EQ(rig.drain.nr_woken, 2);
	CHECK_EQ(rig.drain.nr_live, 0);
	free(of_ring);
	rig__exit(&rig);
	close(task[0]);
	close(event[0]);
	close(event[1]);
}

TEST(ring_drain_leaves_rings_with_little_for_later)
{
	struct rig rig;

	rig__init(&rig, 2, NULL, 0);
	rig.drain.flush = 100;
	produce(&rig.rings.rings[0], 96, 'a');
	produce(&rig.rings.rings[1], 104, 'b');
	CHECK_EQ(ring_drain__pass(&rig.drain), 104);
	CHECK_EQ(ring_drain__pass(&rig.drain), 0);
	CHECK_EQ(ring_drain__catch_up(&rig.drain), 0); /* all, whatever the wish */
	CHECK_EQ(data_writer__data_size(rig.writer), 104 + 96 + 2 * 8);
	rig__exit(&rig);
}

static bool count_and_end(void *ctx)
{
	++*(u32 *)ctx;
	return true;
}

TEST(ring_drain_asks_when_the_file_has_its_size)
{
	struct rig rig;
	u32 nr = 0;

	rig__init(&rig, 1, NULL, 0);
	rig.drain.size_mark = 100;
	produce(&rig.rings.rings[0], 96, 'a'); /* with the round behind it: 104 */
	CHECK_EQ(ring_drain__run(&rig.drain, count_and_end, &nr), 0);
	CHECK_EQ(nr, 1);
	CHECK_EQ(rig.drain.nr_woken, 0);
	rig__exit(&rig);
}

/* Records of overwritten rings come late and are older than what was passed: one round for all. */
TEST(ring_drain_dumps_backward_rings_behind_the_others)
{
	struct rig rig;
	struct ring *ring;
	u16 size = 16;

	rig__init(&rig, 2, NULL, 0);
	ring = &rig.rings.rings[1];
	ring->overwrite = true;
	ring->fd = -1;
	ring_drain__exit(&rig.drain);
	ring_drain__init(&rig.drain, &rig.rings, &rig.file.sink, NULL, 0);
	produce(&rig.rings.rings[0], 24, 'a');
	ring->page->data_head -= 16;
	memcpy((u8 *)ring->data + RING_SIZE - 16 + 6, &size, sizeof(size));
	CHECK_EQ(ring_drain__pass(&rig.drain), 24);
	CHECK_EQ(data_writer__data_size(rig.writer), 24);
	CHECK_EQ(ring_drain__finish(&rig.drain), 0);
	CHECK_EQ(data_writer__data_size(rig.writer), 24 + 16 + 8);
	rig__exit(&rig);
}

/* ---- several threads ---- */

struct team_rig {
	struct rig rig; /* ring N is that of CPU N; the writer is of no use */
	struct data_writer *parts[3], *folder;
	struct file_sink files[3], main_file;
	u64 total;
	struct cpu_map cpus;
	struct thread_masks masks;
	struct ring_drain_team team;
	struct ring_drain main;
	int event[2], first[2]; /* what ends us; the tasks on CPU 0 */
	u32 nr_calls;
	char *path;
};

/* Three CPUs: 0 and 1 for the first thread, 2 for the second. */
static void team_rig__init(struct team_rig *t, const char *spec)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };
	struct record_sink *sinks[3];
	struct error err = ERROR_INIT;

	*t = (struct team_rig){ .team = RING_DRAIN_TEAM_INIT };
	CHECK_EQ(pipe(t->event), 0);
	rig__init(&t->rig, 3, NULL, 0);
	t->rig.rings.fd_cpus = xcalloc(3, sizeof(s32));
	CHECK_EQ(pipe(t->first), 0);
	t->rig.rings.fds[0].fd = t->first[0];
	t->path = xasprintf("%s/folder", unit__tmpdir());
	t->folder = data_writer__new_folder(t->path, &err);
	evlist__add(&t->rig.list, &attr, "cpu-clock");
	CHECK_EQ(data_writer__start(t->folder, &t->rig.list, &err), 0);
	for (u32 i = 0; i < 3; i++) {
		t->rig.rings.rings[i].cpu = t->rig.rings.fd_cpus[i] = i;
		t->parts[i] = data_writer__new_part(t->folder, &err);
		file_sink__init(&t->files[i], t->parts[i], &t->total);
		sinks[i] = &t->files[i].sink;
		cpu_map__add(&t->cpus, i);
	}
	CHECK_EQ(thread_masks__parse(&t->masks, spec, &t->cpus, &t->cpus, "/nowhere", &err), 0);
	CHECK_EQ(ring_drain_team__init(&t->team, &t->masks, &t->rig.rings, &t->cpus, sinks, &err),
	         0);
	int events[] = { t->event[0], t->team.wake_fd };

	file_sink__init(&t->main_file, t->folder, &t->total);
	ring_drain__init(&t->main, &t->team.rest, &t->main_file.sink, events, 2);
	t->main.size = &t->total;
}

static void team_rig__exit(struct team_rig *t)
{
	ring_drain__exit(&t->main);
	ring_drain_team__exit(&t->team);
	thread_masks__exit(&t->masks);
	for (u32 i = 0; i < 3; i++)
		data_writer__delete(t->parts[i]);
	data_writer__delete(t->folder);
	cpu_map__exit(&t->cpus);
	close(t->event[0]);
	close(t->event[1]);
	close(t->first[0]);
	if (t->first[1] >= 0)
		close(t->first[1]);
	free(t->path);
	free(t->rig.rings.fd_cpus);
	rig__exit(&t->rig);
}

/* Ends when the command's own event came, or when all that is awaited is there. */
static bool team_saw(void *ctx)
{
	struct team_rig *t = ctx;
	struct pollfd own = { .fd = t->event[0], .events = POLLIN };

	t->nr_calls++;
	return poll(&own, 1, 0) == 1 || (t->main.size_mark && ring_drain__size(&t->main) >= 72);
}

TEST_WITH_THREADS(ring_drain_team_gives_each_ring_its_file)
{
	struct team_rig t;
	char *name;
	size_t len;

	team_rig__init(&t, "0-1/0:2/1");
	CHECK_EQ(ring_drain_team__start(&t.team, NULL), 0);
	for (u32 i = 0; i < 3; i++)
		produce(&t.rig.rings.rings[i], 40 + 8 * i, 'a' + i);
	CHECK_EQ(write(t.first[1], "x", 1), 1); /* there is something */
	CHECK_EQ(write(t.rig.pipes[1], "x", 1), 1);
	CHECK_EQ(write(t.event[1], "x", 1), 1);
	CHECK_EQ(ring_drain_team__run(&t.team, &t.main, team_saw, &t), 0);
	CHECK_EQ(t.nr_calls, 1);
	CHECK_EQ(ring_drain_team__finish(&t.team), 0);
	CHECK_EQ(ring_drain__size(&t.main), 40 + 48 + 56);
	for (u32 i = 0; i < 3; i++) { /* and no rounds */
		name = xasprintf("%s/data.%u", t.path, i);
		u8 *data = (u8 *)file__read_all(name, 1 << 20, &len);

		CHECK_EQ(len, 40 + 8 * i);
		CHECK_EQ(data[len - 1], 'a' + i);
		CHECK_EQ(t.rig.rings.rings[i].page->data_tail, len);
		free(data);
		free(name);
	}
	CHECK_EQ(data_writer__data_size(t.folder), 0);
	team_rig__exit(&t);
}

static void end_tasks(int *pipe_end)
{
	close(*pipe_end);
	*pipe_end = -1;
}

TEST_WITH_THREADS(ring_drain_team_ends_with_the_last_task)
{
	struct team_rig t;

	team_rig__init(&t, "0-1/0:2/1");
	CHECK_EQ(ring_drain_team__start(&t.team, NULL), 0);
	end_tasks(&t.first[1]);
	end_tasks(&t.rig.pipes[1]);
	CHECK_EQ(ring_drain_team__run(&t.team, &t.main, team_saw, &t), 0);
	CHECK_EQ(t.main.nr_live, 0);
	team_rig__exit(&t);
}

static bool end_others(void *ctx)
{
	struct team_rig *t = ctx;

	t->nr_calls++;
	end_tasks(&t->rig.pipes[1]);
	return false;
}

/* Rings without a thread are watched for the end of their tasks, and not read. */
TEST_WITH_THREADS(ring_drain_team_waits_for_tasks_without_a_thread)
{
	struct team_rig t;

	team_rig__init(&t, "0/0");
	CHECK_EQ(t.team.rest.nr_fds, 2);
	CHECK_EQ(thread_masks__nr_left_out(&t.masks, &t.cpus), 2);
	produce(&t.rig.rings.rings[2], 40, 'x');
	CHECK_EQ(ring_drain_team__start(&t.team, NULL), 0);
	end_tasks(&t.first[1]); /* the thread has nothing to do any more; others run */
	CHECK_EQ(ring_drain_team__run(&t.team, &t.main, end_others, &t), 0);
	CHECK_EQ(t.nr_calls, 1);
	CHECK_EQ(t.main.nr_woken, 2);
	CHECK_EQ(ring_drain_team__finish(&t.team), 0);
	CHECK_EQ(t.main.nr_live, 0);
	CHECK_EQ(data_writer__data_size(t.parts[2]), 0);
	team_rig__exit(&t);
}

TEST_WITH_THREADS(ring_drain_team_tells_when_the_files_have_their_size)
{
	struct team_rig t;

	team_rig__init(&t, "0-1/0:2/1");
	ring_drain_team__set(&t.team, 0, 72, &t.total);
	t.main.size_mark = 72;
	produce(&t.rig.rings.rings[0], 40, 'a');
	produce(&t.rig.rings.rings[2], 40, 'b');
	CHECK_EQ(ring_drain_team__start(&t.team, NULL), 0);
	CHECK_EQ(ring_drain_team__run(&t.team, &t.main, team_saw, &t), 0);
	CHECK_EQ(ring_drain__size(&t.main), 80);
	team_rig__exit(&t);
}

static ssize_t no_room(int fd, const struct iovec *iov, int nr)
{
	(void)fd;
	(void)iov;
	(void)nr;
	errno = ENOSPC;
	return -1;
}

static int no_truncate(int fd, off_t size)
{
	(void)fd;
	(void)size;
	return 0;
}

TEST_WITH_THREADS(ring_drain_team_ends_with_a_full_disk)
{
	static const struct writer_calls full = { .writev = no_room, .ftruncate = no_truncate };
	struct team_rig t;

	team_rig__init(&t, "0-1/0:2/1");
	data_writer__set_calls(t.parts[1], &full);
	produce(&t.rig.rings.rings[1], 40, 'a');
	CHECK_EQ(ring_drain_team__start(&t.team, NULL), 0);
	CHECK_EQ(ring_drain_team__run(&t.team, &t.main, team_saw, &t), -ENOSPC);
	team_rig__exit(&t);
}

static ssize_t some_room(int fd, const struct iovec *iov, int nr)
{
	static bool full;

	(void)nr;
	if (full)
		return no_room(fd, iov, nr);
	full = true;
	return write(fd, iov[0].iov_base, 100);
}

static u64 lost_of(const struct out *words)
{
	struct record record;
	u64 sum = 0;

	for (size_t at = 0; record__take((const u8 *)words->buf + at, words->len - at, &record);
	     at += record.size) {
		CHECK_EQ(record.type, PERF_RECORD_LOST_SAMPLES);
		CHECK_EQ(record.misc, RECORD_MISC_DISK_FULL);
		sum += load_u64(record.data + RECORD_HEADER_SIZE, false);
	}
	return sum;
}

/* Samples of 40 bytes, of which two whole ones get in; what comes later is counted, too. */
TEST(ring_drain_counts_what_a_full_disk_did_not_take)
{
	static const struct writer_calls full = { .writev = some_room, .ftruncate = no_truncate };
	struct cpu_map cpus = CPU_MAP_INIT;
	struct unwritten_sink counted;
	struct unwritten unwritten;
	struct out words;
	struct rig rig;

	rig__init(&rig, 2, NULL, 0);
	unwritten__init(&unwritten, &rig.list, &cpus);
	unwritten_sink__init(&counted, &unwritten, &rig.file.sink);
	rig.drain.sink = &counted.sink;
	data_writer__set_calls(rig.writer, &full);
	for (int i = 0; i < 5; i++)
		produce(&rig.rings.rings[0], 40, 'a');
	produce(&rig.rings.rings[1], 40, 'b');
	CHECK_EQ(ring_drain__pass(&rig.drain), -ENOSPC);
	CHECK_EQ(data_writer__data_size(rig.writer), 80);
	produce(&rig.rings.rings[1], 40, 'b');
	CHECK_EQ(ring_drain__finish(&rig.drain), -ENOSPC);

	struct writer_last last = unwritten__last(&unwritten);

	out__init(&words, -1);
	last.words(last.ctx, &words);
	CHECK_EQ(lost_of(&words), 5);
	out__exit(&words);
	unwritten__exit(&unwritten);
	rig__exit(&rig);
}

/* The kernel's word of a loss, in a ring that was full up to then. */
static void lose(struct ring *ring)
{
	u64 at = ring->page->data_head;

	produce(ring, 24, 0);
	*(u8 *)&ring->data[at % RING_SIZE] = PERF_RECORD_LOST;
}

static struct ring *becomes_full;

static ssize_t slow_write(int fd, const struct iovec *iov, int nr)
{
	usleep(12000);
	while (ring__unread(becomes_full) + 80 <= RING_SIZE)
		produce(becomes_full, 80, 'b');
	return writev(fd, iov, nr);
}

/* The misc of the only LOST in the file. */
static u16 misc_of_loss(struct rig *rig)
{
	size_t len;
	u8 *data = data_of(rig, &len);
	struct record record;
	u16 misc = 0;

	for (size_t at = 0; record__take(data + at, len - at, &record); at += record.size)
		if (record.type == PERF_RECORD_LOST)
			misc = record.misc | 1;
	free(data);
	return misc;
}

/*
 * A ring that becomes full in a slow write was lost by it, whether it had something to be written
 * then or had long been idle; one that was full before was not.
 */
TEST(ring_drain_tells_what_slow_writes_lost)
{
	static const struct writer_calls slow = { .writev = slow_write, .ftruncate = no_truncate };
	static const struct writer_calls usual = { .writev = writev, .ftruncate = no_truncate };
	static const struct {
		bool full, in_it;
		u16 misc;
	} cases[] = {
		{ true, true, 0 },
		{ false, true, RECORD_MISC_WRITER_BEHIND },
		{ false, false, RECORD_MISC_WRITER_BEHIND },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rig rig;

		rig__init(&rig, 2, NULL, 0);
		becomes_full = &rig.rings.rings[1];
		becomes_full->emptied_ms = 0; /* long ago: time for that without any write */
		produce(&rig.rings.rings[0], 80, 'a');
		if (cases[i].in_it)
			produce(becomes_full, 80, 'a');
		while (cases[i].full && ring__unread(becomes_full) + 80 <= RING_SIZE)
			produce(becomes_full, 80, 'a');
		data_writer__set_calls(rig.writer, &slow);
		ring_drain__pass(&rig.drain);
		data_writer__set_calls(rig.writer, &usual);
		if (!cases[i].in_it)
			ring_drain__pass(&rig.drain);
		lose(becomes_full);
		ring_drain__pass(&rig.drain);
		CHECK_EQ(misc_of_loss(&rig), 1 | cases[i].misc);
		rig__exit(&rig);
	}
}
