// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/symbol/file_trail.h"

/* A file that is old enough to be trusted. */
static char *settled_file(const char *name, const char *text)
{
	char *path = write_test_file(name, text, strlen(text));

	nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	return path;
}

TEST(file_trail_holds_until_something_changes)
{
	char *path = settled_file("a", "one"), *missing = xasprintf("%s/b", unit__tmpdir());
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, path);
	file_trail__note(&trail, missing);
	file_trail__note(&trail, path);
	CHECK_EQ(trail.nr, 2);
	CHECK(file_trail__holds(&trail));
	free(write_test_file("b", "", 0)); /* what was missing comes */
	CHECK(!file_trail__holds(&trail));
	CHECK(!unlink(missing));
	CHECK(file_trail__holds(&trail));
	free(write_test_file("a", "two", 3)); /* the same size */
	CHECK(!file_trail__holds(&trail));
	CHECK(!unlink(path));
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
	free(path);
	free(missing);
}

TEST(file_trail_of_files_made_just_now_holds_for_nothing)
{
	char *path = write_test_file("a", "one", 3);
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, path);
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
	free(path);
}

TEST(file_trails_are_joined)
{
	char *path = settled_file("a", "one");
	struct file_trail one = { .nr = 0 }, two = { .nr = 0 };

	file_trail__note(&one, path);
	file_trail__note(&two, path);
	file_trail__note(&two, "/nonexistent");
	file_trail__join(&one, &two);
	CHECK_EQ(one.nr, 2);
	CHECK(file_trail__holds(&one));
	/* Two looks at one file that saw different things prove nothing. */
	two.entries[0].stamp.size++;
	file_trail__join(&one, &two);
	CHECK(!file_trail__holds(&one));
	file_trail__exit(&one);
	file_trail__exit(&two);
	file_trail__note(NULL, path);
	file_trail__spoil(&two);
	CHECK(!file_trail__holds(&two));
	free(path);
}

TEST(file_trail_of_the_running_kernel)
{
	struct file_trail trail = { .nr = 0 };

	file_trail__note(&trail, "/proc/kallsyms");
	CHECK(file_trail__holds(&trail));
	trail.entries[0].stamp.dev++; /* another boot */
	CHECK(!file_trail__holds(&trail));
	file_trail__exit(&trail);
}
