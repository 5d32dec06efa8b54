// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes records from the bytes of a file or stream, one after another, skipping damage. */
#include "util/reader/reader_private.h"

#include <errno.h>
#include <stdlib.h>

#include "util/lib/file.h"

int record_source__fill(struct record_source *s, struct error *err)
{
	size_t want = s->searching ? RECORD_SOURCE_SIZE : RECORD_SOURCE_SIZE / 8;

	s->len -= s->at;
	memmove(s->buf, s->buf + s->at, s->len);
	s->at = 0;
	if (s->len < want && s->pos < s->end) {
		want = min_u64(want - s->len, s->end - s->pos);
		ssize_t got = file__read_some(s->fd, s->buf + s->len, want, s->pos);

		if (got < 0)
			return error__set(err, got, "cannot read", s->path, NULL);
		s->len += got;
		s->pos += got;
		if ((size_t)got < want)
			s->end = s->pos;
	}
	s->at_end = s->pos >= s->end;
	return 0;
}

static enum record_found search_on(struct record_source *s)
{
	size_t from = s->at;
	bool found = records__find(s->data, s->buf, s->len, s->gap, s->at_end, &s->at);

	s->gap += s->at - from;
	s->searching = !found;
	return found ? FOUND_GAP_END : FOUND_NOTHING;
}

enum record_found record_source__next(struct record_source *s)
{
	u64 payload = min_u64(s->payload, s->len - s->at);

	s->payload -= payload;
	s->at += payload;
	if (s->searching)
		return search_on(s);
	if (s->len - s->at < RECORD_HEADER_SIZE)
		return FOUND_NOTHING;
	const u8 *p = s->buf + s->at;

	s->type = load_u32(p, s->data->swap);
	s->size = load_u16(p + 6, s->data->swap);
	if (!record_header__may_begin(s->data, p))
		return FOUND_DAMAGE;
	if (s->size > s->len - s->at)
		return s->at_end ? FOUND_DAMAGE : FOUND_NOTHING;
	s->payload = record__payload_size(p, s->type, s->size, s->data->swap);
	u64 left = s->end - (s->pos - s->len + s->at + s->size);

	return s->payload > (s->end ? left : INT64_MAX) ? FOUND_DAMAGE : FOUND_RECORD;
}

void record_source__pass(struct record_source *s, enum record_found found)
{
	if (found == FOUND_RECORD) {
		s->at += s->size;
	} else if (found == FOUND_DAMAGE) {
		s->payload = 0;
		s->searching = true;
		s->gap = 1;
		s->at++;
	}
}

bool record_source__is_packed(const struct record_source *s)
{
	return s->type == RECORD_COMPRESSED || s->type == RECORD_COMPRESSED2;
}

/*
 * The first sample or packed record tells, whatever stands before it: what a ring gives is all
 * packed, or nothing of it.
 */
bool records__hold_packed(const struct perf_data *data, int fd, u64 from, u64 end)
{
	struct record_source s = {
		.data = data,
		.fd = fd,
		.pos = from,
		.end = end,
		.buf = xmalloc(min_u64(RECORD_SOURCE_SIZE, end - from) + 1),
	};
	bool told = false;

	do {
		enum record_found found;

		if (s.at == s.len) { /* payload needs not be read */
			s.pos += s.payload;
			s.payload = 0;
		}
		if (record_source__fill(&s, NULL))
			break;
		do {
			found = record_source__next(&s);
			told = found == FOUND_RECORD &&
			       (s.type == PERF_RECORD_SAMPLE || record_source__is_packed(&s));
			if (!told)
				record_source__pass(&s, found);
		} while (!told && found != FOUND_NOTHING);
	} while (!told && s.at);
	free(s.buf);
	return told && record_source__is_packed(&s);
}
