// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/chain_record.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"

#define TOLD_MARK  0x6e69616863u /* "chain" in the upper bytes of the word, */
#define TOLD_SHIFT 8             /* the verdict in the lowest, ... */
#define TOLD_PILOT 0x80u         /* ... or-ed with this */

/* ---- chains ---- */

void chain_join__init(struct chain_join *join, u32 max, bool swap)
{
	join->max = max < CHAIN_WORDS_MAX ? max : CHAIN_WORDS_MAX;
	join->swap = swap;
	join->words = xcalloc(2 * CHAIN_WORDS_MAX + 1, sizeof(*join->words));
}

void chain_join__exit(struct chain_join *join)
{
	free(join->words);
}

static u64 in_file_order(const struct chain_join *join, u64 word)
{
	return join->swap ? bswap_64(word) : word;
}

/* The recorded words before the user's part, with so many *frames. Returns how many. */
static u32 take_recorded(struct chain_join *join, const struct u64_span *chain, u32 *frames,
                         u32 *nr_cut)
{
	u32 nr = 0;

	*frames = 0;
	for (u64 i = 0; i < chain->nr && nr < CHAIN_WORDS_MAX; i++) {
		u64 word = u64_span__get(chain, i, join->swap);
		bool marker = word >= PERF_CONTEXT_MAX;

		if (word == PERF_CONTEXT_USER)
			break;
		if (marker || (*frames)++ < join->max)
			join->words[nr++] = u64_span__get(chain, i, false);
	}
	*nr_cut = *frames > join->max ? *frames - join->max : 0;
	*frames -= *nr_cut;
	return nr;
}

/* @frames of the user's part stand behind @nr words and the place of a marker. */
static struct u64_span joined(struct chain_join *join, u32 nr, u32 frames)
{
	join->words[nr] = in_file_order(join, PERF_CONTEXT_USER);
	return (struct u64_span){ .data = (const u8 *)join->words,
		                  .nr = frames ? nr + 1 + frames : nr };
}

struct u64_span chain_join__unwind(struct chain_join *join, struct unwinder *unwinder,
                                   const struct unwind_sample *in, const struct sample *sample,
                                   struct chain_verdict *verdict, u32 *nr_cut)
{
	u32 frames, nr = take_recorded(join, &sample->chain, &frames, nr_cut);
	u64 *user = join->words + nr + 1;

	frames = unwinder__run(unwinder, in, user, join->max, verdict);
	/*
	 * In the kernel with nothing copied, in the middle of an exec: the registers are those of
	 * the program before, and point into what is no longer mapped. Nothing of it is missing.
	 */
	if (nr && !in->stack_size) {
		frames = 0;
		*verdict = (struct chain_verdict){ .end = CHAIN_COMPLETE, .dso = ID_NONE };
	}
	for (u32 i = 0; join->swap && i < frames; i++)
		user[i] = in_file_order(join, user[i]);
	return joined(join, nr, frames);
}

bool chain_join__told(struct chain_join *join, const struct sample *sample, struct chain_told *told)
{
	if (sample->user_abi || sample->stack_size != 8 || sample->stack_dyn_size)
		return false;
	u64 word = load_u64(sample->stack, join->swap);
	u8 end = word & ~TOLD_PILOT;

	if (word >> TOLD_SHIFT != TOLD_MARK || end >= NR_CHAIN_ENDS)
		return false;
	u64 first = chain__user_marker(&sample->chain, join->swap);
	u64 left = first < sample->chain.nr ? sample->chain.nr - first - 1 : 0;
	u32 frames, nr = take_recorded(join, &sample->chain, &frames, &told->nr_cut);

	frames = min_u64(left, join->max - frames);

	told->end = frames < left ? CHAIN_CUT_READER : end;
	told->pilot = word & TOLD_PILOT;
	if (frames)
		memcpy(join->words + nr + 1, sample->chain.data + (first + 1) * 8,
		       (size_t)frames * 8);
	told->chain = joined(join, nr, frames);
	return true;
}

/* ---- records ---- */

/* The registers and the stack, which lie side by side in a record. */
struct stretch {
	const u8 *from, *to;
};

static struct stretch copies_in(const struct sample *sample, const struct sample_layout *layout)
{
	u64 regs = sample->user_abi ? __builtin_popcountll(layout->regs_user) * 8 : 0;

	return (struct stretch){
		.from = sample->stack - 8 - regs - 8, /* size of the stack, registers, their ABI */
		.to = sample->stack + sample->stack_size + (sample->stack_size ? 8 : 0),
	};
}

static u8 *put(u8 *at, const void *data, size_t size)
{
	memcpy(at, data, size);
	return at + size;
}

u32 chain_record__write(u8 *out, const struct record *record, const struct sample *sample,
                        const struct sample_layout *layout, const struct u64_span *chain,
                        enum chain_form form, enum chain_end end)
{
	/* ABI of the registers; of the stack its size, the word, and how much was copied. */
	const u64 instead[] = { PERF_SAMPLE_REGS_ABI_NONE, 8,
		                (u64)TOLD_MARK << TOLD_SHIFT | end |
		                        (form == CHAIN_TOLD_PILOT ? TOLD_PILOT : 0),
		                0 };
	const size_t instead_size = form == CHAIN_PLAIN        ? 0
	                            : form == CHAIN_PLAIN_REGS ? sizeof(instead[0])
	                                                       : sizeof(instead);
	const struct stretch copies = copies_in(sample, layout);
	const u8 *old = sample->chain.data, *behind = old + sample->chain.nr * 8;
	const u8 *record_end = record->data + record->size;
	size_t before = old - 8 - record->data, between = copies.from - behind,
	       after = record_end - copies.to;
	size_t rest = before + 8 + between + instead_size + after;
	struct perf_event_header header;
	u8 *at = out;

	if (rest > CHAIN_RECORD_MAX)
		return 0;
	u64 nr = min_u64(chain->nr, (CHAIN_RECORD_MAX - rest) / 8);

	at = put(at, record->data, before);
	at = put(at, &nr, 8);
	at = put(at, chain->data, nr * 8);
	at = put(at, behind, between);
	at = put(at, instead, instead_size);
	at = put(at, copies.to, after);
	memcpy(&header, record->data, sizeof(header));
	header.size = at - out;
	memcpy(out, &header, sizeof(header));
	return header.size;
}
