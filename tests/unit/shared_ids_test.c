// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/shared_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "tests/unit/unit.h"
#include "util/counter/id_check.h"

static struct evsel *add(struct evlist *list, u64 config, const char *name)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		                        .config = config,
		                        .sample_period = 1 };

	attr.exclude_kernel = strstr(name, ":u") != NULL;
	attr.exclude_user = strstr(name, ":k") != NULL;
	return evlist__add(list, &attr, name);
}

/* All that is found, with a blank between the kinds; @list is emptied. */
static void check(struct evlist *list, const u64 *samples, const char *want, int line)
{
	char found[256] = "", *names;
	u32 from = 0;

	while ((names = shared_ids__next(list, samples, &from))) {
		strncat(found, found[0] ? "; " : "", sizeof(found) - strlen(found) - 1);
		strncat(found, names, sizeof(found) - strlen(found) - 1);
		free(names);
	}
	if (strcmp(found, want))
		unit__fail(__FILE__, line, "\"%s\" is not \"%s\"", found, want);
	evlist__exit(list);
}

TEST(shared_ids_of_events_that_see_the_same_fault)
{
	struct evlist list = { .nr = 0 };

	add(&list, PERF_COUNT_SW_PAGE_FAULTS, "page-faults");
	add(&list, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	add(&list, PERF_COUNT_SW_CONTEXT_SWITCHES, "cs");
	add(&list, PERF_COUNT_SW_CONTEXT_SWITCHES, "cs:k");
	add(&list, PERF_COUNT_SW_PAGE_FAULTS, "faults:u");
	add(&list, PERF_COUNT_SW_PAGE_FAULTS, "page-faults:u")->attr.sample_period = 1000;
	check(&list, NULL, "'page-faults', 'faults:u' and 'page-faults:u'; 'cs' and 'cs:k'",
	      __LINE__);
}

TEST(shared_ids_not_of_events_that_are_right)
{
	struct evlist list = { .nr = 0 };

	add(&list, PERF_COUNT_SW_PAGE_FAULTS, "page-faults:u");
	add(&list, PERF_COUNT_SW_PAGE_FAULTS, "page-faults:k");
	add(&list, PERF_COUNT_SW_PAGE_FAULTS_MIN, "minor-faults");
	add(&list, PERF_COUNT_SW_CONTEXT_SWITCHES, "cs");
	add(&list, PERF_COUNT_SW_CONTEXT_SWITCHES, "cs:u"); /* has none */
	for (u32 i = 0; i < 2; i++) {
		add(&list, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
		add(&list, PERF_COUNT_SW_TASK_CLOCK, "task-clock");
		add(&list, PERF_COUNT_SW_DUMMY, "dummy");
		add(&list, PERF_COUNT_SW_BPF_OUTPUT, "bpf-output");
		add(&list, PERF_COUNT_SW_PAGE_FAULTS, "tracepoint")->attr.type =
		        PERF_TYPE_TRACEPOINT;
		add(&list, PERF_COUNT_SW_PAGE_FAULTS, "counts only")->attr.sample_period = 0;
	}
	check(&list, NULL, "", __LINE__);
}

TEST(shared_ids_of_cgroups_only_when_one_is_in_the_other)
{
	static const struct {
		const char *one, *other;
		bool meet;
	} rows[] = {
		{ "a", "b", false },   { "a", "ab", false },    { "a", "a/b", true },
		{ "a/b", "a/", true }, { "/", "system", true }, { NULL, "a", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct evlist list = { .nr = 0 };

		evsel__set_text(&add(&list, PERF_COUNT_SW_PAGE_FAULTS, "one")->cgroup, rows[i].one);
		evsel__set_text(&add(&list, PERF_COUNT_SW_PAGE_FAULTS, "two")->cgroup,
		                rows[i].other);
		list.evsels[0]->cgroup_fd = list.evsels[1]->cgroup_fd = -1;
		check(&list, NULL, rows[i].meet ? "'one' and 'two'" : "", __LINE__);
	}
}

TEST(shared_ids_need_two_samples)
{
	struct evlist list = { .nr = 0 };

	for (u64 nr = 0; nr < 3; nr++) {
		add(&list, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
		add(&list, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "one");
		add(&list, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "two");
		check(&list, (u64[]){ 100, 0, nr }, nr < 2 ? "" : "'one' and 'two'", __LINE__);
	}
}

TEST(shared_ids_are_of_newer_kernels)
{
	CHECK(shared_ids__are_of("6.2.0"));
	CHECK(shared_ids__are_of("6.18.44-fc-v657"));
	CHECK(shared_ids__are_of("7.0-rc1"));
	CHECK(!shared_ids__are_of("6.1.170+"));
	CHECK(!shared_ids__are_of("5.15"));
	CHECK(!shared_ids__are_of("none"));
}

TEST(shared_ids_of_this_kernel_are_seen_by_a_deed)
{
	int shared = id_check__are_shared();
	unsigned major = 0, minor = 0;
	struct utsname kernel;

	if (shared < 0)
		unit__skip("no page faults of this process can be sampled");
	uname(&kernel);
	sscanf(kernel.release, "%u.%u", &major, &minor);
	CHECK(shared == 0 || shared == 1);
	if (major < 6 || (major == 6 && minor <= 18)) /* a newer one may be mended */
		CHECK_EQ(shared, shared_ids__are_of(kernel.release));
}
