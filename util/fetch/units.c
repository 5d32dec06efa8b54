// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef HAVE_LIBDW
#include "util/fetch/units.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/line_headers.h"
#include "util/dwarf/string_places.h"
#include "util/fetch/function_table.h"
#include "util/fetch/globals.h"
#include "util/fetch/place_text.h"
#include "util/lib/alloc.h"

/* Of a unit that many addresses were looked up in. */
struct unit_by_address {
	struct function_table *table; /* NULL: not made yet, or not possible */
	u32 nr_asked;
};

#define ASKED_OFTEN 2 /* up to here a walk that ends at the function is the cheaper way */

static void add_units(struct units *units, Dwarf *dwarf, bool is_alternate)
{
	Dwarf_Off at = 0, next, abbreviations;
	size_t header;
	uint8_t address_size, offset_size;
	Dwarf_Half version;

	while (!dwarf_next_unit(dwarf, at, &next, &header, &version, &abbreviations, &address_size,
	                        &offset_size, NULL, NULL)) {
		struct unit unit = { .has_code = false };

		if (next <= at)
			break;
		if (dwarf_offdie(dwarf, at + header, &unit.die)) {
			unit.has_code =
			        dwarf_files__code_of_unit(units->files, &unit.die, &unit.code);
			array__reserve(&units->units, &units->cap, units->nr + 1, sizeof(unit));
			array__reserve(&units->starts, &units->cap_starts, units->nr + 1,
			               sizeof(*units->starts));
			units->starts[units->nr] = is_alternate ? UINT64_MAX : at;
			unit.by_address = xcalloc(1, sizeof(*unit.by_address));
			units->units[units->nr++] = unit;
		}
		at = next;
	}
}

bool units__open(struct units *units, const char *path, const char *program, u64 module_start)
{
	*units = (struct units){ .files = dwarf_files__open_whole(path, module_start) };
	if (!units->files)
		return false;
	units->files->program = program;
	add_units(units, units->files->dwarf, false);
	/* dwz -m: inlined functions that several programs have are there only. */
	if (units->files->alternate_dwarf)
		add_units(units, units->files->alternate_dwarf, true);
	return true;
}

void units__close(struct units *units)
{
	dwarf_files__close(units->files);
	for (u32 i = 0; i < units->nr; i++) {
		function_table__delete(units->units[i].by_address->table);
		free(units->units[i].by_address);
	}
	free(units->units);
	free(units->starts);
	*units = (struct units){ .nr = 0 };
}

static bool unit_covers(struct unit *unit, u64 addr)
{
	return unit->has_code && dwarf_haspc(&unit->die, addr) == 1;
}

struct unit *units__at(struct units *units, u64 addr)
{
	if (units->last < units->nr && unit_covers(&units->units[units->last], addr))
		return &units->units[units->last];
	for (u32 i = 0; i < units->nr; i++) {
		if (!unit_covers(&units->units[i], addr))
			continue;
		units->last = i;
		return &units->units[i];
	}
	return NULL;
}

bool units__stand_alone(struct units *units)
{
	if (!units->stand_alone_known)
		units->stand_alone =
		        !units->files->alternate_dwarf && units_stand_alone(&units->files->elf);
	units->stand_alone_known = true;
	return units->stand_alone;
}

u8 *units__with_name(struct units *units, const char *name)
{
	/* Names with namespaces are compared with what the linkage name means. */
	if (strpbrk(name, "*?[\\:<(") || !units__stand_alone(units))
		return NULL;
	u8 *marks = xcalloc(units->nr + 1, 1);

	if (string_places__mark_units(&units->files->elf, name, units->starts, units->nr, marks))
		return marks;
	free(marks);
	return NULL;
}

u8 *units__with_file(const struct units *units, const char *name)
{
	struct line_headers headers;

	if (!line_headers__init(&headers, &units->files->elf))
		return NULL;
	u8 *marks = xcalloc(units->nr + 1, 1);

	for (u32 i = 0; i < units->nr; i++) {
		u64 table;

		marks[i] = units->starts[i] == UINT64_MAX /* of another file */ ||
		           !die__number(&units->units[i].die, DW_AT_stmt_list, &table) ||
		           line_headers__may_name(&headers, table, name);
	}
	return marks;
}

struct unit *units__unread_at(struct units *units, u64 addr)
{
	struct unit *unit;

	for (u32 i = 0; (unit = units__next_unread(units, &i));)
		if (dwarf_haspc(&unit->die, addr) == 1)
			return unit;
	return NULL;
}

struct unit *units__next_unread(struct units *units, u32 *i)
{
	while (*i < units->nr) {
		struct unit *unit = &units->units[(*i)++];

		if (!unit->has_code && dwarf_files__split_name(units->files, &unit->die))
			return unit;
	}
	return NULL;
}

bool die__child(Dwarf_Die *parent, Dwarf_Die *child)
{
	return !dwarf_child(parent, child) && dwarf_dieoffset(child) > dwarf_dieoffset(parent);
}

bool die__next(Dwarf_Die *die)
{
	Dwarf_Off at = dwarf_dieoffset(die);

	return !dwarf_siblingof(die, die) && dwarf_dieoffset(die) > at;
}

/* ---- attributes ---- */

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) ? dwarf_files__checked_string(&attr) : NULL;
}

const char *die__name(Dwarf_Die *die)
{
	return text_of(die, DW_AT_name);
}

bool die__has_name(Dwarf_Die *die, const char *name)
{
	const char *own = die__name(die);

	return own && !strcmp(own, name);
}

const char *die__linkage_name(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	return name ? name : text_of(die, DW_AT_MIPS_linkage_name);
}

bool die__entry(Dwarf_Die *die, u64 *entry)
{
	Dwarf_Addr addr, base, end;

	/* Of several ranges without an entry the first counts. */
	if (dwarf_entrypc(die, &addr) && dwarf_ranges(die, 0, &base, &addr, &end) <= 0)
		return false;
	*entry = addr;
	return true;
}

bool die__has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

u32 die__decl_line(Dwarf_Die *die)
{
	int line;

	return dwarf_decl_line(die, &line) || line < 0 ? 0 : line;
}

bool die__number(Dwarf_Die *die, unsigned name, u64 *number)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value))
		return false;
	*number = value;
	return true;
}

/*
 * The file whose number in the unit of @attr it holds. dwarf_decl_file() takes 0 for none, which in
 * DWARF 5 is the unit's own file.
 */
static const char *file_of(Dwarf_Attribute *attr)
{
	Dwarf_Die unit;
	Dwarf_Files *files;
	Dwarf_Half version;
	Dwarf_Word index;
	size_t nr;

	if (dwarf_formudata(attr, &index) ||
	    !dwarf_cu_die(attr->cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) ||
	    (!index && version < 5))
		return NULL;
	if (dwarf_getsrcfiles(&unit, &files, &nr) || index >= nr)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

bool function__may_be_inlined(Dwarf_Die *die)
{
	return !die__has_code(die) && !dwarf_hasattr(die, DW_AT_declaration);
}

const char *die__decl_file(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_decl_file, &attr) ? file_of(&attr) : NULL;
}

const char *die__call_file(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_call_file, &attr) ? file_of(&attr) : NULL;
}

u32 die__call_line(Dwarf_Die *die)
{
	u64 line;

	return die__number(die, DW_AT_call_line, &line) ? line : 0;
}

char *unit__full_path(const struct unit *unit, const char *path)
{
	Dwarf_Die die = unit->die;
	const char *folder = *path == '/' ? NULL : text_of(&die, DW_AT_comp_dir);

	return folder ? xasprintf("%s/%s", folder, path) : xstrdup(path);
}

char *die__decl_path(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	struct unit unit = { .has_code = false };
	const char *path =
	        dwarf_attr_integrate(die, DW_AT_decl_file, &attr) ? file_of(&attr) : NULL;

	if (!path || !dwarf_cu_die(attr.cu, &unit.die, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	return unit__full_path(&unit, path);
}

/* ---- source files ---- */

/* "/a/c.h" for "/a/b/../c.h", in place. */
static void remove_dots(char *path)
{
	char *to = path;

	for (char *from = path; *from;) {
		size_t len = strcspn(from + 1, "/") + 1;

		if (len == 3 && !strncmp(from, "/..", 3)) {
			while (to > path && *--to != '/')
				;
		} else if (len > 2 || (len == 2 && from[1] != '.')) {
			memmove(to, from, len);
			to += len;
		}
		from += len;
	}
	*to = '\0';
}

void source_file__init(struct source_file *file, char *path)
{
	*file = (struct source_file){ .place = path };
	if (*path == '/')
		remove_dots(path);
}

void source_file__exit(struct source_file *file)
{
	free(file->place);
}

bool source_file__is(struct source_file *file, const struct unit *unit, const char *path)
{
	if (path == file->last)
		return file->last_is;
	char *place = unit__full_path(unit, path);

	if (*place == '/')
		remove_dots(place);
	file->last = path;
	file->last_is = !strcmp(place, file->place);
	free(place);
	return file->last_is;
}

bool unit__source_sum(const struct units *units, const struct unit *unit, struct source_file *file,
                      u8 *sum)
{
	Dwarf_Die die = unit->die;
	bool is_alternate = dwarf_cu_getdwarf(die.cu) == units->files->alternate_dwarf;
	struct elf_file *elf = is_alternate ? &units->files->alternate : &units->files->elf;
	struct line_headers headers;
	Dwarf_Files *files;
	u64 offset;
	size_t nr;

	if (!line_headers__init(&headers, elf) || !die__number(&die, DW_AT_stmt_list, &offset) ||
	    dwarf_getsrcfiles(&die, &files, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (path && source_file__is(file, unit, path) &&
		    line_headers__sum(&headers, offset, i, sum))
			return true;
	}
	return false;
}

/* ---- functions ---- */

typedef bool die_fn(void *ctx, Dwarf_Die *die);

static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_module;
}

struct walk {
	int tag;
	die_fn *fn;
	void *ctx;
	bool is_flat;
	bool is_deep;   /* into functions, too, where gcc puts lambdas and nested functions */
	Dwarf_Off last; /* how far the walk has come; what overlaps is not walked again */
};

/* Static members of classes are members or variables, as compilers like. */
static bool wants(const struct walk *walk, int tag, Dwarf_Die *die)
{
	return tag == walk->tag || (tag == DW_TAG_member && walk->tag == DW_TAG_variable &&
	                            dwarf_hasattr(die, DW_AT_external));
}

static bool each_below(struct walk *walk, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || !die__child(parent, &die))
		return false;
	do {
		int at = dwarf_tag(&die);

		if (dwarf_dieoffset(&die) <= walk->last)
			break;
		walk->last = dwarf_dieoffset(&die);
		bool wanted = wants(walk, at, &die);
		bool inner = walk->is_deep && (wanted || at == DW_TAG_lexical_block);

		if ((wanted && walk->fn(walk->ctx, &die)) ||
		    ((inner || (!wanted && !walk->is_flat && holds_functions(at))) &&
		     each_below(walk, &die, depth + 1)))
			return true;
	} while (die__next(&die));
	return false;
}

static bool each_of(const struct unit *unit, int tag, die_fn *fn, void *ctx)
{
	Dwarf_Die code = unit->code;
	/* (Asked for here: of units that nobody walks over it would cost as much as all the rest.)
	 */
	struct walk walk = { .tag = tag,
		             .fn = fn,
		             .ctx = ctx,
		             .is_flat = unit->has_code && dwarf_files__is_c(&code) };

	return unit->has_code && each_below(&walk, &code, 0);
}

bool unit__each_function(const struct unit *unit, die_fn *fn, void *ctx)
{
	return each_of(unit, DW_TAG_subprogram, fn, ctx);
}

bool unit__each_function_deep(const struct unit *unit, die_fn *fn, void *ctx)
{
	Dwarf_Die code = unit->code;
	struct walk walk = { .tag = DW_TAG_subprogram, .fn = fn, .ctx = ctx, .is_deep = true };

	return unit->has_code && each_below(&walk, &code, 0);
}

bool unit__each_global(const struct unit *unit, die_fn *fn, void *ctx)
{
	return each_of(unit, DW_TAG_variable, fn, ctx);
}

bool unit__each_using(const struct unit *unit, die_fn *fn, void *ctx)
{
	Dwarf_Die code = unit->code;

	return unit->has_code && !dwarf_files__is_c(&code) &&
	       each_of(unit, DW_TAG_imported_declaration, fn, ctx);
}

struct copies {
	const void *origin; /* where its DIE lies: offsets of two files may be the same */
	Dwarf_Off last;
	void (*fn)(void *ctx, Dwarf_Die *die);
	void *ctx;
	bool calls_only;
};

static bool is_copy(Dwarf_Die *die, const void *origin)
{
	Dwarf_Attribute attr;
	Dwarf_Die of;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &of) &&
	       of.addr == origin;
}

bool die__is_copy_of(Dwarf_Die *die, const Dwarf_Die *origin)
{
	return is_copy(die, origin->addr);
}

/*
 * gcc splits functions and inlines a part back, as a copy that the function's own line calls. So
 * does a call of itself in a function of one line, but in another column.
 */
static bool is_own_part(Dwarf_Die *die)
{
	const char *file = die__call_file(die), *decl = die__decl_file(die);
	u64 call_column, decl_column;
	Dwarf_Attribute attr;

	if (!file || !decl || strcmp(file, decl) != 0 || die__call_line(die) != die__decl_line(die))
		return false;
	return !die__number(die, DW_AT_call_column, &call_column) ||
	       !dwarf_attr_integrate(die, DW_AT_decl_column, &attr) ||
	       dwarf_formudata(&attr, &decl_column) || call_column == decl_column;
}

/* @inside: of a function that is, or is a copy of, the wanted one. */
static void copies_below(struct copies *copies, Dwarf_Die *parent, u32 depth, bool inside)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || !die__child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (dwarf_dieoffset(&die) <= copies->last)
			break;
		copies->last = dwarf_dieoffset(&die);
		bool is_block = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
		bool code = tag == DW_TAG_inlined_subroutine ||
		            (tag == DW_TAG_subprogram && die__has_code(&die));
		bool of_it = code && is_copy(&die, copies->origin);

		if (of_it && tag == DW_TAG_inlined_subroutine &&
		    !(copies->calls_only && inside && is_own_part(&die)))
			copies->fn(copies->ctx, &die);
		if (is_block || code || holds_functions(tag))
			copies_below(copies, &die, depth + 1, (inside && is_block) || of_it);
	} while (die__next(&die));
}

static void each_copy(const struct unit *unit, struct copies *copies)
{
	Dwarf_Die code = unit->code;

	if (unit->has_code)
		copies_below(copies, &code, 0, false);
}

void unit__each_copy(const struct unit *unit, Dwarf_Die *origin,
                     void (*fn)(void *ctx, Dwarf_Die *die), void *ctx)
{
	struct copies copies = { .origin = origin->addr, .fn = fn, .ctx = ctx };

	each_copy(unit, &copies);
}

void unit__each_call(const struct unit *unit, Dwarf_Die *origin,
                     void (*fn)(void *ctx, Dwarf_Die *die), void *ctx)
{
	struct copies copies = { .origin = origin->addr, .fn = fn, .ctx = ctx, .calls_only = true };

	each_copy(unit, &copies);
}

struct at_address {
	u64 addr;
	Dwarf_Die *found;
};

static bool covers(void *ctx, Dwarf_Die *die)
{
	struct at_address *at = ctx;

	if (!die__has_code(die) || dwarf_haspc(die, at->addr) != 1)
		return false;
	*at->found = *die;
	return true;
}

bool unit__inner_function(const struct unit *unit, u64 addr, Dwarf_Die *function)
{
	Dwarf_Die scopes[DEPTH_MAX];
	u64 entry;

	if (!unit__function_at(unit, addr, function))
		return false;
	u32 nr = function__scopes(function, addr, scopes);

	for (u32 i = 1; i < nr; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		if (die__entry(&scopes[i], &entry) && entry == addr)
			break; /* it is called there */
		*function = scopes[i];
	}
	return true;
}

static bool add_to_table(void *ctx, Dwarf_Die *die)
{
	struct unit_by_address *by_address = ctx;

	if (!die__has_code(die) || function_table__add(by_address->table, die))
		return false;
	function_table__delete(by_address->table);
	by_address->table = NULL;
	return true;
}

/* NULL: it is not worth while, or not possible. */
static const struct function_table *table_of(const struct unit *unit)
{
	struct unit_by_address *by_address = unit->by_address;

	if (by_address->nr_asked <= ASKED_OFTEN && ++by_address->nr_asked > ASKED_OFTEN) {
		by_address->table = function_table__new();
		if (!unit__each_function(unit, add_to_table, by_address))
			unit__each_function_deep(unit, add_to_table, by_address);
		if (by_address->table)
			function_table__sort(by_address->table);
	}
	return by_address->table;
}

bool unit__function_at(const struct unit *unit, u64 addr, Dwarf_Die *function)
{
	struct at_address at = { addr, function };
	const struct function_table *table = table_of(unit);

	if (table)
		return function_table__at(table, addr, function);
	return unit__each_function(unit, covers, &at) ||
	       (dwarf_haspc((Dwarf_Die *)&unit->die, addr) == 1 &&
	        unit__each_function_deep(unit, covers, &at));
}

static bool is_scope(Dwarf_Die *die, u64 addr)
{
	int tag = dwarf_tag(die);
	u64 entry;

	if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine)
		return false;
	/* gcc's entries of inlined copies are at times outside of their ranges. */
	return dwarf_haspc(die, addr) == 1 ||
	       (tag == DW_TAG_inlined_subroutine && die__entry(die, &entry) && entry == addr);
}

u32 function__scopes(Dwarf_Die *function, u64 addr, Dwarf_Die *scopes)
{
	u32 nr = 1;

	scopes[0] = *function;
	while (nr < DEPTH_MAX) {
		Dwarf_Die die;

		if (!die__child(&scopes[nr - 1], &die))
			break;
		while (!is_scope(&die, addr))
			if (!die__next(&die))
				return nr;
		scopes[nr++] = die;
	}
	return nr;
}

/* "ns::Class::method", "f<long>", "f(int)": compare the readable linkage name. */
static bool is_called_readably(Dwarf_Die *die, const char *name)
{
	bool wants = strstr(name, "::") || strpbrk(name, "<(");
	const char *mangled = wants ? die__linkage_name(die) : NULL;

	return mangled ? place_text__fits_symbol(name, mangled)
	               : wants && function__is_in_scope(die, name);
}

bool function__is_called(Dwarf_Die *die, const char *name)
{
	const char *own = die__name(die);

	if (!own)
		return false;
	if (place_text__fits(name, own) || is_called_readably(die, name))
		return true;
	const char *linkage = *name == '_' ? die__linkage_name(die) : NULL;

	return linkage && place_text__fits(name, linkage);
}

/* ---- lines ---- */

static bool read_line(Dwarf_Line *row, struct line_at *line)
{
	Dwarf_Addr addr;
	int number;

	*line = (struct line_at){ .file = dwarf_linesrc(row, NULL, NULL) };
	if (!line->file || dwarf_lineaddr(row, &addr) || dwarf_lineno(row, &number) || number < 0 ||
	    dwarf_linebeginstatement(row, &line->is_statement) ||
	    dwarf_lineendsequence(row, &line->is_end))
		return false;
	line->addr = addr;
	line->line = number;
	return true;
}

void unit__each_line(const struct unit *unit, void (*fn)(void *ctx, const struct line_at *line),
                     void *ctx)
{
	Dwarf_Die die = unit->die;
	Dwarf_Lines *lines;
	struct line_at line;
	size_t nr;

	if (dwarf_getsrclines(&die, &lines, &nr))
		return;
	for (size_t i = 0; i < nr; i++)
		if (read_line(dwarf_onesrcline(lines, i), &line))
			fn(ctx, &line);
}

/* The first row at or behind @addr. */
static size_t first_at(Dwarf_Lines *lines, size_t nr, u64 addr)
{
	size_t from = 0, to = nr;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		Dwarf_Addr at;

		if (!dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at) && at < addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

bool unit__line_at(const struct unit *unit, u64 addr, struct line_at *line)
{
	Dwarf_Die die = unit->die, function;
	Dwarf_Lines *lines;
	size_t nr;
	u64 entry;

	if (unit__function_at(unit, addr, &function) && die__entry(&function, &entry) &&
	    entry == addr && die__decl_file(&function)) {
		*line = (struct line_at){ .addr = addr,
			                  .file = die__decl_file(&function),
			                  .line = die__decl_line(&function),
			                  .is_statement = true };
		return true;
	}
	if (dwarf_getsrclines(&die, &lines, &nr))
		return false;
	for (size_t i = first_at(lines, nr, addr); i < nr; i++) {
		if (!read_line(dwarf_onesrcline(lines, i), line))
			continue;
		if (line->addr != addr)
			break;
		if (line->is_statement && !line->is_end)
			return true;
	}
	return false;
}
#else
extern int no_units;
#endif
