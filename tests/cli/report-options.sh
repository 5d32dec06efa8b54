#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of perf report that change which samples count, and how: the same text as Linux's perf.
. "$(dirname "$0")/../lib.sh"
plan 7
need_events || finish
[ -x "$REF" ] || skip_all "to compare with: '$REF' is not there"

# Of programs whose names are known, and without a sample in a PLT: addresses without a name and
# entries of PLTs are what the two show differently (differences.md).
cat > walk.c << 'END'
#include <dirent.h>
#include <sys/stat.h>
int main(void)
{
	struct stat st;

	for (int i = 0; i < 2000; i++) {
		DIR *dir = opendir("/etc");
		while (dir && readdir(dir))
			stat("/etc/passwd", &st);
		if (dir)
			closedir(dir);
	}
	return 0;
}
END
gcc -O1 -fno-plt -fno-omit-frame-pointer -o walk walk.c
for _ in 1 2 3 4 5 6 7 8; do
	perf record -q -e cpu-clock -F 2000 -g -o x.data sh -c "'$WORKLOADS/planted' 0.4; ./walk"
	perf script -i x.data -F ip,sym
	check [ -s out ]
	grep -q '@plt' out || break
done

# What both print alike: not the tips, blanks at the ends of lines, our lines about losses and stacks.
plain() {
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d'"$narrow"
}
narrow=''

# same OPTION...: the report and its status are those of Linux's perf.
same() {
	"$REF" report --stdio -i x.data "$@" > ref.out 2> ref.err < /dev/null
	local status=$?
	perf report --stdio -i x.data "$@"
	check [ "$rc" -eq $status ]
	plain < ref.out > ref
	plain < out > ours
	[ "$status" -ne 0 ] || check diff ref ours
}

step "-g ...,branch changes nothing without branch stacks"
perf report --stdio -i x.data --no-children -g caller,0.5
plain < out > without
same --no-children -g caller,0.5,branch
check [ -s ours ]
check cmp without ours

step "--time"
for span in 10%-20% 10%/2 0%-10%,30%-40%; do
	same -g none --no-children --time $span
	check grep -q "(time slices: $span)" out
done
first=$("$PERF" script -i x.data -F time --ns | head -n 1 | tr -d ' :')
# 6.1 makes columns wide enough for names that no entry has, sometimes.
narrow='; s/ +/ /g; s/\.\.+/../g'
same --no-children -g none --time "$first,$first"
narrow=''
check grep -q '^# Samples: 1  of event' out
same --no-children -g none --time ",1"
check grep -qE 'none of the [0-9]+ samples passes --time' err
for span in abc 5 2,1 120%-130% 1%/0; do
	same --time $span
done
perf report --stdio -g caller --time 0%-30% -i x.data
check grep -q planted_hot out
perf report --stack-health --time 0%-1% -i x.data
few=$(sed -nE 's/^# Stacks of event .* of ([0-9]+) are.*/\1/p' out)
perf report --stack-health -i x.data
check [ "$few" -lt "$(sed -nE 's/^# Stacks of event .* of ([0-9]+) are.*/\1/p' out)" ]

step "which entries, which columns, which order: long and short spellings"
while read -r options; do
	# shellcheck disable=SC2086
	same --no-children $options
done << 'END'
-G -s comm
--inverted -s comm
-g caller,1 -s comm --inverted
-U -g none
--hide-unresolved -g none -s sym
--symbol-filter=planted -g none
--symbol-filter planted_h
--symbol-filter=nothing_is_called_so
--skip-empty -s comm -g none
--demangle-kernel -s sym -g none
--show-nr-samples --show-total-period -g none -s dso
--percent-limit 10 -g none
--percentage relative --comms planted -g none
--percentage absolute --comms planted -g none
--field-separator ; -g none -s sym
--dsos planted --symbols planted_hot,planted_warm -g none
--call-graph=flat,1 -s comm
--call-graph folded,1,count -s comm
--max-stack 3 -g callee -s sym
END

step "--symbol-filter holds whatever the entries are"
for keys in sym dso,sym pid,sym; do
	perf report --stdio --no-children -g none -i x.data --symbol-filter=planted_h -s $keys
	check [ "$(grep -c '^ *[0-9.]*%.*planted_hot' out)" -eq 1 ]
	check [ "$(grep -c '^ *[0-9.]*%' out)" -eq 1 ]
done

step "--symbols and --symbol-filter of entries that name no symbol: the shares are those of the symbols"
perf report --stdio --no-children -g none -i x.data -s comm,sym
share=$(grep "^ *[0-9.]*%.* planted_hot" out | grep -o "[0-9.]*%")
check [ -n "$share" ]
for passes in --symbols=planted_hot --symbol-filter=planted_h; do
	perf report --stdio --no-children -g none -i x.data -s comm $passes
	check [ "$(grep -o '^ *[0-9.]*%' out | tr -d ' ')" = "$share" ]
done

step "-D and --dump-raw-trace, --tui: text all the same"
perf report -D -i x.data
mv out dump
check grep -q PERF_RECORD_SAMPLE dump
perf report --dump-raw-trace -i x.data
check cmp dump out
perf report --stdio -g none -i x.data
mv out text
perf report --tui -g none -i x.data
check cmp text out
step "-g ...,srcline: frames are told apart by their line"
cat > lines.c << 'END'
volatile unsigned long sum;
__attribute__((noinline)) void leaf(long n)
{
	for (long i = 0; i < n; i++)
		sum += i;
}
int main(void)
{
	leaf(150000000);
	sum++;
	leaf(70000000);
	sum++;
	return 0;
}
END
gcc -g -O0 -fno-omit-frame-pointer -o lines lines.c
perf record -q -e cpu-clock:u -F 499 -g -o x.data ./lines
if has libdw; then
	for view in caller callee flat folded; do
		perf report --stdio -i x.data --no-children -s sym --percent-limit 5 -g $view,srcline
		for line in 9 10 11 12; do # where a call is, or what comes behind it
			! grep -q "main lines.c:$line" out || echo $line
		done > seen
		check [ "$(wc -l < seen)" -eq 2 ]
		check grep -q 'leaf lines.c:[45]' out
	done
	perf report --stdio -i x.data --no-children -s sym --percent-limit 5 -g caller,function
	refute grep -q 'lines.c' out
	# Where no line is known it is the function.
	strip -g lines
	perf report --stdio -i x.data --no-children -s sym --percent-limit 5 -g caller,srcline
	check grep -q 'main$' out
	refute grep -qE 'lines.c|\?\?:0|main\+' out
else
	skip "this perf is built without libdw"
fi

finish
