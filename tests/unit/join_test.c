// SPDX-License-Identifier: GPL-2.0-or-later
/* Several recordings as one profile. Rows and values: tests/cli/report-sum.sh. */

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/format/record.h"
#include "util/sum/join.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define TID 701 /* of a thread first, then of a process */

static const struct profile_options options = {
	.chains = true, .max_stack = 127, .workers = 1, .by_number = true, .settle_early = 50
};

/* Who starts, works and exits: 500 samples, and the end of a round. */
static void add_program(struct file_builder *f, struct built_sample *s, u32 pid, u32 tid,
                        const char *comm)
{
	s->pid = pid;
	s->tid = tid;
	builder__task(&f->data, TYPE, s, PERF_RECORD_FORK, 1, 1);
	builder__comm(&f->data, TYPE, s, comm);
	for (u32 i = 0; i < 500; i++) {
		s->time += 10000;
		s->ip = 0x1000 + i;
		builder__sample(&f->data, TYPE, PERF_RECORD_MISC_USER, s);
	}
	builder__task(&f->data, TYPE, s, PERF_RECORD_EXIT, 1, 1);
	builder__end(&f->data, builder__begin(&f->data, RECORD_FINISHED_ROUND, 0));
}

/* Pids are given again and again; @storm: often enough for many to be forgotten. */
static void build(struct session *session, struct profile *profile, u32 storm)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct built_sample s = { .time = 1000000, .period = 1 };
	struct file_builder f;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, NULL, 0);
	for (u32 i = 0; i < 4 * storm; i++) {
		if (i == 2 * storm - 1)
			add_program(&f, &s, 700, TID, "older");
		if (i == 4 * storm - 1)
			add_program(&f, &s, TID, TID, "newer");
		add_program(&f, &s, 200 + i % storm, 200 + i % storm, "storm");
	}
	const char *path = file_builder__write(&f, storm ? "second.data" : "first.data");

	CHECK_EQ(session__open(session, path, 0, NULL), 0);
	CHECK_EQ(profile__scan_and_build(profile, session, &options, NULL), 0);
	file_builder__exit(&f);
}

/* Of the threads of TID that rows have: the first or the last that was made. */
static u32 find_thread(const struct session *session, const struct profile *profile, bool last)
{
	const struct machine *machine = session->host;
	u32 found = ID_NONE;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		u32 thread = profile->rows[i].thread;

		if (machine__thread(machine, thread)->tid == TID &&
		    (found == ID_NONE ||
		     (machine__made(machine, thread) > machine__made(machine, found)) == last))
			found = thread;
	}
	return found;
}

static const char *last_comm(const struct session *session, u32 thread)
{
	const struct moment end = { UINT64_MAX, UINT64_MAX };

	return strtab__get(&session->strings, machine__comm_at(session->host, thread, end));
}

/* The numbers of what was forgotten are given again: they tell no age. */
TEST(join_keeps_the_order_in_which_threads_were_made)
{
	struct session session, of;
	struct profile profile, more;
	struct join_notes notes;

	build(&session, &profile, 0);
	build(&of, &more, 40);
	u32 older = find_thread(&of, &more, false), newer = find_thread(&of, &more, true);

	CHECK_STR(last_comm(&of, older), "older");
	CHECK_STR(last_comm(&of, newer), "newer");
	CHECK(newer < older); /* else this shows nothing */
	profile__join(&profile, &session, &more, &of, &options, &notes);
	CHECK_STR(last_comm(&session, find_thread(&session, &profile, false)), "older");
	CHECK_STR(last_comm(&session, find_thread(&session, &profile, true)), "newer");
	profile__exit(&profile);
	profile__exit(&more);
	session__close(&session);
	session__close(&of);
}
