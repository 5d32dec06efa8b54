// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a recording to the profile that perf report shows: how it is built, and of which parts of
 * the recording.
 */
#include <errno.h>

#include "builtin-report.h"
#include "ui/options/switch_option.h"
#include "ui/term/progress.h"
#include "util/lib/workers.h"
#include "util/view/blocks.h"

#define EXIT_TIME 234 /* Linux's: -EINVAL in eight bits */

/* Those of the sort keys, and what latencies are made of. */
static u32 list_sample_keys(const struct key *list[SAMPLE_KEYS_MAX])
{
	u32 nr = sort_keys__of_samples(&report.view.hists.keys, list);
	bool there = !report.view.hists.parallelism;

	for (u32 i = 0; i < nr; i++)
		there |= list[i] == report.view.hists.parallelism;
	if (!there)
		list[nr++] = report.view.hists.parallelism;
	if (report.confidence) {
		if (!report.slice_key)
			report.slice_key = key_time__new(0);
		list[nr++] = report.slice_key;
	}
	if (report.blocks) {
		list[nr++] = &key_block_start;
		list[nr++] = &key_block_cycles;
	}
	return nr;
}

/* Is it asked what threads did? A browser can always ask. */
static bool needs_threads(void)
{
	const struct sample_filter *filter = &report.view.hists.filter;

	return report.view.hists.keys.needs & KEY_NEEDS_THREADS || filter->pids.nr ||
	       filter->tids.nr || report.nr_inputs > 1 || report.confidence || report__browses();
}

struct profile_options report__profile_options(void)
{
	static const struct key *sample_keys[SAMPLE_KEYS_MAX];

	return (struct profile_options){
		.max_stack = report.max_stack,
		.workers = workers__default(),
		.cpu = report.view.hists.keys.needs & KEY_NEEDS_CPU || report.socket_said,
		.branches = report.branches,
		.blocks = report.blocks,
		.branch_frames = report.branch_frames,
		.weights = report.mem_mode,
		.any_thread = !needs_threads(),
		.by_number = true,
		.settle_early = SETTLE_EARLY,
		.filter = report.view.hists.filter,
		.chains = !report.branches &&
		          (report.children || report.view.chain.mode != CHAIN_NONE ||
		           report__needs_parents() || report.ignored_callees ||
		           report.callers_callees),
		.sample_keys = sample_keys,
		.nr_sample_keys = list_sample_keys(sample_keys),
		.objects = symbol_options__config(&report.symbols),
		.unwind_style = report.unwind_style,
	};
}

static bool needs_parts(void)
{
	return report.style.times || event_switch__is_given(&report.event_switch);
}

/* The text of tracepoints has names of kernel functions. */
static bool names_traces(void)
{
	const struct sort_keys *keys = &report.view.hists.keys;

	for (u32 i = 0; i < keys->nr; i++)
		if (key__is_trace(keys->list[i].key))
			return true;
	return false;
}

static bool needs_scan(void)
{
	return needs_parts() || names_traces() || report.view.hists.parallelism;
}

/* How many threads ran at a time, if that is needed. @session has been scanned. */
static int find_parallelism(const struct session *session, struct error *err)
{
	if (!report.view.hists.parallelism)
		return 0;
	parallelism__exit(&report.parallelism);
	report.parallelism = (struct parallelism){ .nr = 0 };
	int ret = parallelism__find(&report.parallelism, session, err);

	if (ret != -ENODATA || report.latency_said)
		return ret;
	report.view.show_latency = false;
	report.view.hists.parallelism = NULL;
	*err = (struct error)ERROR_INIT;
	return 0;
}

int report__find_parts(const struct session *session, struct sample_filter *filter,
                       struct error *err)
{
	if (report.style.times &&
	    time_ranges__parse(&filter->times, report.style.times, session->stats.first_time,
	                       session->stats.last_time, err))
		return EXIT_TIME;
	int ret = event_switch__find(&report.event_switch, session, filter, err);

	if (!ret)
		switch_option__say(&report.event_switch, filter);
	return ret;
}

int report__build(struct session *session, struct sample_filter *filter, struct profile *profile,
                  struct session_symbols **symbols, struct error *err)
{
	struct profile_options build = report__profile_options();
	bool scan = needs_scan();
	int ret = scan ? profile__scan(session, &build, err) : 0;

	*symbols = NULL;
	if (!ret)
		ret = report__find_parts(session, filter, err);
	if (!ret)
		ret = find_parallelism(session, err);
	if (ret)
		return ret;
	build = report__profile_options();
	build.filter = *filter;
	if (names_traces()) {
		*symbols = symbol_options__start(&report.symbols, session);
		trace_keys__use(report.trace_keys, session, *symbols);
	}
	ret = scan && !session->forgot ? profile__build(profile, session, &build, err)
	                               : profile__scan_and_build(profile, session, &build, err);
	/* Objects of other recordings come to those of this one, and only then may they have
	 * symbols. */
	if (*symbols && (ret || report.nr_inputs > 1)) {
		symbol_options__end(&report.symbols, *symbols, report.verbose);
		*symbols = NULL;
	}
	return ret;
}
