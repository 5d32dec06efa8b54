// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/debuginfod_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ui/term/diag.h"
#include "util/lib/text.h"

int debuginfod_option__parse(const struct option *option, const char *arg, bool unset,
                             struct error *err)
{
	struct debuginfod_option *self = option->value;

	(void)err;
	self->wanted = !unset;
	self->urls = unset ? NULL : arg;
	return 0;
}

int debuginfod_option__refuse(const struct option *option, const char *arg, bool unset,
                              struct error *err)
{
	(void)option;
	(void)arg;
	(void)err;
	if (!unset)
		diag__say_warning("debug files are not fetched here, but where they are needed: "
		                  "perf report --debuginfod");
	return 0;
}

static bool show(void *ctx, const char *name, u64 done, u64 total)
{
	struct debuginfod_option *self = ctx;
	char printable[40];

	if (!isatty(STDERR_FILENO))
		return true;
	text__printable(printable, sizeof(printable), name);
	fprintf(stderr, "\r\033[Kdebuginfod: %s, %llu", printable, (unsigned long long)done >> 10);
	if (total)
		fprintf(stderr, " of %llu", (unsigned long long)total >> 10);
	fputs(" kB (^C ends perf)", stderr);
	fflush(stderr);
	self->shown = true;
	return true;
}

struct debuginfod *debuginfod_option__start(struct debuginfod_option *self)
{
	const struct debuginfod_progress progress = { self, show };
	struct error err = ERROR_INIT;

	if (!self->wanted)
		return NULL;
	if (self->urls)
		setenv("DEBUGINFOD_URLS", self->urls, 1);
	self->client = debuginfod__new(&progress, &err);
	if (!self->client)
		diag__warning(&err);
	return self->client;
}

void debuginfod_option__end(struct debuginfod_option *self)
{
	if (!self->client)
		return;
	if (self->shown)
		fputs("\r\033[K", stderr);
	if (debuginfod__error(self->client)->code)
		diag__warning(debuginfod__error(self->client));
	debuginfod__delete(self->client);
	self->client = NULL;
}
