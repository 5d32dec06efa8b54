// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The folder of --threads: the file `data` has the header and perf's own records, `data.N` the
 * records from the ring of the Nth recorded CPU. The command's thread writes only `data`; the
 * threads that read the rings write the others.
 */
#include <errno.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/record/recording_local.h"

struct recording_part {
	struct data_writer *writer;
	struct compressor packer;
};

#define ROOM_FOR_FEATURES (64 * 1024)

int recording__set_writers(struct recording *recording, const char *text, struct error *err)
{
	struct cpu_map online = CPU_MAP_INIT;
	int ret;

	if (recording->config.per_thread) {
		error__set(err, -EINVAL, "cannot use writer threads", NULL,
		           "--per-thread option is mutually exclusive to parallel streaming mode");
		return error__advise(err, "leave out --threads or --per-thread");
	}
	ret = cpu_map__online(&online, err);
	if (!ret)
		ret = thread_masks__parse(&recording->masks, text, &recording->cpus, &online,
		                          "/sys", err);
	cpu_map__exit(&online);
	return ret;
}

int recording__start_parts(struct recording *recording, struct error *err)
{
	u32 nr = recording->masks.nr ? recording->cpus.nr : 0;

	if (!nr)
		return 0;
	recording->parts = xcalloc(nr, sizeof(*recording->parts));
	for (; recording->nr_parts < nr; recording->nr_parts++) {
		struct recording_part *part = &recording->parts[recording->nr_parts];

		part->writer = data_writer__new_part(recording->writer, err);
		if (!part->writer)
			return err->code;
		data_writer__set_last(part->writer, unwritten__last(&recording->unwritten));
		if (!recording->compression)
			continue;
		int ret = compressor__init(&part->packer, recording->compression, err);

		if (ret) {
			data_writer__delete(part->writer);
			return ret;
		}
	}
	return 0;
}

int recording__start_team(struct recording *recording, const int *events, u32 nr_events,
                          struct error *err)
{
	struct ring_drain_file *files = xcalloc(recording->nr_parts, sizeof(*files));
	struct ring_drain_team *team = &recording->team;
	int *all = xcalloc(nr_events + 1, sizeof(*all)), ret;

	for (u32 i = 0; i < recording->nr_parts; i++)
		files[i] = (struct ring_drain_file){ recording->parts[i].writer,
			                             recording->compression
			                                     ? &recording->parts[i].packer
			                                     : NULL };
	ret = ring_drain_team__init(team, &recording->masks, &recording->rings, &recording->cpus,
	                            files, err);
	for (u32 i = 0; i < nr_events; i++)
		all[i] = events[i];
	all[nr_events] = team->wake_fd;
	ring_drain__init(&recording->drain, &team->rest, recording->writer, all, nr_events + 1);
	recording->drain.total = &team->total;
	if (!ret)
		ret = recording__synthesize_head(recording, false, err);
	team->total = data_writer__data_size(recording->writer);
	ring_drain_team__set(team, recording->flush, recording->size_mark, &recording->unwritten);
	if (!ret)
		ret = ring_drain_team__start(team, err);
	free(files);
	free(all);
	return ret;
}

u64 *recording__part_sizes(const struct recording *recording)
{
	u64 *sizes = xcalloc(recording->nr_parts + 1ull, sizeof(*sizes));

	for (u32 i = 0; i < recording->nr_parts; i++)
		sizes[i] = data_writer__data_size(recording->parts[i].writer);
	return sizes;
}

u64 recording__parts_size(const struct recording *recording)
{
	u64 sum = 0;

	for (u32 i = 0; i < recording->nr_parts; i++)
		sum += data_writer__data_size(recording->parts[i].writer);
	return sum;
}

/* On a full disk the last frame stays open: what is in it is only not checked. */
static void end_packed(struct compressor *packer, struct data_writer *writer)
{
	struct out end;

	out__init(&end, -1);
	if (!compressor__end(packer, &end) && end.len)
		data_writer__append_bytes(writer, end.buf, end.len);
	out__exit(&end);
}

void recording__end_packed(struct recording *recording)
{
	if (recording->compression)
		end_packed(&recording->packer, recording->writer);
	for (u32 i = 0; recording->compression && i < recording->nr_parts; i++) {
		end_packed(&recording->parts[i].packer, recording->parts[i].writer);
		recording->packer.bytes_in += recording->parts[i].packer.bytes_in;
		recording->packer.bytes_out += recording->parts[i].packer.bytes_out;
	}
}

/* The youngest records of the largest part give way. */
bool recording__make_room(struct recording *recording)
{
	struct data_writer *largest = NULL;

	for (u32 i = 0; i < recording->nr_parts; i++) {
		struct data_writer *part = recording->parts[i].writer;

		if (!largest || data_writer__data_size(part) > data_writer__data_size(largest))
			largest = part;
	}
	return largest && data_writer__give_room(largest, ROOM_FOR_FEATURES);
}

u64 recording__dropped_samples(const struct recording *recording)
{
	u64 sum = data_writer__dropped_samples(recording->writer);

	for (u32 i = 0; i < recording->nr_parts; i++)
		sum += data_writer__dropped_samples(recording->parts[i].writer);
	return sum;
}

/* The reader puts the files together, `data` first. */
struct data_writer *recording__writer_at(struct recording *recording, u64 *offset)
{
	struct data_writer *writer = recording->writer;
	u64 end = data_writer__data_end(writer);

	for (u32 i = 0; i < recording->nr_parts && *offset >= end; i++) {
		*offset -= end;
		writer = recording->parts[i].writer;
		end = data_writer__data_end(writer);
	}
	return writer;
}

void recording__exit_parts(struct recording *recording)
{
	ring_drain_team__exit(&recording->team);
	for (u32 i = 0; i < recording->nr_parts; i++) {
		data_writer__delete(recording->parts[i].writer);
		compressor__exit(&recording->parts[i].packer);
	}
	free(recording->parts);
	recording->parts = NULL;
	recording->nr_parts = 0;
	thread_masks__exit(&recording->masks);
}
