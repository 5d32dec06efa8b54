#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The part of `make check`: every kept input of a harness (corpus/NAME/*, and those that came to the
# most lines, corpus/NAME.tar.gz), then mutations of its seeds, bounded.
#	tests/fuzz/smoke.sh PROGRAM		(RUNS mutations, 30000, in at most LIMIT seconds of a processor, 4; 0: none)
set -eu
program=$(readlink -f "$1")
kept=$(cd "$(dirname "$0")" && pwd)/corpus/$(basename "$1")
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # folders made for each run: several times as fast
dir=$(mktemp -d -t perf-fuzz-XXXXXX)
trap 'rm -rf -- "${dir:?}"' EXIT
cd "$dir"
mkdir kept
[ ! -d "$kept" ] || cp "$kept"/* kept/
[ ! -e "$kept.tar.gz" ] || tar -xzf "$kept.tar.gz" -C kept
timeout 60 "$program" kept && echo "ok - kept inputs"
LIMIT=${LIMIT:-4}
[ "$LIMIT" -ne 0 ] || exit 0
timeout $((60 + 10 * LIMIT)) "$program" -n "${RUNS:-30000}" -t "$LIMIT" -r "${SEED:-1}" && echo "ok - mutations"
