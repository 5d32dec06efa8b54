// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/event_switch.h"

#include <errno.h>

#include "util/options/nearest.h"
#include "util/stream/stream.h"

/* A way through the samples of both events, in the order of time. */
struct walk {
	const struct event_switch *names;
	const struct evsel *on, *off; /* NULL: not given */
	struct time_ranges *parts;
	bool passes; /* now */
	u64 from;    /* since then */
};

static int find_event(const struct evlist *evlist, const char *name, const char *what,
                      const struct evsel **evsel, struct error *err)
{
	struct nearest near;
	char guess[200];

	if (!name)
		return 0;
	nearest__init(&near, name);
	for (u32 i = 0; i < evlist->nr; i++) {
		*evsel = evlist->evsels[i];
		if (!strcmp((*evsel)->name, name))
			return (*evsel)->attr.sample_type & PERF_SAMPLE_TIME
			               ? 0
			               : error__set(err, -ENODATA, what, name,
			                            "its samples have no time: record with -T");
		nearest__offer(&near, (*evsel)->name);
	}
	error__set(err, -ENOENT, what, name, "use 'perf evlist' to see the available event names");
	return error__advise(err, "%s", nearest__text(&near, "", guess, sizeof(guess)));
}

static void end_part(struct walk *walk, u64 to)
{
	if (walk->passes && walk->from <= to)
		time_ranges__add(walk->parts, walk->from, to);
	walk->passes = false;
}

static void take(struct walk *walk, const struct evsel *evsel, u64 time)
{
	u64 beside = walk->names->shown ? 0 : 1;

	if (!walk->passes && evsel == walk->on) {
		walk->passes = true;
		walk->from = time + beside;
	} else if (walk->passes && evsel == walk->off) {
		end_part(walk, time - beside);
	}
}

static int walk_samples(struct walk *walk, const struct session *session, struct error *err)
{
	const struct stream_options options = { .order = STREAM_TIME, .need = STREAM_NOTHING };
	struct stream *stream = stream__new(session, &options, err);
	const struct stream_sample *s;

	if (!stream)
		return -EIO;
	if (walk->on)
		stream__set_need(stream, walk->on, STREAM_FAST);
	if (walk->off)
		stream__set_need(stream, walk->off, STREAM_FAST);
	while (stream__record(stream))
		while ((s = stream__sample(stream)))
			take(walk, s->evsel, s->sample->time);
	end_part(walk, UINT64_MAX);
	int ret = stream__error(stream, err);

	stream__delete(stream);
	return ret;
}

int event_switch__find(const struct event_switch *event_switch, const struct session *session,
                       struct sample_filter *filter, struct error *err)
{
	struct walk walk = { .names = event_switch,
		             .parts = &filter->parts,
		             .passes = !event_switch->on };
	int ret;

	if (!event_switch__is_given(event_switch))
		return 0;
	ret = find_event(session->evlist, event_switch->on, "switch-on event not found:", &walk.on,
	                 err);
	if (!ret)
		ret = find_event(session->evlist, event_switch->off,
		                 "switch-off event not found:", &walk.off, err);
	filter->in_parts = true;
	return ret ? ret : walk_samples(&walk, session, err);
}
