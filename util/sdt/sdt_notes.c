// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns the notes of an object file into the lines that make uprobes of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/sdt/sdt.h"
#include "util/sdt/sdt_args.h"

#define NT_STAPSDT 3

/* A hundred thousand of them. */
#define MAX_NOTES (8u << 20)

/* ---- notes ---- */

/* Where an address lies in the file; false: nowhere. */
static bool file_offset(const struct elf_file *elf, u64 addr, u64 *offset)
{
	const GElf_Phdr *segment = elf_file__segment(elf, addr);

	if (segment)
		*offset = addr - segment->p_vaddr + segment->p_offset;
	return segment;
}

static bool is_c_name(const char *s)
{
	if (!isalpha((u8)*s) && *s != '_')
		return false;
	while (isalnum((u8)*s) || *s == '_')
		s++;
	return !*s;
}

/* The next of three strings; NULL: it does not end. */
static const char *next_string(struct cursor *c)
{
	size_t len = strnlen((const char *)c->pos, cursor__left(c));

	return len < cursor__left(c) ? cursor__bytes(c, len + 1) : NULL;
}

static u64 next_address(struct cursor *c, const struct elf_file *elf)
{
	return elf->is64 ? cursor__u64(c) : cursor__u32(c);
}

/* @base: the address of .stapsdt.base; 0: unknown. */
static bool read_note(struct sdt_probe *probe, const struct elf_note *note,
                      const struct elf_file *elf, u64 base)
{
	struct cursor c = cursor__make(note->desc, note->desc_size, elf->swap);
	u64 location = next_address(&c, elf), noted_base = next_address(&c, elf);
	u64 semaphore = next_address(&c, elf), moved = base && noted_base ? base - noted_base : 0;

	*probe = (struct sdt_probe){ .offset = 0 };
	if (c.failed || !(probe->provider = next_string(&c)) || !(probe->name = next_string(&c)))
		return false;
	probe->args = next_string(&c);
	if (!probe->args)
		probe->args = "";
	if (!is_c_name(probe->provider) || !is_c_name(probe->name) ||
	    !file_offset(elf, location + moved, &probe->offset))
		return false;
	return !semaphore || file_offset(elf, semaphore + moved, &probe->semaphore);
}

static void read_notes(struct sdt_probes *probes, const struct elf_file *elf, size_t size, u64 base)
{
	struct cursor c = cursor__make(probes->notes, size, elf->swap);
	struct elf_note note;

	while (elf_note__next(&note, &c)) {
		if (note.type != NT_STAPSDT || note.name_size != sizeof("stapsdt") ||
		    memcmp(note.name, "stapsdt", sizeof("stapsdt")) != 0)
			continue;
		array__reserve(&probes->probes, &probes->cap, probes->nr + 1,
		               sizeof(*probes->probes));
		probes->nr += read_note(&probes->probes[probes->nr], &note, elf, base);
	}
}

void sdt_probes__read(struct sdt_probes *probes, struct elf_file *elf)
{
	const struct elf_section *section = elf_file__section(elf, ".note.stapsdt");
	const struct elf_section *base = elf_file__section(elf, ".stapsdt.base");

	*probes = (struct sdt_probes){ .machine = elf->machine };
	if (!section || !elf_file__holds(elf, section) || section->header.sh_size > MAX_NOTES)
		return;
	/* Not by libelf, which would turn only some of a note's numbers. */
	probes->notes = xmalloc(section->header.sh_size);
	if (!elf_file__read(elf, section->header.sh_offset, probes->notes, section->header.sh_size))
		read_notes(probes, elf, section->header.sh_size, base ? base->header.sh_addr : 0);
}

void sdt_probes__exit(struct sdt_probes *probes)
{
	free(probes->probes);
	free(probes->notes);
}

/* ---- arguments ---- */

static void write_arg(struct out *out, u32 number, const struct sdt_arg *arg, u64 place)
{
	out__printf(out, " arg%u=", number);
	if (arg->kind == SDT_REGISTER)
		out__printf(out, "%%%s", arg->reg);
	else if (arg->kind == SDT_MEMORY)
		out__printf(out, "%+lld(%%%s)", (long long)arg->offset, arg->reg);
	else if (arg->kind == SDT_CONSTANT)
		out__printf(out, "\\%lld", (long long)arg->offset);
	else
		out__printf(out, "@+0x%llx", (unsigned long long)place);
	out__str(out, arg->type);
}

static void say_refused(struct out *refused, const struct sdt_probe *probe, u32 number,
                        const struct sdt_arg *arg)
{
	char *text = xasprintf("argument %u of '%s:%s' is left out: '%.*s': %s", number,
	                       probe->provider, probe->name, (int)arg->len, arg->text, arg->why);

	out__name(refused, text);
	out__char(refused, '\n');
	free(text);
}

void sdt_probe__write_args(const struct sdt_probe *probe, u16 machine,
                           const struct sdt_symbols *symbols, struct out *out, struct out *refused)
{
	const char *args = probe->args;
	struct sdt_arg arg;

	for (u32 number = 1; (args = sdt_arg__next(&arg, args, machine)); number++) {
		u64 place = 0;

		if (arg.kind == SDT_SYMBOL) {
			char *name = xasprintf("%.*s", (int)arg.symbol_len, arg.symbol);

			if (!symbols->find(symbols->ctx, probe, name, &place)) {
				arg.kind = SDT_REFUSED;
				arg.why = "the file has no data of this name, or several";
			}
			place += arg.offset;
			free(name);
		}
		if (arg.kind == SDT_REFUSED)
			say_refused(refused, probe, number, &arg);
		else
			write_arg(out, number, &arg, place);
	}
}

static void write_line(struct out *out, const struct sdt_probe *probe, const char *group,
                       const char *name, const char *path)
{
	out__printf(out, "p:%s/%s %s:0x%llx", group, name, path, (unsigned long long)probe->offset);
	if (probe->semaphore)
		out__printf(out, "(0x%llx)", (unsigned long long)probe->semaphore);
}

char *sdt_probe__line(const struct sdt_probe *probe, u16 machine, const struct sdt_symbols *symbols,
                      const char *group, const char *name, const char *path, char **refused)
{
	struct out out, reasons;

	out__init(&out, -1);
	out__init(&reasons, -1);
	write_line(&out, probe, group, name, path);
	sdt_probe__write_args(probe, machine, symbols, &out, &reasons);
	char *line = xstrdup(out__take(&out));

	free(*refused);
	*refused = xstrdup(out__take(&reasons));
	out__exit(&out);
	out__exit(&reasons);
	return line;
}

/* ---- the file ---- */

static void write_location(struct out *out, const struct sdt_probe *probe, const char *path,
                           u16 machine)
{
	char *group = xasprintf("sdt_%s", probe->provider);
	const char *args = probe->args;
	struct sdt_arg arg;

	write_line(out, probe, group, probe->name, path);
	for (u32 number = 1; (args = sdt_arg__next(&arg, args, machine)); number++)
		if (arg.kind == SDT_REGISTER || arg.kind == SDT_MEMORY)
			write_arg(out, number, &arg, 0);
	free(group);
	out__char(out, '\n');
}

struct named { /* a probe and its event: equal names, equal ids */
	u32 event, probe;
};

static int by_event(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return (x->probe > y->probe) - (x->probe < y->probe);
}

void sdt_probes__write(const struct sdt_probes *probes, const char *path, struct out *out)
{
	struct named *order = xcalloc(probes->nr, sizeof(*order));
	struct strtab names;
	u32 last = ID_NONE, nr = 0;

	if (!text__is_printable(path, strlen(path)))
		goto done;
	strtab__init(&names);
	for (; nr < probes->nr; nr++) {
		const struct sdt_probe *probe = &probes->probes[nr];
		char *name = xasprintf("%s:%s", probe->provider, probe->name);

		order[nr] = (struct named){ strtab__add(&names, name), nr };
		free(name);
	}
	strtab__exit(&names);
	if (nr)
		qsort(order, nr, sizeof(*order), by_event);
	for (u32 i = 0; i < nr; i++) {
		const struct sdt_probe *probe = &probes->probes[order[i].probe];

		if (order[i].event != last)
			out__printf(out, "%%sdt_%s:%s=%s\n", probe->provider, probe->name,
			            probe->name);
		last = order[i].event;
		write_location(out, probe, path, probes->machine);
	}
done:
	free(order);
}
