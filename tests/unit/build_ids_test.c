// SPDX-License-Identifier: GPL-2.0-or-later
/* The pass over a finished recording: which objects were hit, and their build-ids. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/unit/builder.h"
#include "tests/unit/elf_builder.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/record/build_ids.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_IDENTIFIER)
#define ID 71

/* An ELF file whose build-id is 20 times @byte. The path is owned by the caller. */
static char *make_object(const char *name, u8 byte)
{
	struct elf_builder e = { .is64 = true, .build_id_size = 20 };
	char *path;

	memset(e.build_id, byte, sizeof(e.build_id));
	elf_builder__build(&e);
	path = xstrdup(builder__write(&e.image, name));
	elf_builder__exit(&e);
	return path;
}

static void map(struct file_builder *f, u64 time, u64 start, const char *path)
{
	struct built_sample at = { .pid = 5, .tid = 5, .time = time, .id = ID };

	builder__mmap2(&f->data, TYPE, &at, PERF_RECORD_MISC_USER, start, 0x1000, 0, path);
}

static void sample(struct file_builder *f, u64 time, u64 ip, u64 caller)
{
	const u64 chain[] = { (u64)PERF_CONTEXT_USER, ip, caller };
	struct built_sample s = {
		.pid = 5, .tid = 5, .time = time, .id = ID, .ip = ip, .chain = chain, .nr_chain = 3
	};

	builder__sample(&f->data, TYPE, PERF_RECORD_MISC_USER, &s);
}

struct rig {
	char *paths[5];
	struct file_builder file;
	char *data;
};

/*
 * 0: hit by a sample. 1: only ever a caller. 2: mapped and never hit. 3: mapped late at the place
 * of 0, hit only then. 4: a pipe, hit.
 */
static void rig__init(struct rig *rig)
{
	struct perf_event_attr attr = built_attr(TYPE);
	const u64 id = ID;

	*rig = (struct rig){ .data = NULL };
	for (u8 i = 0; i < 4; i++) {
		char name[] = { 'a' + i, '\0' };

		rig->paths[i] = make_object(name, 0x10 + i);
	}
	rig->paths[4] = xasprintf("%s/pipe", unit__tmpdir());
	CHECK_EQ(mkfifo(rig->paths[4], 0600), 0);
	file_builder__init(&rig->file, false);
	file_builder__event(&rig->file, &attr, &id, 1);
	for (u32 i = 0; i < 3; i++)
		map(&rig->file, 10 + i, 0x10000 * (i + 1), rig->paths[i]);
	map(&rig->file, 13, 0x50000, rig->paths[4]);
	for (u32 i = 0; i < 50; i++)
		sample(&rig->file, 100 + i, 0x10010, 0x20020);
	sample(&rig->file, 160, 0x50000, 0x10010);
	map(&rig->file, 200, 0x10000, rig->paths[3]);
	for (u32 i = 0; i < 50; i++)
		sample(&rig->file, 300 + i, 0x10010, 0);
	rig->data = xstrdup(file_builder__write(&rig->file, "x.data"));
}

static void rig__exit(struct rig *rig)
{
	file_builder__exit(&rig->file);
	for (u32 i = 0; i < ARRAY_SIZE(rig->paths); i++)
		free(rig->paths[i]);
	free(rig->data);
}

static const struct build_id_entry *find(const struct build_id_pass *pass, const char *name)
{
	for (u32 i = 0; i < pass->nr_entries; i++)
		if (!strcmp(pass->entries[i].name, name))
			return &pass->entries[i];
	return NULL;
}

TEST(build_ids_of_samples_callers_and_late_maps)
{
	struct build_id_pass pass = { .build_ids = true };
	struct rig rig;

	rig__init(&rig);
	CHECK_EQ(build_id_pass__run(&pass, rig.data, NULL), 0);
	CHECK_EQ(pass.nr_samples, 101);
	CHECK_EQ(pass.first_sample, 100);
	CHECK_EQ(pass.last_sample, 349);
	for (u32 i = 0; i < 5; i++)
		CHECK_EQ(find(&pass, rig.paths[i]) != NULL, i != 2 && i != 4);
	const struct build_id_entry *entry = find(&pass, rig.paths[1]);
	if (entry) {
		CHECK_EQ(entry->size, 20);
		CHECK_EQ(entry->id[19], 0x11);
		CHECK_EQ(entry->cpumode, PERF_RECORD_MISC_USER);
		CHECK_EQ(entry->pid, -1);
	}
	build_id_pass__exit(&pass);
	rig__exit(&rig);
}

TEST(build_ids_of_all_maps_or_none)
{
	struct build_id_pass all = { .build_ids = true, .all = true }, none = { .nr_samples = 0 };
	struct rig rig;

	rig__init(&rig);
	CHECK_EQ(build_id_pass__run(&all, rig.data, NULL), 0);
	for (u32 i = 0; i < 5; i++)
		CHECK_EQ(find(&all, rig.paths[i]) != NULL, i != 4);
	CHECK_EQ(build_id_pass__run(&none, rig.data, NULL), 0);
	CHECK_EQ(none.nr_samples, 101);
	CHECK_EQ(none.nr_entries, 0);
	build_id_pass__exit(&all);
	build_id_pass__exit(&none);
	rig__exit(&rig);
}

TEST(build_ids_fill_the_cache)
{
	struct build_id_pass pass = { .build_ids = true };
	struct error err = ERROR_INIT;
	char *dir = xasprintf("%s/cache", unit__tmpdir());
	char *elf = xasprintf("%s/.build-id/10/10101010101010101010101010101010101010/elf", dir);
	struct rig rig;

	rig__init(&rig);
	CHECK_EQ(build_id_pass__run(&pass, rig.data, NULL), 0);
	CHECK_EQ(build_id_pass__fill_cache(&pass, dir, &err), 0);
	CHECK_EQ(access(elf, R_OK), 0);
	CHECK_EQ(build_id_pass__fill_cache(&pass, dir, &err), 0); /* all there */
	unlink(rig.paths[1]);
	CHECK_EQ(build_id_pass__run(&pass, "/no/such/file", &err), -ENOENT);
	build_id_pass__exit(&pass);
	free(dir);
	free(elf);
	rig__exit(&rig);
}

/* Two inodes under one name: only our own file's build-id can be had, and its map is to carry it.
 */
TEST(build_ids_of_files_that_share_a_name)
{
	struct build_id_pass pass = { .build_ids = true };
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;
	const u64 id = ID;
	char *path = make_object("shared", 0x33);
	struct built_sample at = { .pid = 5, .tid = 5, .time = 1, .id = ID };
	struct stat st;

	CHECK_EQ(stat(path, &st), 0);
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, &id, 1);
	u64 offsets[2];

	for (u32 i = 0; i < 2; i++) {
		at.maj = major(st.st_dev) ? major(st.st_dev) : 8;
		at.min = minor(st.st_dev);
		at.ino = st.st_ino + i;
		at.time = 1 + i;
		offsets[i] = f.data.len;
		builder__mmap2(&f.data, TYPE, &at, PERF_RECORD_MISC_USER, 0x10000 * (i + 1), 0x1000,
		               0, path);
		sample(&f, 10 + i, 0x10000 * (i + 1), 0);
	}
	CHECK_EQ(build_id_pass__run(&pass, file_builder__write(&f, "shared.data"), NULL), 0);
	if (major(st.st_dev)) {
		CHECK_EQ(pass.nr_entries, 1);
		CHECK_EQ(pass.nr_maps, 1);
		CHECK_EQ(pass.maps[0].entry, 0);
		CHECK(pass.maps[0].offset < offsets[1] + 1024); /* of the first map */
	}
	build_id_pass__exit(&pass);
	file_builder__exit(&f);
	free(path);
}

TEST(build_ids_pass_counts_the_samples_of_each_event)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct build_id_pass pass = { .build_ids = false };
	struct file_builder f;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ ID }, 1);
	file_builder__event(&f, &attr, (u64[]){ ID + 1 }, 1);
	for (u32 i = 0; i < 10; i++) {
		struct built_sample s = {
			.pid = 5, .tid = 5, .time = 100 + i, .id = i == 9 ? ID + 1 : ID
		};

		builder__sample(&f.data, TYPE, PERF_RECORD_MISC_USER, &s);
	}
	CHECK_EQ(build_id_pass__run(&pass, file_builder__write(&f, "counts.data"), NULL), 0);
	CHECK_EQ(pass.nr_samples, 10);
	CHECK_EQ(pass.samples_of[0], 9);
	CHECK_EQ(pass.samples_of[1], 1);
	build_id_pass__exit(&pass);
	file_builder__exit(&f);
}
