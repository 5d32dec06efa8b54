/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processor this is, in the words that tables of events are chosen by: on x86
 * "GenuineIntel-6-55-4" (vendor, family, model, stepping; the last three hexadecimal), on arm64
 * the main ID register "0x00000000410fd0c0".
 */
#ifndef PERF_UTIL_EVENT_CPU_ID_H
#define PERF_UTIL_EVENT_CPU_ID_H

#include "arch/arch.h"
#include "util/lib/types.h"

#define CPU_ID_SIZE 192

/*
 * Of the machine whose /proc and /sys are below @root ("": this one), which is of @arch;
 * $PERF_CPUID is taken instead, as by Linux's perf. False: it does not say (@buf is "").
 */
bool cpu_id__read(const struct arch *arch, const char *root, char buf[static CPU_ID_SIZE]);

/*
 * Does the extended regular expression @pattern of a mapfile.csv fit all of @id? What may differ
 * within a model counts only where the pattern speaks of it: the stepping of x86; variant and
 * revision of arm64, which are 0 in patterns.
 */
bool cpu_id__fits(const char *id, const char *pattern);

/* The value of the first line "KEY   : value" of /proc/cpuinfo text; false when there is none. */
bool cpuinfo__value(const char *text, const char *key, char *value, size_t size);

#endif
