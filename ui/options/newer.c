// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/newer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* As of 7.3; what `perf COMMAND -h` has there and has not in 6.1. */
static const struct {
	const char *command, *options; /* a blank before and behind each */
} rows[] = {
	{ "stat", " --per-cache --per-cluster --pfm-events --record-tpebs --tpebs-mode " },
	{ "record", " --off-cpu-thresh --pfm-events --sample-mem-info " },
	{ "annotate", " --code-with-type --insn-stat --skip-empty --type-stat " },
	{ "inject", " --aslr " },
	{ "test", " --failure-snippet-lines --objdump --record-ctl " },
};

static bool has(const char *options, const char *option)
{
	char word[330];

	snprintf(word, sizeof(word), " %s ", option);
	return strstr(options, word);
}

void newer__explain(const char *const *usage, struct error *err)
{
	const char *command = strchr(usage[0], ' ') + 1;
	struct error unknown = *err;

	if (strcmp(err->what, "unknown option"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len = strlen(rows[i].command);

		if (strncmp(command, rows[i].command, len) || command[len] != ' ' ||
		    !has(rows[i].options, unknown.subject))
			continue;
		error__set(err, -EOPNOTSUPP, "cannot do", unknown.subject,
		           "newer perfs have it, this one does not");
		error__advise(err, "'perf %s -h' lists what this one has", rows[i].command);
		return;
	}
}
