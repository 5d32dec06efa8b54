#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf inject: nothing is lost or changed but what was asked for; the same records as Linux's perf.
. "$(dirname "$0")/../lib.sh"
REF=${PERF_REF:-/usr/bin/perf}
need_built record && need_events || finish

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
perf record -B -N -e cpu-clock -F 2000 -o bare.data "$WORKLOADS/planted" 0.3
id=$("$PERF" buildid-list -i "$WORKLOADS/planted" 2> /dev/null)
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

step "the same records as Linux's perf"
if [ "$LIMIT" -gt 60 ]; then
	skip "the sanitizers' run has asked it once already"
elif [ -x "$REF" ]; then
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
	"$REF" record -q -o - -e cpu-clock -F 2000 -g "$WORKLOADS/planted" 0.2 > fresh.data 2> ref.log
	"$REF" inject -b < fresh.data > ref.data 2> ref.log
	"$PERF" inject -b < fresh.data > ours.data 2> err
	dump "$REF" ref.data | grep -v 'event: 80' > ref.dump
	dump "$REF" ours.data | grep -v 'event: 80' > ours.dump
	check cmp ref.dump ours.dump
else
	skip "'$REF' is not there"
fi

finish
