/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that the kernel runs on each sample before it writes it: one for all filters. It
 * looks for the comparisons of the sample's event in a map, key: the event's id (that of the event
 * that was opened, also for those that children inherited), and makes them on the sample. Where
 * they do not hold it counts the sample in the map and drops it. A sample whose event is not in the
 * map passes. What a sample does
 * not have compares as 0.
 *
 * What a sample has is read through the kernel's own structures, so the program is made for the
 * running kernel, by its BTF. That needs Linux 6.3: its functions for that (6.2), and samples that
 * are complete before the program runs.
 */
#ifndef PERF_UTIL_BPF_FILTER_PROGRAM_H
#define PERF_UTIL_BPF_FILTER_PROGRAM_H

#include <linux/bpf.h>

#include "util/bpf_filter/btf.h"
#include "util/bpf_filter/filter_expression.h"

#define FILTER_PROGRAM_MAX 512 /* instructions */

/* A value of the map; its key is a u64. */
struct filter_entry {
	u64 dropped;     /* counted by the program */
	u64 owner_start; /* of the perf that made it: see filter_map.h */
	u32 owner_pid, owner_namespace;
	u32 nr;
	u32 unused;
	struct sample_comparison comparisons[FILTER_COMPARISONS];
};

/* Where the running kernel has what the program reads. */
struct filter_layout {
	u32 cast;                      /* the id of bpf_cast_to_kern_ctx() */
	struct btf_member data, event; /* of struct bpf_perf_event_data_kern */
	struct btf_member parent, id;  /* of struct perf_event */
	struct btf_member flags;       /* of struct perf_sample_data: which of the values it has */
	struct btf_member values[SAMPLE_NR_VALUES]; /* of struct perf_sample_data */
};

/* 0, or -EOPNOTSUPP with @err: the kernel is too old. */
int filter_layout__find(struct filter_layout *layout, const struct btf *btf, struct error *err);

/* Make the instructions, for the map with the descriptor @map. Returns their number. */
u32 filter_program__make(struct bpf_insn insns[FILTER_PROGRAM_MAX],
                         const struct filter_layout *layout, int map);

#endif
