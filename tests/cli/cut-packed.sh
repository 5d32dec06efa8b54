#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Packed recordings (record -z) that are cut, or damaged before their first packed record: what is
# packed is seen by the records themselves. CUTS=all tries every byte of the last 4 KB and 1,000
# other places, by hand.
. "$(dirname "$0")/../lib.sh"
plan 7
[ "${CUTS:-}" = all ] && last=1 others=1000 || last=97 others=40

need_events || finish
command -v python3 > /dev/null || skip_all "no python3"
python3 -c 'import ctypes, ctypes.util; ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")' \
	2> /dev/null || skip_all "no libzstd to compare with"
has zstd || skip_all "this perf was built without libzstd"

step "record"
"$PERF" record -q -z -g -e cpu-clock -F 4000 -o z.data "$WORKLOADS/planted" 0.4 > out 2> err
check [ -s z.data ]
"$PERF" record -q -z -e cpu-clock -F 4000 -o - "$WORKLOADS/planted" 0.2 2> err > zstream.data
check [ -s zstream.data ]
if [ -x "$REF" ]; then
	"$REF" record -q -z -g -e cpu-clock -F 4000 -o theirs.data "$WORKLOADS/planted" 0.2 > out 2> err
	check [ -s theirs.data ]
fi

for file in z zstream theirs; do
	[ -s $file.data ] || continue
	step "$file.data: no sample of a packed block before the cut is lost"
	python3 "$TESTS/cut_packed.py" "$PERF" $file.data $last $others "${SEED:-1}" > cuts
	check [ $? -eq 0 ]
	check grep -q ' cuts, 0 wrong$' cuts || cat cuts
done

# Damage in what stands before the packed records, at the header of the third record.
step "damage before the first packed record, features cut off: all samples are read"
perf script -F tid,time -i z.data
check [ $rc -eq 0 ]
mv out whole
check [ "$(wc -l < whole)" -gt 300 ]
python3 - << 'END'
import struct
data = bytearray(open("z.data", "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
for _ in range(2):
    at += struct.unpack_from("<H", data, at + 6)[0]
struct.pack_into("<IHH", data, at, 0xffffffff, 0, 3)
open("damaged.data", "wb").write(data[:-8])
END
perf script -F tid,time -i damaged.data
check [ $rc -eq 0 ]
check cmp -s whole out
check grep -q 'is damaged' err

step "a flipped bit in what is packed is told, wherever it is"
perf script -F tid,time,ip -i z.data
check [ $rc -eq 0 ]
mv out whole
python3 - "$PERF" "$others" << 'END' > flips
import random, struct, subprocess, sys
data = open("z.data", "rb").read()
at, size = struct.unpack_from("<QQ", data, 40)
end, places, silent = at + size, [], 0
while at < end:
    kind, _, length = struct.unpack_from("<IHH", data, at)
    if kind == 81:
        places += range(at + 8, at + length)
    at += length
random.seed(1)
whole = open("whole").read()
for place in random.sample(places, int(sys.argv[2])):
    bad = bytearray(data)
    bad[place] ^= 1 << random.randrange(8)
    open("flipped.data", "wb").write(bad)
    run = subprocess.run([sys.argv[1], "script", "-F", "tid,time,ip", "-i", "flipped.data"],
                         capture_output=True, text=True)
    if "is damaged" not in run.stderr and run.stdout != whole:
        silent += 1
        print("byte %d, status %d: %s" % (place, run.returncode, run.stderr))
print("%s flips, %d silent" % (sys.argv[2], silent))
END
check grep -q '^[1-9].* flips, 0 silent$' flips || cat flips

step "a packed folder whose parts begin with a record in the clear"
"$PERF" record -q -z --threads -e cpu-clock -F 4000 -o folder.data "$WORKLOADS/planted" 0.3 > out 2>&1
perf script -F tid,time -i folder.data
check [ $rc -eq 0 ]
check [ -s out ]
mv out whole
for part in folder.data/data.*; do
	{ printf '\x44\0\0\0\0\0\x08\0' && cat "$part"; } > part # FINISHED_ROUND
	mv part "$part"
done
perf script -F tid,time -i folder.data
check [ $rc -eq 0 ]
check cmp -s whole out
refute grep -v 'longer than what was recorded' err
finish
