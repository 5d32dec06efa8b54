// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/start.h"

#include <stdbool.h>
#include <string.h>

#include "util/lib/types.h"

/*
 * glibc and musl: entry, what calls main, what calls a thread's function. A name may go on behind
 * it with a dot or an @ (".isra.0", "@@GLIBC_2.34", ".abi0").
 */
static const char *const thread_names[] = {
	"_start",
	"_start_c",
	"_dl_start_user",
	"__libc_start_call_main",
	"__libc_start_main",
	"__libc_start_main_impl",
	"libc_start_main_stage2",
	"generic_start_main",
	"start_thread",
	"__start_context",
	/* Go */
	"runtime.goexit",
	"runtime.mstart",
	"runtime.rt0_go",
	"_rt0_amd64_linux",
	"_rt0_arm64_linux",
	"_rt0_riscv64_linux",
};

static const char *const clone_names[] = {
	"clone", "__clone", "clone3", "__clone3", "__GI___clone", "__GI___clone3",
};

/* The kernel: first frames of its threads, of each CPU, and ways in from below. */
static const char *const kernel_names[] = {
	"secondary_startup_64",
	"secondary_startup_64_no_verify",
	"common_startup_64",
	"__primary_switched",
	"__secondary_switched",
	"error_entry",
	"error_return",
	"paranoid_entry",
	"common_interrupt_return",
	"irq_entries_start",
	"handle_exception",
	"ret_from_exception",
};

static const char *const fork_names[] = { "ret_from_fork", "ret_from_fork_asm",
	                                  "ret_from_kernel_thread" };

static const char *const kernel_beginnings[] = { "entry_", "asm_", "el0t_", "el0_" };

static bool is_name(const char *name, const char *known)
{
	size_t len = strlen(known);

	return !strncmp(name, known, len) && (!name[len] || name[len] == '.' || name[len] == '@');
}

static bool is_among(const char *name, const char *const *known, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (is_name(name, known[i]))
			return true;
	return false;
}

enum start_kind start_kind__of_name(const char *name)
{
	if (is_among(name, thread_names, ARRAY_SIZE(thread_names)))
		return START_THREAD;
	return is_among(name, clone_names, ARRAY_SIZE(clone_names)) ? START_CLONE : START_NOT;
}

enum start_kind start_kind__of_kernel(const char *name)
{
	if (is_among(name, fork_names, ARRAY_SIZE(fork_names)))
		return START_CLONE;
	if (is_among(name, kernel_names, ARRAY_SIZE(kernel_names)))
		return START_THREAD;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_beginnings); i++)
		if (!strncmp(name, kernel_beginnings[i], strlen(kernel_beginnings[i])))
			return START_THREAD;
	return START_NOT;
}
