// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nothing is decoded: of bytes that look like a call only those count that lead to the start of a
 * function or into the PLT. What looks like an indirect call may lead anywhere. A function that
 * is called and jumps on to another is as good as that one.
 */
#include "util/unwind/calls.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/symtab/elf_symbols.h"
#include "util/unwind/dso_code.h"

#ifndef STT_GNU_IFUNC
#define STT_GNU_IFUNC 10
#endif

#define CALL_SIZE 5 /* e8 and the distance */

#define FUNCTION_NOT_KNOWN (ID_NONE - 1)

struct target {
	u64 addr;
	const char *name; /* "NAME@plt" of an entry of the PLT; else NULL */
};

/* What a function calls. */
struct function {
	u32 dso;
	const struct cfi *cfi; /* of the object */
	u64 start;
	bool anything; /* or nobody knows */
	struct target *targets;
	u32 nr;
	size_t cap;
};

struct exported {
	const char *name;
	u64 start, end;
	bool indirect; /* chosen when the program starts */
};

/* What is asked of each object once. */
struct object {
	struct symtab plt;        /* its entries, and the memory of all names */
	struct exported *exports; /* by name */
	u32 nr_exports;
};

struct calls {
	struct unwind_tables *tables;
	struct code_file callers, others;
	struct u64map called_at;   /* hash of dso and address behind the call -> functions */
	struct u64map function_at; /* hash of dso and start -> functions */
	struct function *functions;
	u32 nr_functions;
	size_t cap_functions;
	struct u64map object_of; /* dso -> objects */
	struct object *objects;
	u32 nr_objects;
	size_t cap_objects;
};

struct calls *calls__new(const struct dsos *dsos, const struct symbol_config *config,
                         struct unwind_tables *tables)
{
	struct calls *calls = xcalloc(1, sizeof(*calls));

	calls->tables = tables;
	code_file__init(&calls->callers, dsos, config);
	code_file__init(&calls->others, dsos, config);
	return calls;
}

void calls__delete(struct calls *calls)
{
	if (!calls)
		return;
	for (u32 i = 0; i < calls->nr_functions; i++)
		free(calls->functions[i].targets);
	for (u32 i = 0; i < calls->nr_objects; i++) {
		symtab__exit(&calls->objects[i].plt);
		free(calls->objects[i].exports);
	}
	code_file__exit(&calls->callers);
	code_file__exit(&calls->others);
	u64map__exit(&calls->called_at);
	u64map__exit(&calls->function_at);
	u64map__exit(&calls->object_of);
	free(calls->functions);
	free(calls->objects);
	free(calls);
}

/* ---- objects ---- */

static int compare_exports(const void *a, const void *b)
{
	const struct exported *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void add_exports(struct object *object, struct elf_file *elf)
{
	struct elf_section *section = elf_file__section_of_type(elf, SHT_DYNSYM);
	Elf_Data *entries = section ? elf_file__data(elf, section) : NULL;
	size_t cap = 0;
	GElf_Sym s;

	if (!entries || entries->d_type != ELF_T_SYM)
		return;
	u64 nr = entries->d_size / gelf_fsize(elf->handle, ELF_T_SYM, 1, EV_CURRENT);

	for (u64 i = 0; i < min_u64(nr, INT32_MAX); i++) {
		if (!elf_file__symbol(elf, entries, NULL, i, &s))
			continue;
		const char *name = elf_strptr(elf->handle, section->header.sh_link, s.st_name);

		if (!name || !*name)
			continue;
		array__reserve(&object->exports, &cap, object->nr_exports + 1,
		               sizeof(*object->exports));
		object->exports[object->nr_exports++] = (struct exported){
			.name = arena__strndup(&object->plt.arena, name, strlen(name)),
			.start = s.st_value,
			.end = s.st_value + s.st_size,
			.indirect = GELF_ST_TYPE(s.st_info) == STT_GNU_IFUNC,
		};
	}
	if (object->nr_exports)
		qsort(object->exports, object->nr_exports, sizeof(*object->exports),
		      compare_exports);
}

/* @elf is that of @dso. Valid until the next call. */
static const struct object *object_of(struct calls *calls, u32 dso, struct elf_file *elf)
{
	u32 *index = u64map__at(&calls->object_of, dso);

	if (*index != ID_NONE)
		return &calls->objects[*index];
	*index = calls->nr_objects;
	array__reserve(&calls->objects, &calls->cap_objects, calls->nr_objects + 1,
	               sizeof(*calls->objects));
	struct object *object = &calls->objects[calls->nr_objects++];

	*object = (struct object){ .nr_exports = 0 };
	elf_symbols__add_plt(&object->plt, elf);
	symtab__fixup(&object->plt);
	add_exports(object, elf);
	return object;
}

static const char *name_in_plt(const struct object *object, u64 addr)
{
	const struct symbol *symbols = object->plt.symbols;
	u32 low = 0, high = object->plt.nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (symbols[mid].start < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < object->plt.nr && symbols[low].start == addr ? symbols[low].name : NULL;
}

/* The first export whose name does not come before the @len bytes at @name. */
static u32 first_export(const struct object *object, const char *name, size_t len)
{
	u32 low = 0, high = object->nr_exports;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (strncmp(object->exports[mid].name, name, len) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* ---- functions ---- */

static void add_target(struct function *function, u64 addr, const char *name)
{
	array__reserve(&function->targets, &function->cap, function->nr + 1,
	               sizeof(*function->targets));
	function->targets[function->nr++] = (struct target){ addr, name };
}

static void find_targets(struct function *function, const struct dso_code *code,
                         const struct cfi *cfi, const struct object *object)
{
	function->anything = !code->len;
	for (size_t i = 0; i + 1 < code->len; i++) {
		/* call *... */
		function->anything |= code->bytes[i] == 0xff && (code->bytes[i + 1] & 0x38) == 0x10;
		if (code->bytes[i] != 0xe8 || i + CALL_SIZE > code->len)
			continue;
		u64 addr = dso_code__relative(code, i + 1);
		const struct cfi_entry *entry = cfi__entry(cfi, addr);
		const char *name = name_in_plt(object, addr);

		if (name || (entry && entry->start == addr))
			add_target(function, addr, name);
		else if (entry && addr - code->vaddr >= code->len)
			function->anything = true; /* the PLT has an entry, but no names */
	}
}

/* The index of the function at @entry, in the object open as calls->callers. */
static u32 function_at(struct calls *calls, u32 dso, struct elf_file *elf, const struct cfi *cfi,
                       const struct cfi_entry *entry)
{
	u32 *index = u64map__at(&calls->function_at, hash__add(entry->start, dso));
	struct dso_code code;

	if (*index != ID_NONE)
		return *index;
	*index = calls->nr_functions;
	array__reserve(&calls->functions, &calls->cap_functions, calls->nr_functions + 1,
	               sizeof(*calls->functions));
	struct function *function = &calls->functions[calls->nr_functions++];

	*function = (struct function){ .dso = dso, .cfi = cfi, .start = entry->start };
	dso_code__read(&code, elf, entry->start, entry->end);
	find_targets(function, &code, cfi, object_of(calls, dso, elf));
	dso_code__exit(&code);
	return *index;
}

/* The function that the call in front of @back leads to, in the same object. */
static u32 find_called(struct calls *calls, const struct code_place *back)
{
	struct elf_file *elf = code_file__elf(&calls->callers, back->dso);
	const struct cfi_entry *called = NULL;
	const struct cfi *cfi;
	struct dso_code code;
	u64 vaddr;

	if (!elf || elf->machine != EM_X86_64 ||
	    unwind_tables__vaddr(calls->tables, back->dso, back->addr, EM_X86_64, &vaddr) ||
	    !unwind_tables__eh_entry(calls->tables, back->dso, back->addr - 1, EM_X86_64, &cfi))
		return FUNCTION_NOT_KNOWN;
	dso_code__read(&code, elf, vaddr - CALL_SIZE, vaddr);
	if (code.len && code.bytes[0] == 0xe8) {
		u64 addr = dso_code__relative(&code, 1);

		called = cfi__entry(cfi, addr);
		if (called && called->start != addr)
			called = NULL;
	}
	dso_code__exit(&code);
	return called ? function_at(calls, back->dso, elf, cfi, called) : FUNCTION_NOT_KNOWN;
}

/* The same, found once. NULL: not known. Valid until the next call. */
static const struct function *called_at(struct calls *calls, const struct code_place *back)
{
	u32 *index = u64map__at(&calls->called_at, hash__add(back->addr, back->dso));

	if (*index == ID_NONE)
		*index = find_called(calls, back);
	return *index == FUNCTION_NOT_KNOWN ? NULL : &calls->functions[*index];
}

/* ---- who is called ---- */

/* The place that is asked about: its function. */
struct callee {
	u32 dso;
	const struct cfi_entry *function;
};

static bool is_in(const struct callee *callee, u64 vaddr)
{
	return vaddr >= callee->function->start && vaddr < callee->function->end;
}

/* Can the code from @from to @to, of the callee's object, jump to the callee? */
static bool jumps_to(struct calls *calls, const struct callee *callee, u64 from, u64 to)
{
	struct elf_file *elf = code_file__elf(&calls->others, callee->dso);
	struct dso_code code;
	bool found = false;

	if (!elf)
		return true;
	dso_code__read(&code, elf, from, to);
	for (size_t i = 0; i + CALL_SIZE <= code.len && !found; i++)
		found = (code.bytes[i] == 0xe9 ||
		         (i && code.bytes[i - 1] == 0x0f && (code.bytes[i] & 0xf0) == 0x80)) &&
		        is_in(callee, dso_code__relative(&code, i + 1));
	dso_code__exit(&code);
	return found;
}

/* Can a call through the PLT of what is called @name lead to the callee? */
static bool name_may_be(struct calls *calls, const struct callee *callee, const char *name)
{
	struct elf_file *elf = code_file__elf(&calls->others, callee->dso);
	size_t len = strcspn(name, "@");

	if (!elf || name[0] == '*')
		return true; /* chosen when the program starts */
	const struct object *object = object_of(calls, callee->dso, elf);

	for (u32 i = first_export(object, name, len); i < object->nr_exports; i++) {
		const struct exported *e = &object->exports[i];

		if (strncmp(e->name, name, len) || e->name[len])
			return false; /* those of one name, of several versions, come first */
		if (e->indirect || is_in(callee, e->start) ||
		    jumps_to(calls, callee, e->start, e->end))
			return true;
	}
	return false;
}

static bool target_may_be(struct calls *calls, const struct callee *callee,
                          const struct function *caller, const struct target *target)
{
	if (target->name)
		return name_may_be(calls, callee, target->name);
	if (caller->dso != callee->dso)
		return false;
	const struct cfi_entry *entry = cfi__entry(caller->cfi, target->addr);

	return is_in(callee, target->addr) || jumps_to(calls, callee, entry->start, entry->end);
}

bool calls__are_missing(struct calls *calls, const struct code_place *back,
                        const struct code_place *place)
{
	const struct function *called = called_at(calls, back);
	struct callee callee = { .dso = place->dso };
	const struct cfi *cfi;

	if (!called || called->anything)
		return false;
	callee.function =
	        unwind_tables__eh_entry(calls->tables, place->dso, place->addr, EM_X86_64, &cfi);
	if (!callee.function || (back->dso == place->dso && is_in(&callee, called->start)))
		return false;
	bool may_be = false;

	for (u32 i = 0; i < called->nr && !may_be; i++)
		may_be = target_may_be(calls, &callee, called, &called->targets[i]);
	return !may_be;
}
