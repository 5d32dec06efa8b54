#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf buildid-cache: files go in and come out, both perfs use one cache, and mistakes are said.
. "$(dirname "$0")/../lib.sh"
planted=$WORKLOADS/planted
id=$("$PERF" buildid-list -i "$planted" 2> /dev/null)
[ -n "$id" ] || skip_all "a linker that makes no build-ids"
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
	timeout 60 "$PERF" buildid-cache -l > out 2> err
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
	theirs=$("$PERF" buildid-list -i "$PERF")
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
if need_built record && need_events; then
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
