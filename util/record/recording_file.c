// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of a recording. Usually one; with --switch-output one after another, each complete:
 * it begins with records about what exists, and its losses are those since the last file.
 * The file being written has the plain name; it gets its time stamp when it is finished.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/archive/kernel_copy.h"
#include "util/buildid/build_id_cache.h"
#include "util/lib/alloc.h"
#include "util/record/recording_local.h"
#include "util/writer/pipe_write.h"

static u64 now(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

double recording__ratio(const struct recording *recording)
{
	const struct compressor *packer = &recording->packer;

	return packer->bytes_out ? (double)packer->bytes_in / packer->bytes_out : 0;
}

static struct feature_source features(const struct recording *recording)
{
	const struct build_id_pass *pass = &recording->pass;
	struct timespec resolution = { .tv_nsec = 1 };

	clock_getres(recording->config.clock, &resolution);
	return (struct feature_source){
		.root = "",
		.compression = recording->compression,
		.compression_ratio = recording__ratio(recording) + 0.5,
		.incomplete = recording->incomplete || recording__dropped_samples(recording),
		.decompressed_max = max_u64(recording->ring_size, COMPRESS_CHUNK) + 4096,
		.version = recording->version,
		.tracefs = recording->sources.tracefs.path,
		.evlist = &recording->evlist,
		.words = recording->words,
		.nr_words = recording->nr_words,
		.build_ids = pass->entries,
		.nr_build_ids = pass->nr_entries,
		.build_ids_wanted = !recording->no_build_ids && !recording->compression,
		.first_sample = pass->first_sample,
		.last_sample = pass->last_sample,
		.clockid_set = recording->config.clock_set,
		.clockid = recording->config.clock,
		.clock_resolution = (u64)resolution.tv_sec * 1000000000 + resolution.tv_nsec,
		.clock_wall_ns = recording->clock_wall_ns,
		.clock_ns = recording->clock_ns,
	};
}

/* --kcore: the kernel as it is now, beside the file. */
static int copy_kernel(struct recording *recording, struct error *err)
{
	int folder = data_writer__add_kernel_folder(recording->writer), ret;

	if (folder < 0)
		return error__set(err, folder, "cannot create a folder in", recording->output,
		                  NULL);
	ret = kernel_copy__make(folder, "/proc", err);
	close(folder);
	return ret;
}

int recording__open_file(struct recording *recording, struct error *err)
{
	if (recording->masks.nr || recording->kcore) {
		recording->writer = data_writer__new_folder(recording->output, err);
	} else if (recording->stream_fd < 0) {
		recording->writer = data_writer__new(recording->output, err);
	} else {
		recording->writer =
		        data_writer__new_stream(recording->stream_fd, recording->output);
		data_writer__set_end(recording->writer, recording->end_fd);
		recording->stream_fd = -1;
	}
	if (recording->stamped && recording->writer && !data_writer__has_name(recording->writer)) {
		error__set(err, -EINVAL, "cannot record to several files", recording->output,
		           "it leads to an open file, whose name is not known");
		return error__advise(err, "give the name: perf record -o FILE");
	}
	if (recording->writer)
		data_writer__set_last(recording->writer, unwritten__last(&recording->unwritten));
	if (!recording->writer || (recording->kcore && copy_kernel(recording, err)) ||
	    recording__start_parts(recording, err))
		return err->code;
	return 0;
}

int recording__start_file(struct recording *recording, struct error *err)
{
	struct feature_source source;

	if (recording->config.clock_set) {
		recording->clock_wall_ns = now(CLOCK_REALTIME);
		recording->clock_ns = now(recording->config.clock);
	}
	if (recording->compression)
		compressor__restart(&recording->packer);
	if (!recording->config.stream)
		return data_writer__start(recording->writer, &recording->evlist, err);
	source = features(recording);
	return pipe_form__begin(recording->writer, &source, err);
}

static int append_losses(void *ctx, const void *data, size_t len)
{
	struct recording *recording = ctx;
	int ret = data_writer__append_bytes(recording->writer, data, len);

	if (ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG)
		unwritten__keep(&recording->unwritten, data, len);
	return ret;
}

static void write_losses(struct recording *recording)
{
	struct synth synth;

	synth__init(&synth, &recording->evlist, append_losses, recording);
	recording->lost_by_counters += ring_drain__put_lost(&recording->drain, &synth,
	                                                    &recording->evlist, &recording->cpus);
	synth__exit(&synth);
}

/* Maps whose files share a name are told their build-ids one by one. */
static int tell_maps(struct recording *recording, struct error *err)
{
	const struct build_id_pass *pass = &recording->pass;

	for (u32 i = 0; i < pass->nr_maps; i++) {
		const struct build_id_entry *entry = &pass->entries[pass->maps[i].entry];
		u64 offset = pass->maps[i].offset;
		struct data_writer *writer = recording__writer_at(recording, &offset);
		int ret = data_writer__set_map_build_id(writer, offset, entry->id, entry->size);

		if (ret)
			return error__set(err, ret, "cannot write build-ids to", recording->output,
			                  NULL);
	}
	return 0;
}

static int look_through(struct recording *recording, struct error *err)
{
	struct build_id_pass *pass = &recording->pass;
	int ret = data_writer__seal(recording->writer, err);
	char *path = data_writer__path_to_read(recording->writer);

	build_id_pass__exit(pass); /* of an earlier file */
	*pass = (struct build_id_pass){ 0 };
	pass->build_ids = !recording->no_build_ids;
	pass->all = recording->all_build_ids;
	if (!ret && !path)
		ret = error__set(err, -ESTALE, "cannot look through", recording->output,
		                 "it was removed or renamed while it was written");
	if (!ret)
		ret = build_id_pass__run(pass, path, err);
	free(path);
	return ret ? ret : tell_maps(recording, err);
}

static void fill_cache(struct recording *recording)
{
	char *dir;

	if (recording->no_cache || !recording->pass.nr_entries)
		return;
	dir = build_id_cache__dir(NULL, NULL);
	if (dir)
		recording->nr_cache_troubles =
		        build_id_pass__fill_cache(&recording->pass, dir, &recording->cache_trouble);
	free(dir);
}

static int write_end(struct recording *recording, struct error *err)
{
	struct feature_source source = features(recording);
	u64 *sizes = recording__part_sizes(recording);
	int ret;

	source.part_sizes = sizes;
	source.nr_parts = recording->nr_parts;
	ret = data_writer__finish(recording->writer, &source, err);
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

/*
 * Everything is in the file: look through it, put the features behind it. A short-lived file of
 * --switch-output is only looked through when somebody asked for what that finds.
 */
static int close_file(struct recording *recording, struct error *err)
{
	bool look = !recording->switching || !recording->no_build_ids || recording->boundary;
	struct error own = ERROR_INIT;
	int ret = 0, finish_ret;

	write_losses(recording);
	recording__end_packed(recording);
	/* To unpack it all again would cost more than all that packing saved; nor does 6.1. */
	if (look && data_writer__is_file(recording->writer) && !recording->compression)
		ret = look_through(recording, err);
	if (!ret)
		fill_cache(recording);
	/* Whatever the look-through met: the file gets its features. */
	finish_ret = finish_file(recording, &own);
	recording->data_size =
	        data_writer__data_size(recording->writer) + recording__parts_size(recording);
	/* The closing line tells what is in the file. */
	if (recording->pass.nr_samples >= recording__dropped_samples(recording))
		recording->pass.nr_samples -= recording__dropped_samples(recording);
	if (finish_ret && err)
		*err = own;
	return finish_ret ? finish_ret : ret;
}

/* Of --switch-max-files: the oldest go. One that is gone already is no loss. */
static void keep_name(struct recording *recording, char *name)
{
	array__reserve(&recording->names, &recording->names_cap, recording->nr_names + 1,
	               sizeof(*recording->names));
	recording->names[recording->nr_names++] = name;
	if (!recording->max_files || recording->nr_names <= recording->max_files)
		return;
	data_writer__remove_older(recording->writer, recording->names[0]);
	free(recording->names[0]);
	recording->nr_names--;
	memmove(recording->names, recording->names + 1,
	        recording->nr_names * sizeof(*recording->names));
}

/*
 * NAME.YYYYMMDDhhmmssCC, C being hundredths of a second in local time, as Linux's perf names
 * them; the next free one where two files end in the same moment.
 */
static int stamp_file(struct recording *recording, struct error *err)
{
	struct error own = ERROR_INIT;
	struct timespec at = { 0 };
	int ret = 0;

	if (!data_writer__is_file(recording->writer))
		return 0;
	clock_gettime(CLOCK_REALTIME, &at);
	for (int i = 0; i < 1000; i++) {
		char stamp[32] = "", *name;
		struct tm tm;

		if (localtime_r(&at.tv_sec, &tm))
			strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
		name = xasprintf("%s.%s%02ld", recording->output, stamp, at.tv_nsec / 10000000);
		ret = data_writer__rename(recording->writer, name, &own);
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
	return recording->nr_names ? recording->names[recording->nr_names - 1] : NULL;
}

int recording__switch(struct recording *recording, struct error *err)
{
	int ret = ring_drain__catch_up(&recording->drain);

	if (ret)
		return error__set(err, ret, "cannot write", recording->output, NULL);
	ret = recording__synthesize_tail(recording, err);
	if (!ret)
		ret = close_file(recording, err);
	if (!ret)
		ret = stamp_file(recording, err);
	if (ret)
		return ret;
	data_writer__delete(recording->writer);
	recording->drain.writer = NULL;
	ret = recording__open_file(recording, err);
	if (!ret)
		ret = recording__start_file(recording, err);
	if (ret)
		return ret;
	recording->drain.writer = recording->writer;
	recording->drain.nr_woken = 0;
	recording->drain.live_size = 0; /* its thread has nothing to do now */
	return recording__synthesize_head(recording, true, err);
}

/* Another recording under our name has made ours PATH.old, or the next one removed it. */
static void look_where_it_is(struct recording *recording)
{
	const char *put = recording__last_name(recording);
	char *found = data_writer__find(recording->writer);

	recording->gone = !found;
	if (found && strcmp(found, put ? put : recording->output))
		recording->found_at = found;
	else
		free(found);
}

char *recording__path_to_read(const struct recording *recording)
{
	return recording->writer ? data_writer__path_to_read(recording->writer) : NULL;
}

int recording__end(struct recording *recording, struct error *err)
{
	struct error tail_err = ERROR_INIT;
	int ret, tail_ret, drain_ret;

	for (u32 i = 0; i < recording->evlist.nr; i++)
		evsel__disable(recording->evlist.evsels[i]);
	if (!recording->writer) /* the next file could not be made: what there is, is finished */
		return 0;
	ring_drain__finish(&recording->drain); /* an error stays in the writer */
	drain_ret = ring_drain_team__finish(&recording->team);
	if (!drain_ret)
		drain_ret = recording__end_pilot(recording);
	if (recording->live)
		recording->unwound = *live_unwind__counts(recording->live);
	tail_ret = recording__synthesize_tail(recording, &tail_err);
	recording->incomplete |= drain_ret || tail_ret;
	ret = close_file(recording, err);
	if (recording->stamped) {
		int stamp_ret = stamp_file(recording, ret ? NULL : err);

		ret = ret ? ret : stamp_ret;
	}
	if (!ret && tail_ret) {
		*err = tail_err;
		ret = tail_ret;
	}
	if (!ret && drain_ret)
		ret = error__set(err, drain_ret, "cannot write", recording->output, NULL);
	look_where_it_is(recording);
	return ret;
}
