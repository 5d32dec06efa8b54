#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat --ci and --compare: figures that say how sure they are. No step depends on how long
# anything takes: what differs for sure is the number of page faults.
. "$(dirname "$0")/../lib.sh"
plan 14
need_events || finish

# One page fault for each page that is written: 1,000 and 3,000.
few="dd if=/dev/zero of=/dev/null bs=4M count=1"
many="dd if=/dev/zero of=/dev/null bs=12M count=1"

step "-r --ci: median, interval, least and most below each row"
perf stat -r 5 --ci -e page-faults,task-clock true
check [ $rc -eq 0 ]
check grep -qE '^ +[0-9]+ +median, 95 % \[[0-9]+, [0-9]+\], all [0-9]+ to [0-9]+$' err
check [ "$(grep -c 'median, 95 %' err)" -eq 3 ] # and of the time

step "-r --ci: fields and members, in order of size"
perf stat -r 5 --ci -x, -e page-faults,mem:0x1001/8:w true
check python3 -c '
row = open("err").readline().split(",")
assert len(row) == 13, row
median, low, high, least, most = map(float, row[4:9])
assert least <= low <= median <= high <= most, row'
perf stat -r 5 --ci -j -e page-faults true
check python3 -c '
import json
row = json.loads(open("err").readline())
assert row["min"] <= row["ci-low"] <= row["median"] <= row["ci-high"] <= row["max"], row'

step "--compare: the first is the reference, the other is higher"
perf stat -e page-faults -r 8 --compare "$few" -- $many
check [ $rc -eq 0 ]
check grep -q 'Comparison of 2 commands, 8 rounds in random order' <(grep -v dd: err)
check grep -q "A: $few" err
check grep -q "B: $many" err
check grep -qE '^ B is [0-9.]+ % \+- [0-9.]+ % higher than A \(page-faults\)$' err

step "judged by the CPU time where its interval is much narrower, which is said"
# Which it is depends on the machine: the table tells. unit/comparison has both cases.
cat > naps << 'END'
naps=(0.01 0.02 0.04 0.08 0.16 0.32)
sleep "${naps[RANDOM % 6]}"
for ((i = 0; i < 20000; i++)); do :; done
END
LIMIT=300 perf stat -r 20 --cmd 'bash naps' --cmd 'bash naps'
check [ $rc -eq 0 ]
check grep -qE '^ +A +B  median B/A  \[99 % interval\]$' err
check python3 -c '
import re
text = open("err").read()
width = {}
for name in ("time elapsed", "task-clock"):
    low, high = map(float, re.search(name + r".*\[([\d.]+), ([\d.]+)\]", text).groups())
    width[name] = high - low
times = width["time elapsed"] / width["task-clock"]
said = re.search(r"^ Judged by task-clock, whose interval is (\d+) times narrower than that of time elapsed\.$", text, re.M)
verdict = re.search(r"^ B (is .* \(task-clock\)|and A do not differ in task-clock; .*)$", text, re.M)
assert bool(said) == bool(verdict)
assert said or times < 3.2, times
assert not said or times > 2.8 and abs(int(said[1]) - times) < 1 + 0.05 * times, times'
perf stat -e page-faults -r 10 --cmd true --cmd true
refute grep -q 'Judged by' err

step "--cmd: lines of JSON for programs, one for each command and event"
perf stat -j -e page-faults,mem:0x1001/8:w -r 8 --cmd "$many" --cmd "$few" --cmd "$many"
check [ $rc -eq 0 ]
grep '^{' err > rows
check python3 -c '
import json
rows = [json.loads(line) for line in open("rows")]
assert len(rows) == 6
less, alike = rows[1], rows[4]
assert less["event"] == "page-faults" and less["verdict"] == "less", less
assert less["ratio-low"] <= less["ratio"] <= less["ratio-high"] < 1 and less["rounds"] == 8
assert alike["verdict"] in ("alike", "less", "more") and abs(alike["ratio"] - 1) < 0.05
assert rows[2]["median"] is None and rows[2]["verdict"] == "unknown"'

step "--cmd with -x"
perf stat -x, -e page-faults -r 8 --cmd "$few" --cmd "$many"
check grep -qE '^B,page-faults,,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,8,more$' err

step "what the commands write is shown once, with -v in each round"
say='sh -c "echo out; echo err >&2; echo run >> runs"'
perf stat -e page-faults -r 4 --cmd "$say" --cmd "$say"
check [ $rc -eq 0 ]
check [ "$(grep -c '^run$' runs)" -eq 8 ]
check [ "$(grep -c '^out$' out)" -eq 2 ]
check [ "$(grep -c '^err$' err)" -eq 2 ]
perf stat -v -e page-faults -r 4 --cmd "$say" --cmd "$say"
check [ "$(grep -c '^out$' out)" -eq 8 ]
check [ "$(grep -c '^err$' err)" -eq 8 ]

step "too few rounds: said, and no verdict"
perf stat -e page-faults -r 3 --cmd true --cmd "true x"
check [ $rc -eq 0 ]
check grep -q 'Nothing can be said about B and A: 8 rounds are needed' err

step "--precision: ends when the interval is narrow"
perf stat -e page-faults --precision 50% --cmd "$few" --cmd "$many"
check grep -q '2 commands, 10 rounds' err
perf stat -e page-faults --cmd "$few" --cmd "$few" # 1 % without being asked
check grep -q '2 commands, 10 rounds' err
perf stat -e page-faults -r 12 --precision 0.001% --cmd true --cmd "dd if=/dev/urandom of=/dev/null bs=64k count=1"
check grep -qE '2 commands, 1[0-2] rounds' err
perf stat -e page-faults -r 11 --cmd "$few" --cmd "$few"
check grep -q '2 commands, 11 rounds' err

step "nothing is done with a shell: quotes are read, the rest refused with its place"
perf stat -r 1 -e page-faults --cmd "touch 'a b' \"c'd\" e\\ f" --cmd true
check [ -e 'a b' -a -e "c'd" -a -e 'e f' ]
for text in 'true | cat' 'true > x' 'true; touch y' 'echo $HOME' 'true `touch y`' "true 'open" ''; do
	perf stat --cmd "$text" --cmd true
	check [ $rc -eq 129 ]
	check grep -q 'cannot split' err
done
check [ ! -e y ]

step "commands that fail are said; their status is ours"
perf stat -r 2 -e page-faults --cmd true --cmd "sh -c 'exit 3'"
check [ $rc -eq 3 ]
check grep -q 'B failed in 2 runs, with exit status 3' err
perf stat -r 2 -e page-faults --cmd true --cmd "sh -c 'kill -9 \$\$'"
check grep -q 'B died in 2 runs: Killed' err
perf stat --cmd nosuch-command --cmd true
check [ $rc -eq 255 ]

step "what does not go together"
while IFS='|' read -r line text; do
	eval "perf stat $line"
	check [ $rc -eq 234 ]
	check grep -qF -e "$text" err
done << 'EOF'
--ci true|--ci is only supported with -r
--precision 1% true|--precision is only supported with --compare
--cmd true|--cmd is needed twice at least
--cmd true --cmd true true|none behind the options
--compare true|--compare needs a second command
--compare true --cmd true true|cannot be used together
-a --compare true true|not with -a, -C, -p and -t
-I 100 --compare true true|not supported with -I
-r 0 --compare true true|has to end
EOF
perf stat --precision 1 --cmd true --cmd true
check [ $rc -eq 129 ]
check grep -q 'a percentage' err

step "why nothing can be counted is said once, not in each run"
if [ -x "$WORKLOADS/forbid" ] && "$WORKLOADS/forbid" 38 true 2> /dev/null; then # ENOSYS
	for how in '' -v; do
		# shellcheck disable=SC2086
		"$WORKLOADS/forbid" 38 "$PERF" stat $how -r 2 -e page-faults --cmd true --cmd true 2> err
		check [ $? -eq 0 ]
		check [ "$(grep -c 'seccomp filter answers' err)" -eq 1 ]
	done
else
	skip "no seccomp filter can be set"
fi

step "^C: what was measured so far"
rm -f runs # of a step before
ran_often() { grown runs 20; }
perf_signal INT ran_often stat -e page-faults -r 100000 --cmd 'sh -c "echo >> runs"' --cmd 'sh -c "echo >> runs; :"'
check grep -q 'Comparison of 2 commands' err
finish
