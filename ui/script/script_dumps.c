// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/script_dumps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/output_file.h"

struct event_dump {
	char *path; /* NULL: not open */
	struct output_file file;
	struct out out;
	u64 nr_samples;
};

struct script_dumps {
	struct event_dump *events; /* by evsel idx */
	u32 nr;
};

/* Of the @nr-th event whose file has this name. */
static char *path_of(const char *input, const char *event, u32 nr)
{
	const char *name = strcmp(input, "-") ? input : "perf.data";
	size_t len = strlen(name);
	struct out text;

	while (len > 1 && name[len - 1] == '/')
		len--;
	out__init(&text, -1);
	out__mem(&text, name, len);
	out__char(&text, '.');
	for (const char *p = event; *p; p++)
		out__char(&text, *p == '/' || iscntrl((unsigned char)*p) ? '_' : *p);
	if (nr > 1)
		out__printf(&text, ".%u", nr);
	out__str(&text, ".dump");
	char *path = xstrdup(out__take(&text));

	out__exit(&text);
	return path;
}

static bool has_path(const struct script_dumps *dumps, const char *path)
{
	for (u32 i = 0; i < dumps->nr; i++)
		if (!strcmp(dumps->events[i].path, path))
			return true;
	return false;
}

/* One that no event before has. */
static char *new_path(const struct script_dumps *dumps, const char *input, const char *event)
{
	for (u32 nr = 1;; nr++) {
		char *path = path_of(input, event, nr);

		if (!has_path(dumps, path))
			return path;
		free(path);
	}
}

struct script_dumps *script_dumps__new(const struct evlist *evlist, const char *input,
                                       struct error *err)
{
	struct script_dumps *dumps = xcalloc(1, sizeof(*dumps));
	struct file_ids inputs = { .mode = 0666 };
	int ret = 0;

	file_ids__add(&inputs, input);
	dumps->events = xcalloc(evlist->nr + 1, sizeof(*dumps->events));
	while (!ret && dumps->nr < evlist->nr) {
		struct event_dump *dump = &dumps->events[dumps->nr];
		char *path = new_path(dumps, input, evlist->evsels[dumps->nr]->name);

		/* What the input tells of others, its text tells them, too, and no more. */
		ret = output_file__open(&dump->file, path, OUTPUT_FILE_REPLACE, inputs.mode & 0666,
		                        &inputs, err);
		if (ret) {
			free(path);
			break;
		}
		dump->path = path;
		out__init(&dump->out, dump->file.fd);
		dumps->nr++;
	}
	file_ids__exit(&inputs);
	if (!ret)
		return dumps;
	script_dumps__delete(dumps);
	return NULL;
}

struct out *script_dumps__out(struct script_dumps *dumps, const struct evsel *evsel)
{
	return &dumps->events[evsel->idx].out;
}

void script_dumps__count(struct script_dumps *dumps, const struct evsel *evsel)
{
	dumps->events[evsel->idx].nr_samples++;
}

/* 0 or a negative errno. */
static int close_one(struct event_dump *dump, bool keep)
{
	out__exit(&dump->out);
	int closed = output_file__close(&dump->file, keep && !dump->out.error);

	return dump->out.error ? dump->out.error : closed;
}

int script_dumps__close(struct script_dumps *dumps, bool keep, struct out *out, struct error *err)
{
	int ret = 0;

	for (u32 i = 0; i < dumps->nr; i++) {
		struct event_dump *dump = &dumps->events[i];
		int failed = close_one(dump, keep);

		if (failed && keep && !ret)
			ret = error__set(err, failed, "cannot write", dump->path, NULL);
		if (!failed && keep) {
			out__printf(out, "[ perf script: Wrote %.3f MB ",
			            dump->out.written / 1024.0 / 1024.0);
			out__name(out, dump->path);
			out__printf(out, " (%llu samples) ]\n",
			            (unsigned long long)dump->nr_samples);
		}
		free(dump->path);
	}
	dumps->nr = 0;
	return ret;
}

void script_dumps__delete(struct script_dumps *dumps)
{
	if (!dumps)
		return;
	script_dumps__close(dumps, false, NULL, NULL);
	free(dumps->events);
	free(dumps);
}
