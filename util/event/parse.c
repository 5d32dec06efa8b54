// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hand-written parser: the grammar is a list of items, an item is a group or an event, and only
 * the start of an event decides what kind it is. No recursion (groups do not nest), so any text
 * costs time in proportion to its length, save for the tracepoints and sources it names.
 */
#include "util/event/parse.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/modifiers.h"
#include "util/event/pmu.h"
#include "util/event/terms.h"
#include "util/lib/alloc.h"
#include "util/lib/nearest.h"
#include "util/lib/text.h"

#define EVENTS_MAX 65536 /* of one list; the file format counts attrs in 16 bits of row.evsel */

struct parser {
	struct evlist *list;
	struct event_sources *sources;
	const char *text, *pos;
	struct error *err;
};

/* The modifiers of an event or group, in the text. */
struct modifiers {
	const char *text; /* NULL: none */
	size_t len;
};

void event_sources__exit(struct event_sources *sources)
{
	tracefs__close(&sources->tracefs);
}

/* The text around @at, fit for one line, and the column of @at in it. */
static void excerpt(const struct parser *p, const char *at, char *buf, size_t size, size_t *column)
{
	size_t len = strlen(p->text), offset = at - p->text, start = 0;

	if (len >= 64 && offset > 40)
		start = offset - 40;
	*column = offset - start;
	if (start) {
		start += 2; /* the place of the two points */
		snprintf(buf, size, "..%.60s%s", p->text + start, len - start > 60 ? ".." : "");
	} else {
		snprintf(buf, size, "%.64s%s", p->text, len > 64 ? ".." : "");
	}
}

/* An error at @at of the text. Returns -EINVAL. */
static int PRINTF_LIKE(3, 4) fail(struct parser *p, const char *at, const char *fmt, ...)
{
	static const char what[] = "invalid or unsupported event:";
	char subject[80], cause[300];
	size_t column;
	va_list args;

	va_start(args, fmt);
	vsnprintf(cause, sizeof(cause), fmt, args);
	va_end(args);
	excerpt(p, at, subject, sizeof(subject), &column);
	error__set(p->err, -EINVAL, what, subject, "%s", cause);
	/* Commands print "Error: " before the first line and two blanks before the others. */
	error__advise(p->err, "%*s^\nRun 'perf list' for a list of valid events",
	              (int)(strlen("Error: ") - 2 + sizeof(what) + 1 + column), "");
	return -EINVAL;
}

static void skip_space(struct parser *p)
{
	while (isspace((u8)*p->pos))
		p->pos++;
}

static bool is_word_char(char c)
{
	return isalnum((u8)c) || (c && strchr("_-.*?[]!@%+~", c)) || (u8)c >= 0x80;
}

static const char *word_end(const char *s)
{
	while (is_word_char(*s))
		s++;
	return s;
}

static char *copy(const char *from, const char *to)
{
	char *s = xmalloc(to - from + 1);

	memcpy(s, from, to - from);
	s[to - from] = '\0';
	return s;
}

/* --- modifiers --- */

/* To all events from @first on. */
static int apply_modifiers(struct parser *p, struct modifiers modifiers, u32 first, bool group)
{
	for (u32 e = first; e < p->list->nr; e++) {
		size_t bad = evsel__apply_modifiers(p->list->evsels[e], modifiers.text,
		                                    modifiers.len, group);

		if (bad < modifiers.len)
			return fail(p, modifiers.text + bad,
			            modifiers.text[bad] == 'p' ? "precise levels end at ppp"
			            : modifiers.text[bad] == 'b'
			                    ? "counting by BPF is not supported"
			                    : "bad modifier");
	}
	return 0;
}

/* ":ukp" at the position; consumes it. @glued: behind a '/', where the colon may be left out. */
static int take_modifiers(struct parser *p, bool glued, struct modifiers *modifiers)
{
	const char *s = p->pos;

	*modifiers = (struct modifiers){ .text = NULL };
	if (*s == ':')
		s++;
	else if (!glued || !is_word_char(*s))
		return 0;
	modifiers->text = s;
	modifiers->len = event_modifiers__len(s);
	s += modifiers->len;
	if (is_word_char(*s) || *s == ':' || *s == '{' || *s == '/')
		return fail(p, s, "unknown modifier '%c'; known are u k h G H p P S D e I W", *s);
	p->pos = s;
	return 0;
}

/* --- one event --- */

static struct evsel *add(struct parser *p, u32 type, u64 config, const char *name)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config, .exclude_guest = 1
	};

	return evlist__add(p->list, &attr, name);
}

/* The terms between slashes at the position, if any; p->pos moves behind the second slash. */
static int take_terms(struct parser *p, struct event_terms *terms, const char **start)
{
	const char *s = p->pos;
	struct error cause = ERROR_INIT;
	char quote = 0;
	u32 at;

	*start = s;
	if (*s != '/')
		return 0;
	for (s++; *s && (quote || *s != '/'); s++) {
		if (quote && *s == quote)
			quote = 0;
		else if (!quote && (*s == '\'' || *s == '"') && s[-1] == '=')
			quote = *s;
	}
	if (!*s)
		return fail(p, s, "the closing '/' is missing");
	*start = p->pos + 1;
	p->pos = s + 1;
	if (event_terms__parse(terms, *start, s - *start, &at, &cause))
		return fail(p, *start + at, "%s", cause.cause);
	return 0;
}

/* Terms on events that are not of a sysfs source. */
static int apply_terms(struct parser *p, const struct event_terms *terms, const char *start,
                       u32 first)
{
	struct error cause = ERROR_INIT;

	for (u32 i = 0; i < terms->nr; i++) {
		const struct event_term *term = &terms->terms[i];

		for (u32 e = first; e < p->list->nr; e++) {
			int ret = evsel__apply_term(p->list->evsels[e], term, &cause);

			if (ret < 0)
				return fail(p, start + term->value_at, "%s", cause.cause);
			if (!ret)
				return fail(p, start + term->at,
				            "unknown term '%s'; valid terms: %s", term->key,
				            event_terms_known);
		}
	}
	return 0;
}

/* Terms and modifiers behind an event whose evsels stand from @first on; sets their name. */
static int finish_event(struct parser *p, const char *start, u32 first, bool keep_names)
{
	struct event_terms terms = { .nr = 0 };
	struct modifiers modifiers;
	const char *terms_at;
	char *name;
	int ret = take_terms(p, &terms, &terms_at);

	if (!ret)
		ret = take_modifiers(p, terms_at != p->pos && p->pos[-1] == '/', &modifiers);
	if (!ret && !keep_names) {
		name = copy(start, p->pos);
		for (u32 i = first; i < p->list->nr; i++)
			evsel__set_name(p->list->evsels[i], name);
		free(name);
	}
	if (!ret)
		ret = apply_terms(p, &terms, terms_at, first);
	if (!ret && modifiers.text)
		ret = apply_modifiers(p, modifiers, first, false);
	event_terms__exit(&terms);
	return ret;
}

/* mem:ADDR[/len][:rwx] */
static int parse_breakpoint(struct parser *p)
{
	const char *start = p->pos, *s = start + 4, *end = word_end(s);
	u32 first = p->list->nr;
	struct evsel *evsel;
	u64 addr, len = 0;
	u32 access = 0;
	char *number = copy(s, end);
	bool ok = parse_event_number(number, &addr);

	free(number);
	if (!ok)
		return fail(p, s, "an address is missing: mem:0x1000[/len][:rwx]");
	s = end;
	if (*s == '/') {
		end = word_end(s + 1);
		number = copy(s + 1, end);
		ok = parse_event_number(number, &len) && len;
		free(number);
		if (!ok)
			return fail(p, s + 1, "a length is missing: 1, 2, 4 or 8");
		s = end;
	}
	size_t letters = *s == ':' ? strspn(s + 1, "rwx") : 0;

	if (letters && !is_word_char(s[1 + letters])) {
		for (size_t i = 1; i <= letters; i++)
			access |= s[i] == 'r'   ? HW_BREAKPOINT_R
			          : s[i] == 'w' ? HW_BREAKPOINT_W
			                        : HW_BREAKPOINT_X;
		s += 1 + letters;
	}
	if (!access)
		access = HW_BREAKPOINT_RW;
	if (!len)
		len = access == HW_BREAKPOINT_X ? sizeof(long) : 4;
	evsel = add(p, PERF_TYPE_BREAKPOINT, 0, "");
	evsel->attr.bp_type = access;
	evsel->attr.bp_addr = addr;
	evsel->attr.bp_len = len;
	p->pos = s;
	return finish_event(p, start, first, false);
}

/* --- tracepoints --- */

struct tracepoint_context {
	struct parser *parser;
	struct nearest *nearest;
	struct arena arena; /* the names that were offered */
};

static int add_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct parser *p = ((struct tracepoint_context *)ctx)->parser;
	int id = tracefs__event_id(&p->sources->tracefs, sys, name, p->err);
	char *full;

	if (id == -ENOENT)
		return 0; /* unloaded meanwhile */
	if (id < 0)
		return id;
	if (p->list->nr >= EVENTS_MAX)
		return -E2BIG;
	full = xasprintf("%s:%s", sys, name);
	add(p, PERF_TYPE_TRACEPOINT, id, full);
	free(full);
	return 0;
}

static int offer_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct tracepoint_context *context = ctx;
	size_t sys_len = strlen(sys), name_len = strlen(name);
	char *full = arena__alloc(&context->arena, sys_len + name_len + 2);

	memcpy(full, sys, sys_len);
	full[sys_len] = ':';
	memcpy(full + sys_len + 1, name, name_len + 1);
	nearest__offer(context->nearest, full);
	return 0;
}

/* Why a tracepoint that many articles name is not here; else what is always true. */
static const char *why_unknown(const char *sys, const char *name)
{
	static const char *const lockdep[] = { "lock_acquire", "lock_release", "lock_acquired",
		                               "lock_contended" };

	for (size_t i = 0; i < ARRAY_SIZE(lockdep) && !strcmp(sys, "lock"); i++)
		if (!strcmp(name, lockdep[i]))
			return " (it is in debug kernels: are CONFIG_LOCKDEP and CONFIG_LOCK_STAT "
			       "enabled? lock:contention_begin needs neither)";
	return " (not in this kernel, or its module is not loaded)";
}

static int unknown_tracepoint(struct parser *p, const char *start, const char *sys,
                              const char *name)
{
	char *full = xasprintf("%s:%s", sys, name);
	struct nearest nearest;
	struct tracepoint_context context = { .nearest = &nearest };
	char text[200];
	int nr, ret;

	nearest__init(&nearest, full);
	nr = tracefs__each_event(&p->sources->tracefs, sys, "*", offer_tracepoint, &context, NULL);
	if (!nr)
		tracefs__each_event(&p->sources->tracefs, "*", "*", offer_tracepoint, &context,
		                    NULL);
	nearest__text(&nearest, "", text, sizeof(text));
	ret = fail(p, start, "unknown tracepoint%s%s", nearest.nr ? "; " : why_unknown(sys, name),
	           text);
	arena__exit(&context.arena);
	free(full);
	return ret;
}

static int add_tracepoints(struct parser *p, const char *start, const char *sys, const char *name)
{
	struct tracepoint_context context = { .parser = p };
	u32 first = p->list->nr;
	int ret;

	if (strpbrk(sys, "*?[") || strpbrk(name, "*?["))
		ret = tracefs__each_event(&p->sources->tracefs, sys, name, add_tracepoint, &context,
		                          p->err);
	else
		ret = tracefs__open(&p->sources->tracefs, p->err)
		              ?: add_tracepoint(&context, sys, name);
	if (ret == -E2BIG)
		return fail(p, start, "that are more than %d events", EVENTS_MAX);
	if (ret < 0)
		return ret; /* tracefs itself: its own words */
	return p->list->nr > first ? 0 : unknown_tracepoint(p, start, sys, name);
}

/* sys:name with the colon at @colon */
static int parse_tracepoint(struct parser *p, const char *colon)
{
	const char *start = p->pos, *end = word_end(colon + 1);
	char *sys = copy(start, colon), *name = copy(colon + 1, end);
	u32 first = p->list->nr;
	int ret;

	p->pos = end;
	if (!*name)
		ret = fail(p, end, "a name is missing behind '%s:'", sys);
	else
		ret = add_tracepoints(p, start, sys, name);
	free(sys);
	free(name);
	return ret ? ret : finish_event(p, start, first, true);
}

/* --- sources of sysfs --- */

static int add_of_source(struct parser *p, const char *source, const struct event_terms *terms,
                         const char *terms_at, const char *name)
{
	struct error cause = ERROR_INIT;
	struct evsel *evsel;
	struct pmu pmu;
	u32 bad;
	int ret = pmu__open(&pmu, p->sources->sysfs, source);

	if (ret)
		return fail(p, terms_at, "cannot read event source '%s': %s", source,
		            strerror(-ret));
	evsel = add(p, pmu.type, 0, name);
	ret = pmu__configure(&pmu, terms, evsel, &bad, &cause);
	if (ret)
		ret = fail(p, terms_at + (bad < terms->nr ? terms->terms[bad].at : 0), "%s",
		           cause.cause);
	pmu__close(&pmu);
	return ret;
}

static int unknown_source(struct parser *p, const char *start, const char *source)
{
	struct nearest nearest;
	char text[200], **names;
	u32 nr = pmu__find_all(p->sources->sysfs, "*", &names);
	int ret;

	nearest__init(&nearest, source);
	for (u32 i = 0; i < nr; i++)
		nearest__offer(&nearest, names[i]);
	nearest__text(&nearest, "", text, sizeof(text));
	if (!strcmp(source, "cpu"))
		snprintf(text, sizeof(text), "no hardware counters; virtual machine?");
	ret = fail(p, start, "this machine has no event source '%s'%s%s", source, *text ? "; " : "",
	           text);
	for (u32 i = 0; i < nr; i++)
		free(names[i]);
	free(names);
	return ret;
}

/* source/terms/modifiers; @end is the slash */
static int parse_source(struct parser *p, const char *end)
{
	const char *start = p->pos, *terms_at;
	struct event_terms terms = { .nr = 0 };
	struct modifiers modifiers = { .text = NULL };
	char *source = copy(start, end), *name = NULL, **sources = NULL;
	u32 first = p->list->nr, nr = 0;
	int ret;

	p->pos = end;
	ret = take_terms(p, &terms, &terms_at);
	if (!ret)
		ret = take_modifiers(p, true, &modifiers);
	if (!ret) {
		name = copy(start, p->pos);
		nr = pmu__find_all(p->sources->sysfs, source, &sources);
		if (!nr)
			ret = unknown_source(p, start, source);
	}
	for (u32 i = 0; i < nr; i++) {
		if (!ret)
			ret = add_of_source(p, sources[i], &terms, terms_at, name);
		free(sources[i]);
	}
	if (!ret && modifiers.text)
		ret = apply_modifiers(p, modifiers, first, false);
	event_terms__exit(&terms);
	free(sources);
	free(source);
	free(name);
	return ret;
}

/* A bare word that some source has as an event ("mem-loads", "tsc"). 0: added, 1: none has. */
static int add_by_event(struct parser *p, const char *start, const char *word)
{
	struct event_terms terms = { .nr = 0 };
	u32 first = p->list->nr, at, nr;
	char **sources;
	int ret = 0;

	if (event_terms__parse(&terms, word, strlen(word), &at, NULL)) {
		event_terms__exit(&terms);
		return 1;
	}
	nr = pmu__find_all(p->sources->sysfs, "*", &sources);
	for (u32 i = 0; i < nr; i++) {
		struct pmu pmu;

		if (!ret && !pmu__open(&pmu, p->sources->sysfs, sources[i])) {
			if (pmu__has_event(&pmu, word))
				ret = add_of_source(p, sources[i], &terms, start, word);
			pmu__close(&pmu);
		}
		free(sources[i]);
	}
	free(sources);
	event_terms__exit(&terms);
	return ret ? ret : p->list->nr == first;
}

/* --- words --- */

/* rNNN: raw config */
static bool is_raw(const char *word, u64 *config)
{
	char *end;

	if (word[0] != 'r' || !isxdigit((u8)word[1]) || strlen(word) > 17)
		return false;
	*config = strtoull(word + 1, &end, 16);
	return !*end;
}

static int unknown_word(struct parser *p, const char *start, const char *word)
{
	struct nearest nearest;
	char text[200];

	if (word[0] == '.')
		return fail(p, start, "BPF programs as events are not supported");
	nearest__init(&nearest, word);
	event_names__offer(&nearest);
	nearest__text(&nearest, "", text, sizeof(text));
	return fail(p, start, "unknown event%s%s", *text ? "; " : "", text);
}

static int parse_word(struct parser *p, const char *end)
{
	const char *start = p->pos;
	char *word = copy(start, end);
	u32 type = PERF_TYPE_RAW, first = p->list->nr;
	u64 config;
	int ret = 0;

	if (event_names__find(word, &type, &config) || is_raw(word, &config)) {
		p->pos = end;
		add(p, type, config, "");
	} else if (*end == ':') {
		free(word);
		return parse_tracepoint(p, end);
	} else if (*end == '/') {
		free(word);
		return parse_source(p, end);
	} else {
		ret = add_by_event(p, start, word);
		if (ret == 1)
			ret = unknown_word(p, start, word);
		p->pos = end;
	}
	free(word);
	return ret ? ret : finish_event(p, start, first, false);
}

static int parse_event(struct parser *p)
{
	const char *end = word_end(p->pos);

	if (end == p->pos)
		return fail(p, p->pos,
		            *p->pos ? "an event is missing before '%c'"
		                    : "an event is missing at the end",
		            *p->pos);
	if (p->list->nr >= EVENTS_MAX)
		return fail(p, p->pos, "more than %d events", EVENTS_MAX);
	if (end - p->pos == 3 && !strncmp(p->pos, "mem:", 4))
		return parse_breakpoint(p);
	return parse_word(p, end);
}

/* --- groups and lists --- */

static void make_group(struct parser *p, u32 first, const char *name)
{
	struct evsel *leader = p->list->evsels[first];

	for (u32 i = first; i < p->list->nr; i++) {
		p->list->evsels[i]->leader = first;
		p->list->evsels[i]->nr_members = 1;
		/* These are of the leader for all. */
		if (i > first)
			p->list->evsels[i]->attr.pinned = p->list->evsels[i]->attr.exclusive = 0;
	}
	leader->nr_members = p->list->nr - first;
	if (*name)
		evsel__set_text(&leader->group_name, name);
}

/* [name]{a,b}:modifiers with the position at the brace */
static int parse_group(struct parser *p, const char *name)
{
	const char *brace = p->pos;
	u32 first = p->list->nr;
	struct modifiers modifiers;
	int ret;

	do {
		p->pos++; /* the brace or a comma */
		skip_space(p);
		if (*p->pos == '{')
			return fail(p, p->pos, "groups do not nest");
		ret = parse_event(p);
		if (ret)
			return ret;
		skip_space(p);
	} while (*p->pos == ',');
	if (*p->pos != '}')
		return fail(p, *p->pos ? p->pos : brace, "the group's '}' is missing");
	p->pos++;
	make_group(p, first, name);
	ret = take_modifiers(p, false, &modifiers);
	if (!ret && modifiers.text)
		ret = apply_modifiers(p, modifiers, first, true);
	return ret;
}

static int parse_item(struct parser *p)
{
	const char *end;
	char *name;
	int ret;

	skip_space(p);
	end = word_end(p->pos);
	if (*end != '{')
		return parse_event(p);
	name = copy(p->pos, end);
	p->pos = end;
	ret = parse_group(p, name);
	free(name);
	return ret;
}

int evlist__parse(struct evlist *list, struct event_sources *sources, const char *text,
                  struct error *err)
{
	struct parser p = { list, sources, text, text, err };
	u32 before = list->nr;
	int ret;

	for (;;) {
		ret = parse_item(&p);
		if (ret)
			break;
		skip_space(&p);
		if (!*p.pos)
			return 0;
		if (*p.pos != ',') {
			ret = fail(&p, p.pos, "',' expected");
			break;
		}
		p.pos++;
	}
	evlist__truncate(list, before);
	return ret;
}

struct evsel *evlist__add_named(struct evlist *list, const char *name)
{
	/* Built-in names read neither of these. */
	struct event_sources none = { .tracefs = TRACEFS_INIT, .sysfs = "" };
	int ret = evlist__parse(list, &none, name, NULL);

	BUG_ON(ret);
	return list->evsels[list->nr - 1];
}
