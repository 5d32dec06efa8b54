#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's names, lines and inlined functions out of a vmlinux, a list, a System.map: which of them
# is used when several are named, and what is said of those that are not. The vmlinux is a made-up one
# with the running kernel's build-id: this machine need not have the real one.
. "$(dirname "$0")/../lib.sh"
plan 11
need_root || finish
need_events || finish
CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "kernel-names: $CC is not installed"
[ "$(uname -m)" = x86_64 ] || skip_all "kernel-names: the vmlinux is of x86-64"
grep -q ' _etext$' /proc/kallsyms || skip_all "kernel-names: this kernel does not say where it is"
has libdw && lines=1 || lines=

step "a recording of the kernel"
perf record -q -g -e cpu-clock:k -F 5000 -o k.data dd if=/dev/zero of=/dev/null bs=1 count=300000
check [ $rc -eq 0 ]
# A note of GNU's, type 3, with 20 bytes.
id=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | grep -oE '040000001400000003000000474e5500[0-9a-f]{40}' | tail -c 41)
[ -n "$id" ] || skip_all "this kernel has no build-id"
perf buildid-list -i k.data
check grep -q "^$id .*kernel.kallsyms" out

place() {
	awk -v name="$1" '$3 == name { print "0x" $1; exit }' /proc/kallsyms
}

# All of the kernel's code is one function, which has two others inlined, and nops. Where the boot
# moves the kernel, it is DISTANCE away from the addresses of its file.
build() { # FILE ID [DISTANCE]
	cat > image.c <<- END
		#define INLINED static inline __attribute__((always_inline))
		INLINED void innermost(void)
		{
			__asm__ volatile(".skip $(($(place _etext) - $(place _text) - 64)), 0x90"); /* line 4 */
		}
		INLINED void middle(void)
		{
			innermost(); /* line 8 */
		}
		void _text(void)
		{
			__asm__ volatile(".skip 16, 0x90");
		}
		void made_up(void)
		{
			middle(); /* line 16 */
		}
	END
	check "$CC" -O1 -g -mcmodel=kernel -fno-pie -no-pie -static -nostdlib -ffreestanding -fno-toplevel-reorder \
		-fcf-protection=none -Wl,-e,_text,--build-id=0x"$2",-Ttext="$(printf '0x%x' $(($(place _text) - ${3:-0})))" -o "$1" image.c
}
build image "$id"
check [ "0x$(nm image | awk '$3 == "_text" { print $1 }')" = "$(place _text)" ]

# The kernel's symbols in a report by ours and Linux's perf, with the same options.
kernel_names() {
	grep -v '^#' "$1" | sed -n 's/^ .*\[k\] \(.*[^ ]\) *$/\1/p' | sort -u
}
both() {
	perf report --stdio --no-children -g none -s sym -i k.data --buildid-dir "$PWD/nothing" "$@"
	check [ $rc -eq 0 ]
	kernel_names out > ours
	check [ -s ours ]
	if [ -x "$REF" ]; then
		"$REF" --buildid-dir "$PWD/nothing" report --stdio --no-children -g none -s sym -i k.data "$@" > theirs.out 2> /dev/null
		kernel_names theirs.out > theirs
		check diff ours theirs
	fi
}

step "annotate: the code of a vmlinux, where it is that of the recorded kernel"
if need_library capstone; then
	# Its one function has as many lines as the kernel has bytes: the end of the pipe ends it.
	timeout 200 "$PERF" annotate --stdio -i k.data -s made_up -k image --buildid-dir "$PWD/nothing" 2> err | head -n 2000 > out
	check [ "${PIPESTATUS[0]}" -ne 124 ]
	check grep -q 'Disassembly of section .text:' out
	check grep -qE '^ +[0-9.]+ : +[0-9a-f]+: +nop$' out
	[ -z "$lines" ] || check grep -qF 'innermost():' out
	perf annotate --stdio -i k.data -s made_up --kallsyms "$PWD/nothing" --ignore-vmlinux --buildid-dir "$PWD/nothing"
	check [ $rc -eq 1 ]
	perf report --stdio --no-children -g none -s sym -i k.data --ignore-vmlinux --buildid-dir "$PWD/nothing"
	symbol=$(kernel_names out | head -n 1)
	perf annotate --stdio -i k.data -s "$symbol" --ignore-vmlinux --buildid-dir "$PWD/nothing"
	check [ $rc -eq 1 ]
	check grep -q "no vmlinux with build-id $id was found" err
fi

step "the running kernel's list names it; --kallsyms FILE, a System.map"
both
mv ours live
check grep -q '^[a-z_]' live
cp /proc/kallsyms list
both --kallsyms list
check diff live ours
grep -v '\[' /proc/kallsyms > System.map
both --kallsyms System.map
check diff live ours

step "-k FILE names it, with lines and inlined functions"
both -k image
check [ "$(cat ours)" = made_up ]
if [ -n "$lines" ]; then
	perf report --stdio --no-children -g none -s sym,srcline -i k.data -k image
	check [ "$(sed -n 's/.*\[k\] made_up *\([^ ]*\) *$/\1/p' out)" = image.c:4 ]
	perf script -i k.data -k image -F ip,sym,srcline
	check grep -qx '  image\.c:4' out
	perf script -i k.data -k image --inline -G -F ip,sym
	refute grep -q inlined out
	perf script -i k.data -k image --inline -F ip,sym
	grep -m1 -A2 innermost out | sed 's/^\t[0-9a-f]* //' > got
	printf '%s\n' 'innermost (inlined)' 'middle (inlined)' made_up > want
	check diff want got
	perf report --stdio --no-children -g caller --inline -s sym -i k.data -k image
	check grep -q 'innermost (inlined)' out
	perf report --stdio --no-children -g caller -s sym -i k.data -k image
	refute grep -q inlined out
	# From the index now, at the same places.
	perf report --stdio --no-children -g none -s sym,srcline -i k.data -k image
	check grep -q 'made_up *image\.c:4' out
fi

step "user chains out of copied stacks leave the kernel's frames as they are"
if [ -n "$lines" ]; then
	perf record -q --call-graph dwarf -e cpu-clock -F 5000 -o dwarf.data dd if=/dev/zero of=/dev/null bs=1 count=200000
	perf script -i dwarf.data -k image -F ip,sym
	check grep -q made_up out
	refute grep -q innermost out
	perf script -i dwarf.data -k image -F ip,sym --inline
	check grep -q innermost out
	perf report --stdio -g caller --no-children -s sym -i dwarf.data -k image
	refute grep -q innermost out
else
	skip "built without libdw"
fi

step "--kallsyms goes before -k, --ignore-vmlinux takes it away, -m changes nothing"
both --kallsyms list -k image
check diff live ours
both --ignore-vmlinux -k image
check diff live ours
both --ignore-vmlinux -k image --kallsyms list -m
check diff live ours
both -k image --modules
check [ "$(cat ours)" = made_up ]

step "what is no plain file is refused, not waited for, nor read without end"
mkfifo pipe
for odd in pipe /dev/zero; do
	perf report --stdio --no-children -g none -s sym -i k.data --buildid-dir "$PWD/nothing" --kallsyms "$odd"
	check [ $rc -eq 0 ]
	check grep -q "cannot read kernel symbols from '$odd': it is no plain file" err
	perf report --stdio --no-children -g none -s sym -i k.data --buildid-dir "$PWD/nothing" -k "$odd"
	check [ $rc -eq 0 ]
	kernel_names out > ours
	check diff live ours
	check grep -q "cannot use --vmlinux '$odd': it is not an ELF file" err
done

step "a vmlinux where those lie is found by its build-id, before any list"
mv image vmlinux
both
check [ "$(cat ours)" = made_up ]
both --ignore-vmlinux
check diff live ours
mkdir -p root/boot && mv vmlinux "root/boot/vmlinux-$(uname -r)"
perf report --stdio --no-children -g none -s sym -i k.data --symfs "$PWD/root"
check grep -q '\[k\] made_up' out

step "one that the boot has moved; its lines go with record --bundle"
build vmlinux "$id" 0x200000
both
check [ "$(cat ours)" = made_up ]
if [ -n "$lines" ] && need_machine; then
	perf report --stdio --no-children -g none -s sym,srcline -i k.data --buildid-dir "$PWD/nothing"
	check grep -q 'made_up *image\.c:4' out
	perf record -q --bundle -e cpu-clock:k -F 5000 -o bundle.data dd if=/dev/zero of=/dev/null bs=1 count=200000
	cp bundle.data machine/root
	there report --stdio -g none -s sym,srcline -i /root/bundle.data > after 2> /dev/null
	check grep -q 'made_up *image\.c:4' after
	# With a list here, whose addresses are others, its lines are not taken for these.
	mv vmlinux moved
	perf report --stdio -g none -s sym,srcline -i bundle.data --buildid-dir "$PWD/nothing"
	refute grep -q 'image\.c' out
	check grep -qE '\[k\] [a-z_].*\+[0-9]+ *$' out
fi

step "one of another build is not used, and named when it was asked for"
build vmlinux 00112233445566778899aabbccddeeff00112233
both
check diff live ours
refute grep -q vmlinux err
perf report --stdio --no-children -g none -s sym -i k.data --buildid-dir "$PWD/nothing" -k vmlinux
kernel_names out > ours
check diff live ours
check [ "$(grep -c "'vmlinux'" err)" -eq 1 ]
perf report --stdio --no-children -g none -s sym -i k.data -k nowhere
check [ $rc -eq 0 ]
kernel_names out > ours
check diff live ours
check grep -q "'nowhere'.*No such file" err

step "the vdso has lines where its debug file is"
cat > clock.c << 'END'
#include <time.h>
int main(void)
{
	struct timespec t;
	for (int i = 0; i < 10000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return 0;
}
END
check "$CC" -O1 -o clock clock.c
perf record -q -e cpu-clock:u -F 2000 -o v.data ./clock
id=$("$PERF" buildid-list -i v.data | awk '/\[vdso\]/ { print $1 }')
image=$(echo "$HOME"/.debug/\[vdso\]/"$id"/vdso)
if [ -z "$lines" ] || [ -z "$id" ]; then
	skip "built without libdw, or nothing fell into the vdso"
elif [ ! -s "$image" ]; then
	check false
else
	text=$(readelf -SW "$image" | sed 's/^ *\[ *//' | awk '$2 == ".text" { print "0x" $4 }')
	echo 'void whole(void) { __asm__ volatile(".skip 0x4000, 0x90"); }' > vdso.c
	path=usr/lib/debug/.build-id/${id:0:2}
	mkdir -p "root/$path"
	check "$CC" -O1 -g -shared -nostdlib -fPIC -Wl,--build-id=0x"$id",-Ttext="$text" -o "root/$path/${id:2}.debug" vdso.c
	perf report --stdio --no-children -g none -s dso,srcline -i v.data --buildid-dir "$HOME/.debug" --symfs "$PWD/root"
	check grep -qE '\[vdso\] +vdso\.c:1 *$' out
fi
finish
