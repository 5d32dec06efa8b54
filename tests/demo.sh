#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make demo`: records a program whose profile is known and a compiler at work, prints both
# reports, and fails if the known program's profile is not what it must be.
#	demo.sh PERF PLANTED
set -eu
perf=$(readlink -f "$1") planted=$(readlink -f "$2")
dir=$(mktemp -d)
trap 'rm -rf -- "${dir:?}"' EXIT
trap 'exit 130' INT TERM
export HOME=$dir LC_ALL=C
cd "$dir"

title() {
	printf '\n=== %s ===\n' "$*"
}

title "perf record -g planted: a program that spends known shares of its time"
"$perf" record -F 1999 -g -o planted.data "$planted" 2 > expected
cat expected
title "perf report --no-children --stdio"
"$perf" report -i planted.data --no-children --stdio --percent-limit 1 2> report.err | tee report
[ ! -s report.err ] || cat report.err >&2

title "perf record -g gcc: something real"
cat > heavy.c << 'C'
#define F(n) int f##n(int x) { for (int i = 0; i < x; i++) x = x * n + (x >> 3) % (i + n); return x; }
#define F4(n) F(n##0) F(n##1) F(n##2) F(n##3)
#define F16(n) F4(n##0) F4(n##1) F4(n##2) F4(n##3)
#define F64(n) F16(n##0) F16(n##1) F16(n##2) F16(n##3)
F64(1) F64(2) F64(3) F64(4)
C
"$perf" record -F 1999 -g -o gcc.data gcc -O2 -c heavy.c -o heavy.o
"$perf" report -i gcc.data --stdio -g none --percent-limit 1 2>> report.err | head -n 40

# The expected shares, measured self time; two points of sampling error are allowed.
title "the planted profile must be"
bad=0 shares=0
while read -r what name want; do
	[ "$what" = share ] || continue
	shares=$((shares + 1))
	got=$("$perf" report -i planted.data --no-children --stdio -g none --sort sym 2>> report.err |
		awk -v name="$name" '$NF == name { sub("%", "", $1); print $1; exit }')
	if awk -v got="${got:-0}" -v want="$want" 'BEGIN { exit !(got - want < 2 && want - got < 2) }'; then
		echo "ok   $name: $got %, planted $want %"
	else
		echo "BAD  $name: ${got:-no} %, planted $want %"
		bad=1
	fi
done < expected
# And the call chain: planted_hot must be called by the functions that call it.
[ $shares -ge 3 ] || { echo "BAD  planted said $shares shares: was it run?" && bad=1; }
chain=$(sed -n 's/^chain //p' expected)
folded=$("$perf" report -i planted.data --no-children --stdio -g folded,0,callee --sort sym 2>> report.err |
	grep -oE '(^| )planted_hot;[^ ]*' | head -n 1)
case ${folded# } in
"$(echo "$chain" | tr ' ' ';')"*) echo "ok   chain: ${folded# }" ;;
*) echo "BAD  chain: '${folded# }', planted $chain" && bad=1 ;;
esac
[ $bad -eq 0 ] && echo "the profile is true" || { echo "the profile is NOT true" && exit 1; }
