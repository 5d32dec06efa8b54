// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Linux's perf 6.1 marks the objects of the samples' own addresses. We mark those of the frames
 * as well: an object that is only ever a caller must be found later just the same.
 */
#include "util/record/build_ids.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/analysis/sampled_dsos.h"
#include "util/archive/build_id_cache_add.h"
#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/text.h"
#include "util/machine/session.h"
#include "util/symtab/mapped_file.h"

#define MAX_ROOTS_TRIED 64 /* processes that had one dso mapped */

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

/* A living process that had this dso mapped and sees other files than we do; -1: none found. */
static s32 find_other_root(const struct session *session, u32 dso)
{
	s32 tried[MAX_ROOTS_TRIED];
	u32 nr, nr_tried = 0;
	const struct map_info *maps = machine__maps(session->host, &nr);

	while (nr-- && nr_tried < MAX_ROOTS_TRIED) {
		bool again = maps[nr].dso != dso;

		for (u32 i = 0; i < nr_tried && !again; i++)
			again = tried[i] == maps[nr].pid;
		if (again)
			continue;
		if (process_root__differs(maps[nr].pid))
			return maps[nr].pid;
		tried[nr_tried++] = maps[nr].pid;
	}
	return -1;
}

/*
 * The file that was mapped: our own under that path, or that of a process in a container or
 * chroot (*root then tells which). Without a file that can be it: a negative errno.
 */
static int id_of_file(const struct session *session, u32 number, const char *path,
                      struct build_id *id, s32 *root)
{
	const struct dso *dso = dsos__at(&session->dsos, number);
	char link[32];

	if (path[0] != '/')
		return -ENOENT;
	enum mapped_file ours = mapped_file__check(path, &dso->inode);

	if (!dso->inode.ino && ours == MAPPED_FILE_GONE)
		return -ENOENT;
	if (!dso->inode.ino || ours == MAPPED_FILE_SAME)
		return build_id__of_file(path, id);
	*root = find_other_root(session, number);
	if (*root < 0)
		return ours == MAPPED_FILE_UNKNOWN ? build_id__of_file(path, id) : -ENOENT;
	int fd = process_root__open(*root, path);

	if (fd < 0)
		return fd;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	int ret = build_id__of_file(link, id);

	close(fd);
	return ret;
}

static int id_of_dso(const struct session *session, u32 number, const char *name,
                     struct build_id *id, s32 *root)
{
	const struct dso *dso = dsos__at(&session->dsos, number);

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
		return id_of_file(session, number, name, id, root);
	default:
		return -ENOENT;
	}
}

static void add_entry(struct build_id_pass *pass, const struct session *session, u32 number)
{
	const struct dso *dso = dsos__at(&session->dsos, number);
	const char *name = strtab__get(&session->strings, dso->name);
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
	struct build_id id = { .size = 0 };
	struct build_id_entry *entry;

	s32 root = -1;

	if (id_of_dso(session, number, name, &id, &root) || !id.size)
		return;
	array__reserve(&pass->origins, &pass->origins_cap, pass->nr_entries + 1,
	               sizeof(*pass->origins));
	pass->origins[pass->nr_entries] = (struct build_id_origin){ number, root };
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
				add_entry(pass, session, i);
		}
}

/*
 * By dso: is there another inode of that name? (Two that turn out to be one file do no harm.)
 */
static bool *find_shared_names(const struct session *session)
{
	struct u64map first = U64MAP_INIT;
	bool *shared = xcalloc(session->dsos.nr + 1, sizeof(*shared));

	for (u32 i = 0; i < session->dsos.nr; i++) {
		const struct dso *dso = dsos__at(&session->dsos, i);

		if (dso->kind != DSO_USER || !dso->inode.ino)
			continue;
		u32 *slot = u64map__at(&first, dso->name);

		if (*slot == ID_NONE)
			*slot = i;
		else
			shared[*slot] = shared[i] = true;
	}
	u64map__exit(&first);
	return shared;
}

static void find_maps_to_tell(struct build_id_pass *pass, const struct session *session)
{
	bool *shared = find_shared_names(session);
	u32 *entry_of = xmalloc((session->dsos.nr + 1) * sizeof(*entry_of)), nr;
	const struct map_info *maps = machine__maps(session->host, &nr);

	memset(entry_of, 0xff, (session->dsos.nr + 1) * sizeof(*entry_of)); /* ID_NONE */
	for (u32 i = 0; i < pass->nr_entries; i++)
		if (shared[pass->origins[i].dso])
			entry_of[pass->origins[i].dso] = i;
	for (u32 i = 0; i < nr; i++) {
		u32 entry = maps[i].dso == ID_NONE ? ID_NONE : entry_of[maps[i].dso];

		if (entry == ID_NONE)
			continue;
		array__reserve(&pass->maps, &pass->maps_cap, pass->nr_maps + 1,
		               sizeof(*pass->maps));
		pass->maps[pass->nr_maps++] = (struct map_build_id){ maps[i].when.offset, entry };
	}
	free(entry_of);
	free(shared);
}

static int find_sampled_dsos(struct build_id_pass *pass, struct session *session)
{
	bool *hit = xcalloc(session->dsos.nr + 1, sizeof(*hit));
	int ret = pass->all ? 0 : session__find_sampled_dsos(session, SAMPLED_DSOS_FRAMES, hit);

	add_entries(pass, session, hit);
	find_maps_to_tell(pass, session);
	free(hit);
	return ret;
}

static void count_samples(struct build_id_pass *pass, const struct session *session)
{
	const struct evlist *list = session->evlist;

	pass->samples_of = xcalloc(list->nr + 1, sizeof(*pass->samples_of));
	pass->nr_events = list->nr;
	for (u32 i = 0; i < list->nr; i++) {
		pass->samples_of[i] = session->stats.samples_of[i];
		pass->nr_samples += pass->samples_of[i];
	}
}

int build_id_pass__run(struct build_id_pass *pass, const char *path, struct error *err)
{
	struct session session;
	int ret = session__open(&session, path, PERF_DATA_FORCE, err);

	if (ret)
		return ret;
	if (pass->reading)
		pass->reading(session.data);
	ret = session__scan(&session, err);
	pass->counted = !ret;
	if (!ret)
		count_samples(pass, &session);
	pass->lost = session.stats.lost;
	pass->lost_samples = session.stats.lost_samples;
	if (session.stats.first_time != UINT64_MAX) {
		pass->first_sample = session.stats.first_time;
		pass->last_sample = session.stats.last_time;
	}
	if (!ret && pass->build_ids)
		ret = find_sampled_dsos(pass, &session);
	if (pass->reading)
		pass->reading(NULL);
	session__close(&session);
	return ret;
}

void build_id_pass__exit(struct build_id_pass *pass)
{
	free(pass->samples_of);
	for (u32 i = 0; i < pass->nr_entries; i++)
		free((char *)pass->entries[i].name);
	free(pass->entries);
	free(pass->origins);
	free(pass->maps);
}

u32 build_id_pass__fill_cache(const struct build_id_pass *pass, const char *dir, struct error *err)
{
	u32 failed = 0;

	for (u32 i = 0; i < pass->nr_entries; i++) {
		const struct build_id_entry *entry = &pass->entries[i];
		struct build_id id = { .size = entry->size };

		if (entry->name[0] == '[' && build_id_cache__kind_of(entry->name) == CACHE_ELF)
			continue; /* a module without a file */
		memcpy(id.data, entry->id, sizeof(id.data));
		if (build_id_cache__add(dir, entry->name, pass->origins[i].root, &id,
		                        build_id_cache__kind_of(entry->name), err))
			failed++;
	}
	return failed;
}
