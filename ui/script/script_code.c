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
	u8 bytes[INSN_BYTES_MAX];
	struct insn insn; /* size 0: nothing can be decoded there */
};

struct script_code {
	struct code_files *files;
	struct source_files *sources;
	struct disasm *disasm; /* NULL: none yet, or none for @machine */
	struct disasm_options machine;
	struct decoded *slots;
	struct u64map shown; /* by tid: the line of source that was printed last, of the texts */
	struct strtab lines;
};

static struct script_code *code_of(struct script *script)
{
	struct script_code *code = script->code;

	if (code)
		return code;
	code = script->code = xcalloc(1, sizeof(*code));
	code->files = code_files__new(script->symbols, &script->session->dsos);
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
	strtab__exit(&code->lines);
	free(code->slots);
	free(code);
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

static void decode(struct script_code *code, struct decoded *at)
{
	struct error err = ERROR_INIT; /* nobody is told: what is not known is left out */
	struct code text;
	u64 size;

	at->insn.size = 0;
	if (code_files__read(code->files, at->dso, at->vaddr, at->vaddr + INSN_BYTES_MAX, &text,
	                     &err))
		return;
	size = text.size - text.nr_missing;
	set_machine(code, &text.machine);
	if (code->disasm && size) {
		disasm__next(code->disasm, text.bytes, size, at->vaddr, &at->insn);
		memcpy(at->bytes, text.bytes, min_u64(size, sizeof(at->bytes)));
		if (!at->insn.known)
			at->insn.size = 0;
	}
	code__exit(&text);
}

static const struct decoded *decoded_at(struct script_code *code, u32 dso, u64 vaddr)
{
	struct decoded *at = &code->slots[vaddr % SLOTS];

	if (at->dso != dso || at->vaddr != vaddr) {
		at->dso = dso;
		at->vaddr = vaddr;
		decode(code, at);
	}
	return at;
}

/* Where the sample was taken, in the terms of the symbol table; false: in no object. */
static bool find(struct script *script, const struct stream_sample *s, u32 *dso, u64 *vaddr)
{
	struct place place;

	resolver__place(script->resolver, s->task, s->sample->cpumode, s->sample->ip, s->when,
	                &place);
	*dso = place.loc.dso;
	*vaddr = place.loc.addr;
	if (*dso != ID_NONE)
		session_symbols__find_code(script->symbols, *dso, place.loc.addr, vaddr);
	return *dso != ID_NONE;
}

void script_code__insn(struct script *script, u64 print, const struct stream_sample *s)
{
	static const struct decoded none = { .dso = ID_NONE };
	struct out *out = script->out;
	const struct decoded *at;
	u64 vaddr;
	u32 dso;

	at = find(script, s, &dso, &vaddr) ? decoded_at(code_of(script), dso, vaddr) : &none;
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

void script_code__source(struct script *script, const struct stream_sample *s)
{
	struct script_code *code = code_of(script);
	struct source_frame frame;
	char text[32];
	u64 vaddr;
	u32 dso;

	if (!find(script, s, &dso, &vaddr))
		return;
	struct debug_info *info = session_symbols__source(script->symbols, dso);

	if (!info || !debug_info__frames(info, vaddr, &frame, 1) || frame.file == ID_NONE)
		return;
	const char *path = debug_info__text(info, frame.file);
	const char *line = source_file__line(source_files__at(code->sources, path), frame.line);

	if (!line)
		return;
	snprintf(text, sizeof(text), "%u ", frame.line);
	char *place = xasprintf("%s%s", text, path);
	u32 id = strtab__add(&code->lines, place), *last = u64map__at(&code->shown, s->sample->tid);

	free(place);
	if (*last == id)
		return; /* the thread is still there */
	*last = id;
	out__printf(script->out, "|%-8u ", frame.line);
	out__name(script->out, line);
	out__char(script->out, '\n');
}
