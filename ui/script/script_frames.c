// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of frames, made once. The key of a direct-mapped cache is (address space, address); an
 * entry has its text and the time span that it is valid for. Texts are interned, so the memory is
 * that of the distinct lines; beyond a limit the cache is emptied.
 *
 * Names are asked by one worker at a time. While another loads those of an object (of the kernel
 * it takes as long as a MB of text), gaps are left in the text, which are filled in later.
 */
#include <stdlib.h>
#include <time.h>

#include "ui/script/script_private.h"
#include "util/health/health_text.h"
#include "util/lib/alloc.h"
#include "util/lib/direct_map.h"
#include "util/lib/hash.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"

/* Powers of two: the cache grows when new lines take the places of others. */
#define SLOTS_MIN 8192
#define SLOTS_MAX (32 * 1024)
#define TEXTS_MAX (64u << 20)

#define GAP_AFTER    300000 /* ns: who waits longer for names goes on without */
#define NSEC_PER_SEC 1000000000

#define KERNEL_SPACE ID_NONE /* one address space for all processes */
/* Beside enum script_field in slot.kind. */
#define AS_CHAIN   (1u << 31)
#define AS_INLINED (1u << 30) /* with the functions that were inlined there */
#define AS_RETURN  (1u << 29) /* the address is where a call returns to */

#define AS_FOLDED (1u << 28) /* ";function" */
#define AS_PLACE  (1u << 27) /* "symbol+0x10", or without FIELD_SYM the address in its object */

#define FRAME_FIELDS (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | FIELD_SRCLINE)

struct slot {
	u64 ip;
	u32 space; /* process instance or KERNEL_SPACE */
	u32 kind;  /* which fields, and AS_CHAIN; 0: empty */
	struct validity valid;
	const char *text; /* NULL: a gap stands for it, the line @len of those that wait */
	u32 len;
	u8 cpumode;
	bool stops;    /* a function there ends the chain */
	bool unmapped; /* nothing was mapped there */
};

/* A line that could not be made yet, as somebody else was loading names. */
struct waiting_line {
	struct slot slot;
	struct loc loc;
};

struct script_frames {
	struct script *script;
	struct direct_map slots;
	u32 nr_displaced; /* since it has this size */
	struct strtab texts;
	struct out line; /* one line being made */

	bool names_are_busy; /* whoever had them when they were wanted last, had them for long */
	struct waiting_line *waiting;
	size_t nr_waiting, waiting_cap;
	struct script_gaps gaps; /* in the text that is being made */
};

struct script_frames *script_frames__new(struct script *script)
{
	struct script_frames *frames = xcalloc(1, sizeof(*frames));

	frames->script = script;
	direct_map__init(&frames->slots, SLOTS_MIN, sizeof(struct slot));
	strtab__init(&frames->texts);
	out__init(&frames->line, -1);
	return frames;
}

void script_frames__delete(struct script_frames *frames)
{
	if (!frames)
		return;
	out__exit(&frames->line);
	strtab__exit(&frames->texts);
	direct_map__exit(&frames->slots);
	free(frames->waiting);
	free(frames->gaps.gaps);
	free(frames);
}

static const char *dso_name(const struct script *script, u32 dso)
{
	if (dso == ID_NONE)
		return "[unknown]";
	const struct dso *object = dsos__at(&script->session->dsos, dso);

	/* Modules go by "[name]", wherever their file lies. */
	return strtab__get(&script->session->strings,
	                   object->kind == DSO_MODULE ? object->short_name : object->name);
}

/* A place as the symbol tables know it. */
struct named_location {
	const struct loc *loc;
	u64 vaddr;
	u32 symbol; /* ID_NONE: none covers it */
};

/* @code: it was executed, or called from. */
static struct named_location name_location(struct script *script, const struct loc *loc, bool code)
{
	struct named_location named = { .loc = loc, .vaddr = loc->addr, .symbol = ID_NONE };

	if (loc->dso != ID_NONE)
		named.symbol = (code ? session_symbols__find_code : session_symbols__find)(
		        script->symbols, loc->dso, loc->addr, &named.vaddr);
	return named;
}

/* @function: one that was inlined there; NULL: the symbol itself. */
static void print_symbol(struct script *script, struct out *out, u64 print,
                         const struct named_location *named, const char *function)
{
	u32 dso = named->loc->dso;

	if (named->symbol == ID_NONE) {
		out__str(out, "[unknown]");
		return;
	}
	out__name(out,
	          function ? function : session_symbols__name(script->symbols, dso, named->symbol));
	if (print & FIELD_SYMOFF) {
		out__str(out, "+0x");
		out__hex(
		        out,
		        named->vaddr -
		                session_symbols__symbol(script->symbols, dso, named->symbol)->start,
		        0);
	}
}

/* "(dso)"; with FIELD_DSOFF "(dso+0x1234)". */
static void print_dso(struct script *script, struct out *out, u64 print, const struct loc *loc)
{
	out__char(out, '(');
	out__name(out, dso_name(script, loc->dso));
	if (print & FIELD_DSOFF && loc->dso != ID_NONE) {
		out__str(out, "+0x");
		out__hex(out, loc->addr, 0);
	}
	out__char(out, ')');
}

/* Where no line is known, the address in its object. */
static void print_source(struct script *script, struct out *out, u32 dso, u64 vaddr,
                         const struct debug_info *info, const struct source_frame *frame)
{
	if (frame && frame->file != ID_NONE) {
		const char *path = debug_info__text(info, frame->file);

		out__name(out, script->options->full_source_path ? path : text__basename(path));
		out__char(out, ':');
		out__dec(out, frame->line, 0);
		return;
	}
	out__name(out, strtab__get(&script->session->strings,
	                           dsos__at(&script->session->dsos, dso)->short_name));
	out__char(out, '[');
	out__hex(out, vaddr, 0);
	out__char(out, ']');
}

void script_frames__source(struct script *script, u32 dso, u64 vaddr)
{
	struct debug_info *info = session_symbols__source(script->symbols, dso);
	struct source_frame frame;
	bool known = debug_info__frames(info, vaddr, &frame, 1) && frame.file != ID_NONE;

	if (!known && !debug_info__empty(info))
		return;
	out__char(script->out, '\t');
	print_source(script, script->out, dso, vaddr, info, known ? &frame : NULL);
}

static void print_names(struct script *script, struct out *out, u64 print, const struct loc *loc)
{
	struct named_location named = name_location(script, loc, false);

	if (print & FIELD_SYM) {
		out__char(out, ' ');
		print_symbol(script, out, print, &named, NULL);
	}
	if (print & FIELD_DSO) {
		out__char(out, ' ');
		print_dso(script, out, print, loc);
	}
}

/* The functions at @place, innermost first; a last one without a function is the symbol. */
static u32 source_of(struct script_frames *frames, const struct slot *slot,
                     const struct named_location *named, struct debug_info **info,
                     struct source_frame *source)
{
	struct script *script = frames->script;
	u32 dso = named->loc->dso, nr;

	*info = NULL;
	if (!(slot->kind & (AS_INLINED | FIELD_SRCLINE)) || dso == ID_NONE)
		return 0;
	*info = session_symbols__source(script->symbols, dso);
	nr = debug_info__frames(*info, named->vaddr - (slot->kind & AS_RETURN ? 1 : 0), source,
	                        SOURCE_FRAMES_MAX);
	return slot->kind & AS_INLINED && named->symbol != ID_NONE ? nr : min_u64(nr, 1);
}

/*
 * What function @i of the @nr that stand there is called; NULL: it is the symbol, as the outermost
 * is, which may have another name than its debug information gives it.
 */
static const char *inlined_name(struct script *script, const struct named_location *named,
                                const struct debug_info *info, const struct source_frame *source,
                                u32 i, u32 nr)
{
	const struct source_frame *frame = &source[i];
	u32 dso = named->loc->dso;

	if (i + 1 == nr || frame->function == ID_NONE)
		return NULL;
	const char *name = session_symbols__readable(script->symbols, dso,
	                                             debug_info__text(info, frame->function));

	return *name && strcmp(name, session_symbols__name(script->symbols, dso, named->symbol))
	               ? name
	               : NULL;
}

/* @source: NULL, or the place of the function at work; @inlined: its name, or NULL. */
static void print_frame(struct script_frames *frames, const struct slot *slot,
                        const struct named_location *named, const struct debug_info *info,
                        const struct source_frame *source, const char *inlined)
{
	struct script *script = frames->script;
	struct out *line = &frames->line;
	bool chain = slot->kind & AS_CHAIN;

	if (chain)
		out__char(line, '\t');
	if (slot->kind & FIELD_IP)
		out__hex(line, chain ? named->loc->addr : slot->ip, 16);
	if (slot->kind & FIELD_SYM) {
		out__char(line, ' ');
		print_symbol(script, line, slot->kind, named, inlined);
	}
	if (slot->kind & FIELD_DSO && !inlined) {
		out__char(line, ' ');
		print_dso(script, line, slot->kind, named->loc);
	}
	if (slot->kind & FIELD_SRCLINE && named->loc->dso != ID_NONE) {
		out__str(line, "\n  ");
		print_source(script, line, named->loc->dso, named->vaddr, info, source);
	}
	if (inlined)
		out__str(line, " (inlined)");
	if (chain)
		out__char(line, '\n');
}

/* ";name", in which no other ';' may stand. */
static void print_part(struct out *line, const char *name)
{
	size_t from = line->len + 1;

	out__char(line, ';');
	out__name(line, name);
	for (size_t i = from; i < line->len; i++)
		if (line->buf[i] == ';')
			line->buf[i] = ':';
}

static void print_folded(struct script_frames *frames, const struct named_location *named,
                         const struct debug_info *info, const struct source_frame *source, u32 nr)
{
	struct script *script = frames->script;
	struct out *line = &frames->line;

	if (named->symbol == ID_NONE) {
		const char *dso = text__basename(dso_name(script, named->loc->dso));
		char *name = xasprintf(*dso == '[' ? "%s" : "[%s]", dso);

		print_part(line, name);
		free(name);
		return;
	}
	print_part(line, session_symbols__name(script->symbols, named->loc->dso, named->symbol));
	for (u32 i = nr; i-- > 0;) {
		const char *inlined = inlined_name(script, named, info, source, i, nr);

		if (inlined)
			print_part(line, inlined);
	}
}

/* Is a function that is called @name to be the last one? */
static bool stops_at(const struct script_frames *frames, const char *name)
{
	return name && name_list__has(&frames->script->options->stop_at, name);
}

/* The symbol, or one of the functions that were inlined there. */
static bool is_stop(const struct script_frames *frames, const struct named_location *named,
                    const struct debug_info *info, const struct source_frame *source, u32 nr)
{
	struct script *script = frames->script;

	if (!script->options->stop_at.nr || named->symbol == ID_NONE)
		return false;
	for (u32 i = 0; i < nr; i++)
		if (stops_at(frames, inlined_name(script, named, info, source, i, nr)))
			return true;
	return stops_at(frames,
	                session_symbols__name(script->symbols, named->loc->dso, named->symbol));
}

static void print_place(struct script_frames *frames, const struct slot *slot,
                        const struct named_location *named)
{
	struct out *line = &frames->line;

	if (slot->kind & FIELD_SYM) {
		print_symbol(frames->script, line, FIELD_SYMOFF, named, NULL);
		return;
	}
	out__str(line, "0x");
	out__hex(line, slot->unmapped ? slot->ip : named->vaddr, 0);
}

static void make_text(struct script_frames *frames, struct slot *slot, const struct loc *loc)
{
	struct source_frame source[SOURCE_FRAMES_MAX];
	struct named_location named = name_location(frames->script, loc, true);
	struct debug_info *info;
	struct out *line = &frames->line;
	u32 nr = source_of(frames, slot, &named, &info, source);

	bool one = slot->kind & (AS_FOLDED | AS_PLACE); /* text for all that are there */

	if (slot->kind & AS_FOLDED)
		print_folded(frames, &named, info, source, nr);
	else if (slot->kind & AS_PLACE)
		print_place(frames, slot, &named);
	for (u32 i = 0; i < nr && !one; i++)
		print_frame(frames, slot, &named, info, &source[i],
		            slot->kind & AS_INLINED
		                    ? inlined_name(frames->script, &named, info, source, i, nr)
		                    : NULL);
	if (!nr && !one)
		print_frame(frames, slot, &named, NULL, NULL, NULL);
	slot->stops = is_stop(frames, &named, info, source, nr);
	slot->len = line->len;
	slot->text =
	        strtab__get(&frames->texts, strtab__intern(&frames->texts, line->buf, line->len));
	line->len = 0;
}

void script_frames__forget(struct script_frames *frames)
{
	strtab__exit(&frames->texts);
	strtab__init(&frames->texts);
	direct_map__clear(&frames->slots);
}

static inline u64 hash_of(u64 ip, u32 space, u32 kind)
{
	return hash__u64(ip + ((u64)space << 40) + kind);
}

static void put(struct direct_map *slots, const struct slot *slot)
{
	u64 hash = hash_of(slot->ip, slot->space, slot->kind);

	*(struct slot *)direct_map__make(slots, hash, sizeof(*slot)) = *slot;
}

static void grow(struct script_frames *frames)
{
	struct direct_map old = frames->slots;
	const struct slot *slots = (const struct slot *)old.entries;

	frames->nr_displaced = 0;
	direct_map__init(&frames->slots, 2 * old.nr_places, sizeof(*slots));
	for (u32 i = 1; i < old.nr; i++)
		put(&frames->slots, &slots[i]);
	direct_map__exit(&old);
}

/* A place for a new line; it may have been that of another. */
static struct slot *new_slot(struct script_frames *frames, u64 hash)
{
	const struct slot *slot = direct_map__at(&frames->slots, hash, sizeof(*slot));

	frames->nr_displaced += slot->kind != 0;
	if (frames->nr_displaced > frames->slots.nr_places / 64 &&
	    frames->slots.nr_places < SLOTS_MAX)
		grow(frames);
	return direct_map__make(&frames->slots, hash, sizeof(*slot));
}

/* For a moment; then a gap is left. */
static bool wait_for_names(const struct script *script)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += GAP_AFTER;
	if (until.tv_nsec >= NSEC_PER_SEC) {
		until.tv_nsec -= NSEC_PER_SEC;
		until.tv_sec++;
	}
	return !pthread_mutex_timedlock(script->names, &until);
}

/* False: somebody has the names for long, to load those of an object. */
static bool lock_names(struct script_frames *frames)
{
	struct script *script = frames->script;
	bool locked = true;

	if (!script->names || script->options->stop_at.nr) /* a gap does not tell who stops */
		script__lock_names(script);
	else
		locked = !pthread_mutex_trylock(script->names) ||
		         (!frames->names_are_busy && wait_for_names(script));
	frames->names_are_busy = !locked;
	return locked;
}

static void leave_for_later(struct script_frames *frames, struct slot *slot, const struct loc *loc)
{
	slot->text = NULL;
	slot->len = frames->nr_waiting;
	array__reserve(&frames->waiting, &frames->waiting_cap, frames->nr_waiting + 1,
	               sizeof(*frames->waiting));
	frames->waiting[frames->nr_waiting++] = (struct waiting_line){ *slot, *loc };
}

static struct slot *fill(struct script_frames *frames, u32 kind, u32 space, const struct task *task,
                         struct script_address address, struct moment when)
{
	struct place found;

	if (frames->texts.arena.total > TEXTS_MAX && !frames->nr_waiting)
		script_frames__forget(frames);
	struct slot *slot = new_slot(frames, hash_of(address.ip, space, kind));

	resolver__place(frames->script->resolver, task, address.cpumode, address.ip, when, &found);
	*slot = (struct slot){ .ip = address.ip,
		               .space = space,
		               .kind = kind,
		               .cpumode = address.cpumode,
		               .valid = found.valid };
	slot->unmapped = found.loc.dso == ID_NONE;
	if (!lock_names(frames)) {
		leave_for_later(frames, slot, &found.loc);
		return slot;
	}
	make_text(frames, slot, &found.loc);
	script__unlock_names(frames->script);
	return slot;
}

static void add_gap(struct script_frames *frames, u32 line)
{
	struct script_gaps *gaps = &frames->gaps;

	array__reserve(&gaps->gaps, &gaps->cap, gaps->nr + 1, sizeof(*gaps->gaps));
	gaps->gaps[gaps->nr++] = (struct script_gap){ frames->script->out->len, line };
}

static inline void put_text(struct script_frames *frames, const struct slot *slot)
{
	if (likely(slot->text))
		out__mem(frames->script->out, slot->text, slot->len);
	else
		add_gap(frames, slot->len);
}

bool script_frames__has_gaps(const struct script_frames *frames)
{
	return frames->gaps.nr;
}

struct script_gaps script_frames__take_gaps(struct script_frames *frames)
{
	struct script_gaps gaps = frames->gaps;

	frames->gaps = (struct script_gaps){ 0 };
	return gaps;
}

bool script_frames__make_lines(struct script_frames *frames, bool wait)
{
	struct script *script = frames->script;

	if (wait)
		script__lock_names(script);
	else if (pthread_mutex_trylock(script->names))
		return false;
	for (size_t i = 0; i < frames->nr_waiting; i++) {
		struct waiting_line *line = &frames->waiting[i];

		if (line->slot.text)
			continue; /* it was made before */
		make_text(frames, &line->slot, &line->loc);
		put(&frames->slots, &line->slot);
	}
	script__unlock_names(script);
	frames->names_are_busy = false;
	return true;
}

void script_frames__fill_gaps(struct script_frames *frames, const struct script_gaps *gaps,
                              const struct out *text, struct out *whole, size_t *place)
{
	size_t done = 0, at = *place;

	for (size_t i = 0; i < gaps->nr; i++) {
		const struct script_gap *gap = &gaps->gaps[i];
		const struct slot *slot = &frames->waiting[gap->line].slot;

		out__mem(whole, text->buf + done, gap->at - done);
		out__mem(whole, slot->text, slot->len);
		done = gap->at;
		*place += gap->at <= at ? slot->len : 0;
	}
	out__mem(whole, text->buf + done, text->len - done);
}

void script_frames__drop_lines(struct script_frames *frames)
{
	frames->nr_waiting = 0;
}

/* Once for each frame of each sample. */
static inline struct slot *find_text(struct script_frames *frames, u32 kind,
                                     const struct task *task, struct script_address address,
                                     struct moment when)
{
	u32 space = address.cpumode == PERF_RECORD_MISC_KERNEL ? KERNEL_SPACE : task->instance;
	struct slot *slot =
	        direct_map__at(&frames->slots, hash_of(address.ip, space, kind), sizeof(*slot));

	if (likely(slot->ip == address.ip && slot->space == space && slot->kind == kind &&
	           slot->cpumode == address.cpumode && validity__covers(&slot->valid, when)))
		return slot;
	return fill(frames, kind, space, task, address, when);
}

static void print_unmapped(struct script *script, u64 print, u64 ip, const struct row_end *end)
{
	struct out *out = script->out;

	out__char(out, '\t');
	if (print & FIELD_IP)
		out__hex(out, ip, 16);
	out__char(out, ' ');
	health_text__unmapped(out, ip, end, script->session);
	out__char(out, '\n');
}

bool script_frames__line(struct script_frames *frames, u64 print, const struct task *task,
                         struct script_address address, struct moment when,
                         const struct row_end *end)
{
	u32 kind = (print & FRAME_FIELDS) | AS_CHAIN | (address.inlines ? AS_INLINED : 0) |
	           (address.returned ? AS_RETURN : 0);
	const struct slot *slot = find_text(frames, kind, task, address, when);

	if (unlikely(slot->unmapped) && frames->script->ends && print & (FIELD_SYM | FIELD_DSO))
		print_unmapped(frames->script, print, address.ip, end);
	else
		put_text(frames, slot);
	return !slot->stops;
}

void script_frames__folded_comm(struct script_frames *frames, const char *comm)
{
	print_part(&frames->line, comm);
	out__mem(frames->script->out, frames->line.buf + 1, frames->line.len - 1);
	frames->line.len = 0;
}

void script_frames__folded(struct script_frames *frames, const struct task *task,
                           struct script_address address, struct moment when)
{
	u32 kind =
	        AS_FOLDED | (address.inlines ? AS_INLINED : 0) | (address.returned ? AS_RETURN : 0);
	put_text(frames, find_text(frames, kind, task, address, when));
}

void script_frames__inline(struct script_frames *frames, u64 print, const struct task *task,
                           struct script_address address, struct moment when)
{
	u32 kind = print & FRAME_FIELDS;
	put_text(frames, find_text(frames, kind, task, address, when));
}

void script_frames__names(struct script *script, struct out *out, u64 print,
                          const struct task *task, struct script_address address,
                          struct moment when)
{
	const struct machine *machine = script->session->host;
	struct place found;
	struct map_hit hit;

	resolver__place(script->resolver, task, address.cpumode, address.ip, when, &found);
	/* Variables, where data maps were recorded (-d). */
	if (found.loc.dso == ID_NONE &&
	    machine__find_data_map(machine, task->thread, address.ip, when, &hit)) {
		found.loc.dso = hit.dso;
		found.loc.addr -= map_hit__bias(&hit, dsos__at(&script->session->dsos, hit.dso));
	}
	script__lock_names(script);
	print_names(script, out, print, &found.loc);
	script__unlock_names(script);
}

void script_frames__place(struct script *script, bool name, const struct task *task,
                          struct script_address address, struct moment when)
{
	u32 kind = AS_PLACE | (name ? FIELD_SYM : 0);

	put_text(script->frames, find_text(script->frames, kind, task, address, when));
}

void script_frames__object(struct script *script, const struct task *task,
                           struct script_address address, struct moment when)
{
	struct place found;

	resolver__place(script->resolver, task, address.cpumode, address.ip, when, &found);
	print_dso(script, script->out, 0, &found.loc);
}
