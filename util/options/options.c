// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"

#define MAX_ROWS 500

/* The command line being read. */
struct parser {
	int argc;
	const char **argv;
	const struct option *options;
	int at;                         /* the word being read */
	enum options_result result;     /* OPTIONS_OK until something ends the reading */
	const struct option *exclusive; /* the one that was given */
	struct error *err;
};

/* What a word of the command line stands for. */
struct match {
	const struct option *option;
	bool unset;
	const char *other; /* set when a second option fits as well: its name */
	bool other_unset;
};

static bool is_row(const struct option *option)
{
	return option->type != OPTION_GROUP;
}

static bool is_shown(const struct option *o)
{
	return is_row(o) && !(o->flags & OPTION_HIDDEN);
}

bool option__takes_arg(const struct option *option)
{
	switch (option->type) {
	case OPTION_BOOL:
	case OPTION_COUNT:
		return false;
	default:
		return !(option->flags & OPTION_NO_ARG);
	}
}

static const char *without_no(const char *name)
{
	return text__starts_with(name, "no-") ? name + 3 : NULL;
}

static int usage_error(struct parser *p, const char *what, const char *subject, const char *cause)
{
	return error__set(p->err, -EINVAL, what, subject, "%s", cause);
}

/* A table number: decimal (also with leading zeros, which are no octal to a user) or 0x hex. */
static int parse_number(const char *s, u64 max, u64 *value)
{
	int ret;

	while (s[0] == '0' && isdigit((unsigned char)s[1]))
		s++;
	ret = text__parse_u64(s, value);
	return ret ? ret : *value > max ? -ERANGE : 0;
}

static int set_number(struct parser *p, const struct option *option, const char *shown,
                      const char *arg)
{
	u64 max = option->type == OPTION_UINT ? UINT_MAX : UINT64_MAX, value = 0;
	int ret = arg ? parse_number(arg, max, &value) : 0;

	if (ret) {
		char cause[160], text[64];

		text__printable(text, sizeof(text), arg);
		if (ret == -ERANGE)
			snprintf(cause, sizeof(cause), "%s is too large, the limit is %llu", text,
			         (unsigned long long)max);
		else
			snprintf(cause, sizeof(cause), "a number is needed, not '%s'", text);
		return usage_error(p, "cannot use option", shown, cause);
	}
	if (option->type == OPTION_UINT)
		*(unsigned *)option->value = value;
	else
		*(u64 *)option->value = value;
	return 0;
}

/* An option that others exclude: false if one of those was given before. */
static bool is_only_one(struct parser *p, const struct option *option, const char *shown)
{
	char cause[96];

	if (!(option->flags & OPTION_EXCLUSIVE))
		return true;
	if (p->exclusive && p->exclusive != option) {
		snprintf(cause, sizeof(cause), "it excludes --%s", p->exclusive->name);
		usage_error(p, "cannot use option", shown, cause);
		return false;
	}
	p->exclusive = option;
	return true;
}

/* Do what the option says. @arg is NULL without an argument and with @unset. */
static int apply(struct parser *p, const struct option *option, const char *shown, const char *arg,
                 bool unset)
{
	if (!unset && !is_only_one(p, option, shown))
		return -EINVAL;
	if (option->was_set)
		*option->was_set = true;
	switch (option->type) {
	case OPTION_BOOL:
		*(bool *)option->value = !unset;
		return 0;
	case OPTION_COUNT:
		*(int *)option->value = unset ? 0 : *(int *)option->value + 1;
		return 0;
	case OPTION_UINT:
	case OPTION_U64:
		return set_number(p, option, shown, arg);
	case OPTION_STRING:
		*(const char **)option->value = unset ? option->fallback : arg;
		return 0;
	case OPTION_CALLBACK:
		return option->parse(option, arg, unset, p->err);
	default:
		BUG_ON(true);
	}
	return -EINVAL;
}

int options__assign(const struct option *option, const char *shown, const char *text,
                    struct error *err)
{
	struct parser p = { .err = err };

	return apply(&p, option, shown, text, false);
}

static bool next_is_arg(const struct parser *p, const struct option *option)
{
	return (option->flags & OPTION_NEXT_ARG) && p->at + 1 < p->argc &&
	       p->argv[p->at + 1][0] != '-';
}

/* Find the argument: @glued (may be NULL), the fallback, or the next word. */
static int apply_with_arg(struct parser *p, const struct option *option, const char *shown,
                          const char *glued, bool unset)
{
	const char *arg = glued;

	if (unset && (option->flags & OPTION_NO_NEGATE))
		return usage_error(p, "cannot use option", shown, "it cannot be negated");
	if (unset || !option__takes_arg(option)) {
		if (glued)
			return usage_error(p, "cannot use option", shown, "it takes no value");
		return apply(p, option, shown, NULL, unset);
	}
	if (!arg && (option->flags & OPTION_OPTIONAL_ARG) && !next_is_arg(p, option))
		return apply(p, option, shown, option->fallback, false);
	if (!arg) {
		if (p->at + 1 >= p->argc)
			return usage_error(p, "cannot use option", shown, "it needs a value");
		arg = p->argv[p->at + 1];
		int ret = apply(p, option, shown, arg, false);

		p->at += !ret; /* after an error the option itself is the word at fault */
		return ret;
	}
	return apply(p, option, shown, arg, false);
}

static bool same_option(const struct option *a, const struct option *b)
{
	return a->type == b->type && a->value && a->value == b->value && a->parse == b->parse;
}

static bool begins(const char *word, size_t len, const char *name)
{
	return name && !strncmp(word, name, len);
}

static bool equals(const char *word, size_t len, const char *name)
{
	return begins(word, len, name) && !name[len];
}

/* The name that clears @option, in two pieces; false if there is none. */
static const char *positive_of(const struct option *option)
{
	return option->name ? without_no(option->name) : NULL;
}

static void add_match(struct match *match, const struct option *option, bool unset)
{
	if (!match->option) {
		match->option = option;
		match->unset = unset;
	} else if (!match->other &&
	           (match->unset != unset || !same_option(match->option, option))) {
		match->other = option->name;
		match->other_unset = unset;
	}
}

/* Whole names first, in both senses; then beginnings. */
static struct match find_long(const struct option *options, const char *word, size_t len)
{
	const char *negated = len >= 3 && !memcmp(word, "no-", 3) ? word + 3 : NULL;
	struct match match = { .option = NULL };

	for (const struct option *o = options; o->type != OPTION_END; o++)
		if (is_row(o) && equals(word, len, o->name))
			return (struct match){ .option = o };
	for (const struct option *o = options; o->type != OPTION_END; o++) {
		if (!is_row(o) || !o->name)
			continue;
		if (equals(word, len, positive_of(o)) ||
		    (negated && equals(negated, len - 3, o->name)))
			return (struct match){ .option = o, .unset = true };
	}
	for (const struct option *o = options; o->type != OPTION_END; o++) {
		if (!is_row(o) || !o->name)
			continue;
		if (begins(word, len, o->name))
			add_match(&match, o, false);
		else if (begins(word, len, positive_of(o)) ||
		         (negated && begins(negated, len - 3, o->name)))
			add_match(&match, o, true);
	}
	return match;
}

const struct option *options__find_long(const struct option *options, const char *word, size_t len)
{
	struct match match = find_long(options, word, len);

	return match.other ? NULL : match.option;
}

/* How a user would write the match: --name, --no-name, or the name without its no-. */
static const char *spell(const char *name, bool unset, char *buf, size_t size)
{
	if (!unset)
		snprintf(buf, size, "--%s", name);
	else if (without_no(name))
		snprintf(buf, size, "--%s", name + 3);
	else
		snprintf(buf, size, "--no-%s", name);
	return buf;
}

static int unknown_long(struct parser *p, const char *word, size_t len)
{
	struct nearest near;
	char name[128], advice[300], shown[132];

	snprintf(name, sizeof(name), "%.*s", (int)min_u64(len, sizeof(name) - 1), word);
	const bool negated = without_no(name);

	nearest__init(&near, negated ? without_no(name) : name);
	for (const struct option *o = p->options; o->type != OPTION_END; o++) {
		const char *cleared = o->name ? without_no(o->name) : NULL;

		if (!is_shown(o) || !o->name)
			continue;
		if (!negated)
			nearest__offer(&near, o->name);
		else if (cleared || !(o->flags & OPTION_NO_NEGATE))
			nearest__offer(&near, cleared ? cleared : o->name);
	}
	snprintf(shown, sizeof(shown), "--%s", name);
	usage_error(p, "unknown option", shown, "");
	if (near.nr)
		error__advise(
		        p->err, "%s",
		        nearest__text(&near, negated ? "--no-" : "--", advice, sizeof(advice)));
	return -EINVAL;
}

static int parse_long(struct parser *p, const char *word)
{
	const char *equal = strchr(word, '=');
	size_t len = equal ? (size_t)(equal - word) : strlen(word);
	struct match match = find_long(p->options, word, len);
	char shown[132], first[132], second[132];

	if (!strcmp(word, "list-opts") || !strcmp(word, "list-cmds")) {
		p->result = word[5] == 'o' ? OPTIONS_LIST_OPTS : OPTIONS_LIST_CMDS;
		return 0;
	}
	if (!strcmp(word, "complete")) {
		p->result = OPTIONS_COMPLETE;
		return 0;
	}
	if (equals(word, len, "help") && !(match.option && !match.other)) {
		p->result = OPTIONS_HELP;
		return 0;
	}
	if (!match.option)
		return unknown_long(p, word, len);
	snprintf(shown, sizeof(shown), "--%.*s", (int)min_u64(len, 120), word);
	if (match.other) {
		char cause[320];

		snprintf(cause, sizeof(cause), "could be %s or %s",
		         spell(match.option->name, match.unset, first, sizeof(first)),
		         spell(match.other, match.other_unset, second, sizeof(second)));
		return usage_error(p, "ambiguous option", shown, cause);
	}
	return apply_with_arg(p, match.option, shown, equal ? equal + 1 : NULL, match.unset);
}

const struct option *options__find_short(const struct option *options, char c)
{
	for (; options->type != OPTION_END; options++)
		if (is_row(options) && options->short_name == c)
			return options;
	return NULL;
}

/* "-gfp", "-g=dwarf": a letter that is no option, maybe meant as a value of the one before. */
static int unknown_short(struct parser *p, const char *letters, const struct option *before)
{
	const char shown[] = { '-', *letters, '\0' };

	usage_error(p, "unknown option", shown, "");
	if (before && before->short_name == 'g' && options__find_long(p->options, "call-graph", 10))
		error__advise(p->err, "'-g' takes no value: use --call-graph=%s",
		              letters + (*letters == '='));
	else if (before)
		error__advise(p->err, "'-%c' takes no value", before->short_name);
	return -EINVAL;
}

/* "-ag", "-F99", "-ns": one or more letters, the last one perhaps with its argument glued on. */
static int parse_shorts(struct parser *p, const char *letters)
{
	const struct option *option = NULL, *before;
	int word = p->at;

	for (; *letters && p->at == word; letters++) {
		before = option;
		option = options__find_short(p->options, *letters);
		const char shown[] = { '-', *letters, '\0' };
		int ret;

		if (!option && *letters == 'h') {
			p->result = OPTIONS_HELP;
			return 0;
		}
		if (!option)
			return unknown_short(p, letters, before);
		if (option__takes_arg(option))
			return apply_with_arg(p, option, shown, letters[1] ? letters + 1 : NULL,
			                      false);
		ret = apply_with_arg(p, option, shown, NULL, false);
		if (ret)
			return ret;
	}
	return 0;
}

enum options_result options__parse(int argc, const char **argv, const struct option *options,
                                   unsigned flags, int *rest, struct error *err)
{
	struct parser p = { argc, argv, options, 1, OPTIONS_OK, NULL, err };
	const char **left = NULL; /* arguments passed over, with OPTIONS_PERMUTE */
	const char **used = NULL; /* and the words that were options */
	int nr_left = 0, nr_used = 1, ret = 0;

	if (flags & OPTIONS_PERMUTE) {
		left = xcalloc(argc + 1, sizeof(*left));
		used = xcalloc(argc + 1, sizeof(*used));
	}
	while (p.at < argc && !ret && p.result == OPTIONS_OK) {
		const char *word = argv[p.at];
		int first = p.at;

		if (word[0] != '-' || !word[1]) {
			if (!left)
				break;
			left[nr_left++] = word;
			p.at++;
			continue;
		}
		if (!strcmp(word, "--")) {
			if (used)
				used[nr_used++] = word;
			p.at++;
			break;
		}
		ret = word[1] == '-' ? parse_long(&p, word + 2) : parse_shorts(&p, word + 1);
		p.at += !ret;
		for (int i = first; used && i < p.at; i++)
			used[nr_used++] = argv[i];
	}
	*rest = p.at;
	if (left && !ret && p.result == OPTIONS_OK) {
		memcpy(argv + 1, used + 1, (nr_used - 1) * sizeof(*argv));
		memcpy(argv + nr_used, left, nr_left * sizeof(*argv));
		*rest = nr_used;
	}
	free(left);
	free(used);
	return ret ? OPTIONS_ERROR : p.result;
}

/* Usage text. */

#define OPTION_COLUMN 26 /* where the help starts */

static bool fits_long(const struct option *o, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *negated = len >= 3 && !memcmp(word, "no-", 3) ? word + 3 : NULL;

	return begins(word, len, o->name) || begins(word, len, positive_of(o)) ||
	       (negated && begins(negated, len - 3, o->name));
}

/* One of the letters of "-agF99", up to the one that takes what follows as its value. */
static bool fits_shorts(const struct option *o, const char *letters, const struct option *options)
{
	for (; *letters; letters++) {
		const struct option *row = options__find_short(options, *letters);

		if (row == o)
			return true;
		if (!row || option__takes_arg(row))
			return false;
	}
	return false;
}

static bool mentions(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

/* @word is an option as it was typed, or with -h a letter or some text to look for. */
static bool fits(const struct option *o, const char *word, const struct option *options)
{
	if (word[0] == '-' && word[1] == '-')
		return word[2] && fits_long(o, word + 2);
	if (word[0] == '-')
		return fits_shorts(o, word + 1, options);
	if (!word[0] || !word[1])
		return word[0] && o->short_name == word[0];
	return mentions(o->name, word) || mentions(o->arg, word) || mentions(o->help, word);
}

/* A letter nobody knows: the whole table is the better answer. */
static bool has_unknown_letter(const char *word, const struct option *options)
{
	if (word[0] != '-' || word[1] == '-')
		return false;
	for (const char *c = word + 1; *c; c++) {
		const struct option *row = options__find_short(options, *c);

		if (!row)
			return true;
		if (option__takes_arg(row))
			return false;
	}
	return false;
}

static bool fits_one(const struct option *o, const char *const *only, const struct option *options)
{
	for (; *only; only++)
		if (!has_unknown_letter(*only, options) && fits(o, *only, options))
			return true;
	return false;
}

static bool fits_any(const char *const *only, const struct option *options)
{
	for (const struct option *o = options; only && o->type != OPTION_END; o++)
		if (is_shown(o) && fits_one(o, only, options))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct option *x = *(const struct option *const *)a;
	const struct option *y = *(const struct option *const *)b;
	int order;

	if (!x->short_name != !y->short_name)
		return !x->short_name - !y->short_name;
	order = tolower((unsigned char)x->short_name) - tolower((unsigned char)y->short_name);
	return order ? order : strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static const char *arg_name(const struct option *o)
{
	return o->arg ? o->arg : o->type == OPTION_UINT || o->type == OPTION_U64 ? "n" : "value";
}

static void print_row(FILE *to, const struct option *o)
{
	int len = fprintf(to, "    ");

	len += o->short_name ? fprintf(to, "-%c", o->short_name) : fprintf(to, "    ");
	if (o->name)
		len += fprintf(to, "%s--%s", o->short_name ? ", " : "", o->name);
	if (option__takes_arg(o) && (o->flags & OPTION_OPTIONAL_ARG))
		len += fprintf(to, "%s<%s>]", o->name ? "[=" : "[", arg_name(o));
	else if (option__takes_arg(o))
		len += fprintf(to, " <%s>", arg_name(o));
	if (len >= OPTION_COLUMN) {
		fputc('\n', to);
		len = 0;
	}
	fprintf(to, "%*s%s\n", OPTION_COLUMN - len, "", o->help ? o->help : "");
}

enum section { SECTION_FIRST, SECTION_OF_GROUP, SECTION_LAST };

static enum section section_of(const struct option *o, const char *first)
{
	if (o->short_name && strchr(first, o->short_name))
		return SECTION_FIRST;
	return o->help && (text__starts_with(o->help, "accepted") || strstr(o->help, "refused"))
	               ? SECTION_LAST
	               : SECTION_OF_GROUP;
}

/* The rows of [from, its end or the next group) with this place, under @heading (NULL: none). */
static void print_rows(FILE *to, const char *heading, const struct option *from, bool whole,
                       bool (*wanted)(const struct option *, const void *), const void *ctx)
{
	const struct option *rows[MAX_ROWS];
	size_t nr = 0;

	for (const struct option *o = from; o->type != OPTION_END && (whole || is_row(o)); o++) {
		if (!is_row(o) || !is_shown(o) || !wanted(o, ctx))
			continue;
		BUG_ON(nr == MAX_ROWS);
		rows[nr++] = o;
	}
	if (nr && heading)
		fprintf(to, "%s\n", heading);
	qsort(rows, nr, sizeof(rows[0]), by_name);
	for (size_t i = 0; i < nr; i++)
		print_row(to, rows[i]);
	if (nr)
		fputc('\n', to);
}

struct chosen {
	const struct option *options;
	const char *const *only; /* NULL: all */
	const char *first;
	enum section section;
};

static bool is_chosen(const struct option *o, const void *ctx)
{
	const struct chosen *chosen = ctx;

	return chosen->only ? fits_one(o, chosen->only, chosen->options)
	                    : section_of(o, chosen->first) == chosen->section;
}

void options__usage(FILE *to, const char *const *usage, const struct option *options,
                    const char *const *only, const char *first)
{
	struct chosen chosen = { options, fits_any(only, options) ? only : NULL, first, 0 };

	for (int i = 0; usage[i]; i++)
		fprintf(to, "%s%s\n", i ? "    or: " : "\n Usage: ", usage[i]);
	fputc('\n', to);
	if (chosen.only) {
		print_rows(to, NULL, options, true, is_chosen, &chosen);
		return;
	}
	chosen.section = SECTION_FIRST;
	print_rows(to, "Most used", options, true, is_chosen, &chosen);
	chosen.section = SECTION_OF_GROUP;
	for (const struct option *o = options; o->type != OPTION_END;) {
		const char *heading = is_row(o) ? NULL : (o++)->help;

		print_rows(to, heading, o, false, is_chosen, &chosen);
		while (o->type != OPTION_END && is_row(o))
			o++;
	}
	chosen.section = SECTION_LAST;
	print_rows(to, "Accepted without an effect, or refused", options, true, is_chosen, &chosen);
}

void options__list(FILE *to, const struct option *options)
{
	for (const struct option *o = options; o->type != OPTION_END; o++)
		if (is_shown(o) && o->name)
			fprintf(to, "--%s ", o->name);
	fputc('\n', to);
}
