#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches what the guests of tests/guest need, once: a Debian kernel each, and for foreign
# architectures a tree of libraries (also the sysroot of the cross build) with Linux's own perf. And
# trees of releases of Debian, other machines for machines.sh. They go to a cache outside the
# sources (arch.sh says where). Needs no root.
#
#	fetch.sh [NAME]...		amd64 arm64 riscv64 bookworm trixie; default: all
#	fetch.sh --sysroot NAME		prints the tree: the folder for make SYSROOT=
#
# Packages come from the mirrors this machine itself uses, through apt-get with folders of its own:
# the machine's package state is neither read nor changed. A fetch is whole or not there at all: it
# is made beside its place and renamed; two that run at once wait for each other.
#
# Exit status 77, with the reason on the last line, when something is missing: apt, network, disk.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/arch.sh"
limit=${PERF_GUEST_FETCH_LIMIT:-300} # seconds for all
work=''

leave() {
	[ -z "$work" ] || rm -rf -- "${work:?}"
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

# no REASON: with what the tools said, and whether the disk was the reason
no() {
	[ ! -s "$work/log" ] || tail -n 5 "$work/log" | cut -c1-200 >&2
	if [ -d "$cache" ] && [ "$(df -Pk "$cache" | awk 'END { print $4 }')" -lt 16384 ]; then
		echo "the disk of '$cache' is full (PERF_GUEST_CACHE names another folder)"
	else
		echo "$*"
	fi
	exit 77
}

# The Debian mirrors of this machine, "URI SUITE" a line, of both forms of sources.
mirrors() {
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null |
		sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+) +([^ ]+) .*/\2 \3/p'
	awk 'function out(  u, s, i, k, n, m) {
		n = split(uris, u); m = split(suites, s)
		if (types ~ /(^| )deb( |$)/ && enabled != "no")
			for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) print u[i], s[k]
		types = uris = suites = enabled = ""
	}
	FNR == 1 || /^$/ { out() }
	{ key = tolower($1); $1 = ""; sub(/^ /, "") }
	key == "types:" { types = $0 } key == "uris:" { uris = $0 }
	key == "suites:" { suites = $0 } key == "enabled:" { enabled = $0 }
	END { out() }' /etc/apt/sources.list.d/*.sources /dev/null 2> /dev/null
}

# The same mirrors with the suite this guest is made of. Only those of the machine's release and
# its updates are Debian's for sure.
sources() {
	local uri name release key=/usr/share/keyrings/debian-archive-keyring.gpg
	release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	mirrors | sort -u | while read -r uri name; do
		case $name in
		"$release" | "$release-updates" | "$release-security") ;;
		*) continue ;;
		esac
		echo "deb [arch=$arch$([ ! -e $key ] || echo " signed-by=$key")] $uri ${name/#$release/$suite} main"
	done
}

private_apt() {
	local root=$work/apt
	mkdir -p "$root"/etc/{apt.conf.d,preferences.d,sources.list.d} "$root/state/lists/partial" \
		"$root/cache/archives/partial" || return 1
	: > "$root/status"
	sources > "$root/etc/sources.list"
	[ -s "$root/etc/sources.list" ] || no "no Debian mirror found in the package sources of this machine"
	cat > "$work/apt.conf" <<-END || return 1
		Dir::Etc "$root/etc";
		Dir::Etc::sourcelist "$root/etc/sources.list";
		Dir::Etc::sourceparts "$root/etc/sources.list.d";
		Dir::Etc::parts "/etc/apt/apt.conf.d";
		Dir::Etc::preferencesparts "$root/etc/preferences.d";
		Dir::Etc::trusted "/etc/apt/trusted.gpg";
		Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
		Dir::State "$root/state";
		Dir::State::status "$root/status";
		Dir::Cache "$root/cache";
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "";
		APT::Install-Recommends "false";
		APT::Update::Post-Invoke "";
		DPkg::Post-Invoke "";
		Binary::apt-get::APT::Keep-Downloaded-Packages "true";
		Acquire::Languages "none";
		Acquire::Retries "1";
		Acquire::http::Timeout "20";
		Acquire::https::Timeout "20";
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Post-Invoke;
	END
	export APT_CONFIG=$work/apt.conf
}

bounded() {
	timeout -k 5 $((limit - SECONDS > 1 ? limit - SECONDS : 1)) "$@" >> "$work/log" 2>&1
}

# Only what is used in guests and builds: documents and scripts are most of some packages.
unpack() {
	dpkg-deb --fsys-tarfile "$1" | tar xf - -C "$2" --keep-directory-symlink --no-same-owner \
		--exclude='./usr/share/doc*' --exclude='./usr/share/man' --exclude='./usr/share/locale' \
		--exclude='./usr/share/perl*' --exclude='./usr/lib/python3*' --exclude='./usr/lib/debug' \
		--exclude='./boot/System.map*' >> "$work/log" 2>&1
}

fetch_kernel() {
	local name deb image
	name=$(apt-cache depends "$kernel" 2>> "$work/log" | awk '/Depends: linux-image/ { print $2; exit }')
	[ -n "$name" ] || no "no package $kernel at the mirrors of this machine"
	(cd "$work" && bounded apt-get download "$name") || no "cannot fetch the package $name"
	deb=$(ls "$work/$name"_*.deb) && mkdir -p "$work/image" && unpack "$deb" "$work/image" &&
		rm -f "$deb" || no "cannot unpack the package $name"
	image=$(ls "$work/image/boot"/vmlinu[xz]-*) && mv "$image" "$work/new/vmlinuz" ||
		no "there is no kernel in the package $name"
	echo "${name#linux-image-}" > "$work/new/version"
	mv "$work"/image/*lib/modules/* "$work/new/modules" 2> /dev/null ||
		mv "$work"/image/usr/lib/modules/* "$work/new/modules" || no "no modules in the package $name"
	rm -rf -- "${work:?}/image"
}

# Libraries and programs of the guest's architecture: those of the build, Linux's perf, busybox.
fetch_tree() {
	local deb dir names link
	names=$(guest_packages)
	# shellcheck disable=SC2086 # names are words
	bounded apt-get install -y --download-only $names || no "cannot fetch the $arch packages of $suite"
	mkdir -p "$work"/new/sys/usr/{bin,sbin,lib,lib64} || return 1
	for dir in bin sbin lib lib64; do
		ln -s usr/$dir "$work/new/sys/$dir"
	done
	for deb in "$work"/apt/cache/archives/*.deb; do
		unpack "$deb" "$work/new/sys" || no "cannot unpack ${deb##*/}"
	done
	# A link to /lib/... would lead out of the tree.
	find "$work/new/sys" -type l -lname '/*' | while read -r link; do
		ln -snf "$(realpath -ms --relative-to="$(dirname "$link")" \
			"$work/new/sys$(readlink "$link")")" "$link"
	done
	mkdir -p "$work"/new/sys/{proc,sys,dev,tmp,root} # what is mounted there, where it is a machine
}

# The first half of each initramfs: busybox with a link for each thing it can, and folders.
make_base() {
	local root=$work/base box name
	box=$(command -v busybox) && [ -n "$host_libs" ] || box=$work/new/sys/usr/bin/busybox
	mkdir -p "$root"/usr/{bin,sbin,lib64,lib/$triplet} \
		"$root"/{proc,sys,dev,tmp,run,etc,root,out,mnt,var/tmp,rig} || return 1
	for name in bin sbin lib lib64; do
		ln -s usr/$name "$root/$name"
	done
	cp "$box" "$root/usr/bin/busybox" || return 1
	for name in $(busybox --list); do
		[ "$name" = busybox ] || ln -s busybox "$root/usr/bin/$name"
	done
	ln -s /proc/self/mounts "$root/etc/mtab"
	printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' > "$root/etc/passwd"
	printf 'root:x:0:\nnogroup:x:65534:\n' > "$root/etc/group"
	chmod 1777 "$root/tmp" "$root/var/tmp"
	(set -o pipefail; cd "$root" && find . | LC_ALL=C sort |
		cpio -o -H newc --quiet -R 0:0 > "$work/new/base.cpio") 2>> "$work/log"
}

fetch() {
	local old
	guest_arch "$1" || { echo "fetch.sh: no guest '$1'; one of amd64 arm64 riscv64 bookworm trixie" >&2 && exit 2; }
	if [ -d "$store" ]; then
		touch "$store" 2> /dev/null # in use
		return 0
	fi
	mkdir -p "$cache" 2> /dev/null && [ -w "$cache" ] || no "cannot write to '$cache'"
	exec 9> "$cache/lock" || no "cannot write to '$cache'"
	flock -w "$limit" 9 || no "another fetch into '$cache' did not end"
	[ ! -d "$store" ] || return 0 # the one we waited for has made it
	work=$(mktemp -d "$cache/fetch-XXXXXX") || no "cannot write to '$cache'"
	mkdir "$work/new" && private_apt || no "cannot write to '$cache'"
	bounded apt-get update -q # one list of updates that a mirror has half is no reason to stop
	ls "$work"/apt/state/lists/*"_${suite}_main_"*Packages* > /dev/null 2>&1 ||
		no "cannot read the package lists of $suite for $arch (network?)"
	[ -n "$host_libs" ] || fetch_tree || no "cannot write to '$cache'"
	[ -z "$kernel" ] || fetch_kernel
	[ -z "$kernel" ] || make_base || no "cannot write to '$cache'"
	chmod 755 "$work/new"
	# Of older lists of packages, and what a killed fetch left: not used for two weeks.
	find "$cache" -mindepth 1 -maxdepth 1 -type d -mtime +14 \
		\( -name "$1-*" -o -name 'fetch-*' \) -exec rm -rf -- {} +
	mv "$work/new" "$store" || no "cannot write to '$cache'"
	rm -rf -- "${work:?}"
	work=''
	exec 9>&-
	echo "fetched: $1, ${kernel:+kernel $(cat "$store/version"), }$(du -sm "$store" | cut -f1) MB, $SECONDS s"
}

if [ "${1:-}" = --sysroot ]; then
	guest_arch "${2:-}" || exit 2
	echo "$sysroot"
	exit 0
fi
for tool in apt-get apt-cache dpkg-deb tar cpio busybox flock; do
	command -v $tool > /dev/null || no "$tool is not installed"
done
[ $# -gt 0 ] || set -- amd64 arm64 riscv64 bookworm trixie
for name; do
	fetch "$name"
done
