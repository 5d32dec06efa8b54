/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the addresses that instructions refer to: functions that are called, entries of the PLT,
 * variables. Other tables than those of the profile are used, whole ones, which are loaded at the
 * first question.
 */
#ifndef PERF_UTIL_ANNOTATE_CODE_NAMES_H
#define PERF_UTIL_ANNOTATE_CODE_NAMES_H

#include "util/symbol/code.h"
#include "util/symbol/session_symbols.h"

struct code_names;

struct code_names *code_names__new(const struct dsos *dsos, const struct symbol_config *config);
void code_names__delete(struct code_names *names);

/*
 * The symbol that covers @addr (of the symbol table of @dso; for modules and BPF programs also of
 * the kernel), C++ functions with parameters, and how far behind its start @addr is; NULL: none
 * does. Valid as long as @names.
 */
const char *code_names__find(struct code_names *names, u32 dso, u64 addr, u64 *offset);

/* The same; where none covers it the last one before it in its section, as objdump does. */
const char *code_names__nearest(struct code_names *names, struct code_files *files, u32 dso,
                                u64 addr, u64 *offset);

/* The readable form of the name @raw of a function in the debug information of @dso. */
const char *code_names__readable(struct code_names *names, u32 dso, const char *raw);

#endif
