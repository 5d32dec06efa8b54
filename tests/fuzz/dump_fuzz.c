// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file through the dump, the lists of tasks and maps, and the statistics. Every
 * record of the walk must be dumped, once, and no control character may reach the terminal.
 */
#include "ui/dump/dump.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "ui/dump/file_stats.h"
#include "ui/dump/task_list.h"
#include "util/reader/perf_order.h"

static void check_text(struct out *out)
{
	for (size_t i = 0; i < out->len; i++) {
		unsigned char c = out->buf[i];

		FUZZ_CHECK(c >= 0x20 || c == '\n' || c == '\t');
		FUZZ_CHECK(c != 0x7f);
	}
	out->len = 0;
}

static void dump_all(const struct session *session, struct session_symbols *symbols, unsigned flags)
{
	struct error err = ERROR_INIT;
	struct delivery *delivery = delivery__new(session->data, &err);
	struct record record;
	struct out out;
	int error;
	u64 nr = 0;

	FUZZ_CHECK(delivery);
	out__init(&out, -1);
	struct dump *dump = dump__new(session, symbols, &out, flags);

	for (; delivery__next(delivery, &record, &error); nr++) {
		dump__record(dump, &record);
		check_text(&out);
	}
	FUZZ_CHECK(!error);
	FUZZ_CHECK(nr == delivery__stats(delivery)->nr_records);
	dump__delete(dump);
	delivery__delete(delivery);
	out__exit(&out);
}

static void list_all(const struct session *session)
{
	struct out out;

	out__init(&out, -1);
	file_stats__print(&out, session, FILE_STATS_LOST);
	task_list__print(&out, session, true);
	check_text(&out);
	out__exit(&out);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct symbol_config config = { .symfs = "/nonexistent",
		                        .no_live_kernel = true,
		                        .demangle = true };
	struct error err = ERROR_INIT;
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, &err))
		return 0;
	if (!session__scan(&session, &err)) {
		struct session_symbols *symbols = session_symbols__new(&session.dsos, &config);

		dump_all(&session, symbols, 0);
		dump_all(&session, symbols, DUMP_SCRIPT);
		list_all(&session);
		session_symbols__delete(symbols);
	}
	session__close(&session);
	return 0;
}

/* Each type of record in lengths around those that it can have. */
static void add_lengths(void (*add)(const void *data, size_t size), u64 sample_type)
{
	struct perf_event_attr attr = built_attr(sample_type);
	struct file_builder f;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 5 }, 1);
	for (u32 type = 0; type <= RECORD_TYPE_MAX; type++) {
		for (unsigned words = 0; words < 14; words += 1 + words / 4) {
			if (type == RECORD_AUXTRACE || type == RECORD_TRACING_DATA)
				continue; /* bytes behind the record */
			size_t start = builder__begin(&f.data, type, words);

			for (unsigned i = 0; i < words; i++)
				builder__u64(&f.data, i < 2 ? i + words % 3 : 0x41);
			builder__end(&f.data, start);
		}
	}
	fuzz__add_file(&f, add);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
	add_lengths(add, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	add_lengths(add, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
	                         PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK |
	                         PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
	                         PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC |
	                         PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_READ);
}
