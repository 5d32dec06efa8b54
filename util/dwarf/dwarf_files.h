/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files with an object's DWARF for libdw, and checks what libdw would trust. Checked are
 * sections that do not fit into the file, sizes after unpacking, and file names that lead to
 * devices and pipes, which would block.
 *
 * Split units are those of the package beside the object, PATH.dwp (for PATH.debug also without
 * that end), or beside the program that it is of, else those where the compiler put them. libdw
 * itself opens .dwo files, and maps them. So are objects of more than 8 MB that are opened with
 * the locations of variables. Truncating such a file while it is read ends perf by SIGBUS; all
 * other files are read, not mapped.
 *
 * Used by one thread, as the libdw handle. Exists with libdw only.
 */
#ifndef PERF_UTIL_DWARF_DWARF_FILES_H
#define PERF_UTIL_DWARF_DWARF_FILES_H

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

#include "util/elf/elf_file.h"
#include "util/elf/file_trail.h"
#include "util/lib/error.h"

struct dwarf_files {
	struct elf_file elf, alternate; /* or its unpacked image: debug_image.h */
	Dwarf *dwarf, *alternate_dwarf;
	char *path;
	char *no_alternate;       /* the path of dwz's common file, if there is none; else NULL */
	struct file_trail *trail; /* borrowed */
	const char *program;      /* set by the user: the program's own file; borrowed; or NULL */
	bool whole;               /* with the locations of variables, which others do not read */
	/* Private: of split units. */
	struct split_package *package; /* NULL: there is none, or it was not looked for yet */
	bool package_tried;
	char *package_path; /* there is one, be it sound or not; else NULL */
	int package_error;  /* why it cannot be opened */
	char *roomy[2];     /* sections of strings, with room behind */
	/*
	 * Private: the string being checked, and the section contents that the last ones were in.
	 */
	const char *string;
	struct dwarf_span {
		const char *start, *end;
	} found, spans[2]; /* spans: for strings in string sections, and for those in DIEs */
};

/*
 * NULL: there is no DWARF, or none that can be used. Other files that are looked at, here and
 * later, are noted in @trail, unless that is NULL. @module_start: the load address of a kernel
 * module; 0: it is none.
 */
struct dwarf_files *dwarf_files__open(const char *path, u64 module_start, struct file_trail *trail);

/* The same with the locations of variables. */
struct dwarf_files *dwarf_files__open_whole(const char *path, u64 module_start);
void dwarf_files__close(struct dwarf_files *files);

/*
 * The DIE that describes the code of the unit at @cudie: itself, or for a skeleton unit the DIE of
 * its split unit. False: there is none.
 */
bool dwarf_files__code_of_unit(struct dwarf_files *files, Dwarf_Die *cudie, Dwarf_Die *code);

/* The path in the unit's line table that ends with @name; NULL: there is none. */
const char *dwarf_files__source_of_unit(const Dwarf_Die *cudie, const char *name);

/* Is it of C or an assembler, so that no function stands in a type? */
bool dwarf_files__is_c(Dwarf_Die *cudie);

/*
 * The file with the code's DIEs of a unit, as the compiler named it, if that was put into another
 * file; else NULL.
 */
const char *dwarf_files__split_name(struct dwarf_files *files, Dwarf_Die *cudie);

/*
 * The same unit could not be read, and so what @err says: add to its cause which file is there, but
 * of no use, if one is, and the advice what to do. @program: beside it a package may be put.
 */
void dwarf_files__explain_unread(struct dwarf_files *files, Dwarf_Die *cudie, const char *program,
                                 struct error *err);

/*
 * A DIE's string, if it ends inside its section (libdw does not check that for all forms of
 * strings); else NULL.
 */
const char *dwarf_files__string(struct dwarf_files *files, Dwarf_Attribute *attr);
/* The same without an open dwarf_files, at the cost of a look at the sections. */
const char *dwarf_files__checked_string(Dwarf_Attribute *attr);
#endif

#endif
