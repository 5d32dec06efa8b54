// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feeds TRACING_DATA (Documentation/perf.data-file-format.txt) to libtraceevent, and formats
 * samples with it. The library trusts offsets in the format text and in the sample. So formats with
 * fields beyond any record are refused, and each sample is copied in front of as many zeros as the
 * largest offset in a sample can reach.
 */
#include "util/trace/trace_text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/trace/trace_blob.h"

static void print_raw(struct out *out, const u8 *raw, u32 size)
{
	out__str(out, "raw:");
	for (u32 i = 0; i < size; i++) {
		out__char(out, ' ');
		out__hex0(out, raw[i], 2);
	}
}

#ifdef HAVE_LIBTRACEEVENT

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#define RAW_MAX    65536 /* of a record; so of any offset in a format */
#define REACH      (4 * RAW_MAX)
#define FORMAT_MAX (1u << 20)

#define TRIAL_SECONDS 5 /* of CPU for the formats of a file */

struct trace_text {
	struct tep_handle *tep;
	trace_symbol_fn symbol;
	void *ctx;
	struct trace_seq seq;
	u8 *buf; /* REACH bytes: the sample, then zeros */
	u32 used;
};

static char *resolve(void *priv, unsigned long long *addr, char **module)
{
	struct trace_text *text = priv;
	u64 start = *addr;
	const char *name = text->symbol ? text->symbol(text->ctx, *addr, &start) : NULL;

	*module = NULL;
	if (name)
		*addr = start;
	return (char *)name;
}

/* The library wants text with a NUL behind. */
static char *copy_text(const char *text, size_t size)
{
	char *copy = xmalloc(size + 1);

	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

static void parse_format(void *ctx, const char *system, const char *format, size_t size)
{
	struct trace_text *text = ctx;
	char *copy;

	if (size > FORMAT_MAX)
		return;
	copy = copy_text(format, size);
	/* A format the library cannot read leaves its samples raw: no reason to stop. */
	tep_parse_event(text->tep, copy, size, system);
	free(copy);
}

/* A line `0xADDRESS : "TEXT"`; the library reads behind others. */
static bool is_printk_line(const char *line)
{
	const char *colon = strchr(line, ':');

	return !strncmp(line, "0x", 2) && colon && !strncmp(colon, ": \"", 3) &&
	       strchr(colon + 3, '"');
}

static void parse_printk_formats(void *ctx, const char *file, size_t size)
{
	struct trace_text *text = ctx;
	char *copy = copy_text(file, size), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (is_printk_line(line))
			tep_parse_printk_formats(text->tep, line);
	free(copy);
}

static void set_machine(void *ctx, bool big_endian, unsigned long_size, u32 page_size)
{
	struct trace_text *text = ctx;

	tep_set_file_bigendian(text->tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(text->tep, long_size);
	tep_set_page_size(text->tep, page_size);
}

static int parse_blob(struct trace_text *text, const void *blob, size_t size)
{
	struct trace_blob_reader reader = { set_machine, parse_format, parse_printk_formats, text };

	return trace_blob__read(blob, size, &reader);
}

/* All fields lie in [0, RAW_MAX): else nothing of this event is safe to read. */
static bool is_sane(struct tep_event *event)
{
	const struct tep_format_field *lists[] = { event->format.common_fields,
		                                   event->format.fields };

	for (unsigned i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct tep_format_field *f = lists[i]; f; f = f->next)
			if (f->offset < 0 || f->size < 0 || f->offset > RAW_MAX ||
			    f->size > RAW_MAX - f->offset)
				return false;
	return true;
}

/* At most RAW_MAX things of @unit bytes are printed: all that @count says there are. */
static bool is_count(struct tep_event *event, const struct tep_print_arg *count, unsigned unit,
                     void *raw)
{
	unsigned long long value;

	if (count->type == TEP_PRINT_ATOM || count->type == TEP_PRINT_DYNAMIC_ARRAY_LEN)
		return true;
	return count->type == TEP_PRINT_FIELD &&
	       !tep_read_number_field(tep_find_any_field(event, count->field.name), raw, &value) &&
	       value <= RAW_MAX / unit;
}

/* The library reads as many bytes as the sample says, whatever is there. */
static bool is_bounded(struct tep_event *event, void *raw)
{
	for (const struct tep_print_arg *arg = event->print_fmt.args; arg; arg = arg->next) {
		if ((arg->type == TEP_PRINT_HEX || arg->type == TEP_PRINT_HEX_STR) &&
		    !is_count(event, arg->hex.size, 1, raw))
			return false;
		if (arg->type == TEP_PRINT_INT_ARRAY &&
		    !is_count(event, arg->int_array.count, sizeof(u64), raw))
			return false;
	}
	return true;
}

static void text__init(struct trace_text *text, trace_symbol_fn symbol, void *ctx)
{
	*text = (struct trace_text){ .symbol = symbol, .ctx = ctx, .tep = tep_alloc() };
	BUG_ON(!text->tep);
	tep_set_loglevel(TEP_LOG_NONE);
	text->buf = xcalloc(1, REACH);
	trace_seq_init(&text->seq);
	tep_set_function_resolver(text->tep, resolve, text);
}

/*
 * In a process of its own: parse, and print a sample of zeros for each event. Does not return.
 */
static void try_blob(const void *blob, size_t size)
{
	struct rlimit no_core = { 0, 0 }, few_seconds = { TRIAL_SECONDS, TRIAL_SECONDS };
	struct trace_text text;

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0)
		dup2(null, 2); /* last words of the C library */
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &few_seconds);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	text__init(&text, NULL, NULL);
	if (parse_blob(&text, blob, size))
		_exit(1);
	struct tep_event **events = tep_list_events(text.tep, TEP_EVENT_SORT_ID);

	for (; events && *events; events++) {
		struct tep_record record = { .data = text.buf, .size = RAW_MAX };

		if (!is_sane(*events))
			continue;
		memcpy(text.buf, &(u16){ (*events)->id }, sizeof(u16));
		trace_seq_reset(&text.seq);
		tep_print_event(text.tep, &text.seq, &record, "%s", TEP_PRINT_INFO);
	}
	_exit(0);
}

/*
 * libtraceevent 1.7 crashes on formats that are damaged in some places. What it makes of these is
 * found out by a child process, so that perf does not die of it.
 */
static bool survives(const void *blob, size_t size)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		try_blob(blob, size);
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

struct trace_text *trace_text__new(const struct perf_data *data, trace_symbol_fn symbol, void *ctx,
                                   struct error *err)
{
	size_t size;
	const void *blob = perf_data__feature(data, FEATURE_TRACING_DATA, &size);
	struct trace_text *text;

	if (!blob) {
		error__set(err, -ENODATA, "cannot format the tracepoints of", perf_data__path(data),
		           "the file has no TRACING_DATA");
		return NULL;
	}
	text = xmalloc(sizeof(*text));
	text__init(text, symbol, ctx);
	if (survives(blob, size) && !parse_blob(text, blob, size))
		return text;
	error__set(err, -EBADMSG, "cannot format the tracepoints of", perf_data__path(data),
	           "its TRACING_DATA is broken");
	trace_text__delete(text);
	return NULL;
}

void trace_text__delete(struct trace_text *text)
{
	if (!text)
		return;
	trace_seq_destroy(&text->seq);
	tep_free(text->tep);
	free(text->buf);
	free(text);
}

void trace_text__print(struct trace_text *text, struct out *out, const void *raw, u32 size, u32 cpu)
{
	struct tep_record record = { .cpu = cpu == ~0u ? 0 : cpu, .size = size };
	struct tep_event *event = NULL;

	if (text && size <= RAW_MAX) {
		memcpy(text->buf, raw, size);
		if (text->used > size)
			memset(text->buf + size, 0, text->used - size);
		text->used = size;
		record.data = text->buf;
		event = tep_find_event_by_record(text->tep, &record);
	}
	if (!event || !is_sane(event) || !is_bounded(event, text->buf)) {
		print_raw(out, raw, size);
		return;
	}
	trace_seq_reset(&text->seq);
	tep_print_event(text->tep, &text->seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text->seq);
	out__name(out, text->seq.buffer);
}

#else

struct trace_text *trace_text__new(const struct perf_data *data, trace_symbol_fn symbol, void *ctx,
                                   struct error *err)
{
	(void)symbol;
	(void)ctx;
	error__set(err, -EOPNOTSUPP, "cannot format the tracepoints of", perf_data__path(data),
	           "this perf was built without libtraceevent");
	return NULL;
}

void trace_text__delete(struct trace_text *text)
{
	(void)text;
}

void trace_text__print(struct trace_text *text, struct out *out, const void *raw, u32 size, u32 cpu)
{
	(void)text;
	(void)cpu;
	print_raw(out, raw, size);
}

#endif
