// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile that is fed through a pipe for hours, in the time of its records. */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/trace_builder.h"
#include "tests/unit/unit.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/view/live_profile.h"

#define TYPE     (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define ROUND_NS 100000000 /* between two rounds */
#define LOOK     20        /* rounds between two looks */
#define CODE     0x400000
#define RAW_SIZE 16

struct storm {
	bool zero;   /* begin again at each look */
	bool silent; /* processes without samples */
	bool traced; /* samples of a tracepoint, each with a text of its own */
};

struct feed {
	const struct storm *storm;
	struct live_profile live;
	struct session_symbols *symbols;
	struct profile_options profile;
	struct live_options options;
	struct builder b; /* of the round at work */
	int pipe;
	u64 time;
	u32 pid, nr_rounds;
};

static void send(struct feed *f)
{
	builder__end(&f->b, builder__begin(&f->b, RECORD_FINISHED_ROUND, 0));
	CHECK_EQ(write(f->pipe, f->b.data, f->b.len), f->b.len);
	f->b.len = 0;
}

/* A tracepoint of one field. */
static void add_formats(struct builder *b)
{
	static const struct built_format format = {
		"storm", "name: came\nID: 77\nformat:\n" TRACE_COMMON_FIELDS
		         "\tfield:u64 number;\toffset:8;\tsize:8;\tsigned:0;\n\n"
		         "print fmt: \"%llu\", REC->number\n"
	};
	struct builder section = { .swap = false };
	size_t at = builder__begin(b, RECORD_TRACING_DATA, 0);

	trace_builder__write(&section, 8, &format, 1);
	builder__zero(&section, -section.len % 8);
	builder__u64(b, section.len);
	builder__end(b, at);
	builder__bytes(b, section.data, section.len);
	builder__exit(&section);
}

static void use_trace_keys(struct feed *f)
{
	f->options.trace_keys = trace_keys__new(&f->live.session, true);
	f->profile.sample_keys = trace_keys__list(f->options.trace_keys);
	f->profile.nr_sample_keys = 1; /* "trace" */
}

static void feed__init(struct feed *f, const struct storm *storm)
{
	static const struct symbol_config config = { .demangle = true };
	static const struct event_switch always = { .on = NULL };
	struct perf_event_attr attr = built_attr(TYPE);

	if (storm->traced) {
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.config = 77;
		attr.sample_type |= PERF_SAMPLE_RAW;
	}
	char path[32];
	int fds[2];

	*f = (struct feed){ .storm = storm, .time = 1000000000, .pid = 100 };
	CHECK_EQ(pipe2(fds, O_CLOEXEC), 0);
	f->pipe = fds[1];
	builder__u64(&f->b, 0x32454c4946524550ull);
	builder__u64(&f->b, 16);
	size_t at = builder__begin(&f->b, RECORD_HEADER_ATTR, 0);

	builder__attr(&f->b, &attr, 128);
	builder__u64(&f->b, 1);
	builder__end(&f->b, at);
	if (storm->traced)
		add_formats(&f->b);
	struct built_sample shell = { .pid = 50, .tid = 50, .time = f->time };

	builder__comm(&f->b, TYPE, &shell, "shell");
	send(f);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	CHECK_EQ(live_profile__open(&f->live, path, NULL), 0);
	f->symbols = session_symbols__new(&f->live.session.dsos, &config);
	f->options = (struct live_options){ .profile = &f->profile,
		                            .event_switch = &always,
		                            .symbols = f->symbols };
	f->live.half_life = storm->zero ? 0 : 10000000000;
	if (storm->traced)
		use_trace_keys(f);
	CHECK_EQ(live_profile__start(&f->live, &f->options, NULL), 0);
	close(fds[0]);
}

static void feed__exit(struct feed *f)
{
	close(f->pipe);
	live_profile__close(&f->live);
	trace_keys__delete(f->options.trace_keys);
	session_symbols__delete(f->symbols);
	builder__exit(&f->b);
}

static void add_sample(struct feed *f, const struct built_sample *s)
{
	if (!f->storm->traced)
		return builder__sample(&f->b, TYPE, PERF_RECORD_MISC_USER, s);
	size_t at = builder__begin(&f->b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(&f->b, s->ip);
	builder__u32(&f->b, s->pid);
	builder__u32(&f->b, s->tid);
	builder__u64(&f->b, s->time);
	builder__u64(&f->b, s->period);
	builder__u32(&f->b, RAW_SIZE + 4);
	builder__u64(&f->b, 77);
	builder__u64(&f->b, s->time); /* the field */
	builder__u32(&f->b, 0);
	builder__end(&f->b, at);
}

/* A process that comes, maps two objects, works and goes. */
static void add_process(struct feed *f)
{
	struct built_sample s = { .pid = ++f->pid, .tid = f->pid, .time = f->time, .period = 1 };

	builder__task(&f->b, TYPE, &s, PERF_RECORD_FORK, 50, 50);
	builder__comm(&f->b, TYPE, &s, "storm");
	for (u64 i = 0; i < 2; i++)
		builder__mmap2(&f->b, TYPE, &s, PERF_RECORD_MISC_USER, CODE + i * 0x100000, 0x10000,
		               0, i ? "/nonexistent/true" : "/nonexistent/libc.so");
	for (u64 i = 0; i < 4 && !f->storm->silent; i++) {
		s.time = ++f->time;
		s.ip = CODE + f->pid * 16 % 4096 + i;
		add_sample(f, &s);
	}
	builder__task(&f->b, TYPE, &s, PERF_RECORD_EXIT, 50, 50);
}

static void add_rounds(struct feed *f, u32 nr)
{
	while (nr--) {
		f->time += ROUND_NS;
		for (int i = 0; i < 5; i++)
			add_process(f);
		send(f);
		CHECK_EQ(live_profile__take(&f->live, NULL), 1);
		if (++f->nr_rounds % LOOK)
			continue;
		live_profile__look(&f->live);
		if (f->storm->zero)
			live_profile__clear(&f->live);
	}
}

/* What is held. */
static u64 bytes(const struct feed *f)
{
	struct mallinfo2 info = mallinfo2();

	CHECK_EQ(f->live.profile.nr_rows > 0, !f->storm->silent);
	return info.uordblks + info.hblkhd;
}

/* On disk, by files without a name. */
static u64 spooled(void)
{
	u64 nr = 0;
	struct stat st;

	for (int fd = 3; fd < 64; fd++)
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_nlink)
			nr += st.st_blocks * 512;
	return nr;
}

static const struct storm storms[] = {
	{ .zero = false }, { .zero = true }, { .silent = true }, { .traced = true }
};

TEST(live_profile_of_a_storm_of_processes_stays_as_large_as_it_is)
{
	for (u32 i = 0; i < ARRAY_SIZE(storms); i++) {
		struct feed f;

		feed__init(&f, &storms[i]);
		add_rounds(&f, 2000);
		u64 early = bytes(&f);

		add_rounds(&f, 18000);
		CHECK(bytes(&f) <= early + early / 20);
		CHECK(spooled() < 400000);
		feed__exit(&f);
	}
}
