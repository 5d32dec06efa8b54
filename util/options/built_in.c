// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/built_in.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/lib/types.h"

/*
 * The Makefile says which of its features are on: PERF_BUILT_IN is " lzma zstd ". The third column
 * is the name there; NULL is what this perf does not do (yet), "" what it always does.
 */
#ifdef __GLIBC__
#define GLIBC ""
#else
#define GLIBC NULL
#endif

/* First what Linux's perf 6.1 names, in its order; then what newer ones and we have. */
static const struct built_in features[] = {
	{ "dwarf", "HAVE_DWARF_SUPPORT", "libdw" },
	{ "dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", "libdw" },
	{ "glibc", "HAVE_GLIBC_SUPPORT", GLIBC },
	{ "syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", NULL },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", NULL },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", "debuginfod" },
	{ "libelf", "HAVE_LIBELF_SUPPORT", "" },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", NULL },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", NULL },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", NULL },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", NULL },
	{ "libslang", "HAVE_SLANG_SUPPORT", NULL },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", NULL },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", "libunwind" },
	{ "libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", "libdw" },
	{ "zlib", "HAVE_ZLIB_SUPPORT", NULL },
	{ "lzma", "HAVE_LZMA_SUPPORT", "lzma" },
	{ "get_cpuid", "HAVE_AUXTRACE_SUPPORT", NULL },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", NULL },
	{ "aio", "HAVE_AIO_SUPPORT", NULL },
	{ "zstd", "HAVE_ZSTD_SUPPORT", "zstd" },
	{ "libpfm4", "HAVE_LIBPFM", NULL },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", "libtraceevent" },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", "capstone" },
	{ "auxtrace", "HAVE_AUXTRACE_SUPPORT", NULL },
	{ "ncurses", "HAVE_NCURSES", "ncurses" },
	{ "demangle", "HAVE_DEMANGLE", "demangle" },
};

const struct built_in *built_in__all(size_t *nr)
{
	*nr = ARRAY_SIZE(features);
	return features;
}

bool built_in__is_on(const struct built_in *feature)
{
	char word[40];

	if (!feature->needs || !*feature->needs)
		return feature->needs;
	snprintf(word, sizeof(word), " %s ", feature->needs);
	return strstr(PERF_BUILT_IN, word);
}

static bool is_name(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, word, len);
}

const struct built_in *built_in__find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (is_name(features[i].name, name, len) || is_name(features[i].macro, name, len))
			return &features[i];
	return NULL;
}
