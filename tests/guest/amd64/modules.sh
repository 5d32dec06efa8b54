#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernel modules are named, by the running kernel's list and by their files. Their lines, and all of
# it on another machine: host/amd64-modules.sh.
# guest: linux=1 mem=768 modules=overlay
. "$(dirname "$0")/../lib.sh"
insmod /rig/overlay.ko
release=/lib/modules/$(uname -r)
mkdir -p "$release/kernel/fs/overlayfs" low high all
cp /rig/overlay.ko "$release/kernel/fs/overlayfs/"
echo kernel/fs/overlayfs/overlay.ko: > "$release/modules.dep"
for i in 1 2 3 4 5 6 7 8 9; do
	: > low/$i
	: > high/b$i
done
mount -t overlay none -o lowerdir="$PWD/high:$PWD/low" all
busy='i=0; while [ $i -lt 300 ]; do ls -l all > /dev/null; i=$((i + 1)); done'

# of a report: "SYMBOL SAMPLES" of the module, which Linux's perf may count as the kernel's own
of_module() {
	sed -n 's/^ *\([0-9]*\)  \[.*\[k\] \(ovl_[^ ]*\) *$/\2 \1/p' "$1" | sort
}

step "a module with samples is recorded by its file, with its build-id"
perf record -o m.data -e cpu-clock -F 4000 -a -- sh -c "$busy"
check [ $rc -eq 0 ]
perf script -i m.data --show-mmap-events
check grep -q "x $release/kernel/fs/overlayfs/overlay.ko" out
perf buildid-list -i m.data
check grep -qE '^[0-9a-f]{40} .*overlay' out

step "its functions are those that Linux's perf names, by the list"
linux record -B -o l.data -e cpu-clock -F 4000 -a -- sh -c "$busy"
for file in m l; do
	perf report -i $file.data --stdio -n -s dso,sym
	sed 's/^ *[0-9.]*% *//' out > ours.out
	of_module ours.out > ours
	linux report -i $file.data --stdio -n -s dso,sym
	sed 's/^ *[0-9.]*% *//' lout > theirs.out
	of_module theirs.out > theirs
	check grep -q '^ovl_' ours
	refute grep -q '\[overlay\].* 0x' ours.out
	[ $file = l ] || cp ours /out/names
	same ours theirs
done

step "where the kernel hides its addresses, why is said once"
echo 2 > /proc/sys/kernel/kptr_restrict
perf report -i m.data --stdio -s dso,sym --no-symbol-cache --buildid-dir /nowhere
check [ "$(grep -c 'kptr_restrict is 2' err)" -eq 1 ]
sed 's/^ *[0-9.]*% *//' out > hidden
check grep -q '\[overlay\].* ovl_' hidden
echo 0 > /proc/sys/kernel/kptr_restrict
cp m.data l.data /rig/overlay.ko /out/
finish
