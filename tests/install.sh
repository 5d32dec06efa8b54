#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make install` puts the program, its pages and the documents below DESTDIR and PREFIX, and
# nothing anywhere else; and what other targets of the Makefile promise.
#	install.sh MAKE
cd "$(dirname "$0")/.." || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf -- "${dir:?}"' EXIT
"$1" -s install DESTDIR="$dir" > "$dir.log" 2>&1
status=$?
cat "$dir.log" && rm -f "$dir.log"
[ $status -eq 0 ] || { echo "not ok - make install ends with $status" && exit 1; }
at=$dir/usr/local
wanted="$at/bin/perf $at/include/perf/perf_dlfilter.h $at/share/doc/perf/README $at/share/doc/perf/LICENSE $at/share/doc/perf/guide.txt"
wanted="$wanted $at/share/bash-completion/completions/perf $at/share/zsh/site-functions/_perf"
for table in events/*/*.json events/*/*.csv events/*/*/*.json; do
	wanted="$wanted $at/share/perf/$table"
done
if command -v asciidoctor > /dev/null; then
	for page in Documentation/perf.txt Documentation/perf-*.txt; do
		wanted="$wanted $at/share/man/man1/$(basename "$page" .txt).1"
	done
fi
for file in $wanted; do
	[ -s "$file" ] || { echo "not ok - ${file#"$dir"} is not installed" && exit 1; }
done
"$at/bin/perf" --version | grep -q '^perf version' || { echo "not ok - it does not run" && exit 1; }
stray=$(find "$dir" -type f ! -path "$at/bin/perf" ! -path "$at/share/*" ! -path "$at/include/perf/perf_dlfilter.h")
[ -z "$stray" ] || { echo "not ok - stray files: $stray" && exit 1; }
echo "ok - make install"
# The folder of that name is there, and is no reason to do nothing.
"$1" -n build O="$dir/new" | grep -q -- "-c perf\.c" || { echo "not ok - make build makes nothing" && exit 1; }
echo "ok - make build builds perf"
mkdir "$dir/precious" && : > "$dir/precious/file"
"$1" -s O="$dir/precious" clean > "$dir/log" 2>&1 && echo "not ok - make clean removes any folder" && exit 1
[ -e "$dir/precious/file" ] || { echo "not ok - make clean emptied a folder of somebody else" && exit 1; }
echo "ok - make clean removes build folders only"
