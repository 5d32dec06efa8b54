/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that a test makes below unit__tmpdir(); they are removed after the test. */
#ifndef PERF_TESTS_TEST_FILE_H
#define PERF_TESTS_TEST_FILE_H

#include <stddef.h>

struct elf_builder;

/* Write bytes to unit__tmpdir()/NAME; missing folders are made. Returns the path, malloc'ed. */
char *write_test_file(const char *name, const void *data, size_t len);

/* Write a text file FOLDER/NAME; missing folders are made, also those of FOLDER. */
void put_test_text(const char *folder, const char *name, const char *text);

/* Build an ELF file (tests/unit/elf_builder.h), then write_test_file() it. */
char *elf_builder__write(struct elf_builder *e, const char *name);

#endif
