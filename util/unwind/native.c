// SPDX-License-Identifier: GPL-2.0-or-later
/* perf's own unwinder: from frame to frame by the rows of the tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/direct_map.h"
#include "util/lib/hash.h"
#include "util/unwind/engine.h"
#include "util/unwind/expression.h"

#define STEPS      8192 /* power of two */
#define LOOK_ABOVE 1024 /* frames, where the reader wants no more of them */

/* What is known of the code at an address, direct-mapped by it. */
struct step {
	u64 pc;
	u32 space, dso;
	struct moment since, until; /* of the map; none at first */
	u16 machine;
	u8 end;                    /* why there is no row: enum chain_end */
	const struct cfi_row *row; /* NULL: none */
	const struct cfi *cfi;
};

struct native {
	struct unwind_tables *tables;
	struct direct_map steps;
	struct arena rows;
	struct u64map rows_by_hash; /* to index of: */
	struct cfi_row **unique;
	u32 nr_unique;
	size_t cap_unique;
};

static void *native__new(struct unwind_tables *tables)
{
	struct native *native = xcalloc(1, sizeof(*native));

	native->tables = tables;
	direct_map__init(&native->steps, STEPS, sizeof(struct step));
	return native;
}

static void native__delete(void *self)
{
	struct native *native = self;

	arena__exit(&native->rows);
	u64map__exit(&native->rows_by_hash);
	free(native->unique);
	direct_map__exit(&native->steps);
	free(native);
}

/* ---- what is known of an address ---- */

/* Few rows differ: kept once each. */
static const struct cfi_row *intern_row(struct native *native, const struct cfi_row *row)
{
	size_t size = CFI_ROW_SIZE(row->nr);
	u32 *slot = u64map__at(&native->rows_by_hash, hash__bytes(row, size));

	if (*slot != ID_NONE && !memcmp(native->unique[*slot], row, size))
		return native->unique[*slot];
	struct cfi_row *copy = arena__alloc(&native->rows, size);

	memcpy(copy, row, size);
	array__reserve(&native->unique, &native->cap_unique, native->nr_unique + 1,
	               sizeof(*native->unique));
	native->unique[native->nr_unique] = copy;
	*slot = native->nr_unique++;
	return copy;
}

static void make_step(struct native *native, const struct unwind_sample *in, u64 pc,
                      struct step *step)
{
	struct unwind_location location = { .dso = ID_NONE };
	struct cfi_row row;

	in->locate(in->ctx, pc, &location);
	*step = (struct step){ .pc = pc,
		               .space = in->space,
		               .dso = location.dso,
		               .machine = in->arch->machine,
		               .since = location.since,
		               .until = location.until,
		               .end = CHAIN_UNMAPPED };
	if (location.dso == ID_NONE)
		return;
	memset(&row, 0, sizeof(row));
	int ret = unwind_tables__row(native->tables, location.dso, location.addr, in->arch->machine,
	                             &row, &step->cfi);

	step->end = ret == -ENOENT ? CHAIN_NO_TABLES : CHAIN_UNREADABLE;
	if (!ret)
		step->row = intern_row(native, &row);
}

static const struct step *find_step(struct native *native, const struct unwind_sample *in, u64 pc)
{
	u64 hash = hash__u64(pc + ((u64)in->space << 48));
	struct step *step = direct_map__at(&native->steps, hash, sizeof(*step));

	if (step->pc != pc || step->space != in->space || step->machine != in->arch->machine ||
	    moment__before(in->when, step->since) || !moment__before(in->when, step->until)) {
		step = direct_map__make(&native->steps, hash, sizeof(*step));
		make_step(native, in, pc, step);
	}
	return step;
}

/* ---- one frame ---- */

/* The frame at work: its registers, and where its stack begins. */
struct frame {
	const struct unwind_sample *in;
	struct unwind_regs regs;
	u64 bottom; /* where the copy begins: the stack pointer of the sample */
	u64 cfa;
	int lost;     /* why a register could not be loaded; 0: all could */
	bool exact;   /* pc is where it was interrupted, not behind a call */
	bool handled; /* a signal handler was left: from there on the stack may be another one */
	u64 depth;    /* of the copy: so many bytes were needed */
};

static int load_word(void *ctx, u64 addr, unsigned size, u64 *value)
{
	struct frame *frame = ctx;
	int ret = unwind_sample__load(frame->in, addr, size, value);

	if (!ret)
		frame->depth = max_u64(frame->depth, addr + size - frame->bottom);
	return ret;
}

static u64 wide(const struct frame *frame, u64 value)
{
	return frame->in->arch->is64 ? value : (u32)value;
}

static int evaluate(struct frame *frame, const struct step *step, const struct cfi_rule *rule,
                    bool with_cfa, u64 *value)
{
	const struct arch *arch = frame->in->arch;
	struct expression_context context = {
		.regs = frame->regs.values,
		.known = frame->regs.known,
		.is64 = arch->is64,
		.swap = step->cfi->section.swap,
		.load = load_word,
		.ctx = frame,
	};

	if (arch->pc != NO_COLUMN) {
		frame->regs.values[arch->pc] = frame->regs.pc;
		context.known |= 1ull << arch->pc;
	}
	*value = frame->cfa;
	return expression__evaluate(&context, step->cfi->section.data + rule->value, rule->len,
	                            with_cfa, value);
}

static int find_cfa(struct frame *frame, const struct step *step, u64 *cfa)
{
	const struct cfi_rule *rule = &step->row->cfa;

	if (rule->kind == CFI_VAL_EXPRESSION)
		return evaluate(frame, step, rule, false, cfa);
	if (rule->kind != CFI_REGISTER)
		return -EBADMSG;
	if (!(frame->regs.known >> rule->reg & 1))
		return -ENXIO;
	*cfa = wide(frame, frame->regs.values[rule->reg] + (s64)rule->value);
	return 0;
}

/*
 * The caller's value of a register. -ENOENT: it has none. Where functions end, compilers do not
 * always say that a register was taken back from the stack; its old place is then below the stack
 * pointer, and the register has the value.
 */
static int caller_value(struct frame *frame, const struct step *step, const struct cfi_rule *rule,
                        u64 *value)
{
	unsigned size = frame->in->arch->is64 ? 8 : 4;
	u64 addr;
	int ret;

	switch (rule->kind) {
	case CFI_OFFSET:
		addr = wide(frame, frame->cfa + (s64)rule->value);
		if (addr < frame->bottom && frame->exact && frame->regs.known >> rule->reg & 1) {
			*value = frame->regs.values[rule->reg];
			return 0;
		}
		return load_word(frame, addr, size, value);
	case CFI_VAL_OFFSET:
		*value = wide(frame, frame->cfa + (s64)rule->value);
		return 0;
	case CFI_REGISTER:
		if (rule->value < 0 || rule->value >= CFI_NR_REGS ||
		    !(frame->regs.known >> rule->value & 1))
			return -ENXIO;
		*value = frame->regs.values[rule->value];
		return 0;
	case CFI_EXPRESSION:
		ret = evaluate(frame, step, rule, true, &addr);
		return ret ? ret : load_word(frame, addr, size, value);
	case CFI_VAL_EXPRESSION:
		return evaluate(frame, step, rule, true, value);
	}
	return -ENOENT;
}

/* What a failed load or computation says about the chain. */
static enum chain_end end_of_error(const struct frame *frame, int error)
{
	if (error == -ENXIO && frame->lost)
		error = frame->lost; /* the register was in the sample, but its caller's value not
		                      */
	if (error == -EFAULT && frame->handled)
		return CHAIN_OTHER_STACK;
	return error == -ENODATA         ? CHAIN_CUT_COPY
	       : error == -EADDRNOTAVAIL ? CHAIN_CUT_PAGE
	       : error == -ENXIO         ? CHAIN_NO_REGS
	       : error == -ENOENT        ? CHAIN_COMPLETE
	                                 : CHAIN_UNREADABLE;
}

/* Is the caller's frame where it can be: above this one? */
static bool goes_up(const struct frame *frame, const struct cfi_row *row, u64 cfa)
{
	u64 sp = frame->regs.values[frame->in->arch->sp];

	if (row->signal || !(frame->regs.known >> frame->in->arch->sp & 1))
		return true;
	/* A leaf function of arm64 or riscv64 may have no frame at all. */
	return cfa > sp || (cfa == sp && frame->exact);
}

/* From a frame to its caller. False: @end says why there is none. */
static bool leave(struct frame *frame, const struct step *step, enum chain_end *end)
{
	const struct cfi_row *row = step->row;
	const struct arch *arch = frame->in->arch;
	u64 fresh[CFI_NR_REGS], cfa = 0, lost = 0;
	int ret, ra_error = 0;

	*end = CHAIN_COMPLETE;
	if (cfi_row__is_outermost(row))
		return false;
	ret = find_cfa(frame, step, &cfa);
	if (ret || !goes_up(frame, row, cfa)) {
		*end = ret ? end_of_error(frame, ret) : CHAIN_UNREADABLE;
		return false;
	}
	frame->cfa = cfa;
	for (u8 i = 0; i < row->nr; i++) {
		fresh[i] = 0;
		ret = caller_value(frame, step, &row->rules[i], &fresh[i]);
		if (ret)
			lost |= 1ull << row->rules[i].reg;
		if (ret && ret != -ENOENT && ret != -ENXIO)
			frame->lost = ret;
		if (row->rules[i].reg == row->ra_reg)
			ra_error = ret;
	}
	if (arch->pc == row->ra_reg)
		lost |= 1ull << row->ra_reg; /* of the caller's caller only its frame tells */
	frame->regs.values[arch->sp] = cfa;
	frame->regs.known = (frame->regs.known | 1ull << arch->sp) & ~lost;
	u64 pc = frame->regs.values[row->ra_reg];
	bool known = frame->regs.known >> row->ra_reg & 1;

	for (u8 i = 0; i < row->nr; i++) {
		u8 reg = row->rules[i].reg;

		if (reg == row->ra_reg && !ra_error) {
			pc = fresh[i];
			known = true;
		}
		if (!(lost >> reg & 1)) {
			frame->regs.values[reg] = fresh[i];
			frame->regs.known |= 1ull << reg;
		}
	}
	if (ra_error || !known) {
		*end = ra_error ? end_of_error(frame, ra_error) : CHAIN_NO_REGS;
		return false;
	}
	pc &= arch->pc_mask;
	frame->regs.pc = pc;
	frame->exact = row->signal;
	frame->handled |= row->signal;
	return pc;
}

/*
 * To the caller by the frame pointer: 0; -ENODATA or -EADDRNOTAVAIL where its record lies beyond
 * the copy; or -EFAULT: the register holds something else.
 */
static int follow_pointer(struct frame *frame)
{
	const struct arch *arch = frame->in->arch;
	const u64 need = 1ull << arch->sp | 1ull << arch->fp;
	unsigned word = arch->is64 ? 8 : 4;
	u64 fp = frame->regs.values[arch->fp], record = fp + (s64)arch->record * word;
	u64 last, pc;

	if ((frame->regs.known & need) != need || fp % word ||
	    record < frame->regs.values[arch->sp] || record - frame->bottom > STACK_MAX)
		return -EFAULT;
	int ret = load_word(frame, record, word, &last);

	if (!ret)
		ret = load_word(frame, record + word, word, &pc);
	if (ret)
		return ret;
	frame->regs.pc = pc & arch->pc_mask;
	frame->regs.values[arch->sp] = wide(frame, record + 2 * word);
	frame->regs.values[arch->fp] = last;
	frame->regs.known = need; /* nobody knows where the others were kept */
	frame->exact = false;
	return 0;
}

/* A chain at work. */
struct chain {
	u32 nr;
	enum chain_end end;
	u32 dso;
	/*
	 * Frames from here on were found by frame pointers: as good as guessed, until one of them
	 * is in code that has tables, or the first of the thread. ID_NONE: none are.
	 */
	u32 guessed, guessed_dso;
};

/* In code without tables, such as of JIT compilers. False: the chain ends here. */
static bool guess(struct frame *frame, struct chain *chain)
{
	int ret = follow_pointer(frame);

	if (ret == -EFAULT)
		return false;
	if (chain->guessed == ID_NONE) {
		chain->guessed = chain->nr;
		chain->guessed_dso = chain->dso;
	}
	if (ret || !frame->regs.pc) {
		chain->end = ret ? end_of_error(frame, ret) : CHAIN_COMPLETE;
		return false;
	}
	return true;
}

/* Are guessed frames to be believed, seeing how the chain ended? */
static void settle(struct chain *chain)
{
	bool held = chain->end == CHAIN_COMPLETE || chain->end == CHAIN_CUT_COPY ||
	            chain->end == CHAIN_CUT_PAGE || chain->end == CHAIN_CUT_READER ||
	            chain->end == CHAIN_CUT_BOTH;

	if (chain->guessed == ID_NONE || held)
		return;
	chain->nr = chain->guessed;
	chain->dso = chain->guessed_dso;
	chain->end = CHAIN_NO_TABLES;
}

/* The frame at work, and on to its caller. @ips: NULL where nobody wants to know. */
static bool take_frame(struct native *native, struct frame *frame, struct chain *chain, u64 *ips)
{
	u64 pc = frame->exact ? frame->regs.pc : frame->regs.pc - 1;
	const struct step *step = find_step(native, frame->in, pc);

	/* What signal handlers return to was not called: it starts there. */
	if (ips)
		ips[chain->nr] = step->row && step->row->signal ? frame->regs.pc : pc;
	chain->nr++;
	chain->end = step->end;
	if (step->dso != ID_NONE)
		chain->dso = step->dso;
	if (step->row)
		chain->guessed = ID_NONE;
	return step->row                      ? leave(frame, step, &chain->end)
	       : step->end == CHAIN_NO_TABLES ? guess(frame, chain)
	                                      : false;
}

/* Would more frames than the reader wants end where the copy does? */
static bool is_cut_above(struct native *native, struct frame frame, struct chain chain)
{
	bool on = frame.in->stack_cut;

	for (u32 i = 0; on && i < LOOK_ABOVE; i++)
		on = take_frame(native, &frame, &chain, NULL);
	return chain.end == CHAIN_CUT_COPY;
}

static u32 native__run(void *self, const struct unwind_sample *sample, u64 *ips, u32 max,
                       struct chain_verdict *verdict)
{
	struct native *native = self;
	struct frame frame = { .in = sample, .regs = sample->regs, .exact = true };
	struct chain chain = { .end = CHAIN_NO_REGS, .dso = ID_NONE, .guessed = ID_NONE };
	bool on = sample->regs.has_pc;

	frame.bottom = sample->regs.values[sample->arch->sp];
	if (!(sample->regs.known >> sample->arch->sp & 1))
		frame.bottom = UINT64_MAX; /* nobody knows what was copied: nothing can be loaded */
	while (on && chain.nr < max)
		on = take_frame(native, &frame, &chain, ips);
	if (on)
		chain.end = is_cut_above(native, frame, chain) ? CHAIN_CUT_BOTH : CHAIN_CUT_READER;
	settle(&chain);
	*verdict =
	        (struct chain_verdict){ .end = chain.end, .dso = chain.dso, .depth = frame.depth };
	return chain.nr;
}

const struct unwind_engine unwind_native = {
	.new = native__new,
	.delete = native__delete,
	.run = native__run,
};
