/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples behind a row, as perf script prints them; and what is said of scripts in languages,
 * for which there is no engine in this perf yet.
 */
#ifndef PERF_UI_TUI_SAMPLES_BROWSER_H
#define PERF_UI_TUI_SAMPLES_BROWSER_H

#include "ui/tui/annotate_browser.h"

/*
 * Those that pass @filter, until the user leaves; @title says which they are. @fields: as in struct
 * code_texts.
 */
void samples_browser__run(struct tui *tui, const struct code_texts *texts, struct view *view,
                          const struct sample_filter *filter, const char *fields,
                          const char *title);

/* The same of those taken in one function. */
void samples_browser__of_symbol(struct tui *tui, const struct code_texts *texts, struct view *view,
                                const char *name, const char *fields);

void samples_browser__tell_of_engines(struct tui *tui);

#endif
