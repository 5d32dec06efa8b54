// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Linux's perf 6.1 marks the objects of the samples' own addresses. We mark those of the frames
 * as well: an object that is only ever a caller must be found later just the same.
 */
#include "util/record/build_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/machine/hits.h"
#include "util/machine/session.h"
#include "util/symbol/build_id.h"
#include "util/symbol/elf_file.h"

/* ---- from dsos to entries ---- */

static int id_of_vdso(struct build_id *id)
{
	struct elf_file elf;
	size_t size;
	const void *image = build_id__own_vdso(&size);
	bool found;

	if (!image || elf_file__open_memory(&elf, image, size))
		return -ENOENT;
	found = elf_file__build_id(&elf, id);
	elf_file__close(&elf);
	return found ? 0 : -ENOENT;
}

/* "[ext4]", "/lib/modules/R/kernel/fs/ext4/ext4.ko.xz" -> "ext4" */
static int id_of_module(const char *path, struct build_id *id)
{
	char name[128];
	size_t len = 0;

	path = text__basename(path);
	for (path += *path == '['; *path && !strchr(".]", *path) && len + 1 < sizeof(name); path++)
		name[len++] = *path == '-' ? '_' : *path;
	name[len] = '\0';
	return build_id__of_module(name, id);
}

/* A path that is no plain file (any more) is left alone: opening a pipe would wait. */
static int id_of_file(const char *path, struct build_id *id)
{
	struct stat st;

	if (path[0] != '/' || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return -ENOENT;
	return build_id__of_file(path, id);
}

static int id_of_dso(const struct dso *dso, const char *name, struct build_id *id)
{
	if (dso->build_id_size) {
		id->size = dso->build_id_size;
		memcpy(id->data, dso->build_id, sizeof(id->data));
		return 0;
	}
	switch (dso->kind) {
	case DSO_KERNEL:
		return build_id__of_kernel(id);
	case DSO_MODULE:
		return id_of_module(name, id);
	case DSO_VDSO:
		return id_of_vdso(id);
	case DSO_USER:
		return id_of_file(name, id);
	default:
		return -ENOENT;
	}
}

static void add_entry(struct build_id_pass *pass, const struct session *session,
                      const struct dso *dso)
{
	const char *name = strtab__get(&session->strings, dso->name);
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
	struct build_id id = { .size = 0 };
	struct build_id_entry *entry;

	if (id_of_dso(dso, name, &id) || !id.size)
		return;
	array__reserve(&pass->entries, &pass->cap, pass->nr_entries + 1, sizeof(*pass->entries));
	entry = &pass->entries[pass->nr_entries++];
	*entry = (struct build_id_entry){
		.pid = -1,
		.cpumode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.size = id.size,
		.name = xstrdup(dso->kind == DSO_KERNEL ? "[kernel.kallsyms]" : name),
	};
	memcpy(entry->id, id.data, sizeof(entry->id));
}

static void add_entries(struct build_id_pass *pass, const struct session *session, const bool *hit)
{
	for (int kernel = 1; kernel >= 0; kernel--)
		for (u32 i = 0; i < session->dsos.nr; i++) {
			const struct dso *dso = dsos__at(&session->dsos, i);
			bool in_kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;

			if (in_kernel != kernel)
				continue;
			/* The vdso cannot be had later from another kernel: always kept. */
			if (pass->all || hit[i] || dso->kind == DSO_VDSO)
				add_entry(pass, session, dso);
		}
}

static int find_hits(struct build_id_pass *pass, struct session *session)
{
	bool *hit = xcalloc(session->dsos.nr + 1, sizeof(*hit));
	int ret = pass->all ? 0 : session__find_hits(session, HITS_FRAMES, hit);

	add_entries(pass, session, hit);
	free(hit);
	return ret;
}

int build_id_pass__run(struct build_id_pass *pass, const char *path, struct error *err)
{
	struct session session;
	int ret = session__open(&session, path, PERF_DATA_FORCE, err);

	if (ret)
		return ret;
	ret = session__scan(&session, err);
	for (u32 i = 0; !ret && i < session.evlist->nr; i++)
		pass->nr_samples += session.stats.samples_of[i];
	pass->lost = session.stats.lost;
	pass->lost_samples = session.stats.lost_samples;
	if (session.stats.first_time != UINT64_MAX) {
		pass->first_sample = session.stats.first_time;
		pass->last_sample = session.stats.last_time;
	}
	if (!ret && pass->build_ids)
		ret = find_hits(pass, &session);
	session__close(&session);
	return ret;
}

void build_id_pass__exit(struct build_id_pass *pass)
{
	for (u32 i = 0; i < pass->nr_entries; i++)
		free((char *)pass->entries[i].name);
	free(pass->entries);
}

static enum build_id_cache_kind kind_of(const char *name)
{
	if (!strcmp(name, "[kernel.kallsyms]"))
		return CACHE_KALLSYMS;
	return !strcmp(name, "[vdso]") ? CACHE_VDSO : CACHE_ELF;
}

u32 build_id_pass__fill_cache(const struct build_id_pass *pass, const char *dir, struct error *err)
{
	u32 failed = 0;

	for (u32 i = 0; i < pass->nr_entries; i++) {
		const struct build_id_entry *entry = &pass->entries[i];
		struct build_id id = { .size = entry->size };

		if (entry->name[0] == '[' && kind_of(entry->name) == CACHE_ELF)
			continue; /* a module without a file */
		memcpy(id.data, entry->id, sizeof(id.data));
		if (build_id_cache__add(dir, entry->name, &id, kind_of(entry->name), err))
			failed++;
	}
	return failed;
}
