#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the guests' recordings of this folder again (README.md): needs tests/guest.
#
#	make.sh [ARCH]...		amd64 arm64 riscv64; default: all
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- amd64 arm64 riscv64
for arch; do
	GUEST_OUT=$here "$here/../guest/run.sh" "$arch" "$here/in-guest.sh" || exit
done
chmod 644 "$here"/*.data
