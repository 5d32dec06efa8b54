#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf script -F brstackinsn and its kin: the code that ran between branches, as Linux's perf prints it. The
# stacks of branches are those of walks through real programs (tests/data/fields.py), and some that cannot be.
. "$(dirname "$0")/../lib.sh"
plan 9
. "$TESTS/data/fields.sh"
command -v objdump > /dev/null || skip_all "to walk through programs: objdump is not there"

# A function of several lines each, one that is too long for a block, and one at the very end of the code.
cat > lines.c << 'END'
int var_a, var_b = 4;
__attribute__((noinline)) int fn_1(int i)
{
	int n = 0;
	while (i--)
		n += var_a;
	return n;
}
__attribute__((noinline)) int fn_2(int i)
{
	if (i > 3)
		return fn_1(i);
	var_a++;
	return fn_1(i + 1) + 2;
}
int main(void)
{
	int n = 0;
	for (int i = 0; i < 5; i++)
		n += fn_2(i);
	return n;
}
__asm__(".globl fn_long\n.type fn_long, @function\nfn_long: .fill 20000, 1, 0x90\njmp fn_long\n.size fn_long, . - fn_long\n");
END
"${CC:-cc}" -O1 -g -no-pie -fno-inline -o lines lines.c 2> cc.err || skip_all "no programs at fixed addresses: $(head -n 1 cc.err)"
python3 "$TESTS/data/fields.py" walk "$PWD/prog" walk.data
python3 "$TESTS/data/fields.py" walk "$PWD/lines" lines.data
cp lines bare
python3 "$TESTS/data/fields.py" walk "$PWD/bare" bare.data
strip bare

# as_linux FILE OPTION...: the text is that of Linux's perf, and there is much of it.
as_linux() {
	both_scripts "$@"
	check [ "$(grep -c 'insn: .*# .* cycles \[.*IPC$' ref)" -ge 70 ]
	check diff ref out
}

step "recordings without branches"
perf script -F brcntr -i walk.data
check [ $rc -eq 255 ]
check grep -q "brcntr': Display of branch counter requested but it's not enabled" err
for field in brstackinsn brstackinsnlen brstackdisasm; do
	perf script -F comm,$field -i plain.data
	check [ $rc -eq 255 ]
	check grep -q 'Display of branch stack assembler requested, but non all-branch filter set' err
	check grep -q "Hint: run 'perf record -b" err
done

step "brstackinsn: the instructions of each block, the branch at its end, up to the sample"
need_library capstone
for fields in ip,sym,dso,brstackinsn comm,brstackinsn,brstacksym,insn; do
	as_linux walk.data -F $fields
	as_linux lines.data -F $fields
done
as_linux bare.data -F ip,brstackinsn # code without symbols has no line of a function
refute grep -q "^	\(fn_\|main\)" out

step "what the walks have in them, so that the comparison means something"
need_library capstone
perf script --kallsyms symbols -F ip,brstack,brstackinsn -i walk.data
for what in ' MISPRED' ' PRED INTX' ' ABORT' 'not reaching sample' '0xffffffff81001000/' '/0xffffffff81001000' ' 0x0/' '/0x7f0000001000'; do
	check grep -q -- "$what" out
done
check [ "$(grep -c '^	main+[1-9][0-9]*:$' out)" -ge 50 ]

step "brstackinsnlen, with and without brstackinsn"
need_library capstone
for fields in ip,brstackinsnlen ip,brstackinsn,brstackinsnlen; do
	as_linux walk.data -F $fields
	check grep -q '	insn: 75 e[0-9a-f]                   	ilen: 2	# ' out
done

step "the source: its line behind the function, its text when it is another"
need_library capstone
as_linux walk.data -F ip,sym,srcline,srccode,brstackinsn
as_linux lines.data -F ip,brstackinsn,srccode
check grep -q '^|6        		n += var_a;$' out

step "--max-blocks: the last ones"
need_library capstone
for nr in 1 3; do
	as_linux walk.data -F ip,brstackinsn --max-blocks $nr
done
perf script -F brstackinsn --max-blocks 1 -i walk.data
check [ "$(wc -l < out)" -lt "$(wc -l < ref)" ]
perf script -F brstackinsn -i jumps.data --max-blocks x
check [ $rc -eq 129 ]

step "branches that do not fit the code: said where that is known, without what is behind it"
need_library capstone
perf script -F brstackinsn -i jumps.data # from and to anywhere in the functions
check grep -q '^	mismatch of LBR data and executable$' out
"$REF" script --kallsyms symbols -F brstackinsn -i jumps.data < /dev/null 2> ref.err > ref
check [ "$(grep -c mismatch out)" -eq "$(grep -c mismatch ref)" ]
perf script -F brstackinsn -i walk.data
check [ "$(grep -c mismatch out)" -lt 40 ]

step "brstackdisasm: the same blocks as text"
need_library capstone
perf script -F ip,brstackinsn -i walk.data
sed -nE 's/^	([0-9a-f]{16})	insn: [^	]*/\1/p' out > bytes
perf script -F ip,brstackdisasm -i walk.data
sed -nE 's/^	([0-9a-f]{16})	[^	]*/\1/p' out > texts
check cmp bytes texts
check [ "$(wc -l < texts)" -ge 1000 ]
objdump -d --no-show-raw-insn prog | sed -nE 's/^ +([0-9a-f]+):\t([a-z]+ +[^ <]+).*/0000000000\1 \2/p' | sort > starts
sed -nE 's/^	([0-9a-f]{16})	([a-z]+ +[^ 	]+).*/\1 \2/p' out | sort -u > ours
check [ "$(wc -l < ours)" -ge 30 ]
check [ -z "$(comm -13 starts ours)" ]
perf script -F brcntr -i walk.data
check [ $rc -eq 255 ]
check grep -q "brcntr': Display of branch counter requested but it's not enabled" err

step "brcntr: a letter for each count of an event at the branch"
need_library capstone
python3 "$TESTS/data/fields.py" counters "$PWD/prog" counters.data
perf script -F brstackinsn,brcntr -i counters.data
check [ "$(sed -nE 's/.*	br_cntr: ([^	]*)	# .*/\1/p' out | sort | uniq | tr '\n' ' ')" = "- A AAA+ AAA+B AB B BBB+ " ]
check grep -qE '^	[0-9a-f]{16}	insn: [0-9a-f ]{24}	br_cntr: AB	# ' out
check diff <(head -n 5 out) - << 'END'
# Branch counter abbr list:
# cycles = A
# instructions = B
# '-' No event occurs
# '+' Event occurrences may be lost due to branch counter saturated
END
perf script -v -F brstackinsn,brcntr -i counters.data
refute grep -q '^# Branch' out
check grep -qE '	br_cntr: cycles 3\+ instructions 1 	# ' out
check grep -qE '	br_cntr: cycles 0 instructions 0 	# ' out
finish
