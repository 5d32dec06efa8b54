/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `report --tasks` and `--mmaps`: the tree of processes and threads of a recording, and their maps,
 * as they were at the end.
 */
#ifndef PERF_UI_DUMP_TASK_LIST_H
#define PERF_UI_DUMP_TASK_LIST_H

#include "util/lib/out.h"
#include "util/machine/session.h"

/* @session has been scanned. */
void task_list__print(struct out *out, const struct session *session, bool maps);

#endif
