// SPDX-License-Identifier: GPL-2.0-or-later
/* Data sources in words, as `perf script -F data_src` of Linux's perf 6.1 prints them. */
#include "tests/unit/unit.h"

#include <linux/perf_event.h>

#include "util/format/data_src.h"

#define S(what, word) PERF_MEM_S(what, word)

TEST(data_src_has_its_words)
{
	static const struct {
		u64 source;
		const char *text;
	} cases[] = {
		{ 0, "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
		{ S(OP, NA) | S(LVL, NA) | S(SNOOP, NA) | S(TLB, NA) | S(LOCK, NA) | S(BLK, NA),
		  "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A" },
		{ S(OP, LOAD) | S(LVL, HIT) | S(LVL, L1) | S(SNOOP, NONE) | S(TLB, HIT) |
		          S(TLB, L1) | S(TLB, L2),
		  "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" },
		{ S(OP, STORE) | S(LVL, MISS) | S(LVL, L3) | S(SNOOP, HITM) | S(TLB, MISS) |
		          S(TLB, WK) | S(LOCK, LOCKED) | S(BLK, DATA) | S(BLK, ADDR),
		  "|OP STORE|LVL L3 miss|SNP HitM|TLB Walker miss|LCK Yes|BLK  Data Addr" },
		{ S(OP, PFETCH) | S(LVL, HIT) | S(LVL, LFB) | S(SNOOP, HIT) | S(SNOOPX, FWD) |
		          S(TLB, OS),
		  "|OP PFETCH|LVL LFB/MAB hit|SNP Hit or Fwd|TLB Fault|LCK No|BLK  N/A" },
		{ S(OP, EXEC) | S(REMOTE, REMOTE) | S(LVLNUM, RAM) | S(HOPS, 0),
		  "|OP EXEC|LVL Remote core, same node RAM|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct out out;

		out__init(&out, -1);
		data_src__print(&out, cases[i].source);
		CHECK_STR(out__take(&out), cases[i].text);
		out__exit(&out);
	}
}
