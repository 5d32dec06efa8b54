#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make cleanroom`: the newcomer's test. Makes a bare Debian in a scratch folder, puts a fresh
# clone of this repository (what is committed, nothing else) into it, and runs ./bootstrap demo and
# ./bootstrap check inside. By hand only: it needs root, the network's package mirror and some
# fifteen minutes. The mirror and its keys are the machine's own: nothing is named here.
#
#	run.sh [TARGET]...	default: demo check
#	KEEP=1			leave the folder (unmounted) and say where it is
#	SUITE=bookworm		another release
set -u
{ # read to its end before it starts: the tree may change under a run of minutes
src=$(git -C "$(dirname "$0")" rev-parse --show-toplevel) || exit 2
suite=${SUITE:-bookworm}
targets=${*:-demo check}
[ "$(id -u)" -eq 0 ] || { echo "cleanroom: needs root (chroot, mounts)"; exit 77; }
command -v debootstrap > /dev/null || { echo "cleanroom: debootstrap is not installed"; exit 77; }

room=$(mktemp -d /var/tmp/perf-cleanroom-XXXXXX) || exit 2
mounted=
# shellcheck disable=SC2317 # called by the trap
leave() {
	local dir pid
	# Processes that still live inside would keep the mounts busy: they are ours to end.
	for pid in /proc/[0-9]*; do
		case $(readlink "$pid/root" 2> /dev/null) in
		"$room" | "$room"/*) kill -KILL "${pid#/proc/}" 2> /dev/null ;;
		esac
	done
	for dir in $mounted; do
		umount -R "$dir" 2> /dev/null || umount -l "$dir"
	done
	mounted=
	# Never remove through a mount: the machine's own /dev could be behind it.
	if grep -qF " $room/" /proc/self/mounts; then
		echo "cleanroom: something is still mounted below $room; not removed" >&2
	elif [ -n "${KEEP:-}" ]; then
		echo "cleanroom: kept in $room"
	else
		rm -rf --one-file-system -- "${room:?}"
	fi
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

step() {
	printf '\n=== cleanroom: %s (%d s) ===\n' "$*" $SECONDS
}

step "a bare Debian ($suite)"
# The machine's own sources say where packages come from.
mirror=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' \
	/etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | grep -v security | head -n 1)
[ -n "$mirror" ] || { echo "cleanroom: no package source found below /etc/apt"; exit 2; }
debootstrap --variant=minbase "$suite" "$room" "$mirror" > "$room.log" 2>&1 ||
	{ tail -n 20 "$room.log"; rm -f "$room.log"; exit 1; }
rm -f "$room.log"
for file in sources.list sources.list.d trusted.gpg trusted.gpg.d keyrings; do
	[ ! -e "/etc/apt/$file" ] || cp -a "/etc/apt/$file" "$room/etc/apt/"
done
# Of apt's settings only those about the way to the mirror.
grep -liE 'proxy|acquire' /etc/apt/apt.conf.d/* 2> /dev/null |
	while read -r file; do cp -L "$file" "$room/etc/apt/apt.conf.d/"; done
cp -a /usr/share/keyrings/. "$room/usr/share/keyrings/"
if [ -s /etc/ssl/certs/ca-certificates.crt ]; then
	mkdir -p "$room/etc/ssl/certs" && cp -L /etc/ssl/certs/ca-certificates.crt "$room/etc/ssl/certs/"
fi
cp -L /etc/resolv.conf /etc/hosts "$room/etc/" 2> /dev/null

chmod 755 "$room" # it is / inside, and there are other users than root
step "mounts"
for dir in proc sys dev; do
	mount --rbind "/$dir" "$room/$dir" || exit 1
	mounted="$room/$dir $mounted"
	mount --make-rslave "$room/$dir" || exit 1
done

step "a fresh clone"
git clone -q --no-hardlinks "$src" "$room/root/perf" || exit 1

# A bare system: no tools, no HOME but root's, nothing of this shell's variables but the proxy.
inside() {
	env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		chroot "$room" /bin/sh -c "cd /root/perf && $1"
}

failed=0
for target in $targets; do
	step "./bootstrap $target"
	inside "./bootstrap $target" < /dev/null || failed=1
done
step "$([ $failed -eq 0 ] && echo passed || echo FAILED)"
exit $failed
}
