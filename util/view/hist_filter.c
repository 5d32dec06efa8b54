// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/hist_filter.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

/* What is in no dso has a name in reports, which -d takes. */
static bool dso_passes(const struct names *names, const struct sample_filter *filter,
                       const struct sym *sym)
{
	if (sym->dso != ID_NONE)
		return sample_filter__dso(filter, names->session, sym->dso);
	return !filter->dsos.nr || name_list__has(&filter->dsos, names__dso(names, sym->dso_name));
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

void hist_filter__init(struct hist_filter *filter, const struct chains *chains,
                       const struct names *names, const struct hist_options *options)
{
	*filter = (struct hist_filter){ .chains = chains, .names = names, .options = options };
	if (options->running.nr)
		filter->parallelism_slot = key__slot(options->parallelism, chains->profile);
	filter->comms.ids = xrealloc(NULL, options->filter.comms.nr, sizeof(u32));
	for (u32 i = 0; i < options->filter.comms.nr; i++) {
		u32 id = strtab__find(&names->session->strings, options->filter.comms.names[i]);

		if (id != ID_NONE)
			filter->comms.ids[filter->comms.nr++] = id;
	}
	if (!options->filter.dsos.nr && !options->filter.symbols.nr && !options->symbol_part)
		return;
	filter->sym_hidden = xcalloc(names->nr_syms, sizeof(bool));
	for (u32 i = 0; i < names->nr_syms; i++)
		filter->sym_hidden[i] = !dso_passes(names, &options->filter, &names->syms[i]) ||
		                        !symbol_passes(names, options, &names->syms[i]);
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
	if (options->filter.comms.nr && !id_list__finds(&filter->comms, row->comm))
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

	if (!hist_filter__row(filter, row))
		return false;
	return !hist_filter__hides_sym(filter, sym) ||
	       (filter->chain_shown && filter->chain_shown[chains__node(filter->chains, id)]);
}
