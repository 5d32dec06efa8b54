#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf inject: nothing is lost or changed but what was asked for; the same records as Linux's perf.
. "$(dirname "$0")/../lib.sh"
plan 14
need_events || finish

# Records without where they stand: "[SIZE]: TYPE ..." and their bytes.
dump() {
	"$1" script -D -i "$2" 2> /dev/null | sed 's/@[^ ]* / /'
}

# The samples as text.
samples() {
	"$PERF" script -F comm,pid,tid,time,ip,sym --ns -i "$1" 2> /dev/null
}

step "record"
perf record -e cpu-clock -F 2000 -g -o x.data "$WORKLOADS/planted" 0.3
# No sample falls into idle.so, as nothing of it runs.
echo 'void idle(void) {}' | gcc -shared -nostdlib -Wl,--build-id -o idle.so -x c - &&
	perf record -B -N -e cpu-clock -F 2000 -o bare.data \
		env LD_PRELOAD="$PWD/idle.so" "$WORKLOADS/planted" 0.3
id=$(id_of "$WORKLOADS/planted")
check [ -n "$id" ]

step "nothing asked for: the same records, header and samples"
perf inject -i x.data -o same.data
check [ $rc -eq 0 ]
check [ ! -s err ]
samples x.data > before && samples same.data > after
check [ "$(wc -l < before)" -gt 100 ]
check cmp before after
"$PERF" report --header-only -I -i x.data 2>&1 | grep -vE 'captured|cmdline' > before
"$PERF" report --header-only -I -i same.data 2>&1 | grep -vE 'captured|cmdline' > after
check diff before after
perf report --header-only -i same.data
check grep -qE '^# cmdline : .* inject -i x.data -o same.data' out
perf buildid-list -i x.data
cp out before
perf buildid-list -i same.data
check diff before out

step "-b: a build-id in front of the first sample of an object"
perf inject -v -b -i bare.data -o with.data
check [ $rc -eq 0 ]
check grep -qE 'perf inject: [0-9]+ samples, [1-9]' err
perf buildid-list -i with.data
check grep -qxF "$id $WORKLOADS/planted" out
dump "$PERF" with.data | grep -E 'PERF_RECORD_(BUILD_ID|SAMPLE)|event: (9|67)' > order
check [ "$(grep -n 'event: 67' order | head -n 1 | cut -d : -f 1)" -lt 4 ]
samples bare.data > before && samples with.data > after
check cmp before after
perf report --stats -i with.data
check grep -qE 'BUILD_ID events: +[1-9]' out

step "--buildid-all: also of what no sample fell into"
perf inject --buildid-all -i bare.data -o all.data
perf buildid-list -i all.data
check grep -qF "$id $WORKLOADS/planted" out
check grep -qE '/ld-linux|/ld-' out

step "-B, --mmap2-buildid-all: in the records of maps, of what samples fell into and of all"
for how in -B --mmap2-buildid-all; do
	perf inject "$how" -i bare.data -o maps.data
	check [ $rc -eq 0 ]
	perf script --show-mmap-events -i maps.data
	mv out "./$how.maps"
	check grep -qE "PERF_RECORD_MMAP2 .* <$id>\]: r-xp .*planted" "./$how.maps"
done
check [ "$(grep -c '<[0-9a-f]*>\]' ./--mmap2-buildid-all.maps)" -gt "$(grep -c '<[0-9a-f]*>\]' ./-B.maps)" ]
perf script --show-mmap-events -i bare.data
refute grep -q '<[0-9a-f]*>\]' out
check [ "$(grep -v ' PERF_RECORD_MMAP2 ' out | cksum)" = "$(grep -v ' PERF_RECORD_MMAP2 ' ./-B.maps | cksum)" ]

step "--known-build-ids, in the line and in a file"
known=aaaabbbbccccddddeeeeffff0000111122223333
perf inject -b --known-build-ids "$known $WORKLOADS/planted" -i x.data -o known.data
perf buildid-list -i known.data
check grep -qxF "$known $WORKLOADS/planted" out
refute grep -qF "$id" out
printf '%s\n' "1234 /somewhere/else" "$known $WORKLOADS/planted" > list
perf inject -b --known-build-ids file://list -i x.data -o known.data
perf buildid-list -i known.data
check grep -qxF "$known $WORKLOADS/planted" out

step "streams: out of a file, through pipes, into a file"
"$PERF" inject -b -i x.data > stream.data 2> err
check [ ! -s err ]
"$PERF" inject -b < stream.data 2> err | "$PERF" script -F comm,pid,tid,time,ip,sym --ns -i - > after 2> /dev/null
samples x.data > before
check cmp before after
IN=stream.data perf inject -o back.data
check [ $rc -eq 0 ]
samples back.data > after
check cmp before after
"$PERF" record -q -e cpu-clock -o - "$WORKLOADS/planted" 0.1 2> /dev/null | "$PERF" inject -b 2> /dev/null | "$PERF" report --stdio -i - > out 2> err
check grep -q planted_hot out

step "a reader that goes away, a full disk, the input as output, a link of another user"
"$PERF" inject -b -i x.data 2> err | head -c 100 > /dev/null
check [ ! -s err ]
"$PERF" inject -b -i x.data > /dev/full 2> err
check [ $? -eq 255 ]
check grep -q 'No space left' err
cp x.data y.data
perf inject -b -i y.data -o y.data
check [ $rc -eq 255 ]
check grep -q 'it is the input' err
check cmp x.data y.data
if need_root; then
	echo mine > target && ln -s target link.data && chown -h 65534 link.data
	perf inject -b -i x.data -o link.data
	check [ $rc -eq 255 ]
	check grep -q 'symbolic link made by another user' err
	check [ "$(cat target)" = mine ]
fi

step "damaged files: everything that can be read, and a word about it"
for seed in 1 2 3 4 5 6 7 8; do
	RANDOM=$seed
	cp x.data damaged.data
	at=$((2000 + (RANDOM * 32768 + RANDOM) % ($(stat -c %s x.data) - 20000)))
	head -c $((RANDOM % 60 + 8)) /dev/urandom | dd of=damaged.data bs=1 seek=$at conv=notrunc 2> /dev/null
	perf inject -i damaged.data -o out.data
	check [ $rc -eq 0 ]
	samples damaged.data > before && samples out.data > after
	check [ "$(wc -l < after)" -gt 50 ]
	check cmp before after
done
head -c 20000 x.data > cut.data
perf inject -b -i cut.data -o out.data
check [ $rc -eq 0 ]
check grep -qi warning err
perf report --header-only -i out.data
check grep -q cmdline out

step "-s: a sched_stat becomes the switch in front of it"
if need_tracefs; then
	perf record -a -g -e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -o sched.data sleep 0.2
	perf inject -s -i sched.data -o merged.data
	check [ $rc -eq 0 ]
	perf script -F event,period,ip -i merged.data
	refute grep -q sched_stat_runtime out
	check grep -q 'sched:sched_switch' out
	check grep -q . out
fi

step "-j: the functions of a JIT compiler by its dump"
perf record -k mono -e cpu-clock:u -F 2000 -o jit.data "$WORKLOADS/jitdump" 0.6 "$PWD"
dump=$(grep -o '[^ ]*/jit-[0-9]*.dump$' out)
perf inject -j -i jit.data -o jitted.data
check [ $rc -eq 0 ]
check [ ! -s err ]
perf report --stdio --sort dso,sym -i jitted.data
for part in 1,first 2,moved 3,second; do
	check grep -qE "jitted-[0-9]+-${part%,*}.so +\\[\\.\\] jit_${part#*,} *$" out
done
# A third of the time each: what was moved is one function still.
check [ "$(grep -E ' jit_(first|moved|second)' out | awk '$1 + 0 > 20 { n++ } END { print n + 0 }')" -eq 3 ]
perf script --show-mmap-events -i jitted.data
refute grep -q "$(basename "$dump")" out
check [ "$(grep -c 'jitted-.*-2.so' out)" -ge 2 ]
perf buildid-list -i jitted.data
check [ "$(grep -c '/jitted-' out)" -eq 3 ]
# The files may go: the cache has them.
rm jitted-*.so
perf report --stdio --sort sym -i jitted.data
check grep -q jit_second out
if [ -x "$REF" ]; then
	"$PERF" inject -j -i jit.data -o jitted.data 2> err
	"$REF" script -F comm,tid,time,ip,sym,symoff,dso -i jitted.data > theirs.reader 2> ref.log
	"$PERF" script -F comm,tid,time,ip,sym,symoff,dso -i jitted.data > ours.reader 2> err
	check diff theirs.reader ours.reader
	"$REF" inject -j -i jit.data -o theirs.jit > ref.log 2>&1
	"$PERF" script -F comm,tid,time,ip,sym,symoff,dso -i theirs.jit > theirs.writer 2> err
	check diff theirs.writer ours.reader
fi

step "-j: through pipes; dumps that cannot be used"
perf record -k mono -e cpu-clock:u -F 2000 -o jit.data "$WORKLOADS/jitdump" 0.3 "$PWD"
dump=$(grep -o '[^ ]*/jit-[0-9]*.dump$' out)
"$PERF" inject -j < jit.data 2> err | "$PERF" report --stdio --sort sym -i - > out 2> err
check grep -q jit_first out
cp "$dump" whole
head -c 800 whole > "$dump"
perf inject -j -i jit.data -o jitted.data
check [ $rc -eq 0 ]
check grep -q 'no whole record' err
perf report --stdio --sort sym -i jitted.data
check grep -q jit_first out
echo nonsense > "$dump"
perf inject -j -i jit.data -o jitted.data
check [ $rc -eq 0 ]
check grep -q "JIT dump '.*does not begin like one" err
if need_root; then
	cp whole "$dump" && chown 65534 "$dump"
	perf inject -j -i jit.data -o jitted.data
	check grep -q 'belongs to user 65534.*' err
	perf inject -f -j -i jit.data -o jitted.data
	check [ ! -s err ]
fi
rm "$dump"
perf inject -j -i jit.data -o jitted.data
check grep -q "cannot open the JIT dump" err
perf inject -j -i x.data -o jitted.data
check grep -q 'no process of this recording has mapped a dump' err
perf record -e cpu-clock:u -o jit.data "$WORKLOADS/jitdump" 0.1 "$PWD"
perf inject -j -i jit.data -o jitted.data
check [ $rc -eq 255 ]
check grep -q 'CLOCK_MONOTONIC' err
check grep -q 'record -k mono' err

step "-j: node --perf-prof"
if ! command -v node > /dev/null; then
	skip "node is not installed"
else
	echo 'function hot(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s }
		let t = 0; for (let k = 0; k < 60; k++) t += hot(1000000)' > hot.js
	perf record -k mono -e cpu-clock:u -F 1000 -o node.data node --perf-prof hot.js
	perf inject -j -i node.data -o jitted.data
	check [ $rc -eq 0 ]
	perf report --stdio --sort dso,sym -i jitted.data
	check grep -qE 'jitted-[0-9]+-[0-9]+.so +\[\.\] .*hot .*hot.js' out
fi

step "the same records as Linux's perf"
if [ -x "$REF" ]; then
	"$REF" record -q -o theirs.data -e cpu-clock -F 2000 -g sh -c 'ls -R /usr/share > /dev/null; true' > /dev/null 2>&1
	for options in -b --buildid-all ''; do
		for file in x theirs; do
			# shellcheck disable=SC2086
			"$REF" inject $options -i $file.data -o ref.data > ref.log 2>&1
			# shellcheck disable=SC2086
			perf inject $options -i $file.data -o ours.data
			for reader in "$PERF" "$REF"; do
				dump "$reader" ref.data > ref.dump
				dump "$reader" ours.data > ours.dump
				check [ "$(wc -l < ours.dump)" -gt 500 ]
				check cmp ref.dump ours.dump
			done
		done
	done
	# In a stream, Linux's perf names the vdso by a temporary file of its own.
	for _ in 1 2 3 4 5 6 7 8; do
		"$REF" record -q -o - -e cpu-clock -F 2000 -g sh -c 'ls -R /usr/share > none; true' > fresh.data 2> ref.log
		"$PERF" script -F ip,sym,dso -i fresh.data 2> err | grep -qF '[vdso]' || break
	done
	"$REF" inject -b < fresh.data > ref.data 2> ref.log
	"$PERF" inject -b < fresh.data > marked.data 2> err
	# Ours has marks of its own (perf.data-file-format.txt, "Ends").
	python3 - << 'UNMARK'
import struct
blob, at = bytearray(open("marked.data", "rb").read()), 16
while at < len(blob):
    kind, misc, size = struct.unpack_from("<IHH", blob, at)
    if kind == 64 and misc == 0x4550:
        blob[at + 4 : at + 6] = b"\0\0"
    last, at = at, at + size
assert blob[last:] == struct.pack("<IHH", 68, 0x4550, 8)
open("ours.data", "wb").write(blob[:last])
UNMARK
	check [ $? -eq 0 ]
	dump "$REF" ref.data | grep -v 'event: 80' > ref.dump
	dump "$REF" ours.data | grep -v 'event: 80' > ours.dump
	check cmp ref.dump ours.dump
else
	skip "'$REF' is not there"
fi

finish
