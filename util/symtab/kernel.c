// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/elf/file_trail.h"
#include "util/lib/alloc.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/symtab/kallsyms.h"
#include "util/symtab/kernel_core.h"
#include "util/symtab/symtab_elf.h"

#define LIVE "/proc/kallsyms"

/* What one call of kernel__load() works with. */
struct context {
	const struct dsos *dsos;
	const struct symbol_config *config;
	const struct dso *kernel; /* NULL: the recording names none */
	struct build_id id;       /* of the recorded kernel */
	const char *ref_symbol;   /* NULL: none recorded */
	u64 ref_addr;
};

static void context__init(struct context *c, const struct dsos *dsos,
                          const struct symbol_config *config)
{
	*c = (struct context){ .dsos = dsos, .config = config };
	for (u32 i = 0; i < dsos->nr && !c->kernel; i++)
		if (dsos->dsos[i].kind == DSO_KERNEL)
			c->kernel = &dsos->dsos[i];
	if (!c->kernel)
		return;
	c->id = build_id__of_bytes(c->kernel->build_id, c->kernel->build_id_size);
	if (c->kernel->ref_symbol && c->kernel->text_pgoff) {
		c->ref_symbol = strtab__get(dsos->strings, c->kernel->ref_symbol);
		c->ref_addr = c->kernel->text_pgoff;
	}
}

/*
 * Is this machine's kernel the recorded one? By build-id; where none was recorded, by the address
 * of the reference symbol (an address space layout that is randomized at boot makes that sure;
 * without it the caller knows better and says so: no_live_kernel).
 */
static bool live_is_recorded(const struct context *c, struct error *why)
{
	struct build_id running;
	char a[BUILD_ID_HEX_SIZE], b[BUILD_ID_HEX_SIZE];
	const char *name = "[kernel.kallsyms]";

	if (c->config->allow_foreign_kallsyms)
		return true;
	if (c->id.size) {
		if (!build_id__of_kernel(&running) && build_id__equal(&running, &c->id))
			return true;
		error__set(why, -ESTALE, "cannot name addresses of", name,
		           "recorded kernel %s is not the running one (%s)",
		           build_id__hex(&c->id, a), build_id__hex(&running, b));
	} else if (c->config->no_live_kernel) {
		error__set(why, -ESTALE, "cannot name addresses of", name,
		           "they are of another machine or another kernel");
	} else {
		if (!c->ref_symbol || kallsyms__find(LIVE, c->ref_symbol) == c->ref_addr ||
		    !kallsyms__find(LIVE, c->ref_symbol))
			return true;
		error__set(why, -ESTALE, "cannot name addresses of", name,
		           "the recorded kernel was not the one that runs now");
	}
	error__advise(why, "give the symbols of the recorded kernel: --kallsyms FILE or "
	                   "--vmlinux FILE");
	return false;
}

/* Another machine has its modules elsewhere, whether or not its kernel is the same. */
static bool may_name(const struct context *c, const char *path, const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || !c->config->no_live_kernel || strcmp(path, LIVE);
}

/* The names of all are looked for together. */
static void note(struct kernel_target *targets, u32 nr, const char *path)
{
	for (u32 i = 0; i < nr; i++)
		file_trail__note(targets[i].trail, path);
}

/* Of those that have no names yet. */
static int load_list(const struct context *c, const char *path, struct kernel_target *targets,
                     u32 nr)
{
	struct kallsyms_target *list = xcalloc(nr, sizeof(*list));
	struct kallsyms_request request = {
		.path = path,
		.targets = list,
		.sorted = !strcmp(path, LIVE),
		.ref_symbol = c->ref_symbol,
		.ref_addr = c->ref_addr,
	};

	for (u32 i = 0; i < nr; i++) {
		const struct dso *dso = targets[i].dso;
		struct kallsyms_target *target = &list[request.nr];

		if (targets[i].table->nr)
			continue;
		file_trail__note(targets[i].trail, path);
		symtab__exit(targets[i].table);
		if (!may_name(c, path, dso))
			continue;
		*target = (struct kallsyms_target){ .symtab = targets[i].table,
			                            .wanted = targets[i].wanted,
			                            .nr_wanted = targets[i].nr_wanted };
		if (dso->kind == DSO_MODULE)
			target->module = strtab__get(c->dsos->strings, dso->short_name);
		request.nr++;
	}
	int ret = request.nr ? kallsyms__load(&request) : -ENOENT;

	free(list);
	return ret;
}

/* The list that was kept with the recorded kernel's build-id, else the running kernel's. */
static void load_lists(const struct context *c, struct kernel_target *targets, u32 nr)
{
	struct error why = ERROR_INIT;
	char *path = NULL, *cached = NULL;
	int ret = -ENOENT;

	if (c->id.size && c->config->cache_dir) {
		path = build_id_cache__path(c->config->cache_dir, &c->id, CACHE_KALLSYMS);
		cached = build_id_cache__find(c->config->cache_dir, &c->id, CACHE_KALLSYMS);
	}
	if (cached)
		ret = load_list(c, cached, targets, nr);
	else if (path)
		note(targets, nr, path);
	if (ret && live_is_recorded(c, &why))
		load_list(c, LIVE, targets, nr);
	free(path);
	free(cached);
	for (u32 i = 0; i < nr; i++)
		if (why.code && !targets[i].table->nr)
			targets[i].table->error = why;
}

/*
 * The table keeps the addresses of its file, which are those of the file's debug information too:
 * one segment leads there from where the recording had that code.
 */
static void set_segment(struct symtab *table, u64 recorded, u64 size, u64 in_file)
{
	free(table->segments);
	table->segments = xcalloc(1, sizeof(*table->segments));
	table->segments[0] = (struct segment){ .offset = recorded, .size = size, .vaddr = in_file };
	table->nr_segments = 1;
}

static void relocate_vmlinux(const struct context *c, struct symtab *table)
{
	const struct symbol *ref = NULL, *end = table->symbols + table->nr;

	for (const struct symbol *s = table->symbols; s < end && !ref && c->ref_symbol; s++)
		if (!strcmp(s->name, c->ref_symbol))
			ref = s;
	/*
	 * _text and _stext may be one address, where another name has won: the lowest is it, but
	 * for variables of each CPU, which count from 0.
	 */
	for (const struct symbol *s = table->symbols; s < end && !ref; s++)
		if (s->start >> 63)
			ref = s;
	table->nr_segments = 0;
	if (ref && c->ref_symbol)
		set_segment(table, c->ref_addr, UINT64_MAX - c->ref_addr, ref->start);
	table->source = SYMTAB_VMLINUX;
}

static int load_vmlinux(const struct context *c, const char *path, struct kernel_target *target)
{
	struct symtab *table = target->table;
	struct object_file_request request = { .path = path,
		                               .symfs = "",
		                               .build_id = c->id.data,
		                               .build_id_size = c->id.size,
		                               .debug_dir = "/usr/lib/debug",
		                               .trail = target->trail };

	symtab__exit(table);
	int ret = symtab__load_elf(table, &request);

	if (!ret)
		relocate_vmlinux(c, table);
	return ret;
}

/* @target: NULL: it is not to be loaded. */
static bool try_vmlinux(const struct context *c, const char *path, struct kernel_target *target)
{
	struct build_id have;

	file_trail__note(target ? target->trail : NULL, path);
	return !build_id__of_file(path, &have) && build_id__equal(&have, &c->id) &&
	       (!target || !load_vmlinux(c, path, target));
}

/* The usual places of a vmlinux, as in 6.1; only one with the recorded build-id is any good. */
static bool find_vmlinux(const struct context *c, struct kernel_target *target)
{
	static const char *const names[] = { "vmlinux", "/boot/vmlinux" };
	static const char *const patterns[] = {
		"%s/boot/vmlinux-%s",
		"%s/usr/lib/debug/boot/vmlinux-%s",
		"%s/lib/modules/%s/build/vmlinux",
		"%s/usr/lib/debug/lib/modules/%s/vmlinux",
		"%s/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	struct utsname uts;
	bool found = false;

	if (!c->id.size)
		return false;
	for (unsigned i = 0; i < ARRAY_SIZE(names) && !found; i++) {
		char *path = xasprintf("%s%s", *names[i] == '/' ? c->config->symfs : "", names[i]);

		found = try_vmlinux(c, path, target);
		free(path);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(patterns) && !found && !uname(&uts); i++) {
		char path[512];

		snprintf(path, sizeof(path), patterns[i], c->config->symfs, uts.release);
		found = try_vmlinux(c, path, target);
	}
	return found;
}

/*
 * The kernel's own file goes before lists: it has what they lack, lines and inlined functions.
 * @refused: why the one that was asked for by name is not used.
 */
static void load_kernel_file(const struct context *c, struct kernel_target *target,
                             struct error *refused)
{
	if (c->config->vmlinux && !load_vmlinux(c, c->config->vmlinux, target))
		return;
	if (c->config->vmlinux)
		*refused = target->table->error;
	symtab__exit(target->table);
	find_vmlinux(c, target);
}

/* A module's .ko, at the addresses where it was loaded (relocatable.h). */
static void load_module_file(const struct context *c, struct kernel_target *target)
{
	const struct dso *dso = target->dso;
	const char *path = strtab__get(c->dsos->strings, dso->name);
	struct object_file_request request = { .path = path,
		                               .symfs = c->config->symfs,
		                               .build_id = dso->build_id,
		                               .build_id_size = dso->build_id_size,
		                               .cache_dir = c->config->cache_dir,
		                               .debug_dir = "/usr/lib/debug",
		                               .module_start = dso->text_start,
		                               .trail = target->trail };

	if (path[0] != '/' || !dso->text_start)
		return;
	symtab__exit(target->table);
	symtab__load_elf(target->table, &request);
}

void kernel__load(const struct dsos *dsos, const struct symbol_config *config,
                  struct kernel_target *targets, u32 nr)
{
	struct context c;
	struct error refused = ERROR_INIT;

	context__init(&c, dsos, config);
	for (u32 i = 0; i < nr && !config->kallsyms && !config->ignore_vmlinux; i++)
		if (targets[i].dso->kind == DSO_KERNEL)
			load_kernel_file(&c, &targets[i], &refused);
	if (config->kallsyms)
		load_list(&c, config->kallsyms, targets, nr);
	else
		load_lists(&c, targets, nr);
	for (u32 i = 0; i < nr; i++) {
		if (targets[i].dso->kind == DSO_KERNEL && refused.code)
			targets[i].table->refused = refused;
		if (targets[i].dso->kind == DSO_MODULE && !targets[i].table->nr)
			load_module_file(&c, &targets[i]);
	}
}

bool kernel__has_code(const struct dsos *dsos, const struct symbol_config *config)
{
	struct context c;

	context__init(&c, dsos, config);
	for (u32 i = 0; i < dsos->nr; i++) {
		const struct dso *dso = &dsos->dsos[i];
		const char *path = strtab__get(dsos->strings, dso->name);

		if (dso->kind == DSO_MODULE && *path == '/' && !access(path, R_OK))
			return true;
	}
	if (!config->ignore_vmlinux && (config->vmlinux || find_vmlinux(&c, NULL)))
		return true;
	char *core = kernel_core__find(dsos, config);

	free(core);
	return core;
}
