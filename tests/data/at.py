#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording with a sample at each address: `at.py PROGRAM OUT.data ADDRESS...`. Addresses are those of the
file, in hexadecimal digits; PROGRAM is mapped BIAS higher if it can be anywhere (PIE). Names can so be tested
where no real sample need ever fall. Layout: Documentation/perf.data-file-format.txt."""
import os
import struct
import subprocess
import sys

BIAS = 0x555500000000
IP, TID, TIME = 1 << 0, 1 << 1, 1 << 2
FLAGS = sum(1 << bit for bit in (8, 9, 18))  # mmap comm id_all
PID = 700


def code(program):
    """Loaded parts that are executed: (address, size, offset)."""
    said = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        words = line.split()
        if words and words[0] == "LOAD" and "E" in words:
            offset, address, _, _, size = (int(word, 16) for word in words[1:6])
            yield address & ~4095, (size + (address & 4095) + 4095) & ~4095, offset & ~4095


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(name):
    return name.encode().ljust((len(name) + 8) & ~7, b"\0")


def main(program, out, addresses):
    with open(program, "rb") as file:
        head = file.read(20)
    bias = BIAS if head[16] == 3 else 0  # ET_DYN
    trailer = struct.pack("<IIQ", PID, PID, 1)
    data = record(3, 0x2000, struct.pack("<II", PID, PID) + text("at") + trailer)
    for start, size, offset in code(program):
        body = struct.pack("<IIQQQ", PID, PID, start + bias, size, offset)  # MMAP tells of no inode
        data += record(1, 2, body + text(os.path.realpath(program)) + trailer)
    for i, address in enumerate(addresses):
        data += record(9, 2, struct.pack("<QIIQ", int(address, 16) + bias, PID, PID, 2 + i))
    attr = struct.pack("<IIQQQQQIIQQQQIiQIHHIIQ", 1, 128, 0, 1000, IP | TID | TIME, 0, FLAGS, 0, 0, 0, 0,
                       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) + struct.pack("<QQ", 104, 0)
    header = struct.pack("<QQQQQQQQQ", 0x32454c4946524550, 104, len(attr), 104, len(attr), 104 + len(attr), len(data),
                         0, 0) + bytes(32)
    with open(out, "wb") as file:
        file.write(header + attr + data)


main(sys.argv[1], sys.argv[2], sys.argv[3:])
