#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of more than 2 and more than 4 GB: their code, symbols and debug sections lie that far
# into the file (which is mostly a hole). They are recorded, named, cached and bundled as small ones.
. "$(dirname "$0")/../lib.sh"
plan 6
need_events || finish
CC=${CC:-cc}
for tool in "$CC" python3; do
	command -v "$tool" > /dev/null || skip_all "large binaries: $tool is not installed"
done
has libdw && lines=1 || lines=

cat > prog.c << 'END_OF_PROG'
volatile unsigned long sink;
static inline __attribute__((always_inline)) void low(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}
static void __attribute__((noinline)) work(unsigned long n)
{
	low(n);
	sink++;
}
int main(void)
{
	for (int i = 0; i < 2500; i++)
		work(100000);
	return 0;
}
END_OF_PROG
cat > spread.py << 'END_OF_SPREAD'
import struct, sys

# The ELF64 file TO is FROM with BYTES of nothing behind its first page.
source, to, hole = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = bytearray(open(source, "rb").read())


def shift(table, entry, number, at):
    for i in range(number):
        field = table + i * entry + at
        (offset,) = struct.unpack_from("<Q", data, field)
        if offset >= 4096:
            struct.pack_into("<Q", data, field, offset + hole)


programs, sections = struct.unpack_from("<QQ", data, 32)
size, nr, section_size, nr_sections = struct.unpack_from("<HHHH", data, 54)
shift(programs, size, nr, 8)
shift(sections, section_size, nr_sections, 24)
struct.pack_into("<Q", data, 40, sections + hole)
with open(to, "wb") as out:
    out.write(data[:4096])
    out.seek(4096 + hole)
    out.write(data[4096:])
END_OF_SPREAD
"$CC" -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id -o prog prog.c 2> cc.log ||
	skip_all "large binaries: $(tail -n 1 cc.log)"

for size in 2 5; do
	step "a program of more than $size GB"
	mkdir bin 2> /dev/null
	if ! python3 spread.py prog bin/prog $((size << 30)) 2> spread.log || ! chmod +x bin/prog || ! bin/prog; then
		skip "no such program can be made here: $(tail -n 1 spread.log)"
		continue
	fi
	perf record -N -g -F 2000 -e cpu-clock:u -o x.data bin/prog
	check [ $rc -eq 0 ]
	perf report -g none --no-children -s sym -i x.data
	check [ "$(awk '$NF == "work" { print ($1 + 0 > 90) }' out)" = 1 ]
	perf report -g caller --inline -i x.data
	cp out chains
	[ -z "$lines" ] || check grep -q 'low (inlined)' chains
	perf script -F +srcline,+sym -i x.data
	cp out script
	[ -z "$lines" ] || check grep -qE 'prog\.c:[56]( \(inlined\))?$' script
	CHECKS=rows,script agree x.data

	step "in the build-id cache ($size GB)"
	perf buildid-cache -a bin/prog
	check [ $rc -eq 0 ]
	rm bin/prog
	perf report -g caller --inline -i x.data
	check diff <(grep -v '^#' chains) <(grep -v '^#' out)
	perf script -F +srcline,+sym -i x.data
	check cmp script out
	perf buildid-cache -P

	step "in the recording ($size GB)"
	if need_machine; then
		python3 spread.py prog bin/prog $((size << 30)) && chmod +x bin/prog
		perf record --bundle -N -g -F 2000 -e cpu-clock:u -o machine/root/x.data bin/prog
		check [ "$(stat -c %s machine/root/x.data)" -lt 1000000 ]
		perf script -F +srcline,+sym -i machine/root/x.data
		there script -F +srcline,+sym -i /root/x.data > after 2> err
		check cmp out after
		check grep -q 'work' after
		rm bin/prog
	fi
done
finish
