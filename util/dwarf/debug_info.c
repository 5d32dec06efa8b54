// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/debug_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/debug_info_private.h"
#include "util/dwarf/dwarf_files.h"
#include "util/lib/alloc.h"

#ifdef HAVE_LIBDW
/* For a unit that nobody asked for before. False, from now on: it is another file by now. */
static bool open_files(struct debug_info *info)
{
	struct file_stamp stamp;

	if (info->files || !info->path)
		return info->files;
	file_stamp__take(info->path, &stamp);
	if (stamp.ino && file_stamp__equal(&stamp, &info->stamp)) {
		file_trail__note(&info->trail, info->path);
		info->files = dwarf_files__open(info->path, info->module_start, &info->trail);
		if (info->files)
			info->files->program = info->program;
	}
	if (!info->files) {
		free(info->path);
		info->path = NULL;
	}
	return info->files;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct unit_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

/* Where two overlap (no linker makes that) the earlier keeps what it has. */
static void order_ranges(struct debug_info *info)
{
	u32 nr = 0;

	if (!info->nr_ranges)
		return;
	qsort(info->ranges, info->nr_ranges, sizeof(*info->ranges), compare_ranges);
	for (u32 i = 0; i < info->nr_ranges; i++) {
		struct unit_range range = info->ranges[i];

		if (nr && range.start < info->ranges[nr - 1].end)
			range.start = info->ranges[nr - 1].end;
		if (range.start >= range.end)
			continue;
		if (nr && info->ranges[nr - 1].unit == range.unit &&
		    info->ranges[nr - 1].end == range.start)
			info->ranges[nr - 1].end = range.end;
		else
			info->ranges[nr++] = range;
	}
	info->nr_ranges = nr;
}

static void list_units(struct debug_info *info)
{
	info->listed = true;
	if (open_files(info))
		debug_unit__list(info);
	order_ranges(info);
}
#endif

struct debug_info *debug_info__open(const char *path)
{
	return debug_info__open_module(path, 0);
}

struct debug_info *debug_info__open_module(const char *path, u64 start)
{
	struct debug_info *info = xcalloc(1, sizeof(*info));

	info->module_start = start;

	strtab__init(&info->texts);
#ifdef HAVE_LIBDW
	if (path) {
		info->path = xstrdup(path);
		file_stamp__take(path, &info->stamp);
		list_units(info);
	}
#else
	(void)path;
#endif
	return info;
}

void debug_info__set_program(struct debug_info *info, const char *program)
{
	free(info->program);
	info->program = xstrdup(program);
#ifdef HAVE_LIBDW
	if (info->files)
		info->files->program = info->program;
#endif
}

void debug_info__close_files(struct debug_info *info)
{
#ifdef HAVE_LIBDW
	dwarf_files__close(info->files);
#endif
	info->files = NULL;
}

void debug_info__forget_file(struct debug_info *info)
{
	debug_info__close_files(info);
	free(info->path);
	info->path = NULL;
}

void debug_info__delete(struct debug_info *info)
{
	if (!info)
		return;
	debug_info__close_files(info);
	for (u32 i = 0; i < info->nr_units; i++) {
		free(info->units[i].rows);
		free(info->units[i].segments);
		free(info->units[i].files);
		free(info->units[i].asked);
	}
	free(info->units);
	free(info->asked_gaps);
	free(info->known_units);
	free(info->known_ranges);
	file_trail__exit(&info->trail);
	free(info->ranges);
	free(info->frames);
	strtab__exit(&info->texts);
	free(info->path);
	free(info->program);
	free(info);
}

bool debug_info__empty(const struct debug_info *info)
{
	return !info->nr_ranges && !info->known.nr_extents && (info->listed || !info->path);
}

const char *debug_info__text(const struct debug_info *info, u32 id)
{
	u32 nr_known = info->known_texts.nr;

	if (id < nr_known)
		return index_texts__get(&info->known_texts, id);
	return id - nr_known < info->texts.nr ? strtab__get(&info->texts, id - nr_known) : "";
}

u32 debug_info__add_text(struct debug_info *info, const char *text)
{
	return info->known_texts.nr + strtab__add(&info->texts, text);
}

/* ---- which unit ---- */

void debug_info__add_range(struct debug_info *info, u64 start, u64 end, u32 unit)
{
	array__reserve(&info->ranges, &info->cap_ranges, info->nr_ranges + 1,
	               sizeof(*info->ranges));
	info->ranges[info->nr_ranges++] = (struct unit_range){ start, end, unit };
}

static const struct unit_range *find_range(const struct unit_range *ranges, u32 nr, u64 addr)
{
	u32 from = 0, to = nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (ranges[middle].end <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from == nr || ranges[from].start > addr ? NULL : &ranges[from];
}

/* What is known of @addr, from an index or from DWARF, which is read if it was not; NULL: nothing.
 */
static const struct debug_unit *read_unit(struct debug_info *info, u64 addr)
{
	const struct unit_range *range =
	        find_range(info->known_ranges, info->known.nr_extents, addr);

	if (range)
		return debug_info__known_unit(info, range->unit);
#ifdef HAVE_LIBDW
	if (!info->listed && info->path)
		list_units(info);
#endif
	range = find_range(info->ranges, info->nr_ranges, addr);
	struct debug_unit *unit = range ? &info->units[range->unit] : NULL;

#ifdef HAVE_LIBDW
	if (unit && unit->state == UNIT_UNREAD && open_files(info)) {
		unit->state = UNIT_READ;
		debug_unit__read(info, unit);
	}
#endif
	debug_info__mark(info, unit, addr);
	return unit;
}

bool debug_info__unread(const struct debug_info *info, struct error *err)
{
	char others[48] = "";

	if (!info->nr_unread)
		return false;
	if (info->nr_unread > 1)
		snprintf(others, sizeof(others), " and that of %u more such files",
		         info->nr_unread - 1);
	*err = info->unread;
	error__set(err, info->unread.code, info->unread.what, info->unread.subject,
	           "functions that were inlined into its code%s are not shown%s", others,
	           info->unread.cause);
	error__advise(err, "%s", info->unread.advice);
	return true;
}

void debug_info__drop_unread(struct debug_info *info)
{
	for (u32 i = 0; info->nr_unread && i < info->nr_units; i++) {
		struct debug_unit *unit = &info->units[i];

		for (u32 j = 0; unit->unread && unit->asked && j <= unit->nr_segments; j++)
			info->nr_asked -= unit->asked[j];
		if (unit->unread) {
			free(unit->asked);
			unit->asked = NULL;
		}
	}
}

void debug_info__load(struct debug_info *info, const u64 *addrs, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		read_unit(info, addrs[i]);
}

/* ---- look-ups ---- */

/* Rows and segments begin alike. */
u32 debug_info__last_at(const void *things, u32 nr, u64 offset)
{
	const u32(*pairs)[2] = things;
	u32 from = 0, to = nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (pairs[middle][0] <= offset)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? from - 1 : ID_NONE;
}

_Static_assert(sizeof(struct line_row) == 8 && sizeof(struct inline_segment) == 8, "see last_at()");

u32 debug_info__frames(struct debug_info *info, u64 addr, struct source_frame *frames, u32 max)
{
	const struct debug_unit *unit = read_unit(info, addr);
	u32 nr = 0;

	if (!unit)
		return 0;
	u32 row = debug_info__last_at(unit->rows, unit->nr_rows, addr - unit->base);
	u32 segment = debug_info__last_at(unit->segments, unit->nr_segments, addr - unit->base);
	u32 file_line = row == ID_NONE ? 0 : unit->rows[row].file_line;
	u32 id = segment == ID_NONE ? ID_NONE : unit->segments[segment].frame;
	struct source_frame frame = { .function = ID_NONE, .file = ID_NONE };

	if (file_line >> LINE_BITS && file_line >> LINE_BITS < unit->nr_files) {
		frame.file = unit->files[file_line >> LINE_BITS];
		frame.line = file_line & LINE_MASK;
	}
	for (u32 last = info->nr_frames; id < last; id = info->frames[id].parent) {
		frame.function = info->frames[id].function;
		if (nr < max)
			frames[nr] = frame;
		nr++;
		frame.file = info->frames[id].call_file;
		frame.line = info->frames[id].call_line;
		last = id; /* parents come first */
	}
	if (!nr && frame.file != ID_NONE) { /* assembly: lines, but no functions */
		nr = 1;
		if (max)
			frames[0] = frame;
	}
	return nr < max ? nr : max;
}
