/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel takes as an argument of a probe, by its documentation (kprobetrace, uprobetracer)
 * and what it says of the rest: registers, $names, numbers, types. Refused is what no kernel takes;
 * what only some take is theirs to say.
 */
#ifndef PERF_UTIL_FETCH_KERNEL_ARGS_H
#define PERF_UTIL_FETCH_KERNEL_ARGS_H

#include "util/fetch/definition.h"

struct kernel_rules {
	u32 machine; /* EM_*, whose registers are known */
	bool of_program, is_return;
};

/*
 * Check the type of a variable, or all of an argument for the kernel. 0, or -EINVAL with @err,
 * which says why.
 */
int kernel_arg__check(const struct probe_arg *arg, const struct kernel_rules *rules,
                      struct error *err);

/* Can an argument of an event be called so? 0, or -EINVAL with @err. */
int kernel_name__check(const char *name, struct error *err);

#endif
