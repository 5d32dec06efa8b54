/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a stripped object's symbols and debug information are kept: separate debug files, found
 * by build-id, by the file's .gnu_debuglink or by its path, and the compressed table inside the
 * file.
 */
#ifndef PERF_UTIL_SYMTAB_DEBUG_FILE_H
#define PERF_UTIL_SYMTAB_DEBUG_FILE_H

#include "util/elf/build_id.h"
#include "util/elf/elf_file.h"
#include "util/symtab/debuginfod.h"
#include "util/symtab/symtab.h"

struct debug_file_request {
	const char *path;  /* of the object, without symfs */
	const char *symfs; /* "" for none */
	const char *cache_dir;
	const char *debug_dir;
	struct build_id build_id;      /* of the object; size 0: unknown */
	struct debuginfod *debuginfod; /* NULL: no server is asked */
	struct error *refused; /* the first file that was there but is of another build; or NULL */
	struct file_trail *trail; /* notes what is looked at; or NULL */
};

/*
 * Open the debug file of the object @elf (NULL: the object itself is gone). Returns its path
 * (malloc'ed) with @debug open, or NULL. It belongs to the object: equal build-id, or the
 * checksum of the .gnu_debuglink.
 */
char *debug_file__open(struct elf_file *debug, struct elf_file *elf,
                       const struct debug_file_request *request);

/*
 * The path (malloc'ed) of the file with the DWARF of the object that has its symbols in @path:
 * that file itself, or its debug file. Where @path is gone or of another build by now, or NULL
 * (they came from no file, as the vdso's), only what has the build-id counts. NULL: there is none.
 */
char *debug_file__of_dwarf(const char *path, const struct debug_file_request *request);

/*
 * The .symtab inside .gnu_debugdata, appended. Returns the number of symbols; 0 without such a
 * section, with a damaged one, or when perf was built without liblzma.
 */
u32 debug_file__add_embedded(struct symtab *symtab, struct elf_file *elf);

#endif
