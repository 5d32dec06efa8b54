#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Names at report time: stripped programs and their debug files, programs that were replaced, JIT
# code, and kernels that are not this one. Each case is recorded for real.
. "$(dirname "$0")/../lib.sh"
plan 24

CC=${CC:-cc}
for tool in "$CC" strip objcopy; do
	command -v "$tool" > /dev/null || skip_all "names: $tool is not installed"
done
cat > loop.c << 'END'
#include <stdlib.h>
#include <time.h>
volatile unsigned long sink;
static void __attribute__((noinline)) busy_loop(void)
{
	for (unsigned long i = 0; i < 100000; i++)
		sink += i;
}
int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.2;
	while (clock() < seconds * CLOCKS_PER_SEC)
		busy_loop();
	return 0;
}
END

flat() { # FILE [OPTION...]
	local file=$1
	shift
	perf report --stdio --no-children -g none -i "$file" "$@"
}

step "-v shows the parameters of C++ functions"
if need_events; then
	sed 's/busy_loop/_Z9busy_loopmPKc/g' loop.c > cxx.c
	check "$CC" -O1 -Wl,--build-id -o cxx cxx.c
	perf record -F 2000 -o cxx.data ./cxx
	flat cxx.data
	check grep -qE '\[\.\] busy_loop *$' out
	flat cxx.data -v
	check grep -qE 'busy_loop\(unsigned long, char const\*\) *$' out
	perf script -i cxx.data -v
	check grep -qF ' busy_loop(unsigned long, char const*)+0x' out
fi

step "a busy loop is named"
if need_events; then
	check "$CC" -O1 -Wl,--build-id -o loop loop.c
	perf record -F 2000 -o x.data ./loop
	flat x.data
	check [ $rc -eq 0 ]
	check grep -qE '^ +[0-9.]+% +loop +loop +\[\.\] busy_loop' out
	refute grep -q 'no symbols' err
fi

step "object files are read, not mapped: one that shrinks cannot kill perf"
if ! command -v strace > /dev/null; then
	skip "strace is not installed"
elif need_events; then
	check strace -f -y -e trace=mmap,pread64 -o calls "$PERF" report --stdio -i x.data
	check grep -q 'pread64(.*/loop>' calls
	refute grep -q 'mmap(.*/loop>' calls
fi

step "--symfs: nothing from outside of it, a cache below it"
if need_events; then
	perf record -F 2000 -e cpu-clock:u -o linked.data ./loop 0.3
	flat linked.data --symfs "$PWD/cached"
	check [ $rc -eq 0 ]
	refute grep -qE '(loop|\.so[^ ]*) +\[\.\] [a-zA-Z_]' out # [vdso] is the kernel's
	check grep -qE '\[\.\] 0x[0-9a-f]{16}' out
	perf script -F ip,sym --symfs "$PWD/cached" -i linked.data
	refute grep -q busy_loop out
	mkdir cached && cp -R "$HOME/.debug" cached/
	flat linked.data --symfs "$PWD/cached"
	check grep -qE '\[\.\] busy_loop' out
	perf script -F ip,sym --symfs "$PWD/cached" -i linked.data
	check grep -q busy_loop out
	rm -r cached
fi

# named PROGRAM DSO SYMBOL: a recording of ./PROGRAM shows SYMBOL of DSO, without chains and with
named() {
	perf record -g -F 2000 -e cpu-clock:u -o "$1.data" "./$1"
	flat "$1.data"
	check [ "$(sed -n 's/^ *\([0-9]*\)\.[0-9]*% .* '"$2"' *\[\.\] '"$3"' *$/\1/p' out)" -ge 90 ]
	perf report --stdio --children -g folded,0,caller,count -i "$1.data"
	check grep -qE "main;.*$3\$" out
}

step "programs without shared objects"
if need_events; then
	for kind in static static-pie; do
		if "$CC" -O1 -fno-omit-frame-pointer "-$kind" -o "$kind" loop.c 2> cc.log; then
			named "$kind" "$kind" busy_loop
		else
			skip "$CC cannot link -$kind"
		fi
	done
fi

step "shared objects whose addresses are not their offsets in the file"
if need_events; then
	sed 's/main(/lib_main(/; s/busy_loop/lib_loop/; s/static //' loop.c > lib.c
	echo 'int lib_main(int, char **); int main(int c, char **v) { return lib_main(c, v); }' > use.c
	for how in -Ttext-segment=0x3400000 -Ttext-segment=0x7000000000,-z,noseparate-code \
		--section-start=.text=0x123450 --section-start=.text=0x987650,-z,noseparate-code; do
		check "$CC" -O1 -fno-omit-frame-pointer -fPIC -shared "-Wl,$how" -o libloop.so lib.c
		check "$CC" -O1 -fno-omit-frame-pointer -o use use.c ./libloop.so
		check [ "$(readelf -lW libloop.so | awk '/LOAD.* E / && "0x0000000000" substr($2, 3) != $3' | wc -l)" -gt 0 ]
		named use libloop.so lib_loop
	done
fi

step "its stripped copy shows addresses and says what to do"
if need_events; then
	check objcopy --only-keep-debug loop loop.debug
	check strip -o bare loop
	check objcopy --add-gnu-debuglink=loop.debug bare
	rm -f loop.debug.kept && mv loop.debug loop.debug.kept
	perf record -F 2000 -o bare.data ./bare
	flat bare.data --buildid-dir "$PWD/nothing"
	check [ $rc -eq 0 ]
	refute grep -q busy_loop out
	check grep -qE '^ +[0-9.]+% +bare +bare +\[\.\] 0x[0-9a-f]{16}' out
	check [ "$(grep -c "no symbols found in '.*/bare'" err)" -eq 1 ]
	check grep -q 'install a debug package' err
fi

step "what would help is named: the package of a program, else its build-id"
if need_events; then
	id=$(readelf -n bare | sed -n 's/^ *Build ID: //p')
	flat bare.data --buildid-dir "$PWD/nothing"
	check grep -q "its build-id is $id: the debug file of that (--debuginfod)" err
	tool=$(readlink -f "$(command -v sort)")
	package=$(grep -lx -e "$tool" -e "${tool#/usr}" /var/lib/dpkg/info/*.list 2> /dev/null | sed 's,.*/,,; s/[:.].*//' | head -n 1)
	if readelf -SW "$tool" 2> /dev/null | grep -q '\.symtab'; then
		skip "$tool has symbols"
	elif [ -z "$package" ]; then
		skip "no package has $tool"
	else
		seq 400000 > numbers
		perf record -F 2000 -e cpu-clock:u -o sort.data sort -R numbers
		flat sort.data --buildid-dir "$PWD/nothing"
		check [ "$(grep -c "symbols found in '$tool'.*stripped" err)" -eq 1 ]
		check grep -q "apt install $package-dbgsym" err
	fi
fi

step "--demangle: full, short, not at all, and nothing else"
if need_events; then
	sed 's/busy_loop/_ZN3mapIiSaIiEE4findERKi/g' loop.c > cxx.c
	check "$CC" -O1 -Wl,--build-id -o template cxx.c
	perf record -F 2000 -e cpu-clock:u -o cxx.data ./template
	for form in '':'map<int, std::allocator<int> >::find' \
		=full:'map<int, std::allocator<int> >::find(int const&)' =short:'map<...>::find'; do
		flat cxx.data "--demangle${form%%:*}"
		check [ "$(sed -n 's/.* \[\.\] \(map<.*[^ ]\) *$/\1/p' out)" = "${form#*:}" ]
		perf script -F ip,sym -i cxx.data "--demangle${form%%:*}"
		check grep -qF " ${form#*:}" out
	done
	flat cxx.data --no-demangle
	check grep -q ' _ZN3mapIiSaIiEE4findERKi *$' out
	flat cxx.data --demangle=long
	check [ $rc -eq 129 ]
	check grep -q "'long'.*there are full and short" err
fi

step "the kernel's list is read once, and not at all without kernel addresses"
if ! command -v strace > /dev/null; then
	skip "strace is not installed"
elif need_events && need_root; then
	perf record -F 2000 -g -e cpu-clock:u -o user.data ./loop
	perf record -F 2000 -g -a -e cpu-clock -o both.data ls -R /usr/share/doc
	for command in 'report --stdio' script; do
		# shellcheck disable=SC2086
		check strace -ff -e trace=openat -o calls "$PERF" $command -i user.data
		refute grep -q 'kallsyms' calls.*
		rm calls.*
		# shellcheck disable=SC2086
		check strace -ff -y -e trace=openat,read -o calls "$PERF" $command --no-symbol-cache \
			--buildid-dir "$PWD/nothing" -i both.data
		check grep -q 'openat(.*/proc/kallsyms' calls.*
		# (Its beginning is looked at again for the place of the kernel.)
		read=$(cat calls.* | sed -n 's,^read(.*/proc/kallsyms>.* = \([0-9]*\)$,\1,p' | awk '{ n += $1 } END { print n + 0 }')
		check [ "$read" -gt 100000 ]
		check [ "$read" -lt $(($(wc -c < /proc/kallsyms) * 5 / 4)) ]
		rm calls.*
	done
fi

step "of many dsos without symbols those with the most samples are named"
if need_events; then
	# The least of them has 7 % of all: below 5 % nothing is said of it.
	for i in 1 2 3 4 5 6; do
		cp bare many$i
		echo "./many$i 0.0$((i * 2 + 2))"
	done > many.sh
	sed -i 's/0\.01\([0-9]\)/0.1\1/' many.sh
	perf record -F 2000 -e cpu-clock:u -o many.data sh many.sh
	flat many.data --buildid-dir "$PWD/nothing"
	check [ "$(sed -n "s/.*no symbols found in '.*\/\(.*\)'.*/\1/p" err | grep -c many)" -eq 4 ]
	check [ "$(sed -n "s/.*no symbols found in '.*\/\(many.\)'.*/\1/p" err | head -n 2 | tr '\n' ' ')" = 'many6 many5 ' ]
	check grep -qE '[0-9]+ more dsos have such a problem' err
	flat many.data --buildid-dir "$PWD/nothing" -v
	check [ "$(grep -c "no symbols found in '.*/many" err)" -eq 6 ]
fi

step "the same recording is named once the debug file is there"
if need_events; then
	mkdir -p .debug && cp loop.debug.kept .debug/loop.debug
	flat bare.data --buildid-dir "$PWD/nothing"
	check grep -qE '^ +[0-9.]+% +bare +bare +\[\.\] busy_loop' out
	refute grep -q 'no symbols' err
	rm -r .debug
	id=$(readelf -n bare | sed -n 's/^ *Build ID: //p')
	mkdir -p "root/$PWD" "root/usr/lib/debug/.build-id/${id:0:2}"
	cp bare "root/$PWD/"
	cp loop.debug.kept "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	flat bare.data --buildid-dir "$PWD/nothing" --symfs "$PWD/root"
	check grep -qE '^ +[0-9.]+% +bare +bare +\[\.\] busy_loop' out
fi

step "the same in call chains: hex before, names after"
if need_events; then
	check "$CC" -O0 -Wl,--build-id -o framed loop.c
	check objcopy --only-keep-debug framed framed.debug
	check strip -o chained framed
	perf record -g -F 2000 -e cpu-clock:u -o chained.data ./chained
	folded() {
		perf report --stdio --no-children -g folded,0,caller,count -i chained.data --buildid-dir "$PWD/nothing"
	}
	folded
	refute grep -q busy_loop out
	check grep -qE '^[0-9]+ .*;0x[0-9a-f]+' out
	id=$(readelf -n chained | sed -n 's/^ *Build ID: //p')
	mkdir -p "debugroot/$PWD" "debugroot/usr/lib/debug/.build-id/${id:0:2}"
	cp chained "debugroot/$PWD/"
	cp framed.debug "debugroot/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	perf report --stdio --no-children -g folded,0,caller,count -i chained.data --buildid-dir "$PWD/nothing" --symfs "$PWD/debugroot"
	check grep -qE '^[0-9]+ .*;?main;busy_loop$' out
	perf script -F ip,sym -i chained.data --buildid-dir "$PWD/nothing" --symfs "$PWD/debugroot"
	check grep -qE ' main$' out
fi

step "a debug file of another build is not used"
if need_events; then
	sed 's/busy_loop/other_loop/' loop.c > other.c
	check "$CC" -O2 -Wl,--build-id -o other other.c
	check objcopy --only-keep-debug other loop.debug
	flat bare.data --buildid-dir "$PWD/nothing"
	refute grep -qE 'busy_loop|other_loop' out
	check [ "$(grep -c "not using the debug file '.*/loop.debug'.*another build of 'bare'" err)" -eq 1 ]
	refute grep -q 'no symbols found' err
	rm -f loop.debug
fi

step "of a program without a build-id: not one with another checksum either"
if need_events; then
	check "$CC" -O1 -Wl,--build-id=none -o plain loop.c
	check objcopy --only-keep-debug plain plain.debug
	check strip -o naked plain
	check objcopy --add-gnu-debuglink=plain.debug naked
	perf record -F 2000 -o naked.data ./naked
	flat naked.data
	check grep -qE '\[\.\] busy_loop' out
	check "$CC" -O2 -Wl,--build-id=none -o other.plain other.c
	check objcopy --only-keep-debug other.plain plain.debug
	flat naked.data
	refute grep -qE 'busy_loop|other_loop' out
	check [ "$(grep -c "not using the debug file '.*/plain.debug'.*another build of 'naked'.*checksum" err)" -eq 1 ]
fi

step "a stripped copy of what was recorded before is named from the build-id cache"
if need_events; then
	flat bare.data # the cache has ./loop, which has the same build-id
	check grep -qE '^ +[0-9.]+% +bare +bare +\[\.\] busy_loop' out
	refute grep -q 'no symbols' err
fi

step "a program that was replaced is named from the build-id cache"
if need_events; then
	cp loop prog && perf record -F 2000 -o prog.data ./prog
	rm prog && cp other prog
	flat prog.data
	check grep -qE '\[\.\] busy_loop' out
	refute grep -q other_loop out
fi

step "without the cache it stays without names, said once"
if need_events; then
	mv "$HOME/.debug" "$HOME/.debug.away"
	flat prog.data
	check [ $rc -eq 0 ]
	refute grep -qE '\[\.\] (busy|other)_loop' out
	check [ "$(grep -c "not using '.*/prog'" err)" -eq 1 ]
	check grep -q 'replaced since the recording' err
	mv "$HOME/.debug.away" "$HOME/.debug"
fi

step "source lines are those of the recorded build, or none"
if need_events && need_library libdw; then
	check "$CC" -O1 -g -Wl,--build-id -o lined loop.c
	perf record -F 2000 -e cpu-clock:u -o lined.data ./lined
	perf report --stdio -g none -s sym,srcline -i lined.data
	check grep -qE 'busy_loop +loop\.c:[67] ' out
	cp loop.c kept.c && sed -i '1i\\n\n\n' loop.c
	mv lined lined.kept && check "$CC" -O1 -g -Wl,--build-id -o lined loop.c && mv kept.c loop.c
	perf report --stdio -g none -s sym,srcline -i lined.data # from the cache
	check grep -qE 'busy_loop +loop\.c:[67] ' out
	perf report --stdio -g none -s srcline -i lined.data --buildid-dir "$PWD/nothing"
	refute grep -q 'loop\.c:' out
	check grep -qE 'lined\[[0-9a-f]+\]' out
fi

step "code of a JIT compiler is named by its map"
if need_events; then
	perf record -F 2000 -o jit.data "$WORKLOADS/jit" 0.3
	map=$(grep -m1 '^/tmp/perf-.*map' out)
	flat jit.data
	check grep -qE '\[JIT\] tid [0-9]+ +\[\.\] jitted_function' out
	rm -f "$map"
	flat jit.data
	refute grep -q jitted_function out
	check grep -q "failed to open '$map'" err
fi

step "node --perf-basic-prof"
if ! command -v node > /dev/null; then
	skip "node is not installed"
elif need_events; then
	echo 'function hot(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s }
		let t = 0; for (let k = 0; k < 60; k++) t += hot(1000000)
		console.log(process.pid)' > hot.js
	perf record -g -e cpu-clock:u -F 1000 -o node.data node --perf-basic-prof hot.js
	flat node.data
	check grep -qE '\[JIT\] tid [0-9]+ +\[\.\] .*hot .*hot\.js' out
	perf report --stdio --no-children -g folded,0,caller,count -i node.data
	check grep -qE '^[0-9]+ .*;[^;]*hot [^;]*hot\.js[^;]*$' out
	pid=$("$PERF" script -F pid -G -i node.data 2> err | sort -u | tr -d ' ')
	rm -f "/tmp/perf-$pid.map"
fi

# The build-id of the kernel in FILE is changed: as if it came from another machine.
other_kernel() {
	python3 - "$1" "$2" << 'END'
import sys
notes = open('/sys/kernel/notes', 'rb').read()
at = notes.index(b'\x14\0\0\0\x03\0\0\0GNU\0') + 12
data = open(sys.argv[1], 'rb').read()
if notes[at:at + 20] not in data:
    sys.exit('the kernel is not in the file')
open(sys.argv[2], 'wb').write(data.replace(notes[at:at + 20], bytes(range(20))))
END
}

step "addresses of another kernel are not named from this one"
if need_events && need_root; then
	perf record -a -F 2000 -o kernel.data dd if=/dev/zero of=/dev/null bs=1k count=200000
	flat kernel.data --sort sym
	if ! grep -q '\[k\] [a-z_]' out; then
		skip "this kernel hides its addresses, or was not sampled"
	elif ! other_kernel kernel.data foreign.data > /dev/null 2>&1; then
		skip "no python3, or the kernel has no build-id"
	else
		flat foreign.data --sort sym
		check [ $rc -eq 0 ]
		refute grep -qE '\[k\] [a-z_]' out
		check grep -qE '\[k\] 0xffff[0-9a-f]{12}' out
		check [ "$(grep -c "cannot name addresses of '\[kernel.kallsyms\]'" err)" -eq 1 ]
	fi
fi

step "a user who may not see the kernel's addresses is told which setting hides them"
if [ -s kernel.data ] && need_root; then
	chmod 755 "$SCRATCH" && mkdir -m 755 "$SCRATCH/nobody"
	cp "$PERF" kernel.data "$SCRATCH/nobody" && chown nobody "$SCRATCH/nobody/kernel.data"
	as_nobody='cd "$0" && HOME=/nonexistent ./perf report --stdio --no-children -g none -i kernel.data --sort sym'
	if ! setpriv --reuid nobody --clear-groups grep -qE '^0+ ' /proc/kallsyms; then
		skip "this kernel shows its addresses to everybody"
	else
		setpriv --reuid nobody --clear-groups sh -c "$as_nobody" "$SCRATCH/nobody" > out 2> err
		rc=$?
		check [ $rc -eq 0 ]
		refute grep -qE '\[k\] [a-z_]' out
		check grep -q "cannot use kernel symbols of '/proc/kallsyms'" err
		check grep -qE 'addresses are hidden.*kernel.(kptr_restrict|perf_event_paranoid) is [0-9]' err
		check grep -qE 'run as root, or: sysctl kernel.(kptr_restrict|perf_event_paranoid)=' err
	fi
else
	skip "there is no recording of the kernel"
fi

step "with that kernel's list they are"
if [ -s foreign.data ]; then
	cp /proc/kallsyms list
	flat foreign.data --sort sym --kallsyms list
	check grep -qE '\[k\] [a-z_]' out
	refute grep -q 'cannot name' err
else
	skip "there is no recording of another kernel"
fi
finish
