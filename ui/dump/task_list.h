/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `report --tasks` and `--mmaps`: the processes and threads of a recording as a tree, each as it
 * was at the end, and what each had mapped then.
 */
#ifndef PERF_UI_DUMP_TASK_LIST_H
#define PERF_UI_DUMP_TASK_LIST_H

#include "util/lib/out.h"
#include "util/machine/session.h"

/* @session has been scanned. */
void task_list__print(struct out *out, const struct session *session, bool maps);

#endif
