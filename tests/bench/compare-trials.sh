#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# By hand (ten minutes on a quiet machine): does perf stat --compare find a loop of 0.5 s
# that is 2 % slower, and nothing between equal ones? compare-trials.sh [TRIALS [EVENT [ROUNDS]]]
# Each trial's ratios and intervals go to stderr, for the event and for the time elapsed.
set -eu
trials=${1:-20} event=${2:-task-clock}
how=(${3:+-r "$3"})
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

# Both at once, A against its equal B and against C: three runs a round, not four.
for ((i = 0; i < trials; i++)); do
	"$perf" stat -x, -e "$event" "${how[@]}" --cmd "$dir/loop $turns" --cmd "$dir/loop $turns" \
		--cmd "$dir/loop $((turns * 102 / 100))" 2>&1 | tee -a /dev/stderr
done | awk -F, -v event="$event" '
$2 == event { nr[$1 "-" $NF]++; rounds[$1] += $9 }
END {
	printf "planted 2 %%: %d slower, %d faster, %d alike\n", nr["C-slower"], nr["C-faster"], nr["C-alike"]
	printf "equal: %d slower, %d faster, %d alike\n", nr["B-slower"], nr["B-faster"], nr["B-alike"]
	printf "rounds: %d in all\n", rounds["B"]
}'
