// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of perf script, from crafted files to the last blank. */
#include "ui/script/script.h"

#include <stdlib.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define CHAIN_TYPE (TYPE | PERF_SAMPLE_CALLCHAIN)

struct printed {
	char text[4096];
	u64 nr_printed;
	struct read_problems problems;
	int code; /* of a script that could not be made */
};

static void read_session(struct session *session, const struct script_options *options,
                         struct printed *printed)
{
	struct symbol_config config = { .symfs = "/nonexistent", .no_live_kernel = true };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);
	struct error err = ERROR_INIT;
	struct out out;

	out__init(&out, -1);
	struct script *script = script__new(session, symbols, options, &out, &err);

	while (script && script__next(script))
		;
	strncpy(printed->text, out__take(&out), sizeof(printed->text) - 1);
	if (script) {
		printed->nr_printed = script__nr_printed(script);
		printed->problems = script__problems(script);
	}
	printed->code = err.code;
	script__delete(script);
	out__exit(&out);
	session_symbols__delete(symbols);
}

/* Prints the file of @f, which is freed. */
static struct printed print_file(struct file_builder *f, struct script_options *options)
{
	struct printed printed = { .code = 0 };
	struct session session;

	if (!options->max_stack)
		options->max_stack = 127;
	CHECK_EQ(session__open(&session, file_builder__write(f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	read_session(&session, options, &printed);
	session__close(&session);
	file_builder__exit(f);
	return printed;
}

static void start(struct file_builder *f, u64 type, const char *comm)
{
	struct perf_event_attr attr = built_attr(type);
	struct built_sample at = { .pid = 70, .tid = 71, .time = 1000 };

	file_builder__init(f, false);
	file_builder__event(f, &attr, NULL, 0);
	builder__comm(&f->data, type, &at, comm);
	builder__mmap2(&f->data, type, &at, PERF_RECORD_MISC_USER, 0x400000, 0x10000, 0x2000,
	               "/nonexistent/program");
}

static void add(struct file_builder *f, u64 type, u64 time, u64 ip, const u64 *chain, u64 nr)
{
	struct built_sample s = { .pid = 70,
		                  .tid = 71,
		                  .cpu = 3,
		                  .period = 250,
		                  .time = time,
		                  .ip = ip,
		                  .chain = chain,
		                  .nr_chain = nr };

	builder__sample(&f->data, type, PERF_RECORD_MISC_USER, &s);
}

TEST(script_prints_samples_in_order_of_time)
{
	struct script_options options = { .max_stack = 0 };
	struct file_builder f;

	script_fields__init(&options.fields);
	start(&f, TYPE, "worker");
	add(&f, TYPE, 2500000000, 0x400123, NULL, 0);
	add(&f, TYPE, 1999999999, 0x999123, NULL, 0);
	struct printed printed = print_file(&f, &options);

	CHECK_STR(printed.text,
	          "          worker    71 [003]     1.999999:        250 cpu-clock:HG:            "
	          "999123 [unknown] ([unknown])\n"
	          "          worker    71 [003]     2.500000:        250 cpu-clock:HG:            "
	          "400123 [unknown] (/nonexistent/program)\n");
	CHECK_EQ(printed.nr_printed, 2);
}

/* The samples at 1.5, 4.000001 and 4.000001 s, one line of time each. */
static struct printed print_times(struct script_options *options)
{
	struct file_builder f;

	CHECK_EQ(script_fields__parse(&options->fields, "time", NULL), 0);
	start(&f, TYPE, "worker");
	add(&f, TYPE, 1500000000, 0x400123, NULL, 0);
	add(&f, TYPE, 4000001000, 0x400123, NULL, 0);
	add(&f, TYPE, 4000001000, 0x400123, NULL, 0);
	return print_file(&f, options);
}

TEST(script_tells_times_since_the_first_or_the_last_sample)
{
	struct script_options plain = { 0 }, relative = { .relative_time = true };
	struct script_options delta = { .delta_time = true };

	CHECK_STR(print_times(&plain).text, "    1.500000: \n    4.000001: \n    4.000001: \n");
	CHECK_STR(print_times(&relative).text, "    0.000000: \n    2.500001: \n    2.500001: \n");
	CHECK_STR(print_times(&delta).text, "    0.000000: \n    2.500001: \n    0.000000: \n");
}

TEST(script_prints_chains_with_addresses_inside_files)
{
	static const u64 chain[] = { PERF_CONTEXT_USER, 0x400123, 0x400200, 0x999000 };
	struct script_options options = { .nanoseconds = true };
	struct file_builder f;

	script_fields__init(&options.fields);
	start(&f, CHAIN_TYPE, "worker");
	add(&f, CHAIN_TYPE, 2000000001, 0x400123, chain, ARRAY_SIZE(chain));
	struct printed printed = print_file(&f, &options);

	CHECK_STR(printed.text, "worker    71 [003]     2.000000001:        250 cpu-clock:HG: \n"
	                        "\t            2123 [unknown] (/nonexistent/program)\n"
	                        "\t            2200 [unknown] (/nonexistent/program)\n"
	                        "\t          999000 [unknown] ([unknown])\n\n");
}

TEST(script_keeps_the_frames_before_nonsense_and_counts_the_chain)
{
	static const u64 chain[] = { PERF_CONTEXT_USER, 0x400123, (u64)-7, 0x400200 };
	struct script_options options = { .no_chain = false };
	struct file_builder f;

	script_fields__init(&options.fields);
	script_fields__parse(&options.fields, "comm,ip", NULL);
	start(&f, CHAIN_TYPE, "worker");
	add(&f, CHAIN_TYPE, 2000000000, 0x400123, chain, ARRAY_SIZE(chain));
	struct printed printed = print_file(&f, &options);

	CHECK_STR(printed.text, "worker \n\t            2123\n\n");
	CHECK_EQ(printed.problems.nr_unknown_context, 1);
}

TEST(script_cuts_chains_and_hides_them)
{
	static const u64 chain[] = { PERF_CONTEXT_USER, 0x400123, 0x400200 };

	for (int hide = 0; hide < 2; hide++) {
		struct script_options options = { .no_chain = hide, .max_stack = 1 };
		struct file_builder f;

		script_fields__init(&options.fields);
		script_fields__parse(&options.fields, "ip,tid", NULL);
		start(&f, CHAIN_TYPE, "worker");
		add(&f, CHAIN_TYPE, 2000000000, 0x400123, chain, ARRAY_SIZE(chain));
		struct printed printed = print_file(&f, &options);

		/* The frame inside its file; the place alone as the process had it. */
		CHECK_STR(printed.text,
		          hide ? "   71            400123\n" : "   71 \n\t            2123\n\n");
	}
}

TEST(script_prints_nothing_raw_to_the_terminal)
{
	struct script_options options = { .show_task = true };
	struct file_builder f;

	script_fields__init(&options.fields);
	script_fields__parse(&options.fields, "comm,tid", NULL);
	start(&f, TYPE, "\033[2Jx\ny");
	add(&f, TYPE, 2000000000, 0x400123, NULL, 0);
	struct printed printed = print_file(&f, &options);

	CHECK_STR(printed.text, "         ?[2Jx?y    71 PERF_RECORD_COMM: ?[2Jx?y:70/71\n"
	                        "         ?[2Jx?y    71 \n");
}

TEST(script_filters_by_task_time_and_cpu)
{
	static const struct {
		struct sample_filter_lists lists;
		int nr;
	} rows[] = {
		{ .nr = 2 },
		{ .lists.comms = "x,worker", .nr = 2 },
		{ .lists.comms = "work", .nr = 0 },
		{ .lists.pids = "1,70", .nr = 2 },
		{ .lists.pids = "71", .nr = 0 },
		{ .lists.tids = "71", .nr = 2 },
		{ .lists.tids = "70", .nr = 0 },
		{ .lists.dsos = "program", .nr = 1 },
		{ .lists.dsos = "/nonexistent/program", .nr = 1 },
		{ .lists.dsos = "gram", .nr = 0 },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		struct script_options options = { .max_stack = 0 };
		struct file_builder f;

		CHECK_EQ(sample_filter__parse_lists(&options.filter, &rows[i].lists, NULL), 0);
		script_fields__init(&options.fields);
		start(&f, TYPE, "worker");
		add(&f, TYPE, 2000000000, 0x400123, NULL, 0);
		add(&f, TYPE, 3000000000, 0x999123, NULL, 0);
		CHECK_EQ(print_file(&f, &options).nr_printed, rows[i].nr);
		sample_filter__exit(&options.filter);
	}
}

/* The verdict on a comm is kept for the samples that follow: until the comm changes. */
TEST(script_judges_each_comm)
{
	struct script_options options = { .max_stack = 0 };
	struct file_builder f;

	script_fields__init(&options.fields);
	start(&f, TYPE, "worker");
	name_list__add(&options.filter.comms, "worker");
	for (u64 second = 2; second < 8; second++) {
		struct built_sample at = {
			.time = second * 1000000000, .pid = 70, .tid = 71, .id = 7
		};

		builder__comm(&f.data, TYPE, &at, second % 3 ? "other" : "worker");
		add(&f, TYPE, second * 1000000000 + 1, 0x400123, NULL, 0);
	}
	CHECK_EQ(print_file(&f, &options).nr_printed, 2);
	sample_filter__exit(&options.filter);
}

TEST(script_refuses_fields_that_are_not_there)
{
	struct script_options options = { .max_stack = 0 };
	struct file_builder f;

	script_fields__init(&options.fields);
	script_fields__parse(&options.fields, "comm,addr", NULL);
	start(&f, TYPE, "worker");
	add(&f, TYPE, 2000000000, 0x400123, NULL, 0);
	CHECK(print_file(&f, &options).code < 0);
}
