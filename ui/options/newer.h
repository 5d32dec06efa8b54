/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of newer perfs that neither 6.1 nor this one has: named in errors, not "unknown". */
#ifndef PERF_UI_OPTIONS_NEWER_H
#define PERF_UI_OPTIONS_NEWER_H

#include "util/options/options.h"

/*
 * If @err is about an unknown option that newer perfs have, make it say so, with -EOPNOTSUPP. The
 * command is the second word of the first line of @usage.
 */
void newer__explain(const char *const *usage, struct error *err);

#endif
