// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In C the program would be:
 *
 *	data = kern_ctx->data;
 *	id = kern_ctx->event->parent->id ?: kern_ctx->event->id;
 *	entry = lookup(map, &id);
 *	if (!entry)
 *		return 1;
 *	values[SAMPLE_IP] = data->sample_flags & PERF_SAMPLE_IP ? data->ip : 0;
 *	...
 *	for (i = 0, any = 0; i < entry->nr && i < FILTER_COMPARISONS; i++) {
 *		c = &entry->comparisons[i];
 *		any |= c->op(values[c->value] >> c->shift & c->mask, c->number);
 *		if (c->last && !any) {
 *			entry->dropped++;
 *			return 0;
 *		}
 *		if (c->last)
 *			any = 0;
 *	}
 *	return 1;
 *
 * All values are taken first, as the verifier walks through the loop once for each comparison: what
 * is in it costs when the program is loaded.
 * A parent that is NULL reads as zeros: the kernel catches the fault. A value that the event was
 * not opened for is 0: what is in its place is left over on the kernel's stack, and users who write
 * into a pinned map are not to find out what.
 */
#include "util/bpf_filter/program.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

/* Registers: those up to 5 do not survive calls. */
enum {
	VALUE = BPF_REG_0,
	COMPARISON = BPF_REG_5,
	ENTRY = BPF_REG_6,
	INDEX = BPF_REG_7,
	DATA = BPF_REG_8,
	FLAGS = BPF_REG_9, /* while values are taken */
	ANY = BPF_REG_9,   /* then */
	FRAME = BPF_REG_10,
};

/* Of values[] on the stack. */
#define VALUES   (-8 * SAMPLE_NR_VALUES)
#define SLOT(of) (VALUES + 8 * (of))

/* Places to jump to. */
enum {
	KNOWN_ID,
	LOOP,
	HOLDS,
	COMPARED,
	NEXT,
	PASS,
	FOR_OPERATOR,
	NR_LABELS = FOR_OPERATOR + SAMPLE_NR_OPERATORS,
};

struct code {
	struct bpf_insn *insns;
	u32 nr;
	u32 labels[NR_LABELS];
	u8 targets[FILTER_PROGRAM_MAX]; /* label + 1 of a jump */
};

static void emit(struct code *code, u8 op, u8 dst, u8 src, s16 off, s32 imm)
{
	BUG_ON(code->nr >= FILTER_PROGRAM_MAX);
	code->insns[code->nr++] = (struct bpf_insn){
		.code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm
	};
}

static void label(struct code *code, u32 name)
{
	code->labels[name] = code->nr;
}

/* To @name, if (@dst @op @src). */
static void jump_if(struct code *code, u8 op, u8 dst, u8 src, u32 name)
{
	code->targets[code->nr] = name + 1;
	emit(code, BPF_JMP | op | BPF_X, dst, src, 0, 0);
}

static void jump_if_is(struct code *code, u8 op, u8 dst, s32 number, u32 name)
{
	code->targets[code->nr] = name + 1;
	emit(code, BPF_JMP | op | BPF_K, dst, 0, 0, number);
}

static void jump(struct code *code, u32 name)
{
	code->targets[code->nr] = name + 1;
	emit(code, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

static void resolve_jumps(struct code *code)
{
	for (u32 i = 0; i < code->nr; i++)
		if (code->targets[i])
			code->insns[i].off = (s32)code->labels[code->targets[i] - 1] - (s32)i - 1;
}

static void copy(struct code *code, u8 dst, u8 src)
{
	emit(code, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void set(struct code *code, u8 dst, s32 number)
{
	emit(code, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, number);
}

static void load(struct code *code, u8 dst, u8 src, struct btf_member member)
{
	u8 size = member.size == 1   ? BPF_B
	          : member.size == 2 ? BPF_H
	          : member.size == 4 ? BPF_W
	                             : BPF_DW;

	emit(code, BPF_LDX | BPF_MEM | size, dst, src, member.offset, 0);
}

static void call(struct code *code, u8 kind, s32 function)
{
	emit(code, BPF_JMP | BPF_CALL, 0, kind, 0, function);
}

static void leave(struct code *code, s32 result)
{
	set(code, BPF_REG_0, result);
	emit(code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void store(struct code *code, u32 value)
{
	emit(code, BPF_STX | BPF_MEM | BPF_DW, FRAME, VALUE, SLOT(value), 0);
}

/* ENTRY and DATA, of the sample that the context in register 1 is about. */
static void find_entry(struct code *code, const struct filter_layout *layout, int map)
{
	call(code, BPF_PSEUDO_KFUNC_CALL, layout->cast);
	load(code, DATA, BPF_REG_0, layout->data);
	load(code, BPF_REG_1, BPF_REG_0, layout->event);
	load(code, BPF_REG_2, BPF_REG_1, layout->parent);
	load(code, VALUE, BPF_REG_2, layout->id);
	jump_if_is(code, BPF_JNE, VALUE, 0, KNOWN_ID);
	load(code, VALUE, BPF_REG_1, layout->id);
	label(code, KNOWN_ID);
	store(code, SAMPLE_ID);
	emit(code, BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map);
	emit(code, 0, 0, 0, 0, 0); /* its second half */
	copy(code, BPF_REG_2, FRAME);
	emit(code, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, SLOT(SAMPLE_ID));
	call(code, 0, BPF_FUNC_map_lookup_elem);
	jump_if_is(code, BPF_JEQ, BPF_REG_0, 0, PASS);
	copy(code, ENTRY, BPF_REG_0);
}

#define MEMBER(type, field)                                                                        \
	(struct btf_member)                                                                        \
	{                                                                                          \
		offsetof(type, field), sizeof(((type *)0)->field)                                  \
	}

/* ---- the values ---- */

/* What the kernel says it has filled in, by PERF_SAMPLE_*. */
static const s32 fields[SAMPLE_NR_VALUES] = {
	[SAMPLE_IP] = PERF_SAMPLE_IP,
	[SAMPLE_TID] = PERF_SAMPLE_TID,
	[SAMPLE_PID] = PERF_SAMPLE_TID,
	[SAMPLE_CPU] = PERF_SAMPLE_CPU,
	[SAMPLE_TIME] = PERF_SAMPLE_TIME,
	[SAMPLE_ADDR] = PERF_SAMPLE_ADDR,
	[SAMPLE_PERIOD] = PERF_SAMPLE_PERIOD,
	[SAMPLE_TXN] = PERF_SAMPLE_TRANSACTION,
	[SAMPLE_WEIGHT1] = PERF_SAMPLE_WEIGHT_TYPE,
	[SAMPLE_WEIGHT2] = PERF_SAMPLE_WEIGHT_TYPE,
	[SAMPLE_WEIGHT3] = PERF_SAMPLE_WEIGHT_TYPE,
	[SAMPLE_PHYS_ADDR] = PERF_SAMPLE_PHYS_ADDR,
	[SAMPLE_CODE_PAGE_SIZE] = PERF_SAMPLE_CODE_PAGE_SIZE,
	[SAMPLE_DATA_PAGE_SIZE] = PERF_SAMPLE_DATA_PAGE_SIZE,
	[SAMPLE_DATA_SOURCE] = PERF_SAMPLE_DATA_SRC,
	[SAMPLE_SNOOP] = PERF_SAMPLE_DATA_SRC,
};

/* Of the data source in VALUE the two parts of the snooping result, side by side. */
static void snoop(struct code *code)
{
	copy(code, BPF_REG_1, VALUE);
	emit(code, BPF_ALU64 | BPF_RSH | BPF_K, VALUE, 0, 0, PERF_MEM_SNOOP_SHIFT);
	emit(code, BPF_ALU64 | BPF_AND | BPF_K, VALUE, 0, 0, 0x1f);
	emit(code, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_1, 0, 0, PERF_MEM_SNOOPX_SHIFT);
	emit(code, BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_1, 0, 0, 3);
	emit(code, BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_1, 0, 0, 5);
	emit(code, BPF_ALU64 | BPF_OR | BPF_X, VALUE, BPF_REG_1, 0, 0);
}

/* The verifier goes straight on first, and what it saw with any value holds with 0, too. */
static void take_value(struct code *code, const struct filter_layout *layout, u32 value)
{
	set(code, VALUE, 0);
	copy(code, BPF_REG_1, FLAGS);
	emit(code, BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_1, 0, 0, fields[value]);
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_1, 0, 1, 0);
	load(code, VALUE, DATA, layout->values[value]);
	if (value == SAMPLE_SNOOP)
		snoop(code);
	store(code, value);
}

static void take_values(struct code *code, const struct filter_layout *layout)
{
	call(code, 0, BPF_FUNC_get_current_uid_gid);
	copy(code, BPF_REG_1, VALUE);
	emit(code, BPF_ALU | BPF_MOV | BPF_X, VALUE, VALUE, 0, 0); /* the lower half */
	store(code, SAMPLE_UID);
	copy(code, VALUE, BPF_REG_1);
	emit(code, BPF_ALU64 | BPF_RSH | BPF_K, VALUE, 0, 0, 32);
	store(code, SAMPLE_GID);
	set(code, VALUE, 0);
	store(code, 0); /* no value has this number, but who wrote the map? */
	load(code, FLAGS, DATA, layout->flags);
	for (u32 value = 1; value < SAMPLE_NR_VALUES; value++)
		if (fields[value])
			take_value(code, layout, value);
}

/* ---- a comparison ---- */

static void find_comparison(struct code *code)
{
	copy(code, COMPARISON, INDEX);
	emit(code, BPF_ALU64 | BPF_MUL | BPF_K, COMPARISON, 0, 0, sizeof(struct sample_comparison));
	emit(code, BPF_ALU64 | BPF_ADD | BPF_X, COMPARISON, ENTRY, 0, 0);
	emit(code, BPF_ALU64 | BPF_ADD | BPF_K, COMPARISON, 0, 0,
	     offsetof(struct filter_entry, comparisons));
}

static void get_value(struct code *code)
{
	load(code, BPF_REG_1, COMPARISON, MEMBER(struct sample_comparison, value));
	jump_if_is(code, BPF_JGE, BPF_REG_1, SAMPLE_NR_VALUES, PASS); /* of a newer perf */
	emit(code, BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_1, 0, 0, 3);
	copy(code, BPF_REG_2, FRAME);
	emit(code, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_2, BPF_REG_1, 0, 0);
	emit(code, BPF_LDX | BPF_MEM | BPF_DW, VALUE, BPF_REG_2, VALUES, 0);
}

/* VALUE with the number; HOLDS, or COMPARED. */
static void compare(struct code *code)
{
	static const u8 jumps[SAMPLE_NR_OPERATORS] = {
		[SAMPLE_EQUAL] = BPF_JEQ,    [SAMPLE_NOT_EQUAL] = BPF_JNE,
		[SAMPLE_GREATER] = BPF_JGT,  [SAMPLE_GREATER_EQUAL] = BPF_JGE,
		[SAMPLE_LESS] = BPF_JLT,     [SAMPLE_LESS_EQUAL] = BPF_JLE,
		[SAMPLE_ANY_BIT] = BPF_JSET,
	};

	load(code, BPF_REG_1, COMPARISON, MEMBER(struct sample_comparison, shift));
	emit(code, BPF_ALU64 | BPF_RSH | BPF_X, VALUE, BPF_REG_1, 0, 0);
	load(code, BPF_REG_1, COMPARISON, MEMBER(struct sample_comparison, mask));
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_1, 0, 1, 0);
	emit(code, BPF_ALU64 | BPF_AND | BPF_X, VALUE, BPF_REG_1, 0, 0);
	load(code, BPF_REG_1, COMPARISON, MEMBER(struct sample_comparison, op));
	load(code, BPF_REG_2, COMPARISON, MEMBER(struct sample_comparison, number));
	for (u32 op = 1; op < SAMPLE_NR_OPERATORS; op++)
		jump_if_is(code, BPF_JEQ, BPF_REG_1, op, FOR_OPERATOR + op);
	jump(code, PASS); /* of a newer perf */
	for (u32 op = 1; op < SAMPLE_NR_OPERATORS; op++) {
		label(code, FOR_OPERATOR + op);
		jump_if(code, jumps[op], VALUE, BPF_REG_2, HOLDS);
		jump(code, COMPARED);
	}
	label(code, HOLDS);
	set(code, ANY, 1);
}

static void judge(struct code *code)
{
	label(code, COMPARED);
	load(code, BPF_REG_1, COMPARISON, MEMBER(struct sample_comparison, last));
	jump_if_is(code, BPF_JEQ, BPF_REG_1, 0, NEXT);
	emit(code, BPF_JMP | BPF_JNE | BPF_K, ANY, 0, 4, 0);
	set(code, BPF_REG_1, 1);
	emit(code, BPF_STX | BPF_ATOMIC | BPF_DW, ENTRY, BPF_REG_1,
	     offsetof(struct filter_entry, dropped), BPF_ADD);
	leave(code, 0);
	set(code, ANY, 0);
}

u32 filter_program__make(struct bpf_insn insns[FILTER_PROGRAM_MAX],
                         const struct filter_layout *layout, int map)
{
	struct code code = { .insns = insns };

	find_entry(&code, layout, map);
	take_values(&code, layout);
	set(&code, INDEX, 0);
	set(&code, ANY, 0);
	label(&code, LOOP);
	load(&code, BPF_REG_1, ENTRY, MEMBER(struct filter_entry, nr));
	jump_if(&code, BPF_JGE, INDEX, BPF_REG_1, PASS);
	find_comparison(&code);
	get_value(&code);
	compare(&code);
	judge(&code);
	label(&code, NEXT);
	emit(&code, BPF_ALU64 | BPF_ADD | BPF_K, INDEX, 0, 0, 1);
	jump_if_is(&code, BPF_JLT, INDEX, FILTER_COMPARISONS, LOOP);
	label(&code, PASS);
	leave(&code, 1);
	resolve_jumps(&code);
	return code.nr;
}

/* ---- the kernel's layout ---- */

static const char *const paths[SAMPLE_NR_VALUES] = {
	[SAMPLE_IP] = "ip",
	[SAMPLE_TID] = "tid_entry.tid",
	[SAMPLE_PID] = "tid_entry.pid",
	[SAMPLE_CPU] = "cpu_entry.cpu",
	[SAMPLE_TIME] = "time",
	[SAMPLE_ADDR] = "addr",
	[SAMPLE_PERIOD] = "period",
	[SAMPLE_TXN] = "txn",
	[SAMPLE_WEIGHT1] = "weight.var1_dw",
	[SAMPLE_WEIGHT2] = "weight.var2_w",
	[SAMPLE_WEIGHT3] = "weight.var3_w",
	[SAMPLE_PHYS_ADDR] = "phys_addr",
	[SAMPLE_CODE_PAGE_SIZE] = "code_page_size",
	[SAMPLE_DATA_PAGE_SIZE] = "data_page_size",
	[SAMPLE_DATA_SOURCE] = "data_src.val",
	[SAMPLE_SNOOP] = "data_src.val",
};

static bool find(const struct btf *btf, const char *name, const char *path,
                 struct btf_member *member)
{
	return !btf__find_member(btf, name, path, member) && member->size && member->size <= 8 &&
	       member->offset <= INT16_MAX;
}

int filter_layout__find(struct filter_layout *layout, const struct btf *btf, struct error *err)
{
	const char *context = "bpf_perf_event_data_kern", *missing = NULL;
	u32 nr_params = 0;

	*layout = (struct filter_layout){ .cast = btf__find_function(btf, "bpf_cast_to_kern_ctx",
		                                                     &nr_params) };
	/* Until 6.2 it had the header, too, and ran after the program. */
	btf__find_function(btf, "perf_prepare_sample", &nr_params);
	if (!layout->cast)
		missing = "bpf_cast_to_kern_ctx()";
	else if (nr_params > 3)
		missing = "samples that are complete before BPF programs see them";
	else if (!find(btf, context, "data", &layout->data) ||
	         !find(btf, context, "event", &layout->event) ||
	         !find(btf, "perf_event", "parent", &layout->parent) ||
	         !find(btf, "perf_event", "id", &layout->id) ||
	         !find(btf, "perf_sample_data", "sample_flags", &layout->flags))
		missing = "structures of samples that this perf knows";
	for (u32 i = 1; !missing && i < SAMPLE_NR_VALUES; i++)
		if (paths[i] && !find(btf, "perf_sample_data", paths[i], &layout->values[i]))
			missing = paths[i];
	if (!missing)
		return 0;
	error__set(err, -EOPNOTSUPP, "cannot filter samples", NULL, "this kernel has no %s",
	           missing);
	return error__advise(err, "BPF filters need Linux 6.3; for times, tasks and CPUs "
	                          "'perf report' and 'perf script' have filters, too");
}
