#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Call chains out of copied stacks of programs of all kinds (tests/stacks), sample by sample beside
# libunwind, libdw and Linux's perf (stacks.py, whose lines are shown).
. "$(dirname "$0")/../lib.sh"
plan 18
need_events || finish
command -v python3 > /dev/null || skip_all "python3 is not installed"
SOURCES=$TESTS/stacks

# same NAME COMMAND... [-- OPTION OF stacks.py...]
same() {
	local name=$1 command=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,32768 -o "$name.data" "${command[@]}"
	check [ $rc -eq 0 ]
	env PERF="$PERF" PERF_REF="$REF" python3 "$TESTS/compat/stacks.py" "$@" "$name.data" > compared 2>&1
	check [ $? -eq 0 ]
	sed 's/^/  #/' compared
	rm -f "$name.data"
}

# made STEP NAME SOURCE FLAG... [-- OPTION OF stacks.py...]: a program of C or C++, run as $RUN
made() {
	local name=$2 source=$3 flags=()
	step "$1"
	shift 3
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		flags+=("$1")
		shift
	done
	if ! gcc -o "$name" "$SOURCES/$source" "${flags[@]}" 2> gcc.err; then
		skip "cannot be built here"
		return
	fi
	# shellcheck disable=SC2086 # words
	same "$name" "./$name" ${RUN-} "$@"
}

made "C without optimization" plain work.c -O0
made "C with frame pointers" fp work.c -O2 -fno-omit-frame-pointer
made "C without frame pointers, stripped" nofp work.c -O2 -fomit-frame-pointer -s
made "C, where it was mapped is known" fixed work.c -O2 -fomit-frame-pointer -no-pie
RUN=150 made "recursion 150 deep" deep work.c -O2 -fomit-frame-pointer -- --max-stack 200
# Linux's perf finds no tables there, the libraries are given them.
made "static" static work.c -O2 -static -- --skip linux
made "static and position-independent" staticpie work.c -O2 -static-pie
# .debug_frame is for libdw alone; Linux's perf reads it in files it can find.
made "tables in .debug_frame only" debugframe work.c -O2 -g -fno-asynchronous-unwind-tables \
	-fno-unwind-tables -- --skip libunwind,linux
# Ours alone goes on where a function that returns has taken back its registers.
made "C++ with exceptions" throws throws.cc -O2 -lstdc++ -- --longer 0.1
made "a signal handler" handler handler.c -O2
made "the [vdso]" vdso vdso.c -O2
made "32 bits" wide32 work.c -O2 -m32 -- --skip libunwind,linux
made "C, with threads and the mathematical library" threads threads.c -O2 -fomit-frame-pointer \
	-lm -pthread

# The first of the compilers that works (another one may want a home of its own).
step "Rust, with panics that are caught"
RUSTC=$(for name in /usr/bin/rustc rustc; do "$name" --version > /dev/null 2>&1 && echo "$name" && break; done)
if [ -n "$RUSTC" ] && "$RUSTC" -O -o rust "$SOURCES/work.rs" 2> /dev/null; then
	same rust ./rust
else
	skip "rustc is not installed"
fi

# Tables in .debug_frame alone, packed: nobody but libdw reads them. Where the run time of Go changes
# to its own stack no table leads back.
step "Go"
if command -v go > /dev/null && GOCACHE=$PWD/gocache GO111MODULE=off go build -o goprog "$SOURCES/work.go" 2> /dev/null; then
	same go ./goprog -- --skip libunwind,linux --complete 0.7
else
	skip "go is not installed"
fi

# Code made at run time lies in all chains: ours alone goes on behind it, by its frame pointers.
step "node"
if command -v node > /dev/null; then
	same node node "$SOURCES/work.js" -- --longer 1 --complete 0.9
else
	skip "node is not installed"
fi

step "python with its debug symbols"
PYTHON=$(command -v python3-dbg || command -v python3.11-dbg || command -v python3)
# (In one that was built by hand Linux's perf loses its way.)
[ "${PYTHON#/usr/bin/}" != "$PYTHON" ] && others='' || others=linux
same python "$PYTHON" "$SOURCES/work.py" -- --max-stack 1000 --skip "$others"

step "libcrypto's assembler"
if command -v openssl > /dev/null; then
	same openssl openssl speed -seconds 1 -bytes 16384 sha256 aes-256-cbc rsa2048 ecdsap256
	same evp openssl speed -seconds 1 -bytes 16384 -evp chacha20-poly1305
else
	skip "openssl is not installed"
fi
finish
