// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file: opened, walked, every record decoded by all that could decode it, every
 * block read again, all features and the header printed.
 */
#include "util/reader/reader.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "ui/dump/header.h"
#include "util/reader/features.h"

static void touch_build_id(void *ctx, const struct build_id_entry *entry)
{
	(void)ctx;
	FUZZ_CHECK(entry->size <= sizeof(entry->id));
	fuzz__touch(entry->name, strlen(entry->name));
}

static void print_header(const struct perf_data *data)
{
	struct out out;

	out__init(&out, -1);
	header__print(&out, data, true);
	for (const char *p = out__take(&out); *p; p++)
		FUZZ_CHECK(*p == '\n' || *p == '\t' || (u8)*p >= ' ');
	out__exit(&out);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct error err = ERROR_INIT;
	struct perf_data *data = perf_data__open(fuzz__file(bytes, size), PERF_DATA_FORCE, &err);

	if (!data) {
		FUZZ_CHECK(err.code < 0 && err.what[0] && err.cause[0]);
		return 0;
	}
	fuzz__walk_twice(data);
	perf_data__build_ids(data, touch_build_id, NULL);
	print_header(data);
	perf_data__close(data);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
