#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf annotate beside Linux's perf and GNU objdump: each percentage and each address of five
# recordings, their source lines, and the text of 200 functions of libraries and programs.
. "$(dirname "$0")/../lib.sh"
plan 10
unit=${UNIT_TESTS:-$(dirname "$PERF")/unit-tests}
need_events || finish
need_library capstone || finish
command -v objdump > path || skip_all "objdump is not installed"

# The columns in front, addresses, and the text without names: what names are chosen is our own matter.
instructions() {
	sed -nE 's/ +<.*//; s/^ +([0-9]+\.[0-9]{2}( +[0-9]+\.[0-9]{2})*) : +([0-9a-f]+): */\1 \3 /p' "$1"
}

# Lines of source, without the number in front and without what names functions and files.
sources() {
	sed -nE 's/^ +: [0-9]+ +//p' "$1" | grep -vE '(\(.*\).*:|>:|Disassembly.*|\.[A-Za-z]+:[0-9]+)$'
}

# agree FILE ARGS...
agree() {
	[ -x "$REF" ] || { skip "no Linux's perf" && return; }
	perf annotate --stdio --skip-missing -i "$@"
	check [ $rc -eq 0 ]
	cp out ours
	"$REF" annotate --stdio -i "$@" > ref 2> ref.err
	instructions ours > ours.code
	instructions ref > ref.code
	check [ "$(wc -l < ref.code)" -gt 15 ]
	check diff <(cut -d ' ' -f 1-2 ours.code) <(cut -d ' ' -f 1-2 ref.code)
	# What differs, in thousands: at most 5.
	check [ $(($(diff ours.code ref.code | grep -c '^<') * 1000)) -le $((5 * $(wc -l < ref.code))) ]
}

# of_200 EM_MACHINE OBJDUMP FILE...: the text of 200 functions, spread over the file.
of_200() {
	local machine=$1 tool=$2
	shift 2
	"$tool" -d -w "$@" > all.text 2> tool.err
	[ -s all.text ] || { skip "$* cannot be disassembled" && return; }
	awk -v nr="$(grep -c '>:$' all.text)" '
		/>:$/ { n++; take = int(n * 200 / nr) != int((n - 1) * 200 / nr); taken += take }
		take { print }
		END { exit taken != (nr < 200 ? nr : 200) }' all.text > 200.text
	check [ $? -eq 0 ]
	PERF_DISASM_MACHINE=$machine PERF_DISASM_TEXT=$PWD/200.text "$unit" disasm_agrees_with_objdump_on_text > told 2>&1
	check [ $? -eq 0 ]
	check grep -qE '^[0-9]+ of [0-9]+ instructions are the same$' told
	sed -nE "s|^.* instructions are the same|  # ${1##*/}: &|p" told
	grep -E "^[0-9a-f]+: '" told | head -n 5 | sed 's/^/  #   /'
}

cat > words.cc << 'END'
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

int main()
{
	std::map<std::string, int> counts;
	std::vector<std::string> words;

	for (int i = 0; i < 150000; i++) {
		words.push_back(std::to_string(i * 7919 % 100003));
		counts[words.back()]++;
	}
	std::sort(words.begin(), words.end());
	std::printf("%zu %zu\n", counts.size(), words.size());
	return 0;
}
END
cat > sums.c << 'END'
static int numbers[1 << 20];

static inline int mix(int x)
{
	return x * 31 + (x >> 3);
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 80; i++) {
		for (int j = 0; j < 1 << 20; j++)
			numbers[j] += mix(sum + j);
		sum += numbers[i];
	}
	return sum == 7;
}
END

record() {
	timeout 200 "$PERF" record -q "$@" > record.log 2>&1
	check [ -s "$4" ]
}

step "C with source, optimized"
check "${CC:-cc}" -O2 -g -o sums sums.c
record -F 2000 -o sums.data -e cpu-clock ./sums
agree sums.data main
check diff <(sources ours) <(sources ref)

step "C, not optimized, a group of events"
check "${CC:-cc}" -g -o slow sums.c
record -F 1000 -o group.data -e '{cpu-clock,task-clock}' ./slow
agree group.data -d slow
check diff <(sources ours) <(sources ref)

step "C++, with what it calls, source and inlined functions"
if command -v g++ > path; then
	check g++ -O2 -g -o words words.cc
	record -F 2000 -o words.data -g -e cpu-clock ./words
	agree words.data --no-source
	agree words.data main
	check diff <(sources ours) <(sources ref)
else
	skip "no g++"
fi

step "a program without debug information"
record -F 2000 -o python.data -e cpu-clock python3 -c 'sum(i * i for i in range(2000000))'
agree python.data --percent-limit 1 --no-source

step "a program of 32 bits"
if "${CC:-cc}" -m32 -O1 -nostdlib -static -Wl,-emain -x c -o narrow - << 'END' 2> cc.err; then
int main(void)
{
	for (volatile int i = 0; i < 200000000; i++)
		;
	__asm__("int $0x80" : : "a"(1), "b"(0));
}
END
	record -F 1000 -o narrow.data -e cpu-clock ./narrow
	agree narrow.data main
else
	skip "no programs of 32 bits can be built"
fi

libc=$(ldd "$(command -v sh)" | sed -nE 's/.*libc\.so\.6 => ([^ ]+).*/\1/p')
[ -x "$unit" ] || skip_all "the unit tests are not built"
if [ "$(uname -m)" = x86_64 ]; then
	step "200 functions of the C library"
	of_200 62 objdump "$libc"
	step "200 functions of a C++ program"
	of_200 62 objdump words
	step "200 functions of C++'s library"
	of_200 62 objdump "$(ldd words | sed -nE 's/.*libstdc.* => ([^ ]+).*/\1/p')"
else
	for what in "the C library" "a C++ program" "C++'s library"; do
		step "200 functions of $what"
		skip "not x86-64"
	done
fi
step "200 functions of arm64"
of_200 183 aarch64-linux-gnu-objdump /usr/aarch64-linux-gnu/lib/libc.so.6
step "200 functions of i386"
of_200 3 objdump /usr/lib32/libc.so.6
finish
