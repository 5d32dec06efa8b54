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

/* [operation][result] */
static const char *const cache_op[3][2] = {
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};

/* Which operations (bits as in cache_op) a cache has at all. */
static const struct {
	const char *name;
	u8 ops;
} caches[] = {
	{ "L1-dcache", 7 }, { "L1-icache", 5 }, { "LLC", 7 },  { "dTLB", 7 },
	{ "iTLB", 1 },      { "branch", 1 },    { "node", 7 },
};

bool attr__has_cache_op(u64 config)
{
	u8 type = config, op = config >> 8;

	return type < ARRAY_SIZE(caches) && op < 3 && caches[type].ops >> op & 1;
}

static void cache_name(u64 config, char *buf, size_t size)
{
	u8 type = config, op = config >> 8, result = config >> 16;

	if (type >= ARRAY_SIZE(caches))
		snprintf(buf, size, "unknown-ext-hardware-cache-type");
	else if (op >= 3)
		snprintf(buf, size, "unknown-ext-hardware-cache-op");
	else if (result >= 2)
		snprintf(buf, size, "unknown-ext-hardware-cache-result");
	else if (!(caches[type].ops >> op & 1))
		snprintf(buf, size, "invalid-cache");
	else
		snprintf(buf, size, "%s-%s", caches[type].name, cache_op[op][result]);
}

static void breakpoint_name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	snprintf(buf, size, "mem:0x%llx:%s%s%s", (unsigned long long)attr->bp_addr,
	         attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
	         attr->bp_type & 4 ? "x" : "");
}

/* False: modifiers do not belong behind it. */
static bool base_name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	u32 config = attr->config; /* the upper half selects one of several PMUs */

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		snprintf(buf, size, "%s",
		         config < ARRAY_SIZE(hardware) ? hardware[config] : "unknown-hardware");
		return true;
	case PERF_TYPE_SOFTWARE:
		snprintf(buf, size, "%s",
		         config < ARRAY_SIZE(software) ? software[config] : "unknown-software");
		return true;
	case PERF_TYPE_HW_CACHE:
		cache_name(config, buf, size);
		return true;
	case PERF_TYPE_BREAKPOINT:
		breakpoint_name(attr, buf, size);
		return true;
	case PERF_TYPE_RAW:
		snprintf(buf, size, "raw 0x%llx", (unsigned long long)attr->config);
		return true;
	case PERF_TYPE_TRACEPOINT:
		snprintf(buf, size, "unknown tracepoint");
		return false;
	default:
		snprintf(buf, size, "unknown attr type: %u", attr->type);
		return false;
	}
}

/*
 * k, u, h when one of them is excluded; p for each step of precision; H, G unless they are as the
 * defaults go: no guest for a plain event, both with a modifier or precision.
 */
static void modifiers(const struct perf_event_attr *attr, char *m)
{
	bool levels = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;
	bool usual = levels || attr->precise_ip ? !attr->exclude_host && !attr->exclude_guest
	                                        : !attr->exclude_host && attr->exclude_guest;

	if (levels) {
		if (!attr->exclude_kernel)
			*m++ = 'k';
		if (!attr->exclude_user)
			*m++ = 'u';
		if (!attr->exclude_hv)
			*m++ = 'h';
	}
	for (unsigned i = 0; i < attr->precise_ip; i++)
		*m++ = 'p';
	if (!usual && !attr->exclude_host)
		*m++ = 'H';
	if (!usual && !attr->exclude_guest)
		*m++ = 'G';
	*m = '\0';
}

const char *attr__name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	char mods[12];

	if (!base_name(attr, buf, size))
		return buf;
	modifiers(attr, mods);
	size_t len = strlen(buf);

	if (mods[0])
		snprintf(buf + len, size - len, ":%s", mods);
	return buf;
}
