#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copies of the running kernel, which the host's container does not let anybody make.
# guest: linux=1 mem=768 modules=dummy
. "$(dirname "$0")/../lib.sh"
insmod /rig/dummy.ko

# word FILE OFFSET: eight bytes
word() {
	od -A n -t x8 -j "$2" -N 8 "$1" | tr -d ' '
}

busy='i=0; while [ $i -lt 60 ]; do /bin/true; i=$((i + 1)); done'

step "record --kcore: the files of Linux's perf, with its bytes, and the module"
perf record --kcore -o k.data -e cpu-clock -F 999 -a -- sh -c "$busy"
check [ $rc -eq 0 ]
linux record --kcore -o l.data -e cpu-clock -F 999 -a -- sh -c "$busy"
check [ "$(cd k.data && find . | sort)" = "$(cd l.data && find . | sort)" ]
check [ "$(cd k.data && stat -c '%a %n' kcore_dir kcore_dir/*)" = "$(cd l.data && stat -c '%a %n' kcore_dir kcore_dir/*)" ]
same k.data/kcore_dir/kallsyms l.data/kcore_dir/kallsyms
same k.data/kcore_dir/modules l.data/kcore_dir/modules
check [ "$(word k.data/kcore_dir/kcore 80)" = "$(word l.data/kcore_dir/kcore 80)" ]
check [ "$(word k.data/kcore_dir/kcore 96)" = "$(word l.data/kcore_dir/kcore 96)" ]
size=$((0x$(word k.data/kcore_dir/kcore 96)))
check [ $size -gt 1000000 ]
dd if=k.data/kcore_dir/kcore bs=4096 skip=1 count=$((size / 4096)) 2> dd.log > ours.text
dd if=l.data/kcore_dir/kcore bs=4096 skip=1 count=$((size / 4096)) 2> dd.log > theirs.text
check cmp -s ours.text theirs.text
module=$(sed -n 's/^dummy .* 0x//p' k.data/kcore_dir/modules)
check [ "$(word k.data/kcore_dir/kcore 136)" = "$module" ]

step "record --kcore: both perfs read both folders, with the same result"
for file in k.data l.data; do
	perf script -i $file
	mv out ours
	linux script -i $file
	mv lout theirs
	check [ -s ours ]
	# Entries of a static program's PLT have names in ours only.
	sed -i -E 's/ ([^ ]*@plt\+0x[0-9a-f]+|\[unknown\]) / PLT /' ours theirs
	same ours theirs
done

step "record --kcore: the kernel's names come along"
perf report -i k.data --stdio -s sym
mv out here
check grep -q '\[k\] [a-z]' here
HOME=/nowhere perf --buildid-dir /nowhere report -i k.data --stdio -s sym --no-symbol-cache
same out here
sed -i '/ _text$/!s/ \([a-z_]*\)$/ copied_\1/' k.data/kcore_dir/kallsyms
perf report -i k.data --stdio -s sym --no-symbol-cache
check grep -q '\[k\] copied_' out

step "record --kcore: an older folder is moved, one older still removed"
mv k.data l.data.old
perf record -o l.data -e cpu-clock -F 99 -- true
check [ $rc -eq 0 ]
check [ -f l.data ]
check [ -e l.data.old/kcore_dir/kcore ]
check [ "$(ls -d l.data*)" = "$(printf 'l.data\nl.data.old')" ]
: > l.data.old/kcore_dir/mine
perf record -o l.data -e cpu-clock -F 99 -- true
check [ $rc -eq 255 ]
check [ -e l.data.old/kcore_dir/mine ]
check [ -e l.data.old/kcore_dir/kcore ]

step "record --kcore: with --threads"
perf record --kcore --threads -o t.data -e cpu-clock -F 999 -a -- sh -c "$busy"
check [ $rc -eq 0 ]
check [ -e t.data/data.0 ]
check [ -e t.data/kcore_dir/modules ]
perf report -i t.data --stdio
check [ $rc -eq 0 ]

step "record --kcore: where there is no place for a folder"
perf record --kcore -o - -e cpu-clock true
check [ $rc -eq 255 ]
check grep -q 'a stream has no place' err
perf record --kcore --switch-output=1s -o s.data -e cpu-clock true
check [ $rc -eq 255 ]
check [ ! -e s.data ]

step "record --kcore: a workload that is none leaves nothing behind"
perf record --kcore -o n.data -e cpu-clock ./nothing
check [ $rc -ne 0 ]
check [ ! -e n.data ]

step "buildid-cache --kcore: the cache of Linux's perf, and once"
perf --buildid-dir /tmp/c buildid-cache --kcore /proc/kcore
check [ $rc -eq 0 ]
folder=$(sed -n 's/^kcore added to build-id cache directory //p' err)
check [ "$(cd "$folder" && echo *)" = "kallsyms kcore modules" ]
perf --buildid-dir /tmp/c buildid-cache --kcore /proc/kcore
check grep -qF "same kcore found in $folder" err
linux --buildid-dir /tmp/c buildid-cache -v --kcore /proc/kcore
check grep -qF "same kcore found in $folder" lerr
linux --buildid-dir /tmp/l buildid-cache -v --kcore /proc/kcore
perf --buildid-dir /tmp/l buildid-cache --kcore /proc/kcore
check grep -q "^same kcore found in /tmp/l/" err
rmmod dummy
perf --buildid-dir /tmp/c buildid-cache --kcore /proc/kcore
check grep -q "^kcore added" err
check [ "$(find /tmp/c -name kcore | wc -l)" -eq 2 ]

step "buildid-cache --kcore: a folder of record; what is none"
perf --buildid-dir /tmp/d buildid-cache --kcore t.data/kcore_dir/kcore
check [ $rc -eq 0 ]
check cmp -s t.data/kcore_dir/modules "$(find /tmp/d -name modules)"
perf --buildid-dir /tmp/d buildid-cache --kcore t.data/data
check [ $rc -eq 255 ]
check grep -q 'its name must be kcore' err
sed -i 's/^ffffffff8/ffffffff9/' t.data/kcore_dir/kallsyms
perf --buildid-dir /tmp/d buildid-cache --kcore t.data/kcore_dir/kcore
check [ $rc -eq 255 ]
check grep -q 'not of the kernel that runs now' err
finish
