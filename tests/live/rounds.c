// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a live profile costs, for gates and bench: rounds of a storm of processes, and snapshots.
 *
 *	live-rounds rounds NUMBER...	takes so many, and prints the CPU time of the last 200
 *					before each number, in us
 *	live-rounds snapshot ROWS	prints the CPU time of a snapshot of so many rows, in us
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/live_feed.h"
#include "util/lib/alloc.h"

#define MEASURED 200 /* rounds: two halvings of what is old among them */
#define REPEAT   50

static double cpu_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

void measured_rounds(struct live_feed *feed);
__attribute__((noinline)) void measured_rounds(struct live_feed *feed)
{
	live_feed__rounds(feed, MEASURED);
}

static int measure_rounds(char **numbers)
{
	static const struct storm storm = { .zero = false };
	struct live_feed feed;
	u32 done = 0;

	live_feed__init(&feed, &storm);
	for (; *numbers; numbers++) {
		u32 nr = strtoul(*numbers, NULL, 10);

		if (nr < done + MEASURED)
			return 1;
		live_feed__rounds(&feed, nr - MEASURED - done);
		done = nr;
		double before = cpu_us();

		measured_rounds(&feed);
		printf("%.1f\n", (cpu_us() - before) / MEASURED);
	}
	live_feed__exit(&feed);
	return 0;
}

/* Each row a place of its own in memory that nothing is mapped to. */
static void measure_snapshot(u32 rows)
{
	static const struct profile_options options = { .chains = false };
	struct strtab strings;
	struct dsos dsos;
	struct evsel evsel = { .attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID };
	struct sample_layout layout;
	struct profile profile = { .nr_rows = 0 };

	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	struct machine *machine = machine__new(&strings);

	machine__comm(machine, (struct moment){ 1, 1 }, 1, 1, strtab__add(&strings, "x"), true);
	machine__settle(machine);
	sample_layout__init(&layout, &evsel.attr);
	struct profile_builder *builder = profile_builder__new(&options, machine, &dsos, false);

	for (u32 i = 0; i < rows; i++) {
		struct sample sample = { .ip = 0x1000 + i * 16ull,
			                 .period = 1,
			                 .pid = 1,
			                 .tid = 1,
			                 .cpumode = PERF_RECORD_MISC_USER };

		profile_builder__add(builder, &evsel, &layout, &sample, (struct moment){ 2, 2 });
	}
	profile_builder__snapshot(builder, &profile);
	BUG_ON(profile.nr_rows != rows);
	double before = cpu_us();

	for (int i = 0; i < REPEAT; i++)
		profile_builder__snapshot(builder, &profile);
	printf("%.1f\n", (cpu_us() - before) / REPEAT);
	profile__exit(&profile);
	profile_builder__delete(builder);
	machine__delete(machine);
	dsos__exit(&dsos);
	strtab__exit(&strings);
}

int main(int argc, char **argv)
{
	u32 nr = argc >= 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (nr && !strcmp(argv[1], "rounds"))
		return measure_rounds(argv + 2);
	if (nr && argc == 3 && !strcmp(argv[1], "snapshot"))
		measure_snapshot(nr);
	else
		return 1;
	return 0;
}
