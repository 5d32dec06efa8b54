/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --unwind-live and --call-graph auto cannot be combined with. */
#ifndef PERF_UTIL_RECORD_RECORDING_LIVE_H
#define PERF_UTIL_RECORD_RECORDING_LIVE_H

#include "util/record/recording.h"

/* With either of them: -EINVAL if the events or other options do not allow it. Else 0. */
int recording__check_live(const struct recording *recording, struct error *err);

#endif
