#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The tool that compares what two perfs say (tests/same-output.py) finds a byte that is not the same, and
# tells it from what is never the same. Comparing two perfs with it is done by hand.
. "$(dirname "$0")/../lib.sh"
plan 3

# compare BEFORE AFTER FILTER: out, err, rc
compare() {
	"$TESTS/same-output.py" "$1" "$2" -j 2 "$3" > out 2> err < /dev/null
	rc=$?
	check [ ! -s err ]
}

# instead NAME LINE COMMAND ...: a perf that runs the command for these words.
instead() {
	local file=$1
	shift
	{
		printf '#!/bin/sh\ncase "$*" in\n'
		while [ $# -gt 0 ]; do
			printf "'%s') %s; exit ;;\n" "$1" "$2"
			shift 2
		done
		printf 'esac\nexec %q "$@"\n' "$PERF"
	} > "$file"
	chmod +x "$file"
}
lines='rec/i386 .*(-s comm|-F ip|-F$)|inject -i rec/i386'
real="$PERF \"\$@\""

step "a perf is the same as itself, in 200 lines and more, none of them twice"
"$TESTS/same-output.py" --list "$PERF" "$PERF" > list
check [ "$(wc -l < list)" -ge 200 ]
check [ "$(sort -u list | wc -l)" -eq "$(wc -l < list)" ]
compare "$PERF" "$PERF" "$lines"
check [ $rc -eq 0 ]
same=$(sed -nE '$s/^([0-9]+) the same, 0 differ, 0 unsteady$/\1/p' out)
check [ "${same:-0}" -gt 10 ]

step "one byte of stdout, of stderr, of a file, or the status: found, and nothing else"
instead changed 'report -i rec/i386 --stdio -s comm' "$real | sed '\$s/\$/ /'" \
	'script -i rec/i386 -F ip' "$real; echo >&2" \
	'evlist -i rec/i386 -F' "$real; exit 3" \
	'inject -i rec/i386 -b -o out.data' "$real; printf x >> out.data"
instead unchanged # the header of what inject writes tells the path of the perf that ran
compare ./unchanged ./changed "$lines"
check [ $rc -eq 1 ]
check grep -qx "$((${same:-0} - 4)) the same, 4 differ, 0 unsteady" out
grep -E '^differs|^  [^ ]' out > found
sed -i 's/[0-9]* and [0-9]* bytes/N and N+1 bytes/' found
check diff found - << 'END'
differs: perf evlist -i rec/i386 -F
  status:
differs: perf inject -i rec/i386 -b -o out.data
  file out.data: N and N+1 bytes, from the shorter one's end on
differs: perf report -i rec/i386 --stdio -s comm
  stdout:
differs: perf script -i rec/i386 -F ip
  stderr:
END

step "what is never the same is unsteady, and does not count"
instead random 'report -i rec/i386 --stdio -s comm' 'date +%N' 'script -i rec/i386 -F ip' 'exit 9'
compare ./random ./random "$lines"
check [ $rc -eq 0 ]
check grep -qx "$((${same:-0} - 2)) the same, 0 differ, 2 unsteady" out
check grep -qx "unsteady: perf report -i rec/i386 --stdio -s comm: its stdout is not the same twice" out
check grep -qx "unsteady: perf script -i rec/i386 -F ip: its status is 9" out
compare ./random ./random 'rec/i386 -F ip$'
check [ $rc -eq 1 ]
check grep -qx 'too few lines are steady' out
finish
