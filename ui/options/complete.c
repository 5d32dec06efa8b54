// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "util/lib/text.h"

void completion__init(struct completion *completion, const char *word)
{
	*completion = (struct completion){ word, 0, word };
}

static bool is_plain(const char *s)
{
	for (; *s; s++)
		if (iscntrl((unsigned char)*s))
			return false;
	return true;
}

void complete__offer(struct completion *completion, const char *word, const char *help)
{
	char shown[200];

	while (help && *help == ' ')
		help++;
	if (!text__starts_with(word, completion->typed) || !is_plain(word))
		return;
	text__printable(shown, sizeof(shown), help ? help : "");
	printf("%.*s%s\t%s\n", completion->head_len, completion->head, word, shown);
}

/* "--no-sort" only for those who started to type it: it would double the list. */
static void offer_negation(struct completion *completion, const struct option *option)
{
	char name[132], help[160];

	if ((option->flags & OPTION_NO_NEGATE) || !text__starts_with(completion->typed, "--n"))
		return;
	if (text__starts_with(option->name, "no-"))
		return;
	snprintf(name, sizeof(name), "--no-%s", option->name);
	snprintf(help, sizeof(help), "undo --%s", option->name);
	complete__offer(completion, name, help);
}

static void offer_options(struct completion *completion, const struct option *options)
{
	const char *word = completion->typed;
	bool letters = word[0] == '-' && !word[1];

	for (const struct option *o = options; o->type != OPTION_END; o++) {
		const char letter[] = { '-', o->short_name, '\0' };
		char name[132];

		if (o->type == OPTION_GROUP || (o->flags & OPTION_HIDDEN))
			continue;
		if (o->short_name && (letters || !strcmp(word, letter)))
			complete__offer(completion, letter, o->help);
		if (!o->name)
			continue;
		snprintf(name, sizeof(name), "--%s", o->name);
		complete__offer(completion, name, o->help);
		offer_negation(completion, o);
	}
	/* "-ag": letters that are options stay as they are. */
	if (word[1] && word[1] != '-' && word[2])
		complete__offer(completion, word, NULL);
}

/* Subcommands stand in the usage as "{record|latency|map}". */
static void offer_subcommands(struct completion *completion, const char *const *usage)
{
	for (; *usage; usage++) {
		const char *at = strchr(*usage, '{'), *end = at ? strchr(at, '}') : NULL;

		while (end && at < end) {
			size_t len = strcspn(++at, "|}");
			char name[64];

			snprintf(name, sizeof(name), "%.*s", (int)len, at);
			complete__offer(completion, name, NULL);
			at += len;
		}
	}
}

static bool usage_has(const char *const *usage, const char *text)
{
	for (; *usage; usage++)
		if (strstr(*usage, text))
			return true;
	return false;
}

void complete__command(int nr, const char *const *words, const char *const *usage,
                       const struct option *options, unsigned flags)
{
	if (nr < 1)
		return;

	struct options_position position = options__position(nr, words, options, flags);
	struct completion completion;

	completion__init(&completion, words[nr - 1]);
	switch (position.kind) {
	case POSITION_OPTION:
		offer_options(&completion, options);
		break;
	case POSITION_VALUE:
		completion.head_len = position.value - completion.head;
		completion.typed = position.value;
		if (position.option && position.option->arg)
			complete__value(&completion, position.option->arg);
		break;
	case POSITION_ARGUMENT:
		if (position.first_arg == nr - 1)
			offer_subcommands(&completion, usage);
		if (usage_has(usage, "<command>"))
			printf(":command %d\n", nr - position.first_arg);
		else if (usage_has(usage, "<file>"))
			printf(":files \n");
		else if (usage_has(usage, "event_glob"))
			complete__value(&completion, "event class or glob");
		break;
	}
}
