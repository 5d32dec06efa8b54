/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of `perf doctor` as text and as JSON (its keys: Documentation/perf-doctor.txt). */
#ifndef PERF_UI_TEXT_DOCTOR_H
#define PERF_UI_TEXT_DOCTOR_H

#include "util/doctor/doctor.h"
#include "util/lib/out.h"

struct doctor_report {
	const struct finding *findings; /* in the order of the doctor's table */
	u32 nr;
	bool own_programs; /* recording of one's own programs works: the verdict */
};

/* What the user can and cannot do, and why; then one line for each finding, below its group. */
void doctor_report__print(const struct doctor_report *report, struct out *out);

/* Everything about each finding, for facilities given by name. */
void doctor_report__print_details(const struct doctor_report *report, struct out *out);

void doctor_report__print_json(const struct doctor_report *report, struct out *out);

#endif
