/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about filters of `perf report` that no sample passes, and about its operand. */
#ifndef PERF_UI_OPTIONS_REPORT_FILTERS_H
#define PERF_UI_OPTIONS_REPORT_FILTERS_H

#include "util/view/hists.h"

/*
 * Warn of each word of --comms, --dsos, --symbols, --symbol-filter, --pid and --tid that no sample
 * has (with children: nor any caller), and of filters that no sample passes in combination.
 */
void report_filters__say(const struct hists *hists);

/* Warn of each of @functions that no sample has, nor any chain. */
void report_filters__say_symbols(const struct hists *hists, const struct name_list *functions);

/* The operand @word is not a file: 0, or -ENOENT with @err if no symbol name contains it either. */
int report_filters__check_operand(const struct hists *hists, const char *word, struct error *err);

/* @word is not a file, and only a file is allowed: -ENOENT with @err, which names similar files. */
int report_filters__no_file(const char *word, struct error *err);

#endif
