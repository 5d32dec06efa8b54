// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/objdump.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/filter.h"

#define LINE_MAX_BYTES 4096

struct objdump {
	struct filter filter;
	char *program;
	FILE *lines;
	u64 start, end;
	bool has_next; /* an instruction was read whose size is not known yet */
	struct insn next;
};

struct objdump *objdump__start(const char *program, int fd, u64 start, u64 end, const char *style,
                               struct error *err)
{
	struct objdump *objdump = xcalloc(1, sizeof(*objdump));
	char from[48], to[48], file[48], option[160];
	const char *argv[12] = { program, "-d", "-C", "--no-show-raw-insn", from, to };
	u32 nr = 6;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	objdump->program = xstrdup(program);
	objdump->start = start;
	objdump->end = end;
	snprintf(from, sizeof(from), "--start-address=0x%llx", (unsigned long long)start);
	snprintf(to, sizeof(to), "--stop-address=0x%llx", (unsigned long long)end);
	/* By our descriptor: the very file that was checked, whatever it is called. */
	snprintf(file, sizeof(file), "/proc/%d/fd/%d", getpid(), fd);
	if (style) {
		snprintf(option, sizeof(option), "--disassembler-options=%s", style);
		argv[nr++] = option;
	}
	argv[nr] = file;
	int ret = filter__start_reading(&objdump->filter, argv, null, err);

	close(null);
	if (!ret) {
		objdump->lines = fdopen(objdump->filter.fd, "r");
		BUG_ON(!objdump->lines);
		return objdump;
	}
	free(objdump->program);
	free(objdump);
	return NULL;
}

/* "    11d0:	mov    %edi,%r8d" */
static bool parse(const struct objdump *objdump, const char *line, struct insn *insn)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	u64 addr = strtoull(line, &end, 16);

	if (end == line || *end != ':' || addr < objdump->start || addr >= objdump->end)
		return false;
	for (end++; isspace((unsigned char)*end);)
		end++;
	if (!*end)
		return false;
	*insn = (struct insn){ .addr = addr, .known = !strstr(end, "(bad)") };
	snprintf(insn->text, sizeof(insn->text), "%s", end);
	insn->text[strcspn(insn->text, "\n")] = '\0';
	return true;
}

static bool read_one(struct objdump *objdump, struct insn *insn)
{
	char line[LINE_MAX_BYTES];

	while (fgets(line, sizeof(line), objdump->lines)) {
		if (parse(objdump, line, insn))
			return true;
	}
	return false;
}

bool objdump__next(struct objdump *objdump, struct insn *insn)
{
	struct insn behind;

	if (!objdump->has_next && !read_one(objdump, &objdump->next))
		return false;
	*insn = objdump->next;
	objdump->has_next = read_one(objdump, &behind);
	objdump->next = behind;
	u64 size = (objdump->has_next ? behind.addr : objdump->end) - insn->addr;

	insn->size = size && size <= INSN_BYTES_MAX ? (u8)size : INSN_BYTES_MAX;
	if (!objdump->has_next)
		objdump->end = insn->addr; /* nothing more */
	return true;
}

int objdump__end(struct objdump *objdump, struct error *err)
{
	if (!objdump)
		return 0;
	objdump->filter.fd = dup(objdump->filter.fd); /* fclose() closes the one it has */
	fclose(objdump->lines);
	int ret = filter__end(&objdump->filter, err);

	free(objdump->program);
	free(objdump);
	return ret;
}
