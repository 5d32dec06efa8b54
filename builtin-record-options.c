// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of perf record: their table, the texts they take, their defaults in ~/.perfconfig. */
#include "builtin-record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "builtin.h"
#include "ui/options/filter_option.h"
#include "ui/term/diag.h"
#include "util/event/cgroup.h"
#include "util/event/registers.h"
#include "util/event/terms.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/writer/compress.h"

static int parse_event(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	struct recording *recording = &command->recording;
	int ret;

	if (unset)
		return error__set(err, -EINVAL, "--no-event means nothing", NULL, "%s", "");
	ret = evlist__parse(&recording->wish.evlist, &recording->wish.sources, arg, err);
	if (!ret)
		command->nr_before_last_event = recording->wish.evlist.last;
	return ret;
}

/* A filter belongs to all events of the -e before it. */
static int parse_filter(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	struct recording_wish *wish = &command->recording.wish;

	if (unset)
		return error__set(err, -EINVAL, "--no-filter means nothing", NULL, "%s", "");
	return filter_option__add_to_samples(
	        "--filter", &wish->evlist, command->nr_before_last_event, &wish->sources, arg, err);
}

/* perf's own events stay away from the events of the -e before it. */
static int parse_exclude_perf(const struct option *option, const char *arg, bool unset,
                              struct error *err)
{
	struct record_command *command = option->value;
	struct recording_wish *wish = &command->recording.wish;
	char filter[64];

	(void)arg;
	if (unset)
		return 0;
	snprintf(filter, sizeof(filter), "common_pid != %d", (int)getpid());
	return filter_option__add("--exclude-perf", &wish->evlist, command->nr_before_last_event,
	                          &wish->sources, filter, err);
}

/* --user-regs, --intr-regs: all, or a list; "?" asks which there are. */
static int parse_registers(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	struct record_command *command = option->value;
	struct record_config *config = &command->recording.wish.config;
	u64 *mask = option->short_name == 'I' ? &config->regs_intr : &config->regs_user;
	u64 all = arch__here()->dwarf_registers;

	*mask = 0;
	if (unset)
		return 0;
	if (!all)
		return error__set(err, -EINVAL, "cannot sample registers", NULL,
		                  "not known for this architecture");
	if (!arg) {
		*mask = all;
		return 0;
	}
	if (!strcmp(arg, "?")) {
		command->list_registers = true;
		return 0;
	}
	if (registers__parse(arg, all, mask, err))
		return error__advise(err, "--%s=? lists them", option->name);
	return 0;
}

static int parse_cgroup(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;

	command->by_cgroup = !unset;
	return unset ? 0
	             : evlist__set_cgroups(&command->recording.wish.evlist, &command->next_cgroup,
	                                   arg, err);
}

static int parse_synth(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct recording *recording = option->value;

	recording->wish.synth = SYNTH_ALL;
	return unset ? 0 : recording__parse_synth(recording, arg, err);
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
	struct record_config *config = &command->recording.wish.config;
	int ret;

	config->chains = CHAIN_NONE;
	ret = unset ? 0 : record_config__parse_chains(config, arg, err);
	if (ret != -EOPNOTSUPP)
		return ret;
	command->refusal = *err; /* right usage, wrong machine: said after parsing */
	return 0;
}

static int parse_unwind_live(const struct option *option, const char *arg, bool unset,
                             struct error *err)
{
	struct recording *recording = option->value;

	recording->wish.config.unwind_live = !unset;
	return unset || !arg ? 0
	                     : record__parse_size(arg, &recording->wish.live_limit,
	                                          "cannot limit what waits to", err);
}

static int parse_g(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;
	struct record_config *config = &command->recording.wish.config;

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
	if (strcmp(arg, "cache") && strcmp(arg, "no-cache") && strcmp(arg, "skip") &&
	    strcmp(arg, "mmap"))
		return error__set(err, -EINVAL, "unknown word", arg,
		                  "it must be one of cache, no-cache, skip, mmap");
	recording->wish.no_cache = !strcmp(arg, "no-cache");
	recording->wish.no_build_ids = !strcmp(arg, "skip");
	recording->wish.config.build_id_mmap = !strcmp(arg, "mmap");
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
		OPT_KEY(OPTION_STRING, "call-graph.record-mode", &c->g_mode),
		OPT_KEY(OPTION_STRING, "record.call-graph", &c->g_mode),
		OPT_KEY(OPTION_CALLBACK, "call-graph.dump-size", &c->recording.wish.config,
		        .parse = parse_dump_size),
		OPT_KEY(OPTION_CALLBACK, "record.build-id", &c->recording, .parse = parse_build_id),
		{ .type = OPTION_END },
	};

	return use_config(keys);
}

static int parse_delay(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_command *command = option->value;

	return unset ? record_delay__parse(&command->delay, "0", err)
	             : record_delay__parse(&command->delay, arg, err);
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

/* "1%", "0.5" */
static int parse_max_loss(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct record_command *command = option->value;
	char *end;

	command->max_loss = -1;
	if (unset)
		return 0;
	command->max_loss = strtod(arg, &end);
	if (end == arg || strcmp(end + (*end == '%'), "") || !(command->max_loss >= 0) ||
	    command->max_loss > 100)
		return error__set(err, -EINVAL, "--max-loss wants a percentage from 0 to 100", arg,
		                  "%s", "");
	return 0;
}

/* -b is -j any. */
static int parse_branches(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct record_config *config = option->value;

	if (!unset && config->branch_type)
		return error__set(err, -EINVAL, "cannot record branch stacks", NULL,
		                  "-b and -j exclude each other, and -j is given once: -j any,u");
	config->branch_type = 0;
	if (unset)
		return 0;
	if (!parse_branch_types(arg ? arg : "any", &config->branch_type, err))
		return 0;
	return error__set(err, -EINVAL, "cannot record branch stacks", NULL, "%s", err->cause);
}

/* Rows of @table behind those that are there. */
static void add_rows(struct option *options, const struct option *table, size_t nr)
{
	size_t at = 0;

	while (options[at].type != OPTION_END)
		at++;
	BUG_ON(at + nr >= RECORD_NR_OPTIONS);
	memcpy(options + at, table, nr * sizeof(*table));
	options[at + nr] = (struct option){ .type = OPTION_END };
}

/* Which events, and how often. */
static void add_event_options(struct record_command *c, struct option *options)
{
	struct record_config *config = &c->recording.wish.config;
	const struct option table[] = {
		OPT_GROUP("What to sample"),
		OPT_CALLBACK('e', "event", c, "event", "event to sample (see 'perf list')",
		             parse_event),
		OPT_CALLBACK(0, "filter", c, "filter", "filter the preceding event in the kernel",
		             parse_filter),
		OPT_STRING(0, "setup-filter", &c->setup_filter, "pin|unpin",
		           "let users without rights filter samples, too (records nothing)"),
		OPT_CALLBACK(0, "exclude-perf", c, NULL, "omit what perf itself does (tracepoints)",
		             parse_exclude_perf, .flags = OPTION_NO_ARG),
		OPT_CALLBACK('F', "freq", config, "freq or 'max'",
		             "take this many samples per second (default: 4000)", parse_frequency),
		OPT_BOOL(0, "strict-freq", &c->strict_frequency,
		         "fail if the kernel does not allow the frequency"),
		OPT_U64('c', "count", &config->period, "n", "take one sample every n events",
		        .was_set = &config->period_set),
		OPT_BOOL('n', "no-samples", &config->no_samples, "count without sampling"),
		OPT_BOOL(0, "group", &config->group, "put all events into one group"),
		OPT_BOOL(0, "all-user", &config->all_user, "sample user space only",
		         .flags = OPTION_EXCLUSIVE),
		OPT_BOOL(0, "all-kernel", &config->all_kernel, "sample kernel space only",
		         .flags = OPTION_EXCLUSIVE),
	};

	add_rows(options, table, ARRAY_SIZE(table));
}

/* What each sample carries. */
static void add_sample_options(struct record_command *c, struct option *options)
{
	struct record_config *config = &c->recording.wish.config;
	const struct option table[] = {
		OPT_GROUP("What a sample carries"),
		OPT_CALLBACK('g', NULL, c, NULL,
		             "record call graphs by frame pointers (takes no argument)", parse_g,
		             .flags = OPTION_NO_ARG),
		OPT_CALLBACK(0, "call-graph", c, "mode[,size]",
		             "record call graphs: fp[,depth], dwarf[,bytes of stack] or auto",
		             parse_call_graph),
		OPT_CALLBACK(0, "unwind-live", &c->recording, "size[BKMG]",
		             "with dwarf: unwind while recording; buffer at most this much "
		             "(default: 64M)",
		             parse_unwind_live, .flags = OPTION_OPTIONAL_ARG),
		OPT_BOOL(0, "kernel-callchains", &config->kernel_chains,
		         "record only the kernel's part of call graphs"),
		OPT_BOOL(0, "user-callchains", &config->user_chains,
		         "record only the user's part of call graphs"),
		OPT_BOOL('d', "data", &config->data, "record data addresses and data maps"),
		OPT_BOOL(0, "data-mmap", &config->data_maps, "record maps of data, too"),
		OPT_BOOL('R', "raw-samples", &config->raw, "record raw data of all events"),
		OPT_BOOL('T', "timestamp", &config->time, "record times even with --per-thread"),
		OPT_BOOL('P', "period", &config->period_field, "record the period of each sample"),
		OPT_BOOL(0, "sample-cpu", &config->sample_cpu, "record the CPU of each sample"),
		OPT_BOOL(0, "sample-identifier", &config->sample_identifier,
		         "record the id of the event in each sample"),
		OPT_BOOL('W', "weight", &config->weight, "record the weight of each sample"),
		OPT_BOOL(0, "transaction", &config->transaction,
		         "record the flags of hardware transactions"),
		OPT_BOOL(0, "phys-data", &config->phys_data, "record physical data addresses"),
		OPT_BOOL(0, "data-page-size", &config->data_page_size,
		         "record sizes of data pages"),
		OPT_BOOL(0, "code-page-size", &config->code_page_size,
		         "record sizes of code pages"),
		OPT_CALLBACK('I', "intr-regs", c, "register",
		             "record registers at the interrupt (=? lists them)", parse_registers,
		             .flags = OPTION_OPTIONAL_ARG),
		OPT_CALLBACK(0, "user-regs", c, "register",
		             "record registers of user space (=? lists them)", parse_registers,
		             .flags = OPTION_OPTIONAL_ARG),
		OPT_BOOL(0, "running-time", &config->running_time,
		         "with :S, also record how long the counters ran"),
		OPT_CALLBACK('k', "clockid", config, "clock",
		             "take times from this clock: mono, raw, boot ...", parse_clock),
		OPT_CALLBACK('b', "branch-any", config, NULL,
		             "record the branches that led to each sample", parse_branches,
		             .flags = OPTION_NO_ARG),
		OPT_CALLBACK(
		        'j', "branch-filter", config, "filter",
		        "record branches of these kinds: any, any_call, any_ret, cond, u, k ...",
		        parse_branches),
	};

	add_rows(options, table, ARRAY_SIZE(table));
}

/* Records about the tasks, beside the samples. */
static void add_side_band_options(struct record_command *c, struct option *options)
{
	struct recording *recording = &c->recording;
	struct record_config *config = &recording->wish.config;
	const struct option table[] = {
		OPT_GROUP("What is recorded beside samples"),
		OPT_BOOL('s', "stat", &config->stat, "record counts of each thread at its exit"),
		OPT_BOOL(0, "switch-events", &config->switches, "record context switches"),
		OPT_BOOL(0, "latency", &config->switches,
		         "record context switches, for the wall-clock shares of report "
		         "--latency"),
		OPT_BOOL(0, "namespaces", &config->namespaces, "record the namespaces of tasks"),
		OPT_BOOL(0, "all-cgroups", &config->cgroups,
		         "record cgroups, and the cgroup of each sample"),
		OPT_BOOL(0, "no-bpf-event", &config->no_bpf_event,
		         "omit records about BPF programs"),
		OPT_CALLBACK(0, "synth", recording, "no|all|task|mmap|cgroup",
		             "synthesize records of what existed before (default: all)",
		             parse_synth),
		OPT_UINT(0, "num-thread-synthesize", &c->synth_threads, "n",
		         "accepted; one is enough"),
		OPT_UINT(0, "proc-map-timeout", &c->proc_map_timeout, "ms",
		         "accepted; maps are read without a time limit"),
	};

	add_rows(options, table, ARRAY_SIZE(table));
}

static void add_target_options(struct record_command *c, struct option *options)
{
	struct record_config *config = &c->recording.wish.config;
	const struct option table[] = {
		OPT_GROUP("Whom to watch"),
		OPT_BOOL('a', "all-cpus", &c->all_cpus, "sample the whole system"),
		OPT_STRING('C', "cpu", &c->cpus, "list", "sample these CPUs: 0-3,5"),
		OPT_STRING('p', "pid", &c->pids, "pid list", "sample these running processes"),
		OPT_STRING('t', "tid", &c->tids, "tid list", "sample these running threads"),
		OPT_CALLBACK('G', "cgroup", c, "name",
		             "sample only tasks of this cgroup, for the preceding event "
		             "(with -a)",
		             parse_cgroup),
		OPT_STRING('u', "uid", &c->user, "user", "sample the processes of this user"),
		OPT_BOOL('i', "no-inherit", &config->no_inherit, "do not follow children"),
		OPT_BOOL(0, "per-thread", &config->per_thread,
		         "open counters per thread, not per CPU"),
		OPT_CALLBACK('D', "delay", c, "ms",
		             "start sampling after this time (-1: never), or sample in "
		             "ranges: 10-20,30-40",
		             parse_delay),
	};

	add_rows(options, table, ARRAY_SIZE(table));
}

static void add_output_options(struct record_command *c, struct option *options)
{
	struct record_config *config = &c->recording.wish.config;
	const struct option table[] = {
		OPT_GROUP("How to write it"),
		OPT_STRING('o', "output", &c->output, "file",
		           "output file (default perf.data; -: standard output)"),
		OPT_STRING('m', "mmap-pages", &c->ring_pages, "pages",
		           "use rings of this size: pages, or 64K, 2M ..."),
		OPT_BOOL(0, "no-buffering", &config->no_buffering, "write each sample at once"),
		OPT_UINT('r', "realtime", &c->realtime, "n",
		         "run perf with this real-time priority"),
		OPT_BOOL('N', "no-buildid-cache", &c->recording.wish.no_cache,
		         "do not fill the build-id cache", .was_set = &c->run.cache_said),
		OPT_BOOL('B', "no-buildid", &c->recording.wish.no_build_ids,
		         "do not collect build-ids", .was_set = &c->run.build_ids_said),
		OPT_BOOL(0, "buildid-all", &c->recording.wish.all_build_ids,
		         "store build-ids of all mapped files, not only of those hit by samples"),
		OPT_CALLBACK('z', "compression-level", &c->recording.wish.compression, "n",
		             "compress with zstd, level 1 (the default, fast) to 22 (small)",
		             parse_compression, .flags = OPTION_OPTIONAL_ARG, .fallback = "1"),
		OPT_BOOL(0, "buildid-mmap", &config->build_id_mmap,
		         "store build-ids in the records about maps"),
		OPT_BOOL(0, "bundle", &c->bundle,
		         "store the symbols and source lines that the samples need in the file"),
		OPT_BOOL(0, "timestamp-boundary", &c->recording.wish.boundary,
		         "store the times of the first and last sample (always done)"),
		OPT_CALLBACK(0, "max-loss", c, "percent",
		             "exit with status 1 if a larger share of the events was lost",
		             parse_max_loss),
		OPT_BOOL('q', "quiet", &c->say.quiet, "print no messages"),
		OPT_COUNT('v', "verbose", &c->say.verbose, "print more details"),
	};

	add_rows(options, table, ARRAY_SIZE(table));
}

/* Of Linux's perf: without effect here. */
static void add_hidden_options(struct record_command *c, struct option *options)
{
	const struct option table[] = {
		OPT_STRING(0, "clang-path", &c->unused, "path", "accepted, without effect",
		           .flags = OPTION_HIDDEN),
		OPT_STRING(0, "clang-opt", &c->unused, "options", "accepted, without effect",
		           .flags = OPTION_HIDDEN),
		OPT_STRING(0, "vmlinux", &c->unused, "file", "accepted, without effect",
		           .flags = OPTION_HIDDEN),
	};

	add_rows(options, table, ARRAY_SIZE(table));
}

void record_options__make(struct record_command *c, struct option options[RECORD_NR_OPTIONS])
{
	options[0] = (struct option){ .type = OPTION_END };
	add_event_options(c, options);
	add_sample_options(c, options);
	add_side_band_options(c, options);
	add_target_options(c, options);
	add_output_options(c, options);
	add_hidden_options(c, options);
	record_run__add_options(c, options, RECORD_NR_OPTIONS);
}
