// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of frames, made once. A direct-mapped cache is asked with (address space, address); an
 * entry carries the stretch of time that it is true for, and its text. Texts are interned, so the
 * memory is that of the distinct lines; when those grow beyond a bound everything is forgotten
 * and starts again.
 */
#include <stdlib.h>

#include "ui/script_private.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/strtab.h"

#define SLOTS     (32 * 1024) /* power of two */
#define TEXTS_MAX (64u << 20)

#define KERNEL_SPACE ID_NONE    /* one address space for all processes */
#define AS_CHAIN     (1u << 31) /* beside enum script_field in slot.kind */

struct slot {
	u64 ip;
	u32 space; /* process instance or KERNEL_SPACE */
	u32 kind;  /* which fields, and AS_CHAIN; 0: empty */
	struct validity valid;
	const char *text;
	u32 len;
	u8 cpumode;
};

struct script_frames {
	struct script *script;
	struct slot *slots;
	struct strtab texts;
	struct out line; /* one line being made */
};

struct script_frames *script_frames__new(struct script *script)
{
	struct script_frames *frames = xcalloc(1, sizeof(*frames));

	frames->script = script;
	frames->slots = xcalloc(SLOTS, sizeof(*frames->slots));
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
	free(frames->slots);
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

static void print_names(struct script *script, struct out *out, u32 print, const struct loc *loc)
{
	if (print & FIELD_SYM) {
		u64 vaddr = loc->addr;
		u32 symbol = ID_NONE;

		if (loc->dso != ID_NONE)
			symbol = symbols__find(script->symbols, loc->dso, loc->addr, &vaddr);
		out__char(out, ' ');
		if (symbol == ID_NONE) {
			out__str(out, "[unknown]");
		} else {
			out__name(out, symbols__name(script->symbols, loc->dso, symbol));
			if (print & FIELD_SYMOFF) {
				const struct symtab *table =
				        symbols__table(script->symbols, loc->dso);

				out__str(out, "+0x");
				out__hex(out, vaddr - table->symbols[symbol].start, 0);
			}
		}
	}
	if (print & FIELD_DSO) {
		out__str(out, " (");
		out__name(out, dso_name(script, loc->dso));
		out__char(out, ')');
	}
}

static void make_text(struct script_frames *frames, struct slot *slot, const struct loc *loc)
{
	struct out *line = &frames->line;
	bool chain = slot->kind & AS_CHAIN;

	if (chain)
		out__char(line, '\t');
	if (slot->kind & FIELD_IP)
		out__hex(line, chain ? loc->addr : slot->ip, 16);
	print_names(frames->script, line, slot->kind, loc);
	if (chain)
		out__char(line, '\n');
	slot->len = line->len;
	slot->text =
	        strtab__get(&frames->texts, strtab__intern(&frames->texts, line->buf, line->len));
	line->len = 0;
}

static void forget_all(struct script_frames *frames)
{
	strtab__exit(&frames->texts);
	strtab__init(&frames->texts);
	for (u32 i = 0; i < SLOTS; i++)
		frames->slots[i].kind = 0;
}

static struct slot *find_text(struct script_frames *frames, u32 kind, const struct task *task,
                              struct script_place place, struct moment when)
{
	u32 space = place.cpumode == PERF_RECORD_MISC_KERNEL ? KERNEL_SPACE : task->instance;
	u64 hash = hash__u64(place.ip + ((u64)space << 40) + kind);
	struct slot *slot = &frames->slots[hash % SLOTS];
	struct place found;

	if (likely(slot->ip == place.ip && slot->space == space && slot->kind == kind &&
	           slot->cpumode == place.cpumode && validity__covers(&slot->valid, when)))
		return slot;
	if (frames->texts.arena.total > TEXTS_MAX)
		forget_all(frames);
	resolver__place(frames->script->resolver, task, place.cpumode, place.ip, when, &found);
	*slot = (struct slot){ .ip = place.ip,
		               .space = space,
		               .kind = kind,
		               .cpumode = place.cpumode,
		               .valid = found.valid };
	make_text(frames, slot, &found.loc);
	return slot;
}

void script_frames__line(struct script_frames *frames, u32 print, const struct task *task,
                         struct script_place place, struct moment when)
{
	u32 kind = (print & (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO)) | AS_CHAIN;
	const struct slot *slot = find_text(frames, kind, task, place, when);

	out__mem(frames->script->out, slot->text, slot->len);
}

void script_frames__inline(struct script_frames *frames, u32 print, const struct task *task,
                           struct script_place place, struct moment when)
{
	u32 kind = print & (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO);
	const struct slot *slot = find_text(frames, kind, task, place, when);

	out__mem(frames->script->out, slot->text, slot->len);
}

void script_frames__names(struct script *script, struct out *out, u32 print,
                          const struct task *task, struct script_place place, struct moment when)
{
	struct place found;

	resolver__place(script->resolver, task, place.cpumode, place.ip, when, &found);
	print_names(script, out, print, &found.loc);
}
