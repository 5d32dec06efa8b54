// SPDX-License-Identifier: GPL-2.0-or-later
/* How chains ended: counted by workers, judged by names, added up. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/profile_fixture.h"
#include "util/health/chain_ends.h"
#include "util/health/health_judge.h"
#include "util/health/health_text.h"
#include "util/unwind/start.h"

/* "complete 2, frame pointer lost prog 1"; valid until the next call. */
static const char *ends(struct fixture *f, unsigned workers)
{
	static char text[512];
	int len = 0;

	fixture__profile(f, workers);
	struct health *health = &f->profile.health;

	health__judge(&f->profile, &f->session, f->symbols, NULL);
	text[0] = '\0';
	for (u32 i = 0; i < health->nr; i++) {
		const struct health_entry *entry = &health->entries[i];

		len += snprintf(text + len, sizeof(text) - len, "%s%s%s%s %llu", i ? ", " : "",
		                chain_end__name(entry->end), entry->where == ID_NONE ? "" : " ",
		                entry->where == ID_NONE ? "" : health_text__dso(entry, &f->session),
		                (unsigned long long)entry->nr);
	}
	return text;
}

static void check_one(const char *chain, const char *expected)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, chain, 10);
	CHECK_STR(ends(&f, 1), expected);
	fixture__exit(&f);
}

TEST(health_a_chain_from_the_start_of_its_thread_is_complete)
{
	check_one("_start;main;f", "complete 1");
	check_one("_start", "complete 1");
	check_one("?7;_start;main;f", "complete 1"); /* what lies above means nothing */
	check_one("?7;g;h;_start;main;f;f;f;f;f;f;f", "complete 1");
	check_one("g;g;g;g;g;g;g;g;_start;main;f", "frame pointer lost prog 1");
	check_one("clone3;f", "complete 1");
	check_one("?7;clone3;f", "complete 1");
}

TEST(health_other_chains_have_lost_their_frame_pointer)
{
	check_one("main;f", "frame pointer lost prog 1");
	check_one("f", "frame pointer lost prog 1");
	check_one("clone3", "frame pointer lost prog 1"); /* who called it? */
	check_one("?7;main;f", "address that is not mapped prog 1");
	check_one("?7;?8;f", "address that is not mapped prog 1");
	check_one("?7", "address that is not mapped 1");
}

TEST(health_code_without_a_symbol_is_not_known)
{
	char chain[32];

	snprintf(chain, sizeof(chain), "?%x;f", FIXTURE_START + 40 * 16);
	check_one(chain, "not known prog 1");
}

/* An address of a caller is the one behind its call. */
TEST(health_callers_without_a_frame_lack_their_own)
{
	check_one("_start;main+4;n+4;f", "may lack callers in the middle prog 1");
	check_one("_start;main+4;n+4;f+4;g+4;h", "may lack callers in the middle prog 1");
	check_one("_start;main+4;o;f",
	          "may lack callers in the middle prog 1"); /* it never returns */
	check_one("_start;main+4;n;f", "complete 1");       /* so does m */
	check_one("_start;main+4;n+4", "complete 1");       /* the innermost is told of apart */
	check_one("n+4;n+4;_start;main+4;f", "complete 1");
	check_one("main+4;n+4;f", "frame pointer lost prog 1");
	check_one("_start;main+4;u+4;f", "not known in the middle prog 1");
	check_one("_start;main+4;u+4;n+4;f", "may lack callers in the middle prog 1");
	check_one("_start;main+4;n+4;u+4;f", "may lack callers in the middle prog 1");
	check_one("_start;main+4;u+4", "complete 1");
	check_one("_start;main+4;?7;f", "not known in the middle 1");
}

TEST(health_the_innermost_function_without_a_frame)
{
	static const char *const chains[] = { "_start;main+4;f+4", "_start;main+4;n+4",
		                              "_start;main+4;n", "_start;main+4;u+4" };
	struct fixture f;

	fixture__init(&f);
	for (unsigned i = 0; i < ARRAY_SIZE(chains); i++)
		fixture__sample(&f, chains[i], 10);
	CHECK_STR(ends(&f, 1), "complete 4");
	const struct health_leaves leaves = health__leaves(&f.profile.health);

	CHECK_EQ(leaves.nr, 4);
	CHECK_EQ(leaves.frameless, 2);
	CHECK_EQ(leaves.not_known, 1);
	fixture__exit(&f);
}

static bool is_second(const void *ctx, const struct row *row)
{
	return row->node != *(const u32 *)ctx;
}

TEST(health_of_the_rows_that_pass_a_filter)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "_start;main+4;n+4;f", 10);
	fixture__sample(&f, "_start;main+4;f", 10);
	fixture__sample(&f, "_start;main+4;f", 10);
	fixture__profile(&f, 1);
	const u32 first = f.profile.rows[0].node;
	const struct row_filter filter = { is_second, &first };

	health__judge(&f.profile, &f.session, f.symbols, &filter);
	CHECK_EQ(f.profile.health.nr, 1);
	CHECK_EQ(f.profile.health.entries[0].end, CHAIN_COMPLETE);
	CHECK_EQ(f.profile.health.entries[0].nr, 2);
	CHECK_EQ(health__leaves(&f.profile.health).nr, 2);
	/* By another one, and by the first again. */
	health__judge(&f.profile, &f.session, f.symbols, NULL);
	CHECK_EQ(f.profile.health.nr, 2);
	CHECK_EQ(f.profile.health.entries[0].end, CHAIN_COMPLETE);
	CHECK_EQ(f.profile.health.entries[0].nr, 2);
	CHECK_EQ(f.profile.health.entries[1].end, CHAIN_GAP);
	CHECK_EQ(f.profile.health.entries[1].nr, 1);
	CHECK_EQ(f.profile.health.nr_hidden, 0);
	CHECK_EQ(health__leaves(&f.profile.health).nr, 3);
	health__judge(&f.profile, &f.session, f.symbols, &filter);
	CHECK_EQ(f.profile.health.nr, 1);
	CHECK_EQ(f.profile.health.entries[0].nr, 2);
	CHECK_EQ(f.profile.health.nr_hidden, 1);
	CHECK_EQ(health__leaves(&f.profile.health).nr, 2);
	fixture__exit(&f);
}

/* What is said of the address of "?7", as a frame; valid until the next call. */
static const char *unmapped(struct fixture *f, const char *place)
{
	static struct out out;
	struct chain_ends of;
	u32 loc = 0;

	chain_ends__init(&of, &f->profile);
	while (loc < f->profile.nr_locs && (f->profile.locs[loc].dso != ID_NONE ||
	                                    f->profile.locs[loc].addr != fixture__addr(place)))
		loc++;
	out__exit(&out);
	out__init(&out, -1);
	health_text__unmapped(&out, fixture__addr(place), chain_ends__at(&of, loc), &f->session);
	chain_ends__exit(&of);
	return out__take(&out);
}

TEST(health_why_a_chain_ends_where_nothing_is_mapped)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "?7;g;f", 10);
	fixture__sample(&f, "?7;g+4", 10);
	fixture__sample(&f, "?8;_start;main;f", 10);
	fixture__sample(&f, "?8;_start;main+4;n+4;f", 10); /* a gap is no end */
	fixture__sample(&f, "?9;g", 10);
	fixture__sample(&f, "?9;_start;main;g", 10);
	fixture__sample(&f, "_start;main;?6;f", 10); /* in the middle */
	ends(&f, 2);
	CHECK_STR(unmapped(&f, "?7"), "[nothing is mapped at 0x7, where prog returns to]");
	CHECK_STR(unmapped(&f, "?8"), "[no caller: the thread starts below 0x8]");
	CHECK_STR(unmapped(&f, "?9"), "[nothing is mapped at 0x9]"); /* for both reasons */
	CHECK_STR(unmapped(&f, "?6"), "[nothing is mapped at 0x6]");
	fixture__exit(&f);
}

TEST(health_chains_cut_by_max_stack)
{
	struct fixture f;

	fixture__init(&f);
	f.options.max_stack = 2;
	fixture__sample(&f, "_start;main;f", 10);
	fixture__sample(&f, "_start;main;f", 10);
	fixture__sample(&f, "_start;main", 10);
	CHECK_STR(ends(&f, 1), "complete 1, depth limit of --max-stack 2");
	fixture__exit(&f);
}

/* 127 frames, the outermost of which is @outermost. */
static void deep_sample(struct fixture *f, const char *outermost, unsigned nr)
{
	u64 chain[200] = { PERF_CONTEXT_USER };

	for (unsigned i = 1; i <= nr; i++)
		chain[i] = fixture__addr(i == nr ? outermost : "f+4");
	fixture__raw_sample(f, chain[1], chain, nr + 1, 1);
}

TEST(health_chains_as_long_as_the_recording_allowed)
{
	struct fixture f;

	fixture__init(&f);
	deep_sample(&f, "main", 127);
	deep_sample(&f, "_start", 127);
	deep_sample(&f, "main", 126);
	deep_sample(&f, "?7", 127); /* was lost before */
	CHECK_STR(ends(&f, 1), "complete 1, depth limit of the recording prog 1, "
	                       "address that is not mapped prog 1, frame pointer lost prog 1");
	fixture__exit(&f);
}

TEST(health_an_entry_that_is_no_address_ends_the_chain)
{
	const u64 chain[] = { PERF_CONTEXT_USER, fixture__addr("f"), fixture__addr("main"),
		              (u64)-5 };
	struct fixture f;

	fixture__init(&f);
	fixture__raw_sample(&f, chain[1], chain, ARRAY_SIZE(chain), 1);
	CHECK_STR(ends(&f, 1), "address that is not mapped prog 1");
	fixture__exit(&f);
}

/* Called from the kernel: clone3() is where a new thread starts, and where its parent waits. */
TEST(health_kernel_frames_below_the_user_s)
{
	const u64 chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000010u, PERF_CONTEXT_USER,
		              fixture__addr("clone3"), 0x7 };
	struct fixture f;

	fixture__init(&f);
	fixture__raw_sample(&f, chain[1], chain, ARRAY_SIZE(chain), 1);
	fixture__raw_sample(&f, chain[1], chain, 2, 1); /* nothing tells the kernel's names here */
	CHECK_STR(ends(&f, 1), "address that is not mapped prog 1, address that is not mapped 1");
	fixture__exit(&f);
}

TEST_WITH_THREADS(health_does_not_depend_on_the_number_of_workers)
{
	char one[512] = "";

	for (unsigned workers = 1; workers <= 7; workers += 3) {
		struct fixture f;

		fixture__init(&f);
		for (unsigned i = 0; i < 30000; i++)
			fixture__sample(&f,
			                i % 3   ? "_start;main;f"
			                : i % 2 ? "?7;g"
			                : i % 4 ? "_start;main+4;n+4;f"
			                        : "main;z",
			                i);
		const char *text = ends(&f, workers);

		if (workers == 1)
			snprintf(one, sizeof(one), "%s", text);
		CHECK_STR(text, one);
		CHECK(perf_data__nr_blocks(f.session.data) > 1);
		fixture__exit(&f);
	}
	CHECK_STR(one, "complete 20000, address that is not mapped prog 5000, "
	               "frame pointer lost prog 2500, may lack callers in the middle prog 2500");
}

static const struct health_entry some_entries[] = {
	{ .end = CHAIN_COMPLETE, .where = ID_NONE, .nr = 10 },
	{ .end = CHAIN_NOT_KNOWN, .where = 7, .nr = 50 },
	{ .end = CHAIN_GAP_NOT_KNOWN, .where = 7, .nr = 1 },
	{ .end = CHAIN_CUT_COPY, .where = 1, .nr = 6 },
	{ .end = CHAIN_NO_TABLES, .where = 2, .nr = 5 },
	{ .evsel = 1, .end = CHAIN_NO_TABLES, .where = 3, .nr = 4 },
	/* these have one advice */
	{ .end = CHAIN_LEFT_STACK, .where = 1, .nr = 4 },
	{ .end = CHAIN_UNMAPPED, .where = 2, .nr = 3 },
	{ .evsel = 1, .end = CHAIN_LEFT_STACK, .where = 2, .nr = 3 },
	{ .end = CHAIN_GAP, .where = 1, .nr = 11 },
};

static void add_entries(struct health *health, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		health__add(health, &some_entries[i]);
}

TEST(health_sums_and_the_first_cause)
{
	struct health health = { .nr = 0 };
	struct health_cause first;
	struct health_sums sums;

	CHECK(!health__first_cause(&health, &first));
	add_entries(&health, 0, 1);
	CHECK(!health__first_cause(&health, &first));
	add_entries(&health, 1, 3);
	CHECK(health__first_cause(&health, &first));
	CHECK_EQ(first.entry->end, CHAIN_NOT_KNOWN);
	add_entries(&health, 3, 6);
	CHECK(health__first_cause(&health, &first));
	CHECK_EQ(first.entry->end, CHAIN_NO_TABLES);
	CHECK_EQ(first.nr, 9);
	CHECK_EQ(first.where, 2);
	CHECK_EQ(first.nr_where, 5);
	health__sum(&health, -1, &sums);
	CHECK_EQ(sums.nr, 76);
	CHECK_EQ(sums.not_complete, 15);
	CHECK_EQ(sums.not_known, 51);
	health__sum(&health, 1, &sums);
	CHECK_EQ(sums.nr, 4);
	health__exit(&health);
}

TEST(health_a_cause_has_the_share_of_what_it_names)
{
	struct health health = { .nr = 0 };
	struct health_cause first;

	add_entries(&health, 0, 9);
	CHECK(health__first_cause(&health, &first));
	CHECK_EQ(first.entry->end, CHAIN_LEFT_STACK);
	CHECK_EQ(first.entry->where, 1);
	CHECK_EQ(first.nr, 10);
	CHECK_EQ(first.where, 2); /* two entries of it are more than the largest one */
	CHECK_EQ(first.nr_where, 6);
	add_entries(&health, 9, 10);
	CHECK(health__first_cause(&health, &first));
	CHECK_EQ(first.entry->end, CHAIN_GAP);
	CHECK_EQ(first.nr, 11);
	CHECK_EQ(first.nr_where, 11);
	health__exit(&health);
}

static const char *share(u64 part, u64 whole)
{
	static struct out out;

	out__exit(&out);
	out__init(&out, -1);
	health_text__share(&out, part, whole);
	return out__take(&out);
}

TEST(health_shares_are_never_rounded_to_all_or_nothing)
{
	CHECK_STR(share(0, 10), "0");
	CHECK_STR(share(10, 10), "100");
	CHECK_STR(share(9999, 10000), "99.9");
	CHECK_STR(share(1, 10000), "under 0.1");
	CHECK_STR(share(93, 100), "93");
	CHECK_STR(share(5, 100), "5.0");
	CHECK_STR(share(0, 0), "0");
}

TEST(start_functions_have_names)
{
	CHECK_EQ(start_kind__of_name("_start"), START_THREAD);
	CHECK_EQ(start_kind__of_name("__libc_start_call_main"), START_THREAD);
	CHECK_EQ(start_kind__of_name("__libc_start_main@@GLIBC_2.34"), START_THREAD);
	CHECK_EQ(start_kind__of_name("runtime.goexit.abi0"), START_THREAD);
	CHECK_EQ(start_kind__of_name("_start_here"), START_NOT);
	CHECK_EQ(start_kind__of_name("main"), START_NOT);
	CHECK_EQ(start_kind__of_name("clone3"), START_CLONE);
	CHECK_EQ(start_kind__of_kernel("ret_from_fork_asm"), START_CLONE);
	CHECK_EQ(start_kind__of_kernel("entry_SYSCALL_64_after_hwframe"), START_THREAD);
	CHECK_EQ(start_kind__of_kernel("asm_exc_page_fault"), START_THREAD);
	CHECK_EQ(start_kind__of_kernel("schedule"), START_NOT);
}
