#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Streams that are read while they come: perf record -o - | perf script -i -.
. "$(dirname "$0")/../lib.sh"
plan 11

need_events || finish

# pieces FILE SEED: the bytes of FILE, round by round, with pauses; seed 0: in odd pieces
pieces() {
	python3 -c '
import random, struct, sys, time
data = open(sys.argv[1], "rb").read()
seed = int(sys.argv[2])
random.seed(seed)
ends, at = [], 16
while seed and at + 16 <= len(data):
    kind, misc, size = struct.unpack_from("<IHH", data, at)
    if size < 8:
        break
    extra = struct.unpack_from("<I", data, at + 8)[0] + 7 & ~7 if kind == 66 else 0
    at += size + extra
    if kind == 68:
        ends.append(at)
at = 0
while at < len(data):
    end = at + random.choice([1, 7, 100, 4096, 65536, 200000])
    if ends:
        end = ends.pop(0)
    sys.stdout.buffer.write(data[at:end])
    sys.stdout.buffer.flush()
    at = end
    if seed:
        time.sleep(0.01)
    elif random.random() < 0.3:
        time.sleep(0.003)
' "$1" "$2"
}

# Many short processes on all CPUs: most rounds bring new ones.
TASKS="for i in 1 2 3 4 5 6 7 8; do $WORKLOADS/planted 0.04 & $WORKLOADS/planted 0.05; done"

step "what rounds promise is printed before the stream goes on"
perf record -q -m1 -e cpu-clock -F 2000 -g -o - sh -c "$TASKS"
mv out stream.data
perf script -i stream.data
mv out whole
check [ -s whole ]
cat > halves.py << 'EOF'
import os, sys, time
data = open(sys.argv[1], "rb").read()
with open("fifo", "wb", 0) as pipe:
    pipe.write(data[:len(data) // 2])
    end = time.time() + float(sys.argv[3])
    while sys.argv[4] not in open(sys.argv[2]).read():
        time.sleep(0.01)
        if time.time() > end:
            sys.exit(f"no '{sys.argv[4]}' of the first half was printed")
    pipe.write(data[len(data) // 2:])
EOF
mkfifo fifo
# halves FILE WORD OPTIONS: the second half is sent only when WORD of the first was printed
halves() {
	local file=$1 word=$2
	shift 2
	: > live
	python3 halves.py "$file" live "$LIMIT" "$word" > stdin.err 2>&1 &
	sender=$!
	CHILDREN="$CHILDREN $sender"
	timeout -k 5 "$LIMIT" "$PERF" script "$@" -i fifo > live 2> err
	check [ $? -eq 0 ]
	# If perf never opened it, the sender waits still.
	! kill -0 "$sender" 2> /dev/null || timeout 1 cat fifo > rest
	check wait "$sender"
	perf script "$@" -i "$file"
	# A stream was captured when it was read, and is not waited for to judge chains that are not
	# printed.
	case "$*" in --header*) sed -i '/^# Stacks: /{N;d}' out ;; esac
	check diff <(grep -v '^# captured on' out) <(grep -v '^# captured on' live | sed "s/@fifo /@$file /")
}
halves stream.data cpu-clock
check [ "$(wc -l < live)" -gt 100 ]

step "so it is with times, and with a header that tells nothing of chains"
perf script -F time -i stream.data
from=$(awk 'NR == 10 { sub(":", "", $1); print $1 }' out)
halves stream.data cpu-clock --time "$from,"
check [ "$(wc -l < live)" -lt "$(wc -l < whole)" ]
halves stream.data cpu-clock --header -G
check grep -q '^# cmdline : ' live
halves stream.data cpu-clock --header -F comm,time,event

step "so it is with every record, and with what is compressed"
for option in -D --show-round-events; do
	halves stream.data cpu-clock $option
done
check [ "$(grep -c PERF_RECORD_FINISHED_ROUND live)" -gt 10 ]
perf record -q -m1 -z -e cpu-clock -F 2000 -g -o - sh -c "$TASKS"
mv out packed.data
halves packed.data cpu-clock
check [ "$(wc -l < live)" -gt 100 ]
halves packed.data cpu-clock -D

step "what can only be said of the whole waits for it"
for options in '--time 10%-60%' --header --header-only; do
	# shellcheck disable=SC2086
	perf script $options -i stream.data
	# shellcheck disable=SC2086
	pieces stream.data 2 | timeout -k 5 "$LIMIT" "$PERF" script $options -i - > live 2> err
	check diff <(grep -v '^# captured on' out) <(grep -v '^# captured on' live | sed 's/@- /@stream.data /')
	check [ -s live ]
done

step "in whatever pieces it comes, it says what a file says"
perf record -q -m1 -e cpu-clock,page-faults -F 2000 -o - sh -c "$TASKS"
mv out two.data
perf record -q -m4 --call-graph dwarf,1024 -e cpu-clock -F 997 -o - sh -c "$TASKS"
mv out dwarf.data
perf record -q -m4 -z -e cpu-clock -F 997 -o - sh -c "$TASKS"
mv out packed.data
for file in stream two dwarf packed; do
	perf script -D -i $file.data
	mv out whole
	pieces $file.data 7 | timeout -k 5 "$LIMIT" "$PERF" script -D -i - > live 2> err
	check diff whole <(sed "s/@- /@$file.data /" live)
	perf script -F +period --show-task-events --show-mmap-events -i $file.data
	mv out whole
	check [ "$(wc -l < whole)" -gt 100 ]
	for seed in 0 1; do
		pieces $file.data $seed |
			timeout -k 5 "$LIMIT" "$PERF" script -F +period --show-task-events \
				--show-mmap-events -i - > out 2> err
		check diff whole out
	done
done

step "what was looked up before it changed is looked up again: names, maps, tasks"
# Each part is sent when what came before it is printed. When samples are printed, the part behind
# theirs is known: so names change in every third only, or it would be known how long the old hold.
cat > changing.py << 'EOF'
import os, struct, sys, time

SAMPLE_TYPE = 1 | 2 | 4 # IP, TID, TIME
USER = 2


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(name):
    return name.encode().ljust(len(name) // 8 * 8 + 8, b"\0")


def trailer(when):
    return struct.pack("<IIQ", 100, 100, when)


def part(number):
    """Three samples; in front of them a new name of process 100, and a new file at that address."""
    when, out = 1000000 * (number + 1), b""
    if number % 3 == 0:
        out = changes(number, when)
    for nr in range(3):
        out += record(9, USER, struct.pack("<QIIQ", 0x400100, 100, 100, when + 10 + nr))
    return out + record(68, 0, b"")


def changes(number, when):
    out = record(3, 0x2000, struct.pack("<II", 100, 100) + text(f"name{number}") + trailer(when))
    out += record(10, USER, struct.pack("<IIQQQIIQQII", 100, 100, 0x400000, 0x10000, 0, 8, 1, number + 5, 0, 5, 2) +
                  text(f"/none/file{number}") + trailer(when + 1))
    return out


attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, SAMPLE_TYPE, 0, 1 << 18).ljust(128, b"\0")
head = b"PERFILE2" + struct.pack("<Q", 16) + record(64, 0, attr + struct.pack("<Q", 7))
parts = [part(number) for number in range(12)]
if sys.argv[1] == "file":
    sys.stdout.buffer.write(head + b"".join(parts))
    sys.exit()
end = time.time() + float(sys.argv[3])
with open("fifo", "wb", 0) as pipe:
    pipe.write(head + parts[0])
    for number in range(1, len(parts)):
        pipe.write(parts[number])
        # The end of a round says that what was before the round in front of it is all there.
        while open(sys.argv[2]).read().count("\n") < 3 * number:
            time.sleep(0.01)
            if time.time() > end:
                sys.exit(f"part {number - 1} was not printed")
EOF
python3 changing.py file > changing.data
perf script -F comm,tid,time,ip,dso -i changing.data
mv out whole
for number in 0 3 6 9; do
	check [ "$(grep -c "name$number .*/none/file$number)" whole)" -eq 9 ]
done
: > live
python3 changing.py fifo live "$LIMIT" > stdin.err 2>&1 &
sender=$!
CHILDREN="$CHILDREN $sender"
timeout -k 5 "$LIMIT" "$PERF" script -F comm,tid,time,ip,dso -i fifo > live 2> err
check [ $? -eq 0 ]
check wait "$sender"
check diff whole live

step "a stream that is damaged or cut gives what a file gives"
for file in stream packed; do
	for at in 3000 20001; do
		{ head -c $at $file.data && printf '\0\0\0\0\0\0\0\0' && tail -c +$at $file.data; } > bad.data
		perf script -i bad.data
		mv out whole
		pieces bad.data 3 | timeout -k 5 "$LIMIT" "$PERF" script -i - > out 2> err
		check diff whole out
	done
	size=$(wc -c < $file.data)
	head -c $((size - 5)) $file.data > cut.data
	perf script -i cut.data
	mv out whole
	pieces cut.data 4 | timeout -k 5 "$LIMIT" "$PERF" script -i - > out 2> err
	check diff whole out
	check grep -q "bytes" err
done

step "streams of Linux's perf, and ours to it"
if [ -x "$REF" ]; then
	"$REF" record -q -m4 -g -e cpu-clock -F 997 -o - sh -c "$TASKS" > ref.data 2> ref.err
	perf script -i ref.data
	mv out whole
	check [ -s whole ]
	pieces ref.data 5 | timeout -k 5 "$LIMIT" "$PERF" script -i - > out 2> err
	check diff whole out
	pieces stream.data 6 | "$REF" script --no-inline -i - > theirs 2> ref.err
	perf script --no-inline -i stream.data
	check diff <(any_plt < theirs) <(any_plt < out)
else
	skip "Linux's perf is not here"
fi

step "a reader that goes away ends all"
timeout -k 5 "$LIMIT" "$PERF" record -q -m1 -e cpu-clock -F 2000 -o - \
	"$WORKLOADS/planted" 3000 2> rec.err | "$PERF" script -i - 2> err | head -1 > out
states="${PIPESTATUS[*]}"
check [ -s out ]
check [ "${states%% *}" -ne 124 ]

step "^C is for the recorder: what came is shown"
for command in script "report --stdio"; do
	set -m
	# shellcheck disable=SC2086
	rm -f ran
	("$PERF" record -q -m1 -e cpu-clock -F 2000 -o - sh -c '"$0" 0.2; : > ran; exec "$0" 3000' "$WORKLOADS/planted" 2> rec.err |
		"$PERF" $command -i - > out 2> err
		echo "${PIPESTATUS[1]}" > state) &
	group=$!
	set +m
	CHILDREN="$CHILDREN $group"
	until_true [ -e ran ]
	kill -INT -- "-$group"
	wait "$group" 2> wait.log
	# The shell of the pipeline got the ^C, too: what the reader did is in its output.
	check grep -q planted out
	refute grep -q "Interrupt" err
done

step "the copy of what was printed is given back"
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=4m none small 2> /dev/null; then
	umount_at_end=$PWD/small
	LONG="for i in 1 2 3 4; do $WORKLOADS/planted 0.4 & $WORKLOADS/planted 0.4; done; wait"
	for _ in 1 2 3 4 5; do # small rings lose much where perf comes late
		perf record -q -m16 --call-graph dwarf,16384 -e cpu-clock -F 997 -o - sh -c "$LONG"
		mv out big.data
		[ "$(wc -c < big.data)" -le 12000000 ] || break
	done
	check [ "$(wc -c < big.data)" -gt 12000000 ]
	# In small pieces: no more than that is taken in at once.
	python3 -c '
import sys, time
while True:
    data = sys.stdin.buffer.read(100000)
    if not data:
        break
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    time.sleep(0.01)
' < big.data | TMPDIR=$PWD/small timeout -k 5 "$LIMIT" "$PERF" script -G -i - > out 2> err
	check [ "${PIPESTATUS[1]}" -eq 0 ]
	mv out small.out
	perf script -G -i big.data
	check diff out small.out
	umount small && umount_at_end=''
else
	skip "cannot mount a small tmpfs"
fi

finish
