#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two machines tell the same of one recording. The other one is a release of Debian with its own
# libc and programs (a tree that fetch.sh has fetched) below chroot, with another host name; the
# kernel is ours. What is recorded here is shown there, and the other way round, as it was shown
# where it was recorded: once by `perf archive`, once by `record --bundle`.
declare -A trees reasons
for suite in bookworm trixie; do # before HOME is the test's own: the cache is below it
	[ "${PERF_GUEST_FETCH:-}" = no ] || reasons[$suite]=$("$(dirname "$0")/fetch.sh" $suite 2>&1 | tail -n 1)
	trees[$suite]=$("$(dirname "$0")/fetch.sh" --sysroot $suite)
done
. "$(dirname "$0")/../lib.sh"
plan 10
need_root && need_events || finish
CC=${CC:-cc}
for tool in "$CC" unshare bzip2 python3 sort; do
	command -v "$tool" > /dev/null || skip_all "machines: $tool is not installed"
done
unshare --mount --uts true 2> /dev/null || skip_all "machines: no mount namespaces here"
perf version --build-options
grep -q 'dwarf: \[ on' out && lines=1 || lines=

cat > prog.cpp << 'END_OF_PROG'
#include <string>
#include <time.h>
volatile unsigned long sink;
template <typename T> static inline __attribute__((always_inline)) void low(T n)
{
	for (T i = 0; i < n; i++)
		sink += i;
}
struct counter {
	std::string text;
	__attribute__((noinline)) void work(unsigned long n)
	{
		low(n);
		text += "x";
		if (text.size() > 100000)
			text.clear();
	}
};
static int below(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int main()
{
	counter c;
	static int numbers[20000];
	while (clock() < CLOCKS_PER_SEC / 3) {
		c.work(3000000); // about as long as what follows
		for (int i = 0; i < 20000; i++)
			numbers[i] = (i * 7919) % 20011;
		qsort(numbers, 20000, sizeof(int), below);
	}
	return 0;
}
END_OF_PROG
${CXX:-c++} -O1 -g -fno-omit-frame-pointer -static-libstdc++ -static-libgcc -Wl,--build-id -o prog prog.cpp 2> cc.log ||
	skip_all "machines: no C++ compiler ($(tail -n 1 cc.log))"

# What the views of a recording are made of: names, chains, lines, inlined functions.
views=('report -g none -s comm,dso,sym' 'report -g caller' 'report --children -g none -s dso,sym'
	'script -F comm,ip,sym,symoff,dso')
[ -z "$lines" ] || views+=('report -g none -s dso,sym,srcline' 'report -g caller --inline' 'script -F +srcline,+sym')

# Both machines are namespaces: nothing of their mounts is left. `here` is ours without debug files
# (a build of the same release has names for libc there), and with $home as HOME.
here() {
	# shellcheck disable=SC2016 # for the shell that is started
	HOME=$home timeout -k 5 $((3 * LIMIT)) unshare --mount --propagation private sh -c '
		[ ! -d /usr/lib/debug ] || mount -t tmpfs none /usr/lib/debug || exit 125
		exec "$@"' sh "$PERF" "$@"
}

# On the other one /root is the folder $at of here; all else of it is read-only.
there() {
	# shellcheck disable=SC2016
	timeout -k 5 $((3 * LIMIT)) unshare --mount --uts --propagation private sh -c '
		tree=$1 at=$2
		shift 2
		hostname elsewhere || exit 125
		mount --bind "$tree" "$tree" && mount -o remount,bind,ro "$tree" &&
			mount --bind "$at" "$tree/root" && mount -t tmpfs none "$tree/tmp" &&
			mount --rbind /proc "$tree/proc" && mount --rbind /sys "$tree/sys" &&
			mount --rbind /dev "$tree/dev" || exit 125
		HOME=/root PATH=$PATH:/usr/sbin:/sbin exec chroot "$tree" /root/perf "$@"' sh "$tree" "$at" "$@"
}

# show FOLDER MACHINE FILE: its views, each in FOLDER/VIEW
show() {
	local view n=0
	mkdir -p "$1"
	for view in "${views[@]}"; do
		n=$((n + 1))
		# shellcheck disable=SC2086 # the view is words
		"$2" $view -i "$3" > out 2> err
		check [ $? -eq 0 ]
		grep -v '^#' out > "$1/$n"
		grep -v '^ ' err > "$1/$n.said" # advice is of the machine
	done
}

# Programs with names and without, of this machine: $1 a recording's name, then options
record_here() {
	here record -q "${@:2}" -g -F 1500 -e cpu-clock -o "$at/$1.data" sh -c '
		./prog; python3 -c "[x * x for x in range(3000000)]"; seq 120000 | sort -R > sorted' 2> err
	check [ $? -eq 0 ]
}

# The same of the other one: perl and sort are stripped there.
record_there() {
	there record -q "${@:2}" -g -F 1500 -e cpu-clock -o "/root/$1.data" dash -c '
		/root/prog; perl -e "\$n += \$_ * \$_ for 1..3000000"; seq 120000 | sort -R > /tmp/sorted' 2> err
	check [ $? -eq 0 ]
}

for suite in bookworm trixie; do
	step "$suite: is there"
	tree=${trees[$suite]}
	[ -d "$tree" ] || { skip "${reasons[$suite]:-not in the cache (tests/guest/fetch.sh $suite)}" && plan $((planned - 4)) && continue; }
	at=$PWD/$suite home=$at/our-home
	mkdir -p "$home" && cp "$PERF" "$at/perf" && cp prog "$at/prog"
	there version > out 2> err || { skip "this perf does not run there: $(tail -n 1 err)" && plan $((planned - 4)) && continue; }

	step "$suite: recorded here, shown there after perf archive"
	record_here out
	show original here "$at/out.data"
	grep -qF 'counter::work' original/1 && grep -q 'sort' original/1 && grep -q 'python3' original/1
	check [ $? -eq 0 ]
	[ -z "$lines" ] || check grep -q 'prog.cpp:7 *$' original/5
	[ -z "$lines" ] || check grep -q 'low.*(inlined)' original/6
	show before there /root/out.data
	refute diff -r original before
	here archive "$at/out.data" > packed 2> err
	check there archive --unpack /root/out.data.tar.bz2 > unpacked
	show after there /root/out.data
	check diff -r original after

	step "$suite: recorded here, shown there by record --bundle"
	rm -rf -- "${at:?}/.debug" "${at:?}/.cache" original after
	record_here bundled --bundle
	show original here "$at/bundled.data"
	show after there /root/bundled.data
	check diff -r original after

	step "$suite: recorded there, shown here after perf archive"
	rm -rf -- original after
	record_there back
	show original there /root/back.data
	check grep -qF 'counter::work' original/1
	check grep -q ' perl ' original/1
	there archive /root/back.data > packed 2> err
	home=$at/next-home
	mkdir "$home"
	check here archive --unpack "$at/back.data.tar.bz2" > unpacked
	show after here "$at/back.data"
	check diff -r original after

	step "$suite: recorded there, shown here by record --bundle"
	rm -rf -- original after
	record_there with --bundle
	show original there /root/with.data
	home=$at/empty
	mkdir "$home"
	show after here "$at/with.data"
	check diff -r original after
	rm -rf -- original before after
done
finish
