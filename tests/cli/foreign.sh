#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of other machines (tests/data): read here as they were read where they were made, and
# as Linux's perf reads them here.
. "$(dirname "$0")/../lib.sh"
plan 33
DATA=$TESTS/data
mkdir empty

# Fields without the blanks between them, whose number differs between versions of Linux's perf.
plain() {
	sed 's/^[ \t]*//; s/[ \t][ \t]*/ /g; s/ $//' "$1"
}

# same COMMAND...: as Linux's perf prints it, byte for byte
same() {
	perf "$@"
	timeout 200 "$REF" "$@" > ref 2> ref.err
	check [ -s ref ]
	check diff -a ref out
}

step "the crafted recordings are those of their program"
mkdir made
check python3 "$DATA/crafted.py" made
check cmp made/s390x.data "$DATA/s390x.data"
check cmp made/i386.data "$DATA/i386.data"

for name in amd64 amd64-trace arm64 arm64-dwarf riscv64 riscv64-6.12 s390x i386; do
	file=$DATA/$name.data
	step "$name: script says what was said in the guest"
	perf script -i "$file" --symfs empty -F "$(head -n 1 "$DATA/$name.txt")"
	check [ $rc -eq 0 ]
	check diff <(tail -n +2 "$DATA/$name.txt" | plain -) <(plain out)
	nr=$(tail -n +2 "$DATA/$name.txt" | grep -c ': ')
	records=$nr
	[ $name != arm64 ] || records=$((nr / 2)) # each has two events in it

	step "$name: report has each sample in its rows"
	perf report -i "$file" --symfs empty --stdio --no-group --no-children -n -g none --sort comm,dso
	check [ $rc -eq 0 ]
	check [ "$(awk '/^ *[0-9.]+%/ { n += $2 } END { print n + 0 }' out)" -eq "$nr" ]

	step "$name: -D, evlist, and the head"
	perf report -D -i "$file"
	check [ $rc -eq 0 ]
	check [ "$(grep -c ': PERF_RECORD_SAMPLE(' out)" -eq "$records" ]
	perf evlist -i "$file"
	check [ $rc -eq 0 ]
	for event in $(grep -v '^#' out); do
		grep -c " $event: " "$DATA/$name.txt"
	done > counts
	check [ "$(awk '{ n += $1 } END { print n + 0 }' counts)" -eq "$nr" ]
	perf report -i "$file" --header-only
	check grep -qx '# hostname : guest' out

	step "$name: evlist -v, -D, report and script beside Linux's perf"
	if [ ! -x "$REF" ]; then
		skip "'$REF' is not there"
	elif [ $name = riscv64-6.12 ]; then
		skip "Linux's perf 6.1 does not read it"
	else
		same evlist -v -i "$file"
		same evlist -F -i "$file"
		same report --stats -i "$file"
		same report --tasks -i "$file"
		if [ $name = s390x ]; then # 6.1 shows bytes swapped, and what maps may do unswapped
			perf report -D -i "$file"
			"$REF" report -D -i "$file" 2> ref.err | grep -v '^\. ' | sed 's/: ---p/: r-xp/' > ref
			check [ -s ref ]
			check diff ref <(grep -v '^\. ' out)
			check grep -q '^\.  0000:  00 00 00 01 00 01 00 60' out
		else
			same report -D -i "$file"
		fi
		CHECKS=rows,chains,script
		[ $name != arm64-dwarf ] || CHECKS=rows # ours goes on by frame pointers, without the objects
		# 6.1 names a far kernel's addresses from the kernel that runs here.
		[ $name = s390x ] || [ $name = i386 ] || agree "$file"
	fi
done
finish
