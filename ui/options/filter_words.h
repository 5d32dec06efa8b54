/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warn of words of a filter (--comms a,b) that no sample has.
 *
 * The warning suggests a similar name, or lists the names that samples have.
 *
 *	filter_words__init(&words, "comm", &list);
 *	for each sample: if (filter_words__unmet(&words)) filter_words__see(&words, name, 1);
 *	filter_words__say(&words);
 */
#ifndef PERF_UI_OPTIONS_FILTER_WORDS_H
#define PERF_UI_OPTIONS_FILTER_WORDS_H

#include "util/lib/name_list.h"
#include "util/lib/strtab.h"
#include "util/options/nearest.h"

struct filter_words {
	const char *kind;       /* "comm", for the message */
	struct name_list words; /* owned */
	bool *met;              /* by word */
	u32 nr_unmet;
	bool numbers;        /* do not suggest similar numbers */
	struct strtab names; /* those seen ... */
	u64 *counts;         /* ... and the samples with each */
	size_t cap;
};

/* Both copy the words; an empty list gives no warning. */
void filter_words__init(struct filter_words *self, const char *kind, const struct name_list *list);
void filter_words__init_numbers(struct filter_words *self, const char *kind, const u32 *numbers,
                                u32 nr);
void filter_words__exit(struct filter_words *self);

static inline bool filter_words__unmet(const struct filter_words *self)
{
	return self->nr_unmet;
}

/* @count samples have @name; 0: only call chains have it, which the filter ignores. */
void filter_words__see(struct filter_words *self, const char *name, u64 count);
void filter_words__see_number(struct filter_words *self, u32 number, u64 count);

/* Add what @other, of the same words, has seen and met. */
void filter_words__add(struct filter_words *self, const struct filter_words *other);

/* Mark @word as met by a differently named thing (by the path of a dso). */
void filter_words__meet(struct filter_words *self, const char *word);

/* Print a warning for each word without samples; true if there was one. */
bool filter_words__say(const struct filter_words *self);

/* Add the names seen to the suggestions of @near. */
void filter_words__offer(const struct filter_words *self, struct nearest *near);

#endif
