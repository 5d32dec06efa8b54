// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings whose stacks are unwound while they are made: what they need, and what excludes it. */
#include <errno.h>

#include "util/record/recording_local.h"

/* Is a ring overwritten? What it holds is written at the end, older than what was unwound. */
static bool any_backward(const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->evsels[i]->attr.write_backward)
			return true;
	return false;
}

static int exclude(struct error *err, const char *option, const char *cause)
{
	error__set(err, -EINVAL, "cannot use --unwind-live together with", option, "%s", cause);
	return error__advise(err,
	                     "leave one of them out; perf inject --convert-callchain unwinds a "
	                     "finished recording");
}

int recording__check_live(const struct recording *recording, struct error *err)
{
	if (!recording->config.unwind_live)
		return 0;
	if (!live_chains__wanted(&recording->evlist)) {
		error__set(err, -EINVAL, "nothing to unwind with --unwind-live", NULL,
		           "no event copies stacks");
		return error__advise(err, "add --call-graph dwarf");
	}
	if (recording->masks.nr)
		return exclude(err, "--threads", "the rings tell about each other's samples");
	if (any_backward(&recording->evlist))
		return exclude(err, "--overwrite", "samples stay in the rings to the end");
	if (recording->tail_synthesis)
		return exclude(err, "--tail-synthesize", "maps must be known before samples");
	if (recording->config.regs_user)
		return exclude(err, "--user-regs", "unwound samples lose their registers");
	return 0;
}

int recording__start_live(struct recording *recording, struct error *err)
{
	if (!recording->config.unwind_live)
		return 0;
	recording->live = live_unwind__new(&recording->evlist, recording->live_limit,
	                                   recorder__write_unwound, &recording->recorder, err);
	recording->recorder.live = recording->live;
	return recording->live ? 0 : err->code;
}

void recording__exit_live(struct recording *recording)
{
	live_unwind__delete(recording->live);
	recording->live = recording->recorder.live = NULL;
}
