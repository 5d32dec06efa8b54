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

/* 64 bits: kept in u64. */
enum script_field {
	FIELD_COMM = 1ull << 0,
	FIELD_TID = 1ull << 1,
	FIELD_PID = 1ull << 2,
	FIELD_TIME = 1ull << 3,
	FIELD_CPU = 1ull << 4,
	FIELD_EVENT = 1ull << 5,
	FIELD_TRACE = 1ull << 6,
	FIELD_IP = 1ull << 7,
	FIELD_SYM = 1ull << 8,
	FIELD_DSO = 1ull << 9,
	FIELD_ADDR = 1ull << 10,
	FIELD_SYMOFF = 1ull << 11,
	FIELD_PERIOD = 1ull << 12,
	FIELD_MISC = 1ull << 13,
	FIELD_WEIGHT = 1ull << 14,
	FIELD_PHYS_ADDR = 1ull << 15,
	FIELD_CALLINDENT = 1ull << 16, /* has an effect on branch samples only */
	FIELD_IREGS = 1ull << 17,
	FIELD_UREGS = 1ull << 18,
	FIELD_DATA_PAGE_SIZE = 1ull << 19,
	FIELD_CODE_PAGE_SIZE = 1ull << 20,
	FIELD_INS_LAT = 1ull << 21,
	FIELD_CGROUP = 1ull << 22,
	FIELD_SRCLINE = 1ull << 23,
	FIELD_DSOFF = 1ull << 24,
	FIELD_BRSTACK = 1ull << 32,
	FIELD_BRSTACKSYM = 1ull << 33,
	FIELD_BRSTACKOFF = 1ull << 34,
	FIELD_DATA_SRC = 1ull << 35,
	FIELD_RETIRE_LAT = 1ull << 36,
	FIELD_TOD = 1ull << 37,
	FIELD_INSN = 1ull << 38,
	FIELD_INSNLEN = 1ull << 39,
	FIELD_DISASM = 1ull << 40,
	FIELD_SRCCODE = 1ull << 41,
	FIELD_FLAGS = 1ull << 42, /* of samples that a decoder makes: blanks */
	FIELD_SYNTH = 1ull << 43, /* this and the next: of decoders, too: nothing */
	FIELD_IPC = 1ull << 44,
	FIELD_MACHINE_PID = 1ull << 45, /* this and the next: of guests' samples: nothing */
	FIELD_VCPU = 1ull << 46,
	FIELD_FOLDED = 1ull << 47, /* one line a stack; of the others only period goes with it */
	FIELD_BPF_OUTPUT = 1ull << 49, /* of events bpf-output only */
	FIELD_METRIC = 1ull << 50,     /* of samples with counts: refused; of others: nothing */
	FIELD_BRSTACKINSN = 1ull << 51,
	FIELD_BRSTACKINSNLEN = 1ull << 52,
	FIELD_BRSTACKDISASM = 1ull << 53,
	FIELD_BRCNTR = 1ull << 54,
	FIELD_JSON = 1ull << 48, /* no word of -F: an object instead of all others (--json) */
};

#define SCRIPT_BRANCH_FIELDS (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF)
#define SCRIPT_BLOCK_FIELDS  (FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN | FIELD_BRSTACKDISASM)
#define SCRIPT_CODE_FIELDS   (FIELD_INSN | FIELD_INSNLEN | FIELD_DISASM)

enum script_type { /* of events; "hw:", "sw:" ...: script_fields__type() */
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
	u64 print[SCRIPT_TYPES];   /* enum script_field */
	u64 wanted[SCRIPT_TYPES];  /* of these: requested by name, so their absence is an error */
	u64 removed[SCRIPT_TYPES]; /* by -FIELD */
	u32 overridden;            /* bit per type: a list without signs was given */
	bool no_chain; /* -G: none is printed, so tracepoints have no address by default */
};

void script_fields__init(struct script_fields *fields);

/*
 * One -F argument. 0, or -EINVAL with @err filled.
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
                            u64 *print, struct error *err);

/*
 * Do the samples have the branches that fields about code between branches need? Once for all
 * events, for one of them may be enough. 0, or a negative errno with @err.
 */
int script_fields__check_branches(const struct script_fields *fields, const struct evlist *evlist,
                                  struct error *err);

#endif
