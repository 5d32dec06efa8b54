# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the tests here start with: a recording of a guest is read on this machine, and says what it
# said there. The guest's own objects are in the folder root.
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
PERF=${PERF_HOST:-$SRC/build/perf}
libs=usr/lib/$(basename "$0" | cut -d - -f 1 | sed 's/^arm64$/aarch64/')-linux-gnu
mkdir -p root/w "root/$libs" && cp "$GUEST_BUILD/workloads/fixed" root/w/ &&
	cp -L "$SYSROOT/$libs/libc.so.6" "root/$libs/" && cp -L "$SYSROOT"/usr/lib/ld-linux-* root/usr/lib/ || exit 2

# read_here NAME REGEX COMMAND OPTION...: NAME.data says what is in NAME.txt, which has a line like that
read_here() {
	local name=$1 regex=$2 command=$3
	shift 3
	step "$name.data of the guest, read here"
	perf "$command" -i "$GUEST_OUT/$name.data" --symfs root "$@"
	check [ $rc -eq 0 ]
	grep -v '^#' out > here
	grep -v '^#' "$GUEST_OUT/$name.txt" > there
	check diff there here
	check grep -qE "$regex" here
}
