// SPDX-License-Identifier: GPL-2.0-or-later
#include "selftest/programs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "selftest/workloads/workloads.h"
#include "util/lib/text.h"

#define MOST_SECONDS 86400

volatile sig_atomic_t program_done;

static const struct program table[] = {
	{ "noploop", noploop, "[sec]" },
	{ "thloop", thloop, "[sec] [threads]" },
	{ "leafloop", leafloop, "[sec]" },
	{ "sqrtloop", sqrtloop, "[sec]" },
	{ "brstack", brstack, "[n]" },
	{ "datasym", datasym, "[sec]" },
	{ "inlineloop", inlineloop, "[sec]" },
	{ "landlock", landlock, "" },
	{ "traploop", traploop, "[n]" },
	{ "context_switch_loop", context_switch_loop, "[n]" },
};

const struct program *programs(u32 *nr)
{
	*nr = ARRAY_SIZE(table);
	return table;
}

const struct program *program__find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

static int too_many(int argc, const char **argv, int most, struct error *err)
{
	if (argc <= most)
		return 0;
	return error__set(err, -EINVAL, "too many arguments for the workload:", argv[most], "%s",
	                  "");
}

int program__seconds(int argc, const char **argv, int most, double *seconds, struct error *err)
{
	char *end;
	double value;

	if (too_many(argc, argv, most, err))
		return -EINVAL;
	if (!argc)
		return 0;
	value = strtod(argv[0], &end);
	if (end == argv[0] || *end || !isfinite(value) || value <= 0 || value > MOST_SECONDS)
		return error__set(err, -EINVAL, "cannot run a workload for", argv[0],
		                  "seconds are a number above 0 and up to %d", MOST_SECONDS);
	*seconds = value;
	return 0;
}

int program__count(int argc, const char **argv, int i, int most, u32 *count, struct error *err)
{
	u64 value;

	if (too_many(argc, argv, most, err))
		return -EINVAL;
	if (argc <= i)
		return 0;
	if (text__parse_u64(argv[i], &value) || !value || value > UINT32_MAX)
		return error__set(err, -EINVAL, "cannot run a workload with", argv[i],
		                  "this is no number from 1 to %u", UINT32_MAX);
	*count = value;
	return 0;
}

static double wanted_cpu; /* seconds */

/* Not before half of it was CPU time, or a profile of a busy machine would show the start alone. */
static void on_alarm(int signal)
{
	struct timespec used;

	(void)signal;
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) ||
	    used.tv_sec + used.tv_nsec / 1e9 >= wanted_cpu)
		program_done = 1;
}

void program__start_clock(double seconds)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value = { .tv_sec = seconds },
		                   .it_interval = { .tv_usec = 10000 } };

	timer.it_value.tv_usec = (seconds - timer.it_value.tv_sec) * 1e6;
	if (!timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1; /* 0 would stop the timer */
	program_done = 0;
	wanted_cpu = seconds / 2;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}
