// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf evlist: the events of a perf.data file. Only its header is read.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/text/event_text.h"
#include "ui/text/report_problems.h"
#include "util/lib/out.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"
#include "util/trace/trace_format.h"

static const char *const usage[] = { "perf evlist [<options>]", NULL };

static struct {
	const char *input;
	int verbose;
	bool freq, group, force, trace_fields;
} opts;

static const struct option options[] = {
	OPT_STRING('i', "input", &opts.input, "file", "input file name"),
	OPT_BOOL('f', "force", &opts.force, "read another user's file"),
	OPT_BOOL('F', "freq", &opts.freq, "print the sample frequency or period"),
	OPT_COUNT('v', "verbose", &opts.verbose, "print all fields of perf_event_attr"),
	OPT_BOOL('g', "group", &opts.group, "print groups as {leader,member}"),
	OPT_BOOL(0, "trace-fields", &opts.trace_fields, "print the fields of tracepoints"),
	{ OPTION_END },
};

static void print_trace_fields(void *ctx, struct out *out, bool *first, const struct evsel *evsel)
{
	const struct trace_formats *formats = ctx;

	event_text__field(out, first);
	if (!evsel__is_tracepoint(evsel)) {
		out__str(out, "(not a tracepoint)");
		return;
	}
	const struct trace_event *event = trace_formats__event(formats, evsel->attr.config);

	if (!event) {
		out__str(out, "(no format in the file)");
		return;
	}
	out__str(out, "trace_fields: ");
	trace_event__names(event, out);
}

static void print_events(struct out *out, struct perf_data *data)
{
	const struct evlist *list = perf_data__evlist(data);
	struct trace_formats *formats = trace_formats__of_file(data);
	const struct event_text text = {
		.verbose = opts.verbose,
		.freq = opts.freq,
		.group = opts.group,
		.more = opts.trace_fields ? print_trace_fields : NULL,
		.ctx = formats,
	};
	bool tracepoints = false;

	event_text__list(out, list, &text);
	trace_formats__delete(formats);
	for (u32 i = 0; i < list->nr; i++)
		tracepoints |= evsel__is_tracepoint(list->evsels[i]);
	if (tracepoints && !opts.trace_fields)
		out__str(out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
		              "tracepoint events\n");
}

/* The reasons of what was left out of the list. */
static void say_problems(const struct perf_data *data)
{
	const struct perf_data_info *info = perf_data__info(data);

	report_problems__say_file(data);
	if (info->nr_unknown_attr_bytes && opts.verbose)
		diag__say_warning("'%s' was written by a newer perf: %u bytes of its event "
		                  "descriptions have no name here",
		                  opts.input, info->nr_unknown_attr_bytes);
}

int cmd_evlist(int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	struct perf_data *data;
	struct out out;
	int rest, ret = command_line__parse(argc, argv, usage, options, 0, &rest);

	if (ret)
		return ret;
	if (rest < argc)
		return command_line__refuse_word(argv[rest], "the file is given with -i", usage,
		                                 options, "-i");
	if (opts.group && (opts.verbose || opts.freq)) {
		diag__say_error("--group option is not compatible with other options");
		return command_line__usage(NULL, usage, options, "-g");
	}
	opts.input = perf_data__input(opts.input);
	data = perf_data__open(opts.input, opts.force ? PERF_DATA_FORCE : 0, &err);
	if (!data) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	out__init(&out, STDOUT_FILENO);
	print_events(&out, data);
	out__flush(&out);
	say_problems(data);
	perf_data__close(data);
	out__exit(&out);
	if (diag__cannot_write(out.error, "cannot write the list", NULL))
		return 1;
	return 0;
}
