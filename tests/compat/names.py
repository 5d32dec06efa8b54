#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does ours name every address of an object as Linux's perf does?

    names.py [--show N] OBJECT...

    PERF_REF   Linux's perf             (default /usr/bin/perf)
    PERF       the perf under test      (default build/perf)

For each OBJECT a perf.data is made up whose samples hit the first, the middle, the last and the
next byte of all its symbols, and many places between; then the lines of `script -F
ip,sym,symoff,dso` of both are compared.

What differs by design (Documentation/differences.md) is counted apart: the PLT and what else 6.1
takes for _init, and the innermost of symbols that overlap.

Exit status: 0 all agree, 1 a difference, 2 bad usage, 77 Linux's perf is not there.
"""

import argparse
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

BASE = 0x7F0000000000
PLACES = 200000  # of an object, besides its symbols
LINE = re.compile(r"\s*([0-9a-f]+) (.*?)(?:\+0x([0-9a-f]+))?(?: \((.*)\))?$")

Section = collections.namedtuple("Section", "name type flags addr offset size link")


class Elf:
    """As much of a little-endian ELF file as is needed to choose places."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.wide = self.data[:6] == b"\x7fELF\x02\x01"
        if not self.wide and self.data[:6] != b"\x7fELF\x01\x01":
            raise ValueError("not a little-endian ELF file")
        word = "Q" if self.wide else "I"
        self.type, = struct.unpack_from("<H", self.data, 16)
        phoff, shoff = struct.unpack_from("<" + 2 * word, self.data, 32 if self.wide else 28)
        phentsize, phnum, shentsize, shnum, names = struct.unpack_from(
            "<HHHHH", self.data, 54 if self.wide else 42)
        self.code = []  # (offset, vaddr, size)
        for i in range(phnum):
            fields = struct.unpack_from("<IIQQQQ" if self.wide else "<IIIIIII", self.data,
                                        phoff + i * phentsize)
            if self.wide:
                kind, flags, offset, vaddr, _, size = fields
            else:
                kind, offset, vaddr, _, size, _, flags = fields
            if kind == 1 and flags & 1:
                self.code.append((offset, vaddr, size))
        self.sections = [Section(*struct.unpack_from(f"<II{4 * word}I", self.data,
                                                     shoff + i * shentsize)) for i in range(shnum)]
        self.plt = []
        for section in self.sections:
            start = self.sections[names].offset + section.name
            if self.data[start:start + 4] == b".plt":
                self.plt.append((section.offset, section.offset + section.size))

    def in_plt(self, at):
        return any(start <= at < end for start, end in self.plt)

    def symbols(self):
        """(start, size) of all that are defined."""
        for section in self.sections:
            if section.type not in (2, 11):
                continue
            for at in range(section.offset, section.offset + section.size, 24 if self.wide else 16):
                if self.wide:
                    _, _, _, index, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
                else:
                    _, value, size, _, _, index = struct.unpack_from("<IIIBBH", self.data, at)
                if index and value:
                    yield value, size

    def covering(self, at):
        """How many symbols cover a file offset."""
        addr = next(at - offset + vaddr for offset, vaddr, size in self.code
                    if offset <= at < offset + size)
        return len({span for span in self.symbols() if span[0] <= addr < span[0] + span[1]})

    def places(self):
        """File offsets of code, in order."""
        found = set()
        for offset, vaddr, size in self.code:
            step = max(4, size // PLACES)
            found.update(range(offset, offset + size, step))
        for value, size in self.symbols():
            for offset, vaddr, length in self.code:
                if not vaddr <= value < vaddr + length:
                    continue
                for at in (value - 1, value, value + size // 2, value + size - 1, value + size):
                    if vaddr <= at < vaddr + length:
                        found.add(at - vaddr + offset)
        return sorted(found)


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def make_file(out, path, elf):
    """One process with the object mapped once for each segment of code; a sample for each place."""
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1, 7, 0, 1 << 8 | 1 << 9 | 1 << 23).ljust(128, b"\0")
    data = [record(3, 0, struct.pack("<II", 100, 100) + b"names\0")]
    stat = os.stat(path)
    maps = []
    for i, (offset, vaddr, size) in enumerate(elf.code):
        page = offset & ~0xFFF
        start = (vaddr & ~0xFFF) if elf.type == 2 else BASE + (i << 36) + (vaddr & ~0xFFF)
        length = (offset - page + size + 0xFFF) & ~0xFFF
        data.append(record(10, 2, struct.pack("<IIQQQIIQQII", 100, 100, start, length, page,
                                              os.major(stat.st_dev), os.minor(stat.st_dev),
                                              stat.st_ino, 0, 5, 2) + path.encode() + b"\0"))
        maps.append((offset, size, start - page))
    places = elf.places()
    for i, at in enumerate(places):
        shift = next(s for offset, size, s in maps if offset <= at < offset + size)
        data.append(record(9, 2, struct.pack("<QIIQ", at + shift, 100, 100, 1000 + i)))
    data = b"".join(data)
    header = struct.pack("<8sQQQQQQQQ32x", b"PERFILE2", 104, 144, 104, 144, 248, len(data), 0, 0)
    with open(out, "wb") as file:
        file.write(header + attr + struct.pack("<QQ", 0, 0) + data)
    return places


def names(tool, file, home):
    """The lines of `script`, one for each place."""
    env = dict(os.environ, HOME=home, LC_ALL="C", PERF_CONFIG="/dev/null")
    run = subprocess.run([tool, "script", "-i", file, "-F", "ip,sym,symoff,dso"], env=env,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         errors="replace", check=False)
    if run.returncode:
        sys.exit(f"names: '{tool}' ended with {run.returncode}: {run.stderr[-300:]}")
    return [line for line in run.stdout.splitlines() if line.strip()]


def by_design(elf, at, theirs, ours):
    """The name of a known difference at the file offset @at, or None."""
    x, y = LINE.match(theirs), LINE.match(ours)
    if not x or not y or x[1] != y[1]:
        return None
    if y[2].endswith("@plt") or y[2] == "[unknown]":
        if x[2] == "_init" or (elf.in_plt(at) and (x[2].endswith("@plt") or x[2] == "[unknown]")):
            return "PLT"
        return None
    if x[3] and y[3] and int(y[3], 16) < int(x[3], 16) and elf.covering(at) > 1:
        return "overlap"
    return None


def compare(elf, places, file, home, show):
    theirs = names(REF, file, home)
    ours = names(OURS, file, home)
    known = collections.Counter()
    bad = 0
    if not len(theirs) == len(ours) == len(places):
        print(f"  # {len(theirs)} lines of Linux's perf, {len(ours)} of ours, {len(places)} samples")
        bad += 1
    for at, a, b in zip(places, theirs, ours):
        if a == b:
            continue
        why = by_design(elf, at, a, b)
        if why:
            known[why] += 1
            continue
        bad += 1
        if bad <= show:
            print(f"  # {a.strip()}   ours: {b.strip()}")
    return bad, known


REF = os.environ.get("PERF_REF", "/usr/bin/perf")
OURS = os.path.abspath(os.environ.get("PERF", "build/perf"))


def main():
    parser = argparse.ArgumentParser(description="compare the names of all addresses of objects")
    parser.add_argument("--show", type=int, default=10, help="differences to print of each object")
    parser.add_argument("objects", nargs="+")
    options = parser.parse_args()
    if not os.access(REF, os.X_OK):
        print(f"skipped: Linux's perf is not there ('{REF}')")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as home:
        for path in options.objects:
            path = os.path.realpath(path)
            try:
                elf = Elf(path)
            except (OSError, ValueError) as error:
                sys.exit(f"names: {path}: {error}")
            file = os.path.join(home, "names.data")
            places = make_file(file, path, elf)
            bad, known = compare(elf, places, file, home, options.show)
            print(f"{'not ok' if bad else 'ok'} - {path}: {len(places)} places, {bad} differ"
                  + "".join(f", {n} by design ({why})" for why, n in known.items()))
            failed += bad > 0
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
