// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf stat --compare: run commands in turns, in a new random order in each round, so that
 * disturbances of the machine affect them alike.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin-stat.h"
#include "ui/term/diag.h"
#include "ui/text/comparison_text.h"
#include "util/lib/alloc.h"
#include "util/lib/words.h"
#include "util/stat/wait.h"

/* Without -r and --precision: what finds 2 % where single runs vary by 3 %. */
#define PRECISION_DEFAULT 0.01
#define ROUNDS_DEFAULT    100  /* at most */
#define ROUNDS_PRECISION  1000 /* with --precision: at most */

struct compare {
	struct stat_command *stat;
	u32 nr; /* commands */
	struct words words[COMPARE_MAX];
	const char **argv[COMPARE_MAX];
	char *texts[COMPARE_MAX];
	u32 nr_failed[COMPARE_MAX];
	int status[COMPARE_MAX]; /* of the last run that failed */
	struct comparison comparison;
	u64 random;
};

bool stat_compare__wanted(const struct stat_command *stat)
{
	return stat->compare || stat->nr_commands;
}

static char *joined(const char **argv)
{
	char *text = xstrdup(argv[0]);

	for (argv++; *argv; argv++) {
		char *longer = xasprintf("%s %s", text, *argv);

		free(text);
		text = longer;
	}
	return text;
}

static void compare__exit(struct compare *c)
{
	for (u32 i = 0; i < c->nr; i++) {
		words__exit(&c->words[i]);
		free(c->texts[i]);
	}
	comparison__exit(&c->comparison);
}

static int add_text(struct compare *c, const char *text, struct error *err)
{
	int ret = words__split(&c->words[c->nr], text, err);

	if (ret)
		return ret;
	c->argv[c->nr] = (const char **)c->words[c->nr].words;
	c->texts[c->nr++] = xstrdup(text);
	return 0;
}

static int compare__init(struct compare *c, struct stat_command *stat, struct error *err)
{
	int ret = stat->compare ? add_text(c, stat->compare, err) : 0;

	for (u32 i = 0; !ret && i < stat->nr_commands; i++)
		ret = add_text(c, stat->commands[i], err);
	if (!ret && stat->compare) {
		c->argv[c->nr] = stat->measurement.argv;
		c->texts[c->nr++] = joined(stat->measurement.argv);
	}
	return ret;
}

/* The command lines are looked at before anything runs; the rest of perf stat knows the first. */
int stat_compare__prepare(struct stat_command *stat)
{
	struct compare c = { .stat = stat };
	struct error err = ERROR_INIT;
	int ret = compare__init(&c, stat, &err);

	compare__exit(&c);
	if (ret) {
		diag__error(&err);
		return EXIT_USAGE;
	}
	if (!stat->measurement.argv) /* replaced before each run */
		stat->measurement.argv = (const char **)stat->commands;
	if (!stat->has_nr_runs) {
		stat->nr_runs = stat->precision ? ROUNDS_PRECISION : ROUNDS_DEFAULT;
		stat->precision = stat->precision ? stat->precision : PRECISION_DEFAULT;
	}
	return 0;
}

static int run_command(struct compare *c, u32 command)
{
	struct stat_command *stat = c->stat;
	struct measurement *m = &stat->measurement;
	int status;

	measurement__reset(m);
	m->argv = c->argv[command];
	status = stat__run_once(stat);
	if (status)
		return status;
	comparison__add(&c->comparison, command, 0, m->wall.mean);
	for (u32 e = 0; e < stat->list.nr; e++) {
		struct counts run = stat__count_of_run(stat, e);

		comparison__add(&c->comparison, command, e + 1, run.running ? run.value : NAN);
	}
	if (m->workload.status) {
		c->nr_failed[command]++;
		c->status[command] = m->workload.status;
	}
	return 0;
}

/* Each command once. */
static int run_round(struct compare *c)
{
	u32 order[COMPARE_MAX];

	for (u32 i = 0; i < c->nr; i++) {
		u32 other = random__below(&c->random, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (u32 i = 0; i < c->nr && !c->stat->measurement.signal; i++) {
		int status = run_command(c, order[i]);

		if (status)
			return status;
	}
	if (!c->stat->measurement.signal)
		comparison__end_round(&c->comparison);
	return 0;
}

/* The time, or the event that was asked for first. */
static u32 headline(const struct stat_command *stat)
{
	return stat->last_first_set && stat->list.nr ? 1 : 0;
}

#define NARROWER_ENOUGH 3

/*
 * How many times the interval of the first default event, the CPU time, is narrower than that of
 * the elapsed time; 0: not enough to be judged by.
 */
static double times_narrower(const struct compare *c)
{
	double times;

	if (c->stat->last_first_set || !c->stat->list.nr ||
	    !evsel__is_clock(c->stat->list.evsels[0]))
		return 0;
	times = comparison__times_narrower(&c->comparison, 1, 0);
	return times >= NARROWER_ENOUGH ? times : 0;
}

static void print(const struct compare *c)
{
	double narrower = times_narrower(c);
	struct stat_command *stat = c->stat;
	struct comparison_figure *figures = xcalloc(stat->list.nr + 1, sizeof(*figures));
	const struct comparison_text text = { .comparison = &c->comparison,
		                              .commands = (const char *const *)c->texts,
		                              .figures = figures,
		                              .headline = narrower ? 1 : headline(stat),
		                              .narrower = narrower,
		                              .separator = stat->separator };

	figures[0] = (struct comparison_figure){ "time elapsed", "s", 1e-9, 6, true, true };
	for (u32 e = 0; e < stat->list.nr; e++) {
		const struct evsel *evsel = stat->list.evsels[e];

		figures[e + 1] = (struct comparison_figure){
			.name = evsel->name,
			.unit = evsel->unit,
			.scale = evsel->scale,
			.decimals = evsel->scale == 1.0 ? 0 : 2,
			.is_time = evsel__is_clock(evsel) || evsel->tool,
			.supported = stat->measurement.counts.groups[0].events[e].supported,
		};
	}
	fflush(stdout);
	if (stat->json)
		comparison_text__json(&text, &stat->out);
	else if (stat->separator)
		comparison_text__csv(&text, &stat->out);
	else
		comparison_text__table(&text, &stat->out);
	out__flush(&stat->out);
	free(figures);
}

/* Commands that fail early are compared in failing. The exit status: of the first that did. */
static int say_failures(const struct compare *c)
{
	int status = 0;

	for (u32 i = 0; i < c->nr; i++) {
		if (!c->nr_failed[i])
			continue;
		if (WIFEXITED(c->status[i]))
			diag__say_warning("%c failed in %u runs, with exit status %d", 'A' + i,
			                  c->nr_failed[i], WEXITSTATUS(c->status[i]));
		else
			diag__say_warning("%c died in %u runs: %s", 'A' + i, c->nr_failed[i],
			                  strsignal(WTERMSIG(c->status[i])));
		if (!status && WIFEXITED(c->status[i]))
			status = WEXITSTATUS(c->status[i]);
	}
	return status;
}

int stat_compare__run(struct stat_command *stat)
{
	struct compare c = { .stat = stat, .random = now_ns() ^ (u64)getpid() << 32 };
	struct error err = ERROR_INIT;
	int status = compare__init(&c, stat, &err) ? EXIT_USAGE : 0;

	comparison__init(&c.comparison, c.nr, stat->list.nr + 1);
	for (u32 i = 0; i < stat->nr_runs && !status && !stat->measurement.signal; i++) {
		status = run_round(&c);
		stat->measurement.mute = !stat->verbose; /* what they write is shown once */
		if (!status && stat->precision &&
		    comparison__may_stop(&c.comparison, headline(stat), stat->precision))
			break;
	}
	if (!status) {
		comparison__drop_warm_up(&c.comparison, headline(stat));
		if (!stat->quiet)
			print(&c);
		status = say_failures(&c);
	}
	compare__exit(&c);
	return status;
}
