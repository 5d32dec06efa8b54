#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the input files of the benchmark with Linux's perf, once: SET-SIZE.data and the programs
# they name, which must stay beside them (symbols are read from there).
#
#	make-data.sh [DIR [SIZE...]]	sizes in MB, default 10 30 100; SETS="fp flat" makes only these
#
# DIR is BENCH_DATA, else a folder in the user's cache. Files that are there are kept: delete the
# folder to start again. wide, sched and sysc need root. Sizes repeat from run to run (--max-size),
# contents do not: compare ratios of one folder, never figures of two.
#
#	fp     24-deep frame-pointer chains, 256 functions	inl    C++ templates, long names
#	dwarf  the same program with copies of stacks		inldw  C++ with copies of stacks
#	py     python with 15 MB of DWARF, copies of stacks	pyfp   the same, frame pointers
#	wide   whole system: compiler, forks, threads, python	flat   no chains
#	pair   as flat, a group of two clocks
#	sched  sched:*						sysc   raw_syscalls:*
#	kmem   slab and pages: perf kmem --slab --page record
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-${BENCH_DATA:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-bench}}
[ $# -gt 0 ] && shift
sizes=${*:-10 30 100}
perf=${PERF_REF:-/usr/bin/perf}
[ -x "$perf" ] || { echo "skipped: Linux's perf is not there ('$perf')"; exit 77; }
mkdir -p "$dir" && cd "$dir" || exit 2
rate=$(($(cat /proc/sys/kernel/perf_event_max_sample_rate) - 1))
LOAD=
endload() {
	if [ -n "$LOAD" ]; then
		kill -9 -- "-$LOAD" 2> /dev/null
		wait "$LOAD" 2> /dev/null
	fi
	LOAD=
}
trap endload EXIT
trap 'exit 130' INT TERM
# A load runs in a session of its own, ended afterwards: the size limit ends perf's child only.
background() {
	setsid "$@" > /dev/null 2>&1 &
	LOAD=$!
	sleep 0.3
}
record() { # FILE SIZE ARGS...
	local file=$1 size=$2
	shift 2
	# The group keeps the shell from telling that perf ended by its own signal.
	{
		timeout -s INT -k 10 "${LIMIT:-120}" "$perf" record -q -o "$file.part" \
			--max-size="${size}M" "$@" < /dev/null > record.log 2>&1
	} 2> /dev/null
	local bytes
	bytes=$(stat -c %s "$file.part" 2> record.log || echo 0)
	# A small file under a large name makes fixed costs look like growing ones.
	if [ "$bytes" -lt $((size * 900000)) ]; then
		rm -f "$file.part"
		echo "$file: not made: $((bytes / 1000000)) MB in ${LIMIT:-120} s; the kernel takes at most $((rate + 1)) samples a second"
		return
	fi
	mv "$file.part" "$file" && printf '%-16s %12d bytes\n' "$file" "$bytes"
}

# A program that recordings name is never built again: its build-id would be another.
build() {
	local program dir=$PWD scratch
	scratch=$(mktemp -d "$dir/build-XXXXXX") || return 1
	# shellcheck disable=SC2034
	FUNCTIONS=256 DEPTH=24
	. "$here/../compat/workloads.sh"
	# framed: a frame stands before anything else happens, and nearly all of the time is spent then.
	(write_workloads "$scratch" && build_workloads && gcc -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls \
		deep.c -o deep-nofp && gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls \
		-fno-shrink-wrap -DTURNS=2000 deep.c -o framed) || return 1
	for program in "$scratch"/*; do
		[ -e "${program##*/}" ] || mv "$program" .
	done
	rm -rf -- "${scratch:?}"
}
for program in deep deep-nofp framed cxx threads storm; do
	if [ ! -x $program ]; then
		build || { echo "the programs to be recorded cannot be built"; exit 2; }
	fi
done
python=$(command -v python3-dbg)
for size in $sizes; do
	for set in ${SETS:-fp inl dwarf inldw py pyfp wide flat pair sched sysc kmem}; do
		file=$set-$size.data
		[ -e "$file" ] && continue
		case $set in wide | sched | sysc | kmem)
			[ "$(id -u)" -eq 0 ] || { echo "$file: not made: not root"; continue; }
			;;
		py | pyfp)
			[ -n "$python" ] || { echo "$file: not made: python3-dbg is not installed"; continue; }
			;;
		esac
		case $set in
		fp) record "$file" "$size" -e cpu-clock -F "$rate" -g -- ./deep 100000000 ;;
		inl) record "$file" "$size" -e cpu-clock -F "$rate" -g -- ./cxx 100000000 ;;
		dwarf) record "$file" "$size" -e cpu-clock -F 8000 --call-graph dwarf -- ./deep-nofp 100000000 ;;
		inldw) record "$file" "$size" -e cpu-clock -F 8000 --call-graph dwarf -- ./cxx 100000000 ;;
		py) record "$file" "$size" -e cpu-clock -F 1000 --call-graph dwarf -- "$python" work.py ;;
		pyfp) record "$file" "$size" -e cpu-clock -F "$rate" -g -- "$python" work.py ;;
		flat) record "$file" "$size" -e cpu-clock -F "$rate" -m 1024 -- \
			./threads 8 100000000 ;;
		pair) record "$file" "$size" -e '{cpu-clock,task-clock}' -F "$rate" -m 1024 -- \
			./threads 8 100000000 ;;
		wide)
			background sh mix.sh
			record "$file" "$size" -e cpu-clock -F "$rate" -g -a -m 2048 -- sleep 1000
			endload
			;;
		sched)
			background sh pipes.sh
			record "$file" "$size" -e 'sched:*' -a -m 4096 -- sleep 1000
			endload
			;;
		sysc)
			background sh pipes.sh
			record "$file" "$size" -e 'raw_syscalls:*' -a -m 4096 -- sleep 1000
			endload
			;;
		kmem)
			background sh mix.sh
			record "$file" "$size" -e 'kmem:kmalloc,kmem:kfree,kmem:kmem_cache_*' \
				-e 'kmem:mm_page_alloc,kmem:mm_page_free' -c 1 -a -m 4096 -- sleep 1000
			endload
			;;
		esac
	done
done
