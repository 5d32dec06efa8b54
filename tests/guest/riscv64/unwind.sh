#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copied stacks (--call-graph dwarf): which registers are recorded, and what becomes of them. Linux's
# perf 6.12 unwinds none of this architecture, and has no names for its registers.
# guest: programs=fixed
. "$(dirname "$0")/../lib.sh"

step "--call-graph dwarf"
perf record --call-graph dwarf,16384 -e cycles:u -c 1000000 -o dwarf.data ./fixed 6000
check [ $rc -eq 0 ]
perf script -i dwarf.data -F ip,sym
check [ "$(grep -A4 fixed_hot out | tr -d '\n' | grep -o 'fixed_hot[^_]*fixed_middle[^_]*fixed_outer[^_]* main' | wc -l)" -gt 5 ]
check [ "$(grep -c fixed_hot out)" -le "$(grep -c _start out)" ]
perf report --stack-health -i dwarf.data
check awk '/ complete / { share = $1 + 0 } END { exit !(share >= 80) }' out # crtstuff has no tables
cp dwarf.data /out/
perf script -i dwarf.data -F ip
cp out /out/dwarf.txt

step "--user-regs by their names"
perf record --user-regs=sp,ra,s11 -c 300000 -o regs.data ./fixed 200
check [ $rc -eq 0 ]
perf script -i regs.data -F uregs
check [ -s out ]
refute grep -vE '^( ABI:2 +ra:0x[0-9a-f]+ +sp:0x[0-9a-f]+ +s11:0x[0-9a-f]+ *)?$' out
finish
