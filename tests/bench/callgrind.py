#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a part of the program costs, out of a profile of callgrind.

    callgrind.py PROFILE [-v]      prints the instructions spent on names, and all

Names are all calls from CALLERS into the rooms of NAMES: loading and searching symbol tables,
readable names, lines, inlined functions, the index of them read and written, with all that these
call, libraries included. What these rooms call themselves by way of others (sort, threads) is in that
already. Unwinding looks into object files, too, which is no naming.
"""

import re
import sys
from collections import Counter

NAMES = re.compile(r"(^|/)util/(symbol|symindex|symtab|dwarf|elf)/")
CALLERS = re.compile(r"(^|/)(builtin[\w-]*\.c|ui/\w+/\w+\.c|util/(profile|machine|export)/\w+\.c)$")
POSITION = re.compile(r"(?:cfi|cfl|cfn|fl|fi|fe|fn)=\((\d+)\)(?: (.*))?$")


def calls(path):
    """(caller's file, callee's file, callee, instructions) of all calls; then (None, ..) of all."""
    texts, here, callee_file, callee, total = {}, None, None, None, 0
    with open(path) as profile:
        for line in profile:
            key = line.partition("=")[0]
            at = POSITION.match(line)
            if at:
                kind = "name" if key.endswith("fn") else "file"
                text = texts.setdefault((kind, at.group(1)), at.group(2))
                if key == "fl":
                    here = text
                elif key == "cfn":
                    callee = text
                elif key in ("cfi", "cfl"):
                    callee_file = text
            elif key == "calls":
                cost = int(next(profile).split()[1])
                yield here, callee_file or here, callee, cost
                callee_file = None
            elif line.startswith(("totals:", "summary:")):
                total = int(line.split()[1])
    yield None, None, None, total


def names(path):
    """Of names: {function: instructions}; and the instructions of all."""
    costs, total = Counter(), 0
    for caller, file, function, cost in calls(path):
        if caller is None:
            total = cost
        elif CALLERS.search(caller) and NAMES.search(file) and not NAMES.search(caller):
            costs[function] += cost
    return costs, total


def main():
    costs, total = names(sys.argv[1])
    if "-v" in sys.argv:
        for function, cost in costs.most_common():
            print("%12d %s" % (cost, function))
    print(sum(costs.values()), total)


if __name__ == "__main__":
    main()
