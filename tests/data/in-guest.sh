#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Run in a guest by make.sh: makes the recordings of this folder, and has Linux's perf of the guest
# say what is in them. Symbols are left out: the objects do not come along.
# guest: linux=1 programs=fixed
. "$(dirname "$0")/../lib.sh"
echo 0 > /proc/sys/kernel/randomize_va_space

# sample NAME FIELDS RECORD-ARGS...: /out/NAME.data, and its lines of script in /out/NAME.txt
sample() {
	name=$1 fields=$2
	shift 2
	step "$name.data"
	$recorder record -o "/out/$name.data" "$@"
	[ $recorder = perf ] || mv lerr err
	check grep -q 'Captured and wrote' err
	linux script -i "/out/$name.data" --symfs /mnt -F "$fields"
	mv lerr err
	check [ "$lrc" -eq 0 ]
	{
		echo "$fields"
		cat lout
	} > "/out/$name.txt"
	check [ -s lout ]
}

chains=comm,time,event,period,ip
case $(uname -m) in
aarch64)
	recorder=linux
	sample arm64 $chains -g -e '{cycles,instructions}:Su' -c 4000000 ./fixed 500
	sample arm64-dwarf comm,time,event,uregs --call-graph dwarf,256 -e cycles:u -c 20000000 ./fixed 1000
	;;
riscv64)
	recorder=perf # Linux's perf 6.1 reads nothing of 6.12's, which prints chains in another way
	sample riscv64 comm,time,event,period -g -e cycles:u -e instructions:u -c 8000000 ./fixed 500
	recorder=linux
	sample riscv64-6.12 comm,time,event,period,addr,ip -d -e dTLB-load-misses -c 200 ./fixed 1
	;;
x86_64)
	recorder=linux
	sample amd64 $chains -g -e cpu-clock -c 4000000 ./fixed 2000
	sample amd64-trace comm,tid,cpu,time,event,trace -e sched:sched_process_exec \
		-e sched:sched_process_exit -e syscalls:sys_enter_newuname --namespaces unshare -u uname
	;;
esac
finish
