/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gen-profile SAMPLES PROGRAM FILE [LEAST MOST]
 *
 * Writes a perf.data file with call chains for the instruction gates: the bytes depend on the
 * arguments and on nothing else, so counts can be compared with stored ones. One process runs
 * PROGRAM, four CPUs' buffers come one after the other with a FINISHED_ROUND behind. Chains are
 * paths of a random tree, up to 24 frames deep, as a program makes them: neighbours share their
 * outer frames; with LEAST and MOST each is made anew, with so many frames. Addresses lie in the
 * first 64 KB of PROGRAM's code, at distances of 64 bytes.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINISHED_ROUND 68
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define HEADER_SIZE 104
#define BASE        0x555555554000ull
#define CODE        0x10000
#define DEPTH       24
#define DEPTH_MAX   126
#define PER_RUN     50
#define CPUS        4

static FILE *out;
static uint64_t seed = 88172645463325252ull;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void put(const void *data, size_t size)
{
	if (fwrite(data, size, 1, out) != 1)
		exit(1);
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

static void put_header(uint32_t type, uint16_t misc, uint16_t size)
{
	struct perf_event_header header = { type, misc, size };

	put(&header, sizeof(header));
}

static void put_pair(uint32_t a, uint32_t b)
{
	put(&a, sizeof(a));
	put(&b, sizeof(b));
}

static void put_trailer(uint64_t time)
{
	put_pair(1000, 1000);
	put_u64(time);
	put_pair(0, 0); /* cpu */
}

static void put_comm(const char *name)
{
	char text[16] = { 0 };

	strncpy(text, name, sizeof(text) - 1);
	put_header(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 8 + 8 + 16 + 24);
	put_pair(1000, 1000);
	put(text, sizeof(text));
	put_trailer(1);
}

static void put_map(const char *path)
{
	char text[4096] = { 0 };
	size_t len = (strlen(path) + 8) & ~7ul;

	strncpy(text, path, sizeof(text) - 1);
	put_header(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, 8 + 8 + 24 + len + 24);
	put_pair(1000, 1000);
	put_u64(BASE);
	put_u64(0x100000);
	put_u64(0);
	put(text, len);
	put_trailer(2);
}

/* The stack as it stands; each sample changes its innermost part. */
static uint64_t stack[DEPTH_MAX];
static unsigned depth, least, most;

static uint64_t code(void)
{
	return BASE + 0x1000 + next_random() % (CODE / 64) * 64;
}

static void call_and_return(void)
{
	unsigned keep = depth - next_random() % (depth < 6 ? depth + 1 : 6);

	for (depth = keep; depth < DEPTH && (depth < 3 || next_random() % 5); depth++)
		stack[depth] = code();
}

static void start_anew(void)
{
	unsigned end = least + next_random() % (most - least + 1);

	for (depth = 0; depth < end; depth++)
		stack[depth] = code();
}

static void put_sample(uint64_t time, unsigned cpu)
{
	if (most)
		start_anew();
	else
		call_and_return();
	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
	           8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 * depth);
	put_u64(stack[depth - 1]);
	put_pair(1000, 1000);
	put_u64(time);
	put_pair(cpu, 0);
	put_u64(10000);
	put_u64(depth + 1);
	put_u64(PERF_CONTEXT_USER);
	for (unsigned i = depth; i > 0; i--)
		put_u64(stack[i - 1]);
}

static void put_file_header(uint64_t data_size)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 10000,
		.sample_type = SAMPLE_TYPE,
		.sample_id_all = 1,
		.mmap = 1,
		.comm = 1,
	};
	uint64_t attrs = HEADER_SIZE, entry = sizeof(attr) + 16, data = HEADER_SIZE + entry;

	rewind(out);
	put("PERFILE2", 8);
	put_u64(HEADER_SIZE);
	put_u64(entry);
	put_u64(attrs);
	put_u64(entry);
	put_u64(data);
	put_u64(data_size);
	for (int i = 0; i < 6; i++) /* no event types, no features */
		put_u64(0);
	put(&attr, sizeof(attr));
	put_u64(0); /* no ids */
	put_u64(0);
}

int main(int argc, char **argv)
{
	long samples = argc == 4 || argc == 6 ? atol(argv[1]) : 0, start, done = 0;
	uint64_t round = 0;

	if (argc == 6) {
		least = atoi(argv[4]);
		most = atoi(argv[5]);
	}
	if (samples < 1 || least > most || most > DEPTH_MAX || (most && !least))
		return 2;
	out = fopen(argv[3], "wb");
	if (!out)
		return 1;
	put_file_header(0);
	start = ftell(out);
	put_comm("profiled");
	put_map(argv[2]);
	for (; done < samples; round++) {
		for (unsigned cpu = 0; cpu < CPUS; cpu++)
			for (unsigned i = 0; i < PER_RUN && done < samples; i++, done++)
				put_sample(1000000 + round * PER_RUN * 1000 + i * 1000 + cpu * 250,
				           cpu);
		put_header(FINISHED_ROUND, 0, 8);
	}
	put_file_header(ftell(out) - start);
	return fclose(out) != 0;
}
