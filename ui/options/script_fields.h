/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields that `perf script` prints for each type of event: the defaults, changed by -F.
 * Forms of -F: "comm,tid", "TYPE:comm,tid", "+pid,-comm", "TYPE:+pid". Nothing is printed here.
 */
#ifndef PERF_UI_OPTIONS_SCRIPT_FIELDS_H
#define PERF_UI_OPTIONS_SCRIPT_FIELDS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

enum script_field {
	FIELD_COMM = 1u << 0,
	FIELD_TID = 1u << 1,
	FIELD_PID = 1u << 2,
	FIELD_TIME = 1u << 3,
	FIELD_CPU = 1u << 4,
	FIELD_EVENT = 1u << 5,
	FIELD_TRACE = 1u << 6,
	FIELD_IP = 1u << 7,
	FIELD_SYM = 1u << 8,
	FIELD_DSO = 1u << 9,
	FIELD_ADDR = 1u << 10,
	FIELD_SYMOFF = 1u << 11,
	FIELD_PERIOD = 1u << 12,
	FIELD_MISC = 1u << 13,
	FIELD_WEIGHT = 1u << 14,
	FIELD_PHYS_ADDR = 1u << 15,
	FIELD_CALLINDENT = 1u << 16, /* has an effect on branch samples only */
	FIELD_IREGS = 1u << 17,
	FIELD_UREGS = 1u << 18,
	FIELD_DATA_PAGE_SIZE = 1u << 19,
	FIELD_CODE_PAGE_SIZE = 1u << 20,
	FIELD_INS_LAT = 1u << 21,
	FIELD_CGROUP = 1u << 22,
	FIELD_SRCLINE = 1u << 23,
};

enum script_type { /* of events; "hw:", "sw:", "trace:", "raw:", "synth:" */
	           SCRIPT_HW,
	           SCRIPT_SW,
	           SCRIPT_TRACE,
	           SCRIPT_CACHE,
	           SCRIPT_RAW,
	           SCRIPT_BREAKPOINT,
	           SCRIPT_OTHER, /* PMUs with dynamic type numbers */
	           SCRIPT_SYNTH,
	           SCRIPT_TYPES,
};

struct script_fields {
	u32 print[SCRIPT_TYPES];   /* enum script_field */
	u32 wanted[SCRIPT_TYPES];  /* of these: requested by name, so their absence is an error */
	u32 removed[SCRIPT_TYPES]; /* by -FIELD */
	u32 overridden;            /* bit per type: a list without signs was given */
};

void script_fields__init(struct script_fields *fields);

/*
 * One -F argument. 0, or -EINVAL (-EOPNOTSUPP for a field that this perf does not have yet) with
 * @err filled.
 */
int script_fields__parse(struct script_fields *fields, const char *text, struct error *err);

/* The names of the printable fields, and of the types; NULL after the last. */
const char *script_fields__name(u32 i);
const char *script_fields__type(u32 i);

/*
 * The fields to print for @evsel. A field that its samples lack is dropped if it was a default, and
 * an error (-ENODATA) if it was requested. *print may become 0: nothing to print.
 */
int script_fields__of_event(const struct script_fields *fields, const struct evsel *evsel,
                            u32 *print, struct error *err);

#endif
