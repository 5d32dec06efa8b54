// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/hold_sink.h"

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct hold_sink *hold = (struct hold_sink *)sink;

	for (u32 i = 0; i < batch->nr; i++)
		out__mem(&hold->held, batch->pieces[i].iov_base, batch->pieces[i].iov_len);
	return 0;
}

static int tell(struct record_sink *sink, const void *records, size_t len)
{
	out__mem(&((struct hold_sink *)sink)->held, records, len);
	return 0;
}

void hold_sink__init(struct hold_sink *hold, struct record_sink *next)
{
	*hold = (struct hold_sink){ .sink = { .take = take, .tell = tell, .next = next } };
	out__init(&hold->held, -1);
}

void hold_sink__exit(struct hold_sink *hold)
{
	out__exit(&hold->held);
}

int hold_sink__release(struct hold_sink *hold)
{
	struct record_sink *next = hold->sink.next;
	int ret = record_sink__put(next, hold->held.buf, hold->held.len, true);

	out__exit(&hold->held);
	out__init(&hold->held, -1);
	return ret;
}
