/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split units that libdw (0.188) does not find by itself: those in a package (PROG.dwp), those that
 * clang left in the object file (-gsplit-dwarf=single), and those beside type units that have
 * sections of their own. Of them a file is made in memory that looks as a plain .dwo does.
 *
 * Of type units (-fdebug-types-section) a unit gets those that were compiled with it. A package
 * has each once, so the type may have come from elsewhere: then it counts as unknown.
 *
 * Used by one thread.
 */
#ifndef PERF_UTIL_DWARF_SPLIT_UNITS_H
#define PERF_UTIL_DWARF_SPLIT_UNITS_H

#include "util/elf/elf_file.h"

struct split_package; /* private */

/*
 * The package at @path, which is read as far as units are asked for. NULL, with a negative errno:
 * it cannot be opened; -ENOEXEC, -EBADMSG: it is no package, it is damaged.
 */
struct split_package *split_package__open(const char *path, int *error);
void split_package__close(struct split_package *package);

/* Has the package a unit of this id, sound or not? */
bool split_package__lists(const struct split_package *package, u64 id);

/*
 * The descriptor, to be closed, of a file with the unit of this id; -1: the package does not have
 * it, or it is damaged.
 */
int split_package__unit(struct split_package *package, u64 id);

/* The same for all split units in a file; -1: there are none, or libdw can read it as it is. */
int split_units__of_object(struct elf_file *elf);

#endif
