// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file through perf script: ordered reader, machine, names, lines. No record may
 * be lost on the way, and no control character of the file may reach the terminal.
 */
#include "ui/script/script.h"
#include "util/reader/ordered.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"

static void check_text(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		FUZZ_CHECK(c >= 0x20 || c == '\n' || c == '\t');
		FUZZ_CHECK(c != 0x7f);
	}
}

static u64 print_all(struct script *script, struct out *out)
{
	u64 nr = 0;

	for (; script__next(script); nr++) {
		check_text(out->buf, out->len);
		out->len = 0;
	}
	return nr;
}

static void print_session(const struct session *session, bool json, bool terminal)
{
	struct script_options options = { .max_stack = 127,
		                          .json = json,
		                          .terminal = terminal,
		                          .show_task = true,
		                          .show_mmap = true,
		                          .show_switch = true,
		                          .show_lost = true,
		                          .show_bpf = true,
		                          .show_text_pokes = true,
		                          .show_rounds = true };
	struct symbol_config config = { .symfs = "/nonexistent",
		                        .no_live_kernel = true,
		                        .demangle = true };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	struct error err = ERROR_INIT;
	struct out out;

	script_fields__init(&options.fields);
	script_fields__parse(&options.fields, "+misc", &err);
	out__init(&out, -1);
	struct script *script = script__new(session, symbols, &options, &out, &err);
	struct ordered *ordered = ordered__new(session->data, &err);

	FUZZ_CHECK(script || err.code < 0);
	FUZZ_CHECK(ordered);
	if (script)
		FUZZ_CHECK(print_all(script, &out) == ordered__stats(ordered)->nr_records);
	ordered__delete(ordered);
	script__delete(script);
	out__exit(&out);
	session_symbols__delete(symbols);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct error err = ERROR_INIT;
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, &err))
		return 0;
	if (!session__scan(&session, &err)) {
		print_session(&session, false, size % 2);
		print_session(&session, true, false);
	}
	session__close(&session);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
