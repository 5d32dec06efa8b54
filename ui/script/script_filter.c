// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second half of the filters of perf script (util/stream/sample_filter.h): names of places; and
 * what samples have instead of the words that none matches.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/options/filter_words.h"
#include "ui/script/script_private.h"
#include "ui/term/diag.h"
#include "util/lib/alloc.h"

/* What a filter asks for, and what samples were seen to have. */
struct seen {
	struct filter_words comms, dsos, symbols, pids, tids;
};

/* A word of -S that is an address, as a sample has it. */
struct address_word {
	u64 start;
	const char *word; /* of the filter */
};

struct script_check {
	const struct script *script;
	const struct sample_filter *filter;
	struct seen seen;
	struct address_word *addresses; /* those among the filter's symbols */
	u32 nr_addresses;
	bool by_words; /* any of these is given */
	u64 nr_passed;
};

/* In hexadecimal, with or without "0x": a word like "face" is a name as well. */
static void find_addresses(struct script_check *check, const struct name_list *words)
{
	check->addresses = xcalloc(words->nr + 1, sizeof(*check->addresses));
	for (u32 i = 0; i < words->nr; i++) {
		const char *word = words->names[i];
		char *end;
		u64 start = strtoull(word, &end, 16);

		if (isalnum((unsigned char)*word) && !*end)
			check->addresses[check->nr_addresses++] =
			        (struct address_word){ start, word };
	}
}

struct script_check *script_check__new(const struct script *script)
{
	const struct sample_filter *filter = &script->options->filter;
	struct script_check *check = xcalloc(1, sizeof(*check));

	check->script = script;
	check->filter = filter;
	check->by_words = filter->comms.nr || filter->dsos.nr || filter->symbols.nr ||
	                  filter->pids.nr || filter->tids.nr;
	filter_words__init(&check->seen.comms, "comm", &filter->comms);
	filter_words__init(&check->seen.dsos, "dso", &filter->dsos);
	filter_words__init(&check->seen.symbols, "symbol", &filter->symbols);
	filter_words__init_numbers(&check->seen.pids, "pid", filter->pids.ids, filter->pids.nr);
	filter_words__init_numbers(&check->seen.tids, "tid", filter->tids.ids, filter->tids.nr);
	find_addresses(check, &filter->symbols);
	return check;
}

void script_check__delete(struct script_check *check)
{
	if (!check)
		return;
	filter_words__exit(&check->seen.comms);
	filter_words__exit(&check->seen.dsos);
	filter_words__exit(&check->seen.symbols);
	filter_words__exit(&check->seen.pids);
	filter_words__exit(&check->seen.tids);
	free(check->addresses);
	free(check);
}

/* NULL: none. */
static const char *symbol_name(const struct script_check *check, const struct loc *loc)
{
	struct session_symbols *symbols = check->script->symbols;
	u32 symbol = ID_NONE;
	u64 vaddr;

	if (loc->dso == ID_NONE)
		return NULL;
	script__lock_names(check->script);
	symbol = session_symbols__find_code(symbols, loc->dso, loc->addr, &vaddr);
	const char *name =
	        symbol == ID_NONE ? NULL : session_symbols__name(symbols, loc->dso, symbol);

	script__unlock_names(check->script);
	return name;
}

/* For the words that no sample had so far. */
static void see_task(struct script_check *check, const struct sample *sample,
                     const struct task *task)
{
	struct seen *seen = &check->seen;

	if (filter_words__unmet(&seen->comms))
		filter_words__see(&seen->comms,
		                  strtab__get(&check->script->session->strings, task->comm), 1);
	if (filter_words__unmet(&seen->pids))
		filter_words__see_number(&seen->pids, sample->pid, 1);
	if (filter_words__unmet(&seen->tids))
		filter_words__see_number(&seen->tids, sample->tid, 1);
}

static void see_location(struct script_check *check, const struct loc *loc)
{
	const struct session *session = check->script->session;
	struct seen *seen = &check->seen;
	const char *symbol;

	if (filter_words__unmet(&seen->dsos) && loc->dso != ID_NONE) {
		const struct dso *dso = dsos__at(&session->dsos, loc->dso);

		filter_words__see(&seen->dsos, strtab__get(&session->strings, dso->short_name), 1);
		filter_words__meet(&seen->dsos, strtab__get(&session->strings, dso->name));
	}
	symbol = filter_words__unmet(&seen->symbols) ? symbol_name(check, loc) : NULL;
	if (symbol)
		filter_words__see(&seen->symbols, symbol, 1);
}

static bool in_range(struct script_check *check, u64 ip)
{
	u64 size = max_u64(check->script->options->addr_range, 1);

	for (u32 i = 0; i < check->nr_addresses; i++)
		if (ip - check->addresses[i].start < size) {
			filter_words__meet(&check->seen.symbols, check->addresses[i].word);
			return true;
		}
	return false;
}

static bool passes(struct script_check *check, const struct stream_sample *s)
{
	const struct sample_filter *filter = check->filter;
	bool unmet =
	        filter_words__unmet(&check->seen.dsos) || filter_words__unmet(&check->seen.symbols);
	struct place place;

	if (!(filter->dsos.nr || filter->symbols.nr) || !(s->passes || unmet))
		return s->passes;
	resolver__place(check->script->resolver, s->task, s->sample->cpumode, s->sample->ip,
	                s->when, &place);
	if (unmet)
		see_location(check, &place.loc);
	if (!s->passes || !sample_filter__dso(filter, check->script->session, place.loc.dso))
		return false;
	return sample_filter__symbol(filter, symbol_name(check, &place.loc)) ||
	       in_range(check, s->sample->ip);
}

bool script_check__sample(struct script_check *check, const struct stream_sample *s)
{
	if (likely(!check->by_words)) {
		check->nr_passed++;
		return true;
	}
	see_task(check, s->sample, s->task);
	bool passed = passes(check, s);

	check->nr_passed += passed;
	return passed;
}

void script_check__add(struct script_check *check, const struct script_check *worker)
{
	const struct seen *seen = &worker->seen;

	check->nr_passed += worker->nr_passed;
	filter_words__add(&check->seen.comms, &seen->comms);
	filter_words__add(&check->seen.dsos, &seen->dsos);
	filter_words__add(&check->seen.symbols, &seen->symbols);
	filter_words__add(&check->seen.pids, &seen->pids);
	filter_words__add(&check->seen.tids, &seen->tids);
}

static void say_none_early(const struct script_check *check, u64 nr_samples)
{
	const struct sample_filter *filter = check->filter;
	const struct session_stats *stats = &check->script->session->stats;
	struct error err = ERROR_INIT;
	char what[96];

	snprintf(what, sizeof(what), "none of the %llu samples passes %s",
	         (unsigned long long)nr_samples,
	         !filter->times.nr    ? "-C"
	         : filter->nr_cpu_set ? "-C and --time"
	                              : "--time");
	error__set(&err, -ENODATA, what, NULL, "%s", "");
	if (filter->times.nr)
		error__advise(&err, "the recording is from %.6f to %.6f",
		              stats->first_time / 1000 / 1e6, stats->last_time / 1000 / 1e6);
	diag__warning(&err);
}

void script_check__say(const struct script_check *check)
{
	const struct seen *seen = &check->seen;
	bool said = false;

	const struct stream_counts *counts = stream__counts(check->script->stream);
	const struct stream_counts *others = &check->script->counts;

	if (!counts->nr_judged && !others->nr_judged)
		return;
	if (!counts->nr_passed && !others->nr_passed) {
		say_none_early(check, counts->nr_judged + others->nr_judged);
		return;
	}
	said |= filter_words__say(&seen->comms);
	said |= filter_words__say(&seen->dsos);
	said |= filter_words__say(&seen->symbols);
	said |= filter_words__say(&seen->pids);
	said |= filter_words__say(&seen->tids);
	if (!said && !check->nr_passed)
		diag__say_warning("no sample passes all the filters together");
}
