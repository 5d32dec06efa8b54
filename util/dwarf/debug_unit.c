// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reduces one compilation unit from DWARF to two tables. Its DIEs are walked once. In plain C,
 * functions without code are skipped with all that is in them; in other languages types inside them
 * may have functions with code. Each DIE with code (a function, or one inlined into it) has address
 * ranges, nested as the DIEs are: a sweep over all of them leaves disjoint segments, each with its
 * innermost function.
 *
 * Ranges at 0, -1 and -2 are code that the linker threw away.
 */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/debug_info_private.h"
#include "util/dwarf/dwarf_files.h"
#include "util/lib/alloc.h"
#include "util/lib/deep_stack.h"
#include "util/lib/hash.h"
#include "util/lib/sort.h"

#define DEPTH_MAX 256

/* The code of one frame. */
struct stretch {
	u32 start, end; /* offsets from the unit's base */
	u32 frame;
};

struct unit_reader {
	struct debug_info *info;
	struct debug_unit *unit;
	Dwarf_Files *files; /* that DIEs refer to */
	size_t nr_files;
	const char *folder;      /* that relative paths of files start from; NULL: not known */
	bool plain_c;            /* types hold no functions, names are those of symbols */
	struct keyed *stretches; /* before the sweep: start and depth, end and frame */
	u32 nr;
	size_t cap, cap_segments, cap_rows, cap_files;
	struct u64map names;   /* by origin's DIE: text */
	struct u64map paths;   /* by where libdw keeps them: text */
	struct u64map file_of; /* by text: index into unit->files */
};

/* ---- texts ---- */

static u32 intern(struct unit_reader *reader, const char *text)
{
	return text ? debug_info__add_text(reader->info, text) : ID_NONE;
}

/* libdw hands out one pointer for each file of a unit, often. */
static u32 intern_path(struct unit_reader *reader, const char *path)
{
	u32 *known = u64map__at(&reader->paths, (uintptr_t)path);

	if (*known != ID_NONE)
		return *known;
	if (path && *path != '/' && reader->folder) {
		char *full = xasprintf("%s/%s", reader->folder, path);

		*known = intern(reader, full);
		free(full);
	} else {
		*known = intern(reader, path);
	}
	return *known;
}

static const char *string_of(const struct unit_reader *reader, Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	/* Follows abstract_origin and specification, 16 of them at most. */
	return dwarf_files__string(reader->info->files, dwarf_attr_integrate(die, name, &attr));
}

static const char *linkage_name(const struct unit_reader *reader, Dwarf_Die *die)
{
	const char *name = string_of(reader, die, DW_AT_linkage_name);

	return name ? name : string_of(reader, die, DW_AT_MIPS_linkage_name);
}

static u32 name_of(struct unit_reader *reader, Dwarf_Die *die)
{
	const char *name = linkage_name(reader, die);

	return intern(reader, name ? name : string_of(reader, die, DW_AT_name));
}

/*
 * Of a function with code of its own. Without a name as linkers know it (-gline-tables-only,
 * lambdas) its symbol tells more than the last part of its name, except in C.
 */
static u32 name_by_itself(struct unit_reader *reader, Dwarf_Die *die)
{
	return reader->plain_c ? name_of(reader, die) : intern(reader, linkage_name(reader, die));
}

/* One function is inlined at many places: its name is looked up once. */
static u32 inlined_name(struct unit_reader *reader, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin))
		return name_of(reader, die);
	u32 *known = u64map__at(&reader->names, (uintptr_t)origin.addr);

	if (*known == ID_NONE)
		*known = name_of(reader, &origin);
	return *known;
}

static u32 number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value) || value > UINT32_MAX)
		return 0;
	return value;
}

static u32 call_file_of(struct unit_reader *reader, Dwarf_Die *die)
{
	u32 index = number_of(die, DW_AT_call_file);

	if (!reader->files || index >= reader->nr_files)
		return ID_NONE;
	return intern_path(reader, dwarf_filesrc(reader->files, index, NULL, NULL));
}

/* ---- functions ---- */

static bool is_gone(Dwarf_Addr start)
{
	return start == 0 || start >= (Dwarf_Addr)-2;
}

static void add_stretch(struct unit_reader *reader, Dwarf_Addr start, Dwarf_Addr end, u32 frame,
                        u32 depth)
{
	u64 base = reader->unit->base;

	if (is_gone(start) || start >= end || start < base || start - base >= UINT32_MAX)
		return;
	array__reserve(&reader->stretches, &reader->cap, reader->nr + 1,
	               sizeof(*reader->stretches));
	reader->stretches[reader->nr++] = (struct keyed){
		.key = (start - base) << 32 | depth,
		.value = min_u64(end - base, UINT32_MAX) << 32 | frame,
	};
}

/* The ranges of a function as stretches of a new frame, whose id is returned. */
static u32 add_function(struct unit_reader *reader, Dwarf_Die *die, u32 parent, u32 depth)
{
	struct debug_info *info = reader->info;
	bool inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	u32 frame = info->nr_frames, before = reader->nr;

	while (reader->nr < SEGMENTS_MAX &&
	       (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		add_stretch(reader, start, end, frame, depth);
	if (reader->nr == before)
		return parent;
	array__reserve(&info->frames, &info->cap_frames, frame + 1, sizeof(*info->frames));
	info->frames[info->nr_frames++] = (struct inline_frame){
		.parent = inlined ? parent : ID_NONE,
		.function = inlined ? inlined_name(reader, die) : name_by_itself(reader, die),
		.call_file = inlined ? call_file_of(reader, die) : ID_NONE,
		.call_line = inlined ? number_of(die, DW_AT_call_line) : 0,
	};
	return frame;
}

/* Is there code somewhere in @die? A function's frame, or what it stands in, goes to *frame. */
static bool enter(struct unit_reader *reader, Dwarf_Die *die, u32 *frame, u32 depth)
{
	u32 parent = *frame;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		*frame = add_function(reader, die, ID_NONE, depth);
		return *frame != ID_NONE || !reader->plain_c;
	case DW_TAG_inlined_subroutine:
		*frame = add_function(reader, die, parent, depth);
		return true;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_common_block:
	case DW_TAG_with_stmt:
		return true;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return !reader->plain_c;
	default:
		return false;
	}
}

struct level {
	Dwarf_Die die;
	u32 frame; /* that its children stand in */
};

/*
 * All DIEs below @top, without recursion. Each must stand behind the one before, so that a file
 * that refers to itself ends.
 */
static void walk(struct unit_reader *reader, Dwarf_Die *top)
{
	struct level *levels = xcalloc(DEPTH_MAX, sizeof(*levels));
	Dwarf_Off last = dwarf_dieoffset(top);
	Dwarf_Die die, next;
	u32 depth = 0;
	bool more = !dwarf_child(top, &die);

	while (more && reader->nr < SEGMENTS_MAX) {
		u32 frame = depth ? levels[depth - 1].frame : ID_NONE;

		if (dwarf_dieoffset(&die) <= last)
			break;
		last = dwarf_dieoffset(&die);
		if (enter(reader, &die, &frame, depth) && depth < DEPTH_MAX &&
		    !dwarf_child(&die, &next)) {
			levels[depth].die = die;
			levels[depth++].frame = frame;
			die = next;
			continue;
		}
		while ((more = !dwarf_siblingof(&die, &next)) == false && depth)
			die = levels[--depth].die;
		die = next;
	}
	free(levels);
}

/* ---- the sweep ---- */

/* From @offset on it is @frame. */
static void add_segment(struct unit_reader *reader, u32 offset, u32 frame)
{
	struct debug_unit *unit = reader->unit;
	struct inline_segment *last =
	        unit->nr_segments ? &unit->segments[unit->nr_segments - 1] : NULL;

	if (last && last->offset == offset) {
		last->frame = frame;
		return;
	}
	if (last && last->frame == frame)
		return;
	array__reserve(&unit->segments, &reader->cap_segments, unit->nr_segments + 1,
	               sizeof(*unit->segments));
	unit->segments[unit->nr_segments++] = (struct inline_segment){ offset, frame };
}

struct sweep {
	struct stretch *open; /* the innermost last */
	u32 nr;
	size_t cap;
};

/* Stretches that end at or before @offset do; what is below them comes out again. */
static void close_until(struct unit_reader *reader, struct sweep *sweep, u32 offset)
{
	while (sweep->nr && sweep->open[sweep->nr - 1].end <= offset) {
		u32 end = sweep->open[--sweep->nr].end;

		while (sweep->nr && sweep->open[sweep->nr - 1].end <= end)
			sweep->nr--;
		add_segment(reader, end, sweep->nr ? sweep->open[sweep->nr - 1].frame : ID_NONE);
	}
}

static void make_segments(struct unit_reader *reader)
{
	struct sweep sweep = { .nr = 0 };

	keyed__sort(reader->stretches, reader->nr);
	for (u32 i = 0; i < reader->nr; i++) {
		const struct keyed *item = &reader->stretches[i];
		struct stretch s = { item->key >> 32, item->value >> 32, (u32)item->value };

		close_until(reader, &sweep, s.start);
		array__reserve(&sweep.open, &sweep.cap, sweep.nr + 1, sizeof(*sweep.open));
		sweep.open[sweep.nr++] = s;
		add_segment(reader, s.start, s.frame);
	}
	close_until(reader, &sweep, UINT32_MAX);
	free(sweep.open);
}

/* ---- lines ---- */

static u32 file_index(struct unit_reader *reader, const char *path)
{
	struct debug_unit *unit = reader->unit;
	u32 text = intern_path(reader, path);
	u32 *index;

	if (text == ID_NONE)
		return 0;
	index = u64map__at(&reader->file_of, text);
	if (*index != ID_NONE)
		return *index;
	if (!unit->nr_files)
		unit->nr_files = 1;
	if (unit->nr_files == FILES_MAX)
		return *index = 0;
	array__reserve(&unit->files, &reader->cap_files, unit->nr_files + 1, sizeof(*unit->files));
	unit->files[0] = ID_NONE;
	unit->files[unit->nr_files] = text;
	return *index = unit->nr_files++;
}

/* Several rows at one address: the last counts; the end of another sequence comes first. */
static void add_row(struct unit_reader *reader, u32 offset, u32 file_line)
{
	struct debug_unit *unit = reader->unit;
	struct line_row *last = unit->nr_rows ? &unit->rows[unit->nr_rows - 1] : NULL;

	if (last && last->offset == offset) {
		last->file_line = file_line;
		return;
	}
	if (last && last->file_line == file_line)
		return;
	array__reserve(&unit->rows, &reader->cap_rows, unit->nr_rows + 1, sizeof(*unit->rows));
	unit->rows[unit->nr_rows++] = (struct line_row){ offset, file_line };
}

static void read_lines(struct unit_reader *reader, Dwarf_Die *cudie)
{
	Dwarf_Lines *lines;
	size_t nr;
	u64 base = reader->unit->base;
	const char *last_path = NULL;
	u32 last_file = 0;

	if (dwarf_getsrclines(cudie, &lines, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr addr;
		bool end;
		int number;

		if (dwarf_lineaddr(line, &addr) || addr < base || addr - base >= UINT32_MAX ||
		    dwarf_lineendsequence(line, &end) || dwarf_lineno(line, &number))
			continue;
		const char *path = end ? NULL : dwarf_linesrc(line, NULL, NULL);

		if (path && path != last_path)
			last_file = file_index(reader, path);
		last_path = path ? path : last_path;
		if (number < 0 || (u32)number > LINE_MASK)
			number = 0;
		add_row(reader, addr - base, path ? last_file << LINE_BITS | number : 0);
	}
}

/* ---- one unit, all units ---- */

static bool is_plain_c(Dwarf_Die *cudie)
{
	switch (dwarf_srclang(cudie)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* The file with a unit's functions is gone, or of another build. */
static void note_unread(struct unit_reader *reader, Dwarf_Die *cudie)
{
	struct debug_info *info = reader->info;
	const char *name = dwarf_files__split_name(info->files, cudie);

	if (!name) /* no such file is named: it is damaged */
		return;
	reader->unit->unread = true;
	if (info->nr_unread++)
		return;
	error__set(&info->unread, -ENOENT, "cannot read the split debug information", name, "%s",
	           "");
	dwarf_files__explain_unread(info->files, cudie, info->program ? info->program : info->path,
	                            &info->unread);
}

static void read_unit(void *ctx)
{
	struct unit_reader *reader = ctx;
	struct dwarf_files *files = reader->info->files;
	Dwarf_Die cudie, code;

	if (!dwarf_offdie(files->dwarf, reader->unit->offset, &cudie))
		return;
	reader->folder = string_of(reader, &cudie, DW_AT_comp_dir);
	if (reader->folder && strlen(reader->folder) > PATH_MAX)
		reader->folder = NULL; /* each file would have it */
	read_lines(reader, &cudie);
	if (!dwarf_files__code_of_unit(files, &cudie, &code)) {
		note_unread(reader, &cudie);
		return;
	}
	reader->plain_c = is_plain_c(&code);
	if (dwarf_getsrcfiles(&code, &reader->files, &reader->nr_files) &&
	    dwarf_getsrcfiles(&cudie, &reader->files, &reader->nr_files))
		reader->files = NULL;
	walk(reader, &code);
	make_segments(reader);
}

void debug_unit__read(struct debug_info *info, struct debug_unit *unit)
{
	struct unit_reader reader = { .info = info, .unit = unit };

	/* libdw's dwarf_getsrclines() (0.188) has up to 200 KB of a line table on the stack. */
	deep_stack__run(read_unit, &reader);
	free(reader.stretches);
	u64map__exit(&reader.names);
	u64map__exit(&reader.paths);
	u64map__exit(&reader.file_of);
}

static void list_unit(struct debug_info *info, Dwarf_Die *cudie)
{
	struct debug_unit unit = { .base = UINT64_MAX, .offset = dwarf_dieoffset(cudie) };
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	u32 before = info->nr_ranges;

	while (info->nr_ranges - before < SEGMENTS_MAX &&
	       (offset = dwarf_ranges(cudie, offset, &base, &start, &end)) > 0) {
		if (is_gone(start) || start >= end)
			continue;
		debug_info__add_range(info, start, end, info->nr_units);
		unit.base = min_u64(unit.base, start);
	}
	if (info->nr_ranges == before)
		return;
	array__reserve(&info->units, &info->cap_units, info->nr_units + 1, sizeof(unit));
	info->units[info->nr_units++] = unit;
}

void debug_unit__list(struct debug_info *info)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die cudie;
	uint8_t type;

	while (!dwarf_get_units(info->files->dwarf, cu, &cu, NULL, &type, &cudie, NULL))
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			list_unit(info, &cudie);
}
#else
extern int no_debug_unit;
#endif
