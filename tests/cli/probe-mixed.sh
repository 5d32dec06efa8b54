#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf probe, where the debug information does not tell all: objects without any beside others that
# have some, addresses that no symbol covers, functions without a name or a file of their own.
. "$(dirname "$0")/../lib.sh"
plan 2
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes

for part in first second; do
cat > $part.c <<- EOF
#include <stdio.h>
__attribute__((noipa)) static int helper(int k) { return printf("$part %d\n", k) + k; }
int call_$part(int k) { return helper(k) + 1; }
EOF
done
cat > main.c <<- 'EOF'
int call_first(int), call_second(int);
int main(int argc, char **argv) { (void)argv; return !(call_first(argc) + call_second(2) + call_second(3)); }
EOF
gcc -g -O1 -c first.c main.c && gcc -O1 -c second.c && gcc -o "./$ME" first.o main.o second.o || skip_all "gcc builds no program"

step "a function without debug information is not left out for one of its name that has some"
nm "./$ME" | sed -n 's/^0*\([0-9a-f]*\) t helper$/0x\1/p' | sort > known
check [ "$(wc -l < known)" -eq 2 ]
for place in helper helper%return helper+0 'helper k'; do
perf probe -x "./$ME" -D "$place"
check [ $rc -eq 0 ]
sed -n 's/^[pr]:.*:\(0x[0-9a-f]*\).*/\1/p' out | sort > places
check cmp -s known places
done
check grep -q ":$(nm "./$ME" | sed -n 's/^0*\([0-9a-f]*\) t helper$/0x\1/p' | head -1) k=%di:s32\$" out
check grep -q "'k' is not known in 1 of 2 places (helper)" err
perf probe -x "./$ME" -D helper@first.c # its file is known of one only
check [ "$(wc -l < out)" -eq 1 ]
perf probe -x "./$ME" -D call_second
check [ "$(wc -l < out)" -eq 1 ]

step "each of its calls is counted"
if need_uprobe_events; then
perf probe -x "./$ME" --try helper --try ret=helper%return -- "./$ME"
check [ $rc -eq 0 ]
check grep -qE "^ +3  probe_$ME:helper " out
check grep -qE "^ +3  probe_$ME:ret__return " out
fi
finish
