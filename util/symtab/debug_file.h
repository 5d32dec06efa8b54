/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the symbols and debug information of a stripped object. They are in separate debug files,
 * found by build-id, by the file's .gnu_debuglink or by its path, and in the compressed table
 * inside the file. Of several the one that tells most is taken: copies in the build-id cache and
 * debug files may have been stripped of a part.
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
	struct error *refused;         /* gets the first file found of another build; or NULL */
	struct file_trail *trail;      /* notes what is looked at; or NULL */
};

/*
 * Open the debug file of the object @elf (NULL: the object itself is gone). Returns its path
 * (malloc'ed) with @debug open, or NULL: it has symbols, and of equal ones the first is taken. The
 * file is checked to belong to the object, by build-id or by the checksum in .gnu_debuglink.
 */
char *debug_file__open(struct elf_file *debug, struct elf_file *elf,
                       const struct debug_file_request *request);

/*
 * The path (malloc'ed) of the file with the DWARF of the object whose symbols are from @path: that
 * file itself, or its debug file (one with symbols only, if none has more). NULL: there is none. If
 * @path is gone, is of another build by now, or is NULL (symbols from no file, as the vdso's), the
 * file must have the build-id.
 */
char *debug_file__of_dwarf(const char *path, const struct debug_file_request *request);

/*
 * Append the .symtab inside .gnu_debugdata. Returns the number of symbols; 0 without such a
 * section, with a damaged one, or when perf was built without liblzma.
 */
u32 debug_file__add_embedded(struct symtab *symtab, struct elf_file *elf);

#endif
