#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The agreement program must be able to fail: Linux's perf agrees with itself, and with itself
# behind a wrapper that alters one thing it must disagree, naming the check.
#	selftest.sh FILE		FILE has call chains
set -u
here=$(cd "$(dirname "$0")" && pwd)
ref=${PERF_REF:-/usr/bin/perf}
file=${1:?usage: selftest.sh FILE}
[ -x "$ref" ] || { echo "skipped: Linux's perf is not there ('$ref')"; exit 77; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf -- "${dir:?}"' EXIT
trap 'exit 130' INT TERM
bad=0

# expect STATUS PATTERN CHECK: the wrapper's pipe is on standard input as shell text that reads
# the reference's output; PATTERN must be in what the agreement program prints.
expect() {
	{
		printf '#!/bin/sh\n'
		printf '%s "$@" | {\n' "$ref"
		cat
		printf '}\n'
	} > "$dir/perf"
	chmod +x "$dir/perf"
	PERF_REF=$ref PERF=$dir/perf "$here/agree.py" --timeout "${4:-60}" --checks "$3" "$file" \
		> "$dir/said" 2>&1
	status=$?
	if [ $status -eq "$1" ] && grep -q -e "$2" "$dir/said"; then
		return
	fi
	echo "selftest: status $status instead of $1, or '$2' not said:"
	sed 's/^/    /' "$dir/said"
	bad=$((bad + 1))
}

expect 0 '1 of 1 files agree' rows,chains,children,script <<'W'
cat
W
# One sample more in one row; one row gone; one renamed; one event count off; one lost sample.
expect 1 'rows: row' rows <<'W'
awk -F'\t' -v OFS='\t' '!done && /^ *[0-9.]+%/ { $2 = " " $2 + 1; done = 1 } { print }'
W
expect 1 "only Linux's perf has it" rows <<'W'
awk '!done && /^ *[0-9.]+%/ { done = 1; next } { print }'
W
expect 1 'only ours has it' rows <<'W'
awk '!done && /^ *[0-9.]+%/ { $0 = $0 "x"; done = 1 } { print }'
W
expect 1 'rows: event count' rows <<'W'
sed 's/^\(# Event count (approx.): \)/\11/'
W
expect 1 'rows: lost' rows <<'W'
sed 's/^\(# Total Lost Samples: \)/\11/'
W
# One chain counted once more, one lost, two swapped (which is no difference).
expect 1 'chains: chains of' chains <<'W'
awk '!done && /^[0-9]/ { $1++; done = 1 } { print }'
W
expect 1 'chains: chains of' chains <<'W'
awk '!done && /^[0-9]/ { done = 1; next } { print }'
W
expect 1 'chains: entry' chains <<'W'
awk '!done && /^ *[0-9.]+%/ { sub(/[0-9]+[.]/, "99."); done = 1 } { print }'
W
expect 0 '1 of 1 files agree' chains <<'W'
awk '/^[0-9]/ && held == "" { held = $0; next }
     /^[0-9]/ { print; print held; held = ""; next }
     held != "" { print held; held = "" }
     { print } END { if (held != "") print held }'
W
# (All chains of an entry: those with frames that have no name are not compared.)
expect 1 'children: chains of' children <<'W'
awk '/^[0-9]+ .*;/ { sub(/;/, ";planted;") } { print }'
W
# Script: one digit, one line fewer at the end, one more, a byte of a late line.
expect 1 'script: line 1:' script <<'W'
sed '1s/[0-9]/x/'
W
expect 1 'end of output' script <<'W'
sed '$d'
W
expect 1 'end of output' script <<'W'
sed '$p'
W
expect 1 'script: line 1001:' script <<'W'
sed '1001s/$/ /'
W
# A tool that is silent, fails, or does not end.
expect 1 'DIFFERS' rows <<'W'
cat > /dev/null
W
expect 1 'status 3' rows <<'W'
cat; exit 3
W
expect 1 'did not end within 1 s' rows 1 <<'W'
cat > /dev/null; sleep 20
W
if [ $bad -ne 0 ]; then
	echo "selftest: $bad of the checks above did not behave"
	exit 1
fi
echo "selftest: the agreement program can fail"
