#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of more than 4 GB, without their bytes: one whose data begin behind 5 GB, and one with
# 5 GB between its records, that an AUXTRACE record accounts for. Both are files with holes. They
# must read as the recording that they were made of.
. "$(dirname "$0")/../lib.sh"
plan 6

need_events || finish

step "record, and make it large"
perf record -e cpu-clock,task-clock -F 2000 -g -o x.data "$WORKLOADS/planted" 0.3
check [ -s x.data ] || finish
cat > large.py <<'LARGE'
import struct

BIG = 5 << 30
blob = bytearray(open("x.data", "rb").read())
data, size = struct.unpack_from("<QQ", blob, 40)
table = data + size
nr = sum(bin(word).count("1") for word in struct.unpack_from("<4Q", blob, 72))


def write(name, header, pieces, shift):
    """The file with its data in pieces [(offset, bytes)] and its features moved by shift."""
    tail = bytearray(blob[table:])
    for i in range(nr):
        at, length = struct.unpack_from("<QQ", tail, 16 * i)
        struct.pack_into("<QQ", tail, 16 * i, at + shift, length)
    with open(name, "wb") as out:
        out.write(header)
        for offset, piece in pieces + [(table + shift, tail)]:
            out.seek(offset)
            out.write(piece)


head = bytearray(blob[:data])
struct.pack_into("<QQ", head, 40, data + BIG, size)
write("behind.data", head, [(data + BIG, blob[data:table])], BIG)

# A record boundary in the middle.
at = data
while at < data + size // 2:
    at += struct.unpack_from("<H", blob, at + 6)[0]
aux = struct.pack("<IHHQQQIIII", 71, 0, 48, BIG, 0, 0, 0, 0, 0, 0)
head = bytearray(blob[:data])
struct.pack_into("<QQ", head, 40, data, size + len(aux) + BIG)
write("between.data", head, [(data, blob[data:at]), (at, aux),
                             (at + len(aux) + BIG, blob[at:table])], len(aux) + BIG)
LARGE
if ! python3 large.py 2> large.log; then
	skip_all "a file with a hole cannot be made here: $(tail -n 1 large.log)"
fi
check [ "$(stat -c %s behind.data)" -gt 5368709120 ]
check [ "$(du -k behind.data | cut -f1)" -lt 10240 ]

# What a report says but for where and when it was read from.
plain() {
	grep -vE '^# (Tip|captured on|data offset|data size|feat offset)|^$' out
}

perf report --stdio -g caller -i x.data
plain > report
perf report --header-only -I -i x.data
plain > header
perf script --no-inline -i x.data
cp out script
check [ "$(wc -l < script)" -gt 500 ]

for file in behind between; do
	step "$file.data: report, header and script as of the small one"
	perf report --stdio -g caller -i $file.data
	check [ $rc -eq 0 ]
	refute grep -qi damage err
	check diff report <(plain)
	perf report --header-only -I -i $file.data
	check diff header <(plain)
	perf script --no-inline -i $file.data
	check diff script out
	# Linux's perf gives up at AUX data that nothing announced.
	if [ -x "$REF" ] && [ $file = behind ]; then
		"$REF" script -i $file.data > theirs 2> /dev/null
		check diff theirs out
	fi

	step "$file.data: the dump has every record, at offsets of more than 32 bits"
	perf script -D -i x.data
	grep -c PERF_RECORD_SAMPLE out > samples
	perf script -D -i $file.data
	check [ "$(grep -c PERF_RECORD_SAMPLE out)" -eq "$(cat samples)" ]
	check grep -qE ' 0x14[0-9a-f]{7} \[0x[0-9a-f]+\]: PERF_RECORD_SAMPLE' out
done

step "cut off behind 4 GB: read to the last whole record"
truncate -s $((5368709120 + 20000)) behind.data
perf script -F comm,time -i behind.data
check [ $rc -eq 0 ]
check [ -s out ]
check grep -qiE 'truncated|cut|shorter|damage' err

finish
