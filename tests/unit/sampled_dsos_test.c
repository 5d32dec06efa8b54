// SPDX-License-Identifier: GPL-2.0-or-later
/* Into which objects samples and their frames fell. */
#include "util/analysis/sampled_dsos.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

#define TYPE   (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define KERNEL 0xffffffff81000000

static void sample(struct file_builder *f, u16 mode, u64 ip, const u64 *chain, u64 nr)
{
	struct built_sample s = {
		.pid = 70, .tid = 70, .time = 2000, .ip = ip, .chain = chain, .nr_chain = nr
	};

	builder__sample(&f->data, TYPE, mode, &s);
}

static void map(struct file_builder *f, u16 mode, u64 start, u64 len, const char *name)
{
	struct built_sample at = { .pid = mode == PERF_RECORD_MISC_KERNEL ? -1u : 70,
		                   .tid = 70,
		                   .time = 1000 };

	builder__mmap2(&f->data, TYPE, &at, mode, start, len, 0, name);
}

/* One program's maps: a, b and c, of which b and c share a page, and the kernel. */
static void start(struct file_builder *f)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct built_sample at = { .pid = 70, .tid = 70, .time = 1000 };

	file_builder__init(f, false);
	file_builder__event(f, &attr, NULL, 0);
	map(f, PERF_RECORD_MISC_KERNEL, KERNEL, 0x1000000, "[kernel.kallsyms]_text");
	builder__comm(&f->data, TYPE, &at, "program");
	map(f, PERF_RECORD_MISC_USER, 0x400000, 0x2000, "/a");
	map(f, PERF_RECORD_MISC_USER, 0x500000, 0x800, "/b");
	map(f, PERF_RECORD_MISC_USER, 0x500800, 0x800, "/c");
}

/* The names that were hit, in the order of their maps. */
static const char *hits(struct file_builder *f, unsigned flags)
{
	static char text[256];
	struct session session;

	text[0] = '\0';
	CHECK_EQ(session__open(&session, file_builder__write(f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	bool *hit = xcalloc(session.dsos.nr + 1, sizeof(*hit));

	CHECK_EQ(session__find_sampled_dsos(&session, flags, hit), 0);
	for (u32 i = 0; i < session.dsos.nr; i++) {
		const char *name = strtab__get(&session.strings, dsos__at(&session.dsos, i)->name);

		if (hit[i] && strlen(text) + strlen(name) + 2 < sizeof(text))
			strcat(strcat(text, name), " ");
	}
	free(hit);
	session__close(&session);
	file_builder__exit(f);
	return text;
}

TEST(sampled_dsos_of_the_kernel_and_of_programs)
{
	struct file_builder f;

	start(&f);
	CHECK_STR(hits(&f, 0), "");
	start(&f);
	sample(&f, PERF_RECORD_MISC_KERNEL, KERNEL + 0x100, NULL, 0);
	CHECK_STR(hits(&f, 0), "[kernel.kallsyms] ");
	start(&f);
	sample(&f, PERF_RECORD_MISC_USER, 0x400000, NULL, 0);
	CHECK_STR(hits(&f, 0), "/a ");
	/* neither is mapped in that space, nor is the hypervisor's any of ours */
	start(&f);
	sample(&f, PERF_RECORD_MISC_USER, KERNEL + 0x100, NULL, 0);
	sample(&f, PERF_RECORD_MISC_KERNEL, 0x400000, NULL, 0);
	sample(&f, PERF_RECORD_MISC_HYPERVISOR, 0x400000, NULL, 0);
	sample(&f, PERF_RECORD_MISC_USER, 0x402000, NULL, 0);
	CHECK_STR(hits(&f, 0), "");
}

TEST(sampled_dsos_in_a_page_that_two_maps_share)
{
	struct file_builder f;

	for (u32 first = 0; first < 2; first++) {
		start(&f);
		sample(&f, PERF_RECORD_MISC_USER, first ? 0x500010 : 0x500810, NULL, 0);
		CHECK_STR(hits(&f, 0), first ? "/b " : "/c ");
	}
	start(&f);
	sample(&f, PERF_RECORD_MISC_USER, 0x500810, NULL, 0);
	sample(&f, PERF_RECORD_MISC_USER, 0x500010, NULL, 0);
	CHECK_STR(hits(&f, 0), "/b /c ");
}

TEST(sampled_dsos_of_frames_follow_the_contexts)
{
	static const u64 chain[] = {
		PERF_CONTEXT_KERNEL, KERNEL + 0x10, PERF_CONTEXT_USER,       0x400010,
		PERF_CONTEXT_GUEST,  0x500010,      PERF_CONTEXT_GUEST_USER, 0x500810,
	};
	struct file_builder f;

	start(&f);
	sample(&f, PERF_RECORD_MISC_KERNEL, KERNEL + 0x10, chain, ARRAY_SIZE(chain));
	CHECK_STR(hits(&f, 0), "[kernel.kallsyms] ");
	start(&f);
	sample(&f, PERF_RECORD_MISC_KERNEL, KERNEL + 0x10, chain, ARRAY_SIZE(chain));
	CHECK_STR(hits(&f, SAMPLED_DSOS_FRAMES), "[kernel.kallsyms] /a ");
	/* Before any context a frame is where its sample is. */
	start(&f);
	sample(&f, PERF_RECORD_MISC_USER, 0x400010, (const u64[]){ 0x500010 }, 1);
	CHECK_STR(hits(&f, SAMPLED_DSOS_FRAMES), "/a /b ");
}
