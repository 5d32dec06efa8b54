// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pipe form of perf.data: 16 bytes of header, then records only. What a file has in sections
 * comes as records at the beginning: the events (HEADER_ATTR), the features, the formats of
 * tracepoints. All the analysis reads data more than once, so what comes through a real pipe is
 * copied to a file without a name first.
 */
#include "util/reader/reader_private.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/lib/file.h"
#include "util/lib/temp_file.h"

#define COPY_SIZE  (256 * 1024)
#define EVENTS_MAX 0xffff /* row.evsel is 16 bits wide */

int pipe_form__spool(const char *path, int fd, struct error *err)
{
	int spool = temp_file__open(err), ret = 0;

	if (spool < 0)
		return spool;
	u8 *buf = xmalloc(COPY_SIZE);

	for (;;) {
		ssize_t got = read(fd, buf, COPY_SIZE);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			ret = error__set(err, -errno, "cannot read", path, NULL);
		if (got <= 0)
			break;
		ret = file__write_all(spool, buf, got);
		if (ret) {
			error__set(err, ret, "cannot keep a copy of", path, NULL);
			error__advise(err, "set TMPDIR to a folder with room for it");
			break;
		}
	}
	free(buf);
	if (!ret)
		return spool;
	close(spool);
	return ret;
}

/* A record at the beginning of the stream. */
struct own_record {
	u64 offset;
	u32 type;
	u16 size;
	u8 bytes[65536];
};

static int read_record(const struct perf_data *data, u64 offset, struct own_record *r)
{
	if (!perf_data__in_file(data, offset, RECORD_HEADER_SIZE))
		return -ENODATA;
	int ret = perf_data__pread(data, offset, r->bytes, RECORD_HEADER_SIZE);

	if (ret)
		return ret;
	r->offset = offset;
	r->type = load_u32(r->bytes, data->swap);
	r->size = load_u16(r->bytes + 6, data->swap);
	if (r->size < RECORD_HEADER_SIZE || !perf_data__in_file(data, offset, r->size))
		return -EBADMSG;
	return perf_data__pread(data, offset, r->bytes, r->size);
}

/* attr of the size that it names itself, then ids to the record's end */
static int add_event(struct perf_data *data, const struct own_record *r)
{
	const u8 *attr = r->bytes + RECORD_HEADER_SIZE;
	u64 left = r->size - RECORD_HEADER_SIZE;

	if (left < PERF_ATTR_SIZE_VER0 || data->evlist.nr >= EVENTS_MAX)
		return -EBADMSG;
	u64 size = load_u32(attr + 4, data->swap);

	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > left || size % 8)
		return -EBADMSG;
	data->info.attr_size = size;
	perf_data__add_event(data, attr, size, attr + size, (left - size) / 8);
	return 0;
}

/* What stands for a section; *next moves behind bytes that follow the record. */
static int take(struct perf_data *data, const struct own_record *r, u64 *next)
{
	u64 body = r->offset + 16;

	if (r->type == RECORD_HEADER_ATTR)
		return add_event(data, r);
	if (r->type != RECORD_HEADER_FEATURE && r->type != RECORD_TRACING_DATA)
		return 0;
	if (r->size < 16)
		return -EBADMSG;
	if (r->type == RECORD_HEADER_FEATURE) {
		/* An empty one behind the last ends the list. */
		if (r->size > 16)
			features__add(data, load_u64(r->bytes + 8, data->swap), body, r->size - 16);
		return 0;
	}
	u64 size = load_u32(r->bytes + 8, data->swap);

	if (!perf_data__in_file(data, body, size))
		return -EBADMSG;
	features__add(data, FEATURE_TRACING_DATA, body, size);
	*next += round_up_u64(size, 8);
	return 0;
}

int pipe_form__open(struct perf_data *data, struct error *err)
{
	struct own_record *r = xmalloc(sizeof(*r));
	u64 next = PIPE_HEADER_SIZE;
	int ret;

	data->info.data_offset = PIPE_HEADER_SIZE;
	data->data_end = data->info.file_size;
	for (;;) {
		ret = read_record(data, next, r);
		/* All of them stand before the first record of the kernel. */
		if (ret || r->type < RECORD_HEADER_ATTR)
			break;
		next += r->size;
		ret = take(data, r, &next);
		if (ret)
			break;
	}
	if (data->live)
		live__begin(data, next);
	free(r);
	if (data->evlist.nr) {
		features__apply(data);
		return 0;
	}
	return error__set(err, -EINVAL, "cannot read", data->path,
	                  ret == -ENODATA ? "the stream ended before it described an event"
	                                  : "the stream describes no event");
}
