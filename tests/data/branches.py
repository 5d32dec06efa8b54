#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `perf report` must say of branches, from what Linux's `perf script -F event,brstacksym` prints of them:
	branches.py kinds < TEXT		the lines of "Branch Statistics"
	branches.py paths EVENT caller|callee < TEXT	how often samples have which frames, of -F event,ip,sym,symoff,brstacksym
	branches.py loops EVENT < TEXT		what --branch-history says at the end of rounds, and how often, of -F event,brstacksym
	branches.py blocks EVENT [SYMBOL] < TEXT	the rows of --total-cycles: share, cycles, share, average, block"""
import re
import sys
from collections import Counter

ENTRY = re.compile(r"(\S+)\+0x([0-9a-f]+)/(\S+)\+0x([0-9a-f]+)/[MP-]/[X-]/[A-]/(\d+)/(\S*)")


def stacks(event=None):
    """The branches of each sample, the newest first: (function, offset, function, offset, cycles, kind)."""
    for line in sys.stdin:
        name, _, text = line.strip().partition(": ")
        if event in (None, name):
            yield [(a, int(b, 16), c, int(d, 16), int(cycles), kind) for a, b, c, d, cycles, kind in ENTRY.findall(text)]


def kinds():
    counts = Counter(branch[5] for stack in stacks() for branch in stack if branch[5])
    total = sum(nr for kind, nr in counts.items() if not kind.startswith(("FAULT_", "ARCH_")))
    for kind in sorted(counts):
        print("%8s: %5.1f%%" % (kind, 100.0 * counts[kind] / total))


def human(cycles):
    return "%.1fM" % (cycles / 1e6) if cycles >= 1e6 else "%.1fK" % (cycles / 1e3) if cycles >= 1000 else str(cycles)


def blocks(event, symbol=None):
    cycles, counts, total = Counter(), Counter(), 0
    for stack in stacks(event):
        total += sum(branch[4] for branch in stack)
        for newer, older in zip(stack, stack[1:]):
            block = (older[2], older[3], newer[1])
            if newer[4] and older[2] == newer[0] and older[3] <= newer[1] and symbol in (None, newer[0]):
                cycles[block] += newer[4]
                counts[block] += 1
    averages = sum(cycles[block] // counts[block] for block in cycles)
    for block in cycles:
        average = cycles[block] // counts[block]
        print("%.2f%% %s %.2f%% %d [%s+%d -> %s+%d]" % (
            100.0 * cycles[block] / total, human(cycles[block]), 100.0 * average / averages, average,
            block[0], block[1], block[0], block[2]))


def folded(stack):
    """The stack with the rounds of loops once: [(branches of a round, its rounds)]; what a branch is but for its cycles tells."""
    out = []
    key = [branch[:4] + branch[5:] for branch in stack]
    i = 0
    while i < len(stack):
        size = next((size for size in range(1, 65) if i + 2 * size <= len(key) and key[i:i + size] == key[i + size:i + 2 * size]), 0)
        times = 1
        while size and key[i:i + size] == key[i + times * size:i + (times + 1) * size]:
            times += 1
        size = size or 1
        out.append(([stack[i + n:i + times * size:size] for n in range(size)], times))
        i += size * times
    return out


def loops(event):
    said = Counter()
    for stack in stacks(event):
        for rounds, times in folded(stack):
            cycles = sum(branch[4] for place in rounds for branch in place)
            if times > 1:
                said["iter:%d avg_cycles:%d" % (times - 1, cycles // times)] += 1
    for text in sorted(said):
        print(said[text], text)


def paths(event, order):
    counts, name, chain = Counter(), None, []
    for line in sys.stdin:
        words = line.split()
        if len(words) == 1 and words[0].endswith(":"):
            name, chain = words[0][:-1], []
        elif len(words) == 2 and re.fullmatch("[0-9a-f]+", words[0]):
            chain.append(words[1])
        elif "/" in line and name == event:
            path = []
            for rounds, _ in folded(ENTRY.findall(line)):
                for a, b, c, d, _, _, in (place[0] for place in rounds):
                    path += ["%s+0x%s" % (c, d), "%s+0x%s" % (a, b)]
            path += chain
            # Entries are functions, and paths are told apart by addresses.
            counts[chain[0].split("+")[0], tuple(path if order == "callee" else reversed(path))] += 1
    for (_, path), nr in counts.items():
        print(nr, ";".join(frame.removesuffix("+0x0") for frame in path))


{"kinds": kinds, "paths": paths, "loops": loops, "blocks": blocks}[sys.argv[1]](*sys.argv[2:])
