// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of --header. The expected texts are what Linux's perf 6.1 printed for files with the
 * same sections, but for damaged ones, which it drops without a word.
 */
#include "ui/dump/header.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/reader/features.h"

static void begin_file(struct file_builder *f, bool swap, unsigned nr_events)
{
	file_builder__init(f, swap);
	for (u64 i = 0; i < nr_events; i++) {
		struct perf_event_attr attr = built_attr(PERF_SAMPLE_IP);

		attr.exclude_guest = 1;
		file_builder__event(f, &attr, &i, 1);
	}
	builder__end(&f->data, builder__begin(&f->data, RECORD_FINISHED_ROUND, 0));
	builder__feature_string(file_builder__feature(f, FEATURE_HOSTNAME), "h");
}

/* All that is printed between the host name and the missing features; valid until the next call. */
static const char *header_of(const struct file_builder *f, bool full)
{
	static char text[16384];
	struct perf_data *data = perf_data__open(file_builder__write(f, "perf.data"), 0, NULL);
	struct out out;

	CHECK(data);
	out__init(&out, -1);
	header__print(&out, data, full);
	const char *start = strstr(out__take(&out), "# hostname : h\n");
	const char *end = start ? strstr(start, "# missing features: ") : NULL;

	CHECK(end && strlen(end) < 1000 && strstr(end, "\n# ========\n#\n"));
	start += sizeof("# hostname : h\n") - 1;
	snprintf(text, sizeof(text), "%.*s", end ? (int)(end - start) : 0, start);
	out__exit(&out);
	perf_data__close(data);
	return text;
}

static void strings(struct builder *b, unsigned nr, const char *const *list)
{
	builder__u32(b, nr);
	for (unsigned i = 0; i < nr; i++)
		builder__feature_string(b, list[i]);
}

static void u64s(struct builder *b, unsigned nr, const u64 *values)
{
	for (unsigned i = 0; i < nr; i++)
		builder__u64(b, values[i]);
}

#define U64S(b, ...) u64s(b, sizeof((u64[]){ __VA_ARGS__ }) / sizeof(u64), (u64[]){ __VA_ARGS__ })

TEST(header_starts_with_the_offsets)
{
	struct file_builder f;
	struct out out;
	char want[200];

	begin_file(&f, false, 1);
	struct perf_data *data = perf_data__open(file_builder__write(&f, "perf.data"), 0, NULL);

	out__init(&out, -1);
	header__print(&out, data, false);
	snprintf(
	        want, sizeof(want),
	        "\n# header version : 1\n# data offset    : 256\n# data size      : 8\n"
	        "# feat offset    : 264\n# hostname : h\n# missing features: TRACING_DATA BUILD_ID "
	        "OSRELEASE ");
	CHECK(!strncmp(out__take(&out), "# ========\n# captured on    : ", 30));
	CHECK(strstr(out__take(&out), want));
	CHECK(strstr(out__take(&out), " HYBRID_TOPOLOGY PMU_CAPS \n# ========\n#\n"));
	out__exit(&out);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(header_prints_the_short_features)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct builder *b;

		begin_file(&f, swap, 1);
		builder__feature_string(file_builder__feature(&f, FEATURE_OSRELEASE), "6.1.0");
		builder__feature_string(file_builder__feature(&f, FEATURE_VERSION), "6.1.187");
		builder__feature_string(file_builder__feature(&f, FEATURE_ARCH), "x86_64");
		b = file_builder__feature(&f, FEATURE_NRCPUS);
		builder__u32(b, 8);
		builder__u32(b, 4);
		builder__feature_string(file_builder__feature(&f, FEATURE_CPUDESC), "A CPU");
		builder__feature_string(file_builder__feature(&f, FEATURE_CPUID), "A,6,2");
		U64S(file_builder__feature(&f, FEATURE_TOTAL_MEM), 123456);
		strings(file_builder__feature(&f, FEATURE_CMDLINE), 4,
		        (const char *[]){ "/usr/bin/perf", "a b", "it's", "\033[31m" });
		file_builder__feature(&f, FEATURE_BRANCH_STACK);
		b = file_builder__feature(&f, FEATURE_PMU_MAPPINGS);
		builder__u32(b, 2);
		builder__u32(b, 1);
		builder__feature_string(b, "software");
		builder__u32(b, 4);
		builder__feature_string(b, "cpu");
		U64S(file_builder__feature(&f, FEATURE_AUXTRACE), 0);
		file_builder__feature(&f, FEATURE_STAT);
		U64S(file_builder__feature(&f, FEATURE_SAMPLE_TIME), 1234567890123, 2234567899999);
		U64S(file_builder__feature(&f, FEATURE_CLOCKID), 1);
		builder__zero(file_builder__feature(&f, FEATURE_COMPRESSED), 20);
		builder__u32(file_builder__feature(&f, FEATURE_CPU_PMU_CAPS), 0);
		b = file_builder__feature(&f, FEATURE_PMU_CAPS);
		builder__u32(b, 1);
		strings(b, 4, (const char *[]){ "a", "1", "b", "2" });
		builder__set_u32(b, 4, 2);
		builder__feature_string(b, "cpu_core");
		b = file_builder__feature(&f, FEATURE_E_MACHINE);
		builder__u32(b, 62);
		builder__u32(b, 0);
		builder__u32(file_builder__feature(&f, FEATURE_CLN_SIZE), 64);
		builder__bytes(file_builder__feature(&f, 100), "xyz", 3);
		CHECK_STR(header_of(&f, false),
		          "# os release : 6.1.0\n"
		          "# perf version : 6.1.187\n"
		          "# arch : x86_64\n"
		          "# nrcpus online : 4\n"
		          "# nrcpus avail : 8\n"
		          "# cpudesc : A CPU\n"
		          "# cpuid : A,6,2\n"
		          "# total memory : 123456 kB\n"
		          "# cmdline : /usr/bin/perf a b it\\'s ?[31m \n"
		          "# contains samples with branch stack\n"
		          "# pmu mappings: software = 1, cpu = 4\n"
		          "# contains AUX area data (e.g. instruction trace)\n"
		          "# contains stat data\n"
		          "# time of first sample : 1234.567890\n"
		          "# time of last sample : 2234.567899\n"
		          "# sample duration : 1000000.010 ms\n"
		          "# clockid frequency: 1000 MHz\n"
		          "# compressed : Unknown, level = 0, ratio = 0\n"
		          "# cpu pmu capabilities: not available\n"
		          "# cpu_core pmu capabilities: a=1, b=2\n"
		          "# e_machine : 62, flags 0x0\n"
		          "# cache line size : 64\n");
		file_builder__exit(&f);
	}
}

TEST(header_prints_events_with_their_attrs)
{
	struct perf_event_attr attr =
	        built_attr(PERF_SAMPLE_IP | PERF_SAMPLE_TRANSACTION | 1ull << 40);
	struct file_builder f;
	struct builder *b;

	attr.config = 9;
	attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr.precise_ip = 2;
	attr.inherit = 1;
	attr.use_clockid = 1;
	attr.clockid = -1;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	attr.sample_regs_user = 0xff0fff;
	attr.sample_stack_user = 8192;
	attr.sample_max_stack = 77;
	attr.bp_addr = 0x111;
	begin_file(&f, false, 1);
	b = file_builder__feature(&f, FEATURE_EVENT_DESC);
	builder__u32(b, 2);
	builder__u32(b, 128);
	for (u32 i = 0; i < 2; i++) {
		builder__attr(b, &attr, 128);
		builder__u32(b, i * 2);
		builder__feature_string(b, i ? "two\033" : "one");
		if (i)
			U64S(b, 44, 45);
		attr = (struct perf_event_attr){ .size = 64 };
	}
	CHECK_STR(header_of(&f, false),
	          "# event : name = one, , type = 1, size = 128, config = 0x9, { sample_period, "
	          "sample_freq } = 1000, sample_type = IP|TRANSACTION|0x10000000000, read_format = "
	          "ID|LOST, inherit = 1, precise_ip = 2, sample_id_all = 1, use_clockid = 1, "
	          "{ bp_addr, config1 } = 0x111, branch_sample_type = USER|ANY, sample_regs_user = "
	          "0xff0fff, sample_stack_user = 8192, clockid = -1, sample_max_stack = 77\n"
	          "# event : name = two?, , id = { 44, 45 }, size = 64\n");
	file_builder__exit(&f);
}

TEST(header_prints_groups)
{
	struct file_builder f;
	struct builder *b;

	begin_file(&f, false, 5);
	b = file_builder__feature(&f, FEATURE_GROUP_DESC);
	builder__u32(b, 3);
	builder__feature_string(b, "{anon_group}");
	builder__u32(b, 0);
	builder__u32(b, 2);
	builder__feature_string(b, "alone");
	builder__u32(b, 2);
	builder__u32(b, 1);
	builder__feature_string(b, "named");
	builder__u32(b, 3);
	builder__u32(b, 2);
	CHECK_STR(header_of(&f, false), "# group: {cpu-clock,cpu-clock}\n"
	                                "# group: named{cpu-clock,cpu-clock}\n");
	builder__set_u32(b, b->len - 4, 99);
	CHECK_STR(header_of(&f, false), "# GROUP_DESC info is damaged\n");
	file_builder__exit(&f);
}

static void add_topology(struct file_builder *f, bool dies)
{
	struct builder *b = file_builder__feature(f, FEATURE_NRCPUS);

	builder__u32(b, 4);
	builder__u32(b, 4);
	b = file_builder__feature(f, FEATURE_CPU_TOPOLOGY);
	strings(b, 1, (const char *[]){ "0-3" });
	strings(b, 2, (const char *[]){ "0-1", "2-3" });
	for (u32 i = 0; i < 4; i++) {
		builder__u32(b, i % 2 * 100);
		builder__u32(b, i / 2);
	}
	if (!dies)
		return;
	strings(b, 1, (const char *[]){ "0-3" });
	for (u32 i = 0; i < 4; i++)
		builder__u32(b, 7);
}

#define CPUS "# nrcpus online : 4\n# nrcpus avail : 4\n"

TEST(header_prints_cpu_topology_of_every_age)
{
	struct file_builder f;

	begin_file(&f, false, 1);
	add_topology(&f, false);
	CHECK_STR(header_of(&f, false), CPUS "# CPU_TOPOLOGY info available, use -I to display\n");
	CHECK_STR(header_of(&f, true), CPUS "# sibling sockets : 0-3\n"
	                                    "# sibling threads : 0-1\n"
	                                    "# sibling threads : 2-3\n"
	                                    "# CPU 0: Core ID 0, Socket ID 0\n"
	                                    "# CPU 1: Core ID 100, Socket ID 0\n"
	                                    "# CPU 2: Core ID 0, Socket ID 1\n"
	                                    "# CPU 3: Core ID 100, Socket ID 1\n");
	f.features[FEATURE_CPU_TOPOLOGY].len -= 4; /* the ids are cut */
	CHECK_STR(header_of(&f, true),
	          CPUS "# sibling sockets : 0-3\n"
	               "# sibling threads : 0-1\n"
	               "# sibling threads : 2-3\n"
	               "# Core ID and Socket ID information is not available\n");
	f.features[FEATURE_CPU_TOPOLOGY].len = 100; /* even the lists are */
	CHECK_STR(header_of(&f, true), CPUS "# CPU_TOPOLOGY info is damaged\n");
	file_builder__exit(&f);

	begin_file(&f, true, 1);
	add_topology(&f, true);
	CHECK_STR(header_of(&f, true), CPUS "# sibling sockets : 0-3\n"
	                                    "# sibling dies    : 0-3\n"
	                                    "# sibling threads : 0-1\n"
	                                    "# sibling threads : 2-3\n"
	                                    "# CPU 0: Core ID 0, Die ID 7, Socket ID 0\n"
	                                    "# CPU 1: Core ID 100, Die ID 7, Socket ID 0\n"
	                                    "# CPU 2: Core ID 0, Die ID 7, Socket ID 1\n"
	                                    "# CPU 3: Core ID 100, Die ID 7, Socket ID 1\n");
	f.features[FEATURE_CPU_TOPOLOGY].len -= 4;
	CHECK(strstr(header_of(&f, true),
	             "# Core ID, Die ID and Socket ID information is not available\n"));
	file_builder__exit(&f);
}

TEST(header_prints_caches_and_nodes)
{
	struct file_builder f;
	struct builder *b;

	begin_file(&f, false, 1);
	b = file_builder__feature(&f, FEATURE_NUMA_TOPOLOGY);
	builder__u32(b, 1);
	builder__u32(b, 3);
	U64S(b, 1000, 500);
	builder__feature_string(b, "0-1");
	b = file_builder__feature(&f, FEATURE_CACHE);
	builder__u32(b, 1);
	builder__u32(b, 2);
	for (u32 level = 1; level <= 3; level += 2) {
		builder__u32(b, level);
		builder__zero(b, 12);
		builder__feature_string(b, level == 1 ? "Data" : "Unified");
		builder__feature_string(b, level == 1 ? "48K" : "307200K");
		builder__feature_string(b, "0-1");
	}
	b = file_builder__feature(&f, FEATURE_HYBRID_TOPOLOGY);
	strings(b, 2, (const char *[]){ "cpu_core", "0-7" });
	builder__set_u32(b, 0, 1);
	CHECK_STR(header_of(&f, true), "# node3 meminfo  : total = 1000 kB, free = 500 kB\n"
	                               "# node3 cpu list : 0-1\n"
	                               "# CPU cache info:\n"
	                               "#  L1 Data                 48K [0-1]\n"
	                               "#  L3 Unified          307200K [0-1]\n"
	                               "# hybrid cpu system:\n"
	                               "# cpu_core cpu list : 0-7\n");
	file_builder__exit(&f);
}

TEST(header_prints_memory_nodes)
{
	struct file_builder f;
	struct builder *b;

	begin_file(&f, true, 1);
	b = file_builder__feature(&f, FEATURE_MEM_TOPOLOGY);
	U64S(b, 1, 0x8000000, 3);
	U64S(b, 0, 100, 100, 0xffffffff00ffffff, 0xfff);
	U64S(b, 12345, 12, 12, 0xab8);
	U64S(b, 4, 8, 8, 0x81);
	CHECK_STR(header_of(&f, true), "# memory nodes (nr 3, block size 0x8000000):\n"
	                               "#    0 [8G]: 0-23,32-75\n"
	                               "#  12345 [768M]: 3-5,7,9,11\n"
	                               "#    4 [256M]: 0,7\n");
	builder__set_u64(b, 32, ~0ull); /* bits without end */
	CHECK_STR(header_of(&f, true), "# MEM_TOPOLOGY info is damaged\n");
	builder__set_u64(b, 0, 2); /* a newer format */
	CHECK_STR(header_of(&f, true), "# memory nodes (nr 0, block size 0x0):\n");
	file_builder__exit(&f);
}

TEST(header_prints_the_clock)
{
	struct file_builder f;
	struct builder *b;

	setenv("TZ", "UTC0", 1);
	begin_file(&f, false, 1);
	b = file_builder__feature(&f, FEATURE_CLOCK_DATA);
	builder__u32(b, 1);
	builder__u32(b, 1);
	U64S(b, 1700000000123456789, 5000123456789);
	CHECK_STR(header_of(&f, false),
	          "# clockid: monotonic (1)\n"
	          "# reference time: 2023-11-14 22:13:20.123456 = 1700000000.123456 (TOD) = "
	          "5000.123456789 (monotonic)\n");
	builder__set_u32(b, 4, 55);
	CHECK(strstr(header_of(&f, false), "# clockid: (not found) (55)\n"));
	builder__set_u32(b, 0, 0);
	CHECK_STR(header_of(&f, false), "# reference time disabled\n");
	unsetenv("TZ");
	file_builder__exit(&f);
}

/* A bpf_prog_info of 232 bytes with @nr parts: addresses, lengths and tags behind it. */
static void add_program(struct builder *b, u32 nr)
{
	u8 info[232] = { 0 };
	size_t at = b->len + 16;

	builder__u32(b, sizeof(info));
	builder__u32(b, nr * 20);
	builder__u64(b, 0x1f9);
	builder__bytes(b, info, sizeof(info));
	builder__set_u32(b, at + 4, 97);
	memcpy(b->data + at + 64, "myprog", 6);
	builder__set_u32(b, at + 104, nr);
	builder__set_u32(b, at + 108, nr);
	builder__set_u64(b, at + 112, 0);
	builder__set_u64(b, at + 120, nr * 8);
	builder__set_u32(b, at + 180, nr);
	builder__set_u64(b, at + 184, nr * 12);
	for (u32 i = 0; i < nr; i++)
		builder__u64(b, 0xffffffffc0001000 + i * 0x1000);
	for (u32 i = 0; i < nr; i++)
		builder__u32(b, 100 + i);
	for (u32 i = 0; i < nr; i++)
		builder__u64(b, b->swap ? 0x0102030405060708 : 0x0807060504030201);
}

TEST(header_prints_bpf_programs)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct builder *b;

		begin_file(&f, swap, 1);
		b = file_builder__feature(&f, FEATURE_BPF_PROG_INFO);
		builder__u32(b, 2);
		add_program(b, 1);
		add_program(b, 2);
		b = file_builder__feature(&f, FEATURE_BPF_BTF);
		builder__u32(b, 1);
		builder__u32(b, 7);
		builder__u32(b, 4);
		builder__bytes(b, "abcd", 4);
		CHECK_STR(header_of(&f, false),
		          "# bpf_prog_info 97: bpf_prog_0102030405060708_myprog addr "
		          "0xffffffffc0001000 size 100\n"
		          "# bpf_prog_info 97:\n"
		          "# \tsub_prog 0: bpf_prog_0102030405060708_F addr 0xffffffffc0001000 "
		          "size 100\n"
		          "# \tsub_prog 1: bpf_prog_0102030405060708_F addr 0xffffffffc0002000 "
		          "size 101\n"
		          "# btf info of id 7\n");
		builder__set_u64(file_builder__feature(&f, FEATURE_BPF_PROG_INFO), 4 + 16 + 112,
		                 1ull << 60);
		CHECK_STR(header_of(&f, false),
		          "# BPF_PROG_INFO info is damaged\n# btf info of id 7\n");
		file_builder__exit(&f);
	}
}

TEST(header_marks_every_damaged_section)
{
	static const unsigned all[] = {
		FEATURE_OSRELEASE,    FEATURE_NRCPUS,        FEATURE_TOTAL_MEM,
		FEATURE_CMDLINE,      FEATURE_EVENT_DESC,    FEATURE_PMU_MAPPINGS,
		FEATURE_SAMPLE_TIME,  FEATURE_CLOCKID,       FEATURE_COMPRESSED,
		FEATURE_CPU_PMU_CAPS, FEATURE_CLOCK_DATA,    FEATURE_PMU_CAPS,
		FEATURE_CACHE,        FEATURE_NUMA_TOPOLOGY, FEATURE_HYBRID_TOPOLOGY,
		FEATURE_BPF_BTF,
	};

	for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
		struct file_builder f;
		char want[100];

		begin_file(&f, false, 1);
		builder__bytes(file_builder__feature(&f, all[i]), "\1\0\0", 3);
		snprintf(want, sizeof(want), "# %s info is damaged\n", perf_feature__name(all[i]));
		CHECK_STR(header_of(&f, true), want);
		file_builder__exit(&f);
	}
}
