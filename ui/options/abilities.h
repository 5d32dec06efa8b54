/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one can and cannot do on this machine, and why, as sentences: at the beginning of `perf
 * doctor`, and at the end of a command's -h, for what that command needs.
 */
#ifndef PERF_UI_OPTIONS_ABILITIES_H
#define PERF_UI_OPTIONS_ABILITIES_H

#include <stdio.h>

#include "util/doctor/doctor.h"
#include "util/lib/out.h"

/* "You can: ..." */
void abilities__print_can(struct out *out, const struct finding *findings, u32 nr);

/* "You cannot: ..., because ...", once for each cause. */
void abilities__print_cannot(struct out *out, const struct finding *findings, u32 nr);

/*
 * A section of -h: what the command with this @usage cannot do here, found by the probes of the
 * doctor. Nothing if it lacks nothing.
 */
void abilities__print_lacks(FILE *to, const char *const *usage);

#endif
