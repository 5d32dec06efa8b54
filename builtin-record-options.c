// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of perf record: their table, the texts they take, their defaults in ~/.perfconfig. */
#include "builtin-record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "ui/diag.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

static int parse_event(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	struct recording *recording = &command->recording;
	u32 before = recording->evlist.nr;
	int ret;

	if (unset)
		return error__set(err, -EINVAL, "--no-event means nothing", NULL, "%s", "");
	ret = evlist__parse(&recording->evlist, &recording->sources, arg, err);
	if (!ret)
		command->nr_before_last_event = before;
	return ret;
}

/* A filter belongs to all events of the -e before it; a second one narrows the first. */
static int parse_filter(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	struct evlist *list = &command->recording.evlist;

	if (unset || !list->nr)
		return error__set(err, -EINVAL, "--filter must follow a tracepoint event (-e)", "",
		                  "%s", "");
	for (u32 i = command->nr_before_last_event; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		char *both;

		if (!evsel__is_tracepoint(evsel))
			return error__set(err, -EINVAL, "--filter must follow a tracepoint event",
			                  evsel->name, "it is none");
		both = evsel->filter ? xasprintf("(%s) && (%s)", evsel->filter, arg) : xstrdup(arg);
		evsel__set_text(&evsel->filter, both);
		free(both);
	}
	return 0;
}

static int parse_frequency(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	struct record_config *config = option->value;
	u64 value = 0;

	if (unset) {
		config->frequency = FREQUENCY_DEFAULT;
		config->frequency_set = false;
		return 0;
	}
	config->frequency_set = true;
	if (!strcmp(arg, "max")) {
		config->frequency = record__max_frequency();
		return 0;
	}
	if (text__parse_u64(arg, &value))
		return error__set(err, -EINVAL, "cannot use the frequency", arg,
		                  "not a number of samples per second, nor max");
	config->frequency = value;
	return 0;
}

static int parse_clock(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_config *config = option->value;

	config->clock_set = false;
	return unset ? 0 : record_config__parse_clock(config, arg, err);
}

static int parse_call_graph(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	struct record_command *command = option->value;
	struct record_config *config = &command->recording.config;
	int ret;

	config->chains = CHAIN_NONE;
	ret = unset ? 0 : record_config__parse_chains(config, arg, err);
	if (ret != -EOPNOTSUPP)
		return ret;
	command->refusal = *err; /* right usage, wrong machine: said after parsing */
	return 0;
}

static int parse_g(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	struct record_config *config = &command->recording.config;

	command->call_graph_by_g = !unset;
	if (unset)
		config->chains = CHAIN_NONE;
	else if (config->chains == CHAIN_NONE && command->g_mode)
		return parse_call_graph(option, command->g_mode, false, err);
	else if (config->chains == CHAIN_NONE)
		config->chains = CHAIN_FP;
	(void)arg;
	return 0;
}

/* record.build-id: what becomes of the build-ids of what was measured. */
static int parse_build_id(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct recording *recording = option->value;

	(void)unset;
	if (!strcmp(arg, "mmap"))
		return error__set(err, -EOPNOTSUPP, "cannot do", arg,
		                  "this perf does not have it yet");
	if (strcmp(arg, "cache") && strcmp(arg, "no-cache") && strcmp(arg, "skip"))
		return error__set(err, -EINVAL, "unknown word", arg,
		                  "it is none of cache, no-cache, skip, mmap");
	recording->no_cache = !strcmp(arg, "no-cache");
	recording->no_build_ids = !strcmp(arg, "skip");
	return 0;
}

/* call-graph.dump-size: the bytes of stack that dwarf copies. */
static int parse_dump_size(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	struct record_config *config = option->value, trial = *config;
	char text[64];
	int ret;

	(void)unset;
	snprintf(text, sizeof(text), "dwarf,%s", arg);
	ret = record_config__parse_chains(&trial, text, err);
	config->stack_size = trial.stack_size;
	return ret == -EOPNOTSUPP ? 0 : ret;
}

/* Variables of the configuration; options override them. Both modes only say what -g means. */
int record_options__apply_config(struct record_command *c)
{
	const struct option keys[] = {
		{ .type = OPTION_STRING, .name = "call-graph.record-mode", .value = &c->g_mode },
		{ .type = OPTION_STRING, .name = "record.call-graph", .value = &c->g_mode },
		{ .type = OPTION_CALLBACK,
		  .name = "call-graph.dump-size",
		  .value = &c->recording.config,
		  .parse = parse_dump_size },
		{ .type = OPTION_CALLBACK,
		  .name = "record.build-id",
		  .value = &c->recording,
		  .parse = parse_build_id },
		{ .type = OPTION_END },
	};

	return use_config(keys);
}

static int parse_delay(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	u64 value = 0;

	command->delay_ms = 0;
	if (unset)
		return 0;
	if (!strcmp(arg, "-1")) {
		command->delay_ms = -1;
		return 0;
	}
	if (text__parse_u64(arg, &value) || value > 1000 * 86400)
		return error__set(err, -EINVAL, "-D wants milliseconds", arg, "%s", "");
	command->delay_ms = value;
	return 0;
}

/* -z, -z0: level 1; above the highest: the highest, as with Linux's perf. */
static int parse_compression(const struct option *option, const char *arg, bool unset,
                             struct error *err)
{
	int *level = option->value;
	u64 value = 0;

	if (!unset && text__parse_u64(arg, &value))
		return error__set(err, -EINVAL, "cannot use the compression level", arg,
		                  "not a number from 1 to %d", COMPRESS_LEVEL_MAX);
	*level = unset ? 0 : value ? min_u64(value, COMPRESS_LEVEL_MAX) : 1;
	return 0;
}

static int parse_branches(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct record_command *command = option->value;

	(void)arg;
	(void)err;
	command->branches = !unset;
	return 0;
}

#define CALLBACK(short_, long_, value_, arg_, help_, parse_)                                       \
	{                                                                                          \
		.type = OPTION_CALLBACK, .short_name = (short_), .name = (long_),                  \
		.value = (value_), .arg = (arg_), .help = (help_), .parse = (parse_)               \
	}
#define SIMPLE(type_, short_, long_, value_, arg_, help_)                                          \
	{                                                                                          \
		.type = (type_), .short_name = (short_), .name = (long_), .value = (value_),       \
		.arg = (arg_), .help = (help_)                                                     \
	}
#define FLAG(short_, long_, value_, help_) SIMPLE(OPTION_BOOL, short_, long_, value_, NULL, help_)
#define EXCLUSIVE(long_, value_, help_)                                                            \
	{                                                                                          \
		.type = OPTION_BOOL, .name = (long_), .value = (value_), .help = (help_),          \
		.flags = OPTION_EXCLUSIVE                                                          \
	}
#define TEXT(short_, long_, value_, arg_, help_)                                                   \
	SIMPLE(OPTION_STRING, short_, long_, value_, arg_, help_)

void record_options__make(struct record_command *c, struct option options[RECORD_NR_OPTIONS])
{
	struct record_config *config = &c->recording.config;
	const struct option table[] = {
		{ .type = OPTION_GROUP, .help = "What to sample" },
		CALLBACK('e', "event", c, "event", "event to sample (see 'perf list')",
		         parse_event),
		CALLBACK(0, "filter", c, "filter", "kernel-side filter of the -e before it",
		         parse_filter),
		CALLBACK('F', "freq", config, "freq or 'max'", "samples per second (default 4000)",
		         parse_frequency),
		{ .type = OPTION_U64,
		  .short_name = 'c',
		  .name = "count",
		  .value = &config->period,
		  .arg = "n",
		  .help = "one sample for every n events",
		  .was_set = &config->period_set },
		{ .type = OPTION_CALLBACK,
		  .short_name = 'g',
		  .value = c,
		  .help = "record call graphs by frame pointers (takes no argument)",
		  .flags = OPTION_NO_ARG,
		  .parse = parse_g },
		CALLBACK(0, "call-graph", c, "mode[,size]",
		         "record call graphs: fp[,depth] or dwarf[,bytes of stack]",
		         parse_call_graph),
		FLAG('d', "data", &config->data, "record data addresses and data maps"),
		FLAG('R', "raw-samples", &config->raw, "record raw data of all events"),
		FLAG('T', "timestamp", &config->time, "record times even with --per-thread"),
		FLAG('P', "period", &config->period_field, "record the period of each sample"),
		FLAG(0, "sample-cpu", &config->sample_cpu, "record the CPU of each sample"),
		FLAG('W', "weight", &config->weight, "record the weight of each sample"),
		FLAG(0, "phys-data", &config->phys_data, "record physical data addresses"),
		FLAG(0, "data-page-size", &config->data_page_size, "record sizes of data pages"),
		FLAG(0, "code-page-size", &config->code_page_size, "record sizes of code pages"),
		FLAG('s', "stat", &config->stat, "record counts of each thread at its exit"),
		FLAG('n', "no-samples", &config->no_samples, "count without sampling"),
		EXCLUSIVE("all-user", &config->all_user, "user space only, for all events"),
		EXCLUSIVE("all-kernel", &config->all_kernel, "kernel space only, for all events"),
		FLAG(0, "switch-events", &config->switches, "record context switches"),
		CALLBACK('k', "clockid", config, "clock", "clock of the times: mono, raw, boot ...",
		         parse_clock),
		{ .type = OPTION_CALLBACK,
		  .short_name = 'b',
		  .name = "branch-any",
		  .value = c,
		  .help = "branch stacks (refused: not built yet)",
		  .flags = OPTION_NO_ARG,
		  .parse = parse_branches },
		CALLBACK('j', "branch-filter", c, "filter",
		         "branch stacks (refused: not built yet)", parse_branches),
		{ .type = OPTION_GROUP, .help = "Whom to watch" },
		FLAG('a', "all-cpus", &c->all_cpus, "the whole system"),
		TEXT('C', "cpu", &c->cpus, "list", "these CPUs: 0-3,5"),
		TEXT('p', "pid", &c->pids, "pid list", "these running processes"),
		TEXT('t', "tid", &c->tids, "tid list", "these running threads"),
		TEXT('u', "uid", &c->user, "user", "the processes of this user"),
		FLAG('i', "no-inherit", &config->no_inherit, "do not follow children"),
		FLAG(0, "per-thread", &config->per_thread, "counters of threads, not of CPUs"),
		CALLBACK('D', "delay", c, "ms", "start to sample after this time (-1: never)",
		         parse_delay),
		{ .type = OPTION_GROUP, .help = "How to write it" },
		{ .type = OPTION_STRING,
		  .short_name = 'o',
		  .name = "output",
		  .value = &c->output,
		  .arg = "file",
		  .help = "output file (default perf.data; -: standard output)" },
		TEXT('m', "mmap-pages", &c->ring_pages, "pages",
		     "ring size: pages, or 64K, 2M ..."),
		{ .type = OPTION_BOOL,
		  .short_name = 'N',
		  .name = "no-buildid-cache",
		  .value = &c->recording.no_cache,
		  .help = "do not fill the build-id cache",
		  .was_set = &c->run.cache_said },
		{ .type = OPTION_BOOL,
		  .short_name = 'B',
		  .name = "no-buildid",
		  .value = &c->recording.no_build_ids,
		  .help = "do not collect build-ids",
		  .was_set = &c->run.build_ids_said },
		FLAG(0, "buildid-all", &c->recording.all_build_ids,
		     "build-ids of all mapped files, not only of those with samples"),
		{ .type = OPTION_CALLBACK,
		  .short_name = 'z',
		  .name = "compression-level",
		  .value = &c->recording.compression,
		  .arg = "n",
		  .help = "compress with zstd, level 1 (the default, fast) to 22 (small)",
		  .flags = OPTION_OPTIONAL_ARG,
		  .fallback = "1",
		  .parse = parse_compression },
		FLAG(0, "strict-freq", &c->strict_frequency,
		     "fail if the kernel does not allow the frequency"),
		FLAG(0, "no-bpf-event", &config->no_bpf_event, "no records about BPF programs"),
		FLAG('q', "quiet", &c->say.quiet, "print no messages"),
		SIMPLE(OPTION_COUNT, 'v', "verbose", &c->say.verbose, NULL, "say more"),
		OPTION_NOT_YET('G', "cgroup", "name", 0),
		OPTION_NOT_YET('I', "intr-regs", "register", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET('r', "realtime", "n", 0),
		OPTION_NOT_YET(0, "all-cgroups", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "buildid-mmap", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "clang-opt", "options", 0),
		OPTION_NOT_YET(0, "clang-path", "path", 0),
		OPTION_NOT_YET(0, "exclude-perf", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "group", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "kernel-callchains", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "namespaces", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "no-buffering", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "num-thread-synthesize", "n", 0),
		OPTION_NOT_YET(0, "proc-map-timeout", "n", 0),
		OPTION_NOT_YET(0, "running-time", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "sample-identifier", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "synth", "what", 0),
		OPTION_NOT_YET(0, "threads", "spec", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "timestamp-boundary", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "transaction", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "user-callchains", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "user-regs", "register", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "vmlinux", "file", 0),
		{ .type = OPTION_END },
	};

	_Static_assert(ARRAY_SIZE(table) <= RECORD_NR_OPTIONS, "room for the options");
	memcpy(options, table, sizeof(table));
	record_run__add_options(c, options, RECORD_NR_OPTIONS);
}
