// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The content of a field is its bytes in hexadecimal digits, a blank and its text: equal bytes are
 * one entry, and strcmp() is their order. Of "trace" it is the text. Contents are interned under
 * one lock; the text of a field is only looked for when its bytes are new.
 */
#include "util/view/key_trace.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"
#include "util/trace/trace_text.h"

#define NUMBER_DIGITS 2 /* of each byte, behind "0x": what a column has room for */

struct trace_key {
	struct key key; /* first */
	struct trace_keys *all;
	const struct trace_field *field; /* NULL: "trace" */
	bool raw;
	/* The same in the recording that is read, which may be another. */
	u32 evsel; /* ID_NONE: it lacks it */
	const struct trace_field *here;
};

struct trace_keys {
	const struct session *session; /* that is read */
	const struct evlist *evlist;   /* of the first, with its formats */
	struct trace_formats *formats, *formats_here;
	struct trace_text *text;
	struct trace_text_event **events; /* by evsel */
	struct session_symbols *symbols;
	bool raw;
	const struct key **list; /* NULL behind the last */
	u32 nr;
	size_t cap;
	/* Behind the lock. */
	pthread_mutex_t lock;
	struct strtab contents, seen; /* seen: "KEY HEX" */
	u32 *content_of;              /* by seen */
	size_t cap_seen;
	struct out line, scratch;
};

bool key__is_trace(const struct key *key)
{
	return key->of_event;
}

/* ---- texts ---- */

static const char *kernel_symbol(void *ctx, u64 addr, u64 *start)
{
	const struct trace_keys *keys = ctx;
	u64 offset = 0;
	const char *name =
	        keys->symbols ? session_symbols__kernel_name(keys->symbols, addr, &offset) : NULL;

	*start = addr - offset;
	return name;
}

/* The formats are compiled when a text is first asked for. */
static void print_text(struct trace_keys *keys, struct out *out, const struct evsel *evsel,
                       const struct sample *sample)
{
	u32 nr = keys->session->evlist->nr;

	if (!keys->events) {
		struct error err = ERROR_INIT;

		keys->events = xcalloc(nr, sizeof(*keys->events));
		keys->text = trace_text__new(keys->session->data, NULL, kernel_symbol, keys, &err);
		for (u32 i = 0; i < nr; i++)
			keys->events[i] =
			        trace_text__event(keys->text, keys->session->evlist->evsels[i]);
	}
	trace_text__print(keys->text, keys->events[evsel->idx], out, sample->raw, sample->raw_size,
	                  sample->cpu);
}

static bool is_long(const struct trace_field *field)
{
	return strstr(field->type, "long");
}

static void print_array(struct out *out, const u8 *bytes, u32 size)
{
	out__str(out, "ARRAY[");
	for (u32 i = 0; i < size; i++) {
		out__str(out, i ? ", " : "");
		out__hex0(out, bytes[i], 2);
	}
	out__char(out, ']');
}

/* Without its print format, as Linux's perf does it. */
static void print_field(struct out *out, const struct trace_field *field,
                        const struct sample *sample)
{
	u32 size;
	const void *bytes = trace__bytes(field, sample->raw, sample->raw_size, &size);

	if (!bytes)
		return;
	if (field->flags & TRACE_FIELD_STRING)
		out__mem(out, bytes, strnlen(bytes, size));
	else if (field->flags & (TRACE_FIELD_ARRAY | TRACE_FIELD_DYNAMIC))
		print_array(out, bytes, size);
	else if (field->flags & TRACE_FIELD_SIGNED)
		out__sdec(out, trace__s64(field, sample->raw, sample->raw_size));
	else if (field->flags & TRACE_FIELD_POINTER || is_long(field))
		out__printf(out, "0x%llx",
		            (unsigned long long)trace__u64(field, sample->raw, sample->raw_size));
	else
		out__dec(out, trace__u64(field, sample->raw, sample->raw_size), 0);
}

static void print_all_fields(struct trace_keys *keys, struct out *out, const struct evsel *evsel,
                             const struct sample *sample)
{
	const struct trace_formats *formats = keys->formats_here;
	const struct trace_event *event = trace_formats__event(formats, evsel->attr.config);

	for (u32 i = event ? event->nr_common : 0; event && i < event->nr_fields; i++) {
		out__printf(out, " %s=", event->fields[i].name);
		print_field(out, &event->fields[i], sample);
	}
}

/* What the text of a sample has as NAME=VALUE. False: nothing. */
static bool print_named(struct out *out, const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *word = text; word; word = strchr(word, ' ')) {
		word += *word == ' ';
		if (!strncmp(word, name, len) && word[len] == '=') {
			word += len + 1;
			out__mem(out, word, strcspn(word, " "));
			return true;
		}
	}
	return false;
}

/* ---- contents ---- */

static u32 intern(struct strtab *contents, struct out *text)
{
	return strtab__intern(contents, out__take(text), text->len);
}

static u32 text_content(struct trace_keys *keys, const struct evsel *evsel,
                        const struct sample *sample)
{
	struct out *line = &keys->line;

	line->len = 0;
	if (keys->raw)
		print_all_fields(keys, line, evsel, sample);
	else
		print_text(keys, line, evsel, sample);
	return intern(&keys->contents, line);
}

/* @scratch has "KEY HEX": HEX and the text. */
static u32 new_field_content(struct trace_keys *keys, const struct trace_key *key,
                             const struct evsel *evsel, const struct sample *sample)
{
	struct out *line = &keys->line, *scratch = &keys->scratch;
	size_t len = scratch->len;

	out__char(scratch, ' ');
	line->len = 0;
	if (!key->raw && !(key->here->flags & TRACE_FIELD_STRING))
		print_text(keys, line, evsel, sample);
	if (!line->len || !print_named(scratch, out__take(line), key->here->name))
		print_field(scratch, key->here, sample);
	const char *content = strchr(out__take(scratch), ' ') + 1;
	u32 id = strtab__intern(&keys->contents, content, strlen(content));

	scratch->len = len;
	return id;
}

static u32 field_content(struct trace_keys *keys, const struct trace_key *key,
                         const struct evsel *evsel, const struct sample *sample)
{
	struct out *scratch = &keys->scratch;
	u32 size;
	const u8 *bytes = trace__bytes(key->here, sample->raw, sample->raw_size, &size);

	if (bytes && key->here->flags & TRACE_FIELD_STRING)
		size = strnlen((const char *)bytes, size);
	scratch->len = 0;
	out__printf(scratch, "%p ", (const void *)key);
	for (u32 i = 0; bytes && i < size; i++)
		out__hex0(scratch, bytes[i], 2);
	u32 seen = strtab__intern(&keys->seen, out__take(scratch), scratch->len);
	size_t had = keys->cap_seen;

	array__reserve(&keys->content_of, &keys->cap_seen, (size_t)seen + 1, sizeof(u32));
	if (keys->cap_seen > had)
		memset(keys->content_of + had, 0, (keys->cap_seen - had) * sizeof(u32));
	if (!keys->content_of[seen])
		keys->content_of[seen] = new_field_content(keys, key, evsel, sample);
	return keys->content_of[seen];
}

/* 0: the sample is none of the key's. */
static u64 take_content(const struct key *key, const struct evsel *evsel,
                        const struct sample *sample)
{
	const struct trace_key *trace = (const struct trace_key *)key;
	struct trace_keys *keys = trace->all;
	u32 id;

	if (!evsel__is_tracepoint(evsel) || (trace->field && evsel->idx != trace->evsel))
		return 0;
	pthread_mutex_lock(&keys->lock);
	id = trace->field ? field_content(keys, trace, evsel, sample)
	                  : text_content(keys, evsel, sample);
	pthread_mutex_unlock(&keys->lock);
	return id;
}

/* ---- what the key table asks ---- */

static const char *content(const struct key *key, u64 id)
{
	return strtab__get(&((const struct trace_key *)key)->all->contents, id);
}

static int compare_texts(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)data;
	return strcmp(content(key, a), content(key, b));
}

/* As Linux's perf: larger bytes above. */
static int compare_fields(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	return -compare_texts(data, key, a, b);
}

static void print_cell(struct out *text, const char *content)
{
	if (text__is_printable(content, strlen(content)))
		out__str(text, content);
	else
		out__name(text, content);
}

static void text_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	u64 id = sort_key__value(data, by, row);

	print_cell(text, id ? content(by->key, id) : "N/A");
	*cell = cell__text(out__take(text));
}

static void field_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                       struct out *text, struct cell *cell)
{
	const char *all = content(by->key, sort_key__value(data, by, row));
	const char *blank = strchr(all, ' ');

	print_cell(text, blank ? blank + 1 : "");
	*cell = cell__text(out__take(text));
}

/* Room for a number of the field's size; for a string of fixed length for that, else for its NUL.
 */
static u32 field_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	const struct trace_field *field = ((const struct trace_key *)by->key)->field;
	const char *all = content(by->key, sort_key__value(data, by, row));
	const char *blank = strchr(all, ' ');
	u32 width = blank ? strlen(blank + 1) : 0, least = 0;

	if (field->flags & TRACE_FIELD_STRING)
		least = field->flags & TRACE_FIELD_DYNAMIC ? width + 1 : field->size;
	else if (!(field->flags & TRACE_FIELD_DYNAMIC))
		least = 2 + NUMBER_DIGITS * field->size;
	return width > least ? width : least;
}

/* ---- making them ---- */

static void add_key(struct trace_keys *keys, struct trace_key *key)
{
	array__reserve(&keys->list, &keys->cap, (size_t)keys->nr + 2, sizeof(*keys->list));
	keys->list[keys->nr++] = &key->key;
	keys->list[keys->nr] = NULL;
}

static struct trace_key *text_key(struct trace_keys *keys)
{
	struct trace_key *key = xcalloc(1, sizeof(*key));

	*key = (struct trace_key){
		.key = { .name = xstrdup("trace"),
		         .heading = "Trace output",
		         .ragged = true,
		         .scope = KEY_OF_SAMPLE,
		         .evsel = ID_NONE,
		         .of_event = take_content,
		         .compare = compare_texts,
		         .cell = text_cell },
		.all = keys,
	};
	return key;
}

/* A name that is one word of a list. */
static char *name_of(const struct evsel *evsel, const struct trace_field *field, bool raw)
{
	char *name = xasprintf("%s.%s%s", evsel->name, field->name, raw ? "/raw" : "");

	for (char *at = name; (at = strpbrk(at, " ,{}")); at++)
		*at = '_';
	return name;
}

/* The key of a field, made unless it is there. */
static const struct key *key_of_field(struct trace_keys *keys, const struct evsel *evsel,
                                      const struct trace_field *field, bool raw)
{
	raw |= keys->raw;
	for (u32 i = 0; i < keys->nr; i++) {
		const struct trace_key *key = (const struct trace_key *)keys->list[i];

		if (key->field == field && key->key.evsel == evsel->idx && key->raw == raw)
			return &key->key;
	}
	struct trace_key *key = xcalloc(1, sizeof(*key));

	*key = (struct trace_key){
		.key = { .name = name_of(evsel, field, raw),
		         .heading = field->name,
		         .right = true,
		         .scope = KEY_OF_SAMPLE,
		         .evsel = evsel->idx,
		         .of_event = take_content,
		         .compare = compare_fields,
		         .cell = field_cell,
		         .width = field_width },
		.all = keys,
		.field = field,
		.raw = raw,
		.evsel = evsel->idx,
		.here = field,
	};
	add_key(keys, key);
	return &key->key;
}

struct trace_keys *trace_keys__new(const struct session *session, bool raw)
{
	struct trace_keys *keys = xcalloc(1, sizeof(*keys));

	*keys = (struct trace_keys){
		.session = session,
		.evlist = session->evlist,
		.formats = trace_formats__of_file(session->data),
		.raw = raw,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.line = { .fd = -1 },
		.scratch = { .fd = -1 },
	};
	keys->formats_here = keys->formats;
	strtab__init(&keys->contents);
	strtab__init(&keys->seen);
	add_key(keys, text_key(keys));
	return keys;
}

static void forget_seen(struct trace_keys *keys)
{
	strtab__exit(&keys->seen);
	strtab__init(&keys->seen);
	free(keys->content_of);
	keys->content_of = NULL;
	keys->cap_seen = 0;
}

/* What was made of the recording that is read, as soon as it was needed. */
static void forget_texts(struct trace_keys *keys)
{
	trace_text__delete(keys->text);
	free(keys->events);
	keys->text = NULL;
	keys->events = NULL;
	if (keys->formats_here != keys->formats)
		trace_formats__delete(keys->formats_here);
}

void trace_keys__delete(struct trace_keys *keys)
{
	if (!keys)
		return;
	for (u32 i = 0; i < keys->nr; i++) {
		free((char *)keys->list[i]->name);
		free((struct key *)keys->list[i]);
	}
	forget_texts(keys);
	trace_formats__delete(keys->formats);
	strtab__exit(&keys->contents);
	strtab__exit(&keys->seen);
	out__exit(&keys->line);
	out__exit(&keys->scratch);
	free(keys->content_of);
	free(keys->list);
	free(keys);
}

static void find_by_names(struct trace_keys *keys, struct trace_key *key)
{
	const struct evlist *evlist = keys->session->evlist;
	const char *name = keys->evlist->evsels[key->key.evsel]->name;

	key->evsel = ID_NONE;
	for (u32 i = 0; i < evlist->nr && key->evsel == ID_NONE; i++) {
		if (strcmp(evlist->evsels[i]->name, name))
			continue;
		const struct trace_event *event =
		        trace_formats__event(keys->formats_here, evlist->evsels[i]->attr.config);

		key->here = event ? trace_event__field(event, key->field->name) : NULL;
		key->evsel = key->here ? i : ID_NONE;
	}
}

void trace_keys__use(struct trace_keys *keys, const struct session *session,
                     struct session_symbols *symbols)
{
	keys->symbols = symbols;
	if (keys->session == session)
		return;
	forget_texts(keys);
	forget_seen(keys);
	keys->session = session;
	keys->formats_here = trace_formats__of_file(session->data);
	for (u32 i = 1; i < keys->nr; i++) /* [0] is "trace" */
		find_by_names(keys, (struct trace_key *)keys->list[i]);
}

const struct key *const *trace_keys__list(const struct trace_keys *keys)
{
	return keys->list;
}

size_t trace_keys__nr_contents(const struct trace_keys *keys)
{
	return keys->contents.nr;
}

void trace_keys__keep(struct trace_keys *keys, const u8 *used)
{
	strtab__keep(&keys->contents, used);
	forget_seen(keys);
}

/* ---- words ---- */

/* "sched:sched_switch", "sched_switch", "%2" (the second event); NULL: all. */
static bool is_event(const struct evsel *evsel, const char *word)
{
	const char *colon = strchr(evsel->name, ':');

	if (!word)
		return true;
	if (*word == '%')
		return strtoul(word + 1, NULL, 10) == evsel->idx + 1;
	return !fnmatch(word, evsel->name, 0) || (colon && !fnmatch(word, colon + 1, 0));
}

/* "trace_fields" is each field but the common ones, and so is a glob that begins with '*'. */
static bool is_field(const struct trace_event *event, u32 i, const char *word)
{
	bool own = i >= event->nr_common;

	if (!strcmp(word, "trace_fields"))
		return own;
	return (own || strpbrk(word, "*?[") == NULL) && !fnmatch(word, event->fields[i].name, 0);
}

static void expand_word(struct trace_keys *keys, struct out *out, const char *word)
{
	const struct evlist *evlist = keys->session->evlist;
	char *copy = xstrdup(word), *dot = strrchr(copy, '.'), *slash = strrchr(copy, '/');
	bool raw = slash && !strcmp(slash, "/raw"), first = true;

	if (raw)
		*slash = '\0';
	if (dot)
		*dot = '\0';
	for (u32 e = 0; e < evlist->nr; e++) {
		const struct evsel *evsel = evlist->evsels[e];
		const struct trace_event *event =
		        evsel__is_tracepoint(evsel) && is_event(evsel, dot ? copy : NULL)
		                ? trace_formats__event(keys->formats, evsel->attr.config)
		                : NULL;

		for (u32 i = 0; event && i < event->nr_fields; i++) {
			if (!is_field(event, i, dot ? dot + 1 : copy))
				continue;
			out__str(out, first ? "" : ",");
			out__str(out, key_of_field(keys, evsel, &event->fields[i], raw)->name);
			first = false;
		}
	}
	if (first)
		out__str(out, word);
	free(copy);
}

char *trace_keys__expand(struct trace_keys *keys, const char *text)
{
	struct out out = { .fd = -1 };
	char *copy = xstrdup(text), *at = copy;

	while (*at) {
		size_t between = strspn(at, "+, {}"), len;

		out__mem(&out, at, between);
		at += between;
		len = strcspn(at, ", {}");
		char end = at[len];

		at[len] = '\0';
		if (len && sort_keys__find(at, NULL))
			out__str(&out, at);
		else if (len)
			expand_word(keys, &out, at);
		at += len;
		*at = end;
	}
	free(copy);
	copy = xstrdup(out__take(&out));
	out__exit(&out);
	return copy;
}

/* ---- unknown words ---- */

/* The events of tracepoints that @word means: the next from *at on; NULL: none is left. */
static const struct trace_event *next_event(const struct trace_keys *keys, const char *word,
                                            u32 *at)
{
	const struct evlist *evlist = keys->evlist;

	while (*at < evlist->nr) {
		const struct evsel *evsel = evlist->evsels[(*at)++];
		const struct trace_event *event =
		        evsel__is_tracepoint(evsel) && is_event(evsel, word)
		                ? trace_formats__event(keys->formats, evsel->attr.config)
		                : NULL;

		if (event)
			return event;
	}
	return NULL;
}

/* @event NULL: of any. False: one is meant already. */
static bool offer_fields(const struct trace_keys *keys, const char *event, const char *word,
                         struct nearest *near)
{
	const struct trace_event *of;

	for (u32 at = 0; (of = next_event(keys, event, &at));)
		for (u32 i = 0; i < of->nr_fields; i++) {
			if (is_field(of, i, word))
				return false;
			nearest__offer(near, of->fields[i].name);
		}
	return true;
}

/* With the name of the system where @word has one. */
static void offer_events(const struct trace_keys *keys, const char *word, struct nearest *near)
{
	for (u32 i = 0; i < keys->evlist->nr; i++) {
		const struct evsel *evsel = keys->evlist->evsels[i];
		const char *colon = strchr(evsel->name, ':');

		if (evsel__is_tracepoint(evsel))
			nearest__offer(near, strchr(word, ':') || !colon ? evsel->name : colon + 1);
	}
}

/* The events near @event that have the field, or one that is near it. */
static void propose_with_event(const struct trace_keys *keys, const char *event, const char *field,
                               const char *raw, struct error *err)
{
	struct nearest near, fields, whole;
	char text[256], *names[NEAREST_MAX] = { NULL };
	u32 at = 0;

	nearest__init(&near, event);
	if (next_event(keys, event, &at)) {
		near.names[0] = event;
		near.nr = 1;
	} else {
		offer_events(keys, event, &near);
	}
	whole = (struct nearest){ .nr = 0 };
	for (u32 i = 0; i < near.nr; i++) {
		nearest__init(&fields, field);
		bool other = offer_fields(keys, near.names[i], field, &fields);

		for (u32 n = 0; n < (other ? fields.nr : 1) && whole.nr < NEAREST_MAX; n++) {
			names[whole.nr] = xasprintf("%s.%s%s", near.names[i],
			                            other ? fields.names[n] : field, raw);
			whole.names[whole.nr] = names[whole.nr];
			whole.nr++;
		}
	}
	error__advise(err, "%s", nearest__text(&whole, "", text, sizeof(text)));
	for (u32 i = 0; i < whole.nr; i++)
		free(names[i]);
}

void trace_keys__propose(const struct trace_keys *keys, const char *word, struct error *err)
{
	char *copy = xstrdup(word), *dot = strrchr(copy, '.'), *slash = strrchr(copy, '/');
	const char *raw = slash && !strcmp(slash, "/raw") ? "/raw" : "";
	struct nearest near;
	char text[256];
	u32 at = 0;

	if (*raw)
		*slash = '\0';
	if (dot) {
		*dot = '\0';
		propose_with_event(keys, copy, dot + 1, raw, err);
	} else if (next_event(keys, copy, &at)) {
		error__advise(err, "did you mean '%s.*', its fields?", copy);
	} else {
		nearest__init(&near, copy);
		offer_fields(keys, NULL, copy, &near);
		error__advise(err, "%s", nearest__text(&near, "", text, sizeof(text)));
	}
	free(copy);
}
