// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/counts.h"

#include <errno.h>
#include <unistd.h>

static int read_one(int fd, bool scale, struct counts *counts)
{
	u64 data[3]; /* value, enabled, running */
	double value;
	ssize_t n;

	do
		n = read(fd, data, sizeof(data));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n != sizeof(data))
		return -EIO; /* 0: a pinned event that could not be scheduled */
	value = data[0];
	if (scale && data[2] && data[2] < data[1])
		value = value * data[1] / data[2];
	counts->value += value;
	counts->enabled += data[1];
	counts->running += data[2];
	return 0;
}

int evsel__read_counts(const struct evsel *evsel, bool scale, struct counts *counts,
                       struct error *err)
{
	u64 nr = (u64)evsel->nr_cpus * evsel->nr_threads;

	*counts = (struct counts){ .value = 0 };
	for (u64 i = 0; evsel->fds && i < nr; i++) {
		int ret = evsel->fds[i] >= 0 ? read_one(evsel->fds[i], scale, counts) : 0;

		if (!ret || (ret == -EIO && evsel->attr.pinned))
			continue;
		return error__set(err, ret, "cannot read the counter", evsel->name, NULL);
	}
	return 0;
}

void stat_event__add_run(struct stat_event *event)
{
	/* Where it never had a counter its 0 says nothing. */
	if (event->run.running)
		stats__add(&event->value, event->run.value);
	stats__add(&event->enabled, event->run.enabled);
	stats__add(&event->running, event->run.running);
}

bool evsel__is_clock(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE &&
	       (evsel->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
	        evsel->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}
