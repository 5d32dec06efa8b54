#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --stdio: layout, columns, filters, call chains, several events, and what it says when
# there is nothing to show. What the numbers must be is in the unit tests and tests/compat.
. "$(dirname "$0")/../lib.sh"
plan 26

cat > work.c << 'END'
#include <time.h>
volatile unsigned long sink;
static void __attribute__((noinline)) leaf(unsigned long n)
{
	while (n--)
		sink += n;
}
static void __attribute__((noinline)) few(void) { leaf(20000); sink++; }
static void __attribute__((noinline)) many(void) { leaf(80000); sink++; }
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2) {
		few();
		many();
	}
	return 0;
}
END
CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "report: $CC is not installed"

need_events || finish

step "a recording with chains and two events"
check "$CC" -O0 -fno-omit-frame-pointer -o work work.c # frames in leaf functions, too
perf record -F 2000 -g -e cpu-clock:u,context-switches -o x.data ./work
check [ $rc -eq 0 ]
perf record -F 2000 -e cpu-clock:u -o flat.data ./work
check [ $rc -eq 0 ]

rows() { # the lines of entries
	grep -E '^ +[0-9]+\.[0-9][0-9]%' "${1:-out}"
}

share() { # NAME: first percentage of the entry of that function, without the dot
	rows | sed -nE "s/^ +([0-9]+)\.([0-9]+)%.* \[.\] $1\$/\1\2/p" | head -n 1
}

step "preamble, heading and end are those of Linux's perf"
perf report --stdio -i x.data
check [ $rc -eq 0 ]
check [ "$(sed -n 1p out)" = "# To display the perf.data header info, please use --header/--header-only options." ]
check [ "$(sed -n 2,5p out | tr '\n' ,)" = "#,#,# Total Lost Samples: 0,#," ]
check grep -qE "^# Samples: [0-9]+[ K] of event 'cpu-clock:u'$" out
check grep -qE '^# Event count \(approx\.\): [0-9]+$' out
check grep -qE '^# Children      Self  Command  Shared Object +Symbol +$' out
check grep -qE '^# \.{8}  \.{8}  \.{7}' out
check grep -qE '^# \(Tip: .*\)$' out
check [ "$(tail -n 1 out)" = "#" ]
check [ ! -s err ]

step "children count their callees, self does not"
check [ "$(share leaf)" -gt 8000 ]
check [ "$(share many)" -gt "$(share few)" ]
check [ "$(share main)" -gt 9000 ]
check grep -qE '^ +(100|[89][0-9])\.[0-9]+% +[0-9]+\.[0-9]+%  work +work +\[\.\] main$' out
perf report --stdio --no-children -g none -i x.data
check grep -qE '^# Overhead  Command  Shared Object' out
check [ "$(rows | sed -n '1s/.*\] //p')" = leaf ]

step "call graphs lead from the leaf up, or from the root down"
perf report --stdio --no-children -g callee -S leaf -i x.data
check grep -qE '^            ---leaf$' out
check grep -qE '^               \|--[0-9.]+%--many$' out
perf report --stdio --no-children -g caller,0.5,percent -S leaf -i x.data
check grep -qE '\|--[0-9.]+%--many$' out
perf report --stdio --no-children -g folded,0,caller,count -S leaf -i x.data
check grep -qE '^[0-9]+ .*main;many;leaf$' out
perf report --stdio --no-children -G --max-stack 1 -S leaf -i x.data
check grep -qE '^            ---leaf$' out
refute grep -q many out

step "a graph does not repeat the symbol that its entry begins with, but what is not that symbol"
perf report --stdio --no-children -g callee --sort sym,dso -S leaf -i x.data
refute grep -qE -e '---?leaf$' out
check grep -qE '^            \|--[0-9.]+%--many$' out
perf report --stdio --no-children --sort sym --max-stack 1 -S leaf -i x.data
refute grep -q -e '---' out
perf report --stdio --no-children -g caller --sort sym -S leaf -i x.data
check grep -qE '^            ---[_a-z]' out
check grep -qE -e '--many$' out
perf report --stdio --no-children -g none -s sym -i x.data
cp out sym
perf report --stdio --no-children -g none -s symbol -i x.data
check cmp sym out

step "fractal shares of one parent sum up to 100"
perf report --stdio --no-children -g fractal,0,callee -S leaf -i x.data
check [ "$(sed -nE 's/^ +[| ]--([0-9]+)\.([0-9]+)%--(many|few)$/\1\2/p' out | head -n 2 |
	awk '{ sum += $1 } END { print sum + 0 }')" -ge 9900 ]

step "sort keys and columns"
perf report --stdio -g none --no-children --sort cpu,pid,comm -n --show-total-period -i x.data
check grep -qE '^# Overhead       Samples        Period  CPU      Pid:Command' out
check grep -qE '^ +[0-9.]+% +[0-9]+ +[0-9]+  -?[0-9]{3} +[0-9]+:work  +work' out
perf report --stdio --sort nosuch -i x.data
check [ $rc -eq 129 ]
check grep -q "unknown sort key 'nosuch'" err
check grep -q -e '-s, --sort' err
refute grep -q -e --header err
perf report --stdio -C x -i x.data
check [ $rc -eq 129 ]
check grep -q -e '-C, --cpu' err
refute grep -q -e --header err

step "-t: a separator, and nothing of it inside of a cell"
perf report --stdio --no-children -g none -t e -i x.data
check grep -qE '^ +[0-9.]+% *ework +ework +e\[\.\] l\.af$' out
perf report --stdio --no-children -g none -t, -i x.data
check grep -qE '^# Overhead,Command' out

step "filters: a single name becomes a line at the top"
perf report --stdio --no-children -g none --comms work --dsos work -i x.data
check grep -qx '# comm: work' out
check grep -qx '# dso: work' out
check grep -qE '^# Overhead  Symbol' out
perf report --stdio --no-children -g none --symbols leaf,main --percentage relative -i x.data
check grep -qE '\] leaf$' out
refute grep -qE '\] many$' out
perf report --stdio --no-children -g none --comms nobody -i x.data
check [ $rc -eq 0 ]
check [ -z "$(rows)" ]
perf report --stdio --no-children -g none --cpu 0 -i x.data
check [ $rc -eq 255 ]
check grep -q 'does not contain CPU events. Remove -C' err
perf record -q -e cpu-clock --sample-cpu -o cpus.data ./work
perf report --stdio --no-children -g none --cpu 9999 -i cpus.data
check [ $rc -eq 0 ]
check [ -z "$(rows)" ]
perf report --stdio --no-children -g none --pid x -i x.data
check [ $rc -eq 129 ]
perf report --stdio --no-children -g none --percent-limit 50 -i x.data
check [ "$(rows | sort -u | wc -l)" -le 2 ]

step "a filter that no sample passes says so, and what there is"
empty() { # REGEX OPTION...: a warning like REGEX, status 0, no entries
	local regex=$1
	shift
	perf report --stdio -g none -i x.data "$@"
	check [ $rc -eq 0 ]
	check grep -qE "$regex" err
	check [ -z "$(rows)" ]
}
empty "^Warning: no sample has the comm 'nobody'$" --comms nobody
check grep -qE "^  comms that samples have: 'work' \([0-9]+\)$" err
empty "did you mean 'work'\?" --comms wrk
empty "no sample has the dso 'libnosuch'" -d libnosuch
check grep -q "'work' (" err
empty "no sample has the symbol 'laef'" -S laef
check grep -q "did you mean 'leaf'?" err
empty "no sample has a symbol with 'zzz' in its name" --symbol-filter zzz
empty "no sample has the pid '1'" --pid 1
empty "no sample has the tid '1'" --tid 1
if ! "$PERF" script -G -F ip,sym -i x.data 2> /dev/null | grep -qw main; then # by chance it has one
	empty "no sample has the symbol 'main'" --no-children -g graph -S main
	check grep -q "it is only in call chains: --children shows it" err
fi
if "$PERF" report --stdio -i x.data --sort dso 2> /dev/null | grep -qF '[kernel.kallsyms]'; then
	empty "no sample passes all the filters together" -d '[kernel.kallsyms]' -S leaf
fi
empty "no sample has the comm 'nobody'" --comms nobody -t,
perf report --stdio -g none -i x.data --comms work,nobody # a name of two
check grep -q "the comm 'nobody'" err
refute grep -q "the comm 'work'" err
check [ -n "$(rows)" ]
for words in '--comms work' '-d work' '-S leaf' '-S main' '--symbol-filter lea' lea \
	"-d $(readlink -f work)" "--comms work -S main"; do
	perf report --stdio -g none -i x.data $words
	check [ ! -s err ]
	check [ -n "$(rows)" ]
done
perf report --stdio -q -g none -i x.data --comms nobody
check [ ! -s err ]

step "-C or --time that no sample passes: the recording is not called empty"
perf report --stdio -i cpus.data -C 9999
check [ $rc -eq 0 ]
check grep -qE "^Warning: none of the [0-9]+ samples passes -C" err
refute grep -q 'has no samples' err
perf report --stdio -i x.data --time 1,2
check [ $rc -eq 0 ]
check grep -qE '^Warning: none of the [0-9]+ samples passes --time' err
check grep -qE 'recording is from [0-9]+\.[0-9]{6} to [0-9]+\.[0-9]{6}' err
refute grep -q 'has no samples' err

step "an operand that is neither a file nor in any symbol's name is an error"
cp flat.data perf.data
for input in '' '-i flat.data'; do
	perf report $input --stdio per.data
	check [ $rc -eq 255 ]
	check grep -q "^Error: no file and no symbol is called 'per.data'" err
	check grep -q "did you mean 'perf.data'" err
	check [ ! -s out ]
done
perf report --stdio laef
check [ $rc -eq 255 ]
check grep -q "did you mean 'leaf'?" err
perf report --stdio leaf
check [ $rc -eq 0 ]
check [ ! -s err ]
for list in -D --stats --losses --header-only; do # they have no use for a symbol
	perf report $list per.data
	check [ $rc -eq 255 ]
	check grep -q "no file is called 'per.data'" err
done
rm perf.data
perf report --stdio per.data # nor is there a perf.data to look into
check [ $rc -eq 255 ]
check grep -q "no file is called 'per.data'" err

step "-q prints entries only; --header what the file says"
perf report --stdio -q -g none -i x.data
refute grep -q '^#' out
perf report --stdio --header-only -i x.data
check grep -qE '^# hostname : ' out
check [ -z "$(rows)" ]
perf report --stdio --header -g none -i x.data
check grep -qE '^# hostname : ' out
check [ -n "$(rows)" ]

step "each event has a block of its own; empty ones are skipped unless asked for"
perf record -g -F 2000 -e cpu-clock:u,alignment-faults -o two.data ./work
perf report --stdio -g none -i two.data
check [ "$(grep -c '^# Samples: ' out)" -eq 1 ]
perf report --stdio -g none --no-skip-empty -i two.data
check [ "$(grep -c '^# Samples: ' out)" -ge 2 ]
check grep -qE "^# Samples: 0  of event 'alignment-faults" out

step "events of a group have one table, or, with --no-group, one each"
perf record -e '{cpu-clock:u,page-faults:u}' -o group.data ./work
perf report --stdio --no-group -i group.data
check [ "$(grep -c "^# Samples: .* of events\\? '" out)" -eq 2 ]
check grep -q '^# (Tip: .*)$' out
for options in '' --group; do
	# shellcheck disable=SC2086
	perf report --stdio $options -i group.data
	check [ $rc -eq 0 ]
	check [ "$(grep -c "^# Samples: .* of events 'anon group { cpu-clock:u, page-faults:u }'" out)" -eq 1 ]
done

step "a file without chains"
perf report --stdio -i flat.data
check grep -qE '^# Overhead  Command' out
check [ ! -s err ]
perf report --stdio -g -i flat.data
check [ $rc -eq 0 ]
check grep -q "no call chains in 'flat.data'" err
check grep -q 'record with -g' err
check [ -n "$(rows)" ]

step "copies of the stack are unwound where chains are shown"
if need_events; then
	perf record --call-graph dwarf,4096 -F 500 -e cpu-clock:u -o stacks.data ./work
	check [ $rc -eq 0 ]
	for command in 'report --stdio' script; do
		perf $command -i stacks.data
		check [ $rc -eq 0 ]
		check grep -qE '(^|[ -])main([+ ]|$)' out
		check grep -qE '(^|[ -])_start([+ ]|$)' out
	done
fi

step "a :S group: each member has samples, with what it counted since the last one"
if need_events; then
	perf record -e '{cpu-clock:u,page-faults:u}:S' -o reads.data ./work
	check [ $rc -eq 0 ]
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err > said
	perf script -F event,period -i reads.data
	check [ "$(wc -l < out)" -eq "$(cat said)" ]
	check [ "$(awk '/page-faults/ { n += $1 } END { print n + 0 }' out)" -gt 0 ]
	awk '{ sum[$2] += $1 } END { for (e in sum) print sum[e] }' out | sort > sums
	perf report --stdio --no-group -i reads.data
	check [ ! -s err ]
	sed -n 's/^# Event count (approx.): //p' out | sort > counts
	check [ "$(wc -l < counts)" -eq 2 ]
	check cmp sums counts
fi

step "an event with :S that threads inherited: no count is below its last one"
if need_events; then
	perf record -e cpu-clock:uS -o inherited.data sh -c './work & ./work; wait'
	check [ $rc -eq 0 ]
	perf script -F tid,period -i inherited.data
	check [ "$(awk '{ print $1 }' out | sort -u | wc -l)" -ge 2 ]
	refute grep -q '[0-9]\{13\}' out
fi

step "ways to show chains that do not exist"
perf report --stdio -g dwarf -i x.data
check [ $rc -eq 129 ]
check grep -q "'dwarf'" err

step "files that cannot be read: the reason, and 255"
: > zero.data
echo 'this is no recording, however long it may be' > junk.data
for file in nosuch.data zero.data junk.data; do
	perf report --stdio -i $file
	check [ $rc -eq 255 ]
	check grep -q "$file" err
	check [ ! -s out ]
done

step "a recording without samples says so"
perf record -e alignment-faults:u -o none.data true
perf report --stdio -i none.data
check [ $rc -eq 0 ]
check grep -q "^Warning: the 'none.data' data has no samples" err
refute grep -q '^Error' err
perf script -i none.data
check [ $rc -eq 0 ]
check [ ! -s out ]
check grep -qx "Warning: the 'none.data' data has no samples" err
perf script -q -i none.data
check [ ! -s err ]

step "a cut file: what is before the cut is in the report"
head -c $(($(wc -c < x.data) / 2)) x.data > cut.data
perf report --stdio -g none --no-children -n -i cut.data
check [ $rc -eq 0 ]
check [ -n "$(rows)" ]
check grep -qi 'warning' err

step "a recording whose perf was killed is read to its end, with a word of it"
number() { # OFFSET: of eight bytes in x.data
	od -An -tu8 -j "$1" -N 8 x.data | tr -d ' '
}
head -c $(($(number 40) + $(number 48))) x.data > killed.data
dd if=/dev/zero of=killed.data bs=8 seek=6 count=1 conv=notrunc 2> dd.log
dd if=/dev/zero of=killed.data bs=8 seek=9 count=4 conv=notrunc 2> dd.log
perf script -F time -i x.data
mv out lines
for command in 'report --stdio -n --sort comm --no-children -g none' 'script -F time'; do
	perf $command -i killed.data
	check [ $rc -eq 0 ]
	check grep -q "killed.data file's data size field is 0 which is unexpected" err
	check grep -q "Was the 'perf record' command properly terminated?" err
	refute grep -q damaged err
done
check cmp out lines

step "-T: below the profile what each thread counted, over all its counters"
"$PERF" record -q -s -e cpu-clock,page-faults -o counts.data sh -c 'ls / > /dev/null; true' > /dev/null 2>&1
perf report -D -i counts.data
sed -n 's/.*PERF_RECORD_READ: \([-0-9]*\) \([-0-9]*\) \([^ ]*\) \([0-9]*\)$/\1 \2 \3 \4/p' out |
	awk '{ n[$1 " " $2 " " $3] += $4 } END { for (i in n) print i, n[i] }' | sort > summed
check [ -s summed ]
perf report -T -i counts.data
check [ $rc -eq 0 ]
awk '/^# +PID +TID/ { for (i = 4; i <= NF; i++) name[i] = $i; on = 1; next }
	on { for (i = 3; i <= NF; i++) print $1, $2, name[i + 1], $i }' out | sort > shown.list
check diff summed shown.list
perf report -T -i x.data
check [ "$(tail -n 1 out)" = '# PID  TID' ]
if [ -x "$REF" ]; then
	perf report -T -i counts.data
	"$REF" report --stdio -T -i counts.data 2> /dev/null | sed '1,/^# *PID/{/^# *PID/!d}' > ref
	check diff <(sed '1,/^# *PID/{/^# *PID/!d}' out) ref
fi

step "a reader that goes away, a disk that is full"
if [ -w /dev/full ]; then
	"$PERF" report --stdio -i x.data > /dev/full 2> err
	rc=$?
	check [ $rc -eq 1 ]
	check grep -q 'cannot write' err
	"$PERF" report --stdio -i x.data 2> err | head -n 1 > /dev/null
	refute grep -q 'cannot write' err
fi
finish
