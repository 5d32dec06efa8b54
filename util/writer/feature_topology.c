// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the machine looks like, from sysfs: processors, NUMA nodes, caches, memory blocks, PMUs.
 * Every list has an upper bound, so that an odd sysfs cannot make us loop or eat memory.
 */
#include "util/writer/feature_write.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define MAX_CPUS          65536
#define MAX_NODES         4096
#define MAX_CACHE_INDEX   10
#define MAX_MEMORY_BLOCKS (1u << 24)

struct names {
	char **names;
	size_t nr, cap;
};

static void names__add(struct names *list, const char *name)
{
	array__reserve(&list->names, &list->cap, list->nr + 1, sizeof(*list->names));
	list->names[list->nr++] = xstrdup(name);
}

static void names__add_unique(struct names *list, const char *name)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->names[i], name))
			return;
	names__add(list, name);
}

static void names__exit(struct names *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->names[i]);
	free(list->names);
}

static void put_names(struct out *out, const struct names *list)
{
	feature__put_u32(out, list->nr);
	for (size_t i = 0; i < list->nr; i++)
		feature__put_string(out, list->names[i]);
}

/* The entries of a folder in the order the kernel gives them, without dot files. */
static bool list_folder(const char *path, struct names *list)
{
	DIR *dir = opendir(path);

	if (!dir)
		return false;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			names__add(list, entry->d_name);
	closedir(dir);
	return true;
}

static int read_cpu(const struct feature_source *source, u32 cpu, const char *file, char *buf,
                    size_t size)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%u/%s", source->root, cpu, file);
	return file__read_text(path, buf, size);
}

/* The newer of two names of a topology file, else the older. */
static void add_siblings(const struct feature_source *source, u32 cpu, const char *file,
                         const char *older, struct names *list)
{
	char buf[4096];

	if (read_cpu(source, cpu, file, buf, sizeof(buf)) > 0 ||
	    (older && read_cpu(source, cpu, older, buf, sizeof(buf)) > 0))
		names__add_unique(list, buf);
}

static u32 cpu_number(const struct feature_source *source, u32 cpu, const char *file)
{
	char buf[32];

	/* An offline processor has no topology files; -1 is what the kernel itself says then. */
	return read_cpu(source, cpu, file, buf, sizeof(buf)) > 0 ? (u32)atoi(buf) : UINT32_MAX;
}

bool feature__write_cpu_topology(const struct feature_source *source, struct out *out)
{
	struct names sockets = { 0 }, cores = { 0 }, dies = { 0 };
	long nr = sysconf(_SC_NPROCESSORS_CONF);
	bool ok;

	if (nr <= 0 || nr > MAX_CPUS)
		return false;
	for (u32 cpu = 0; cpu < nr; cpu++) {
		add_siblings(source, cpu, "topology/package_cpus_list",
		             "topology/core_siblings_list", &sockets);
		add_siblings(source, cpu, "topology/core_cpus_list",
		             "topology/thread_siblings_list", &cores);
		add_siblings(source, cpu, "topology/die_cpus_list", NULL, &dies);
	}
	ok = sockets.nr && cores.nr;
	if (ok) {
		put_names(out, &sockets);
		put_names(out, &cores);
		for (u32 cpu = 0; cpu < nr; cpu++) {
			feature__put_u32(out, cpu_number(source, cpu, "topology/core_id"));
			feature__put_u32(out,
			                 cpu_number(source, cpu, "topology/physical_package_id"));
		}
	}
	if (ok && dies.nr) {
		put_names(out, &dies);
		for (u32 cpu = 0; cpu < nr; cpu++)
			feature__put_u32(out, cpu_number(source, cpu, "topology/die_id"));
	}
	names__exit(&sockets);
	names__exit(&cores);
	names__exit(&dies);
	return ok;
}

/* The ids of the folders nodeN, ascending. Malloc'ed; NULL when there are none. */
static u32 *list_nodes(const struct feature_source *source, u32 *nr)
{
	char path[4096];
	struct names list = { 0 };
	u32 *nodes = NULL;
	size_t cap = 0;

	*nr = 0;
	snprintf(path, sizeof(path), "%s/sys/devices/system/node", source->root);
	list_folder(path, &list);
	for (size_t i = 0; i < list.nr; i++) {
		u64 id;
		u32 at;

		if (!text__starts_with(list.names[i], "node") ||
		    text__parse_u64(list.names[i] + 4, &id) || id >= MAX_NODES)
			continue;
		array__reserve(&nodes, &cap, *nr + 1, sizeof(*nodes));
		for (at = *nr; at && nodes[at - 1] > id; at--)
			nodes[at] = nodes[at - 1];
		nodes[at] = id;
		++*nr;
	}
	names__exit(&list);
	return nodes;
}

static bool put_numa_node(const struct feature_source *source, u32 node, struct out *out)
{
	char path[4096], text[4096], cpus[4096];
	unsigned long long total, unused;
	const char *free_kb;

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u/meminfo", source->root,
	         node);
	if (file__read_text(path, text, sizeof(text)) <= 0 ||
	    sscanf(text, "Node %*u MemTotal: %llu", &total) != 1)
		return false;
	free_kb = strstr(text, "MemFree:");
	if (!free_kb || sscanf(free_kb, "MemFree: %llu", &unused) != 1)
		return false;
	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u/cpulist", source->root,
	         node);
	if (file__read_text(path, cpus, sizeof(cpus)) < 0)
		return false;
	feature__put_u32(out, node);
	feature__put_u64(out, total);
	feature__put_u64(out, unused);
	feature__put_string(out, cpus);
	return true;
}

bool feature__write_numa_topology(const struct feature_source *source, struct out *out)
{
	u32 nr;
	u32 *nodes = list_nodes(source, &nr);
	bool ok = nr > 0;

	feature__put_u32(out, nr);
	for (u32 i = 0; ok && i < nr; i++)
		ok = put_numa_node(source, nodes[i], out);
	free(nodes);
	return ok;
}

struct cache_level {
	u32 level, line_size, sets, ways;
	char type[64], size[64], cpus[1024];
};

static u32 cache_number(const struct feature_source *source, u32 cpu, u32 index, const char *file)
{
	char name[64], buf[32];

	snprintf(name, sizeof(name), "cache/index%u/%s", index, file);
	return read_cpu(source, cpu, name, buf, sizeof(buf)) > 0 ? (u32)strtoul(buf, NULL, 10) : 0;
}

static bool read_cache(const struct feature_source *source, u32 cpu, u32 index,
                       struct cache_level *cache)
{
	char name[64];

	memset(cache, 0, sizeof(*cache));
	cache->level = cache_number(source, cpu, index, "level");
	if (!cache->level)
		return false;
	cache->line_size = cache_number(source, cpu, index, "coherency_line_size");
	cache->sets = cache_number(source, cpu, index, "number_of_sets");
	cache->ways = cache_number(source, cpu, index, "ways_of_associativity");
	snprintf(name, sizeof(name), "cache/index%u/type", index);
	read_cpu(source, cpu, name, cache->type, sizeof(cache->type));
	snprintf(name, sizeof(name), "cache/index%u/size", index);
	read_cpu(source, cpu, name, cache->size, sizeof(cache->size));
	snprintf(name, sizeof(name), "cache/index%u/shared_cpu_list", index);
	read_cpu(source, cpu, name, cache->cpus, sizeof(cache->cpus));
	return true;
}

/* Keep the list in the order of the levels; within one level as the processors come. */
static void insert_cache(struct cache_level **caches, size_t *cap, u32 *nr,
                         const struct cache_level *cache)
{
	u32 at;

	for (u32 i = 0; i < *nr; i++)
		if (!memcmp(&(*caches)[i], cache, sizeof(*cache)))
			return;
	array__reserve(caches, cap, *nr + 1, sizeof(*cache));
	for (at = *nr; at && (*caches)[at - 1].level > cache->level; at--)
		(*caches)[at] = (*caches)[at - 1];
	(*caches)[at] = *cache;
	++*nr;
}

bool feature__write_cache(const struct feature_source *source, struct out *out)
{
	struct cache_level *caches = NULL, cache;
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t cap = 0;
	u32 nr = 0;

	for (u32 cpu = 0; cpus <= MAX_CPUS && cpu < cpus; cpu++)
		for (u32 index = 0; index < MAX_CACHE_INDEX; index++) {
			if (!read_cache(source, cpu, index, &cache))
				break;
			insert_cache(&caches, &cap, &nr, &cache);
		}
	feature__put_u32(out, 1); /* version */
	feature__put_u32(out, nr);
	for (u32 i = 0; i < nr; i++) {
		feature__put_u32(out, caches[i].level);
		feature__put_u32(out, caches[i].line_size);
		feature__put_u32(out, caches[i].sets);
		feature__put_u32(out, caches[i].ways);
		feature__put_string(out, caches[i].type);
		feature__put_string(out, caches[i].size);
		feature__put_string(out, caches[i].cpus);
	}
	free(caches);
	return nr > 0;
}

/* One bit per memory block that the node has. */
static bool put_memory_node(const struct feature_source *source, u32 node, struct out *out)
{
	char path[4096];
	struct names list = { 0 };
	u64 *words = NULL, id, bits = 0;
	size_t cap = 0, used = 0;

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u", source->root, node);
	if (!list_folder(path, &list))
		return false;
	for (size_t i = 0; i < list.nr; i++) {
		if (!text__starts_with(list.names[i], "memory") ||
		    text__parse_u64(list.names[i] + 6, &id) || id >= MAX_MEMORY_BLOCKS)
			continue;
		array__reserve(&words, &cap, id / 64 + 1, sizeof(*words));
		while (used <= id / 64)
			words[used++] = 0;
		words[id / 64] |= 1ull << id % 64;
		bits = max_u64(bits, id + 1);
	}
	names__exit(&list);
	feature__put_u64(out, node);
	feature__put_u64(out, bits);
	feature__put_u64(out, bits);
	if (used) /* words is NULL otherwise */
		out__mem(out, words, used * sizeof(*words));
	free(words);
	return true;
}

bool feature__write_mem_topology(const struct feature_source *source, struct out *out)
{
	char path[4096], text[32];
	u32 nr, *nodes;
	bool ok;

	snprintf(path, sizeof(path), "%s/sys/devices/system/memory/block_size_bytes", source->root);
	if (file__read_text(path, text, sizeof(text)) <= 0)
		return false;
	feature__put_u64(out, 1); /* version */
	feature__put_u64(out, strtoull(text, NULL, 16));
	nodes = list_nodes(source, &nr);
	feature__put_u64(out, nr);
	ok = nr > 0;
	for (u32 i = 0; ok && i < nr; i++)
		ok = put_memory_node(source, nodes[i], out);
	free(nodes);
	return ok;
}

static bool list_pmus(const struct feature_source *source, struct names *list)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices", source->root);
	return list_folder(path, list);
}

bool feature__write_pmu_mappings(const struct feature_source *source, struct out *out)
{
	struct names list = { 0 };
	size_t count_at = out->len;
	u32 nr = 0;

	feature__put_u32(out, 0);
	list_pmus(source, &list);
	for (size_t i = 0; i < list.nr; i++) {
		char path[4096];
		u64 type;

		snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/type",
		         source->root, list.names[i]);
		if (file__read_u64(path, &type))
			continue;
		feature__put_u32(out, type);
		feature__put_string(out, list.names[i]);
		nr++;
	}
	memcpy(out->buf + count_at, &nr, sizeof(nr));
	names__exit(&list);
	return nr > 0;
}

/* The files of a PMU's caps folder as (name, value). Returns how many, or -1 without a folder. */
static int put_caps(const struct feature_source *source, const char *pmu, struct out *out)
{
	char path[4096], value[256];
	struct names list = { 0 };
	size_t count_at = out->len;
	u32 nr = 0;

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/caps", source->root, pmu);
	feature__put_u32(out, 0);
	if (!list_folder(path, &list))
		return -1;
	for (size_t i = 0; i < list.nr; i++) {
		snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/caps/%s",
		         source->root, pmu, list.names[i]);
		if (file__read_text(path, value, sizeof(value)) < 0)
			continue;
		feature__put_string(out, list.names[i]);
		feature__put_string(out, value);
		nr++;
	}
	memcpy(out->buf + count_at, &nr, sizeof(nr));
	names__exit(&list);
	return nr;
}

bool feature__write_cpu_pmu_caps(const struct feature_source *source, struct out *out)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/cpu", source->root);
	if (access(path, F_OK) < 0)
		return false;
	put_caps(source, "cpu", out);
	return true;
}

bool feature__write_pmu_caps(const struct feature_source *source, struct out *out)
{
	struct names list = { 0 };
	size_t count_at = out->len;
	u32 nr = 0;

	feature__put_u32(out, 0);
	list_pmus(source, &list);
	for (size_t i = 0; i < list.nr; i++) {
		size_t before = out->len;

		if (!strcmp(list.names[i], "cpu"))
			continue;
		if (put_caps(source, list.names[i], out) <= 0) {
			out->len = before;
			continue;
		}
		feature__put_string(out, list.names[i]);
		nr++;
	}
	memcpy(out->buf + count_at, &nr, sizeof(nr));
	names__exit(&list);
	return true;
}
