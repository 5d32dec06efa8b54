/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who an entry of the map belongs to. In a map that is shared, what a killed perf has left is found
 * by this, and removed by the next perf that wants to use the map: process id, time of its start,
 * and the namespace that the id is of. Processes of other namespaces cannot be seen, so what is
 * theirs stays.
 */
#ifndef PERF_UTIL_BPF_FILTER_FILTER_MAP_H
#define PERF_UTIL_BPF_FILTER_FILTER_MAP_H

#include "util/bpf_filter/program.h"

/* Fill in the owner: this process. */
void filter_entry__own(struct filter_entry *entry);

/* Is its owner known to have ended? */
bool filter_entry__is_left(const struct filter_entry *entry);

/* Remove from @map what is left. Returns the number. */
u32 filter_map__tidy(int map);

#endif
