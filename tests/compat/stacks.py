#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Call chains of copied stacks (--call-graph dwarf): do four unwinders say the same?

    stacks.py [--least SHARE] [--longer SHARE] [--complete SHARE] [--skip STYLE[,STYLE]]
              [--max-stack N] FILE

    PERF_REF   Linux's perf             (default /usr/bin/perf; left out where it is not there)
    PERF       the perf under test      (default build/perf)

The chains of perf's own unwinder are compared, sample by sample, with those that libunwind and
libdw find (perf script --unwind-style) and with those of Linux's perf. A line for each:

    libdw      1240 equal  3 longer  0 shorter  0 other  of 1243

"longer": ours goes on where the other ends; "other": they part. Those of the first kind are known
(Documentation/differences.md): ours goes on where a function that returns has taken back its
registers, in static programs, and by frame pointers where tables are missing; Linux's perf ends a
cut copy with ffffffffffffffff, and adds frames behind code without tables.

Exit status: 0; 1 when fewer than --least are equal or longer, more than --longer are longer, or
fewer than --complete of the stacks are complete; 2 when a tool failed.
"""

import argparse
import json
import os
import re
import subprocess
import sys

PERF = os.environ.get("PERF", "build/perf")
REF = os.environ.get("PERF_REF", "/usr/bin/perf")
MARK = 0xFFFFFFFFFFFFFFFF


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=600)
    if done.returncode:
        sys.exit("%s: %s" % (" ".join(command), done.stderr.decode("utf-8", "replace").strip()))
    return done.stdout.decode("utf-8", "replace")


def chains(tool, name, *options):
    """The chain of each sample, as a list of addresses, in the order of the file."""
    text = run([tool, "script", "-F", "tid,time,ip", "--no-inline", "-i", name, *options])
    blocks = [block.split("\n") for block in text.split("\n\n") if block.strip()]
    return [[int(line, 16) for line in block if re.fullmatch(r"\s*[0-9a-f]+\s*", line)]
            for block in blocks]


def without_mark(chain):
    """A chain of Linux's perf, without what it adds where a copy ends."""
    return chain[:-1] if chain and chain[-1] == MARK else chain


def near(one, other):
    """Equal but for the byte before the way back of a signal handler."""
    return len(one) == len(other) and all(a in (b, b + 1) for a, b in zip(one, other))


def compare(title, ours, theirs):
    count = {"equal": 0, "longer": 0, "shorter": 0, "other": 0}
    first = None
    for one, other in zip(ours, theirs):
        if near(one, other):
            kind = "equal"
        elif near(one[:len(other)], other):
            kind = "longer"
        elif near(one, other[:len(one)]):
            kind = "shorter"
        else:
            kind = "other"
        count[kind] += 1
        if kind in ("other", "shorter") and not first:
            first = (one, other)
    print("    %-9s %6d equal %4d longer %4d shorter %4d other  of %d" %
          (title, *count.values(), len(ours)))
    if first:
        for which, chain in zip(("ours", "theirs"), first):
            print("      %-6s %s" % (which, " ".join("%x" % ip for ip in chain)))
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--least", type=float, default=1)
    parser.add_argument("--longer", type=float, default=0.03)
    parser.add_argument("--complete", type=float, default=0.95)
    parser.add_argument("--skip", default="")
    parser.add_argument("--max-stack", default="127")
    parser.add_argument("file")
    args = parser.parse_args()

    health = json.loads(run([PERF, "report", "--stack-health", "--json", "--max-stack", args.max_stack,
                             "-i", args.file]))
    share = 1 - (health["not-complete"] + health["not-known"]) / max(1, health["stacks"])
    print("    %d stacks, %.1f %% complete" % (health["stacks"], 100 * share))
    good = health["stacks"] > 20 and share >= args.complete

    limit = ["--max-stack", args.max_stack]
    ours = chains(PERF, args.file, *limit)
    for style in ("libunwind", "libdw", "linux"):
        if style in args.skip.split(",") or (style == "linux" and not os.access(REF, os.X_OK)):
            continue
        if style == "linux":
            theirs = [without_mark(chain) for chain in chains(REF, args.file, *limit)]
        else:
            theirs = chains(PERF, args.file, "--unwind-style", style, *limit)
        count = compare(style, ours, theirs)
        nr = max(1, len(ours))
        good &= len(ours) == len(theirs) and count["longer"] <= args.longer * nr
        good &= count["equal"] + count["longer"] >= args.least * nr
    return 0 if good else 1


sys.exit(main())
