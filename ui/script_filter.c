// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filters of perf script. A sample is judged by its thread and by where its ip was; the names
 * of comms are compared once per comm.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/script_private.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

struct names_list {
	char *text; /* cut up */
	const char **names;
	u32 nr;
};

struct ids_list {
	u32 *ids;
	u32 nr;
};

struct script_check {
	const struct script *script;
	struct names_list comms, dsos, symbols;
	struct ids_list pids, tids;
	u32 last_comm; /* judged last, with its verdict */
	bool last_comm_passes;
};

static void parse_names(struct names_list *list, const char *text)
{
	char *save = NULL;
	u32 cap = 0;

	if (!text)
		return;
	for (const char *c = text; *c; c++)
		cap += *c == ',';
	list->text = xstrdup(text);
	list->names = xcalloc(cap + 1, sizeof(*list->names));
	for (char *name = strtok_r(list->text, ",", &save); name; name = strtok_r(NULL, ",", &save))
		list->names[list->nr++] = name;
}

static int parse_ids(struct ids_list *list, const char *text, const char *what, struct error *err)
{
	struct names_list names = { 0 };
	int ret = 0;

	parse_names(&names, text);
	list->ids = xcalloc(names.nr + 1, sizeof(*list->ids));
	for (u32 i = 0; i < names.nr && !ret; i++) {
		u64 id;

		if (text__parse_u64(names.names[i], &id) || id > INT32_MAX)
			ret = error__set(err, -EINVAL, what, text, "'%s' is not a number",
			                 names.names[i]);
		else
			list->ids[list->nr++] = id;
	}
	if (!ret && text && !list->nr)
		ret = error__set(err, -EINVAL, what, text, "no number in it");
	free(names.names);
	free(names.text);
	return ret;
}

struct script_check *script_check__new(const struct script *script, struct error *err)
{
	const struct script_filter *filter = &script->options->filter;
	struct script_check *check = xcalloc(1, sizeof(*check));

	check->script = script;
	check->last_comm = ID_NONE;
	parse_names(&check->comms, filter->comms);
	parse_names(&check->dsos, filter->dsos);
	parse_names(&check->symbols, filter->symbols);
	if (!parse_ids(&check->pids, filter->pids, "bad list of --pid", err) &&
	    !parse_ids(&check->tids, filter->tids, "bad list of --tid", err))
		return check;
	script_check__delete(check);
	return NULL;
}

void script_check__delete(struct script_check *check)
{
	struct names_list *lists[3];

	if (!check)
		return;
	lists[0] = &check->comms;
	lists[1] = &check->dsos;
	lists[2] = &check->symbols;
	for (unsigned i = 0; i < ARRAY_SIZE(lists); i++) {
		free(lists[i]->names);
		free(lists[i]->text);
	}
	free(check->pids.ids);
	free(check->tids.ids);
	free(check);
}

static bool has_name(const struct names_list *list, const char *name)
{
	for (u32 i = 0; i < list->nr; i++)
		if (!strcmp(list->names[i], name))
			return true;
	return false;
}

static bool has_id(const struct ids_list *list, u32 id)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->ids[i] == id)
			return true;
	return !list->nr;
}

bool script_check__sample(const struct script_check *check, const struct sample *sample)
{
	const struct script_filter *filter = &check->script->options->filter;

	if (filter->times.nr && !time_ranges__pass(&filter->times, sample->time))
		return false;
	return !filter->cpus || cpu_map__index(filter->cpus, sample->cpu) >= 0;
}

static bool comm_passes(struct script_check *check, u32 comm)
{
	if (comm != check->last_comm) {
		const char *name = strtab__get(&check->script->session->strings, comm);

		check->last_comm = comm;
		check->last_comm_passes = has_name(&check->comms, name);
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
	return has_name(&check->dsos, strtab__get(&session->strings, dso->short_name)) ||
	       has_name(&check->dsos, strtab__get(&session->strings, dso->name));
}

static bool symbol_passes(const struct script_check *check, const struct loc *loc)
{
	struct symbols *symbols = check->script->symbols;
	u32 symbol = ID_NONE;
	u64 vaddr;

	if (loc->dso != ID_NONE)
		symbol = symbols__find_code(symbols, loc->dso, loc->addr, &vaddr);
	return symbol != ID_NONE &&
	       has_name(&check->symbols, symbols__name(symbols, loc->dso, symbol));
}

bool script_check__task(struct script_check *check, const struct sample *sample,
                        const struct task *task, struct moment when)
{
	struct place place;

	if (!has_id(&check->pids, sample->pid) || !has_id(&check->tids, sample->tid))
		return false;
	if (check->comms.nr && !comm_passes(check, task->comm))
		return false;
	if (!check->dsos.nr && !check->symbols.nr)
		return true;
	resolver__place(check->script->resolver, task, sample->cpumode, sample->ip, when, &place);
	if (check->dsos.nr && !dso_passes(check, place.loc.dso))
		return false;
	return !check->symbols.nr || symbol_passes(check, &place.loc);
}
