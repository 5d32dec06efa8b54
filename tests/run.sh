#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make check`: builds every variant, runs every test, and ends with `N passed, N failed, N
# skipped`. Jobs run side by side; the log of each is kept in build/check/ until the next run.
#
#	tests/run.sh [TEXT]...		only jobs whose name has one of the texts: "cli/record"
#	ALL=yes				sanitizers also in what is not worth the time in each run
#
# What a job is and what becomes of it: tests/jobs.sh.
set -u
cd "$(dirname "$0")/.." || exit 2
# The builds below are jobs of this script, not of the make that called it: its job server would
# only warn that they do without it.
unset MAKEFLAGS MFLAGS MAKELEVEL
MAKE=${MAKE:-make}
logs=$PWD/build/check
parallel=$(nproc)
wanted=("$@")
silent=('build' 'build/*' 'guest/build-*' 'guest/fetch')
. tests/jobs.sh

# Suites that mount tracefs for themselves would take it away from each other.
if [ "$(id -u)" -eq 0 ] && ! grep -q ' tracefs ' /proc/mounts; then
	mount -t tracefs nodev /sys/kernel/tracing 2> /dev/null && trap 'umount -l /sys/kernel/tracing' EXIT
fi

# build NAME VARIABLES...: without a warning, in build/check-NAME.
build() {
	local name=$1
	shift
	job "build/$name" 1500 tests/build.sh "$MAKE" -s O="build/check-$name" "$@"
}

have() {
	command -v "$1" > /dev/null
}

skipped_job() {
	is_wanted "$1" || return 0
	echo "skip  $1: $2"
	skipped=$((skipped + 1))
}

# ---- builds ----
echo "building"
tests/build.sh "$MAKE" -s -j"$parallel" all build/unit-tests workloads \
	> "$logs/build.log" 2>&1
status=$?
report build "$logs/build.log" $status $((SECONDS - start))
[ $status -eq 0 ] || { echo "$passed passed, $failed failed, $skipped skipped" && exit 1; }

# Most of what tests do is wait: for what is recorded, for signals, for the end of a time.
parallel=$((2 * $(nproc))) most=$((4 * $(nproc)))
# A sanitizer ends the program with a status that no test expects, also for memory that nobody frees.
export ASAN_OPTIONS=exitcode=86 UBSAN_OPTIONS=print_stacktrace=1:exitcode=86
export LSAN_OPTIONS=suppressions=$PWD/tests/leaks.txt:print_suppressions=0
export TSAN_OPTIONS=exitcode=86
export PERF=$PWD/build/perf WORKLOADS=$PWD/build/workloads
export PERF_GUEST_FETCH=no PERF_GUEST_BUILD_AMD64=$PWD/build
export PERF_GUEST_BUILD_ARM64=$PWD/build/check-arm64 PERF_GUEST_BUILD_RISCV64=$PWD/build/check-riscv64
# What is left out but by `make check-all`: design.md, section 8.
. tests/turn.sh
everything=${ALL:-}
[ "$everything" = yes ] && threads='' pick=-machine_oracle fuzz=15 || threads=THREADS=1 pick=--threads fuzz=2

# Begun first; tests run beside them, and wait for the build they need (after).
build asan DEVELOPER=1 SAN=address,undefined CFLAGS="-O1 -g1" all build/check-asan/unit-tests fuzz
# shellcheck disable=SC2086 # a word or none
build tsan SAN=thread CFLAGS="-O1 -g1" $threads all build/check-tsan/unit-tests
job guest/fetch 330 env PERF_GUEST_FETCH=yes tests/guest/fetch.sh
job empty 1500 env WHOLE="$everything" tests/empty.sh
# Long ones are not begun last.
job cli/lines 1000 tests/cli/lines.sh
job cli/call-graph-auto 1000 tests/cli/call-graph-auto.sh
build no-all DEVELOPER=1 NO_ALL=1 CFLAGS=-O0 COVER="$(tests/coverage.sh --rooms)" all build/check-no-all/unit-tests
if have clang; then
	# For its warnings, which are the same without optimization.
	build clang DEVELOPER=1 CC=clang CFLAGS=-O0 all build/check-clang/unit-tests
else
	skipped_job build/clang "clang is not installed"
fi
job unit 400 build/unit-tests

# ---- tests ----
# These come with the last: everybody's lists of tracepoints have what they make.
probes=' probe '
for test in tests/cli/*.sh; do
	name=$(basename "$test" .sh)
	case "$probes lines call-graph-auto " in *" $name "*) continue ;; esac
	job "cli/$name" 1000 "$test"
done
# Guests need programs of their own architecture, and those the tests name.
after guest/fetch
for arch in arm64 riscv64; do
	sysroot=$(PERF_GUEST_FETCH=yes tests/guest/fetch.sh --sysroot $arch)
	programs=$(sed -n 's/^# guest: .*programs=\([^ ]*\).*/\1/p' tests/guest/$arch/*.sh | tr ',' '\n' | sort -u)
	if [ ! -d "$sysroot" ]; then
		skipped_job guest/build-$arch "the guest's libraries are not there (guest/fetch)"
	elif ! have ${arch/arm64/aarch64}-linux-gnu-gcc; then
		skipped_job guest/build-$arch "${arch/arm64/aarch64}-linux-gnu-gcc is not installed"
	else
		# CC, which `make check` hands on, is this machine's.
		# shellcheck disable=SC2046,SC2086 # names are words
		job guest/build-$arch 1500 env -u CC tests/build.sh "$MAKE" -s ARCH=$arch SYSROOT="$sysroot" O=build/check-$arch \
			DEVELOPER=1 CFLAGS=-O1 all $(printf "build/check-$arch/workloads/%s " $programs)
	fi
done
after build/asan
# Whether numbers are right is asked of the plain build: what computes for long or holds the size of
# the process is left out of the others.
numbers='-storm_of_processes -stays_as_large -series_median -lockstep_is -comparison_stops -ordered_sorts -compressor_levels
	-trace_text_of_own'
[ "$everything" != yes ] || numbers=
# shellcheck disable=SC2086 # words
job "unit [asan]" 900 build/check-asan/unit-tests $numbers
# With sanitizers those that read what others wrote, in all forms, and the ways of recording once each; those of
# $turns, a third of them each time. The others load the machine, repeat, or ask other programs; what they run of
# perf is the same. How perf leaves the system is known from before.
read=(buildid-list convert-callchain cut-packed damage data dump evlist forms script stat-record record unwind smoke)
turns=(annotate archive buildid-cache config filter forms-write inject kmem list probe probe-compare record-options
	record-threads report report-keys report-options same-output script-fields sdt stat stat-compare stat-options symbols)
for i in "${!turns[@]}"; do
	! is_turn "$i" 3 || read+=("${turns[i]}")
done
asan_too() {
	[ "$everything" = yes ] || [[ " ${read[*]} " == *" $1 "* ]] || return 0
	job "cli/$1 [asan]" 1500 env PICTURE=no AGAIN=yes PERF="$PWD/build/check-asan/perf" LIMIT=300 "tests/cli/$1.sh"
}
for test in tests/cli/*.sh; do
	name=$(basename "$test" .sh)
	case $probes in *" $name "*) continue ;; esac
	asan_too "$name"
done
after build/tsan
job "unit [tsan]" 1200 setarch -R build/check-tsan/unit-tests "$pick"
for test in workers record-threads; do
	job "cli/$test [tsan]" 800 env PERF="$PWD/build/check-tsan/perf" LIMIT=300 setarch -R "tests/cli/$test.sh"
done
after build/no-all
# shellcheck disable=SC2086 # words
job "unit [no-all]" 600 tests/coverage.sh build/check-no-all $numbers
job "links [no-all]" 60 tests/links.sh build/check-no-all/perf "$MAKE"
job "cli/smoke [no-all]" 300 env PERF="$PWD/build/check-no-all/perf" tests/cli/smoke.sh
job campaign 400 tests/campaign/campaign.py --cases 500 --seed 7
job "campaign [asan]" 400 env PERF="$PWD/build/check-asan/perf" tests/campaign/campaign.py --cases 100 --seed 7
job campaign/selftest 200 tests/campaign/campaign.py --selftest
after guest/build-arm64
after guest/build-riscv64
for test in tests/guest/{amd64,arm64,riscv64}/*.sh; do
	[ ! -e "$test" ] || job "${test:6:-3}" 400 "$test"
done
job guest/runner 400 tests/guest/runner.sh
job guest/machines 400 tests/guest/machines.sh
job compat/programs 900 tests/compat/run.sh --programs
job compat/stacks 400 tests/compat/stacks.sh
job compat/annotate 300 tests/compat/annotate.sh
job demo 120 tests/demo.sh build/perf build/workloads/planted
job gates 400 tests/bench/gates.sh
job install 100 tests/install.sh "$MAKE"
job jobs 100 tests/jobs-test.sh
[ "$everything" != yes ] || job coverage 600 tests/coverage.sh --make "$MAKE"
finish_jobs

# ---- what needs the machine for itself, but for a processor that computes ----
parallel=$(nproc) most=$parallel
for name in $probes; do
	job "cli/$name" 1000 "tests/cli/$name.sh"
	asan_too "$name"
done
finish_jobs
# System-wide recordings hold whatever runs, and both tools must still find it there: these are single
# processes of programs that stay. Not those that compile: in chains of compilers, which keep no frames,
# addresses of data are found, which have a name with Linux's perf alone.
# All kept inputs each time; mutations of a quarter of the harnesses by turns.
fuzz() { # yes|no: those that compile; $fuzz: seconds of a processor
	local program compiles i=0 limit
	for program in build/check-asan/fuzz/*; do
		i=$((i + 1))
		case ${program##*/} in debug_* | probe_finder) compiles=yes ;; *) compiles=no ;; esac
		[ -x "$program" ] && [ $compiles = "$1" ] || continue
		[ "$everything" = yes ] || is_turn $i 4 && limit=$fuzz || limit=0
		job "fuzz/${program##*/}" 300 env LIMIT="$limit" tests/fuzz/smoke.sh "$program"
	done
}
job compat/machine 900 tests/compat/run.sh --machine
fuzz no
finish_jobs
fuzz yes
job lint 400 tests/lint.sh
finish_jobs

again
summary
