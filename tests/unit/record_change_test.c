// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording that changes over to other events: what is in the file, what is taken once. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/reader/reader.h"
#include "util/record/sift_sink.h"
#include "util/writer/writer.h"

#define FRAMES (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN)
#define COPIES (FRAMES | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

struct taken {
	struct perf_event_header header;
	u64 id;
	u32 pid, tid;
	u64 nr, abi, size; /* no chain; of COPIES no registers and no stack */
};

/* Two events and a dummy; then those that take over from the two. Ids 10, 11, ... */
static void make_list(struct evlist *list, u32 nr)
{
	static const char *const names[] = { "a", "b", "dummy", "a", "b" };

	*list = (struct evlist){ .nr = 0 };
	for (u32 i = 0; i < nr; i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
			                        .config = i % 3,
			                        .size = EVSEL_ATTR_SIZE,
			                        .sample_type = i < 3 ? FRAMES : COPIES,
			                        .exclude_callchain_user = i >= 3,
			                        .sample_stack_user = i < 3 ? 0 : 4096 };

		evsel__add_id(evlist__add(list, &attr, names[i]), 10 + i);
	}
}

/* @text: "A" and "B" of the old events, "a" and "b" of the new, each with a task, "A1a1". */
static size_t make_samples(struct taken *samples, const char *text)
{
	static const char kinds[] = "AB-ab";
	size_t nr = 0;

	for (; *text; text += 2, nr++)
		samples[nr] = (struct taken){ { PERF_RECORD_SAMPLE, 0, sizeof(*samples) },
			                      10 + (strchr(kinds, *text) - kinds),
			                      7,
			                      text[1],
			                      0,
			                      0,
			                      0 };
	return nr * sizeof(*samples);
}

TEST(change_takes_once_what_both_events_sampled)
{
	static const struct {
		const char *before, *after;
	} cases[] = {
		{ "A1A1B1", "A1A1B1" },
		{ "A1a1A1a1A1a1", "A1a1a1a1" }, /* the new one comes first */
		{ "A1a1A2a2A2", "A1a1A2a2" },   /* by task */
		{ "a1B1b1B1A1", "a1B1b1" },     /* by event */
		{ "a1b2a1b2", "a1b2a1b2" },
	};
	struct event_ids before, after, instead;
	struct evlist old, all, other;

	make_list(&old, 3);
	make_list(&all, 5);
	make_list(&other, 3); /* the same events with other counters, as after the pilot */
	for (u32 i = 0; i < 3; i++)
		other.evsels[i]->ids[0] = i < 2 ? 13 + i : 12;
	event_ids__init(&before, &old, false);
	event_ids__init(&after, &all, false);
	event_ids__init(&instead, &other, false);
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct sift sifts[] = { { &before, &after, 2, 3 },
			                      { &before, &instead, 2, 3 } };
		struct taken samples[16], left[16];

		for (u32 k = 0; k < ARRAY_SIZE(sifts); k++) {
			size_t len = make_samples(samples, cases[i].before);

			len = sift__records(&sifts[k], (u8 *)samples, len);
			CHECK_EQ(len, make_samples(left, cases[i].after));
			CHECK(!memcmp(samples, left, len));
		}
	}
	event_ids__exit(&before);
	event_ids__exit(&after);
	event_ids__exit(&instead);
	evlist__exit(&old);
	evlist__exit(&all);
	evlist__exit(&other);
}

static u32 nr_events(const char *path, u32 same_as[5])
{
	struct perf_data *data = perf_data__open(path, 0, NULL);
	const struct evlist *list = data ? perf_data__evlist(data) : NULL;
	u32 nr = list ? list->nr : 0;

	for (u32 i = 0; i < nr && i < 5; i++)
		same_as[i] = list->evsels[i]->same_as;
	perf_data__close(data);
	return nr;
}

TEST(change_adds_events_to_a_file_that_is_being_written)
{
	static const struct perf_event_header round = { 68, 0, sizeof(round) };
	char *path = xasprintf("%s/changed.data", unit__tmpdir());
	struct data_writer *writer = data_writer__new(path, NULL);
	struct evlist old, all;
	u32 same_as[5];

	make_list(&old, 3);
	make_list(&all, 5);
	data_writer__leave_room(writer, 5, 5);
	CHECK_EQ(data_writer__start(writer, &old, NULL), 0);
	CHECK_EQ(data_writer__append_bytes(writer, &round, sizeof(round)), 0);
	CHECK_EQ(nr_events(path, same_as), 3);
	CHECK_EQ(data_writer__change_events(writer, &all, NULL), 0);
	CHECK_EQ(data_writer__append_bytes(writer, &round, sizeof(round)), 0);
	CHECK_EQ(nr_events(path, same_as), 5);
	CHECK_EQ(same_as[2], 2);
	CHECK_EQ(same_as[3], 0);
	CHECK_EQ(same_as[4], 1);
	CHECK_EQ(data_writer__data_size(writer), 2 * sizeof(round));
	data_writer__delete(writer);
	evlist__exit(&old);
	evlist__exit(&all);
	free(path);
}
