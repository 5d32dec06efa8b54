// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracefs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

static char *under(const char *name)
{
	return xasprintf("%s/%s", unit__tmpdir(), name);
}

/* Makes the folders of @path, then the file with @text (none if NULL). */
static void put(const char *name, const char *text)
{
	char *path = under(name);
	FILE *file;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	file = text ? fopen(path, "w") : NULL;
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	free(path);
}

static char *find_in(const char *fmt, const char *dir)
{
	char *table = xasprintf(fmt, dir, dir), *path = under("mounts"), *found;

	put("mounts", table);
	found = tracefs__find_mount(path);
	free(path);
	free(table);
	return found;
}

TEST(tracefs_is_found_in_the_mount_table)
{
	char *dir = under(""), *found, *want;

	put("a b/events/x", "");
	put("debug/tracing/events/x", "");
	put("empty/x", "");
	found = find_in("proc /proc proc rw 0 0\nnodev %sa\\040b tracefs rw 0 0\n", dir);
	want = under("a b");
	CHECK_STR(found, want);
	free(found);
	free(want);
	found = find_in("none %sdebug debugfs rw 0 0\n", dir);
	want = under("debug/tracing");
	CHECK_STR(found, want);
	free(found);
	free(want);
	/* tracefs wins over debugfs, wherever it stands. */
	found = find_in("none %sdebug debugfs rw 0 0\nnodev %sa\\040b tracefs rw 0 0\n", dir);
	want = under("a b");
	CHECK_STR(found, want);
	free(found);
	free(want);
	/* A debugfs without it, and lines that make no sense. */
	found = find_in("none %sempty debugfs rw 0 0\nrubbish\n\n \n", dir);
	CHECK(!found);
	CHECK(!tracefs__find_mount("/nonexistent/mounts"));
	free(dir);
}

struct seen {
	char text[256];
	int stop_at;
	int nr;
};

static int see(void *ctx, const char *sys, const char *name)
{
	struct seen *seen = ctx;
	size_t len = strlen(seen->text);

	snprintf(seen->text + len, sizeof(seen->text) - len, "%s:%s ", sys, name);
	return ++seen->nr == seen->stop_at ? -ECANCELED : 0;
}

static void make_events(void)
{
	put("t/events/sched/sched_switch/id", "316\n");
	put("t/events/sched/sched_wakeup/id", "317\n");
	put("t/events/sched/broken/id", "no number\n");
	put("t/events/irq/irq_entry/id", "12");
	put("t/events/ftrace/print/format", "");
	put("t/events/enable", "0");
	put("t/printk_formats", "0xffff : \"x\"\n");
}

TEST(tracefs_reads_ids)
{
	struct tracefs tracefs = TRACEFS_INIT;
	struct error err = ERROR_INIT;
	char *dir = under("t");

	make_events();
	setenv("PERF_TRACEFS_DIR", dir, 1);
	CHECK_EQ(tracefs__open(&tracefs, &err), 0);
	CHECK_EQ(tracefs__open(&tracefs, &err), 0);
	CHECK_STR(tracefs.path, dir);
	CHECK(!tracefs.mounted);
	CHECK_EQ(tracefs__event_id(&tracefs, "sched", "sched_switch", &err), 316);
	CHECK_EQ(tracefs__event_id(&tracefs, "irq", "irq_entry", &err), 12);
	CHECK_EQ(tracefs__event_id(&tracefs, "sched", "nothing", &err), -ENOENT);
	CHECK_STR(err.subject, "sched:nothing");
	CHECK_EQ(tracefs__event_id(&tracefs, "sched", "broken", &err), -EIO);
	CHECK_EQ(tracefs__event_id(&tracefs, "..", "t", &err), -ENOENT);
	CHECK_EQ(tracefs__event_id(&tracefs, "sched/sched_switch", "", &err), -ENOENT);
	tracefs__close(&tracefs);
	unsetenv("PERF_TRACEFS_DIR");
	free(dir);
}

TEST(tracefs_walks_events_sorted)
{
	struct tracefs tracefs = TRACEFS_INIT;
	struct error err = ERROR_INIT;
	struct seen seen = { .stop_at = -1 };
	char *dir = under("t");

	make_events();
	setenv("PERF_TRACEFS_DIR", dir, 1);
	CHECK_EQ(tracefs__each_event(&tracefs, "*", "*", see, &seen, &err), 4);
	CHECK_STR(seen.text, "irq:irq_entry sched:broken sched:sched_switch sched:sched_wakeup ");
	seen = (struct seen){ .stop_at = -1 };
	CHECK_EQ(tracefs__each_event(&tracefs, "sched", "sched_w*", see, &seen, &err), 1);
	CHECK_STR(seen.text, "sched:sched_wakeup ");
	seen = (struct seen){ .stop_at = 2 };
	CHECK_EQ(tracefs__each_event(&tracefs, "*", "*", see, &seen, &err), -ECANCELED);
	CHECK_EQ(seen.nr, 2);
	seen = (struct seen){ .stop_at = -1 };
	CHECK_EQ(tracefs__each_event(&tracefs, "nothing", "*", see, &seen, &err), 0);
	/* As the whole texts sort: the digit before the colon, the colon before the underscore. */
	put("t/events/irq6/a/id", "1\n");
	put("t/events/irq_x/a/id", "2\n");
	seen = (struct seen){ .stop_at = -1 };
	CHECK_EQ(tracefs__each_event(&tracefs, "irq*", "*", see, &seen, &err), 3);
	CHECK_STR(seen.text, "irq6:a irq:irq_entry irq_x:a ");
	tracefs__close(&tracefs);
	unsetenv("PERF_TRACEFS_DIR");
	free(dir);
}

TEST(tracefs_reads_whole_files)
{
	struct tracefs tracefs = TRACEFS_INIT;
	struct error err = ERROR_INIT;
	char *dir = under("t"), *text;
	size_t size = 0;

	make_events();
	setenv("PERF_TRACEFS_DIR", dir, 1);
	text = tracefs__read(&tracefs, "printk_formats", &size, &err);
	CHECK_STR(text, "0xffff : \"x\"\n");
	CHECK_EQ(size, 13);
	free(text);
	CHECK(!tracefs__read(&tracefs, "events/nothing", &size, &err));
	CHECK_EQ(err.code, -ENOENT);
	tracefs__close(&tracefs);
	setenv("PERF_TRACEFS_DIR", "/nonexistent/tracing", 1);
	CHECK_EQ(tracefs__open(&tracefs, &err), -ENOENT);
	CHECK_STR(err.subject, "/nonexistent/tracing/events");
	unsetenv("PERF_TRACEFS_DIR");
	free(dir);
}
