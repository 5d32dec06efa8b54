#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record in the forms that are no plain file. What it writes is read by us and by Linux's perf,
# which must agree; signals leave something readable.
. "$(dirname "$0")/../lib.sh"
plan 18

need_events || finish

step "a stream: by -o -, kept in a file; the workload writes to stderr"
"$PERF" record -g -e cpu-clock -o - "$WORKLOADS/planted" 0.2 > stream.data 2> err
check [ $? -eq 0 ]
check [ "$(head -c 16 stream.data | od -An -tx1 | tr -d ' \n')" = 50455246494c45321000000000000000 ]
check grep -q '^share planted_hot 50' err
check grep -qE '^\[ perf record: Captured and wrote [0-9.]+ MB - \]$' err
refute grep -q '^share' stream.data
CHECKS=rows,chains,script agree stream.data

step "a stream, because standard output is a pipe and no file is named"
"$PERF" record -e cpu-clock,task-clock "$WORKLOADS/planted" 0.2 2> err | cat > stream2.data
check [ "$(head -c 8 stream2.data)" = PERFILE2 ]
check [ ! -e perf.data ]
CHECKS=rows,script agree stream2.data
"$PERF" record -e cpu-clock -o named.data true 2> err | cat > none
check [ ! -s none ]
check [ -s named.data ]

step "live: into report, without a file"
"$PERF" record -q -e cpu-clock -o - "$WORKLOADS/planted" 0.2 2> err |
	"$PERF" report --stdio -i - > out 2> err2
check grep -q planted_hot out
check [ ! -e perf.data ]

step "a stream has what Linux's perf puts there, in its order"
if [ ! -x "$REF" ]; then
	skip "Linux's perf is not here to compare with"
else
	n=0
	for one in "$PERF" "$REF"; do
		n=$((n + 1))
		"$one" record -g -e cpu-clock,dummy -o - true 2> /dev/null > x.data
		"$REF" script -D -i x.data 2> /dev/null |
			grep -oE 'PERF_RECORD_[A-Z_]*' | sed '/FINISHED_INIT/q' > "types-$n"
		"$REF" evlist -v -i x.data 2> /dev/null | sed 's/ id = [^}]*}//' > "attrs-$n"
		perf report --header-only -i x.data
		sed 's/^# cmdline.*//; s/{ [0-9, ]* }//; s/^# \(perf version\|hostname\|captured on\).*//' out > "header-$n"
	done
	check [ -s header-1 ]
	check diff types-1 types-2
	check diff attrs-1 attrs-2
	check diff header-1 header-2
fi

step "tracepoints in a stream"
if need_tracefs; then
	"$PERF" record -e syscalls:sys_enter_getppid -m 8M -o - "$WORKLOADS/known" getppid 1234 \
		> trace.data 2> err
	perf script -i trace.data
	check [ "$(grep -c sys_enter_getppid out)" -eq 1234 ]
	CHECKS=rows,script agree trace.data
fi

step "the reader goes away: quietly, by SIGPIPE, and the workload goes, too"
touch pid
("$PERF" record -e cpu-clock -c 1000000 -o - sh -c 'echo $$ > pid; while :; do :; done' 2> err; echo $? > status) |
	head -c 16 > head.data
until_true [ -s status ]
check [ "$(cat status)" = 141 ]
check [ ! -s err ]
refute kill -0 "$(cat pid)"

step "the reader goes away while nothing is measured"
("$PERF" record -e cpu-clock -o - sleep 40 2> err; echo $? > status2) | { cat > head.data & sleep 1; kill $!; }
until_true [ -s status2 ]
check [ "$(cat status2)" = 141 ]

# perf with a pipe that nobody reads, its end open or stopped in the middle; then SIGNAL.
into_stopped_reader() { # SIGNAL ARGS...
	local signal=$1
	shift
	rm -f full && mkfifo full
	sh -c 'exec sleep 3600' < full &
	holder=$!
	CHILDREN="$CHILDREN $holder"
	"$PERF" record "$@" -o - > full 2> err &
	child=$!
	CHILDREN="$CHILDREN $child"
	check python3 - <<-'E'
		import fcntl, os, struct, sys, termios, time
		fd = os.open("full", os.O_RDWR | os.O_NONBLOCK)
		before = 0
		for _ in range(200):
		    time.sleep(0.3)
		    now = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))[0]
		    if now > 30000 and now == before:
		        sys.exit(0) # nothing fits any more
		    before = now
		sys.exit(1)
	E
	kill "-$signal" $child
}

step "SIGTERM while the reader of a full pipe has stopped: it ends, and says what is missing"
into_stopped_reader TERM -e cpu-clock -F 10000 -m 4 "$WORKLOADS/planted" 3000
wait $child
rc=$?
check [ $rc -eq 143 ]
check grep -q "cannot write '-': the reader of the pipe took nothing for 3 seconds" err
check grep -q "the end of the recording is missing" err
kill $holder

step "a signal while the pipe is full, and a reader that goes on: all of it comes"
into_stopped_reader TERM -e cpu-clock -F 10000 -m 4 "$WORKLOADS/planted" 3000
exec 5< full # before the other reader goes: without any, perf would get SIGPIPE
cat <&5 > late.data &
reader=$!
exec 5<&-
kill $holder
wait $child
rc=$?
wait $reader
check [ $rc -eq 143 ]
check grep -q 'Captured and wrote' err
perf report --stdio -i late.data
check grep -q planted_hot out

step "^C: what came is whole"
perf_signal INT 'has_run 10' record -e cpu-clock -o - "$WORKLOADS/planted" 3000
cp out int.data
check grep -q 'Captured and wrote' err
perf report --stdio -i int.data
check [ $rc -eq 0 ]
check grep -q planted_hot out

step "killed: what came is read"
enough() { waits "$2" && grown "$1" 200000; }
DIES=KILL perf_signal KILL 'enough out' record -a -F 5000 -m 1 -e cpu-clock -o -
cp out killed.data
perf script -F comm -i killed.data
check [ $rc -eq 0 ]
check [ -s out ]

# ---- compressed ----
has zstd || skip_all "compressed: this perf is built without zstd"

step "compressed: both perfs read it, the header and the closing line tell how small it got"
perf record -z -g -e cpu-clock -o z.data "$WORKLOADS/planted" 0.3
check [ $rc -eq 0 ]
check grep -qE 'Captured and wrote [0-9.]+ MB z.data, compressed \(original [0-9.]+ MB, ratio is [0-9]+\.[0-9]{3}\) \]$' err
CHECKS=rows,chains,script agree z.data
perf report --header-only -i z.data
check grep -qE '^# compressed : Zstd, level = 1, ratio = [0-9]+$' out
ratio=$(sed -n 's/.*ratio = //p' out)
check [ "$ratio" -ge 2 ]

step "compressed: what came from rings, and nothing else"
check "$WORKLOADS/datawalk" z.data
cp check.log facts
check grep -q '^type 81 ' facts
check grep -q '^type 68 ' facts
check grep -q '^type 69 ' facts
refute grep -q '^type 9 ' facts

step "compressed: no sample is lost on the way"
if need_tracefs; then
	perf record -z -m 8M -e syscalls:sys_enter_getppid -o zt.data "$WORKLOADS/known" getppid 123456
	perf script -F comm -i zt.data
	check [ "$(grep -c . out)" -eq 123456 ]
fi

step "compressed: levels; 0 is 1, above 22 is 22"
for pair in -z0:1 -z5:5 --compression-level=30:22 --compression-level:1; do
	perf record "${pair%:*}" -e cpu-clock -o x.data true
	perf report --header-only -i x.data
	check grep -qE "^# compressed : Zstd, level = ${pair##*:}, " out
done
perf record -z --no-compression-level -e cpu-clock -o x.data true
perf report --header-only -i x.data
refute grep -q '^# compressed' out

step "a compressed stream"
"$PERF" record -z -g -e cpu-clock -o - "$WORKLOADS/planted" 0.2 2> err > zstream.data
check grep -q 'MB -, compressed (original' err
CHECKS=rows,chains,script agree zstream.data

step "compressed: each file of --switch-output is complete in itself"
perf record -z -m 4 -F 10000 --switch-output=16K -e cpu-clock -g -o so.data "$WORKLOADS/planted" 1
files=$(ls so.data.*)
check [ "$(echo "$files" | wc -l)" -ge 2 ]
for file in $files; do
	perf report --stdio -i "$file"
	check [ $rc -eq 0 ]
	refute grep -qi damage err
done

step "compressed: killed, and cut off by a full disk: read to the last whole record"
enough_packed() { waits "$1" && grown zk.data 50000; }
DIES=KILL perf_signal KILL enough_packed record -z -a -F 5000 -m 1 -e cpu-clock -o zk.data
perf script -F comm -i zk.data
check [ $rc -eq 0 ]
check [ -s out ]
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=32k none small 2> /dev/null; then
	perf record -z -F 10000 -m 1 -e cpu-clock -g -o small/x.data "$WORKLOADS/planted" 3000
	check [ $rc -eq 255 ]
	check grep -q "No space left" err
	perf script -F comm -i small/x.data
	check [ $rc -eq 0 ]
	check [ -s out ]
	umount small
fi

finish
