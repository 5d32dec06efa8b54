/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the dumps of JIT compilers (util/jit/jitdump.h) into ELF files and maps, for inject --jit.
 * Each function gets an ELF file jitted-PID-INDEX.so beside its dump, and a map for each time it
 * was made or moved. A dump is found by the executable map of it that its compiler makes as a mark.
 */
#ifndef PERF_UTIL_EXPORT_JIT_MAPS_H
#define PERF_UTIL_EXPORT_JIT_MAPS_H

#include "util/elf/build_id.h"
#include "util/machine/session.h"

struct jit_file {
	char *path;
	struct build_id id;
	struct dso_inode inode;
	bool hit; /* a sample fell into it: jit_maps__hit() */
};

struct jit_map {
	u64 time;
	s32 pid, tid; /* as recorded */
	u64 start, len;
	u32 file;
};

struct jit_mark { /* a process that has mapped its dump */
	s32 pid;
	u64 time;
	const char *path; /* of the dump, in strtab */
};

struct jit_maps {
	struct jit_file *files;
	struct jit_map *maps; /* by time */
	struct jit_mark *marks;
	u32 nr_files, nr_maps, nr_marks;
	size_t files_cap, maps_cap, marks_cap;
	struct strtab strings;   /* private: of machine */
	struct machine *machine; /* private: the maps alone */
};

/*
 * Read the dumps of all processes of @session (scanned) and write the files. @force: dumps of other
 * users, too. A failure with one dump is passed to @problem, and the others are read. 0 or a
 * negative errno with @err: the recording's clock is not that of dumps. Exit afterwards in any
 * case.
 */
int jit_maps__collect(struct jit_maps *jit, struct session *session, bool force,
                      void (*problem)(void *ctx, const struct error *error), void *ctx,
                      struct error *err);
void jit_maps__exit(struct jit_maps *jit);

/* The file into which address @ip of process @pid fell at @when (and mark it as hit), or NULL. */
struct jit_file *jit_maps__hit(struct jit_maps *jit, s32 pid, u64 ip, struct moment when);

/*
 * Must this map record be left out? That is so for the mark itself, and after it for memory without
 * a file in a marked process (a change of protection repeats such a map, over its functions).
 */
bool jit_maps__hides(const struct jit_maps *jit, s32 pid, const char *name, u64 time);

#endif
