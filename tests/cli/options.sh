#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How command lines are read: one table over the commands that are built. A row is
#
#	STATUS [THEIRS] | COMMAND LINE | REGEX of stderr, may be empty
#
# STATUS is ours. Where Linux's perf is installed it must end with the same one, or with THEIRS: a
# number for a difference that is listed in differences.md, `-` for what is not compared (it dies
# there, or it runs on).
. "$(dirname "$0")/../lib.sh"
plan 105
LINUX=$(type -P perf)
[ "${AGAIN:-}" != yes ] && [ -n "$LINUX" ] && "$LINUX" version 2> /dev/null | grep -q '^perf version 6\.1' || LINUX=''

line() {
	local status=$1 theirs=$2 args=$3 regex=$4 says
	step "perf $args"
	cp kept.data perf.data # rows before this one may have recorded
	eval "perf $args"
	case " $args" in *' -h'*) cat out >> err ;; esac # what was asked for is the output
	check [ $rc -eq "$status" ]
	[ -z "$regex" ] || check grep -qE -e "$regex" err
	[ "$rc" -ne 129 ] || check grep -q "Usage: perf ${args%% *}" err
	[ -n "$LINUX" ] && [ "$theirs" != - ] || return 0
	cp kept.data perf.data
	eval "PERF_PAGER=cat timeout 200 '$LINUX' $args" > their.out 2> their.err < /dev/null
	says=$?
	check [ "$says" -eq "${theirs:-$status}" ]
	cp kept.data perf.data
}

table() {
	local numbers args regex status theirs
	while IFS='|' read -r numbers args regex; do
		case $numbers in '#'* | '') continue ;; esac
		read -r status theirs <<< "$numbers"
		args=${args# } && args=${args% }
		line "$status" "$theirs" "$args" "${regex# }"
	done
}

need_events || finish
step "a recording to try options on"
perf record -g -e cpu-clock -F 5000 -o kept.data ls -R /usr/lib
check [ $rc -eq 0 ]
check cp kept.data perf.data

table << 'END'
# ---- forms ----
0 | record -e cpu-clock -ag -F99 -C0 -o x.data true | Captured and wrote .* x.data
0 | record -ecpu-clock -agF99 -ox.data true | x.data
0 | record --event=cpu-clock --freq 99 --output x.data -- true | x.data
0 | record --eve cpu-clock --ou=x.data true | x.data
0 | record -e cpu-clock true -a -Q --frobnicate -h |
0 | record -e cpu-clock -- true --frobnicate |
0 | record -e cpu-clock -g true |
0 | record -e cpu-clock -F 10 -F 99 -o y.data -o x.data true | wrote .* x.data
0 | record -e cpu-clock --quiet --no-quiet true | Captured
0 | record -e cpu-clock --inherit --no-inherit --inh --no-inh true |
0 | record -e cpu-clock --no-no-inherit true |
0 | record -e cpu-clock --buildid-cache --no-buildid true |
0 | record -e cpu-clock -g --no-call-graph --no-cpu --no-pid --no-tid --no-uid true |
0 - | record -e cpu-clock --no-output true | wrote .* perf.data
0 | record -e cpu-clock -m 64K true |
0 | record -e cpu-clock -m 1M true |
0 | record -e cpu-clock -D -1 true |
0 | record -e cpu-clock -dPTR true |
0 129 | record -e cpu-clock -c 0x100000 true |
0 | record -e cpu-clock -kmono true |
0 | report --stdio -ns dso |
0 | report --stdio -nsdso |
0 | report --stdio -s dso -s comm |
0 | report --stdio --sor=dso |
0 | report --stdio -t, -g none |
0 | report --stdio -gcaller |
0 | report --stdio -g caller |
0 | report --stdio -G --no-inverted |
0 | report --no-stdio --stdio --no-children |
0 | report --stdio --no-comms --no-dsos --no-symbols --no-cpu --no-call-graph |
0 | report --stdio -iperf.data --no-field-separator --no-max-stack |
0 | report --stdio --no-input |
0 - | report --stdio --no-sort |
0 | report --stdio malloc |
0 | report --stdio -- malloc |
0 - | report --stdio kept.data |
0 234 | report --stdio -k nosuch --kallsyms nosuch | nosuch
129 | report --stdio malloc free | too many arguments 'free'
0 | script -Fcomm,pid |
0 | script --fields=comm --ns |
0 | script --no-input --no-time --no-pid |
234 | stat --timeout 9 true | timeout must be >= 10ms
0 | stat --timeout 10 true | seconds time elapsed
0 | stat -e cpu-clock -x: true | cpu-clock:
0 | stat -e cpu-clock -x, -x : true | cpu-clock:
0 | stat -e cpu-clock -x '' true | mseccpu-clock
0 | stat -e cpu-clock -ag -r2 true |
0 | stat -ne cpu-clock true |
0 | stat -e cpu-clock --no-big-num --no-scale --no-cpu --no-output true |
0 | stat -vvv -e cpu-clock -- true -x |
# ---- help ----
129 | record -h | --event
129 | record -e cpu-clock -h | --mmap-pages
129 | record -h -e true | --event <event>
129 | record -h --event |
129 | record -h --ev | --event
129 | record -h CPUs | --all-cpus
129 | report foo -h | --sort
129 | stat -h -x | --field-separator
# ---- mistakes ----
129 | record --frek true | unknown option '--frek'
129 | record -Q true | unknown option '-Q'
129 | record -aQ true | unknown option '-Q'
129 | record -gdwarf true | unknown option '-w'
129 | record --all true | could be --all-[a-z]+ or --all-
129 | record --no-build true | ambiguous option '--no-build': could be --no-buildid
129 | record --no true | ambiguous
129 | report --show | could be --show-[a-z-]+ or --show-
129 | report --s | ambiguous option '--s'
129 | stat --per true | ambiguous option '--per': could be --per
129 | record -F | '-F': it needs a value
129 | record --freq | '--freq': it needs a value
129 | report -ns | '-s': it needs a value
129 | script -F | '-F': it needs a value
129 | stat -x | '-x': it needs a value
129 | record --all-cpus=3 true | '--all-cpus': it takes no value
129 | record --no-all-cpus=3 true | '--no-all-cpus': it takes no value
129 | record -c abc true | a number is needed, not 'abc'
129 | record -c -5 true | a number is needed, not '-5'
129 | record -c 1M true | a number is needed, not '1M'
129 0 | record -e cpu-clock -c 99999999999999999999999 true | too large, the limit is 18446744073709551615
129 | report --max-stack abc | a number is needed, not 'abc'
129 0 | report --stdio --max-stack -1 | a number is needed, not '-1'
129 0 | report --stdio --max-stack 99999999999 | too large, the limit is 4294967295
129 | stat -r abc true | a number is needed
129 234 | stat -r -5 true | a number is needed
129 | record -e cpu-clock -m 1X true | ring size '1X'
129 0 | record -e cpu-clock -m 0 true | ring size '0'
129 | record -e cpu-clock -C 1-0 true | CPU list '1-0'
129 | record --call-graph dwarf,8k true | stack size '8k'
129 | record -k nosuch true | unknown clock 'nosuch'
129 0 | report --stdio --percent-limit abc | not a percentage 'abc'
129 0 | report --stdio --pid abc | 'abc'
129 0 | report --stdio -s nosuch | unknown sort key 'nosuch'
129 | record --all-user --all-kernel true | '--all-kernel': it excludes --all-user
129 | stat --all-kernel --all-user true | '--all-user': it excludes --all-kernel
234 | record -F 99 -c 1000 -e cpu-clock true | cannot set frequency and period at the same time
234 | record -F 0 -e cpu-clock true | frequency and count are zero
255 | script --reltime --deltatime | --reltime and --deltatime
255 | record -e cpu-clock -g fp true | -g takes no argument
END

step "what -h is asked about is all it shows"
perf record -h -ag
check [ "$(grep -cE '^    +-' out)" -eq 2 ]
check grep -q -- '-a, --all-cpus' out
check grep -qE -- '^    -g ' out
perf stat -h --timeout
check [ "$(grep -cE '^    +-' out)" -eq 1 ]
perf stat -h 'no such words'
check grep -q -- '--event' out
check grep -q -- '--timeout' out

step "a mistake shows the candidates and no others"
perf report --show
for option in --show-nr-samples --show-info --show-total-period; do
	check grep -q -e "$option" err
done
refute grep -q -e --sort err

step "--list-opts and --list-cmds: one line on stdout, status 130 as Linux's"
for command in record report script stat version help; do
	perf $command --list-opts
	check [ $rc -eq 130 ]
	check [ "$(wc -l < out)" -eq 1 ]
	check [ ! -s err ]
	tr ' ' '\n' < out | grep . | sort > ours.list
	"$PERF" $command -h 2>&1 | sed -nE 's/^    +(-., )?(--[A-Za-z0-9-]+).*/\2/p' | sort > help.list
	check cmp ours.list help.list
	perf $command --list-cmds
	check [ $rc -eq 130 ]
	check [ -z "$(tr -d '\n' < out)" ]
done
perf record true --list-opts
check [ $rc -ne 130 ]

step "an argument of 10 kB is a mistake like others"
long=$(printf 'z%.0s' {1..10000})
for option in "--$long" "-$long" "-e $long" "--event=$long" "-F $long" "-C $long" "-p $long" "-o $long"; do
	perf record $option true
	check [ $rc -eq 129 -o $rc -eq 255 -o $rc -eq 244 ]
	check [ -s err ]
done
perf report --stdio -s "$long"
check [ $rc -eq 129 ]
perf stat -x "$long" -e cpu-clock true
check [ $rc -eq 0 ]
perf "$long"
check [ $rc -eq 1 ]
check [ "$(wc -c < err)" -lt 1000 ]
step "options that change nothing on ordinary files are accepted there, and the output is the same"
if need_events; then
	"$PERF" record -q -e cpu-clock -c 100000 -o plain.data true
	"$PERF" record -q -g -e cpu-clock -o chains.data true
	for command in 'report --stdio' script; do
		perf $command -i plain.data
		mv out "plain-${command%% *}"
	done
	for option in '--pretty raw' --raw-trace '--objdump x' '--prefix x --prefix-strip 1' '-M intel' --asm-raw \
		--source '--samples 3' --ns '--percent-type local-hits' --total-cycles --disable-order --stitch-lbr \
		--itrace=i100us --show-ref-call-graph --addr2line=/nonexistent --addr2line-style=llvm; do
		perf report --stdio -i plain.data $option
		check [ $rc -eq 0 ]
		check cmp out plain-report
		check [ ! -s err ]
	done
	for option in -a --show-text-poke-events --show-kernel-path '--max-blocks 3' --guest-code --itrace=i100us \
		--stitch-lbr --addr2line=/nonexistent --addr2line-style=llvm; do
		perf script -i plain.data $option
		check [ $rc -eq 0 ]
		check cmp out plain-script
	done
	perf annotate --stdio -i plain.data
	mv out plain-annotate
	status=$rc
	perf annotate --stdio -i plain.data --addr2line=/nonexistent
	check [ $rc -eq $status ]
	check cmp out plain-annotate
	perf inject --itrace=i100us -i plain.data -o injected.data
	check [ $rc -eq 0 ]
	# Where they would change something they are refused, with what the file has.
	perf record -e cpu-clock/call-graph=fp/,page-faults -o mixed.data true
	perf report --stdio -i mixed.data --show-ref-call-graph
	check [ $rc -eq 255 ]
	check grep -q "events with and without call chains" err
fi
step "the nearest name of --no-X is one with no-"
perf report --no-childern
check [ $rc -eq 129 ]
check grep -q "did you mean '--no-children'?" err
perf report --childern
check grep -q "did you mean '--children'?" err
perf record --no-bufering true # which is a name of its own
check grep -q "did you mean '--no-buffering'?" err
finish
