/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What builtin-probe*.c share: the options, and the object that is probed. */
#ifndef PERF_BUILTIN_PROBE_H
#define PERF_BUILTIN_PROBE_H

#include "util/options/options.h"
#include "util/probe/event_lines.h"
#include "util/probe/finder.h"

#define KALLSYMS "/proc/kallsyms"

enum probe_action {
	PROBE_NOTHING,
	PROBE_ADD,
	PROBE_DELETE,
	PROBE_DEFINITION,
	PROBE_LIST,
	PROBE_LINE,
	PROBE_VARS,
	PROBE_FUNCS,
	PROBE_TRY,
};

struct probe_options {
	enum probe_action action;
	const char **texts; /* definitions, events, or filters of names: what the action is about */
	u32 nr_texts;
	size_t cap_texts;
	char *joined;         /* the bare words, as one definition */
	const char **command; /* --try: NULL-ended; NULL: none */
	const char *exec, *module, *vmlinux, *source, *symfs, *filter;
	unsigned target_ns, max_probes;
	bool externs, range, no_inlines, force, dry_run, quiet, no_demangle, demangle_kernel;
	bool bootconfig, cache;
	int verbose;
};

/* 0 to go on, or the exit status. Free with probe_options__exit(). */
int probe_options__parse(int argc, const char **argv, struct probe_options *opts);
void probe_options__exit(struct probe_options *opts);

/* A mistake in the text of a definition: prints it with the usage, returns EXIT_USAGE. */
int probe_options__mistake(const struct error *err);

/* Do the options name an object? Else it is the kernel that runs, or what is cached. */
bool probe_options__has_target(const struct probe_options *opts);

/* Open the program, module or kernel that the options name, or the kernel that runs. */
int probe_options__open(const struct probe_options *opts, struct probe_target *target,
                        struct error *err);

/* Print the error, and what failed because of it; the exit status, which is that of Linux's perf.
 */
int probe_failed(const struct error *err, const char *what);

/* Warn if the finder could not look everywhere. */
void probe_say_left_out(const struct probe_options *opts, struct probe_finder *finder);

/* All lines of all definitions. On failure @err is filled and the usage mistakes are EINVAL. */
int probe_make_lines(const struct probe_options *opts, struct event_lines *lines,
                     const struct probe_events *existing, struct error *err, bool *mistake);

/* --cache: keep what became of the definitions; list, remove what is kept. */
int probe_cache_keep(const struct probe_options *opts, const struct event_lines *lines,
                     struct error *err);
int probe_cache_list(const struct probe_options *opts);
int probe_cache_delete(const struct probe_options *opts);

/* Was the event made for the build that @target is now, by what the cache has of it? */
bool probe_cache_knows(struct probe_target *target, const struct probe_event *event);

int probe_list(const struct probe_options *opts);
int probe_show_line(const struct probe_options *opts);
int probe_show_vars(const struct probe_options *opts);
int probe_show_funcs(const struct probe_options *opts);
int probe_try(const struct probe_options *opts);

#endif
