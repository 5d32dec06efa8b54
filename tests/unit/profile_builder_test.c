// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles that grow, sample by sample, without a file: snapshots, decay, forgetting. */
#include "tests/unit/unit.h"

#include <linux/perf_event.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/profile_fixture.h"
#include "util/format/sample.h"
#include "util/profile/builder.h"

#define CODE  0x10000u
#define CHAIN 3

struct scene {
	struct strtab strings;
	struct dsos dsos;
	struct machine *machine;
	struct evsel evsel;
	struct sample_layout layout;
	struct profile_options options;
	struct profile_builder *builder;
	struct profile profile;
	u64 time;
};

static void scene__init(struct scene *s)
{
	*s = (struct scene){ .options = { .chains = true, .max_stack = 127 }, .time = 100 };
	strtab__init(&s->strings);
	dsos__init(&s->dsos, &s->strings);
	s->machine = machine__new(&s->strings);
	s->evsel.attr.sample_type =
	        PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	sample_layout__init(&s->layout, &s->evsel.attr);
	s->builder = profile_builder__new(&s->options, s->machine, &s->dsos, false);
}

static void scene__exit(struct scene *s)
{
	profile__exit(&s->profile);
	profile_builder__delete(s->builder);
	machine__delete(s->machine);
	dsos__exit(&s->dsos);
	strtab__exit(&s->strings);
}

static void add_process(struct scene *s, s32 pid, const char *name)
{
	s->time++;
	machine__fork(s->machine, (struct moment){ s->time, s->time }, pid, 1, pid, 1, true);
	machine__comm(s->machine, (struct moment){ s->time, s->time }, pid, pid,
	              strtab__add(&s->strings, name), true);
	machine__map(s->machine, &(struct map_info){ .when = { s->time, s->time },
	                                             .pid = pid,
	                                             .tid = pid,
	                                             .start = CODE,
	                                             .len = 0x1000000,
	                                             .dso = dsos__get(&s->dsos, "/bin/x", DSO_USER,
	                                                              -1, NULL, 0) });
	machine__settle(s->machine);
	profile_builder__settled(s->builder);
}

/* At a place, called from two others. */
static void add(struct scene *s, s32 pid, u32 leaf, u32 caller, u64 period)
{
	u64 words[CHAIN + 1] = { PERF_CONTEXT_USER, CODE + leaf, CODE + caller, CODE };
	struct sample sample = { .ip = CODE + leaf,
		                 .time = ++s->time,
		                 .period = period,
		                 .pid = pid,
		                 .tid = pid,
		                 .cpumode = PERF_RECORD_MISC_USER,
		                 .chain = { (const u8 *)words, CHAIN + 1 } };

	profile_builder__add(s->builder, &s->evsel, &s->layout, &sample,
	                     (struct moment){ s->time, s->time });
}

static u64 sum_of_counts(const struct profile *profile)
{
	u64 sum = 0;

	for (u32 i = 0; i < profile->nr_rows; i++)
		sum += profile->rows[i].count;
	return sum;
}

TEST(builder_snapshots_are_what_was_added_so_far)
{
	struct scene s;
	struct profile early = { .nr_rows = 0 };

	scene__init(&s);
	add_process(&s, 7, "x");
	add(&s, 7, 0x10, 0x20, 5);
	add(&s, 7, 0x10, 0x20, 6);
	add(&s, 7, 0x14, 0x20, 7);
	profile_builder__snapshot(s.builder, &early);
	CHECK_EQ(early.nr_samples, 3);
	CHECK_EQ(early.nr_rows, 2);
	CHECK_EQ(early.rows[0].count, 2);
	CHECK_EQ(early.rows[0].period, 11);
	CHECK_EQ(early.nr_nodes, 1 + 4);
	CHECK_EQ(early.nr_locs, 4);
	CHECK_EQ(early.locs[early.rows[0].leaf_loc].addr, CODE + 0x10 - CODE);
	add_process(&s, 8, "y");
	add(&s, 8, 0x10, 0x20, 1);
	add(&s, 7, 0x10, 0x30, 1);
	profile_builder__snapshot(s.builder, &s.profile);
	profile_builder__snapshot(s.builder, &s.profile); /* again into the same */
	CHECK_EQ(s.profile.nr_rows, 4);
	CHECK_EQ(s.profile.nr_samples, 5);
	CHECK_EQ(s.profile.nr_locs, 5);
	CHECK_EQ(s.profile.generation, early.generation);
	CHECK(!memcmp(s.profile.locs, early.locs, early.nr_locs * sizeof(*early.locs)));
	CHECK_EQ(early.nr_rows, 2); /* it stays what it was */
	CHECK_EQ(early.rows[0].count, 2);
	CHECK(s.profile.rows[2].comm != s.profile.rows[0].comm);
	profile__exit(&early);
	scene__exit(&s);
}

TEST(builder_decay_halves_and_forgets)
{
	struct scene s;

	scene__init(&s);
	add_process(&s, 7, "x");
	for (u32 i = 0; i < 9; i++)
		add(&s, 7, 0x10, 0x20, 4);
	add(&s, 7, 0x18, 0x28, 4);
	profile_builder__decay(s.builder);
	profile_builder__snapshot(s.builder, &s.profile);
	CHECK_EQ(s.profile.nr_rows, 1);
	CHECK_EQ(s.profile.rows[0].count, 4);
	CHECK_EQ(s.profile.rows[0].period, 18);
	CHECK_EQ(s.profile.nr_samples, 4);
	/* Half of the rows were dead: what only they needed is gone, too. */
	CHECK_EQ(s.profile.generation, 1);
	CHECK_EQ(s.profile.nr_locs, 3);
	CHECK_EQ(s.profile.nr_nodes, 1 + 3);
	add(&s, 7, 0x10, 0x20, 1);
	add(&s, 7, 0x18, 0x28, 3);
	profile_builder__snapshot(s.builder, &s.profile);
	CHECK_EQ(s.profile.nr_rows, 2);
	CHECK_EQ(s.profile.rows[0].count, 5);
	CHECK_EQ(s.profile.rows[1].count, 1);
	for (u32 i = 0; i < 4; i++)
		profile_builder__decay(s.builder);
	profile_builder__snapshot(s.builder, &s.profile);
	CHECK_EQ(s.profile.nr_rows, 0);
	CHECK_EQ(s.profile.nr_locs, 0);
	scene__exit(&s);
}

/* Rows are found again by content after decay, tables or not. */
TEST(builder_that_decays_equals_one_that_begins_anew)
{
	struct scene s, fresh;

	scene__init(&s);
	scene__init(&fresh);
	add_process(&s, 7, "x");
	add_process(&fresh, 7, "x");
	for (u32 i = 0; i < 3000; i++)
		add(&s, 7, i * 4 % 999, i % 61, 2);
	for (int i = 0; i < 5; i++)
		profile_builder__decay(s.builder);
	for (u32 i = 0; i < 5000; i++) {
		add(&s, 7, i * 8 % 777, i % 37, 2);
		add(&fresh, 7, i * 8 % 777, i % 37, 2);
	}
	profile_builder__snapshot(s.builder, &s.profile);
	profile_builder__snapshot(fresh.builder, &fresh.profile);
	CHECK_EQ(s.profile.nr_rows, fresh.profile.nr_rows);
	CHECK_EQ(s.profile.nr_locs, fresh.profile.nr_locs);
	CHECK_EQ(s.profile.nr_nodes, fresh.profile.nr_nodes);
	CHECK_EQ(sum_of_counts(&s.profile), 5000);
	scene__exit(&s);
	scene__exit(&fresh);
}

/* Processes come and go: what is kept is that of the last rounds, in the machine and in the rows.
 */
static u64 bytes_after(struct scene *s, u32 nr, s32 *pid)
{
	for (u32 i = 0; i < nr; i++) {
		add_process(s, ++*pid, "storm");
		for (u32 n = 0; n < 4; n++)
			add(s, *pid, n * 16, 0x100 + *pid % 50 * 4, 1);
		s->time++;
		machine__exit(s->machine, (struct moment){ s->time, s->time }, *pid, *pid);
		machine__settle(s->machine);
		if (i % 64)
			continue;
		profile_builder__decay(s->builder);
		u8 *used = xcalloc(machine__nr_threads(s->machine), 1);

		profile_builder__mark_threads(s->builder, used);
		machine__forget(s->machine, (struct moment){ s->time - 100, 0 }, used);
		profile_builder__settled(s->builder);
		free(used);
	}
	profile_builder__snapshot(s->builder, &s->profile);
	for (u32 i = 0; i < s->profile.nr_rows; i++)
		CHECK(machine__thread(s->machine, s->profile.rows[i].thread)->pid + 200 > *pid);
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

TEST(builder_in_a_storm_of_processes_stays_as_large_as_it_is)
{
	struct scene s;
	s32 pid = 100;

	scene__init(&s);
	add_process(&s, 1, "shell"); /* a child of nobody known would be called :TID */
	u64 early = bytes_after(&s, 8192, &pid), late = bytes_after(&s, 20480, &pid);

	CHECK(late <= early + early / 20);
	scene__exit(&s);
}

TEST(names_are_extended_from_the_tables_that_are_there)
{
	struct fixture f;
	struct names names;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 10);
	fixture__sample(&f, "main;f;h;i+4", 10);
	fixture__sample(&f, "main;?7", 10);
	fixture__profile(&f, 1);
	struct profile part = f.profile;
	struct session_symbols *symbols =
	        session_symbols__new(&f.session.dsos, session_symbols__config(f.symbols));

	part.nr_locs = 2;
	names__init(&names, &part, &f.session, symbols, NAMES_SYMBOLS | NAMES_GROW, 1);
	u32 first = names.sym_of_loc[0];

	names__add_loc(&names, 0, first);
	CHECK_EQ(remove(f.elf), 0);
	part.nr_locs = f.profile.nr_locs;
	names__extend(&names, 2);
	CHECK_EQ(names.nr_locs, f.profile.nr_locs);
	CHECK_EQ(names.sym_of_loc[0], first);
	CHECK_EQ(names.nr_syms, f.names.nr_syms);
	for (u32 i = 0; i < f.profile.nr_locs; i++) {
		const char *name = sym__name(&names, &names.syms[names.sym_of_loc[i]]);
		const char *same = sym__name(&f.names, &f.names.syms[f.names.sym_of_loc[i]]);

		CHECK_STR(name ? name : "?", same ? same : "?");
		CHECK_EQ(names__offset(&names, i), names__offset(&f.names, i));
	}
	names__exit(&names);
	session_symbols__delete(symbols);
	fixture__exit(&f);
}
