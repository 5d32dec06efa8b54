/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filters of samples of one recording: attached to its counters, and asked in the end how many
 * samples they kept out. The kernel applies a filter until the counter is closed.
 *
 * The program is loaded for this recording alone (CAP_BPF and CAP_PERFMON); who may not do that
 * uses the pinned one (filter_pins.h).
 */
#ifndef PERF_UTIL_BPF_FILTER_BPF_FILTERS_H
#define PERF_UTIL_BPF_FILTER_BPF_FILTERS_H

#include "util/bpf_filter/filter_expression.h"
#include "util/bpf_filter/filter_kernel.h"

struct bpf_filters {
	struct filter_kernel kernel;
	struct filtered {
		u64 id;    /* of the counter */
		u32 event; /* as given by the caller */
	} * counters;
	u32 nr;
	size_t cap;
};

#define BPF_FILTERS_INIT                                                                           \
	{                                                                                          \
		.kernel = FILTER_KERNEL_INIT                                                       \
	}

/* For @nr counters at most. 0 or a negative errno with @err; then nothing need be closed. */
int bpf_filters__open(struct bpf_filters *filters, u32 nr, struct error *err);

/*
 * Let only samples that pass @filter out of the counter @fd, whose id is @id. @event: who asks
 * bpf_filters__nr_dropped(), any number; @name for messages.
 */
int bpf_filters__attach(struct bpf_filters *filters, const struct filter_expression *filter, int fd,
                        u64 id, u32 event, const char *name, struct error *err);

/* How many samples of @event did not pass, in all its counters and those inherited from them. */
u64 bpf_filters__nr_dropped(const struct bpf_filters *filters, u32 event);

/* The counters are closed, or stopped for good. */
void bpf_filters__close(struct bpf_filters *filters);

/*
 * The proof that it works: filter a counter of this process, and cause one event. 0: that was
 * dropped and counted. A negative errno with @err: the step that failed. *@pinned: by what is
 * pinned.
 */
int bpf_filters__try(bool *pinned, struct error *err);

#endif
