#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Configuration files: perf config, what commands take from them, and mistakes in them.
. "$(dirname "$0")/../lib.sh"
plan 10
unset PERF_CONFIG
export PERF_CONFIG_NOSYSTEM=1
mine=$HOME/.perfconfig

step "set, get and list"
perf config report.children=false call-graph.order=caller
check [ $rc -eq 0 -a ! -s out ]
perf config -l
check [ $rc -eq 0 ]
check [ "$(tr '\n' ' ' < out)" = 'report.children=false call-graph.order=caller ' ]
cp out listed
perf config
check cmp listed out
perf config call-graph.order report.nosuch report.children
check [ $rc -eq 0 ]
check [ "$(tr '\n' ' ' < out)" = 'call-graph.order=caller report.children=false ' ]
perf config report.children=true
perf config report.children
check grep -qx 'report.children=true' out
check [ "$(grep -c children "$mine")" -eq 1 ]
perf config 'a.Sub Section.x=  "1" # ;'
perf config 'a.Sub Section.x'
check grep -qxF 'a.Sub Section.x=  "1" # ;' out

step "what people wrote by hand stays"
printf '# my file\n[report]\n\tchildren = yes ; why\n\n[tui] report = off\n' > "$mine"
chmod 640 "$mine"
perf config report.sort_order=dso tui.top=on
check [ "$(cat "$mine")" = "$(printf '# my file\n[report]\n\tchildren = yes ; why\n\tsort_order = dso\n\n[tui] report = off\n\ttop = on')" ]
check [ "$(stat -c %a "$mine")" = 640 ]
mkdir dots && mv "$mine" dots/rc && ln -s "$PWD/dots/rc" "$mine"
perf config tui.top=off
check [ -L "$mine" ]
check grep -q 'top = off' dots/rc
rm -f "$mine"

step "words that are no variable: 255, nothing is written"
for word in foo .y=3 =3 x.y= x. x.=3 'x y.z=3' 'x.1=3' "x.y=$(printf '\001')"; do
	perf config "$word"
	check [ $rc -eq 255 ]
	check grep -qF "variable '${word%=*}" err
done
check [ ! -e "$mine" ]
perf config --user --system -l
check [ $rc -eq 129 ]
perf config -l a.b
check [ $rc -eq 129 ]

step "a mistake has its file, line and reason; what stands before it counts"
printf '[report]\nsort_order = dso\n[call-graph\n' > "$mine"
perf config -l
check [ $rc -eq 0 ]
check grep -qx 'report.sort_order=dso' out
check grep -qF "Warning: bad configuration '$mine:3': a ']' is missing" err
perf version
check [ ! -s err ]
perf config a.b=1
check [ $rc -eq 255 ]
check grep -qF "'$mine:3'" err
check grep -q '^\[call-graph$' "$mine"

step "PERF_CONFIG is the only file; PERF_CONFIG_NOGLOBAL leaves out the user's"
printf '[a]\nb = user\n' > "$mine"
printf '[a]\nb = other\n' > other
PERF_CONFIG=$PWD/other perf config a.b
check grep -qx a.b=other out
PERF_CONFIG=$PWD/other perf config a.c=1
check grep -q 'c = 1' other
PERF_CONFIG=$PWD/other perf config --user a.b
check grep -qx a.b=user out
PERF_CONFIG=/dev/null perf config -l
check [ $rc -eq 0 -a ! -s out -a ! -s err ]
PERF_CONFIG=/dev/null perf config a.b=1
check [ $rc -eq 255 ]
check grep -qF "cannot write the configuration '/dev/null'" err
PERF_CONFIG_NOGLOBAL=1 perf config -l
check [ ! -s out ]

step "no HOME: nothing is read, and nothing can be written"
home=$HOME
unset HOME
perf config -l
check [ $rc -eq 0 -a ! -s out -a ! -s err ]
perf config a.b=1
check [ $rc -eq 255 ]
check grep -qF 'HOME is not set' err
HOME=$home
export HOME

step "a file of another user, or for everybody, is not read"
chmod 666 "$mine"
perf config -l
check [ $rc -eq 0 -a ! -s out ]
check grep -qF "ignoring the configuration '$mine': everybody can write to it" err
perf config a.b=2
check [ $rc -eq 255 ]
chmod 644 "$mine"
if need_root; then
	chown 65534 "$mine"
	perf config -l
	check [ $rc -eq 0 -a ! -s out ]
	check grep -qF 'it belongs to user 65534, not to you or root' err
fi
rm -f "$mine"

# use "LINE..." ARGS...: a command with that configuration.
use() {
	printf '%b\n' "$1" > "$mine"
	shift
	perf "$@"
	rm -f "$mine"
}

step "report takes its defaults from it, options win"
if need_events; then
	"$PERF" record -g -e cpu-clock -F 5000 -o perf.data ls -R /usr/lib > log 2>&1
	perf report --stdio --no-children -s dso -g none
	cp out by-option
	use '[report]\nchildren = off\nsort-order = dso\n[call-graph]\nprint-type = none' report --stdio
	check cmp out by-option
	use '[report]\nchildren = on\nsort_order = comm' report --stdio --no-children -s dso -g none
	check cmp out by-option
	perf report --stdio -g fractal,3,5,callee,address --percent-limit 3
	cp out by-option
	use '[report]\npercent-limit = 3\n[call-graph]\nprint-type = fractal\nthreshold = 3\nprint-limit = 5\norder = callee\nsort-key = address' \
		report --stdio
	check cmp out by-option
	perf report --stdio --percentage relative -S malloc
	cp out by-option
	use '[hist]\npercentage = relative' report --stdio -S malloc
	check cmp out by-option
	use '[report]\nqueue-size = 1M' report --stdio
	check [ $rc -eq 255 ]
	check grep -qF "bad configuration '$mine:2': report.queue-size:" err
	for bad in 'report]\nchildren = perhaps' 'report]\nsort_order = nosuch' 'report]\npercent-limit = x' \
		'call-graph]\norder = fractal,caller' 'call-graph]\nthreshold = 101' 'hist]\npercentage = x'; do
		use "[$bad" report --stdio
		check [ $rc -eq 255 -o $rc -eq 129 ]
		check grep -qE "'$mine:2'|unknown sort key" err
	done
fi

step "record: what -g means, build-ids"
if need_events; then
	use '[call-graph]\nrecord-mode = dwarf\ndump-size = 4096' --debug perf-event-open record -g -e cpu-clock -o x.data true
	check [ $rc -eq 0 ]
	check grep -qE 'sample_stack_user +4096' err
	use '[call-graph]\nrecord-mode = dwarf' --debug perf-event-open record -e cpu-clock -o x.data true
	refute grep -q sample_stack_user err
	use '[record]\ncall-graph = fp\n[call-graph]\nrecord-mode = dwarf' --debug perf-event-open record -g -e cpu-clock -o x.data true
	refute grep -q sample_stack_user err
	use '[call-graph]\nrecord-mode = nosuch' record -g -e cpu-clock -o x.data true
	check [ $rc -eq 129 ]
	check grep -qF "unknown call-graph mode 'nosuch'" err
	use '[call-graph]\ndump-size = 8k' record -e cpu-clock -o x.data true
	check [ $rc -eq 255 ]
	check grep -qF "'$mine:2'" err
	use '[buildid]\ndir = ~/cache' record -e cpu-clock -o x.data ls
	check [ -d "$HOME/cache/.build-id" ]
	use '[record]\nbuild-id = no-cache\n[buildid]\ndir = ~/none' record -e cpu-clock -o x.data ls
	check [ ! -e "$HOME/none" ]
	use '[buildid]\ndir = /dev/null' record -e cpu-clock -o x.data ls
	check [ $rc -eq 0 ]
	use '[buildid]\ndir = ~/none' --buildid-dir "$PWD/other-cache" record -e cpu-clock -o x.data ls
	check [ -d other-cache/.build-id -a ! -e "$HOME/none" ]
	use '[record]\nbuild-id = nosuch' record -e cpu-clock -o x.data ls
	check [ $rc -eq 255 ]
	check grep -qF 'no-cache, skip' err
fi

step "stat: big-num"
if need_events; then
	use '[stat]\nbig-num = 1,5' stat true
	check [ $rc -eq 255 ]
	check grep -qF 'not true or false' err
fi
finish
