/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event sources (PMUs) as sysfs shows them: a number (type), how their settings lie in the config
 * words (format/), named events (events/), and the CPUs they count on (cpumask). Files are read
 * when an event text needs them, never in advance.
 */
#ifndef PERF_UTIL_EVENT_PMU_H
#define PERF_UTIL_EVENT_PMU_H

#include "util/event/evsel.h"
#include "util/event/terms.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct pmu {
	char *name;
	int dir_fd;
	u32 type;
	char *cpus;   /* text of cpumask or cpus; NULL: none */
	bool is_core; /* it counts for the CPU it sits in: "cpu", or it has a file cpus */
};

/* @sysfs is the folder of all sources. 0, -ENOENT (no such source), or a negative errno. */
int pmu__open(struct pmu *pmu, const char *sysfs, const char *name);
void pmu__close(struct pmu *pmu);

/*
 * Fill evsel's type, config words, scale, unit and CPUs from @terms: named events of the source
 * first, then its format terms, then those of evsel__apply_term(). -EINVAL with *bad the index of
 * the term to blame and @err's cause set; -ENOENT: it is unknown.
 */
int pmu__configure(const struct pmu *pmu, const struct event_terms *terms, struct evsel *evsel,
                   u32 *bad, struct error *err);

/* Does the source have an event named @name? */
bool pmu__has_event(const struct pmu *pmu, const char *name);

/* ... or a term of its own? */
bool pmu__has_format(const struct pmu *pmu, const char *name);

/*
 * The text of events/@name@suffix (suffix "", ".unit", ".scale") into @buf of PMU_TEXT_SIZE bytes,
 * as sysfs has it: check it before it goes to a terminal. False: there is none.
 */
#define PMU_TEXT_SIZE 4096
bool pmu__event_text(const struct pmu *pmu, const char *name, const char *suffix, char *buf);

/*
 * The names in @folder ("events", "format") of the source, sorted. Returns their number; the array
 * and its strings are malloc'ed.
 */
u32 pmu__names(const struct pmu *pmu, const char *folder, char ***names);

/* What pmu__names() and pmu__find_all() gave. */
void pmu__free_names(char **names, u32 nr);

/*
 * Names of the sources that @pattern means, sorted: that very one; else those matching it as a
 * glob; else "imc" for uncore_imc, imc_0, uncore_imc_3 ... Returns their number (0: none); the
 * array and its strings are malloc'ed.
 */
u32 pmu__find_all(const char *sysfs, const char *pattern, char ***names);

#endif
