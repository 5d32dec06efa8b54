/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a shell asks while a command line is being typed. `perf --complete WORD...` has the words
 * behind "perf" up to the cursor, the last one unfinished (perhaps empty), and prints what could
 * stand in its place, one a line:
 *
 *	--sort<TAB>group by: comm, pid ...	a whole word, and what it is
 *	sched:<TAB>tracepoints			one that ends in : / = , or { goes on without a
 *blank :files HEAD   :dirs HEAD		file names, behind HEAD, which is part of the word
 *	:command N				the last N words are a command line of their own,
 *						if they are none of the answers before
 *
 * Nothing is printed for what cannot be known. The shells' side is in scripts/completion/.
 * Commands answer through command_line__parse(), from their option tables.
 */
#ifndef PERF_UI_OPTIONS_COMPLETE_H
#define PERF_UI_OPTIONS_COMPLETE_H

#include "util/options/options.h"

/* The unfinished word: it starts with @head, which every answer repeats; @typed comes behind. */
struct completion {
	const char *head;
	int head_len;
	const char *typed;
};

void completion__init(struct completion *completion, const char *word);

/* Print @word if it starts with the typed text. @help may be NULL. */
void complete__offer(struct completion *completion, const char *word, const char *help);

/* Print the possible values of an argument named @arg ("event", "key[,key2...]"). */
void complete__value(struct completion *completion, const char *arg);

/*
 * Answer for the @nr words after the name of a command with these options; for 0 words nothing.
 * @flags as for options__parse().
 */
void complete__command(int nr, const char *const *words, const char *const *usage,
                       const struct option *options, unsigned flags);

#endif
