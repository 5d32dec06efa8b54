#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine without counters, as most virtual ones, with Debian's kernel: fall-backs, refusals,
# kernel tracepoints, modules, processors that go away, a full disk.
# guest: linux=1 smp=2 modules=dummy
. "$(dirname "$0")/../lib.sh"

step "no counters: what cannot be counted says so, record falls back to the clock"
perf stat -x, -e cycles,task-clock true
check [ "$(count err cycles)" = "<not supported>" ]
check [ $rc -eq 0 ]
perf record -o a.data dd if=/dev/zero of=/dev/null bs=1 count=200000
check [ $rc -eq 0 ]
perf evlist -i a.data
check grep -q '^cpu-clock' out

step "perf_event_paranoid 3: the refusal has its cause and its way out"
check [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 3 ]
chmod 755 /perf /w
timeout 60 su -s /bin/sh nobody -c '/perf/perf stat -e task-clock true' > out 2> err
check [ $? -ne 0 ]
check grep -q 'perf_event_paranoid' err
timeout 60 su -s /bin/sh nobody -c 'cd /tmp && /perf/perf record -o /tmp/n.data true' > out 2> err
check [ $? -ne 0 ]
check grep -q 'perf_event_paranoid' err
check [ ! -e /tmp/n.data ]

step "BPF filters of samples: this kernel is too old for them, and that is said"
perf record -e cpu-clock --filter 'cpu == 0' true
check [ $rc -eq 255 ]
check grep -q 'cannot filter samples: this kernel has no bpf_cast_to_kern_ctx()' err
check grep -q 'BPF filters need Linux 6.3' err
perf record --setup-filter pin
check [ $rc -eq 255 ]

step "tracepoints of this kernel"
perf stat -x, -e syscalls:sys_enter_write dd if=/dev/zero of=/dev/null bs=1 count=1000
check [ "$(count err syscalls:sys_enter_write)" -ge 1000 ]
linux stat -x, -e syscalls:sys_enter_write dd if=/dev/zero of=/dev/null bs=1 count=1000
check [ "$(count err syscalls:sys_enter_write)" -eq "$(count lerr syscalls:sys_enter_write)" ]
perf record -e sched:sched_process_exec,sched:sched_process_exit -o t.data sh -c 'true; ls > /dev/null'
check [ $rc -eq 0 ]
perf script -i t.data
mv out ours
linux script -i t.data
mv lout theirs
same ours theirs
check grep -q 'sched:sched_process_exec: ' ours

step "a module that is loaded while it is recorded has its symbols"
insmod /rig/dummy.ko 2> insmod.log
check grep -q '^dummy ' /proc/modules
perf record -a -c 1 -e module:module_load -o m.data sh -c 'rmmod dummy; insmod /rig/dummy.ko'
check [ $rc -eq 0 ]
perf script -i m.data
check grep -q 'module:module_load: dummy' out
perf record -o m.data -e cpu-clock true
perf script -i m.data --show-mmap-events
check grep -Eq 'MMAP.*(\[dummy\]|dummy\.ko)' out

step "records of namespaces"
perf record --namespaces -o n.data -e task-clock unshare -u true
perf script -i n.data --show-namespace-events
check grep -q 'PERF_RECORD_NAMESPACES' out

step "a processor that goes away while it is recorded"
(sleep 0.5 && echo 0 > /sys/devices/system/cpu/cpu1/online) &
perf record -a -e cpu-clock -F 100 -o c.data sleep 2
check [ $rc -eq 0 ]
check [ "$(cat /sys/devices/system/cpu/cpu1/online)" -eq 0 ]
perf report -i c.data --stdio
check [ $rc -eq 0 ]
perf stat -a -x, -e context-switches sleep 0.1
check [ $rc -eq 0 ]
perf record -C 1 -o c1.data -e cpu-clock true
check [ $rc -ne 0 ]
check grep -q 'offline\|not online' err
echo 1 > /sys/devices/system/cpu/cpu1/online

step "a full disk: it is said, and what fitted can be read"
mkdir -p /mnt/small
mount -t tmpfs -o size=256k small /mnt/small
perf record -e syscalls:sys_enter_write -o /mnt/small/full.data dd if=/dev/zero of=/dev/null bs=1 count=20000
check [ $rc -ne 0 ]
check grep -qi 'no space' err
perf report -i /mnt/small/full.data --stdio
check grep -q '^ *[0-9.]*% .*fd: 0x0*1, .*count: 0x0*1' out
finish
