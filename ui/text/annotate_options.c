// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/annotate_options.h"

#include <errno.h>
#include <string.h>

int annotate_options__parse_percent_type(const struct option *option, const char *arg, bool unset,
                                         struct error *err)
{
	struct percent_type *type = option->value;

	*type = (struct percent_type){ .global = false };
	if (unset)
		return 0;
	type->global = !strncmp(arg, "global-", 7) || strstr(arg, "-global");
	type->hits = !strncmp(arg, "hits-", 5) || strstr(arg, "-hits");
	static const char *const names[] = { "local-period",  "local-hits",   "global-period",
		                             "global-hits",   "period-local", "hits-local",
		                             "period-global", "hits-global" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(arg, names[i]))
			return 0;
	}
	error__set(err, -EINVAL, "unknown kind of percentage", arg, "%s", "");
	return error__advise(err, "there are local-period (default), local-hits, global-period and "
	                          "global-hits");
}

/* The syntaxes that we have ourselves; with --objdump the program is told. */
int annotate_options__parse_style(const struct option *option, const char *arg, bool unset,
                                  struct error *err)
{
	struct annotation_style *style = option->value;

	(void)err;
	style->disassembler_style = unset ? NULL : arg;
	style->intel = !unset && !strcmp(arg, "intel");
	return 0;
}
