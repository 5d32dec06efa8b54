/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug information in several files of one folder, for the harnesses that open such. */
#ifndef PERF_TESTS_FUZZ_DEBUG_FILES_H
#define PERF_TESTS_FUZZ_DEBUG_FILES_H

#include "util/lib/types.h"

/*
 * In an input the files stand one behind another, after the sizes of all but the last, 32 bits
 * each. The first is the object that names the others.
 */
struct debug_files {
	const char *const *names;
	u32 nr;
};

/* A program with an inlined function; @linkage is what keeps the names of functions as they are. */
#define DEBUG_FILES_SOURCE(linkage)                                                                \
	"volatile int sink; struct s { int a; struct s *next; };\n"                                \
	"static inline __attribute__((always_inline)) int low(struct s *s) { return s->a + sink; " \
	"}\n" linkage "__attribute__((noinline)) int top(struct s *s)\n{\n"                        \
	"\treturn low(s->next) + low(s);\n}\n" linkage                                             \
	"void _start(void)\n{\n\tstruct s s = { 1, 0 };\n\tsink = top(&s);\n}\n"

/* The folder: made when it is first asked for, removed when the program ends. */
const char *fuzz__debug_folder(void);

/* Write the files of an input, of which empty ones are not there, and read the object's. */
void fuzz__read_debug_files(const struct debug_files *files, const u8 *data, size_t size);

/* An input of what a command has made in the folder; none where one of the first @needed lacks. */
void fuzz__add_debug_files(const struct debug_files *files, u32 needed,
                           void (*add)(const void *data, size_t size));

#endif
