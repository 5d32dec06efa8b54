#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What would be written to the kernel for more than 300 definitions on five binaries, compared with what
# Linux's perf would write. Where the two differ there is a reason: `why` names it.
. "$(dirname "$0")/../lib.sh"
plan 7
LIMIT=240
[ -x "$REF" ] || skip_all "'$REF' is not there"
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
source=$SRC/tests/workloads/probed.c

definitions() {
	local line
	printf '%s\n' show loop main twice 'sh*' '*' show%return 'loop%return $retval' 'main%return r=$retval:s32' \
		'show%return +0($retval):string' show+4 loop+1 show@probed.c show@workloads/probed.c 'e=show' 'g:e=loop' \
		'g:e=loop%return' 'show %di:u8 %si x=%dx $stack $stack1 $comm' 'show +8(%r9):u64 \5' 'main argc' \
		'main argc argv' 'main argv[0]:string' 'show n' 'show n u ch wide big' 'show n:u64 u:x8 ch:s' \
		'show nn=n' 'loop n start' 'loop $params' 'twice v' 'twice v cell' 'show text:string' 'show nosuch' nosuch \
		'nosuch:3' 'show:1000' 'nosuch.c:5' 'show n->x' 'show n.x' 'show n[1]' 'show n:string' \
		'[ls]* n' '[ls]* start' '[lsm]* argc' '[ls]* nosuch'
	for line in cell-\>value 'cell->row[1]' 'cell->name:string' cell-\>any.number 'cell->next->value' 'cell->inner.deep' \
		'v=cell->value:u' 'cell->next' cell-\>nosuch cell.value; do
		echo "show:3 $line"
	done
	for line in 1 2 3 4 5 6 7 8; do
		echo "loop:$line"
	done
	awk '/sum \+= i/ || /return sum/ || /return 2/ || /counter\+\+/ { print "probed.c:" NR }' "$source"
	echo 'loop;sum+=i*3*'
	echo 'probed.c;sum+=i*3*'
	echo 'loop:5 i'
	echo 'loop:5 n sum i'
}

# The reason why this perf writes another line for DEFINITION than Linux's.
why() {
	local status=$3
	case $status in
	139) echo "Linux's perf dies" && return ;;
	esac
	if grep -q '=.deade12d' theirs && diff -q <(sed 's/=\\deade12d/=\\0xdeade12d/' theirs) out > /dev/null; then
		echo "the kernel takes no number that begins with a letter"
	elif grep -q '[$]retval$' theirs && diff -q theirs <(sed 's/\([$]retval\):[sx][0-9]*$/\1/' out) > /dev/null; then
		echo "what a function returns has its type"
	elif diff -q theirs <(sed 's/:[sx][0-9]*\[[0-9]*\]$//' out) > /dev/null; then
		echo "an array without a type is all of its numbers"
	elif [[ $2 == *.c\;*+* ]]; then
		echo "a pattern may hold a +: there it would be an offset"
	elif grep -q 'inside an instruction' err; then
		echo "a probe inside an instruction would damage the program"
	elif [[ $2 == twice*cell ]] && grep -q 'cell=[+]' theirs; then
		echo "a pointer to a variable of the caller: there it is what it points to"
	elif grep -q 'sharing the address' theirs.err && [ -s out ]; then
		echo "one of several places is another line's: the others are probed"
	elif grep -q 'exceeds max-bitwidth\|Skipping prologue' theirs.err && [[ $1 == c2 ]]; then
		echo "clang's optimized code has no prologue to be skipped"
	elif grep -q 'is the result of a computation\|optimized out' err && [ -s theirs ]; then
		echo "the kernel cannot compute it: Linux's perf reads memory at it"
	elif [[ $1 == c2 && $(wc -l < out) -gt $(wc -l < theirs) ]]; then
		echo "inlined copies are probed, too"
	fi
}

nr=0 equal=0
compare() { # NAME
	local def status name=$1
	while read -r def; do
		nr=$((nr + 1))
		"$REF" probe -x "./$name" -D "$def" > theirs 2> theirs.err < /dev/null
		status=$?
		"$PERF" probe -x "./$name" -D "$def" > out 2> err < /dev/null
		rc=$?
		if [ $rc -eq $status ] && cmp -s out theirs; then
			equal=$((equal + 1))
			continue
		fi
		reason=$(why "$name" "$def" $status)
		echo "# $name: $def: ${reason:-WITHOUT A REASON ($rc, theirs $status)}"
		[ -n "$reason" ] || diff theirs out | sed 's/^/#   /'
		check [ -n "$reason" ]
	done < <(definitions)
}

compare_step() { # NAME COMPILER FLAGS...
	step "the lines of Linux's perf: ${*:2}"
	if command -v "$2" > /dev/null && "${@:2}" -w -o "$1" "$source" 2> build.log; then
		compare "$1"
	else
		skip "$2 cannot build it"
	fi
}
# In this process each: the counts stay.
compare_step g0 gcc -g -O0
compare_step g2 gcc -g -O2
compare_step g1 gcc -gdwarf-4 -O1 -no-pie
compare_step c0 clang -gdwarf-4 -O0
compare_step c2 clang -gdwarf-4 -O2

step "static probe points, from the cache there"
if readelf -n "$WORKLOADS/probes" | grep -q planted; then
	cp "$WORKLOADS/probes" mine
	"$REF" buildid-cache --add mine
	for def in sdt_planted:plain %sdt_planted:plain; do
		"$REF" probe -x ./mine -D "$def" > theirs 2> theirs.err < /dev/null
		perf probe -x ./mine -D "$def"
		check grep -qE "^p:[a-z_]*/plain $PWD/mine:0x[0-9a-f]+$" out
		nr=$((nr + 1))
		cmp -s out theirs && equal=$((equal + 1))
	done
else
	skip "none is planted here"
fi

step "nine of ten are equal"
echo "# $equal of $nr equal"
if [ $nr -ge 200 ]; then
	check [ $((equal * 10)) -ge $((nr * 9)) ]
else
	skip "only $nr definitions: clang is not there"
fi
finish
