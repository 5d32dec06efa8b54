// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code at a sample's address: -F insn, insnlen, disasm, and its source: srccode. An instruction
 * is decoded once; a direct-mapped cache keeps it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/script/script_private.h"
#include "util/annotate/source_files.h"
#include "util/dwarf/debug_info.h"
#include "util/lib/alloc.h"
#include "util/symbol/code.h"

#define SLOTS 1024

struct decoded {
	u32 dso;
	u64 vaddr;
	struct script_insn at;
};

struct script_code {
	struct code_files *files;
	struct source_files *sources;
	struct disasm *disasm; /* NULL: none yet, or none for @machine */
	struct disasm_options machine;
	struct decoded *slots;
	struct u64map wide;  /* by dso: 1, or 0, an object of 32 bits */
	struct u64map shown; /* by tid: the line of source that was printed last, of the texts */
	struct strtab lines;
};

static struct script_code *code_of(struct script *script)
{
	struct script_code *code = script->code;

	if (code)
		return code;
	code = script->code = xcalloc(1, sizeof(*code));
	code->files = code_files__new(script->symbols, script->session);
	code->sources = source_files__new(NULL, 0);
	code->slots = xcalloc(SLOTS, sizeof(*code->slots));
	for (u32 i = 0; i < SLOTS; i++)
		code->slots[i].dso = ID_NONE;
	strtab__init(&code->lines);
	return code;
}

void script_code__delete(struct script_code *code)
{
	if (!code)
		return;
	code_files__delete(code->files);
	source_files__delete(code->sources);
	disasm__delete(code->disasm);
	u64map__exit(&code->shown);
	u64map__exit(&code->wide);
	strtab__exit(&code->lines);
	free(code->slots);
	free(code);
}

bool script__missing_sources(const struct script *script, struct error *err)
{
	return script->code && (source_files__missing(script->code->sources, err) ||
	                        source_files__changed(script->code->sources, err));
}

static void set_machine(struct script_code *code, const struct disasm_options *machine)
{
	if (code->disasm && code->machine.machine == machine->machine &&
	    code->machine.is64 == machine->is64 && code->machine.big_endian == machine->big_endian)
		return;
	disasm__delete(code->disasm);
	code->machine = *machine;
	code->disasm = disasm__new(machine, NULL);
}

static void decode(const struct script *script, u32 dso, u64 vaddr, struct script_insn *at)
{
	struct script_code *code = script->code;
	struct error err = ERROR_INIT; /* nobody is told: what is not known is left out */
	struct code text;

	at->insn.size = at->nr_bytes = 0;
	script__lock_names(script);
	int ret = code_files__read(code->files, dso, vaddr, vaddr + INSN_BYTES_MAX, &text, &err);

	script__unlock_names(script);
	if (ret)
		return;
	set_machine(code, &text.machine);
	if (code->disasm && text.size) {
		disasm__next(code->disasm, text.bytes, text.size, vaddr, &at->insn);
		at->nr_bytes = min_u64(text.size, sizeof(at->bytes));
		memcpy(at->bytes, text.bytes, at->nr_bytes);
		if (!at->insn.known)
			at->insn.size = 0;
	}
	code__exit(&text);
}

const struct script_insn *script_code__insn_at(struct script *script, u32 dso, u64 vaddr)
{
	struct script_code *code = code_of(script);
	struct decoded *slot = &code->slots[vaddr % SLOTS];

	if (slot->dso != dso || slot->vaddr != vaddr) {
		slot->dso = dso;
		slot->vaddr = vaddr;
		decode(script, dso, vaddr, &slot->at);
	}
	return &slot->at;
}

u32 script_code__bytes(struct script *script, u32 dso, u64 vaddr, void *buf, u32 len)
{
	struct error err = ERROR_INIT;
	struct code text;
	u32 size;

	if (!len || code_files__read(code_of(script)->files, dso, vaddr, vaddr + len, &text, &err))
		return 0;
	size = min_u64(text.size, len);
	memcpy(buf, text.bytes, size);
	code__exit(&text);
	return size;
}

bool script_code__is64(struct script *script, u32 dso)
{
	struct script_code *code = code_of(script);
	u32 *known = u64map__at(&code->wide, dso);
	bool is64 = !script->arch || script->arch->is64;

	if (*known == ID_NONE)
		*known = code_files__is64(code->files, dso, is64);
	return *known;
}

u32 script_code__symbol(struct script *script, const struct stream_sample *s, u8 cpumode, u64 ip,
                        u32 *dso, u64 *vaddr)
{
	struct place place;

	resolver__place(script->resolver, s->task, cpumode, ip, s->when, &place);
	*dso = place.loc.dso;
	*vaddr = place.loc.addr;
	if (*dso == ID_NONE)
		return ID_NONE;
	script__lock_names(script);
	u32 symbol = session_symbols__find_code(script->symbols, *dso, place.loc.addr, vaddr);

	script__unlock_names(script);
	return symbol;
}

void script_code__insn(struct script *script, u64 print, const struct stream_sample *s)
{
	static const struct script_insn none = { .nr_bytes = 0 };
	const struct script_insn *at = &none;
	struct out *out = script->out;
	u64 vaddr;
	u32 dso;

	script_code__symbol(script, s, s->sample->cpumode, s->sample->ip, &dso, &vaddr);
	if (dso != ID_NONE)
		at = script_code__insn_at(script, dso, vaddr);
	if (print & FIELD_INSNLEN) {
		out__str(out, " ilen: ");
		out__dec(out, at->insn.size, 0);
	}
	if (print & FIELD_INSN && at->insn.size) {
		out__str(out, " insn:");
		for (u32 i = 0; i < at->insn.size; i++)
			out__printf(out, " %02x", at->bytes[i]);
	}
	if (print & FIELD_DISASM && at->insn.size) {
		out__str(out, "\t\t");
		out__name(out, at->insn.text);
	}
}

/* As it stands in its file: tabs are part of it. */
static void print_code(struct out *out, const char *line)
{
	const char *tab;

	for (; (tab = strchr(line, '\t')); line = tab + 1) {
		char *part = xasprintf("%.*s", (int)(tab - line), line);

		out__name(out, part);
		out__char(out, '\t');
		free(part);
	}
	out__name(out, line);
}

void script_code__source_at(struct script *script, u32 tid, u32 dso, u64 vaddr)
{
	struct script_code *code = code_of(script);
	struct source_frame frame;
	char text[32];
	struct debug_info *info = session_symbols__source(script->symbols, dso);

	if (!info || !debug_info__frames(info, vaddr, &frame, 1) || frame.file == ID_NONE)
		return;
	const char *path = debug_info__text(info, frame.file);
	const char *line = source_file__line(source_files__at(code->sources, path), frame.line);

	if (!line)
		return;
	snprintf(text, sizeof(text), "%u ", frame.line);
	char *place = xasprintf("%s%s", text, path);
	u32 id = strtab__add(&code->lines, place), *last = u64map__at(&code->shown, tid);

	free(place);
	if (*last == id)
		return; /* the thread is still there */
	*last = id;
	out__printf(script->out, "|%-8u ", frame.line);
	print_code(script->out, line);
	out__char(script->out, '\n');
}

void script_code__source(struct script *script, const struct stream_sample *s)
{
	u64 vaddr;
	u32 dso;

	script_code__symbol(script, s, s->sample->cpumode, s->sample->ip, &dso, &vaddr);
	if (dso != ID_NONE)
		script_code__source_at(script, s->sample->tid, dso, vaddr);
}
