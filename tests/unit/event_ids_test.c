// SPDX-License-Identifier: GPL-2.0-or-later
/* Ids lead to events, whether they lie close together or not. */
#include "util/format/event_ids.h"

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/event/evsel.h"

static void check_ids(const u64 *ids, u32 nr)
{
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_IDENTIFIER);
	struct evlist list = { .nr = 0 };
	struct event_ids events;

	for (u32 i = 0; i < nr; i++)
		evsel__add_id(evlist__add(&list, &attr, "event"), ids[i]);
	event_ids__init(&events, &list, false);
	for (u32 i = 0; i < nr; i++) {
		struct evsel *found = event_ids__of_id(&events, ids[i]);

		CHECK(found && found->idx == i);
	}
	CHECK(!event_ids__of_id(&events, 7));
	CHECK(!event_ids__of_id(&events, 13));
	CHECK(!event_ids__of_id(&events, 0));
	CHECK(!event_ids__of_id(&events, UINT64_MAX - 1));
	event_ids__exit(&events);
	evlist__exit(&list);
}

TEST(event_ids_close_together_and_far_apart)
{
	check_ids((u64[]){ 10, 12, 11, 20 }, 4);
	check_ids((u64[]){ 10, 1ull << 40, 11, 20 }, 4);
	check_ids((u64[]){ 1, UINT64_MAX }, 2);
	check_ids((u64[]){ UINT64_MAX, UINT64_MAX - 3 }, 2);
}
