// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/attr_fields.h"

#include <stdio.h>
#include <string.h>

struct bit_name {
	u64 bit;
	const char *name;
};

/* In the order in which they are printed, which is not that of the bits. */
static const struct bit_name sample_bits[] = {
	{ PERF_SAMPLE_IP, "IP" },
	{ PERF_SAMPLE_TID, "TID" },
	{ PERF_SAMPLE_TIME, "TIME" },
	{ PERF_SAMPLE_ADDR, "ADDR" },
	{ PERF_SAMPLE_READ, "READ" },
	{ PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" },
	{ PERF_SAMPLE_CPU, "CPU" },
	{ PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ PERF_SAMPLE_RAW, "RAW" },
	{ PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" },
	{ PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" },
	{ PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" },
	{ PERF_SAMPLE_TRANSACTION, "TRANSACTION" },
	{ PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ PERF_SAMPLE_AUX, "AUX" },
	{ PERF_SAMPLE_CGROUP, "CGROUP" },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
};

static const struct bit_name read_bits[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" },
	{ PERF_FORMAT_GROUP, "GROUP" },
	{ 1u << 4, "LOST" },
};

static const struct bit_name branch_bits[] = {
	{ PERF_SAMPLE_BRANCH_USER, "USER" },
	{ PERF_SAMPLE_BRANCH_KERNEL, "KERNEL" },
	{ PERF_SAMPLE_BRANCH_HV, "HV" },
	{ PERF_SAMPLE_BRANCH_ANY, "ANY" },
	{ PERF_SAMPLE_BRANCH_ANY_CALL, "ANY_CALL" },
	{ PERF_SAMPLE_BRANCH_ANY_RETURN, "ANY_RETURN" },
	{ PERF_SAMPLE_BRANCH_IND_CALL, "IND_CALL" },
	{ PERF_SAMPLE_BRANCH_ABORT_TX, "ABORT_TX" },
	{ PERF_SAMPLE_BRANCH_IN_TX, "IN_TX" },
	{ PERF_SAMPLE_BRANCH_NO_TX, "NO_TX" },
	{ PERF_SAMPLE_BRANCH_COND, "COND" },
	{ PERF_SAMPLE_BRANCH_CALL_STACK, "CALL_STACK" },
	{ PERF_SAMPLE_BRANCH_IND_JUMP, "IND_JUMP" },
	{ PERF_SAMPLE_BRANCH_CALL, "CALL" },
	{ PERF_SAMPLE_BRANCH_NO_FLAGS, "NO_FLAGS" },
	{ PERF_SAMPLE_BRANCH_NO_CYCLES, "NO_CYCLES" },
	{ PERF_SAMPLE_BRANCH_TYPE_SAVE, "TYPE_SAVE" },
	{ PERF_SAMPLE_BRANCH_HW_INDEX, "HW_INDEX" },
	{ 1u << 18, "PRIV_SAVE" },
	{ 1u << 19, "COUNTERS" },
};

/* In bit order; precise_ip takes two bits. */
static const char *const flags[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	NULL,
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	"defer_callchain",
	"defer_output",
};

struct printer {
	void (*fn)(void *ctx, const char *name, const char *value);
	void *ctx;
};

static void number(const struct printer *p, const char *name, u64 value)
{
	char text[24];

	if (!value)
		return;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	p->fn(p->ctx, name, text);
}

static void hex(const struct printer *p, const char *name, u64 value)
{
	char text[24];

	if (!value)
		return;
	snprintf(text, sizeof(text), "%#llx", (unsigned long long)value);
	p->fn(p->ctx, name, text);
}

/* NAME|NAME...; bits without a name as one hexadecimal number behind them. */
static void bits(const struct printer *p, const char *name, u64 value, const struct bit_name *names,
                 unsigned nr)
{
	char text[512];
	size_t len = 0;

	if (!value)
		return;
	for (unsigned i = 0; i < nr; i++) {
		if (!(value & names[i].bit))
			continue;
		len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? "|" : "",
		                names[i].name);
		value &= ~names[i].bit;
	}
	if (value)
		snprintf(text + len, sizeof(text) - len, "%s%#llx", len ? "|" : "",
		         (unsigned long long)value);
	p->fn(p->ctx, name, text);
}

static void print_flags(const struct printer *p, const struct perf_event_attr *attr)
{
	u64 word;

	memcpy(&word, (const u8 *)attr + offsetof(struct perf_event_attr, read_format) + 8,
	       sizeof(word));
	for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
		/* Bit i as the compiler of this machine numbers bit-fields. */
		u64 mask = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1ull << i : 1ull << (63 - i);

		if (i == 15)
			number(p, flags[i], attr->precise_ip);
		else if (flags[i] && word & mask)
			number(p, flags[i], 1);
	}
}

void attr__fields(const struct perf_event_attr *attr,
                  void (*fn)(void *ctx, const char *name, const char *value), void *ctx)
{
	struct printer p = { fn, ctx };
	char text[24];

	number(&p, "type", attr->type);
	number(&p, "size", attr->size);
	hex(&p, "config", attr->config);
	number(&p, "{ sample_period, sample_freq }", attr->sample_period);
	bits(&p, "sample_type", attr->sample_type, sample_bits, ARRAY_SIZE(sample_bits));
	bits(&p, "read_format", attr->read_format, read_bits, ARRAY_SIZE(read_bits));
	print_flags(&p, attr);
	number(&p, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events);
	number(&p, "bp_type", attr->bp_type);
	hex(&p, "{ bp_addr, config1 }", attr->bp_addr);
	hex(&p, "{ bp_len, config2 }", attr->bp_len);
	bits(&p, "branch_sample_type", attr->branch_sample_type, branch_bits,
	     ARRAY_SIZE(branch_bits));
	hex(&p, "sample_regs_user", attr->sample_regs_user);
	number(&p, "sample_stack_user", attr->sample_stack_user);
	snprintf(text, sizeof(text), "%d", attr->clockid);
	if (attr->clockid)
		fn(ctx, "clockid", text);
	hex(&p, "sample_regs_intr", attr->sample_regs_intr);
	number(&p, "aux_watermark", attr->aux_watermark);
	number(&p, "sample_max_stack", attr->sample_max_stack);
	number(&p, "aux_sample_size", attr->aux_sample_size);
	number(&p, "sig_data", attr->sig_data);
}
