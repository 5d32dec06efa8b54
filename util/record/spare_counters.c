// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/spare_counters.h"

#include <stdlib.h>
#include <unistd.h>

void counters__swap(struct counters *counters, struct evsel *evsel)
{
	const struct counters had = { evsel->attr,      evsel->fds,     evsel->ids,
		                      evsel->nr_ids,    evsel->ids_cap, evsel->nr_cpus,
		                      evsel->nr_threads };

	evsel->attr = counters->attr;
	evsel->fds = counters->fds;
	evsel->ids = counters->ids;
	evsel->nr_ids = counters->nr_ids;
	evsel->ids_cap = counters->ids_cap;
	evsel->nr_cpus = counters->nr_cpus;
	evsel->nr_threads = counters->nr_threads;
	*counters = had;
}

void counters__close(struct counters *counters, u32 nr)
{
	for (u32 i = 0; counters && i < nr; i++) {
		for (u32 at = 0;
		     counters[i].fds && at < counters[i].nr_cpus * counters[i].nr_threads; at++)
			if (counters[i].fds[at] >= 0)
				close(counters[i].fds[at]);
		free(counters[i].fds);
		free(counters[i].ids);
	}
	free(counters);
}
