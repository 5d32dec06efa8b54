/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts about the machine that formulas of metrics use: #num_cpus, has_event(), the CPU. */
#ifndef PERF_UTIL_STAT_METRIC_FACTS_H
#define PERF_UTIL_STAT_METRIC_FACTS_H

#include "util/event/parse.h"
#include "util/lib/formula.h"

struct metric_facts {
	struct event_sources *sources;
	const char *sysfs; /* "/sys" */
	bool system_wide;
};

/* @facts must outlive the result. */
struct formula_facts metric_facts__of(struct metric_facts *facts);

#endif
