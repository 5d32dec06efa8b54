/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where names and debug information come from, and how names look: what the options of a command
 * say, for all that open an object's files.
 */
#ifndef PERF_UTIL_SYMTAB_SYMBOL_CONFIG_H
#define PERF_UTIL_SYMTAB_SYMBOL_CONFIG_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct debuginfod;
struct symbol_bundle;

struct symbol_config {
	const char *symfs;     /* "" default */
	const char *vmlinux;   /* NULL: search */
	const char *kallsyms;  /* NULL: build-id cache, then /proc/kallsyms if it is this kernel */
	const char *cache_dir; /* build-id cache; NULL: none */
	bool demangle;         /* default true */
	bool demangle_kernel;
	bool signatures;      /* C++ functions with their parameters (-v) */
	bool short_templates; /* "map<...>::find" */
	bool ignore_vmlinux;
	struct debuginfod *debuginfod; /* debug files of user programs from servers; NULL: none */
	struct symbol_bundle *bundle;  /* that came with the recording; NULL: none did. Used up */
	const char *index_dir;         /* folder of symbol indexes (index_cache.h); NULL: none */
	u64 index_max;                 /* bytes in it; 0: none */
	const char *program; /* perf's version: indexes of others are not used; NULL: none */
	bool allow_foreign_kallsyms; /* tests only */
	bool no_live_kernel; /* the file says that it is of another machine: this kernel is used
	                        only where the recorded build-id proves it to be the same, and
	                        nothing is concluded from the processes and inodes of today */
};

/* What --demangle=@how means: "full" (signatures), "short" (templates), NULL: as the default. */
int symbol_config__set_demangle(struct symbol_config *config, const char *how, struct error *err);

#endif
