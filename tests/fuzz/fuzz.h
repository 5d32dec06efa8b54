/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fuzz harness is one file tests/fuzz/NAME_fuzz.c with the first two functions below. It is
 * linked with driver.c to a program that any compiler can build, or with clang's libFuzzer; see
 * README.
 */
#ifndef PERF_TESTS_FUZZ_H
#define PERF_TESTS_FUZZ_H

#include "util/lib/types.h"

/* Parse one input. Returns 0 always; a bug shows as a signal, a sanitizer's report or abort(). */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Hand a few good inputs to @add: what the mutations start from. */
void fuzz__seeds(void (*add)(const void *data, size_t size));

/*
 * An invariant of the code under test: where it does not hold the fuzzer must see a crash, in
 * every build.
 */
#define FUZZ_CHECK(cond)                                                                           \
	do {                                                                                       \
		if (!(cond))                                                                       \
			fuzz__failed(__FILE__, __LINE__, #cond);                                   \
	} while (0)
void fuzz__failed(const char *file, int line, const char *what) __attribute__((noreturn));

/* A path that opens to a file in memory with these bytes; the same path for each call. */
const char *fuzz__file(const void *data, size_t size);

/*
 * A new folder with these files ("/proc/7/maps"), which are links to memory; removed when the
 * program ends. Its path.
 */
const char *fuzz__folder(const char *const *files, u32 nr);

/*
 * The contents of those files: the parts of @data between bytes 0xff, one after the other, and from
 * the first one on again where there are more files.
 */
void fuzz__fill(const u8 *data, size_t size);

/* The bytes as a string, to be freed. */
char *fuzz__text(const u8 *data, size_t size);

/* Swallows values so that the compiler cannot leave out reading them. */
void fuzz__touch(const void *data, size_t size);

#endif
