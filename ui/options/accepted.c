// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/accepted.h"

#include <errno.h>
#include <stdio.h>

#include "util/reader/features.h"
#include "util/reader/reader.h"

int accepted__parse(const struct option *option, const char *arg, bool unset, struct error *err)
{
	const char **name = option->value;

	(void)arg;
	(void)err;
	*name = unset ? NULL : option->name;
	return 0;
}

int accepted__ignore(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)arg;
	(void)unset;
	(void)err;
	return 0;
}

static u32 nr_events_with(const struct session *session, u64 sample_type)
{
	u32 nr = 0;

	for (u32 i = 0; i < session->evlist->nr; i++)
		nr += (session->evlist->evsels[i]->attr.sample_type & sample_type) != 0;
	return nr;
}

/* Events that only carry records about tasks have no samples, so no chains either. */
static bool has_mixed_chains(const struct session *session)
{
	u32 nr = nr_events_with(session, PERF_SAMPLE_CALLCHAIN), dummies = 0;

	for (u32 i = 0; i < session->evlist->nr; i++) {
		const struct perf_event_attr *attr = &session->evlist->evsels[i]->attr;

		dummies += attr->type == PERF_TYPE_SOFTWARE &&
		           attr->config == PERF_COUNT_SW_DUMMY &&
		           !(attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	}
	return nr && nr + dummies < session->evlist->nr;
}

static bool has_lbr_chains(const struct session *session)
{
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.branch_sample_type &
		    PERF_SAMPLE_BRANCH_CALL_STACK)
			return true;
	return false;
}

static bool has(const struct session *session, enum accepted_about about)
{
	const u64 *records = session->stats.nr_records;

	switch (about) {
	case ABOUT_AUX:
		return perf_data__has_feature(session->data, FEATURE_AUXTRACE) ||
		       records[RECORD_AUXTRACE_INFO];
	case ABOUT_BRANCHES:
		return nr_events_with(session, PERF_SAMPLE_BRANCH_STACK);
	case ABOUT_LBR:
		return has_lbr_chains(session);
	case ABOUT_MIXED_CHAINS:
		return has_mixed_chains(session);
	case ABOUT_GUESTS:
		return session->stats.nr_guest_samples;
	default:
		return false;
	}
}

int accepted__check(const struct accepted *accepted, const struct session *session,
                    struct error *err)
{
	static const char *const what[] = {
		[ABOUT_AUX] = "traces of the processor (AUX area), which this perf does not decode",
		[ABOUT_BRANCHES] = "branch stacks, along which this perf does not print code",
		[ABOUT_LBR] = "call chains of branch records, which this perf does not stitch",
		[ABOUT_MIXED_CHAINS] = "events with and without call chains, and this perf shows "
		                       "those that were recorded",
		[ABOUT_GUESTS] = "samples of guests, whose files this perf does not read",
	};

	for (unsigned about = ABOUT_NOTHING + 1; about < ABOUT_MAX; about++) {
		char name[64];

		if (!accepted->names[about] || !has(session, about))
			continue;
		snprintf(name, sizeof(name), "--%s", accepted->names[about]);
		return error__set(err, -EOPNOTSUPP, "cannot do", name, "'%.120s' has %s",
		                  perf_data__path(session->data), what[about]);
	}
	return 0;
}
