// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/report_filters.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/options/filter_words.h"
#include "ui/term/diag.h"
#include "util/lib/alloc.h"

/* How many samples fell into each sym; with children those of chains alone have one, too. */
static u64 *count_syms(const struct hists *hists)
{
	const struct names *names = hists->names;
	const struct profile *profile = hists->profile;
	u64 *counts = xcalloc(names->nr_syms + 1, sizeof(*counts));

	for (u64 i = 0; i < profile->nr_rows; i++)
		counts[names->sym_of_loc[profile->rows[i].leaf_loc]] += profile->rows[i].count;
	for (u32 i = 0; hists->options.children && i < names->nr_syms; i++)
		counts[i] += !counts[i];
	return counts;
}

static void see_symbols(const struct hists *hists, const u64 *counts, struct filter_words *words)
{
	for (u32 i = 0; i < hists->names->nr_syms; i++) {
		const char *name = sym__name(hists->names, &hists->names->syms[i]);

		if (name)
			filter_words__see(words, name, counts[i]);
	}
}

static void see_dsos(const struct hists *hists, const u64 *counts, struct filter_words *words)
{
	const struct names *names = hists->names;
	const struct session *session = names->session;

	for (u32 i = 0; i < names->nr_syms; i++) {
		const struct sym *sym = &names->syms[i];

		filter_words__see(words, names__dso(names, sym->dso_name), counts[i]);
		if (sym->dso != ID_NONE && counts[i])
			filter_words__meet(words,
			                   strtab__get(&session->strings,
			                               dsos__at(&session->dsos, sym->dso)->name));
	}
}

struct row_words {
	struct filter_words comms, pids, tids;
};

static void see_rows(const struct hists *hists, struct row_words *words)
{
	const struct session *session = hists->names->session;

	for (u64 i = 0; i < hists->profile->nr_rows; i++) {
		const struct row *row = &hists->profile->rows[i];

		if (filter_words__unmet(&words->comms))
			filter_words__see(&words->comms, strtab__get(&session->strings, row->comm),
			                  row->count);
		if (filter_words__unmet(&words->pids))
			filter_words__see_number(&words->pids,
			                         machine__thread(session->host, row->thread)->pid,
			                         row->count);
		if (filter_words__unmet(&words->tids))
			filter_words__see_number(&words->tids,
			                         machine__thread(session->host, row->thread)->tid,
			                         row->count);
	}
}

static bool say_rows(const struct hists *hists)
{
	const struct hist_options *options = &hists->options;
	struct row_words words;
	bool said;

	filter_words__init(&words.comms, "comm", &options->filter.comms);
	filter_words__init_numbers(&words.pids, "pid", options->filter.pids.ids,
	                           options->filter.pids.nr);
	filter_words__init_numbers(&words.tids, "tid", options->filter.tids.ids,
	                           options->filter.tids.nr);
	if (options->filter.comms.nr || options->filter.pids.nr || options->filter.tids.nr)
		see_rows(hists, &words);
	said = filter_words__say(&words.comms);
	said |= filter_words__say(&words.pids);
	said |= filter_words__say(&words.tids);
	filter_words__exit(&words.comms);
	filter_words__exit(&words.pids);
	filter_words__exit(&words.tids);
	return said;
}

/* Does any symbol that samples (with children: or callers) have, have @part in its name? */
static bool in_symbols(const struct hists *hists, const u64 *counts, const char *part)
{
	for (u32 i = 0; i < hists->names->nr_syms; i++) {
		const char *name = sym__name(hists->names, &hists->names->syms[i]);

		if (name && counts[i] && strstr(name, part))
			return true;
	}
	return false;
}

static bool say_part(const struct hists *hists, const u64 *counts, const char *part)
{
	if (!part || in_symbols(hists, counts, part))
		return false;
	diag__say_warning("no sample has a symbol with '%.200s' in its name", part);
	return true;
}

void report_filters__say_symbols(const struct hists *hists, const struct name_list *functions)
{
	struct filter_words words;
	u64 *counts;

	if (!functions->nr)
		return;
	counts = xrealloc(NULL, hists->names->nr_syms, sizeof(*counts));
	for (u32 i = 0; i < hists->names->nr_syms; i++)
		counts[i] = 1; /* names are of samples and chains */
	filter_words__init(&words, "symbol", functions);
	see_symbols(hists, counts, &words);
	filter_words__say(&words);
	filter_words__exit(&words);
	free(counts);
}

static bool say_syms(const struct hists *hists)
{
	const struct hist_options *options = &hists->options;
	struct filter_words dsos, symbols;
	u64 *counts;
	bool said;

	if (!options->filter.dsos.nr && !options->filter.symbols.nr && !options->symbol_part)
		return false;
	counts = count_syms(hists);
	filter_words__init(&dsos, "dso", &options->filter.dsos);
	filter_words__init(&symbols, "symbol", &options->filter.symbols);
	if (options->filter.dsos.nr)
		see_dsos(hists, counts, &dsos);
	if (options->filter.symbols.nr)
		see_symbols(hists, counts, &symbols);
	said = filter_words__say(&dsos);
	said |= filter_words__say(&symbols);
	said |= say_part(hists, counts, options->symbol_part);
	filter_words__exit(&dsos);
	filter_words__exit(&symbols);
	free(counts);
	return said;
}

static int compare_sockets(const void *a, const void *b)
{
	const s32 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Those that the file tells of, each once. */
static char *list_sockets(const s32 *sockets, u32 nr)
{
	s32 *sorted = xcalloc(nr, sizeof(*sorted));
	char *list = xstrdup("");

	memcpy(sorted, sockets, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare_sockets);
	for (u32 i = 0; i < nr; i++) {
		if (i && sorted[i] == sorted[i - 1])
			continue;
		char *longer = xasprintf("%s%s%d", list, *list ? ", " : "", sorted[i]);

		free(list);
		list = longer;
	}
	free(sorted);
	return list;
}

static bool say_socket(const struct hists *hists)
{
	u32 nr = hists->data.nr_sockets;

	if (!hists->options.has_socket)
		return false;
	for (u32 i = 0; i < hists->profile->nr_rows; i++) {
		u16 cpu = hists->profile->rows[i].cpu;

		if (cpu < nr && hists->sockets[cpu] == hists->options.socket)
			return false;
	}
	char *list = list_sockets(hists->sockets, nr);

	diag__say_warning("no sample ran on socket %d; the file's CPUs are on %s",
	                  hists->options.socket, list);
	free(list);
	return true;
}

static bool shows_nothing(const struct hists *hists)
{
	for (u32 i = 0; i < hists->nr_entries; i++)
		if (!hists->entries[i].hidden)
			return false;
	return hists->profile->nr_rows;
}

void report_filters__say(const struct hists *hists)
{
	bool said = hists->profile->nr_rows && say_rows(hists);

	said |= hists->profile->nr_rows && say_socket(hists);
	said |= hists->profile->nr_rows && say_syms(hists);
	if (!said && shows_nothing(hists))
		diag__say_warning("no sample passes all the filters together");
}

static void offer_files(struct nearest *near, struct strtab *names)
{
	DIR *dir = opendir(".");
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		nearest__offer(near, strtab__get(names, strtab__add(names, entry->d_name)));
	if (dir)
		closedir(dir);
}

/* @symbols: NULL where a symbol is not understood. */
static int set_unknown(const struct filter_words *symbols, const char *word, struct error *err)
{
	struct strtab files;
	struct nearest near;
	char guess[320];

	strtab__init(&files);
	nearest__init(&near, word);
	offer_files(&near, &files);
	if (symbols)
		filter_words__offer(symbols, &near);
	error__set(err, -ENOENT, symbols ? "no file and no symbol is called" : "no file is called",
	           word, "%s", "");
	error__advise(err, "%s", nearest__text(&near, "", guess, sizeof(guess)));
	strtab__exit(&files);
	return err->code;
}

int report_filters__no_file(const char *word, struct error *err)
{
	return set_unknown(NULL, word, err);
}

int report_filters__check_operand(const struct hists *hists, const char *word, struct error *err)
{
	const struct name_list none = { .names = NULL };
	struct filter_words symbols;
	u64 *counts = count_syms(hists);
	int ret = 0;

	filter_words__init(&symbols, "symbol", &none);
	if (!in_symbols(hists, counts, word)) {
		see_symbols(hists, counts, &symbols);
		ret = set_unknown(&symbols, word, err);
	}
	filter_words__exit(&symbols);
	free(counts);
	return ret;
}
