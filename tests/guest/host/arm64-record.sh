#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the arm64 guest recorded, read on this machine: as it was read there.
. "$(dirname "$0")/lib.sh"
plan 4

read_here cycles report --stdio -n --show-total-period --sort sym --dso fixed
read_here fp script -F ip,sym
read_here dwarf script -F ip,sym
read_here group script -F event,period
finish
