#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Call chains of --call-graph dwarf: of programs built in many ways, with Linux's perf beside, and
# why chains end early.
. "$(dirname "$0")/../lib.sh"
plan 24
need_events || finish
CC=$(command -v gcc || command -v cc) || skip_all "no C compiler"
cp "$TESTS"/stacks/*.c* . || exit 2

# Of the last report --stack-health: none but stacks of the dynamic linker, of which a slow machine
# has some.
few_are_complete() {
	awk '$3 == "complete" && $1 + 0 > 25 { bad = 1 } END { exit bad }' out
}

# record FILE COMMAND...: with Linux's perf where it is, so that it has nothing to object to.
record() {
	local file=$1
	shift
	perf record -q -F "${FREQUENCY:-999}" -e cpu-clock:u --call-graph dwarf -o "$file.data" "$@"
	check [ $rc -eq 0 ]
}

# agrees FILE: Linux's perf prints the same chains
agrees() { # NAME [CHECKS]
	[ -x "$REF" ] && command -v python3 > /dev/null || return 0
	check env PERF="$PERF" PERF_REF="$REF" python3 "$TESTS/compat/agree.py" \
		--checks "${2:-rows,script}" --home "$HOME" "$1.data"
}

# styles FILE [LEAST]: libunwind and libdw find the same chains, but for some where a function that
# returns has taken back its registers already: perf alone goes on there.
styles() {
	local name style
	name=$1
	perf script -i "$name.data" -F tid,time,ip
	mv out native
	for style in ${ONLY-$STYLES}; do
		perf script --unwind-style $style -i "$name.data" -F tid,time,ip
		check [ $rc -eq 0 ]
		check python3 - "${2:-0.98}" << 'END'
import sys
ours, theirs = (open(name).read().split("\n\n") for name in ("native", "out"))
same = sum(a == b for a, b in zip(ours, theirs))
assert len(ours) == len(theirs) > 10
assert same >= float(sys.argv[1]) * len(ours), (same, len(ours))
assert all(a.startswith(b) for a, b in zip(ours, theirs)), [x for x in zip(ours, theirs) if not x[0].startswith(x[1])][0]
END
	done
}

# complete FILE PERCENT: at least so many of the chains are
complete() {
	perf report --stack-health -i "$1.data"
	check awk -v least="$2" '/ complete / { share = $1 + 0 } END { exit !(share >= least) }' out
}

build_and_compare() { # NAME SOURCE FLAGS...
	local name=$1 source=$2 compiler=$CC
	shift 2
	[ "$source" != throws.cc ] || compiler=$(command -v g++) || { skip "no C++ compiler" && return; }
	"$compiler" -o "$name" "$source" "$@" 2> /dev/null || { skip "cannot be built here" && return; }
	record "$name" "./$name"
	complete "$name" 95
	styles "$name"
}

# The libraries that this perf was built with.
STYLES=
perf version --build-options
! grep -q '^ *libunwind: \[ on' out || STYLES="$STYLES libunwind"
! grep -q '^ *libdw-dwarf-unwind: \[ on' out || STYLES="$STYLES libdw"

step "C without optimization"
build_and_compare plain work.c -O0
agrees plain
step "C without frame pointers, in position-dependent code"
build_and_compare nofp work.c -O2 -fomit-frame-pointer -no-pie
agrees nofp
step "C with frame pointers"
build_and_compare fp work.c -O2 -fno-omit-frame-pointer
agrees fp
step "stripped"
build_and_compare bare work.c -O2 -s
agrees bare
step "only .debug_frame"
ONLY=$(echo "$STYLES" | grep -o libdw) build_and_compare debugframe work.c -O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables
step "only .debug_frame, in a debug file of its own"
if [ -x debugframe ] && command -v objcopy > /dev/null; then
	objcopy --only-keep-debug debugframe debugframe.debug
	objcopy --strip-all --add-gnu-debuglink=debugframe.debug debugframe split
	record split ./split
	complete split 95
	ONLY=$(echo "$STYLES" | grep -o libdw) styles split
	rm -rf -- "${HOME:?}/.debug" debugframe.debug
	perf report --stack-health -i split.data
	check grep -q 'no unwind information  *split' out
	check few_are_complete
else
	skip "cannot be built here"
fi

# innermost PATTERN: how many chains of the last `script -F ip,sym` begin so, and how many of these
# go on with the function $2, which main() called
innermost() {
	nr=$(awk -v RS= -v inner="$1" -F '\n' '$1 ~ inner' out | grep -c "$1")
	called=$(awk -v RS= -v inner="$1" -v caller=" $2(.*)? *\n.* main *\n" '$1 ~ inner && $0 ~ caller' FS='\n' out |
		grep -c "$1")
}

step "out of the [vdso]"
build_and_compare vdso vdso.c -O2
agrees vdso
if [ -s vdso.data ]; then
	perf script -i vdso.data -F ip,sym --no-inline
	innermost vdso_clock_gettime now
	check [ "$nr" -gt 20 ]
	check [ "$called" -eq "$nr" ]
fi

step "out of the .plt, where the distance to the CFA depends on the instruction"
echo 'void nothing(void) {}' > nothing.c
if [ ! -d /sys/bus/event_source/devices/breakpoint ]; then
	skip "the kernel has no breakpoints"
elif "$CC" -shared -fPIC -o libnothing.so nothing.c 2> /dev/null &&
	"$CC" -no-pie -o plt plt.c -O2 -Wl,-z,lazy,-rpath,. -fcf-protection=none -L. -lnothing 2> /dev/null; then
	# A breakpoint at each instruction of the section finds them all; samples in time need not.
	for address in $(objdump -d -j .plt plt | awk '$1 ~ /^[0-9a-f]+:$/ && $NF != "nop" && !/nop|%ax/ { print substr($1, 1, length($1) - 1) }'); do
		perf record -q -e "mem:0x$address:x:u" -c 1 --call-graph dwarf -o plt.data ./plt
		check [ $rc -eq 0 ]
		perf script -i plt.data -F ip,sym --no-inline
		innermost " $(printf %x $((0x$address - 0x400000))) " calls # script prints places in the file
		check [ "$nr" -ge 1 ]
		check [ "$called" -eq "$nr" ]
		echo "$address" >> instructions
	done
	check [ "$(wc -l < instructions)" -ge 3 ]
	agrees plt
	perf record -q -e "mem:0x$(objdump -d -j .plt plt | sed -n 's/^0*\([0-9a-f]*\) <nothing@plt>:/\1/p'):x:u" -c 9 -m 4M \
		--call-graph dwarf -o plt.data ./plt
	complete plt 100
	styles plt
	perf script -i plt.data -F ip,sym --no-inline
	innermost nothing@plt calls
	check [ "$called" -ge 100 ]
else
	skip "cannot be built here"
fi

step "linked statically: Linux's perf finds no tables there"
build_and_compare static work.c -O2 -static
perf script -i static.data -F ip,sym
check grep -q compare out
check grep -q __libc_start_main out
step "static and position-independent"
build_and_compare staticpie work.c -O2 -static-pie
agrees staticpie
step "C++ with exceptions"
build_and_compare throws throws.cc -O2
agrees throws rows # its chains end at the last instructions of _Unwind_RaiseException, ours go on
step "in each of several processes, to where they began"
record several sh -c "$WORKLOADS/planted 0.2 & $WORKLOADS/planted 0.2; wait"
perf script -i several.data -F comm,pid,ip,sym
check python3 - << 'END'
blocks = [block.split("\n") for block in open("out").read().strip().split("\n\n")]
planted = [block for block in blocks if block[0].startswith("planted") and any("planted_hot" in line for line in block)]
assert len(set(block[0].split()[1] for block in planted)) == 2
assert sum(block[-1].split()[1] == "_start" for block in planted) > 0.98 * len(planted)
END

step "out of signal handlers"
build_and_compare handler handler.c -O2
perf script -i handler.data -F ip,sym
check python3 - << 'END'
found = [block for block in open("out").read().split("\n\n") if " handler" in block]
assert found and sum(" outer" in block and " main" in block for block in found) > 0.9 * len(found)
assert all("__restore_rt" in block for block in found if " outer" in block)
END
if [ -x "$REF" ]; then # which names the byte before __restore_rt
	perf script -i handler.data -F ip,sym --no-inline
	"$REF" script -i handler.data -F ip,sym --no-inline > theirs 2> /dev/null
	for side in out theirs; do
		grep -vE ' \[unknown\]| __restore_rt' $side | sed 's/@@.*//; s/ *$//' > $side.named
	done
	check cmp out.named theirs.named
fi
step "out of a signal handler with a stack of its own"
if [ -x handler ]; then
	record own ./handler own
	for style in native $STYLES; do
		perf report --stack-health --unwind-style $style -i own.data
		check grep -q 'interrupted on another stack  *handler' out
		check grep -q "a signal handler's own stack was copied, not that of handler; build with -fno-omit-frame-pointer and record with -g" out
		refute grep -q 'stack makes no sense\|stack copy too small' out
	done
	styles own 1
	agrees own rows # its chains name the byte before __restore_rt, and a mark behind the end
else
	skip "cannot be built here"
fi

step "32-bit: Linux's perf has no chains of it"
ONLY=$(echo "$STYLES" | grep -o libdw) build_and_compare wide32 work.c -O2 -m32

if [ -x wide32 ] && [[ $STYLES == *libunwind* ]]; then
	perf report --stack-health --unwind-style libunwind -i wide32.data
	check grep -q 'not for this unwinder  *wide32' out
	check grep -q 'libunwind does not know the architecture of wide32; read without --unwind-style' out
	perf data convert --to-json wide32.json --unwind-style libunwind -i wide32.data
	check grep -q '"end": "not for this unwinder", "dso": "wide32"' wide32.json
	perf inject --convert-callchain --unwind-style libunwind -i wide32.data -o never.data
	check grep -q 'first cause: libunwind does not know the architecture of wide32' err
fi

step "unwinders that are not there"
perf script --unwind-style libfoo -i plain.data
check [ $rc -eq 129 ]
check grep -q "unknown unwinder 'libfoo': it is native, libunwind or libdw" err

step "recursion 150 deep, in a copy of 32 KiB"
if [ -x nofp ]; then
	perf record -q -F 499 -e cpu-clock:u --call-graph dwarf,32768 -o rec.data ./nofp 150
	check [ $rc -eq 0 ]
	perf report --stack-health --max-stack 200 -i rec.data
	check grep -q '100.00%.* complete' out
	perf script --max-stack 200 -i rec.data -F ip,sym
	check [ "$(awk -v RS= '{ n = gsub(/ deep/, ""); if (n > most) most = n } END { print most }' out)" = 151 ]
	agrees rec
else
	skip "cannot be built here"
fi

step "a copy that is too small is named, with the fix"
if [ -x nofp ]; then
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,256 -o small.data ./nofp
	perf report --stack-health -i small.data
	check grep -q 'stack copy too small  *nofp' out
	check grep -q 'record with --call-graph dwarf,' out
	perf script -i small.data -F ip
	refute grep -q ffffffffffffffff out
else
	skip "cannot be built here"
fi

step "a program without tables is named"
if "$CC" -o notables work.c -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables \
	-fno-unwind-tables 2> /dev/null; then
	record notables ./notables
	perf report --stack-health -i notables.data
	check grep -q 'no unwind information  *notables' out
	check few_are_complete
else
	skip "cannot be built here"
fi

step "the tables of a file that was replaced are not believed"
if [ -x nofp ]; then
	cp nofp replaced && record replaced ./replaced
	rm -rf -- "${HOME:?}/.debug"
	"$CC" -o replaced work.c -O0 -Wl,--build-id
	for style in native $STYLES; do
		perf report --stack-health --unwind-style $style -i replaced.data
		check few_are_complete
		check grep -q 'no unwind information  *replaced' out
	done
	perf script -i replaced.data -F ip,sym
	refute grep -q ' main' out
else
	skip "cannot be built here"
fi

step "a stack of 64 KiB of garbage"
if "$WORKLOADS/stacks" good 0; then
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,65528 -o garbage.data "$WORKLOADS/stacks" garbage 0.5
	check [ $rc -eq 0 ]
	for style in native $STYLES; do
		perf report --stack-health --json --unwind-style $style --max-stack 1024 -i garbage.data
		check [ $rc -eq 0 ]
		check python3 -c '
import json
health = json.load(open("out"))
assert health["stacks"] > 20 and health["not-complete"] > 0.9 * health["stacks"], health
assert len(health["events"][0]["ends"]) > 2, health'
		perf script --unwind-style $style -F ip,sym -i garbage.data
		check [ $rc -eq 0 ]
		check [ "$(awk -v RS= 'NF && gsub(/\n/, "") > 127' out | wc -l)" = 0 ]
	done
else
	skip "the planted stacks: written for x86-64"
fi

step "the kernel's part and the program's are one chain"
if [ "$(id -u)" -ne 0 ] || ! grep -q '^[0-9a-f]*[1-9a-f][0-9a-f]* . entry_SYSCALL_64' /proc/kallsyms; then
	skip "kernel symbols are not readable"
else
	perf record -q -F 999 -e cpu-clock --call-graph dwarf -o joined.data dd if=/dev/zero of=/dev/null bs=1M count=10000
	check [ $rc -eq 0 ]
	perf script -i joined.data -F ip,sym --no-inline
	check python3 - << 'END'
chains = [[line.split(None, 1)[1].strip() for line in block.splitlines() if line.strip()]
          for block in open("out").read().split("\n\n") if block.strip()]
entered = [chain for chain in chains if any(name.startswith("entry_SYSCALL_64") for name in chain)]
assert len(entered) > 20, len(chains)
both = [chain for chain in entered if chain[-1] == "_start" or "__libc_start" in " ".join(chain)]
assert len(both) > 0.9 * len(entered), (len(both), len(entered))
# one part, then the other
assert all(max(i for i, name in enumerate(chain) if name.startswith("entry_SYSCALL_64")) <
           min(i for i, name in enumerate(chain) if name == "read" or "__libc_start" in name or name == "_start")
           for chain in both)
END
	agrees joined
fi

step "the same bytes whatever the number of workers"
if [ -s plain.data ]; then
	for workers in 1 2 7; do
		PERF_WORKERS=$workers perf report --stdio -i plain.data
		mv out report.$workers
	done
	check cmp report.1 report.2
	check cmp report.1 report.7
fi

step "registers that are missing"
if [ -x nofp ]; then
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf --user-regs=ax -o few.data ./nofp
	check [ $rc -eq 0 ]
	for style in native $STYLES; do
		perf report --stack-health --unwind-style $style -i few.data
		check [ $rc -eq 0 ]
		check grep -q 'registers not recorded  *nofp' out
		grep "  nofp$" out > few.$style # of the dynamic linker the unwinders may differ
		check cmp few.native few.$style
	done
	perf report --stdio -i few.data
	check [ $rc -eq 0 ]
	perf script -i few.data
	check [ $rc -eq 0 ]
fi
finish
