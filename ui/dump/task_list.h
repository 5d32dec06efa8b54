/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `report --tasks` and `--mmaps`: processes and threads as a tree, and their maps, at the end of a
 * recording.
 */
#ifndef PERF_UI_DUMP_TASK_LIST_H
#define PERF_UI_DUMP_TASK_LIST_H

#include "util/lib/out.h"
#include "util/machine/session.h"

/* @session has been scanned. */
void task_list__print(struct out *out, const struct session *session, bool maps);

#endif
