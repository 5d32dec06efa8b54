// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/reads.h"

#include <stdlib.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"

bool perf_data__has_counts(const struct perf_data *data)
{
	/* The list is only looked at; there is no accessor for a const perf_data. */
	const struct evlist *evlist = perf_data__evlist((struct perf_data *)data);

	for (u32 i = 0; i < evlist->nr; i++)
		if (perf_data__layout(data, evlist->evsels[i])->has_counts)
			return true;
	return false;
}

/* Where the last count of @counter is; a new one is 0. */
static u64 *last_of(struct last_reads *reads, u64 counter)
{
	u32 *index = u64map__at(&reads->index_of_counter, counter);

	if (*index == ID_NONE) {
		*index = reads->nr++;
		array__reserve(&reads->counts, &reads->cap, reads->nr, sizeof(*reads->counts));
		reads->counts[*index] = 0;
	}
	return &reads->counts[*index];
}

bool last_reads__part(struct last_reads *reads, const struct perf_data *data,
                      const struct sample_layout *layout, const struct sample *sample, u64 i,
                      struct read_part *part)
{
	const u8 *value = sample->read.values + i * sample->read.stride;
	bool swap = perf_data__swapped(data);
	u64 count = load_u64(value, swap), id = load_u64(value + sample->read.id_at, swap);
	u64 *last = last_of(reads, layout->counts_by_thread ? hash__add(id, sample->tid) : id);

	part->evsel = perf_data__evsel_of_id(data, id);
	part->period = count >= *last ? count - *last : count;
	*last = count;
	return part->period;
}

void last_reads__exit(struct last_reads *reads)
{
	u64map__exit(&reads->index_of_counter);
	free(reads->counts);
	*reads = (struct last_reads){ .nr = 0 };
}
