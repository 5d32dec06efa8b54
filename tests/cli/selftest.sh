#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf test from outside: its lines, choices and exit status for all kinds of users; that a test
# can fail; and what the workloads look like in profiles.
. "$(dirname "$0")/../lib.sh"
plan 28

mkdir tmp
export TMPDIR=$PWD/tmp
unset NO_COLOR
clean() {
	check [ -z "$(ls -A tmp)" ]
}

# Each line of a result: number, name to column 69, colon, verdict.
well_formed() {
	! grep -vE '^( {0,2}[0-9]{1,3}: .{64}|[ 0-9]{3}\.[0-9]{1,2}: .{61,62}):( (Ok|FAILED!|Skip \(.+\)))?$' "$1"
}

step "all tests are ok or skipped, in Linux's layout, on stderr"
perf test
check [ $rc -eq 0 ]
check [ ! -s out ]
check well_formed err
refute grep -q 'FAILED!' err
check [ "$(grep -c ' Ok$' err)" -ge 20 ]
check [ "$(grep -cE '^ {0,2}[0-9]+: ' err)" -ge 20 ]
clean

step "what is skipped has its reason"
check grep -qE '^ 21: ' err
refute grep -qE 'Skip *$|Skip \(\)' err
if grep -q '^ 21: .*: Skip' err && grep -q tsc /sys/devices/system/clocksource/clocksource0/current_clocksource; then
	check grep -q '^ 21: .*cap_user_time_zero' err
fi
have_pmu || check grep -qE '8\.1: .*: Skip \(.*no hardware counters' err

step "list names the same tests and runs none"
cut -c 1-69 err | sed -E 's/ *$//; s/^(...)\./\1:/' > ran
perf test list
check [ $rc -eq 0 ]
check [ ! -s out ]
check cmp err ran

step "by number, by number of a case, by part of a name"
perf test 1 4.2
check [ "$(grep -c ' Ok$' err)" -eq 2 ]
check grep -qE '^  1: .*: Ok$' err
check grep -qE '^  4: .*:$' err
check grep -qE '^  4\.2: .*: Ok$' err
perf test symBOLs
check [ "$(wc -l < err)" -eq 1 ]
check grep -qE '^ 13: Symbols {57}: Ok$' err
perf test list clock
check grep -qE '^  2:2: ' err
check grep -qE '^ 20: ' err
refute grep -q '^  2:1: ' err

step "-s leaves out, and says so"
perf test -s 1,9-10 1 9 10 13
check [ $rc -eq 0 ]
check [ "$(grep -c 'Skip (user override)$' err)" -eq 3 ]
check grep -qE '^ 13: .*: Ok$' err

step "-v says what is done; options may follow"
perf test 4.1 -v
check grep -q '^--- start ---$' err
check grep -qE '^test child forked, pid [0-9]+$' err
check grep -qE '^700 pages touched: 700 samples of them, .* 0 lost$' err
check grep -qx 'test child finished with 0' err
check grep -qx -- '---- end ----' err
check grep -qx 'Samples come through the ring buffer subtest 1: Ok' err

step "-F needs no child and cleans up, too"
perf test -v -F 10
check [ $rc -eq 0 ]
refute grep -q forked err
check grep -qx '3000 samples read' err
clean

step "--runs-per-test, --junit and --dso"
perf test --sequential --runs-per-test 3 -v -j x.xml 1 4.2
check [ $rc -eq 0 ]
check [ "$(grep -c '^test child forked' err)" -eq 6 ]
check python3 - << 'END'
import xml.etree.ElementTree as tree
cases = [(c.get("classname"), c.get("name"), len(c)) for c in tree.parse("x.xml").getroot().iter("testcase")]
assert len(cases) == 2, cases
assert cases[0] == ("Counters can be opened", "Counters can be opened", 0), cases
assert cases[1][0] == "Samples come through the ring buffer", cases
END
perf test --dso "$WORKLOADS/able" -v Symbols
check [ $rc -eq 0 ]
check grep -q "symbols in .*able" err

step "--junit: what failed has the reason, what was skipped, too"
perf test -s 1 --junit x.xml --dso '/etc/passwd' 1 Symbols
check [ $rc -eq 1 ]
check python3 - << 'END'
import xml.etree.ElementTree as tree
found = {e.tag: e.get("message") for c in tree.parse("x.xml").getroot().iter("testcase") for e in c}
assert found["skipped"] == "user override" and "passwd" in found["failure"], found
END

step "mistakes: tests that are not there, lists that are none"
for words in 0 999 4.3 nosuchtest 'list 999' '-s x 1' '-s 999' '-s'; do
	perf test $words
	check [ $rc -eq 129 ]
	check grep -q 'Usage: perf test' err
done
perf test 999
check grep -qE "^Error: there is no test '999': the tests are 1 to [0-9]+$" err

step "colours: on a terminal, not with NO_COLOR"
if command -v script > /dev/null; then
	TERM=xterm script -qec "$PERF test -s 1 1 13" /dev/null > out < /dev/null
	check [ "$(grep -c $'\033''\[33m Skip (user override)' out)" -eq 1 ]
	check grep -q ': Ok' out
	NO_COLOR=1 TERM=xterm script -qec "$PERF test -s 1 1" /dev/null > out < /dev/null
	check grep -q ': Skip (user override)' out
else
	skip "script is not installed"
fi

# ---- all kinds of users and places ----

step "as nobody, without a home, in /"
if need_root; then
	mkdir -m 1777 "$SCRATCH/for-all" && chmod 755 "$SCRATCH"
	install -m 755 "$PERF" "$SCRATCH/for-all/perf"
	(
		cd / && PERF_TEST_MARK=x exec env -u HOME TMPDIR="$SCRATCH/for-all" \
			setpriv --reuid=65534 --regid=65534 --clear-groups timeout "$LIMIT" \
			"$SCRATCH/for-all/perf" test
	) > out 2> err
	rc=$?
	check [ $rc -eq 0 ]
	refute grep -q 'FAILED!' err
	check grep -qE '^ 13: .*: Ok$' err
	check [ "$(ls -A "$SCRATCH/for-all")" = perf ]
fi

step "as nobody, where perf itself cannot be read"
if need_root; then
	mkdir -m 711 "$SCRATCH/secret" && install -m 711 "$PERF" "$SCRATCH/secret/perf"
	env TMPDIR="$SCRATCH/for-all" setpriv --reuid=65534 --regid=65534 --clear-groups \
		timeout "$LIMIT" "$SCRATCH/secret/perf" test 5 12 13 23 24 > out 2> err
	check [ $? -eq 0 ]
	check grep -qE '^ 13: .*: Skip \(.*Permission denied\)$' err
fi

step "stripped: the tests that need names are skipped"
if command -v strip > /dev/null; then
	strip -o stripped "$PERF"
	timeout "$LIMIT" ./stripped test 13 23 25.1 > out 2> err
	check [ $? -eq 0 ]
	check grep -qE '^ 13: .*: Skip \(.*stripped.*\)$' err
	check grep -qE '^ 23: .*: (Ok|Skip .*)$' err
else
	skip "strip is not installed"
fi

step "in a folder that cannot be written, with a home that is none"
mkdir -m 555 readonly
(cd readonly && HOME=/nonexistent timeout "$LIMIT" "$PERF" test 10 24 > ../out 2> ../err)
check [ $? -eq 0 ]
check [ "$(grep -c ' Ok$' err)" -ge 1 ]
refute grep -q FAILED err
check [ -z "$(ls -A readonly)" ]
clean

step "without a place for files: those that need one are skipped"
TMPDIR=/nonexistent perf test 10 13
check [ $rc -eq 0 ]
check grep -qE '^ 10: .*: Skip \(cannot make a folder .*No such file or directory\)$' err
check grep -qE '^ 13: .*: Ok$' err

step "^C ends it by that signal; nothing stays"
if need_events; then
	# Somebody below it has an event open. (A test has a process group of its own.)
	measures() {
		local pid
		for pid in $(cat /proc/[0-9]*/stat 2> /dev/null | awk -v top="$1" '
			{ pid = $1; sub(/.*\) /, ""); parent[pid] = $2 }
			END { for (pid in parent) { for (p = pid; p in parent && p != top;) p = parent[p]; if (p == top) print pid } }'); do
			! find "/proc/$pid/fd" -lname '*perf_event*' 2> /dev/null | grep -q . || return 0
		done
		return 1
	}
	perf_signal INT measures test 25
	check [ $rc -eq 130 ]
	clean
fi

step "SIGCHLD ignored by the parent, fd limit 64, no locked memory"
(
	trap '' CHLD
	ulimit -n 64
	ulimit -l 0
	PERF_TEST_MARK=x timeout "$LIMIT" "$PERF" test 1 2 4 10 13 > out 2> err
	echo $? > status
)
check [ "$(cat status)" -eq 0 ]
refute grep -q FAILED err

step "where perf_event_open is forbidden, what needs it is skipped with that reason"
if [ -x "$WORKLOADS/forbid" ]; then
	for error in 1 13 38; do # EPERM, EACCES, ENOSYS
		timeout "$LIMIT" "$WORKLOADS/forbid" $error "$PERF" test > out 2> err
		check [ $? -eq 0 ]
		refute grep -q FAILED err
		check grep -qE '^  1: .*: Skip \(.*\)$' err
		check grep -qE '^ 25\.1: .*: Skip \(.*\)$' err
		check grep -qE '^ 13: .*: Ok$' err
	done
else
	skip "no program to forbid it"
fi

step "in a user namespace"
if unshare -Ur true 2> /dev/null; then
	timeout "$LIMIT" unshare -Ur "$PERF" test > out 2> err
	check [ $? -eq 0 ]
	refute grep -q FAILED err
	check grep -qE '^ 13: .*: Ok$' err
else
	skip "no user namespaces here"
fi

# ---- a failure is one ----

step "a program whose symbol table lies fails Symbols, with 1, and -v says why"
if command -v objcopy > /dev/null; then
	objcopy --redefine-sym selftest__say=selftest__lie "$PERF" lying
	timeout "$LIMIT" ./lying test 10 13 > out 2> err
	check [ $? -eq 1 ]
	check grep -qE '^ 10: .*: Ok$' err
	check grep -qE '^ 13: .*: FAILED!$' err
	check grep -qx "1 failed; 'perf test -v 13' says why" err
	timeout "$LIMIT" ./lying test -v 13 > out 2> err
	check [ $? -eq 1 ]
	check grep -qx "FAILED: the function 'selftest__say' is called 'selftest__lie'" err
else
	skip "objcopy is not installed"
fi

step "tracepoints that are others fail to count"
if need_tracefs; then
	cp -r --parents /sys/kernel/tracing/events/sched/sched_process_fork . 2> /dev/null ||
		true
	fake=$PWD/sys/kernel/tracing
	mkdir -p "$fake/events/sched/sched_process_fork"
	cat "$(tracefs)/events/sched/sched_process_exit/id" > "$fake/events/sched/sched_process_fork/id"
	PERF_TRACEFS_DIR=$fake perf test 7.1
	check [ $rc -eq 1 ]
	check grep -qE '^  7\.1: .*: FAILED!$' err
fi

# ---- symbols and workloads ----

step "-vv -F Symbols prints the symbols of perf itself, one a line"
perf test -vv -F Symbols
for name in main noploop test_loop thfunc leaf parent leafloop __sqrtloop sqrtloop brstack_bench \
	brstack_foo brstack_bar buf1 inlineloop landlock trap_bench context_switch_loop; do
	check grep -qE "[[:space:]]$name\$" err
done
refute grep -qE '[[:space:]](middle|nosuchname)$' err # inlined away; never there

step "the workloads by name"
perf test --list-workloads
check [ $rc -eq 0 ]
printf '%s\n' noploop thloop leafloop sqrtloop brstack datasym inlineloop landlock traploop \
	context_switch_loop > names
check cmp out names

step "each of them runs and ends with 0"
for name in $(cat names); do
	words=0.05
	case $name in
	brstack | traploop | context_switch_loop) words=100 ;;
	landlock) words= ;;
	esac
	perf test -w "$name" $words
	check [ $rc -eq 0 ]
	check [ ! -s out ]
	check [ ! -s err ]
done

step "workloads: mistakes"
perf test -w noplop
check [ $rc -eq 255 ]
check grep -q "^Error: No workload found: 'noplop'" err
check grep -q "did you mean 'noploop'?" err
for words in 'noploop x' 'noploop 0' 'noploop -1' 'noploop 1 2' 'brstack 0' 'brstack 1.5' 'landlock 1' \
	'thloop 1 99999' 'traploop 4294967296'; do
	perf test -w ${words%% *} -- ${words#* }
	check [ $rc -eq 255 ]
	check grep -q "^  perf test -w ${words%% *}" err
done

# share NAME: percent of the samples of x.data in that function
share() {
	"$PERF" report -i x.data --stdio --no-children -g none -s symbol 2> /dev/null |
		awk -v name="$1" '$NF == name { sub("%", "", $1); print int($1); found = 1 }
			END { if (!found) print 0 }'
}

step "profiles: the function has the time, and its caller is known"
if need_events; then
	for row in noploop:noploop: leafloop:leaf:parent inlineloop:parent:inlineloop \
		datasym:datasym: sqrtloop:__sqrtloop:sqrtloop thloop:test_loop:thfunc; do
		IFS=: read -r name leaf caller <<< "$row"
		perf record -q -e cpu-clock:u -F 2000 -g -o x.data "$PERF" test -w "$name" 0.3
		check [ $rc -eq 0 ]
		least=60
		[ "$name" != sqrtloop ] || least=30
		check [ "$(share "$leaf")" -ge $least ]
		[ -n "$caller" ] || continue
		perf report -i x.data --stdio --no-children -g caller -s symbol
		check grep -q -- "--$caller\$\|^ *|* *$caller\$\|-$caller\$" out
	done
fi

step "context_switch_loop switches, landlock calls"
if need_tracefs; then
	perf stat -x, -e context-switches "$PERF" test -w context_switch_loop 500
	check [ "$(awk -F, '/context-switches/ { print $1 }' err)" -ge 500 ]
	if [ -e "$(tracefs)/events/syscalls/sys_enter_landlock_add_rule" ]; then
		perf stat -x, -e syscalls:sys_enter_landlock_add_rule "$PERF" test -w landlock
		check grep -q '^2,' err
	fi
fi
finish
