// SPDX-License-Identifier: GPL-2.0-or-later
/* Built-in names of events, which need nothing from the machine. */
#include "util/event/parse.h"

#include <string.h>

#include "util/event/attr_name.h"
#include "util/options/nearest.h"

#define HW(config) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config
#define SW(config) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config

static const struct event_name names[] = {
	{ "cpu-cycles", "cycles", HW(CPU_CYCLES) },
	{ "instructions", NULL, HW(INSTRUCTIONS) },
	{ "cache-references", NULL, HW(CACHE_REFERENCES) },
	{ "cache-misses", NULL, HW(CACHE_MISSES) },
	{ "branch-instructions", "branches", HW(BRANCH_INSTRUCTIONS) },
	{ "branch-misses", NULL, HW(BRANCH_MISSES) },
	{ "bus-cycles", NULL, HW(BUS_CYCLES) },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", HW(STALLED_CYCLES_FRONTEND) },
	{ "stalled-cycles-backend", "idle-cycles-backend", HW(STALLED_CYCLES_BACKEND) },
	{ "ref-cycles", NULL, HW(REF_CPU_CYCLES) },
	{ "cpu-clock", NULL, SW(CPU_CLOCK) },
	{ "task-clock", NULL, SW(TASK_CLOCK) },
	{ "page-faults", "faults", SW(PAGE_FAULTS) },
	{ "context-switches", "cs", SW(CONTEXT_SWITCHES) },
	{ "cpu-migrations", "migrations", SW(CPU_MIGRATIONS) },
	{ "minor-faults", NULL, SW(PAGE_FAULTS_MIN) },
	{ "major-faults", NULL, SW(PAGE_FAULTS_MAJ) },
	{ "alignment-faults", NULL, SW(ALIGNMENT_FAULTS) },
	{ "emulation-faults", NULL, SW(EMULATION_FAULTS) },
	{ "dummy", NULL, SW(DUMMY) },
	{ "bpf-output", NULL, SW(BPF_OUTPUT) },
	{ "cgroup-switches", NULL, SW(CGROUP_SWITCHES) },
};

/* A part of a cache event's name: all spellings of one code. */
struct cache_word {
	u8 code;
	const char *spellings[6];
};

static const struct cache_word cache_kinds[] = {
	{ PERF_COUNT_HW_CACHE_L1D, { "L1-dcache", "l1-d", "l1d", "L1-data" } },
	{ PERF_COUNT_HW_CACHE_L1I, { "L1-icache", "l1-i", "l1i", "L1-instruction" } },
	{ PERF_COUNT_HW_CACHE_LL, { "LLC", "L2" } },
	{ PERF_COUNT_HW_CACHE_DTLB, { "dTLB", "d-tlb", "Data-TLB" } },
	{ PERF_COUNT_HW_CACHE_ITLB, { "iTLB", "i-tlb", "Instruction-TLB" } },
	{ PERF_COUNT_HW_CACHE_BPU, { "branch", "branches", "bpu", "btb", "bpc" } },
	{ PERF_COUNT_HW_CACHE_NODE, { "node" } },
};

static const struct cache_word cache_ops[] = {
	{ PERF_COUNT_HW_CACHE_OP_READ, { "load", "loads", "read" } },
	{ PERF_COUNT_HW_CACHE_OP_WRITE, { "store", "stores", "write" } },
	{ PERF_COUNT_HW_CACHE_OP_PREFETCH,
	  { "prefetch", "prefetches", "speculative-read", "speculative-load" } },
};

static const struct cache_word cache_results[] = {
	{ PERF_COUNT_HW_CACHE_RESULT_ACCESS, { "refs", "Reference", "ops", "access" } },
	{ PERF_COUNT_HW_CACHE_RESULT_MISS, { "misses", "miss" } },
};

/*
 * Take the longest spelling of @words at *@s that ends at a '-' or at the end; *@s moves behind
 * it and its '-'. Returns the code or -1.
 */
static int take_word(const char **s, const struct cache_word *words, size_t nr)
{
	size_t best = 0;
	int code = -1;

	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(words[i].spellings); j++) {
			const char *spelling = words[i].spellings[j];
			size_t len = spelling ? strlen(spelling) : 0;

			if (len <= best || strncmp(*s, spelling, len) ||
			    ((*s)[len] && (*s)[len] != '-'))
				continue;
			best = len;
			code = words[i].code;
		}
	}
	if (code >= 0)
		*s += best + ((*s)[best] == '-');
	return code;
}

/* "L1-dcache-load-misses": kind, then operation and result in either order, both optional. */
static bool find_cache(const char *name, u64 *config)
{
	int kind, op = -1, result = -1;

	kind = take_word(&name, cache_kinds, ARRAY_SIZE(cache_kinds));
	if (kind < 0)
		return false;
	while (*name) {
		int code = op < 0 ? take_word(&name, cache_ops, ARRAY_SIZE(cache_ops)) : -1;

		if (code >= 0) {
			op = code;
			continue;
		}
		code = result < 0 ? take_word(&name, cache_results, ARRAY_SIZE(cache_results)) : -1;
		if (code < 0)
			return false;
		result = code;
	}
	if (name[-1] == '-')
		return false;
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	*config = kind | op << 8 | result << 16;
	return attr__has_cache_op(*config);
}

static const char *const tools[] = {
	[EVSEL_DURATION_TIME] = "duration_time",
	[EVSEL_USER_TIME] = "user_time",
	[EVSEL_SYSTEM_TIME] = "system_time",
};

enum evsel_tool event_names__tool(const char *name)
{
	for (size_t i = 1; i < ARRAY_SIZE(tools); i++)
		if (!strcmp(tools[i], name))
			return i;
	return EVSEL_NO_TOOL;
}

const char *event_names__tool_name(enum evsel_tool tool)
{
	return tool < ARRAY_SIZE(tools) ? tools[tool] : NULL;
}

const struct event_name *event_names(u32 *nr)
{
	*nr = ARRAY_SIZE(names);
	return names;
}

bool event_names__find(const char *name, u32 *type, u64 *config)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i].name, name) &&
		    (!names[i].alias || strcmp(names[i].alias, name)))
			continue;
		*type = names[i].type;
		*config = names[i].config;
		return true;
	}
	if (!find_cache(name, config))
		return false;
	*type = PERF_TYPE_HW_CACHE;
	return true;
}

static const char *const common_cache_names[] = {
	"L1-dcache-loads", "L1-dcache-load-misses", "L1-dcache-stores", "L1-dcache-store-misses",
	"L1-icache-loads", "L1-icache-load-misses", "LLC-loads",        "LLC-load-misses",
	"LLC-stores",      "LLC-store-misses",      "dTLB-loads",       "dTLB-load-misses",
	"dTLB-stores",     "dTLB-store-misses",     "iTLB-loads",       "iTLB-load-misses",
	"branch-loads",    "branch-load-misses",    "node-loads",       "node-load-misses",
};

void event_names__each(void (*fn)(void *ctx, const char *name), void *ctx)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		fn(ctx, names[i].name);
		if (names[i].alias)
			fn(ctx, names[i].alias);
	}
	for (size_t i = 0; i < ARRAY_SIZE(common_cache_names); i++)
		fn(ctx, common_cache_names[i]);
	for (size_t i = 1; i < ARRAY_SIZE(tools); i++)
		fn(ctx, tools[i]);
}

static void offer(void *ctx, const char *name)
{
	nearest__offer(ctx, name);
}

void event_names__offer(struct nearest *nearest)
{
	event_names__each(offer, nearest);
}
