// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings that are no plain file: streams, compressed records, folders. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/unit/reader_fixture.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/reader/ordered.h"

#define TYPE READER_FIXTURE_TYPE

/* ---- streams ---- */

static void add_attr(struct builder *b, const u64 *ids, u32 nr)
{
	struct perf_event_attr attr = built_attr(TYPE | PERF_SAMPLE_IDENTIFIER);
	size_t at = builder__begin(b, RECORD_HEADER_ATTR, 0);

	builder__attr(b, &attr, 128);
	for (u32 i = 0; i < nr; i++)
		builder__u64(b, ids[i]);
	builder__end(b, at);
}

static void add_feature(struct builder *b, u64 number, const char *text)
{
	size_t at = builder__begin(b, RECORD_HEADER_FEATURE, 0);

	builder__u64(b, number);
	if (text)
		builder__feature_string(b, text);
	builder__end(b, at);
}

static void add_samples(struct builder *b, u64 id, u64 nr)
{
	for (u64 i = 0; i < nr; i++) {
		struct built_sample s = reader_fixture__sample(i);

		s.id = id;
		builder__sample(b, TYPE | PERF_SAMPLE_IDENTIFIER, PERF_RECORD_MISC_USER, &s);
	}
}

static void begin_head(struct builder *b, bool swap)
{
	*b = (struct builder){ .swap = swap };
	builder__u64(b, 0x32454c4946524550ull);
	builder__u64(b, 16);
	add_attr(b, (u64[]){ 7, 8 }, 2);
	add_attr(b, (u64[]){ 9 }, 1);
	add_feature(b, FEATURE_HOSTNAME, "there");
	add_feature(b, 32, NULL); /* the end of the list */
	size_t at = builder__begin(b, RECORD_TRACING_DATA, 0);

	builder__u32(b, 21); /* the blob is filled up to 24 */
	builder__u32(b, 0);
	builder__end(b, at);
	builder__bytes(b, "formats of some events\0\0", 24);
}

static void begin_stream(struct builder *b, bool swap)
{
	begin_head(b, swap);
	add_samples(b, 8, 5);
	add_samples(b, 9, 6);
}

static void check_stream(struct perf_data *data)
{
	struct seen seen = reader_fixture__walk_twice(data);
	size_t size;
	u32 nr;

	CHECK(perf_data__is_pipe_form(data));
	CHECK(!perf_data__not_closed(data));
	CHECK_EQ(perf_data__evlist(data)->nr, 2);
	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 11);
	CHECK_EQ(perf_data__evsel_of_id(data, 9)->idx, 1);
	CHECK_STR(perf_data__feature_string(data, FEATURE_HOSTNAME), "there");
	const char *formats = perf_data__feature(data, FEATURE_TRACING_DATA, &size);

	CHECK_EQ(size, 21);
	CHECK(formats && !memcmp(formats, "formats of some event", 21));
	CHECK(!perf_data__has_feature(data, 32));
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 0);
}

TEST(forms_stream_kept_in_a_file_in_both_orders)
{
	for (int swap = 0; swap < 2; swap++) {
		struct builder b;

		begin_stream(&b, swap);
		struct perf_data *data = perf_data__open(builder__write(&b, "stream"), 0, NULL);

		CHECK(data);
		if (data)
			check_stream(data);
		perf_data__close(data);
		builder__exit(&b);
	}
}

/* The stream through a pipe, from a child *pid; NULL: it cannot be read. */
static struct perf_data *open_piped(const struct builder *b, unsigned flags, pid_t *pid)
{
	char *path = xasprintf("%s/fifo", unit__tmpdir());

	CHECK_EQ(mkfifo(path, 0600), 0);
	*pid = fork();
	if (!*pid) {
		int fd = open(path, O_WRONLY);

		/* In pieces, so that reading must go on. */
		for (size_t at = 0; fd >= 0 && at < b->len; at += 100)
			if (write(fd, b->data + at, b->len - at < 100 ? b->len - at : 100) < 0)
				_exit(1);
		_exit(0);
	}
	struct perf_data *data = perf_data__open(path, flags, NULL);

	free(path);
	return data;
}

TEST(forms_stream_from_a_pipe)
{
	struct builder b;
	pid_t pid;

	begin_stream(&b, false);
	struct perf_data *data = open_piped(&b, 0, &pid);

	CHECK(data);
	if (data)
		check_stream(data);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	perf_data__close(data);
	builder__exit(&b);
}

/* A stream whose two halves are sent by turns: the second after a byte through @go. */
struct halves {
	char *path;
	pid_t pid;
	int go;
};

static void send_halves(struct halves *h, const struct builder *b, size_t half)
{
	int fds[2];
	u8 byte;

	h->path = xasprintf("%s/fifo", unit__tmpdir());
	CHECK_EQ(mkfifo(h->path, 0600), 0);
	CHECK_EQ(pipe(fds), 0);
	h->pid = fork();
	if (!h->pid) {
		int fd = open(h->path, O_WRONLY);

		close(fds[1]);
		if (write(fd, b->data, half) < 0 || read(fds[0], &byte, 1) != 1 ||
		    write(fd, b->data + half, b->len - half) < 0)
			_exit(1);
		_exit(0);
	}
	close(fds[0]);
	h->go = fds[1];
}

static void end_halves(struct halves *h)
{
	close(h->go);
	CHECK_EQ(waitpid(h->pid, NULL, 0), h->pid);
	unlink(h->path);
	free(h->path);
}

static void add_round(struct builder *b)
{
	builder__end(b, builder__begin(b, RECORD_FINISHED_ROUND, 0));
}

static void add_sample_at(struct builder *b, u64 time)
{
	struct built_sample s = { .id = 8, .ip = time, .time = time, .pid = 1, .tid = 1 };

	builder__sample(b, TYPE | PERF_SAMPLE_IDENTIFIER, PERF_RECORD_MISC_USER, &s);
}

/* The times of what comes now, in one number: 1, 2, 3 is 123. */
static u64 digits(struct ordered *ordered)
{
	struct record record;
	u64 time, sum = 0;

	while (ordered__next(ordered, &record, &time))
		if (record.type == PERF_RECORD_SAMPLE)
			sum = 10 * sum + time;
	return sum;
}

TEST(forms_stream_that_goes_on_gives_what_its_rounds_promise)
{
	struct halves h;
	struct builder b;
	struct seen seen = { 0 };

	begin_head(&b, false);
	add_sample_at(&b, 2);
	add_round(&b);
	add_sample_at(&b, 5);
	add_sample_at(&b, 1); /* late: where its time says */
	add_round(&b);
	size_t half = b.len + 20; /* a part of the next record comes, too */

	add_sample_at(&b, 4);
	add_sample_at(&b, 3);
	add_round(&b);
	add_sample_at(&b, 6);
	send_halves(&h, &b, half);
	struct perf_data *data = perf_data__open(h.path, PERF_DATA_LIVE, NULL);

	CHECK(data && perf_data__is_live(data));
	if (data) {
		seen.data = data;
		CHECK_EQ(perf_data__walk(data, reader_fixture__look, &seen, NULL), 0);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 3);
		struct ordered *ordered = ordered__new(data, NULL);

		CHECK_EQ(digits(ordered), 12); /* 5 must wait for 3 and 4 */
		CHECK_EQ(write(h.go, "", 1), 1);
		while (perf_data__more(data, NULL) == 1) {
			CHECK_EQ(perf_data__walk_on(data, reader_fixture__look, &seen, NULL), 0);
			CHECK_EQ(ordered__more(ordered, NULL), 0);
		}
		CHECK(!perf_data__is_live(data));
		CHECK_EQ(digits(ordered), 3456);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 6);
		CHECK(!seen.wrong);
		ordered__delete(ordered);
	}
	end_halves(&h);
	perf_data__close(data);
	builder__exit(&b);
}

/* Whoever writes the pipe is ahead of its reader, as a recorder in a flood. */
TEST(forms_stream_that_never_pauses_is_taken_in_parts)
{
	struct builder b;
	struct seen seen = { 0 };
	u64 nr = 0, largest = 0, before = 0;
	struct halves h;

	begin_head(&b, false);
	for (u64 time = 1; b.len < 16 << 20; time++) {
		add_sample_at(&b, time);
		if (time % 1000 == 0)
			add_round(&b);
		nr++;
	}
	send_halves(&h, &b, b.len);
	CHECK_EQ(write(h.go, "", 1), 1);
	struct perf_data *data = perf_data__open(h.path, PERF_DATA_LIVE, NULL);

	CHECK(data && perf_data__is_live(data));
	if (data) {
		seen.data = data;
		CHECK_EQ(perf_data__walk(data, reader_fixture__look, &seen, NULL), 0);
		while (perf_data__more(data, NULL) == 1) {
			before = seen.nr[PERF_RECORD_SAMPLE];
			CHECK_EQ(perf_data__walk_on(data, reader_fixture__look, &seen, NULL), 0);
			largest = max_u64(largest, seen.nr[PERF_RECORD_SAMPLE] - before);
		}
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], nr);
		CHECK(largest < nr / 6);
	}
	end_halves(&h);
	perf_data__close(data);
	builder__exit(&b);
}

/* Wherever it ends: no crash, and every sample before the cut. */
TEST(forms_stream_cut_anywhere)
{
	struct builder b;
	u64 before = 0;

	begin_stream(&b, false);
	for (size_t len = b.len; len >= 16; len--) {
		struct builder cut = { .data = b.data, .len = len };
		struct perf_data *data = perf_data__open(builder__write(&cut, "cut"), 0, NULL);

		if (!data)
			continue;
		struct seen seen = reader_fixture__walk_twice(data);

		CHECK(len == b.len || seen.nr[PERF_RECORD_SAMPLE] <= before);
		CHECK(len < b.len - 60 || seen.nr[PERF_RECORD_SAMPLE] >= 9);
		before = seen.nr[PERF_RECORD_SAMPLE];
		perf_data__close(data);
	}
	builder__exit(&b);
}

/* ---- folders ---- */

static void write_part(const char *folder, unsigned number, u64 from, u64 nr, size_t cut)
{
	struct builder b = { 0 };
	char *name = xasprintf("%s/data.%u", folder, number);

	for (u64 i = from; i < from + nr; i++) {
		struct built_sample s = reader_fixture__sample(i);

		builder__sample(&b, TYPE, PERF_RECORD_MISC_USER, &s);
	}
	b.len -= cut;
	builder__write(&b, name);
	free(name);
	builder__exit(&b);
}

/* A folder "rec" whose header file has 3 samples. Its path, malloc'ed. */
static char *begin_folder(void)
{
	char *folder = xasprintf("%s/rec", unit__tmpdir());
	struct file_builder f;

	CHECK_EQ(mkdir(folder, 0700), 0);
	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 3);
	builder__u64(file_builder__feature(&f, FEATURE_DIR_FORMAT), 1);
	file_builder__write(&f, "rec/data");
	file_builder__exit(&f);
	return folder;
}

static u64 samples_in(const char *path, u32 *nr_damages)
{
	struct perf_data *data = perf_data__open(path, 0, NULL);
	u64 nr = 0;

	*nr_damages = 99;
	if (data) {
		nr = reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE];
		perf_data__damages(data, nr_damages);
	}
	perf_data__close(data);
	return nr;
}

TEST(forms_folder_with_all_its_parts)
{
	char *folder = begin_folder();
	u32 damages;

	for (unsigned i = 0; i < 12; i++)
		write_part("rec", i, 3 + i * 10, 10, 0);
	CHECK_EQ(samples_in(folder, &damages), 123);
	CHECK_EQ(damages, 0);
	free(folder);
}

TEST(forms_folder_with_holes)
{
	char *folder = begin_folder();
	char *fifo = xasprintf("%s/data.4", folder), *odd = xasprintf("%s/data.x", folder);
	u32 damages;

	write_part("rec", 0, 3, 10, 5); /* its last record is cut: what follows stays whole */
	write_part("rec", 2, 13, 10, 0);
	write_part("rec", 3, 0, 0, 0); /* 1 is missing, 3 is empty, 4 is no file */
	CHECK_EQ(mkfifo(fifo, 0600), 0);
	CHECK_EQ(close(open(odd, O_CREAT | O_WRONLY, 0600)), 0);
	CHECK_EQ(samples_in(folder, &damages), 3 + 9 + 10);
	CHECK(damages >= 2);
	free(odd);
	free(fifo);
	free(folder);
}

/* A folder with 23 samples: how many gaps it has. Each is a mark. */
static u32 check_gaps(const char *folder)
{
	struct perf_data *data = perf_data__open(folder, 0, NULL);
	u32 nr = 99;

	CHECK(data != NULL);
	if (data) {
		CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 23);
		const struct data_damage *damages = perf_data__damages(data, &nr);

		for (u32 i = 0; i < nr; i++)
			CHECK_EQ(damages[i].size, RECORD_HEADER_SIZE);
	}
	perf_data__close(data);
	return nr;
}

/* What others put beside the parts is none, and a gap is one mark, however wide. */
TEST(forms_folder_with_names_that_are_none)
{
	static const char *const names[] = { "data.01", "data.0x1",   "data.1 ",
		                             "data.+1", "data.1.old", "data." };
	char *folder = begin_folder();

	write_part("rec", 1, 3, 10, 0);
	write_part("rec", 60000, 13, 10, 0);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		char *path = xasprintf("%s/%s", folder, names[i]);

		CHECK_EQ(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
		free(path);
	}
	CHECK_EQ(check_gaps(folder), 2);
	free(folder);
}

/* As many as cannot be held open at once. */
TEST(forms_folder_with_very_many_parts)
{
	char *folder = begin_folder();
	u32 damages;

	for (unsigned i = 0; i < 300; i++)
		write_part("rec", i, 3 + i * 2, 2, 0);
	CHECK_EQ(samples_in(folder, &damages), 603);
	CHECK_EQ(damages, 0);
	free(folder);
}

/* Nor may more files be open: then there is a copy. */
TEST(forms_folder_of_more_files_than_may_be_open)
{
	struct rlimit limit, few;
	char *folder = begin_folder();
	u32 damages;

	for (unsigned i = 0; i < 60; i++)
		write_part("rec", i, 3 + i * 2, 2, 0);
	CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = (struct rlimit){ 30, limit.rlim_max };
	CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
	CHECK_EQ(samples_in(folder, &damages), 123);
	CHECK_EQ(damages, 0);
	CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	free(folder);
}

/* They are where they were; nothing that was read before stands for them. */
TEST(forms_folder_whose_part_becomes_shorter)
{
	char *folder = begin_folder();
	struct perf_data *data;
	u32 damages;

	for (unsigned i = 0; i < 3; i++)
		write_part("rec", i, 3 + i * 10, 10, 0);
	data = perf_data__open(folder, 0, NULL);
	write_part("rec", 1, 13, 4, 0);
	struct seen seen = { .data = data };

	CHECK_EQ(perf_data__walk(data, reader_fixture__look, &seen, NULL), 0);
	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 3 + 10 + 4 + 10);
	perf_data__damages(data, &damages);
	CHECK_EQ(damages, 1);
	perf_data__close(data);
	free(folder);
}

/* ---- compressed records ---- */

#ifdef HAVE_ZSTD
/* One stream over all records, each flushed: as record -z does it. */
struct packer {
	ZSTD_CStream *zstd;
	struct builder *out;
	u32 type;
};

static void pack_as(struct packer *p, const u8 *bytes, size_t len, ZSTD_EndDirective what)
{
	u8 buf[60000];
	ZSTD_inBuffer in = { bytes, len, 0 };
	ZSTD_outBuffer out = { buf, sizeof(buf), 0 };

	CHECK(!ZSTD_isError(ZSTD_compressStream2(p->zstd, &out, &in, what)));
	CHECK_EQ(in.pos, len);
	size_t at = builder__begin(p->out, p->type, 0);

	if (p->type == RECORD_COMPRESSED2)
		builder__u64(p->out, out.pos);
	builder__bytes(p->out, buf, out.pos);
	if (p->type == RECORD_COMPRESSED2)
		builder__zero(p->out, -out.pos % 8);
	builder__end(p->out, at);
}

static void pack(struct packer *p, const u8 *bytes, size_t len)
{
	pack_as(p, bytes, len, ZSTD_e_flush);
}

/*
 * A file with @nr samples in compressed records of @piece bytes each, whatever lies in them, with
 * a record in the clear between all.
 */
static void begin_packed(struct file_builder *f, u32 type, u64 nr, size_t piece, bool closed)
{
	struct builder plain = { 0 };
	struct packer p = { ZSTD_createCStream(), &f->data, type };

	reader_fixture__begin(f, false, TYPE);
	f->not_closed = !closed;
	for (u64 i = 0; i < nr; i++) {
		struct built_sample s = reader_fixture__sample(i);

		builder__sample(&plain, TYPE, PERF_RECORD_MISC_USER, &s);
	}
	for (size_t at = 0; at < plain.len; at += piece) {
		pack(&p, plain.data + at, plain.len - at < piece ? plain.len - at : piece);
		builder__end(&f->data, builder__begin(&f->data, RECORD_FINISHED_ROUND, 0));
	}
	if (closed) {
		struct builder *feature = file_builder__feature(f, FEATURE_COMPRESSED);

		for (u32 i = 0; i < 5; i++) /* version, type, level, ratio, chunk size */
			builder__u32(feature, i == 4 ? 528384 : 1);
	}
	ZSTD_freeCStream(p.zstd);
	builder__exit(&plain);
}

/* While it comes: what is left of a record that was cut is told as damage, and no more. */
TEST(forms_packed_stream_cut_in_a_record)
{
	struct builder b, plain = { 0 };
	struct packer p = { ZSTD_createCStream(), &b, RECORD_COMPRESSED };
	pid_t pid;
	int more;
	u32 nr;

	begin_head(&b, false);
	add_samples(&plain, 8, 10);
	pack(&p, plain.data, plain.len);
	size_t last = b.len;

	pack(&p, plain.data, plain.len);
	b.len -= 5;
	struct perf_data *data = open_piped(&b, PERF_DATA_LIVE, &pid);
	struct seen seen = { .data = data };

	CHECK(data);
	if (data) {
		CHECK_EQ(perf_data__walk(data, reader_fixture__look, &seen, NULL), 0);
		while ((more = perf_data__more(data, NULL)) == 1)
			CHECK_EQ(perf_data__walk_on(data, reader_fixture__look, &seen, NULL), 0);
		const struct data_damage *damage = perf_data__damages(data, &nr);

		CHECK_EQ(more, 0);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 10);
		CHECK_EQ(nr, 1);
		CHECK(nr && damage->size == round_up_u64(b.len - last, 8));
	}
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	perf_data__close(data);
	ZSTD_freeCStream(p.zstd);
	builder__exit(&plain);
	builder__exit(&b);
}

TEST(forms_compressed_records_of_any_cut)
{
	static const u32 types[] = { RECORD_COMPRESSED, RECORD_COMPRESSED2 };
	static const size_t pieces[] = { 41, 100, 4096, 50000 };

	for (unsigned i = 0; i < 16; i++) {
		struct file_builder f;
		u64 nr = i / 4 % 2 ? 3000 : 11;

		begin_packed(&f, types[i % 2], nr, pieces[i / 2 % 4], i / 8);
		struct perf_data *data = reader_fixture__open(&f);
		struct seen seen = reader_fixture__walk_twice(data);
		u32 damages;

		perf_data__damages(data, &damages);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], nr);
		CHECK_EQ(seen.first_time, 1);
		CHECK_EQ(seen.last_time, nr);
		CHECK(seen.nr[RECORD_FINISHED_ROUND] > 0);
		CHECK_EQ(damages, 0);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

/* Bytes that are no records (AUX traces, nonsense) hide none of those behind them. */
TEST(forms_compressed_bytes_that_are_no_records)
{
	for (size_t piece = 1; piece < 200; piece += 7) {
		struct builder plain = { 0 };
		struct file_builder f;

		reader_fixture__begin(&f, false, TYPE);
		f.not_closed = true;
		struct packer p = { ZSTD_createCStream(), &f.data, RECORD_COMPRESSED };

		for (u64 i = 0; i < 40; i++) {
			struct built_sample s = reader_fixture__sample(i);
			size_t at = builder__begin(&plain, RECORD_AUXTRACE, 0);

			builder__u64(&plain, 60); /* bytes behind it, which look like records */
			builder__zero(&plain, 32);
			builder__end(&plain, at);
			for (unsigned n = 0; n < 60; n++)
				builder__u8(&plain, i % 2 ? 0x1f : 0);
			builder__sample(&plain, TYPE, PERF_RECORD_MISC_USER, &s);
			if (i == 20)
				builder__zero(&plain, 24);
		}
		for (size_t at = 0; at < plain.len; at += piece)
			pack(&p, plain.data + at, min_u64(plain.len - at, piece));
		struct perf_data *data = reader_fixture__open(&f);

		CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 40);
		perf_data__close(data);
		file_builder__exit(&f);
		ZSTD_freeCStream(p.zstd);
		builder__exit(&plain);
	}
}

TEST(forms_compressed_records_that_are_damaged)
{
	for (size_t at = 20; at < 4000; at += 97) {
		struct file_builder f;
		u32 damages;

		begin_packed(&f, RECORD_COMPRESSED, 2000, 4096, true);
		if (at < f.data.len)
			f.data.data[at] ^= 0x55;
		struct perf_data *data = reader_fixture__open(&f);
		struct seen seen = reader_fixture__walk_twice(data);

		perf_data__damages(data, &damages);
		/* zstd has no checksum here: a flip is an error, or other bytes. */
		CHECK(seen.nr[PERF_RECORD_SAMPLE] <= 2000);
		CHECK(damages || seen.nr_records >= 2000);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

/* Three frames of 500 samples, each in several records; @cut: the second begins in a sample. */
static void begin_frames(struct file_builder *f, u32 cut, bool checksum)
{
	struct builder plain = { 0 };
	struct packer p = { ZSTD_createCStream(), &f->data, RECORD_COMPRESSED };

	reader_fixture__begin(f, false, TYPE);
	f->not_closed = true;
	ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_checksumFlag, checksum);
	for (u64 i = 0; i < 1500; i++) {
		struct built_sample s = reader_fixture__sample(i);

		builder__sample(&plain, TYPE, PERF_RECORD_MISC_USER, &s);
	}
	size_t at = 0, third = plain.len / 3;

	for (u32 frame = 0; frame < 3; frame++) {
		size_t end = frame == 2 ? plain.len : (frame + 1) * third + (frame ? 0 : cut);

		for (; at + 4096 < end; at += 4096)
			pack(&p, plain.data + at, 4096);
		pack_as(&p, plain.data + at, end - at, ZSTD_e_end);
		at = end;
	}
	ZSTD_freeCStream(p.zstd);
	builder__exit(&plain);
}

/* Damage takes what is left of its frame, not what is behind it; a wrong checksum is damage. */
TEST(forms_compressed_frames_behind_a_damaged_one)
{
	static const u32 cuts[] = { 0, 8, 24 };

	for (u32 i = 0; i < 3; i++) {
		struct file_builder f;
		u32 damages;

		begin_frames(&f, cuts[i], true);
		f.data.data[8 + 4] ^= 0x40; /* in the header of the first frame */
		struct perf_data *data = reader_fixture__open(&f);
		struct seen seen = reader_fixture__walk_twice(data);

		perf_data__damages(data, &damages);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], cuts[i] ? 999 : 1000);
		CHECK_EQ(seen.last_time, 1500);
		CHECK_EQ(damages, 1);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

/* The second and the third frame are told by the checksum of the first, if by nothing else. */
TEST(forms_compressed_flips_are_told)
{
	u32 silent = 0, unsure = 0;

	for (u32 checksum = 0; checksum < 2; checksum++)
		for (size_t at = 16; at < 1200; at += 13) {
			struct file_builder f;
			u32 damages;

			begin_frames(&f, 0, checksum);
			f.data.data[at] ^= 1 << at % 8;
			struct perf_data *data = reader_fixture__open(&f);
			struct seen seen = reader_fixture__walk_twice(data);

			perf_data__damages(data, &damages);
			if (checksum) {
				CHECK_EQ(seen.last_time, 1500);
				silent += !damages;
			} else {
				unsure += !damages;
			}
			perf_data__close(data);
			file_builder__exit(&f);
		}
	CHECK_EQ(silent, 0);
	CHECK(unsure > 0); /* so these flips do show something */
}

static void add_plain_samples(struct builder *b, u64 nr)
{
	for (u64 i = 0; i < nr; i++) {
		struct built_sample s = reader_fixture__sample(i);

		builder__sample(b, TYPE, PERF_RECORD_MISC_USER, &s);
	}
}

/* data.@number of the folder "rec": @plain, packed. It is emptied. */
static void write_packed_part(u32 number, struct builder *plain)
{
	struct builder b = { 0 };
	struct packer p = { ZSTD_createCStream(), &b, RECORD_COMPRESSED };
	char *name = xasprintf("rec/data.%u", number);

	pack(&p, plain->data, plain->len);
	builder__write(&b, name);
	ZSTD_freeCStream(p.zstd);
	builder__exit(&b);
	builder__exit(plain);
	*plain = (struct builder){ 0 };
	free(name);
}

/* The damaged end of a file may look like a record that goes on in the next. */
TEST(forms_packed_folder_whose_part_is_damaged)
{
	char *folder = begin_folder();
	struct builder plain = { 0 };
	u32 damages;

	add_plain_samples(&plain, 10);
	builder__zero(&plain, 8);
	add_plain_samples(&plain, 3);
	builder__u32(&plain, PERF_RECORD_KSYMBOL);
	builder__u32(&plain, 1000u << 16);
	write_packed_part(0, &plain);
	add_plain_samples(&plain, 40);
	write_packed_part(1, &plain);
	CHECK_EQ(samples_in(folder, &damages), 3 + 10 + 3 + 40);
	CHECK_EQ(damages, 2);
	free(folder);
}

/* The copy of a packed folder has a mark for a gap, too, and no other names count. */
TEST(forms_packed_folder_with_names_that_are_none)
{
	char *folder = begin_folder();
	struct builder plain = { 0 };

	for (u32 i = 0; i < 2; i++) {
		add_plain_samples(&plain, 10);
		write_packed_part(i ? 60000 : 1, &plain);
	}
	char *path = xasprintf("%s/data.01", folder);

	CHECK_EQ(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
	CHECK_EQ(check_gaps(folder), 2);
	free(path);
	free(folder);
}

/* 100 kB that want to become gigabytes. */
TEST_WITH_THREADS(forms_compressed_bomb_is_bounded)
{
	enum { PIECE = 32 << 20, TIMES = 40 };
	struct file_builder f;
	struct packer p = { ZSTD_createCStream(), &f.data, RECORD_COMPRESSED };
	u8 *zeros = xcalloc(1, PIECE);

	for (u32 i = 0; i < PIECE; i += 8) /* records of 8 bytes, so that they are whole */
		memcpy(zeros + i, (u8[]){ RECORD_FINISHED_ROUND, 0, 0, 0, 0, 0, 8, 0 }, 8);
	reader_fixture__begin(&f, false, TYPE);
	f.not_closed = true;
	for (u32 i = 0; i < TIMES; i++)
		pack(&p, zeros, PIECE);
	struct perf_data *data = reader_fixture__open(&f);
	u32 damages = 0;

	if (data)
		CHECK_EQ(perf_data__walk(data, reader_fixture__look, &(struct seen){ .data = data },
		                         NULL),
		         0);
	const struct data_damage *where = data ? perf_data__damages(data, &damages) : NULL;

	CHECK_EQ(damages, 1);
	CHECK(where && where->offset <= PIECE / 2 + 1024); /* not even the first one goes through */
	perf_data__close(data);
	ZSTD_freeCStream(p.zstd);
	free(zeros);
	file_builder__exit(&f);
}
#endif
