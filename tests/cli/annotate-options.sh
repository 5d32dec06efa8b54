#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf annotate of two small programs that are kept (tests/data/loops-*.elf): the whole text, and what each
# option changes in it; the same text as Linux's perf 6.1 where it is installed.
. "$(dirname "$0")/../lib.sh"
plan 24
need_library capstone || finish
DATA=$TESTS/data

mkdir -p fs/usr/src/golden away
for arch in x86_64 arm64; do cp "$DATA/loops-$arch.elf" fs/usr/src/golden/loops-$arch; done
cp "$DATA/loops.c" away
python3 "$DATA/code.py" x.data x86_64 /usr/src/golden/loops-x86_64 0x400000 0x1000 0 0x400144 0x4001c6 1
python3 "$DATA/code.py" a.data aarch64 /usr/src/golden/loops-arm64 0x210000 0x10000 0 0x2101b4 0x210264 4
source=(--prefix "$PWD/away" --prefix-strip 3)

# annotate OPTION...: of the first recording
annotate() {
	perf annotate --stdio -i x.data --symfs fs "$@"
}

# shown OPTION...: with success
shown() {
	annotate "$@"
	check [ $rc -eq 0 ]
	check [ -s out ]
}

# same OPTION...: shown, as Linux's perf has it. (Its sums by line leave out instructions below 0.5 %.)
same() {
	shown "$@"
	[ -x "$REF" ] && command -v objdump > objdump.path || return 0
	sums='/^( +[0-9]+\.[0-9]{2})+ [^ :]+:[0-9]+$/d'
	sed -E "$sums" out > ours
	timeout 60 "$REF" annotate --stdio -i x.data --symfs fs "$@" 2> /dev/null < /dev/null | sed -E "$sums" > ref
	check [ -s ref ]
	check diff ours ref
}

# column [NUMBER]: the figures of a column of the instructions in out, with the addresses
column() {
	sed -nE 's/ +:   ([0-9a-f]+): .*/ \1/p' out | awk -v n="${1:-1}" '{ print $NF, $n }'
}

# sum [NUMBER]
sum() { column "${1:-1}" | awk '{ sum += $2 } END { print sum + 0 }'; }

for arch in x86_64 arm64; do
	step "golden: $arch"
	perf annotate --stdio -i ${arch:0:1}.data --symfs fs "${source[@]}"
	check [ $rc -eq 0 ]
	check [ ! -s err ]
	check diff "$DATA/loops-$arch.txt" out
done

step "all of it, by function, as it stands"
same "${source[@]}"

step "-M: att and intel"
same -M intel nested
check grep -qE '^ +[0-9.]+ :   400180: mov    rdx,QWORD PTR \[rip\+0x1041\] ' out
same -M att nested
check grep -qE '^ +[0-9.]+ :   400180: mov    0x1041\(%rip\),%rdx ' out
cp out att
shown nested
check cmp att out

step "--asm-raw, --no-source"
same --asm-raw --no-source nested
check grep -qE '^ +[0-9.]+ :   400173: 48 85 ff                test   %rdi,%rdi$' out
refute grep -q 'sink +=' out
shown --asm-raw nested "${source[@]}"
check grep -q 'sink +=' out

step "-l, -P, --full-paths"
same -l nested
check grep -qE '^ +[0-9.]+ loops\.c:19$' out
check grep -qE ' // loops\.c:19$' out
same -l -P nested
check grep -qE '^ +[0-9.]+ /usr/src/golden/loops\.c:19$' out
check grep -qE 'Disassembly of /usr/src/golden/loops-x86_64 for' out
cp out short
shown -l --full-paths nested
check cmp short out

step "-s and a bare symbol: that function alone"
same -s leaf
check [ "$(grep -c 'Disassembly of loops' out)" -eq 2 ] # by event
check grep -q '<leaf>:' out
refute grep -q '<nested>:' out
cp out by_s
shown leaf
check cmp by_s out
shown --symbol leaf
check cmp by_s out

step "-d: the functions of an object; one without samples is named, with those that have some"
shown
cp out all
shown -d loops-x86_64
check cmp all out
annotate -d nosuch
check [ $rc -eq 1 ]
check [ ! -s out ]
check grep -q "no sample has the dso 'nosuch'" err
check grep -q "'loops-x86_64' (" err

step "-f: a file of another user's"
if [ "$(id -u)" -eq 0 ]; then
	cp x.data others.data
	chown 65534 others.data
	perf annotate --stdio -i others.data --symfs fs leaf
	check [ $rc -eq 255 ]
	check [ ! -s out ]
	perf annotate --stdio -f -i others.data --symfs fs leaf
	check [ $rc -eq 0 ]
	check cmp by_s out
else
	skip "needs root, to give a file away"
fi

step "-D: the records; -m: nothing else"
perf report -D -i x.data
cp out dumped
perf annotate -D -i x.data
check cmp dumped out
check [ "$(grep -c PERF_RECORD_SAMPLE out)" -gt 100 ]
shown -m leaf
check cmp by_s out

step "--stdio2: labels"
shown --stdio2 nested
check grep -qE '^ +[0-9.]+ +17: +mov +sink,%rdx$' out
check grep -qE '↑ jne +17$' out
check grep -qE '→ call +leaf$' out
if [ -x "$REF" ] && command -v objdump > objdump.path; then
	timeout 60 "$REF" annotate --stdio2 -i x.data --symfs fs nested 2> /dev/null < /dev/null | sed 's/ *$//' > ref
	check diff <(sed -E 's/ *$//; s/^(Samples: )[0-9]+ +/\1/' out) <(sed -E 's/^(Samples: )[0-9]+K? +/\1/' ref)
fi

step "--skip-missing: no word of code that is nowhere; --symfs finds it"
perf annotate --stdio -i x.data --symfs "$PWD/away" leaf
check [ $rc -eq 1 ]
check grep -q "loops-x86_64" err
perf annotate --stdio -i x.data --symfs "$PWD/away"
check [ $rc -eq 1 ]
check [ -s err ]
perf annotate --stdio -i x.data --symfs fs -s leaf
check [ $rc -eq 0 ]
cp -r fs half
: > half/usr/src/golden/loops-x86_64
perf annotate --stdio -i x.data --symfs half --skip-missing
check [ $rc -eq 1 ]
check [ ! -s out ]

step "--demangle, --no-demangle"
if command -v objcopy > objcopy.path; then
	cp -r fs mangled
	check objcopy --redefine-sym leaf=_ZN4code4leafEm mangled/usr/src/golden/loops-x86_64
	names() {
		perf annotate --stdio -i x.data --symfs mangled --no-source "$@"
		sed -nE 's/^ +: [0-9]+ +[0-9a-f]{16} <(.*)>:$/\1/p' out | sort -u | tr '\n' ' '
	}
	check [ "$(names)" = "_start code::leaf(unsigned long) nested " ]
	check [ "$(names --no-demangle)" = "_ZN4code4leafEm _start nested " ]
	check [ "$(names -s code::leaf)" = "code::leaf(unsigned long) " ]
	check [ "$(names --no-demangle -s _ZN4code4leafEm)" = "_ZN4code4leafEm " ]
else
	skip "objcopy is not installed"
fi

step "several events: one after the other; --group: side by side"
same nested
check [ "$(grep -c ' for cpu-clock:u (' out)" -eq 1 ]
check [ "$(grep -c ' for task-clock:u (' out)" -eq 1 ]
same --group nested
check [ "$(grep -c 'Disassembly of loops' out)" -eq 1 ]
check grep -q ' for cpu-clock:u, task-clock:u (' out
shown --group -n nested
first=$(sum 1) second=$(sum 2)
check [ "$first" -gt "$second" ]
check [ "$second" -gt 50 ]

# One event from here on, which the sums are of.
sed 's/^EVENTS = .*/EVENTS = ("cpu-clock:u", 0, 11),/' "$DATA/code.py" > one.py
python3 one.py x.data x86_64 /usr/src/golden/loops-x86_64 0x400000 0x1000 0 0x400144 0x4001c6 1

step "-n, --show-nr-samples, --show-total-period: sums, which add up to those of the report"
perf report --stdio -g none -n --show-total-period -s sym -i x.data --symfs fs
hits=$(awk '$NF == "nested" { print $2 }' out) period=$(awk '$NF == "nested" { print $3 }' out)
all_hits=$(awk '/^ +[0-9.]+%/ { n += $2 } END { print n }' out) all_period=$(awk '/^ +[0-9.]+%/ { n += $3 } END { print n }' out)
same -n nested
check [ "$(sum)" = "$hits" ]
check [ "$hits" -gt 100 ]
column > hits
shown --show-nr-samples nested
check cmp <(column) hits
same --show-total-period nested
check [ "$(sum)" = "$period" ]
check [ "$period" -gt "$((hits * 10))" ]
column > periods
annotate -n --show-total-period nested
check [ $rc -eq 129 ]

step "--percent-type: of the function or of all, by periods or samples"
for type in "local-period periods $period" "local-hits hits $hits" "global-period periods $all_period" \
	"global-hits hits $all_hits"; do
	read -r name file whole <<< "$type"
	shown --percent-type=$name nested
	check diff <(column) <(awk -v whole="$whole" '{ printf "%s %.2f\n", $1, 100 * $2 / whole }' $file)
	check grep -q "percent: ${name/-/ }" out
done
same --percent-type=local-hits nested
same --percent-type=local-period nested

step "--percent-limit: functions below are left out"
functions() { sed -nE 's/^ +: [0-9]+ +[0-9a-f]{16} <(.*)>:$/\1/p' out | tr '\n' ' '; }
shown
check [ "$(functions)" = "nested leaf _start " ]
shown --percent-limit 20
check [ "$(functions)" = "nested leaf " ]
shown --percent-limit 40
check [ "$(functions)" = "nested " ]
annotate --percent-limit 90
check [ $rc -eq 1 ]
check [ ! -s out ]
check grep -q 'no function has 90 % of the samples' err

step "-C: samples of these CPUs, which add up to all"
shown -n -C 0 nested
column > of_0
shown -n --cpu=1-3 nested
column > of_3
check [ "$(awk '$2' of_0 | wc -l)" -gt 10 ]
check [ "$(awk '$2' of_3 | wc -l)" -gt 10 ]
check diff <(paste -d ' ' of_0 of_3 | awk '{ print $1, $2 + $4 }') hits
annotate -C 2 nested
check [ $rc -eq 0 ]
check [ ! -s out ]
check grep -q 'that pass -C' err

step "--stdio-color: always, never"
shown --stdio-color=always nested
check grep -q "$(printf '\033\[31m')" out
check grep -q "$(printf '\033\[32m')" out
sed 's/\x1b\[[0-9;]*m//g' out > plain
shown --stdio-color=never nested
check cmp plain out
refute grep -q "$(printf '\033')" out
shown nested
check cmp plain out

step "--prefix, --prefix-strip: the folder that sources are in now"
mkdir -p below/usr/src/golden
cp "$DATA/loops.c" below/usr/src/golden
shown --prefix "$PWD/below" nested
check grep -qE '^ +: 7 +sink \+= n;$' out
check [ ! -s err ]
shown --prefix "$PWD/away" --prefix-strip 3 nested
check grep -qE '^ +: 7 +sink \+= n;$' out
shown --prefix "$PWD/away" --prefix-strip 1 nested
refute grep -q 'sink += n' out
check grep -q "cannot read the source '/usr/src/golden/loops.c': No such file or directory" err
annotate --prefix-strip 1 nested
check [ $rc -eq 129 ]

step "a source that cannot be read is named; -q: it is not, --no-source: nobody looks for it"
shown nested
check grep -q "cannot read the source '/usr/src/golden/loops.c'" err
check grep -q -- '--prefix=DIR' err
shown -q nested
check [ ! -s err ]
shown --no-source nested
check [ ! -s err ]
perf script -i x.data --symfs fs -F ip,srcline,srccode
check [ $rc -eq 0 ]
check grep -q 'loops.c:19' out
check grep -q "cannot read the source '/usr/src/golden/loops.c'" err
mkdir -p unreadable/usr/src/golden/loops.c
shown --prefix "$PWD/unreadable" nested
check grep -q "cannot read the source '/usr/src/golden/loops.c': Is a directory" err
rmdir unreadable/usr/src/golden/loops.c
mkfifo unreadable/usr/src/golden/loops.c
shown --prefix "$PWD/unreadable" nested
check grep -q "cannot read the source '/usr/src/golden/loops.c': it is no plain file" err

step "a source that ends before the line of the code is named: cut, emptied"
mkdir -p cut/usr/src/golden emptied/usr/src/golden
head -n 6 "$DATA/loops.c" > cut/usr/src/golden/loops.c
: > emptied/usr/src/golden/loops.c
shown --prefix "$PWD/cut" nested
check [ $rc -eq 0 ]
refute grep -q 'sink += n' out
check grep -qE "^Warning: not the source that was built '/usr/src/golden/loops.c': it has 6 lines, and the code is of line [0-9]+: it was changed$" err
shown --prefix "$PWD/emptied" nested
check grep -q "loops.c': it has 0 lines, and the code is of line" err
shown -q --prefix "$PWD/emptied" nested
check [ ! -s err ]
shown --no-source --prefix "$PWD/emptied" nested
check [ ! -s err ]
shown --prefix "$PWD/below" nested # the whole one
check [ ! -s err ]

step "--objdump: another program, here that of another architecture"
tool=$(command -v aarch64-linux-gnu-objdump || command -v llvm-objdump)
if [ -n "$tool" ]; then
	perf annotate --stdio -i a.data --symfs fs --no-source nested
	column > ours
	check [ "$(wc -l < ours)" -gt 20 ]
	perf annotate --stdio -i a.data --symfs fs --no-source --objdump="$tool" nested
	check [ $rc -eq 0 ]
	check diff ours <(column)
	check grep -qE '^ +[0-9.]+ :   [0-9a-f]+: add +x' out
else
	skip "no objdump of another architecture is installed"
fi

step "the browser: --prefix and --prefix-strip, and a source that is not there"
. "$TESTS/screen.sh"
if need_screen; then
	begin 100x60 "$PERF report -i x.data --symfs fs --prefix $PWD/away --prefix-strip 3"
	check see '^h: help'
	keys a
	check see '^nested\(\)'
	check see 'sink [+]= n;'
	check see '^percent: local period  h: help'
	keys q q
	ended 0
	begin 100x60 "$PERF report -i x.data --symfs fs"
	check see '^h: help'
	keys a
	check see '^nested\(\)'
	check see '^percent: local period  no source loops.c: No such file or directory  h: help'
	refute grep -q 'sink += n;' out
	keys q q
	ended 0
	begin 100x60 "$PERF report -i x.data --symfs fs --prefix $PWD/cut"
	check see '^h: help'
	keys a
	check see '^percent: local period  source loops.c: it has 6 lines, and the code is of line [0-9]+: it was'
	keys q q
	ended 0
fi
finish
