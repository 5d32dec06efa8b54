#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sampling by overflow of a real counter. QEMU counts cycles exactly, so how many samples there are
# is known, and so are the shares of the functions of `fixed`.
# guest: linux=1 programs=fixed
. "$(dirname "$0")/../lib.sh"

# rows FILE ARGS...: what both perfs report of it, without the head, in ours and theirs
rows() {
	data=$1
	shift
	perf report -i "$data" --stdio "$@"
	check [ $rc -eq 0 ]
	grep -v '^#' out | grep . > ours
	linux report -i "$data" --stdio --no-inline "$@"
	grep -v '^#' lout | grep . > theirs
	check [ -s ours ]
}

# lines FILE ARGS...: the same for script
lines() {
	data=$1
	shift
	perf script -i "$data" "$@"
	linux script -i "$data" --no-inline "$@"
	mv out ours
	mv lout theirs
	check [ -s ours ]
	same ours theirs
}

step "no -e: cycles, at 4000 Hz"
recordings ./fixed 5000
perf evlist -i ours.data
check [ "$(cat out)" = cycles ]
check near "$(nr_samples said)" "$(nr_samples lerr)" 15
for data in ours.data theirs.data; do
	rows $data -n --sort sym
	same ours theirs
done

step "-c: as many samples as the count says"
recordings -e cycles:u -c 1000000 ./fixed 5000
check [ "$(nr_samples said)" -eq 240 ]
check [ "$(nr_samples lerr)" -eq 240 ]
for data in ours.data theirs.data; do
	rows $data -n --show-total-period --sort dso,sym
	same ours theirs
done
check near "$(perf report -i ours.data --stdio --sort sym && awk '/fixed_hot/ { print $1 + 0 }' out)" 75 5
cp ours.data /out/cycles.data
perf report -i ours.data --stdio -n --show-total-period --sort sym --dso fixed
cp out /out/cycles.txt

step ":u has no kernel in it, the default has"
refute grep -F '[k]' ours
perf record -e cycles -c 100000 -o k.data dd if=/dev/zero of=/dev/null bs=1 count=3000
rows k.data -n --sort sym
check grep -qF '[k]' ours
same ours theirs

step "-F"
recordings -F 500 -e cycles:u ./fixed 10000
check near "$(nr_samples said)" "$(nr_samples lerr)" 25

step "-g: the caller of a leaf comes from the link register"
recordings -g -e cycles:u -c 1000000 ./fixed 5000
perf evlist -v -i ours.data
sed 's/^[^,]*, //' out > ours
perf evlist -v -i theirs.data
sed 's/^[^,]*, //' out > theirs
same ours theirs
for data in ours.data theirs.data; do
	lines $data -F comm,tid,ip,sym,event
done
check [ "$(grep -A1 fixed_hot ours | grep -c fixed_middle)" -gt 150 ]
rows ours.data --no-children -g caller,0.5,callee --percent-limit 5 -n --sort sym
sed -i 's/0x[0-9a-f]*/unnamed/' ours theirs # Linux's perf writes where it was mapped
same ours theirs
cp ours.data /out/fp.data
perf script -i ours.data -F ip,sym
cp out /out/fp.txt

step "-g: kernel and user frames in one chain"
perf record -g -e cycles -c 100000 -o k.data dd if=/dev/zero of=/dev/null bs=1 count=3000
# Of stripped code that has stored its return address already Linux's gives the caller twice.
perf script -i k.data -F comm,ip,sym,event
linux script -i k.data -F comm,ip,sym,event
grep -v '\[unknown\]' out > ours
grep -v '\[unknown\]' lout > theirs
same ours theirs
check grep -q el0_svc ours
check grep -q '\[unknown\]' out

step "--call-graph dwarf"
recordings --call-graph dwarf,1024 -e cycles:u -c 20000000 ./fixed 5000
for data in ours.data theirs.data; do
	lines $data -F comm,ip,sym,event
done
check [ "$(grep -A2 fixed_hot ours | grep -c fixed_outer)" -gt 5 ]
cp ours.data /out/dwarf.data
perf script -i ours.data -F ip,sym
cp out /out/dwarf.txt

step "{cycles,instructions}:S: each member's period is what it counted"
recordings -e '{cycles,instructions}:Su' -c 1000000 ./fixed 5000
for data in ours.data theirs.data; do
	rows $data --no-group -n --show-total-period --sort sym
	linux report -i $data --stdio --no-group -n --show-total-period --sort sym
	grep -v '^#' lout | grep . > theirs
	same ours theirs
done
perf script -i ours.data -F event,period
cycles=$(awk '/cycles/ { n += $1 } END { print n }' out)
instructions=$(awk '/instructions/ { n += $1 } END { print n }' out)
check near "$cycles" 240000000 1
check near "$instructions" 120000000 1
cp ours.data /out/group.data
perf script -i ours.data -F event,period
cp out /out/group.txt

step "cycles:pp, and what cannot be so precise"
recordings -e cycles:pp -c 1000000 ./fixed 5000
check near "$(nr_samples said)" "$(nr_samples lerr)" 2
rows ours.data -n --sort sym
same ours theirs

step "throttling is told"
echo 1000 > /proc/sys/kernel/perf_event_max_sample_rate
recordings -e cycles:u -c 20000 ./fixed 5000
perf report -i ours.data --stats
mv out ours
check [ "$(awk '/ THROTTLE events/ { print $3 }' ours)" -gt 0 ]
rows ours.data -n --sort sym
same ours theirs
perf record -F 5000 -o ours.data ./fixed 100
check grep -q 'kernel.perf_event_max_sample_rate' err
finish
