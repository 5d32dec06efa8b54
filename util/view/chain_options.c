// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/view/callchain.h"

struct word {
	const char *name;
	int value;
};

static const struct word modes[] = {
	{ "none", CHAIN_NONE }, { "graph", CHAIN_GRAPH },   { "fractal", CHAIN_FRACTAL },
	{ "flat", CHAIN_FLAT }, { "folded", CHAIN_FOLDED }, { NULL },
};
static const struct word orders[] = {
	{ "callee", CHAIN_CALLEE },
	{ "caller", CHAIN_CALLER },
	{ NULL },
};
static const struct word values[] = {
	{ "percent", CHAIN_PERCENT },
	{ "period", CHAIN_PERIOD },
	{ "count", CHAIN_COUNT },
	{ NULL },
};
static const struct word sort_keys[] = {
	{ "function", CHAIN_BY_FUNCTION },
	{ "address", CHAIN_BY_ADDRESS },
	{ "srcline", CHAIN_BY_LINE },
	{ NULL },
};

static bool find_word(const struct word *words, const char *name, int *value)
{
	for (; words->name; words++)
		if (!strcmp(words->name, name)) {
			*value = words->value;
			return true;
		}
	return false;
}

/* The first number is the threshold, the second the print limit. */
static bool take_number(struct chain_options *options, const char *word, unsigned *nr_numbers)
{
	char *end;
	double number = strtod(word, &end);

	if (end == word || *end || !(number >= 0) || number > UINT32_MAX)
		return false;
	if (++*nr_numbers == 1)
		options->threshold = number;
	else
		options->print_limit = number;
	return *nr_numbers <= 2;
}

static bool take_word(struct chain_options *options, const char *word, unsigned *nr_numbers)
{
	int value;

	if (find_word(modes, word, &value))
		options->mode = value;
	else if (find_word(orders, word, &value))
		options->order = value;
	else if (find_word(values, word, &value))
		options->value = value;
	else if (find_word(sort_keys, word, &value))
		options->key = value;
	else if (!strcmp(word, "branch"))
		options->branches = true;
	else
		return take_number(options, word, nr_numbers);
	return true;
}

int chain_options__parse(struct chain_options *options, const char *text, struct error *err)
{
	unsigned nr_numbers = 0;
	char *copy = strdup(text), *save = NULL;
	int ret = copy ? 0 : -ENOMEM;

	for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		if (take_word(options, word, &nr_numbers))
			continue;
		ret = error__set(
		        err, -EINVAL, "unknown way to show call chains", word,
		        "it is made of graph|fractal|flat|folded|none, a threshold in "
		        "percent, a limit of branches, caller|callee, function|address|srcline, "
		        "percent|period|count");
		error__advise(err, "the default is graph,0.5,caller,function,percent");
	}
	free(copy);
	return ret;
}

void chain_options__print_frame(const struct chain_options *options, const struct hists *hists,
                                struct out *out, u32 loc)
{
	const struct source *source = hists->options.source;
	u32 built = names__built_loc(hists->names, loc);

	bool known = source && source->file_of_loc[built],
	     lines = options->branches && options->key == CHAIN_BY_ADDRESS && known;

	names__print_frame(hists->names, out, loc, options->key == CHAIN_BY_ADDRESS && !lines);
	if (!known || (!lines && options->key != CHAIN_BY_LINE))
		return;
	out__char(out, ' ');
	out__str(out, strtab__get(&source->texts, source->line_of_loc[built]));
}

bool chain_options__prunes(const struct chain_options *options, u64 period, u64 whole)
{
	double limit = whole * (options->threshold / 100);

	return period < (options->mode == CHAIN_FRACTAL ? limit : floor(limit));
}
