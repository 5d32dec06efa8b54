// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/metric_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/counter/targets.h"
#include "util/event/cpu_id.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"
#include "util/stat/aggregate.h"

enum unit { UNIT_CORE, UNIT_DIE, UNIT_PACKAGE };

/* How many different cores, dies or packages the CPUs that are online have. */
static double count_units(const struct metric_facts *facts, enum unit unit)
{
	struct cpu_map online = CPU_MAP_INIT;
	struct u64map seen = U64MAP_INIT;
	u32 nr = 0;

	if (cpu_map__online(&online, NULL))
		online.nr = 0;
	for (u32 i = 0; i < online.nr; i++) {
		struct cpu_topology topology = cpu_topology__read(facts->sysfs, online.cpus[i]);
		u64 key = (u64)(u32)topology.socket << 40;
		u32 *slot;

		if (unit != UNIT_PACKAGE)
			key |= (u64)((u32)topology.die & 0xffff) << 24;
		if (unit == UNIT_CORE)
			key |= (u32)topology.core & 0xffffff;
		slot = u64map__at(&seen, key);
		nr += *slot == ID_NONE;
		*slot = 0;
	}
	u64map__exit(&seen);
	cpu_map__exit(&online);
	return nr ? nr : NAN;
}

static bool smt_is_on(const struct metric_facts *facts)
{
	char path[300];
	u64 active;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/smt/active", facts->sysfs);
	return !file__read_u64(path, &active) && active;
}

/* Of arm64: how many operations can begin in a cycle. */
static double slots(void)
{
	u64 number;

	return file__read_u64("/sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", &number)
	               ? NAN
	               : number;
}

/* The counter and the clock at one moment, as near as one can look at both. */
struct moment {
	u64 ticks;
	double ns;
};

static struct moment look(u64 (*clock)(void))
{
	struct moment best = { 0, 0 };
	u64 least = UINT64_MAX;

	for (int i = 0; i < 20; i++) {
		struct timespec time;
		u64 before = clock(), after;

		clock_gettime(CLOCK_MONOTONIC_RAW, &time);
		after = clock();
		if (after - before >= least)
			continue;
		least = after - before;
		best = (struct moment){ before + least / 2, 1e9 * time.tv_sec + time.tv_nsec };
	}
	return best;
}

/*
 * Of x86: ticks of the time stamp counter in a second. Neither all processors nor all hypervisors
 * tell it, so it is measured, in 5 ms: good for four digits.
 */
static double tsc_frequency(void)
{
	u64 (*clock)(void) = arch__here()->clock;
	struct moment first, last;

	if (!clock)
		return NAN;
	first = look(clock);
	nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	last = look(clock);
	return last.ns > first.ns ? (last.ticks - first.ticks) * 1e9 / (last.ns - first.ns) : NAN;
}

static double literal(void *ctx, const char *name)
{
	const struct metric_facts *facts = ctx;

	if (!strcmp(name, "smt_on"))
		return smt_is_on(facts);
	if (!strcmp(name, "core_wide"))
		return facts->system_wide || !smt_is_on(facts);
	if (!strcmp(name, "num_cpus"))
		return sysconf(_SC_NPROCESSORS_CONF);
	if (!strcmp(name, "num_cpus_online"))
		return sysconf(_SC_NPROCESSORS_ONLN);
	if (!strcmp(name, "num_cores"))
		return count_units(facts, UNIT_CORE);
	if (!strcmp(name, "num_dies"))
		return count_units(facts, UNIT_DIE);
	if (!strcmp(name, "num_packages"))
		return count_units(facts, UNIT_PACKAGE);
	if (!strcmp(name, "system_tsc_freq"))
		return tsc_frequency();
	return strcmp(name, "slots") ? NAN : slots();
}

static bool has_event(void *ctx, const char *event)
{
	const struct metric_facts *facts = ctx;
	struct evlist list = { .nr = 0 };
	bool has = !evlist__parse(&list, facts->sources, event, NULL);

	evlist__exit(&list);
	return has;
}

static bool is_cpu(void *ctx, const char *pattern)
{
	const struct metric_facts *facts = ctx;

	return cpu_id__fits(event_sources__table(facts->sources)->cpu, pattern);
}

struct formula_facts metric_facts__of(struct metric_facts *facts)
{
	return (struct formula_facts){ literal, has_event, is_cpu, facts };
}
