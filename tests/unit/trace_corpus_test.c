// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every tracepoint that this kernel has, through the section that a recording keeps of its format,
 * on fixed payloads: what trace_text__print() says equals libtraceevent's own text. On purpose
 * (Documentation/differences.md) there is no control character in it, and where the sample makes
 * the library read far beyond it, there are its bytes.
 */
#include "util/trace/trace_text.h"

#include "tests/unit/unit.h"

#ifdef HAVE_LIBTRACEEVENT

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include <unistd.h>

#include "tests/unit/builder.h"
#include "util/event/tracefs.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/reader/features.h"
#include "util/writer/feature_write.h"

#define EVENTS TRACEFS_DEFAULT_MOUNT "/events"
#define REACH  (256 * 1024) /* zeros behind a payload: as far as its offsets can lead */
#define TAIL   64           /* bytes behind the fields, for what has no fixed length */

enum { ZEROS, COUNTED, ONES, MIXED, SENSIBLE, NR_PAYLOADS };

struct corpus {
	struct tep_handle *tep; /* the library itself */
	struct trace_text *text;
	struct trace_seq seq;
	struct out out;
	u8 payload[REACH];
	unsigned nr_events, nr_different;
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

static unsigned end_of(const struct tep_event *event)
{
	unsigned end = 8;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (f->size > 0 && f->offset >= 0 && (unsigned)(f->offset + f->size) > end)
			end = f->offset + f->size;
	return end;
}

/* Small numbers, words in strings; what has no fixed length lies behind the fields. */
static void fill_sensibly(struct corpus *c, const struct tep_event *event, unsigned end)
{
	static const char word[] = "a word";
	unsigned n = 1;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next, n++) {
		if (f->flags & TEP_FIELD_IS_DYNAMIC)
			put(c->payload + f->offset, f->size, end | (u64)sizeof(word) << 16);
		else if (f->flags & TEP_FIELD_IS_STRING)
			memcpy(c->payload + f->offset, word, f->size < 7 ? f->size : 7);
		else
			put(c->payload + f->offset, f->size, n);
	}
	memcpy(c->payload + end, word, sizeof(word));
}

/* Returns its size. */
static unsigned fill(struct corpus *c, const struct tep_event *event, unsigned kind)
{
	unsigned end = end_of(event), size = end + TAIL;
	u32 mixed = 12345;

	memset(c->payload, 0, sizeof(c->payload));
	for (unsigned i = 0; i < size; i++) {
		mixed = mixed * 1103515245 + 12345;
		c->payload[i] = kind == COUNTED ? i
		                : kind == ONES  ? 0xff
		                : kind == MIXED ? mixed >> 16
		                                : 0;
	}
	if (kind == SENSIBLE)
		fill_sensibly(c, event, end);
	put(c->payload, 2, event->id);
	return size;
}

/* Prints as many bytes as the sample says: the library reads that far, and dies of it. */
static bool is_unbounded(const struct tep_print_arg *arg)
{
	for (; arg; arg = arg->next)
		if (arg->type == TEP_PRINT_HEX || arg->type == TEP_PRINT_HEX_STR ||
		    arg->type == TEP_PRINT_INT_ARRAY)
			return true;
	return false;
}

static void compare(struct corpus *c, struct tep_event *event, unsigned kind)
{
	unsigned size = fill(c, event, kind);
	struct tep_record record = { .data = c->payload, .size = size };

	c->out.len = 0;
	trace_text__print(c->text, &c->out, c->payload, size, 0);
	if (kind != ZEROS && kind != SENSIBLE && is_unbounded(event->print_fmt.args))
		return;
	trace_seq_reset(&c->seq);
	tep_print_event(c->tep, &c->seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&c->seq);
	char *want = xmalloc(strlen(c->seq.buffer) + 1);

	text__printable(want, strlen(c->seq.buffer) + 1, c->seq.buffer);
	if (strcmp(out__take(&c->out), want) && c->nr_different++ < 10)
		unit__fail(__FILE__, __LINE__, "%s:%s, payload %u: \"%s\", not \"%s\"",
		           event->system, event->name, kind, out__take(&c->out), want);
	free(want);
}

/* Each format file to the library, and to the list that a recording would have. */
static void take(struct corpus *c, struct evlist *list, const char *path)
{
	const char *system = path + sizeof(EVENTS), *name = strchr(system, '/') + 1;
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	struct tep_event *event;
	size_t len;

	if (!strncmp(system, "ftrace/", 7)) /* the tracer's own: perf cannot record them */
		return;
	char *text = file__read_all(path, 1 << 20, &len);
	char *full = xasprintf("%.*s:%.*s", (int)(name - 1 - system), system,
	                       (int)(strrchr(path, '/') - name), name);

	*strchr(full, ':') = '\0';
	/* Probes come and go while other tests run. */
	bool probe = text && (strstr(text, " __probe_ip;") || strstr(text, " __probe_func;"));

	if (text && !probe && !tep_parse_event(c->tep, text, len, full)) {
		event = tep_find_event_by_name(c->tep, full, full + strlen(full) + 1);
		full[strlen(full)] = ':';
		attr.config = event ? event->id : 0;
		if (event)
			evlist__add(list, &attr, full);
	}
	free(full);
	free(text);
}

static struct perf_data *record(const struct evlist *list)
{
	static const char *const words[] = { "record" };
	struct feature_source source = { .root = "",
		                         .version = "1",
		                         .evlist = list,
		                         .words = words,
		                         .nr_words = 1,
		                         .tracefs = TRACEFS_DEFAULT_MOUNT };
	struct file_builder f;
	struct perf_data *data = NULL;
	struct error err = { 0 };
	struct out out;

	out__init(&out, -1);
	if (feature__write(FEATURE_TRACING_DATA, &source, &out)) {
		file_builder__init(&f, false);
		file_builder__event(&f, &list->evsels[0]->attr, NULL, 0);
		builder__bytes(file_builder__feature(&f, FEATURE_TRACING_DATA), out.buf, out.len);
		data = perf_data__open(file_builder__write(&f, "corpus.data"), 0, &err);
		file_builder__exit(&f);
	}
	out__exit(&out);
	return data;
}

TEST(trace_text_of_every_tracepoint_is_that_of_the_library)
{
	struct corpus *c = xcalloc(1, sizeof(*c));
	struct evlist list = { 0 };
	struct error err = { 0 };
	glob_t paths = { 0 };

	glob(EVENTS "/*/*/format", 0, NULL, &paths);
	if (!paths.gl_pathc)
		unit__skip("the formats of tracefs cannot be read");
	c->tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(c->tep, sizeof(long));
	tep_set_page_size(c->tep, sysconf(_SC_PAGESIZE));
	tep_set_function_resolver(c->tep, name_for_library, NULL);
	trace_seq_init(&c->seq);
	out__init(&c->out, -1);
	for (size_t i = 0; i < paths.gl_pathc; i++)
		take(c, &list, paths.gl_pathv[i]);

	struct perf_data *data = paths.gl_pathc ? record(&list) : NULL;

	c->text = data ? trace_text__new(data, name_of, NULL, &err) : NULL;
	CHECK(c->text || !paths.gl_pathc);
	struct tep_event **events = tep_list_events(c->tep, TEP_EVENT_SORT_ID);

	for (; c->text && *events; events++, c->nr_events++)
		for (unsigned kind = 0; kind < NR_PAYLOADS; kind++)
			compare(c, *events, kind);
	CHECK(!c->text || c->nr_events > 50);
	CHECK_EQ(c->nr_different, 0);
	trace_text__delete(c->text);
	perf_data__close(data);
	out__exit(&c->out);
	trace_seq_destroy(&c->seq);
	tep_free(c->tep);
	evlist__exit(&list);
	globfree(&paths);
	free(c);
}

#endif
