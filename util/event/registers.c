// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/registers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/lib/alloc.h"

const char *register__name(const struct arch *arch, unsigned bit, char *buf, size_t size)
{
	if (arch->registers)
		return arch->registers[bit] ? arch->registers[bit] : "unknown";
	snprintf(buf, size, "r%u", bit);
	return buf;
}

static u64 find(const char *word, size_t len, u64 allowed)
{
	char buf[16];

	for (unsigned bit = 0; bit < 64; bit++) {
		const char *name;

		if (!(allowed >> bit & 1))
			continue;
		name = register__name(arch__here(), bit, buf, sizeof(buf));
		if (strlen(name) == len && !strncasecmp(name, word, len))
			return 1ull << bit;
	}
	return 0;
}

int registers__parse(const char *text, u64 allowed, u64 *mask, struct error *err)
{
	*mask = 0;
	for (;; text++) {
		size_t len = strcspn(text, ",");
		u64 bit = find(text, len, allowed);

		if (!bit) {
			char *word = xasprintf("%.*s", (int)min_u64(len, 200), text);

			error__set(err, -EINVAL, "unknown register", word,
			           "not one of this machine's");
			free(word);
			return -EINVAL;
		}
		*mask |= bit;
		text += len;
		if (!*text)
			return 0;
	}
}
