// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "arch/arch.h"
#include "util/event/parse.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

u64 record__max_frequency(void)
{
	u64 value;

	return file__read_u64("/proc/sys/kernel/perf_event_max_sample_rate", &value) ? 0 : value;
}

/* ---- option texts ---- */

static int parse_dwarf_size(struct record_config *config, const char *text, struct error *err)
{
	u64 size = 0;

	if (text__parse_u64(text, &size) || !size || size > STACK_SIZE_MAX) {
		error__set(err, -EINVAL, "bad stack size", text, "it must be from 1 to %d bytes",
		           STACK_SIZE_MAX);
		return error__advise(err, "for example: --call-graph dwarf,%d", STACK_SIZE_DEFAULT);
	}
	config->stack_size = round_up_u64(size, 8);
	return 0;
}

int record_config__parse_chains(struct record_config *config, const char *text, struct error *err)
{
	const char *rest = text + strcspn(text, ",");
	size_t len = rest - text;
	u64 depth;

	rest += *rest == ',';
	if (!strcmp(text, "lbr")) {
		config->chains = CHAIN_LBR;
		return 0;
	}
	if (len == 2 && !memcmp(text, "no", 2)) {
		config->chains = CHAIN_NONE;
		return 0;
	}
	if (len == 2 && !memcmp(text, "fp", 2)) {
		config->chains = CHAIN_FP;
		if (!*rest)
			return 0;
		if (text__parse_u64(rest, &depth) || !depth || depth > UINT16_MAX)
			return error__set(err, -EINVAL, "bad stack depth", rest, "not a number");
		config->max_stack = depth;
		return 0;
	}
	if (len == 5 && !memcmp(text, "dwarf", 5)) {
		if (!arch__here()->dwarf_registers)
			return error__set(err, -EOPNOTSUPP, "cannot record call graphs by", "dwarf",
			                  "not known for this architecture");
		config->chains = CHAIN_DWARF;
		return *rest ? parse_dwarf_size(config, rest, err) : 0;
	}
	if (!strcmp(text, "auto")) {
		if (!arch__here()->dwarf_registers)
			return error__set(err, -EOPNOTSUPP, "cannot choose call graphs by", text,
			                  "not known for this architecture");
		config->chains = CHAIN_AUTO;
		return 0;
	}
	error__set(err, -EINVAL, "unknown call-graph mode", text,
	           "it must be one of fp, dwarf, auto, lbr");
	return error__advise(err, "for example: --call-graph dwarf,4096");
}

static const struct {
	const char *name;
	s32 clock;
} clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC },
	{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
	{ "mono", CLOCK_MONOTONIC },
	{ "raw", CLOCK_MONOTONIC_RAW },
	{ "real", CLOCK_REALTIME },
	{ "boot", CLOCK_BOOTTIME },
};

const char *record_config__clock_name(u32 i)
{
	return i < ARRAY_SIZE(clocks) ? clocks[i].name : NULL;
}

int record_config__parse_clock(struct record_config *config, const char *text, struct error *err)
{
	const char *name = strncasecmp(text, "clock_", 6) ? text : text + 6;
	u64 number;

	if (!text__parse_u64(text, &number) && number <= INT32_MAX) {
		config->clock = number;
		config->clock_set = true;
		return 0;
	}
	for (u32 i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (strcasecmp(name, clocks[i].name))
			continue;
		config->clock = clocks[i].clock;
		config->clock_set = true;
		return 0;
	}
	error__set(err, -EINVAL, "unknown clock", text, "%s", "not in the list");
	return error__advise(err, "known clocks: mono, raw, boot, real, tai");
}

/* ---- attrs ---- */

static void set_rate(const struct record_config *config, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;
	bool single =
	        evsel__is_tracepoint(evsel) || evsel->probe_path ||
	        attr->type == PERF_TYPE_BREAKPOINT ||
	        (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_BPF_OUTPUT);

	if (evsel->user_period) {
		; /* terms period= and freq= win */
	} else if (config->period) {
		attr->sample_period = config->period;
	} else if (single && !config->frequency_set) {
		attr->sample_period = 1;
	} else {
		attr->freq = 1;
		attr->sample_freq = config->frequency;
	}
	if (config->no_samples && !evsel->user_period)
		attr->sample_period = 0; /* or frequency, and the rest as 6.1 has it */
	if (attr->freq || config->period_field)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
}

/* Where the caller of a leaf is in a register only. */
static void sample_link(struct perf_event_attr *attr)
{
	const struct arch *arch = arch__here();

	if (!arch->leaf_link)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user |= 1ull << arch->leaf_link;
}

static void set_chains(const struct record_config *config, struct evsel *evsel, bool tracking)
{
	const struct arch *arch = arch__here();
	struct perf_event_attr *attr = &evsel->attr;
	u16 max_stack = evsel->max_stack > 0 ? evsel->max_stack : config->max_stack;

	if (config->chains == CHAIN_NONE)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = max_stack;
	attr->exclude_callchain_user = config->kernel_chains;
	attr->exclude_callchain_kernel = config->user_chains;
	if (config->chains == CHAIN_FP && !config->kernel_chains)
		sample_link(attr);
	/* Events of the kernel alone, or with branches of their own, follow frame pointers. */
	if (config->chains == CHAIN_LBR && !attr->exclude_user && !attr->branch_sample_type)
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
		                           PERF_SAMPLE_BRANCH_NO_FLAGS |
		                           PERF_SAMPLE_BRANCH_NO_CYCLES |
		                           PERF_SAMPLE_BRANCH_HW_INDEX;
	if (config->chains != CHAIN_DWARF && config->chains != CHAIN_AUTO)
		return;
	bool choose = config->chains == CHAIN_AUTO;

	/* Data maps too: unwinding reads tables that lie in maps without PROT_EXEC. */
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	if (!config->unwind_live && !choose) /* as Linux's perf; 16 bytes that say nothing */
		attr->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	attr->mmap_data = tracking;
	attr->sample_regs_user |= config->regs_user ? 1ull << arch->sp_bit | 1ull << arch->pc_bit
	                                            : arch->dwarf_registers;
	attr->sample_stack_user = choose ? STACK_SIZE_MAX : config->stack_size;
	attr->exclude_callchain_user = !choose;
}

/* An event that counts nothing has no branches. */
static void set_branches(const struct record_config *config, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;

	if (evsel__is_dummy(evsel))
		attr->branch_sample_type = 0;
	else if (!attr->branch_sample_type)
		attr->branch_sample_type = config->branch_type;
	if (attr->branch_sample_type)
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
}

void record_config__choose(struct perf_event_attr *attr, enum chain_mode mode, u32 stack_size)
{
	attr->exclude_callchain_user = mode == CHAIN_DWARF;
	attr->sample_stack_user = stack_size;
	if (mode == CHAIN_DWARF)
		return;
	attr->sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	sample_link(attr);
}

static void set_registers(const struct record_config *config, struct perf_event_attr *attr)
{
	if (config->regs_user) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user |= config->regs_user;
	}
	if (config->regs_intr) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = config->regs_intr;
	}
}

static void set_fields(const struct record_config *config, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;
	bool raw = evsel__is_tracepoint(evsel) ||
	           (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_BPF_OUTPUT);

	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	if (!config->per_thread || config->time || config->unwind_live ||
	    config->chains == CHAIN_AUTO)
		attr->sample_type |= PERF_SAMPLE_TIME;
	if (raw)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (raw || config->raw)
		attr->sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_RAW | PERF_SAMPLE_CPU;
	if (config->system_wide || config->sample_cpu)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (config->data)
		attr->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	if (config->weight)
		attr->sample_type |= PERF_SAMPLE_WEIGHT_STRUCT;
	if (config->phys_data)
		attr->sample_type |= PERF_SAMPLE_PHYS_ADDR;
	if (config->data_page_size)
		attr->sample_type |= PERF_SAMPLE_DATA_PAGE_SIZE;
	if (config->code_page_size)
		attr->sample_type |= PERF_SAMPLE_CODE_PAGE_SIZE;
	if (config->transaction)
		attr->sample_type |= PERF_SAMPLE_TRANSACTION;
	if (config->cgroups)
		attr->sample_type |= PERF_SAMPLE_CGROUP;
	if (evsel->time == 0)
		attr->sample_type &= ~(u64)PERF_SAMPLE_TIME;
	if (evsel->time == 1)
		attr->sample_type |= PERF_SAMPLE_TIME;
	attr->sample_type |= evsel->filter_fields; /* else the filter would see zeros */
}

/* The records about tasks, maps and kernel symbols: asked of one event only. */
static void set_tracking(const struct record_config *config, struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
	attr->ksymbol = 1;
	attr->bpf_event = !config->no_bpf_event;
	attr->mmap_data = config->data || config->data_maps;
	attr->context_switch = config->switches;
	attr->namespaces = config->namespaces;
	attr->cgroup = config->cgroups;
	attr->build_id = config->build_id_mmap;
}

static bool starts_by_exec(const struct record_config *config)
{
	return !config->system_wide && !config->attached;
}

static void configure(const struct record_config *config, struct evsel *evsel, bool tracking)
{
	struct perf_event_attr *attr = &evsel->attr;

	attr->size = EVSEL_ATTR_SIZE;
	attr->sample_id_all = 1;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr->inherit =
	        evsel->inherit >= 0 ? evsel->inherit : !config->no_inherit && !config->per_thread;
	attr->inherit_stat = config->stat;
	if (config->stat || config->running_time)
		attr->read_format |=
		        PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->wakeup_events = config->no_buffering;
	if (config->clock_set) {
		attr->use_clockid = 1;
		attr->clockid = config->clock;
	}
	set_fields(config, evsel);
	set_registers(config, attr);
	set_rate(config, evsel);
	if (tracking)
		set_tracking(config, attr);
	set_chains(config, evsel, tracking);
	set_branches(config, evsel);
	if (evsel__is_function_tracer(
	            evsel)) /* the kernel demands it: reading may fault, and call */
		attr->exclude_callchain_user = 1;
	if (config->all_user)
		attr->exclude_kernel = 1;
	if (config->all_kernel)
		attr->exclude_user = 1;
}

/* A leader starts its group; followers run when it runs. */
void record_config__set_start(const struct record_config *config, struct evsel *evsel)
{
	bool leads = evsel->leader == evsel->idx;

	evsel->attr.disabled = leads;
	evsel->attr.enable_on_exec = leads && starts_by_exec(config) && !config->delayed;
}

/* {a,b}:S - the leader's samples carry the counts of all; the others never sample. */
static void set_group_read(struct evlist *list, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;

	if (!evsel->sample_read)
		return;
	attr->sample_type |= PERF_SAMPLE_READ;
	if (list->evsels[evsel->leader]->nr_members < 2)
		return;
	attr->read_format |= PERF_FORMAT_GROUP;
	attr->inherit = 0; /* the kernel does not add up group reads over tasks */
	if (evsel->leader == evsel->idx)
		return;
	attr->sample_type |= list->evsels[evsel->leader]->attr.sample_type & PERF_SAMPLE_PERIOD;
	attr->freq = 0;
	attr->sample_period = 0;
}

/* What tells of tasks and maps does not wait for -D. */
static void set_dummy_start(const struct record_config *config, struct evsel *dummy)
{
	dummy->attr.disabled = !config->system_wide;
	dummy->attr.enable_on_exec =
	        !config->system_wide && (config->delayed || starts_by_exec(config));
}

static void add_dummy(const struct record_config *config, struct evlist *list)
{
	struct evsel *dummy = evlist__add_named(list, "dummy");
	struct record_config own = *config;

	evsel__set_name(dummy, "dummy:HG");
	dummy->tracking = true;
	/* Tasks of guests and the kernel's own belong to the picture. */
	dummy->attr.exclude_guest = dummy->attr.exclude_host = 0;
	dummy->attr.exclude_kernel = dummy->attr.exclude_hv = 0;
	/* A rate that was given is everybody's. */
	if (!own.period && (!own.frequency_set || config->chains == CHAIN_AUTO))
		own.period = 1;
	own.all_user = own.all_kernel = false;
	own.regs_user = own.regs_intr = 0;
	if (config->chains == CHAIN_AUTO)
		own.chains = CHAIN_NONE; /* it stays as it is */
	configure(&own, dummy, true);
	dummy->attr.mmap_data |= config->chains == CHAIN_AUTO;
	set_dummy_start(config, dummy);
}

/*
 * Which event is a sample of? With one event nobody asks (in a stream all carry ID, as those of
 * 6.1); with one layout for all, the field ID stands at one place; with several, IDENTIFIER in
 * front of everything.
 */
static void set_identity(const struct record_config *config, struct evlist *list)
{
	bool changes = config->chains == CHAIN_AUTO; /* one layout of each event, then another */
	u64 field = config->sample_identifier || changes ? PERF_SAMPLE_IDENTIFIER
	            : config->stream                     ? PERF_SAMPLE_ID
	                                                 : 0;

	for (u32 i = 0; i < list->nr; i++) {
		u64 type = list->evsels[i]->attr.sample_type;

		if (type != list->evsels[0]->attr.sample_type)
			field = PERF_SAMPLE_IDENTIFIER;
		else if (!field && (list->nr > 1 || type & PERF_SAMPLE_READ))
			field = PERF_SAMPLE_ID;
	}
	for (u32 i = 0; i < list->nr; i++)
		list->evsels[i]->attr.sample_type |= field;
}

static int apply_event_terms(struct record_config *config, const struct evsel *evsel,
                             struct error *err)
{
	int ret =
	        evsel->call_graph ? record_config__parse_chains(config, evsel->call_graph, err) : 0;

	if (evsel->max_stack > 0 && config->chains == CHAIN_NONE)
		config->chains = CHAIN_FP; /* a depth asks for chains, as with Linux's perf */
	if (evsel->stack_size)
		config->stack_size = round_up_u64(min_u64(evsel->stack_size, STACK_SIZE_MAX), 8);
	return ret;
}

static bool is_backward(const struct record_config *config, const struct evsel *evsel)
{
	return evsel->overwrite >= 0 ? evsel->overwrite : config->overwrite;
}

/*
 * Tasks and maps must outlive samples that are overwritten: they get a ring that keeps all. And
 * they are told of new threads, which probe points do not follow.
 */
static bool needs_side_band(const struct record_config *config, const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++)
		if (is_backward(config, list->evsels[i]) ||
		    (list->evsels[i]->probe_path && !config->no_inherit))
			return true;
	return false;
}

int record_config__apply(const struct record_config *config, struct evlist *list, struct error *err)
{
	bool needs_dummy = config->system_wide || config->delayed;
	/* A dummy of the user's needs no other beside it, and starts as that. */
	bool separate = (needs_dummy && !evsel__is_dummy(list->evsels[0])) ||
	                config->side_band_apart || config->chains == CHAIN_AUTO ||
	                needs_side_band(config, list);

	if (config->group)
		evlist__make_group(list, 0);
	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		struct record_config own = *config;
		int ret = apply_event_terms(&own, evsel, err);

		if (ret)
			return ret;
		evsel->tracking = i == 0 && !separate;
		configure(&own, evsel, evsel->tracking);
		evsel->attr.write_backward = is_backward(config, evsel);
		record_config__set_start(config, evsel);
		if (evsel->tracking && needs_dummy)
			set_dummy_start(config, evsel);
	}
	for (u32 i = 0; i < list->nr; i++)
		set_group_read(list, list->evsels[i]);
	if (separate)
		add_dummy(config, list);
	set_identity(config, list);
	return 0;
}
