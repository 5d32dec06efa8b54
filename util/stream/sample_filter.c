// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/sample_filter.h"

#include <errno.h>
#include <stdlib.h>

#include "util/counter/targets.h"
#include "util/lib/alloc.h"

#define CPUS_MAX 65536

void sample_filter__exit(struct sample_filter *filter)
{
	free(filter->cpu_set);
	time_ranges__exit(&filter->times);
	time_ranges__exit(&filter->parts);
	name_list__exit(&filter->comms);
	free(filter->pids.ids);
	free(filter->tids.ids);
	name_list__exit(&filter->dsos);
	name_list__exit(&filter->symbols);
	*filter = (struct sample_filter){ .nr_cpu_set = 0 };
}

int sample_filter__parse_cpus(struct sample_filter *filter, const char *text, struct error *err)
{
	struct cpu_map map = CPU_MAP_INIT;

	if (!text)
		return 0;
	int ret = cpu_map__parse(&map, text, err);

	filter->cpu_set = xcalloc(CPUS_MAX, 1);
	filter->nr_cpu_set = CPUS_MAX;
	for (u32 i = 0; !ret && i < map.nr; i++)
		if (map.cpus[i] >= 0 && map.cpus[i] < CPUS_MAX)
			filter->cpu_set[map.cpus[i]] = 1;
	cpu_map__exit(&map);
	return ret;
}

static int parse_names(struct name_list *list, const char *text, struct error *err)
{
	return text ? name_list__parse(list, text, err) : 0;
}

static int parse_ids(struct id_list *list, const char *text, struct error *err)
{
	int ret = text ? number_list__parse(&list->ids, &list->nr, text, err) : 0;

	if (!ret && text && !list->nr)
		ret = error__set(err, -EINVAL, "no number in the list", text, "%s", "");
	return ret;
}

int sample_filter__parse_lists(struct sample_filter *filter,
                               const struct sample_filter_lists *lists, struct error *err)
{
	int ret = parse_names(&filter->comms, lists->comms, err);

	if (!ret)
		ret = parse_names(&filter->dsos, lists->dsos, err);
	if (!ret)
		ret = parse_names(&filter->symbols, lists->symbols, err);
	if (!ret)
		ret = parse_ids(&filter->pids, lists->pids, err);
	if (!ret)
		ret = parse_ids(&filter->tids, lists->tids, err);
	return ret;
}

bool id_list__finds(const struct id_list *list, u32 id)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->ids[i] == id)
			return true;
	return false;
}

bool sample_filter__dso(const struct sample_filter *filter, const struct session *session, u32 dso)
{
	if (!filter->dsos.nr)
		return true;
	if (dso == ID_NONE)
		return false;
	const struct dso *found = dsos__at(&session->dsos, dso);

	return name_list__has(&filter->dsos, strtab__get(&session->strings, found->short_name)) ||
	       name_list__has(&filter->dsos, strtab__get(&session->strings, found->name));
}
