// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The events of a recording: their ids, the layouts of their samples, and which event a record
 * belongs to.
 */
#include "util/reader/reader_private.h"

#include "util/event/attr_name.h"
#include "util/format/attr_import.h"

#define TASK_ID_MAX (1u << 22) /* the kernel's PID_MAX_LIMIT; -1: a task that has gone */

void perf_data__add_event(struct perf_data *data, const u8 *attr_bytes, u64 attr_size,
                          const u8 *ids, u64 nr_ids)
{
	struct perf_event_attr attr;
	char name[ATTR_NAME_SIZE];

	data->info.nr_unknown_attr_bytes += attr__import(&attr, attr_bytes, attr_size, data->swap);
	struct evsel *evsel =
	        evlist__add(&data->evlist, &attr, attr__name(&attr, name, sizeof(name)));

	for (u64 i = 0; i < nr_ids; i++)
		evsel__add_id(evsel, load_u64(ids + i * 8, data->swap));
}

/* Samples without parts of varying size all have one size, if all events agree on it. */
static u16 exact_sample_size(const struct perf_data *data)
{
	const u64 varying = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
	                    PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
	                    PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX;
	const u64 fixed_behind[] = { PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
		                     PERF_SAMPLE_DATA_SRC,
		                     PERF_SAMPLE_TRANSACTION,
		                     PERF_SAMPLE_PHYS_ADDR,
		                     PERF_SAMPLE_CGROUP,
		                     PERF_SAMPLE_DATA_PAGE_SIZE,
		                     PERF_SAMPLE_CODE_PAGE_SIZE };
	u64 known = (PERF_SAMPLE_WEIGHT_STRUCT << 1) - 1, all = 0;
	u16 size = 0;

	for (u32 i = 0; i < data->evlist.nr; i++) {
		const struct sample_layout *l = &data->events.layouts[i];
		u16 own = l->fixed_size;

		for (unsigned k = 0; k < ARRAY_SIZE(fixed_behind); k++)
			own += l->sample_type & fixed_behind[k] ? 8 : 0;
		all |= l->sample_type;
		if (i && own != size)
			return 0;
		size = own;
	}
	return all & (varying | ~known) ? 0 : size;
}

void perf_data__make_layouts(struct perf_data *data)
{
	event_ids__init(&data->events, &data->evlist, data->swap);
	data->min_sample_size = UINT16_MAX;
	for (u32 i = 0; i < data->evlist.nr; i++)
		data->min_sample_size =
		        min_u64(data->min_sample_size, data->events.layouts[i].fixed_size);
	data->exact_sample_size = exact_sample_size(data);
}

const struct sample_layout *perf_data__layout(const struct perf_data *data,
                                              const struct evsel *evsel)
{
	return event_ids__layout(&data->events, evsel);
}

struct evsel *perf_data__evsel_of_id(const struct perf_data *data, u64 id)
{
	return event_ids__of_id(&data->events, id);
}

bool perf_data__sample_agrees(const struct perf_data *data, const struct record *record)
{
	const struct evsel *evsel = event_ids__find(&data->events, record);
	struct sample sample;

	if (!evsel)
		return false;
	const struct sample_layout *layout = event_ids__layout(&data->events, evsel);

	if (!sample__is_exact(layout, record, data->swap, &sample))
		return false;
	if (layout->tid && (sample.pid + 1 > TASK_ID_MAX || sample.tid + 1 > TASK_ID_MAX))
		return false;
	return sample.id == UINT64_MAX || !evsel->nr_ids ||
	       u64map__get(&data->events.by_id, sample.id) != ID_NONE;
}

struct evsel *perf_data__find_evsel(const struct perf_data *data, const struct record *record)
{
	return event_ids__find(&data->events, record);
}
