// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile made in one pass is the profile made in two. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/builder.h"
#include "util/profile/key.h"
#include "util/profile/profile.h"
#include "util/profile/sample_counts.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define SAMPLES_OF_BLOCK (512 * 1024 / 48)

static u64 random_state;

static u32 random_below(u32 n)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 33) % n;
}

static const struct profile_options options = { .max_stack = 127, .workers = 2, .cpu = true };

struct recording {
	struct file_builder file;
	struct built_sample s;
};

static void recording__init(struct recording *r)
{
	struct perf_event_attr attr = built_attr(TYPE);

	random_state = 3;
	*r = (struct recording){ .s = { .pid = 100, .tid = 100, .time = 1000, .period = 1 } };
	file_builder__init(&r->file, false);
	file_builder__event(&r->file, &attr, NULL, 0);
	builder__comm(&r->file.data, TYPE, &r->s, "old");
	builder__mmap2(&r->file.data, TYPE, &r->s, PERF_RECORD_MISC_USER, 0x1000, 0x10000, 0,
	               "/bin/a");
}

/* Samples of @addresses different places in two processes, times going on a little out of order. */
static void recording__samples(struct recording *r, u32 nr, u32 addresses)
{
	for (u32 i = 0; i < nr; i++) {
		struct built_sample s = r->s;

		r->s.time += 10;
		s.time = r->s.time - random_below(30);
		s.ip = 0x1000 + random_below(addresses);
		s.pid = s.tid = 100 + random_below(2);
		s.cpu = random_below(2);
		builder__sample(&r->file.data, TYPE,
		                random_below(4) ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL,
		                &s);
	}
}

struct sum {
	struct loc loc;
	u32 thread, comm, cpu;
	u64 count, period;
};

static int compare_sums(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct sum, count));
}

/* What the rows say, each thing once. */
static struct sum *sums_of(const struct profile *profile, u32 *nr)
{
	struct sum *sums = calloc(profile->nr_rows + 1, sizeof(*sums));
	u32 last = 0;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];

		sums[i].loc = profile->locs[row->leaf_loc];
		sums[i].thread = row->thread;
		sums[i].comm = row->comm;
		sums[i].cpu = row->cpu;
		sums[i].count = row->count;
		sums[i].period = row->period;
	}
	qsort(sums, profile->nr_rows, sizeof(*sums), compare_sums);
	for (u64 i = 1; i < profile->nr_rows; i++) {
		if (compare_sums(&sums[i], &sums[last])) {
			sums[++last] = sums[i];
			continue;
		}
		sums[last].count += sums[i].count;
		sums[last].period += sums[i].period;
	}
	*nr = profile->nr_rows ? last + 1 : 0;
	return sums;
}

static void check_equal(const struct profile *one, const struct profile *two)
{
	u32 nr_one, nr_two;
	struct sum *a = sums_of(one, &nr_one), *b = sums_of(two, &nr_two);

	CHECK_EQ(one->nr_samples, two->nr_samples);
	CHECK_EQ(one->nr_filtered, two->nr_filtered);
	CHECK_EQ(one->problems.nr_broken, two->problems.nr_broken);
	CHECK_EQ(one->problems.nr_clock_misses, two->problems.nr_clock_misses);
	CHECK_EQ(nr_one, nr_two);
	for (u32 i = 0; i < nr_one && i < nr_two && !unit__has_failed(); i++) {
		CHECK(!compare_sums(&a[i], &b[i]));
		CHECK_EQ(a[i].count, b[i].count);
		CHECK_EQ(a[i].period, b[i].period);
	}
	free(a);
	free(b);
}

/* Both ways. How many blocks need not be read again, of how many. */
static void check_recording(struct recording *r, const struct profile_options *with, u32 *saved,
                            u32 *nr_blocks)
{
	const char *path = file_builder__write(&r->file, "perf.data");
	struct session session, twice;
	struct profile one, two;

	CHECK_EQ(session__open(&session, path, 0, NULL), 0);
	CHECK_EQ(session__open(&twice, path, 0, NULL), 0);
	CHECK_EQ(profile__scan_and_build(&one, &session, with, NULL), 0);
	CHECK_EQ(session__scan(&twice, NULL), 0);
	CHECK_EQ(profile__build(&two, &twice, with, NULL), 0);
	check_equal(&one, &two);
	*nr_blocks = perf_data__nr_blocks(session.data);
	profile__exit(&one);
	profile__exit(&two);
	session__close(&session);
	session__close(&twice);

	/* And the tally alone. */
	struct counted_rows rows = { .intern.nr_rows = 0 };

	CHECK_EQ(session__open(&session, path, 0, NULL), 0);
	struct sample_counts *sample_counts = sample_counts__new(&session, with);
	struct session_watch watch = sample_counts__watch(sample_counts);

	CHECK_EQ(session__scan_watched(&session, &watch, NULL), 0);
	struct resolver *resolver = resolver__new(session.host, &session.dsos);

	intern__init(&rows.intern, 0, 0);
	rows.threads = row_threads__new(session.host, with);
	sample_counts__settle(sample_counts, resolver, &rows);
	*saved = 0;
	for (u32 i = 0; i < *nr_blocks; i++)
		*saved += sample_counts__has_block(sample_counts, i);
	CHECK(!sample_counts__has_block(sample_counts, *nr_blocks));
	resolver__delete(resolver);
	row_threads__delete(rows.threads);
	intern__exit(&rows.intern);
	sample_counts__delete(sample_counts);
	session__close(&session);
}

TEST_WITH_THREADS(sample_counts_of_a_program_that_stays_what_it_is)
{
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	recording__samples(&r, 6 * SAMPLES_OF_BLOCK, 500);
	check_recording(&r, &options, &saved, &nr);
	CHECK(nr >= 6);
	CHECK_EQ(saved, nr - 1); /* not the one where it started */
	file_builder__exit(&r.file);
}

TEST_WITH_THREADS(sample_counts_with_filters)
{
	static u8 cpus[] = { 0, 1 };
	struct time_range range = { 100000, UINT64_MAX };
	struct profile_options with = options;
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	recording__samples(&r, 4 * SAMPLES_OF_BLOCK, 500);
	with.filter.cpu_set = cpus;
	with.filter.nr_cpu_set = 2;
	with.filter.times = (struct time_ranges){ &range, 1 };
	check_recording(&r, &with, &saved, &nr);
	CHECK(saved > 0);
	file_builder__exit(&r.file);
}

/* Records that change what samples mean, behind samples that they change the meaning of. */
TEST_WITH_THREADS(sample_counts_of_a_program_that_becomes_another)
{
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	for (unsigned part = 0; part < 12; part++) {
		struct built_sample at;

		recording__samples(&r, SAMPLES_OF_BLOCK / 3 + random_below(3 * SAMPLES_OF_BLOCK),
		                   500);
		at = r.s;
		at.time -= random_below(200) * 10;
		if (part % 3 == 0)
			builder__comm(&r.file.data, TYPE, &at, part % 2 ? "new" : "old");
		else if (part % 3 == 1)
			builder__mmap2(&r.file.data, TYPE, &at, PERF_RECORD_MISC_USER, 0x1000,
			               0x100, 0, part % 2 ? "/bin/b" : "/bin/c");
		else
			builder__task(&r.file.data, TYPE, &at, PERF_RECORD_FORK, 1, 1);
	}
	recording__samples(&r, 5 * SAMPLES_OF_BLOCK, 500);
	check_recording(&r, &options, &saved, &nr);
	CHECK(saved >= 3);
	CHECK(saved < nr - 8);
	file_builder__exit(&r.file);
}

/* The change comes one whole block later than the samples that it changes. */
TEST_WITH_THREADS(sample_counts_learns_of_a_change_later)
{
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	recording__samples(&r, 4 * SAMPLES_OF_BLOCK, 500);
	struct built_sample at = r.s;

	recording__samples(&r, 2 * SAMPLES_OF_BLOCK, 500);
	builder__comm(&r.file.data, TYPE, &at, "new");
	recording__samples(&r, 5 * SAMPLES_OF_BLOCK, 500);
	check_recording(&r, &options, &saved, &nr);
	CHECK(saved > 0);
	CHECK(saved < nr - 4);
	file_builder__exit(&r.file);
}

/* What is tallied first is not what was first. */
TEST_WITH_THREADS(sample_counts_of_an_address_seen_after_and_then_before_a_change)
{
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	recording__samples(&r, 4 * SAMPLES_OF_BLOCK, 500);
	struct built_sample s = r.s, change = r.s;

	s.pid = s.tid = change.pid = change.tid = 200; /* everything else stays clear */
	s.time = r.s.time + 2000;
	change.time = r.s.time + 1500;
	builder__sample(&r.file.data, TYPE, PERF_RECORD_MISC_USER, &s);
	s.time = r.s.time + 1000;
	builder__sample(&r.file.data, TYPE, PERF_RECORD_MISC_USER, &s);
	r.s.time += 3000;
	recording__samples(&r, 2 * SAMPLES_OF_BLOCK, 500);
	builder__comm(&r.file.data, TYPE, &change, "new");
	check_recording(&r, &options, &saved, &nr);
	file_builder__exit(&r.file);
}

/* Programs that start, are another and end, in each block: who stays what it is is not read again.
 */
TEST_WITH_THREADS(sample_counts_beside_programs_that_start)
{
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	for (u32 pid = 200; pid < 320; pid++) {
		struct built_sample s = r.s;

		s.pid = s.tid = pid;
		builder__task(&r.file.data, TYPE, &s, PERF_RECORD_FORK, 1, 1);
		for (u32 i = 0; i < 20; i++) {
			s.time = r.s.time + 100 * (i + 1); /* not that of the fork */
			s.ip = 0x1000 + i;
			if (i == 10)
				builder__comm(&r.file.data, TYPE, &s, "new");
			else
				builder__sample(&r.file.data, TYPE, PERF_RECORD_MISC_USER, &s);
		}
		r.s.time += 3000;
		recording__samples(&r, SAMPLES_OF_BLOCK / 6, 500);
	}
	check_recording(&r, &options, &saved, &nr);
	CHECK(nr >= 18);
	CHECK(saved >= nr - 2);
	file_builder__exit(&r.file);
}

TEST_WITH_THREADS(sample_counts_of_samples_that_are_all_different)
{
	struct recording r;
	u32 saved, nr;

	recording__init(&r);
	recording__samples(&r, 8 * SAMPLES_OF_BLOCK, 1u << 30);
	check_recording(&r, &options, &saved, &nr);
	CHECK(saved <= 1);
	file_builder__exit(&r.file);
}

TEST(sample_counts_is_not_for_chains_nor_for_files_without_times)
{
	struct perf_event_attr attr = built_attr(TYPE & ~(u64)PERF_SAMPLE_TIME);
	struct profile_options chains = options;
	struct recording r;
	struct file_builder timeless;
	struct session session;

	recording__init(&r);
	chains.chains = true;
	CHECK_EQ(session__open(&session, file_builder__write(&r.file, "perf.data"), 0, NULL), 0);
	CHECK(!sample_counts__new(&session, &chains));
	session__close(&session);
	file_builder__exit(&r.file);
	file_builder__init(&timeless, false);
	file_builder__event(&timeless, &attr, NULL, 0);
	CHECK_EQ(session__open(&session, file_builder__write(&timeless, "perf.data"), 0, NULL), 0);
	CHECK(!sample_counts__new(&session, &options));
	session__close(&session);
	file_builder__exit(&timeless);
}

/* Threads share rows, and processes of one name do where they are at the same place. */
TEST(profile_with_any_thread_of_two_programs_of_one_name)
{
	struct profile_options with = options;
	struct recording r;
	struct session session;
	struct profile profile;

	recording__init(&r);
	r.s.pid = r.s.tid = 101;
	builder__comm(&r.file.data, TYPE, &r.s, "old");
	builder__mmap2(&r.file.data, TYPE, &r.s, PERF_RECORD_MISC_USER, 0x1000, 0x10000, 0,
	               "/bin/b");
	for (u32 i = 0; i < 30; i++) {
		r.s.time++;
		r.s.ip = 0x1000;
		r.s.pid = r.s.tid = 100 + (i % 3 == 0);
		builder__sample(&r.file.data, TYPE, PERF_RECORD_MISC_USER, &r.s);
	}
	with.any_thread = true;
	CHECK_EQ(session__open(&session, file_builder__write(&r.file, "perf.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	CHECK_EQ(profile__build(&profile, &session, &with, NULL), 0);
	CHECK_EQ(profile.nr_rows, 2);
	for (u32 i = 0; i < profile.nr_rows; i++) {
		u32 dso = profile.locs[profile.rows[i].leaf_loc].dso;
		const char *name =
		        strtab__get(&session.strings, dsos__at(&session.dsos, dso)->name);

		CHECK_EQ(profile.rows[i].count, strcmp(name, "/bin/b") ? 20 : 10);
	}
	profile__exit(&profile);
	session__close(&session);
	file_builder__exit(&r.file);
}

/* ---- what is settled during the scan ---- */

#define ROUND   500 /* samples */
#define STEP_NS 1000

static const struct profile_options early_options = {
	.max_stack = 127, .workers = 2, .cpu = true, .any_thread = true, .settle_early = 300
};

struct told_sum {
	char comm[16], last_comm[16];
	struct sum sum;
};

static int compare_told(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct told_sum, sum.count));
}

/* The tid in the place of the thread, and the name that the latest of that number had last. */
static void tell_thread(const struct session *session, const struct profile *profile,
                        struct told_sum *told, u32 thread)
{
	const struct machine *machine = session->host;
	const struct moment end = { UINT64_MAX, UINT64_MAX };
	s32 tid = machine__thread(machine, thread)->tid;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		u32 other = profile->rows[i].thread;

		if (machine__thread(machine, other)->tid == tid &&
		    machine__made(machine, other) > machine__made(machine, thread))
			thread = other;
	}
	told->sum.thread = machine__thread(session->host, thread)->tid;
	snprintf(told->last_comm, sizeof(told->last_comm), "%s",
	         strtab__get(&session->strings, machine__comm_at(session->host, thread, end)));
}

/* By names, as numbers of threads and strings depend on when they were made. */
static struct told_sum *told_sums(const struct session *session, const struct profile *profile,
                                  const struct profile_options *with, u32 *nr)
{
	struct sum *sums = sums_of(profile, nr);
	struct told_sum *told = calloc(*nr + 1, sizeof(*told));
	u32 last = 0;

	for (u32 i = 0; i < *nr; i++) {
		snprintf(told[i].comm, sizeof(told->comm), "%s",
		         strtab__get(&session->strings, sums[i].comm));
		memcpy(&told[i].sum, &sums[i], sizeof(*sums));
		told[i].sum.thread = told[i].sum.comm = 0;
		if (!with->any_thread)
			tell_thread(session, profile, &told[i], sums[i].thread);
	}
	qsort(told, *nr, sizeof(*told), compare_told);
	for (u32 i = 1; i < *nr; i++) {
		if (compare_told(&told[i], &told[last])) {
			told[++last] = told[i];
			continue;
		}
		told[last].sum.count += told[i].sum.count;
		told[last].sum.period += told[i].sum.period;
	}
	*nr = *nr ? last + 1 : 0;
	free(sums);
	return told;
}

static void check_told_equal(const struct session *one, const struct profile *by_one,
                             const struct session *two, const struct profile *by_two,
                             const struct profile_options *with)
{
	u32 nr_one, nr_two;
	struct told_sum *a = told_sums(one, by_one, with, &nr_one);
	struct told_sum *b = told_sums(two, by_two, with, &nr_two);

	CHECK_EQ(by_one->nr_samples, by_two->nr_samples);
	CHECK_EQ(by_one->nr_filtered, by_two->nr_filtered);
	CHECK_EQ(by_one->problems.nr_broken, by_two->problems.nr_broken);
	CHECK_EQ(by_one->problems.nr_clock_misses, by_two->problems.nr_clock_misses);
	CHECK_EQ(nr_one, nr_two);
	for (u32 i = 0; i < nr_one && i < nr_two && !unit__has_failed(); i++) {
		CHECK(!compare_told(&a[i], &b[i]));
		CHECK_EQ(a[i].sum.count, b[i].sum.count);
		CHECK_EQ(a[i].sum.period, b[i].sum.period);
	}
	CHECK_EQ(one->stats.nr_broken, two->stats.nr_broken);
	CHECK(!memcmp(one->stats.nr_records, two->stats.nr_records, sizeof(one->stats.nr_records)));
	CHECK_EQ(one->stats.samples_of[0], two->stats.samples_of[0]);
	CHECK_EQ(one->stats.first_time, two->stats.first_time);
	CHECK_EQ(one->stats.last_time, two->stats.last_time);
	free(a);
	free(b);
}

/* What grew. */
struct sizes {
	u32 kinds, threads, maps;
	bool broken;
};

static int build(struct profile *profile, struct session *session,
                 const struct profile_options *with, struct error *err)
{
	return profile__build(profile, session, with, err);
}

/* Where times must be known first: what the scan forgets is scanned again. */
static void check_scanned_before(const char *path, const struct session *twice,
                                 const struct profile *two, const struct profile_options *with)
{
	struct session session;
	struct profile profile;

	CHECK_EQ(session__open(&session, path, 0, NULL), 0);
	CHECK_EQ(profile__scan(&session, with, NULL), 0);
	CHECK_EQ(session.stats.last_time, twice->stats.last_time);
	CHECK_EQ(session.stats.samples_of[0], twice->stats.samples_of[0]);
	bool forgot = session.forgot;

	CHECK(forgot == (with->settle_early && !session.broken_promise));
	CHECK(!forgot || machine__nr_threads(session.host) < 300);
	CHECK_EQ((forgot ? profile__scan_and_build : build)(&profile, &session, with, NULL), 0);
	check_told_equal(&session, &profile, twice, two, with);
	CHECK(!forgot || machine__nr_threads(session.host) < 300);
	profile__exit(&profile);
	session__close(&session);
}

static struct sizes check_early(struct recording *r, const struct profile_options *with)
{
	const char *path = file_builder__write(&r->file, "perf.data");
	struct session session, twice;
	struct profile one, two;
	struct sizes sizes = { 0 };

	CHECK_EQ(session__open(&session, path, 0, NULL), 0);
	CHECK_EQ(session__open(&twice, path, 0, NULL), 0);
	CHECK_EQ(profile__scan_and_build(&one, &session, with, NULL), 0);
	CHECK_EQ(session__scan(&twice, NULL), 0);
	CHECK_EQ(profile__build(&two, &twice, with, NULL), 0);
	check_told_equal(&session, &one, &twice, &two, with);
	check_scanned_before(path, &twice, &two, with);
	sizes.kinds = one.most_kinds;
	sizes.threads = machine__nr_threads(session.host);
	machine__maps(session.host, &sizes.maps);
	sizes.broken = session.broken_promise;
	profile__exit(&one);
	profile__exit(&two);
	session__close(&session);
	session__close(&twice);
	return sizes;
}

static void recording__round(struct recording *r)
{
	builder__end(&r->file.data, builder__begin(&r->file.data, RECORD_FINISHED_ROUND, 0));
}

/* Who starts, maps something, calls itself something and exits; @late records are not in order. */
static void recording__program(struct recording *r, s32 pid, u32 late)
{
	struct built_sample s = r->s;
	bool silent = !random_below(4); /* it takes the pid away, and has no samples */

	for (u32 i = 0; i < ROUND; i++) {
		r->s.time += STEP_NS;
		s.time = r->s.time - (late ? random_below(late) * STEP_NS : 0);
		s.pid = s.tid = pid;
		if (i == 0) {
			builder__task(&r->file.data, TYPE, &s, PERF_RECORD_FORK, 100, 100);
		} else if (i == 10) {
			builder__comm(&r->file.data, TYPE, &s, pid % 3 ? "new" : "other");
		} else if (i == ROUND - 200 && late) {
			builder__comm(&r->file.data, TYPE, &s, "later");
		} else if (i == 20) {
			builder__mmap2(&r->file.data, TYPE, &s, PERF_RECORD_MISC_USER, 0x1000,
			               0x100, 0, pid % 2 ? "/bin/b" : "/bin/c");
		} else if (i == ROUND - 10) {
			builder__task(&r->file.data, TYPE, &s, PERF_RECORD_EXIT, 100, 100);
		} else {
			s.pid = s.tid = random_below(3) && !silent ? pid : 100;
			s.ip = 0x1000 + random_below(4) * 0x50;
			s.cpu = random_below(2);
			builder__sample(&r->file.data, TYPE, PERF_RECORD_MISC_USER, &s);
		}
	}
	recording__round(r);
}

static void recording__programs(struct recording *r, u32 nr, u32 late)
{
	r->s.time += late * STEP_NS; /* so that none is before the beginning */
	for (u32 i = 0; i < nr; i++)
		recording__program(r, 200 + random_below(20), late);
}

static void check_growth(const struct profile_options *with)
{
	struct sizes sizes[2];

	for (u32 i = 0; i < 2; i++) {
		struct recording r;

		recording__init(&r);
		recording__programs(&r, i ? 2000 : 400, 0);
		sizes[i] = check_early(&r, with);
		CHECK(!sizes[i].broken);
		file_builder__exit(&r.file);
	}
	CHECK(sizes[0].threads < 300);
	CHECK(sizes[1].kinds <= sizes[0].kinds + sizes[0].kinds / 4);
	CHECK(sizes[1].threads <= sizes[0].threads + sizes[0].threads / 4);
	CHECK(sizes[1].maps <= sizes[0].maps + sizes[0].maps / 4);
}

TEST_WITH_THREADS(sample_counts_and_the_machine_do_not_grow_with_the_file)
{
	check_growth(&early_options);
}

/* Rows name threads by their numbers, which are given again; and by how they were called last. */
TEST_WITH_THREADS(profile_by_number_does_not_grow_with_the_file)
{
	struct profile_options by_number = early_options;

	by_number.any_thread = false;
	by_number.by_number = true;
	check_growth(&by_number);
}

/* Nothing is counted during the scan then: it is read, by all workers. */
TEST_WITH_THREADS(profile_with_keys_of_samples_does_not_grow_with_the_file)
{
	struct key *time = key_time__new(1ull << 40);
	const struct key *keys[] = { time };
	struct profile_options with = early_options;

	with.sample_keys = keys;
	with.nr_sample_keys = 1;
	for (u32 i = 0; i < 2; i++) {
		check_growth(&with);
		with.any_thread = false;
		with.by_number = true;
	}
	free(time);
}

TEST_WITH_THREADS(profile_with_chains_does_not_grow_with_the_file)
{
	struct profile_options with = early_options;

	with.chains = true;
	check_growth(&with);
}

/* As late as rounds allow. */
TEST_WITH_THREADS(sample_counts_settled_early_of_records_that_are_late)
{
	struct profile_options with = early_options;

	for (u32 i = 0; i < 4; i++) {
		struct recording r;

		with.any_thread = i % 2;
		with.by_number = true;
		with.chains = i / 2;
		with.settle_early = 50; /* after each block */
		recording__init(&r);
		recording__programs(&r, 800, ROUND / 2);
		struct sizes sizes = check_early(&r, &with);

		CHECK(!sizes.broken);
		CHECK(sizes.threads < 300);
		file_builder__exit(&r.file);
	}
}

/* Each kind of record in its turn, and a sample. */
TEST_WITH_THREADS(sample_counts_settled_early_where_a_promise_is_broken)
{
	for (u32 kind = 0; kind < 6; kind++) {
		struct recording r;

		recording__init(&r);
		recording__programs(&r, 300, 0);
		struct built_sample at = r.s;

		at.time = kind == 5 ? 0 : 1000 + STEP_NS * ROUND * 150;
		at.pid = at.tid = 205;
		at.ip = 0x1000;
		if (kind == 0)
			builder__comm(&r.file.data, TYPE, &at, "late");
		else if (kind == 1 || kind == 5)
			builder__mmap2(&r.file.data, TYPE, &at, PERF_RECORD_MISC_USER, 0x1000,
			               0x100, 0, "/bin/late");
		else if (kind == 2 || kind == 3)
			builder__task(&r.file.data, TYPE, &at,
			              kind == 2 ? PERF_RECORD_FORK : PERF_RECORD_EXIT, 100, 100);
		else
			builder__sample(&r.file.data, TYPE, PERF_RECORD_MISC_USER, &at);
		recording__programs(&r, 100, 0);
		CHECK(check_early(&r, &early_options).broken);
		file_builder__exit(&r.file);
	}
}

/* Then all kinds wait, and who ever was is there. */
TEST_WITH_THREADS(sample_counts_without_early_settling)
{
	struct profile_options never = early_options;
	struct recording r;

	recording__init(&r);
	recording__programs(&r, 400, 0);
	never.settle_early = 0;
	struct sizes early = check_early(&r, &early_options), late = check_early(&r, &never);

	CHECK(late.kinds > 2 * early.kinds);
	CHECK(late.threads >= 400 && late.maps >= 400);
	file_builder__exit(&r.file);
}
