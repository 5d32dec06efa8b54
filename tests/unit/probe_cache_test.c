// SPDX-License-Identifier: GPL-2.0-or-later
/* The file "probes" of the build-id cache: definitions that are kept. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/probe/probe_cache.h"

TEST(probe_cache_reads_both_kinds)
{
	struct probe_cache cache = { .nr = 0 };

	probe_cache__parse(&cache,
	                   "p:lost/line /x:0x1\n"
	                   "%sdt_web:begin=begin\np:sdt_web/begin /x:0x1(0x2) arg1=%di:u64\n"
	                   "#f n\np:probe_x/f /x:0x1 n=%di:s32\nr16:probe_x/f /x:0x2\n"
	                   "p:no_group /x:0x1\nnonsense\n"
	                   "#\n%\n#g:\033[1m=f\np:g/lost /x:0x1\n"
	                   "#g:e=f\n");
	CHECK_EQ(cache.nr, 3);
	CHECK_STR(cache.entries[0].text, "sdt_web:begin=begin");
	CHECK(cache.entries[0].is_sdt && !cache.entries[1].is_sdt);
	CHECK_EQ(cache.entries[0].nr, 1);
	CHECK_STR(cache.entries[1].text, "f n");
	CHECK_EQ(cache.entries[1].nr, 2);
	CHECK_STR(cache.entries[1].lines[1], "r16:probe_x/f /x:0x2");
	CHECK_EQ(cache.entries[2].nr, 0);

	CHECK(probe_cache_entry__is_called(&cache.entries[0], "sdt_web", "begin"));
	CHECK(probe_cache_entry__is_called(&cache.entries[0], NULL, "b*"));
	CHECK(!probe_cache_entry__is_called(&cache.entries[0], "sdt_w", "begin"));
	CHECK(!probe_cache_entry__is_called(&cache.entries[1], NULL, "*"));
	probe_cache__exit(&cache);
}

TEST(probe_cache_replaces_by_name_or_text)
{
	const char *const lines[] = { "p:g/e /x:0x9" };
	struct probe_cache cache = { .nr = 0 };

	probe_cache__parse(&cache, "#g:e=f n\np:g/e /x:0x1\n#f n\np:p/f /x:0x1\n#g:ee=f\n");
	probe_cache__put(&cache, "g:e=other", lines, 1);
	CHECK_EQ(cache.nr, 3);
	CHECK_STR(cache.entries[0].text, "f n");
	CHECK_STR(cache.entries[2].text, "g:e=other");
	CHECK_STR(cache.entries[2].lines[0], "p:g/e /x:0x9");
	probe_cache__put(&cache, "f n", lines, 1);
	probe_cache__put(&cache, "f", lines, 0);
	CHECK_EQ(cache.nr, 4);
	CHECK_STR(cache.entries[2].text, "f n");
	probe_cache__remove(&cache, 0);
	CHECK_EQ(cache.nr, 3);
	CHECK_STR(cache.entries[0].text, "g:e=other");
	probe_cache__exit(&cache);
}
