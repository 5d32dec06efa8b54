/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event sources (PMUs) as sysfs shows them. A source has a number (type), the positions of its
 * settings in the config words (format/), named events (events/), and the CPUs it counts on
 * (cpumask). Files are read when an event text needs them, never in advance.
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
	bool is_core; /* the PMU of a CPU core: "cpu", or it has a file cpus */
};

/* @sysfs is the folder of all sources. 0, -ENOENT (no such source), or a negative errno. */
int pmu__open(struct pmu *pmu, const char *sysfs, const char *name);
void pmu__close(struct pmu *pmu);

/*
 * Fill evsel's type, config words, scale, unit and CPUs from @terms: each is looked up among the
 * source's named events, then its format terms, then those of evsel__apply_term(). On failure *bad
 * is the index of the term at fault. -EINVAL: @err's cause is set; -ENOENT: the term is unknown.
 */
int pmu__configure(const struct pmu *pmu, const struct event_terms *terms, struct evsel *evsel,
                   u32 *bad, struct error *err);

/* Does the source have an event named @name? */
bool pmu__has_event(const struct pmu *pmu, const char *name);

/* ... or a format term? */
bool pmu__has_format(const struct pmu *pmu, const char *name);

/*
 * Read events/@name@suffix (suffix "", ".unit", ".scale") into @buf of PMU_TEXT_SIZE bytes, as
 * sysfs has it: mask it before it goes to a terminal. False: there is none.
 */
#define PMU_TEXT_SIZE 4096
bool pmu__event_text(const struct pmu *pmu, const char *name, const char *suffix, char *buf);

/*
 * The names in @folder ("events", "format") of the source, sorted. Returns their number; the array
 * and its strings are malloc'ed.
 */
u32 pmu__names(const struct pmu *pmu, const char *folder, char ***names);

/* Free what pmu__names() or pmu__find_all() returned. */
void pmu__free_names(char **names, u32 nr);

/*
 * Find the sources that @pattern means, sorted: the one of that name; else those matching it as a
 * glob; else, for "imc", uncore_imc, imc_0, uncore_imc_3 ... Returns their number (0: none); the
 * array and its strings are malloc'ed.
 */
u32 pmu__find_all(const char *sysfs, const char *pattern, char ***names);

#endif
