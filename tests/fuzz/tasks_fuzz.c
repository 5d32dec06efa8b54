// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc of processes that run: stat, status, maps. Whatever stands there, the records that are made
 * of it are whole, and who reads recordings can decode them.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/format/record.h"
#include "util/synthesize/synthesize.h"

static const char *const files[] = {
	"/proc/7/maps",        "/proc/7/stat",         "/proc/7/task/7/stat",
	"/proc/7/task/8/stat", "/proc/7/task/nr/stat", "/proc/7/status",
	"/proc/9/stat",        "/proc/9/status",       "/proc/9/maps",
};

static int check_records(void *ctx, const void *data, size_t len)
{
	const u8 *at = data;

	(void)ctx;
	for (size_t left = len; left;) {
		struct mmap_record map;
		struct comm_record comm;
		struct task_record task;

		FUZZ_CHECK(left >= sizeof(struct perf_event_header));
		struct record r = { .data = at,
			            .type = load_u32(at, false),
			            .misc = load_u16(at + 4, false),
			            .size = load_u16(at + 6, false) };

		FUZZ_CHECK(r.size >= sizeof(struct perf_event_header) && r.size <= left &&
		           r.size % 8 == 0);
		if (r.type == PERF_RECORD_MMAP2)
			FUZZ_CHECK(!mmap_record__decode(&r, false, &map));
		else if (r.type == PERF_RECORD_COMM)
			FUZZ_CHECK(!comm_record__decode(&r, false, &comm));
		else if (r.type == PERF_RECORD_FORK)
			FUZZ_CHECK(!task_record__decode(&r, false, &task));
		at += r.size;
		left -= r.size;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *root;
	struct thread_map threads = THREAD_MAP_INIT;
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		                        .size = sizeof(attr),
		                        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		                        .sample_id_all = 1 };
	struct evlist list = { .nr = 0 };
	struct synth synth;

	if (!root)
		root = fuzz__folder(files, ARRAY_SIZE(files));
	fuzz__fill(data, size);
	evlist__add(&list, &attr, "cpu-clock");
	synth__init(&synth, &list, check_records, NULL);
	synth.root = root;
	synth.data_maps = size & 1;
	thread_map__add(&threads, 7);
	thread_map__add(&threads, 9);
	synth__tasks(&synth, &threads);
	synth__all_tasks(&synth, NULL);
	FUZZ_CHECK(!synth__exit(&synth));
	thread_map__exit(&threads);
	evlist__exit(&list);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = {
		"55d0c0a00000-55d0c0a2b000 r-xp 00002000 fe:01 1181                       /usr/bin/a b\n"
		"7ffd1000-7ffd3000 rw-p 00000000 00:00 0                          [stack]\n"
		"7f10-7f20 r--s 00000000 00:05 99 /dev/zero (deleted)\n"
		"1000-2000 rwxp 00000000 00:00 0\n"
		"3000-4000 r-xp 00000000 00:0f 12 /anon_hugepage (deleted)\n"
		"5000-6000 r-xp 00000000 fe:01 13 /tmp/new\\012line\n"
		"\377"
		"7 (a ) (b) S 3 7 7 0 -1 4194304\n\377"
		"7 (main) S 3\n\377"
		"8 (worker) R 3\n\377"
		"1 (no) R 3\n\377"
		"Name:\ta\nTgid:\t7\nPid:\t7\n\377"
		"9 (nine) S 7\n\377"
		"Name:\tnine\nTgid:\t9\n\377",
		"7 (\377",
		"ffffffffffffffff-0 --xp ffffffffffffffff fffffffff:fffffffff 18446744073709551616 x\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
}
