// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/archive/kernel_copy.h"
#include "util/buildid/build_id_cache.h"
#include "util/lib/alloc.h"
#include "util/record/recording_folder.h"
#include "util/writer/pipe_write.h"

static u64 now(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

double recording__ratio(const struct recording *recording)
{
	const struct recording_found *found = &recording->found;

	return found->packed_out ? (double)found->packed_in / found->packed_out : 0;
}

static struct feature_source features(const struct recording *recording)
{
	const struct build_id_pass *pass = &recording->found.pass;
	struct timespec resolution = { .tv_nsec = 1 };

	clock_getres(recording->wish.config.clock, &resolution);
	return (struct feature_source){
		.root = "",
		.compression = recording->wish.compression,
		.compression_ratio = recording__ratio(recording) + 0.5,
		.incomplete = recording->run->incomplete || recording__dropped_samples(recording),
		.decompressed_max = max_u64(recording->wish.ring_size, COMPRESS_CHUNK) + 4096,
		.version = recording->wish.version,
		.tracefs = recording->wish.sources.tracefs.path,
		.evlist = &recording->wish.evlist,
		.words = recording->wish.words,
		.nr_words = recording->wish.nr_words,
		.build_ids = pass->entries,
		.nr_build_ids = pass->nr_entries,
		.build_ids_wanted = !recording->wish.no_build_ids && !recording->wish.compression,
		.first_sample = pass->first_sample,
		.last_sample = pass->last_sample,
		.bpf_code = !recording->wish.config.no_bpf_event,
		.clockid_set = recording->wish.config.clock_set,
		.clockid = recording->wish.config.clock,
		.clock_resolution = (u64)resolution.tv_sec * 1000000000 + resolution.tv_nsec,
		.clock_wall_ns = recording->run->clock_wall_ns,
		.clock_ns = recording->run->clock_ns,
	};
}

/* --kcore: the kernel as it is now, beside the file. */
static int copy_kernel(struct recording *recording, struct error *err)
{
	int folder = data_writer__add_kernel_folder(recording->run->outlet.file.writer), ret;

	if (folder < 0)
		return error__set(err, folder, "cannot create a folder in", recording->wish.output,
		                  NULL);
	ret = kernel_copy__make(folder, "/proc", err);
	close(folder);
	return ret;
}

static struct data_writer *new_writer(struct recording *recording, struct error *err)
{
	struct recording_wish *wish = &recording->wish;
	struct data_writer *writer;

	if (wish->masks.nr || wish->kcore)
		return data_writer__new_folder(wish->output, err);
	if (wish->stream_fd < 0)
		return data_writer__new(wish->output, err);
	writer = data_writer__new_stream(wish->stream_fd, wish->output);
	data_writer__set_end(writer, wish->end_fd);
	wish->stream_fd = -1;
	return writer;
}

int recording__open_file(struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;
	struct data_writer *writer;

	data_writer__delete(run->outlet.file.writer); /* of the file before */
	file_sink__change(&run->outlet.file, NULL);
	writer = run->outlet.file.writer = new_writer(recording, err);
	if (!writer)
		return err->code;
	data_writer__set_last(writer, unwritten__last(&run->unwritten));
	if (recording->wish.stamped && !data_writer__has_name(writer)) {
		error__set(err, -EINVAL, "cannot record to several files", recording->wish.output,
		           "it leads to an open file, whose name is not known");
		return error__advise(err, "give the name: perf record -o FILE");
	}
	if ((recording->wish.kcore && copy_kernel(recording, err)) ||
	    recording__open_parts(recording, err))
		return err->code;
	return 0;
}

int recording__start_file(struct recording *recording, struct error *err)
{
	struct data_writer *writer = recording->run->outlet.file.writer;
	struct feature_source source;

	if (recording->wish.config.clock_set) {
		recording->run->clock_wall_ns = now(CLOCK_REALTIME);
		recording->run->clock_ns = now(recording->wish.config.clock);
	}
	if (recording->wish.compression)
		compressor__restart(&recording->run->outlet.pack.compressor);
	if (!recording->wish.config.stream)
		return data_writer__start(writer, &recording->wish.evlist, err);
	source = features(recording);
	return pipe_form__begin(writer, &source, err);
}

static int append_losses(void *ctx, const void *data, size_t len)
{
	struct recording *recording = ctx;
	int ret = data_writer__append_bytes(recording->run->outlet.file.writer, data, len);

	if (record_sink__is_full(ret))
		unwritten__keep(&recording->run->unwritten, data, len);
	return ret;
}

static void write_losses(struct recording *recording)
{
	struct synth synth;

	synth__init(&synth, &recording->wish.evlist, append_losses, recording);
	recording->found.lost_by_counters += ring_drain__put_lost(
	        &recording->run->drain, &synth, &recording->wish.evlist, &recording->wish.cpus);
	synth__exit(&synth);
}

/* Maps whose files share a name are told their build-ids one by one. */
static int tell_maps(struct recording *recording, struct error *err)
{
	const struct build_id_pass *pass = &recording->found.pass;

	for (u32 i = 0; i < pass->nr_maps; i++) {
		const struct build_id_entry *entry = &pass->entries[pass->maps[i].entry];
		u64 offset = pass->maps[i].offset;
		struct data_writer *writer = recording__writer_at(recording, &offset);
		int ret = data_writer__set_map_build_id(writer, offset, entry->id, entry->size);

		if (ret)
			return error__set(err, ret, "cannot write build-ids to",
			                  recording->wish.output, NULL);
	}
	return 0;
}

static int look_through(struct recording *recording, struct error *err)
{
	struct build_id_pass *pass = &recording->found.pass;
	int ret = data_writer__seal(recording->run->outlet.file.writer, err);
	char *path = data_writer__path_to_read(recording->run->outlet.file.writer);

	build_id_pass__exit(pass); /* of an earlier file */
	*pass = (struct build_id_pass){ 0 };
	pass->build_ids = !recording->wish.no_build_ids;
	pass->all = recording->wish.all_build_ids;
	pass->reading = recording->wish.reading;
	if (!ret && !path)
		ret = error__set(err, -ESTALE, "cannot look through", recording->wish.output,
		                 "it was removed or renamed while it was written");
	if (!ret)
		ret = build_id_pass__run(pass, path, err);
	free(path);
	return ret ? ret : tell_maps(recording, err);
}

static void fill_cache(struct recording *recording)
{
	char *dir;

	if (recording->wish.no_cache || !recording->found.pass.nr_entries)
		return;
	dir = build_id_cache__dir(NULL, NULL);
	if (dir)
		recording->found.nr_cache_troubles = build_id_pass__fill_cache(
		        &recording->found.pass, dir, &recording->found.cache_trouble);
	free(dir);
}

static int write_end(struct recording *recording, struct error *err)
{
	struct feature_source source = features(recording);
	u64 *sizes = recording__part_sizes(recording);
	int ret;

	source.part_sizes = sizes;
	source.nr_parts = recording->run->nr_parts;
	ret = data_writer__finish(recording->run->outlet.file.writer, &source, err);
	free(sizes);
	return ret;
}

static int finish_file(struct recording *recording, struct error *err)
{
	int ret = write_end(recording, err);

	if ((ret == -ENOSPC || ret == -EDQUOT) && recording__make_room(recording))
		ret = write_end(recording, err);
	return ret;
}

/* On a full disk the last frame stays open: what is in it is only not checked. */
static void end_packed(struct recording *recording, struct outlet *outlet)
{
	struct compressor *compressor = &outlet->pack.compressor;
	struct out end;

	out__init(&end, -1);
	if (!compressor__end(compressor, &end) && end.len)
		data_writer__append_bytes(outlet->file.writer, end.buf, end.len);
	out__exit(&end);
	recording->found.packed_in += compressor->bytes_in;
	recording->found.packed_out += compressor->bytes_out;
}

/* End what is packed in each file, and sum up the sizes. */
static void end_all_packed(struct recording *recording)
{
	struct recording_run *run = recording->run;

	recording->found.packed_in = recording->found.packed_out = 0;
	if (!recording->wish.compression)
		return;
	end_packed(recording, &run->outlet);
	for (u32 i = 0; i < run->nr_parts; i++)
		end_packed(recording, &run->parts[i]);
}

/*
 * A short-lived file of --switch-output is only looked through when somebody asked for what that
 * finds.
 */
int recording__close_file(struct recording *recording, struct error *err)
{
	bool look = !recording->wish.switching || !recording->wish.no_build_ids ||
	            recording->wish.boundary;
	struct error own = ERROR_INIT;
	int ret = 0, finish_ret;

	write_losses(recording);
	end_all_packed(recording);
	/* To unpack it all again would cost more than all that packing saved; nor does 6.1. */
	if (look && data_writer__is_file(recording->run->outlet.file.writer) &&
	    !recording->wish.compression)
		ret = look_through(recording, err);
	if (!ret)
		fill_cache(recording);
	/* Whatever the look-through met: the file gets its features. */
	finish_ret = finish_file(recording, &own);
	recording->found.data_size = data_writer__data_size(recording->run->outlet.file.writer) +
	                             recording__parts_size(recording);
	/* The closing line tells what is in the file. */
	if (recording->found.pass.nr_samples >= recording__dropped_samples(recording))
		recording->found.pass.nr_samples -= recording__dropped_samples(recording);
	if (finish_ret && err)
		*err = own;
	return finish_ret ? finish_ret : ret;
}

/* Of --switch-max-files: the oldest go. One that is gone already is no loss. */
static void keep_name(struct recording *recording, char *name)
{
	array__reserve(&recording->run->names, &recording->run->names_cap,
	               recording->run->nr_names + 1, sizeof(*recording->run->names));
	recording->run->names[recording->run->nr_names++] = name;
	if (!recording->wish.max_files || recording->run->nr_names <= recording->wish.max_files)
		return;
	data_writer__remove_older(recording->run->outlet.file.writer, recording->run->names[0]);
	free(recording->run->names[0]);
	recording->run->nr_names--;
	memmove(recording->run->names, recording->run->names + 1,
	        recording->run->nr_names * sizeof(*recording->run->names));
}

/*
 * NAME.YYYYMMDDhhmmssCC, C being hundredths of a second in local time, as Linux's perf names
 * them; the next free one where two files end in the same moment.
 */
int recording__stamp_file(struct recording *recording, struct error *err)
{
	struct error own = ERROR_INIT;
	struct timespec at = { 0 };
	int ret = 0;

	if (!data_writer__is_file(recording->run->outlet.file.writer))
		return 0;
	clock_gettime(CLOCK_REALTIME, &at);
	for (int i = 0; i < 1000; i++) {
		char stamp[32] = "", *name;
		struct tm tm;

		if (localtime_r(&at.tv_sec, &tm))
			strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
		name = xasprintf("%s.%s%02ld", recording->wish.output, stamp,
		                 at.tv_nsec / 10000000);
		ret = data_writer__rename(recording->run->outlet.file.writer, name, &own);
		if (!ret) {
			keep_name(recording, name);
			return 0;
		}
		free(name);
		if (ret != -EEXIST)
			break;
		at.tv_nsec += 10000000;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
	}
	if (err)
		*err = own;
	return ret;
}

const char *recording__last_name(const struct recording *recording)
{
	return recording->run->nr_names ? recording->run->names[recording->run->nr_names - 1]
	                                : NULL;
}

/* Another recording under our name has made ours PATH.old, or the next one removed it. */
void recording__look_where_it_is(struct recording *recording)
{
	const char *put = recording__last_name(recording);
	char *found = data_writer__find(recording->run->outlet.file.writer);

	recording->found.gone = !found;
	if (found && strcmp(found, put ? put : recording->wish.output))
		recording->found.found_at = found;
	else
		free(found);
}

char *recording__path_to_read(const struct recording *recording)
{
	return recording->run->outlet.file.writer
	               ? data_writer__path_to_read(recording->run->outlet.file.writer)
	               : NULL;
}

bool recording__has_file(const struct recording *recording)
{
	return recording->run->outlet.file.writer;
}
