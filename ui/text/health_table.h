/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack health (util/profile/health.h) as tables (`report --stack-health`) or as one head line. */
#ifndef PERF_UI_TEXT_HEALTH_TABLE_H
#define PERF_UI_TEXT_HEALTH_TABLE_H

#include "util/lib/out.h"
#include "util/profile/health.h"

struct session;

/* A table for each event with chains. @health has been judged; here and below. */
void health_table__print(struct out *out, const struct health *health,
                         const struct session *session);

/*
 * A comment line with the remedy, the share of incomplete stacks, and the dso that most of them
 * stop in; nothing if all are complete. If there are only frames that may be missing, it reports
 * those when they are many; and it says so where chains were recorded, but not read. At most 100
 * characters.
 */
void health_table__print_summary(struct out *out, const struct health *health,
                                 const struct session *session);

#endif
