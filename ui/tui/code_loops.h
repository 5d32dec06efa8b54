/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loops of a function, for brackets beside its code: what stands between a jump and where it
 * leads back to, if it can be come to again from there (a jump back to an exit is no loop). Loops
 * in others stand further right; those that cross are one.
 */
#ifndef PERF_UI_TUI_CODE_LOOPS_H
#define PERF_UI_TUI_CODE_LOOPS_H

#include "ui/text/annotate_stdio.h"

struct code_loop {
	u32 first, last; /* lines */
	u32 depth;       /* 0: in no other */
};

struct code_loops {
	struct code_loop *list; /* by first line, those around others before them */
	u32 nr, depth;          /* columns that they take */
};

/* Of @marks, the n-th of which is on line @line_of[n]. Exit them. */
void code_loops__init(struct code_loops *loops, const struct annotate_marks *marks,
                      const u32 *line_of);
void code_loops__exit(struct code_loops *loops);

/* What stands in column @depth of @line: the lines of a loop, or ' '. */
enum loop_part { LOOP_NONE, LOOP_FIRST, LOOP_INSIDE, LOOP_LAST };

enum loop_part code_loops__at(const struct code_loops *loops, u32 line, u32 depth);

#endif
