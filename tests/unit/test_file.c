// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/test_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

/* Makes the folders of @path from its character @from on. */
static void write_file(char *path, size_t from, const void *data, size_t len)
{
	for (char *p = path + from; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	FILE *file = fopen(path, "w");

	BUG_ON(!file || fwrite(data, 1, len, file) != len || fclose(file));
}

char *write_test_file(const char *name, const void *data, size_t len)
{
	char *path = xasprintf("%s/%s", unit__tmpdir(), name);

	write_file(path, strlen(unit__tmpdir()) + 1, data, len);
	return path;
}

void put_test_text(const char *folder, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);

	write_file(path, 1, text, strlen(text));
	free(path);
}

char *elf_builder__write(struct elf_builder *e, const char *name)
{
	elf_builder__build(e);
	return write_test_file(name, e->image.data, e->image.len);
}
