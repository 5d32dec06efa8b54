// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/event_switch.h"

#include <errno.h>

#include "util/options/nearest.h"
#include "util/stream/stream.h"

/* A way through the samples of both events, in the order of time. */
struct walk {
	struct event_switcher switcher;
	struct time_ranges *parts;
	u64 from; /* since then it passes */
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

int event_switcher__init(struct event_switcher *switcher, const struct event_switch *event_switch,
                         const struct evlist *evlist, struct error *err)
{
	*switcher = (struct event_switcher){ .shown = event_switch->shown,
		                             .passes = !event_switch->on };
	int ret = find_event(evlist, event_switch->on, "switch-on event not found:", &switcher->on,
	                     err);

	return ret ? ret
	           : find_event(evlist, event_switch->off,
	                        "switch-off event not found:", &switcher->off, err);
}

bool event_switcher__pass(struct event_switcher *switcher, const struct evsel *evsel)
{
	if (evsel != (switcher->passes ? switcher->off : switcher->on))
		return switcher->passes;
	switcher->passes = !switcher->passes;
	return switcher->shown;
}

static void end_part(struct walk *walk, u64 to)
{
	if (walk->from <= to)
		time_ranges__add(walk->parts, walk->from, to);
}

static void take(struct walk *walk, const struct evsel *evsel, u64 time)
{
	u64 beside = walk->switcher.shown ? 0 : 1;
	bool passed = walk->switcher.passes;

	event_switcher__pass(&walk->switcher, evsel);
	if (walk->switcher.passes && !passed)
		walk->from = time + beside;
	else if (passed && !walk->switcher.passes)
		end_part(walk, time - beside);
}

static int walk_samples(struct walk *walk, const struct session *session, struct error *err)
{
	const struct stream_options options = { .order = STREAM_TIME, .need = STREAM_NOTHING };
	struct stream *stream = stream__new(session, &options, err);
	const struct stream_sample *s;

	if (!stream)
		return -EIO;
	if (walk->switcher.on)
		stream__set_need(stream, walk->switcher.on, STREAM_FAST);
	if (walk->switcher.off)
		stream__set_need(stream, walk->switcher.off, STREAM_FAST);
	while (stream__record(stream))
		while ((s = stream__sample(stream)))
			take(walk, s->evsel, s->sample->time);
	if (walk->switcher.passes)
		end_part(walk, UINT64_MAX);
	int ret = stream__error(stream, err);

	stream__delete(stream);
	return ret;
}

int event_switch__find(const struct event_switch *event_switch, const struct session *session,
                       struct sample_filter *filter, struct error *err)
{
	struct walk walk = { .parts = &filter->parts };
	int ret;

	if (!event_switch__is_given(event_switch))
		return 0;
	ret = event_switcher__init(&walk.switcher, event_switch, session->evlist, err);
	filter->in_parts = true;
	return ret ? ret : walk_samples(&walk, session, err);
}
