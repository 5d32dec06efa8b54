// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the CPUs of a recording were: the features CPU_TOPOLOGY and NUMA_TOPOLOGY. */
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/reader/feature_cursor.h"
#include "util/stat/replay.h"

#define NODES_MAX 4096

static void skip_strings(struct cursor *c)
{
	u32 nr = cursor__u32(c);

	for (u32 i = 0; i < nr && !c->failed; i++)
		cursor__feature_string(c);
}

/* All-ones where the recording machine did not know. */
static s32 known(u32 number)
{
	return (s32)number < 0 ? 0 : (s32)number;
}

/* Lists of siblings; per CPU (core, socket); since Linux 5.3 a list of dies and per CPU its die. */
static void read_topology(const struct perf_data *data, struct cpu_topology *topologies, u32 nr)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_CPU_TOPOLOGY);
	const u8 *cores, *dies;

	skip_strings(&c);
	skip_strings(&c);
	cores = cursor__bytes(&c, nr * 8ull);
	for (u32 i = 0; cores && i < nr; i++) {
		topologies[i].core = known(load_u32(cores + 8ull * i, c.swap));
		topologies[i].socket = known(load_u32(cores + 8ull * i + 4, c.swap));
	}
	skip_strings(&c);
	dies = cursor__bytes(&c, nr * 4ull);
	for (u32 i = 0; dies && i < nr; i++)
		topologies[i].die = known(load_u32(dies + 4ull * i, c.swap));
}

/* "0-3,8": nobody has more than each CPU once. */
static void set_node(const char *list, s32 node, struct cpu_topology *topologies, u32 nr)
{
	for (u32 done = 0; *list && done < nr; list += *list == ',') {
		char *end;
		unsigned long cpu = strtoul(list, &end, 10), last = cpu;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == list)
			return;
		for (; cpu <= last && cpu < nr; cpu++, done++)
			topologies[cpu].node = node;
		list = end;
	}
}

/* Per node: number, memory, free memory, the list of its CPUs. */
static void read_nodes(const struct perf_data *data, struct cpu_topology *topologies, u32 nr_cpus)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_NUMA_TOPOLOGY);
	u32 nr = cursor__u32(&c);

	for (u32 i = 0; i < nr && i < NODES_MAX && !c.failed; i++) {
		u32 node = cursor__u32(&c);

		cursor__bytes(&c, 16);
		set_node(cursor__feature_string(&c), known(node), topologies, nr_cpus);
	}
}

struct cpu_topology *cpu_topology__of_recording(const struct perf_data *data, u32 *nr)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_NRCPUS);
	size_t size = 0;
	u32 available = cursor__u32(&c);
	struct cpu_topology *topologies;

	perf_data__feature(data, FEATURE_CPU_TOPOLOGY, &size);
	*nr = 0;
	if (!available || available > size / 8) /* it has 8 bytes for each at least */
		return NULL;
	*nr = available;
	topologies = xcalloc(available, sizeof(*topologies));
	read_topology(data, topologies, available);
	read_nodes(data, topologies, available);
	return topologies;
}
