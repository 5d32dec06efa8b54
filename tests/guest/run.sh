#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots a throw-away guest (QEMU without KVM, a Debian kernel, everything in an initramfs) and runs a
# test, or any command, in it as root.
#
#	run.sh tests/guest/ARCH/NAME.sh		as `sh tests/guest/ARCH/NAME.sh` does
#	run.sh ARCH FILE.sh			a test that is not one guest's
#	run.sh ARCH COMMAND...			for trying things: run.sh arm64 perf stat true
#
# The test's output is the guest's: one line for each step, which tests/run.sh counts. A line
# "# guest: WORD=VALUE ..." in the test asks for
#	smp=2  mem=512	processors, megabytes		limit=300	seconds, for all
#	modules=a,b	copied to /rig in the order to load them, with what they depend on
#	programs=a,b	of tests/workloads, built for the guest
#	linux=1		Linux's own perf, to compare with (the function `linux`)
# What the test leaves in /out comes back. When there is a tests/guest/host/ARCH-NAME.sh it is run
# here afterwards, in a folder with these files.
#
# Environment: PERF_GUEST_BUILD_ARM64 and the like: a folder with perf and workloads/ (default:
# built now in build-ARCH; build/ for amd64), PERF_GUEST_FETCH=no: do not fetch, GUEST_OUT=DIR: keep
# what came back there, GUEST_VERBOSE=1: show the console. Exit status: the command's own; 1 when the guest did
# not finish; 77 when something is missing (the last line says what).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
. "$here/arch.sh"

smp=1 mem=512 limit=300 modules='' programs='' linux=''
test='' name='' arch=${1:-}
case $arch:${2:-} in
:*) sed -n '2,/^set -u/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2 && exit 2 ;;
*.sh:*)
	test=$(readlink -f "$arch") || exit 2
	arch=$(basename "$(dirname "$test")")
	;;
*:*.sh) test=$(readlink -f "$2") || exit 2 ;;
*)
	name=$arch linux=1
	shift
	;;
esac
if [ -n "$test" ]; then
	name=$(basename "$test" .sh)
	for word in $(sed -n 's/^# guest: //p' "$test"); do
		case $word in
		smp=* | mem=* | limit=* | modules=* | programs=* | linux=*) declare "${word%%=*}=${word#*=}" ;;
		*) echo "run.sh: $1: unknown word '$word'" >&2 && exit 2 ;;
		esac
	done
fi
guest_arch "$arch" || { echo "run.sh: no guest '$arch'; one of amd64 arm64 riscv64" >&2 && exit 2; }

no() {
	echo "$*"
	exit 77
}

# ---- what is needed ----

for tool in $qemu cpio readelf timeout; do
	command -v "$tool" > /dev/null || no "$tool is not installed"
done
if [ ! -e "$store/base.cpio" ]; then
	[ "${PERF_GUEST_FETCH:-}" != no ] || no "the $arch guest is not in '$cache' (tests/guest/fetch.sh $arch)"
	"$here/fetch.sh" "$arch" >&2 || no "the $arch guest could not be fetched (tests/guest/fetch.sh $arch says why)"
fi

variable=PERF_GUEST_BUILD_${arch^^}
build=${!variable:-}
if [ -z "$build" ]; then
	build=$top/build-$arch
	[ -z "$host_libs" ] || build=$top/build
	goals=$build/perf
	for program in ${programs//,/ }; do
		goals="$goals $build/workloads/$program"
	done
	[ -n "$host_libs" ] || goals="$goals ARCH=$arch SYSROOT=$sysroot"
	# shellcheck disable=SC2086 # words
	make -s -j"$(nproc)" -C "$top" O="$build" $goals >&2 || exit 2
fi
[ -x "$build/perf" ] || no "perf for $arch is not built"

W=$(mktemp -d "${TMPDIR:-/tmp}/test-guest-XXXXXX") || exit 2
qemu_pid=''
leave() {
	[ -z "$qemu_pid" ] || kill "$qemu_pid" 2> /dev/null
	rm -rf -- "${W:?}"
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

# ---- what goes in ----

no_room() {
	echo "run.sh: cannot write to '$W'" >&2
	exit 2
}

root=$W/root
mkdir -p "$root"/{rig,w,perf,linux,out} "$root/usr/lib/$triplet" || no_room

# Where a shared library is in the guest's tree.
library() {
	local at first=usr/lib/$triplet
	case $1 in ld-*) first='' ;; esac # the path in programs is /lib/ld-...
	for at in $first usr/lib; do
		[ ! -e "$sysroot/$at/$1" ] || { echo "$at/$1" && return 0; }
	done
	return 1
}

# foreign_libs FILE: copies what an ELF file of another architecture loads.
foreign_libs() {
	local needed at
	for needed in $(readelf -ldW "$1" 2> /dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p; s|.*interpreter: .*/\([^]]*\)\]|\1|p'); do
		at=$(library "$needed") || continue
		[ ! -e "$root/$at" ] || continue
		cp -L "$sysroot/$at" "$root/$at" && foreign_libs "$sysroot/$at"
	done
}

# /lib/x is /usr/lib/x in the guest
host_libs() {
	local at to
	ldd "$@" 2> /dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// && $1 !~ /:$/ { print $1 }' |
		sort -u | while read -r at; do
		case $at in /lib/* | /lib64/*) to=usr$at ;; *) to=${at#/} ;; esac
		mkdir -p "$root/$(dirname "$to")" && cp -L "$at" "$root/$to"
	done
}

# put FILE FOLDER: a program with its libraries
put() {
	[ -e "$1" ] || no "there is no $1"
	cp -L "$1" "$root/$2/" || no_room
	if [ -n "$host_libs" ]; then host_libs "$1"; else foreign_libs "$1"; fi
}

module() {
	local file depend
	[ ! -e "$root/rig/modules" ] || ! grep -qx "${1//-/_}.ko" "$root/rig/modules" || return 0
	file=$(find "$store/modules" \( -name "${1//-/_}.ko*" -o -name "${1//_/-}.ko*" \) | head -n 1)
	[ -n "$file" ] || no "no module $1 in the $arch kernel $(cat "$store/version")"
	case $file in
	*.xz) xz -dc "$file" ;;
	*) cat "$file" ;;
	esac > "$root/rig/${1//-/_}.ko"
	for depend in $(tr '\0' '\n' < "$root/rig/${1//-/_}.ko" | LC_ALL=C sed -n 's/^depends=//p' | tr ',' ' '); do
		module "$depend"
	done
	echo "${1//-/_}.ko" >> "$root/rig/modules"
}

cp "$here/init" "$root/init" || no_room
put "$build/perf" perf
cp -R "$top/events" "$root/perf/events" || no_room
for program in ${programs//,/ }; do
	put "$build/workloads/$program" w
done
if [ -n "$linux" ]; then
	if [ -n "$host_libs" ]; then put "$(PATH=/usr/bin:/bin command -v perf)" linux; else put "$sysroot/usr/bin/perf" linux; fi
fi
for word in ${modules//,/ }; do
	module "$word"
done
if [ -n "$test" ]; then
	mkdir -p "$root/t/$arch"
	cp "$here/lib.sh" "$here/../steps.sh" "$root/t/" && cp "$test" "$root/t/$arch/" || no_room
	echo "exec sh /t/$arch/$name.sh"
else
	printf 'exec'
	printf ' %q' "$@"
	echo
fi > "$root/rig/cmd"
{
	cat "$store/base.cpio" &&
		(set -o pipefail; cd "$root" && find . ! -path . | LC_ALL=C sort | cpio -o -H newc --quiet -R 0:0)
} > "$W/initrd" || no_room
rm -rf -- "${root:?}"

# ---- the guest ----

lines="-serial chardev:c1 -serial chardev:c2 -serial chardev:c3"
[ -n "$host_libs" ] || lines="-chardev null,id=c4 -device pci-serial-4x,chardev1=c1,chardev2=c2,chardev3=c3,chardev4=c4"
: > "$W/stdout"
: > "$W/stderr"
# shellcheck disable=SC2086 # words
timeout -k 5 "$limit" $qemu -accel tcg $icount -machine $machine -cpu $cpu -smp "$smp" -m "$mem" \
	-nodefaults -no-user-config -no-reboot -display none \
	-chardev file,id=c0,path="$W/console" -serial chardev:c0 -chardev file,id=c1,path="$W/stdout" \
	-chardev file,id=c2,path="$W/stderr" -chardev file,id=c3,path="$W/result" $lines \
	-kernel "$store/vmlinuz" -initrd "$W/initrd" \
	-append "console=$console guest_line=$first_line quiet panic=-1 oops=panic nokaslr no_timer_check mitigations=off random.trust_cpu=on $append" \
	< /dev/null > "$W/qemu.log" 2>&1 &
qemu_pid=$!
wait $qemu_pid
ended=$?
qemu_pid=''

clean() {
	LC_ALL=C tr -cd '\11\12\40-\176'
}
[ -z "${GUEST_VERBOSE:-}" ] || clean < "$W/console" | sed 's/^/console: /' >&2
cat "$W/stdout"
clean < "$W/stderr" >&2

rc=$(head -n 1 "$W/result" 2> /dev/null | LC_ALL=C tr -d '\0' | sed -n 's/^RC \([0-9]\{1,3\}\)$/\1/p')
if [ -z "$rc" ]; then
	tail -n 30 "$W/console" "$W/qemu.log" 2> /dev/null | clean | cut -c1-200 | sed 's/^/  # /'
	case $ended in
	124 | 137) why="time limit of $limit s" ;;
	*) why=$(clean < "$W/console" | grep -o 'Kernel panic.*' | head -n 1) ;;
	esac
	echo "not ok - the $arch guest did not finish: ${why:-QEMU ended with status $ended}"
	exit 1
fi
out=${GUEST_OUT:-$W/out}
mkdir -p "$out" || exit 2
if ! tail -c +$((${#rc} + 5)) "$W/result" | gzip -dc 2> "$W/gzip.log" |
	(cd "$out" && cpio -idm --quiet --no-absolute-filenames 2> "$W/cpio.log") || [ -s "$W/gzip.log" ]; then
	sed 's/^/  # /' "$W/gzip.log" "$W/cpio.log"
	echo "not ok - the files of the $arch guest did not come back whole"
	exit 1
fi
after=$here/host/$arch-$name.sh
if [ -n "$test" ] && [ -e "$after" ]; then
	GUEST_OUT=$out SYSROOT=$sysroot GUEST_BUILD=$build bash "$after" || [ "$rc" -ne 0 ] || rc=1
fi
exit "$rc"
