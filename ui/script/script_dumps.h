/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script --per-event-dump: the entries of each event in a file of their own, RECORDING.EVENT.dump.
 * A "/" or control character in an event's name is "_" there; a second event of the same name has
 * ".2" behind it.
 */
#ifndef PERF_UI_SCRIPT_SCRIPT_DUMPS_H
#define PERF_UI_SCRIPT_SCRIPT_DUMPS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/out.h"

struct script_dumps; /* private */

/*
 * Open the files of all events of @evlist, borrowed, of the recording @input ("-": as if it was
 * perf.data in the working directory). What is there already is only replaced when all was written
 * (util/lib/output_file.h). NULL with @err, and nothing left behind.
 */
struct script_dumps *script_dumps__new(const struct evlist *evlist, const char *input,
                                       struct error *err);

/* Where the entries of an event go; @nr of them went there. */
struct out *script_dumps__out(struct script_dumps *dumps, const struct evsel *evsel);
void script_dumps__count(struct script_dumps *dumps, const struct evsel *evsel);

/* With @keep give the files their names, and list them on @out. 0, or a negative errno with @err.
 */
int script_dumps__close(struct script_dumps *dumps, bool keep, struct out *out, struct error *err);
void script_dumps__delete(struct script_dumps *dumps);

#endif
