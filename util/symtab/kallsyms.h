/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's symbol list (/proc/kallsyms or a copy of it): "ADDRESS TYPE NAME[\t[MODULE]]".
 */
#ifndef PERF_UTIL_SYMTAB_KALLSYMS_H
#define PERF_UTIL_SYMTAB_KALLSYMS_H

#include "util/symtab/symtab.h"

/* One table to fill: the kernel's own or a module's. */
struct kallsyms_target {
	struct symtab *symtab; /* empty */
	const char *module;    /* NULL: the kernel itself; with or without brackets, - as _ */

	/*
	 * The addresses that will be asked for, ascending, as recorded. Only symbols that cover one
	 * of them are kept: a small part. NULL: all are.
	 */
	const u64 *wanted;
	u32 nr_wanted;
};

struct kallsyms_request {
	const char *path;
	struct kallsyms_target *targets; /* all are filled in one pass */
	u32 nr;

	/*
	 * The list is known to be sorted up to its modules, as the running kernel's is (the kernel
	 * itself searches in it): then parts that no target wants are skipped. Whether another list
	 * is sorted shows while it is read.
	 */
	bool sorted;

	/*
	 * The file may be of the same kernel, booted at another address. The kernel's symbols are
	 * moved so that @ref_symbol is at @ref_addr, as recorded; modules get no symbols then,
	 * because each boot puts them elsewhere. NULL or 0: as in the file.
	 */
	const char *ref_symbol;
	u64 ref_addr;
};

/*
 * Fill the targets. 0, or a negative errno with each symtab->error filled: the file cannot be read,
 * holds no symbols, only zero addresses (-EPERM: kptr_restrict), or has no @ref_symbol. A module
 * without symbols is no error here.
 */
int kallsyms__load(const struct kallsyms_request *request);

/* The address of one symbol of the kernel itself; 0 when there is none. */
u64 kallsyms__find(const char *path, const char *name);

/*
 * Set @err for a list @path whose addresses are hidden; for the running kernel's it names the
 * setting that hides them. Returns @code.
 */
int kallsyms__explain_hidden(const char *path, int code, const char *what, struct error *err);

#endif
