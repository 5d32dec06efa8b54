/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The integer names, attributes and tiny helpers that every file of the project uses.
 * No function here allocates or touches global state.
 */
#ifndef PERF_UTIL_LIB_TYPES_H
#define PERF_UTIL_LIB_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

/* "No such thing" for every 32-bit id (dso, thread, comm, node, location, string). */
#define ID_NONE UINT32_MAX

#define ARRAY_SIZE(a)          (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define likely(x)              __builtin_expect(!!(x), 1)
#define unlikely(x)            __builtin_expect(!!(x), 0)

static inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

static inline u64 round_up_u64(u64 value, u64 step)
{
	return (value + step - 1) / step * step;
}

/* Report an impossible state (a bug of ours, never bad input) with file and line, and abort. */
void bug_at(const char *file, int line, const char *what) __attribute__((noreturn, cold));

#define BUG_ON(cond)                                                                               \
	do {                                                                                       \
		if (unlikely(cond))                                                                \
			bug_at(__FILE__, __LINE__, #cond);                                         \
	} while (0)

#endif
