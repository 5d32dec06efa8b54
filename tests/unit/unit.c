// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runner of the unit tests: `unit-tests [--threads] [TEXT | -TEXT]...` runs those whose name
 * has one of the texts (all, when there is none) and none of those behind a minus; with --threads
 * only tests with threads. One that computes for a second or longer says how long: `make
 * check-fast` leaves those out.
 */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/temp_dir.h"
#include "util/lib/text.h"

#define MAX_TESTS 2000

static struct {
	const char *file, *name;
	bool threads;
	void (*fn)(void);
} tests[MAX_TESTS];
static unsigned nr_tests;

static bool failed;
static const char *skipped;
static char *tmpdir;

void unit__register(const char *file, const char *name, bool threads, void (*fn)(void))
{
	BUG_ON(nr_tests == MAX_TESTS);
	tests[nr_tests].file = file;
	tests[nr_tests].name = name;
	tests[nr_tests].threads = threads;
	tests[nr_tests++].fn = fn;
}

void unit__fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	failed = true;
	printf("  %s:%d: ", file, line);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

bool unit__has_failed(void)
{
	return failed;
}

void unit__skip(const char *reason)
{
	skipped = reason;
}

const char *unit__tmpdir(void)
{
	if (!tmpdir)
		tmpdir = temp_dir__make("perf-unit", NULL);
	BUG_ON(!tmpdir);
	return tmpdir;
}

/* Threads that our code started in the running test, in processes that it forked, too. */
static unsigned *nr_threads;

/* What all calls of pthread_create lead to (ld --wrap). */
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg)
{
	if (nr_threads)
		__atomic_add_fetch(nr_threads, 1, __ATOMIC_RELAXED);
	return __real_pthread_create(thread, attr, fn, arg);
}

static void run(unsigned i)
{
	failed = false;
	skipped = NULL;
	__atomic_store_n(nr_threads, 0, __ATOMIC_RELAXED);
	tests[i].fn();
	if (!tests[i].threads && __atomic_load_n(nr_threads, __ATOMIC_RELAXED))
		unit__fail(tests[i].file, 0, "it starts threads: make it a TEST_WITH_THREADS");
	temp_dir__remove(tmpdir);
	tmpdir = NULL;
}

static bool wanted(unsigned test, int argc, char **argv)
{
	const char *name = tests[test].name;
	bool any = false, found = false;

	for (int i = 1; i < argc; i++) {
		bool minus = argv[i][0] == '-', has = strstr(name, argv[i] + minus);

		if (!strcmp(argv[i], "--threads")) {
			if (!tests[test].threads)
				return false;
			continue;
		}
		if (minus && has)
			return false;
		any |= !minus;
		found |= !minus && has;
	}
	return found || !any;
}

/* What this process and its children spent on computing, in seconds. */
static double spent(void)
{
	struct timespec mine;
	struct rusage children;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mine) || getrusage(RUSAGE_CHILDREN, &children))
		return 0;
	return (double)mine.tv_sec + (double)mine.tv_nsec / 1e9 + (double)children.ru_utime.tv_sec +
	       (double)children.ru_utime.tv_usec / 1e6 + (double)children.ru_stime.tv_sec +
	       (double)children.ru_stime.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	unsigned nr[3] = { 0 };
	enum { PASS, FAIL, SKIP };

	setvbuf(stdout, NULL, _IOLBF, 0);
	nr_threads = mmap(NULL, sizeof(*nr_threads), PROT_READ | PROT_WRITE,
	                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	BUG_ON(nr_threads == MAP_FAILED);
	for (unsigned i = 0; i < nr_tests; i++) {
		if (!wanted(i, argc, argv))
			continue;
		double before = spent();
		run(i);
		double seconds = spent() - before;
		int result = failed ? FAIL : skipped ? SKIP : PASS;

		nr[result]++;
		printf("%s %s/%s%s%s", (const char *[]){ "ok  ", "FAIL", "skip" }[result],
		       text__basename(tests[i].file), tests[i].name, result == SKIP ? ": " : "",
		       result == SKIP ? skipped : "");
		printf(seconds >= 1 ? " (%.1f s)\n" : "\n", seconds);
	}
	printf("%u passed, %u failed, %u skipped\n", nr[PASS], nr[FAIL], nr[SKIP]);
	return nr[FAIL] != 0;
}
