// SPDX-License-Identifier: GPL-2.0-or-later
/* Configuration files: read, and changed, after which they must say what was written. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/options/config.h"

static void check_edit(const char *text, size_t size, const char *name, const char *value)
{
	struct config config = CONFIG_INIT;
	const struct config_entry *entry;
	char *edited = config__edit(text, size, "f", name, value, NULL);

	if (!edited)
		return;
	FUZZ_CHECK(!config__parse(&config, edited, strlen(edited), "f", CONFIG_USER, NULL));
	entry = config__find(&config, name);
	FUZZ_CHECK(entry && !strcmp(entry->value, value));
	config__exit(&config);
	free(edited);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct config config = CONFIG_INIT;
	const char *text = (const char *)data;
	char name[64];
	bool mistake = config__parse(&config, text, size, "f", CONFIG_USER, NULL);

	for (size_t i = 0; i < config.nr; i++) {
		const struct config_entry *entry = &config.entries[i];
		bool value;

		FUZZ_CHECK(entry->start < entry->end && entry->end <= size);
		FUZZ_CHECK(!i || entry->start >= config.entries[i - 1].end);
		FUZZ_CHECK(config__find(&config, entry->name));
		fuzz__touch(entry->value, strlen(entry->value));
		config__bool(entry->value, &value);
	}
	if (!mistake && !memchr(data, 0, size)) {
		check_edit(text, size, "report.children", "  a \"b\" # \\ ");
		if (config.nr && strlen(config.entries[0].name) < sizeof(name)) {
			strcpy(name, config.entries[0].name);
			check_edit(text, size, name, "x");
		}
	}
	config__exit(&config);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const files[] = {
		"# c\n[report]\n\tsort_order = comm,dso # behind\n\tchildren=off\n;x\n[color]\nui=auto\n",
		"[call-graph]\n\trecord-mode = dwarf\n[a \"Sub \\\"]\"]\nb = \"  x\\ty  \" \\\n z\\n\n",
		"[a.b] c = d\r\n[A]\r\ne-f =\r\n",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(files); i++)
		add(files[i], strlen(files[i]));
}
