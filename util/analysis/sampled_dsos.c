// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Most addresses are on pages where others were before: a table of pages that were looked up, each
 * with the span of time for which the answer holds, keeps the look-ups to a few thousand per
 * recording. For the same reason this reads records itself, not through util/stream/stream.h: they
 * are decoded as far as is needed here, for each recording when it ends.
 */
#include "util/analysis/sampled_dsos.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/reader/file_order.h"
#include "util/stream/frame_walk.h"

#define PAGE_SHIFT_OF_KEYS 12
#define NR_SEEN            8192 /* a power of two */

struct seen {
	u64 page;
	u32 thread; /* ID_NONE for the kernel */
	bool used;
	struct moment since, until;
};

struct marker {
	const struct session *session;
	bool swap, frames;
	struct seen *seen;
	bool *hit; /* by dso */
	/* The last sample's id, where it stood (0: there is only one event), and its layout. */
	u64 id;
	u32 id_at;
	const struct sample_layout *layout;
};

static bool seen_holds(const struct seen *seen, u64 page, u32 thread, struct moment when)
{
	return seen->used && seen->page == page && seen->thread == thread &&
	       !moment__before(when, seen->since) && moment__before(when, seen->until);
}

static void mark(struct marker *marker, u32 thread, bool kernel, u64 addr, struct moment when)
{
	u64 page = addr >> PAGE_SHIFT_OF_KEYS;
	u32 space = kernel ? ID_NONE : thread;
	struct seen *seen = &marker->seen[hash__add(space, page) & (NR_SEEN - 1)];
	struct map_hit hit;

	if (likely(seen_holds(seen, page, space, when)))
		return;
	if (!kernel && thread == ID_NONE)
		return;
	if (!machine__find_map(marker->session->host, thread, kernel, addr, when, &hit))
		return;
	if (hit.dso == ID_NONE)
		return;
	marker->hit[hit.dso] = true;
	/* A page that two maps share is looked up each time. */
	if (hit.start >> PAGE_SHIFT_OF_KEYS == page && hit.start & 0xfff)
		return;
	*seen = (struct seen){ page, space, true, hit.since, hit.until };
}

static bool is_kernel(u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL;
}

static bool is_known(u8 cpumode)
{
	return is_kernel(cpumode) || cpumode == PERF_RECORD_MISC_USER;
}

static void mark_chain(struct marker *marker, const struct sample *sample, u32 thread,
                       struct moment when)
{
	struct frame_walk walk = frame_walk__begin(sample, marker->swap);
	struct frame frame;

	while (frame_walk__next(&walk, &frame))
		if (is_known(frame.cpumode))
			mark(marker, thread, is_kernel(frame.cpumode), frame.ip, when);
}

static u32 thread_of(struct marker *marker, const struct sample *sample, struct moment when)
{
	return machine__find_thread(marker->session->host, sample->pid, sample->tid, when);
}

/* In a recording of ours the id stands at the same place in all samples. */
static const struct sample_layout *layout_of(struct marker *marker, const struct record *record)
{
	const struct session *session = marker->session;
	struct evsel *evsel;
	u64 id = 0;

	if (marker->id_at && record->size >= marker->id_at + 8)
		id = load_u64(record->data + marker->id_at, marker->swap);
	if (likely(marker->layout && id == marker->id &&
	           (marker->id_at || session->evlist->nr == 1)))
		return marker->layout;
	evsel = perf_data__find_evsel(session->data, record);
	if (!evsel)
		return NULL;
	marker->layout = perf_data__layout(session->data, evsel);
	marker->id_at =
	        marker->layout->identifier ? marker->layout->identifier : marker->layout->id;
	marker->id = marker->id_at && record->size >= marker->id_at + 8
	                     ? load_u64(record->data + marker->id_at, marker->swap)
	                     : 0;
	return marker->layout;
}

static void mark_sample(struct marker *marker, const struct record *record)
{
	const struct session *session = marker->session;
	const struct sample_layout *layout = layout_of(marker, record);
	struct sample sample;
	struct moment when;
	u32 thread;

	if (!layout || sample__decode_fast(layout, record, marker->swap, &sample))
		return;
	when = session__moment(session, record, sample.time);
	thread = thread_of(marker, &sample, when);
	if (is_known(sample.cpumode))
		mark(marker, thread, is_kernel(sample.cpumode), sample.ip, when);
	if (marker->frames)
		mark_chain(marker, &sample, thread, when);
}

int session__find_sampled_dsos(const struct session *session, unsigned flags, bool *hit)
{
	struct marker marker = {
		.session = session,
		.swap = perf_data__swapped(session->data),
		.frames = flags & SAMPLED_DSOS_FRAMES,
		.seen = xcalloc(NR_SEEN, sizeof(*marker.seen)),
		.hit = hit,
	};
	struct record record;
	struct file_order order;
	int ret = 0;

	file_order__init(&order, session->data);
	while (file_order__next(&order, &record, &ret))
		if (record.type == PERF_RECORD_SAMPLE)
			mark_sample(&marker, &record);
	file_order__exit(&order);
	free(marker.seen);
	return ret;
}

/* ---- as a list ---- */

struct listing {
	struct session *session;
	void (*tell)(void *ctx, const struct build_id_entry *entry);
	void *ctx;
	bool *hit;           /* by dso; false again when it was told */
	struct u64map known; /* dsos by name, chained by next */
	u32 *next;
};

static void tell_dso(struct listing *list, u32 i)
{
	const struct dso *dso = dsos__at(&list->session->dsos, i);
	struct build_id_entry entry = {
		.pid = -1,
		.size = dso->build_id_size,
		.name = strtab__get(&list->session->strings, dso->name),
	};

	if (!list->hit[i])
		return;
	memcpy(entry.id, dso->build_id, sizeof(entry.id));
	list->tell(list->ctx, &entry);
	list->hit[i] = false;
}

static void tell_of_header(void *ctx, const struct build_id_entry *entry)
{
	struct listing *list = ctx;
	u32 i = u64map__get(&list->known, strtab__add(&list->session->strings, entry->name));

	for (; i != ID_NONE; i = list->next[i]) {
		const struct dso *dso = dsos__at(&list->session->dsos, i);

		if (dso->build_id_size == entry->size &&
		    !memcmp(dso->build_id, entry->id, entry->size))
			tell_dso(list, i);
	}
}

int session__tell_sampled_dsos(struct session *session, unsigned flags,
                               void (*tell)(void *ctx, const struct build_id_entry *entry),
                               void *ctx)
{
	u32 nr = session->dsos.nr;
	struct listing list = {
		.session = session,
		.tell = tell,
		.ctx = ctx,
		.hit = xcalloc(nr + 1, sizeof(*list.hit)),
		.next = xcalloc(nr + 1, sizeof(*list.next)),
	};
	int ret = session__find_sampled_dsos(session, flags, list.hit);

	for (u32 i = nr; i-- > 0;) {
		u32 *first = u64map__at(&list.known, dsos__at(&session->dsos, i)->name);

		list.next[i] = *first;
		*first = i;
	}
	perf_data__build_ids(session->data, tell_of_header, &list);
	for (u32 i = 0; i < nr; i++)
		tell_dso(&list, i);
	u64map__exit(&list.known);
	free(list.hit);
	free(list.next);
	return ret;
}
