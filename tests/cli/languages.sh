#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of other languages, and code made while it runs, go by the names their sources have, and by
# those that Linux's perf gives them. What is not installed is skipped.
. "$(dirname "$0")/../lib.sh"
plan 7
need_events || finish
real_home=$(getent passwd "$(id -u)" | cut -d: -f6)

# "DSO SYMBOL" of what took more than one sample in a hundred. Process numbers: N.
names() {
	grep -v '^#' "$1" | sed -nE 's/^ +([0-9.]+)% +(.*[^ ]) +\[\.\] (.*[^ ]) *$/\1 \2 \3/p' |
		awk '$1 > 1 { $1 = ""; print }' | sed -E 's/jitted-[0-9]+/jitted-N/; s/(tid|perf-)( ?)[0-9]+/\1\2N/' | sort
}

# named FILE PATTERN...: both perfs have the same names, and one fits each pattern
named() {
	local file=$1 pattern
	shift
	perf report --stdio --no-children -g none -s dso,sym -i "$file"
	check [ $rc -eq 0 ]
	names out > ours
	for pattern; do
		check grep -qE "$pattern" ours
	done
	[ -x "$REF" ] || return 0
	"$REF" report --stdio --no-children -g none -s dso,sym -i "$file" > theirs.out 2> /dev/null
	names theirs.out > theirs
	check diff ours theirs
}

record() {
	perf record -q -e cpu-clock:u -F 2000 "$@"
	check [ $rc -eq 0 ]
}

# try COMMAND...: a compiler, which may want what lies in the user's own folder
try() {
	HOME=$real_home "$@" > compiler.log 2>&1
}

step "Go: methods, closures, generic functions, as they are"
cat > go.go << 'END'
package main

import "sort"

type shape struct{ side int }

func (s *shape) area(n int) (t int) {
	for i := 0; i < n; i++ {
		t = t*7 + i + s.side
	}
	return
}
func generic[T int | uint](n T) (t T) {
	for i := T(0); i < n; i++ {
		t = t*3 + i
	}
	return
}
func main() {
	t := 0
	s := &shape{3}
	for k := 0; k < 60; k++ {
		t += s.area(1000000) + generic(1000000)
		v := make([]int, 20000)
		for i := range v {
			v[i] = (i * 7919) % 10007
		}
		sort.Slice(v, func(a, b int) bool { return v[a] > v[b] })
		t += v[0]
	}
	println(t)
}
END
if command -v go > /dev/null && try env GOCACHE="$PWD/go-cache" GOFLAGS=-mod=mod go build -gcflags=-l -o go-prog go.go; then
	record -o go.data ./go-prog
	named go.data 'go-prog main\.\(\*shape\)\.area$' 'main\.generic\[go\.shape\.int' 'main\.main\.func1$' 'sort\.'
else
	skip "no go that builds a program"
fi

step "Rust: trait implementations, closures, generic functions, in both manglings"
cat > rust.rs << 'END'
trait Shape { fn area(&self, n: u64) -> u64; }
struct Square(u64);
impl Shape for Square {
	#[inline(never)]
	fn area(&self, n: u64) -> u64 {
		let mut s = self.0;
		for i in 0..n { s = s.wrapping_mul(7).wrapping_add(i); }
		s
	}
}
#[inline(never)]
fn generic<T: Fn(u64) -> u64>(f: T, n: u64) -> u64 {
	let mut s = 0u64;
	for i in 0..n { s = f(s.wrapping_add(i)); }
	s
}
fn main() {
	let mut t = 0u64;
	for k in 0..40 {
		t = t.wrapping_add(Square(k).area(1000000 + t % 3));
		t = t.wrapping_add(generic(|x| x.wrapping_mul(5) ^ t, 1000000));
	}
	println!("{}", t);
}
END
built=
for mangling in legacy v0; do
	if try rustc -O -g -C symbol-mangling-version=$mangling -o rust-$mangling rust.rs || { [ $mangling = legacy ] && try rustc -O -g -o rust-$mangling rust.rs; }; then
		built=$mangling
		record -o rust.data ./rust-$mangling
		named rust.data '<rust::Square as rust::Shape>::area$' 'rust::generic'
		refute grep -q '_R\|_ZN\|17h[0-9a-f]' ours
	fi
done
[ -n "$built" ] || skip "no rustc that builds a program"

step "D: what Linux's perf leaves as the linker has it"
cat > d.d << 'END'
struct Box(T) {
	T side;
	ulong spin(ulong n) { ulong s = side; foreach (i; 0 .. n) s = s * 31 + i; return s; }
}
class Shape { abstract ulong area(ulong n); }
class Square : Shape {
	override ulong area(ulong n) { ulong s; foreach (i; 0 .. n) s = s * 7 + i; return s; }
}
ulong outer(ulong n) {
	ulong inner(ulong m) { ulong s; foreach (i; 0 .. m) s = s * 3 + i + n; return s; }
	return inner(n);
}
void main() {
	ulong t;
	foreach (k; 0 .. 40)
		t += Box!int(3).spin(1000000) + (new Square).area(1000000) + outer(1000000);
	assert(t != 1);
}
END
if command -v gdc > /dev/null && try gdc -O1 -fno-inline -o d-prog d.d; then
	record -o d.data ./d-prog
	perf report --stdio --no-children -g none -s dso,sym -i d.data
	names out > ours
	for name in 'd\.Box!\(int\)\.Box\.spin\(ulong\)' 'd\.Square\.area\(ulong\)' 'd\.outer\(ulong\)\.inner\(ulong\)'; do
		check grep -qxE " d-prog $name" ours
	done
	perf report --stdio --no-children -g none -s dso,sym --demangle=full -i d.data
	check grep -qE '\[\.\] d\.Box!\(int\)\.Box\.spin\(ulong\) *$' out
	perf report --stdio --no-children -g none -s dso,sym --no-demangle -i d.data
	check grep -q '_D1d6Square4areaMFmZm' out
else
	skip "no gdc that builds a program"
fi

step "what dwz took out keeps its names"
if command -v dwz > /dev/null && command -v "${CC:-cc}" > /dev/null; then
	cat > part.c <<- 'END'
		static int __attribute__((noinline)) work_here(unsigned n)
		{
			volatile unsigned s = 0;
			while (n--)
				s += n;
			return s;
		}
		int main(void) { return work_here(200000000) == 1; }
	END
	check "${CC:-cc}" -O1 -g -o dwz1 part.c
	check "${CC:-cc}" -O1 -g -DOTHER -o dwz2 part.c
	check dwz -m common dwz1 dwz2
	strip --only-keep-debug -o dwz1.debug dwz1
	objcopy --strip-all --add-gnu-debuglink=dwz1.debug dwz1 bare
	record -o dwz.data ./bare
	named dwz.data 'bare work_here'
	if has libdw; then
		perf report --stdio --no-children -g none -s sym,srcline -i dwz.data
		check grep -qE 'work_here +part\.c:[345] *$' out
	fi
else
	skip "dwz or a C compiler is not installed"
fi

step "node --perf-basic-prof: the functions of the script"
echo 'function hotLoop(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s }
let t = 0; for (let k = 0; k < 200; k++) t += hotLoop(1000000); if (t === 1) console.log(t)' > hot.js
if command -v node > /dev/null && node --perf-basic-prof -e 0 > /dev/null 2>&1; then
	record -g -o node.data node --perf-basic-prof "$PWD/hot.js"
	named node.data 'JIT.* .*hotLoop '
	rm -f /tmp/perf-"$("$PERF" script -i node.data -F pid 2> /dev/null | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')".map
	step "node --perf-prof and perf inject --jit"
	record -k mono -o prof.data node --perf-prof "$PWD/hot.js"
	perf inject -j -i prof.data -o jitted.data
	check [ $rc -eq 0 ]
	named jitted.data 'jitted-N-[0-9]+\.so .*hotLoop '
else
	skip "no node that knows of perf"
fi

step "code in a memory file, which a perf-PID.map names"
cat > memfd.c << 'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
/* mov $60000000, %eax; 1: dec %eax; jne 1b; ret */
static const unsigned char code[] = { 0xb8, 0x00, 0x87, 0x93, 0x03, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };
int main(void)
{
	int fd = memfd_create("code", 0);
	char path[64];

	if (write(fd, code, sizeof(code)) != sizeof(code))
		return 1;
	char *file = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	char *anon = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < sizeof(code); i++)
		anon[i] = code[i];
	mprotect(anon, 4096, PROT_READ | PROT_EXEC);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	FILE *map = fopen(path, "w");
	fprintf(map, "%lx 1000 in_memory_file\n%lx 1000 in_anonymous\n", (long)file, (long)anon);
	fclose(map);
	puts(path);
	((void (*)(void))file)();
	((void (*)(void))anon)();
	return 0;
}
END
if [ "$(uname -m)" = x86_64 ] && try "${CC:-cc}" -o memfd memfd.c; then
	record -o memfd.data ./memfd
	map=$(cat out)
	named memfd.data 'in_anonymous'
	rm -f "$map"
else
	skip "not x86-64, or no C compiler"
fi
finish
