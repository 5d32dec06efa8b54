/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translate the options of `record` to attr bits: what is sampled, how often, by which event.
 *
 * One event carries the records about tasks and maps. The same options give the same bits as in
 * Linux's perf 6.1 (Documentation/differences.md lists the exceptions).
 */
#ifndef PERF_UTIL_RECORD_CONFIG_H
#define PERF_UTIL_RECORD_CONFIG_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * CHAIN_AUTO: the pilot samples both kinds, then record_config__choose() sets one. CHAIN_LBR: the
 * user's part is the processor's stack of calls, in the branch stack of the sample.
 */
enum chain_mode { CHAIN_NONE, CHAIN_FP, CHAIN_DWARF, CHAIN_AUTO, CHAIN_LBR };

#define STACK_SIZE_DEFAULT 8192
#define STACK_SIZE_MAX     65528 /* a sample's size is 16 bits */
#define FREQUENCY_DEFAULT  4000

struct record_config {
	u64 period;    /* -c; 0: sample by frequency */
	u64 frequency; /* -F */
	bool period_set, frequency_set;
	enum chain_mode chains;
	u32 stack_size;   /* of CHAIN_DWARF */
	bool unwind_live; /* unwind copied stacks before they are written */
	u16 max_stack;    /* 0: the kernel's limit */
	u64 branch_type;  /* -b, -j: attr.branch_sample_type of all events; 0: no branch stacks */

	/* Targets: what is followed, and what starts the counters. */
	bool system_wide; /* all tasks of the CPUs */
	bool per_thread;  /* counters without CPUs, not inherited */
	bool attached;    /* -p, -t, -u: tasks that are already running */
	bool delayed;     /* -D: the command enables the counters later */

	bool no_inherit, data, data_maps, time, period_field, raw, no_samples, weight, phys_data,
	        stat;
	bool data_page_size, code_page_size, sample_cpu, switches;
	bool stream; /* readers of streams need ids even with a single event */
	bool no_bpf_event, all_user, all_kernel;
	bool side_band_apart;   /* records about tasks come from an event that is never stopped */
	bool overwrite;         /* rings hold the newest samples; terms of an event take priority */
	bool running_time;      /* with :S: how long the counters ran */
	bool namespaces;        /* records about namespaces of tasks */
	bool cgroups;           /* records about cgroups, and the cgroup of each sample */
	bool transaction;       /* flags of hardware transactions */
	bool build_id_mmap;     /* build-ids in the records about maps */
	bool sample_identifier; /* IDENTIFIER even if it is not needed */
	bool group;             /* one group of all events */
	bool no_buffering;      /* wake up for each sample */
	/* --kernel-callchains, --user-callchains: one half of the chains only */
	bool kernel_chains, user_chains;
	u64 regs_intr, regs_user; /* masks of registers to sample; 0: none */
	bool clock_set;
	s32 clock; /* -k: clockid_t */
};

#define RECORD_CONFIG_INIT                                                                         \
	{                                                                                          \
		.frequency = FREQUENCY_DEFAULT, .stack_size = STACK_SIZE_DEFAULT                   \
	}

/*
 * --call-graph: "fp", "fp,64", "dwarf", "dwarf,4096", "auto", "lbr". 0 or -EINVAL; -EOPNOTSUPP: not
 * known for this architecture.
 */
int record_config__parse_chains(struct record_config *config, const char *text, struct error *err);

/* Turn CHAIN_AUTO into CHAIN_FP, or into CHAIN_DWARF with copies of @stack_size bytes. */
void record_config__choose(struct perf_event_attr *attr, enum chain_mode mode, u32 stack_size);

/* -k: "mono", "CLOCK_BOOTTIME", "1" ... 0 or -EINVAL. */
int record_config__parse_clock(struct record_config *config, const char *text, struct error *err);
const char *record_config__clock_name(u32 i); /* the known names; NULL after the last */

/*
 * Set the attrs of all events of @list, and append a dummy event ("dummy:HG") where the records
 * about tasks must come from an event of its own: system-wide or delayed recordings.
 */
int record_config__apply(const struct record_config *config, struct evlist *list,
                         struct error *err);

/* Set the bits that start @evsel again, after its group was broken up. */
void record_config__set_start(const struct record_config *config, struct evsel *evsel);

/* The highest frequency the kernel allows (kernel.perf_event_max_sample_rate); 0: unknown. */
u64 record__max_frequency(void);

#endif
