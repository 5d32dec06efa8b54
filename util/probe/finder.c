// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/finder.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/disasm/insn_border.h"
#include "util/dwarf/source_text.h"
#include "util/fetch/globals.h"
#include "util/fetch/place_text.h"
#include "util/lib/text.h"
#include "util/probe/finder_private.h"
#include "util/symtab/demangle.h"
#include "util/symtab/elf_symbols.h"

#define BLOCKS_MAX 8 /* of a function, one in another */

struct probe_finder *probe_finder__new(struct probe_target *target)
{
	struct probe_finder *finder = xcalloc(1, sizeof(*finder));

	finder->target = target;
#ifdef HAVE_LIBDW
	finder->has_dwarf = target->dwarf_path && units__open(&finder->units, target->dwarf_path,
	                                                      target->file, target->module_start);
#endif
	return finder;
}

void probe_finder__delete(struct probe_finder *finder)
{
#ifdef HAVE_LIBDW
	if (finder->has_dwarf)
		units__close(&finder->units);
#endif
	free(finder);
}

bool probe_finder__has_dwarf(const struct probe_finder *finder)
{
	return finder->has_dwarf;
}

void spots__warn(struct probe_spots *spots, char *text)
{
	for (u32 i = 0; i < spots->nr_warnings; i++)
		if (!strcmp(spots->warnings[i], text)) {
			free(text);
			return;
		}
	spots->warnings =
	        xrealloc(spots->warnings, spots->nr_warnings + 1, sizeof(*spots->warnings));
	spots->warnings[spots->nr_warnings++] = text;
}

void spots__add(struct probe_spots *spots, u64 addr, const char *function, u64 entry)
{
	for (u32 i = 0; i < spots->nr; i++)
		if (spots->spots[i].addr == addr)
			return;
	array__reserve(&spots->spots, &spots->cap, spots->nr + 1, sizeof(*spots->spots));
	spots->spots[spots->nr++] = (struct probe_spot){
		.addr = addr, .function = function ? xstrdup(function) : NULL, .entry = entry
	};
}

void probe_spots__exit(struct probe_spots *spots)
{
	for (u32 i = 0; i < spots->nr; i++) {
		struct probe_spot *spot = &spots->spots[i];

		for (u32 j = 0; j < spot->nr_args; j++) {
			free(spot->names[j]);
			free(spot->values[j]);
		}
		free(spot->names);
		free(spot->values);
		free(spot->function);
	}
	for (u32 i = 0; i < spots->nr_warnings; i++)
		free(spots->warnings[i]);
	free(spots->warnings);
	free(spots->spots);
	free(spots->cut);
}

/* ---- symbols ---- */

static int check_offset(const struct probe_definition *def, u64 size, struct error *err)
{
	if (!size || def->place.offset < size)
		return 0;
	return error__set(err, -ENOENT, "cannot probe", def->text,
	                  "the function has %llu bytes, fewer than the offset",
	                  (unsigned long long)size);
}

/* @own is the symbol's name that @wanted, unless it is a glob, was found to mean. */
static bool fits_name(const struct probe_symbol *symbol, const char *wanted, const char *own)
{
	return place_text__is_glob(wanted) ? text__glob(wanted, symbol->name)
	                                   : !strcmp(symbol->name, own);
}

static int by_address(const void *a, const void *b)
{
	const struct probe_spot *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* The name of the code at @addr, or the address: malloc'ed, as a definition takes it. */
static char *name_at(struct probe_finder *finder, u64 addr)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);

	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_code && !symbols[i].is_indirect && symbols[i].addr == addr &&
		    !strchr(symbols[i].name, '@'))
			return xstrdup(symbols[i].name);
	return xasprintf("0x%llx", (unsigned long long)addr);
}

/*
 * What the indirect function @name of a library is on this machine: known if this process uses the
 * library, too, as it mostly does of libc. NULL: it is not.
 */
static char *chosen_function(struct probe_finder *finder, const char *name)
{
	char *plain = xasprintf("%.*s", (int)strcspn(name, "@"), name);
	void *at = dlsym(RTLD_DEFAULT, plain);
	struct stat here, there;
	Dl_info info;

	free(plain);
	if (!at || !dladdr(at, &info) || stat(info.dli_fname, &here) ||
	    stat(finder->target->file, &there) || here.st_ino != there.st_ino ||
	    here.st_dev != there.st_dev)
		return NULL;
	return name_at(finder, (uintptr_t)at - (uintptr_t)info.dli_fbase +
	                               probe_target__vaddr(finder->target, 0));
}

/* A probe at an indirect function is at what chooses it, which runs when a program is linked. */
static void warn_of_indirect(struct probe_finder *finder, const char *name,
                             struct probe_spots *spots)
{
	char *chosen = chosen_function(finder, name);

	spots__warn(spots, xasprintf("'%s' is an indirect function (IFUNC): what is probed chooses "
	                             "its code when a program is linked, %s%s%s",
	                             name, chosen ? "here '" : "and no call of it is seen",
	                             chosen ? chosen : "",
	                             chosen ? "': probe that to see the calls" : ""));
	free(chosen);
}

static int find_symbols(struct probe_finder *finder, const struct probe_definition *def,
                        struct probe_spots *spots, struct error *err)
{
	const char *name = def->place.function;
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);

	if (!place_text__is_glob(name)) {
		const struct probe_symbol *symbol = probe_target__symbol(finder->target, name);
		int ret = symbol ? check_offset(def, symbol->size, err) : 0;

		if (!symbol || ret)
			return ret;
		name = symbol->name; /* several functions may be called so */
	}
	for (u32 i = 0; i < nr; i++) {
		if (!symbols[i].is_code || !fits_name(&symbols[i], def->place.function, name))
			continue;
		const char *called = place_text__is_glob(def->place.function) ? symbols[i].name
		                                                              : def->place.function;

		spots__add(spots, symbols[i].addr + def->place.offset, called, symbols[i].addr);
		if (symbols[i].is_indirect)
			warn_of_indirect(finder, called, spots);
	}
	if (spots->nr)
		qsort(spots->spots, spots->nr, sizeof(*spots->spots), by_address);
	return 0;
}

/*
 * "strlen@plt", an entry of the PLT, as --funcs lists it: it has no symbol, and the last of the
 * name is what is called (elf_symbols.h).
 */
static int find_plt(struct probe_finder *finder, const struct probe_definition *def,
                    struct probe_spots *spots, struct error *err)
{
	const char *name = def->place.function;
	const struct symbol *entry = NULL;
	struct symtab symtab = { .nr = 0 };
	int ret = 0;

	if (strchr(name, '@') && !finder->target->is_kernel)
		elf_symbols__add_plt(&symtab, &finder->target->elf);
	for (u32 i = 0; i < symtab.nr; i++)
		if (!strcmp(symtab.symbols[i].name, name))
			entry = &symtab.symbols[i];
	if (entry)
		ret = check_offset(def, entry->end - entry->start, err);
	if (entry && !ret)
		spots__add(spots, entry->start + def->place.offset, name, entry->start);
	symtab__exit(&symtab);
	return ret;
}

/* ---- what was not found ---- */

/* There is no code of the function but copies, which are not asked for. */
static bool is_inlined_only(struct probe_finder *finder, const struct probe_definition *def,
                            const struct probe_search *search, const char *place, struct error *err)
{
#ifdef HAVE_LIBDW
	Dwarf_Die function;
	struct unit *unit;

	if (!def->place.function || !finder->has_dwarf ||
	    !(def->place.is_return || search->no_inlines) ||
	    !finder__function(finder, def->place.function, def->place.file, &function, &unit) ||
	    !function__may_be_inlined(&function))
		return false;
	error__set(err, -ENOENT, "Probe point not found:", place, "it was inlined everywhere%s",
	           def->place.is_return ? ", and such copies have no return" : "");
	error__advise(err, "%s",
	              def->place.is_return ? "probe the function, or its last line"
	                                   : "without --no-inlines its copies are probed");
	return true;
#else
	(void)finder, (void)def, (void)search, (void)place, (void)err;
	return false;
#endif
}

static int not_found(struct probe_finder *finder, const struct probe_definition *def,
                     const struct probe_search *search, struct error *err)
{
	char *place = probe_place__text(&def->place);
	u32 nr;

	if (is_inlined_only(finder, def, search, place, err)) {
		free(place);
		return -ENOENT;
	}
	error__set(err, -ENOENT, "Probe point not found:", place, "nothing in '%s' has this name",
	           finder->target->path);
	probe_target__symbols(finder->target, &nr);
	if (!nr && !finder->has_dwarf) {
		error__set(err, -ENOENT, "Failed to load symbols from", finder->target->path,
		           "it has none");
		if (finder->target->refused) /* it has a debug file, but a wrong one */
			error__set(err, -ENOENT, finder->target->why.what,
			           finder->target->why.subject, "%s", finder->target->why.cause);
		error__advise(err, "please ensure the file is not stripped, or install its debug "
		                   "package; an address 0x... works");
	} else if (def->place.function && !def->place.file &&
	           finder__is_other(finder, def->place.function, place, err)) {
		free(place);
		return -ENOENT;
	} else if (def->place.function) {
		finder__advise_function(finder, def->place.function, def->place.file, err);
	} else {
		finder__advise_file(finder, def->place.file, err);
	}
	free(place);
	const struct probe_symbol *symbol =
	        def->place.function ? probe_target__symbol(finder->target, def->place.function)
	                            : NULL;

	finder__blame_unread(finder, symbol ? symbol->addr : 0, err);
	return -ENOENT;
}

int finder__no_dwarf(const struct probe_finder *finder, struct error *err)
{
	if (finder->target->refused)
		error__set(err, -ENOENT, finder->target->why.what, finder->target->why.subject,
		           "%s", finder->target->why.cause);
	else
		error__set(err, -ENOENT, "no debug information in", finder->target->path, "%s",
#ifdef HAVE_LIBDW
		           "lines and variables are known with it only");
#else
		           "this perf is built without libdw");
#endif
	return error__advise(err, "%s",
	                     finder->target->is_running
	                             ? "--vmlinux and --module name files that have it"
	                             : "rebuild it with -g, or install its debug package");
}

int finder__blame_unread(struct probe_finder *finder, u64 addr, struct error *err)
{
#ifdef HAVE_LIBDW
	u32 i = 0;
	struct unit *there = addr ? units__unread_at(&finder->units, addr) : NULL;
	struct unit *unit = there ?: units__next_unread(&finder->units, &i);

	if (unit && err) {
		const struct error old = *err;

		error__set(err, old.code, old.what, old.subject, "%s%s", there ? "its" : old.cause,
		           there ? " split debug information cannot be read"
		                 : "; but some split debug information cannot be read");
		dwarf_files__explain_unread(finder->units.files, &unit->die, finder->target->file,
		                            err);
	}
#else
	(void)addr;
#endif
	finder->left_out = false; /* it is said */
	return err ? err->code : -ENOENT;
}

bool probe_finder__left_out(struct probe_finder *finder, struct error *err)
{
#ifdef HAVE_LIBDW
	const char *common = finder->has_dwarf ? finder->units.files->no_alternate : NULL;

	if (common && !finder->left_out) {
		error__set(err, -ENOENT, "cannot read the common debug information", common,
		           "types, functions and variables that dwz put there are not known");
		error__advise(err, "install the debug package that has it");
		return true;
	}
#endif
	if (!finder->left_out)
		return false;
#ifdef HAVE_LIBDW
	u32 i = 0, nr = 1;
	struct unit *unit = units__next_unread(&finder->units, &i);

	while (units__next_unread(&finder->units, &i))
		nr++;
	error__set(err, -ENOENT, "cannot read the split debug information",
	           dwarf_files__split_name(finder->units.files, &unit->die),
	           "places in %u such file%s were not looked for", nr, nr == 1 ? "" : "s");
	dwarf_files__explain_unread(finder->units.files, &unit->die, finder->target->file, err);
#else
	(void)err;
#endif
	return true;
}

/* ---- functions in debug information ---- */

#ifdef HAVE_LIBDW
bool finder__means(const struct probe_finder *finder, Dwarf_Die *die, const char *name)
{
	return function__is_called(die, name) &&
	       (!finder->only || die__origin(die).addr == finder->only);
}

bool finder__each_function(const struct probe_finder *finder, const struct unit *unit,
                           bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx)
{
	return (finder->only ? unit__each_function_deep : unit__each_function)(unit, fn, ctx);
}

u8 *finder__units_with(struct probe_finder *finder, const char *function, const char *file)
{
	struct units *units = &finder->units;

	if (!finder->in_unit)
		return function ? units__with_name(units, function) : units__with_file(units, file);
	u8 *marks = xcalloc(units->nr, 1);

	marks[finder->in_unit - units->units] = 1;
	return marks;
}

struct functions {
	struct probe_finder *finder;
	const struct probe_definition *def;
	const struct probe_search *search;
	struct probe_spots *spots;
	const struct unit *unit;
	const char *name;
	struct error *err;
	int ret;
};

static void add_copy(void *ctx, Dwarf_Die *die)
{
	struct functions *functions = ctx;
	u64 entry;

	if (die__entry(die, &entry) && entry)
		spots__add(functions->spots, entry + functions->def->place.offset, functions->name,
		           entry);
}

static void add_copies(struct functions *functions, Dwarf_Die *die)
{
	u32 before = functions->spots->nr;

	functions->name = die__name(die);
	unit__each_call(functions->unit, die, add_copy, functions);
	/* Link-time optimization puts copies into other units than the function. */
	if (functions->spots->nr > before || units__stand_alone(&functions->finder->units))
		return;
	for (u32 i = 0; i < functions->finder->units.nr; i++)
		if (&functions->finder->units.units[i] != functions->unit)
			unit__each_call(&functions->finder->units.units[i], die, add_copy,
			                functions);
}

/* A call of the function comes there after it was counted at its entry. */
bool finder__is_part(struct probe_finder *finder, u64 addr)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);
	bool found = false;

	for (u32 i = 0; i < nr; i++) {
		if (!symbols[i].is_code || symbols[i].addr != addr)
			continue;
		if (!strstr(symbols[i].name, ".part."))
			return false;
		found = true;
	}
	return found;
}

/* A part is no call of its own, unless nothing else is left of the function. */
static void leave_parts(struct probe_finder *finder, struct probe_spots *spots)
{
	bool *part = xcalloc(spots->nr + 1, sizeof(*part));
	u32 nr = spots->nr, nr_parts = 0;

	for (u32 i = 0; i < nr; i++) {
		part[i] = spots->spots[i].entry && finder__is_part(finder, spots->spots[i].entry);
		nr_parts += part[i];
	}
	if (nr_parts < nr)
		spots->nr = 0;
	for (u32 i = 0; i < nr && nr_parts < nr; i++) {
		if (part[i])
			free(spots->spots[i].function);
		else
			spots->spots[spots->nr++] = spots->spots[i];
	}
	free(part);
}

static bool add_function(void *ctx, Dwarf_Die *die)
{
	struct functions *functions = ctx;
	const struct probe_place *place = &functions->def->place;
	Dwarf_Addr high;
	u64 entry;

	if (!finder__means(functions->finder, die, place->function) ||
	    (place->file && !path__ends_with(die__decl_file(die), place->file)))
		return false;
	if (die__has_code(die) && die__entry(die, &entry) && entry) {
		spots__add(functions->spots, entry + place->offset, die__name(die), entry);
		if (!dwarf_highpc(die, &high) && high > entry)
			functions->ret = check_offset(functions->def, high - entry, functions->err);
	} else if (function__may_be_inlined(die) && !place->is_return &&
	           !functions->search->no_inlines) {
		add_copies(functions, die);
	}
	return functions->ret || functions->spots->nr > functions->search->max;
}

static int find_functions(struct probe_finder *finder, const struct probe_definition *def,
                          const struct probe_search *search, struct probe_spots *spots,
                          struct error *err)
{
	struct functions functions = {
		.finder = finder, .def = def, .search = search, .spots = spots, .err = err
	};
	u8 *with = finder__units_with(finder, def->place.function, NULL);

	for (u32 i = 0; i < finder->units.nr; i++) {
		functions.unit = &finder->units.units[i];
		if ((!with || with[i]) &&
		    finder__each_function(finder, functions.unit, add_function, &functions))
			break;
	}
	free(with);
	leave_parts(finder, spots);
	return functions.ret;
}

/* The compiler, and gcc's options; NULL: it is not told. */
static const char *producer_of(const struct unit *unit)
{
	Dwarf_Die die = unit->code;
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(&die, DW_AT_producer, &attr)
	               ? dwarf_files__checked_string(&attr)
	               : NULL;
}

/* Do the options that gcc was called with ask for optimization? Of several -O the last one counts.
 */
static bool options_optimize(const char *options)
{
	bool optimize = false;

	for (const char *at = options; (at = strstr(at, " -O")); at += 3)
		optimize = at[3] != '0'; /* -O alone is -O1 */
	return optimize;
}

static bool is_off_register(const Dwarf_Op *op)
{
	return op->atom == DW_OP_fbreg || op->atom == DW_OP_bregx ||
	       (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31);
}

/*
 * Is a list of places nothing but memory, from behind the entry on? So clang describes arrays of
 * variable size, and what is passed by reference because it has a copy constructor, without
 * optimization, too: their address is known only then.
 */
static bool is_late_memory(Dwarf_Attribute *list, u64 entry)
{
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t nr;
	bool any = false;

	for (ptrdiff_t i = 0; (i = dwarf_getlocations(list, i, &base, &start, &end, &ops, &nr)) > 0;
	     any = true)
		if (start <= entry || nr < 1 || nr > 2 || !is_off_register(&ops[0]) ||
		    (nr == 2 && ops[1].atom != DW_OP_deref))
			return false;
	return any;
}

struct looking {
	u64 entry;
	bool in_frame; /* it has parameters in memory */
};

/* Is a parameter or variable in registers, known, or does it move from place to place? */
static bool is_optimized_variable(struct looking *looking, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	Dwarf_Attribute attr;
	Dwarf_Block block;
	Dwarf_Op *ops;
	size_t nr;

	if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
		return false;
	if (!dwarf_attr(die, DW_AT_location, &attr))
		return tag == DW_TAG_formal_parameter && dwarf_hasattr(die, DW_AT_const_value);
	if (dwarf_formblock(&attr, &block)) /* a list */
		return !is_late_memory(&attr, looking->entry);
	looking->in_frame |= tag == DW_TAG_formal_parameter;
	return !dwarf_getlocation(&attr, &ops, &nr) && nr &&
	       ((ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) ||
	        ops[0].atom == DW_OP_regx);
}

/* Also in the blocks of the function. */
static bool has_optimized(struct looking *looking, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die die;

	if (depth > BLOCKS_MAX || !die__child(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (is_optimized_variable(looking, &die) ||
		    (tag == DW_TAG_lexical_block && has_optimized(looking, &die, depth + 1)))
			return true;
	} while (die__next(&die));
	return false;
}

/*
 * Was it compiled with optimization? gcc says so. Of others variables tell; clang describes all
 * calls in what it optimizes (gcc does always), but in a function that it is to leave alone, too.
 */
static bool is_optimized(const struct unit *unit, Dwarf_Die *function)
{
	const char *text = producer_of(unit);
	bool calls = dwarf_hasattr(function, DW_AT_call_all_calls) ||
	             dwarf_hasattr(function, DW_AT_GNU_all_call_sites);
	struct looking looking = { .entry = 0 };

	if (text && options_optimize(text))
		return true;
	die__entry(function, &looking.entry);
	return has_optimized(&looking, function, 0) ||
	       (calls && !looking.in_frame && !(text && text__starts_with(text, "GNU ")));
}

/* To where a line may have another place: then the first is left out. False: it was. */
static bool move_spot(struct probe_spots *spots, u32 i, u64 addr)
{
	for (u32 j = 0; j < spots->nr; j++) {
		if (spots->spots[j].addr != addr)
			continue;
		free(spots->spots[i].function);
		memmove(&spots->spots[i], &spots->spots[i + 1],
		        (--spots->nr - i) * sizeof(*spots->spots));
		return false;
	}
	spots->spots[i].addr = addr;
	return true;
}

static bool wants_variables(const struct probe_definition *def)
{
	bool wants = false;

	for (u32 i = 0; i < def->nr_args; i++)
		wants |= def->args[i].variable || !strcmp(def->args[i].text, "$vars") ||
		         !strcmp(def->args[i].text, "$params");
	return wants;
}

/* Behind the prologue a loop may begin at once: then no place there is run once in a call. */
static void warn_of_loop(struct probe_finder *finder, Dwarf_Die *function, u64 entry, u64 addr,
                         struct probe_spots *spots)
{
	const char *own = die__name(function);
	Dwarf_Addr high;

	if (!own || dwarf_highpc(function, &high) ||
	    !insn_border__is_loop_head(&finder->target->elf,
	                               probe_target__offset(finder->target, entry), entry, high,
	                               addr))
		return;
	char *name = place_text__of_name(own);

	spots__warn(spots,
	            xasprintf("'%s' begins with a loop, and where its parameters are stored each "
	                      "round of it is a hit: '%s+0' is hit once in a call, where they are "
	                      "not there yet",
	                      own, name));
	free(name);
}

/* Is it a struct that the function was passed, and that an argument names? */
static bool is_wanted_struct(const struct probe_definition *def, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	const char *name = die__name(die);
	bool wanted = false;

	for (u32 i = 0; i < def->nr_args && name; i++)
		wanted |= *def->args[i].text == '$' ||
		          (def->args[i].variable && !strcmp(def->args[i].variable, name));
	return wanted && dwarf_tag(die) == DW_TAG_formal_parameter &&
	       dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &type) &&
	       !dwarf_peel_type(&type, &type) && dwarf_tag(&type) != DW_TAG_base_type &&
	       dwarf_tag(&type) != DW_TAG_pointer_type && !dwarf_haschildren(die) &&
	       dwarf_haschildren(&type) == 1 && dwarf_tag(&type) != DW_TAG_enumeration_type;
}

struct next_row {
	u64 addr, next; /* 0: none yet */
};

static void take_next(void *ctx, const struct line_at *line)
{
	struct next_row *row = ctx;

	if (line->addr > row->addr && (!row->next || line->addr < row->next))
		row->next = line->addr;
}

/* gcc's address sanitizer copies structs in the row behind the prologue only. */
static void warn_of_copy(const struct probe_definition *def, const struct unit *unit,
                         Dwarf_Die *function, u64 entry, u64 addr, struct probe_spots *spots)
{
	const char *text = producer_of(unit);
	struct next_row row = { .addr = addr };
	Dwarf_Die die;

	if (!text || !text__starts_with(text, "GNU ") || !strstr(text, "-fsanitize=address") ||
	    !die__name(function) || !die__child(function, &die))
		return;
	unit__each_line(unit, take_next, &row);
	do {
		if (!is_wanted_struct(def, &die) || !row.next)
			continue;
		char *name = place_text__of_name(die__name(function));

		spots__warn(spots, xasprintf("'%s' is a struct that the address sanitizer copies "
		                             "behind this place, and may have another value: probe "
		                             "'%s+%llu'",
		                             die__name(&die), name,
		                             (unsigned long long)(row.next - entry)));
		free(name);
	} while (die__next(&die));
}

/*
 * Without optimization arguments lie where the debug information says only once the function has
 * put them there.
 */
static void skip_prologues(struct probe_finder *finder, const struct probe_definition *def,
                           struct probe_spots *spots)
{
	if (!wants_variables(def) || def->place.has_offset || def->place.is_return)
		return;
	for (u32 i = 0; i < spots->nr;) {
		u64 addr = spots->spots[i].addr, entry;
		const struct unit *unit = units__at(&finder->units, addr);
		Dwarf_Die function;
		Dwarf_Addr *places = NULL;
		bool stays = true;

		if (unit && unit__function_at(unit, addr, &function) &&
		    die__entry(&function, &entry) && entry == addr &&
		    !is_optimized(unit, &function) &&
		    dwarf_entry_breakpoints(&function, &places) > 0 && places[0] != entry) {
			spots->skipped = entry;
			warn_of_loop(finder, &function, entry, places[0], spots);
			warn_of_copy(def, unit, &function, entry, places[0], spots);
			stays = move_spot(spots, i, places[0]);
		}
		free(places);
		i += stays;
	}
}

/* What a compiler made of a function, by the name of its symbol: "f.part.0", "f.constprop.1". */
static bool is_made_of(const char *symbol, const char *function)
{
	size_t len = strlen(function);

	return !strncmp(symbol, function, len) && symbol[len] == '.';
}

/* A name that is an alias in the symbol table: malloc is __libc_malloc there. */
static int find_alias(struct probe_finder *finder, const struct probe_definition *def,
                      struct probe_definition *alias)
{
	const struct probe_symbol *symbol =
	        probe_target__symbol(finder->target, def->place.function);
	const struct unit *unit = symbol ? units__at(&finder->units, symbol->addr) : NULL;
	Dwarf_Die function;
	u64 entry;

	if (!unit || !unit__function_at(unit, symbol->addr, &function) ||
	    !die__entry(&function, &entry) || entry != symbol->addr || !die__name(&function))
		return -ENOENT;
	if (!strcmp(die__name(&function), def->place.function))
		return -ENOENT;
	*alias = *def;
	alias->place.function = (char *)die__name(&function);
	/* Of C++ and Rust that is the last part of the name, which others have, too. */
	if (demangle__is_cxx_or_rust(symbol->name))
		finder->only = die__origin(&function).addr;
	return 0;
}

/*
 * Is it a function of that name, of which no debug information tells? @part: the first word of the
 * name's last part, which a mangled one has, too: readable names cost.
 */
static bool is_bare(struct probe_finder *finder, const struct probe_symbol *symbol,
                    const char *name, const char *part)
{
	return symbol->is_code && !symbol->is_indirect && strstr(symbol->name, part) &&
	       (!strcmp(symbol->name, name) ||
	        (place_text__last(name) > name && place_text__fits_symbol(name, symbol->name))) &&
	       !units__at(&finder->units, symbol->addr) &&
	       !units__unread_at(&finder->units, symbol->addr);
}

/*
 * Functions of the name in objects without debug information, too: all of the name are meant. Where
 * variables are asked for it is said that they are left out.
 */
static int add_bare(struct probe_finder *finder, const struct probe_definition *def,
                    struct probe_spots *spots, struct error *err)
{
	const struct probe_place *place = &def->place;
	u32 nr, left_out = 0;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);
	int ret = 0;

	if (!place->function || place->file || place_text__is_glob(place->function) ||
	    finder->only || finder->target->is_kernel)
		return 0;
	const char *last = place_text__last(place->function);
	char *part = xasprintf("%.*s", (int)strspn(last, TEXT_WORD_CHARS), last);

	for (u32 i = 0; i < nr && !ret; i++) {
		if (!is_bare(finder, &symbols[i], place->function, part))
			continue;
		if (wants_variables(def)) {
			left_out++;
			continue;
		}
		ret = check_offset(def, symbols[i].size, err);
		if (!ret)
			spots__add(spots, symbols[i].addr + place->offset, place->function,
			           symbols[i].addr);
	}
	free(part);
	if (left_out)
		spots__warn(spots, xasprintf("'%s' is also in %u object%s without debug "
		                             "information, where its variables are not known: "
		                             "these calls are no hits",
		                             place->function, left_out, left_out == 1 ? "" : "s"));
	return ret;
}

static int find_in_dwarf(struct probe_finder *finder, const struct probe_definition *def,
                         const struct probe_search *search, struct probe_spots *spots,
                         struct error *err)
{
	const struct probe_place *place = &def->place;
	struct probe_definition alias;
	/* Line 0 of a function is its entry, inlined copies included. */
	bool lines = (place->has_line && (place->line || !place->function)) || place->lazy;
	int ret = lines ? finder__find_lines(finder, def, spots, err)
	                : find_functions(finder, def, search, spots, err);

	if (!ret && !spots->nr && place->function && !place_text__is_glob(place->function) &&
	    !find_alias(finder, def, &alias)) {
		if (is_made_of(place->function, alias.place.function) && !lines) {
			finder->only = NULL;
			return find_symbols(finder, def, spots, err);
		}
		if (probe_target__symbol(finder->target, place->function)->is_indirect)
			warn_of_indirect(finder, place->function, spots);
		ret = find_in_dwarf(finder, &alias, search, spots, err);
		finder->only = NULL;
		for (u32 i = 0; i < spots->nr; i++) { /* named as it was asked for */
			free(spots->spots[i].function);
			spots->spots[i].function = xstrdup(place->function);
		}
		return ret;
	}
	if (!ret)
		skip_prologues(finder, def, spots);
	if (!ret && spots->nr && !lines)
		ret = add_bare(finder, def, spots, err);
	return ret;
}
#endif

/* ---- all ---- */

static void take_kernel_args(const struct probe_definition *def, struct probe_spots *spots)
{
	for (u32 i = 0; i < spots->nr; i++) {
		struct probe_spot *spot = &spots->spots[i];

		spot->names = xcalloc(def->nr_args + 1, sizeof(*spot->names));
		spot->values = xcalloc(def->nr_args + 1, sizeof(*spot->values));
		spot->nr_args = def->nr_args;
		for (u32 j = 0; j < def->nr_args; j++) {
			spot->names[j] = probe_arg__name(&def->args[j]);
			spot->values[j] = xstrdup(def->args[j].text);
		}
	}
}

static int find_spots(struct probe_finder *finder, const struct probe_definition *def,
                      const struct probe_search *search, struct probe_spots *spots,
                      struct error *err)
{
	int ret = 0;

	if (def->place.is_absolute) {
		spots__add(spots, def->place.address, NULL, 0);
		return 0;
	}
#ifdef HAVE_LIBDW
	if (finder->has_dwarf) {
		finder__look_for_unread(finder, def->place.function, def->place.file);
		ret = find_in_dwarf(finder, def, search, spots, err);
	}
#endif
	if (!ret && !spots->nr && def->place.function && !def->place.has_line && !def->place.lazy &&
	    !def->place.file)
		ret = find_symbols(finder, def, spots, err);
	if (!ret && !spots->nr && def->place.function && !def->place.has_line && !def->place.lazy)
		ret = find_plt(finder, def, spots, err);
	if (!ret && spots->nr > search->max) {
		ret = error__set(err, -E2BIG, "too many places for", def->text,
		                 "more than %u match", search->max);
		error__advise(err, "--max-probes allows more");
	}
	if (!ret && !spots->nr)
		ret = not_found(finder, def, search, err);
	return ret;
}

/* The function that @addr, given as a number, lies in, by the symbols; NULL: none is known. */
/*
 * What was given in bytes may be inside an instruction of the program. (Lines are not, and the
 * kernel looks at its own code itself.)
 */
static int check_borders(struct probe_finder *finder, const struct probe_definition *def,
                         const struct probe_spots *spots, struct error *err)
{
	if (finder->target->is_kernel || !(def->place.has_offset || def->place.is_absolute))
		return 0;
	for (u32 i = 0; i < spots->nr; i++) {
		const struct probe_spot *spot = &spots->spots[i];
		const struct probe_symbol *around =
		        def->place.is_absolute ? probe_target__code_at(finder->target, spot->addr)
		                               : NULL;
		const char *name = around ? around->name : spot->function;
		u64 entry = around ? around->addr : spot->entry, before, after;

		if (!probe_target__is_code(finder->target, spot->addr))
			return error__set(err, -ENOENT, "cannot probe", def->text,
			                  "0x%llx is no address of code in '%s'",
			                  (unsigned long long)spot->addr, finder->target->path);

		if (!entry || !name ||
		    !insn_border__is_inside(&finder->target->elf,
		                            probe_target__offset(finder->target, entry), entry,
		                            spot->addr, &before, &after))
			continue;
		error__set(err, -EINVAL, "cannot probe", def->text,
		           "it is inside an instruction, where a probe would damage the program");
		char *text = place_text__of_name(name);

		error__advise(err, "use %s+%llu or %s+%llu, where instructions start", text,
		              (unsigned long long)(before - entry), text,
		              (unsigned long long)(after - entry));
		free(text);
		return -EINVAL;
	}
	return 0;
}

/* "strlen@plt" without the backslash: a function in the file "plt". */
static void advise_plt(const struct probe_definition *def, struct error *err)
{
	if (def->place.function && def->place.file && !strcmp(def->place.file, "plt"))
		error__advise(err, "an entry of the PLT is written with a backslash: '%s\\@plt'",
		              def->place.function);
}

/* "C::operator int": C++ has no function "operator" and an argument. */
static void advise_operator(const struct probe_definition *def, struct error *err)
{
	const char *name = def->place.function;

	if (name && !strcmp(place_text__last(name), "operator") && def->nr_args)
		error__advise(err, "a blank in a name is written with a backslash: '%s\\ %s'", name,
		              def->args[0].text);
}

int probe_finder__find(struct probe_finder *finder, const struct probe_definition *def,
                       const struct probe_search *search, struct probe_spots *spots,
                       struct error *err)
{
	bool wants_dwarf = probe_definition__wants_dwarf(def);

	*spots = (struct probe_spots){ .nr = 0 };
	int ret = wants_dwarf && !finder->has_dwarf ? finder__no_dwarf(finder, err)
	                                            : find_spots(finder, def, search, spots, err);

	if (ret) {
		advise_plt(def, err);
		advise_operator(def, err);
	}
	if (!ret)
		ret = check_borders(finder, def, spots, err);
	if (ret)
		return ret;
#ifdef HAVE_LIBDW
	if (finder->has_dwarf)
		return finder__fetch(finder, def, spots, err);
#endif
	take_kernel_args(def, spots);
	return 0;
}
