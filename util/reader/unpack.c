// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that cannot be read in place: those inside COMPRESSED records (record -z), and those of
 * folders (record --threads) whose files cannot be read in place (folder_form.c). They are written
 * out, as whole records, to a file without a name; from then on the file is like any other. Record
 * offsets are then those in the copy, which start at the offset of the original data.
 *
 * A live stream (live.c) goes through here on its way into its copy.
 *
 * Compressed data are zstd frames, one behind the other in each file: after a damaged record the
 * rest of its frame is lost. Lost bytes are as many zeros in the copy, which the walk finds and
 * reports. A checksum at the end of a frame that is wrong is damage there, too; the records before,
 * which may be at fault, have been read.
 */
#include "util/reader/reader_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/lib/file.h"
#include "util/lib/temp_file.h"

#define CHUNK_SIZE (256 * 1024)
#define RECORD_MAX 65536
#define PACKED_MIN 12 /* bytes of a packed record that says anything */

/*
 * What a packed record may stand for: what a recorder takes out of its ring at once, and no more
 * than any records shrink to. One that claims more is damaged, so that small files stay small.
 */
#define UNPACKED_MAX   (16ull << 20)
#define UNPACKED_RATIO 4096

struct unpack {
	struct perf_data *data;
	struct error *err;
	const char *path; /* of the file that is read */
	u64 at;           /* where the next byte of the copy goes */
	u64 allowed;      /* bytes that the compressed records so far may still stand for */
	bool packed;      /* there were compressed records */
	struct out_buffer {
		u8 *buf;
		size_t len, cap;
	} records;     /* unpacked, not yet written: at the end a part of a record */
	u64 payload;   /* that many of the next ones belong to the record before them */
	bool unframed; /* nonsense was among them: where records begin is for the walk to find */
	u64 lost; /* bytes of compressed records that cannot be unpacked, not yet in the copy */
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd; /* NULL: none, or broken */
#endif
	bool broken;   /* the frame */
	bool doubtful; /* there was nonsense: the ends of rounds are not believed any more */
	u64 round_end; /* in the copy, behind the last round that is believed: ends_round() */
};

/* ---- writing the copy ---- */

static int emit(struct unpack *u, const void *bytes, size_t len)
{
	int ret = file__write_all(u->data->data_fd, bytes, len);

	if (!ret) {
		u->at += len;
		return 0;
	}
	error__set(u->err, ret, "cannot keep an unpacked copy of", u->path, NULL);
	return error__advise(u->err, "set TMPDIR to a folder with room for it");
}

/*
 * Zeros for bytes that are no records. Where offsets are not those of the original any more, a
 * multiple of 8, so that records stay aligned.
 */
static int emit_damage(struct unpack *u, u64 size)
{
	u->at += u->packed ? round_up_u64(size, 8) : size;
	if (!size ||
	    (lseek(u->data->data_fd, u->at, SEEK_SET) >= 0 && !ftruncate(u->data->data_fd, u->at)))
		return 0;
	return error__set(u->err, -errno, "cannot keep an unpacked copy of", u->path, NULL);
}

/*
 * May all up to a record of this type be taken up? Also before the first pass over the rings, when
 * what ran before has been told: where nothing happens there is none for long.
 */
static bool ends_round(const struct unpack *u, u32 type)
{
	return !u->doubtful &&
	       (type == RECORD_FINISHED_ROUND || (type == RECORD_FINISHED_INIT && !u->round_end));
}

/* ---- compressed records ---- */

#ifdef HAVE_ZSTD
/*
 * A look at a record that goes into the copy at @at. The number of the bytes behind it that belong
 * to it; one that makes no sense is none.
 */
static u64 look_at_record(struct unpack *u, const u8 *record, u16 size, u64 at)
{
	u32 type = load_u32(record, u->data->swap);
	u64 payload = record__payload_size(record, type, size, u->data->swap);

	u->doubtful |= payload > INT64_MAX;
	if (ends_round(u, type))
		u->round_end = at + size;
	return payload == UINT64_MAX ? 0 : payload;
}

/* The length of what can be written: whole records, with what belongs to them. */
static size_t whole_records(struct unpack *u)
{
	const u8 *buf = u->records.buf;
	size_t len = u->records.len, at = 0;

	while (!u->unframed) {
		u64 payload = min_u64(u->payload, len - at);

		u->payload -= payload;
		at += payload;
		if (len - at < RECORD_HEADER_SIZE)
			return at;
		u16 size = load_u16(buf + at + 6, u->data->swap);

		if (size > len - at)
			return at;
		u->unframed = size < RECORD_HEADER_SIZE;
		u->doubtful |= u->unframed;
		u->payload = u->unframed ? 0 : look_at_record(u, buf + at, size, u->at + at);
		at += size;
	}
	return len;
}

static int emit_whole_records(struct unpack *u)
{
	size_t whole = whole_records(u);
	int ret = whole ? emit(u, u->records.buf, whole) : 0;

	u->records.len -= whole;
	if (whole)
		memmove(u->records.buf, u->records.buf + whole, u->records.len);
	return ret;
}

static int unpack_bytes(struct unpack *u, const u8 *bytes, size_t len)
{
	ZSTD_inBuffer in = { bytes, len, 0 };
	bool nothing = true; /* came out: each record ends with a flush, so something must */
	int ret = 0;

	if (!u->zstd)
		u->zstd = ZSTD_createDStream();
	u->packed = true;
	u->allowed += min_u64(len * UNPACKED_RATIO, UNPACKED_MAX);
	while (!ret && !u->broken) {
		struct out_buffer *r = &u->records;

		array__reserve(&r->buf, &r->cap, r->len + CHUNK_SIZE, 1);
		ZSTD_outBuffer out = { r->buf + r->len, CHUNK_SIZE, 0 };
		size_t code = ZSTD_decompressStream(u->zstd, &out, &in);

		if (ZSTD_isError(code) || out.pos > u->allowed) {
			u->broken = true;
			break;
		}
		u->allowed -= out.pos;
		r->len += out.pos;
		nothing &= !out.pos;
		if (r->len >= RECORD_MAX)
			ret = emit_whole_records(u);
		if (in.pos == in.size && out.pos < CHUNK_SIZE)
			break;
	}
	u->broken |= nothing && len >= PACKED_MIN;
	if (u->broken)
		u->lost += len;
	u->doubtful |= u->broken;
	return ret ? ret : emit_whole_records(u);
}
#else
static int unpack_bytes(struct unpack *u, const u8 *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	return error__set(u->err, -EOPNOTSUPP, "cannot read", u->path,
	                  "it is compressed (record -z), and this perf was built without libzstd");
}
#endif

/* No more of the frame can be had: what is left of it is a cut record. */
static int end_frame(struct unpack *u)
{
	int ret = emit_damage(u, u->lost + u->records.len);

	u->records.len = u->lost = u->payload = u->allowed = 0;
	u->broken = u->unframed = false;
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(u->zstd);
	u->zstd = NULL;
#endif
	return ret;
}

/*
 * Behind damage, the first record that begins with a frame goes on. (That bytes in the middle of
 * one look so is as likely as any four of them, and then they are an error.) Records may straddle
 * frames, if not ours.
 */
static int resume(struct unpack *u, const u8 *packed, size_t len)
{
	static const u8 magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (!u->broken || len < sizeof(magic) || memcmp(packed, magic, sizeof(magic)))
		return 0;
	int ret = end_frame(u);

	u->unframed = true;
	return ret;
}

static int unpack_record(struct unpack *u, const u8 *record, u32 type, u16 size)
{
	u64 from = RECORD_HEADER_SIZE, len = size - from;

	if (type == RECORD_COMPRESSED2) {
		from += 8;
		if (size < from)
			return 0;
		/* Zeros up to a multiple of 8 follow. */
		len = min_u64(load_u64(record + RECORD_HEADER_SIZE, u->data->swap), size - from);
	}
	int ret = resume(u, record + from, len);

	return ret ? ret : unpack_bytes(u, record + from, len);
}

/* The gap may have held a piece of the packed stream: then no more of it can be unpacked. */
static int end_gap(struct unpack *u, struct record_source *s)
{
#ifdef HAVE_ZSTD
	u->broken |= u->zstd && s->gap >= PACKED_MIN;
#endif
	u64 gap = s->gap;

	s->gap = 0;
	return emit_damage(u, gap);
}

/* Records of the buffer, in order, up to the first that is not wholly there. */
static int copy_records(struct unpack *u, struct record_source *s)
{
	size_t plain = s->at; /* from there on: records to be copied as they are */
	enum record_found found = FOUND_RECORD;
	int ret = 0;

	while (!ret && found != FOUND_NOTHING) {
		bool gap = s->searching;

		found = record_source__next(s);
		u->doubtful |= found == FOUND_DAMAGE;
		if (found == FOUND_GAP_END)
			ret = end_gap(u, s);
		bool packed = found == FOUND_RECORD && record_source__is_packed(s);

		if (!gap && (found != FOUND_RECORD || packed) && s->at > plain)
			ret = emit(u, s->buf + plain, s->at - plain);
		if (!gap && found == FOUND_RECORD && ends_round(u, s->type))
			u->round_end = u->at + (s->at - plain) + s->size;
		if (packed && !ret)
			ret = unpack_record(u, s->buf + s->at, s->type, s->size);
		record_source__pass(s, found);
		if (found != FOUND_RECORD || packed)
			plain = s->at;
	}
	return ret;
}

static int copy_file(struct unpack *u, int fd, u64 from, u64 end)
{
	struct record_source s = { .data = u->data,
		                   .path = u->path,
		                   .fd = fd,
		                   .pos = from,
		                   .end = end,
		                   .buf = xmalloc(min_u64(RECORD_SOURCE_SIZE, end - from) + 1) };
	int ret;

	do {
		ret = record_source__fill(&s, u->err);
		if (!ret)
			ret = copy_records(u, &s);
	} while (!ret && s.at);
	if (!ret)
		ret = emit_damage(u, s.gap + s.len); /* the last record is cut */
	free(s.buf);
	int end_ret = end_frame(u);

	return ret ? ret : end_ret;
}

/* ---- a stream while it comes ---- */

struct unpack_stream {
	struct unpack u;
	struct record_source s;
	bool begun; /* its header is in the copy */
};

struct unpack_stream *unpack_stream__new(struct perf_data *data)
{
	struct unpack_stream *self = xcalloc(1, sizeof(*self));

	self->u.data = data;
	self->u.path = data->path;
	self->s = (struct record_source){ .data = data, .buf = xmalloc(RECORD_SOURCE_SIZE) };
	return self;
}

void unpack_stream__delete(struct unpack_stream *self)
{
	if (!self)
		return;
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(self->u.zstd);
#endif
	free(self->u.records.buf);
	free(self->s.buf);
	free(self);
}

/*
 * The stream's own header tells the byte order; whoever opens the copy checks the rest. It stands
 * there as if it belonged to a record before it, and so does all of what is no stream.
 */
static void look_at_start(struct unpack_stream *self)
{
	const u8 *size = self->s.buf + 8;
	bool swap = load_u64(size, false) != PIPE_HEADER_SIZE;

	self->begun = true;
	self->u.data->swap = swap;
	self->u.doubtful = load_u64(size, swap) != PIPE_HEADER_SIZE;
	self->s.payload = self->u.doubtful ? UINT64_MAX : PIPE_HEADER_SIZE;
}

/* The last record may be cut: in the copy it is what it would be in a file. */
static int end_of_stream(struct unpack_stream *self)
{
	struct unpack *u = &self->u;
	struct record_source *s = &self->s;
	int ret = 0;

	s->at_end = true;
	if (s->searching)
		ret = copy_records(u, s);
	if (!ret)
		ret = u->packed || s->gap ? emit_damage(u, s->gap + s->len - s->at)
		                          : emit(u, s->buf + s->at, s->len - s->at);
	int end_ret = end_frame(u);

	s->len = s->at = s->gap = 0;
	return ret ? ret : end_ret;
}

int unpack_stream__take(struct unpack_stream *self, int pipe, struct error *err)
{
	struct unpack *u = &self->u;
	struct record_source *s = &self->s;
	size_t room = (self->begun ? RECORD_SOURCE_SIZE : PIPE_HEADER_SIZE) - s->len;
	ssize_t got;
	int ret = 0;

	u->err = err;
	do
		got = read(pipe, s->buf + s->len, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error__set(err, -errno, "cannot read", u->path, NULL);
	if (!got)
		return end_of_stream(self);
	s->len += got;
	if (!self->begun && s->len == PIPE_HEADER_SIZE)
		look_at_start(self);
	if (self->begun)
		ret = copy_records(u, s);
	s->len -= s->at;
	memmove(s->buf, s->buf + s->at, s->len);
	s->at = 0;
	return ret ? ret : got;
}

u64 unpack_stream__copied(const struct unpack_stream *self)
{
	return self->u.at;
}

u64 unpack_stream__round_end(const struct unpack_stream *self)
{
	return self->u.round_end;
}

bool unpack_stream__doubtful(const struct unpack_stream *self)
{
	return self->u.doubtful;
}

/* The feature may be cut off, damaged, or not written yet: then the records tell. */
static bool is_packed(const struct perf_data *data)
{
	size_t size;
	const u8 *bytes = perf_data__feature(data, FEATURE_COMPRESSED, &size);

	/* `stat record` sets the feature with zeros in it. */
	if (bytes && size >= 20 && load_u32(bytes + 16, data->swap))
		return true;
	return records__hold_packed(data, data->fd, data->info.data_offset, data->data_end);
}

/* ---- folders ---- */

/* A file that is not there or not to be read is damage, not the end. */
static int copy_numbered(struct unpack *u, const char *folder, u32 number)
{
	char *path = xasprintf("%s/data.%u", folder, number);
	u64 size;
	int fd = folder_form__open_part(path, &size), ret;

	u->path = path;
	ret = fd < 0 ? emit_damage(u, RECORD_HEADER_SIZE) : copy_file(u, fd, 0, size);
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

/* Up to here the copy is of one file. What is damaged at its end does not hide the next. */
static void end_piece(struct unpack *u)
{
	struct perf_data *data = u->data;
	struct data_piece *last = data->nr_pieces ? &data->pieces[data->nr_pieces - 1] : NULL;
	u64 start = last ? last->end : data->info.data_offset;

	if (u->at > start)
		data->pieces[data->nr_pieces++] =
		        (struct data_piece){ data->data_fd, start, u->at, start };
}

static int copy_folder(struct unpack *u, const char *folder)
{
	u32 nr, *numbers = folder_form__numbers(folder, &nr), next = 0;
	int ret = 0;

	u->data->pieces = xcalloc(nr + 1ull, sizeof(*u->data->pieces));
	end_piece(u);
	for (u32 i = 0; i < nr && !ret; i++) {
		if (numbers[i] > next) /* one or more are missing */
			ret = emit_damage(u, RECORD_HEADER_SIZE);
		if (!ret)
			ret = copy_numbered(u, folder, numbers[i]);
		end_piece(u);
		next = numbers[i] + 1;
	}
	free(numbers);
	return ret;
}

int unpack__open(struct perf_data *data, const char *folder, struct error *err)
{
	struct unpack u = { .data = data, .err = err, .path = data->path };
	/* Without features, as perf did not end, the folder itself tells, or the header. */
	bool numbered = folder && (perf_data__has_feature(data, FEATURE_DIR_FORMAT) ||
	                           data->not_closed || data->ends.nr_parts);

	if (perf_data__has_feature(data, FEATURE_DIR_FORMAT) && !folder)
		return error__set(err, -EINVAL, "cannot read", data->path,
		                  "it is a part of a folder of recordings: name the folder");
	if (data->live && data->info.header_size == PIPE_HEADER_SIZE)
		return 0; /* all in the clear already */
	if (!is_packed(data) && (!numbered || folder_form__open(data, folder)))
		return 0;
	int spool = temp_file__open(err);

	if (spool < 0)
		return spool;
	u64 missing = data->promised_end > data->data_end ? data->promised_end - data->data_end : 0;

	data->data_fd = spool;
	u.at = data->info.data_offset;
	if (lseek(spool, u.at, SEEK_SET) < 0)
		return error__set(err, -errno, "cannot read", data->path, NULL);
	int ret = copy_file(&u, data->fd, data->info.data_offset, data->data_end);

	if (!ret && numbered)
		ret = copy_folder(&u, folder);
	free(u.records.buf);
	data->data_end = u.at;
	data->promised_end = u.at + missing;
	return ret;
}
