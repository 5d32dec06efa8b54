// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recording written again: the first byte says with what, a perf.data file follows. The copy must
 * be one that can be read, with every sample of the first.
 */
#include "util/export/inject.h"

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/lib/alloc.h"
#include "util/lib/temp_dir.h"
#include "util/symbol/session_symbols.h"

enum {
	BUILD_IDS = 1,
	ALL_BUILD_IDS = 2,
	SCHED_STAT = 4,
	CHAINS = 8,
	IN_MAPS = 16,
	IN_ALL_MAPS = 32
};

static void check_copy(const char *path, const struct inject_counts *counts, bool merged)
{
	struct session session;
	struct error err = ERROR_INIT;

	FUZZ_CHECK(!session__open(&session, path, 0, &err));
	FUZZ_CHECK(!perf_data__not_closed(session.data));
	FUZZ_CHECK(!session__scan(&session, &err));
	u64 nr = session.stats.nr_records[PERF_RECORD_SAMPLE];

	FUZZ_CHECK(merged ? nr <= counts->nr_samples : nr == counts->nr_samples);
	session__close(&session);
}

static void rewrite(struct session *session, const char *path, u8 how)
{
	static const struct symbol_config objects = { .symfs = "/nonexistent",
		                                      .no_live_kernel = true };
	static const char *const words[] = { "perf", "inject" };
	const struct inject_options options = { .build_ids = how & BUILD_IDS,
		                                .all_build_ids = how & ALL_BUILD_IDS,
		                                .sched_stat = how & SCHED_STAT,
		                                .map_build_ids = how & IN_MAPS,
		                                .all_map_build_ids = how & IN_ALL_MAPS,
		                                .chains = how & CHAINS ? &objects : NULL };
	u64 before = session->stats.nr_records[PERF_RECORD_SAMPLE];
	struct inject_counts counts = { 0 };
	struct error err = ERROR_INIT;
	int ret = inject__run(session, path, &options, words, 2, "1", &counts, &err);

	FUZZ_CHECK(!ret == !err.code);
	if (!ret) {
		FUZZ_CHECK(counts.nr_samples == before);
		check_copy(path, &counts, options.sched_stat);
	}
	health__exit(&counts.health);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct session session;

	if (!size ||
	    session__open(&session, fuzz__file(bytes + 1, size - 1), PERF_DATA_FORCE, NULL))
		return 0;
	if (!session__scan(&session, NULL)) {
		char *dir = temp_dir__make("perf-fuzz", NULL), *path = xasprintf("%s/copy", dir);

		FUZZ_CHECK(dir);
		rewrite(&session, path, bytes[0]);
		free(path);
		FUZZ_CHECK(!temp_dir__remove(dir));
	}
	session__close(&session);
	return 0;
}

static void (*add_seed)(const void *data, size_t size);

/* Each file with each of the ways. */
static void add_ways(const void *data, size_t size)
{
	static const u8 ways[] = { 0,          BUILD_IDS,  ALL_BUILD_IDS,
		                   SCHED_STAT, CHAINS,     CHAINS | BUILD_IDS | SCHED_STAT,
		                   IN_MAPS,    IN_ALL_MAPS };
	u8 *bytes = malloc(size + 1);

	FUZZ_CHECK(bytes);
	memcpy(bytes + 1, data, size);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		bytes[0] = ways[i];
		add_seed(bytes, size + 1);
	}
	free(bytes);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	add_seed = add;
	fuzz__perf_data_seeds(add_ways);
}
