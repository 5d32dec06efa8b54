// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbol/debug_info.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/lib/alloc.h"
#include "util/symbol/debug_info_private.h"
#include "util/symbol/dwarf_files.h"

#ifdef HAVE_LIBDW
static bool stamp_file(const char *path, struct file_stamp *stamp)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	*stamp = (struct file_stamp){
		.dev = st.st_dev,
		.ino = st.st_ino,
		.size = st.st_size,
		.mtime = st.st_mtim.tv_sec,
		.mtime_ns = st.st_mtim.tv_nsec,
	};
	return true;
}
#endif

struct debug_info *debug_info__open(const char *path)
{
	struct debug_info *info = xcalloc(1, sizeof(*info));

	strtab__init(&info->texts);
#ifdef HAVE_LIBDW
	if (!path || !stamp_file(path, &info->stamp))
		return info;
	info->path = xstrdup(path);
	info->files = dwarf_files__open(path);
	if (info->files)
		debug_unit__list(info);
	debug_info__order_ranges(info);
#else
	(void)path;
#endif
	return info;
}

#ifdef HAVE_LIBDW
/* For a unit that nobody asked for before. False, from now on: it is another file by now. */
static bool open_again(struct debug_info *info)
{
	struct file_stamp stamp;

	if (!info->files && info->path && stamp_file(info->path, &stamp) &&
	    !memcmp(&stamp, &info->stamp, sizeof(stamp)))
		info->files = dwarf_files__open(info->path);
	if (!info->files) {
		free(info->path);
		info->path = NULL;
	}
	return info->files;
}
#endif

void debug_info__close_files(struct debug_info *info)
{
#ifdef HAVE_LIBDW
	dwarf_files__close(info->files);
#endif
	info->files = NULL;
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
	}
	free(info->units);
	free(info->ranges);
	free(info->frames);
	strtab__exit(&info->texts);
	free(info->path);
	free(info);
}

bool debug_info__empty(const struct debug_info *info)
{
	return !info->nr_ranges;
}

const char *debug_info__text(const struct debug_info *info, u32 id)
{
	return strtab__get(&info->texts, id);
}

/* ---- which unit ---- */

void debug_info__add_range(struct debug_info *info, u64 start, u64 end, u32 unit)
{
	array__reserve(&info->ranges, &info->cap_ranges, info->nr_ranges + 1,
	               sizeof(*info->ranges));
	info->ranges[info->nr_ranges++] = (struct unit_range){ start, end, unit };
}

static int compare_ranges(const void *left, const void *right)
{
	const struct unit_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

/* Where two overlap (no linker makes that) the earlier keeps what it has. */
void debug_info__order_ranges(struct debug_info *info)
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

static struct debug_unit *find_unit(const struct debug_info *info, u64 addr)
{
	u32 from = 0, to = info->nr_ranges;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (info->ranges[middle].end <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == info->nr_ranges || info->ranges[from].start > addr)
		return NULL;
	return &info->units[info->ranges[from].unit];
}

static struct debug_unit *read_unit(struct debug_info *info, u64 addr)
{
	struct debug_unit *unit = find_unit(info, addr);

#ifdef HAVE_LIBDW
	if (unit && unit->state == UNIT_UNREAD && open_again(info)) {
		unit->state = UNIT_READ;
		debug_unit__read(info, unit);
	}
#endif
	return unit;
}

void debug_info__load(struct debug_info *info, const u64 *addrs, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		read_unit(info, addrs[i]);
}

/* ---- look-ups ---- */

/* Rows and segments begin alike: the last of @nr things of 8 bytes that starts at or before. */
static u32 last_at(const u32 (*things)[2], u32 nr, u64 offset)
{
	u32 from = 0, to = nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (things[middle][0] <= offset)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? things[from - 1][1] : ID_NONE;
}

_Static_assert(sizeof(struct line_row) == 8 && sizeof(struct inline_segment) == 8, "see last_at()");

u32 debug_info__frames(struct debug_info *info, u64 addr, struct source_frame *frames, u32 max)
{
	const struct debug_unit *unit = read_unit(info, addr);
	u32 nr = 0;

	if (!unit)
		return 0;
	u32 place = last_at((const u32(*)[2])unit->rows, unit->nr_rows, addr - unit->base);
	u32 id = last_at((const u32(*)[2])unit->segments, unit->nr_segments, addr - unit->base);
	struct source_frame frame = { .function = ID_NONE, .file = ID_NONE };

	if (place != ID_NONE && place >> LINE_BITS) {
		frame.file = unit->files[place >> LINE_BITS];
		frame.line = place & LINE_MASK;
	}
	for (; id != ID_NONE; id = info->frames[id].parent) {
		frame.function = info->frames[id].function;
		if (nr < max)
			frames[nr] = frame;
		nr++;
		frame.file = info->frames[id].call_file;
		frame.line = info->frames[id].call_line;
	}
	if (!nr && frame.file != ID_NONE) { /* assembly: lines, but no functions */
		nr = 1;
		if (max)
			frames[0] = frame;
	}
	return nr < max ? nr : max;
}
