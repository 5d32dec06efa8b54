// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines of --compare and --cmd: no word is longer than the text, none is lost. */
#include "util/lib/words.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);
	struct error err = ERROR_INIT;
	struct words words;
	size_t len = 0;

	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (words__split(&words, text, &err)) {
		FUZZ_CHECK(err.code && err.column <= strlen(text) + 1);
	} else {
		for (u32 i = 0; i < words.nr; i++)
			len += strlen(words.words[i]);
		FUZZ_CHECK(words.nr && !words.words[words.nr] && len <= strlen(text));
		words__exit(&words);
	}
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const seeds[] = { "ls -l 'a b' \"c \\\" d\"", "a\\ b 'x | y' \"$z\"",
		                             "x > y", "'open", "end\\" };

	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++)
		add(seeds[i], strlen(seeds[i]));
}
