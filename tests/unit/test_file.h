/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that a test makes for itself: below unit__tmpdir(), gone after the test. */
#ifndef PERF_TESTS_TEST_FILE_H
#define PERF_TESTS_TEST_FILE_H

#include <stddef.h>

struct elf_builder;

/* Write bytes to unit__tmpdir()/NAME; missing folders are made. Returns the path, malloc'ed. */
char *write_test_file(const char *name, const void *data, size_t len);

/* A text file FOLDER/NAME; missing folders are made, those of FOLDER, too. */
void put_test_text(const char *folder, const char *name, const char *text);

/* write_test_file() for an ELF file (tests/unit/elf_builder.h), which is built first. */
char *elf_builder__write(struct elf_builder *e, const char *name);

#endif
