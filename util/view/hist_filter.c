// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/hist_filter.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

/* By dso. NULL: all pass. */
static bool *find_dsos(const struct names *names, const struct sample_filter *filter)
{
	const struct session *session = names->session;
	bool *passes;

	if (!filter->dsos.nr)
		return NULL;
	passes = xcalloc((size_t)session->dsos.nr + 1, sizeof(*passes));
	for (u32 i = 0; i < session->dsos.nr; i++)
		passes[i] = sample_filter__dso(filter, session, i);
	return passes;
}

/* What is in no dso has a name in reports, which -d takes. */
static bool dso_passes(const struct names *names, const struct sample_filter *filter,
                       const bool *dsos, const struct sym *sym)
{
	if (!dsos)
		return true;
	return sym->dso != ID_NONE
	               ? dsos[sym->dso]
	               : name_list__has(&filter->dsos, names__dso(names, sym->dso_name));
}

static bool symbol_passes(const struct names *names, const struct hist_options *options,
                          const struct sym *sym)
{
	const char *name;

	if (!options->filter.symbols.nr && !options->symbol_part)
		return true;
	name = sym__name(names, sym);
	return name && sample_filter__symbol(&options->filter, name) &&
	       (!options->symbol_part || strstr(name, options->symbol_part));
}

static void find_chains(struct hist_filter *filter)
{
	const struct chains *chains = filter->chains;

	filter->chain_shown = xcalloc(chains->nr_nodes, sizeof(bool));
	for (u32 i = 1; i < chains->nr_nodes; i++) {
		const struct node *node = &chains->nodes[i];

		filter->chain_shown[i] = filter->chain_shown[node->parent] ||
		                         !filter->sym_hidden[filter->names->sym_of_loc[node->loc]];
	}
}

static int compare_ids(const void *left, const void *right)
{
	u32 a = *(const u32 *)left, b = *(const u32 *)right;

	return (a > b) - (a < b);
}

/* There may be as many as there are commands. */
static void find_comms(struct hist_filter *filter)
{
	const struct name_list *names = &filter->options->filter.comms;
	struct id_list *list = &filter->comms;

	list->ids = xrealloc(NULL, names->nr, sizeof(u32));
	for (u32 i = 0; i < names->nr; i++) {
		u32 id = strtab__find(&filter->names->session->strings, names->names[i]);

		if (id != ID_NONE)
			list->ids[list->nr++] = id;
	}
	if (list->nr)
		qsort(list->ids, list->nr, sizeof(u32), compare_ids);
}

static bool comm_passes(const struct hist_filter *filter, u32 comm)
{
	const struct id_list *list = &filter->comms;

	return list->nr && bsearch(&comm, list->ids, list->nr, sizeof(u32), compare_ids);
}

void hist_filter__init(struct hist_filter *filter, const struct chains *chains,
                       const struct names *names, const struct hist_options *options)
{
	*filter = (struct hist_filter){ .chains = chains, .names = names, .options = options };
	filter->of_rows = options->running.nr || options->filter.comms.nr ||
	                  options->filter.pids.nr || options->filter.tids.nr;
	if (options->running.nr)
		filter->parallelism_slot = key__slot(options->parallelism, chains->profile);
	find_comms(filter);
	if (!options->filter.dsos.nr && !options->filter.symbols.nr && !options->symbol_part)
		return;
	bool *dsos = find_dsos(names, &options->filter);

	filter->sym_hidden = xcalloc(names->nr_syms, sizeof(bool));
	for (u32 i = 0; i < names->nr_syms; i++)
		filter->sym_hidden[i] =
		        !dso_passes(names, &options->filter, dsos, &names->syms[i]) ||
		        !symbol_passes(names, options, &names->syms[i]);
	free(dsos);
	if (options->children)
		find_chains(filter);
}

void hist_filter__exit(struct hist_filter *filter)
{
	free(filter->comms.ids);
	free(filter->sym_hidden);
	free(filter->chain_shown);
}

static u32 parallelism_of(const struct hist_filter *filter, const struct row *row)
{
	const struct profile *profile = filter->chains->profile;

	return profile__sample_value(profile, row - profile->rows, filter->parallelism_slot);
}

bool hist_filter__row(const struct hist_filter *filter, const struct row *row)
{
	const struct hist_options *options = filter->options;

	if (options->running.nr && !id_list__has(&options->running, parallelism_of(filter, row)))
		return false;
	if (options->filter.comms.nr && !comm_passes(filter, row->comm))
		return false;
	if (!options->filter.pids.nr && !options->filter.tids.nr)
		return true;
	const struct thread *thread = machine__thread(filter->names->session->host, row->thread);

	return id_list__has(&options->filter.pids, thread->pid) &&
	       id_list__has(&options->filter.tids, thread->tid);
}

bool hist_filter__shows(const struct hist_filter *filter, const struct row *row)
{
	u64 id = row - filter->chains->profile->rows;
	u32 sym = filter->names->sym_of_loc[chains__leaf(filter->chains, id)];

	if (filter->of_rows && !hist_filter__row(filter, row))
		return false;
	return !hist_filter__hides_sym(filter, sym) ||
	       (filter->chain_shown && filter->chain_shown[chains__node(filter->chains, id)]);
}
