// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/pack_sink.h"

/* Bytes of what was packed that are safe with the first @len bytes of packed records. */
static u64 kept_unpacked(const struct out *packed, u64 len)
{
	struct record record;
	u64 kept = 0;

	for (size_t at = 0; record__take((const u8 *)packed->buf + at, len - at, &record);
	     at += record.size)
		kept += COMPRESS_CHUNK; /* the last one is shorter, but then all is there */
	return kept;
}

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct pack_sink *pack = (struct pack_sink *)sink;
	int ret;

	pack->packed.len = 0;
	ret = compressor__add(&pack->compressor, batch->pieces, batch->nr, &pack->packed);
	if (ret || (!pack->packed.len && !batch->round))
		return ret;
	struct iovec piece = { pack->packed.buf, pack->packed.len };
	struct record_batch packed = { .pieces = &piece,
		                       .nr = piece.iov_len > 0,
		                       .ring = batch->ring,
		                       .round = batch->round };

	ret = sink->next->take(sink->next, &packed);
	batch->slow_ms = packed.slow_ms;
	if (ret)
		batch->kept = kept_unpacked(&pack->packed, packed.kept);
	return ret;
}

int pack_sink__init(struct pack_sink *pack, int level, struct record_sink *next, struct error *err)
{
	*pack = (struct pack_sink){ .sink = { .take = take, .next = next } };
	out__init(&pack->packed, -1);
	return compressor__init(&pack->compressor, level, err);
}

void pack_sink__exit(struct pack_sink *pack)
{
	compressor__exit(&pack->compressor);
	out__exit(&pack->packed);
}
