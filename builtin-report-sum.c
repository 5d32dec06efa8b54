// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf report -i A -i B ...: the recordings behind the first are added to its profile.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-report.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/sum/join.h"

int report__parse_input(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)err;
	if (unset) {
		report.nr_inputs = 0;
		report.input = NULL;
		return 0;
	}
	report.inputs = xrealloc(report.inputs, report.nr_inputs + 1, sizeof(*report.inputs));
	report.inputs[report.nr_inputs++] = arg;
	report.input = report.inputs[0];
	return 0;
}

/* What is not about a profile alone, or needs numbers of one recording. */
static const char *not_for_sums(void)
{
	const struct {
		bool given;
		const char *name;
	} rows[] = {
		{ report.dump, "-D" },
		{ report.stats, "--stats" },
		{ report.tasks, "--tasks" },
		{ report.mmaps, "--mmaps" },
		{ report.losses, "--losses" },
		{ report.stack_health, "--stack-health" },
		{ report.json, "--json" },
		{ report.threads, "--threads" },
		{ report.header || report.header_only, "--header" },
		{ report.style.times, "--time" },
		{ event_switch__is_given(&report.event_switch), "--switch-on, --switch-off" },
		{ report.latency, "--latency" },
		{ report.running, "--parallelism" },
		{ report.socket_said, "--socket-filter" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].given)
			return rows[i].name;
	return NULL;
}

int report__check_sum(struct error *err)
{
	const char *name = report.nr_inputs > 1 ? not_for_sums() : NULL;

	return name ? error__set(err, -EINVAL, "cannot do", name,
	                         "it is about one recording, and -i names %u", report.nr_inputs)
	            : 0;
}

/* Those whose values mean something in one recording alone. */
int report__check_sum_keys(struct error *err)
{
	static const char *const names[] = { "cgroup", "cgroup_id", "socket", "parallelism" };
	const struct sort_keys *keys = &report.view.hists.keys;

	for (u32 i = 0; report.nr_inputs > 1 && i < keys->nr; i++) {
		const struct key *key = keys->list[i].key;
		bool refused = key->of_event || key__is_trace(key);

		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			refused |= !strcmp(key->name, names[n]);
		if (refused)
			return error__set(err, -EINVAL, "cannot sort by", key->name,
			                  "its values are those of one recording, and -i names %u",
			                  report.nr_inputs);
	}
	return 0;
}

/* ---- what they do not have in common ---- */

static void say_machine(const struct session *session, const struct session *of, const char *path)
{
	static const unsigned features[] = { FEATURE_ARCH, FEATURE_CPUDESC };

	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		const char *here = perf_data__feature_string(session->data, features[i]),
		           *there = perf_data__feature_string(of->data, features[i]);

		if (!here || !there || !strcmp(here, there))
			continue;
		diag__say_warning("'%s' is of another machine (%s, not %s): counts of its events "
		                  "need not mean the same",
		                  path, there, here);
		return;
	}
}

static void say_notes(const struct join_notes *notes, const char *path)
{
	if (notes->event)
		diag__say_warning("'%s' %s the event '%s', unlike the recordings before it", path,
		                  notes->of_first ? "lacks" : "has", notes->event);
	if (notes->nr_rebuilt)
		diag__say_warning("'%s' has other builds of %u objects ('%s' ...): each is named "
		                  "by its own symbols",
		                  path, notes->nr_rebuilt, notes->rebuilt);
	if (notes->nr_unknown)
		diag__say_warning("'%s' or those before lack build-ids of %u objects ('%s' ...): "
		                  "they may be other builds, and are kept apart",
		                  path, notes->nr_unknown, notes->unknown);
}

static void say_lost(const struct session *session, const char *path)
{
	u64 lost = session->stats.lost + session->stats.lost_samples;

	if (lost)
		diag__say_warning("%llu records of '%s' were lost", (unsigned long long)lost, path);
}

/* ---- adding ---- */

static int add_file(struct session *session, struct profile *profile, const char *path,
                    const struct profile_options *build, struct error *err)
{
	struct session other;
	struct join_notes notes;
	struct profile more;
	int ret = session__open(&other, path, report.force ? PERF_DATA_FORCE : 0, err);

	if (ret)
		return ret;
	ret = session__scan(&other, err);
	if (!ret)
		ret = profile__build(&more, &other, build, err);
	if (!ret) {
		say_machine(session, &other, path);
		profile__join(profile, session, &more, &other, build, &notes);
		if (!report.style.quiet) {
			say_notes(&notes, path);
			say_lost(&other, path);
			report_problems__say_records(&other, report.verbose);
		}
	}
	session__close(&other);
	return ret;
}

int report__add_files(struct session *session, struct profile *profile,
                      const struct profile_options *build, struct error *err)
{
	int ret = 0;

	if (report.nr_inputs > 1 && !report.style.quiet)
		say_lost(session, report.input);
	for (u32 i = 1; i < report.nr_inputs && !ret; i++)
		ret = add_file(session, profile, report.inputs[i], build, err);
	return ret;
}
