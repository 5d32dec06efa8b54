#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of perf top, each by what it does, beside what is seen without it.
. "$(dirname "$0")/../lib.sh"
plan 17
need_events || finish
. "$TESTS/top.sh"

step "-K, -U, -E, -f, -n: what is left out, how many rows, how many samples"
top_until 'printed 2' -e cpu-clock -d 1 -K
check [ "$(last | grep -c '\[k\]')" -eq 0 ]
check [ "$(last | grep -c '\[\.\]')" -gt 0 ]
if [ "$(id -u)" -eq 0 ]; then
	top_until 'printed 2' -e cpu-clock -d 1 -U
	check [ "$(last | grep -c '\[\.\]')" -eq 0 ]
	check [ "$(last | grep -c '\[k\]')" -gt 0 ]
fi
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy -E 2 -n
check [ "$(last | wc -l)" -eq 2 ]
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy -n -f 1000000
check [ "$(last | wc -l)" -eq 0 ]

step "options of report mean what they mean there"
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --fields overhead,sym --show-total-period --symbols planted_hot,planted_warm
check [ "$(last | awk '{ print $NF }' | tr '\n' ' ')" = 'planted_hot planted_warm ' ]
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --symbols planted_hot --percentage relative
check eval 'last | grep -q 100.00%'
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --comms nosuch
check [ "$(last | wc -l)" -eq 0 ]
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --hierarchy -s dso,sym
check eval 'last | grep -qE "^ +[0-9.]+% +planted *$"'
check eval 'last | grep -qE "^ +[0-9.]+% +\[\.\] planted_hot$"'
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy -w 4,6 --dsos planted --percent-limit 40
check [ "$(last | awk '{ print $NF }')" = planted_hot ]

step "--switch-on, --switch-off: only what comes between samples of two events"
top_until 'printed 2' -e cpu-clock:u,task-clock:u -d 1 -p $busy --switch-on task-clock:u --switch-off cpu-clock:u -ns sym
check [ "$(last | grep -c planted_hot)" -le 1 ]
perf top -e cpu-clock:u -d 1 -p $busy --switch-on nosuch
check [ $rc -ne 0 ]
check grep -q "switch-on event not found.*nosuch" err

step "call graphs: by frame pointers, and of stacks that the recorder unwinds"
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy -g --no-children
check eval "last | sed -n '/%.*planted_hot/,\$p' | tr -d ' |-' | tr '\n' ' ' | grep -q 'planted_hot planted_middle planted_outer main'"
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --call-graph caller,1
check grep -qE '^ +[0-9.]+% +0.00%  planted .*main$' out
if need_library libunwind; then
	top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --call-graph dwarf,4096,callee,1 --no-children
	check eval "last | sed -n '/planted_hot/,\$p' | tr -d ' |-' | tr '\n' ' ' | grep -q 'planted_middle planted_outer main'"
fi

step "--sym-annotate: the code of a function below the rows"
if need_library capstone; then
	top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --sym-annotate planted_hot
	check grep -q 'Disassembly of planted_hot\|Disassembly of section\|planted_hot()' out
	check [ "$(last | grep -cE '^ +[0-9]+\.[0-9]+ ')" -gt 0 ]
fi

step "--max-stack, --ignore-callees: less of each chain"
of_busy -g --no-children --max-stack 2 -E 1
check eval 'last | grep -q planted_middle'
refute eval 'last | grep -q planted_outer'
of_busy -g --no-children -E 1
check eval 'last | grep -q planted_outer'
of_busy -g --no-children --ignore-callees planted_middle --fields overhead,sym
check eval 'last | grep -qE "^ +[0-9.]+%  \[\.\] planted_middle"'
# It has half of the samples; in its first instructions its caller is not in the chain.
refute eval 'last | awk '"'"'$NF == "planted_hot" && $1 + 0 > 20 { found = 1 } END { exit !found }'"'"

step "-i: no children"
sh -c 'while :; do "$0" 0.1; done' "$WORKLOADS/planted" > forks.log &
forks=$!
CHILDREN="$CHILDREN $forks"
top_until 'last_has planted' -e cpu-clock:u -d 1 -s comm -p $forks
top_until 'printed 3' -e cpu-clock:u -c 200000 -d 1 -i -s comm -p $forks
refute eval 'last | grep -qw planted'
kill $forks

step "-r: the recorder's priority"
if need_root; then
	for priority in 0 7; do
		[ $priority -eq 0 ] && background -e cpu-clock:u -d 1 -p $busy ||
			background -e cpu-clock:u -d 1 -r $priority -p $busy
		check [ "$(sed 's/.*) //' "/proc/$recorder/stat" | cut -d ' ' -f 38)" -eq $priority ]
		kill -INT -- -$child
		wait $child
	done
fi

step "-D: at the end the objects and functions that were seen"
of_busy -D
check grep -q '^dso: planted$' err
check grep -q "^ *$(nm "$WORKLOADS/planted" | sed -n 's/^0*\(.*\) [tT] planted_hot$/\1/p') planted_hot\$" err
of_busy
check [ ! -s err ]

step "-j is refused as -b is"
perf top -j any
check [ $rc -eq 255 ]
check grep -q 'cannot record branch stacks' err

step "--namespaces, --all-cgroups: what tells them is recorded"
inode=$(stat -L -c %i "/proc/$busy/ns/cgroup")
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --namespaces -s cgroup_id
check eval "last | grep -qiE '/0x0*$(printf %x "$inode")\$'"
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy -s cgroup_id
refute eval "last | grep -qi '$(printf %x "$inode")'"
path=$(sed -n 's/^0:://p' "/proc/$busy/cgroup")
top_until 'printed 2' -e cpu-clock:u -d 1 -p $busy --all-cgroups -s cgroup
if [ -n "$path" ] && awk '$1 == "perf_event" { exit $2 != 0 }' /proc/cgroups; then
	check [ "$(last | awk '{ print $2 }')" = "$path" ]
else
	check eval 'last | grep -q "% */"'
fi
perf top -e cpu-clock:u -d 1 -p $busy -s cgroup
check [ $rc -ne 0 ]
check grep -q "no sample has it" err

step "-G: only tasks of a cgroup"
group=test-perf-top-$$
if need_cgroup $group; then
	"$WORKLOADS/planted" 600 9 > other.log &
	other=$!
	CHILDREN="$CHILDREN $other"
	echo $other > "$cgroups/$group/cgroup.procs"
	top_until 'printed 2' -e cpu-clock:u -d 1 -a -s pid
	check [ "$(last | grep -cE " ($busy|$other):planted")" -eq 2 ]
	top_until 'printed 2' -e cpu-clock:u -d 1 -a -G $group -s pid
	check [ "$(last | awk '{ print $2 }')" = "$other:planted" ]
	{ kill -KILL $other && wait $other; } 2> /dev/null
	rmdir "$cgroups/$group"
fi

step "--filter, --raw-trace: of tracepoints"
if need_tracefs; then
	top_until 'printed 2' -e sched:sched_switch --filter "prev_pid == $busy" -d 1 -s prev_pid,prev_comm
	check [ "$(last | awk '{ print $2, $3 }')" = "$busy planted" ]
	top_until 'printed 2' -e sched:sched_switch --filter "prev_pid == $busy" -d 1 -E 3
	check eval "last | grep -q 'prev_comm=planted .* ==> next_comm='"
	top_until 'printed 2' -e sched:sched_switch --filter "prev_pid == $busy" -d 1 -E 3 --raw-trace
	check eval "last | grep -q 'prev_comm=planted prev_pid=$busy .*next_prio='"
	refute eval 'last | grep -q ==>'
fi

CC=${CC:-cc}
if command -v "$CC" > /dev/null; then
	cat > work.c <<-'C'
		#include <string.h>
		#include <sys/mman.h>
		#include <unistd.h>
		volatile unsigned long sink;
		void __attribute__((noinline)) spin(void)
		{
			for (int i = 0; i < 3000000; i++)
				sink += i; /* the line that is hot */
		}
		void __attribute__((noinline)) touch(void)
		{
			char *p = mmap(NULL, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			for (int i = 0; i < 64; i++)
				p[i << 12] = 1;
			munmap(p, 1 << 18);
		}
		int main(void) { for (;; usleep(20000)) { spin(); touch(); } }
	C
	check "$CC" -O1 -g -fno-omit-frame-pointer -o work work.c
	mkdir -p "symfs$PWD"
	cp work "symfs$PWD/bare"
	strip -o bare work
	./work &
	work=$!
	CHILDREN="$CHILDREN $work"
fi

step "--group-sort-idx: the event of a group that sorts"
if [ -n "${work:-}" ]; then
	for index in 0 1; do
		top_until 'printed 2' -e '{cpu-clock/period=500000/u,page-faults/period=10/u}' -d 1 -p $work -s sym --group-sort-idx $index
		[ $index -eq 0 ] && want='spin' || want='touch'
		check [ "$(last | awk 'NR == 1 { print $NF }')" = $want ]
	done
else
	skip "$CC is not installed"
fi

step "--symfs: where programs are looked for"
if [ -n "${work:-}" ]; then
	./bare &
	bare=$!
	CHILDREN="$CHILDREN $bare"
	top_until 'printed 2' -e cpu-clock:u -d 1 -p $bare -s sym
	refute eval 'last | grep -q spin'
	top_until 'printed 2' -e cpu-clock:u -d 1 -p $bare -s sym --symfs "$PWD/symfs"
	check eval 'last | grep -q spin'
	{ kill $bare && wait $bare; } 2> /dev/null
else
	skip "$CC is not installed"
fi

step "--objdump, --asm-raw, --no-source: the code below the rows"
if [ -z "${work:-}" ]; then
	skip "$CC is not installed"
elif need_library capstone && need_library libdw; then
	code() { top_until 'printed 2' -e cpu-clock:u -d 1 -p $work --sym-annotate spin "$@"; }
	bytes='[[:blank:]]+[0-9a-f]{2} [0-9a-f]{2} '
	code
	check grep -q 'the line that is hot' out
	refute grep -qE ":$bytes" out
	code --no-source
	refute grep -q 'the line that is hot' out
	code --no-source --asm-raw
	check grep -qE ":$bytes" out
	if command -v objdump > /dev/null; then
		printf '#!/bin/sh\necho "$@" >> %s\nexec objdump "$@"\n' "$PWD/asked" > disassembler
		chmod +x disassembler
		code --objdump "$PWD/disassembler"
		check grep -q -- --start-address asked
		check eval 'last | grep -qE "^ +[0-9]+\.[0-9]+ "'
	fi
fi

step "-k: the kernel's names from an image"
id=$(od -An -v -tx1 /sys/kernel/notes 2> /dev/null | tr -d ' \n' | grep -oE '040000001400000003000000474e5500[0-9a-f]{40}' | tail -c 41)
place() { awk -v name="$1" '$3 == name { print "0x" $1; exit }' /proc/kallsyms; }
if [ "$(uname -m)" != x86_64 ] || [ -z "${work:-}" ] || [ -z "$id" ] || ! [ $(($(place _etext))) -ne 0 ]; then
	skip "no $CC, or this kernel does not say where it is"
elif need_root; then
	echo "void _text(void) { } void made_up(void) { __asm__ volatile(\".skip $(($(place _etext) - $(place _text) - 64)), 0x90\"); }" > image.c
	check "$CC" -O1 -mcmodel=kernel -fno-pie -no-pie -static -nostdlib -ffreestanding -fno-toplevel-reorder \
		-fcf-protection=none -Wl,-e,_text,--build-id=0x"$id",-Ttext="$(place _text)" -o image image.c
	top_until 'printed 2' -e cpu-clock:k -d 1 -p $work -s sym -k "$PWD/image"
	check [ "$(last | awk '$2 == "[k]" { print $3; exit }')" = made_up ]
	top_until 'printed 2' -e cpu-clock:k -d 1 -p $work -s sym
	refute eval 'last | grep -q made_up'
fi

{ kill $busy $idle ${work:-}; wait $busy $idle ${work:-}; } 2> /dev/null
finish
