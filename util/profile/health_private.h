/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_UTIL_PROFILE_HEALTH_PRIVATE_H
#define PERF_UTIL_PROFILE_HEALTH_PRIVATE_H

#include "util/profile/health.h"
#include "util/unwind/start_code.h"

/* health_leaves.c: fill health->leaves from the rows of @profile. */
void health_leaves__count(struct health *health, const struct profile *profile,
                          const struct session *session, struct start_code *start,
                          struct unwind_tables *tables);

#endif
