// SPDX-License-Identifier: GPL-2.0-or-later
/* The branches of a sample: -F brstack, brstacksym, brstackoff. */
#include "ui/script/script_private.h"
#include "util/format/sample.h"

/* "/M/-/A/53/COND ": mispredicted, in a transaction, aborted, cycles, kind. */
static void print_flags(struct out *out, u64 flags)
{
	const char letters[] = {
		'/', flags & BRANCH_MISPREDICTED ? 'M' : flags & BRANCH_PREDICTED ? 'P' : '-',
		'/', flags & BRANCH_IN_TX ? 'X' : '-',
		'/', flags & BRANCH_ABORT ? 'A' : '-',
		'/'
	};

	out__mem(out, letters, sizeof(letters));
	out__dec(out, branch_entry__cycles(flags), 0);
	out__char(out, '/');
	out__str(out, branch_entry__type(flags));
	out__char(out, ' ');
}

static void print_place(struct script *script, u64 print, const struct stream_sample *s, u64 ip)
{
	struct script_address address = { .ip = ip, .cpumode = sample__mode_of_address(ip) };
	struct out *out = script->out;

	if (print & FIELD_BRSTACK) {
		out__str(out, "0x");
		out__hex(out, ip, 0);
	} else {
		script_frames__place(script, print & FIELD_BRSTACKSYM, s->task, address, s->when);
	}
	if (print & FIELD_DSO)
		script_frames__object(script, s->task, address, s->when);
}

void script_branches__print(struct script *script, u64 print, const struct stream_sample *s)
{
	const struct u64_span *branches = &s->sample->branches;

	/* Of several the first in this order, as in Linux's perf. */
	for (u64 i = 0; i + 2 < branches->nr; i += 3) {
		if (print & FIELD_BRSTACK || !(print & FIELD_BRSTACKSYM))
			out__char(script->out, ' ');
		print_place(script, print, s, u64_span__get(branches, i, script->swap));
		out__char(script->out, '/');
		print_place(script, print, s, u64_span__get(branches, i + 1, script->swap));
		print_flags(script->out, u64_span__get(branches, i + 2, script->swap));
	}
}
