// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/filter_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/diag.h"
#include "util/lib/alloc.h"

#define LISTED_MAX 4 /* names with samples in one message */

static void add_word(struct filter_words *self, const char *word)
{
	if (!name_list__has(&self->words, word))
		name_list__add(&self->words, word);
}

static void start(struct filter_words *self)
{
	self->nr_unmet = self->words.nr;
	self->met = xcalloc(self->words.nr + 1, sizeof(*self->met));
	strtab__init(&self->names);
}

void filter_words__init(struct filter_words *self, const char *kind, const struct name_list *list)
{
	*self = (struct filter_words){ .kind = kind };
	for (u32 i = 0; i < list->nr; i++)
		add_word(self, list->names[i]);
	start(self);
}

void filter_words__init_numbers(struct filter_words *self, const char *kind, const u32 *numbers,
                                u32 nr)
{
	char text[16];

	*self = (struct filter_words){ .kind = kind, .numbers = true };
	for (u32 i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "%u", numbers[i]);
		add_word(self, text);
	}
	start(self);
}

void filter_words__exit(struct filter_words *self)
{
	name_list__exit(&self->words);
	free(self->met);
	free(self->counts);
	strtab__exit(&self->names);
}

void filter_words__meet(struct filter_words *self, const char *word)
{
	for (u32 i = 0; i < self->words.nr; i++) {
		if (self->met[i] || strcmp(self->words.names[i], word) != 0)
			continue;
		self->met[i] = true;
		self->nr_unmet--;
	}
}

void filter_words__see(struct filter_words *self, const char *name, u64 count)
{
	u32 id = strtab__add(&self->names, name);
	size_t known = self->cap;

	array__reserve(&self->counts, &self->cap, id + 1, sizeof(*self->counts));
	if (self->cap > known)
		memset(self->counts + known, 0, (self->cap - known) * sizeof(*self->counts));
	if (count && !self->counts[id])
		filter_words__meet(self, name);
	self->counts[id] += count;
}

void filter_words__add(struct filter_words *self, const struct filter_words *other)
{
	for (u32 id = 1; id < other->names.nr; id++)
		filter_words__see(self, strtab__get(&other->names, id), other->counts[id]);
	for (u32 i = 0; i < other->words.nr; i++)
		if (other->met[i])
			filter_words__meet(self, other->words.names[i]);
}

void filter_words__see_number(struct filter_words *self, u32 number, u64 count)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	filter_words__see(self, text, count);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* By name: of several that are as near the first ones are taken. */
void filter_words__offer(const struct filter_words *self, struct nearest *near)
{
	u32 nr = self->names.nr ? self->names.nr - 1 : 0;
	const char **names = xcalloc(nr + 1, sizeof(*names));

	for (u32 i = 0; i < nr; i++)
		names[i] = strtab__get(&self->names, i + 1);
	qsort(names, nr, sizeof(*names), compare_names);
	for (u32 i = 0; i < nr; i++)
		nearest__offer(near, names[i]);
	free(names);
}

/* More samples first, then by name: ids would tell who came first. */
static bool comes_before(const struct filter_words *self, u32 a, u32 b)
{
	if (self->counts[a] != self->counts[b])
		return self->counts[a] > self->counts[b];
	return strcmp(strtab__get(&self->names, a), strtab__get(&self->names, b)) < 0;
}

/* "comms that samples have: 'a' (12), 'b' (3) and 7 more" */
static void advise_names(const struct filter_words *self, struct error *err)
{
	u32 top[LISTED_MAX], nr = 0, all = 0;
	char text[256] = "";
	size_t len = 0;

	for (u32 id = 1; id < self->names.nr; id++) {
		u32 at = nr;

		if (!self->counts[id])
			continue;
		all++;
		while (at && comes_before(self, id, top[at - 1]))
			at--;
		if (at == LISTED_MAX)
			continue;
		nr += nr < LISTED_MAX;
		memmove(top + at + 1, top + at, (nr - 1 - at) * sizeof(*top));
		top[at] = id;
	}
	for (u32 i = 0; i < nr; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s'%.32s' (%llu)", i ? ", " : "",
		                strtab__get(&self->names, top[i]),
		                (unsigned long long)self->counts[top[i]]);
	if (all > nr)
		snprintf(text + len, sizeof(text) - len, " and %u more", all - nr);
	if (nr)
		error__advise(err, "%ss that samples have: %s", self->kind, text);
}

static void advise(const struct filter_words *self, const char *word, struct error *err)
{
	struct nearest near;
	char guess[320];

	if (strtab__find(&self->names, word) != ID_NONE) {
		error__advise(err, "it is only in call chains: --children shows it");
		return;
	}
	nearest__init(&near, word);
	if (!self->numbers)
		filter_words__offer(self, &near);
	if (near.nr)
		error__advise(err, "%s", nearest__text(&near, "", guess, sizeof(guess)));
	else
		advise_names(self, err);
}

bool filter_words__say(const struct filter_words *self)
{
	for (u32 i = 0; i < self->words.nr; i++) {
		struct error err = ERROR_INIT;
		char what[64];

		if (self->met[i])
			continue;
		snprintf(what, sizeof(what), "no sample has the %s", self->kind);
		error__set(&err, -ENOENT, what, self->words.names[i], "%s", "");
		advise(self, self->words.names[i], &err);
		diag__warning(&err);
	}
	return self->nr_unmet;
}
