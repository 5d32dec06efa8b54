#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The part of `make check`: every kept input of a harness, then mutations of its seeds, bounded.
#	tests/fuzz/smoke.sh PROGRAM
set -eu
program=$(readlink -f "$1")
kept=$(cd "$(dirname "$0")" && pwd)/corpus/$(basename "$1")
dir=$(mktemp -d /tmp/perf-fuzz-XXXXXX)
trap 'rm -rf -- "${dir:?}"' EXIT
cd "$dir"
if [ -d "$kept" ]; then
	timeout 60 "$program" "$kept" && echo "ok - kept inputs"
fi
timeout 120 "$program" -n 30000 -t 15 -r "${SEED:-1}" && echo "ok - mutations"
