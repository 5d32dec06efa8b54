// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters of samples. What is taken has comparisons that the program knows, and means the same with
 * blanks around it and with itself behind it; what is refused has a place in the text.
 */
#include "util/bpf_filter/filter_expression.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/lib/alloc.h"

static void check_twice(const struct filter_expression *filter, const char *text)
{
	char *twice = xasprintf(" %s , %s ", text, text);
	struct filter_expression both;
	size_t size = filter->nr * sizeof(*filter->comparisons);
	int ret = filter_expression__parse(&both, twice, NULL);

	if (filter->nr > FILTER_COMPARISONS / 2) {
		FUZZ_CHECK(ret == -E2BIG);
	} else {
		FUZZ_CHECK(!ret && both.nr == 2 * filter->nr && both.fields == filter->fields);
		FUZZ_CHECK(!memcmp(both.comparisons, filter->comparisons, size));
		FUZZ_CHECK(!memcmp(both.comparisons + filter->nr, filter->comparisons, size));
	}
	free(twice);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = fuzz__text(data, size);
	struct error err = ERROR_INIT;
	struct filter_expression filter;
	int ret = filter_expression__parse(&filter, text, &err);

	FUZZ_CHECK(filter.nr <= FILTER_COMPARISONS);
	if (ret) {
		FUZZ_CHECK(err.code && err.column && err.column <= strlen(text) + 1);
	} else {
		FUZZ_CHECK(filter.nr && filter.comparisons[filter.nr - 1].last);
		for (u32 i = 0; i < filter.nr; i++) {
			const struct sample_comparison *c = &filter.comparisons[i];

			FUZZ_CHECK(c->value && c->value < SAMPLE_NR_VALUES && c->shift < 64);
			FUZZ_CHECK(c->op && c->op < SAMPLE_NR_OPERATORS && c->last <= 1);
		}
		check_twice(&filter, text);
	}
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const seeds[] = {
		"period > 1000, cpu == 1",
		"mem_op == load || mem_op == store, mem_lvl > l1",
		"ip>=0xffffffff81000000||tid!=010,uid<=0,gid<5,mem_dtlb&any_hit",
		"mem_snoop == hitm || mem_blk == by_addr || mem_hops == hops2",
		"cpu == 1 && tid == 1",
		"(cpu == 1)",
		"cpu = 1",
		"time > 18446744073709551616",
		"mem_lock == locked, mem_remote == far",
	};

	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++)
		add(seeds[i], strlen(seeds[i]));
	char full[FILTER_COMPARISONS * 6 + 1] = "";

	for (u32 i = 0; i < FILTER_COMPARISONS; i++)
		strcat(full, "tid>1,");
	add(full, strlen(full) - 1);
}
