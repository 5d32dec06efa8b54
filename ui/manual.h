/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The manual pages that `make install` brought, shown by man(1).
 */
#ifndef PERF_UI_MANUAL_H
#define PERF_UI_MANUAL_H

#include <stdbool.h>

/*
 * Show the page of the command @name and wait for its reader. False where nobody has seen it: it
 * is not installed, or man is missing or failed, which man itself has said.
 */
bool manual__show(const char *name);

#endif
