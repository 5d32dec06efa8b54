#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf doctor: what it says must be so, it must change nothing, and where record and stat are
# refused they must say the same as it. The refusals are real: other users, namespaces, seccomp
# filters, limits. Settings of the kernel are never written: where a file of /proc/sys must read
# differently, another file is bound over it in a mount namespace of the test's own.
. "$(dirname "$0")/../lib.sh"
plan 24

public=$SCRATCH/public # what other users may see: copies of the programs, a folder to write to
mkdir -p "$public/write" && chmod 755 "$SCRATCH" "$public" && chmod 777 "$public/write"
install -m 755 "$PERF" "$public/perf"
[ ! -x "$WORKLOADS/forbid" ] || install -m 755 "$WORKLOADS/forbid" "$public/forbid"
cd "$public/write" || exit 2

as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
how=() # in front of perf

# As perf() of lib.sh, but started the way that $how says.
try() {
	[ $state != skipped ] || { : > out && : > err && rc=0 && return 0; }
	[ "$1" != record ] || rm -f x.data x.data.old # of another user, mostly
	before
	PERF_TEST_MARK=$mark timeout -k 5 "$LIMIT" "${how[@]}" "$public/perf" "$@" > out 2> err < /dev/null
	rc=$?
	judge "${how[*]} perf $*"
}

# The line LABEL of what `perf doctor FACILITY` says.
told() {
	"${how[@]}" "$public/perf" doctor "$1" 2>&1 | sed -nE "s/^  $2 +//p"
}

verdict() {
	"${how[@]}" "$public/perf" doctor "$1" 2>&1 | sed -nE "s/^$1: ([a-z ]+)\$/\1/p"
}

# works FACILITY ARGS...: doctor says "works" if and only if the command gets what it asked for.
works() {
	local facility=$1 want=works
	shift
	try "$@"
	[ $rc -eq 0 ] || want=not
	! grep -qE '<not (supported|counted)>|user space only' out err || want=not
	case $(verdict "$facility") in
	works) check [ $want = works ] || fail "doctor says $facility works: perf $*" ;;
	refused | absent) check [ $want = not ] || fail "doctor says $facility does not work: perf $*" ;;
	*) fail "no verdict about $facility" ;;
	esac
}

# Is all that the doctor says about measuring so?
is_right() {
	rm -f x.data x.data.old
	works software-events stat -e cpu-clock:u true
	works cpu-counters stat -e cycles:u true
	works kernel stat -e cpu-clock:k true
	works system-wide stat -a -e cpu-clock:u true
	works other-processes record -p 1 -e cpu-clock:u -o x.data true
	works breakpoints stat -e mem:0x1000:w:u true
	works tracepoints stat -e sched:sched_switch true
	works raw-tracepoints record -a -e sched:sched_switch -o x.data true
	works rings record -e cpu-clock:u -o x.data true
	works ftrace record -a -e ftrace:function -o x.data true
	try record -e cpu-clock:u -o x.data true
	local status=$rc
	try doctor
	check [ $((rc > 0)) -eq $((status > 0)) ]
	check [ $rc -le 1 ]
	check [ ! -s err ]
}

# same FACILITY REGEX STATUS ARGS...: the command ends with this status (-: any) and says the
# cause and the fix of the doctor, which match.
same() {
	local facility=$1 regex=$2 status=$3 cause fix
	shift 3
	[ $state != skipped ] || return 0
	cause=$(told "$facility" cause)
	fix=$(told "$facility" fix)
	check [ -n "$cause" ]
	check grep -qE "$regex" <<< "$cause"
	try "$@"
	[ "$status" = - ] || check [ $rc -eq "$status" ]
	check grep -qF -e "$cause" err
	check grep -qF -e "${fix:-:}" err
}

need_events_of_nobody() {
	need_root || return 1
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ] ||
		{ skip "perf_event_paranoid is $(cat /proc/sys/kernel/perf_event_paranoid), not 2" && return 1; }
}

# ---- the shape ----

line='^  ([a-z-]+) +(works|refused|ok|limits you|absent) .*'
step "what one can and cannot do, then one line for each facility, grouped"
perf doctor
check [ $rc -le 1 ]
check grep -q '^You can: ' <<< "$(head -n 1 out)"
check grep -qx 'Measuring' out
check [ "$(grep -cE "$line" out)" -ge 30 ]
check [ "$(grep -nE "$line" out | head -n 1 | cut -d: -f1)" -gt "$(grep -n '^You cannot: ' out | tail -n 1 | cut -d: -f1)" ]
refute grep -q 'trace kernel functions' out # no command here does
for facility in $(grep -oE '^  (paranoid|capabilities|sample-rate|disk|nmi-watchdog) .*' out | awk '{ print $1 }'); do
	check grep -qE "^  $facility +(ok|limits you|absent) " out
done
check [ ! -s err ]

step "--json is JSON, with the documented keys, of all facilities"
if command -v python3 > /dev/null; then
	perf doctor --json
	cat > read.py <<-'END'
		import json, sys
		top = json.load(open("out"))
		assert list(top) == ["own-programs", "facilities"], list(top)
		keys = "name group state what can proof cause fix without".split()
		for f in top["facilities"]:
		    assert list(f) == keys, f
		    assert f["state"] in (("works", "refused", "absent") if f["can"] else ("ok", "limits you", "absent")), f
		    assert f["proof"] and f["without"] and f["what"] and f["group"], f
		    assert f["cause"] or f["state"] in ("works", "ok"), f
		print(" ".join(f["name"] for f in top["facilities"]))
	END
	check python3 read.py
	check [ "$(python3 read.py)" = "$("$PERF" doctor | sed -nE "s/$line/\1/p" | tr '\n' ' ' | sed 's/ $//')" ]
	perf doctor --json rings seccomp
	check [ "$(python3 read.py)" = "rings seccomp" ]
else
	skip "python3 is not installed"
fi

step "named facilities are told in full, unknown ones refused with the nearest"
perf doctor paranoid system-wide
check [ $rc -le 1 ]
check [ "$(grep -cE '^(paranoid: (ok|limits you|absent)|system-wide: (works|refused|absent))$' out)" -eq 2 ]
check [ "$(grep -cE '^  (what|proof)  ' out)" -eq 4 ]
perf doctor system-wied
check [ $rc -eq 129 ]
check grep -q "unknown facility 'system-wied'" err
check grep -q "did you mean 'system-wide'" err

step "its page names every facility"
for facility in $("$PERF" doctor | sed -nE "s/$line/\1/p"); do
	check grep -qE "^$facility::" "$SRC/Documentation/perf-doctor.txt"
done

step "it changes nothing: no file, no mount, no limit, no counter that runs"
find "$public" "$HOME" > ../../before.list
perf doctor
find "$public" "$HOME" > ../../after.list
check diff <(sort ../../before.list) <(sort ../../after.list)
if command -v strace > /dev/null; then
	strace -f -o calls "$PERF" doctor > out 2> err
	check [ ! -s err ] # strace says here when it may not trace
	refute grep -qE '^[0-9]+ +(mount|umount2|setrlimit|unlink|rename|ptrace)\(' calls
	# What is written is in an instance of tracefs of its own, and that is removed again; or in a
	# file that has no name.
	own='/instances/perf-doctor-[0-9]+'
	refute eval "grep -E ' mkdir(at)?\(' calls | grep -qvE '$own\"'"
	written='openat\([0-9]+, "(current_tracer|set_ftrace_filter)"' # in that folder
	refute eval "grep -E 'O_(WRONLY|RDWR|CREAT)' calls | grep -v O_TMPFILE | grep -qvE '$written'"
	check [ "$(grep -cE ' mkdir(at)?\(.* = 0' calls)" -eq "$(grep -cE ' (rmdir|unlinkat)\(.* = 0' calls)" ]
	check grep -q 'perf_event_open(.*disabled=1' calls
	refute eval "grep 'perf_event_open(' calls | grep -qv 'disabled=1'"
	check [ "$(grep -cE 'perf_event_open\(.* = [0-9]+$' calls)" -le "$(grep -cE 'close\([0-9]+\) += 0' calls)" ]
fi

# ---- is it right? ----

step "ftrace: the deed decides, not the list of tracers"
if need_tracefs; then
	at=$(tracefs)
	before
	mine=$at/instances/test-doctor-$$
	mkdir "$mine" 2> mkdir.log || skip "this kernel makes no instances of its tracer"
	want=works
	{ echo function > "$mine/current_tracer"; } 2> /dev/null || want=not
	rmdir "$mine"
	{ exec 3< "$at/set_ftrace_filter" && exec 3<&-; } 2> /dev/null || want=not
	case $(verdict ftrace) in
	works) check [ $want = works ] ;;
	refused) check [ $want = not ] && check [ -n "$(told ftrace cause)" ] ;;
	absent) refute grep -qw function "$at/available_tracers" ;;
	*) check false ;;
	esac
	for mine in "$at"/instances/perf-doctor-*; do # of doctors that have ended
		check [ ! -e "$mine" ] || check [ -e "/proc/${mine##*-}" ]
	done
	unchanged || fail "the tracer is not as it was"
	if [ "$(verdict ftrace)" = refused ]; then
		same ftrace 'function tracer' 255 record -a -e ftrace:function -o x.data true
		same ftrace 'function tracer' 255 stat -a -e ftrace:function true
	fi
fi

step "right for whoever runs this"
is_right

step "right for an ordinary user"
if need_root; then
	how=("${as_nobody[@]}")
	is_right
fi

step "right for root of a user namespace"
how=("${as_nobody[@]}" unshare -Ur)
if need_root && ! "${how[@]}" true 2> /dev/null; then
	skip "users may not make user namespaces"
fi
[ $state = skipped ] || is_right

for errno in "1 EPERM" "13 EACCES" "38 ENOSYS"; do
	step "right below a seccomp filter that answers ${errno#* }"
	how=("$public/forbid" "${errno% *}")
	"${how[@]}" true 2> /dev/null || skip "no seccomp filter can be set"
	is_right
	try doctor
	check [ $rc -eq 1 ]
	refute grep -q '^You can:.* your own programs' out
	check grep -A 3 '^You cannot: measure your own programs' out
done

# ---- the same words from doctor, -h, record and stat ----

# lacks COMMAND FACILITY...: the end of its -h says of these, as the doctor does, what cannot be done.
lacks() {
	local command=$1
	shift
	[ $state != skipped ] || return 0
	try "$command" -h
	check [ $rc -eq 129 ]
	check [ ! -s err ]
	sed -n '/^What this machine lacks for it$/,$p' out | sed '1d; /^$/d' > lacked
	"${how[@]}" "$public/perf" doctor --json "$@" > doctor.json
	check python3 - <<-'END'
		import json, re
		text = re.sub(r"\n    (?!because|to change it)", " ", open("lacked").read())
		said = set()
		for one in re.findall(r"You cannot: (.*?),\n    because (.*)\n(?:    to change it: (.*)\n)?", text):
		    said |= {(can, one[1], one[2]) for can in one[0].split(", ")}
		want = {(can, f["cause"], f["fix"] or "") for f in json.load(open("doctor.json"))["facilities"]
		        if f["state"] != "works" for can in f["can"].split(", ")}
		assert said == want, (said, want)
		assert not want or text.startswith("You cannot: "), text
	END
}

all_lack() {
	lacks record software-events cpu-counters kernel system-wide other-processes breakpoints \
		raw-tracepoints uprobes sample-filters ftrace bpf rings
	lacks stat software-events cpu-counters kernel system-wide other-processes breakpoints tracepoints uprobes
	lacks list cpu-counters tracepoints
	lacks probe kprobes uprobes vmlinux
	lacks kmem system-wide raw-tracepoints kallsyms rings
	for command in report script annotate; do
		lacks $command kallsyms vmlinux
	done
}

step "the end of -h: what this machine lacks for the command"
command -v python3 > /dev/null || skip "python3 is not installed"
how=()
all_lack
for command in evlist inject data config buildid-cache version doctor; do
	try $command -h
	refute grep -q 'What this machine lacks' out
done
try record -h --output # what is asked about is all it shows
refute grep -q 'What this machine lacks' out
for user in root nobody; do
	# The negative control: all settings and capabilities promise what the filter denies.
	how=("$public/forbid" 1)
	[ $user = root ] || how=("${as_nobody[@]}" "${how[@]}")
	"${how[@]}" true 2> /dev/null || skip "no seccomp filter can be set"
	all_lack
	try record -h
	check grep -q '^You cannot: measure your own programs,' out
	check grep -q 'because a seccomp filter answers perf_event_open with EPERM' out
done
how=("${as_nobody[@]}")
! need_root || all_lack

how=("${as_nobody[@]}")
step "an ordinary user: the kernel, whole CPUs, others, tracefs"
if need_events_of_nobody; then
	level='kernel.perf_event_paranoid is 2, and this process has no CAP_PERFMON'
	same kernel "^the kernel may not be measured: $level\$" 255 stat -e cpu-clock:k true
	same kernel "^the kernel may not be measured: $level\$" 255 record -e cpu-clock:k true
	same kernel "^the kernel may not be measured: $level\$" 0 record -e cpu-clock -o x.data true
	same system-wide "^whole CPUs are .*: $level\$" 255 stat -a -e cpu-clock true
	same system-wide "^whole CPUs are .*: $level\$" 255 record -a -e cpu-clock true
	same other-processes '^process 1 belongs to user 0' 255 stat -e cpu-clock:u -p 1
	same other-processes '^process 1 belongs to user 0' 255 record -e cpu-clock:u -p 1
	if need_tracefs; then
		same tracefs 'tracefs is for root, and this is user 65534' 129 stat -e sched:sched_switch true
		same tracefs 'tracefs is for root, and this is user 65534' 129 record -e sched:sched_switch true
		check [ "$(told tracefs cause)" = "$(told tracepoints cause)" ]
	fi
fi

step "root of a user namespace: its capabilities do not count"
how=("${as_nobody[@]}" unshare -Ur)
if need_events_of_nobody; then
	"${how[@]}" true 2> /dev/null || skip "users may not make user namespaces"
	space='capabilities of a user namespace \(uid_map 0 65534 1\) do not count'
	same system-wide "paranoid is 2, and the $space" 255 stat -a -e cpu-clock true
	same system-wide "paranoid is 2, and the $space" 255 record -a -e cpu-clock true
	same kernel "paranoid is 2, and the $space" 255 stat -e cpu-clock:k true
	same kernel "paranoid is 2, and the $space" 255 record -e cpu-clock:k true
fi

step "root without the capability, as in a container"
how=(setpriv "--bounding-set=-perfmon,-sys_admin")
if need_events_of_nobody; then
	"${how[@]}" true 2> /dev/null || skip "this setpriv does not know CAP_PERFMON"
	same system-wide 'paranoid is 2, and CAP_PERFMON was taken from this root$' 255 stat -a -e cpu-clock true
	same system-wide 'paranoid is 2, and CAP_PERFMON was taken from this root$' 255 record -a -e cpu-clock true
	[ $state = skipped ] || is_right
fi

for errno in "1 EPERM" "13 EACCES" "38 ENOSYS"; do
	step "a seccomp filter that answers ${errno#* } is found out, root or not"
	filter="^a seccomp filter answers perf_event_open with ${errno#* } "
	for user in root nobody; do
		how=("$public/forbid" "${errno% *}")
		[ $user = root ] || how=("${as_nobody[@]}" "${how[@]}")
		"${how[@]}" true 2> /dev/null || skip "no seccomp filter can be set"
		status=255
		[ "${errno#* }" != ENOSYS ] || status=0 # all <not supported>, as with Linux's perf
		same software-events "$filter" $status stat -e cpu-clock true
		same software-events "$filter" 255 record -e cpu-clock true
		same system-wide "$filter" $status stat -a -e cpu-clock true
		same system-wide "$filter" 255 record -a -e cpu-clock true
		same seccomp "$filter" 255 record -a true
	done
done

step "tracefs is not mounted: a user is told, root gets it mounted when it is needed"
cat > "$public/unmounted" <<-'END'
	while at=$(awk '$3 == "tracefs" { print $2; exit }' /proc/self/mounts) && [ -n "$at" ]; do
		umount "$at" || exit 77
	done
	while at=$(awk '$3 == "debugfs" { print $2; exit }' /proc/self/mounts) && [ -n "$at" ]; do
		umount "$at" || exit 77
	done
	exec "$@"
END
how=(unshare -m sh "$public/unmounted")
if need_tracefs; then
	"${how[@]}" true 2> /dev/null || skip "there can be no mount namespace without tracefs"
	check [ "$(verdict tracefs)" = ok ]
	check grep -q '^not mounted: perf does that' <<< "$(told tracefs proof)"
	"${how[@]}" sh -c '"$0" doctor; grep tracefs /proc/self/mounts' "$public/perf" > out 2> err
	refute grep -q '^nodev ' out # mounted by the doctor
	try stat -e sched:sched_switch true
	check [ $rc -eq 0 ]
	how=("${how[@]}" "${as_nobody[@]}")
	same tracefs '^tracefs is not mounted$' 129 stat -e sched:sched_switch true
	same tracefs '^tracefs is not mounted$' 129 record -e sched:sched_switch true
fi

step "hidden kernel addresses: which setting does it, in doctor, record and report"
how=()
try record -e cpu-clock:k -o kernel.data dd if=/dev/zero of=/dev/null bs=1 count=200000
chown 65534 kernel.data 2> /dev/null
how=("${as_nobody[@]}" --inh-caps=+perfmon --ambient-caps=+perfmon)
if need_events_of_nobody; then
	"${how[@]}" true 2> /dev/null || skip "this setpriv does not know CAP_PERFMON"
	rm -f x.data x.data.old
	if [ "$("${how[@]}" awk '$1 !~ /^0+$/ { print "seen"; exit }' /proc/kallsyms)" = seen ]; then
		skip "this kernel shows its addresses to everybody"
	fi
	same kallsyms 'hidden: kernel.perf_event_paranoid is 2, and this process has no CAP_SYSLOG' 0 \
		record -a -e cpu-clock -o x.data true
	user=("${how[@]}")
	cat > "$public/kptr" <<-'END'
		mount --bind "$1" /proc/sys/kernel/kptr_restrict || exit 77
		shift
		exec "$@"
	END
	for level in 1 2; do
		echo $level > "$public/kptr$level" && chmod 644 "$public/kptr$level"
		how=(unshare -m sh "$public/kptr" "$public/kptr$level" "${user[@]}" env HOME=/nonexistent)
		"${how[@]}" true 2> /dev/null || skip "there can be no mount namespace"
		same kallsyms "hidden.*kernel.kptr_restrict is $level" 0 record -a -e cpu-clock -o x.data true
		same kallsyms "hidden.*kernel.kptr_restrict is $level" 0 report --stdio -i kernel.data
	done
fi

# ---- limits ----

step "rings: what fits is what the kernel grants"
how=("${as_nobody[@]}" prlimit --memlock=0:0)
if need_events_of_nobody; then
	fits=$(told rings proof | sed -nE 's/.*rings of at most ([0-9]+) KB.*/\1/p')
	check [ "${fits:-0}" -gt 0 ]
	check grep -q 'RLIMIT_MEMLOCK 0 KB' <<< "$(told rings proof)"
	try record -m "${fits}K" -e cpu-clock:u -o x.data true
	check [ $rc -eq 0 ]
	try record -m "$((fits * 2))K" -e cpu-clock:u -o x.data true
	check [ $rc -eq 255 ]
	check grep -qF "$(told rings proof | sed 's/.*: //')" err
	check grep -qF "use a smaller -m (${fits}K fits)" err
	check grep -qE 'sysctl kernel.perf_event_mlock_kb=[0-9]+' err
fi

step "open files: doctor, record and stat name the same limit"
how=(prlimit --nofile=64:64)
if need_tracefs; then
	check grep -qF 'the limit of open files (ulimit -n) is 64' <<< "$(told open-files proof)"
	how=(prlimit --nofile=20:20)
	same open-files '^the limit of open files \(ulimit -n\) is 20$' 255 stat -e 'syscalls:*' true
	same open-files '^the limit of open files \(ulimit -n\) is 20$' 255 record -e 'syscalls:*' true
	check grep -q 'Too many events are opened' err
fi

step "no hardware counters: doctor, record and stat say it in the same words"
how=()
if have_pmu; then
	skip "this machine has a PMU"
else
	cause=$(told cpu-counters cause)
	check [ -n "$cause" ]
	rm -f x.data x.data.old
	try record -o x.data true
	check [ $rc -eq 0 ]
	check grep -qF "$cause" err
	try stat -v -e cycles true
	check [ $rc -eq 0 ]
	check grep -qF "$cause" err
fi
finish
