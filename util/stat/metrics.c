// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/metrics.h"

#define CACHE(kind, result)                                                                        \
	(PERF_COUNT_HW_CACHE_##kind | PERF_COUNT_HW_CACHE_OP_READ << 8 |                           \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

struct run {
	const struct stat_event *events;
	u32 nr, index;
	double wall_ns;
	struct stat_metric *metrics;
	u32 nr_metrics;
};

/* Ratios in percent: this event of its partner. */
static const struct ratio {
	u32 type;
	u64 config, partner;
	const char *format, *unit;
} ratios[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  "%7.2f%%", "of all branches" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES,
	  "%8.3f %%", "of all cache refs" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES,
	  "%7.2f%%", "frontend cycles idle" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES,
	  "%7.2f%%", "backend cycles idle" },
	{ PERF_TYPE_HW_CACHE, CACHE(L1D, MISS), CACHE(L1D, ACCESS), "%7.2f%%",
	  "of all L1-dcache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE(L1I, MISS), CACHE(L1I, ACCESS), "%7.2f%%",
	  "of all L1-icache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE(LL, MISS), CACHE(LL, ACCESS), "%7.2f%%",
	  "of all LL-cache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE(DTLB, MISS), CACHE(DTLB, ACCESS), "%7.2f%%",
	  "of all dTLB cache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE(ITLB, MISS), CACHE(ITLB, ACCESS), "%7.2f%%",
	  "of all iTLB cache accesses" },
};

static bool same_modes(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_host == b->exclude_host &&
	       a->exclude_idle == b->exclude_idle;
}

/* How near @other is to the event: less is better. */
static u64 distance(const struct run *run, u32 other)
{
	const struct evsel *self = run->events[run->index].evsel;
	u64 far = run->events[other].evsel->leader == self->leader ? 0 : 2ull << 32;

	return other <= run->index ? far + run->index - other : far + (1ull << 32) + other;
}

/* The mean of the nearest counted event for which @fits says so; 0 if there is none. */
static double partner(const struct run *run,
                      bool (*fits)(const struct evsel *self, const struct evsel *other,
                                   const void *what),
                      const void *what)
{
	const struct evsel *self = run->events[run->index].evsel;
	double mean = 0;
	u64 best = ~0ull;

	for (u32 i = 0; i < run->nr; i++) {
		if (!stat_event__counted(&run->events[i]) ||
		    !fits(self, run->events[i].evsel, what) || distance(run, i) >= best)
			continue;
		best = distance(run, i);
		mean = run->events[i].value.mean;
	}
	return mean;
}

static bool fits_clock(const struct evsel *self, const struct evsel *other, const void *what)
{
	(void)self;
	(void)what;
	return evsel__is_clock(other);
}

struct kind {
	u32 type;
	u64 config;
};

static bool fits_kind(const struct evsel *self, const struct evsel *other, const void *what)
{
	const struct kind *kind = what;

	return other->attr.type == kind->type && other->attr.config == kind->config &&
	       same_modes(&self->attr, &other->attr);
}

static double partner_of(const struct run *run, u32 type, u64 config)
{
	struct kind kind = { type, config };

	return partner(run, fits_kind, &kind);
}

static void add(struct run *run, double value, const char *format, const char *unit)
{
	run->metrics[run->nr_metrics++] = (struct stat_metric){ value, format, unit, false };
}

static void add_rate(struct run *run, double mean)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	double ns = partner(run, fits_clock, NULL), rate;
	u32 unit = 0;

	if (!ns)
		return;
	rate = mean * 1e9 / ns;
	while (rate > 1000 && unit + 1 < ARRAY_SIZE(units)) {
		rate /= 1000;
		unit++;
	}
	add(run, rate, "%8.3f", units[unit]);
}

static void add_instructions(struct run *run, double mean)
{
	double cycles = partner_of(run, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	double front, back;

	if (cycles)
		add(run, mean / cycles, "%7.2f ", "insn per cycle");
	front = partner_of(run, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	back = partner_of(run, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
	if (back > front)
		front = back;
	if (cycles && front && mean)
		add(run, front / mean, "%7.2f ", "stalled cycles per insn");
}

static void add_hardware(struct run *run, const struct evsel *evsel, double mean)
{
	double ns;

	if (evsel->attr.config == PERF_COUNT_HW_INSTRUCTIONS) {
		add_instructions(run, mean);
	} else if (evsel->attr.config == PERF_COUNT_HW_CPU_CYCLES) {
		ns = partner(run, fits_clock, NULL);
		if (ns)
			add(run, mean / ns, "%8.3f", "GHz");
	} else {
		add_rate(run, mean);
	}
}

static const struct ratio *find_ratio(const struct evsel *evsel)
{
	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++)
		if (ratios[i].type == evsel->attr.type && ratios[i].config == evsel->attr.config)
			return &ratios[i];
	return NULL;
}

u32 stat_metrics__of(const struct stat_event *events, u32 nr, u32 index, double wall_ns,
                     struct stat_metric metrics[STAT_METRICS_USUAL])
{
	struct run run = { events, nr, index, wall_ns, metrics, 0 };
	const struct evsel *evsel = events[index].evsel;
	const struct ratio *ratio = find_ratio(evsel);
	double mean = events[index].value.mean, whole;

	if (!stat_event__counted(&events[index]))
		return 0;
	if (ratio) {
		whole = partner_of(&run, ratio->type, ratio->partner);
		/* Many PMUs have no front-end stalls and count 0. */
		if (whole && (mean || ratio->config != PERF_COUNT_HW_STALLED_CYCLES_FRONTEND ||
		              ratio->type != PERF_TYPE_HARDWARE))
			add(&run, 100 * mean / whole, ratio->format, ratio->unit);
	} else if (evsel__is_clock(evsel)) {
		if (wall_ns > 0)
			add(&run, mean / wall_ns, "%8.3f", "CPUs utilized");
	} else if (evsel->attr.type == PERF_TYPE_HARDWARE) {
		add_hardware(&run, evsel, mean);
	} else if (evsel->scale == 1.0) {
		add_rate(&run, mean);
	}
	return run.nr_metrics;
}
