// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does a recording end where it should? Damage is what the walk finds between records; a cut
 * exactly between two records is found here, by what the recording says of its own size (ends.h).
 *
 * Streams of other perfs say nothing. In them each pass over the rings ends with a FINISHED_ROUND,
 * so the last record is never one of a ring. A cut after a round cannot be detected.
 */
#include "util/format/ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "util/format/sample.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/reader_private.h"

#define PARTS_MAX 65536

/* Bytes of the part; 0 with *there false: it is missing. */
static u64 part_size(const char *folder, u32 number, bool *there)
{
	char *path = xasprintf("%s/data.%u", folder, number);
	struct stat st;

	*there = !lstat(path, &st) && S_ISREG(st.st_mode);
	free(path);
	return *there ? st.st_size : 0;
}

static void look_at_parts(struct perf_data *data, const char *folder)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_DIR_FORMAT);
	struct data_ends *ends = &data->ends;

	cursor__u64(&c); /* the version */
	ends->sizes_known = !c.failed && cursor__left(&c) >= ends->nr_parts * sizeof(u64);
	for (u32 i = 0; i < ends->nr_parts; i++) {
		u64 promised = ends->sizes_known ? cursor__u64(&c) : 0;
		bool there;
		u64 size = part_size(folder, i, &there);

		if (!there)
			ends->nr_missing_parts++;
		else if (size < promised && !ends->nr_cut_parts++)
			ends->cut_part = i;
		else if (ends->sizes_known && size > promised && !ends->nr_long_parts++)
			ends->long_part = i;
		if (size < promised)
			ends->missing_bytes += there ? promised - size : 0;
	}
}

void ends__open(struct perf_data *data, const char *folder)
{
	u8 words[sizeof(struct ends_words)];

	if (perf_data__is_pipe_form(data) ||
	    perf_data__pread(data, ENDS_WORDS_OFFSET, words, sizeof(words)) ||
	    load_u64(words, data->swap))
		return;
	u32 nr = load_u32(words + 8, data->swap);

	data->ends.incomplete = load_u32(words + 12, data->swap) == 1;
	if (!folder || nr > PARTS_MAX)
		return;
	data->ends.nr_parts = nr;
	look_at_parts(data, folder);
}

void ends__note(struct perf_data *data, u32 type, u16 misc)
{
	struct stream_signs *signs = &data->signs;

	signs->ours |= type == RECORD_HEADER_ATTR && misc == ENDS_MISC;
	signs->marked |= type == RECORD_FINISHED_ROUND && misc == ENDS_MISC;
	signs->begun |= type == RECORD_FINISHED_ROUND || type == RECORD_STAT_ROUND ||
	                type == RECORD_FINISHED_INIT;
	signs->sorted |= type == RECORD_BUILD_ID;
}

/*
 * Did it come from a ring? What a perf makes up has no time; but samples of --off-cpu, which newer
 * perfs of Linux write at their end, have one.
 */
static bool is_of_ring(struct perf_data *data, const struct record *record)
{
	const struct evsel *evsel = perf_data__find_evsel(data, record);

	if (record->type == PERF_RECORD_SAMPLE)
		return !evsel || evsel->attr.type != PERF_TYPE_SOFTWARE ||
		       evsel->attr.config != PERF_COUNT_SW_BPF_OUTPUT;
	if (record->type >= RECORD_HEADER_ATTR || record->type == PERF_RECORD_LOST_SAMPLES)
		return false;
	const struct sample_layout *layout =
	        perf_data__layout(data, evsel ? evsel : data->evlist.evsels[0]);
	struct sample trailer;

	return layout->t_time &&
	       (sample__decode_trailer(layout, record, data->swap, &trailer) || trailer.time);
}

static bool ends_in_pass(struct perf_data *data)
{
	struct record record = { .offset = data->signs.last };
	u8 *bytes = xmalloc(UINT16_MAX + 1);
	bool is = false;

	if (data->signs.last &&
	    !perf_data__pread_records(data, record.offset, bytes, RECORD_HEADER_SIZE)) {
		record.data = bytes;
		record.type = load_u32(bytes, data->swap);
		record.misc = load_u16(bytes + 4, data->swap);
		record.size = load_u16(bytes + 6, data->swap);
		is = !perf_data__pread_records(data, record.offset, bytes, record.size) &&
		     is_of_ring(data, &record);
	}
	free(bytes);
	return is;
}

void ends__of_stream(struct perf_data *data)
{
	const struct stream_signs *signs = &data->signs;

	if (signs->ours)
		data->ends.cut_stream = !signs->marked;
	else /* `perf inject -b` of Linux sorts, and ends with any record */
		data->ends.cut_stream = !signs->begun || (!signs->sorted && ends_in_pass(data));
}

const struct data_ends *perf_data__ends(const struct perf_data *data)
{
	return &data->ends;
}

bool perf_data__is_whole(const struct perf_data *data)
{
	const struct data_ends *ends = &data->ends;

	return !data->not_closed && !data->nr_damages && !ends->cut_stream && !ends->incomplete &&
	       !ends->nr_missing_parts && !ends->nr_cut_parts && !ends->nr_long_parts;
}
