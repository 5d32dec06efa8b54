#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the riscv64 guest recorded, read on this machine: as it was read there.
. "$(dirname "$0")/lib.sh"
plan 2

# The chains of the program. (The dynamic linker's trampoline has tables that are wrong: libdw turns
# round in it for ever, ours ends.)
hot() {
	awk -v RS= '/fixed_hot/' out
}

read_here dwarf '[0-9a-f]{5}' script -F ip
step "libdw finds the same chains"
perf version --build-options
grep -q '^ *libdw-dwarf-unwind: \[ on' out || skip "this perf was built without libdw"
perf script -i "$GUEST_OUT/dwarf.data" --symfs root -F ip,sym
hot > ours
perf script -i "$GUEST_OUT/dwarf.data" --symfs root --unwind-style libdw -F ip,sym
hot > theirs
check diff ours theirs
check [ "$(grep -c _start ours)" -gt 5 ]
finish
