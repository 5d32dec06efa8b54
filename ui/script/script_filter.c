// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filters of perf script. A sample is judged by its thread and its ip; the names of comms are
 * compared once per comm.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/options/filter_words.h"
#include "ui/script/script_private.h"
#include "ui/term/diag.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/name_list.h"

struct ids_list {
	u32 *ids;
	u32 nr;
};

/* What a filter asks for, and what samples were seen to have. */
struct seen {
	struct filter_words comms, dsos, symbols, pids, tids;
};

struct script_check {
	const struct script *script;
	struct name_list comms, dsos, symbols;
	struct ids_list pids, tids;
	struct seen seen;
	u64 nr_samples, nr_first, nr_passed; /* judged, by time and CPU let pass, by all */
	u32 last_comm;                       /* judged last, with its verdict */
	bool last_comm_passes;
};

static int parse_names(struct name_list *list, const char *text, struct error *err)
{
	return text ? name_list__parse(list, text, err) : 0;
}

static int parse_ids(struct ids_list *list, const char *text, struct error *err)
{
	int ret = text ? number_list__parse(&list->ids, &list->nr, text, err) : 0;

	if (!ret && text && !list->nr)
		ret = error__set(err, -EINVAL, "no number in the list", text, "%s", "");
	return ret;
}

struct script_check *script_check__new(const struct script *script, struct error *err)
{
	const struct script_filter *filter = &script->options->filter;
	struct script_check *check = xcalloc(1, sizeof(*check));
	int ret = parse_names(&check->comms, filter->comms, err);

	check->script = script;
	check->last_comm = ID_NONE;
	if (!ret)
		ret = parse_names(&check->dsos, filter->dsos, err);
	if (!ret)
		ret = parse_names(&check->symbols, filter->symbols, err);
	if (!ret)
		ret = parse_ids(&check->pids, filter->pids, err);
	if (!ret)
		ret = parse_ids(&check->tids, filter->tids, err);
	filter_words__init(&check->seen.comms, "comm", &check->comms);
	filter_words__init(&check->seen.dsos, "dso", &check->dsos);
	filter_words__init(&check->seen.symbols, "symbol", &check->symbols);
	filter_words__init_numbers(&check->seen.pids, "pid", check->pids.ids, check->pids.nr);
	filter_words__init_numbers(&check->seen.tids, "tid", check->tids.ids, check->tids.nr);
	if (!ret)
		return check;
	script_check__delete(check);
	return NULL;
}

void script_check__delete(struct script_check *check)
{
	if (!check)
		return;
	name_list__exit(&check->comms);
	name_list__exit(&check->dsos);
	name_list__exit(&check->symbols);
	free(check->pids.ids);
	free(check->tids.ids);
	filter_words__exit(&check->seen.comms);
	filter_words__exit(&check->seen.dsos);
	filter_words__exit(&check->seen.symbols);
	filter_words__exit(&check->seen.pids);
	filter_words__exit(&check->seen.tids);
	free(check);
}

static bool has_id(const struct ids_list *list, u32 id)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->ids[i] == id)
			return true;
	return !list->nr;
}

bool script_check__sample(struct script_check *check, const struct sample *sample)
{
	const struct script_filter *filter = &check->script->options->filter;
	bool passes = (!filter->times.nr || time_ranges__pass(&filter->times, sample->time)) &&
	              (!filter->cpus || cpu_map__index(filter->cpus, sample->cpu) >= 0);

	check->nr_samples++;
	check->nr_first += passes;
	return passes;
}

static bool comm_passes(struct script_check *check, u32 comm)
{
	if (comm != check->last_comm) {
		const char *name = strtab__get(&check->script->session->strings, comm);

		check->last_comm = comm;
		check->last_comm_passes = name_list__has(&check->comms, name);
	}
	return check->last_comm_passes;
}

static bool dso_passes(const struct script_check *check, u32 id)
{
	const struct session *session = check->script->session;
	const struct dso *dso;

	if (id == ID_NONE)
		return false;
	dso = dsos__at(&session->dsos, id);
	return name_list__has(&check->dsos, strtab__get(&session->strings, dso->short_name)) ||
	       name_list__has(&check->dsos, strtab__get(&session->strings, dso->name));
}

/* NULL: none. */
static const char *symbol_name(const struct script_check *check, const struct loc *loc)
{
	struct session_symbols *symbols = check->script->symbols;
	u32 symbol = ID_NONE;
	u64 vaddr;

	if (loc->dso != ID_NONE)
		symbol = session_symbols__find_code(symbols, loc->dso, loc->addr, &vaddr);
	return symbol == ID_NONE ? NULL : session_symbols__name(symbols, loc->dso, symbol);
}

static bool symbol_passes(const struct script_check *check, const struct loc *loc)
{
	const char *name = symbol_name(check, loc);

	return name && name_list__has(&check->symbols, name);
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

static bool passes(struct script_check *check, const struct sample *sample, const struct task *task,
                   struct moment when)
{
	bool thread = has_id(&check->pids, sample->pid) && has_id(&check->tids, sample->tid) &&
	              (!check->comms.nr || comm_passes(check, task->comm));
	bool unmet =
	        filter_words__unmet(&check->seen.dsos) || filter_words__unmet(&check->seen.symbols);
	struct place place;

	if (!(check->dsos.nr || check->symbols.nr) || !(thread || unmet))
		return thread;
	resolver__place(check->script->resolver, task, sample->cpumode, sample->ip, when, &place);
	if (unmet)
		see_location(check, &place.loc);
	if (!thread || (check->dsos.nr && !dso_passes(check, place.loc.dso)))
		return false;
	return !check->symbols.nr || symbol_passes(check, &place.loc);
}

bool script_check__task(struct script_check *check, const struct sample *sample,
                        const struct task *task, struct moment when)
{
	see_task(check, sample, task);
	bool passed = passes(check, sample, task, when);

	check->nr_passed += passed;
	return passed;
}

static void say_none_first(const struct script_check *check)
{
	const struct script_filter *filter = &check->script->options->filter;
	const struct session_stats *stats = &check->script->session->stats;
	struct error err = ERROR_INIT;
	char what[96];

	snprintf(what, sizeof(what), "none of the %llu samples passes %s",
	         (unsigned long long)check->nr_samples,
	         !filter->times.nr ? "-C"
	         : filter->cpus    ? "-C and --time"
	                           : "--time");
	error__set(&err, -ENODATA, what, NULL, "%s", "");
	if (filter->times.nr)
		error__advise(&err, "the recording is from %.6f to %.6f", stats->first_time / 1e9,
		              stats->last_time / 1e9);
	diag__warning(&err);
}

void script_check__say(const struct script_check *check)
{
	const struct seen *seen = &check->seen;
	bool said = false;

	if (!check->nr_samples)
		return;
	if (!check->nr_first) {
		say_none_first(check);
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
