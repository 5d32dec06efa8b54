// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of record to attr bits. The expectations were read off files of Linux's perf 6.1. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <time.h>

#include "arch/arch.h"
#include "util/event/parse.h"
#include "util/record/config.h"

#define BASE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static struct event_sources sources = EVENT_SOURCES_INIT;

static void make(struct evlist *list, const char *events)
{
	*list = (struct evlist){ .nr = 0 };
	CHECK_EQ(evlist__parse(list, &sources, events, NULL), 0);
}

TEST(record_config_samples_a_command)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	const struct perf_event_attr *attr = &list.evsels[0]->attr;
	CHECK_EQ(list.nr, 1);
	CHECK_EQ(attr->size, 128);
	CHECK_EQ(attr->sample_type, BASE | PERF_SAMPLE_PERIOD);
	CHECK_EQ(attr->read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	CHECK(attr->freq && attr->sample_freq == 4000);
	CHECK(attr->disabled && attr->enable_on_exec && attr->inherit && attr->sample_id_all);
	CHECK(attr->mmap && attr->mmap2 && attr->comm && attr->comm_exec && attr->task);
	CHECK(attr->ksymbol && attr->bpf_event && !attr->mmap_data);
	CHECK(list.evsels[0]->tracking);
	evlist__exit(&list);
}

TEST(record_config_adds_a_dummy_system_wide)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	config.system_wide = true;
	make(&list, "cpu-clock:u");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.nr, 2);
	const struct perf_event_attr *event = &list.evsels[0]->attr;
	const struct perf_event_attr *dummy = &list.evsels[1]->attr;
	CHECK_EQ(event->sample_type,
	         BASE | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER);
	CHECK_EQ(dummy->sample_type, BASE | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
	CHECK(event->disabled && !event->enable_on_exec && !event->mmap);
	CHECK(!dummy->disabled && dummy->mmap && dummy->task && !dummy->exclude_kernel);
	CHECK(!dummy->freq && dummy->sample_period == 1);
	CHECK_STR(list.evsels[1]->name, "dummy:HG");
	evlist__exit(&list);
}

TEST(record_config_gives_the_dummy_the_rate_that_was_asked_for)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	config.system_wide = config.frequency_set = true;
	config.frequency = 500;
	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK(list.evsels[1]->attr.freq && list.evsels[1]->attr.sample_freq == 500);
	CHECK_EQ(list.evsels[0]->attr.sample_type, list.evsels[1]->attr.sample_type);
	CHECK_EQ(list.evsels[0]->attr.sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER),
	         PERF_SAMPLE_ID);
	evlist__exit(&list);
}

TEST(record_config_needs_no_dummy_beside_one)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	config.delayed = true;
	make(&list, "dummy,cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.nr, 2);
	CHECK(list.evsels[0]->tracking && list.evsels[0]->attr.mmap);
	CHECK(list.evsels[0]->attr.disabled && list.evsels[0]->attr.enable_on_exec);
	CHECK(!list.evsels[1]->attr.enable_on_exec);
	evlist__exit(&list);
	make(&list, "cpu-clock,dummy"); /* it is not the first */
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.nr, 3);
	evlist__exit(&list);
}

TEST(record_config_keeps_the_dummy_whole)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	config.system_wide = config.all_kernel = config.no_samples = true;
	config.regs_intr = config.regs_user = 1;
	config.cgroups = config.namespaces = config.build_id_mmap = true;
	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	const struct perf_event_attr *event = &list.evsels[0]->attr;
	const struct perf_event_attr *dummy = &list.evsels[1]->attr;
	CHECK(event->exclude_user && !dummy->exclude_user);
	CHECK(event->sample_regs_intr && event->sample_regs_user);
	CHECK(!dummy->sample_regs_intr && !dummy->sample_regs_user);
	CHECK(!dummy->freq && !dummy->sample_period);
	CHECK(dummy->cgroup && dummy->namespaces && dummy->build_id);
	CHECK(!event->cgroup && !event->namespaces && !event->build_id);
	CHECK(event->sample_type & PERF_SAMPLE_CGROUP && dummy->sample_type & PERF_SAMPLE_CGROUP);
	evlist__exit(&list);
}

TEST(record_config_makes_one_group_of_all)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	config.group = true;
	make(&list, "cpu-clock,{cs,faults}");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	for (u32 i = 0; i < list.nr; i++) {
		CHECK_EQ(list.evsels[i]->leader, 0);
		CHECK_EQ(list.evsels[i]->nr_members, i ? 1 : 3);
		CHECK_EQ(list.evsels[i]->attr.disabled, i == 0);
	}
	evlist__exit(&list);
}

TEST(record_config_tells_events_apart)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	make(&list, "cpu-clock,cs"); /* one layout: the field ID is enough */
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.evsels[0]->attr.sample_type, BASE | PERF_SAMPLE_PERIOD | PERF_SAMPLE_ID);
	CHECK(list.evsels[1]->attr.enable_on_exec && !list.evsels[1]->attr.mmap);
	evlist__exit(&list);
	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.evsels[0]->attr.sample_type & PERF_SAMPLE_ID, 0);
	evlist__exit(&list);
	make(&list, "cpu-clock");
	config.stream = true;
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.evsels[0]->attr.sample_type & PERF_SAMPLE_ID, PERF_SAMPLE_ID);
	config.stream = false;
	evlist__exit(&list);
	make(&list, "cpu-clock/period=5/,cs"); /* two layouts */
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.evsels[0]->attr.sample_type, BASE | PERF_SAMPLE_IDENTIFIER);
	CHECK_EQ(list.evsels[1]->attr.sample_type,
	         BASE | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER);
	evlist__exit(&list);
}

TEST(record_config_reads_groups)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	make(&list, "{cpu-clock,cs}:S");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	const struct perf_event_attr *leader = &list.evsels[0]->attr;
	const struct perf_event_attr *member = &list.evsels[1]->attr;
	CHECK_EQ(leader->read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_GROUP);
	CHECK(leader->sample_type & PERF_SAMPLE_READ && !leader->inherit);
	CHECK(leader->freq && leader->enable_on_exec);
	CHECK(!member->freq && !member->sample_period && !member->enable_on_exec);
	CHECK(!member->disabled);
	CHECK_EQ(member->sample_type, leader->sample_type);
	evlist__exit(&list);
}

TEST(record_config_copies_stacks)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	if (!arch__here()->dwarf_registers) {
		unit__skip("no registers known for this architecture");
		return;
	}
	CHECK_EQ(record_config__parse_chains(&config, "dwarf,1001", NULL), 0);
	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	const struct perf_event_attr *attr = &list.evsels[0]->attr;
	CHECK_EQ(attr->sample_stack_user, 1008);
	CHECK_EQ(attr->sample_regs_user, arch__here()->dwarf_registers);
	CHECK(attr->exclude_callchain_user && attr->mmap_data);
	CHECK(attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	CHECK(attr->sample_type & PERF_SAMPLE_ADDR);
	evlist__exit(&list);
	config.unwind_live = config.per_thread = true;
	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	attr = &list.evsels[0]->attr;
	CHECK_EQ(attr->sample_stack_user, 1008);
	CHECK(!(attr->sample_type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)));
	CHECK(attr->sample_type & PERF_SAMPLE_TIME); /* which needs a wish without */
	evlist__exit(&list);
	config = (struct record_config)RECORD_CONFIG_INIT;
	make(&list, "cpu-clock/call-graph=dwarf,stack-size=512/,cs");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.evsels[0]->attr.sample_stack_user, 512);
	CHECK_EQ(list.evsels[1]->attr.sample_stack_user, 0);
	CHECK(!(list.evsels[1]->attr.sample_type & PERF_SAMPLE_CALLCHAIN));
	evlist__exit(&list);
}

TEST(record_config_sets_rates)
{
	static const struct {
		const char *event;
		bool count, frequency;
		u64 want;
		bool freq, period_field;
	} rows[] = {
		{ "cs", false, false, 4000, true, true },
		{ "cs", true, false, 7, false, false },
		{ "cs", true, true, 7, false, false }, /* -c wins over -F */
		{ "cs/period=3/", true, true, 3, false, false },
		{ "cs/freq=5/", true, false, 5, true, true },
		{ "mem:0x1000:w", false, false, 1, false, false },
		{ "mem:0x1000:w", false, true, 99, true, true },
		{ "bpf-output", false, false, 1, false, true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record_config config = RECORD_CONFIG_INIT;
		struct evlist list;

		config.period = rows[i].count ? 7 : 0;
		config.frequency_set = rows[i].frequency;
		if (rows[i].frequency)
			config.frequency = 99;
		make(&list, rows[i].event);
		CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
		const struct perf_event_attr *attr = &list.evsels[0]->attr;
		CHECK_EQ(attr->sample_period, rows[i].want);
		CHECK_EQ(attr->freq, rows[i].freq);
		CHECK_EQ(!!(attr->sample_type & PERF_SAMPLE_PERIOD), rows[i].period_field);
		evlist__exit(&list);
	}
}

TEST(record_config_delays_and_attaches)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	config.attached = true;
	make(&list, "cs");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK(list.evsels[0]->attr.disabled && !list.evsels[0]->attr.enable_on_exec);
	CHECK(list.evsels[0]->attr.mmap);
	evlist__exit(&list);
	config.attached = false;
	config.delayed = true;
	make(&list, "cs");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.nr, 2);
	CHECK(!list.evsels[0]->attr.enable_on_exec && !list.evsels[0]->attr.mmap);
	CHECK(list.evsels[1]->attr.disabled && list.evsels[1]->attr.enable_on_exec);
	evlist__exit(&list);
}

TEST(record_config_takes_a_depth_for_a_wish_for_chains)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct evlist list;

	make(&list, "cpu-clock/max-stack=2/,cs");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.evsels[0]->attr.sample_type,
	         BASE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER);
	CHECK_EQ(list.evsels[0]->attr.sample_max_stack, 2);
	CHECK_EQ(list.evsels[1]->attr.sample_type,
	         BASE | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER);
	evlist__exit(&list);
}

TEST(record_config_of_auto_becomes_what_is_chosen)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct perf_event_attr fp, dwarf;
	struct evlist list;

	if (!arch__here()->dwarf_registers) {
		unit__skip("no registers known for this architecture");
		return;
	}
	config.chains = CHAIN_AUTO;
	make(&list, "cpu-clock");
	CHECK_EQ(record_config__apply(&config, &list, NULL), 0);
	CHECK_EQ(list.nr, 2); /* what tells of tasks and maps stays as it is */
	const struct perf_event_attr *pilot = &list.evsels[0]->attr;

	/* Both chains. */
	CHECK(pilot->sample_type & PERF_SAMPLE_CALLCHAIN && !pilot->exclude_callchain_user);
	CHECK(pilot->sample_type & PERF_SAMPLE_STACK_USER);
	CHECK_EQ(pilot->sample_stack_user, STACK_SIZE_MAX);
	/* Of events that change only a field in front tells whose sample it is. */
	CHECK(pilot->sample_type & list.evsels[1]->attr.sample_type & PERF_SAMPLE_IDENTIFIER);
	CHECK(!(list.evsels[1]->attr.sample_type & PERF_SAMPLE_STACK_USER));
	CHECK(list.evsels[1]->attr.mmap && list.evsels[1]->attr.mmap_data);
	fp = dwarf = *pilot;
	record_config__choose(&dwarf, CHAIN_DWARF, 4096);
	CHECK_EQ(dwarf.sample_type, pilot->sample_type);
	CHECK(dwarf.sample_stack_user == 4096 && dwarf.exclude_callchain_user);
	record_config__choose(&fp, CHAIN_FP, 0);
	CHECK_EQ(fp.sample_type & PERF_SAMPLE_STACK_USER, 0);
	CHECK(!fp.sample_stack_user && !fp.exclude_callchain_user);
	CHECK_EQ(fp.sample_regs_user,
	         arch__here()->leaf_link ? 1ull << arch__here()->leaf_link : 0);
	evlist__exit(&list);
}

TEST(record_config_parses_its_texts)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct error err = ERROR_INIT;

	CHECK_EQ(record_config__parse_chains(&config, "fp,64", &err), 0);
	CHECK(config.chains == CHAIN_FP && config.max_stack == 64);
	CHECK_EQ(record_config__parse_chains(&config, "lbr", &err), 0);
	CHECK_EQ(config.chains, CHAIN_LBR);
	CHECK_EQ(record_config__parse_chains(&config, "lbr,8", &err), -EINVAL);
	CHECK_EQ(record_config__parse_chains(&config, "dwarfs", &err), -EINVAL);
	CHECK_EQ(record_config__parse_chains(&config, "fp,x", &err), -EINVAL);
	CHECK_EQ(record_config__parse_chains(&config, "auto,8", &err), -EINVAL);
	if (arch__here()->dwarf_registers) {
		CHECK_EQ(record_config__parse_chains(&config, "auto", &err), 0);
		CHECK_EQ(config.chains, CHAIN_AUTO);
		CHECK_EQ(record_config__parse_chains(&config, "dwarf,65528", &err), 0);
		CHECK_EQ(record_config__parse_chains(&config, "dwarf,65529", &err), -EINVAL);
		CHECK_EQ(record_config__parse_chains(&config, "dwarf,0", &err), -EINVAL);
	}
	CHECK_EQ(record_config__parse_chains(&config, "no", &err), 0);
	CHECK(config.chains == CHAIN_NONE);
	CHECK_EQ(record_config__parse_clock(&config, "CLOCK_BOOTTIME", &err), 0);
	CHECK_EQ(config.clock, CLOCK_BOOTTIME);
	CHECK_EQ(record_config__parse_clock(&config, "mono", &err), 0);
	CHECK_EQ(config.clock, CLOCK_MONOTONIC);
	CHECK_EQ(record_config__parse_clock(&config, "4", &err), 0);
	CHECK_EQ(config.clock, 4);
	CHECK_EQ(record_config__parse_clock(&config, "mon", &err), -EINVAL);
}
