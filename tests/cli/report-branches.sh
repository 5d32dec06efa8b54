#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report of branches: their kinds, and the blocks of code between them (--total-cycles), on
# recordings as no machine of the tests makes them (tests/data/fields.py). 6.1.187 ends with SIGSEGV in
# --total-cycles where a branch has cycles: what must come out is made of what its perf script prints.
. "$(dirname "$0")/../lib.sh"
plan 18
. "$TESTS/data/fields.sh"
strip -g -o bare prog
python3 "$TESTS/data/fields.py" paths "$PWD/prog" paths.data
python3 "$TESTS/data/fields.py" loops "$PWD/prog" loops.data
for kind in blocks idle calls; do
	python3 "$TESTS/data/fields.py" $kind "$PWD/bare" $kind.data
done

# as_linux FILE OPTION...: from the tip on, and without it, as Linux's perf, which ends without a newline.
as_linux() {
	local file=$1
	shift
	"$REF" report --stdio --kallsyms symbols -i "$file" "$@" < /dev/null 2> ref.err | statistics > ref
	perf report --stdio --kallsyms symbols -i "$file" "$@"
	check [ $rc -eq 0 ]
	statistics < out > ours
	check diff ref ours
}

statistics() {
	sed -n '/^# Branch Statistics/,$p' | awk 1
}

step "kinds of branches, where each entry has one kind: as Linux's perf"
as_linux blocks.data -s addr_from,addr_to
check [ "$(wc -l < ours)" -ge 15 ]
as_linux blocks.data -s addr_from,addr_to -q
as_linux blocks.data -s addr_from,addr_to -t,
as_linux blocks.data -s addr_from,addr_to -C 1
for word in COND_FWD COND_BWD CROSS_2M FAULT_ALGN ARCH_5; do
	check grep -q " *$word:" ours
done

step "kinds of branches, whatever entries are: as many as perf script prints"
for file in jumps blocks; do
	"$REF" script -F event,brstacksym --kallsyms symbols -i $file.data < /dev/null 2> ref.err |
		python3 "$TESTS/data/branches.py" kinds > want
	for options in '' '-s cycles' '-s dso_to' '--comms first'; do
		perf report --stdio -i $file.data $options
		statistics < out | sed -E '/^#/d; /_FWD|_BWD|CROSS_/d' | LC_ALL=C sort -k 1,1 > ours
		check diff <(LC_ALL=C sort -k 1,1 want) ours
	done
done

step "no kinds were recorded, or no branches are shown: nothing is said of them"
as_linux branches.data
check grep -q '^# Samples: .*cycles' out
check [ ! -s ours ]
as_linux blocks.data --no-branch-stack -g none
check grep -q '^# Samples: .*cycles' out
check [ ! -s ours ]

step "--branch-history: branches before the samples, as Linux's perf"
# Behind [...], which is no frame, 6.1 says (inlined) and (calltrace) or not, depending on the size of
# the environment.
for options in '' '-g callee,0' '-g callee,5' '-g callee,0,function' '-g callee,fractal'; do
	# shellcheck disable=SC2086
	"$REF" report --stdio --kallsyms symbols -i paths.data --branch-history -s sym -g callee $options < /dev/null 2> ref.err |
		sed -E 's/ +$//; /^# \(Tip/d; s/\[\.\.\.\]( \(inlined\))?( \(calltrace\))?$/[...]/' > ref
	# shellcheck disable=SC2086
	perf report --stdio --kallsyms symbols -i paths.data --branch-history -s sym -g callee $options
	check [ $rc -eq 0 ]
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d' out > ours
	check diff ref ours
done
check grep -q 'cycles:' ours
check grep -q 'predicted:.*abort:' ours

step "--branch-history: below them the whole call chain"
"$REF" script -F event,ip,sym,symoff,brstacksym --kallsyms symbols -i blocks.data < /dev/null > text 2> ref.err
for order in caller callee; do
	python3 "$TESTS/data/branches.py" paths cycles $order < text > want
	check [ "$(wc -l < want)" -gt 200 ]
	perf report --stdio --kallsyms symbols -i blocks.data --branch-history --no-children -s sym -g folded,0,$order,count
	check [ $rc -eq 0 ]
	sed -n "/of event 'cycles'/,/of event 'instructions'/p" out | grep -E '^[0-9]+ ' > ours
	check diff <(LC_ALL=C sort want) <(LC_ALL=C sort ours)
done
# How these chains end is not judged, which is all that is said of them.
perf report --stdio -i blocks.data --branch-history --no-children -s sym
check [ "$(grep -E '^# (Stacks|Callers)' out)" = '# Stacks: not looked at, as branches are among them; see perf report --stack-health' ]
check grep -qE -- "fn_[1-6]\+0x[0-9a-f]+ \(.*cycles:" out
check grep -qE "fn_[1-6]\+0x[0-9a-f]+ \(calltrace\)" out
check [ "$(grep -c 'calltrace.*cycles:' out)" -eq 0 ]

step "--branch-history: sorted by lines, functions and files; callees first; with children"
python3 "$TESTS/data/fields.py" blocks "$PWD/prog" lines.data
perf report --stdio --kallsyms symbols -i lines.data --branch-history
check [ $rc -eq 0 ]
check grep -qE '^# Children +Self +Source:Line +Symbol +Shared Object' out
check grep -qE 'fn_[1-6] prog.c:2 \(calltrace\)' out
check grep -qE 'kern_one \(SYSCALL\)' out

# history FILE OPTION...: the text of both, theirs in ref, ours in ours, without what is said of loops.
history() {
	local file=$1
	shift
	"$REF" report --stdio --kallsyms symbols -i "$file" --branch-history -s sym -g callee,0 "$@" < /dev/null 2> ref.err |
		sed -E 's/ +$//; /^# \(Tip/d; s/ ?iter:[0-9]+ avg_cycles:[0-9]+//' > ref
	perf report --stdio --kallsyms symbols -i "$file" --branch-history -s sym -g callee,0 "$@"
	check [ $rc -eq 0 ]
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d; s/ ?iter:[0-9.]+ avg_cycles:[0-9]+//' out > ours
}

first_event() {
	sed -n "/of event 'cycles'/,/of event 'instructions'/p" "$1"
}

step "--branch-history: what ran twice stands once, as Linux's perf"
history loops.data
check [ "$(wc -l < ours)" -gt 3000 ]
check diff <(first_event ref) <(first_event ours)
check grep -q 'iter:1 avg_cycles:' out

step "--branch-history: how often loops ran, and the cycles of a round"
"$REF" script -F event,brstacksym --kallsyms symbols -i loops.data < /dev/null > text 2> ref.err
for event in cycles instructions; do
	python3 "$TESTS/data/branches.py" loops $event < text
done | awk '{ n[$2 " " $3] += $1 } END { for (i in n) print n[i], i }' | LC_ALL=C sort > want
check [ "$(wc -l < want)" -gt 50 ]
# Each sample has an entry of its own.
perf report --stdio --kallsyms symbols -i loops.data --branch-history --no-children --ns --time-quantum 1ns -s time,sym -g callee,0
check [ $rc -eq 0 ]
grep -oE 'iter:[0-9.]+ avg_cycles:[0-9]+' out | LC_ALL=C sort | uniq -c | awk '{ print $1, $2, $3 }' | LC_ALL=C sort > ours
check diff want ours

step "--branch-history --max-stack: as many branches, as Linux's perf; those left out are said"
for limit in 1 3; do
	history paths.data --max-stack $limit
	check diff ref ours
	perf report --stdio --kallsyms symbols -i paths.data --branch-history -v --max-stack $limit
	check grep -q '[0-9] frames were cut off by --max-stack' err
done
perf report --stdio --kallsyms symbols -i paths.data --branch-history -v --max-stack 6
check [ $rc -eq 0 ]
refute grep -q 'cut off' err

step "--branch-history: branches that are the calls of the chain stand there once"
history calls.data --no-inline
check grep -q 'fn_[1-6]+0x[0-9a-f]*$' ours
refute grep -q calltrace <(first_event ours)
check grep -q calltrace ours
perf report --stdio --kallsyms symbols -i calls.data -s sym -g callee,0,address --no-inline
check [ $rc -eq 0 ]
check diff <(first_event out | grep -v '^#' | sed 's/ *$//') <(first_event ours | grep -v '^#')

# any_workers OPTION: the text, in out-1, is the same for any number of workers.
any_workers() {
	local workers
	for workers in 1 2 7; do
		PERF_WORKERS=$workers perf report --stdio --kallsyms symbols -i blocks.data "$1"
		mv out out-$workers
	done
	check cmp out-1 out-2
	check cmp out-1 out-7
}

step "--branch-history: the same for any number of workers"
any_workers --branch-history
check [ "$(wc -l < out-1)" -gt 300 ]

step "-g ...,branch adds branches to chains; --branch-history without them is the report, and a warning"
perf report --stdio -i paths.data --no-branch-stack -s sym -g callee,0,branch
check [ $rc -eq 0 ]
check grep -qE 'fn_[1-6] \(.*predicted' out
perf report --stdio -i paths.data --no-branch-stack -s sym -g callee,0
refute grep -q predicted out
check grep -q 'fn_4' out
perf report --stdio -i plain.data -s srcline,symbol,dso -g address,callee
mv out plain.text
perf report --stdio -i plain.data --branch-history -s srcline,symbol,dso -g address,callee
check [ $rc -eq 0 ]
check cmp out plain.text
check grep -q fn_3 out
check grep -q "no branches in 'plain.data': it was recorded without them" err

step "--total-cycles without cycles: headings and statistics as Linux's perf"
"$REF" report --stdio --kallsyms symbols -i idle.data --total-cycles < /dev/null 2> ref.err | grep -vE '^# \(Tip' > ref
perf report --stdio --kallsyms symbols -i idle.data --total-cycles
check [ $rc -eq 0 ]
sed -E '/^# (Lost|Stacks|Callers): /,/^#$/d; /^# \(Tip/d' out > ours
check diff <(sed '/Branch Statistics/,$d' ref) <(sed '/Branch Statistics/,$d' ours)
check grep -q 'Sampled Cycles%  Sampled Cycles' ours

# blocks OPTION...: the rows of the first event, cells apart by one blank.
blocks() {
	perf report --stdio --kallsyms symbols -i blocks.data --total-cycles --percent-limit 0 "$@"
	check [ $rc -eq 0 ]
	sed -n "/of event 'cycles'/,/of event 'instructions'/p" out | grep -v '^#' | awk 'NF { $NF = ""; $1 = $1; sub(/ $/, ""); print }' > ours
}

step "--total-cycles: each block, as perf script prints the branches"
"$REF" script -F event,brstacksym --kallsyms symbols -i blocks.data < /dev/null > text 2> ref.err
python3 "$TESTS/data/branches.py" blocks cycles < text > want
check [ "$(wc -l < want)" -ge 20 ]
check grep -q 'K ' want
blocks
check diff <(LC_ALL=C sort want) <(LC_ALL=C sort ours)
check [ "$(cut -d' ' -f 1 ours | tr -d %)" = "$(cut -d' ' -f 1 ours | tr -d % | sort -rn)" ]

step "--total-cycles: the same for any number of workers"
any_workers --total-cycles
check [ "$(wc -l < out-1)" -gt 30 ]

step "--total-cycles: filters, limit, separator"
python3 "$TESTS/data/branches.py" blocks cycles fn_5 < text > want
check [ -s want ]
blocks -S fn_5
check diff <(LC_ALL=C sort want) <(LC_ALL=C sort ours)
perf report --stdio -i blocks.data --total-cycles --percent-limit 90
check [ $rc -eq 0 ]
refute grep -q '^ .*%' <(sed '/Branch Statistics/,$d' out)
perf report --stdio -i blocks.data --total-cycles -t,
check grep -qE '^ +[0-9.]+%, +[0-9.]+K?, +[0-9.]+%, +[0-9]+, +\[fn_[1-6]\+[0-9]+ -> fn_[1-6]\+[0-9]+\], +bare$' out

step "--branch-history --mem-mode: the line of what is sorted by tells what is sorted by"
perf report --stdio -i memory.data --branch-history --mem-mode
check [ $rc -eq 0 ]
check grep -q '^# Sort order   : srcline,symbol,dso$' out
perf report --stdio -i memory.data --branch-history --mem-mode -s dso,comm
check grep -q '^# Sort order   : dso,comm$' out

step "--total-cycles: a file without branches is reported as ever; not with other tables"
perf report --stdio -i plain.data
mv out plain.text
perf report --stdio -i plain.data --total-cycles
check cmp out plain.text
for option in --json --mem-mode --callers-callees --hierarchy; do
	perf report --stdio -i blocks.data --total-cycles $option
	check [ $rc -eq 129 ]
	check grep -q -- '--total-cycles and' err
done
finish
