/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by ui/script/script*.c only. */
#ifndef PERF_UI_SCRIPT_SCRIPT_PRIVATE_H
#define PERF_UI_SCRIPT_SCRIPT_PRIVATE_H

#include <pthread.h>

#include "ui/script/script.h"
#include "util/disasm/disasm.h"
#include "util/export/json_sample.h"
#include "util/format/sample.h"
#include "util/lib/hash.h"
#include "util/lib/strtab.h"
#include "util/profile/health.h"
#include "util/stream/stream.h"

/* An address to be named, in one address space. */
struct script_address {
	u64 ip;
	u8 cpumode;
	bool inlines;  /* show functions that were inlined there */
	bool returned; /* @ip is a return address, not that of the call */
};

/* The format of an event's entries; computed once. */
struct script_event {
	const struct sample_layout *layout;
	u64 print;          /* enum script_field; 0: nothing */
	bool lacks;         /* lacks a field; it had no samples when that was checked */
	bool chain;         /* its samples carry call chains, and these are wanted */
	bool addr_has_name; /* the field addr is an address */
	bool calls_known;   /* frames of users are where they call, not where that returns to */
	bool need_all;      /* fields that sample__decode_fast() leaves out */
	struct trace_text_event *trace; /* NULL: no text but raw bytes ... */
	bool trace_found;               /* ... if that was looked up */
	char *name;                     /* "   cpu-clock: ", or the same without padding */
	u32 name_len;
	u64 period; /* the one in period_text; period_len 0: none yet */
	char period_text[24];
	u32 period_len;
};

/* "            comm  1234 " for a thread, made once: most samples are from few threads. */
struct script_task {
	u32 pid, tid, comm, kind; /* kind: fields and whether a chain follows; 0: empty */
	u32 len;
	char text[44];
};

/*
 * With delta time, of entries: the time of the last one (~0: there was none); and, in a part that a
 * worker prints, of the first, whose delta belongs at @at in the text (~0: there is none, or it is
 * there).
 */
struct deltas {
	u64 first, last;
	size_t at;
};

#define DELTAS_NONE ((struct deltas){ ~0ull, ~0ull, 0 })

#define SCRIPT_TASKS 128 /* power of two */

struct script_frames;   /* script_frames.c: the cache of frame texts */
struct script_check;    /* script_filter.c: the filters as look-ups */
struct script_ends;     /* script_ends.c */
struct script_dlfilter; /* script_dlfilter.c */

struct script {
	const struct session *session;
	struct session_symbols *symbols;
	const struct script_options *options;
	struct out *out;
	bool swap;
	struct stream *stream;
	struct resolver *resolver;   /* of the stream */
	struct dump *dump;           /* NULL: none is wanted */
	struct script_event *events; /* by evsel idx */
	struct script_frames *frames;
	struct script_check *check;
	struct script_dlfilter *dlfilter; /* NULL: none */
	struct script_ends *ends;         /* NULL: not on a terminal */
	struct json_sample json;          /* for --json */
	struct trace_text *trace;         /* NULL: no tracepoints, or none that can be read ... */
	struct kernel_name *kernel_names; /* script_kernel.c: a cache; NULL: nobody asked yet */
	struct error trace_error;         /* ... and the reason; code 0: nothing is wrong */
	const struct script *whole;  /* of a worker (script_workers.c): whose records it reads */
	pthread_mutex_t *names;      /* held while symbols are asked; NULL: it is alone */
	struct stream_counts counts; /* of workers, beside those of the stream */
	struct script_task tasks[SCRIPT_TASKS];
	u64 second; /* the one in second_text; ~0: none yet */
	char second_text[24];
	u32 second_len;
	u64 first_time; /* for relative time; ~0: none yet */
	struct deltas deltas;
	u64 to_wall;              /* ns: from the clock of samples to that of the wall (-F tod) */
	u32 counter_bits;         /* of each count at a branch; 0: nobody asked yet */
	u32 source_width;         /* of the widest data source so far */
	struct script_code *code; /* NULL: nobody asked yet */
	struct script_address *stack; /* of -F folded, and for ends: one chain */
	size_t stack_cap;
	const struct arch *arch; /* of the machine that recorded */
	struct u64map cgroups;   /* id to path, of the CGROUP records so far */
	struct strtab cgroup_paths;
	u64 nr_printed;
	struct read_problems problems; /* beside those of the stream */
};

/* ---- script_frames.c */

struct script_frames *script_frames__new(struct script *script);
void script_frames__delete(struct script_frames *frames);
void script_frames__forget(struct script_frames *frames); /* empty the cache */

/*
 * A line of a chain: tab, address inside the dso, the rest as @print says, newline. On a terminal,
 * where nothing is mapped, that this is so, and why the chain ends there; @end is NULL where it
 * does not, or why is not known. False: it is the last line that is wanted (--stop-bt).
 */
bool script_frames__line(struct script_frames *frames, u64 print, const struct task *task,
                         struct script_address address, struct moment when,
                         const struct row_end *end);

/*
 * Places in the text of a worker where lines are missing, whose names could not be had without
 * waiting long. All go by the lines that wait in @frames: made by script_frames__make_lines(), used
 * by script_frames__fill_gaps(), given back by script_frames__drop_lines().
 */
struct script_gaps {
	struct script_gap {
		size_t at; /* in the text, as long as it has gaps */
		u32 line;
	} * gaps;
	size_t nr, cap;
};

/* Are there any in what script->out holds? */
bool script_frames__has_gaps(const struct script_frames *frames);

/* They are the caller's, and so is gaps.gaps, to be freed. */
struct script_gaps script_frames__take_gaps(struct script_frames *frames);

/* Make the lines. False: somebody has the names, who was not waited for. */
bool script_frames__make_lines(struct script_frames *frames, bool wait);

/* Add @text to @whole, with its lines. *place in it is moved with what is put in before it. */
void script_frames__fill_gaps(struct script_frames *frames, const struct script_gaps *gaps,
                              const struct out *text, struct out *whole, size_t *place);

/* All gaps are filled. */
void script_frames__drop_lines(struct script_frames *frames);

/* The beginning of a folded line. */
void script_frames__folded_comm(struct script_frames *frames, const char *comm);

/* ";function" and those inlined there, outermost first; "[dso]" where none is known. */
void script_frames__folded(struct script_frames *frames, const struct task *task,
                           struct script_address address, struct moment when);

/* The same in the middle of a line: the address as recorded, no tab, no newline. */
void script_frames__inline(struct script_frames *frames, u64 print, const struct task *task,
                           struct script_address address, struct moment when);

/* " sym+0xoff (dso)" of any address, as @print says; not cached. */
void script_frames__names(struct script *script, struct out *out, u64 print,
                          const struct task *task, struct script_address address,
                          struct moment when);

/* "symbol+0x10", or without @name the address in the terms of the object's symbols. */
void script_frames__place(struct script *script, bool name, const struct task *task,
                          struct script_address address, struct moment when);

/* "(dso)"; not cached. */
void script_frames__object(struct script *script, const struct task *task,
                           struct script_address address, struct moment when);

/* "\tfile:line"; "\tobject[address]" of an object without lines; of code without one nothing. */
void script_frames__source(struct script *script, u32 dso, u64 vaddr);

/* ---- script_ends.c: why chains end where nothing is mapped */

struct script_ends *script_ends__new(const struct script *script);
void script_ends__delete(struct script_ends *ends);

/*
 * Of the chain of @s, whose frames are the @nr of @frames, leaf first: from which frame on nothing
 * is mapped, and why it ends there. @nr: it ends elsewhere.
 */
u32 script_ends__find(struct script_ends *ends, const struct stream_sample *s,
                      const struct script_address *frames, u32 nr, struct row_end *end);

/* ---- script_filter.c */

struct script_check *script_check__new(const struct script *script);
void script_check__delete(struct script_check *check);

/*
 * Does a sample of a known task pass? By task that is known; by the dso and symbol of its ip. The
 * names that it has are noted, for the messages.
 */
bool script_check__sample(struct script_check *check, const struct stream_sample *sample);

/* Add what a worker has counted. */
void script_check__add(struct script_check *check, const struct script_check *worker);

/* Warn of filter words that no sample so far has matched. */
void script_check__say(const struct script_check *check);

/* ---- script_events.c */

bool script_events__wanted(const struct script_options *options, u32 type);
void script_events__print(struct script *script, const struct record *record);

/* ---- script_kernel.c */

struct kernel_name; /* what was found for an address */

/* A trace_symbol_fn for pointers in the text of tracepoints; @ctx is the script. */
const char *script_kernel__symbol(void *ctx, u64 addr, u64 *start);
void script_kernel__forget(struct script *script); /* maps have changed */

/* ---- script.c */

/*
 * A worker, which prints parts of what @script reads into @out, and holds @names where symbols are
 * asked. NULL with @err.
 */
struct script *script__new_worker(const struct script *script, struct out *out,
                                  pthread_mutex_t *names, struct error *err);

/* Around all questions about symbols and source. */
static inline void script__lock_names(const struct script *script)
{
	if (script->names)
		pthread_mutex_lock(script->names);
}

static inline void script__unlock_names(const struct script *script)
{
	if (script->names)
		pthread_mutex_unlock(script->names);
}

/* " 1234.567890: ": the time, since the first entry or the last one, if so wanted. */
void script__print_time(struct script *script, u64 time);

/* ---- script_workers.c */

/* As script__print(), by several workers. False: they must not be used, or it is not worth it. */
bool script__by_workers(struct script *script);

/* ---- script.c */

/* Print comm, pid, tid, cpu, misc, time: the beginning of all lines. */
void script__prefix(struct script *script, u64 print, bool chain, const struct sample *sample,
                    u32 type, const char *comm);

/* ---- script_branches.c */

/* The branches of a fully decoded sample, as the fields brstack... say. */
void script_branches__print(struct script *script, u64 print, const struct stream_sample *s);

/* "\tbr_cntr: AAB" of the branch @i: a letter for each count of an event (-F brcntr), or its name.
 */
void script_branches__counters(struct script *script, const struct stream_sample *s, u64 i);
/* What the letters stand for, in lines of their own. */
void script_branches__list_counters(struct script *script);

/* ---- script_code.c */

struct script_code; /* open objects and sources, and what was decoded */

void script_code__delete(struct script_code *code);

/* An instruction in an object. */
struct script_insn {
	u8 nr_bytes; /* of code from there on; 0: none can be read */
	u8 bytes[INSN_BYTES_MAX];
	struct insn insn; /* size 0: nothing can be decoded there */
};

/* Valid until the next call. */
const struct script_insn *script_code__insn_at(struct script *script, u32 dso, u64 vaddr);

/*
 * The place of @ip: its object, or ID_NONE, its address there in the terms of the symbol table, and
 * its symbol, or ID_NONE.
 */
u32 script_code__symbol(struct script *script, const struct stream_sample *s, u8 cpumode, u64 ip,
                        u32 *dso, u64 *vaddr);

/* Copy up to @len bytes of the code there to @buf: how many. */
u32 script_code__bytes(struct script *script, u32 dso, u64 vaddr, void *buf, u32 len);

/* Is the object one of 64 bits? Where it cannot be read: is the machine? */
bool script_code__is64(struct script *script, u32 dso);

/* The instruction at the sample's address: its length, bytes, text; nothing where it is not known.
 */
void script_code__insn(struct script *script, u64 print, const struct stream_sample *s);

/* A line with its source, unless that is the one which its thread had last. */
void script_code__source(struct script *script, const struct stream_sample *s);
void script_code__source_at(struct script *script, u32 tid, u32 dso, u64 vaddr);

/* ---- script_blocks.c */

/* The code between the branches of a fully decoded sample, in lines of its own. */
void script_blocks__print(struct script *script, u64 print, const struct stream_sample *s);

/* ---- script_dlfilter.c: --dlfilter */

/* Load and start the filter of the options. NULL with @err. */
struct script_dlfilter *script_dlfilter__new(struct script *script, struct error *err);
void script_dlfilter__delete(struct script_dlfilter *self);

/* Does it want to see samples that other filters, by time and CPU, too, leave out? */
bool script_dlfilter__is_early(const struct script_dlfilter *self);

/* Does a fully decoded sample pass? @rejected: the other filters will leave it out. */
bool script_dlfilter__early(struct script_dlfilter *self, const struct stream_sample *s,
                            bool rejected);
bool script_dlfilter__event(struct script_dlfilter *self, const struct stream_sample *s);

/* It had an error, or a fault: nothing more may be judged. */
bool script_dlfilter__failed(const struct script_dlfilter *self);

/* After all samples: 0, or a negative errno with @err (may be NULL). */
int script_dlfilter__end(struct script_dlfilter *self, struct error *err);

/* ---- script_values.c */

/*
 * Data source, weights: they stand in front of the instruction pointer. The sample was fully
 * decoded.
 */
void script_values__before_ip(struct script *script, const struct script_event *event,
                              const struct sample *sample);
/* Registers, branches, code, physical address, page sizes, cgroup. */
void script_values__behind_ip(struct script *script, const struct script_event *event,
                              const struct stream_sample *s);
/* A CGROUP record has the path for an id that samples carry. */
void script_values__learn_cgroup(struct script *script, const struct record *record);

#endif
