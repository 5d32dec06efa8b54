/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of the calling task, for tests: parse events, open and read them, and take ring records.
 *
 *	meter__init(&meter, "page-faults:u", &err)	then set meter.list.evsels[0]->attr ...
 *	meter__open(&meter, 0, &err)
 *	meter__enable() ... meter__disable()
 *	meter__read(&meter, 0, &counts, &err)
 *	meter__exit()					after each init, also a failed one
 */
#ifndef PERF_SELFTEST_METER_H
#define PERF_SELFTEST_METER_H

#include "util/counter/open.h"
#include "util/counter/ring.h"
#include "util/event/parse.h"
#include "util/reader/reader.h"
#include "util/stat/counts.h"

struct meter {
	struct event_sources sources;
	struct evlist list;
	struct opener opener;
	struct cpu_map cpus;       /* any CPU */
	struct thread_map threads; /* the calling thread, unless the test says otherwise */
	struct rings rings;
	u8 *bytes; /* of meter__take() */
};

/* The events are off, follow no children, and carry COUNTS_READ_FORMAT. */
int meter__init(struct meter *meter, const char *events, struct error *err);

/*
 * @ring_size 0: no ring. METER_RING: some hundred records; less than each user may lock per CPU.
 */
#define METER_RING (64 << 10)
int meter__open(struct meter *meter, u64 ring_size, struct error *err);
void meter__exit(struct meter *meter);

int meter__enable(struct meter *meter); /* all events; 0 or -errno */
int meter__disable(struct meter *meter);
int meter__read(const struct meter *meter, u32 event, struct counts *counts, struct error *err);

/*
 * Empty the ring into @block (for data_block__next()); its bytes are valid until the next call.
 * -EBADMSG: they are not whole records.
 */
int meter__take(struct meter *meter, struct data_block *block);

/*
 * Map @nr fresh pages without backing memory: the first touch of each is exactly one page fault in
 * user space. NULL: no memory. touch__free() unmaps them.
 */
u8 *touch__map(u32 nr);
void touch__each(u8 *pages, u32 nr);
void touch__free(u8 *pages, u32 nr);
size_t touch__page_size(void);

#endif
