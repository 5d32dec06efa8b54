// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile that is fed for hours, in the time of its records. */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/live_feed.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"

/* What is held. */
static u64 bytes(const struct live_feed *f)
{
	struct mallinfo2 info = mallinfo2();

	CHECK_EQ(f->live.profile.nr_rows > 0, !f->storm->silent);
	return info.uordblks + info.hblkhd;
}

/* On disk, by files without a name. */
static u64 spooled(void)
{
	u64 nr = 0;
	struct stat st;

	for (int fd = 3; fd < 64; fd++)
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_nlink)
			nr += st.st_blocks * 512;
	return nr;
}

#define OBJECT_SIZE 350 /* that stay of each object: its path and build-id */

/* With 40 KB of names. */
static char *build(u32 round)
{
	struct elf_builder e = { .is64 = true };
	char name[2048], file[32];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 20; i++) {
		name[0] = 'a' + i;
		elf_builder__symbol(&e, name, STB_GLOBAL, STT_FUNC, i, 1);
	}
	snprintf(file, sizeof(file), "build_%u", round);
	char *path = elf_builder__write(&e, file);

	elf_builder__exit(&e);
	return path;
}

static const struct storm storms[] = {
	{ .zero = false },  { .zero = true },   { .silent = true },
	{ .traced = true }, { .build = build },
};

static void stays_as_large(const struct storm *storm, u32 rounds)
{
	struct live_feed f;

	live_feed__init(&f, storm);
	live_feed__rounds(&f, 2000);
	u64 early = bytes(&f), names = storm->build ? rounds / 20 * OBJECT_SIZE : 0;

	live_feed__rounds(&f, rounds);
	CHECK(bytes(&f) <= early + early / 20 + names);
	CHECK(spooled() < 400000);
	live_feed__exit(&f);
}

TEST(live_profile_of_a_storm_of_processes_stays_as_large_as_it_is)
{
	for (u32 i = 0; i < ARRAY_SIZE(storms); i++)
		stays_as_large(&storms[i], 18000);
}

/* Such rows have numbers of their own in the place of threads while they are added. */
TEST(live_profile_has_rows_of_threads)
{
	const struct storm storms[] = { { .shared = true }, { .shared = true, .traced = true } };

	for (u32 i = 0; i < ARRAY_SIZE(storms); i++) {
		struct live_feed f;

		live_feed__init(&f, &storms[i]);
		live_feed__rounds(&f, 200);
		CHECK(f.live.profile.nr_rows > 100);
		for (u64 n = 0; n < f.live.profile.nr_rows; n++) {
			const struct row *row = &f.live.profile.rows[n];
			const struct machine *machine = f.live.session.host;

			CHECK(row->thread < machine__nr_threads(machine));
			const struct thread *thread = machine__thread(machine, row->thread);

			CHECK_EQ(thread->pid, thread->tid);
			/* Each works at addresses that its pid tells: see add_process(). */
			CHECK_EQ(f.live.profile.locs[row->leaf_loc].addr % 4096 / 16,
			         thread->pid % 256);
		}
		live_feed__exit(&f);
	}
}

/* Long enough for all that a storm leads to; what grows slowly is seen above. */
TEST(live_profile_of_a_short_storm_is_no_larger)
{
	for (u32 i = 0; i < ARRAY_SIZE(storms); i++)
		stays_as_large(&storms[i], 500);
}
