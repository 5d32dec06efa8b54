// SPDX-License-Identifier: GPL-2.0-or-later
/* From the bytes of a file to a finished machine: every kind of record that feeds it. */
#include "util/machine/session.h"

#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/reader/features.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_PERIOD)
#define KERNEL 0xffffffff81000000ull

static struct file_builder f;
static u64 type;     /* sample_type of the file's events */
static u64 trailers; /* what its trailers carry: the same, or nothing */

static void start(u64 sample_type)
{
	type = trailers = sample_type;
	file_builder__init(&f, false);
}

static void event(const u64 *ids, u32 nr)
{
	struct perf_event_attr attr = built_attr(type);

	attr.sample_id_all = trailers != 0;
	file_builder__event(&f, &attr, ids, nr);
}

/* Write, open and scan; the builder is gone afterwards. */
static struct session read_back(void)
{
	struct session session;
	struct error err = ERROR_INIT;

	CHECK_EQ(session__open(&session, file_builder__write(&f, "perf.data"), 0, &err), 0);
	CHECK_EQ(session__scan(&session, &err), 0);
	file_builder__exit(&f);
	return session;
}

static struct built_sample task(u32 pid, u32 tid, u64 time)
{
	return (struct built_sample){ .pid = pid, .tid = tid, .time = time, .id = 1 };
}

static void sample(u32 pid, u32 tid, u64 time, u64 id)
{
	struct built_sample s = task(pid, tid, time);

	s.id = id;
	builder__sample(&f.data, type, PERF_RECORD_MISC_USER, &s);
}

static void comm(u32 pid, u32 tid, u64 time, const char *name)
{
	struct built_sample s = task(pid, tid, time);

	builder__comm(&f.data, trailers, &s, name);
}

static void mmap(u32 pid, u64 time, u16 misc, u64 at, u64 len, u64 pgoff, const char *name)
{
	struct built_sample s = task(pid, pid, time);

	builder__mmap2(&f.data, trailers, &s, misc, at, len, pgoff, name);
}

static void ksymbol(u64 time, u64 addr, u32 len, u16 flags, const char *name)
{
	struct built_sample s = task(0, 0, time);
	size_t at = builder__begin(&f.data, PERF_RECORD_KSYMBOL, 0);

	builder__u64(&f.data, addr);
	builder__u32(&f.data, len);
	builder__u16(&f.data, 1);
	builder__u16(&f.data, flags);
	builder__text(&f.data, name);
	builder__trailer(&f.data, trailers, &s);
	builder__end(&f.data, at);
}

static void lost(u32 record_type, u64 id, u64 nr)
{
	struct built_sample s = { .id = id };
	size_t at = builder__begin(&f.data, record_type, 0);

	if (record_type == PERF_RECORD_LOST)
		builder__u64(&f.data, id);
	builder__u64(&f.data, nr);
	builder__trailer(&f.data, trailers, &s);
	builder__end(&f.data, at);
}

/* A build-id event, as in the header section (type 0) and in the stream. */
static void build_id(struct builder *b, u32 record_type, u16 misc, u8 first, u8 size,
                     const char *name)
{
	size_t at = builder__begin(b, record_type, misc);

	builder__u32(b, -1);
	builder__u8(b, first);
	builder__zero(b, 19);
	builder__u8(b, size);
	builder__zero(b, 3);
	builder__text(b, name);
	builder__end(b, at);
}

static const char *comm_at(const struct session *s, s32 pid, s32 tid, u64 time, u64 offset)
{
	struct moment when = { time, offset };
	u32 thread = machine__find_thread(s->host, pid, tid, when);

	if (thread == ID_NONE)
		return "(no thread)";
	return strtab__get(&s->strings, machine__comm_at(s->host, thread, when));
}

static struct map_hit hit;

static const struct dso *dso_at(const struct session *s, s32 pid, u64 addr, u64 time)
{
	static const struct dso none = { .kind = DSO_UNKNOWN };
	struct moment when = { time, UINT64_MAX };
	u32 thread =
	        pid == -1 ? ID_NONE : machine__find_thread(s->host, pid, pid < 0 ? 0 : pid, when);

	return machine__find_map(s->host, thread, pid == -1, addr, when, &hit)
	               ? dsos__at(&s->dsos, hit.dso)
	               : &none;
}

static const char *name_at(const struct session *s, s32 pid, u64 addr, u64 time)
{
	return strtab__get(&s->strings, dso_at(s, pid, addr, time)->name);
}

TEST(session_feeds_maps_comms_and_forks)
{
	struct built_sample child = task(20, 20, 300), thread = task(10, 11, 400);

	start(TYPE);
	event((u64[]){ 1 }, 1);
	comm(10, 10, 0, "parent");
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0x2000, "/bin/parent");
	builder__task(&f.data, trailers, &child, PERF_RECORD_FORK, 10, 10);
	builder__task(&f.data, trailers, &thread, PERF_RECORD_FORK, 10, 10);
	builder__task(&f.data, trailers, &child, PERF_RECORD_EXIT, 10, 10);
	sample(20, 20, 500, 1);
	struct session s = read_back();

	CHECK_STR(comm_at(&s, 20, 20, 500, 0), "parent");
	CHECK_STR(comm_at(&s, 20, 20, 200, 0), ":20");
	CHECK_STR(comm_at(&s, 10, 11, 500, 0), "parent");
	CHECK_STR(name_at(&s, 20, 0x1234, 500), "/bin/parent");
	CHECK_EQ(hit.flags, MAP_HIT_PARENT);
	CHECK_EQ(0x1234 - hit.start + hit.pgoff, 0x2234);
	CHECK_EQ(hit.prot, 5);
	CHECK_EQ(s.stats.nr_records[PERF_RECORD_FORK], 2);
	CHECK_EQ(s.stats.nr_records[PERF_RECORD_EXIT], 1);
	CHECK_EQ(s.stats.nr_records[PERF_RECORD_SAMPLE], 1);
	CHECK_EQ(s.stats.nr_broken, 0);
	session__close(&s);
}

TEST(session_forks_made_up_from_proc_inherit_no_maps)
{
	struct built_sample child = task(20, 20, 0);

	start(TYPE);
	event((u64[]){ 1 }, 1);
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0, "/bin/parent");
	size_t at = f.data.len;

	builder__task(&f.data, trailers, &child, PERF_RECORD_FORK, 10, 10);
	builder__set_u16(&f.data, at + 4, PERF_RECORD_MISC_FORK_EXEC);
	struct session s = read_back();

	CHECK_EQ(dso_at(&s, 20, 0x1234, 500)->kind, DSO_UNKNOWN);
	session__close(&s);
}

TEST(session_exec_bit_of_comm)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	comm(10, 10, 0, "perf-exec");
	mmap(10, 100, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0, "/bin/before");
	size_t at = f.data.len;

	comm(10, 10, 500, "true");
	builder__set_u16(&f.data, at + 4, PERF_RECORD_MISC_COMM_EXEC);
	struct session s = read_back();
	u32 thread = machine__find_thread(s.host, 10, 10, (struct moment){ 1, 0 });

	struct map_hit hit;

	CHECK_STR(comm_at(&s, 10, 10, 400, 0), "perf-exec");
	CHECK(machine__find_map(s.host, thread, false, 0x1000, (struct moment){ 400, 0 }, &hit));
	CHECK(!(hit.flags & MAP_HIT_BEFORE_EXEC));
	CHECK(machine__find_map(s.host, thread, false, 0x1000, (struct moment){ 600, 0 }, &hit));
	CHECK(hit.flags & MAP_HIT_BEFORE_EXEC);
	session__close(&s);
}

TEST(session_times_0_and_all_ones_are_from_the_beginning)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	comm(10, 10, 500, "timed");
	comm(10, 10, UINT64_MAX, "made-up");
	comm(11, 11, 0, "made-up too");
	struct session s = read_back();

	CHECK_STR(comm_at(&s, 10, 10, 400, 0), "made-up");
	CHECK_STR(comm_at(&s, 10, 10, 600, 0), "timed");
	CHECK_STR(comm_at(&s, 11, 11, 1, 0), "made-up too");
	session__close(&s);
}

TEST(session_without_time_goes_by_offset)
{
	start(PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	event(NULL, 0);
	comm(10, 10, 0, "first");
	size_t between = f.data.len;

	comm(10, 10, 0, "second");
	sample(10, 10, 0, 0);
	struct session s = read_back();
	u64 data = 104 + 144; /* the data section's place: moments carry offsets in the file */

	CHECK(perf_data__info(s.data)->data_offset >= data);
	data = perf_data__info(s.data)->data_offset;
	CHECK_STR(comm_at(&s, 10, 10, 0, data + between - 1), "first");
	CHECK_STR(comm_at(&s, 10, 10, 0, data + between), "second");
	CHECK_EQ(s.stats.first_time, UINT64_MAX);
	session__close(&s);
}

TEST(session_without_trailers_goes_by_offset)
{
	struct built_sample child = task(20, 20, 300);

	start(TYPE);
	trailers = 0; /* no sample_id_all */
	event((u64[]){ 1 }, 1);
	comm(10, 10, 0, "before");
	sample(10, 10, 400, 1);
	size_t between = f.data.len;

	comm(10, 10, 0, "after");
	sample(10, 10, 200, 1);
	builder__task(&f.data, 0, &child, PERF_RECORD_FORK, 10, 10); /* its time is not believed */
	struct session s = read_back();
	u64 data = perf_data__info(s.data)->data_offset;
	struct record r = { .offset = data + between };
	struct moment when = session__moment(&s, &r, 200);

	CHECK_EQ(when.time, 0);
	CHECK_STR(comm_at(&s, 10, 10, when.time, when.offset - 1), "before");
	CHECK_STR(comm_at(&s, 10, 10, when.time, when.offset), "after");
	CHECK_STR(comm_at(&s, 20, 20, 0, UINT64_MAX), "after");
	CHECK_EQ(s.stats.first_time, 200); /* what the samples say is still known */
	CHECK_EQ(s.stats.last_time, 400);
	session__close(&s);
}

TEST(session_side_band_of_an_event_without_time_takes_the_last_time)
{
	struct built_sample timeless = task(10, 10, 0), child = task(20, 20, 300);

	start(TYPE);
	event((u64[]){ 1 }, 1);
	type &= ~(u64)PERF_SAMPLE_TIME;
	event((u64[]){ 2 }, 1);
	type = TYPE;
	comm(10, 10, 0, "before");
	sample(10, 10, 400, 1);
	timeless.id = child.id = 2;
	builder__comm(&f.data, TYPE & ~(u64)PERF_SAMPLE_TIME, &timeless, "after");
	builder__task(&f.data, TYPE & ~(u64)PERF_SAMPLE_TIME, &child, PERF_RECORD_FORK, 10, 10);
	struct session s = read_back();

	CHECK_STR(comm_at(&s, 10, 10, 399, UINT64_MAX), "before");
	CHECK_STR(comm_at(&s, 10, 10, 400, UINT64_MAX), "after");
	CHECK_STR(comm_at(&s, 20, 20, 299, UINT64_MAX), ":20");
	CHECK_STR(comm_at(&s, 20, 20, 300, UINT64_MAX), "before"); /* FORK has a time of its own */
	session__close(&s);
}

TEST(session_kernel_modules_and_reference_symbol)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	mmap(-1, 0, PERF_RECORD_MISC_KERNEL, KERNEL, 0x1200000, KERNEL + 0x40,
	     "[kernel.kallsyms]_text");
	mmap(-1, 0, PERF_RECORD_MISC_KERNEL, 0xffffffffa0000000, 0x2000, 0,
	     "/lib/modules/6.1/kernel/net/nf-tables.ko.xz");
	struct session s = read_back();
	const struct dso *dso = dso_at(&s, -1, KERNEL + 0x123, 9);

	CHECK_EQ(dso->kind, DSO_KERNEL);
	CHECK_STR(strtab__get(&s.strings, dso->name), "[kernel.kallsyms]");
	CHECK_STR(strtab__get(&s.strings, dso->ref_symbol), "_text");
	CHECK_EQ(dso->text_pgoff, KERNEL + 0x40);
	CHECK_EQ(dso->text_start, KERNEL);
	CHECK_EQ(dso->text_end, KERNEL + 0x1200000);
	/* .init.text lies behind .text; but not for ever. */
	CHECK(dso_at(&s, -1, KERNEL + 0x2800000, 9) == dso);
	CHECK_EQ(dso_at(&s, -1, KERNEL + 0x1200000 + (64 << 20), 9)->kind, DSO_UNKNOWN);
	dso = dso_at(&s, -1, 0xffffffffa0001000, 9);
	CHECK_EQ(dso->kind, DSO_MODULE);
	CHECK_STR(strtab__get(&s.strings, dso->short_name), "[nf_tables]");
	CHECK_EQ(dso->text_start, 0xffffffffa0000000);
	CHECK_EQ(dso->text_end, 0xffffffffa0002000);
	session__close(&s);
}

TEST(session_user_maps_by_kind)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0, "//anon");
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x2000, 0x1000, 0, "[vdso]");
	mmap(10, 0, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, 0x3000, 0x1000, 0, "/data");
	mmap(-1, 0, PERF_RECORD_MISC_USER, KERNEL, 0x1000, 0, "/of-a-task-that-is-gone");
	sample(10, 10, 5, 1);
	struct session s = read_back();

	CHECK_EQ(dso_at(&s, 10, 0x1000, 9)->kind, DSO_ANON);
	CHECK_STR(name_at(&s, 10, 0x1000, 9), "/tmp/perf-10.map");
	CHECK_EQ(dso_at(&s, 10, 0x2000, 9)->kind, DSO_VDSO);
	CHECK_EQ(dso_at(&s, 10, 0x3000, 9)->kind, DSO_UNKNOWN);
	CHECK_EQ(dso_at(&s, -1, KERNEL, 9)->kind, DSO_UNKNOWN); /* not taken for the kernel's */
	u32 thread = machine__find_thread(s.host, 10, 10, (struct moment){ 9, 0 });

	CHECK(machine__find_data_map(s.host, thread, 0x3000, (struct moment){ 9, 0 }, &hit));
	session__close(&s);
}

TEST(session_ksymbols_register_and_unregister)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	ksymbol(100, 0xffffffffc0000000, 0x80, 0, "bpf_prog_12_x");
	ksymbol(300, 0xffffffffc0000000, 0x80, 1, "bpf_prog_12_x");
	struct session s = read_back();
	const struct dso *dso = dso_at(&s, -1, 0xffffffffc0000010, 200);

	CHECK_EQ(dso->kind, DSO_BPF);
	CHECK_EQ(dso->text_start, 0xffffffffc0000000);
	CHECK_EQ(dso->text_end, 0xffffffffc0000080);
	CHECK_STR(strtab__get(&s.strings, dso->name), "bpf_prog_12_x");
	CHECK_EQ(dso_at(&s, -1, 0xffffffffc0000010, 400)->kind, DSO_UNKNOWN);
	session__close(&s);
}

TEST(session_build_ids_of_stream_and_header)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0, "/header");
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x2000, 0x1000, 0, "/stream");
	mmap(10, 0, PERF_RECORD_MISC_USER, 0x3000, 0x1000, 0, "/guest");
	mmap(-1, 0, PERF_RECORD_MISC_KERNEL, KERNEL, 0x1000, KERNEL, "[kernel.kallsyms]_text");
	build_id(&f.data, RECORD_BUILD_ID, PERF_RECORD_MISC_USER, 0x51, 0, "/stream");
	build_id(&f.data, RECORD_BUILD_ID, PERF_RECORD_MISC_USER | 0x8000, 0x52, 99, "/header");
	struct builder *feature = file_builder__feature(&f, FEATURE_BUILD_ID);

	build_id(feature, 0, PERF_RECORD_MISC_USER | 0x8000, 0xaa, 20, "/stream");
	build_id(feature, 0, PERF_RECORD_MISC_USER | 0x8000, 0xbb, 16, "/header");
	build_id(feature, 0, PERF_RECORD_MISC_KERNEL | 0x8000, 0xcc, 20, "[kernel.kallsyms]");
	build_id(feature, 0, PERF_RECORD_MISC_GUEST_USER | 0x8000, 0xdd, 20, "/guest");
	struct session s = read_back();
	const struct dso *dso = dso_at(&s, 10, 0x2000, 9);

	CHECK_EQ(dso->build_id_size, 20);
	CHECK_EQ(dso->build_id[0], 0x51);
	dso = dso_at(&s, 10, 0x1000, 9);
	CHECK_EQ(dso->build_id_size, 16);
	CHECK_EQ(dso->build_id[0], 0xbb);
	CHECK_EQ(dso_at(&s, -1, KERNEL, 9)->build_id[0], 0xcc);
	CHECK_EQ(dso_at(&s, 10, 0x3000, 9)->build_id_size, 0);
	CHECK_EQ(s.stats.nr_broken, 1); /* the length that cannot be */
	session__close(&s);
}

TEST(session_build_id_in_the_map)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	for (u8 i = 1; i <= 2; i++) {
		size_t at = f.data.len;

		mmap(10 + i, 0, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, 0x1000,
		     0x1000, 0, "/bin/x");
		f.data.data[at + 40] = 20; /* length, 3 bytes of nothing, id */
		memset(f.data.data + at + 41, 0, 23);
		f.data.data[at + 44] = i;
		sample(10 + i, 10 + i, 50, 1);
	}
	struct session s = read_back();

	CHECK_EQ(dso_at(&s, 11, 0x1000, 9)->build_id[0], 1);
	CHECK_EQ(dso_at(&s, 12, 0x1000, 9)->build_id[0], 2);
	CHECK_EQ(s.dsos.nr, 2);
	session__close(&s);
}

TEST(session_guests_are_counted_and_kept_apart)
{
	struct built_sample guest = task(10, 10, 5);

	start(TYPE);
	event((u64[]){ 1 }, 1);
	mmap(0, 0, PERF_RECORD_MISC_GUEST_KERNEL, KERNEL, 0x1000, KERNEL,
	     "[guest.kernel.kallsyms]_text");
	mmap(10, 0, PERF_RECORD_MISC_GUEST_USER, 0x1000, 0x1000, 0, "/guest/sh");
	builder__sample(&f.data, type, PERF_RECORD_MISC_GUEST_KERNEL, &guest);
	sample(10, 10, 6, 1);
	struct session s = read_back();

	CHECK_EQ(s.stats.nr_guest_maps, 2);
	CHECK_EQ(s.stats.nr_guest_samples, 1);
	CHECK_EQ(s.stats.samples_of[0], 2);
	CHECK_EQ(dso_at(&s, -1, KERNEL, 9)->kind, DSO_UNKNOWN);
	CHECK_EQ(dso_at(&s, 10, 0x1000, 9)->kind, DSO_UNKNOWN);
	CHECK_EQ(dso_at(&s, guest_kernel__pid(0), KERNEL, 9)->kind, DSO_GUEST_KERNEL);
	session__close(&s);
}

TEST(session_counts_samples_and_losses_by_event)
{
	start(TYPE);
	event((u64[]){ 1, 2 }, 2);
	event((u64[]){ 3 }, 1);
	for (u64 i = 0; i < 30; i++)
		sample(10, 10, 100 + i, i % 3 + 1);
	sample(10, 10, 900, 77);
	lost(PERF_RECORD_LOST, 1, 5);
	lost(PERF_RECORD_LOST_SAMPLES, 3, 7);
	lost(PERF_RECORD_LOST_SAMPLES, 2, 1);
	struct session s = read_back();

	CHECK_EQ(s.stats.samples_of[0], 20);
	CHECK_EQ(s.stats.samples_of[1], 10);
	CHECK_EQ(s.stats.nr_unknown_id, 1);
	CHECK_EQ(s.stats.lost, 5);
	CHECK_EQ(s.stats.lost_samples, 8);
	CHECK_EQ(s.stats.lost_samples_of[0], 1);
	CHECK_EQ(s.stats.lost_samples_of[1], 7);
	CHECK_EQ(s.stats.first_time, 100);
	CHECK_EQ(s.stats.last_time, 129);
	session__close(&s);
}

TEST(session_events_whose_ids_lie_apart)
{
	static const u64 other = PERF_SAMPLE_IP | PERF_SAMPLE_ID;
	struct built_sample s1 = { .id = 5 };

	start(PERF_SAMPLE_ID);
	event((u64[]){ 4 }, 1);
	type = other;
	event((u64[]){ 5 }, 1);
	builder__sample(&f.data, other, PERF_RECORD_MISC_USER, &s1);
	struct session s = read_back();

	CHECK_EQ(s.stats.nr_records[PERF_RECORD_SAMPLE], 1);
	CHECK_EQ(s.stats.samples_of[0] + s.stats.samples_of[1] + s.stats.nr_unknown_id +
	                 s.stats.nr_broken,
	         1);
	session__close(&s);
}

TEST(session_notes_the_threads_of_samples)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	comm(10, 10, 0, "main");
	for (u32 i = 0; i < 3000; i++)
		sample(i % 7 ? 10 : 500 + i, 1000 + i, i, 1);
	sample(0, 0, 5000, 1);
	struct session s = read_back();

	for (u32 i = 0; i < 3000; i++) {
		char name[16];

		snprintf(name, sizeof(name), ":%u", 1000 + i);
		CHECK_STR(comm_at(&s, i % 7 ? 10 : 500 + i, 1000 + i, i, 0), name);
	}
	CHECK_STR(comm_at(&s, 0, 0, 5000, 0), "swapper");
	session__close(&s);
}

/* What no command of the walk needs must fit its sample all the same. */
TEST(session_samples_whose_parts_do_not_fit_are_broken)
{
	start(TYPE | PERF_SAMPLE_RAW);
	event((u64[]){ 1 }, 1);
	for (u32 i = 0; i < 9; i++) {
		const struct built_sample s = { .pid = 10, .tid = 10, .time = 1 + i, .id = 1 };
		size_t at = f.data.len;

		builder__sample(&f.data, TYPE, PERF_RECORD_MISC_USER, &s);
		builder__u32(&f.data, i == 4 ? 100000 : 4); /* size of RAW */
		builder__u32(&f.data, 0);
		builder__end(&f.data, at);
	}
	struct session s = read_back();

	CHECK_EQ(s.stats.nr_broken, 1);
	CHECK_EQ(s.stats.samples_of[0], 8);
	session__close(&s);
}

/* The descriptions are of other samples: then nothing that is read out of them is true. */
TEST(session_refuses_events_that_no_sample_agrees_with)
{
	static const struct {
		u64 type, id;
		u32 tid;
		bool good;
	} cases[] = { { TYPE, 1, 10, true },
		      { TYPE, 1, -1u, true },
		      { TYPE, 2, 10, false },
		      { TYPE, 1, 5000000, false },
		      { TYPE | PERF_SAMPLE_CALLCHAIN, 1, 10, false },
		      { TYPE & ~PERF_SAMPLE_TIME, 1, 10, false } };

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = ERROR_INIT;
		struct session s;

		start(TYPE);
		event((u64[]){ 1 }, 1);
		/* Others than described: longer or shorter, of other ids, of no process. */
		for (u64 n = 0; n < 20; n++) {
			const u64 chain[] = { 0xffff, 0xfffe };
			const struct built_sample one = { .pid = 10,
				                          .tid = cases[i].tid,
				                          .time = n + 1,
				                          .id = cases[i].id,
				                          .chain = chain,
				                          .nr_chain = 2 };

			builder__sample(&f.data, cases[i].type, PERF_RECORD_MISC_USER, &one);
		}
		CHECK_EQ(session__open(&s, file_builder__write(&f, "events"), 0, &err), 0);
		int ret = session__scan(&s, &err);

		/* Of one size that cannot be theirs they are damage, and said to be. */
		CHECK_EQ(!ret && !s.stats.nr_damages, cases[i].good);
		session__close(&s);
		file_builder__exit(&f);
	}
}

TEST(session_broken_and_unknown_records_are_counted_and_skipped)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	for (u32 i = 0; i < 8; i++)
		comm(10, 10, 1 + i, "good");
	size_t at = builder__begin(&f.data, PERF_RECORD_COMM, 0); /* no end of its name */

	builder__u64(&f.data, 0);
	builder__bytes(&f.data, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 56);
	builder__end(&f.data, at);
	at = builder__begin(&f.data, 63, 0);
	builder__u64(&f.data, 0);
	builder__end(&f.data, at);
	for (u32 i = 0; i < 8; i++)
		comm(10, 10, 10 + i, "good too");
	struct session s = read_back();

	CHECK_EQ(s.stats.nr_broken, 1);
	CHECK_EQ(s.broken.nr, 1);
	CHECK_EQ(s.broken.kept[0].type, PERF_RECORD_COMM);
	CHECK_EQ(s.broken.kept[0].size, 72);
	CHECK_EQ(s.stats.nr_unknown, 1);
	CHECK_EQ(s.stats.nr_records[PERF_RECORD_COMM], 17);
	CHECK_EQ(s.stats.nr_damages, 0);
	CHECK_STR(comm_at(&s, 10, 10, 9, 0), "good");
	CHECK_STR(comm_at(&s, 10, 10, 20, 0), "good too");
	session__close(&s);
}

TEST(session_damage_is_in_the_numbers)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	for (u32 i = 0; i < 8; i++)
		sample(10, 10, 100 + i, 1);
	builder__zero(&f.data, 800);
	for (u32 i = 0; i < 8; i++)
		sample(10, 10, 200 + i, 1);
	struct session s = read_back();

	CHECK_EQ(s.stats.nr_damages, 1);
	CHECK_EQ(s.stats.damaged_bytes, 800);
	CHECK_EQ(s.stats.samples_of[0], 16);
	session__close(&s);
}

TEST(session_of_the_other_byte_order)
{
	start(TYPE);
	f.swap = f.data.swap = f.attrs.swap = f.ids.swap = true;
	event((u64[]){ 1 }, 1);
	comm(10, 10, 5, "big");
	mmap(10, 5, PERF_RECORD_MISC_USER, 0x1000, 0x1000, 0, "/big");
	ksymbol(5, 0xffffffffc0000000, 0x80, 0, "bpf");
	lost(PERF_RECORD_LOST_SAMPLES, 1, 7);
	sample(10, 10, 9, 1);
	struct session s = read_back();

	CHECK_STR(comm_at(&s, 10, 10, 9, 0), "big");
	CHECK_STR(name_at(&s, 10, 0x1234, 9), "/big");
	CHECK_STR(name_at(&s, -1, 0xffffffffc0000000, 9), "bpf");
	CHECK_EQ(s.stats.lost_samples, 7);
	CHECK_EQ(s.stats.first_time, 9);
	CHECK_EQ(s.stats.nr_broken, 0);
	session__close(&s);
}

TEST(session_that_cannot_be_opened)
{
	struct session session;
	struct error err = ERROR_INIT;

	CHECK_EQ(session__open(&session, "/nonexistent/perf.data", 0, &err), -ENOENT);
	CHECK_EQ(err.code, -ENOENT);
	session__close(&session); /* allowed */
}

TEST(session_side_records_are_accepted)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	struct built_sample s0 = task(10, 10, 5);
	size_t at = builder__begin(&f.data, PERF_RECORD_NAMESPACES, 0);

	builder__u32(&f.data, 10);
	builder__u32(&f.data, 10);
	builder__u64(&f.data, 1);
	builder__u64(&f.data, 4);
	builder__u64(&f.data, 0xf0000001);
	builder__trailer(&f.data, trailers, &s0);
	builder__end(&f.data, at);
	at = builder__begin(&f.data, RECORD_FINISHED_ROUND, 0);
	builder__end(&f.data, at);
	struct session s = read_back();

	CHECK_EQ(s.stats.nr_records[PERF_RECORD_NAMESPACES], 1);
	CHECK_EQ(s.stats.nr_records[RECORD_FINISHED_ROUND], 1);
	CHECK_EQ(s.stats.nr_broken, 0);
	session__close(&s);
}

/* Scan a file with these header strings (NULL: none). */
static bool live(const char *release, const char *arch, const char *host, bool with_build_id)
{
	start(TYPE);
	event((u64[]){ 1 }, 1);
	mmap(-1, 0, PERF_RECORD_MISC_KERNEL, KERNEL, 0x1000, KERNEL, "[kernel.kallsyms]_text");
	if (release)
		builder__feature_string(file_builder__feature(&f, FEATURE_OSRELEASE), release);
	if (arch)
		builder__feature_string(file_builder__feature(&f, FEATURE_ARCH), arch);
	if (host)
		builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), host);
	if (with_build_id)
		build_id(file_builder__feature(&f, FEATURE_BUILD_ID), 0,
		         PERF_RECORD_MISC_KERNEL | 0x8000, 0xcc, 20, "[kernel.kallsyms]");
	struct session s = read_back();
	bool answer = session__kernel_is_live(&s);

	session__close(&s);
	return answer;
}

TEST(session_knows_a_recording_of_another_kernel_by_its_header)
{
	struct utsname u;

	CHECK_EQ(uname(&u), 0);
	CHECK(live(NULL, NULL, NULL, false)); /* nothing speaks against it */
	CHECK(live(u.release, u.machine, u.nodename, false));
	CHECK(!live("0.99", u.machine, u.nodename, false));
	CHECK(!live(u.release, "vax", u.nodename, false));
	CHECK(!live(u.release, u.machine, "somewhere.else", false));
	CHECK(live("0.99", "vax", "somewhere.else", true)); /* the build-id decides, elsewhere */
}
