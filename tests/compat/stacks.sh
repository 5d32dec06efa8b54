#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Call chains out of copied stacks of programs that other compilers and authors made, sample by
# sample beside libunwind, libdw and Linux's perf (stacks.py). C and C++ of all kinds, 32-bit
# programs and signal handlers: tests/cli/unwind.sh.
. "$(dirname "$0")/../lib.sh"
need_built record && need_events || finish
command -v python3 > /dev/null || skip_all "python3 is not installed"

# same NAME COMMAND... [-- OPTION OF stacks.py...]
same() {
	local name=$1 command=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	shift
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,32768 -o "$name.data" "${command[@]}" > /dev/null
	check [ $rc -eq 0 ]
	check env PERF="$PERF" python3 "$TESTS/compat/stacks.py" "$@" "$name.data"
	rm -f "$name.data"
}

cat > threads.c << 'END'
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static volatile double sink;
static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}
static void *run(void *arg)
{
	unsigned x = (unsigned long)arg;
	double v[2000];
	for (int k = 0; k < 150; k++) {
		for (int i = 0; i < 2000; i++) {
			x = x * 1103515245 + 12345;
			v[i] = sin(x % 1000) + pow(x % 77, 1.5);
		}
		qsort(v, 2000, sizeof(v[0]), compare);
		char *p = malloc(5000 + x % 5000);
		memset(p, x, 5000);
		sink += v[7] + p[3];
		free(p);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
cat > work.rs << 'END'
use std::collections::BTreeMap;
fn fib(n: u32, seen: &mut BTreeMap<u32, u64>) -> u64 {
    if n < 2 { return n as u64; }
    let v = fib(n - 1, seen).wrapping_add(fib(n - 2, seen));
    *seen.entry(n).or_insert(0) ^= v;
    v
}
fn sort(k: usize) -> u64 {
    let mut v: Vec<u64> = (0..20000).map(|i| (i as u64).wrapping_mul(2862933555777941757) % 1000003).collect();
    v.sort_by(|a, b| b.cmp(a));
    v[k % 100]
}
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let other = std::thread::spawn(|| (0..60).map(sort).fold(0, |a, b| a ^ b));
    let mut sum = 0u64;
    for i in 0..150 {
        sum ^= fib(16, &mut BTreeMap::new()) ^ sort(i);
        let _ = std::panic::catch_unwind(|| if i % 3 == 0 { panic!("x") });
    }
    println!("{}", sum ^ other.join().unwrap());
}
END
cat > work.go << 'END'
package main

import (
	"fmt"
	"sort"
	"strings"
)

type node struct {
	l, r *node
	v    int
}

func (n *node) add(v int) *node {
	if n == nil {
		return &node{v: v}
	}
	if v < n.v {
		n.l = n.l.add(v)
	} else {
		n.r = n.r.add(v)
	}
	return n
}

func work(k int) int {
	var t *node
	a := []string{}
	for i, x := 0, k; i < 20000; i++ {
		x = (x*1103515245 + 12345) & 0x7fffffff
		t = t.add(x)
		if i%10 == 0 {
			a = append(a, fmt.Sprint(x))
		}
	}
	sort.Strings(a)
	return len(strings.Join(a, ","))
}

func main() {
	sums := make(chan int)
	for g := 0; g < 4; g++ {
		go func(g int) {
			sum := 0
			for k := 0; k < 12; k++ {
				sum += work(k + g)
			}
			sums <- sum
		}(g)
	}
	for g := 0; g < 4; g++ {
		fmt.Println(<-sums)
	}
}
END
cat > work.js << 'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function work(k) {
	const a = [];
	for (let i = 0; i < 20000; i++)
		a.push((i * 7919 + k) % 10007);
	a.sort((x, y) => x - y);
	return JSON.parse(JSON.stringify(a)).length + fib(20);
}
let sum = 0;
for (let i = 0; i < 100; i++)
	sum += work(i);
console.log(sum);
END
cat > work.py << 'END'
import json, re
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def work(k):
    a = sorted(((i * 7919 + k) % 10007 for i in range(6000)), key=lambda x: -x)
    b = json.loads(json.dumps({str(i): a[:50] for i in range(30)}))
    return len(re.sub(r"(\d)(\d)", r"\2\1", json.dumps(b))) + fib(15)
print(sum(work(i) for i in range(40)))
END

step "C, with threads and the mathematical library"
if gcc -O2 -fomit-frame-pointer -o threads threads.c -lm -pthread 2> /dev/null; then
	same threads ./threads
else
	skip "gcc is not installed"
fi

# The first of the compilers that works (another one may want a home of its own).
step "Rust, with panics that are caught"
RUSTC=$(for name in /usr/bin/rustc rustc; do "$name" --version > /dev/null 2>&1 && echo "$name" && break; done)
if [ -n "$RUSTC" ] && "$RUSTC" -O -o rust work.rs 2> /dev/null; then
	same rust ./rust
else
	skip "rustc is not installed"
fi

# Tables in .debug_frame alone, packed: nobody but libdw reads them. Where the run time of Go changes
# to its own stack no table leads back.
step "Go"
if command -v go > /dev/null && GOCACHE=$PWD/gocache GO111MODULE=off go build -o goprog work.go 2> /dev/null; then
	same go ./goprog -- --skip libunwind,linux --complete 0.7
else
	skip "go is not installed"
fi

# Code made at run time lies in all chains: ours alone goes on behind it, by its frame pointers.
step "node"
if command -v node > /dev/null; then
	same node node work.js -- --longer 1 --complete 0.9
else
	skip "node is not installed"
fi

step "python with its debug symbols"
PYTHON=$(command -v python3-dbg || command -v python3.11-dbg || command -v python3)
same python "$PYTHON" work.py -- --complete 0.9

step "libcrypto's assembler"
if command -v openssl > /dev/null; then
	same openssl openssl speed -seconds 1 -bytes 16384 sha256 aes-256-cbc rsa2048 ecdsap256
	same evp openssl speed -seconds 1 -bytes 16384 -evp chacha20-poly1305
else
	skip "openssl is not installed"
fi
finish
