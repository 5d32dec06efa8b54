// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether there is code of the kernel to look at: its file, or those of modules. */
#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/symtab/kernel.h"

static bool has_code(const char *name, enum dso_kind kind, const char *vmlinux)
{
	const struct symbol_config config = { .vmlinux = vmlinux, .ignore_vmlinux = !vmlinux };
	struct strtab strings;
	struct dsos dsos;

	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	dsos__get(&dsos, name, kind, -1, NULL, 0);
	bool has = kernel__has_code(&dsos, &config);

	dsos__exit(&dsos);
	strtab__exit(&strings);
	return has;
}

TEST(kernel_code_is_in_files_of_modules_and_of_the_kernel)
{
	char *file = write_test_file("module.ko", "x", 1);

	CHECK(has_code(file, DSO_MODULE, NULL));
	CHECK(has_code("/no/such/module.ko", DSO_MODULE, file));
	free(file);
}

TEST(kernel_code_is_not_in_what_is_no_file_of_it)
{
	char *file = write_test_file("module.ko", "x", 1);

	CHECK(!has_code(file, DSO_USER, NULL));
	CHECK(!has_code("/no/such/module.ko", DSO_MODULE, NULL));
	CHECK(!has_code("[module]", DSO_MODULE, NULL));
	free(file);
}
