// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two recordings as one profile (report -i A -i B): the first 32 bits say how long the first is.
 * Nothing is lost or counted twice on the way, and all that the sum refers to is there.
 */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/lib/cursor.h"
#include "util/sum/join.h"

#define HEAD sizeof(u32)

struct recording {
	struct session session;
	struct profile profile;
};

static const struct symbol_config objects = { .symfs = "/nonexistent", .no_live_kernel = true };
static const struct profile_options options = {
	.chains = true, .max_stack = 127, .workers = 1, .objects = &objects
};

static bool read_recording(struct recording *r, const u8 *bytes, size_t size)
{
	if (session__open(&r->session, fuzz__file(bytes, size), PERF_DATA_FORCE, NULL))
		return false;
	if (!session__scan(&r->session, NULL) &&
	    !profile__build(&r->profile, &r->session, &options, NULL))
		return true;
	session__close(&r->session);
	return false;
}

static u64 sum_of(const struct profile *profile)
{
	u64 count = 0;

	for (u64 i = 0; i < profile->nr_rows; i++)
		count += profile->rows[i].count;
	return count;
}

/* Every row is of an event, a thread and a place of the session. */
static void check_rows(const struct recording *r)
{
	const struct profile *profile = &r->profile;
	const struct session *session = &r->session;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];

		FUZZ_CHECK(row->evsel < session->evlist->nr);
		FUZZ_CHECK(row->thread < machine__nr_threads(session->host));
		FUZZ_CHECK(row->node < profile->nr_nodes && row->leaf_loc < profile->nr_locs);
		fuzz__touch(strtab__get(&session->strings, row->comm), 1);
	}
	for (u32 i = 0; i < profile->nr_locs; i++)
		FUZZ_CHECK(profile->locs[i].dso == ID_NONE ||
		           profile->locs[i].dso < session->dsos.nr);
	for (u32 i = 0; i < session->dsos.nr; i++)
		fuzz__touch(strtab__get(&session->strings, dsos__at(&session->dsos, i)->name), 1);
}

static void check_notes(const struct join_notes *notes)
{
	FUZZ_CHECK(!notes->nr_unknown == !notes->unknown);
	FUZZ_CHECK(!notes->nr_rebuilt == !notes->rebuilt);
}

static void join(struct recording *a, struct recording *b)
{
	u64 count = sum_of(&a->profile) + sum_of(&b->profile);
	u64 nr_samples = a->profile.nr_samples + b->profile.nr_samples;
	u64 nr_events = 0;
	struct join_notes notes;

	for (u32 i = 0; i < a->session.evlist->nr; i++)
		nr_events += a->session.stats.samples_of[i];
	for (u32 i = 0; i < b->session.evlist->nr; i++)
		nr_events += b->session.stats.samples_of[i];
	profile__join(&a->profile, &a->session, &b->profile, &b->session, &options, &notes);
	FUZZ_CHECK(!b->profile.nr_rows && a->profile.nr_samples == nr_samples);
	FUZZ_CHECK(sum_of(&a->profile) == count);
	for (u32 i = 0; i < a->session.evlist->nr; i++)
		nr_events -= a->session.stats.samples_of[i];
	FUZZ_CHECK(!nr_events);
	check_rows(a);
	check_notes(&notes);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct recording a, b;

	if (size < HEAD)
		return 0;
	size_t first = min_u64(load_u32(data, false), size - HEAD);

	if (!read_recording(&a, data + HEAD, first))
		return 0;
	/* (The first is read: its file may become the second's.) */
	if (read_recording(&b, data + HEAD + first, size - HEAD - first)) {
		join(&a, &b);
		profile__exit(&b.profile);
		session__close(&b.session);
	}
	profile__exit(&a.profile);
	session__close(&a.session);
	return 0;
}

static void (*add_input)(const void *data, size_t size);
static struct builder last; /* the recording before */

/* Each with itself, and with the one before it. */
static void add_pairs(const void *data, size_t size)
{
	for (u32 i = 0; i < 2; i++) {
		struct builder b = { .len = 0 };
		const void *first = i && last.len ? last.data : data;
		size_t len = i && last.len ? last.len : size;

		builder__u32(&b, len);
		builder__bytes(&b, first, len);
		builder__bytes(&b, data, size);
		add_input(b.data, b.len);
		builder__exit(&b);
	}
	last.len = 0;
	builder__bytes(&last, data, size);
}

static void add_pair(struct file_builder files[2])
{
	struct builder a, b;

	file_builder__finish(&files[0], &a);
	file_builder__finish(&files[1], &b);
	last.len = 0;
	builder__bytes(&last, a.data, a.len);
	add_pairs(b.data, b.len);
	builder__exit(&a);
	builder__exit(&b);
	file_builder__exit(&files[0]);
	file_builder__exit(&files[1]);
}

static void add_map(struct file_builder *f, u64 type, u8 id, const char *name)
{
	size_t at = builder__begin(&f->data, PERF_RECORD_MMAP2, 2 | (id ? 1 << 14 : 0));

	builder__u32(&f->data, 100);
	builder__u32(&f->data, 100);
	builder__u64(&f->data, 0x400000);
	builder__u64(&f->data, 0x10000);
	builder__u64(&f->data, 0);
	builder__u32(&f->data, id ? 20 : 0); /* size of the build-id, or device numbers */
	for (u32 i = 0; i < 20; i++)
		builder__u8(&f->data, id);
	builder__u32(&f->data, 5);
	builder__u32(&f->data, 2);
	builder__text(&f->data, name);
	builder__trailer(&f->data, type,
	                 &(struct built_sample){ .pid = 100, .tid = 100, .time = 9 });
	builder__end(&f->data, at);
}

/* One object by build-ids, which are the same, others, or missing in one of them. */
static void add_objects(u8 first, u8 second)
{
	u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	struct built_sample s = { .pid = 100, .tid = 100, .time = 20, .ip = 0x401000 };
	struct perf_event_attr attr = built_attr(type);
	struct file_builder files[2];

	for (u32 i = 0; i < 2; i++) {
		attr.config += i; /* events that the other has not */
		file_builder__init(&files[i], false);
		file_builder__event(&files[i], &attr, NULL, 0);
		add_map(&files[i], type, i ? second : first, "/usr/bin/prog");
		builder__sample(&files[i].data, type, 2, &s);
	}
	add_pair(files);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const u8 ids[][2] = { { 1, 1 }, { 1, 2 }, { 1, 0 }, { 0, 1 }, { 0, 0 } };

	add_input = add;
	fuzz__perf_data_seeds(add_pairs);
	for (u32 i = 0; i < ARRAY_SIZE(ids); i++)
		add_objects(ids[i][0], ids[i][1]);
	builder__exit(&last);
}
