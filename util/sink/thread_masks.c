// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/thread_masks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/stat/aggregate.h"

void thread_masks__exit(struct thread_masks *masks)
{
	for (u32 i = 0; i < masks->nr; i++) {
		cpu_map__exit(&masks->masks[i].maps);
		cpu_map__exit(&masks->masks[i].affinity);
	}
	free(masks->masks);
	*masks = (struct thread_masks){ 0 };
}

static struct thread_mask *add_mask(struct thread_masks *masks)
{
	array__reserve(&masks->masks, &masks->cap, masks->nr + 1, sizeof(*masks->masks));
	masks->masks[masks->nr] = (struct thread_mask){ .maps = CPU_MAP_INIT };
	return &masks->masks[masks->nr++];
}

/* ---- by the machine's own units ---- */

enum unit { UNIT_CPU, UNIT_CORE, UNIT_PACKAGE, UNIT_NODE, NR_UNITS };

static const char *const unit_names[NR_UNITS] = { "cpu", "core", "package", "numa" };

static bool share(enum unit unit, const struct cpu_topology *a, const struct cpu_topology *b)
{
	switch (unit) {
	case UNIT_CORE:
		return a->socket == b->socket && a->die == b->die && a->core == b->core;
	case UNIT_PACKAGE:
		return a->socket == b->socket;
	case UNIT_NODE:
		return a->node == b->node;
	default:
		return false;
	}
}

static void add_units(struct thread_masks *masks, enum unit unit, const struct cpu_map *recorded,
                      const char *sysfs)
{
	struct cpu_topology *topologies =
	        xcalloc(recorded->nr + 1, sizeof(*topologies)); /* of the masks */

	for (u32 i = 0; i < recorded->nr; i++) {
		struct cpu_topology topology =
		        unit == UNIT_CPU ? (struct cpu_topology){ 0 }
		                         : cpu_topology__read(sysfs, recorded->cpus[i]);
		u32 at = 0;

		while (at < masks->nr && !share(unit, &topologies[at], &topology))
			at++;
		if (at == masks->nr)
			add_mask(masks);
		topologies[at] = topology;
		cpu_map__add(&masks->masks[at].maps, recorded->cpus[i]);
		cpu_map__add(&masks->masks[at].affinity, recorded->cpus[i]);
	}
	free(topologies);
}

/* ---- by lists ---- */

/* "0-3": the CPUs of @list that are recorded, none of which is in a mask already. */
static int parse_list(struct cpu_map *map, const char *text, const char *spec,
                      const struct cpu_map *recorded, const struct cpu_map *online,
                      struct error *err)
{
	struct cpu_map named = CPU_MAP_INIT;
	int ret = cpu_map__parse(&named, text, err);

	if (!ret)
		ret = cpu_map__check_online(&named, online, err);
	for (u32 i = 0; !ret && i < named.nr; i++)
		if (cpu_map__index(recorded, named.cpus[i]) >= 0)
			cpu_map__add(map, named.cpus[i]);
	cpu_map__exit(&named);
	if (!ret && !map->nr)
		ret = error__set(err, -EINVAL, "cannot use the writer threads", spec,
		                 "none of the CPUs '%s' is recorded", text);
	return ret;
}

static int check_apart(const struct cpu_map *a, const struct cpu_map *b, const char *spec,
                       const char *what, struct error *err)
{
	for (u32 i = 0; i < a->nr; i++)
		if (cpu_map__index(b, a->cpus[i]) >= 0)
			return error__set(err, -EINVAL, "cannot use the writer threads", spec,
			                  "CPU %d is in two %s", a->cpus[i], what);
	return 0;
}

static int add_pair(struct thread_masks *masks, char *pair, const char *spec,
                    const struct cpu_map *recorded, const struct cpu_map *online, struct error *err)
{
	struct thread_mask *mask = add_mask(masks);
	char *slash = strchr(pair, '/');
	int ret;

	if (!slash) {
		error__set(err, -EINVAL, "cannot use the writer threads", spec,
		           "'%s' is not CPUS/CPUS", pair);
		return error__advise(err, "use cpu, core, package, numa, or lists of CPUs: those "
		                          "read and those to run on, as in 0/0:1-3/1-3");
	}
	*slash = '\0';
	ret = parse_list(&mask->maps, pair, spec, recorded, online, err);
	if (!ret)
		ret = parse_list(&mask->affinity, slash + 1, spec, recorded, online, err);
	for (u32 i = 0; !ret && i + 1 < masks->nr; i++) {
		ret = check_apart(&mask->maps, &masks->masks[i].maps, spec, "lists of rings", err);
		if (!ret)
			ret = check_apart(&mask->affinity, &masks->masks[i].affinity, spec,
			                  "lists to run on", err);
	}
	return ret;
}

int thread_masks__parse(struct thread_masks *masks, const char *text,
                        const struct cpu_map *recorded, const struct cpu_map *online,
                        const char *sysfs, struct error *err)
{
	char *list, *save = NULL;
	int ret = 0;

	*masks = (struct thread_masks){ 0 };
	for (enum unit unit = UNIT_CPU; unit < NR_UNITS; unit++)
		if (!*text || !strcasecmp(text, unit_names[unit])) {
			add_units(masks, unit, recorded, sysfs);
			return 0;
		}
	list = xstrdup(text);
	for (char *pair = strtok_r(list, ":", &save); pair && !ret;
	     pair = strtok_r(NULL, ":", &save))
		ret = add_pair(masks, pair, text, recorded, online, err);
	free(list);
	if (!ret && !masks->nr)
		ret = error__set(err, -EINVAL, "cannot use the writer threads", text,
		                 "no lists of CPUs");
	if (ret)
		thread_masks__exit(masks);
	return ret;
}

u32 thread_masks__nr_left_out(const struct thread_masks *masks, const struct cpu_map *recorded)
{
	u32 nr = recorded->nr;

	for (u32 i = 0; i < masks->nr; i++)
		nr -= masks->masks[i].maps.nr; /* recorded ones, and lists do not overlap */
	return nr;
}
