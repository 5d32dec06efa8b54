#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --threads: a folder, written by several threads. What it holds is what a file would
# hold; Linux's perf and ours read it alike.
. "$(dirname "$0")/../lib.sh"
plan 20

need_events || finish

cpus=$(getconf _NPROCESSORS_ONLN)
online=$(cat /sys/devices/system/cpu/online 2> /dev/null)

# The files of a folder, and nothing else.
files_of() {
	(cd "$1" && printf '%s ' *)
}

wanted="data "
for ((i = 0; i < cpus; i++)); do wanted+="data.$i "; done

step "a folder: a file for each CPU"
perf record --threads -g -e cpu-clock -o x.data "$WORKLOADS/planted" 0.3
check [ $rc -eq 0 ]
check grep -qE '^\[ perf record: Captured and wrote [0-9.]+ MB x.data \([1-9][0-9]+ samples\) \]$' err
check [ "$(files_of x.data)" = "$wanted" ]
check [ "$(stat -c %a x.data x.data/data x.data/data.0 | tr '\n' ' ')" = "700 600 600 " ]
samples=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err)
perf report --stats -i x.data
check grep -qE "SAMPLE events: +$samples( |\$)" out
refute grep -q FINISHED_ROUND out
perf report --header-only -i x.data
check grep -q '^# directory data version : 1$' out
perf buildid-list -i x.data
check grep -q planted out
CHECKS=rows,chains,script agree x.data

step "what is given instead of threads for CPUs"
for spec in "" cpu core package numa CPU "$online/$online" 0/0:; do
	perf record --threads="$spec" -e cpu-clock -o "spec.data" taskset -c 0 "$WORKLOADS/planted" 0.1
	check [ $rc -eq 0 ]
	check [ "$(files_of spec.data)" = "$wanted" ]
	check [ -s spec.data/data.0 ]
	perf report --stdio -i spec.data
	check grep -q planted_hot out
done
perf record --threads --no-threads -e cpu-clock -o spec.data true
check [ -f spec.data ]

step "neither the end of the recording nor a report copies the data"
TMPDIR=/nowhere perf record --threads -e cpu-clock -o spec.data "$WORKLOADS/planted" 0.1
check [ $rc -eq 0 ]
refute grep -q nowhere err
TMPDIR=/nowhere perf report --stdio -i spec.data
check [ $rc -eq 0 ]
check grep -q planted_hot out

step "the whole system"
perf record --threads=core -a -e cpu-clock -o a.data "$WORKLOADS/planted" 0.3
check [ $rc -eq 0 ]
perf script -F comm,tid,cpu,time,event -i a.data
check grep -q '^ *planted ' out
if [ -x "$REF" ]; then # names of other people's programs are not the point here
	cp out ours
	"$REF" script -F comm,tid,cpu,time,event -i a.data > theirs 2> /dev/null
	check diff <(sort ours) <(sort theirs) # who comes first of one moment is nobody's
fi

step "every event is there, by several threads as by one"
if need_tracefs; then
	perf record --threads -m 8M -e syscalls:sys_enter_getppid -o t.data "$WORKLOADS/known" getppid 50000
	perf script -F comm -i t.data
	check [ "$(grep -c . out)" -eq 50000 ]
	[ ! -x "$REF" ] || check [ "$("$REF" script -F comm -i t.data 2> /dev/null | grep -c .)" -eq 50000 ]
fi

step "each thread runs where it was told"
if [ "$cpus" -lt 2 ]; then
	skip "one CPU"
else
	"$PERF" record --threads=0/1:1/0 -e cpu-clock -o where.data sleep 600 2> err &
	child=$!
	CHILDREN="$CHILDREN $child"
	run_there() {
		[ "$(sed -n 's/^Cpus_allowed_list:.//p' /proc/$child/task/*/status | sort | grep -x '[01]' | tr '\n' ' ')" = "0 1 " ]
	}
	until_true waits $child
	until_true run_there
	kill -INT $child
	wait $child
	check [ -d where.data ]
fi

step "a ring that no thread reads: said, and its file is empty"
if [ "$cpus" -lt 2 ]; then
	skip "one CPU"
else
	perf record --threads=0/0 -e cpu-clock -o left.data taskset -c 1 "$WORKLOADS/planted" 0.1
	check [ $rc -eq 0 ]
	check grep -q "^Warning: $((cpus - 1)) of $cpus CPUs have no writer thread" err
	check [ ! -s left.data/data.1 ]
	perf record --threads=0/0 -q -e cpu-clock -o left.data true
	check [ ! -s err ]
fi

# SPEC or other options, the status of Linux's perf, what is said
refused() {
	local status=$1 said=$2
	shift 2
	perf record -e cpu-clock -o no.data "$@" true
	check [ $rc -eq "$status" ]
	check grep -q -- "$said" err
	check [ ! -e no.data ]
	[ -x "$REF" ] && [ "${SAME:-yes}" = yes ] || return 0
	"$REF" record -e cpu-clock -o ref.data "$@" true > ref.log 2>&1
	check [ $? -eq "$status" ]
}

step "what cannot be: refused with the status of Linux's perf, before anything is made"
refused 234 "CPU 0 is in two lists of rings" --threads=0/0:0/0
refused 234 "'bla' is not CPUS/CPUS" --threads=bla
refused 234 "not a list" --threads=0/
refused 237 "is not online" --threads=4095/0
[ "$cpus" -lt 2 ] || refused 234 "none of the CPUs '1' is recorded" --threads=1/1 -C 0
refused 234 "--per-thread option is mutually exclusive" --threads --per-thread
refused 234 "AUX" --threads --snapshot
SAME=no refused 234 "'coreX' is not CPUS/CPUS" --threads=coreX
SAME=no refused 255 "--affinity option is mutually exclusive" --threads --affinity=cpu
SAME=no refused 255 "--aio option is mutually exclusive" --threads --aio
"$PERF" record --threads -e cpu-clock -o - true 2> err > x
check [ $? -eq 255 ]
check grep -q "not available in pipe mode" err
check [ ! -s x ]

step "options that mean nothing here: said, and done without"
perf record --threads --switch-output=1M -e cpu-clock -o so.data true
check [ $rc -eq 0 ]
check grep -q -- "--switch-output option is not available in parallel streaming mode" err
check [ -d so.data ]
perf record --threads --timestamp-filename -e cpu-clock -o so.data true
check grep -q -- "--timestamp-filename option is not available in parallel streaming mode" err
check [ -d so.data ]

step "rings that are overwritten"
perf record --threads --overwrite -e cpu-clock -o over.data "$WORKLOADS/planted" 0.2
check [ $rc -eq 0 ]
perf report --stdio -i over.data
check grep -q planted_hot out
CHECKS=rows,script agree over.data

step "a limit of the size: of all files together"
perf record --threads --max-size=40K -m 4 -F 10000 -e cpu-clock -o max.data "$WORKLOADS/planted" 3000
check grep -qE 'perf size limit reached \([0-9]+ KB\), stopping session' err
check [ "$(cat max.data/* | wc -c)" -ge 40960 ]
perf report --stdio -i max.data
check [ $rc -eq 0 ]

step "told to stop, and to begin later"
mkfifo ctl
exec 3<> ctl
# The command says stop.
perf record --threads --control=fifo:ctl -e cpu-clock -o ctl.data sh -c '"$0" 0.1 && echo stop > ctl && exec "$0" 3000' "$WORKLOADS/planted"
exec 3>&-
check [ $rc -eq 143 ]
check [ -d ctl.data ]
perf report --stdio -i ctl.data
check [ $rc -eq 0 ]
check grep -q planted_hot out
# It runs until it was measured, too.
perf record --threads -D 50 -e cpu-clock -o late.data sh -c '
	"$0" 3000 & until grep -q "Events enabled" err; do sleep 0.05; done; "$1" $! 50; kill $!' "$WORKLOADS/planted" "$WORKLOADS/nap"
check grep -q 'Events enabled' err
perf report --stdio -i late.data
check grep -q planted_hot out

step "^C"
perf_signal INT 'has_run 10' record --threads -e cpu-clock -o int.data "$WORKLOADS/planted" 3000
check grep -q 'Captured and wrote' err
perf report --stdio -i int.data
check grep -q planted_hot out

step "a program that is replaced meanwhile: its maps are told their build-ids, in the right file"
cp "$WORKLOADS/planted" prog
perf record --threads -e cpu-clock -o two.data sh -c './prog 0.1; cp "$1" new && mv new prog && ./prog getppid 1000000' \
	sh "$WORKLOADS/known"
check [ $rc -eq 0 ]
perf script --show-mmap-events -i two.data
id=$(perf buildid-list -i two.data && sed -n 's| .*/prog$||p' out)
perf script --show-mmap-events -i two.data
check [ "$(grep -c "MMAP2.*<.*$id>.*/prog" out)" -ge 1 ]
check [ "$(grep -c 'MMAP2.*/prog' out)" -ge 2 ]

step "what lies there already goes to .old: a file, then a folder; what is not perf's stays"
rm -f -- o.data
perf record -e cpu-clock -o o.data true
perf record --threads -e cpu-clock -o o.data true
check [ -d o.data ]
check [ -f o.data.old ]
perf record --threads -e cpu-clock -o o.data true
check [ -d o.data.old ]
perf record -e cpu-clock -o o.data true
check [ -f o.data ]
check [ "$(files_of o.data.old)" = "$wanted" ]
touch o.data.old/notes
perf record -e cpu-clock -o o.data true
check [ $rc -eq 255 ]
check grep -q "cannot move the older recording to 'o.data.old': what lies there is not a recording" err
check [ "$(files_of o.data.old)" = "${wanted}notes " ]
mkdir other empty && touch other/x
perf record --threads -e cpu-clock -o other true
check [ $rc -eq 255 ]
check [ "$(files_of other)" = "x " ]
perf record --threads -e cpu-clock -o empty true
check [ $rc -eq 0 ]
check [ "$(files_of empty)" = "$wanted" ]

step "an event that cannot be opened leaves no folder, and the older one its name"
perf record --threads -e cpu-clock -o gone.data true
perf record --threads -e cpu-clock -o gone.data "$PWD/no-such-program"
check [ $rc -eq 255 ]
check [ "$(files_of gone.data)" = "$wanted" ]
check [ ! -e gone.data.old ]

step "killed: read to the last whole record"
several_rings() { cat kill.data/data.* 2> /dev/null | wc -c | awk '{ exit $1 < 100000 }'; }
DIES=KILL perf_signal KILL several_rings record --threads -a -F 5000 -m 1 -e cpu-clock -o kill.data
perf script -F comm -i kill.data
check [ $rc -eq 0 ]
check [ -s out ]
check grep -q "properly terminated" err

step "-v says who reads what"
perf record -v --threads=0/0 -e cpu-clock -o v.data true
check grep -q '^nr_threads: 1$' err
check grep -q '^thread_masks\[0\]: rings of CPUs 0, runs on CPUs 0$' err

step "a full disk: what fits is a recording"
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=200k none small 2> /dev/null; then
	umount_at_end=$PWD/small
	perf record --threads -F 10000 -m 1 -e cpu-clock -g -o small/x.data "$WORKLOADS/planted" 3000
	check [ $rc -eq 255 ]
	check grep -q "No space left" err
	perf report --header -i small/x.data
	check [ $rc -eq 0 ]
	check grep -q '^# directory data version : 1$' out
	check grep -q planted_hot out
	refute grep -qi damage err
	umount small
else
	skip "needs root, to mount a small tmpfs"
fi

has zstd || skip_all "compressed: this perf is built without zstd"

step "compressed: a stream for each file"
perf record --threads -z -g -e cpu-clock -o z.data "$WORKLOADS/planted" 0.3
check [ $rc -eq 0 ]
check grep -qE 'MB z.data, compressed \(original [0-9.]+ MB, ratio is [0-9]+\.[0-9]{3}\) \]$' err
CHECKS=rows,chains,script agree z.data
if need_tracefs; then
	perf record --threads -z -m 8M -e syscalls:sys_enter_getppid -o zt.data "$WORKLOADS/known" getppid 50000
	perf script -F comm -i zt.data
	check [ "$(grep -c . out)" -eq 50000 ]
fi

finish
