#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The dump (report -D, script -D) and the lists of report (--stats, --tasks, --mmaps): what they say
# of recordings and of a file with every type of record, and that Linux's perf says the same.
. "$(dirname "$0")/../lib.sh"
plan 11
need_events || finish

record() {
	timeout 200 "$PERF" record -q "$@" > record.log 2>&1
}

# same COMMAND...: as Linux's perf prints it, byte for byte
same() {
	[ -x "$REF" ] || return 0
	perf "$@"
	cp out ours
	timeout 200 "$REF" "$@" > ref 2> /dev/null
	check [ -s ref ]
	cmp -s ours ref || diff -a ours ref > difference
	check cmp ours ref
}

record -e cpu-clock -F 2000 -g -o chain.data "$WORKLOADS/planted" 0.1
record -e '{cpu-clock,faults}:S' -F 2000 -o group.data "$WORKLOADS/planted" 0.1

step "each record: place, bytes, meaning"
perf report -D -i chain.data
check [ $rc -eq 0 ]
check [ "$(grep -c '^0x[0-9a-f]*@chain.data \[0x[0-9a-f]*\]: event: [0-9]*$' out)" -gt 20 ]
check grep -qE '^\.  0000:  09 00 00 00 .. 00 .. ..( [0-9a-f]{2}){8}  .{16}$' out
check grep -qE '^[0-9]+ 0x[0-9a-f]+ \[0x[0-9a-f]+\]: PERF_RECORD_SAMPLE\(IP, 0x[0-9a-f]+\): [0-9]+/[0-9]+: 0x[0-9a-f]+ period: [0-9]+ addr: 0$' out
check grep -qE '^\.\.\. FP chain: nr:[0-9]+$' out
check grep -qE '^\.\.\.\.\.  0: f{13}[0-9a-f]{3}$' out
check grep -qE '^ \.\.\. thread: planted:[0-9]+$' out
check grep -qE '^ \.\.\.\.\.\. dso: .*/planted$' out
check grep -qx 'Aggregated stats:' out
records=$(sed -n 's/^ *TOTAL events: *//p' out)
check [ "$(grep -c ': event: ' out)" -eq "$records" ]

step "the bytes are those of the file"
# Put together again from the hex, in the order of the offsets.
sed -n 's/^\(0x[0-9a-f]*\)@.*/\1/p; s/^\.  \([0-9a-f]\{4\}\):  \(.\{47\}\).*/\1 \2/p' out |
	while read -r first rest; do
		case $first in
		0x*) base=$((first)) ;;
		*) echo "$((base + 16#$first)) $rest" ;;
		esac
	done | sort -n | sed 's/^[0-9]* //' | tr -d ' \n' > hex
size=$(perf report --header-only -i chain.data && sed -n 's/^# data size *: //p' out)
offset=$(sed -n 's/^# data offset *: //p' out)
check [ "$(wc -c < hex)" -eq $((2 * size)) ]
check cmp hex <(tail -c +$((offset + 1)) chain.data | head -c "$size" | od -An -v -tx1 | tr -d ' \n')

step "script -D: the lines of samples in between"
perf script -D -i chain.data
check [ $rc -eq 0 ]
check [ "$(grep -c ': event: ' out)" -eq "$records" ]
check grep -qE '^planted +[0-9]+ +[0-9.]+: +[0-9]+ cpu-clock' out
refute grep -q 'Aggregated' out
cp out with
perf script -i chain.data
check [ "$(grep -c '^	' with)" -ge "$(grep -c '^	' out)" ]
perf script -D --comms nobody -i chain.data
check [ "$(grep -c ': event: ' out)" -eq "$records" ]
refute grep -qE '^planted' out

step "--stats"
perf report --stats -i chain.data
check [ $rc -eq 0 ]
check grep -qE "^ +TOTAL events: +$records\$" out
check grep -qE '^ +SAMPLE events: +[0-9]+  \([ 0-9]+\.[0-9]%\)$' out
check grep -qE '^cpu-clock.* stats:$' out
perf report --stats --tasks -i chain.data
check [ $rc -eq 129 ]
check grep -q "can't be used together with --stats" err

step "--tasks and --mmaps"
record -e cpu-clock -F 2000 -o tree.data sh -c '"$1" 0.05; (exec "$1" 0.05)' sh "$WORKLOADS/planted"
perf report --tasks -i tree.data
check grep -qE '^ +0 +0 +-1 \|swapper$' out
root=$(sed -nE 's/^ +([0-9]+) +\1 +-1 \|sh$/\1/p' out)
check [ -n "$root" ]
check [ "$(grep -cE "^ +[0-9]+ +[0-9]+ +$root \| planted\$" out)" -ge 1 ]
perf report --mmaps -i tree.data
check grep -qE '^ {32}[0-9a-f]+-[0-9a-f]+ r-xp [0-9a-f]{8} [0-9]+ /' out
check grep -qE '^ {33}[0-9a-f]+-[0-9a-f]+ r-xp [0-9a-f]{8} [0-9]+ .*/planted$' out

step "--mmaps: the vdso of a 32-bit program"
cat > narrow.S << 'END'
.globl _start
_start:	mov $100000000, %ecx
again:	dec %ecx
	jnz again
	mov $1, %eax
	xor %ebx, %ebx
	int $0x80
.section .note.GNU-stack,"",@progbits
END
if [ "$(uname -m)" = x86_64 ] && gcc -m32 -nostdlib -static -o narrow narrow.S 2> /dev/null && ./narrow; then
	record -e cpu-clock -o narrow.data ./narrow
	perf report --mmaps -i narrow.data
	check [ "$(grep -c '\[vdso32\]$' out)" -eq 1 ]
	refute grep -q '\[vdso\]' out
	perf report --mmaps -i tree.data
	check grep -q '\[vdso\]$' out
else
	skip "no 32-bit programs here"
fi

step "--tasks and --mmaps: threads that only samples name are not there"
if command -v python3 > /dev/null; then
	python_records - tree.data stranger.data <<- 'EOF'
		import struct, sys
		from records import records
		data = bytearray(open(sys.argv[1], "rb").read())
		samples = 0
		for kind, offset, _ in records(data):
		    samples += kind == 9
		    if kind == 9 and samples == 5:
		        struct.pack_into("<ii", data, offset + 16, 66666, 66667)
		open(sys.argv[2], "wb").write(data)
	EOF
	perf script -F tid -i stranger.data
	check grep -q 66667 out
	for list in --tasks --mmaps; do
		perf report $list -i stranger.data
		check grep -q swapper out
		refute grep -q 6666 out
	done
else
	skip "no python3"
fi

step "every type of record, and bytes that are none"
if command -v python3 > /dev/null; then
	"$TESTS/compat/records.py" all.data
	"$TESTS/compat/records.py" --all odd.data
	for command in report script; do
		perf $command -D -f -i odd.data
		check [ $rc -eq 0 ]
		check grep -q ': PERF_RECORD_UNKNOWN: unknown$' out
		check grep -q ': PERF_RECORD_MMAP2: broken$' out
		check grep -q ': PERF_RECORD_STAT' out
		check [ "$(grep -c ': event: ' out)" -eq "$(grep -c 'raw event: size' out)" ]
	done
	perf report -D -f -i odd.data
	check grep -qx ' ... id: 1001  idx: 1  cpu: 1  tid: -1' out
	check grep -qx ' ... id: 1000  idx: 0  cpu: 0  tid: 78  machine_pid: 55  vcpu: 1' out
	check grep -qx '... id           : 1000' out
	check grep -qE "^ +TOTAL events: +$(grep -c ': event: ' out)\$" out
	# The text of each type, once for all: it was compared with 6.1's when it was written.
	perf report -D -f -i all.data
	sed -nE 's/^(-1 -1|[0-9]+) 0x[0-9a-f]+ \[0x[0-9a-f]+\]: //; /^(PERF_RECORD_|\.\.\.|\t\t| \.\.\.|: unh| {12}[ON])/p' out > texts
	check diff <(tail -n +2 "$TESTS/cli/dump.golden") texts
else
	skip "no python3"
fi

step "control characters do not reach the terminal"
LC_ALL=C sed 's/planted/pla\x1bted/g' chain.data > esc.data
perf report -D -f -i esc.data
check grep -q 'pla?ted' out
check [ "$(LC_ALL=C tr -d '\n\t\40-\176' < out | wc -c)" -eq 0 ]

step "a closed pipe ends the dump"
"$PERF" report -D -i chain.data 2> err | head -n 1 > /dev/null
check [ "${PIPESTATUS[0]}" -eq 0 -o "${PIPESTATUS[0]}" -eq 141 ]

step "as Linux's perf prints them"
if [ -x "$REF" ]; then
	for file in chain group tree stranger all; do
		[ -f $file.data ] || continue
		same report -D -f -i $file.data
		same report --stats -f -i $file.data
		[ $file = all ] || same report --tasks -f -i $file.data
		[ $file = all ] || same report --mmaps -f -i $file.data
	done
	same script -D -f -i group.data
	for how in '-d -W --phys-data --data-page-size' '--switch-events' '--namespaces' '--all-cgroups' \
		'-s' '--intr-regs --user-regs' '--tail-synthesize' '--call-graph dwarf,1024' '-k mono'; do
		# shellcheck disable=SC2086
		timeout 200 "$REF" record -q -e cpu-clock -F 1000 $how -o theirs.data \
			"$WORKLOADS/planted" 0.05 > /dev/null 2>&1 || continue
		same report -D -i theirs.data
		same report --mmaps -i theirs.data
	done
else
	skip "'$REF' is not there"
fi
finish
