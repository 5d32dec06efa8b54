// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/deep_stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include "util/lib/workers.h"

struct call {
	void (*fn)(void *ctx);
	void *ctx;
};

static void *thread_main(void *arg)
{
	struct call *call = arg;

	call->fn(call->ctx);
	return NULL;
}

static bool start(pthread_t *thread, struct call *call)
{
	pthread_attr_t attr;

	if (pthread_attr_init(&attr))
		return false;
	bool started = !pthread_attr_setstacksize(&attr, DEEP_STACK_SIZE) &&
	               !workers__start(thread, &attr, thread_main, call);

	pthread_attr_destroy(&attr);
	return started;
}

bool deep_stack__run(void (*fn)(void *ctx), void *ctx)
{
	struct call call = { fn, ctx };
	struct rlimit limit;
	pthread_t thread;

	if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= DEEP_STACK_LIMIT) {
		fn(ctx);
		return true;
	}
	return start(&thread, &call) && !pthread_join(thread, NULL);
}
