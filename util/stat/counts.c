// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/counts.h"

#include <errno.h>
#include <unistd.h>

int evsel__read_one(const struct evsel *evsel, u64 index, struct reading *reading)
{
	u64 data[3]; /* value, enabled, running */
	ssize_t n;

	*reading = (struct reading){ 0 };
	do
		n = read(evsel->fds[index], data, sizeof(data));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n != sizeof(data))
		return evsel->attr.pinned ? 0 : -EIO;
	*reading = (struct reading){ data[0], data[1], data[2] };
	return 0;
}

void counts__add(struct counts *counts, const struct reading *reading, bool scale)
{
	double value = reading->value;

	if (scale && reading->running && reading->running < reading->enabled)
		value = value * reading->enabled / reading->running;
	counts->value += value;
	counts->enabled += reading->enabled;
	counts->running += reading->running;
}

int evsel__read_counts(const struct evsel *evsel, bool scale, struct counts *counts,
                       struct error *err)
{
	u64 nr = (u64)evsel->nr_cpus * evsel->nr_threads;

	*counts = (struct counts){ .value = 0 };
	for (u64 i = 0; evsel->fds && i < nr; i++) {
		struct reading reading;
		int ret;

		if (evsel->fds[i] < 0)
			continue;
		ret = evsel__read_one(evsel, i, &reading);
		if (ret)
			return error__set(err, ret, "cannot read the counter", evsel->name, NULL);
		counts__add(counts, &reading, scale);
	}
	return 0;
}

void stat_event__add_run(struct stat_event *event)
{
	/* Where it never had a counter its 0 says nothing. */
	if (event->run.running)
		stats__add(&event->value, event->run.value);
	if (event->run.running && event->keeps)
		series__add(&event->runs, event->run.value);
	stats__add(&event->enabled, event->run.enabled);
	stats__add(&event->running, event->run.running);
}
