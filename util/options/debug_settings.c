// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/debug_settings.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "util/lib/text.h"
#include "util/lib/types.h"

static const struct {
	const char *name;
	size_t offset; /* in struct debug_settings */
} keys[] = {
	{ "verbose", offsetof(struct debug_settings, verbose) },
	{ "perf-event-open", offsetof(struct debug_settings, event_open) },
	{ "ordered-events", SIZE_MAX },
	{ "data-convert", SIZE_MAX },
	{ "stderr", SIZE_MAX },
};

static int set(struct debug_settings *settings, const char *key, const char *value,
               struct error *err)
{
	u64 number = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(keys[i].name, key))
			continue;
		if (text__parse_u64(value, &number) || number > 10)
			return error__set(err, -EINVAL, "cannot set the debug variable", key,
			                  "a number from 0 to 10 is needed");
		if (keys[i].offset != SIZE_MAX)
			*(int *)((char *)settings + keys[i].offset) = number;
		return 0;
	}
	return error__set(
	        err, -EINVAL, "unknown debug variable", key,
	        "it must be one of verbose, perf-event-open, ordered-events, data-convert, "
	        "stderr");
}

int debug_settings__parse(struct debug_settings *settings, const char *text, struct error *err)
{
	char key[64], value[16];
	int ret = 0;

	while (*text && !ret) {
		size_t len = strcspn(text, ","), key_len = strcspn(text, ",=");

		snprintf(key, sizeof(key), "%.*s", (int)key_len, text);
		snprintf(value, sizeof(value), "%.*s", key_len < len ? (int)(len - key_len - 1) : 1,
		         key_len < len ? text + key_len + 1 : "1");
		ret = set(settings, key, value, err);
		text += len + (text[len] == ',');
	}
	return ret;
}
