// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "util/lib/out_parts.h"
#include "util/lib/workers.h"

#define PARTS   700
#define WORKERS 5

struct job {
	struct out_parts parts;
	u64 next;
};

/* The numbers of a part: more where it is a multiple of 7, so that those behind it are done first.
 */
static u32 length_of(u64 part)
{
	return part % 7 ? part % 5 : 20000;
}

static void make_parts(void *ctx, unsigned worker)
{
	struct job *job = ctx;
	struct out text;
	u64 part;

	(void)worker;
	out__init(&text, -1);
	while ((part = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < PARTS) {
		for (u32 i = 0; i < length_of(part); i++) {
			out__printf(&text, "%llu.%u\n", (unsigned long long)part, i);
			out_parts__write(&job->parts, part, &text);
		}
		out_parts__end(&job->parts, part, &text);
		CHECK_EQ(text.len, 0);
	}
	out__exit(&text);
}

TEST_WITH_THREADS(out_parts_are_written_in_their_order)
{
	for (unsigned nr = 1; nr <= WORKERS; nr += 2) {
		struct job job = { .next = 0 };
		struct out out;

		out__init(&out, -1);
		out_parts__init(&job.parts, &out, nr);
		workers__run(nr, make_parts, &job);
		out_parts__exit(&job.parts);
		const char *text = out__take(&out);
		u32 wrong = 0;

		for (u64 part = 0; part < PARTS; part++)
			for (u32 i = 0; i < length_of(part); i++) {
				char *end;

				wrong += strtoull(text, &end, 10) != part || *end != '.';
				wrong += strtoul(end + 1, &end, 10) != i || *end != '\n';
				text = end + 1;
			}
		CHECK_EQ(wrong, 0);
		CHECK_EQ(*text, '\0');
		out__exit(&out);
	}
}
