// SPDX-License-Identifier: GPL-2.0-or-later
/* The file is written front to back and only the header is patched. */
#include "util/writer/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/format/ends.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/writer/writer_output.h"
#include "util/writer/writer_stream.h"

#define FILE_HEADER_SIZE 104
#define FEATURE_WORDS    4
#define NR_MARKS         64
#define MARK_STEP        (16 * 1024)

/* Of an MMAP2 record: size, 3 bytes of nothing and the build-id, or device, inode, generation. */
#define MMAP2_ID_AT       40
#define MMAP2_ID_SIZE     24
#define MMAP2_ID_BYTES_AT 4

static const struct writer_calls system_calls = { pwrite, writev, ftruncate };

struct data_writer {
	const struct writer_calls *calls;
	char *path;
	int fd;
	bool regular; /* else a device such as /dev/null: sizes mean nothing */
	bool stream;  /* nothing but appending, to: */
	struct writer_stream out;
	bool started;
	int folder;                  /* that the file is in, with its parts; -1: none */
	struct writer_output output; /* output.beside.at -1: the file has its name */
	u32 nr_parts;                /* made so far */
	bool incomplete;             /* records are missing in what was written */
	int error;
	u64 attrs_offset, attrs_size, attr_size;
	u64 room; /* behind them, for others */
	u64 data_offset, data_size;
	/* Record boundaries near the end of the data (a ring), for a full disk. */
	u64 marks[NR_MARKS];
	u32 nr_marks;
	u64 nr_dropped_samples; /* that made room for the features */
	struct writer_last last;
};

struct file_header {
	u64 magic, size, attr_size;
	u64 attrs_offset, attrs_size;
	u64 data_offset, data_size;
	struct ends_words ends;
	u64 features[FEATURE_WORDS];
};

_Static_assert(sizeof(struct file_header) == FILE_HEADER_SIZE, "file header layout");

/* Without a file. */
static struct data_writer *new_writer(const char *path)
{
	struct data_writer *writer = xcalloc(1, sizeof(*writer));

	writer->calls = &system_calls;
	writer->path = xstrdup(path);
	writer->fd = writer->folder = -1;
	writer->output = WRITER_OUTPUT_NONE;
	return writer;
}

static struct data_writer *new_at(const char *path, const struct writer_output *output)
{
	struct data_writer *writer = new_writer(path);
	struct stat st;

	writer->output = *output;
	writer->fd = output->fd;
	writer->folder = output->folder;
	writer->regular = fstat(output->fd, &st) == 0 && S_ISREG(st.st_mode);
	return writer;
}

struct data_writer *data_writer__new(const char *path, struct error *err)
{
	struct writer_output output;

	return writer_output__make(&output, path, false, err) ? NULL : new_at(path, &output);
}

struct data_writer *data_writer__new_folder(const char *path, struct error *err)
{
	struct writer_output output;

	return writer_output__make(&output, path, true, err) ? NULL : new_at(path, &output);
}

struct data_writer *data_writer__new_beside(const char *path, struct error *err)
{
	struct data_writer *writer;
	struct writer_output output;

	if (writer_output__make_beside(&output, path, err))
		return NULL;
	writer = new_at(path, &output);
	if (output.beside.at >= 0) /* by where it lies for good */
		new_file__watch(&writer->output.beside);
	return writer;
}

int data_writer__put(struct data_writer *writer, struct error *err)
{
	return writer->output.beside.at < 0 ? 0
	                                    : writer_output__end_beside(&writer->output, true, err);
}

struct data_writer *data_writer__new_part(struct data_writer *writer, struct error *err)
{
	struct data_writer *part;
	char name[32];
	int fd;

	BUG_ON(writer->folder < 0);
	snprintf(name, sizeof(name), "data.%u", writer->nr_parts);
	fd = writer_output__add(writer->folder, name);
	if (fd < 0) {
		error__set(err, fd, "cannot create a file in", writer->path, NULL);
		if (fd == -EMFILE)
			error__advise(err, "allow more open files: ulimit -n");
		return NULL;
	}
	char *path = xasprintf("%s/%s", writer->path, name);

	part = new_writer(path);
	free(path);
	part->calls = writer->calls;
	part->fd = fd;
	part->regular = part->started = true;
	writer->nr_parts++;
	return part;
}

int data_writer__add_kernel_folder(struct data_writer *writer)
{
	BUG_ON(writer->folder < 0);
	return writer_output__add_kernel_folder(writer->folder);
}

struct data_writer *data_writer__new_stream(int fd, const char *name)
{
	struct data_writer *writer = new_writer(name);

	writer_stream__open(&writer->out, fd);
	writer->stream = true;
	writer->started = true;
	return writer;
}

void data_writer__set_end(struct data_writer *writer, int fd)
{
	writer->out.end_fd = fd;
}

void data_writer__hurry(struct data_writer *writer)
{
	__atomic_store_n(&writer->out.hurry, true, __ATOMIC_RELAXED);
}

void data_writer__set_calls(struct data_writer *writer, const struct writer_calls *calls)
{
	writer->calls = calls;
}

void data_writer__set_last(struct data_writer *writer, struct writer_last last)
{
	writer->last = last;
}

char *data_writer__find(const struct data_writer *writer)
{
	struct dir_entry found;

	if (!writer->regular)
		return xstrdup(writer->path);
	if (writer_output__find(&writer->output, &found))
		return NULL;
	char *path = xstrdup(found.path);

	dir_entry__exit(&found);
	return path;
}

char *data_writer__path_to_read(const struct data_writer *writer)
{
	char *path =
	        xasprintf("/proc/self/fd/%d", writer->folder >= 0 ? writer->folder : writer->fd);

	if (!access(path, F_OK))
		return path;
	free(path); /* no /proc */
	return data_writer__find(writer);
}

void data_writer__settle(struct data_writer *writer)
{
	writer_output__settle(&writer->output);
}

void data_writer__abandon(struct data_writer *writer)
{
	if (writer->regular)
		writer_output__undo(&writer->output);
	writer->started = true;
	data_writer__delete(writer);
}

void data_writer__delete(struct data_writer *writer)
{
	if (!writer)
		return;
	if (writer->output.beside.at >= 0)
		writer_output__end_beside(&writer->output, false, NULL);
	else if (!writer->started && writer->regular)
		writer_output__undo(&writer->output);
	writer_output__settle(&writer->output);
	if (writer->folder >= 0)
		close(writer->folder);
	if (writer->stream)
		writer_stream__close(&writer->out);
	else
		close(writer->fd);
	output_path__exit(&writer->output.where);
	free(writer->path);
	free(writer);
}

int data_writer__rename(struct data_writer *writer, const char *path, struct error *err)
{
	int ret = writer_output__rename(&writer->output, path);

	if (ret)
		return error__set(err, ret, "cannot rename the recording to", path,
		                  ret == -ESTALE ? "it was removed or renamed meanwhile" : NULL);
	free(writer->path);
	writer->path = xstrdup(path);
	return 0;
}

void data_writer__remove_older(struct data_writer *writer, const char *path)
{
	unlinkat(writer->output.where.given.at, text__basename(path), 0);
}

u64 data_writer__dropped_samples(const struct data_writer *writer)
{
	return writer->nr_dropped_samples;
}

static int set_error(struct data_writer *writer, int code, struct error *err)
{
	writer->error = code;
	if (code == -ETIMEDOUT) {
		error__set(err, code, "cannot write", writer->path,
		           "the reader of the pipe took nothing for %d seconds",
		           WRITER_STREAM_PATIENCE);
		error__advise(err, "the end of the recording is missing");
		return code;
	}
	error__set(err, code, "cannot write", writer->path, NULL);
	if (code == -ENOSPC || code == -EDQUOT)
		error__advise(err, "make room, or write to another disk: -o FILE");
	return code;
}

/* All of it at @offset. *done gets the bytes that went out, also on failure. */
static int write_all_at(struct data_writer *writer, const void *data, size_t len, u64 offset)
{
	const u8 *p = data;

	while (len) {
		ssize_t n = writer->calls->pwrite(writer->fd, p, len, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		len -= n;
		offset += n;
	}
	return 0;
}

static int write_header(struct data_writer *writer, u64 data_size, const u64 *features)
{
	struct file_header header = {
		.magic = 0x32454c4946524550ull, /* "PERFILE2" */
		.size = FILE_HEADER_SIZE,
		.attr_size = writer->attr_size,
		.attrs_offset = writer->attrs_offset,
		.attrs_size = writer->attrs_size,
		.data_offset = writer->data_offset,
		.data_size = data_size,
		.ends = { .nr_parts = writer->nr_parts, .incomplete = writer->incomplete },
	};

	if (features)
		memcpy(header.features, features, sizeof(header.features));
	return write_all_at(writer, &header, sizeof(header), 0);
}

/*
 * Ids and attrs, from @offset on. attr.size decides whether older readers take the file: see
 * EVSEL_ATTR_SIZE. All events of one recording agree on it.
 */
static int write_events(struct data_writer *writer, const struct evlist *evlist, u64 offset)
{
	struct out out;
	u64 ids_offset = offset;
	int ret;

	out__init(&out, -1);
	for (u32 i = 0; i < evlist->nr; i++)
		out__mem(&out, evlist->evsels[i]->ids, evlist->evsels[i]->nr_ids * sizeof(u64));
	writer->attr_size = evlist->evsels[0]->attr.size + 2 * sizeof(u64);
	writer->attrs_offset = offset + out.len;
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct evsel *evsel = evlist->evsels[i];
		u64 section[2] = { ids_offset, evsel->nr_ids * sizeof(u64) };

		BUG_ON(evsel->attr.size + sizeof(section) != writer->attr_size);
		out__mem(&out, &evsel->attr, evsel->attr.size);
		out__mem(&out, section, sizeof(section));
		ids_offset += section[1];
	}
	writer->attrs_size = offset + out.len - writer->attrs_offset;
	ret = write_all_at(writer, out.buf, out.len, offset);
	out__exit(&out);
	return ret;
}

void data_writer__leave_room(struct data_writer *writer, u32 nr_events, u32 nr_ids)
{
	writer->room = nr_events * (EVSEL_ATTR_SIZE + 2 * sizeof(u64)) + nr_ids * sizeof(u64);
}

int data_writer__start(struct data_writer *writer, const struct evlist *evlist, struct error *err)
{
	int ret;

	BUG_ON(!evlist->nr);
	ret = write_events(writer, evlist, FILE_HEADER_SIZE);
	writer->data_offset = writer->attrs_offset + writer->attrs_size + writer->room;
	if (!ret)
		ret = write_header(writer, 0, NULL);
	if (ret)
		return set_error(writer, ret, err);
	if (lseek(writer->fd, writer->data_offset, SEEK_SET) < 0 && writer->regular)
		return set_error(writer, -errno, err);
	writer->started = true;
	return 0;
}

int data_writer__change_events(struct data_writer *writer, const struct evlist *evlist,
                               struct error *err)
{
	int ret = write_events(writer, evlist, writer->attrs_offset + writer->attrs_size);

	BUG_ON(writer->attrs_offset + writer->attrs_size > writer->data_offset);
	if (!ret)
		ret = write_header(writer, 0, NULL);
	return ret ? set_error(writer, ret, err) : 0;
}

/* Byte @at of a list of pieces; the caller knows that it is there. */
static u8 iov_byte(const struct iovec *iov, size_t at)
{
	while (at >= iov->iov_len) {
		at -= iov->iov_len;
		iov++;
	}
	return ((const u8 *)iov->iov_base)[at];
}

/* How many of the first @written bytes are whole records? */
static size_t whole_records(const struct iovec *iov, size_t written)
{
	size_t pos = 0;

	while (pos + RECORD_HEADER_SIZE <= written) {
		size_t size = iov_byte(iov, pos + 6) | iov_byte(iov, pos + 7) << 8;

		if (size < RECORD_HEADER_SIZE || pos + size > written)
			break;
		pos += size;
	}
	return pos;
}

/* Nothing fits any more: the data ends with the last whole record. */
static int end_here(struct data_writer *writer, const struct iovec *iov, size_t written, int code)
{
	writer->data_size += whole_records(iov, written);
	writer->error = code;
	if (writer->regular &&
	    writer->calls->ftruncate(writer->fd, writer->data_offset + writer->data_size) < 0)
		return code; /* a few bytes more behind the data: the header's sizes rule */
	return code;
}

static void add_mark(struct data_writer *writer)
{
	u32 last = (writer->nr_marks + NR_MARKS - 1) % NR_MARKS;

	if (writer->nr_marks && writer->data_size - writer->marks[last] < MARK_STEP)
		return;
	writer->marks[writer->nr_marks++ % NR_MARKS] = writer->data_size;
}

/* As writev(); to a pipe, as much as it takes once it takes something. */
static ssize_t write_pieces(struct data_writer *writer, const struct iovec *iov, int nr)
{
	struct writer_stream *stream = &writer->out;
	struct iovec slice;
	int ret = 0;

	if (!writer->stream)
		return writer->calls->writev(writer->fd, iov, nr);
	if (stream->blocks) {
		ret = writer_stream__wait(stream);
		slice = writer_stream__slice(iov);
		iov = &slice;
		nr = 1;
	}
	while (!ret) {
		ssize_t n = writer->calls->writev(stream->fd, iov, nr);

		if (n >= 0 || errno != EAGAIN)
			return n;
		ret = writer_stream__wait(stream);
	}
	errno = -ret;
	return -1;
}

#define APPEND_MAX 64

int data_writer__append(struct data_writer *writer, const struct iovec *iov, int nr)
{
	struct iovec rest[APPEND_MAX];
	size_t written = 0;
	int at = 0;

	BUG_ON(nr > APPEND_MAX);
	if (writer->error)
		return writer->error;
	add_mark(writer);
	memcpy(rest, iov, nr * sizeof(*iov));
	while (at < nr) {
		ssize_t n = write_pieces(writer, rest + at, nr - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return end_here(writer, iov, written, -errno);
		if (!n && rest[at].iov_len) /* a device that takes nothing and says nothing */
			return end_here(writer, iov, written, -EIO);
		written += n;
		for (; at < nr && (size_t)n >= rest[at].iov_len; at++)
			n -= rest[at].iov_len;
		if (at < nr) {
			rest[at].iov_base = (u8 *)rest[at].iov_base + n;
			rest[at].iov_len -= n;
		}
	}
	writer->data_size += written;
	return 0;
}

int data_writer__append_bytes(struct data_writer *writer, const void *data, size_t len)
{
	struct iovec iov = { .iov_base = (void *)data, .iov_len = len };

	return len ? data_writer__append(writer, &iov, 1) : writer->error;
}

u64 data_writer__data_size(const struct data_writer *writer)
{
	return writer->data_size;
}

u64 data_writer__data_end(const struct data_writer *writer)
{
	return writer->data_offset + writer->data_size;
}

bool data_writer__is_file(const struct data_writer *writer)
{
	return writer->regular;
}

bool data_writer__has_name(const struct data_writer *writer)
{
	return !writer->output.where.proc;
}

int data_writer__set_map_build_id(struct data_writer *writer, u64 offset, const u8 *id, u8 size)
{
	struct perf_event_header header;
	u8 field[MMAP2_ID_SIZE] = { size };

	if (size > sizeof(field) - MMAP2_ID_BYTES_AT)
		return -EINVAL;
	if (pread(writer->fd, &header, sizeof(header), offset) != sizeof(header) ||
	    header.type != PERF_RECORD_MMAP2 || header.size < MMAP2_ID_AT + MMAP2_ID_SIZE)
		return -EBADMSG;
	memcpy(field + MMAP2_ID_BYTES_AT, id, size);
	header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	int ret = write_all_at(writer, field, sizeof(field), offset + MMAP2_ID_AT);

	return ret ? ret : write_all_at(writer, &header, sizeof(header), offset);
}

int data_writer__seal(struct data_writer *writer, struct error *err)
{
	/* A reader looks for other files where the features tell of them, or there are none yet. */
	if (writer->nr_parts)
		return 0;
	int ret = write_header(writer, writer->data_size, NULL);

	return ret ? set_error(writer, ret, err) : 0;
}

/*
 * Features of @source into @out: the table of the sections, sized for the offset that the table
 * gets in the file, then the sections. @features gets their bits.
 */
static void collect_features(const struct feature_source *source, u64 table_offset, struct out *out,
                             u64 features[FEATURE_WORDS])
{
	u64 table[FEATURE_MAX][2];
	struct out sections;
	u32 nr = 0;

	memset(features, 0, FEATURE_WORDS * sizeof(u64));
	out__init(&sections, -1);
	for (unsigned feature = 1; feature < FEATURE_MAX; feature++) {
		size_t before = sections.len;

		if (!feature__write(feature, source, &sections)) {
			sections.len = before;
			continue;
		}
		features[feature / 64] |= 1ull << feature % 64;
		table[nr][0] = before;
		table[nr++][1] = sections.len - before;
	}
	for (u32 i = 0; i < nr; i++)
		table[i][0] += table_offset + nr * sizeof(table[0]);
	out__mem(out, table, nr * sizeof(table[0]));
	out__mem(out, sections.buf, sections.len);
	out__exit(&sections);
}

/*
 * Walk whole records from @pos, a boundary, and stop at the last one not behind @limit. Counts
 * the samples passed. A record that cannot be read, or whose data follow it, is not passed.
 */
static u64 walk_records(const struct data_writer *writer, u64 pos, u64 limit, u64 *nr_samples)
{
	struct perf_event_header header;

	*nr_samples = 0;
	while (pos + sizeof(header) <= limit) {
		if (pread(writer->fd, &header, sizeof(header), writer->data_offset + pos) !=
		            sizeof(header) ||
		    header.size < sizeof(header) || header.type == RECORD_AUXTRACE ||
		    pos + header.size > limit)
			break;
		*nr_samples += header.type == PERF_RECORD_SAMPLE;
		pos += header.size;
	}
	return pos;
}

/* Those from @pos, a boundary, to the end give way. */
static void tell_last(const struct data_writer *writer, u64 pos)
{
	size_t len = writer->data_size - pos;
	u8 *records = xmalloc(len + 1);
	struct record record;

	if (pread(writer->fd, records, len, writer->data_offset + pos) == (ssize_t)len)
		for (size_t at = 0; record__take(records + at, len - at, &record);
		     at += record.size)
			writer->last.gave_way(writer->last.ctx, record.data, record.size);
	free(records);
}

/* Give up the youngest records so that @need bytes get free. False: that cannot be done. */
static bool make_room(struct data_writer *writer, u64 need)
{
	for (u32 i = 0; i < NR_MARKS && i < writer->nr_marks; i++) {
		u64 mark = writer->marks[(writer->nr_marks - 1 - i) % NR_MARKS];

		if (mark > writer->data_size || writer->data_size - mark < need)
			continue;
		u64 passed, end = walk_records(writer, mark, writer->data_size - need, &passed);

		walk_records(writer, end, writer->data_size, &passed);
		if (writer->last.gave_way)
			tell_last(writer, end);
		if (writer->calls->ftruncate(writer->fd, writer->data_offset + end) < 0)
			return false;
		writer->nr_dropped_samples += passed;
		writer->data_size = end;
		return true;
	}
	return false;
}

bool data_writer__give_room(struct data_writer *part, u64 need)
{
	return make_room(part, need);
}

/* Last words and features. *words gets the size of the former. */
static int write_behind(struct data_writer *writer, const struct feature_source *source,
                        struct out *out, u64 *words, u64 features[FEATURE_WORDS])
{
	u64 offset = writer->data_offset + writer->data_size;

	out->len = 0;
	if (writer->last.words)
		writer->last.words(writer->last.ctx, out);
	*words = out->len;
	collect_features(source, offset + *words, out, features);
	return write_all_at(writer, out->buf, out->len, offset);
}

static int write_features(struct data_writer *writer, const struct feature_source *source,
                          u64 features[FEATURE_WORDS])
{
	struct out out;
	u64 words;

	out__init(&out, -1);
	int ret = write_behind(writer, source, &out, &words, features);

	/* Space is given out in pages or larger blocks: ask for two more than the bytes. */
	if ((ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG) &&
	    make_room(writer, out.len + 8192))
		ret = write_behind(writer, source, &out, &words, features);
	if (!ret)
		writer->data_size += words;
	out__exit(&out);
	return ret;
}

/* Only what is whole gets its mark. */
static int end_stream(struct data_writer *writer, const struct feature_source *source,
                      struct error *err)
{
	static const struct perf_event_header mark = {
		.type = RECORD_FINISHED_ROUND,
		.misc = ENDS_MISC,
		.size = sizeof(mark),
	};
	int ret = source->incomplete ? writer->error
	                             : data_writer__append_bytes(writer, &mark, sizeof(mark));

	return ret ? set_error(writer, ret, err) : 0;
}

int data_writer__finish(struct data_writer *writer, const struct feature_source *source,
                        struct error *err)
{
	u64 features[FEATURE_WORDS];
	int before = writer->error, ret;

	if (writer->stream)
		return end_stream(writer, source, err);
	data_writer__settle(writer);
	writer->incomplete = source->incomplete || before;
	ret = write_features(writer, source, features);
	if (ret) /* the data without features is still worth having */
		memset(features, 0, sizeof(features));
	writer->incomplete |= writer->nr_dropped_samples > 0;
	int header_ret = write_header(writer, writer->data_size, features);

	if (!ret)
		ret = header_ret;
	if (before || ret)
		return set_error(writer, before ? before : ret, err);
	return 0;
}
