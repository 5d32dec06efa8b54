// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feeds the formats of a file's events to libtraceevent, and compiles what it makes of them. Where
 * no program is possible the library prints. It trusts offsets in the format text and in the
 * sample. So formats with fields beyond any record are refused, and each such sample is copied in
 * front of as many zeros as the largest offset in a sample can reach.
 */
#include "util/trace/trace_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/reader/features.h"
#include "util/trace/trace_blob.h"
#include "util/trace/trace_unknown.h"

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

#define TRIAL_SECONDS  5 /* of CPU for the formats of a file */
#define CONSTANT_DEPTH 32

struct trace_text_event {
	const struct trace_event *format;
	struct trace_program *program; /* NULL: the library prints ... */
	struct tep_event *tep;
	const char *why; /* ... as this stands in the format */
	u64 nr_slow;     /* samples that it printed */
	bool is_sane;
};

struct trace_text {
	struct tep_handle *tep;
	struct trace_world world;
	struct trace_formats *formats;
	struct trace_text_event **events; /* in the order in which they were asked for */
	size_t nr, cap;
	struct u64map by_id;
	struct out line; /* the text of a program */
	struct trace_seq seq;
	u8 *buf; /* REACH bytes: the sample, then zeros */
	u32 used;
};

static char *resolve(void *priv, unsigned long long *addr, char **module)
{
	struct trace_text *text = priv;
	u64 start = *addr;
	const struct trace_world *world = &text->world;
	const char *name = world->symbol ? world->symbol(world->ctx, *addr, &start) : NULL;

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

/* A line `0xADDRESS : "TEXT"`; the library reads behind others. */
static bool is_printk_line(const char *line)
{
	const char *colon = strchr(line, ':');

	return !strncmp(line, "0x", 2) && colon && !strncmp(colon, ": \"", 3) &&
	       strchr(colon + 3, '"');
}

/* The same for programs: the text without its quotes and its last newline. */
static void keep_printk(struct trace_world *world, const char *line)
{
	u64 addr = strtoull(line, NULL, 16);
	const char *start = strchr(line, '"') + 1;
	size_t len = strlen(start);

	while (len && (start[len - 1] == '\n' || start[len - 1] == ' '))
		len--;
	len -= len && start[len - 1] == '"';
	len -= len >= 2 && !strncmp(start + len - 2, "\\n", 2) ? 2 : 0;
	array__reserve(&world->texts, &world->cap, world->nr_texts + 1, sizeof(*world->texts));
	*u64map__at(&world->printk, addr) = world->nr_texts;
	world->texts[world->nr_texts++] = copy_text(start, len);
}

static void parse_printk_formats(void *ctx, const char *file, size_t size)
{
	struct trace_text *text = ctx;
	char *copy = copy_text(file, size), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (!is_printk_line(line))
			continue;
		tep_parse_printk_formats(text->tep, line);
		keep_printk(&text->world, line);
	}
	free(copy);
}

static void set_machine(void *ctx, bool big_endian, unsigned long_size, u32 page_size)
{
	struct trace_text *text = ctx;

	text->world.swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	text->world.long_size = long_size;
	tep_set_file_bigendian(text->tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(text->tep, long_size);
	tep_set_page_size(text->tep, page_size);
}

/* Of the parts of the section all but the formats, which are taken up one by one. */
static int parse_world(struct trace_text *text, const void *blob, size_t size)
{
	struct trace_blob_reader reader = { set_machine, NULL, parse_printk_formats, text };

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

/* The same whatever a sample says: it was tried when the format was read. */
static bool is_constant(const struct tep_print_arg *arg, unsigned depth)
{
	if (!arg || depth > CONSTANT_DEPTH)
		return false;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		return true;
	case TEP_PRINT_TYPE:
		return is_constant(arg->typecast.item, depth + 1);
	case TEP_PRINT_OP:
		return is_constant(arg->op.left, depth + 1) &&
		       is_constant(arg->op.right, depth + 1);
	default:
		return false;
	}
}

/*
 * Widths and precisions that stand in the sample ("%*d"): the library has the C library pad to
 * them, which takes minutes for a record that says two billions.
 */
static bool has_bounded_stars(struct tep_event *event, void *raw)
{
	const struct tep_print_arg *arg = event->print_fmt.args;
	const char *p = event->print_fmt.format;

	while (p && arg && (p = strchr(p, '%'))) {
		if (*++p == '%') {
			p++;
			continue;
		}
		for (; *p && !isalpha((u8)*p) && *p != '%'; p++) {
			if (*p != '*')
				continue;
			if (!is_constant(arg, 0) && !is_count(event, arg, 1, raw))
				return false;
			arg = arg->next;
			if (!arg)
				return true;
		}
		arg = arg->next;
	}
	return true;
}

static void text__init(struct trace_text *text, trace_symbol_fn symbol, void *ctx)
{
	*text = (struct trace_text){ .tep = tep_alloc(),
		                     .world = { .symbol = symbol, .ctx = ctx } };
	BUG_ON(!text->tep);
	tep_set_loglevel(TEP_LOG_NONE);
	trace_seq_init(&text->seq);
	out__init(&text->line, -1);
	tep_set_function_resolver(text->tep, resolve, text);
}

static void text__exit(struct trace_text *text)
{
	for (size_t i = 0; i < text->nr; i++) {
		trace_program__delete(text->events[i]->program);
		free(text->events[i]);
	}
	for (size_t i = 0; i < text->world.nr_texts; i++)
		free(text->world.texts[i]);
	free(text->world.texts);
	u64map__exit(&text->world.printk);
	u64map__exit(&text->by_id);
	trace_formats__delete(text->formats);
	out__exit(&text->line);
	trace_seq_destroy(&text->seq);
	tep_free(text->tep);
	free(text->events);
	free(text->buf);
}

/*
 * An array of strings of a probe, "__data_loc char[][3] v" and __get_str(v[0]), as the strings that
 * it is: the library cannot parse it. Those behind the first are unsigned, which no string of a
 * probe is: that is how trace_compile.c knows them. False: the line is no such field.
 */
static bool split_strings(struct out *to, const char *line)
{
	unsigned nr, offset, size;
	char name[64];

	if (sscanf(line, "\tfield:__data_loc char[][%3u] %63[A-Za-z0-9_];\toffset:%5u;\tsize:%4u;",
	           &nr, name, &offset, &size) != 4 ||
	    size != nr * sizeof(u32))
		return false;
	for (unsigned i = 0; i < nr; i++)
		out__printf(to,
		            "\tfield:__data_loc char[] %s__%u;\toffset:%u;\tsize:4;\tsigned:%u;\n",
		            name, i, offset + i * 4, !i);
	return true;
}

/* "__get_str(v[0])" -> "__get_str(v__0)" */
static void split_args(struct out *to, const char *line)
{
	static const char call[] = "__get_str(";

	while (*line) {
		if (!text__starts_with(line, call)) {
			out__char(to, *line++);
			continue;
		}
		size_t len = strlen(call) + strcspn(line + strlen(call), "[)");

		out__mem(to, line, len);
		line += len;
		if (*line != '[')
			continue;
		len = strspn(++line, "0123456789");
		out__printf(to, "__%.*s", (int)len, line);
		line += len;
		line += *line == ']';
	}
}

/* The format as the library reads it: malloc'ed. */
static char *library_text(const struct trace_event *format, size_t *size)
{
	char *copy = copy_text(format->text, format->text_size), *rest = copy, *line;
	struct out to;

	*size = format->text_size;
	if (!strstr(copy, " char[]["))
		return copy;
	out__init(&to, -1);
	while ((line = strsep(&rest, "\n"))) {
		if (text__starts_with(line, "print fmt:"))
			split_args(&to, line);
		else if (split_strings(&to, line))
			continue;
		else
			out__str(&to, line);
		if (rest)
			out__char(&to, '\n');
	}
	free(copy);
	*size = to.len;
	copy = copy_text(out__take(&to), *size);
	out__exit(&to);
	return copy;
}

/* A format the library cannot read leaves its samples raw: no reason to stop. */
static void parse_event(struct trace_text *text, const struct trace_event *format)
{
	struct trace_text_event event = { .format = format };

	if (format->text_size > FORMAT_MAX)
		return;
	size_t size;
	char *copy = library_text(format, &size);

	tep_parse_event(text->tep, copy, size, format->system);
	free(copy);
	event.tep = tep_find_event(text->tep, format->id);
	if (!event.tep)
		return;
	event.is_sane = is_sane(event.tep);
	if (event.is_sane)
		event.program = trace_program__new(event.tep, &text->world, &event.why);
	array__reserve(&text->events, &text->cap, text->nr + 1, sizeof(*text->events));
	*u64map__at(&text->by_id, format->id) = text->nr;
	text->events[text->nr] = xmalloc(sizeof(event));
	*text->events[text->nr++] = event;
}

/* Does @evsel have a format that was not taken up yet? */
static const struct trace_event *new_format(const struct trace_text *text,
                                            const struct evsel *evsel)
{
	u64 id = evsel->attr.config;

	if (!evsel__is_tracepoint(evsel) || u64map__get(&text->by_id, id) != ID_NONE)
		return NULL;
	return trace_formats__event(text->formats, id);
}

/* The formats of the events that the file has samples of. */
static int parse_file(struct trace_text *text, const struct perf_data *data, const void *blob,
                      size_t size, const u64 *samples_of)
{
	const struct evlist *list = perf_data__evlist((struct perf_data *)data);
	int ret = parse_world(text, blob, size);

	if (ret)
		return ret;
	text->formats = trace_formats__new(blob, size);
	for (u32 i = 0; i < list->nr; i++) {
		const struct trace_event *format = new_format(text, list->evsels[i]);

		if (format && (!samples_of || samples_of[i]))
			parse_event(text, format);
	}
	return 0;
}

static void print_by_library(struct trace_text *text, struct tep_record *record)
{
	trace_seq_reset(&text->seq);
	tep_print_event(text->tep, &text->seq, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text->seq);
}

static void need_buf(struct trace_text *text)
{
	if (!text->buf)
		text->buf = xcalloc(1, REACH);
}

/* In a process of its own: what may crash does so here. Does not return. */
static void begin_trial(void)
{
	struct rlimit no_core = { 0, 0 }, few_seconds = { TRIAL_SECONDS, TRIAL_SECONDS };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0)
		dup2(null, 2); /* last words of the C library */
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &few_seconds);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
}

/* A sample of zeros of each event that the library prints. */
static void try_events(struct trace_text *text, size_t from)
{
	need_buf(text);
	for (size_t i = from; i < text->nr; i++) {
		const struct trace_text_event *event = text->events[i];
		struct tep_record record = { .data = text->buf, .size = RAW_MAX };

		if (!event->is_sane || event->program)
			continue;
		memcpy(text->buf, &(u16){ event->format->id }, sizeof(u16));
		print_by_library(text, &record);
	}
}

static bool end_trial(pid_t pid)
{
	int status = 0;

	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/*
 * libtraceevent 1.7 crashes on formats that are damaged in some places. What it makes of these is
 * found out by a child process, so that perf does not die of it.
 */
static bool survives(const struct perf_data *data, const void *blob, size_t size,
                     const u64 *samples_of)
{
	pid_t pid = fork();

	if (!pid) {
		struct trace_text text;

		begin_trial();
		text__init(&text, NULL, NULL);
		if (parse_file(&text, data, blob, size, samples_of))
			_exit(1);
		try_events(&text, 0);
		_exit(0);
	}
	return end_trial(pid);
}

/* The same of one event, whose samples came later. */
static bool survives_event(struct trace_text *text, const struct trace_event *format)
{
	pid_t pid = fork();

	if (!pid) {
		size_t from = text->nr;

		begin_trial();
		text->world.symbol = NULL;
		parse_event(text, format);
		try_events(text, from);
		_exit(0);
	}
	return end_trial(pid);
}

struct trace_text *trace_text__new(const struct perf_data *data, const u64 *samples_of,
                                   trace_symbol_fn symbol, void *ctx, struct error *err)
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
	if (survives(data, blob, size, samples_of) &&
	    !parse_file(text, data, blob, size, samples_of))
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
	text__exit(text);
	free(text);
}

static struct trace_text_event *find_event(const struct trace_text *text, u64 id)
{
	u32 at = u64map__get(&text->by_id, id);

	return at == ID_NONE ? NULL : text->events[at];
}

struct trace_text_event *trace_text__event(struct trace_text *text, const struct evsel *evsel)
{
	const struct trace_event *format = text ? new_format(text, evsel) : NULL;

	if (format && survives_event(text, format))
		parse_event(text, format);
	return text && evsel__is_tracepoint(evsel) ? find_event(text, evsel->attr.config) : NULL;
}

bool trace_text__slow(const struct trace_text *text, u32 i, struct trace_text_slow *slow)
{
	if (!text || i >= text->nr)
		return false;
	const struct trace_text_event *event = text->events[i];

	*slow = (struct trace_text_slow){
		.event = event->format,
		.why = event->program   ? NULL
		       : event->is_sane ? event->why
		                        : "fields beyond any record",
		.nr = event->nr_slow,
		.unparsed = event->tep->flags & TEP_EVENT_FL_FAILED,
	};
	if (slow->unparsed)
		trace_unknown__function(event->format, slow->function, sizeof(slow->function));
	return true;
}

/* As before there were programs: copied in front of zeros, as far as the library may go. */
static bool print_slowly(struct trace_text *text, struct trace_text_event *event, struct out *out,
                         const void *raw, u32 size, u32 cpu)
{
	struct tep_record record = { .cpu = cpu == ~0u ? 0 : cpu, .size = size };

	if (!event->is_sane || size > RAW_MAX)
		return false;
	need_buf(text);
	memcpy(text->buf, raw, size);
	if (text->used > size)
		memset(text->buf + size, 0, text->used - size);
	text->used = size;
	record.data = text->buf;
	if (!is_bounded(event->tep, text->buf) || !has_bounded_stars(event->tep, text->buf))
		return false;
	event->nr_slow++;
	print_by_library(text, &record);
	out__name(out, text->seq.buffer);
	return true;
}

/* Control characters of the record's strings do not reach the output. */
static void print_program(struct trace_text *text, const struct trace_program *program,
                          struct out *out, const void *raw, u32 size)
{
	text->line.len = 0;
	trace_program__run(program, &text->line, raw, size);
	const char *line = out__take(&text->line);

	if (likely(text__is_printable(line, text->line.len)))
		out__mem(out, line, text->line.len);
	else
		out__name(out, line);
}

void trace_text__print(struct trace_text *text, struct trace_text_event *event, struct out *out,
                       const void *raw, u32 size, u32 cpu)
{
	u16 id = size >= sizeof(id) ? load_u16(raw, text && text->world.swap) : 0;

	if (unlikely(event && id != event->format->id)) /* the record knows better */
		event = find_event(text, id);
	if (likely(event && event->program))
		print_program(text, event->program, out, raw, size);
	else if (!event || !print_slowly(text, event, out, raw, size, cpu))
		print_raw(out, raw, size);
}

#else

struct trace_text *trace_text__new(const struct perf_data *data, const u64 *samples_of,
                                   trace_symbol_fn symbol, void *ctx, struct error *err)
{
	(void)samples_of;
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

struct trace_text_event *trace_text__event(struct trace_text *text, const struct evsel *evsel)
{
	(void)text;
	(void)evsel;
	return NULL;
}

bool trace_text__slow(const struct trace_text *text, u32 i, struct trace_text_slow *slow)
{
	(void)text;
	(void)i;
	(void)slow;
	return false;
}

void trace_text__print(struct trace_text *text, struct trace_text_event *event, struct out *out,
                       const void *raw, u32 size, u32 cpu)
{
	(void)text;
	(void)event;
	(void)cpu;
	print_raw(out, raw, size);
}

#endif
