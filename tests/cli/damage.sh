#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ten thousand seeded damages of real files: in the process of the unit tests, which check that
# every record before the damage is counted, and a part of them through the commands, which must
# neither die nor hang and say what they skipped.
. "$(dirname "$0")/../lib.sh"
unit=$(dirname "$PERF")/unit-tests

step "record small files of several kinds"
need_built record && need_events
perf record -o plain.data -e cpu-clock -F 2000 -- "$WORKLOADS/planted" 0.3
perf record -o chains.data -e cpu-clock -F 500 -g -- "$WORKLOADS/planted" 0.3
perf record -o events.data -e cpu-clock,page-faults -d -T -F 300 -- sh -c 'true; true'
perf record -o fixed.data -e page-faults -c 1 -g -- true
files=''
for file in plain chains events fixed; do
	[ $state = skipped ] || check [ -s $file.data ]
	[ ! -s $file.data ] || [ "$(stat -c %s $file.data)" -gt 900000 ] || files=$files:$PWD/$file.data
done

step "10000 damages in the process"
if [ -z "$files" ]; then
	skip "nothing could be recorded"
elif [ ! -x "$unit" ]; then
	skip "$unit is not built"
else
	count=$(echo "${files#:}" | tr : '\n' | grep -c .)
	PERF_DAMAGE_FILES=${files#:} PERF_DAMAGES=$((10000 / count)) PERF_DAMAGE_SEED=${SEED:-1} \
		timeout 300 "$unit" damage_of_real_files > out 2> err
	rc=$?
	sed 's/^/  # /' out
	check [ $rc -eq 0 ] && check grep -q '^1 passed' out
fi

# damage FILE SEED: a copy with one kind of damage somewhere.
damage() {
	cp "$1" damaged.data
	size=$(stat -c %s "$1")
	RANDOM=$2
	at=$((256 + (RANDOM * 32768 + RANDOM) % (size - 256)))
	case $(($2 % 3)) in
	0) truncate -s $at damaged.data ;;
	1) dd if=/dev/zero of=damaged.data bs=1 seek=$at count=$((RANDOM % 500 + 1)) conv=notrunc 2> /dev/null ;;
	2) dd if=/dev/urandom of=damaged.data bs=1 seek=$at count=$((RANDOM % 40 + 1)) conv=notrunc 2> /dev/null ;;
	esac
}

for command in "report --stdio" "report --stdio --header-only -I" "script"; do
	step "perf $command on damaged files"
	[ -n "$files" ] || skip "nothing could be recorded"
	need_built "${command%% *}"
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		[ $state = ok ] || break
		for file in ${files//:/ }; do
			damage "$file" $((seed + ${SEED:-0}))
			# shellcheck disable=SC2086 # words
			perf $command -i damaged.data
			check test "$rc" = 0 -o "$rc" = 255
			[ $rc -eq 0 ] || check [ -s err ]
		done
	done
done

step "a cut file says so and shows the rest"
[ -n "$files" ] || skip "nothing could be recorded"
need_built report
if [ $state = ok ]; then
	size=$(stat -c %s chains.data)
	head -c $((size / 2)) chains.data > damaged.data
	perf report --stdio -i damaged.data
	check [ $rc -eq 0 ]
	check grep -q planted out
	check [ -s err ]
fi
finish
