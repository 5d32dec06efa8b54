# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is known of each guest, for fetch.sh and run.sh. Sets, for the architecture $1 (Debian's
# name): suite and kernel package to fetch; QEMU, its options and the kernel's; the names of the compiler, the
# libraries' folder and the serial lines; where the cache is. A release of Debian as $1 is a tree
# of this machine's architecture, for chroot (machines.sh): it has no kernel.
#
# cache: $PERF_GUEST_CACHE, else $XDG_CACHE_HOME/perf-guest, else ~/.cache/perf-guest
cache=${PERF_GUEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/perf-guest}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac

guest_arch() {
	arch=$1
	icount='' host_libs='' append='' packages=guest
	case $arch in
	amd64) # no counters under TCG; kprobes, function tracers
		suite=bookworm kernel=linux-image-cloud-amd64
		triplet=x86_64-linux-gnu qemu=qemu-system-x86_64
		machine=pc,vmport=off,hpet=off cpu=max console=ttyS0 first_line=1
		host_libs=1         # perf is the host's own
		append=tsc=reliable # else a busy host makes the kernel give it up as a clock
		;;
	arm64) # armv8_pmuv3. Instructions are counted only with -icount, not with shift=auto.
		suite=bookworm kernel=linux-image-cloud-arm64
		triplet=aarch64-linux-gnu qemu=qemu-system-aarch64
		machine=virt,gic-version=3 cpu=neoverse-n1,pmu=on console=ttyAMA0 first_line=0
		icount='-icount shift=1'
		;;
	riscv64) # sscofpmf; -icount ends QEMU 7.2 as soon as perf counts
		suite=trixie kernel=linux-image-riscv64
		triplet=riscv64-linux-gnu qemu=qemu-system-riscv64
		machine=virt cpu=rv64,sscofpmf=true console=ttyS0 first_line=1
		;;
	bookworm | trixie)
		arch=$(dpkg --print-architecture) suite=$1 kernel='' packages=machine
		;;
	*) return 1 ;;
	esac
	# Fetched again when other packages are asked for. Raise the number when fetch.sh makes it another way.
	store=$cache/$1-$(echo "1 $suite $kernel $(guest_packages)" | cksum | cut -d' ' -f1)
	sysroot=$store/sys
}

# Packages of the guest's own architecture.
guest_packages() {
	awk -v group="$packages" '$1 == group || (group == "guest" && $1 == "build" && /-dev/) { $1 = ""; print }' \
		"$(dirname "${BASH_SOURCE[0]}")/../../packages" | tr ' ' '\n' | grep -vxE 'gcc|make|pkg-config|' | tr '\n' ' '
}
