// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes perf.data files that no short recording gives, for `make bench`:
 *
 *	gen-stress processes COUNT FILE	  that many short-lived processes, each with ten maps and
 *					  fifty samples; pids are used again after 15,000
 *	gen-stress mmaps COUNT FILE	  one process with a JIT that maps that often, over older
 *					  maps in every way, and two samples after each
 *	gen-stress kernel COUNT FILE ID	  that many samples in the first 12 MB of the kernel
 *					  with that build-id, at the addresses of its file
 *
 * The cost of reading such a file must be in proportion to COUNT. The bytes depend on the
 * arguments only. Records come as from two per-CPU buffers: in runs, each run in order of time,
 * with a FINISHED_ROUND after each pair. Linux's perf reads the files too.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINISHED_ROUND 68
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define HEADER_SIZE  104
#define KERNEL_START 0xffffffff81000000ull
#define KERNEL_CODE  0xc00000
#define SHELL        1000 /* the parent of all processes */
#define FIRST_PID    2000
#define NR_PIDS      15000
#define NR_MAPS      10 /* of a process */
#define NR_SAMPLES   50
#define NR_PROGRAMS  40
#define JIT_PID      5000
#define JIT_BASE     0x7f0000000000ull
#define JIT_SLOTS    4096 /* places for code, of SLOT_SIZE */
#define SLOT_SIZE    0x10000
#define MAPS_PER_RUN 200
#define TICK         1000 /* ns between records */

static FILE *out;
static uint64_t seed = 1;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % below;
}

static void put(const void *bytes, size_t len)
{
	if (fwrite(bytes, len, 1, out) != 1) {
		perror("gen-stress");
		exit(1);
	}
}

/* Who writes a record, and when: what trailers and samples say. */
struct task {
	uint32_t pid, tid, cpu;
	uint64_t time;
};

struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, zero;
};

static void begin(uint32_t type, uint16_t misc, size_t body)
{
	struct perf_event_header header = { type, misc, sizeof(header) + body };

	put(&header, sizeof(header));
}

static void end(const struct task *task)
{
	struct trailer trailer = { task->pid, task->tid, task->time, task->cpu, 0 };

	put(&trailer, sizeof(trailer));
}

/* A name padded to 8 bytes; returns its size on file. */
static size_t pad_name(char padded[64], const char *name)
{
	memset(padded, 0, 64);
	snprintf(padded, 64, "%s", name);
	return (strlen(padded) / 8 + 1) * 8;
}

struct mmap2 {
	uint32_t pid, tid;
	uint64_t start, len, pgoff;
	union {
		struct {
			uint32_t maj, min;
			uint64_t ino, generation;
		} file;
		struct {
			uint8_t size, zero[3], bytes[20];
		} build_id;
	};
	uint32_t prot, flags;
};

static void put_map(const struct task *task, uint16_t misc, const struct mmap2 *body,
                    const char *name)
{
	char padded[64];
	size_t size = pad_name(padded, name);

	begin(PERF_RECORD_MMAP2, misc, sizeof(*body) + size + sizeof(struct trailer));
	put(body, sizeof(*body));
	put(padded, size);
	end(task);
}

static void put_mmap2(const struct task *task, uint64_t start, uint64_t len, uint64_t pgoff,
                      const char *name)
{
	struct mmap2 body = { task->pid, task->tid, start, len, pgoff, .file = { 8, 1, 100, 0 },
		              .prot = 5, .flags = 2 };

	put_map(task, PERF_RECORD_MISC_USER, &body, name);
}

/* @id: its build-id in hexadecimal digits, or NULL. */
static void put_kernel_map(const char *id)
{
	struct task kernel = { 0 };
	struct mmap2 body = { UINT32_MAX, 0, KERNEL_START, 0x1000000, KERNEL_START, .prot = 5 };
	uint8_t *at = body.build_id.bytes;

	while (id && at < body.build_id.bytes + 20 && sscanf(id, "%2hhx", at) == 1) {
		at++;
		id += 2;
	}
	body.build_id.size = at - body.build_id.bytes;
	put_map(&kernel, PERF_RECORD_MISC_KERNEL | (id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0), &body,
	        "[kernel.kallsyms]_text");
}

static void put_comm(const struct task *task, uint16_t misc, const char *name)
{
	char padded[64];
	size_t size = pad_name(padded, name);
	uint32_t ids[2] = { task->pid, task->tid };

	begin(PERF_RECORD_COMM, misc, sizeof(ids) + size + sizeof(struct trailer));
	put(ids, sizeof(ids));
	put(padded, size);
	end(task);
}

static void put_task(const struct task *task, uint32_t type, uint32_t parent)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = { task->pid, parent, task->tid, parent, task->time };

	begin(type, 0, sizeof(body) + sizeof(struct trailer));
	put(&body, sizeof(body));
	end(task);
}

static void put_sample(const struct task *task, uint64_t ip)
{
	struct {
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, zero;
		uint64_t period;
	} body = { ip, task->pid, task->tid, task->time, task->cpu, 0, 100000 };

	begin(PERF_RECORD_SAMPLE, ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	      sizeof(body));
	put(&body, sizeof(body));
}

/* ---- many processes ---- */

/* Fork, some samples in the shell's code, exec, maps with samples between, exit. */
static void put_process(uint32_t number, uint32_t cpu, uint64_t time)
{
	uint32_t pid = FIRST_PID + number % NR_PIDS;
	struct task task = { pid, pid, cpu, time };
	uint64_t starts[NR_MAPS];
	char name[64];

	put_task(&task, PERF_RECORD_FORK, SHELL);
	for (unsigned i = 0; i < 4; i++, task.time += TICK)
		put_sample(&task, 0x400000 + rnd(64) * 0x100);
	snprintf(name, sizeof(name), "job%u", number % NR_PROGRAMS);
	put_comm(&task, PERF_RECORD_MISC_COMM_EXEC, name);
	for (unsigned i = 0; i < NR_MAPS; i++, task.time += TICK) {
		starts[i] = 0x7f0000000000ull + (uint64_t)rnd(1 << 20) * 0x1000000;
		snprintf(name, sizeof(name),
		         i ? "/opt/stress/lib/lib%u.so" : "/opt/stress/bin/job%u",
		         i ? i : number % NR_PROGRAMS);
		put_mmap2(&task, starts[i], 0x100000, 0x1000, name);
	}
	for (unsigned i = 4; i < NR_SAMPLES; i++, task.time += TICK)
		put_sample(&task, i % 5 ? starts[rnd(NR_MAPS)] + rnd(64) * 0x100
		                        : KERNEL_START + rnd(64) * 0x1000);
	put_task(&task, PERF_RECORD_EXIT, SHELL);
}

static void put_processes(uint32_t count)
{
	struct task shell = { SHELL, SHELL, 0, 0 };

	put_comm(&shell, 0, "sh");
	put_mmap2(&shell, 0x400000, 0x20000, 0, "/opt/stress/bin/sh");
	for (uint32_t i = 0; i < count; i++) {
		put_process(i, i % 2, 1000000 + (uint64_t)(i / 2) * 100 * TICK + i % 2 * 7);
		if (i % 2)
			begin(FINISHED_ROUND, 0, 0);
	}
}

/* ---- many maps ---- */

static void put_jit_map(struct task *task)
{
	uint64_t start = JIT_BASE + (uint64_t)rnd(JIT_SLOTS) * SLOT_SIZE + rnd(8) * 0x1000;
	uint64_t pages = rnd(64) ? 1 + rnd(24) : 1 + rnd(4096);

	put_mmap2(task, start, pages * 0x1000, 0, "//anon");
	for (unsigned i = 0; i < 2; i++) {
		task->time += TICK;
		put_sample(task, rnd(2) ? start + rnd(4) * 0x40
		                        : JIT_BASE + (uint64_t)rnd(JIT_SLOTS) * SLOT_SIZE);
	}
	task->time += TICK;
}

static void put_mmaps(uint32_t count)
{
	struct task tasks[2] = { { JIT_PID, JIT_PID, 0, 0 }, { JIT_PID, JIT_PID + 1, 1, 0 } };

	put_comm(&tasks[0], 0, "jit");
	put_mmap2(&tasks[0], 0x400000, 0x100000, 0, "/opt/stress/bin/jit");
	tasks[0].time = tasks[1].time = 1000000;
	put_task(&tasks[1], PERF_RECORD_FORK, JIT_PID);
	tasks[1].time += TICK / 2;
	for (uint32_t i = 0; i < count;) {
		for (unsigned cpu = 0; cpu < 2; cpu++)
			for (unsigned k = 0; k < MAPS_PER_RUN && i < count; k++, i++)
				put_jit_map(&tasks[cpu]);
		begin(FINISHED_ROUND, 0, 0);
	}
}

/* ---- many places ---- */

static void put_kernel(uint32_t count)
{
	struct task idle = { 0, 0, 0, 1000000 };

	for (uint32_t i = 0; i < count; i++, idle.time += TICK)
		put_sample(&idle, KERNEL_START + rnd(KERNEL_CODE));
}

/* ---- the file around them ---- */

/* Written twice: data_size is known at the end. */
static void put_header(uint64_t data_size)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = 128, /* what perf 6.1 reads */
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 100000,
		.sample_type = SAMPLE_TYPE,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
	};
	uint64_t words[HEADER_SIZE / 8] = { 0 }, ids[2] = { 0, 0 };

	memcpy(words, "PERFILE2", 8);
	words[1] = HEADER_SIZE;
	words[2] = attr.size + sizeof(ids);
	words[3] = HEADER_SIZE;
	words[4] = attr.size + sizeof(ids);
	words[5] = HEADER_SIZE + attr.size + sizeof(ids);
	words[6] = data_size;
	put(words, sizeof(words));
	put(&attr, attr.size);
	put(ids, sizeof(ids));
}

static const struct {
	const char *name;
	void (*put_records)(uint32_t count);
} kinds[] = {
	{ "processes", put_processes },
	{ "mmaps", put_mmaps },
	{ "kernel", put_kernel },
};

int main(int argc, char **argv)
{
	uint32_t count = argc >= 4 ? strtoul(argv[2], NULL, 0) : 0;
	void (*put_records)(uint32_t count) = NULL;

	for (unsigned i = 0; count && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name))
			put_records = kinds[i].put_records;
	if (!put_records) {
		fprintf(stderr, "usage: gen-stress processes|mmaps|kernel COUNT FILE [BUILD-ID]\n");
		return 129;
	}
	out = fopen(argv[3], "w");
	if (!out) {
		perror(argv[3]);
		return 1;
	}
	put_header(0);
	long start = ftell(out);

	put_kernel_map(argv[4]);
	put_records(count);
	long size = ftell(out) - start;

	rewind(out);
	put_header(size);
	if (fclose(out)) {
		perror(argv[3]);
		return 1;
	}
	return 0;
}
