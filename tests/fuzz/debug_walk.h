/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug information out of any bytes, for the harnesses that open some. */
#ifndef PERF_TESTS_FUZZ_DEBUG_WALK_H
#define PERF_TESTS_FUZZ_DEBUG_WALK_H

struct debug_info;

/* Ask for the source of addresses of all units, and check the tables that were made of them. */
void fuzz__walk_debug_info(struct debug_info *info);

#endif
