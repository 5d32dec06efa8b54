#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf annotate: what stands where, the same bytes as Linux's perf 6.1 where it is installed, and what
# cannot be shown. (Instructions one by one: unit/disasm.)
. "$(dirname "$0")/../lib.sh"
plan 26
need_events || finish
need_library capstone || finish

record() {
	timeout 200 "$PERF" record -q "$@" > record.log 2>&1
}

# same FILE ARGS: what Linux's perf prints. (Its sums by line leave out instructions below 0.5 %, and
# -v has none.)
same() {
	[ -x "$REF" ] && command -v objdump > objdump.path || return 0
	perf annotate --stdio -i "$@"
	case " $* " in
	*' -v '*) sed -i 1,4d out ;;
	esac
	sed -E '/^( +[0-9]+\.[0-9]{2})+ [^ :]+:[0-9]+$/d' out > ours
	"$REF" annotate --stdio -i "$@" 2> /dev/null | sed -E '/^( +[0-9]+\.[0-9]{2})+ [^ :]+:[0-9]+$/d' > ref
	check [ -s ref ]
	check diff ours ref
}

# 1024 x 1024 numbers added up by row, and by column: cache misses.
cat > naive.c << 'END'
static int numbers[1024][1024];

static int rows(void)
{
	int ret = 0;

	for (int i = 0; i < 1024; i++)
		for (int j = 0; j < 1024; j++)
			ret += numbers[i][j];
	return ret;
}

static int naive(void)
{
	int ret = 0;

	for (int i = 0; i < 1024; i++)
		for (int j = 0; j < 1024; j++)
			ret += numbers[j][i];
	return ret;
}

static inline __attribute__((always_inline)) int mix(int x)
{
	return x * 31 + (x >> 3);
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 60; i++) {
		numbers[i][i] = i;
		for (volatile int j = 0; j < 400000; j++)
			;
		sum += mix(naive()) + rows();
	}
	return sum == 7;
}
END
cc=${CC:-cc}
$cc -g -o naive naive.c || skip_all "annotate: no compiler"
record -e cpu-clock -F 2000 -o naive.data ./naive
record -e '{cpu-clock,task-clock}' -F 1000 -o group.data ./naive
record -e cpu-clock -e task-clock -F 1000 -o two.data ./naive

# A program without libraries: its addresses are always the same.
cat > loop.s << 'END'
	.globl _start
_start:	mov $300000000, %rcx
.Lagain:	movzbl numbers(%rip), %eax
	.byte 0x66, 0x0f, 0x1f, 0x44, 0, 0
	dec %rcx
	jne .Lagain
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, . - _start
	.type _start, @function
	.bss
numbers: .space 16
	.size numbers, 16
	.type numbers, @object
END
machine=$(uname -m)

step "the layout"
if [ "$machine" != x86_64 ]; then
	skip "code of x86-64"
elif $cc -nostdlib -static -no-pie -Wl,--build-id=none,-Ttext=0x401000,-Tbss=0x402000 -o loop loop.s; then
	record -e cpu-clock -F 1000 -o loop.data ./loop
	perf annotate --stdio -i loop.data -s _start
	check [ $rc -eq 0 ]
	sed -E 's/[0-9]+ samples/N samples/; s/^ *[0-9]+\.[0-9]{2} :/    N.NN :/' out > got
	cat > want << 'END'
 Percent |	Source code & Disassembly of loop for cpu-clock (N samples, percent: local period)
--------------------------------------------------------------------------------------------------
         :
         :
         :
         : 3      Disassembly of section .text:
         :
         : 5      0000000000401000 <_start>:
         : 6      _start():
    N.NN :   401000: mov    $0x11e1a300,%rcx
    N.NN :   401007: movzbl 0xff2(%rip),%eax        # 402000 <numbers>
    N.NN :   40100e: nopw   0x0(%rax,%rax,1)
    N.NN :   401014: dec    %rcx
    N.NN :   401017: jne    401007 <_start+0x7>
    N.NN :   401019: mov    $0x3c,%eax
    N.NN :   40101e: xor    %edi,%edi
    N.NN :   401020: syscall
END
	# The line is as long as the heading was.
	sed -i '2s/-*/-/' got want
	check diff want got
	perf annotate --stdio -i loop.data -s _start --asm-raw -M intel -n
	check grep -qE '^ Samples \|' out
	check grep -qE '^ +[0-9]+ :   401007: 0f b6 05 f2 0f 00 00    movzx  eax,BYTE PTR \[rip\+0xff2\]        # 402000 <numbers>$' out
fi

step "each percentage is that of Linux's perf, and so is all else"
same naive.data naive
same naive.data -s rows
same naive.data -d naive

for options in -l '-l -P' -n --show-total-period '--asm-raw --no-source' '-M intel' -v --percent-type=local-hits; do
	step "the same with $options"
	# shellcheck disable=SC2086
	same naive.data $options naive
done

step "events side by side: a group, and --group"
same group.data naive
same group.data -l -n naive
same two.data --group naive
same two.data naive
perf annotate --stdio -i group.data naive
check grep -qE '^ Percent {9}\|	.* for anon group \{ cpu-clock, task-clock \} ' out
check grep -qE '^ +[0-9.]+ +[0-9.]+ :   [0-9a-f]+: ' out

step "--stdio2: labels, arrows, names"
perf annotate --stdio2 -i naive.data -s main
if [ "$machine" = x86_64 ]; then
	check grep -qE '^ +→ call +naive$' out
	check grep -qE '^ +← ret$' out
	label=$(sed -nE 's/^ .*[↑↓] j[a-z]+ +([0-9a-f]+)$/\1/p' out | head -n 1)
	check [ -n "$label" ]
	check grep -qE "^[ 0-9.]+ $label: " out
fi
if [ -x "$REF" ] && command -v objdump > objdump.path; then
	# How many samples there are is rounded there (1K), blanks are at the ends of lines.
	for file in naive.data group.data; do
		for symbol in naive rows main; do
			perf annotate --stdio2 -i $file -s $symbol
			"$REF" annotate --stdio2 -i $file -s $symbol 2> /dev/null | sed 's/ *$//; 1s/: [0-9]*K\? *//' > ref
			check [ "$(wc -l < ref)" -gt 10 ]
			check diff <(sed '1s/: [0-9]* *//' out) ref
		done
	done
fi

step "percentages of a function add up to 100, those of all to its part"
perf annotate --stdio -i naive.data -s naive
check awk '/^ +[0-9]+\.[0-9]+ :/ { sum += $1 } END { exit !(sum > 99.5 && sum < 100.5) }' out
perf report --stdio -i naive.data --percent-limit 0
share=$(awk '$NF == "naive" { sub("%", "", $1); print $1 }' out)
perf annotate --stdio -i naive.data -s naive --percent-type=global-period
check awk -v share="$share" '/^ +[0-9]+\.[0-9]+ :/ { sum += $1 } END { exit !(share > 10 && sum > share - 0.5 && sum < share + 0.5) }' out

# Which line is the hottest depends on the caches of the machine: addr2line says it of every sample.
step "the hottest line of naive comes first, with the part that addr2line gives it"
base=$(nm naive | awk '$3 == "naive" { print $1 }')
perf script -i naive.data -F ip,sym,symoff
sed -n 's/^.* naive+0x\([0-9a-f]*\).*/\1/p' out | while read -r offset; do printf '%x\n' $((0x$base + 0x$offset)); done |
	addr2line -s -e naive | sed 's/ (.*//' > sampled
sort sampled | uniq -c | sort -rn | awk -v all="$(wc -l < sampled)" '{ printf "%.2f %s\n", 100 * $1 / all, $2 }' > expected
for option in -l -v; do
	perf annotate --stdio -i naive.data $option -s naive
	check [ "$(wc -l < sampled)" -gt 50 ]
	check grep -q '^Sorted summary for file .*/naive$' out
	check [ "$(sed -n '5s/^ *//p' out)" = "$(head -n 1 expected)" ]
	check grep -q "numbers\[j\]\[i\];" out
done
refute grep -q ' // ' out

step "a source that the compiler was given by a relative path, seen from another folder"
mkdir -p home/src away
cp naive.c home/src/relative.c
for version in 4 5; do
	check sh -c "cd home && gcc -gdwarf-$version -O1 -o relative$version src/relative.c 2> build.log"
	(cd away && record -e cpu-clock -o relative.data "../home/relative$version")
	(cd away && "$PERF" annotate --stdio -i relative.data -s main > ../out 2> ../err)
	check grep -q 'sum += ' out
	(cd away && "$PERF" annotate --stdio -l --full-paths -i relative.data -s main > ../out 2> ../err)
	check grep -q "$PWD/home/src/relative.c:[0-9]" out
done

step "source and inlined functions, where dwz moved debug information or it is in files of their own (.dwo)"
cat > many.c << 'END'
volatile unsigned long sink;
static inline __attribute__((always_inline)) void mixer(unsigned long n) { while (n--) sink += n; }
void __attribute__((noinline)) many(void)
{
	mixer(80000);
	sink++;
}
END
cat > calls.c << 'END'
#include <time.h>
void many(void);
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		many();
	return 0;
}
END
$cc -g -O1 -c many.c && $cc -g -O1 -c calls.c && $cc -o joined many.o calls.o
# annotated PROGRAM: the text of many()
annotated() {
	record -e cpu-clock:u -c 1000000 -o many.data "./$1"
	perf annotate --stdio -l -i many.data many
	check [ $rc -eq 0 ]
	check grep -qE '^ +: [0-9]+ +mixer\(\):$' out
	check grep -qE '^ +: [0-9]+ +static .* sink \+= n; }$' out
	check grep -qE '^ +[1-9][0-9.]+ many\.c:2$' out
	check [ ! -s err ]
}
annotated joined
if command -v dwz > dwz.path; then
	cp joined alone && cp joined shared1 && cp joined shared2
	check dwz alone
	annotated alone
	check dwz -m common.debug shared1 shared2
	check [ -s common.debug ]
	annotated shared1
else
	skip "dwz is not installed"
fi
for version in 4 5; do
	if $cc -gdwarf-$version -gsplit-dwarf -O1 -c many.c calls.c 2> split.log; then
		$cc -o split$version many.o calls.o
		check [ -s many.dwo ]
		annotated split$version
	fi
done

step "which functions"
perf annotate --stdio -i naive.data
check grep -qE 'Disassembly of naive for' out
cp out all
perf annotate --stdio -i naive.data --percent-limit 20 -d naive
check [ "$(grep -c '^ Percent' out)" -le 2 ]
check [ "$(grep -c '^ Percent' out)" -ge 1 ]
check [ "$(grep -c '^ Percent' all)" -ge "$(grep -c '^ Percent' out)" ]
perf annotate --stdio -i naive.data -s nosuch
check [ $rc -eq 1 ]
check [ ! -s out ]
check grep -q "nosuch" err
perf annotate --stdio -i naive.data naive rows
check [ $rc -eq 129 ]

step "a function of a program needs no list of the kernel's symbols; one of the kernel does"
perf report --stdio -i naive.data -g none -s sym --percent-limit 0
kernel=$(awk '/^ +[0-9.]+% +\[k\] [a-z_]+$/ { print $3; exit }' out)
if [ -n "$kernel" ]; then
	perf annotate --stdio -i naive.data -s naive --kallsyms=missing
	check [ $rc -eq 0 ]
	refute grep -q missing err
	perf annotate --stdio -i naive.data -s "$kernel" --kallsyms=missing
	check [ $rc -eq 1 ]
	check grep -q "'missing'" err
	perf annotate --stdio -i naive.data -s "$kernel"
	[ $rc -eq 0 ] || check grep -q "no code of '.*kernel" err
else
	skip "no sample in the kernel"
fi

step "a stream, and -D"
timeout 200 "$PERF" record -q -e cpu-clock -F 1000 -o - ./naive 2> /dev/null > stream.data
IN=stream.data perf annotate --stdio -i - -s naive
check grep -qE '^ +[1-9][0-9.]+ :   [0-9a-f]+: ' out
perf annotate -D -i naive.data
check grep -q 'PERF_RECORD_MMAP2' out

step "another program disassembles, without a shell"
if command -v objdump > objdump.path; then
	perf annotate --stdio -i naive.data naive --no-source
	cp out ours
	perf annotate --stdio -i naive.data naive --no-source --objdump="$(cat objdump.path)"
	check diff ours out
	perf annotate --stdio -i naive.data naive --objdump='true; touch shell'
	check [ $rc -eq 1 ]
	check grep -q "cannot start 'true; touch shell'" err
	check [ ! -e shell ]
	perf annotate --stdio -i naive.data naive --objdump=false
	check [ $rc -eq 255 ]
else
	skip "no objdump"
fi

step "JSON: the same figures"
perf annotate --json -i group.data -s naive
check [ $rc -eq 0 ]
cp out group.json
perf annotate --stdio -i group.data -s naive --show-nr-samples --no-source
check python3 - group.json out << 'END'
import json, re, sys

functions = json.load(open(sys.argv[1]))["functions"]
assert len(functions) == 1
f = functions[0]
assert f["symbol"] == "naive" and f["dso"].endswith("/naive") and re.fullmatch("[0-9a-f]{40}", f["build-id"])
assert [e["event"] for e in f["events"]] == ["cpu-clock", "task-clock"]
rows = re.findall(r"^ +(\d+) +(\d+) :   ([0-9a-f]+): ", open(sys.argv[2]).read(), re.M)
assert len(rows) == len(f["instructions"]) > 10
at = f["start"]
for row, insn in zip(rows, f["instructions"]):
    assert insn["samples"] == [int(row[0]), int(row[1])] and insn["address"] == int(row[2], 16) == at
    assert insn["function"] == "naive" and insn["file"].endswith("/naive.c") and 13 < insn["line"] < 25
    at += len(insn["bytes"]) // 2
assert at == f["start"] + f["size"]
for i in 0, 1:
    assert sum(insn["samples"][i] for insn in f["instructions"]) == f["events"][i]["samples"]
    assert abs(sum(insn["percent"][i] for insn in f["instructions"]) - 100) < 0.01
assert any(insn.get("target", {}).get("symbol") == "naive" for insn in f["instructions"])
END
perf annotate --json -i group.data -s nosuch
check [ "$(tr -d '\n ' < out)" = '{"functions":[]}' ]

step "bad code, bad symbols, bad sources"
# Functions of 0 bytes and of 10 MB, one that another overlaps, code that is none, a name and a source
# with control characters, a source that is binary.
cat > bad.s << 'END'
	.file 1 "src\001.c"
	.globl _start
	.type _start, @function
_start:	.loc 1 1
	mov $400000, %ecx
	.type inner, @function
inner:	.loc 1 2
	.rept 700
	nop
	.endr
	dec %ecx
	jnz inner
	.size inner, . - inner
	mov $60, %eax
	xor %edi, %edi
	syscall
	.byte 0x06, 0x0e, 0xff, 0xff, 0x62
	.size _start, 10000000
	.type empty, @function
empty:
	.size empty, 0
	.byte 0x48, 0xc7
END
if [ "$machine" = x86_64 ] && $cc -g -nostdlib -static -no-pie -o bad bad.s; then
	if command -v objcopy > objcopy.path; then
		printf 'inner in\033[2Jner\n' > renames
		check objcopy --redefine-syms=renames bad
	fi
	head -c 100000 /dev/urandom > "$(printf 'src\001.c')"
	record -e cpu-clock -F 2000 -o bad.data ./bad
	perf annotate --stdio -i bad.data -d bad
	check [ $rc -eq 0 ]
	check grep -qE '^ +[1-9][0-9.]* : +[0-9a-f]+: +nop$' out
	refute grep -q "$(printf '\033')" out err
	perf annotate --stdio -i bad.data -s _start
	[ $rc -ne 0 ] || check grep -q 'shown in part' err
	for symbol in _start empty; do
		perf annotate --stdio -i bad.data -s $symbol
		check [ $rc -le 1 ]
	done
	perf annotate --json -i bad.data -d bad
	check python3 -c 'import json, sys; json.load(open("out"))'
	size=$(stat -c %s bad)
	mkdir -p "fs$PWD"
	for bytes in $((size / 2)) 4200 200 64 1; do
		head -c "$bytes" bad > "fs$PWD/bad"
		perf annotate --stdio -i bad.data -d bad --symfs=fs
		check [ $rc -le 1 ]
	done
else
	skip "no such program can be built"
fi

step "code that changed or is nowhere is not shown"
cp naive.data gone.data
cp naive naive.kept
rm -rf -- "${SCRATCH:?}/home/.debug"
perf annotate --stdio -i gone.data -s main -q
$cc -O1 -Wl,--build-id=sha1 -o naive naive.c
perf annotate --stdio -i gone.data -s naive
check [ $rc -eq 1 ]
check [ ! -s out ]
check grep -qE "its build-id is [0-9a-f]+, recorded was [0-9a-f]+" err
check grep -q 'perf buildid-cache --add' err
mv naive.kept naive
perf annotate --stdio -i gone.data -s naive
check [ $rc -eq 0 ]

step "record --bundle: the code comes along"
record --bundle -e cpu-clock -F 2000 -o bundle.data ./naive
perf annotate --stdio -i bundle.data -s naive --no-source
cp out before
mv naive naive.kept
cp loop.s naive # another file has its path
for file in bundle.data copy.data; do
	perf annotate --stdio -i $file -s naive --no-source --buildid-dir=/nonexistent --no-symbol-cache
	check [ $rc -eq 0 ]
	# Names of variables do not come along.
	check diff <(sed 's/ *<numbers.*>//' before) <(sed 's/ *<numbers.*>//' out)
	timeout 200 "$PERF" inject -i bundle.data -o copy.data 2> inject.err
done
check grep -q 'jmp .* <naive+0x' out
# One bit of the code is another: nothing is shown.
python3 - bundle.data << 'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[data.index(b"PERFCODE") + 150] ^= 1
open("damaged.data", "wb").write(data)
END
perf annotate --stdio -i damaged.data -s naive --buildid-dir=/nonexistent --no-symbol-cache
check [ $rc -eq 1 ]
check [ ! -s out ]
check grep -q "not using the code that comes with" err
mv naive.kept naive

step "code made at run time: a perf-PID.map has names only, a dump has the code"
if [ -x "$WORKLOADS/jit" ]; then
	record -e cpu-clock -F 1000 -o jit.data "$WORKLOADS/jit" 0.2
	perf report --stdio -i jit.data -g none -s sym
	symbol=$(awk '/^ +[0-9.]+%/ && $NF ~ /^jit/ { print $NF; exit }' out)
	check [ -n "$symbol" ]
	perf annotate --stdio -i jit.data -s "$symbol"
	check [ $rc -eq 1 ]
	check grep -q 'it was made at run time, and such a file has names only' err
	check grep -q 'perf inject --jit' err
fi
if [ -x "$WORKLOADS/jitdump" ]; then
	record -k mono -e cpu-clock -F 1000 -o dump.data "$WORKLOADS/jitdump" 0.2
	perf inject --jit -i dump.data -o jitted.data
	perf report --stdio -i jitted.data -g none -s sym
	symbol=$(awk '/^ +[0-9.]+%/ && $2 == "[.]" && $3 !~ /^0x|^_|@/ { print $3; exit }' out)
	perf annotate --stdio -i jitted.data -s "$symbol"
	check grep -qE '^ +[1-9][0-9.]* : +[0-9a-f]+: +[a-z]' out
fi

step "mistakes"
perf annotate -M nosuch
check [ $rc -eq 129 ]
check grep -q "there are att and intel" err
perf annotate --percent-type=all
check [ $rc -eq 129 ]
perf annotate --data-type=x
check [ $rc -eq 255 ]
perf annotate -i nosuch.data
check [ $rc -eq 255 ]
finish
