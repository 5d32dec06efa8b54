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
#include "ui/script/script_dumps.h"
#include "util/lib/out.h"
#include "util/machine/session.h"
#include "util/stream/read_problems.h"
#include "util/stream/sample_filter.h"
#include "util/symbol/session_symbols.h"
#include "util/trace/trace_text.h"
#include "util/unwind/unwind.h"

struct script_options {
	struct script_fields fields;
	struct sample_filter filter;
	bool nanoseconds;
	bool no_chain;          /* -G */
	bool inlines;           /* inlined functions in chains ... */
	bool inlines_in_kernel; /* ... also in frames of the kernel */
	bool full_source_path;  /* of srcline; else the file's name alone */
	bool relative_time, delta_time;
	bool latency; /* -L: short comms, CPUs without brackets */
	unsigned max_stack;
	unsigned max_blocks; /* of code between branches, of each sample; 0: all */
	u64 addr_range;      /* bytes from each address among the filter's symbols; 0 is as 1 */
	struct name_list stop_at;       /* functions that end a chain (--stop-bt) */
	enum unwind_style unwind_style; /* the unwinder for copied stacks */
	bool show_task, show_mmap, show_switch, show_lost, show_rounds;
	bool show_namespaces, show_cgroups, show_bpf, show_text_pokes;
	struct script_dumps *dumps; /* borrowed; takes the entries (--per-event-dump); else NULL */
	const char *dlfilter;       /* --dlfilter: perf_dlfilter.h; NULL: none */
	char **dlargs;              /* --dlarg, nr_dlargs of them */
	u32 nr_dlargs;
	bool counter_names; /* of events counted at branches, instead of letters (-v) */
	bool json;     /* an object a sample (util/export/json_sample.h); @fields do not matter */
	bool terminal; /* the entries are read on a terminal */
	bool dump;     /* -D: each record first, and the thread and dso of samples */
	bool unsorted; /* ... in the order of the file */
};

struct script; /* private */

/*
 * All arguments are borrowed; @options and @session must outlive the script. NULL with @err if
 * the file lacks a requested field, or cannot be read again.
 */
struct script *script__new(const struct session *session, struct session_symbols *symbols,
                           const struct script_options *options, struct out *out,
                           struct error *err);
void script__delete(struct script *script);

/*
 * Print the next record, if its kind is wanted and the filters let it pass. False: none is left, or
 * a filter of --dlfilter had an error: script__end() tells.
 */
bool script__next(struct script *script);

/* Print all records that are there; by several workers, where no entry depends on one before. */
void script__print(struct script *script);

/*
 * After that, if @session is a live stream: wait for more. 1; 0: it has ended, or nobody reads what
 * is printed; or a negative errno with @err (-ENODATA: an event that had no samples before lacks a
 * requested field).
 */
int script__more(struct script *script, struct session *session, struct error *err);

/* After all records: 0, or a negative errno with @err, if the filter of --dlfilter had an error. */
int script__end(struct script *script, struct error *err);

struct read_problems script__problems(const struct script *script);
u64 script__nr_printed(const struct script *script); /* entries */

/* After all records: warn of filters that no sample passed, with the names that samples have. */
void script__say_filters(const struct script *script);

/*
 * After all records: warn of events whose raw fields were printed, as their formats cannot be
 * parsed; with @all list the events that libtraceevent printed, and why.
 */
void script__say_formats(const struct script *script, bool all);

/* Which source files of the field srccode cannot be read, or are not those of the build. */
bool script__missing_sources(const struct script *script, struct error *err);

/* Why tracepoint samples are printed as raw bytes; NULL: they are not. */
const struct error *script__trace_error(const struct script *script);

#endif
