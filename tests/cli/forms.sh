#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings that are no plain file, made by Linux's perf: streams (from a pipe and kept in a file),
# compressed records, folders. What both perfs say about each must agree; cut and damaged ones keep
# what is good.
. "$(dirname "$0")/../lib.sh"
plan 13

[ -x "$REF" ] || skip_all "Linux's perf is not here to record"
need_events || finish
PROG="$WORKLOADS/planted 0.4"

# record NAME OPTIONS...: by Linux's perf; no file: its recording failed
# shellcheck disable=SC2086 # words
ref_record() {
	local name=$1
	shift
	"$REF" record -q -g -e cpu-clock,page-faults -F 2000 "$@" -o "$name" $PROG > /dev/null 2>&1
}

step "record"
# shellcheck disable=SC2086
"$REF" record -q -g -e cpu-clock,page-faults -F 2000 -o - $PROG 2> /dev/null > stream.data
# shellcheck disable=SC2086
"$REF" record -q -z -g -e cpu-clock -F 4000 -o - $PROG 2> /dev/null > zstream.data
ref_record z.data -z
ref_record folder.data --threads
ref_record zfolder.data --threads -z
FORMS=''
for file in stream z zstream folder zfolder; do
	check [ -s $file.data ] && FORMS="$FORMS $file.data"
done

step "agreement with Linux's perf on each"
# shellcheck disable=SC2086
check env PERF="$PERF" PERF_REF="$REF" python3 "$TESTS/compat/agree.py" \
	--checks rows,chains,script --home "$HOME" $FORMS

step "-D, --stats: packed records have an offset each, and are counted themselves"
perf report -D -i z.data
grep -oE '^0x[0-9a-f]+@z.data \[' out > offsets
check [ "$(wc -l < offsets)" -gt 100 ]
check [ -z "$(sort offsets | uniq -d)" ]
perf report --stats -i z.data
refute grep -q 'COMPRESSED events' out
check diff <(awk '/SAMPLE events/ { print $3 }' out) <("$REF" report --stats -i z.data 2> ref.log | awk '/SAMPLE events/ { print $3 }')

step "the header of a stream has no sections, as Linux's perf shows it"
if [ "$(id -u)" -eq 0 ] || [ -O stream.data ]; then
	"$REF" report --header-only -i stream.data > ref 2> /dev/null
	perf report --header-only -i stream.data
	check diff <(grep -v '^$' ref) <(grep -v '^$' out)
fi

step "standard input: asked for by -i -, and by itself where it is a pipe"
perf report --stdio -i stream.data
grep -v '^# (Tip' out > whole
check [ -s whole ]
for arguments in "-i -" ""; do
	# shellcheck disable=SC2086,SC2002
	cat stream.data | "$PERF" report --stdio $arguments > out 2> err
	check diff whole <(grep -v '^# (Tip' out)
done
# shellcheck disable=SC2002
cat z.data | "$PERF" report --stdio -i - > out 2> err
check grep -q planted_hot out

step "other commands read streams, too"
perf script -i stream.data
check grep -q planted out
for arguments in evlist "evlist -v"; do
	# shellcheck disable=SC2086
	perf $arguments -i stream.data
	# shellcheck disable=SC2086
	check diff <("$REF" $arguments -i stream.data 2> /dev/null) out
done

step "with the ends of rounds records come in the order of the file, as Linux's perf shows them"
# shellcheck disable=SC2086
"$REF" record -q -m 1 -e cpu-clock -F 4000 -o rounds.data sh -c "$PROG & $PROG" > /dev/null 2>&1
"$REF" script -F tid,time,event --show-round-events -i rounds.data > ref 2> /dev/null
perf script -F tid,time,event --show-round-events -i rounds.data
check grep -q FINISHED_ROUND out
check diff ref out

step "live: record of one perf into report of the other"
"$REF" record -q -e cpu-clock -o - "$WORKLOADS/planted" 0.1 2> /dev/null | "$PERF" script > out 2> err
check grep -q cpu-clock out

step "nothing but what was said stays behind: temporary copies have no names"
mkdir tmp
TMPDIR=$PWD/tmp perf report --stdio -i zfolder.data
check [ $rc -eq 0 ]
check [ -s out ]
check [ -z "$(ls -A tmp)" ]

step "no room for the copy: said, with where to make some"
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=16k none small 2> /dev/null; then
	TMPDIR=$PWD/small perf report --stdio -i z.data
	check [ $rc -eq 255 ]
	check grep -q "No space left on device" err
	check grep -q "set TMPDIR" err
	umount small
else
	skip "cannot mount a small tmpfs"
fi

step "cut anywhere: no death, a word about it, and never more than there was"
perf script -F comm -i z.data
all=$(grep -c planted out)
last=0
for part in 1 2 3 4 5 6 7 8 9; do
	head -c $(($(stat -c %s z.data) * part / 10)) z.data > cut.data
	perf script -F comm -i cut.data
	check test "$rc" = 0 -o "$rc" = 255
	check [ -s err ]
	now=$(grep -c planted out)
	check [ "$now" -ge "$last" ]
	last=$now
done
check [ "$last" -le "$all" ]
for part in 1 3 5 7 9; do
	head -c $(($(stat -c %s zstream.data) * part / 10)) zstream.data > cut.data
	perf report --stdio -i cut.data
	check test "$rc" = 0 -o "$rc" = 255
	[ $rc -eq 0 ] || check [ -s err ]
done

step "flipped bits: the rest is read, what is lost is said"
RANDOM=${SEED:-1}
for file in z.data zstream.data stream.data; do
	size=$(stat -c %s $file)
	for _ in 1 2 3 4 5 6 7 8; do
		cp $file damaged.data
		dd if=/dev/urandom of=damaged.data bs=1 count=4 conv=notrunc 2> /dev/null \
			seek=$((200 + (RANDOM * 32768 + RANDOM) % (size - 300)))
		perf report --stdio -i damaged.data
		check test "$rc" = 0 -o "$rc" = 255
		check test -s out -o -s err
		[ $rc -eq 0 ] || check [ -s err ]
	done
done

step "a folder with a file that is missing, cut or damaged: said, the others are read"
cp -r folder.data holes.data
rm holes.data/data.0
perf report --stdio -i holes.data
check [ $rc -eq 0 ]
check grep -q "damaged" err
perf report --stdio -i folder.data/data
check [ $rc -eq 255 ]
check grep -q "name the folder" err
for form in folder zfolder; do
	[ -d $form.data ] || continue
	perf script -F tid,time,event -i $form.data
	check [ $rc -eq 0 ]
	mv out whole
	# (Records have sizes that 8 divides; a cut between two of a folder of Linux's perf cannot be seen.)
	for part in data data.0 data.1; do
		size=$(stat -c %s $form.data/$part)
		[ "$size" -gt 400 ] || continue
		# What the other files hold alone: with this one cut or damaged, all of that is there.
		rm -rf holes.data && cp -r $form.data holes.data
		: > others
		if [ $part != data ]; then
			rm holes.data/$part
			perf script -F tid,time,event -i holes.data
			mv out others
		fi
		for how in 0 $((size / 3 | 3)) $((size / 2 | 1)) $((size - 3)) flip flip flip; do
			cp $form.data/$part holes.data/$part
			if [ $how = flip ]; then
				dd if=/dev/urandom of=holes.data/$part bs=1 count=4 conv=notrunc 2> /dev/null \
					seek=$(((RANDOM * 32768 + RANDOM) % (size - 4)))
			else
				truncate -s $how holes.data/$part
			fi
			perf script -F tid,time,event -i holes.data
			# (Where the other has no sample, this one may have none left that is what its event says.)
			check test "$rc" = 0 -o "$part:$rc" = data:255 -o "$(wc -l < others):$rc" = 0:255
			[ $rc -eq 0 ] || check [ -s err ]
			case $part:$how in
			*:flip | *:0) ;;
			*) check [ -s err ] || fail "$form/$part cut at $how" ;;
			esac
			check [ "$(sort -u out | comm -13 - <(sort -u others) | wc -l)" -eq 0 ] || fail "$form/$part: $how"
			[ $how = flip ] || check [ "$(sort -u out | comm -23 - <(sort -u whole) | wc -l)" -eq 0 ]
		done
	done
done
mkdir empty.data
perf report --stdio -i empty.data
check [ $rc -eq 255 ]
check grep -q "it has no file 'data'" err

finish
