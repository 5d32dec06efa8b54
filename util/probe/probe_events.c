// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/probe_events.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/event/access.h"
#include "util/event/evsel.h"
#include "util/lib/endings.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/sdt/sdt.h"

#define NOGROUP 65534

static const char *file_of(bool of_programs)
{
	return of_programs ? "uprobe_events" : "kprobe_events";
}

/* ---- reading ---- */

static char *keep(struct probe_events *events, const char *from, size_t len)
{
	return arena__strndup(&events->texts, from, len);
}

/* "PATH:0xOFFSET(0xSEMAPHORE) ARGS", as a static probe point's. */
static bool parse_program(struct probe_events *events, struct probe_event *event, const char *text)
{
	u64 semaphore;
	char *path = sdt_location__parse(text, &event->offset, &semaphore);

	if (!path)
		return false;
	const char *blank = strchr(text + strlen(path), ' ');

	event->path = keep(events, path, strlen(path));
	event->args = blank ? keep(events, blank + 1, strlen(blank + 1)) : "";
	free(path);
	return true;
}

/* "[MODULE:]SYMBOL+OFFSET ARGS" */
static bool parse_kernel(struct probe_events *events, struct probe_event *event, const char *text)
{
	size_t len = strcspn(text, " "), module = strcspn(text, ": ");

	if (text[module] == ':' && module) {
		event->module = keep(events, text, module);
		text += module + 1;
		len -= module + 1;
	}
	size_t name = strcspn(text, "+ ");

	if (!name)
		return false;
	event->symbol = keep(events, text, name);
	event->offset = text[name] == '+' ? strtoull(text + name + 1, NULL, 0) : 0;
	event->args = text[len] ? keep(events, text + len + 1, strlen(text + len + 1)) : "";
	return true;
}

static bool parse_line(struct probe_events *events, struct probe_event *event, const char *line,
                       bool of_programs)
{
	const char *colon = strchr(line, ':'), *slash = colon ? strchr(colon, '/') : NULL;
	const char *blank = slash ? strchr(slash, ' ') : NULL;

	if ((*line != 'p' && *line != 'r') || !blank ||
	    strspn(line + 1, "0123456789") != (size_t)(colon - line - 1))
		return false;
	*event = (struct probe_event){ .is_return = *line == 'r' };
	event->line = keep(events, line, strlen(line));
	event->group = keep(events, colon + 1, slash - colon - 1);
	event->name = keep(events, slash + 1, blank - slash - 1);
	return of_programs ? parse_program(events, event, blank + 1)
	                   : parse_kernel(events, event, blank + 1);
}

static int compare(const void *a, const void *b)
{
	const struct probe_event *x = a, *y = b;

	return strcmp(x->line, y->line);
}

void probe_events__parse(struct probe_events *events, const char *text, bool of_programs)
{
	char *copy = xstrdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		array__reserve(&events->events, &events->cap, events->nr + 1,
		               sizeof(*events->events));
		events->nr += parse_line(events, &events->events[events->nr], line, of_programs);
	}
	free(copy);
	qsort(events->events, events->nr, sizeof(*events->events), compare);
}

void probe_events__exit(struct probe_events *events)
{
	free(events->events);
	arena__exit(&events->texts);
	*events = (struct probe_events){ .nr = 0 };
}

int probe_events__read(struct probe_events *events, struct tracefs *tracefs, bool of_programs,
                       struct error *err)
{
	size_t size;
	int ret = tracefs__open(tracefs, err);

	if (ret)
		return ret;
	char *path = xasprintf("%s/%s", tracefs->path, file_of(of_programs));

	if (access(path, F_OK) && errno == ENOENT) {
		ret = error__set(err, -ENOENT, "this kernel has no", file_of(of_programs),
		                 "it was built without %s",
		                 of_programs ? "CONFIG_UPROBE_EVENTS" : "CONFIG_KPROBE_EVENTS");
		free(path);
		return ret;
	}
	free(path);
	struct error cause = ERROR_INIT;
	char *text = tracefs__read(tracefs, file_of(of_programs), &size, &cause);

	if (!text) {
		if (err)
			*err = cause;
		return cause.code ? cause.code : -EIO;
	}
	probe_events__parse(events, text, of_programs);
	free(text);
	return 0;
}

bool probe_events__has(const struct probe_events *events, const char *group, const char *name)
{
	for (u32 i = 0; i < events->nr; i++)
		if (!strcmp(events->events[i].group, group) &&
		    !strcmp(events->events[i].name, name))
			return true;
	return false;
}

char *probe_event__arg_names(const struct probe_event *event)
{
	char *names = xstrdup(event->args), *to = names;
	const char *from = event->args;

	while (*from) {
		size_t len = strcspn(from, " "), name = strcspn(from, "= ");

		if (to > names)
			*to++ = ' ';
		memcpy(to, from, name);
		to += name;
		from += len;
		from += *from == ' ';
	}
	*to = '\0';
	return names;
}

/* ---- age ---- */

static bool modified(const char *path, u32 mask, struct statx *st)
{
	return !statx(AT_FDCWD, path, 0, mask, st) && (st->stx_mask & mask) == mask;
}

static bool is_later(const struct statx_timestamp *a, const struct statx_timestamp *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/*
 * When the event was made. Since Linux 6.6 an event's folder gets its time when somebody looks at
 * it, so probe_events__add() does; and it may be forgotten, and later then. Some kernels give all
 * files the time of the mount, which tells nothing.
 */
static bool time_of(struct tracefs *tracefs, const char *group, const char *name,
                    struct statx_timestamp *time)
{
	char *folder = xasprintf("%s/events/%s/%s", tracefs->path, group, name);
	struct statx st, mount;
	bool known = modified(folder, STATX_MTIME, &st) &&
	             modified(tracefs->path, STATX_MTIME, &mount) &&
	             is_later(&st.stx_mtime, &mount.stx_mtime);

	free(folder);
	if (known)
		*time = st.stx_mtime;
	return known;
}

enum probe_file_state probe_event__file_state(struct tracefs *tracefs,
                                              const struct probe_event *event, const char *file)
{
	struct statx_timestamp made;
	struct statx st;

	if (!time_of(tracefs, event->group, event->name, &made))
		return PROBE_FILE_SAME;
	bool born = modified(file, STATX_BTIME, &st);

	if (born && is_later(&st.stx_btime, &made))
		return PROBE_FILE_OTHER;
	if (!modified(file, STATX_MTIME, &st) || !is_later(&st.stx_mtime, &made))
		return PROBE_FILE_SAME;
	/* Of a file whose birth nobody knows: builds put a new one there. */
	return born ? PROBE_FILE_WRITTEN : PROBE_FILE_OTHER;
}

bool probe_event__is_among(const struct probe_event *event, const char *const *lines, u32 nr)
{
	struct probe_events events = { .texts = ARENA_INIT };
	bool found = false;

	for (u32 i = 0; i < nr; i++)
		probe_events__parse(&events, lines[i], true);
	for (u32 i = 0; i < events.nr && event->path; i++) {
		const struct probe_event *other = &events.events[i];

		found |= other->path && !strcmp(other->path, event->path) &&
		         other->offset == event->offset && !strcmp(other->group, event->group) &&
		         !strcmp(other->name, event->name);
	}
	probe_events__exit(&events);
	return found;
}

bool probe_events__is_stale(const struct evsel *evsel, struct error *warning)
{
	struct probe_events events = { .texts = ARENA_INIT };
	struct tracefs tracefs = TRACEFS_INIT;
	const struct probe_event *stale = NULL;
	char *name = evsel->tracepoint ? xstrdup(evsel->tracepoint) : NULL;
	char *slash = name ? strchr(name, '/') : NULL;
	bool others = false;

	if (slash && !probe_events__read(&events, &tracefs, true, NULL)) {
		*slash = '\0';
		for (u32 i = 0; i < events.nr; i++) {
			const struct probe_event *event = &events.events[i];

			if (strcmp(event->group, name) != 0 || strcmp(event->name, slash + 1) != 0)
				continue;
			if (event->path && probe_event__file_state(&tracefs, event, event->path) ==
			                           PROBE_FILE_OTHER)
				stale = event;
			else
				others = true; /* of several places this one may be right */
		}
	}
	bool is = stale && !others;

	if (is) {
		error__set(warning, -ESTALE, "nothing was counted of", evsel->name,
		           "'%s' is newer than the probe, which was made for what was there before",
		           stale->path);
		error__advise(warning,
		              "add the probe again: perf probe -d %s:%s, perf probe -x %s -a ...",
		              stale->group, stale->name, stale->path);
	}
	probe_events__exit(&events);
	tracefs__close(&tracefs);
	free(name);
	return is;
}

/* ---- writing ---- */

/* What the kernel's error_log says last about a refused line: malloc'ed, or NULL. */
static char *last_reason(struct tracefs *tracefs)
{
	size_t size;
	char *log = tracefs__read(tracefs, "error_log", &size, NULL), *found = NULL;

	for (char *at = log; at && (at = strstr(at, ": error: ")); at += 9)
		found = at + 9;
	if (found)
		found = strndup(found, strcspn(found, "\n"));
	free(log);
	return found;
}

/* To read and to write: tracefs is 0700 and this file of it 0640. Nobody's group is everybody's. */
void probe_events__advise_rights(const struct tracefs *tracefs, bool of_programs, struct error *err)
{
	const char *at = tracefs->path ? tracefs->path : TRACEFS_DEFAULT_MOUNT;
	unsigned group = getegid();
	char number[16] = "GROUP";

	if (group != NOGROUP)
		snprintf(number, sizeof(number), "%u", group);
	if (!geteuid())
		error__advise(err,
		              "only root of the machine may, or who has write access to '%s/%s'",
		              at, file_of(of_programs));
	else
		error__advise(
		        err,
		        "run as root, or let %s write probes: mount -o remount,mode=750,gid=%s "
		        "%s && chmod g+w %s/%s",
		        group != NOGROUP ? "this group" : "a group (nogroup is everybody's)",
		        number, at, at, file_of(of_programs));
}

static int explain(struct tracefs *tracefs, int code, bool of_programs, const char *line,
                   struct error *err)
{
	if (code == -EACCES || code == -EPERM)
		probe_events__advise_rights(tracefs, of_programs, err);
	else if (code == -EROFS)
		error__advise(err, "mount it writable: mount -o remount,rw %s", tracefs->path);
	bool told = code == -EINVAL || code == -EEXIST || code == -E2BIG;
	char *reason = told ? last_reason(tracefs) : NULL;

	if (reason)
		error__set(err, code, "the kernel refuses", line, "%s", reason);
	if (reason && strstr(reason, "String accepts only memory"))
		error__advise(err, "+0(VALUE):string is the text that a value points to");
	free(reason);
	return code;
}

/* Let the kernel note the time of an event. */
static void look_at(struct tracefs *tracefs, const char *line)
{
	struct statx_timestamp unused;
	struct probe_events written = { .texts = ARENA_INIT };

	probe_events__parse(&written, line, true);
	if (written.nr)
		time_of(tracefs, written.events->group, written.events->name, &unused);
	probe_events__exit(&written);
}

static int write_line(struct tracefs *tracefs, bool of_programs, const char *line,
                      struct error *err)
{
	int ret = tracefs__open(tracefs, err);

	if (ret)
		return ret;
	char *path = xasprintf("%s/%s", tracefs->path, file_of(of_programs));
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		ret = error__set(err, -errno, "cannot write to", path, NULL);
	else if (write(fd, line, strlen(line)) < 0)
		ret = error__set(err, -errno, "the kernel refuses", line, NULL);
	if (fd >= 0)
		close(fd);
	if (ret)
		explain(tracefs, ret, of_programs, line, err);
	free(path);
	return ret;
}

int probe_events__remove(struct tracefs *tracefs, bool of_programs, const char *group,
                         const char *name, struct error *err)
{
	char *line = xasprintf("-:%s/%s", group, name);
	int ret = write_line(tracefs, of_programs, line, err);

	if (ret == -EBUSY)
		error__advise(err, "somebody records or counts it: end that first");
	free(line);
	return ret;
}

int probe_events__take_back(struct tracefs *tracefs, bool of_programs, const char *const *lines,
                            u32 nr, struct error *err)
{
	struct probe_events written = { .texts = ARENA_INIT };
	int ret = 0;

	for (u32 i = 0; i < nr; i++)
		probe_events__parse(&written, lines[i], of_programs);
	for (u32 i = 0; i < written.nr; i++) {
		const struct probe_event *event = &written.events[i];

		if (i && !strcmp(event[-1].group, event->group) &&
		    !strcmp(event[-1].name, event->name))
			continue;
		int code =
		        probe_events__remove(tracefs, of_programs, event->group, event->name, err);

		ret = ret ? ret : code;
	}
	probe_events__exit(&written);
	return ret;
}

/* The kernel takes blanks in a path for the end of it, and says something else. */
static int check_path(const char *line, struct error *err)
{
	const char *blank = strchr(line, ' ');
	u64 offset, semaphore;
	char *path = blank ? sdt_location__parse(blank + 1, &offset, &semaphore) : NULL;
	int ret = 0;

	if (path && strpbrk(path, " \t")) {
		ret = error__set(err, -EINVAL, "cannot probe", path,
		                 "the kernel takes no path with blanks");
		error__advise(err, "a hard link to it whose path has none will do");
	}
	free(path);
	return ret;
}

/* Does one wait that did not wait before? Ignored ones do not. */
static bool is_interrupted(const sigset_t *before)
{
	bool interrupted = false;
	sigset_t pending;

	sigpending(&pending);
	for (unsigned i = 0; i < ALL_ENDINGS; i++)
		interrupted |= sigismember(&pending, endings[i]) == 1 &&
		               sigismember(before, endings[i]) == 0;
	return interrupted;
}

int probe_events__add(struct tracefs *tracefs, bool of_programs, const char *const *lines, u32 nr,
                      struct error *err)
{
	sigset_t before;
	int ret = 0;

	for (u32 i = 0; of_programs && i < nr; i++) {
		ret = check_path(lines[i], err);
		if (ret)
			return ret;
	}
	/* Until all lines are written, or none. */
	endings__hold(&before);
	for (u32 i = 0; i < nr && !ret; i++) {
		ret = i && is_interrupted(&before)
		              ? error__set(err, -EINTR, "cannot add", lines[i],
		                           "a signal came; those before it are removed again")
		              : write_line(tracefs, of_programs, lines[i], err);
		if (ret)
			probe_events__take_back(tracefs, of_programs, lines, i, NULL);
		else if (of_programs)
			look_at(tracefs, lines[i]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}
