#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records small files with Linux's perf and with ours, and lets the agreement program compare what
# both say about each. One line per file, then "N passed, N failed, N skipped"; exit status 1 when
# a file failed. Needs no network; system-wide and tracepoint files need root.
#
#	run.sh [NAME...]	only these files
#	run.sh --programs	all but those of the whole machine
#	run.sh --machine	those: what else runs is in them, so nothing should
#	PERF, PERF_REF		the two tools; KEEP=DIR keeps the files there
#
# Checks that a file cannot pass by design are named in Documentation/differences.md.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export PERF=${PERF:-$here/../../build/perf} PERF_REF=${PERF_REF:-/usr/bin/perf}
plan=57 # results at least, skipped ones included
part=all
case ${1:-} in
--programs) part=${1#--} plan=48 && shift ;;
--machine) part=${1#--} plan=9 && shift ;;
esac
passed=0 failed=0 skipped=0
only=" $* "

if [ ! -x "$PERF_REF" ]; then
	echo "skipped: Linux's perf is not there ('$PERF_REF'); nothing to compare with"
	exit 77
fi
PERF=$(readlink -f "$PERF")
[ -x "$PERF" ] || { echo "the perf under test is not there: '$PERF'"; exit 2; }
dir=$(mktemp -d) || exit 2
LOAD=
endload() {
	if [ -n "$LOAD" ]; then
		kill -9 -- "-$LOAD" 2> /dev/null
		wait "$LOAD" 2> /dev/null
	fi
	LOAD=
}
mounted=0
trap 'endload; [ $mounted -eq 0 ] || umount /sys/kernel/tracing; rm -rf -- "${dir:?}"' EXIT
trap 'exit 130' INT TERM
export HOME=$dir/home LC_ALL=C PERF_CONFIG=/dev/null
mkdir "$HOME"
cd "$dir" || exit 2
max=$(cat /proc/sys/kernel/perf_event_max_sample_rate 2> /dev/null || echo 4000)
rate=$((max > 8000 ? 8000 : max - 1))

skip() {
	wanted "$1" || return 0
	echo "SKIP $1: $2"
	skipped=$((skipped + 1))
}

wanted() {
	case $part:$1 in
	all:*) ;;
	machine:wide* | machine:reads-wide-* | machine:reads-cpus-* | machine:sched* | machine:sysc) ;;
	machine:* | *:wide* | *:reads-wide-* | *:reads-cpus-* | *:sched* | *:sysc) return 1 ;;
	esac
	[ "$only" = "  " ] || case $only in *" $1 "*) ;; *) return 1 ;; esac
}

# compare NAME: the file is NAME.data
compare() {
	local checks=()
	# Where tids are used again and again, whose child a task was differs: see differences.md.
	case $1 in
	lives*) checks=(--checks 'rows,chains,children,script,dump') ;;
	# Packed records stand at other offsets, and are not counted: see differences.md.
	packed*) checks=(--checks 'rows,chains,children,script') ;;
	# Inside of its functions are labels, which count as the innermost symbol: see differences.md.
	node*) checks=(--checks 'rows,lists,dump') ;;
	folder*) checks=(--checks 'rows,chains,children,script,lists') ;;
	esac
	if "$here/agree.py" "${checks[@]}" --home "$HOME" --timeout 60 "$1.data" > "$1.log" 2>&1; then
		echo "ok   $1 ($(du -k "$1.data" | cut -f1) KB): $(sed -n 's/^rows .*: //p' "$1.log")"
		passed=$((passed + 1))
	else
		echo "FAIL $1"
		sed 's/^/     /' "$1.log"
		failed=$((failed + 1))
	fi
	[ -z "${KEEP:-}" ] || mv "$1.data" "$KEEP/"
	rm -rf "./$1.data"
}

# record WITH NAME MB ARGS...: WITH is ref or ours. A recording that is ended by its size limit or
# by the time limit's SIGINT is a good one; an empty file is not.
record() {
	local with=$1 name=$2 size=$3 tool=$PERF_REF
	shift 3
	wanted "$name" || return 0
	[ "$with" = ours ] && tool=$PERF
	# Our recorder has no size limit yet: the workload or the time limit ends it.
	[ "$with" = ours ] || set -- --max-size="${size}M" "$@"
	# The group keeps the shell from telling that perf ended by its own signal. On a busy machine
	# a recorder needs long to end: killed before, it leaves a file that says it has no samples.
	{
		timeout -s INT -k 60 10 "$tool" record -q -o "$name.data" "$@" < /dev/null \
			> record.log 2>&1
	} 2> /dev/null
	if [ "$("$PERF_REF" report --stats -i "$name.data" 2> /dev/null |
		awk '/SAMPLE events/ { n += $3 } END { print n + 0 }')" -lt 5 ]; then
		echo "FAIL $name: no file to compare: $(tail -1 record.log)"
		failed=$((failed + 1))
		return 0
	fi
	compare "$name"
}

# Both recorders on one workload: NAME-ref and NAME-ours.
both() {
	local name=$1 size=$2
	shift 2
	record ref "$name-ref" "$size" "$@"
	record ours "$name-ours" "$size" "$@"
}

# with_load COMMAND... -- RECORD...: the load runs in a session of its own, ended afterwards.
background() {
	setsid "$@" > /dev/null 2>&1 &
	LOAD=$!
	sleep 0.2
}

. "$here/workloads.sh"
write_workloads "$dir" || exit 2
[ "$only" = " shell-ours " ] || build_workloads 2> build.log || exit 2 # (that is of none that is compiled: tests/empty.sh)
root=0
[ "$(id -u)" -eq 0 ] && root=1

software="-e cpu-clock -F $rate"
both gcc 4 $software -g -- gcc -O2 -c deep.c -o deep.o
both python3 4 $software -g -- "$PYTHON" load.py
both shell 4 $software -g -- sh loop.sh
both threads 4 $software -g -- ./threads 4 4000
both storm 4 $software -g -- ./storm 150
both events 4 -e cpu-clock,task-clock,page-faults,context-switches -g -- sh loop.sh
# Samples that carry the counts of a group: in a task, on each CPU, beside other events, with times.
reads='{cpu-clock,task-clock,page-faults}:S'
both reads 2 -e "$reads" -F $rate -g -- sh loop.sh
both reads-mixed 2 -e "$reads,context-switches" -F $rate -- ./threads 4 4000
record ref reads-times 2 -s -e "$reads" -F $rate -- sh loop.sh
both reads-alone 2 -e cpu-clock:S -F $rate --no-inherit -- sh loop.sh
# Other languages, other ways to link, what runs already, what is gone; where they are there.
program() {
	local with=$1 name=$2 what=$3
	shift 3
	if command -v "$what" > /dev/null; then
		record "$with" "$name" 4 "$@"
	else
		skip "$name" "no $what"
	fi
}
turn=ref
for kind in nopie static staticpie bare noid clanged; do
	program $turn $kind ./$kind $software -g -- ./$kind 40000
	[ $turn = ref ] && turn=ours || turn=ref
done
program ref perl perl $software -g -- perl load.pl
program ours rust ./rusty $software -g -- ./rusty
program ref go ./gone $software -g -- ./gone
program ours node node $software -g -- node load.js
program ref node-map node -e cpu-clock:u -F $rate -g -- node --perf-basic-prof load.js
program ours java java $software -g -- java -version
record ours deleted 4 $software -g -- sh -c 'cp deep here; ./here 60000 & sleep 0.1; rm here; wait'
record ref user 4 -e cpu-clock:u -F $rate -- "$PYTHON" load.py
record ours kernel 4 -e cpu-clock:k -F $rate -g -- sh loop.sh
both packed 4 $software -z -g -- "$PYTHON" load.py
both folder 4 $software --threads -g -- ./threads 4 2000
both switches 4 $software -g --switch-events --sample-cpu --namespaces -- ./threads 4 1000
if wanted attached-ref || wanted attached-ours; then
	background ./deep 100000000
	both attached 1 $software -g -p $LOAD -- sleep 0.5
	endload
fi
# The reduced sets of the benchmark, by Linux's recorder: fixed sizes.
record ref fp 1 $software -g -- ./deep 100000000
record ref inl 2 $software -g -- ./cxx 100000000
record ref flat 1 $software -- ./threads 8 100000000
# Names, threads, exec, code written at run time; as root in a pid namespace, where pids are used
# again and again.
gcc -O1 -g -pthread "$here/../workloads/lives.c" -o lives || exit 2
if [ $root -eq 1 ] && unshare -pf --mount-proc true 2> /dev/null; then
	for with in ref ours; do
		tool=$PERF_REF
		[ $with = ours ] && tool=$PERF
		printf '#!/bin/sh\nexec unshare -pf --mount-proc "%s" "$@"\n' "$tool" > inside-$with
		chmod +x inside-$with
	done
	PERF_REF=./inside-ref PERF=./inside-ours both lives 4 $software -- ./lives 100
else
	both lives 4 $software -- ./lives 100
fi
# What runs outside of a chroot has other files by the same names: they name nothing here.
everything=''
[ $root -eq 1 ] || everything="not root"
awk '$5 == "/" { whole = 1 } END { exit !whole }' /proc/self/mountinfo ||
	everything=${everything:-"in a chroot: samples of programs outside of it"}
if [ "$part" = programs ]; then
	: # another run's
elif [ -z "$everything" ]; then
	background sh mix.sh
	record ref wide 3 $software -g -a -m 1024 -- sleep 5
	record ours wide-ours 3 $software -g -a -m 1024 -- sleep 1
	both reads-wide 2 -e "$reads" -a -m 1024 -- sleep 1
	both reads-cpus 2 -e cpu-clock:S -a -m 1024 -- sleep 1
	endload
	if [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] ||
		{ mount -t tracefs nodev /sys/kernel/tracing 2> /dev/null && mounted=1; }; then
		background sh pipes.sh
		record ref sched 2 -e 'sched:*' -a -m 1024 -- sleep 5
		record ref sysc 2 -e 'raw_syscalls:*' -a -m 1024 -- sleep 5
		record ours sched-ours 2 -e sched:sched_switch -g -a -m 1024 -- sleep 0.1
		endload
	else
		for name in sched sysc sched-ours; do
			skip $name "no tracefs"
		done
	fi
else
	for name in wide wide-ours reads-wide-{ref,ours} reads-cpus-{ref,ours} sched sysc sched-ours; do
		skip $name "$everything"
	done
fi
# Every address of some objects: of this system, and made of nothing but aliases.
if wanted names; then
	objects=$(readlink -e "$(gcc -print-file-name=libc.so.6)" "$(gcc -print-file-name=libstdc++.so.6)" \
		"$("$PYTHON" -c 'import sys; print(sys.executable)')" ./cxx ./threads)
	for seed in 1 2 3; do
		"$here/aliases.py" $seed > aliases.s && as aliases.s -o aliases.o || continue
		ld -e _start aliases.o -o aliases$seed && objects="$objects ./aliases$seed"
		ld -shared aliases.o -o aliases$seed.so && objects="$objects ./aliases$seed.so"
		strip --strip-unneeded -o bare$seed.so aliases$seed.so && objects="$objects ./bare$seed.so"
	done
	# shellcheck disable=SC2086
	if timeout 120 "$here/names.py" $objects > names.log 2>&1; then
		echo "ok   names: $(grep -c '^ok' names.log) objects"
		passed=$((passed + 1))
	else
		echo "FAIL names"
		grep -v '^ok' names.log | sed 's/^/     /'
		failed=$((failed + 1))
	fi
fi
# Is the judge awake?
if wanted selftest; then
	"$PERF_REF" record -q -o self.data -e cpu-clock -F "$rate" -g -- sh loop.sh > /dev/null 2>&1
	if "$here/selftest.sh" self.data > self.log 2>&1; then
		echo "ok   selftest"
		passed=$((passed + 1))
	else
		echo "FAIL selftest"
		sed 's/^/     /' self.log
		failed=$((failed + 1))
	fi
fi
if [ "$only" = "  " ] && [ $((passed + failed + skipped)) -lt $plan ]; then
	echo "FAIL plan: $((passed + failed + skipped)) results, planned were $plan"
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
