#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The command lines about counting of a course, those that need hardware counters: the same rows as
# Linux's perf gives, where the counters are (cli/counting.sh has all of them, without).
# guest: linux=1 programs=fixed smp=2
. "$(dirname "$0")/../lib.sh"

# rows FILE: the table's rows without figures: is it counted, and the words behind that
rows() {
	sed -n 's/ *([0-9.]*%) *$//; s/ *( +-.*) *$//
		/<not supported>/ { s/^.*<not supported> *\([^ ]*\).*/missing \1/p; d; }
		s/^\(CPU[0-9]*\|S[0-9D-]*C[0-9]* *[0-9]*\|S[0-9]* *[0-9]*\) */\1 /
		s/^\(CPU[0-9]* \|S[^ ]* *[0-9]* \)\{0,1\} *[0-9][0-9,.]* \(msec\)\{0,1\} *\([a-zA-Z][^ ]*\).*/\1\3/p' "$1" |
		grep -v seconds
}

# line NR ARGS...: at least NR events counted, and what Linux's perf says of each
line() {
	least=$1
	shift
	step "perf stat $*"
	perf stat "$@"
	linux stat "$@"
	check [ $rc -eq 0 ]
	check [ $lrc -eq 0 ]
	rows err > ours
	rows lerr > theirs
	same ours theirs
	check [ "$(grep -vc '^missing' ours)" -ge "$least" ]
}

seq 2000 > file1
line 6 ./fixed 1000
line 6 -d ./fixed 1000
line 2 -e cycles:k,cycles:u -- ./fixed 1000
line 12 -aA -- sleep 0.1
line 12 -aA -C0-1 -- sleep 0.1
line 6 -aA -C0 -- sleep 0.1
line 6 -a --per-core sleep 0.1
line 6 -a --per-socket -- sleep 0.1
line 2 -e cycles,instructions,cache-references,cache-misses,bus-cycles -a sleep 0.1
line 0 -e L1-dcache-loads,L1-dcache-load-misses,L1-dcache-stores ./fixed 100
line 0 -e dTLB-loads,dTLB-load-misses,dTLB-stores,dTLB-store-misses,iTLB-loads,iTLB-load-misses ./fixed 100
line 0 -e LLC-loads,LLC-load-misses,LLC-stores,LLC-prefetches ./fixed 100
line 2 -e cycles,instructions,r80a2,r2b1 gzip -c file1
line 1 -e cpu-cycles:u ./fixed 100
line 2 --repeat 3 -e r08,r11 -ag sleep 0.1
line 1 -e r0008 -a sleep 0.1

step "perf stat -e cpu-cycles:pp: no precise level here, refused by both, ours with the reason"
perf stat -e cpu-cycles:pp ./fixed 100
linux stat -e cpu-cycles:pp ./fixed 100
rows lerr > theirs
rows err > ours
same ours theirs

step "-A and --per-core: the ratio is that of its row"
./fixed 3000000000 &
busy=$!
perf stat -a -A -x, -e cycles,instructions ./fixed 5000
awk -F, '$4 ~ /^cycles/ { c[$1] = $2 } $4 ~ /^instructions/ { n++; if (c[$1]) { d = $2 / c[$1] - $7; if (d > 0.006 || d < -0.006) bad++ } }
	END { exit n != 2 || bad }' err
check [ $? -eq 0 ]
perf stat -a --per-core -x, -e cycles,instructions ./fixed 5000
awk -F, '$5 ~ /^cycles/ { c[$1] = $3 } $5 ~ /^instructions/ { n++; if (c[$1]) { d = $3 / c[$1] - $8; if (d > 0.006 || d < -0.006) bad++ } }
	END { exit n < 1 || bad }' err
check [ $? -eq 0 ]
kill $busy
finish
