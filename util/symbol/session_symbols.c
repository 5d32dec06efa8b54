// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbol/session_symbols_private.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/lib/workers.h"
#include "util/symindex/symbol_bundle.h"
#include "util/symtab/debug_file.h"
#include "util/symtab/demangle.h"
#include "util/symtab/kernel.h"
#include "util/symtab/mapped_file.h"
#include "util/symtab/object_file.h"
#include "util/symtab/perf_map.h"
#include "util/symtab/symtab_elf.h"
#include "util/symtab/vdso.h"

int symbol_config__set_demangle(struct symbol_config *config, const char *how, struct error *err)
{
	bool full = how && !strcmp(how, "full"), short_templates = how && !strcmp(how, "short");

	if (how && !full && !short_templates) {
		error__set(err, -EINVAL, "unknown form of names", how, "there are full and short");
		return error__advise(err, "--demangle=full: with parameters; --demangle=short: "
		                          "without template arguments");
	}
	config->demangle = true;
	config->signatures = full;
	config->short_templates = short_templates;
	return 0;
}

struct session_symbols *session_symbols__new(const struct dsos *dsos,
                                             const struct symbol_config *config)
{
	struct session_symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->dsos = dsos;
	symbols->config = *config;
	pthread_mutex_init(&symbols->of_whole, NULL);
	pthread_mutex_init(&symbols->of_names, NULL);
	if (!symbols->config.symfs)
		symbols->config.symfs = "";
	return symbols;
}

static bool is_kernel(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

static void object__delete(struct object *object)
{
	if (!object)
		return;
	symtab__exit(&object->table);
	free(object->wanted);
	free(object->known);
	symtab__exit(&object->whole);
	free(object->asked);
	free(object->asked_addrs);
	free(object->names);
	free(object->names_of_whole);
	readable_names__exit(&object->readable);
	file_trail__exit(&object->trail);
	debug_info__delete(object->source);
	debug_info__delete(object->bundled_source);
	object_index__exit(&object->index);
	free(object);
}

void session_symbols__forget(struct session_symbols *symbols, const u8 *used)
{
	for (u32 i = 0; i < symbols->nr; i++) {
		if (used[i] || is_kernel(dsos__at(symbols->dsos, i)))
			continue;
		object__delete(symbols->objects[i]);
		symbols->objects[i] = NULL;
	}
}

void session_symbols__delete(struct session_symbols *symbols)
{
	if (!symbols)
		return;
	for (u32 i = 0; i < symbols->nr; i++)
		object__delete(symbols->objects[i]);
	free(symbols->objects);
	arena__exit(&symbols->names);
	pthread_mutex_destroy(&symbols->of_names);
	pthread_mutex_destroy(&symbols->of_whole);
	free(symbols);
}

const struct symbol_config *session_symbols__config(const struct session_symbols *symbols)
{
	return &symbols->config;
}

/* Dsos may be added after session_symbols__new(): make room. Not while threads work. */
static struct object *object_of(struct session_symbols *symbols, u32 dso)
{
	BUG_ON(dso >= symbols->dsos->nr);
	if (symbols->nr < symbols->dsos->nr) {
		u32 nr = symbols->dsos->nr;

		symbols->objects = xrealloc(symbols->objects, nr, sizeof(*symbols->objects));
		memset(symbols->objects + symbols->nr, 0,
		       (nr - symbols->nr) * sizeof(*symbols->objects));
		symbols->nr = nr;
	}
	if (!symbols->objects[dso])
		symbols->objects[dso] = xcalloc(1, sizeof(struct object));
	return symbols->objects[dso];
}

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

void sort_u64(u64 *values, u32 nr)
{
	if (nr)
		qsort(values, nr, sizeof(*values), compare_u64);
}

void object__want(struct object *object, const u64 *addrs, u32 nr)
{
	u32 all = object->nr_wanted + nr;

	object->wanted = xrealloc(object->wanted, all, sizeof(*addrs));
	if (nr)
		memcpy(object->wanted + object->nr_wanted, addrs, nr * sizeof(*addrs));
	object->nr_wanted = all;
}

void session_symbols__want(struct session_symbols *symbols, u32 dso, const u64 *addrs, u32 nr)
{
	struct object *object = object_of(symbols, dso);

	if (object->loaded)
		return;
	object->nr_wanted = 0;
	object__want(object, addrs, nr);
}

static void load_file(struct session_symbols *symbols, const struct dso *dso, struct object *object,
                      struct symtab *table)
{
	const struct symbol_config *config = &symbols->config;
	const char *path = strtab__get(symbols->dsos->strings, dso->name);
	char *prefix = object_files__prefix(config, dso, path, &table->error);
	struct object_file_request request = {
		.path = path,
		.symfs = prefix,
		.build_id = dso->build_id,
		.build_id_size = dso->build_id_size,
		.cache_dir = config->cache_dir,
		.debug_dir = "/usr/lib/debug",
		.demangle = config->demangle,
		.debuginfod = config->debuginfod,
		.trail = &object->trail,
	};

	if (!prefix)
		return;
	symtab__load_elf(table, &request);
	char *other = table->error.code ? object_files__other_prefix(config, dso) : NULL;

	if (other) { /* a process in a container that still runs */
		symtab__exit(table);
		request.symfs = other;
		symtab__load_elf(table, &request);
	}
	if (other || strcmp(prefix, config->symfs) != 0)
		file_trail__spoil(&object->trail); /* no path leads there when it is gone */
	free(prefix);
	free(other);
}

/*
 * Where the process has written its perf-PID.map, with the pid by which it knows itself. Where it
 * sees our /tmp, somebody may have written one for it with the pid that we know: that goes first.
 */
static char *perf_map_path(const struct session_symbols *symbols, const struct dso *dso)
{
	const char *name = strtab__get(symbols->dsos->strings, dso->name);

	if (!object_files__recorded_here(&symbols->config))
		return xasprintf("%s%s", symbols->config.symfs, name);
	s32 inner = process_root__inner_pid(dso->pid);

	if (process_root__differs(dso->pid))
		return xasprintf("/proc/%d/root/tmp/perf-%d.map", dso->pid, inner);
	return inner == dso->pid || !access(name, F_OK) ? xstrdup(name)
	                                                : xasprintf("/tmp/perf-%d.map", inner);
}

/* Out-of-line kernel text (BPF programs, trampolines) is one function named like its dso. */
static void load_single(struct session_symbols *symbols, const struct dso *dso,
                        struct symtab *table)
{
	const char *name = strtab__get(symbols->dsos->strings, dso->name);

	table->source = SYMTAB_KALLSYMS;
	table->runtime_addr = true;
	symtab__add(table, dso->text_start, dso->text_end, name, 'g');
	symtab__fixup(table);
}

/* The tables that have one source each, so that several can be loaded at a time. */
static void load_object(struct session_symbols *symbols, u32 id)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];

	switch (dso->kind) {
	case DSO_USER:
		if (!object__restore(symbols, id))
			load_file(symbols, dso, object, &object->table);
		break;
	case DSO_VDSO:
		vdso__load(&object->table, &symbols->config, dso);
		break;
	case DSO_ANON: {
		char *path = perf_map_path(symbols, dso);

		symtab__load_perf_map(&object->table, path);
		free(path);
		break;
	}
	case DSO_BPF:
		load_single(symbols, dso, &object->table);
		break;
	case DSO_KERNEL:
	case DSO_MODULE: /* together, by load_kernel() */
	case DSO_VSYSCALL:
	case DSO_GUEST_KERNEL:
	case DSO_UNKNOWN:
		break;
	}
}

/* The kernel and its modules share their sources: one job for all that are asked for now. */
static void load_kernel(struct session_symbols *symbols, const u32 *ids, u32 nr)
{
	struct kernel_target *targets = xcalloc(nr, sizeof(*targets));
	u32 used = 0;

	for (u32 i = 0; i < nr; i++) {
		struct object *object = symbols->objects[ids[i]];

		if (!is_kernel(dsos__at(symbols->dsos, ids[i])) || object__restore(symbols, ids[i]))
			continue;
		sort_u64(object->wanted, object->nr_wanted);
		targets[used++] = (struct kernel_target){ .dso = dsos__at(symbols->dsos, ids[i]),
			                                  .table = &object->table,
			                                  .wanted = object->wanted,
			                                  .nr_wanted = object->nr_wanted,
			                                  .trail = &object->trail };
	}
	if (used)
		kernel__load(symbols->dsos, &symbols->config, targets, used);
	free(targets);
}

/* Those of the kernel and its modules are in one list: they are read together. */
static void load_whole_kernel(struct session_symbols *symbols)
{
	struct kernel_target *targets = xcalloc(symbols->nr, sizeof(*targets));
	u32 used = 0;

	for (u32 i = 0; i < symbols->nr; i++) {
		struct object *object = symbols->objects[i];

		if (!object || !is_kernel(dsos__at(symbols->dsos, i)) || !object->partial ||
		    object->whole_loaded)
			continue;
		object->whole_loaded = true;
		targets[used++] = (struct kernel_target){ .dso = dsos__at(symbols->dsos, i),
			                                  .table = &object->whole,
			                                  .trail = &object->trail };
	}
	kernel__load(symbols->dsos, &symbols->config, targets, used);
	free(targets);
}

void object__load_whole(struct session_symbols *symbols, u32 id)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];

	if (is_kernel(dso))
		load_whole_kernel(symbols);
	else
		load_file(symbols, dso, object, &object->whole);
	object->whole_loaded = true;
}

/*
 * Are the names that came with the recording better than those found here? Found here is what has
 * the recorded build-id, so it wins; but not a stripped file, nor what only looks like the code of
 * that time (a perf-PID.map of another process by now).
 */
static bool bundled_is_better(const struct dso *dso, const struct symtab *here,
                              const struct symtab *bundled)
{
	if ((!here->nr && !here->pieces) || dso->kind == DSO_ANON)
		return bundled->nr || bundled->nr_segments;
	return (here->source == SYMTAB_DYNSYM || here->source == SYMTAB_NONE) &&
	       bundled->source != SYMTAB_DYNSYM && bundled->source != SYMTAB_NONE;
}

static void take_bundled(struct session_symbols *symbols, u32 id)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];
	struct object_index *bundled = symbol_bundle__find(
	        symbols->config.bundle, dso, strtab__get(symbols->dsos->strings, dso->name));

	if (!bundled)
		return;
	bool better = bundled->table && bundled_is_better(dso, &object->table, bundled->table);

	/* Source goes by the addresses of its own table: a vmlinux's are not those of a list. */
	if (better || !bundled->table ||
	    bundled->table->runtime_addr == object->table.runtime_addr) {
		object->bundled_source = bundled->source;
		bundled->source = NULL;
	}
	if (!better)
		return;
	symtab__exit(&object->table);
	object->restored = false;
	file_trail__spoil(&object->trail); /* not to be kept as this machine's */
	object->table = *bundled->table;
	free(bundled->table);
	bundled->table = NULL;
	if (object->table.source == SYMTAB_NONE && dso->kind == DSO_USER)
		symtab__no_symbols(&object->table, strtab__get(symbols->dsos->strings, dso->name));
}

struct load_job {
	struct session_symbols *symbols;
	const u32 *ids;
	u32 nr;
	atomic_uint next; /* 0: the kernel's; then ids[next - 1] */
};

static void load_worker(void *ctx, unsigned worker)
{
	struct load_job *job = ctx;
	u32 i;

	(void)worker;
	while ((i = atomic_fetch_add(&job->next, 1)) <= job->nr) {
		if (i == 0)
			load_kernel(job->symbols, job->ids, job->nr);
		else
			load_object(job->symbols, job->ids[i - 1]);
	}
}

void session_symbols__load(struct session_symbols *symbols, const u32 *dsos, u32 nr,
                           unsigned workers)
{
	struct load_job job = { .symbols = symbols };
	u32 *ids = xrealloc(NULL, nr, sizeof(*ids));

	for (u32 i = 0; i < nr; i++) {
		struct object *object = object_of(symbols, dsos[i]);

		if (!object->loaded)
			ids[job.nr++] = dsos[i];
		object->loaded = true;
	}
	job.ids = ids;
	if (workers > job.nr)
		workers = job.nr;
	if (job.nr)
		workers__run(workers ? workers : 1, load_worker, &job);
	for (u32 i = 0; symbols->config.bundle && i < job.nr; i++)
		take_bundled(symbols, ids[i]);
	for (u32 i = 0; i < job.nr; i++)
		object__part(symbols, ids[i]);
	free(ids);
}

const struct symtab *session_symbols__table(struct session_symbols *symbols, u32 dso)
{
	struct object *object = object_of(symbols, dso);

	if (!object->loaded)
		session_symbols__load(symbols, &dso, 1, 1);
	return &object->table;
}

bool session_symbols__is_stripped(const struct session_symbols *symbols, u32 dso)
{
	const struct object *object = dso < symbols->nr ? symbols->objects[dso] : NULL;

	return object && object->loaded && (object->table.nr || object->table.pieces) &&
	       (object->table.source == SYMTAB_NONE || object->table.source == SYMTAB_DYNSYM);
}

u32 session_symbols__find(struct session_symbols *symbols, u32 dso, u64 addr, u64 *vaddr)
{
	const struct symtab *table = session_symbols__table(symbols, dso);

	*vaddr = table->runtime_addr ? addr : symtab__vaddr_of_offset(table, addr);
	return unlikely(symbols->objects[dso]->partial) && !symtab__knows(table, *vaddr)
	               ? object__find_in_whole(symbols, dso, *vaddr)
	               : symtab__find(table, *vaddr);
}

u32 session_symbols__find_code(struct session_symbols *symbols, u32 dso, u64 addr, u64 *vaddr)
{
	u32 symbol = session_symbols__find(symbols, dso, addr, vaddr);

	if (symbol != ID_NONE && session_symbols__symbol(symbols, dso, symbol)->data)
		return ID_NONE;
	return symbol;
}

const struct symbol *session_symbols__symbol(struct session_symbols *symbols, u32 dso, u32 symbol)
{
	const struct object *object = object_of(symbols, dso);
	u32 nr = object->table.nr;

	if (symbol < nr)
		return &object->table.symbols[symbol];
	BUG_ON(symbol - nr >= object->whole.nr);
	return &object->whole.symbols[symbol - nr];
}

/* Perf maps hold names for people already. */
static bool wants_demangling(const struct session_symbols *symbols, u32 dso)
{
	const struct dso *d = dsos__at(symbols->dsos, dso);

	return is_kernel(d)          ? symbols->config.demangle_kernel
	       : d->kind == DSO_ANON ? false
	                             : symbols->config.demangle;
}

/* NULL: @raw is no mangled name. */
static const char *readable_name(const struct symbol_config *config, struct object *object,
                                 const char *raw)
{
	const char *known = readable_names__find(&object->readable, raw);

	if (known)
		return known;
	char *readable = config->signatures ? demangle_signature(raw) : demangle(raw);

	if (!readable)
		return NULL;
	readable_names__add(&object->readable, raw, readable);
	free(readable);
	return readable_names__find(&object->readable, raw);
}

static const char *make_name(struct session_symbols *symbols, u32 dso, const char *raw)
{
	const struct symbol_config *config = &symbols->config;
	struct object *object = symbols->objects[dso];
	bool demangle = wants_demangling(symbols, dso);
	const char *restored = demangle ? object_index__readable(&object->index, raw) : NULL;

	if (restored && !config->short_templates)
		return restored;
	const char *readable = restored   ? restored
	                       : demangle ? readable_name(config, object, raw)
	                                  : NULL;
	const char *name = readable ? readable : raw;

	if (text__is_printable(name, strlen(name)) && !(readable && config->short_templates))
		return name; /* lives as long as the object */
	size_t size = strlen(name) + 1;
	char *copy = arena__alloc(&symbols->names, size);

	text__printable(copy, size, name);
	if (readable && config->short_templates)
		demangle__shorten(copy);
	return copy;
}

/* Where the name is kept: NULL if no place was made yet. */
static inline const char **place_of_name(struct object *object, u32 symbol)
{
	bool in_table = symbol < object->table.nr; /* `whole` may just be read by another thread */
	const char **names = __atomic_load_n(in_table ? &object->names : &object->names_of_whole,
	                                     __ATOMIC_ACQUIRE);

	return names ? names + (in_table ? symbol : symbol - object->table.nr) : NULL;
}

static void make_places(struct object *object, u32 symbol)
{
	bool in_table = symbol < object->table.nr;

	__atomic_store_n(
	        in_table ? &object->names : &object->names_of_whole,
	        xcalloc(in_table ? object->table.nr : object->whole.nr, sizeof(const char *)),
	        __ATOMIC_RELEASE);
}

/* Unless another thread has just done it. */
static const char *make_first_name(struct session_symbols *symbols, u32 dso, u32 symbol)
{
	struct object *object = object_of(symbols, dso);

	pthread_mutex_lock(&symbols->of_names);
	if (!place_of_name(object, symbol))
		make_places(object, symbol);
	const char **place = place_of_name(object, symbol);
	const char *raw = session_symbols__symbol(symbols, dso, symbol)->name;

	if (!*place)
		__atomic_store_n(place, make_name(symbols, dso, raw), __ATOMIC_RELEASE);
	pthread_mutex_unlock(&symbols->of_names);
	return *place;
}

const char *session_symbols__name(struct session_symbols *symbols, u32 dso, u32 symbol)
{
	const char **place = place_of_name(object_of(symbols, dso), symbol);
	const char *name = likely(place) ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : NULL;

	return likely(name) ? name : make_first_name(symbols, dso, symbol);
}

const char *session_symbols__kernel_name(struct session_symbols *symbols, u64 addr, u64 *offset)
{
	for (u32 i = 0; i < symbols->dsos->nr; i++) {
		u64 vaddr;

		if (!is_kernel(dsos__at(symbols->dsos, i)))
			continue;
		u32 symbol = session_symbols__find(symbols, i, addr, &vaddr);

		if (symbol == ID_NONE)
			continue;
		*offset = vaddr - session_symbols__symbol(symbols, i, symbol)->start;
		return session_symbols__name(symbols, i, symbol);
	}
	return NULL;
}

/* ---- source ---- */

const char *session_symbols__readable(struct session_symbols *symbols, u32 dso, const char *raw)
{
	pthread_mutex_lock(&symbols->of_names);
	const char *name = make_name(symbols, dso, raw);

	pthread_mutex_unlock(&symbols->of_names);
	return name;
}

/* What came with the recording tells of lines where nothing here does. */
static struct debug_info *or_bundled(struct object *object, struct debug_info *info)
{
	if (!debug_info__empty(info) || !object->bundled_source)
		return info;
	debug_info__delete(info);
	info = object->bundled_source;
	object->bundled_source = NULL;
	file_trail__spoil(&object->trail);
	return info;
}

/* Is there a file whose addresses are those of the dso's table? */
static bool has_source(const struct dso *dso, const struct symtab *table)
{
	switch (dso->kind) {
	case DSO_VDSO:
		return true;
	case DSO_USER:
		return table->path;
	case DSO_KERNEL:
		return table->source == SYMTAB_VMLINUX;
	case DSO_MODULE:
		return table->runtime_addr && dso->text_start;
	default:
		return false;
	}
}

/* The file of the dso itself, which a module's names need not come from; NULL: there is none. */
static char *own_file(const struct session_symbols *symbols, const struct dso *dso,
                      const struct symtab *table)
{
	const char *name = strtab__get(symbols->dsos->strings, dso->name);

	if (table->source != SYMTAB_KALLSYMS)
		return table->path ? xstrdup(table->path) : NULL;
	return *name == '/' ? xasprintf("%s%s", symbols->config.symfs, name) : NULL;
}

static struct debug_info *open_dwarf(const struct session_symbols *symbols, u32 id)
{
	const struct dso *dso = dsos__at(symbols->dsos, id);
	struct object *object = symbols->objects[id];
	const struct symtab *table = &object->table;
	struct debug_file_request request = {
		.path = strtab__get(symbols->dsos->strings, dso->name),
		.symfs = symbols->config.symfs,
		.cache_dir = symbols->config.cache_dir,
		.debug_dir = "/usr/lib/debug",
		.build_id.size = dso->build_id_size,
		.trail = &object->trail,
	};

	if (!has_source(dso, table))
		return debug_info__open(NULL);
	memcpy(request.build_id.data, dso->build_id, dso->build_id_size);
	char *own = own_file(symbols, dso, table);
	char *path = debug_file__of_dwarf(own, &request);
	struct debug_info *info =
	        debug_info__open_module(path, dso->kind == DSO_MODULE ? dso->text_start : 0);

	free(own);
	free(path);
	return info;
}

static void open_source(struct session_symbols *symbols, u32 id)
{
	struct object *object = symbols->objects[id];

	if (object->source)
		return;
	struct debug_info *restored = object__restore_source(symbols, id);

	object->source = or_bundled(object, restored ? restored : open_dwarf(symbols, id));
	const char *name = strtab__get(symbols->dsos->strings, dsos__at(symbols->dsos, id)->name);

	if (*name == '/') {
		char *program = xasprintf("%s%s", symbols->config.symfs, name);

		debug_info__set_program(object->source, program);
		free(program);
	}
}

struct debug_info *session_symbols__source(struct session_symbols *symbols, u32 dso)
{
	struct object *object = object_of(symbols, dso);

	if (!object->loaded)
		session_symbols__load(symbols, &dso, 1, 1);
	open_source(symbols, dso);
	return object->source;
}

struct source_job {
	struct session_symbols *symbols;
	const struct source_wish *wishes;
	u32 nr;
	atomic_uint next;
};

static void source_worker(void *ctx, unsigned worker)
{
	struct source_job *job = ctx;
	u32 i;

	(void)worker;
	while ((i = atomic_fetch_add(&job->next, 1)) < job->nr) {
		const struct source_wish *wish = &job->wishes[i];
		struct object *object = job->symbols->objects[wish->dso];

		open_source(job->symbols, wish->dso);
		debug_info__load(object->source, wish->addrs, wish->nr);
		debug_info__close_files(object->source);
	}
}

void session_symbols__load_source(struct session_symbols *symbols, const struct source_wish *wishes,
                                  u32 nr, unsigned workers)
{
	struct source_job job = { .symbols = symbols, .wishes = wishes, .nr = nr };

	for (u32 i = 0; i < nr; i++)
		session_symbols__table(symbols, wishes[i].dso);
	if (nr)
		workers__run(min_u64(workers ? workers : 1, nr), source_worker, &job);
}

void session_symbols__problems(struct session_symbols *symbols,
                               void (*fn)(void *ctx, const struct dso *dso,
                                          const struct error *error),
                               void *ctx)
{
	for (u32 i = 0; i < symbols->nr; i++) {
		const struct object *object = symbols->objects[i];

		if (!object || !object->loaded)
			continue;
		const struct symtab *table = &object->table;

		/* Where there is a debug file, it being the wrong one says more. */
		if (table->refused.code)
			fn(ctx, dsos__at(symbols->dsos, i), &table->refused);
		else if (table->error.code)
			fn(ctx, dsos__at(symbols->dsos, i), &table->error);
	}
}

void session_symbols__unread(const struct session_symbols *symbols,
                             void (*fn)(void *ctx, const struct error *error), void *ctx)
{
	struct error err;

	for (u32 i = 0; i < symbols->nr; i++) {
		const struct object *object = symbols->objects[i];

		if (object && object->source && debug_info__unread(object->source, &err))
			fn(ctx, &err);
	}
}
