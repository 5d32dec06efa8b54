/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colours of the browser: section [colors] of the configuration. */
#ifndef PERF_UI_TUI_COLORS_H
#define PERF_UI_TUI_COLORS_H

#include "ui/tui/canvas.h"
#include "util/options/options.h"

struct tui_color {
	bool set;
	short front,
	        back; /* 0 black, red, green, yellow, blue, magenta, cyan, 7 white; -1 default */
};

struct tui_colors {
	struct tui_color of[CANVAS_STYLES];
	bool none; /* bold and reverse only */
};

/* clang-format off */
#define OPT_TUI_COLORS(self)                                                                       \
	OPT_KEY(OPTION_CALLBACK, "colors.top", &(self)->of[CANVAS_HOT], .parse = tui_color__parse), \
	OPT_KEY(OPTION_CALLBACK, "colors.medium", &(self)->of[CANVAS_WARM],                        \
	        .parse = tui_color__parse),                                                        \
	OPT_KEY(OPTION_CALLBACK, "colors.normal", &(self)->of[CANVAS_PLAIN],                       \
	        .parse = tui_color__parse),                                                        \
	OPT_KEY(OPTION_CALLBACK, "colors.selected", &(self)->of[CANVAS_CHOSEN],                    \
	        .parse = tui_color__parse),                                                        \
	OPT_KEY(OPTION_CALLBACK, "colors.jump_arrows", &(self)->of[CANVAS_ARROW],                  \
	        .parse = tui_color__parse),                                                        \
	OPT_KEY(OPTION_CALLBACK, "colors.root", &(self)->of[CANVAS_TITLE], .parse = tui_color__parse)
/* clang-format on */

/* "red, default": foreground and background. 0 or -EINVAL with @err. */
int tui_color__parse(const struct option *option, const char *arg, bool unset, struct error *err);

#endif
