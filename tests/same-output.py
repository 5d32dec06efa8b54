#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs hundreds of command lines with two programs, and tells where these do not say the same.

    same-output.py BEFORE_PERF AFTER_PERF [-j N] [--keep DIR] [--list] [FILTER]

BEFORE makes recordings of many kinds, and those of tests/data are added. Each command line runs with
BEFORE, again with BEFORE, and with AFTER: each time with the program as the same path, a HOME with the
same build-id cache, and a cache of symbols made warm alike. What it prints to stdout and stderr, its
exit status and the files that it makes are compared byte by byte. A line that is not the same in both
runs of BEFORE is unsteady and does not count; so is one that should read something and fails, or says
nothing. A line that differs is run once more with both before it is told.

    FILTER      only lines in which this regular expression is found
    -j N        so many lines side by side (default: 2)
    --keep DIR  the recordings stay in DIR, and those that are there are not made again
    --list      print the command lines, run none
    TREE        (environment) the tree that data and workloads come from (default: that of this file)

Exit status: 0 all is the same, 1 something differs, or fewer than 200 lines are steady (without FILTER),
2 nothing could be compared.
"""

import argparse
import concurrent.futures
import difflib
import fcntl
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.abspath(os.environ.get("TREE", os.path.dirname(HERE)))
LEAST = 200  # steady lines
LIMIT = 120  # seconds for one
DIFFS = 15  # shown in full
ROWS, COLUMNS = 14, 200  # of a diff

# ---- programs and recordings ----

SOURCES = {
    "inlined.c": """
#include <time.h>
#define INLINED static inline __attribute__((always_inline))
volatile unsigned long sink;
INLINED void low(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
INLINED void mid(unsigned long n) { low(n); sink ^= n; low(n / 2); }
void __attribute__((noinline)) tick(void) { sink++; }
void __attribute__((noinline)) work(unsigned long n) { mid(n); tick(); }
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 5)
		work(20000);
	return 0;
}
""",
    "names.cc": """
#include <algorithm>
#include <ctime>
#include <map>
#include <string>
volatile unsigned long sink;
extern "C" __attribute__((noinline)) void rust_v0() __asm__("_RNvNtCs1234_7mycrate3foo3bar");
extern "C" __attribute__((noinline)) void rust_old() __asm__("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE");
extern "C" __attribute__((noinline)) void broken() __asm__("_ZN9notclosed");
extern "C" __attribute__((noinline)) void bits() __asm__("odd.name$part.0");
void rust_v0() { for (int i = 0; i < 9999; i++) sink += i; }
void rust_old() { for (int i = 0; i < 9999; i++) sink ^= i; }
void broken() { for (int i = 0; i < 9999; i++) sink -= i; }
void bits() { for (int i = 0; i < 9999; i++) sink *= i; }
namespace space {
template <class K, class V> struct box {
	std::map<K, V> all;
	__attribute__((noinline)) void put(K key, V value) { all[key] = value; sink += all.size(); }
	__attribute__((noinline)) bool operator<(const box &other) const { return all.size() < other.all.size(); }
};
}
int main()
{
	space::box<std::string, std::map<int, long>> one;
	space::box<int, double> two;
	auto each = [&](int i) { two.put(i % 300, i); one.put(std::to_string(i % 40), {{i, i}}); };
	while (clock() < CLOCKS_PER_SEC / 5) {
		rust_v0(), rust_old(), broken(), bits();
		for (int i = 0; i < 400; i++)
			each(i);
		sink += two < two;
	}
}
""",
    "touch.c": """
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
	for (int i = 0; i < 200; i++) {
		char *at = mmap(0, 1 << 20, PROT_READ | PROT_WRITE | (i % 4 ? 0 : PROT_EXEC), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(at, i, 1 << 20);
		if (i % 3)
			munmap(at, 1 << 20);
	}
	return 0;
}
""",
}
COMPILE = {
    "inlined": "gcc -g -O2 -fno-omit-frame-pointer -o inlined inlined.c",
    "names": "g++ -O1 -fno-omit-frame-pointer -o names names.cc",
    "touch": "gcc -O1 -fno-omit-frame-pointer -o touch touch.c",
}

# NAME: shell command, run in the folder of recordings. $W: programs. R: perf record -q -e cpu-clock
RECORDINGS = {
    "plain": "R -F 2000 -o plain $W/planted 0.2",
    "fp": "R -F 1500 -g -o fp sh -c '$W/planted 0.15; ls -lR /etc > /dev/null; $W/stacks deep 0.05; $W/stacks mixed 0.05'",
    "system": "R -a -g -F 500 -o system sh -c '$W/planted 0.1 & $W/lives 3; wait'",
    "dwarf": "R -F 200 --call-graph dwarf,4096 -o dwarf sh -c '$W/planted 0.1; $W/stacks tree 0.1; $W/stacks libc 0.1'",
    "auto": "R -F 300 --call-graph auto -o auto $W/stacks mixed 0.2",
    "live": "R -F 300 --call-graph dwarf --unwind-live -o live $W/stacks mixed 0.2",
    "lost-fp": "R -F 900 -g -o lost-fp sh -c 'for k in lost data hole wild leaf jit thread; do $W/stacks $k 0.03; done'",
    "inlined": "R -F 500 -g -o inlined $W/inlined",
    "inlined-dwarf": "R -F 300 --call-graph dwarf,2048 -o inlined-dwarf $W/inlined",
    "names": "R -F 1000 -g -o names $W/names",
    "events": "perf record -q -e cpu-clock,task-clock,page-faults,context-switches -F 500 -g -o events $W/lives 4",
    "leader": "perf record -q -e '{task-clock,page-faults,context-switches}:S' -F 500 -o leader $W/touch",
    "group": "perf record -q --group -e task-clock,page-faults -F 500 -g -o group sh -c '$W/touch; $W/planted 0.1'",
    "trace": "perf record -q -a -e sched:sched_switch,sched:sched_wakeup,sched:sched_process_fork -o trace $W/known forks 9",
    "trace-chain": "perf record -q -g -e sched:sched_switch,cpu-clock,syscalls:sys_enter_getppid -o trace-chain sh -c '$W/known getppid 20; sleep 0.02; sleep 0.02'",
    "sleeps": "perf record -q -a -e sched:sched_switch,sched:sched_stat_runtime -o sleeps sh -c 'sleep 0.02; sleep 0.02'",
    "switches": "R -a --switch-events --namespaces -F 300 -o switches sh -c '$W/lives 3; sleep 0.02'",
    "cgroups": "R -a --all-cgroups -F 500 -o cgroups $W/planted 0.1",
    "per-thread": "R --per-thread -T -F 1000 -o per-thread $W/planted 0.1",
    "pid": "$W/planted 0.6 > pid.out & R -p $! -g -F 500 -o pid sleep 0.1",
    "maps": "R -d --data-mmap -F 3000 -o maps sh -c '$W/touch; ls /etc > /dev/null'",
    "forks": "R -F 2000 -o forks sh -c '$W/known forks 40; $W/known threads 20; $W/known exec 4; $W/lives 4'",
    "comms": "R -F 1000 -o comms sh -c '\"$W/größe 日本\" 0.05; \"$W/a;b,c \\\"d\" 0.05; \"$W/$(printf \"tab\\there\\033[1m\")\" 0.05; \"$W/ (x) \" 0.05'",
    "zstd": "R -z -g -F 1500 -o zstd $W/planted 0.2",
    "threads": "R -a --threads -F 500 -o threads sh -c '$W/planted 0.1 & $W/lives 2; wait'",
    "pipe": "R -g -F 500 -o - $W/planted 0.1 > pipe",
    "stat": "perf stat record -e task-clock,page-faults,context-switches -o stat $W/planted 0.1 2> stat.err",
    "stat-interval": "perf stat record -I 30 -a -e task-clock,page-faults -o stat-interval $W/planted 0.1 2> stat-interval.err",
    "stat-cpus": "perf stat record -A -a -e task-clock,page-faults,cpu-migrations -o stat-cpus $W/planted 0.1 2> stat-cpus.err",
    "switched": "R --switch-output=20K -F 9000 -g -o many $W/planted 0.3 && mv $(ls many.* | head -n 1) switched",
    "no-id": "R -B -F 500 -g -o no-id $W/planted 0.1",
    "id-mmap": "R --buildid-mmap -F 500 -g -o id-mmap $W/planted 0.1",
    "id-all": "R --buildid-all -F 500 -o id-all $W/planted 0.1",
    "lost": "perf record -q -m 1 -a -g -e cpu-clock -e syscalls:sys_enter_getsid -F 9000 -o lost $W/overload 3000",
    "jit": "R -g -F 500 -o jit $W/jit 0.2 > jit.map && cp $(cat jit.map) .",
    "jitdump": "R -k mono -F 500 -o jitdump $W/jitdump 0.2 $PWD",
    "bundle": "R --bundle -g -F 500 -o bundle $W/names",
    "rich": "R -d -W -P -T -s --phys-data --data-page-size --code-page-size --sample-cpu --sample-identifier --intr-regs --user-regs -F 500 -o rich sh -c '$W/touch; $W/known threads 5'",
    "running": "perf record -q -e '{task-clock,page-faults}:S' --running-time -k mono -F 500 -g -o running $W/touch",
    "nothing": "perf record -q -n -e task-clock -o nothing $W/planted 0.02",
    "none": "R -c 1000000000000 -o none true",
    "tail": "R --overwrite --tail-synthesize -a -F 500 -o tail $W/planted 0.1",
    "period": "perf record -q -c 500000 -e cpu-clock:u -e cpu-clock:k -o period sh -c '$W/planted 0.05; ls -R /etc > /dev/null'",
    "cut": "R -g -F 1500 -o whole $W/planted 0.1 && head -c $(($(stat -c %s whole) * 2 / 3)) whole > cut",
    "damaged": "R -g -F 1500 -o damaged $W/planted 0.1 && printf '\\377\\377\\377' | dd of=damaged bs=1 seek=9001 conv=notrunc 2> /dev/null",
    "cut-pipe": "R -g -F 500 -o - $W/planted 0.1 > stream && head -c $(($(stat -c %s stream) * 2 / 3)) stream > cut-pipe",
    "converted": "R -F 200 --call-graph dwarf -o copies $W/planted 0.1 && perf inject --convert-callchain -i copies -o converted",
    "injected": "R -B -F 500 -g -o bare $W/planted 0.1 && perf inject -b -i bare -o injected",
}
ODD_NAMES = ["größe 日本", 'a;b,c "d', "tab\there\033[1m", " (x) "]

# ---- command lines ----
#
# NAMES: COMMAND WORDS	becomes `perf COMMAND -i rec/NAME WORDS` for each of the NAMES (* all but of stat,
#			% those with samples, + those with chains)
# $ LINE		is a line of the shell; N in it makes each number one letter and blanks one
# ! before either	it must fail; others must not, and must make or print something

CHAINS = """fp system dwarf auto live lost-fp inlined inlined-dwarf names events group trace-chain pid zstd pipe
    switched no-id id-mmap lost jit bundle running converted injected amd64 i386 arm64 s390x""".split()
STATS = ["stat", "stat-interval", "stat-cpus"]

LINES = r"""
* : report --stdio
* : report --stdio --no-children -g none -n --show-total-period
* : report --stdio -q -s pid,tid,cpu,dso,symbol -g none
* : report --stats
* : report --tasks
* : report --mmaps
* : report --losses
* : report --header-only -I
* : report -D
% : script
% : script -F comm,pid,tid,time,event,period,ip,sym,symoff,dso
* : script --show-task-events --show-mmap-events --show-switch-events --show-namespace-events --show-cgroup-events --show-lost-events --show-round-events --ns
* : script -D
* : data convert --to-json out.json
* : evlist -v
* : evlist -F
* : buildid-list
* : inject -b -o out.data
% : script --time 20%-60% -F +pid
% : report --stdio --time 20%-60% -g none -s comm,sym
% : data convert --time 20%-60% --to-json out.json
% : script -c planted,lives,sh -F comm,tid,time,ip,sym
% : report --stdio -c planted,lives,sh --no-children
+ : report --stack-health
+ : report --stdio -g caller --children
+ : report --stdio -g folded,0,callee,address,count --no-children
+ : report --stdio -g fractal,1,caller,period --no-children -s sym
+ : script -G
stat stat-interval stat-cpus : stat report
stat stat-interval stat-cpus : stat report -x,
stat stat-interval stat-cpus : stat report -j
stat stat-interval stat-cpus : report -D
stat stat-interval stat-cpus : evlist -v
stat stat-interval stat-cpus : report --header-only
stat-cpus stat-interval : stat report --per-core
stat-cpus : stat report --per-socket
stat-cpus : stat report --per-node
stat-cpus : stat report --per-die
stat-cpus : stat report -A -x \;
stat : stat report --metric-only

fp names i386 amd64 system events : report --stdio -s comm
fp names i386 amd64 system events : report --stdio -s dso --no-children
fp names i386 amd64 system events : report --stdio -s symbol
fp i386 system : report --stdio -s pid
fp i386 system : report --stdio -s tid -g none
fp i386 system : report --stdio -s cpu
fp i386 system : report --stdio -s comm,overhead,sym
inlined inlined-dwarf names : report --stdio -s srcline --no-children
inlined inlined-dwarf names : report --stdio -s srcfile
inlined inlined-dwarf : report --stdio -s srcline,sym --full-source-path -g none
inlined inlined-dwarf : report --stdio -s srcfile --full-source-path -g none
forks comms system : report --stdio -s comm,pid
forks comms system : report --stdio -s pid,tid,comm,dso,sym --no-children
forks system i386 : report --stdio -s tid,cpu -n
system lost : report --stdio --sort cpu,comm --show-total-period
fp names : report --stdio -g graph,0.5,caller
fp names : report --stdio -g graph,5,callee,function,percent
fp i386 : report --stdio -g flat,1,count
fp i386 : report --stdio -g folded,0.5,caller,function,percent
fp i386 : report --stdio -g folded,0,period
fp i386 : report --stdio -g fractal,0.5,callee
fp i386 : report --stdio -g none
fp i386 : report --stdio -g graph,0.5,3,caller
fp i386 : report --stdio -g caller,0.5,branch
fp i386 : report --stdio -G
fp i386 : report --stdio -G --no-children -s comm
fp i386 : report --stdio --inverted -s dso
fp i386 : report --stdio --call-graph=flat
fp i386 : report --stdio --max-stack 2
fp i386 dwarf : report --stdio --max-stack 1 --no-children -g caller
dwarf inlined-dwarf : report --stdio --max-stack 5 --stack-health
fp i386 system : report --stdio --percent-limit 5
amd64 arm64 riscv64 i386 : report --stdio --percent-limit 25 --no-children -g none
amd64 arm64 riscv64 i386 : report --stdio --percent-limit 50 -g caller,50
fp i386 system : report --stdio --percent-limit 5 --no-children -s sym -g caller
fp i386 system : report --stdio --percentage relative -c planted,child -s comm,sym -g none
fp i386 system : report --stdio --percentage absolute -c planted,child -s comm,sym -g none
system lost i386 : report --stdio -C 0
system lost i386 : report --stdio -C 0-1 -s cpu,sym --no-children
fp amd64 i386 : report --stdio -d planted,fixed,crafted -g none
fp amd64 i386 : report --stdio -d planted,fixed,crafted --no-children -s dso,sym
fp system : report --stdio -S planted_hot,planted_warm --no-children
fp system : report --stdio -S main -g caller
fp system names : report --stdio --comms planted,names -s comm
fp system names : report --stdio --comm planted,names --no-children -s comm,dso
fp names : report --stdio --symbol-filter o
fp names : report --stdio --no-children -U
fp names : report --stdio --hide-unresolved -s dso
i386 s390x : report --stdio --pid 700
i386 s390x : report --stdio --tid 700 -s tid
i386 s390x : report --stdio --pid 700,701 --percentage relative -s pid,sym -g none
i386 s390x : report --stdio --time 5.002,5.006
i386 s390x : report --stdio --time ,5.004 -s comm -n
i386 s390x : report --stdio --time 5.004, --losses
i386 s390x : report --time 5.002,5.006 --stack-health
fp amd64 i386 system : report --stdio --time 10%/2
fp amd64 i386 system : report --stdio --time 0%-30%,60%-100% --no-children -g none
fp amd64 i386 system lost : report --time 0%-50% --losses
fp system lost-fp : report --time 0%-50% --stack-health
fp system lost-fp i386 : report --stack-health --json
fp lost system i386 : report --losses --json
fp lost system i386 : report --losses=time
lost : report --losses -C 0
lost : report --losses=time --json
fp lost-fp : report --stack-health --comms stacks
fp lost-fp : report --stack-health --children -d stacks
fp lost-fp : report --stack-health --no-children -S burn
fp i386 : report --stdio -t ,
fp i386 : report --stdio -t \\t -n --no-children -s pid,comm,dso,sym
fp i386 events : report --stdio --field-separator=\; --show-total-period -g folded,0
fp i386 : report --stdio --show-nr-samples --show-total-period -s sym --children
fp comms i386 : report --stdio -q
fp comms i386 : report --stdio -v
fp names system : report --stdio -v --no-children -g none -s dso,sym
fp system i386 : report --stdio --header
fp system i386 : report --header -I --stdio -s comm -g none
fp system : report --header-only
fp i386 : report --stdio --stdio-color always
fp i386 : report --stdio --stdio-color=never
fp events : report --stdio-color always --no-children -g caller
events leader group running period rich : report --stdio --group
events leader group running period rich : report --stdio -s sym -n --no-children -g none
events leader group nothing none : report --stdio --skip-empty
events leader group nothing none : report --stdio --no-skip-empty
events leader running riscv64 arm64 : script -F event,period,ip
rich : report --stdio -T
rich : report --stdio -T -s comm -q
rich : report --threads -t,
names : report --stdio --no-demangle
names : report --stdio --no-demangle -s sym --no-children -g none
names : report --stdio --demangle=full
names : report --stdio --demangle=short -s sym -g none
names system : report --stdio --demangle-kernel -s sym
fp system amd64 : report --stdio --kallsyms /dev/null
fp system amd64 : report --stdio --ignore-vmlinux -s sym
fp system : report --stdio --symfs /nonexistent --no-children -g none
fp system : report --stdio --buildid-dir /nonexistent --no-children -g none
fp amd64 : report --stdio -m
fp names inlined : report --stdio --no-symbol-cache
inlined inlined-dwarf names : report --stdio --inline
inlined inlined-dwarf names : report --stdio --no-inline
inlined inlined-dwarf : report --stdio --inline --no-children -g caller -s sym
inlined inlined-dwarf : report --stdio --inline -g folded,0,address --no-children
dwarf inlined-dwarf : report --stdio --unwind-style native
dwarf inlined-dwarf : report --stdio --unwind-style libdw -g caller
dwarf inlined-dwarf arm64-dwarf : script --unwind-style libdw -F ip,sym
dwarf : report --unwind-style libunwind --stack-health
fp : report planted
fp : report --stdio planted_hot
fp i386 : report --stdio --asm-raw --source --ns --raw-trace --tui
fp : report --show-ref-call-graph --disable-order --samples 5 --pretty raw -s sym
i386 : report --sort=comm,dso --tui
trace trace-chain sleeps amd64-trace : report --stdio -s comm,sym
trace trace-chain sleeps amd64-trace : evlist --trace-fields
trace trace-chain amd64-trace : script -F trace:comm,time,trace
trace amd64-trace : script -F comm,tid,cpu,time,event,trace
trace trace-chain amd64-trace : script -F -trace
trace trace-chain amd64-trace : script --ns -F +period
trace trace-chain amd64-trace : data convert --to-json out.json -v
threads pipe zstd cut damaged cut-pipe : report --stdio -v -s sym -g none
threads pipe zstd cut damaged cut-pipe : script -v
threads pipe zstd cut damaged cut-pipe : inject -v -o out.data
cut damaged cut-pipe lost : script -q

fp system i386 amd64 : script -F comm
fp system i386 amd64 : script -F ip
fp system i386 amd64 : script -F ip,sym
fp system i386 amd64 : script -F ip,sym,symoff,dso -G
fp system i386 amd64 : script -F comm,ip,sym,dso --max-stack 2
fp system i386 amd64 : script -F +pid
fp system i386 amd64 : script -F -time,-period
fp system i386 amd64 : script -F +misc
fp i386 : script -F callindent,ip,sym
fp i386 : script -F sw:comm,tid,time
fp system i386 : script --reltime
fp system i386 : script --deltatime
fp system i386 : script --ns --reltime -F time,tid
fp system i386 : script --time 10%/2
fp system i386 : script --time 0%-10%,50%-70% -F time,event
i386 s390x : script --time 5.002,5.006
i386 s390x : script --time ,5.003 -F time
i386 s390x : script --pid 700
i386 s390x : script --tid 701 -F tid,ip
i386 s390x : script -c child
i386 s390x : script -F comm,uregs
arm64-dwarf dwarf : script -F comm,time,uregs
rich : script -F comm,addr,phys_addr,data_page_size,code_page_size,weight
rich : script -F iregs,uregs
rich maps riscv64-6.12 : script -F comm,time,event,period,addr,ip
cgroups : script -F comm,cgroup,ip
cgroups : script --show-cgroup-events -F comm,time
switches : script --show-switch-events -F comm,tid,time
switches : script --show-namespace-events -F comm,tid,time
forks comms : script --show-task-events -F comm,tid,time
maps : script --show-mmap-events -F comm,addr
lost : script --show-lost-events -F comm,time
fp pipe : script --show-round-events -F comm,time
system i386 : script -C 0
system cgroups : script -C 1 -F cpu,time
fp system : script -c planted,ls -F comm,ip,sym -G
fp system : script --comms planted -F ip,sym
fp system names : script -S planted_hot,main -F ip,sym
fp system names : script --dsos planted,names -F ip,sym
fp system : script --header
fp system i386 s390x : script --header-only -I
fp names : script -F ip,sym,srcline
inlined inlined-dwarf names : script -F ip,sym,srcline
inlined inlined-dwarf : script -F ip,sym,srcline --full-source-path
inlined inlined-dwarf : script --inline -F ip,sym
inlined inlined-dwarf : script --no-inline -F ip,sym
inlined inlined-dwarf : script --inline -F ip,sym,srcline --max-stack 3
names : script --no-demangle -F ip,sym
names : script --demangle=full -F ip,sym -G
names : script --demangle=short -F ip,sym
names fp : script -v -F ip,sym
fp system : script --kallsyms /dev/null -F ip,sym
fp system : script --symfs /nonexistent -F ip,sym
fp system : script --buildid-dir /nonexistent -F ip,sym,dso
fp inlined : script --no-symbol-cache -F ip,sym
fp : script -D -F comm,ip

fp system i386 amd64 : data convert --time 10%/2 --to-json out.json
i386 s390x : data convert --time 5.002,5.006 --to-json=/dev/stdout
dwarf inlined-dwarf : data convert --unwind-style libdw --to-json out.json
fp names : data convert -v --no-symbol-cache --to-json out.json
fp no-id pipe zstd threads : inject --buildid-all -o out.data
fp no-id pipe zstd threads : inject -B -o out.data
fp no-id pipe zstd threads : inject --mmap2-buildid-all -v -o out.data
dwarf inlined-dwarf arm64-dwarf : inject --convert-callchain -o out.data
dwarf inlined-dwarf : inject --convert-callchain --unwind-style libdw -v -o out.data
sleeps trace : inject -s -o out.data
fp no-id : inject -b --known-build-ids '00112233445566778899aabbccddeeff00112233 /bin/ls' -o out.data
fp pipe : inject -b -k x --kallsyms y --ignore-vmlinux
fp system i386 events leader trace : evlist
fp system i386 events leader trace : evlist -g
fp system i386 : buildid-list -H
fp system i386 : buildid-list -v
jitdump : report --stdio -s dso,sym
jit : report --stdio -v -s sym -g none

$ perf report -i - < rec/pipe
$ perf script -i - < rec/pipe
$ perf evlist -i - < rec/pipe
$ perf buildid-list -i - < rec/pipe
$ cat rec/pipe | perf report --stdio
$ cat rec/fp | perf report --stdio -s sym
$ cat rec/pipe | perf script -F comm,ip
$ cat rec/pipe | perf inject -b | perf report --stdio -i -
$ cat rec/zstd | perf inject | perf script
$ cat rec/cut-pipe | perf report --stdio
$ perf inject -i rec/fp -o out.data && perf report --stdio -i out.data
$ perf inject -b -i rec/threads -o out.data && perf script -i out.data
$ perf inject -i rec/bundle -o out.data && perf report --stdio -i out.data
$ perf inject --convert-callchain -i rec/dwarf -o out.data && perf report --stack-health -i out.data
$ cp rec/jitdump rec/jit-*.dump . && perf inject -i jitdump -o out.data && perf script -i out.data
$ cp rec/fp perf.data && perf report --stdio
$ cp rec/fp perf.data && perf report --stdio planted_hot && perf script && perf evlist && perf buildid-list
$ cp rec/fp out.data && perf inject -b -i rec/no-id -o out.data
! $ mkdir h && cp rec/fp . && HOME=$PWD/h perf archive fp
$ cp rec/fp . && perf archive fp && tar tf fp.tar.bz2
$ mkdir h && HOME=$PWD/h perf buildid-cache -v -a $W/planted && HOME=$PWD/h perf buildid-cache -l
$ mkdir h && HOME=$PWD/h perf buildid-cache -M rec/fp
$ perf buildid-cache -l
$ perf buildid-list -i $W/planted
$ perf buildid-list -k
$ perf report -D -i rec/fp | perf evlist -i rec/fp
$ PERF_CONFIG=rec/config perf report --stdio -i rec/fp
$ PERF_CONFIG=rec/config perf report --stdio -i rec/i386 -s dso
$ PERF_CONFIG=rec/config perf config -l
$ PERF_WORKERS=1 perf report --stdio -i rec/system
$ PERF_WORKERS=3 perf report --stdio -i rec/system --no-children
$ LC_ALL=C.UTF-8 perf report --stdio -i rec/comms
$ LC_ALL=C.UTF-8 perf report --stdio -i rec/comms --no-children -t ,
$ LC_ALL=C.UTF-8 perf script -i rec/comms
$ script -qec 'stty cols 80 rows 24; perf report -i rec/fp' /dev/null
$ script -qec 'stty cols 80 rows 24; perf report -i rec/names --no-children' /dev/null
$ script -qec 'stty cols 60 rows 24; perf report --stdio -g none -i rec/system' /dev/null
$ script -qec 'stty cols 200 rows 24; perf report --stdio -i rec/comms' /dev/null
$ script -qec 'stty cols 80 rows 24; perf script -i rec/i386' /dev/null
$ script -qec 'stty cols 80 rows 24; perf report --stack-health -i rec/lost-fp' /dev/null
$ script -qec 'stty cols 80 rows 24; perf stat report -i rec/stat' /dev/null
$ perf list
$ perf list sw
$ perf list --details sw
$ perf list --raw-dump sw
$ perf list --json sw
$ perf check feature libelf
$ perf version --build-options
$ perf doctor | N
$ perf doctor --json | N
$ perf help
$ perf stat -e task-clock,page-faults $W/planted 0.02 2>&1 | N
$ perf stat -e task-clock,page-faults -x, $W/planted 0.02 2>&1 | N
$ perf stat -e task-clock,page-faults -j $W/planted 0.02 2>&1 | N
$ perf stat -r 2 -e task-clock $W/planted 0.02 2>&1 | N
$ perf stat -r 3 --ci -e task-clock $W/planted 0.02 2>&1 | N
$ perf stat -a -A -e task-clock,page-faults $W/planted 0.02 2>&1 | N
$ perf stat -a --per-socket -e task-clock,page-faults $W/planted 0.02 2>&1 | N

! fp : report -s nosuch
! fp : report -s ''
! fp : report -F overhead
! fp : report -w 10
! fp : report --hierarchy
! fp : report -b
! fp : report --branch-history
! fp : report -p main
! fp : report -x
! fp : report --mem-mode
! fp : report --time-quantum 1ms
! fp : report --socket-filter 0
! fp : report --ignore-callees x
! fp : report --group-sort-idx 1
! fp : report --switch-on x
! fp : report -g nosuch
! fp : report --percent-limit 101
! fp : report --percent-limit x
! fp : report --percentage other
! fp : report --time abc
! fp : report --time 120%-130%
! fp : report --time 2,1
! fp : report -C x
! fp : report --pid x
! fp : report --tid 5-3
! fp : report --losses=other
! fp : report --json
! fp : report --stats --tasks
! fp : report --max-stack x
! fp : report --unwind-style nosuch
! fp : report --demangle=nosuch
! fp : report --stdio-color=pink
! fp : report nosuch_name_of_anything
! fp : report --nosuch
! fp : report -s
fp : report --kallsyms /nonexistent
fp : report -s comm, -g graph,200
fp : report -c nosuch
fp : report -d nosuch --stdio
fp : report -S planted_hat --stdio
fp : report --pid 1 --stdio
fp : report --time 0,1 --stdio
fp i386 : script -S nosuch
fp i386 : script -c nosuch
fp i386 : script --tid 1
! fp : script -F nosuch
! fp : script -F sw:
! fp : script -C 0
! fp : report -C 0
! fp : script -F cpu,weight
! fp : script -F brstack
! fp : script -F addr,phys_addr
! fp : script -F +sym,-nosuch
! fp : script --time abc
! fp : script -C x
! fp : script -s x.py
! fp : script --max-stack x
! fp : script --nosuch
! i386 : script -F trace
! fp : data convert
! fp : data convert --to-ctf out
! fp : data convert --to-json out.json --all
! fp : data convert --to-json out.json --tod
! fp : data convert --to-json out.json --time x
! fp : data convert --to-json /nonexistent/out.json
! fp : data convert --to-json rec/fp
! fp : data nosuch
! fp : inject --strip -o out.data
! fp : inject -o rec/fp
! fp : inject -o /nonexistent/out
! fp : inject --known-build-ids nosuch -o out.data
! fp : inject --convert-callchain --unwind-style x -o out.data
! fp : inject --nosuch
! fp : evlist --nosuch
! fp : stat report
! fp : buildid-list --nosuch
! stat : stat report --nosuch
! s390x : inject -b -o out.data
! stat : stat report --metric-only -j -x,
! $ perf report -i nosuch
! $ perf script -i nosuch
! $ perf evlist -i nosuch
! $ perf buildid-list -i nosuch
! $ perf inject -i nosuch -o out.data
! $ perf stat report -i nosuch
! $ perf data convert -i nosuch --to-json out.json
! $ perf archive nosuch
! $ perf report
! $ perf script
! $ perf report -i /bin/ls
! $ perf script -i /bin/ls
! $ : > empty; perf report -i empty
! $ : > empty; perf script -i empty
! $ head -c 50 rec/fp > short; perf report -i short
! $ head -c 50 rec/fp > short; perf script -i short
! $ head -c 50 rec/fp > short; perf inject -i short -o out.data
! $ perf report -i rec
! $ perf report < /dev/null -i -
! $ perf report -i rec/fp extra words
! $ perf nosuch
! $ perf reprt
! $ perf
! $ perf report --sort=nosuch -i nosuch
! $ perf buildid-cache -a nosuch
! $ perf check feature nosuch
! $ perf annotate
! $ perf diff
"""

NUMBERS = "sed -E 's/[+-]?[0-9]+([.,][0-9]+)*/N/g; s/ +/ /g'"
HELP = """report script data inject evlist buildid-list buildid-cache archive list check doctor config test version
    record stat""".split()


def expand(have):
    """(line, must fail) of each command line, with the recordings of `have` for * and the like."""
    groups = {
        "*": [name for name in have if name not in STATS],
        "%": [name for name in have if name not in STATS + ["none", "nothing"]],
        "+": [name for name in have if name in CHAINS],
    }
    lines = {}
    for text in LINES.splitlines():
        fails = text.startswith("! ")
        text = text[2:] if fails else text
        if text.startswith("$ "):
            lines[re.sub(r"\bN\b", NUMBERS, text[2:])] = fails
        elif text:
            names, words = text.split(" : ", 1)
            for name in names.split():
                for recording in groups.get(name, [name]):
                    lines[with_input(words, recording)] = fails
    for command in HELP:
        lines[f"perf {command} -h"] = True
    return lines


def with_input(words, recording):
    command = re.match(r"data \w+|stat \w+|[\w-]+", words).group()
    return f"perf {command} -i rec/{recording}{words[len(command):]}"


# ---- what is read ----


class Lab:
    """A folder with recordings (rec), their programs (bin), what recording left in HOME (home), and the
    place where perf runs (now)."""

    def __init__(self, folder, before):
        self.folder, self.before = folder, before
        self.rec, self.bin, self.home, self.now = (os.path.join(folder, name) for name in ("rec", "bin", "home", "now"))
        self.maps = []

    def environment(self):
        return {
            "PATH": self.now + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": os.path.join(self.now, "home"),
            "W": self.bin,
            "LC_ALL": "C", "TZ": "UTC", "TERM": "xterm", "PAGER": "cat", "PERF_CONFIG": "/dev/null",
        }

    def place(self, program):
        """The program to be run, and a HOME as recording left it."""
        shutil.rmtree(self.now, ignore_errors=True)
        os.makedirs(self.now)
        shutil.copy2(program, os.path.join(self.now, "perf"))
        shutil.copytree(self.home, os.path.join(self.now, "home"), symlinks=True)

    def prepare(self, names, programs):
        """Programs and recordings, those that are not there yet; what cannot be made is said."""
        for folder in (self.rec, self.home):
            os.makedirs(folder, exist_ok=True)
        for path in glob.glob(os.path.join(TREE, "tests/data/*.data")):
            shutil.copy(path, os.path.join(self.rec, os.path.basename(path)[:-5]))
        with open(os.path.join(self.rec, "config"), "w", encoding="utf-8") as f:
            f.write("[report]\n\tsort_order = dso,sym\n\tpercent-limit = 2\n\tchildren = false\n"
                    "[call-graph]\n\torder = caller\n\tthreshold = 1\n[color]\n\tui = always\n")
        missing = [name for name in RECORDINGS if name in names and not os.path.exists(os.path.join(self.rec, name))]
        if missing or programs:
            self.programs()
        if missing:
            self.place(self.before)
            for name in missing:
                self.record(name)
            shutil.rmtree(self.home)
            os.rename(os.path.join(self.now, "home"), self.home)
        for path in glob.glob(os.path.join(self.rec, "perf-*.map")):
            place = os.path.join("/tmp", os.path.basename(path))
            shutil.copy(path, place)
            self.maps.append(place)

    def programs(self):
        if os.path.exists(self.bin):
            return
        workloads = os.environ.get("WORKLOADS", os.path.join(TREE, "build", "workloads"))
        if not os.path.exists(os.path.join(workloads, "planted")):
            print(f"no workloads in '{workloads}': make workloads, or set TREE or WORKLOADS", file=sys.stderr)
            sys.exit(2)
        shutil.copytree(workloads, self.bin)
        for name in ODD_NAMES:
            shutil.copy2(os.path.join(self.bin, "planted"), os.path.join(self.bin, name))
        for name, text in SOURCES.items():
            with open(os.path.join(self.bin, name), "w", encoding="utf-8") as f:
                f.write(text)
        for name, line in COMPILE.items():
            if subprocess.run(line, shell=True, cwd=self.bin, check=False).returncode:
                print(f"not compiled: {name}")

    def record(self, name):
        line = re.sub(r"^R |(?<=[&|;] )R ", "perf record -q -e cpu-clock ", RECORDINGS[name])
        done = subprocess.run(line, shell=True, cwd=self.rec, env=self.environment(), timeout=LIMIT, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not os.path.exists(os.path.join(self.rec, name)):
            print(f"not recorded: {name}: {done.stdout.decode(errors='replace').strip()[:300]}")

    def forget(self):
        for path in self.maps:
            if os.path.exists(path):
                os.remove(path)


# ---- running ----


def run_all(lab, program, lines, jobs):
    """What each line gave with this program: {line: {part: bytes}}."""
    lab.place(program)
    used = sorted({name for line in lines for name in recordings_of(line)})
    for name in used:
        warm = f"perf report --stdio --inline -i rec/{name}; perf script -F ip,sym,srcline -i rec/{name}"
        run_one(lab, "warm", warm)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip(lines, pool.map(lambda job: run_one(lab, *job), enumerate(lines))))


def run_one(lab, number, line):
    """The parts of what a line gave: stdout, stderr, status, and the files that it made."""
    folder = os.path.join(lab.now, "lines", str(number))
    os.makedirs(folder)
    os.symlink(lab.rec, os.path.join(folder, "rec"))
    try:
        done = subprocess.run(line, shell=True, cwd=folder, env=lab.environment(), timeout=LIMIT, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        parts = {"stdout": done.stdout, "stderr": done.stderr, "status": b"%d" % done.returncode}
    except subprocess.TimeoutExpired:
        parts = {"stdout": b"", "stderr": b"", "status": b"longer than %d s" % LIMIT}
    for at, folders, files in os.walk(folder):
        for name in files + [name for name in folders if os.path.islink(os.path.join(at, name))]:
            path = os.path.join(at, name)
            part = "file " + os.path.relpath(path, folder)
            if os.path.islink(path):
                parts[part] = b"-> " + os.fsencode(os.readlink(path))
            elif os.path.isfile(path):
                with open(path, "rb") as f:
                    parts[part] = f.read()
                parts[part + " (mode)"] = b"%o" % os.stat(path).st_mode
    shutil.rmtree(folder)
    return parts


def recordings_of(line):
    return [name for name in re.findall(r"rec/([\w.-]+)", line) if name != "config"]


def useless(parts, fails):
    """Why a line shows nothing, or None."""
    status = parts["status"].decode()
    if (status != "0") != fails:
        return f"its status is {status}"
    made = [part for part in parts if part.startswith("file ") and part != "file rec"]
    if not parts["stdout"] and not parts["stderr"] and not made:
        return "it says nothing"
    return None


# ---- comparing ----


def compare(lab, after, lines, jobs):
    """Lines by what became of them: same, differ, unsteady; and the parts of both."""
    first = run_all(lab, lab.before, lines, jobs)
    again = run_all(lab, lab.before, lines, jobs)
    then = run_all(lab, after, lines, jobs)
    unsteady = {line: why for line in lines if (why := useless(first[line], lines[line]))}
    unsteady.update({line: f"its {differing(first[line], again[line])[0]} is not the same twice"
                     for line in lines if first[line] != again[line]})
    differ = {line: lines[line] for line in lines if line not in unsteady and first[line] != then[line]}
    if differ:  # the machine may have changed meanwhile
        third, last = run_all(lab, lab.before, differ, 1), run_all(lab, after, differ, 1)
        for line in list(differ):
            if third[line] != first[line]:
                unsteady[line] = f"its {differing(first[line], third[line])[0]} is not the same three times"
                del differ[line]
            else:
                then[line] = last[line] if last[line] != first[line] else then[line]
    return unsteady, {line: (first[line], then[line]) for line in differ}


def differing(one, other):
    return [part for part in {**one, **other} if one.get(part) != other.get(part)]


def show(line, one, other, in_full):
    print(f"differs: {line}")
    for part in differing(one, other) if in_full else []:
        if part not in one or part not in other:
            print(f"  {part}: only with {'AFTER' if part in other else 'BEFORE'}")
            continue
        texts = [parts[part].decode(errors="backslashreplace") for parts in (one, other)]
        if "\0" in texts[0] + texts[1]:
            at = next((i for i, (a, b) in enumerate(zip(one[part], other[part])) if a != b), None)
            place = "the shorter one's end" if at is None else f"byte {at}"
            print(f"  {part}: {len(one[part])} and {len(other[part])} bytes, from {place} on")
            continue
        diff = list(difflib.unified_diff(*(text.splitlines() for text in texts), "BEFORE", "AFTER", "", "", 1, ""))
        print(f"  {part}:")
        for row in diff[:ROWS] + [f"... {len(diff) - ROWS} more"] * (len(diff) > ROWS):
            print("    " + (row if len(row) <= COLUMNS else row[:COLUMNS] + " ...").replace("\033", "\\e"))
        if not diff:
            print("    (in the ends of lines)")


def main():
    options = parse()
    lines = expand(list(RECORDINGS) + [os.path.basename(path)[:-5]
                                       for path in sorted(glob.glob(os.path.join(TREE, "tests/data/*.data")))])
    lines = {line: fails for line, fails in lines.items() if re.search(options.filter, line)}
    if options.list:
        print("\n".join(lines))
        return 0
    folder = os.path.abspath(options.keep or tempfile.mkdtemp(prefix="same-output-"))
    os.makedirs(folder, exist_ok=True)
    alone = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"'{folder}' is in use by another run: wait for it, or give another folder", file=sys.stderr)
        return 2
    lab = Lab(folder, os.path.abspath(options.before))
    try:
        lab.prepare({name for line in lines for name in recordings_of(line)}, "$W" in "".join(lines))
        lines = {line: fails for line, fails in lines.items()
                 if all(os.path.exists(os.path.join(lab.rec, name)) for name in recordings_of(line))}
        unsteady, differ = compare(lab, os.path.abspath(options.after), lines, options.jobs)
    finally:
        lab.forget()
        if not options.keep:
            shutil.rmtree(folder)
    for line, why in unsteady.items():
        print(f"unsteady: {line}: {why}")
    for number, (line, (one, other)) in enumerate(differ.items()):
        show(line, one, other, number < DIFFS)
    same = len(lines) - len(unsteady) - len(differ)
    few = same + len(differ) < (1 if options.filter else LEAST)
    if few:
        print("too few lines are steady")
    print(f"{same} the same, {len(differ)} differ, {len(unsteady)} unsteady")
    return 1 if differ or few else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("-j", dest="jobs", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("filter", nargs="?", default="")
    options = parser.parse_intermixed_args()
    for program in () if options.list else (options.before, options.after):
        if not os.access(program, os.X_OK):
            parser.error(f"cannot run '{program}'")
    return options


if __name__ == "__main__":
    sys.exit(main())
