// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/fetch/definition.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/place_text.h"
#include "util/lib/out.h"
#include "util/lib/text.h"

#define NAME_MAX_LEN 63  /* of an event or a group; the kernel's limit */
#define ARGS_MAX     128 /* the kernel's, too */
#define FIELDS_MAX   64
#define ACTIVE_MAX   4096 /* the kernel's, of one function */

struct parser {
	struct probe_definition *def;
	const char *text;
	struct error *err;
};

static int refuse(const struct parser *p, const char *cause)
{
	return error__set(p->err, -EINVAL, "cannot understand the probe", p->text, "%s", cause);
}

bool probe_name__is_sound(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > NAME_MAX_LEN || isdigit((u8)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((u8)*name) && *name != '_')
			return false;
	return true;
}

/* A copy without backslashes. */
static char *keep(struct probe_definition *def, const char *from, const char *to)
{
	char *copy = arena__strndup(&def->texts, from, to - from);

	place_text__unescape(copy);
	return copy;
}

/* ---- the place ---- */

static int parse_number(const char *from, const char *to, int base, u64 *value)
{
	char *end;

	if (from == to || !isdigit((u8)*from))
		return -EINVAL;
	errno = 0;
	*value = strtoull(from, &end, base);
	return errno || end != to ? -EINVAL : 0;
}

static int parse_line(struct parser *p, const char *from, const char *to)
{
	struct probe_place *place = &p->def->place;
	u64 line;

	if (parse_number(from, to, 10, &line))
		return refuse(p, "no line number follows ':'");
	if (line > INT32_MAX)
		return refuse(p, "no file has so many lines");
	place->line = line;
	place->has_line = true;
	return 0;
}

/* "return", or "return16": so many calls at the same time are watched. */
static int parse_return(struct parser *p, const char *from, const char *to)
{
	struct probe_place *place = &p->def->place;
	u64 number = 0;

	if (to - from < 6 || strncmp(from, "return", 6) != 0 ||
	    (to - from > 6 && parse_number(from + 6, to, 10, &number)))
		return refuse(p, "the only word with '%' after a function is %return");
	if (to - from > 6 && (!number || number > ACTIVE_MAX))
		return refuse(p, "a number of calls from 1 to 4096 must follow %return");
	place->is_return = true;
	place->max_active = number;
	return 0;
}

/* The '+' at @at of "c++/12/bits/stl_vector.h:9": no number of bytes, but of a file's path. */
static bool is_of_path(const char *at)
{
	char *end;

	(void)strtoull(at + 1, &end, 0);
	return *at == '+' && strchr(at, '/') &&
	       (!isdigit((u8)at[1]) || (*end && !strchr(PLACE_SPECIAL, *end)));
}

/* The end of a name, of a function or file. */
static const char *end_of_name(const char *from)
{
	const char *at = place_text__special(from, PLACE_SPECIAL);

	while (is_of_path(at))
		at = place_text__special(at + 1, PLACE_SPECIAL);
	return at;
}

/* One part behind the function; *at is its character, and then the next one's. */
static int parse_part(struct parser *p, const char **at)
{
	struct probe_place *place = &p->def->place;
	const char *from = *at + 1, *to = end_of_name(from);
	char kind = **at;

	*at = to;
	switch (kind) {
	case ':':
		return parse_line(p, from, to);
	case '+':
		if (parse_number(from, to, 0, &place->offset))
			return refuse(p, "no number of bytes follows '+'");
		place->has_offset = true;
		return 0;
	case '@':
		if (from == to || place->file)
			return refuse(p, "'@' wants the name of one source file");
		place->file = keep(p->def, from, to);
		return 0;
	case '%':
		return parse_return(p, from, to);
	default: /* a lazy pattern is the rest */
		if (!*from)
			return refuse(p, "no pattern of source text follows ';'");
		*at = from + strlen(from);
		place->lazy = arena__strndup(&p->def->texts, from, strlen(from));
		return 0;
	}
}

static int check_place(const struct parser *p)
{
	const struct probe_place *place = &p->def->place;

	if (!place->function && !place->file)
		return refuse(p, "it names no function, source file or address");
	if (!place->function && !place->has_line && !place->lazy)
		return refuse(p,
		              "of a source file a line or a pattern is probed, and none is named");
	if (place->lazy && place->has_line)
		return refuse(p, "a line and a pattern exclude each other");
	if (place->lazy && place->has_offset)
		return refuse(p, "an offset and a pattern exclude each other");
	if (place->has_line && place->has_offset)
		return refuse(p, "an offset and a line exclude each other");
	if (!place->function && place->has_offset)
		return refuse(p, "an offset is from the entry of a function, and none is named");
	if (!place->function && place->is_return)
		return refuse(p, "%return wants a function");
	if (place->is_return && (place->has_line || place->has_offset || place->lazy))
		return refuse(p, "a function returns at no line or offset of its own");
	return 0;
}

static int parse_address(struct parser *p, const char *text)
{
	struct probe_place *place = &p->def->place;

	if (parse_number(text, text + strlen(text), 16, &place->address))
		return refuse(p, "it is no address");
	place->is_absolute = true;
	return 0;
}

static int parse_place(struct parser *p, const char *text)
{
	struct probe_place *place = &p->def->place;
	const char *at = end_of_name(text);

	if (text__starts_with(text, "0x"))
		return parse_address(p, text);
	char *name = keep(p->def, text, at);
	int ret = 0;

	/* Files have a dot in their names, functions none: but "f.c" alone is a function. */
	if ((*at == ':' || *at == ';') && strchr(name, '.'))
		place->file = name;
	else if (*name)
		place->function = name;
	while (!ret && *at)
		ret = parse_part(p, &at);
	return ret ? ret : check_place(p);
}

/* [GROUP:]EVENT in front of '='. */
static int parse_event(struct parser *p, const char *from, const char *to)
{
	struct probe_definition *def = p->def;
	const char *colon = memchr(from, ':', to - from);

	if (colon)
		def->group = keep(def, from, colon);
	def->event = keep(def, colon ? colon + 1 : from, to);
	if (!probe_name__is_sound(def->event) || (def->group && !probe_name__is_sound(def->group)))
		return refuse(p, "names of events and groups are up to 63 letters, digits and _, "
		                 "and begin with no digit");
	return 0;
}

/* Names with globs in them. */
static bool is_pattern(const char *name)
{
	size_t len = strlen(name);

	return len && len <= NAME_MAX_LEN &&
	       strspn(name, strchr(name, '[') ? TEXT_WORD_CHARS "*?[]!-" : TEXT_WORD_CHARS "*?") ==
	               len;
}

/* %sdt_PROVIDER:POINT, %GROUP:EVENT, %POINT, sdt_PROVIDER:POINT. *is_sdt: it is one. */
static int parse_sdt(struct parser *p, const char *text, bool *is_sdt)
{
	const char *name = text + (*text == '%'), *colon = strchr(name, ':');
	/* (Of a function "sdt_f" a line may be meant.) */
	bool provider = text__starts_with(name, "sdt_") && colon && colon[1] != ':' &&
	                !isdigit((u8)colon[1]);

	*is_sdt = *text == '%' ? !text__starts_with(text, "%return") : provider;
	if (!*is_sdt)
		return 0;
	if (provider)
		p->def->provider = keep(p->def, name + 4, colon);
	else if (colon)
		p->def->cached = keep(p->def, name, colon);
	p->def->point = keep(p->def, colon ? colon + 1 : name, name + strlen(name));
	if (!is_pattern(p->def->point) || (provider && !is_pattern(p->def->provider)) ||
	    (p->def->cached && !is_pattern(p->def->cached)))
		return refuse(p, "static probe points are named %sdt_PROVIDER:POINT, cached "
		                 "definitions %GROUP:EVENT");
	return 0;
}

static int parse_point(struct parser *p, const char *text)
{
	const char *equal = place_text__special(text, "=;@+%");
	bool is_sdt;
	int ret = 0;

	/* A group's colon may stand before: "g:e=f". */
	if (*equal == '=') {
		ret = parse_event(p, text, equal);
		text = equal + 1;
	}
	if (!ret)
		ret = parse_sdt(p, text, &is_sdt);
	if (ret || is_sdt)
		return ret;
	return parse_place(p, text);
}

/* ---- arguments ---- */

static bool starts_name(char c)
{
	return isalpha((u8)c) || c == '_';
}

static char *copy(struct parser *p, const char *from, size_t len)
{
	return arena__strndup(&p->def->texts, from, len);
}

/* One step of a chain; *at goes behind it. */
static int parse_field(struct parser *p, struct probe_arg *arg, const char **at)
{
	struct probe_field field = { .name = NULL };
	const char *s = *at;

	if (*s == '[') {
		char *end;

		errno = 0;
		field.index = strtoll(s + 1, &end, 0);
		if (end == s + 1 || *end != ']' || errno)
			return refuse(p, "a number must stand between '[' and ']'");
		*at = end + 1;
	} else {
		field.by_pointer = *s == '-';
		s += field.by_pointer ? 2 : 1;
		size_t len = strcspn(s, ".-[");

		if (!len || (field.by_pointer && s[-1] != '>'))
			return refuse(p, "a variable's parts are written ->name, .name and [N]");
		field.name = copy(p, s, len);
		*at = s + len;
	}
	if (arg->nr_fields == FIELDS_MAX)
		return refuse(p, "no chain of a variable has more than 64 parts");
	array__reserve(&arg->fields, &arg->cap_fields, arg->nr_fields + 1, sizeof(field));
	arg->fields[arg->nr_fields++] = field;
	return 0;
}

/* LOCALVAR or GLOBAL with its chain and type. */
static int parse_variable(struct parser *p, struct probe_arg *arg)
{
	char *text = copy(p, arg->text, strlen(arg->text));
	char *user = strstr(text, "@user");

	if (user && !user[5]) {
		arg->user = true;
		*user = '\0';
	}
	char *colon = text;

	while ((colon = strchr(colon, ':')) && colon[1] == ':') /* of C++ */
		colon += 2;
	if (colon) {
		*colon = '\0';
		arg->type = colon + 1;
		if (!*arg->type)
			return refuse(p, "no type follows ':'");
	}
	const char *at = text + strcspn(text, ".-[");

	arg->variable = copy(p, text, at - text);
	while (*at) {
		int ret = parse_field(p, arg, &at);

		if (ret)
			return ret;
	}
	return 0;
}

/* "$retval->member": what points there has a type. */
static bool is_part_of_retval(const char *text)
{
	size_t len = strlen("$retval");

	return !strncmp(text, "$retval", len) && text[len] && strchr("-.[", text[len]);
}

static int parse_arg(struct parser *p, const char *word, size_t len)
{
	struct probe_definition *def = p->def;
	char *text = copy(p, word, len), *equal = *text == '\\' ? NULL : strchr(text, '=');

	if (def->nr_args == ARGS_MAX)
		return refuse(p, "the kernel takes at most 128 arguments");
	array__reserve(&def->args, &def->cap_args, def->nr_args + 1, sizeof(*def->args));
	struct probe_arg *arg = &def->args[def->nr_args++];

	*arg = (struct probe_arg){ .text = text };
	if (equal) {
		*equal = '\0';
		arg->name = text;
		arg->text = equal + 1;
		if (!probe_name__is_sound(arg->name))
			return refuse(p, "names of arguments are letters, digits and _, and begin "
			                 "with no digit");
	}
	if (!*arg->text)
		return refuse(p, "no argument follows '='");
	if (!starts_name(*arg->text) && strncmp(arg->text, "::", 2) != 0 &&
	    !is_part_of_retval(arg->text)) {
		if (!strchr("%$@+-\\", *arg->text))
			return refuse(p, "an argument begins with a letter, _ or one of %$@+-\\");
		return 0;
	}
	return parse_variable(p, arg);
}

/* Arguments have no blanks but in immediate strings: \"two words". */
static size_t word_length(const char *s)
{
	const char *at = s;

	while (*at && !isspace((u8)*at)) {
		if (at[0] == '\\' && at[1] == '"') {
			const char *quote = strchr(at + 2, '"');

			at = quote ? quote : at + 1;
		}
		at++;
	}
	return at - s;
}

int probe_definition__parse(struct probe_definition *def, const char *text, struct error *err)
{
	struct parser p = { def, text, err };

	*def = (struct probe_definition){ .texts = ARENA_INIT };
	def->text = arena__strndup(&def->texts, text, strlen(text));
	text += strspn(text, " \t\n");
	size_t len = place_text__length(text);
	int ret = len ? parse_point(&p, arena__strndup(&def->texts, text, len))
	              : refuse(&p, "there is nothing in it");

	for (text += len; !ret; text += len) {
		text += strspn(text, " \t\n");
		len = word_length(text);
		if (!len)
			break;
		ret = parse_arg(&p, text, len);
	}
	return ret;
}

void probe_definition__exit(struct probe_definition *def)
{
	for (u32 i = 0; i < def->nr_args; i++)
		free(def->args[i].fields);
	free(def->args);
	arena__exit(&def->texts);
}

static bool is_set(const struct probe_arg *arg)
{
	return !strcmp(arg->text, "$vars") || !strcmp(arg->text, "$params");
}

bool probe_definition__wants_dwarf(const struct probe_definition *def)
{
	if (def->place.has_line || def->place.lazy || def->place.file)
		return true;
	for (u32 i = 0; i < def->nr_args; i++)
		if (def->args[i].variable || is_set(&def->args[i]))
			return true;
	return false;
}

/* ---- texts ---- */

char *probe_place__text(const struct probe_place *place)
{
	char tail[48] = "";
	const char *function = place->function ? place->function : "";

	if (place->is_absolute)
		return xasprintf("0x%llx", (unsigned long long)place->address);
	if (place->has_line && (place->line || !place->function))
		snprintf(tail, sizeof(tail), ":%u", place->line);
	else if (place->offset)
		snprintf(tail, sizeof(tail), "+%llu", (unsigned long long)place->offset);
	else if (place->is_return)
		snprintf(tail, sizeof(tail), place->max_active ? "%%return%u" : "%%return",
		         place->max_active);
	return place->function ? xasprintf("%s%s%s%s", function, tail, place->file ? "@" : "",
	                                   place->file ? place->file : "")
	                       : xasprintf("@%s%s", place->file ? place->file : "", tail);
}

char *probe_definition__cache_text(const struct probe_definition *def, const char *group)
{
	char *place = probe_place__text(&def->place);
	struct out out;

	out__init(&out, -1);
	if (def->event)
		out__printf(&out, "%s:%s=", group, def->event);
	out__str(&out, place);
	if (def->place.lazy)
		out__printf(&out, ";%s", def->place.lazy);
	for (u32 i = 0; i < def->nr_args; i++) {
		const struct probe_arg *arg = &def->args[i];

		out__char(&out, ' ');
		if (arg->name)
			out__printf(&out, "%s=", arg->name);
		out__str(&out, arg->text);
	}
	char *text = xstrdup(out__take(&out));

	out__exit(&out);
	free(place);
	return text;
}

char *probe_arg__name(const struct probe_arg *arg)
{
	const char *name = arg->variable;

	if (arg->name || !arg->variable)
		return arg->name ? xstrdup(arg->name) : NULL;
	name = *name == '$' ? name + 1 : place_text__last(name);
	for (u32 i = 0; i < arg->nr_fields; i++)
		if (arg->fields[i].name)
			name = arg->fields[i].name;
	char *made =
	        arg->type && !arg->nr_fields ? xasprintf("%s_%s", name, arg->type) : xstrdup(name);

	for (char *c = made; *c; c++)
		if (!isalnum((u8)*c) && *c != '_')
			*c = '_';
	return made;
}

/* ---- lines ---- */

static int refuse_lines(struct error *err, const char *text, const char *cause)
{
	return error__set(err, -EINVAL, "cannot understand the lines", text, "%s", cause);
}

/* START[+NUM|-END] */
static int parse_range(struct probe_lines *lines, const char *range, const char *text,
                       struct error *err)
{
	const char *middle = range + strcspn(range, "+-");
	u64 start, end;

	if (parse_number(range, middle, 10, &start) || start > INT32_MAX)
		return refuse_lines(err, text, "no line number follows ':'");
	lines->start = start;
	if (!*middle)
		return 0;
	if (parse_number(middle + 1, middle + strlen(middle), 10, &end) || end > INT32_MAX)
		return refuse_lines(err, text, "the end of the range is not a number");
	if (*middle == '+')
		end = start + end - !!end;
	if (end < start)
		return refuse_lines(err, text, "the range ends before it begins");
	lines->end = end;
	return 0;
}

int probe_lines__parse(struct probe_lines *lines, const char *text, struct error *err)
{
	const char *colon = place_text__special(text, ":"), *range = NULL;

	*lines = (struct probe_lines){ .end = UINT32_MAX };
	if (*colon)
		range = colon + 1;
	char *name = strndup(text, colon - text);
	char *at = (char *)place_text__special(name, "@");
	bool has_file = *at;

	if (has_file) {
		*at = '\0';
		lines->file = xstrdup(at + 1);
		place_text__unescape(lines->file);
	}
	place_text__unescape(name);
	if (has_file || !strchr(name, '.'))
		lines->function = xstrdup(name);
	else
		lines->file = xstrdup(name);
	bool named = *name && (!has_file || *lines->file);

	free(name);
	if (!named)
		return refuse_lines(err, text, "it names no function and no file");
	return range ? parse_range(lines, range, text, err) : 0;
}

void probe_lines__exit(struct probe_lines *lines)
{
	free(lines->function);
	free(lines->file);
}
