/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formulas over counts, as metrics of event tables have them: parsed once, computed often. The
 * grammar is in Documentation/perf-list.txt. A formula knows nothing of events: its names are
 * texts, and the caller supplies their values.
 *
 * What cannot be computed is NAN: a name without a value, a division by 0, and all results that
 * depend on them. The branch of an `if` that is not taken does not matter.
 */
#ifndef PERF_UTIL_LIB_FORMULA_H
#define PERF_UTIL_LIB_FORMULA_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/* Called while a formula is parsed; the answers hold for all computations. */
struct formula_facts {
	double (*literal)(void *ctx,
	                  const char *name); /* of "#name", without the #; NAN: unknown */
	bool (*has_event)(void *ctx, const char *event);
	bool (*is_cpu)(void *ctx, const char *pattern); /* strcmp_cpuid_str() */
	void *ctx;
};

/* Called while a formula is computed. @name is an index of formula__name(). */
struct formula_values {
	double (*value)(void *ctx, u32 name);
	double (*sources)(void *ctx, u32 name); /* source_count(): how many counters there are */
	void *ctx;
};

struct formula;

/*
 * NULL with @err on a mistake: its subject is the text, its place the position. @facts is used only
 * here.
 */
struct formula *formula__parse(const char *text, const struct formula_facts *facts,
                               struct error *err);
void formula__free(struct formula *formula); /* NULL is fine */

/*
 * The names whose values can matter, each once, in the order of the text, with '/' where the text
 * has '@': "cpu/event=0x3c/". NULL: no more. Names in a branch of an `if` that is never taken are
 * left out.
 */
const char *formula__name(const struct formula *formula, u32 index);

/* NAN or a finite number. Writes to the formula: one thread at a time. */
double formula__value(struct formula *formula, const struct formula_values *values);

#endif
