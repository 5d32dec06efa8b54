// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why chains end where nothing is mapped. Unwinders tell; of those that the kernel made the outer
 * frames are looked at, sample by sample, as reports do once they have read all.
 */
#include <stdlib.h>

#include "ui/script/script_private.h"
#include "util/health/outer_frames.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"

#define KINDS 1024 /* power of two */

/* What the function at a place is: most chains have the same outer frames. */
struct known_kind {
	bool known;
	u8 cpumode, kind; /* enum start_kind */
	u32 dso;
	u64 addr;
};

struct script_ends {
	const struct script *script;
	struct unwind_tables *tables;
	struct start_code *start;
	struct known_kind kinds[KINDS];
};

struct script_ends *script_ends__new(const struct script *script)
{
	const struct dsos *dsos = &script->session->dsos;
	struct script_ends *ends = xcalloc(1, sizeof(*ends));

	ends->script = script;
	ends->tables = unwind_tables__new(dsos, session_symbols__config(script->symbols));
	ends->start = start_code__new(dsos, script->symbols, ends->tables);
	return ends;
}

void script_ends__delete(struct script_ends *ends)
{
	if (!ends)
		return;
	start_code__delete(ends->start);
	unwind_tables__delete(ends->tables);
	free(ends);
}

static enum start_kind kind_at(struct script_ends *ends, const struct loc *loc)
{
	u64 hash = hash__u64(loc->addr + ((u64)loc->dso << 40) + loc->cpumode);
	struct known_kind *known = &ends->kinds[hash % KINDS];

	if (!known->known || known->addr != loc->addr || known->dso != loc->dso ||
	    known->cpumode != loc->cpumode)
		*known = (struct known_kind){
			.known = true,
			.cpumode = loc->cpumode,
			.kind = outer_frames__kind(ends->start, ends->script->symbols, loc),
			.dso = loc->dso,
			.addr = loc->addr,
		};
	return known->kind;
}

static struct loc place_of(const struct script_ends *ends, const struct stream_sample *s,
                           struct script_address address)
{
	struct place place;

	resolver__place(ends->script->resolver, s->task, address.cpumode, address.ip, s->when,
	                &place);
	return place.loc;
}

/* Of a chain that the kernel made. */
static struct row_end judge(struct script_ends *ends, const struct stream_sample *s,
                            const struct script_address *frames, u32 nr)
{
	struct outer_frames outer = OUTER_FRAMES_INIT;
	u32 first = nr - 1;

	while (first && nr - first < HEALTH_DEPTH &&
	       frames[first - 1].cpumode == frames[first].cpumode)
		first--;
	bool sampled = !first || frames[first - 1].cpumode != frames[first].cpumode;

	if (sampled && first) {
		const struct loc call = place_of(ends, s, frames[first - 1]);

		outer.forked = kind_at(ends, &call) == START_CLONE;
	}
	for (u32 i = first; i < nr; i++) {
		const struct loc loc = place_of(ends, s, frames[i]);

		outer_frames__add(&outer, &loc, kind_at(ends, &loc), sampled && i == first);
	}
	return row_end__make(ROW_END_BY_KERNEL, outer_frames__end(&outer, 0), outer.where);
}

u32 script_ends__find(struct script_ends *ends, const struct stream_sample *s,
                      const struct script_address *frames, u32 nr, struct row_end *end)
{
	u32 first = nr;

	while (first && place_of(ends, s, frames[first - 1]).dso == ID_NONE)
		first--;
	if (first == nr)
		return nr;
	if (s->unwound)
		*end = row_end__make(s->end.by, s->end.verdict.end, s->end.verdict.dso);
	else
		*end = judge(ends, s, frames, nr);
	return first;
}
