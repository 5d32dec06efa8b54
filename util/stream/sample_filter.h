/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which samples a command is about. The options that say so (-C, --time, --comms, --pid, --tid,
 * --dsos, -S) fill the same struct in every command. It has two halves: what needs the sample and
 * its task alone is decided while reading; names of places are decided where places are named.
 */
#ifndef PERF_UTIL_STREAM_SAMPLE_FILTER_H
#define PERF_UTIL_STREAM_SAMPLE_FILTER_H

#include "util/format/sample.h"
#include "util/lib/error.h"
#include "util/lib/name_list.h"
#include "util/lib/time_range.h"
#include "util/machine/session.h"
#include "util/symbol/session_symbols.h"

struct id_list {
	u32 *ids;
	u32 nr;
};

/* Members that are unset (all 0) let every sample pass. */
struct sample_filter {
	u8 *cpu_set; /* cpu_set[cpu] != 0 passes, for cpu < nr_cpu_set */
	u32 nr_cpu_set;
	struct time_ranges times;
	bool in_parts; /* only these pass (event_switch.h): */
	struct time_ranges parts;
	struct name_list comms;
	struct id_list pids, tids;
	struct name_list dsos, symbols; /* of the sample's own place */
};

void sample_filter__exit(struct sample_filter *filter);

/* Lists with commas, as options give them; NULL: not given. */
struct sample_filter_lists {
	const char *comms, *pids, *tids, *dsos, *symbols;
};

/* 0 or a negative errno with @err; sample_filter__exit() is needed in any case. */
int sample_filter__parse_lists(struct sample_filter *filter,
                               const struct sample_filter_lists *lists, struct error *err);

/* Parse "0-2,5"; NULL: not given. 0 or -EINVAL with @err. */
int sample_filter__parse_cpus(struct sample_filter *filter, const char *text, struct error *err);

bool id_list__finds(const struct id_list *list, u32 id);

/* An empty list has all of them. */
static inline bool id_list__has(const struct id_list *list, u32 id)
{
	return likely(!list->nr) || id_list__finds(list, id);
}

/* By time and CPU, which need no look-up. */
static inline bool sample_filter__early(const struct sample_filter *filter,
                                        const struct sample *sample)
{
	if (!time_ranges__pass(&filter->times, sample->time))
		return false;
	if (unlikely(filter->in_parts) && !time_ranges__hold(&filter->parts, sample->time))
		return false;
	return !filter->nr_cpu_set ||
	       (sample->cpu < filter->nr_cpu_set && filter->cpu_set[sample->cpu]);
}

static inline bool sample_filter__ids(const struct sample_filter *filter,
                                      const struct sample *sample)
{
	return id_list__has(&filter->pids, sample->pid) && id_list__has(&filter->tids, sample->tid);
}

static inline bool sample_filter__comm(const struct sample_filter *filter, const char *comm)
{
	return !filter->comms.nr || name_list__has(&filter->comms, comm);
}

/* By the dso's short name, or the full name it was mapped from. ID_NONE: it is in none. */
bool sample_filter__dso(const struct sample_filter *filter, const struct session *session, u32 dso);

/* By the name of the symbol; NULL: it has none. */
static inline bool sample_filter__symbol(const struct sample_filter *filter, const char *symbol)
{
	return !filter->symbols.nr || (symbol && name_list__has(&filter->symbols, symbol));
}

#endif
