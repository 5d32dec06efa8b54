/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes as the kernel knows them: the lines of its files uprobe_events and kprobe_events, read,
 * written and removed.
 *
 *	p:GROUP/NAME PATH:0xOFFSET(0xSEMAPHORE) name=VALUE:TYPE ...	of programs
 *	p:GROUP/NAME MODULE:SYMBOL+OFFSET name=VALUE:TYPE ...		of the kernel
 *	r:..., r8:...							at the function's return
 *
 * Several lines may have one name: an event with several places. The kernel removes them together.
 */
#ifndef PERF_UTIL_PROBE_PROBE_EVENTS_H
#define PERF_UTIL_PROBE_PROBE_EVENTS_H

#include "util/event/tracefs.h"
#include "util/lib/alloc.h"

struct evsel;

struct probe_event {
	const char *line; /* all of it */
	const char *group, *name;
	const char *path;   /* of a program; NULL: the kernel's */
	const char *symbol; /* of the kernel */
	const char *module; /* ... or of its module; NULL: of none */
	u64 offset;         /* in the file, or from the symbol */
	const char *args;   /* "a=%di:s32 b=%si", may be "" */
	bool is_return;
};

struct probe_events {
	struct probe_event *events; /* sorted by line */
	u32 nr;
	size_t cap;
	struct arena texts;
};

/* Append what the text of such a file has; lines that are no probes are left out. */
void probe_events__parse(struct probe_events *events, const char *text, bool of_programs);
void probe_events__exit(struct probe_events *events);

/*
 * Append what the kernel has of programs or of itself. 0; -ENOENT: this kernel has no such probes;
 * another errno; always with @err.
 */
int probe_events__read(struct probe_events *events, struct tracefs *tracefs, bool of_programs,
                       struct error *err);

/* Is there one of this name? */
bool probe_events__has(const struct probe_events *events, const char *group, const char *name);

/* The names of the arguments of @event, malloc'ed: "n text", or "". */
char *probe_event__arg_names(const struct probe_event *event);

enum probe_file_state {
	PROBE_FILE_SAME,    /* or nothing is known */
	PROBE_FILE_WRITTEN, /* the probe is in it, but it was written, or only touched, since */
	PROBE_FILE_OTHER,   /* another file: the probe is in the one that was there before */
};

/* What became of @file, which is at the path of the program's event, since the event was made? */
enum probe_file_state probe_event__file_state(struct tracefs *tracefs,
                                              const struct probe_event *event, const char *file);

/* Is one of @lines, which may be written otherwise, this place of the event? */
bool probe_event__is_among(const struct probe_event *event, const char *const *lines, u32 nr);

/*
 * @err, of reading or writing, was -EACCES or -EPERM: what lets a user add and remove probes. The
 * functions below do so by themselves.
 */
void probe_events__advise_rights(const struct tracefs *tracefs, bool of_programs,
                                 struct error *err);

/*
 * Nothing was counted of @evsel. Is it a probe in a program at whose path another file is by now
 * (PROBE_FILE_OTHER)? Then @warning says so, and what to do.
 */
bool probe_events__is_stale(const struct evsel *evsel, struct error *warning);

/* Remove all places of an event. */
int probe_events__remove(struct tracefs *tracefs, bool of_programs, const char *group,
                         const char *name, struct error *err);

/*
 * Write these lines, which are of programs (else of the kernel). If one is refused, those before it
 * are removed again: all or nothing. Names must be new, see probe_events__has(). So they are when a
 * signal comes that ends programs, which is held back meanwhile: -EINTR, if a handler lets us live.
 */
int probe_events__add(struct tracefs *tracefs, bool of_programs, const char *const *lines, u32 nr,
                      struct error *err);

/* Remove the events of these lines; the first failure is returned. */
int probe_events__take_back(struct tracefs *tracefs, bool of_programs, const char *const *lines,
                            u32 nr, struct error *err);

#endif
