#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Are two texts of perf report --stdio, Linux's and ours, the same? Each difference must be one that
Documentation/differences.md explains, and has the name of a rule here:

    report_text.py [--kernel-sizes THEIRS,OURS] REF OURS

    head      the tip; our lines about losses, stacks and callers; blanks at the ends of lines
    ipc       6.1's columns without values beside keys with "symbol" in their name
    widths    columns that are wider, or whose names are cut
    plt       entries of the PLT: 6.1 has all of an object as one, "@plt", or as "_init"
    unnamed   addresses without a symbol: with children, and in chains, 6.1 has those of the process, so that chains
              of several processes differ; where the object is not among the keys, it has those of all objects as
              one, in no order
    lines     lines of the source that binutils' addr2line finds elsewhere, or not
    callers   with children: the order of equal totals
    kernel    the size of the kernel, of dso_size
    branches  the order of branches of equal weight in a call graph
    flat      the figures of -g flat
    rest      what -g fractal calls the rest of a branch

A rule applies to rows that the other text does not have as they stand; all others must come in the same order.
What a rule maps to one row is added up, which needs -n --show-total-period.

The names of the rules that were needed are printed. Exit status: 0 the same, 1 not (with the differences), 2 usage.
"""

import argparse
import collections
import itertools
import re
import sys

FIGURES = ("Overhead", "Children", "Self", "Samples", "Period", "sys", "usr", "guest sys", "guest usr")
NEVER_CUT = ("Symbol", "DSO size")
SUMS = ("Samples", "Period")
IPC = "IPC   [IPC Coverage]"
OUR_HEAD = re.compile(r"# (?:Lost|Stacks|Callers): .*?^#\n", re.M | re.S)
TIP = re.compile(r"^# \(Tip: .*\n", re.M)
RULE = re.compile(r"#? *\.+(?:  +\.+)*$")
SEPARATED = re.compile(r"# *(?:Overhead|Children) *([;,:|])")
SPAN = re.compile(r"\.+")
PLT = re.compile(r"(?:\b_init|[^ ;]*@plt)(?![^ ;])")
ADDRESS = re.compile(r"(?<![^ ;-])(?:0x[0-9a-f]+|0+)(?![^ ;])")
ADDRESSES = ("addresses",)
REST = "[...]"
FLAT = re.compile(r"^ *[0-9.]+%?$")
UNNAMED_CELL = re.compile(r"\[.\] (?:0x)?[0-9a-f]{16}$")
NO_LINE = re.compile(r".*:0$|.*\+(?:0x)?[0-9a-f]+$|.*\[[0-9a-f]+\]$|$")
BARS = re.compile(r"^[ |]*(?:--)?")

Row = collections.namedtuple("Row", "cells chain")


class Table:
    """The rows below one heading; each with the lines of its call graph."""

    def __init__(self, heading, rule=None, separator=None):
        self.separator = separator
        self.rows, self.cut = [], set()
        self.spans = [(match.start(), match.end()) for match in SPAN.finditer(rule or "")]
        self.names = self.cells(heading.lstrip("#"), len(heading) - len(heading.lstrip("#")))

    def cells(self, line, shift=0):
        if self.separator:
            return [cell.strip() for cell in line.split(self.separator)]
        begins = [0] + [begin - shift for begin, _ in self.spans[1:]]
        return [line[begin:end].strip() for begin, end in zip(begins, begins[1:] + [None])]

    def width(self, i):
        """How wide texts are; no end where they are not aligned."""
        if self.separator:
            return sys.maxsize
        begin, end = self.spans[i]
        return end - max(begin, 2)

    def widths(self):
        return [self.width(i) for i in range(len(self.names))]

    def add(self, line):
        starts = self.separator and self.separator in line
        if starts or line.startswith("  ") and (self.names[0] in SUMS or not line.startswith(" " * 8)):
            self.rows.append(Row(self.cells(line), []))
        elif self.rows:
            self.rows[-1].chain.append(line)

    def drop(self, name):
        if name in self.names:
            at = self.names.index(name)
            for part in (self.names, self.spans, *(row.cells for row in self.rows)):
                del part[at:at + 1]

    def has(self, name):
        return name in self.names


def read(text):
    """Lines outside of tables, and tables, in their order."""
    parts, lines = [], text.split("\n")
    table = None
    for i, line in enumerate(lines):
        if RULE.match(line) and i and lines[i - 1].startswith("#"):
            table = Table(lines[i - 1], line)
            parts[-1] = table
        elif SEPARATED.match(line) and not RULE.match((lines + [""])[i + 1]):
            table = Table(line, separator=SEPARATED.match(line)[1])
            parts.append(table)
        elif table and (line.startswith("#") and line != "#"):
            table = None
            parts.append(line)
        elif table and line != "#":
            table.add(line)
        elif not table:
            parts.append(line)
    return parts


def plain(text, ours):
    """Without what rule "head" is about, and the name of the columns of rule "ipc"."""
    text = TIP.sub("", text)
    text = OUR_HEAD.sub("", text) if ours else text.replace(",ipc_null\n", "\n")
    return re.sub(r" +$", "", text, flags=re.M)


class Comparison:
    def __init__(self, kernel_sizes):
        self.kernel_sizes = kernel_sizes
        self.rules, self.differences = set(), []

    def differ(self, text):
        self.differences.append(text)
        return False

    # ---- cells and chains as the rules map them ----

    def mapped(self, rule, old, new):
        if old != new:
            self.rules.add(rule)
        return new

    def cell(self, table, name, text, side):
        if name in ("Symbol", "Code Symbol", "Parent symbol", "Source:Line", "Source File"):
            text = self.mapped("plt", text, PLT.sub("@plt", text))
        if name == "Source:Line":
            self.rules.add("lines")
            return "" if name in table.cut or NO_LINE.match(text) else ":" + text.split(":")[-1]
        if name == "Source File":
            self.rules.add("lines")
            return ""
        if name == "DSO size" and self.kernel_sizes and text == self.kernel_sizes[side]:
            return self.mapped("kernel", text, "of the kernel")
        if name == "Symbol" and UNNAMED_CELL.match(text):
            if table.has("Children") or not (table.has("Shared Object") or any(map(table.has, SUMS))):
                return self.mapped("unnamed", text, "an address")
        return text

    def frames(self, chain):
        """The lines of a call graph without its bars, in an order of their own; ADDRESSES where it has some."""
        lines = [BARS.sub("", line) for line in chain]
        if any(ADDRESS.search(line) for line in lines):
            self.rules.add("unnamed")
            return ADDRESSES
        lines = [self.mapped("plt", line, PLT.sub("@plt", line)) for line in lines]
        lines = [self.mapped("rest", line, line.replace(REST + " (inlined)", REST)) for line in lines]
        lines = [self.mapped("flat", line, FLAT.sub("", line)) for line in lines]
        self.rules.add("branches")
        return tuple(sorted(filter(None, lines)))

    def summed(self, table, rows, side):
        """By what rows say but for figures: their sums, and how often they have which call graph."""
        out, adds_up = {}, any(table.has(name) for name in SUMS)
        for row in rows:
            cells = dict(zip(table.names, row.cells))
            key = tuple(self.cell(table, name, text, side) for name, text in cells.items() if name not in FIGURES)
            if "an address" in key or (not adds_up and any(cell.endswith("@plt") for cell in key)):
                continue
            sums, chains = out.setdefault(key, (collections.Counter(), collections.Counter()))
            for name in SUMS:
                for i, number in enumerate(cells.get(name, "").split()):
                    sums[name, i] += int(number)
            if not adds_up:
                sums["|".join(row.cells[i] for i, name in enumerate(table.names) if name in FIGURES)] += 1
            if any(row.chain):
                chains[self.frames(row.chain)] += 1
        return out

    def same(self, theirs, ours):
        """Sums and call graphs of what rows say; addresses in a graph of either make graphs others."""
        if theirs is None or ours is None:
            return False
        return theirs[0] == ours[0] and (ADDRESSES in theirs[1] or ADDRESSES in ours[1] or theirs[1] == ours[1])

    # ---- tables ----

    def narrow(self, ref, ours):
        """Ours are cut where theirs are; figures of a group stand with a blank between them."""
        if ref.widths() == ours.widths() and [row.cells for row in ref.rows] == [row.cells for row in ours.rows]:
            return
        if ref.widths() != ours.widths():
            self.rules.add("widths")
        for i, name in enumerate(ref.names):
            if name in FIGURES:
                for row in (*ref.rows, *ours.rows):
                    row.cells[i] = self.mapped("widths", row.cells[i], " ".join(row.cells[i].split()))
            if name in FIGURES or name in NEVER_CUT or ref.width(i) >= ours.width(i):
                continue
            ref.cut.add(name)
            ours.cut.add(name)
            for row in ours.rows:
                row.cells[i] = row.cells[i][:ref.width(i)]

    def table(self, ref, ours):
        if ref.has(IPC) and not ours.has(IPC):
            self.rules.add("ipc")
            ref.drop(IPC)
        if ref.names != ours.names:
            return self.differ("< %s\n> %s" % (ref.names, ours.names))
        self.narrow(ref, ours)
        common, rest = self.divided(ref, ours)
        for a, b in zip(*map(self.ordered, (ref, ours), common)):
            if a != b:
                return self.differ("order: < %s\norder: > %s" % (a.cells, b.cells))
        theirs, ourselves = self.summed(ref, rest[0], 0), self.summed(ours, rest[1], 1)
        for key in sorted(set(theirs) | set(ourselves)):
            if not self.same(theirs.get(key), ourselves.get(key)):
                self.differ("< %s %s\n> %s %s" % (key, theirs.get(key), key, ourselves.get(key)))
        return not self.differences

    @staticmethod
    def divided(*tables):
        """The rows that both tables have as they stand, of each in its order; and the others of each."""
        said = [[(*row.cells, *row.chain) for row in table.rows] for table in tables]
        both = collections.Counter(said[0]) & collections.Counter(said[1])
        common, rest = ([], []), ([], [])
        for i, table in enumerate(tables):
            left = both.copy()
            for row, text in zip(table.rows, said[i]):
                (common if left[text] > 0 else rest)[i].append(row)
                left[text] -= 1
        return common, rest

    def ordered(self, table, rows):
        """Rows in the order that 6.1 has: none of equal totals, nor of addresses without their objects."""
        if table.has("Symbol") and (table.has("Children") or not table.has("Shared Object")):
            at = table.names.index("Symbol")
            rows = [row for row in rows if not UNNAMED_CELL.match(row.cells[at])]
        if table.has("Children"):
            at = table.names.index("Children")
            runs = itertools.groupby(rows, lambda row: row.cells[at])
            rows = [row for _, run in runs for row in sorted(run)]
        return rows

    def texts(self, ref, ours):
        if ref == ours:
            return True
        parts = read(ref), read(ours)
        for a, b in itertools.zip_longest(*parts, fillvalue=""):
            if isinstance(a, Table) and isinstance(b, Table):
                self.table(a, b)
            elif a != b:
                self.differ("< %s\n> %s" % (a, b))
        return not self.differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel-sizes", type=lambda text: text.split(","))
    parser.add_argument("ref")
    parser.add_argument("ours")
    options = parser.parse_args()
    comparison = Comparison(options.kernel_sizes)
    with open(options.ref, errors="replace") as ref, open(options.ours, errors="replace") as ours:
        same = comparison.texts(plain(ref.read(), False), plain(ours.read(), True))
    print("rules:", *sorted(comparison.rules))
    print("\n".join(comparison.differences))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
