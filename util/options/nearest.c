// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/nearest.h"

#include <stdio.h>
#include <string.h>

#include "util/lib/text.h"

void nearest__init(struct nearest *near, const char *word)
{
	*near = (struct nearest){ .word = word };
}

void nearest__offer(struct nearest *near, const char *name)
{
	size_t len = strlen(near->word);
	unsigned distance = text__distance(near->word, name);
	unsigned at;

	if (!strcmp(name, near->word)) /* it was that, and not what was wanted */
		return;
	/* A beginning is a better guess than any misspelling. */
	if (len >= 2 && text__starts_with(name, near->word))
		distance = 0;
	else if (!distance)
		distance = 1;
	if (distance > (len < 5 ? 1 : (len + 1) / 3))
		return;
	for (at = 0; at < near->nr; at++)
		if (!strcmp(near->names[at], name))
			return;
	for (at = near->nr; at > 0 && near->distance[at - 1] > distance; at--)
		;
	if (at == NEAREST_MAX)
		return;
	if (near->nr < NEAREST_MAX)
		near->nr++;
	for (unsigned i = near->nr - 1; i > at; i--) {
		near->names[i] = near->names[i - 1];
		near->distance[i] = near->distance[i - 1];
	}
	near->names[at] = name;
	near->distance[at] = distance;
}

const char *nearest__text(const struct nearest *near, const char *prefix, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < near->nr && len < size; i++) {
		const char *before = i == 0 ? "did you mean " : i + 1 == near->nr ? " or " : ", ";

		len += snprintf(buf + len, size - len, "%s'%s%s'", before, prefix, near->names[i]);
	}
	if (near->nr && len < size)
		snprintf(buf + len, size - len, "?");
	return buf;
}
