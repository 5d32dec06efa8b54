// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/debug_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/fuzz/debug_walk.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/dwarf/debug_info.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/temp_dir.h"

static char *folder;

static void remove_folder(void)
{
	temp_dir__remove(folder);
}

const char *fuzz__debug_folder(void)
{
	if (!folder) {
		folder = temp_dir__make("perf-fuzz", NULL);
		FUZZ_CHECK(folder);
		atexit(remove_folder);
	}
	return folder;
}

static char *path_of(const struct debug_files *files, u32 i)
{
	return xasprintf("%s/%s", fuzz__debug_folder(), files->names[i]);
}

void fuzz__read_debug_files(const struct debug_files *files, const u8 *data, size_t size)
{
	size_t at = (files->nr - 1) * sizeof(u32);

	if (size < at)
		return;
	for (u32 i = 0; i < files->nr; i++) {
		size_t left = size - at;
		size_t len =
		        i + 1 < files->nr ? min_u64(load_u32(data + 4 * i, false), left) : left;
		char *path = path_of(files, i);

		if (len)
			fuzz__write(path, data + at, len);
		else
			unlink(path);
		at += len;
		free(path);
	}
	char *object = path_of(files, 0);
	struct debug_info *info = debug_info__open(object);

	fuzz__walk_debug_info(info);
	debug_info__delete(info);
	free(object);
}

void fuzz__add_debug_files(const struct debug_files *files, u32 needed,
                           void (*add)(const void *data, size_t size))
{
	static u8 bytes[1 << 20];
	struct builder b = { .len = 0 };
	bool all = true;

	builder__zero(&b, (files->nr - 1) * sizeof(u32));
	for (u32 i = 0; i < files->nr; i++) {
		char *path = path_of(files, i);
		FILE *file = fopen(path, "r");
		size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

		if (i + 1 < files->nr)
			builder__set_u32(&b, 4 * i, len);
		builder__bytes(&b, bytes, len);
		all &= len > 0 || i >= needed;
		if (file)
			fclose(file);
		unlink(path);
		free(path);
	}
	if (all)
		add(b.data, b.len);
	builder__exit(&b);
}
