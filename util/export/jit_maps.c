// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/jit_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "util/jit/jit_elf.h"
#include "util/lib/file.h"
#include "util/lib/output_file.h"
#include "util/lib/text.h"
#include "util/symtab/mapped_file.h"

/* One dump that is being read. */
struct reading {
	struct jit_maps *jit;
	const struct jit_mark *mark;
	struct jitdump_header header;
	char *folder; /* with its final slash */
	u32 first_file;
	struct u64map by_index; /* of a function: its newest file */
	struct out image;
	struct error *err;
};

/* "jit-123.dump", the last part of @path: the number in it, or 0. */
static u32 dump_number(const char *path)
{
	const char *name = text__basename(path);
	unsigned number;
	int end = 0;

	if (sscanf(name, "jit-%9u.dump%n", &number, &end) != 1 || !end || name[end])
		return 0;
	return number;
}

static void find_marks(struct jit_maps *jit, struct session *session)
{
	u32 nr;
	const struct map_info *maps = machine__maps(session->host, &nr);

	for (u32 i = 0; i < nr; i++) {
		const struct map_info *map = &maps[i];

		if (map->pid <= 0 || map->dso == ID_NONE || map->data)
			continue;
		const char *path =
		        strtab__get(&session->strings, dsos__at(&session->dsos, map->dso)->name);
		bool known = false;

		if (!dump_number(path) || path[0] != '/')
			continue;
		for (u32 k = 0; !known && k < jit->nr_marks; k++)
			known = jit->marks[k].pid == map->pid && !strcmp(jit->marks[k].path, path);
		if (known)
			continue;
		array__reserve(&jit->marks, &jit->marks_cap, jit->nr_marks + 1,
		               sizeof(*jit->marks));
		jit->marks[jit->nr_marks++] = (struct jit_mark){ map->pid, map->when.time, path };
	}
}

/* ---- the files ---- */

static int write_file(const struct out *image, const char *path, struct dso_inode *inode,
                      struct error *err)
{
	struct output_file file;
	struct stat st;
	int closed, ret = output_file__open(&file, path, OUTPUT_FILE_REPLACE, 0644, NULL, err);

	if (ret)
		return ret;
	ret = file__write_all(file.fd, image->buf, image->len);
	if (!ret && fstat(file.fd, &st))
		ret = -errno;
	closed = output_file__close(&file, !ret);
	if (ret || closed)
		return error__set(err, ret ? ret : closed, "cannot write", path, NULL);
	*inode = (struct dso_inode){ major(st.st_dev), minor(st.st_dev), st.st_ino };
	return 0;
}

static void add_map(struct reading *r, u64 time, u32 tid, u64 start, u64 len, u32 file)
{
	struct jit_maps *jit = r->jit;
	/* Inside of a pid namespace the compiler knows other numbers. */
	bool same = r->header.pid == (u32)r->mark->pid;

	array__reserve(&jit->maps, &jit->maps_cap, jit->nr_maps + 1, sizeof(*jit->maps));
	jit->maps[jit->nr_maps++] =
	        (struct jit_map){ time,  r->mark->pid, same ? (s32)tid : r->mark->pid,
		                  start, len,          file };
}

/* An index that comes again is another function: its file must not replace the first one's. */
static char *file_path(struct reading *r, u64 index)
{
	const char *folder = r->folder;
	unsigned long long number = index;
	u32 *slot = u64map__at(&r->by_index, index);

	bool again = *slot != ID_NONE;
	*slot = r->jit->nr_files;
	if (!again)
		return xasprintf("%sjitted-%u-%llu.so", folder, r->header.pid, number);
	return xasprintf("%sjitted-%u-%llu_%u.so", folder, r->header.pid, number,
	                 r->jit->nr_files - r->first_file);
}

static int take_code(void *ctx, const struct jitdump_code *code)
{
	struct reading *r = ctx;
	struct jit_maps *jit = r->jit;

	if (dump_number(r->mark->path) != r->header.pid)
		return error__set(r->err, -EINVAL, "cannot use the JIT dump", r->mark->path,
		                  "it says that it is of process %u", r->header.pid);
	struct jit_file file = { .path = file_path(r, code->index) };

	r->image.len = 0;
	jit_elf__make(&r->image, r->header.machine, code, &file.id);
	int ret = write_file(&r->image, file.path, &file.inode, r->err);

	if (ret) {
		free(file.path);
		return ret;
	}
	add_map(r, code->time, code->tid, code->addr, code->size, jit->nr_files);
	array__reserve(&jit->files, &jit->files_cap, jit->nr_files + 1, sizeof(*jit->files));
	jit->files[jit->nr_files++] = file;
	return 0;
}

static int take_move(void *ctx, const struct jitdump_move *move)
{
	struct reading *r = ctx;
	u32 file = u64map__get(&r->by_index, move->index);

	if (file != ID_NONE)
		add_map(r, move->time, move->tid, move->to, move->size, file);
	return 0;
}

/* ---- the dumps ---- */

/* A process in a container that still runs has it there. */
static int open_as_process(const struct jit_mark *mark, bool *elsewhere)
{
	int fd = process_root__differs(mark->pid) ? process_root__open(mark->pid, mark->path) : -1;

	*elsewhere = fd >= 0;
	if (fd >= 0)
		return fd;
	fd = open(mark->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

static int open_dump(const struct jit_mark *mark, bool force, bool *elsewhere, struct error *err)
{
	int fd = open_as_process(mark, elsewhere);
	struct stat st;

	if (fd < 0)
		return error__set(err, fd, "cannot open the JIT dump", mark->path, NULL);
	int ret = 0;

	if (fstat(fd, &st)) {
		ret = error__set(err, -errno, "cannot use the JIT dump", mark->path, NULL);
	} else if (!S_ISREG(st.st_mode)) {
		ret = error__set(err, -EINVAL, "cannot use the JIT dump", mark->path,
		                 "not a regular file");
	} else if (st.st_uid && st.st_uid != geteuid() && !force) {
		error__set(err, -EPERM, "ignoring the JIT dump", mark->path,
		           "it belongs to user %u, not to you", st.st_uid);
		ret = error__advise(err,
		                    "run as that user, or use -f: files are written beside it");
	}
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/*
 * What lies in a container is its owner's, who could lead us anywhere with links: nothing is
 * written there, but where we are.
 */
static char *own_folder(void)
{
	char *here = getcwd(NULL, 0);
	char *folder = xasprintf("%s/", here ? here : "");

	free(here);
	return folder;
}

static int read_dump(struct jit_maps *jit, const struct jit_mark *mark, bool force,
                     struct error *err)
{
	struct reading r = { .jit = jit, .mark = mark, .first_file = jit->nr_files, .err = err };
	struct jitdump_handler handler = { &r, take_code, take_move };
	struct jitdump_stats stats;
	bool elsewhere;
	int fd = open_dump(mark, force, &elsewhere, err);

	if (fd < 0)
		return fd;
	r.folder = elsewhere ? own_folder()
	                     : xasprintf("%.*s", (int)(text__basename(mark->path) - mark->path),
	                                 mark->path);
	out__init(&r.image, -1);
	int ret = jitdump__read(fd, mark->path, &r.header, &handler, &stats, err);

	if (!ret && stats.nr_broken)
		ret = error__set(err, -EBADMSG, "not all could be used of the JIT dump", mark->path,
		                 "%llu of its records are damaged",
		                 (unsigned long long)stats.nr_broken);
	else if (!ret && stats.cut)
		ret = error__set(err, -EBADMSG, "not all could be used of the JIT dump", mark->path,
		                 "its last %llu bytes are no whole record",
		                 (unsigned long long)stats.cut);
	out__exit(&r.image);
	u64map__exit(&r.by_index);
	free(r.folder);
	close(fd);
	return ret;
}

static int compare_maps(const void *a, const void *b)
{
	const struct jit_map *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

static void make_machine(struct jit_maps *jit)
{
	strtab__init(&jit->strings);
	jit->machine = machine__new(&jit->strings);
	for (u32 i = 0; i < jit->nr_maps; i++) {
		const struct jit_map *map = &jit->maps[i];

		machine__note_sample_thread(jit->machine, map->pid, map->pid);
		machine__map(jit->machine, &(struct map_info){ .when = { map->time, i },
		                                               .pid = map->pid,
		                                               .tid = map->pid,
		                                               .start = map->start,
		                                               .len = map->len,
		                                               .dso = map->file,
		                                               .prot = PROT_EXEC });
	}
	machine__finish(jit->machine);
}

static int check_clock(const struct session *session, struct error *err)
{
	for (u32 i = 0; i < session->evlist->nr; i++) {
		const struct perf_event_attr *attr = &session->evlist->evsels[i]->attr;

		if (attr->use_clockid && attr->clockid == CLOCK_MONOTONIC && attr->sample_id_all &&
		    (attr->sample_type & PERF_SAMPLE_TIME))
			continue;
		error__set(err, -EINVAL, "cannot put JIT dumps into",
		           perf_data__path(session->data),
		           "its times are not of the clock of the dumps, CLOCK_MONOTONIC");
		return error__advise(err, "perf record -k mono ...");
	}
	return 0;
}

int jit_maps__collect(struct jit_maps *jit, struct session *session, bool force,
                      void (*problem)(void *ctx, const struct error *error), void *ctx,
                      struct error *err)
{
	*jit = (struct jit_maps){ .machine = NULL };
	find_marks(jit, session);
	if (!jit->nr_marks)
		return 0;
	int ret = check_clock(session, err);

	if (ret)
		return ret;
	for (u32 i = 0; i < jit->nr_marks; i++) {
		struct error why = ERROR_INIT;

		if (read_dump(jit, &jit->marks[i], force, &why))
			problem(ctx, &why);
	}
	if (jit->nr_maps)
		qsort(jit->maps, jit->nr_maps, sizeof(*jit->maps), compare_maps);
	make_machine(jit);
	return 0;
}

void jit_maps__exit(struct jit_maps *jit)
{
	for (u32 i = 0; i < jit->nr_files; i++)
		free(jit->files[i].path);
	free(jit->files);
	free(jit->maps);
	free(jit->marks);
	if (jit->machine) {
		machine__delete(jit->machine);
		strtab__exit(&jit->strings);
	}
}

struct jit_file *jit_maps__hit(struct jit_maps *jit, s32 pid, u64 ip, struct moment when)
{
	struct map_hit hit;

	if (!jit->nr_maps)
		return NULL;
	u32 thread = machine__find_thread(jit->machine, pid, pid, when);

	if (thread == ID_NONE || !machine__find_map(jit->machine, thread, false, ip, when, &hit))
		return NULL;
	jit->files[hit.dso].hit = true;
	return &jit->files[hit.dso];
}

bool jit_maps__hides(const struct jit_maps *jit, s32 pid, const char *name, u64 time)
{
	for (u32 i = 0; i < jit->nr_marks; i++) {
		const struct jit_mark *mark = &jit->marks[i];

		if (mark->pid != pid || time < mark->time)
			continue;
		if (!strcmp(name, mark->path) || dso_kind__of_map(name) == DSO_ANON)
			return true;
	}
	return false;
}
