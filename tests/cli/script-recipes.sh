#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What courses do with the text of perf script: count it, pair events to latencies, make histograms, compare it
# with what the kernel itself prints; and bytes in it that nobody expects.
. "$(dirname "$0")/../lib.sh"
plan 9

step "as many lines as calls: stat, record and script tell the same number"
if need_tracefs; then
	cat > calls.c << 'END'
#include <fcntl.h>
#include <unistd.h>
int main(void) { int fd = open("/dev/null", O_RDWR); for (int i = 0; i < 4321; i++) if (write(fd, "x", 1) != 1) return 1; return 0; }
END
	check "${CC:-cc}" -O1 -o calls calls.c
	perf stat -x, -e syscalls:sys_enter_write -o counts ./calls
	check [ "$(grep sys_enter_write counts | cut -d, -f1)" -eq 4321 ]
	perf record -q -e syscalls:sys_enter_write -m 1024 -o calls.data ./calls
	perf script -i calls.data
	check [ "$(grep -c '^ *calls .* syscalls:sys_enter_write: fd: ' out)" -eq 4321 ]
	perf script -i calls.data -F comm
	check [ "$(tr -d ' ' < out | sort | uniq -c | tr -s ' ')" = " 4321 calls" ]
fi

# The kernel prints into a buffer of our own, of which nobody else knows.
step "the text of a tracepoint is what the kernel itself prints"
if need_tracefs; then
	own=$(tracefs)/instances/perf-recipes-$$
	if mkdir "$own" 2> /dev/null; then
		for event in sched_process_exec sched_process_exit sched_wakeup_new; do
			echo 1 > "$own/events/sched/$event/enable"
		done
		perf record -q -a -e sched:sched_process_exec -e sched:sched_process_exit -e sched:sched_wakeup_new -o own.data \
			sh -c 'for i in 1 2 3 4 5; do /bin/true; done'
		for event in sched_process_exec sched_process_exit sched_wakeup_new; do
			echo 0 > "$own/events/sched/$event/enable"
		done
		sed -nE 's/^.* (sched_[a-z_]+: .*)$/\1/p' "$own/trace" > kernel
		rmdir "$own"
		perf script -i own.data -G -F event,trace
		sed -E 's/^ *sched:(sched_[a-z_]+:) /\1 /' out > ours
		check [ "$(wc -l < ours)" -ge 12 ]
		# Others begin before perf does, and end after it.
		check [ "$(grep -cxFf kernel ours)" -eq "$(wc -l < ours)" ]
	else
		skip "tracefs makes no instances"
	fi
fi

step "heat map: the time between two events of a thread, paired by awk"
if need_tracefs; then
	perf record -q -e syscalls:sys_enter_nanosleep -e syscalls:sys_exit_nanosleep -e syscalls:sys_enter_clock_nanosleep -e syscalls:sys_exit_clock_nanosleep \
		-o sleeps.data sh -c 'for i in 1 2 3 4 5 6; do sleep 0.02; done'
	perf script -i sleeps.data -F pid,cpu,time,event
	awk '{ gsub(/:/, ",") } $4 ~ /enter/ { ts[$1] = $3 } $4 ~ /exit/ { if (itime = ts[$1]) { printf "%.f %.f\n", $3 * 1000000, ($3 - itime) * 1000000; ts[$1] = 0 } }' out > latencies
	check [ "$(wc -l < latencies)" -eq 6 ]
	check awk '$2 < 20000 || $2 > 10000000 { exit 1 }' latencies
	# The same by the columns of the default lines, where a colon is no part of a name.
	perf script -i sleeps.data
	awk '{ gsub(/:/, "") } $5 ~ /enter/ { ts[$2] = $4 } $5 ~ /exit/ { if (itime = ts[$2]) { printf "%.f %.f\n", $4 * 1000000, ($4 - itime) * 1000000; ts[$2] = 0 } }' out > again
	check cmp latencies again
fi

step "block heat map: requests by device and sector"
if need_tracefs; then
	perf record -q -a -e block:block_rq_issue -e block:block_rq_complete -o block.data \
		dd if=/dev/zero of=written bs=64k count=20 conv=fsync
	perf script -i block.data
	if ! grep -q block_rq_complete out; then
		skip "no request that is issued here is seen to end" # on some virtual machines
	else
		awk '{ gsub(/:/, "") } $5 ~ /issue/ { ts[$6, $10] = $4 } $5 ~ /complete/ { if (itime = ts[$6, $9]) { printf "%.f %.f\n", $4 * 1000000, ($4 - itime) * 1000000; ts[$6, $9] = 0 } }' out > block
		check [ -s block ]
		check awk '$2 < 0 || $2 > 60000000 || NF != 2 { exit 1 }' block
	fi
fi

step "lines of courses: -D | grep, | head, symbols from a file"
perf record -q -g -e cpu-clock -F 999 -o some.data "$WORKLOADS/planted" 0.2
"$PERF" script -D -i some.data 2> err | grep -c PERF_RECORD_SAMPLE > out
check [ "$(cat out)" -eq "$("$PERF" script -G -F comm -i some.data | wc -l)" ]
"$PERF" script -i some.data 2> err | head -n 3 > out
check [ "${PIPESTATUS[0]}" -ne 1 ]
check [ "$(wc -l < out)" -eq 3 ]
check [ ! -s err ]
echo 'ffffffff80000000 T all_of_it' > symbols
perf script --kallsyms=symbols -i some.data
if grep -q '\[kernel' out; then
	refute grep '(\[kernel.kallsyms\])' out | grep -qv 'all_of_it\|unknown'
fi
perf script -i some.data -F comm,pid,tid,cpu,time,event,ip,sym,dso --header
check grep -q '^# cmdline : ' out

step "a text that is as long as the kernel allows comes whole"
if need_tracefs; then
	name=$(printf './%.0s' $(seq 1500))true
	cp /bin/true .
	perf record -q -e sched:sched_process_exec -o long.data "$name"
	perf script -i long.data -F trace
	check grep -qxE " *filename=${name//./\\.} pid=[0-9]+ old_pid=[0-9]+ *" out
	perf script -i long.data --json
	check python3 -c 'import json; assert [json.loads(line) for line in open("out")]'
fi

step "names that are no UTF-8: JSON is, and text is what it was"
odd=$(printf 'od\377\376d\033[31m')
cp "$WORKLOADS/planted" "$odd"
perf record -q -e cpu-clock -F 999 -o odd.data "./$odd" 0.1
perf script --json -i odd.data
check [ $rc -eq 0 ]
check python3 -c '
import json
samples = [json.loads(line) for line in open("out", encoding="utf-8", errors="strict")]
assert len(samples) > 10 and any(s["comm"].startswith("od") for s in samples)
assert "\x1b" not in open("out").read()'
perf script -F comm -i odd.data
refute grep -q "$(printf '\033')" out

step "--per-event-dump never writes over a file of another user"
if need_root; then
	mkdir -m 1777 dumps && cp some.data dumps/a.data # where others may write, too
	event=$("$PERF" evlist -i some.data | head -n 1)
	echo precious > "dumps/a.data.$event.dump"
	chown 65534 "dumps/a.data.$event.dump"
	perf script --per-event-dump -i dumps/a.data
	check [ "$(cat "dumps/a.data.$event.dump")" = precious ]
	check [ $rc -eq 255 ]
	check [ "$(find dumps -type f | wc -l)" -eq 2 ]
fi

step "a full disk is said, by --per-event-dump, too"
if need_root; then
	mkdir full
	if mount -t tmpfs -o size=32k none full 2> /dev/null; then
		perf script -i some.data
		check [ "$(wc -c < out)" -gt 60000 ]
		ln -s "$PWD/some.data" full/a.data
		perf script --per-event-dump -i full/a.data
		check [ $rc -eq 255 ]
		check grep -q 'No space left on device' err
		check [ -z "$(find full -name '*.dump')" ]
		umount full
	else
		skip "no tmpfs can be mounted"
	fi
fi
finish
