// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file to JSON: the text must be JSON, whatever names the file has, with as many
 * samples as were counted. No real file is opened for symbols (symfs).
 */
#include "util/export/json_export.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/lib/json_read.h"
#include "util/reader/reads.h"

/* Objects with a member "timestamp": one for each sample. */
static void check_json(struct out *out, u64 nr_samples)
{
	const char *text = out__take(out);
	struct json_reader reader;
	enum json_token token;
	u64 nr = 0;

	json_reader__init(&reader, text, strlen(text));
	do {
		token = json_reader__next(&reader);
		FUZZ_CHECK(token != JSON_ERROR);
		nr += token == JSON_NUMBER && !strcmp(reader.key, "timestamp");
	} while (token != JSON_END);
	FUZZ_CHECK(nr == nr_samples);
	json_reader__exit(&reader);
}

static void convert(const struct session *session)
{
	const struct symbol_config config = { .symfs = "/nonexistent",
		                              .demangle = true,
		                              .no_live_kernel = true };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	const struct sample_filter all = { .nr_cpu_set = 0 };
	struct json_export_counts counts;
	struct error err = ERROR_INIT;
	struct out out;

	out__init(&out, -1);
	if (!json_export__write(session, symbols, &all, UNWIND_NATIVE, &out, &counts, &err))
		check_json(&out, counts.nr_samples);
	else
		FUZZ_CHECK(err.code < 0 && err.what[0]);
	if (!perf_data__has_counts(session->data)) /* else one stands for several */
		FUZZ_CHECK(counts.nr_samples + counts.problems.nr_broken <=
		           session->stats.nr_records[PERF_RECORD_SAMPLE]);
	out__exit(&out);
	session_symbols__delete(symbols);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, NULL))
		return 0;
	if (!session__scan(&session, NULL))
		convert(&session);
	session__close(&session);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
