// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that are not simply there. The first byte says how: packed (any bytes, compressed in
 * pieces), or in a folder (a perf.data file, data.0 and data.1). Two sizes of 16 bits follow: that
 * of a piece, or those of the first two files. Packed records must be read as they are without.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/temp_dir.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define HEAD 5 /* how, and two sizes */

enum { FOLDER = 1, PIECE_MAX = 50000 };

/* How many records; *nr_damages places between them. */
static u64 walk(const char *path, u32 *nr_damages)
{
	struct error err = ERROR_INIT;
	struct perf_data *data = perf_data__open(path, PERF_DATA_FORCE, &err);
	u64 nr = 0;

	*nr_damages = 0;
	if (data) {
		nr = fuzz__walk_twice(data);
		perf_data__damages(data, nr_damages);
	}
	FUZZ_CHECK(!data == !!err.code);
	perf_data__close(data);
	return nr;
}

#ifdef HAVE_ZSTD
static void finish(struct file_builder *f, struct builder *out)
{
	struct perf_event_attr attr = built_attr(TYPE);

	file_builder__event(f, &attr, (u64[]){ 7 }, 1);
	builder__feature_string(file_builder__feature(f, FEATURE_HOSTNAME), "h");
	file_builder__finish(f, out);
	file_builder__exit(f);
}

static void read_packed(const u8 *bytes, size_t size, size_t piece)
{
	struct file_builder plain, packed;
	struct builder out = { 0 };
	u32 nr_damages, ignored;

	file_builder__init(&plain, false);
	builder__bytes(&plain.data, bytes, size);
	finish(&plain, &out);
	u64 nr = walk(fuzz__file(out.data, out.len), &nr_damages);

	builder__exit(&out);
	file_builder__init(&packed, false);
	fuzz__pack(&packed.data, bytes, size, piece);
	for (u32 i = 0; i < 5; i++) /* version, type, level, ratio, chunk size */
		builder__u32(file_builder__feature(&packed, FEATURE_COMPRESSED), 1);
	finish(&packed, &out);
	u64 nr_packed = walk(fuzz__file(out.data, out.len), &ignored);

	builder__exit(&out);
	FUZZ_CHECK(nr_damages || nr_packed == nr);
}
#else
static void read_packed(const u8 *bytes, size_t size, size_t piece)
{
	(void)bytes;
	(void)size;
	(void)piece;
}
#endif

static void write_file(const char *dir, const char *name, const u8 *bytes, size_t size)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	FUZZ_CHECK(fd >= 0 && !file__write_all(fd, bytes, size));
	close(fd);
	free(path);
}

static void read_folder(const u8 *bytes, size_t size, size_t first, size_t second)
{
	char *dir = temp_dir__make("perf-fuzz", NULL);
	u32 nr_damages;

	FUZZ_CHECK(dir);
	write_file(dir, "data", bytes, first);
	write_file(dir, "data.0", bytes + first, second);
	write_file(dir, "data.1", bytes + first + second, size - first - second);
	walk(dir, &nr_damages);
	FUZZ_CHECK(!temp_dir__remove(dir));
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	if (size < HEAD)
		return 0;
	size_t len = size - HEAD, first = load_u16(bytes + 1, false),
	       second = load_u16(bytes + 3, false);

	if (!(bytes[0] & FOLDER)) {
		read_packed(bytes + HEAD, len, 1 + first % PIECE_MAX);
		return 0;
	}
	first = min_u64(first, len);
	second = min_u64(second, len - first);
	read_folder(bytes + HEAD, len, first, second);
	return 0;
}

/* A header file of a folder, and records behind it. */
static void add_folder(void (*add)(const void *data, size_t size), bool closed)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct builder records = { 0 }, out, input = { 0 };
	struct file_builder f;

	file_builder__init(&f, false);
	f.not_closed = !closed;
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
	fuzz__add_records(&f.data, TYPE, 3);
	builder__u64(file_builder__feature(&f, FEATURE_DIR_FORMAT), 1);
	file_builder__finish(&f, &out);
	fuzz__add_records(&records, TYPE, 4);
	builder__u8(&input, FOLDER);
	builder__u16(&input, out.len);
	builder__u16(&input, records.len);
	builder__bytes(&input, out.data, out.len);
	builder__bytes(&input, records.data, records.len);
	builder__bytes(&input, records.data, records.len);
	add(input.data, input.len);
	builder__exit(&input);
	builder__exit(&records);
	builder__exit(&out);
	file_builder__exit(&f);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (unsigned piece = 1; piece <= 10000; piece *= 10) {
		struct builder b = { 0 };

		builder__u8(&b, 0);
		builder__u16(&b, piece);
		builder__u16(&b, 0);
		fuzz__add_records(&b, TYPE, 40);
		add(b.data, b.len);
		builder__exit(&b);
	}
	add_folder(add, false);
	add_folder(add, true);
}
