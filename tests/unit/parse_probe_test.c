// SPDX-License-Identifier: GPL-2.0-or-later
/* Static probe points as events: told by a list of our own, opened by a source of our own sysfs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/counter/open.h"
#include "util/event/parse.h"
#include "util/lib/text.h"
#include "util/record/config.h"

static const struct probe_point points[] = {
	{ "sdt_web:begin", "/bin/web", 0x1120, 0 },
	{ "sdt_web:begin", "/bin/web", 0x1200, 0 },
	{ "sdt_web:end", "/bin/web", 0x1130, 0x3010 },
	{ "sdt_lib:begin", "/lib/lib.so", 0x40, 0 },
};

static bool cache_is_stale;

static int tell_points(const char *sys, const char *name,
                       void (*each)(void *ctx, const struct probe_point *point), void *ctx,
                       struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(points) && !cache_is_stale; i++) {
		const char *colon = strchr(points[i].name, ':');
		char own[32];

		snprintf(own, sizeof(own), "%.*s", (int)(colon - points[i].name), points[i].name);
		if (text__glob(sys, own) && text__glob(name, colon + 1))
			each(ctx, &points[i]);
	}
	return cache_is_stale ? error__set(err, -ESTALE, "", NULL, "'/bin/web' is another file")
	                      : 0;
}

struct world {
	struct event_sources sources;
	struct evlist list;
	struct error err;
	char sysfs[256];
};

static void world__init(struct world *w, bool has_source, bool has_semaphores)
{
	const char *dir = unit__tmpdir();
	char tracefs[256];

	cache_is_stale = false;
	*w = (struct world){ .sources = EVENT_SOURCES_INIT };
	w->sources.probe_points = tell_points;
	snprintf(w->sysfs, sizeof(w->sysfs), "%s/devices-%d-%d", dir, has_source, has_semaphores);
	snprintf(tracefs, sizeof(tracefs), "%s/tracing", dir);
	w->sources.sysfs = w->sysfs;
	setenv("PERF_TRACEFS_DIR", tracefs, 1);
	put_test_text(tracefs, "events/sdt_lib/begin/id", "900\n");
	put_test_text(w->sysfs, "software/type", "1\n");
	if (has_source) {
		put_test_text(w->sysfs, "uprobe/type", "9\n");
		put_test_text(w->sysfs, "uprobe/format/retprobe", "config:0\n");
	}
	if (has_semaphores)
		put_test_text(w->sysfs, "uprobe/format/ref_ctr_offset", "config:32-63\n");
}

static void world__exit(struct world *w)
{
	evlist__exit(&w->list);
	event_sources__exit(&w->sources);
	unsetenv("PERF_TRACEFS_DIR");
}

static int parse(struct world *w, const char *text)
{
	evlist__truncate(&w->list, 0);
	w->err = (struct error)ERROR_INIT;
	return evlist__parse(&w->list, &w->sources, text, &w->err);
}

/* Its event number @i; where there is none, one without anything. */
static struct evsel *event(struct world *w, u32 i)
{
	static char name[] = "none";
	static struct evsel none = { .name = name };

	return i < w->list.nr ? w->list.evsels[i] : &none;
}

TEST(parse_probe_points)
{
	struct world w;
	struct evsel *evsel;

	world__init(&w, true, true);
	CHECK_EQ(parse(&w, "sdt_web:end:u"), 0);
	CHECK_EQ(w.list.nr, 1);
	evsel = event(&w, 0);
	CHECK_EQ(evsel->attr.type, 9);
	CHECK_EQ(evsel->attr.config, 0x301000000000);
	CHECK_EQ(evsel->attr.config1, 0); /* a pointer has no place in a file */
	CHECK_EQ(evsel->attr.config2, 0x1130);
	CHECK_STR(evsel->probe_path, "/bin/web");
	CHECK_STR(evsel->name, "sdt_web:end");
	CHECK(evsel->attr.exclude_kernel && evsel->inherit == 0);

	/* each place is an event */
	CHECK_EQ(parse(&w, "%sdt_web:begin/name=x/"), 0);
	CHECK_EQ(w.list.nr, 2);
	CHECK_EQ(parse(&w, "sdt_web:*,cs"), 0);
	CHECK_EQ(w.list.nr, 4);
	CHECK_STR(event(&w, 0)->name, "sdt_web:begin");
	CHECK_STR(event(&w, 1)->name, "sdt_web:begin_1");
	CHECK_EQ(event(&w, 1)->attr.config2, 0x1200);
	CHECK_EQ(event(&w, 1)->attr.config, 0);
	CHECK_STR(event(&w, 2)->name, "sdt_web:end");

	/* a tracepoint of the name wins */
	CHECK_EQ(parse(&w, "sdt_lib:begin"), 0);
	CHECK_EQ(w.list.nr, 1);
	CHECK_EQ(event(&w, 0)->attr.config, 900);
	CHECK_EQ(parse(&w, "sdt_*:begin"), 0);
	CHECK_EQ(w.list.nr, 3);
	CHECK(evsel__is_tracepoint(event(&w, 0)) && !event(&w, 0)->probe_path);
	world__exit(&w);
}

TEST(parse_probe_points_that_cannot_be)
{
	struct world w;

	world__init(&w, true, true);
	CHECK(parse(&w, "sdt_web:edn"));
	CHECK(strstr(w.err.cause, "did you mean 'sdt_web:end'"));
	CHECK(parse(&w, "sdt_x:y"));
	CHECK(strstr(w.err.cause, "perf buildid-cache --add PROGRAM"));
	CHECK(parse(&w, "sdt_web:end/inherit/"));
	CHECK(strstr(w.err.cause, "hands no probe point on"));
	CHECK(!parse(&w, "sdt_web:end/no-inherit/"));
	cache_is_stale = true;
	CHECK(parse(&w, "sdt_web:end"));
	CHECK(strstr(w.err.cause, "'/bin/web' is another file"));
	world__exit(&w);

	world__init(&w, false, false);
	CHECK(parse(&w, "sdt_web:end"));
	CHECK(strstr(w.err.cause, "has no event source 'uprobe'"));
	CHECK(strstr(w.err.cause, "echo 'p:sdt_web/end /bin/web:0x1130(0x3010)' >> "));
	world__exit(&w);

	world__init(&w, true, false);
	CHECK(!parse(&w, "sdt_web:begin"));
	CHECK(parse(&w, "sdt_web:end"));
	CHECK(strstr(w.err.cause, "has no semaphores of probe points; make it a tracepoint"));
	w.sources.probe_points = NULL;
	CHECK(parse(&w, "sdt_web:end"));
	world__exit(&w);
}

static int remember(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                    unsigned long flags)
{
	(void)pid;
	(void)cpu;
	(void)group_fd;
	(void)flags;
	*(struct perf_event_attr *)ctx = *attr;
	return -ENOENT;
}

TEST(probe_points_are_opened_by_their_path)
{
	struct cpu_map cpus = CPU_MAP_INIT;
	struct thread_map threads = THREAD_MAP_INIT;
	struct perf_event_attr attr;
	struct opener opener;
	struct world w;

	world__init(&w, true, true);
	CHECK_EQ(parse(&w, "sdt_web:end"), 0);
	opener__init(&opener);
	opener.open = remember;
	opener.ctx = &attr;
	cpu_map__add(&cpus, CPU_ANY);
	thread_map__add(&threads, 0);
	CHECK_EQ(evsel__open(&opener, &w.list, event(&w, 0), &cpus, &threads, &w.err), -ENOENT);
	CHECK_STR((const char *)(uintptr_t)attr.config1, "/bin/web");
	CHECK_EQ(event(&w, 0)->attr.config1, 0);
	CHECK(strstr(w.err.cause, "'/bin/web' is gone"));
	opener__exit(&opener);
	cpu_map__exit(&cpus);
	thread_map__exit(&threads);
	world__exit(&w);
}

/* A thread that inherits one could start none: the kernel looks for the path in its memory. */
TEST(probe_points_and_their_groups_are_not_inherited)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct error warning = ERROR_INIT;
	struct world w;

	world__init(&w, true, true);
	CHECK_EQ(parse(&w, "{sdt_web:end,cs},faults"), 0);
	CHECK(evlist__probes_stay(&w.list, &warning));
	CHECK_STR(warning.subject, "sdt_web:end");
	CHECK_EQ(record_config__apply(&config, &w.list, NULL), 0);
	CHECK_EQ(w.list.nr, 4); /* who follows new threads is another */
	CHECK(!event(&w, 0)->attr.inherit && !event(&w, 1)->attr.inherit);
	CHECK(event(&w, 2)->attr.inherit && event(&w, 3)->attr.inherit);
	CHECK(event(&w, 3)->tracking && !event(&w, 0)->attr.mmap);
	CHECK(!event(&w, 0)->attr.freq && event(&w, 0)->attr.sample_period == 1);

	CHECK_EQ(parse(&w, "sdt_web:end,cs"), 0);
	config.no_inherit = true;
	CHECK_EQ(record_config__apply(&config, &w.list, NULL), 0);
	CHECK_EQ(w.list.nr, 2);
	CHECK_EQ(parse(&w, "cs"), 0);
	CHECK(!evlist__probes_stay(&w.list, &warning));
	world__exit(&w);
}

/*
 * Makes begin and its second place, which finds _1 taken; end is another's, what is left cannot be
 * made.
 */
static int make_some(void *ctx, const struct probe_point *point, u32 nth, char **made)
{
	u32 *nr = ctx;

	(*nr)++;
	if (!strcmp(point->name, "sdt_web:end"))
		return -EEXIST;
	if (strcmp(point->name, "sdt_web:begin") || strcmp(point->path, "/bin/web") != 0)
		return -EACCES;
	*made = xasprintf("%s%s", point->name, nth ? "_2" : "");
	put_test_text(getenv("PERF_TRACEFS_DIR"),
	              nth ? "events/sdt_web/begin_2/id" : "events/sdt_web/begin/id",
	              nth ? "911\n" : "910\n");
	return 0;
}

TEST(probe_points_become_tracepoints)
{
	struct world w;
	u32 nr_asked = 0;

	world__init(&w, true, true);
	w.sources.make_tracepoint = make_some;
	w.sources.make_ctx = &nr_asked;
	CHECK_EQ(parse(&w, "sdt_web:begin/name=x,inherit/"), 0);
	CHECK_EQ(nr_asked, 2);
	CHECK_EQ(w.list.nr, 2);
	CHECK_EQ(event(&w, 0)->attr.config, 910);
	CHECK_EQ(event(&w, 1)->attr.config, 911);
	CHECK(evsel__is_tracepoint(event(&w, 1)) && !event(&w, 1)->probe_path);
	CHECK_EQ(event(&w, 1)->inherit, 1);
	CHECK_STR(event(&w, 1)->tracepoint, "sdt_web/begin_2");

	/* for the second time, and by a glob that finds them both: each once */
	CHECK_EQ(parse(&w, "sdt_web:begin"), 0);
	CHECK_EQ(w.list.nr, 2);
	CHECK_EQ(parse(&w, "sdt_web:b*"), 0);
	CHECK_EQ(w.list.nr, 2);

	/* one that cannot be made is opened by its place; another's has nothing to do with ours */
	CHECK_EQ(parse(&w, "sdt_web:end"), 0);
	CHECK_EQ(w.list.nr, 1);
	CHECK_STR(event(&w, 0)->probe_path, "/bin/web");
	put_test_text(getenv("PERF_TRACEFS_DIR"), "events/sdt_web/end/id", "920\n");
	CHECK_EQ(parse(&w, "sdt_web:end"), 0);
	CHECK_EQ(w.list.nr, 1);
	CHECK_EQ(event(&w, 0)->attr.config, 920);
	world__exit(&w);
}

/* A place that came with its point's name, and is named by itself, before or behind: once. */
TEST(probe_points_places_that_are_named_are_once_there)
{
	static const char *const texts[] = {
		"sdt_web:begin,sdt_web:begin_2:u",
		"sdt_web:begin_2:u,sdt_web:begin",
		"{sdt_web:begin,cs},sdt_web:begin_2:u",
		"{sdt_web:begin,sdt_web:begin_2:u}",
	};
	struct world w;
	u32 nr_asked = 0;

	world__init(&w, true, true);
	w.sources.make_tracepoint = make_some;
	w.sources.make_ctx = &nr_asked;
	CHECK_EQ(parse(&w, "sdt_web:begin"), 0); /* makes both */
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		u32 nr[3] = { 0 };

		CHECK_EQ(parse(&w, texts[i]), 0);
		for (u32 e = 0; e < w.list.nr; e++) {
			const struct evsel *evsel = w.list.evsels[e];

			CHECK_EQ(evsel->idx, e);
			CHECK(evsel->leader <= e);
			nr[evsel->attr.config == 910 ? 0 : evsel->attr.config == 911 ? 1 : 2]++;
			if (evsel->attr.config == 911)
				CHECK(evsel->attr.exclude_kernel);
		}
		CHECK_EQ(nr[0], 1);
		CHECK_EQ(nr[1], 1);
		CHECK_EQ(nr[2], i == 2);
	}
	CHECK_EQ(event(&w, 0)->nr_members, 2);
	CHECK_EQ(event(&w, 1)->leader, 0);

	/* in two texts; a filter of the second one's events begins with it */
	CHECK_EQ(parse(&w, "{sdt_web:begin,cs}"), 0);
	CHECK_EQ(evlist__parse(&w.list, &w.sources, "sdt_web:begin_2,sdt_web:edn", &w.err),
	         -EINVAL);
	CHECK_EQ(w.list.nr, 3); /* as it was */
	CHECK_EQ(evlist__parse(&w.list, &w.sources, "sdt_web:begin_2", &w.err), 0);
	CHECK_EQ(w.list.nr, 3);
	CHECK_EQ(w.list.last, 2);
	CHECK_EQ(event(&w, 0)->nr_members, 2);
	CHECK_EQ(event(&w, 2)->attr.config, 911);

	/* as often as it is named */
	CHECK_EQ(parse(&w, "sdt_web:begin,sdt_web:begin"), 0);
	CHECK_EQ(w.list.nr, 4);
	world__exit(&w);
}

TEST(tracepoints_are_there_if_the_cache_has_the_point_of_a_program_that_is_gone)
{
	struct world w;

	world__init(&w, true, true);
	cache_is_stale = true;
	CHECK_EQ(parse(&w, "sdt_lib:begin"), 0);
	CHECK_EQ(w.list.nr, 1);
	CHECK_EQ(event(&w, 0)->attr.config, 900);
	world__exit(&w);
}
