/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of fuzz harnesses. A harness is one file tests/fuzz/NAME_fuzz.c with the first two
 * functions below. It is linked with driver.c, for any compiler, or with clang's libFuzzer; see
 * README.
 */
#ifndef PERF_TESTS_FUZZ_H
#define PERF_TESTS_FUZZ_H

#include "util/lib/types.h"

/* Parse one input. Returns 0 always; a bug shows as a signal, a sanitizer's report or abort(). */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Pass a few valid inputs to @add: the start of the mutations. */
void fuzz__seeds(void (*add)(const void *data, size_t size));

/*
 * An invariant of the code under test: if it does not hold, the fuzzer must see a crash, in every
 * build.
 */
#define FUZZ_CHECK(cond)                                                                           \
	do {                                                                                       \
		if (!(cond))                                                                       \
			fuzz__failed(__FILE__, __LINE__, #cond);                                   \
	} while (0)
void fuzz__failed(const char *file, int line, const char *what) __attribute__((noreturn));

/* The path of a file in memory with these bytes; each call returns the same path. */
const char *fuzz__file(const void *data, size_t size);

/*
 * Make a folder with these files ("/proc/7/maps"), which are links to memory; returns its path. It
 * is removed when the program ends.
 */
const char *fuzz__folder(const char *const *files, u32 nr);

/*
 * Fill those files with the parts of @data between bytes 0xff, in order; if there are more files,
 * start again from the first part.
 */
void fuzz__fill(const u8 *data, size_t size);

/* The bytes as a string, to be freed. */
char *fuzz__text(const u8 *data, size_t size);

/* Write a file on disk, for who looks what lies beside it. */
void fuzz__write(const char *path, const void *data, size_t size);

/* Use the values, so that the compiler cannot drop reading them. */
void fuzz__touch(const void *data, size_t size);

#endif
