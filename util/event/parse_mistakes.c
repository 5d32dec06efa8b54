// SPDX-License-Identifier: GPL-2.0-or-later
/* Error messages about event texts that cannot be parsed: where, why, and similar names. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/parse_private.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"

/* An error at @at of the text. Returns -EINVAL. */
int parser__fail(struct parser *p, const char *at, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int ret = error__set_at(p->err, "event syntax error:", p->text, at, fmt, args);

	va_end(args);
	error__advise(p->err, "Run 'perf list' for a list of valid events");
	return ret;
}

int parser__unknown_term(struct parser *p, const char *start, const struct event_term *term,
                         const struct pmu *pmu)
{
	struct nearest nearest;
	char text[160], valid[400] = "", **names[2] = { NULL };
	u32 nr[2] = { 0 };
	size_t len = 0;

	nearest__init(&nearest, term->key);
	for (u32 i = 0; event_terms__name(i, p->sources->counting); i++)
		nearest__offer(&nearest, event_terms__name(i, p->sources->counting));
	for (u32 f = 0; pmu && f < 2; f++) {
		nr[f] = pmu__names(pmu, f ? "events" : "format", &names[f]);
		for (u32 i = 0; i < nr[f]; i++)
			nearest__offer(&nearest, names[f][i]);
	}
	nearest__text(&nearest, "", text, sizeof(text));
	if (!*text) {
		for (u32 i = 0; i < nr[0] && len < sizeof(valid); i++)
			len += snprintf(valid + len, sizeof(valid) - len, "%s,", names[0][i]);
		for (u32 i = 0; event_terms__name(i, p->sources->counting) && len < sizeof(valid);
		     i++)
			len += snprintf(valid + len, sizeof(valid) - len, "%s%s", i ? "," : "",
			                event_terms__name(i, p->sources->counting));
	}
	parser__fail(p, start + term->at, "unknown term '%.60s'%s%.60s%s; %s%s", term->key,
	             pmu ? " for pmu '" : "", pmu ? pmu->name : "", pmu ? "'" : "",
	             *text ? text : "valid terms: ", valid);
	for (u32 f = 0; f < 2; f++)
		pmu__free_names(names[f], nr[f]);
	return -EINVAL;
}

struct tracepoint_context {
	struct nearest *nearest;
	const char *word;   /* the name without its system: then each is offered; or NULL */
	struct arena arena; /* the names that were offered */
};

static int offer_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct tracepoint_context *context = ctx;
	size_t sys_len = strlen(sys), name_len = strlen(name);
	char *full = arena__alloc(&context->arena, sys_len + name_len + 2);

	memcpy(full, sys, sys_len);
	full[sys_len] = ':';
	memcpy(full + sys_len + 1, name, name_len + 1);
	if (context->word && context->nearest->nr < NEAREST_MAX)
		context->nearest->names[context->nearest->nr++] = full;
	else
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
	if (text__starts_with(sys, "probe"))
		return " (make the probe first, with perf probe --add)";
	return " (not in this kernel, or its module is not loaded)";
}

int parser__unknown_tracepoint(struct parser *p, const char *start, const char *sys,
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
	if (text__starts_with(sys, "sdt_"))
		parser__offer_probe_points(p, &nearest, &context.arena);
	nearest__text(&nearest, "", text, sizeof(text));
	if (!nearest.nr && text__starts_with(sys, "sdt_"))
		ret = parser__fail(p, start,
		                   "no program of the build-id cache has this static probe point; "
		                   "perf buildid-cache --add PROGRAM puts one there");
	else
		ret = parser__fail(p, start, "unknown tracepoint%s%s",
		                   nearest.nr ? "; " : why_unknown(sys, name), text);
	arena__exit(&context.arena);
	free(full);
	return ret;
}

int parser__unknown_source(struct parser *p, const char *start, const char *source)
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
	ret = parser__fail(p, start, "this machine has no event source '%s'%s%s", source,
	                   *text ? "; " : "", text);
	pmu__free_names(names, nr);
	return ret;
}

/* A source without an event behind it; a tracepoint without its system. @buf is then the advice. */
static bool is_half_a_name(struct parser *p, const char *word, char *buf, size_t size)
{
	char **sources, **names;
	struct pmu pmu;
	u32 nr = pmu__find_all(p->sources->sysfs, word, &sources), nr_names;
	bool found = nr && !pmu__open(&pmu, p->sources->sysfs, sources[0]);

	if (found) {
		nr_names = pmu__names(&pmu, "events", &names);
		snprintf(buf, size, "is an event source; write %.60s/%.60s/", pmu.name,
		         nr_names ? names[0] : "config=N");
		pmu__free_names(names, nr_names);
		pmu__close(&pmu);
	}
	pmu__free_names(sources, nr);
	return found;
}

/* What of the table is missing may be behind a mistake in it. */
static void add_problem(struct parser *p, const struct event_table *table)
{
	char advice[sizeof(p->err->advice)];

	if (!p->err || !table->nr_problems)
		return;
	memcpy(advice, p->err->advice, sizeof(advice));
	error__advise(p->err, "%.100s\nthe event table has %u mistake%s: %.150s", advice,
	              table->nr_problems, table->nr_problems > 1 ? "s, the first" : "",
	              table->problems[0]);
}

int parser__unknown_word(struct parser *p, const char *start, const char *word)
{
	const struct event_table *table = event_sources__table(p->sources);
	struct nearest nearest;
	char text[200];

	struct tracepoint_context context = { .nearest = &nearest, .word = word };
	int ret;

	if (is_half_a_name(p, word, text, sizeof(text)))
		return parser__fail(p, start, "'%.60s' %s", word, text);
	if (event_table__metric(table, word))
		return parser__fail(p, start, "'%.60s' is a metric; perf stat -M %.60s computes it",
		                    word, word);
	nearest__init(&nearest, word);
	event_names__offer(&nearest);
	for (u32 i = 0; i < table->nr_events; i++)
		nearest__offer(&nearest, table->events[i].name);
	/* "sched_switch" */
	if (!nearest.nr && !strpbrk(word, "*?["))
		tracefs__each_event(&p->sources->tracefs, "*", word, offer_tracepoint, &context,
		                    NULL);
	nearest__text(&nearest, "", text, sizeof(text));
	ret = parser__fail(p, start, "unknown event%s%s", *text ? "; " : "", text);
	add_problem(p, table);
	arena__exit(&context.arena);
	return ret;
}
