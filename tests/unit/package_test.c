// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "util/elf/package.h"

static void check_package(const char *path, const char *want)
{
	char *package = package__of_file(unit__tmpdir(), path);

	CHECK_STR(package ? package : "none", want);
	free(package);
}

TEST(package_of_a_file_is_in_the_lists)
{
	static const char one[] = "/.\n/usr/bin/tool\n/lib/x86/libone.so.1\n";
	static const char two[] = "/usr/bin/tool2\n/usr/lib/x86/libtwo.so";

	free(write_test_file("one.list", one, sizeof(one) - 1));
	free(write_test_file("two:amd64.list", two, sizeof(two) - 1));
	free(write_test_file("three.md5sums", "/usr/bin/three\n", 15));
	free(write_test_file("empty.list", "", 0));
	check_package("/usr/bin/tool", "one");
	check_package("/usr/bin/tool2", "two");
	check_package("/usr/lib/x86/libone.so.1", "one"); /* /lib is /usr/lib */
	check_package("/lib/x86/libtwo.so", "two");
	check_package("/usr/bin/too", "none");
	check_package("/bin/ool", "none");
	check_package("/usr/bin/three", "none");
	check_package("relative", "none");
	CHECK(!package__of_file("/nowhere", "/usr/bin/tool"));
}
