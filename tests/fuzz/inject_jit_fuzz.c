// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The dump of a JIT compiler, any bytes, put into a recording of its process (inject --jit). The
 * copy has a map for each time a function was made or moved, and every sample of the recording.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "tests/unit/jit_builder.h"
#include "util/export/inject.h"
#include "util/lib/alloc.h"
#include "util/lib/temp_dir.h"

#define PID        4194303 /* the last there may be: a process of this number would have a root */
#define CODE       0x10000
#define NR_SAMPLES 20

/* One event, with all that can stand behind a record. */
static struct perf_event_attr make_attr(void)
{
	struct perf_event_attr attr =
	        built_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
	                   PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID);

	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return attr;
}

/* The process has mapped its dump, then memory without a file; samples at times from 0 to 4000. */
static void write_recording(const char *path, const char *dump)
{
	struct perf_event_attr attr = make_attr();
	struct built_sample s = { .pid = PID, .tid = PID, .id = 7, .stream_id = 7 };
	struct file_builder f;
	struct builder out;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
	builder__comm(&f.data, attr.sample_type, &s, "compiler");
	s.time = 100;
	builder__mmap2(&f.data, attr.sample_type, &s, 2, 0x1000, 0x1000, 0, dump);
	for (u32 i = 0; i < NR_SAMPLES; i++) {
		s.time = 200 + 200 * i;
		s.ip = CODE + 16 * i;
		if (i % 5 == 2)
			builder__mmap2(&f.data, attr.sample_type, &s, 2, CODE, 0x1000, 0, "//anon");
		builder__sample(&f.data, attr.sample_type, 2, &s);
	}
	file_builder__finish(&f, &out);
	fuzz__write(path, out.data, out.len);
	builder__exit(&out);
	file_builder__exit(&f);
}

static void check_copy(const char *path, const struct jit_maps *jit, u64 before)
{
	struct session session;
	u64 nr;

	FUZZ_CHECK(!session__open(&session, path, 0, NULL));
	FUZZ_CHECK(!session__scan(&session, NULL));
	nr = session.stats.nr_records[PERF_RECORD_MMAP2];
	FUZZ_CHECK(session.stats.nr_records[PERF_RECORD_SAMPLE] == NR_SAMPLES);
	/* The mark is gone, and every map without a file behind it. */
	FUZZ_CHECK(nr == (jit->nr_marks ? jit->nr_maps : before + jit->nr_maps));
	session__close(&session);
}

static void touch_problem(void *ctx, const struct error *error)
{
	(void)ctx;
	FUZZ_CHECK(error->code < 0 && *error->what);
}

static void inject(struct session *session, struct jit_maps *jit, const char *dir, bool build_ids)
{
	static const char *const words[] = { "perf", "inject" };
	char *path = xasprintf("%s/copy", dir), *cache = xasprintf("%s/cache", dir);
	const struct inject_options options = { .jit = jit,
		                                .build_ids = build_ids,
		                                .cache_dir = cache };
	struct inject_counts counts = { 0 };

	FUZZ_CHECK(!inject__run(session, path, &options, words, 2, "1", &counts, NULL));
	FUZZ_CHECK(counts.nr_samples == NR_SAMPLES && counts.nr_maps == jit->nr_maps);
	check_copy(path, jit, session->stats.nr_records[PERF_RECORD_MMAP2]);
	for (u32 i = 0; i < jit->nr_files; i++)
		FUZZ_CHECK(!access(jit->files[i].path, R_OK));
	health__exit(&counts.health);
	free(cache);
	free(path);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *dir = temp_dir__make("perf-fuzz", NULL);
	struct session session;
	struct jit_maps jit;

	FUZZ_CHECK(dir);
	char *dump = xasprintf("%s/jit-%d.dump", dir, PID), *path = xasprintf("%s/data", dir);

	fuzz__write(dump, data, size);
	write_recording(path, dump);
	FUZZ_CHECK(!session__open(&session, path, 0, NULL) && !session__scan(&session, NULL));
	FUZZ_CHECK(!jit_maps__collect(&jit, &session, true, touch_problem, NULL, NULL));
	FUZZ_CHECK(jit.nr_marks == 1);
	inject(&session, &jit, dir, size & 1);
	jit_maps__exit(&jit);
	session__close(&session);
	free(path);
	free(dump);
	FUZZ_CHECK(!temp_dir__remove(dir));
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	struct out dump;

	jit_builder__init(&dump, PID);
	jit_builder__lines(&dump, CODE + 128, 3);
	jit_builder__unwinding(&dump, 16, 8);
	jit_builder__code(&dump, "first", CODE + 128, 64, 1);
	jit_builder__code(&dump, "other \303\244", CODE + 192, 32, 2);
	add(dump.buf, dump.len);
	jit_builder__code(&dump, "again", CODE + 256, 16, 1);
	jit_builder__move(&dump, CODE + 192, CODE + 224, 32, 2);
	add(dump.buf, dump.len - 1);
	add(dump.buf, dump.len);
	out__exit(&dump);
	jit_builder__init(&dump, 7); /* not of the process that mapped it */
	jit_builder__code(&dump, "first", CODE, 64, 1);
	add(dump.buf, dump.len);
	out__exit(&dump);
}
