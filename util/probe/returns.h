/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What probes of returns do and miss in programs. The kernel puts an address of its own in the
 * place of the return address of each call that is watched, which has two consequences:
 *
 * - Unwinders do not find the caller: an exception of C++ or a panic of Rust that would pass the
 *   function ends the program instead.
 * - It keeps the true addresses, up to 64 for each thread. Returns of calls nested deeper are left
 *   out, without a trace but a line in the kernel's log, at most ten in five seconds.
 */
#ifndef PERF_UTIL_PROBE_RETURNS_H
#define PERF_UTIL_PROBE_RETURNS_H

#include "util/fetch/target.h"
#include "util/probe/finder.h"

#define NESTED_RETURNS_MAX 64

/* Is one of the places, where a function returns, of C++ or Rust in a program with handlers? */
bool returns__stop_exceptions(struct probe_target *target, const struct probe_spots *spots);

enum returns_omitted {
	RETURNS_NOT_OMITTED,
	RETURNS_OMITTED,     /* some were */
	RETURNS_UNKNOWN,     /* the log told of some shortly before, so it need not have again */
	RETURNS_NOT_TOLD_OF, /* the log cannot be read */
};

/* Since @start, in µs of CLOCK_MONOTONIC. By the log @path (/dev/kmsg) of the whole machine. */
enum returns_omitted returns__omitted(const char *path, u64 start);

#endif
