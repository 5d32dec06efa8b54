// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/handlers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

/* A handler that is bound to an event of the file. */
struct bound {
	void (*fn)(void *ctx, const struct trace_sample *s); /* NULL: not of interest */
	struct trace_sample sample;                          /* all but .s */
	u32 min_size; /* bytes of its fixed part, up to the last field that is used */
};

struct handlers {
	const struct session *session;
	struct trace_formats *formats;
	struct bound *events; /* by evsel idx */
	u64 nr_short;
	struct read_problems problems;
};

/* The fields of @handler in @event. -ENOENT with @err: one is not there. */
static int bind_fields(struct bound *bound, const struct trace_handler *handler,
                       const struct trace_event *event, struct error *err)
{
	char *names = xstrdup(handler->fields), *save = NULL;
	u32 nr = 0;
	int ret = 0;

	for (char *name = strtok_r(names, " ", &save); name && !ret;
	     name = strtok_r(NULL, " ", &save)) {
		bool may_miss = *name == '?';
		const struct trace_field *field = trace_event__field(event, name + may_miss);

		BUG_ON(nr == TRACE_HANDLER_FIELDS);
		bound->sample.fields[nr++] = field;
		if (field)
			bound->min_size =
			        max_u64(bound->min_size, (u32)field->offset + field->size);
		else if (!may_miss)
			ret = error__set(err, -ENOENT, "cannot use the events", handler->event,
			                 "this recording's have no field '%s'", name);
	}
	free(names);
	return ret;
}

static bool is_of(const struct evsel *evsel, const struct trace_event *event, const char *name)
{
	size_t len = strlen(event->system);

	return evsel__is_tracepoint(evsel) && !strncmp(name, event->system, len) &&
	       name[len] == ':' && !strcmp(name + len + 1, event->name);
}

/* Bind @handler to all events of the file that are it. Returns their number or a negative errno. */
static int bind_one(struct handlers *handlers, const struct trace_handler *handler, u32 index,
                    struct error *err)
{
	const struct evlist *evlist = handlers->session->evlist;
	int nr = 0;

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct trace_event *event =
		        trace_formats__event(handlers->formats, evlist->evsels[i]->attr.config);
		struct bound *bound = &handlers->events[i];

		if (!event || !is_of(evlist->evsels[i], event, handler->event))
			continue;
		bound->fn = handler->fn;
		bound->sample.event = event;
		bound->sample.index = index;
		if (bind_fields(bound, handler, event, err))
			return -ENOENT;
		nr++;
	}
	return nr;
}

static int bind_all(struct handlers *handlers, const struct trace_handler *table,
                    const char *record_line, struct error *err)
{
	char missing[256] = "";
	bool lacks = false;
	int nr = 0;

	for (u32 i = 0; table[i].event; i++) {
		int found = bind_one(handlers, &table[i], i, err);
		size_t len = strlen(missing);

		if (found < 0)
			return found;
		nr += found;
		lacks |= !found && !table[i].optional;
		if (!found)
			snprintf(missing + len, sizeof(missing) - len, "%s%s", len ? ", " : "",
			         table[i].event);
	}
	if (nr && !lacks)
		return 0;
	error__set(err, -ENODATA, nr ? "this recording lacks events:" : "nothing to analyse in",
	           perf_data__path(handlers->session->data), "%s %s",
	           nr ? "without" : "it has none of", missing);
	return error__advise(err, "%s records them", record_line);
}

struct handlers *handlers__bind(const struct session *session, const struct trace_handler *table,
                                const char *record_line, struct error *err)
{
	struct handlers *handlers = xcalloc(1, sizeof(*handlers));

	handlers->session = session;
	handlers->formats = trace_formats__of_file(session->data);
	handlers->events = xcalloc(session->evlist->nr + 1, sizeof(*handlers->events));
	if (!bind_all(handlers, table, record_line, err))
		return handlers;
	handlers__delete(handlers);
	return NULL;
}

void handlers__delete(struct handlers *handlers)
{
	if (!handlers)
		return;
	trace_formats__delete(handlers->formats);
	free(handlers->events);
	free(handlers);
}

static void feed(struct handlers *handlers, const struct stream_sample *s, void *ctx)
{
	struct bound *bound = &handlers->events[s->evsel->idx];

	if (unlikely(!s->sample->raw || s->sample->raw_size < bound->min_size)) {
		handlers->nr_short++;
		return;
	}
	bound->sample.s = s;
	bound->fn(ctx, &bound->sample);
}

int handlers__run(struct handlers *handlers, const struct sample_filter *filter,
                  enum stream_need need, unsigned flags, void *ctx, struct error *err)
{
	const struct stream_options options = {
		.order = STREAM_TIME, .need = STREAM_NOTHING, .flags = flags, .filter = filter
	};
	const struct evlist *evlist = handlers->session->evlist;
	struct stream *stream = stream__new(handlers->session, &options, err);
	const struct stream_sample *s;
	int ret;

	if (!stream)
		return err ? err->code : -EIO;
	for (u32 i = 0; i < evlist->nr; i++)
		if (handlers->events[i].fn)
			stream__set_need(stream, evlist->evsels[i], need);
	while (stream__record(stream))
		while ((s = stream__sample(stream)))
			feed(handlers, s, ctx);
	ret = stream__error(stream, err);
	handlers->problems = *stream__problems(stream);
	stream__delete(stream);
	return ret;
}

u64 handlers__nr_short(const struct handlers *handlers)
{
	return handlers->nr_short;
}

const struct read_problems *handlers__problems(const struct handlers *handlers)
{
	return &handlers->problems;
}
