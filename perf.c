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
#include "ui/complete.h"
#include "ui/diag.h"
#include "util/lib/nearest.h"
#include "util/lib/text.h"

struct command {
	const char *name;
	int (*run)(int argc, const char **argv); /* NULL: known, but not built yet */
	const char *help;
};

static int cmd_help(int argc, const char **argv);
static int cmd_version(int argc, const char **argv);

/* In the order of `perf help`. */
static const struct command commands[] = {
	{ "annotate", NULL,
	  "Show which instructions and source lines of a function cost the time" },
	{ "archive", NULL, "Pack the binaries that a perf.data names, to take them elsewhere" },
	{ "bench", NULL, "Run small benchmarks of the kernel and of libraries" },
	{ "buildid-cache", NULL, "Look after the cache of binaries by build-id" },
	{ "buildid-list", cmd_buildid_list, "List the build-ids in a perf.data file" },
	{ "c2c", NULL, "Find cache lines that CPUs fight over (false sharing)" },
	{ "check", NULL, "Tell whether a feature is built in" },
	{ "config", NULL, "Read and set the variables of the configuration file" },
	{ "daemon", NULL, "Keep record sessions running in the background" },
	{ "data", NULL, "Convert perf.data files to other formats" },
	{ "diff", NULL, "Compare the profiles of two or more perf.data files" },
	{ "doctor", NULL, "Tell what this machine allows and how to change it" },
	{ "evlist", cmd_evlist, "List the events in a perf.data file" },
	{ "ftrace", NULL, "Trace kernel functions with the kernel's own tracer" },
	{ "help", cmd_help, "Explain perf or one of its commands" },
	{ "inject", NULL, "Add or change information in a stream of events" },
	{ "iostat", NULL, "Show how fast PCI devices read and write memory" },
	{ "kallsyms", NULL, "Look up symbols of the running kernel" },
	{ "kmem", NULL, "Trace and sum up what the kernel's allocators do" },
	{ "kvm", NULL, "Trace and measure guests of KVM" },
	{ "kwork", NULL, "Trace and measure interrupts, softirqs and workqueues" },
	{ "list", NULL, "List the events that can be counted and sampled" },
	{ "lock", NULL, "Analyze waiting for locks" },
	{ "mem", NULL, "Profile memory accesses" },
	{ "probe", NULL, "Define new tracepoints in the kernel and in programs" },
	{ "record", cmd_record, "Run a command and record its profile into perf.data" },
	{ "report", cmd_report, "Read perf.data and show the profile" },
	{ "sched", NULL, "Trace and measure the scheduler (latencies, time lines)" },
	{ "script", cmd_script, "Read perf.data and print each event, or feed it to a script" },
	{ "stat", cmd_stat, "Run a command and count its events" },
	{ "test", NULL, "Check that perf works on this machine" },
	{ "timechart", NULL, "Draw what the whole system did during a workload" },
	{ "top", NULL, "Show a live profile of the system" },
	{ "trace", NULL, "Trace system calls and other events live, like strace but cheaper" },
	{ "version", cmd_version, "Print the version of perf" },
};

static const char usage_line[] = "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]";

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
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		printf("   %-15s %s\n", commands[i].name, commands[i].help);
	printf("\n See 'perf help COMMAND' for more information on a specific command.\n\n");
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

/* The words of an unfinished command line, for a shell: ui/complete.h. */
static int complete(int nr, const char **words)
{
	static const char *const options[] = { "--version", "--help", "--no-pager" };
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
		for (size_t i = 0; i < ARRAY_SIZE(options); i++)
			complete__offer(&completion, options[i], NULL);
	} else if (at == nr - 1 || (command && command->run == cmd_help)) {
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

static int run_command(const struct command *command, int argc, const char **argv)
{
	int ret;

	if (!command->run) {
		fprintf(stderr, "perf %s: %s\n  this command is not built yet\n", command->name,
		        command->help);
		return 1;
	}
	ret = command->run(argc, argv);
	/* A full disk or a closed pipe shows here at the latest. */
	if (fflush(stdout) && !ret && errno != EPIPE) {
		diag__say_error("cannot write the output: %s", strerror(errno));
		return 1;
	}
	return ret;
}

static int print_version(void)
{
	static const char text[] = "perf version " PERF_VERSION "\n";

	return write(STDOUT_FILENO, text, sizeof(text) - 1) == sizeof(text) - 1 ? 0 : 1;
}

static const struct option version_options[] = { { OPTION_END } };
static const char *const version_usage[] = { "perf version", NULL };

static int cmd_version(int argc, const char **argv)
{
	int rest, ret = diag__parse(argc, argv, version_usage, version_options, 0, &rest);

	if (ret)
		return ret;
	if (rest < argc)
		return diag__usage(NULL, version_usage, version_options, NULL);
	return print_version();
}

/* The manual page if it was installed with this perf; does not return if it can be shown. */
static void show_manual(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/man1/perf-%s.1", PERF_MAN_DIR, name);
	if (access(path, R_OK))
		return;
	fflush(stdout);
	execlp("man", "man", path, (char *)NULL);
}

/* What perf says about a command: its manual page, else the text of its -h. Never a failure. */
static int help_about(const char *name)
{
	const struct command *command = find_command(name);

	if (!command)
		return unknown_command(name);
	show_manual(name);
	printf("\n perf %s: %s\n", command->name, command->help);
	if (!command->run) {
		printf("\n This command is not built yet.\n\n");
		return 0;
	}
	fflush(stdout);
	dup2(STDOUT_FILENO, STDERR_FILENO); /* asked for: it is the output of this command */
	command->run(2, (const char *[]){ command->name, "-h", NULL });
	return 0;
}

static const struct option help_options[] = { { OPTION_END } };
static const char *const help_usage[] = { "perf help [<command>]", NULL };

static int cmd_help(int argc, const char **argv)
{
	int rest, ret = diag__parse(argc, argv, help_usage, help_options, 0, &rest);

	if (ret)
		return ret;
	if (rest < argc)
		return help_about(argv[rest]);
	print_commands();
	return 0;
}

/*
 * The options in front of the command. Returns the index of the command (argc if there is none),
 * or a negative exit status minus one when perf is done.
 */
static int global_options(int argc, const char **argv)
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		const char *word = argv[i];

		if (!strcmp(word, "--version") || !strcmp(word, "-v"))
			return -1 - print_version();
		if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			if (i + 1 < argc)
				return -1 - help_about(argv[i + 1]);
			print_commands();
			return -1;
		}
		if (!strcmp(word, "--complete"))
			return -1 - complete(argc - i - 1, argv + i + 1);
		if (!strcmp(word, "--no-pager"))
			continue; /* there is no pager to turn off */
		char shown[64];

		text__printable(shown, sizeof(shown), word);
		fprintf(stderr, "Unknown option: %s\n\n Usage: %s\n", shown, usage_line);
		return -1 - EXIT_USAGE;
	}
	return i;
}

int main(int argc, const char **argv)
{
	int at = global_options(argc, argv);

	if (at < 0) {
		fflush(stdout);
		return -1 - at;
	}
	if (at >= argc) {
		print_commands();
		return 1;
	}
	const struct command *command = find_command(argv[at]);

	if (!command)
		return unknown_command(argv[at]);
	if (at + 1 < argc && !strcmp(argv[at + 1], "--help"))
		return help_about(command->name);
	return run_command(command, argc - at, argv + at);
}
