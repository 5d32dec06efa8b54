#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Static points of programs as perf probe takes them: their arguments, and those that are asked for.
. "$(dirname "$0")/../lib.sh"
plan 7
command -v gcc > /dev/null || skip_all "no gcc"
has libtraceevent || skip_all "this perf is built without libtraceevent"
need_uprobe_events || finish
own_probes

# Its point "all" has an argument of each form that the kernel can fetch, and "none" one of each
# other. What the former are is printed.
cat > forms.c <<- 'END'
	#include <stdio.h>
	#define POINT(name, args)                                                                  \
		"990: nop\n.pushsection .note.stapsdt, \"\", @note\n.balign 4\n"                   \
		".4byte 992f - 991f, 994f - 993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"    \
		"993: .8byte 990b, 0, 0\n.asciz \"forms\", \"" name "\", \"" args "\"\n"           \
		"994: .balign 4\n.popsection\n"
	int number __attribute__((used)) = -1234;
	short blank[3] __attribute__((used));
	long table[4] = { 11, -22, 33, -44 };
	int main(void)
	{
		blank[2] = 77;
		__asm__ volatile("movl $0x12345678, %%eax\nmov %0, %%rbx\n" POINT("all",
			"8@%%rax 4@%%eax 2@%%ax 1@%%al 1@%%ah 8@(%%rbx) -8@8(%%rbx) -8@-8+16(%%rbx) 4@$5 -4@$-7 "
			"-4@number(%%rip) 2@blank+4(%%rip) -8@24+table(%%rip)") POINT("none",
			"8@(%%rbx,%%rax) 8@%%xmm0 8@%%fs:0 -1@%%ah 8@nosuch(%%rip) 8@$number 8@%%rbx 8@main(%%rip)")
			POINT("text", "8@%%rcx 4@$6") POINT("mixed", "4@$5") POINT("mixed", "") POINT("mixed", "4@$5")
			: : "r"(table), "c"("a text") : "rax", "rbx");
		printf("arg1=%u arg2=%u arg3=%u arg4=%u arg5=%u arg6=%ld arg7=%ld arg8=%ld arg9=%d arg10=%d arg11=%d arg12=%d arg13=%ld\n",
			0x12345678, 0x12345678, 0x5678, 0x78, 0x56, table[0], table[1], table[1], 5, -7, number, blank[2], table[3]);
		return 0;
	}
END
step "static probe points: an argument of each form has its value"
forms=${ME}_forms
if [ "$(uname -m)" != x86_64 ]; then
	skip "a machine other than x86-64"
elif check gcc -O1 -o "$forms" forms.c && need_uprobe_events; then
	perf probe -x "./$forms" -a "$ME:v=%sdt_forms:all"
	check [ $rc -eq 0 ]
	refute grep -q Warning err
	perf record -q -o v.data -e "$ME:v" "./$forms"
	mv out printed
	perf probe -q -d "$ME:*"
	perf script -i v.data -F trace
	check grep -q 'arg5=86 .*arg11=-1234 arg12=77 arg13=-44' printed
	check diff printed <(sed 's/^ *([0-9a-f]*) //; s/ *$//' out)
fi

step "static probe points: arguments of the user's, by what the point has"
if [ $state != skipped ] && [ ! -e "$forms" ]; then skip "as above"; fi
if [ $state != skipped ] && need_uprobe_events; then
	perf probe -x "./$forms" --try "$ME:v=%sdt_forms:all arg8 low=arg7:u8" --try "$ME:s=%sdt_forms:text arg1:string arg2 +2(arg1):char" -- "./$forms"
	check [ $rc -eq 0 ]
	check grep -q "$ME:v: ([0-9a-f]*) arg8=-22 low=234 *$" out
	check grep -q "$ME:s: ([0-9a-f]*) arg1_string=\"a text\" arg2=6 arg1='t' *$" out
	check grep -q "$ME:s (on %text in .*/$forms with arg1:string arg2 +2(arg1):char)" out
	# The places of a point have the same arguments then, and are one event.
	perf probe -x "./$forms" -D '%sdt_forms:mixed $comm'
	check [ "$(sed 's/ .* / /' out | sort -u)" = 'p:sdt_forms/mixed $comm' ]
	check [ "$(wc -l < out)" -eq 3 ]
	# Those that are not asked for need not be fetched.
	perf probe -x "./$forms" -D '%sdt_forms:none arg7'
	check [ $rc -eq 0 ]
	check [ ! -s err ]
	perf probe -x "./$forms" -D '%sdt_forms:none arg7 arg1'
	check [ $rc -ne 0 ]
	check grep -q "cannot fetch 'arg1': a place of the static probe point has no argument of this number that probes can fetch" err
	for argument in 'nonsense->x' 'arg1->x' '$vars' '$retval' arg arg1x; do
		perf probe -x "./$forms" -D "%sdt_forms:text $argument"
		check [ $rc -eq 234 ]
		check [ ! -s out ]
		check grep -qF "cannot fetch '$argument': a static probe point has no variables" err
	done
	# Those of the build-id cache, too; its definitions are whole.
	perf buildid-cache --add "$forms"
	perf probe -D '%sdt_forms:text t=arg1:string'
	check grep -q "^p:sdt_forms/text $PWD/$forms:0x[0-9a-f]* t=+0(%[a-z0-9]*):string\$" out
	perf probe -x "./$forms" --cache -n -a "$ME:kept=main"
	perf probe -D "%$ME:kept arg1"
	check [ $rc -eq 234 ]
	check grep -q "cannot fetch 'arg1': a definition of the build-id cache has arguments of its own" err
	perf buildid-cache --purge "$PWD/$forms"
fi

step "static probe points: a second point is no argument; what no kernel takes is refused before it is asked"
if [ $state != skipped ] && [ ! -e "$forms" ]; then skip "as above"; fi
if [ $state != skipped ]; then
	for args in '%sdt_forms:text' '%xyz' '@main' '\5:u8[2]' 'a=%di:nothing'; do
		perf probe -x "./$forms" -D "%sdt_forms:text $args"
		check [ $rc -ne 0 ]
		check [ ! -s out ]
		refute grep -q 'kernel refuses' err
		case $args in %sdt*) check grep -qF 'each static probe point is an --add of its own' err ;; esac
	done
	for args in %di 'a=%cx:u8' '\5:u8' arg1 '+0(arg1):u8' '+0(%cx):u8[2]'; do
		perf probe -x "./$forms" -D "%sdt_forms:text $args"
		check [ $rc -eq 0 ]
	done
fi

step "static probe points: arguments that cannot be fetched are named with the reason"
[ -e "$forms" ] || skip "as above"
if [ $state != skipped ]; then
	perf probe -x "./$forms" -D '%sdt_forms:none'
	check [ $rc -eq 0 ]
	check grep -q ":0x[0-9a-f]* arg7=%bx:u64\$" out
	check [ "$(grep -c "^Warning: argument [0-9] of 'forms:none' is left out" err)" -eq 7 ]
	check grep -qF "argument 1 of 'forms:none' is left out: '8@(%rbx,%rax)': probes add no more than a number to a register" err
	check grep -qF "'8@nosuch(%rip)': the file has no data of this name" err
	perf probe -x "./$forms" -q -D '%sdt_forms:none'
	check [ ! -s err ]
fi

step "%PROVIDER:POINT: said that sdt_ is missing"
perf probe -x "./$forms" -D '%forms:text'
check [ $rc -eq 254 ]
check grep -q "did you mean '%sdt_forms:text'?" err
perf probe -x "./$forms" -D '%forms:nosuch'
check [ $rc -eq 254 ]
refute grep -q 'did you mean' err
perf buildid-cache --add "$forms"
perf probe -D '%forms:text'
check [ $rc -eq 254 ]
check grep -q "did you mean '%sdt_forms:text'?" err
perf buildid-cache --purge "$PWD/$forms"

step "--vars of a static point: refused"
for point in %sdt_forms:all sdt_forms:all %all %nosuch %group:name; do
	perf probe -x "./$forms" --vars "$point"
	check [ $rc -eq 234 ]
	check grep -q "cannot show variables of '$point': a static probe point has arguments, which perf probe -D shows" err
done

step "--try: places of one event that do not stand together are one event, each hit counts once"
if [ $state != skipped ] && [ ! -e "$forms" ]; then skip "as above"; fi
if [ $state != skipped ] && need_uprobe_events; then
	perf probe -x "./$forms" -D "$ME:m=%sdt_forms:mixed"
	check [ "$(sed 's/ .*//' out | tr '\n' ' ')" = "p:$ME/m p:$ME/m_1 p:$ME/m " ]
	perf probe -x "./$forms" --try "$ME:m=%sdt_forms:mixed" -- "./$forms"
	check [ "$(grep "^ *[0-9]*  $ME:" out | sed 's/(.*//' | tr -d '\n')" = "           2  $ME:m            1  $ME:m_1 " ]
	check grep -q 'The first of 3 hits' out
	check [ -z "$(mine)" ]
fi
finish
