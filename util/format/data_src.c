// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/format/data_src.h"

#include <linux/perf_event.h>

/* "A or B or C": what of @words is set in @bits. How many these are, with @nr_before. */
static unsigned print_words(struct out *out, u64 bits, const char *const *words, unsigned nr,
                            unsigned nr_before)
{
	for (unsigned i = 0; i < nr; i++) {
		if (!(bits >> i & 1) || !words[i])
			continue;
		out__str(out, nr_before++ ? " or " : "");
		out__str(out, words[i]);
	}
	return nr_before;
}

static void print_hit(struct out *out, bool hit, bool miss)
{
	out__str(out, hit ? " hit" : "");
	out__str(out, miss ? " miss" : "");
}

void data_src__operation(struct out *out, u64 source)
{
	static const char *const words[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	union perf_mem_data_src src = { .val = source };

	if (!print_words(out, src.mem_op, words, ARRAY_SIZE(words), 0))
		out__str(out, "N/A");
}

static const char *const level_names[] = {
	"N/A",
	NULL, /* hit, miss */
	NULL,
	"L1",
	"LFB/MAB",
	"L2",
	"L3",
	"Local RAM",
	"Remote RAM (1 hop)",
	"Remote RAM (2 hops)",
	"Remote Cache (1 hop)",
	"Remote Cache (2 hops)",
	"I/O",
	"Uncached",
};

static const char *const level_numbers[16] = {
	NULL, "L1",  "L2",  "L3",        "L4",      "L5",  "L6",   "L7",
	"L8", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM", "PMEM", "N/A",
};

static const char *const hops[8] = {
	"",   "core, same node ", "node, same socket ", "socket, same board ", "board ", "? ", "? ",
	"? ",
};

void data_src__level(struct out *out, u64 source)
{
	union perf_mem_data_src src = { .val = source };
	const char *number = level_numbers[src.mem_lvl_num];
	unsigned nr = 0;

	out__str(out, src.mem_remote ? "Remote " : "");
	out__str(out, hops[src.mem_hops]);
	if (!src.mem_hops)
		nr = print_words(out, src.mem_lvl, level_names, ARRAY_SIZE(level_names), 0);
	if (number)
		print_words(out, 1, &number, 1, nr);
	else if (!nr && !src.mem_remote && !src.mem_hops)
		out__str(out, "N/A");
	print_hit(out, src.mem_lvl & PERF_MEM_LVL_HIT, src.mem_lvl & PERF_MEM_LVL_MISS);
}

void data_src__snoop(struct out *out, u64 source)
{
	static const char *const words[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	union perf_mem_data_src src = { .val = source };
	unsigned nr = print_words(out, src.mem_snoop, words, ARRAY_SIZE(words), 0);

	if (!print_words(out, src.mem_snoopx, more, ARRAY_SIZE(more), nr))
		out__str(out, "N/A");
}

void data_src__tlb(struct out *out, u64 source)
{
	static const char *const words[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
	union perf_mem_data_src src = { .val = source };

	if (!print_words(out, src.mem_dtlb, words, ARRAY_SIZE(words), 0))
		out__str(out, "N/A");
	print_hit(out, src.mem_dtlb & PERF_MEM_TLB_HIT, src.mem_dtlb & PERF_MEM_TLB_MISS);
}

void data_src__lock(struct out *out, u64 source)
{
	union perf_mem_data_src src = { .val = source };

	out__str(out, src.mem_lock & PERF_MEM_LOCK_NA       ? "N/A"
	              : src.mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes"
	                                                    : "No");
}

void data_src__blocked(struct out *out, u64 source)
{
	union perf_mem_data_src src = { .val = source };

	if (!src.mem_blk || src.mem_blk & PERF_MEM_BLK_NA) {
		out__str(out, " N/A");
		return;
	}
	out__str(out, src.mem_blk & PERF_MEM_BLK_DATA ? " Data" : "");
	out__str(out, src.mem_blk & PERF_MEM_BLK_ADDR ? " Addr" : "");
}

void data_src__print(struct out *out, u64 source)
{
	static const struct {
		const char *head;
		void (*print)(struct out *out, u64 source);
	} parts[] = { { "|OP ", data_src__operation }, { "|LVL ", data_src__level },
		      { "|SNP ", data_src__snoop },    { "|TLB ", data_src__tlb },
		      { "|LCK ", data_src__lock },     { "|BLK ", data_src__blocked } };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		out__str(out, parts[i].head);
		parts[i].print(out, source);
	}
}
