// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A folder as `record --threads` makes it, in which files have any name: what its parts are called,
 * which are missing, what else lies there. The input: a byte, how many names follow and whether
 * records are said to be packed; each name behind a byte with its length; the records that each of
 * those files has.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/format/ends.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/temp_dir.h"
#include "util/reader/features.h"
#include "util/reader/reader_private.h"

#define TYPE      (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define PACKED    0x80u
#define NAMES_MAX 12u
#define NAME_LEN  40u
#define SPOOL_MAX (16u << 20) /* bytes that a folder of so little may cost */

static void write_file(const char *dir, const char *name, const u8 *bytes, size_t size)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0) /* else that name cannot be, or there are two of it */
		FUZZ_CHECK(!file__write_all(fd, bytes, size));
	if (fd >= 0)
		close(fd);
	free(path);
}

/* With @nr_parts it says how many there were, and with @sizes how long each was: 48 bytes. */
static void write_head(const char *dir, bool packed, u32 nr_parts, bool sizes)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;
	struct builder out;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
	builder__u64(file_builder__feature(&f, FEATURE_DIR_FORMAT), 1);
	for (u32 i = 0; sizes && i < nr_parts; i++)
		builder__u64(file_builder__feature(&f, FEATURE_DIR_FORMAT), 48);
	for (u32 i = 0; packed && i < 5; i++) /* version, type, level, ratio, chunk size */
		builder__u32(file_builder__feature(&f, FEATURE_COMPRESSED), 1);
	file_builder__finish(&f, &out);
	memcpy(out.data + ENDS_WORDS_OFFSET + offsetof(struct ends_words, nr_parts), &nr_parts,
	       sizeof(nr_parts));
	write_file(dir, "data", out.data, out.len);
	builder__exit(&out);
	file_builder__exit(&f);
}

/* The names that @data begins with. What is behind them. */
static const u8 *write_names(const char *dir, const u8 *data, const u8 *end, u32 nr)
{
	const u8 *rest = data;

	for (u32 i = 0; i < nr && rest < end; i++)
		rest += 1 + rest[0] % NAME_LEN;
	rest = rest < end ? rest : end;
	for (u32 i = 0; i < nr && data < rest; i++) {
		size_t len = min_u64(data[0] % NAME_LEN, rest - data - 1);
		char *name = fuzz__text(data + 1, len);

		if (!strchr(name, '/') && name[0])
			write_file(dir, name, rest, end - rest);
		free(name);
		data += 1 + len;
	}
	return rest;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *dir = temp_dir__make("perf-fuzz", NULL);
	struct error err = ERROR_INIT;

	FUZZ_CHECK(dir);
	write_head(dir, size && data[0] & PACKED, size % 5, size % 2);
	if (size)
		write_names(dir, data + 1, data + size, (data[0] & ~PACKED) % NAMES_MAX);
	struct perf_data *recording = perf_data__open(dir, PERF_DATA_FORCE, &err);

	FUZZ_CHECK(!recording == !!err.code);
	if (recording) {
		struct stat st;
		u32 nr;

		FUZZ_CHECK(fstat(recording->data_fd, &st) || st.st_size <= SPOOL_MAX);
		fuzz__walk_twice(recording);
		perf_data__damages(recording, &nr);
		FUZZ_CHECK(perf_data__size(recording));
		FUZZ_CHECK(recording->ends.nr_parts == size % 5);
		FUZZ_CHECK(recording->ends.nr_missing_parts + recording->ends.nr_cut_parts +
		                   recording->ends.nr_long_parts <=
		           recording->ends.nr_parts);
	}
	perf_data__close(recording);
	char *data_file = xasprintf("%s/data", dir);

	err = (struct error)ERROR_INIT;
	FUZZ_CHECK(!unlink(data_file) && !perf_data__open(dir, PERF_DATA_FORCE, &err));
	FUZZ_CHECK(err.code == -ENOENT && *err.cause);
	free(data_file);
	FUZZ_CHECK(!temp_dir__remove(dir));
	return 0;
}

static void seed(void (*add)(const void *data, size_t size), u8 packed, const char *const *names,
                 u32 nr)
{
	struct builder b = { 0 }, records = { 0 };

	builder__u8(&b, nr | packed);
	for (u32 i = 0; i < nr; i++) {
		builder__u8(&b, strlen(names[i]));
		builder__bytes(&b, (const u8 *)names[i], strlen(names[i]));
	}
	fuzz__add_records(&records, TYPE, 4);
	if (packed)
		fuzz__pack(&b, records.data, records.len, 100);
	else
		builder__bytes(&b, records.data, records.len);
	builder__exit(&records);
	add(b.data, b.len);
	builder__exit(&b);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (u32 packed = 0; packed <= PACKED; packed += PACKED) {
		seed(add, packed, (const char *const[]){ "data.0", "data.1" }, 2);
		seed(add, packed, (const char *const[]){ "data.1", "data.01", "data.001" }, 3);
		seed(add, packed, (const char *const[]){ "data.0", "data.7", "data.65535" }, 3);
		seed(add, packed, (const char *const[]){ "data.-1", "data.", "data.0x1", "x" }, 4);
	}
}
