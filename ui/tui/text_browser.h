/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Look at a text: help, the header of a recording, an annotated function. */
#ifndef PERF_UI_TUI_TEXT_BROWSER_H
#define PERF_UI_TUI_TEXT_BROWSER_H

#include "ui/tui/dialog.h"

/*
 * Show @text under @title until the user leaves. It begins at the line with the largest percentage
 * in front; H and Tab go to it and the next. Returns the key that ended it.
 */
int text_browser__run(struct tui *tui, const char *title, const char *text);

#endif
