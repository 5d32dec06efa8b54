#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file that has a record of every type which Linux's perf 6.1 can dump.

    records.py FILE          what 6.1 reads to the end
    records.py --all FILE    also unknown types, cut records, and what ends 6.1

Layouts: Documentation/perf.data-file-format.txt. One event, cpu-clock, id 1000.
"""

import struct
import sys

IP, TID, TIME, PERIOD = 1, 2, 4, 256
KERNEL, USER = 1, 2
pack = struct.pack


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def trailer(time):
    return pack("<IIQ", 77, 78, time)


def kernel_records():
    vm = pack("<II", 77, 78)
    yield 1, KERNEL, pack("<iiQQQ", -1, 0, 0xffffffff81000000, 0x1000000, 0) + text("[kernel.kallsyms]_text") + trailer(0)
    yield 3, 0x2000, vm + text("exec it") + trailer(10)
    yield 3, 0, vm + text("comm") + trailer(11)
    yield 1, USER, vm + pack("<QQQ", 0x400000, 0x1000, 0) + text("/bin/x") + trailer(12)
    yield 1, 0x2002, vm + pack("<QQQ", 0x500000, 0x1000, 7) + text("/bin/data") + trailer(13)
    for prot, flags, name in ((5, 2, "/bin/y"), (3, 1, "//anon"), (0, 2, "/bin/none")):
        yield 10, USER, (vm + pack("<QQQIIQQII", 0x600000, 0x1000, 0x100, 8, 1, 55, 66, prot, flags)
                         + text(name) + trailer(14))
    for size in (20, 8):
        yield 10, 0x4002, (vm + pack("<QQQBBH20sII", 0x800000, 0x1000, 0, size, 0, 0,
                                     bytes(range(20)), 7, 2) + text("/bin/z") + trailer(16))
    yield 2, 0, pack("<QQ", 1000, 9) + trailer(17)
    yield 4, 0, pack("<IIIIQ", 77, 77, 79, 78, 18) + trailer(18)
    yield 7, 0, pack("<IIIIQ", 77, 77, 79, 78, 19) + trailer(19)
    yield 5, 0, pack("<QQQ", 20, 1000, 1001) + trailer(20)
    yield 6, 0, pack("<QQQ", 21, 1000, 1001) + trailer(21)
    for flags in (1, 0, 2, 3, 4, 8, 0x1ff):
        yield 11, 0, pack("<QQQ", 0x1000, 0x200, flags) + trailer(23)
    yield 12, 0, vm + trailer(24)
    yield 13, 0, pack("<Q", 5) + trailer(25)
    for misc in (0, 0x2000, 0x6000, 0x4000):
        yield 14, misc, trailer(26)
        yield 15, misc, pack("<II", 5, 1234567) + trailer(27)
    for nr in (7, 1, 9):
        yield 16, 0, (vm + pack("<Q", nr) + b"".join(pack("<QQ", i, 0xf0000000 + i)
                                                     for i in range(nr)) + trailer(28))
    for kind, flags in ((1, 0), (1, 1), (2, 0)):
        yield 17, 0, (pack("<QIHH", 0xffffffffc0000000, 0x100, kind, flags) + text("bpf_prog_x")
                      + trailer(29))
    yield 18, 0, pack("<HHI8s", 1, 0, 42, b"\1\2\3\4\5\6\7\10") + trailer(30)
    yield 19, 0, pack("<Q", 0x1234) + text("/a/b") + trailer(31)
    yield 20, 0, pack("<QHH", 0x1000, 2, 2) + bytes([1, 2, 3, 4]) + trailer(32)
    yield 21, 0, pack("<Q", 0x1234) + trailer(33)
    yield 9, USER, pack("<QIIQQ", 0x400123, 77, 78, 40, 1)
    yield 9, KERNEL, pack("<QIIQQ", 0x400123, 77, 78, 41, 1)


def own_records():
    yield 65, 0, pack("<Q", 3) + text("old-event")
    yield 67, 0x8002, pack("<i20sB3s", -1, bytes(range(20)), 20, b"") + text("/bin/idd")
    yield 68, 0, b""
    yield 73, 0, pack("<QQ16sQ16sQ16s", 3, 5, b"", 6, b"abc", (1 << 64) - 1, b"")
    yield 73, 0, pack("<Q", 0)
    for cpus in ((1, 3, 5), (0xffff,), (0xffff, 1, 2)):
        yield 74, 0, pack("<HH%dH" % len(cpus), 0, len(cpus), *cpus)
    yield 74, 0, pack("<HHHI", 1, 1, 4, 0xf5)
    yield 74, 0, pack("<HHHIQ", 1, 1, 8, 0, 0x8000000000000005)
    for any_cpu, first, last in ((0, 2, 7), (1, 2, 7), (0, 3, 3)):
        yield 74, 0, pack("<HBBHH", 2, any_cpu, 0, first, last)
    yield 75, 0, pack("<QQQQQQQ", 3, 0, 4, 1, 100, 2, 1)
    yield 76, 0, pack("<QiiQQQ", 1000, 1, 0, 10, 20, 30)
    yield 77, 0, pack("<QQ", 0, 123)
    yield 77, 0, pack("<QQ", 1, 124)
    yield 78, 0, pack("<QQ", 0, 1000) + text("unit")
    yield 78, 0, pack("<QQd", 1, 1000, 2.5)
    yield 78, 0, pack("<QQ", 2, 1000) + text("cpu-clock")
    yield 78, 0, pack("<QQHBBHH", 3, 1000, 2, 0, 0, 2, 7)
    yield 78, 0, pack("<QQ", 4, 1000) + text("x")
    yield 79, 0, pack("<QQQ", 10, 20, 30)
    yield 79, 0, pack("<QQQQQBB6s", 10, 20, 30, 40, 50, 1, 0, b"")
    yield 72, 0, pack("<IIIIIIQQ64sII", 2, 3, 0xffffffff, 77, 78, 1, 0x400000, 5000000099, b"msg", 44, 1)
    yield 82, 0, b""


def odd_records():
    yield 8, 0, pack("<IIQQQ", 77, 78, 123, 1000, 4) + trailer(50)
    yield 69, 0, pack("<QQQQqQQQq", 2, 1000, 0, 0, 78, 1001, 1, 1, -1)
    yield 69, 0, pack("<QQQQqQQ", 1, 1000, 0, 0, 78, 55, 1)
    yield 70, 0, pack("<IIQQ", 99, 0, 5, 6)
    yield 74, 0, pack("<HBBHH", 7, 0, 0, 3, 3)
    yield 99, 0, b"nobody knows me."
    yield 23, 0, b"nor me.." + trailer(51)
    yield 10, 0, pack("<II", 77, 78) + trailer(52)
    yield 69, 0, pack("<Q", 1 << 60)
    yield 76, 0, b"short..."


def build(records):
    attr = bytearray(128)
    struct.pack_into("<IIQQQQQ", attr, 0, 1, 128, 0, 500, IP | TID | TIME | PERIOD, 0x14, 1 << 18 | 1 << 20)
    data = b""
    for kind, misc, body in records:
        body += b"\0" * (-len(body) % 8)
        data += pack("<IHH", kind, misc, 8 + len(body)) + body
    ids, attrs = pack("<Q", 1000), bytes(attr) + pack("<QQ", 104, 8)
    header = b"PERFILE2" + pack("<QQQQQQQQ", 104, 144, 112, len(attrs), 112 + len(attrs), len(data),
                                0, 0) + b"\0" * 32
    return header + ids + attrs + data


def main():
    records = list(kernel_records()) + list(own_records())
    if sys.argv[1] == "--all":
        records += list(odd_records())
    with open(sys.argv[-1], "wb") as file:
        file.write(build(records))


if __name__ == "__main__":
    main()
