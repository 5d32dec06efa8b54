// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/format/broken.h"

#include <errno.h>
#include <stdlib.h>

#include "util/lib/alloc.h"

void broken_records__add(struct broken_records *self, const struct record *record)
{
	self->nr++;
	if (self->nr_kept >= BROKEN_RECORDS_KEPT)
		return;
	array__reserve(&self->kept, &self->cap, self->nr_kept + 1, sizeof(*self->kept));
	self->kept[self->nr_kept++] =
	        (struct broken_record){ record->offset, record->type, record->size };
}

void broken_records__exit(struct broken_records *self)
{
	free(self->kept);
	*self = (struct broken_records){ 0 };
}

/* A count, and room for so many entries behind it. */
static bool list_fits(struct cursor *c, u64 entry_size)
{
	u64 nr = cursor__u64(c);

	return !c->failed && nr <= cursor__left(c) / entry_size;
}

static bool text_poke_fits(struct cursor *c)
{
	cursor__u64(c); /* address */
	u32 old_len = cursor__u16(c), new_len = cursor__u16(c);

	return !c->failed && old_len + new_len <= cursor__left(c);
}

bool record__body_fits(const struct record *record, bool swap)
{
	struct cursor c = cursor__make(record->data + RECORD_HEADER_SIZE,
	                               record->size - RECORD_HEADER_SIZE, swap);

	if (record->size < record__min_size(record->type))
		return false;
	switch (record->type) {
	case PERF_RECORD_NAMESPACES:
		cursor__u64(&c); /* pid, tid */
		return list_fits(&c, 16);
	case PERF_RECORD_CGROUP:
		cursor__u64(&c);                   /* id */
		cursor__str(&c, cursor__left(&c)); /* its name ends */
		return !c.failed;
	case PERF_RECORD_TEXT_POKE:
		return text_poke_fits(&c);
	case RECORD_ID_INDEX:
		return list_fits(&c, 32);
	case RECORD_THREAD_MAP:
		return list_fits(&c, 24);
	case RECORD_STAT_CONFIG:
		return list_fits(&c, 16);
	default:
		return true;
	}
}
