// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/lib/text.h"
#include "util/profile/key_local.h"

#define TID_WIDTH        7
#define HEX_WIDTH        (2 + KEY_ADDRESS_DIGITS)
#define SYM_ORIGIN_WIDTH 21 /* with -v: address, blank, letter, blank */

static const char *string_of(const struct key_data *data, u32 id)
{
	return strtab__get(&data->names->session->strings, id);
}

/* ---- comm ---- */

static u64 comm_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return key__row(data, row)->comm;
}

static int compare_comms(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	return strcmp(string_of(data, a), string_of(data, b));
}

static void comm_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	(void)by;
	(void)text;
	*cell = cell__text(string_of(data, key__row(data, row)->comm));
}

const struct key key_comm = {
	.name = "comm",
	.heading = "Command",
	.scope = KEY_OF_ROW,
	.value = comm_value,
	.compare = compare_comms,
	.cell = comm_cell,
};

/* ---- pid, tid: both are the thread, by its number ---- */

static s32 tid_of(const struct key_data *data, u32 thread)
{
	return machine__thread(data->names->session->host, thread)->tid;
}

/* -1, of a thread that was gone, stands before the others. */
static u64 tid_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return (u64)(s64)tid_of(data, key__row(data, row)->thread);
}

/* The name that the latest thread of that number had last. */
static const char *last_comm(const struct key_data *data, u32 tid)
{
	const struct moment end = { UINT64_MAX, UINT64_MAX };
	const struct machine *machine = data->names->session->host;

	return string_of(data, machine__comm_at(machine, u64map__get(&data->threads, tid), end));
}

static void tid_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                     struct out *text, struct cell *cell)
{
	u32 tid = (u32)tid_of(data, key__row(data, row)->thread);

	(void)by;
	if ((s32)tid < 0)
		out__printf(text, "%*d", TID_WIDTH, (s32)tid);
	else
		out__dec(text, tid, TID_WIDTH);
	out__char(text, ':');
	int number_end = text->len;

	out__str(text, last_comm(data, tid));
	*cell = cell__text(out__take(text));
	cell->number_end = number_end;
}

static u32 tid_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return TID_WIDTH + 1 +
	       strlen(last_comm(data, (u32)tid_of(data, key__row(data, row)->thread)));
}

static const struct key key_pid = {
	.name = "pid",
	.heading = "    Pid:Command",
	.scope = KEY_OF_ROW,
	.needs = KEY_NEEDS_THREADS,
	.value = tid_value,
	.compare = key__signed,
	.cell = tid_cell,
	.width = tid_width,
};

static const struct key key_tid = {
	.name = "tid",
	.heading = "    Tid:Command",
	.least = 3, /* to Linux's perf "t" and "ti" are other keys */
	.scope = KEY_OF_ROW,
	.needs = KEY_NEEDS_THREADS,
	.value = tid_value,
	.compare = key__signed,
	.cell = tid_cell,
	.width = tid_width,
};

void key_data__see(struct key_data *data, const struct row *row)
{
	const struct machine *machine = data->names->session->host;
	u32 *latest = u64map__at(&data->threads, (u32)tid_of(data, row->thread));

	if (*latest == ID_NONE ||
	    machine__made(machine, row->thread) > machine__made(machine, *latest))
		*latest = row->thread;
}

/* ---- cpu ---- */

static u64 cpu_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return key__row(data, row)->cpu;
}

static void cpu_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                     struct out *text, struct cell *cell)
{
	u16 cpu = key__row(data, row)->cpu;

	(void)by;
	if (cpu == UINT16_MAX) /* not recorded */
		out__str(text, "-001");
	else
		out__dec0(text, cpu, 3);
	*cell = cell__text(out__take(text));
}

static u32 cpu_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	(void)data;
	(void)row;
	return 3;
}

static const struct key key_cpu = {
	.name = "cpu",
	.heading = "CPU",
	.scope = KEY_OF_ROW,
	.needs = KEY_NEEDS_CPU,
	.value = cpu_value,
	.cell = cpu_cell,
	.width = cpu_width,
};

/* ---- dso ---- */

static u64 dso_value(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	(void)by;
	return key__sym(data, loc)->dso_name;
}

static u32 nr_dsos(const struct key_data *data)
{
	return data->names->nr_dso_names;
}

int key__compare_dsos(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	return strcmp(names__dso(data->names, a), names__dso(data->names, b));
}

/* Of the code that ran the unknown comes last. */
static int compare_dsos(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	return a && b ? key__compare_dsos(data, key, a, b) : (a == 0) - (b == 0);
}

u64 key__dso_of_part(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return key__sym(data, key__part(data, by->slot, row))->dso_name;
}

void key__dso_of_part_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                           struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__text(names__dso(data->names, key__dso_of_part(data, by, row)));
}

/* In a browser names of dsos are short, and V shows the whole one of the first of them. */
static void dso_cell(const struct key_data *data, const struct sort_key *by, u32 loc,
                     struct out *text, struct cell *cell)
{
	const struct sym *sym = key__sym(data, loc);
	bool full = data->verbose && data->by_symbol && sym->dso != ID_NONE;

	(void)by;
	(void)text;
	*cell = cell__text(
	        full ? string_of(data, dsos__at(&data->names->session->dsos, sym->dso)->name)
	             : names__dso(data->names, sym->dso_name));
}

const struct key key_dso = {
	.name = "dso",
	.heading = "Shared Object",
	.scope = KEY_OF_LOCATION,
	.value = dso_value,
	.nr_values = nr_dsos,
	.implied_by = &key_symbol,
	.compare = compare_dsos,
	.cell = dso_cell,
};

/* ---- symbol ---- */

static u64 symbol_value(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	(void)by;
	return data->names->sym_of_loc[loc];
}

static u32 nr_symbols(const struct key_data *data)
{
	return data->names->nr_syms;
}

static int compare_symbols(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	return sym__compare(data->names, &data->names->syms[a], &data->names->syms[b]);
}

/* By name. Addresses stand below the names, in no order of their own. */
static int order_symbols(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	const char *left = sym__name(data->names, &data->names->syms[a]);
	const char *right = sym__name(data->names, &data->names->syms[b]);

	(void)key;
	return left && right ? strcmp(left, right) : !left - !right;
}

static char level_of(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_HYPERVISOR:
		return 'H';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	default:
		return '.';
	}
}

void key__print_level(struct out *out, u8 cpumode)
{
	out__char(out, '[');
	out__char(out, level_of(cpumode));
	out__str(out, "] ");
}

void key__print_symbol(const struct key_data *data, struct out *out, const struct sym *sym)
{
	const char *name = sym__name(data->names, sym);

	if (name) {
		out__str(out, name);
		out__str(out, sym__inlined(sym) ? INLINED_MARK : "");
		return;
	}
	/* printf's %#x leaves the 0x out for zero, and so does Linux's perf */
	out__str(out, sym->addr ? "0x" : "");
	out__hex0(out, sym->addr, KEY_ADDRESS_DIGITS);
}

/* Where the name came from, for -v. */
static char origin_of(const struct names *names, const struct sym *sym)
{
	static const char letters[] = {
		[SYMTAB_NONE] = '!',      [SYMTAB_DEBUG_FILE] = 'b', [SYMTAB_ELF] = 'd',
		[SYMTAB_MINIDEBUG] = 'm', [SYMTAB_DYNSYM] = 'd',     [SYMTAB_KALLSYMS] = 'k',
		[SYMTAB_VMLINUX] = 'v',   [SYMTAB_PERF_MAP] = 'j',
	};

	return sym->dso == ID_NONE
	               ? '!'
	               : letters[session_symbols__table(names->symbols, sym->dso)->source];
}

static void symbol_cell(const struct key_data *data, const struct sort_key *by, u32 loc,
                        struct out *text, struct cell *cell)
{
	const struct sym *sym = key__sym(data, loc);

	(void)by;
	if (data->verbose)
		out__printf(text, "%#-18llx %c ", (unsigned long long)sym->addr,
		            origin_of(data->names, sym));
	key__print_level(text, sym->cpumode);
	key__print_symbol(data, text, sym);
	*cell = cell__text_or_number(out__take(text), !sym__named(sym));
}

/* INLINED_MARK has no room of its own, as in Linux's perf. */
static u32 symbol_width(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	(void)by;
	const char *name = sym__name(data->names, key__sym(data, loc));

	return KEY_LEVEL_WIDTH + (data->verbose ? SYM_ORIGIN_WIDTH : 0) +
	       (name ? strlen(name) : HEX_WIDTH);
}

const struct key key_symbol = {
	.name = "symbol",
	.heading = "Symbol",
	.scope = KEY_OF_LOCATION,
	.ragged = true,
	.needs = KEY_NEEDS_SYMBOLS,
	.value = symbol_value,
	.nr_values = nr_symbols,
	.compare = compare_symbols,
	.order = order_symbols,
	.cell = symbol_cell,
	.width = symbol_width,
};

/* ---- srcline, srcfile ---- */

static u64 srcline_value(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	(void)by;
	return data->source->line_of_loc[names__built_loc(data->names, loc)];
}

static u64 srcfile_value(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	(void)by;
	return data->source->file_of_loc[names__built_loc(data->names, loc)];
}

static int compare_sources(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	return strcmp(strtab__get(&data->source->texts, a), strtab__get(&data->source->texts, b));
}

static void source_cell(const struct key_data *data, const struct sort_key *by, u32 loc,
                        struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__text(strtab__get(&data->source->texts, by->key->value(data, by, loc)));
}

static const struct key key_srcline = {
	.name = "srcline",
	.heading = "Source:Line",
	.scope = KEY_OF_LOCATION,
	.needs = KEY_NEEDS_SYMBOLS | KEY_NEEDS_SOURCE,
	.value = srcline_value,
	.compare = compare_sources,
	.cell = source_cell,
};

static const struct key key_srcfile = {
	.name = "srcfile",
	.heading = "Source File",
	.scope = KEY_OF_LOCATION,
	.needs = KEY_NEEDS_SYMBOLS | KEY_NEEDS_SOURCE,
	.value = srcfile_value,
	.compare = compare_sources,
	.cell = source_cell,
};

/* ---- the table ---- */

const struct key *const plain_key_table[] = {
	&key_comm,   &key_pid,     &key_tid,     &key_cpu, &key_dso,
	&key_symbol, &key_srcline, &key_srcfile, NULL,
};

bool sort_keys__has(const struct sort_keys *keys, const struct key *key)
{
	for (u32 i = 0; i < keys->nr; i++)
		if (keys->list[i].key == key)
			return true;
	return false;
}

/* Its place in @list, where it is put if it is new. */
static u32 place_in(const struct key **list, u32 *nr, const struct key *key)
{
	for (u32 i = 0; i < *nr; i++)
		if (list[i] == key)
			return i;
	list[(*nr)++] = key;
	return *nr - 1;
}

/* Places come first: profiles have marks for 64 of them (struct intern). */
u32 sort_keys__of_samples(const struct sort_keys *keys, const struct key *list[SAMPLE_KEYS_MAX])
{
	u32 nr = 0;

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < keys->nr; i++) {
			const struct key *key = keys->list[i].key;
			const struct key *parts[] = { key->parts[0] ? key->parts[0] : key,
				                      key->parts[1] };

			for (u32 part = 0; part < ARRAY_SIZE(parts); part++)
				if (key->scope == KEY_OF_SAMPLE && parts[part] &&
				    (parts[part]->address ? 0 : 1u) == pass)
					place_in(list, &nr, parts[part]);
		}
	return nr;
}

void sort_key__cell(const struct key_data *data, const struct sort_key *by, u32 subject,
                    struct out *text, struct cell *cell)
{
	text->len = 0;
	if (by->key->cell)
		by->key->cell(data, by, subject, text, cell);
	else
		*cell = cell__number(sort_key__value(data, by, subject));
}

u32 key__slot(const struct key *key, const struct profile *profile)
{
	for (u32 i = 0; i < profile->nr_sample_keys; i++)
		if (profile->sample_keys[i] == key)
			return i;
	BUG_ON(true);
	return 0;
}

void sort_keys__bind(struct sort_keys *keys, const struct profile *profile)
{
	for (u32 i = 0; i < keys->nr; i++) {
		struct sort_key *by = &keys->list[i];
		const struct key *key = by->key;

		if (key->scope != KEY_OF_SAMPLE)
			continue;
		by->slot = key__slot(key->parts[0] ? key->parts[0] : key, profile);
		by->slot2 = key->parts[1] ? key__slot(key->parts[1], profile) : by->slot;
	}
}

static bool has_samples_for(const struct evlist *evlist, u64 sample_type)
{
	for (u32 i = 0; i < evlist->nr; i++)
		if (evlist->evsels[i]->attr.sample_type & sample_type)
			return true;
	return false;
}

int sort_keys__check(const struct sort_keys *keys, const struct evlist *evlist, struct error *err)
{
	for (u32 i = 0; i < keys->nr; i++) {
		const struct key *key = keys->list[i].key;

		if (!key->sample_type || has_samples_for(evlist, key->sample_type))
			continue;
		error__set(err, -ENODATA, "cannot sort by", key->name, "no sample has it");
		return error__advise(err, "record with %s to have it", key->recorded);
	}
	return 0;
}

int sort_keys__check_kind(const struct sort_keys *keys, enum key_kind kind, struct error *err)
{
	static const char *const options[] = {
		[KEY_OF_BRANCHES] = "-b", [KEY_OF_MEMORY] = "--mem-mode"
	};

	for (u32 i = 0; i < keys->nr; i++) {
		const struct key *key = keys->list[i].key;

		if (key->kind != KEY_PLAIN && key->kind != kind)
			return error__set(err, -EINVAL, "cannot sort by", key->name,
			                  "it goes with %s", options[key->kind]);
	}
	return 0;
}
