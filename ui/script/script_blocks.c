// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code that ran before a sample: -F brstackinsn, brstackinsnlen, brstackdisasm, brcntr. Between
 * the target of a branch and the source of the next one the processor went straight on, so the
 * instructions there are all that it did; the last of these blocks ends at the sample.
 *
 * Code is read from the object files. A block that cannot be read, or is too long to be one, is
 * left out, as in Linux's perf; where code and branches do not fit together that is said.
 */
#include "ui/script/script_private.h"
#include "util/format/sample.h"

#define BLOCK_MAX (16384 - 15) /* bytes from its first instruction to its last */
#define SEARCH    128          /* bytes in which the branch is looked for that was not recorded */
#define WIDTH     30           /* of an instruction in front of what is known of its branch */

struct branch {
	u64 from, to, flags;
};

/* Goes through the code of one object. */
struct walk {
	struct script *script;
	const struct stream_sample *s;
	u64 print;
	u64 total_cycles;
	/* Where the function is in whose code it is: nothing is said until it comes to another. */
	u32 dso;
	u64 start, end;
};

/* A place in the code: its address when it ran, and in the terms of its object. */
struct spot {
	u64 ip, vaddr;
	u32 dso, symbol;
};

static struct branch branch_at(const struct walk *walk, u64 i)
{
	const struct u64_span *span = &walk->s->sample->branches;
	bool swap = walk->script->swap;

	return (struct branch){ u64_span__get(span, 3 * i, swap),
		                u64_span__get(span, 3 * i + 1, swap),
		                u64_span__get(span, 3 * i + 2, swap) };
}

static bool find_spot(const struct walk *walk, u64 ip, struct spot *spot)
{
	spot->ip = ip;
	spot->symbol = script_code__symbol(walk->script, walk->s, sample__mode_of_address(ip), ip,
	                                   &spot->dso, &spot->vaddr);
	return spot->dso != ID_NONE;
}

/* "\tfunction+12:" in front of the first of its instructions. */
static void print_function(struct walk *walk, const struct spot *spot)
{
	struct session_symbols *symbols = walk->script->symbols;
	struct out *out = walk->script->out;
	struct spot here;

	if (spot->dso == walk->dso && spot->vaddr >= walk->start && spot->vaddr < walk->end)
		return;
	walk->dso = ID_NONE;
	if (!find_spot(walk, spot->ip, &here) || here.symbol == ID_NONE)
		return;
	script__lock_names(walk->script);
	const struct symbol *symbol = session_symbols__symbol(symbols, here.dso, here.symbol);
	u64 offset = here.vaddr - symbol->start;

	walk->dso = here.dso;
	walk->start = symbol->start;
	walk->end = symbol->end;
	out__char(out, '\t');
	out__name(out, session_symbols__name(symbols, here.dso, here.symbol));
	if (offset) {
		out__char(out, '+');
		out__dec(out, offset, 0);
	}
	out__char(out, ':');
	if (walk->print & FIELD_SRCLINE)
		script_frames__source(walk->script, spot->dso, spot->vaddr);
	script__unlock_names(walk->script);
	out__char(out, '\n');
}

/* "\t0000000000401106\tinsn: 90 ": NULL when it is none, which is said. */
static const struct script_insn *print_insn(struct walk *walk, const struct spot *spot, bool ends)
{
	const struct script_insn *at = script_code__insn_at(walk->script, spot->dso, spot->vaddr);
	struct out *out = walk->script->out;

	out__char(out, '\t');
	out__hex0(out, spot->ip, 16);
	out__char(out, '\t');
	if (!at->insn.size) {
		out__str(out, "<bad>");
		return NULL;
	}
	size_t start = 0, width = 0;

	if (walk->print & FIELD_BRSTACKDISASM) {
		out__name(out, at->insn.text);
		width = strlen(at->insn.text);
	} else {
		out__str(out, "insn: ");
		for (; start < at->insn.size; start++) {
			out__hex0(out, at->bytes[start], 2);
			out__char(out, ' ');
		}
		width = 6 + 3 * start;
	}
	if (ends)
		out__fill(out, ' ', WIDTH - (int)width);
	if (walk->print & FIELD_BRSTACKINSNLEN) {
		out__str(out, "\tilen: ");
		out__dec(out, at->insn.size, 0);
	}
	return at;
}

static void end_line(struct walk *walk, const struct spot *spot)
{
	out__char(walk->script->out, '\n');
	if (walk->print & FIELD_SRCCODE)
		script_code__source_at(walk->script, walk->s->sample->tid, spot->dso, spot->vaddr);
}

/* "\t# PRED 5 cycles [10] 1.00 IPC": of a block of @nr instructions, 0 where that is not known. */
static void print_flags(struct walk *walk, u64 flags, u32 nr)
{
	u32 cycles = branch_entry__cycles(flags);
	struct out *out = walk->script->out;

	out__str(out, "\t#");
	out__str(out, flags & BRANCH_PREDICTED ? " PRED" : "");
	out__str(out, flags & BRANCH_MISPREDICTED ? " MISPRED" : "");
	out__str(out, flags & BRANCH_IN_TX ? " INTX" : "");
	out__str(out, flags & BRANCH_ABORT ? " ABORT" : "");
	if (!cycles)
		return;
	walk->total_cycles += cycles;
	out__printf(out, " %u cycles [%llu]", cycles, (unsigned long long)walk->total_cycles);
	if (nr)
		out__printf(out, " %.2f IPC", (double)nr / cycles);
}

/* The branch itself, the last of @nr instructions. False: there is no code. */
static bool print_branch(struct walk *walk, const struct spot *spot, u64 i, u64 flags, u32 nr)
{
	print_function(walk, spot);
	const struct script_insn *at = print_insn(walk, spot, true);

	if (!at)
		out__char(walk->script->out, '\n');
	else {
		if (walk->print & FIELD_BRCNTR)
			script_branches__counters(walk->script, walk->s, i);
		print_flags(walk, flags, nr);
		end_line(walk, spot);
	}
	return at;
}

/* From the code of a program to that of the kernel, or back? */
static bool crosses(u64 start, u64 end)
{
	return sample__mode_of_address(start) != sample__mode_of_address(end);
}

/* Is the code from @start to @end there to be shown? */
static bool is_block(struct walk *walk, u64 start, u64 end, struct spot *spot)
{
	return start <= end && end - start <= BLOCK_MAX && !crosses(start, end) &&
	       find_spot(walk, start, spot) &&
	       script_code__insn_at(walk->script, spot->dso, spot->vaddr)->nr_bytes;
}

/* From where branch @i + 1 led to where branch @i, @next, left. */
static void print_block(struct walk *walk, u64 start, u64 i, const struct branch *next)
{
	const struct script_insn *at;
	struct spot spot;
	u32 nr = 1;

	if (!is_block(walk, start, next->from, &spot))
		return;
	for (; spot.ip < next->from; nr++) {
		print_function(walk, &spot);
		at = print_insn(walk, &spot, false);
		if (!at)
			break;
		end_line(walk, &spot);
		spot.ip += at->insn.size;
		spot.vaddr += at->insn.size;
	}
	if (spot.ip == next->from) {
		print_branch(walk, &spot, i, next->flags, nr);
		return;
	}
	out__str(walk->script->out, spot.ip < next->from ? "\n" : "");
	out__str(walk->script->out, "\tmismatch of LBR data and executable\n");
}

/* Only where the sample was taken: of what is in front of it nothing is known. */
static void print_sampled(struct walk *walk)
{
	struct spot spot;

	if (is_block(walk, walk->s->sample->ip, walk->s->sample->ip, &spot)) {
		print_insn(walk, &spot, false);
		end_line(walk, &spot);
	}
}

/*
 * From where the last branch led to the sample. Processors may not have recorded the branch that
 * came after that: then what comes first, a branch or the sample, is the end.
 */
static void print_last(struct walk *walk, u64 start)
{
	u64 ip = walk->s->sample->ip, end = ip < start ? start + SEARCH : ip;
	const struct script_insn *at;
	struct spot spot;

	if (find_spot(walk, start, &spot))
		print_function(walk, &spot);
	if (!is_block(walk, start, end, &spot)) {
		print_sampled(walk);
		return;
	}
	while (spot.ip <= end) {
		print_function(walk, &spot);
		at = print_insn(walk, &spot, false);
		if (!at) {
			out__char(walk->script->out, '\n');
			return;
		}
		if (at->insn.kind != INSN_OTHER && spot.ip != ip) {
			out__str(walk->script->out, "\n\t... not reaching sample ...\n");
			return;
		}
		end_line(walk, &spot);
		spot.ip += at->insn.size;
		spot.vaddr += at->insn.size;
	}
}

void script_blocks__print(struct script *script, u64 print, const struct stream_sample *s)
{
	struct walk walk = { .script = script, .s = s, .print = print, .dso = ID_NONE };
	u64 nr = s->sample->branches.nr / 3;
	struct branch branch;
	struct spot spot;

	if (script->options->max_blocks)
		nr = min_u64(nr, script->options->max_blocks + 1ull);
	if (!nr)
		return;
	out__char(script->out, '\n');
	branch = branch_at(&walk, nr - 1);
	if (is_block(&walk, branch.from, branch.from, &spot))
		print_branch(&walk, &spot, nr - 1, branch.flags, 0);
	for (u64 i = nr - 1; i-- > 0;) {
		u64 start = branch.to;

		branch = branch_at(&walk, i);
		/* What goes on behind a system call of which only the return was recorded. */
		if (crosses(start, branch.from) && i)
			branch = branch_at(&walk, --i);
		print_block(&walk, start, i, &branch);
	}
	if (branch.from != s->sample->ip && !(branch.flags & BRANCH_ABORT))
		print_last(&walk, branch.to);
}
