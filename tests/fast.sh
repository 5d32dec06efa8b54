#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make check-fast`, while one works: the build, the unit tests but for those that compute for long,
# and ten command suites, one for each thing that perf does. Under a minute on two quiet cores;
# `make check` is the judge. Logs are in build/check-fast/.
set -u
cd "$(dirname "$0")/.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL
logs=$PWD/build/check-fast parallel=$(nproc) wanted=("$@") silent=(build)
. tests/jobs.sh

tests/build.sh "${MAKE:-make}" -s -j"$parallel" all build/unit-tests workloads > "$logs/build.log" 2>&1
status=$?
report build "$logs/build.log" $status $((SECONDS - start))
[ $status -eq 0 ] || exit 1
export PERF=$PWD/build/perf WORKLOADS=$PWD/build/workloads AGAIN=yes

job unit 300 build/unit-tests -debug_info_of_clang -debug_info_agrees -machine_equals
for test in report script stat stat-record foreign inlines evlist buildid-list convert-callchain smoke; do
	job "cli/$test" 100 "tests/cli/$test.sh"
done
finish_jobs
summary
