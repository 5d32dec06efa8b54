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

/* Is the event called as the point is, or so with a number? */
static bool has_name_of(const struct probe_event *event, const struct probe_point *point)
{
	char *name = xasprintf("%s:%s", event->group, event->name);
	size_t len = strlen(point->name), all = strlen(name);
	bool has = !strncmp(name, point->name, len) &&
	           (!name[len] || (name[len] == '_' && all > len + 1 &&
	                           strspn(name + len + 1, "0123456789") == all - len - 1));

	free(name);
	return has;
}

/*
 * The tracepoint that stands at the point, malloc'ed; NULL: there is none. *taken: is the name of
 * the point that of an event which is another's, none of a point of this name in any program?
 */
static char *find_made(struct run_probes *probes, const struct probe_events *events,
                       const struct probe_point *point, bool *taken)
{
	const char *name = strchr(point->name, ':') + 1;

	char *refused = NULL;

	*taken = is_there(probes, point->name);
	for (u32 i = 0; i < events->nr; i++) {
		const struct probe_event *event = &events->events[i];

		if (event->is_return || !event->path || !has_name_of(event, point))
			continue;
		if (event->offset == point->offset && !strcmp(event->path, point->path))
			return xasprintf("%s:%s", event->group, event->name);
		char *line = strcmp(event->name, name) != 0
		                     ? NULL
		                     : point_lines__find(&probes->points, point->name, event->path,
		                                         event->offset, event->group, event->name,
		                                         &refused);

		if (line)
			*taken = false;
		free(line);
		free(refused);
		refused = NULL;
	}
	return NULL;
}

/* The first free name from the point's @nth on. */
static char *free_name(struct run_probes *probes, const struct probe_events *events,
                       const struct probe_point *point, u32 nth)
{
	const char *colon = strchr(point->name, ':');
	char *group = xasprintf("%.*s", (int)(colon - point->name), point->name), *name;

	for (;; nth++) {
		name = nth ? xasprintf("%s_%u", point->name, nth) : xstrdup(point->name);
		if (!probe_events__has(events, group, strchr(name, ':') + 1) &&
		    !is_there(probes, name))
			break;
		free(name);
	}
	free(group);
	return name;
}

/* Set *made. 0: it is to be made; 1: it is there; or an error. */
static int look(struct run_probes *probes, const struct probe_point *point, u32 nth, char **made,
                struct error *err)
{
	struct probe_events events = { .texts = ARENA_INIT };
	int ret = probe_events__read(&events, probes->tracefs, true, err);
	bool taken = false;

	if (!ret)
		*made = find_made(probes, &events, point, &taken);
	if (*made)
		ret = 1;
	else if (!ret && !nth && taken)
		ret = error__set(err, -EEXIST, "there is another event", point->name, NULL);
	else if (!ret)
		*made = free_name(probes, &events, point, nth);
	probe_events__exit(&events);
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

static int make(void *ctx, const struct probe_point *point, u32 nth, char **made)
{
	struct run_probes *probes = ctx;
	struct error err = ERROR_INIT, unused = ERROR_INIT;
	int ret = look(probes, point, nth, made, &err);

	if (ret > 0)
		return 0;
	if (!ret)
		ret = write_one(probes, whole_line(probes, *made, point), &err);
	/* An argument that this kernel cannot fetch: without it rather than not at all. */
	if (ret == -EINVAL && !write_one(probes, line_of(*made, point, ""), &unused))
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
