// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that `stat record` writes. */
#include "util/format/record.h"
#include "util/synthesize/synthesize_local.h"

void synth__stat_config(struct synth *synth, const struct synth_stat_config *config)
{
	const u64 values[] = { config->aggregation, config->interval_ms, config->scale };

	synth__begin(synth, RECORD_STAT_CONFIG, 0);
	synth__u64(synth, ARRAY_SIZE(values));
	for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
		synth__u64(synth, i);
		synth__u64(synth, values[i]);
	}
	synth__end(synth);
}

void synth__stat(struct synth *synth, const struct synth_stat *stat)
{
	synth__begin(synth, RECORD_STAT, 0);
	synth__u64(synth, stat->id);
	synth__u32(synth, stat->cpu);
	synth__u32(synth, stat->thread);
	synth__u64(synth, stat->value);
	synth__u64(synth, stat->enabled);
	synth__u64(synth, stat->running);
	synth__end(synth);
}

void synth__stat_round(struct synth *synth, bool final, u64 ns)
{
	synth__begin(synth, RECORD_STAT_ROUND, 0);
	synth__u64(synth, final);
	synth__u64(synth, ns);
	synth__end(synth);
}
