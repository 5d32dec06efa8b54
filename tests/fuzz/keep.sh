#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Inputs that come to more lines, found by libFuzzer and kept: corpus/NAME.tar.gz, the fewest and
# smallest that come to each. 100 kB for a harness at most; the largest go first.
#	tests/fuzz/keep.sh SECONDS [NAME]...	(after make fuzz libfuzzer)
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
if [ $# -eq 0 ]; then
	mapfile -t names < <(basename -s _fuzz.c tests/fuzz/*_fuzz.c)
	set -- "${names[@]}"
fi
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # folders made for each run: ten times as fast
dir=$(mktemp -d -t perf-fuzz-XXXXXX)
trap 'rm -rf -- "${dir:?}"' EXIT
export LSAN_OPTIONS=suppressions=$PWD/tests/leaks.txt:print_suppressions=0
for name; do
	program=$PWD/build-libfuzzer/fuzz/$name kept=$PWD/tests/fuzz/corpus/$name
	mkdir "$dir/$name" "$dir/$name"/{all,few}
	cd "$dir/$name"
	"$OLDPWD/build/fuzz/$name" -w all
	[ ! -e "$kept.tar.gz" ] || tar -xzf "$kept.tar.gz" -C all
	[ ! -d "$kept" ] || cp "$kept"/* all/
	"$program" -max_total_time="$seconds" -max_len=16384 -rss_limit_mb=2048 -timeout=20 all > log 2>&1 ||
		{ tail -n 40 log && echo "$name: the input is in $dir/$name" && trap - EXIT && exit 1; }
	grep -a '^Done\|^stat::average' log | sed "s|^|$name: |"
	"$program" -merge=1 -use_counters=0 few all > log 2>&1
	while [ "$(tar -C few -cz . | wc -c)" -gt 100000 ]; do
		find few -type f -printf '%s %p\n' | sort -rn | awk 'NR == 1 { print $2 }' | xargs rm
	done
	tar -C few --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c . | gzip -9n > "$kept.tar.gz"
	echo "$name: $(find few -type f | wc -l) inputs, $(wc -c < "$kept.tar.gz") bytes"
	cd "$OLDPWD"
done
