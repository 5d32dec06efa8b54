// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_live.h"

#include <errno.h>

/* Is a ring overwritten? What it holds is written at the end, older than what was unwound. */
static bool any_backward(const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->evsels[i]->attr.write_backward)
			return true;
	return false;
}

static int exclude(struct error *err, bool choose, const char *option, const char *cause)
{
	error__set(err, -EINVAL,
	           choose ? "cannot use --call-graph auto together with"
	                  : "cannot use --unwind-live together with",
	           option, "%s", cause);
	return error__advise(err, choose ? "say what is to be recorded: --call-graph dwarf or fp"
	                                 : "leave one of them out; perf inject "
	                                   "--convert-callchain unwinds a finished recording");
}

static bool any_own_chains(const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->evsels[i]->call_graph)
			return true;
	return false;
}

/* What only --call-graph auto cannot be combined with. */
static int check_auto(const struct recording *recording, struct error *err)
{
	if (recording->wish.switching)
		return exclude(err, true, "--switch-output", "a file begins when it is chosen");
	if (recording->wish.config.delayed)
		return exclude(err, true, "-D", "it needs samples from the start");
	if (recording->wish.config.side_band_apart)
		return exclude(err, true, "--control", "it needs samples from the start");
	if (recording->wish.config.kernel_chains)
		return exclude(err, true, "--kernel-callchains", "it is about user space");
	if (recording->wish.config.no_samples)
		return exclude(err, true, "-n", "there is nothing to choose by");
	if (any_own_chains(&recording->wish.evlist))
		return exclude(err, true, "call-graph=", "an event has a mode of its own");
	return 0;
}

int recording__check_live(const struct recording *recording, struct error *err)
{
	bool choose = recording->wish.config.chains == CHAIN_AUTO;

	if (!recording->wish.config.unwind_live && !choose)
		return 0;
	int ret = choose ? check_auto(recording, err) : 0;

	if (ret)
		return ret;
	if (!live_chains__wanted(&recording->wish.evlist)) {
		error__set(err, -EINVAL, "nothing to unwind with --unwind-live", NULL,
		           "no event copies stacks");
		return error__advise(err, "add --call-graph dwarf");
	}
	if (recording->wish.masks.nr)
		return exclude(err, choose, "--threads",
		               "the rings tell about each other's samples");
	if (any_backward(&recording->wish.evlist))
		return exclude(err, choose, "--overwrite", "samples stay in the rings to the end");
	if (recording->wish.tail_synthesis)
		return exclude(err, choose, "--tail-synthesize",
		               "maps must be known before samples");
	if (recording->wish.config.regs_user)
		return exclude(err, choose, "--user-regs", "unwound samples lose their registers");
	return 0;
}
