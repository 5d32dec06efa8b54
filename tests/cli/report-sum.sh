#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report -i A -i B: several recordings as one profile, equal to the sum of their own; objects by
# build-id, so that two builds of one program keep their own names.
. "$(dirname "$0")/../lib.sh"
plan 8
step "events can be opened"
need_events || finish

# The functions change places: what is `early` in the first build lies where `late` is in the second.
build() {
	cat > prog.c << END
#define WORK(name) __attribute__((noinline, aligned(4096))) long name(long n) { volatile long x = 0; while (n--) x += n; return x; }
WORK($1) WORK($2)
int main(void) { return ($1(40000000) + $2(80000000)) & 1; }
END
	"${CC:-cc}" -O1 -g -no-pie -fno-omit-frame-pointer -Wl,--build-id=sha1 -o prog.new prog.c 2> cc.err && mv prog.new prog
}
place() {
	nm prog | awk -v name="$1" '$3 == name { print $1 }'
}

# rows FILE...: samples, period, command, object, function of each entry of the first event, added up.
rows() {
	local files=()
	for file in "$@"; do files+=(-i "$file"); done
	perf report --stdio --no-children -g none --percent-limit 0 -F sample,period,comm,dso,sym -t '|' "${files[@]}"
	check [ $rc -eq 0 ]
	sed -n '/^#.*Samples.*|/,/^$/p' out | grep -v '^#' |
		awk -F'|' 'NF > 4 { for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i); k = $3 "|" $4 "|" $5; n[k] += $1; p[k] += $2 }
			END { for (k in n) print k "|" n[k] "|" p[k] }' | LC_ALL=C sort
}
# sum ROWS...: these files of rows, added up.
sum() {
	cat "$@" | awk -F'|' '{ k = $1 "|" $2 "|" $3; n[k] += $4; p[k] += $5 } END { for (k in n) print k "|" n[k] "|" p[k] }' | LC_ALL=C sort
}

build early late && early=$(place early) || skip "no program: $(head -n 1 cc.err)"
for file in a b; do
	perf record -q -g -e cpu-clock -c 1000000 -o $file.data ./prog
	check [ $rc -eq 0 ]
done
rows a.data > a.rows
rows b.data > b.rows
check [ "$(awk -F'|' '{ n += $4 } END { print n + 0 }' a.rows)" -gt 8 ]

step "two runs are the sum of both, in any order, whatever an entry is"
sum a.rows b.rows > want
check grep -q 'early' want
for files in 'a.data b.data' 'b.data a.data'; do
	rows $files > ours
	check diff want ours
done
check grep -q '^# Recordings: b.data, a.data' out
check [ ! -s err ]
perf report --stdio --no-children -g none -s cpu -F sample,cpu -t '|' -i a.data -i b.data
check [ "$(grep -v '^#' out | awk -F'|' '{ n += $1 } END { print n }')" = "$(awk -F'|' '{ n += $4 } END { print n }' want)" ]
perf report --stdio -s tid -F sample,tid -t '|' --no-children -g none -i a.data -i b.data
for file in a b; do
	"$PERF" script -F tid -i $file.data 2> script.err | awk '{ print $1 }' | LC_ALL=C sort | uniq -c | awk '{ print $2, $1 }'
done > tids
check diff <(LC_ALL=C sort tids) <(grep -v '^#' out | awk -F'[|:]' 'NF > 2 { gsub(/ /, ""); print $2, $1 }' | LC_ALL=C sort)

step "call chains are added up"
chains() {
	grep -E '^[0-9]+ ' out | awk '{ n[$2] += $1 } END { for (c in n) print c, n[c] }' | LC_ALL=C sort
}
for file in a b; do
	perf report --stdio --no-children -g folded,0,count,function -s comm -i $file.data
	grep -E '^[0-9]+ ' out
done > chains.all
perf report --stdio --no-children -g folded,0,count,function -s comm -i a.data -i b.data
chains > ours
cp chains.all out
chains > want
check grep -q 'main' want
check diff want ours

step "the same for any number of workers"
for workers in 1 2 7; do
	PERF_WORKERS=$workers perf report --stdio -i a.data -i b.data
	mv out out-$workers
done
check grep -q early out-1
check cmp out-1 out-2
check cmp out-1 out-7

step "another build at the same path: each address has the name of its own build"
build late early
check [ "$(place late)" = "$early" ]
perf record -q -g -e cpu-clock -c 1000000 -o c.data ./prog
rows c.data > c.rows
sum a.rows c.rows > want
check [ "$(grep -c '[|].*early\|late' want)" -ge 2 ]
for files in 'a.data c.data' 'c.data a.data'; do
	rows $files > ours
	check diff want ours
	check grep -q "other builds of 1 objects ('/.*/prog' ...)" err
done

step "without build-ids: what was replaced is kept apart, which is said; what was not is one object"
perf record -q -B --no-buildid-mmap -e cpu-clock -c 1000000 -o d.data ./prog
perf record -q -B --no-buildid-mmap -e cpu-clock -c 1000000 -o e.data ./prog
rows d.data > d.rows
rows e.data > e.rows
sum d.rows e.rows > want
rows d.data e.data > ours
check diff want ours
check [ "$(grep -c 'prog|.*late' ours)" -eq 1 ]
refute grep -q 'may be other builds' err
build early late
perf record -q -B --no-buildid-mmap -e cpu-clock -c 1000000 -o f.data ./prog
rows d.data f.data > ours
check grep -q "lack build-ids of [1-9][0-9]* objects ('/.*/prog' ...): they may be other builds" err
rows f.data > f.rows
check [ "$(awk -F'|' '{ n += $4 } END { print n }' ours)" = "$(cat d.rows f.rows | awk -F'|' '{ n += $4 } END { print n }')" ]

step "events are the same by name; one that not all have is said"
perf record -q -e page-faults -c 1 -o g.data ./prog
perf report --stdio -i a.data -i g.data
check [ $rc -eq 0 ]
check grep -q "of event 'cpu-clock" out
check grep -q "of event 'page-faults" out
check grep -q "event 'page-faults" err
perf report --stdio -i g.data -i g.data -F sample,comm -s comm -t '|'
check [ "$(grep -v '^#' out | awk -F'|' '{ n += $1 } END { print n }')" -eq $((2 * $("$PERF" script -i g.data 2> script.err | grep -c page-faults))) ]

step "what is about one recording is refused; a file that is not there, too"
for option in -D --stats --tasks --mmaps --losses --stack-health --json --threads --header '--time 10%/1' --latency \
	'--parallelism 1' '--socket-filter 0' '--switch-on cpu-clock'; do
	perf report --stdio -i a.data -i b.data $option
	check [ $rc -eq 129 ]
	check grep -q 'it is about one recording, and -i names 2' err
done
perf report --stdio -i a.data -i b.data -s parallelism,sym
check [ $rc -ne 0 ]
check grep -q "cannot sort by 'parallelism'" err
perf report --stdio -i a.data -i nosuch.data
check [ $rc -ne 0 ]
check grep -q nosuch.data err
finish
