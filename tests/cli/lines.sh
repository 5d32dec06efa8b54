#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines and inlined functions equal those of addr2line -i on 500 random addresses of each of many
# binaries: all forms of DWARF that compilers and tools make of one program, and other languages.
# Each tool is asked about the forms that it can read (see differences.md for what binutils' 2.40
# cannot).
. "$(dirname "$0")/../lib.sh"
plan 15
unit=${UNIT_TESTS:-$(dirname "$PERF")/unit-tests}
[ -x "$unit" ] || skip_all "lines: the unit tests are not built"
has libdw || skip_all "lines: this perf is built without libdw"

# Functions in unnamed places (lambdas) have no linkage name: differences.md.
cat > deep.cc << 'END'
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};
template <int N> struct polygon : shape {
	double side;
	explicit polygon(double s) : side(s) {}
	double area() const override { return N * side * side / 4; }
};

template <typename T> T total(const std::vector<T> &v)
{
	return std::accumulate(v.begin(), v.end(), T());
}

struct by_count {
	template <typename T> bool operator()(const T &a, const T &b) const { return a.second < b.second; }
};
struct by_area {
	bool operator()(const shape *a, const shape *b) const { return a->area() < b->area(); }
};

// (At -O3 binutils 2.40 calls some of its code "main" when it is inlined there.)
static __attribute__((noinline)) int words(const std::string &text)
{
	std::map<std::string, int> counts;
	std::string word;

	for (char c : text) {
		if (c == ' ') {
			counts[word]++;
			word.clear();
		} else {
			word += c;
		}
	}
	return std::max_element(counts.begin(), counts.end(),
	                        by_count())->second;
}

int main(int argc, char **argv)
{
	std::vector<shape *> shapes;
	std::vector<double> areas;
	std::unordered_map<long, std::vector<std::string>> table;

	for (int i = 0; i < argc * 10; i++) {
		shapes.push_back(new polygon<4>(i));
		shapes.push_back(new polygon<6>(i));
		table[i % 7].push_back(std::string(argv[0]) + std::to_string(i));
	}
	std::sort(shapes.begin(), shapes.end(), by_area());
	for (auto *s : shapes)
		areas.push_back(s->area());
	for (auto &entry : table)
		std::sort(entry.second.begin(), entry.second.end());
	std::printf("%f %d\n", total(areas), words(table[1][0] + " a b a "));
	for (auto *s : shapes)
		delete s;
	return 0;
}
END

# agree TOOL FILE...: 500 addresses of each. PERF_LINES_POSITIONS: whatever the functions are called.
agree() {
	local tool=$1 files=
	shift
	command -v "$tool" > /dev/null || { skip "$tool is not installed" && return 1; }
	for file; do
		files=$files:$PWD/$file
	done
	PERF_LINES_TOOL=$tool PERF_LINES_ADDRESSES=500 PERF_LINES_SEED=${SEED:-1} PERF_LINES_FILES=${files#:} \
		"$unit" debug_info_agrees_with_addr2line_on_files > told 2>&1
	check [ $? -eq 0 ]
	check [ "$(grep -c ': 500 addresses, 0 different$' told)" -eq $# ]
}

# build OUT COMPILER...: of deep.cc. The same words make the same program, which is made once.
build() {
	local out=$1 first
	shift
	command -v "$1" > /dev/null || { skip "$1 is not installed" && return 1; }
	first=made-$(echo "$*" | tr -c 'a-z0-9A-Z\n' _)
	[ -e "$first" ] || check "$@" deep.cc -o "$first" || return 1
	check cp "$first" "$out"
}

step "the unit tests have the comparison"
env -u PERF_LINES_FILES "$unit" debug_info_agrees_with_addr2line_on_files > told 2>&1
check grep -qE '^[01] passed, 0 failed, [01] skipped$' told || finish

step "gcc, DWARF 5 to 2, and without what was only allowed later"
for n in 5 4 3 2; do
	build gcc$n g++ -O2 -gdwarf-$n || break
done
[ $state != ok ] || { build strict g++ -O2 -gdwarf-3 -gstrict-dwarf && agree addr2line gcc5 gcc4 gcc3 gcc2 strict; }

step "clang, DWARF 5 to 2"
for n in 5 4 3 2; do
	build clang$n clang++ -O2 -gdwarf-$n || break
done
[ $state != ok ] || agree llvm-addr2line clang5 clang4 clang3 clang2

step "little of it: -g1, no columns"
build g1 g++ -O2 -g1 && build nocolumn g++ -O2 -g -gno-column-info && agree addr2line g1 nocolumn &&
	build tables clang++ -O2 -gline-tables-only && PERF_LINES_POSITIONS=1 agree llvm-addr2line tables

step "optimized in other ways: not at all, much, code in many pieces"
build O0 g++ -O0 -g && build O3 g++ -O3 -g && build sections g++ -O2 -g -ffunction-sections -Wl,--gc-sections &&
	build static g++ -O2 -g -static && agree addr2line O3 sections static && PERF_LINES_POSITIONS=1 agree llvm-addr2line O0 &&
	build cold clang++ -O3 -g -mllvm -hot-cold-split && agree llvm-addr2line cold

step "at link time"
# (binutils' says "main" for what is inlined there, and "<artificial>" for files.)
build lto g++ -O2 -g -flto && PERF_LINES_POSITIONS=1 agree llvm-addr2line lto
if command -v ld.lld > /dev/null; then
	build thin clang++ -O2 -g -flto=thin -fuse-ld=lld && build full clang++ -O2 -g -flto -fuse-ld=lld &&
		build lld clang++ -O2 -g -ffunction-sections -fuse-ld=lld -Wl,--gc-sections && agree llvm-addr2line thin full lld
else
	skip "lld is not installed"
fi

step "packed"
build packed g++ -O2 -g -gz && agree addr2line packed

step "packed with zstd"
if ! objcopy --help | grep -q zstd || ! has zstd; then
	skip "no objcopy that packs with zstd, or this perf is built without it"
else
	build zstd5 g++ -O2 -gdwarf-5 && build zstd4 g++ -O2 -gdwarf-4 &&
		check objcopy --compress-debug-sections=zstd zstd5 && check objcopy --compress-debug-sections=zstd zstd4 &&
		check grep -q ZSTD <(readelf -tW zstd5) && agree addr2line zstd5 zstd4
	if build zdwz1 g++ -O1 -g && build zdwz2 g++ -O3 -g && command -v dwz > /dev/null; then
		check dwz -m zcommon zdwz1 zdwz2
		check objcopy --compress-debug-sections=zstd zdwz1
		agree addr2line zdwz1 # (it cannot read the common file when that is packed)
	fi
fi

step "what dwz took out of two programs into one file, and of one program"
build dwz1 g++ -O1 -g && build dwz2 g++ -O3 -g && build alone g++ -O2 -gdwarf-5 && if command -v dwz > /dev/null; then
	check dwz -m common dwz1 dwz2
	check grep -q gnu_debugaltlink <(readelf -SW dwz1 dwz2)
	check dwz alone
	agree addr2line dwz1 dwz2 alone
else
	skip "dwz is not installed"
fi

# llvm-addr2line says names of the symbol table for functions that were divided.
step "units in files of their own"
build split g++ -O2 -g -gsplit-dwarf && build split4 g++ -O2 -gdwarf-4 -gsplit-dwarf &&
	PERF_LINES_POSITIONS=1 agree llvm-addr2line split split4
if command -v clang++ > /dev/null; then
	for n in 5 4; do
		check clang++ -O2 -gdwarf-$n -gsplit-dwarf -c deep.cc -o csplit$n.o
		check clang++ csplit$n.o -o csplit$n
	done
	agree llvm-addr2line csplit5 csplit4
fi

step "units in a package" # those of the files above
if command -v clang++ > /dev/null && command -v llvm-dwp > /dev/null; then
	for n in 5 4; do
		check timeout 60 llvm-dwp -e csplit$n -o csplit$n.dwp
		check rm csplit$n.dwo
	done
	agree llvm-addr2line csplit5 csplit4
else
	skip "no clang++ or no llvm-dwp"
fi

# compiled OUT COMPILER ARGUMENT...
compiled() {
	local out=$1
	shift
	command -v "$1" > /dev/null || { skip "$1 is not installed" && return 1; }
	check "$@" && PERF_LINES_POSITIONS=1 agree llvm-addr2line "$out"
}

step "Rust"
cat > r.rs << 'END'
use std::collections::HashMap;
fn main() {
    let mut m: HashMap<String, Vec<u64>> = HashMap::new();
    for i in 0..1000u64 {
        m.entry(format!("k{}", i % 17)).or_default().push(i * 3);
    }
    let mut v: Vec<_> = m.iter().map(|(k, v)| (k.clone(), v.iter().sum::<u64>())).collect();
    v.sort_by(|a, b| b.1.cmp(&a.1));
    println!("{:?}", v);
}
END
RUSTC=$(for name in /usr/bin/rustc rustc; do "$name" --version > /dev/null 2>&1 && echo "$name" && break; done)
if [ -n "$RUSTC" ]; then
	compiled rust "$RUSTC" -O -g r.rs -o rust
else
	skip "no rustc that runs"
fi

step "Go"
cat > g.go << 'END'
package main

import (
	"fmt"
	"sort"
	"strings"
)

func main() {
	m := map[string]int{}
	for i := 0; i < 1000; i++ {
		m[fmt.Sprint("k", i%17)] += i
	}
	var k []string
	for s := range m {
		k = append(k, strings.ToUpper(s))
	}
	sort.Strings(k)
	fmt.Println(k)
}
END
compiled go go build -o go g.go

step "D"
cat > d.d << 'END'
import std.algorithm, std.array, std.stdio;
void main()
{
	int[] a;
	foreach (i; 0 .. 1000)
		a ~= (i * 7919) % 1009;
	sort!((x, y) => x < y)(a);
	writeln(a.map!(x => x * 2).filter!(x => x % 3 == 0).array.length);
}
END
compiled d gdc -O2 -g d.d -o d

step "Fortran"
cat > f.f90 << 'END'
program p
	implicit none
	integer :: i
	real :: a(1000)
	do i = 1, 1000
		a(i) = g(real(i))
	end do
	print *, sum(a), maxval(matmul(reshape(a(1:100), [10, 10]), reshape(a(101:200), [10, 10])))
contains
	real function g(x)
		real, intent(in) :: x
		g = sin(x) * sqrt(x)
	end function
end program
END
compiled f gfortran -O2 -g f.f90 -o f
finish
