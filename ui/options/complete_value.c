// SPDX-License-Identifier: GPL-2.0-or-later
/* The values of options, by the name of the argument. Looks at the machine, changes nothing. */
#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "selftest/programs.h"
#include "ui/options/complete.h"
#include "ui/options/script_fields.h"
#include "util/event/parse.h"
#include "util/event/pmu.h"
#include "util/event/registers.h"
#include "util/event/tracefs.h"
#include "util/lib/text.h"
#include "util/profile/key.h"
#include "util/record/config.h"
#include "util/view/fields.h"

/* Only what is behind the last of these characters is still being typed. */
static void cut_list(struct completion *completion, const char *separators)
{
	for (const char *c = completion->typed; *c; c++)
		if (strchr(separators, *c))
			completion->typed = c + 1;
	completion->head_len = completion->typed - completion->head;
}

/* ---- events ---- */

static void offer_name(void *ctx, const char *name)
{
	complete__offer(ctx, name, NULL);
}

static int offer_tracepoint(void *ctx, const char *sys, const char *name)
{
	char full[600];

	snprintf(full, sizeof(full), "%s:%s", sys, name ? name : "");
	complete__offer(ctx, full, "tracepoint");
	return 0;
}

static void offer_tracepoints(struct completion *completion)
{
	const char *typed = completion->typed, *colon = strchr(typed, ':');
	struct tracefs tracefs = { .events_fd = -1, .no_mount = true };
	struct error err = ERROR_INIT;
	char sys[256];

	if (!colon) {
		tracefs__each_system(&tracefs, "*", offer_tracepoint, completion, &err);
	} else if (colon - typed < (int)sizeof(sys)) {
		snprintf(sys, sizeof(sys), "%.*s", (int)(colon - typed), typed);
		tracefs__each_event(&tracefs, sys, "*", offer_tracepoint, completion, &err);
	}
	tracefs__close(&tracefs);
}

static void offer_pmu_names(struct completion *completion, const struct pmu *pmu,
                            const char *folder, const char *behind)
{
	char **names, full[600];
	u32 nr = pmu__names(pmu, folder, &names);

	for (u32 i = 0; i < nr; i++) {
		snprintf(full, sizeof(full), "%s/%s%s", pmu->name, names[i], behind);
		complete__offer(completion, full, folder);
	}
	pmu__free_names(names, nr);
}

/* "msr/" without a slash so far; behind it the named events and the terms of the source. */
static void offer_pmus(struct completion *completion, const char *sysfs)
{
	char **names, full[300];
	u32 nr = pmu__find_all(sysfs, "*", &names);
	bool inside = strchr(completion->typed, '/');

	for (u32 i = 0; i < nr; i++) {
		size_t len = strlen(names[i]);
		struct pmu pmu;

		snprintf(full, sizeof(full), "%s/", names[i]);
		if (!inside) {
			complete__offer(completion, full, "event source");
		} else if (!strncmp(completion->typed, full, len + 1) &&
		           !pmu__open(&pmu, sysfs, names[i])) {
			offer_pmu_names(completion, &pmu, "events", "/");
			offer_pmu_names(completion, &pmu, "format", "=");
			pmu__close(&pmu);
		}
	}
	pmu__free_names(names, nr);
}

static void offer_events(struct completion *completion)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	const struct event_table *table = event_sources__table(&sources);

	cut_list(completion, ",{");
	event_names__each(offer_name, completion);
	for (u32 i = 0; i < table->nr_events; i++)
		complete__offer(completion, table->events[i].name, table->events[i].brief);
	offer_pmus(completion, sources.sysfs);
	offer_tracepoints(completion);
	event_sources__exit(&sources);
}

static void offer_sources(struct completion *completion)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	char **names;
	u32 nr = pmu__find_all(sources.sysfs, "*", &names);

	for (u32 i = 0; i < nr; i++)
		complete__offer(completion, names[i], NULL);
	pmu__free_names(names, nr);
}

static void offer_metrics(struct completion *completion)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct event_table *table = event_sources__table(&sources);
	const char **groups;
	u32 nr;

	cut_list(completion, ",");
	for (u32 i = 0; i < table->nr_metrics; i++)
		complete__offer(completion, table->metrics[i].name, table->metrics[i].brief);
	groups = event_table__groups(table, &nr);
	for (u32 i = 0; i < nr; i++)
		complete__offer(completion, groups[i], "metric group");
	free(groups);
	event_sources__exit(&sources);
}

static void offer_words(struct completion *completion, const char *words);

/* Of perf list: whole classes, or names. */
static void offer_event_classes(struct completion *completion)
{
	offer_words(completion, "hw|sw|tool|cache|pmu|tracepoint");
	offer_events(completion);
}

/* ---- the rest ---- */

static void offer_keys(struct completion *completion)
{
	const struct key *key;

	cut_list(completion, ", ");
	for (u32 i = 0; (key = sort_keys__table(i)); i++)
		complete__offer(completion, key->name, key->heading);
	for (u32 i = 0; i < VIEW_KEY; i++)
		if (view_figure__name(i))
			complete__offer(completion, view_figure__name(i), "figure");
}

static void offer_fields(struct completion *completion)
{
	bool with_type = !strpbrk(completion->typed, ",:");
	const char *name;
	char type[32];

	cut_list(completion, ",:+-");
	for (u32 i = 0; (name = script_fields__name(i)); i++)
		complete__offer(completion, name, NULL);
	for (u32 i = 0; with_type && (name = script_fields__type(i)); i++) {
		snprintf(type, sizeof(type), "%s:", name);
		complete__offer(completion, type, "the fields of this type of event");
	}
}

static void offer_clocks(struct completion *completion)
{
	const char *name;

	for (u32 i = 0; (name = record_config__clock_name(i)); i++)
		complete__offer(completion, name, NULL);
}

static void offer_registers(struct completion *completion)
{
	u64 mask = arch__here()->dwarf_registers;
	char name[16];

	for (unsigned bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			complete__offer(completion,
			                register__name(arch__here(), bit, name, sizeof(name)),
			                NULL);
}

static void offer_users(struct completion *completion)
{
	struct passwd *user;

	setpwent();
	while ((user = getpwent()))
		complete__offer(completion, user->pw_name, user->pw_gecos);
	endpwent();
}

/* The running processes, each with its comm. */
static void offer_pids(struct completion *completion)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	cut_list(completion, ",");
	while (dir && (entry = readdir(dir))) {
		char path[64], comm[64] = "";
		FILE *file;

		if (strspn(entry->d_name, "0123456789") != strlen(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%.20s/comm", entry->d_name);
		file = fopen(path, "re");
		if (!file)
			continue;
		if (fgets(comm, sizeof(comm), file))
			comm[strcspn(comm, "\n")] = '\0';
		fclose(file);
		complete__offer(completion, entry->d_name, comm);
	}
	if (dir)
		closedir(dir);
}

/* "a|b|c" */
static void offer_words(struct completion *completion, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, "|");
		char word[64];

		snprintf(word, sizeof(word), "%.*s", (int)len, words);
		complete__offer(completion, word, NULL);
		words += len + (words[len] == '|');
	}
}

static void offer_chain_views(struct completion *completion)
{
	cut_list(completion, ",");
	offer_words(completion,
	            "graph|fractal|flat|folded|none|caller|callee|function|address|srcline|"
	            "percent|period|count");
}

static void offer_chain_modes(struct completion *completion)
{
	offer_words(completion, "fp|dwarf|auto|lbr");
}

static void offer_workloads(struct completion *completion)
{
	u32 nr;
	const struct program *all = programs(&nr);

	for (u32 i = 0; i < nr; i++)
		complete__offer(completion, all[i].name,
		                *all[i].arguments ? all[i].arguments : NULL);
}

static void offer_color_modes(struct completion *completion)
{
	offer_words(completion, "always|never|auto");
}

static void offer_max(struct completion *completion)
{
	offer_words(completion, "max");
}

static void offer_time(struct completion *completion)
{
	offer_words(completion, "time");
}

static void offer_writers(struct completion *completion)
{
	offer_words(completion, "cpu|core|package|numa");
}

static void ask_for(const struct completion *completion, const char *what)
{
	printf(":%s %.*s\n", what, completion->head_len, completion->head);
}

static void offer_files(struct completion *completion)
{
	ask_for(completion, "files");
}

static void offer_dirs(struct completion *completion)
{
	ask_for(completion, "dirs");
}

static const struct {
	const char *arg;
	void (*offer)(struct completion *completion);
} kinds[] = {
	{ "event", offer_events },
	{ "pmu", offer_sources },
	{ "metric/metric group", offer_metrics },
	{ "event class or glob", offer_event_classes },
	{ "file", offer_files },
	{ "file list", offer_files },
	{ "dir", offer_dirs },
	{ "user", offer_users },
	{ "clock", offer_clocks },
	{ "register", offer_registers },
	{ "pid", offer_pids },
	{ "pid list", offer_pids },
	{ "pid[,pid...]", offer_pids },
	{ "key[,key2...]", offer_keys },
	{ "key[,key...]", offer_keys },
	{ "[type:]field[,field...]", offer_fields },
	{ "mode[,size]", offer_chain_modes },
	{ "mode,threshold[,limit],order,key,value", offer_chain_views },
	{ "freq or 'max'", offer_max },
	{ "mode", offer_color_modes },
	{ "workload", offer_workloads },
	{ "spec", offer_writers },
	{ "time", offer_time },
};

void complete__value(struct completion *completion, const char *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].arg, arg))
			continue;
		kinds[i].offer(completion);
		return;
	}
	if (strchr(arg, '|') && !strpbrk(arg, "[]<> "))
		offer_words(completion, arg);
}
