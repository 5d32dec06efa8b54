#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# By hand (a quarter of an hour on a quiet machine): does perf stat --compare find a loop of 0.5 s
# that is 2 % slower, and nothing between equal ones? compare-trials.sh [TRIALS [EVENT [ROUNDS]]]
# Each trial's ratio and interval go to stderr, for the event and for the time elapsed.
set -eu
trials=${1:-20} event=${2:-task-clock} rounds=${3:-20}
perf=$(readlink -f "${PERF:-$(dirname "$0")/../../build/perf}")
dir=$(mktemp -d)
trap 'rm -rf -- "${dir:?}"' EXIT
export HOME=$dir LC_ALL=C
cat > "$dir/loop.c" << 'EOF'
#include <stdlib.h>
int main(int argc, char **argv)
{
	for (volatile unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0; n; n--)
		;
}
EOF
cc -O1 -o "$dir/loop" "$dir/loop.c"

# How many turns take half a second: 100 million are timed.
ms=$("$perf" stat -r 5 --ci -x, -e task-clock "$dir/loop" 100000000 2>&1 | cut -d, -f 5)
turns=$(awk -v ms="$ms" 'BEGIN { printf "%d", 100000000 * 500 / ms }')

verdicts() {
	local i
	for ((i = 0; i < trials; i++)); do
		"$perf" stat -x, -e "$event" -r "$rounds" --cmd "$dir/loop $turns" --cmd "$dir/loop $1" 2>&1 |
			awk -F, -v event="$event" '{ print > "/dev/stderr" } $2 == event { print $NF }'
	done | sort | uniq -c | awk '{ printf "%s%d %s", sep, $1, $2; sep = ", " }'
}

echo "planted 2 %, $trials trials of $rounds rounds, $event: $(verdicts $((turns * 102 / 100)))"
echo "equal, $trials trials of $rounds rounds, $event: $(verdicts "$turns")"
