/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf --complete WORD...`: complete the last word of a command line for a shell. The words
 * are those after "perf" up to the cursor, the last one unfinished (perhaps empty). The possible
 * completions are printed, one per line:
 *
 *	--sort<TAB>group by: comm, pid ...	a whole word, and its description
 *	sched:<TAB>tracepoints			after a final : / = , or { no blank follows
 *	:files HEAD   :dirs HEAD		file names after HEAD, which is part of the word
 *	:command N				the last N words are a command line themselves,
 *						if none of the other answers fits
 *
 * Nothing is printed if nothing is known. The shells' side is in scripts/completion/. Commands
 * answer through command_line__parse(), from their option tables.
 */
#ifndef PERF_UI_OPTIONS_COMPLETE_H
#define PERF_UI_OPTIONS_COMPLETE_H

#include "util/options/options.h"

/* The unfinished word: @head, which every answer repeats, followed by @typed. */
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
