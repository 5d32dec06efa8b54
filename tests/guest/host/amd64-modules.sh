#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the amd64 guest recorded of a kernel module, on this machine, where no list has its names:
# they come out of its file, and its lines out of a debug file where Debian's packages have those. (That
# file is made up, of the module's build-id: the real one is in a package of 280 MB.)
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
plan 3
PERF=${PERF_HOST:-$SRC/build/perf}
path=$("$PERF" script -i "$GUEST_OUT/m.data" --show-mmap-events 2> /dev/null | sed -n 's/.* x \(.*overlay\.ko\)$/\1/p')

report() { # FILE OPTION...
	perf report --stdio -n --symfs root -i "$GUEST_OUT/$1.data" "${@:2}"
	check [ $rc -eq 0 ]
	sed -i 's/^ *[0-9.]*% *//' out
}

step "without the file there are no names"
mkdir -p root
check [ -n "$path" ]
report m -s dso,sym
check grep -q '\[overlay\] .* 0x' out
refute grep -q ' ovl_' out

step "the module's file names what the guest's list did"
mkdir -p "root${path%/*}" && cp "$GUEST_OUT/overlay.ko" "root$path"
for file in m l; do # Linux's perf has noted no build-id
	report $file -s dso,sym
	sed -n 's/^\([0-9]*\)  \[overlay\].*\[k\] \([^ ]*\) *$/\2 \1/p' out | sort > here
	check grep -q '^ovl_' here
	[ $file = l ] || check diff "$GUEST_OUT/names" here
done

step "its lines and inlined functions, by a debug file below /usr/lib/debug"
perf version --build-options
if ! grep -q 'dwarf: \[ on' out || ! command -v gcc > /dev/null; then
	skip "built without libdw, or no gcc"
else
	id=$(readelf -n "$GUEST_OUT/overlay.ko" | sed -n 's/.*Build ID: //p')
	size=$(readelf -SW "$GUEST_OUT/overlay.ko" | sed 's/^ *\[ *//' | awk '$2 == ".text" { print "0x" $6 }')
	cat > whole.c <<- END
		__asm__(".section .note.gnu.build-id,\"a\",%note\n.long 4, 20, 3\n.asciz \"GNU\"\n"
			".byte 0x$(echo "$id" | sed 's/../&, 0x/g; s/, 0x$//')\n.text");
		static inline __attribute__((always_inline)) void inner(void)
		{
			__asm__ volatile(".skip $((size - 16)), 0x90"); /* line 5 */
		}
		void whole(void)
		{
			inner(); /* line 9 */
		}
	END
	mkdir -p "root/usr/lib/debug${path%/*}"
	check gcc -O1 -g -c -fcf-protection=none -o "root/usr/lib/debug$path" whole.c
	report m -s dso,srcline
	check grep -qE '\[overlay\] +whole\.c:5 *$' out
	perf script -i "$GUEST_OUT/m.data" --symfs root -F ip,sym,srcline
	check grep -qx '  whole\.c:5' out
	report m -s dso,srcline # from the index now
	check grep -qE '\[overlay\] +whole\.c:5 *$' out
	# Of another build: refused, and said.
	sed -i 's/\.byte 0x../.byte 0xfe/' whole.c
	check gcc -O1 -g -c -fcf-protection=none -o "root/usr/lib/debug$path" whole.c
	report m -s dso,srcline
	refute grep -q 'whole\.c' out
fi
finish
