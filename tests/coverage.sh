#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Line coverage of what reads and writes perf.data by the unit tests: a table, and a failure below 90 % of all.
#	coverage.sh [MAKE]
cd "$(dirname "$0")/.." || exit 2
MAKE=${1:-make}
LEAST=90
out=build/check-coverage
for tool in gcc gcov; do
	command -v $tool > /dev/null || { echo "$tool is not installed" && exit 77; }
done
"$MAKE" -s -j2 CC=gcc COVERAGE=1 O=$out $out/unit-tests || exit 1
find $out -name '*.gcda' -delete
# (The oracle of the machine is another room's, and takes most of the time. Functions made for
# coverage have no debug information.)
$out/unit-tests -machine_ -debug_info_agrees > $out/unit.log || { grep '^FAIL' $out/unit.log && exit 1; }

percent() { # FILE: "97.25% of 218"; nothing when no test runs any of it
	gcov -n -o "$out/${1%/*}" "$1" 2> /dev/null |
		awk -v file="'$1'" '$1 == "File" { on = $2 == file }
			on && sub(/^Lines executed:/, "") { print; exit }'
}

# By file for those who write tests; the promise is about all rooms together.
for file in util/{format,reader,writer,synthesize}/*.c; do
	echo "$file: $(percent "$file")"
done | tee $out/table | sed 's/^/  # /'
awk -v least=$LEAST '{ sub(/%/, "", $2); lines += $4; hit += $2 * $4 / 100 }
	END { share = lines ? 100 * hit / lines : 0
		printf "%s - perf.data: %.2f%% of %d lines covered\n", share < least ? "not ok" : "ok", share, lines
		exit share < least }' $out/table
