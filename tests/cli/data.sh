#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf data convert --to-json: the samples that perf script prints, in Linux's keys.
. "$(dirname "$0")/../lib.sh"
plan 12
command -v python3 > /dev/null || skip_all "the JSON: python3 is not installed"
need_events || finish

# flatten FILE: its samples as lines "COMM|PID/TID|NS|IP IP ..."
cat > flatten.py << 'END'
import json, sys
for s in json.load(open(sys.argv[1]))["samples"]:
    print("%s|%d/%d|%d|%s" % (s["comm"], s["pid"], s["tid"], s["timestamp"],
                              " ".join(f["ip"] for f in s["callchain"])))
END

convert() {
	rm -f x.json
	perf data convert --to-json x.json "$@"
	check [ $rc -eq 0 ]
	check python3 -m json.tool x.json /dev/null
}

# The same of perf script: one line "COMM|PID/TID|NS" each.
script_lines() {
	"$PERF" script --ns -G -F comm,pid,tid,time "$@" 2> script.err |
		sed -nE 's/^ *(.*[^ ]) +(-?[0-9]+)\/(-?[0-9]+) +([0-9]+)\.([0-9]+): *$/\1|\2\/\3|\4\5/p'
}

step "every sample of the recording, as perf script has it"
perf record -e cpu-clock -F 2000 -g -o x.data "$WORKLOADS/planted" 0.3
convert -i x.data
python3 flatten.py x.json > flat
cut -d '|' -f 1-3 flat > ours
script_lines -i x.data > lines
check [ "$(wc -l < lines)" -gt 50 ]
check diff lines ours
check grep -q '"symbol": "planted_hot"' x.json
check grep -q '"dso": "planted"' x.json
check [ "$(cut -d '|' -f 4 flat | tr ' ' '\n' | grep -c '^0x')" -gt "$(wc -l < flat)" ]
check grep -qxE "\[ perf data convert: Converted 'x.data' into JSON data 'x.json' \]" err
check grep -qxE "\[ perf data convert: Converted and wrote [0-9.]+ MB \($(wc -l < ours) samples\) \]" err
refute grep -q . out

step "the headers"
check python3 -c "
import json, os, platform
h = json.load(open('x.json'))['headers']
assert h['hostname'] == platform.node() and h['os-release'] == platform.release()
assert h['cmdline'][1:3] == ['record', '-e'] and h['nrcpus-avail'] >= h['nrcpus-online'] > 0
assert h['data-offset'] + h['data-size'] == h['feat-offset'] < os.path.getsize('x.data')
assert list(h)[:2] == ['header-version', 'captured-on']"

step "perf.data without -i; a word too much"
cp x.data perf.data
convert
perf data convert --to-json y.json x.data
check [ $rc -eq 129 ]
check [ ! -e y.json ]

step "names that would break the text"
cp /bin/sleep $'a"b\\\n'
perf record -e cpu-clock -c 100000 -o odd.data $'./a"b\\\n' 0.01
convert -i odd.data
check python3 -c 'import json; assert any(s["comm"] == "a\"b\\\n" for s in json.load(open("x.json"))["samples"])'

step "--time"
convert -i x.data --time 0%-40%
python3 flatten.py x.json | cut -d '|' -f 1-3 > ours
script_lines -i x.data --time 0%-40% > lines
check [ -s lines ]
check diff lines ours
perf data convert --to-json y.json -i x.data --time nonsense
check [ $rc -eq 234 ]
check [ ! -e y.json ]

step "a stream, through a pipe"
"$PERF" record -q -e cpu-clock -F 2000 -o - "$WORKLOADS/planted" 0.1 2> record.log > stream.data
if [ -s stream.data ]; then
	IN=stream.data convert -i -
	check grep -q '"symbol": "planted_hot"' x.json
else
	skip "record -o - is not built yet"
fi

step "into a pipe: all of it, and its size; a reader that goes away ends it"
"$PERF" data convert --to-json /dev/stdout -i x.data 2> err | cat > piped.json
check [ "${PIPESTATUS[0]}" -eq 0 ]
convert -i x.data
check cmp x.json piped.json
check grep -qE "Converted and wrote $(awk -v n="$(stat -c %s x.json)" 'BEGIN { printf "%.3f", n / 1048576 }') MB" err
"$PERF" data convert --to-json /dev/stdout -i x.data 2> err | head -c 1 > none
check [ "${PIPESTATUS[0]}" -eq 141 -o "${PIPESTATUS[0]}" -eq 0 ]
refute grep -q Error err
if need_root; then
	mkfifo theirs.json && chown 65534 theirs.json
	perf data convert --to-json theirs.json -i x.data
	check [ $rc -eq 255 ]
	check grep -q "cannot write to 'theirs.json': it is a pipe of another user" err
fi

step "a file that is there stays, but with --force"
echo mine > there.json
perf data convert --to-json there.json -i x.data
check [ $rc -eq 255 ]
check grep -q 'Output file exists. Use --force to overwrite it.' err
check [ "$(cat there.json)" = mine ]
perf data convert --force --to-json there.json -i x.data
check [ $rc -eq 0 ]
check python3 -m json.tool there.json /dev/null

step "another user's link is not written through"
if need_root; then
	ln -s target.json link.json && chown -h 65534 link.json
	echo mine > target.json
	perf data convert -f --to-json link.json -i x.data
	check [ $rc -eq 255 ]
	check grep -q "'link.json'.*symbolic link made by another user" err
	check [ "$(cat target.json)" = mine ]
fi

step "a full disk"
perf data convert --to-json /dev/full -i x.data
check [ $rc -eq 255 ]
check grep -q "'/dev/full': No space left on device" err
refute grep -q Converted err
if need_root && mkdir disk && mount -t tmpfs -o size=16k none disk 2> mount.log; then
	umount_at_end=$PWD/disk
	perf data convert --to-json disk/x.json -i x.data
	check [ $rc -eq 255 ]
	check [ ! -e disk/x.json ]
fi

step "damaged files: what can be read, and one line"
for seed in 1 2 3 4 5 6 7 8; do
	RANDOM=$seed
	cp x.data damaged.data
	at=$((1000 + (RANDOM * 32768 + RANDOM) % ($(stat -c %s x.data) - 20000)))
	head -c $((RANDOM % 60 + 8)) /dev/urandom |
		dd of=damaged.data bs=1 seek=$at conv=notrunc 2> /dev/null
	convert -i damaged.data
	python3 flatten.py x.json | cut -d '|' -f 1-3 > ours
	script_lines -i damaged.data > lines
	check [ "$(wc -l < ours)" -gt 50 ]
	check [ "$(wc -l < lines)" -eq "$(wc -l < ours)" ]
done
head -c 20000 x.data > cut.data
convert -i cut.data
check grep -qi 'warning' err

# Linux's file has no names of events, nothing about how chains ended, and some entries of PLTs are without a name there.
same_json() {
	python3 -c "
import json
ref, ours = json.load(open('ref.json')), json.load(open('x.json'))
ours.pop('stack-health', None)
for theirs, mine in zip(ref['samples'], ours['samples']):
    assert mine.pop('event') in ('cpu-clock', 'cpu-clock:ppp', 'page-faults', 'context-switches'), mine
    for a, b in zip(theirs['callchain'], mine['callchain']):
        if a.get('symbol', '').endswith('@plt') and b.get('symbol', '').endswith('@plt'):
            b['symbol'] = a['symbol'] # with functions chosen at run time 6.1's are others
assert ref == ours"
}

step "the same JSON as Linux's perf"
if [ -x "$REF" ]; then
	"$REF" record -q -o theirs.data -k mono -e cpu-clock -F 2000 -g --sample-cpu \
		sh -c 'ls -R /usr/share > /dev/null; true' > /dev/null 2>&1
	"$REF" record -q -o flat.data --no-timestamp -e cpu-clock true > /dev/null 2>&1
	for file in x odd theirs flat; do
		"$REF" data convert --force --to-json ref.json -i $file.data > ref.log 2>&1
		convert -i $file.data
		check same_json
	done
else
	skip "'$REF' is not there"
fi

finish
