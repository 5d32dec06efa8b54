/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests of views share: samples, given and random ones, and the rows of a view as text. */
#ifndef PERF_TESTS_UNIT_VIEW_FIXTURE_H
#define PERF_TESTS_UNIT_VIEW_FIXTURE_H

#include "tests/unit/profile_fixture.h"
#include "util/view/view.h"

/* 0 .. nr - 1, in the same order in each run. */
u32 view_fixture__below(u32 nr);

void view_fixture__random_samples(struct fixture *f, u32 nr);
void view_fixture__random_options(struct view_options *options);

/*
 * The rows of the first event, one to a line: its depth in blanks, '+' or '-' where it can be
 * opened or closed, its cells. Valid until the next call.
 */
const char *view_fixture__rows(struct view *view);

#endif
