#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# record --filter of samples (BPF) on hardware counters, and on another architecture than most: its
# kernel comes with the JIT for BPF off.
# guest: programs=known,planted
. "$(dirname "$0")/../lib.sh"
kept() { sed -n 's/.*Captured and wrote.*(\([0-9]*\) samples).*/\1/p' err; }
dropped() { sed -n 's/^\[ perf record: \([0-9]*\) samples of .* did not pass its filter \]$/\1/p' err; }

step "the JIT is off: the reason and the way out, in record and doctor"
echo 0 > /proc/sys/net/core/bpf_jit_enable
perf record -e cpu-clock --filter 'cpu == 0' true
check [ $rc -eq 255 ]
check grep -q "compiler for BPF is off (net.core.bpf_jit_enable is 0)" err
check grep -q 'sysctl net.core.bpf_jit_enable=1' err
perf doctor sample-filters
check grep -q '^sample-filters: absent' out
check grep -q 'fix *sysctl net.core.bpf_jit_enable=1' out
echo 1 > /proc/sys/net/core/bpf_jit_enable
perf doctor sample-filters
check grep -q '^sample-filters: works' out

step "page faults at known addresses, of a program and its child"
perf record -e page-faults:u -c 1 --filter 'addr >= 0x1000000000, addr < 0x1001000000' -o x.data ./known touch 100
check [ "$(kept)" = 100 ]
check [ "$(dropped)" -ge 100 ]
perf record -e page-faults:u -c 1 --filter 'addr >= 0x1010000000, addr < 0x1011000000' -o x.data ./known touch 100
check [ "$(kept)" = 100 ]

step "cycles: none passes, and all of them are counted; all pass"
perf record -e cycles:u -c 100000 --filter 'ip < 0x1000' -o x.data ./planted 0.2
check [ $rc -eq 0 ]
check [ -z "$(kept)" ]
check [ "$(dropped)" -gt 20 ]
perf record -e cycles:u -c 100000 --filter 'ip >= 0x1000, period == 100000, cpu == 0' -o x.data ./planted 0.2
check [ "$(dropped)" = 0 ]
check [ "$(kept)" -gt 20 ]
finish
