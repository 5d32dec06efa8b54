// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf: the table of commands, the few options in front of a command, and help. Nothing here
 * touches a library beyond libc, so that `perf --version` costs next to nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/options/complete.h"
#include "ui/term/diag.h"
#include "ui/term/manual.h"
#include "ui/term/pager.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/options/debug_settings.h"
#include "util/options/exec_path.h"
#include "util/options/install_dirs.h"
#include "util/options/nearest.h"

struct command {
	const char *name;
	int (*run)(int argc, const char **argv); /* NULL: known, but not built yet */
	const char *help;
	bool pages; /* prints so much that a pager is wanted */
};

static int cmd_help(int argc, const char **argv);

/* In the order of `perf help`. */
static const struct command commands[] = {
	{ "annotate", cmd_annotate,
	  "Show which instructions and source lines of a function cost the time", true },
	{ "archive", cmd_archive, "Pack the binaries of a recording, for another machine" },
	{ "bench", NULL, "Run small benchmarks of the kernel and of libraries" },
	{ "buildid-cache", cmd_buildid_cache, "Manage the cache of binaries by build-id" },
	{ "buildid-list", cmd_buildid_list, "List the build-ids in a perf.data file", true },
	{ "c2c", NULL, "Find cache lines that CPUs contend for (false sharing)" },
	{ "check", cmd_check, "Check whether a feature is built in" },
	{ "config", cmd_config, "Print and set configuration variables" },
	{ "daemon", NULL, "Keep record sessions running in the background" },
	{ "data", cmd_data, "Convert perf.data files to other formats" },
	{ "diff", NULL, "Compare the profiles of two or more perf.data files" },
	{ "doctor", cmd_doctor, "Check what this machine allows, and how to change it" },
	{ "evlist", cmd_evlist, "List the events in a perf.data file" },
	{ "ftrace", NULL, "Trace kernel functions with the kernel's own tracer" },
	{ "help", cmd_help, "Explain perf or one of its commands" },
	{ "inject", cmd_inject, "Add or change information in a stream of events" },
	{ "iostat", NULL, "Show how fast PCI devices read and write memory" },
	{ "kallsyms", NULL, "Look up symbols of the running kernel" },
	{ "kmem", cmd_kmem, "Trace and summarize the kernel's memory allocators" },
	{ "kvm", NULL, "Trace and measure KVM guests" },
	{ "kwork", NULL, "Trace and measure interrupts, softirqs and workqueues" },
	{ "list", cmd_list, "List the events that can be counted and sampled", true },
	{ "lock", NULL, "Analyze lock contention" },
	{ "mem", NULL, "Profile memory accesses" },
	{ "probe", cmd_probe, "Define new tracepoints in the kernel and in programs" },
	{ "record", cmd_record, "Run a command and record its profile into perf.data" },
	{ "report", cmd_report, "Read perf.data and show the profile" }, /* see page_output() */
	{ "sched", NULL, "Trace and measure the scheduler (latencies, time lines)" },
	{ "script", cmd_script, "Read perf.data and print each event, or feed it to a script",
	  true },
	{ "stat", cmd_stat, "Run a command and count its events" },
	{ "test", cmd_test, "Check that perf works on this machine" },
	{ "timechart", NULL, "Draw a chart of the whole system during a workload" },
	{ "top", cmd_top, "Show a live profile of the system" },
	{ "trace", NULL, "Trace system calls and other events live, like strace but cheaper" },
	{ "version", cmd_version, "Print the version of perf" },
};

static const char usage_line[] = "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]";
static const char *const usage[] = { usage_line, NULL };

struct debug_settings perf_debug;

/* ---- the options in front of the command ---- */

static struct {
	int version;
	const char *exec_path, *buildid_dir, *debugfs_dir;
	bool show_exec_path, show_html_path, paginate, no_pager;
} globals;

static int parse_exec_path(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	(void)option;
	(void)err;
	if (arg || unset)
		globals.exec_path = arg;
	globals.show_exec_path = !arg && !unset;
	return 0;
}

static int parse_debug(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	return unset ? 0 : debug_settings__parse(&perf_debug, arg, err);
}

static const struct option options[] = {
	OPT_COUNT('v', "version", &globals.version, "print the version; -vv: and what is built in"),
	OPT_CALLBACK(0, "exec-path", NULL, "dir", "where perf-CMD programs are; print it",
	             parse_exec_path, .flags = OPTION_OPTIONAL_ARG),
	OPT_BOOL(0, "html-path", &globals.show_html_path, "print where the documents are"),
	OPT_BOOL('p', "paginate", &globals.paginate, "show the output in a pager"),
	OPT_BOOL(0, "no-pager", &globals.no_pager, "never use a pager"),
	OPT_STRING(0, "debugfs-dir", &globals.debugfs_dir, "dir", "where debugfs is"),
	OPT_STRING(0, "buildid-dir", &globals.buildid_dir, "dir", "the build-id cache"),
	OPT_CALLBACK(0, "debug", NULL, "key[=n]", "verbose, perf-event-open ...", parse_debug),
	{ OPTION_END },
};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void print_commands(void)
{
	printf("\n usage: %s\n\n The most commonly used perf commands are:\n", usage_line);
	for (size_t pass = 0; pass < 2 * ARRAY_SIZE(commands); pass++) {
		const struct command *command = &commands[pass % ARRAY_SIZE(commands)];

		if (!command->run == (pass >= ARRAY_SIZE(commands)))
			printf("   %-15s %s%s\n", command->name, command->help,
			       command->run ? "" : " (not built yet)");
	}
	printf("\n See 'perf help COMMAND' for more information on a specific command.\n"
	       " 'perf help guide' shows how to measure.\n\n");
}

static int unknown_command(const char *name)
{
	struct nearest near;
	char shown[64], guess[200];

	nearest__init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		nearest__offer(&near, commands[i].name);
	text__printable(shown, sizeof(shown), name);
	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", shown);
	if (near.nr)
		fprintf(stderr, "  %s\n", nearest__text(&near, "", guess, sizeof(guess)));
	return 1;
}

/* The words of an unfinished command line, for a shell: ui/options/complete.h. */
static int complete(int nr, const char **words)
{
	const struct command *command;
	struct completion completion;
	int at = 0;

	while (at < nr - 1 && words[at][0] == '-')
		at++;
	if (at >= nr)
		return 0;
	completion__init(&completion, words[nr - 1]);
	command = at < nr - 1 ? find_command(words[at]) : NULL;
	if (at == nr - 1 && words[at][0] == '-') {
		complete__command(nr - at, (const char *const *)words + at, usage, options, 0);
	} else if (at == nr - 1 ||
	           (command && command->run == cmd_help && words[nr - 1][0] != '-')) {
		for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
			if (commands[i].run)
				complete__offer(&completion, commands[i].name, commands[i].help);
	} else if (command && command->run) {
		words[at] = "--complete";
		words[at - 1] = command->name;
		command->run(nr - at + 1, words + at - 1);
	}
	return 0;
}

static struct {
	const struct command *command;
	struct pager pager;
} running;

static void start_pager(bool wanted)
{
	struct error err = ERROR_INIT;

	if (!globals.no_pager && !running.pager.pid && isatty(STDOUT_FILENO) &&
	    pager__start_for(&running.pager, running.command->name, wanted, globals.paginate,
	                     perf_config(), &err))
		diag__warning(&err);
}

void page_output(void)
{
	start_pager(true);
}

/* A full disk or a closed pipe shows here at the latest. */
static int flush_output(int ret)
{
	bool failed = fflush(stdout) && !ret;

	return failed && diag__cannot_write(-errno, "cannot write the output", NULL) ? 1 : ret;
}

static int run_command(const struct command *command, int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	int ret;

	if (!command->run) {
		fprintf(stderr, "perf %s: %s\n  this command is not built yet; use meanwhile: %s\n",
		        command->name, command->help, manual__instead(command->name));
		return 1;
	}
	running.command = command;
	start_pager(command->pages || manual__is_asked(argc, argv)); /* help always is paged */
	ret = flush_output(command->run(argc, argv));
	if (pager__finish(&running.pager, &err)) {
		diag__error(&err);
		ret = ret ? ret : 1;
	}
	return ret;
}

/* What perf says about a command: its manual page, else the text of its -h. */
static int help_about(const char *name)
{
	const struct command *command = find_command(name);

	if (!strcmp(name, "guide"))
		return manual__show_guide(!globals.no_pager);
	if (!command)
		return unknown_command(name);
	if (manual__show(command->name))
		return 0;
	if (!command->run) {
		printf("\n perf %s: %s\n\n This command is not built yet; use meanwhile:\n %s\n\n",
		       command->name, command->help, manual__instead(command->name));
		return 1;
	}
	run_command(command, 2, (const char *[]){ command->name, "-h", NULL });
	return 0;
}

/* There is one kind of help, so the ways to show it change nothing. */
static bool help_as;
static const struct option help_options[] = {
	OPT_BOOL('a', "all", &help_as, "list all commands (as without it)"),
	OPT_BOOL('i', "info", &help_as, "accepted; the manual page is shown"),
	OPT_BOOL('m', "man", &help_as, "show the manual page (as without it)"),
	OPT_BOOL('w', "web", &help_as, "accepted; the manual page is shown"),
	{ OPTION_END },
};
static const char *const help_usage[] = { "perf help [<options>] [<command>]", NULL };

static int cmd_help(int argc, const char **argv)
{
	int rest, ret = command_line__parse(argc, argv, help_usage, help_options, 0, &rest);

	if (ret)
		return ret;
	if (rest < argc)
		return help_about(argv[rest]);
	print_commands();
	return 0;
}

static int usage_error(const struct error *err)
{
	char shown[64];

	if (!strcmp(err->what, "unknown option")) {
		text__printable(shown, sizeof(shown), err->subject);
		fprintf(stderr, "Unknown option: %s\n", shown);
	} else {
		diag__error(err);
	}
	fprintf(stderr, "\n Usage: %s\n", usage_line);
	return EXIT_USAGE;
}

static int list_commands(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].run)
			printf("%s ", commands[i].name);
	putchar('\n');
	return 0;
}

static int list_options(void)
{
	printf("--help --list-cmds --list-opts ");
	options__list(stdout, options);
	return 0;
}

/* What the options in front of the command ask for by themselves; -1: nothing. */
static int answer_options(void)
{
	if (globals.version)
		return print_version(globals.version > 1);
	if (globals.show_exec_path)
		return puts(exec_path__dir(NULL)) < 0;
	if (globals.show_html_path)
		return puts(install_dirs__doc()) < 0;
	return -1;
}

/* The other ones: what commands, and programs started by them, find in the environment. */
static void export_options(void)
{
	if (globals.exec_path && *globals.exec_path)
		setenv("PERF_EXEC_PATH", globals.exec_path, 1);
	if (globals.buildid_dir)
		setenv("PERF_BUILDID_DIR", globals.buildid_dir, 1);
	if (globals.debugfs_dir) {
		char *tracing = xasprintf("%s/tracing", globals.debugfs_dir);

		setenv("PERF_TRACEFS_DIR", access(tracing, F_OK) ? globals.debugfs_dir : tracing,
		       1);
		free(tracing);
	}
}

/* Run the command argv[0], or the program that stands in for it unless @builtin_only. */
static int dispatch(int argc, const char **argv, bool builtin_only)
{
	const struct command *command = find_command(argv[0]);
	struct error err = ERROR_INIT;

	if ((!command || !command->run) && !builtin_only) {
		fflush(NULL);
		if (exec_path__run(argv, &err) != -ENOENT) {
			diag__error(&err);
			return EXIT_ERROR;
		}
	}
	if (!command)
		return unknown_command(argv[0]);
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return help_about(command->name);
	return run_command(command, argc, argv);
}

/* Called perf-stat or trace: the name is the command. NULL: it is not (a copy, "perf-old"). */
static const char *command_of_name(const char *name)
{
	name = text__basename(name);
	if (text__starts_with(name, "perf-"))
		return find_command(name + 5) ? name + 5 : NULL;
	return strcmp(name, "trace") ? NULL : name;
}

int main(int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	int at, ret;

	file__hold_standard();
	file__outlive_limit();
	if (argc > 0 && command_of_name(argv[0])) {
		argv[0] = command_of_name(argv[0]);
		return dispatch(argc, argv, true);
	}
	if (argc > 1 && !strcmp(argv[1], "--complete"))
		return complete(argc - 2, argv + 2);
	switch (options__parse(argc, argv, options, 0, &at, &err)) {
	case OPTIONS_OK:
		break;
	case OPTIONS_LIST_CMDS:
		return flush_output(list_commands());
	case OPTIONS_LIST_OPTS:
		return flush_output(list_options());
	case OPTIONS_HELP:
		if (at < argc)
			return help_about(argv[at]);
		print_commands();
		return flush_output(0);
	default:
		return usage_error(&err);
	}
	export_options();
	ret = answer_options();
	if (ret < 0 && at < argc)
		return dispatch(argc - at, argv + at, false);
	if (ret < 0)
		print_commands();
	return ret < 0 ? 1 : flush_output(ret);
}
