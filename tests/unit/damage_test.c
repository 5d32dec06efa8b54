// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Thousands of seeded damages of good files, each through the reader, the first walk and the
 * reduction to a profile: never a signal or a hang, and each record that lies before the first
 * damaged byte is seen, at its place and as what it is.
 *
 * The files are made ones, and the real ones that PERF_DAMAGE_FILES names (separated by colons;
 * tests/cli/damage.sh records some). PERF_DAMAGES and PERF_DAMAGE_SEED set how many and which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/machine/session.h"
#include "util/profile/profile.h"
#include "util/reader/features.h"

#define DAMAGES_DEFAULT 1500 /* per file */
#define FILE_MAX        (1u << 20)

struct record_position {
	u64 offset;
	u32 type;
	u16 size;
};

struct base {
	char name[128];
	u8 *bytes;
	size_t size;
	bool swap;
	u64 data_offset, data_end;
	struct record_position *positions; /* of all records */
	size_t nr_positions, positions_cap;
};

static u64 random_state;

static u64 random_below(u64 n)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return n ? random_state * 0x2545f4914f6cdd1dull % n : 0;
}

static const char *memory_file(const void *bytes, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0)
		fd = memfd_create("damage", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	BUG_ON(ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size);
	return path;
}

/* ---- the good file ---- */

static int note_positions(void *ctx, const struct data_block *block)
{
	struct base *base = ctx;

	for (struct record r = { 0 }; data_block__next(block, base->swap, &r);) {
		array__reserve(&base->positions, &base->positions_cap, base->nr_positions + 1,
		               sizeof(*base->positions));
		base->positions[base->nr_positions++] =
		        (struct record_position){ r.offset, r.type, r.size };
	}
	return 0;
}

/* Takes over @bytes. */
static void base__init(struct base *base, const char *name, u8 *bytes, size_t size)
{
	struct error err = ERROR_INIT;
	u32 nr = 1;

	*base = (struct base){ .bytes = bytes, .size = size };
	snprintf(base->name, sizeof(base->name), "%s", name);
	struct perf_data *data = perf_data__open(memory_file(bytes, size), PERF_DATA_FORCE, &err);

	CHECK(data);
	if (!data)
		return;
	base->swap = perf_data__swapped(data);
	base->data_offset = perf_data__info(data)->data_offset;
	base->data_end = base->data_offset + perf_data__info(data)->data_size;
	CHECK_EQ(perf_data__walk(data, note_positions, base, &err), 0);
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 0);
	perf_data__close(data);
}

static void base__exit(struct base *base)
{
	free(base->bytes);
	free(base->positions);
}

/* ---- the damage ---- */

struct damage {
	const char *kind;
	size_t first, end; /* bytes that may differ from the good file: [first, end) */
};

static void swap_words(u8 *bytes, size_t a, size_t b, size_t width)
{
	u8 keep[8];

	memcpy(keep, bytes + a, width);
	memcpy(bytes + a, bytes + b, width);
	memcpy(bytes + b, keep, width);
}

/* Mostly in the data: that is where files are large. */
static size_t random_offset(const struct base *base, size_t width)
{
	size_t from = random_below(8) ? base->data_offset : 0;
	size_t to = random_below(8) ? base->data_end : base->size;

	return from + random_below(to - from - width + 1);
}

static struct damage make_damage(const struct base *base, u8 *bytes, size_t *size)
{
	size_t at = random_offset(base, 8), len = 1 + random_below(random_below(4) ? 64 : 4096);
	size_t other = random_offset(base, 8);

	len = min_u64(len, base->size - at);
	switch (random_below(6)) {
	case 0:
		bytes[at] ^= 1u << random_below(8);
		return (struct damage){ "bit flip", at, at + 1 };
	case 1:
		*size = at;
		return (struct damage){ "truncation", at, base->size };
	case 2:
		memset(bytes + at, 0, len);
		return (struct damage){ "zeros", at, at + len };
	case 3:
		for (size_t i = 0; i < len; i++)
			bytes[at + i] = random_below(256);
		return (struct damage){ "noise", at, at + len };
	case 4:
		at &= ~3ull;
		other &= ~3ull;
		swap_words(bytes, at, other, 4);
		return (struct damage){ "swapped fields", min_u64(at, other),
			                max_u64(at, other) + 4 };
	default:
		at &= ~1ull;
		bytes[at] = bytes[at + 1] = random_below(2) ? 0xff : 8;
		return (struct damage){ "a 16-bit field", at, at + 2 };
	}
}

/* ---- what must hold ---- */

struct follow {
	const struct base *base;
	struct perf_data *data;
	size_t next, nr_before; /* records wholly before the damage */
	bool wrong;
};

static int follow_block(void *ctx, const struct data_block *block)
{
	struct follow *follow = ctx;

	for (struct record r = { 0 };
	     data_block__next(block, perf_data__swapped(follow->data), &r);) {
		if (follow->next == follow->nr_before)
			return 0;
		const struct record_position *want = &follow->base->positions[follow->next++];

		follow->wrong |=
		        r.offset != want->offset || r.type != want->type || r.size != want->size;
	}
	return 0;
}

static size_t nr_before(const struct base *base, size_t offset)
{
	size_t nr = 0;

	while (nr < base->nr_positions &&
	       base->positions[nr].offset + base->positions[nr].size <= offset)
		nr++;
	return nr;
}

/* The reader sees what lies before the damage. False: it refused the file. */
static bool check_reader(const struct base *base, const char *path, size_t first)
{
	struct error err = ERROR_INIT;
	struct follow follow = { .base = base, .nr_before = nr_before(base, first) };

	follow.data = perf_data__open(path, PERF_DATA_FORCE, &err);
	if (!follow.data) {
		CHECK(err.code < 0 && err.what[0] && err.cause[0]);
		return false;
	}
	CHECK_EQ(perf_data__walk(follow.data, follow_block, &follow, &err), 0);
	/* Without its header nobody can say where the records are. */
	if (first >= base->data_offset)
		CHECK(follow.next == follow.nr_before && !follow.wrong);
	perf_data__close(follow.data);
	return true;
}

/* The walk and the reduction end, and count no fewer samples than there surely are. */
static void check_session(const struct base *base, const char *path, size_t first)
{
	struct profile_options options = { .chains = true, .max_stack = 127, .workers = 1 };
	struct error err = ERROR_INIT;
	struct profile profile;
	struct session session;
	u64 samples = 0;

	if (session__open(&session, path, PERF_DATA_FORCE, &err))
		return;
	if (session__scan(&session, &err)) {
		/* Only where the events are described can damage make all of it nonsense. */
		CHECK(first < base->data_offset && err.cause[0]);
		session__close(&session);
		return;
	}
	for (size_t i = nr_before(base, first); i-- && first >= base->data_offset;)
		samples += base->positions[i].type == PERF_RECORD_SAMPLE;
	CHECK(session.stats.nr_records[PERF_RECORD_SAMPLE] >= samples);
	if (!profile__build(&profile, &session, &options, &err)) {
		CHECK(profile.nr_samples + profile.problems.nr_broken +
		              session.stats.nr_unknown_id >=
		      samples);
		profile__exit(&profile);
	}
	session__close(&session);
}

static unsigned env_number(const char *name, unsigned otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

static void damage_base(const struct base *base, unsigned nr)
{
	u8 *bytes = malloc(base->size);
	unsigned opened = 0;

	random_state = env_number("PERF_DAMAGE_SEED", 1) * 0x9e3779b97f4a7c15ull | 1;
	for (unsigned i = 0; i < nr && !unit__has_failed(); i++) {
		size_t size = base->size;

		memcpy(bytes, base->bytes, size);
		struct damage damage = make_damage(base, bytes, &size);
		const char *path = memory_file(bytes, size);
		bool good = check_reader(base, path, damage.first);

		opened += good;
		if (damage.first >= base->data_offset && damage.end <= base->data_end)
			CHECK(good); /* nothing outside the records was touched */
		if (good)
			check_session(base, path, damage.first);
		if (unit__has_failed())
			printf("  %s: damage %u, %s at %zu-%zu\n", base->name, i, damage.kind,
			       damage.first, damage.end);
	}
	CHECK(opened > nr / 2);
	free(bytes);
}

/* ---- the files ---- */

static void add_round(struct builder *b)
{
	builder__end(b, builder__begin(b, RECORD_FINISHED_ROUND, 0));
}

static void add_records(struct builder *b, u64 type)
{
	static const u64 chain[] = { (u64)-128, 0xffffffff81000100, (u64)-512, 0x401000, 0x401100 };
	struct built_sample s = { .pid = 100, .tid = 100, .id = 7, .time = 1000 };

	builder__comm(b, type, &s, "parent");
	builder__mmap2(b, type, &s, 2, 0x400000, 0x10000, 0x1000, "/usr/bin/true");
	for (unsigned i = 0; i < 200; i++) {
		s.time += 10;
		s.ip = 0x401000 + i * 4;
		s.period = 100;
		s.chain = chain;
		s.nr_chain = i % 6;
		builder__sample(b, type, i % 3 ? 2 : 1, &s);
		if (i % 16 == 4) {
			s.pid = s.tid = 101 + i;
			builder__task(b, type, &s, PERF_RECORD_FORK, 100, 100);
			builder__comm(b, type, &s, "child");
			builder__mmap2(b, type, &s, 2, 0x7f0000000000 + i * 4096, 0x10000, 0,
			               "/lib/x.so");
		}
		if (i % 16 == 13)
			builder__task(b, type, &s, PERF_RECORD_EXIT, 100, 100);
		if (i % 5 == 4)
			add_round(b);
	}
}

static void damage_made(const char *name, bool swap, unsigned nr_events, u64 type)
{
	struct file_builder f;
	struct builder out;
	struct base base;

	file_builder__init(&f, swap);
	for (u64 i = 0; i < nr_events; i++) {
		struct perf_event_attr attr = built_attr(type);

		file_builder__event(&f, &attr, (u64[]){ 7 + i, 70 + i }, 2);
	}
	add_records(&f.data, type);
	builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "h");
	file_builder__finish(&f, &out);
	base__init(&base, name, out.data, out.len);
	damage_base(&base, env_number("PERF_DAMAGES", DAMAGES_DEFAULT));
	base__exit(&base);
	file_builder__exit(&f);
}

#define PLAIN (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

TEST(damage_of_plain_samples)
{
	damage_made("plain", false, 1, PLAIN);
}

TEST(damage_of_call_chains)
{
	damage_made("chains", false, 1, PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU);
}

TEST(damage_of_several_events)
{
	damage_made("events", false, 3, PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IDENTIFIER);
}

TEST(damage_of_the_other_byte_order)
{
	damage_made("swapped", true, 2, PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ID);
}

static void damage_file(const char *path)
{
	FILE *file = fopen(path, "r");
	u8 *bytes = malloc(FILE_MAX);
	size_t size = file ? fread(bytes, 1, FILE_MAX, file) : 0;
	struct base base;

	CHECK(size && size < FILE_MAX);
	if (file)
		fclose(file);
	base__init(&base, text__basename(path), bytes, size);
	if (!unit__has_failed())
		damage_base(&base, env_number("PERF_DAMAGES", DAMAGES_DEFAULT));
	base__exit(&base);
}

TEST(damage_of_real_files)
{
	const char *list = getenv("PERF_DAMAGE_FILES");
	char path[4096];

	if (!list) {
		unit__skip("PERF_DAMAGE_FILES names no files (tests/cli/damage.sh does)");
		return;
	}
	for (size_t len; *list && !unit__has_failed(); list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		snprintf(path, sizeof(path), "%.*s", (int)len, list);
		damage_file(path);
	}
}
