#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every suite must fail with a perf (and unit tests) that do nothing, and this is asked of every suite
# each time, up to its first failure. What has failed when its time is over has failed. One that skips
# itself must do so with the perf under test, too.
#
# Steps that are content with nothing and status 0 are listed in empty.txt, as SUITE: STEP. The list
# may only shrink: a step that is not in it is a failure, so is a row whose step fails now. For that a
# suite runs to its end, with all that it prepares, and what it says then depends on little but its own
# text. So in a run of all suites these go whole, and with a perf that ends with status 1 as well:
# those whose text is another than the one that empty.sums knows, and a sixteenth of the others by turns
# (turn.sh). WHOLE=yes, and suites that are named: all of them.
#
#	empty.sh [SUITE]...	only these: cli/report
#	empty.sh --write [SUITE]...	the same; texts of those that did well are known from then on
#	BOUND			seconds for each, 60
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
export WORKLOADS=${WORKLOADS:-$PWD/build/workloads} PICTURE=no AGAIN=yes LIMIT=5 PERF_REF=${PERF_REF:-/usr/bin/perf}
real=$(readlink -f "${PERF:-build/perf}")
dir=$(mktemp -d /tmp/test-perf-XXXXXX) || exit 2
trap 'rm -rf -- "${dir:?}"' EXIT
trap 'exit 130' INT TERM
suites=(tests/cli/*.sh)
suites=("${suites[@]#tests/}")
suites=("${suites[@]%.sh}" compat/stacks compat/annotate compat/run demo)
write=''
[ "${1:-}" != --write ] || { write=yes && shift; }
[ $# -eq 0 ] || suites=("$@") WHOLE=yes

# sum SUITE: of its text
sum() {
	cksum < "tests/$1.sh" | tr -s ' ' -
}

. tests/turn.sh
whole=()
for i in "${!suites[@]}"; do
	if [ "${WHOLE:-}" = yes ] || ! grep -qxF "${suites[i]} $(sum "${suites[i]}")" tests/empty.sums || is_turn "$i" 16; then
		whole+=("${suites[i]}")
	fi
done

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
	compat/run) command="$command shell-ours" ;;
	demo) command="$command $1 $WORKLOADS/planted" ;;
	esac
	# shellcheck disable=SC2086
	PERF=$1 STOP=$4 setsid tests/job.py "$bound" $command > "$3" 2>&1 < /dev/null
	echo "status $?" >> "$3"
}

skips_itself() {
	grep -qx 'status 0' "$1" && grep -q '^skip - ' "$1" && ! grep -qE '^(not )?ok ' "$1"
}

# judge STATUS SUITE STOP
judge() {
	local status=$1 suite=$2 stop=$3 log=$dir/$1/${2//\//-} ended since=$SECONDS
	run "$dir/$status/perf" "$suite" "$log" "$stop"
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
		[ "$stop" = yes ] || ended="$ended, whole"
		echo "ok - $suite fails with a perf that does nothing, status $status ($ended, $((SECONDS - since)) s)"
	fi
}
export -f judge run skips_itself
export dir real

# The longest first.
{
	printf '0 %s no\n' "${whole[@]}"
	printf '%s\n' "${suites[@]}" | grep -vxF "$(printf '%s\n' "${whole[@]}")" | sed 's/.*/0 & yes/'
	printf '1 %s yes\n' "${whole[@]}"
} | xargs -P "${JOBS:-2}" -L 1 bash -c 'judge "$@" > "$dir/said.$1.${2//\//-}"; cat "$dir/said.$1.${2//\//-}"' judge | tee "$dir/said"

# Rows of other suites, when some are named, do not matter.
wanted=$(printf '%s|' "${suites[@]}")
grep -E "^(${wanted%|}): " tests/empty.txt | sort > "$dir/listed"
cat "$dir"/0/*.ok | sort > "$dir/ok"
echo "# content with nothing:"
comm -13 "$dir/listed" "$dir/ok" | tee "$dir/new" | sed 's/^/  # not in tests\/empty.txt: /'
sed -n 's/^ok - \([^ ]*\) fails .*, status 0 (.*[0-9], whole, [0-9]* s)$/\1/p' "$dir/said" > "$dir/ended"
while read -r suite; do
	grep "^$suite: " "$dir/listed"
done < "$dir/ended" | sort > "$dir/due"
sort "$dir"/0/*.ok "$dir"/0/*.skipped | comm -23 "$dir/due" - | tee "$dir/mended" | sed 's/^/  # remove it from tests\/empty.txt: /'
[ ! -s "$dir/new" ] && new=ok || new='not ok'
[ ! -s "$dir/mended" ] && mended=ok || mended='not ok'
echo "$new - no other step is content with nothing"
echo "$mended - every step of the list is"
echo "# ${#whole[@]} of ${#suites[@]} suites were run to their end"
if [ -n "$write" ]; then
	# Of those that were cut off is known what is asked of them each time: that they fail before.
	sed -n 's/^ok - \([^ ]*\) fails .*, status 0 (.*, whole, [0-9]* s)$/\1/p' "$dir/said" | while read -r suite; do
		cat "$dir/new" "$dir/mended" | grep -q "^$suite: " || echo "$suite $(sum "$suite")"
	done | sort > "$dir/sums"
	cut -d ' ' -f 1 "$dir/sums" | sed 's/$/ /' > "$dir/names"
	grep -vF -f "$dir/names" tests/empty.sums | sort - "$dir/sums" > "$dir/all"
	cat "$dir/all" > tests/empty.sums
fi
[ "$new$mended" = okok ] && ! grep -q '^not ok' "$dir/said"
