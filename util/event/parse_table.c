// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of events that only the processor's table knows (event_table.h), alone and among the terms
 * of a source. The table is read only for words that are unknown otherwise.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/parse_private.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

/* Is it the source that the table means by @source (NULL: the processor's own)? */
static bool is_source(const struct pmu *pmu, const char *source)
{
	size_t len;

	if (!source)
		return pmu->is_core;
	len = strlen(source);
	/* uncore_cbox is uncore_cbox_0, uncore_cbox_1 ... */
	return !strncmp(pmu->name, source, len) &&
	       (!pmu->name[len] || pmu->name[len] == '_' ||
	        strspn(pmu->name + len, "0123456789") == strlen(pmu->name + len));
}

static const struct table_event *find_for(struct parser *p, const struct pmu *pmu, const char *name)
{
	const struct event_table *table = event_sources__table(p->sources);
	const struct table_event *event = NULL;

	while ((event = event_table__find(table, name, event)))
		if (is_source(pmu, event->source))
			return event;
	return NULL;
}

bool parser__is_in_table(struct parser *p, const char *word)
{
	return event_table__find(event_sources__table(p->sources), word, NULL);
}

/* --- as terms of a source --- */

/* @term is a word that neither the source nor every event knows. */
static bool may_be_in_table(const struct pmu *pmu, const struct event_term *term)
{
	u64 raw;

	return (!term->text || term->number == 1) && !pmu__has_event(pmu, term->key) &&
	       !pmu__has_format(pmu, term->key) && !event_term__is_known(term->key) &&
	       !parse_event_raw(term->key, &raw);
}

static void set_unit(struct evsel *evsel, const struct table_event *event)
{
	const char *end;
	double scale;

	if (!event->scale)
		return;
	scale = text__double(event->scale, &end);
	if (end != event->scale && scale > 0)
		evsel->scale = scale;
	evsel__set_text(&evsel->unit, event->unit);
}

/* Put @more in the place of terms->terms[*index], *index at their last; @more is empty then. */
static void splice(struct event_terms *terms, u32 *index, struct event_terms *more)
{
	struct event_term old = terms->terms[*index];
	u32 behind = terms->nr - *index - 1;

	array__reserve(&terms->terms, &terms->cap, terms->nr + more->nr, sizeof(*terms->terms));
	memmove(&terms->terms[*index + more->nr], &terms->terms[*index + 1],
	        behind * sizeof(*terms->terms));
	for (u32 i = 0; i < more->nr; i++) {
		terms->terms[*index + i] = more->terms[i];
		terms->terms[*index + i].at = old.at;
		terms->terms[*index + i].value_at = old.value_at;
	}
	terms->nr += more->nr - 1;
	*index += more->nr - 1;
	free(old.key);
	free(old.text);
	free(more->terms);
	*more = (struct event_terms){ .nr = 0 };
}

void parser__expand_terms(struct parser *p, const struct pmu *pmu, struct event_terms *terms,
                          struct evsel *evsel)
{
	for (u32 i = 0; i < terms->nr; i++) {
		struct event_terms more = { .nr = 0 };
		const struct table_event *event;
		u32 at;

		if (!may_be_in_table(pmu, &terms->terms[i]))
			continue;
		event = find_for(p, pmu, terms->terms[i].key);
		if (!event ||
		    event_terms__parse(&more, event->terms, strlen(event->terms), &at, NULL) ||
		    !more.nr) {
			event_terms__exit(&more);
			continue;
		}
		set_unit(evsel, event);
		splice(terms, &i, &more);
	}
}

/* --- alone --- */

int parser__add_of_table(struct parser *p, const char *start, const char *word)
{
	u32 first = p->list->nr, at, nr;
	char **sources;
	int ret;

	if (!parser__is_in_table(p, word))
		return 1;
	nr = pmu__find_all(p->sources->sysfs, "*", &sources);
	ret = parser__filter_sources(p, start, sources, &nr);
	for (u32 i = 0; i < nr; i++) {
		struct event_terms terms = { .nr = 0 };
		struct pmu pmu;

		if (!ret && !pmu__open(&pmu, p->sources->sysfs, sources[i])) {
			if (find_for(p, &pmu, word) &&
			    !event_terms__parse(&terms, word, strlen(word), &at, NULL))
				ret = parser__add_of_source(p, sources[i], &terms, start, word);
			event_terms__exit(&terms);
			pmu__close(&pmu);
		}
	}
	pmu__free_names(sources, nr);
	if (ret || p->list->nr > first)
		return ret;
	if (p->sources->pmu_filter)
		return parser__fail(p, start, "no source that --pmu-filter=%.60s leaves has it",
		                    p->sources->pmu_filter);
	const char *source = event_table__find(p->sources->table, word, NULL)->source;

	return parser__unknown_source(p, start, source ? source : "cpu");
}
