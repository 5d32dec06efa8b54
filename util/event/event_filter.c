// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parser goes through the text as the kernel does: parentheses and !, a comparison, closing
 * parentheses, && or ||, and so on. It never builds a tree: who wins of && and || is the kernel's
 * business. Where it comes to something that it does not know, it leaves the rest to the kernel
 * (`lenient`), or, when the kernel has refused it, says that this is the place.
 */
#include "util/event/event_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/out.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"

/* "prev_comm.ustring != perf" */
struct comparison {
	const char *name, *op, *value;
	size_t name_len, op_len;
	const struct event_field *field; /* NULL: not in the format, but kernels may have it */
	bool is_text, is_function;
};

struct part {
	const char *text;
	size_t len;
};

struct filter {
	const char *text, *pos, *event;
	const struct event_fields *fields;
	bool lenient;       /* what is not known is left to the kernel */
	struct part *parts; /* the comparisons */
	size_t nr_parts, parts_cap;
	struct out quoted; /* the text for the kernel, up to what is at `copied` */
	const char *copied;
	const char *missing; /* a field that is not there, in `text` */
	size_t missing_len;
	struct error *err;
};

enum { GO_ON, LEFT_TO_KERNEL = 1 };

/* The kernel's isspace() has the no-break space of Latin 1, too. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (u8)c == 0xa0;
}

static bool is_name(char c)
{
	return isalnum((u8)c) || c == '_';
}

static void skip_space(struct filter *f)
{
	while (is_space(*f->pos))
		f->pos++;
}

static bool is_both(const char *s)
{
	return (s[0] == '&' || s[0] == '|') && s[1] == s[0];
}

/* Nothing more to compare with: the end, or what can only stand behind a comparison. */
static bool is_end(const char *s)
{
	return !*s || *s == ')' || is_both(s);
}

PRINTF_LIKE(3, 4) static int fail(struct filter *f, const char *at, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int ret = error__set_at(f->err, "cannot use the filter", f->text, at, fmt, args);

	va_end(args);
	return ret;
}

/* Not known to be wrong: the kernel is asked first. */
#define DOUBT(f, ...) ((f)->lenient ? LEFT_TO_KERNEL : fail(f, __VA_ARGS__))

/* "fields: prev_comm (text) prev_pid ...; common_pid ..." as the advice. */
static void list_fields(struct filter *f)
{
	char list[320] = "";
	size_t len = 0;

	for (u32 common = 0; common < 2; common++)
		for (u32 i = 0; i < f->fields->nr && len < sizeof(list); i++) {
			const struct event_field *field = &f->fields->fields[i];

			if (field->is_common == common)
				len += snprintf(list + len, sizeof(list) - len, " %s%s",
				                field->name, field->is_text ? " (text)" : "");
		}
	if (len >= sizeof(list) - 40) {
		len = sizeof(list) - 40;
		while (len && list[len] != ' ')
			len--;
		snprintf(list + len, sizeof(list) - len, " ...");
	}
	error__advise(f->err, "its fields:%s", list);
}

/* --- a comparison --- */

/* Fields that the kernel has for all events without listing them; newer ones may come. */
static bool may_be_generic(const char *name, size_t len)
{
	static const char *const names[] = { "cpu", "comm", "stacktrace" };
	bool upper = true;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !strncmp(name, names[i], len))
			return true;
	for (size_t i = 0; i < len; i++)
		upper &= name[i] == '_' || isupper((u8)name[i]);
	return upper || text__starts_with(name, "common_");
}

static int unknown_field(struct filter *f, const struct comparison *c)
{
	char *word = xasprintf("%.*s", (int)min_u64(c->name_len, 256), c->name), near_text[160];
	struct nearest nearest;

	nearest__init(&nearest, word);
	for (u32 i = 0; i < f->fields->nr; i++)
		nearest__offer(&nearest, f->fields->fields[i].name);
	nearest__text(&nearest, "", near_text, sizeof(near_text));
	fail(f, c->name, "%.80s has no field '%.60s'%s%s", f->event, word, *near_text ? "; " : "",
	     near_text);
	list_fields(f);
	f->missing = c->name;
	f->missing_len = c->name_len;
	free(word);
	return -EINVAL;
}

static int take_field(struct filter *f, struct comparison *c)
{
	c->name = f->pos;
	while (is_name(*f->pos))
		f->pos++;
	c->name_len = f->pos - c->name;
	if (!c->name_len && is_end(c->name))
		return fail(f, c->name, "a comparison is missing here");
	if (!c->name_len)
		return fail(f, c->name, "a field is expected here");
	c->field = event_fields__find(f->fields, c->name, c->name_len);
	if (!c->field && f->fields->nr && !may_be_generic(c->name, c->name_len))
		return unknown_field(f, c);
	c->is_text =
	        c->field ? c->field->is_text : c->name_len == 4 && !strncasecmp(c->name, "comm", 4);
	if (*f->pos == '.') {
		const char *suffix = f->pos++;

		while (is_name(*f->pos))
			f->pos++;
		c->is_function = f->pos - suffix == 9 && !strncmp(suffix, ".function", 9);
	}
	skip_space(f);
	return GO_ON;
}

/* What people write instead of the kernel's operators. */
static const char *meant(const char *op, size_t *len)
{
	static const struct {
		const char *wrong, *right;
	} rows[] = {
		{ "===", "==" }, { "!==", "!=" }, { "=>", ">=" }, { "=<", "<=" }, { "<>", "!=" },
		{ "=~", "~" },   { "~=", "~" },   { "=!", "!=" }, { "=", "==" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		*len = strlen(rows[i].wrong);
		if (!strncmp(op, rows[i].wrong, *len) && (*len > 1 || op[1] != '='))
			return rows[i].right;
	}
	return NULL;
}

static int take_operator(struct filter *f, struct comparison *c)
{
	static const char *const operators[] = { "==", "!=", "~", "<=", "<", ">=", ">", "&" };
	const char *right;
	size_t len;

	c->op = f->pos;
	if (is_end(f->pos))
		return fail(f, f->pos, "'%.*s' is compared with nothing; '%.*s != 0'?",
		            (int)min_u64(c->name_len, 60), c->name, (int)min_u64(c->name_len, 60),
		            c->name);
	right = meant(f->pos, &len);
	if (right)
		return fail(f, f->pos, "'%.*s' is no operator of the kernel's filters: write %s",
		            (int)len, f->pos, right);
	for (size_t i = 0; i < ARRAY_SIZE(operators) && !c->op_len; i++)
		if (text__starts_with(f->pos, operators[i]))
			c->op_len = strlen(operators[i]);
	if (text__starts_with(f->pos, "!~"))
		return fail(f, f->pos, "the kernel has no '!~': write !(%.*s ~ ...)",
		            (int)min_u64(c->name_len, 60), c->name);
	if (!c->op_len && (isdigit((u8)*f->pos) || *f->pos == '"' || *f->pos == '\''))
		return fail(f, f->pos, "an operator is missing: == != < <= > >= & ~");
	if (!c->op_len)
		return DOUBT(f, f->pos, "an operator is expected here: == != < <= > >= & ~");
	f->pos += c->op_len;
	skip_space(f);
	return GO_ON;
}

static bool is_op(const struct comparison *c, const char *op)
{
	return c->op_len == strlen(op) && !strncmp(c->op, op, c->op_len);
}

static void copy_up_to(struct filter *f, const char *end)
{
	out__mem(&f->quoted, f->copied, end - f->copied);
	f->copied = end;
}

/* A word without quotes, compared with text: the kernel wants quotes. */
static int take_word(struct filter *f, struct comparison *c)
{
	while (*f->pos && !is_space(*f->pos) && !strchr("()&|\"'", *f->pos))
		f->pos++;
	if (f->pos == c->value)
		return fail(f, f->pos, "the text to compare with is expected here; quote it");
	if (event_fields__find(f->fields, c->value, f->pos - c->value))
		return fail(f, c->value,
		            "the kernel compares fields with values, not with each other; if it is "
		            "the text that is meant, quote it");
	copy_up_to(f, c->value);
	out__char(&f->quoted, '"');
	copy_up_to(f, f->pos);
	out__char(&f->quoted, '"');
	return GO_ON;
}

static int take_quoted(struct filter *f, struct comparison *c)
{
	const char *end = strchr(f->pos + 1, *f->pos);

	if (!end)
		return fail(f, f->pos, "the closing %c is missing", *f->pos);
	f->pos = end + 1;
	if (c->field && !c->is_text)
		return DOUBT(f, c->value, "'%.60s' is a number: no quotes", c->field->name);
	return GO_ON;
}

static int take_number(struct filter *f, struct comparison *c)
{
	bool is_negative = *f->pos == '-', is_number = is_negative || isdigit((u8)*f->pos);
	char *digits, *end;

	f->pos += is_negative;
	while (is_name(*f->pos) || (c->is_function && *f->pos == '.'))
		f->pos++;
	if (f->pos == c->value && strchr("=<>!~&|", *f->pos))
		return fail(f, c->op, "'%.*s' is no operator of the kernel's filters",
		            (int)(f->pos + 1 - c->op), c->op);
	if (c->is_function)
		return GO_ON;
	if (event_fields__find(f->fields, c->value, f->pos - c->value))
		return DOUBT(f, c->value,
		             "the kernel compares fields with values, not with each other");
	if (!is_number)
		return DOUBT(f, c->value, "a number is expected here: '%.*s' is not text",
		             (int)min_u64(c->name_len, 60), c->name);
	if (c->field && !c->field->is_signed && is_negative)
		return DOUBT(f, c->value, "'%.60s' is never negative", c->field->name);
	digits = xasprintf("%.*s", (int)min_u64(f->pos - c->value, 64), c->value);
	errno = 0;
	strtoull(digits + is_negative, &end, 0);
	is_number = !*end && end != digits + is_negative && !errno;
	free(digits);
	return is_number ? GO_ON : DOUBT(f, c->value, "that is not a 64-bit number");
}

static int take_value(struct filter *f, struct comparison *c)
{
	c->value = f->pos;
	if (is_end(f->pos))
		return fail(f, f->pos, "a value is missing after '%.*s'", (int)c->op_len, c->op);
	if (text__starts_with(f->pos, "CPUS{")) {
		f->pos += strcspn(f->pos, "}");
		if (!*f->pos++)
			return fail(f, c->value, "the closing } is missing");
		return GO_ON;
	}
	if (*f->pos == '"' || *f->pos == '\'')
		return take_quoted(f, c);
	if (!c->is_text || c->is_function || strchr("=<>!~&|", *f->pos))
		return take_number(f, c);
	return take_word(f, c);
}

static int take_comparison(struct filter *f)
{
	struct comparison c = { .name = NULL };
	int ret = take_field(f, &c);

	if (!ret)
		ret = take_operator(f, &c);
	if (!ret)
		ret = take_value(f, &c);
	if (!ret && c.is_text && !is_op(&c, "==") && !is_op(&c, "!=") && !is_op(&c, "~"))
		ret = DOUBT(f, c.op, "text is compared with == != and ~ (a pattern)");
	if (!ret && c.field && c.field->odd_size && !text__starts_with(c.value, "CPUS{"))
		ret = fail(
		        f, c.name,
		        "'%.60s' is an array: the kernel compares its %u bytes with no number, so "
		        "that nothing would pass",
		        c.field->name, c.field->odd_size);
	if (!ret && c.field && !c.is_text && is_op(&c, "~"))
		ret = DOUBT(f, c.op, "~ compares text, and '%.60s' is a number", c.field->name);
	if (!ret) {
		array__reserve(&f->parts, &f->parts_cap, f->nr_parts + 1, sizeof(*f->parts));
		f->parts[f->nr_parts++] = (struct part){ c.name, f->pos - c.name };
	}
	return ret;
}

/* --- what is between comparisons --- */

static int expected_both(struct filter *f)
{
	if (text__starts_with(f->pos, "and ") || *f->pos == '&' || *f->pos == ',')
		return fail(f, f->pos, "&& or || expected; and is written &&");
	if (text__starts_with(f->pos, "or ") || *f->pos == '|')
		return fail(f, f->pos, "&& or || expected; or is written ||");
	return fail(f, f->pos, "&& or || expected");
}

static int take_all(struct filter *f)
{
	const char *opened = NULL; /* the outermost that is open */
	u32 depth = 0, nr = 0;
	int ret;

	for (;;) {
		for (skip_space(f); *f->pos == '(' || (*f->pos == '!' && !strchr("=~", f->pos[1]));
		     skip_space(f)) {
			if (*f->pos == '(' && !depth++)
				opened = f->pos;
			f->pos++;
		}
		/* Kernels (6.18) pass over && and || at the end. */
		if (!*f->pos && nr && !depth)
			return GO_ON;
		ret = take_comparison(f);
		if (ret)
			return ret;
		nr++;
		for (skip_space(f); *f->pos == ')'; skip_space(f)) {
			if (!depth--)
				return fail(f, f->pos, "no '(' belongs to this");
			f->pos++;
		}
		if (!*f->pos)
			return depth ? fail(f, opened, "the closing ')' is missing") : GO_ON;
		if (!is_both(f->pos))
			return expected_both(f);
		f->pos += 2;
	}
}

static int check(struct filter *f, char **for_kernel)
{
	int ret;

	f->pos = f->copied = f->text;
	out__init(&f->quoted, -1);
	ret = take_all(f);
	if (ret >= 0) {
		copy_up_to(f, f->text + strlen(f->text));
		*for_kernel = xstrdup(out__take(&f->quoted));
	}
	out__exit(&f->quoted);
	return ret == LEFT_TO_KERNEL ? 0 : ret;
}

int event_filter__check(const char *text, const char *event, const struct event_fields *fields,
                        char **for_kernel, struct error *err)
{
	struct filter f = {
		.text = text, .event = event, .fields = fields, .lenient = true, .err = err
	};

	int ret = check(&f, for_kernel);

	free(f.parts);
	return ret;
}

/*
 * How many of the comparisons, from the first on, does the kernel take? It is asked about fewer and
 * fewer, as it takes one filter only for a counter.
 */
static size_t nr_taken(const struct filter *f, bool (*takes)(void *ctx, const char *text),
                       void *ctx)
{
	for (size_t nr = f->nr_parts; nr; nr--) {
		struct out out;
		bool taken;

		out__init(&out, -1);
		for (size_t i = 0; i < nr; i++) {
			out__str(&out, i ? " && " : "");
			out__mem(&out, f->parts[i].text, f->parts[i].len);
		}
		taken = takes(ctx, out__take(&out));
		out__exit(&out);
		if (taken)
			return nr;
	}
	return 0;
}

int event_filter__explain(const char *text, const char *event, const struct event_fields *fields,
                          bool (*takes)(void *ctx, const char *text), void *ctx, struct error *err)
{
	struct filter f = { .text = text, .event = event, .fields = fields, .err = err };
	char *unused = NULL;
	size_t taken = 0;
	int ret = check(&f, &unused);

	if (!ret)
		taken = nr_taken(&f, takes, ctx);
	if (!ret && taken < f.nr_parts)
		fail(&f, f.parts[taken].text,
		     "the kernel does not accept this comparison for %.80s", event);
	else if (!ret)
		fail(&f, text, "the kernel does not accept it for %.80s", event);
	if (err && !err->advice[0])
		list_fields(&f);
	free(unused);
	free(f.parts);
	return -EINVAL;
}

/* --- the events of an -e --- */

/* Name all events from @first on that lack the field. */
static void name_all_that_lack(const struct filter *f, const struct evlist *list, u32 first,
                               struct tracefs *tracefs)
{
	char names[200] = "";
	u32 nr = 0, nr_named = 0;

	for (u32 i = first; i < list->nr; i++) {
		struct event_fields fields = { .nr = 0 };

		if (list->evsels[i]->tracepoint &&
		    !event_fields__read(&fields, tracefs, list->evsels[i]->tracepoint, NULL) &&
		    !event_fields__find(&fields, f->missing, f->missing_len)) {
			size_t len = strlen(names);

			if (len + strlen(list->evsels[i]->name) + 3 < sizeof(names) && ++nr_named)
				snprintf(names + len, sizeof(names) - len, "%s%s", nr ? ", " : "",
				         list->evsels[i]->name);
			nr++;
		}
		event_fields__exit(&fields);
	}
	if (nr < 2 || !f->err)
		return;
	snprintf(f->err->cause, sizeof(f->err->cause), "no field '%.*s' in %s",
	         (int)min_u64(f->missing_len, 40), f->missing, names);
	if (nr > nr_named)
		snprintf(f->err->cause + strlen(f->err->cause),
		         sizeof(f->err->cause) - strlen(f->err->cause), " and %u more",
		         nr - nr_named);
	error__advise(f->err, "name the events that have it, each with its -e and --filter");
}

static int check_for(struct evlist *list, u32 i, struct tracefs *tracefs, const char *text,
                     char **for_kernel, struct error *err)
{
	const struct evsel *evsel = list->evsels[i];
	struct event_fields fields = { .nr = 0 };
	struct filter f = {
		.text = text, .event = evsel->name, .fields = &fields, .lenient = true, .err = err
	};
	int ret = 0;

	/* Filters of the function tracer are lists of functions, in a grammar of their own. */
	if (evsel__is_function_tracer(evsel) || !evsel->tracepoint) {
		*for_kernel = xstrdup(text);
		return 0;
	}
	/* Unreadable: nothing can be said against any field. */
	event_fields__read(&fields, tracefs, evsel->tracepoint, NULL);
	ret = check(&f, for_kernel);
	if (f.missing)
		name_all_that_lack(&f, list, i, tracefs);
	event_fields__exit(&fields);
	free(f.parts);
	return ret;
}

int evlist__add_filter(struct evlist *list, u32 first, struct tracefs *tracefs, const char *text,
                       struct error *err)
{
	u32 nr = list->nr - first, done = 0;
	char **filters = xcalloc(nr + 1, sizeof(*filters));
	int ret = 0;

	for (; !ret && done < nr; done++)
		ret = check_for(list, first + done, tracefs, text, &filters[done], err);
	for (u32 i = 0; i < done; i++) {
		char **filter = &list->evsels[first + i]->filter;
		char *both = NULL;

		if (!ret && *filter)
			both = xasprintf("(%s) && (%s)", *filter, filters[i]);
		if (!ret)
			evsel__set_text(filter, both ? both : filters[i]);
		free(both);
		free(filters[i]);
	}
	free(filters);
	return ret;
}
