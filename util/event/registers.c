// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/registers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/lib/alloc.h"

static const char unknown[] = "unknown";

static const char *x86_name(unsigned bit, char *buf, size_t size)
{
	static const char *const names[] = {
		"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
		"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15",
	};
	enum { XMM0 = 32, XMM_END = 64 }; /* two bits each */

	if (bit < ARRAY_SIZE(names))
		return names[bit];
	if (bit < XMM0 || bit >= XMM_END)
		return unknown;
	snprintf(buf, size, "XMM%u", (bit - XMM0) / 2);
	return buf;
}

static const char *arm64_name(unsigned bit, char *buf, size_t size)
{
	static const char *const last[] = { "lr", "sp", "pc" };

	if (bit >= 30 && bit < 30 + ARRAY_SIZE(last))
		return last[bit - 30];
	if (bit == 46)
		return "vg";
	if (bit > 30)
		return unknown;
	snprintf(buf, size, "x%u", bit);
	return buf;
}

const char *register__name(const char *machine, unsigned bit, char *buf, size_t size)
{
#ifdef __aarch64__
	const char *here = "aarch64";
#else
	const char *here = "x86_64";
#endif

	if (!machine)
		machine = here;
	if (!strcmp(machine, "x86_64") || (machine[0] == 'i' && !strcmp(machine + 2, "86")))
		return x86_name(bit, buf, size);
	if (!strncmp(machine, "aarch64", 7) || !strcmp(machine, "arm64"))
		return arm64_name(bit, buf, size);
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
		name = register__name(NULL, bit, buf, sizeof(buf));
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
