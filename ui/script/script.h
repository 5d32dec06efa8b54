/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of `perf script`: one entry per sample, with its call chain, as in Linux's perf 6.1.
 * Side-band records have separate lines (script_events.c).
 *
 * Everything goes through struct out. The text of a frame ("\tIP symbol+0xoff (dso)\n") is made
 * once per address and then copied, so a frame costs a look-up and a memcpy.
 */
#ifndef PERF_UI_SCRIPT_SCRIPT_H
#define PERF_UI_SCRIPT_SCRIPT_H

#include "ui/options/script_fields.h"
#include "util/counter/targets.h"
#include "util/lib/out.h"
#include "util/lib/time_range.h"
#include "util/machine/session.h"
#include "util/stream/resolve.h"
#include "util/symbol/session_symbols.h"
#include "util/trace/trace_text.h"
#include "util/unwind/unwind.h"

struct script_filter { /* unset members (NULL, 0) pass everything */
	const char *comms, *dsos, *symbols, *pids, *tids; /* lists with commas */
	const struct cpu_map *cpus;
	struct time_ranges times;
};

struct script_options {
	struct script_fields fields;
	struct script_filter filter;
	bool nanoseconds;
	bool no_chain;           /* -G */
	bool inlines;            /* inlined functions in chains unwound from stacks ... */
	bool inlines_everywhere; /* ... and in all others */
	bool full_source_path;   /* of srcline; else the file's name alone */
	bool relative_time, delta_time;
	unsigned max_stack;
	enum unwind_style unwind_style; /* the unwinder for copied stacks */
	bool show_task, show_mmap, show_switch, show_lost, show_rounds;
	bool show_namespaces, show_cgroups;
	bool dump; /* -D: the caller dumps each record first; print thread and dso of samples */
};

struct script; /* private */

/*
 * All arguments are borrowed; @options and @session must outlive the script. NULL with @err if
 * the file lacks a requested field, or a filter is invalid.
 */
struct script *script__new(const struct session *session, struct session_symbols *symbols,
                           const struct script_options *options, struct out *out,
                           struct error *err);
void script__delete(struct script *script);

struct script_counts {
	u64 nr_printed, nr_broken, nr_unknown_id, nr_unknown_context;
};

/*
 * Call it after session__more(); @changed: earlier answers of its machine are invalid. 0, or
 * -ENODATA with @err: an event that had no samples before lacks a requested field.
 */
int script__renew(struct script *script, bool changed, struct error *err);

/* Print @record if its kind is wanted and the filters let it pass. */
void script__record(struct script *script, const struct record *record);
const struct script_counts *script__counts(const struct script *script);

/* After all records: warn of filters that no sample passed, with the names that samples have. */
void script__say_filters(const struct script *script);

/* Why tracepoint samples are printed as raw bytes; NULL: they are not. */
const struct error *script__trace_error(const struct script *script);

#endif
