// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/run_probes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/probe/probe_events.h"

#define BUSY_TRIES 50 /* times 10 ms: the counters of threads that end right now */

/* "sdt_web:begin" at "/bin/web:0x1120(0x3010)" as the kernel wants it. */
static char *line_of(const char *name, const struct probe_point *point, const char *args)
{
	const char *colon = strchr(name, ':');
	char semaphore[32] = "";

	if (point->semaphore)
		snprintf(semaphore, sizeof(semaphore), "(0x%llx)",
		         (unsigned long long)point->semaphore);
	return xasprintf("p:%.*s/%s %s:0x%llx%s%s%s", (int)(colon - name), name, colon + 1,
	                 point->path, (unsigned long long)point->offset, semaphore,
	                 *args ? " " : "", args);
}

/* The reasons for what is left out, a line for each. */
static void count_left_out(struct run_probes *probes, const char *refused)
{
	for (const char *text = refused; text && *text; probes->nr_left_out++) {
		size_t len = strcspn(text, "\n");

		if (!probes->left_out)
			probes->left_out = xasprintf("%.*s", (int)len, text);
		text += len + (text[len] != '\0');
	}
}

/* With all arguments, by the program's note; else with those that the cache has. */
static char *whole_line(struct run_probes *probes, const char *name,
                        const struct probe_point *point)
{
	const char *colon = strchr(name, ':');
	char *group = xasprintf("%.*s", (int)(colon - name), name), *refused = NULL;
	char *line = point_lines__find(&probes->points, point->name, point->path, point->offset,
	                               group, colon + 1, &refused);

	if (line)
		count_left_out(probes, refused);
	free(refused);
	free(group);
	return line ? line : line_of(name, point, point->args);
}

static bool is_there(struct run_probes *probes, const char *name)
{
	const char *colon = strchr(name, ':');
	char *sys = xasprintf("%.*s", (int)(colon - name), name);
	bool there = tracefs__event_id(probes->tracefs, sys, colon + 1, NULL) > 0;

	free(sys);
	return there;
}

/* Is there a tracepoint of this name? 0: none; 1: it is this point; -EEXIST: another one. */
static int look(struct run_probes *probes, const char *name, const struct probe_point *point,
                struct error *err)
{
	struct probe_events events = { .texts = ARENA_INIT };
	const char *colon = strchr(name, ':');
	int ret = probe_events__read(&events, probes->tracefs, true, err);

	for (u32 i = 0; !ret && i < events.nr; i++) {
		const struct probe_event *event = &events.events[i];

		if (strncmp(event->group, name, colon - name) || event->group[colon - name] ||
		    strcmp(event->name, colon + 1) != 0)
			continue;
		ret = event->offset == point->offset && !strcmp(event->path, point->path) &&
		                      !event->is_return
		              ? 1
		              : error__set(err, -EEXIST, "there is another event", name, NULL);
	}
	probe_events__exit(&events);
	if (!ret && is_there(probes, name))
		ret = error__set(err, -EEXIST, "there is another event", name, NULL);
	return ret;
}

static int write_one(struct run_probes *probes, char *line, struct error *err)
{
	const char *const lines[] = { line };
	int ret = probe_events__add(probes->tracefs, true, lines, 1, err);

	if (ret) {
		free(line);
		return ret;
	}
	array__reserve(&probes->lines, &probes->cap, probes->nr + 1, sizeof(*probes->lines));
	probes->lines[probes->nr++] = line;
	return 0;
}

static int make(void *ctx, const char *name, const struct probe_point *point)
{
	struct run_probes *probes = ctx;
	struct error err = ERROR_INIT, unused = ERROR_INIT;
	int ret = look(probes, name, point, &err);

	if (ret > 0)
		return 0;
	if (!ret)
		ret = write_one(probes, whole_line(probes, name, point), &err);
	/* An argument that this kernel cannot fetch: without it rather than not at all. */
	if (ret == -EINVAL && !write_one(probes, line_of(name, point, ""), &unused))
		ret = 0;
	if (err.code && ret != -EEXIST && !probes->trouble.code)
		probes->trouble = err;
	return ret;
}

void run_probes__init(struct run_probes *probes, struct event_sources *sources)
{
	*probes = (struct run_probes){ .tracefs = &sources->tracefs };
	sources->make_tracepoint = make;
	sources->make_ctx = probes;
}

static int remove_one(struct run_probes *probes, const char *line, struct error *err)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int ret = 0;

	for (u32 i = 0; i < BUSY_TRIES; i++) {
		*err = (struct error)ERROR_INIT;
		ret = probe_events__take_back(probes->tracefs, true, &line, 1, err);
		if (ret != -EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	return ret;
}

int run_probes__exit(struct run_probes *probes, struct error *err)
{
	int first = 0;

	for (u32 i = 0; i < probes->nr; i++) {
		struct error cause;
		int ret = remove_one(probes, probes->lines[i], &cause);

		/* Somebody else removed it: as it should be. */
		if (ret && ret != -ENOENT && !first) {
			first = ret;
			*err = cause;
		}
		free(probes->lines[i]);
	}
	point_lines__exit(&probes->points);
	free(probes->left_out);
	probes->left_out = NULL;
	free(probes->lines);
	probes->lines = NULL;
	probes->nr = 0;
	return first;
}
