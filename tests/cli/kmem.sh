#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf kmem: the allocators' tracepoints, recorded and added up; equal to Linux's perf on one file.
. "$(dirname "$0")/../lib.sh"
plan 9

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
perf kmem --page --caller -s frag stat
check [ $rc -eq 129 ]
check grep -q "Unknown page --sort key: 'frag'" err
perf kmem --page --slab --caller -s order stat
check [ $rc -eq 129 ]
check grep -q "Unknown slab --sort key: 'order'" err

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
	perf evlist -v -i pages.data
	check [ "$(grep -c '^kmem:mm_page.*CALLCHAIN' out)" -eq 2 ]
	perf evlist -v -i x.data
	refute grep -q CALLCHAIN out
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

# pages_agree FILE: all tables of pages are those of Linux's perf.
pages_agree() {
	while IFS= read -r line <&3; do
		# shellcheck disable=SC2086
		perf kmem -i "$1" --page $line stat
		check [ $rc -eq 0 ]
		# shellcheck disable=SC2086
		"$REF" kmem -f -i "$1" --page $line stat > lout 2> lerr
		check grep -q '^SUMMARY (page allocator)' out
		check cmp -s out lout || fail "$line: $(diff out lout | head -n 3)"
	done 3<< 'END'

--live
--caller
--alloc
--caller --alloc --live
--caller -l 2 --alloc -l 3
--live --caller -l 2 --alloc -l 3
-s order,hit -l 5 --alloc
--caller -s callsite --alloc -s callsite
--caller -s hit --alloc -s hit --live
--caller -s order --alloc -s page
--caller -s migtype --alloc -s migtype --live
--caller -s gfp,hit --alloc -s gfp,page
--caller -s page --alloc -s order,bytes --live
END
}

step "tables of pages are those of Linux's perf, to the byte: recorded here"
if need_tracefs && [ -x "$REF" ]; then
	# Without chains: with them it takes wrong addresses for callers.
	perf record -a -R -c 1 -m 8M -q -e kmem:mm_page_alloc,kmem:mm_page_free -o base.data sh -c 'ls -lR /usr/lib | head -n 2000'
	perf kmem -i base.data --page stat
	check grep -qE '^Total alloc\+freed requests +: +[1-9]' out
	pages_agree base.data
fi

step "... and made up: taken twice, failed, of all orders and kinds"
if need_tracefs && [ -x "$REF" ]; then
	if command -v python3 > /dev/null; then
		for seed in 1 2 3; do
			check python3 "$TESTS/data/kmem_pages.py" base.data made.data $seed
			pages_agree made.data
		done
		for flag in 0x1 0x2 0x4 0x8 0x10 0x20 0x40 0x80 0x100 0x400 0x800 0x1000 0x2000 0x4000 0x8000 0x10000 0x20000 0x40000 \
			0x80000 0x100000 0x200000 0x400000 0xc00 0xc40 0xcc0 0x820 0x100cc0 0x100cc2 0x100cca 0x400cc0 0x3d20ca 0x3d24ca; do
			echo "alloc 64 0 $flag $((flag % 6))"
		done > lines
		python3 "$TESTS/data/kmem_pages.py" base.data flags.data < lines
		pages_agree flags.data
	else
		skip "python3 is not installed"
	fi
fi

step "pages freed with another order, flags without a name, kinds of newer kernels: no end of it"
if need_tracefs && command -v python3 > /dev/null; then
	perf record -a -R -c 1 -m 8M -q -e kmem:mm_page_alloc,kmem:mm_page_free -o base.data ls
	python3 "$TESTS/data/kmem_pages.py" base.data odd.data <<- 'END'
		alloc 64 2 0xcc0 0
		alloc 80 1 0xcc0 0
		free 64 1
		free 80 1
		alloc 128 0 0x800cc0 9
		alloc 192 0 0x0 -1
		alloc 256 40 0xcc0 1
		free 320 0
	END
	perf kmem -i odd.data --page --live --alloc --caller stat
	check [ $rc -eq 0 ]
	check grep -qE '^ +128 +\| +4 \| +1 \| +0 \|  UNKNOWN \| K\|ZEROTAGS +\| ' out
	check grep -qE '^ +192 +\| +4 \| +1 \| +0 \|  UNKNOWN \| none +\| ' out
	refute grep -qE '^ +(64|80) +\| ' out
	check grep -qE '^Total alloc\+freed requests +: +2 ' out
	check grep -qE '^Total free-only requests +: +1 ' out
	check grep -qE '^    [12]( +\.){5}$' out
else
	[ $state = skipped ] || skip "python3 is not installed"
fi

step "callers of pages are not the allocator's own functions"
if need_tracefs && command -v python3 > /dev/null; then
	perf kmem --page record -m 8M -q -o pages.data sh -c 'ls -lR /usr/lib | head -n 2000'
	perf kmem -i pages.data --page --caller stat
	cp out table
	perf script -F event,ip,sym --no-inline -i pages.data
	# By script: the first function of the kernel that hands no pages on. The negative control: the
	# first of all, which is what a chain begins with.
	check python3 - <<- 'END'
		import collections, re
		hands_on = re.compile("_*(alloc_page|alloc_frozen_page|get_free_page|get_zeroed_page|folio_alloc"
		                      "|vma_alloc_folio|vma_alloc_anon_|filemap_alloc_folio)")
		want, naive = collections.Counter(), collections.Counter()
		for entry in open("out").read().split("\n\n"):
		    lines = entry.strip("\n").split("\n")
		    if "mm_page_alloc" not in lines[0]:
		        continue
		    frames = [line.split(None, 1) for line in lines[1:]]
		    names = [name for ip, name in frames if len(ip) == 16]
		    naive[names[0]] += 1
		    want[next(name for name in names if not hands_on.match(name))] += 1
		have = collections.Counter()
		for line in open("table"):
		    cells = [cell.strip() for cell in line.split("|")]
		    if len(cells) >= 6 and cells[0].isdigit():
		        have[cells[-1]] += int(cells[1])
		assert have == want, (have - want, want - have)
		assert all(hands_on.match(name) for name in naive), naive
		assert len(have) > 3, have
	END
	perf kmem -i pages.data --page --caller --raw-ip stat
	check grep -qE '\| [0-9a-f]{16}$' out
else
	[ $state = skipped ] || skip "python3 is not installed"
fi
finish
