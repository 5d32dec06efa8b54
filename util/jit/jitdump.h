/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the dump of a JIT compiler (jit-PID.dump): each function's code, lines and unwind tables,
 * with times. The layout is that of Linux's jitdump specification, version 2.
 */
#ifndef PERF_UTIL_JIT_JITDUMP_H
#define PERF_UTIL_JIT_JITDUMP_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct jitdump_header {
	u32 machine; /* EM_* */
	u32 pid;     /* in the compiler's own pid namespace */
	u64 time;
};

struct jitdump_line {
	u64 addr; /* run-time */
	u32 line;
	const char *file;
};

/* A function was compiled (or compiled again, under another index). */
struct jitdump_code {
	u64 time; /* CLOCK_MONOTONIC, ns */
	u32 pid, tid;
	u64 addr, size, index;
	const char *name;
	const u8 *code; /* @size bytes */
	const struct jitdump_line *lines;
	u32 nr_lines;
	/* .eh_frame of unwind_size bytes, and in its last eh_header_size bytes .eh_frame_hdr. */
	const u8 *unwind;
	u64 unwind_size, eh_header_size;
};

struct jitdump_move {
	u64 time;
	u32 pid, tid;
	u64 from, to, size, index;
};

/* Everything is valid during the call only. A return value other than 0 ends the reading. */
struct jitdump_handler {
	void *ctx;
	int (*code)(void *ctx, const struct jitdump_code *code);
	int (*move)(void *ctx, const struct jitdump_move *move);
};

struct jitdump_stats {
	u64 nr_codes, nr_moves;
	u64 nr_broken; /* records whose content does not fit their size: skipped */
	u64 cut;       /* bytes of an incomplete last record: the compiler was stopped */
};

/*
 * Read the dump @path, open as @fd (borrowed). 0, what a handler returned, or a negative errno with
 * @err: no dump, of another version or byte order, of another clock (-EOPNOTSUPP), unreadable.
 * Records of unknown types are skipped. Memory is bounded by the largest record, 64 MB.
 */
int jitdump__read(int fd, const char *path, struct jitdump_header *header,
                  const struct jitdump_handler *handler, struct jitdump_stats *stats,
                  struct error *err);

#endif
