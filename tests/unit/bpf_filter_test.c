// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters of samples without a kernel: the parser; the program, which a small interpreter runs on
 * made-up samples of a made-up layout, beside the same filter in C; the reader of BTF on a made-up
 * BTF.
 */
#include "util/bpf_filter/program.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/bpf_filter/evlist_filter.h"
#include "util/bpf_filter/filter_map.h"
#include "util/lib/file.h"

/* ---- the parser ---- */

/* "value op number/shift/mask" with ; for the end of a part, or "column: cause" */
static const char *parsed(const char *text)
{
	static char buf[800];
	struct filter_expression filter;
	struct error err = ERROR_INIT;
	size_t len = 0;

	if (filter_expression__parse(&filter, text, &err)) {
		snprintf(buf, sizeof(buf), "%u: %.24s", err.column, err.cause);
		return buf;
	}
	*buf = '\0';
	for (u32 i = 0; i < filter.nr; i++) {
		const struct sample_comparison *c = &filter.comparisons[i];

		len += snprintf(buf + len, sizeof(buf) - len, "%u %u %llu/%u/%x%s", c->value, c->op,
		                (unsigned long long)c->number, c->shift, c->mask,
		                c->last ? ";" : " ");
	}
	return buf;
}

static u64 fields(const char *text)
{
	struct filter_expression filter;

	return filter_expression__parse(&filter, text, NULL) ? ~0ull : filter.fields;
}

TEST(sample_filters_are_parsed)
{
	CHECK_STR(parsed("period > 1000, cpu == 1"), "8 3 1000/0/0;5 1 1/0/0;");
	CHECK_STR(parsed("ip>=0x10||tid<=5"), "1 4 16/0/0 3 6 5/0/0;");
	CHECK_STR(parsed("  pid != 3\t,\nuid < 010 "), "4 2 3/0/0;18 5 8/0/0;");
	CHECK_STR(parsed("mem_op == load || mem_op == store, mem_lvl > l1"),
	          "16 1 2/0/1f 16 1 4/0/1f;16 3 1/33/f;");
	CHECK_STR(parsed("mem_snoop == peer"), "17 1 64/0/0;");
	CHECK_STR(parsed("mem_dtlb & any_miss"), "16 7 4/26/7f;");
	CHECK_STR(parsed("mem_hops == hops3, mem_blk == by_addr"), "16 1 4/43/7;16 1 4/40/7;");
	CHECK_STR(parsed("mem_remote == remote, mem_lock == locked"), "16 1 1/37/1;16 1 2/24/3;");
	CHECK_STR(parsed("id==18446744073709551615"), "2 1 18446744073709551615/0/0;");
	CHECK_STR(parsed("weight > 1, weight1 > 1, weight2 > 1, ins_lat > 1"),
	          "10 3 1/0/0;10 3 1/0/0;11 3 1/0/0;11 3 1/0/0;");
	CHECK_STR(parsed("weight3 > 1, p_stage_cyc > 1, retire_lat > 1"),
	          "12 3 1/0/0;12 3 1/0/0;12 3 1/0/0;");
}

TEST(mistakes_in_sample_filters_have_their_place)
{
	CHECK_STR(parsed(""), "1: a term is missing");
	CHECK_STR(parsed("cpu == 1,"), "10: a term is missing");
	CHECK_STR(parsed("cpus == 1"), "1: samples have no 'cpus'");
	CHECK_STR(parsed("CPU == 1"), "1: samples have no 'CPU'");
	CHECK_STR(parsed("(cpu == 1)"), "1: there are no parentheses");
	CHECK_STR(parsed("!cpu == 1"), "1: there are no parentheses");
	CHECK_STR(parsed("cpu"), "4: an operator is expected ");
	CHECK_STR(parsed("cpu = 1"), "5: an operator is expected ");
	CHECK_STR(parsed("cpu && tid"), "5: an operator is expected ");
	CHECK_STR(parsed("cpu == "), "8: a value is expected here");
	CHECK_STR(parsed("cpu == -1"), "8: a value is expected here");
	CHECK_STR(parsed("cpu == load"), "8: a value is expected here");
	CHECK_STR(parsed("mem_op == l1"), "11: a value is expected here");
	CHECK_STR(parsed("cpu == 18446744073709551616"), "8: that is not a 64-bit num");
	CHECK_STR(parsed("cpu == 1x"), "8: that is not a 64-bit num");
	CHECK_STR(parsed("cpu == 1 && tid == 1"), "10: a comma, || or the end i");
	CHECK_STR(parsed("cpu == 1 | tid == 1"), "10: a comma, || or the end i");
}

TEST(a_sample_filter_has_32_comparisons_at_most)
{
	char text[33 * 8] = "";
	struct filter_expression filter;

	for (int i = 0; i < 32; i++)
		strcat(text, i ? ",tid>1" : "tid>1");
	CHECK_EQ(filter_expression__parse(&filter, text, NULL), 0);
	CHECK_EQ(filter.nr, 32);
	strcat(text, ",tid>1");
	CHECK_EQ(filter_expression__parse(&filter, text, NULL), -E2BIG);
}

TEST(sample_filters_know_what_the_kernel_must_fill_in)
{
	CHECK_EQ(fields("ip > 1, tid == 1, pid == 1"), PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	CHECK_EQ(fields("cpu == 1 || time > 1"), PERF_SAMPLE_CPU | PERF_SAMPLE_TIME);
	CHECK_EQ(fields("period > 1, addr > 1"), PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR);
	CHECK_EQ(fields("ins_lat > 1"), PERF_SAMPLE_WEIGHT_STRUCT);
	CHECK_EQ(fields("mem_snoop == hit"), PERF_SAMPLE_DATA_SRC);
	CHECK_EQ(fields("txn & 1, phys_addr > 1"), PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR);
	CHECK_EQ(fields("code_pgsz > 1"), PERF_SAMPLE_CODE_PAGE_SIZE);
	CHECK_EQ(fields("data_pgsz > 1"), PERF_SAMPLE_DATA_PAGE_SIZE);
	CHECK_EQ(fields("uid == 1, gid == 1, id == 1"), 0);
}

/* ---- events ---- */

TEST(sample_filters_belong_to_events_with_samples)
{
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE };
	struct perf_event_attr dummy = { .type = PERF_TYPE_SOFTWARE,
		                         .config = PERF_COUNT_SW_DUMMY };
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	struct evsel *first = evlist__add(&list, &clock, "cpu-clock");
	struct evsel *second = evlist__add(&list, &clock, "cpu-clock");

	CHECK_EQ(evlist__add_sample_filter(&list, 1, "cpu == 1", &err), 0);
	CHECK(!first->filter && !evsel__has_sample_filter(first));
	CHECK_STR(second->filter, "cpu == 1");
	CHECK_EQ(evlist__add_sample_filter(&list, 0, "ip > 1 || tid == 1", &err), 0);
	CHECK_STR(first->filter, "ip > 1 || tid == 1");
	CHECK_STR(second->filter, "cpu == 1, ip > 1 || tid == 1");
	CHECK_EQ(first->filter_fields, PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	CHECK_EQ(second->filter_fields, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CPU);
	evlist__add(&list, &dummy, "dummy");
	CHECK_EQ(evlist__add_sample_filter(&list, 0, "gid == 1", &err), -EOPNOTSUPP);
	CHECK_STR(first->filter, "ip > 1 || tid == 1");
	CHECK_EQ(evlist__add_sample_filter(&list, 0, "gid", &err), -EINVAL);
	evlist__exit(&list);
}

/* ---- the program ---- */

/* As the kernel's, in another order. */
struct fake_event {
	u64 unused, id, parent;
};

struct fake_data {
	u32 cpu, tid;
	u64 flags;
	u64 ip, time;
	u16 weight3, weight2;
	u32 weight1, pid;
	u64 addr, period, txn, phys, code_page, data_page, source;
};

struct fake_context {
	u64 event, unused, data;
};

/* One sample, and the machine that looks at it. */
struct world {
	struct fake_event parent, event;
	struct fake_data data;
	struct fake_context context;
	u64 uid_gid;
	u64 key; /* of the one entry of the map */
	struct filter_entry entry;
	u64 stack[64];
	u64 regs[11];
	u32 steps;
	bool broken;
};

#define MEMBER(type, field)                                                                        \
	{                                                                                          \
		offsetof(struct type, field), sizeof(((struct type *)0)->field)                    \
	}

#define CAST 77
#define MAP  5

static const struct filter_layout layout = {
	.cast = CAST,
	.data = MEMBER(fake_context, data),
	.event = MEMBER(fake_context, event),
	.parent = MEMBER(fake_event, parent),
	.id = MEMBER(fake_event, id),
	.flags = MEMBER(fake_data, flags),
	.values = { [SAMPLE_IP] = MEMBER(fake_data, ip),
	            [SAMPLE_TID] = MEMBER(fake_data, tid),
	            [SAMPLE_PID] = MEMBER(fake_data, pid),
	            [SAMPLE_CPU] = MEMBER(fake_data, cpu),
	            [SAMPLE_TIME] = MEMBER(fake_data, time),
	            [SAMPLE_ADDR] = MEMBER(fake_data, addr),
	            [SAMPLE_PERIOD] = MEMBER(fake_data, period),
	            [SAMPLE_TXN] = MEMBER(fake_data, txn),
	            [SAMPLE_WEIGHT1] = MEMBER(fake_data, weight1),
	            [SAMPLE_WEIGHT2] = MEMBER(fake_data, weight2),
	            [SAMPLE_WEIGHT3] = MEMBER(fake_data, weight3),
	            [SAMPLE_PHYS_ADDR] = MEMBER(fake_data, phys),
	            [SAMPLE_CODE_PAGE_SIZE] = MEMBER(fake_data, code_page),
	            [SAMPLE_DATA_PAGE_SIZE] = MEMBER(fake_data, data_page),
	            [SAMPLE_DATA_SOURCE] = MEMBER(fake_data, source),
	            [SAMPLE_SNOOP] = MEMBER(fake_data, source) },
};

static u64 address(const void *p)
{
	return (u64)(uintptr_t)p;
}

/* Like the kernel: what is not there reads as zeros. */
static u64 load(u64 at, u8 size)
{
	u64 value = 0;

	if (at > 4096)
		memcpy(&value, (void *)(uintptr_t)at,
		       size == BPF_B   ? 1
		       : size == BPF_H ? 2
		       : size == BPF_W ? 4
		                       : 8);
	return value;
}

static void call(struct world *w, const struct bpf_insn *insn)
{
	u64 result = 0;

	if (insn->src_reg == BPF_PSEUDO_KFUNC_CALL && insn->imm == CAST)
		result = address(&w->context);
	else if (insn->imm == BPF_FUNC_map_lookup_elem)
		result = w->regs[1] == MAP && load(w->regs[2], BPF_DW) == w->key
		                 ? address(&w->entry)
		                 : 0;
	else if (insn->imm == BPF_FUNC_get_current_uid_gid)
		result = w->uid_gid;
	else
		w->broken = true;
	for (int i = 1; i <= 5; i++)
		w->regs[i] = 0xbad; /* calls forget them */
	w->regs[0] = result;
}

static bool jumps(u8 op, u64 a, u64 b)
{
	switch (op) {
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return a <= b;
	case BPF_JSET:
		return a & b;
	default:
		return true;
	}
}

static u64 computed(struct world *w, u8 op, u64 a, u64 b)
{
	switch (op) {
	case BPF_MOV:
		return b;
	case BPF_ADD:
		return a + b;
	case BPF_MUL:
		return a * b;
	case BPF_AND:
		return a & b;
	case BPF_OR:
		return a | b;
	case BPF_LSH:
		return a << b;
	case BPF_RSH:
		return a >> b;
	default:
		w->broken = true;
		return 0;
	}
}

/* How far to go on; 0: the end. */
static s32 execute(struct world *w, const struct bpf_insn *insn)
{
	u64 *dst = &w->regs[insn->dst_reg];
	u64 src = insn->code & BPF_X ? w->regs[insn->src_reg] : (u64)(s64)insn->imm;

	switch (BPF_CLASS(insn->code)) {
	case BPF_LD: /* 64 bits, in two instructions: the map */
		*dst = insn->src_reg == BPF_PSEUDO_MAP_FD ? (u32)insn->imm : 0;
		return 2;
	case BPF_LDX: /* above its frame is what belongs to others */
		if (w->regs[insn->src_reg] + insn->off - w->regs[10] < sizeof(w->regs))
			w->broken = true;
		*dst = load(w->regs[insn->src_reg] + insn->off, BPF_SIZE(insn->code));
		return 1;
	case BPF_STX:
		if (insn->code == (BPF_STX | BPF_ATOMIC | BPF_DW))
			*(u64 *)(uintptr_t)(*dst + insn->off) += w->regs[insn->src_reg];
		else if (insn->code == (BPF_STX | BPF_MEM | BPF_DW))
			*(u64 *)(uintptr_t)(*dst + insn->off) = w->regs[insn->src_reg];
		else
			w->broken = true;
		return 1;
	case BPF_ALU:
		*dst = (u32)computed(w, BPF_OP(insn->code), (u32)*dst, (u32)src);
		return 1;
	case BPF_ALU64:
		*dst = computed(w, BPF_OP(insn->code), *dst, src);
		return 1;
	default:
		if (BPF_OP(insn->code) == BPF_EXIT)
			return 0;
		if (BPF_OP(insn->code) != BPF_CALL)
			return 1 + (jumps(BPF_OP(insn->code), *dst, src) ? insn->off : 0);
		call(w, insn);
		return 1;
	}
}

/* What the program returns: 1: the sample passes. */
static u64 run(struct world *w)
{
	struct bpf_insn insns[FILTER_PROGRAM_MAX];
	u32 nr = filter_program__make(insns, &layout, MAP);
	s32 at = 0, step = 1;

	w->context = (struct fake_context){ address(&w->event), 0, address(&w->data) };
	w->regs[1] = 0xc0;
	w->regs[10] = address(w->stack + ARRAY_SIZE(w->stack));
	for (w->steps = 0; step && w->steps < 100000; w->steps++) {
		if (at < 0 || at >= (s32)nr || w->broken) {
			w->broken = true;
			return 99;
		}
		step = execute(w, &insns[at]);
		at += step;
	}
	return w->regs[0];
}

/* ---- the same in C ---- */

static u64 value_of(const struct world *w, u8 value)
{
	switch ((enum sample_value)value) {
	case SAMPLE_IP:
		return w->data.ip;
	case SAMPLE_ID:
		return w->key;
	case SAMPLE_TID:
		return w->data.tid;
	case SAMPLE_PID:
		return w->data.pid;
	case SAMPLE_CPU:
		return w->data.cpu;
	case SAMPLE_TIME:
		return w->data.time;
	case SAMPLE_ADDR:
		return w->data.addr;
	case SAMPLE_PERIOD:
		return w->data.period;
	case SAMPLE_TXN:
		return w->data.txn;
	case SAMPLE_WEIGHT1:
		return w->data.weight1;
	case SAMPLE_WEIGHT2:
		return w->data.weight2;
	case SAMPLE_WEIGHT3:
		return w->data.weight3;
	case SAMPLE_PHYS_ADDR:
		return w->data.phys;
	case SAMPLE_CODE_PAGE_SIZE:
		return w->data.code_page;
	case SAMPLE_DATA_PAGE_SIZE:
		return w->data.data_page;
	case SAMPLE_DATA_SOURCE:
		return w->data.source;
	case SAMPLE_SNOOP: {
		union perf_mem_data_src source = { .val = w->data.source };

		return source.mem_snoop | source.mem_snoopx << 5;
	}
	case SAMPLE_UID:
		return w->uid_gid & UINT32_MAX;
	case SAMPLE_GID:
		return w->uid_gid >> 32;
	default:
		return 0;
	}
}

static bool holds(const struct world *w, const struct sample_comparison *c)
{
	static const char *const ops[] = { "", "==", "!=", ">", ">=", "<", "<=", "&" };
	u64 a = value_of(w, c->value) >> c->shift, b = c->number;
	const char *op = ops[c->op];

	if (c->mask)
		a &= c->mask;
	if (!strcmp(op, "&"))
		return a & b;
	if (!strcmp(op, "!="))
		return a != b;
	return (strchr(op, '=') && a == b) || (*op == '>' && a > b) || (*op == '<' && a < b);
}

static bool passes(const struct world *w)
{
	bool any = false;

	for (u32 i = 0; i < w->entry.nr; i++) {
		any |= holds(w, &w->entry.comparisons[i]);
		if (w->entry.comparisons[i].last && !any)
			return false;
		any &= !w->entry.comparisons[i].last;
	}
	return true;
}

/* ---- samples ---- */

static void set_filter(struct world *w, const char *text)
{
	struct filter_expression filter;

	CHECK_EQ(filter_expression__parse(&filter, text, NULL), 0);
	w->entry.nr = filter.nr;
	memcpy(w->entry.comparisons, filter.comparisons, sizeof(filter.comparisons));
}

static struct world *new_world(void)
{
	struct world *w = calloc(1, sizeof(*w));

	*w = (struct world){
		.event = { .id = 7, .unused = 1 },
		.key = 7,
		.data = { .cpu = 3,
		          .tid = 11,
		          .pid = 10,
		          .ip = 0xffffffff81000000,
		          .time = 500,
		          .weight1 = 70000,
		          .weight2 = 200,
		          .weight3 = 30,
		          .addr = 0x1000,
		          .period = 100,
		          .txn = 5,
		          .phys = 0x2000,
		          .code_page = 4096,
		          .data_page = 2 << 20 },
		.uid_gid = 1000ull << 32 | 500,
	};
	w->data.flags = ~0ull;
	w->data.source = PERF_MEM_OP_LOAD | 3ull << PERF_MEM_LVLNUM_SHIFT |
	                 2ull << PERF_MEM_SNOOPX_SHIFT |
	                 (u64)PERF_MEM_SNOOP_HIT << PERF_MEM_SNOOP_SHIFT;
	return w;
}

TEST(the_program_lets_pass_what_the_filter_says)
{
	static const struct {
		const char *filter;
		bool passes;
	} rows[] = {
		{ "cpu == 3", true },
		{ "cpu == 2", false },
		{ "cpu == 2 || tid == 11", true },
		{ "cpu == 2 || tid == 12", false },
		{ "cpu == 3, tid == 12", false },
		{ "cpu == 2 || cpu == 3, tid == 12 || pid == 10", true },
		{ "cpu == 2 || cpu == 3, tid == 12 || pid == 11", false },
		{ "ip >= 0xffffffff80000000", true },
		{ "ip < 0x800000000000", false },
		{ "weight == 70000, weight2 == 200, weight3 == 30", true },
		{ "uid == 500, gid == 1000", true },
		{ "uid == 1000 || gid == 500", false },
		{ "id == 7", true },
		{ "mem_op == load, mem_lvl == l3", true },
		{ "mem_op & store", false },
		{ "mem_lvl > l3", false },
		{ "mem_snoop & peer, mem_snoop & hit", true },
		{ "mem_snoop == peer", false },
		{ "txn & 4, txn & 2 || txn & 1", true },
		{ "txn & 2", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world *w = new_world();
		u64 result;

		set_filter(w, rows[i].filter);
		result = run(w);
		if (w->broken || result != rows[i].passes)
			unit__fail(__FILE__, __LINE__, "%s gives %llu", rows[i].filter,
			           (unsigned long long)result);
		CHECK_EQ(w->entry.dropped, !rows[i].passes);
		CHECK_EQ(passes(w), rows[i].passes);
		free(w);
	}
}

/* It is left over from others: nobody is to find out. */
TEST(what_a_sample_does_not_have_is_zero)
{
	static const struct {
		const char *filter;
		u64 field;
	} rows[] = {
		{ "ip == 0", PERF_SAMPLE_IP },
		{ "tid == 0, pid == 0", PERF_SAMPLE_TID },
		{ "cpu == 0", PERF_SAMPLE_CPU },
		{ "time == 0", PERF_SAMPLE_TIME },
		{ "addr == 0", PERF_SAMPLE_ADDR },
		{ "period == 0", PERF_SAMPLE_PERIOD },
		{ "txn == 0", PERF_SAMPLE_TRANSACTION },
		{ "weight == 0, weight2 == 0, weight3 == 0", PERF_SAMPLE_WEIGHT_STRUCT },
		{ "phys_addr == 0", PERF_SAMPLE_PHYS_ADDR },
		{ "code_pgsz == 0", PERF_SAMPLE_CODE_PAGE_SIZE },
		{ "data_pgsz == 0", PERF_SAMPLE_DATA_PAGE_SIZE },
		{ "mem_op == 0, mem_lvl == 0, mem_snoop == 0", PERF_SAMPLE_DATA_SRC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world *w = new_world();

		set_filter(w, rows[i].filter);
		w->data.flags = rows[i].field;
		CHECK_EQ(run(w), 0);
		w->data.flags = ~rows[i].field & ~(u64)PERF_SAMPLE_WEIGHT;
		CHECK_EQ(run(w), 1);
		CHECK(!w->broken);
		free(w);
	}
}

TEST(inherited_events_have_the_filter_of_their_parent)
{
	struct world *w = new_world();

	set_filter(w, "cpu == 2");
	w->parent.id = 7;
	w->event.id = 1234;
	CHECK_EQ(run(w), 1); /* without a parent: another event, which has no filter */
	w->event.parent = address(&w->parent);
	CHECK_EQ(run(w), 0);
	CHECK_EQ(w->entry.dropped, 1);
	set_filter(w, "id == 7");
	CHECK_EQ(run(w), 1);
	CHECK_EQ(w->broken, 0);
	free(w);
}

TEST(a_full_filter_is_compared_to_its_end)
{
	struct world *w = new_world();
	char text[32 * 12] = "";

	for (int i = 0; i < 31; i++)
		strcat(text, "tid == 1||");
	strcat(text, "tid == 11");
	set_filter(w, text);
	CHECK_EQ(w->entry.nr, 32);
	CHECK_EQ(run(w), 1);
	w->data.tid = 12;
	CHECK_EQ(run(w), 0);
	free(w);
}

/* A pinned map holds what other processes wrote. */
TEST(the_program_ends_on_any_entry)
{
	struct world *w = new_world();

	srand(1);
	for (int i = 0; i < 3000; i++) {
		u8 *bytes = (u8 *)w->entry.comparisons;

		for (size_t at = 0; at < sizeof(w->entry.comparisons); at++)
			bytes[at] = rand() % 4 ? rand() % 24 : rand();
		for (int at = 0; at < 32; at++)
			w->entry.comparisons[at].shift &= 63; /* as the kernel does */
		w->entry.nr = rand();
		CHECK(run(w) <= 1);
		CHECK(!w->broken);
		CHECK(w->steps < 5000);
	}
	free(w);
}

TEST(the_program_and_c_agree_on_random_filters)
{
	struct world *w = new_world();
	u32 nr_passed = 0;

	srand(2);
	for (int i = 0; i < 5000; i++) {
		w->entry.nr = 1 + rand() % 6;
		w->data.source = (u64)rand() << 32 ^ rand();
		w->data.cpu = rand() % 4;
		for (u32 at = 0; at < w->entry.nr; at++) {
			struct sample_comparison *c = &w->entry.comparisons[at];

			*c = (struct sample_comparison){
				.value = 1 + rand() % (SAMPLE_NR_VALUES - 1),
				.op = 1 + rand() % (SAMPLE_NR_OPERATORS - 1),
				.last = at + 1 == w->entry.nr || rand() % 2,
				.shift = rand() % 2 ? 0 : rand() % 64,
				.mask = rand() % 2 ? 0 : rand() % 32
			};
			c->number = value_of(w, c->value) >> c->shift;
			if (c->mask)
				c->number &= c->mask;
			c->number += rand() % 3 - 1;
		}
		bool want = passes(w);

		CHECK_EQ(run(w), want);
		CHECK(!w->broken);
		nr_passed += want;
	}
	CHECK(nr_passed > 500 && nr_passed < 4500);
	free(w);
}

/* ---- whose entry it is ---- */

TEST(entries_of_processes_that_ended_are_known)
{
	struct filter_entry entry = { .nr = 0 }, other;

	filter_entry__own(&entry);
	CHECK_EQ(entry.owner_pid, getpid());
	CHECK(entry.owner_start);
	CHECK(!filter_entry__is_left(&entry));
	other = entry;
	other.owner_start++; /* the id was given to another process */
	CHECK(filter_entry__is_left(&other));
	other = entry;
	other.owner_pid = 0x7fffffff;
	CHECK(filter_entry__is_left(&other));
	other.owner_namespace++; /* of other namespaces nothing is known */
	CHECK(!filter_entry__is_left(&other));
}

/* ---- BTF ---- */

struct btf_builder {
	u32 types[200];
	u32 nr;
	char strings[400];
	u32 len;
};

static u32 name(struct btf_builder *b, const char *text)
{
	u32 at = b->len;

	if (!text)
		return 0;
	strcpy(b->strings + b->len, text);
	b->len += strlen(text) + 1;
	return at;
}

static void add_words(struct btf_builder *b, const u32 *words, u32 nr)
{
	memcpy(b->types + b->nr, words, nr * sizeof(*words));
	b->nr += nr;
}

#define WORDS(b, ...)                                                                              \
	add_words(b, (const u32[]){ __VA_ARGS__ }, sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32))

#define INFO(kind, nr) ((u32)(kind) << 24 | (nr))

/*
 * 1 u64; 2 u32; 3 struct { u32 pid; u32 tid; }; 4 typedef of 3; 5 union { u64 full; struct 3; };
 * 6 pointer; 7 struct outer; 8 prototype with 2 parameters; 9 function
 */
static char *build(struct btf_builder *b, size_t *size)
{
	u32 *header;
	char *data;

	*b = (struct btf_builder){ .len = 1 };
	WORDS(b, name(b, "u64"), INFO(1, 0), 8, 64);
	WORDS(b, name(b, "u32"), INFO(1, 0), 4, 32);
	WORDS(b, 0, INFO(4, 2), 8, name(b, "pid"), 2, 0, name(b, "tid"), 2, 32);
	WORDS(b, name(b, "entry_t"), INFO(8, 0), 3);
	WORDS(b, 0, INFO(5, 2), 8, name(b, "full"), 1, 0, 0, 3, 0);
	WORDS(b, 0, INFO(2, 0), 7);
	WORDS(b, name(b, "outer"), INFO(4, 5) | 1u << 31, 40, name(b, "entry"), 4, 64, 0, 5, 128,
	      name(b, "next"), 6, 192, name(b, "bits"), 2, 256 | 3u << 24, name(b, "plain"), 2,
	      288);
	WORDS(b, 0, INFO(13, 2), 1, name(b, "a"), 1, name(b, "b"), 2);
	WORDS(b, name(b, "function"), INFO(12, 0), 8);
	*size = 24 + 4 * b->nr + b->len;
	data = calloc(1, *size);
	header = (u32 *)data;
	header[0] = 0x0001eb9f;
	header[1] = 24;
	header[3] = 4 * b->nr;
	header[4] = 4 * b->nr;
	header[5] = b->len;
	memcpy(data + 24, b->types, 4 * b->nr);
	memcpy(data + 24 + 4 * b->nr, b->strings, b->len);
	return data;
}

static int read_btf(struct btf *btf, const char *data, size_t size, struct error *err)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/btf", unit__tmpdir());
	file = fopen(path, "w");
	fwrite(data, 1, size, file);
	fclose(file);
	return btf__read(btf, path, err);
}

/* "offset/size", or "-" */
static const char *member(const struct btf *btf, const char *path)
{
	static char buf[32];
	struct btf_member found;

	if (btf__find_member(btf, "outer", path, &found))
		return "-";
	snprintf(buf, sizeof(buf), "%u/%u", found.offset, found.size);
	return buf;
}

TEST(members_are_found_in_btf)
{
	struct btf_builder b;
	struct error err = ERROR_INIT;
	struct btf_member found;
	struct btf btf;
	size_t size;
	char *data = build(&b, &size);
	u32 nr_params = 0;

	CHECK_EQ(read_btf(&btf, data, size, &err), 0);
	CHECK_EQ(btf.nr, 10);
	CHECK_STR(member(&btf, "entry"), "8/8");
	CHECK_STR(member(&btf, "entry.tid"), "12/4");
	CHECK_STR(member(&btf, "full"), "16/8");
	CHECK_STR(member(&btf, "tid"), "20/4"); /* in two members without names */
	CHECK_STR(member(&btf, "next"), "24/8");
	CHECK_STR(member(&btf, "next.entry"), "-"); /* behind a pointer */
	CHECK_STR(member(&btf, "bits"), "-");
	CHECK_STR(member(&btf, "plain"), "36/4");
	CHECK_STR(member(&btf, "plai"), "-");
	CHECK_STR(member(&btf, "entry."), "-");
	CHECK_EQ(btf__find_member(&btf, "entry_t", "tid", &found), -ENOENT);
	CHECK_EQ(btf__find_function(&btf, "function", &nr_params), 9);
	CHECK_EQ(nr_params, 2);
	CHECK_EQ(btf__find_function(&btf, "outer", &nr_params), 0);
	btf__exit(&btf);
	free(data);
}

TEST(damaged_btf_is_refused_or_harmless)
{
	struct btf_builder b;
	struct btf btf;
	size_t size;
	char *data = build(&b, &size), *bad = malloc(size);
	u32 nr_params, nr_refused = 0;

	CHECK_EQ(btf__read(&btf, "/nosuch/btf", NULL), -ENOENT);
	for (size_t cut = 0; cut < size; cut += 7)
		CHECK_EQ(read_btf(&btf, data, cut, NULL), -EINVAL);
	for (size_t at = 0; at < size; at++) {
		memcpy(bad, data, size);
		bad[at] ^= at % 3 ? 0x0f : 0xff;
		if (read_btf(&btf, bad, size, NULL)) {
			nr_refused++;
			continue;
		}
		member(&btf, "tid");
		member(&btf, "next.entry.pid");
		btf__find_function(&btf, "function", &nr_params);
		btf__exit(&btf);
	}
	CHECK(nr_refused > 20);
	free(bad);
	free(data);
}

TEST(a_kernel_that_lacks_something_is_named)
{
	struct btf_builder b;
	struct error err = ERROR_INIT;
	struct filter_layout found;
	struct btf btf;
	size_t size;
	char *data = build(&b, &size);

	CHECK_EQ(read_btf(&btf, data, size, &err), 0);
	CHECK_EQ(filter_layout__find(&found, &btf, &err), -EOPNOTSUPP);
	CHECK(strstr(err.cause, "bpf_cast_to_kern_ctx"));
	CHECK(strstr(err.advice, "Linux 6.3"));
	btf__exit(&btf);
	free(data);
}

TEST(bpf_filter_that_nothing_can_pass)
{
	static const struct {
		u32 type;
		u64 config;
		const char *filter, *lacks; /* NULL: something may pass */
	} rows[] = {
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "weight > 3", "no weight" },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "ip > 1, addr == 7", "address" },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "txn & 1 || addr > 0", "address" },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "weight > 3 || ip > 1", NULL },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "weight < 3, ip > 1", NULL },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "mem_op == na", NULL },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "mem_snoop == fwd", "source" },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "addr > 4096", NULL },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "mem_lvl > l1, ip > 1", NULL },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "mem_lvl == l1", "source" },
		{ PERF_TYPE_BREAKPOINT, 0, "phys_addr != 0", NULL },
		{ PERF_TYPE_BREAKPOINT, 0, "weight >= 1", "no weight" },
		{ PERF_TYPE_HARDWARE, 0, "weight > 3, addr > 1", NULL },
		/* CPUs are 0 to 3. */
		{ PERF_TYPE_HARDWARE, 0, "cpu == 4", "no CPU 4" },
		{ PERF_TYPE_HARDWARE, 0, "cpu == 3", NULL },
		{ PERF_TYPE_HARDWARE, 0, "ip > 1, cpu > 3 || cpu == 77", "no CPU 77" },
		{ PERF_TYPE_HARDWARE, 0, "cpu == 4 || cpu <= 3", NULL },
		{ PERF_TYPE_HARDWARE, 0, "cpu == 4 || ip > 1", NULL },
		{ PERF_TYPE_HARDWARE, 0, "cpu >= 4", "no CPU of this machine fits" },
		{ PERF_TYPE_HARDWARE, 0, "cpu & 4", "no CPU of this machine fits" },
		{ PERF_TYPE_HARDWARE, 0, "cpu & 2, cpu != 3, cpu < 3", NULL },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu == 4 || weight > 3", "CPU" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_event_attr attr = { .type = rows[i].type, .config = rows[i].config };
		struct error why = ERROR_INIT;
		struct evlist list = { .nr = 0 };
		bool void_filter;

		evlist__add(&list, &attr, "event");
		CHECK(!evlist__add_sample_filter(&list, 0, rows[i].filter, NULL));
		void_filter = evsel__filter_drops_all(list.evsels[0], 3, &why);
		if (void_filter != (rows[i].lacks != NULL) ||
		    (rows[i].lacks && (!strstr(why.cause, rows[i].lacks) || !why.advice[0])))
			unit__fail(__FILE__, __LINE__, "%s: \"%s\"", rows[i].filter, why.cause);
		evlist__exit(&list);
	}
}
