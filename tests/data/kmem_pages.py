#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmem_pages.py BASE OUT [SEED]: BASE, a recording of kmem:mm_page_alloc and kmem:mm_page_free (-a -R -c 1,
without chains), with other samples: those of the lines on standard input, "alloc PAGE ORDER FLAGS TYPE
[IP]" and "free PAGE ORDER", PAGE - for one that could not be had; or with SEED some thousand of
them, as a kernel would make them, but for pages that are taken twice, and at addresses ips of BASE."""
import random
import struct
import sys

SAMPLE = 9
FINISHED_ROUND = 68


def records(data):
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + size]
        at += size


class Base:
    def __init__(self, path):
        self.bytes = open(path, "rb").read()
        _, attr_size, attrs, attrs_size, self.at, self.size = struct.unpack_from("<6Q", self.bytes, 8)
        self.events = []
        for i in range(2):
            attr = attrs + i * attr_size
            config, = struct.unpack_from("<Q", self.bytes, attr + 8)
            ids_at, ids_size = struct.unpack_from("<2Q", self.bytes, attr + attr_size - 16)
            ids = struct.unpack_from("<%dQ" % (ids_size // 8), self.bytes, ids_at)
            self.events.append((config, ids))
        self.others, self.ips, self.first = b"", [], None
        for kind, record in records(self.bytes[self.at:self.at + self.size]):
            if kind == SAMPLE:
                sample = struct.unpack_from("<QQIIQ", record, 8)
                self.first = self.first or sample
                if sample[0] in self.events[0][1] and sample[1] not in self.ips:
                    self.ips.append(sample[1])
            elif kind != FINISHED_ROUND:
                self.others += record

    def sample(self, nr, line):
        word = line.split()
        config, ids = self.events[word[0] == "free"]
        _, ip, pid, tid, time = self.first
        page = 2**64 - 1 if word[1] == "-" else int(word[1], 0)
        raw = struct.pack("<HBBiQI", config, 0, 0, pid, page, int(word[2]))
        if word[0] == "alloc":
            raw += struct.pack("<4xQi4x", int(word[3], 0), int(word[4]))
            ip = int(word[5], 0) if len(word) > 5 else ip
        else:
            raw += b"\0" * 4
        raw += b"\0" * (-(len(raw) + 4) % 8)
        body = struct.pack("<QQIIQIIQI", ids[0], ip, pid, tid, time + nr * 1000, 0, 0, 1, len(raw)) + raw
        return struct.pack("<IHH", SAMPLE, 1, 8 + len(body)) + body

    def write(self, path, lines):
        data = self.others + b"".join(self.sample(nr, line) for nr, line in enumerate(lines))
        head, tail = bytearray(self.bytes[:self.at]), bytearray(self.bytes[self.at + self.size:])
        features = sum(bin(byte).count("1") for byte in head[72:104])
        struct.pack_into("<Q", head, 48, len(data))
        for i in range(features):
            at, size = struct.unpack_from("<2Q", tail, 16 * i)
            struct.pack_into("<2Q", tail, 16 * i, at + len(data) - self.size, size)
        open(path, "wb").write(bytes(head) + data + bytes(tail))


def invent(seed, ips):
    chance, live, kinds = random.Random(seed), {}, {}
    for _ in range(3000):
        if live and chance.random() < 0.45:
            page = chance.choice(list(live))
            yield "free %d %d" % (page, live.pop(page))
            continue
        if chance.random() < 0.05:
            yield "alloc - 0 0xcc0 0"
            continue
        page = chance.randrange(1, 300) * 64
        if page not in live:
            kinds[page] = chance.choice([(0xcc0, 0), (0x140cca, 2), (0x2800, 0), (0x440dc0, 1), (0x52cd0, 1)])
            live[page] = chance.choice([0, 0, 0, 1, 2, 5, 10])
        flags, kind = kinds[page]
        yield "alloc %d %d %#x %d %#x" % (page, live[page], flags, kind, chance.choice(ips + [0x10]))


base = Base(sys.argv[1])
base.write(sys.argv[2], list(invent(int(sys.argv[3]), base.ips) if len(sys.argv) > 3 else sys.stdin))
