#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report: the events of a group in one table (--group), a level for each key (--hierarchy), and
# functions whose callees are not looked at (--ignore-callees): the same text as Linux's perf.
. "$(dirname "$0")/../lib.sh"
plan 10
. "$TESTS/data/fields.sh"

# What both print alike: not the tips, blanks at the ends of lines, our lines about losses and stacks.
plain() {
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d'
}

# same FILE OPTION...: the report is that of Linux's perf, and has that many tables ($tables).
tables=1
same() {
	local file=$1
	shift
	"$REF" report --stdio --kallsyms symbols -i "$file" "$@" < /dev/null 2> ref.err | plain > ref
	perf report --stdio --kallsyms symbols -i "$file" "$@"
	check [ $rc -eq 0 ]
	plain < out > ours
	check diff ref ours
	check [ "$(grep -c '^# Samples: ' ours)" -eq $tables ]
}

step "a group is one table, of the events in turn"
same plain.data -g none --no-children
check grep -qx "# Samples: 400  of events 'anon group { cycles, instructions }'" ours
same plain.data -g none
same plain.data --no-children -g caller
same plain.data -g none --no-children -s sym
same plain.data -g none --no-children -s comm,cpu -n --show-total-period
same plain.data -g none --no-children -s dso,sym --showcpuutilization
same plain.data -g none --no-children -s sym --percent-limit 4
same plain.data -g none --no-children --comms first --percentage relative
same plain.data -g none --no-children -S fn_2 -s sym,comm
same plain.data -g none --no-children -F overhead,sample,sym,period
same plain.data -g none --no-children -F overhead_children,overhead,sym

step "separated, with widths, coloured: the figures of a row are one field"
same plain.data -g none --no-children -t, -n
check grep -q '^ [0-9.]*% [0-9.]*% *, [0-9]* [0-9]* *,first' ours
same plain.data -g none --no-children -w 4,3,3
same plain.data -g none --no-children --stdio-color always
check grep -q $'\033' ours

step "sorted by another event of the group"
same plain.data -g none --no-children --group-sort-idx 1
cp ours by_second
same plain.data -g none --no-children --group-sort-idx=0
refute cmp -s by_second ours
# There is no such event: the first alone.
same plain.data -g none --no-children -s cpu,dso --group-sort-idx 7
same plain.data -g none --no-children -s sym,cpu --group-sort-idx 1
perf report --stdio -i plain.data --group-sort-idx x
check [ $rc -eq 129 ]

step "equal weights: a name that two objects have, the events behind the leader"
python_records - << 'END'
# Each sample counts the same; process 800 runs another program, of the same functions.
import struct
from records import records
data = bytearray(open("plain.data", "rb").read())
for kind, at, size in records(data):
    if kind == 9:
        struct.pack_into("<Q", data, at + 48, 1000)
    elif kind == 10 and struct.unpack_from("<I", data, at + 8)[0] == 800:
        data[at:at + size] = data[at:at + size].replace(b"/prog\0", b"/gorp\0")
open("ties.data", "wb").write(data)
END
# Its functions stand the other way round.
sed 's/FN(1) FN(2) FN(3) FN(4) FN(5) FN(6)/FN(6) FN(5) FN(4) FN(3) FN(2) FN(1)/' prog.c > gorp.c
check [ "$(diff prog.c gorp.c | wc -l)" -eq 4 ]
"${CC:-cc}" -O1 -g -no-pie -fno-inline -o gorp gorp.c
for index in 0 1 7; do
	for keys in sym sym,dso dso,sym sym,cpu sym,cpu,dso cpu,sym comm,cpu,sym; do
		same ties.data -g none --no-children -s $keys --group-sort-idx $index
	done
done
perf report --stdio -q --kallsyms symbols -i ties.data -s dso
check grep -q gorp out

step "--group makes one of events that have none; --no-group takes it apart"
tables=2
same memory.data --mem-mode -s sym,mem
same plain.data --no-group -s sym -g none --no-children
tables=1
same memory.data --group --mem-mode -s sym,mem
check grep -qx "# Samples: 400  of events 'cycles, instructions'" ours

step "an entry that only one event has stands in the table of all"
python_records - << 'END'
# The samples of comm "second" belong to the second event alone.
import struct
from records import records
data = bytearray(open("plain.data", "rb").read())
for kind, at, _ in records(data):
    if kind == 9 and struct.unpack_from("<I", data, at + 24)[0] == 800:
        struct.pack_into("<Q", data, at + 8, 12)
open("one.data", "wb").write(data)
END
same one.data -g none --no-children -s comm,sym
check grep -qE '^ +0\.00% +[1-9][0-9.]*%  second' ours
same one.data -g none -s comm
same one.data --hierarchy -g none -s comm,sym
perf report --stdio -i one.data -g none --no-children -s comm
# Each column adds up to all of its event.
check awk '/^ +[0-9.]+% +[0-9.]+%  / { a += $1; b += $2 } END { exit !(a > 99.98 && a < 100.02 && b > 99.98 && b < 100.02) }' out

step "a level for each key"
tables=1
same plain.data --hierarchy -g none
same plain.data --hierarchy --no-children
same plain.data --hierarchy -g none -s comm,dso
same plain.data --hierarchy -g none -n -t,
tables=2
same plain.data --no-group --hierarchy -g none
same plain.data --no-group --hierarchy -g none -s dso,sym,cpu -n --percent-limit 3
same plain.data --no-group --hierarchy -g none --showcpuutilization -s dso,sym
same plain.data --no-group --hierarchy -g none --stdio-color always

step "keys in braces share a level"
same plain.data --no-group --hierarchy -g none -s '{comm,dso},sym'
check grep -q '^# .* Command+Shared Object / Symbol$' ours
same plain.data --no-group --hierarchy -g none -s '{dso,sym},{comm,cpu}' -t,
same plain.data --no-group -g none --no-children -s '{comm,dso},sym'
for keys in '{comm,dso' 'comm},dso' '{comm,{dso}}'; do
	perf report --stdio -i plain.data --hierarchy -s "$keys"
	check [ $rc -eq 129 ]
	check grep -q 'braces do not match' err
done
perf report --stdio -i plain.data --hierarchy -F comm
check [ $rc -eq 129 ]
check grep -q -- '--hierarchy and --fields' err

step "a level says the sum of what is shown below it"
perf report --stdio -i plain.data --no-group --hierarchy -g none -s comm,sym --symbols fn_2
check [ $rc -eq 0 ]
check awk '/^ +[0-9.]+%/ { level = $0 !~ /fn_2/ } /^ +[0-9.]+%/ && level { all = $1 }
	/^ +[0-9.]+%/ && !level { n++; if ($1 != all) bad = 1 } END { exit bad || n < 4 }' out

step "--ignore-callees: samples count for the outermost function of that name"
tables=2
same plain.data --no-group --no-children --ignore-callees '^fn_1$'
cp ours ignored
same plain.data --no-group --no-children --ignore-callees 'fn_[23]' -s sym
same plain.data --no-group --no-children
refute cmp -s ours ignored
# With children, too: nothing below it is left.
perf report --stdio -i plain.data --no-group --kallsyms symbols --ignore-callees '^fn_1$' -s sym -g caller
check [ $rc -eq 0 ]
refute grep -qE -- '--fn_1$' out
check awk '/^ .*fn_1$/ { if ($1 != $2) bad = 1; n++ } END { exit bad || n != 2 }' out
perf report --stdio -i plain.data --ignore-callees '('
check [ $rc -eq 129 ]
check grep -q 'not a regular expression' err
finish
