#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The diagnostics users meet: one row for each of requirements' list, in its order, then those of
# bad files and bad targets. A row is
#
#	row NAME COMMAND STATUS 'ARGS' 'REGEX of stderr' ['REGEX']...
#	later NAME ISSUE-AREA			the command that can trigger it is not built yet
#
# Every row checks the exit status, that each regex (what went wrong, and the advice) is in
# stderr, and that nothing raw came through: no control characters, no usage of another command.
. "$(dirname "$0")/../lib.sh"
plan 187

row() {
	local name=$1 command=$2 status=$3 args=$4 text
	shift 4
	step "$name"
	need_built "$command" || return 0
	eval "perf $command $args"
	check [ $rc -eq "$status" ]
	for text in "$@"; do
		check grep -qiE -e "$text" err
	done
	check [ "$(LC_ALL=C tr -d '\n\t\40-\176' < err | wc -c)" -eq 0 ]
}

later() {
	step "$1"
	skip "$2"
}

# ---- requirements, in their order ----
if ! have_pmu; then
	row "branch stacks without a PMU" record 255 '-b -a true' \
		'branch stack' '(virtual machine|PMU Hardware)' '(-g|--call-graph)'
	row "lbr call graphs without a PMU" record '255' '-F 99 -a --call-graph lbr true' \
		"lbr" '(last-branch|branch stack|PMU)' '--call-graph (fp|dwarf)'
else
	later "branch stacks without a PMU" "this machine has a PMU"
	later "lbr call graphs without a PMU" "this machine has a PMU"
fi

row "a metric that nobody knows" stat 129 '-M ipd true' \
	"cannot find metric or group 'ipd'" "did you mean 'ipc'" 'perf list metric'

step "too many open files: the limit is named"
for command in record stat; do
	built $command || continue
	need_tracefs || break
	(
		ulimit -n 40
		PERF_TEST_MARK=x timeout 200 "$PERF" $command -e 'syscalls:sys_enter_*' true > out 2> err
		echo $? > rc
	)
	rc=$(cat rc)
	check [ "$rc" -eq 255 ]
	check grep -q 'Too many events are opened' err
	check grep -q 'after reducing the number of events' err
	check grep -qE '\b40\b.*ulimit -n|ulimit -n' err
done

step "too few files for perf itself: the limit is named, too"
(
	ulimit -n 8
	# A sanitizer that looks for leaks wants more of them.
	export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
	PERF_TEST_MARK=x timeout 200 "$PERF" record -e cpu-clock -o x.data true > out 2> err
	echo $? > rc
)
check [ "$(cat rc)" -eq 255 ]
check grep -q 'Too many open files' err
check grep -q 'ulimit -n' err

row "-F with no number" record 129 '-F abc true' \
	"cannot use the frequency 'abc': not a number of samples per second, nor max" '-F, --freq'
row "-F above the limit is lowered and said" record 0 '-F 10000000 -D -1 -e cpu-clock -o x.data true' \
	'Maximum frequency rate \([0-9]+ Hz\) exceeded, throttling from 10000000 Hz to [0-9]+ Hz' \
	'/proc/sys/kernel/perf_event_max_sample_rate'
row "-F above the limit with --strict-freq" record 234 '-F 10000000 -D -1 -e cpu-clock --strict-freq -o x.data true' \
	'Maximum frequency rate' 'perf_event_max_sample_rate'
for command in record stat; do
	row "$command: an event nobody knows" $command 129 '-e nosuchevent true' \
		"event syntax error: 'nosuchevent'" '\\___ unknown event' "Run 'perf list' for a list of valid events" \
		"Usage: perf $command" '--event'
	row "$command: an event with a typo names its neighbour" $command 129 '-e cpu-clokc true' \
		"event syntax error: 'cpu-clokc'" "did you mean 'cpu-clock'"
	row "$command: an event quoted with the shell's braces" $command 129 "--event='cycles:{k,u}' -- true" \
		"event syntax error: 'cycles:\{k,u\}'" '\\___ unknown modifier' "Run 'perf list'" "Usage: perf $command"
	row "$command: a tracepoint this kernel lacks" $command 129 '-e sched:nosuch true' \
		"'sched:nosuch'" '(unknown tracepoint|not found)' "Usage: perf $command"
done
step "lock: its tracepoints are absent, as record and stat say it"
if need_tracefs && [ ! -d "$(tracefs)/events/lock/lock_acquire" ]; then
	for command in record stat; do
		row "lock: its tracepoints are absent, as $command says it" $command 129 \
			'-e lock:lock_acquire true' "'lock:lock_acquire'" 'CONFIG_LOCKDEP and CONFIG_LOCK_STAT'
	done
else
	[ $state = skipped ] || skip "this kernel has them"
fi
later "lock: the same from perf lock" "perf lock is not built yet"
step "probe: uprobe_events is absent: the other half is listed"
if need_root; then
	mkdir -p traces/events
	echo 'p:probe/f _text+12' > traces/kprobe_events
	PERF_TRACEFS_DIR=$PWD/traces perf probe --list
	check [ $rc -eq 0 ]
	check grep -q '^  probe:f  *(on _text+12)$' out
	PERF_TRACEFS_DIR=$PWD/traces perf probe -x "$WORKLOADS/probed" show
	check [ $rc -eq 254 ]
	check grep -q "uprobe_events.*CONFIG_UPROBE_EVENTS" err
fi
if has libdw; then
	row "probe: a line without code" probe 254 '-x "$WORKLOADS/probed" show:1000' \
		"Probe point not found: 'show:1000'" 'the nearest line with code is show:[0-9]' 'Failed to add events'
else
	later "probe: a line without code" "this perf is built without libdw"
fi
step "probe: a duplicate"
if need_tracefs && [ -w "$(tracefs)/uprobe_events" ]; then
	perf probe -q -x "$WORKLOADS/probed" -a "tried$$:e=show"
	perf probe -x "$WORKLOADS/probed" -a "tried$$:e=show"
	check [ $rc -eq 239 ]
	check grep -q 'event "e" already exists' err
	check grep -q 'force duplicates by .perf probe -f' err
	perf probe -q -d "tried$$:e"
	check [ $rc -eq 0 ]
else
	skip "no uprobe_events"
fi
if need_tracefs && [ -w "$(tracefs)/uprobe_events" ]; then
	deep=$(printf '+0(%.0s' $(seq 20))%di$(printf ')%.0s' $(seq 20))
	row "probe: the kernel refuses the definition" probe 249 '-x "$WORKLOADS/probed" -a "tried$$:e=show $deep"' \
		'the kernel refuses' 'Argument expression is too long' 'Failed to add events'
else
	later "probe: the kernel refuses the definition" "no uprobe_events"
fi
if has libdw; then
	row "probe: a variable that is not there" probe 254 '-x "$WORKLOADS/probed" -D "show nn"' \
		"cannot find the variable 'nn'" "did you mean 'n'"
else
	later "probe: a variable that is not there" "this perf is built without libdw"
fi
if need_tracefs && has libdw; then
	row "probe: --vars of a tracepoint" probe 254 '-x "$WORKLOADS/probed" -V sched_switch' \
		'not found' 'events/sched/sched_switch/format' 'Failed to show vars'
else
	later "probe: --vars of a tracepoint" "no tracefs, or no libdw"
fi
if has libdw; then
	row "probe: --vars with --exec" probe 0 '-x "$WORKLOADS/probed" -V show'
	check grep -q 'struct cell.	cell$' out
else
	later "probe: --vars with --exec" "this perf is built without libdw"
fi
row "probe: --vars with --add" probe 129 '-V show --add loop' "it excludes --vars"
row "probe: no path of a kernel module" probe 254 '-m nosuch -a f' 'Failed to find path of kernel module' "give the path"
later "trace: -p with -C" "perf trace is not built yet"
row "record: -p with -C" record 0 '-e cpu-clock -p $$ -C 0 -o x.data sleep 0.1' 'PID/TID switch overriding CPU'
row "script: a script that is not there" script 255 '-s nosuch.py' '(nosuch|not built yet|does not have it yet)'
step "old data: a time stamp before the last rounds is counted, put where it belongs, never dropped"
if need_events && command -v python3 > /dev/null; then
	# A ring of one page, so that there are rounds; then one late sample gets an early time.
	perf record -c 100000 -m 1 -e cpu-clock -o even.data dd if=/dev/zero of=/dev/null bs=1 count=1000000
	cat > late.py <<-'END'
		import struct, sys
		data = bytearray(open("even.data", "rb").read())
		attr, start, length = struct.unpack_from("<Q", data, 24) + struct.unpack_from("<QQ", data, 40)
		kinds = struct.unpack_from("<Q", data, attr + 24)[0]
		time = 8 + 8 * bool(kinds & 1 << 16) + 8 * bool(kinds & 1) + 8 * bool(kinds & 2)
		rounds, samples, at = 0, [], start
		while at < start + length:
		    kind, misc, size = struct.unpack_from("<IHH", data, at)
		    rounds += kind == 68
		    if kind == 9:
		        samples.append((rounds, at + time))
		    at += size
		late = [place for rounds, place in samples if rounds >= 3][0]
		first, = struct.unpack_from("<Q", data, samples[0][1])
		struct.pack_into("<Q", data, late, first - 1000)
		open("late.data", "wb").write(data)
	END
	check python3 late.py
	perf script -i even.data
	lines=$(wc -l < out)
	perf report --stdio -i even.data
	grep '^# Samples: ' out > samples
	perf script -v -i late.data
	check [ $rc -eq 0 ]
	check [ "$(wc -l < out)" -eq "$lines" ]
	check grep -qE '[1-9][0-9]* records were written later than a finished round allows' err
	check sort -c -t: -k1,1 <(awk '{ for (i = 1; i < NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) { print $i; break } }' out)
	perf report --stdio -i late.data
	check [ $rc -eq 0 ]
	check grep -qxFf samples out
fi
step "lost events are said"
if need_tracefs; then
	# A ring of one page, every context switch of a busy machine, and perf kept from reading it.
	perf record -m 1 -c 1 -e 'syscalls:*' -o lost.data dd if=/dev/zero of=/dev/null bs=1 count=200000
	check [ $rc -eq 0 ]
	if grep -qE '^# Total Lost Samples: 0$' <("$PERF" report --stdio -i lost.data 2> /dev/null); then
		skip "nothing was lost this time"
	else
		perf report --stdio -i lost.data
		check grep -qiE 'lost' err out
	fi
fi
step "a perf-PID.map that is missing: said, status 0, and the samples are there"
if need_events && command -v gcc > /dev/null; then
	gcc -x c -O1 -o jit - <<-'END'
		#include <string.h>
		#include <sys/mman.h>
		int main(void)
		{
			/* mov ecx, 2^28; dec ecx; jnz; ret */
			static const char code[] = "\xb9\x00\x00\x00\x10\xff\xc9\x75\xfc\xc3";
			char *place = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			((void (*)(void))memcpy(place, code, sizeof(code)))();
			return 0;
		}
	END
	if [ "$(uname -m)" != x86_64 ]; then
		skip "the machine code is that of x86-64"
	else
		for _ in 1 2 3 4 5; do # until it is one whose map nobody left in /tmp
			perf record -e cpu-clock:u -o x.data ./jit
			[ -e "/tmp/perf-$("$PERF" script -G -F pid -i x.data 2> /dev/null | awk '{ print $1; exit }').map" ] || break
		done
		perf report --stdio -i x.data
		check [ $rc -eq 0 ]
		check grep -qE "failed to open '/tmp/perf-[0-9]+.map': No such file" err
		check grep -q 'continuing without symbols' err
		check grep -qE '\[JIT\] tid [0-9]+ +\[\.\] 0x' out
		refute grep -q '^Error' err
	fi
fi
step "formats this perf cannot read: the bytes of the samples, none lost, status 0"
if need_tracefs; then
	perf record -e sched:sched_switch -a -o fine.data sleep 0.2
	perf script -i fine.data
	lines=$(wc -l < out)
	check [ "$lines" -gt 0 ]
	for change in s/__print_flags/__qrint_flags/g s/field:/fjeld:/g; do
		LC_ALL=C sed "$change" fine.data > odd.data
		perf script -f -i odd.data
		check [ $rc -eq 0 ]
		check [ "$(grep -c 'sched:sched_switch:' out)" -eq "$lines" ]
	done
fi
later "formats: the fields by name, and which function was unknown" "comes with the trace commands"
step "-p with a process that is there works without -a"
if need_events; then
	sleep 3600 &
	CHILDREN="$CHILDREN $!"
	perf record -e cpu-clock -p $! -o x.data sleep 0.1
	check [ $rc -eq 0 ]
fi
step "tracefs that cannot be read: said with the fix"
if need_root && need_tracefs; then
	install -D -m 755 "$PERF" "$SCRATCH/copy/perf" && mkdir -m 777 "$SCRATCH/nobody" && chmod 755 "$SCRATCH"
	(
		cd "$SCRATCH/nobody" && setpriv --reuid=65534 --regid=65534 --clear-groups \
			timeout 200 "$SCRATCH/copy/perf" record -e sched:sched_switch true
	) > out 2> err
	rc=$?
	check [ $rc -eq 129 -o $rc -eq 255 ]
	check grep -qE 'sched:sched_switch|tracing' err
	check grep -qiE 'permission|cannot read|root|not readable|may not' err
fi
step "tracefs that is not mounted: said with the command that mounts it"
cat > unmounted <<'END'
while at=$(awk '$3 == "tracefs" || $3 == "debugfs" { print $2; exit }' /proc/self/mounts) && [ -n "$at" ]; do
	umount "$at" || exit 77
done
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
END
if need_root && need_tracefs; then
	install -D -m 755 "$PERF" "$SCRATCH/copy/perf" && chmod 755 "$SCRATCH"
	unshare -m sh unmounted true 2> /dev/null || skip "there can be no mount namespace"
	for command in record stat; do
		[ $state = skipped ] || unshare -m sh unmounted timeout 200 "$SCRATCH/copy/perf" $command \
			-e sched:sched_switch true > out 2> err
		rc=$?
		check [ $rc -eq 129 ]
		check grep -q 'tracefs is not mounted' err
		check grep -q 'as root: mount -t tracefs nodev /sys/kernel/tracing' err
	done
fi
later "python scripts name the package they miss" "perf script -s is not built yet"

printf '[report]\nchildren\n' > bad.conf
printf '[report]\nchildren = perhaps\n' > value.conf

row "script: a field with a typo names its neighbour" script 129 '-F comm,peroid' "'peroid'" "did you mean 'period'"
row "script: -f as it was once: -F is meant" script 129 '-f comm,ip' 'perf script -F comm,ip'
row "script: -f, and a word that is no field" script 129 '-f frobnicate' '-i FILE'
row "script flamegraph: what does it" script 129 'flamegraph' 'perf script \| stackcollapse-perf.pl'
row "script: any other word" script 129 'frobnicate' '-i FILE'
row "record: -g with a word of report's -g" record 255 '-g caller true' "'caller' would be run as the command" 'perf report -g caller'
row "record: -g with a mode of long ago" record 255 '-g dwarf true' 'perf record --call-graph dwarf'
step "record: deeper call graphs than the kernel allows are as deep as it allows, and said"
if need_events; then
	perf record -e cpu-clock --call-graph fp,65000 -o x.data true
	check [ $rc -eq 0 ]
	check grep -qE "^Warning: call graphs of 65000 frames .*: $(cat /proc/sys/kernel/perf_event_max_stack) are recorded" err
	check grep -q 'sysctl kernel.perf_event_max_stack=65000' err
	perf record -e cpu-clock --call-graph fp,20 -o x.data true
	refute grep -q Warning err
fi
step "report: --vmlinux that cannot be it"
if need_events && perf record -e cpu-clock -F 5000 -o x.data ls -R /usr/lib; then # in the kernel, too
	for file in nosuch:'No such file' /etc/passwd:'not an ELF file' "$WORKLOADS/able":'not the kernel that was recorded'; do
		perf report -i x.data --vmlinux "${file%:*}"
		check [ $rc -eq 0 ]
		check grep -q "^Warning: cannot use --vmlinux '${file%:*}': .*${file##*:}" err
	done
	perf report -i x.data
	refute grep -q vmlinux err
fi
step "report: -h and the error of a wrong key name the list of keys"
perf report -s nosuch
check [ $rc -eq 129 ]
check grep -qx "Error: unknown sort key 'nosuch': perf report -s help lists them" err
perf report -h
check grep -q 'default: comm,dso,symbol; .*-s help lists' <(tr -s ' \n' ' ' < out)
perf report -s help
check [ $rc -eq 0 ]
check grep -qE '^  symbol +Symbol$' out
step "record and stat without a target say whom they measure, with one they do not"
if need_root && need_events; then
	for command in record stat; do
		perf_signal INT waits $command -e cpu-clock
		check grep -qx "\[ perf $command: the whole system; ^C ends it \]" err
		perf $command -e cpu-clock -a true
		refute grep -q 'C ends it' err
	done
	perf_signal INT waits stat -x, -e cpu-clock
	refute grep -q 'C ends it' err
	rm -f perf.data*
fi
step "record into a pipe because standard output is one: said, unless it was asked for"
if need_events; then
	"$PERF" record -e cpu-clock true 2> err | cat > x.data
	check grep -q 'standard output is a pipe: the recording goes into it; -o FILE' err
	"$PERF" record -e cpu-clock -o - true 2> err | cat > x.data
	refute grep -q 'standard output is a pipe' err
fi
step "stat: why no hardware event was counted, in one line below the table"
perf stat true
if ! have_pmu; then
	check [ "$(grep -c '^<not supported>: .*no hardware counters' err)" -eq 1 ]
	check [ "$(sed -n '/seconds time elapsed/,$p' err | grep -c '^<not supported>')" -eq 1 ]
	perf stat -j true
	refute grep -q '^<not' err
	check grep -q '"event" : "cycles", .*"metric-unit" : ""}' err
fi
perf stat -e cpu-clock true
check grep -q 'cpu-clock' err
refute grep -q '^<not supported>' err
step "report: warnings about the file stand before the table"
if need_events; then
	perf record -e cpu-clock -F 5000 -g -o x.data ls -R /usr/lib
	head -c $(($(stat -c %s x.data) * 2 / 3)) x.data > cut.data
	"$PERF" report -i cut.data > both 2>&1
	check grep -qE '^Warning: .*cut.data' both
	check [ "$(grep -nE '^Warning:' both | tail -n 1 | cut -d : -f 1)" -lt "$(grep -n '^# Samples' both | cut -d : -f 1)" ]
fi

step "options that only newer perfs have are known by name, with and without a value"
while read -r command option; do
	perf "$command" "$option" true
	check [ $rc -eq 255 ]
	check grep -qE "^Error: cannot do '${option%%=*}': newer perfs have it" err
	check grep -q "perf $command -h" err
	refute grep -q 'did you mean' err
done << 'END'
stat --per-cluster
stat --record-tpebs
record --off-cpu-thresh=10
annotate --code-with-type
annotate --insn-stat=x
inject --aslr
test --record-ctl
END
perf report --per-cluster
check [ $rc -eq 129 ]
check grep -q "unknown option '--per-cluster'" err

# ---- bad files: each reader says the same and ends with 255 ----
printf 'this is no recording' > junk.data
: > empty.data
for command in buildid-list evlist report script; do
	row "$command: no such file" $command 255 '-i nosuch.data' 'nosuch.data' 'No such file' 
	row "$command: no perf.data here" $command 255 '' 'perf.data' 'No such file' "perf record"
	row "$command: a file of another kind" $command 255 '-i junk.data' 'junk.data' '(incompatible|not a perf.data)'
	row "$command: an empty file" $command 255 '-i empty.data' 'empty.data' '(zero-sized|empty)'
	row "$command: a folder" $command 255 '-i .' "'?\.'?"
done

row "data: an unknown command" data 129 'bogus' "'bogus'.*convert" 'Usage: perf data'
row "data: no format" data 255 'convert' 'must specify one of --to-ctf or --to-json' '--to-json FILE'
row "data: both formats" data 255 'convert --to-json a --to-ctf b' 'cannot specify both'
row "data: CTF" data 255 'convert --to-ctf a' 'libbabeltrace' '--to-json FILE'
row "data: --all" data 255 'convert --all --to-json a' 'unsupported for JSON' 'script -D'
row "data: a folder that is not there" data 255 'convert --to-json nowhere/x -i junk.data' 'junk.data'
row "inject: --strip" inject 255 '--strip' 'strip option requires --itrace' 'AUX area'
row "inject: a known build-id that is none" inject 255 '--known-build-ids xx' "'xx'.*hex digits" 'known-build-ids'
row "inject: no such list" inject 255 '--known-build-ids file://nosuch' "'nosuch'.*No such file"
row "inject: a word too much" inject 129 'x.data' "'x.data'" 'with -i' 'Usage: perf inject'
row "inject: no such file" inject 255 '-i nosuch.data' "'nosuch.data'.*No such file"
row "evlist: a word too much" evlist 129 'x.data' "'x.data'" 'with -i' 'Usage: perf evlist'
row "evlist: -g with -v" evlist 129 '-g -v' 'group option is not compatible' 'Usage: perf evlist'
row "buildid-cache: a file that is not there" buildid-cache 255 '-a nofile' "cannot add 'nofile'" 'No such file'
row "buildid-cache: not an ELF file" buildid-cache 255 '-u /etc/passwd' "cannot update '/etc/passwd'" 'not an ELF file'
row "buildid-cache: no action" buildid-cache 129 '' 'Usage: perf buildid-cache'
row "archive: no recording" archive 1 nofile "'nofile'" 'perf record' 'no build-ids found'
row "archive: what is none" archive 1 '--unpack /etc/passwd' 'damaged or cut off, or it is not one'

step "buildid-list: a program without a build-id"
if command -v gcc > /dev/null; then
	echo 'int main(void) { return 0; }' | gcc -x c -Wl,--build-id=none -o plain -
	row "buildid-list: a program without a build-id" buildid-list 255 '-i plain' "'plain'" 'build-id=none'
else
	skip "no gcc"
fi

# ---- the command line ----
for command in record report script stat; do
	row "$command: an unknown option" $command 129 '--frobnicate' "unknown option '--frobnicate'" "Usage: perf $command"
	row "$command: an option with a typo names its neighbour" $command 129 '--verbos3' "unknown option '--verbos3'" \
		"did you mean '--verbose'"
	row "$command: an option without its value" $command 129 '--cpu' "'--cpu': it needs a value" '--cpu <'
done
row "report: an ambiguous option" report 129 '--show' "ambiguous option '--show': could be --show-[a-z-]+ or --show-"
row "record: a number out of range" record 129 '-c 18446744073709551616 true' 'too large, the limit is 18446744073709551615'
export PERF_CONFIG=bad.conf
row "config: a line without a value" config 0 -l "bad configuration 'bad.conf:2': a '=' is missing"
export PERF_CONFIG=value.conf
row "report: a value of the configuration that is none" report 255 '' \
	"bad configuration 'value.conf:2': report.children: not true or false 'perhaps'"
export PERF_CONFIG=/dev/null
row "check: an unknown feature" check 1 'feature lzmaa' "unknown feature 'lzmaa'" "did you mean 'lzma'"

step "64 files are enough"
if need_events; then
	(
		ulimit -n 64
		PERF_TEST_MARK=x timeout 200 "$PERF" record -a -e cpu-clock -o x.data sleep 0.1 > out 2> err &&
			"$PERF" report --stdio -i x.data > out 2>> err && "$PERF" stat -a sleep 0.1 2>> err
		echo $? > rc
	)
	check [ "$(cat rc)" -eq 0 ]
	refute grep -qi '^Error' err
fi

step "an empty environment: no HOME, no TERM, no PATH"
if need_events; then
	env -i "$PERF" record -e cpu-clock -o x.data /bin/true > out 2> err
	check [ $? -eq 0 ]
	for command in 'report --stdio -i x.data' 'script -i x.data' 'stat -e cpu-clock /bin/true' help 'config -l'; do
		env -i "$PERF" $command > out 2> err
		check [ $? -eq 0 ]
		refute grep -qi '^Error' err
	done
fi

# ---- bad targets ----
row "record: a workload that is not there" record 255 '-e cpu-clock nosuch-command' 'nosuch-command' 'No such file'
row "stat: a workload that is not there" stat 255 'nosuch-command' '(Workload failed|nosuch-command)' 'No such file'
row "record: a process that is not there" record 244 '-e cpu-clock -p 4194303' '4194303' 'no such process'
row "stat: a process that is not there" stat 234 '-p 4194303' '4194303' 'no such process'
row "record: a CPU that is not there" record 237 '-e cpu-clock -C 4095 true' '4095'
row "record: --filter without a tracepoint" record 129 '--filter x true' '--filter' 'follow' 'Usage: perf record'
row "record: -g takes no glued value" record 129 '-gfp -e cpu-clock true' "unknown option '-f'" '--call-graph=fp'
row "record: -g takes no value" record 129 '-g=dwarf -e cpu-clock true' "unknown option '-='" '--call-graph=dwarf'
row "record: a file without a name" record 255 "-e cpu-clock -o '' true" 'cannot create a recording' 'name .* is empty'
row "record: a user that is not there" record 129 '-e cpu-clock -u nosuchuser true' "no such user 'nosuchuser'" ' -u, --uid'
row "record: -g takes no argument" record 255 '-e cpu-clock -g dwarf true' '-g takes no argument' '--call-graph dwarf'
row "record: an unknown register" record 129 '--user-regs=ax,foo true' "unknown register 'foo'" '--user-regs=\?' 'Usage: perf record'
row "record: an unknown register at the interrupt" record 129 '--intr-regs= true' "unknown register" '--intr-regs=\?'
row "record: an unknown clock" record 129 '-k foo true' "unknown clock 'foo'" 'mono'
row "record: a clock that the system does not have" record 255 '-e cpu-clock -k 15 true' "clock '15'" 'does not have it'
row "record: an unknown word of --synth" record 129 '--synth=task,foo true' "'foo'" 'no, all, task, mmap, cgroup'
row "record: -D with a range that ends before it starts" record 129 '-D 5-3 true' "'5-3'" 'its end is not after its start'
row "record: -D with ranges that overlap" record 129 '-D 10-20,15-30 true' "'15-30'" 'ends at 20 ms'
row "record: -D with half a range" record 129 '-D 10-20,30 true' "'30'" 'START-END'
row "record: -D with something else" record 129 '-D x true' "'x'" '-D 10-20,30-40'
row "record: branch stacks as a term" record 255 '-e cpu-clock/branch_type=any/ true' 'branch' 'LBR'
row "record: a branch filter that is none" record 129 '-e cpu-clock/branch_type=eny/ true' "unknown branch filter 'eny'"
row "record: aux-output without an AUX area" record 255 '-e cpu-clock/aux-output/ true' "support 'aux_output'"
row "record: aux-sample-size without an AUX area" record 129 '-e cpu-clock/aux-sample-size=1/ true' 'no AUX area event to sample'
row "stat: a term about samples" stat 129 '-e cs/branch_type=any/ true' "not usable in 'perf stat'"
row "stat: a time-out that costs" stat 0 '-e page-faults --timeout 50 sleep 1' 'timeout < 100ms'
row "stat: a time-out that is too short" stat 234 '--timeout 9 true' 'timeout must be >= 10ms'
row "stat: -p and -C" stat 0 '-e page-faults -p $$ -C 0 true' 'PID/TID switch overriding CPU'
row "stat: an unknown event" stat 129 '-e cyclse true' 'cyclse' "did you mean 'cycles'" "Run 'perf list'"
row "stat: a C file as an event" stat 129 '-e prog.c true' 'bpftrace'
row "stat: an output file that cannot be" stat 255 '-o /nosuch/file true' '/nosuch/file' 'No such file'
row "stat: --control with a fifo that is not there" stat 129 '--control fifo:/nosuch true' '/nosuch'
row "record: -G before the events" record 129 '-G foo -e cpu-clock true' 'must define events before cgroups'
row "record: -G for a command" record 129 '-e cpu-clock -G / true' 'only available in system-wide mode' 'add -a'
row "record: a cgroup that is not there" record 129 '-e cpu-clock -a -G nosuch true' 'no access to cgroup .*nosuch' 'No such file'
row "record: more cgroups than events" record 129 '-e cpu-clock -a -G ,a true' "cgroup without an event 'a'"
row "record: --exclude-perf without a tracepoint" record 129 '-e cpu-clock --exclude-perf true' '--exclude-perf option should follow a -e tracepoint' 'it is none'
row "record: a priority that does not exist" record 255 '-e cpu-clock -r 500 true' 'could not set realtime priority' '1 to 99'
row "record: an unknown call-graph mode" record 129 '--call-graph foo true' "'foo'" 'fp, dwarf, auto, lbr'
row "record: C source as an event" record 129 '-e ./x.c/map:channel.event=evt/ true' 'x\.c' 'Usage: perf record'
step "record: a filter the kernel refuses"
if need_tracefs; then
	row "record: a filter the kernel refuses" record 255 "-e sched:sched_switch --filter 'nosuch > 1' -a true" \
		"'nosuch > 1'" "sched:sched_switch has no field 'nosuch'" 'its fields: prev_comm'
	row "stat: an operator that the kernel does not have" stat 255 "-e sched:sched_switch --filter 'prev_pid => 1' -a true" \
		"'=>' is no operator" 'write >='
fi
row "record: a switch of files that means nothing" record 129 '--switch-output=10m5 true' "'10m5'" '100M .B, K, M, G., nor a time'
row "record: a size limit without a unit" record 129 '--max-size=5 true' "'5'" 'B, K, M or G'
row "record: a flush that is no size" record 129 '--mmap-flush=x true' "'x'" 'B, K, M or G'
row "record: an unknown affinity" record 129 '--affinity=numa true' "'numa'" 'sys, node, cpu'
row "record: aio blocks that are no number" record 129 '--aio=x true' "'x'" 'not a number'
row "record: a control text that means nothing" record 129 '--control=7 true' "'7'" 'fifo:CTL'
row "record: a control descriptor that is not open" record 129 '--control=fd:77 true' "descriptor '77'" 'it is not open'
row "record: a control fifo that is not there" record 129 '--control=fifo:nosuch true' "'nosuch'" 'No such file'
row "record: a control file that is no fifo" record 129 '--control=fifo:/etc/passwd true' "'/etc/passwd'" 'mkfifo'
row "record: AUX snapshots" record 234 '-S -e cpu-clock true' 'No AUX area tracing to snapshot' 'Intel PT'
row "record: AUX samples" record 234 '--aux-sample -e cpu-clock true' 'No AUX area event to sample' 'Intel PT'
row "record: off-CPU times" record 255 '--off-cpu true' 'off-cpu' 'sched:sched_switch'
row "record: debuginfod" record 0 '--debuginfod -q -e cpu-clock true' 'not fetched here' 'perf report --debuginfod'
step "buildid-cache: a kcore that is none"
row "buildid-cache: a kcore that is not there" buildid-cache 255 '--kcore none/kcore' "'none/kcore'" 'No such file'
row "buildid-cache: a kcore of another name" buildid-cache 255 '--kcore x.data' 'its name must be kcore' '/proc/kcore'

step "record: kcore that cannot be read"
if [ -r /proc/kcore ]; then
	skip "/proc/kcore can be read here"
else
	row "record: kcore that cannot be read" record 255 '--kcore -o kc true' 'kcore is not readable' 'CONFIG_PROC_KCORE'
	check [ ! -e kc ]
fi
row "record: a compression level that is none" record 129 '-zfast -e cpu-clock true' "'fast'" '1 to 22'
row "record: other files of a stream" record 255 '--switch-output -e cpu-clock -o - true' 'the recording is a stream' '-o FILE'
step "record: a stream on a terminal"
if command -v script > /dev/null; then
	script -qec "$PERF record -e cpu-clock -o - true; echo status \$?" /dev/null < /dev/null > out 2>&1
	check grep -q 'cannot write the recording to a terminal' out
	check grep -q 'status 255' out
	refute grep -q PERFILE2 out
else
	skip "script(1) is not here to make a terminal"
fi
row "record: a folder that is not there" record 255 '-e cpu-clock -o nosuch/x.data true' 'nosuch/x.data' 'No such file'
row "script: a field nobody knows" script 129 '-F nosuchfield' 'nosuchfield|field' 'Usage: perf script'
row "test: a number that no test has" test 129 '999' "no test '999'" 'tests are 1 to [0-9]+' 'Usage: perf test'
row "test: a name that no test has" test 129 'nosuchtest' "no test 'nosuchtest'" 'perf test list' 'Usage: perf test'
row "test: no list of tests" test 129 '-s all' "cannot skip 'all'" '-s 1,3-5' 'Usage: perf test'
row "test: a workload nobody knows" test 255 '-w noplop' "No workload found: 'noplop'" "did you mean 'noploop'" 'list-workloads'
row "test: a workload with a wrong argument" test 255 '-w noploop x' "'x'" 'seconds are a number' 'perf test -w noploop \[sec\]'

# ---- as an ordinary user ----
step "record -a as an ordinary user: paranoid level and the fix"
if need_root; then
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 1 ]; then
		skip "perf_event_paranoid allows it to everyone here"
	else
		install -D -m 755 "$PERF" "$SCRATCH/copy/perf" && mkdir -p "$SCRATCH/nobody" && chmod 777 "$SCRATCH/nobody" && chmod 755 "$SCRATCH"
		for command in "record -a" "stat -a" "record -e cpu-clock:k"; do
			built "${command%% *}" || continue
			(
				cd "$SCRATCH/nobody" && setpriv --reuid=65534 --regid=65534 --clear-groups \
					timeout 200 "$SCRATCH/copy/perf" $command true
			) > out 2> err
			rc=$?
			check [ $rc -eq 255 ]
			check grep -q 'perf_event_paranoid' err
			check grep -qE 'CAP_PERFMON|root|sysctl' err
		done
		fi
fi
finish
