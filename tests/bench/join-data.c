/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * join-data TIMES < IN.data > OUT.data
 *
 * Writes a recording that holds what IN.data holds TIMES times, one after the other: each copy is
 * later than the one before by the span of IN.data. What IN.data tells of the time before it began
 * (records without a time: tasks and maps that were there) is written once, as a recorder does. For
 * recordings of 10 GB, which nobody makes for each run: `make bench` reports how cost grows up to
 * 100 MB. The file must have one size of attr, times in its samples and in all other records
 * (sample_id_all), and nothing packed. OUT.data must be a file, not a pipe.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

#define USER_RECORDS 64

static const char *in;
static const struct file_header *header;
static size_t of_sample, of_others; /* of the time: from the start, from the end */

static void find_times(void)
{
	const struct perf_event_attr *attr = (const void *)(in + header->attrs.offset);
	uint64_t type = attr->sample_type;

	if (memcmp(header->magic, "PERFILE2", 8) != 0 || !(type & PERF_SAMPLE_TIME) ||
	    !attr->sample_id_all)
		errx(1, "the recording has no times in all of its records");
	of_sample = 8 + (!!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_IP) +
	                 !!(type & PERF_SAMPLE_TID)) *
	                        8;
	of_others = (!!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_CPU) +
	             !!(type & PERF_SAMPLE_STREAM_ID) + !!(type & PERF_SAMPLE_ID) + 1) *
	            8;
}

/* The time of a record; NULL: it has none. */
static uint64_t *time_of(char *record)
{
	const struct perf_event_header *h = (const void *)record;

	if (h->type >= USER_RECORDS)
		return NULL;
	return (uint64_t *)(record +
	                    (h->type == PERF_RECORD_SAMPLE ? of_sample : h->size - of_others));
}

static void write_all(const void *mem, size_t size)
{
	if (size && fwrite(mem, size, 1, stdout) != 1)
		err(1, "write");
}

static int is_from_before(char *record)
{
	const uint64_t *time = time_of(record);

	return time && !*time;
}

/* Without what is from before: the bytes that were written. Runs of records at once. */
static uint64_t write_again(char *data, uint64_t size)
{
	uint64_t from = 0, written = 0;

	for (uint64_t at = 0; at < size;) {
		uint64_t next = at + ((struct perf_event_header *)(data + at))->size;

		if (is_from_before(data + at)) {
			write_all(data + from, at - from);
			written += at - from;
			from = next;
		}
		at = next;
	}
	write_all(data + from, size - from);
	return written + size - from;
}

/* Returns the bytes that all copies have. */
static uint64_t write_copies(char *data, uint64_t size, uint64_t times)
{
	uint64_t first = UINT64_MAX, last = 0, written = 0;

	for (uint64_t at = 0; at < size; at += ((struct perf_event_header *)(data + at))->size) {
		const uint64_t *time = time_of(data + at);

		if (!((struct perf_event_header *)(data + at))->size)
			errx(1, "a record of no bytes");
		if (time && *time && *time < first)
			first = *time;
		if (time && *time > last)
			last = *time;
	}
	for (uint64_t i = 0; i < times; i++) {
		if (i) {
			written += write_again(data, size);
		} else {
			write_all(data, size);
			written += size;
		}
		for (uint64_t at = 0; at < size;
		     at += ((struct perf_event_header *)(data + at))->size) {
			uint64_t *time = time_of(data + at);

			if (time && *time)
				*time += last - first + 1;
		}
	}
	return written;
}

int main(int argc, char **argv)
{
	uint64_t times = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	struct stat st;

	if (!times || fstat(0, &st))
		errx(1, "usage: join-data TIMES < IN.data > OUT.data");
	char *map = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, 0);

	if (map == MAP_FAILED)
		err(1, "mmap");
	in = map;
	header = (const void *)map;
	find_times();
	struct file_header longer = *header;
	const struct section *features =
	        (const void *)(map + header->data.offset + header->data.size);
	uint64_t end = header->data.offset + header->data.size;
	int nr = 0;

	/* Its size is known at the end: OUT.data is a file. */
	write_all(&longer, sizeof(longer));
	write_all(map + sizeof(longer), header->data.offset - sizeof(longer));
	for (int i = 0; i < 256; i++)
		nr += header->features[i / 64] >> i % 64 & 1;
	longer.data.size = write_copies(map + header->data.offset, header->data.size, times);
	uint64_t more = longer.data.size - header->data.size;

	for (int i = 0; i < nr; i++) {
		struct section moved = features[i];

		moved.offset += more;
		write_all(&moved, sizeof(moved));
	}
	write_all(map + end + nr * sizeof(*features), st.st_size - end - nr * sizeof(*features));
	if (fseeko(stdout, 0, SEEK_SET))
		err(1, "seek");
	write_all(&longer, sizeof(longer));
	return fflush(stdout) ? 1 : 0;
}
