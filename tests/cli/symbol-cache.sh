#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The index of symbols, lines and inlined functions in the user's cache: the same output with it and
# without, dropped when anything that it was made from changed, harmless when it is damaged.
. "$(dirname "$0")/../lib.sh"
plan 15

CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "the index of symbols: $CC is not installed"
has libdw || skip_all "the index of symbols: this perf is built without libdw"

cat > prog.c << 'END'
#include <time.h>
#define INLINED static inline __attribute__((always_inline))
volatile unsigned long sink;
INLINED void low(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}
void __attribute__((noinline)) work(unsigned long n)
{
	low(n);
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		work(100000);
	return 0;
}
END
check "$CC" -O1 -g -fno-omit-frame-pointer -Wl,--build-id -o prog prog.c
check objcopy --only-keep-debug prog kept
cp prog whole
check strip prog
CACHE=$HOME/.cache/perf/symbols
LINES='--inline -F ip,sym,srcline' # chains of frame pointers: only when asked for

id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
# Many symbols make an index worth its while; this program has DWARF, which does.
index() { (cd "$CACHE" 2> /dev/null && ls -t "$id"-* 2> /dev/null) | head -n 1; }

# A trail with a file of this moment holds for nothing.
settle() { sleep 0.15; }

if need_events; then
	cp whole prog
	perf record -F 2000 -g -e cpu-clock:u -o x.data ./prog
	rm -rf "${HOME:?}/.debug"
fi
settle

# same COMMAND...: equal to what it says without the index
same() {
	perf "$@" --no-symbol-cache -i x.data
	cp out want
	perf "$@" -i x.data
	check cmp out want
}

step "an index is made, and changes nothing that is shown"
for _ in 1 2; do
	same report --stdio
	same report --stdio --no-children -g caller --sort sym,srcline
	same script -F ip,sym,symoff,dso,srcline
	for workers in 1 2 7; do
		PERF_WORKERS=$workers same report --stdio
	done
done
check [ -n "$(index)" ]
check [ "$(stat -c %a "$CACHE")" = 700 ]
perf script $LINES -i x.data
check grep -q ' low$' out
check grep -qE 'prog.c:[67] .inlined.$' out

step "the second time nobody looks at the object's DWARF"
if command -v strace > /dev/null; then
	# Without chains: how they ended is told from the code of functions.
	list="report --stdio --no-children -g none --sort sym,srcline -i x.data"
	traced() {
		# shellcheck disable=SC2086
		strace -f -e trace=openat -o calls "$PERF" $list "$@" > out 2> err
	}
	traced
	traced
	check grep -q "\"$(index)\"" calls
	refute grep -q '/prog"' calls
	traced --no-symbol-cache
	refute grep -q "\"$(index)\"" calls
	check grep -q '/prog"' calls
else
	skip "strace is not installed"
fi

# Also where nobody tells beforehand what will be asked for: script, and data convert.
step "the second time nobody reads the kernel's list"
if ! command -v strace > /dev/null; then
	skip "strace is not installed"
elif need_root && need_events; then
	perf record -F 2000 -g -a -e cpu-clock -o all.data ls -R /usr/share/doc
	perf script --no-symbol-cache -i all.data
	cp out want
	perf data convert --no-symbol-cache --to-json want.json -i all.data
	for first in script report convert; do
		rm -rf "${CACHE:?}" "${HOME:?}/.debug" # (it has a copy of the list)
		case $first in
		script) perf script -i all.data && check cmp out want ;;
		report) perf report --stdio -i all.data ;;
		convert) perf data convert --force --to-json all.json -i all.data ;;
		esac
		perf script -i all.data # what report did not ask for is added
		check cmp out want
		strace -f -e trace=openat -o calls "$PERF" script -i all.data > out 2> err
		check cmp out want
		refute grep -q kallsyms calls
		check strace -f -e trace=openat -o calls "$PERF" data convert --force --to-json all.json -i all.data
		check cmp want.json all.json
		refute grep -q kallsyms calls
		check strace -f -e trace=openat -o calls "$PERF" script --no-symbol-cache -i all.data
		check grep -q kallsyms calls
	done
	perf script -F ip,sym,symoff -i all.data
	cp out with
	perf script -F ip,sym,symoff --no-symbol-cache -i all.data
	check cmp out with
fi

step "two at once"
rm -rf "${CACHE:?}"
perf report --stdio --no-symbol-cache -i x.data
cp out want
for i in 1 2 3 4; do
	"$PERF" report --stdio -i x.data > "out.$i" 2> /dev/null &
done
wait
for i in 1 2 3 4; do
	check cmp "out.$i" want
done
check [ -z "$(find "$CACHE" -name '.tmp*')" ]

step "what a reader that was killed has left is removed by the next, which only reads"
: > "$CACHE/.tmp-1-0"
: > "$CACHE/.tmp-2-0"
exec 9< "$CACHE/.tmp-2-0"
check flock 9 # its writer is still there
perf report --stdio -i x.data 9<&-
check cmp out want
check [ ! -e "$CACHE/.tmp-1-0" ]
check [ -e "$CACHE/.tmp-2-0" ]
exec 9<&-
perf report --stdio -i x.data
check [ -z "$(find "$CACHE" -name '.tmp*')" ]

step "a program that was stripped, and one whose debug file comes later"
check strip prog
settle
same report --stdio
same script $LINES
refute grep -q ' low$' out
mkdir -p .debug
cp kept .debug/prog.debug
check objcopy --add-gnu-debuglink=.debug/prog.debug prog
settle
same script $LINES
perf script $LINES -i x.data
check grep -q ' low$' out
rm .debug/prog.debug
same script $LINES
refute grep -q ' low$' out
cp whole prog
settle
same script $LINES
check grep -q ' low$' out

step "a copy that was stripped of less hides no debug file, from report or probe"
cp whole prog
check strip -g -o half whole
perf buildid-cache --add half
check cmp "$HOME/.debug/.build-id/${id:0:2}/${id:2}/elf" half
check strip prog
mkdir -p .debug "below/usr/lib/debug/.build-id/${id:0:2}" "below/$PWD"
cp kept .debug/prog.debug
check objcopy --add-gnu-debuglink=.debug/prog.debug prog
settle
same script $LINES
check grep -q ' low$' out
rm .debug/prog.debug
same script $LINES # of the copy, which has names only
refute grep -q ' low$' out
check grep -q ' work$' out
cp half "below/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
cp prog "below/$PWD"
perf probe --symfs below -x "$PWD/prog" -D 'work n'
check [ $rc -ne 0 ]
mkdir "below/$PWD/.debug"
cp kept "below/$PWD/.debug/prog.debug"
perf probe --symfs below -x "$PWD/prog" -D 'work n'
check grep -q "^p:probe_prog/work $PWD/prog:0x[0-9a-f]* n=%di:x64$" out
perf buildid-cache --purge-all
rm -r below
cp whole prog
settle

step "an object that got a link or other rights keeps its index, another build does not"
same report --stdio
when=$(stat -c %y "$CACHE/$(index)")
check ln prog linked
check chmod 700 prog
same report --stdio
check [ "$(stat -c %y "$CACHE/$(index)")" = "$when" ]
rm linked
touch -r prog before
sed 's/\bwork\b/bork/' prog.c > other.c
check "$CC" -O1 -g -fno-omit-frame-pointer -Wl,--build-id -o other other.c
check cp other prog # in its place
touch -r before prog
same report --stdio
refute grep -q ' bork$' out
cp whole prog
settle

step "another way of looking has an index of its own"
mkdir -p "sys/$PWD"
cp kept "sys/$PWD/prog"
same report --stdio --symfs "$PWD/sys"
same script --no-demangle $LINES
mkdir empty
for symfs in '' "$PWD/empty"; do # there, the program is not
	same report --stdio --symfs "$symfs" --buildid-dir "$PWD/none"
done
same report --stdio

step "a damaged index is dropped and made again"
python3 - "$CACHE" << 'END'
import os, sys
for name in os.listdir(sys.argv[1]):
    path = os.path.join(sys.argv[1], name)
    data = bytearray(open(path, "rb").read())
    data[len(data) // 2] ^= 4
    open(path, "wb").write(data)
END
before=$(cksum < "$CACHE/$(index)")
same report --stdio
same script $LINES
check [ "$(cksum < "$CACHE/$(index)")" != "$before" ]
for size in 0 10 24 200; do
	truncate -s $size "$CACHE/$(index)"
	same script $LINES
done

# forge FROM TO: of one length, in all indexes, which stay sound
forge() {
	python3 - "$CACHE" "$1" "$2" << 'END'
import os, struct, sys
ALL = (1 << 64) - 1
def mix(x):
    for factor in 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53:
        x = ((x ^ x >> 33) * factor) & ALL
    return x ^ x >> 33
def checksum(data):
    h, lanes = len(data), [len(data) + i for i in range(4)]
    for i, (word,) in enumerate(struct.iter_unpack("<Q", data[:len(data) // 32 * 32])):
        word ^= lanes[i % 4] & ALL
        lanes[i % 4] = ((word << 29 & ALL | word >> 35) * 0x9e3779b97f4a7c15) & ALL
    if h >= 64:
        h, data = lanes[0], data[len(data) // 32 * 32:]
        for lane in lanes[1:]:
            h = mix((h * 0x9e3779b97f4a7c15 + lane) & ALL)
    for (word,) in struct.iter_unpack("<Q", data + bytes(8 - len(data) % 8)):
        h = mix((h * 0x9e3779b97f4a7c15 + word) & ALL)
    return h
found = 0
for name in os.listdir(sys.argv[1]):
    path = os.path.join(sys.argv[1], name)
    data = bytearray(open(path, "rb").read())
    assert struct.unpack_from("<Q", data, 16)[0] == checksum(data[24:72])
    start = 72
    for at in range(24, 72, 16): # section by section
        size, known = struct.unpack_from("<QQ", data, at)
        section = bytes(data[start:start + size])
        assert known == checksum(section)
        forged = section.replace(sys.argv[2].encode() + b"\0", sys.argv[3].encode() + b"\0")
        found += forged != section
        data[start:start + size] = forged
        struct.pack_into("<Q", data, at + 8, checksum(forged))
        start += size
    struct.pack_into("<Q", data, 16, checksum(data[24:72]))
    open(path, "wb").write(data)
sys.exit(not found)
END
}

step "the second time no name is made readable again"
cat > many.cc << 'END'
#include <ctime>
volatile unsigned long sink;
template <int N> struct box {
	static void __attribute__((noinline)) work() { for (int i = 0; i < 2000; i++) sink += i; box<N - 1>::work(); }
};
template <> struct box<0> { static void work() {} };
int main() { while (clock() < CLOCKS_PER_SEC / 2) box<60>::work(); }
END
if ! command -v "${CXX:-c++}" > /dev/null || ! need_events; then
	skip "no C++ compiler"
else
	for build_id in sha1 none; do
		rm -rf "${CACHE:?}"
		check "${CXX:-c++}" -O1 -fno-omit-frame-pointer -Wl,--build-id=$build_id -o many many.cc
		perf record -F 4000 -g -e cpu-clock:u -o x.data ./many
		settle
		# The names of all forms are those that are shown without an index.
		for _ in 1 2; do
			for names in '' --demangle=full --demangle=short --no-demangle; do
				same report --stdio --no-children $names
			done
		done
		perf report --stdio --no-children -g none -i x.data
		check grep -q 'box<7>::work$' out
		# It is the index that is asked: the demangler could not say this.
		check forge 'box<7>::work' 'fox<7>::work'
		perf report --stdio --no-children -g none -i x.data
		check grep -q 'fox<7>::work$' out
		refute grep -q 'box<7>::work$' out
		[ $build_id != none ] || check [ "$(find "$CACHE" -name 'none-*' | wc -l)" -gt 0 ]
	done
fi
perf record -F 2000 -g -e cpu-clock:u -o x.data ./prog
settle
same report --stdio

step "--purge-index empties it, and nothing else"
perf buildid-cache -v --add ./prog
perf buildid-cache -v --purge-index
check [ $rc -eq 0 ]
check grep -qE '^[1-9][0-9]* indexes removed$' err
check [ -z "$(ls "$CACHE")" ]
perf buildid-cache -l
check grep -q "^$id" out
perf buildid-cache --purge-index
check [ $rc -eq 0 ]
perf buildid-cache --purge-all

step "symbol-cache.size bounds it"
printf '[symbol-cache]\n\tsize = 0\n' > config
PERF_CONFIG=$PWD/config perf report --stdio -i x.data
check [ -z "$(ls "$CACHE")" ]
printf '[symbol-cache]\n\tsize = much\n' > config
PERF_CONFIG=$PWD/config perf report --stdio -i x.data
check [ $rc -eq 255 ]
check grep -q "megabytes 'much'" err

step "where it cannot be kept the report is the same, and -v says why"
same report --stdio
cp want good
for kind in file other-user wide; do
	rm -rf "${HOME:?}/.cache"
	case $kind in
	file) : > "$HOME/.cache" ;;
	other-user)
		mkdir "$HOME/.cache"
		[ "$(id -u)" -ne 0 ] || chown 12345 "$HOME/.cache"
		[ "$(id -u)" -eq 0 ] || chmod 500 "$HOME/.cache"
		;;
	wide) mkdir -p "$HOME/.cache/perf" && chmod 777 "$HOME/.cache/perf" ;;
	esac
	perf report --stdio -i x.data
	check cmp out good
	refute grep -q 'cannot keep' err
	perf report --stdio -v -i x.data
	check grep -q "cannot keep an index of symbols in '$HOME/.cache'" err
	check [ -z "$(find "$HOME/.cache" -type f -size +0)" ]
done
rm -rf "${HOME:?}/.cache"

step "a full disk costs the index, not the report"
if [ "$(id -u)" -eq 0 ] && mkdir full && mount -t tmpfs -o size=16k,mode=700 none full 2> /dev/null; then
	umount_at_end=$PWD/full
	for _ in 1 2; do
		XDG_CACHE_HOME=$PWD/full perf report --stdio -i x.data
		check cmp out good
	done
	check [ -z "$(find full -name '.tmp*')" ]
	umount full && umount_at_end=''
else
	skip "cannot mount a small disk"
fi
finish
