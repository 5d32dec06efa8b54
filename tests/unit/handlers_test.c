// SPDX-License-Identifier: GPL-2.0-or-later
/* Analyses of tracepoints on recordings made byte by byte: which function gets which fields. */
#include "util/analysis/handlers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/trace_builder.h"
#include "tests/unit/unit.h"
#include "util/analysis/kmem.h"
#include "util/reader/features.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_ID |  \
	 PERF_SAMPLE_RAW)

#define FIELD(type, name, offset, size)                                                            \
	"\tfield:" type " " name ";\toffset:" offset ";\tsize:" size ";\tsigned:0;\n"

static const struct built_format formats[] = {
	{ "kmem", "name: kmalloc\nID: 10\nformat:\n" TRACE_COMMON_FIELDS FIELD(
	                  "unsigned long", "call_site", "8", "8") FIELD("void *", "ptr", "16", "8")
	                  FIELD("size_t", "bytes_req", "24", "8")
	                          FIELD("size_t", "bytes_alloc", "32", "8") },
	{ "kmem", "name: kfree\nID: 11\nformat:\n" TRACE_COMMON_FIELDS FIELD("unsigned long",
	                                                                     "call_site", "8", "8")
	                  FIELD("void *", "ptr", "16", "8") },
	{ "kmem",
	  "name: mm_page_alloc\nID: 12\nformat:\n" TRACE_COMMON_FIELDS FIELD(
	          "unsigned long", "pfn", "8", "8") FIELD("unsigned int", "order", "16", "4")
	          FIELD("int", "migratetype", "20", "4") },
	{ "kmem", "name: mm_page_free\nID: 13\nformat:\n" TRACE_COMMON_FIELDS FIELD("unsigned long",
	                                                                            "pfn", "8", "8")
	                  FIELD("unsigned int", "order", "16", "4") },
};

static struct file_builder f;
static struct session session;

/* A recording of these tracepoints, in either byte order. */
static void start(bool swap)
{
	static const char *const names[] = { "kmem:kmalloc", "kmem:kfree", "kmem:mm_page_alloc",
		                             "kmem:mm_page_free" };
	struct builder *desc;

	file_builder__init(&f, swap);
	/* Readers tell by it how the bits of the features were swapped. */
	builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "x");
	desc = file_builder__feature(&f, FEATURE_EVENT_DESC);
	builder__u32(desc, 4);
	builder__u32(desc, 128);
	for (u32 i = 0; i < 4; i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
			                        .size = 128,
			                        .config = 10 + i,
			                        .sample_period = 1,
			                        .sample_type = TYPE,
			                        .sample_id_all = 1 };

		file_builder__event(&f, &attr, (u64[]){ 70 + i }, 1);
		builder__attr(desc, &attr, 128);
		builder__u32(desc, 1);
		builder__feature_string(desc, names[i]);
		builder__u64(desc, 70 + i);
	}
	trace_builder__write(file_builder__feature(&f, FEATURE_TRACING_DATA), 8, formats, 4);
}

static void sample(u32 event, u64 time, u32 cpu, const u64 *words, u32 nr)
{
	size_t at = builder__begin(&f.data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

	builder__u64(&f.data, 0xffffffff81000000);
	builder__u32(&f.data, 5);
	builder__u32(&f.data, 5);
	builder__u64(&f.data, time);
	builder__u64(&f.data, 70 + event);
	builder__u32(&f.data, cpu);
	builder__u32(&f.data, 0);
	builder__u32(&f.data, 8 + nr * 8 + 4);
	builder__u16(&f.data, 10 + event);
	builder__u16(&f.data, 0);
	builder__u32(&f.data, 5);
	for (u32 i = 0; i < nr; i++)
		builder__u64(&f.data, words[i]);
	builder__u32(&f.data, 0);
	builder__end(&f.data, at);
}

static void kmalloc(u64 time, u32 cpu, u64 site, u64 ptr, u64 req, u64 got)
{
	sample(0, time, cpu, (u64[]){ site, ptr, req, got }, 4);
}

static void kfree(u64 time, u32 cpu, u64 ptr)
{
	sample(1, time, cpu, (u64[]){ 1, ptr }, 2);
}

/* Two u32 in the byte order of the file. */
static u64 pair(u32 first, u32 second)
{
	u32 both[2] = { first, second };
	u64 word;

	memcpy(&word, both, sizeof(word));
	return f.swap ? (word << 32 | word >> 32) : word;
}

static bool open_session(void)
{
	const char *path = file_builder__write(&f, "a.data");
	struct error err = ERROR_INIT;
	bool ok = !session__open(&session, path, 0, &err) && !session__scan(&session, &err);

	CHECK_STR(err.cause, "");
	file_builder__exit(&f);

	return ok;
}

struct seen {
	u64 sum[4], last_time;
	u32 nr[4];
	bool late;
};

static void see(void *ctx, const struct trace_sample *s)
{
	struct seen *seen = ctx;

	seen->nr[s->index]++;
	seen->sum[s->index] += trace_sample__u64(s, 0) + trace_sample__u64(s, 1);
	seen->late |= s->s->sample->time < seen->last_time;
	seen->last_time = s->s->sample->time;
}

TEST(handlers_get_their_fields_in_the_order_of_time)
{
	static const struct trace_handler table[] = {
		{ "kmem:kmalloc", "bytes_alloc ?nosuch ptr", see },
		{ "kmem:kfree", "ptr", see },
		{ "kmem:nosuch", "a", see, .optional = true },
		{ NULL },
	};

	for (u32 swap = 0; swap < 2; swap++) {
		struct error err = ERROR_INIT;
		struct handlers *handlers;
		struct seen seen = { 0 };

		start(swap);
		kmalloc(300, 0, 7, 0x1000, 10, 16);
		kmalloc(100, 1, 7, 0x2000, 20, 32);
		kfree(200, 0, 0x3000);
		sample(2, 250, 0, (u64[]){ 1, 2 }, 2); /* nobody asked for it */
		sample(0, 400, 0, (u64[]){ 1, 2 }, 2); /* too short for its fields */
		if (!open_session())
			return;
		handlers = handlers__bind(&session, table, "perf x record", &err);
		CHECK_STR(err.cause, "");
		if (!handlers)
			return;
		CHECK_EQ(handlers__run(handlers, NULL, STREAM_ALL, 0, &seen, &err), 0);
		CHECK_EQ(seen.nr[0], 2);
		CHECK_EQ(seen.sum[0], 48); /* a field that is missing is 0 */
		CHECK_EQ(seen.nr[1], 1);
		CHECK_EQ(seen.sum[1], 0x3000);
		CHECK(!seen.late);
		CHECK_EQ(handlers__nr_short(handlers), 1);
		handlers__delete(handlers);
		session__close(&session);
	}
}

TEST(handlers_that_cannot_be_bound_say_what_is_missing)
{
	static const struct trace_handler needed[] = { { "kmem:kmalloc", "ptr", see },
		                                       { "kmem:a", "ptr", see },
		                                       { "kmem:b", "ptr", see },
		                                       { NULL } };
	static const struct trace_handler none[] = { { "kmem:a", "ptr", see, .optional = true },
		                                     { NULL } };
	static const struct trace_handler field[] = { { "kmem:kfree", "ptr order", see },
		                                      { NULL } };
	struct error err = ERROR_INIT;

	start(false);
	kfree(200, 0, 0x3000);
	if (!open_session())
		return;
	CHECK(!handlers__bind(&session, needed, "perf x record", &err));
	CHECK_EQ(err.code, -ENODATA);
	CHECK(strstr(err.cause, "kmem:a, kmem:b") && !strstr(err.cause, "kmalloc"));
	CHECK_STR(err.advice, "perf x record records them");
	CHECK(!handlers__bind(&session, none, "perf x record", &err));
	CHECK(strstr(err.cause, "none of kmem:a"));
	CHECK(!handlers__bind(&session, field, "perf x record", &err));
	CHECK(strstr(err.cause, "'order'"));
	session__close(&session);
}

TEST(kmem_adds_up_callers_and_memory)
{
	struct error err = ERROR_INIT;
	struct kmem kmem;

	start(false);
	kmalloc(100, 0, 7, 0x1000, 10, 16);
	kfree(200, 1, 0x1000); /* on another CPU */
	kmalloc(300, 0, 8, 0x1000, 60, 64);
	kmalloc(350, 1, 7, 0x2000, 16, 16);
	kfree(400, 0, 0x1000);
	kfree(500, 0, 0x9000); /* from before */
	if (!open_session())
		return;
	CHECK_EQ(kmem__collect(&kmem, &session, KMEM_SLAB, NULL, NULL, NULL, &err), 0);
	CHECK_EQ(kmem.requested, 86);
	CHECK_EQ(kmem.allocated, 96);
	CHECK_EQ(kmem.freed, 80);
	CHECK_EQ(kmem.nr_allocs, 3);
	CHECK_EQ(kmem.callers.nr, 2);
	CHECK_EQ(kmem.memory.nr, 2);
	kmem_rows__sort(&kmem.callers, (enum kmem_key[]){ KMEM_FRAG }, 1);
	CHECK_EQ(kmem.callers.rows[0].key, 7); /* 6 of 32 wasted; of the other 4 of 64 */
	CHECK_EQ(kmem.callers.rows[0].ping_pong, 1);
	CHECK_EQ(kmem.callers.rows[0].hits, 2);
	kmem_rows__sort(&kmem.callers, (enum kmem_key[]){ KMEM_BYTES }, 1);
	CHECK_EQ(kmem.callers.rows[0].key, 8);
	CHECK_EQ(kmem.callers.rows[0].ping_pong, 0);
	kmem_rows__sort(&kmem.memory, (enum kmem_key[]){ KMEM_HITS }, 1);
	CHECK_EQ(kmem.memory.rows[0].key, 0x1000);
	CHECK_EQ(kmem.memory.rows[0].ping_pong, 1);
	kmem_rows__sort(&kmem.memory, NULL, 0);
	CHECK_EQ(kmem.memory.rows[1].key, 0x2000);
	kmem__exit(&kmem);
	session__close(&session);
}

TEST(kmem_matches_pages_that_were_given_back)
{
	struct error err = ERROR_INIT;
	struct kmem kmem;

	start(true);
	sample(2, 100, 0, (u64[]){ 5, pair(0, 1) }, 2);
	sample(2, 200, 0, (u64[]){ 8, pair(3, 0) }, 2);
	sample(2, 300, 0, (u64[]){ UINT64_MAX, pair(1, 0) }, 2); /* failed */
	sample(3, 400, 0, (u64[]){ 8, pair(3, 0) }, 2);
	sample(3, 500, 0, (u64[]){ 8, pair(3, 0) }, 2); /* once more */
	if (!open_session())
		return;
	CHECK_EQ(kmem__collect(&kmem, &session, KMEM_PAGE, NULL, NULL, NULL, &err), 0);
	CHECK_EQ(kmem.page_allocs.nr, 3);
	CHECK_EQ(kmem.page_allocs.bytes, (1 + 8 + 2) * 4096);
	CHECK_EQ(kmem.page_frees.nr, 2);
	CHECK_EQ(kmem.matched.nr, 1);
	CHECK_EQ(kmem.matched.bytes, 8 * 4096);
	CHECK_EQ(kmem.failed.nr, 1);
	CHECK_EQ(kmem.orders[0][1], 1);
	CHECK_EQ(kmem.orders[3][0], 1);
	CHECK_EQ(kmem.orders[1][0], 0);
	kmem__exit(&kmem);
	session__close(&session);
}
