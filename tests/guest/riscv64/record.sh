#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sampling with Sscofpmf, by overflow of cycles, instructions and TLB misses. QEMU counts by the
# host's clock here, so what is known is less than on arm64: both perfs read the same recordings.
# guest: linux=1 programs=fixed
. "$(dirname "$0")/../lib.sh"

# in_order FILE: rows in an order of their own (equal ones have none in Linux's perf)
in_order() {
	# Linux's perf takes "$xrv64..." and ".plt" for names, and counts stubs of the PLT in another way;
	# ours has others there, or none.
	grep -v '^#' "$1" | grep -v 'deregister_tm_clones\|\$xrv64\|\.plt\|@plt\|0x0000' | grep . | sed 's/  */ /g; s/ $//' | sort
}

# rows ARGS...: both report both recordings alike
rows() {
	for data in ours.data theirs.data; do
		perf report -i $data --stdio -n "$@"
		check [ $rc -eq 0 ]
		in_order out > ours
		linux report -i $data --stdio -n --no-inline "$@"
		in_order lout > theirs
		check [ -s ours ]
		same ours theirs
	done
}

# burning ARGS...: recordings of fixed. A busy host lets few of its timers ring in time: then fixed runs longer.
burning() {
	for rounds in 2000 8000 32000; do
		recordings "$@" ./fixed $rounds
		[ "$(nr_samples said)" -lt 30 ] || [ "$(nr_samples lerr)" -lt 30 ] || break
	done
	check [ "$(nr_samples said)" -gt 5 ]
}

step "no -e: cycles"
burning
perf evlist -i ours.data
check [ "$(cat out)" = cycles ]
rows --sort sym
check grep -q fixed_hot ours

for event in cycles instructions; do
	step "$event: -c, each sample one period"
	burning -e $event:u -c 1000000
	rows --show-total-period --sort sym
	perf script -i ours.data -F period
	check [ "$(sort -u out | tr -d ' ')" = 1000000 ]
	check grep -q fixed_hot ours
	# Of few samples on a busy host the shares are not known.
	[ "$(nr_samples said)" -lt 30 ] ||
		check [ "$(awk '/fixed_hot/ { n += $2 } END { print n }' ours)" -gt "$(awk '/fixed_warm/ { n += $2 } END { print n + 0 }' ours)" ]
done

step "dTLB-load-misses, with the addresses"
recordings -d -e dTLB-load-misses -c 100 ./fixed 100
check [ "$(nr_samples said)" -gt 5 ]
rows --sort sym
perf script -i ours.data -F comm,event,period,addr,ip,sym
check grep -q '100 dTLB-load-misses: ' out

step "{cycles,instructions}:S"
burning -e '{cycles,instructions}:Su' -c 1000000
for data in ours.data theirs.data; do
	perf script -i $data -F event,period
	linux script -i $data -F event,period
	same out lout
	check grep -q instructions out
done

step "-g: kernel and user frames"
burning -g -e cycles -c 1000000
for data in ours.data theirs.data; do
	perf script -i $data -F comm,event,ip,sym --no-inline
	linux script -i $data -F comm,event,ip,sym --no-inline
	# 6.12 writes addresses where they were mapped, and has other names for stubs of the PLT.
	sed 's/^\t *[0-9a-f]* //; s/  */ /g; s/^[^ ]*@plt$/[unknown]/' out > ours
	sed 's/^\t *[0-9a-f]* //; s/  */ /g; s/^[^ ]*@plt$/[unknown]/' lout > theirs
	same ours theirs
done
hot=$(grep -c fixed_hot ours)
check [ "$hot" -gt 0 ]
check [ "$(grep -A1 fixed_hot ours | grep -c 'fixed_middle\|fixed_outer')" -eq "$hot" ]

step "files that Linux's perf 6.1 takes: attrs of 128 bytes"
check [ "$(od -A n -t u8 -j 16 -N 8 ours.data | tr -d ' ')" -eq 144 ]
finish
