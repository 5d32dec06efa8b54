// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the CPUs of a recording were: the features CPU_TOPOLOGY and NUMA_TOPOLOGY. */
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/reader/feature_cursor.h"
#include "util/stat/replay.h"

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

static void read_nodes(const struct perf_data *data, struct cpu_topology *topologies, u32 nr)
{
	u32 nr_nodes;
	s32 *nodes = perf_data__nodes(data, &nr_nodes);

	for (u32 i = 0; i < nr_nodes && i < nr; i++)
		topologies[i].node = known(nodes[i]);
	free(nodes);
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
