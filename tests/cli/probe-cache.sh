#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf probe --cache: definitions kept in the build-id cache, listed, used again by their names, and
# removed; in the layout of Linux's perf.
. "$(dirname "$0")/../lib.sh"
plan 9
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes
cat > program.c <<- 'END'
	#include <stdio.h>
	__attribute__((noinline)) int first(int n) { return printf("n=%d\n", n); }
	__attribute__((noinline)) int second(int n, long m) { return printf("m=%ld\n", n + m); }
	int main(int argc, char **argv) { return first(argc) + second(argc, 41) < 0; }
END
gcc -g -O2 -w -Wl,--build-id -o "$ME" program.c || skip_all "gcc cannot build it"
id=$(id_of "$ME")
[ -n "$id" ] || skip_all "no readelf, or a linker that makes no build-ids"

kept() {
	cat "$HOME/.debug$PWD/$ME/$id/probes"
}
place() { # the place in the file of FUNCTION
	printf '0x%x' $((0x$(nm "$ME" | awk -v f="$1" '$3 == f { print $1 }')))
}

step "--add keeps what was added: with its name if it was given one"
perf probe -n --cache -x "./$ME" -a 'first n' -a 'e=second m' -a 'g:x=first%return $retval' -a 'program.c:3'
check [ $rc -eq 0 ]
cat > want <<- END
	#first n
	p:probe_$ME/first $PWD/$ME:$(place first) n=%di:s32
	#probe_$ME:e=second m
	p:probe_$ME/e $PWD/$ME:$(place second) m=%si:s64
	#g:x=first%return \$retval
	r:g/x__return $PWD/$ME:$(place first) \$retval:s32
	#@program.c:3
	p:probe_$ME/second $PWD/$ME:$(place second)
END
check diff want <(kept)
perf probe -n --cache -x "./$ME" -a 'e=second n' # replaces the one of that name
check [ "$(kept | grep -c "^#probe_$ME:e=")" -eq 1 ]
check [ "$(kept | grep -A1 "^#probe_$ME:e=second n" | tail -n 1)" = "p:probe_$ME/e $PWD/$ME:$(place second) n=%di:s32" ]
perf probe -n --cache -x "./$ME" -a 'first n' -a nosuch
check [ $rc -eq 254 ]
check [ "$(kept | grep -c '^#')" -eq 4 ]

step "--list --cache: by object, with filters; without a tracefs"
PERF_TRACEFS_DIR=$PWD/nowhere perf probe --cache --list
check [ $rc -eq 0 ]
check [ "$(cat out)" = "$PWD/$ME ($id):
first n
g:x=first%return \$retval
@program.c:3
probe_$ME:e=second n" ]
perf probe --cache -l 'first*'
check [ "$(cat out)" = "$PWD/$ME ($id):
first n" ]
perf probe --cache -l 'g:* | @*'
check [ "$(wc -l < out)" -eq 3 ]
perf probe --cache -l '('
check [ $rc -eq 129 ]
if [ -x "$REF" ]; then
	for filter in '' 'first*' 'probe_*:*'; do
		timeout 20 "$REF" probe --cache --list $filter > theirs 2> /dev/null < /dev/null
		perf probe --cache --list $filter
		check diff theirs out
	done
fi

step "%NAME: used again, of one program or whichever has it"
for def in %e "%probe_$ME:e" '%[e]' "%probe_${ME%p}?:*"; do
	for where in "-x ./$ME" ""; do
		# shellcheck disable=SC2086
		perf probe $where -D "$def"
		check [ $rc -eq 0 ]
		check [ "$(cat out)" = "p:probe_$ME/e $PWD/$ME:$(place second) n=%di:s32" ]
	done
done
perf probe -D "other:name=%probe_$ME:e"
check [ "$(cat out)" = "p:other/name $PWD/$ME:$(place second) n=%di:s32" ]
for def in %nosuch %nosuch:e %first; do
	perf probe -x "./$ME" -D "$def"
	check [ $rc -eq 254 ]
	perf probe -D "$def"
	check [ $rc -eq 254 ]
	check grep -q 'perf probe --cache --list' err
done
perf probe -D '%a:b:c'
check [ $rc -eq 129 ]

step "%NAME without a program is added to the programs' probes; static points, too"
if need_uprobe_events; then
	perf probe "%probe_$ME:e"
	check [ $rc -eq 0 ]
	check grep -q "^  probe_$ME:e *(on %e in $PWD/$ME)\$" err
	perf record -q -o a.data -e "probe_$ME:e" "./$ME"
	perf script -i a.data -F event,trace
	check grep -q "probe_$ME:e: ([0-9a-f]*) n=1" out
	perf probe "%probe_$ME:e"
	check [ $rc -eq 239 ]
	perf probe -q --del "probe_$ME:*"
	check [ -z "$(mine)" ]
	perf probe "%probe_$ME:e" -a vfs_read # words and --add are one command
	check [ $rc -ne 0 ]
	check [ -z "$(mine)" ]
fi
if readelf -n "$WORKLOADS/probes" | grep -q planted; then
	cp "$WORKLOADS/probes" planted
	perf buildid-cache --add planted
	perf probe -D sdt_planted:many2 -D %sdt_planted:plain
	check [ "$(sed 's/0x[0-9a-f]*/N/g' out)" = "p:sdt_planted/many2 $PWD/planted:N(N) arg1=%si:s64
p:sdt_planted/plain $PWD/planted:N" ]
	# All arguments of the program's note: the cache's file has no constants.
	perf probe -D planted=sdt_planted:many
	check grep -q "^p:sdt_planted/planted $PWD/planted:0x[0-9a-f]* .* arg3=.7:s32 arg4=" out
	check grep -q "argument 6 of 'planted:many' is left out" err
	perf probe --cache -l 'sdt_planted:m*'
	check [ "$(grep -c '^sdt_planted:many2\{0,1\}=many' out)" -eq 2 ]
	perf probe -n --cache -x ./planted -a main # the points stay, and are events still
	perf list 'sdt_planted:*' # other suites may have made tracepoints of that name, too
	check [ "$(grep -c '\[SDT event\]$' out)" -eq 4 ]
fi

step "both perfs read what the other keeps"
if [ -x "$REF" ]; then
	timeout 20 "$REF" probe -x "./$ME" -D %e > theirs 2> /dev/null < /dev/null
	perf probe -x "./$ME" -D %e
	check diff theirs out
	for p in "$REF" "$PERF"; do
		rm -rf cache
		mkdir cache
		"$p" --buildid-dir "$PWD/cache" probe -n --cache -x "./$ME" -a 'first n' -a 'y=second n m' -a 'sec*' -a main > out 2>&1 < /dev/null
		cat "cache$PWD/$ME/$id/probes" > "kept.${p##*/}.$([ "$p" = "$REF" ] && echo theirs)" 2> /dev/null
	done
	check diff kept.*.theirs kept.perf.
else
	skip "'$REF' is not there"
fi

step "--del --cache: what is kept, not what is live"
perf probe --cache -n -d 'g:*'
check grep -qx "Removed cached event: g:x=first%return \$retval" err
check [ "$(kept | grep -c '^#g:x')" -eq 1 ]
perf probe --cache -d 'g:*' -d 'first*'
check [ $rc -eq 0 ]
check [ "$(cat err)" = "Removed cached event: first n
Removed cached event: g:x=first%return \$retval" ]
check [ "$(kept | grep '^#' | tr '\n' ,)" = "#@program.c:3,#probe_$ME:e=second n," ]
perf probe --cache -d nosuch
check [ $rc -eq 254 ]
check grep -q 'does not hit any cached event' err
perf probe --cache --line first -x "./$ME"
check [ $rc -eq 129 ]

step "a cache that somebody else wrote, and a program that is another since"
printf '#e=x\np:no_slash_here 5\n#g:\033[31m=f\np:g/h %s:0x1 a=1\nq:g/h x\n\n%%\n#\n#g:bad=f\np:g-g/bad /x:0x1\n#g:ok=f\nr8:g/ok %s:0x10 a=%%di\n' "$PWD/$ME" "$PWD/$ME" > "$HOME/.debug$PWD/$ME/$id/probes"
perf probe --cache -l
check [ $rc -eq 0 ]
check [ "$(sed '/planted/d; /^main$/d' out)" = "$PWD/$ME ($id):
e=x
g:bad=f
g:ok=f" ]
perf probe -D %g:ok
check [ "$(cat out)" = "r8:g/ok $PWD/$ME:0x10 a=%di" ]
perf probe -D %g:bad
check [ $rc -eq 234 ]
check grep -q 'no event can be called so' err
gcc -g -O0 -w -Wl,--build-id -o "$ME" program.c
perf probe -D %g:ok
check [ $rc -ne 0 ]
check grep -q 'is gone or another file since it was cached' err

step "a program of which another build was added since: the entry of the old one hides nothing"
mkdir -p other
gcc -g -O1 -w -Wl,--build-id -o "other/$ME" program.c
perf probe -n --cache -x "./$ME" -a 'g:ok=second m'
perf probe -D %g:ok
check [ $rc -eq 0 ]
check grep -q "^p:g/ok $PWD/$ME:0x[0-9a-f]* m=-[0-9]*(%bp):s64$" out
refute grep -q Warning err
perf probe -n --cache -x "./other/$ME" -a 'g:ok=second m'
perf probe -D %g:ok
check [ "$(grep -c '^p:g/ok' out)" -eq 2 ]
gcc -g -O0 -w -Wl,--build-id -o "other/$ME" program.c # one of two is of another build
perf probe -D %g:ok
check [ $rc -eq 0 ]
check [ "$(grep -c "^p:g/ok $PWD/$ME:" out)" -eq 1 ]
check grep -q "Warning: '$PWD/other/$ME' is left out: it is gone or another file since it was cached" err
check [ "$(grep -c Warning err)" -eq 1 ]
rm -rf other

step "a point of several programs that are tracepoints under some of its names: each hit is recorded once"
cat > points.c <<- 'END'
	#define NOTE(args) __asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n" \
		".4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n" \
		".8byte _.stapsdt.base\n.8byte 0\n.asciz \"" PROVIDER "\"\n.asciz \"ints\"\n.asciz \"" args "\"\n" \
		"994: .balign 4\n.popsection\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection")
	int main(void) { NOTE(ARGS); return NUMBER; }
END
programs="c1 c2 c3"
if [ "$(uname -m)" = x86_64 ] && need_uprobe_events; then
	args=('' '-4@$5' '-4@$5 8@$6' '-4@$5')
	for i in 1 2 3; do
		check gcc -w -Wl,--build-id -DNUMBER=$((i - 1)) "-DPROVIDER=\"$ME\"" "-DARGS=\"${args[i]}\"" -o c$i points.c
		perf buildid-cache --add c$i
		check [ $rc -eq 0 ]
	done
	perf probe -D "sdt_$ME:inst" # the nearest name, as with -x
	check [ $rc -eq 254 ]
	check grep -q "did you mean 'sdt_$ME:ints'" err
	for words in 'inst ints' "sdt_$ME:inst sdt_$ME:ints"; do # as it was asked for
		perf probe -D "%${words% *}"
		check [ $rc -eq 254 ]
		check grep -q "did you mean '%${words#* }'?" err
		perf probe -D "%${words#* }"
		check [ $rc -eq 0 ]
	done
	perf probe -D %nothing_like_it
	refute grep -q 'did you mean' err
	# One of many points of a program.
	for i in {1..70} farthest; do
		sed "s/main(void).*/point_$i(void) { NOTE(\"\"); return 0; }/; s/\"ints/\"p$i/; /weak/d; s/base,comdat.*/base,comdat\\\\n.popsection\")/" points.c
		echo '#undef NOTE'
	done > many.c
	sed 's/NOTE(ARGS)/NOTE("")/; s/NUMBER/0/' points.c >> many.c # with the symbol of all
	check gcc -w "-DPROVIDER=\"$ME\"" -o many many.c
	perf probe -x ./many -D %pfathest
	check grep -q "did you mean 'pfarthest'" err
	for first in $programs none; do
		for second in $programs; do
			[ $first != "$second" ] || continue
			[ $first = none ] || perf probe -q -x ./$first -a "sdt_$ME:ints=%sdt_$ME:ints"
			[ $first = none ] || perf probe -q -x ./"$second" -a "sdt_$ME:ints_1=%sdt_$ME:ints"
			check [ $rc -eq 0 ]
			for event in ints 'int*'; do
				perf record -q -e "sdt_$ME:$event" -o x.data sh -c './c1; ./c2; ./c3'
				perf script -i x.data -F comm,event
				check [ "$(awk '{ print $1 }' out | sort | tr '\n' ' ')" = "c1 c2 c3 " ]
			done
			[ $first = none ] || perf probe -q --del "sdt_$ME:*"
			check [ -z "$(mine)" ]
		done
	done
	# What has its name and is no such point is not joined by them.
	perf probe -q -x "./$ME" -a "sdt_$ME:ints=first"
	perf record -q -e "sdt_$ME:ints" -o x.data sh -c "./c1; ./$ME"
	perf script -i x.data -F comm,event
	check [ "$(awk '{ print $1 }' out)" = "${ME:0:15}" ]
	perf probe -q --del "sdt_$ME:*"
	check [ -z "$(mine)" ]
fi
finish
