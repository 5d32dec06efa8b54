/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the file of an object: the mapped one, or the build-id cache's copy if that is gone or was
 * replaced. A file whose build-id is not the recorded one is never used: wrong names and wrong
 * unwind tables are worse than none.
 */
#ifndef PERF_UTIL_SYMTAB_OBJECT_FILE_H
#define PERF_UTIL_SYMTAB_OBJECT_FILE_H

#include "util/elf/elf_file.h"
#include "util/machine/dsos.h"
#include "util/symtab/symbol_config.h"

struct debuginfod;
struct file_trail;

struct object_file_request {
	const char *path;   /* the mapped file */
	const char *symfs;  /* prefix for all paths; "" or NULL for none */
	const u8 *build_id; /* expected; NULL or size 0: do not check */
	u8 build_id_size;
	const char *cache_dir;         /* build-id cache ("~/.debug" expanded); NULL: none */
	const char *debug_dir;         /* "/usr/lib/debug" */
	bool demangle;                 /* see struct symtab */
	u64 module_start;              /* load address of a kernel module; else 0 */
	struct debuginfod *debuginfod; /* NULL: no server is asked */
	struct file_trail *trail;      /* notes what is looked at; or NULL */
};

/* Open the file that was mapped. 0 with @elf open, or a negative errno and @err filled. */
int object_file__open(struct elf_file *elf, const struct object_file_request *request,
                      struct error *err);

/* May this machine's files and processes of today be used as those of the recording? */
bool object_files__recorded_here(const struct symbol_config *config);

/*
 * The root folder (malloc'ed) for the file of a program's dso: that of --symfs, or the root of the
 * process that has mapped it. NULL with @err: another file was mapped from @path.
 */
char *object_files__prefix(const struct symbol_config *config, const struct dso *dso,
                           const char *path, struct error *err);

/*
 * Another root to try, if none of the files has the build-id: that of the running process that
 * mapped it; or NULL.
 */
char *object_files__other_prefix(const struct symbol_config *config, const struct dso *dso);

/* An object and, where there is one, its separate debug file. */
struct object_files {
	struct elf_file elf, debug;
	bool has_elf, has_debug;
};

/*
 * Open those of a file or of the [vdso]; -ENOENT for dsos that are no ELF files. @want_debug: look
 * for the separate debug file, too. From any thread. Close after success.
 */
int object_files__open(struct object_files *files, const struct dsos *dsos, u32 dso,
                       const struct symbol_config *config, bool want_debug, struct error *err);
void object_files__close(struct object_files *files);

#endif
