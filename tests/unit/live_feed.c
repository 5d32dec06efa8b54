// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/live_feed.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/trace_builder.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"

#define TYPE     (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define ROUND_NS 100000000 /* between two rounds */
#define LOOK     20        /* rounds between two looks */
#define CODE     0x400000
#define RAW_SIZE 16

static void send(struct live_feed *f)
{
	builder__end(&f->b, builder__begin(&f->b, RECORD_FINISHED_ROUND, 0));
	ssize_t written = write(f->pipe, f->b.data, f->b.len);

	BUG_ON(written != (ssize_t)f->b.len);
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

static void use_trace_keys(struct live_feed *f)
{
	f->options.trace_keys = trace_keys__new(&f->live.session, true);
	f->profile.sample_keys = trace_keys__list(f->options.trace_keys);
	f->profile.nr_sample_keys = 1; /* "trace" */
}

void live_feed__init(struct live_feed *f, const struct storm *storm)
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

	*f = (struct live_feed){ .storm = storm, .time = 1000000000, .pid = 100 };
	int ret = pipe2(fds, O_CLOEXEC);

	BUG_ON(ret);
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
	ret = live_profile__open(&f->live, path, NULL);
	BUG_ON(ret);
	f->symbols = session_symbols__new(&f->live.session.dsos, &config);
	f->options = (struct live_options){ .profile = &f->profile,
		                            .event_switch = &always,
		                            .symbols = f->symbols };
	f->profile.any_thread = f->profile.by_number = storm->shared;
	f->live.half_life = storm->zero ? 0 : 10000000000;
	if (storm->traced)
		use_trace_keys(f);
	ret = live_profile__start(&f->live, &f->options, NULL);
	BUG_ON(ret);
	close(fds[0]);
}

void live_feed__exit(struct live_feed *f)
{
	close(f->pipe);
	live_profile__close(&f->live);
	trace_keys__delete(f->options.trace_keys);
	session_symbols__delete(f->symbols);
	builder__exit(&f->b);
	free(f->program);
}

/* Another program takes the place of the last one. */
static void build(struct live_feed *f)
{
	if (f->program)
		unlink(f->program);
	free(f->program);
	f->program = f->storm->build(f->nr_rounds);
}

static void add_sample(struct live_feed *f, const struct built_sample *s)
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
static void add_process(struct live_feed *f)
{
	struct built_sample s = { .pid = ++f->pid, .tid = f->pid, .time = f->time, .period = 1 };

	builder__task(&f->b, TYPE, &s, PERF_RECORD_FORK, 50, 50);
	builder__comm(&f->b, TYPE, &s, "storm");
	for (u64 i = 0; i < 2; i++)
		builder__mmap2(&f->b, TYPE, &s, PERF_RECORD_MISC_USER, CODE + i * 0x100000, 0x10000,
		               0,
		               i            ? "/nonexistent/true"
		               : f->program ? f->program
		                            : "/nonexistent/libc.so");
	for (u64 i = 0; i < 4 && !f->storm->silent; i++) {
		s.time = ++f->time;
		s.ip = CODE + f->pid * 16 % 4096 + i;
		add_sample(f, &s);
	}
	builder__task(&f->b, TYPE, &s, PERF_RECORD_EXIT, 50, 50);
}

void live_feed__rounds(struct live_feed *f, u32 nr)
{
	while (nr--) {
		f->time += ROUND_NS;
		if (f->storm->build && !(f->nr_rounds % LOOK))
			build(f);
		for (int i = 0; i < 5; i++)
			add_process(f);
		send(f);
		int ret = live_profile__take(&f->live, NULL);

		BUG_ON(ret != 1);
		if (++f->nr_rounds % LOOK)
			continue;
		live_profile__look(&f->live);
		if (f->storm->zero)
			live_profile__clear(&f->live);
	}
}
