#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Static probe points (SDT): found in programs, kept in the build-id cache, listed, counted and
# recorded.
. "$(dirname "$0")/../lib.sh"
plan 20
program=$WORKLOADS/probes
command -v readelf > /dev/null || skip_all "readelf is not there"
readelf -n "$program" | grep -q planted || skip_all "a machine whose probe points we do not plant"
id=$(id_of "$program")
[ -n "$id" ] || skip_all "no readelf, or a linker that makes no build-ids"
cp "$program" mine

# readelf's notes as "NAME OFFSET [SEMAPHORE]": addresses moved to the file by the segments.
notes() {
	readelf -lW "$1" | awk '$1 == "LOAD" { print $2, $3, $5 }' > segments
	readelf -nW "$1" | awk '/Name:/ { name = $2 } /Location:/ { gsub(",", ""); print name, $2, $6 }' |
		while read -r name location semaphore; do
			echo "$name$(in_file "$location")$([ $((semaphore)) -eq 0 ] || in_file "$semaphore")"
		done
}

in_file() {
	while read -r offset address size; do
		(($1 >= address && $1 < address + size)) && printf " 0x%x" $(($1 - address + offset))
	done < segments
}

probes_of() { # CACHE FILE
	cat "$1$(realpath "$2")"/*/probes
}

step "buildid-cache --add: each note is a line, at its place in the file"
perf buildid-cache --add mine
check [ $rc -eq 0 ]
probes_of "$HOME/.debug" mine > probes
notes mine > notes
check [ "$(wc -l < notes)" -eq 5 ]
sed -n 's|^p:sdt_planted/\([a-z0-9]*\) [^ ]*:\(0x[0-9a-f]*\)(\{0,1\}\([0-9a-fx]*\).*|\1 \2 \3|p' probes | sed 's/ $//' > got
check diff <(sort notes) <(sort got)
check [ "$(grep -c '^%sdt_planted:[a-z0-9]*=[a-z0-9]*$' probes)" -eq 4 ]

step "arguments: registers and memory by the kernel's names, others keep their number"
check grep -q "^p:sdt_planted/many $PWD/mine:0x[0-9a-f]* arg1=%di:u64 arg2=-20(%bp):s32 arg4=+0(%ax):u64 arg5=%r9:u16 arg7=%di:u8\$" probes
check grep -q "^p:sdt_planted/many2 $PWD/mine:0x[0-9a-f]*(0x[0-9a-f]*) arg1=%si:s64\$" probes

step "the kernel takes these lines"
if need_tracefs; then
	at=$(tracefs)
	grep '^p:sdt_planted/many2' probes > lines
	if cat lines >> "$at/uprobe_events"; then
		check grep -q 'sdt_planted/many2' "$at/uprobe_events"
		echo '-:sdt_planted/many2' >> "$at/uprobe_events"
	else
		check false
	fi
fi

step "perf list: by class, by name, with everything"
perf list sdt
check [ $rc -eq 0 ]
check [ "$(awk '{ print $1 }' out | tr '\n' ' ')" = "sdt_planted:many2 sdt_planted:many sdt_planted:plain sdt_planted:twice " ]
check [ "$(grep -c '\[SDT event\]$' out)" -eq 4 ]
# Other suites may have made tracepoints of these names, too.
perf list 'sdt_pl*:t*'
check [ "$(awk '/\[SDT event\]$/ { print $1 }' out)" = sdt_planted:twice ]
perf list planted
check [ "$(grep -c '\[SDT event\]$' out)" -eq 4 ]
perf list --details sdt
check grep -q "^       $PWD/mine:0x[0-9a-f]* arg1=%di:u64" out
perf list
check grep -q '^  sdt_planted:plain .*\[SDT event\]$' out
perf list -j sdt
check python3 -c 'import json; assert [e["EventType"] for e in json.load(open("out"))] == ["SDT event"] * 4'

step "one event of two programs: each is listed by its place"
cp mine other
note=$(readelf -SW other | awk '/\.note\.gnu\.build-id/ { sub(".*] ", ""); print $4 }')
printf x | dd of=other bs=1 seek=$((0x$note + 20)) conv=notrunc 2> /dev/null
perf buildid-cache --add other
perf list sdt
check [ "$(wc -l < out)" -eq 8 ]
check grep -q "^  sdt_planted:many@$PWD/mine(${id:0:12}) *\[SDT event\]\$" out

step "both perfs write and list the same"
if [ -x "$REF" ]; then
	"$PERF" list sdt > ours
	"$REF" --buildid-dir "$PWD/ref" buildid-cache --add mine,other
	"$REF" --buildid-dir "$PWD/ref" list sdt > theirs 2> /dev/null
	check diff ours theirs
	check diff <(probes_of "$HOME/.debug" mine) <(probes_of "$PWD/ref" mine)
	perf --buildid-dir "$PWD/ref" list sdt
	check diff out theirs
	"$REF" list sdt > theirs 2> /dev/null
	check diff ours theirs
else
	skip "'$REF' is not there"
fi

step "a file that lld linked: the place in the file, not the address"
if command -v clang ld.lld > /dev/null &&
	clang -fuse-ld=lld -Wl,--build-id -w -o lld "$SRC/tests/workloads/probes.c" 2> /dev/null; then
	perf buildid-cache --add lld
	notes lld > notes
	probes_of "$HOME/.debug" lld | sed -n 's|^p:sdt_planted/\([a-z0-9]*\) [^ ]*:\(0x[0-9a-f]*\)(\{0,1\}\([0-9a-fx]*\).*|\1 \2 \3|p' | sed 's/ $//' > got
	check diff <(sort notes) <(sort got)
	# Where it is no address of the file: the step would show nothing otherwise.
	check [ "$(readelf -nW lld | grep -c 'Location: 0x0000000000001')" -gt 0 ]
else
	skip "clang with lld is not there"
fi

step "record keeps the points of what was sampled, too"
if need_events; then
	"$PERF" --buildid-dir "$PWD/recorded" record -q -e cpu-clock -c 100000 -o r.data ./mine
	"$PERF" --buildid-dir "$PWD/recorded" record -q -e page-faults -c 1 -o r.data ./mine
	check diff <(probes_of "$PWD/recorded" mine) <(probes_of "$HOME/.debug" mine)
fi

# ---- counted and recorded ----

perf buildid-cache --purge "$PWD/other,$PWD/lld,$PWD/recorded"
need_uprobes() {
	need_root || return 1
	[ -e /sys/bus/event_source/devices/uprobe/format/ref_ctr_offset ] ||
		{ skip "this kernel's perf_event_open opens no probe points" && return 1; }
	perf stat -i -e sdt_planted:plain ./mine
	[ $rc -eq 0 ] || ! grep -q 'cannot open' err || skip "probes are refused here"
}
# What is left in tracefs of this suite's program.
mine() {
	grep -s ":sdt_planted/.* $PWD/mine:" "$(tracefs)/uprobe_events"
}
trap clear_probes EXIT

step "counted under their names, each place by itself; nothing stays in tracefs"
if need_uprobes; then
	perf stat -i -x, -e 'sdt_planted:*' ./mine
	check [ $rc -eq 0 ]
	check [ "$(cut -d, -f1,3 err | tr '\n' ' ')" = "1,sdt_planted:many2 1,sdt_planted:many 1,sdt_planted:plain 1,sdt_planted:twice 1,sdt_planted:twice_1 " ]
	check grep -q '^waited for' out
	perf stat -i -x, -e sdt_planted:many ./mine
	refute grep -q '^waited for' out
	perf stat -i -x, -e '{sdt_planted:twice,page-faults},sdt_planted:nosuch' ./mine
	check [ $rc -eq 129 ]
	check grep -q "did you mean 'sdt_planted:twice'" err
	perf stat -a -x, -e sdt_planted:plain sh -c './mine; ./mine; ./mine'
	check grep -q '^3,,sdt_planted:plain' err
	refute grep -q 'not measured' err
	check [ -z "$(mine)" ]
fi

step "made for the run: children are followed, samples have the arguments, nothing stays"
if need_uprobes && need_tracefs; then
	perf stat -x, -e sdt_planted:plain,cs sh -c './mine; ./mine; exec ./mine'
	check [ $rc -eq 0 ]
	check grep -q '^3,,sdt_planted:plain' err
	refute grep -q Warning err
	check [ -z "$(mine)" ]
	perf record -e sdt_planted:many,sdt_planted:many2 -e sdt_planted:plain/name=x/ -e page-faults -c 1 -o x.data sh -c './mine; exec ./mine'
	check [ $rc -eq 0 ]
	# The cache's file has no constants, but the program's note; of what no probe can fetch it is said.
	refute grep -q '^p:sdt_planted/many .* arg3=' probes
	check [ "$(grep -c Warning err)" -eq 1 ]
	check grep -q "^Warning: argument 6 of 'planted:many' is left out: '8@stdout(%rip)': the file has no data" err
	check [ -z "$(mine)" ]
	perf script -F comm,event,trace -i x.data
	check [ "$(grep -c '^ *mine *sdt_planted:many: ([0-9a-f]*) arg1=[0-9]* arg2=-\{0,1\}[0-9]* arg3=7 arg4=[0-9]* arg5=[0-9]* arg7=[0-9]* *$' out)" -eq 2 ]
	check [ "$(grep -c '^ *mine *sdt_planted:many2: ([0-9a-f]*) arg1=-\{0,1\}[0-9]* *$' out)" -eq 2 ]
	check [ "$(grep -c '^ *mine *x: ([0-9a-f]*) *$' out)" -eq 2 ]
	check [ "$(grep -c '^ *mine *page-faults' out)" -gt 1 ]
	if [ -x "$REF" ]; then
		"$REF" script -i x.data 2> /dev/null < /dev/null | sed -n 's/.*\(sdt_.*: (\)/\1/p' > theirs
		check diff theirs <(sed -n 's/.*\(sdt_.*: (\)/\1/p' out)
	fi
	perf record -q -e sdt_planted:many --filter 'arg3 == 7' -o f.data ./mine
	check [ ! -s err ]
	perf script -i f.data
	check [ "$(grep -c many: out)" -eq 1 ]
	perf record -q -e sdt_planted:many2 --filter 'arg1 != 0x7123456789abcdef' -o f.data ./mine
	perf script -i f.data
	check [ "$(grep -c many2 out)" -eq 1 ]
	perf record -q -e sdt_planted:many2 --filter 'arg1 == 0x7123456789abcdef' -o f.data ./mine
	perf script -i f.data
	check [ ! -s out ]
	perf record -q -e 'sdt_planted:twice,sdt_planted:twice,sdt_planted:tw*' -o f.data ./mine
	perf script -F event -i f.data
	check [ "$(sort out | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" = "3 sdt_planted:twice: 3 sdt_planted:twice_1: " ]
	perf record -e sdt_planted:plain --no-such-option -o f.data ./mine # a mistake behind the event
	check [ $rc -eq 129 ]
	perf record -e sdt_planted:plain -o f.data ./nosuch
	check [ $rc -ne 0 ]
	check [ -z "$(mine)" ]
fi

step "^C, and a run beside: what is made goes when it is no longer used"
if need_uprobes && need_tracefs; then
	for signal in INT TERM HUP; do
		"$PERF" record -q -a -e sdt_planted:plain -o k.data sleep 60 > out 2> err &
		child=$!
		CHILDREN="$CHILDREN $child"
		for _ in $(seq 100); do
			[ -z "$(mine)" ] || break
			sleep 0.1
		done
		check [ "$(mine | wc -l)" -eq 1 ]
		perf stat -x, -e sdt_planted:plain ./mine # uses what is there, and leaves it
		check grep -q '^1,,sdt_planted:plain' err
		check [ "$(mine | wc -l)" -eq 1 ]
		kill -$signal $child
		wait $child 2> /dev/null
		check [ -z "$(mine)" ]
	done
fi

step "the run that made it ends first: said, and it stays for the other"
if need_uprobes && need_tracefs; then
	"$PERF" record -q -a -e sdt_planted:plain -o maker.data sleep 60 > out 2> maker.err &
	maker=$!
	CHILDREN="$CHILDREN $maker"
	until_true mine > /dev/null
	"$PERF" record -q -a -e sdt_planted:plain -o user.data sleep 60 > out 2> user.err &
	user=$!
	CHILDREN="$CHILDREN $user"
	until_true test -s user.data
	kill -INT $maker
	wait $maker 2> /dev/null
	check grep -q "^Warning: .*sdt_planted/plain': Device or resource busy" maker.err
	check grep -q 'end that first' maker.err
	check [ "$(mine | wc -l)" -eq 1 ]
	./mine > out
	kill -INT $user
	wait $user 2> /dev/null
	perf script -i user.data -F event
	check grep -q sdt_planted:plain out
	perf probe -q --del sdt_planted:plain
	check [ -z "$(mine)" ]
fi

step "killed: what is left is listed, used by the next, and can be removed"
if need_uprobes && need_tracefs; then
	set -m # so that what it started is killed with it
	"$PERF" record -q -a -e sdt_planted:twice -o k.data sleep 60 > out 2> err &
	child=$!
	set +m
	CHILDREN="$CHILDREN $child"
	for _ in $(seq 100); do
		[ "$(mine | wc -l)" -ne 2 ] || break
		sleep 0.1
	done
	{ kill -KILL -- -$child; wait $child; } 2> /dev/null
	perf probe --list 'sdt_planted:*'
	check [ "$(grep -c "sdt_planted:twice.* in $PWD/mine" out)" -eq 2 ]
	perf stat -x, -e sdt_planted:twice ./mine
	check [ "$(cut -d, -f1,3 err | tr '\n' ' ')" = "1,sdt_planted:twice 1,sdt_planted:twice_1 " ]
	for _ in $(seq 50); do # its counters end a little later
		perf probe -q --del 'sdt_planted:twice*'
		[ $rc -ne 0 ] || break
		sleep 0.1
	done
	check [ -z "$(mine)" ]
fi

step "places that are named by themselves, too, as perf probe prints them: each hit counts once"
if need_uprobes && need_tracefs; then
	perf probe -q -x ./mine -a '%sdt_planted:twice'
	check [ "$(mine | wc -l)" -eq 2 ]
	for events in twice,sdt_planted:twice_1 twice_1,sdt_planted:twice; do
		perf stat -x, -e "sdt_planted:$events" ./mine
		check [ "$(cut -d, -f1,3 err | sort | tr '\n' ' ')" = "1,sdt_planted:twice 1,sdt_planted:twice_1 " ]
	done
	perf record -q -e sdt_planted:twice --filter 'common_pid == 0' -e sdt_planted:twice_1 --filter 'common_pid > 0' -o p.data ./mine
	perf script -F event -i p.data
	check [ "$(awk '{ print $1 }' out)" = sdt_planted:twice_1: ]
	if [ -x "$REF" ]; then
		"$REF" stat -x, -e sdt_planted:twice,sdt_planted:twice_1 ./mine 2> theirs > /dev/null < /dev/null
		check [ "$(cut -d, -f1,3 theirs | sort | tr '\n' ' ')" = "1,sdt_planted:twice 1,sdt_planted:twice_1 " ]
	fi
	perf probe -q -d 'sdt_planted:twice*'
	perf probe -x ./mine --try '%sdt_planted:twice' -- ./mine
	check [ "$(grep -c '^ *1  sdt_planted:twice' out)" -eq 2 ]
	check grep -q 'The first of 2 hits' out
	check [ -z "$(mine)" ]
fi

# Where tracefs cannot be written the kernel's event source "uprobe" has them.
without_tracefs() {
	PERF_TRACEFS_DIR=$PWD/nowhere perf "$@"
}
step "without tracefs: counted and recorded, but new threads are not followed: said"
if need_uprobes; then
	without_tracefs stat -x, -e sdt_planted:plain,cs sh -c './mine; ./mine; exec ./mine'
	check [ $rc -eq 0 ]
	check grep -q "^Warning: new threads and children are not measured with 'sdt_planted:plain'" err
	check grep -q '^1,,sdt_planted:plain' err
	without_tracefs record -e sdt_planted:plain,page-faults -c 1 -o x.data sh -c './mine; exec ./mine'
	check [ $rc -eq 0 ]
	check grep -q 'not measured with' err
	check grep -q 'without their arguments' err
	check grep -q 'nowhere' err
	perf script -F comm,event,ip,sym -i x.data
	check [ "$(grep -c '^ *mine.*sdt_planted:plain: .* plain' out)" -eq 1 ]
	check [ "$(grep -c '^ *mine.*page-faults' out)" -gt 1 ]
	without_tracefs record -q -a -e 'sdt_planted:*' -o z.data ./mine
	perf script -F event,ip,sym,symoff -i z.data
	check [ "$(awk '{ print $1, $3 }' out | tr '\n' ' ')" = "sdt_planted:plain: plain+0x0 sdt_planted:twice: plain+0x1 sdt_planted:many: many+0x0 sdt_planted:many2: many+0x1 sdt_planted:twice_1: many+0x2 " ]
	if [ -x "$REF" ]; then
		"$REF" evlist -v -i z.data > theirs 2> /dev/null
		check grep -q '^sdt_planted:plain: type: [0-9]*, .*sample_freq }: 1,.*config2 }: 0x' theirs
		refute grep -q 'config1 }' theirs # a pointer of ours
	fi
fi

step "recorded: one sample each time, at their addresses; both perfs read it"
if need_uprobes; then
	perf record -a -e 'sdt_planted:*' -o s.data ./mine
	check [ $rc -eq 0 ]
	perf script -F event,ip,sym,symoff -i s.data
	check [ "$(awk '{ print $1, $3 }' out | tr '\n' ' ')" = "sdt_planted:plain: plain+0x0 sdt_planted:twice: plain+0x1 sdt_planted:many: many+0x0 sdt_planted:many2: many+0x1 sdt_planted:twice_1: many+0x2 " ]
	if [ -x "$REF" ]; then
		"$REF" script -F event,ip,sym,symoff -i s.data > theirs 2> /dev/null
		check diff out theirs
		"$REF" evlist -v -i s.data > theirs 2> /dev/null
		check grep -q '^sdt_planted:plain: type: 2, .*sample_freq }: 1,' theirs
	fi
	perf stat record -i -o z.data -e sdt_planted:twice ./mine
	perf stat report -x, -i z.data
	check [ "$(cut -d, -f1,3 err | tr '\n' ' ')" = "1,sdt_planted:twice 1,sdt_planted:twice_1 " ]
fi

step "a tracepoint of the name wins"
if need_uprobes && need_tracefs; then
	at=$(tracefs)
	sed -n 's/^p:sdt_planted\/plain /&/p' probes >> "$at/uprobe_events"
	perf stat -x, -e 'sdt_planted:*' ./mine
	check [ "$(grep -c '^1,,sdt_planted:' err)" -eq 5 ]
	check [ "$(mine | wc -l)" -eq 1 ]
	perf record -e sdt_planted:plain -o t.data ./mine
	refute grep -q 'not measured' err
	echo '-:sdt_planted/plain' >> "$at/uprobe_events"
	perf evlist -v -i t.data
	check grep -q '^sdt_planted:plain: type: 2,' out
fi

step "an ordinary user may not, and is told what would let him"
if need_uprobes && command -v setpriv > /dev/null; then
	chmod 755 .. "$HOME" . && chmod -R a+rX "$HOME/.debug"
	env HOME="$HOME" setpriv --reuid 65534 --regid 65534 --clear-groups "$PERF" stat -i -e sdt_planted:plain ./mine > out 2> err
	check [ $? -ne 0 ]
	check grep -q 'CAP_PERFMON' err
fi

step "a program that is another since, and one that nobody has"
cp "$WORKLOADS/planted" mine.new && mv mine.new mine
perf stat -e sdt_planted:plain true
check [ $rc -eq 129 ]
check grep -q "'$PWD/mine' is another file since it was cached; perf buildid-cache --add it again" err
cp -r "$HOME/.debug" before.debug
perf buildid-cache --add mine # which has no such point
perf stat -e sdt_planted:plain true
check [ $rc -eq 129 ]
check grep -q "no program of the build-id cache has this static probe point" err
rm -r "$HOME/.debug" && mv before.debug "$HOME/.debug"
mv mine mine.away
perf stat -e sdt_planted:plain true
check [ $rc -eq 129 ]
check grep -q "'$PWD/mine' is gone since it was cached; perf buildid-cache --purge it" err
mv mine.away mine
if need_uprobes && need_tracefs; then # a tracepoint of the name is there nevertheless
	printf 'p:sdt_planted/plain %s:%s\n' "$PWD/other" "$(sed -n 's/^p:sdt_planted\/plain .*:\(0x[0-9a-f]*\).*/\1/p' probes)" >> "$(tracefs)/uprobe_events"
	perf stat -x, -e sdt_planted:plain ./other
	check grep -q '^1,,sdt_planted:plain' err
	echo '-:sdt_planted/plain' >> "$(tracefs)/uprobe_events"
fi
perf record -e sdt_nobody:plain true
check [ $rc -eq 129 ]
check grep -q "no program of the build-id cache has this static probe point; perf buildid-cache --add PROGRAM" err

step "a cache that somebody else wrote: other lines, control characters, no end"
object=$HOME/.debug$PWD/mine/$id
rm "$object/probes"
printf '%%sdt_a:b\n%%sdt_a:\033[31m=x\n#c\np:sdt_x/y z\n%%sdt_=\n%%sdt_a:ok=ok\n%%sdt_a:late=late' > "$object/probes"
perf list sdt
check [ $rc -eq 0 ]
check [ "$(awk '{ print $1 }' out | tr '\n' ' ')" = "sdt_a:ok " ]
finish
