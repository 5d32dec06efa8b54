/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the registers in samples (REGS_USER, REGS_INTR), by the bits of sample_regs_user.
 */
#ifndef PERF_UTIL_EVENT_REGISTERS_H
#define PERF_UTIL_EVENT_REGISTERS_H

#include <stddef.h>

#include "arch/arch.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * @bit below 64. "unknown" for a bit without a register; "rN" for architectures whose names are not
 * known here, made in @buf.
 */
const char *register__name(const struct arch *arch, unsigned bit, char *buf, size_t size);

/*
 * Parse "ax,bx", registers of this machine in any letter case, into a mask. 0, or -EINVAL when one
 * is not in @allowed.
 */
int registers__parse(const char *text, u64 allowed, u64 *mask, struct error *err);

#endif
