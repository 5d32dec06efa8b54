#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --callers-callees: each figure, added up again from the chains that script prints.
. "$(dirname "$0")/../lib.sh"
plan 4
. "$TESTS/data/fields.sh"

cat > expected.py << 'END'
# From `script -F event,period,ip,sym`: what the report must print, without blanks and headings.
import collections, sys
events = collections.OrderedDict()
for block in open("script").read().strip("\n").split("\n\n"):
    head, *frames = block.split("\n")
    period, event = head.replace(":", " ").split()
    events.setdefault(event, []).append((int(period), [frame.split(None, 1)[1].strip() for frame in frames]))
wanted = sys.argv[1:]
for samples in events.values():
    whole = sum(period for period, _ in samples)
    total, own, first, edges = (collections.Counter() for _ in range(4))
    for period, chain in samples:
        for function in set(chain):
            total[function] += period
        for edge in set(zip(chain[1:], chain)):
            edges[edge] += period
        own[chain[0]] += period
        first[chain[-1]] += period
    rank = {name: i for i, name in enumerate(sorted(total, key=lambda name: (-total[name], -own[name], name)))}
    for name in rank:
        if wanted and name not in wanted:
            continue
        lines = [(value, caller) for (caller, callee), value in edges.items() if callee == name]
        for value, caller in sorted(lines, key=lambda line: (-line[0], rank[line[1]])):
            print("%.2f%% %s" % (100 * value / whole, caller))
        if first[name]:
            print("%.2f%% [no caller]" % (100 * first[name] / whole))
        print("%.2f%% %s" % (100 * total[name] / whole, name))
        if own[name]:
            print("%.2f%% [self]" % (100 * own[name] / whole))
        lines = [(value, callee) for (caller, callee), value in edges.items() if caller == name]
        for value, callee in sorted(lines, key=lambda line: (-line[0], rank[line[1]])):
            print("%.2f%% %s" % (100 * value / whole, callee))
END
perf script --kallsyms symbols -F event,period,ip,sym -i plain.data
mv out script

# compare OPTION...: the report with what expected.py says ($functions)
functions=
compare() {
	perf report --stdio --kallsyms symbols -i plain.data "$@"
	check [ $rc -eq 0 ]
	sed '/^#/d; /^$/d; s/^ *//; s/  */ /g' out > ours
	# shellcheck disable=SC2086
	python3 expected.py $functions > theirs
	check diff theirs ours
}

step "each function of each event; recursion counts once"
compare --callers-callees
check [ "$(wc -l < ours)" -gt 100 ]
check grep -q 'no caller' ours
check [ "$(grep -c '^#$' out)" -gt 10 ]

step "only these"
functions='fn_3 fn_1'
compare --callers-callees=fn_1,fn_3
perf report --stdio --kallsyms symbols -i plain.data --callers-callees=fn_9
check [ $rc -eq 0 ]
check grep -q "no sample has the symbol 'fn_9'" err
check grep -q "'fn_1'" err

step "columns, limits and filters are those of the report"
functions=
perf report --stdio --kallsyms symbols -i plain.data --callers-callees=fn_2 -n
check grep -qE '^ +[0-9.]+% +[0-9]+  fn_2$' out
check grep -qE '^ +[0-9.]+% +[0-9]+      \[self\]$' out
perf report --stdio --kallsyms symbols -i plain.data --callers-callees --percent-limit 20
check awk '/^    ? ?[0-9.]+%/ { n++; if ($1 + 0 < 20) bad = 1 } END { exit bad || n < 2 }' out
perf report --stdio --kallsyms symbols -i plain.data --callers-callees=fn_2 --comms first
check [ $rc -eq 0 ]
check awk '/^    ? ?[0-9.]+%.* fn_2$/ { n++; if ($1 + 0 > 50) bad = 1 } END { exit bad || n != 2 }' out

step "without chains: said, with what there is"
perf report --stdio -i memory.data --callers-callees
check [ $rc -eq 0 ]
check grep -q 'no call chains' err
check grep -q '\[self\]' out
finish
