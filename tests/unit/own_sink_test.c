// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sink of one's own at the rings of running programs, without a file, as a live profile needs it.
 * The programs touch pages, each once, so they know what there is to be seen. A file of the same
 * programs is written beside it, and a third sink loses something.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest/meter.h"
#include "util/format/event_ids.h"
#include "util/lib/alloc.h"
#include "util/sink/file_sink.h"
#include "util/sink/ring_drain.h"

#define NR_PROGRAMS 2   /* each has a ring */
#define NR_PAGES    400 /* of each */
#define CHUNK       20  /* so many samples fit into a ring */
#define SAMPLE      (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)

/* ---- the programs ---- */

struct program {
	u8 *pages;
	int go[2], done[2]; /* pipes: a byte for each chunk */
	pid_t pid;
};

static void run(const struct program *program)
{
	char byte;

	if (write(program->done[1], "", 1) != 1)
		_exit(1);
	for (u32 at = 0; at < NR_PAGES; at += CHUNK) {
		if (read(program->go[0], &byte, 1) != 1)
			break;
		touch__each(program->pages + at * touch__page_size(), CHUNK);
		if (write(program->done[1], "", 1) != 1)
			break;
	}
	_exit(read(program->go[0], &byte, 1) != 0); /* until we close it */
}

static void program__start(struct program *program)
{
	program->pages = touch__map(NR_PAGES);
	CHECK(program->pages);
	CHECK_EQ(pipe(program->go), 0);
	CHECK_EQ(pipe(program->done), 0);
	program->pid = fork();
	CHECK(program->pid >= 0);
	if (!program->pid) {
		close(program->go[1]);
		run(program);
	}
	close(program->go[0]);
	close(program->done[1]);
	/* The faults of its start fill a ring, with ThreadSanitizer: nobody counts yet. */
	CHECK_EQ(read(program->done[0], &(char){ 0 }, 1), 1);
}

static void program__touch_chunk(struct program *program)
{
	char byte;

	CHECK_EQ(write(program->go[1], "", 1), 1);
	CHECK_EQ(read(program->done[0], &byte, 1), 1);
}

static void program__end(struct program *program)
{
	int status;

	close(program->go[1]);
	close(program->done[0]);
	CHECK_EQ(waitpid(program->pid, &status, 0), program->pid);
	CHECK_EQ(status, 0);
	touch__free(program->pages, NR_PAGES);
}

/* The last one first, as it holds the pipes of the others, too. */
static void end_programs(struct program programs[NR_PROGRAMS])
{
	for (u32 i = NR_PROGRAMS; i-- > 0;)
		program__end(&programs[i]);
}

/* ---- what was seen of them ---- */

struct seen {
	const struct program *programs;
	u32 touched[NR_PROGRAMS][NR_PAGES];
	u64 last[NR_PROGRAMS]; /* time */
	u32 nr_late;           /* samples of a program that were older than one before */
};

static void see(struct seen *seen, const struct event_ids *events, const struct record *record)
{
	const struct evsel *evsel =
	        record->type == PERF_RECORD_SAMPLE ? event_ids__find(events, record) : NULL;
	struct sample sample;

	if (!evsel || sample__decode_fast(event_ids__layout(events, evsel), record, false, &sample))
		return;
	for (u32 i = 0; i < NR_PROGRAMS; i++) {
		u64 at = sample.addr - (u64)(uintptr_t)seen->programs[i].pages;

		if ((pid_t)sample.pid != seen->programs[i].pid)
			continue;
		seen->nr_late += sample.time < seen->last[i];
		seen->last[i] = sample.time;
		if (at < NR_PAGES * touch__page_size())
			seen->touched[i][at / touch__page_size()]++;
	}
}

/* Pages that were not seen once. */
static u32 seen__nr_wrong(const struct seen *seen)
{
	u32 nr = 0;

	for (u32 i = 0; i < NR_PROGRAMS; i++)
		for (u32 page = 0; page < NR_PAGES; page++)
			nr += seen->touched[i][page] != 1;
	return nr;
}

struct file_view {
	struct seen *seen;
	struct event_ids events;
};

static int see_block(void *ctx, const struct data_block *block)
{
	struct file_view *view = ctx;

	for (struct record record = { 0 }; data_block__next(block, false, &record);)
		see(view->seen, &view->events, &record);
	return 0;
}

static void see_file(struct seen *seen, const char *path)
{
	struct perf_data *data = perf_data__open(path, 0, NULL);
	struct file_view view = { .seen = seen };

	CHECK(data);
	if (!data)
		return;
	event_ids__init(&view.events, perf_data__evlist(data), false);
	CHECK_EQ(perf_data__walk(data, see_block, &view, NULL), 0);
	event_ids__exit(&view.events);
	perf_data__close(data);
}

/* ---- the sinks ---- */

struct own_sink {
	struct record_sink sink;
	struct event_ids events;
	struct seen seen;
	u32 nr_rounds, nr_split;      /* records that were in two pieces */
	u32 nr_comms, nr_maps_of_own; /* told: of the programs, and maps with our code */
};

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct own_sink *own = (struct own_sink *)sink;
	struct record_walk walk;
	struct record record;

	own->nr_rounds += batch->round;
	record_walk__init(&walk, batch);
	while (record_walk__next(&walk, &record)) {
		own->nr_split += record.data == walk.whole;
		see(&own->seen, &own->events, &record);
	}
	record_walk__exit(&walk);
	return 0;
}

static int tell(struct record_sink *sink, const void *records, size_t len)
{
	struct own_sink *own = (struct own_sink *)sink;
	struct record record;

	for (size_t at = 0; record__take((const u8 *)records + at, len - at, &record);
	     at += record.size) {
		u64 here = (uintptr_t)take;
		struct mmap_record map;

		own->nr_comms += record.type == PERF_RECORD_COMM;
		own->nr_maps_of_own += record.type == PERF_RECORD_MMAP2 &&
		                       !mmap_record__decode(&record, false, &map) &&
		                       here >= map.start && here - map.start < map.len;
	}
	return 0;
}

/* In front of another: the first piece of one batch goes missing. */
struct losing_sink {
	struct record_sink sink;
	u32 nr;
};

static int lose(struct record_sink *sink, struct record_batch *batch)
{
	struct losing_sink *losing = (struct losing_sink *)sink;

	if (batch->nr && ++losing->nr == 7) {
		batch->pieces++;
		batch->nr--;
	}
	return sink->next->take(sink->next, batch);
}

/* ---- counters and rings ---- */

struct rig {
	struct meter meter;
	struct ring_drain drain;
	struct own_sink own;
};

/* False: this machine does not let us. */
static bool rig__init(struct rig *rig, const struct program programs[NR_PROGRAMS])
{
	struct meter *meter = &rig->meter;
	struct error err = ERROR_INIT;
	int ret = meter__init(meter, "page-faults:u", &err);
	struct evsel *evsel = meter->list.evsels[0];

	CHECK_EQ(ret, 0);
	evsel->attr.sample_period = 1;
	evsel->attr.freq = 0;
	evsel->attr.sample_type = SAMPLE;
	meter->threads.nr = 0;
	for (u32 i = 0; i < NR_PROGRAMS; i++)
		thread_map__add(&meter->threads, programs[i].pid);
	ret = meter__open(meter, touch__page_size(), &err);
	if (ret) {
		unit__skip(err.cause[0] ? err.cause : "counters cannot be opened here");
		return false;
	}
	CHECK_EQ(evsel__read_ids(evsel), 0);
	rig->own = (struct own_sink){ .sink = { .take = take, .tell = tell },
		                      .seen.programs = programs };
	event_ids__init(&rig->own.events, &meter->list, false);
	ring_drain__init(&rig->drain, &meter->rings, &rig->own.sink, NULL, 0);
	CHECK_EQ(meter__enable(meter), 0);
	return true;
}

static void rig__exit(struct rig *rig)
{
	ring_drain__exit(&rig->drain);
	event_ids__exit(&rig->own.events);
	meter__exit(&rig->meter);
}

/* What exists, as a profile must know it. */
static void tell_tasks(struct rig *rig)
{
	struct synth synth;

	synth__init(&synth, &rig->meter.list, ring_drain__tell, &rig->drain);
	synth__tasks(&synth, &rig->meter.threads);
	CHECK_EQ(synth__exit(&synth), 0);
}

/* The programs run chunk by chunk, and to their end; each of the rings' readers sees it all. */
static void run_programs(struct program programs[NR_PROGRAMS], struct rig rigs[], u32 nr)
{
	for (u32 at = 0; at < NR_PAGES; at += CHUNK) {
		for (u32 i = 0; i < NR_PROGRAMS; i++)
			program__touch_chunk(&programs[i]);
		for (u32 i = 0; i < nr; i++)
			CHECK(ring_drain__pass(&rigs[i].drain) > 0);
	}
	end_programs(programs);
	for (u32 i = 0; i < nr; i++) {
		CHECK_EQ(ring_drain__run(&rigs[i].drain, NULL, NULL), 0); /* they have ended */
		CHECK_EQ(ring_drain__finish(&rigs[i].drain), 0);
	}
}

enum { OWN, TO_FILE, LOSING, NR_RIGS };

TEST(own_sink_sees_what_a_file_has)
{
	char *path = xasprintf("%s/own.data", unit__tmpdir());
	struct seen in_file = { .programs = NULL };
	struct program programs[NR_PROGRAMS];
	struct losing_sink losing;
	static struct rig rigs[NR_RIGS];
	struct data_writer *writer;
	struct file_sink file;

	for (u32 i = 0; i < NR_PROGRAMS; i++)
		program__start(&programs[i]);
	in_file.programs = programs;
	for (u32 i = 0; i < NR_RIGS; i++)
		if (!rig__init(&rigs[i], programs)) {
			end_programs(programs);
			return;
		}
	writer = data_writer__new(path, NULL);
	CHECK_EQ(data_writer__start(writer, &rigs[TO_FILE].meter.list, NULL), 0);
	file_sink__init(&file, writer, NULL);
	rigs[TO_FILE].drain.sink = &file.sink;
	losing = (struct losing_sink){ .sink = { .take = lose, .next = &rigs[LOSING].own.sink } };
	rigs[LOSING].drain.sink = &losing.sink;

	tell_tasks(&rigs[OWN]);
	CHECK_EQ(rigs[OWN].own.nr_comms, NR_PROGRAMS);
	CHECK_EQ(rigs[OWN].own.nr_maps_of_own, NR_PROGRAMS);
	run_programs(programs, rigs, NR_RIGS);
	data_writer__delete(writer);
	see_file(&in_file, path);

	const struct own_sink *own = &rigs[OWN].own;

	CHECK_EQ(seen__nr_wrong(&own->seen), 0);
	CHECK_EQ(seen__nr_wrong(&in_file), 0);
	CHECK(!memcmp(own->seen.touched, in_file.touched, sizeof(in_file.touched)));
	CHECK_EQ(own->seen.nr_late, 0);
	CHECK(own->nr_rounds >= NR_PAGES / CHUNK);
	CHECK(own->nr_split > 0); /* the rings wrapped, within records, too */
	CHECK(seen__nr_wrong(&rigs[LOSING].own.seen) > 0);
	for (u32 i = 0; i < NR_RIGS; i++)
		rig__exit(&rigs[i]);
	free(path);
}
