// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns the notes of an object file into the lines that make uprobes of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/sdt/sdt.h"

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

/* The kernel's name of a register of x86: "rdi", "edi", "dil" are all "di". */
static void write_register(struct out *out, const char *name, size_t len)
{
	static const char *const bases[] = { "ax", "bx", "cx", "dx", "si", "di", "sp", "bp" };

	out__char(out, '%');
	if (len == 2 && strchr("abcd", name[0]) && (name[1] == 'l' || name[1] == 'h')) {
		out__char(out, name[0]);
		out__char(out, 'x');
		return;
	}
	if (len >= 2 && name[0] == 'r' && isdigit((u8)name[1]) && strchr("dwb", name[len - 1]))
		len--;
	for (size_t i = 0; i < ARRAY_SIZE(bases) && len == 3; i++)
		if (((name[0] == 'r' || name[0] == 'e') && !memcmp(name + 1, bases[i], 2)) ||
		    (name[2] == 'l' && !memcmp(name, bases[i], 2))) {
			name = bases[i];
			len = 2;
		}
	out__mem(out, name, len);
}

/* "%rdi" at @s: the length of the name behind the sign, of 2 to 4 letters; 0: none. */
static size_t register_length(const char *s, const char *end)
{
	size_t len = 0;

	if (s == end || *s != '%')
		return 0;
	while (s + 1 + len < end && (islower((u8)s[1 + len]) || (len && isdigit((u8)s[1 + len]))))
		len++;
	return len >= 2 && len <= 4 ? len : 0;
}

/* "%rdi", "-20(%rbp)"; false, and nothing written, for all else. */
static bool write_operand(struct out *out, u32 number, const char *s, const char *end)
{
	const char *digits = s < end && (*s == '-' || *s == '+') ? s + 1 : s, *p = digits;
	size_t len = register_length(s, end);

	if (len) {
		if (s + 1 + len != end)
			return false;
		out__printf(out, " arg%u=", number);
		write_register(out, s + 1, len);
		return true;
	}
	while (p < end && isdigit((u8)*p))
		p++;
	if (p == end || *p != '(' || p - digits > 18 || (p == digits && p != s))
		return false;
	len = register_length(p + 1, end);
	if (!len || end - p != (ssize_t)len + 3 || end[-1] != ')')
		return false;
	out__printf(out, " arg%u=%c%.*s(", number, *s == '-' ? '-' : '+',
	            p == digits ? 1 : (int)(p - digits), p == digits ? "0" : digits);
	write_register(out, p + 2, len);
	out__char(out, ')');
	return true;
}

/* "-4@": a size that the kernel knows gives a type. */
static void write_type(struct out *out, const char *size, size_t len)
{
	bool is_signed = len && *size == '-';
	unsigned bytes = len > is_signed ? (u8)size[is_signed] - '0' : 0;

	/* "4f@" is a float, of which the kernel fetches the bits. */
	if (len - is_signed > 2 || (len - is_signed == 2 && size[is_signed + 1] != 'f'))
		return;
	if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
		out__printf(out, ":%c%u", is_signed ? 's' : 'u', 8 * bytes);
}

static void write_args(struct out *out, const char *args)
{
	for (u32 number = 1; *(args += strspn(args, " ")); number++) {
		size_t len = strcspn(args, " ");
		const char *end = args + len, *at = memchr(args, '@', len);

		if (write_operand(out, number, at ? at + 1 : args, end) && at)
			write_type(out, args, at - args);
		args = end;
	}
}

/* "$5", "$-1" of x86, "5" of arm64 at @s: a number and nothing else. */
static bool write_constant(struct out *out, u32 number, const char *s, const char *end, bool sign)
{
	if (sign && (s == end || *s++ != '$'))
		return false;
	const char *digits = s + (s < end && *s == '-'), *p = digits;

	while (p < end && isdigit((u8)*p))
		p++;
	if (p == digits || p != end || p - digits > 18)
		return false;
	out__printf(out, " arg%u=\\%.*s", number, (int)(end - s), s);
	return true;
}

/* arm64: "x0", "w3", "sp", at @s: the length of the name; the kernel calls both halves x. */
static size_t arm64_register(const char *s, const char *end, char name[4])
{
	size_t len = 0;

	while (s + len < end && len < 4 && isalnum((u8)s[len]))
		len++;
	if (len < 2 || len > 3)
		return 0;
	bool numbered =
	        (*s == 'x' || *s == 'w') && isdigit((u8)s[1]) && (len == 2 || isdigit((u8)s[2]));

	if (!numbered && !(len == 2 && !memcmp(s, "sp", 2)))
		return 0;
	memcpy(name, s, len);
	name[len] = '\0';
	if (*name == 'w')
		*name = 'x';
	return len;
}

/* arm64: "x0", "[sp]", "[x19, 12]", "[x19,-8]", "5" */
static bool write_arm64(struct out *out, u32 number, const char *s, const char *end)
{
	char name[4];
	size_t len = arm64_register(s, end, name);

	if (len && s + len == end) {
		out__printf(out, " arg%u=%%%s", number, name);
		return true;
	}
	if (s == end || *s != '[')
		return write_constant(out, number, s, end, false);
	len = arm64_register(s + 1, end, name);
	const char *p = s + 1 + len;
	long offset = 0;

	if (!len || p == end)
		return false;
	if (*p == ',') {
		char *behind;

		p += 1 + strspn(p + 1, " #");
		offset = strtol(p, &behind, 10);
		if (behind == p)
			return false;
		p = behind;
	}
	if (p + 1 != end || *p != ']')
		return false;
	out__printf(out, " arg%u=%+ld(%%%s)", number, offset, name);
	return true;
}

/* The length of the argument at @args: in brackets there may be blanks. */
static size_t argument_length(const char *args)
{
	size_t len = strcspn(args, " ["), close;

	if (args[len] != '[')
		return len;
	close = strcspn(args + len, "]");
	return args[len + close] ? len + close + 1 : len + close;
}

/* Registers of vectors and floating point, which the kernel's probes do not see. */
static bool is_other_register(const char *s, const char *end)
{
	return end - s > 3 && *s == '%' &&
	       (strchr("xyz", s[1]) ? s[2] == 'm' : s[1] == 'm' || s[2] == 't');
}

void sdt_probe__write_args(const struct sdt_probe *probe, u16 machine, struct out *out)
{
	const char *args = probe->args;
	bool x86 = machine == EM_X86_64 || machine == EM_386;

	if (!x86 && machine != EM_AARCH64)
		return;
	for (u32 number = 1; *(args += strspn(args, " ")); number++) {
		size_t len = x86 ? strcspn(args, " ") : argument_length(args);
		const char *end = args + len, *at = memchr(args, '@', len);
		const char *operand = at ? at + 1 : args;
		bool other = x86 && is_other_register(operand, end);
		bool written = other ? false
		               : x86 ? write_operand(out, number, operand, end) ||
		                               write_constant(out, number, operand, end, true)
		                     : write_arm64(out, number, operand, end);

		if (written && at)
			write_type(out, args, at - args);
		args = end;
	}
}

/* ---- the file ---- */

static void write_location(struct out *out, const struct sdt_probe *probe, const char *path,
                           u16 machine)
{
	out__printf(out, "p:sdt_%s/%s %s:0x%llx", probe->provider, probe->name, path,
	            (unsigned long long)probe->offset);
	if (probe->semaphore)
		out__printf(out, "(0x%llx)", (unsigned long long)probe->semaphore);
	if (machine == EM_X86_64 || machine == EM_386)
		write_args(out, probe->args);
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
