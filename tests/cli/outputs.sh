#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What commands write to: never to their inputs, never over what is not theirs to replace, and the
# older result stays until the new one is complete.
. "$(dirname "$0")/../lib.sh"
plan 20

# What an output may be made over: a table of commands, with OUT in the place of the name.
recorders=(
	"record -e cpu-clock -o OUT true"
	"record --threads -e cpu-clock -o OUT true"
	"record -e cpu-clock --switch-output=10M -o OUT true"
	"stat record -e task-clock -o OUT true"
	"inject -b -i in.data -o OUT"
)
texts=(
	"stat -e task-clock -o OUT true"
	"stat -e task-clock --append -o OUT true"
	"stat -e task-clock -I 50 -o OUT true"
	"data convert -i in.data --force --to-json OUT"
	"list -o OUT sw"
)

# shellcheck disable=SC2086 # a command line in words
try() {
	perf ${1//OUT/$2}
}

# contents FOLDER: all that can be lost in it
contents() {
	(cd "$1" && find . -exec stat -c '%n %F %u %a %i' {} + | grep -v '^\. ' | sort && find . -type f -exec cksum {} + | sort)
}

need_events || finish
step "a recording to be read"
perf record -F 1000 -g -e cpu-clock -o in.data "$WORKLOADS/planted" 0.1
check [ $rc -eq 0 ]
check cp in.data kept.data

step "no command writes over its input, by whatever name"
ln in.data hard && ln -s in.data soft
for name in in.data ./in.data hard soft "$PWD/in.data"; do
	for command in "inject -b -i in.data -o OUT" "data convert -i in.data --force --to-json=OUT"; do
		try "$command" $name
		check [ $rc -eq 255 ]
		check grep -q "cannot write over '$name': it is the input, too" err
	done
done
perf record --threads -e cpu-clock -o folder.data true
cp -r folder.data folder.kept
for name in folder.data folder.data/data folder.data/data.0; do
	for command in "inject -b -i folder.data -o OUT" "data convert -i folder.data --force --to-json=OUT"; do
		try "$command" $name
		check [ $rc -eq 255 ]
	done
done
check diff -r folder.data folder.kept
"$PERF" inject -b -i in.data -o - > in.data.link 2> err # another file is none
check [ $? -eq 0 ]
"$PERF" inject -b -i in.data -o - 2> err 1<> in.data
check [ $? -eq 255 ]
"$PERF" inject -b -i - -o soft < in.data 2> err
check [ $? -eq 255 ]
ln -s in.data in.data.tar.bz2
perf archive in.data
check [ $rc -ne 0 ]
rm in.data.tar.bz2
check cmp in.data kept.data

step "what is not a recording is not replaced by one, and nothing is moved"
mkdir w
for command in "${recorders[@]}"; do
	for case in text magic data notes data-link part-folder old old-folder old-data old-part slash; do
		rm -rf w && mkdir w && name=out
		case $case in
		text) echo "the user's" > w/out ;;
		magic) echo "PERFILE is what I write about" > w/out ;;
		data) mkdir w/out && echo "the user's" > w/out/data ;;
		notes) mkdir w/out && cp in.data w/out/data && echo "the user's" > w/out/notes ;;
		data-link) mkdir w/out && cp in.data w/kept && ln -s ../kept w/out/data ;;
		part-folder) mkdir -p w/out/data.0 && cp in.data w/out/data && echo "the user's" > w/out/data.0/notes ;;
		old-part) cp in.data w/out && mkdir -p w/out.old/data.0 && cp in.data w/out.old/data &&
			cp in.data w/out.old/data.1 && echo "the user's" > w/out.old/data.0/notes ;;
		old) cp in.data w/out && echo "the user's" > w/out.old ;;
		old-folder) cp in.data w/out && mkdir w/out.old && echo "the user's" > w/out.old/notes ;;
		old-data) cp in.data w/out && mkdir w/out.old && echo "the user's" > w/out.old/data && echo 77 > w/out.old/data.77 ;;
		slash) mkdir w/out && echo "the user's" > w/out/.old && name=out/ ;;
		esac
		contents w > before
		try "$command" w/$name
		check [ $rc -eq 255 ]
		check grep -q "'w/out" err
		contents w > after
		check diff before after
	done
done

step "recordings are: whole, killed, of a folder, of the other byte order, and empty files"
rm -rf w && mkdir w
for command in "${recorders[@]}"; do
	for case in whole cut folder swapped empty none; do
		rm -rf w && mkdir w
		case $case in
		whole) cp in.data w/out ;;
		cut) head -c 2000 in.data > w/out ;;
		folder) cp -r folder.data w/out ;;
		swapped) printf '2ELIFREP and more' > w/out ;;
		empty) : > w/out ;;
		esac
		try "$command" w/out
		check [ $rc -eq 0 ]
		case $case in
		whole | cut | folder | swapped) check [ -e w/out.old ] ;;
		none) check [ ! -e w/out.old ] ;;
		esac
		case $command in *switch*) ;; *) check [ -e w/out ] ;; esac
	done
done

step "links and pipes of other users: not followed, not waited for"
if need_root; then
	for command in "${recorders[@]}" "${texts[@]}"; do
		for case in link dangling pipe; do
			rm -rf w && mkdir w && mkdir w/etc && echo "root's" > w/victim
			case $case in
			link) ln -s victim w/out ;;
			dangling) ln -s etc/planted w/out ;;
			pipe) mkfifo -m 666 w/out ;;
			esac
			chown -h 65534 w/out
			contents w > before
			try "$command" w/out
			check [ $rc -eq 255 ]
			contents w > after
			check diff before after
		done
	done
fi

step "nor behind a link of one's own, or on the way where all may write"
if need_root; then
	for command in "${recorders[@]}" "${texts[@]}"; do
		for target in none empty data; do
			for case in chain folder; do
				rm -rf w && mkdir -p w/open w/etc && chmod 777 w/open && name=w/out
				case $target in
				empty) : > w/etc/file ;;
				data) cp in.data w/etc/file ;;
				esac
				case $case in
				chain) ln -s ../etc/file w/open/evil && ln -s open/evil w/out ;;
				folder) ln -s ../etc w/open/evil && name=w/open/evil/file ;;
				esac
				chown -h 65534 w/open/evil
				contents w > before
				try "$command" $name
				check [ $rc -eq 255 ]
				check grep -q 'a symbolic link made by another user' err
				contents w > after
				check diff before after
			done
		done
	done
	rm -rf w && mkdir w && ln -s ../etc w/evil && chown -h 65534 w/evil && mkdir etc
	try "${texts[0]}" w/evil/file # w is ours alone: who else has put it there?
	check [ $rc -eq 0 ]
fi

# Beside it lies a folder of nobody's, in which all may write; the names change places all the time.
# What is written must land in the folder, or nowhere: in the link's target nothing changes.
step "a folder on the way that becomes a link, and back, between look and deed"
if need_root; then
	rm -rf w && mkdir -p w/open/way w/etc && ln -s ../etc w/open/link
	cp in.data w/etc/recording && echo "root's" > w/etc/text && : > w/etc/empty
	cp in.data w/open/way/recording && : > w/open/way/empty && : > w/open/way/text
	chown -hR 65534 w/open && chmod 777 w/open w/open/way && chown 0 w/open/way/*
	contents w/etc > before
	"$WORKLOADS/flips" 65534 w/open way link > flips & # not of the recordings, ended below
	racer=$! CHILDREN="$CHILDREN $!"
	written=0 refused=0
	for try in $(seq 25); do
		for command in "${recorders[@]}" "record -e cpu-clock -o OUT ./nosuch" "${texts[@]}"; do
			case $((try % 4)),$command in
			0,*) name=new.$try ;;
			1,*) name=recording ;;
			2,*) name=empty ;;
			3,*) name=text ;;
			esac
			# shellcheck disable=SC2086 # words
			"$PERF" ${command//OUT/w\/open\/way\/$name} > out 2> err && written=$((written + 1))
			! grep -q 'a symbolic link made by another user' err || refused=$((refused + 1))
		done
	done
	kill $racer && wait $racer
	check [ "$(cat flips)" -gt 1000 ]
	check [ $written -gt 20 ]
	check [ $refused -gt 20 ]
	contents w/etc > after
	check diff before after
fi

step "the functions of a dump whose folder has become another user's link"
if need_root; then
	rm -rf w && mkdir -p w/open/way w/etc && chmod 777 w/open
	perf record -k mono -e cpu-clock:u -o jit.data "$WORKLOADS/jitdump" 0.1 "$PWD/w/open/way"
	cp w/open/way/jit-*.dump w/etc
	perf inject -j -i jit.data -o jitted.data
	check [ $rc -eq 0 ]
	check ls w/open/way/jitted-*-1.so
	mv w/open/way w/open/was && ln -s ../etc w/open/way && chown -h 65534 w/open/way
	contents w/etc > before
	perf inject -j -i jit.data -o jitted.data
	check grep -q 'a symbolic link made by another user' err
	contents w/etc > after
	check diff before after
fi

step "an empty file with another name besides is not written into"
for command in "${recorders[@]}"; do
	rm -rf w && mkdir w && : > w/lock && ln w/lock w/out
	try "$command" w/out
	check [ $rc -eq 0 ]
	check [ ! -s w/lock ]
	check [ w/out.old -ef w/lock ]
done

# A link as /dev/stdout is; perf as root could take away that of the system.
step "what leads to an open file is not renamed, removed or emptied"
for command in "${recorders[@]}" "record -e cpu-clock -o OUT ./nosuch" "${texts[@]}"; do
	for case in empty text data; do
		rm -rf w && mkdir w && ln -s /proc/self/fd/7 w/fd && : > before.out
		case $case in
		text) echo "the user's" > before.out ;;
		data) cp in.data before.out ;;
		esac
		cp before.out after.out
		# shellcheck disable=SC2086 # words
		"$PERF" ${command//OUT/w\/fd} 7>> after.out > out 2> err
		rc=$?
		check [ "$(readlink w/fd)" = /proc/self/fd/7 ]
		check [ "$(ls w)" = fd ]
		check cmp -n "$(stat -c %s before.out)" before.out after.out
		case $case,$command in
		empty,record\ -e\ cpu-clock\ -o*true | empty,inject* | *,stat\ -e* | *,data* | *,list*)
			check [ $rc -eq 0 ]
			[ $rc -ne 0 ] || check [ "$(stat -c %s after.out)" -gt "$(stat -c %s before.out)" ] ;;
		esac
		case $case,$command in *,record\ --threads* | *,record*--switch* | [td]*,record* | [td]*,inject*)
			check [ $rc -eq 255 ]
			check cmp before.out after.out ;;
		esac
	done
done

step "an empty file or folder of one's own is left as it was where nothing is recorded"
for command in "record -e cpu-clock -o OUT ./nosuch" "record -e cpu-clock --switch-output=10M -o OUT ./nosuch" \
	"record --threads -e cpu-clock -o OUT ./nosuch" "stat record -e task-clock -o OUT ./nosuch" \
	"record -e cpu-clock -p 99999999 -o OUT" "record -e nosuch -o OUT true" "inject -b -i nosuch -o OUT" \
	"inject -b -i /dev/null -o OUT" "stat -e task-clock -o OUT ./nosuch"; do
	for case in file folder link dangling; do
		rm -rf w && mkdir w
		case $case in
		file) : > w/out && chmod 640 w/out ;;
		folder) mkdir -m 750 w/out ;;
		link) : > w/target && chmod 640 w/target && ln -s target w/out ;;
		dangling) ln -s target w/out ;;
		esac
		contents w > before
		try "$command" w/out
		check [ $rc -ne 0 ]
		check [ -s err ]
		contents w > after
		check diff before after
	done
done

step "a command that is not there, or cannot be run, costs no older result"
printf '#!/nonexistent/interpreter\n' > late # its file is there: only the exec tells
chmod 755 late
for command in "${recorders[@]}" "record -e cpu-clock --call-graph auto -o OUT true" \
	"record -e cpu-clock --call-graph dwarf --unwind-live -o OUT true" "record -e cpu-clock -a -z -o OUT true" \
	"record -e cpu-clock --timestamp-filename -D 10 -o OUT true" "${texts[@]}"; do
	case $command in *" true") command=${command% true} ;; *) continue ;; esac
	for older in 'in.data folder.data ./nosuch' 'folder.data in.data ./nosuch' 'in.data folder.data ./late' \
		'folder.data in.data ./late' 'in.data /nonexistent ./late'; do
		read -r out old program <<< "$older"
		case "$command $program" in
		*--append*late | *-I*late) continue ;; # readers watch these: they begin at once
		esac
		rm -rf w && mkdir w && cp -r "$out" w/out
		[ ! -e "$old" ] || cp -r "$old" w/out.old
		contents w > before
		try "$command $program" w/out
		check [ $rc -eq 255 ]
		contents w > after
		check diff before after
	done
done

step "of older results two are kept, and no others are left behind"
for command in "${recorders[@]}"; do
	rm -rf w && mkdir w && cp in.data w/out && cp -r folder.data w/out.old
	try "$command" w/out
	check [ $rc -eq 0 ]
	case $command in
	*switch-output*) check [ "$(find w -mindepth 1 -maxdepth 1 | wc -l)" = 2 ] ;; # out.2026...
	*) check [ "$(find w -mindepth 1 -maxdepth 1 | sort | tr '\n' ' ')" = 'w/out w/out.old ' ] ;;
	esac
	check cmp in.data w/out.old
done

step "links and pipes of one's own are"
for command in "${texts[@]}"; do
	rm -rf w && mkdir w && echo older > w/target && ln -s target w/out
	try "$command" w/out
	check [ $rc -eq 0 ]
	check [ -L w/out ]
	check [ "$(wc -c < w/target)" -gt 30 ]
	mkfifo w/pipe
	timeout 200 cat w/pipe > got &
	try "$command" w/pipe
	check [ $rc -eq 0 ]
	wait $!
	check [ "$(wc -c < got)" -gt 30 ]
	try "$command" /dev/null
	check [ $rc -eq 0 ]
	try "$command" /dev/stderr
	check [ $rc -eq 0 ]
	check [ "$(wc -c < err)" -gt 30 ]
	# shellcheck disable=SC2086 # words
	"$PERF" ${command//OUT/\/dev\/fd\/7} 7> got 2> err
	check [ "$(wc -c < got)" -gt 30 ]
	made=$(mktemp w/XXXXXX)
	try "$command" "$made"
	check [ "$(stat -c %a "$made")" = 600 ] # its mode stays
	check [ "$(wc -c < "$made")" -gt 30 ]
done

step "a file of another user: moved away where the folder is ours alone, else refused"
if need_root; then
	for command in "${recorders[@]}"; do
		for content in empty full; do
			for mode in 755 777; do
				rm -rf w && mkdir w
				cp in.data w/out
				[ $content = full ] || : > w/out
				chown 65534 w/out && chmod 666 w/out && chmod $mode w
				try "$command" w/out
				if [ $mode = 777 ]; then
					check [ $rc -eq 255 ]
					check [ "$(stat -c %u w/out)" = 65534 ]
				else
					check [ $rc -eq 0 ]
					check [ "$(stat -c %u w/out.old)" = 65534 ]
					for file in w/out*; do
						[ "$file" = w/out.old ] || check [ "$(stat -c %u "$file")" = 0 ]
					done
				fi
			done
		done
	done
	for command in "${texts[@]}"; do
		rm -rf w && mkdir -m 777 w && : > w/out && chown 65534 w/out && chmod 666 w/out
		contents w > before
		try "$command" w/out
		check [ $rc -eq 255 ]
		contents w > after
		check diff before after
		chmod 755 w # ours alone: root's own takes its place
		case $command in *append* | *-I*) continue ;; esac
		try "$command" w/out
		check [ $rc -eq 0 ]
		check [ "$(stat -c %u w/out)" = 0 ]
		check [ $((0$(stat -c %a w/out) & 022)) -eq 0 ]
	done
fi

step "on a full disk the older result stays"
if need_root; then
	mkdir -p disk
	for command in "inject -b -i in.data -o disk/out" "data convert -i in.data --force --to-json disk/out" \
		"stat -e task-clock -r 3 -o disk/out true"; do
		# shellcheck disable=SC2086 # words
		unshare -m bash -c 'mount -t tmpfs -o size=16k tmpfs disk || exit 77
			cp in.data whole && head -c 8192 whole > disk/out && cksum < disk/out > sum
			head -c 1M /dev/zero > disk/fill 2> /dev/null
			"$0" "$@" > out 2> err; status=$?
			cksum < disk/out | cmp -s - sum && [ "$(ls disk | wc -l)" = 2 ] || status=older-gone
			echo $status > status' "$PERF" $command
		check [ "$(cat status)" = 255 ]
		check grep -q 'No space left on device' err
	done
fi

step "inject with room for a part of the samples writes all or none"
if need_root && need_events; then
	perf record -N -e cpu-clock -F 200 --call-graph dwarf,1024 -o deep.data -- "$WORKLOADS/planted" 0.2
	walk deep.data
	samples=$(fact samples) all=0 none=0
	check [ "$samples" -gt 10 ]
	for room in $(seq 8 4 $(($(stat -c %s deep.data) / 1024 + 24))); do
		unshare -m bash -c 'mount -t tmpfs -o size=$1k tmpfs disk || exit 77
			"$0" inject -b -i deep.data -o disk/out > out 2> err; echo $? > status
			rm -f copy.data && { [ ! -e disk/out ] || cp disk/out copy.data; }' "$PERF" $room
		if [ "$(cat status)" = 0 ]; then
			walk copy.data
			check [ "$(fact samples)" -eq "$samples" ]
			all=$((all + 1))
		else
			check grep -q 'No space left on device' err
			check [ ! -e copy.data ]
			none=$((none + 1))
		fi
	done
	check [ $all -gt 0 ]
	check [ $none -gt 0 ]
fi

# The file beside is open: it has no name yet, but the number of its inode in /proc.
writes_beside() {
	local link
	for link in /proc/"$1"/fd/*; do
		case $(readlink "$link") in "$PWD/w/#"*) return 0 ;; esac
	done
	return 1
}

# end_amid SIGNAL COMMAND...: true when it came while the copy was being written.
end_amid() {
	local signal=$1 amid=1
	shift
	set -m # a background job would ignore SIGINT otherwise
	nice -n 10 "$PERF" "$@" > out 2> err < /dev/null &
	child=$! CHILDREN="$CHILDREN $!"
	set +m
	while [ -e /proc/$child/fd ]; do
		writes_beside $child && kill -STOP $child && amid=0 && break
	done 2> /dev/null
	kill -$signal $child 2> /dev/null
	kill -CONT $child 2> /dev/null
	wait $child 2> /dev/null
	[ $? -gt 128 ] && return $amid
}

step "a copy that is ended amid writing leaves the older result, and nothing else"
perf record --call-graph dwarf -F 3000 -e cpu-clock -o large.data "$WORKLOADS/planted" 1
# On one CPU with who looks, and nicer: so that the moment is not missed.
allowed=$(taskset -p $$ | sed 's/.*: //')
taskset -cp "$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/')" $$ > log
for signal in TERM INT HUP KILL; do
	for command in "inject -b -i large.data -o w/out" "data convert -i large.data --force --to-json w/out"; do
		amid=no
		for _ in $(seq 20); do
			rm -rf w && mkdir w && cp in.data w/out && contents w > before
			# shellcheck disable=SC2086 # words
			end_amid $signal $command && amid=yes && break
		done
		check [ $amid = yes ]
		contents w > after
		check diff before after
	done
done
rm -f large.data
taskset -p "$allowed" $$ > log

step "stat: counts that nobody could be told are no success"
if [ -e /dev/full ]; then
	"$PERF" stat -e task-clock true 2> /dev/full
	check [ $? -eq 255 ]
	"$PERF" stat -e task-clock true 2> err
	check [ $? -eq 0 ]
else
	skip "there is no /dev/full"
fi

step "JSON and archives are no more open than what they were made of"
umask 022
chmod 600 in.data
perf data convert -i in.data --to-json a.json
check [ "$(stat -c %a a.json)" = 600 ]
chmod 640 in.data
perf data convert -i in.data --to-json b.json
check [ "$(stat -c %a b.json)" = 640 ]
chmod 644 a.json
chmod 600 in.data
perf data convert -i in.data --force --to-json a.json
check [ "$(stat -c %a a.json)" = 600 ]
"$PERF" inject -b -i in.data | "$PERF" data convert --to-json c.json 2> err
check [ "$(stat -c %a c.json)" = 600 ]
if command -v bzip2 > /dev/null; then
	perf archive in.data
	[ $rc -ne 0 ] || check [ "$(stat -c %a in.data.tar.bz2)" = 600 ]
fi
finish
