// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/colors.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static bool find_color(const char *name, size_t len, short *color)
{
	static const struct {
		const char *name;
		short color;
	} names[] = {
		{ "default", -1 }, { "black", 0 },     { "red", 1 },     { "green", 2 },
		{ "yellow", 3 },   { "blue", 4 },      { "magenta", 5 }, { "cyan", 6 },
		{ "white", 7 },    { "lightgray", 7 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !strncasecmp(names[i].name, name, len)) {
			*color = names[i].color;
			return true;
		}
	return false;
}

int tui_color__parse(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct tui_color *color = option->value;
	size_t front = strcspn(arg, ", ");
	const char *back = arg + front + strspn(arg + front, ", ");

	(void)unset;
	if (!find_color(arg, front, &color->front) ||
	    !find_color(*back ? back : "default", *back ? strlen(back) : strlen("default"),
	                &color->back)) {
		error__set(err, -EINVAL, "not a colour", arg, "the name is unknown");
		return error__advise(err, "say foreground, background: default, black, red, green, "
		                          "yellow, blue, magenta, cyan, white or lightgray");
	}
	color->set = true;
	return 0;
}
