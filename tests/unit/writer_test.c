// SPDX-License-Identifier: GPL-2.0-or-later
/* perf.data files as bytes: what data_writer and feature_write put where. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/file.h"
#include "util/writer/writer.h"

static char *in_tmpdir(const char *name)
{
	return xasprintf("%s/%s", unit__tmpdir(), name);
}

static void put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void make_evlist(struct evlist *list)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };
	struct evsel *evsel;

	*list = (struct evlist){ .nr = 0 };
	evsel = evlist__add(list, &attr, "cpu-clock");
	evsel__add_id(evsel, 41);
	evsel__add_id(evsel, 42);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	evsel = evlist__add(list, &attr, "page-faults:u");
	evsel__add_id(evsel, 43);
}

/* @nr records of @size bytes each. */
static void append_records(struct data_writer *writer, u32 nr, u16 size)
{
	u8 record[512] = { RECORD_FINISHED_ROUND };

	memcpy(record + 6, &size, sizeof(size));
	for (u32 i = 0; i < nr && !data_writer__append_bytes(writer, record, size); i++)
		;
}

static struct feature_source make_source(const struct evlist *list)
{
	static const char *const words[] = { "record", "-g", "true" };

	return (struct feature_source){
		.root = "", .version = "9.9", .evlist = list, .words = words, .nr_words = 3
	};
}

/* The section of a feature in a file's bytes; NULL: its bit is clear. */
static const u8 *section(const u8 *file, unsigned feature, u64 *size)
{
	u64 table = load_u64(file + 40, false) + load_u64(file + 48, false);

	if (!(load_u64(file + 72 + feature / 64 * 8, false) >> feature % 64 & 1))
		return NULL;
	for (unsigned f = 0; f < feature; f++)
		if (load_u64(file + 72 + f / 64 * 8, false) >> f % 64 & 1)
			table += 16;
	*size = load_u64(file + table + 8, false);
	return file + load_u64(file + table, false);
}

TEST(writer_lays_out_header_ids_attrs_data_features)
{
	char *path = in_tmpdir("perf.data");
	struct evlist list;
	struct error err = ERROR_INIT;
	struct data_writer *writer = data_writer__new(path, &err);
	struct feature_source source;
	struct stat st;
	size_t len;
	u64 size = 0;

	CHECK(writer);
	make_evlist(&list);
	CHECK_EQ(data_writer__start(writer, &list, &err), 0);
	append_records(writer, 3, 8);
	CHECK_EQ(data_writer__data_size(writer), 24);
	u8 *early = (u8 *)file__read_all(path, 1 << 20, &len);
	CHECK_EQ(load_u64(early + 48, false), 0); /* not ended: data size 0 */
	free(early);
	source = make_source(&list);
	CHECK_EQ(data_writer__finish(writer, &source, &err), 0);
	data_writer__delete(writer);

	u8 *file = (u8 *)file__read_all(path, 1 << 20, &len);
	CHECK(!memcmp(file, "PERFILE2", 8));
	CHECK_EQ(load_u64(file + 8, false), 104);
	CHECK_EQ(load_u64(file + 16, false), 144);
	CHECK_EQ(load_u64(file + 24, false), 104 + 3 * 8); /* attrs behind three ids */
	CHECK_EQ(load_u64(file + 32, false), 2 * 144);
	CHECK_EQ(load_u64(file + 40, false), 104 + 24 + 288);
	CHECK_EQ(load_u64(file + 48, false), 24);
	CHECK_EQ(load_u64(file + 104 + 16, false), 43);
	/* second attr: its ids */
	CHECK_EQ(load_u64(file + 128 + 144 + 128, false), 104 + 16);
	CHECK_EQ(load_u64(file + 128 + 144 + 136, false), 8);
	const u8 *version = section(file, FEATURE_VERSION, &size);
	CHECK_EQ(size, 68);
	CHECK_STR((const char *)version + 4, "9.9");
	const u8 *desc = section(file, FEATURE_EVENT_DESC, &size);
	CHECK_EQ(load_u32(desc, false), 2);
	CHECK_EQ(load_u32(desc + 4, false), 128);
	CHECK_STR((const char *)desc + 8 + 128 + 8, "cpu-clock");
	const u8 *cmdline = section(file, FEATURE_CMDLINE, &size);
	CHECK_EQ(load_u32(cmdline, false), 4);
	CHECK(!section(file, FEATURE_GROUP_DESC, &size));
	CHECK(!section(file, FEATURE_TRACING_DATA, &size));
	const u8 *last = section(file, FEATURE_PMU_CAPS, &size);
	CHECK(last && last + size == file + len);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600);
	free(file);
	evlist__exit(&list);
	free(path);
}

TEST(writer_keeps_the_older_recording)
{
	char *path = in_tmpdir("perf.data"), *old = in_tmpdir("perf.data.old");
	struct error err = ERROR_INIT;
	struct data_writer *writer;
	char text[16];

	put_text(path, "PERFILE2 one");
	put_text(old, "PERFILE2 zero");
	writer = data_writer__new(path, &err);
	CHECK(writer);
	file__read_text(old, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 one");
	data_writer__delete(writer); /* never started: as if it had never been */
	file__read_text(path, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 one");
	put_text(path, "PERFILE2 two");
	writer = data_writer__new(path, &err);
	data_writer__abandon(writer);
	file__read_text(path, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 two");
	file__read_text(old, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 zero");
	writer = data_writer__new(path, &err);
	data_writer__settle(writer); /* from now on there is no way back for that */
	data_writer__abandon(writer);
	file__read_text(path, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 two");
	CHECK(access(old, F_OK) < 0);
	free(path);
	free(old);
}

static bool has(const char *path, const char *name)
{
	char *full = xasprintf("%s/%s", path, name);
	bool there = access(full, F_OK) == 0;

	free(full);
	return there;
}

TEST(writer_makes_a_folder_with_parts)
{
	char *path = in_tmpdir("perf.data"), *old = in_tmpdir("perf.data.old");
	struct data_writer *writer, *part;
	struct evlist list;
	struct stat st;

	make_evlist(&list);
	put_text(path, "PERFILE2 older");
	writer = data_writer__new_folder(path, NULL);
	CHECK(!stat(old, &st) && S_ISREG(st.st_mode));
	CHECK(!stat(path, &st) && S_ISDIR(st.st_mode) && (st.st_mode & 0777) == 0700);
	CHECK_EQ(data_writer__start(writer, &list, NULL), 0);
	for (u32 i = 0; i < 3; i++) {
		part = data_writer__new_part(writer, NULL);
		append_records(part, i, 8);
		CHECK_EQ(data_writer__data_end(part), 8 * i); /* from byte 0 on */
		data_writer__delete(part);
	}
	data_writer__delete(writer);
	CHECK(has(path, "data") && has(path, "data.0") && has(path, "data.2"));
	CHECK(!has(path, "data.3"));

	writer = data_writer__new_folder(path, NULL); /* and folders make room for each other */
	CHECK(has(old, "data.2") && has(path, "data") && !has(path, "data.0"));
	part = data_writer__new_part(writer, NULL);
	data_writer__delete(part);
	data_writer__abandon(writer);
	CHECK(has(path, "data.2"));
	CHECK(!stat(old, &st) && S_ISREG(st.st_mode)); /* and what that was is there again */
	evlist__exit(&list);
	free(path);
	free(old);
}

/* What perf did not make is not removed with the older folder. */
TEST(writer_keeps_what_others_put_into_a_folder)
{
	char *path = in_tmpdir("perf.data"), *old = in_tmpdir("perf.data.old");
	char *mine = in_tmpdir("perf.data.old/notes"), *data = in_tmpdir("perf.data.old/data");
	struct error err = ERROR_INIT;
	struct data_writer *writer;

	put_text(path, "PERFILE2 older");
	mkdir(old, 0700);
	put_text(data, "PERFILE2 oldest");
	put_text(mine, "mine");
	CHECK(!data_writer__new(path, &err) && err.code == -EEXIST);
	CHECK(has(old, "data") && has(old, "notes"));
	CHECK_EQ(unlink(mine), 0);
	writer = data_writer__new(path, &err);
	CHECK(writer && !has(old, "data"));
	data_writer__delete(writer);
	CHECK(!unlink(path) && !mkdir(path, 0700));
	free(mine);
	mine = in_tmpdir("perf.data/notes");
	put_text(mine, "mine");
	CHECK(!data_writer__new_folder(path, &err) && err.code == -EISDIR);
	free(path);
	free(old);
	free(mine);
	free(data);
}

/* Nothing is moved before it is known that all of it may be. */
TEST(writer_knows_recordings_from_other_files)
{
	static const char *const texts[] = { "notes", "PERFILE is my word", "PERFILE" };
	char *path = in_tmpdir("x"), *old = in_tmpdir("x.old"), *data = in_tmpdir("x.old/data");
	char *part = in_tmpdir("x.old/data.01"), *slash = in_tmpdir("x/"), text[32];
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		put_text(path, texts[i]);
		CHECK(!data_writer__new(path, &err) && err.code == -EEXIST);
		CHECK(!data_writer__new_folder(path, &err) && err.code == -EEXIST);
		CHECK(!data_writer__new_beside(path, &err) && err.code == -EEXIST);
		file__read_text(path, text, sizeof(text));
		CHECK_STR(text, texts[i]);
	}
	put_text(path, "PERFILE2 older");
	put_text(old, "notes");
	CHECK(!data_writer__new(path, &err) && err.code == -EEXIST);
	CHECK_STR(err.subject, old);
	CHECK_EQ(unlink(old), 0);
	CHECK_EQ(mkdir(old, 0700), 0);
	put_text(data, "notes");
	CHECK(!data_writer__new(path, &err) && err.code == -EEXIST);
	put_text(data, "PERFILE2");
	put_text(part, "notes"); /* no name of ours */
	CHECK(!data_writer__new(path, &err) && err.code == -EEXIST);
	file__read_text(path, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 older");
	CHECK(!data_writer__new(slash, &err) && err.code == -EISDIR);
	free(path);
	free(old);
	free(data);
	free(part);
	free(slash);
}

TEST(writer_beside_leaves_the_older_one_until_the_end)
{
	char *path = in_tmpdir("perf.data"), *old = in_tmpdir("perf.data.old"), text[32];
	struct data_writer *writer;
	struct evlist list;

	make_evlist(&list);
	put_text(path, "PERFILE2 older");
	for (int put = 0; put < 2; put++) {
		writer = data_writer__new_beside(path, NULL);
		CHECK_EQ(data_writer__start(writer, &list, NULL), 0);
		append_records(writer, 1, 8);
		file__read_text(path, text, sizeof(text));
		CHECK_STR(text, "PERFILE2 older");
		CHECK(access(old, F_OK) < 0);
		if (put)
			CHECK_EQ(data_writer__put(writer, NULL), 0);
		data_writer__delete(writer);
	}
	file__read_text(old, text, sizeof(text));
	CHECK_STR(text, "PERFILE2 older");
	file__read_text(path, text, sizeof(text));
	CHECK(strcmp(text, "PERFILE2 older") && !strncmp(text, "PERFILE2", 8));
	evlist__exit(&list);
	free(path);
	free(old);
}

/* Each gets a file of its own, also before the first has written a byte. */
TEST(writer_shares_no_file_with_another_recorder)
{
	char *path = in_tmpdir("perf.data"), *old = in_tmpdir("perf.data.old"), *found;
	struct data_writer *first = data_writer__new(path, NULL), *second, *third;
	struct error err = ERROR_INIT;
	struct evlist list;

	make_evlist(&list);
	second = data_writer__new(path, &err);
	CHECK(second);
	CHECK_EQ(data_writer__start(first, &list, NULL), 0);
	CHECK_EQ(data_writer__start(second, &list, NULL), 0);
	append_records(first, 1, 8);
	append_records(second, 3, 8);
	found = data_writer__find(first);
	CHECK_STR(found, old);
	free(found);
	found = data_writer__find(second);
	CHECK_STR(found, path);
	free(found);

	/* The first is not thrown away while it is written. */
	third = data_writer__new(path, &err);
	CHECK(!third && err.code == -EBUSY);
	CHECK_STR(err.subject, old);

	/* Nor does it take the name of another with it. */
	found = data_writer__path_to_read(first);
	CHECK(found && access(found, R_OK) == 0);
	free(found);
	CHECK_EQ(unlink(old), 0);
	CHECK(!data_writer__find(first));
	CHECK_EQ(data_writer__rename(first, "elsewhere", &err), -ESTALE);
	data_writer__abandon(first);
	found = data_writer__find(second);
	CHECK_STR(found, path);
	free(found);
	data_writer__delete(second);
	CHECK_EQ(access(path, F_OK), 0);
	evlist__exit(&list);
	free(path);
	free(old);
}

TEST(writer_takes_an_empty_folder_as_it_is)
{
	char *path = in_tmpdir("mine"), *old = in_tmpdir("mine.old");
	struct error err = ERROR_INIT;
	struct stat before, after;

	CHECK(!mkdir(path, 0755) && !stat(path, &before));
	int held = open(path, O_RDONLY); /* so that no other folder gets its inode */
	struct data_writer *writer = data_writer__new_folder(path, &err);

	close(held);
	CHECK(writer && !stat(path, &after));
	CHECK_EQ(after.st_ino, before.st_ino);
	CHECK_EQ(after.st_mode & 0777, 0700);
	CHECK(access(old, F_OK) != 0);
	data_writer__delete(writer);
	free(path);
	free(old);
}

TEST(writer_refuses_odd_paths)
{
	char *folder = in_tmpdir("folder"), *pipe = in_tmpdir("pipe"), *lost = in_tmpdir("no/file");
	struct error err = ERROR_INIT;

	mkdir(folder, 0700);
	CHECK(!data_writer__new(folder, &err) && err.code == -EISDIR);
	mkfifo(pipe, 0600);
	CHECK(!data_writer__new(pipe, &err) && err.code == -EINVAL);
	CHECK(!data_writer__new(lost, &err) && err.code == -ENOENT);
	struct data_writer *null = data_writer__new("/dev/null", &err);
	CHECK(null);
	data_writer__delete(null);
	CHECK(access("/dev/null", F_OK) == 0);
	free(folder);
	free(pipe);
	free(lost);
}

TEST(writer_refuses_other_users_files)
{
	char *path = in_tmpdir("perf.data"), *link_path = in_tmpdir("link");
	char *old = in_tmpdir("perf.data.old");
	struct error err = ERROR_INIT;
	struct stat st;

	if (geteuid() != 0) {
		unit__skip("making a file of another user needs root");
		goto out;
	}
	put_text(path, "PERFILE2 theirs");
	CHECK_EQ(chown(path, 12345, 12345), 0);
	CHECK_EQ(symlink(path, link_path), 0);
	CHECK_EQ(lchown(link_path, 12345, 12345), 0);
	CHECK_EQ(chmod(unit__tmpdir(), 0777), 0);
	CHECK(!data_writer__new(link_path, &err) && err.code == -EPERM);
	CHECK_EQ(seteuid(23456), 0);
	CHECK(!data_writer__new(path, &err) && err.code == -EPERM);
	CHECK_EQ(seteuid(0), 0);
	CHECK(!data_writer__new(path, &err) && err.code == -EPERM); /* they could put it back */
	put_text(path, "");
	CHECK(!data_writer__new(path, &err) && err.code == -EPERM); /* nor into an empty one */
	CHECK_EQ(chmod(unit__tmpdir(), 0755), 0);
	struct data_writer *writer = data_writer__new(path, &err);
	CHECK(writer && !stat(path, &st) && st.st_uid == 0);
	CHECK(!stat(old, &st) && st.st_uid == 12345);
	data_writer__delete(writer);
out:
	free(path);
	free(old);
	free(link_path);
}

TEST(writer_passes_pieces_of_a_record)
{
	char *path = in_tmpdir("perf.data");
	struct evlist list;
	struct data_writer *writer = data_writer__new(path, NULL);
	u8 record[16] = { RECORD_FINISHED_ROUND, 0, 0, 0, 0, 0, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct iovec iov[] = { { record, 5 }, { record + 5, 0 }, { record + 5, 11 } };
	size_t len;

	make_evlist(&list);
	CHECK_EQ(data_writer__start(writer, &list, NULL), 0);
	CHECK_EQ(data_writer__append(writer, iov, 3), 0);
	CHECK_EQ(data_writer__seal(writer, NULL), 0);
	data_writer__delete(writer);
	u8 *file = (u8 *)file__read_all(path, 1 << 20, &len);
	u64 data = load_u64(file + 40, false);
	CHECK_EQ(load_u64(file + 48, false), 16);
	CHECK_EQ(len, data + 16);
	CHECK(!memcmp(file + data, record, 16));
	free(file);
	evlist__exit(&list);
	free(path);
}

/* RLIMIT_FSIZE plays the full disk: EFBIG in the middle of a record. */
TEST(writer_ends_at_a_whole_record_when_nothing_fits)
{
	char *path = in_tmpdir("perf.data");
	struct evlist list;
	struct error err = ERROR_INIT;
	struct data_writer *writer = data_writer__new(path, NULL);
	struct rlimit saved, limit;
	u8 records[10 * 24] = { 0 };

	for (u32 i = 0; i < 10; i++)
		records[i * 24 + 6] = 24;
	make_evlist(&list);
	CHECK_EQ(data_writer__start(writer, &list, NULL), 0);
	getrlimit(RLIMIT_FSIZE, &saved);
	limit = saved;
	limit.rlim_cur = 104 + 24 + 288 + 110; /* four records and a header */
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK_EQ(data_writer__append_bytes(writer, records, sizeof(records)), -EFBIG);
	CHECK_EQ(data_writer__data_size(writer), 4 * 24);
	CHECK_EQ(data_writer__append_bytes(writer, records, 24), -EFBIG);
	struct feature_source source = make_source(&list);
	CHECK_EQ(data_writer__finish(writer, &source, &err), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &saved);
	signal(SIGXFSZ, SIG_DFL);
	data_writer__delete(writer);
	size_t len;
	u8 *file = (u8 *)file__read_all(path, 1 << 20, &len);
	CHECK_EQ(load_u64(file + 48, false), 4 * 24);
	CHECK_EQ(load_u64(file + 72, false), 0); /* no room for features */
	free(file);
	evlist__exit(&list);
	free(path);
}

TEST(writer_puts_a_build_id_into_a_map)
{
	char *path = in_tmpdir("perf.data");
	struct evlist list;
	struct data_writer *writer = data_writer__new(path, NULL);
	u8 id[20], map[104] = { PERF_RECORD_MMAP2, [4] = PERF_RECORD_MISC_USER, [6] = 104 };
	struct mmap_record read_back;

	memset(id, 0xab, sizeof(id));
	make_evlist(&list);
	CHECK_EQ(data_writer__start(writer, &list, NULL), 0);
	u64 start = 104 + 24 + 288; /* header, ids, attrs */

	CHECK_EQ(data_writer__append_bytes(writer, map, sizeof(map)), 0);
	append_records(writer, 1, 104);
	CHECK_EQ(data_writer__set_map_build_id(writer, start, id, 20), 0);
	CHECK_EQ(data_writer__set_map_build_id(writer, start, id, 21), -EINVAL);
	CHECK_EQ(data_writer__set_map_build_id(writer, start + 104, id, 20), -EBADMSG);
	CHECK_EQ(data_writer__set_map_build_id(writer, start + 208, id, 20), -EBADMSG);
	data_writer__delete(writer);
	size_t len;
	u8 *file = (u8 *)file__read_all(path, 1 << 20, &len);
	struct record record = { .data = file + start,
		                 .type = load_u32(file + start, false),
		                 .misc = load_u16(file + start + 4, false),
		                 .size = load_u16(file + start + 6, false) };

	CHECK_EQ(record.misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	CHECK_EQ(mmap_record__decode(&record, false, &read_back), 0);
	CHECK_EQ(read_back.build_id_size, 20);
	CHECK(!memcmp(read_back.build_id, id, 20));
	free(file);
	evlist__exit(&list);
	free(path);
}

TEST(writer_describes_groups_build_ids_and_clocks)
{
	struct evlist list;
	struct out out;
	struct build_id_entry id = { .pid = -1, .cpumode = 2, .size = 20, .name = "/bin/a" };
	struct feature_source source;

	make_evlist(&list);
	list.evsels[0]->nr_members = 2;
	list.evsels[1]->leader = 0;
	source = make_source(&list);
	out__init(&out, -1);
	CHECK(feature__write(FEATURE_GROUP_DESC, &source, &out));
	CHECK_EQ(load_u32(out.buf, false), 1);
	CHECK_STR(out.buf + 8, "{anon_group}");
	CHECK_EQ(load_u32(out.buf + 8 + 64 + 4, false), 2);
	out.len = 0;
	CHECK(!feature__write(FEATURE_CLOCK_DATA, &source, &out));
	source.clockid_set = true;
	source.clockid = 1;
	source.clock_ns = 77;
	CHECK(feature__write(FEATURE_CLOCK_DATA, &source, &out));
	CHECK_EQ(out.len, 24);
	CHECK_EQ(load_u64(out.buf + 16, false), 77);
	out.len = 0;
	CHECK(!feature__write(FEATURE_BUILD_ID, &source, &out));
	source.build_ids_wanted = true;
	source.build_ids = &id;
	source.nr_build_ids = 1;
	CHECK(feature__write(FEATURE_BUILD_ID, &source, &out));
	CHECK_EQ(out.len, 100);
	CHECK_EQ(load_u16(out.buf + 4, false), 0x8002);
	CHECK_EQ(load_u16(out.buf + 6, false), 100);
	CHECK_EQ(out.buf[32], 20);
	CHECK_STR(out.buf + 36, "/bin/a");
	out__exit(&out);
	evlist__exit(&list);
}

/* What does not fit into the record of a build-id, and events with branches. */
TEST(writer_leaves_out_what_cannot_be_said)
{
	char *name = xcalloc(40000, 1);
	struct build_id_entry ids[] = { { .size = 20, .name = name },
		                        { .size = 20, .name = "/b" } };
	struct feature_source source;
	struct evlist list;
	struct out out;

	memset(name, 'x', 39999);
	make_evlist(&list);
	source = make_source(&list);
	source.build_ids_wanted = true;
	source.build_ids = ids;
	source.nr_build_ids = 2;
	source.clock_resolution = 4;
	out__init(&out, -1);
	CHECK(feature__write(FEATURE_BUILD_ID, &source, &out));
	CHECK_EQ(out.len, 100);
	out.len = 0;
	CHECK(!feature__write(FEATURE_CLOCKID, &source, &out));
	source.clockid_set = true;
	CHECK(feature__write(FEATURE_CLOCKID, &source, &out));
	CHECK_EQ(out.len, 8);
	CHECK_EQ(load_u64(out.buf, false), 4);
	CHECK(!feature__write(FEATURE_BRANCH_STACK, &source, &out));
	list.evsels[1]->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	CHECK(feature__write(FEATURE_BRANCH_STACK, &source, &out));
	out__exit(&out);
	evlist__exit(&list);
	free(name);
}

static void put_under(const char *root, const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", root, path);

	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	put_text(full, text);
	free(full);
}

TEST(writer_describes_memory_nodes_caches_and_pmus)
{
	struct evlist list;
	struct feature_source source;
	struct out out;
	const char *root = unit__tmpdir();

	make_evlist(&list);
	source = make_source(&list);
	source.root = root;
	out__init(&out, -1);
	CHECK(!feature__write(FEATURE_MEM_TOPOLOGY, &source, &out));
	put_under(root, "sys/devices/system/memory/block_size_bytes", "8000000\n");
	put_under(root, "sys/devices/system/node/node1/memory3/x", "");
	put_under(root, "sys/devices/system/node/node1/memory70/x", "");
	put_under(root, "sys/devices/system/node/node0/meminfo",
	          "Node 0 MemTotal:  100 kB\nNode 0 MemFree:  40 kB\n");
	put_under(root, "sys/devices/system/node/node0/cpulist", "0-3\n");
	out.len = 0;
	CHECK(feature__write(FEATURE_MEM_TOPOLOGY, &source, &out));
	CHECK_EQ(load_u64(out.buf + 8, false), 0x8000000);
	CHECK_EQ(load_u64(out.buf + 16, false), 2);
	CHECK_EQ(load_u64(out.buf + 24 + 8, false), 0); /* node 0 has no blocks */
	CHECK_EQ(load_u64(out.buf + 48, false), 1);     /* node 1 */
	CHECK_EQ(load_u64(out.buf + 56, false), 71);    /* bits */
	CHECK_EQ(load_u64(out.buf + 72, false), 1u << 3);
	CHECK_EQ(load_u64(out.buf + 80, false), 1u << 6);
	CHECK_EQ(out.len, 88);
	out.len = 0;
	CHECK(!feature__write(FEATURE_NUMA_TOPOLOGY, &source, &out)); /* node 1 says nothing */
	put_under(root, "sys/devices/system/node/node1/meminfo",
	          "Node 1 MemTotal:  200 kB\nNode 1 MemFree:  none\n");
	put_under(root, "sys/devices/system/node/node1/cpulist", "4\n");
	CHECK(!feature__write(FEATURE_NUMA_TOPOLOGY, &source, &out));
	put_under(root, "sys/devices/system/node/node1/meminfo",
	          "Node 1 MemTotal:  200 kB\nNode 1 MemFree:  50 kB\n");
	out.len = 0;
	CHECK(feature__write(FEATURE_NUMA_TOPOLOGY, &source, &out));
	CHECK_EQ(load_u32(out.buf, false), 2);
	CHECK_EQ(load_u32(out.buf + 4, false), 0); /* node 0, its memory, what is free, its CPUs */
	CHECK_EQ(load_u64(out.buf + 8, false), 100);
	CHECK_EQ(load_u64(out.buf + 16, false), 40);
	CHECK_STR(out.buf + 28, "0-3");
	CHECK_EQ(load_u32(out.buf + 28 + 64, false), 1);
	CHECK_EQ(load_u64(out.buf + 32 + 64, false), 200);
	CHECK_EQ(load_u64(out.buf + 40 + 64, false), 50);
	CHECK_STR(out.buf + 52 + 64, "4");
	put_under(root, "sys/bus/event_source/devices/cpu/caps/branches", "32\n");
	put_under(root, "sys/bus/event_source/devices/cpu/type", "4\n");
	out.len = 0;
	CHECK(feature__write(FEATURE_PMU_MAPPINGS, &source, &out));
	CHECK_EQ(load_u32(out.buf, false), 1);
	CHECK_EQ(load_u32(out.buf + 4, false), 4);
	CHECK_STR(out.buf + 12, "cpu");
	out.len = 0;
	CHECK(feature__write(FEATURE_CPU_PMU_CAPS, &source, &out));
	CHECK_EQ(load_u32(out.buf, false), 1);
	CHECK_STR(out.buf + 8, "branches");
	put_under(root, "sys/devices/system/cpu/cpu0/cache/index0/level", "2\n");
	put_under(root, "sys/devices/system/cpu/cpu0/cache/index1/level", "1\n");
	put_under(root, "sys/devices/system/cpu/cpu0/cache/index1/size", "48K\n");
	out.len = 0;
	CHECK(feature__write(FEATURE_CACHE, &source, &out));
	CHECK_EQ(load_u32(out.buf + 4, false), 2);
	CHECK_EQ(load_u32(out.buf + 8, false), 1); /* ordered by level */
	CHECK_STR(out.buf + 24 + 68 + 4, "48K");
	out__exit(&out);
	evlist__exit(&list);
}

#if defined(__x86_64__)
TEST(writer_describes_the_processor)
{
	struct evlist list;
	struct feature_source source;
	struct out out;

	make_evlist(&list);
	source = make_source(&list);
	source.root = unit__tmpdir();
	out__init(&out, -1);
	CHECK(!feature__write(FEATURE_CPUDESC, &source, &out)); /* no /proc/cpuinfo */
	CHECK(!feature__write(FEATURE_TOTAL_MEM, &source, &out));
	put_under(source.root, "proc/cpuinfo", "model\n");
	CHECK(!feature__write(FEATURE_CPUDESC, &source, &out));
	CHECK(!feature__write(FEATURE_CPUID, &source, &out));
	put_under(source.root, "proc/cpuinfo",
	          "vendor_id\t: Maker \ncpu family\t: 6\nmodel\t\t: 85\n"
	          "model name\t: The  Chip   @ 2 \nstepping\t: 7\n\nmodel name\t: Other\n");
	CHECK(feature__write(FEATURE_CPUDESC, &source, &out));
	CHECK_STR(out.buf + 4, "The Chip @ 2");
	out.len = 0;
	CHECK(feature__write(FEATURE_CPUID, &source, &out));
	CHECK_STR(out.buf + 4, "Maker,6,85,7");
	put_under(source.root, "proc/meminfo", "MemTotal:   1234 kB\n");
	out.len = 0;
	CHECK(feature__write(FEATURE_TOTAL_MEM, &source, &out));
	CHECK_EQ(load_u64(out.buf, false), 1234);
	out__exit(&out);
	evlist__exit(&list);
}
#endif

TEST(writer_copies_the_formats_of_recorded_tracepoints)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = 128, .config = 7 };
	struct evlist list = { 0 };
	struct feature_source source;
	const char *root = unit__tmpdir();
	struct out out;

	evlist__add(&list, &attr, "sched:b:k");
	attr.config = 8;
	evlist__add(&list, &attr, "irq:c");
	attr.config = 9; /* not what the folder says */
	evlist__add(&list, &attr, "irq:d");
	source = make_source(&list);
	out__init(&out, -1);
	CHECK(!feature__write(FEATURE_TRACING_DATA, &source, &out));
	source.tracefs = root;
	CHECK(!feature__write(FEATURE_TRACING_DATA, &source, &out));
	put_under(root, "events/header_page", "PAGE");
	put_under(root, "events/header_event", "EVENT");
	put_under(root, "events/sched/b/id", "7\n");
	put_under(root, "events/sched/b/format", "FB");
	put_under(root, "events/irq/c/id", "8\n");
	put_under(root, "events/irq/c/format", "FCC");
	put_under(root, "events/irq/d/id", "10\n");
	put_under(root, "events/irq/d/format", "FD");
	put_under(root, "saved_cmdlines", "1 init\n");
	out.len = 0;
	CHECK(feature__write(FEATURE_TRACING_DATA, &source, &out));
	static const char want[] = "\027\010\104tracing0.6\0\0\010\0\020\0\0"
	                           "header_page\0\4\0\0\0\0\0\0\0PAGE"
	                           "header_event\0\5\0\0\0\0\0\0\0EVENT"
	                           "\0\0\0\0"
	                           "\2\0\0\0sched\0\1\0\0\0\2\0\0\0\0\0\0\0FB"
	                           "irq\0\1\0\0\0\3\0\0\0\0\0\0\0FCC"
	                           "\0\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0001 init\n";
	if (sysconf(_SC_PAGESIZE) == 4096 && sizeof(long) == 8) {
		CHECK_EQ(out.len, sizeof(want) - 1);
		CHECK(!memcmp(out.buf, want, sizeof(want) - 1));
	}
	out__exit(&out);
	evlist__exit(&list);
}
