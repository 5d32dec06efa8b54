/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a definition to addresses and arguments: functions by name in the debug information, else in
 * the symbol table; lines by the line tables, inlined copies included; variables by where the
 * debug information says that they are. And what --line and --vars show.
 *
 * Without libdw only functions by symbol, offsets, addresses and arguments of the kernel's own
 * kinds are there.
 */
#ifndef PERF_UTIL_PROBE_FINDER_H
#define PERF_UTIL_PROBE_FINDER_H

#include "util/fetch/definition.h"
#include "util/fetch/target.h"
#include "util/lib/md5.h"
#include "util/lib/out.h"

#define PROBE_SPOTS_MAX 128 /* default for one definition */

struct probe_finder; /* private */

struct probe_finder *probe_finder__new(struct probe_target *target); /* @target is borrowed */
void probe_finder__delete(struct probe_finder *finder);

/* Is there debug information? */
bool probe_finder__has_dwarf(const struct probe_finder *finder);

/*
 * Could what was found so far lack something, as split debug information cannot be read? Then @err
 * is filled, for a warning. Not so if an error has said it.
 */
bool probe_finder__left_out(struct probe_finder *finder, struct error *err);

/* One place of a definition. */
struct probe_spot {
	u64 addr;       /* virtual address; of a --vars' place, too */
	char *function; /* it lies in: NULL if that is not known */
	u64 entry;      /* of that function */
	char **names;   /* of each argument; NULL: the kernel's */
	char **values;  /* "%di:s32" */
	u32 nr_args;    /* may differ from place to place: $vars */
};

struct probe_spots {
	struct probe_spot *spots;
	u32 nr;
	size_t cap;
	u64 skipped;     /* the entry of a function whose prologue was passed over; 0: none was */
	char *cut;       /* the type that is larger than what the kernel fetches; NULL: none */
	char **warnings; /* sentences about values: of some places only, without a sign ... */
	u32 nr_warnings;
};

struct probe_search {
	u32 max;         /* more spots than that are refused */
	bool no_inlines; /* no inlined copies */
};

/*
 * Find all places of a definition that is no static probe point. 0, or a negative errno with @err:
 * -ENOENT not found, -E2BIG too many, and those of fetch__argument(). To be freed in either case.
 */
int probe_finder__find(struct probe_finder *finder, const struct probe_definition *def,
                       const struct probe_search *search, struct probe_spots *spots,
                       struct error *err);
void probe_spots__exit(struct probe_spots *spots);

/*
 * The place of a probe at @addr as source: "main:7@/src/t.c", "f+4@/src/t.c" or "f+4"; malloc'ed.
 * NULL: no function covers it.
 */
char *probe_finder__place(struct probe_finder *finder, u64 addr, bool is_return);

/* A source file and which of its lines probes can stand on. */
struct probe_source {
	char *path; /* as compiled */
	bool has_sum;
	u8 sum[MD5_SIZE]; /* of the file, as compiled */
	char *function;
	u32 first, last; /* lines of the file; last UINT32_MAX: to the end */
	u32 base;        /* the function's line; 0: numbers are those of the file */
	u8 *marks;       /* by line - first: can it be probed? */
	u32 nr_marks;
};

int probe_finder__lines(struct probe_finder *finder, const struct probe_lines *lines,
                        struct probe_source *source, struct error *err);
void probe_source__exit(struct probe_source *source);

struct probe_vars_options {
	bool externs, range;
	bool (*wanted)(void *ctx, const char *name); /* NULL: all */
	void *ctx;
	bool no_inlines;
	u32 max;
};

/* Print what --vars shows for the places of @def. */
int probe_finder__vars(struct probe_finder *finder, const struct probe_definition *def,
                       const struct probe_vars_options *options, struct out *out,
                       struct error *err);

#endif
