/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that newer perfs have and neither 6.1 nor this one: known by name, so not "unknown". */
#ifndef PERF_UI_OPTIONS_NEWER_H
#define PERF_UI_OPTIONS_NEWER_H

#include "util/options/options.h"

/*
 * What was said of an unknown option becomes that newer perfs have it, where they do: -EOPNOTSUPP
 * in @err. @usage: the command is the second word of its first line.
 */
void newer__explain(const char *const *usage, struct error *err);

#endif
