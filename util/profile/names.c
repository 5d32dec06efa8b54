// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/names.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/profile/idtable.h"

/* How to find and add. */
struct naming {
	struct names *names;
	struct idtable index; /* of syms */
	size_t cap_syms, cap_dso_names, cap_locs, cap_like;
	struct u64map dso_name_of;   /* by strtab id of the name */
	struct u64map first_inlined; /* by text: the first sym of that function */
};

static u32 dso_name_of(struct naming *naming, u32 dso)
{
	struct names *names = naming->names;

	if (dso == ID_NONE)
		return 0;
	const struct dso *of = dsos__at(&names->session->dsos, dso);
	u32 text = names->flags & NAMES_WHOLE_DSOS ? of->name : of->short_name;
	u32 *id = u64map__at(&naming->dso_name_of, text);

	if (*id == ID_NONE) {
		*id = names->nr_dso_names++;
		array__reserve(&names->dso_names, &naming->cap_dso_names, names->nr_dso_names,
		               sizeof(*names->dso_names));
		names->dso_names[*id] = text;
	}
	return *id;
}

/* The symbol as in the file, for comparing without demangling; "" for the unnamed. */
static const char *raw_name(const struct names *names, const struct sym *sym)
{
	if (!sym__named(sym))
		return "";
	return session_symbols__symbol(names->symbols, sym->dso, sym->index)->name;
}

static bool sym_equal(const struct names *names, const struct sym *a, const struct sym *b)
{
	if (a->addr != b->addr || a->dso_name != b->dso_name || a->function != b->function ||
	    sym__named(a) != sym__named(b))
		return false;
	return (a->dso == b->dso && a->index == b->index) ||
	       !strcmp(raw_name(names, a), raw_name(names, b));
}

static u64 sym_hash(const struct sym *sym)
{
	return hash__add(sym->addr,
	                 ((u64)sym->function << 32 | sym->dso_name) << 1 | sym__named(sym));
}

static bool sym_hash_of(const void *ctx, u32 id, u64 *hash)
{
	*hash = sym_hash(&((const struct names *)ctx)->syms[id]);
	return true;
}

/* What is kept of equal syms must not depend on which location came first. */
static void keep_smallest(struct sym *known, const struct sym *sym)
{
	if (sym->cpumode < known->cpumode)
		known->cpumode = sym->cpumode;
	if (sym->dso < known->dso) {
		known->dso = sym->dso;
		known->index = sym->index;
	}
}

static u32 intern_sym(struct naming *naming, const struct sym *sym)
{
	struct names *names = naming->names;
	struct idtable *index = &naming->index;
	u64 hash = sym_hash(sym);
	u32 i, id;

	idtable__reserve(index, sym_hash_of, names);
	for (i = idtable__start(index, hash); !idtable__free(index, i);
	     i = idtable__next(index, i)) {
		id = idtable__id(index, i);
		if (!idtable__match(index, i, hash) || !sym_equal(names, &names->syms[id], sym))
			continue;
		keep_smallest(&names->syms[id], sym);
		return id;
	}
	id = names->nr_syms++;
	array__reserve(&names->syms, &naming->cap_syms, names->nr_syms, sizeof(*sym));
	names->syms[id] = *sym;
	idtable__add(index, i, hash, id);
	return id;
}

/* Variables name only what is an address of data. */
static u32 find_symbol(const struct names *names, const struct loc *loc, u64 *vaddr)
{
	if (loc->flags & LOC_DATA)
		return session_symbols__find(names->symbols, loc->dso, loc->addr, vaddr);
	return session_symbols__find_code(names->symbols, loc->dso, loc->addr, vaddr);
}

/* Is @dso among those whose addresses get names? */
static bool names_dso(const struct names *names, u32 dso)
{
	if (dso == ID_NONE)
		return false;
	enum dso_kind kind = dsos__at(&names->session->dsos, dso)->kind;

	return !(names->flags & NAMES_USER) || (kind != DSO_KERNEL && kind != DSO_MODULE);
}

static struct sym name_loc(struct naming *naming, const struct loc *loc, bool symbols)
{
	struct sym sym = {
		.addr = loc->addr,
		.vaddr = loc->addr,
		.dso = loc->dso,
		.index = ID_NONE,
		.dso_name = dso_name_of(naming, loc->dso),
		.cpumode = loc->cpumode,
	};

	if (!symbols) {
		sym.addr = sym.vaddr = 0;
		return sym;
	}
	if (!names_dso(naming->names, loc->dso))
		return sym;
	sym.index = find_symbol(naming->names, loc, &sym.vaddr);
	if (sym__named(&sym))
		sym.addr = sym.vaddr =
		        session_symbols__symbol(naming->names->symbols, loc->dso, sym.index)->start;
	return sym;
}

/*
 * Of long tables (the kernel's) only what is asked for is read and kept: tell it, dso by dso.
 * @counts: of locations, by dso.
 */
static void want_addresses(struct names *names, const struct profile *profile, const u32 *counts)
{
	const struct dsos *dsos = &names->session->dsos;
	u64 *addrs = xrealloc(NULL, profile->nr_locs, sizeof(*addrs));
	u32 *ends = xcalloc(dsos->nr, sizeof(*ends)), end = 0;

	for (u32 i = 0; i < dsos->nr; i++) {
		ends[i] = end; /* so far */
		end += counts[i];
	}
	for (u32 i = 0; i < profile->nr_locs; i++)
		if (profile->locs[i].dso != ID_NONE)
			addrs[ends[profile->locs[i].dso]++] = profile->locs[i].addr;
	for (u32 i = 0; i < dsos->nr; i++)
		if (counts[i] && dsos__at(dsos, i)->kind != DSO_MODULE)
			session_symbols__want(names->symbols, i, addrs + ends[i] - counts[i],
			                      counts[i]);
	free(addrs);
	free(ends);
}

/* All dsos that a location lies in, loaded in parallel. */
static void load_tables(struct names *names, const struct profile *profile, u32 from_loc,
                        unsigned workers)
{
	const struct dsos *dsos = &names->session->dsos;
	u32 *wanted = xcalloc(dsos->nr, sizeof(*wanted)), nr = 0;
	u32 *counts = xcalloc(dsos->nr, sizeof(*counts));

	for (u32 i = from_loc; i < profile->nr_locs; i++)
		if (profile->locs[i].dso != ID_NONE)
			counts[profile->locs[i].dso]++;
	for (u32 i = 0; i < dsos->nr; i++)
		if (counts[i] && names_dso(names, i))
			wanted[nr++] = i;
	/* Of a table that is a part no other address may be asked for. */
	if (!(names->flags & NAMES_GROW))
		want_addresses(names, profile, counts);
	session_symbols__load(names->symbols, wanted, nr, workers);
	free(wanted);
	free(counts);
}

static void name_locs(struct names *names, u32 from_loc)
{
	const struct profile *profile = names->profile;
	struct naming *naming = names->naming;
	bool symbols = names->flags & NAMES_SYMBOLS;

	array__reserve(&names->sym_of_loc, &naming->cap_locs, profile->nr_locs,
	               sizeof(*names->sym_of_loc));
	names->nr_locs = profile->nr_locs;
	for (u32 i = from_loc; i < profile->nr_locs; i++) {
		struct sym sym = name_loc(naming, &profile->locs[i], symbols);

		names->sym_of_loc[i] = intern_sym(naming, &sym);
	}
}

void names__load(struct names *names, const struct profile *profile, const struct session *session,
                 struct session_symbols *symbols, unsigned flags, unsigned workers)
{
	struct naming *naming = xcalloc(1, sizeof(*naming));

	*names = (struct names){
		.profile = profile,
		.session = session,
		.symbols = symbols,
		.flags = flags,
		.naming = naming,
	};
	naming->names = names;
	strtab__init(&names->functions);
	array__reserve(&names->dso_names, &naming->cap_dso_names, ++names->nr_dso_names,
	               sizeof(*names->dso_names));
	names->dso_names[0] = ID_NONE;
	if (flags & NAMES_SYMBOLS)
		load_tables(names, profile, 0, workers);
}

void names__find(struct names *names)
{
	name_locs(names, 0);
}

void names__init(struct names *names, const struct profile *profile, const struct session *session,
                 struct session_symbols *symbols, unsigned flags, unsigned workers)
{
	names__load(names, profile, session, symbols, flags, workers);
	names__find(names);
}

void names__extend(struct names *names, u32 from_loc)
{
	BUG_ON(!(names->flags & NAMES_GROW) || from_loc > names->profile->nr_locs);
	if (names->flags & NAMES_SYMBOLS)
		load_tables(names, names->profile, from_loc, 1);
	name_locs(names, from_loc);
}

void names__exit(struct names *names)
{
	u64map__exit(&names->naming->dso_name_of);
	u64map__exit(&names->naming->first_inlined);
	idtable__exit(&names->naming->index);
	free(names->naming);
	strtab__exit(&names->functions);
	free(names->syms);
	free(names->sym_of_loc);
	free(names->like);
	free(names->dso_names);
	*names = (struct names){ .nr_syms = 0 };
}

/* ---- inlined functions ---- */

u32 names__inlined(struct names *names, u32 sym, u32 function)
{
	struct sym inlined = names->syms[sym];

	if (!function ||
	    !strcmp(sym__name(names, &inlined), strtab__get(&names->functions, function)))
		return sym;
	inlined.function = function;
	u32 id = intern_sym(names->naming, &inlined);
	u32 *first = u64map__at(&names->naming->first_inlined, inlined.function);

	if (*first == ID_NONE)
		*first = id;
	names->syms[id].first = *first;
	return id;
}

u32 names__add_loc(struct names *names, u32 like, u32 sym)
{
	u32 id = names->nr_locs++, nr_added = names->nr_locs - names->profile->nr_locs;

	array__reserve(&names->sym_of_loc, &names->naming->cap_locs, names->nr_locs,
	               sizeof(*names->sym_of_loc));
	array__reserve(&names->like, &names->naming->cap_like, nr_added, sizeof(*names->like));
	names->sym_of_loc[id] = sym;
	names->like[nr_added - 1] = like;
	return id;
}

void names__drop_locs(struct names *names)
{
	names->nr_locs = names->profile->nr_locs;
}

const char *sym__name(const struct names *names, const struct sym *sym)
{
	if (sym__inlined(sym))
		return strtab__get(&names->functions, sym->function);
	return sym__named(sym) ? session_symbols__name(names->symbols, sym->dso, sym->index) : NULL;
}

bool *names__match(const struct names *names, const regex_t *functions)
{
	bool *matches = xcalloc(names->nr_syms, sizeof(*matches));

	for (u32 i = 0; i < names->nr_syms; i++) {
		const char *name = sym__name(names, &names->syms[i]);

		matches[i] = name && !regexec(functions, name, 0, NULL, 0);
	}
	return matches;
}

u64 names__offset(const struct names *names, u32 loc)
{
	const struct loc *at = &names->profile->locs[names__built_loc(names, loc)];
	const struct sym *sym = &names->syms[names->sym_of_loc[loc]];
	u64 vaddr;

	if (!sym__named(sym) || find_symbol(names, at, &vaddr) == ID_NONE)
		return 0;
	return vaddr - sym->addr;
}

void names__print_frame(const struct names *names, struct out *out, u32 loc, bool offset)
{
	const struct sym *sym = &names->syms[names->sym_of_loc[loc]];
	const char *name = sym__name(names, sym);
	u64 behind = offset ? names__offset(names, loc) : 0;

	if (!name) {
		out__str(out, sym->vaddr ? "0x" : "");
		out__hex(out, sym->vaddr, 0);
		return;
	}
	out__name(out, name);
	if (behind) {
		out__str(out, "+0x");
		out__hex(out, behind, 0);
	}
	out__str(out, sym__inlined(sym) ? INLINED_MARK : "");
}

const char *names__dso(const struct names *names, u32 dso_name)
{
	if (names->dso_names[dso_name] == ID_NONE)
		return "[unknown]";
	return strtab__get(&names->session->strings, names->dso_names[dso_name]);
}

int sym__compare(const struct names *names, const struct sym *a, const struct sym *b)
{
	int by_addr = (a->addr > b->addr) - (a->addr < b->addr);
	int ret = sym__named(b) - sym__named(a);

	if (!ret)
		ret = sym__named(a) ? strcmp(sym__name(names, a), sym__name(names, b)) : by_addr;
	if (!ret)
		ret = strcmp(names__dso(names, a->dso_name), names__dso(names, b->dso_name));
	return ret ? ret : by_addr;
}
