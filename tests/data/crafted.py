#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of machines that there is no guest for, made byte by byte: `crafted.py FOLDER` writes
s390x.data (64 bits, big-endian) and i386.data (a 32-bit kernel and program, little-endian). Layout:
Documentation/perf.data-file-format.txt."""
import os
import struct
import sys

IDENTIFIER, IP, TID, TIME, CPU, PERIOD, CALLCHAIN, REGS = (
    1 << 16, 1 << 0, 1 << 1, 1 << 2, 1 << 7, 1 << 8, 1 << 5, 1 << 12)
TYPE = IDENTIFIER | IP | TID | TIME | CPU | PERIOD | CALLCHAIN | REGS
KERNEL, USER = 1, 2
FLAGS = ("inherit", 1), ("mmap", 8), ("comm", 9), ("freq", 10), ("task", 13), ("id_all", 18), ("mmap2", 23)
HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CMDLINE, EVENT_DESC, SAMPLE_TIME = (
    3, 4, 5, 6, 7, 8, 11, 12, 21)
IDS = [[101, 102], [103, 104]]


class Machine:
    def __init__(self, order, arch, word, kernel, program, library, stack):
        self.order, self.arch, self.word = order, arch, word
        self.kernel, self.program, self.library, self.stack = kernel, program, library, stack
        self.time = 5000000000

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def string(self, text):
        size = (len(text) + 1 + 63) & ~63
        return self.pack("I", size) + text.encode().ljust(size, b"\0")

    def attr(self, kind, config):
        """128 bytes; the flags are bit fields, which big-endian machines fill from the top."""
        flags = 0
        for _, bit in FLAGS:
            flags |= 1 << (63 - bit if self.order == ">" else bit)
        regs = 0x8001 if self.arch == "s390x" else 0x1c0
        return self.pack("IIQQQQQIIQQQQIiQIHHIIQ", kind, 128, config, 4000, TYPE, 0x14, flags, 0, 0, 0, 0,
                         0, regs, 0, 0, 0, 0, 127, 0, 0, 0, 0)

    def record(self, kind, misc, body):
        return self.pack("IHH", kind, misc, 8 + len(body)) + body

    def trailer(self, tid, ident, cpu=1):
        return self.pack("IIQIIQ", tid, tid, self.tick(), cpu, 0, ident)

    def tick(self):
        self.time += 250000
        return self.time

    def text(self, text):
        return text.encode().ljust((len(text) + 8) & ~7, b"\0")

    def mmap(self, start, size, pgoff, name):
        body = self.pack("IIQQQ", 0xffffffff, 0, start, size, pgoff) + self.text(name)
        return self.record(1, KERNEL, body + bytes(32))

    def mmap2(self, tid, start, size, pgoff, name):
        body = self.pack("IIQQQIIQQII", tid, tid, start, size, pgoff, 8, 1, 77, 1, 5, 2)
        return self.record(10, USER, body + self.text(name) + self.trailer(tid, 101))

    def comm(self, tid, name, misc=0x2000):
        return self.record(3, misc, self.pack("II", tid, tid) + self.text(name) + self.trailer(tid, 101))

    def task(self, kind, pid, ppid):
        return self.record(kind, 0, self.pack("IIIIQ", pid, ppid, pid, ppid, self.time) +
                           self.trailer(pid, 101))

    def sample(self, tid, ident, cpu, mode, chain):
        ip = chain[0]
        body = self.pack("QQIIQIIQ", ident, ip, tid, tid, self.tick(), cpu, 0, 250000)
        context = (1 << 64) - (128 if mode == KERNEL else 512)
        words = [context] + chain
        if mode == KERNEL:
            words += [(1 << 64) - 512, self.program + 0x1234]
        body += self.pack("Q%dQ" % len(words), len(words), *words)
        values = [self.stack, ip] if self.arch == "s390x" else [self.stack + 16, self.stack, ip]
        body += self.pack("Q%dQ" % len(values), 2 if self.word == 8 else 1, *values)
        return self.record(9, mode, body)

    def data(self):
        out = self.mmap(self.kernel, 0x1000000, self.kernel, "[kernel.kallsyms]_text")
        out += self.comm(700, "crafted")
        out += self.mmap2(700, self.program, 0x4000, 0x1000, "/nowhere/bin/crafted")
        out += self.mmap2(700, self.library, 0x100000, 0x20000, "/nowhere/lib/libcrafted.so")
        for i in range(24):
            leaf = self.program + 0x1000 + 64 * (i % 5)
            chain = [leaf, self.library + 0x80 + 32 * (i % 3), self.program + 0x2000]
            if i % 4 == 3:
                out += self.sample(700, IDS[i % 2][0], i % 2, KERNEL,
                                   [self.kernel + 0x5000 + 16 * i, self.kernel + 0x9000])
            else:
                out += self.sample(700 + i // 12, IDS[i % 2][1], i % 2, USER, chain)
            if i == 11:
                out += self.task(7, 701, 700) + self.comm(701, "child")
                out += self.record(68, 0, b"")
        out += self.record(2, 0, self.pack("QQ", 101, 3) + self.trailer(700, 101))
        out += self.task(4, 701, 700)
        return out + self.record(68, 0, b"")

    def features(self, attrs, first, last):
        events = self.pack("II", len(attrs), 128)
        for attr, ids, name in zip(attrs, IDS, ("cpu-clock", "page-faults")):
            events += attr + self.pack("I", len(ids)) + self.string(name) + self.pack("2Q", *ids)
        words = ("/usr/bin/perf", "record", "-g", "/nowhere/bin/crafted")
        return {
            HOSTNAME: self.string("guest"), OSRELEASE: self.string("6.1.0-crafted"),
            VERSION: self.string("6.1.187"), ARCH: self.string(self.arch),
            NRCPUS: self.pack("II", 2, 2), CPUDESC: self.string("a machine of bytes"),
            CMDLINE: self.pack("I", len(words)) + b"".join(map(self.string, words)),
            EVENT_DESC: events, SAMPLE_TIME: self.pack("QQ", first, last),
        }

    def file(self):
        attrs = [self.attr(1, 0), self.attr(1, 2)]
        first = self.time + 250000
        data = self.data()
        ids = b"".join(self.pack("2Q", *pair) for pair in IDS)
        entries = b"".join(attr + self.pack("QQ", 104 + 16 * i, 16) for i, attr in enumerate(attrs))
        features = self.features(attrs, first, self.time)
        at_data = 104 + len(ids) + len(entries)
        bits = sum(1 << feature for feature in features)
        # The bitmap is of longs: two words of 32 bits are in the order of the machine's, too.
        header = self.pack("QQQQQQQQQ", 0x32454c4946524550, 104, 144, 104 + len(ids), len(entries), at_data,
                           len(data), 0, 0) + self.pack("4Q", bits, 0, 0, 0)
        table, sections = b"", b""
        at = at_data + len(data) + 16 * len(features)
        for feature in sorted(features):
            table += self.pack("QQ", at + len(sections), len(features[feature]))
            sections += features[feature]
        return header + ids + entries + data + table + sections


MACHINES = {
    "s390x": Machine(">", "s390x", 8, 0x100000, 0x2aa00000000, 0x3ff80000000, 0x3ffff000000),
    "i386": Machine("<", "i686", 4, 0xc1000000, 0x08048000, 0xb7d00000, 0xbffff000),
}

for name, machine in MACHINES.items():
    with open(os.path.join(sys.argv[1], name + ".data"), "wb") as out:
        out.write(machine.file())
