// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What rings give, unwound while recording: any bytes in batches of any size. All that goes in
 * comes out, or became a sample with a chain; nothing is left waiting.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/record/live_chains.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

static struct perf_event_attr attr(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		                        .size = sizeof(attr),
		                        .sample_type = TYPE,
		                        .sample_id_all = 1 };

	attr.sample_regs_user = 1ull << arch__here()->sp_bit | 1ull << arch__here()->pc_bit;
	return attr;
}

/*
 * The first byte tells how long the batches are, how much may wait, whether the first batch is told
 * in advance (as records about tasks that run already), and whether a pilot listens.
 */
int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	const struct perf_event_attr event = attr();
	struct evlist list = { .nr = 0 };
	struct live_batch batches[2] = { { .data = NULL }, { .data = NULL } };
	size_t step = size ? 64u << (bytes[0] & 7) : 1, at = size ? 1 : 0;
	u64 waiting = size - at, before = size - at;
	const struct live_load load = { &waiting, size && bytes[0] & 8 ? size / 2 : UINT64_MAX };
	struct out out;

	evlist__add(&list, &event, "cpu-clock");
	struct live_chains *chains = live_chains__new(&list);
	bool piloted = size && bytes[0] & 16;

	FUZZ_CHECK(live_chains__wanted(&list));
	if (piloted)
		live_chains__start_pilot(chains);
	if (size && bytes[0] & 32)
		live_chains__tell(chains, bytes + at, min_u64(step, size - at));

	out__init(&out, -1);
	for (u32 i = 0; at < size; i ^= 1) {
		struct live_batch *last = &batches[i], *next = &batches[i ^ 1];

		next->data = (u8 *)bytes + at;
		next->len = min_u64(step, size - at);
		at += next->len;
		live_chains__run(chains, last, next, &load, &out);
		if (at == size)
			live_chains__run(chains, next, NULL, &load, &out);
	}
	const struct live_counts *counts = live_chains__counts(chains);

	FUZZ_CHECK(!waiting);
	FUZZ_CHECK(counts->nr_unwound ? out.len > 0 : out.len == before);
	fuzz__touch(out.buf, out.len);
	out__exit(&out);
	FUZZ_CHECK(!live_chains__pilot(chains) == !piloted);
	live_chains__end_pilot(chains, &list);
	FUZZ_CHECK(!live_chains__pilot(chains));
	live_chains__delete(chains);
	evlist__exit(&list);
	return 0;
}

static void add_sample(struct builder *b, u64 time, u32 pid, u64 ip)
{
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(b, ip);
	builder__u32(b, pid);
	builder__u32(b, pid);
	builder__u64(b, time);
	builder__u64(b, 0);
	builder__u32(b, 4);
	builder__u32(b, 0);
	builder__u64(b, PERF_SAMPLE_REGS_ABI_64);
	for (unsigned i = 0; i < 2; i++)
		builder__u64(b, i ? ip : 0x7fff0000);
	builder__u64(b, 64);
	builder__zero(b, 64);
	builder__u64(b, 64);
	builder__end(b, at);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (u8 how = 0; how < 64; how += 5) {
		struct built_sample who = { .pid = 7, .tid = 7, .time = 10 };
		struct builder b = { .swap = false };

		builder__u8(&b, how);
		builder__mmap2(&b, TYPE, &who, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0, "/none");
		add_sample(&b, 20, 7, 0x1010);
		who = (struct built_sample){ .pid = 8, .tid = 8, .time = 30 };
		builder__task(&b, TYPE, &who, PERF_RECORD_FORK, 7, 7);
		add_sample(&b, 40, 8, 0x1010);
		builder__task(&b, TYPE, &who, PERF_RECORD_EXIT, 7, 7);
		add(b.data, b.len);
		builder__exit(&b);
	}
}
