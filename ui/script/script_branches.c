// SPDX-License-Identifier: GPL-2.0-or-later
/* The branches of a sample: -F brstack, brstacksym, brstackoff, brcntr. */
#include <stdlib.h>
#include <string.h>

#include "ui/script/script_private.h"
#include "util/format/sample.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/features.h"

#define COUNTER_BITS 2 /* of processors that the recording tells nothing of */

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

/* A list of names and values; 0: it does not have "branch_counter_width". */
static u32 width_in(struct cursor *c)
{
	u32 width = 0;

	for (u32 nr = cursor__u32(c); nr && !c->failed; nr--) {
		const char *name = cursor__feature_string(c);
		const char *value = cursor__feature_string(c);

		if (!strcmp(name, "branch_counter_width"))
			width = strtoul(value, NULL, 10);
	}
	return width;
}

/* Bits of each count, as the processor that recorded has them. */
static u32 counter_bits(const struct script *script)
{
	struct cursor one = perf_data__feature_cursor(script->session->data, FEATURE_CPU_PMU_CAPS);
	struct cursor all = perf_data__feature_cursor(script->session->data, FEATURE_PMU_CAPS);
	u32 width = width_in(&one);

	for (u32 nr = cursor__u32(&all); nr && !width && !all.failed; nr--) {
		width = width_in(&all);
		cursor__feature_string(&all); /* of which PMU */
	}
	return width && width < 32 ? width : COUNTER_BITS;
}

/* The next event from @idx on that is counted at branches; NULL: none. */
static const struct evsel *next_counted(const struct script *script, u32 idx)
{
	const struct evlist *evlist = script->session->evlist;

	for (; idx < evlist->nr; idx++)
		if (evlist->evsels[idx]->attr.branch_sample_type & BRANCH_COUNTERS)
			return evlist->evsels[idx];
	return NULL;
}

void script_branches__list_counters(struct script *script)
{
	const struct evsel *evsel = NULL;
	struct out *out = script->out;
	bool wanted = false;

	for (u32 i = 0; i < script->session->evlist->nr; i++)
		wanted |= (script->events[i].print & FIELD_BRCNTR) != 0;
	if (!wanted || script->options->counter_names)
		return;
	out__str(out, "# Branch counter abbr list:\n");
	for (char letter = 'A'; letter <= 'Z'; letter++) {
		evsel = next_counted(script, evsel ? evsel->idx + 1 : 0);
		if (!evsel)
			break;
		out__str(out, "# ");
		out__name(out, evsel->name);
		out__printf(out, " = %c\n", letter);
	}
	out__str(out, "# '-' No event occurs\n"
	              "# '+' Event occurrences may be lost due to branch counter saturated\n");
}

/* "AAB", of the most a counter can count "AAA+". */
static void print_letters(struct script *script, u64 counts)
{
	u64 most = (1u << script->counter_bits) - 1;
	struct out *out = script->out;
	bool any = false;

	for (char letter = 'A'; counts && letter <= 'Z'; letter++) {
		u64 count = counts & most;

		out__fill(out, letter, min_u64(count, 16));
		if (count == most)
			out__char(out, '+');
		any |= count;
		counts >>= script->counter_bits;
	}
	if (!any)
		out__char(out, '-');
}

/* "cycles 2 branch-misses 0 " */
static void print_names(struct script *script, u64 counts)
{
	u64 most = (1u << script->counter_bits) - 1;
	const struct evsel *evsel = next_counted(script, 0);
	struct out *out = script->out;

	for (; evsel; evsel = next_counted(script, evsel->idx + 1)) {
		out__name(out, evsel->name);
		out__char(out, ' ');
		out__dec(out, counts & most, 0);
		out__str(out, (counts & most) == most ? "+ " : " ");
		counts >>= script->counter_bits;
	}
}

void script_branches__counters(struct script *script, const struct stream_sample *s, u64 i)
{
	const struct u64_span *span = &s->sample->branch_counters;

	if (i >= span->nr)
		return;
	if (!script->counter_bits)
		script->counter_bits = counter_bits(script);
	out__str(script->out, "\tbr_cntr: ");
	(script->options->counter_names ? print_names : print_letters)(
	        script, u64_span__get(span, i, script->swap));
}
