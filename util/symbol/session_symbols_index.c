// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Connects symbols and their indexes on disk. An index is for one object and one set of options:
 * its key is a hash of all options that could change an answer.
 *
 * Short tables are kept whole. Of long ones (a kernel's list) the part that was asked for is kept,
 * and grows with later runs.
 */
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/source_tables.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/symbol/session_symbols_private.h"
#include "util/symindex/index_cache.h"

#define WHOLE_MAX 1024u /* symbols */

/* A part that has grown beyond this begins anew with what is wanted now. */
#define PIECES_MAX (256u * 1024)

/* Tables that are read quicker than an index is written: what the loader of programs has, mostly.
 */
#define WORTH_SYMBOLS 128u

/* So many new readable names are worth another file. */
#define WORTH_NAMES 32u

static u64 hash_text(u64 hash, const char *text)
{
	return hash__add(hash, text ? hash__bytes(text, strlen(text)) : 0);
}

/* What this perf was built with decides what it finds. */
static u64 features(void)
{
	u64 bits = 0;

#ifdef HAVE_LIBDW
	bits |= 1u << 0;
#endif
#ifdef HAVE_LZMA
	bits |= 1u << 1;
#endif
#ifdef HAVE_DEMANGLE
	bits |= 1u << 2;
#endif
	return bits;
}

static u64 key_of(const struct session_symbols *symbols, const struct dso *dso)
{
	const struct symbol_config *config = &symbols->config;
	const char *ref = strtab__get(symbols->dsos->strings, dso->ref_symbol);
	u64 key = hash_text(features(), config->program);

	key = hash_text(key, strtab__get(symbols->dsos->strings, dso->name));
	key = hash_text(key, config->symfs);
	key = hash_text(key, config->cache_dir);
	key = hash__add(key, dso->kind << 8 | config->signatures << 2 | config->demangle << 1 |
	                             config->no_live_kernel | 1u << 7 /* data is marked */);
	if (dso->kind == DSO_USER && !dso->build_id_size)
		return hash__add(hash__add(key, dso->inode.ino),
		                 (u64)dso->inode.maj << 32 | dso->inode.min);
	if (dso->kind == DSO_USER)
		return key;
	key = hash_text(key, config->vmlinux);
	key = hash_text(key, config->kallsyms);
	key = hash__add(key, config->ignore_vmlinux);
	for (u32 i = 0; i < symbols->dsos->nr;
	     i++) { /* where the kernel was, for its modules, too */
		const struct dso *kernel = dsos__at(symbols->dsos, i);

		if (kernel->kind == DSO_KERNEL)
			key = hash__add(key, hash__add(kernel->text_pgoff, kernel->text_start));
	}
	key = hash__add(key, hash__add(dso->text_start, dso->text_end));
	return hash_text(key, ref);
}

/*
 * Does the object have an index, or may it get one? A file of which no build-id was recorded is
 * told by its path and inode: it is the same as long as nothing has changed there (file_trail.h).
 */
static bool has_index(const struct session_symbols *symbols, const struct dso *dso)
{
	const struct symbol_config *config = &symbols->config;

	return config->index_dir && config->index_max && config->program && !config->debuginfod &&
	       !config->allow_foreign_kallsyms &&
	       (dso->kind == DSO_USER ||
	        (dso->build_id_size && (dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE)));
}

static struct build_id id_of(const struct dso *dso)
{
	struct build_id id = { .size = min_u64(dso->build_id_size, sizeof(id.data)) };

	memcpy(id.data, dso->build_id, id.size);
	return id;
}

/* ---- from the index ---- */

static u64 vaddr_of(const struct symtab *table, u64 addr)
{
	return table->runtime_addr ? addr : symtab__vaddr_of_offset(table, addr);
}

/* Is everything in @table that will be asked of it? */
static bool suffices(const struct object *object, const struct symtab *table)
{
	if (!table->pieces || !object->wanted)
		return true;
	for (u32 i = 0; i < object->nr_wanted; i++)
		if (!symtab__knows(table, vaddr_of(table, object->wanted[i])))
			return false;
	return true;
}

/* What the old part knew shall not be lost when the table is read again. */
static void take_known(struct object *object, const struct symtab *table)
{
	if (!object->wanted || table->nr_pieces > PIECES_MAX)
		return;
	object->nr_known = table->nr_pieces;
	object->known = xrealloc(NULL, table->nr_pieces, sizeof(u64));
	for (u32 i = 0; i < table->nr_pieces; i++)
		object->known[i] = table->pieces[i].start;
	/* Of a list, what is not wanted is not read. */
	if (table->runtime_addr)
		object__want(object, object->known, object->nr_known);
}

bool object__restore(struct session_symbols *symbols, u32 id)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];
	struct build_id build_id = id_of(dso);
	struct object_index *index = &object->index;

	if (!has_index(symbols, dso) ||
	    index_cache__read(symbols->config.index_dir, &build_id, key_of(symbols, dso), index))
		return false;
	if (strcmp(index->name, strtab__get(symbols->dsos->strings, dso->name)) != 0) {
		object_index__exit(index); /* another object's of the same hash */
		return false;
	}
	object->restored = index->table && suffices(object, index->table);
	if (object->restored) {
		object->table = *index->table;
		free(index->table);
		index->table = NULL;
	} else if (index->table) {
		take_known(object, index->table);
		object_index__copy_readable(index, &object->readable);
	}
	file_trail__join(&object->trail, &index->trail);
	return object->restored;
}

struct debug_info *object__restore_source(struct session_symbols *symbols, u32 id)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];

	object_index__read_source(&object->index); /* damaged: DWARF is looked at */
	struct debug_info *source = object->index.source;

	object->index.source = NULL;
	object->source_restored = source;
	if (source && dso->kind == DSO_MODULE)
		debug_info__move_module(source, dso->text_start);
	return source;
}

/* ---- partial tables ---- */

static bool is_short(const struct symtab *table)
{
	return table->nr <= WHOLE_MAX && !table->picked;
}

void object__part(struct session_symbols *symbols, u32 id)
{
	struct object *object = symbols->objects[id];
	struct symtab *table = &object->table;

	if (object->wanted || !has_index(symbols, dsos__at(symbols->dsos, id)))
		return;
	if (object->restored) {
		object->partial = table->pieces;
		return;
	}
	if (is_short(table) || table->error.code || table->refused.code || object->trail.spoiled)
		return;
	object->whole = *table;
	object->partial = object->whole_loaded = true;
	symtab__part(&object->whole, NULL, 0, table);
}

static void note_asked(struct object *object, u32 symbol, u64 vaddr)
{
	if (!object->asked)
		object->asked = xcalloc((size_t)object->whole.nr + 1, sizeof(*object->asked));
	if (symbol == ID_NONE ? object->nr_asked >= PIECES_MAX : object->asked[symbol])
		return;
	if (symbol != ID_NONE)
		object->asked[symbol] = true;
	array__reserve(&object->asked_addrs, &object->cap_asked, (size_t)object->nr_asked + 1,
	               sizeof(*object->asked_addrs));
	object->asked_addrs[object->nr_asked++] = vaddr;
}

u32 object__find_in_whole(struct session_symbols *symbols, u32 id, u64 vaddr)
{
	struct object *object = symbols->objects[id];

	pthread_mutex_lock(&symbols->of_whole);
	if (!object->whole_loaded)
		object__load_whole(symbols, id);
	u32 symbol = symtab__find(&object->whole, vaddr);

	note_asked(object, symbol, vaddr);
	pthread_mutex_unlock(&symbols->of_whole);
	return symbol == ID_NONE ? ID_NONE : object->table.nr + symbol;
}

/* ---- to the index ---- */

/* The part of a long table that is to be kept: what was wanted or asked for, and was known. */
static void make_part(const struct object *object, struct symtab *part)
{
	const struct symtab *table = object->partial ? &object->whole : &object->table;
	u32 nr_pieces = object->partial && object->table.nr_pieces <= PIECES_MAX
	                        ? object->table.nr_pieces
	                        : 0;
	size_t room = (size_t)object->nr_wanted + object->nr_known + object->nr_asked + nr_pieces;
	u64 *addrs = xrealloc(NULL, room, sizeof(*addrs));
	u32 nr = 0;

	for (u32 i = 0; i < object->nr_wanted; i++)
		addrs[nr++] = vaddr_of(table, object->wanted[i]);
	for (u32 i = 0; i < object->nr_known; i++)
		addrs[nr++] = object->known[i];
	for (u32 i = 0; i < object->nr_asked; i++)
		addrs[nr++] = object->asked_addrs[i];
	for (u32 i = 0; i < nr_pieces; i++)
		addrs[nr++] = object->table.pieces[i].start;
	sort_u64(addrs, nr);
	symtab__part(table, addrs, nr, part);
	free(addrs);
}

/* Is what an index gave all that is to be kept? */
static bool is_as_restored(const struct object *object)
{
	return object->restored && !object->nr_asked;
}

/* Can the table be kept, or part of it? */
static bool is_sound(const struct object *object)
{
	const struct symtab *table = object->whole_loaded ? &object->whole : &object->table;

	return !table->error.code && !table->refused.code && table->nr &&
	       (object->restored || object->partial || is_short(table) || object->wanted);
}

/* Is there anything new, and was it dear enough? */
static bool is_worth_it(const struct object *object)
{
	const struct symtab *table = &object->table;
	const struct debug_info *source = object->source;
	bool dear = table->picked || table->nr >= WORTH_SYMBOLS;

	if (object->trail.spoiled || (source && debug_info__trail(source)->spoiled))
		return false;
	if (!is_as_restored(object) && (dear || object->partial) && is_sound(object))
		return true;
	if (readable_names__nr(&object->readable) >= WORTH_NAMES)
		return true;
	if (!source)
		return false;
	return debug_info__path(source) ? debug_info__was_asked(source)
	                                : dear && !object->source_restored;
}

static int keep_object(struct session_symbols *symbols, u32 id, struct error *err)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];
	struct symtab part = { .source = SYMTAB_NONE };
	struct object_index index = { .id = id_of(dso), .key = key_of(symbols, dso) };
	int ret = 0;

	if (!object->source)
		object->source = object__restore_source(symbols, id);
	if (object->source)
		file_trail__join(&object->trail, debug_info__trail(object->source));
	object_index__copy_readable(&object->index, &object->readable);
	index.name = strtab__get(symbols->dsos->strings, dso->name);
	index.trail = object->trail;
	bool complete = is_as_restored(object) || (!object->partial && is_short(&object->table));

	if (is_sound(object) && complete) {
		index.table = &object->table;
	} else if (is_sound(object)) {
		make_part(object, &part);
		index.table = &part;
	}
	index.source = object->source;
	index.readable = &object->readable;
	if ((index.table || index.source) && !object->trail.spoiled)
		ret = index_cache__write(symbols->config.index_dir, &index,
		                         symbols->config.index_max, err);
	symtab__exit(&part);
	return ret;
}

int session_symbols__keep(struct session_symbols *symbols, struct error *err)
{
	int ret = 0;

	for (u32 i = 0; i < symbols->nr && !ret; i++) {
		const struct object *object = symbols->objects[i];

		if (object && object->source)
			debug_info__drop_unread(object->source);
		if (object && object->loaded && has_index(symbols, dsos__at(symbols->dsos, i)) &&
		    is_worth_it(object))
			ret = keep_object(symbols, i, err);
	}
	return ret;
}
