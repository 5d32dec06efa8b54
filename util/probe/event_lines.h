/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spots (finder.h) become events of the kernel: their names, and the lines that define them. */
#ifndef PERF_UTIL_PROBE_EVENT_LINES_H
#define PERF_UTIL_PROBE_EVENT_LINES_H

#include "util/probe/finder.h"
#include "util/probe/probe_events.h"
#include "util/sdt/sdt.h"

struct event_line {
	char *line; /* for uprobe_events or kprobe_events */
	char *group, *name;
	char *shown;   /* "f:4 in /bin/x with a b=c->d" */
	char *refused; /* arguments that are left out, and why, a line for each; NULL: none */
	u32 of;        /* the number of its definition: set by the caller */
};

struct event_lines {
	struct event_line *lines;
	u32 nr;
	size_t cap;
	bool quiet_names; /* set by the caller: names need not be new (-D) */
	bool force;       /* set by the caller: a number makes them new (-f) */
};

/*
 * Append the lines for @spots. Names that @existing (NULL: none) has are refused with -EEXIST,
 * or with ->force get _1, _2 ... Other errors: -E2BIG names that are too long.
 */
int event_lines__add(struct event_lines *lines, const struct probe_target *target,
                     const struct probe_definition *def, const struct probe_spots *spots,
                     const struct probe_events *existing, struct error *err);

/* The same for the static probe point of the definition: -ENOENT: the object has none such. */
int event_lines__add_sdt(struct event_lines *lines, struct probe_target *target,
                         const struct probe_definition *def, const struct probe_events *existing,
                         struct error *err);

/* Has the object a static probe point of these names, globs? */
bool event_lines__has_point(struct probe_target *target, const char *provider, const char *point);

/*
 * The same for the definitions of that name in the build-id cache @dir: of the object @id, or
 * (NULL) of all. -ENOENT: there is none; -ESTALE: only of objects that are other files since.
 * (Where others have it those are left out: the ->refused of a line says so, unless it is in their
 * new build, too.)
 */
int event_lines__add_cached(struct event_lines *lines, const char *dir, const struct build_id *id,
                            const struct probe_definition *def, const struct probe_events *existing,
                            struct error *err);

/* Are the lines of programs, or of the kernel? -EINVAL with @err: of both. */
int event_lines__check_halves(const struct event_lines *lines, bool *of_programs,
                              struct error *err);

void event_lines__exit(struct event_lines *lines);

/* "probe_ls" for "/bin/ls", malloc'ed. */
char *event_group__of_path(const char *path);

#endif
