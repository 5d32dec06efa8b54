#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make fuzz-coverage`: which lines of each parser the kept inputs and RUNS mutations of the seeds of
# each harness come to. A failure where it is less than 85 % of one (those of parsers.txt).
#	coverage.sh [MAKE]
cd "$(dirname "$0")/../.." || exit 2
MAKE=${1:-make}
RUNS=${RUNS:-3000}
LEAST=85
out=build/check-coverage
for tool in gcc gcov; do
	command -v $tool > /dev/null || { echo "$tool is not installed" && exit 77; }
done
"$MAKE" -s -j"$(nproc)" CC=gcc COVERAGE=1 O=$out fuzz || exit 1
find $out -name '*.gcda' -delete
for harness in tests/fuzz/*_fuzz.c; do
	name=$(basename "$harness" _fuzz.c)
	# All of them, however loaded the machine is: else the figures would differ from run to run.
	LIMIT=110 RUNS=$RUNS tests/fuzz/smoke.sh $out/fuzz/"$name" > "$out/fuzz/$name.log" 2>&1 || {
		cat "$out/fuzz/$name.log" && echo "not ok - $name" && exit 1
	}
done

percent() { # FILE: "97.25 218", percent and lines
	gcov -n -o "$out/${1%/*}" "$1" 2> /dev/null |
		awk -v file="'$1'" '$1 == "File" { on = $2 == file }
			on && sub(/^Lines executed:/, "") { print $1 + 0, $3; on = 0; found = 1 }
			END { if (!found) print 0, 0 }'
}

failed=0
while read -r file least; do
	read -r share lines < <(percent "$file")
	least=${least:-$LEAST} verdict=ok
	awk "BEGIN { exit $share >= $least }" && verdict='not ok' failed=1
	printf '%s - %6.2f %% of %4d lines: %s\n' "$verdict" "$share" "$lines" "$file"
done < <(grep -v '^#' tests/fuzz/parsers.txt)
exit $failed
