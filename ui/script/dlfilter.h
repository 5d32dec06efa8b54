/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters for samples out of shared objects (include/perf/perf_dlfilter.h): found, loaded, called.
 * A fault in one becomes an error with its name, and what was printed so far is kept.
 *
 * Signals of faults are caught while a filter is open: one at a time, in one thread.
 */
#ifndef PERF_UI_SCRIPT_DLFILTER_H
#define PERF_UI_SCRIPT_DLFILTER_H

#include "include/perf/perf_dlfilter.h"
#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"

struct dlfilter; /* private */

/*
 * @name with a '/' is a path; else it is looked for in the current folder, in the folder dlfilters
 * of the exec path, and where libraries are. NULL with @err. @functions are copied into the filter.
 */
struct dlfilter *dlfilter__open(const char *name, const struct perf_dlfilter_fns *functions,
                                struct error *err);
void dlfilter__close(struct dlfilter *filter);

bool dlfilter__is_early(const struct dlfilter *filter); /* it has filter_event_early() */

/*
 * Call its functions; what it does not have keeps all samples. 0; 1: the sample is left out; or a
 * negative errno with @err, after which no more may be called. @ctx is for @functions.
 */
int dlfilter__start(struct dlfilter *filter, void *ctx, struct error *err);
int dlfilter__early(struct dlfilter *filter, const struct perf_dlfilter_sample *sample, void *ctx,
                    struct error *err);
int dlfilter__event(struct dlfilter *filter, const struct perf_dlfilter_sample *sample, void *ctx,
                    struct error *err);
int dlfilter__stop(struct dlfilter *filter, void *ctx, struct error *err);

/* Those of the exec path by name, with what they say of themselves; @long_too: all of it. */
int dlfilter__list(struct out *out, bool long_too, struct error *err);

#endif
