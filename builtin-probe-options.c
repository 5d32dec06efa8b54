// SPDX-License-Identifier: GPL-2.0-or-later
/* perf probe: the command line. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-probe.h"
#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"

static const char *const usage[] = { "perf probe [<options>] 'PROBE' ['PROBE' ...]",
	                             "perf probe [<options>] --add 'PROBE' [--add 'PROBE' ...]",
	                             "perf probe [<options>] --del '[GROUP:]EVENT' ...",
	                             "perf probe --list ['[GROUP:]EVENT']",
	                             "perf probe [<options>] --line 'LINES'",
	                             "perf probe [<options>] --vars 'PROBE'",
	                             "perf probe [<options>] --funcs ['FILTER']",
	                             "perf probe [<options>] --definition 'PROBE' ...",
	                             "perf probe [<options>] --try 'PROBE' -- COMMAND [ARGS]",
	                             NULL };

static struct probe_options opts;

static void add_text(const char *text)
{
	array__reserve(&opts.texts, &opts.cap_texts, opts.nr_texts + 1, sizeof(*opts.texts));
	opts.texts[opts.nr_texts++] = text;
}

static int parse_action(const struct option *option, const char *arg, bool unset, struct error *err)
{
	static const struct {
		char letter;
		enum probe_action action;
	} actions[] = { { 'a', PROBE_ADD },  { 'd', PROBE_DELETE }, { 'D', PROBE_DEFINITION },
		        { 'l', PROBE_LIST }, { 'L', PROBE_LINE },   { 'V', PROBE_VARS },
		        { 'F', PROBE_FUNCS } };

	(void)unset;
	opts.action = PROBE_TRY; /* has no letter */
	for (u32 i = 0; i < ARRAY_SIZE(actions); i++)
		if (actions[i].letter == option->short_name)
			opts.action = actions[i].action;
	if (arg && !*arg)
		return error__set(err, -EINVAL, "cannot use option", option->name,
		                  "its argument is empty");
	if (arg)
		add_text(arg);
	return 0;
}

#define ACTION (OPTION_EXCLUSIVE | OPTION_NO_NEGATE)
#define MAYBE  (OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG)

static const struct option options[] = {
	OPT_CALLBACK('a', "add", NULL, "probe", "define this probe", parse_action, .flags = ACTION),
	OPT_CALLBACK('d', "del", NULL, "event", "remove these events", parse_action,
	             .flags = ACTION),
	OPT_CALLBACK('D', "definition", NULL, "probe", "print what --add would write", parse_action,
	             .flags = ACTION),
	OPT_CALLBACK('l', "list", NULL, "event", "list existing probes", parse_action,
	             .flags = ACTION | MAYBE),
	OPT_CALLBACK('L', "line", NULL, "lines", "show source, and which lines can be probed",
	             parse_action, .flags = ACTION),
	OPT_CALLBACK('V', "vars", NULL, "probe", "show the variables visible at this place",
	             parse_action, .flags = ACTION),
	OPT_CALLBACK('F', "funcs", NULL, "filter", "list the functions", parse_action,
	             .flags = ACTION | MAYBE),
	OPT_CALLBACK(0, "try", NULL, "probe",
	             "add this probe, run a command, show what was hit, remove the probe",
	             parse_action, .flags = ACTION),
	OPT_STRING('x', "exec", &opts.exec, "file", "probe this program or library"),
	OPT_STRING('m', "module", &opts.module, "file",
	           "probe this kernel module: a name, or its file"),
	OPT_STRING('k', "vmlinux", &opts.vmlinux, "file",
	           "use this kernel image, with debug information"),
	OPT_STRING('s', "source", &opts.source, "dir", "look for source files here"),
	OPT_STRING(0, "symfs", &opts.symfs, "dir", "look for files below this folder",
	           .fallback = ""),
	OPT_UINT(0, "target-ns", &opts.target_ns, "pid", "use files as this process sees them"),
	OPT_STRING(0, "filter", &opts.filter, "filter",
	           "with --funcs, --vars: show matching names (default: '!_* & !*@plt', "
	           "'!__k???tab_* & !__crc_*')"),
	OPT_BOOL(0, "externs", &opts.externs, "with --vars: show global variables, too"),
	OPT_BOOL(0, "range", &opts.range, "with --vars: show where each has a value"),
	OPT_BOOL(0, "no-inlines", &opts.no_inlines, "omit inlined copies of functions"),
	OPT_UINT(0, "max-probes", &opts.max_probes, "n",
	         "allow one probe this many places (default: 128)"),
	OPT_BOOL('f', "force", &opts.force,
	         "add events whose names exist already, with a number appended"),
	OPT_BOOL('n', "dry-run", &opts.dry_run, "change nothing"),
	OPT_BOOL(0, "no-demangle", &opts.no_demangle, "with --funcs: print names as in the file"),
	OPT_BOOL('q', "quiet", &opts.quiet, "print no messages but errors"),
	OPT_COUNT('v', "verbose", &opts.verbose, "print what is done"),
	OPT_BOOL(0, "cache", &opts.cache,
	         "with --add, --list, --del: use the probes of the build-id cache"),
	OPT_BOOL(0, "bootconfig", &opts.bootconfig,
	         "with --definition: print the form of the kernel's bootconfig"),
	OPT_BOOL(0, "demangle-kernel", &opts.demangle_kernel,
	         "with --funcs: demangle names of the kernel, too"),
	{ OPTION_END },
};

int probe_options__mistake(const struct error *err)
{
	return command_line__usage(err, usage, options, NULL);
}

static int refuse(const char *what, const char *subject, const char *cause)
{
	struct error err = ERROR_INIT;

	error__set(&err, -EINVAL, what, subject, "%s", cause);
	return command_line__usage(&err, usage, options, NULL);
}

/* Words are one definition: perf probe main argc argv. An absolute path in front is the program. */
static int take_words(int argc, const char **argv)
{
	struct out out;

	if (argc && *argv[0] == '/' && !opts.exec && !opts.module) {
		opts.exec = *argv;
		argc--;
		argv++;
	}
	if (!argc)
		return 0;
	if (opts.action != PROBE_NOTHING && opts.action != PROBE_ADD)
		return refuse("unexpected argument", argv[0],
		              "words without an option are a probe to be added");
	out__init(&out, -1);
	for (int i = 0; i < argc; i++) {
		out__str(&out, i ? " " : "");
		out__str(&out, argv[i]);
	}
	opts.joined = xstrdup(out__take(&out));
	out__exit(&out);
	opts.action = PROBE_ADD;
	add_text(opts.joined);
	return 0;
}

/* The words behind "--", which options__parse() would take for more words. */
static int cut_command(int argc, const char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--") && i + 1 < argc) {
			opts.command = &argv[i + 1];
			argv[i] = NULL;
			return i;
		}
	return argc;
}

static int check(void)
{
	if (opts.action == PROBE_NOTHING)
		return command_line__usage(NULL, usage, options, NULL);
	if (opts.exec && opts.module)
		return refuse("cannot use option", "--module", "it excludes --exec");
	if (opts.quiet && opts.verbose)
		return refuse("cannot use option", "--quiet", "it excludes --verbose");
	if (opts.cache && opts.action != PROBE_ADD && opts.action != PROBE_LIST &&
	    opts.action != PROBE_DELETE && opts.action != PROBE_DEFINITION)
		return refuse("cannot use option", "--cache", "it is for --add, --list and --del");
	if (opts.bootconfig && opts.action != PROBE_DEFINITION)
		return refuse("cannot use option", "--bootconfig", "it is for --definition");
	if ((opts.action == PROBE_TRY) != !!opts.command)
		return opts.command ? refuse("unexpected argument", opts.command[0],
		                             "only --try runs a command")
		                    : refuse("missing command of option", "--try",
		                             "it stands behind --");
	if (opts.action == PROBE_TRY && !opts.exec)
		return refuse("cannot use option", "--try", "it wants a program: --exec");
	if (opts.action == PROBE_TRY && opts.dry_run)
		return refuse("cannot use option", "--dry-run",
		              "--try adds probes and runs a command; with --add it says what would "
		              "be added");
	return 0;
}

int probe_options__parse(int argc, const char **argv, struct probe_options *result)
{
	int rest, ret;

	opts = (struct probe_options){ .symfs = "", .max_probes = PROBE_SPOTS_MAX };
	argc = cut_command(argc, argv);
	ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);
	if (!ret)
		ret = take_words(argc - rest, argv + rest);
	if (!ret)
		ret = check();
	*result = opts;
	return ret;
}

void probe_options__exit(struct probe_options *self)
{
	free(self->texts);
	free(self->joined);
}

/* ---- the object ---- */

bool probe_options__has_target(const struct probe_options *self)
{
	return self->exec || self->module || self->vmlinux;
}

/* The module of this name: its file if there is one, else as it is loaded. */
static int open_module(const struct probe_options *self, struct probe_target *target,
                       struct error *err)
{
	char *path = probe_target__module_path(self->module, self->symfs);
	int ret;

	if (path) {
		ret = probe_target__open(target, path, self->symfs, 0, true, err);
	} else {
		if (!self->quiet)
			diag__say_warning("Failed to find path of kernel module '%s'",
			                  self->module);
		ret = probe_target__open_running(target, self->module, KALLSYMS, err);
	}
	free(path);
	return ret;
}

/* A program that is not there: offer the nearest names in its folder. */
static void advise_program(const char *path, struct error *err)
{
	char *folder = xstrdup(path), text[200], *slash = strrchr(folder, '/');
	struct arena names = ARENA_INIT;
	struct nearest near;

	nearest__init(&near, text__basename(path));
	if (slash)
		slash[1] = '\0';
	DIR *dir = opendir(slash ? folder : ".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			nearest__offer(&near, arena__strndup(&names, entry->d_name,
			                                     strlen(entry->d_name)));
	if (dir)
		closedir(dir);
	nearest__text(&near, slash ? folder : "", text, sizeof(text));
	if (*text)
		error__advise(err, "%s", text);
	arena__exit(&names);
	free(folder);
}

int probe_options__open(const struct probe_options *self, struct probe_target *target,
                        struct error *err)
{
	const char *path = self->exec ? self->exec : self->module ? self->module : self->vmlinux;
	int ret;

	if (!path)
		ret = probe_target__open_running(target, NULL, KALLSYMS, err);
	else if (!self->exec && self->module && !strchr(self->module, '/'))
		ret = open_module(self, target, err);
	else
		ret = probe_target__open(target, path, self->symfs, self->target_ns, !self->exec,
		                         err);
	if (!ret)
		target->source = self->source;
	else if (ret == -ENOENT && self->exec && !self->target_ns && err && !*err->advice)
		advise_program(self->exec, err);
	return ret;
}
