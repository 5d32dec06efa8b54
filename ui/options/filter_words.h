/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a filter (--comms a,b) held against what samples have: a word that none has is said,
 * with the name that was perhaps meant, or with those that samples do have.
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
	bool numbers;        /* no number is nearly another */
	struct strtab names; /* seen, with the samples that have each */
	u64 *counts;
	size_t cap;
};

/* Both copy; an empty list has nothing to say. */
void filter_words__init(struct filter_words *self, const char *kind, const struct name_list *list);
void filter_words__init_numbers(struct filter_words *self, const char *kind, const u32 *numbers,
                                u32 nr);
void filter_words__exit(struct filter_words *self);

static inline bool filter_words__unmet(const struct filter_words *self)
{
	return self->nr_unmet;
}

/* @count samples have @name; 0: call chains alone have it, and the filter does not look there. */
void filter_words__see(struct filter_words *self, const char *name, u64 count);
void filter_words__see_number(struct filter_words *self, u32 number, u64 count);

/* @word has been met, by something that is not called so (the path of a dso). */
void filter_words__meet(struct filter_words *self, const char *word);

/* A warning for each word without samples; true if there was one. */
bool filter_words__say(const struct filter_words *self);

/* Offer what was seen. */
void filter_words__offer(const struct filter_words *self, struct nearest *near);

#endif
