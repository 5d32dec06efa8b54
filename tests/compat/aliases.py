#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Assembler text full of aliases, for names.py: which name of an address counts, and how far it goes.

    aliases.py SEED [GROUPS] > aliases.s

Symbols of all bindings, types, sizes and visibilities at the same addresses, in sections of
various names; none reaches over the next group (there 6.1's answer is accidental).
"""

import random
import sys

START = """\
.text
.globl _start
.type _start, @function
_start: ret
.size _start, 1
.balign 64
"""
SECTIONS = [".text.cold", ".init.part", ".hot", ".plt.own", ".mydata", ".entry.text"]


class Names:
    def __init__(self, rand):
        self.rand, self.used = rand, set()

    def new(self):
        while True:
            name = self.some()
            if name not in self.used:
                self.used.add(name)
                return name

    def some(self):
        rand = self.rand
        if rand.random() < 0.1:
            return f"_ZN3{''.join(rand.choices('xyz', k=3))}3foo{rand.choice(['C1', 'C2', 'D1', 'D2'])}Ev"
        kernel = rand.choice(["SyS_", "compat_SyS_", "__x64_sys_"]) if rand.random() < 0.1 else ""
        return (kernel + "_" * rand.choice([0, 0, 0, 1, 1, 2, 3])
                + "".join(rand.choices("qvwxSF", k=rand.choice([2, 3, 4, 4, 4, 6])))
                + (".isra.0" if rand.random() < 0.05 else ""))


def alias(rand, name, space):
    bind = rand.choice(["local", "local", "globl", "globl", "weak", "unique"])
    kind = rand.choice(["function"] * 6 + ["object", "gnu_indirect_function", "notype", "notype"])
    size = rand.choice([0, 0, 4, space, space, space])
    if bind in ("globl", "weak"):
        print(f".{bind} {name}")
        if rand.random() < 0.3:
            print(f".{rand.choice(['hidden', 'protected', 'internal'])} {name}")
    elif bind == "unique":
        kind = "gnu_unique_object"
    print(f".type {name}, @{kind}\n{name}:")
    if size:
        print(f".size {name}, {size}")


def main():
    rand = random.Random(int(sys.argv[1]))
    names = Names(rand)
    print(START)
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 300):
        if rand.random() < 0.1:
            print(f'.section {rand.choice(SECTIONS)}, "ax", @progbits')
        space = rand.choice([8, 16, 32, 64])
        for _ in range(rand.choice([1, 1, 2, 2, 2, 3, 4, 5])):
            alias(rand, names.new(), space)
        print(f".skip {space}")
        if rand.random() < 0.1:
            print(f".set {names.new()}, {rand.choice([0x1234, 0x401100])}")


if __name__ == "__main__":
    main()
