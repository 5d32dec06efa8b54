// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/debug_walk.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/dwarf/debug_info.h"
#include "util/dwarf/debug_info_private.h"
#include "util/dwarf/source_tables.h"

static void check_unit(const struct debug_info *info, const struct debug_unit *unit)
{
	for (u32 i = 0; i < unit->nr_rows; i++) {
		FUZZ_CHECK(!i || unit->rows[i].offset > unit->rows[i - 1].offset);
		FUZZ_CHECK(unit->rows[i].file_line >> LINE_BITS < max_u64(unit->nr_files, 1));
	}
	for (u32 i = 0; i < unit->nr_segments; i++) {
		FUZZ_CHECK(!i || unit->segments[i].offset > unit->segments[i - 1].offset);
		FUZZ_CHECK(unit->segments[i].frame == ID_NONE ||
		           unit->segments[i].frame < info->nr_frames);
	}
}

static void touch_frames(struct debug_info *info, u64 addr)
{
	struct source_frame frames[SOURCE_FRAMES_MAX];
	u32 nr = debug_info__frames(info, addr, frames, SOURCE_FRAMES_MAX);

	FUZZ_CHECK(nr <= SOURCE_FRAMES_MAX);
	for (u32 i = 0; i < nr; i++) {
		const u32 ids[] = { frames[i].function, frames[i].file };

		for (unsigned k = 0; k < ARRAY_SIZE(ids); k++) {
			const char *text = ids[k] == ID_NONE ? "" : debug_info__text(info, ids[k]);

			fuzz__touch(text, strlen(text));
		}
	}
}

/* What would be kept of it on disk: extents in order, which name what is there. */
static void check_export(const struct debug_info *info)
{
	struct source_tables tables;

	debug_info__export(info, &tables);
	FUZZ_CHECK(debug_info__was_asked(info) || !tables.nr_extents);
	for (u32 i = 0; i < tables.nr_extents; i++) {
		FUZZ_CHECK(tables.extents[i].start < tables.extents[i].end);
		FUZZ_CHECK(!i || tables.extents[i].start >= tables.extents[i - 1].end);
	}
	source_tables__exit(&tables);
}

void fuzz__walk_debug_info(struct debug_info *info)
{
	for (u32 i = 0; i < info->nr_ranges; i++) {
		const struct unit_range *range = &info->ranges[i];
		u64 step = (range->end - range->start) / 64 + 1;

		FUZZ_CHECK(range->start < range->end && range->unit < info->nr_units);
		FUZZ_CHECK(!i || range->start >= info->ranges[i - 1].end);
		for (unsigned k = 0; k < 64; k++)
			touch_frames(info, range->start + k * step);
	}
	for (u32 i = 0; i < info->nr_units; i++)
		check_unit(info, &info->units[i]);
	for (u32 i = 0; i < info->nr_frames; i++)
		FUZZ_CHECK(info->frames[i].parent == ID_NONE || info->frames[i].parent < i);
	check_export(info);
}
