// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <pthread.h>
#include <sys/resource.h>

#include "util/lib/deep_stack.h"

struct seen {
	pthread_t thread;
	size_t size;
	char used;
};

#ifdef __SANITIZE_THREAD__
#define MUCH 1024 /* TSan has taken nearly all of the stack */
#else
#define MUCH (DEEP_STACK_SIZE * 3 / 4)
#endif

/* Uses more than a small stack has. */
static void look(void *ctx)
{
	volatile char much[MUCH];
	struct seen *seen = ctx;
	pthread_attr_t attr;

	much[0] = 1;
	seen->used = much[0];
	seen->thread = pthread_self();
	if (!pthread_getattr_np(pthread_self(), &attr)) {
		pthread_attr_getstacksize(&attr, &seen->size);
		pthread_attr_destroy(&attr);
	}
}

TEST_WITH_THREADS(deep_stack_is_made_where_there_is_little)
{
	struct rlimit old, small;
	struct seen seen = { .size = 0 };

	CHECK(!getrlimit(RLIMIT_STACK, &old));
	small = old;
	small.rlim_cur = min_u64(160 << 10, old.rlim_max);
	CHECK(!setrlimit(RLIMIT_STACK, &small));
	bool called = deep_stack__run(look, &seen);

	CHECK(!setrlimit(RLIMIT_STACK, &old));
	CHECK(called && !pthread_equal(seen.thread, pthread_self()));
	CHECK(seen.size >= DEEP_STACK_SIZE);
}

TEST(deep_stack_is_the_callers_where_there_is_enough)
{
	struct rlimit limit;
	struct seen seen = { .size = 0 };

	CHECK(!getrlimit(RLIMIT_STACK, &limit));
	if (limit.rlim_cur < DEEP_STACK_LIMIT) {
		unit__skip("a small stack");
		return;
	}
	CHECK(deep_stack__run(look, &seen));
	CHECK(pthread_equal(seen.thread, pthread_self()));
}
