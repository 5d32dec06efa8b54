#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The unit tests, and which lines of what reads and writes perf.data they run: a table, and a failure
# below 90 % of all. In `make check` the build without optional libraries is the one that counts lines:
# its unit tests run anyhow (`make coverage` counts with all libraries).
#	coverage.sh BUILD [WORD]...	built with COVER="$(coverage.sh --rooms)"; words for unit-tests
#	coverage.sh --make MAKE	builds one
cd "$(dirname "$0")/.." || exit 2
rooms='format reader writer synthesize'
LEAST=90
case ${1:-} in
--rooms) echo "$rooms" && exit ;;
--make)
	out=build/check-coverage
	"$2" -s -j2 CC=gcc CFLAGS='-O0 -g1' COVER="$rooms" O=$out $out/unit-tests || exit 1
	shift 2
	;;
*) out=$1 && shift ;;
esac
dir=$(mktemp -d /tmp/test-perf-XXXXXX) || exit 2
trap 'rm -rf -- "${dir:?}"' EXIT
# Not what the build's perf did, but these tests alone.
GCOV_PREFIX=$dir "$out/unit-tests" "$@"
status=$?
if ! command -v gcov > /dev/null; then
	echo "skip - lines covered: gcov is not installed"
	exit $status
fi
for room in $rooms; do
	mkdir -p "$dir$PWD/$out/util/$room"
	cp "$out/util/$room"/*.gcno "$dir$PWD/$out/util/$room"
done

percent() { # FILE: "97.25% of 218"; nothing when no test runs any of it
	gcov -n -o "$dir$PWD/$out/${1%/*}" "$1" 2> /dev/null |
		awk -v file="'$1'" '$1 == "File" { on = $2 == file }
			on && sub(/^Lines executed:/, "") { print; exit }'
}

# By file for those who write tests; the promise is about all rooms together.
for room in $rooms; do
	for file in util/"$room"/*.c; do
		case $file in */compress.c) grep -q HAVE_ZSTD "$out/.flags" || continue ;; esac # that library's alone
		echo "$file: $(percent "$file")"
	done
done | tee "$dir/table" | sed 's/^/  # /'
awk -v least=$LEAST '{ sub(/%/, "", $2); lines += $4; hit += $2 * $4 / 100 }
	END { share = lines ? 100 * hit / lines : 0
		printf "%s - perf.data: %.2f%% of %d lines covered\n", share < least ? "not ok" : "ok", share, lines
		exit share < least }' "$dir/table" && exit $status
exit 1
