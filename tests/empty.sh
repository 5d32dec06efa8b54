#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every suite must fail with a perf (and unit tests) that do nothing, whether they end with status 0
# or 1; with 1, up to its first failure. What has failed when its time is over has failed.
# One that skips itself must do so with the perf under test, too. Steps that are content with nothing
# and status 0 are listed in empty.txt, as SUITE: STEP. The list may only shrink: a step that is not
# in it is a failure, so is a row whose step fails now.
#
#	empty.sh [SUITE]...	only these: cli/report
#	BOUND			seconds for each, 60
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
export WORKLOADS=${WORKLOADS:-$PWD/build/workloads} PICTURE=no AGAIN=yes LIMIT=5 PERF_REF=${PERF_REF:-/usr/bin/perf}
real=$(readlink -f "${PERF:-build/perf}")
dir=$(mktemp -d /tmp/test-perf-XXXXXX) || exit 2
trap 'rm -rf -- "${dir:?}"' EXIT
trap 'exit 130' INT TERM
[ $# -gt 0 ] || {
	suites=(tests/cli/*.sh)
	suites=("${suites[@]#tests/}")
	set -- "${suites[@]%.sh}" compat/stacks compat/annotate compat/run demo
}

for status in 0 1; do
	mkdir "$dir/$status"
	echo "int main(void) { return $status; }" | "${CC:-cc}" -static -x c -o "$dir/$status/perf" - || exit 2
	ln -s perf "$dir/$status/unit-tests"
	ln -s "${real%/*}/.flags" "$dir/$status/"
done
mkdir "$dir/real"

# run PERF SUITE LOG STOP: its status is the last line of the log; STOP=yes: it ends with its first failure
run() {
	local command=tests/$2.sh bound=${BOUND:-60}
	case $2 in
	compat/run) command="$command shell-ours" bound=$((4 * bound)) ;; # it builds its programs first
	demo) command="$command $1 $WORKLOADS/planted" ;;
	esac
	# shellcheck disable=SC2086
	PERF=$1 STOP=$4 setsid tests/job.py "$bound" $command > "$3" 2>&1 < /dev/null
	echo "status $?" >> "$3"
}

skips_itself() {
	grep -qx 'status 0' "$1" && grep -q '^skip - ' "$1" && ! grep -qE '^(not )?ok ' "$1"
}

judge() {
	local status=$1 suite=$2 log=$dir/$1/${2//\//-} ended since=$SECONDS stop=no
	[ "$status" -eq 0 ] || stop=yes
	run "$dir/$status/perf" "$suite" "$log" $stop
	ended=$(tail -n 1 "$log")
	sed -n "s|^ok - |$suite: |p" "$log" > "$log.ok"
	sed -n "s|^skip - |$suite: |p" "$log" | sed 's/: [^:]*$//' > "$log.skipped"
	if [ "$ended" = "status 77" ]; then
		echo "skip - $suite: $(tail -n 2 "$log" | head -n 1)"
	elif skips_itself "$log" && run "$real" "$suite" "$log.real" no && skips_itself "$log.real"; then
		echo "skip - $suite: it skips itself here"
	elif [ "$ended" = "status 0" ] || { [ "$ended" = "status 124" ] && ! grep -v 'the file ended here' "$log" |
		grep -qE '^(not ok|BAD|FAIL) |^  # .* is (false|true) \(status of perf'; }; then
		tail -n 5 "$log" | sed 's/^/  # /'
		echo "not ok - $suite fails with a perf that does nothing, status $status"
	else
		[ "$ended" != "status 124" ] || ended="status 124, cut off"
		echo "ok - $suite fails with a perf that does nothing, status $status ($ended, $((SECONDS - since)) s)"
	fi
}
export -f judge run skips_itself
export dir real

for status in 0 1; do
	printf "$status %s\n" "$@"
done | xargs -P "${JOBS:-3}" -L 1 bash -c 'judge "$@" > "$dir/said.$1.${2//\//-}"; cat "$dir/said.$1.${2//\//-}"' judge | tee "$dir/said"

# Rows of other suites, when some are named, do not matter.
wanted=$(printf '%s|' "$@")
grep -E "^(${wanted%|}): " tests/empty.txt | sort > "$dir/listed"
cat "$dir"/0/*.ok | sort > "$dir/ok"
echo "# content with nothing:"
comm -13 "$dir/listed" "$dir/ok" | tee "$dir/new" | sed 's/^/  # not in tests\/empty.txt: /'
for suite in $(sed -n 's/^ok - \([^ ]*\) fails .*, status 0 (.*[^f], [0-9]* s)$/\1/p' "$dir/said"); do
	grep "^$suite: " "$dir/listed"
done | sort > "$dir/due"
sort "$dir"/0/*.ok "$dir"/0/*.skipped | comm -23 "$dir/due" - | tee "$dir/mended" | sed 's/^/  # remove it from tests\/empty.txt: /'
[ ! -s "$dir/new" ] && new=ok || new='not ok'
[ ! -s "$dir/mended" ] && mended=ok || mended='not ok'
echo "$new - no other step is content with nothing"
echo "$mended - every step of the list is"
[ "$new$mended" = okok ] && ! grep -q '^not ok' "$dir/said"
