// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The folder of --threads: the file `data` has the header and perf's own records, `data.N` the
 * records from the ring of the Nth recorded CPU. The command's thread writes only `data`; the
 * threads that read the rings write the others.
 */
#include <errno.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/record/recording_folder.h"
#include "util/record/recording_sinks.h"

#define ROOM_FOR_FEATURES (64 * 1024)

int recording__set_writers(struct recording *recording, const char *text, struct error *err)
{
	struct cpu_map online = CPU_MAP_INIT;
	int ret;

	if (recording->wish.config.per_thread) {
		error__set(err, -EINVAL, "cannot use writer threads", NULL,
		           "--per-thread option is mutually exclusive to parallel streaming mode");
		return error__advise(err, "leave out --threads or --per-thread");
	}
	ret = cpu_map__online(&online, err);
	if (!ret)
		ret = thread_masks__parse(&recording->wish.masks, text, &recording->wish.cpus,
		                          &online, "/sys", err);
	cpu_map__exit(&online);
	return ret;
}

int recording__open_parts(struct recording *recording, struct error *err)
{
	u32 nr = recording->wish.masks.nr ? recording->wish.cpus.nr : 0;
	struct recording_run *run = recording->run;

	if (!nr)
		return 0;
	run->parts = xcalloc(nr, sizeof(*run->parts));
	while (run->nr_parts < nr) {
		struct outlet *part = &run->parts[run->nr_parts++];
		int ret = outlet__init(part, recording, err);

		if (ret)
			return ret;
		part->file.writer = data_writer__new_part(run->outlet.file.writer, err);
		if (!part->file.writer)
			return err->code;
		data_writer__set_last(part->file.writer, unwritten__last(&run->unwritten));
	}
	return 0;
}

int recording__init_team(struct recording *recording, const int *events, u32 nr_events,
                         struct error *err)
{
	struct recording_run *run = recording->run;
	struct record_sink **sinks = xcalloc(run->nr_parts, sizeof(*sinks));
	int *all = xcalloc(nr_events + 1, sizeof(*all)), ret;

	for (u32 i = 0; i < run->nr_parts; i++)
		sinks[i] = run->parts[i].first;
	ret = ring_drain_team__init(&run->team, &recording->wish.masks, &run->rings,
	                            &recording->wish.cpus, sinks, err);
	ring_drain_team__set(&run->team, recording->wish.flush, recording->wish.size_mark,
	                     &run->size);
	for (u32 i = 0; i < nr_events; i++)
		all[i] = events[i];
	all[nr_events] = run->team.wake_fd;
	ring_drain__init(&run->drain, &run->team.rest, run->outlet.first, all, nr_events + 1);
	free(sinks);
	free(all);
	return ret;
}

u64 *recording__part_sizes(const struct recording *recording)
{
	const struct recording_run *run = recording->run;
	u64 *sizes = xcalloc(run->nr_parts + 1ull, sizeof(*sizes));

	for (u32 i = 0; i < run->nr_parts; i++)
		sizes[i] = data_writer__data_size(run->parts[i].file.writer);
	return sizes;
}

u64 recording__parts_size(const struct recording *recording)
{
	const struct recording_run *run = recording->run;
	u64 sum = 0;

	for (u32 i = 0; i < run->nr_parts; i++)
		sum += data_writer__data_size(run->parts[i].file.writer);
	return sum;
}

/* The youngest records of the largest part give way. */
bool recording__make_room(struct recording *recording)
{
	struct recording_run *run = recording->run;
	struct data_writer *largest = NULL;

	for (u32 i = 0; i < run->nr_parts; i++) {
		struct data_writer *part = run->parts[i].file.writer;

		if (!largest || data_writer__data_size(part) > data_writer__data_size(largest))
			largest = part;
	}
	return largest && data_writer__give_room(largest, ROOM_FOR_FEATURES);
}

u64 recording__dropped_samples(const struct recording *recording)
{
	const struct recording_run *run = recording->run;
	u64 sum = data_writer__dropped_samples(run->outlet.file.writer);

	for (u32 i = 0; i < run->nr_parts; i++)
		sum += data_writer__dropped_samples(run->parts[i].file.writer);
	return sum;
}

/* The reader puts the files together, `data` first. */
struct data_writer *recording__writer_at(struct recording *recording, u64 *offset)
{
	struct recording_run *run = recording->run;
	struct data_writer *writer = run->outlet.file.writer;
	u64 end = data_writer__data_end(writer);

	for (u32 i = 0; i < run->nr_parts && *offset >= end; i++) {
		*offset -= end;
		writer = run->parts[i].file.writer;
		end = data_writer__data_end(writer);
	}
	return writer;
}

void recording__exit_parts(struct recording *recording)
{
	struct recording_run *run = recording->run;

	ring_drain_team__exit(&run->team);
	for (u32 i = 0; i < run->nr_parts; i++)
		outlet__exit(&run->parts[i]);
	free(run->parts);
	run->parts = NULL;
	run->nr_parts = 0;
	thread_masks__exit(&recording->wish.masks);
}
