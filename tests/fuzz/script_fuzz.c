// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file through perf script: ordered reader, machine, names, lines. No record may
 * be lost on the way, and no control character of the file may reach the terminal.
 */
#include <stdio.h>
#include <string.h>

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

/* Warnings are made, and go nowhere. */
static void say_filters(const struct script *script)
{
	static FILE *nowhere;
	FILE *before = stderr;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	FUZZ_CHECK(nowhere);
	stderr = nowhere;
	script__say_filters(script);
	stderr = before;
}

struct passing {
	struct sample_filter_lists lists;
	const char *cpus, *times; /* NULL: all */
};

static void parse_filter(struct sample_filter *filter, const struct passing *passing)
{
	FUZZ_CHECK(!sample_filter__parse_lists(filter, &passing->lists, NULL));
	FUZZ_CHECK(!sample_filter__parse_cpus(filter, passing->cpus, NULL));
	if (passing->times)
		FUZZ_CHECK(!time_ranges__parse(&filter->times, passing->times, 0, 0, NULL));
}

/* A line, if there is one, has the word that was asked for (NULL: none was). */
static void check_has(const struct out *out, const char *format, const char *word)
{
	char text[64];

	snprintf(text, sizeof(text), format, word ? word : "");
	FUZZ_CHECK(!word || !out->len || memmem(out->buf, out->len, text, strlen(text)));
}

/* The samples that pass, as "COMM PID/TID" each. */
static void print_passing(const struct session *session, const struct passing *passing)
{
	const struct sample_filter_lists *lists = &passing->lists;
	struct script_options options = { .max_stack = 127, .addr_range = 8 };
	struct symbol_config config = { .symfs = "/nonexistent", .no_live_kernel = true };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	struct out out;

	parse_filter(&options.filter, passing);
	script_fields__init(&options.fields);
	FUZZ_CHECK(!script_fields__parse(&options.fields, "comm,pid,tid", NULL));
	out__init(&out, -1);
	struct script *script = script__new(session, symbols, &options, &out, NULL);

	while (script && script__next(script)) {
		check_has(&out, "%s ", lists->comms);
		check_has(&out, " %s/", lists->pids);
		check_has(&out, "/%s ", lists->tids);
		out.len = 0;
	}
	if (script)
		say_filters(script);
	script__delete(script);
	out__exit(&out);
	session_symbols__delete(symbols);
	sample_filter__exit(&options.filter);
}

static void print_filtered(const struct session *session)
{
	static const struct passing all[] = {
		{ .lists.comms = "parent" },
		{ .lists.pids = "100" },
		{ .lists.tids = "100" },
		{ .lists.dsos = "true,[vdso]" },
		{ .lists.symbols = "401004,0x401010,nosuch" },
		{ .lists = { .comms = "nosuch", .dsos = "nosuch", .symbols = "main" } },
		{ .lists = { .comms = "parent", .tids = "105" } },
		{ .lists = { .comms = "nosuch", .dsos = "true" } },
		{ .cpus = "4095" },
		{ .cpus = "0-1", .times = "5000,6000", .lists.dsos = "true" },
		{ .times = "0,0.000001" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		print_passing(session, &all[i]);
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
		print_filtered(&session);
	}
	session__close(&session);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
