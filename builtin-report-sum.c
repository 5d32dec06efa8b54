// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf report -i A -i B ...: the recordings behind the first are added to its profile.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "builtin-report.h"
#include "ui/term/diag.h"
#include "ui/text/loss_table.h"
#include "ui/text/report_problems.h"
#include "util/export/json_export.h"
#include "util/lib/alloc.h"
#include "util/lib/json.h"
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
		{ report.threads, "--threads" },
		{ report.header || report.header_only, "--header" },
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
	static const char *const names[] = { "cgroup", "cgroup_id", "socket" };
	const struct sort_keys *keys = &report.view.hists.keys;

	for (u32 i = 0; report.nr_inputs > 1 && i < keys->nr; i++) {
		const struct key *key = keys->list[i].key;
		bool refused = false;

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

/* What the first recording has decides what is shown of all. */
struct first {
	bool chains, branches;
};

static struct first kinds_of(const struct session *session)
{
	struct first kinds = { .chains = session__has_chains(session) };

	report__has_branches(session, &kinds.branches);
	return kinds;
}

static bool shows_chains(void)
{
	return report.children || (report.view.chain.mode != CHAIN_NONE && !report.branch_frames);
}

static void say_kinds(const struct first *first, const struct session *of, const char *path)
{
	const struct first here = kinds_of(of);

	if (report.chains_missing && here.chains)
		diag__say_warning(
		        "call chains of '%s' are not shown, nor what functions called, as "
		        "'%s' has none: name '%s' first to see them",
		        path, report.input, path);
	if (first->chains && !here.chains && shows_chains())
		diag__say_warning("'%s' has no call chains, unlike '%s': its samples have no "
		                  "callers here",
		                  path, report.input);
	if (report.branches && !here.branches)
		diag__say_warning("'%s' has no branches, which are what is shown: nothing here is "
		                  "of it (--no-branch-stack shows samples)",
		                  path);
	if (!first->branches && here.branches && !report.branches && !report.branch_frames)
		diag__say_warning("branches of '%s' are not shown, as '%s' has none: what is shown "
		                  "are samples",
		                  path, report.input);
}

/* @nr: the number of the recordings before it. */
static void say_twice(u32 nr)
{
	struct stat here, there;

	if (stat(report.inputs[nr], &here))
		return;
	for (u32 i = 0; i < nr; i++) {
		if (stat(report.inputs[i], &there) || here.st_ino != there.st_ino ||
		    here.st_dev != there.st_dev)
			continue;
		diag__say_warning("'%s' is the same recording as '%s': its samples count once more",
		                  report.inputs[nr], report.inputs[i]);
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

/* Before others are added to it. */
static void note_span(const struct session *session)
{
	report.spans = xrealloc(report.spans, report.nr_spans + 1, sizeof(*report.spans));
	report.spans[report.nr_spans++] =
	        (struct report_span){ session->stats.first_time, session->stats.last_time };
}

/* For --json: its header and its losses, before anything is added to it. */
static int describe(const struct session *session, const char *path, struct error *err)
{
	struct out *out = &report.recordings;
	struct losses losses;

	if (!report.json)
		return 0;
	int ret = losses__collect(&losses, session, err);

	if (!ret) {
		out__str(out, out->len ? ",\n  {\"file\": " : "\n  {\"file\": ");
		json__string(out, path);
		out__str(out, ", \"headers\": ");
		json_export__headers(session, out);
		out__str(out, ", \"losses\": ");
		loss_table__print_json(out, &losses, session->evlist);
		out__char(out, '}');
	}
	losses__exit(&losses);
	return ret;
}

/* Why, with the recording that it is about, as there are several. */
static int of_file(int ret, const char *path, struct error *err)
{
	size_t len = strlen(err->cause);

	if (ret && err->code && !strstr(err->subject, path))
		snprintf(err->cause + len, sizeof(err->cause) - len, " (in '%s')", path);
	return ret;
}

/* What passes, but for the parts of the recording: those of another are its own. */
static struct sample_filter filter_without_parts(void)
{
	struct sample_filter filter = report.view.hists.filter;

	filter.times = filter.parts = (struct time_ranges){ .nr = 0 };
	filter.in_parts = false;
	return filter;
}

static int add_session(struct session *session, struct profile *profile, struct session *other,
                       const char *path, const struct first *first, struct error *err)
{
	struct sample_filter filter = filter_without_parts();
	struct session_symbols *symbols;
	struct join_notes notes;
	struct profile more;
	int ret = report__build(other, &filter, &more, &symbols, err);

	if (!ret) {
		const struct profile_options build = report__profile_options();

		ret = describe(other, path, err);
		note_span(other);
		say_machine(session, other, path);
		profile__join(profile, session, &more, other, &build, &notes);
		if (!report.style.quiet) {
			say_kinds(first, other, path);
			say_notes(&notes, path);
			say_lost(other, path);
			report_problems__say_records(other, report.verbose);
		}
	}
	time_ranges__exit(&filter.times);
	time_ranges__exit(&filter.parts);
	return of_file(ret, path, err);
}

static int add_file(struct session *session, struct profile *profile, const char *path,
                    const struct first *first, struct error *err)
{
	struct session other;
	int ret = session__open(&other, path, report.force ? PERF_DATA_FORCE : 0, err);

	if (!ret) {
		ret = add_session(session, profile, &other, path, first, err);
		session__close(&other);
	}
	return ret;
}

int report__add_files(struct session *session, struct profile *profile, struct error *err)
{
	int ret = report.nr_inputs > 1 ? describe(session, report.input, err) : 0;
	const struct first first = kinds_of(session); /* before others are added to it */

	if (report.nr_inputs > 1)
		note_span(session);
	if (report.nr_inputs > 1 && !report.style.quiet)
		say_lost(session, report.input);
	for (u32 i = 1; i < report.nr_inputs && !ret; i++) {
		if (!report.style.quiet)
			say_twice(i);
		ret = add_file(session, profile, report.inputs[i], &first, err);
	}
	if (ret)
		profile__exit(profile);
	return ret;
}
