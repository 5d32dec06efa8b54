/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps and reads the kernel's ring buffers of records. The reader takes the bytes in place, as one
 * span or two where they wrap, writes them somewhere, and moves the tail; nothing is copied or
 * decoded.
 *
 * A ring belongs to one CPU (or, without CPUs, one thread): its first counter is mapped, and the
 * others, of all events, write to it. Events that the kernel writes backwards (write_backward) have
 * a second set of rings, which always hold the newest records.
 */
#ifndef PERF_UTIL_COUNTER_RING_H
#define PERF_UTIL_COUNTER_RING_H

#include <linux/perf_event.h>
#include <poll.h>

#include "util/counter/targets.h"
#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct ring {
	struct perf_event_mmap_page *page; /* NULL: not mapped */
	const u8 *data;
	u64 size;       /* of data, a power of two */
	u64 tail;       /* read up to here; the kernel's data_tail */
	s32 cpu, tid;   /* what it belongs to (CPU_ANY, THREAD_ALL) */
	int fd;         /* the counter that is mapped; not owned */
	bool overwrite; /* written backwards, the kernel never stops: ring__take_backward() */
	/* For the reader, see ring_drain.c; all 0 at first. */
	u64 emptied_ms; /* when it was last empty */
	u64 slow_ms;    /* time taken by all slow writes up to then */
	u64 behind;     /* where a LOST record would be due to a slow write; 0: nowhere */
};

struct ring_span {
	const u8 *data;
	size_t len;
};

/*
 * Put the unread bytes into @spans (a second span only where they wrap; else its len is 0). Returns
 * their number. They stay valid until ring__consume().
 */
static inline u64 ring__read(struct ring *ring, struct ring_span spans[2])
{
	u64 head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	u64 len = head - ring->tail, at = ring->tail & (ring->size - 1);

	if (unlikely(len > ring->size)) { /* impossible from a sane kernel; never read outside */
		len = 0;
		ring->tail = head;
	}
	u64 first = min_u64(len, ring->size - at);

	spans[0] = (struct ring_span){ ring->data + at, first };
	spans[1] = (struct ring_span){ ring->data, len - first };
	return len;
}

/* Number of unread bytes; ring__read() gives the bytes. */
static inline u64 ring__unread(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED) - ring->tail;
}

/* Give @len bytes back to the kernel: they must not be used any more. */
static inline void ring__consume(struct ring *ring, u64 len)
{
	ring->tail += len;
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}

/*
 * Copy what a backward ring holds and was not taken before: whole records, oldest first, in
 * *records (the caller frees them). The kernel writes nothing during the copy. 0 or a negative
 * errno.
 */
int ring__take_backward(struct ring *ring, u8 **records, u64 *len);

struct rings {
	struct ring *rings;
	u32 nr;
	/*
	 * For poll(): one counter per CPU and task, and one more with backward events, polled only
	 * for its end. POLLIN on any of them: a ring has data. POLLHUP: that task has ended. -1: no
	 * counter there.
	 */
	struct pollfd *fds;
	s32 *fd_cpus; /* by fds: their CPU, or CPU_ANY */
	u32 nr_fds;
};

#define RINGS_INIT                                                                                 \
	{                                                                                          \
		.rings = NULL                                                                      \
	}

/*
 * Bytes of one ring's data part from -m @text: pages ("128"), or bytes with B, K, M or G ("64K"),
 * rounded up to a power of two of pages. NULL: the default (512 KB, less for a user whose
 * perf_event_mlock_kb is less). 0 or -EINVAL.
 */
int rings__size(const char *text, u64 *size, struct error *err);

/*
 * Map rings of @size bytes for all open counters of @list (evlist__open with the same maps).
 * -EPERM when the locked-memory budget is too small: @err has the advice.
 */
int rings__map(struct rings *rings, struct evlist *list, const struct cpu_map *cpus,
               const struct thread_map *threads, u64 size, struct error *err);
void rings__unmap(struct rings *rings);

/* Add an event, opened like those that the rings were mapped for, and not backward. */
int rings__add(struct rings *rings, const struct evsel *evsel, const struct cpu_map *cpus,
               const struct thread_map *threads, struct error *err);

/*
 * Give the rings of @all whose CPU is in @cpus (with @others: is not), and their fds, to a separate
 * reader. After that @all is not read any more, only unmapped, after rings__drop_part().
 */
void rings__take_part(struct rings *part, const struct rings *all, const struct cpu_map *cpus,
                      bool others);
void rings__drop_part(struct rings *part);

#endif
