// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/options.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/options/nearest.h"

static struct {
	bool all, no_aggr, group, summary, delay_set;
	int verbose;
	unsigned freq, delay;
	u64 period;
	const char *cpu, *separator, *regs;
	const char *cb_arg;
	bool cb_unset;
	int cb_calls;
} v;

static int parse_callback(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	(void)option;
	if (arg && !strcmp(arg, "bad"))
		return error__set(err, -EINVAL, "bad event", arg, NULL);
	v.cb_arg = arg;
	v.cb_unset = unset;
	v.cb_calls++;
	return 0;
}

static const struct option options[] = {
	OPT_BOOL('a', "all-cpus", &v.all, "every cpu"),
	OPT_BOOL('A', "no-aggr", &v.no_aggr, "each cpu alone"),
	OPT_BOOL('g', NULL, &v.group, "call graphs"),
	OPT_COUNT('v', "verbose", &v.verbose, "more words"),
	OPT_UINT('F', "freq", &v.freq, "hz", "samples a second"),
	OPT_U64('c', "count", &v.period, NULL, "events a sample"),
	OPT_STRING('C', "cpu", &v.cpu, "cpus", "these cpus"),
	OPT_STRING('x', "field-separator", &v.separator, NULL, "between fields"),
	OPT_STRING('I', "intr-regs", &v.regs, "regs", "registers", .flags = OPTION_OPTIONAL_ARG,
	           .fallback = "all"),
	OPT_GROUP("More:"),
	OPT_CALLBACK('e', "event", NULL, "event", "an event", parse_callback),
	OPT_CALLBACK('d', "detailed", NULL, NULL, "more events", parse_callback,
	             .flags = OPTION_NO_ARG),
	OPT_UINT('D', "delay", &v.delay, NULL, "wait", .was_set = &v.delay_set),
	OPT_BOOL(0, "summary", &v.summary, "sums", .flags = OPTION_NO_NEGATE),
	OPT_STRING(0, "separator-alias", &v.separator, NULL, NULL, .flags = OPTION_HIDDEN),
	{ OPTION_END },
};

#define MAX_ARGS 16
static const char *args[MAX_ARGS];
static int rest;
static struct error err;

/* Parse a command line given as words with single blanks between. */
static enum options_result run(const char *line, unsigned flags)
{
	static char copy[256];
	int argc = 0;

	memset(&v, 0, sizeof(v));
	err = (struct error)ERROR_INIT;
	snprintf(copy, sizeof(copy), "cmd %s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		args[argc++] = word;
	args[argc] = NULL;
	return options__parse(argc, args, options, flags, &rest, &err);
}

TEST(options_shorts_are_combined_and_glued)
{
	CHECK_EQ(run("-ag -F99 -C0-3 -x: true -v", 0), OPTIONS_OK);
	CHECK(v.all && v.group);
	CHECK_EQ(v.freq, 99);
	CHECK_STR(v.cpu, "0-3");
	CHECK_STR(v.separator, ":");
	CHECK_EQ(v.verbose, 0);
	CHECK_STR(args[rest], "true");

	CHECK_EQ(run("-agF 99 -vvv -v", 0), OPTIONS_OK);
	CHECK_EQ(v.freq, 99);
	CHECK_EQ(v.verbose, 4);
	CHECK(!args[rest]);
	CHECK_EQ(run("-vg", 0), OPTIONS_OK);
	CHECK(v.group && v.verbose == 1);
}

TEST(options_long_forms)
{
	CHECK_EQ(run("--freq=99 --count 0x10 --all-cpus -- -a", 0), OPTIONS_OK);
	CHECK_EQ(v.freq, 99);
	CHECK_EQ(v.period, 16);
	CHECK(v.all);
	CHECK_STR(args[rest], "-a");

	CHECK_EQ(run("--freq 099 --delay 0", 0), OPTIONS_OK); /* never octal */
	CHECK_EQ(v.freq, 99);
	CHECK(v.delay_set);
	CHECK_EQ(run("--cpu= -x -- -", 0), OPTIONS_OK);
	CHECK_STR(v.cpu, "");
	CHECK_STR(v.separator, "--");
	CHECK_STR(args[rest], "-");
}

TEST(options_no_forms)
{
	CHECK_EQ(run("-a --no-all-cpus -A --aggr -vv --no-verbose --cpu 1 --no-cpu", 0),
	         OPTIONS_OK);
	CHECK(!v.all && !v.no_aggr && !v.verbose && !v.cpu);
	CHECK_EQ(run("--no-aggr --no-event --no-freq", 0), OPTIONS_OK);
	CHECK(v.no_aggr && v.cb_unset && v.cb_calls == 1);
	CHECK_EQ(run("--no-summary", 0), OPTIONS_ERROR);
	CHECK_STR(err.cause, "it cannot be negated");
	CHECK_EQ(run("--no-all-cpus=3", 0), OPTIONS_ERROR);
	CHECK_STR(err.cause, "it takes no value");
}

TEST(options_abbreviations)
{
	CHECK_EQ(run("--all --det --no-al --agg --fr 5", 0), OPTIONS_OK);
	CHECK(!v.all && v.cb_calls == 1 && !v.no_aggr && v.freq == 5);
	CHECK_EQ(run("-a --de", 0), OPTIONS_ERROR);
	CHECK_STR(err.what, "ambiguous option");
	CHECK_STR(err.subject, "--de");
	CHECK_STR(err.cause, "could be --detailed or --delay");
	CHECK_STR(args[rest], "--de");
	CHECK_EQ(run("--no-de", 0), OPTIONS_ERROR);
	CHECK_STR(err.cause, "could be --no-detailed or --no-delay");
}

TEST(options_arguments_that_may_be_left_out)
{
	CHECK_EQ(run("-I true", 0), OPTIONS_OK);
	CHECK_STR(v.regs, "all");
	CHECK_STR(args[rest], "true");
	CHECK_EQ(run("-Iax --intr-regs=bx", 0), OPTIONS_OK);
	CHECK_STR(v.regs, "bx");
	CHECK_EQ(run("--intr-regs bx", 0), OPTIONS_OK);
	CHECK_STR(v.regs, "all");
	CHECK_EQ(run("-d true", 0), OPTIONS_OK);
	CHECK(!v.cb_arg && v.cb_calls == 1 && rest == 2);
}

TEST(options_mistakes)
{
	CHECK_EQ(run("--frek 5", 0), OPTIONS_ERROR);
	CHECK_STR(err.what, "unknown option");
	CHECK_STR(err.subject, "--frek");
	CHECK_STR(err.advice, "did you mean '--freq'?");
	CHECK_EQ(run("-aQ", 0), OPTIONS_ERROR);
	CHECK_STR(err.subject, "-Q");
	CHECK_STR(args[rest], "-aQ");
	CHECK_EQ(run("-a -F", 0), OPTIONS_ERROR);
	CHECK_STR(err.cause, "it needs a value");
	CHECK_EQ(run("-F x", 0), OPTIONS_ERROR);
	CHECK_STR(err.cause, "a number is needed, not 'x'");
	CHECK_STR(args[rest], "-F");
	CHECK_EQ(run("-F 4294967296", 0), OPTIONS_ERROR);
	CHECK_EQ(run("-F -1", 0), OPTIONS_ERROR);
	CHECK_EQ(run("-c 18446744073709551616", 0), OPTIONS_ERROR);
	CHECK_EQ(run("-e bad", 0), OPTIONS_ERROR);
	CHECK_STR(err.what, "bad event");
	CHECK_STR(args[rest], "-e");
	CHECK_EQ(run("--all-cpus=3", 0), OPTIONS_ERROR);
	CHECK_STR(err.cause, "it takes no value");
	CHECK_EQ(run("-F 4294967295", 0), OPTIONS_OK);
}

TEST(options_permute)
{
	CHECK_EQ(run("one -a two -F 9 three -- -v", OPTIONS_PERMUTE), OPTIONS_OK);
	CHECK(v.all && v.freq == 9 && v.verbose == 0);
	CHECK_STR(args[rest], "one");
	CHECK_STR(args[rest + 1], "two");
	CHECK_STR(args[rest + 2], "three");
	CHECK_STR(args[rest + 3], "-v");
	CHECK_EQ(rest, 5);
}

TEST(options_help_wins_where_it_stands)
{
	CHECK_EQ(run("-a -h", 0), OPTIONS_HELP);
	CHECK_EQ(run("-ah", 0), OPTIONS_HELP);
	CHECK_EQ(run("--help", 0), OPTIONS_HELP);
	CHECK_EQ(run("true -h", 0), OPTIONS_OK);
	CHECK_EQ(run("true -h", OPTIONS_PERMUTE), OPTIONS_HELP);
	CHECK_EQ(run("--bad -h", 0), OPTIONS_ERROR);
	CHECK_EQ(run("-a -h -F", 0), OPTIONS_HELP);
	CHECK_STR(args[rest], "-F");
}

static char *usage_text(const char *only, const char *second)
{
	static const char *const usage[] = { "perf x [<options>]", "perf x -- <command>", NULL };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	options__usage(to, usage, options, (const char *const[]){ only, second, NULL }, "");
	fclose(to);
	return text;
}

TEST(options_usage_is_sorted_and_complete)
{
	char *text = usage_text(NULL, NULL);

	CHECK_STR(text, "\n Usage: perf x [<options>]\n    or: perf x -- <command>\n\n"
	                "    -a, --all-cpus        every cpu\n"
	                "    -A, --no-aggr         each cpu alone\n"
	                "    -c, --count <n>       events a sample\n"
	                "    -C, --cpu <cpus>      these cpus\n"
	                "    -F, --freq <hz>       samples a second\n"
	                "    -g                    call graphs\n"
	                "    -I, --intr-regs[=<regs>]\n"
	                "                          registers\n"
	                "    -v, --verbose         more words\n"
	                "    -x, --field-separator <value>\n"
	                "                          between fields\n"
	                "\nMore:\n"
	                "    -D, --delay <n>       wait\n"
	                "    -d, --detailed        more events\n"
	                "    -e, --event <event>   an event\n"
	                "        --summary         sums\n\n");
	free(text);
}

TEST(options_usage_after_a_mistake)
{
	char *all = usage_text(NULL, NULL), *text = usage_text("--de", NULL);

	CHECK(strstr(text, "--delay") && strstr(text, "--detailed") && !strstr(text, "--cpu"));
	free(text);
	text = usage_text("--freq=x", NULL);
	CHECK(strstr(text, "--freq") && !strstr(text, "--count"));
	free(text);
	text = usage_text("-agF", NULL);
	CHECK(strstr(text, "--freq") && strstr(text, "--all-cpus") && !strstr(text, "--cpu "));
	free(text);
	text = usage_text("-aQ", NULL);
	CHECK_STR(text, all);
	free(text);
	free(all);
}

TEST(options_usage_about_words)
{
	char *all = usage_text(NULL, NULL), *text = usage_text("CPUS", "e");

	CHECK(strstr(text, "--all-cpus") && strstr(text, "--cpu <cpus>"));
	CHECK(strstr(text, "--event") && !strstr(text, "--count") && !strstr(text, "--delay"));
	free(text);
	text = usage_text("-ag", NULL); /* each letter */
	CHECK(strstr(text, "--all-cpus") && strstr(text, "-g   ") && !strstr(text, "--cpu"));
	free(text);
	text = usage_text("nothing like this", "");
	CHECK_STR(text, all);
	free(text);
	text = usage_text("--nothing", "-c"); /* what fits one word is enough */
	CHECK(strstr(text, "--count") && !strstr(text, "--event"));
	free(text);
	text = usage_text("alias", NULL); /* hidden ones stay hidden */
	CHECK_STR(text, all);
	free(text);
	free(all);
}

TEST(options_are_listed_for_completion)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	options__list(to, options);
	fclose(to);
	CHECK_STR(text, "--all-cpus --no-aggr --verbose --freq --count --cpu --field-separator "
	                "--intr-regs --event --detailed --delay --summary \n");
	free(text);
	CHECK_EQ(run("-a --list-opts --bad", 0), OPTIONS_LIST_OPTS);
	CHECK_EQ(run("--list-cmds", 0), OPTIONS_LIST_CMDS);
	CHECK_EQ(run("true --list-opts", 0), OPTIONS_OK);
	CHECK_EQ(run("--list-o", 0), OPTIONS_ERROR); /* not an option like others */
}

TEST(options_given_twice)
{
	CHECK_EQ(run("-F 1 --freq=2 -C 1 -C2 -a -a -d -d", 0), OPTIONS_OK);
	CHECK_EQ(v.freq, 2);
	CHECK_STR(v.cpu, "2");
	CHECK(v.all);
	CHECK_EQ(v.cb_calls, 2);
}

TEST(nearest_offers_the_best_first)
{
	struct nearest near;
	char text[100];

	nearest__init(&near, "recor");
	nearest__offer(&near, "report");
	nearest__offer(&near, "record");
	nearest__offer(&near, "timechart");
	CHECK_STR(near.names[0], "record");
	CHECK_STR(nearest__text(&near, "", text, sizeof(text)),
	          "did you mean 'record' or 'report'?");
	nearest__init(&near, "zzzzzz");
	nearest__offer(&near, "record");
	CHECK_STR(nearest__text(&near, "", text, sizeof(text)), "");
}
