// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records of one ring keep their order in the file, so one pass that remembers the last time seen
 * on each CPU finds where a gap began. The record's CPU identifies the ring; recordings without
 * CPUs in their samples have an ID_INDEX, which gives the CPU of each counter's id.
 */
#include "util/analysis/losses.h"

#include <errno.h>
#include <stdlib.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/stream/stream.h"

#define NO_CPU 0xffffffffu /* as in ID_INDEX and samples */

/* Gaps of more slots are an error of the clock, and count where they end. */
#define SPREAD_MAX 100000

struct last_seen { /* of a CPU */
	u64 time;
	u64 throttled_since; /* 0: it is not */
	u64 counted;         /* samples lost by what its counters say */
	u64 unwritten;       /* samples that a full disk did not take */
	bool behind;         /* what no LOST tells was lost while perf wrote */
	u32 index;           /* in losses->cpus */
};

struct collector {
	const struct session *session;
	struct losses *losses;
	bool swap;
	struct u64map cpu_of_id;
	struct u64map index_of_cpu;  /* -> seen[] */
	struct u64map index_of_slot; /* -> losses->slots */
	/* Those of the last record: mostly, the next one has the same. */
	u32 last_cpu, last_seen;
	u64 last_from;
	u32 last_slot; /* ID_NONE: there was none, as for the other */
	struct last_seen *seen;
	u32 nr_seen;
	size_t seen_cap;
};

static void add_cpu(struct collector *c, u32 cpu)
{
	struct losses *losses = c->losses;

	array__reserve(&c->seen, &c->seen_cap, c->nr_seen + 1, sizeof(*c->seen));
	array__reserve(&losses->cpus, &losses->cpus_cap, losses->nr_cpus + 1,
	               sizeof(*losses->cpus));
	losses->cpus[losses->nr_cpus] = (struct cpu_losses){
		.cpu = (s32)cpu, .events = xcalloc(losses->nr_events, sizeof(struct loss_sums))
	};
	c->seen[c->nr_seen++] = (struct last_seen){ .index = losses->nr_cpus++ };
}

static struct last_seen *seen_on(struct collector *c, u32 cpu)
{
	if (unlikely(c->last_seen == ID_NONE || c->last_cpu != cpu)) {
		u32 *index = u64map__at(&c->index_of_cpu, cpu);

		if (*index == ID_NONE) {
			*index = c->nr_seen;
			add_cpu(c, cpu);
		}
		c->last_cpu = cpu;
		c->last_seen = *index;
	}
	return &c->seen[c->last_seen];
}

static struct loss_sums *slot_of(struct collector *c, u64 time)
{
	struct losses *losses = c->losses;
	u64 from = LOSS_NO_SLOT;

	if (likely(c->last_slot != ID_NONE && time - c->last_from < LOSS_SLOT_NS &&
	           time != UINT64_MAX))
		return &losses->slots[c->last_slot].all;
	if (time != UINT64_MAX)
		from = time - time % LOSS_SLOT_NS;
	u32 *index = u64map__at(&c->index_of_slot, from);

	if (*index == ID_NONE) {
		*index = losses->nr_slots;
		array__reserve(&losses->slots, &losses->slots_cap, losses->nr_slots + 1,
		               sizeof(*losses->slots));
		losses->slots[losses->nr_slots++] = (struct loss_slot){ .from = from };
	}
	if (from != LOSS_NO_SLOT) {
		c->last_from = from;
		c->last_slot = *index;
	}
	return &losses->slots[*index].all;
}

/* So many of a gap lie in its first @part of @whole nanoseconds. */
static u64 share(u64 nr, u64 part, u64 whole)
{
	return (u64)((unsigned __int128)nr * part / whole);
}

static void add_to_slots(struct collector *c, const struct loss *loss)
{
	u64 to = loss->to, from = loss->from ? loss->from : to, done = 0;

	if (to == LOSS_TO_END)
		from = to = loss->from ? loss->from : UINT64_MAX;
	if (from >= to || (to - from) / LOSS_SLOT_NS > SPREAD_MAX) {
		slot_of(c, to)->lost += loss->nr;
		return;
	}
	for (u64 at = from; at < to;) {
		u64 next = at + min_u64(LOSS_SLOT_NS - at % LOSS_SLOT_NS, to - at);
		u64 upto = share(loss->nr, next - from, to - from);

		if (upto > done)
			slot_of(c, at)->lost += upto - done;
		done = upto;
		at = next;
	}
}

static void add(struct collector *c, struct loss loss)
{
	struct losses *losses = c->losses;

	array__reserve(&losses->losses, &losses->cap, losses->nr + 1, sizeof(*losses->losses));
	losses->losses[losses->nr++] = loss;
	losses->nr_gaps += loss.reason != LOSS_THROTTLED;
	losses->nr_throttled += loss.reason == LOSS_THROTTLED;
	if (loss.nr)
		add_to_slots(c, &loss);
}

/* The CPU of a counter, as ID_INDEX told; else @otherwise. */
static u32 cpu_of(const struct collector *c, u64 id, u32 otherwise)
{
	u32 cpu = u64map__get(&c->cpu_of_id, id);

	return cpu != ID_NONE ? cpu : otherwise;
}

static void note_ids(struct collector *c, const struct record *r)
{
	struct cursor cursor =
	        cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE, c->swap);
	u64 nr = cursor__u64(&cursor);

	for (u64 i = 0; i < nr && cursor__left(&cursor) >= 32; i++) {
		u64 id = cursor__u64(&cursor);

		cursor__u64(&cursor); /* the ring's number */
		u64 cpu = cursor__u64(&cursor);

		cursor__u64(&cursor); /* tid */
		if (cpu < NO_CPU)
			*u64map__at(&c->cpu_of_id, id) = cpu;
	}
}

static void take_lost(struct collector *c, const struct record *r, struct last_seen *seen, u32 cpu,
                      u64 time)
{
	u64 nr = load_u64(r->data + RECORD_HEADER_SIZE + 8, c->swap);
	bool behind = r->misc & RECORD_MISC_WRITER_BEHIND;

	add(c, (struct loss){ .cpu = (s32)cpu,
	                      .reason = behind ? LOSS_WRITER_BEHIND : LOSS_RING_FULL,
	                      .from = seen->time,
	                      .to = time,
	                      .nr = nr });
	c->losses->cpus[seen->index].all.lost += nr;
}

static void end_throttling(struct collector *c, struct last_seen *seen, u32 cpu, u64 time)
{
	if (seen->throttled_since)
		add(c, (struct loss){ .cpu = (s32)cpu,
		                      .reason = LOSS_THROTTLED,
		                      .from = seen->throttled_since,
		                      .to = time });
	seen->throttled_since = 0;
}

static void take_kernel_record(struct collector *c, const struct record *r)
{
	const struct evsel *evsel = perf_data__find_evsel(c->session->data, r);
	struct sample trailer;

	if (!evsel)
		evsel = c->session->evlist->evsels[0];
	const struct sample_layout *layout = perf_data__layout(c->session->data, evsel);

	if (sample__decode_trailer(layout, r, c->swap, &trailer))
		return;
	bool lost = r->type == PERF_RECORD_LOST && r->size >= 24;
	bool throttle = r->type == PERF_RECORD_THROTTLE || r->type == PERF_RECORD_UNTHROTTLE;
	/* These name their counter in their bodies: LOST first, the others behind the time. */
	u64 id = lost                        ? load_u64(r->data + RECORD_HEADER_SIZE, c->swap)
	         : throttle && r->size >= 32 ? load_u64(r->data + RECORD_HEADER_SIZE + 8, c->swap)
	                                     : trailer.id;
	u32 cpu = trailer.cpu != NO_CPU ? trailer.cpu : cpu_of(c, id, NO_CPU);
	u64 time = trailer.time == UINT64_MAX ? 0 : trailer.time;
	struct last_seen *seen = seen_on(c, cpu);

	if (lost)
		take_lost(c, r, seen, cpu, time);
	else if (r->type == PERF_RECORD_UNTHROTTLE)
		end_throttling(c, seen, cpu, time);
	else if (r->type == PERF_RECORD_THROTTLE && !seen->throttled_since)
		seen->throttled_since = time;
	seen->time = max_u64(seen->time, time);
}

static void take_counted(struct collector *c, const struct record *r)
{
	const struct evsel *evsel = perf_data__find_evsel(c->session->data, r);
	struct sample trailer;

	/* What a dummy lost are records about tasks and maps: gaps have them. */
	if (!evsel || evsel__is_dummy(evsel) || r->size < 16 ||
	    sample__decode_trailer(perf_data__layout(c->session->data, evsel), r, c->swap,
	                           &trailer))
		return;
	/* Linux's perf leaves the CPU 0; ours says "of no task" where it is true. */
	u32 cpu = cpu_of(c, trailer.id, trailer.pid == NO_CPU ? trailer.cpu : NO_CPU);

	u64 nr = load_u64(r->data + RECORD_HEADER_SIZE, c->swap);
	struct last_seen *seen = seen_on(c, cpu);

	if (r->misc & RECORD_MISC_DISK_FULL)
		seen->unwritten += nr;
	else
		seen->counted += nr;
	seen->behind |= (r->misc & RECORD_MISC_LAST_BEHIND) != 0;
	c->losses->cpus[seen->index].events[evsel->idx].lost += nr;
	c->losses->counted = true;
}

static void take_sample(struct collector *c, const struct stream_sample *s)
{
	const struct sample *sample = s->sample;
	u32 cpu = sample->cpu != NO_CPU ? sample->cpu : cpu_of(c, sample->id, NO_CPU);
	struct last_seen *seen = seen_on(c, cpu);

	c->losses->cpus[seen->index].all.kept++;
	c->losses->cpus[seen->index].events[s->evsel->idx].kept++;
	slot_of(c, sample->time)->kept++;
	if (sample->time != UINT64_MAX)
		seen->time = max_u64(seen->time, sample->time);
}

static void take(struct collector *c, const struct record *r)
{
	if (r->type == RECORD_ID_INDEX)
		note_ids(c, r);
	else if (r->type == PERF_RECORD_LOST_SAMPLES)
		take_counted(c, r);
	else if (r->type < RECORD_HEADER_ATTR && r->type != PERF_RECORD_SAMPLE)
		take_kernel_record(c, r);
}

static int compare_losses(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->cpu != y->cpu ? (x->cpu > y->cpu) - (x->cpu < y->cpu)
	                        : (int)x->reason - (int)y->reason;
}

static int compare_cpus(const void *a, const void *b)
{
	const struct cpu_losses *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void end_counting(struct collector *c, const struct last_seen *seen)
{
	struct cpu_losses *cpu = &c->losses->cpus[seen->index];

	if (seen->counted > cpu->all.lost)
		add(c, (struct loss){ .cpu = cpu->cpu,
		                      .reason = seen->behind ? LOSS_WRITER_BEHIND : LOSS_RING_FULL,
		                      .from = seen->time,
		                      .to = LOSS_TO_END,
		                      .nr = seen->counted - cpu->all.lost });
	/* Samples only, where LOST counts records of all kinds. */
	if (seen->counted)
		cpu->all.lost = seen->counted;
	if (seen->unwritten)
		add(c, (struct loss){ .cpu = cpu->cpu,
		                      .reason = LOSS_DISK_FULL,
		                      .from = seen->time,
		                      .to = LOSS_TO_END,
		                      .nr = seen->unwritten });
	cpu->all.lost += seen->unwritten;
	c->losses->lost += cpu->all.lost;
}

/* What counters of unknown CPUs counted lies for the most part in the gaps of the known ones. */
static void take_off_gaps(struct collector *c)
{
	u32 index = u64map__get(&c->index_of_cpu, NO_CPU);
	u64 gaps = 0;

	for (u32 i = 0; i < c->nr_seen; i++)
		if (i != index && !c->seen[i].counted)
			gaps += c->losses->cpus[c->seen[i].index].all.lost;
	if (index != ID_NONE)
		c->seen[index].counted -= min_u64(c->seen[index].counted, gaps);
}

static int compare_slots(const void *a, const void *b)
{
	const struct loss_slot *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Those still throttled, sums, order; CPUs on which only made-up records lie are left out. */
static void finish(struct collector *c)
{
	struct losses *losses = c->losses;
	u32 used = 0;

	take_off_gaps(c);
	for (u32 i = 0; i < c->nr_seen; i++) {
		end_throttling(c, &c->seen[i], losses->cpus[c->seen[i].index].cpu, c->seen[i].time);
		end_counting(c, &c->seen[i]);
	}
	for (u32 i = 0; i < losses->nr_cpus; i++) {
		struct cpu_losses *cpu = &losses->cpus[i];

		losses->kept += cpu->all.kept;
		if (cpu->all.kept || cpu->all.lost)
			losses->cpus[used++] = *cpu;
		else
			free(cpu->events);
	}
	losses->nr_cpus = used;
	losses->counted |= !losses->lost;
	if (losses->nr)
		qsort(losses->losses, losses->nr, sizeof(*losses->losses), compare_losses);
	if (used)
		qsort(losses->cpus, used, sizeof(*losses->cpus), compare_cpus);
	if (losses->nr_slots)
		qsort(losses->slots, losses->nr_slots, sizeof(*losses->slots), compare_slots);
}

int losses__collect(struct losses *losses, const struct session *session, struct error *err)
{
	const struct stream_options options = { .order = STREAM_FILE, .need = STREAM_FAST };
	struct collector c = { .session = session,
		               .losses = losses,
		               .swap = perf_data__swapped(session->data),
		               .cpu_of_id = U64MAP_INIT,
		               .index_of_cpu = U64MAP_INIT,
		               .index_of_slot = U64MAP_INIT,
		               .last_seen = ID_NONE,
		               .last_slot = ID_NONE };
	struct stream *stream = stream__new(session, &options, err);
	const struct stream_sample *sample;
	const struct record *record;

	*losses = (struct losses){ .nr_events = session->evlist->nr };
	if (!stream)
		return err && err->code ? err->code : -EIO;
	while ((record = stream__record(stream))) {
		take(&c, record);
		while ((sample = stream__sample(stream)))
			take_sample(&c, sample);
	}
	int ret = stream__error(stream, err);

	finish(&c);
	stream__delete(stream);
	free(c.seen);
	u64map__exit(&c.cpu_of_id);
	u64map__exit(&c.index_of_cpu);
	u64map__exit(&c.index_of_slot);
	return ret;
}

void losses__exit(struct losses *losses)
{
	for (u32 i = 0; i < losses->nr_cpus; i++)
		free(losses->cpus[i].events);
	free(losses->losses);
	free(losses->cpus);
	free(losses->slots);
	*losses = (struct losses){ 0 };
}
