// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/path.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/stream/frame_walk.h"

#define WORDS_MAX (65536 / 8) /* a record has no room for more */

void path__init(struct path *path, u32 max_stack)
{
	*path = (struct path){ .max = max_stack < WORDS_MAX ? max_stack : WORDS_MAX };
	path->frames = xcalloc(2 * path->max, sizeof(*path->frames));
	path->fresh = xcalloc(2 * path->max, sizeof(*path->fresh));
	path->words = xcalloc(2 * WORDS_MAX + 1, sizeof(*path->words));
	path->frames_at = xcalloc(2 * WORDS_MAX + 1, sizeof(*path->frames_at));
}

void path__exit(struct path *path)
{
	free(path->frames);
	free(path->fresh);
	free(path->words);
	free(path->frames_at);
}

/* What taking apart the words nearest the leaf gave. */
struct reading {
	u32 nr;     /* frames, also those beyond path->max, which are not in path->fresh */
	u8 cpumode; /* of what follows */
	bool unknown;
};

static struct reading read_words(struct path *path, const struct u64_span *chain, u64 nr, bool swap,
                                 u8 cpumode)
{
	struct frame_walk walk = { .chain = { chain->data, nr }, .swap = swap, .cpumode = cpumode };
	u32 frames = 0;

	for (struct frame frame; frame_walk__next(&walk, &frame); frames++)
		if (frames < path->max)
			path->fresh[frames] = frame;
	return (struct reading){ frames, walk.cpumode, walk.unknown };
}

static u32 common_words(const struct path *path, const struct u64_span *chain)
{
	u32 max = min_u64(path->nr_words, chain->nr), nr = 0;
	const u8 *root = chain->data + chain->nr * 8;

	while (nr < max && load_u64(root - 8 * (nr + 1), false) == path->words[nr])
		nr++;
	return nr;
}

/* Would the frames of the first @words words mean the same below what was read? */
static bool continues(const struct path *path, u32 words, const struct reading *reading)
{
	u32 frames = path->frames_at[words - 1];
	bool marker = frames == (words > 1 ? path->frames_at[words - 2] : 0);

	if (reading->unknown || frames + reading->nr > path->max)
		return false;
	return marker || path->frames[frames - 1].cpumode == reading->cpumode;
}

/* The first @words words are known already. */
static void remember(struct path *path, const struct u64_span *chain, bool swap, u32 words)
{
	u32 frames = words ? path->frames_at[words - 1] : 0;

	for (; words < chain->nr; words++) {
		u64 at = chain->nr - words - 1;

		path->words[words] = u64_span__get(chain, at, false);
		frames += u64_span__get(chain, at, swap) < PERF_CONTEXT_MAX;
		path->frames_at[words] = frames;
	}
	path->nr_words = words;
}

u32 path__read(struct path *path, const struct u64_span *chain, bool swap, u8 cpumode,
               struct read_problems *problems)
{
	u32 words = common_words(path, chain), kept = 0;
	struct reading reading = read_words(path, chain, chain->nr - words, swap, cpumode);

	if (words && continues(path, words, &reading)) {
		kept = path->frames_at[words - 1];
	} else if (words) {
		words = 0;
		reading = read_words(path, chain, chain->nr, swap, cpumode);
	}
	u32 nr = min_u64(reading.nr, path->max);

	for (u32 i = 0; i < nr; i++) {
		path->frames[kept + i].ip = path->fresh[nr - 1 - i].ip;
		path->frames[kept + i].cpumode = path->fresh[nr - 1 - i].cpumode;
	}
	path->nr = kept + nr;
	path->nr_cut = reading.nr - nr;
	path->unknown = reading.unknown;
	problems->nr_cut_frames += path->nr_cut;
	problems->nr_unknown_context += reading.unknown;
	if (reading.unknown || nr < reading.nr)
		path->nr_words = 0;
	else
		remember(path, chain, swap, words);
	return kept;
}
