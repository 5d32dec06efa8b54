// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selects what to keep of an object's source: functions in which an address was asked for, whole,
 * because the next recording of a program has samples in the same functions, but not at the same
 * instructions. Whole units would be too much (a kernel's are half a gigabyte).
 */
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/debug_info_private.h"
#include "util/lib/alloc.h"

/* ---- what was asked ---- */

static void mark_gap(struct debug_info *info, u64 addr)
{
	u32 from = 0, to = info->nr_ranges;

	while (from < to) { /* the first that ends behind addr */
		u32 middle = from + (to - from) / 2;

		if (info->ranges[middle].end <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	if (!info->asked_gaps)
		info->asked_gaps = xcalloc((size_t)info->nr_ranges + 1, 1);
	info->nr_asked += !info->asked_gaps[from];
	info->asked_gaps[from] = 1;
}

void debug_info__mark(struct debug_info *info, struct debug_unit *unit, u64 addr)
{
	if (!unit) {
		if (info->listed) /* else there is no DWARF, and nothing to be told from */
			mark_gap(info, addr);
		return;
	}
	u32 segment = debug_info__last_at(unit->segments, unit->nr_segments, addr - unit->base);
	u32 at = segment == ID_NONE ? 0 : segment + 1;

	if (unit->state != UNIT_READ) /* it cannot be read now: no answer is to be kept */
		return;
	if (!unit->asked)
		unit->asked = xcalloc((size_t)unit->nr_segments + 1, 1);
	info->nr_asked += !unit->asked[at];
	unit->asked[at] = 1;
}

/* ---- export ---- */

#define ADD(tables, name)                                                                          \
	(array__reserve(&(tables)->name, &(tables)->cap_##name, (size_t)(tables)->nr_##name + 1,   \
	                sizeof(*(tables)->name)),                                                  \
	 &(tables)->name[(tables)->nr_##name++])

struct exporter {
	const struct debug_info *info;
	struct source_tables *tables;
	u32 *frame_ids; /* by frame of info: of tables; ID_NONE: not there yet */
};

static u32 export_frame(struct exporter *e, u32 id)
{
	const struct inline_frame *frames = e->info->frames;
	u32 depth = 0, chain[256], last = ID_NONE;

	/* Nested deeper than any that DIEs are read to: what stands above is left out. */
	for (; id != ID_NONE && e->frame_ids[id] == ID_NONE && depth < ARRAY_SIZE(chain);
	     id = frames[id].parent)
		chain[depth++] = id;
	if (id != ID_NONE)
		last = e->frame_ids[id];
	while (depth) {
		id = chain[--depth];
		e->frame_ids[id] = e->tables->nr_frames;
		struct inline_frame *frame = ADD(e->tables, frames);

		*frame = frames[id];
		frame->parent = last;
		last = e->frame_ids[id];
	}
	return last;
}

/* Its number in the extent's list of files, which begins at @first. */
static u32 export_file(struct exporter *e, u32 first, u32 text)
{
	struct source_tables *tables = e->tables;

	if (tables->nr_files == first)
		*ADD(tables, files) = ID_NONE;
	for (u32 i = first + 1; i < tables->nr_files; i++)
		if (tables->files[i] == text)
			return i - first;
	*ADD(tables, files) = text;
	return tables->nr_files - 1 - first;
}

/* The offset in the extent of what lies @offset behind @unit's base; what begins before: 0. */
static u32 moved(const struct debug_unit *unit, u64 start, u32 offset)
{
	return max_u64(unit->base + offset, start) - start;
}

/* What @unit knows of [start, end). */
static void export_extent(struct exporter *e, const struct debug_unit *unit, u64 start, u64 end)
{
	struct source_tables *tables = e->tables;
	u32 first = tables->nr_files, rows = tables->nr_rows, segments = tables->nr_segments;
	u32 i = debug_info__last_at(unit->rows, unit->nr_rows, start - unit->base);

	for (i = i == ID_NONE ? 0 : i; i < unit->nr_rows && unit->base + unit->rows[i].offset < end;
	     i++) {
		u32 file_line = unit->rows[i].file_line, file = file_line >> LINE_BITS;

		if (file)
			file_line = export_file(e, first, unit->files[file]) << LINE_BITS |
			            (file_line & LINE_MASK);
		*ADD(tables, rows) =
		        (struct line_row){ moved(unit, start, unit->rows[i].offset), file_line };
	}
	i = debug_info__last_at(unit->segments, unit->nr_segments, start - unit->base);
	for (i = i == ID_NONE ? 0 : i;
	     i < unit->nr_segments && unit->base + unit->segments[i].offset < end; i++) {
		u32 frame = export_frame(e, unit->segments[i].frame);

		*ADD(tables, segments) =
		        (struct inline_segment){ moved(unit, start, unit->segments[i].offset),
			                         frame };
	}
	*ADD(tables, extents) = (struct source_extent){
		.start = start,
		.end = end,
		.first_row = rows,
		.first_segment = segments,
		.first_file = first,
		.nr_rows = tables->nr_rows - rows,
		.nr_segments = tables->nr_segments - segments,
		.nr_files = tables->nr_files - first,
	};
}

/* The function that holds segment @at (counted as in unit->asked): a frame, or ID_NONE. */
static u32 function_of(const struct exporter *e, const struct debug_unit *unit, u32 at)
{
	u32 id = at ? unit->segments[at - 1].frame : ID_NONE;

	while (id != ID_NONE && e->info->frames[id].parent != ID_NONE)
		id = e->info->frames[id].parent;
	return id;
}

/* All functions in a range of code that were asked about. */
static void export_range(struct exporter *e, const struct unit_range *range)
{
	const struct debug_unit *unit = &e->info->units[range->unit];
	u32 at = debug_info__last_at(unit->segments, unit->nr_segments, range->start - unit->base);
	u64 start = range->start, end;

	if (!unit->asked)
		return;
	for (at = at == ID_NONE ? 0 : at + 1; start < range->end; start = end) {
		u32 function = function_of(e, unit, at);
		bool asked = false;

		do {
			asked |= unit->asked[at++];
			end = at <= unit->nr_segments ? unit->base + unit->segments[at - 1].offset
			                              : range->end;
		} while (end < range->end && function_of(e, unit, at) == function);
		end = min_u64(end, range->end);
		if (asked)
			export_extent(e, unit, start, end);
	}
}

static int compare_extents(const void *left, const void *right)
{
	const struct source_extent *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* DWARF that was read twice and changed between could make some overlap: the first stays. */
static void order_extents(struct source_tables *tables)
{
	u32 nr = 0;

	if (tables->nr_extents)
		qsort(tables->extents, tables->nr_extents, sizeof(*tables->extents),
		      compare_extents);
	for (u32 i = 0; i < tables->nr_extents; i++)
		if (!nr || tables->extents[i].start >= tables->extents[nr - 1].end)
			tables->extents[nr++] = tables->extents[i];
	tables->nr_extents = nr;
}

/* A look-up stops at what is not sound; what is written again is looked at as a whole. */
static bool is_sound(const struct debug_info *info, const struct debug_unit *unit)
{
	bool sound = true;

	for (u32 i = 0; i < unit->nr_rows; i++) {
		u32 file = unit->rows[i].file_line >> LINE_BITS;

		sound &= (!i || unit->rows[i].offset > unit->rows[i - 1].offset) &&
		         (!file || file < unit->nr_files);
	}
	for (u32 i = 0; i < unit->nr_segments; i++) {
		u32 frame = unit->segments[i].frame;

		sound &= (!i || unit->segments[i].offset > unit->segments[i - 1].offset) &&
		         (frame == ID_NONE || frame < info->known.nr_frames);
	}
	return sound;
}

static bool frames_are_sound(const struct source_tables *tables)
{
	bool sound = true;

	for (u32 i = 0; i < tables->nr_frames; i++)
		sound &= tables->frames[i].parent == ID_NONE || tables->frames[i].parent < i;
	return sound;
}

static void export_known(struct exporter *e)
{
	const struct debug_info *info = e->info;

	if (!frames_are_sound(&info->known))
		return;
	for (u32 i = 0; i < info->known.nr_extents; i++) {
		const struct debug_unit *unit = debug_info__known_unit(info, i);

		if (is_sound(info, unit))
			export_extent(e, unit, info->known.extents[i].start,
			              info->known.extents[i].end);
	}
}

void debug_info__export(const struct debug_info *info, struct source_tables *tables)
{
	struct exporter e = {
		.info = info,
		.tables = tables,
		.frame_ids = xrealloc(NULL, info->nr_frames, sizeof(u32)),
	};
	u64 end = 0;

	*tables = (struct source_tables){ .nr_extents = 0 };
	if (info->nr_frames)
		memset(e.frame_ids, 0xff, info->nr_frames * sizeof(u32));
	export_known(&e);
	for (u32 i = 0; i < info->nr_ranges; i++)
		export_range(&e, &info->ranges[i]);
	for (u32 i = 0; info->asked_gaps && i <= info->nr_ranges; i++) {
		u64 start = i ? info->ranges[i - 1].end : 0;

		end = i < info->nr_ranges ? info->ranges[i].start : UINT64_MAX;
		if (info->asked_gaps[i] && start < end)
			*ADD(tables, extents) =
			        (struct source_extent){ .start = start, .end = end };
	}
	order_extents(tables);
	free(e.frame_ids);
}

/* ---- import ---- */

struct debug_info *debug_info__import(const struct source_tables *tables,
                                      const struct index_texts *texts, const char *path)
{
	struct debug_info *info = debug_info__open(NULL);
	u32 nr = tables->nr_extents;

	info->known = *tables;
	info->known_texts = *texts;
	if (tables->nr_frames) { /* others may come to them */
		array__reserve(&info->frames, &info->cap_frames, tables->nr_frames,
		               sizeof(*info->frames));
		memcpy(info->frames, tables->frames, tables->nr_frames * sizeof(*info->frames));
		info->nr_frames = tables->nr_frames;
	}
	info->known_units = xcalloc(nr, sizeof(*info->known_units));
	info->known_ranges = xcalloc(nr, sizeof(*info->known_ranges));
	for (u32 i = 0; i < nr; i++)
		info->known_ranges[i] =
		        (struct unit_range){ tables->extents[i].start, tables->extents[i].end, i };
	if (path) {
		info->path = xstrdup(path);
		file_stamp__take(path, &info->stamp);
	}
	return info;
}

/* @first, @nr of @total: inside? */
static bool fits(u32 first, u32 nr, u32 total)
{
	return first <= total && nr <= total - first;
}

const struct debug_unit *debug_info__known_unit(const struct debug_info *info, u32 id)
{
	const struct source_tables *known = &info->known;
	const struct source_extent *extent = &known->extents[id];
	struct debug_unit *unit = &info->known_units[id];

	if (unit->state == UNIT_READ)
		return unit;
	*unit = (struct debug_unit){ .base = extent->start, .state = UNIT_READ };
	if (fits(extent->first_row, extent->nr_rows, known->nr_rows) &&
	    fits(extent->first_segment, extent->nr_segments, known->nr_segments) &&
	    fits(extent->first_file, extent->nr_files, known->nr_files)) {
		unit->rows = known->rows + extent->first_row;
		unit->segments = known->segments + extent->first_segment;
		unit->files = known->files + extent->first_file;
		unit->nr_rows = extent->nr_rows;
		unit->nr_segments = extent->nr_segments;
		unit->nr_files = extent->nr_files;
	}
	return unit;
}

void source_tables__exit(struct source_tables *tables)
{
	free(tables->extents);
	free(tables->rows);
	free(tables->segments);
	free(tables->files);
	free(tables->frames);
	*tables = (struct source_tables){ .nr_extents = 0 };
}

void debug_info__move_module(struct debug_info *info, u64 start)
{
	info->module_start = start;
}

const char *debug_info__path(const struct debug_info *info)
{
	return info->path;
}

const struct file_trail *debug_info__trail(const struct debug_info *info)
{
	return &info->trail;
}

u32 debug_info__nr_texts(const struct debug_info *info)
{
	return info->known_texts.nr + info->texts.nr;
}

bool debug_info__was_asked(const struct debug_info *info)
{
	return info->nr_asked;
}
