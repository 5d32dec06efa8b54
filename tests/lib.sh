# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every shell test starts with:
#
#	. "$(dirname "$0")/../lib.sh"		(perf under test: $PERF, default build/perf)
#	plan 12				the number of steps, skipped ones included
#	step "reads what it wrote"		names the next result
#	perf record -o x.data true		runs the perf under test; stdout and stderr are
#						in the files out and err, the exit status in $rc
#	check [ $rc -eq 0 ]
#	check grep -q Captured err
#	refute grep -q lost err
#	finish
#
# A step is ok when every `check` after it held. `skip REASON` skips the running step, `skip_all
# REASON` the whole file, as does a need_... before the first step with `|| finish`. Another number of
# steps than planned is a failure (tests/plan.sh writes the right one), so is an end before `finish`.
# What the machine can do is asked of the kernel, of workloads/able, of other tools: a perf that does
# nothing must fail in every file (tests/empty.sh). The test runs in a scratch folder with a HOME of its own, both removed at
# the end; each perf is bounded by $LIMIT seconds. The results are lines `ok - STEP`, `not ok -
# STEP`, `skip - STEP: REASON`, which tests/run.sh adds up.
#
# Around each `perf` the picture of the system is taken: what perf must leave as it found it. A
# difference fails the running step. See picture() for what it holds. PICTURE=no: not for a perf
# that does nothing. AGAIN=yes: what only Linux's perf says need not be asked once more.
set -u
TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SRC=$(dirname "$TESTS")
PERF=$(readlink -f "${PERF:-$SRC/build/perf}")
WORKLOADS=$(readlink -f "${WORKLOADS:-$SRC/build/workloads}")
REF=${PERF_REF:-/usr/bin/perf} # Linux's perf, to compare with
LIMIT=${LIMIT:-200} # never reached but by what hangs
SCRATCH=$(mktemp -d /tmp/test-perf-XXXXXX) || exit 2
export HOME=$SCRATCH/home LC_ALL=C PERF_CONFIG=/dev/null
unset PERF_PAGER PAGER DEBUGINFOD_URLS
mkdir "$HOME" "$SCRATCH/dir"
cd "$SCRATCH/dir" || exit 2
. "$TESTS/steps.sh"
plan 0 # which no file keeps to
mark=''
umount_at_end=''
CHILDREN=''

# at_end [STATUS]: of a suite with a trap of its own, the one that it ended with.
at_end() {
	local status=${1:-$?} child
	# A child that a signal reaches before it became perf has our traps still.
	[ "$BASHPID" -eq $$ ] || exit "$status"
	for child in $CHILDREN; do
		{ kill -KILL "$child" && wait "$child"; } 2> /dev/null
	done
	[ -z "$umount_at_end" ] || umount "$umount_at_end" 2> /dev/null
	cd / && rm -rf -- "${SCRATCH:?}"
	[ $state != finished ] || exit "$status"
	echo "not ok - ${current:-the start}: the file ended here with status $status"
	exit $((status ? status : 1))
}
trap at_end EXIT
trap 'exit 130' INT TERM

typed() {
	local text
	printf -v text '%q ' "$@" && echo "${text% }"
}

skip_all() {
	step "${1%%:*}" && skip "$1"
	planned=''
	finish
}

# ---- running perf ----

# perf ARGS...: out, err, rc. Fails the step when it died by a signal that the test did not send,
# ran longer than $LIMIT, or left the system changed.
perf() {
	[ $state != skipped ] || { : > out && : > err && rc=0 && return 0; }
	before
	PERF_TEST_MARK=$mark timeout -k 5 "$LIMIT" "$PERF" "$@" > out 2> err < "${IN:-/dev/null}"
	rc=$?
	judge "perf $*"
}

# both_scripts FILE OPTION...: the text of perf script, of Linux's perf in ref and of ours in out
both_scripts() {
	local file=$1
	shift
	"$REF" script --kallsyms symbols -i "$file" "$@" < /dev/null 2> ref.err > ref
	perf script --kallsyms symbols -i "$file" "$@"
	check [ $rc -eq 0 ]
}

# perf_signal SIGNAL WHEN ARGS...: the same, with a signal: after so many seconds where any moment
# will do, or once the command WHEN is true of perf's pid: waits, 'has_run 10'. INT goes to the whole
# group as ^C does, the others to perf alone.
perf_signal() {
	local signal=$1 when=$2 child watch doer
	shift 2
	[ $state != skipped ] || return 0
	before
	set -m # a background job would ignore SIGINT otherwise
	PERF_TEST_MARK=$mark "$PERF" "$@" > out 2> err < /dev/null &
	child=$! doer=$!
	(sleep "$LIMIT" && kill -KILL "$child") > watch.log 2>&1 &
	watch=$!
	set +m
	CHILDREN="$CHILDREN $child"
	case $when in
	[0-9]*) sleep "$when" ;;
	*) until_true $when "$child" ;; # words
	esac
	if [ "$signal" = INT ]; then
		kill -INT -- "-$child" 2> /dev/null
	else
		kill "-$signal" "$child" 2> /dev/null
	fi
	wait "$child" 2> /dev/null
	rc=$?
	kill -KILL -- "-$watch" 2> /dev/null
	wait "$watch" 2> /dev/null
	DIES=$signal judge "perf $* and SIG$signal after $when"
}

# until_true COMMAND...: waits for it, however busy the machine is. $LIMIT seconds, or the end of
# process $doer where there is one, are the end: reached only by what never comes.
doer=''
until_true() {
	local end=$((SECONDS + LIMIT))
	until "$@"; do
		if [ $SECONDS -ge $end ] || ! kill -0 "${doer:-$$}" 2> /dev/null; then
			"$@" || fail "$(typed "$@") did not become true"
			return
		fi
		sleep 0.05
	done
}

# waits PID: that perf has opened its events, told what was there before, and now waits for what
# comes and for signals.
waits() {
	grep -q poll "/proc/$1/wchan" 2> /dev/null && find "/proc/$1/fd" -lname '*perf_event*' 2> /dev/null | grep -q .
}

# has_run TICKS PID: the command of that perf, once perf waits, has used so much CPU, in 1/100 s.
has_run() {
	local pids
	waits "$2" || return
	pids=$(cat "/proc/$2/task/"*/children 2> /dev/null)
	# shellcheck disable=SC2086,SC2046 # numbers
	cat $(printf '/proc/%s/stat ' $pids) 2> /dev/null |
		awk -v want="$1" '{ sub(/.*\) /, ""); sum += $12 + $13 } END { exit !(sum >= want) }'
}

# words FILE: what is said there, but for what a busy machine lets a recorder lose
words() {
	grep -vE '^Warning:$|^Processed .* lost [0-9]+ chunks!$|samples were lost|^Check IO/|^$' "$1"
}

# saw_work PID: that perf waited while a program worked.
saw_work() {
	waits "$1" && "$WORKLOADS/planted" 0.1 > /dev/null
}

# took SIGNAL PID: that signal waits no longer for the process, which has read it
took() {
	local bit=$(($(kill -l "$1") - 1))
	[ $((0x$(sed -n 's/^ShdPnd:.//p' "/proc/$2/status") >> bit & 1)) -eq 0 ]
}

# grown FILE BYTES: it has so many, or more
grown() {
	[ "$(stat -c %s "$1" 2> /dev/null || echo 0)" -ge "$2" ]
}

judge() {
	case $rc in
	124 | 137) [ -n "${DIES:-}" ] || fail "$1 ran longer than $LIMIT s or was killed, status $rc" ;;
	132 | 133 | 134 | 135 | 136 | 139) [ -n "${DIES:-}" ] || fail "$1 died, status $rc" ;;
	86) fail "$1: a sanitizer found something" ;;
	esac
	same_picture "$1"
}

# stdin, whatever entries of a PLT are called there: the two perfs differ (differences.md).
any_plt() {
	sed -E 's/ (_init|[^ ]*@plt)(\+0x[0-9a-f]+)?( |$)/ PLT\3/'
}

# python_records ARGUMENTS: python3 that finds tests/data/records.py.
python_records() {
	PYTHONPATH="$TESTS/data" python3 -B "$@"
}

# agree FILE...: both perfs say the same about them, as far as $CHECKS of compat/agree.py; without
# Linux's perf there is nothing to agree with: the step is skipped.
agree() {
	[ -x "$REF" ] || { skip "'$REF' is not there" && return; }
	for _ in 1 2 3; do
		env PERF="$PERF" PERF_REF="$REF" python3 "$TESTS/compat/agree.py" \
			--checks "$CHECKS" --home "$HOME" "$@" > agree.log 2>&1 && return
		# Linux's perf itself dies of its report at times.
		grep -q "Linux's perf: .*ended with status -11" agree.log || break
	done
	cat agree.log
	check false
}

# ---- what is in a recording ----

# walk FILE: into `facts`, by datawalk.c, which shares no code with perf.
walk() {
	"$WORKLOADS/datawalk" "$1" > facts || fail "the file contradicts itself: $(tail -n 1 facts)"
}

# fact NAME: its value; "type 10" too; 0 when absent
fact() {
	awk -v name="$1" 'index($0, name " ") == 1 { print $NF; n = 1 } END { if (!n) print 0 }' facts
}

# Who traces a program keeps LeakSanitizer from looking at it.
! command -v strace > /dev/null || strace() {
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 command strace "$@"
}

# The build-id that readelf finds in a file.
id_of() {
	readelf -n "$1" 2> /dev/null | sed -n 's/.*Build ID: //p'
}

# ---- the picture of the system ----

# Builtins of the shell do all of this but the look at the environments: it is done around each perf.
tracefs() {
	local at type
	while read -r _ at type _; do
		[ "$type" != tracefs ] || { echo "$at" && return; }
	done < /proc/mounts
}

# lines_of NAME FILE...: the lines of each
lines_of() {
	local name=$1 lines file
	shift
	for file; do
		mapfile -t lines < "$file"
		echo "$name ${lines[*]}"
	done 2> /dev/null
}

# What perf may not change: the enabled tracepoints, probes and instances of tracefs, the sysctls
# of perf, the limits of this shell. The kernel itself lowers perf_event_max_sample_rate, on machines
# that have a PMU and are busy.
picture() {
	local at line file
	at=$(tracefs)
	echo "tracefs ${at:-none}"
	if [ -n "$at" ] && [ -r "$at/set_event" ]; then
		lines_of "tracefs set" "$at/set_event" "$at/current_tracer" "$at/tracing_on"
		for file in "$at"/[ku]probe_events; do
			# But for those of cli/sdt and cli/probe, which make probes while others run.
			# A list that changes while it is read has lines without their beginnings.
			while read -r line; do
				[[ $line =~ ^[pr][0-9]*: ]] || continue
				# Of programs in another's scratch folder: not made from here.
				[[ $line != *\ /tmp/* || $line == *" $SCRATCH/"* ]] || continue
				[[ $line =~ :(sdt_planted|[a-z_]*tried[0-9][0-9a-z_]*)/ ]] || echo "tracefs probe $line"
			done < "$file"
		done 2> /dev/null
		for file in "$at"/instances/*; do
			# But for those of a doctor in another test, which live for a moment, of script-recipes
			# and of own_probes.
			[[ $file == *-doctor-* || $file == */perf-recipes-* || $file == */tried[0-9]*p || ! -e $file ]] || echo "tracefs instance $file"
		done
	fi
	for file in /proc/sys/kernel/{perf_event_*,kptr_restrict,nmi_watchdog}; do
		[[ $file == *_max_sample_rate ]] || lines_of "$file" "$file"
	done
	ulimit -a
	ulimit -aH
}

before() {
	[ "${PICTURE:-}" = no ] || picture > "$SCRATCH/before"
	mark=$SCRATCH:$((nr_runs += 1)) # every process that this perf starts inherits it
}

# Processes that the last perf started and left behind.
left_behind() {
	grep -lsz "^PERF_TEST_MARK=$mark\$" /proc/[0-9]*/environ
}

unchanged() {
	local gone='^$'
	[ "${PICTURE:-}" != no ] || return 0
	{ picture && left_behind; } > "$SCRATCH/after"
	cmp -s "$SCRATCH/before" "$SCRATCH/after" && return 0
	# A tracefs that perf mounted stays mounted, as with Linux's perf: the rest must agree.
	if grep -q '^tracefs none' "$SCRATCH/before" && ! grep -q '^tracefs none' "$SCRATCH/after"; then
		umount_at_end=$(tracefs)
		gone='^tracefs '
	fi
	diff <(grep -v "$gone" "$SCRATCH/before") <(grep -v "$gone" "$SCRATCH/after") > "$SCRATCH/diff"
}

same_picture() {
	local pause
	unchanged && return 0
	for pause in 0.5 1 2; do # for a process that is just ending, and for what others make and remove
		sleep $pause
		unchanged && return 0
	done
	fail "the system was left changed by: $1"
	sed 's/^/  #   /' "$SCRATCH/diff"
	return 1
}

# ---- what a test may need ----

need_root() {
	[ "$(id -u)" -eq 0 ] || { skip "needs root" && return 1; }
}

# Has this machine hardware counters?
have_pmu() {
	local source
	for source in /sys/bus/event_source/devices/{cpu,cpu_core,armv8*}; do
		[ ! -e "$source" ] || return 0
	done
	return 1
}

# Does the kernel let us sample at all?
need_events() {
	"$WORKLOADS/able" events && return 0
	skip "the kernel refuses perf_event_open (perf_event_paranoid $(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo absent))"
	return 1
}

need_tracefs() {
	local at
	need_root || return 1
	at=$(tracefs)
	if [ -z "$at" ]; then
		mount -t tracefs nodev /sys/kernel/tracing 2> /dev/null &&
			umount_at_end=/sys/kernel/tracing at=/sys/kernel/tracing
	fi
	[ -n "$at" ] && [ -r "$at/events" ] && return 0
	skip "tracefs cannot be mounted"
	return 1
}

# A suite that makes probes: $ME begins the names of its programs, and so of its groups. `mine` prints
# its probes; those that are left are removed at its end.
own_probes() {
	ME=tried$$p
	trap clear_probes EXIT
}
mine() {
	grep -s ":[a-z_]*${ME}[^ /]*/" "$(tracefs)/uprobe_events"
}
clear_probes() {
	local status=$? name
	mine | sed 's/^[pr][0-9]*:\([^ ]*\) .*/\1/' | sort -u | while read -r name; do
		echo "-:$name" >> "$(tracefs)/uprobe_events"
	done
	at_end $status
}
need_uprobe_events() {
	need_tracefs || return 1
	[ -w "$(tracefs)/uprobe_events" ] && return 0
	skip "this kernel has no uprobe_events"
	return 1
}

# Make the cgroup $1 where perf_event belongs: below $cgroups. Its end is the caller's.
need_cgroup() {
	need_root || return 1
	cgroups=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/mounts)
	if [ -z "$cgroups" ] && ! awk '$1 == "perf_event" { exit $2 != 0 }' /proc/cgroups; then
		skip "perf_event belongs to a v1 hierarchy that is mounted nowhere"
		return 1
	fi
	cgroups=${cgroups:-$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)}
	[ -n "$cgroups" ] && mkdir "$cgroups/$1" 2> mkdir.log && return 0
	skip "no cgroups to write to here: $(cat mkdir.log 2> /dev/null || echo none is mounted)"
	return 1
}

# Another machine: a folder `machine` that is "/" there, with this perf, the given programs and the
# libraries that they need, nothing else. `there ARGS...` runs its perf.
need_machine() {
	need_root || return 1
	if grep -qs fsanitize "${PERF%/*}/.flags"; then
		skip "a sanitizer wants the /proc that a bare chroot lacks"
		return 1
	fi
	[ -x machine/bin/perf ] || make_machine "$PERF" "$@" 2> /dev/null
	cp "$WORKLOADS/able" machine/bin/able && chroot machine /bin/able nothing && return 0
	skip "nothing runs in a chroot here"
	return 1
}

make_machine() {
	local file
	mkdir -p machine/root machine/tmp machine/bin machine/dev
	{ printf '%s\n' "$@" && ldd "$@" | grep -oE '/[^ )]+' | tr -d ':'; } | sort -u | while read -r file; do
		mkdir -p "machine$(dirname "$file")" && cp -L "$file" "machine$file"
	done
	for file; do
		cp -L "$file" "machine/bin/${file##*/}"
	done
}

there() {
	HOME=/root PATH=$PATH:/bin timeout 200 chroot machine /bin/perf "$@"
}

# until_recording PID: that perf, or the one that it started, has mapped its rings
until_recording() {
	local pids
	for _ in $(seq 600); do
		pids="$1 $(cat "/proc/$1/task/$1/children" 2> /dev/null)"
		# shellcheck disable=SC2086,SC2046 # numbers
		! cat $(printf '/proc/%s/maps ' $pids) 2> /dev/null | grep -q 'perf_event' || return 0
		sleep 0.1
	done
	fail "process $1 does not record"
}

built() {
	grep -q "{ \"$1\", cmd_" "$SRC/perf.c"
}

# Was this perf built with the library? A perf that lies elsewhere is taken to have all.
has() {
	local flags=${PERF%/*}/.flags
	[ ! -e "$flags" ] || grep -q -e "-DHAVE_${1^^}\>" "$flags"
}

need_library() {
	has "$1" && return 0
	skip "this perf is built without $1"
	return 1
}

need_built() {
	built "$1" && return 0
	skip "perf $1 is not built yet"
	return 1
}
