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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/modifiers.h"
#include "util/event/parse_private.h"
#include "util/event/pmu.h"
#include "util/event/terms.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define EVENTS_MAX 65536 /* of one list; the file format counts attrs in 16 bits of row.evsel */

/* The modifiers of an event or group, in the text. */
struct modifiers {
	const char *text; /* NULL: none */
	size_t len;
};

void event_sources__exit(struct event_sources *sources)
{
	tracefs__close(&sources->tracefs);
	event_table__free(sources->table);
	sources->table = NULL;
}

struct event_table *event_sources__table(struct event_sources *sources)
{
	if (!sources->table)
		sources->table = event_table__load(NULL);
	return sources->table;
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
			return parser__fail(p, modifiers.text + bad,
			                    modifiers.text[bad] == 'b'
			                            ? "counting by BPF is not supported"
			                    : modifiers.text[bad] == 'p'
			                            ? "bad modifier: precise levels end at ppp"
			                            : "bad modifier: '%c' is there already",
			                    modifiers.text[bad]);
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
	if (!modifiers->len)
		modifiers->text = NULL; /* "cycles:" is cycles */
	if (is_word_char(*s) || *s == ':' || *s == '{' || *s == '/')
		return parser__fail(p, s,
		                    "unknown modifier '%c'; known are u k h G H p P S D e I W", *s);
	p->pos = s;
	return 0;
}

/* --- one event --- */

static struct evsel *add(struct parser *p, u32 type, u64 config, const char *name)
{
	struct perf_event_attr attr = {
		.type = type, .size = EVSEL_ATTR_SIZE, .config = config, .exclude_guest = 1
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
		return parser__fail(p, s, "the closing '/' is missing");
	*start = p->pos + 1;
	p->pos = s + 1;
	if (event_terms__parse(terms, *start, s - *start, &at, &cause))
		return parser__fail(p, *start + at, "%s", cause.cause);
	return 0;
}

/* Terms that only matter for samples, where none are taken: Linux's perf refuses them, too. */
static int check_usable(struct parser *p, const struct event_terms *terms, const char *start)
{
	for (u32 i = 0; p->sources->counting && i < terms->nr; i++)
		if (event_term__is_for_samples(terms->terms[i].key))
			return parser__fail(p, start + terms->terms[i].at,
			                    "'%s' is not usable in 'perf stat'",
			                    terms->terms[i].key);
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
				return parser__fail(p, start + term->value_at, "%s", cause.cause);
			if (!ret)
				return parser__unknown_term(p, start, term, NULL);
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
		ret = check_usable(p, &terms, terms_at);
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
		return parser__fail(p, s, "an address is missing: mem:0x1000[/len][:rwx]");
	s = end;
	if (*s == '/') {
		end = word_end(s + 1);
		number = copy(s + 1, end);
		ok = parse_event_number(number, &len) && len;
		free(number);
		if (!ok || len > 8 || (len & (len - 1)))
			return parser__fail(p, s + 1, "a length of 1, 2, 4 or 8 is expected here");
		s = end;
	}
	size_t letters = *s == ':' ? strspn(s + 1, "rwx") : 0;

	if (letters && !is_word_char(s[1 + letters])) {
		for (size_t i = 1; i <= letters; i++) {
			u32 bit = s[i] == 'r'   ? HW_BREAKPOINT_R
			          : s[i] == 'w' ? HW_BREAKPOINT_W
			                        : HW_BREAKPOINT_X;

			if (access & bit)
				return parser__fail(p, s + i, "'%c' is there already", s[i]);
			access |= bit;
		}
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

int parser__add_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct parser *p = ctx;
	int id = tracefs__event_id(&p->sources->tracefs, sys, name, p->err);
	char *full;

	if (id == -ENOENT)
		return 0; /* unloaded meanwhile */
	if (id < 0)
		return id;
	if (p->list->nr >= EVENTS_MAX)
		return -E2BIG;
	full = xasprintf("%s:%s", sys, name);
	add(p, PERF_TYPE_TRACEPOINT, id, full)->tracepoint = xasprintf("%s/%s", sys, name);
	free(full);
	return 0;
}

/*
 * Text by text an event is as often there as it is named. A place of a static probe point that came
 * with another text's point goes when it is named by itself: "sdt_x:y,sdt_x:y_1" are two places.
 */
static void supersede(struct parser *p, const char *sys, const char *name)
{
	char *full = xasprintf("%s/%s", sys, name);

	for (u32 i = 0; i < p->list->nr; i++) {
		struct evsel *evsel = p->list->evsels[i];

		if (evsel->implied && !strcmp(evsel->tracepoint, full))
			evsel->superseded = true;
	}
	free(full);
}

static int add_tracepoints(struct parser *p, const char *start, const char *sys, const char *name)
{
	u32 first = p->list->nr;
	int ret, points;

	if (strpbrk(sys, "*?[") || strpbrk(name, "*?[")) {
		ret = tracefs__each_event(&p->sources->tracefs, sys, name, parser__add_tracepoint,
		                          p, p->err);
	} else {
		supersede(p, sys, name);
		ret = tracefs__open(&p->sources->tracefs, p->err)
		              ?: parser__add_tracepoint(p, sys, name);
	}
	if (ret == -E2BIG)
		return parser__fail(p, start, "that is more than %d events", EVENTS_MAX);
	if (text__starts_with(sys, "sdt_")) {
		points = parser__add_probe_points(p, start, sys, name, first);
		if (points <= 0)
			return points;
	}
	if (ret < 0)
		return ret; /* tracefs itself: its own words */
	return p->list->nr > first ? 0 : parser__unknown_tracepoint(p, start, sys, name);
}

/* sys:name with the colon at @colon */
static int parse_tracepoint(struct parser *p, const char *colon)
{
	const char *start = p->pos, *end = word_end(colon + 1);
	/* %sdt_x:y: the mark of static probes */
	char *sys = copy(start + (*start == '%'), colon), *name = copy(colon + 1, end);
	u32 first = p->list->nr;
	int ret;

	p->pos = end;
	if (!*name)
		ret = parser__fail(p, end, "a name is missing after '%s:'", sys);
	else
		ret = add_tracepoints(p, start, sys, name);
	free(sys);
	free(name);
	return ret ? ret : finish_event(p, start, first, true);
}

/* --- sources of sysfs --- */

int parser__add_of_source(struct parser *p, const char *source, struct event_terms *terms,
                          const char *terms_at, const char *name)
{
	struct error cause = ERROR_INIT;
	struct evsel *evsel;
	struct pmu pmu;
	u32 bad;
	int ret = pmu__open(&pmu, p->sources->sysfs, source);

	if (ret)
		return parser__fail(p, terms_at, "cannot read event source '%s': %s", source,
		                    strerror(-ret));
	evsel = add(p, pmu.type, 0, name);
	ret = check_usable(p, terms, terms_at);
	if (!ret) {
		parser__expand_terms(p, &pmu, terms, evsel);
		ret = pmu__configure(&pmu, terms, evsel, &bad, &cause);
		if (ret == -ENOENT)
			ret = parser__unknown_term(p, terms_at, &terms->terms[bad], &pmu);
		else if (ret)
			ret = parser__fail(p,
			                   terms_at + (bad < terms->nr ? terms->terms[bad].at : 0),
			                   "%s", cause.cause);
	}
	pmu__close(&pmu);
	return ret;
}

int parser__filter_sources(struct parser *p, const char *start, char **sources, u32 *nr)
{
	const char *filter = p->sources->pmu_filter;
	u32 nr_left = 0;

	if (!filter || !*nr)
		return 0;
	for (u32 i = 0; i < *nr && !nr_left; i++)
		nr_left += text__glob(filter, sources[i]);
	if (!nr_left)
		return parser__fail(p, start,
		                    "--pmu-filter=%.60s leaves out all its sources, as '%.60s'",
		                    filter, sources[0]);
	nr_left = 0;
	for (u32 i = 0; i < *nr; i++) {
		if (text__glob(filter, sources[i]))
			sources[nr_left++] = sources[i];
		else
			free(sources[i]);
	}
	*nr = nr_left;
	return 0;
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
			ret = parser__unknown_source(p, start, source);
		else if (nr > 1 || strcmp(sources[0], source) != 0)
			ret = parser__filter_sources(p, start, sources, &nr);
	}
	for (u32 i = 0; i < nr && !ret; i++)
		ret = parser__add_of_source(p, sources[i], &terms, terms_at, name);
	if (!ret && modifiers.text)
		ret = apply_modifiers(p, modifiers, first, false);
	event_terms__exit(&terms);
	pmu__free_names(sources, nr);
	free(source);
	free(name);
	return ret;
}

/* The sources that have an event of this name. Returns their number; as pmu__find_all(). */
static u32 sources_with(struct parser *p, const char *word, char ***sources)
{
	u32 nr_all = pmu__find_all(p->sources->sysfs, "*", sources), nr = 0;

	for (u32 i = 0; i < nr_all; i++) {
		char *name = (*sources)[i];
		struct pmu pmu;
		bool has = false;

		if (!pmu__open(&pmu, p->sources->sysfs, name)) {
			has = pmu__has_event(&pmu, word);
			pmu__close(&pmu);
		}
		if (has)
			(*sources)[nr++] = name;
		else
			free(name);
	}
	return nr;
}

/* A bare word that some source has as an event ("mem-loads", "tsc"). 0: added, 1: none has. */
static int add_by_event(struct parser *p, const char *start, const char *word)
{
	u32 at, nr;
	char **sources;
	int ret;

	nr = sources_with(p, word, &sources);
	ret = parser__filter_sources(p, start, sources, &nr);
	for (u32 i = 0; i < nr && !ret; i++) {
		struct event_terms terms = { .nr = 0 };

		ret = event_terms__parse(&terms, word, strlen(word), &at, NULL)
		              ? 1
		              : parser__add_of_source(p, sources[i], &terms, start, word);
		event_terms__exit(&terms);
	}
	pmu__free_names(sources, nr);
	return nr ? ret : 1;
}

/* Has some source or the processor's table an event of this name? */
static bool is_of_source(struct parser *p, const char *word)
{
	char **sources;
	u32 nr = sources_with(p, word, &sources);

	pmu__free_names(sources, nr);
	return nr || parser__is_in_table(p, word);
}

/* "mem-loads/period=7/": no source, but an event of one. */
static bool is_named_with_terms(struct parser *p, const char *word)
{
	char **sources;
	u32 nr = pmu__find_all(p->sources->sysfs, word, &sources);

	pmu__free_names(sources, nr);
	return !nr && is_of_source(p, word);
}

/* --- words --- */

/* ":ukp" and then the end of the event: it may be a tracepoint of that name as well. */
static bool has_modifiers(const char *colon)
{
	size_t len = event_modifiers__len(colon + 1);

	return len && !is_word_char(colon[1 + len]) && colon[1 + len] != '/';
}

/* "prog.c", "./prog.o/map:channel.event=evt/": the text up to a comma or terms ends so. */
static bool is_program(const char *s, const char *end)
{
	end += strcspn(end, ",{} \t\n");
	for (; s + 2 <= end; s++)
		if (s[0] == '.' && (s[1] == 'c' || s[1] == 'o') && (s + 2 == end || s[2] == '/'))
			return true;
	return false;
}

static int parse_word(struct parser *p, const char *end)
{
	const char *start = p->pos;
	char *word = copy(start, end);
	u32 type = PERF_TYPE_RAW, first = p->list->nr;
	u64 config;
	int ret = 0;

	enum evsel_tool tool = event_names__tool(word);

	if (tool) {
		struct evsel *evsel = add(p, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, "");

		evsel->tool = tool;
		evsel__set_text(&evsel->unit, "ns");
		p->pos = end;
	} else if (event_names__find(word, &type, &config) || parse_event_raw(word, &config)) {
		p->pos = end;
		add(p, type, config, "");
	} else if (is_program(p->pos, end)) {
		ret = parser__fail(p, p->pos,
		                   "programs for the kernel are no events here: they would need a "
		                   "compiler at run time; load it with bpftool or bpftrace and "
		                   "record the bpf-output or tracepoint that it fires");
	} else if (*end == ':' && !(has_modifiers(end) && is_of_source(p, word))) {
		free(word);
		return parse_tracepoint(p, end);
	} else if (*end == '/' && !is_named_with_terms(p, word)) {
		free(word);
		return parse_source(p, end);
	} else {
		ret = add_by_event(p, start, word);
		if (ret == 1)
			ret = parser__add_of_table(p, start, word);
		if (ret == 1)
			ret = parser__unknown_word(p, start, word);
		p->pos = end;
	}
	free(word);
	return ret ? ret : finish_event(p, start, first, false);
}

static int parse_event(struct parser *p)
{
	const char *end = word_end(p->pos);

	if (end == p->pos)
		return parser__fail(p, p->pos,
		                    *p->pos ? "an event is missing before '%c'"
		                            : "an event is missing at the end",
		                    *p->pos);
	if (p->list->nr >= EVENTS_MAX)
		return parser__fail(p, p->pos, "more than %d events", EVENTS_MAX);
	if (end - p->pos == 3 && !strncmp(p->pos, "mem:", 4))
		return parse_breakpoint(p);
	return parse_word(p, end);
}

/* --- groups and lists --- */

static void make_group(struct parser *p, u32 first, const char *name)
{
	struct evsel *leader = p->list->evsels[first];

	evlist__make_group(p->list, first);
	/* These are of the leader for all. */
	for (u32 i = first + 1; i < p->list->nr; i++)
		p->list->evsels[i]->attr.pinned = p->list->evsels[i]->attr.exclusive = 0;
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
			return parser__fail(p, p->pos, "groups do not nest");
		ret = parse_event(p);
		if (ret)
			return ret;
		skip_space(p);
	} while (*p->pos == ',');
	if (*p->pos != '}')
		return parser__fail(p, *p->pos ? p->pos : brace, "the group's '}' is missing");
	p->pos++;
	make_group(p, first, name);
	if (*p->pos == ':' && !event_modifiers__len(p->pos + 1))
		return parser__fail(p, p->pos + 1, "modifiers are missing after ':'");
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
		if (!*p.pos) {
			list->last = before;
			evlist__drop_superseded(list);
			return 0;
		}
		if (*p.pos != ',') {
			ret = parser__fail(&p, p.pos, "',' expected");
			break;
		}
		p.pos++;
	}
	evlist__truncate(list, before);
	for (u32 i = 0; i < list->nr; i++)
		list->evsels[i]->superseded = false;
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
