// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf inject: rewrite a recording, from a file or a pipe, with build-ids or with events derived
 * from two others.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/accepted.h"
#include "ui/options/command_line.h"
#include "ui/options/unwind_option.h"
#include "ui/term/diag.h"
#include "ui/term/progress.h"
#include "ui/text/report_problems.h"
#include "util/buildid/build_id_cache.h"
#include "util/export/inject.h"
#include "util/health/health_text.h"
#include "util/lib/output_file.h"
#include "util/symindex/symbol_bundle.h"

static const char *const usage[] = { "perf inject [<options>]", NULL };

static struct {
	const char *input, *output, *known, *ignored;
	int verbose;
	bool force, strip, ignore_vmlinux, jit, chains;
	struct inject_options inject;
	struct accepted accepted;
} opts = { .input = "-", .output = "-" };

static const struct option options[] = {
	OPT_BOOL('b', "build-ids", &opts.inject.build_ids,
	         "add the build-ids of the objects hit by samples"),
	OPT_BOOL(0, "buildid-all", &opts.inject.all_build_ids,
	         "add the build-ids of all mapped objects"),
	OPT_BOOL('B', "mmap2-buildids", &opts.inject.map_build_ids,
	         "write the build-ids of the objects hit by samples into their MMAP2 "
	         "records"),
	OPT_BOOL(0, "mmap2-buildid-all", &opts.inject.all_map_build_ids,
	         "write the build-ids of all objects into their MMAP2 records"),
	OPT_STRING(0, "known-build-ids", &opts.known, "id path[,id path...]",
	           "use these build-ids for these paths; file://FILE: one pair per line"),
	OPT_BOOL('s', "sched-stat", &opts.inject.sched_stat,
	         "merge sched_stat and sched_switch samples: show where tasks slept, and how long"),
	OPT_STRING('i', "input", &opts.input, "file", "input file name (default: -)"),
	OPT_STRING('o', "output", &opts.output, "file", "output file name (default: -)"),
	OPT_BOOL('f', "force", &opts.force, "read another user's file"),
	OPT_COUNT('v', "verbose", &opts.verbose, "say which objects have no build-id, and more"),
	OPT_STRING('k', "vmlinux", &opts.ignored, "file", "accepted; no symbols are needed"),
	OPT_STRING(0, "kallsyms", &opts.ignored, "file", "accepted; no symbols are needed"),
	OPT_BOOL(0, "ignore-vmlinux", &opts.ignore_vmlinux, "accepted; no symbols are needed"),
	OPT_BOOL(0, "strip", &opts.strip, "only together with --itrace: refused"),
	OPT_BOOL('j', "jit", &opts.jit, "add code dumped by JIT compilers (jit-PID.dump)"),
	OPT_BOOL(0, "convert-callchain", &opts.chains,
	         "turn stack copies (record --call-graph dwarf) into plain call chains"),
	OPT_UNWIND_STYLE(&opts.inject.unwind_style),
	OPT_ACCEPTED(0, "itrace", &opts.accepted, ABOUT_AUX, "opts", OPTION_OPTIONAL_ARG),
	OPT_ACCEPTED(0, "guest-data", &opts.accepted, ABOUT_GUESTS, "opts", OPTION_OPTIONAL_ARG),
	OPT_ACCEPTED(0, "guestmount", &opts.accepted, ABOUT_GUESTS, "dir", 0),
	OPT_NOT_YET(0, "vm-time-correlation", "opts", OPTION_OPTIONAL_ARG),
	{ OPTION_END },
};

static void say_no_build_id(void *ctx, const char *name)
{
	(void)ctx;
	diag__say_warning("no build_id found for %.300s", name);
}

static bool is_stream(const char *path)
{
	return !strcmp(path, "-");
}

/* What cannot be: before anything is opened. */
static int check_paths(struct error *err)
{
	struct stat out;

	if (opts.strip) {
		error__set(err, -EINVAL, "--strip option requires --itrace option", NULL,
		           "it drops what was decoded from AUX area data");
		return error__advise(err, "this perf does not decode AUX area data yet");
	}
	if (is_stream(opts.output) && isatty(STDOUT_FILENO)) {
		error__set(err, -EINVAL, "cannot write a recording to", "standard output",
		           "it is a terminal");
		return error__advise(err, "perf inject -o FILE, or into a pipe");
	}
	if (is_stream(opts.input) && isatty(STDIN_FILENO)) {
		error__set(err, -EINVAL, "cannot read a recording from", "standard input",
		           "it is a terminal");
		return error__advise(err, "perf inject -i FILE, or through a pipe");
	}
	struct file_ids inputs = { .mode = 0 };

	file_ids__add(&inputs, opts.input);
	bool same =
	        !(is_stream(opts.output) ? fstat(STDOUT_FILENO, &out) : stat(opts.output, &out)) &&
	        (S_ISREG(out.st_mode) || S_ISDIR(out.st_mode)) && file_ids__has(&inputs, &out);

	file_ids__exit(&inputs);
	if (!same)
		return 0;
	error__set(err, -EINVAL, "cannot write over", opts.output, "it is the input, too");
	return error__advise(err, "give another file name: -o FILE");
}

/* What the copy cannot tell any more. */
static void say_stacks(const struct session *session, const struct health *health)
{
	struct health_cause first;
	struct health_sums sums;
	struct out text;

	if (!health__first_cause(health, &first))
		return;
	health__sum(health, -1, &sums);
	out__init(&text, -1);
	health_text__share(&text, sums.not_complete, sums.nr);
	out__printf(&text, " %% of %llu call chains are not complete; first cause: ",
	            (unsigned long long)sums.nr);
	health_text__cause(&text, health, first.entry, session);
	out__str(&text, "; ");
	health_text__fix(&text, first.entry, session);
	diag__say_warning("%s", out__take(&text));
	out__exit(&text);
}

static void say_problems(struct session *session, const struct inject_counts *counts)
{
	static const struct symbol_config config = { .symfs = "" };
	const struct profile seen = { .nr_rows = 0 };
	struct session_symbols *symbols = session_symbols__new(&session->dsos, &config);

	report_problems__say(session, &seen, symbols, NULL, opts.verbose);
	session_symbols__delete(symbols);
	if (opts.verbose)
		fprintf(stderr, "[ perf inject: %llu samples, %llu build-ids added ]\n",
		        (unsigned long long)counts->nr_samples,
		        (unsigned long long)counts->nr_injected);
}

static void say_problem(void *ctx, const struct error *error)
{
	(void)ctx;
	diag__warning(error);
}

/* Symbols that came with the recording (record --bundle) go along, into a file. */
static void keep_bundle(const char *input, const char *output)
{
	struct error err = ERROR_INIT;

	if (output) {
		if (symbol_bundle__copy(input, output, &err) < 0)
			diag__warning(&err);
		return;
	}
	struct symbol_bundle *bundle = symbol_bundle__open(input, &err);

	if (bundle)
		diag__say_warning("the symbols that come with '%s' are left out: a stream cannot "
		                  "carry them; write a file, with -o FILE",
		                  input);
	symbol_bundle__delete(bundle);
}

/* The copy, with what JIT compilers have dumped where that was asked for. */
static int write_copy(struct session *session, int argc, const char **argv,
                      struct inject_counts *counts, struct error *err)
{
	const char *output = is_stream(opts.output) ? NULL : opts.output;
	struct inject_options how = opts.inject;
	struct jit_maps jit;
	char *cache = opts.jit || opts.chains ? build_id_cache__dir(NULL, NULL) : NULL;
	struct symbol_config objects = {
		.symfs = "",
		.cache_dir = cache,
		.no_live_kernel = !session__kernel_is_live(session),
	};
	int ret = 0;

	if (opts.chains)
		how.chains = &objects;
	if (opts.jit) {
		ret = jit_maps__collect(&jit, session, opts.force, say_problem, NULL, err);
		how.jit = &jit;
		how.cache_dir = cache;
		if (!ret && !jit.nr_marks)
			diag__say_warning("no process of this recording has mapped a dump of a JIT "
			                  "compiler (jit-PID.dump)");
	}
	if (!ret)
		ret = inject__run(session, output, &how, argv, argc, PERF_VERSION, counts, err);
	if (opts.jit)
		jit_maps__exit(&jit);
	free(cache);
	if (!ret)
		keep_bundle(perf_data__path(session->data), output);
	return ret;
}

static int inject(int argc, const char **argv, struct error *err)
{
	const char *input = is_stream(opts.input) ? "-" : opts.input;
	struct inject_counts counts = { 0 };
	struct session session;

	if (!is_stream(opts.output))
		progress__start("reading the recording");
	int ret = session__open(&session, input, opts.force ? PERF_DATA_FORCE : 0, err);

	if (ret) {
		progress__stop();
		return ret;
	}
	progress__read(session.data);
	ret = session__scan(&session, err);
	if (!ret)
		ret = accepted__check(&opts.accepted, &session, err);
	if (!ret)
		ret = write_copy(&session, argc, argv, &counts, err);
	if (!ret) {
		say_problems(&session, &counts);
		say_stacks(&session, &counts.health);
	}
	health__exit(&counts.health);
	if (ret == -EPIPE) /* the reader has gone: it knows why */
		ret = 0;
	progress__stop();
	session__close(&session);
	return ret;
}

int cmd_inject(int argc, const char **argv)
{
	const char **words = calloc(argc + 1, sizeof(*words));
	struct error err = ERROR_INIT;
	int rest, ret;

	if (!words)
		return EXIT_ERROR;
	memcpy(words, argv, argc * sizeof(*words)); /* options are moved to the front */
	ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);
	if (!ret && rest < argc)
		ret = command_line__refuse_word(argv[rest], "files are given with -i and -o", usage,
		                                options, "-i");
	if (!ret && opts.verbose)
		opts.inject.no_build_id = say_no_build_id;
	if (!ret && ((opts.known && known_ids__parse(&opts.inject.known, opts.known, &err)) ||
	             check_paths(&err) || inject(argc, words, &err))) {
		diag__error(&err);
		ret = EXIT_ERROR;
	}
	known_ids__exit(&opts.inject.known);
	free(words);
	return ret;
}
