#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""code.py FILE ARCH PROGRAM BASE SIZE OFFSET FROM TO STEP: a recording of PROGRAM, SIZE bytes of which
were mapped at BASE from OFFSET on. From address FROM on every STEP bytes before TO there is a sample
of the first event for each byte behind FROM modulo 7, and of the second modulo 3, with periods of 10,
20, 30 and 1000, on CPU 0 and 3. The bytes depend on nothing else."""
import struct
import sys

IDENTIFIER, IP, TID, TIME, CPU, PERIOD = 1 << 16, 1 << 0, 1 << 1, 1 << 2, 1 << 7, 1 << 8
TYPE = IDENTIFIER | IP | TID | TIME | CPU | PERIOD
EVENTS = ("cpu-clock:u", 0, 11), ("task-clock:u", 1, 12)


def text(s, size=8):
    return s.encode().ljust((len(s) + size) & ~(size - 1), b"\0")


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def attr(config):
    # inherit, exclude_kernel, exclude_hv, mmap, comm, freq, sample_id_all, mmap2
    flags = sum(1 << bit for bit in (1, 5, 6, 8, 9, 10, 18, 23))
    return struct.pack("<IIQQQQQIIQQ", 1, 128, config, 1000, TYPE, 4, flags, 0, 0, 0, 0).ljust(128, b"\0")


def counted(s):
    return struct.pack("<I", len(text(s, 64))) + text(s, 64)


def main():
    name, arch, program = sys.argv[1:4]
    base, size, offset, first, end, step = (int(word, 0) for word in sys.argv[4:])
    time = 1000000000
    trailer = struct.pack("<IIQIIQ", 7, 7, time, 0, 0, EVENTS[0][2])
    data = record(3, 0x2000, struct.pack("<II", 7, 7) + text("loops") + trailer)
    data += record(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, base, size, offset, 8, 1, 77, 1, 5, 2) +
                   text(program) + trailer)
    for i, addr in enumerate(range(first, end, step)):
        for _, event, ident in EVENTS:
            for _ in range((addr - first) % (3 if event else 7)):
                time += 1000
                data += record(9, 2, struct.pack("<QQIIQIIQ", ident, addr, 7, 7, time, 3 if i % 2 else 0, 0,
                                                 1000 if event else 10 + i % 3 * 10))
    features = {6: counted(arch), 12: struct.pack("<II", len(EVENTS), 128) + b"".join(
        attr(event) + struct.pack("<I", 1) + counted(label) + struct.pack("<Q", ident)
        for label, event, ident in EVENTS)}
    ids_at = 104
    attrs_at = ids_at + 8 * len(EVENTS)
    data_at = attrs_at + (128 + 16) * len(EVENTS)
    at = data_at + len(data) + 16 * len(features)
    table = body = b""
    for bit in sorted(features):
        table += struct.pack("<QQ", at + len(body), len(features[bit]))
        body += features[bit]
    with open(name, "wb") as out:
        out.write(b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 128 + 16, attrs_at, (128 + 16) * len(EVENTS),
                                            data_at, len(data), 0, 0))
        out.write(struct.pack("<QQQQ", sum(1 << bit for bit in features), 0, 0, 0))
        out.write(b"".join(struct.pack("<Q", ident) for _, _, ident in EVENTS))
        out.write(b"".join(attr(event) + struct.pack("<QQ", ids_at + 8 * i, 8)
                           for i, (_, event, _) in enumerate(EVENTS)))
        out.write(data + table + body)


main()
