#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which variable a name means, and which code: of several of one name the right one is taken, and what
# cannot be told apart is refused. Values and numbers of calls are those that the program printed.
. "$(dirname "$0")/../lib.sh"
plan 1
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes

step "a source file alone is no place"
echo 'int f(int n) { return n * 3; } int main(int argc, char **argv) { return f(argc); }' > plain.c
gcc -g -O0 -o "$ME" plain.c || fail "gcc builds no program"
for definition in @plain.c e=@plain.c '@plain.c argc' @nothing.c; do
	perf probe -x "./$ME" -D "$definition"
	check [ $rc -eq 129 ]
	check grep -qF "cannot understand the probe '$definition': of a source file a line or a pattern is probed" err
done
perf probe -x "./$ME" -V '@plain.c'
check [ $rc -eq 129 ]
for definition in f@plain.c @plain.c:1 plain.c:1 '@plain.c;*n?3*'; do
	perf probe -x "./$ME" -D "$definition"
	check [ $rc -eq 0 ]
done

finish
