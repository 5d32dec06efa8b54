// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The feature sections behind the data: where they lie, their bytes (read on first need), and the
 * decoding of those that the reader and the analysis use themselves. What `--header` prints is in
 * ui/dump/header.c.
 */
#include "util/reader/features.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/reader_private.h"

#define BITMAP_OFFSET 72
#define BITMAP_WORDS  4

static const char *const names[] = {
	[FEATURE_TRACING_DATA] = "TRACING_DATA",
	[FEATURE_BUILD_ID] = "BUILD_ID",
	[FEATURE_HOSTNAME] = "HOSTNAME",
	[FEATURE_OSRELEASE] = "OSRELEASE",
	[FEATURE_VERSION] = "VERSION",
	[FEATURE_ARCH] = "ARCH",
	[FEATURE_NRCPUS] = "NRCPUS",
	[FEATURE_CPUDESC] = "CPUDESC",
	[FEATURE_CPUID] = "CPUID",
	[FEATURE_TOTAL_MEM] = "TOTAL_MEM",
	[FEATURE_CMDLINE] = "CMDLINE",
	[FEATURE_EVENT_DESC] = "EVENT_DESC",
	[FEATURE_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FEATURE_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FEATURE_BRANCH_STACK] = "BRANCH_STACK",
	[FEATURE_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FEATURE_GROUP_DESC] = "GROUP_DESC",
	[FEATURE_AUXTRACE] = "AUXTRACE",
	[FEATURE_STAT] = "STAT",
	[FEATURE_CACHE] = "CACHE",
	[FEATURE_SAMPLE_TIME] = "SAMPLE_TIME",
	[FEATURE_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[FEATURE_CLOCKID] = "CLOCKID",
	[FEATURE_DIR_FORMAT] = "DIR_FORMAT",
	[FEATURE_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[FEATURE_BPF_BTF] = "BPF_BTF",
	[FEATURE_COMPRESSED] = "COMPRESSED",
	[FEATURE_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[FEATURE_CLOCK_DATA] = "CLOCK_DATA",
	[FEATURE_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[FEATURE_PMU_CAPS] = "PMU_CAPS",
	[FEATURE_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO",
	[FEATURE_E_MACHINE] = "E_MACHINE",
	[FEATURE_CLN_SIZE] = "CLN_SIZE",
};

const char *perf_feature__name(unsigned feature)
{
	return feature < ARRAY_SIZE(names) ? names[feature] : NULL;
}

static bool bitmap_has(const u64 *bits, unsigned feature)
{
	return bits[feature / 64] >> feature % 64 & 1;
}

/*
 * The bitmap is an array of the writer's longs. In the other byte order that may have been 8 or 4
 * bytes; HOSTNAME, which every perf since Linux 3.2 writes, tells which. Without it only BUILD_ID
 * is known to have existed.
 */
static void swap_bitmap(u64 *bits)
{
	u64 by8[BITMAP_WORDS], by4[BITMAP_WORDS];

	for (int i = 0; i < BITMAP_WORDS; i++) {
		by8[i] = bswap_64(bits[i]);
		by4[i] = by8[i] >> 32 | by8[i] << 32;
	}
	if (bitmap_has(by8, FEATURE_HOSTNAME))
		memcpy(bits, by8, sizeof(by8));
	else if (bitmap_has(by4, FEATURE_HOSTNAME))
		memcpy(bits, by4, sizeof(by4));
	else
		memcpy(bits, (u64[BITMAP_WORDS]){ 1u << FEATURE_BUILD_ID }, sizeof(by8));
}

/* Each set bit has the next (offset, size) pair of the table behind the data. */
static void read_table(struct perf_data *data)
{
	u64 bits[BITMAP_WORDS], at = data->info.feature_offset;

	if (data->info.header_size < BITMAP_OFFSET + sizeof(bits) || data->not_closed ||
	    perf_data__pread(data, BITMAP_OFFSET, bits, sizeof(bits)))
		return;
	if (data->swap)
		swap_bitmap(bits);
	for (unsigned i = 0; i < FEATURE_MAX; i++) {
		struct feature_section *section = &data->features[i];
		u64 pair[2];

		if (!bitmap_has(bits, i))
			continue;
		section->present = true;
		data->info.nr_features++;
		if (perf_data__pread(data, at, pair, sizeof(pair))) {
			section->broken = true;
			data->info.nr_cut_features++;
			continue;
		}
		at += sizeof(pair);
		section->offset = load_u64(&pair[0], data->swap);
		section->size = load_u64(&pair[1], data->swap);
		section->broken = !perf_data__in_file(data, section->offset, section->size);
		if (!section->broken)
			data->info.feature_end =
			        max_u64(data->info.feature_end, section->offset + section->size);
		data->info.nr_cut_features += section->broken;
	}
}

/* Read a section's bytes. Sections do not overlap: together they cannot be larger than the file. */
static void load_section(struct perf_data *data, struct feature_section *section)
{
	if (section->size > data->info.file_size - data->feature_bytes) {
		section->broken = true;
		return;
	}
	u8 *bytes = xmalloc(section->size + 1);

	bytes[section->size] = 0;
	if (perf_data__pread(data, section->offset, bytes, section->size)) {
		section->broken = true;
		free(bytes);
		return;
	}
	data->feature_bytes += section->size;
	section->bytes = bytes;
}

const void *perf_data__feature(const struct perf_data *const_data, unsigned feature, size_t *size)
{
	/* The cache is the one thing that changes; its lock makes that invisible. */
	struct perf_data *data = (struct perf_data *)const_data;

	*size = 0;
	if (feature >= FEATURE_MAX || !data->features[feature].present)
		return NULL;
	struct feature_section *section = &data->features[feature];

	pthread_mutex_lock(&data->features_lock);
	if (!section->bytes && !section->broken)
		load_section(data, section);
	pthread_mutex_unlock(&data->features_lock);
	*size = section->bytes ? section->size : 0;
	return section->bytes;
}

bool perf_data__has_feature(const struct perf_data *data, unsigned feature)
{
	return feature < FEATURE_MAX && data->features[feature].present;
}

struct cursor perf_data__feature_cursor(const struct perf_data *data, unsigned feature)
{
	size_t size;
	const void *bytes = perf_data__feature(data, feature, &size);
	struct cursor c = cursor__make(bytes ? bytes : "", size, data->swap);

	c.failed = !bytes;
	return c;
}

const char *perf_data__feature_string(const struct perf_data *data, unsigned feature)
{
	struct cursor c = perf_data__feature_cursor(data, feature);
	const char *s = cursor__feature_string(&c);

	return c.failed ? NULL : s;
}

const struct arch *perf_data__arch(const struct perf_data *data)
{
	return arch__find(perf_data__feature_string(data, FEATURE_ARCH));
}

#define BUILD_ID_NAME       36 /* of the name in an entry */
#define BUILD_ID_SIZE_VALID (1u << 15)

/*
 * Entries of perf before Linux 2.6.35 lack the pid: everything lies 4 bytes earlier, which the name
 * of the kernel (always the first) shows.
 */
static unsigned build_id_shift(const u8 *bytes, size_t size)
{
	static const char shifted[] = "nel.kallsyms]";

	return size >= BUILD_ID_NAME + sizeof(shifted) &&
	                       !memcmp(bytes + BUILD_ID_NAME, shifted, sizeof(shifted))
	               ? 4
	               : 0;
}

static int decode_build_id(struct cursor *c, unsigned shift, struct build_id_entry *entry)
{
	const u8 *start = c->pos;

	cursor__u32(c); /* type: means nothing here */
	u16 misc = cursor__u16(c);
	u16 size = cursor__u16(c);
	struct cursor e = cursor__make(start, 0, c->swap);

	if (c->failed || size < BUILD_ID_NAME - shift + 1 ||
	    size - RECORD_HEADER_SIZE > (int)cursor__left(c))
		return -EBADMSG;
	e = cursor__make(c->pos, size - RECORD_HEADER_SIZE, c->swap);
	entry->pid = shift ? -1 : (s32)cursor__u32(&e);
	memcpy(entry->id, cursor__bytes(&e, sizeof(entry->id)), sizeof(entry->id));
	u8 len = *(const u8 *)cursor__bytes(&e, 4);

	entry->size = misc & BUILD_ID_SIZE_VALID ? len : sizeof(entry->id);
	entry->cpumode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	entry->name = cursor__str(&e, cursor__left(&e));
	c->pos = start + size;
	return e.failed || entry->size > sizeof(entry->id) ? -EBADMSG : 0;
}

int perf_data__build_ids(const struct perf_data *data,
                         void (*fn)(void *ctx, const struct build_id_entry *entry), void *ctx)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_BUILD_ID);
	unsigned shift = build_id_shift(c.pos, cursor__left(&c));
	struct build_id_entry entry;
	int nr = 0;

	if (!perf_data__has_feature(data, FEATURE_BUILD_ID))
		return 0;
	if (c.failed)
		return -EBADMSG;
	while (cursor__left(&c)) {
		if (decode_build_id(&c, shift, &entry))
			return -EBADMSG;
		fn(ctx, &entry);
		nr++;
	}
	return nr;
}

/* Names as the user typed them; by position, which is that of the attrs. */
static void apply_event_desc(struct perf_data *data)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_EVENT_DESC);
	u32 nr = cursor__u32(&c), attr_size = cursor__u32(&c);

	for (u32 i = 0; i < nr && i < data->evlist.nr; i++) {
		cursor__bytes(&c, attr_size);
		u32 nr_ids = cursor__u32(&c);
		const char *name = cursor__feature_string(&c);

		cursor__bytes(&c, nr_ids * 8ull);
		if (c.failed)
			return;
		if (*name)
			evsel__set_name(data->evlist.evsels[i], name);
	}
}

static void apply_group(struct evlist *list, const char *name, u32 leader, u32 members)
{
	if (leader >= list->nr || members > list->nr - leader || !members)
		return;
	struct evsel *first = list->evsels[leader];

	first->nr_members = members;
	for (u32 i = leader; i < leader + members; i++)
		list->evsels[i]->leader = leader;
	if (strcmp(name, "{anon_group}")) {
		free(first->group_name);
		first->group_name = xstrdup(name);
	}
}

static void apply_group_desc(struct perf_data *data)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_GROUP_DESC);
	u32 nr = cursor__u32(&c);

	for (u32 i = 0; i < nr; i++) {
		const char *name = cursor__feature_string(&c);
		u32 leader = cursor__u32(&c), members = cursor__u32(&c);

		if (c.failed)
			return;
		apply_group(&data->evlist, name, leader, members);
	}
}

void features__apply(struct perf_data *data)
{
	apply_event_desc(data);
	apply_group_desc(data);
}

void features__open(struct perf_data *data)
{
	read_table(data);
	features__apply(data);
}

void features__add(struct perf_data *data, u64 feature, u64 offset, u64 size)
{
	if (feature >= FEATURE_MAX || data->features[feature].present)
		return;
	data->features[feature] = (struct feature_section){
		.offset = offset,
		.size = size,
		.present = true,
		.broken = !perf_data__in_file(data, offset, size),
	};
}

void features__close(struct perf_data *data)
{
	for (unsigned i = 0; i < FEATURE_MAX; i++)
		free(data->features[i].bytes);
}

void perf_data__event_update(struct perf_data *data, const struct record *record)
{
	struct cursor c = cursor__make(record->data + RECORD_HEADER_SIZE,
	                               record->size - RECORD_HEADER_SIZE, data->swap);
	enum { UNIT, SCALE, NAME };
	u64 what = cursor__u64(&c);
	u32 idx = u64map__get(&data->events.by_id, cursor__u64(&c));

	if (c.failed || idx == ID_NONE)
		return;
	struct evsel *evsel = data->evlist.evsels[idx];

	if (what == SCALE) {
		u64 bits = cursor__u64(&c);
		double scale;

		memcpy(&scale, &bits, sizeof(scale));
		if (!c.failed && isfinite(scale))
			evsel->scale = scale;
		return;
	}
	if (what != UNIT && what != NAME)
		return;
	const char *text = cursor__str(&c, cursor__left(&c));

	if (c.failed)
		return;
	if (what == NAME && *text)
		evsel__set_name(evsel, text);
	if (what == UNIT) {
		free(evsel->unit);
		evsel->unit = xstrdup(text);
	}
}

static void skip_strings(struct cursor *c)
{
	u32 nr = cursor__u32(c);

	for (u32 i = 0; i < nr && !c->failed; i++)
		cursor__feature_string(c);
}

/*
 * The number of the machine's CPUs; @c is left where CPU_TOPOLOGY tells of each. 0: the file does
 * not say, or cannot have so many.
 */
static u32 count_cpus(const struct perf_data *data, struct cursor *c)
{
	struct cursor cpus = perf_data__feature_cursor(data, FEATURE_NRCPUS);
	u32 nr = cursor__u32(&cpus);

	*c = perf_data__feature_cursor(data, FEATURE_CPU_TOPOLOGY);
	skip_strings(c); /* of cores, of threads */
	skip_strings(c);
	return cpus.failed || c->failed || nr > cursor__left(c) / 8 ? 0 : nr;
}

s32 *perf_data__sockets(const struct perf_data *data, u32 *nr)
{
	struct cursor c;

	*nr = count_cpus(data, &c);
	if (!*nr)
		return NULL;
	s32 *sockets = xcalloc(*nr, sizeof(*sockets));

	for (u32 i = 0; i < *nr; i++) {
		cursor__u32(&c); /* the core */
		sockets[i] = cursor__u32(&c);
	}
	return sockets;
}

/* "0-3,8": nobody has more than each CPU once. */
static void set_node(const char *list, s32 node, s32 *nodes, u32 nr)
{
	for (u32 done = 0; *list && done < nr; list += *list == ',') {
		char *end;
		unsigned long cpu = strtoul(list, &end, 10), last = cpu;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == list)
			return;
		for (; cpu <= last && cpu < nr; cpu++, done++)
			nodes[cpu] = node;
		list = end;
	}
}

#define NODES_MAX 4096

/* Per node: number, memory, free memory, the list of its CPUs. */
s32 *perf_data__nodes(const struct perf_data *data, u32 *nr)
{
	struct cursor c;

	*nr = count_cpus(data, &c);
	if (!*nr)
		return NULL;
	s32 *nodes = xcalloc(*nr, sizeof(*nodes));

	c = perf_data__feature_cursor(data, FEATURE_NUMA_TOPOLOGY);
	u32 nr_nodes = cursor__u32(&c);

	for (u32 i = 0; i < nr_nodes && i < NODES_MAX && !c.failed; i++) {
		u32 node = cursor__u32(&c);

		cursor__bytes(&c, 16);
		set_node(cursor__feature_string(&c), node, nodes, *nr);
	}
	return nodes;
}
