#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf kmem: the allocators' tracepoints, recorded and added up; equal to Linux's perf on one file.
. "$(dirname "$0")/../lib.sh"
plan 5

step "words and options"
perf kmem
check [ $rc -eq 129 ]
check grep -q 'perf kmem \[<options>\] {record|stat}' err
perf kmem foo
check [ $rc -eq 129 ]
check grep -q "unknown word 'foo'" err
perf kmem --caller -s nosuch stat
check [ $rc -eq 129 ]
check grep -q "Unknown slab --sort key: 'nosuch'" err
perf kmem stat x
check [ $rc -eq 129 ]
perf kmem stat -i nosuch.data
check [ $rc -eq 255 ]
check grep -q "nosuch.data" err
perf kmem --page --caller stat
check [ $rc -eq 255 ]
check grep -q 'only the summary of --page' err

step "a file without the events says how to record them"
perf record -q -e cpu-clock -o other.data true
perf kmem -i other.data stat
check [ $rc -eq 255 ]
check grep -q 'none of kmem:kmalloc, ' err
check grep -q 'perf kmem record' err

step "events that this kernel lacks are left out and named"
if need_tracefs; then
	perf kmem record -m 4M -q -o x.data ls
	check [ $rc -eq 0 ]
	for event in kmalloc kmalloc_node kfree kmem_cache_alloc kmem_cache_alloc_node kmem_cache_free; do
		if [ -d "$(tracefs)/events/kmem/$event" ]; then
			refute grep -qE "kmem:$event( |,)" err
		else
			check grep -qE "this kernel has no.* kmem:$event( |,)" err
		fi
	done
	perf kmem --page record -m 4M -q -o pages.data ls
	perf evlist -i pages.data
	check grep -q mm_page_alloc out
	refute grep -q kmalloc out
fi

step "options stand before and behind stat"
if need_tracefs; then
	perf kmem -i x.data --caller -l 2 stat
	check [ $rc -eq 0 ]
	check grep -q '^ Callsite ' out
	check [ "$(grep -cE '\+[0-9a-f]+ +\| ' out)" -eq 2 ]
	check grep -q '^Total bytes requested: [1-9]' out
	cp out before
	perf kmem stat -i x.data --caller -l 2
	check cmp -s out before
	perf kmem -i x.data stat --time 0%-0%
	check [ "$(sed -n 's/^Cross CPU.*\///p' out)" -le 2 ]
fi

step "tables and summaries are those of Linux's perf, to the byte"
if need_tracefs && [ -x "$REF" ]; then
	perf kmem --slab --page record -m 8M -q -o both.data sh -c 'ls -lR /usr/lib | head -n 2000'
	while IFS= read -r line <&3; do
		# shellcheck disable=SC2086
		perf kmem -i both.data $line stat
		check [ -s out ]
		# shellcheck disable=SC2086
		"$REF" kmem -f -i both.data $line stat > lout 2> lerr
		check cmp -s out lout
	done 3<< 'END'

--caller
--alloc
--page
--slab --page
--caller -s bytes,hit -l 8 --alloc -s pingpong,hit,ptr -l 20
--raw-ip --caller -s callsite
END
fi
finish
