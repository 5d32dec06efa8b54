#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the host of most tests lacks: kprobes written into tracefs by hand, counted and sampled; and
# programs of BPF that are loaded while this kernel is recorded.
# guest: linux=1 programs=bpfload
. "$(dirname "$0")/../lib.sh"
tracing=/sys/kernel/tracing

# lines ARGS...: both perfs' script of x.data, equal
lines() {
	perf script -i x.data "$@"
	check [ $rc -eq 0 ]
	mv out ours
	linux script -i x.data "$@"
	mv lout theirs
	check [ -s ours ]
	same ours theirs
}

echo 'p:mine/opened do_sys_openat2 dfd=%di:s32 file=+0(%si):ustring' > $tracing/kprobe_events
echo 'r:mine/back do_sys_openat2 ret=$retval:s32' >> $tracing/kprobe_events

step "a kprobe and a kretprobe are listed and counted"
perf list 'mine:*'
check grep -q 'mine:opened' out
check grep -q 'mine:back' out
perf stat -x, -e mine:opened,mine:back cat /etc/passwd
check [ "$(count err mine:opened)" -gt 0 ]
check [ "$(count err mine:opened)" -eq "$(count err mine:back)" ]
linux stat -x, -e mine:opened,mine:back cat /etc/passwd
check [ "$(count lerr mine:opened)" -eq "$(count err mine:opened)" ]

step "they are sampled, with their arguments"
perf record -e mine:opened,mine:back -o x.data cat /etc/passwd
check [ $rc -eq 0 ]
lines
check grep -q 'mine:opened: (ffffffff[0-9a-f]*) dfd=-100 file="/etc/passwd"' ours
check grep -q 'mine:back: (ffffffff[0-9a-f]* <- ffffffff[0-9a-f]*) ret=3' ours
perf report -i x.data --stdio -n
check grep -q 'mine:opened' out

step "with chains of the kernel"
perf record -g -e mine:opened -o x.data cat /etc/passwd
lines -F comm,event,ip,sym
check grep -q do_sys_openat2 ours
check grep -q 'x64_sys_openat' ours

step "a filter on an argument"
perf record -e mine:opened --filter 'dfd == 7' -o x.data cat /etc/passwd
perf script -i x.data
check [ ! -s out ]
echo > $tracing/kprobe_events

step "the calls of one function of the kernel (ftrace:function)"
perf record -e ftrace:function --filter 'ip == vfs_open' -o x.data cat /etc/passwd
check [ $rc -eq 0 ]
perf script -i x.data
check grep -q 'ftrace:function:.*vfs_open' out
refute grep -v vfs_open out
perf record -e ftrace:function --filter 'nosuch == vfs_open' -o x.data cat /etc/passwd
check [ $rc -eq 255 ]
check grep -q 'cannot use the filter' err

step "programs of BPF: KSYMBOL and BPF_EVENT, when they come and when they go"
perf record -a -e cpu-clock -F 100 -o x.data timeout 2 ./bpfload
perf report -i x.data -D
sed -n '/PERF_RECORD_\(KSYMBOL\|BPF_EVENT\)/s/^[^:]*: //p' out > ours
linux report -i x.data -D
sed -n '/PERF_RECORD_\(KSYMBOL\|BPF_EVENT\)/s/^[^:]*: //p' lout > theirs
same ours theirs
check [ "$(grep -c 'KSYMBOL.*flags 0x0 name bpf_prog_.*_planted' ours)" -eq 1 ]
check [ "$(grep -c 'KSYMBOL.*flags 0x1 name bpf_prog_.*_planted' ours)" -eq 1 ]
check [ "$(grep -c 'BPF_EVENT type 1' ours)" -eq 1 ]
check [ "$(grep -c 'BPF_EVENT type 2' ours)" -eq 1 ]
finish
