// SPDX-License-Identifier: GPL-2.0-or-later
/* The needs of tests, checked by trying them on this machine as this user. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "selftest/meter.h"
#include "selftest/selftest.h"
#include "util/elf/elf_file.h"

static bool can_open(struct selftest *test, const char *events)
{
	struct error err = ERROR_INIT;
	struct meter meter;
	int ret = meter__init(&meter, events, &err);

	if (!ret)
		ret = meter__open(&meter, 0, &err);
	meter__exit(&meter);
	if (ret)
		selftest__skip_error(test, &err);
	return !ret;
}

/* By its path, as report will find it. */
static bool can_read_itself(struct selftest *test, bool names)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct elf_file elf;
	bool found;
	int ret;

	path[len < 0 ? 0 : len] = '\0';
	ret = elf_file__open(&elf, path);
	if (ret) {
		selftest__skip(test, "cannot read perf's own program '%s': %s", path,
		               strerror(-ret));
		return false;
	}
	found = !names || elf_file__section_of_type(&elf, SHT_SYMTAB);
	elf_file__close(&elf);
	if (!found)
		selftest__skip(test, "this perf was stripped of its symbol table");
	return found;
}

bool selftest__has(struct selftest *test, unsigned needs)
{
	if ((needs & NEEDS_DIR) && !test->dir) {
		selftest__skip(test, "there is no folder for files");
		return false;
	}
	if ((needs & (NEEDS_PROGRAM | NEEDS_NAMES)) && !can_read_itself(test, needs & NEEDS_NAMES))
		return false;
	if ((needs & NEEDS_EVENTS) && !can_open(test, "page-faults:u"))
		return false;
	if ((needs & NEEDS_KERNEL) && !can_open(test, "context-switches:k"))
		return false;
	return !(needs & NEEDS_TRACEPOINTS) || can_open(test, "sched:sched_process_fork");
}
