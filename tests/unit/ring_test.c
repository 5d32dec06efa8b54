// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

/* A ring in plain memory, with a kernel that is played by write_bytes(). */
struct fake_ring {
	struct perf_event_mmap_page page;
	u8 data[64];
	struct ring ring;
};

static void fake_ring__init(struct fake_ring *fake, u64 start)
{
	memset(fake, 0, sizeof(*fake));
	fake->page.data_head = fake->page.data_tail = start;
	fake->ring = (struct ring){
		.page = &fake->page, .data = fake->data, .size = sizeof(fake->data), .tail = start
	};
}

static void write_bytes(struct fake_ring *fake, const char *bytes)
{
	for (; *bytes; bytes++)
		fake->data[fake->page.data_head++ % sizeof(fake->data)] = *bytes;
}

TEST(ring_hands_out_what_lies_there)
{
	struct fake_ring fake;
	struct ring_span spans[2];

	fake_ring__init(&fake, 0);
	CHECK_EQ(ring__read(&fake.ring, spans), 0);
	CHECK_EQ(spans[0].len + spans[1].len, 0);
	write_bytes(&fake, "records");
	CHECK_EQ(ring__read(&fake.ring, spans), 7);
	CHECK_EQ(spans[0].len, 7);
	CHECK(!memcmp(spans[0].data, "records", 7));
	CHECK_EQ(fake.page.data_tail, 0);
	ring__consume(&fake.ring, 3);
	CHECK_EQ(fake.page.data_tail, 3);
	CHECK_EQ(ring__read(&fake.ring, spans), 4);
	CHECK(!memcmp(spans[0].data, "ords", 4));
}

TEST(ring_wraps_into_two_spans)
{
	struct fake_ring fake;
	struct ring_span spans[2];

	fake_ring__init(&fake, 64 * 5 + 60);
	write_bytes(&fake, "wrapped");
	CHECK_EQ(ring__read(&fake.ring, spans), 7);
	CHECK_EQ(spans[0].len, 4);
	CHECK_EQ(spans[1].len, 3);
	CHECK(!memcmp(spans[0].data, "wrap", 4) && !memcmp(spans[1].data, "ped", 3));
	ring__consume(&fake.ring, 7);
	CHECK_EQ(fake.page.data_tail, 64 * 5 + 67);
	/* A full ring, starting in its middle. */
	write_bytes(&fake, "0123456789012345678901234567890123456789012345678901234567890123");
	CHECK_EQ(ring__read(&fake.ring, spans), 64);
	CHECK_EQ(spans[0].len, 61);
	CHECK_EQ(spans[1].len, 3);
}

TEST(ring_counts_past_the_end_of_u64)
{
	struct fake_ring fake;
	struct ring_span spans[2];

	fake_ring__init(&fake, ~0ull - 1);
	write_bytes(&fake, "wrapped");
	CHECK_EQ(ring__read(&fake.ring, spans), 7);
	CHECK_EQ(spans[0].len + spans[1].len, 7);
}

TEST(ring_never_reads_outside)
{
	struct fake_ring fake;
	struct ring_span spans[2];

	fake_ring__init(&fake, 0);
	fake.page.data_head = 1ull << 40; /* no kernel does this */
	CHECK_EQ(ring__read(&fake.ring, spans), 0);
	CHECK_EQ(spans[0].len + spans[1].len, 0);
	CHECK_EQ(ring__read(&fake.ring, spans), 0);
	write_bytes(&fake, "on");
	CHECK_EQ(ring__read(&fake.ring, spans), 2);
}

TEST(ring_sizes)
{
	u64 page = sysconf(_SC_PAGESIZE), size = 0;
	const struct {
		const char *text;
		u64 size; /* 0: refused */
	} rows[] = {
		{ "1", page },
		{ "128", 128 * page },
		{ "100", 128 * page },
		{ "64K", 65536 },
		{ "1M", 1 << 20 },
		{ "1000k", 1 << 20 },
		{ "5B", page },
		{ "1G", 1 << 30 },
		{ "0", 0 },
		{ "", 0 },
		{ "-1", 0 },
		{ "4X", 0 },
		{ "4KB", 0 },
		{ "2G", 0 },
		{ "99999999999999999999", 0 },
		{ "1152921504606846977", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = ERROR_INIT;
		int ret = rings__size(rows[i].text, &size, &err);

		CHECK_EQ(ret, rows[i].size ? 0 : -EINVAL);
		if (rows[i].size)
			CHECK_EQ(size, rows[i].size);
	}
	CHECK_EQ(rings__size(NULL, &size, NULL), 0);
	CHECK(size >= page && !(size & (size - 1)));
}

/* A backward ring: the kernel puts each record below the one before, over the oldest. */
static void write_backward(struct fake_ring *fake, u16 size, u8 mark)
{
	struct perf_event_header header = { .type = mark, .size = size };
	u64 at = fake->page.data_head -= size;

	for (u32 i = 0; i < size; i++)
		fake->data[(at + i) % sizeof(fake->data)] =
		        i < sizeof(header) ? ((u8 *)&header)[i] : mark;
}

static const char *take_backward(struct fake_ring *fake)
{
	static char marks[32];
	u8 *records;
	u64 len;
	u32 nr = 0;

	CHECK_EQ(ring__take_backward(&fake->ring, &records, &len), 0);
	for (u64 at = 0; at < len;) {
		struct perf_event_header header;

		memcpy(&header, records + at, sizeof(header));
		marks[nr++] = header.type;
		CHECK_EQ(records[at + header.size - 1], header.type);
		at += header.size;
	}
	marks[nr] = '\0';
	free(records);
	return marks;
}

TEST(ring_backward_gives_the_newest_oldest_first)
{
	struct fake_ring fake;

	fake_ring__init(&fake, 0);
	fake.ring.overwrite = true;
	fake.ring.fd = -1;
	CHECK_STR(take_backward(&fake), "");
	write_backward(&fake, 16, 'a');
	write_backward(&fake, 24, 'b');
	CHECK_STR(take_backward(&fake), "ab");
	CHECK_STR(take_backward(&fake), ""); /* nothing twice */
	write_backward(&fake, 16, 'c');
	CHECK_STR(take_backward(&fake), "c");
	for (u8 mark = 'd'; mark <= 'z'; mark++)
		write_backward(&fake, 24, mark);
	CHECK_STR(take_backward(&fake), "yz"); /* 64 bytes: x is cut */
}

TEST(ring_backward_stays_inside_whatever_lies_there)
{
	struct fake_ring fake;

	fake_ring__init(&fake, 0);
	fake.ring.overwrite = true;
	fake.ring.fd = -1;
	write_backward(&fake, 16, 'a');
	fake.data[54] = 255; /* its size, far too large */
	fake.data[55] = 255;
	CHECK_STR(take_backward(&fake), "");
	fake.page.data_head -= 1 << 20;
	memset(fake.data, 0, sizeof(fake.data)); /* sizes of 0 */
	CHECK_STR(take_backward(&fake), "");
}
