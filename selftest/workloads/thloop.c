// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thloop [sec] [threads]: threads (2) that all run test_loop(): the main one, and others that come
 * to it by thfunc(). For -t, --sort tid and inherited counters.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"
#include "util/lib/alloc.h"

#define MOST_THREADS 4096

static void test_loop(void)
{
	while (!program_done)
		;
}

static void *thfunc(void *arg)
{
	test_loop();
	return arg;
}

int thloop(int argc, const char **argv, struct error *err)
{
	double seconds = 1;
	u32 nr = 2, nr_started = 0;
	pthread_t *threads;
	int code = 0;

	if (program__seconds(argc, argv, 2, &seconds, err) ||
	    program__count(argc, argv, 1, 2, &nr, err))
		return err->code;
	if (nr > MOST_THREADS)
		return error__set(err, -EINVAL, "cannot run a workload with", argv[1],
		                  "it may have %d threads", MOST_THREADS);
	threads = xcalloc(nr, sizeof(*threads));
	program__start_clock(seconds);
	while (!code && nr_started + 1 < nr) {
		code = pthread_create(&threads[nr_started], NULL, thfunc, NULL);
		nr_started += !code;
	}
	if (code)
		program_done = 1;
	test_loop();
	for (u32 i = 0; i < nr_started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return code ? error__set(err, -code, "cannot start a thread", NULL, NULL) : 0;
}
