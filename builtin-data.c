// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf data: a recording in other formats. `convert --to-json` is there; CTF needs a library that
 * this perf does not use.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/options/symbol_options.h"
#include "ui/options/unwind_option.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/export/json_export.h"
#include "util/lib/output_file.h"

#define EXIT_TIME 234 /* as perf script: -EINVAL in eight bits */

static const char *const usage[] = { "perf data {convert} [<options>]", NULL };

static struct {
	const char *input, *to_ctf, *to_json, *times;
	int verbose;
	bool force, all, tod;
	enum unwind_style unwind_style;
	struct symbol_options symbols;
} opts = { .symbols = SYMBOL_OPTIONS_INIT };

static const struct option options[] = {
	OPT_STRING('i', "input", &opts.input, "file", "input file name"),
	OPT_BOOL('f', "force", &opts.force,
	         "read another user's file; overwrite an existing output file"),
	OPT_COUNT('v', "verbose", &opts.verbose, "also print what is left out"),
	OPT_STRING(0, "to-json", &opts.to_json, "file", "write JSON to this file"),
	OPT_STRING(0, "to-ctf", &opts.to_ctf, "dir",
	           "refused: the Common Trace Format needs libbabeltrace"),
	OPT_STRING(0, "time", &opts.times, "start,stop",
	           "use only this time span; N%/M or A%-B%: a part of the file"),
	OPT_UNWIND_STYLE(&opts.unwind_style),
	OPT_SYMBOL_CACHE(&opts.symbols),
	OPT_BOOL(0, "all", &opts.all, "convert records other than samples too; refused for JSON"),
	OPT_BOOL(0, "tod", &opts.tod, "write wall-clock times; refused for JSON"),
	{ OPTION_END },
};

static void say_result(u64 bytes, u64 nr_samples)
{
	diag__line("[ perf data convert: Converted '%s' into JSON data '%s' ]", opts.input,
	           opts.to_json);
	diag__line("[ perf data convert: Converted and wrote %.3f MB (%llu samples) ]",
	           bytes / 1024.0 / 1024.0, (unsigned long long)nr_samples);
}

static void say_problems(const struct session *session, struct session_symbols *symbols,
                         const struct json_export_counts *counts)
{
	const struct profile seen = {
		.problems = counts->problems,
	};

	report_problems__say_stacks(session);
	report_problems__say(session, &seen, symbols, NULL, opts.verbose);
	if (counts->problems.nr_lost)
		diag__say_warning("'%s' changed while it was read; records are missing",
		                  opts.input);
}

/* What the input tells of others, the copy tells them, too, and no more. */
static int open_json(struct output_file *file, struct error *err)
{
	struct file_ids inputs = { .mode = 0666 };

	file_ids__add(&inputs, opts.input);
	int ret = output_file__open(file, opts.to_json, opts.force ? OUTPUT_FILE_REPLACE : 0,
	                            inputs.mode & 0666, &inputs, err);

	file_ids__exit(&inputs);
	if (ret == -EEXIST)
		error__advise(err, "Output file exists. Use --force to overwrite it.");
	if (!ret && file->in_place && opts.verbose)
		diag__line("[ perf data convert: '%s' is written in place ]", opts.to_json);
	return ret;
}

static int write_json(struct session *session, const struct sample_filter *filter,
                      struct error *err)
{
	struct json_export_counts counts;
	struct output_file file;
	struct out out;

	if (open_json(&file, err))
		return EXIT_ERROR;
	struct session_symbols *symbols = symbol_options__start(&opts.symbols, session);

	out__init(&out, file.fd);
	int ret =
	        json_export__write(session, symbols, filter, opts.unwind_style, &out, &counts, err);

	out__exit(&out);
	if (!ret && out.error)
		ret = error__set(err, out.error, "cannot write", opts.to_json, NULL);
	int closed = output_file__close(&file, !ret);

	if (!ret && closed)
		ret = error__set(err, closed, "cannot write", opts.to_json, NULL);
	if (!ret) {
		say_result(out.written, counts.nr_samples);
		say_problems(session, symbols, &counts);
	}
	symbol_options__end(&opts.symbols, symbols, opts.verbose);
	return ret ? EXIT_ERROR : 0;
}

static int convert(struct error *err)
{
	struct sample_filter filter = { .nr_cpu_set = 0 };
	struct session session;
	int ret = EXIT_ERROR;

	if (session__open(&session, opts.input, opts.force ? PERF_DATA_FORCE : 0, err))
		return EXIT_ERROR;
	if (!session__scan(&session, err)) {
		if (opts.times &&
		    time_ranges__parse(&filter.times, opts.times, session.stats.first_time,
		                       session.stats.last_time, err))
			ret = EXIT_TIME;
		else
			ret = write_json(&session, &filter, err);
	}
	sample_filter__exit(&filter);
	session__close(&session);
	return ret;
}

/* What cannot be done, before any file is touched; 0: nothing of that. */
static int refuse(struct error *err)
{
	if (opts.to_json && opts.to_ctf)
		return error__set(err, -EINVAL, "You cannot specify both --to-ctf and --to-json",
		                  NULL, "only JSON can be written");
	if (opts.to_ctf) {
		error__set(err, -EOPNOTSUPP, "cannot convert to", opts.to_ctf,
		           "the Common Trace Format needs libbabeltrace, which this perf "
		           "does not "
		           "use");
		return error__advise(err, "write JSON: perf data convert --to-json FILE");
	}
	if (!opts.to_json) {
		error__set(err, -EINVAL, "You must specify one of --to-ctf or --to-json", NULL,
		           "only JSON can be written");
		return error__advise(err, "perf data convert --to-json FILE");
	}
	if (!opts.all && !opts.tod)
		return 0;
	error__set(err, -EOPNOTSUPP,
	           opts.all ? "--all is currently unsupported for JSON output"
	                    : "--tod is currently unsupported for JSON output",
	           NULL, opts.all ? "it holds samples" : "its times are those of the recording");
	return error__advise(err, opts.all ? "see other records with: perf script -D"
	                                   : "the headers clock-time and real-time of a "
	                                     "recording "
	                                     "with -k tell the difference");
}

int cmd_data(int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	bool named = argc > 1 && argv[1][0] != '-', known = named && !strcmp(argv[1], "convert");
	int rest, ret;

	if (named && !known) {
		error__set(&err, -EINVAL, "unknown command of perf data", argv[1],
		           "there is only 'convert'");
		return command_line__usage(&err, usage, options, NULL);
	}
	ret = command_line__parse(argc - known, argv + known, usage, options, OPTIONS_PERMUTE,
	                          &rest);
	if (ret)
		return ret;
	if (!known)
		return command_line__usage(NULL, usage, options, NULL);
	if (rest < argc - known)
		return command_line__refuse_word(argv[known + rest], "the file is given with -i",
		                                 usage, options, "-i");
	opts.input = perf_data__input(opts.input);
	ret = refuse(&err) ? EXIT_ERROR : convert(&err);
	if (ret)
		diag__error(&err);
	return ret;
}
