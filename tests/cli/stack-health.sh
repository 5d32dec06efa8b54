#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stack health: programs whose chains all end in one planted way, and the cause that is named.
. "$(dirname "$0")/../lib.sh"
plan 50
command -v python3 > /dev/null || skip_all "the JSON: python3 is not installed"
need_events || finish
"$WORKLOADS/stacks" good 0 || skip_all "the planted stacks: written for x86-64"

# The line that a head begins its verdict with: what to do, of how many stacks, where most stop.
LINE='^# Stacks: [a-z][^:]*: (under )?[0-9.]+ % (end early|(may )?lack callers)( \(most at [^ ]+( tid [0-9]+)?, [0-9.]+ %\))?$'

# one_line: it is there once, in the last output, and short.
one_line() {
	check [ "$(grep -cE "$LINE" out)" = 1 ]
	check [ "$(grep -E "$LINE" out | wc -c)" -le 101 ]
}

# said FILE CAUSE: share, cause and fix are in the head of a report and of a script, and in exports.
said() {
	local limit=${MAX_STACK:-127} text fix
	text=$(python3 -c '
import json, sys
ends = json.load(open("out"))["events"][0]["ends"]
print(*("%(cause)s; %(fix)s" % e for e in ends if e["end"] == sys.argv[1]), sep="\n")' "$2" | head -n 1)
	check [ -n "$text" ]
	fix=${text#*; }
	for command in 'report --stdio' 'report --stdio --no-children' 'script --header' 'script --header -F comm'; do
		# shellcheck disable=SC2086 # words
		perf $command --max-stack "$limit" -i "$1"
		one_line
		check [ "$(grep -E "$LINE" out | grep -cF "# Stacks: $fix: ")" = 1 ]
	done
	case $2 in *--max-stack) return 0 ;; esac # the others have no limit
	perf data convert --force --to-json said.json -i "$1"
	check python3 - "$text" << 'END'
import json, sys
health = json.load(open("said.json"))["stack-health"]
ends = [e for e in health["events"][0]["ends"] if "%s; %s" % (e.get("cause"), e.get("fix")) == sys.argv[1]]
assert ends and sum(e["stacks"] for e in ends) >= 0.8 * health["stacks"], health
assert health["not-complete"] + health["not-known"] >= 0.9 * health["stacks"], health
END
	perf inject --convert-callchain -i "$1" -o said.data
	check grep -qE 'it was not recorded with --call-graph dwarf|call chains are not complete' err
	[ $rc -ne 0 ] || check grep -qF "first cause: $text" err
}

# planted KIND CAUSE DSO [OPTION...]: nearly all stacks of `stacks KIND`, recorded so, end so, and
# everybody says it. (A sample may lie in between.)
planted() {
	local kind=$1 cause=$2 dso=$3
	shift 3
	[ $# -gt 0 ] || set -- -g
	step "$kind, $*: $cause"
	case $(id -u),$* in 0,*dwarf*) set -- "$@" -m 8M ;; esac # all stacks, however late perf comes
	perf record -q -e cpu-clock:u -F 999 "$@" -o "$kind.data" "$STACKS" "$kind" 0.15
	check [ $rc -eq 0 ]
	perf report --stack-health --json --max-stack "${MAX_STACK:-127}" -i "$kind.data"
	check [ $rc -eq 0 ]
	check python3 - "$cause" "$dso" << 'END'
import json, sys
end, dso = sys.argv[1:]
for event in json.load(open("out"))["events"]:
    found = sum(e["stacks"] for e in event["ends"]
                if e["end"] == end and (e["dso"] or "").startswith(dso))
    assert event["stacks"] > 20 and found >= 0.9 * event["stacks"], event
END
	[ "$cause" = complete ] || said "$kind.data" "$cause"
}

# callers LEAST MOST: the share of stacks of the last recording that may lack a caller.
callers() {
	check python3 - "$@" << 'END'
import json, sys
event = json.load(open("out"))["events"][0]
assert event["user-stacks"] > 20
assert float(sys.argv[1]) <= event["caller-may-lack"] / event["user-stacks"] <= float(sys.argv[2]), event
END
}

STACKS=$WORKLOADS/stacks
planted good complete ''
callers 0 0.1
planted thread complete ''
planted jit 'not known in the middle' '[JIT]'
planted mixed 'may lack callers in the middle' stacks
perf script -F ip,sym -i mixed.data # the negative control: both ends are there, top is not
check grep -q burn out
check grep -q mid2 out
check grep -q __libc_start_call_main out
refute grep -qE ' (top|mid1)$' out
planted tree 'may lack callers in the middle' stacks
refute grep -q plant out
planted libc complete ''
callers 0.9 1
[ "$(cat /proc/sys/kernel/perf_event_max_stack)" != 127 ] ||
	planted deep 'depth limit of the recording' stacks
planted lost 'frame pointer lost' stacks
planted hole 'address that is not mapped' stacks
planted leaf complete ''
callers 0.9 1
perf script -F ip,sym -i leaf.data
refute grep -q leaf_caller out
perf report --stdio -i leaf.data
check grep -qE '^# Callers: record with --call-graph dwarf: [0-9.]+ % of stacks lack the caller of their innermost function' out
planted through complete '' # the function that is called jumps to the first one
callers 0.9 1
planted under 'may lack callers in the middle' stacks
perf script -F ip,sym -i under.data # the negative control: the chain looks like that of leaf
check grep -q ' burn_leaf$' out
check grep -q ' main$' out
refute grep -qE ' (over|bare_caller)$' out
perf report --stdio -i good.data # little of it is not worth a line
refute grep -q '^# Callers' out

if "${CC:-cc}" -O1 -fno-omit-frame-pointer -fno-inline -fcf-protection=none -o dynamic "$TESTS/workloads/stacks.c" 2> cc.log; then
	STACKS=$PWD/dynamic
	planted good complete ''
	planted mixed 'may lack callers in the middle' dynamic
	planted tree 'may lack callers in the middle' libc.so
	planted through complete ''
	planted libc complete '' # it is called through the PLT, and chosen when the program starts
	# Of libc's rand() and random() some samples are in that which is called.
	perf record -q -e cpu-clock:u -F 999 -g -o rand.data ./dynamic rand 0.15
	perf report --stack-health --json -i rand.data
	check python3 -c '
import json
event = json.load(open("out"))["events"][0]
found = sum(e["stacks"] for e in event["ends"] if e["end"] == "may lack callers in the middle")
assert event["stacks"] > 20 and found > 0.5 * event["stacks"], event'
	STACKS=$WORKLOADS/stacks
else
	step "with the C library as it is installed" && skip "${CC:-cc} is not installed"
fi

for kind in good thread leaf under mixed tree libc; do
	planted $kind complete '' --call-graph dwarf
done
perf script -F ip,sym -i mixed.data
check grep -qE ' top$' out
perf script -F ip,sym -i leaf.data
check grep -q leaf_caller out
perf report --stdio -i leaf.data
refute grep -q '^# Callers' out
MAX_STACK=300 planted deep complete '' --call-graph dwarf,32768
planted deep 'depth limit of --max-stack' '' --call-graph dwarf,32768
planted deep 'stack copy too small' stacks --call-graph dwarf,1024
perf report --stdio -i deep.data
check grep -qE '^# Stacks: record with --call-graph dwarf,4096: [0-9.]+ % end early' out
MAX_STACK=5 planted deep 'stack copy and --max-stack' stacks --call-graph dwarf,1024
perf report --stdio --max-stack 5 -i deep.data
check grep -q '^# Stacks: record with --call-graph dwarf,4096, read with --max-stack 1024: ' out
planted unused complete '' # frame pointers are where the stack is in use
planted unused 'stack page not in memory' stacks --call-graph dwarf # no size would help
planted unused 'stack page not in memory' stacks --call-graph dwarf,32768
planted lost 'stack makes no sense' stacks --call-graph dwarf
planted wild 'address that is not mapped' stacks --call-graph dwarf
planted jit complete '' --call-graph dwarf # left by its frame pointer
planted good 'registers not recorded' stacks --call-graph dwarf --user-regs=ax

if command -v objcopy > /dev/null; then
	objcopy -R .eh_frame -R .eh_frame_hdr "$WORKLOADS/stacks" bare
	STACKS=$PWD/bare
	planted good 'no unwind information' bare --call-graph dwarf
	perf report --stack-health -i good.data
	check grep -qx '# no unwind information: no unwind information in bare; build bare with -fasynchronous-unwind-tables' out
else
	step "an object without tables" && skip "objcopy (binutils) is not installed"
fi

step "the head of a report says what to do, of what share, and where, in one line"
perf record -q -e cpu-clock:u -F 999 -g -o lost.data "$WORKLOADS/stacks" lost 0.15
perf report --stdio -i lost.data
one_line
check grep -qE '^# Stacks: record with --call-graph dwarf: [0-9.]+ % end early \(most at stacks, ' out
check grep -qE '^ +[0-9.]+% +[0-9.]+% +stacks' out
perf report -q --stdio -i lost.data
refute grep -q '^# Stacks' out
LONG=$(printf '%080d' 1)
cp "$WORKLOADS/stacks" "$LONG"
perf record -q -e cpu-clock:u -F 999 -g -o long.data ./"$LONG" lost 0.2
perf report --stdio -i long.data
one_line
check grep -qE '^# Stacks: record with --call-graph dwarf: [0-9.]+ % end early$' out

step "the share is that of what is named, whatever lies in other objects"
cp "$WORKLOADS/stacks" here
cp "$WORKLOADS/stacks" there
perf record -q -e cpu-clock:u -F 999 -g -o both.data sh -c './here lost 0.2; ./there hole 0.15; ./here good 0.15'
perf report --stack-health --json -i both.data
cp out both.json
perf report --stdio -i both.data
check python3 - << 'END'
import json, re
health = json.load(open("both.json"))
ends = health["events"][0]["ends"]
early = [e for e in ends if e["end"] != "complete"]
here = sum(e["stacks"] for e in early if e["dso"] == "here")
line = next(l for l in open("out") if l.startswith("# Stacks"))
share, most = map(float, re.search(r": ([0-9.]+) % end early \(most at here, ([0-9.]+) %\)", line).groups())
assert len(early) > 1 and here / health["stacks"] < 0.7, health
# (Few others end elsewhere: while a program starts.)
assert abs(share - 100 * sum(e["stacks"] for e in early) / health["stacks"]) <= 3, line
assert abs(most - 100 * here / health["stacks"]) <= 0.5, line
END

step "filters: only what is shown is judged"
# judged FILTER OTHER: nothing of OTHER is in the table and in the head.
judged() {
	# shellcheck disable=SC2086 # words
	perf report --stack-health $1 -i both.data
	refute grep -qE " $2\$" out
	# shellcheck disable=SC2086
	perf report --stdio $1 -i both.data
	refute grep -qE "^# Stacks: .*most at $2" out
}
judged '--comms there' here
judged '--comms here' there
judged '-d there --no-children' here
perf report --stack-health --json --comms there -i both.data
check python3 -c '
import json
health = json.load(open("out"))
assert 50 < health["stacks"] and 0.9 * health["stacks"] < health["not-complete"], health
assert {e["dso"] for e in health["events"][0]["ends"]} <= {"there", "[vdso]", None}, health'
perf report --stack-health --json -S burn_with -i both.data
check python3 -c '
import json
health = json.load(open("out"))
assert 50 < health["stacks"] and health["not-complete"] >= 0.98 * health["stacks"], health'
perf report --stack-health --tid 1 -i both.data
check grep -qx '# Stacks: none pass the filters' out
perf report --stdio --tid 1 -i both.data
refute grep -q '^# Stacks' out

step "filters: files of what is not shown are not warned of"
if command -v strip > /dev/null; then
	strip -R .note.gnu.build-id -o stripped "$WORKLOADS/stacks"
	perf record -q -e cpu-clock:u -F 999 -g -o strip.data sh -c './stripped lost 0.15; ./here good 0.15'
	perf report --stdio -i strip.data
	check grep -q /stripped err
	perf report --stdio --comms here -i strip.data
	refute grep -q /stripped err
else
	skip "strip (binutils) is not installed"
fi

step "the head: little that is known does not hide much that is not"
# head_of EXPECTED KIND SECONDS KIND SECONDS: both in one recording.
head_of() {
	perf record -q -e cpu-clock:u -F 999 -g -o both.data sh -c '"$0" "$1" "$2"; exec "$0" "$3" "$4"' "$WORKLOADS/stacks" "${@:2}"
	perf report --stdio -i both.data
	check grep -qE "$1" out
	perf report --stack-health -i both.data
	check grep -q '  may lack callers in the middle  ' out
}
head_of '^# Stacks: let the JIT compiler keep frame pointers: [0-9.]+ % may lack callers' jit 1 mixed 0.03
head_of '^# Stacks: record with --call-graph dwarf: [0-9.]+ % lack callers' jit 0.3 mixed 0.3
head_of '^# Callers: .* lack the caller of their innermost function' leaf 1 mixed 0.03
head_of '^# Stacks: record with --call-graph dwarf: [0-9.]+ % lack callers' leaf 0.3 mixed 0.3

step "a program that is not there as it was recorded is not blamed for what is in it"
GONE='moved is not there as it was recorded; restore moved or perf buildid-cache --add it'
mkdir home
for option in -g --call-graph=dwarf; do
	cp "$WORKLOADS/stacks" moved
	perf record -q -N -e cpu-clock:u -F 999 "$option" -o moved.data ./moved good 0.15
	HOME=$PWD/home perf report --stack-health --no-symbol-cache -i moved.data
	refute grep -q 'not there' out
	rm moved
	HOME=$PWD/home perf report --stack-health --no-symbol-cache -i moved.data
	check grep -q "$GONE" out
	cp "$(command -v sleep)" moved # another program
	HOME=$PWD/home perf report --stack-health --no-symbol-cache -i moved.data
	check grep -q "$GONE" out
	refute grep -q 'asynchronous-unwind-tables' out
done

step "the reader's own limit"
perf record -q -e cpu-clock:u -F 999 -g -o good.data "$WORKLOADS/stacks" good 0.15
perf report --stdio --max-stack 2 -i good.data
check grep -qE '^# Stacks: read with --max-stack 1024: [0-9.]+ % end early' out
perf report --stdio -i good.data
refute grep -q 'max-stack' out
perf report --stack-health --max-stack 2 -i good.data
check grep -qE '^ +[0-9.]+% +[0-9]+  depth limit of --max-stack  ' out

step "a report without chains says that it did not look at them"
perf report --stdio --no-children -g none -i lost.data
check grep -qx '# Stacks: not looked at, as no chains are shown; see perf report --stack-health' out
check [ "$(grep -c '^# Stacks' out)" = 1 ]
perf report --stdio -g none -i lost.data # those of --children were
refute grep -q 'not looked at' out
one_line
perf report -q --stdio --no-children -g none -i lost.data
refute grep -q '^# Stacks' out

step "script --header, and the export"
perf script --header -i lost.data
one_line
check [ "$(grep -nE "$LINE" out | cut -d : -f 1)" -gt "$(grep -n '^# cmdline' out | cut -d : -f 1)" ]
perf script -i lost.data
refute grep -q '# Stacks' out
perf data convert --to-json x.json -i lost.data
check python3 -c '
import json
health = json.load(open("x.json"))["stack-health"]
assert health["not-complete"] > 0.9 * health["stacks"]
worst = [e for e in health["events"][0]["ends"] if e["end"] != "complete"][0]
assert worst["cause"] == "the frame pointer is lost in stacks", worst
assert worst["fix"] == "record with --call-graph dwarf", worst'

step "a limit of the event itself is the recording's"
perf record -q -e cpu-clock/max-stack=16/u -F 999 -g -o few.data "$WORKLOADS/stacks" deep 0.15
check [ $rc -eq 0 ]
perf report --stack-health -i few.data
check grep -q '^# depth limit of the recording: at most 16 frames recorded; record with a larger max-stack$' out

step "recordings without chains"
perf record -q -e cpu-clock -o flat.data true
perf report --stdio --no-children -g none -i flat.data
refute grep -q '^# Stacks' out
perf report --stack-health -i flat.data
check [ $rc -eq 0 ]
check grep -qx '# Stacks: none in this recording' out
perf data convert --to-json flat.json -i flat.data
refute grep -q stack-health flat.json

step "kernel stacks end where the kernel is entered"
if [ "$(id -u)" -ne 0 ] || ! grep -q '^[0-9a-f]*[1-9a-f][0-9a-f]* . entry_SYSCALL_64' /proc/kallsyms; then
	skip "kernel symbols are not readable"
else
	perf record -q -e cpu-clock:k -F 5000 -g --kernel-callchains -o kernel.data dd if=/dev/zero of=/dev/null bs=1M count=3000
	perf report --stack-health --json -i kernel.data
	check python3 -c '
import json
health = json.load(open("out"))
assert health["stacks"] > 20 and health["not-complete"] == 0, health
assert health["not-known"] < 0.05 * health["stacks"], health'
fi

step "the code of callers is read once for each call, not for each chain"
if command -v cc strace > chains && [ "$(wc -l < chains)" -eq 2 ]; then
	# Loops before the frame is made: the innermost function keeps none, in chains that all differ.
	{
		echo 'extern unsigned long (*f[64])(int, unsigned long); volatile unsigned long sink;'
		for i in $(seq 0 63); do
			echo "__attribute__((noinline)) unsigned long f$i(int n, unsigned long x) {"
			echo "for (int i = 0; i < 60; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;"
			echo "sink = x; return n ? f[(x + $i) % 64](n - 1, x) + sink : x; }"
		done
		echo "unsigned long (*f[])(int, unsigned long) = { $(seq -f 'f%.0f,' -s ' ' 0 63) };"
		echo 'int main(void) { for (long n = 0; n < 400000; n++) sink += f[n % 64](12, n + 1); }'
	} > chains.c
	check cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o chains chains.c
	perf record -q -e cpu-clock:u -c 100000 -g -o chains.data ./chains
	perf report --stack-health -i chains.data
	nr=$(sed -n 's/.* % of \([0-9]*\) are not complete$/\1/p' out)
	check [ "$nr" -gt 1000 ]
	strace -f -e trace=pread64 -o chains.log "$PERF" report --stdio -i chains.data > out
	check grep -q 'lack the caller of their innermost function' out
	check [ "$(grep -c pread64 chains.log)" -lt $((nr / 3)) ]
else
	skip "cc or strace is not there"
fi

step "one worker and several find the same"
PERF_WORKERS=1 perf report --stack-health -i good.data && cp out one
PERF_WORKERS=4 perf report --stack-health -i good.data
check cmp one out

finish
