// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/common_parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/name_list.h"

int common_parse__names(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct name_list *list = option->value;

	name_list__exit(list);
	return unset ? 0 : name_list__parse(list, arg, err);
}

int common_parse__percent(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	double *percent = option->value;
	char *end;

	*percent = unset ? 0 : strtod(arg, &end);
	if (unset)
		return 0;
	if (end == arg || (*end && strcmp(end, "%")) || !(*percent >= 0 && *percent <= 100))
		return error__set(err, -EINVAL, "not a percentage", arg, "it lies in 0..100");
	return 0;
}
