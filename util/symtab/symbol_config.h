/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options for names and debug information: where they come from, and how names look. Whatever opens
 * an object's files takes them.
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
	struct symbol_bundle *bundle;  /* from the recording, or NULL; loading takes its parts */
	const char *index_dir;         /* folder of symbol indexes (index_cache.h); NULL: none */
	u64 index_max;                 /* limit of its bytes; 0: no indexes */
	const char *program; /* perf's version: others' indexes are not used; NULL: none is */
	bool allow_foreign_kallsyms; /* tests only */
	bool no_live_kernel; /* the recording is of another machine: this kernel is used only if it
	                        has the recorded build-id, and today's processes and inodes are not
	                        used */
};

/* Apply --demangle=@how: "full" (signatures), "short" (templates), NULL: the default. */
int symbol_config__set_demangle(struct symbol_config *config, const char *how, struct error *err);

#endif
