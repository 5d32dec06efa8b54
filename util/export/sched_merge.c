// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/sched_merge.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/trace/trace_format.h"

enum role { ROLE_NONE, ROLE_SWITCH, ROLE_EXIT, ROLE_STAT };

struct sched_event {
	enum role role;
	const struct trace_field *pid; /* ROLE_STAT: of whom it tells */
};

struct sched_merge {
	const struct perf_data *data;
	struct trace_formats *formats;
	struct sched_event *events; /* by evsel idx */
	struct u64map last;         /* tid -> index of its last switch */
	struct kept {
		u8 *record;
		u16 size;
		u8 cpumode;
		u32 pid, tid;
		u64 ip;
		const struct sample_layout *layout;
	} * kept;
	size_t nr_kept, cap;
};

static void find_role(const struct trace_formats *formats, const struct evsel *evsel,
                      struct sched_event *event)
{
	const struct trace_event *format;

	if (!evsel__is_tracepoint(evsel))
		return;
	if (!strcmp(evsel->name, "sched:sched_switch"))
		event->role = ROLE_SWITCH;
	else if (!strcmp(evsel->name, "sched:sched_process_exit"))
		event->role = ROLE_EXIT;
	if (event->role || strncmp(evsel->name, "sched:sched_stat_", 17))
		return;
	format = trace_formats__event(formats, evsel->attr.config);
	event->pid = format ? trace_event__field(format, "pid") : NULL;
	if (event->pid)
		event->role = ROLE_STAT;
}

struct sched_merge *sched_merge__new(const struct perf_data *data)
{
	const struct evlist *evlist = perf_data__evlist((struct perf_data *)data);
	struct sched_merge *merge = xcalloc(1, sizeof(*merge));

	merge->data = data;
	merge->formats = trace_formats__of_file(data);
	merge->events = xcalloc(evlist->nr + 1, sizeof(*merge->events));
	for (u32 i = 0; i < evlist->nr; i++)
		find_role(merge->formats, evlist->evsels[i], &merge->events[i]);
	return merge;
}

void sched_merge__delete(struct sched_merge *merge)
{
	if (!merge)
		return;
	for (size_t i = 0; i < merge->nr_kept; i++)
		free(merge->kept[i].record);
	free(merge->kept);
	free(merge->events);
	trace_formats__delete(merge->formats);
	u64map__exit(&merge->last);
	free(merge);
}

static struct kept *kept_of(struct sched_merge *merge, u32 tid)
{
	u32 *at = u64map__at(&merge->last, tid);

	if (*at == ID_NONE) {
		array__reserve(&merge->kept, &merge->cap, merge->nr_kept + 1, sizeof(*merge->kept));
		merge->kept[merge->nr_kept] = (struct kept){ 0 };
		*at = merge->nr_kept++;
	}
	return &merge->kept[*at];
}

static void keep(struct kept *kept, const struct sample *sample, const struct record *record,
                 const struct sample_layout *layout)
{
	kept->record = xrealloc(kept->record, record->size, 1);
	kept->size = record->size;
	kept->layout = layout;
	kept->ip = sample->ip;
	kept->cpumode = sample->cpumode;
	kept->pid = sample->pid;
	kept->tid = sample->tid;
	memcpy(kept->record, record->data, record->size);
}

/* The last switch of the thread that @sample tells of, with the sample's time and period. */
static const struct kept *make_merged(struct sched_merge *merge, const struct sched_event *event,
                                      const struct sample *sample)
{
	if (!sample->raw || !trace__has(event->pid, sample->raw_size))
		return NULL;
	u32 pid = trace__u64(event->pid, sample->raw, sample->raw_size);
	u32 at = u64map__get(&merge->last, pid);
	struct kept *kept = at == ID_NONE ? NULL : &merge->kept[at];

	if (!kept || !kept->size)
		return NULL;
	if (kept->layout->time)
		memcpy(kept->record + kept->layout->time, &sample->time, sizeof(sample->time));
	if (kept->layout->period)
		memcpy(kept->record + kept->layout->period, &sample->period,
		       sizeof(sample->period));
	return kept;
}

bool sched_merge__take(struct sched_merge *merge, const struct evsel *evsel, struct sample *sample,
                       const struct record *record, const u8 **merged, u32 *size)
{
	const struct sched_event *event = &merge->events[evsel->idx];
	const struct kept *kept;

	*merged = NULL;
	switch (event->role) {
	case ROLE_SWITCH:
		keep(kept_of(merge, sample->tid), sample, record,
		     perf_data__layout(merge->data, evsel));
		return true;
	case ROLE_EXIT:
		kept_of(merge, sample->tid)->size = 0;
		return true;
	case ROLE_STAT:
		kept = make_merged(merge, event, sample);
		if (kept) {
			*merged = kept->record;
			*size = kept->size;
			sample->ip = kept->ip;
			sample->cpumode = kept->cpumode;
			sample->pid = kept->pid;
			sample->tid = kept->tid;
		}
		return true;
	default:
		return false;
	}
}
