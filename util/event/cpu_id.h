/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The id of the processor, by which its event table is chosen. On x86 "GenuineIntel-6-55-4"
 * (vendor, family, model, stepping; the last three hexadecimal), on arm64 the main ID register
 * "0x00000000410fd0c0".
 */
#ifndef PERF_UTIL_EVENT_CPU_ID_H
#define PERF_UTIL_EVENT_CPU_ID_H

#include "arch/arch.h"
#include "util/lib/types.h"

#define CPU_ID_SIZE 192

/*
 * Read the id of the machine of @arch whose /proc and /sys are below @root ("": this one).
 * $PERF_CPUID overrides it, as in Linux's perf. False: unknown (@buf is "").
 */
bool cpu_id__read(const struct arch *arch, const char *root, char buf[static CPU_ID_SIZE]);

/*
 * Does the extended regular expression @pattern of a mapfile.csv match all of @id? A pattern may
 * leave out x86's stepping. arm64's variant and revision are not compared: they are 0 in patterns.
 */
bool cpu_id__fits(const char *id, const char *pattern);

/* The value of the first line "KEY   : value" of /proc/cpuinfo text; false when there is none. */
bool cpuinfo__value(const char *text, const char *key, char *value, size_t size);

#endif
