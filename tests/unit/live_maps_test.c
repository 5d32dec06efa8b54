// SPDX-License-Identifier: GPL-2.0-or-later
/* What is mapped now, as records come. */
#include "util/machine/live_maps.h"

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

struct scene {
	struct strtab strings;
	struct dsos dsos;
	struct live_maps *maps;
};

static void scene__init(struct scene *s)
{
	strtab__init(&s->strings);
	dsos__init(&s->dsos, &s->strings);
	s->maps = live_maps__new(&s->dsos);
}

static void scene__exit(struct scene *s)
{
	live_maps__delete(s->maps);
	dsos__exit(&s->dsos);
	strtab__exit(&s->strings);
}

/* Give the one record in @b to the maps, and empty it. */
static u32 give(struct scene *s, struct builder *b)
{
	struct record record = { .data = b->data,
		                 .type = load_u32(b->data, false),
		                 .misc = load_u16(b->data + 4, false),
		                 .size = b->len };
	u64 addr;
	u32 dso = live_maps__take(s->maps, &record, &addr);

	builder__exit(b);
	return dso;
}

static u32 map(struct scene *s, u32 pid, u64 start, u64 len, u64 pgoff, const char *name)
{
	struct built_sample who = { .pid = pid, .tid = pid };
	struct builder b = { .swap = false };

	builder__mmap2(&b, 0, &who, PERF_RECORD_MISC_USER, start, len, pgoff, name);
	return give(s, &b);
}

static void task(struct scene *s, u32 type, u32 pid, u32 ppid, bool made_up)
{
	struct built_sample who = { .pid = pid, .tid = pid };
	struct builder b = { .swap = false };

	builder__task(&b, 0, &who, type, ppid, ppid);
	if (made_up)
		builder__set_u16(&b, 4, PERF_RECORD_MISC_FORK_EXEC);
	give(s, &b);
}

/* The name of what is mapped there, and where in it. */
static const char *at(const struct scene *s, s32 pid, u64 *addr)
{
	u32 dso = live_maps__find(s->maps, pid, addr);

	return dso == ID_NONE ? "" : strtab__get(&s->strings, dsos__at(&s->dsos, dso)->name);
}

static void check_at(const struct scene *s, s32 pid, u64 addr, const char *name, u64 inside)
{
	u64 found = addr;

	CHECK_STR(at(s, pid, &found), name);
	CHECK_EQ(found, inside);
}

TEST(live_maps_of_two_that_overlap_the_later_wins)
{
	struct scene s;

	scene__init(&s);
	CHECK(map(&s, 7, 0x1000, 0x4000, 0, "/a") != ID_NONE);
	map(&s, 7, 0x2000, 0x1000, 0x100, "/b");
	check_at(&s, 7, 0x1fff, "/a", 0xfff);
	check_at(&s, 7, 0x2000, "/b", 0x100);
	check_at(&s, 7, 0x3000, "/a", 0x2000);
	check_at(&s, 7, 0x5000, "", 0x5000);
	check_at(&s, 7, 0xfff, "", 0xfff);
	map(&s, 7, 0x800, 0x3000, 0, "/c"); /* over the first, all of the second */
	check_at(&s, 7, 0x37ff, "/c", 0x2fff);
	check_at(&s, 7, 0x3800, "/a", 0x2800);
	check_at(&s, 8, 0x3800, "", 0x3800);
	scene__exit(&s);
}

TEST(live_maps_memory_without_a_file_keeps_its_addresses)
{
	struct scene s;

	scene__init(&s);
	u32 one = map(&s, 7, 0x1000, 0x1000, 0x1000, "//anon");
	u32 two = map(&s, 9, 0x8000, 0x1000, 0, "//anon");

	CHECK_EQ(one, two);
	u64 addr = 0x8010;

	CHECK_EQ(live_maps__find(s.maps, 9, &addr), one);
	CHECK_EQ(addr, 0x8010);
	scene__exit(&s);
}

TEST(live_maps_are_inherited_but_not_from_proc)
{
	struct scene s;

	scene__init(&s);
	map(&s, 7, 0x1000, 0x1000, 0, "/a");
	task(&s, PERF_RECORD_FORK, 8, 7, false);
	task(&s, PERF_RECORD_FORK, 9, 7, true);
	CHECK_EQ(live_maps__space(s.maps, 8), live_maps__space(s.maps, 7));
	CHECK_EQ(live_maps__space(s.maps, 9), 0);
	map(&s, 8, 0x1000, 0x1000, 0, "/b");
	check_at(&s, 7, 0x1000, "/a", 0);
	check_at(&s, 8, 0x1000, "/b", 0);
	check_at(&s, 9, 0x1000, "", 0x1000);
	CHECK(live_maps__space(s.maps, 8) != live_maps__space(s.maps, 7));
	scene__exit(&s);
}

TEST(live_maps_told_again_change_nothing)
{
	struct scene s;

	scene__init(&s);
	map(&s, 7, 0x1000, 0x1000, 0, "/a");
	u64 before = live_maps__space(s.maps, 7);

	map(&s, 7, 0x1000, 0x1000, 0, "/a");
	CHECK_EQ(live_maps__space(s.maps, 7), before);
	map(&s, 7, 0x1000, 0x1000, 0x1000, "/a");
	CHECK(live_maps__space(s.maps, 7) != before);
	scene__exit(&s);
}

TEST(live_maps_outlive_their_process_for_a_while)
{
	struct scene s;

	scene__init(&s);
	map(&s, 7, 0x1000, 0x1000, 0, "/a");
	map(&s, 8, 0x1000, 0x1000, 0, "/a");
	task(&s, PERF_RECORD_EXIT, 7, 1, false);
	task(&s, PERF_RECORD_EXIT, 8, 1, false);
	check_at(&s, 7, 0x1000, "/a", 0);
	task(&s, PERF_RECORD_FORK, 8, 7, false); /* the pid is used again */
	for (u32 pid = 100; pid < 100 + LIVE_MAPS_DEAD; pid++) {
		map(&s, pid, 0x1000, 0x1000, 0, "/a");
		task(&s, PERF_RECORD_EXIT, pid, 1, false);
	}
	check_at(&s, 7, 0x1000, "", 0x1000);
	check_at(&s, 8, 0x1000, "/a", 0);
	check_at(&s, 200, 0x1000, "/a", 0);
	scene__exit(&s);
}

TEST(live_maps_of_one_process_are_bounded)
{
	struct scene s;

	scene__init(&s);
	for (u64 i = 0; i < LIVE_MAPS_MAX + 10; i++)
		map(&s, 7, i * 0x2000, 0x1000, 0, "/a");
	check_at(&s, 7, (LIVE_MAPS_MAX + 9) * 0x2000ull, "/a", 0);
	check_at(&s, 7, 0x2000, "/a", 0);
	scene__exit(&s);
}
