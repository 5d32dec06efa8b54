#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf itself: the table of commands, help, version, and what it says to mistakes.
. "$(dirname "$0")/../lib.sh"
plan 22

commands='annotate archive bench buildid-cache buildid-list c2c check config daemon data diff doctor
	evlist ftrace help inject iostat kallsyms kmem kvm kwork list lock mem probe record report sched
	script stat test timechart top trace version'

step "bare perf prints the table and ends with 1"
perf
check [ $rc -eq 1 ]
check grep -qxF ' usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]' out
check grep -qxF " See 'perf help COMMAND' for more information on a specific command." out
for command in $commands; do
	check grep -qE "^   $command {1,}[A-Z]" out
done
check [ "$(grep -cE '^   [a-z0-9-]{1,15} {1,}[A-Z]' out)" -eq "$(echo "$commands" | wc -w)" ]
check grep -qE '^   timechart .* \(not built yet\)$' out
refute grep -qE '^   (record|doctor) .*not built' out

step "help, --help and -h print the same and end with 0"
cp out table
for word in help --help -h; do
	perf $word
	check [ $rc -eq 0 ]
	check cmp out table
done

step "every command is known, explained by help and by --help without man pages"
for command in $commands; do
	missing=1
	! built "$command" || missing=0
	perf help "$command"
	check [ $rc -eq $missing ]
	check grep -q "$command" out
	[ $missing -eq 0 ] || check grep -q 'not built yet; use meanwhile:$' out
	perf "$command" --help
	check [ $rc -eq $missing ]
	perf "$command" -h
	[ $missing -eq 1 ] || check [ ! -s err ]
	check [ $rc -eq 129 -o $rc -eq 1 ]
	check [ $rc -eq 129 -o "$(grep -c 'this command is not built yet; use meanwhile: ..' err)" -eq 1 ]
	refute grep -q 'is not a perf-command' err
done
# With the names of the files that it would make, and events that there are.
perf kvm --host record -- true
check grep -q -- '-e cycles:HG -o perf.data.kvm (-e cycles:G -o perf.data.guest' err
for event in cpu-clock:HG cpu-clock:G; do
	perf record -q -e $event -o kvm.data true
	refute grep -q 'parse\|modifier' err
done

step "help shows the installed page, and its own text where man fails or is missing"
share=$("$PERF" --html-path)
share=${share%/doc/perf}
mkdir -p share/man/man1 bin
echo '.TH page' > share/man/man1/perf-record.1
chmod 644 share/man/man1/perf-record.1
cat > help_with << 'END'
mount --bind share "$1" || exit 77
shift
exec "$@"
END
if need_root; then
	unshare -m sh help_with "$share" true 2> /dev/null || skip "there can be no mount namespace, or no $share"
	for status in 0 1 16 127; do
		printf '#!/bin/sh\necho "man $*"\nexit %s\n' $status > bin/man && chmod 755 bin/man
		PATH=$PWD/bin:$PATH unshare -m sh help_with "$share" "$PERF" help record > out 2> err
		check [ $? -eq 0 ]
		check grep -qx "man $share/man/man1/perf-record.1" out
		[ $status -eq 0 ] || check grep -q 'Usage: perf record' out
		[ $status -ne 0 ] || refute grep -q 'Usage: perf record' out
	done
	unshare -m sh help_with "$share" env PATH="$PWD/share" "$PERF" record --help > out 2> err
	check [ $? -eq 0 ]
	check grep -q 'Usage: perf record' out
fi

step "the table ends with what is not built; README names what is"
perf help
check grep -q '^   trace .*(not built yet)$' out
check [ "$(sed -n '/not built yet/,$p' out | grep '^   ' | grep -vc 'not built yet')" -eq 0 ]
sed -n '/^Built: /,/not yet:/p' "$SRC/README" | sed 's/^Built: //; s/;.*//' | tr ' ' '\n' | sort > named
for command in $commands; do
	! built "$command" || echo "$command"
done | sort > built
check diff named built

step "help guide: the guide, from the sources too"
guide=''
if [ "$(dirname "$PERF")" -ef "$SRC/build" ]; then # beside what was built
	guide='help guide'
	perf help guide
	check [ $rc -eq 0 ]
	check cmp out "$SRC/Documentation/guide.txt"
else
	skip "this perf was not built in $SRC/build"
fi

step "-h: the most used first, what is without effect last, through a pager on a terminal"
perf stat -h
check [ "$(grep -nE '^Most used$' out | cut -d : -f 1)" -lt 6 ]
check grep -qE '^ +-e, --event' <(sed -n '/^Most used/,/^$/p' out)
check [ "$(grep -cE -- '--(affinity|smi-cost)' <(sed '1,/^Accepted without an effect/d' out))" -eq 2 ]
if command -v script > /dev/null; then
	for words in 'stat -h' 'help stat' 'stat --help' "$guide"; do
		[ -n "$words" ] || continue
		PERF_PAGER='sed s/^/paged:/' script -qec "$PERF $words" /dev/null > typed.log < /dev/null
		check grep -q '^paged:' typed.log
	done
fi

step "the version in four spellings"
for word in --version -v version; do
	perf $word
	check [ $rc -eq 0 ]
	check grep -qxE 'perf version 6\.1\.0 \(own [0-9]+\.[0-9]+\.[0-9]+\)' out # the Linux it stands for, ours
done
perf version -h
check [ $rc -eq 129 ]
check grep -q 'Usage: perf version' out
perf version frobnicate
check [ $rc -eq 129 ]
check grep -qF "unexpected word 'frobnicate'" err

step "an unknown command ends with 1 and is corrected"
perf recrod
check [ $rc -eq 1 ]
check grep -qxF "perf: 'recrod' is not a perf-command. See 'perf --help'." err
check grep -qF "did you mean 'record'" err
perf "$(printf 'x\033[31m')"
check [ $rc -eq 1 ]
check grep -qF 'x?[31m' err

step "an unknown option in front of the command ends with 129"
perf --frobnicate stat
check [ $rc -eq 129 ]
check grep -qxF 'Unknown option: --frobnicate' err
for option in --debug --buildid-dir --debugfs-dir; do
	perf $option
	check [ $rc -eq 129 ]
	check grep -qF "'$option': it needs a value" err
	check grep -qF ' Usage: perf [--version]' err
done

step "--debug: verbose counts as -v, perf-event-open shows the events, unknown keys are named"
perf --debug nosuch=1 version
check [ $rc -eq 129 ]
check grep -qF "unknown debug variable 'nosuch'" err
check grep -qF 'perf-event-open' err
perf --debug verbose=x version
check [ $rc -eq 129 ]
perf --debug verbose=2,stderr version
check [ $rc -eq 0 ]
if need_events; then
	perf stat -e cpu-clock -v true
	sed 's/[0-9][0-9.,]*/N/g; s/  *//g' err > by-option
	perf --debug verbose stat -e cpu-clock true
	sed 's/[0-9][0-9.,]*/N/g; s/  *//g' err > by-debug
	check [ "$(wc -l < by-debug)" -eq "$(wc -l < by-option)" ]
	perf --debug perf-event-open record -o x.data -e cpu-clock true
	check grep -q '^perf_event_attr:' err
fi

step "what is built in: version --build-options, -vv, check"
perf version --build-options
cp out by-option
check grep -qxE '                 dwarf: \[ (on |OFF) \]  # HAVE_DWARF_SUPPORT' out
check [ "$(grep -cE '^ *[a-z0-9_-]+: \[ (on |OFF) \]  # HAVE_[A-Z0-9_]+$' out)" -ge 10 ]
refute grep -qE 'libpfm4|libslang|aio' out # nothing here would use it
if "$PERF" record -q -e cpu-clock -o version.data true 2> /dev/null; then
	"$PERF" report -i version.data --header-only > header
	check grep -qxF "# perf version : $("$PERF" version | sed 's/^perf version //')" header
fi
perf -vv
check cmp by-option out
perf check feature glibc
check [ $rc -eq 0 ]
check grep -qxE ' +glibc: \[ on  \]  # HAVE_GLIBC_SUPPORT' out
check grep -qxFf out by-option
perf check feature glibc,libpfm4
check [ $rc -eq 1 ]
check [ "$(wc -l < out)" -eq 2 ]
perf check -q feature glibc
check [ $rc -eq 0 -a ! -s out ]
perf check feature -q libpfm4
check [ $rc -eq 1 -a ! -s out ]
perf check feature glibcc
check [ $rc -eq 1 ]
check grep -qF "unknown feature 'glibcc'" err
check grep -qF "did you mean 'glibc'" err
for words in '' feature 'feature glibc lzma' frobnicate; do
	perf check $words
	check [ $rc -eq 129 ]
done

step "--list-cmds and --list-opts: one line each, for completion"
perf --list-cmds
check [ $rc -eq 0 ]
check [ "$(wc -l < out)" -eq 1 ]
for command in record report script stat version help; do
	check grep -qw "$command" out
done
refute grep -qw timechart out
perf --list-opts
check [ $rc -eq 0 ]
for option in help version exec-path html-path paginate no-pager debugfs-dir buildid-dir list-cmds \
	list-opts debug; do
	check grep -qE -e "(^| )--$option " out
done

step "perf-CMD on the exec path is a command"
mkdir ext && chmod 755 ext .
printf '#!/bin/sh\necho "$# $1 $PERF_EXEC_PATH"; command -v perf-second; exit 7\n' > ext/perf-hello
cp ext/perf-hello ext/perf-second
chmod 755 ext/perf-*
perf --exec-path="$PWD/ext" hello 'a b'
check [ $rc -eq 7 ]
check grep -qx "1 a b $PWD/ext" out
check grep -qx "$PWD/ext/perf-second" out
PERF_EXEC_PATH=$PWD/ext perf hello
check [ $rc -eq 7 ]
PATH=$PWD/ext:$PATH perf hello
check [ $rc -eq 7 ]
perf hello
check [ $rc -eq 1 ]
check grep -q "'hello' is not a perf-command" err
perf --exec-path="$PWD/ext" --exec-path
check grep -qx "$PWD/ext" out
PERF_EXEC_PATH=$PWD/ext perf --exec-path
check grep -qx "$PWD/ext" out
cp ext/perf-hello ext/perf-archive # a name of perf's that is not built: the program does it
built archive || { perf --exec-path="$PWD/ext" archive && check [ $rc -eq 7 ]; }

step "a program that others can write to is not run"
chmod 777 ext/perf-hello
perf --exec-path="$PWD/ext" hello
check [ $rc -eq 255 ]
check grep -qF "will not run '$PWD/ext/perf-hello': others may write to it (mode 777)" err
check grep -qF 'chmod go-w' err
chmod 755 ext/perf-hello && chmod 777 ext
perf --exec-path="$PWD/ext" hello
check [ $rc -eq 255 ]
check grep -qF "of the folder '$PWD/ext'" err
chmod 755 ext
if need_root; then
	chown 65534 ext/perf-hello
	perf --exec-path="$PWD/ext" hello
	check [ $rc -eq 255 ]
	check grep -qF 'it belongs to user 65534' err
	chown 65534 ext && chown 0 ext/perf-hello
	perf --exec-path="$PWD/ext" hello
	check [ $rc -eq 255 ]
	check grep -qF "of the folder '$PWD/ext'" err
fi

step "called perf-version or trace: the name is the command"
for name in perf-version perf-nosuch trace; do
	ln -s "$PERF" $name
done
./perf-version > out 2>&1
check grep -q '^perf version' out
./perf-nosuch version > out 2> err # a copy of perf by another name is perf
check [ $? -eq 0 ]
check grep -q '^perf version' out
./trace -h > out 2>&1
check grep -q 'perf trace' out
PATH=$PWD:$PATH perf nosuch nosuch # is perf itself: it must not call itself for ever
check [ $rc -eq 1 ]

step "--buildid-dir and --debugfs-dir reach the commands"
if need_events; then
	perf --buildid-dir "$PWD/cache" record -o x.data -e cpu-clock true
	check [ -d cache/.build-id ]
fi
mkdir -p debugfs/tracing
perf --debugfs-dir "$PWD/debugfs" stat -e sched:sched_switch true
check [ $rc -eq 129 ]
check grep -qF "$PWD/debugfs/tracing" err
perf --html-path
check grep -q '/doc/' out

step "usage errors of a command: 129, the mistake, the option concerned"
for command in buildid-list evlist record report script stat; do
	built $command || continue
	perf $command --frobnicate
	check [ $rc -eq 129 ]
	check grep -qF "unknown option '--frobnicate'" err
	check grep -qF "Usage: perf $command" err
done

step "options of Linux's perf that are not built are refused by name, never called unknown"
while read -r command option; do
	built "$command" || continue
	perf $command $option
	check [ $rc -eq 255 ]
	check grep -qE "^Error: cannot do '--[a-z-]+': this perf does not have it yet" err
	refute grep -q 'Usage:' err
done << 'END'
inject --vm-time-correlation=x
END

step "a closed pipe is not a crash"
"$PERF" help | true
check [ "${PIPESTATUS[0]}" -eq 0 -o "${PIPESTATUS[0]}" -eq 141 ]

step "a closed descriptor 0, 1 or 2 is not the next file that perf opens"
need_events && {
	(exec "$PERF" record -q -e cpu-clock -o held.data -- sleep 3600 <&- >&- 2>&-) &
	child=$! CHILDREN="$CHILDREN $!"
	until_true waits "$child"
	for fd in 0 1 2; do
		check [ "$(readlink /proc/$child/fd/$fd)" = / ]
	done
	pid=$(cat /proc/$child/task/$child/children)
	sleeps() { [ "$(readlink "/proc/${pid% }/exe")" = "$(readlink -f "$(command -v sleep)")" ]; }
	until_true sleeps
	check [ -z "$(find "/proc/${pid% }/fd" -name '[012]')" ]
	kill "$child" && wait "$child"
	perf report -i held.data --stdio
	check [ $rc -eq 0 ]
}
"$PERF" version >&- 2> err
rc=$?
check [ $rc -eq 1 ]
"$PERF" stat -e task-clock true 2>&-
rc=$?
check [ $rc -eq 0 ]

step "output to a full disk is an error"
if [ -w /dev/full ]; then
	for words in help -h --help version --version 'version --build-options' --list-cmds --list-opts; do
		# shellcheck disable=SC2086
		"$PERF" $words > /dev/full 2> err
		rc=$?
		check [ $rc -eq 1 ]
		check grep -q '^Error: cannot write the output: No space left on device$' err
	done
else
	skip "no /dev/full here"
fi
finish
