#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf itself: the table of commands, help, version, and what it says to mistakes.
. "$(dirname "$0")/../lib.sh"

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

step "help, --help and -h print the same and end with 0"
cp out table
for word in help --help -h; do
	perf $word
	check [ $rc -eq 0 ]
	check cmp out table
done

step "every command is known, explained by help and by --help without man pages"
for command in $commands; do
	perf help "$command"
	check [ $rc -eq 0 ]
	check grep -q "$command" out
	perf "$command" --help
	check [ $rc -eq 0 ]
	perf "$command" -h
	check [ $rc -eq 129 -o $rc -eq 1 ]
	check [ $rc -eq 129 -o "$(grep -c 'this command is not built yet' err)" -eq 1 ]
	refute grep -q 'is not a perf-command' err
done

step "the version in four spellings"
for word in --version -v version; do
	perf $word
	check [ $rc -eq 0 ]
	check grep -qxE 'perf version [0-9]+\.[0-9]+\.[0-9]+.*' out
done
perf version -h
check [ $rc -eq 129 ]
check grep -q 'Usage: perf version' err

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
report -F overhead,sym
report --fields=sym
report -T
report -D
report --stats
report --time 1,2
report --hierarchy
record -z true
record -z3 true
record --overwrite true
record -G x -a true
record --switch-output=1s true
script -D
END

step "a closed pipe is not a crash"
"$PERF" help | true
check [ "${PIPESTATUS[0]}" -eq 0 -o "${PIPESTATUS[0]}" -eq 141 ]

step "output to a full disk is an error"
if [ -w /dev/full ]; then
	"$PERF" help > /dev/full 2> err
	rc=$?
	check [ $rc -ne 0 ]
else
	skip "no /dev/full here"
fi
finish
