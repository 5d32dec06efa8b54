// SPDX-License-Identifier: GPL-2.0-or-later
/* The stream form as bytes, and pipes whose readers are slow or gone. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/format/ends.h"
#include "util/format/record.h"
#include "util/lib/cursor.h"
#include "util/writer/pipe_write.h"

static struct evsel *add_event(struct evlist *list, const char *name, u32 nr_ids)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };
	struct evsel *evsel = evlist__add(list, &attr, name);

	for (u32 i = 0; i < nr_ids; i++)
		evsel__add_id(evsel, 40 + i);
	return evsel;
}

static struct feature_source make_source(const struct evlist *list)
{
	static const char *const words[] = { "record", "true" };

	return (struct feature_source){
		.root = "", .version = "9.9", .evlist = list, .words = words, .nr_words = 2
	};
}

TEST(stream_begins_with_attrs_and_features)
{
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	int fds[2];
	u8 bytes[65536];
	u64 last = 0, at = 16, size;
	u32 nr_features = 0;

	add_event(&list, "cpu-clock", 2);
	add_event(&list, "page-faults", 1);
	CHECK_EQ(pipe(fds), 0);
	struct data_writer *writer = data_writer__new_stream(fds[1], "-");
	struct feature_source source = make_source(&list);

	CHECK_EQ(pipe_form__begin(writer, &source, &err), 0);
	CHECK(!data_writer__is_file(writer));
	CHECK_EQ(data_writer__finish(writer, &source, &err), 0);
	u64 written = data_writer__data_size(writer);

	data_writer__delete(writer);
	ssize_t len = read(fds[0], bytes, sizeof(bytes));

	CHECK_EQ(len, written);
	CHECK_EQ(read(fds[0], bytes + len, 1), 0); /* finishing adds nothing, deleting closes */
	close(fds[0]);
	CHECK(!memcmp(bytes, "PERFILE2", 8));
	CHECK_EQ(load_u64(bytes + 8, false), 16);
	for (u32 i = 0; i < 2; i++) {
		CHECK_EQ(load_u32(bytes + at, false), RECORD_HEADER_ATTR);
		size = bytes[at + 6] | bytes[at + 7] << 8;
		CHECK_EQ(size, 8 + 128 + (i ? 8 : 16));
		CHECK_EQ(load_u64(bytes + at + 8 + 128, false), 40);
		at += size;
	}
	for (; at + 16 <= (u64)len; at += size) { /* no data; 8 bytes of the mark at the end */
		u64 feature = load_u64(bytes + at + 8, false);

		CHECK_EQ(load_u32(bytes + at, false), RECORD_HEADER_FEATURE);
		size = bytes[at + 6] | bytes[at + 7] << 8;
		CHECK(size >= 16);
		CHECK(feature > last);
		CHECK(feature != FEATURE_BUILD_ID);
		last = feature;
		nr_features++;
		if (size < 16)
			break;
	}
	CHECK_EQ(at + 8, len);
	CHECK_EQ(load_u32(bytes + at, false), RECORD_FINISHED_ROUND);
	CHECK_EQ(load_u16(bytes + at + 4, false), ENDS_MISC);
	CHECK_EQ(load_u16(bytes + at + 6, false), 8);
	CHECK_EQ(load_u16(bytes + 16 + 4, false), ENDS_MISC); /* of the first HEADER_ATTR */
	CHECK_EQ(size, 16); /* the end of the features has no body */
	CHECK_EQ(last, FEATURE_PMU_CAPS + 1);
	CHECK(nr_features > 5);
	evlist__exit(&list);
}

TEST(stream_refuses_more_ids_than_a_record_holds)
{
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	int fds[2];

	add_event(&list, "cpu-clock", 8174); /* 8 + 128 + 8174 * 8 = 65528 still fits */
	CHECK_EQ(pipe(fds), 0);
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	struct data_writer *writer = data_writer__new_stream(fds[1], "-");
	struct feature_source source = make_source(&list);

	CHECK_EQ(pipe_form__begin(writer, &source, &err), 0);
	u64 before = data_writer__data_size(writer);

	evsel__add_id(list.evsels[0], 9);
	CHECK_EQ(pipe_form__begin(writer, &source, &err), -E2BIG);
	CHECK(strstr(err.cause, "8175 counters"));
	CHECK_EQ(data_writer__data_size(writer), before);
	data_writer__delete(writer);
	close(fds[0]);
	evlist__exit(&list);
}

TEST(stream_waits_for_a_slow_reader)
{
	enum { NR = 20000 };
	u8 record[64] = { RECORD_FINISHED_ROUND, [6] = sizeof(record) };
	int fds[2], status;

	CHECK_EQ(pipe(fds), 0);
	fcntl(fds[1], F_SETFL, O_NONBLOCK); /* as some parents leave it */
	pid_t reader = fork();

	if (!reader) {
		u64 sum = 0;
		ssize_t n;
		u8 buf[4096];

		close(fds[1]);
		usleep(20000); /* so that the pipe is full once; the result does not depend on it */
		while ((n = read(fds[0], buf, sizeof(buf))) > 0)
			sum += n;
		_exit(sum != NR * sizeof(record));
	}
	close(fds[0]);
	struct data_writer *writer = data_writer__new_stream(fds[1], "-");

	for (u32 i = 0; i < NR; i++)
		if (data_writer__append_bytes(writer, record, sizeof(record))) {
			CHECK(!"the full pipe was an error");
			break;
		}
	data_writer__delete(writer);
	CHECK_EQ(waitpid(reader, &status, 0), reader);
	CHECK_EQ(status, 0);
}

TEST(stream_without_a_reader_says_so_and_keeps_saying_it)
{
	u8 record[8] = { RECORD_FINISHED_ROUND, [6] = sizeof(record) };
	struct error err = ERROR_INIT;
	struct evlist list = { .nr = 0 };
	struct feature_source source = make_source(&list);
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	CHECK_EQ(pipe(fds), 0);
	close(fds[0]);
	struct data_writer *writer = data_writer__new_stream(fds[1], "-");

	CHECK_EQ(data_writer__append_bytes(writer, record, sizeof(record)), -EPIPE);
	CHECK_EQ(data_writer__append_bytes(writer, record, sizeof(record)), -EPIPE);
	CHECK_EQ(data_writer__data_size(writer), 0);
	CHECK_EQ(data_writer__finish(writer, &source, &err), -EPIPE);
	data_writer__delete(writer);
	signal(SIGPIPE, SIG_DFL);
}

static u64 put_until_full(struct data_writer *writer, int *ret)
{
	static u8 record[4096] = { PERF_RECORD_SAMPLE, 0, 0, 0, 0, 0, 0, 16 };

	do
		*ret = data_writer__append_bytes(writer, record, sizeof(record));
	while (!*ret);
	return data_writer__data_size(writer);
}

/* Waiting ends when we are to end and the reader takes nothing, by a descriptor or from the start.
 */
TEST(stream_gives_up_a_stopped_reader_when_it_is_to_end)
{
	for (int way = 0; way < 2; way++) {
		int fds[2], end[2], ret;

		CHECK_EQ(pipe(fds), 0);
		CHECK_EQ(pipe(end), 0);
		bool other = way && geteuid() == 0;

		if (other)
			CHECK_EQ(seteuid(23456), 0);
		struct data_writer *writer = data_writer__new_stream(fds[1], "-");

		if (other)
			CHECK_EQ(seteuid(0), 0);
		data_writer__set_end(writer, end[0]);
		if (way)
			data_writer__hurry(writer);
		else
			CHECK_EQ(write(end[1], "x", 1), 1);
		u64 size = put_until_full(writer, &ret);

		CHECK_EQ(ret, -ETIMEDOUT);
		CHECK(size >= 4096 && size % 4096 == 0); /* whole records */
		CHECK_EQ(data_writer__append_bytes(writer, "12345678", 8), -ETIMEDOUT);
		CHECK(!(fcntl(fds[1], F_GETFL) & O_NONBLOCK)); /* others have that pipe, too */
		data_writer__delete(writer);
		close(fds[0]);
		close(end[0]);
		close(end[1]);
	}
}
