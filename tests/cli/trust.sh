#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Files that somebody else may have put there: recordings and the maps of JIT compilers. What is
# not used is named, with the reason, in one line.
. "$(dirname "$0")/../lib.sh"
plan 9

need_events || finish
step "a recording, and the map of its JIT code"
perf record -F 2000 -e cpu-clock:u -o mine.data "$WORKLOADS/jit" 0.2
check [ $rc -eq 0 ]
map=$(grep -m1 '^/tmp/perf-[0-9]*\.map$' out)
mkdir -p root/tmp
check mv "$map" good.map
at=root$map

# theirs FILE: is nobody's from now on
theirs() {
	chown -h 65534 "$1"
}

step "root: a recording of another user is refused, unless -f says that it may be read"
if need_root; then
	cp mine.data theirs.data && theirs theirs.data
	for command in 'report --stdio' 'report --header-only' script; do
		perf $command -i theirs.data
		check [ $rc -eq 255 ]
		check grep -q "'theirs.data'.* not owned by current user or root (use -f to override)" err
		check [ "$(wc -l < err)" -eq 1 ]
		check [ ! -s out ]
		for force in -f --force; do
			perf $command $force -i theirs.data
			check [ $rc -eq 0 ]
			check [ -s out ]
		done
	done
fi

step "an ordinary user: root's recording is read, a third user's is not"
if need_root; then
	if ! command -v setpriv > /dev/null; then
		skip "setpriv is not installed"
	else
		chmod 755 "$SCRATCH"
		mkdir -m 755 "$SCRATCH/nobody"
		cp "$PERF" mine.data "$SCRATCH/nobody"
		cp mine.data "$SCRATCH/nobody/third.data"
		cp mine.data "$SCRATCH/nobody/own.data"
		chmod 644 "$SCRATCH"/nobody/*.data
		chown 65533 "$SCRATCH/nobody/third.data"
		theirs "$SCRATCH/nobody/own.data"
		for command in 'report --stdio' script; do
			for file in mine own third; do
				(cd "$SCRATCH/nobody" && setpriv --reuid=65534 --regid=65534 --clear-groups \
					env HOME=/nonexistent ./perf $command -i $file.data) > out 2> err
				rc=$?
				if [ $file = third ]; then
					check [ $rc -eq 255 ]
					check grep -q "'third.data'.* not owned by current user or root" err
				else
					check [ $rc -eq 0 ]
					check grep -q jit out
				fi
			done
		done
	fi
fi

# shown: the report with this map in place
shown() {
	perf report --stdio --no-children -g none --sort sym --symfs "$PWD/root" -i mine.data
	check [ $rc -eq 0 ]
}

# refused REASON: no name comes from the map, and one line says why
refused() {
	shown
	refute grep -q jitted_function out
	check grep -qE "'$PWD/$at': $1" err
	check [ "$(grep -c "$at" err)" -eq 1 ]
	rm -rf -- "${at:?}"
}

step "the map of a JIT compiler names its code, through a link of our own, too"
cp good.map "$at"
shown
check grep -q jitted_function out
check [ "$(grep -c "$at" err)" -eq 0 ]
ln -sf "$PWD/good.map" "$at"
shown
check grep -q jitted_function out
rm "$at"

step "a map that is no file, or not there"
mkfifo "$at"
refused 'not a regular file'
mkdir "$at"
refused 'not a regular file'
ln -s /dev/zero "$at"
refused 'not a regular file'
ln -s "$PWD/$at" "$at"
refused 'Too many levels of symbolic links'
refused 'No such file or directory'

step "a map of another user, or behind another user's link"
if need_root; then
	cp good.map "$at" && theirs "$at"
	refused 'it belongs to user 65534, not to you'
	ln -s "$PWD/good.map" "$at" && theirs "$at"
	refused 'the link belongs to user 65534, not to you'
fi

step "a map that everybody may write"
cp good.map "$at" && chmod 666 "$at"
refused 'everybody may write it .mode 0666.'
cp good.map "$at" && chmod 664 "$at"
shown
check grep -q jitted_function out
rm "$at"

step "a map of 1 GB of nothing is read in little memory"
if truncate -s 1G "$at" 2> /dev/null; then
	(ulimit -v 400000 && "$PERF" report --stdio --no-children -g none --sort sym \
		--symfs "$PWD/root" -i mine.data) > out 2> err
	rc=$?
	case $(nm -D "$PERF" 2> /dev/null) in
	*__asan* | *__tsan*) ;; # they need more
	*) check [ $rc -eq 0 ] ;;
	esac
	refused "none of its lines is 'START SIZE NAME'"
else
	skip "there is no room for a file with a hole of 1 GB"
fi
step "control characters in names that a command line gave do not reach the terminal"
need_events && {
	odd=$'x\033[2Jy\rz'
	cp "$WORKLOADS/planted" "$odd" && mkdir "d$odd"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nkill -HUP $$\n' > "dies$odd" && chmod +x "dies$odd"
	while read -r options; do
		eval "perf $options"
		check grep -q 'x?\[2Jy?z' err # it was shown, and so
		refute grep -q '[^[:print:][:blank:]]' err
	done << 'END'
record -e cpu-clock "./none$odd"
record -e cpu-clock -o "d$odd/a" -- "./$odd" 0.1
record -e cpu-clock -o "d$odd/b" --timestamp-filename true
record -v -e cpu-clock -o "d$odd/c" "./dies$odd"
stat -v -e "cpu-clock/name=$odd/" true
stat -e cpu-clock "./dies$odd"
report -v -i "none$odd"
data convert -i "d$odd/a" --to-json="j$odd"
buildid-cache -v -a "$odd"
buildid-cache -v -u "$odd"
buildid-cache -v -r "$odd"
buildid-cache -r "$odd"
buildid-cache -v -p "$odd"
archive "none$odd"
"$odd"
record --"$odd"
record -e "$odd"
list "$odd"
END
}
finish
