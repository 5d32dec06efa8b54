// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of a sample, one by one. */
#include "ui/dump/dump_private.h"
#include "ui/dump/record_text.h"
#include "util/event/registers.h"
#include "util/format/sample.h"

/* Bits newer than the build machine's kernel headers. */
#define BRANCH_CALL_STACK (1ull << 11)

/* ---- chains ---- */

/* "..... 12: 00007fcb2ccf2ad7" with @end behind. */
static void print_entry(struct out *out, u64 index, u64 addr)
{
	static const char digits[] = "0123456789abcdef";

	out__str(out, "..... ");
	out__dec(out, index, 2);
	char *p = out__room(out, 20);

	p[0] = ':';
	p[1] = ' ';
	for (int i = 0; i < 16; i++)
		p[2 + i] = digits[addr >> (60 - 4 * i) & 15];
	out->len += 18;
}

static void print_chain_line(struct out *out, u64 index, u64 addr)
{
	print_entry(out, index, addr);
	out__char(out, '\n');
}

static bool is_call_stack(const struct evsel *evsel)
{
	return evsel->attr.branch_sample_type & BRANCH_CALL_STACK;
}

static u64 branch_at(const struct dump *dump, const struct sample *s, u64 i, unsigned field)
{
	return u64_span__get(&s->branches, 3 * i + field, dump->swap);
}

/*
 * The user part of the chain as the processor's branch stack has it: where the first branch went,
 * then where each came from. The kernel's part is the frame-pointer chain's.
 */
static void print_lbr_chain(struct dump *dump, const struct sample *s)
{
	u64 nr_kernel = chain__user_marker(&s->chain, dump->swap);
	u64 nr_branches = s->branches.nr / 3, at = 0;

	if (nr_kernel == s->chain.nr || !nr_branches)
		return;
	out__str(dump->out, "... LBR call chain: nr:");
	out__dec(dump->out, nr_kernel + nr_branches + 2, 0);
	out__char(dump->out, '\n');
	for (; at <= nr_kernel; at++)
		print_chain_line(dump->out, at, u64_span__get(&s->chain, at, dump->swap));
	print_chain_line(dump->out, at++, branch_at(dump, s, 0, 1));
	for (u64 i = 0; i < nr_branches; i++)
		print_chain_line(dump->out, at++, branch_at(dump, s, i, 0));
}

static void print_chain(struct dump *dump, const struct evsel *evsel, const struct sample *s)
{
	if (is_call_stack(evsel))
		print_lbr_chain(dump, s);
	out__str(dump->out, "... FP chain: nr:");
	out__dec(dump->out, s->chain.nr, 0);
	out__char(dump->out, '\n');
	for (u64 i = 0; i < s->chain.nr; i++)
		print_chain_line(dump->out, i, u64_span__get(&s->chain, i, dump->swap));
}

/* ---- branches ---- */

static void print_branch(struct dump *dump, const struct sample *s, u64 i)
{
	struct out *out = dump->out;
	u64 flags = branch_at(dump, s, i, 2);

	print_entry(out, i, branch_at(dump, s, i, 0));
	out__printf(out, " -> %016llx %u cycles %s%s%s%s %x %s\n",
	            (unsigned long long)branch_at(dump, s, i, 1), (unsigned)(flags >> 4 & 0xffff),
	            flags & 1 ? "M" : " ", flags & 2 ? "P" : " ", flags & 8 ? "A" : " ",
	            flags & 4 ? "T" : " ", (unsigned)(flags >> 33), branch_entry__type(flags));
}

static void print_branches(struct dump *dump, const struct evsel *evsel, const struct sample *s)
{
	u64 nr = s->branches.nr / 3;

	if (!is_call_stack(evsel)) {
		out__printf(dump->out, "... branch stack: nr:%llu\n", (unsigned long long)nr);
		for (u64 i = 0; i < nr; i++)
			print_branch(dump, s, i);
		return;
	}
	out__printf(dump->out, "... branch callstack: nr:%llu\n", (unsigned long long)nr + 1);
	if (nr)
		print_chain_line(dump->out, 0, branch_at(dump, s, 0, 1));
	for (u64 i = 0; i < nr; i++)
		print_chain_line(dump->out, i + 1, branch_at(dump, s, i, 0));
}

/* ---- registers ---- */

static void print_registers(struct dump *dump, const char *which, u64 abi, u64 mask,
                            const struct u64_span *values)
{
	static const char *const abis[] = { "none", "32-bit", "64-bit" };
	struct out *out = dump->out;
	char name[16];

	if (!abi)
		return;
	out__printf(out, "... %s regs: mask 0x%llx ABI %s\n", which, (unsigned long long)mask,
	            abi < ARRAY_SIZE(abis) ? abis[abi] : "unknown");
	for (u64 i = 0, bit = 0; i < values->nr && bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		out__str(out, ".... ");
		out__left(out, register__name(dump->arch, bit, name, sizeof(name)), 5);
		out__str(out, " 0x");
		out__hex0(out, u64_span__get(values, i++, dump->swap), 16);
		out__char(out, '\n');
	}
}

/* ---- counts ---- */

static void print_count(struct dump *dump, const struct sample *s, u64 i)
{
	const u8 *value = s->read.values + i * s->read.stride;
	struct out *out = dump->out;

	out__str(out, "..... id ");
	out__hex0(out, s->read.id_at ? load_u64(value + s->read.id_at, dump->swap) : 0, 16);
	out__str(out, ", value ");
	out__hex0(out, load_u64(value, dump->swap), 16);
	if (s->read.lost_at) {
		out__str(out, ", lost ");
		out__dec(out, load_u64(value + s->read.lost_at, dump->swap), 0);
	}
	out__char(out, '\n');
}

static void print_counts(struct dump *dump, u64 format, const struct sample *s)
{
	struct out *out = dump->out;

	out__str(out, "... sample_read:\n");
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out__printf(out, "...... time enabled %016llx\n",
		            (unsigned long long)s->read.enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out__printf(out, "...... time running %016llx\n",
		            (unsigned long long)s->read.running);
	if (format & PERF_FORMAT_GROUP)
		out__printf(out, ".... group nr %llu\n", (unsigned long long)s->read.nr);
	for (u64 i = 0; i < s->read.nr; i++)
		print_count(dump, s, i);
}

/* ---- the rest ---- */

static void print_page_size(struct out *out, const char *which, u64 size)
{
	out__str(out, " .. ");
	out__str(out, which);
	out__str(out, " page size: ");
	record_text__page_size(out, size);
	out__char(out, '\n');
}

/* WEIGHT is one number, WEIGHT_STRUCT three. */
static void print_weight(struct out *out, u64 type, u64 weight)
{
	out__str(out, "... weight: ");
	if (type & PERF_SAMPLE_WEIGHT)
		out__dec(out, weight, 0);
	else
		out__printf(out, "%u,0x%x,0x%x", (u32)weight, (unsigned)(weight >> 32 & 0xffff),
		            (unsigned)(weight >> 48));
	out__char(out, '\n');
}

static void print_memory(struct out *out, u64 type, const struct sample *s)
{
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		print_weight(out, type, s->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		out__printf(out, " . data_src: 0x%llx\n", (unsigned long long)s->data_src);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		out__printf(out, " .. phys_addr: 0x%llx\n", (unsigned long long)s->phys_addr);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		print_page_size(out, "data", s->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		print_page_size(out, "code", s->code_page_size);
	if (type & PERF_SAMPLE_TRANSACTION)
		out__printf(out, "... transaction: %llx\n", (unsigned long long)s->transaction);
}

/* "PERF_RECORD_SAMPLE(IP, 0x2): 2642/2642: 0x55da919fcc36 period: 10000 addr: 0" */
static void print_head(struct dump *dump, const struct evsel *evsel, const struct sample *s)
{
	bool period = evsel->attr.sample_type & PERF_SAMPLE_PERIOD;
	struct out *out = dump->out;

	out__str(out, "PERF_RECORD_SAMPLE(IP, 0x");
	out__hex(out, s->misc, 0);
	out__str(out, "): ");
	out__sdec(out, (s32)s->pid);
	out__char(out, '/');
	out__sdec(out, (s32)s->tid);
	out__str(out, ": ");
	record_text__hex(out, s->ip);
	out__str(out, " period: ");
	out__dec(out, period ? s->period : evsel->attr.sample_period, 0);
	out__str(out, " addr: ");
	record_text__hex(out, s->addr);
	out__char(out, '\n');
}

void dump__sample(struct dump *dump, const struct evsel *evsel, const struct record *record,
                  const struct sample *s)
{
	const struct perf_event_attr *attr = &evsel->attr;
	u64 type = attr->sample_type;

	print_head(dump, evsel, s);
	if (type & PERF_SAMPLE_CALLCHAIN)
		print_chain(dump, evsel, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		print_branches(dump, evsel, s);
	if (type & PERF_SAMPLE_REGS_USER)
		print_registers(dump, "user", s->user_abi, attr->sample_regs_user, &s->user_regs);
	if (type & PERF_SAMPLE_REGS_INTR)
		print_registers(dump, "intr", s->intr_abi, attr->sample_regs_intr, &s->intr_regs);
	if (type & PERF_SAMPLE_STACK_USER)
		out__printf(dump->out, "... ustack: size %llu, offset %#llx\n",
		            (unsigned long long)s->stack_dyn_size,
		            (unsigned long long)(s->stack - record->data - RECORD_HEADER_SIZE));
	print_memory(dump->out, type, s);
	if (type & PERF_SAMPLE_READ)
		print_counts(dump, attr->read_format, s);
}
