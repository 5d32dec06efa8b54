#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording with all that a sample can have, which no machine of the tests gives: `fields.py KIND PROGRAM
OUT.data [SAMPLES]`. PROGRAM is a real one, linked at a fixed address; the places are its functions and variables. KIND:
memory    data sources, weights, transactions, addresses, sizes of pages, cgroups, sockets
branches  stacks of branches, with cycles
jumps     the same with the kinds of branches, without chains
blocks    stacks of branches as a program leaves them that runs from each target to the next branch
idle      the same without cycles
paths     as jumps, where no branch of a stack comes from where another does
loops     paths in which some branches went round: twice, or from 2 to 9 times in the second event, also up to the end
plain     none of that, with chains, two events of one group, and guests
output    what a BPF program writes, that it was loaded and unloaded, and a change of the kernel's text
walk      stacks of branches that a run of PROGRAM can have, and between them some that none can have
calls     the processor's stacks of calls (record --call-graph lbr), in the kernel, too; the second event has branches
returned  the same, where no call is known
counters  the same with counts of two events at each branch, of two bits
cycles    a branch without cycles in each function, then stacks of branches in the first one, with cycles
spans     the same, of branches that are calls only
Layout: Documentation/perf.data-file-format.txt."""
import random
import struct
import subprocess
import sys

IP, TID, TIME, ADDR, ID, CPU, PERIOD = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 7, 1 << 8
CALLCHAIN, RAW, BRANCHES, WEIGHT, DATA_SRC = 1 << 5, 1 << 10, 1 << 11, 1 << 14, 1 << 15
IDENTIFIER, TRANSACTION, PHYS = 1 << 16, 1 << 17, 1 << 19
CGROUP, DATA_PAGE, CODE_PAGE, WEIGHT_STRUCT = 1 << 21, 1 << 22, 1 << 23, 1 << 24
COMMON = IDENTIFIER | IP | TID | TIME | CPU | PERIOD
TYPES = {
    "memory": COMMON | ADDR | DATA_SRC | TRANSACTION | PHYS | CGROUP | DATA_PAGE | CODE_PAGE | WEIGHT_STRUCT,
    "branches": COMMON | BRANCHES | CALLCHAIN,
    "jumps": COMMON | BRANCHES,
    "blocks": COMMON | BRANCHES | CALLCHAIN,
    "idle": COMMON | BRANCHES | CALLCHAIN,
    "paths": COMMON | BRANCHES,
    "loops": COMMON | BRANCHES,
    "plain": COMMON | CALLCHAIN,
    "output": COMMON | RAW | PHYS,
    "walk": COMMON | BRANCHES,
    "counters": COMMON | BRANCHES,
    "cycles": COMMON | BRANCHES,
    "spans": COMMON | BRANCHES,
    "calls": COMMON | BRANCHES | CALLCHAIN,
    "returned": COMMON | BRANCHES | CALLCHAIN,
}
KERNEL, USER, GUEST_KERNEL, GUEST_USER = 1, 2, 4, 5
FLAGS = sum(1 << bit for bit in (1, 8, 9, 10, 13, 18, 23))  # inherit mmap comm freq task id_all mmap2
CGROUP_FLAG = 1 << 32
NR_CPUS = 4
IDS = [11, 12]
USER_MARK, KERNEL_MARK = (1 << 64) - 512, (1 << 64) - 128
KERNEL_AT = 0xffffffff81000000


def symbols(program):
    """Functions and variables: lists of (start, size), by address."""
    code, data = [], []
    for line in subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 4 and words[3].startswith(("fn_", "var_")):
            (code if words[3].startswith("fn_") else data).append((int(words[0], 16), int(words[1], 16)))
    return sorted(code), sorted(data)


def segments(program):
    """Loaded parts: (address, size, offset, protection)."""
    out = []
    for line in subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if words and words[0] == "LOAD":
            offset, address, _, _, size = (int(word, 16) for word in words[1:6])
            flags = "".join(words[6:-1])
            out.append((address & ~4095, (size + (address & 4095) + 4095) & ~4095, offset & ~4095,
                        1 | (2 if "W" in flags else 0) | (4 if "E" in flags else 0)))
    return out


class Walk:
    """Steps through PROGRAM's functions fn_* and main by what objdump tells of them, at random where it may branch."""

    def __init__(self, program, choose):
        self.random, self.code, self.next, self.starts = choose, {}, {}, []
        text = subprocess.run(["objdump", "-dw", "--no-show-raw-insn", program], capture_output=True, text=True,
                              check=True).stdout
        before, inside = None, False
        for line in text.splitlines():
            if line.endswith(">:"):
                inside, before = line.split("<")[1].startswith(("fn_", "main")), None
                if inside:
                    self.starts.append(int(line.split()[0], 16))
            elif inside and line.startswith(" "):
                at, words = line.split(":", 1)
                words = words.split()
                at = int(at, 16)
                self.code[at] = (words[0], int(words[1], 16) if len(words) > 1 and words[0][0] in "jc" and
                                 words[1][0] in "456789" else None)
                if before:
                    self.next[before] = at
                before = at
        for at in sorted(self.next, reverse=True):  # many nops are one step
            if self.code[self.next[at]][0] == "nop":
                self.next[at] = self.next.get(self.next[at], self.next[at])
        self.places = [at for at, (name, _) in self.code.items() if name != "nop"]
        self.calls, self.at = [], self.random.choice(self.places)

    def step(self):
        """Goes on by an instruction; the branch that it took, or None."""
        at = self.at
        name, target = self.code[at]
        self.at = self.next.get(at, self.starts[0])
        if name.startswith("ret"):
            self.at = self.calls.pop() if self.calls else self.random.choice(self.places)
        elif name.startswith("call") and target in self.code:
            self.calls.append(self.at)
            self.at = target
        elif name.startswith("jmp") or (name.startswith("j") and self.random.random() < .6):
            self.at = target
        else:
            return None
        return at, self.at

    def stack(self, nr):
        """The last NR branches, the latest first, and where it is now."""
        taken = []
        while len(taken) < nr:
            branch = self.step()
            if branch:
                taken.insert(0, branch)
        for _ in range(self.random.choice((0, 0, 1, 2, 5))):
            if self.code[self.at][0][0] not in "jcr":
                self.step()
        return taken, self.at


class File:
    def __init__(self, kind, program, nr=400):
        self.nr = nr
        self.kind, self.program, self.type = kind, program, TYPES[kind]
        self.random = random.Random(7)
        self.time = 5000000000
        self.code, self.data = symbols(program)
        self.spends = kind in ("cycles", "spans")
        self.walk = Walk(program, self.random) if kind in ("walk", "counters") or self.spends else None
        self.fresh = list(self.code)

    def string(self, text):
        size = (len(text) + 1 + 63) & ~63
        return struct.pack("<I", size) + text.encode().ljust(size, b"\0")

    def attr(self, config):
        flags = FLAGS | (CGROUP_FLAG if self.kind == "memory" else 0)
        branch = (1 << 0 | 1 << 3) if self.type & BRANCHES else 0  # of user space, any
        branch |= 1 << 19 if self.kind == "counters" else 0
        branch = 1 << 0 | 1 << 4 if self.kind == "spans" else branch
        if self.kind in ("calls", "returned"):
            branch = 1 << 0 | 1 << 11 | 1 << 14 | 1 << 15 if config == 0 else 1 << 0 | 1 << 3
        return struct.pack("<IIQQQQQIIQQQQIiQIHHIIQ", *self.event(config), 4000, self.type, 0x4, flags, 0, 0, 0, 0,
                           branch, 0, 0, 0, 0, 0, 127, 0, 0, 0, 0)

    def event(self, config):
        return (1, 128, (10, 0)[config]) if self.kind == "output" else (0, 128, config)

    def raw(self, number):
        text = (b"hello, world\0", bytes(range(1, 45)), b"", b"a\tb\x1b[31mc" * 5, b"a\tb\0\1\2\0", b"of\tit\n", b"two\0words")[number]
        size = (len(text) + 4 + 7) // 8 * 8 - 4
        return struct.pack("<I", size) + text.ljust(size, b"\0")

    def record(self, kind, misc, body):
        return struct.pack("<IHH", kind, misc, 8 + len(body)) + body

    def text(self, text):
        return text.encode().ljust((len(text) + 8) & ~7, b"\0")

    def trailer(self, tid):
        return struct.pack("<IIQIIQ", tid, tid, self.tick(), 1, 0, IDS[0])

    def tick(self):
        self.time += 1230000
        return self.time

    def place(self, table):
        start, size = self.random.choice(table[:12])
        return start + self.random.randrange(max(size, 1)) // 8 * 8

    def path(self, nr):
        """The last @nr branches of a program, the newest first."""
        pick = self.random.choice
        path = []
        at = self.code[0][0]
        for _ in range(nr):
            start, size = [place for place in self.code if place[0] <= at][-1]
            source = min(at + 4 * self.random.randrange(5), start + size - 1)
            target = pick((start, start, KERNEL_AT + 0x1000, self.code[0][0], self.code[3][0], self.code[5][0]))
            if target == start:
                target += 4 * self.random.randrange(max(size // 4, 1))
            # One kind for each pair of addresses: Linux's perf 6.1 counts what entries have.
            other = (0, 2, 4, 6, 15)[(source + target) // 4 % 5]
            kind = 1 if start <= target < start + size else 7 if target >= KERNEL_AT else other
            more = source % 8 << 26 if kind == 15 else 0
            cycles = pick((0, 3, 3, 9, 2000)) if self.kind == "blocks" else 0
            path.append((source, target, pick((1, 2, 2, 2)) | cycles << 4 | kind << 20 | more))
            at = target if target < KERNEL_AT else pick(self.code[:6])[0]
        return path[::-1]

    def rounds(self, often):
        """Branches with each a source of its own, some of which go round, the newest first."""
        sources = self.random.sample([(start + 8 * i, start, size) for start, size in self.code for i in range(size // 8)], 7)
        path = []
        for i, (source, start, size) in enumerate(sources):
            target = self.random.choice((start, self.code[0][0], self.code[3][0]))
            path.append((source, target, 2 | 7 * (i + 1) << 4 | (1 if target == start else 0) << 20))
        first, size = self.random.randrange(3), self.random.randrange(1, 4)
        times = self.random.randrange(2, 10) if often else 2
        end = len(path) if not often or self.random.randrange(2) else first + size
        return path[:first] + times * path[first:first + size] + path[first + size:end]

    def branches(self, often=False):
        out = b""
        if self.kind == "loops":
            path = self.rounds(often)
            return struct.pack("<Q", len(path)) + b"".join(struct.pack("<QQQ", *branch) for branch in path)
        if self.kind in ("calls", "returned"):
            nr = self.random.randrange(1, 8) if self.kind == "calls" else 0  # of functions that still run, the newest first
            return struct.pack("<Q", nr) + b"".join(struct.pack("<QQQ", self.place(self.code), start, 0)
                                                    for start, _ in self.random.choices(self.code, k=nr))
        if self.kind in ("blocks", "idle"):
            path = self.path(self.random.randrange(2, 17))
            return struct.pack("<Q", len(path)) + b"".join(struct.pack("<QQQ", *branch) for branch in path)
        nr = self.random.randrange(1, 7)
        at = self.place(self.code)
        seen = set()
        for i in range(nr):
            source = self.place(self.code)
            while self.kind == "paths" and source in seen:
                source = self.place(self.code)
            seen.add(source)
            flags = self.random.choice((1, 2, 2, 2)) | self.random.choice((0, 0, 4)) | self.random.choice((0, 0, 0, 8))
            kind = (self.time // 1230000 + i) % 15 if self.kind in ("jumps", "paths") else 0  # -j save_type
            out += struct.pack("<QQQ", source, at, flags | self.random.randrange(0, 90) << 4 | kind << 20)
            at = self.place(self.code)
        return struct.pack("<Q", nr) + out

    def walked(self):
        """A stack of branches, and the address of the sample; every fourth or so has what cannot be."""
        pick = self.random.choice
        taken, ip = self.walk.stack(pick((0, 1, 1, 2, 3, 5, 8)))
        wrong = self.random.randrange(40)
        if taken and wrong < 8:
            at = self.random.randrange(len(taken))
            source, target = taken[at]
            strange = pick((0, 0x10, 0x7f0000001000, KERNEL_AT + 0x1000, self.code[0][0], self.code[0][0] + 19900,
                            self.code[-1][0] + 0x100000))
            taken[at] = ((strange, target), (source, strange), (target, source), (strange, strange))[wrong // 2]
        elif wrong == 8:
            ip = pick((0, KERNEL_AT + 0x1040, self.code[0][0], taken[0][0] if taken else 1))
        out = struct.pack("<Q", len(taken))
        for source, target in taken:
            cycles = pick((0, 0, 1, 3, 60, 65535))
            out += struct.pack("<QQQ", source, target, pick((0, 1, 2, 2, 4 | 2, 8 | 1)) | cycles << 4 | pick((0, 1, 2, 9)) << 20)
        if self.kind == "counters":
            out += b"".join(struct.pack("<Q", pick((0, 1, 3, 4, 5, 7, 12))) for _ in taken)
        return out, ip

    def spent(self):
        """A stack of branches whose newest has cycles, without blocks of one instruction; one in ten of its places is in
        another function, and one inside an instruction. 6.1 gives back the map of a branch that has cycles, once too
        often: so each function has had a branch without."""
        if self.fresh:
            start = self.fresh.pop(0)[0]
            return struct.pack("<QQQQ", 1, start + 4, start, 2), start
        pick, (start, size) = self.random.choice, self.code[0]
        places = [at for at in self.walk.places if start <= at < start + size]
        taken = []
        for i in range(pick((1, 2, 3, 5))):
            source, target = (pick([pick(places)] * 8 + [self.code[1][0] + 4, start + self.random.randrange(size)])
                              for _ in range(2))
            while taken and source == taken[0][1]:
                source = pick(places)
            taken.insert(0, (source, target, 2 | pick((1, 2, 3, 10, 40)) << 4))
            if i and self.random.randrange(4) == 0:
                taken[1] = taken[1][:2] + (2,)
        return struct.pack("<Q", len(taken)) + b"".join(struct.pack("<QQQ", *branch) for branch in taken), start

    def data_src(self):
        """What is shown in one column is one field: Linux's perf 6.1 tells rows apart by one of them only."""
        pick = self.random.choice
        levels = ((2 | 8, 0), (2 | 0x20, 0), (4 | 0x40, 0), (2 | 0x80, 0), (2 | 0x100, 0), (4 | 0x200, 0), (1, 0),
                  (2 | 0x10, 0xc), (2 | 0x400, 1 << 4 | 3), (4 | 0x800, 4), (2 | 0x1000, 0xd | 2 << 10))
        level, more = pick(levels)
        snoop, snoopx = pick(((1, 0), (2, 0), (4, 1), (8, 0), (16, 0), (6, 2)))
        return (pick((1, 2, 4)) | level << 5 | snoop << 19 | pick((0, 1, 2)) << 24 |
                pick((1, 2 | 8, 4 | 16, 2 | 16, 4 | 32, 2 | 64)) << 26 | more << 33 | snoopx << 38 |
                pick((1, 2, 4, 6)) << 40)

    def sample(self, tid, ident, mode):
        pick = self.random.choice
        branches = None
        if self.walk:
            branches, ip = self.spent() if self.spends else self.walked()
        else:
            ip = self.place(self.code) if mode in (USER, GUEST_USER) else KERNEL_AT + 0x1000 + 64 * self.random.randrange(4)
        body = struct.pack("<QQIIQ", ident, ip, tid & ~1, tid, self.tick())
        if self.type & ADDR:
            body += struct.pack("<Q", self.place(self.data) if self.random.random() < .9 else 0x7fff12340000)
        body += struct.pack("<IIQ", self.random.randrange(NR_CPUS), 0, 1000 * self.random.randrange(1, 200))
        if self.type & CALLCHAIN:
            chain = [USER_MARK, ip] if mode == USER else [KERNEL_MARK, ip, USER_MARK]
            depth = self.random.randrange(1, 5)
            chain += [start + 4 for start, _ in reversed(self.code[:depth])]
            body += struct.pack("<Q%dQ" % len(chain), len(chain), *chain)
        if self.type & RAW:
            body += self.raw(pick((0, 1, 2, 3, 4, 5, 6)))
        if self.type & BRANCHES:
            body += branches or self.branches(ident == IDS[1])
        if self.type & WEIGHT_STRUCT:
            body += struct.pack("<IHH", pick((0, 3, 3, 40, 500)), pick((0, 7, 12)), pick((0, 5, 9)))
        if self.type & DATA_SRC:
            body += struct.pack("<Q", self.data_src())
        if self.type & TRANSACTION:
            body += struct.pack("<Q", pick((0, 1, 2 | 8, 4 | 16 | 0x20, 0x40 | 0x80, 1 | 4 | 3 << 32)))
        if self.type & PHYS:
            body += struct.pack("<Q", pick((0, 0x1234000, 0x99887000)) + 64 * self.random.randrange(3))
        if self.type & CGROUP:
            body += struct.pack("<Q", pick((1, 77, 78, 4000)))
        if self.type & DATA_PAGE:
            body += struct.pack("<Q", pick((0, 4096, 2 << 20, 1 << 30)))
        if self.type & CODE_PAGE:
            body += struct.pack("<Q", pick((0, 4096, 2 << 20)))
        return self.record(9, mode, body)

    def records(self):
        out = self.record(1, KERNEL, struct.pack("<IIQQQ", 0xffffffff, 0, KERNEL_AT, 0x1000000, KERNEL_AT) +
                          self.text("[kernel.kallsyms]_text") + self.trailer(0xffffffff))
        if self.type & CGROUP:
            for number, path in (1, "/"), (77, "/user.slice"), (78, "/a/b.scope"):
                out += self.record(19, 0, struct.pack("<Q", number) + self.text(path) + self.trailer(0))
        for tid in range(701, 1100) if self.spends else ():
            out += self.record(3, 0, struct.pack("<II", 700, tid) + self.text("first") + self.trailer(tid))
        for tid, name in (700, "first"), (800, "second"):
            out += self.record(3, 0x2000, struct.pack("<II", tid, tid) + self.text(name) + self.trailer(tid))
            for start, size, offset, protection in segments(self.program):
                body = struct.pack("<IIQQQIIQQII", tid, tid, start, size, offset, 8, 1, 77, 1, protection, 2)
                misc = USER | (0 if protection & 4 else 1 << 13)
                out += self.record(10, misc, body + self.text(self.program) + self.trailer(tid))
        if self.kind == "output":
            out += self.programs()
        modes = (USER, USER, USER, KERNEL) if self.kind in ("plain", "calls", "returned") else (USER,)
        for i in range(self.nr):
            out += self.sample(700 if self.spends else self.random.choice((700, 701, 800)), IDS[i % 3 == 2], self.random.choice(modes))
        return out

    def programs(self):
        out = b""
        for gone in 0, 1:
            out += self.record(17, 0, struct.pack("<QIHH", KERNEL_AT + 0xf000, 256, 1, gone) + self.text("bpf_prog_x") +
                               self.trailer(700 * gone))
            out += self.record(18, 0, struct.pack("<HHI8s", 1 + gone, 0, 7, b"tagtagta") + self.trailer(0))
        poke = struct.pack("<QHH", KERNEL_AT + 0x1004, 5, 5) + bytes(range(1, 11))
        return out + self.record(20, 0, poke + bytes(-len(poke) % 8) + self.trailer(701))

    def features(self, attrs, first):
        names = ("bpf-output", "cpu-clock") if self.kind == "output" else ("cycles", "instructions")
        events = struct.pack("<II", len(attrs), 128)
        for attr, ident, name in zip(attrs, IDS, names):
            events += attr + struct.pack("<I", 1) + self.string(name) + struct.pack("<Q", ident)
        words = ("/usr/bin/perf", "record", self.program)
        topology = struct.pack("<I", 2) + self.string("0-1") + self.string("2-3")
        topology += struct.pack("<I", NR_CPUS) + b"".join(self.string(str(cpu)) for cpu in range(NR_CPUS))
        topology += b"".join(struct.pack("<II", cpu & 1, cpu >> 1) for cpu in range(NR_CPUS))
        out = {
            3: self.string("guest"), 4: self.string("6.1.0-crafted"), 5: self.string("6.1.187"),
            6: self.string("x86_64"), 7: struct.pack("<II", NR_CPUS, NR_CPUS), 8: self.string("a machine of bytes"),
            11: struct.pack("<I", len(words)) + b"".join(map(self.string, words)),
            12: events, 13: topology, 21: struct.pack("<QQ", first, self.time),
        }
        if self.type & BRANCHES and self.kind not in ("calls", "returned"):
            out[15] = b""
        if self.kind == "plain":
            out[17] = struct.pack("<I", 1) + self.string("{anon_group}") + struct.pack("<II", 0, 2)
        return out

    def file(self):
        attrs = [self.attr(0), self.attr(1)]
        first = self.time
        data = self.records()
        ids = b"".join(struct.pack("<Q", ident) for ident in IDS)
        entries = b"".join(attr + struct.pack("<QQ", 104 + 8 * i, 8) for i, attr in enumerate(attrs))
        features = self.features(attrs, first)
        at_data = 104 + len(ids) + len(entries)
        bits = sum(1 << feature for feature in features)
        header = struct.pack("<QQQQQQQQQ", 0x32454c4946524550, 104, 144, 104 + len(ids), len(entries), at_data,
                             len(data), 0, 0) + struct.pack("<4Q", bits, 0, 0, 0)
        table, sections = b"", b""
        at = at_data + len(data) + 16 * len(features)
        for feature in sorted(features):
            table += struct.pack("<QQ", at + len(sections), len(features[feature]))
            sections += features[feature]
        return header + ids + entries + data + table + sections


with open(sys.argv[3], "wb") as out:
    out.write(File(*sys.argv[1:3], *map(int, sys.argv[4:])).file())
