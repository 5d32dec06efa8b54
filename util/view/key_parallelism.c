// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/key_parallelism.h"

#include <linux/perf_event.h>
#include <string.h>

#include "util/lib/alloc.h"

struct parallelism_key {
	struct key key;
	const struct parallelism *of;
};

static u64 parallelism_of(const struct key *key, const struct sample *sample)
{
	return parallelism__at(((const struct parallelism_key *)key)->of, sample->time);
}

struct key *key_parallelism__new(const struct parallelism *of)
{
	const struct parallelism_key made = { .key = KEY_PARALLELISM(parallelism_of), .of = of };
	struct parallelism_key *key = xcalloc(1, sizeof(*key));

	memcpy(key, &made, sizeof(*key));
	return &key->key;
}
