#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --bundle: the symbols and lines that samples need go with the recording, so that a
# machine without the programs prints the same; and every reader that does not know of them reads it.
. "$(dirname "$0")/../lib.sh"
plan 13

need_events || finish
CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "bundle: $CC is not installed"
has libdw && lines=1 || lines=

cat > prog.c << 'END'
#include <time.h>
volatile unsigned long sink;
static inline __attribute__((always_inline)) void low(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i; /* line 6 */
}
static void __attribute__((noinline)) work(unsigned long n)
{
	low(n); /* line 10 */
	sink++;
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 3)
		work(100000); /* line 16 */
	return 0;
}
END
check "$CC" -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id -o prog prog.c

step "record --bundle"
perf record --bundle -g -F 2000 -e cpu-clock -o x.data ./prog
check [ $rc -eq 0 ]
check grep -qE '^\[ perf record: Bundled the symbols of [0-9]+ objects \([0-9.]+ MB\) \]$' err
perf record -q --bundle -o q.data true
check [ ! -s err ]

# What the views of a recording are made of: names, lines, inlined functions.
views=('report -g none -s comm,dso,sym' 'report -g caller' 'report --children -g none -s dso,sym'
	'script -F comm,ip,sym,symoff,dso')
[ -z "$lines" ] || views+=('report -g caller --inline' 'report -g none -s sym,srcline'
	'report -g none -s srcfile' 'script -F ip,sym,srcline' 'script --inline -F ip,sym')

# Each view of recording $1 on the other machine, compared with that of $2 here.
same_there() {
	local view
	cp "$1" machine/root/moved.data
	for view in "${views[@]}"; do
		# shellcheck disable=SC2086 # the view is words
		{ there $view -i /root/moved.data | grep -v '^#'; } > after 2> after.err
		# shellcheck disable=SC2086
		perf $view -i "$2"
		check [ -s out ]
		check diff <(grep -v '^#' out) after
		check [ ! -s after.err ]
	done
}

step "a library that is gone before the end is named"
cat > gone.c << 'END'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *library = dlopen("./libgone.so", RTLD_NOW);
	void (*spin)(void) = (void (*)(void))dlsym(library, "spin");

	if (argc > 1)
		unlink("libgone.so");
	spin();
	return 0;
}
END
echo 'volatile long x; void spin(void) { for (long i = 0; i < 100000000; i++) x += i; }' > libgone.c
check "$CC" -O1 -shared -fPIC -o libgone.so libgone.c
check "$CC" -O1 -o gone gone.c -ldl
perf record --bundle -e cpu-clock -F 2000 -o gone.data ./gone
refute grep -q 'libgone.so' err
perf record --bundle -e cpu-clock -F 2000 -o gone.data ./gone now
check [ $rc -eq 0 ]
check grep -qE "^Warning: '.*/libgone.so' is gone or another file now: the bundle cannot name" err

step "another machine, without the programs, prints the same"
if need_machine; then
	same_there x.data x.data
	there report -g none -s sym -i /root/moved.data > after 2> /dev/null
	check grep -q ' work$' after
	[ -z "$lines" ] || {
		there script --inline -F ip,sym -i /root/moved.data > after 2> /dev/null
		check grep -q 'low (inlined)' after
		there script -F ip,sym,srcline -i /root/moved.data > after 2> /dev/null
		check grep -qE 'prog\.c:6( \(inlined\))?$' after
	}
fi

step "without it that machine knows none of these"
if need_machine; then
	perf record -g -F 2000 -e cpu-clock -o bare.data ./prog
	cp bare.data machine/root
	there report -g none -s sym -i /root/bare.data > after 2> /dev/null
	refute grep -q ' work$' after
fi

step "code made at run time, and what is compressed"
if need_machine && [ -x "$WORKLOADS/jit" ]; then
	perf record --bundle -q -g -e cpu-clock -F 2000 -o jit.data "$WORKLOADS/jit" 0.3
	same_there jit.data jit.data
	rm -f /tmp/perf-*.map.gone
	there report -g none -s sym -i /root/moved.data > after 2> /dev/null
	check grep -qE ' jit' after
fi
perf record -z --bundle -q -g -e cpu-clock -F 2000 -o z.data ./prog
if [ $rc -eq 0 ] && need_machine; then
	same_there z.data z.data
fi

step "a program without any names: said there as here, also where another has its path"
if need_machine && "$CC" -O1 -s -static -Wl,--build-id -o bare prog.c 2> cc.log; then
	perf record --bundle -q -g -F 2000 -e cpu-clock -o bare.data ./bare
	perf report -g none -s dso,sym -i bare.data
	check grep -qF "no symbols found in '$PWD/bare'" err
	cp out here.out && cp err here.err
	cp bare.data machine/root
	mkdir -p "machine$PWD"
	for other in '' prog; do
		[ -z "$other" ] || cp "$other" "machine$PWD/bare"
		there report -g none -s dso,sym -i /root/bare.data > after 2> after.err
		check diff <(grep -v '^#' here.out) <(grep -v '^#' after)
		check diff <(grep -v '^ ' here.err) <(grep -v '^ ' after.err)
	done
	rm "machine$PWD/bare"
fi

step "Linux's perf reads the file and sees nothing of it"
if [ -x "$REF" ]; then
	cp x.data cut.data
	size=$(od -An -tu8 -j $(($(stat -c %s x.data) - 32)) -N 8 x.data | tr -d ' ')
	truncate -s -$((size + 32)) cut.data
	# The code, in front of the symbols.
	size=$(od -An -tu8 -j $(($(stat -c %s cut.data) - 32)) -N 8 cut.data | tr -d ' ')
	truncate -s -$((size + 32)) cut.data
	for view in 'report --stdio -g caller' 'script' 'evlist -v' 'report --header-only'; do
		# shellcheck disable=SC2086
		"$REF" $view -i x.data > theirs 2> theirs.err
		check [ -s theirs ]
		# shellcheck disable=SC2086
		check diff <(grep -vE '^# \((Tip|Cannot)|captured' theirs) <("$REF" $view -i cut.data 2> /dev/null | grep -vE '^# \((Tip|Cannot)|captured')
	done
	check "$REF" inject -b -i x.data -o theirs.data
else
	skip "'$REF' is not there"
fi

step "what is here wins; another build and a stripped file do not"
cp prog kept
perf report -g none -s sym,dso -i x.data
cp out whole
objcopy --redefine-sym work=another prog # the build-id stays
perf report -g none -s sym,dso -i x.data
check grep -q ' another ' out
refute grep -q ' work ' out
strip prog
perf report -g none -s sym,dso -i x.data
check diff <(grep -v '^#' whole) <(grep -v '^#' out)
check [ ! -s err ]
sed 's/sink++;/sink += 3;/' prog.c > other.c
check "$CC" -O1 -g -Wl,--build-id -o prog other.c
HOME=$PWD/empty perf report -g none -s sym,dso -i x.data
check diff <(grep -v '^#' whole) <(grep -v '^#' out)
cp kept prog

step "inject keeps it, in files"
perf inject -b -i x.data -o injected.data
check [ $rc -eq 0 ]
if need_machine; then
	same_there injected.data x.data
fi
"$PERF" inject -b -i x.data -o - > stream.data 2> err < /dev/null
check grep -q 'left out: a stream cannot carry them' err

step "copied stacks: said at once, and the way out works"
perf record --bundle --call-graph dwarf -F 500 -e cpu-clock:u -o dwarf.data ./prog
if [ $rc -eq 0 ]; then
	check grep -q 'perf inject --convert-callchain' err
	perf inject --convert-callchain -i dwarf.data -o chains.data
	if need_machine; then
		same_there chains.data chains.data
	fi
fi

step "damage: said once, and the recording is read without it"
perf report -g none -s sym -i cut.data
for at in 1 33 $((size / 2)) $((size + 32)); do # from the end
	cp x.data bad.data
	printf '\377\1' | dd of=bad.data bs=1 seek=$(($(stat -c %s x.data) - at - 1)) conv=notrunc 2> /dev/null
	perf report -g none -s sym -i bad.data
	check [ $rc -eq 0 ]
	check grep -q ' work$' out
	[ "$at" = 1 ] || check [ "$(grep -c 'not using the symbols that come with' err)" -eq 1 ]
done

step "cut off within the symbols: said, too"
whole=$(stat -c %s x.data)
for left in 1 31 33 $((size / 2)) $((size - 100)); do
	head -c $((whole - left)) x.data > bad.data
	perf report -g none -s sym -i bad.data
	check [ $rc -eq 0 ]
	check [ "$(grep -c 'not using the symbols that come with.*the end of the file is missing' err)" -eq 1 ]
done
perf report -g none -s sym -i cut.data # it has none
check [ ! -s err ]

step "what is no file cannot take it"
perf record --bundle -o - true
check [ $rc -eq 255 ]
check grep -q 'this recording is a stream' err
check grep -q "bundle -o FILE and send that file, or .*'perf inject -b -o FILE', then perf archive" err
perf record -q -e cpu-clock -F 2000 -o - ./prog # the second way
cp out stream.data
perf inject -b -i stream.data -o saved.data
check [ $rc -eq 0 ]
perf archive saved.data
check [ $rc -eq 0 ]
check grep -q prog <(tar tf saved.data.tar.*)
perf record --bundle --threads -o folder true
check [ $rc -eq 255 ]
check [ ! -e folder ]
perf record --bundle --switch-output=1s -o many.data true
check [ $rc -eq 255 ]
finish
