/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack health (util/profile/health.h) for people: `report --stack-health`, and one line in heads.
 */
#ifndef PERF_UI_TEXT_HEALTH_TABLE_H
#define PERF_UI_TEXT_HEALTH_TABLE_H

#include "util/lib/out.h"
#include "util/profile/health.h"

struct session;

/* A table for each event with chains. @health has been judged; here and below. */
void health_table__print(struct out *out, const struct health *health,
                         const struct session *session);

/*
 * A comment line with what to do, the share of stacks that are not complete, and where most of them
 * stop; nothing is printed when all are complete. What may be missing is said where nothing else
 * is, and it is much. At most 100 characters.
 */
void health_table__print_summary(struct out *out, const struct health *health,
                                 const struct session *session);

#endif
