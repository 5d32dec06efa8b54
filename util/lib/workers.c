// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/workers.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "util/lib/text.h"

struct worker {
	pthread_t thread;
	bool started;
	unsigned index;
	void (*fn)(void *ctx, unsigned worker);
	void *ctx;
};

unsigned workers__default(void)
{
	const char *env = getenv("PERF_WORKERS");
	cpu_set_t set;
	u64 nr = 0;

	if (!env || text__parse_u64(env, &nr) || nr < 1 || nr > WORKERS_MAX) {
		CPU_ZERO(&set);
		nr = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
	}
	return nr < 1 ? 1 : nr > WORKERS_MAX ? WORKERS_MAX : nr;
}

static void *thread_main(void *arg)
{
	struct worker *w = arg;

	w->fn(w->ctx, w->index);
	return NULL;
}

int workers__start(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *ctx),
                   void *ctx)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int ret = pthread_create(thread, attr, run, ctx);

	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

void workers__run(unsigned nr, void (*fn)(void *ctx, unsigned worker), void *ctx)
{
	struct worker workers[WORKERS_MAX];

	BUG_ON(nr < 1 || nr > WORKERS_MAX);
	for (unsigned i = 1; i < nr; i++) {
		workers[i] = (struct worker){ .index = i, .fn = fn, .ctx = ctx };
		workers[i].started =
		        !workers__start(&workers[i].thread, NULL, thread_main, &workers[i]);
	}
	fn(ctx, 0);
	for (unsigned i = 1; i < nr; i++) {
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
		else
			fn(ctx, i);
	}
}

void workers__unblock_sigpipe(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
