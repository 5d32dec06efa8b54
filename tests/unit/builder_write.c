// SPDX-License-Identifier: GPL-2.0-or-later
/* Apart from builder.c, which the fuzzers use without the unit tests. */
#include <stdio.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

const char *builder__write(const struct builder *b, const char *name)
{
	static char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", unit__tmpdir(), name);
	file = fopen(path, "w");
	BUG_ON(!file || (b->len && fwrite(b->data, b->len, 1, file) != 1) || fclose(file));
	return path;
}

const char *file_builder__write(const struct file_builder *f, const char *name)
{
	struct builder out;

	file_builder__finish(f, &out);
	const char *path = builder__write(&out, name);

	builder__exit(&out);
	return path;
}
