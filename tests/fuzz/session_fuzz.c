// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file through the first walk of every reading command, and then the questions
 * that every sample asks of the machine: each answer must hold at the moment that was asked about.
 */
#include "util/machine/session.h"

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/format/sample.h"

static bool within(struct moment since, struct moment when, struct moment until)
{
	return !moment__before(when, since) && moment__before(when, until);
}

static void ask_map(const struct session *session, u32 thread, bool kernel, u64 addr,
                    struct moment when)
{
	struct map_hit hit;
	bool found = machine__find_map(session->host, thread, kernel, addr, when, &hit);

	FUZZ_CHECK(found == (hit.dso != ID_NONE));
	FUZZ_CHECK(!found || hit.dso < session->dsos.nr);
	FUZZ_CHECK(within(hit.since, when, hit.until));
	/* The last address there is lies in no map. */
	FUZZ_CHECK(addr == UINT64_MAX || (hit.start <= addr && addr < hit.end));
}

static void ask(const struct session *session, const struct sample *sample, struct moment when)
{
	struct task_hit task;

	FUZZ_CHECK(machine__find_task(session->host, sample->pid, sample->tid, when, &task));
	FUZZ_CHECK(within(task.since, when, task.until));
	FUZZ_CHECK(task.comm == machine__comm_at(session->host, task.thread, when));
	FUZZ_CHECK(machine__thread(session->host, task.thread)->tid == (s32)sample->tid);
	fuzz__touch(strtab__get(&session->strings, task.comm), 1);
	ask_map(session, task.thread, false, sample->ip, when);
	ask_map(session, task.thread, true, sample->ip, when);
}

static void ask_all(const struct session *session)
{
	bool swap = perf_data__swapped(session->data);
	struct block_buffer buffer = { 0 };
	struct data_block block;

	for (u32 i = 0; i < perf_data__nr_blocks(session->data); i++) {
		if (perf_data__read_block(session->data, i, &buffer, &block))
			continue;
		for (struct record r = { 0 }; data_block__next(&block, swap, &r);) {
			struct evsel *evsel = perf_data__find_evsel(session->data, &r);
			struct sample sample;

			if (r.type == PERF_RECORD_SAMPLE && evsel &&
			    !sample__decode_fast(perf_data__layout(session->data, evsel), &r, swap,
			                         &sample))
				ask(session, &sample, session__moment(session, &r, sample.time));
		}
	}
	free(buffer.buf);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct error err = ERROR_INIT;
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, &err)) {
		FUZZ_CHECK(err.code < 0 && err.what[0]);
		return 0;
	}
	if (session__scan(&session, &err))
		FUZZ_CHECK(err.code < 0 && err.what[0]);
	ask_all(&session);
	session__close(&session);
	return 0;
}

/* So many maps, one in another, that they are found by a tree. */
static void add_maps(void (*add)(const void *data, size_t size))
{
	u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	struct perf_event_attr attr = built_attr(type);
	struct built_sample s = { .pid = 100, .tid = 100, .id = 7, .period = 1 };
	struct file_builder f;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
	for (u64 i = 0; i < 40; i++) {
		s.time += 10;
		builder__mmap2(&f.data, type, &s, 2, 0x10000 + i % 7 * 0x1000,
		               0x1000 + i % 5 * 0x3000, 0, i % 2 ? "/bin/a" : "/bin/b");
		s.ip = 0xf800 + i * 0x400;
		builder__sample(&f.data, type, 2, &s);
	}
	fuzz__add_file(&f, add);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
	add_maps(add);
}
