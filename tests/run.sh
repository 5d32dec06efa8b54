#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make check`: builds every variant, runs every test, and ends with `N passed, N failed, N
# skipped`. Jobs run side by side; the log of each is kept in build/check/ until the next run.
#
#	tests/run.sh [TEXT]...		only jobs whose name has one of the texts: "cli/record"
#
# A job is a program that prints results as lines "ok ...", "not ok ..." or "FAIL ...", "skip
# NAME: REASON". One that fails without such a line is one failure; exit status 77 is a skip whose
# reason is its last line.
#
# A job that fails beside others is run again alone at the end: what it says then counts. One that
# passes alone is still named at the end, because a test that depends on what else runs is a
# mistake of its own.
set -u
cd "$(dirname "$0")/.." || exit 2
# The builds below are jobs of this script, not of the make that called it: its job server would
# only warn that they do without it.
unset MAKEFLAGS MFLAGS MAKELEVEL
MAKE=${MAKE:-make}
logs=$PWD/build/check
parallel=$(nproc)
passed=0 failed=0 skipped=0
wanted=("$@")
running=()
mkdir -p "$logs" && rm -f "$logs"/*.log "$logs"/failures
start=$SECONDS

stop() {
	local pid
	for pid in "${running[@]}"; do
		kill -TERM -- "-$pid" 2> /dev/null
	done
	exit 130
}
trap stop INT TERM

is_wanted() {
	local text
	[ ${#wanted[@]} -gt 0 ] || return 0
	for text in "${wanted[@]}"; do
		case $1 in *"$text"*) return 0 ;; esac
	done
	return 1
}

# failed_steps LOG: each result that is bad, below what was said before it.
failed_steps() {
	awk '/^(ok|skip|SKIP) / { n = 0; next }
	     { said[n++] = $0 }
	     /^(not ok|FAIL) / {
		for (i = 0; i < n; i++)
			if (i < 20 || i >= n - 10)
				print said[i]
		n = 0
	     }' "$1"
}

# report NAME LOG STATUS SECONDS: count and print what a job said.
report() {
	local name=$1 log=$2 status=$3 took=$4 ok bad skip
	ok=$(grep -cE '^ok ' "$log")
	bad=$(grep -cE '^(not ok|FAIL) ' "$log")
	skip=$(grep -cE '^(skip|SKIP) ' "$log")
	if [ "$status" -eq 77 ] && [ $((ok + bad + skip)) -eq 0 ]; then
		skip=1
		echo "skip  $name: $(tail -n 1 "$log")"
	elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		bad=1
		{
			echo "FAIL  $name (status $status, ${took} s), the end of $log:"
			tail -n 25 "$log" | sed 's/^/      /'
		} | tee -a "$logs/failures"
	elif [ "$bad" -gt 0 ]; then
		{
			echo "FAIL  $name ($bad of $((ok + bad)), ${took} s), from $log:"
			failed_steps "$log" | sed 's/^/      /'
		} | tee -a "$logs/failures"
	else
		[ $((ok + skip)) -gt 0 ] || ok=1
		echo "ok    $name ($ok, ${took} s)"
	fi
	grep -E '^(skip|SKIP) ' "$log" | sed 's/^/      /'
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
	results_of[$name]="$ok $bad $skip"
	[ "$bad" -eq 0 ] || failed_jobs+=("$name")
}

declare -A name_of log_of since_of limit_of command_of results_of
failed_jobs=() unsteady=()

reap() {
	local pid status i
	wait -n -p pid "${running[@]}"
	status=$?
	for i in "${!running[@]}"; do
		[ "${running[i]}" != "$pid" ] || unset "running[i]"
	done
	running=("${running[@]}")
	report "${name_of[$pid]}" "${log_of[$pid]}" "$status" $((SECONDS - since_of[$pid]))
}

# job NAME SECONDS COMMAND...: start it as soon as there is room. In a session of its own, so that
# it can be ended with all it started.
job() {
	local name=$1 limit=$2 log
	shift 2
	is_wanted "$name" || return 0
	log=$logs/$(echo "$name" | tr '/ ' '--').log
	limit_of[$name]=$limit command_of[$name]=$(printf '%q ' "$@")
	while [ ${#running[@]} -ge "$parallel" ]; do
		reap
	done
	setsid timeout -k 10 "$limit" "$@" > "$log" 2>&1 < /dev/null &
	running+=($!)
	name_of[$!]=$name log_of[$!]=$log since_of[$!]=$SECONDS
}

finish_jobs() {
	while [ ${#running[@]} -gt 0 ]; do
		reap
	done
}

# Each failed job alone. Its first results do not count when it passes.
again() {
	local name names=("${failed_jobs[@]}") ok bad skip
	for name in "${names[@]}"; do
		[ -n "${command_of[$name]:-}" ] || continue
		echo "again, alone: $name"
		mv "$logs/$(echo "$name" | tr '/ ' '--').log"{,.first}
		read -r ok bad skip <<< "${results_of[$name]}"
		failed_jobs=()
		passed=$((passed - ok)) failed=$((failed - bad)) skipped=$((skipped - skip))
		eval "job '$name' ${limit_of[$name]} ${command_of[$name]}"
		finish_jobs
		[ ${#failed_jobs[@]} -gt 0 ] || unsteady+=("$name")
	done
}

# build NAME VARIABLES...: without a warning, in build/check-NAME.
build() {
	local name=$1
	shift
	job "build/$name" 600 tests/build.sh "$MAKE" -s O="build/check-$name" "$@"
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
tests/build.sh "$MAKE" -s -j"$parallel" all build/unit-tests workloads fuzz \
	> "$logs/build.log" 2>&1
status=$?
report build "$logs/build.log" $status $((SECONDS - start))
[ $status -eq 0 ] || { echo "$passed passed, $failed failed, $skipped skipped" && exit 1; }
build asan DEVELOPER=1 SAN=address,undefined CFLAGS="-O1 -g1" all build/check-asan/unit-tests fuzz
build tsan SAN=thread CFLAGS="-O1 -g1" all build/check-tsan/unit-tests
build no-all DEVELOPER=1 NO_ALL=1 CFLAGS="-O1 -g1" all build/check-no-all/unit-tests
if have clang; then
	build clang DEVELOPER=1 CC=clang CFLAGS="-O1 -g1" all build/check-clang/unit-tests
else
	skipped_job build/clang "clang is not installed"
fi
job guest/fetch 330 tests/guest/fetch.sh
finish_jobs
# Guests need programs of their own architecture, and those the tests name.
export PERF_GUEST_FETCH=no PERF_GUEST_BUILD_AMD64=$PWD/build
export PERF_GUEST_BUILD_ARM64=$PWD/build/check-arm64 PERF_GUEST_BUILD_RISCV64=$PWD/build/check-riscv64
for arch in arm64 riscv64; do
	sysroot=$(tests/guest/fetch.sh --sysroot $arch)
	programs=$(sed -n 's/^# guest: .*programs=\([^ ]*\).*/\1/p' tests/guest/$arch/*.sh | tr ',' '\n' | sort -u)
	if [ ! -d "$sysroot" ]; then
		skipped_job guest/build-$arch "the guest's libraries are not there (guest/fetch)"
	elif ! have ${arch/arm64/aarch64}-linux-gnu-gcc; then
		skipped_job guest/build-$arch "${arch/arm64/aarch64}-linux-gnu-gcc is not installed"
	else
		# CC, which `make check` hands on, is this machine's.
		# shellcheck disable=SC2046,SC2086 # names are words
		job guest/build-$arch 600 env -u CC tests/build.sh "$MAKE" -s ARCH=$arch SYSROOT="$sysroot" O=build/check-$arch \
			DEVELOPER=1 CFLAGS=-O2 all $(printf "build/check-$arch/workloads/%s " $programs)
	fi
done
finish_jobs

# ---- tests ----
# A sanitizer ends the program with a status that no test expects.
export ASAN_OPTIONS=detect_leaks=0:exitcode=86 UBSAN_OPTIONS=print_stacktrace=1:exitcode=86
export TSAN_OPTIONS=exitcode=86
export PERF=$PWD/build/perf WORKLOADS=$PWD/build/workloads

job unit 120 build/unit-tests
job "unit [asan]" 300 build/check-asan/unit-tests
# Some kernels give mmap more randomness than gcc 12's TSan can bear. The oracle of the machine
# uses no threads and takes TSan over a minute.
job "unit [tsan]" 400 setarch -R build/check-tsan/unit-tests -machine_
job "unit [no-all]" 120 build/check-no-all/unit-tests
for test in tests/cli/*.sh; do
	job "cli/$(basename "$test" .sh)" 400 "$test"
done
for test in tests/cli/*.sh; do
	job "cli/$(basename "$test" .sh) [asan]" 600 env PERF="$PWD/build/check-asan/perf" LIMIT=150 "$test"
done
for test in workers record-threads; do
	job "cli/$test [tsan]" 400 env PERF="$PWD/build/check-tsan/perf" LIMIT=150 setarch -R "tests/cli/$test.sh"
done
job "links [no-all]" 60 tests/links.sh build/check-no-all/perf "$MAKE"
job "cli/smoke [no-all]" 300 env PERF="$PWD/build/check-no-all/perf" tests/cli/smoke.sh
job campaign 400 tests/campaign/campaign.py --cases 500 --seed 7
job "campaign [asan]" 400 env PERF="$PWD/build/check-asan/perf" tests/campaign/campaign.py --cases 100 --seed 7
job campaign/selftest 200 tests/campaign/campaign.py --selftest
for program in build/check-asan/fuzz/*; do
	[ ! -x "$program" ] || job "fuzz/${program##*/}" 300 tests/fuzz/smoke.sh "$program"
done
for test in tests/guest/{amd64,arm64,riscv64}/*.sh; do
	[ ! -e "$test" ] || job "${test:6:-3}" 400 "$test"
done
job guest/runner 400 tests/guest/runner.sh
job guest/machines 400 tests/guest/machines.sh
job compat/stacks 400 tests/compat/stacks.sh
job demo 120 tests/demo.sh build/perf build/workloads/planted
job gates 400 tests/bench/gates.sh
job coverage 600 tests/coverage.sh "$MAKE"
job install 100 tests/install.sh "$MAKE"
job lint 200 tests/lint.sh
finish_jobs
# Alone: its system-wide recordings hold whatever runs, and both tools must still find it there.
job compat 900 tests/compat/run.sh
finish_jobs

again

if [ -s "$logs/failures" ]; then
	echo "what failed, first and again:"
	cat "$logs/failures"
fi
[ ${#unsteady[@]} -eq 0 ] || echo "failed beside others, passed alone: ${unsteady[*]}"
echo "$((SECONDS - start)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
