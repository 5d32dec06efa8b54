// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/health/health_text.h"

#include <linux/perf_event.h>
#include <string.h>

#include "util/lib/json.h"
#include "util/machine/session.h"

#define LINE_MAX_LEN 100

#define COPY_MAX 65528 /* bytes of stack that a sample can hold: below 2^16, in words */

const char *chain_end__name(unsigned end)
{
	static const char *const names[NR_CHAIN_ENDS] = {
		[CHAIN_COMPLETE] = "complete",
		[CHAIN_CUT_COPY] = "stack copy too small",
		[CHAIN_CUT_RECORD] = "depth limit of the recording",
		[CHAIN_CUT_READER] = "depth limit of --max-stack",
		[CHAIN_NO_TABLES] = "no unwind information",
		[CHAIN_NO_REGS] = "registers not recorded",
		[CHAIN_UNREADABLE] = "stack makes no sense",
		[CHAIN_UNMAPPED] = "address that is not mapped",
		[CHAIN_LEFT_STACK] = "frame pointer lost",
		[CHAIN_OTHER_STACK] = "interrupted on another stack",
		[CHAIN_NOT_UNWOUND] = "not for this unwinder",
		[CHAIN_NOT_KNOWN] = "not known",
		[CHAIN_GAP] = "may lack callers in the middle",
		[CHAIN_GAP_NOT_KNOWN] = "not known in the middle",
		[CHAIN_CUT_BOTH] = "stack copy and --max-stack",
		[CHAIN_CUT_PAGE] = "stack page not in memory",
	};

	return end < NR_CHAIN_ENDS ? names[end] : "?";
}

const char *health_text__dso(const struct health_entry *entry, const struct session *session)
{
	if (entry->where == ID_NONE)
		return "-";
	return strtab__get(&session->strings, dsos__at(&session->dsos, entry->where)->short_name);
}

static const struct perf_event_attr *attr_of(const struct health_entry *entry,
                                             const struct session *session)
{
	return &session->evlist->evsels[entry->evsel]->attr;
}

/* @before, the dso (or "code", where it is not known), @behind */
static void with_dso(struct out *out, const char *before, const struct health_entry *entry,
                     const struct session *session, const char *behind)
{
	out__str(out, before);
	out__name(out, entry->where == ID_NONE ? "code" : health_text__dso(entry, session));
	out__str(out, behind);
}

static void copied(struct out *out, u32 size)
{
	if (size % 1024)
		out__printf(out, "%u bytes", size);
	else
		out__printf(out, "%u KiB", size / 1024);
	out__str(out, " copied per sample");
}

void health_text__cause(struct out *out, const struct health *health,
                        const struct health_entry *entry, const struct session *session)
{
	const struct perf_event_attr *attr = attr_of(entry, session);

	if (entry->no_file)
		return with_dso(out, "", entry, session, " is not there as it was recorded");
	switch (entry->end) {
	case CHAIN_CUT_COPY:
		return copied(out, attr->sample_stack_user);
	case CHAIN_CUT_RECORD:
		out__printf(out, "at most %u frames recorded", health__record_limit(attr));
		return;
	case CHAIN_CUT_READER:
		out__printf(out, "cut by --max-stack %u", health->max_stack);
		return;
	case CHAIN_NO_TABLES:
		return with_dso(out, "no unwind information in ", entry, session, "");
	case CHAIN_UNREADABLE:
		return with_dso(out, "stacks do not fit ", entry, session, "");
	case CHAIN_CUT_PAGE:
		return with_dso(out, "a page of the stack of ", entry, session,
		                " was not in memory, and was not copied: an unused part of a large "
		                "frame");
	case CHAIN_UNMAPPED:
		return with_dso(out, "nothing is mapped where ", entry, session, " returns to");
	case CHAIN_LEFT_STACK:
		return with_dso(out, "the frame pointer is lost in ", entry, session, "");
	case CHAIN_OTHER_STACK:
		return with_dso(out, "a signal handler's own stack was copied, not that of ", entry,
		                session, "");
	case CHAIN_NOT_UNWOUND:
		return with_dso(out, "libunwind does not know the architecture of ", entry, session,
		                "");
	case CHAIN_NOT_KNOWN:
		return with_dso(out, "no names in ", entry, session, "");
	case CHAIN_GAP:
		return with_dso(out, "functions of ", entry, session,
		                " in the middle keep no frame pointer");
	case CHAIN_GAP_NOT_KNOWN:
		return with_dso(out, "no unwind information tells whether ", entry, session,
		                " keeps frame pointers");
	case CHAIN_CUT_BOTH:
		copied(out, attr->sample_stack_user);
		out__printf(out, ", and cut by --max-stack %u", health->max_stack);
		return;
	default:
		return out__str(out, chain_end__name(entry->end));
	}
}

void health_text__unmapped(struct out *out, u64 addr, const struct row_end *end,
                           const struct session *session)
{
	struct health_entry entry = { .where = ID_NONE };

	if (end && end->end == CHAIN_COMPLETE) {
		out__printf(out, "[no caller: the thread starts below 0x%llx]",
		            (unsigned long long)addr);
		return;
	}
	out__printf(out, "[nothing is mapped at 0x%llx", (unsigned long long)addr);
	if (end && end->dso != ROW_END_NO_DSO)
		entry.where = end->dso;
	if (end && end->end == CHAIN_UNMAPPED && entry.where != ID_NONE)
		with_dso(out, ", where ", &entry, session, " returns to");
	if (end && end->end == CHAIN_NOT_KNOWN && entry.where != ID_NONE)
		with_dso(out, ", above ", &entry, session, ", which has no names");
	out__char(out, ']');
}

static void larger_copy(struct out *out, u32 size)
{
	if (size >= COPY_MAX)
		out__str(out, "build with -fno-omit-frame-pointer and record with -g");
	else
		out__printf(out, "record with --call-graph dwarf,%llu",
		            (unsigned long long)min_u64((u64)size * 4, COPY_MAX));
}

static void other_unwinder(struct out *out, const struct perf_event_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		out__str(out, "build with -fno-omit-frame-pointer and record with -g");
	else
		out__str(out, "record with --call-graph dwarf");
}

static void with_tables(struct out *out, const struct health_entry *entry,
                        const struct session *session)
{
	with_dso(out, "build ", entry, session, " with -fasynchronous-unwind-tables");
}

void health_text__fix(struct out *out, const struct health_entry *entry,
                      const struct session *session)
{
	if (entry->no_file)
		return with_dso(out, "restore ", entry, session, " or perf buildid-cache --add it");
	switch (entry->end) {
	case CHAIN_CUT_COPY:
		return larger_copy(out, attr_of(entry, session)->sample_stack_user);
	case CHAIN_CUT_RECORD:
		return out__str(out, attr_of(entry, session)->sample_max_stack
		                             ? "record with a larger max-stack"
		                             : "sysctl kernel.perf_event_max_stack=1024, then "
		                               "record");
	case CHAIN_CUT_READER:
		return out__str(out, "read with --max-stack 1024");
	case CHAIN_CUT_BOTH:
		larger_copy(out, attr_of(entry, session)->sample_stack_user);
		return out__str(out, ", read with --max-stack 1024");
	case CHAIN_NO_TABLES:
		return with_tables(out, entry, session);
	case CHAIN_GAP_NOT_KNOWN:
		if (entry->where != ID_NONE &&
		    dsos__at(&session->dsos, entry->where)->kind == DSO_USER)
			return with_tables(out, entry, session);
		return out__str(out, "let the JIT compiler keep frame pointers");
	case CHAIN_NO_REGS:
		return out__str(out, "record without --user-regs");
	case CHAIN_UNREADABLE:
		return with_dso(out, "is ", entry, session, " the file that was recorded?");
	case CHAIN_NOT_UNWOUND:
		return out__str(out, "read without --unwind-style");
	case CHAIN_NOT_KNOWN:
		return out__str(out, "install its debug symbols");
	default:
		return other_unwinder(out, attr_of(entry, session));
	}
}

void health_text__share(struct out *out, u64 part, u64 whole)
{
	double percent = whole ? 100.0 * part / whole : 0;

	if (percent > 99.9 && part < whole)
		percent = 99.9;
	if (percent > 0 && percent < 0.1)
		out__str(out, "under 0.1");
	else
		out__printf(out,
		            part && (percent < 10 || (percent > 99 && part < whole)) ? "%.1f"
		                                                                     : "%.0f",
		            percent);
}

/* ---- one line ---- */

static const char *what_lacks(unsigned end)
{
	switch (end) {
	case CHAIN_GAP:
		return "lack callers";
	case CHAIN_GAP_NOT_KNOWN:
		return "may lack callers";
	case CHAIN_NOT_KNOWN:
		return "may end early";
	default:
		return "end early";
	}
}

static void write_line(struct out *out, const struct health_cause *cause, u64 nr_stacks,
                       const struct session *session, bool advice, bool where)
{
	const struct dso *dso =
	        where && cause->where != ID_NONE ? dsos__at(&session->dsos, cause->where) : NULL;

	out__str(out, "# Stacks: ");
	if (advice) {
		health_text__fix(out, cause->entry, session);
		out__str(out, ": ");
	}
	health_text__share(out, cause->nr, nr_stacks);
	out__printf(out, " %% %s", what_lacks(cause->entry->end));
	if (dso) {
		out__str(out, " (most at ");
		out__name(out, strtab__get(&session->strings, dso->short_name));
		out__str(out, ", ");
		health_text__share(out, cause->nr_where, nr_stacks);
		out__str(out, " %)");
	}
	out__str(out, advice ? "" : "; see perf report --stack-health");
}

void health_text__line(struct out *out, const struct health_cause *cause, u64 nr_stacks,
                       const struct session *session)
{
	for (unsigned left_out = 0; left_out < 3; left_out++) {
		struct out text;

		out__init(&text, -1);
		write_line(&text, cause, nr_stacks, session, left_out < 2, left_out < 1);
		const char *line = out__take(&text);
		bool fits = strlen(line) <= LINE_MAX_LEN;

		if (fits)
			out__str(out, line);
		out__exit(&text);
		if (fits)
			break;
	}
	out__char(out, '\n');
}

/* ---- JSON ---- */

static void begin_line(struct out *out, int depth, const char *text)
{
	out__char(out, '\n');
	out__fill(out, '\t', depth);
	out__str(out, text);
}

static void member(struct out *out, const char *name, u64 value)
{
	out__printf(out, ", \"%s\": %llu", name, (unsigned long long)value);
}

/* What @fn writes, as a string. */
static void text_member(struct out *out, const char *name, struct out *text)
{
	out__printf(out, ", \"%s\": ", name);
	json__string(out, out__take(text));
	out__exit(text);
}

static void json_entry(struct out *out, const struct health *health,
                       const struct health_entry *entry, const struct session *session)
{
	struct out cause, fix;

	out__str(out, "{\"end\": ");
	json__string(out, chain_end__name(entry->end));
	out__str(out, ", \"dso\": ");
	json__string(out, entry->where == ID_NONE ? NULL : health_text__dso(entry, session));
	member(out, "stacks", entry->nr);
	if (entry->end != CHAIN_COMPLETE) {
		out__init(&cause, -1);
		health_text__cause(&cause, health, entry, session);
		text_member(out, "cause", &cause);
		out__init(&fix, -1);
		health_text__fix(&fix, entry, session);
		text_member(out, "fix", &fix);
	}
	out__char(out, '}');
}

/* Of recordings with frame pointers only. */
static void json_leaves(struct out *out, const struct health_leaves *leaves)
{
	if (!leaves->nr)
		return;
	member(out, "user-stacks", leaves->nr);
	member(out, "caller-may-lack", leaves->frameless);
	member(out, "caller-not-known", leaves->not_known);
}

static void json_sums(struct out *out, const struct health_sums *sums)
{
	out__printf(out, "\"stacks\": %llu", (unsigned long long)sums->nr);
	member(out, "not-complete", sums->not_complete);
	member(out, "not-known", sums->not_known);
}

static void json_event(struct out *out, const struct health *health, u32 evsel,
                       const struct session *session, int depth)
{
	struct health_sums sums;
	bool comma = false;

	health__sum(health, evsel, &sums);
	out__str(out, "{\"event\": ");
	json__string(out, session->evlist->evsels[evsel]->name);
	out__str(out, ", ");
	json_sums(out, &sums);
	json_leaves(out, &health->leaves[evsel]);
	out__str(out, ", \"ends\": [");
	for (u32 i = 0; i < health->nr; i++) {
		if (health->entries[i].evsel != evsel)
			continue;
		begin_line(out, depth, comma ? "," : "");
		json_entry(out, health, &health->entries[i], session);
		comma = true;
	}
	out__str(out, "]}");
}

void health_text__json(struct out *out, const struct health *health, const struct session *session,
                       int depth)
{
	struct health_sums sums;
	bool comma = false;

	health__sum(health, -1, &sums);
	out__char(out, '{');
	json_sums(out, &sums);
	if (health->nr_recorded) {
		member(out, "unwound-while-recording", health->nr_recorded);
		member(out, "kept-copies", health->nr_copies);
	}
	out__str(out, ", \"events\": [");
	for (u32 i = 0; i < session->evlist->nr; i++) {
		health__sum(health, i, &sums);
		if (!sums.nr)
			continue;
		begin_line(out, depth + 1, comma ? "," : "");
		json_event(out, health, i, session, depth + 2);
		comma = true;
	}
	out__str(out, "]}");
}
