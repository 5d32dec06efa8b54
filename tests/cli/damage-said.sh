#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every command that reads a recording says what is wrong with it: cut, not closed, damaged, records
# whose body cannot be of their type; and nothing of that where all is well.
. "$(dirname "$0")/../lib.sh"
plan 11

need_events || { finish; }
command -v python3 > /dev/null || skip_all "no python3"

WALK='report --stdio -i
report --stdio -D -i
report --losses -i
report --losses --json -i
report --stack-health -i
report --tasks -i
report --mmaps -i
report --stats -i
annotate --stdio -d planted -i
script -i
kmem stat -i
script -D -i
script --header -i
buildid-list -H -i
inject -o copy.data -i
inject -b -o copy.data -i
data convert --force --to-json x.json -i
archive'
HEAD='report --header-only -i
script --header-only -i
evlist -i
evlist -v -i
buildid-list -i
buildid-cache -M'
SAID='is cut|is damaged|data size field is 0|record at offset|broken inside'

# each COMMANDS FILE PATTERN: all of them say PATTERN about FILE. (An archive needs build-ids.)
each() {
	local command
	while read -r command; do
		# shellcheck disable=SC2086 # words
		perf $command "$2"
		case $command in # without build-ids, the object, or tracepoints of the allocators
		archive) grep -q 'no build-ids found' err || check [ $rc -eq 0 ] ;;
		annotate*) grep -q "no sample has the dso 'planted'" err || check [ $rc -eq 0 ] ;;
		kmem*) check grep -q 'nothing to analyse' err ;;
		*) check [ $rc -eq 0 ] ;;
		esac
		check grep -qE "$3" err || fail "$command"
	done <<< "$1"
}

quiet() {
	local command
	while read -r command; do
		# shellcheck disable=SC2086 # words
		perf $command "$2"
		[ "${command%% *}" = kmem ] || check [ $rc -eq 0 ]
		refute grep -qE "$SAID" err || fail "$command"
	done <<< "$1"
}

# change FILE KIND: whole.data, damaged so
change() {
	python3 - "$1" "$2" << 'END'
import struct, sys
data, kind = bytearray(open("whole.data", "rb").read()), sys.argv[2]
start, size = struct.unpack_from("<QQ", data, 40)
at, broken, offsets = start, 0, []
while at < start + size:
    type, _, length = struct.unpack_from("<IHH", data, at)
    if kind == "bodies" and type == 10 and broken < 3: # MMAP2: its name does not end
        data[at + 8:at + length] = b"\xff" * (length - 8)
        offsets.append(at)
        broken += 1
    at += length
if kind in ("middle", "both"):
    data[start + size // 2:start + size // 2 + 1024] = b"\xff" * 1024  # more than a record
if kind in ("cut", "both"):
    del data[start + size - 1000:]
elif kind == "features":
    del data[-8:]
elif kind == "open":
    del data[start + size:]
    struct.pack_into("<Q", data, 48, 0)
open(sys.argv[1], "wb").write(data)
print(*map(hex, offsets))
END
}

step "record"
perf record -q -g -e cpu-clock -F 2000 -o whole.data "$WORKLOADS/planted" 0.3
check [ -s whole.data ]
for kind in cut both features open middle bodies; do
	change $kind.data $kind > $kind.offsets
done

step "no command that reads a recording is missing below"
for command in $("$PERF" --complete '' | cut -f 1); do
	"$PERF" "$command" -h 2>&1 | grep -q -- '--input' || continue
	check grep -q "^$command " <(echo "$WALK
$HEAD")
done

step "nothing is said of what is whole"
quiet "$WALK" whole.data
quiet "$HEAD" whole.data

step "cut within the records"
# So many bytes as the file has not, of which nothing could be skipped.
missing='cut.data is cut: the last 1000 bytes of its records are missing'
each "$WALK" cut.data "$missing; everything before was read$"
each "$(grep -v buildid-list <<< "$HEAD")" cut.data "$missing$"
each "buildid-list -i" cut.data "$missing"
perf report --stdio -i cut.data
refute grep -q 'is damaged' err
perf buildid-list -i cut.data # its list is cut off: the samples tell
check grep -q planted out

step "cut, and damaged before"
each "$WALK" both.data 'both.data is damaged: skipped [0-9]{3,4} bytes at [12] place'
each "$WALK" both.data 'both.data is cut: the last 1000 bytes of its records are missing$'

step "the features are cut off"
each "$WALK" features.data 'features.data is cut: [0-9]+ of the [0-9]+ parts'
each "$HEAD" features.data 'features.data is cut: [0-9]+ of the [0-9]+ parts'

step "not closed"
each "$WALK" open.data "open.data file's data size field is 0"
each "$HEAD" open.data "open.data file's data size field is 0"

step "damage in the middle"
each "$WALK" middle.data 'middle.data is damaged: skipped [0-9]+ bytes at [12] place'

step "the first record with a broken body is named, with its place; further ones are counted"
first=$(cut -d ' ' -f 1 bodies.offsets)
each "$WALK" bodies.data "^Warning: MMAP2 record at offset $first: its [0-9]+ bytes cannot be one"
perf report --stdio -i bodies.data
check [ "$(grep -c 'record at offset' err)" -eq 1 ]
check grep -q '2 more records with a broken inside were skipped (-v lists them)' err
perf report --stdio -v -i bodies.data
for offset in $(cat bodies.offsets); do
	check grep -q "MMAP2 record at offset $offset:" err
done
refute grep -q 'more records' err

# Another place for the event descriptions, 8 bytes at a time: never a report made of them.
step "a wrong place of the event descriptions is refused"
perf record -q -g -e cpu-clock,page-faults -F 2000 -o two.data "$WORKLOADS/planted" 0.2
for file in whole two; do
	for shift in $(seq -24 16 360); do
		[ "$shift" -ne 0 ] || continue
		python3 - $file.data "$shift" << 'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
struct.pack_into("<Q", data, 24, struct.unpack_from("<Q", data, 24)[0] + int(sys.argv[2]))
open("moved.data", "wb").write(data)
END
		perf report --stdio -i moved.data
		check [ $rc -eq 255 ]
		check grep -qE 'event descriptions|described' err
		refute grep -q planted out
	done
done

step "counts: stat report"
perf stat record -o counts.data -e cpu-clock,page-faults true
if [ -s counts.data ]; then
	perf stat report -i counts.data
	refute grep -qE "$SAID" err
	head -c $(($(stat -c %s counts.data) - 8)) counts.data > cut.data
	perf stat report -i cut.data
	check grep -qE 'cut.data is cut' err
	python_records - << 'END'
import struct
from records import records
data = bytearray(open("counts.data", "rb").read())
for type, at, _ in records(data):
    if type == 75: # STAT_CONFIG: more entries than it has room for
        struct.pack_into("<Q", data, at + 8, 1000)
        break
open("bodies.data", "wb").write(data)
END
	perf stat report -i bodies.data
	check grep -q 'STAT_CONFIG record at offset 0x' err
else
	check false
fi
finish
