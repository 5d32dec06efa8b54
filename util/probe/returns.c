// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/returns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/symtab/demangle.h"

#define RECORD_SIZE 8192     /* more than the kernel puts in a record */
#define SKEW        1000000  /* µs that the log's clock may be behind */
#define QUIET       60000000 /* µs: the log is silent for 5 s after ten lines, and some */

bool returns__stop_exceptions(struct probe_target *target, const struct probe_spots *spots)
{
	u32 nr;
	const struct probe_symbol *symbols;

	if (target->is_kernel || !elf_file__section(&target->elf, ".gcc_except_table"))
		return false;
	symbols = probe_target__symbols(target, &nr);
	for (u32 i = 0; i < nr; i++) {
		/* Other languages have no exceptions, or are seldom passed by those of C++. */
		if (!symbols[i].is_code || !demangle__is_cxx_or_rust(symbols[i].name))
			continue;
		for (u32 j = 0; j < spots->nr; j++)
			if (spots->spots[j].addr == symbols[i].addr)
				return true;
	}
	return false;
}

/* "6,1442,7023323655,-;uprobe: omit uretprobe ...": the time, or 0 for another record. */
static u64 omitted_at(const char *record)
{
	unsigned level;
	unsigned long long nr, time;

	if (sscanf(record, "%u,%llu,%llu", &level, &nr, &time) != 3)
		return 0;
	return strstr(record, ";uprobe: omit uretprobe") ? time : 0;
}

enum returns_omitted returns__omitted(const char *path, u64 start)
{
	char record[RECORD_SIZE];
	u64 last = 0;
	ssize_t len;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return RETURNS_NOT_TOLD_OF;
	/* A record each time. EPIPE: some were overwritten meanwhile. */
	while ((len = read(fd, record, sizeof(record) - 1)) > 0 || (len < 0 && errno == EPIPE)) {
		record[len < 0 ? 0 : len] = '\0';
		u64 time = omitted_at(record);

		last = time ? time : last;
	}
	bool told = len == 0 || errno == EAGAIN;

	close(fd);
	if (last && last + SKEW >= start)
		return RETURNS_OMITTED;
	if (!told)
		return RETURNS_NOT_TOLD_OF;
	return last && last + QUIET >= start ? RETURNS_UNKNOWN : RETURNS_NOT_OMITTED;
}
