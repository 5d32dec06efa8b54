#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings that end too early: streams cut between two records, folders that lack a part or bytes of
# one. None is read without a word, whatever command has copied it since; whole ones are.
. "$(dirname "$0")/../lib.sh"
plan 15

need_events || { finish; }

cat > borders.py << 'BORDERS'
# borders.py STREAM [PART]: where records end that are followed by another; and the last one's type
import struct, sys
blob = open(sys.argv[1], "rb").read()
at, kind, ends = 0 if len(sys.argv) > 2 else 16, 0, []
while at + 8 <= len(blob):
    kind, _, size = struct.unpack_from("<IHH", blob, at)
    at += size
    if kind == 66:
        at += struct.unpack_from("<I", blob, at - size + 8)[0]
    ends.append((at, kind))
assert at == len(blob), "cut inside a record"
for end, kind in ends:
    print(end, kind)
BORDERS

# every COMMAND: what reads recordings, each with its words; -i FILE is added
COMMANDS='report --stdio|report --header-only|script|script -D|evlist -v|buildid-list|inject -o again.data|data convert --force --to-json again.json'

[ "${AGAIN:-}" != yes ] || COMMANDS='report --stdio|inject -o again.data'

# silent FILE: no command says a word
silent() {
	local IFS='|' command
	for command in $COMMANDS; do
		IFS=' '
		rm -f again.data again.json
		# shellcheck disable=SC2086
		perf $command -i "$1"
		check [ $rc -eq 0 ]
		words err | grep -vE '^\[ perf data convert|^Processed .* events' > words
		check [ ! -s words ] || { echo "$command -i $1:" && cat words; }
		IFS='|'
	done
}

# says FILE TEXT: once, by all that read the samples
says() {
	local IFS='|' command
	for command in 'report --stdio' script 'inject -o again.data' 'data convert --force --to-json again.json'; do
		IFS=' '
		rm -f again.data again.json
		# shellcheck disable=SC2086
		perf $command -i "$1"
		check [ $rc -eq 0 ]
		check [ "$(grep -c "$2" err)" -eq 1 ] || { echo "$command -i $1:" && cat err; }
		IFS='|'
	done
}

# What a copy of it says: the files that says() has left.
copies_say() {
	check grep -q '"incomplete": true' again.json
	perf inject -i "$1" -o copy.data
	perf report --stdio -i copy.data
	check [ $rc -eq 0 ]
	check grep -q 'copy.data is not complete: records are missing' err
	perf inject -i copy.data -o copy2.data # and the copy's copy
	perf inject -i copy2.data -o -
	mv out copy3.data
	perf script -i copy3.data
	check grep -q 'copy3.data is cut: its end is missing' err
	[ ! -x "$REF" ] || { "$REF" report --stdio -i copy2.data > out 2> err && check [ -z "$(words err)" ]; }
}

lines() {
	"$PERF" script --no-inline -i "$1" 2> /dev/null | wc -l
}

# What Linux's perf reads, without a word, is what we read.
linux_reads() {
	[ -x "$REF" ] || return 0
	for command in 'report --stdio' script 'script -D' 'evlist -v' 'report --header-only -I'; do
		# shellcheck disable=SC2086
		"$REF" $command -i "$1" > "out-${command%% *}" 2> err
		check [ $? -eq 0 ]
		check [ -z "$(words err)" ]
	done
	"$REF" script -i "$1" 2> err > theirs
	check [ "$(wc -l < theirs)" -eq "$(lines "$1")" ]
}

# Work for the first two CPUs that we may use, so that parts have something in them.
cat > two.sh << TWO
for cpu in \$(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2])'); do
	taskset -c \$cpu "$WORKLOADS/planted" 0.15 &
done
wait
TWO

# ---- folders ----

step "a folder that is whole is read without a word"
"$PERF" record -q -e cpu-clock -F 4000 --threads -o whole sh two.sh > out 2>&1
nr=$(find whole -name 'data.*' | wc -l)
check [ "$nr" -ge 1 ]
check [ "$(lines whole)" -gt 10 ]
silent whole
refute grep -q incomplete again.json
perf inject -i whole -o copy.data
silent copy.data
linux_reads whole

step "a folder of which a part is missing"
for part in whole/data.*; do
	[ -s "$part" ] || continue
	rm -rf cut && cp -r whole cut && rm "cut/${part#*/}"
	says cut "cut lacks 1 of its $nr parts"
	check [ "$(lines cut)" -lt "$(lines whole)" ]
done
copies_say cut
rm cut/data.*
says cut "cut lacks $nr of its $nr parts"

step "a folder of which a part is empty, or cut between two records"
size=$(stat -c %s whole/data.0)
rm -rf cut && cp -r whole cut && : > cut/data.0
says cut "cut lacks $size bytes of its part data.0"
end=$(python3 borders.py whole/data.0 part | awk 'NR == 20 { print $1 }')
rm -rf cut && cp -r whole cut && truncate -s "$end" cut/data.0
says cut "cut lacks $((size - end)) bytes of its part data.0"
copies_say cut

step "a folder of which a part is another one, and longer"
rm -rf cut && cp -r whole cut && cat whole/data.* whole/data.* > cut/data.0
says cut 'cut has a part data.0 that is longer than what was recorded: not the one of this recording'
copies_say cut

step "a folder whose header lost its features: all parts are read, their sizes are not known"
rm -rf cut && cp -r whole cut
head -c 32 /dev/zero | dd of=cut/data bs=1 seek=72 conv=notrunc 2> /dev/null
says cut 'cut does not tell how much its parts held'
check [ "$(lines cut)" -eq "$(lines whole)" ]

step "a folder that promises what cannot be"
rm -rf cut && cp -r whole cut
printf '\377\377\377\377' | dd of=cut/data bs=1 seek=64 conv=notrunc 2> /dev/null
perf report --stdio -i cut
check [ $rc -eq 0 ]
printf '\377\377\0\0' | dd of=cut/data bs=1 seek=64 conv=notrunc 2> /dev/null
says cut "cut lacks $((65535 - nr)) of its 65535 parts"

step "a packed folder"
if "$PERF" record -z -e dummy -o x.data true 2>&1 | grep -q 'built without zstd'; then
	skip "built without zstd"
else
	"$PERF" record -q -z -e cpu-clock -F 4000 --threads -o packed sh two.sh > out 2>&1
	silent packed
	rm -rf cut && cp -r packed cut && : > cut/data.0
	says cut 'cut lacks [0-9]* bytes of its part data.0'
fi

step "a folder whose recording was killed: it says so, once"
set -m
"$PERF" record -q -e cpu-clock -F 4000 -m 1 --threads -o killed "$WORKLOADS/known" wait > out 2>&1 &
child=$!
set +m
holds_samples() { find killed -name 'data.*' -size +8k 2> /dev/null | grep -q .; }
until_true holds_samples
{ kill -KILL -- "-$child" && wait "$child"; } 2> /dev/null
says killed 'how much its parts held is not known'
says killed 'data size field is 0'
copies_say killed
rm "killed/data.$((nr - 1))"
says killed "killed lacks 1 of its $nr parts"

# ---- streams ----

stream() {
	"$PERF" record -q -F 4000 "$@" -o - "$WORKLOADS/planted" 0.1 2> err
}

step "streams that are whole are read without a word"
stream -e cpu-clock > plain.data
stream -e cpu-clock,task-clock -g > events.data
"$PERF" record -q -F 8000 -e cpu-clock -m 8 -o - sh two.sh > wide.data 2> err
for file in plain events wide; do
	check [ "$(lines $file.data)" -gt 10 ]
	silent $file.data
	linux_reads $file.data
	"$PERF" report --stdio -i - < $file.data > out 2> err
	check [ -z "$(words err)" ]
done
"$PERF" inject -b -i plain.data -o - > copy.data 2> err
check [ ! -s err ]
silent copy.data
linux_reads copy.data
"$PERF" record -q -F 4000 -e cpu-clock -o - "$WORKLOADS/planted" 0.1 2> err |
	"$PERF" inject -b 2> err2 | "$PERF" report --stdio -i - > out 2> err3
cat err2 err3 > said
check [ -z "$(words said)" ]

step "a packed stream"
if "$PERF" record -z -e dummy -o x.data true 2>&1 | grep -q 'built without zstd'; then
	skip "built without zstd"
else
	stream -e cpu-clock -z > packed.data
	silent packed.data
	linux_reads packed.data
	python3 borders.py packed.data > ends
	head -c "$(tail -n 2 ends | head -n 1 | cut -d ' ' -f 1)" packed.data > cut.data
	says cut.data 'cut.data is cut: its end is missing'
fi

step "a stream cut behind any of its records, also behind a round"
python3 borders.py wide.data > ends
grep ' 68$' ends | head -n -1 | shuf -n 10 > chosen
check [ "$(wc -l < chosen)" -ge 1 ]
sed '1,/ 82$/d' ends | head -n -1 | shuf -n 20 >> chosen
tail -n 2 ends | head -n 1 >> chosen # all but the mark
while read -r end _; do
	head -c "$end" wide.data > cut.data
	perf report --stdio -i cut.data
	check grep -q 'cut.data is cut: its end is missing' err || echo "at $end"
done < chosen
says cut.data 'cut.data is cut: its end is missing'
copies_say cut.data
"$PERF" report --stdio -i - < cut.data > out 2> err
check grep -q '^.*- is cut: its end is missing' err
# shellcheck disable=SC2002
cat cut.data | "$PERF" report --stdio -i - > out 2> err
check grep -q '^.*- is cut: its end is missing' err

step "streams killed at random moments"
cat > kills.py << 'KILLS'
import os, random, signal, subprocess, sys, time
PERF, WORKLOADS = sys.argv[1:3]
random.seed(7)
silent = seen = 0
for nr in range(30):
    with open("killed.data", "wb") as out:
        child = subprocess.Popen([PERF, "record", "-q", "-e", "cpu-clock", "-F", "10000", "-m", "1", "-o", "-",
                                  os.path.join(WORKLOADS, "known"), "wait"], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.DEVNULL, start_new_session=True)
        # Every second one not before there is something, however busy the machine is.
        while nr % 2 and os.path.getsize("killed.data") < 10000 and child.poll() is None:
            time.sleep(0.01)
        time.sleep(0.05 + random.random() * 0.25)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    for words in ["report", "--stdio"], ["script"]:
        run = subprocess.run([PERF, *words, "-i", "killed.data"], stdin=subprocess.DEVNULL, capture_output=True)
        seen += run.returncode == 0
        if run.returncode == 0 and b"killed.data is cut" not in run.stderr:
            silent += 1
            print(f"kill {nr}: perf {' '.join(words)}: {run.stderr.decode()[:300]!r}")
print(f"{seen} were read, {silent} without a word")
sys.exit(silent > 0 or seen < 10)
KILLS
check python3 kills.py "$PERF" "$WORKLOADS"

step "a stream killed between two passes"
set -m
"$PERF" record -q -e cpu-clock -F 4000 -m 1 -o - sh -c "$WORKLOADS/planted 0.5; : > over; sleep 600" > between.data 2> err &
child=$!
set +m
all_written() {
	local before
	before=$(stat -c %s between.data)
	sleep 0.3
	[ -e over ] && waits "$child" && [ "$(stat -c %s between.data)" -eq "$before" ] && [ "$before" -gt 20000 ]
}
until_true all_written
{ kill -KILL -- "-$child" && wait "$child"; } 2> /dev/null
check [ "$(python3 borders.py between.data | tail -n 1 | cut -d ' ' -f 2)" -eq 68 ]
says between.data 'between.data is cut: its end is missing'

step "counts in a stream"
perf stat record -e task-clock -I 100 -o - "$WORKLOADS/planted" 0.5
cp out counts.data
perf stat report -i counts.data
check [ $rc -eq 0 ]
refute grep -q Warning err
if [ -x "$REF" ]; then
	"$REF" stat report -i counts.data > out 2> err
	check [ $? -eq 0 ]
	refute grep -qiE 'warn|error|fail' err
fi
python3 borders.py counts.data | grep ' 77$' > ends
check [ "$(wc -l < ends)" -ge 2 ]
head -c "$(head -n 1 ends | cut -d ' ' -f 1)" counts.data > cut.data
perf stat report -i cut.data
check grep -q "'cut.data' has no end" err

# ---- streams of Linux's perf ----

step "streams of Linux's perf: whole ones say nothing, cut ones do behind all but a round"
if [ ! -x "$REF" ]; then
	skip "Linux's perf is not here"
else
	for options in '' -g -z '-m 4' '-e cpu-clock,task-clock' --tail-synthesize; do
		# shellcheck disable=SC2086
		"$REF" record -q -F 2000 $options -o - sh two.sh > "theirs$options.data" 2> err
		# Of --tail-synthesize 6.1 makes a stream that says of its events last of all.
		[ "$options" != --tail-synthesize ] || continue
		silent "theirs$options.data"
	done
	for options in '' '-I 50'; do # the latter ends with a map that it has made up
		# shellcheck disable=SC2086
		"$REF" stat record $options -o - sleep 0.2 > counts.data 2> err
		perf stat report -i counts.data
		check [ $rc -eq 0 ]
		refute grep -q 'has no end' err
	done
	for options in '' -b --buildid-all; do
		# shellcheck disable=SC2086,SC2002
		cat theirs.data | "$REF" inject $options -i - -o - > copy.data 2> err
		silent copy.data
		# shellcheck disable=SC2086,SC2002
		cat plain.data | "$REF" inject $options -i - -o - > copy.data 2> err
		silent copy.data
	done
	python3 borders.py 'theirs-m 4.data' > ends
	sed '1,/ 82$/d' ends | grep -v ' \(68\|82\)$' | shuf -n 30 | sort -n > chosen # the last has samples
	while read -r end _; do
		head -c "$end" 'theirs-m 4.data' > cut.data
		perf report --stdio -i cut.data
		check grep -q 'cut.data is cut: its end is missing' err || echo "at $end"
	done < chosen
	says cut.data 'cut.data is cut: its end is missing'
	copies_say cut.data
fi

finish
