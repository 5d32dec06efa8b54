/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "did you mean ...": the few names of a set that are closest to an unknown word. Used for
 * commands, options and events alike.
 */
#ifndef PERF_UTIL_OPTIONS_NEAREST_H
#define PERF_UTIL_OPTIONS_NEAREST_H

#include "util/lib/types.h"

#define NEAREST_MAX 3

struct nearest {
	const char *word;
	const char *names[NEAREST_MAX]; /* best first; not owned */
	unsigned distance[NEAREST_MAX];
	unsigned nr;
};

/* @word and every name offered must live as long as @near. */
void nearest__init(struct nearest *near, const char *word);

/*
 * Keep @name if it is close: at most about a third of the word is wrong, or it starts with @word.
 */
void nearest__offer(struct nearest *near, const char *name);

/*
 * "did you mean 'a', 'b' or 'c'?" in @buf, each name with @prefix in front; "" when nothing came
 * close. Returns @buf.
 */
const char *nearest__text(const struct nearest *near, const char *prefix, char *buf, size_t size);

#endif
