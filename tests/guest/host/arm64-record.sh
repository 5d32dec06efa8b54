#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the arm64 guest recorded, read on this machine: as it was read there.
. "$(dirname "$0")/lib.sh"
plan 4

read_here cycles '[1-9][0-9]+ .* fixed_hot' report --stdio -n --show-total-period --sort sym --dso fixed
read_here fp '[0-9a-f]+ fixed_middle' script -F ip,sym
read_here dwarf '[0-9a-f]+ fixed_outer' script -F ip,sym
read_here group '^ *[1-9][0-9]* +instructions' script -F event,period
finish
