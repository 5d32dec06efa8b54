// SPDX-License-Identifier: GPL-2.0-or-later
/* From samples to rows: chains, markers, --max-stack, filters, workers. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/profile_fixture.h"
#include "util/profile/intern.h"
#include "util/profile/key.h"

/* The chain of a row as "main;f;g", the leaf's location behind a colon. */
static const char *row_text(const struct fixture *f, u32 id)
{
	static char text[512];
	const struct row *row = &f->profile.rows[id];
	u32 path[64], depth = 0;
	int len = 0;

	for (u32 node = row->node; node != NODE_ROOT; node = f->profile.nodes[node].parent)
		path[depth++] = f->profile.nodes[node].loc;
	path[depth] = row->leaf_loc;
	for (u32 i = 0; i <= depth; i++) {
		u32 loc = i < depth ? path[depth - 1 - i] : row->leaf_loc;
		const struct sym *sym = &f->names.syms[f->names.sym_of_loc[loc]];
		const char *name = sym__name(&f->names, sym);

		len += snprintf(text + len, sizeof(text) - len, "%s%s",
		                i == depth ? ":"
		                : i        ? ";"
		                           : "",
		                name ? name : "?");
	}
	return text;
}

static u64 sum_of_periods(const struct profile *profile)
{
	u64 sum = 0;

	for (u64 i = 0; i < profile->nr_rows; i++)
		sum += profile->rows[i].period;
	return sum;
}

TEST(profile_makes_equal_samples_one_row)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 10);
	fixture__sample(&f, "main;f;g", 20);
	fixture__sample(&f, "main;f", 5);
	fixture__sample(&f, "main;f;g+4", 1);
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_samples, 4);
	CHECK_EQ(f.profile.nr_rows, 3);
	CHECK_EQ(f.profile.rows[1].count, 2);
	CHECK_EQ(f.profile.rows[1].period, 30);
	CHECK_STR(row_text(&f, 1), "main;f;g:g");
	CHECK_STR(row_text(&f, 0), "main;f:f");
	CHECK_EQ(f.profile.nr_nodes, 1 + 4); /* root, main, f, g, g+4 */
	for (u32 i = 1; i < f.profile.nr_nodes; i++)
		CHECK(f.profile.nodes[i].parent < i);
	fixture__exit(&f);
}

/* The thread of a command that was there first stands for the others, with chains and without. */
TEST(profile_of_any_thread_has_one_row_for_all)
{
	for (unsigned chains = 0; chains < 2; chains++)
		for (unsigned any = 0; any < 2; any++) {
			struct fixture f;

			fixture__init(&f);
			f.options.chains = chains;
			f.options.any_thread = any;
			for (u32 i = 0; i < 3; i++) {
				f.last.tid = FIXTURE_PID + 2 - i;
				builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "same");
			}
			for (u32 i = 0; i < 6; i++) {
				f.last.tid = FIXTURE_PID + (i + 1) % 3;
				fixture__sample(&f, "main;f", 1);
			}
			f.last.pid = f.last.tid = 300;
			builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "other");
			fixture__sample(&f, "main;f", 8);
			fixture__profile(&f, 1);
			CHECK_EQ(f.profile.nr_rows, any ? 2 : 4);
			CHECK_EQ(sum_of_periods(&f.profile), 14);
			u32 first = ID_NONE;

			for (u32 i = 0; i < f.profile.nr_rows; i++) {
				if (f.profile.rows[i].period == 8)
					continue;
				CHECK_EQ(f.profile.rows[i].count, any ? 6 : 2);
				if (f.profile.rows[i].thread < first)
					first = f.profile.rows[i].thread;
			}
			CHECK_EQ(machine__thread(f.session.host, first)->tid, FIXTURE_PID);
			fixture__exit(&f);
		}
}

/* Two processes of one name may have different files at one address. */
TEST(profile_of_any_thread_keeps_address_spaces_apart)
{
	for (unsigned chains = 0; chains < 2; chains++) {
		struct fixture f;

		fixture__init(&f);
		f.options.chains = chains;
		f.options.any_thread = true;
		f.last.pid = f.last.tid = 300;
		builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "prog");
		builder__mmap2(&f.file.data, FIXTURE_TYPE, &f.last, PERF_RECORD_MISC_USER,
		               FIXTURE_START, ELF_TEXT_SIZE, ELF_TEXT_OFFSET, "/nowhere/else");
		for (u32 i = 0; i < 6; i++) {
			f.last.pid = f.last.tid = i % 2 ? 300 : FIXTURE_PID;
			fixture__sample(&f, "f", i % 2 ? 2 : 1);
		}
		fixture__profile(&f, 1);
		CHECK_EQ(f.profile.nr_rows, 2);
		for (u32 i = 0; i < f.profile.nr_rows; i++) {
			const struct row *row = &f.profile.rows[i];
			bool other = machine__thread(f.session.host, row->thread)->tid == 300;

			CHECK_EQ(row->count, 3);
			CHECK_EQ(row->period, other ? 6 : 3);
			CHECK_EQ(!sym__name(&f.names,
			                    &f.names.syms[f.names.sym_of_loc[row->leaf_loc]]),
			         other);
		}
		fixture__exit(&f);
	}
}

TEST(profile_without_chains_has_leaves_only)
{
	struct fixture f;

	fixture__init(&f);
	f.options.chains = false;
	fixture__sample(&f, "main;f;g", 10);
	fixture__sample(&f, "main;g", 20);
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_rows, 1);
	CHECK_EQ(f.profile.nr_nodes, 1);
	CHECK_STR(row_text(&f, 0), ":g");
	CHECK_EQ(f.profile.rows[0].period, 30);
	fixture__exit(&f);
}

/* The row that an equal sample made is used again; one bit of difference makes another. */
TEST(profile_without_chains_one_address_in_two_spaces_is_two_rows)
{
	struct fixture f;

	fixture__init(&f);
	f.options.chains = false;
	for (u32 i = 0; i < 4; i++) {
		f.misc = i % 2 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
		fixture__raw_sample(&f, fixture__addr("f"), NULL, 0, 1 + i % 2);
	}
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_rows, 2);
	for (u32 i = 0; i < f.profile.nr_rows; i++) {
		const struct row *row = &f.profile.rows[i];
		bool kernel = f.profile.locs[row->leaf_loc].cpumode == PERF_RECORD_MISC_KERNEL;

		CHECK_EQ(row->count, 2);
		CHECK_EQ(row->period, kernel ? 4 : 2);
	}
	fixture__exit(&f);
}

TEST(profile_leaf_may_differ_from_the_chain)
{
	u64 chain[] = { PERF_CONTEXT_USER, fixture__addr("f"), fixture__addr("main") };
	struct fixture f;

	fixture__init(&f);
	fixture__raw_sample(&f, fixture__addr("g"), chain, ARRAY_SIZE(chain), 1);
	fixture__raw_sample(&f, fixture__addr("g"), NULL, 0, 1);
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_rows, 2);
	CHECK_STR(row_text(&f, 1), "main;f:g");
	CHECK_STR(row_text(&f, 0), ":g");
	fixture__exit(&f);
}

TEST(profile_markers_switch_the_address_space)
{
	u64 chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000010, PERF_CONTEXT_USER,
		        fixture__addr("f"),  PERF_CONTEXT_HV,    0x77 };
	struct fixture f;

	fixture__init(&f);
	f.misc = PERF_RECORD_MISC_KERNEL;
	fixture__raw_sample(&f, 0xffffffff81000010, chain, ARRAY_SIZE(chain), 1);
	fixture__profile(&f, 1);
	u32 node = f.profile.rows[0].node;
	const struct loc *locs = f.profile.locs;
	const struct node *nodes = f.profile.nodes;

	CHECK_EQ(locs[nodes[node].loc].cpumode, PERF_RECORD_MISC_KERNEL);
	CHECK_EQ(f.profile.rows[0].leaf_loc, nodes[node].loc);
	node = nodes[node].parent;
	CHECK_EQ(locs[nodes[node].loc].cpumode, PERF_RECORD_MISC_USER);
	CHECK(locs[nodes[node].loc].dso != ID_NONE);
	node = nodes[node].parent;
	CHECK_EQ(locs[nodes[node].loc].cpumode, PERF_RECORD_MISC_HYPERVISOR);
	CHECK_EQ(locs[nodes[node].loc].dso, ID_NONE);
	CHECK_EQ(nodes[node].parent, NODE_ROOT);
	fixture__exit(&f);
}

TEST(profile_drops_what_follows_an_unknown_marker_and_counts_it)
{
	u64 chain[] = { PERF_CONTEXT_USER, fixture__addr("f"), (u64)-1000, 1, 2, 3 };
	struct fixture f;

	fixture__init(&f);
	fixture__raw_sample(&f, fixture__addr("f"), chain, ARRAY_SIZE(chain), 1);
	fixture__profile(&f, 1);
	CHECK_STR(row_text(&f, 0), "f:f");
	CHECK_EQ(f.profile.problems.nr_unknown_context, 1);
	fixture__exit(&f);
}

TEST(profile_keeps_the_frames_nearest_the_leaf)
{
	struct fixture f;

	fixture__init(&f);
	f.options.max_stack = 2;
	fixture__sample(&f, "main;f;g;h", 1);
	fixture__sample(&f, "a;b", 1);
	fixture__profile(&f, 1);
	CHECK_STR(row_text(&f, 0), "g;h:h");
	CHECK_STR(row_text(&f, 1), "a;b:b");
	CHECK_EQ(f.profile.problems.nr_cut_frames, 2);
	fixture__exit(&f);
}

TEST(profile_max_stack_0_is_a_profile_without_chains)
{
	struct fixture f;

	fixture__init(&f);
	f.options.max_stack = 0;
	fixture__sample(&f, "main;f", 1);
	fixture__profile(&f, 1);
	CHECK_STR(row_text(&f, 0), ":f");
	fixture__exit(&f);
}

TEST(profile_filters_by_time_and_cpu)
{
	struct time_range range = { 1020, 1030 };
	u8 cpus[] = { 0, 1 };
	struct fixture f;

	fixture__init(&f);
	f.options.filter.times = (struct time_ranges){ &range, 1 };
	f.options.filter.cpu_set = cpus;
	f.options.filter.nr_cpu_set = 2;
	for (unsigned i = 0; i < 6; i++) { /* times 1010, 1020 ... */
		f.last.cpu = i % 3;
		fixture__sample(&f, "main", 1);
	}
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_samples, 1); /* 1020 on CPU 1; 1030 was on CPU 2 */
	CHECK_EQ(f.profile.nr_filtered, 5);
	CHECK_EQ(f.profile.rows[0].cpu, 1);
	fixture__exit(&f);
}

/* Chains of the last sample are taken over only while they mean the same. */
TEST(profile_does_not_mix_up_address_spaces)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;f", 1);
	f.last.pid = f.last.tid = 200; /* nothing is mapped there */
	fixture__sample(&f, "main;f", 1);
	f.last.pid = f.last.tid = FIXTURE_PID;
	fixture__sample(&f, "main;f", 1);
	builder__mmap2(&f.file.data, FIXTURE_TYPE, &f.last, PERF_RECORD_MISC_USER, FIXTURE_START,
	               4096, 0, "/nowhere/else");
	fixture__sample(&f, "main;f", 1);
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_rows, 3);
	CHECK_STR(row_text(&f, 0), "main;f:f");
	CHECK_EQ(f.profile.rows[0].count, 2);
	CHECK_STR(row_text(&f, 1), "?;?:?");
	CHECK_STR(row_text(&f, 2), "?;?:?");
	CHECK_EQ(f.profile.locs[f.profile.rows[1].leaf_loc].dso, ID_NONE);
	CHECK(f.profile.locs[f.profile.rows[2].leaf_loc].dso != ID_NONE);
	fixture__exit(&f);
}

/* Two guests map different kernels at one address; a third process is a guest nobody told of. */
TEST(profile_finds_guest_kernels_by_the_process_that_runs_them)
{
	static const char *const names[] = { "[guest.kernel.kallsyms]_text",
		                             "[guest.kernel.kallsyms.100]_text" };
	static const struct {
		s32 pid;
		const char *dso;
	} want[] = { { FIXTURE_PID, "[guest.kernel.kallsyms.100]" },
		     { 7, "[guest.kernel.kallsyms]" } };
	struct fixture f;

	fixture__init(&f);
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		struct built_sample task = f.last;

		task.pid = task.tid = i ? FIXTURE_PID : 0;
		builder__mmap2(&f.file.data, FIXTURE_TYPE, &task, PERF_RECORD_MISC_GUEST_KERNEL,
		               0x10000, 0x1000, 0, names[i]);
	}
	f.misc = PERF_RECORD_MISC_GUEST_KERNEL;
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++) {
		f.last.pid = f.last.tid = want[i].pid;
		fixture__raw_sample(&f, 0x10010, NULL, 0, i + 1);
	}
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.nr_rows, ARRAY_SIZE(want));
	for (u64 i = 0; i < f.profile.nr_rows; i++) {
		const struct row *row = &f.profile.rows[i];
		const struct loc *loc = &f.profile.locs[row->leaf_loc];

		CHECK_STR(
		        strtab__get(&f.session.strings, dsos__at(&f.session.dsos, loc->dso)->name),
		        want[row->period - 1].dso);
	}
	fixture__exit(&f);
}

TEST(profile_counts_what_a_map_just_later_would_have_named)
{
	struct fixture f;

	fixture__init(&f);
	f.last.time = 5000000;
	for (unsigned i = 0; i < 3; i++)
		fixture__sample(&f, "?900010;?900020", 1);
	builder__mmap2(&f.file.data, FIXTURE_TYPE, &f.last, PERF_RECORD_MISC_USER, 0x900000, 4096,
	               0, "/nowhere/else");
	fixture__sample(&f, "?900010;?900020", 1);
	fixture__profile(&f, 1);
	CHECK_EQ(f.profile.problems.nr_clock_misses,
	         6); /* the third is at the time of the map, before it */
	fixture__exit(&f);
}

/* Many samples, so that there are several blocks. */
static void fill(struct fixture *f)
{
	char chain[16];

	for (unsigned i = 0; i < 20000; i++) {
		snprintf(chain, sizeof(chain), "main;%c;%c;%c", 'a' + i % 7, 'a' + i / 7 % 11,
		         'a' + i % 26);
		fixture__sample(f, chain, 1 + i % 3);
	}
}

TEST_WITH_THREADS(profile_is_the_same_with_any_number_of_workers)
{
	struct fixture one, seven;

	fixture__init(&one);
	fill(&one);
	fixture__profile(&one, 1);
	fixture__init(&seven);
	fill(&seven);
	fixture__profile(&seven, 7);
	CHECK(perf_data__nr_blocks(seven.session.data) > 1);
	CHECK_EQ(one.profile.nr_samples, 20000);
	CHECK_EQ(seven.profile.nr_samples, 20000);
	CHECK_EQ(one.profile.nr_locs, seven.profile.nr_locs);
	CHECK_EQ(sum_of_periods(&one.profile), sum_of_periods(&seven.profile));
	for (u32 i = 1; i < seven.profile.nr_nodes; i++)
		CHECK(seven.profile.nodes[i].parent < i);
	fixture__exit(&one);
	fixture__exit(&seven);
}

/* Pids are given again and again, and samples of one pid lie in many blocks. */
static void fill_reused(struct fixture *f)
{
	char comm[32];

	for (u32 i = 0; i < 200; i++) {
		f->last.pid = f->last.tid = 200 + i % 5;
		snprintf(comm, sizeof(comm), "program%u", i);
		builder__task(&f->file.data, FIXTURE_TYPE, &f->last, PERF_RECORD_FORK, 1, 1);
		builder__comm(&f->file.data, FIXTURE_TYPE, &f->last, comm);
		for (u32 n = 0; n < 200; n++)
			fixture__sample(f, n % 2 ? "main;f" : "main;g", 1);
	}
}

/* Whoever had the samples: rows are told apart by it, and called by it. */
TEST_WITH_THREADS(profile_by_number_has_one_thread_for_each_pid)
{
	for (unsigned chains = 0; chains < 2; chains++) {
		struct fixture f;

		fixture__init(&f);
		fill_reused(&f);
		f.options.by_number = true;
		f.options.chains = chains;
		fixture__profile(&f, 7);
		CHECK(perf_data__nr_blocks(f.session.data) > 2);
		CHECK_EQ(sum_of_periods(&f.profile), 200 * 200);
		for (u64 i = 0; i < f.profile.nr_rows; i++) {
			const struct machine *machine = f.session.host;
			u32 thread = f.profile.rows[i].thread;
			const struct moment end = { UINT64_MAX, UINT64_MAX };
			u32 comm = machine__comm_at(machine, thread, end);
			char last[32];

			snprintf(last, sizeof(last), "program%d",
			         machine__thread(machine, thread)->tid - 5);
			CHECK_STR(strtab__get(&f.session.strings, comm), last);
		}
		fixture__exit(&f);
	}
}

static u64 one(const struct key *key, const struct sample *sample)
{
	(void)key;
	(void)sample;
	return 1;
}

/* A row's period is divided: in two rows each part would be rounded. */
TEST(profile_does_not_split_rows_of_a_divisor)
{
	static const struct key divisor = KEY_PARALLELISM(one);
	const struct key *keys[] = { &divisor };
	struct fixture f;

	fixture__init(&f);
	f.options.sample_keys = keys;
	f.options.nr_sample_keys = ARRAY_SIZE(keys);
	for (u32 n = 0; n < 20000; n++)
		fixture__sample(&f, "main;f", 1);
	fixture__profile(&f, 7);
	CHECK(perf_data__nr_blocks(f.session.data) > 1);
	CHECK_EQ(f.profile.nr_rows, 1);
	CHECK_EQ(f.profile.rows[0].period, 20000);
	fixture__exit(&f);
}

TEST(intern_survives_growth)
{
	struct intern intern;

	intern__init(&intern, 0, 0);
	for (u32 round = 0; round < 2; round++)
		for (u32 i = 0; i < 5000; i++) {
			struct loc loc = { .addr = i * 64ull, .dso = 1 };
			struct row row = { .leaf_loc = i, .count = 1, .period = 2 };

			CHECK_EQ(intern__loc(&intern, &loc), i);
			CHECK_EQ(intern__node(&intern, i / 2, i), i + 1);
			CHECK_EQ(intern__row(&intern, &row, 0), i);
		}
	CHECK_EQ(intern.rows[4999].count, 2);
	CHECK_EQ(intern.rows[4999].period, 4);
	intern__exit(&intern);
}

/* Whichever of a node's children and rows is its first, and whichever come later. */
TEST(intern_gives_equal_elements_one_id)
{
	static u32 nodes[40][40], rows[40][40];
	u32 nr_nodes = 1, nr_rows = 0;
	struct intern intern;
	u64 state = 1;

	intern__init(&intern, 0, 0);
	for (u32 round = 0; round < 40000; round++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		u32 parent = (state >> 33) % 40, loc = (state >> 43) % 40;

		if (parent >= nr_nodes)
			continue;
		if (!nodes[parent][loc])
			nodes[parent][loc] = nr_nodes++;
		CHECK_EQ(intern__node(&intern, parent, loc), nodes[parent][loc]);
		struct row row = { .node = parent, .thread = loc, .count = 1, .period = 2 };

		if (!rows[parent][loc])
			rows[parent][loc] = ++nr_rows;
		CHECK_EQ(intern__row(&intern, &row, 0), rows[parent][loc] - 1);
	}
	CHECK_EQ(nr_nodes, 1601);
	CHECK_EQ(intern.nr_nodes, 1601);
	CHECK_EQ(intern.nr_rows, 1600);
	CHECK(intern.node_index.nr > 1500);
	CHECK(intern.node_index.nr < 1600); /* first children have no place in it */
	intern__exit(&intern);
}

TEST(intern_branch_finds_what_is_known_and_adds_the_rest)
{
	const u32 first[] = { 1, 2, 3 }, second[] = { 1, 2, 4, 5 };
	struct intern intern;
	u32 nodes[4];

	intern__init(&intern, 0, 0);
	intern__branch(&intern, NODE_ROOT, first, 3, nodes);
	CHECK_EQ(nodes[2], 3);
	intern__branch(&intern, NODE_ROOT, second, 4, nodes);
	CHECK_EQ(nodes[0], 1);
	CHECK_EQ(nodes[1], 2);
	CHECK_EQ(nodes[2], 4);
	CHECK_EQ(nodes[3], 5);
	CHECK_EQ(intern.nodes[4].parent, 2);
	CHECK_EQ(intern__node(&intern, 4, 5), 5);
	intern__branch(&intern, NODE_ROOT, second, 0, nodes); /* nothing to do */
	CHECK_EQ(intern.nr_nodes, 6);
	intern__exit(&intern);
}

TEST(intern_append_lines_up_nodes_and_makes_locations_one)
{
	struct loc locs[] = { { .addr = 1 }, { .addr = 2 }, { .addr = 3 } };
	struct intern a, b;

	intern__init(&a, 0, 0);
	intern__init(&b, 0, 0);
	u32 node = intern__node(&a, NODE_ROOT, intern__loc(&a, &locs[0]));

	intern__row(&a, &(struct row){ .node = node, .count = 1, .period = 5 }, 0);
	u32 parent = intern__node(&b, NODE_ROOT, intern__loc(&b, &locs[2]));

	node = intern__node(&b, parent, intern__loc(&b, &locs[0]));
	intern__row(&b, &(struct row){ .node = node, .leaf_loc = 1, .count = 1, .period = 7 }, 0);
	intern__row(&b, &(struct row){ .node = NODE_ROOT, .count = 1, .period = 9 }, 0);
	intern__seal(&a);
	intern__seal(&b);
	intern__append(&a, &b);
	CHECK_EQ(a.nr_locs, 2);
	CHECK_EQ(a.nr_nodes, 4);
	CHECK_EQ(a.rows[1].node, NODE_ROOT);
	CHECK_EQ(a.rows[2].node, 3);
	CHECK_EQ(a.nodes[3].parent, 2);
	CHECK_EQ(a.nodes[3].loc, 0); /* addr 1, as in the first */
	CHECK_EQ(a.nodes[2].loc, 1);
	CHECK_EQ(a.nodes[2].parent, NODE_ROOT);
	CHECK_EQ(a.rows[2].leaf_loc, 0);
	intern__exit(&a);
}
