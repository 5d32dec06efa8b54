/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which package of this system a file belongs to, by the lists that dpkg keeps. */
#ifndef PERF_UTIL_ELF_PACKAGE_H
#define PERF_UTIL_ELF_PACKAGE_H

/*
 * The name of the package that has installed @path (absolute), malloc'ed, or NULL: none, or no
 * dpkg here. Reads the lists in @lists (normally PACKAGE_LISTS) until it is found, some megabytes:
 * for messages, not for each file.
 */
#define PACKAGE_LISTS "/var/lib/dpkg/info"

char *package__of_file(const char *lists, const char *path);

#endif
