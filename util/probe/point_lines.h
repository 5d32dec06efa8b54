/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of static probe points (SDT) by the notes of their program, which tell of all
 * arguments: the build-id cache's file "probes" has no constants, and nothing at symbols.
 */
#ifndef PERF_UTIL_PROBE_POINT_LINES_H
#define PERF_UTIL_PROBE_POINT_LINES_H

#include "util/fetch/definition.h"
#include "util/fetch/target.h"
#include "util/sdt/sdt.h"

/*
 * The line for uprobe_events as sdt_probe__line() makes it, malloc'ed, with the data of @target's
 * symbols; @path: as the line calls that file.
 */
char *point_line__make(struct probe_target *target, const struct sdt_probe *probe, u16 machine,
                       const char *group, const char *name, const char *path, char **refused);

/*
 * If the definition has arguments, let *@line fetch these instead of its own, to which they refer
 * as arg1, arg2 ...: "arg2:u8", "arg1:string" (what it points to), "name=+8(arg1):x32". *@refused,
 * about arguments of its own, is freed and NULL then. 0, or -EINVAL, -ENOENT with @err.
 */
int point_line__choose(char **line, char **refused, const struct probe_definition *def,
                       struct error *err);

/* The program that was asked for last stays open. All 0: none. */
struct point_lines {
	char *path;
	bool is_open; /* private, and all below: could @path be read? */
	struct probe_target target;
	struct sdt_probes probes;
};

/*
 * The same for the point @event ("sdt_PROVIDER:NAME") at @offset in the file @path. NULL: the file
 * cannot be read, or has no such point.
 */
char *point_lines__find(struct point_lines *lines, const char *event, const char *path, u64 offset,
                        const char *group, const char *name, char **refused);
void point_lines__exit(struct point_lines *lines);

#endif
