#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What TAB offers: the answers of `perf --complete`, the function for bash, and both shells for
# real, on a terminal.
. "$(dirname "$0")/../lib.sh"
plan 17

# asked WORD...: the words offered, without what they mean
asked() {
	perf --complete "$@"
	check [ $rc -eq 0 ]
	check [ ! -s err ]
	cut -f 1 out > words
}

offers() { check grep -qxF -- "$1" words; }
offers_no() { refute grep -qxF -- "$1" words; }

step "commands: those that are built, each with its explanation"
asked ''
for command in $("$PERF" help | sed -nE 's/^   ([a-z0-9-]+) .*/\1/p'); do
	if built "$command"; then offers "$command"; else offers_no "$command"; fi
done
refute grep -vP '^[a-z0-9-]+\t[A-Z].{10}' out
asked re
check [ "$(sort words | tr '\n' ' ')" = "record report " ]
asked --no-pager re
check [ "$(sort words | tr '\n' ' ')" = "record report " ]
asked help rec
check [ "$(cat words)" = record ]

step "options: all of them, with the text of -h; letters, whole words, abbreviations, --no-"
asked record -
offers -a
offers --all-cpus
check grep -qP -- '--all-cpus\tsample the whole system' out
asked record --call
check [ "$(cat words)" = --call-graph ]
asked record -ag
offers -ag
asked report --no-chil
check [ "$(cat words)" = --no-children ]
asked record --no-inh
check [ "$(cat words)" = --no-inherit ]
asked record -e cycles -F 99 --freq
offers --freq
asked report x --so
offers --sort
asked record ls --so
check grep -qx ':command 2' out

step "options that are refused are not offered"
asked report --itr
offers_no --itrace
asked report --hier
offers --hierarchy

step "values: behind a blank, '=', glued, abbreviated"
for words in '--sort comm,srcf' '-s comm,srcf'; do
	# shellcheck disable=SC2086
	asked report $words
	check [ "$(cat words)" = comm,srcfile ]
done
asked report --sort=comm,srcf
check [ "$(cat words)" = --sort=comm,srcfile ]
asked report --sort ''
sort words > keys
perf report -s help
sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' out | sort > helped
check diff keys helped
while read -r key; do
	check grep -qE "^	.*\b$key\b" "$TESTS/../Documentation/perf-report.txt"
done < keys
check [ "$(wc -l < keys)" -ge 8 ]
asked report -scomm,srcf
check [ "$(cat words)" = -scomm,srcfile ]
asked record --call-g dw
check [ "$(cat words)" = dwarf ]
asked report --call-graph=fla
check [ "$(cat words)" = --call-graph=flat ]
asked report -Gg caller,fun
check [ "$(cat words)" = caller,function ]
asked report --percentage ''
check [ "$(cat words | tr '\n' ' ')" = "relative absolute " ]
asked record -k mono
offers monotonic_raw
offers mono
asked script -F +per
check [ "$(cat words)" = +period ]
asked script -F trace:comm,ti
offers trace:comm,tid
offers trace:comm,time
asked script -F tra
offers trace:
offers trace
asked test -w thl
check [ "$(cat words)" = thloop ]
asked test li
check [ "$(cat words)" = list ]
asked record -u root
check grep -qP '^root\t' out
asked record -p "$$,"
check grep -qP "^$$,1\t." out
for words in 'record -o' 'record -ao' 'report -i' 'report --input' 'report --symf'; do
	# shellcheck disable=SC2086
	asked $words ''
	check grep -qxE ':(files|dirs) ' out
done
asked report --input=per
check grep -qxF ':files --input=' out
asked report -ixx
check grep -qxF ':files -i' out

# A value that nothing is known about must be on this list, else its name says what to offer.
step "each option with a value offers some, or they are free"
free='n|n\[,n...\]|ms|percent|frames|separator|text|filter|list|tid list|cpu|cpu\[,cpu...\]|tid|tid\[,tid...\]|pages|opts|urls|number|size\[BKMG\]|signal or size\[BKMG\] or time\[smhd\]|fd:CTL\[,ACK\] or fifo:CTL\[,ACK\]'
free="$free|bytes|probe|lines|filter|comm\[,comm...\]|dso\[,dso...\]|symbol\[,symbol...\]|start,stop|width\[,width...\]|command|name|tests|id path\[,id path...\]|regex"
for command in $("$PERF" --complete '' | cut -f 1); do
	"$PERF" "$command" -h 2>&1 | grep -oE -- '--[a-z-]+(\[=| )<.*>' | while read -r option; do
		name=$(echo "$option" | sed -E 's/^[^<]*<(.*)>$/\1/')
		option=${option%%[ \[]*}
		[ -z "$("$PERF" --complete "$command" "$option=")" ] || continue
		echo "$name" | grep -qxE "$free" || echo "$command $option <$name>"
	done
done > unknown
cat unknown
check [ ! -s unknown ]

step "events: built-in names, caches, lists, groups, sources of sysfs"
asked record -e cycles,inst
check [ "$(cat words)" = cycles,instructions ]
asked stat -e '{cycles,LLC-load-'
check [ "$(cat words)" = '{cycles,LLC-load-misses' ]
asked stat -ecpu-cl
check [ "$(cat words)" = -ecpu-clock ]
asked stat -e ''
for source in /sys/bus/event_source/devices/*; do
	offers "$(basename "$source")/"
done
if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	asked stat -e msr/ts
	check [ "$(cat words)" = msr/tsc/ ]
	asked stat -e msr/ev
	offers msr/event=
fi

step "events and metrics of tables; lists from their first word to their last"
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x86 ;; esac
mkdir -p tables/common tables/$arch/mine
printf 'Family-model,Version,Filename,EventType\nGenuineIntel-6-55-[0-4],v1,mine,core\n' > tables/$arch/mapfile.csv
cat > tables/$arch/mine/pipe.json << 'END'
[
  { "EventName": "QQ.LAST", "EventCode": "0xC0", "BriefDescription": "of the end" },
  { "EventName": "QQ.FIRST", "EventCode": "0xC1" },
  { "EventName": "QQ.MIDDLE", "EventCode": "0xC2" },
  { "MetricName": "qq_z", "MetricExpr": "1", "MetricGroup": "QQ_B" },
  { "MetricName": "qq_a", "MetricExpr": "1", "MetricGroup": "QQ_A", "BriefDescription": "of the beginning" }
]
END
# listed TEXT WORD...: the words offered are those of the text, whatever their order
listed() {
	local text=$1
	shift
	asked "$@"
	check [ "$(sed 's/^--.*=//' words | sort | tr '\n' ' ')" = "$(echo "$text" | tr -s ' ' '\n' | sort | tr '\n' ' ')" ]
}
export PERF_EVENT_TABLES=$PWD/tables PERF_CPUID=GenuineIntel-6-55-4
listed "QQ.FIRST QQ.LAST QQ.MIDDLE" stat -e QQ
check grep -qx $'QQ.LAST\tof the end' out
listed "qq_a qq_z" stat -M qq
check grep -qx $'qq_a\tof the beginning' out
listed "QQ_A QQ_B" stat -M QQ
unset PERF_EVENT_TABLES PERF_CPUID
listed "$(ls /sys/bus/event_source/devices)" list --unit ""
listed "$("$PERF" record --user-regs=? true 2>&1 | sed 's/^available registers: //')" record --user-regs=
perf script -h
types=$(tr '\n' ' ' < out | sed 's/.* types \([^;]*\);.*/\1/; s/,//g')
fields=$(tr '\n' ' ' < out | sed 's/.* types [^;]*; fields \([a-z_, -]*\)  .*/\1/; s/,//g')
for type in $types; do fields="$fields $type:"; done
listed "$fields breakpoint:" script -F ''

step "events: tracepoints, systems first; tracefs is not mounted for it"
mkdir -p events/sched/sched_switch events/sched/sched_swap_numa events/irq/irq_handler_entry
for event in events/*/*; do echo 7 > "$event/id"; done
export PERF_TRACEFS_DIR=$PWD
asked record -e ''
offers sched:
offers irq:
offers_no sched:sched_switch
asked record -e sched:sched_sw
check [ "$(sort words | tr '\n' ' ')" = "sched:sched_swap_numa sched:sched_switch " ]
asked record -e nosuch:
check [ ! -s words ]
cat > unmounted << 'END'
while at=$(awk '$3 == "tracefs" { print $2; exit }' /proc/self/mounts) && [ -n "$at" ]; do
	umount "$at" || exit 77
done
"$@" && ! grep ' tracefs ' /proc/self/mounts >&2
END
if unshare -m sh unmounted true 2> /dev/null; then # others mount it and unmount it as they like
	check env -u PERF_TRACEFS_DIR unshare -m sh unmounted "$PERF" --complete record -e sched:
fi

step "classes and events behind list"
asked list s
offers sw
offers sched:
asked list hw cpu-cl
check [ "$(cat words)" = cpu-clock ]
unset PERF_TRACEFS_DIR

step "events: probes are offered as soon as they are there, and no more when they are gone"
if need_uprobe_events && need_built probe; then
	own_probes
	for options in 'record -e' 'stat -e' list; do
		# shellcheck disable=SC2086
		asked $options "$ME:"
		offers_no "$ME:fresh"
		perf probe -q -x "$WORKLOADS/planted" -a "$ME:fresh=main"
		check [ $rc -eq 0 ]
		# shellcheck disable=SC2086
		asked $options "$ME:"
		offers "$ME:fresh"
		perf probe -q -d "$ME:fresh"
	done
	perf record -o gone.data -e "$ME:fresh" true
	check [ $rc -ne 0 ]
	check grep -q "$ME:fresh" err
fi

step "a command line of its own behind record and stat"
asked record -a -- ls -l
check grep -qx ':command 2' out
asked stat ''
check grep -qx ':command 1' out
offers record
offers report
asked stat -e cs rec
check [ "$(tr '\n' ' ' < words)" = 'record :command 1 ' ]
asked stat sudo rec
check [ "$(cat words)" = ':command 2' ]
asked stat record re
check [ "$(cat words)" = ':command 1' ]

step "nonsense is answered with nothing, status 0"
for words in nosuch 'nosuch x' 'record --nosuch=x' 'record -Zx' 'report -' '--' '-x' 'help nosuch x' \
	'top x' 'record -e :' 'record -e /' 'record -e ////' 'stat -e sched:sched_switch/x'; do
	# shellcheck disable=SC2086
	asked $words
done
perf --complete
check [ $rc -eq 0 ]
check [ ! -s out ]
asked record -e "$(printf '%10000s' '' | tr ' ' x):"
check [ ! -s words ]

# ---- bash ----

# tab WORD...: the words as bash hands them over, the last one unfinished: what it would put in
tab() {
	# shellcheck disable=SC2016
	bash --norc -c '. "$1" && shift && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		COMP_LINE=$LINE COMP_POINT=${#LINE}; _perf "$1"; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$SRC/scripts/completion/perf.bash" "$PERF" "$@" > words 2> err
	[ ! -s err ] || fail "bash complains: $(cat err)"
}

step "bash: commands, options, values"
export LINE="$PERF rec"
tab rec
check [ "$(cat words)" = record ]
LINE="$PERF record --call-g"
tab record --call-g
check [ "$(cat words)" = --call-graph ]
LINE="$PERF record  -e cycles,inst"
tab record -e cycles,inst
check [ "$(cat words)" = cycles,instructions ]

step "bash: ':' and '=' are words of their own; only what is behind them is put in"
export PERF_TRACEFS_DIR=$PWD
LINE="$PERF record -e sched:sched_swi"
tab record -e sched : sched_swi
check [ "$(cat words)" = sched_switch ]
LINE="$PERF record -e irq:"
tab record -e irq :
check [ "$(cat words)" = irq_handler_entry ]
LINE="$PERF record -e 'sched:sched_swi"
tab record -e "'sched:sched_swi"
check [ "$(cat words)" = sched:sched_switch ]
LINE="$PERF report --sort=srcf"
tab report --sort = srcf
check [ "$(cat words)" = srcfile ]
: > 'file one' && mkdir folder
LINE="$PERF report --input=fi"
tab report --input = 'fi'
check [ "$(cat words)" = 'file one' ]
LINE="$PERF report -ifi"
tab report -ifi
check [ "$(cat words)" = '-ifile one' ]
LINE="$PERF report --symfs fo"
tab report --symfs fo
check [ "$(cat words)" = folder ]
LINE="$PERF stat -e cs -- bas"
tab stat -e cs -- bas
check grep -qx bash words
LINE="$PERF stat -e sched:sched_switch bash fold"
tab stat -e sched : sched_switch bash fold
check [ "$(cat words)" = folder ]
LINE="$PERF stat rep"
tab stat rep
check grep -qx report words
LINE="$PERF stat ba"
tab stat ba
check grep -qx bash words
refute grep -qx report words
unset PERF_TRACEFS_DIR LINE

step "bash: a perf that does not know --complete gives nothing"
export LINE="/bin/false rec"
PERF=/bin/false tab rec
check [ -z "$(cat words)" ]
unset LINE

# ---- the shells themselves ----

cat > lines << 'END'
perf rec
perf record -e sched:sched_swi
perf stat -e cycles,instr
perf stat -e 'sched:sched_swi
perf stat -e '{cycles,instr
perf stat -e cycles:u,instr
perf stat repo
perf report --sort=comm,srcf
perf record --call
perf report --input=file
perf report -ifile
perf record -e irq:irq_handler_entry -o unique
perf record -a -- ./uniq
END
cat > wanted << 'END'
perf record
perf record -e sched:sched_switch
perf stat -e cycles,instructions
perf stat -e 'sched:sched_switch'
perf stat -e '{cycles,instructions'
perf stat -e cycles:u,instructions
perf stat report
perf report --sort=comm,srcfile
perf record --call-graph
perf report --input=file\ one
perf report -ifile\ one
perf record -e irq:irq_handler_entry -o unique-name
perf record -a -- ./unique-name
END
: > unique-name && chmod +x unique-name && mkdir bin && ln -s "$PERF" bin/perf

for shell in bash zsh; do
	step "$shell on a terminal"
	if ! command -v $shell > /dev/null; then
		skip "$shell is not installed"
	elif ! command -v python3 > /dev/null; then
		skip "python3 is not installed"
	else
		mapfile -t lines < lines
		check $shell -n "$SRC/scripts/completion/perf.$shell"
		PERF_TRACEFS_DIR=$PWD PATH=$PWD/bin:$PATH "$SRC/tests/complete.py" $shell \
			"$SRC/scripts/completion/perf.$shell" "${lines[@]}" > typed 2>&1
		sed -i 's/ *$//' typed
		diff wanted typed | sed 's/^/  # /'
		check cmp -s wanted typed
	fi
done
finish
