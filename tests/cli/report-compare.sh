#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report beside Linux's perf: five recordings of real programs, each sort key alone, pairs of keys, the
# options: equal bytes, or what a rule of compat/report_text.py, which is a row of differences.md, makes equal.
#
# Each case takes Linux's perf a third of a second, so by default every recording has a part of the cases,
# another one each; REPORT_COMPARE=all tries all and lists what differs, so many lines of a case (DIFF_LINES).
. "$(dirname "$0")/../lib.sh"
plan 10
REPORT_COMPARE=${REPORT_COMPARE-}
[ -x "$REF" ] || skip_all "to compare with: '$REF' is not there"
command -v python3 > /dev/null || skip_all "to compare with: python3 is not there"

# Not here, as differences.md has rows about them: ipc_null, ipc_lbr, local_p_stage_cyc, p_stage_cyc, dcacheline, and
# symbol_size, symbol_daddr, symbol_iaddr with -s. Branches are in none of these recordings: cli/report-keys, cli/report-branches have them.
code_keys="pid comm dso symbol sym cpu srcline srcfile cgroup_id dso_size parent"
sample_keys="socket local_weight weight transaction trace cgroup time code_page_size local_ins_lat ins_lat addr"
figures="overhead overhead_sys overhead_us overhead_guest_sys overhead_guest_us overhead_children sample period"
memory_keys="dso_daddr locked tlb mem snoop blocked phys_daddr data_page_size"
pairs="comm,dso comm,sym comm,pid comm,cpu comm,srcfile comm,srcline comm,dso_size comm,parent comm,trace comm,socket
	comm,time comm,cgroup comm,weight comm,addr comm,code_page_size dso,sym dso,comm dso,pid dso,cpu dso,srcline
	dso,dso_size dso,time dso,ins_lat dso,cgroup_id dso,trace dso,addr sym,dso sym,comm sym,pid sym,cpu sym,srcline
	sym,time sym,parent sym,local_weight sym,trace pid,comm pid,dso pid,sym pid,cpu pid,time pid,cgroup pid,trace
	cpu,comm cpu,pid cpu,dso cpu,sym cpu,time cpu,socket time,comm time,sym time,pid socket,cpu trace,comm trace,pid
	parent,comm srcfile,dso srcline,comm addr,pid weight,sym local_ins_lat,dso"

# An option to a line; before a colon what the recording must have. FIRST, SECOND: event names; COMM, PID, DSO,
# SYMBOL: of the recording; FROM, TO: times in it.
options='
memory: --mem-mode -g none -F overhead,sample,symbol_daddr
memory: --mem-mode -g none -F overhead,sample,symbol_iaddr
chains: -n --show-total-period
chains: --children
chains: --no-children
chains: -g caller
chains: -g callee --no-children
chains: -g flat --no-children
chains: -g folded --no-children
chains: -g folded,count
chains: -g fractal --no-children
chains: -g graph,2
chains: --call-graph caller,0.5,callee,function,percent
chains: -g period
chains: -g count,3 --no-children
chains: -g caller,0.5,branch --no-children
chains: -G
chains: --inverted --no-children
chains: --max-stack 3 --no-children -g callee
chains: --max-stack=1 -g none --no-children
chains: --percent-limit 2
chains: --ignore-callees ^do_ --no-children -g callee,5
chains: --show-ref-call-graph --no-children -s comm -g callee
chains: -p ^do_ -x -g none --no-children
chains: -s parent -p . -g none --no-children
chains: -s parent,sym --parent=^do_ -g none --no-children
chains: --exclude-other -g none --no-children
chains: -F overhead_children,overhead,sym -g none
-g none
-n -g none
--show-nr-samples --show-total-period -g none
--percent-limit 2 -g none --no-children
--percentage relative -c COMM -g none
--percentage absolute -c COMM -g none
--percentage relative -d DSO -g none --no-children
-c COMM -g none
-c COMM -s comm -g none
-c COMM -s comm,sym -g none
-c nosuch -g none
--comms COMM,nosuch -g none --no-children
-d DSO -g none --no-children
-d DSO -s dso -g none --no-children
--dsos DSO,nosuch -s dso,sym -g none --no-children
-S SYMBOL -g none --no-children
-S SYMBOL -s sym -g none --no-children
--symbols SYMBOL,main -g none --no-children
-c COMM -d DSO -S SYMBOL -g none --no-children
one: --symbol-filter=SYMBOL -g none --no-children
--pid PID -g none -s pid --no-children
--tid PID -g none -s pid,dso --no-children
--pid 1 -s pid -g none
cpus: -C 0 -g none
cpus: --cpu 0-1 -g none --no-children
cpus: --socket-filter 0 -s socket -g none --no-children
--time FROM,TO -g none --no-children
--time ,TO -g none --no-children
--time FROM, -g none --no-children
--time 10%-40% -g none --no-children
--time 50%/2 -g none --no-children
apart: -w 12,10,20 -g none --no-children
--column-widths 0,0,8 -g none --no-children
-t; -g none --no-children
--field-separator , -g none --no-children -s comm,dso
-F overhead,sample,comm -g none --no-children
-F comm,overhead -g none --no-children
-F sample,period,dso -g none --no-children
-F +period -g none --no-children
--fields overhead,overhead_us,overhead_sys,comm -g none --no-children
-F overhead_children,overhead,sym -g none --no-children
-F overhead,sample,period,symbol_size -g none --no-children
--sort comm,dso -F period -g none --no-children
-s +cpu -g none --no-children
--show-cpu-utilization -g none --no-children
--showcpuutilization -s comm -g none
--hierarchy -g none --no-children
--hierarchy -s comm,dso -g none -n
--hierarchy -s dso,sym -g none --percent-limit 3
--hierarchy -s pid,comm -g none
-U -g none --no-children
--hide-unresolved -s sym,dso -g none --no-children
--group -g none --no-children
groups: --no-group -g none --no-children
groups: --group-sort-idx 1 -g none --no-children
groups: --group-sort-idx=1 -g none --no-children -s dso,sym
groups: --group-sort-idx 7 -g none --no-children -s dso,sym
--time-quantum 10ms -s time -g none --no-children
--time-quantum=5ms -s time,comm -g none --no-children
--ns -s time -g none --no-children
--raw-trace -s trace -g none --no-children
--samples 5 -g none --no-children
--skip-empty -g none --no-children
--no-demangle -g none --no-children
--demangle-kernel -g none --no-children
--full-source-path -g none --no-children
--show-info -g none --no-children
--header-only
--header -g none --no-children -s comm
-I --header-only
-q -g none --no-children -s dso
-v -s comm -g none --no-children
-f -g none --no-children -s comm
-T -g none --no-children -s comm
--stats
--tasks
--mmaps
--switch-on FIRST -g none --no-children -s comm
apart: --switch-on FIRST --switch-off SECOND -g none --no-children -s comm
apart: --switch-on FIRST --switch-off SECOND --show-on-off-events -g none --no-children -s comm
--disable-order -g none --no-children -s comm
--percent-type local-hits -g none --no-children -s comm
--stdio-color always -g none --no-children -s dso
--stdio-color=never -g none --no-children -s comm
-M intel -g none --no-children -s comm
--kallsyms /proc/kallsyms -g none --no-children -s sym
--ignore-vmlinux -g none --no-children -s comm
--modules -g none --no-children -s comm
--symfs / -g none --no-children
--objdump /usr/bin/objdump -g none --no-children -s comm
--asm-raw -g none --no-children -s comm
--guest-code -g none --no-children -s comm
--itrace=i1us -g none --no-children -s comm
--stitch-lbr -g none --no-children -s comm
--total-cycles -g none --no-children
-i nosuch.data
'
# one: event; apart: events that are no group
declare -A has=([compile]="chains one apart" [python]="cpus groups" [threads]="chains one apart"
	[processes]="cpus one apart memory" [system]="cpus chains apart")

cp "$TESTS/compat/some.c" . || exit 2

step "five recordings"
"${CC:-cc}" -O1 -g -fno-omit-frame-pointer -pthread -o some some.c || skip_all "to make programs: no compiler"
# torn: in the COMM lines of script --show-task-events, is a name the beginning of another one? So it is where a task
# that was there already was read while it got its name; the two perfs put such a name, which has no time, and the
# whole one into another order. (A child of perf is "perf" and then "perf-exec"; sh begins many names; the kernel has
# kworker/1:1 and kworker/1:1H-kb.)
torn() {
	sed -n 's/.*: PERF_RECORD_COMM\( exec\)\{0,1\}: \(.*\):[0-9/]*$/\2/p' | LC_ALL=C sort -u | awk '
		length(last) > 4 && last !~ /\// && index($0, last) == 1 { torn = 1 }
		{ last = $0 }
		END { exit !torn }'
}

# Of a recording whose chains have what is no address Linux's perf leaves out the whole chain: another one is made.
# So it is where a name is torn.
rec() {
	for _ in 1 2 3 4 5 6 7 8; do
		perf record -q -o "$@"
		check [ -s "$1" ]
		perf report --stdio -v -s comm -g none -i "$1"
		grep -q 'call chains were cut' err || "$PERF" script --show-task-events -G -F comm,pid,tid,time -i "$1" 2> /dev/null | torn || break
	done
}
rec compile.data -g -e cpu-clock -c 250000 "${CC:-cc}" -O1 -g -o again some.c -pthread
python=$(python3 -c 'import sys; print(sys.executable)')
rec python.data -T --sample-cpu -e '{cpu-clock,task-clock,cpu-clock:u}' -c 400000 "$python" -c 'import json; [json.loads(json.dumps(list(range(999)))) for i in range(1000)]'
rec threads.data -g -e cpu-clock -c 400000 -s ./some 1500
rec processes.data -e cpu-clock -c 100000 -d -W --phys-data --data-page-size --code-page-size --sample-cpu \
	--all-cgroups --namespaces -k CLOCK_MONOTONIC sh -c 'for i in $(seq 30); do ls / | sort | tail -n 1; done'
if [ "$(id -u)" -eq 0 ] && need_tracefs; then
	rec system.data -a -g --kernel-callchains -e sched:sched_switch -e sched:sched_wakeup -e cpu-clock -c 10000000 --switch-events sh -c 'for i in $(seq 10); do sleep 0.01; done'
else
	rec system.data -g --sample-cpu -e context-switches -e cpu-clock -c 400000 ./some 1500
fi

event() { echo "  a     0/0     $1: PERF_RECORD_COMM${3:-}: $2:7/7"; }
check torn < <(event 0.000000 report-bran && event 12.5 report-branches ' exec')
check torn < <(event 12.5 report-branches ' exec' && event 12.6 report-bran)
refute torn < <(event 0.000000 report-branches && event 12.5 report-branches && event 12.6 sh ' exec' && event 12.7 shfmt)
refute torn < <(event 0.000000 perf && event 12.5 perf-exec && event 12.6 sh ' exec')

# most FIELDS: what most samples have there.
most() {
	"$PERF" script -G -F "$1" -i "$2" 2> /dev/null | sed "$3" | sort | uniq -c | sort -rn | awk '{ print $2; exit }'
}

# words FILE: what stands for the words of the options, and the sizes of the kernel.
words() {
	local file=$1 tool
	mapfile -t events < <("$PERF" evlist -i "$file" 2> /dev/null | grep -v '^#' | head -n 2)
	comm=$(most comm "$file" 's/^ *//; s/ *$//') pid=$(most pid "$file" 's/ //g')
	symbol=$(most ip,sym "$file" '/unknown/d; s/^ *[0-9a-f]* *//') dso=$(most ip,dso "$file" 's/.*(//; s/).*//; s/.*\///')
	mapfile -t times < <("$PERF" script -G -F time -i "$file" 2> /dev/null | tr -d ' :')
	from=${times[$((${#times[@]} / 4))]} to=${times[$((${#times[@]} / 2))]}
	sizes=
	for tool in "$REF" "$PERF"; do
		sizes=$sizes${sizes:+,}$("$tool" report --stdio -q -g none --no-children -s dso,dso_size -i "$file" 2> /dev/null < /dev/null |
			awk '/kernel.kallsyms/ { print $NF; exit }')
	done
}

# One case: the text of both, and whether both ended well. A key that no sample has is an error of ours; Linux's perf
# has one value of it then. It dies itself of some reports: of source files where events are a group.
compare() {
	local file=$1 ref_rc our_rc
	shift
	{
		timeout 60 "$REF" report --stdio --no-inline -i "$file" "$@" < /dev/null > ref 2> ref.err
		ref_rc=$?
	} 2> /dev/null
	timeout 60 "$PERF" report --stdio --no-inline -i "$file" "$@" < /dev/null > out 2> err
	our_rc=$?
	nr_cases=$((nr_cases + 1))
	if [ $ref_rc -gt 128 ] && [ $our_rc -eq 0 ]; then
		nr_died=$((nr_died + 1))
		return
	fi
	if [ $our_rc -eq 255 ] && grep -q "cannot sort by .*: no sample has" err; then
		nr_absent=$((nr_absent + 1))
		[[ ${*: -1} == *,* ]] || [ "$(grep -c '^ *[0-9.]*%' ref)" -le "$(grep -c '^# Samples' ref)" ] ||
			echo "$file: perf report $*: there are values of it" >> found
		return
	fi
	if ! "$TESTS/compat/report_text.py" --kernel-sizes "$sizes" ref out > text || [ $((ref_rc == 0)) -ne $((our_rc == 0)) ]; then
		echo "$file: perf report $*: status $ref_rc and $our_rc" >> found
		head -n "${DIFF_LINES:-6}" text >> found
	fi
	! grep -qx 'rules: *' text || nr_equal=$((nr_equal + 1))
}

# cases NAME: the options of all its cases, a case to a line. What ran before a recording began has mapped objects in
# other sizes than what was started later: differences.md.
cases() {
	all_cases "$1" | if [ "$1" = system ]; then grep -v dso_size; else cat; fi
}

all_cases() {
	local key line traits=${has[$1]}
	local all="-n --show-total-period -g none"
	for key in $code_keys $sample_keys $figures $pairs; do
		echo "$all --no-children -s $key"
	done
	# With children, samples of one value of a key count several times in 6.1, but for what belongs to code and tasks.
	for key in $code_keys $pairs; do
		[[ $key =~ socket|weight|trace|cgroup|time|page|lat|addr|src ]] || echo "$all -s $key"
	done
	for key in $memory_keys; do
		[[ $traits != *memory* ]] || echo "--mem-mode $all -s $key"
	done
	while read -r line; do
		[[ $line =~ ^([a-z]+):\ (.*) ]] || BASH_REMATCH=("" "" "$line")
		[[ -z $line || $traits != *${BASH_REMATCH[1]}* ]] || echo "${BASH_REMATCH[2]}"
	done <<< "$options"
}

# each TURN NAME: all cases, or those whose turn it is.
each() {
	local turn=$1 file=$2.data i=0 line
	words "$file"
	while read -r line; do
		i=$((i + 1))
		[ "$REPORT_COMPARE" = all ] || [ $((i % 15)) -eq "$turn" ] || continue
		line=${line//FIRST/${events[0]}} line=${line//SECOND/${events[1]:-${events[0]}}} line=${line//COMM/$comm}
		line=${line//PID/$pid} line=${line//SYMBOL/$symbol} line=${line//DSO/$dso} line=${line//FROM/$from} line=${line//TO/$to}
		# shellcheck disable=SC2086
		compare "$file" $line
	done < <(cases "$2")
	[ "$REPORT_COMPARE" = all ] || compare "$file"
}

turn=0 nr_cases=0 nr_equal=0 nr_absent=0 nr_died=0
for name in compile python threads processes system; do
	step "$name: keys, pairs of keys, options"
	nr_cases=0 nr_equal=0 nr_absent=0 nr_died=0
	: > found
	each $turn $name
	check [ $nr_cases -ge 12 ]
	# More are equal as they stand than need a rule.
	check [ $((2 * nr_equal)) -ge $((nr_cases - nr_absent - nr_died)) ]
	check [ $((10 * nr_died)) -le $nr_cases ]
	[ "$REPORT_COMPARE" != all ] || sed 's/^/  # /' found
	check diff /dev/null found
	turn=$((turn + 3))
done

step "what has been different once"
: > found
nr_cases=0
words python.data
for index in 1 2 7; do
	compare python.data -s dso,sym --group-sort-idx $index
	compare python.data -s comm,dso -n --group-sort-idx $index
done
words compile.data
compare compile.data -s sym,dso -g none --no-children
compare compile.data -s sym,comm -g none --no-children
words threads.data
compare threads.data -s comm -c some -g none
compare threads.data -s comm,dso -c some -d some -g none --no-children
compare threads.data -s dso,sym -g none
words processes.data
compare processes.data --mem-mode -F overhead,sample,symbol_iaddr -g none
words system.data
compare system.data -s pid -g none --no-children
compare system.data -g graph,2 -s dso,sym --no-children
check diff /dev/null found
check [ $nr_cases -eq 14 ]

step "a text that is not the same is seen"
words threads.data
: > found
compare threads.data -s dso
check [ -s ref ]
check diff /dev/null found
PERF=$(command -v false) compare threads.data -s dso
check [ -s found ]

step "so is a figure, a name, a row more, another order, a frame"
# planted SED FILE OPTION...
planted() {
	compare "$2" "${@:3}"
	sed -E "$1" ref > out
	refute cmp -s ref out
	"$TESTS/compat/report_text.py" ref out > text
	check [ $? -eq 1 ]
	check grep -q '^[<>o]' text
}
planted '0,/[0-9]%  / s/([0-9])%  /\1\1%  /' compile.data -s dso -g none --no-children
planted 's/libc\.so\.6 /libd.so.6 /' compile.data -s dso -g none
planted '0,/[0-9]%  / { /[0-9]%  /p }' compile.data -s dso -g none --no-children
planted '/cc1  / { h; d }; /libc\.so\.6 / { G }' compile.data -s dso -g none --no-children
planted 's/-work( *)$/-walk\1/' threads.data -s comm -g caller
line=$(grep -n 'sum += i' some.c | cut -d: -f1)
planted "s/some\.c:$line/some.c:1/" threads.data -s srcline -g none --no-children

step "what a rule is about makes no difference, alone"
cat > ref << 'END'
# Overhead  Command  Symbol
# ........  .......  ..........................
#
    50.00%  perf-ex  [.] main
    25.00%  sh       [.] @plt
    25.00%  sh       [.] zeta
END
cat > out << 'END'
# Overhead  Command    Symbol
# ........  .........  ..........................
#
    50.00%  perf-exec  [.] main
    25.00%  sh         [.] zeta
    25.00%  sh         [.] zz@plt
END
"$TESTS/compat/report_text.py" ref out > text
check [ $? -eq 0 ]
check grep -qx 'rules: plt widths' text
sed -i 's/perf-exec/perf-exed/' out
"$TESTS/compat/report_text.py" ref out > text
check [ $? -eq 0 ]
sed -i 's/perf-exed/pert-exec/' out
"$TESTS/compat/report_text.py" ref out > text
check [ $? -eq 1 ]
finish
