#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Short recordings on a busy machine: each sample lies in a map of its program, whoever was faster.
#	RUNS=200 tests/cli/record-maps.sh	by hand; each form so often
. "$(dirname "$0")/../lib.sh"
plan 8
RUNS=${RUNS:-4}

# homeless FILE PROGRAM: how many of its samples lie in no map; and it has some, and its map.
homeless() {
	perf script -F comm,ip,dso -i "$1"
	check [ $rc -eq 0 ]
	check grep -q "^ *$2.*/$2)" out
	grep -c '(\[unknown\])' out
}

# Until the end of the suite: two for each processor that do nothing but work, and one that forks.
load() {
	local i
	for i in $(seq $((2 * $(nproc)))); do
		(while :; do :; done) &
		CHILDREN="$CHILDREN $!"
	done
	(while :; do /bin/true; done) &
	CHILDREN="$CHILDREN $!"
}

# Looked for is what this would do: a recording whose program has its map elsewhere.
step "a sample without a map is seen"
if need_events; then
	perf record -F 4000 -e cpu-clock:u -o x.data "$WORKLOADS/planted" 0.1
	check [ "$(homeless x.data planted)" -eq 0 ]
	python_records - x.data moved.data << 'END'
import struct, sys
from records import records
data = bytearray(open(sys.argv[1], "rb").read())
for kind, at, size in records(data):
    if kind == 10 and b"/planted" in data[at:at + size]:
        struct.pack_into("<Q", data, at + 16, 0x1000)
open(sys.argv[2], "wb").write(data)
END
	perf script -F comm,ip,dso -i moved.data
	check [ "$(grep -c '(\[unknown\])' out)" -gt 10 ]
else
	finish
fi

load
while read -r form program options; do
	step "$RUNS short recordings under load: $form"
	for _ in $(seq "$RUNS"); do
		# shellcheck disable=SC2086 # options are words
		perf record -F 4000 -e cpu-clock:u -o x.data $options
		check [ $rc -eq 0 ]
		check [ "$(homeless x.data "$program")" -eq 0 ]
	done
done << END
plain planted $WORKLOADS/planted 0.02
-a planted -a $WORKLOADS/planted 0.02
-z planted -z $WORKLOADS/planted 0.02
--threads planted --threads $WORKLOADS/planted 0.02
shell,-m_1 planted -m 1 sh -c $WORKLOADS/planted\${IFS}0.02&$WORKLOADS/planted\${IFS}0.02;wait
tasks lives $WORKLOADS/lives 8
END

step "$RUNS short recordings under load of what runs already: -p"
"$WORKLOADS/planted" 1000 > /dev/null &
child=$!
CHILDREN="$CHILDREN $child"
for _ in $(seq "$RUNS"); do
	perf record -F 4000 -e cpu-clock:u -o x.data -p $child sleep 0.1
	check [ $rc -eq 0 ]
	check [ "$(homeless x.data planted)" -eq 0 ]
done

finish
