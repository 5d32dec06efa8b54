/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the installed package that a file belongs to, in the lists of dpkg. */
#ifndef PERF_UTIL_ELF_PACKAGE_H
#define PERF_UTIL_ELF_PACKAGE_H

/*
 * The name (malloc'ed) of the package that installed @path (absolute). NULL: none, or no dpkg here.
 * Reads the lists in @lists (normally PACKAGE_LISTS), some megabytes, until @path is found: for
 * messages, not for each file.
 */
#define PACKAGE_LISTS "/var/lib/dpkg/info"

char *package__of_file(const char *lists, const char *path);

#endif
