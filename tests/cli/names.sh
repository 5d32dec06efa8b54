#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which name an address gets where ELF allows several, or none that is plain: aliases, versions,
# indirect functions, cold parts, symbols without size, code in memory files. As Linux's perf has it.
. "$(dirname "$0")/../lib.sh"
plan 8
need_events || finish
CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "names: $CC is not installed"
[ "$(uname -m)" = x86_64 ] || skip_all "names: the program is of x86-64 machine code"

cat > lib.map << 'END'
V1 { global: versioned; indirect; strong; weak_alias; __alias; local: *; };
V2 { global: versioned; } V1;
END
cat > lib.c << 'END'
#define BURN                                                                                       \
	for (volatile unsigned long i = 0; i < 30000000; i++)                                      \
		;
void old_one(void) { BURN }
void new_one(void) { BURN }
__asm__(".symver old_one,versioned@V1\n.symver new_one,versioned@@V2\n");
static void chosen(void) { BURN }
static void *choose(void) { return chosen; }
void indirect(void) __attribute__((ifunc("choose")));
void strong(void) { BURN }
void weak_alias(void) __attribute__((weak, alias("strong")));
void __alias(void) __attribute__((alias("strong")));
END
cat > main.c << 'END'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
void versioned(void);
void indirect(void);
void strong(void);
void sizeless(void);
void cold_part(void);
__asm__(".text\n.globl sizeless\nsizeless: mov $60000000, %eax\n1: dec %eax\njne 1b\nret\n"
        ".type cold_part.cold, @function\n.type cold_part, @function\n.globl cold_part\n"
        "cold_part: jmp cold_part.cold\n.size cold_part, . - cold_part\n"
        ".section .text.unlikely, \"ax\"\n"
        "cold_part.cold: mov $60000000, %eax\n1: dec %eax\njne 1b\nret\n"
        ".size cold_part.cold, . - cold_part.cold\n.text\n"
        /* What gcc splits off and clones: local symbols. */
        ".type split.part.0, @function\nsplit.part.0: mov $60000000, %eax\n1: dec %eax\njne 1b\nret\n"
        ".size split.part.0, . - split.part.0\n"
        ".type split.constprop.0.isra.0, @function\nsplit.constprop.0.isra.0: mov $60000000, %eax\n"
        "1: dec %eax\njne 1b\nret\n.size split.constprop.0.isra.0, . - split.constprop.0.isra.0\n"
        ".globl split\n.type split, @function\nsplit: call split.part.0\n"
        "jmp split.constprop.0.isra.0\n.size split, . - split\n");
void split(void);
/* mov $60000000, %eax; 1: dec %eax; jne 1b; ret */
static const unsigned char code[] = { 0xb8, 0x00, 0x87, 0x93, 0x03, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };
int main(void)
{
	int fd = memfd_create("code in memory", 0);
	void *file, *anon;

	if (write(fd, code, sizeof(code)) != sizeof(code))
		return 1;
	file = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	anon = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(anon, code, sizeof(code));
	if (mprotect(anon, 4096, PROT_READ | PROT_EXEC))
		return 1;
	versioned(), indirect(), strong(), sizeless(), cold_part(), split();
	((void (*)(void))file)();
	((void (*)(void))anon)();
	return 0;
}
END
check "$CC" -O1 -shared -fPIC -Wl,--build-id,--version-script,lib.map -o libnames.so lib.c
check "$CC" -O1 -Wl,--build-id -o prog main.c -L. -lnames -Wl,-rpath,"$PWD"

# "DSO SYMBOL" of what took more than one sample in a hundred.
names() {
	grep -v '^#' "$1" | sed -nE 's/^ +([0-9.]+)% +(.*[^ ]) +\[\.\] (.*[^ ]) *$/\1 \2 \3/p' | awk '$1 > 1 { $1 = ""; print }' | sort
}

step "aliases, versions, indirect functions, cold parts, no size, code in memory"
perf record -q -e cpu-clock:u -F 2000 -o x.data ./prog
check [ $rc -eq 0 ]
perf report -g none -s dso,sym -i x.data
names out > ours
# Of aliases: the strong one; of versions: the name they have in the file's own table.
for name in 'prog sizeless' 'prog cold_part.cold' 'prog split.part.0' \
	'prog split.constprop.0.isra.0' 'libnames.so strong' 'libnames.so chosen'; do
	check grep -qxF " $name" ours
done
check grep -qE '^ libnames.so (new_one|versioned@@V2)$' ours
check [ "$(wc -l < ours)" -ge 9 ]

step "all of them as Linux's perf names them"
if [ -x "$REF" ]; then
	"$REF" report --stdio -s dso,sym -i x.data > theirs.out 2> /dev/null
	names theirs.out > theirs
	check [ -s theirs ]
	check diff ours theirs
else
	skip "'$REF' is not there"
fi

step "an indirect function of the program's own, through the PLT"
# A sample is taken behind the instruction that waits. So the call waits, for the pointer that it reads, and
# the samples are in the entry that it calls: of a tight loop of calls, the entry gets none in some runs.
cat > own.c << 'END'
static void chosen(void) {}
void *choose(void) { return chosen; }
__attribute__((ifunc("choose"), visibility("hidden"))) void indirect(void);
#ifdef TWO
void *choose_other(void) { return chosen; }
__attribute__((ifunc("choose_other"), visibility("hidden"))) void other(void);
#endif
static void (*entry)(void);
static void call(void (*function)(void))
{
	entry = function;
#ifdef __x86_64__
	for (int i = 0; i < 1000000; i++)
		__asm__ volatile("clflush %0; call *%0" : : "m"(entry) : "cc", "memory");
#else
	for (int i = 0; i < 100000000; i++)
		function();
#endif
}
int main(void)
{
	call(indirect);
#ifdef TWO
	call(other);
#endif
	return 0;
}
END
if "$CC" -O1 -o own own.c 2> cc.log && readelf -rW own | grep -q IRELATIV; then
	perf record -q -e cpu-clock:u -F 2000 -o own.data ./own
	perf script -F ip,sym -i own.data
	check grep -qE ' (choose|indirect)@plt$' out
	refute grep -q ' @plt$' out
	strip -R .note.gnu.build-id own
	perf record -q -e cpu-clock:u -F 2000 -o own.data ./own
	perf script -F ip,sym -i own.data
	check grep -qE ' \*ABS\*\+0x[0-9a-f]+@plt$' out
	# Static programs: entries of 8 bytes each, of which the second function has one, too.
	if "$CC" -O1 -static -fcf-protection=none -DTWO -o flat-own own.c 2> cc.log; then
		perf record -q -e cpu-clock:u -F 2000 -o flat-own.data ./flat-own
		perf report --stdio -s sym -i flat-own.data
		check [ "$(grep -cE ' (choose|indirect|choose_other|other)@plt$' out)" = 2 ]
		refute grep -qE '[1-9][0-9]\.[0-9]+% .* _init$' out
	fi
else
	skip "$CC makes no indirect functions"
fi

step "objects of data name no code"
if "$CC" -O1 -static -fno-omit-frame-pointer -fno-inline -fcf-protection=none -Wl,-z,noseparate-code \
	-o flat "$TESTS/workloads/stacks.c" 2> cc.log; then
	perf record -q -e cpu-clock:u -F 999 -g -o flat.data ./flat data 0.3
	for _ in 1 2; do # the second time from the index
		perf report --stdio -i flat.data
		check grep -q burn_with out
		refute grep -q planted_table out
		perf script -F ip,sym -i flat.data
		check grep -q '\[unknown\]$' out
		refute grep -q planted_table out
		sleep 0.5
	done
	nm flat > flat.symbols
	check grep -q ' R planted_table' flat.symbols # the negative control: it has a name
else
	skip "$CC does not link statically"
fi

step "what is called through the PLT, however the linker lays it out"
for name in zero one two three; do
	echo "void $name(void) {}"
done > called.c
cat > calls.c << 'END'
void zero(void), one(void), two(void), three(void);
int main(void)
{
	zero(), one(), three(), two();
	return 0;
}
END
check "$CC" -O1 -shared -fPIC -o libcalled.so called.c
# The entries are where main calls them, in that order.
printf '%s@plt\n' zero zero one one three three two two > expected
while read -r linker section flags; do
	# shellcheck disable=SC2086
	if ! "$CC" -O1 -Wl,--build-id -fuse-ld="$linker" $flags -o calls calls.c -L. -lcalled -Wl,-rpath,"$PWD" 2> cc.log; then
		skip "$CC does not link by $linker $flags"
		continue
	fi
	readelf -SW calls | grep -qF " $section " || continue
	entries=''
	for entry in $(objdump -d --disassemble=main calls | sed -n 's/.*\tcall[a-z]* *\([0-9a-f]*\) .*/\1/p'); do
		entries="$entries $entry $(printf '%x' $((0x$entry + 4)))"
	done
	# shellcheck disable=SC2086 # addresses
	"$TESTS/data/at.py" calls plt.data $entries
	perf script -F ip,sym -i plt.data
	check diff expected <(awk '{ print $2 }' out)
	strip calls
	perf script -F ip,sym -i plt.data --buildid-dir "$PWD/nothing"
	check diff expected <(awk '{ print $2 }' out)
done << 'END'
bfd .plt -Wl,-z,lazy
bfd .plt -fPIE -pie -Wl,-z,now
bfd .plt.sec -fcf-protection -Wl,-z,ibtplt
gold .plt
lld .plt
lld .plt -Wl,-z,retpolineplt
mold .plt
END

step "a stripped library has the names that it exports"
strip libnames.so
perf record -q -e cpu-clock:u -F 2000 -o stripped.data ./prog
perf report -g none -s dso,sym -i stripped.data
names out > ours
check grep -qE '^ libnames.so (versioned@@V2|versioned)$' ours
check grep -qxF ' libnames.so strong' ours
if [ -x "$REF" ]; then
	"$REF" report --stdio -s dso,sym -i stripped.data > theirs.out 2> /dev/null
	names theirs.out > theirs
	check diff <(grep -v 0x ours) <(grep -v 0x theirs)
fi

step "--symfs: loops of links end, and nothing is named from them"
mkdir -p "root$PWD"
ln -s loop "root$PWD/prog"
ln -s prog "root$PWD/loop"
ln -s . "root$PWD/libnames.so"
perf report --symfs "$PWD/root" -g none -s dso,sym -i x.data
check [ $rc -eq 0 ]
names out > ours
refute grep -q sizeless ours
check grep -q 0x ours

step "a program that was deleted is named from the build-id cache, and said to be gone without it"
rm prog
perf report -g none -s dso,sym -i x.data
check grep -q sizeless out
HOME=$PWD/empty perf report -g none -s dso,sym -i x.data
refute grep -q sizeless out
check grep -q "$PWD/prog" err
finish
