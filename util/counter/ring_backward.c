// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In a backward ring the kernel writes downwards: the newest record starts at data_head, older ones
 * lie above it, and the oldest is cut where newer ones have reached it. So reading goes up from the
 * head, and the records found are reversed: files are written in the order of time.
 */
#include "util/counter/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "util/lib/alloc.h"

/* The kernel drops what comes while a ring is paused, so only the copy is made in that time. */
static int pause_ring(const struct ring *ring, bool pause)
{
	if (ring->fd < 0) /* a test's own */
		return 0;
	return ioctl(ring->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause) ? -errno : 0;
}

/* Sizes of the whole records at the start of @bytes; returns how many there are. */
static u32 find_records(const u8 *bytes, u64 len, u16 **sizes)
{
	struct perf_event_header header;
	size_t cap = 0;
	u64 at = 0;
	u32 nr = 0;

	while (at + sizeof(header) <= len) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header) || at + header.size > len)
			break; /* never written, or cut */
		array__reserve(sizes, &cap, nr + 1, sizeof(**sizes));
		(*sizes)[nr++] = header.size;
		at += header.size;
	}
	return nr;
}

int ring__take_backward(struct ring *ring, u8 **records, u64 *len)
{
	u8 *copy = xrealloc(NULL, ring->size, 1);
	u16 *sizes = NULL;
	u64 head, unread, at, first, from = 0, to = 0;
	int ret = pause_ring(ring, true);

	*len = 0;
	*records = NULL;
	if (ret) {
		free(copy);
		return ret;
	}
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	unread = min_u64(ring->tail - head, ring->size);
	at = head & (ring->size - 1);
	first = min_u64(unread, ring->size - at);
	memcpy(copy, ring->data + at, first);
	memcpy(copy + first, ring->data, unread - first);
	ret = pause_ring(ring, false);
	ring->tail = head;

	u32 nr = find_records(copy, unread, &sizes);

	for (u32 i = 0; i < nr; i++)
		to += sizes[i];
	*len = to;
	*records = xrealloc(NULL, to ? to : 1, 1);
	for (u32 i = 0; i < nr; i++) {
		to -= sizes[i];
		memcpy(*records + to, copy + from, sizes[i]);
		from += sizes[i];
	}
	free(sizes);
	free(copy);
	return ret;
}
