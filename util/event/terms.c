// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/terms.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/lib/alloc.h"

void event_terms__exit(struct event_terms *terms)
{
	for (u32 i = 0; i < terms->nr; i++) {
		free(terms->terms[i].key);
		free(terms->terms[i].text);
	}
	free(terms->terms);
	*terms = (struct event_terms){ .nr = 0 };
}

bool parse_event_number(const char *text, u64 *value)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (!isxdigit((u8)text[hex ? 2 : 0]))
		return false;
	errno = 0;
	*value = strtoull(text, &end, hex ? 16 : 10);
	return !errno && !*end;
}

bool parse_event_raw(const char *text, u64 *config)
{
	char *end;

	if (text[0] != 'r' || !isxdigit((u8)text[1]) || strlen(text) > 17)
		return false;
	*config = strtoull(text + 1, &end, 16);
	return !*end;
}

static bool is_key_char(char c)
{
	return isalnum((u8)c) || c == '_' || c == '-' || c == '.';
}

static char *copy(const char *from, size_t len)
{
	char *s = xmalloc(len + 1);

	memcpy(s, from, len);
	s[len] = '\0';
	return s;
}

/* The value at text[*pos]: a quoted string, or all up to the next comma. NULL: bad quotes. */
static char *take_value(const char *text, size_t len, size_t *pos)
{
	size_t start = *pos;

	if (start < len && (text[start] == '\'' || text[start] == '"')) {
		const char *end = memchr(text + start + 1, text[start], len - start - 1);

		if (!end)
			return NULL;
		*pos = end + 1 - text;
		return copy(text + start + 1, end - text - start - 1);
	}
	while (*pos < len && text[*pos] != ',')
		(*pos)++;
	return copy(text + start, *pos - start);
}

/* One term at text[*pos]; *pos moves behind it. */
static int take_term(struct event_term *term, const char *text, size_t len, size_t *pos,
                     struct error *err)
{
	size_t start = *pos;

	*term = (struct event_term){ .at = start, .value_at = start, .number = 1 };
	while (*pos < len && is_key_char(text[*pos]))
		(*pos)++;
	if (*pos == start && *pos < len && text[*pos] == '@')
		return error__set(err, -EINVAL, "", NULL,
		                  "settings for the driver of a tracer are not built yet");
	if (*pos == start)
		return error__set(err, -EINVAL, "", NULL, "a term like name=value is missing here");
	term->key = copy(text + start, *pos - start);
	term->is_number = true;
	if (*pos < len && text[*pos] == '=') {
		term->value_at = ++*pos;
		term->text = take_value(text, len, pos);
		if (!term->text)
			return error__set(err, -EINVAL, "", NULL, "the quotes do not end");
		term->is_number = parse_event_number(term->text, &term->number);
	}
	if (*pos < len && text[*pos] != ',')
		return error__set(err, -EINVAL, "", NULL, "',' or '/' expected");
	return 0;
}

int event_terms__parse(struct event_terms *terms, const char *text, size_t len, u32 *at,
                       struct error *err)
{
	size_t pos = 0;

	while (len) {
		struct event_term *term;

		array__reserve(&terms->terms, &terms->cap, terms->nr + 1, sizeof(*terms->terms));
		term = &terms->terms[terms->nr++];
		if (take_term(term, text, len, &pos, err)) {
			*at = pos;
			return -EINVAL;
		}
		if (pos == len)
			break;
		pos++;
	}
	return 0;
}

enum term_kind {
	TERM_CONFIG,
	TERM_CONFIG1,
	TERM_CONFIG2,
	TERM_NAME,
	TERM_PERIOD,
	TERM_FREQ,
	TERM_CALL_GRAPH,
	TERM_STACK_SIZE,
	TERM_MAX_STACK,
	TERM_INHERIT,
	TERM_NO_INHERIT,
	TERM_OVERWRITE,
	TERM_NO_OVERWRITE,
	TERM_TIME,
	TERM_PERCORE,
	TERM_METRIC_ID,
	TERM_BRANCH_TYPE,
	TERM_AUX_OUTPUT,
	TERM_AUX_SAMPLE,
	TERM_NR,
};

static const struct known_term {
	const char *key;
	enum term_kind kind;
	bool needs_number, needs_text;
	u64 max;
	bool counts; /* makes sense where no samples are taken */
} known_terms[] = {
	{ "config", TERM_CONFIG, true, false, UINT64_MAX, true },
	{ "config1", TERM_CONFIG1, true, false, UINT64_MAX, true },
	{ "config2", TERM_CONFIG2, true, false, UINT64_MAX, true },
	{ "name", TERM_NAME, false, true, 0, true },
	{ "period", TERM_PERIOD, true, false, INT64_MAX, true },
	{ "freq", TERM_FREQ, true, false, INT64_MAX },
	{ "call-graph", TERM_CALL_GRAPH, false, true, 0 },
	{ "stack-size", TERM_STACK_SIZE, true, false, 65528 },
	{ "max-stack", TERM_MAX_STACK, true, false, UINT16_MAX },
	{ "inherit", TERM_INHERIT, true, false, 1 },
	{ "no-inherit", TERM_NO_INHERIT, true, false, 1 },
	{ "overwrite", TERM_OVERWRITE, true, false, 1 },
	{ "no-overwrite", TERM_NO_OVERWRITE, true, false, 1 },
	{ "time", TERM_TIME, true, false, 1 },
	{ "percore", TERM_PERCORE, true, false, 1, true },
	{ "metric-id", TERM_METRIC_ID, false, true, 0, true },
	{ "branch_type", TERM_BRANCH_TYPE, false, true, 0 },
	{ "aux-output", TERM_AUX_OUTPUT, true, false, 1 },
	{ "aux-sample-size", TERM_AUX_SAMPLE, true, false, UINT32_MAX },
	{ "nr", TERM_NR, true, false, UINT32_MAX },
};

static const struct known_term *find_known(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_terms); i++)
		if (!strcmp(known_terms[i].key, key))
			return &known_terms[i];
	return NULL;
}

const char *event_terms__name(u32 nr, bool counting)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_terms); i++)
		if ((known_terms[i].counts || !counting) && !nr--)
			return known_terms[i].key;
	return NULL;
}

bool event_term__is_known(const char *key)
{
	return find_known(key);
}

bool event_term__is_for_samples(const char *key)
{
	const struct known_term *known = find_known(key);

	return known && !known->counts;
}

static void apply(struct evsel *evsel, enum term_kind kind, const struct event_term *term)
{
	struct perf_event_attr *attr = &evsel->attr;

	switch (kind) {
	case TERM_CONFIG:
		attr->config = term->number;
		break;
	case TERM_CONFIG1:
		attr->config1 = term->number;
		break;
	case TERM_CONFIG2:
		attr->config2 = term->number;
		break;
	case TERM_NAME:
		evsel__set_name(evsel, term->text);
		break;
	case TERM_PERIOD:
	case TERM_FREQ:
		attr->freq = kind == TERM_FREQ;
		attr->sample_period = term->number;
		evsel->user_period = true;
		break;
	case TERM_CALL_GRAPH:
		evsel__set_text(&evsel->call_graph, term->text);
		break;
	case TERM_STACK_SIZE:
		evsel->stack_size = term->number;
		break;
	case TERM_MAX_STACK:
		evsel->max_stack = term->number;
		break;
	case TERM_INHERIT:
	case TERM_NO_INHERIT:
		evsel->inherit = (kind == TERM_INHERIT) == (term->number == 1);
		break;
	case TERM_OVERWRITE:
	case TERM_NO_OVERWRITE:
		evsel->overwrite = (kind == TERM_OVERWRITE) == (term->number == 1);
		break;
	case TERM_TIME:
		evsel->time = term->number;
		break;
	case TERM_PERCORE:
		evsel->percore = term->number;
		break;
	case TERM_BRANCH_TYPE:
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		break;
	case TERM_AUX_OUTPUT:
		attr->aux_output = term->number;
		break;
	case TERM_METRIC_ID: /* for metrics, which look at the text themselves */
	case TERM_NR:        /* tells versions of one event apart: nothing to do */
	case TERM_AUX_SAMPLE:
		break;
	}
}

int parse_branch_types(const char *text, u64 *mask, struct error *err)
{
	static const struct {
		const char *name;
		u64 bits;
	} words[] = {
		{ "u", PERF_SAMPLE_BRANCH_USER },
		{ "k", PERF_SAMPLE_BRANCH_KERNEL },
		{ "hv", PERF_SAMPLE_BRANCH_HV },
		{ "any", PERF_SAMPLE_BRANCH_ANY },
		{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
		{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
		{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
		{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
		{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
		{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
		{ "cond", PERF_SAMPLE_BRANCH_COND },
		{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
		{ "call", PERF_SAMPLE_BRANCH_CALL },
		{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
		{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
		{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
		{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
		{ "counter", BRANCH_COUNTERS },
		{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
		{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	};
	const u64 modes =
	        PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;

	for (*mask = 0; *text; text += strcspn(text, ",+"), text += *text != '\0') {
		size_t len = strcspn(text, ",+"), i = 0;

		while (i < ARRAY_SIZE(words) &&
		       (strlen(words[i].name) != len || strncasecmp(words[i].name, text, len) != 0))
			i++;
		if (i == ARRAY_SIZE(words))
			return error__set(err, -EINVAL, "", NULL,
			                  "unknown branch filter '%.*s'; any, any_call, any_ret, "
			                  "ind_call, cond, u, k are some",
			                  (int)len, text);
		*mask |= words[i].bits;
	}
	if (!(*mask & ~modes))
		*mask |= PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

int evsel__apply_term(struct evsel *evsel, const struct event_term *term, struct error *err)
{
	const struct known_term *known = find_known(term->key);

	if (!known)
		return 0;
	if (known->needs_text && (!term->text || !*term->text))
		return error__set(err, -EINVAL, "", NULL, "'%s' needs a value", term->key);
	if (known->needs_number && !term->is_number)
		return error__set(err, -EINVAL, "", NULL, "'%s' needs a number", term->key);
	if (known->needs_number && term->number > known->max)
		return error__set(err, -EINVAL, "", NULL, "'%s' can be at most %llu", term->key,
		                  (unsigned long long)known->max);
	if (known->kind == TERM_AUX_SAMPLE && term->number)
		return error__set(err, -EINVAL, "", NULL,
		                  "there is no AUX area event to sample; 'perf doctor' shows what "
		                  "this processor traces");
	if (evsel->probe_path && (known->kind == TERM_INHERIT || known->kind == TERM_NO_INHERIT) &&
	    (known->kind == TERM_INHERIT) == (term->number == 1))
		return error__set(err, -EINVAL, "", NULL,
		                  "the kernel hands no probe point on to new threads");
	if (known->kind == TERM_BRANCH_TYPE) {
		u64 mask;

		if (parse_branch_types(term->text, &mask, err))
			return -EINVAL;
		evsel->attr.branch_sample_type = mask;
	}
	apply(evsel, known->kind, term);
	return 1;
}
