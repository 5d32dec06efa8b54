// SPDX-License-Identifier: GPL-2.0-or-later
/* The features that describe the recording machine: CPUs, caches, memory. */
#include <stdio.h>

#include "ui/dump/header.h"
#include "util/reader/feature_cursor.h"

/* "LABEL : TEXT" for each string of a list. */
static void string_list(const struct header_feature *f, struct cursor *c, const char *label)
{
	u32 nr = cursor__u32(c);

	for (u32 i = 0; i < nr && !c->failed; i++) {
		out__printf(f->out, "# %s : ", label);
		out__name(f->out, cursor__feature_string(c));
		out__char(f->out, '\n');
	}
}

static void skip_list(struct cursor *c)
{
	u32 nr = cursor__u32(c);

	for (u32 i = 0; i < nr && !c->failed; i++)
		cursor__feature_string(c);
}

/* How many CPUs the section has ids for: NRCPUS knows. 0 when that is absent. */
static u32 nr_available(const struct perf_data *data)
{
	struct cursor c = perf_data__feature_cursor(data, FEATURE_NRCPUS);

	return cursor__u32(&c);
}

/*
 * The tail of the section: per CPU (core, socket); since Linux 5.3 the list of dies and per CPU a
 * die. Older files end earlier; each part is shown if it is there as a whole.
 */
struct topology_tail {
	const u8 *cores, *die_ids; /* NULL: absent */
	struct cursor dies;        /* at the list of dies */
	bool has_dies;
};

static struct topology_tail find_tail(struct cursor c, u32 nr_cpus)
{
	struct topology_tail tail = { .cores = cursor__bytes(&c, nr_cpus * 8ull), .dies = c };

	if (c.failed || !cursor__left(&c))
		return tail;
	tail.has_dies = cursor__u32(&tail.dies) > 0;
	tail.dies = c;
	skip_list(&c);
	tail.die_ids = cursor__bytes(&c, nr_cpus * 4ull);
	if (!tail.die_ids)
		tail.cores = NULL;
	return tail;
}

static void cpu_ids(const struct header_feature *f, const struct topology_tail *tail, u32 nr_cpus)
{
	bool swap = f->c->swap;

	if (!tail->cores) {
		out__printf(f->out, "# Core ID%s and Socket ID information is not available\n",
		            tail->has_dies ? ", Die ID" : "");
		return;
	}
	for (u32 i = 0; i < nr_cpus; i++) {
		out__printf(f->out, "# CPU %u: Core ID %d, ", i,
		            (s32)load_u32(tail->cores + 8ull * i, swap));
		if (tail->has_dies)
			out__printf(f->out, "Die ID %d, ",
			            (s32)load_u32(tail->die_ids + 4ull * i, swap));
		out__printf(f->out, "Socket ID %d\n",
		            (s32)load_u32(tail->cores + 8ull * i + 4, swap));
	}
}

void header__cpu_topology(const struct header_feature *f)
{
	struct cursor cores;
	u32 nr_cpus = nr_available(f->data);

	string_list(f, f->c, "sibling sockets");
	cores = *f->c;
	skip_list(f->c);
	if (f->c->failed)
		return;
	struct topology_tail tail = find_tail(*f->c, nr_cpus);

	if (tail.has_dies)
		string_list(f, &tail.dies, "sibling dies   ");
	string_list(f, &cores, "sibling threads");
	if (perf_data__has_feature(f->data, FEATURE_NRCPUS))
		cpu_ids(f, &tail, nr_cpus);
}

void header__numa_topology(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		u32 node = cursor__u32(f->c);
		u64 total = cursor__u64(f->c), left = cursor__u64(f->c);

		out__printf(f->out,
		            "# node%u meminfo  : total = %llu kB, free = %llu kB\n"
		            "# node%u cpu list : ",
		            node, (unsigned long long)total, (unsigned long long)left, node);
		out__name(f->out, cursor__feature_string(f->c));
		out__char(f->out, '\n');
	}
}

void header__caches(const struct header_feature *f)
{
	u32 format = cursor__u32(f->c), nr = cursor__u32(f->c);

	out__str(f->out, "# CPU cache info:\n");
	for (u32 i = 0; format == 1 && i < nr && !f->c->failed; i++) {
		u32 level = cursor__u32(f->c);

		cursor__bytes(f->c, 12); /* line size, sets, ways */
		out__printf(f->out, "#  L%u ", level);
		out__left(f->out, cursor__feature_string(f->c), 15);
		out__char(f->out, ' ');
		out__right(f->out, cursor__feature_string(f->c), 8);
		out__str(f->out, " [");
		out__name(f->out, cursor__feature_string(f->c));
		out__str(f->out, "]\n");
	}
}

/* Bytes in the largest unit, up to G, that leaves 2 or more. */
static void size_text(struct out *out, u64 bytes)
{
	unsigned unit = 0;

	for (; unit < 3 && bytes >= 2048; unit++)
		bytes >>= 10;
	out__printf(out, "%llu%c", (unsigned long long)bytes, "BKMG"[unit]);
}

static bool bit_is_set(const u8 *words, u64 bit, bool swap)
{
	return load_u64(words + bit / 64 * 8, swap) >> bit % 64 & 1;
}

/* Set bits as "0-23,32". */
static void bit_ranges(struct out *out, const u8 *words, u64 nr, bool swap)
{
	bool first = true;

	for (u64 i = 0; i < nr; i++) {
		if (!bit_is_set(words, i, swap))
			continue;
		u64 start = i;

		while (i + 1 < nr && bit_is_set(words, i + 1, swap))
			i++;
		out__printf(out, "%s%llu", first ? "" : ",", (unsigned long long)start);
		if (i > start)
			out__printf(out, "-%llu", (unsigned long long)i);
		first = false;
	}
}

static void memory_node(const struct header_feature *f, u64 block_size)
{
	u64 node = cursor__u64(f->c), nr_bits = cursor__u64(f->c), set = 0;

	cursor__u64(f->c); /* the bitmap's own size: the same again */
	if (nr_bits > cursor__left(f->c) * 8ull)
		f->c->failed = true;
	const u8 *words = cursor__bytes(f->c, (nr_bits + 63) / 64 * 8);

	if (!words)
		return;
	for (u64 i = 0; i < nr_bits; i++)
		set += bit_is_set(words, i, f->c->swap);
	out__printf(f->out, "#  %3llu [", (unsigned long long)node);
	size_text(f->out, set * block_size);
	out__str(f->out, "]: ");
	bit_ranges(f->out, words, nr_bits, f->c->swap);
	out__char(f->out, '\n');
}

void header__memory_nodes(const struct header_feature *f)
{
	u64 format = cursor__u64(f->c), block_size = cursor__u64(f->c), nr = cursor__u64(f->c);

	if (format != 1)
		nr = block_size = 0;
	out__printf(f->out, "# memory nodes (nr %llu, block size 0x%llx):\n",
	            (unsigned long long)nr, (unsigned long long)block_size);
	for (u64 i = 0; i < nr && !f->c->failed; i++)
		memory_node(f, block_size);
}

void header__hybrid_topology(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	out__str(f->out, "# hybrid cpu system:\n");
	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		out__str(f->out, "# ");
		out__name(f->out, cursor__feature_string(f->c));
		out__str(f->out, " cpu list : ");
		out__name(f->out, cursor__feature_string(f->c));
		out__char(f->out, '\n');
	}
}
