// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/attr_name.h"

#include <stdio.h>
#include <string.h>

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

static const char *const cache[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};

/* [operation][result] */
static const char *const cache_op[3][2] = {
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};

static void cache_name(u64 config, char *buf, size_t size)
{
	u8 type = config, op = config >> 8, result = config >> 16;

	if (type < ARRAY_SIZE(cache) && op < 3 && result < 2)
		snprintf(buf, size, "%s-%s", cache[type], cache_op[op][result]);
	else
		snprintf(buf, size, "unknown-ext-hardware-cache-type");
}

static void breakpoint_name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	snprintf(buf, size, "mem:0x%llx:%s%s%s", (unsigned long long)attr->bp_addr,
	         attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
	         attr->bp_type & 4 ? "x" : "");
}

static void base_name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	unsigned long long config = attr->config;

	if (attr->type == PERF_TYPE_HARDWARE && config < ARRAY_SIZE(hardware))
		snprintf(buf, size, "%s", hardware[config]);
	else if (attr->type == PERF_TYPE_SOFTWARE && config < ARRAY_SIZE(software))
		snprintf(buf, size, "%s", software[config]);
	else if (attr->type == PERF_TYPE_HW_CACHE)
		cache_name(config, buf, size);
	else if (attr->type == PERF_TYPE_TRACEPOINT)
		snprintf(buf, size, "unknown tracepoint");
	else if (attr->type == PERF_TYPE_BREAKPOINT)
		breakpoint_name(attr, buf, size);
	else if (attr->type == PERF_TYPE_RAW)
		snprintf(buf, size, "raw 0x%llx", config);
	else
		snprintf(buf, size, "unknown attr type: %u", attr->type);
}

const char *attr__name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	char modifiers[8] = "", *m = modifiers;

	base_name(attr, buf, size);
	if (attr->exclude_kernel || attr->exclude_user || attr->exclude_hv) {
		*m++ = ':';
		if (!attr->exclude_user)
			*m++ = 'u';
		if (!attr->exclude_kernel)
			*m++ = 'k';
		if (!attr->exclude_hv && (attr->exclude_user || attr->exclude_kernel))
			*m++ = 'h';
	}
	for (unsigned i = 0; i < attr->precise_ip; i++) {
		if (m == modifiers)
			*m++ = ':';
		*m++ = 'p';
	}
	*m = '\0';
	size_t len = strlen(buf);

	if (strcmp(modifiers, ":"))
		snprintf(buf + len, size - len, "%s", modifiers);
	return buf;
}
