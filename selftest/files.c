// SPDX-License-Identifier: GPL-2.0-or-later
/* perf.data written and read, whole and damaged; the build-id cache. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selftest/tests.h"
#include "util/archive/build_id_cache_add.h"
#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/machine/session.h"
#include "util/reader/ordered.h"
#include "util/writer/writer.h"

#define NR_SAMPLES 3000
#define ID         77

/* A sample as the layout IDENTIFIER|IP|TID|TIME|PERIOD has it. */
struct written_sample {
	struct perf_event_header header;
	u64 id, ip;
	u32 pid, tid;
	u64 time, period;
};

static struct written_sample make_sample(u32 i)
{
	return (struct written_sample){
		.header = { .type = PERF_RECORD_SAMPLE,
		            .misc = PERF_RECORD_MISC_USER,
		            .size = sizeof(struct written_sample) },
		.id = ID,
		.ip = 0x400000 + i * 16,
		.pid = 100 + i % 7,
		.tid = 100 + i % 7,
		/* Two streams that are sorted each: the reader must put them into one order. */
		.time = 1000000 + (i % 1000) * 100 + i / 1000,
		.period = 1 + i % 13,
	};
}

/* Write a recording of NR_SAMPLES samples. 0 or a negative errno. */
static int write_recording(const char *path, struct error *err)
{
	static const char *const words[] = { "test" };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		               PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.sample_freq = 99,
		.freq = 1,
	};
	struct data_writer *writer = data_writer__new(path, err);
	struct evlist list = { .nr = 0 };
	struct feature_source source = {
		.root = "", .version = "self test", .evlist = &list, .words = words, .nr_words = 1
	};
	int ret = writer ? 0 : err->code;

	evsel__add_id(evlist__add(&list, &attr, "cpu-clock:u"), ID);
	if (!ret)
		ret = data_writer__start(writer, &list, err);
	for (u32 i = 0; i < NR_SAMPLES && !ret; i++) {
		struct written_sample sample = make_sample(i);

		ret = data_writer__append_bytes(writer, &sample, sizeof(sample));
	}
	if (!ret)
		ret = data_writer__finish(writer, &source, err);
	data_writer__delete(writer);
	evlist__exit(&list);
	return ret;
}

/* Compare each sample, in the order of time, with what was written. */
static enum verdict compare(struct selftest *test, const struct session *session,
                            struct ordered *ordered)
{
	const struct sample_layout *layout =
	        perf_data__layout(session->data, session->evlist->evsels[0]);
	bool seen[NR_SAMPLES] = { false };
	u64 time, last = 0;
	struct record r;
	u32 nr = 0;

	while (ordered__next(ordered, &r, &time)) {
		struct sample got = { .pid = 0 };
		struct written_sample want;
		u32 i;

		if (r.type != PERF_RECORD_SAMPLE)
			continue;
		EXPECT(test, !sample__decode(layout, &r, false, &got), "sample %u is broken", nr);
		i = (got.ip - 0x400000) / 16;
		EXPECT(test, i < NR_SAMPLES && !seen[i], "sample %u was never written", nr);
		seen[i] = true;
		want = make_sample(i);
		EXPECT(test,
		       got.ip == want.ip && got.pid == want.pid && got.tid == want.tid &&
		               got.time == want.time && got.period == want.period,
		       "sample %u came back changed", i);
		EXPECT(test, time >= last, "sample %u came out of order", nr);
		last = time;
		nr++;
	}
	selftest__say(test, "%u samples read", nr);
	EXPECT(test, nr == NR_SAMPLES, "%u of %d samples came back", nr, NR_SAMPLES);
	return SELFTEST_OK;
}

static enum verdict read_back(struct selftest *test, const char *path)
{
	struct error err = ERROR_INIT;
	enum verdict verdict;
	struct session session;
	struct ordered *ordered;
	const struct evsel *evsel;

	if (session__open(&session, path, 0, &err))
		return selftest__fail_error(test, &err);
	evsel = session.evlist->nr == 1 ? session.evlist->evsels[0] : NULL;
	ordered = evsel && !session__scan(&session, &err) ? ordered__new(session.data, &err) : NULL;
	if (!evsel)
		verdict = selftest__fail(test, "%u events came back of 1", session.evlist->nr);
	else if (!ordered)
		verdict = selftest__fail_error(test, &err);
	else if (strcmp(evsel->name, "cpu-clock:u") || evsel->nr_ids != 1 || evsel->ids[0] != ID ||
	         evsel->attr.sample_freq != 99 || !evsel->attr.exclude_kernel)
		verdict = selftest__fail(test, "the event came back changed: '%s'", evsel->name);
	else
		verdict = compare(test, &session, ordered);
	ordered__delete(ordered);
	session__close(&session);
	return verdict;
}

enum verdict test_round_trip(struct selftest *test)
{
	char *path = xasprintf("%s/perf.data", test->dir);
	struct error err = ERROR_INIT;
	enum verdict verdict;

	if (write_recording(path, &err))
		verdict = selftest__fail_error(test, &err);
	else
		verdict = read_back(test, path);
	free(path);
	return verdict;
}

/* ---- damage ---- */

static int write_file(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ssize_t put = fd < 0 ? -1 : write(fd, data, len);

	if (fd >= 0)
		close(fd);
	return put == (ssize_t)len ? 0 : -EIO;
}

/* How many whole samples a file has; -errno when it cannot be opened at all. */
static s64 count_samples(const char *path, u64 *nr_damages)
{
	struct error err = ERROR_INIT;
	struct session session;
	s64 nr;

	if (session__open(&session, path, 0, &err))
		return err.code;
	nr = session__scan(&session, &err);
	if (!nr)
		nr = session.stats.nr_records[PERF_RECORD_SAMPLE];
	*nr_damages = session.stats.nr_damages;
	session__close(&session);
	return nr;
}

/* Cut the file everywhere: what lies whole before the cut must still be there. */
static enum verdict cut(struct selftest *test, const char *path, const u8 *file, size_t len)
{
	u64 start = load_u64(file + 40, false), end = start + load_u64(file + 48, false);

	for (size_t at = len; at > 0; at = at * 31 / 32) {
		u64 damages;
		u64 whole = at <= start
		                    ? 0
		                    : (min_u64(at, end) - start) / sizeof(struct written_sample);
		s64 nr;

		EXPECT(test, !write_file(path, file, at), "cannot write '%s'", path);
		nr = count_samples(path, &damages);
		selftest__detail(test, "cut to %zu bytes: %lld samples", at, (long long)nr);
		if (at <= start)
			EXPECT(test, nr <= 0, "a file without data has %lld samples",
			       (long long)nr);
		else
			EXPECT(test, nr == (s64)whole,
			       "cut to %zu bytes it has %lld samples, not %" PRIu64, at,
			       (long long)nr, whole);
	}
	return SELFTEST_OK;
}

/* Break the size of one record: it and its neighbours may go, all others must stay. */
static enum verdict break_records(struct selftest *test, const char *path, u8 *file, size_t len)
{
	u64 start = load_u64(file + 40, false);

	for (u32 i = 100; i < NR_SAMPLES; i += 700) {
		u8 *header = file + start + i * sizeof(struct written_sample);
		u8 kept[8];
		u64 damages = 0;
		s64 nr;

		memcpy(kept, header, sizeof(kept));
		memset(header, 0xff, sizeof(kept));
		EXPECT(test, !write_file(path, file, len), "cannot write '%s'", path);
		memcpy(header, kept, sizeof(kept));
		nr = count_samples(path, &damages);
		selftest__say(test, "record %u broken: %lld of %d samples left, %" PRIu64 " damage",
		              i, (long long)nr, NR_SAMPLES, damages);
		EXPECT(test, nr >= NR_SAMPLES - 10 && nr < NR_SAMPLES,
		       "one broken record leaves %lld of %d samples", (long long)nr, NR_SAMPLES);
		EXPECT(test, damages, "the damage of record %u was not noticed", i);
	}
	return SELFTEST_OK;
}

enum verdict test_damage(struct selftest *test)
{
	char *path = xasprintf("%s/perf.data", test->dir);
	struct error err = ERROR_INIT;
	enum verdict verdict;
	u8 *file = NULL;
	size_t len;

	if (write_recording(path, &err))
		verdict = selftest__fail_error(test, &err);
	else if (!(file = (u8 *)file__read_all(path, 64 << 20, &len)))
		verdict = selftest__fail(test, "cannot read '%s': %s", path, strerror(errno));
	else if ((verdict = cut(test, path, file, len)) == SELFTEST_OK)
		verdict = break_records(test, path, file, len);
	free(file);
	free(path);
	return verdict;
}

/* ---- build-ids ---- */

static bool same_files(const char *a, const char *b)
{
	size_t len_a = 0, len_b = 0;
	char *text_a = file__read_all(a, 1 << 30, &len_a),
	     *text_b = file__read_all(b, 1 << 30, &len_b);
	bool same = text_a && text_b && len_a == len_b && !memcmp(text_a, text_b, len_a);

	free(text_a);
	free(text_b);
	return same;
}

enum verdict test_build_id_cache(struct selftest *test)
{
	char *cache, *found, hex[BUILD_ID_HEX_SIZE], self[4096];
	struct error err = ERROR_INIT;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	enum verdict verdict = SELFTEST_OK;
	struct build_id id, again;
	int ret;

	self[len < 0 ? 0 : len] = '\0';
	if (build_id__of_file(self, &id) || !id.size)
		return selftest__skip(test, "the program of perf has no build-id");
	selftest__say(test, "%s has build-id %s", self, build_id__hex(&id, hex));
	cache = xasprintf("%s/cache", test->dir);
	ret = build_id_cache__add(cache, self, -1, &id, CACHE_ELF, &err);
	found = ret ? NULL : build_id_cache__find(cache, &id, CACHE_ELF);
	if (ret)
		verdict = selftest__fail_error(test, &err);
	else if (!found)
		verdict = selftest__fail(test, "what was put into the cache is not found there");
	else if (build_id__of_file(found, &again) || !build_id__equal(&id, &again))
		verdict = selftest__fail(test, "the file in the cache has another build-id");
	else if (!same_files(self, found))
		verdict = selftest__fail(test, "the file in the cache is another one");
	id.data[0] ^= 1;
	free(found);
	found = build_id_cache__find(cache, &id, CACHE_ELF);
	if (found && verdict == SELFTEST_OK)
		verdict = selftest__fail(test, "another build-id is found in the cache, too");
	free(found);
	free(cache);
	return verdict;
}
