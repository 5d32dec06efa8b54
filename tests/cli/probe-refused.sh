#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Arguments that no kernel takes are refused before they are written, with the reason: -D prints none of
# them. The kernel here is asked about each, so that nothing is refused that it takes.
. "$(dirname "$0")/../lib.sh"
plan 3
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
[ "$(uname -m)" = x86_64 ] || skip_all "registers are those of x86-64"
own_probes
cat > refused.c <<- 'END'
	#include <stdio.h>
	struct cell { int v; char name[8]; } table[4] = { { 1, "one" } };
	__attribute__((noipa)) int use(struct cell *p, int n, const char *text) { return p->v + n + *text; }
	int main(int argc, char **argv) { return printf("%d\n", use(table, argc, argv[0])) < 0; }
END
gcc -g -O1 -o "./$ME" refused.c || skip_all "gcc builds no program"

# What only the kernel has to say: perf hands it on as it is.
raw='%di:q8 %di:s32[2] +0(%di):s32[0] +0(%di):s32[65] +0(%di):s32[x] +0(%di):s32[4 +0(%di):s32[4]x @table @table+8 %zz %rdi %ds
	$foo $arg1 $stackx $retval $comm:u8 %di:symbol +0(%di):symstr %di:%pd %di:string %si:ustring $stack0:string %di:u %di:u7
	%di:x128 %di:b3@2/24 %di:b0@2/32 %di:b31@2/32 %di:b3@2 %di:b3 \x +8 +8(%di +x(%di) +8(%di)) +8(+8(%zz)) +8($foo) +8() %di:
	%di:u8:u8 +0(@table) @x+'
raw_good='%di %di:u8 %flags %orig_ax %ip +0(%di):s32[64] @0x1000 @1000:u8 @+0x40 @+0x40:u32[3] @+-0x40 $stack $stack0 $stack99:x8 $comm
	$comm:string %di:char +0(%di):char[4] +0(%di):string +0(%di):ustring +0(%di):string[2] +u0(%di):string +u8(%di):u8 %di:b3@2/32
	\5 \-5:s8 \0x5 -8(%di):u8 +8(+8(%di)):x64'

step "what no kernel takes is refused with the reason, and this kernel refuses it"
while read -r arg part; do
	perf probe -x "./$ME" -D "use $arg"
	check [ $rc -eq 234 ]
	check [ ! -s out ]
	check grep -qF "cannot fetch '$arg'" err
	check grep -qF -- "$part" err
done <<- 'END'
	n:q8 the kernel has no type 'q8'
	p->v:s32[0] 's32[0]' is no array of 1 to 64 elements
	p->name:s8[99] 's8[99]' is no array of 1 to 64 elements
	n:s32[4] 'n' is not in memory there, as arrays are
	p:symbol 'symbol' is for the kernel's own probes
	@table the kernel knows no symbols of programs
	@table a variable is named without '@'
	%zz the kernel knows no register '%zz' of this machine
	%rdi did you mean '%di'?
	$foo the kernel has no '$foo'
	$retval there is no $retval before the function returns
	%di:string +0(VALUE):string is the text that a value points to
	$arg1 parameters have names there
END
for arg in $raw; do
	perf probe -x "./$ME" -D "use $arg"
	check [ $rc -eq 234 ]
	check [ ! -s out ]
	check grep -qF "cannot fetch '$arg': " err
done
perf probe -x "./$ME" -D 'use%return $retval:string'
check [ $rc -eq 234 ]

step "what it takes is printed"
for arg in $raw_good; do
	perf probe -x "./$ME" -D "use $arg"
	check [ $rc -eq 0 ]
	check [ "$(sed 's/^p:[^ ]* [^ ]* //' out)" = "$arg" ]
done
perf probe -x "./$ME" -D 'use n:u8 p->name:char[8] p->v:b3@2/32 text:ustring p:x64'
check [ $rc -eq 0 ]

step "the kernel is of the same opinion"
if need_uprobe_events; then
	perf probe -x "./$ME" -D "use"
	place=$(sed 's/^p:[^ ]* //' out)
	takes() { # ARG: what the kernel says of it
		echo "p:probe_$ME/asked $place a=$1" >> "$(tracefs)/uprobe_events" && echo "-:probe_$ME/asked" >> "$(tracefs)/uprobe_events"
	} 2> /dev/null
	for arg in $raw; do
		refute takes "$arg"
	done
	for arg in $raw_good; do
		case $arg in
		%*:char | *:char* | @+-*) ;; # not of older ones
		*) check takes "$arg" ;;
		esac
	done
	for def in 'n:u8' 'p->name:u8[8]' 'p->v:b3@2/32' 'text:string' 'table[0].name:string'; do
		perf probe -q -x "./$ME" -a "probe_$ME:added=use $def"
		check [ $rc -eq 0 ]
		check grep -q "/added " <(mine)
		perf probe -q -d "probe_$ME:added"
	done
fi
finish
