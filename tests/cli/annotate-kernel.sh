#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf annotate of code that only the kernel runs: modules, whose files are not linked, and BPF
# programs, whose code is in the recording. The recordings are made here, because few machines have
# such code that may be read.
. "$(dirname "$0")/../lib.sh"
plan 7
need_library capstone || finish

# record.py FILE MODULE-FILE OFFSET...: a recording with samples at these places of a module (hex).
cat > record.py << 'END'
import struct, sys

KERNEL, MODULE = 0xffffffff81000000, 0xffffffffc0200000
IP, TID, TIME, PERIOD = 1, 2, 4, 256
pack = struct.pack

def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)

def record(kind, misc, body):
    return pack("<IHH", kind, misc, 8 + len(body)) + body

def code(start, size, pgoff, name):
    return record(1, 1, pack("<iiQQQ", -1, 0, start, size, pgoff) + text(name))

def samples(addresses):
    return [record(9, 1, pack("<QIIQQ", addr, 7, 7, 10 + i, 1000)) for i, addr in enumerate(addresses)]

def write(path, records, features={}):
    attr = pack("<IIQQQQQ", 1, 112, 0, 1000, IP | TID | TIME | PERIOD, 0, 0) + bytes(64) + pack("<QQ", 0, 0)
    data = b"".join([code(KERNEL, 0x1000000, KERNEL, "[kernel.kallsyms]_text"),
                     record(3, 0, pack("<II", 7, 7) + text("prog"))] + records)
    header = b"PERFILE2" + pack("<8Q", 104, len(attr), 104, len(attr), 104 + len(attr), len(data), 0, 0)
    header += pack("<4Q", sum(1 << number for number in features), 0, 0, 0)
    table, at = b"", 104 + len(attr) + len(data) + 16 * len(features)
    for number in sorted(features):
        table += pack("<QQ", at, len(features[number]))
        at += len(features[number])
    open(path, "wb").write(header + attr + data + table + b"".join(features[n] for n in sorted(features)))

if __name__ == "__main__":
    write(sys.argv[1], [code(MODULE, 0x4000, 0, sys.argv[2])] +
          samples(MODULE + int(offset, 16) for offset in sys.argv[3:]))
END
printf 'ffffffff81000000 T _text\nffffffff81000100 T printk\nffffffff81000200 T _etext\n' > symbols

cat > module.c << 'END'
extern int printk(const char *, ...);
extern unsigned long jiffies;
extern int limits[8];
static int counter, last;
int table[4];

__attribute__((noinline, section(".text.unlikely"))) static int slow(int x)
{
	last = x;
	return printk("%d\n", x);
}

__attribute__((noinline)) int helper(int x)
{
	return x * 3 + counter + limits[3];
}

int work(int x)
{
	counter += x;
	table[1] = jiffies;
	if (x > 7)
		return slow(x);
	printk("x %d\n", x);
	return helper(x) + 1;
}
END

# Each instruction of work in objdump's text, with what its relocations say: see there for the rules.
cat > compare.py << 'END'
import re, sys

START = 0xffffffffc0200000
ours = {int(a, 16) - START: t for a, t in re.findall(r"^ +[0-9.]+ : +([0-9a-f]+): +(.*)$", open(sys.argv[1]).read(), re.M)}
theirs = re.search(r"<work>:\n(.*?)\n\n", open(sys.argv[2]).read(), re.S).group(1)
named = 0
for addr, code, insn, reloc in re.findall(r"^ +([0-9a-f]+):\t([0-9a-f ]+?) *\t([^\t\n]*(?:\t[^\t\n:]*)?)(?:\t(.*))?$", theirs, re.M):
    addr, size = int(addr, 16), len(code.replace(" ", "")) // 2
    assert ours[addr].split()[0] == insn.split()[0], (ours[addr], insn)
    if not reloc:
        continue
    place, kind, name, sign, offset = re.fullmatch(r"([0-9a-f]+): (\S+)\t([^-+\s]+)(?:([-+])0x([0-9a-f]+))?", reloc).groups()
    offset = int(offset or "0", 16) * (-1 if sign == "-" else 1)
    if kind in ("R_X86_64_PC32", "R_X86_64_PLT32"):  # counted from the end of the instruction
        offset += addr + size - int(place, 16)
    want = {".bss": "counter", ".text.unlikely": "slow"}.get(name, name)  # static: no relocation names them
    if name[0] != "." or name == ".text.unlikely":
        want += "+0x%x" % offset if offset else ""
    assert re.search(r"[ <]%s(>|\+0x|$)" % re.escape(want), ours[addr]), (ours[addr], want)
    named += 1
assert named >= 7, named
END

# module NAME OBJDUMP COMPILER...: annotate a module beside objdump's text of its file.
module() {
	local name=$1 tool=$2
	shift 2
	"$@" -O1 -g -fno-pic -ffreestanding -c -o "$name.ko" module.c 2> cc.err || { skip "no $1" && return; }
	"$tool" -drw "$name.ko" > "$name.text" 2> tool.err || { skip "no $tool" && return; }
	check python3 record.py "$name.data" "$PWD/$name.ko" 10 24 24 30 40
	perf annotate --stdio -i "$name.data" --kallsyms=symbols --no-source work
	check [ $rc -eq 0 ]
	check python3 compare.py out "$name.text"
	check grep -qE ' (call|bl) +printk$' out
	check grep -qE ' (call|bl) +ffffffffc0200000 <helper>$' out
	check grep -qE ' (call|bl) +ffffffffc02000[0-9a-f]{2} <slow>$' out
	perf annotate --stdio2 -i "$name.data" --kallsyms=symbols work
	check grep -qE '→ (call|bl) +printk$' out
	check grep -q 'table\[1\] = jiffies;' out
	perf annotate --json -i "$name.data" --kallsyms=symbols work
	check python3 -c 'import json
f = json.load(open("out"))["functions"][0]
targets = [i["target"] for i in f["instructions"] if "target" in i]
assert {"address": None, "symbol": "printk", "offset": 0} in targets
assert {"address": 0xffffffffc0200000, "symbol": "helper", "offset": 0} in targets'
}

step "a module of x86-64: what it calls and refers to is named, as its relocations say"
module amd64 objdump gcc -m64 -mcmodel=kernel -fcf-protection=none
step "a module of arm64"
module arm64 aarch64-linux-gnu-objdump aarch64-linux-gnu-gcc

step "files of modules that are none, are cut, or have relocations of any damage"
if [ -s amd64.ko ]; then
	cp amd64.ko good.ko
	size=$(stat -c %s good.ko)
	for bytes in 0 1 64 200 $((size / 2)) $((size - 100)); do
		head -c "$bytes" good.ko > amd64.ko
		perf annotate --stdio -i amd64.data --kallsyms=symbols work
		check [ $rc -le 1 ]
	done
	# Each byte of .rela.text another, one by one: status 0, and all of the function's instructions.
	read -r offset length < <(readelf -SW good.ko | sed -nE 's/.* \.rela\.text +RELA +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\1 \2/p')
	check [ "$((0x$length))" -ge 200 ]
	for ((at = 0; at < 0x$length; at += 5)); do
		python3 -c '
import sys
data = bytearray(open("good.ko", "rb").read())
data[int(sys.argv[1])] ^= 0xff
open("amd64.ko", "wb").write(data)' $((0x$offset + at))
		perf annotate --stdio -i amd64.data --kallsyms=symbols --no-source work
		check [ $rc -eq 0 ]
		check [ "$(grep -cE '^ +[0-9.]+ : +ffffffffc02000' out)" -eq 18 ]
	done
	rm amd64.ko
	perf annotate --stdio -i amd64.data --kallsyms=symbols work
	check [ $rc -eq 1 ]
else
	skip "no module was built"
fi

# A program of two functions: the first calls the second, and printk.
cat > bpf.py << 'END'
import sys
from record import *

MAIN, PART = 0xffffffffc0400000, 0xffffffffc0401000
TAGS = bytes(range(8)), bytes(range(8, 16))

def call(at, to):
    return b"\xe8" + pack("<i", to - at - 5)

main = b"\x55\x48\x89\xe5" + call(MAIN + 4, PART) + call(MAIN + 9, KERNEL + 0x100) + b"\xc9\xc3"
part = b"\xb8\x07\x00\x00\x00\xc3"
arrays = [main + part, pack("<QQ", MAIN, PART), pack("<II", len(main), len(part)), b"".join(TAGS)]
info, offset = bytearray(232), 0
for at, array in zip((24, 112, 120, 184), arrays):  # jited_prog_insns, _ksyms, _func_lens, prog_tags
    info[at:at + 8] = pack("<Q", offset)
    offset += len(array)
info[16:20] = pack("<I", len(main + part))
info[104:112] = pack("<II", 2, 2)
section = pack("<I", 1) + pack("<IIQ", len(info), offset, 0x11d) + info + b"".join(arrays)
names = ["bpf_prog_%s_%s" % (tag.hex(), name) for tag, name in zip(TAGS, ("main", "F"))]
records = [record(17, 0, pack("<QIHH", addr, size, 1, 0) + text(name))
           for addr, size, name in zip((MAIN, PART), (len(main), len(part)), names)]
records += samples([MAIN + 4, MAIN + 4, MAIN + 14, PART])
arch = {6: pack("<I", 64) + b"x86_64".ljust(64, b"\0")}
write("bpf.data", records, {**arch, 25: section})
write("none.data", records, arch)
write("other.data", records, {**arch, 25: section.replace(TAGS[0], TAGS[1])})
for i in range(0, len(section) - 4):
    write("bad%d.data" % i, records, {**arch, 25: section[:i] + bytes([section[i] ^ 0xff]) + section[i + 1:]})
    write("cut%d.data" % i, records, {**arch, 25: section[:i]})
print(len(section) - 4)
END
step "a BPF program: the code that the recording keeps, and what it calls"
nr=$(python3 bpf.py)
check [ "$nr" -gt 200 ]
perf annotate --stdio -i bpf.data --kallsyms=symbols
check [ $rc -eq 0 ]
grep -E '^ +[0-9.]+ : ' out > got
cat > want << 'END'
    0.00 :   ffffffffc0400000:       push   %rbp
    0.00 :   ffffffffc0400001:       mov    %rsp,%rbp
   66.67 :   ffffffffc0400004:       call   ffffffffc0401000 <bpf_prog_08090a0b0c0d0e0f_F>
    0.00 :   ffffffffc0400009:       call   ffffffff81000100 <printk>
   33.33 :   ffffffffc040000e:       leave
    0.00 :   ffffffffc040000f:       ret
  100.00 :   ffffffffc0401000:       mov    $0x7,%eax
    0.00 :   ffffffffc0401005:       ret
END
check diff want got
for file in none other; do
	perf annotate --stdio -i $file.data --kallsyms=symbols bpf_prog_0001020304050607_main
	check [ $rc -eq 1 ]
	check [ ! -s out ]
	check grep -q "the recording does not have what the kernel made of this BPF program" err
done

step "such a section with any byte another, or cut anywhere"
shown=0 refused=0
for ((i = 0; i < nr; i += 3)); do
	for kind in bad cut; do
		perf annotate --stdio -i $kind$i.data --kallsyms=symbols bpf_prog_0001020304050607_main
		check [ $rc -le 1 ]
		if grep -q 'call   ffffffff81000100 <printk>' out; then
			shown=$((shown + 1))
		elif grep -q "no code of 'bpf_prog_0001020304050607_main'" err; then
			refused=$((refused + 1))
		fi
	done
done
# What is no matter of code may be anything: the program's limits, the moment when it was loaded.
check [ $shown -gt 40 ]
check [ $refused -gt 40 ]

# A program that counts down from 2000, run over and over.
cat > run-bpf.py << 'END'
import ctypes, struct, time

def bpf(command, attr):
    return libc.syscall(321, command, ctypes.create_string_buffer(attr, len(attr)), len(attr))

libc = ctypes.CDLL(None)
code = b"".join(struct.pack("<BBhi", *insn) for insn in (
    (0xb7, 0, 0, 0), (0xb7, 1, 0, 2000), (0x0f, 0x10, 0, 0), (0x17, 1, 0, 1), (0x55, 1, -3, 0), (0x95, 0, 0, 0)))
insns, licence, packet = (ctypes.create_string_buffer(b) for b in (code, b"GPL", bytes(64)))
fd = bpf(5, struct.pack("<IIQQIIQII16s", 1, len(code) // 8, ctypes.addressof(insns), ctypes.addressof(licence),
                        0, 0, 0, 0, 0, b"countdown") + bytes(64))
end = time.time() + 3
while fd >= 0 and time.time() < end:
    if bpf(10, struct.pack("<IIIIQQII", fd, 0, 64, 0, ctypes.addressof(packet), 0, 10000, 0) + bytes(32)):
        break
END
step "record keeps the code of the programs that are loaded"
if [ "$(uname -m)" = x86_64 ] && [ "$(id -u)" -eq 0 ]; then
	timeout 20 python3 run-bpf.py &
	sleep 0.5
	perf record -q -a -e cpu-clock -c 1000000 -o live.data -- sleep 1
	wait $!
	perf report --stdio -g none -s sym -i live.data
	program=$(awk '$NF ~ /^bpf_prog_.*_countdown$/ { print $NF; exit }' out)
	if [ -n "$program" ]; then
		perf annotate --stdio -i live.data "$program"
		check [ $rc -eq 0 ]
		check grep -qE ' mov +\$0x7d0,%edi$' out
		check grep -qE " jne .*<$program\+0x" out
		perf report --header-only -i live.data
		check grep -q "^# bpf_prog_info [0-9]*: $program addr 0x" out
	else
		skip "no BPF program can be run"
	fi
else
	skip "not root, or not x86-64"
fi

# A core with code of the kernel and of a module: work, which was patched to call printk.
cat > core.py << 'END'
import os, sys
from record import *

def call(at, to):
    return b"\xe8" + pack("<i", to - at - 5)

kernel = b"\x90" * 0x100 + b"\x55" + call(KERNEL + 0x101, KERNEL + 0x10) + b"\x5d\xc3"
module = b"\x53" + call(MODULE + 1, KERNEL + 0x100) + b"\x5b\xc3"
elf = b"\x7fELF\2\1\1" + bytes(9) + pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
at = 64 + 2 * 56
for start, code_bytes in (KERNEL, kernel), (MODULE, module):
    elf += pack("<IIQQQQQQ", 1, 7, at, start, 0, len(code_bytes), len(code_bytes), 4096)
    at += len(code_bytes)
ID = bytes(range(20))
HEX = ID.hex()
build_id = pack("<IHHi20sI", 0, 1, 36 + 24, -1, ID, 0) + b"[kernel.kallsyms]".ljust(24, b"\0")
lists = {"fits": KERNEL, "other": KERNEL + 0x1000}
for name, text_at in lists.items():
    for folder in name, "cache-%s/[kernel.kcore]/%s/2026112801020300" % (name, HEX):
        os.makedirs(folder)
        open(folder + "/kcore", "wb").write(elf + kernel + module)
        open(folder + "/modules", "w").write("m 16384 0 - Live 0x%x\n" % MODULE)
        open(folder + "/kallsyms", "w").write("%x T _text\n%x T idle\n%x T printk\n%x T after\n%x t work\t[m]\n%x t end\t[m]\n" % (
            text_at, text_at + 0x10, text_at + 0x100, text_at + 0x108, MODULE, MODULE + 8))
records = [code(MODULE, 0x4000, 0, "[m]")] + samples([KERNEL + 0x101, KERNEL + 0x101, KERNEL + 0x106, MODULE + 6])
write("core.data", records, {2: build_id})
os.makedirs("folder.data/kcore_dir")
write("folder.data/data", records, {2: build_id})
for name in "kcore", "kallsyms", "modules":
    os.link("fits/" + name, "folder.data/kcore_dir/" + name)
END
step "a core has the code of the kernel and its modules as it ran: beside the list, of record --kcore, in the cache"
check python3 core.py
cat > want << 'END'
    0.00 :   ffffffff81000100:       push   %rbp
   66.67 :   ffffffff81000101:       call   ffffffff81000010 <idle>
   33.33 :   ffffffff81000106:       pop    %rbp
    0.00 :   ffffffff81000107:       ret
    0.00 :   ffffffffc0200000:       push   %rbx
    0.00 :   ffffffffc0200001:       call   ffffffff81000100 <printk>
  100.00 :   ffffffffc0200006:       pop    %rbx
    0.00 :   ffffffffc0200007:       ret
END
for place in "core.data --kallsyms=fits/kallsyms" folder.data "core.data --buildid-dir=cache-fits"; do
	if [ "$place" != "${place%cache-fits}" ]; then # names come from the cache's list of that kernel
		id=$(printf '%02x' {0..19})
		mkdir -p "cache-fits/[kernel.kallsyms]/$id" "cache-fits/.build-id/00"
		cp fits/kallsyms "cache-fits/[kernel.kallsyms]/$id/kallsyms"
		ln -s "../../[kernel.kallsyms]/$id" "cache-fits/.build-id/00/${id#00}"
	fi
	# shellcheck disable=SC2086
	perf annotate --stdio -i $place
	check [ $rc -eq 0 ]
	grep -E '^ +[0-9.]+ : ' out > got
	check diff want got
done
# One of another boot, or that is none, has other code at these places.
perf annotate --stdio -i core.data --kallsyms=other/kallsyms printk
check [ $rc -eq 1 ]
check grep -q "no copy of the running code" err
rm fits/kcore # (a link more is in folder.data)
cp module.c fits/kcore
perf annotate --stdio -i core.data --kallsyms=fits/kallsyms printk
check [ $rc -eq 1 ]
for bytes in 0 60 100 170 300 440; do
	head -c $bytes folder.data/kcore_dir/kcore > fits/kcore
	perf annotate --stdio -i core.data --kallsyms=fits/kallsyms printk
	check [ $rc -le 1 ]
done
finish
