// SPDX-License-Identifier: GPL-2.0-or-later
/* Lockstep is looked for in each thread by itself, whatever the order of samples and rows. */
#include "util/view/event_lockstep.h"

#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "util/lib/lockstep.h"
#include "util/view/view.h"

#define PERIOD 1000000u
#define EACH   (4 * LOCKSTEP_SAMPLES_MIN)

static u64 moment_of_sample(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->time;
}

static const struct key moment = {
	.name = "moment", .heading = "Moment", .scope = KEY_OF_SAMPLE, .extract = moment_of_sample
};

/* @nr threads, the last first: their hits lie between each other. @rounds of them alternate. */
static void add_threads(struct fixture *f, u32 nr, u32 rounds, u32 each)
{
	for (u32 i = 0; i < each; i++)
		for (u32 thread = nr; thread-- > 0;) {
			u32 hit = thread < rounds ? i : i * 7919 % 31 * (i % 3);

			f->last.pid = 300 - thread;
			f->last.tid = 300 - thread;
			f->last.time = 1000000000 + (u64)i * PERIOD + (nr - thread) * 1000;
			fixture__sample(f, hit % 2 ? "main;f" : "main;g", PERIOD);
		}
}

static struct event_lockstep find(struct fixture *f)
{
	static const struct key *list[] = { &moment };
	struct view_options options = { .chain.mode = CHAIN_NONE };
	struct error err = ERROR_INIT;
	struct view view;

	CHECK_EQ(sort_keys__parse(&options.hists.keys, "sym", NULL, &err), 0);
	f->options.nr_sample_keys = 1;
	f->options.sample_keys = list;
	fixture__profile(f, 1);
	view__init(&view, &f->chains, &f->names, &options);
	struct event_lockstep found = event_lockstep__find(&view.hists, 0, 0, 0);

	view__exit(&view);
	fixture__exit(f);
	return found;
}

TEST(event_lockstep_is_that_of_threads)
{
	for (u32 rounds = 0; rounds <= 4; rounds++) {
		struct fixture f;

		fixture__init(&f);
		add_threads(&f, 4, rounds, EACH);
		struct event_lockstep found = find(&f);

		CHECK_EQ(found.round, rounds ? 2 : 0);
		CHECK_EQ(found.nr_samples, rounds * EACH);
	}
}

/* Threads that have less than a tenth of all are not worth a word. */
TEST(event_lockstep_of_few_is_not_told)
{
	for (u32 others = 9; others <= 10; others++) {
		struct fixture f;

		fixture__init(&f);
		add_threads(&f, 1 + others, 1, EACH);
		CHECK_EQ(find(&f).round, others == 9 ? 2 : 0);
	}
}
