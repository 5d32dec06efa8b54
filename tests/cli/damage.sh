#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ten thousand seeded damages of real files: in the process of the unit tests, which check that
# every record before the damage is counted, and a part of them through the commands, which must
# neither die nor hang and say what they skipped.
. "$(dirname "$0")/../lib.sh"
plan 8
unit=${UNIT_TESTS:-$(dirname "$PERF")/unit-tests}

need_events || finish
step "record small files of several kinds"
perf record -o plain.data -e cpu-clock -F 2000 -- "$WORKLOADS/planted" 0.3
perf record -o chains.data -e cpu-clock -F 500 -g -- "$WORKLOADS/planted" 0.3
perf record -o events.data -e cpu-clock,page-faults -d -T -F 300 -- sh -c 'true; true'
perf record -o fixed.data -e page-faults -c 1 -g -- true
files=''
for file in plain chains events fixed; do
	check [ -s $file.data ]
	[ ! -s $file.data ] || [ "$(stat -c %s $file.data)" -gt 900000 ] || files=$files:$PWD/$file.data
done

step "10000 damages in the process"
if [ ! -x "$unit" ]; then
	skip "$unit is not built"
elif check [ -n "$files" ]; then
	count=$(echo "${files#:}" | tr : '\n' | grep -c .)
	PERF_DAMAGE_FILES=${files#:} PERF_DAMAGES=$((10000 / count)) PERF_DAMAGE_SEED=${SEED:-1} \
		timeout 300 "$unit" damage_of_real_files > out 2> err
	rc=$?
	sed 's/^/  # /' out
	check [ $rc -eq 0 ] && check grep -q '^1 passed' out
fi

# damage FILE SEED: a copy with one kind of damage somewhere.
damage() {
	cp "$1" damaged.data
	size=$(stat -c %s "$1")
	RANDOM=$2
	at=$((256 + (RANDOM * 32768 + RANDOM) % (size - 256)))
	case $(($2 % 3)) in
	0) truncate -s $at damaged.data ;;
	1) dd if=/dev/zero of=damaged.data bs=1 seek=$at count=$((RANDOM % 500 + 1)) conv=notrunc 2> /dev/null ;;
	2) dd if=/dev/urandom of=damaged.data bs=1 seek=$at count=$((RANDOM % 40 + 1)) conv=notrunc 2> /dev/null ;;
	esac
}

for command in "report --stdio" "report --stdio --header-only -I" "script"; do
	step "perf $command on damaged files"
	check [ -n "$files" ]
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		[ $state = ok ] || break
		for file in ${files//:/ }; do
			damage "$file" $((seed + ${SEED:-0}))
			# shellcheck disable=SC2086 # words
			perf $command -i damaged.data
			check test "$rc" = 0 -o "$rc" = 255
			[ $rc -eq 0 ] || check [ -s err ]
		done
	done
done

# every_record FILE FILL: each twelve of its records, again and again, then one of another type and
# length; says how often they are in every.data
every_record() {
	python3 - "$1" "$2" << 'EOF'
import itertools, random, struct, sys
data, fill = open(sys.argv[1], "rb").read(), sys.argv[2]
start, size = struct.unpack_from("<QQ", data, 40)
random.seed(1)
TRACING_DATA = 66 # says how many bytes follow that are no records: random ones would hide good ones


def body(kind, size):
    if fill != "random":
        return bytes([int(fill)]) * size
    return bytes(min(size, 4)) + random.randbytes(max(size - 4, 0)) if kind == TRACING_DATA else random.randbytes(size)


types = list(range(24)) + list(range(64, 90)) + [255, 0xffffffff]
odd = [struct.pack("<IHH", kind, random.choice([0, 1, 2, 0xffff]), length) + body(kind, length - 8)
       for kind in types for length in range(8, 104)]
random.shuffle(odd)
records, at, end = [], start, start + size
while at < end:
    length = struct.unpack_from("<H", data, at + 6)[0]
    records.append(data[at:at + length])
    at += length
rounds = len(odd) * 12 // len(records) + 1
good = itertools.cycle(records)
out = b"".join(record + b"".join(next(good) for _ in range(12)) for record in odd)
out += b"".join(next(good) for _ in range(rounds * len(records) - len(odd) * 12))
# Features stand behind the data: their places move.
shift, head = len(out) - size, bytearray(data[:start])
struct.pack_into("<Q", head, 48, len(out))
tail = bytearray(data[end:])
for i in range(sum(bin(byte).count("1") for byte in data[72:104])):
    offset = struct.unpack_from("<Q", tail, i * 16)[0]
    struct.pack_into("<Q", tail, i * 16, offset + shift)
open("every.data", "wb").write(bytes(head) + out + bytes(tail))
print(rounds)
EOF
}

step "every type of record in every length, between good ones, which are all read"
check [ -n "$files" ]
command -v python3 > /dev/null || skip "no python3"
if [ $state = ok ]; then
	for file in plain chains; do
		perf script -F comm,time,ip -i $file.data
		grep '^ *planted' out > want
		check [ "$(wc -l < want)" -gt 50 ]
		for fill in 0 255 random; do
			rounds=$(every_record $file.data $fill)
			check [ "$rounds" -gt 0 ]
			perf script -F comm,time,ip -i every.data
			check [ $rc -eq 0 ]
			check [ $(($(grep -c . < want) * rounds)) -eq "$(grep -xFf want out | grep -c '^ *planted')" ]
			for command in 'report --stdio' 'report --stdio -D' 'report --losses' 'report --tasks --mmaps' \
				'script --show-mmap-events --show-task-events' 'evlist -v' buildid-list \
				'inject -b -o copy.data' 'data convert --force --to-json every.json'; do
				# shellcheck disable=SC2086 # words
				perf $command -i every.data
				check test "$rc" = 0 -o "$rc" = 255
				[ $rc -eq 0 ] || check [ -s err ]
			done
		done
	done
fi

step "a reader that goes away: no error, whatever is printed"
if [ $state = ok ]; then
	perf record -o many.data -e cpu-clock,page-faults -F 4000 --call-graph dwarf -- "$WORKLOADS/planted" 0.5
	perf record -z -o packed.data -e cpu-clock -F 4000 -g -- "$WORKLOADS/planted" 0.5
	perf record --threads -o parts.data -e cpu-clock -F 4000 -g -- "$WORKLOADS/planted" 0.5
	for file in many packed parts; do
		for command in 'report --stdio' 'report --stdio -D' script 'script -D' 'evlist -v' buildid-list \
			'report --header-only -I' 'report --stats' 'report --tasks' 'report --mmaps' 'report --losses' inject; do
			# shellcheck disable=SC2086 # words
			"$PERF" $command -i $file.data 2> err | head -c 1 > first
			ended=${PIPESTATUS[0]}
			check test "$ended" -eq 0 -o "$ended" -eq 141 # it was done before, or SIGPIPE
			check [ "$(stat -c %s first)" -eq 1 ]
			refute grep -qi error err
		done
	done
fi

step "a cut file says so and shows the rest"
check [ -n "$files" ]
if [ $state = ok ]; then
	size=$(stat -c %s chains.data)
	head -c $((size / 2)) chains.data > damaged.data
	perf report --stdio -i damaged.data
	check [ $rc -eq 0 ]
	check grep -q planted out
	check [ -s err ]
	# The records are all there, but not what stands behind them.
	for bytes in 3 2000; do
		head -c $((size - bytes)) chains.data > damaged.data
		for command in 'report --stdio' script; do
			# shellcheck disable=SC2086 # words
			perf $command -i damaged.data
			check [ $rc -eq 0 ]
			check grep -q planted out
			check grep -qE 'Warning: damaged.data is cut: [0-9]+ of the [0-9]+ parts of its header' err
		done
		perf report --header-only -i damaged.data
		check grep -q 'info is damaged' out
	done
	perf report --stdio -i chains.data
	refute grep -q 'is cut' err
fi
finish
