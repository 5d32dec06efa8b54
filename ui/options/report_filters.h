/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of `perf report` that let nothing pass: what was not there, and what is. */
#ifndef PERF_UI_OPTIONS_REPORT_FILTERS_H
#define PERF_UI_OPTIONS_REPORT_FILTERS_H

#include "util/profile/hists.h"

/*
 * Warn of each word of --comms, --dsos, --symbols, --symbol-filter, --pid and --tid that no sample
 * has (with children: nor any caller), and of filters that let nothing pass together.
 */
void report_filters__say(const struct hists *hists);

/* The operand @word is no file; 0, or -ENOENT with @err when no symbol has it in its name either.
 */
int report_filters__check_operand(const struct hists *hists, const char *word, struct error *err);

/* @word is no file, and nothing else is understood there: -ENOENT and @err, with files like it. */
int report_filters__no_file(const char *word, struct error *err);

#endif
