// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/color.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/term/pager.h"
#include "util/options/config.h"

int color__parse(const struct option *option, const char *arg, bool unset, struct error *err)
{
	enum color_mode *mode = option->value;
	bool on;

	if (unset || !strcmp(arg, "never"))
		*mode = COLOR_NEVER;
	else if (!strcmp(arg, "always"))
		*mode = COLOR_ALWAYS;
	else if (!strcmp(arg, "auto"))
		*mode = COLOR_AUTO;
	else if (!config__bool(arg, &on))
		*mode = on ? COLOR_AUTO : COLOR_NEVER;
	else
		return error__set(err, -EINVAL, "not a mode of colours", arg,
		                  "it must be one of always, never, auto");
	return 0;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

bool color__wanted(enum color_mode mode)
{
	if (mode != COLOR_AUTO)
		return mode == COLOR_ALWAYS;
	return (pager__is_on() || isatty(STDOUT_FILENO)) && !is_set("NO_COLOR") && is_set("TERM") &&
	       strcmp(getenv("TERM"), "dumb");
}

void color__percent(struct out *out, bool colored, u64 part, u64 whole, int width)
{
	const char *color = NULL;

	if (colored && part * 100.0 >= 5.0 * whole && whole)
		color = COLOR_RED;
	else if (colored && part * 100.0 >= 0.5 * whole && whole)
		color = COLOR_GREEN;
	if (color)
		out__str(out, color);
	out__percent(out, part, whole, 2, width ? width - 1 : 0);
	out__char(out, '%');
	if (color)
		out__str(out, COLOR_RESET);
}
