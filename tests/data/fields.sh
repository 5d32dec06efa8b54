# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For suites that compare with Linux's perf on recordings that have all that a sample can have: makes
# prog, memory.data, branches.data, jumps.data, plain.data (fields.py), and symbols for --kallsyms; or skips the suite.
[ -x "$REF" ] || skip_all "to compare with: '$REF' is not there"
command -v python3 > /dev/null || skip_all "to make recordings: python3 is not there"
command -v nm > /dev/null && command -v readelf > /dev/null || skip_all "to make recordings: nm or readelf is not there"

cat > prog.c << 'END'
#define FN(n) __attribute__((noinline)) int fn_##n(int i) { volatile int x = i; while (i--) x += i * n + (x >> n); return x; }
FN(1) FN(2) FN(3) FN(4) FN(5) FN(6)
int var_a[40] = {1}, var_b[10] = {2}, var_c = 3; int var_zero[100];
int main(void) { return fn_1(1)+fn_2(2)+fn_3(3)+fn_4(4)+fn_5(5)+fn_6(var_c)+var_a[1]+var_b[2]+var_zero[7]; }
END
"${CC:-cc}" -O1 -g -no-pie -fno-inline -o prog prog.c 2> cc.err || skip_all "no programs at fixed addresses: $(head -n 1 cc.err)"
for kind in memory branches jumps plain; do
	python3 "$TESTS/data/fields.py" $kind "$PWD/prog" $kind.data
done
cat > symbols << 'END'
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81001000 T kern_one
ffffffff81001040 T kern_two
ffffffff81001090 T kern_three
ffffffff81002000 T kern_four
ffffffff82000000 T _etext
END
