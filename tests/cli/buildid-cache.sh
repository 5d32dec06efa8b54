#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf buildid-cache: files go in and come out, both perfs use one cache, and mistakes are said.
. "$(dirname "$0")/../lib.sh"
plan 25
planted=$WORKLOADS/planted
id=$(id_of "$planted")
[ -n "$id" ] || skip_all "no readelf, or a linker that makes no build-ids"
cache=$HOME/.debug

step "--add: the layout of the cache"
cp "$planted" mine
perf buildid-cache --add mine
check [ $rc -eq 0 ]
check [ ! -s out -a ! -s err ]
check [ "$(readlink "$cache/.build-id/${id:0:2}/${id:2}")" = "../..$PWD/mine/$id" ]
check [ "$cache$PWD/mine/$id/elf" -ef mine ]

step "--list, and again --add: it is there once"
perf buildid-cache -v -a ./mine
check [ $rc -eq 0 ]
check grep -qxF "Adding $id ./mine: Ok" err
perf buildid-cache --list
check [ "$(cat out)" = "$id $PWD/mine" ]

step "a file that can be linked is not copied: no more than the link is written"
(
	ulimit -f 8 # KB
	timeout 20 "$PERF" --buildid-dir "$PWD/linked" buildid-cache --add mine > out 2> err
	echo $? > rc
)
check [ "$(stat -c %s mine)" -gt 8192 ]
check [ "$(cat rc)" -eq 0 ]
check [ ! -s out -a ! -s err ]
check [ "linked$PWD/mine/$id/elf" -ef mine ]

step "--list leaves out what is no copy any more"
rm "$cache$PWD/mine/$id/elf"
echo junk > "$cache$PWD/mine/$id/elf"
perf buildid-cache -l
check [ $rc -eq 0 ]
check [ ! -s out ]

step "--update puts a good one in its place"
cp "$planted" other
perf buildid-cache -v --update other
check grep -qxF "Updating $id other: Ok" err
perf buildid-cache -l
check [ "$(cat out)" = "$id $PWD/other" ]

step "--update by a file of the cache itself is refused"
perf buildid-cache -u "$cache/.build-id/${id:0:2}/${id:2}/elf"
check [ $rc -eq 255 ]
check grep -q 'a file of the cache itself' err
perf buildid-cache -l
check [ "$(cat out)" = "$id $PWD/other" ]

step "--remove: by build-id, and never the file itself"
perf buildid-cache -v --remove "$planted"
check [ $rc -eq 0 ]
check grep -qxF "Removing $id $planted: Ok" err
check [ -x other -a -x "$planted" ]
perf buildid-cache -l
check [ ! -s out ]
perf buildid-cache -r other
check [ $rc -eq 0 ]
check grep -qxF "other wasn't in the cache" err

step "--purge: by path, also when the file is gone"
perf buildid-cache -a other
rm other
perf buildid-cache -v -p "$PWD/other"
check [ $rc -eq 0 ]
check grep -qxF "Purging $PWD/other: Ok" err
check [ ! -e "$cache$PWD/other/$id" ]
perf buildid-cache -l
check [ ! -s out ]
perf buildid-cache -p "$PWD/other"
check [ $rc -eq 0 ]
check grep -q "wasn't in the cache" err

step "--purge-all; nothing but folders stays"
perf buildid-cache -a mine,"$PERF"
perf buildid-cache -v --purge-all
check [ $rc -eq 0 ]
check grep -qxF "Removing $PWD/mine ($id): Ok" err
check [ -z "$(find "$cache" ! -type d)" ]

step "files that cannot be added: each is said, the others are done"
echo text > text
perf buildid-cache -a text,nofile,mine,/dev/null,.
check [ $rc -eq 255 ]
check grep -qxF "Error: cannot add 'text': it is not an ELF file" err
check grep -qxF "Error: cannot add 'nofile': No such file or directory" err
check grep -qF "'/dev/null'" err
check grep -qF "'.'" err
perf buildid-cache -l
check [ "$(cat out)" = "$id $PWD/mine" ]

step "one without a build-id: with the way out"
if echo 'int main(void) { return 0; }' | gcc -x c -Wl,--build-id=none -o bare - 2> /dev/null; then
	perf buildid-cache -a bare
	check [ $rc -eq 255 ]
	check grep -qF "cannot add 'bare': it has no build-id" err
	check grep -qF -- '-Wl,--build-id' err
else
	skip "no gcc"
fi

step "mistakes in the command line"
perf buildid-cache
check [ $rc -eq 129 ]
perf buildid-cache -l -a mine
check [ $rc -eq 129 ]
check grep -q -- '-l is exclusive' err
perf buildid-cache mine
check [ $rc -eq 129 ]
check grep -q "unexpected word 'mine'" err
perf buildid-cache --target-ns 4194304 -a mine
check [ $rc -eq 255 ]
check grep -q 'no such process' err

step "where there is no cache"
(
	unset HOME
	timeout 200 "$PERF" buildid-cache -l > out 2> err
	echo $? > rc
)
check [ "$(cat rc)" -eq 255 ]
check grep -q 'HOME is not set' err
perf --buildid-dir "$PWD/elsewhere" buildid-cache -l
check [ $rc -eq 0 ]
check [ ! -e elsewhere ]

step "--target-ns: the file that a process sees under the path"
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2> /dev/null; then
	mkdir root && cp "$PERF" root/mine
	theirs=$(id_of "$PERF")
	mkfifo ready
	# shellcheck disable=SC2016
	unshare --mount sh -c 'mount --bind root/mine mine && echo > ready && exec sleep 60' &
	CHILDREN="$CHILDREN $!" child=$!
	read -r _ < ready
	perf --buildid-dir "$PWD/ns" buildid-cache --target-ns $child -a "$PWD/mine"
	check [ $rc -eq 0 ]
	perf --buildid-dir "$PWD/ns" buildid-cache -l
	check [ "$(cat out)" = "$theirs $PWD/mine" ]
	perf buildid-cache --target-ns $child -a mine
	check [ $rc -eq 255 ]
	check grep -q "begin with '/'" err
else
	skip "no mount namespaces here"
fi

step "--missing: what a recording names and the cache lacks"
if need_events; then
	perf buildid-cache -P
	perf record -N -q -e cpu-clock -F 2000 -o x.data "$planted" 0.2
	perf buildid-list -i x.data
	cp out all
	perf buildid-cache --missing x.data
	check [ $rc -eq 0 ]
	check cmp out all
	perf buildid-cache -a "$planted"
	perf buildid-cache -M x.data
	check diff <(grep -vF "$id" all) out
	perf record -q -e cpu-clock -F 2000 -o x.data "$planted" 0.2
	perf buildid-cache -M x.data
	check [ $rc -eq 0 -a ! -s out -a ! -s err ]
	perf buildid-cache -v -p '[vdso]'
	check grep -q 'Purging \[vdso\]: Ok' err
	perf buildid-cache -M x.data
	check grep -qE '^[0-9a-f]{40} \[vdso\]$' out
fi

step "names with spaces, and links to a file"
perf buildid-cache -P
mkdir "a folder" && cp "$planted" "a folder/a program" && ln -s "a folder/a program" "a link"
perf buildid-cache -a "a link"
check [ $rc -eq 0 ]
perf buildid-cache -l
check [ "$(cat out)" = "$id $PWD/a folder/a program" ]
if [ -x "$REF" ]; then
	"$REF" buildid-cache -l > ref 2> /dev/null
	check cmp out ref
fi
perf buildid-cache -p "a link"
check [ -z "$(find "$cache" ! -type d)" ]

# A file system of its own, so that files are copied: $1 megabytes in the folder `disk`.
need_disk() {
	mkdir -p disk
	[ "$(id -u)" -eq 0 ] && mount -t tmpfs -o "size=$1m" none disk 2> /dev/null && umount_at_end=$PWD/disk && return 0
	skip "no file system of its own"
	return 1
}

step "killed while it copies: nothing is left but what is whole"
if need_disk 64; then
	truncate -s 40M large && cat "$planted" /dev/urandom | dd of=large bs=1M count=30 iflag=fullblock conv=notrunc 2> /dev/null
	for n in 1 2 3 4 5 6; do
		"$PERF" --buildid-dir "$PWD/disk/c" buildid-cache -a large > out 2>&1 &
		child=$!
		for _ in $(seq 2000); do
			[ "$(df -k --output=used disk | tail -n 1)" -lt 1024 ] || break
		done
		kill -KILL $child 2> /dev/null
		wait $child 2> /dev/null
		[ -e "disk/c/.build-id/${id:0:2}/${id:2}/elf" ] && break
		check [ -z "$(find disk ! -type d)" ]
	done
	perf --buildid-dir "$PWD/disk/c" buildid-cache -a large
	check [ $rc -eq 0 ]
	check cmp large "disk/c/.build-id/${id:0:2}/${id:2}/elf"
	umount disk
fi

step "holes stay holes"
if need_disk 4; then
	cp "$planted" holes && truncate -s 1G holes
	perf --buildid-dir "$PWD/disk/c" buildid-cache -a holes
	check [ $rc -eq 0 ]
	check cmp holes "disk/c/.build-id/${id:0:2}/${id:2}/elf"
	umount disk
fi

step "a full disk: said, and the others are done"
if need_disk 2; then
	head -c 8M /dev/urandom > filling && cp "$planted" big && cat filling >> big
	own=$(id_of /bin/ls)
	perf --buildid-dir "$PWD/disk/c" buildid-cache -a big,/bin/ls
	check [ $rc -eq 255 ]
	check grep -qF "cannot add to the build-id cache 'big': $PWD/disk/c: No space left on device" err
	perf --buildid-dir "$PWD/disk/c" buildid-cache -l
	check [ "$(cut -d' ' -f1 out)" = "$own" ]
	umount disk
fi

step "several at once"
ls /usr/lib/*/*.so.* /usr/bin/* 2> /dev/null | head -n 60 > many
pids=''
for _ in 1 2 3 4; do
	"$PERF" --buildid-dir "$PWD/at-once" buildid-cache -a "$(paste -sd, many)" 2>> at-once.err &
	CHILDREN="$CHILDREN $!" pids="$pids $!"
done
# shellcheck disable=SC2086 # pids are words
wait $pids
refute grep -v 'not an ELF\|no build-id\|^ ' at-once.err
"$PERF" --buildid-dir "$PWD/alone" buildid-cache -a "$(paste -sd, many)" 2> err
check diff -r at-once alone

step "two that make the cache's folder at once"
if strace -o strace.log true 2> /dev/null; then
	strace -o strace.log -e trace=mkdir -e inject=mkdir:delay_enter=1000000 \
		"$PERF" --buildid-dir "$PWD/both" buildid-cache -a mine 2> slow.err &
	child=$!
	for _ in $(seq 200); do
		[ ! -s strace.log ] || break
		sleep 0.01
	done
	perf --buildid-dir "$PWD/both" buildid-cache -a "$PERF"
	check [ $rc -eq 0 ]
	wait $child
	check [ $? -eq 0 ]
	perf --buildid-dir "$PWD/both" buildid-cache -l
	check [ "$(wc -l < out)" -eq 2 ]
else
	skip "no strace"
fi

step "a folder of another user is not used"
if need_root; then
	perf buildid-cache -P
	mkdir -p "strange/.build-id/${id:0:2}" "strange$PWD" && chown 12345 "strange$PWD"
	perf --buildid-dir "$PWD/strange" buildid-cache -a mine
	check [ $rc -eq 255 ]
	check grep -q "cannot add to the build-id cache" err
	check [ -z "$(find strange ! -type d)" ]
	chown 12345 "strange/.build-id/${id:0:2}" && chown 0 "strange$PWD"
	perf --buildid-dir "$PWD/strange" buildid-cache -a mine
	check [ $rc -eq 255 ]
	check [ -z "$(find strange -type l)" ]
fi

step "the list of kernel symbols: kept unless all its addresses are hidden"
if need_root && need_events && unshare --mount true 2> /dev/null; then
	printf '0000000000000000 A fixed_percpu_data\n0000000000000000 A __per_cpu_start\n' > shown
	cat /proc/kallsyms >> shown
	sed 's/^[0-9a-f]*/0000000000000000/' shown > hidden
	for list in shown hidden; do
		# shellcheck disable=SC2016 # for the shell that is started
		unshare --mount sh -c 'mount --bind "$1" /proc/kallsyms && shift && exec "$@"' sh $list \
			"$PERF" --buildid-dir "$PWD/of-$list" record -e cpu-clock -o k.data sh -c 'i=0; while [ $i -lt 999 ]; do i=$((i + 1)); /bin/true; done' 2> err
		check [ $? -eq 0 ]
		find of-$list -name kallsyms > kept
		if [ $list = shown ]; then
			check cmp "$(cat kept)" shown
		else
			check [ ! -s kept ]
		fi
	done
fi

step "kernel symbols are for who recorded them, also those that were kept before"
if need_root && need_events && unshare --mount true 2> /dev/null; then
	kernel_is_private() { # KALLSYMS, and all folders down to it but the cache's own
		check [ "$(stat -c %a "$1")" = 600 ]
		for folder in "${1%/*}" "${1%/*/*}"; do
			check [ "$(stat -c %a "$folder")" = 700 ]
		done
	}
	kallsyms=$(find of-shown/\[kernel* -name kallsyms)
	kernel_is_private "$kallsyms"
	open_it() {
		chmod 755 "$kallsyms" "${kallsyms%/*}" "${kallsyms%/*/*}"
	}
	open_it
	perf --buildid-dir "$PWD/of-shown" record -e cpu-clock -o k.data sh -c 'i=0; while [ $i -lt 999 ]; do i=$((i + 1)); /bin/true; done'
	kernel_is_private "$kallsyms"
	open_it
	perf --buildid-dir "$PWD/of-shown" report --stdio -i k.data
	kernel_is_private "$kallsyms"
	open_it
	perf --buildid-dir "$PWD/of-shown" archive k.data
	check [ $rc -eq 0 ]
	check grep -q '^-rw------- .*kallsyms' <(tar -tvf k.data.tar.*)
	# An archive that somebody else made.
	open_it
	tar -C of-shown -cf open.tar .build-id "[kernel.kallsyms]"
	perf --buildid-dir "$PWD/of-tar" archive --unpack open.tar
	check [ $rc -eq 0 ]
	kernel_is_private "$(find of-tar/\[kernel* -name kallsyms)"
fi

step "one cache for both: Linux's perf lists, removes and updates ours, and we theirs"
if [ -x "$REF" ]; then
	both() { # an action of each kind of perf, then the lists of both
		"$1" buildid-cache "${@:2}" > /dev/null 2>&1
		perf buildid-cache -l
		"$REF" buildid-cache -l > ref 2> /dev/null
		check diff out ref
	}
	perf buildid-cache -P
	both "$PERF" -a mine,"$PERF",/bin/ls
	check [ "$(wc -l < out)" -eq 3 ]
	both "$REF" -r mine
	check [ "$(wc -l < out)" -eq 2 ]
	both "$REF" -a mine,/bin/cat
	check [ "$(wc -l < out)" -eq 4 ]
	cp "$planted" again
	both "$PERF" -u again
	check grep -qxF "$id $PWD/again" out
	both "$REF" -u mine
	check grep -qxF "$id $PWD/mine" out
	both "$PERF" -r again
	both "$REF" -p "$PERF"
	both "$PERF" -p /bin/ls
	check [ "$(wc -l < out)" -eq 1 ]
	both "$PERF" -a mine
	both "$REF" -P
	check [ ! -s out ]
	both "$REF" -a mine,/bin/ls
	check [ "$(wc -l < out)" -eq 2 ]
	both "$PERF" -P
	check [ -z "$(find "$cache" ! -type d)" ]
else
	skip "'$REF' is not there"
fi
finish
