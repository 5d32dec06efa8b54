// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/health_table.h"

#include "ui/text/table.h"
#include "util/health/health_text.h"
#include "util/machine/session.h"

static void print_shares(struct out *out, const struct health_sums *sums)
{
	health_text__share(out, sums->not_complete, sums->nr);
	out__printf(out, " %% of %llu are not complete", (unsigned long long)sums->nr);
	if (!sums->not_known)
		return;
	out__str(out, " (not known: ");
	health_text__share(out, sums->not_known, sums->nr);
	out__str(out, " %)");
}

static const struct table_column columns[] = { { "share ", 7, 2, TABLE_RIGHT },
	                                       { "stacks", 11, 1, TABLE_RIGHT },
	                                       { "how they end", 30, 2, TABLE_LEFT },
	                                       { "in", 0, 2, TABLE_LEFT } };

static const struct table table = { columns, ARRAY_SIZE(columns), .prefix = "#\n# " };

/* Once for each way to end. */
static void print_fixes(struct out *out, const struct health *health, u32 evsel,
                        const struct session *session)
{
	bool said[NR_CHAIN_ENDS] = { [CHAIN_COMPLETE] = true };

	for (u32 i = 0; i < health->nr; i++) {
		const struct health_entry *entry = &health->entries[i];

		if (entry->evsel != evsel || said[entry->end])
			continue;
		said[entry->end] = true;
		out__printf(out, "# %s: ", chain_end__name(entry->end));
		health_text__cause(out, health, entry, session);
		out__str(out, "; ");
		health_text__fix(out, entry, session);
		out__char(out, '\n');
	}
}

/* For both, the table and the head. */
static bool print_leaves(struct out *out, const struct health_leaves *leaves)
{
	if (!leaves->frameless)
		return false;
	out__str(out, "# Callers: record with --call-graph dwarf: ");
	health_text__share(out, leaves->frameless, leaves->nr);
	out__str(out, " % of stacks lack the caller of their innermost function");
	if (leaves->not_known) {
		out__str(out, " (not known: ");
		health_text__share(out, leaves->not_known, leaves->nr);
		out__str(out, " %)");
	}
	out__char(out, '\n');
	return true;
}

static void print_event(struct out *out, const struct health *health, u32 evsel,
                        const struct session *session)
{
	struct health_sums sums;

	health__sum(health, evsel, &sums);
	if (!sums.nr)
		return;
	out__str(out, "# Stacks of event '");
	out__name(out, session->evlist->evsels[evsel]->name);
	out__str(out, "': ");
	print_shares(out, &sums);
	out__char(out, '\n');
	table__print_heading(&table, out);
	for (u32 i = 0; i < health->nr; i++) {
		const struct health_entry *entry = &health->entries[i];
		const struct cell row[] = { cell__percent(entry->nr, sums.nr),
			                    cell__number(entry->nr),
			                    cell__text(chain_end__name(entry->end)),
			                    cell__text(health_text__dso(entry, session)) };

		if (entry->evsel == evsel)
			table__print_row(&table, out, row);
	}
	out__str(out, "#\n");
	print_fixes(out, health, evsel, session);
	print_leaves(out, &health->leaves[evsel]);
	out__char(out, '\n');
}

/* Of a recording that was to be unwound while it was made: what was not. */
static bool print_kept(struct out *out, const struct health *health)
{
	u64 nr = health->nr_recorded + health->nr_copies;

	if (!health->nr_recorded || !health->nr_copies)
		return false;
	out__str(out, "# Unwound: ");
	health_text__share(out, health->nr_copies, nr);
	out__printf(out,
	            " %% of %llu stacks were kept as copies while recording, as unwinding fell "
	            "behind; record less often (-F), or let more wait: --unwind-live=256M\n",
	            (unsigned long long)nr);
	return true;
}

void health_table__print(struct out *out, const struct health *health,
                         const struct session *session)
{
	struct health_sums sums;

	health__sum(health, -1, &sums);
	if (!sums.nr)
		out__printf(out, "# Stacks: none %s\n",
		            health->nr_hidden ? "pass the filters" : "in this recording");
	for (u32 i = 0; i < session->evlist->nr; i++)
		print_event(out, health, i, session);
	if (print_kept(out, health))
		out__char(out, '\n');
}

#define UNSURE_SHARE 10 /* percent: what may be is not said in heads below that */

/*
 * Lines that take up the eye before a table say what is wrong; what may be, only if it is much, and
 * nothing is wrong with a tenth as many.
 */
static bool print_cause(struct out *out, const struct health *health, const struct session *session)
{
	const struct health_leaves leaves = health__leaves(health);
	struct health_cause first = { .nr = 0 };
	struct health_sums sums;
	bool any = health__first_cause(health, &first);

	health__sum(health, -1, &sums);
	if (any && !chain_end__is_unknown(first.entry->end) && leaves.frameless <= first.nr * 10) {
		health_text__line(out, &first, sums.nr, session);
		return true;
	}
	if (max_u64(leaves.frameless, first.nr) * 100 <= sums.nr * UNSURE_SHARE)
		return false;
	if (leaves.frameless >= first.nr)
		return print_leaves(out, &leaves);
	health_text__line(out, &first, sums.nr, session);
	return true;
}

void health_table__print_summary(struct out *out, const struct health *health,
                                 const struct session *session)
{
	bool printed = print_cause(out, health, session);

	if ((health->unread || health->mixed) && session__has_chains(session)) {
		out__printf(out, "# Stacks: not looked at, as %s; see perf report --stack-health\n",
		            health->unread ? "no chains are shown" : "branches are among them");
		printed = true;
	}
	printed |= print_kept(out, health);
	if (printed)
		out__str(out, "#\n");
}
