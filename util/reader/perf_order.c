// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/perf_order.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/reader/file_order.h"

struct delivery {
	const struct perf_data *data;
	struct ordered *ordered;
	bool in_file_order;
	bool hold; /* rounds release nothing */

	/* The walk in file order. */
	struct file_order file;
	struct record here;
	bool at_end;
	int error;

	/* The ordered reader's next record that has a time. */
	struct record waiting;
	u64 waiting_time;
	bool has_waiting, none_left;

	bool releasing; /* those up to @limit come now */
	u64 limit;
	u64 next_limit; /* for the next FINISHED_ROUND */
	u64 newest;     /* of all seen in file order */
};

struct delivery *delivery__new(const struct perf_data *data, struct error *err)
{
	struct delivery *d = xcalloc(1, sizeof(*d));
	const struct evlist *list = perf_data__evlist((struct perf_data *)data);

	d->data = data;
	file_order__init(&d->file, data);
	d->in_file_order = !list->nr || !list->evsels[0]->attr.sample_id_all;
	d->ordered = ordered__new(data, err);
	if (d->ordered)
		return d;
	delivery__delete(d);
	return NULL;
}

void delivery__hold(struct delivery *d)
{
	d->hold = true;
}

void delivery__in_file_order(struct delivery *d)
{
	d->in_file_order = true;
}

void delivery__delete(struct delivery *d)
{
	if (!d)
		return;
	ordered__delete(d->ordered);
	file_order__exit(&d->file);
	free(d);
}

/* False: it is taken up where it stands. */
static bool must_wait(const struct delivery *d, const struct record *record, u64 *time)
{
	return !d->in_file_order && ordered__time_of(d->ordered, record, time) && *time;
}

static bool find_waiting(struct delivery *d)
{
	u64 merged;

	while (!d->has_waiting && !d->none_left) {
		d->none_left = !ordered__next(d->ordered, &d->waiting, &merged);
		d->has_waiting = !d->none_left && must_wait(d, &d->waiting, &d->waiting_time);
	}
	return d->has_waiting;
}

/* One of those that wait and may come now. */
static bool release(struct delivery *d, struct record *record)
{
	if (!find_waiting(d) || d->waiting_time > d->limit) {
		d->releasing = false;
		return false;
	}
	*record = d->waiting;
	d->has_waiting = false;
	return true;
}

/* One that is taken up where it stands. */
static bool pass(struct delivery *d, struct record *record)
{
	u64 time;

	while (file_order__next(&d->file, &d->here, &d->error)) {
		if (must_wait(d, &d->here, &time)) {
			d->newest = max_u64(d->newest, time);
			continue;
		}
		if (d->here.type == RECORD_FINISHED_ROUND && !d->hold) {
			d->releasing = true;
			d->limit = d->next_limit;
			d->next_limit = d->newest;
		}
		*record = d->here;
		return true;
	}
	return false;
}

bool delivery__next(struct delivery *d, struct record *record, int *error)
{
	*error = 0;
	if (d->releasing && release(d, record))
		return true;
	if (!d->at_end && pass(d, record))
		return true;
	if (!d->at_end && !d->error && perf_data__is_live(d->data))
		return false;
	if (!d->at_end) {
		d->at_end = true;
		d->limit = UINT64_MAX;
	}
	if (release(d, record))
		return true;
	*error = d->error;
	return false;
}

int delivery__more(struct delivery *d, struct error *err)
{
	d->none_left = false;
	return ordered__more(d->ordered, err);
}

u64 delivery__wants_from(const struct delivery *d)
{
	return d->in_file_order ? 0 : ordered__wants_from(d->ordered);
}

const struct ordered_stats *delivery__stats(const struct delivery *d)
{
	return ordered__stats(d->ordered);
}
