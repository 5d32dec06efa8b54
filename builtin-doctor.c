// SPDX-License-Identifier: GPL-2.0-or-later
/* perf doctor: what this machine allows, the proof, and the command that changes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/text/doctor.h"
#include "util/lib/alloc.h"
#include "util/options/nearest.h"

static struct {
	bool json;
} opts;

static const struct option options[] = {
	OPT_BOOL(0, "json", &opts.json, "print JSON; the manual page describes its keys"),
	{ .type = OPTION_END },
};

static const char *const usage[] = { "perf doctor [<options>] [<facility>...]", NULL };

static const struct facility *find_facility(const char *name, struct error *err)
{
	struct nearest near;
	char guess[200];

	nearest__init(&near, name);
	for (u32 i = 0; i < doctor__nr(); i++) {
		if (!strcmp(doctor__facility(i)->name, name))
			return doctor__facility(i);
		nearest__offer(&near, doctor__facility(i)->name);
	}
	error__set(err, -ENOENT, "unknown facility", name, "%s", "");
	nearest__text(&near, "", guess, sizeof(guess));
	error__advise(err, "%s", near.nr ? guess : "'perf doctor' lists them all");
	return NULL;
}

/* The named ones, or all; NULL with @err for a name that is none. */
static const struct facility **choose(const char **names, u32 nr_names, u32 *nr, struct error *err)
{
	const struct facility **chosen;

	*nr = nr_names ? nr_names : doctor__nr();
	chosen = xcalloc(*nr, sizeof(*chosen));
	for (u32 i = 0; i < *nr; i++) {
		chosen[i] = nr_names ? find_facility(names[i], err) : doctor__facility(i);
		if (!chosen[i]) {
			free(chosen);
			return NULL;
		}
	}
	return chosen;
}

/* Recording needs its event and a ring. */
static bool records_own_programs(struct doctor *doctor)
{
	static const char *const needed[] = { "software-events", "rings" };
	struct finding finding;

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		doctor__probe(doctor, find_facility(needed[i], NULL), &finding);
		if (finding.state != FACILITY_WORKS)
			return false;
	}
	return true;
}

static int print(const struct doctor_report *report, bool details)
{
	struct out out;
	int ret;

	out__init(&out, STDOUT_FILENO);
	if (opts.json)
		doctor_report__print_json(report, &out);
	else if (details)
		doctor_report__print_details(report, &out);
	else
		doctor_report__print(report, &out);
	ret = out__flush(&out);
	out__exit(&out);
	return diag__cannot_write(ret, "cannot write the output", NULL) ? EXIT_ERROR : 0;
}

int cmd_doctor(int argc, const char **argv)
{
	struct doctor_report report = { 0 };
	const struct facility **chosen;
	struct finding *findings;
	struct error err = ERROR_INIT;
	struct doctor doctor;
	int rest, ret = command_line__parse(argc, argv, usage, options, 0, &rest);

	if (ret)
		return ret;
	chosen = choose(argv + rest, argc - rest, &report.nr, &err);
	if (!chosen)
		return command_line__usage(&err, usage, options, NULL);
	doctor__init(&doctor, "");
	findings = xcalloc(report.nr, sizeof(*findings));
	for (u32 i = 0; i < report.nr; i++)
		doctor__probe(&doctor, chosen[i], &findings[i]);
	report.findings = findings;
	report.own_programs = records_own_programs(&doctor);
	ret = print(&report, rest < argc);
	doctor__exit(&doctor);
	free(findings);
	free(chosen);
	return ret ? ret : report.own_programs ? 0 : 1;
}
