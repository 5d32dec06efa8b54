// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A live profile: prints, each second, the functions that a running program spends its time in.
 *
 *	perf record -o - PROGRAM | live-profile
 *
 * It shows how little a front end for what is recorded now needs: see util/live/live_profile.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/clock.h"
#include "util/live/live_profile.h"

#define NR_SHOWN 5

static int fail(const struct error *err)
{
	char text[1024];

	fprintf(stderr, "%s\n", error__text(err, text, sizeof(text)));
	return 1;
}

/* The functions with most samples, and their shares. */
static void print(struct live_profile *live)
{
	const struct names *names = &live->names;
	u64 total = 0;

	live_profile__look(live);
	u64 *counts = xcalloc(names->nr_syms + 1, sizeof(*counts));

	for (u32 i = 0; i < live->profile.nr_rows; i++) {
		const struct row *row = &live->profile.rows[i];

		counts[names->sym_of_loc[row->leaf_loc]] += row->count;
		total += row->count;
	}
	printf("%llu samples\n", (unsigned long long)total);
	for (int n = 0; n < NR_SHOWN; n++) {
		u32 best = 0;

		for (u32 i = 1; i < names->nr_syms; i++)
			best = counts[i] > counts[best] ? i : best;
		if (!names->nr_syms || !counts[best])
			break;
		const char *text = sym__name(names, &names->syms[best]);

		printf("%6.1f%%  %s\n", 100.0 * counts[best] / total, text ? text : "?");
		counts[best] = 0;
	}
	fflush(stdout);
	free(counts);
}

static int watch(struct live_profile *live, struct error *err)
{
	u64 last = clock__now_ns();
	int ret;

	while ((ret = live_profile__take(live, err)) > 0) {
		if (clock__now_ns() - last < 1000000000)
			continue;
		print(live);
		last = clock__now_ns();
	}
	return ret;
}

int main(void)
{
	static const struct profile_options profile = { .chains = true, .max_stack = 127 };
	static const struct event_switch always = { .on = NULL };
	const struct symbol_config config = { .demangle = true };
	struct live_options options = { &profile, &always };
	struct error err = ERROR_INIT;
	struct live_profile live;
	int ret = live_profile__open(&live, "-", &err);

	if (ret)
		return fail(&err);
	options.symbols = session_symbols__new(&live.session.dsos, &config);
	live.half_life = 1000000000;
	ret = live_profile__start(&live, &options, &err);
	if (!ret)
		ret = watch(&live, &err);
	if (ret)
		fail(&err);
	else
		print(&live);
	live_profile__close(&live);
	session_symbols__delete(options.symbols);
	return ret != 0;
}
