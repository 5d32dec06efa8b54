// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf list: the events for -e on this machine. Words select classes of events (hw, sw ...) or
 * parts of names.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/term/pager.h"
#include "ui/text/event_list.h"
#include "util/buildid/build_id_cache.h"
#include "util/event/pmu.h"
#include "util/lib/alloc.h"
#include "util/lib/output_file.h"
#include "util/lib/text.h"
#include "util/sdt/sdt.h"
#include "util/stat/metric_set.h"

static const char *const usage[] = {
	"perf list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|event_glob]", NULL
};

static struct {
	bool descriptions, debug, deprecated, details, names, json;
	int verbose;
	const char *output, *unit, *cputype;
} opts = { .descriptions = true };

static const struct option options[] = {
	OPT_BOOL('d', "desc", &opts.descriptions,
	         "print descriptions (the default; --no-desc: none)"),
	OPT_COUNT('v', "long-desc", &opts.verbose,
	          "print longer descriptions, and events that cannot be counted here, with "
	          "the reason"),
	OPT_STRING(0, "cputype", &opts.cputype, "core|atom",
	           "on hybrid machines: list events of this kind of CPU (core, atom)"),
	OPT_BOOL(0, "debug", &opts.debug, "accepted; has no effect"),
	OPT_BOOL(0, "deprecated", &opts.deprecated, "also list deprecated events"),
	OPT_BOOL(0, "details", &opts.details,
	         "print the encoding: type and config, terms, scale and unit"),
	OPT_BOOL('j', "json", &opts.json, "print JSON"),
	OPT_STRING('o', "output", &opts.output, "file", "write to this file"),
	OPT_BOOL(0, "raw-dump", &opts.names, "print only the names, on one line"),
	OPT_STRING(0, "unit", &opts.unit, "pmu", "list only events of this PMU"),
	{ OPTION_END },
};

/* What a word chooses. */
struct selection {
	const char *glob; /* over names; NULL: all */
	char *sys;        /* over the systems of tracepoints; NULL: @glob looks at all */
	bool missing;     /* events that cannot be counted, too */
	bool classes[EVENT_CLASS_NR];
};

struct list_command {
	struct event_sources sources;
	struct catalog catalog;
	struct event_list list;
	struct out out;
	const struct selection *selection;
	bool said_tracefs, said_missing;
};

static const struct {
	const char *words[2];
	enum event_class classes[2];
} class_words[] = {
	{ { "hw", "hardware" }, { EVENT_CLASS_HARDWARE, EVENT_CLASS_HARDWARE } },
	{ { "sw", "software" }, { EVENT_CLASS_SOFTWARE, EVENT_CLASS_TOOL } },
	{ { "tool", "tool" }, { EVENT_CLASS_TOOL, EVENT_CLASS_TOOL } },
	{ { "cache", "hwcache" }, { EVENT_CLASS_CACHE, EVENT_CLASS_CACHE } },
	{ { "pmu", "pmu" }, { EVENT_CLASS_PMU, EVENT_CLASS_TABLE } },
	{ { "metric", "metrics" }, { EVENT_CLASS_METRIC, EVENT_CLASS_METRIC } },
	{ { "metricgroup", "metricgroups" }, { EVENT_CLASS_METRICGROUP, EVENT_CLASS_METRICGROUP } },
	{ { "tracepoint", "tracepoint" }, { EVENT_CLASS_TRACEPOINT, EVENT_CLASS_TRACEPOINT } },
	{ { "sdt", "sdt" }, { EVENT_CLASS_SDT, EVENT_CLASS_SDT } },
};

/* The events of PMUs are found in any case, as in Linux's perf. */
static bool fits_any_case(const char *glob, const char *name)
{
	return name && !fnmatch(glob, name, FNM_CASEFOLD);
}

/* The part behind "msr/" or "sched:" counts as a name, too. */
static bool matches(const struct selection *selection, const struct catalog_entry *entry)
{
	const char *colon;

	if (!selection->glob)
		return true;
	if (entry->is_shape)
		return false;
	if (entry->class == EVENT_CLASS_TRACEPOINT) {
		colon = strchr(entry->name, ':');
		return text__glob(selection->glob, colon ? colon + 1 : entry->name);
	}
	if (selection->sys) { /* SDT events: the others have no such names */
		colon = strchr(entry->name, ':');
		char *sys = colon ? strndup(entry->name, colon - entry->name) : NULL;
		bool fits = sys && text__glob(selection->sys, sys) &&
		            text__glob(selection->glob, colon + 1);

		free(sys);
		return fits;
	}
	if (entry->class == EVENT_CLASS_PMU || entry->class == EVENT_CLASS_TABLE)
		return fits_any_case(selection->glob, entry->name) ||
		       fits_any_case(selection->glob, entry->alias);
	return text__glob(selection->glob, entry->name) ||
	       (entry->alias && text__glob(selection->glob, entry->alias));
}

static void show(void *ctx, const struct catalog_entry *entry)
{
	struct list_command *cmd = ctx;

	if (!matches(cmd->selection, entry))
		return;
	if (entry->missing && !cmd->selection->missing) {
		/* All gone for lack of rights: an empty list must not look like the truth. */
		if (entry->class == EVENT_CLASS_SOFTWARE && !cmd->said_missing &&
		    cmd->catalog.reason.advice[0])
			diag__say_warning("software events are not listed: %s\n  %s",
			                  entry->missing, cmd->catalog.reason.advice);
		cmd->said_missing |= entry->class == EVENT_CLASS_SOFTWARE;
		return;
	}
	event_list__print(&cmd->list, entry);
}

static void show_tracepoints(struct list_command *cmd)
{
	const struct selection *selection = cmd->selection;
	struct error err = ERROR_INIT;

	if (!catalog__tracepoints(&cmd->catalog, selection->sys ? selection->sys : "*",
	                          selection->glob ? selection->glob : "*", show, cmd, &err))
		return;
	if (!cmd->said_tracefs) {
		char what[sizeof(err.what)];

		cmd->said_tracefs = true;
		snprintf(what, sizeof(what), "tracepoints are not listed: %.60s", err.what);
		memcpy(err.what, what, sizeof(what));
		diag__warning(&err);
	}
}

/* An event by its first place. Where several objects have it each is listed, by its path. */
static void show_sdt(void *ctx, const struct sdt_event *event)
{
	struct list_command *cmd = ctx;
	struct catalog_entry entry = { .class = EVENT_CLASS_SDT, .name = event->name };
	char hex[BUILD_ID_HEX_SIZE], *full;

	if (event->nr || !matches(cmd->selection, &entry))
		return;
	if (cmd->catalog.details)
		entry.encoding = event->location;
	full = event->ambiguous ? xasprintf("%s@%s(%.12s)", event->name, event->path,
	                                    build_id__hex(&event->id, hex))
	                        : NULL;
	if (full)
		entry.name = full;
	event_list__print(&cmd->list, &entry);
	free(full);
}

static void show_all_sdt(struct list_command *cmd)
{
	perf_config(); /* buildid.dir */
	char *dir = build_id_cache__dir(NULL, NULL);
	int ret = dir ? sdt_events__list(dir, show_sdt, cmd) : 0;

	if (ret)
		diag__say_warning(
		        "SDT events are not listed: cannot read the build-id cache '%s': %s", dir,
		        strerror(-ret));
	free(dir);
}

/* Why the events of @metric cannot be counted, or NULL. The text is @err's, or the catalog's. */
static const char *why_no_metric(struct list_command *cmd, const struct table_metric *metric,
                                 struct error *err)
{
	struct metric_set set = { .nr_groups = 0 };
	struct evlist list = { .nr = 0 };
	const char *missing = NULL;

	if (metric_set__add(&set, &list, &cmd->sources, metric->name, err))
		missing = err->cause;
	for (u32 i = 0; i < list.nr && !missing; i++)
		missing = catalog__why_missing(&cmd->catalog, list.evsels[i]);
	metric_set__exit(&set);
	evlist__exit(&list);
	return missing;
}

static void show_metrics(struct list_command *cmd)
{
	const struct event_table *table = event_sources__table(&cmd->sources);

	for (u32 i = 0; i < table->nr_metrics; i++) {
		const struct table_metric *metric = &table->metrics[i];
		struct error err = ERROR_INIT;
		struct catalog_entry entry = { .class = EVENT_CLASS_METRIC,
			                       .name = metric->name,
			                       .topic = metric->topic,
			                       .groups = *metric->groups ? metric->groups : NULL,
			                       .brief = metric->brief,
			                       .description = metric->details,
			                       .unit = metric->unit };

		if (!matches(cmd->selection, &entry))
			continue;
		entry.missing = why_no_metric(cmd, metric, &err);
		entry.encoding = cmd->catalog.details ? metric->formula : NULL;
		show(cmd, &entry);
	}
}

static void show_metric_groups(struct list_command *cmd)
{
	u32 nr;
	const char **groups = event_table__groups(event_sources__table(&cmd->sources), &nr);

	for (u32 i = 0; i < nr; i++)
		show(cmd, &(struct catalog_entry){ .class = EVENT_CLASS_METRICGROUP,
		                                   .name = groups[i] });
	free(groups);
}

/* What could not be read of the tables, and with -v whose they are. */
static void say_of_tables(const struct list_command *cmd)
{
	const struct event_table *table = cmd->sources.table;

	if (!table)
		return;
	for (u32 i = 0; i < table->nr_problems && i < TABLE_PROBLEMS_MAX; i++)
		diag__say_warning("event table: %s", table->problems[i]);
	if (table->nr_problems > TABLE_PROBLEMS_MAX)
		diag__say_warning("event table: %u more mistakes",
		                  table->nr_problems - TABLE_PROBLEMS_MAX);
	if (opts.verbose && !table->folder)
		diag__say_warning("there is no event table for this processor ('%s') in '%s'",
		                  table->cpu, table->root);
}

static void show_selection(struct list_command *cmd, const struct selection *selection)
{
	cmd->selection = selection;
	for (enum event_class class = 0; class < EVENT_CLASS_NR; class ++) {
		if (!selection->classes[class])
			continue;
		if (class == EVENT_CLASS_TRACEPOINT)
			show_tracepoints(cmd);
		else if (class == EVENT_CLASS_SDT)
			show_all_sdt(cmd);
		else if (class == EVENT_CLASS_METRIC)
			show_metrics(cmd);
		else if (class == EVENT_CLASS_METRICGROUP)
			show_metric_groups(cmd);
		else
			catalog__each(&cmd->catalog, class, show, cmd);
		event_list__end_section(&cmd->list, class);
	}
}

/* A glob with a colon is one over tracepoints, else the word may stand anywhere in a name. */
static void show_matching(struct list_command *cmd, const char *word)
{
	struct selection selection = { .missing = opts.verbose };
	const char *colon = strchr(word, ':');
	u64 before = cmd->list.nr;
	char *glob = NULL;

	if (colon) {
		selection.classes[EVENT_CLASS_TRACEPOINT] = true;
		selection.classes[EVENT_CLASS_SDT] = true;
		selection.sys = strndup(word, colon - word);
		selection.glob = colon + 1;
	} else {
		for (enum event_class class = 0; class < EVENT_CLASS_METRICGROUP; class ++)
			selection.classes[class] = true;
		selection.glob = glob = xasprintf("*%s*", word);
	}
	show_selection(cmd, &selection);
	free(selection.sys);
	free(glob);
	if (cmd->list.nr == before && !cmd->said_tracefs)
		diag__say_warning("no event that can be counted here fits '%s'%s", word,
		                  opts.verbose ? "" : " (-v shows the others, too)");
}

static void show_word(struct list_command *cmd, const char *word)
{
	struct selection selection = { .missing = opts.verbose };

	for (size_t i = 0; i < ARRAY_SIZE(class_words); i++) {
		if (strcmp(class_words[i].words[0], word) && strcmp(class_words[i].words[1], word))
			continue;
		selection.classes[class_words[i].classes[0]] = true;
		selection.classes[class_words[i].classes[1]] = true;
		/* Who asks for hardware by name shall see why there is none. */
		if (class_words[i].classes[0] == EVENT_CLASS_HARDWARE ||
		    class_words[i].classes[0] == EVENT_CLASS_METRIC ||
		    class_words[i].classes[0] == EVENT_CLASS_CACHE)
			selection.missing = !opts.names;
		show_selection(cmd, &selection);
		return;
	}
	show_matching(cmd, word);
}

static bool is_of_group(const struct table_metric *metric, const char *group)
{
	size_t len = strlen(group);

	for (const char *at = metric->groups; *at; at += strcspn(at, ";"), at += *at == ';')
		if (!strncmp(at, group, len) && (!at[len] || at[len] == ';'))
			return true;
	return false;
}

/* Which metrics -M GROUP means: behind everything, for people. */
static void show_group_members(struct list_command *cmd)
{
	const struct event_table *table = event_sources__table(&cmd->sources);
	u32 nr;
	const char **groups = event_table__groups(cmd->sources.table, &nr);

	if (nr)
		out__str(&cmd->out,
		         cmd->list.spaced ? "Metric Groups:\n\n" : "\nMetric Groups:\n\n");
	for (u32 i = 0; i < nr; i++) {
		out__name(&cmd->out, groups[i]);
		out__str(&cmd->out, ":\n");
		for (u32 j = 0; j < table->nr_metrics; j++) {
			if (!is_of_group(&table->metrics[j], groups[i]))
				continue;
			out__str(&cmd->out, "  ");
			out__name(&cmd->out, table->metrics[j].name);
			out__char(&cmd->out, '\n');
		}
	}
	free(groups);
}

static void show_all(struct list_command *cmd)
{
	struct selection selection = { .missing = opts.verbose };

	for (enum event_class class = 0; class < EVENT_CLASS_METRICGROUP; class ++)
		selection.classes[class] = true;
	show_selection(cmd, &selection);
	if (cmd->list.style == EVENT_LIST_TEXT)
		show_group_members(cmd);
}

/* --unit and --cputype choose among event sources. The text is static. */
static const char *chosen_pmu(const struct event_sources *sources)
{
	static char name[128];
	char **names = NULL;
	u32 nr;

	if (!opts.cputype)
		return opts.unit;
	snprintf(name, sizeof(name), "cpu_%s", opts.cputype);
	nr = pmu__find_all(sources->sysfs, name, &names);
	pmu__free_names(names, nr);
	if (nr)
		return name;
	diag__say_warning("there is no event source '%s': this machine has one kind of CPUs", name);
	return opts.unit;
}

static int finish(struct list_command *cmd, struct output_file *file)
{
	int ret = out__flush(&cmd->out);

	out__exit(&cmd->out);
	if (opts.output) {
		int closed = output_file__close(file, !ret);

		ret = ret ? ret : closed;
	}
	return diag__cannot_write(ret, "cannot write the list", opts.output);
}

int cmd_list(int argc, const char **argv)
{
	struct list_command cmd = { .sources = EVENT_SOURCES_INIT };
	int rest, ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);
	struct output_file file = { .fd = STDOUT_FILENO };
	struct error err = ERROR_INIT;

	if (ret)
		return ret;
	if (opts.json && opts.names) {
		diag__say_error("--json and --raw-dump exclude each other");
		return command_line__usage(NULL, usage, options, "-j");
	}
	if (opts.output &&
	    output_file__open(&file, opts.output, OUTPUT_FILE_REPLACE, 0666, NULL, &err)) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	out__init(&cmd.out, file.fd);
	catalog__init(&cmd.catalog, &cmd.sources);
	cmd.catalog.pmu = chosen_pmu(&cmd.sources);
	cmd.catalog.details = opts.details || opts.json;
	cmd.catalog.deprecated = opts.deprecated;
	cmd.list = (struct event_list){
		.out = &cmd.out,
		.style = opts.json    ? EVENT_LIST_JSON
		         : opts.names ? EVENT_LIST_NAMES
		                      : EVENT_LIST_TEXT,
		.spaced = pager__is_on() && !opts.output,
		.descriptions = opts.descriptions,
		.long_descriptions = opts.verbose,
	};
	event_list__begin(&cmd.list);
	if (rest == argc)
		show_all(&cmd);
	for (int i = rest; i < argc; i++)
		show_word(&cmd, argv[i]);
	event_list__end(&cmd.list);
	ret = finish(&cmd, &file);
	say_of_tables(&cmd);
	catalog__exit(&cmd.catalog);
	event_sources__exit(&cmd.sources);
	return ret;
}
