// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters that nothing can pass: they want a CPU that there is not, or what they compare is filled
 * in for other events only, so that it is always the same. Events of processors are not judged:
 * which of them have what differs.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "util/bpf_filter/evlist_filter.h"
#include "util/bpf_filter/filter_expression.h"

/* What the kernel gives as the source of data where nobody knows it: each part not available. */
#define PART(name)  ((u64)PERF_MEM_##name##_NA << PERF_MEM_##name##_SHIFT)
#define SOURCE_NONE (PART(OP) | PART(LVL) | PART(SNOOP) | PART(LOCK) | PART(TLB) | LEVEL_NONE)
#define LEVEL_NONE  ((u64)0xf << PERF_MEM_LVLNUM_SHIFT)

#define OF_MEMORY  "events of memory accesses have it: -e mem-loads:P, where perf list shows that"
#define OF_TX      "events of transactions have it: -e tx-abort:P, where perf list shows that"
#define OF_ADDRESS "page-faults have it, and breakpoints (-e mem:ADDRESS)"

struct lack {
	const char *what, *advice;
};

static bool has_addresses(const struct perf_event_attr *attr)
{
	switch (attr->type == PERF_TYPE_SOFTWARE ? attr->config : PERF_COUNT_SW_PAGE_FAULTS) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
	case PERF_COUNT_SW_CPU_MIGRATIONS:
	case PERF_COUNT_SW_CGROUP_SWITCHES:
		return false;
	}
	return true;
}

/* False: the events may have it. */
static bool lacks(const struct perf_event_attr *attr, u8 value, struct lack *lack)
{
	static const struct lack values[SAMPLE_NR_VALUES] = {
		[SAMPLE_ADDR] = { "address of data", OF_ADDRESS },
		[SAMPLE_PHYS_ADDR] = { "physical address", OF_ADDRESS },
		[SAMPLE_DATA_PAGE_SIZE] = { "page of data", OF_ADDRESS },
		[SAMPLE_TXN] = { "transaction", OF_TX },
		[SAMPLE_WEIGHT1] = { "weight", OF_MEMORY },
		[SAMPLE_WEIGHT2] = { "second weight", OF_MEMORY },
		[SAMPLE_WEIGHT3] = { "third weight", OF_MEMORY },
		[SAMPLE_DATA_SOURCE] = { "source of data", OF_MEMORY },
		[SAMPLE_SNOOP] = { "source of data", OF_MEMORY },
	};

	if (attr->type != PERF_TYPE_SOFTWARE && attr->type != PERF_TYPE_BREAKPOINT)
		return false;
	*lack = values[value];
	if (value == SAMPLE_ADDR || value == SAMPLE_PHYS_ADDR || value == SAMPLE_DATA_PAGE_SIZE)
		return !has_addresses(attr);
	return lack->what;
}

static bool holds(const struct sample_comparison *c, u64 value)
{
	value >>= c->shift;
	if (c->mask)
		value &= c->mask;
	switch (c->op) {
	case SAMPLE_EQUAL:
		return value == c->number;
	case SAMPLE_NOT_EQUAL:
		return value != c->number;
	case SAMPLE_GREATER:
		return value > c->number;
	case SAMPLE_GREATER_EQUAL:
		return value >= c->number;
	case SAMPLE_LESS:
		return value < c->number;
	case SAMPLE_LESS_EQUAL:
		return value <= c->number;
	}
	return value & c->number;
}

/* What an event has that lacks it. */
static u64 lacking(u8 value)
{
	return value == SAMPLE_DATA_SOURCE ? SOURCE_NONE
	       : value == SAMPLE_SNOOP     ? PERF_MEM_SNOOP_NA
	                                   : 0;
}

static bool holds_on_a_cpu(const struct sample_comparison *c, s32 last_cpu)
{
	for (s32 cpu = 0; cpu <= last_cpu; cpu++)
		if (holds(c, cpu))
			return true;
	return last_cpu < 0;
}

static bool no_cpu(const struct evsel *evsel, s32 last_cpu, const struct sample_comparison *c,
                   struct error *why)
{
	if (c->op == SAMPLE_EQUAL)
		error__set(why, -ENODATA, "no sample can pass the filter of", evsel->name,
		           "this machine has no CPU %llu", (unsigned long long)c->number);
	else
		error__set(why, -ENODATA, "no sample can pass the filter of", evsel->name,
		           "no CPU of this machine fits it");
	error__advise(why, last_cpu ? "its CPUs are 0 to %d" : "its only CPU is %d", last_cpu);
	return true;
}

bool evsel__filter_drops_all(const struct evsel *evsel, s32 last_cpu, struct error *why)
{
	const struct sample_comparison *cpu = NULL;
	struct filter_expression filter;
	struct lack lack, found = { NULL, NULL };
	bool may_hold = false; /* one of those that are joined by || */

	/* (The kernel's own of a tracepoint are like ours if all that they compare is the CPU.) */
	if (!evsel->filter || filter_expression__parse(&filter, evsel->filter, NULL))
		return false;
	for (u32 i = 0; i < filter.nr; i++) {
		const struct sample_comparison *c = &filter.comparisons[i];

		if (c->value == SAMPLE_CPU && !holds_on_a_cpu(c, last_cpu))
			cpu = c;
		else if (c->value == SAMPLE_CPU || evsel__is_tracepoint(evsel) ||
		         !lacks(&evsel->attr, c->value, &lack) || holds(c, lacking(c->value)))
			may_hold = true;
		else
			found = lack;
		if (!c->last)
			continue;
		if (!may_hold && cpu)
			return no_cpu(evsel, last_cpu, cpu, why);
		if (!may_hold) {
			error__set(why, -ENODATA, "no sample can pass the filter of", evsel->name,
			           "its samples have no %s", found.what);
			error__advise(why, "%s", found.advice);
			return true;
		}
		may_hold = false;
		cpu = NULL;
	}
	return false;
}
