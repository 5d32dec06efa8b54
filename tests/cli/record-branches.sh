#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record -b, -j and --call-graph lbr: what the kernel is asked for, beside Linux's perf, as no machine
# of the tests has branch stacks; and the call chains of a recording that was made so (tests/data/fields.py).
. "$(dirname "$0")/../lib.sh"
plan 6
. "$TESTS/data/fields.sh"
need_events || finish
for kind in calls returned; do
	python3 "$TESTS/data/fields.py" $kind "$PWD/prog" $kind.data
done

# asked PERF OPTION...: events that are to be sampled, as the kernel was first asked for them, in `asked`.
asked() {
	strace -f -v -e trace=perf_event_open -o calls "$1" record "${@:2}" -o asked.data true > said 2>&1 < /dev/null
	grep -o 'config=.*branch_sample_type=[^,]*' calls | grep 'sample_type=PERF_SAMPLE_IP' | head -n 1 |
		sed -E 's/, (sample_freq|sample_period)=.*, sample_type/, sample_type/; s/, read_format=.*, branch_/, branch_/; s/ .. .*//' > asked
}

step "the kernel is asked for what Linux's perf asks for"
if command -v strace > /dev/null; then
	for options in -b '-j any_call,u' '-j any_ret,k' '-j ind_call,cond,save_type' '-j call,in_tx' \
		'--call-graph lbr' '-b -g' '-a -j any,u' '--call-graph lbr --all-kernel' '-e page-faults -b'; do
		# shellcheck disable=SC2086
		asked "$REF" -e cpu-clock $options
		mv asked want
		check grep -q BRANCH_ want
		# shellcheck disable=SC2086
		asked "$PERF" -e cpu-clock $options
		check diff want asked
	done
	asked "$PERF" -e cpu-clock -j u # 6.1 forgets the mode that it was given
	check grep -q 'branch_sample_type=PERF_SAMPLE_BRANCH_USER|PERF_SAMPLE_BRANCH_ANY$' asked
	asked "$PERF" -e cpu-clock -j any,priv,counter
	check grep -qE 'branch_sample_type=PERF_SAMPLE_BRANCH_ANY\|.*(PRIV_SAVE|0x[48c]0000)' asked
else
	skip "strace is not there"
fi

step "a filter that is not known, two of them: nothing is recorded"
perf record -j any,nosuch -o x.data true
check [ $rc -eq 129 ]
check grep -q "unknown branch filter 'nosuch'" err
perf record -b -j any -o x.data true
check [ $rc -eq 129 ]
check grep -q -- '-b and -j exclude each other' err
perf record --call-graph lbr,32 -o x.data true
check [ $rc -eq 129 ]
check [ ! -e x.data ]

step "call chains of the processor's calls: as Linux's perf"
"$REF" script --no-inline --kallsyms symbols -i calls.data < /dev/null > ref 2> ref.err
perf script --no-inline --kallsyms symbols -i calls.data
check diff ref out
check [ "$(grep -c fn_ out)" -gt 1000 ]
for options in --no-children '--no-children -s sym,srcline' '--no-children -g callee,0 -s comm'; do
	# shellcheck disable=SC2086
	"$REF" report --stdio --no-inline --kallsyms symbols -i calls.data $options < /dev/null 2> ref.err |
		sed -E 's/ +$//; /^# \(Tip/d' | awk 1 > ref
	# shellcheck disable=SC2086
	perf report --stdio --no-inline --kallsyms symbols -i calls.data $options
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d' out > ours
	check diff ref ours
	check [ "$(wc -l < ours)" -gt 200 ]
done

step "they are chains, not branches; as branches they are shown when they are asked for"
perf report --stdio --no-inline -i calls.data
check grep -qE '^# Children +Self +Command' out
perf report --stdio --no-inline -b -i calls.data
check grep -q 'Source Symbol' out

step "where the processor knows no call, the chain is that of frame pointers" # 6.1 prints what lies behind
perf script --no-inline -F ip,sym -i returned.data
check [ "$(grep -cE '^[[:space:]]+[0-9a-f]+ fn_' out)" -gt 400 ]
python3 "$TESTS/data/fields.py" plain "$PWD/prog" plain.data
perf report --stdio --stack-health --json -i returned.data
check python3 -c '
import json
events = json.load(open("out"))["events"]
assert [e["event"] for e in events] == ["instructions"], events' # nobody can tell whether calls are missing

step "the same for any number of workers"
for workers in 1 2 7; do
	PERF_WORKERS=$workers perf report --stdio --no-inline -i calls.data
	mv out out-$workers
done
check [ -s out-1 ]
check cmp out-1 out-2
check cmp out-1 out-7

finish
