// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a perf.data file of a tracepoint, sched:sched_switch with its format, for instruction
 * counts:
 *
 *	gen-trace COUNT FILE
 *
 * The bytes depend on the count only, and Linux's perf reads the file too.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINISHED_ROUND 68
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |               \
	 PERF_SAMPLE_RAW)
#define HEADER_SIZE  104
#define EVENT        300
#define RAW_SIZE     68 /* with its padding */
#define TASKS        40
#define TRACING_DATA 1 /* number of the feature */

static FILE *out;

static void put(const void *data, size_t size)
{
	if (size && fwrite(data, size, 1, out) != 1)
		exit(1);
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

static void put_u32(uint32_t value)
{
	put(&value, sizeof(value));
}

static void put_header(uint32_t type, uint16_t size)
{
	struct perf_event_header header = { .type = type, .size = size };

	put(&header, sizeof(header));
}

static void put_task(unsigned task)
{
	char comm[16] = { 0 };

	snprintf(comm, sizeof(comm), "task-%u", task);
	put(comm, sizeof(comm));
	put_u32(1000 + task);
	put_u32(100 + task % 40);
}

static void put_comm(unsigned task)
{
	char comm[16] = { 0 };

	snprintf(comm, sizeof(comm), "task-%u", task);
	put_header(PERF_RECORD_COMM, 8 + 8 + 16 + 24);
	put_u32(1000 + task);
	put_u32(1000 + task);
	put(comm, sizeof(comm));
	put_u32(1000 + task); /* trailer: task, time, cpu */
	put_u32(1000 + task);
	put_u64(1);
	put_u64(0);
}

static void put_sample(unsigned i)
{
	static const unsigned states[] = { 0, 1, 2, 0x100, 1, 0x80, 0x10, 3 };
	unsigned task = i * 7 % TASKS;

	put_header(PERF_RECORD_SAMPLE, 8 + 8 + 8 + 8 + 8 + 4 + RAW_SIZE);
	put_u32(1000 + task);
	put_u32(1000 + task);
	put_u64(1000000 + i * 1500ull);
	put_u64(i % 4); /* cpu */
	put_u64(1);     /* period */
	put_u32(RAW_SIZE);
	put_u32(EVENT); /* common_type, flags, preempt_count */
	put_u32(1000 + task);
	put_task(task);
	put_u64(states[i % 8]);
	put_task((task + 1) % TASKS);
	put_u32(0);
}

static void put_formats(void)
{
	static const char format[] =
	        "name: sched_switch\nID: 300\nformat:\n"
	        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	        "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	        "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	        "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	        "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	        "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	        "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	        "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	        "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	        "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	        "print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "
	        "next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	        "(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", "
	        "{ 0x1, \"S\" }, { 0x2, \"D\" }, { 0x4, \"T\" }, { 0x8, \"t\" }, { 0x10, \"X\" }, "
	        "{ 0x20, \"Z\" }, { 0x40, \"P\" }, { 0x80, \"I\" }) : \"R\", "
	        "REC->prev_state & 0x100 ? \"+\" : \"\", REC->next_comm, REC->next_pid, "
	        "REC->next_prio\n";

	put("\027\010\104tracing0.6\0\0\010", 16); /* little endian, 64 bits */
	put_u32(4096);
	put("header_page", 12);
	put_u64(0);
	put("header_event", 13);
	put_u64(0);
	put_u32(0); /* formats of ftrace */
	put_u32(1); /* systems */
	put("sched", 6);
	put_u32(1);
	put_u64(strlen(format));
	put(format, strlen(format));
	put_u32(0); /* kallsyms */
	put_u32(0); /* printk formats */
	put_u64(0); /* comms */
}

static void put_file_header(uint64_t data_size)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = EVENT,
		.sample_period = 1,
		.sample_type = SAMPLE_TYPE,
		.sample_id_all = 1,
		.comm = 1,
	};
	uint64_t entry = sizeof(attr) + 16;

	rewind(out);
	put("PERFILE2", 8);
	put_u64(HEADER_SIZE);
	put_u64(entry);
	put_u64(HEADER_SIZE);
	put_u64(entry);
	put_u64(HEADER_SIZE + entry);
	put_u64(data_size);
	put_u64(0); /* event types */
	put_u64(0);
	put_u64(1u << TRACING_DATA);
	for (int i = 0; i < 3; i++)
		put_u64(0);
	put(&attr, sizeof(attr));
	put_u64(0); /* ids */
	put_u64(0);
}

int main(int argc, char **argv)
{
	long samples = argc == 3 ? atol(argv[1]) : 0;

	if (samples < 1)
		return 2;
	out = fopen(argv[2], "wb");
	if (!out)
		return 1;
	put_file_header(0);
	uint64_t start = ftell(out);

	for (unsigned i = 0; i < TASKS; i++)
		put_comm(i);
	for (long i = 0; i < samples; i++)
		put_sample(i);
	put_header(FINISHED_ROUND, 8);
	uint64_t end = ftell(out);

	put_u64(end + 16); /* where the feature is, and its size */
	put_u64(0);
	put_formats();
	uint64_t size = ftell(out) - end - 16;

	fseek(out, end + 8, SEEK_SET);
	put_u64(size);
	put_file_header(end - start);
	return fclose(out) != 0;
}
