// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A live profile: prints, each second, the functions that a running program spends its time in.
 *
 *	perf record -o - PROGRAM | live-profile
 *
 * It shows how the parts for that fit together: a stream that is read while it comes, a builder of
 * profiles that lets what is old decay, names that are extended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "util/lib/alloc.h"
#include "util/profile/builder.h"
#include "util/profile/names.h"
#include "util/stream/stream.h"

#define NR_SHOWN 5

struct view {
	struct session session;
	struct session_symbols *symbols;
	struct profile_builder *builder;
	struct profile profile;
	struct names names;
	bool named;
	u32 generation, nr_named; /* of the snapshot that was named */
};

static int fail(const struct error *err)
{
	char text[1024];

	fprintf(stderr, "%s\n", error__text(err, text, sizeof(text)));
	return 1;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void name(struct view *view)
{
	if (view->named && view->generation == view->profile.generation) {
		names__extend(&view->names, view->nr_named);
	} else {
		if (view->named)
			names__exit(&view->names);
		names__init(&view->names, &view->profile, &view->session, view->symbols,
		            NAMES_SYMBOLS | NAMES_GROW, 1);
	}
	view->named = true;
	view->generation = view->profile.generation;
	view->nr_named = view->profile.nr_locs;
}

/* The functions with most samples, and their shares. */
static void print(struct view *view)
{
	u64 total = 0;

	profile_builder__snapshot(view->builder, &view->profile);
	name(view);
	u64 *counts = xcalloc(view->names.nr_syms + 1, sizeof(*counts));

	for (u32 i = 0; i < view->profile.nr_rows; i++) {
		const struct row *row = &view->profile.rows[i];

		counts[view->names.sym_of_loc[row->leaf_loc]] += row->count;
		total += row->count;
	}
	printf("%llu samples\n", (unsigned long long)total);
	for (int n = 0; n < NR_SHOWN; n++) {
		u32 best = 0;

		for (u32 i = 1; i < view->names.nr_syms; i++)
			best = counts[i] > counts[best] ? i : best;
		if (!view->names.nr_syms || !counts[best])
			break;
		const char *text = sym__name(&view->names, &view->names.syms[best]);

		printf("%6.1f%%  %s\n", 100.0 * counts[best] / total, text ? text : "?");
		counts[best] = 0;
	}
	fflush(stdout);
	free(counts);
	profile_builder__decay(view->builder);
}

static int watch(struct view *view, struct stream *stream, struct error *err)
{
	const struct stream_sample *s;
	u64 last = now_ns();
	bool changed;
	int ret;

	do {
		while (stream__record(stream))
			while ((s = stream__sample(stream)))
				profile_builder__add(view->builder, s->evsel, s->layout, s->sample,
				                     s->when);
		if (now_ns() - last >= 1000000000) {
			print(view);
			last = now_ns();
		}
		ret = stream__more(stream, &view->session, &changed, err);
		if (changed)
			profile_builder__settled(view->builder);
	} while (ret > 0);
	return ret;
}

int main(void)
{
	const struct stream_options from = { .order = STREAM_FILE, .need = STREAM_FAST };
	const struct profile_options options = { .chains = true, .max_stack = 127 };
	const struct symbol_config config = { .demangle = true };
	struct error err = ERROR_INIT;
	struct view view = { .named = false };
	struct stream *stream = NULL;
	int ret = session__open(&view.session, "-", PERF_DATA_LIVE, &err);

	if (ret)
		return fail(&err);
	ret = session__scan(&view.session, &err);
	if (!ret)
		stream = stream__new(&view.session, &from, &err);
	view.symbols = session_symbols__new(&view.session.dsos, &config);
	view.builder = profile_builder__new(&options, view.session.host, &view.session.dsos,
	                                    perf_data__swapped(view.session.data));
	ret = stream ? watch(&view, stream, &err) : 1;
	if (ret)
		fail(&err);
	else
		print(&view);
	if (view.named)
		names__exit(&view.names);
	profile__exit(&view.profile);
	profile_builder__delete(view.builder);
	stream__delete(stream);
	session_symbols__delete(view.symbols);
	session__close(&view.session);
	return ret != 0;
}
