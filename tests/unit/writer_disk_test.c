// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing to disks that are full, slow or broken, and to odd places. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/reader/reader.h"
#include "util/writer/writer.h"

/* A disk on which a file can have so many bytes. */
static struct {
	u64 room;
	size_t most;         /* bytes that one call writes */
	unsigned interrupts; /* each so many calls: EINTR; 0: none */
	unsigned nr_calls;
	int error; /* when there is no room; 0: none, but nothing is written */
	bool cannot_truncate;
} disk;

/* How many of @len bytes go out at @offset; -1 with errno. */
static ssize_t admit(size_t len, u64 offset)
{
	size_t fits = offset < disk.room ? min_u64(len, disk.room - offset) : 0;

	if (disk.interrupts && ++disk.nr_calls % disk.interrupts == 0) {
		errno = EINTR;
		return -1;
	}
	if (len && !fits && !disk.error) /* it says nothing */
		return 0;
	if (len && !fits) {
		errno = disk.error;
		return -1;
	}
	return min_u64(fits, disk.most);
}

static ssize_t disk_pwrite(int fd, const void *buf, size_t len, off_t offset)
{
	ssize_t n = admit(len, offset);

	return n < 0 ? n : pwrite(fd, buf, n, offset);
}

static ssize_t disk_writev(int fd, const struct iovec *iov, int nr)
{
	size_t len = 0, done = 0;
	ssize_t n;

	for (int i = 0; i < nr; i++)
		len += iov[i].iov_len;
	n = admit(len, lseek(fd, 0, SEEK_CUR));
	for (int i = 0; i < nr && (ssize_t)done < n; i++) {
		size_t part = min_u64(iov[i].iov_len, n - done);

		CHECK_EQ(write(fd, iov[i].iov_base, part), part);
		done += part;
	}
	return n;
}

static int disk_ftruncate(int fd, off_t size)
{
	errno = EIO;
	return disk.cannot_truncate ? -1 : ftruncate(fd, size);
}

static const struct writer_calls disk_calls = { disk_pwrite, disk_writev, disk_ftruncate };

static void new_disk(void)
{
	disk.room = ~0ull;
	disk.most = ~(size_t)0;
	disk.interrupts = disk.nr_calls = 0;
	disk.error = ENOSPC;
	disk.cannot_truncate = false;
}

#define SAMPLE_SIZE 40

/* @nr samples, numbered in their ip, each in three pieces. */
static void append_samples(struct data_writer *writer, u64 nr)
{
	for (u64 i = 0; i < nr; i++) {
		struct {
			struct perf_event_header header;
			u64 ip, rest[3];
		} sample = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, SAMPLE_SIZE }, i, { 0 } };
		struct iovec iov[] = { { &sample, 4 },
			               { (u8 *)&sample + 4, 9 },
			               { (u8 *)&sample + 13, SAMPLE_SIZE - 13 } };

		if (data_writer__append(writer, iov, ARRAY_SIZE(iov)))
			break;
	}
}

struct written {
	int start, finish; /* what these returned */
	u64 dropped;
	struct error err;
	char *path;
};

/* A recording of @nr samples on the disk; the features describe an empty system. */
static struct written write_file(const char *name, u64 nr)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		                        .size = 128,
		                        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME |
		                                       PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD };
	struct written w = { .path = xasprintf("%s/%s", unit__tmpdir(), name) };
	struct data_writer *writer = data_writer__new(w.path, &w.err);
	struct evlist list = { .nr = 0 };
	struct feature_source source = { .root = unit__tmpdir(), .version = "1", .evlist = &list };

	evsel__add_id(evlist__add(&list, &attr, "cpu-clock"), 41);
	data_writer__set_calls(writer, &disk_calls);
	w.start = data_writer__start(writer, &list, &w.err);
	if (!w.start) {
		append_samples(writer, nr);
		w.finish = data_writer__finish(writer, &source, &w.err);
		w.dropped = data_writer__dropped_samples(writer);
	}
	data_writer__delete(writer);
	evlist__exit(&list);
	return w;
}

/* The file's samples are 0, 1, 2 ... without a gap: how many? */
static int count_samples(void *ctx, const struct data_block *block)
{
	u64 *nr = ctx;

	for (struct record r = { 0 }; data_block__next(block, false, &r);) {
		CHECK_EQ(r.type, PERF_RECORD_SAMPLE);
		CHECK_EQ(load_u64(r.data + 8, false), *nr);
		++*nr;
	}
	return 0;
}

/* @nr_written: what perf was given; the file says whether it lacks some. */
static u64 read_file(const char *path, u64 nr_written, bool *features)
{
	struct error err = ERROR_INIT;
	struct perf_data *data = perf_data__open(path, 0, &err);
	u64 nr = 0;
	u32 damages;

	CHECK(data);
	if (!data)
		return 0;
	CHECK_EQ(perf_data__walk(data, count_samples, &nr, &err), 0);
	perf_data__damages(data, &damages);
	CHECK_EQ(damages, 0);
	*features = perf_data__has_feature(data, FEATURE_VERSION);
	CHECK(perf_data__ends(data)->incomplete == (nr < nr_written));
	perf_data__close(data);
	return nr;
}

TEST(writer_disk_interrupts_and_short_writes_change_nothing)
{
	size_t len_plain, len;

	new_disk();
	struct written plain = write_file("plain", 500);

	disk.most = 7;
	disk.interrupts = 3;
	struct written slow = write_file("slow", 500);

	CHECK_EQ(slow.start, 0);
	CHECK_EQ(slow.finish, 0);
	char *a = file__read_all(plain.path, 1 << 20, &len_plain);
	char *b = file__read_all(slow.path, 1 << 20, &len);

	CHECK_EQ(len, len_plain);
	CHECK(a && b && !memcmp(a, b, len));
	free(a);
	free(b);
	free(plain.path);
	free(slow.path);
}

TEST(writer_disk_that_takes_nothing_is_an_error)
{
	bool features;

	new_disk();
	disk.error = 0;
	disk.room = 2000;
	struct written w = write_file("nothing", 500);

	CHECK_EQ(w.start, 0);
	CHECK_EQ(w.finish, -EIO);
	CHECK(read_file(w.path, 500, &features) > 20);
	free(w.path);
}

/* However much fits: the file can be read, and no sample is lost that fits with the features. */
TEST(writer_disk_full_anywhere)
{
	const u64 nr = 2000;
	struct stat st;
	bool features;

	new_disk();
	struct written all = write_file("all", nr);

	CHECK_EQ(stat(all.path, &st), 0);
	CHECK_EQ(read_file(all.path, nr, &features), nr);
	CHECK(features);
	free(all.path);
	for (u64 room = 0; room <= (u64)st.st_size; room += room < 400 ? 50 : 1009) {
		struct stat small;

		disk.room = room;
		struct written w = write_file("small", nr);

		if (w.start) {
			CHECK_EQ(w.start, -ENOSPC);
			CHECK(access(w.path, F_OK) < 0); /* not started: nothing stays */
			CHECK(strstr(w.err.advice, "make room"));
			free(w.path);
			continue;
		}
		u64 found = read_file(w.path, nr, &features);
		u64 offset = 104 + 8 + 144, fit = min_u64(nr, (room - offset) / SAMPLE_SIZE);

		CHECK_EQ(w.finish, fit < nr ? -ENOSPC : 0);
		CHECK_EQ(found + w.dropped, fit);
		CHECK_EQ(features, found * SAMPLE_SIZE > 16384 || w.dropped);
		CHECK(w.dropped * SAMPLE_SIZE <= 16384);
		CHECK(!stat(w.path, &small) && (u64)small.st_size <= room);
		free(w.path);
	}
}

TEST(writer_disk_full_and_no_way_to_cut_the_file)
{
	bool features;

	new_disk();
	disk.room = 104 + 8 + 144 + 1000 * SAMPLE_SIZE + 13;
	disk.cannot_truncate = true;
	struct written w = write_file("a", 2000);

	CHECK_EQ(w.finish, -ENOSPC);
	CHECK_EQ(w.dropped, 0);
	CHECK_EQ(read_file(w.path, 2000, &features), 1000);
	CHECK(!features);
	free(w.path);
}

TEST(writer_disk_that_fails_is_no_full_one)
{
	bool features;

	new_disk();
	disk.room = 30000;
	disk.error = EIO;
	struct written w = write_file("a", 2000);

	CHECK_EQ(w.finish, -EIO);
	CHECK_EQ(w.dropped, 0); /* nothing gives way: it would not help */
	CHECK(!w.err.advice[0]);
	CHECK_EQ(read_file(w.path, 2000, &features), (30000 - 256) / SAMPLE_SIZE);
	free(w.path);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

TEST(writer_goes_through_own_links_and_uses_empty_files)
{
	char *path = xasprintf("%s/link", unit__tmpdir());
	char *target = xasprintf("%s/target", unit__tmpdir());
	char *old = xasprintf("%s/link.old", unit__tmpdir()), text[16];
	struct stat st;

	new_disk();
	CHECK_EQ(symlink(target, path), 0); /* to nothing: it is made */
	free(write_file("link", 1).path);
	CHECK(!stat(target, &st) && st.st_size > 100);
	put(target, ""); /* empty: nothing to keep */
	free(write_file("link", 1).path);
	CHECK(access(old, F_OK) < 0);
	CHECK(!lstat(path, &st) && S_ISLNK(st.st_mode));
	put(target, "PERFILE2"); /* the link gets the other name, with what it leads to */
	free(write_file("link", 1).path);
	file__read_text(old, text, sizeof(text));
	CHECK_STR(text, "PERFILE2");
	CHECK(!lstat(path, &st) && S_ISREG(st.st_mode));
	free(path);
	free(target);
	free(old);
}

TEST(writer_says_why_the_older_recording_cannot_move)
{
	char *path = xasprintf("%s/x", unit__tmpdir()),
	     *old = xasprintf("%s/x.old", unit__tmpdir());
	char *inner = xasprintf("%s/x.old/file", unit__tmpdir());
	struct error err = ERROR_INIT;

	put(path, "PERFILE2");
	mkdir(old, 0700);
	put(inner, "mine");
	CHECK(!data_writer__new(path, &err));
	CHECK_STR(err.what, "cannot move the older recording to");
	CHECK_STR(err.subject, old);
	CHECK(strstr(err.advice, old));
	CHECK_EQ(access(path, F_OK), 0);
	free(path);
	free(old);
	free(inner);
}

TEST(writer_advises_another_path_where_it_may_not_write)
{
	char *path = xasprintf("%s/x", unit__tmpdir());
	struct error err = ERROR_INIT;

	chmod(unit__tmpdir(), 0500);
	if (geteuid() == 0 && seteuid(23456) < 0)
		CHECK(false);
	CHECK(!data_writer__new(path, &err) && err.code == -EACCES);
	CHECK(strstr(err.advice, "perf record -o"));
	if (getuid() == 0)
		CHECK_EQ(seteuid(0), 0);
	chmod(unit__tmpdir(), 0700);
	free(path);
}

TEST(writer_without_a_regular_file)
{
	struct data_writer *null = data_writer__new("/dev/null", NULL);

	CHECK(!data_writer__is_file(null));
	data_writer__abandon(null); /* it stays where it is */
	CHECK_EQ(access("/dev/null", F_OK), 0);
	data_writer__delete(NULL);
}
