// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/trace_oracle.h"

#ifdef HAVE_LIBTRACEEVENT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "tests/unit/trace_builder.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/reader/features.h"
#include "util/trace/trace_text.h"

#define REACH  (256 * 1024) /* zeros behind a payload: as far as its offsets can lead */
#define TAIL   64           /* bytes behind the fields, for what has no fixed length */
#define ZEROED 48 /* zeros behind those: the library does not stop at the end of a record */

enum { ZEROS, COUNTED, ONES, MIXED, SENSIBLE, NR_FIXED };

struct comparison {
	struct trace_oracle result;
	struct tep_handle *tep; /* the library itself */
	struct trace_text *text;
	struct trace_seq seq;
	struct out out;
	u64 random;
	unsigned nr_of_event; /* failures of the event at hand */
	u8 payload[REACH];
};

static const char *name_of(void *ctx, u64 addr, u64 *start)
{
	(void)ctx;
	*start = addr & ~0xfULL;
	return addr & 1 ? "a_function" : NULL;
}

static char *name_for_library(void *ctx, unsigned long long *addr, char **module)
{
	u64 start = *addr;
	const char *name = name_of(ctx, *addr, &start);

	*module = NULL;
	if (name)
		*addr = start;
	return (char *)name;
}

static void put(u8 *at, unsigned size, u64 value)
{
	for (unsigned i = 0; i < size; i++, value >>= 8)
		at[i] = i < 8 ? (u8)value : 0;
}

static u64 random_of(struct comparison *c)
{
	c->random = c->random * 6364136223846793005ull + 1442695040888963407ull;
	return c->random >> 33 ^ c->random << 20;
}

static unsigned end_of(const struct tep_event *event)
{
	unsigned end = 8;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (f->size > 0 && f->offset >= 0 && (unsigned)(f->offset + f->size) > end)
			end = f->offset + f->size;
	return end;
}

/* Small numbers, words in strings; what has no fixed length lies behind the fields. */
static void fill_sensibly(struct comparison *c, const struct tep_event *event, unsigned end)
{
	static const char word[] = "a word";
	unsigned n = 1;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next, n++) {
		if (f->flags & TEP_FIELD_IS_DYNAMIC)
			put(c->payload + f->offset, f->size,
			    (end - (f->flags & TEP_FIELD_IS_RELATIVE ? f->offset + f->size : 0)) |
			            (u64)sizeof(word) << 16);
		else if (f->flags & TEP_FIELD_IS_STRING)
			memcpy(c->payload + f->offset, word, f->size < 7 ? f->size : 7);
		else
			put(c->payload + f->offset, f->size, n);
	}
	memcpy(c->payload + end, word, sizeof(word));
}

/* Numbers of the kinds that tables and branches ask for. */
static u64 random_number(struct comparison *c, bool small)
{
	u64 random = random_of(c);

	if (small)
		return random % 6;
	switch (random_of(c) % 6) {
	case 0:
		return 0;
	case 1:
		return random % 24;
	case 2:
		return 1ull << random % 64;
	case 3:
		return 1ull << random % 32 | 1ull << random_of(c) % 32;
	case 4:
		return -(random % 40);
	default:
		return random;
	}
}

static void random_text(struct comparison *c, u8 *at, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = random_of(c) % 20 ? ' ' + random_of(c) % 95 : random_of(c) % 256;
	if (size && random_of(c) % 4)
		at[random_of(c) % size] = '\0';
}

/* Valid places of dynamic arrays, in the tail. */
static void fill_randomly(struct comparison *c, const struct tep_event *event, unsigned end,
                          bool small)
{
	random_text(c, c->payload + end, TAIL);
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		u8 *at = c->payload + f->offset;
		u64 start = random_of(c) % TAIL, len = random_of(c) % (TAIL - start + 1);

		if (f->flags & TEP_FIELD_IS_DYNAMIC) {
			start += end;
			if (f->flags & TEP_FIELD_IS_RELATIVE)
				start -= f->offset + f->size;
			put(at, f->size, start | len << 16);
		} else if (f->flags & TEP_FIELD_IS_STRING) {
			random_text(c, at, f->size);
		} else if (f->size > 8) {
			for (int i = 0; i < f->size; i++)
				at[i] = random_of(c) % 3 ? random_of(c) : 0;
			if (random_of(c) % 2) /* an address of a family, and of IPv6 with IPv4 */
				put(at, 2, random_of(c) % 2 ? 2 : 10);
			if (f->size >= 24 && !(random_of(c) % 3))
				memcpy(at + 8, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
			if (f->size >= 24 && !(random_of(c) % 4))
				memcpy(at + 16, "\0\0\x5e\xfe", 4);
		} else {
			put(at, f->size, random_number(c, small));
		}
	}
}

/* Of small signed fields the library prints no sign: those of the payload are positive. */
static void drop_signs(struct comparison *c, const struct tep_event *event)
{
	const struct tep_format_field *f = event->format.fields;

	for (; f; f = f->next) {
		unsigned size = f->flags & TEP_FIELD_IS_ARRAY ? f->elementsize : (unsigned)f->size;

		if (!(f->flags & TEP_FIELD_IS_SIGNED) || f->flags & TEP_FIELD_IS_STRING ||
		    size < 1 || size > 2)
			continue;
		for (int at = size - 1; at < f->size; at += size)
			c->payload[f->offset + at] &= 0x7f;
	}
}

/* Returns its size. */
static unsigned fill(struct comparison *c, const struct tep_event *event, unsigned kind, bool small)
{
	unsigned end = end_of(event), size = end + TAIL + ZEROED;
	u32 mixed = 12345;

	memset(c->payload, 0, size + 8);
	for (unsigned i = 0; kind < SENSIBLE && i < end + TAIL; i++) {
		mixed = mixed * 1103515245 + 12345;
		c->payload[i] = kind == COUNTED ? i
		                : kind == ONES  ? 0xff
		                : kind == MIXED ? mixed >> 16
		                                : 0;
	}
	if (kind == SENSIBLE)
		fill_sensibly(c, event, end);
	if (kind > SENSIBLE)
		fill_randomly(c, event, end, small);
	drop_signs(c, event);
	put(c->payload, 2, event->id);
	return size;
}

/*
 * Prints as many bytes as the sample says: the library reads that far, and dies of it. With a
 * negative precision it takes the text's address from nowhere.
 */
static bool is_unbounded(const struct tep_event *event)
{
	const struct tep_print_arg *arg = event->print_fmt.args;

	if (event->print_fmt.format && strchr(event->print_fmt.format, '*'))
		return true;
	for (; arg; arg = arg->next)
		if (arg->type == TEP_PRINT_HEX || arg->type == TEP_PRINT_HEX_STR ||
		    arg->type == TEP_PRINT_INT_ARRAY)
			return true;
	return false;
}

static void compare(struct comparison *c, struct tep_event *event, struct trace_text_event *ours,
                    unsigned kind)
{
	bool unbounded = is_unbounded(event);
	unsigned size = fill(c, event, kind, unbounded);
	struct tep_record record = { .data = c->payload, .size = size };

	c->out.len = 0;
	trace_text__print(c->text, ours, &c->out, c->payload, size, 0);
	if (kind != ZEROS && kind < SENSIBLE && unbounded)
		return;
	trace_seq_reset(&c->seq);
	tep_print_event(c->tep, &c->seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&c->seq);
	char *want = xmalloc(strlen(c->seq.buffer) + 1);

	text__printable(want, strlen(c->seq.buffer) + 1, c->seq.buffer);
	if (strcmp(out__take(&c->out), want) && ++c->result.nr_different && c->nr_of_event++ < 2)
		unit__fail(__FILE__, __LINE__, "%s:%s, payload %u: \"%s\", not \"%s\"",
		           event->system, event->name, kind, out__take(&c->out), want);
	free(want);
}

/* The formats to the library, and to a file as a recording would have it. */
static struct perf_data *take(struct comparison *c, const struct trace_oracle_format *formats,
                              unsigned nr)
{
	struct built_format *built = xcalloc(nr, sizeof(*built));
	struct file_builder f;
	struct error err = { 0 };
	u64 id;

	file_builder__init(&f, false);
	for (unsigned i = 0; i < nr; i++) {
		const char *at = strstr(formats[i].text, "ID: ");

		if (tep_parse_event(c->tep, formats[i].text, formats[i].len, formats[i].system) ||
		    !at)
			continue;
		id = strtoull(at + 4, NULL, 10);
		struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
			                        .size = sizeof(attr),
			                        .config = id };

		file_builder__event(&f, &attr, NULL, 0);
		built[c->result.nr_events++] =
		        (struct built_format){ formats[i].system, formats[i].text };
	}
	trace_builder__write(file_builder__feature(&f, FEATURE_TRACING_DATA), 8, built,
	                     c->result.nr_events);
	struct perf_data *data = perf_data__open(file_builder__write(&f, "oracle.data"), 0, &err);

	file_builder__exit(&f);
	free(built);
	return data;
}

static void compare_all(struct comparison *c, unsigned nr_random)
{
	struct tep_event **events = tep_list_events(c->tep, TEP_EVENT_SORT_ID);
	struct trace_text_slow slow;

	for (; *events; events++) {
		struct evsel evsel = { .attr = { .type = PERF_TYPE_TRACEPOINT,
			                         .config = (*events)->id } };
		struct trace_text_event *ours = trace_text__event(c->text, &evsel);

		c->nr_of_event = 0;
		for (unsigned kind = 0; kind < NR_FIXED + nr_random; kind++)
			compare(c, *events, ours, kind);
	}
	for (u32 i = 0; trace_text__slow(c->text, i, &slow); i++) {
		if (!slow.why)
			continue;
		c->result.nr_slow++;
		struct tep_event *event = tep_find_event(c->tep, slow.event->id);

		c->result.nr_failed += event && event->flags & TEP_EVENT_FL_FAILED;
		if (getenv("TRACE_SLOW"))
			printf("%s:%s %s\n", slow.event->system, slow.event->name, slow.why);
	}
}

struct trace_oracle trace_oracle__run(const struct trace_oracle_format *formats, unsigned nr,
                                      unsigned nr_random)
{
	struct comparison *c = xcalloc(1, sizeof(*c));
	struct error err = { 0 };

	c->tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(c->tep, sizeof(long));
	tep_set_page_size(c->tep, 4096);
	tep_set_function_resolver(c->tep, name_for_library, NULL);
	trace_seq_init(&c->seq);
	out__init(&c->out, -1);
	struct perf_data *data = take(c, formats, nr);

	c->text = data ? trace_text__new(data, NULL, name_of, NULL, &err) : NULL;
	CHECK(c->text);
	if (c->text)
		compare_all(c, nr_random);
	CHECK_EQ(c->result.nr_different, 0);
	trace_text__delete(c->text);
	perf_data__close(data);
	out__exit(&c->out);
	trace_seq_destroy(&c->seq);
	tep_free(c->tep);
	struct trace_oracle result = c->result;

	free(c);
	return result;
}

#endif
