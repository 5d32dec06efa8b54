/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The object that is probed: a program or library, the kernel or a module in a file, or the kernel
 * that runs, of which only the list of symbols is known. It has its symbols, where its code lies in
 * the file, and the call frame at an address.
 *
 * A target belongs to one thread.
 */
#ifndef PERF_UTIL_FETCH_TARGET_H
#define PERF_UTIL_FETCH_TARGET_H

#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/unwind/cfi.h"

struct probe_symbol {
	const char *name; /* as in the file */
	u64 addr, size;
	bool is_code;
	bool is_indirect; /* its code chooses the function that is called by this name (IFUNC) */
	bool is_shared;   /* data that other objects may have instead: see is_stale() */
	bool is_again;    /* of .dynsym, while the debug file has the whole table */
};

struct probe_target {
	char *path;         /* absolute, without links; as the probed process sees it */
	char *written;      /* the same for the kernel: as we see it, in another mount namespace */
	char *file;         /* where we read it: with --symfs, or in another mount namespace */
	char *dwarf_path;   /* the file with the debug information; NULL: none was found */
	const char *symfs;  /* "" for none; borrowed */
	const char *source; /* of --source: the folder with source files; borrowed */
	char *module;       /* name of the kernel module; NULL: another object */
	u64 module_start;   /* where we put the code of a module in a file; 0: another object */
	bool is_kernel;
	bool is_running;    /* no file, but the kernel's list of symbols */
	bool is_hidden;     /* private: that list has no addresses */
	struct arena texts; /* private: the list */
	bool refused;       /* @why: debug information was found, but is of another build */
	struct error why;
	struct elf_file elf, debug;
	bool has_debug;
	struct probe_symbol *symbols;
	u32 nr_symbols;
	size_t cap_symbols;
	bool symbols_read;
	struct cfi cfi[2]; /* .eh_frame, and .debug_frame of either file */
	bool cfi_read;
};

/*
 * Open the ELF file @path: a program, or (@is_kernel) a vmlinux or module. 0, or a negative errno
 * with @err. @pid: as that process sees it; 0: as we do. A path below /proc/PID/root is one as PID
 * sees it.
 */
int probe_target__open(struct probe_target *target, const char *path, const char *symfs, u32 pid,
                       bool is_kernel, struct error *err);
void probe_target__close(struct probe_target *target);

/*
 * The kernel that runs, or its module @module (NULL: the kernel itself), by the list of symbols
 * @kallsyms. -ENOENT with @err: no such module is loaded; others: see kallsyms.h.
 */
int probe_target__open_running(struct probe_target *target, const char *module,
                               const char *kallsyms, struct error *err);

/* Is it a file of another mount namespace? The path written is good while its process lives. */
bool probe_target__is_elsewhere(const struct probe_target *target);

/*
 * The file of the module @name ("nf_tables", "nf-tables") for the kernel that runs, by the index
 * below @symfs: malloc'ed, or NULL.
 */
char *probe_target__module_path(const char *name, const char *symfs);

/* The symbols of the object and of its debug file, unsorted: names may be there twice. */
const struct probe_symbol *probe_target__symbols(struct probe_target *target, u32 *nr);

/* The code symbol of this name, as it is in the file or readable; NULL: none. */
const struct probe_symbol *probe_target__symbol(struct probe_target *target, const char *name);

/* The one data symbol of this name; NULL: there is none, or several. */
const struct probe_symbol *probe_target__data_symbol(struct probe_target *target, const char *name);

/* The code symbol that @addr lies in, of several the one that begins last; NULL: none. */
const struct probe_symbol *probe_target__code_at(struct probe_target *target, u64 addr);

/* The data symbol that @addr lies in; NULL: none. */
const struct probe_symbol *probe_target__data_at(struct probe_target *target, u64 addr);

/*
 * Is @addr in a global variable of a library which the library may not use? A program that names
 * the variable has it in its own memory (a copy relocation), another library may have one of its
 * own, and then all use that. Nobody knows from the library alone.
 */
bool probe_target__is_stale(struct probe_target *target, u64 addr);

/* The offset in the file of the code or data at @vaddr, or UINT64_MAX. */
u64 probe_target__offset(const struct probe_target *target, u64 vaddr);

/* Can code be at @vaddr: is it in no data, and not in the file's own headers? */
bool probe_target__is_code(struct probe_target *target, u64 vaddr);

/* The address of the byte at @offset, or UINT64_MAX. */
u64 probe_target__vaddr(const struct probe_target *target, u64 offset);

/* The canonical frame address at @vaddr as register (DWARF's number) and offset; else false. */
bool probe_target__cfa(struct probe_target *target, u64 vaddr, u32 *reg, s64 *offset);

#endif
