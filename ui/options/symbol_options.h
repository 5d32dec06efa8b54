/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options about the sources of symbols, and the symbols made from them for one recording.
 * Shared by all commands that name addresses.
 */
#ifndef PERF_UI_OPTIONS_SYMBOL_OPTIONS_H
#define PERF_UI_OPTIONS_SYMBOL_OPTIONS_H

#include "ui/options/debuginfod_option.h"
#include "util/options/options.h"
#include "util/symbol/session_symbols.h"
#include "util/symindex/index_cache.h"

struct session;

struct symbol_options {
	/* As given. */
	struct symbol_config config;
	const char *buildid_dir; /* NULL: the configured or default one */
	struct debuginfod_option debuginfod;
	bool no_index;
	/* Made. */
	char *cache_dir, *index_dir;
	char *copied_names; /* the copy of kernel names beside the recording; NULL: none */
	struct symbol_bundle *bundle;
};

/* For commands, which know PERF_VERSION. */
#define SYMBOL_OPTIONS_INIT                                                                        \
	{                                                                                          \
		.config = {                                                                        \
			.symfs = "",                                                               \
			.demangle = true,                                                          \
			.index_max = INDEX_CACHE_MAX,                                              \
			.program = PERF_VERSION,                                                   \
		}                                                                                  \
	}

/* Rows of the table of variables of configuration files. */
#define OPT_SYMBOL_KEYS(self)                                                                      \
	OPT_KEY(OPTION_CALLBACK, "symbol-cache.size", &(self)->config.index_max,                   \
	        .parse = symbol_options__parse_index_size)

/* Rows of the table of options. */
#define OPT_SYMBOL_CACHE(self)                                                                     \
	OPT_BOOL(0, "no-symbol-cache", &(self)->no_index,                                          \
	         "neither use nor fill the cache of symbols and source lines")

/* clang-format off */
#define OPT_SYMBOLS(self)                                                                         \
	OPT_STRING('k', "vmlinux", &(self)->config.vmlinux, "file", "use this vmlinux file"),     \
	OPT_BOOL(0, "ignore-vmlinux", &(self)->config.ignore_vmlinux,                             \
	         "do not look for a vmlinux"),                                                    \
	OPT_STRING(0, "kallsyms", &(self)->config.kallsyms, "file", "use this kallsyms file"),    \
	OPT_STRING(0, "symfs", &(self)->config.symfs, "dir",                                      \
	           "look for binaries below this folder"),                                        \
	OPT_STRING(0, "buildid-dir", &(self)->buildid_dir, "dir", "use this build-id cache"),     \
	OPT_SYMBOL_CACHE(self),                                                                   \
	OPT_DEBUGINFOD(&(self)->debuginfod),                                                      \
	OPT_CALLBACK(0, "demangle", &(self)->config, "full|short",                                \
	             "print C++ and Rust names as in the source (default); full: with "           \
	             "parameters, short: without template arguments",                             \
	             symbol_options__parse_demangle, .flags = OPTION_OPTIONAL_ARG),               \
	OPT_BOOL(0, "demangle-kernel", &(self)->config.demangle_kernel,                           \
	         "demangle names of the kernel, too")
/* clang-format on */

int symbol_options__parse_demangle(const struct option *option, const char *arg, bool unset,
                                   struct error *err);

/* The limit for all indexes together, in megabytes. */
int symbol_options__parse_index_size(const struct option *option, const char *arg, bool unset,
                                     struct error *err);

/* Where to find objects; complete after symbol_options__start(). Valid until __end(). */
const struct symbol_config *symbol_options__config(struct symbol_options *self);

/* Make the symbols for @session, which has been scanned; never NULL. */
struct session_symbols *symbol_options__start(struct symbol_options *self,
                                              const struct session *session);

/*
 * Save what @symbols (may be NULL) found to the symbol cache, free them, and print what went wrong
 * with servers; with @verbose, also with saving.
 */
void symbol_options__end(struct symbol_options *self, struct session_symbols *symbols,
                         bool verbose);

#endif
