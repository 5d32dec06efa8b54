#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report: all sort keys and fields, on recordings that have all that a sample can have
# (tests/data/fields.py): the same text as Linux's perf.
. "$(dirname "$0")/../lib.sh"
plan 20
. "$TESTS/data/fields.sh"

# What both print alike: not the tips, blanks at the ends of lines, our lines about losses and stacks.
plain() {
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d'
}

# same FILE OPTION...: the report is that of Linux's perf.
same() {
	local file=$1
	shift
	"$REF" report --stdio --kallsyms symbols -i "$file" "$@" < /dev/null 2> ref.err | plain > ref
	perf report --stdio --kallsyms symbols -i "$file" "$@"
	check [ $rc -eq 0 ]
	plain < out > ours
	check diff ref ours
	check grep -q '^# Samples' ours
}

step "each key alone: by overhead, and by itself"
for key in comm pid dso sym cpu socket srcline srcfile local_weight weight transaction cgroup cgroup_id time \
	code_page_size local_ins_lat ins_lat addr; do
	same memory.data -s $key
	same memory.data -F $key
done
same memory.data -F symbol_size
same memory.data -F overhead,symbol_size

step "the keys of memory accesses"
for key in dso_daddr locked tlb mem snoop phys_daddr data_page_size blocked; do
	same memory.data --mem-mode -s $key
	same memory.data --mem-mode -F $key
done
same memory.data --mem-mode -F overhead,symbol_daddr
same memory.data --mem-mode -F symbol_daddr
same memory.data --mem-mode -F overhead,symbol_iaddr
same memory.data --mem-mode -F symbol_iaddr
same memory.data --mem-mode
same memory.data --mem-mode -n --show-total-period

step "a cache line is named by where it begins"
perf report --stdio --mem-mode -i memory.data -F dcacheline,overhead
check [ $rc -eq 0 ]
check grep -qE '\] var_a[+-]0x[0-9a-f]{1,3} ' out
check grep -qE '\] 0x00007fff12340000 ' out

step "the keys of branches"
for key in dso_from dso_to sym dso cpu,sym sym,comm mispredict abort in_tx cycles srcline_from srcline_to \
	addr_from addr_to; do
	same branches.data -s $key
	same branches.data -F $key
done
for key in symbol_from symbol_to; do
	same branches.data -F $key
	same branches.data -F overhead,$key
done
same branches.data
same branches.data -b -n --show-total-period
same branches.data --no-branch-stack -g none

step "pairs of keys"
for keys in sym,socket comm,sym cpu,sym,local_weight addr,sym time,comm cgroup,sym,transaction pid,weight \
	weight,ins_lat,comm socket,time dso,code_page_size transaction,cgroup sym,cpu,comm ins_lat,cgroup; do
	same memory.data -s $keys
	same memory.data -F $keys
done
for keys in mem,snoop tlb,locked dso_daddr,mem local_weight,mem blocked,sym snoop,data_page_size; do
	same memory.data --mem-mode -s $keys
	same memory.data --mem-mode -F $keys
done
# Flags beside other keys are no order to 6.1, which then has one entry several times.
for keys in dso_from,cycles comm,cycles srcline_from,cycles cpu,addr_to comm,addr_from; do
	same branches.data -s $keys
	same branches.data -F $keys
done

step "figures as fields and as keys"
one="-g none --no-group --no-children"
for fields in overhead overhead_sys overhead_us overhead_guest_sys overhead_guest_us overhead_children sample \
	period overhead,comm comm,overhead comm,period sample,comm,overhead_us overhead_us,comm o s; do
	# shellcheck disable=SC2086
	same plain.data $one -s $fields
	# shellcheck disable=SC2086
	same plain.data $one -F $fields
done

step "-F with -s, and what is added with +"
while read -r options; do
	# shellcheck disable=SC2086
	same plain.data $one $options
done << 'END'
-s comm,dso -F period
-s comm,dso -F period,comm
-s comm -F +period
-F +comm
-F +sample,comm
-s +cpu
-s +comm
-s overhead,comm -F comm
-s overhead_us -F comm,overhead
-s comm,period -F dso,sample -n
-n --show-total-period -s comm,sample
-n --show-total-period -F comm,sample
-F overhead_children,sym,overhead
-F sample,comm,overhead_us -t,
-s socket,comm -t,
--show-cpu-utilization
END

step "the same with children"
while read -r options; do
	# shellcheck disable=SC2086
	same plain.data --no-group -g none $options
done << 'END'
-F +comm
-F overhead,sym
-F sym
-s sym -F sample
-F overhead_children,sym
-s comm,overhead,sym
-s sample,sym
-s overhead_children,overhead
--show-cpu-utilization -n --show-total-period
END

step "parents"
while read -r options; do
	# shellcheck disable=SC2086
	same plain.data $one $options
done << 'END'
-s parent
-s parent -p fn_2
-p fn_2
-p fn_2 -x
-s parent -x -p fn_3
-s parent,sym -p ^fn_[23]
-s sym,parent -p fn_2 --children
-x
-s sym -x -p fn_4
END
same plain.data --no-group --no-children -s parent -p fn_2

step "sockets, and steps of time"
while read -r options; do
	# shellcheck disable=SC2086
	same plain.data $one $options
done << 'END'
-s socket,comm,dso --socket-filter 1
--socket-filter 7
--ns -s time
-s time --time-quantum 10ms
-s time --time-quantum 1s
END

step "--socket-filter: what the file lacks, and what there is"
perf record -q -e task-clock:u -c 1000000 -o nocpu.data "$WORKLOADS/bursts" 20 5 3
perf report --stdio -i nocpu.data --socket-filter 0
check [ $rc -eq 255 ]
check grep -q "'--socket-filter': the samples of this file have no CPU" err
check grep -q -e '--sample-cpu' err
perf report --stdio -i plain.data --socket-filter 7
check grep -q "no sample ran on socket 7; the file's CPUs are on 0, 1" err
perf report --stdio -i plain.data --socket-filter 1
check [ $rc -eq 0 ]
refute grep -q socket err

step "a --time that makes no sense: 234, as the manual says"
for times in abc 1,2,3 9,1; do
	perf report --stdio -i plain.data --time $times
	check [ $rc -eq 234 ]
	"$REF" report --stdio -i plain.data --time $times < /dev/null > ref 2>&1
	check [ $? -eq 234 ]
done
check grep -q '^234::' "$TESTS/../Documentation/perf-report.txt"

step "-w: columns of given widths, texts cut"
for options in '-w 8,4,6' '-w 0,4' '-w 9,10,5,8' '-w 20,20,20,30' '-w 0,0,4,6' '-w 12 -s cpu,weight' \
	'-g none --children -w 9,9,4' '-F overhead,sample,comm,sym -w 10,20,3,7'; do
	# shellcheck disable=SC2086
	same memory.data $options
done
# Addresses are numbers: not cut. Without the object of the code nothing has a name.
mkdir nowhere
for options in '-s sym,dso -w 0,9,4' '-s dso,sym -w 9,3,7'; do
	# shellcheck disable=SC2086
	same memory.data $options --no-children -g none --symfs nowhere
	check grep -qE '\[\.\] 0x[0-9a-f]{16}' ours
done
perf report --stdio --mem-mode -i memory.data -F symbol_daddr,overhead -w 5
check grep -qE '\] 0x00007fff1234[0-9a-f]{4} ' out
# So are pids: where they have no room the column is not cut at all, as that of Linux's perf.
for options in '-s pid -w 9,3' '-s pid -w 0,7' '-s pid -w 9,8' '-s pid,comm -w 0,10,2' '-s pid -w 9,30'; do
	# shellcheck disable=SC2086
	same memory.data $options --no-children -g none
	check grep -qE '^ +[0-9.]+% +[0-9]+:' ours
done
perf report --stdio -i memory.data -w 0,3 -t ,
refute grep -q ',fir,' out
for widths in 5,x -1; do
	perf report --stdio -i memory.data -w "$widths"
	check [ $rc -eq 129 ]
	check grep -q "not a number" err
done

step "any number of workers prints the same"
for options in "--mem-mode" "-s addr,sym" "-s time,cgroup,weight"; do
	# shellcheck disable=SC2086
	PERF_WORKERS=1 perf report --stdio -i memory.data $options
	mv out one
	check [ -s one ]
	for workers in 2 7; do
		# shellcheck disable=SC2086
		PERF_WORKERS=$workers perf report --stdio -i memory.data $options
		check cmp one out
	done
done

step "the third weight has two names: of powerpc, and of x86"
for key in p_stage_cyc local_p_stage_cyc; do
	for name in $key "${key/p_stage_cyc/retire_lat}"; do
		perf report --stdio -i memory.data -s $name,sym -n -t '|'
		check [ $rc -eq 0 ]
		grep -v '^#' out | tr -d ' ' > rows.$name
	done
	check [ "$(grep -c '|' rows.$key)" -gt 9 ]
	check diff rows.$key "rows.${key/p_stage_cyc/retire_lat}"
done
check grep -q 'Local Retire Latency' out

step "-s help lists all keys and figures"
perf report -s help
check [ $rc -eq 0 ]
for key in comm symbol_size weight3 dcacheline mispredict overhead_guest_us period; do
	check grep -qE "^ +$key +[^ ]" out
done

step "keys that the file or the rows do not have"
perf report --stdio -i plain.data -s weight
check [ $rc -ne 0 ]
check grep -q 'record with -W' err
perf report --stdio -i plain.data -s mispredict
check [ $rc -ne 0 ]
check grep -q 'with -b' err
perf report --stdio -i memory.data -s mem
check [ $rc -ne 0 ]
check grep -q -e '--mem-mode' err
perf report --stdio -i plain.data -b
check [ $rc -ne 0 ]
check grep -q 'no branches' err
perf report --stdio -i memory.data -s parent
check [ $rc -ne 0 ]
check grep -q 'record with -g' err

step "keys that this perf refuses by name"
for key in type typeoff symoff simd; do
	perf report --stdio -i plain.data -s $key
	check [ $rc -eq 129 ]
	check grep -q "no sort key '$key'" err
done
perf report --stdio -i plain.data -s weigth
check grep -q "did you mean 'weight'" err

step "mistakes in their options"
perf report --stdio -i plain.data -p '('
check [ $rc -eq 129 ]
check grep -q 'regular expression' err
for span in 0 x 10 -1ms; do
	perf report --stdio -i plain.data -s time --time-quantum=$span
	check [ $rc -eq 129 ]
done
perf report --stdio -i plain.data -F nonsense
check [ $rc -eq 129 ]
check grep -q -e '-F, --fields' err
refute grep -q 'did you mean' err
perf report --stdio -i plain.data -F overhed,comm
check grep -q "did you mean 'overhead'" err

step "a name with control characters does not reach the terminal"
perf report --stdio -i plain.data -p "$(printf 'a\033[31m(')"
check [ $rc -eq 129 ]
refute grep -q "$(printf '\033')" err
finish
