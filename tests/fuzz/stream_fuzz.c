// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stream: the bytes through a pipe, cut in two where the first byte says. Where that is even, it
 * is read while it comes, else when all of it is there; all of its records in the order of time,
 * each once.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/machine/session.h"
#include "util/reader/ordered.h"

struct sender {
	const u8 *data;
	size_t size;
	int fd;
};

static void *send_halves(void *ctx)
{
	struct sender *s = ctx;
	size_t half = s->size * s->data[-1] / 255; /* the byte in front says it */

	/* Who does not want the rest closes its end. */
	bool more = write(s->fd, s->data, half) == (ssize_t)half;

	if (more && write(s->fd, s->data + half, s->size - half) < 0)
		more = false;
	close(s->fd);
	return NULL;
}

static u64 take(struct ordered *ordered)
{
	struct record record;
	u64 time, nr = 0;

	while (ordered__next(ordered, &record, &time)) {
		fuzz__touch(record.data, record.size);
		nr++;
	}
	return nr;
}

static void read_live(struct session *session)
{
	struct error err = ERROR_INIT;
	bool changed;

	if (session__scan(session, &err))
		return;
	struct ordered *ordered = ordered__new(session->data, &err);
	u64 nr = ordered ? take(ordered) : 0;

	while (ordered && session__more(session, &changed, &err) > 0) {
		perf_data__forget(session->data, ordered__wants_from(ordered));
		FUZZ_CHECK(!ordered__more(ordered, &err));
		nr += take(ordered);
	}
	FUZZ_CHECK(!ordered || nr == ordered__stats(ordered)->nr_records);
	ordered__delete(ordered);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = ERROR_INIT;
	struct session session;
	pthread_t thread;
	char path[64];
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	if (!size || pipe(fds))
		return 0;
	/* The first byte is where it is cut; the stream follows. */
	struct sender sender = { data + 1, size - 1, fds[1] };

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	int read_end = open(path, O_RDONLY | O_CLOEXEC);

	close(fds[0]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", read_end);
	pthread_create(&thread, NULL, send_halves, &sender);
	if (!session__open(&session, path, sender.data[-1] & 1 ? 0 : PERF_DATA_LIVE, &err)) {
		read_live(&session);
		session__close(&session);
	}
	close(read_end);
	pthread_join(thread, NULL);
	return 0;
}

/* Three rounds of records, as they are or in compressed ones. */
static void add_seed(void (*add)(const void *data, size_t size), bool swap, bool packed, u8 cut)
{
	struct perf_event_attr attr =
	        built_attr(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	struct builder b = { .swap = swap };

	builder__u8(&b, cut);
	builder__u64(&b, 0x32454c4946524550ull);
	builder__u64(&b, 16);
	size_t at = builder__begin(&b, RECORD_HEADER_ATTR, 0);

	builder__attr(&b, &attr, 128);
	builder__u64(&b, 7);
	builder__end(&b, at);
	struct builder rounds = { .swap = swap };

	for (int round = 0; round < 3; round++) {
		fuzz__add_records(&rounds, attr.sample_type, 8);
		builder__end(&rounds, builder__begin(&rounds, RECORD_FINISHED_ROUND, 0));
	}
	if (packed)
		fuzz__pack(&b, rounds.data, rounds.len, rounds.len / 3);
	else
		builder__bytes(&b, rounds.data, rounds.len);
	builder__exit(&rounds);
	add(b.data, b.len);
	builder__exit(&b);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (int swap = 0; swap < 2; swap++) {
		add_seed(add, swap, false, 0x80);
		add_seed(add, swap, false, 0x81);
		add_seed(add, swap, true, 0x80);
	}
}
