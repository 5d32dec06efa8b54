#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Counters of several processors: -a, -A, -I, --per-core and the like.
# guest: linux=1 programs=fixed smp=2
. "$(dirname "$0")/../lib.sh"

# rows FILE COLUMN...: these columns of -x,
rows() {
	file=$1
	shift
	awk -F, -v want="$*" 'BEGIN { n = split(want, w, " ") }
		NF > 3 { for (i = 1; i <= n; i++) printf "%s ", $w[i]; print "" }' "$file"
}

# alike COLUMNS ARGS...: both say the same in these columns of -x,
alike() {
	columns=$1
	shift
	perf stat -x, "$@"
	linux stat -x, "$@"
	check [ $rc -eq $lrc ]
	# shellcheck disable=SC2086
	rows err $columns > ours
	# shellcheck disable=SC2086
	rows lerr $columns > theirs
	same ours theirs
	check [ -s ours ]
}

step "-a counts what runs elsewhere, too"
./fixed 3000000000 &
busy=$!
perf stat -x, -a -e instructions:u sleep 0.3
check [ "$(count err instructions:u)" -gt 20000000 ]
perf stat -x, -C 0 -e instructions:u sleep 0.3
one=$(count err instructions:u)
perf stat -x, -C 1 -e instructions:u sleep 0.3
check [ $((one + $(count err instructions:u))) -gt 20000000 ]
kill $busy

step "-A: a row for each processor"
alike "1 4" -A -a -e cycles,instructions sleep 0.1 # CPUn, event
awk -F, 'NF > 3 { print $1, $4, ($2 ~ /^[0-9]+$/) }' err > ours
check [ "$(cut -d' ' -f1 ours | sort -u | tr '\n' ' ')" = "CPU0 CPU1 " ]
refute grep -v ' 1$' ours

step "--per-core, --per-socket, --per-node, --per-thread"
alike "1 2 5" --per-core -a -e cycles,instructions sleep 0.1
alike "1 2 5" --per-socket -a -e cycles,instructions sleep 0.1
alike "1 2 5" --per-die -a -e cycles,instructions sleep 0.1
alike "1 2 5" --per-node -a -e cycles,instructions sleep 0.1
./fixed 3000000000 &
busy=$!
perf stat -x, --per-thread -p $busy -e instructions:u sleep 0.1
check grep -q "^fixed-$busy,[0-9]*,,instructions:u," err
kill $busy

step "-I: the intervals add up to the whole"
perf stat -x, -I 100 -e instructions:u ./fixed 50000
check [ $rc -eq 0 ]
check [ "$(grep -c instructions:u err)" -gt 1 ]
sum=$(awk -F, '{ n += $2 } END { printf "%d", n }' err)
perf stat -x, -e instructions:u ./fixed 50000
check near "$sum" "$(count err instructions:u)" 1
perf stat -I 100 -a -e cycles sleep 0.35
check [ "$(grep -c ' cycles' err)" -ge 3 ]

step "multiplexed on all processors"
perf stat -x, -a -e cycles,cycles,cycles,cycles,instructions,instructions,instructions,instructions,instructions,instructions sleep 0.3
check [ "$(awk -F, '$5 < 99' err | wc -l)" -gt 3 ]
finish
