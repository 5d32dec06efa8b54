/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formulas over counts, as metrics of event tables are written (the grammar stands in
 * Documentation/perf-list.txt): parsed once, computed often. A formula knows nothing of events:
 * its names are texts, and who computes it says what they are worth.
 *
 * What cannot be computed is NAN: a name without a value, a division by 0; and so is all that is
 * made of it. The side of an `if` that is not taken does not matter.
 */
#ifndef PERF_UTIL_LIB_FORMULA_H
#define PERF_UTIL_LIB_FORMULA_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/* What is asked while a formula is parsed: it holds for all runs. */
struct formula_facts {
	double (*literal)(void *ctx,
	                  const char *name); /* of "#name", without the #; NAN: unknown */
	bool (*has_event)(void *ctx, const char *event);
	bool (*is_cpu)(void *ctx, const char *pattern); /* strcmp_cpuid_str() */
	void *ctx;
};

/* What is asked while it is computed. @name is an index of formula__name(). */
struct formula_values {
	double (*value)(void *ctx, u32 name);
	double (*sources)(void *ctx, u32 name); /* source_count(): how many counters there are */
	void *ctx;
};

struct formula;

/*
 * NULL with @err on a mistake: subject is the text, place the offence. @facts is asked only here.
 */
struct formula *formula__parse(const char *text, const struct formula_facts *facts,
                               struct error *err);
void formula__free(struct formula *formula); /* NULL is fine */

/*
 * The names whose values can matter, each once, in the order of the text, '@' for '/' undone:
 * "cpu/event=0x3c/". NULL: no more. A side of an `if` that is never taken needs none.
 */
const char *formula__name(const struct formula *formula, u32 index);

/* NAN or a finite number. Uses memory of the formula: for one thread at a time. */
double formula__value(struct formula *formula, const struct formula_values *values);

#endif
